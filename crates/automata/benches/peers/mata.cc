// Measures one operation of the mata library on automata in the exchange format of
// `side_by_side.rs`, and prints: nanoseconds (the best of many runs), size of the result, peak
// memory in KiB. Comparisons take the first two files, the next two, and so on; images take an
// automaton and a transducer.
//
// Usage: mata OPERATION MILLISECONDS FILE...

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "mata/nfa/algorithms.hh"
#include "mata/nfa/nfa.hh"
#include "mata/nft/nft.hh"

using mata::nfa::Nfa;
using mata::nft::Nft;

namespace {

/// How many images are taken, as in `measure.rs`.
constexpr int STEPS = 6;

template <typename Machine>
void read_ends(std::ifstream& file, Machine& machine) {
    std::size_t count, state;
    for (file >> count; count > 0; --count) {
        file >> state;
        machine.initial.insert(state);
    }
    for (file >> count; count > 0; --count) {
        file >> state;
        machine.final.insert(state);
    }
}

Nft read_transducer(const std::string& path) {
    std::ifstream file(path);
    std::size_t states, letters;
    file >> states >> letters;
    Nft nft = Nft::with_levels(2, states);
    read_ends(file, nft);
    auto symbol = [](long letter) {
        return letter < 0 ? mata::nft::EPSILON : static_cast<mata::Symbol>(letter);
    };
    long source, input, output, target;
    while (file >> source >> input >> output >> target) {
        nft.add_transition(source, {symbol(input), symbol(output)}, target);
    }
    return nft;
}

Nfa read(const std::string& path) {
    std::ifstream file(path);
    std::size_t states, letters;
    file >> states >> letters;
    Nfa nfa(states);
    read_ends(file, nfa);
    std::size_t source, letter, target;
    while (file >> source >> letter >> target) {
        nfa.delta.add(source, static_cast<mata::Symbol>(letter), target);
    }
    return nfa;
}

std::size_t peak_memory() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.rfind("VmHWM:", 0) == 0) {
            return std::stoul(line.substr(6));
        }
    }
    return 0;
}

/// All letters of an automaton's edges.
mata::OnTheFlyAlphabet letters_of(const Nfa& nfa) {
    mata::OnTheFlyAlphabet alphabet;
    for (const mata::Symbol symbol : nfa.delta.get_used_symbols()) {
        alphabet.add_new_symbol(std::to_string(symbol), symbol);
    }
    return alphabet;
}

/// The operation on one automaton, or on two; gives the size of its result.
using Operation = std::function<std::size_t(const Nfa&, const Nfa&)>;

Operation operation(const std::string& name) {
    if (name == "determinize") {
        return [](const Nfa& nfa, const Nfa&) {
            return mata::nfa::determinize(nfa).num_of_states();
        };
    }
    if (name == "minimize") {
        return [](const Nfa& nfa, const Nfa&) {
            Nfa deterministic = mata::nfa::determinize(nfa);
            return mata::nfa::algorithms::minimize_hopcroft(deterministic.trim()).num_of_states();
        };
    }
    if (name == "minimize-by-reversal") {
        return [](const Nfa& nfa, const Nfa&) {
            return mata::nfa::algorithms::minimize_brzozowski(nfa).num_of_states();
        };
    }
    if (name == "reduce") {
        return [](const Nfa& nfa, const Nfa&) { return mata::nfa::reduce(nfa).num_of_states(); };
    }
    if (name == "inclusion") {
        return [](const Nfa& left, const Nfa& right) -> std::size_t {
            mata::nfa::Run counterexample;
            bool holds = mata::nfa::is_included(left, right, &counterexample);
            return holds ? 0 : 1 + counterexample.word.size();
        };
    }
    if (name == "universality") {
        return [](const Nfa& nfa, const Nfa&) -> std::size_t {
            const mata::OnTheFlyAlphabet alphabet = letters_of(nfa);
            return nfa.is_universal(alphabet, {{"algorithm", "antichains"}}) ? 0 : 1;
        };
    }
    if (name == "emptiness") {
        return [](const Nfa& nfa, const Nfa&) -> std::size_t {
            return nfa.is_lang_empty() ? 0 : 1;
        };
    }
    if (name == "intersection") {
        return [](const Nfa& left, const Nfa& right) {
            return mata::nfa::intersection(left, right).trim().num_of_states();
        };
    }
    if (name == "equivalence") {
        return [](const Nfa& left, const Nfa& right) -> std::size_t {
            return mata::nfa::are_equivalent(left, right) ? 0 : 1;
        };
    }
    if (name == "complement") {
        return [](const Nfa& nfa, const Nfa&) {
            const mata::OnTheFlyAlphabet alphabet = letters_of(nfa);
            return mata::nfa::complement(nfa, alphabet).num_of_states();
        };
    }
    if (name == "reverse") {
        return [](const Nfa& nfa, const Nfa&) { return mata::nfa::revert(nfa).num_of_states(); };
    }
    std::cerr << "unknown operation " << name << "\n";
    std::exit(1);
}

/// Image after image, each determinised and minimised; the step has the identity.
std::size_t images(const Nfa& initial, const Nft& step) {
    Nfa set = initial;
    for (int i = 0; i < STEPS; ++i) {
        Nfa image = step.apply(set).to_nfa_move();
        image = mata::nfa::remove_epsilon(image, mata::nft::EPSILON);
        Nfa deterministic = mata::nfa::determinize(image.trim());
        set = mata::nfa::algorithms::minimize_hopcroft(deterministic.trim());
    }
    return set.num_of_states();
}

/// All of the operation on all of the files, as something that can be repeated.
std::function<std::size_t()> work(const std::string& name, const std::vector<std::string>& files) {
    if (name == "images") {
        return [initial = read(files.at(0)), step = read_transducer(files.at(1))] {
            return images(initial, step);
        };
    }
    std::vector<Nfa> inputs;
    for (const auto& file : files) {
        inputs.push_back(read(file));
    }
    const bool compares = name == "inclusion" || name == "equivalence" || name == "intersection";
    const std::size_t step = compares ? 2 : 1;
    return [inputs, step, run = operation(name)] {
        std::size_t size = 0;
        for (std::size_t i = 0; i + step <= inputs.size(); i += step) {
            size += run(inputs[i], inputs[i + step - 1]);
        }
        return size;
    };
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: mata OPERATION MILLISECONDS FILE...\n";
        return 1;
    }
    const auto run = work(argv[1], std::vector<std::string>(argv + 3, argv + argc));
    using clock = std::chrono::steady_clock;
    const auto patience = std::chrono::milliseconds(std::stoul(argv[2]));
    const auto start = clock::now();
    std::int64_t best = INT64_MAX;
    std::size_t size = 0;
    do {
        const auto before = clock::now();
        size = run();
        const auto after = clock::now();
        best = std::min<std::int64_t>(
            best, std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count());
    } while (clock::now() - start < patience);
    std::cout << best << " " << size << " " << peak_memory() << "\n";
}
