//! The language end to end.

mod averages;
mod bisimulation;
mod broken;
mod clocks;
mod common;
mod delays;
mod evidence;
mod formulas;
mod fractions;
mod gallery;
mod hand;
mod jani;
mod limited;
mod linear;
mod mass;
mod off;
mod partial;
mod parts;
mod prefixes;
mod quantiles;
mod refused;
mod runs;
mod sample;
mod spelled;
mod together;
mod values;
