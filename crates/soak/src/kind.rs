//! What a language offers to a soak: a table of generators and judges.
//!
//! A language that is not in the table is soaked with changed texts of its gallery, so that a
//! new one is covered from its first day; an entry here makes that better.

use quotient_language::About;

use crate::dice::Dice;
use crate::kinds;
use crate::sample::{Given, Sample};

/// How to soak a language.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The language, by id.
    pub language: &'static str,
    /// A random model; a larger size may make it larger.
    pub generate: fn(&mut Dice, usize) -> Sample,
    /// Other ways to the same answers: settings that name methods.
    pub ways: fn(&About, &mut Dice) -> Vec<Given>,
    /// What a complete search of instances says about the whole.
    pub instance: Instance,
    /// What is true of a model, found in the most naive way from its text; nothing where the text
    /// is beyond it.
    pub judge: fn(&Sample) -> Vec<(String, Truth)>,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Kind").field(&self.language).finish()
    }
}

/// What the search of instances says about the whole.
#[derive(Debug, Clone, Copy)]
pub enum Instance {
    /// It is not offered.
    None,
    /// It is the whole.
    Whole,
    /// What is violated there is violated; with these settings in turn.
    Below(&'static [(&'static str, &'static str)]),
}

/// What is true of a property.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Truth {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// Its value is this, about.
    Value(f64),
}

impl Truth {
    /// A verdict.
    pub fn of(holds: bool) -> Truth {
        match holds {
            true => Truth::Holds,
            false => Truth::Violated,
        }
    }
}

/// How to soak each language.
pub const KINDS: &[Kind] = &[
    kinds::words::KIND,
    kinds::protocol::KIND,
    kinds::smv::KIND,
    kinds::fsp::KIND,
    kinds::aiger::KIND,
    kinds::btor2::KIND,
    kinds::prism::KIND,
    kinds::net::KIND,
    kinds::cubicle::KIND,
    kinds::promela::KIND,
    kinds::network::KIND,
    kinds::turing::KIND,
    kinds::bsp::KIND,
    kinds::zsyntax::KIND,
];

/// The entry of a language, or one that only changes texts of its gallery.
pub fn kind_of(about: &'static About) -> Kind {
    let known = KINDS.iter().find(|kind| kind.language == about.id);
    known.copied().unwrap_or(Kind {
        language: about.id,
        generate: |_, _| Sample::of("", "", ""),
        ways: |_, _| Vec::new(),
        instance: Instance::None,
        judge: |_| Vec::new(),
    })
}

/// A random model of a language.
pub fn generate(about: &'static About, seed: u64, size: usize) -> Sample {
    let dice = &mut Dice::new(seed);
    let known = KINDS.iter().find(|kind| kind.language == about.id);
    match known {
        Some(kind) if !dice.chance(12) => (kind.generate)(dice, size),
        _ => kinds::gallery::generate(about, dice),
    }
}

/// A setting as a list of pairs.
pub(crate) fn way(pairs: &[(&str, &str)]) -> Given {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    pairs.iter().map(own).collect()
}
