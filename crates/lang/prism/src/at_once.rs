//! Questions that the initial state settles: nothing is built for them.
//!
//! A path that is over where it begins has a chance of 1 or 0, whatever happens after. So it is looked at
//! before a model of perhaps millions of states is built.

use std::collections::BTreeMap;

use quotient_certify::{Bounds, Certified};
use quotient_core::{Claim, Rejection, Source, Verdict};
use quotient_language::{Answer, Number};
use quotient_markov::Rational;
use quotient_probability::Looked;

use crate::check::{compared, tell_number};
use crate::evidence::{direction, settle};
use crate::instance::{Instance, Term};
use crate::partial::{limit, state_term};
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Node, Tree, Until};
use crate::{limited, looked, naive};

/// A path that may be over where it begins.
struct Path {
    left: Option<Term>,
    right: Term,
    /// Whether it is the opposite of a path to where the right side fails.
    opposite: bool,
    bounded: bool,
}

/// The answer to a question for the chance of one `F`, `G` or `U`, perhaps by a time, if the only initial
/// state settles it.
pub(crate) fn check(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
) -> Option<Answer> {
    let Node::Chance(chance) = &tree.node else {
        return None;
    };
    let path = path(instance, chance, source)?;
    let start = start(instance)?;
    let holds = |term: &Term| term.evaluate(&start).map(|value| value.holds());
    let reached = reached(&path, &holds)?;
    let value = if path.opposite {
        1.0 - reached
    } else {
        reached
    };
    let holds = match limit(instance, chance, source).ok()? {
        None => true,
        Some((join, limit)) => match compared(join, value, value, limit) {
            (true, _) => true,
            (_, false) => false,
            _ => return None,
        },
    };
    let (verdict, claim) = match holds {
        true => (Verdict::Holds, Claim::Holds),
        false => (Verdict::Violated, Claim::Violated),
    };
    let mut answer = Answer::new(name, verdict);
    answer.because = "known from the initial state: the model was not built".to_owned();
    match &chance.relation {
        None => {
            answer.value = Some(Number {
                value,
                lower: value,
                upper: value,
                exact: Some(value.to_string()),
            });
        }
        Some(_) => tell_number((value, value), &mut answer),
    }
    let evidence = match path.bounded {
        true => limited::claimed((value, value), claim),
        false => {
            let variables = instance.variables.len();
            looked::write(&alone(instance, start, reached), variables, claim)?
        }
    };
    answer.evidence = Some(evidence.about(name));
    Some(answer)
}

/// The initial state, if it is the only one.
fn start(instance: &Instance) -> Option<Vec<i64>> {
    let only = instance.init.is_none() && instance.time.is_none();
    only.then(|| instance.variables.iter().map(|one| one.init).collect())
}

/// The chance of reaching the right side, if that is settled where the path begins.
fn reached(path: &Path, holds: &dyn Fn(&Term) -> Option<bool>) -> Option<f64> {
    let goal = holds(&path.right)? != path.opposite;
    let passes = match &path.left {
        Some(left) => holds(left)?,
        None => true,
    };
    match (goal, passes) {
        (true, _) => Some(1.0),
        (false, false) => Some(0.0),
        (false, true) => None,
    }
}

fn alone(instance: &Instance, start: Vec<i64>, reached: f64) -> Looked {
    let chooses = instance.kind == quotient_markov::Kind::Mdp;
    Looked {
        states: vec![start],
        lower: vec![reached],
        upper: vec![reached],
        chosen: vec![0; usize::from(chooses)],
    }
}

/// The path of a question, if it is one `F`, `G` or `U` that may end at once.
fn path(instance: &Instance, chance: &Chance, source: &Source) -> Option<Path> {
    let (Asks::Probability, Body::Formula(path), None) = (chance.asks, &chance.body, &chance.given)
    else {
        return None;
    };
    direction(chance, instance.kind).ok()?;
    let term = |tree: &Tree| state_term(instance, tree, source).ok();
    let (bound, left, right, opposite) = match &path.node {
        Node::Ahead(what @ (Ahead::Finally | Ahead::Globally), bound, right) => {
            (bound, None, right, *what == Ahead::Globally)
        }
        Node::Until(Until::Strong, bound, left, right) => (bound, Some(left), right, false),
        _ => return None,
    };
    let bounded = match bound {
        None => false,
        Some(bound) => from_the_start(instance, bound, source).then_some(true)?,
    };
    Some(Path {
        left: match left {
            Some(left) => Some(term(left)?),
            None => None,
        },
        right: term(right)?,
        opposite,
        bounded,
    })
}

/// Whether a bound is an upper one alone, and makes sense.
fn from_the_start(instance: &Instance, bound: &Bound, source: &Source) -> bool {
    let (None, Some(high)) = (&bound.low, &bound.high) else {
        return false;
    };
    let value = match instance.names.term(high, source, None) {
        Ok(Term::Value(value)) => value.number(),
        _ => return false,
    };
    let whole = instance.is_timed() || value.fract() == 0.0;
    value.is_finite() && value >= 0.0 && whole && (value > 0.0 || !bound.high_strict)
}

/// Checks a claim about a number with a bound on steps or time, if the initial state settles it: nothing
/// is built then.
pub(crate) fn certify(
    instance: &Instance,
    (name, chance, source): (&str, &Chance, &Source),
    (lower, upper): (f64, f64),
    claim: Claim,
) -> Option<Result<Certified, Rejection>> {
    let path = path(instance, chance, source).filter(|path| path.bounded)?;
    let start = start(instance)?;
    let reached = reached(&path, &|term| naive::truth(term, &start).ok())?;
    let value = if path.opposite {
        1.0 - reached
    } else {
        reached
    };
    // `NaN` is refused by this, too.
    if !(lower <= value && value <= upper) {
        let text = format!("the number is {value}, which is not what the evidence says");
        return Some(Err(Rejection::wrong(text)));
    }
    let none: Vec<Vec<BTreeMap<u32, Rational>>> = Vec::new();
    let stands = naive::of_steps(instance, none, 1, vec![0]);
    let bounds = Bounds {
        lower: vec![reached],
        upper: vec![reached],
        chosen: Vec::new(),
    };
    let settled = settle(
        instance,
        chance,
        source,
        &stands,
        &bounds,
        path.opposite,
        claim,
    );
    Some(settled.map(|more| {
        let mut facts = vec!["the path is over in the initial state".to_owned()];
        facts.extend(more);
        Certified {
            property: name.to_owned(),
            facts,
        }
    }))
}
