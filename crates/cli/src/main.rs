//! The `quotient` command.

fn main() {}
