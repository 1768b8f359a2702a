//! The search against a naive one, on random systems.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};
use quotient_explicit::{
    Ending, Graph, Limits, Order, StateId, System, Traces, search, search_compact, search_together,
};

/// A graph as a table, its states spread over two words.
struct Table(Vec<Vec<usize>>);

fn packed(state: usize) -> [u64; 2] {
    [state as u64 % 3, (state as u64 / 3) << 60]
}

fn unpacked(words: &[u64]) -> usize {
    (words[0] + 3 * (words[1] >> 60)) as usize
}

impl System for Table {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&packed(0));
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for (label, &next) in self.0[unpacked(state)].iter().enumerate() {
            emit(label as u32, &packed(next));
        }
        Ok(())
    }
}

fn random(
    u: &mut quotient_trial::arbitrary::Unstructured<'_>,
) -> quotient_trial::arbitrary::Result<Table> {
    let size = u.int_in_range(1..=40)?;
    let mut all = Vec::new();
    for _ in 0..size {
        let mut steps = Vec::new();
        for _ in 0..u.int_in_range(0..=3)? {
            steps.push(u.int_in_range(0..=size - 1)?);
        }
        all.push(steps);
    }
    Ok(Table(all))
}

fn distances(table: &Table) -> BTreeMap<usize, usize> {
    let mut all = BTreeMap::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        for &next in &table.0[state] {
            if !all.contains_key(&next) {
                all.insert(next, all[&state] + 1);
                queue.push_back(next);
            }
        }
    }
    all
}

#[test]
fn every_order_visits_what_a_naive_search_finds_by_real_runs() {
    quotient_trial::trial(|u| {
        let table = random(u)?;
        let expected = distances(&table);
        for order in [Order::Breadth, Order::Depth] {
            let mut visited = BTreeSet::new();
            let visit = &mut |graph: &Graph, id: StateId, state: &[u64], successors: usize| {
                let state = unpacked(state);
                assert!(visited.insert(state), "visited twice");
                assert_eq!(successors, table.0[state].len());
                let (start, labels) = graph.run(id);
                let mut at = unpacked(&graph.state(start));
                assert_eq!(at, 0);
                for label in &labels {
                    at = table.0[at][*label as usize];
                }
                assert_eq!(at, state);
                if order == Order::Breadth {
                    assert_eq!(labels.len(), expected[&state]);
                }
                ControlFlow::Continue(())
            };
            let limits = Limits::default();
            let (graph, ending) = search(&table, order, &limits, &Budget::unlimited(), visit);
            assert_eq!(ending, Ending::Complete);
            assert_eq!(graph.len(), expected.len());
            assert!(visited.iter().eq(expected.keys()));
        }
        Ok(())
    })
    .budget_ms(1500);
}

/// Counts without end.
struct Endless;

impl System for Endless {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        if state[0] == 100_000 {
            return Err(state[0]);
        }
        emit(0, &[state[0] + 1]);
        Ok(())
    }
}

#[test]
fn limits_budgets_and_unfit_states_end_a_search() {
    let go = |states: usize, budget: &Budget| {
        let visit = &mut |_: &Graph, _: StateId, _: &[u64], _: usize| ControlFlow::Continue(());
        search(&Endless, Order::Depth, &Limits { states }, budget, visit).1
    };
    let unlimited = Budget::unlimited();
    assert!(matches!(
        go(50, &unlimited),
        Ending::Stopped(Stop::Bound { .. })
    ));
    let little = unlimited.child_with_work(10);
    assert_eq!(go(1000, &little), Ending::Stopped(Stop::Work));
    assert_eq!(go(1 << 30, &unlimited), Ending::Unfit(100_000));
}

