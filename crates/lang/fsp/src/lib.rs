//! The FSP language of LTSA: text to labelled transition systems.
