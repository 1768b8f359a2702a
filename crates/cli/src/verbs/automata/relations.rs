//! Transducers: what they make of words, and new ones.

use clap::{Args, Subcommand};
use quotient_automata::formats::{Kind, Machine};
use quotient_automata::{Nfa, Transducer};
use quotient_core::{Budget, Stop};

use super::input::Input;
use super::languages::deliver;
use super::output::Output;
use super::{Options, SeveralOptions};
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

#[derive(Debug, Subcommand)]
pub(super) enum Relation {
    /// The words that T leads to from words of A.
    #[command(after_help = "\
Example:
  quotient automata apply step.tmb init.tmb | quotient show -")]
    Apply(WithLanguage),
    /// The words from which T leads to words of A.
    Preimage(WithLanguage),
    /// The transducer T with only those pairs whose first word is in A.
    Restrict(WithLanguage),
    /// The transducer T with only those pairs whose second word is in A.
    #[command(name = "restrict-range")]
    RestrictRange(WithLanguage),
    /// First T, then U (and so on).
    Compose(Chain),
    /// The transducer that goes the other way.
    Invert(One),
    /// The words that T reads.
    Domain(One),
    /// The words that T writes.
    Range(One),
    /// The words that T relates to themselves.
    Diagonal(One),
}

#[derive(Debug, Args)]
pub(super) struct WithLanguage {
    /// The transducer.
    t: String,
    /// The automaton.
    a: String,
    #[command(flatten)]
    options: SeveralOptions,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Chain {
    /// The transducers, the first to be applied first.
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    options: SeveralOptions,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct One {
    /// The transducer.
    t: String,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    output: Output,
}

impl Relation {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Relation::Apply(_) => "apply",
            Relation::Preimage(_) => "preimage",
            Relation::Restrict(_) => "restrict",
            Relation::RestrictRange(_) => "restrict-range",
            Relation::Compose(_) => "compose",
            Relation::Invert(_) => "invert",
            Relation::Domain(_) => "domain",
            Relation::Range(_) => "range",
            Relation::Diagonal(_) => "diagonal",
        }
    }

    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let name = self.name();
        match self {
            Relation::Apply(with) => with.make(name, session, Transducer::apply),
            Relation::Preimage(with) => with.make(name, session, Transducer::apply_inverse),
            Relation::Restrict(with) => with.make(name, session, Transducer::restrict_domain),
            Relation::RestrictRange(with) => with.make(name, session, Transducer::restrict_range),
            Relation::Compose(chain) => chain.compose(session),
            Relation::Invert(one) => one.make(name, session, Transducer::inverse),
            Relation::Domain(one) => one.make(name, session, Transducer::domain),
            Relation::Range(one) => one.make(name, session, Transducer::range),
            Relation::Diagonal(one) => one.make(name, session, Transducer::diagonal),
        }
    }
}

impl WithLanguage {
    fn make<M: Into<Machine>>(
        &self,
        name: &str,
        session: &Session,
        operation: impl Fn(&Transducer, &Nfa, &Budget) -> Result<M, Stop>,
    ) -> Result<Reply, Failure> {
        let options = &self.options.options;
        let relation = options.read(&self.t, Some(Kind::Transducer), session)?;
        let languages = [options.read(&self.a, Some(Kind::Automaton), session)?];
        let (transducer, automata) = self.options.relation_and_languages(&relation, &languages)?;
        let (result, time) = options.timed(name, session, || {
            operation(&transducer, &automata[0], &session.budget)
        })?;
        deliver(
            result.into(),
            name,
            &[relation],
            &self.output,
            time,
            session,
        )
    }
}

impl Chain {
    fn compose(&self, session: &Session) -> Result<Reply, Failure> {
        let options = &self.options.options;
        let read = |path: &String| options.read(path, Some(Kind::Transducer), session);
        let inputs: Vec<Input> = self.files.iter().map(read).collect::<Result<_, _>>()?;
        let transducers = self.options.transducers(&inputs)?;
        let (result, time) = options.timed("compose", session, || {
            let mut all = transducers[0].clone();
            for next in &transducers[1..] {
                all = all.compose(next, &session.budget)?;
            }
            Ok(all)
        })?;
        deliver(
            result.into(),
            "compose",
            &inputs,
            &self.output,
            time,
            session,
        )
    }
}

impl One {
    fn make<M: Into<Machine>>(
        &self,
        name: &str,
        session: &Session,
        operation: impl Fn(&Transducer) -> M,
    ) -> Result<Reply, Failure> {
        let input = self
            .options
            .read(&self.t, Some(Kind::Transducer), session)?;
        let transducer = input.transducer()?;
        let (result, time) = self
            .options
            .timed(name, session, || Ok(operation(transducer)))?;
        deliver(result.into(), name, &[input], &self.output, time, session)
    }
}
