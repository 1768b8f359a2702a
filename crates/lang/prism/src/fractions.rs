//! Evidence for what only exact numbers tell: fractions for all states, and choices.

mod average;

use quotient_bits::Bits;
use quotient_certify::{Certified, Rejection};
use quotient_core::{Budget, Claim, Evidence, Source};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole, written as written_out};
use serde::{Deserialize, Serialize};

use crate::evidence::{direction, fits, rewards_of};
use crate::exact::{Exact, Sets, sets};
use crate::instance::Instance;
use crate::limited_exact;
use crate::naive;
use crate::syntax::{Node, Tree};

/// The kind of evidence that gives the exact number of every state.
pub(crate) const KIND: &str = "chance-fractions";

/// No more digits than this are written for all states together.
const MOST_DIGITS: usize = 4_000_000;

/// Fractions for all states in the order of their values.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// As in `1/3`.
    values: Vec<String>,
    /// The number of a choice of each state that attains its number.
    chosen: Vec<u32>,
    /// Of averages: what states are worth beside each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    worths: Vec<String>,
}

impl Written {
    /// Exact numbers as they are written, unless they are too long or one is infinite.
    pub(crate) fn new(exact: &Exact) -> Option<Written> {
        let values = exact.values.iter();
        let values = values.map(|value| value.as_ref().map(written_out));
        let values = values.collect::<Option<Vec<String>>>()?;
        let worths: Vec<String> = exact.worths.iter().map(written_out).collect();
        let digits = values.iter().chain(&worths).map(String::len);
        (digits.sum::<usize>() <= MOST_DIGITS).then(|| Written {
            values,
            worths,
            chosen: exact.chosen.clone(),
        })
    }
}

/// Writes exact numbers as evidence, unless they are too long or one is infinite.
pub(crate) fn write(exact: &Exact, claim: Claim) -> Option<Evidence> {
    let written = Written::new(exact)?;
    Some(match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    })
}

/// Fractions that were written.
fn read(texts: &[String]) -> Result<Vec<Rational>, Rejection> {
    let each = texts.iter().map(|text| {
        let wrong = |_| Rejection::unreadable(format!("`{text}` is no fraction"));
        text.parse().map_err(wrong)
    });
    each.collect()
}

/// Checks that the fractions are the numbers of all states, in the model that the naive builder
/// makes of the text; these numbers, and the initial states.
pub(crate) fn checked(
    instance: &Instance,
    (tree, source): (&Tree, &Source),
    written: &Written,
    budget: &Budget,
) -> Result<(Vec<Rational>, Vec<StateId>), Rejection> {
    let values = read(&written.values)?;
    if crate::average::fits(tree, instance) {
        let asked = crate::average::Asked::new(instance, tree, source, budget)?;
        let shown = average::Shown {
            averages: values,
            worths: read(&written.worths)?,
            chosen: &written.chosen,
            budget,
        };
        shown.check(instance, &asked)?;
        return Ok((shown.averages, asked.naive.model.initial));
    }
    let (Node::Chance(chance), true) = (&tree.node, fits(tree) && written.worths.is_empty()) else {
        return Err(Rejection::unreadable(
            "such evidence is not for properties of this kind",
        ));
    };
    let structure = rewards_of(instance, chance, source, tree)?;
    let naive = naive::build(instance, structure, budget)?;
    let least = direction(chance, instance.kind)?;
    let Sets {
        allowed,
        goal,
        opposite,
    } = sets(instance, &naive, chance, source)?;
    let shown = Shown {
        model: &naive.model,
        earned: structure.map(|_| &naive.earned[..]),
        allowed,
        goal,
        least: least != opposite,
        values,
        chosen: written.chosen.clone(),
        budget,
    };
    shown.check()?;
    let values = shown.values.iter().map(|value| match opposite {
        true => whole(1) - value,
        false => value.clone(),
    });
    Ok((values.collect(), naive.model.initial))
}

