//! Which states are alike.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};
use quotient_trees::{Equation, State, Symbol, TreeAutomaton, meeting, merge_by_equations};

/// Which states are merged.
#[derive(Debug, Clone)]
pub enum Abstraction {
    /// None: exact sets, which find violations.
    Exact,
    /// Those with the same trees up to a height; a false alarm adds one.
    Height(usize),
    /// Those that have trees in common with the same states of these automata; a false alarm
    /// adds an automaton.
    Predicates(Vec<TreeAutomaton>),
    /// Those that equations make the same, as long as they have trees in common with the same
    /// states of these automata; a false alarm adds an automaton.
    Equations(Vec<Equation>, Vec<TreeAutomaton>),
}

impl Abstraction {
    /// A set that contains the given one.
    pub fn apply(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        Ok(match self.classes(set, set, budget)? {
            None => set.clone(),
            Some((class, count)) => set.merged(&class, count),
        })
    }

    /// The class of each state of a set, and how many there are; nothing if none are merged.
    /// Equations are about `before`, the set without what rewriting made of it, where that is known.
    pub(crate) fn classes(
        &self,
        set: &TreeAutomaton,
        before: &TreeAutomaton,
        budget: &Budget,
    ) -> Result<Option<(Vec<State>, usize)>, Stop> {
        Ok(Some(match self {
            Abstraction::Exact => return Ok(None),
            Abstraction::Height(height) => by_height(set, *height, budget)?,
            Abstraction::Predicates(all) => {
                let labels = labels(set, all, budget)?;
                let count = labels.iter().max().map_or(0, |&most| most.index() + 1);
                (labels, count)
            }
            Abstraction::Equations(equations, all) => {
                let labels = labels(set, all, budget)?;
                merge_by_equations(before, equations, &labels, budget)?
            }
        }))
    }

    /// Makes it finer, so that what was taken for real is not, next time. Says what changed.
    pub fn refine(&mut self, false_alarm: TreeAutomaton) -> Result<String, Stop> {
        match self {
            Abstraction::Exact => Err(Stop::inconclusive("an exact set gave a false alarm")),
            Abstraction::Height(height) => {
                *height += 1;
                Ok(format!("trees up to height {height} are told apart"))
            }
            Abstraction::Predicates(all) | Abstraction::Equations(_, all) => {
                let states = false_alarm.states();
                all.push(false_alarm);
                Ok(format!("an automaton of {states} states is a predicate"))
            }
        }
    }
}

/// States by the trees up to a height that are in them. (On nondeterministic automata this tells
/// a few more states apart: by rules into them, as often as the height says.)
fn by_height(
    set: &TreeAutomaton,
    height: usize,
    budget: &Budget,
) -> Result<(Vec<State>, usize), Stop> {
    // The class of no tree up to the height.
    let none = State::from_index(0);
    let mut class = vec![none; set.states()];
    let mut count = 1;
    for _ in 0..height {
        let mut signatures: Vec<Vec<(Symbol, Vec<State>)>> = vec![Vec::new(); set.states()];
        for rule in set.rules() {
            budget.charge(rule.children.len() as u64 + 1)?;
            let below: Vec<State> = rule.children.iter().map(|&q| class[q.index()]).collect();
            if !below.contains(&none) {
                signatures[rule.target.index()].push((rule.symbol, below));
            }
        }
        let mut numbers = BTreeMap::new();
        numbers.insert(Vec::new(), none);
        let mut next = Vec::with_capacity(class.len());
        for mut signature in signatures {
            signature.sort_unstable();
            signature.dedup();
            let fresh = State::from_index(numbers.len());
            next.push(*numbers.entry(signature).or_insert(fresh));
        }
        let before = std::mem::replace(&mut count, numbers.len());
        let done = before == count && class == next;
        class = next;
        if done {
            break;
        }
    }
    Ok((class, count))
}

/// By state, its class: one for each set of states of the automata that it meets.
fn labels(
    set: &TreeAutomaton,
    predicates: &[TreeAutomaton],
    budget: &Budget,
) -> Result<Vec<State>, Stop> {
    let mut met: Vec<Vec<usize>> = vec![Vec::new(); set.states()];
    let mut first = 0;
    for predicate in predicates {
        for (state, row) in meeting(set, predicate, budget)?.into_iter().enumerate() {
            met[state].extend(row.ones().map(|one| first + one));
        }
        first += predicate.states();
    }
    let mut numbers = BTreeMap::new();
    let label = |met: Vec<usize>| {
        let fresh = State::from_index(numbers.len());
        *numbers.entry(met).or_insert(fresh)
    };
    Ok(met.into_iter().map(label).collect())
}
