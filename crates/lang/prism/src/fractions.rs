//! Evidence for what only exact numbers tell: fractions for all states, and choices.

use quotient_bits::Bits;
use quotient_certify::{Certified, Rejection};
use quotient_core::{Budget, Claim, Evidence, Source, Trouble};
use quotient_markov::{Markov, Rational, whole, written as written_out};
use serde::{Deserialize, Serialize};

use crate::evidence::{direction, fits};
use crate::exact::{Exact, Sets, sets};
use crate::instance::{Instance, Term};
use crate::naive;
use crate::syntax::{Asks, Join, Node, Tree};

/// The kind of evidence that gives the exact number of every state.
pub(crate) const KIND: &str = "chance-fractions";

/// No more digits than this are written for all states together.
const MOST_DIGITS: usize = 4_000_000;

/// Fractions for all states in the order of their values.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// As in `1/3`.
    values: Vec<String>,
    /// The number of a choice of each state that attains its number.
    chosen: Vec<u32>,
}

/// Writes exact numbers as evidence, unless they are too long or one is infinite.
pub(crate) fn write(exact: &Exact, claim: Claim) -> Option<Evidence> {
    let values = exact.values.iter();
    let values = values.map(|value| value.as_ref().map(written_out));
    let values = values.collect::<Option<Vec<String>>>()?;
    if values.iter().map(String::len).sum::<usize>() > MOST_DIGITS {
        return None;
    }
    let written = Written {
        values,
        chosen: exact.chosen.clone(),
    };
    Some(match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    })
}

/// Checks that the fractions are the numbers of all states, in the model that the naive builder
/// makes of the text, and that those of the initial states settle the claim.
pub(crate) fn certify(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let (Node::Chance(chance), true) = (&tree.node, fits(tree)) else {
        return Err(Rejection::unreadable(
            "such evidence is not for properties of this kind",
        ));
    };
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let values = written.values.iter().map(|text| {
        let wrong = |_| Rejection::unreadable(format!("`{text}` is no fraction"));
        text.parse().map_err(wrong)
    });
    let values = values.collect::<Result<Vec<Rational>, Rejection>>()?;
    let structure = match chance.asks {
        Asks::Reward => {
            let found = instance.structure(chance.structure.as_ref(), source, tree.span);
            let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
            Some(found.map_err(wrong)?)
        }
        _ => None,
    };
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
        chosen: written.chosen,
        budget,
    };
    shown.check()?;
    let initial = naive.model.initial.iter();
    let initial = initial.map(|&state| match (&shown.values[state as usize], opposite) {
        (value, true) => whole(1) - value,
        (value, false) => value.clone(),
    });
    let states = quotient_language::text::count(naive.states.len(), "state");
    let mut facts = vec![format!("{states} built a second time, with exact numbers")];
    let Some((join, limit)) = &chance.relation else {
        if evidence.claim != Claim::Holds {
            return Err(Rejection::wrong(
                "a number that is asked for is not violated",
            ));
        }
        let mut told: Vec<String> = initial.map(|value| written_out(&value)).collect();
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
    };
    let limit = match instance.names.term(limit, source, None) {
        Ok(Term::Value(value)) => value.exact(),
        _ => None,
    };
    let limit = limit.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
    let mut all = initial.map(|value| match join {
        Join::Less => value < limit,
        Join::AtMost => value <= limit,
        Join::Greater => value > limit,
        _ => value >= limit,
    });
    if all.all(|kept| kept) != (evidence.claim == Claim::Holds) {
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
            let choices = self.model.choices_of(state);
            let chosen = choices.start + self.chosen[state] as usize;
            if !choices.contains(&chosen) || self.worth(chosen)? != *value {
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

    fn worth(&self, choice: usize) -> Result<Rational, Rejection> {
        let mut sum = self
            .earned
            .map_or(whole(0), |earned| earned[choice].clone());
        for branch in self.model.branches_of(choice) {
            let weight = self.model.exact_weight(branch).ok_or_else(|| {
                Rejection::unreadable("the weights of the model are not known exactly")
            })?;
            sum += weight * &self.values[self.model.targets[branch] as usize];
        }
        Ok(sum)
    }

    /// Whether a run can stay in a set for ever: by any choices if the least chance or the greatest
    /// reward is meant, else by the chosen ones.
    fn can_stay(&self, mut set: Bits) -> Result<bool, Rejection> {
        let any = self.least != self.earned.is_some();
        loop {
            self.budget.charge(set.count_ones(..) as u64 + 1)?;
            let stays = |choice: usize| {
                let targets = &self.model.targets[self.model.branches_of(choice)];
                targets.iter().all(|&to| set.contains(to as usize))
            };
            let leaves = |state: &usize| {
                let choices = self.model.choices_of(*state);
                let chosen = choices.start + self.chosen[*state] as usize;
                !match any {
                    true => choices.into_iter().any(stays),
                    false => stays(chosen),
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