#[test]
fn a_visitor_that_has_seen_enough_ends_the_search() {
    let visit = &mut |_: &Graph, id: StateId, _: &[u64], _: usize| match id.number() {
        5 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let limits = Limits::default();
    let (graph, ending) = search(
        &Endless,
        Order::Breadth,
        &limits,
        &Budget::unlimited(),
        visit,
    );
    assert_eq!((graph.len(), ending), (7, Ending::Enough));
}

/// A state, and how it was found first.
type Known = (Vec<u64>, Option<(StateId, u32)>);

/// What a search with some threads finds: states in order, visits, and how it ended.
type Seen = (Vec<Known>, Vec<(StateId, usize)>, Ending);

fn seen(system: &(dyn System + Sync), states: usize, enough: u32, threads: usize) -> Seen {
    let mut visits = Vec::new();
    let visit = &mut |_: &Graph, id: StateId, _: &[u64], successors: usize| {
        visits.push((id, successors));
        match id.number() == enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let (limits, budget) = (Limits { states }, Budget::unlimited());
    let (graph, ending) = search_together(system, &limits, &budget, threads, None, visit);
    let ids = StateId::all(graph.len());
    let all = ids.map(|id| (graph.state(id), graph.before(id)));
    (all.collect(), visits, ending)
}

#[test]
fn every_number_of_threads_finds_the_same() {
    quotient_trial::trial(|u| {
        let table = random(u)?;
        let (states, enough) = (u.int_in_range(1..=60)?, u.int_in_range(0..=80)?);
        let expected = seen(&table, states, enough, 1);
        let threads = u.int_in_range(2..=4)?;
        assert_eq!(seen(&table, states, enough, threads), expected);
        Ok(())
    })
    .budget_ms(1000);
    // Many pieces, and an end that does not fit.
    let expected = seen(&Endless, 1 << 30, u32::MAX, 1);
    assert_eq!(expected.2, Ending::Unfit(100_000));
    assert!(seen(&Endless, 1 << 30, u32::MAX, 2) == expected);
    assert!(seen(&Wide, 1 << 30, u32::MAX, 2) == seen(&Wide, 1 << 30, u32::MAX, 1));
}

/// A grid of pairs of numbers.
struct Wide;

impl System for Wide {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0, 0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for at in 0..2 {
            let mut next = state.to_vec();
            next[at] += 1;
            if next[at] < 120 {
                emit(at as u32, &next);
            }
        }
        Ok(())
    }
}

/// Three numbers in one word, counted up in any order, from two beginnings.
#[derive(Default)]
struct Cube {
    /// Where the sum is odd, two of the three directions are said to be enough, or one step back.
    few: bool,
    /// The order of the numbers does not matter.
    sorted: bool,
}

impl System for Cube {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0]);
        emit(&[1 << 20]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for at in 0..3 {
            if state[0] >> (8 * at) & 255 < 49 {
                emit(at, &[state[0] + (1 << (8 * at))]);
            }
        }
        Ok(())
    }

    fn few_successors(
        &self,
        state: &[u64],
        emit: &mut dyn FnMut(u32, &[u64]),
    ) -> Result<bool, u64> {
        let sum: u64 = (0..3).map(|at| state[0] >> (8 * at) & 255).sum();
        if !self.few || sum.is_multiple_of(2) {
            return Ok(false);
        }
        // Once in a while they lead to what was visited, so that all are taken.
        match state[0] & 255 {
            x if x > 0 && sum.is_multiple_of(5) => emit(0, &[state[0] - 1]),
            _ => self.successors(state, &mut |label, next| {
                if label > 0 {
                    emit(label, next);
                }
            })?,
        }
        Ok(true)
    }

    fn canonical(&self, state: &mut [u64]) -> bool {
        if self.sorted {
            let mut all = [0, 8, 16].map(|shift| state[0] >> shift & 255);
            all.sort_unstable();
            state[0] = all[0] | all[1] << 8 | all[2] << 16;
        }
        self.sorted
    }
}

#[test]
fn threads_that_make_room_side_by_side_find_the_same() {
    let cube = |few, sorted| Cube { few, sorted };
    let systems = [
        (cube(false, false), 120_000),
        (cube(true, false), 60_000),
        (cube(false, true), 20_000),
        (cube(true, true), 10_000),
    ];
    for (cube, least) in systems {
        let expected = seen(&cube, 1 << 30, u32::MAX, 1);
        let number = expected.0.len();
        assert!(number > least && expected.2 == Ending::Complete, "{number}");
        for threads in [2, 3] {
            assert!(seen(&cube, 1 << 30, u32::MAX, threads) == expected);
        }
        let states = number / 10 * 7;
        let part = seen(&cube, states, u32::MAX, 1);
        assert!(matches!(part.2, Ending::Stopped(Stop::Bound { .. })));
        assert!(seen(&cube, states, u32::MAX, 2) == part);
    }
}

