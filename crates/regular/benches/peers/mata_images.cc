// Measures the loop post-image, determinise, minimise of the mata library on a problem in the
// exchange format of `images.rs`, and prints the best time in nanoseconds and the number of
// states after the last step.
//
// Usage: mata_images FILE STEPS

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "mata/nfa/algorithms.hh"
#include "mata/nfa/nfa.hh"
#include "mata/nft/nft.hh"

struct Edge {
    long source, input, output, target;
};

struct Machine {
    std::size_t states = 0;
    std::vector<std::size_t> initial, accepting;
    std::vector<Edge> edges;
};

static Machine read(std::ifstream& file) {
    Machine machine;
    std::size_t count, state;
    file >> machine.states;
    for (file >> count; count > 0; --count) {
        file >> state;
        machine.initial.push_back(state);
    }
    for (file >> count; count > 0; --count) {
        file >> state;
        machine.accepting.push_back(state);
    }
    for (file >> count; count > 0; --count) {
        Edge edge;
        file >> edge.source >> edge.input >> edge.output >> edge.target;
        machine.edges.push_back(edge);
    }
    return machine;
}

static mata::nfa::Nfa automaton(const Machine& machine) {
    mata::nfa::Nfa nfa(machine.states);
    for (auto state : machine.initial) nfa.initial.insert(state);
    for (auto state : machine.accepting) nfa.final.insert(state);
    for (const auto& edge : machine.edges) {
        nfa.delta.add(edge.source, static_cast<mata::Symbol>(edge.input), edge.target);
    }
    return nfa;
}

static mata::nft::Nft transducer(const Machine& machine) {
    auto symbol = [](long letter) {
        return letter < 0 ? mata::nft::EPSILON : static_cast<mata::Symbol>(letter);
    };
    mata::nft::Nft nft = mata::nft::Nft::with_levels(2, machine.states);
    for (auto state : machine.initial) nft.initial.insert(state);
    for (auto state : machine.accepting) nft.final.insert(state);
    for (const auto& edge : machine.edges) {
        nft.add_transition(edge.source, {symbol(edge.input), symbol(edge.output)}, edge.target);
    }
    return nft;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: mata_images FILE STEPS\n";
        return 1;
    }
    std::ifstream file(argv[1]);
    std::size_t letters;
    file >> letters;
    const auto start_set = automaton(read(file));
    const auto step = transducer(read(file));
    const int steps = std::stoi(argv[2]);
    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    std::int64_t best = INT64_MAX;
    std::size_t states = 0;
    do {
        const auto before = clock::now();
        mata::nfa::Nfa set = start_set;
        for (int i = 0; i < steps; ++i) {
            auto image = step.apply(set).to_nfa_move();
            image = mata::nfa::remove_epsilon(image, mata::nft::EPSILON);
            auto deterministic = mata::nfa::determinize(image.trim());
            set = mata::nfa::algorithms::minimize_hopcroft(deterministic.trim());
        }
        states = set.num_of_states();
        best = std::min<std::int64_t>(
            best, std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - before).count());
    } while (clock::now() - start < std::chrono::milliseconds(200));
    std::cout << best << " " << states << "\n";
}
