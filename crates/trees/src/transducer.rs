//! Linear bottom-up tree transducers: a step that reads one tree and writes another.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::build::Build;
use crate::instances::{assigned, instances};
use crate::{Alphabet, Rule, State, Symbol, Term, TreeAutomaton};

/// A rule `f(q1(x1),…,qn(xn)) -> q(u)`: a tree with `f` on top becomes `u`, where the variable
/// `i` of `u` is what became of the child `i`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransducerRule {
    /// What is read on top; nothing if only the state changes and something is added on top.
    pub symbol: Option<Symbol>,
    /// The states of the children; one state if nothing is read.
    pub children: Box<[State]>,
    /// The state of the whole.
    pub target: State,
    /// What is written; no variable occurs twice.
    pub output: Term,
}

/// A relation between trees. Rules whose output has every variable at most once keep sets
/// regular in both directions, which is why others are refused.
#[derive(Debug, Clone)]
pub struct Transducer {
    alphabet: Arc<Alphabet>,
    accepting: Bits,
    rules: Vec<TransducerRule>,
    names: Vec<String>,
}

impl Transducer {
    /// A transducer with as many states as `accepting` has places.
    ///
    /// # Panics
    /// If a rule is not linear or names what is not there: readers check that before.
    pub fn new(alphabet: Arc<Alphabet>, accepting: Bits, rules: Vec<TransducerRule>) -> Self {
        for rule in &rules {
            let mut all = rule.children.iter().chain([&rule.target]);
            assert!(all.all(|&state| state.index() < accepting.len()));
            let arity = rule.symbol.map_or(1, |symbol| alphabet.arity(symbol));
            assert_eq!(arity, rule.children.len());
            let mut variables = rule.output.variables();
            assert!(variables.all(|one| (one as usize) < arity) && rule.output.is_linear());
        }
        Transducer {
            alphabet,
            accepting,
            rules,
            names: Vec::new(),
        }
    }

    /// With names for the states, for people.
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// What a state is called.
    pub fn name(&self, state: State) -> String {
        let name = self.names.get(state.index()).cloned();
        name.unwrap_or_else(|| format!("q{state}"))
    }

    /// The symbols.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The accepting states.
    pub fn accepting(&self) -> &Bits {
        &self.accepting
    }

    /// The rules.
    pub fn rules(&self) -> &[TransducerRule] {
        &self.rules
    }

    /// Whether every rule only changes a symbol for another one with the same children.
    pub fn keeps_shape(&self) -> bool {
        let is_shallow = |rule: &TransducerRule| {
            let pieces = rule.output.pieces();
            let mut variables = pieces[1..].iter().enumerate();
            let in_order =
                |(at, piece): (usize, &crate::Piece)| *piece == crate::Piece::Variable(at as u32);
            rule.symbol.is_some()
                && matches!(pieces[0], crate::Piece::Node(_))
                && pieces.len() == rule.children.len() + 1
                && variables.all(in_order)
        };
        self.rules.iter().all(is_shallow)
    }

    /// The same relation over an alphabet that maps this one.
    #[must_use]
    pub fn over(&self, alphabet: Arc<Alphabet>, numbers: &[Symbol]) -> Self {
        let rule = |rule: &TransducerRule| TransducerRule {
            symbol: rule.symbol.map(|symbol| numbers[symbol.index()]),
            output: rule.output.renamed(numbers),
            ..rule.clone()
        };
        let rules = self.rules.iter().map(rule).collect();
        Transducer::new(alphabet, self.accepting.clone(), rules).named(self.names.clone())
    }

