//! Determinising: a tree is in the set of all states that it can be in.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Rule, State, Symbol, TreeAutomaton};

/// An automaton for the same set in which every tree is in at most one state. States that no
/// tree reaches are left out, and trees in no state stay so.
pub fn determinise(automaton: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
    Subsets::new(&automaton.trimmed(), false).close(budget)
}

/// The same where every tree is in exactly one state.
pub(crate) fn complete(automaton: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
    Subsets::new(&automaton.trimmed(), true).close(budget)
}

/// The subset construction under way.
struct Subsets<'a> {
    automaton: &'a TreeAutomaton,
    /// Whether the empty set of states is a state.
    with_empty: bool,
    numbers: FxHashMap<Bits, State>,
    sets: Vec<Bits>,
    /// By symbol of at least one child, and by child: which rules of the symbol each set fits,
    /// as the number of a distinct set of rules, and these.
    columns: Vec<Vec<Column>>,
    rules: Vec<Rule>,
}

/// One place below one symbol: sets of states that fit the same rules there are alike.
#[derive(Default)]
struct Column {
    kinds: Vec<Bits>,
    numbers: FxHashMap<Bits, usize>,
    /// By kind, the sets of this kind.
    members: Vec<Vec<State>>,
}

impl<'a> Subsets<'a> {
    fn new(automaton: &'a TreeAutomaton, with_empty: bool) -> Self {
        let symbols = automaton.alphabet().symbols();
        let columns = symbols
            .map(|(_, _, arity)| (0..arity).map(|_| Column::default()).collect())
            .collect();
        Subsets {
            automaton,
            with_empty,
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            columns,
            rules: Vec::new(),
        }
    }

    fn close(mut self, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        let alphabet = self.automaton.alphabet().clone();
        for (symbol, _, arity) in alphabet.symbols() {
            if arity == 0 {
                let all = Bits::with_capacity(0);
                self.fire(symbol, &all, Vec::new().into(), true);
            }
        }
        let mut next = 0;
        while next < self.sets.len() {
            for (symbol, _, arity) in alphabet.symbols() {
                for place in 0..arity {
                    self.enter(symbol, place, State::from_index(next));
                }
                // Tuples with the new set at `first`, older ones before it.
                for first in 0..arity {
                    self.tuples(symbol, arity, first, State::from_index(next), budget)?;
                }
            }
            next += 1;
        }
        let mut accepting = Bits::with_capacity(self.sets.len());
        let accepts = |set: &Bits| !set.is_disjoint(self.automaton.accepting());
        let all = self.sets.iter().enumerate();
        accepting.extend(
            all.filter(|(_, set)| accepts(set))
                .map(|(number, _)| number),
        );
        Ok(TreeAutomaton::new(alphabet, accepting, self.rules))
    }

    /// Notes which rules of a symbol a set fits at a place.
    fn enter(&mut self, symbol: Symbol, place: usize, set: State) {
        let rules = self.automaton.rules_for(symbol);
        let states = &self.sets[set.index()];
        let mut kind = Bits::with_capacity(rules.len());
        for (number, rule) in rules.iter().enumerate() {
            kind.set(number, states.contains(rule.children[place].index()));
        }
        let column = &mut self.columns[symbol.index()][place];
        let number = *column.numbers.entry(kind.clone()).or_insert_with(|| {
            column.kinds.push(kind);
            column.members.push(Vec::new());
            column.kinds.len() - 1
        });
        column.members[number].push(set);
    }

    /// All tuples with the newest set at one place, older ones before it and any after it.
    fn tuples(
        &mut self,
        symbol: Symbol,
        arity: usize,
        first: usize,
        new: State,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut all = Bits::with_capacity(self.automaton.rules_for(symbol).len());
        all.insert_range(..);
        // Kinds first: what no rule fits is not looked at any further unless it is asked for.
        let mut todo: Vec<(Bits, Vec<State>)> = vec![(all, Vec::new())];
        while let Some((fitting, tuple)) = todo.pop() {
            budget.charge(1)?;
            let place = tuple.len();
            if place == arity {
                self.fire(symbol, &fitting, tuple.into(), false);
                continue;
            }
            let column = &self.columns[symbol.index()][place];
            for (kind, members) in column.kinds.iter().zip(&column.members) {
                let mut left = fitting.clone();
                left.intersect_with(kind);
                if left.is_clear() && !self.with_empty {
                    continue;
                }
                for &member in members {
                    let fits = match place.cmp(&first) {
                        std::cmp::Ordering::Less => member < new,
                        std::cmp::Ordering::Equal => member == new,
                        std::cmp::Ordering::Greater => member <= new,
                    };
                    if fits {
                        budget.charge(1)?;
                        let mut longer = tuple.clone();
                        longer.push(member);
                        todo.push((left.clone(), longer));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the rule for a tuple whose fitting rules are known.
    fn fire(&mut self, symbol: Symbol, fitting: &Bits, children: Box<[State]>, all: bool) {
        let rules = self.automaton.rules_for(symbol);
        let mut set = Bits::with_capacity(self.automaton.states());
        for (number, rule) in rules.iter().enumerate() {
            if all || fitting.contains(number) {
                set.insert(rule.target.index());
            }
        }
        if set.is_clear() && !self.with_empty {
            return;
        }
        let target = *self.numbers.entry(set.clone()).or_insert_with(|| {
            self.sets.push(set);
            State::from_index(self.sets.len() - 1)
        });
        self.rules.push(Rule {
            symbol,
            children,
            target,
        });
    }
}
