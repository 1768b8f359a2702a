//! Evidence about SMV models: what is genuine is accepted, what is forged is not.

mod attack;
mod forge;
mod hand;
#[path = "../random/mod.rs"]
mod random;
mod shown;
mod translate;

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Trouble};
use quotient_smv::{Config, File, Program, RUN_KIND, RunEvidence, Session};

/// A model that is ready for questions; `None` if a random one has a mistake.
fn open(text: &str) -> Option<Session> {
    let file = File::read(&Source::new("m.smv", text)).unwrap_or_else(|errors| {
        panic!("{text}\n{}", errors[0]);
    });
    match Session::open(file, Config::small(), &Context::default()) {
        Ok(session) => Some(session),
        Err(Trouble::Invalid(_)) => None,
        Err(Trouble::Stopped(stop)) => panic!("{stop}"),
    }
}

/// The evidence that the engine gives about a specification.
fn evidence(session: &mut Session, number: usize) -> Option<Evidence> {
    let answer = session.check(number).unwrap();
    let program = session.file().program();
    match answer.verdict {
        quotient_core::Verdict::Violated => answer.run.map(|run| run.evidence(program)),
        _ => answer.certificate.map(|certificate| certificate.evidence()),
    }
}

fn certify(program: &Program, number: usize, evidence: &Evidence) -> Result<Certified, Rejection> {
    let asked = &program.specifications()[number];
    program.certify(asked, evidence, false, &Budget::unlimited())
}

/// Why evidence is refused; it says nothing about it that is not decided.
fn refused(program: &Program, number: usize, evidence: &Evidence) -> String {
    match certify(program, number, evidence) {
        Err(Rejection::Wrong(text) | Rejection::Unreadable(text)) => text,
        other => panic!("not refused: {other:?}"),
    }
}

/// Whether it is left undecided.
fn undecided(program: &Program, number: usize, evidence: &Evidence) -> bool {
    let result = certify(program, number, evidence);
    matches!(result, Err(Rejection::Stopped(_)))
}

/// A run of these variables, as evidence.
fn run(variables: &str, states: &[&str], back_to: Option<usize>) -> Evidence {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let body = RunEvidence {
        variables: words(variables),
        states: states.iter().map(|state| words(state)).collect(),
        back_to,
    };
    Evidence::of_violated(RUN_KIND, &body)
}

fn read(text: &str) -> File {
    File::read(&Source::new("m.smv", text)).unwrap()
}
