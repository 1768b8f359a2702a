//! Evidence: bounds for every state, written and checked.

use quotient_bits::Bits;
use quotient_certify::{Bounds, Certified, Chances, Rejection, certify_bounds};
use quotient_core::{Budget, Claim, Evidence, Source, Trouble};
use quotient_markov::{
    ActionId, Builder, ChoiceId, Kind, Markov, Rational, StateId, exactly, whole,
};
use quotient_probability::{Built, Values};
use serde::{Deserialize, Serialize};

use crate::check::{Simple, simple_path};
use crate::instance::{Instance, Term, Texts};
use crate::lines;
use crate::naive::{self, Naive};
use crate::syntax::{Ahead, Asks, Body, Chance, Join, Node, Tree};

/// The kind of evidence that gives bounds for every state.
pub(crate) const KIND: &str = "chance-bounds";

/// Models with more states give no evidence: looking at it again would take minutes.
pub(crate) const MOST_STATES: usize = 500_000;

/// Bounds for all states in the order of their values, as lines of numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    states: usize,
    lower: String,
    upper: String,
    /// For decision processes: the number of a choice of each state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chosen: Vec<u32>,
}

impl Written {
    /// The bounds as numbers.
    pub(crate) fn bounds(&self) -> Result<Bounds, Rejection> {
        let numbers = |line: &str| lines::read(line, self.states);
        Ok(Bounds {
            lower: numbers(&self.lower)?,
            upper: numbers(&self.upper)?,
            chosen: self.chosen.clone(),
        })
    }
}

/// The bounds of all states, as written.
pub(crate) fn written(built: &Built, values: &Values) -> Written {
    let mut order: Vec<u32> = (0..built.model.states() as u32).collect();
    built.states.sort(&mut order);
    let line = |numbers: &[f64]| lines::write(order.iter().map(|&state| numbers[state as usize]));
    Written {
        states: order.len(),
        lower: line(&values.lower),
        upper: line(&values.upper),
        chosen: choices_in_order(built, values, &order),
    }
}

/// The bounds of all states of a decision process whose states are in order.
pub(crate) fn written_in_order(model: &Markov, values: &Values) -> Written {
    let local =
        |(state, chosen): (usize, &ChoiceId)| chosen.number().saturating_sub(model.rows[state]);
    Written {
        states: model.states(),
        lower: lines::write(values.lower.iter().copied()),
        upper: lines::write(values.upper.iter().copied()),
        chosen: values.chosen.iter().enumerate().map(local).collect(),
    }
}

/// A model with its states in order of their values, and probabilities for weights; and which
/// state of the model each is.
pub(crate) fn jumps_in_order(built: &Built) -> (Vec<u32>, Markov) {
    let model = &built.model;
    let mut order: Vec<u32> = (0..model.states() as u32).collect();
    built.states.sort(&mut order);
    let mut place = vec![0; order.len()];
    for (at, &state) in order.iter().enumerate() {
        place[state as usize] = at as u32;
    }
    let rated = model.kind == Kind::Ctmc;
    let mut builder = Builder::new(if rated { Kind::Dtmc } else { model.kind });
    for &state in &order {
        for choice in model.choices_of(StateId::new(state)) {
            let all = if rated { model.sum(choice) } else { 1.0 };
            builder.choice(ActionId::NONE);
            for branch in model.branches_of(choice) {
                let to = place[model.targets[branch].index()];
                builder.branch(to, model.weights[branch] / all);
            }
        }
        builder.end_state();
    }
    // Sums and quotients are rounded.
    builder.note_error(model.error + if rated { 1e-13 } else { 0.0 });
    let initial = model.initial.iter().map(|state| place[state.index()]);
    let placed = builder.finish(initial);
    (order, placed)
}

/// Writes the bounds of all states as evidence.
pub(crate) fn write(built: &Built, values: &Values, claim: Claim) -> Evidence {
    let written = written(built, values);
    match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    }
}

