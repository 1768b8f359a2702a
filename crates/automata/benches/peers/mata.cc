// Measures one operation of the mata library on automata in the exchange format of
// `side_by_side.rs` (comparisons: on the first two, the next two, …), and prints: nanoseconds (the best of many runs), size of the result, peak
// memory in KiB.
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

using mata::nfa::Nfa;

namespace {

Nfa read(const std::string& path) {
    std::ifstream file(path);
    std::size_t states, letters, count, state;
    file >> states >> letters;
    Nfa nfa(states);
    for (file >> count; count > 0; --count) {
        file >> state;
        nfa.initial.insert(state);
    }
    for (file >> count; count > 0; --count) {
        file >> state;
        nfa.final.insert(state);
    }
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
    if (name == "equivalence") {
        return [](const Nfa& left, const Nfa& right) -> std::size_t {
            return mata::nfa::are_equivalent(left, right) ? 0 : 1;
        };
    }
    std::cerr << "unknown operation " << name << "\n";
    std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: mata OPERATION MILLISECONDS FILE...\n";
        return 1;
    }
    std::vector<Nfa> inputs;
    for (int i = 3; i < argc; ++i) {
        inputs.push_back(read(argv[i]));
    }
    const std::string name = argv[1];
    const auto run = operation(name);
    const std::size_t step = name == "inclusion" || name == "equivalence" ? 2 : 1;
    using clock = std::chrono::steady_clock;
    const auto patience = std::chrono::milliseconds(std::stoul(argv[2]));
    const auto start = clock::now();
    std::int64_t best = INT64_MAX;
    std::size_t size = 0;
    do {
        const auto before = clock::now();
        size = 0;
        for (std::size_t i = 0; i + step <= inputs.size(); i += step) {
            size += run(inputs[i], inputs[i + step - 1]);
        }
        const auto after = clock::now();
        best = std::min<std::int64_t>(
            best, std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count());
    } while (clock::now() - start < patience);
    std::cout << best << " " << size << " " << peak_memory() << "\n";
}
