//! States: decision-diagram model checking over lattices.
