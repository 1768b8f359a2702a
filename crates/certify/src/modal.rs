//! Evidence about formulas of the modal mu-calculus.

use std::collections::BTreeMap;

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_lts::evidence::{GAME, GameData};
use quotient_lts::modal::{Modal, Part};

use crate::check_envelope;
use crate::comparison::{Graphs, Side};
use crate::components::components_of;

/// Checks evidence that a formula holds of a system at its start, or does not.
///
/// The evidence is a way to win the game about the formula: one player says that it holds and
/// chooses at `||` and `<a>`, the other chooses at `&&` and `[a]`. All plays in which the winner
/// chooses as the evidence says are followed: the winner always has a choice that is allowed, and
/// no cycle of positions has the other's priority as its greatest, so that every endless play is
/// won as well. A least fixpoint that is met again and again, with none around it, is lost by the
/// one who says that the formula holds.
///
/// ```
/// use quotient_certify::{Side, certify_modal};
/// use quotient_core::{Budget, Evidence, Source};
/// use quotient_lts::evidence::{GAME, GameData};
/// use quotient_lts::modal::Modal;
/// use quotient_lts::{Actions, LtsBuilder};
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let mut clock = LtsBuilder::new();
/// clock.edge(0, tick, 0);
/// let system = Side { lts: &clock.build(), actions: &actions };
/// let formula = Modal::read(&Source::new("", "<tick>true")).unwrap();
/// let evidence = Evidence::of_holds(GAME, &GameData { moves: vec![] });
/// assert!(certify_modal(&evidence, system, &formula, &Budget::unlimited()).is_ok());
/// ```
pub fn certify_modal(
    evidence: &Evidence,
    system: Side<'_>,
    formula: &Modal,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    if evidence.kind != GAME {
        return Err(Rejection::unreadable(format!(
            "evidence of kind `{}` is not about a formula of the mu-calculus",
            evidence.kind
        )));
    }
    let data: GameData = evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence is damaged: {error}")))?;
    let graphs = Graphs::of([system, system], budget)?;
    let mut choices: BTreeMap<(u32, u32), (u32, u32)> = BTreeMap::new();
    for &[state, part, to, then] in &data.moves {
        if choices.insert((state, part), (to, then)).is_some() {
            return Err(Rejection::wrong("there are two choices for one position"));
        }
    }
    let game = Game {
        graphs: &graphs,
        formula,
        included: included(&graphs, formula),
    };
    let verifies = evidence.claim == Claim::Holds;
    let positions = game.followed(&choices, verifies, budget)?;
    let priorities: Vec<u32> = positions.iter().map(|one| one.priority).collect();
    let mut lost: Vec<u32> = priorities.clone();
    lost.retain(|priority| (priority % 2 == 1) == verifies);
    lost.sort_unstable();
    lost.dedup();
    for lost in lost {
        budget.charge(positions.len() as u64)?;
        let below = |at: usize| priorities[at] <= lost;
        let targets = |at: usize| -> Vec<u32> {
            let targets = positions[at].targets.iter().copied();
            let inside = targets.filter(|&target| below(at) && below(target as usize));
            inside.collect()
        };
        let component = components_of(positions.len(), targets);
        // On a cycle: a step within the component.
        let on_cycle = |at: usize| {
            let mut targets = targets(at).into_iter();
            targets.any(|target| component[target as usize] == component[at])
        };
        if (0..positions.len()).any(|at| priorities[at] == lost && on_cycle(at)) {
            let message = "an endless play is lost: a fixpoint is met for ever";
            return Err(Rejection::wrong(message));
        }
    }
    Ok(Certified {
        property: evidence.property.clone().unwrap_or_default(),
        facts: vec![format!(
            "all plays through {} positions are won",
            positions.len()
        )],
    })
}

/// A state and a part of the formula, with what can come next where the winner has chosen.
struct Position {
    priority: u32,
    targets: Vec<u32>,
}

struct Game<'a> {
    graphs: &'a Graphs,
    formula: &'a Modal,
    /// For each part with actions which actions, by number, are meant.
    included: Vec<Vec<bool>>,
}

fn included(graphs: &Graphs, formula: &Modal) -> Vec<Vec<bool>> {
    let of = |part: &Part| match part {
        Part::Can(actions, _) | Part::Must(actions, _) => {
            let mut included = vec![false; graphs.names.len()];
            for (name, &number) in &graphs.names {
                included[number as usize] = actions.includes(name);
            }
            included
        }
        _ => Vec::new(),
    };
    formula.parts.iter().map(of).collect()
}

impl Game<'_> {
    /// Whether the one who says that the formula holds chooses here, and where it can go on.
    fn steps(&self, (state, part): (u32, u32)) -> (bool, Vec<(u32, u32)>) {
        let at = |part: usize| (state, part as u32);
        let after = |then: usize| -> Vec<(u32, u32)> {
            let row = self.graphs.sides[0].rows[state as usize].iter();
            let included = &self.included[part as usize];
            row.filter(|step| included[step.0 as usize])
                .map(|&(_, target)| (target, then as u32))
                .collect()
        };
        match &self.formula.parts[part as usize] {
            Part::Constant(value) => (!*value, Vec::new()),
            Part::And(one, other) => (false, vec![at(*one), at(*other)]),
            Part::Or(one, other) => (true, vec![at(*one), at(*other)]),
            Part::Can(_, then) => (true, after(*then)),
            Part::Must(_, then) => (false, after(*then)),
            Part::Fixpoint { of, .. } => (true, vec![at(*of)]),
            Part::Variable(place) => (true, vec![at(*place)]),
        }
    }

    /// All positions that come about when the winner chooses as the evidence says.
    fn followed(
        &self,
        choices: &BTreeMap<(u32, u32), (u32, u32)>,
        verifies: bool,
        budget: &Budget,
    ) -> Result<Vec<Position>, Rejection> {
        let start = (self.graphs.sides[0].initial, self.formula.root as u32);
        let mut numbers: BTreeMap<(u32, u32), u32> = BTreeMap::from([(start, 0)]);
        let mut order = vec![start];
        let mut positions: Vec<Position> = Vec::new();
        while positions.len() < order.len() {
            let here = order[positions.len()];
            let (chooses, mut next) = self.steps(here);
            next.sort_unstable();
            next.dedup();
            budget.charge(next.len() as u64 + 1)?;
            if chooses == verifies {
                if next.is_empty() {
                    return Err(Rejection::wrong("the winner cannot go on"));
                }
                if next.len() > 1 {
                    let Some(choice) = choices.get(&here) else {
                        return Err(Rejection::wrong("a choice of the winner is missing"));
                    };
                    if !next.contains(choice) {
                        return Err(Rejection::wrong("a choice is not possible"));
                    }
                    next = vec![*choice];
                }
            }
            let mut targets = Vec::new();
            for position in next {
                let fresh = order.len() as u32;
                let number = *numbers.entry(position).or_insert(fresh);
                if number == fresh {
                    order.push(position);
                }
                targets.push(number);
            }
            let priority = match self.formula.parts[here.1 as usize] {
                Part::Fixpoint { priority, .. } => priority,
                _ => 0,
            };
            positions.push(Position { priority, targets });
        }
        Ok(positions)
    }
}
