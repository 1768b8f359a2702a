//! Search by several workers and processes against the search of one.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use quotient_core::{Budget, Stop};
use quotient_explicit::{
    Apart, Ending, Graph, Limits, Order, Party, Sought, Spread, StateId, System, search,
    search_spread,
};
use quotient_trial::trial;

/// A graph that is given by its edges; labels are places in the list.
#[derive(Debug, Clone)]
struct Given {
    starts: Vec<u64>,
    edges: Vec<(u64, u64)>,
    /// A state that does not fit.
    unfit: Option<u64>,
}

impl System for Given {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        for &start in &self.starts {
            emit(&[start, !start]);
        }
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for (label, &(from, to)) in (0..).zip(&self.edges) {
            if from == state[0] {
                if self.unfit == Some(to) {
                    return Err(to);
                }
                emit(label, &[to, !to]);
            }
        }
        Ok(())
    }
}

/// Looks for some numbers, and for a state that nothing leaves.
fn sought(numbers: Vec<u64>) -> Sought {
    Sought {
        number: numbers.len() + 1,
        reaches: Arc::new(move |state, successors, found| {
            for (thing, number) in numbers.iter().enumerate() {
                if state[0] == *number {
                    found(thing);
                }
            }
            if successors == 0 {
                found(numbers.len());
            }
        }),
    }
}

/// Addresses that nobody uses.
fn addresses(number: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> = (0..number)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    listeners.iter().map(address).collect()
}

/// As many processes as there are addresses, as threads of this one.
fn together(system: &Given, sought: &Sought, processes: usize, workers: usize) -> Vec<Spread> {
    let addresses = match processes {
        1 => Vec::new(),
        _ => addresses(processes),
    };
    let one = |process: usize| {
        let (system, sought, addresses) = (system.clone(), sought.clone(), addresses.clone());
        thread::spawn(move || {
            let party = Party {
                addresses,
                process,
                workers,
                question: 5,
                ..Party::default()
            };
            let system: Arc<dyn System + Send + Sync> = Arc::new(system);
            search_spread(&system, &sought, &party, &Budget::unlimited()).unwrap()
        })
    };
    let all: Vec<_> = (0..processes).map(one).collect();
    all.into_iter().map(|one| one.join().unwrap()).collect()
}

/// What one worker finds: the shortest way to each thing, and all states.
fn alone(system: &Given, sought: &Sought) -> (Vec<Option<usize>>, usize) {
    let mut shortest = vec![None; sought.number];
    let visit = &mut |graph: &Graph, id: StateId, state: &[u64], successors: usize| {
        (sought.reaches)(state, successors, &mut |thing| {
            shortest[thing].get_or_insert(graph.run(id).1.len());
        });
        ControlFlow::Continue(())
    };
    let limits = Limits::default();
    let (graph, _) = search(system, Order::Breadth, &limits, &Budget::unlimited(), visit);
    (shortest, graph.len())
}

