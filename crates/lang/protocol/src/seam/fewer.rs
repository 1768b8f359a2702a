//! Evidence about protocols of which few variables matter.
//!
//! *What is proved.* The property is taken apart: if each part never happens, it holds. For each part the
//! evidence names the variables that stay, and the checker leaves out the others by itself. What asks for
//! one of them becomes easier to be true (a comparison with it becomes true where it helps, false under a
//! `not`); what sets it is left out; what is set to a value that depends on it becomes any value of its
//! type. So each step of the protocol is one of the smaller protocol or changes nothing there, each start
//! is one, and what is forbidden there is forbidden here. Where it is asked that some step can be taken,
//! only those steps count that can be taken whatever the values that were left out. An invariant of the
//! words of the smaller protocol shows the part, as it does for a protocol that fits into words.
//!
//! *What is trusted.* The compiler, as for all words, and the rewriting. (The tests compare both protocols
//! configuration by configuration.)

use quotient_automata::evidence::INVARIANT_KIND;
use quotient_certify::{WordProblem, certify_words};
use quotient_core::{
    Budget, Certified, Claim, Conclusion, Context, Evidence, Rejection, Stop, Verdict, run,
};
use quotient_language::Answer;
use quotient_language::text::count;
use quotient_regular::Options;
use serde::{Deserialize, Serialize};

use super::certify::{no_model, told};
use super::instance;
use super::wide::EMPTY;
use crate::fewer::{Fewer, Kept, Needed, Shown, Which, parts};
use crate::model::{Demand, Initial, Property, Variable};
use crate::{Interpreter, Protocol};

/// It holds with fewer variables.
pub(super) const FEWER: &str = "protocol-fewer";
const METHOD: &str = "fewer variables";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    parts: Vec<Part>,
}

/// A part of a property.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The variables that stay, beside those that hold processes.
    globals: Vec<String>,
    fields: Vec<String>,
    /// An invariant of the words that are left.
    invariant: serde_json::Value,
}

impl Part {
    fn of(protocol: &Protocol, shown: Shown) -> Part {
        let fewest = Kept::fewest(protocol);
        let missing = fewest.missing().into_iter();
        let stay: Vec<Which> = missing.filter(|which| shown.kept.has(*which)).collect();
        let names = |globals: bool| {
            let all = stay.iter();
            let all = all.filter(|which| matches!(which, Which::Global(_)) == globals);
            all.map(|which| protocol.variable(*which).to_owned())
                .collect()
        };
        Part {
            globals: names(true),
            fields: names(false),
            invariant: shown.evidence.body,
        }
    }

    /// With which variables it is shown.
    fn told(&self) -> String {
        let names = self.globals.iter().chain(&self.fields);
        let names: Vec<&str> = names.map(String::as_str).collect();
        match names.as_slice() {
            [] => "without any of the variables that can be left out".to_owned(),
            names => format!("with `{}` alone", names.join("`, `")),
        }
    }
}

/// What is found out with fewer variables; nothing where none can be left out.
pub(super) fn answer(
    protocol: &Protocol,
    property: &str,
    allow_empty: bool,
    options: &Options,
    cx: &Context,
) -> Option<Answer> {
    if !protocol.can_do_with_fewer(property) {
        return None;
    }
    let asked = protocol
        .properties
        .iter()
        .find(|one| one.name == property)?;
    let mut cx = Context {
        story: cx.story.of_method(METHOD),
        ..cx.clone()
    };
    let (mut shown, mut refinements) = (Vec::new(), 0);
    for part in parts(&asked.demand) {
        let mut fewer = Fewer::new(protocol, asked, part, options);
        let outcome = run(&mut fewer, &mut cx);
        refinements += outcome.refinements;
        match outcome.conclusion {
            Conclusion::Holds(proof) => shown.push(Part::of(protocol, proof)),
            Conclusion::Violated((configurations, steps)) => {
                let answer = instance::run_of(protocol, property, configurations, steps, &cx);
                return Some(told_by(answer, refinements));
            }
            Conclusion::Unknown(stop) => {
                return Some(told_by(Answer::unknown(property, stop), refinements));
            }
        }
    }
    if !allow_empty && !begins(protocol, &cx.budget) {
        let stop = Stop::inconclusive(EMPTY);
        return Some(told_by(Answer::unknown(property, stop), refinements));
    }
    let mut answer = Answer::new(property, Verdict::Holds).because(enough(protocol, &shown));
    let evidence = Evidence::of_holds(FEWER, &Told { parts: shown });
    answer.evidence = Some(evidence.about(property));
    Some(told_by(answer, refinements))
}

fn told_by(mut answer: Answer, refinements: u64) -> Answer {
    answer.refinements = refinements;
    let evidence = answer.evidence.take();
    answer.evidence = evidence.map(|evidence| evidence.found_by(METHOD));
    answer.by(METHOD)
}