/// Checks evidence: the numbers of all states, and that those of the initial states settle the claim.
pub(crate) fn certify(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let (values, initial) = checked(instance, (tree, source), &written, budget)?;
    let Node::Chance(chance) = &tree.node else {
        return Err(Rejection::unreadable(
            "such evidence is not for properties of this kind",
        ));
    };
    let initial = initial.iter().map(|&state| &values[state.index()]);
    let states = quotient_language::text::count(values.len(), "state");
    let mut facts = vec![format!("{states} built a second time, with exact numbers")];
    if chance.relation.is_none() {
        if evidence.claim != Claim::Holds {
            return Err(Rejection::wrong(
                "a number that is asked for is not violated",
            ));
        }
        let mut told: Vec<String> = initial.map(written_out).collect();
        told.sort();
        told.dedup();
        facts.extend(match &told[..] {
            [one] => Some(format!("the value is {one}")),
            _ => Some(format!(
                "the values of the initial states are {}",
                told.join(", ")
            )),
        });
        return Ok(Certified {
            property: name.to_owned(),
            facts,
        });
    }
    let all: Vec<Rational> = initial.cloned().collect();
    let kept = limited_exact::kept(instance, chance, source, &all);
    let kept = kept.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
    if kept != (evidence.claim == Claim::Holds) {
        return Err(Rejection::wrong("the numbers do not settle the claim"));
    }
    facts.push("the number compared with the bound as a fraction".to_owned());
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// The numbers of all states as evidence gives them, with what they should be.
struct Shown<'a> {
    model: &'a Markov,
    /// What each choice earns, if that is what is asked for; else the chance of the goal is.
    earned: Option<&'a [Rational]>,
    allowed: Bits,
    goal: Bits,
    least: bool,
    values: Vec<Rational>,
    chosen: Vec<u32>,
    budget: &'a Budget,
}

impl Shown<'_> {
    /// Every number is what its best choice makes of the others, and no better choice is left; and
    /// by the choices on which that rests no run goes on for ever before it is settled.
    fn check(&self) -> Result<(), Rejection> {
        let states = self.model.states();
        if self.values.len() != states || self.chosen.len() != states {
            let text = format!("there is not one number for each of the {states} states");
            return Err(Rejection::wrong(text));
        }
        let mut open = Bits::with_capacity(states);
        for state in 0..states {
            self.budget.charge(1)?;
            let value = &self.values[state];
            let wrong = || Rejection::wrong(format!("the number of state {state} is wrong"));
            // Where runs go on for ever any number is what the next states make of it; that the
            // least of them is meant holds among numbers that are not negative.
            if *value < whole(0) {
                return Err(wrong());
            }
            if let Some(known) = self.known(state) {
                if *value != known {
                    return Err(wrong());
                }
                continue;
            }
            let choices = self.model.choices_of(StateId::from_index(state));
            let chosen = choices.clone().nth(self.chosen[state] as usize);
            if self.worth(chosen.ok_or_else(wrong)?)? != *value {
                return Err(wrong());
            }
            for choice in choices {
                let worth = self.worth(choice)?;
                if worth != *value && (worth < *value) == self.least {
                    return Err(wrong());
                }
            }
            open.set(state, self.earned.is_some() || *value > whole(0));
        }
        match self.can_stay(open)? {
            true => Err(Rejection::wrong("a run need never come to the goal")),
            false => Ok(()),
        }
    }

    /// What a state is worth without looking further.
    fn known(&self, state: usize) -> Option<Rational> {
        let earns = self.earned.is_some();
        match (self.goal.contains(state), self.allowed.contains(state)) {
            (true, _) => Some(whole(i64::from(!earns))),
            (false, false) => Some(whole(0)),
            (false, true) => None,
        }
    }

    fn worth(&self, choice: ChoiceId) -> Result<Rational, Rejection> {
        let mut sum = self
            .earned
            .map_or(whole(0), |earned| earned[choice.index()].clone());
        for branch in self.model.branches_of(choice) {
            let weight = self.model.exact_weight(branch).ok_or_else(|| {
                Rejection::unreadable("the weights of the model are not known exactly")
            })?;
            sum += weight * &self.values[self.model.targets[branch].index()];
        }
        Ok(sum)
    }

    /// Whether a run can stay in a set for ever: by any choices if the least chance or the greatest
    /// reward is meant, else by the chosen ones.
    fn can_stay(&self, mut set: Bits) -> Result<bool, Rejection> {
        let any = self.least != self.earned.is_some();
        loop {
            self.budget.charge(set.count_ones(..) as u64 + 1)?;
            let stays = |choice: ChoiceId| {
                let targets = &self.model.targets[self.model.branches_of(choice)];
                targets.iter().all(|&to| set.contains(to.index()))
            };
            let leaves = |state: &usize| {
                let mut choices = self.model.choices_of(StateId::from_index(*state));
                !match any {
                    true => choices.any(stays),
                    false => choices.nth(self.chosen[*state] as usize).is_some_and(stays),
                }
            };
            let gone: Vec<usize> = set.ones().filter(leaves).collect();
            if gone.is_empty() {
                return Ok(!set.is_clear());
            }
            gone.into_iter().for_each(|state| set.remove(state));
        }
    }
}
