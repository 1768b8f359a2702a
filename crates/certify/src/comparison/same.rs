//! Are two systems really the same?

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Rejection, Stop};
use quotient_lts::Relation;
use quotient_lts::evidence::{AllowedData, SameData};

use super::{Graph, Graphs, SILENT, silently};

pub(super) fn check(
    data: &SameData,
    graphs: &Graphs,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if data.relation.is_bisimulation() {
        return blocks(data, graphs, budget);
    }
    let [first, second] = &graphs.sides;
    let directions = match data.refines {
        true => vec![(first, second)],
        false => vec![(first, second), (second, first)],
    };
    if data.allowed.len() != directions.len() || !data.blocks.is_empty() {
        let message = "the evidence does not have what the question needs";
        return Err(Rejection::wrong(message));
    }
    let mut facts = Vec::new();
    let names = ["the first", "the second"];
    for (at, (doing, allowing)) in directions.into_iter().enumerate() {
        let pairs = &data.allowed[at];
        Allowed::new(data.relation, doing, allowing, pairs, budget)?.check(budget)?;
        facts.push(format!(
            "{} allows what {} does, in {} pairs",
            names[1 - at],
            names[at],
            pairs.len()
        ));
    }
    Ok(facts)
}

/// States of one block can do the same into the same blocks: then being in one block is a
/// bisimulation. What a state can do is what the relation says: with strong bisimulation its
/// steps; with weak bisimulation steps with any silence around them; with branching bisimulation
/// the steps after silence inside its block, silence inside the block not counted.
fn blocks(data: &SameData, graphs: &Graphs, budget: &Budget) -> Result<Vec<String>, Rejection> {
    let (rows, initial) = graphs.joint();
    let sizes = graphs.sides.iter().map(|graph| graph.rows.len());
    if !data.allowed.is_empty() || !sizes.eq(data.blocks.iter().map(Vec::len)) {
        let message = "the evidence does not have a block for every state";
        return Err(Rejection::wrong(message));
    }
    let block_of: Vec<u32> = data.blocks.iter().flatten().copied().collect();
    let mut can: BTreeMap<u32, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for state in 0..rows.len() as u32 {
        let own = match data.relation {
            Relation::Strong => strong(&rows, &block_of, state),
            Relation::Weak => weak(&rows, &block_of, state, budget)?,
            _ => branching_steps(&rows, &block_of, state, budget)?,
        };
        budget.charge(own.len() as u64 + 1)?;
        let block = block_of[state as usize];
        match can.get(&block) {
            None => {
                can.insert(block, own);
            }
            Some(others) if *others == own => {}
            Some(_) => {
                return Err(Rejection::wrong(format!(
                    "two states of block {block} do not do the same"
                )));
            }
        }
    }
    let [first, second] = initial.map(|state| block_of[state as usize]);
    match first == second {
        true => Ok(vec![format!(
            "both begin in one of {} blocks, and states of a block do the same",
            can.len()
        )]),
        false => Err(Rejection::wrong("the systems do not begin in one block")),
    }
}

type Rows = [Vec<(u32, u32)>];

fn strong(rows: &Rows, block_of: &[u32], state: u32) -> BTreeSet<(u32, u32)> {
    let row = rows[state as usize].iter();
    row.map(|&(action, target)| (action, block_of[target as usize]))
        .collect()
}

fn weak(
    rows: &Rows,
    block_of: &[u32],
    state: u32,
    budget: &Budget,
) -> Result<BTreeSet<(u32, u32)>, Stop> {
    let mut can = BTreeSet::new();
    for before in silently(rows, [state], budget)? {
        can.insert((SILENT, block_of[before as usize]));
        let row = rows[before as usize].iter();
        for &(action, target) in row.filter(|step| step.0 != SILENT) {
            for after in silently(rows, [target], budget)? {
                can.insert((action, block_of[after as usize]));
            }
        }
    }
    Ok(can)
}

