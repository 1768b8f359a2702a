//! What the engine finds, as evidence.

use std::collections::BTreeMap;

use quotient_automata::evidence::PlainAutomaton;
use quotient_automata::game::{OrderEvidence, PlainPairs, PlainRelation, TrapEvidence};
use quotient_automata::{Alphabet, Dfa, Letter};

use crate::machine::{Symbol, Word};
use crate::rank::Relation;

/// That the second player wins: an invariant and an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What others can check.
    pub evidence: OrderEvidence,
}

impl Proof {
    pub(crate) fn new(
        invariant: &Dfa,
        order: &Relation,
        letters: &[Symbol],
        alphabet: &Alphabet,
    ) -> Proof {
        let name = |number: usize| alphabet.name(Letter(u32::from(letters[number]))).to_owned();
        let live = live(order);
        let mut edges: BTreeMap<(u32, u32), Vec<(String, String)>> = BTreeMap::new();
        for from in (0..order.len() as u32).filter(|&from| live[from as usize]) {
            for left in 0..letters.len() {
                for right in 0..letters.len() {
                    let to = order.step(from, left as Symbol, right as Symbol);
                    if live[to as usize] {
                        let pairs = edges.entry((from, to)).or_default();
                        pairs.push((name(left), name(right)));
                    }
                }
            }
        }
        let accepting = (0..order.len() as u32).filter(|&s| order.accepting[s as usize]);
        let edges = edges.into_iter();
        Proof {
            evidence: OrderEvidence {
                invariant: PlainAutomaton::from(invariant),
                order: PlainRelation {
                    states: order.len() as u32,
                    initial: vec![order.start],
                    accepting: accepting.collect(),
                    edges: edges
                        .map(|((from, to), pairs)| PlainPairs { from, pairs, to })
                        .collect(),
                },
            },
        }
    }
}

/// The states from which some pair is accepted.
fn live(order: &Relation) -> Vec<bool> {
    let letters = order.letters as Symbol;
    let mut live = order.accepting.clone();
    loop {
        let mut changed = false;
        for state in 0..order.len() as u32 {
            let leads = (0..letters).any(|left| {
                (0..letters).any(|right| live[order.step(state, left, right) as usize])
            });
            if !live[state as usize] && leads {
                live[state as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// That the first player keeps the second from its goal, on words of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    /// A play into the trap: words where the first player moves and what it makes of them, by
    /// turns.
    pub(crate) play: Vec<Word>,
    pub(crate) trap: Vec<Word>,
}

impl Trap {
    /// What others can check.
    pub fn evidence(&self, alphabet: &Alphabet) -> TrapEvidence {
        let names = |words: &[Word]| -> Vec<Vec<String>> {
            let name = |&letter: &Symbol| alphabet.name(Letter(u32::from(letter))).to_owned();
            words
                .iter()
                .map(|word| word.iter().map(name).collect())
                .collect()
        };
        TrapEvidence {
            play: names(&self.play),
            trap: names(&self.trap),
        }
    }

    /// How long the words are.
    pub fn length(&self) -> usize {
        self.trap.first().map_or(0, |word| word.len())
    }
}
