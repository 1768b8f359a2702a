//! What shows that something holds, in terms of the model.

use quotient_circuit::matters;
use quotient_netlist as netlist;
use quotient_netlist::Literal;
use quotient_states::{Bound, Induction};
use quotient_symbolic::{Certificate, Expression, Model, Node};
use rustc_hash::FxHashMap;

use super::translate::{Held, Translation};
use crate::compile::Compiled;
use crate::session::as_set;

/// A condition on initial states with more parts than this is not written as a diagram.
const MOST_NODES: usize = 1_000;
/// A larger diagram is not written.
const MOST_ROOM: usize = 1 << 20;

/// Clauses over latches as a set of states of the model. Runs so far were runs of the model (`ok`).
/// Where the invariant tells the first state from later ones, the set has the initial states that
/// are in it as first ones, and all that are in it as later ones. Where what was asked is needed to
/// go on from step to step, all states of the set fulfil it. It is not written if that takes too much
/// room, or if the proof is about more than one step.
pub(super) fn certificate(
    compiled: &Compiled,
    translation: &Translation,
    proof: &netlist::Proof,
    asked: Expression,
) -> Option<Certificate> {
    if proof.depth > 1 || proof.after > 0 {
        return None;
    }
    let model = compiled.model();
    let clauses = &proof.clauses;
    let place = |bit| {
        let owner = model.owner(bit);
        let bit = bit - model.variable(owner).bits().start;
        (owner.index() as u32, bit)
    };
    let mut chain = Chain {
        nodes: Vec::new(),
        held: &translation.held,
        place: &place,
    };
    let later = chain.all(clauses, false, Chain::FALSE);
    let mut root = later;
    if translation.held.contains(&Held::First) {
        root = chain.all(clauses, true, later);
        for &condition in &translation.initial {
            if model.nodes_below([condition]).len() > MOST_NODES {
                return None;
            }
            root = chain.where_true(model, condition, root, later, &mut FxHashMap::default())?;
        }
    }
    if proof.depth == 1 {
        if model.nodes_below([asked]).len() > MOST_NODES {
            return None;
        }
        let known = &mut FxHashMap::default();
        root = chain.where_true(model, asked, root, Chain::FALSE, known)?;
    }
    Some(named(chain.nodes, root, |owner| {
        model.variables()[owner as usize].name.clone()
    }))
}

/// A diagram that names only variables that nodes ask about.
fn named(nodes: Vec<(u32, u32, u32, u32)>, root: u32, name: impl Fn(u32) -> String) -> Certificate {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut variables = Vec::new();
    let nodes = nodes.into_iter().map(|(owner, bit, high, low)| {
        let number = *numbers.entry(owner).or_insert_with(|| {
            variables.push(name(owner));
            variables.len() as u32 - 1
        });
        (number, bit, high, low)
    });
    Certificate {
        nodes: nodes.collect(),
        root,
        variables,
    }
}

/// Induction over several steps, where it is so of the model, too: states are different in the model
/// if they are in the latches that matter, where all latches do.
pub(super) fn induction(
    translation: &Translation,
    proof: &netlist::Proof,
    bad: Literal,
) -> Option<Induction> {
    if proof.depth == 0 || proof.after > 0 || !proof.clauses.is_empty() {
        return None;
    }
    let of_model = |latch: &Held| matches!(latch, Held::Bit(_));
    let matter = matters(&translation.circuit, &[bad]).1;
    let mut latches = translation.held.iter().zip(matter);
    if proof.distinct && latches.any(|(latch, matters)| of_model(latch) && !matters) {
        return None;
    }
    Some(Induction {
        depth: proof.depth,
        distinct: proof.distinct,
    })
}

