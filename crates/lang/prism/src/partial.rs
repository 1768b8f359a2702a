//! Questions about models that are too big to build: only the states that matter are looked at.

use quotient_core::{
    Claim, Conclusion, Context, Diagnostic, Evidence, Source, Span, Trouble, Verdict, run,
};
use quotient_language::text::count;
use quotient_language::{Answer, Number};
use quotient_markov::Kind;
use quotient_probability::{Best, Partial, Precision, Reaching};

use crate::check::{Simple, compared, is_vague, simple_path};
use crate::instance::{Instance, Term, Value};
use crate::syntax::{Asks, Body, Chance, Join, Node, Tree};

/// Bounds are near relative to the number, but no nearer than for this one: what is rare lies far
/// away.
const SMALL: f64 = 1e-3;

/// Answers a question for the probability of one path without bounds.
pub(crate) fn check(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    precision: Precision,
    cx: &Context,
) -> Result<Answer, Trouble> {
    let refused = |message: &str| -> Trouble {
        let error = Diagnostic::error("not-supported", message);
        error.at(source, tree.span, "").into()
    };
    if instance.time.is_some() {
        return Err(refused("with clocks the whole model is built"));
    }
    let Node::Chance(chance) = &tree.node else {
        return Err(refused("with `--partial` a property is one `P`"));
    };
    let (Asks::Probability, Body::Formula(path), None) = (chance.asks, &chance.body, &chance.given)
    else {
        return Err(refused("with `--partial` a property is one `P`"));
    };
    let Some((Simple::Until, left, right, opposite)) = simple_path(path) else {
        return Err(refused(
            "with `--partial` a path is one `F`, `G` or `U`, without a bound",
        ));
    };
    let least = direction(chance, instance.kind).ok_or_else(|| {
        refused("a decision process has no single value: ask for `min=?` or `max=?`")
    })?;
    let term = |tree: &Tree| state_term(instance, tree, source);
    let mut goal = term(right)?;
    if opposite {
        goal = Term::Not(Box::new(goal));
    }
    let allowed = match left {
        Some(left) => term(left)?,
        None => Term::Value(Value::Truth(true)),
    };
    let asked = Reaching {
        allowed: allowed.lower(&instance.variables),
        goal: goal.lower(&instance.variables),
        best: match least != opposite {
            true => Best::Least,
            false => Best::Greatest,
        },
    };
    let turned = |(low, high): (f64, f64)| match opposite {
        true => (
            (1.0 - high).next_down().max(0.0),
            (1.0 - low).next_up().min(1.0),
        ),
        false => (low, high),
    };
    let limit = limit(instance, chance, source)?;
    let settles = |low: f64, high: f64| {
        let (low, high) = turned((low, high));
        match limit {
            None => (high - low <= precision.width * high.max(SMALL)).then_some(true),
            Some((join, limit)) => match compared(join, low, high, limit) {
                (true, _) => Some(true),
                (_, false) => Some(false),
                _ => None,
            },
        }
    };
    let program = instance.program(&[]);
    let inner = Precision {
        width: precision.width * 0.1,
    };
    let mut partial = Partial::new(&program, asked, inner, Box::new(settles), &cx.budget)
        .map_err(|why| crate::misbuilt::misbuilt(instance, why))?;
    let outcome = run(&mut partial, &mut cx.clone());
    if let Some(why) = partial.misbuilt() {
        return Err(crate::misbuilt::misbuilt(instance, why));
    }
    let (low, high) = turned(partial.bounds());
    let looked = count(partial.looked_at(), "state");
    let text = format!(
        "between {low:.10} and {high:.10} ({looked} looked at, {} found)",
        partial.found()
    );
    let verdict = match outcome.conclusion {
        Conclusion::Holds(()) => Verdict::Holds,
        Conclusion::Violated(()) => Verdict::Violated,
        Conclusion::Unknown(stop) => Verdict::Unknown(stop),
    };
    let mut answer = Answer::new(name, verdict).because(text);
    answer.method = Some("partial exploration".to_owned());
    tell((low, high), precision, limit.is_some(), &mut answer);
    answer.notes.push(format!(
        "a part of the model was enough after {}",
        count(outcome.refinements as usize, "refinement")
    ));
    let variables = instance.variables.len();
    let shown = evidence(&partial, variables, &answer.verdict);
    answer.evidence = shown.map(|found| found.about(name));
    Ok(answer)
}

