//! What is reached, shape by shape: a plain search of single trees.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_trees::{Node, Piece, Rule, State, Transducer, Tree, TreeAutomaton, intersection};

use crate::{Run, Step, System};

/// The reached trees of all shapes that were asked for.
#[derive(Debug)]
pub(crate) struct Reached<'a> {
    system: &'a System,
    steps: Vec<Stepping<'a>>,
    /// By shape: how many children each node has.
    shapes: HashMap<Vec<u32>, Space>,
}

/// The reached trees of one shape: each with the number of the tree that it was reached from, and of the step.
#[derive(Debug, Default)]
struct Space {
    trees: Vec<(Tree, Option<(usize, usize)>)>,
    numbers: HashMap<Tree, usize>,
}

impl Space {
    fn add(&mut self, tree: Tree, from: Option<(usize, usize)>) {
        if !self.numbers.contains_key(&tree) {
            self.numbers.insert(tree.clone(), self.trees.len());
            self.trees.push((tree, from));
        }
    }
}

/// A step that keeps the shape, its rules by the symbol that they read.
#[derive(Debug)]
struct Stepping<'a> {
    transducer: &'a Transducer,
    by_symbol: Vec<Vec<usize>>,
}

/// What a subtree may become: the state that it is read in, and the nodes that are written.
type Written = (State, Vec<Node>);

impl<'a> Reached<'a> {
    /// Nothing if some step does not keep the shape of trees.
    pub(crate) fn new(system: &'a System) -> Option<Reached<'a>> {
        let stepping = |(_, step): &'a (String, Step)| match step {
            Step::Transducer(one) if one.keeps_shape() => Some(Stepping::new(one)),
            _ => None,
        };
        Some(Reached {
            system,
            steps: system.steps.iter().map(stepping).collect::<Option<_>>()?,
            shapes: HashMap::new(),
        })
    }

    pub(crate) fn is_reached(&mut self, tree: &Tree, budget: &Budget) -> Result<bool, Stop> {
        budget.charge(tree.size() as u64)?;
        Ok(self.space(tree, budget)?.numbers.contains_key(tree))
    }

    /// A run to a tree, if it is reached.
    pub(crate) fn run_to(&mut self, tree: &Tree, budget: &Budget) -> Result<Option<Run>, Stop> {
        let space = self.space(tree, budget)?;
        let Some(&number) = space.numbers.get(tree) else {
            return Ok(None);
        };
        let (mut at, mut steps) = (number, Vec::new());
        while let Some((from, step)) = space.trees[at].1 {
            steps.push((step, space.trees[at].0.clone()));
            at = from;
        }
        steps.reverse();
        let first = space.trees[at].0.clone();
        Ok(Some(Run { first, steps }))
    }

    fn space(&mut self, tree: &Tree, budget: &Budget) -> Result<&Space, Stop> {
        let shape: Vec<u32> = tree.nodes().iter().map(|node| node.arity).collect();
        if !self.shapes.contains_key(&shape) {
            let space = self.explored(tree, budget)?;
            self.shapes.insert(shape.clone(), space);
        }
        Ok(&self.shapes[&shape])
    }

    fn explored(&self, tree: &Tree, budget: &Budget) -> Result<Space, Stop> {
        let initial = &self.system.initial;
        let alike = intersection(initial, &of_shape(tree, initial), budget)?.trimmed();
        let mut space = Space::default();
        for first in alike.trees_up_to(tree.size(), usize::MAX, budget)? {
            space.add(first, None);
        }
        let mut at = 0;
        while at < space.trees.len() {
            let here = space.trees[at].0.clone();
            for (number, step) in self.steps.iter().enumerate() {
                for next in step.successors(&here, budget)? {
                    space.add(next, Some((at, number)));
                }
            }
            at += 1;
        }
        Ok(space)
    }
}

/// All trees of the shape of a tree.
fn of_shape(tree: &Tree, like: &TreeAutomaton) -> TreeAutomaton {
    let alphabet = like.alphabet();
    let mut rules = Vec::new();
    for (place, node) in tree.nodes().iter().enumerate() {
        let mut children = Vec::new();
        let mut child = place + 1;
        for _ in 0..node.arity {
            children.push(State::from_index(child));
            child = tree.end_of(child);
        }
        for (symbol, _, arity) in alphabet.symbols() {
            if arity == node.arity as usize {
                rules.push(Rule {
                    symbol,
                    children: children.clone().into(),
                    target: State::from_index(place),
                });
            }
        }
    }
    let mut accepting = Bits::with_capacity(tree.size());
    accepting.insert(0);
    TreeAutomaton::new(alphabet.clone(), accepting, rules)
}

impl<'a> Stepping<'a> {
    fn new(transducer: &'a Transducer) -> Stepping<'a> {
        let mut by_symbol = vec![Vec::new(); transducer.alphabet().len()];
        for (number, rule) in transducer.rules().iter().enumerate() {
            if let Some(symbol) = rule.symbol {
                by_symbol[symbol.index()].push(number);
            }
        }
        Stepping {
            transducer,
            by_symbol,
        }
    }

    /// What a tree can become.
    fn successors(&self, tree: &Tree, budget: &Budget) -> Result<Vec<Tree>, Stop> {
        let mut stopped = Ok(());
        let all = tree.fold(|node, below: Vec<Vec<Written>>| {
            let mut found = Vec::new();
            if stopped.is_ok() {
                stopped = self.above(node, &below, &mut found, budget);
            }
            found
        });
        stopped?;
        let accepting = self.transducer.accepting();
        let whole = all
            .into_iter()
            .filter(|(state, _)| accepting.contains(state.index()));
        let mut trees: Vec<Tree> = whole.filter_map(|(_, nodes)| Tree::new(nodes)).collect();
        trees.sort();
        trees.dedup();
        Ok(trees)
    }

    fn above(
        &self,
        node: Node,
        below: &[Vec<Written>],
        found: &mut Vec<Written>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        for &number in &self.by_symbol[node.symbol.index()] {
            budget.charge(1)?;
            let rule = &self.transducer.rules()[number];
            let Piece::Node(top) = rule.output.pieces()[0] else {
                continue;
            };
            let mut partial = vec![vec![top]];
            for (child, written) in rule.children.iter().zip(below) {
                let mut longer = Vec::new();
                for nodes in &partial {
                    for (state, more) in written {
                        if state == child {
                            budget.charge(1)?;
                            longer.push([&nodes[..], more].concat());
                        }
                    }
                }
                partial = longer;
            }
            found.extend(partial.into_iter().map(|nodes| (rule.target, nodes)));
        }
        found.sort();
        found.dedup();
        Ok(())
    }
}
