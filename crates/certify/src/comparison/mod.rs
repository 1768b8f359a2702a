//! Evidence about two systems that are compared.
//!
//! A system is taken as a graph: the error state and a good end are states that do an action of
//! their own for ever, [`ERRED`] and [`ENDED`], so that both can be seen and nothing else has to
//! be said about them.

mod different;
mod same;

pub(crate) use same::branching_steps;

use std::collections::BTreeMap;

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};
use quotient_lts::evidence::{DIFFERENT, ENDED, ERRED, SAME};
use quotient_lts::{Actions, ERROR, Lts, Relation, State};

use crate::check_envelope;

/// One of two systems: all that it does, and the names of its actions.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What it does, as [`multiplied_out`](crate::multiplied_out) gives it.
    pub lts: &'a Lts,
    /// The names of the actions.
    pub actions: &'a Actions,
}

/// Checks evidence that two systems are the same up to a relation, or that the first refines the
/// second, or that it is not so.
///
/// * `components-same` with blocks: that all states of a block can do the same into the same
///   blocks (one look at every state), so that being in one block is a bisimulation of the kind
///   asked for; and that both systems begin in one block.
/// * `components-same` with allowed states: that the pairs are closed under what the first system
///   does, by induction over its traces, and that each pair keeps what the relation asks of it.
/// * `components-different`: that the one system has the trace, failure or divergence and the
///   other has not, or that the formula, which must be one that the relation respects, is true
///   of the first and false of the second; by the definitions, on all states.
///
/// ```
/// use quotient_certify::{Side, certify_comparison};
/// use quotient_core::{Budget, Evidence};
/// use quotient_lts::evidence::{DIFFERENT, DifferentData, WitnessData};
/// use quotient_lts::{Actions, LtsBuilder, Relation};
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let (mut clock, broken) = (LtsBuilder::new(), LtsBuilder::new().build());
/// clock.edge(0, tick, 0);
/// let clock = clock.build();
/// let [one, other] = [&clock, &broken].map(|lts| Side { lts, actions: &actions });
/// let witness = WitnessData::Trace { second: false, actions: vec!["tick".into()] };
/// let data = DifferentData { relation: Relation::Traces, refines: false, witness };
/// let evidence = Evidence::of_violated(DIFFERENT, &data).about("clocks");
/// let budget = Budget::unlimited();
/// let checked = certify_comparison(&evidence, [one, other], (Relation::Traces, false), &budget);
/// assert!(checked.is_ok());
/// ```
pub fn certify_comparison(
    evidence: &Evidence,
    sides: [Side<'_>; 2],
    (relation, refines): (Relation, bool),
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    let damaged = |error| Rejection::unreadable(format!("the evidence is damaged: {error}"));
    let graphs = Graphs::of(sides, budget)?;
    let asked = |of: (Relation, bool)| match of == (relation, refines) {
        true => Ok(()),
        false => Err(Rejection::wrong("the evidence is not about what is asked")),
    };
    if refines && relation.is_bisimulation() {
        let message = "a bisimulation has no direction: nothing refines by it";
        return Err(Rejection::wrong(message));
    }
    let facts = match (evidence.kind.as_str(), evidence.claim) {
        (SAME, Claim::Holds) => {
            let data: quotient_lts::evidence::SameData = evidence.read().map_err(damaged)?;
            asked((data.relation, data.refines))?;
            same::check(&data, &graphs, budget)?
        }
        (DIFFERENT, Claim::Violated) => {
            let data: quotient_lts::evidence::DifferentData = evidence.read().map_err(damaged)?;
            asked((data.relation, data.refines))?;
            different::check(&data, &graphs, budget)?
        }
        (SAME | DIFFERENT, _) => {
            let message = "the evidence is not of a kind that shows the verdict it claims";
            return Err(Rejection::wrong(message));
        }
        (kind, _) => {
            return Err(Rejection::unreadable(format!(
                "evidence of kind `{kind}` is not about two systems"
            )));
        }
    };
    Ok(Certified {
        property: evidence.property.clone().unwrap_or_default(),
        facts,
    })
}

/// The number of the silent action.
const SILENT: u32 = 0;

/// Two systems as graphs over the same actions.
pub(crate) struct Graphs {
    /// The numbers of actions by name.
    pub(crate) names: BTreeMap<String, u32>,
    pub(crate) sides: [Graph; 2],
}

/// A system as a graph.
pub(crate) struct Graph {
    /// The steps of each state: action and target.
    pub(crate) rows: Vec<Vec<(u32, u32)>>,
    pub(crate) initial: u32,
}

impl Graphs {
    pub(crate) fn of(sides: [Side<'_>; 2], budget: &Budget) -> Result<Graphs, Stop> {
        let mut names: BTreeMap<String, u32> = BTreeMap::from([("tau".to_owned(), SILENT)]);
        let mut number = |name: &str| {
            let fresh = names.len() as u32;
            *names.entry(name.to_owned()).or_insert(fresh)
        };
        let mut graph = |side: Side<'_>| {
            let lts = side.lts;
            let error = lts.states() as u32;
            let place = |state: State| match state {
                ERROR => error,
                state => state.into(),
            };
            let count = lts.states() + usize::from(lts.has_error());
            let mut rows: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
            for (from, edge) in lts.all_edges() {
                budget.charge(1)?;
                let action = number(side.actions.name(edge.action));
                rows[from.index()].push((action, place(edge.target)));
            }
            if let Some(end) = lts.end() {
                rows[end.index()].push((number(ENDED), end.into()));
            }
            if lts.has_error() {
                rows[error as usize].push((number(ERRED), error));
            }
            let initial = place(lts.initial());
            Ok::<Graph, Stop>(Graph { rows, initial })
        };
        let sides = [graph(sides[0])?, graph(sides[1])?];
        Ok(Graphs { names, sides })
    }

    /// Both in one graph: the states of the second come after those of the first.
    fn joint(&self) -> (Vec<Vec<(u32, u32)>>, [u32; 2]) {
        let [first, second] = &self.sides;
        let offset = first.rows.len() as u32;
        let moved = |row: &Vec<(u32, u32)>| {
            let row = row.iter();
            row.map(|&(action, target)| (action, target + offset))
                .collect()
        };
        let mut rows = first.rows.clone();
        rows.extend(second.rows.iter().map(moved));
        (rows, [first.initial, second.initial + offset])
    }
}

impl Graph {
    /// All states that silent steps lead to, sorted.
    fn silently(
        &self,
        from: impl IntoIterator<Item = u32>,
        budget: &Budget,
    ) -> Result<Vec<u32>, Stop> {
        silently(&self.rows, from, budget)
    }

    /// Where an action leads from some states, silent steps after it.
    fn after(&self, states: &[u32], action: u32, budget: &Budget) -> Result<Vec<u32>, Stop> {
        let steps = states.iter().flat_map(|&state| &self.rows[state as usize]);
        let targets = steps.filter(|step| step.0 == action).map(|step| step.1);
        self.silently(targets.collect::<Vec<u32>>(), budget)
    }

    /// Whether a state can do nothing silently.
    fn is_stable(&self, state: u32) -> bool {
        let mut steps = self.rows[state as usize].iter();
        steps.all(|&(action, _)| action != SILENT)
    }

    /// Whether a state can do an action as its next step.
    fn offers(&self, state: u32, action: u32) -> bool {
        let mut steps = self.rows[state as usize].iter();
        steps.any(|step| step.0 == action)
    }

    /// For each state whether it can be silently busy for ever: so are those that remain when
    /// states without a silent step to a remaining one are taken away, one after the other.
    fn busy(&self, budget: &Budget) -> Result<Vec<bool>, Stop> {
        let mut left = vec![0usize; self.rows.len()];
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.rows.len()];
        for (state, row) in (0u32..).zip(&self.rows) {
            for &(_, target) in row.iter().filter(|step| step.0 == SILENT) {
                budget.charge(1)?;
                left[state as usize] += 1;
                sources[target as usize].push(state);
            }
        }
        let mut busy = vec![true; self.rows.len()];
        let none_left = |state: &u32| left[*state as usize] == 0;
        let mut quiet: Vec<u32> = (0..self.rows.len() as u32).filter(none_left).collect();
        while let Some(state) = quiet.pop() {
            busy[state as usize] = false;
            for &source in &sources[state as usize] {
                budget.charge(1)?;
                left[source as usize] -= 1;
                if left[source as usize] == 0 {
                    quiet.push(source);
                }
            }
        }
        Ok(busy)
    }
}

/// All states that silent steps lead to, sorted.
fn silently(
    rows: &[Vec<(u32, u32)>],
    from: impl IntoIterator<Item = u32>,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    let mut reached: std::collections::BTreeSet<u32> = from.into_iter().collect();
    let mut waiting: Vec<u32> = reached.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        budget.charge(1)?;
        for &(_, target) in rows[state as usize].iter().filter(|step| step.0 == SILENT) {
            if reached.insert(target) {
                waiting.push(target);
            }
        }
    }
    Ok(reached.into_iter().collect())
}
