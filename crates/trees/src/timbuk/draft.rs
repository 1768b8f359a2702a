//! Machines of numbers, while the alphabet is not known in full.

use std::sync::Arc;

use quotient_bits::Bits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::Build;
use crate::{Alphabet, Rule, State, Symbol, Transducer, TransducerRule, TreeAutomaton};

/// An automaton before the alphabet is known in full.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) build: Build,
    pub(super) output: Vec<TransducerRule>,
    pub(super) names: Vec<String>,
}

impl Draft {
    pub(super) fn automaton(self, alphabet: &Arc<Alphabet>, numbers: &[Symbol]) -> TreeAutomaton {
        let mut names = self.names;
        for number in names.len()..self.build.states {
            names.push(format!("q{number}'"));
        }
        let mut accepting = Bits::with_capacity(self.build.states);
        accepting.extend(self.build.accepting.iter().map(|&state| state.index()));
        let mut rules = self.build.rules;
        for rule in &mut rules {
            rule.symbol = numbers[rule.symbol.index()];
        }
        TreeAutomaton::new(alphabet.clone(), accepting, rules).named(names)
    }

    pub(super) fn transducer(self, alphabet: &Arc<Alphabet>, numbers: &[Symbol]) -> Transducer {
        let mut accepting = Bits::with_capacity(self.names.len());
        accepting.extend(self.build.accepting.iter().map(|&state| state.index()));
        let rules = self.output.into_iter().map(|rule| TransducerRule {
            symbol: rule.symbol.map(|symbol| numbers[symbol.index()]),
            output: rule.output.renamed(numbers),
            ..rule
        });
        Transducer::new(alphabet.clone(), accepting, rules.collect()).named(self.names)
    }
}

/// The most rules that those between states may add to an automaton.
pub(super) const MOST_RULES: usize = 4_000_000;

/// Adds what rules between states mean: whatever is in the first state is in the second one.
/// Whether that was possible: each rule may be there once for every state that is reached.
pub(super) fn close_silent(build: &mut Build, silent: &[(State, State)]) -> bool {
    let mut next: FxHashMap<State, Vec<State>> = FxHashMap::default();
    for &(from, to) in silent {
        next.entry(from).or_default().push(to);
    }
    let mut by_target: FxHashMap<State, Vec<usize>> = FxHashMap::default();
    for (number, rule) in build.rules.iter().enumerate() {
        if next.contains_key(&rule.target) {
            by_target.entry(rule.target).or_default().push(number);
        }
    }
    let mut targets: Vec<(State, Vec<usize>)> = by_target.into_iter().collect();
    targets.sort_unstable();
    let mut more: Vec<Rule> = Vec::new();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    // Looking where states lead is work, also where it adds few rules.
    let mut left = MOST_RULES;
    for (target, rules) in targets {
        seen.clear();
        seen.insert(target);
        let mut open = vec![target];
        while let Some(state) = open.pop() {
            for &to in next.get(&state).into_iter().flatten() {
                let work = if seen.contains(&to) {
                    1
                } else {
                    1 + rules.len()
                };
                let Some(less) = left.checked_sub(work) else {
                    return false;
                };
                left = less;
                if seen.insert(to) {
                    open.push(to);
                    more.extend(rules.iter().map(|&number| Rule {
                        target: to,
                        ..build.rules[number].clone()
                    }));
                }
            }
        }
    }
    let known: FxHashSet<&Rule> = build.rules.iter().collect();
    more.retain(|rule| !known.contains(rule));
    more.sort_unstable();
    more.dedup();
    build.rules.append(&mut more);
    true
}
