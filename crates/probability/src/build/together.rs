//! States looked at by several threads, with the result of one.
//!
//! States are looked at in pieces, in the order in which they were found. A thread looks at a piece
//! with numbers of its own: first the states of the piece, then those that they lead to, in the
//! order of being met. This thread takes finished pieces in their order and gives a number to what
//! nobody has met before. So the first meeting decides about a number, as it does with one thread,
//! and all numbers are the same.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use quotient_bits::Bits;
use quotient_core::Budget;
use quotient_markov::{Builder, Choices, Markov, Rewards, StateId};

use super::{Built, Explorer, starts};
use crate::states::States;
use crate::{Misbuilt, Program};

/// How work is divided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    threads: usize,
    /// A piece has so many states at most.
    piece: usize,
    /// Other threads are asked only if so many states wait to be looked at.
    worth: usize,
}

impl Division {
    /// With so many threads, what pays on the whole.
    pub(super) fn new(threads: usize) -> Division {
        Division {
            threads,
            piece: 1024,
            worth: 8192,
        }
    }
}

/// States to be looked at: the number of the first one, and their words.
type Task = (usize, Vec<u64>);

/// What looking at a piece found, in numbers of its own.
struct Piece {
    from: usize,
    many: usize,
    states: States,
    model: Markov,
    rewards: Vec<Rewards>,
    scaled: BTreeMap<usize, f64>,
    enabled: Bits,
    happened: Bits,
    /// Why looking ended early.
    misbuilt: Option<Misbuilt>,
}

/// Builds the model of a program with several threads.
pub(super) fn build_divided(
    program: &Program,
    division: &Division,
    budget: &Budget,
) -> Result<Built, Misbuilt> {
    let (states, initial) = starts(program, budget)?;
    let mut explorer = Explorer::new(program, states);
    let mut at = 0;
    while at < explorer.states.len() && explorer.states.len() - at < division.worth {
        explorer.visit(at, budget)?;
        at += 1;
    }
    if at < explorer.states.len() {
        let (give, tasks) = channel::<Task>();
        let tasks = Mutex::new(tasks);
        std::thread::scope(|scope| {
            let (results, pieces) = channel();
            let tasks = &tasks;
            let empty = States::new(explorer.states.layout.clone());
            for _ in 0..division.threads {
                let (results, empty) = (results.clone(), empty.clone());
                scope.spawn(move || work(Explorer::new(program, empty), tasks, &results, budget));
            }
            drop(results);
            // When this returns, what it gives tasks by is gone, and the others end.
            gather(&mut explorer, at, division, give, &pieces, budget)
        })?;
    }
    Ok(explorer.built(initial))
}

/// Looks at pieces as long as there are any; nothing is sent of a piece that could not be.
fn work(
    mut explorer: Explorer<'_>,
    tasks: &Mutex<Receiver<Task>>,
    results: &Sender<Option<Piece>>,
    budget: &Budget,
) {
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((from, words)) = task else { return };
        let piece = catch_unwind(AssertUnwindSafe(|| explorer.look_at(from, &words, budget)));
        if results.send(piece.ok()).is_err() {
            return;
        }
    }
}

/// Gives pieces away and takes them in their order until all states were looked at.
fn gather(
    explorer: &mut Explorer<'_>,
    first: usize,
    division: &Division,
    give: Sender<Task>,
    pieces: &Receiver<Option<Piece>>,
    budget: &Budget,
) -> Result<(), Misbuilt> {
    let lost = || quotient_core::Stop::inconclusive("a thread ended before its work was done");
    let (mut given, mut taken) = (first, first);
    let mut ready: BTreeMap<usize, Piece> = BTreeMap::new();
    let most = 3 * division.threads * division.piece;
    loop {
        explorer.check_size()?;
        let waiting = explorer.states.len() - given;
        if given == taken && waiting == 0 {
            return Ok(());
        }
        if given == taken && waiting < division.worth.min(2 * division.piece) {
            // Too little to be worth the way to another thread.
            explorer.visit(given, budget)?;
            (given, taken) = (given + 1, taken + 1);
            continue;
        }
        while given - taken < most && given < explorer.states.len() {
            let to = explorer.states.len().min(given + division.piece);
            let whole = to - given == division.piece;
            if !whole && given > taken {
                break;
            }
            let words = explorer.states.words_between(given, to).to_vec();
            give.send((given, words)).map_err(|_| lost())?;
            given = to;
        }
        let piece = pieces.recv().map_err(|_| lost())?.ok_or_else(lost)?;
        ready.insert(piece.from, piece);
        while let Some(piece) = ready.remove(&taken) {
            budget.charge(piece.many as u64)?;
            taken += piece.many;
            explorer.take(piece)?;
        }
    }
}

