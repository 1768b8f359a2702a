//! States are alike if their languages meet the same predicates.

use quotient_automata::Nfa;
use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::merge;
use crate::{Languages, Refinement, Set};

/// Predicates are the languages of the states of some automata. Each state of a set gets a
/// label: the predicates that its language meets. Equal labels are merged.
pub(crate) struct Predicates {
    languages: Languages,
    refinement: Refinement,
    automata: Vec<Automaton>,
    /// The labels of the sets of this attempt and of the one before: a refinement adds one
    /// automaton, and all other columns are still good.
    current: FxHashMap<Set, Columns>,
    previous: FxHashMap<Set, Columns>,
}

/// For each predicate automaton, for each state of a set: the predicate states that it meets.
type Columns = Vec<Vec<Bits>>;

struct Automaton {
    nfa: Nfa,
    moves: Moves,
    /// The states that count.
    active: Bits,
}

impl Predicates {
    pub(super) fn new(languages: Languages, refinement: Refinement, first: Vec<Nfa>) -> Self {
        let mut predicates = Predicates {
            languages,
            refinement,
            automata: Vec::new(),
            current: FxHashMap::default(),
            previous: FxHashMap::default(),
        };
        first.into_iter().for_each(|nfa| predicates.add(nfa));
        predicates
    }

    fn add(&mut self, nfa: Nfa) {
        let mut active = Bits::with_capacity(nfa.len());
        active.insert_range(..);
        let moves = Moves::new(&nfa, self.languages);
        self.automata.push(Automaton { nfa, moves, active });
    }

    pub(super) fn active_count(&self) -> u64 {
        let active = |automaton: &Automaton| automaton.active.count_ones(..) as u64;
        self.automata.iter().map(active).sum()
    }

    pub(super) fn next_attempt(&mut self) {
        self.previous = std::mem::take(&mut self.current);
    }

    /// The class of each state.
    pub(super) fn classes(&mut self, set: &Set, budget: &Budget) -> Result<Vec<u32>, Stop> {
        self.label(set, budget)?;
        Ok(self.classes_by_labels(set))
    }

    fn classes_by_labels(&self, set: &Set) -> Vec<u32> {
        let mut classes = vec![0; set.len()];
        let Some(columns) = self.current.get(set) else {
            return classes;
        };
        let mut masked = Bits::new();
        for (automaton, labels) in self.automata.iter().zip(columns) {
            let mut numbers: FxHashMap<(u32, Bits), u32> = FxHashMap::default();
            for (class, label) in classes.iter_mut().zip(labels) {
                masked.clone_from(label);
                masked.intersect_with(&automaton.active);
                let next = numbers.len() as u32;
                *class = *numbers.entry((*class, masked.clone())).or_insert(next);
            }
        }
        classes
    }

    /// Makes sure that the set has a label for every automaton.
    fn label(&mut self, set: &Set, budget: &Budget) -> Result<(), Stop> {
        if !self.current.contains_key(set) {
            let known = self.previous.remove(set).unwrap_or_default();
            self.current.insert(set.clone(), known);
        }
        let columns = self.current.entry(set.clone()).or_default();
        if columns.len() == self.automata.len() {
            return Ok(());
        }
        let nfa = set.to_nfa();
        let moves = Moves::new(&nfa, self.languages);
        for automaton in &self.automata[columns.len()..] {
            columns.push(labels(&nfa, &moves, automaton, self.languages, budget)?);
        }
        Ok(())
    }

    /// Makes the states of the alarm predicates: all, the important or the key ones.
    pub(super) fn refine(
        &mut self,
        set: &Set,
        alarm: &Set,
        budget: &Budget,
    ) -> Result<String, Stop> {
        let before = self.active_count();
        self.add(alarm.to_nfa());
        if self.refinement != Refinement::AllStates {
            self.label(set, budget)?;
            let important = self.important(set);
            let last = self.automata.len() - 1;
            self.automata[last].active = important.clone();
            if self.refinement == Refinement::KeyStates {
                if let Some(key) = self.key_states(set, alarm, &important, budget)? {
                    self.automata[last].active = key;
                } else {
                    self.automata[last].active = important;
                }
            }
        }
        let states = self.active_count() - before;
        Ok(format!("{states} states of the false alarm as predicates"))
    }

