//! Automata from automata.

use clap::{Args, Subcommand};
use quotient_automata::formats::{Format, Kind, Machine, Named, Role};
use quotient_automata::{Nfa, Transducer};
use quotient_core::{Budget, Stop};

use super::input::Input;
use super::output::Output;
use super::{Options, SeveralOptions};
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

#[derive(Debug, Subcommand)]
pub(super) enum Language {
    /// The words of any of the automata (or the pairs of any of the transducers).
    #[command(after_help = "\
Example:
  quotient automata union a.tmb b.tmb c.tmb -o abc.tmb")]
    Union(Several),
    /// The words of all the automata.
    Intersect(Several),
    /// The words of the first, then a word of the second, and so on.
    Concat(Several),
    /// The words of A that are not in B.
    Difference(Two),
    /// The words of exactly one of A and B.
    #[command(name = "symmetric-difference")]
    SymmetricDifference(Two),
    /// What is left of the words of A after taking a word of B off the front.
    #[command(name = "left-quotient")]
    LeftQuotient(Two),
    /// What is left of the words of A after taking a word of B off the end.
    #[command(name = "right-quotient")]
    RightQuotient(Two),
    /// The words that A does not accept.
    Complement(One),
    /// The same words by a deterministic automaton.
    Determinize(One),
    /// The same words by a deterministic automaton with a move for every letter.
    Complete(One),
    /// The same words by the smallest deterministic automaton.
    #[command(after_help = "\
Example:
  quotient automata minimize a.tmb --to svg -o a.svg")]
    Minimize(One),
    /// The same words by a smaller automaton, by simulation (transducers too).
    Reduce(One),
    /// The words read backwards.
    Reverse(One),
    /// Any number of words of A, one after the other.
    Star(One),
    /// One or more words of A, one after the other.
    Plus(One),
    /// The same words without states that no word needs (transducers too).
    Trim(One),
    /// The same words without ε-moves.
    #[command(name = "remove-epsilon")]
    RemoveEpsilon(One),
    /// All beginnings of the words of A.
    Prefixes(One),
    /// All ends of the words of A.
    Suffixes(One),
}

#[derive(Debug, Args)]
pub(super) struct Several {
    /// The automata.
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    options: SeveralOptions,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Two {
    /// The first automaton.
    a: String,
    /// The second automaton.
    b: String,
    #[command(flatten)]
    options: SeveralOptions,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct One {
    /// The automaton.
    a: String,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    output: Output,
}

impl Language {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Language::Union(_) => "union",
            Language::Intersect(_) => "intersect",
            Language::Concat(_) => "concat",
            Language::Difference(_) => "difference",
            Language::SymmetricDifference(_) => "symmetric-difference",
            Language::LeftQuotient(_) => "left-quotient",
            Language::RightQuotient(_) => "right-quotient",
            Language::Complement(_) => "complement",
            Language::Determinize(_) => "determinize",
            Language::Complete(_) => "complete",
            Language::Minimize(_) => "minimize",
            Language::Reduce(_) => "reduce",
            Language::Reverse(_) => "reverse",
            Language::Star(_) => "star",
            Language::Plus(_) => "plus",
            Language::Trim(_) => "trim",
            Language::RemoveEpsilon(_) => "remove-epsilon",
            Language::Prefixes(_) => "prefixes",
            Language::Suffixes(_) => "suffixes",
        }
    }

    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let name = self.name();
        match self {
            Language::Union(several) => several.union(session),
            Language::Intersect(several) => several.make(name, session, Nfa::intersection),
            Language::Concat(several) => {
                several.make(
                    name,
                    session,
                    |left, right, _| Ok(left.concatenation(right)),
                )
            }
            Language::Difference(two) => two.make(name, session, Nfa::difference),
            Language::SymmetricDifference(two) => two.make(name, session, symmetric_difference),
            Language::LeftQuotient(two) => two.make(name, session, Nfa::left_quotient),
            Language::RightQuotient(two) => two.make(name, session, Nfa::right_quotient),
            Language::Complement(one) => one.make(name, session, |nfa, budget| {
                Ok(nfa.complement(budget)?.to_nfa())
            }),
            Language::Determinize(one) => one.make(name, session, |nfa, budget| {
                Ok(nfa.determinize(budget)?.to_nfa())
            }),
            Language::Complete(one) => one.make(name, session, |nfa, budget| {
                Ok(nfa.determinize(budget)?.complete().to_nfa())
            }),
            Language::Minimize(one) => one.make(name, session, |nfa, budget| {
                Ok(nfa.canonical(budget)?.to_nfa())
            }),
            Language::Reduce(one) => {
                one.make_either(name, session, Nfa::reduce, |transducer| transducer.reduce())
            }
            Language::Reverse(one) => one.make(name, session, |nfa, _| Ok(nfa.reverse())),
            Language::Star(one) => one.make(name, session, |nfa, _| Ok(nfa.star())),
            Language::Plus(one) => one.make(name, session, |nfa, _| Ok(nfa.plus())),
            Language::Trim(one) => {
                one.make_either(name, session, |nfa, _| Ok(nfa.trim()), Transducer::trim)
            }
            Language::RemoveEpsilon(one) => one.make(name, session, Nfa::without_epsilon),
            Language::Prefixes(one) => one.make(name, session, |nfa, _| Ok(nfa.prefixes())),
            Language::Suffixes(one) => one.make(name, session, |nfa, _| Ok(nfa.suffixes())),
        }
    }
}

