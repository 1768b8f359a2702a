//! Inclusion by antichains.
//!
//! From the leaves, pairs of a state of the smaller automaton and the set of all states of the
//! larger one that the same tree can be in; of two pairs with the same state, the one with fewer
//! states on the other side is enough (Bouajjani, Habermehl, Holík, Touili, Vojnar 2008). A pair
//! whose state is simulated upward by one of the set leads to no counterexample and is dropped
//! (Abdulla, Chen, Holík, Mayr, Vojnar 2010).

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Node, Relation, Rule, State, Symbol, Tree, TreeAutomaton, union};

/// Whether one set lies in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inclusion {
    /// It does.
    Included,
    /// It does not: this tree is in the first set only.
    Not(Tree),
}

impl Inclusion {
    /// Whether it does.
    pub fn holds(&self) -> bool {
        matches!(self, Inclusion::Included)
    }
}

/// The largest counterexample that is written out.
const LARGEST: usize = 1_000_000;

/// Work that may go into a search without simulations.
const QUICK_WORK: u64 = 50_000;

/// Work that may go into simulations before the search begins.
const SIMULATION_WORK: u64 = 30_000_000;

/// Whether every tree of the first set is in the second one; if not, one that is not. The tree
/// is over the alphabet of the first automaton.
pub fn inclusion(
    small: &TreeAutomaton,
    large: &TreeAutomaton,
    budget: &Budget,
) -> Result<Inclusion, Stop> {
    let (small, large) = small.trimmed().together(&large.trimmed());
    small.charge(budget)?;
    large.charge(budget)?;
    if small.states() == 0 {
        return Ok(Inclusion::Included);
    }
    // Most questions are answered before a simulation would be there.
    let quick = budget.child_with_work(QUICK_WORK);
    match Search::new(&small, &large, None).run(&quick) {
        Err(Stop::Work) => budget.poll()?,
        answer => return answer,
    }
    let first = small.states();
    let both = union(&small, &large);
    let share = budget.child_with_work(SIMULATION_WORK);
    let upward = match Relation::downward(&both, &share) {
        Ok(downward) => {
            let covered = |state: usize| {
                let mut above = downward.above(State::from_index(state)).ones();
                above.any(|one| one >= first && both.accepting().contains(one))
            };
            if small.accepting().ones().all(covered) {
                return Ok(Inclusion::Included);
            }
            Relation::upward(&both, &downward, &share).ok()
        }
        Err(_) => None,
    };
    budget.poll()?;
    Search::new(&small, &large, upward).run(budget)
}

/// Whether two sets are the same; if not, a tree in only one of them, over the alphabet of the
/// one that it is in.
pub fn equivalence(
    one: &TreeAutomaton,
    other: &TreeAutomaton,
    budget: &Budget,
) -> Result<Inclusion, Stop> {
    match inclusion(one, other, budget)? {
        Inclusion::Included => inclusion(other, one, budget),
        not => Ok(not),
    }
}

/// Whether all trees over the alphabet of the automaton are in the set; if not, one that is not.
pub fn universality(automaton: &TreeAutomaton, budget: &Budget) -> Result<Inclusion, Stop> {
    let all = TreeAutomaton::all(automaton.alphabet().clone());
    inclusion(&all, automaton, budget)
}

/// A set of states of the larger automaton, with the tree that is in exactly these.
struct Member {
    set: usize,
    tree: usize,
}

struct Search<'a> {
    small: &'a TreeAutomaton,
    large: &'a TreeAutomaton,
    upward: Option<Relation>,
    /// By state of the smaller automaton: its sets, none in another.
    chains: Vec<Vec<Member>>,
    sets: Vec<Bits>,
    numbers: FxHashMap<Bits, usize>,
    /// Which rules for a symbol a set fits at a place.
    columns: FxHashMap<(Symbol, usize, usize), Bits>,
    /// Trees found so far, over each other.
    trees: Vec<(Symbol, Vec<usize>)>,
}

