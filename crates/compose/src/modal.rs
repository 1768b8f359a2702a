//! Formulas of the modal mu-calculus, as a game.
//!
//! A position is a state and a part of the formula. The verifier chooses at `||` and `<a>`, the
//! refuter at `&&` and `[a]`; an endless play is decided by the greatest priority that comes again
//! and again (Emerson and Jutla 1991). The game is solved by Zielonka's recursion (1998), which
//! is as deep as there are priorities, and gives the winner's choices.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::GameData;
use quotient_lts::modal::{Modal, Part};
use rustc_hash::FxHashMap;

use crate::compare::{Compared, Union};
use crate::{Action, State};

/// Whether a formula holds of a system at its start, and how to show it.
///
/// ```
/// use quotient_compose::{Actions, Compared, LtsBuilder, solve_modal};
/// use quotient_core::{Budget, Source};
/// use quotient_lts::modal::Modal;
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let mut clock = LtsBuilder::new();
/// clock.edge(0, tick, 0);
/// let clock = Compared { lts: &clock.build(), actions: &actions };
/// let formula = Modal::read(&Source::new("", "nu X. <tick>X")).unwrap();
/// assert!(solve_modal(clock, &formula, &Budget::unlimited()).unwrap().0);
/// ```
pub fn solve_modal(
    system: Compared<'_>,
    formula: &Modal,
    budget: &Budget,
) -> Result<(bool, GameData), Stop> {
    // The error state and a good end as loops; the second system is never reached.
    let union = Union::of([system, system], budget)?;
    let arena = Arena::new(&union, formula, budget)?;
    let mut solver = Solver {
        arena: &arena,
        winner: vec![Player::Refuter; arena.len()],
        choice: vec![None; arena.len()],
        budget,
    };
    solver.solve_all()?;
    let winner = solver.winner[0];
    let moves = arena.followed(winner, &solver.choice, budget)?;
    Ok((winner == Player::Verifier, GameData { moves }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    /// Says that the formula holds.
    Verifier,
    Refuter,
}

impl Player {
    fn other(self) -> Player {
        match self {
            Player::Verifier => Player::Refuter,
            Player::Refuter => Player::Verifier,
        }
    }

    /// Who is glad of a priority.
    fn of(priority: u32) -> Player {
        match priority % 2 {
            0 => Player::Verifier,
            _ => Player::Refuter,
        }
    }
}

/// The positions that can be reached, the first one first.
struct Arena {
    positions: Vec<(State, u32)>,
    owner: Vec<Player>,
    priority: Vec<u32>,
    targets: Vec<Vec<u32>>,
    sources: Vec<Vec<u32>>,
}

impl Arena {
    fn new(union: &Union, formula: &Modal, budget: &Budget) -> Result<Arena, Stop> {
        let part_actions: Vec<Vec<bool>> = formula
            .parts
            .iter()
            .map(|part| match part {
                Part::Can(actions, _) | Part::Must(actions, _) => (0..union.actions.len())
                    .map(|at| actions.includes(union.actions.name(Action::from_index(at))))
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        let start = (union.initial[0], formula.root as u32);
        let mut numbers: FxHashMap<(State, u32), u32> = FxHashMap::from_iter([(start, 0)]);
        let mut arena = Arena {
            positions: vec![start],
            owner: Vec::new(),
            priority: Vec::new(),
            targets: Vec::new(),
            sources: Vec::new(),
        };
        while arena.targets.len() < arena.positions.len() {
            let (state, part) = arena.positions[arena.targets.len()];
            let to = |part: usize| vec![(state, part as u32)];
            let after = |then: usize| -> Vec<(State, u32)> {
                let edges = union.lts.edges(state).iter();
                let included = &part_actions[part as usize];
                let edges = edges.filter(|edge| included[edge.action.index()]);
                edges.map(|edge| (edge.target, then as u32)).collect()
            };
            let (owner, priority, next) = match &formula.parts[part as usize] {
                Part::Constant(true) => (Player::Refuter, 0, Vec::new()),
                Part::Constant(false) => (Player::Verifier, 0, Vec::new()),
                Part::And(one, other) => (Player::Refuter, 0, [to(*one), to(*other)].concat()),
                Part::Or(one, other) => (Player::Verifier, 0, [to(*one), to(*other)].concat()),
                Part::Can(_, then) => (Player::Verifier, 0, after(*then)),
                Part::Must(_, then) => (Player::Refuter, 0, after(*then)),
                Part::Fixpoint { of, priority } => (Player::Verifier, *priority, to(*of)),
                Part::Variable(place) => (Player::Verifier, 0, to(*place)),
            };
            budget.charge(next.len() as u64 + 1)?;
            let mut targets: Vec<u32> = Vec::with_capacity(next.len());
            for position in next {
                let fresh = arena.positions.len() as u32;
                let number = *numbers.entry(position).or_insert(fresh);
                if number == fresh {
                    arena.positions.push(position);
                }
                targets.push(number);
            }
            targets.sort_unstable();
            targets.dedup();
            arena.owner.push(owner);
            arena.priority.push(priority);
            arena.targets.push(targets);
        }
        arena.sources = vec![Vec::new(); arena.len()];
        for (from, targets) in (0u32..).zip(&arena.targets) {
            for &target in targets {
                arena.sources[target as usize].push(from);
            }
        }
        Ok(arena)
    }

    fn len(&self) -> usize {
        self.positions.len()
    }

    /// The winner's choices in all positions that can come about with them.
    fn followed(
        &self,
        winner: Player,
        choice: &[Option<u32>],
        budget: &Budget,
    ) -> Result<Vec<[u32; 4]>, Stop> {
        let mut met = vec![false; self.len()];
        met[0] = true;
        let mut todo = vec![0u32];
        let mut moves = Vec::new();
        while let Some(position) = todo.pop() {
            budget.charge(1)?;
            let at = position as usize;
            let chooses = self.owner[at] == winner && self.targets[at].len() > 1;
            let targets = match (chooses, choice[at]) {
                (true, Some(target)) => {
                    let ((state, part), (to, then)) =
                        (self.positions[at], self.positions[target as usize]);
                    moves.push([state.into(), part, to.into(), then]);
                    vec![target]
                }
                _ => self.targets[at].clone(),
            };
            for target in targets {
                if !std::mem::replace(&mut met[target as usize], true) {
                    todo.push(target);
                }
            }
        }
        moves.sort_unstable();
        Ok(moves)
    }
}

struct Solver<'a> {
    arena: &'a Arena,
    winner: Vec<Player>,
    choice: Vec<Option<u32>>,
    budget: &'a Budget,
}

impl Solver<'_> {
    /// Who cannot move loses; what is left can always go on.
    fn solve_all(&mut self) -> Result<(), Stop> {
        let mut alive = vec![true; self.arena.len()];
        for player in [Player::Verifier, Player::Refuter] {
            let stuck: Vec<u32> = (0..self.arena.len() as u32)
                .filter(|&at| {
                    let at = at as usize;
                    self.arena.targets[at].is_empty() && self.arena.owner[at] != player
                })
                .collect();
            let won = self.attracted(player, stuck, &alive)?;
            self.give(player, &won, &mut alive);
        }
        self.solve(alive)
    }

    /// Zielonka's recursion on positions from which it always goes on among them.
    fn solve(&mut self, mut alive: Vec<bool>) -> Result<(), Stop> {
        loop {
            let present = || (0..alive.len()).filter(|&at| alive[at]);
            self.budget.charge(alive.len() as u64)?;
            let Some(top) = present().map(|at| self.arena.priority[at]).max() else {
                return Ok(());
            };
            let player = Player::of(top);
            let tops: Vec<u32> = present()
                .filter(|&at| self.arena.priority[at] == top)
                .map(|at| at as u32)
                .collect();
            let near = self.attracted(player, tops, &alive)?;
            let mut rest = alive.clone();
            near.iter().for_each(|&at| rest[at as usize] = false);
            if rest.iter().any(|&is_in| is_in) {
                self.solve(rest.clone())?;
            }
            let lost: Vec<u32> = (0..rest.len() as u32)
                .filter(|&at| rest[at as usize] && self.winner[at as usize] != player)
                .collect();
            if lost.is_empty() {
                // At the top anything that stays here will do.
                for &at in &near {
                    self.winner[at as usize] = player;
                    if self.choice[at as usize].is_none() || self.arena.priority[at as usize] == top
                    {
                        let mut targets = self.arena.targets[at as usize].iter();
                        self.choice[at as usize] =
                            targets.find(|&&target| alive[target as usize]).copied();
                    }
                }
                return Ok(());
            }
            let kept: Vec<(u32, Option<u32>)> = lost
                .iter()
                .map(|&at| (at, self.choice[at as usize]))
                .collect();
            let won = self.attracted(player.other(), lost, &alive)?;
            self.give(player.other(), &won, &mut alive);
            for (at, choice) in kept {
                self.choice[at as usize] = choice;
            }
        }
    }

    /// Positions that a player has won; they are out.
    fn give(&mut self, player: Player, won: &[u32], alive: &mut [bool]) {
        for &at in won {
            self.winner[at as usize] = player;
            alive[at as usize] = false;
        }
    }

    /// All positions from which a player can force some others, with the player's choices.
    fn attracted(
        &mut self,
        player: Player,
        goal: Vec<u32>,
        alive: &[bool],
    ) -> Result<Vec<u32>, Stop> {
        let arena = self.arena;
        let mut inside = vec![false; arena.len()];
        let goal: Vec<u32> = goal.into_iter().filter(|&at| alive[at as usize]).collect();
        goal.iter().for_each(|&at| inside[at as usize] = true);
        let mut todo: VecDeque<u32> = goal.iter().copied().collect();
        let mut all = goal;
        while let Some(at) = todo.pop_front() {
            self.budget.charge(1)?;
            for &source in &arena.sources[at as usize] {
                let own = source as usize;
                if !alive[own] || inside[own] {
                    continue;
                }
                let mut targets = arena.targets[own].iter().filter(|&&to| alive[to as usize]);
                let forced =
                    arena.owner[own] == player || targets.all(|&target| inside[target as usize]);
                if forced {
                    inside[own] = true;
                    self.choice[own] = Some(at);
                    all.push(source);
                    todo.push_back(source);
                }
            }
        }
        Ok(all)
    }
}
