//! A transducer whose labels are lists of letter classes.

use std::ops::Range;

use crate::{Label, Minterms, State, Transducer};

/// One move: what it reads and writes, as ranges of [`Machine::classes`].
#[derive(Debug, Clone)]
pub(super) struct Move {
    pub(super) kind: Kind,
    pub(super) target: u32,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Copy(Range<u32>),
    Rewrite(Range<u32>, Range<u32>),
    Delete(Range<u32>),
    Insert(Range<u32>),
    Silent,
}

#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) initial: Vec<u32>,
    pub(super) accepting: Vec<bool>,
    moves: Vec<Move>,
    rows: Vec<u32>,
    classes: Vec<u32>,
}

impl Machine {
    pub(super) fn new(transducer: &Transducer, minterms: &Minterms) -> Machine {
        let mut classes = Vec::new();
        let mut range = |letters: &crate::Predicate| {
            let start = classes.len() as u32;
            classes.extend(minterms.classes_in(letters));
            start..classes.len() as u32
        };
        let kinds: Vec<Kind> = transducer
            .labels()
            .iter()
            .map(|label| match label {
                Label::Copy(letters) => Kind::Copy(range(letters)),
                Label::Pair(Some(input), Some(output)) => {
                    Kind::Rewrite(range(input), range(output))
                }
                Label::Pair(Some(input), None) => Kind::Delete(range(input)),
                Label::Pair(None, Some(output)) => Kind::Insert(range(output)),
                Label::Pair(None, None) => Kind::Silent,
            })
            .collect();
        let mut rows = vec![0];
        let mut moves = Vec::with_capacity(transducer.edges().len());
        for state in transducer.states() {
            moves.extend(transducer.edges_from(state).iter().map(|edge| Move {
                kind: kinds[edge.label as usize].clone(),
                target: edge.target.0,
            }));
            rows.push(moves.len() as u32);
        }
        Machine {
            initial: transducer.initial().iter().map(|state| state.0).collect(),
            accepting: transducer
                .states()
                .map(|state: State| transducer.is_accepting(state))
                .collect(),
            moves,
            rows,
            classes,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.accepting.len()
    }

    pub(super) fn moves(&self, state: u32) -> &[Move] {
        let (from, to) = (self.rows[state as usize], self.rows[state as usize + 1]);
        &self.moves[from as usize..to as usize]
    }

    pub(super) fn classes(&self, range: &Range<u32>) -> &[u32] {
        &self.classes[range.start as usize..range.end as usize]
    }
}
