//! Processes that cannot make a step.

use quotient_core::{Budget, Stop};

use super::letters::Letters;
use crate::{Alphabet, Label, Letter, Nfa, Predicate, Relation, State, Transducer};

/// In the loop, a process that cannot make any step is seen, which counts as its turn.
pub(super) fn observe(
    relation: &Relation,
    letters: &Letters,
    budget: &Budget,
) -> Result<Transducer, Stop> {
    let pointed = Pointed::new(relation.alphabet());
    let mut enabled = Nfa::empty(&pointed.alphabet);
    for (_, part) in relation.parts() {
        enabled = enabled.union(&pointed.enabled(part));
    }
    let one_pointed = pointed.exactly_one();
    let disabled = one_pointed
        .difference(&enabled, budget)?
        .canonical(budget)?;
    let nfa = disabled.to_nfa();
    let mut builder = Transducer::builder(&letters.alphabet).states(nfa.len() as u32);
    nfa.initial()
        .iter()
        .for_each(|&state| builder.add_initial(state));
    nfa.accepting()
        .ones()
        .for_each(|state| builder.add_accepting(State(state as u32)));
    for edge in nfa.edges() {
        let Some(label) = nfa.label(edge) else {
            continue;
        };
        let here = |letter: Letter, point: bool| label.contains(pointed.letter(letter, point));
        let stay = letters.which(|frozen| here(frozen.unit.letter, false));
        builder.add_edge(edge.source, &Label::Copy(stay), edge.target);
        for frozen in letters
            .all()
            .filter(|frozen| here(frozen.unit.letter, true))
        {
            let mut seen = frozen;
            seen.unit.stepped = true;
            let side = |frozen| Some(Predicate::of(&letters.alphabet, [letters.frozen(frozen)]));
            let label = Label::Pair(side(frozen), side(seen));
            builder.add_edge(edge.source, &label, edge.target);
        }
    }
    Ok(builder.build().reduce())
}

/// Letters with a pointer to one process.
struct Pointed {
    old: u32,
    alphabet: Alphabet,
}

impl Pointed {
    fn new(old: &Alphabet) -> Pointed {
        let count = old.len() as u32;
        let names = (0..2 * count).map(|i| i.to_string());
        let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
        Pointed {
            old: count,
            alphabet,
        }
    }

    fn letter(&self, letter: Letter, point: bool) -> Letter {
        Letter(letter.0 + u32::from(point) * self.old)
    }

    fn set(&self, letters: impl Iterator<Item = Letter>, point: bool) -> Predicate {
        let letters = letters.map(|letter| self.letter(letter, point));
        Predicate::of(&self.alphabet, letters)
    }

    /// Words with one pointer.
    fn exactly_one(&self) -> Nfa {
        let all = |point| self.set((0..self.old).map(Letter), point);
        Nfa::builder(&self.alphabet)
            .initial(0)
            .edge(0, &all(false), 0)
            .edge(0, &all(true), 1)
            .edge(1, &all(false), 1)
            .accepting(1)
            .build()
    }

    /// Words whose pointer is at a process that makes a step of the transducer.
    fn enabled(&self, part: &Transducer) -> Nfa {
        let count = part.len() as u32;
        let mut builder = Nfa::builder(&self.alphabet).states(2 * count);
        let after = |state: State| State(state.0 + count);
        part.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        for state in part.accepting().ones() {
            builder.add_accepting(after(State(state as u32)));
        }
        for edge in part.edges() {
            let label = part.label(edge);
            let Some(input) = label.input() else {
                builder.add_epsilon(edge.source, edge.target);
                builder.add_epsilon(after(edge.source), after(edge.target));
                continue;
            };
            let plain = self.set(input.letters(), false);
            builder.add_edge(edge.source, &plain, edge.target);
            builder.add_edge(after(edge.source), &plain, after(edge.target));
            if let Label::Pair(..) = label {
                let point = self.set(input.letters(), true);
                builder.add_edge(edge.source, &point, after(edge.target));
            }
        }
        builder.build()
    }
}