    /// The states of the last automaton that some state of the set meets.
    fn important(&self, set: &Set) -> Bits {
        let labels = self.current.get(set).and_then(|columns| columns.last());
        let mut important = Bits::with_capacity(self.automata.last().map_or(0, |a| a.nfa.len()));
        for label in labels.into_iter().flatten() {
            important.union_with(label);
        }
        important
    }

    /// One important state, or else two, that keep the abstraction of the set away from the
    /// alarm; in the order of their numbers.
    fn key_states(
        &mut self,
        set: &Set,
        alarm: &Set,
        important: &Bits,
        budget: &Budget,
    ) -> Result<Option<Bits>, Stop> {
        /// More pairs than these of so many states are not tried.
        const MOST_FOR_PAIRS: usize = 10;
        let states: Vec<usize> = important.ones().collect();
        let mut choices: Vec<Vec<usize>> = states.iter().map(|&state| vec![state]).collect();
        if states.len() <= MOST_FOR_PAIRS {
            for (i, &first) in states.iter().enumerate() {
                choices.extend(states[i + 1..].iter().map(|&second| vec![first, second]));
            }
        }
        let last = self.automata.len() - 1;
        for choice in choices {
            let mut active = Bits::with_capacity(important.len());
            choice.into_iter().for_each(|state| active.insert(state));
            self.automata[last].active = active.clone();
            let abstracted = merge(set, &self.classes_by_labels(set), budget)?;
            if !abstracted.intersects(alarm, budget)? {
                return Ok(Some(active));
            }
        }
        Ok(None)
    }
}

/// The moves of an automaton in the direction in which labels spread: against the edges for
/// futures, along them for pasts.
struct Moves {
    rows: Vec<u32>,
    /// The label and the state there.
    moves: Vec<(u32, u32)>,
}

impl Moves {
    fn new(nfa: &Nfa, languages: Languages) -> Moves {
        let ends = |edge: &quotient_automata::Edge| match languages {
            Languages::Future => (edge.target.index(), edge.source.0),
            Languages::Past => (edge.source.index(), edge.target.0),
        };
        let mut rows = vec![0u32; nfa.len() + 1];
        for edge in nfa.edges() {
            rows[ends(edge).0 + 1] += 1;
        }
        for i in 1..rows.len() {
            rows[i] += rows[i - 1];
        }
        let mut free = rows.clone();
        let mut moves = vec![(0, 0); nfa.edges().len()];
        for edge in nfa.edges() {
            let (at, to) = ends(edge);
            moves[free[at] as usize] = (edge.label, to);
            free[at] += 1;
        }
        Moves { rows, moves }
    }

    fn from(&self, state: usize) -> &[(u32, u32)] {
        &self.moves[self.rows[state] as usize..self.rows[state + 1] as usize]
    }
}

/// For each state of the set, the states of the predicate automaton whose language its
/// language meets: pairs spread from where both accept (or both begin).
fn labels(
    nfa: &Nfa,
    moves: &Moves,
    predicate: &Automaton,
    languages: Languages,
    budget: &Budget,
) -> Result<Vec<Bits>, Stop> {
    let empty = Bits::with_capacity(predicate.nfa.len());
    let mut labels = vec![empty; nfa.len()];
    let mut waiting: Vec<(u32, u32)> = Vec::new();
    let starts = |nfa: &Nfa| -> Vec<u32> {
        match languages {
            Languages::Future => nfa.accepting().ones().map(|state| state as u32).collect(),
            Languages::Past => nfa.initial().iter().map(|state| state.0).collect(),
        }
    };
    for state in starts(nfa) {
        for met in starts(&predicate.nfa) {
            labels[state as usize].insert(met as usize);
            waiting.push((state, met));
        }
    }
    let (own, theirs) = (nfa.labels(), predicate.nfa.labels());
    let meets: Vec<bool> = own
        .iter()
        .flat_map(|a| {
            theirs.iter().map(move |b| match (a, b) {
                (Some(a), Some(b)) => a.intersects(b),
                _ => false,
            })
        })
        .collect();
    while let Some((state, met)) = waiting.pop() {
        let (here, further) = (
            moves.from(state as usize),
            predicate.moves.from(met as usize),
        );
        budget.charge(1 + (here.len() * further.len()) as u64 / 8)?;
        for &(label, from) in here {
            let meets = &meets[label as usize * theirs.len()..][..theirs.len()];
            for &(with, to) in further {
                if meets[with as usize] && !labels[from as usize].put(to as usize) {
                    waiting.push((from, to));
                }
            }
        }
    }
    Ok(labels)
}