/// The choice of each state, counted from its first one; empty for chains.
fn choices_in_order(built: &Built, values: &Values, order: &[u32]) -> Vec<u32> {
    let local = |&state: &u32| {
        let first = built.model.rows[state as usize];
        values.chosen[state as usize].number().saturating_sub(first)
    };
    match built.model.kind == Kind::Mdp && values.chosen.len() == order.len() {
        true => order.iter().map(local).collect(),
        false => Vec::new(),
    }
}

/// The same for all states in the order of their values.
pub(crate) fn choices(built: &Built, values: &Values) -> Vec<u32> {
    let mut order: Vec<u32> = (0..built.model.states() as u32).collect();
    built.states.sort(&mut order);
    choices_in_order(built, values, &order)
}

fn read(evidence: &Evidence) -> Result<Bounds, Rejection> {
    if evidence.kind != KIND {
        let text = format!("evidence of kind `{}` is not known here", evidence.kind);
        return Err(Rejection::unreadable(text));
    }
    let unreadable = |error: String| Rejection::unreadable(error);
    let written: Written = evidence
        .read()
        .map_err(|error| unreadable(error.to_string()))?;
    written.bounds()
}

/// Whether bounds for every state show what a property says: `P` of one path, or `R` of `F`.
pub(crate) fn fits(tree: &Tree) -> bool {
    let Node::Chance(chance) = &tree.node else {
        return false;
    };
    let (Body::Formula(path), None) = (&chance.body, &chance.given) else {
        return false;
    };
    match chance.asks {
        Asks::Probability => match simple_path(path) {
            Some((Simple::Until, left, right, _)) => {
                left.is_none_or(is_state_formula) && is_state_formula(right)
            }
            _ => false,
        },
        Asks::Reward => match &path.node {
            Node::Ahead(Ahead::Finally, None, goal) => is_state_formula(goal),
            _ => false,
        },
        Asks::Steady => false,
    }
}

/// A formula that speaks about single states: variables, labels, and what joins them.
pub(crate) fn is_state_formula(tree: &Tree) -> bool {
    match &tree.node {
        Node::Label(_) => true,
        Node::Not(of) => is_state_formula(of),
        Node::Two(Join::And | Join::Or | Join::Implies | Join::Iff, left, right) => {
            is_state_formula(left) && is_state_formula(right)
        }
        _ => crate::check::is_plain(tree),
    }
}