#[test]
fn hashes_find_what_a_naive_search_finds_by_shortest_runs() {
    quotient_trial::trial(|u| {
        let table = random(u)?;
        let expected = distances(&table);
        let mut visited = BTreeMap::new();
        let visit = &mut |traces: &Traces, id: StateId, state: &[u64], successors: usize| {
            let state = unpacked(state);
            assert_eq!(successors, table.0[state].len());
            let (start, labels) = traces.run(id);
            assert_eq!(start, StateId::new(0));
            let mut at = 0;
            for label in &labels {
                at = table.0[at][*label as usize];
            }
            assert_eq!(at, state);
            assert_eq!(visited.insert(state, labels.len()), None, "visited twice");
            ControlFlow::Continue(())
        };
        let budget = Budget::unlimited();
        let (traces, ending) = search_compact(&table, &Limits::default(), &budget, visit);
        assert_eq!(ending, Ending::Complete);
        assert_eq!(visited, expected);
        assert_eq!(traces.len(), expected.len());
        assert!(traces.chance() > 0.0 && traces.chance() < 1e-15);
        Ok(())
    })
    .budget_ms(1_000);
}

/// A grid whose two directions commute: one of them stands for both where it can be taken.
struct Grid {
    across: u64,
    down: u64,
    /// Whether going across leads round.
    round: bool,
}

impl System for Grid {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0, 0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        self.few_successors(state, emit)?;
        if state[1] < self.down {
            emit(1, &[state[0], state[1] + 1]);
        }
        Ok(())
    }

    fn few_successors(
        &self,
        state: &[u64],
        emit: &mut dyn FnMut(u32, &[u64]),
    ) -> Result<bool, u64> {
        let end = state[0] == self.across;
        if !end {
            emit(0, &[state[0] + 1, state[1]]);
        } else if self.round {
            emit(0, &[0, state[1]]);
        }
        Ok(!end || self.round)
    }
}

#[test]
fn few_steps_stand_for_all_and_put_nothing_off_for_ever() {
    for round in [false, true] {
        let grid = Grid {
            across: 5,
            down: 7,
            round,
        };
        let mut lowest = 0;
        let visit = &mut |_: &Graph, _: StateId, state: &[u64], _: usize| {
            lowest = lowest.max(state[1]);
            ControlFlow::Continue(())
        };
        let budget = Budget::unlimited();
        let (graph, ending) = search(&grid, Order::Breadth, &Limits::default(), &budget, visit);
        assert_eq!((ending, lowest), (Ending::Complete, 7));
        assert!(round || graph.len() == 13, "{}", graph.len());
    }
}

#[test]
fn only_what_is_worth_it_is_shown_in_order_whatever_the_number_of_threads() {
    let worth = |state: &[u64], successors: usize| {
        (state[0] * 7 + state[1]).is_multiple_of(5) || successors < 2
    };
    for threads in [1, 2, 3] {
        let mut shown = Vec::new();
        let visit = &mut |_: &Graph, id: StateId, state: &[u64], successors: usize| {
            shown.push((id, state.to_vec(), successors));
            ControlFlow::Continue(())
        };
        let (limits, budget) = (Limits::default(), Budget::unlimited());
        search_together(&Wide, &limits, &budget, threads, Some(&worth), visit);
        let mut expected = Vec::new();
        let visit = &mut |_: &Graph, id: StateId, state: &[u64], successors: usize| {
            if worth(state, successors) {
                expected.push((id, state.to_vec(), successors));
            }
            ControlFlow::Continue(())
        };
        search(&Wide, Order::Breadth, &limits, &budget, visit);
        assert!(shown.len() > 1_000 && shown == expected);
    }
}

/// Panics on every thread but the first.
struct Broken;

impl System for Broken {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0, 0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let other = std::thread::current().name().is_none();
        assert!(!other, "not here");
        Wide.successors(state, emit)
    }
}

#[test]
fn a_thread_that_breaks_down_ends_the_search() {
    let visit = &mut |_: &Graph, _: StateId, _: &[u64], _: usize| ControlFlow::Continue(());
    let (limits, budget) = (Limits::default(), Budget::unlimited());
    let (_, ending) = search_together(&Broken, &limits, &budget, 2, None, visit);
    let whole = matches!(ending, Ending::Complete);
    assert!(
        whole || ending == Ending::Stopped(Stop::Interrupted),
        "{ending:?}"
    );
}
