//! What `check --write-config` writes.

/// A manifest with every key explained.
pub(crate) const TEMPLATE: &str = "\
# A problem for `quotient check`: can a bad configuration be reached?
# Paths are seen from the folder of this file; files may be in any format that
# `quotient show` reads. All files together make up the alphabet.

# What to call it.
name = \"my problem\"

# The automaton of the initial configurations.
init = \"init.tmb\"

# The automaton of the configurations that must not be reached; for several
# properties a table:
#   bad = { \"two tokens\" = \"two.tmb\", \"no token\" = \"none.tmb\" }
bad = \"bad.tmb\"

# The transducers whose union is the step; `*` and `?` match file names. The name
# of a file is the name of its step in a trace.
transitions = [\"step-*.tmb\"]

# One method instead of several side by side; `quotient check --methods` lists
# them all.
# method = \"forward predicates(bad, guards) key-states\"

# When to give up, in seconds. By default never.
# timeout = 60
";
