//! Tree automata completion: an automaton that grows until rewriting does not lead out of it.
//!
//! Where a left side with states for its variables is in a state, the right side must be, too; if
//! it is not, rules are added that put it there (Genet 1998). Every state then holds whatever its
//! trees can become. Most often that never ends by itself: states are merged between rounds.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instances::{Assignment, assigned, instances};
use crate::{Piece, RewriteRule, Rule, State, Symbol, Term, TreeAutomaton, meeting};

/// An automaton that is being completed.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_trees::{Completion, timbuk};
/// let text = "Ops f:1 g:1 a:0\nVars x\nTRS R\nf(x) -> g(x)\n\
///             Automaton A States p q Final States q Transitions a -> p f(p) -> q f(q) -> q";
/// let file = timbuk::read(&Source::new("a", text)).unwrap();
/// let mut completion = Completion::new(&file.automata[0].automaton);
/// let (rules, budget) = (&file.systems[0].system.rules, Budget::unlimited());
/// while completion.round(rules, &budget).unwrap() {}
/// let done = completion.automaton();
/// assert!(done.contains(&quotient_trees::Tree::read("g(f(g(a)))", done.alphabet()).unwrap()));
/// ```
#[derive(Debug, Clone)]
pub struct Completion {
    automaton: TreeAutomaton,
    /// The rules without what silent steps make of them.
    own: Vec<Rule>,
    /// Whether a right side is in a state of its own, from which a silent step leads to where
    /// the left side is.
    apart: bool,
    /// The states made for inner parts of right sides, by what was put there first: a state has
    /// that and what it can become.
    made: FxHashMap<(Symbol, Box<[State]>), State>,
    /// A tree in the first state is in the second one, too.
    silent: FxHashSet<(State, State)>,
}

impl Completion {
    /// To be completed: what the trees of a set can become.
    pub fn new(set: &TreeAutomaton) -> Completion {
        let automaton = set.trimmed();
        Completion {
            own: automaton.rules().to_vec(),
            automaton,
            apart: false,
            made: FxHashMap::default(),
            silent: FxHashSet::default(),
        }
    }

    /// The same where every right side has a state of its own, so that [`Completion::before`]
    /// tells what a tree is from what it can become: equations are about the first.
    pub fn apart(set: &TreeAutomaton) -> Completion {
        Completion {
            apart: true,
            ..Completion::new(set)
        }
    }

    /// The automaton so far, where a state holds only what was put there, not what that becomes.
    pub fn before(&self) -> TreeAutomaton {
        let accepting = self.automaton.accepting().clone();
        TreeAutomaton::new(
            self.automaton.alphabet().clone(),
            accepting,
            self.own.clone(),
        )
    }

    /// The automaton so far.
    pub fn automaton(&self) -> &TreeAutomaton {
        &self.automaton
    }

    /// Adds what is missing for one step from what was there; says whether anything was. If
    /// nothing was, no step by a rule leads out of the set, or of what any of its states holds.
    pub fn round(&mut self, rules: &[RewriteRule], budget: &Budget) -> Result<bool, Stop> {
        let linear = rules.iter().all(|rule| rule.left.is_linear());
        let meeting = match linear {
            true => Vec::new(),
            false => meeting(&self.automaton, &self.automaton, budget)?,
        };
        let meet = |one: State, other: State| {
            let row = meeting.get(one.index());
            row.is_some_and(|row| row.contains(other.index()))
        };
        let mut grown = Grown {
            states: self.automaton.states(),
            rules: Vec::new(),
            new: FxHashSet::default(),
        };
        let mut changed = false;
        for rule in rules {
            for (state, given) in instances(&self.automaton, &rule.left, &meet, budget)? {
                budget.charge(rule.right.pieces().len() as u64)?;
                if !self.holds(&rule.right, &given, state) {
                    changed |= self.put(&rule.right, &given, state, &mut grown);
                }
            }
        }
        if changed {
            self.grow(grown.states, grown.rules, budget)?;
        }
        Ok(changed)
    }