/// A bound on the number of rounds, with the set of states of the model beside its observer that the
/// clauses are.
pub(super) fn bound(
    model: &Model,
    translation: &Translation,
    signals: usize,
    bound: &netlist::Bound,
) -> Bound {
    // Variables of the observer are counted after those of the model, a latch each.
    let variables = model.variables().len();
    let place = |latch: usize| match translation.held.get(latch) {
        Some(&Held::Bit(bit)) => {
            let owner = model.owner(bit);
            (
                owner.index() as u32,
                bit - model.variable(owner).bits().start,
            )
        }
        _ => ((variables + latch) as u32, 0),
    };
    let name = |owner: u32| {
        let owner = owner as usize;
        let Some(latch) = owner.checked_sub(variables) else {
            return model.variables()[owner].name.clone();
        };
        match (
            translation.held.get(latch),
            latch.saturating_sub(translation.held.len()),
        ) {
            (Some(Held::Due(number)), _) => format!("(due {number})"),
            (Some(Held::Before(number)), _) => format!("(before {number})"),
            (Some(Held::First | Held::Ok | Held::Bit(_)), _) => "(first)".to_owned(),
            (None, mark) if mark < signals => format!("(mark {})", mark + 1),
            (None, round) => format!("(round {})", round - signals + 1),
        }
    };
    let mut nodes = Vec::new();
    let mut all = Chain::TRUE;
    for clause in &bound.clauses {
        let mut some = Chain::FALSE;
        for &latch in clause {
            let (owner, bit) = place(latch.unsigned_abs() as usize - 1);
            nodes.push(match latch > 0 {
                true => (owner, bit, all, some),
                false => (owner, bit, some, all),
            });
            some = 2 * nodes.len() as u32;
        }
        all = some;
    }
    Bound {
        rounds: bound.rounds,
        set: as_set(named(nodes, all, name)),
    }
}

/// A diagram under construction.
struct Chain<'a> {
    nodes: Vec<(u32, u32, u32, u32)>,
    held: &'a [Held],
    place: &'a dyn Fn(u32) -> (u32, u32),
}

impl Chain<'_> {
    const TRUE: u32 = 0;
    const FALSE: u32 = 1;

    /// The states that fulfil all clauses, and others.
    fn all(&mut self, clauses: &[netlist::Clause], first: bool, others: u32) -> u32 {
        let mut all = Chain::TRUE;
        'clauses: for clause in clauses {
            let mut some = others;
            for &latch in clause {
                let positive = latch > 0;
                let known = match self.held[latch.unsigned_abs() as usize - 1] {
                    Held::First => Some(first),
                    Held::Ok => Some(true),
                    Held::Bit(_) | Held::Due(_) | Held::Before(_) => None,
                };
                if known == Some(positive) {
                    continue 'clauses;
                }
            }
            for &latch in clause {
                if let Held::Bit(bit) = self.held[latch.unsigned_abs() as usize - 1] {
                    let (owner, bit) = (self.place)(bit);
                    self.nodes.push(match latch > 0 {
                        true => (owner, bit, all, some),
                        false => (owner, bit, some, all),
                    });
                    some = 2 * self.nodes.len() as u32;
                }
            }
            all = some;
        }
        all
    }

    /// One set where a condition is true, another where it is not. (Conditions have few parts, so
    /// this goes no deeper than the stack allows.)
    fn where_true(
        &mut self,
        model: &Model,
        condition: Expression,
        yes: u32,
        no: u32,
        known: &mut FxHashMap<(usize, u32, u32), u32>,
    ) -> Option<u32> {
        let (yes, no) = match condition.is_negated() {
            true => (no, yes),
            false => (yes, no),
        };
        let key = (condition.node(), yes, no);
        if let Some(&found) = known.get(&key) {
            return Some(found);
        }
        if self.nodes.len() > MOST_ROOM {
            return None;
        }
        let found = match model.node(condition) {
            _ if yes == no => yes,
            Node::True => yes,
            Node::Bit { next: true, .. } => return None,
            Node::Bit { bit, next: false } => {
                let (owner, bit) = (self.place)(bit);
                self.nodes.push((owner, bit, yes, no));
                2 * self.nodes.len() as u32
            }
            Node::And(a, b) => {
                let then = self.where_true(model, b, yes, no, known)?;
                self.where_true(model, a, then, no, known)?
            }
            Node::Xor(a, b) => {
                let then = self.where_true(model, b, no, yes, known)?;
                let other = self.where_true(model, b, yes, no, known)?;
                self.where_true(model, a, then, other, known)?
            }
            Node::If(test, then, other) => {
                let then = self.where_true(model, then, yes, no, known)?;
                let other = self.where_true(model, other, yes, no, known)?;
                self.where_true(model, test, then, other, known)?
            }
        };
        known.insert(key, found);
        Some(found)
    }
}