fn symmetric_difference(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
    let left = left.determinize(budget)?;
    Ok(left
        .symmetric_difference(&right.determinize(budget)?, budget)?
        .to_nfa())
}

impl Several {
    fn read(&self, expect: Option<Kind>, session: &Session) -> Result<Vec<Input>, Failure> {
        let options = &self.options.options;
        options.read_several(&self.files, expect, session)
    }

    /// Combines the automata from the left.
    fn make(
        &self,
        name: &str,
        session: &Session,
        combine: impl Fn(&Nfa, &Nfa, &Budget) -> Result<Nfa, Stop>,
    ) -> Result<Reply, Failure> {
        let inputs = self.read(Some(Kind::Automaton), session)?;
        self.fold(name, &inputs, session, combine)
    }

    fn fold(
        &self,
        name: &str,
        inputs: &[Input],
        session: &Session,
        combine: impl Fn(&Nfa, &Nfa, &Budget) -> Result<Nfa, Stop>,
    ) -> Result<Reply, Failure> {
        let automata = self.options.automata(inputs)?;
        let (result, time) = self.options.options.timed(name, session, || {
            let mut all = automata[0].clone();
            for next in &automata[1..] {
                all = combine(&all, next, &session.budget)?;
            }
            Ok(all)
        })?;
        deliver(result.into(), name, inputs, &self.output, time, session)
    }

    /// The union of automata or, if the first file is one, of transducers.
    fn union(&self, session: &Session) -> Result<Reply, Failure> {
        let inputs = self.read(None, session)?;
        if inputs[0].machine()?.kind() == Kind::Automaton {
            return self.fold("union", &inputs, session, |left, right, _| {
                Ok(left.union(right))
            });
        }
        let transducers = self.options.transducers(&inputs)?;
        let (result, time) = self.options.options.timed("union", session, || {
            let mut all = transducers[0].clone();
            for next in &transducers[1..] {
                all = all.union(next);
            }
            Ok(all)
        })?;
        deliver(result.into(), "union", &inputs, &self.output, time, session)
    }
}

impl Two {
    fn make(
        &self,
        name: &str,
        session: &Session,
        combine: impl Fn(&Nfa, &Nfa, &Budget) -> Result<Nfa, Stop>,
    ) -> Result<Reply, Failure> {
        let options = &self.options.options;
        let inputs = options.read_several([&self.a, &self.b], Some(Kind::Automaton), session)?;
        let automata = self.options.automata(&inputs)?;
        let (result, time) = options.timed(name, session, || {
            combine(&automata[0], &automata[1], &session.budget)
        })?;
        deliver(result.into(), name, &inputs, &self.output, time, session)
    }
}

impl One {
    fn make(
        &self,
        name: &str,
        session: &Session,
        operation: impl Fn(&Nfa, &Budget) -> Result<Nfa, Stop>,
    ) -> Result<Reply, Failure> {
        let input = self.options.read(&self.a, Some(Kind::Automaton), session)?;
        let nfa = input.automaton()?;
        let (result, time) = self
            .options
            .timed(name, session, || operation(nfa, &session.budget))?;
        deliver(result.into(), name, &[input], &self.output, time, session)
    }

    /// As the file says, an operation on an automaton or on a transducer.
    fn make_either(
        &self,
        name: &str,
        session: &Session,
        on_automaton: impl Fn(&Nfa, &Budget) -> Result<Nfa, Stop>,
        on_transducer: impl Fn(&Transducer) -> Transducer,
    ) -> Result<Reply, Failure> {
        let input = self.options.read(&self.a, None, session)?;
        let machine = input.machine()?;
        let (result, time) = self.options.timed(name, session, || {
            Ok(match machine {
                Machine::Automaton(nfa) => Machine::from(on_automaton(nfa, &session.budget)?),
                Machine::Transducer(transducer) => on_transducer(transducer).into(),
            })
        })?;
        deliver(result, name, &[input], &self.output, time, session)
    }
}

/// Writes the result of an operation, by default in the format of its first input.
pub(super) fn deliver(
    result: Machine,
    name: &str,
    inputs: &[Input],
    output: &Output,
    time: Option<std::time::Duration>,
    session: &Session,
) -> Result<Reply, Failure> {
    let named = Named::new(name, Role::Unspecified, result);
    let usual = match inputs.first().map(|input| input.document.format) {
        // Problems have no place for a single automaton.
        None | Some(Format::Slrp | Format::Json) => Format::Timbuk,
        Some(format) => format,
    };
    let mut reply = output.deliver(&[named], usual, session)?;
    reply.time = time;
    let warnings = inputs
        .iter()
        .flat_map(|input| input.document.warnings.iter().cloned());
    reply.warnings.splice(0..0, warnings);
    Ok(reply)
}