/// What a state can do after silent steps inside its block, and into which blocks; silent steps
/// inside the block are not counted.
pub(crate) fn branching_steps(
    rows: &Rows,
    block_of: &[u32],
    state: u32,
    budget: &Budget,
) -> Result<BTreeSet<(u32, u32)>, Stop> {
    let own = block_of[state as usize];
    let mut can = BTreeSet::new();
    let mut met = BTreeSet::from([state]);
    let mut waiting = vec![state];
    while let Some(before) = waiting.pop() {
        budget.charge(1)?;
        for &(action, target) in &rows[before as usize] {
            let block = block_of[target as usize];
            if action != SILENT || block != own {
                can.insert((action, block));
            } else if met.insert(target) {
                waiting.push(target);
            }
        }
    }
    Ok(can)
}

/// What a system does, and the states of another that allow it.
struct Allowed<'a> {
    relation: Relation,
    doing: &'a Graph,
    allowing: &'a Graph,
    /// The pairs, by the state of the one that does something.
    pairs: BTreeMap<u32, Vec<&'a [u32]>>,
    /// The states of the two that can be silently busy for ever.
    busy: [Vec<bool>; 2],
}

impl<'a> Allowed<'a> {
    fn new(
        relation: Relation,
        doing: &'a Graph,
        allowing: &'a Graph,
        all: &'a [AllowedData],
        budget: &Budget,
    ) -> Result<Allowed<'a>, Rejection> {
        let mut pairs: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        for pair in all {
            let is_known = |state: &u32| (*state as usize) < allowing.rows.len();
            let is_sorted = pair.by.windows(2).all(|two| two[0] < two[1]);
            if pair.state as usize >= doing.rows.len() || !pair.by.iter().all(is_known) {
                return Err(Rejection::wrong("there is no such state"));
            }
            if pair.by.is_empty() || !is_sorted {
                let message = "what a state does is allowed by no state, or not in order";
                return Err(Rejection::wrong(message));
            }
            pairs.entry(pair.state).or_default().push(&pair.by);
        }
        Ok(Allowed {
            relation,
            doing,
            allowing,
            pairs,
            busy: [doing.busy(budget)?, allowing.busy(budget)?],
        })
    }

    /// By induction over the traces of the one that does something: wherever it leads to, there
    /// is a pair whose other states the trace leads to, too.
    fn check(&self, budget: &Budget) -> Result<(), Rejection> {
        let start = self.allowing.silently([self.allowing.initial], budget)?;
        self.find(self.doing.initial, &start, budget)?;
        for (&state, all) in &self.pairs {
            for by in all {
                self.keeps(state, by, budget)?;
            }
        }
        Ok(())
    }

    /// There must be a pair for a state of which all others are among these.
    fn find(&self, state: u32, among: &[u32], budget: &Budget) -> Result<(), Rejection> {
        for by in self.pairs.get(&state).into_iter().flatten() {
            budget.charge(by.len() as u64 + 1)?;
            if by.iter().all(|one| among.binary_search(one).is_ok()) {
                return Ok(());
            }
        }
        Err(Rejection::wrong(format!(
            "what state {state} does is not shown to be allowed"
        )))
    }

    /// What the relation asks of a pair, and that all steps lead to pairs.
    fn keeps(&self, state: u32, by: &[u32], budget: &Budget) -> Result<(), Rejection> {
        let [doing_busy, allowing_busy] = &self.busy;
        if self.relation == Relation::FailuresDivergences {
            // After being silently busy for ever everything is allowed.
            if by.iter().any(|&one| allowing_busy[one as usize]) {
                return Ok(());
            }
            if doing_busy[state as usize] {
                let message = format!("state {state} can be silently busy for ever");
                return Err(Rejection::wrong(message));
            }
        }
        if self.relation != Relation::Traces && self.doing.is_stable(state) {
            let refuses_as_much = |one: &u32| {
                let mut row = self.allowing.rows[*one as usize].iter();
                row.all(|&(action, _)| action != SILENT && self.doing.offers(state, action))
            };
            if !by.iter().any(refuses_as_much) {
                let message = format!("what state {state} refuses is not allowed");
                return Err(Rejection::wrong(message));
            }
        }
        for &(action, target) in &self.doing.rows[state as usize] {
            budget.charge(by.len() as u64 + 1)?;
            match action {
                SILENT => self.find(target, by, budget)?,
                _ => {
                    let after = self.allowing.after(by, action, budget)?;
                    self.find(target, &after, budget)?;
                }
            }
        }
        Ok(())
    }
}
