//! Learning an invariant: what a table says of single trees becomes an automaton, and where it errs the table
//! grows.
//!
//! Where every step keeps the shape of a tree, only finitely many trees become each other, so that a plain
//! search says whether a tree is reached. From such answers Angluin's way of learning, for trees (Sakakibara
//! 1990; Drewes and Högberg 2003), makes an automaton. It need not be the set of all that is reached: a set that
//! no step leaves and that has no bad tree is enough (Chen, Hong, Lin and Rümmer 2017).

use std::collections::{HashMap, HashSet};

use quotient_bits::Bits;
use quotient_core::{Attempt, Budget, Context, Method, Stop, What};
use quotient_trees::{
    Alphabet, Rule, State, Symbol, Tree, TreeAutomaton, complement, intersection,
};

use crate::method::tell;
use crate::reached::Reached;
use crate::{Direction, Invariant, Run, System};

/// A search by learning.
#[derive(Debug)]
pub struct Learning<'a> {
    system: &'a System,
    bad: &'a TreeAutomaton,
    reached: Reached<'a>,
    table: Table,
}

impl<'a> Learning<'a> {
    /// A search; none if some step does not keep the shape of trees.
    pub fn new(system: &'a System, bad: &'a TreeAutomaton) -> Option<Learning<'a>> {
        Some(Learning {
            system,
            bad,
            reached: Reached::new(system)?,
            table: Table::new(system.initial.alphabet())?,
        })
    }

    /// A tree on which the hypothesis errs, or what it shows.
    fn judged(
        &mut self,
        hypothesis: TreeAutomaton,
        budget: &Budget,
    ) -> Result<Attempt<Invariant, Run, Tree>, Stop> {
        if let Some(tree) = intersection(&hypothesis, self.bad, budget)?.witness()? {
            return Ok(match self.reached.run_to(&tree, budget)? {
                Some(run) => Attempt::Refuted(run),
                None => Attempt::FalseAlarm(tree),
            });
        }
        let outside = complement(&hypothesis, budget)?;
        let begins = intersection(&self.system.initial, &outside, budget)?;
        if let Some(tree) = begins.witness()? {
            return Ok(Attempt::FalseAlarm(tree));
        }
        for (_, step) in &self.system.steps {
            let leaves = intersection(&step.image(&hypothesis, budget)?, &outside, budget)?;
            let Some(next) = leaves.witness()? else {
                continue;
            };
            if self.reached.is_reached(&next, budget)? {
                return Ok(Attempt::FalseAlarm(next));
            }
            let alone = TreeAutomaton::only(hypothesis.alphabet().clone(), &next);
            let before = intersection(&step.preimage(&alone, budget)?, &hypothesis, budget)?;
            let lost = || Stop::inconclusive("a step into a tree has no tree before it");
            return Ok(Attempt::FalseAlarm(before.witness()?.ok_or_else(lost)?));
        }
        Ok(Attempt::Proved(Invariant {
            direction: Direction::Forward,
            set: hypothesis,
        }))
    }
}

impl Method for Learning<'_> {
    type Proof = Invariant;
    type Trace = Run;
    type Spurious = Tree;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Invariant, Run, Tree>, Stop> {
        let budget = cx.budget.clone();
        let alphabet = self.system.initial.alphabet();
        let hypothesis = self
            .table
            .hypothesis(alphabet, &mut self.reached, &budget)?;
        tell(cx, 0, &hypothesis);
        self.judged(hypothesis, &budget)
    }

    fn refine(&mut self, erred: Tree, cx: &mut Context) -> Result<(), Stop> {
        let budget = cx.budget.clone();
        self.table.learn_from(&erred, &mut self.reached, &budget)?;
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: format!("learned from a tree of {} nodes", erred.size()),
            sizes: [].into(),
        });
        Ok(())
    }
}

/// What is known of trees in contexts.
#[derive(Debug)]
struct Table {
    /// A tree for each state.
    states: Vec<Tree>,
    /// Trees with a place where another subtree is put. The first one is nothing but that place.
    contexts: Vec<(Tree, usize)>,
    /// By tree: in which contexts it is reached, as far as that was asked.
    rows: HashMap<Tree, Vec<bool>>,
    /// The states by their rows.
    by_row: HashMap<Vec<bool>, usize>,
}

