//! What can be done with automata and transducers, as data.
//!
//! Every [`Operation`] says what it is called, what it takes and what it answers, so that a
//! command line, a page or a notebook offers all of them without knowing any. A front end reads
//! the files ([`Input`]), puts [`Operands`] together, and runs the operation in two steps:
//! [`Operation::prepare`] checks everything, [`Operation::run`] does the work alone.
//!
//! ```
//! use quotient_automata::catalogue::{self, Input, Operands, Outcome};
//! use quotient_automata::formats::{Limits, Reading};
//! use quotient_core::{Budget, Source};
//! let budget = Budget::unlimited();
//! let read = |name: &str, text: &str| {
//!     Input::read(&Source::new(name, text), None, &Reading::default(), &budget)
//! };
//! let one = read("one", "fa(r(fsa_preds),2,[0],[1],[trans(0,a,1)],[]).")?;
//! let any = read("any", "fa(r(fsa_preds),1,[0],[0],[trans(0,a,0)],[]).")?;
//! let include = catalogue::named("include").unwrap();
//! let operands = Operands { machines: vec![any, one], ..Operands::default() };
//! let given = include.prepare(operands, &Limits::default(), &budget)?;
//! let Outcome::Truth(truth) = include.run(&given, &budget)? else { panic!() };
//! assert_eq!(truth.because, "`ε` is in any, but not in one");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod given;
mod input;
mod languages;
mod outcome;
mod questions;
mod relations;
mod words;
mod written;

use quotient_core::{Budget, Stop};
use quotient_language::Setting;

use crate::formats::Kind;

pub use given::{Given, Operands};
pub use input::Input;
pub use outcome::{Outcome, Told, Truth};
pub use written::written;

/// One thing that can be done with automata and transducers.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// What it is called, and what its result is called.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it does, in a sentence.
    pub line: &'static str,
    /// What else there is to say, with examples for the command line; often nothing.
    pub more: &'static str,
    /// What it works on, in this order: machines first, then words and expressions.
    pub operands: &'static [Operand],
    /// How it can be varied. A number without a default must be given.
    pub settings: &'static [Setting],
    /// What comes of it.
    pub answers: Answers,
    /// What is going on while it runs, in a word or two.
    pub doing: &'static str,
    work: Work,
}

/// The work of an operation on what was prepared for it.
type Work = fn(&Given, &Budget) -> Result<Outcome, Stop>;

/// What comes of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// An automaton or a transducer, which can be written and drawn.
    Machine,
    /// Yes or no, with a word to show for it.
    Truth,
    /// Words, numbers or an expression.
    Text,
}

/// What an operation works on.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// What it is called in usage lines.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// What can stand there.
    pub sort: Sort,
    /// Whether there may be several; only the last operand is like this.
    pub many: bool,
}

/// What can stand for an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// An automaton.
    Automaton,
    /// A transducer.
    Transducer,
    /// An automaton or a transducer: where there are several, all are what the first is.
    Machine,
    /// A word, its letters apart by blanks.
    Word,
    /// A regular expression over named letters.
    Expression,
}

impl Sort {
    /// Whether it is read from a file.
    pub const fn is_machine(self) -> bool {
        !matches!(self, Sort::Word | Sort::Expression)
    }

    /// What a reader should look for in a file that can be read as either.
    pub fn expected(self) -> Option<Kind> {
        match self {
            Sort::Automaton => Some(Kind::Automaton),
            Sort::Transducer => Some(Kind::Transducer),
            Sort::Machine | Sort::Word | Sort::Expression => None,
        }
    }
}

impl Operand {
    const fn new(name: &'static str, sort: Sort, help: &'static str) -> Operand {
        Operand {
            name,
            help,
            sort,
            many: false,
        }
    }

    const fn many(mut self) -> Operand {
        self.many = true;
        self
    }
}

impl Operation {
    const fn new(
        name: &'static str,
        line: &'static str,
        operands: &'static [Operand],
        answers: Answers,
        work: Work,
    ) -> Operation {
        let several = match operands {
            [only] => only.many,
            [_, second, ..] => second.sort.is_machine(),
            [] => false,
        };
        Operation {
            name,
            aliases: &[],
            line,
            more: "",
            operands,
            settings: if several { &[JOIN_ALPHABETS] } else { &[] },
            answers,
            doing: name,
            work,
        }
    }

    const fn more(mut self, more: &'static str) -> Operation {
        self.more = more;
        self
    }

    const fn settings(mut self, settings: &'static [Setting]) -> Operation {
        self.settings = settings;
        self
    }

    const fn doing(mut self, doing: &'static str) -> Operation {
        self.doing = doing;
        self
    }

    /// Does the work. The budget can end it.
    pub fn run(&self, given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
        (self.work)(given, budget)
    }
}

/// An operation that makes a machine.
const fn make(
    name: &'static str,
    line: &'static str,
    operands: &'static [Operand],
    work: Work,
) -> Operation {
    Operation::new(name, line, operands, Answers::Machine, work)
}

/// What operations on several machines take.
const JOIN_ALPHABETS: Setting = Setting::flag(
    "join-alphabets",
    "Bring files over different alphabets over all their letters.",
);

/// What questions take that a word is the answer to.
const SHORTEST: Setting = Setting::flag(
    "shortest",
    "Show the first of the shortest words, however long that takes.",
);

/// All operations, questions first.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let lists = [
        questions::QUESTIONS,
        languages::LANGUAGES,
        relations::RELATIONS,
        words::WORDS,
    ];
    lists.into_iter().flatten()
}

/// The operation of this name.
pub fn named(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.name == name || operation.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_for_one_operation() {
        let names = || all().flat_map(|one| one.aliases.iter().copied().chain([one.name]));
        for name in names() {
            assert_eq!(names().filter(|other| *other == name).count(), 1, "{name}");
        }
        assert!(named("include").is_some() && named("includes").is_none());
    }

    #[test]
    fn machines_come_before_texts_and_only_the_last_operand_is_many() {
        for operation in all() {
            let sorts: Vec<bool> = operation
                .operands
                .iter()
                .map(|operand| operand.sort.is_machine())
                .collect();
            assert!(sorts.is_sorted_by_key(|is_machine| !is_machine));
            let many = operation.operands.iter().position(|operand| operand.many);
            assert!(many.is_none_or(|many| many + 1 == operation.operands.len()));
        }
    }

    #[test]
    fn only_operations_on_several_machines_join_alphabets() {
        for operation in all() {
            let machines = operation
                .operands
                .iter()
                .filter(|operand| operand.sort.is_machine());
            let several = machines.clone().count() > 1 || machines.clone().any(|one| one.many);
            let joins = operation
                .settings
                .iter()
                .any(|one| one.name == JOIN_ALPHABETS.name);
            assert_eq!(joins, several, "{}", operation.name);
        }
    }
}
