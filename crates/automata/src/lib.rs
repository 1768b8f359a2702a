//! Symbolic finite automata and transducers, with their file formats.