impl Table {
    fn new(alphabet: &Alphabet) -> Option<Table> {
        let (leaf, ..) = alphabet.symbols().find(|(_, _, arity)| *arity == 0)?;
        Some(Table {
            states: Vec::new(),
            contexts: vec![(Tree::above(leaf, &[]), 0)],
            rows: HashMap::new(),
            by_row: HashMap::new(),
        })
    }

    /// In which contexts a tree is reached.
    fn row(
        &mut self,
        tree: &Tree,
        reached: &mut Reached<'_>,
        budget: &Budget,
    ) -> Result<Vec<bool>, Stop> {
        let mut row = self.rows.remove(tree).unwrap_or_default();
        for (around, place) in &self.contexts[row.len()..] {
            row.push(reached.is_reached(&around.with(*place, tree), budget)?);
        }
        self.rows.insert(tree.clone(), row.clone());
        Ok(row)
    }

    /// The state that a tree is in, by its row.
    fn state_of(
        &mut self,
        tree: &Tree,
        reached: &mut Reached<'_>,
        budget: &Budget,
    ) -> Result<Known, Stop> {
        let row = self.row(tree, reached, budget)?;
        Ok(match (row.contains(&true), self.by_row.get(&row)) {
            (false, _) => Known::Dead,
            (true, Some(&state)) => Known::State(state),
            (true, None) => Known::New(row),
        })
    }

    /// Makes rows as long as there are contexts.
    fn widen(&mut self, reached: &mut Reached<'_>, budget: &Budget) -> Result<(), Stop> {
        self.by_row.clear();
        for number in 0..self.states.len() {
            let tree = self.states[number].clone();
            let row = self.row(&tree, reached, budget)?;
            self.by_row.insert(row, number);
        }
        Ok(())
    }

    /// The automaton that the table says.
    fn hypothesis(
        &mut self,
        alphabet: &std::sync::Arc<Alphabet>,
        reached: &mut Reached<'_>,
        budget: &Budget,
    ) -> Result<TreeAutomaton, Stop> {
        self.widen(reached, budget)?;
        let mut done: HashSet<(Symbol, Vec<usize>)> = HashSet::new();
        let mut rules = Vec::new();
        loop {
            let count = self.states.len();
            for (symbol, _, arity) in alphabet.symbols() {
                for below in tuples(count, arity) {
                    if !done.insert((symbol, below.clone())) {
                        continue;
                    }
                    let trees: Vec<Tree> =
                        below.iter().map(|&one| self.states[one].clone()).collect();
                    let tree = Tree::above(symbol, &trees);
                    let target = match self.state_of(&tree, reached, budget)? {
                        Known::Dead => continue,
                        Known::State(number) => number,
                        Known::New(row) => {
                            self.by_row.insert(row, self.states.len());
                            self.states.push(tree);
                            self.states.len() - 1
                        }
                    };
                    rules.push(Rule {
                        symbol,
                        children: below.iter().map(|&one| State::from_index(one)).collect(),
                        target: State::from_index(target),
                    });
                }
            }
            if self.states.len() == count {
                break;
            }
        }
        let mut accepting = Bits::with_capacity(self.states.len());
        for (row, &number) in &self.by_row {
            accepting.set(number, row[0]);
        }
        Ok(TreeAutomaton::new(alphabet.clone(), accepting, rules))
    }

    /// A new context, in which a tree and the one for its state are not alike: there is one wherever the
    /// hypothesis errs.
    fn learn_from(
        &mut self,
        erred: &Tree,
        reached: &mut Reached<'_>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let is_reached = reached.is_reached(erred, budget)?;
        let mut now = erred.clone();
        // From the leaves up; what stands before a place stays where it is.
        for place in (0..erred.size()).rev() {
            let part = now.subtree(place);
            let Known::State(state) = self.state_of(&part, reached, budget)? else {
                self.contexts.push((now, place));
                return Ok(());
            };
            let next = now.with(place, &self.states[state]);
            if reached.is_reached(&next, budget)? != is_reached {
                self.contexts.push((now, place));
                return Ok(());
            }
            now = next;
        }
        Err(Stop::inconclusive("what was learned does not err here"))
    }
}

/// What the table knows of a tree.
enum Known {
    /// It is reached in no context.
    Dead,
    State(usize),
    /// It is like none of the states, with this row.
    New(Vec<bool>),
}

/// All lists of so many numbers below a count.
fn tuples(count: usize, arity: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..arity {
        all = (all.iter())
            .flat_map(|before: &Vec<usize>| {
                (0..count).map(move |one| {
                    let mut next = before.clone();
                    next.push(one);
                    next
                })
            })
            .collect();
    }
    all
}