/// Which variables are enough.
fn enough(protocol: &Protocol, shown: &[Part]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for which in Kept::fewest(protocol).missing() {
        let name = protocol.variable(which);
        let stays = shown.iter().any(|part| match which {
            Which::Global(_) => part.globals.iter().any(|known| known == name),
            Which::Field(_) => part.fields.iter().any(|known| known == name),
        });
        if stays {
            names.push(name);
        }
    }
    let all = protocol.globals.len() + protocol.fields.len();
    match names.as_slice() {
        [] => format!("whatever the values of its {}", count(all, "variable")),
        names => format!(
            "already with {} of its {}: {}",
            names.len(),
            count(all, "variable"),
            names.join(", ")
        ),
    }
}

/// Whether some instance has a first configuration.
fn begins(protocol: &Protocol, budget: &Budget) -> bool {
    const LARGEST: usize = 6;
    const MOST: usize = 20_000;
    let begins = |protocol: &Protocol| {
        let interpreter = Interpreter::plain(protocol).within(budget);
        (1..=LARGEST).any(|size| {
            let some = interpreter.some_initial(size, 1);
            some.is_ok_and(|(some, _)| !some.is_empty())
        })
    };
    // One value of each is often enough, and there may be many.
    let mut single = protocol.clone();
    let ways = |variables: &[Variable]| {
        let ways = variables.iter().map(|variable| match &variable.initial {
            Initial::Values(values) => values.len(),
            _ => 2,
        });
        ways.fold(1, usize::saturating_mul)
    };
    for variable in single.globals.iter_mut().chain(&mut single.fields) {
        if let Initial::Values(values) = &mut variable.initial {
            values.truncate(1);
        }
    }
    let few = ways(&protocol.globals).max(ways(&protocol.fields)) <= MOST;
    begins(&single) || few && begins(protocol)
}

/// Checks evidence of this kind.
pub(super) fn certify(
    protocol: &Protocol,
    evidence: &Evidence,
    property: &str,
    allow_empty: bool,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let read: Told = told(evidence, Claim::Holds, property)?;
    let asked = protocol.properties.iter().find(|one| one.name == property);
    let asked = asked.filter(|_| protocol.can_do_with_fewer(property));
    let asked = asked
        .ok_or_else(|| Rejection::unreadable("no variables can be left out where this is asked"))?;
    let all = parts(&asked.demand);
    if all.len() != read.parts.len() {
        let message = format!(
            "the property is taken apart into {}, and the evidence is about {}",
            count(all.len(), "part"),
            read.parts.len()
        );
        return Err(Rejection::wrong(message));
    }
    if !allow_empty && !begins(protocol, budget) {
        budget.poll()?;
        return Err(Stop::inconclusive(EMPTY).into());
    }
    for (number, (demand, part)) in all.iter().zip(&read.parts).enumerate() {
        let shown = shows(protocol, (asked, demand), part, evidence, budget);
        shown.map_err(|rejection| {
            let of = |why: String| match all.len() {
                1 => format!("{}: {why}", part.told()),
                _ => format!("part {}, {}: {why}", number + 1, part.told()),
            };
            match rejection {
                Rejection::Wrong(why) => Rejection::Wrong(of(why)),
                Rejection::Unreadable(why) => Rejection::Unreadable(of(why)),
                stopped => stopped,
            }
        })?;
    }
    Ok(Certified {
        property: property.to_owned(),
        facts: vec![
            format!(
                "{} of what is forbidden, each with the variables that are named",
                count(all.len(), "part")
            ),
            "an invariant of the words of each has no forbidden word".into(),
            "what is left out makes steps easier to take, and what is forbidden easier to be there"
                .into(),
            "the words are those that the protocol compiles to, which is trusted".into(),
        ],
    })
}

/// Whether a part never happens with the variables that are named.
fn shows(
    protocol: &Protocol,
    (asked, demand): (&Property, &Demand),
    part: &Part,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<(), Rejection> {
    let kept = Kept::named(protocol, &part.globals, &part.fields).map_err(Rejection::wrong)?;
    let smaller = protocol.with_fewer(&kept, asked, demand);
    let smaller = smaller.map_err(|Needed(more)| {
        let more: Vec<&str> = more.iter().map(|one| protocol.variable(*one)).collect();
        Rejection::wrong(format!(
            "without `{}`, what is left would be no protocol",
            more.join("`, `")
        ))
    })?;
    let mut compiled = smaller.compile_steps(1, budget).map_err(no_model)?;
    smaller
        .compile_property(&mut compiled, &asked.name, budget)
        .map_err(no_model)?;
    let problem = WordProblem {
        initial: compiled.initial(),
        bad: compiled.bad(),
        relation: compiled.relation(),
    };
    let invariant = Evidence {
        kind: INVARIANT_KIND.to_owned(),
        body: part.invariant.clone(),
        ..evidence.clone()
    };
    certify_words(&invariant, &problem, budget).map(|_| ())
}