#[test]
fn any_number_of_workers_and_processes_finds_what_one_finds() {
    trial(|u| {
        let states = u.int_in_range(1..=40)?;
        let mut edges = Vec::new();
        for _ in 0..u.int_in_range(0..=80)? {
            edges.push((u.int_in_range(0..=states)?, u.int_in_range(0..=states)?));
        }
        let mut starts = Vec::new();
        for _ in 0..u.int_in_range(0..=2)? {
            starts.push(u.int_in_range(0..=states)?);
        }
        let system = Given {
            starts,
            edges,
            unfit: None,
        };
        let sought = sought(vec![
            u.int_in_range(0..=states)?,
            u.int_in_range(0..=states)?,
        ]);
        let processes = u.int_in_range(1..=3)?;
        let workers = u.int_in_range(1..=2)?;
        let (shortest, all) = alone(&system, &sought);
        for spread in together(&system, &sought, processes, workers) {
            let lengths = spread.runs.iter().map(|run| {
                let run = run.as_ref()?;
                let mut at = run.start[0];
                assert!(system.starts.contains(&at));
                for &label in &run.labels {
                    let (from, to) = system.edges[label as usize];
                    assert_eq!(from, at);
                    at = to;
                }
                Some(run.labels.len())
            });
            assert_eq!(lengths.collect::<Vec<_>>(), shortest);
            match shortest.iter().all(Option::is_some) {
                true => assert!(spread.states <= all as u64),
                false => {
                    assert_eq!(spread.ending, Ending::Complete);
                    assert_eq!(spread.states, all as u64);
                }
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn a_state_that_does_not_fit_ends_the_search_everywhere() {
    let system = Given {
        starts: vec![0],
        edges: (0..50).map(|at| (at, at + 1)).collect(),
        unfit: Some(30),
    };
    for spread in together(&system, &sought(vec![99]), 2, 2) {
        assert_eq!(spread.ending, Ending::Unfit(30));
    }
}

/// A chain without an end.
struct Endless;

impl System for Endless {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        emit(0, &[state[0] + 1]);
        Ok(())
    }
}

fn endless(party: Party, budget: Budget) -> thread::JoinHandle<Result<Spread, Apart>> {
    thread::spawn(move || {
        let system: Arc<dyn System + Send + Sync> = Arc::new(Endless);
        search_spread(&system, &sought(vec![u64::MAX]), &party, &budget)
    })
}

#[test]
fn the_budget_of_one_process_ends_the_search_of_all() {
    let addresses = addresses(2);
    let party = |process| Party {
        addresses: addresses.clone(),
        process,
        ..Party::default()
    };
    let short = Budget::new(Some(Duration::from_millis(1500)), None);
    let long = Budget::new(Some(Duration::from_secs(30)), None);
    let (first, second) = (endless(party(0), short), endless(party(1), long));
    for one in [first, second] {
        // On a slow machine one may not wait for what the other says.
        let ending = match one.join().unwrap() {
            Ok(spread) => spread.ending,
            Err(Apart::Stopped(stop)) => Ending::Stopped(stop),
            Err(apart) => panic!("{apart}"),
        };
        assert_eq!(ending, Ending::Stopped(Stop::Time));
    }
}

#[test]
fn who_asks_something_else_is_turned_away() {
    let addresses = addresses(2);
    let party = |process| Party {
        addresses: addresses.clone(),
        process,
        question: process as u64,
        ..Party::default()
    };
    let first = endless(party(0), Budget::unlimited());
    let second = endless(party(1), Budget::unlimited());
    let both = [first.join().unwrap(), second.join().unwrap()];
    assert!(
        both.iter()
            .any(|one| matches!(one, Err(Apart::Different(_)))),
        "{both:?}"
    );
}

#[test]
fn who_does_not_come_is_named() {
    let addresses = addresses(2);
    let party = Party {
        patience: Duration::from_millis(100),
        addresses: addresses.clone(),
        ..Party::default()
    };
    let began = Instant::now();
    let alone = endless(party, Budget::unlimited()).join().unwrap();
    let Err(Apart::Absent(who)) = alone else {
        panic!("{alone:?}");
    };
    assert!(who.contains(&addresses[1]), "{who}");
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn who_goes_away_in_the_middle_is_named() {
    let addresses = addresses(2);
    let party = Party {
        addresses: addresses.clone(),
        ..Party::default()
    };
    let first = endless(party, Budget::unlimited());
    // Greets as the second process would, and is gone.
    let mut second = loop {
        match TcpStream::connect(&addresses[0]) {
            Ok(socket) => break socket,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut greeting = [0; 48];
    second.read_exact(&mut greeting).unwrap();
    greeting[47] = 1;
    second.write_all(&greeting).unwrap();
    thread::sleep(Duration::from_millis(50));
    drop(second);
    let lost = first.join().unwrap();
    assert!(
        matches!(lost, Err(Apart::Lost { process: 1, .. })),
        "{lost:?}"
    );
}

#[test]
fn who_does_not_greet_is_not_waited_for() {
    let addresses = addresses(2);
    let party = |process| Party {
        addresses: addresses.clone(),
        process,
        ..Party::default()
    };
    let short = Budget::new(Some(Duration::from_secs(8)), None);
    let first = endless(party(0), short);
    let mut stranger = loop {
        match TcpStream::connect(&addresses[0]) {
            Ok(socket) => break socket,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    stranger.write_all(&[b'x'; 64]).unwrap();
    let long = Budget::new(Some(Duration::from_secs(30)), None);
    let second = endless(party(1), long);
    for one in [first, second] {
        let result = one.join().unwrap();
        assert!(
            matches!(result, Ok(_) | Err(Apart::Stopped(_))),
            "{result:?}"
        );
    }
}
