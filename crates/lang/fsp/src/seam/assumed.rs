//! What components expect of each other, in words, as FSP, as pictures and as data.

use std::sync::Arc;

use quotient_compose::{Network, Proof, Rule};
use quotient_language::text::{count, wrap_indented};
use quotient_language::{Exhibit, Json};
use quotient_lts::evidence::place;
use quotient_lts::{Actions, ERROR, Lts, LtsBuilder, State, component_picture};
use serde_json::json;

use crate::write::{in_labels, write_folded};
use crate::{write_labels, write_process};

/// Lines of assumptions in one answer; what is larger is told and not written out.
const MOST_LINES: usize = 60;
/// Larger assumptions are not drawn.
const MOST_DRAWN: usize = 60;
/// What is left of 80 columns for the text of an assumption.
const WIDTH: usize = 70;
/// Of more components only the first and the last are named.
const FEW: usize = 4;

/// The assumptions of a proof that ask for something.
pub(super) struct Assumed {
    all: Vec<Assumption>,
}

/// What one group of components expects of others.
struct Assumption {
    name: String,
    /// Who needs it.
    by: Vec<String>,
    /// Who keeps it.
    of: Vec<String>,
    /// Over labels, with their names.
    lts: Lts,
    actions: Actions,
}

impl Assumed {
    /// Of the assumptions of a proof those that matter: behind one that allows everything, and
    /// from that one on, nobody has to be asked.
    pub(super) fn new(proof: &Proof, network: &Network) -> Assumed {
        let name = |&at: &usize| network.components()[at].name.to_string();
        let named =
            |groups: &[Vec<usize>]| -> Vec<String> { groups.iter().flatten().map(name).collect() };
        let is_chain = proof.rule != Rule::Symmetric;
        let mut all = Vec::new();
        for (number, assumption) in proof.assumptions.iter().enumerate() {
            if allows_everything(assumption) {
                match is_chain {
                    true => break,
                    false => continue,
                }
            }
            let Some(group) = proof.groups.get(number) else {
                break;
            };
            let mut by: Vec<String> = group.iter().map(name).collect();
            let of = match is_chain {
                // With the circular rule the first group comes once more at the end.
                true => named(&proof.groups[number + 1..]),
                false => {
                    let others = proof.groups.iter().enumerate();
                    let others = others.filter(|(at, _)| *at != number);
                    others.flat_map(|(_, group)| group).map(name).collect()
                }
            };
            if number == 0 || !is_chain {
                by.extend(proof.property.iter().map(name));
            }
            let (lts, actions) = in_labels(assumption, network);
            all.push(Assumption {
                name: format!("ASSUMPTION_{}", all.len() + 1),
                by,
                of,
                lts,
                actions,
            });
        }
        Assumed { all }
    }

    /// Why the property holds, in a line.
    pub(super) fn because(&self) -> String {
        match &self.all[..] {
            [] => "every component keeps it by itself".to_owned(),
            [one] => format!("an assumption of {}", count(one.lts.states(), "state")),
            all => {
                let mut sizes: Vec<usize> = all.iter().map(|one| one.lts.states()).collect();
                sizes.dedup();
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                format!("{} assumptions of {} states", all.len(), sizes.join(", "))
            }
        }
    }

    /// Each assumption with who needs it and who keeps it; written out as long as there is room.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut left = MOST_LINES;
        let mut notes = Vec::new();
        for one in &self.all {
            let (by, of) = (listed(&one.by), listed(&one.of));
            let head = format!("{by} {} of {of}", expects(one.by.len()));
            let mut text = match one.in_words() {
                Some(words) => format!("{head} that {words}\n"),
                None => format!("{head}:\n{}", one.text()),
            };
            if text.lines().count() > left
                && let Some(short) = one.shortly()
            {
                let but = "but for steps after which anything may happen";
                text = format!("{head}, {but}:\n{short}");
            }
            let lines = text.lines().count();
            notes.push(match lines <= left {
                true => wrap_indented(&text, WIDTH, 8),
                false => {
                    let states = count(one.lts.states(), "state");
                    wrap_indented(&format!("{head} what takes {states} to say"), WIDTH, 8)
                }
            });
            left = left.saturating_sub(lines);
        }
        notes
    }

    /// For programs: as FSP, and as transition systems.
    pub(super) fn json(&self) -> Json {
        let systems = self.all.iter().map(Assumption::json);
        json!({
            "assumptions": self.all.iter().map(Assumption::text).collect::<Vec<_>>(),
            "systems": systems.collect::<Vec<_>>(),
        })
    }

    /// Pictures of those that are small enough to be seen.
    pub(super) fn drawn(&self) -> Vec<Exhibit> {
        let small = self.all.iter();
        let small = small.filter(|one| one.lts.states() <= MOST_DRAWN);
        let one = |one: &Assumption| {
            let (seen, left_out) = without_anything(&one.lts);
            let picture = component_picture(&one.name, &seen, &one.actions, &[]);
            let mut caption = format!(
                "What {} {} of {}",
                listed(&one.by),
                expects(one.by.len()),
                listed(&one.of)
            );
            if left_out {
                caption.push_str("; steps after which anything may happen are left out");
            }
            Exhibit {
                name: one.name.clone(),
                caption,
                picture: Some(picture.into()),
                files: Vec::new(),
            }
        };
        small.map(one).collect()
    }
}