    /// What the trees of a set can become.
    pub fn image(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        let (this, set) = self.beside(set);
        let mut build = Build::default();
        let mut pairs: FxHashMap<(State, State), State> = FxHashMap::default();
        // A rule of each fires once all pairs of their children are there.
        let mut combined: Vec<(&TransducerRule, Option<&Rule>, usize)> = Vec::new();
        let mut waiting: FxHashMap<(State, State), Vec<usize>> = FxHashMap::default();
        let mut ready = Vec::new();
        for rule in &this.rules {
            let Some(symbol) = rule.symbol else {
                continue;
            };
            for with in set.rules_for(symbol) {
                budget.charge(1)?;
                let children = with
                    .children
                    .iter()
                    .copied()
                    .zip(rule.children.iter().copied());
                for pair in children {
                    waiting.entry(pair).or_default().push(combined.len());
                }
                if rule.children.is_empty() {
                    ready.push(combined.len());
                }
                combined.push((rule, Some(with), rule.children.len()));
            }
        }
        let mut todo: Vec<(State, State)> = Vec::new();
        loop {
            if let Some(pair) = todo.pop() {
                for &user in waiting.get(&pair).map_or(&[][..], Vec::as_slice) {
                    combined[user].2 -= 1;
                    if combined[user].2 == 0 {
                        ready.push(user);
                    }
                }
                let silent = this.rules.iter();
                for rule in silent.filter(|one| one.symbol.is_none() && one.children[0] == pair.1) {
                    budget.charge(1)?;
                    let from = pairs[&pair];
                    let to = (pair.0, rule.target);
                    let target = *pairs.entry(to).or_insert_with(|| {
                        todo.push(to);
                        build.state()
                    });
                    build.emit(&rule.output, &|_| from, target);
                }
                continue;
            }
            let Some(number) = ready.pop() else {
                break;
            };
            budget.charge(1)?;
            let (rule, Some(with), _) = combined[number] else {
                continue;
            };
            let to = (with.target, rule.target);
            let target = *pairs.entry(to).or_insert_with(|| {
                todo.push(to);
                build.state()
            });
            let child = |place: u32| {
                let place = place as usize;
                pairs[&(with.children[place], rule.children[place])]
            };
            build.emit(&rule.output, &child, target);
        }
        for (&(state, own), &number) in &pairs {
            if set.accepts_in(state) && this.accepting.contains(own.index()) {
                build.accepting.push(number);
            }
        }
        build.finish(set.alphabet().clone(), budget)
    }

    /// What can become a tree of a set.
    pub fn preimage(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        let (this, set) = self.beside(set);
        let mut build = Build::default();
        // State (q, b): becomes something in b, in state q; (q, none): becomes something.
        let width = set.states() + 1;
        let free = State::from_index(set.states());
        build.states = this.states().saturating_mul(width);
        if u32::try_from(build.states).is_err() {
            return Err(Stop::bound("the states of a pre-image", u32::MAX.into()));
        }
        let pair =
            |own: State, state: State| State::from_index(own.index() * width + state.index());
        for rule in &this.rules {
            let found = instances(&set, &rule.output, &|_, _| false, budget)?;
            let all = found.iter().map(|(state, given)| (*state, Some(given)));
            for (state, given) in all.chain([(free, None)]) {
                budget.charge(1)?;
                let child = |(place, &own): (usize, &State)| {
                    let state = given.and_then(|given| assigned(given, place as u32));
                    pair(own, state.unwrap_or(free))
                };
                let children: Box<[State]> = rule.children.iter().enumerate().map(child).collect();
                let target = pair(rule.target, state);
                match rule.symbol {
                    Some(symbol) => build.rules.push(Rule {
                        symbol,
                        children,
                        target,
                    }),
                    None => build.silent.push((children[0], target)),
                }
            }
        }
        for own in this.accepting.ones() {
            let states = set.accepting().ones();
            let accepting =
                states.map(|state| pair(State::from_index(own), State::from_index(state)));
            build.accepting.extend(accepting);
        }
        build.finish(set.alphabet().clone(), budget)
    }

    /// The relation and a set over one alphabet, that of the set first.
    fn beside(&self, set: &TreeAutomaton) -> (Transducer, TreeAutomaton) {
        if **set.alphabet() == *self.alphabet {
            return (self.clone(), set.clone());
        }
        let mut alphabet = (**set.alphabet()).clone();
        let numbers = alphabet.join(&self.alphabet);
        let same: Vec<Symbol> = (set.alphabet().symbols())
            .map(|(symbol, ..)| symbol)
            .collect();
        let alphabet = Arc::new(alphabet);
        let set = set.over(alphabet.clone(), &same);
        (self.over(alphabet, &numbers), set)
    }
}
