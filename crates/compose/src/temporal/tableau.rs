//! From a formula of linear-time logic to an automaton on infinite words.
//!
//! A state is a set of formulas that must hold from now on; reading a moment settles what it
//! can and leaves the rest for the next. Choices are where a disjunction, an until or a
//! release can be settled in two ways. An execution is accepted if no until is put off for
//! ever (Couvreur's construction, with acceptance on the edges).

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};
use rustc_hash::FxHashMap;

/// An automaton that reads valuations of up to 64 propositions.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The edges of each state; state 0 is initial.
    pub(crate) edges: Vec<Vec<Edge>>,
    /// How many untils there are.
    pub(crate) untils: u32,
}

/// An edge that can be taken when the propositions in `yes` are true and those in `no` false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) yes: u64,
    pub(crate) no: u64,
    /// The untils that it does not put off.
    pub(crate) kept: u64,
    pub(crate) target: u32,
}

/// Formulas that no input of sensible size exceeds.
const DEEPEST: usize = 1000;
const MOST_STATES: usize = 1 << 16;

/// A formula in normal form, by number.
type Node = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Normal {
    Constant(bool),
    Literal(u32, bool),
    And(Node, Node),
    Or(Node, Node),
    Next(Node),
    Until(Node, Node),
    Release(Node, Node),
}

impl Automaton {
    /// The automaton of a formula whose atoms are numbers of propositions.
    pub(crate) fn new(formula: &Formula<usize>, budget: &Budget) -> Result<Automaton, Stop> {
        if formula.depth() > DEEPEST {
            return Err(Stop::bound("the depth of a formula", DEEPEST as u64));
        }
        let mut tableau = Tableau::default();
        let root = tableau.normal(&formula.negation_normal_form())?;
        if tableau.untils.len() > 62 {
            return Err(Stop::bound("untils in a formula", 62));
        }
        let mut numbers: FxHashMap<BTreeSet<Node>, u32> = FxHashMap::default();
        let mut sets = vec![BTreeSet::from([root])];
        numbers.insert(sets[0].clone(), 0);
        let mut edges = Vec::new();
        while edges.len() < sets.len() {
            let mut row = Vec::new();
            for settled in tableau.settle(&sets[edges.len()], budget)? {
                let fresh = sets.len() as u32;
                let target = *numbers.entry(settled.next).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    fresh
                });
                row.push(Edge {
                    yes: settled.yes,
                    no: settled.no,
                    kept: !settled.put_off,
                    target,
                });
            }
            row.sort_unstable();
            row.dedup();
            edges.push(row);
            if sets.len() > MOST_STATES {
                return Err(Stop::bound(
                    "states of a formula's automaton",
                    MOST_STATES as u64,
                ));
            }
        }
        let untils = tableau.untils.len() as u32;
        Ok(Automaton { edges, untils })
    }

    /// Whether a state accepts whatever it reads: there is nothing left to be settled.
    pub(crate) fn accepts_all(&self, state: u32) -> bool {
        let mut edges = self.edges[state as usize].iter();
        edges.any(|edge| {
            edge.yes == 0 && edge.no == 0 && edge.kept == u64::MAX && edge.target == state
        })
    }
}

#[derive(Default)]
struct Tableau {
    nodes: Vec<Normal>,
    numbers: FxHashMap<Normal, Node>,
    untils: FxHashMap<Node, u32>,
}

/// One way to settle a set of formulas at a moment.
#[derive(Clone, Default)]
struct Settled {
    yes: u64,
    no: u64,
    put_off: u64,
    next: BTreeSet<Node>,
}

impl Tableau {
    fn add(&mut self, normal: Normal) -> Node {
        let fresh = self.nodes.len() as Node;
        let node = *self.numbers.entry(normal).or_insert(fresh);
        if node == fresh {
            self.nodes.push(normal);
            if matches!(normal, Normal::Until(..)) {
                let number = self.untils.len() as u32;
                self.untils.insert(node, number);
            }
        }
        node
    }

