//! The protocol language: parameterised systems as text, compiled to automata and transducers.