/// Checks evidence about a property of an instance.
///
/// It proves that the value of the property lies between the bounds in the evidence in every
/// initial state, for the model that the naive builder makes of the text, and that this settles
/// the claim.
pub(crate) fn certify(
    (texts, instance): (&Texts, &Instance),
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let refused = |error: quotient_core::Diagnostic| Rejection::unreadable(error.to_string());
    instance.fits_time(tree, source).map_err(refused)?;
    if evidence.kind == crate::limited::KIND && instance.time.is_some() {
        return Err(Rejection::unreadable(
            "such evidence is not for models with clocks",
        ));
    }
    let asked = (name, tree, source);
    if evidence.kind == crate::parts::KIND {
        return crate::parts::certify((texts, instance), asked, evidence, budget);
    }
    if evidence.kind == crate::fractions::KIND {
        return crate::fractions::certify(instance, asked, evidence, budget);
    }
    if evidence.kind == crate::average::KIND {
        return crate::average::certify(instance, asked, evidence, budget);
    }
    if evidence.kind == crate::looked::KIND {
        return crate::looked::certify(instance, asked, evidence, budget);
    }
    if evidence.kind == crate::limited::KIND {
        return crate::limited::certify(instance, asked, evidence, budget);
    }
    let bounds = read(evidence)?;
    let (Node::Chance(chance), true) = (&tree.node, fits(tree)) else {
        return Err(Rejection::unreadable(
            "such evidence is not for properties of this kind",
        ));
    };
    let Body::Formula(path) = &chance.body else {
        return Err(Rejection::unreadable(
            "such evidence is not for properties of this kind",
        ));
    };
    let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
    let structure = || instance.structure(chance.structure.as_ref(), source, tree.span);
    let structure = matches!(chance.asks, Asks::Reward).then(structure);
    let structure = structure.transpose().map_err(wrong)?;
    let least = direction(chance, instance.kind)?;
    let naive = naive::build(instance, structure, budget)?;
    let set = |tree: &Tree| set(instance, &naive, tree, source);
    let mut all = Bits::with_capacity(naive.states.len());
    all.insert_range(..);
    let mut opposite = false;
    match (&path.node, structure) {
        (Node::Ahead(Ahead::Finally, None, goal), Some(_)) => {
            let earned = &naive.earned;
            let chances = Chances::Earning {
                earned,
                goal: &set(goal)?,
            };
            certify_bounds(&naive.model, &chances, least, &bounds, budget)?;
        }
        _ => {
            let Some((Simple::Until, left, right, turned)) = simple_path(path) else {
                return Err(Rejection::unreadable("such evidence is not for such paths"));
            };
            opposite = turned;
            let allowed = left.map_or(Ok(all), set)?;
            let mut goal = set(right)?;
            if opposite {
                goal.toggle_range(..);
            }
            let chances = Chances::Reaching {
                allowed: &allowed,
                goal: &goal,
            };
            certify_bounds(&naive.model, &chances, least != opposite, &bounds, budget)?;
        }
    }
    let mut facts = vec![format!(
        "{} built a second time, with exact numbers",
        quotient_language::text::count(naive.states.len(), "state")
    )];
    facts.extend(settle(
        instance,
        chance,
        source,
        &naive,
        &bounds,
        opposite,
        evidence.claim,
    )?);
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// The rewards that a question is about, if it is about some.
pub(crate) fn rewards_of(
    instance: &Instance,
    chance: &Chance,
    source: &Source,
    tree: &Tree,
) -> Result<Option<usize>, Rejection> {
    if chance.asks != Asks::Reward {
        return Ok(None);
    }
    let found = instance.structure(chance.structure.as_ref(), source, tree.span);
    let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
    Ok(Some(found.map_err(wrong)?))
}

/// Whether the least of all choices is meant.
pub(crate) fn direction(chance: &Chance, kind: Kind) -> Result<bool, Rejection> {
    let of_bound = chance.relation.as_ref();
    let of_bound = of_bound.map(|(join, _)| matches!(join, Join::Greater | Join::AtLeast));
    match (chance.least.or(of_bound), kind) {
        (Some(least), _) => Ok(least),
        (None, Kind::Mdp) => Err(Rejection::unreadable(
            "neither the least nor the greatest is asked for",
        )),
        (None, _) => Ok(false),
    }
}

/// One less a number, moved outwards where that is no double.
pub(crate) fn turned(number: f64, outwards: fn(f64) -> f64) -> f64 {
    let rest = 1.0 - number;
    match 1.0 - rest == number {
        true => rest,
        false => outwards(rest),
    }
}

/// What is known of a number.
pub(crate) fn told(low: f64, high: f64) -> String {
    match low == f64::INFINITY && high == f64::INFINITY {
        true => "the value is infinite".to_owned(),
        false => format!("the value lies between {low} and {high}"),
    }
}

/// Whether the bounds settle the claim.
pub(crate) fn settle(
    instance: &Instance,
    chance: &Chance,
    source: &Source,
    naive: &Naive,
    bounds: &Bounds,
    opposite: bool,
    claim: Claim,
) -> Result<Vec<String>, Rejection> {
    let initial = naive.model.initial.iter().map(|&state| {
        let state = state.index();
        match opposite {
            true => (
                turned(bounds.upper[state], f64::next_down),
                turned(bounds.lower[state], f64::next_up),
            ),
            false => (bounds.lower[state], bounds.upper[state]),
        }
    });
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (from, to) in initial {
        (low, high) = (low.min(from), high.max(to));
    }
    let Some((join, limit)) = &chance.relation else {
        if claim != Claim::Holds {
            return Err(Rejection::wrong(
                "a question for a number cannot be violated",
            ));
        }
        let many = match naive.model.initial.len() {
            1 => String::new(),
            many => format!(" in all {many} initial states"),
        };
        return Ok(vec![format!("{}{many}", told(low, high))]);
    };
    let limit = match instance.names.term(limit, source, None) {
        Ok(Term::Value(value)) => value.exact(),
        _ => None,
    };
    let limit = limit.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
    let one = whole(1);
    let inner = |value: f64| -> Option<Rational> {
        let value = exactly(value)?;
        Some(if opposite { &one - value } else { value })
    };
    let surely = |state: usize, wanted: bool| {
        // The end of the interval that is worst for what is wanted; none is infinity.
        let (mut low, mut high) = (bounds.lower[state], bounds.upper[state]);
        if opposite {
            (low, high) = (high, low);
        }
        let below = |strict: bool| {
            inner(high).is_some_and(|value| value < limit || !strict && value == limit)
        };
        // Only rewards are infinite, and only these are not turned round.
        let above = |strict: bool| match inner(low) {
            Some(value) => value > limit || !strict && value == limit,
            None => !opposite && low == f64::INFINITY,
        };
        match (join, wanted) {
            (Join::Less, true) | (Join::AtLeast, false) => below(true),
            (Join::AtMost, true) | (Join::Greater, false) => below(false),
            (Join::Greater, true) | (Join::AtMost, false) => above(true),
            _ => above(false),
        }
    };
    let mut initial = naive.model.initial.iter().map(|&state| state.index());
    let settled = match claim {
        Claim::Holds => initial.all(|state| surely(state, true)),
        Claim::Violated => initial.any(|state| surely(state, false)),
    };
    match settled {
        true => Ok(vec![told(low, high)]),
        false => Err(Rejection::wrong("the bounds do not settle the claim")),
    }
}

/// The states in which a formula holds, looked at one by one.
pub(crate) fn set(
    instance: &Instance,
    naive: &Naive,
    tree: &Tree,
    source: &Source,
) -> Result<Bits, Rejection> {
    let states = naive.states.len();
    let empty = || Bits::with_capacity(states);
    if crate::check::is_plain(tree) {
        let term = instance.names.term(tree, source, None);
        let term = term.map_err(|error| Rejection::unreadable(error.to_string()))?;
        return where_holds(naive, &term);
    }
    let part = |tree: &Tree| set(instance, naive, tree, source);
    match &tree.node {
        Node::Label(name) if name == "init" => {
            let mut found = empty();
            found.extend(naive.model.initial.iter().map(|&state| state.index()));
            Ok(found)
        }
        Node::Label(name) if name == "deadlock" => Ok(naive.model.deadlocks.clone()),
        Node::Label(name) => {
            let label = instance.labels.iter().find(|(one, ..)| one == name);
            let (_, term, _) = label.ok_or_else(|| {
                Rejection::unreadable(format!("\"{name}\" is no label of the model"))
            })?;
            where_holds(naive, term)
        }
        Node::Not(of) => {
            let mut found = part(of)?;
            found.toggle_range(..);
            Ok(found)
        }
        Node::Two(join, left, right) => {
            let (left, right) = (part(left)?, part(right)?);
            let mut found = empty();
            for state in 0..states {
                let (a, b) = (left.contains(state), right.contains(state));
                let holds = match join {
                    Join::And => a && b,
                    Join::Or => a || b,
                    Join::Implies => !a || b,
                    Join::Iff => a == b,
                    _ => return Err(Rejection::unreadable("this formula is not about states")),
                };
                found.set(state, holds);
            }
            Ok(found)
        }
        _ => Err(Rejection::unreadable("this formula is not about states")),
    }
}

pub(crate) fn where_holds(naive: &Naive, term: &Term) -> Result<Bits, Rejection> {
    let mut found = Bits::with_capacity(naive.states.len());
    for (number, state) in naive.states.iter().enumerate() {
        found.set(number, naive::truth(term, state)?);
    }
    Ok(found)
}