    /// A formula in negation normal form, with until and release alone.
    fn normal(&mut self, formula: &Formula<usize>) -> Result<Node, Stop> {
        let unsupported =
            || Stop::inconclusive("the formula has operators outside linear-time logic");
        let truth = self.add(Normal::Constant(true));
        let falsity = self.add(Normal::Constant(false));
        let normal = match &formula.kind {
            Kind::Constant(value) => Normal::Constant(*value),
            Kind::Atom(atom) => Normal::Literal(proposition(*atom)?, true),
            Kind::Unary(Unary::Not, operand) => match operand.kind {
                Kind::Atom(atom) => Normal::Literal(proposition(atom)?, false),
                _ => return Err(unsupported()),
            },
            Kind::Unary(operator, operand) => {
                let operand = self.normal(operand)?;
                match operator {
                    Unary::Next => Normal::Next(operand),
                    Unary::Finally(None) => Normal::Until(truth, operand),
                    Unary::Globally(None) => Normal::Release(falsity, operand),
                    _ => return Err(unsupported()),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.normal(left)?, self.normal(right)?);
                match operator {
                    Binary::And => Normal::And(left, right),
                    Binary::Or => Normal::Or(left, right),
                    Binary::Until(None) => Normal::Until(left, right),
                    Binary::Release => Normal::Release(left, right),
                    Binary::WeakUntil => {
                        // The right releases that one of both holds.
                        let either = self.add(Normal::Or(left, right));
                        Normal::Release(right, either)
                    }
                    _ => return Err(unsupported()),
                }
            }
            Kind::Placeholder(_) => return Err(unsupported()),
        };
        Ok(self.add(normal))
    }

    /// All ways to settle a set of formulas.
    fn settle(&self, set: &BTreeSet<Node>, budget: &Budget) -> Result<Vec<Settled>, Stop> {
        let mut done = Vec::new();
        let start: Vec<Node> = set.iter().copied().collect();
        let mut open = vec![(start, BTreeSet::new(), Settled::default())];
        while let Some((mut todo, mut seen, mut settled)) = open.pop() {
            budget.charge(1)?;
            let Some(node) = todo.pop() else {
                done.push(settled);
                continue;
            };
            if !seen.insert(node) {
                open.push((todo, seen, settled));
                continue;
            }
            match self.nodes[node as usize] {
                Normal::Constant(true) => {}
                Normal::Constant(false) => continue,
                Normal::Literal(proposition, value) => {
                    let bit = 1 << proposition;
                    let (own, other) = match value {
                        true => (&mut settled.yes, settled.no),
                        false => (&mut settled.no, settled.yes),
                    };
                    if other & bit != 0 {
                        continue;
                    }
                    *own |= bit;
                }
                Normal::And(left, right) => todo.extend([left, right]),
                Normal::Next(operand) => {
                    settled.next.insert(operand);
                }
                Normal::Or(left, right) => {
                    let mut other = todo.clone();
                    other.push(right);
                    open.push((other, seen.clone(), settled.clone()));
                    todo.push(left);
                }
                Normal::Until(left, right) => {
                    let (mut later, mut put_off) = (todo.clone(), settled.clone());
                    later.push(left);
                    put_off.next.insert(node);
                    put_off.put_off |= 1 << self.untils[&node];
                    open.push((later, seen.clone(), put_off));
                    todo.push(right);
                }
                Normal::Release(left, right) => {
                    let (mut now, released) = (todo.clone(), settled.clone());
                    now.extend([left, right]);
                    open.push((now, seen.clone(), released));
                    todo.push(right);
                    settled.next.insert(node);
                }
            }
            open.push((todo, seen, settled));
        }
        Ok(done)
    }
}

fn proposition(atom: usize) -> Result<u32, Stop> {
    match atom {
        0..64 => Ok(atom as u32),
        _ => Err(Stop::bound("propositions in a formula", 64)),
    }
}
