//! Words: abstract regular model checking.
