//! Components: labelled transition systems and assume-guarantee reasoning.