impl Explorer<'_> {
    /// Looks at states with numbers of their own.
    fn look_at(&mut self, from: usize, words: &[u64], budget: &Budget) -> Piece {
        let wide = self.states.layout.words;
        let many = words.len() / wide;
        self.states = States::new(self.states.layout.clone());
        for state in words.chunks_exact(wide) {
            self.states.number(state);
        }
        let mut misbuilt = None;
        for state in 0..many {
            misbuilt = self.expand(state, budget).err();
            if misbuilt.is_some() {
                break;
            }
        }
        let kind = self.program.kind;
        let out = std::mem::replace(&mut self.out, Builder::new(kind));
        let nothing = vec![Rewards::default(); self.rewards.len()];
        let fresh = States::new(self.states.layout.clone());
        Piece {
            from,
            many,
            states: std::mem::replace(&mut self.states, fresh),
            model: out.finish(Vec::<StateId>::new()),
            rewards: std::mem::replace(&mut self.rewards, nothing),
            scaled: std::mem::take(&mut self.scaled),
            enabled: self.enabled.clone(),
            happened: self.happened.clone(),
            misbuilt,
        }
    }

    /// Takes what was found about a piece, which is the next one.
    fn take(&mut self, piece: Piece) -> Result<(), Misbuilt> {
        if let Some(why) = piece.misbuilt {
            return Err(why);
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(piece.states.len());
        numbers.extend(piece.from as u32..(piece.from + piece.many) as u32);
        for other in piece.many..piece.states.len() {
            numbers.push(self.states.number(piece.states.words(other)));
        }
        let model = &piece.model;
        let mut branches: Vec<(u32, f64)> = Vec::new();
        for state in 0..piece.many {
            if let Some(&rate) = model.exits.get(state) {
                self.out.leaves(rate);
            }
            // A state that nothing can leave gets its loop when it is ended.
            let choices = match model.deadlocks.contains(state) {
                true => Choices::NONE,
                false => model.choices_of(StateId::from_index(state)),
            };
            for choice in choices {
                self.out.choice(model.labels[choice.index()]);
                branches.clear();
                let all = model.branches_of(choice);
                branches.extend(all.map(|branch| {
                    let target = numbers[model.targets[branch].index()];
                    (target, model.weights[branch])
                }));
                branches.sort_unstable_by_key(|&(target, _)| target);
                for &(target, weight) in &branches {
                    self.out.branch(target, weight);
                }
            }
            self.out.end_state();
        }
        self.out.note_error(model.error);
        for (all, more) in self.rewards.iter_mut().zip(piece.rewards) {
            all.states.extend(more.states);
            all.choices.extend(more.choices);
            all.error = all.error.max(more.error);
        }
        for (command, sum) in piece.scaled {
            self.scaled.entry(command).or_insert(sum);
        }
        self.enabled.union_with(&piece.enabled);
        self.happened.union_with(&piece.happened);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Earning, Earns, Event, Expression, Operator, Starts, Update, Variable};
    use proptest::prelude::*;
    use quotient_markov::Kind;

    /// A grid in which commands move by some steps, round at the ends; rewards and dead ends.
    fn grid(kind: Kind, moves: &[(i64, i64, i64)], stop: i64) -> Program {
        let variable = |name: &str| Variable {
            name: name.into(),
            low: 0,
            high: 12,
        };
        let two = Expression::two;
        let moved = |by: i64, of: usize| {
            let sum = two(
                Operator::Plus,
                Expression::Variable(of),
                Expression::whole(by),
            );
            (of, two(Operator::Modulo, sum, Expression::whole(13)))
        };
        let command = |&(one, other, limit): &(i64, i64, i64)| {
            let weight = |share: f64| match kind {
                Kind::Ctmc => Expression::Number(share * 3.0, None),
                _ => Expression::Number(share, None),
            };
            let here = two(
                Operator::Less,
                Expression::Variable(1),
                Expression::whole(limit),
            );
            let goes = two(
                Operator::Less,
                Expression::Variable(0),
                Expression::whole(stop),
            );
            Command {
                guard: two(Operator::And, here, goes),
                rated: false,
                updates: vec![
                    Update {
                        weight: weight(0.25),
                        assignments: vec![moved(one, 0)],
                    },
                    Update {
                        weight: weight(0.75),
                        assignments: vec![moved(one, 0), moved(other, 1)],
                    },
                ],
            }
        };
        Program {
            kind,
            markovian: false,
            variables: vec![variable("x"), variable("y")],
            commands: moves.iter().map(command).collect(),
            events: (0..moves.len() as u32)
                .map(|number| Event {
                    action: number + 1,
                    parts: vec![vec![number]],
                })
                .collect(),
            actions: moves.iter().map(|one| format!("{one:?}")).collect(),
            starts: Starts::At(vec![0, 0]),
            rewards: vec![vec![
                Earning {
                    earns: Earns::State,
                    guard: Expression::whole(1),
                    value: Expression::Variable(0),
                },
                Earning {
                    earns: Earns::Action(1),
                    guard: Expression::whole(1),
                    value: Expression::Variable(1),
                },
            ]],
        }
    }

    fn same(one: &Built, other: &Built) -> bool {
        let (a, b) = (&one.model, &other.model);
        let values = |built: &Built| -> Vec<Vec<i64>> {
            (0..built.states.len())
                .map(|state| built.states.values(state))
                .collect()
        };
        let earned = |built: &Built| -> Vec<(Vec<f64>, Vec<f64>)> {
            let each = built.rewards.iter();
            each.map(|one| (one.states.clone(), one.choices.clone()))
                .collect()
        };
        a.rows == b.rows
            && a.columns == b.columns
            && a.targets == b.targets
            && a.weights == b.weights
            && a.labels == b.labels
            && a.error == b.error
            && a.deadlocks == b.deadlocks
            && a.initial == b.initial
            && a.actions == b.actions
            && values(one) == values(other)
            && earned(one) == earned(other)
            && one.enabled == other.enabled
            && one.happened == other.happened
    }

    proptest! {
        #[test]
        fn several_threads_build_what_one_does(
            kind in prop::sample::select(vec![Kind::Dtmc, Kind::Mdp, Kind::Ctmc]),
            moves in prop::collection::vec((0i64..13, 0i64..13, 1i64..14), 1..5),
            stop in 5i64..14,
            threads in 1usize..5,
            piece in 1usize..9,
            worth in 1usize..12,
        ) {
            let program = grid(kind, &moves, stop);
            let budget = Budget::unlimited();
            let one = crate::build(&program, &budget).expect("a model");
            let division = Division { threads, piece, worth };
            let several = build_divided(&program, &division, &budget).expect("a model");
            prop_assert!(same(&one, &several));
        }
    }

    #[test]
    fn the_first_mistake_is_the_one_that_is_told() {
        let mut program = grid(Kind::Dtmc, &[(1, 1, 14), (0, 1, 14)], 14);
        // Beyond the range wherever both are large: many states, of which the first counts.
        program.commands[1].updates[0].assignments[0].1 = Expression::two(
            Operator::Plus,
            Expression::Variable(0),
            Expression::Variable(1),
        );
        let budget = Budget::unlimited();
        let text = |found: Result<Built, Misbuilt>| format!("{:?}", found.expect_err("a mistake"));
        let expected = text(crate::build(&program, &budget));
        for (threads, piece) in [(1, 1), (2, 3), (4, 2)] {
            let division = Division {
                threads,
                piece,
                worth: 2,
            };
            assert_eq!(text(build_divided(&program, &division, &budget)), expected);
        }
    }
}
