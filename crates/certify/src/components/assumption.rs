//! Do these assumptions prove that a property is kept?

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::AssumptionData;
use quotient_lts::{ERROR, Lts};

use super::model::{Model, lts_of};
use super::outside::all_err;
use super::reduce::{completed, deterministic};
use super::whole::{Numbered, Whole};
use crate::Rejection;

/// Checks every premise of a rule. Components that are in no group only restrict the others:
/// a proof without them is a proof.
pub(super) fn check(
    data: &AssumptionData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let proof = Proof::read(data, model, about)?;
    match data.rule.as_str() {
        // The circular rule names its first group again at the end: the premises are the same.
        "asymmetric" | "circular" => proof.chain(budget),
        "symmetric" => proof.symmetric(budget),
        other => Err(Rejection::unreadable(format!(
            "there is no rule `{other}` for assumptions"
        ))),
    }
}

/// A proof whose numbers are all in range.
struct Proof<'a> {
    property: Vec<&'a Lts>,
    groups: Vec<(String, Vec<&'a Lts>)>,
    assumptions: Vec<Lts>,
}

impl<'a> Proof<'a> {
    fn read(data: &AssumptionData, model: &'a Model, about: &str) -> Result<Proof<'a>, Rejection> {
        let part = |at: &usize| -> Result<&'a Lts, Rejection> {
            let found = model.parts.get(*at);
            found.ok_or_else(|| Rejection::unreadable(format!("there is no component number {at}")))
        };
        let names = |group: &[usize]| {
            let names = group.iter().filter_map(|&at| model.names.get(at));
            names.map(String::as_str).collect::<Vec<_>>()
        };
        let mut places = data.property.clone();
        places.sort_unstable();
        // That more is kept is no harm.
        if !model.property(about)?.iter().all(|at| places.contains(at)) {
            return Err(Rejection::wrong(format!(
                "the property of the evidence is not `{about}`"
            )));
        }
        let property = places.iter().map(part).collect::<Result<_, _>>()?;
        let mut groups = Vec::new();
        for group in &data.groups {
            let parts: Vec<&Lts> = group.iter().map(part).collect::<Result<_, _>>()?;
            if parts.iter().any(|part| part.has_error()) {
                return Err(Rejection::wrong(
                    "a component that can err is not taken as a property",
                ));
            }
            groups.push((names(group).join(" || "), parts));
        }
        let events = model.events.len();
        let assumptions = data.assumptions.iter().map(|lts| lts_of(lts, events, 0));
        let assumptions = assumptions.collect::<Result<Vec<Lts>, _>>()?;
        if assumptions.iter().any(Lts::has_error) {
            return Err(Rejection::wrong("an assumption can err"));
        }
        Ok(Proof {
            property,
            groups,
            assumptions,
        })
    }

    /// The first group keeps the property under the first assumption, each further group
    /// keeps the assumption before it under the next one, and the last under none. Then every
    /// execution of all groups is, from the last group up, one of each assumption.
    fn chain(&self, budget: &Budget) -> Result<Vec<String>, Rejection> {
        if self.assumptions.len() >= self.groups.len() {
            return Err(Rejection::wrong(
                "no component is left to keep the last assumption",
            ));
        }
        let mut facts = Vec::new();
        for (number, (name, group)) in self.groups.iter().enumerate() {
            if number > self.assumptions.len() {
                break;
            }
            let watcher = match number {
                0 => None,
                number => Some(watcher_of(&self.assumptions[number - 1], budget)?),
            };
            let watchers: Vec<&Lts> = match &watcher {
                Some(watcher) => vec![watcher],
                None => self.property.clone(),
            };
            let kept = match number {
                0 => "the property".to_owned(),
                number => format!("assumption {number}"),
            };
            let under = self.assumptions.get(number);
            let parts = group.iter().copied().chain(under).chain(watchers);
            if errs(&Whole::new(parts), budget)? {
                return Err(Rejection::wrong(match under {
                    Some(_) => format!(
                        "{name} does not keep {kept} under assumption {}",
                        number + 1
                    ),
                    None => format!("{name} does not keep {kept}"),
                }));
            }
            facts.push(match under {
                Some(under) => format!(
                    "{name} keeps {kept} under assumption {}, which has {}",
                    number + 1,
                    states(under)
                ),
                None => format!("{name} keeps {kept}"),
            });
        }
        Ok(facts)
    }

    /// Every group keeps the property under its own assumption, and a word that is in no
    /// assumption keeps it too, that is, every component of it. Then an execution that breaks
    /// it would be in no assumption.
    fn symmetric(&self, budget: &Budget) -> Result<Vec<String>, Rejection> {
        if self.assumptions.len() != self.groups.len() {
            return Err(Rejection::wrong("not every group has its assumption"));
        }
        let mut facts = Vec::new();
        let groups = self.groups.iter().zip(&self.assumptions);
        for (number, ((name, group), assumption)) in (1..).zip(groups) {
            let parts = group.iter().copied().chain([assumption]);
            if errs(
                &Whole::new(parts.chain(self.property.iter().copied())),
                budget,
            )? {
                return Err(Rejection::wrong(format!(
                    "{name} does not keep the property under assumption {number}"
                )));
            }
            facts.push(format!(
                "{name} keeps the property under assumption {number}, which has {}",
                states(assumption)
            ));
        }
        let assumptions = self.assumptions.iter();
        let watchers = assumptions.map(|lts| watcher_of(lts, budget));
        let mut watchers = watchers.collect::<Result<Vec<Lts>, _>>()?;
        for property in &self.property {
            watchers.push(watcher_of(property, budget)?);
            if all_err(&watchers, budget)? {
                return Err(Rejection::wrong(
                    "a word is outside all assumptions and breaks the property",
                ));
            }
            watchers.pop();
        }
        facts.push("what is outside all assumptions keeps the property".to_owned());
        Ok(facts)
    }
}

/// What errs as soon as a word is not one of a system.
fn watcher_of(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    completed(&deterministic(lts, budget)?, budget)
}

fn states(lts: &Lts) -> String {
    match lts.states() {
        1 => "1 state".to_owned(),
        states => format!("{states} states"),
    }
}

/// Whether some component can come into its error state.
fn errs(whole: &Whole<'_>, budget: &Budget) -> Result<bool, Stop> {
    let initial = whole.initial();
    if initial.contains(&ERROR) {
        return Ok(true);
    }
    let mut states = Numbered::new(initial.len());
    states.number(&initial);
    let mut next = 0;
    while next < states.len() {
        let state = states.get(next).to_vec();
        let steps = whole.steps(&state, budget)?;
        for (_, target) in steps {
            if target.contains(&ERROR) {
                return Ok(true);
            }
            states.number(&target);
        }
        next += 1;
    }
    Ok(false)
}