/// The number, or only its ends where these are far apart: what lies in the middle is nobody's number then.
/// Beside a verdict about a bound it is what was compared.
fn tell((low, high): (f64, f64), precision: Precision, bounded: bool, answer: &mut Answer) {
    let middle = low + (high - low) / 2.0;
    let vague = is_vague(low, high, precision);
    if !vague && !bounded {
        answer.value = Some(Number {
            value: middle,
            lower: low,
            upper: high,
            exact: None,
        });
        return;
    }
    if !vague {
        answer.details.push(("value".to_owned(), middle.into()));
        answer.details.push(("compared".to_owned(), true.into()));
    }
    for (name, end) in [("lower", low), ("upper", high)] {
        answer.details.push((name.to_owned(), end.into()));
    }
}

/// What shows a verdict: the bounds of the states that were looked at.
fn evidence(partial: &Partial<'_>, variables: usize, verdict: &Verdict) -> Option<Evidence> {
    let claim = match verdict {
        Verdict::Holds => Claim::Holds,
        Verdict::Violated => Claim::Violated,
        Verdict::Unknown(_) => return None,
    };
    crate::looked::write(&partial.shown()?, variables, claim)
}

fn direction(chance: &Chance, kind: Kind) -> Option<bool> {
    let of_bound = chance.relation.as_ref();
    let of_bound = of_bound.map(|(join, _)| matches!(join, Join::Greater | Join::AtLeast));
    match (chance.least.or(of_bound), kind) {
        (None, Kind::Mdp) => None,
        (least, _) => Some(least.unwrap_or(false)),
    }
}

/// How a number is compared, and with what, between doubles.
pub(crate) type Limit = (Join, (f64, f64));

/// What a property compares its number with.
pub(crate) fn limit(
    instance: &Instance,
    chance: &Chance,
    source: &Source,
) -> Result<Option<Limit>, Trouble> {
    let Some((join, limit)) = &chance.relation else {
        return Ok(None);
    };
    let value = match instance.names.term(limit, source, None)? {
        Term::Value(value) => value,
        _ => {
            let message = "this must not depend on variables";
            return Err(Diagnostic::error("not-constant", message)
                .at(source, limit.span, "")
                .into());
        }
    };
    let ends = match value.exact() {
        Some(exact) => (
            quotient_markov::below(&exact),
            quotient_markov::above(&exact),
        ),
        None => (value.number(), value.number()),
    };
    Ok(Some((*join, ends)))
}

/// A formula about single states as one expression.
pub(crate) fn state_term(
    instance: &Instance,
    tree: &Tree,
    source: &Source,
) -> Result<Term, Trouble> {
    if crate::check::is_plain(tree) {
        return Ok(instance.names.term(tree, source, None)?);
    }
    let part = |tree: &Tree| state_term(instance, tree, source).map(Box::new);
    let refused = |message: String, span: Span| -> Trouble {
        let error = Diagnostic::error("not-supported", message);
        error.at(source, span, "").into()
    };
    match &tree.node {
        Node::Label(name) => match instance.labels.iter().find(|(one, ..)| one == name) {
            Some((_, term, _)) => Ok(term.clone()),
            None => Err(refused(
                format!("with `--partial` \"{name}\" cannot be asked for"),
                tree.span,
            )),
        },
        Node::Not(of) => Ok(Term::Not(part(of)?)),
        Node::Two(join @ (Join::And | Join::Or | Join::Implies | Join::Iff), left, right) => {
            Ok(Term::Two(*join, part(left)?, part(right)?))
        }
        _ => Err(refused(
            "with `--partial` conditions are about single states".to_owned(),
            tree.span,
        )),
    }
}