impl<'a> Search<'a> {
    fn new(small: &'a TreeAutomaton, large: &'a TreeAutomaton, upward: Option<Relation>) -> Self {
        Search {
            small,
            large,
            upward,
            chains: (0..small.states()).map(|_| Vec::new()).collect(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            columns: FxHashMap::default(),
            trees: Vec::new(),
        }
    }

    fn run(mut self, budget: &Budget) -> Result<Inclusion, Stop> {
        let small = self.small;
        let mut changed = Bits::with_capacity(small.states());
        let mut first = true;
        loop {
            let mut next = Bits::with_capacity(small.states());
            for rule in small.rules() {
                let mut children = rule.children.iter();
                let concerned = match first {
                    true => rule.children.is_empty(),
                    false => children.any(|&child| changed.contains(child.index())),
                };
                if !concerned {
                    continue;
                }
                for (fitting, trees) in self.combinations(rule, budget)? {
                    if let Some(tree) = self.add(rule, &fitting, trees, &mut next, budget)? {
                        return Ok(Inclusion::Not(self.tree(tree)?));
                    }
                }
            }
            if next.is_clear() {
                return Ok(Inclusion::Included);
            }
            changed = next;
            first = false;
        }
    }

    /// The least sets of rules of the larger automaton that fit the children of a rule, each
    /// with the trees below.
    fn combinations(
        &mut self,
        rule: &Rule,
        budget: &Budget,
    ) -> Result<Vec<(Bits, Vec<usize>)>, Stop> {
        let mut all = Bits::with_capacity(self.large.rules_for(rule.symbol).len());
        all.insert_range(..);
        let mut found: Vec<(Bits, Vec<usize>)> = vec![(all, Vec::new())];
        for (place, &child) in rule.children.iter().enumerate() {
            let mut next: Vec<(Bits, Vec<usize>)> = Vec::new();
            for at in 0..self.chains[child.index()].len() {
                let Member { set, tree } = self.chains[child.index()][at];
                self.column(rule.symbol, place, set);
                let column = &self.columns[&(rule.symbol, place, set)];
                for (fitting, trees) in &found {
                    budget.charge(1 + next.len() as u64)?;
                    let mut fitting = fitting.clone();
                    fitting.intersect_with(column);
                    if next.iter().any(|(other, _)| other.is_subset(&fitting)) {
                        continue;
                    }
                    next.retain(|(other, _)| !fitting.is_subset(other));
                    let mut trees = trees.clone();
                    trees.push(tree);
                    next.push((fitting, trees));
                }
            }
            found = next;
        }
        Ok(found)
    }

    fn column(&mut self, symbol: Symbol, place: usize, set: usize) {
        let (large, sets) = (self.large, &self.sets);
        self.columns.entry((symbol, place, set)).or_insert_with(|| {
            let rules = large.rules_for(symbol);
            let mut column = Bits::with_capacity(rules.len());
            for (number, rule) in rules.iter().enumerate() {
                let child = rule.children[place].index();
                column.set(number, sets[set].contains(child));
            }
            column
        });
    }

    /// Adds the pair that a rule leads to; the number of its tree if it is a counterexample.
    fn add(
        &mut self,
        rule: &Rule,
        fitting: &Bits,
        trees: Vec<usize>,
        next: &mut Bits,
        budget: &Budget,
    ) -> Result<Option<usize>, Stop> {
        let rules = self.large.rules_for(rule.symbol);
        let mut set = Bits::with_capacity(self.large.states());
        set.extend(fitting.ones().map(|number| rules[number].target.index()));
        let target = rule.target;
        let is_bad = self.small.accepts_in(target) && set.is_disjoint(self.large.accepting());
        if is_bad {
            self.trees.push((rule.symbol, trees));
            return Ok(Some(self.trees.len() - 1));
        }
        let first = self.small.states();
        let simulated = |upward: &Relation| {
            let mut set = set.ones();
            set.any(|state| upward.holds(target, State::from_index(first + state)))
        };
        if self.upward.as_ref().is_some_and(simulated) {
            return Ok(None);
        }
        let chain = &mut self.chains[target.index()];
        budget.charge(chain.len() as u64 + 1)?;
        if chain.iter().any(|one| self.sets[one.set].is_subset(&set)) {
            return Ok(None);
        }
        chain.retain(|one| !set.is_subset(&self.sets[one.set]));
        let number = match self.numbers.get(&set) {
            Some(&number) => number,
            None => {
                self.numbers.insert(set.clone(), self.sets.len());
                self.sets.push(set);
                self.sets.len() - 1
            }
        };
        self.trees.push((rule.symbol, trees));
        let tree = self.trees.len() - 1;
        chain.push(Member { set: number, tree });
        next.insert(target.index());
        Ok(None)
    }

    /// A tree that was found, written out.
    fn tree(&self, number: usize) -> Result<Tree, Stop> {
        let mut nodes = Vec::new();
        let mut todo = vec![number];
        while let Some(number) = todo.pop() {
            let (symbol, below) = &self.trees[number];
            nodes.push(Node {
                symbol: *symbol,
                arity: below.len() as u32,
            });
            todo.extend(below.iter().rev());
            if nodes.len() > LARGEST {
                return Err(Stop::bound("the nodes of a counterexample", LARGEST as u64));
            }
        }
        Tree::new(nodes).ok_or_else(|| Stop::inconclusive("a counterexample is no tree"))
    }
}