impl Assumption {
    fn text(&self) -> String {
        write_process(&self.name, &self.lts, &self.actions)
    }

    /// What it says without the steps after which anything may happen, and without names for states
    /// between two steps that belong together.
    fn shortly(&self) -> Option<String> {
        let (seen, left_out) = without_anything(&self.lts);
        let is_told = left_out && !seen.has_error() && seen.initial() != ERROR;
        is_told.then(|| write_folded(&self.name, &seen, &self.actions))
    }

    /// What it says where one sentence is enough.
    fn in_words(&self) -> Option<String> {
        let start = self.lts.initial();
        if start == ERROR {
            return Some("nothing at all happens".to_owned());
        }
        let edges = self.lts.edges(start);
        if edges.iter().any(|edge| edge.target != start) {
            return None;
        }
        let alphabet = self.lts.alphabet().iter().copied();
        let forbidden = alphabet.filter(|&action| self.lts.successors(start, action).is_empty());
        let names: Vec<&str> = forbidden.map(|action| self.actions.name(action)).collect();
        Some(match &names[..] {
            [one] => format!("{} never happens", write_labels([*one])),
            names => format!(
                "none of {} ever happens",
                write_labels(names.iter().copied())
            ),
        })
    }

    fn json(&self) -> Json {
        let edges = self.lts.all_edges().map(|(from, edge)| {
            let action = match edge.action.is_tau() {
                true => "tau",
                false => self.actions.name(edge.action),
            };
            json!([from.index(), action, place(edge.target)])
        });
        let alphabet = self.lts.alphabet().iter();
        let alphabet = alphabet.map(|&action| self.actions.name(action));
        json!({
            "name": self.name,
            "by": self.by,
            "of": self.of,
            "states": self.lts.states(),
            "initial": place(self.lts.initial()),
            "alphabet": alphabet.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
        })
    }
}

fn expects(who: usize) -> &'static str {
    match who {
        1 => "expects",
        _ => "expect",
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        few if few.len() <= FEW => {
            let (last, first) = few.split_last().unwrap_or((&few[0], &[]));
            format!("{} and {last}", first.join(", "))
        }
        many => format!("{}, … {} ({})", many[0], many[many.len() - 1], many.len()),
    }
}

/// Whether a state can do everything and stays.
fn does_anything(lts: &Lts, state: State) -> bool {
    let edges = lts.edges(state);
    edges.len() == lts.alphabet().len() && edges.iter().all(|edge| edge.target == state)
}

fn allows_everything(lts: &Arc<Lts>) -> bool {
    lts.initial() != ERROR && does_anything(lts, lts.initial())
}

/// The same without states in which anything may happen, and whether there were some.
fn without_anything(lts: &Lts) -> (Lts, bool) {
    let gone = |state: State| state != ERROR && does_anything(lts, state);
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    let mut left_out = false;
    for (from, edge) in lts.all_edges() {
        match gone(from) || gone(edge.target) {
            true => left_out = true,
            false => drop(builder.edge(from, edge.action, edge.target)),
        }
    }
    (builder.build().reachable(), left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_anything_is_not_drawn() {
        let mut actions = Actions::new();
        let [a, b] = ["a", "b"].map(|name| actions.intern(name));
        let mut builder = LtsBuilder::new();
        builder.edge(0, a, 1).edge(0, b, 2).edge(1, b, 0);
        builder.edge(2, a, 2).edge(2, b, 2);
        let lts = builder.build();
        let (seen, left_out) = without_anything(&lts);
        assert!(left_out);
        assert_eq!((seen.states(), seen.transitions()), (2, 2));
        assert!(!without_anything(&seen).1);
    }

    #[test]
    fn what_must_never_happen_is_said_in_words() {
        let mut actions = Actions::new();
        let [a, b] = ["a", "b"].map(|name| actions.intern(name));
        let mut builder = LtsBuilder::new();
        builder.alphabet([a, b]);
        let mut one = Assumption {
            name: "A".to_owned(),
            by: vec!["P".to_owned()],
            of: vec!["Q".to_owned()],
            lts: builder.clone().build(),
            actions,
        };
        assert_eq!(one.in_words().unwrap(), "none of {a, b} ever happens");
        builder.edge(0, a, 0);
        one.lts = builder.clone().build();
        assert_eq!(one.in_words().unwrap(), "{b} never happens");
        builder.edge(0, b, 1);
        one.lts = builder.build();
        assert_eq!(one.in_words(), None);
    }
}
