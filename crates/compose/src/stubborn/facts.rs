//! What the parts of a product can do, by themselves.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use crate::graph::Sources;
use crate::product::Product;
use crate::{Action, ERROR, Lts, State};

/// Bits of a table about one part, and work to make one. Larger parts do without.
const MOST_TABLE: usize = 1 << 26;

/// The parts of a product, and who takes part in what. The silent steps of each part are an
/// event too, numbered after the others.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) parts: Vec<PartFacts>,
    /// `takers[rows[e]..rows[e + 1]]` take part in event `e`.
    rows: Vec<u32>,
    takers: Vec<Taker>,
    /// The number of the event that is the silent steps of the first part.
    first_silent: u32,
}

/// A part that takes part in an event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taker {
    pub(super) part: u32,
    /// Which of the events of the part it is.
    pub(super) rank: u32,
}

#[derive(Debug)]
pub(super) struct PartFacts {
    /// Its events in order; the silent one, if any, is the last.
    pub(super) events: Vec<u32>,
    /// `steps[rows[s]..rows[s + 1]]` leave the state `s`, in the order of their events.
    rows: Vec<u32>,
    steps: Vec<Step>,
    states: usize,
    /// For each event the states from which it can come to be possible, if not too many.
    reaching: Option<Bits>,
    /// The states from which the error state can be reached.
    erring: Bits,
    /// For each event those that matter to it, if not too many.
    dependents: Option<Vec<Vec<u32>>>,
}

/// A step of one part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Which of the events of the part it is.
    pub(super) rank: u32,
    pub(super) target: State,
}

impl Facts {
    pub(super) fn new(product: &Product, budget: &Budget) -> Result<Facts, Stop> {
        let first_silent = product.actions() as u32;
        let count = product.actions() + product.parts().len();
        let mut takers: Vec<Vec<Taker>> = vec![Vec::new(); count];
        let mut parts = Vec::new();
        for (number, part) in product.parts().iter().enumerate() {
            let silent = first_silent + number as u32;
            let facts = PartFacts::new(&part.lts, silent, budget)?;
            for (rank, &event) in facts.events.iter().enumerate() {
                takers[event as usize].push(Taker {
                    part: number as u32,
                    rank: rank as u32,
                });
            }
            parts.push(facts);
        }
        let mut rows = vec![0];
        for row in &takers {
            rows.push(rows[rows.len() - 1] + row.len() as u32);
        }
        Ok(Facts {
            parts,
            rows,
            takers: takers.into_iter().flatten().collect(),
            first_silent,
        })
    }

    /// How many events there are, with numbers that no part knows.
    pub(super) fn events(&self) -> usize {
        self.rows.len() - 1
    }

    pub(super) fn takers(&self, event: u32) -> &[Taker] {
        let event = event as usize;
        &self.takers[self.rows[event] as usize..self.rows[event + 1] as usize]
    }

    /// The part whose silent steps an event is.
    pub(super) fn silent_part(&self, event: u32) -> Option<usize> {
        event
            .checked_sub(self.first_silent)
            .map(|part| part as usize)
    }

    /// The number of the silent event of a part.
    pub(super) fn silent(&self, part: usize) -> u32 {
        self.first_silent + part as u32
    }
}

impl PartFacts {
    fn new(lts: &Lts, silent: u32, budget: &Budget) -> Result<PartFacts, Stop> {
        let mut events: Vec<u32> = lts.alphabet().iter().map(|a| a.index() as u32).collect();
        let known = events.len() as u32;
        if lts.all_edges().any(|(_, edge)| edge.action.is_tau()) {
            events.push(silent);
        }
        let rank = |action: Action| match lts.alphabet().binary_search(&action) {
            Ok(rank) => rank as u32,
            Err(_) => known,
        };
        let mut rows = vec![0];
        let mut steps = Vec::with_capacity(lts.transitions());
        for state in lts.all_states() {
            let from = steps.len();
            steps.extend(lts.edges(state).iter().map(|edge| Step {
                rank: rank(edge.action),
                target: edge.target,
            }));
            steps[from..].sort_by_key(|step| step.rank);
            rows.push(steps.len() as u32);
        }
        let mut facts = PartFacts {
            events,
            rows,
            steps,
            states: lts.states(),
            reaching: None,
            erring: Bits::new(),
            dependents: None,
        };
        let sources = Sources::new(lts);
        facts.erring = facts.backwards(&sources, |step| step.target == ERROR);
        budget.charge(lts.transitions() as u64)?;
        facts.reaching = facts.reaching(&sources, budget)?;
        facts.dependents = facts.all_dependents(budget)?;
        Ok(facts)
    }

    /// The steps from a state, in the order of their events.
    pub(super) fn steps(&self, state: State) -> &[Step] {
        let state = state.index();
        &self.steps[self.rows[state] as usize..self.rows[state + 1] as usize]
    }

    /// Whether an event may be possible in this state or later; may be wrong to say yes.
    pub(super) fn can_come(&self, rank: u32, state: State) -> bool {
        state != ERROR
            && self.reaching.as_ref().is_none_or(|reaching| {
                reaching.contains(rank as usize * self.states + state.index())
            })
    }

