//! Evidence for averages in the long run: bounds and worths of all states, and of decision processes a
//! choice in each.

use quotient_bits::Bits;
use quotient_certify::{Averages, Bounds, Certified, Rejection, certify_averages};
use quotient_core::{Budget, Claim, Evidence, Source};
use quotient_markov::{ChoiceId, Rational, StateId, whole};
use quotient_probability::Built;
use serde::{Deserialize, Serialize};

use crate::evidence::{direction, is_state_formula, rewards_of, set, settle};
use crate::instance::Instance;
use crate::lines;
use crate::naive::{self, Naive};
use crate::syntax::{Asks, Body, Chance, Node, Tree};

/// The kind of evidence that shows averages.
pub(crate) const KIND: &str = "chance-average";

/// Numbers for all states in the order of their values, written as texts; one number alone is
/// that of all states.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    states: usize,
    lower: String,
    upper: String,
    below: String,
    above: String,
    /// For decision processes: the number of a choice of each state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chosen: Vec<u32>,
}

/// Whether averages of a model can be shown: not those of clocks.
pub(crate) fn shows(instance: &Instance) -> bool {
    instance.time.is_none()
}

/// Whether a property asks for an average that such evidence shows.
pub(crate) fn fits(tree: &Tree, instance: &Instance) -> bool {
    let Node::Chance(chance) = &tree.node else {
        return false;
    };
    if !shows(instance) || chance.given.is_some() {
        return false;
    }
    match (chance.asks, &chance.body) {
        (Asks::Steady, Body::Formula(condition)) => is_state_formula(condition),
        (Asks::Reward, Body::LongRun) => true,
        _ => false,
    }
}

/// The averages and worths of all states, as written; none if worths are not known.
pub(crate) fn written(built: &Built, found: &quotient_probability::Averages) -> Option<Written> {
    if found.below.is_empty() {
        return None;
    }
    let mut order: Vec<u32> = (0..built.model.states() as u32).collect();
    built.states.sort(&mut order);
    let line = |numbers: &[f64]| {
        if numbers.iter().all(|one| *one == numbers[0]) {
            return format!("{:?}", numbers[0]);
        }
        lines::write(order.iter().map(|&state| numbers[state as usize]))
    };
    Some(Written {
        states: order.len(),
        lower: line(&found.values.lower),
        upper: line(&found.values.upper),
        below: line(&found.below),
        above: line(&found.above),
        chosen: local(built, &found.chosen, &order),
    })
}

/// The choice of each state, counted from its first one, for states in order.
fn local(built: &Built, chosen: &[ChoiceId], order: &[u32]) -> Vec<u32> {
    let number = |&state: &u32| {
        let first = built.model.rows[state as usize];
        chosen
            .get(state as usize)
            .map(|choice| choice.number() - first)
    };
    order.iter().filter_map(number).collect()
}

/// Writes evidence; none if worths are not known.
pub(crate) fn write(
    built: &Built,
    found: &quotient_probability::Averages,
    claim: Claim,
) -> Option<Evidence> {
    let written = written(built, found)?;
    Some(match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    })
}

/// Checks evidence: that in the model that the naive builder makes of the text the average from
/// every state lies between the bounds, and that this settles the claim.
pub(crate) fn certify(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let asked = Asked::new(instance, tree, source, budget)?;
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let Asked {
        chance,
        naive,
        holds,
        least,
    } = &asked;
    let bounds = checked((instance, naive), holds.as_ref(), &written, *least, budget)?;
    let mut facts = vec![format!(
        "{} built a second time, with exact numbers",
        quotient_language::text::count(naive.states.len(), "state")
    )];
    let claim = evidence.claim;
    facts.extend(settle(
        instance, chance, source, naive, &bounds, false, claim,
    )?);
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// A question for an average, and the model that the naive builder makes of the text.
pub(crate) struct Asked<'a> {
    pub(crate) chance: &'a Chance,
    pub(crate) naive: Naive,
    /// Where the condition holds, if it is a share of time that is asked for.
    pub(crate) holds: Option<Bits>,
    pub(crate) least: bool,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(
        instance: &Instance,
        tree: &'a Tree,
        source: &Source,
        budget: &Budget,
    ) -> Result<Asked<'a>, Rejection> {
        let (Node::Chance(chance), true) = (&tree.node, fits(tree, instance)) else {
            return Err(Rejection::unreadable(
                "such evidence is not for properties of this kind",
            ));
        };
        let structure = rewards_of(instance, chance, source, tree)?;
        let naive = naive::build(instance, structure, budget)?;
        let holds = match &chance.body {
            Body::Formula(condition) => Some(set(instance, &naive, condition, source)?),
            _ => None,
        };
        Ok(Asked {
            chance,
            naive,
            holds,
            least: direction(chance, instance.kind)?,
        })
    }

    /// How long each choice takes, and what it earns.
    pub(crate) fn paid(&self, instance: &Instance) -> (Vec<Rational>, Vec<Rational>) {
        paid((instance, &self.naive), self.holds.as_ref())
    }
}

/// How long each choice takes, and what it earns: as much, where a condition holds whose share of time
/// is asked for.
fn paid(
    (instance, naive): (&Instance, &Naive),
    holds: Option<&Bits>,
) -> (Vec<Rational>, Vec<Rational>) {
    // A state that is never left holds for one unit of time, again and again; one in which a choice
    // is made at once for none.
    let time = |state: usize| match naive.rates.get(state) {
        Some(rate) if *rate > whole(0) => whole(1) / rate,
        Some(_) if instance.markovian => whole(0),
        _ => whole(1),
    };
    let (mut times, mut shares) = (Vec::new(), Vec::new());
    for state in 0..naive.states.len() {
        for _ in naive.model.choices_of(StateId::from_index(state)) {
            let time = time(state);
            shares.push(match holds {
                Some(holds) if holds.contains(state) => time.clone(),
                _ => whole(0),
            });
            times.push(time);
        }
    }
    match holds {
        Some(_) => (times, shares),
        None => (times, naive.earned.clone()),
    }
}

/// The bounds on averages that worths show: of the share of time in which a condition holds, or of
/// what is earned.
pub(crate) fn checked(
    (instance, naive): (&Instance, &Naive),
    holds: Option<&Bits>,
    written: &Written,
    least: bool,
    budget: &Budget,
) -> Result<Bounds, Rejection> {
    let states = naive.states.len();
    if written.states != states {
        return Err(Rejection::wrong(format!(
            "the evidence is about {} states, the model has {states}",
            written.states
        )));
    }
    let (times, earned) = paid((instance, naive), holds);
    let numbers = |line: &str| -> Result<Vec<f64>, Rejection> {
        match line.parse::<f64>() {
            Ok(one) => Ok(vec![one; states]),
            Err(_) => lines::read(line, states),
        }
    };
    let averages = Averages {
        lower: numbers(&written.lower)?,
        upper: numbers(&written.upper)?,
        below: numbers(&written.below)?,
        above: numbers(&written.above)?,
        chosen: written.chosen.clone(),
    };
    certify_averages(&naive.model, &earned, &times, &averages, least, budget)?;
    let (mut lower, mut upper) = (averages.lower, averages.upper);
    if holds.is_some() {
        // A share of time is between none and all of it, whatever was rounded.
        lower.iter_mut().for_each(|low| *low = low.max(0.0));
        upper.iter_mut().for_each(|high| *high = high.min(1.0));
    }
    Ok(Bounds {
        lower,
        upper,
        chosen: Vec::new(),
    })
}
