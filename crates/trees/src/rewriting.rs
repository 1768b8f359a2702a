//! Term rewriting as a step: some subtree that fits the left side of a rule becomes its right
//! side.

use std::sync::Arc;

use quotient_core::{Budget, Stop};

use crate::build::Build;
use crate::instances::{Assignment, assigned, instances};
use crate::{Alphabet, Rule, State, Symbol, Term, Tree, TreeAutomaton, meeting};

/// A rule `l -> r`; the variables of `r` are among those of `l`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewriteRule {
    /// What is replaced.
    pub left: Term,
    /// By what.
    pub right: Term,
}

/// Two terms that an approximation may take for the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equation {
    /// One side.
    pub left: Term,
    /// The other one.
    pub right: Term,
}

/// A set of rewriting rules.
#[derive(Debug, Clone)]
pub struct RewriteSystem {
    /// The symbols.
    pub alphabet: Arc<Alphabet>,
    /// The rules.
    pub rules: Vec<RewriteRule>,
    /// The names of the variables, by number.
    pub variables: Vec<String>,
}

impl RewriteSystem {
    /// The same system over an alphabet that maps this one.
    #[must_use]
    pub fn over(&self, alphabet: Arc<Alphabet>, numbers: &[Symbol]) -> Self {
        let rule = |rule: &RewriteRule| RewriteRule {
            left: rule.left.renamed(numbers),
            right: rule.right.renamed(numbers),
        };
        RewriteSystem {
            alphabet,
            rules: self.rules.iter().map(rule).collect(),
            variables: self.variables.clone(),
        }
    }

    /// Whether no variable occurs twice on a side: then images and pre-images are exact.
    pub fn is_linear(&self) -> bool {
        let linear = |rule: &RewriteRule| rule.left.is_linear() && rule.right.is_linear();
        self.rules.iter().all(linear)
    }

    /// What the trees of a set, over the same alphabet, can become in one step. Where a variable
    /// occurs twice on a side, more trees may be in it.
    pub fn image(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        let rules: Vec<(&Term, &Term)> = self.rules.iter().map(|r| (&r.left, &r.right)).collect();
        one_step(set, &rules, budget)
    }

    /// What can become a tree of a set in one step, with the same reservation.
    pub fn preimage(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        let rules: Vec<(&Term, &Term)> = self.rules.iter().map(|r| (&r.right, &r.left)).collect();
        one_step(set, &rules, budget)
    }

    /// The trees that one tree can become in one step, each with the number of the rule.
    pub fn successors(&self, tree: &Tree) -> Vec<(usize, Tree)> {
        let mut found = Vec::new();
        for place in 0..tree.size() {
            for (number, rule) in self.rules.iter().enumerate() {
                let filled =
                    (rule.left.matched(tree, place)).and_then(|trees| rule.right.filled(&trees));
                found.extend(filled.map(|right| (number, tree.with(place, &right))));
            }
        }
        found
    }
}

/// Replaces one instance of a left side somewhere: a state `n + q` is `q` with one replacement
/// inside.
fn one_step(
    set: &TreeAutomaton,
    rules: &[(&Term, &Term)],
    budget: &Budget,
) -> Result<TreeAutomaton, Stop> {
    let set = set.trimmed();
    let states = set.states();
    let inside = |state: State| State::from_index(states + state.index());
    let mut build = Build {
        states: 2 * states,
        rules: set.rules().to_vec(),
        ..Build::default()
    };
    for rule in set.rules() {
        budget.charge(rule.children.len() as u64 + 1)?;
        for place in 0..rule.children.len() {
            let mut changed = rule.clone();
            changed.children[place] = inside(rule.children[place]);
            changed.target = inside(rule.target);
            build.rules.push(changed);
        }
    }
    let meeting = match rules.iter().all(|(from, _)| from.is_linear()) {
        true => Vec::new(),
        false => meeting(&set, &set, budget)?,
    };
    let meet = |one: State, other: State| {
        let row = meeting.get(one.index());
        row.is_some_and(|row| row.contains(other.index()))
    };
    let mut anything = None;
    for (from, to) in rules {
        let found = instances(&set, from, &meet, budget)?;
        for (state, given) in found {
            budget.charge(to.pieces().len() as u64)?;
            let free = to.variables().any(|one| assigned(&given, one).is_none());
            if free && anything.is_none() {
                anything = Some(build.state());
            }
            let variable = |one| assigned(&given, one).or(anything).unwrap_or(state);
            build.emit(to, &variable, inside(state));
        }
    }
    if let Some(state) = anything {
        let all = set.alphabet().symbols();
        build.rules.extend(all.map(|(symbol, _, arity)| Rule {
            symbol,
            children: vec![state; arity].into(),
            target: state,
        }));
    }
    let accepting = set.accepting().ones();
    build.accepting = accepting
        .map(|state| State::from_index(states + state))
        .collect();
    build.finish(set.alphabet().clone(), budget)
}

/// Merges states that equations make the same, as long as `label`, their class by something else,
/// is the same for both; the label of a merged state is that of its members. Gives the class of
/// each state, and how many there are. (Genet 2009: the simplification of completion by
/// equations.)
pub fn merge_by_equations(
    set: &TreeAutomaton,
    equations: &[Equation],
    label: &[State],
    budget: &Budget,
) -> Result<(Vec<State>, usize), Stop> {
    let mut class: Vec<State> = set.all_states().collect();
    let mut count = set.states();
    loop {
        let merged = set.merged(&class, count);
        let mut labels = vec![State::from_index(0); count];
        for (state, &class) in class.iter().enumerate() {
            labels[class.index()] = label[state];
        }
        let mut leader: Vec<State> = merged.all_states().collect();
        for equation in equations {
            let left = instances(&merged, &equation.left, &|_, _| false, budget)?;
            let right = instances(&merged, &equation.right, &|_, _| false, budget)?;
            for (one, given) in &left {
                for (other, also) in &right {
                    budget.charge(1)?;
                    if labels[one.index()] == labels[other.index()] && agree(given, also) {
                        let (one, other) = (find(&leader, *one), find(&leader, *other));
                        leader[one.max(other).index()] = one.min(other);
                    }
                }
            }
        }
        // A leader is the first of its class: it has its number before the others ask for it.
        let mut numbers: Vec<State> = Vec::with_capacity(count);
        let mut next = 0;
        for state in merged.all_states() {
            let top = find(&leader, state);
            numbers.push(match top == state {
                true => State::from_index(next),
                false => numbers[top.index()],
            });
            next += usize::from(top == state);
        }
        for one in &mut class {
            *one = numbers[one.index()];
        }
        if next == count {
            return Ok((class, count));
        }
        count = next;
    }
}

fn find(leader: &[State], mut state: State) -> State {
    while leader[state.index()] != state {
        state = leader[state.index()];
    }
    state
}

/// Whether two assignments give the same states to the variables that both have.
fn agree(one: &Assignment, other: &Assignment) -> bool {
    let mut shared = one.iter();
    shared.all(|&(variable, state)| assigned(other, variable).is_none_or(|also| also == state))
}
