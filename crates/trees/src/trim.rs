//! Which states matter; emptiness with a smallest witness.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::{Node, Rule, State, Tree, TreeAutomaton};

/// The largest witness that is written out: the smallest tree may be exponential in the states.
const LARGEST: u64 = 1_000_000;

impl TreeAutomaton {
    /// The automaton without states that no tree reaches or that lead to no accepting one.
    #[must_use]
    pub fn trimmed(&self) -> TreeAutomaton {
        let mut useful = self.productive();
        useful.intersect_with(&self.leading(&useful));
        match useful.count_ones(..) == self.states() {
            true => self.clone(),
            false => self.restricted(&useful),
        }
    }

    /// The states that some tree is in.
    pub fn productive(&self) -> Bits {
        let sizes = self.smallest_sizes();
        let mut found = Bits::with_capacity(self.states());
        let all = sizes.iter().enumerate();
        found.extend(
            all.filter(|(_, best)| best.is_some())
                .map(|(state, _)| state),
        );
        found
    }

    /// The states from which an accepting one can be reached beside productive ones.
    fn leading(&self, productive: &Bits) -> Bits {
        let is_productive = |rule: &&Rule| {
            let mut children = rule.children.iter();
            children.all(|&child| productive.contains(child.index()))
        };
        let mut into: Vec<Vec<&Rule>> = vec![Vec::new(); self.states()];
        for rule in self.rules().iter().filter(is_productive) {
            into[rule.target.index()].push(rule);
        }
        let mut found = self.accepting().clone();
        let mut todo: Vec<usize> = found.ones().collect();
        while let Some(state) = todo.pop() {
            for rule in &into[state] {
                for &child in &rule.children {
                    if !found.put(child.index()) {
                        todo.push(child.index());
                    }
                }
            }
        }
        found
    }

    /// Whether there is no tree in the set.
    pub fn is_empty(&self) -> bool {
        self.productive().is_disjoint(self.accepting())
    }

    /// A smallest tree of the set; nothing if it is empty. (Knuth 1977: Dijkstra's algorithm on
    /// rules instead of edges.)
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_trees::timbuk;
    /// let text = "Automaton A\nStates p q\nFinal States q\nTransitions\n\
    ///             a -> p\nf(p,p) -> q\ng(f(p,p)) -> q\n";
    /// let file = timbuk::read(&Source::new("a", text)).unwrap();
    /// let automaton = &file.automata[0].automaton;
    /// let tree = automaton.witness().unwrap().unwrap();
    /// assert_eq!(tree.text(automaton.alphabet()), "f(a,a)");
    /// ```
    pub fn witness(&self) -> Result<Option<Tree>, Stop> {
        let sizes = self.smallest_sizes();
        let best = self
            .accepting()
            .ones()
            .filter_map(|state| Some((sizes[state]?.0, state)));
        let Some((size, state)) = best.min() else {
            return Ok(None);
        };
        if size > LARGEST {
            return Err(Stop::bound("the nodes of the smallest tree", LARGEST));
        }
        let mut nodes = Vec::with_capacity(size as usize);
        let mut todo = vec![State::from_index(state)];
        while let Some(state) = todo.pop() {
            let Some((_, rule)) = sizes[state.index()] else {
                continue;
            };
            let rule = &self.rules()[rule];
            nodes.push(Node {
                symbol: rule.symbol,
                arity: rule.children.len() as u32,
            });
            todo.extend(rule.children.iter().rev());
        }
        Ok(Tree::new(nodes))
    }

    /// By state: the size of its smallest tree, and the rule on top of it.
    fn smallest_sizes(&self) -> Vec<Option<(u64, usize)>> {
        let rules = self.rules();
        let mut missing: Vec<usize> = rules.iter().map(|rule| rule.children.len()).collect();
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); self.states()];
        let mut best: Vec<Option<(u64, usize)>> = vec![None; self.states()];
        let mut queue = BinaryHeap::new();
        for (number, rule) in rules.iter().enumerate() {
            for &child in &rule.children {
                uses[child.index()].push(number);
            }
            if rule.children.is_empty() {
                queue.push(Reverse((1u64, number)));
            }
        }
        while let Some(Reverse((size, number))) = queue.pop() {
            let state = rules[number].target.index();
            if best[state].is_some() {
                continue;
            }
            best[state] = Some((size, number));
            for &user in &uses[state] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    let sizes = rules[user].children.iter();
                    let sizes = sizes.filter_map(|&child| best[child.index()]);
                    let size = sizes.fold(1u64, |sum, (size, _)| sum.saturating_add(size));
                    queue.push(Reverse((size, user)));
                }
            }
        }
        best
    }

    /// Charges the size of the automaton: what any operation on it costs at least.
    pub(crate) fn charge(&self, budget: &Budget) -> Result<(), Stop> {
        budget.charge((self.rules().len() + self.states()) as u64 + 1)
    }
}
