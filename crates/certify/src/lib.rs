//! The independent checker of evidence.