    /// Whether the error state can be reached from here.
    pub(super) fn can_err(&self, state: State) -> bool {
        state == ERROR || self.erring.contains(state.index())
    }

    /// The events that may take an event away, bring it about, or not commute with it;
    /// nothing if they are not known.
    pub(super) fn dependents(&self, rank: u32) -> Option<&[u32]> {
        let dependents = self.dependents.as_ref()?;
        Some(&dependents[rank as usize])
    }

    /// The states from which a state with a certain step can be reached.
    fn backwards(&self, sources: &Sources, wanted: impl Fn(&Step) -> bool) -> Bits {
        let mut reached = Bits::with_capacity(self.states);
        let states = State::first(self.states);
        let mut todo: Vec<State> = states
            .filter(|&state| self.steps(state).iter().any(&wanted))
            .collect();
        todo.iter().for_each(|&state| reached.insert(state.index()));
        while let Some(state) = todo.pop() {
            for &source in sources.of(state) {
                if !reached.put(source.index()) {
                    todo.push(source);
                }
            }
        }
        reached
    }

    fn reaching(&self, sources: &Sources, budget: &Budget) -> Result<Option<Bits>, Stop> {
        let work = self
            .events
            .len()
            .saturating_mul(self.states + self.steps.len());
        if work > MOST_TABLE {
            return Ok(None);
        }
        let mut table = Bits::with_capacity(self.events.len() * self.states);
        for rank in 0..self.events.len() {
            budget.charge(1)?;
            let reaching = self.backwards(sources, |step| step.rank as usize == rank);
            for state in reaching.ones() {
                table.insert(rank * self.states + state);
            }
        }
        Ok(Some(table))
    }

    /// Two events are independent if neither makes the other possible or impossible, and both
    /// orders lead to the same states.
    fn all_dependents(&self, budget: &Budget) -> Result<Option<Vec<Vec<u32>>>, Stop> {
        let count = self.events.len();
        let mut work = count.saturating_mul(count);
        for state in State::first(self.states) {
            let own = self.steps(state).len();
            work = work.saturating_add(own.saturating_mul(16 * own));
            for step in self.steps(state).iter().filter(|step| step.target != ERROR) {
                work = work.saturating_add(self.steps(step.target).len());
            }
        }
        if work > MOST_TABLE {
            return Ok(None);
        }
        let mut table = Bits::with_capacity(count * count);
        let mut mark = |left: u32, right: u32| {
            table.insert(left as usize * count + right as usize);
            table.insert(right as usize * count + left as usize);
        };
        for state in State::first(self.states) {
            let steps = self.steps(state);
            budget.charge(steps.len() as u64 + 1)?;
            for step in steps {
                for_one_sided(steps, self.after(step), |rank| mark(step.rank, rank));
                for other in steps.iter().filter(|other| other.rank > step.rank) {
                    if !self.commute(state, step.rank, other.rank) {
                        mark(step.rank, other.rank);
                    }
                }
            }
        }
        let row = |rank: usize| {
            let others = (0..count).filter(|&other| table.contains(rank * count + other));
            others.map(|other| self.events[other]).collect()
        };
        Ok(Some((0..count).map(row).collect()))
    }

    /// Whether two events that are possible in a state lead to the same states in both orders.
    fn commute(&self, state: State, left: u32, right: u32) -> bool {
        let reached = |first: u32, second: u32| {
            let mut reached: Vec<State> = Vec::new();
            for step in with_rank(self.steps(state), first) {
                let then = with_rank(self.after(step), second);
                if then.is_empty() {
                    return None;
                }
                reached.extend(then.iter().map(|step| step.target));
            }
            reached.sort_unstable();
            reached.dedup();
            Some(reached)
        };
        let both = reached(left, right);
        both.is_some() && both == reached(right, left)
    }

    /// The steps after a step; none after an error.
    fn after(&self, step: &Step) -> &[Step] {
        match step.target {
            ERROR => &[],
            target => self.steps(target),
        }
    }
}

/// The steps with one event.
fn with_rank(steps: &[Step], rank: u32) -> &[Step] {
    let from = steps.partition_point(|step| step.rank < rank);
    let to = steps.partition_point(|step| step.rank <= rank);
    &steps[from..to]
}

/// Calls a function with the events that occur in one of two ordered lists only.
fn for_one_sided(left: &[Step], right: &[Step], mut found: impl FnMut(u32)) {
    let (mut left, mut right) = (left, right);
    loop {
        let rank = match (left.first(), right.first()) {
            (None, None) => return,
            (Some(one), None) | (None, Some(one)) => one.rank,
            (Some(one), Some(other)) => one.rank.min(other.rank),
        };
        let skipped = |steps: &[Step]| steps.iter().take_while(|step| step.rank == rank).count();
        let (own, other) = (skipped(left), skipped(right));
        if (own == 0) != (other == 0) {
            found(rank);
        }
        (left, right) = (&left[own..], &right[other..]);
    }
}