    /// Merges states: `class` gives each its new number below `count`.
    pub fn merge(&mut self, class: &[State], count: usize, budget: &Budget) -> Result<(), Stop> {
        self.automaton = self.automaton.merged(class, count);
        let new = |state: State| class[state.index()];
        for rule in &mut self.own {
            rule.children
                .iter_mut()
                .for_each(|child| *child = new(*child));
            rule.target = new(rule.target);
        }
        self.own.sort_unstable();
        self.own.dedup();
        // Of states that were made for the same and are not merged, the first one is used on.
        let mut old: Vec<_> = std::mem::take(&mut self.made).into_iter().collect();
        old.sort_unstable();
        for ((symbol, children), state) in old {
            let children = children.iter().map(|&child| new(child)).collect();
            self.made.entry((symbol, children)).or_insert(new(state));
        }
        let silent = std::mem::take(&mut self.silent).into_iter();
        let silent = silent.map(|(from, to)| (new(from), new(to)));
        self.silent = silent.filter(|(from, to)| from != to).collect();
        // What was merged into a state goes where that goes.
        self.grow(count, Vec::new(), budget)
    }

    /// Whether a term, with states for its variables, is in a state by the rules that are there.
    fn holds(&self, term: &Term, given: &Assignment, state: State) -> bool {
        let top = term.fold(|piece, children: Vec<Vec<State>>| match piece {
            Piece::Variable(number) => assigned(given, number).into_iter().collect(),
            Piece::Node(node) => {
                let fits = |rule: &&Rule| {
                    let mut pairs = rule.children.iter().zip(&children);
                    pairs.all(|(child, possible)| possible.contains(child))
                };
                let rules = self.automaton.rules_for(node.symbol).iter();
                let mut found: Vec<State> = rules.filter(fits).map(|rule| rule.target).collect();
                found.sort_unstable();
                found.dedup();
                found
            }
        });
        let silently = |&from: &State| from == state || self.silent.contains(&(from, state));
        top.iter().any(silently)
    }

    /// Puts a term into a state; says whether that is anything new.
    fn put(&mut self, term: &Term, given: &Assignment, state: State, grown: &mut Grown) -> bool {
        let mut left = term.pieces().len();
        let mut changed = false;
        let top = term.fold(|piece, children: Vec<State>| {
            left -= 1;
            match piece {
                Piece::Variable(number) => assigned(given, number).unwrap_or(state),
                Piece::Node(node) if left == 0 && !self.apart => {
                    changed |= grown.add(node.symbol, children.into(), state);
                    state
                }
                Piece::Node(node) => {
                    let key: (Symbol, Box<[State]>) = (node.symbol, children.into());
                    if let Some(&known) = self.made.get(&key) {
                        return known;
                    }
                    let fresh = State::from_index(grown.states);
                    grown.states += 1;
                    changed |= grown.add(key.0, key.1.clone(), fresh);
                    self.made.insert(key, fresh);
                    fresh
                }
            }
        });
        if top != state {
            changed |= self.silent.insert((top, state));
        }
        changed
    }

    /// The automaton with new rules, and with what silent steps make of all of them.
    fn grow(&mut self, states: usize, more: Vec<Rule>, budget: &Budget) -> Result<(), Stop> {
        let mut accepting = self.automaton.accepting().clone();
        accepting.grow(states);
        let mut next: Vec<Vec<State>> = vec![Vec::new(); states];
        for &(from, to) in &self.silent {
            next[from.index()].push(to);
        }
        self.own.extend(more);
        let mut rules = self.own.clone();
        let mut more = Vec::new();
        for rule in &rules {
            let mut seen = Bits::with_capacity(states);
            let mut todo = vec![rule.target];
            seen.insert(rule.target.index());
            while let Some(here) = todo.pop() {
                budget.charge(1)?;
                for &to in &next[here.index()] {
                    if !seen.put(to.index()) {
                        todo.push(to);
                        more.push(Rule {
                            target: to,
                            ..rule.clone()
                        });
                    }
                }
            }
        }
        rules.append(&mut more);
        budget.charge(rules.len() as u64)?;
        let alphabet = self.automaton.alphabet().clone();
        self.automaton = TreeAutomaton::new(alphabet, accepting, rules);
        Ok(())
    }
}

/// What a round adds.
struct Grown {
    states: usize,
    rules: Vec<Rule>,
    new: FxHashSet<Rule>,
}

impl Grown {
    fn add(&mut self, symbol: Symbol, children: Box<[State]>, target: State) -> bool {
        let rule = Rule {
            symbol,
            children,
            target,
        };
        let fresh = self.new.insert(rule.clone());
        if fresh {
            self.rules.push(rule);
        }
        fresh
    }
}
