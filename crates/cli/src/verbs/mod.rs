//! The verbs, one a file.

mod ask;
mod automata;
mod bench;
mod certify;
mod check;
mod compare;
mod completions;
mod convert;
mod help;
mod instance;
mod man;
mod new;
mod serve;
mod show;
mod simulate;
mod vacuity;

use clap::Subcommand;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Check(check::Check),
    Certify(certify::Certify),
    Simulate(simulate::Simulate),
    Instance(instance::Instance),
    New(new::New),
    Serve(serve::Serve),
    Vacuity(vacuity::Vacuity),
    Ask(ask::Ask),
    Show(show::Show),
    Convert(convert::Convert),
    Compare(compare::Compare),
    Automata(automata::Automata),
    Bench(bench::Bench),
    Help(help::Help),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Verb {
    /// Its name, as machine-readable replies give it.
    pub(crate) fn name(&self) -> String {
        match self {
            Verb::Check(_) => "check".to_owned(),
            Verb::Certify(_) => "certify".to_owned(),
            Verb::Simulate(_) => "simulate".to_owned(),
            Verb::Instance(_) => "instance".to_owned(),
            Verb::New(_) => "new".to_owned(),
            Verb::Serve(_) => "serve".to_owned(),
            Verb::Vacuity(_) => "vacuity".to_owned(),
            Verb::Ask(_) => "ask".to_owned(),
            Verb::Show(_) => "show".to_owned(),
            Verb::Convert(_) => "convert".to_owned(),
            Verb::Compare(_) => "compare".to_owned(),
            Verb::Automata(verb) => format!("automata {}", verb.name()),
            Verb::Bench(verb) => format!("bench {}", verb.name()),
            Verb::Help(_) => "help".to_owned(),
            Verb::Completions(_) => "completions".to_owned(),
            Verb::Man(_) => "man".to_owned(),
        }
    }
}

/// Cleans up after a verb that is not waited for any more.
pub(crate) fn abandon(verb: &Verb) {
    if let Verb::Check(verb) = verb {
        verb.abandon();
    }
}

/// Runs a verb.
pub(crate) fn run(verb: &Verb, session: &Session) -> Result<Reply, Failure> {
    match verb {
        Verb::Check(verb) => verb.run(session),
        Verb::Certify(verb) => verb.run(session),
        Verb::Simulate(verb) => verb.run(session),
        Verb::Instance(verb) => verb.run(session),
        Verb::New(verb) => verb.run(session),
        Verb::Serve(verb) => verb.run(session),
        Verb::Vacuity(verb) => verb.run(session),
        Verb::Ask(verb) => verb.run(session),
        Verb::Show(verb) => verb.run(session),
        Verb::Convert(verb) => verb.run(session),
        Verb::Compare(verb) => verb.run(session),
        Verb::Automata(verb) => verb.run(session),
        Verb::Bench(verb) => verb.run(session),
        Verb::Help(verb) => verb.run(session),
        Verb::Completions(verb) => Ok(verb.run(session)),
        Verb::Man(verb) => verb.run(session),
    }
}
