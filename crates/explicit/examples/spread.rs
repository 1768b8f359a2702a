//! How much sooner several processes are done: philosophers at a table, as a net.
//!
//! `cargo run --release -p quotient-explicit --example spread -- [PHILOSOPHERS [PROCESSES …]]`
//!
//! Starts itself as often as there are processes, which find each other at ports of this machine, and prints the time of
//! the slowest, the processor time of all, and the greatest memory of one.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

mod table;

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use quotient_core::Budget;
use quotient_explicit::{Party, Sought, System, search_spread};

use table::Table;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [word, number, process, addresses @ ..] if word == "worker" => {
            let (number, process) = (number.parse().unwrap_or(12), process.parse().unwrap_or(0));
            work(number, process, addresses);
        }
        _ => compare(&arguments),
    }
}

/// One process of several.
fn work(number: usize, process: usize, addresses: &[String]) {
    let system: Arc<dyn System + Send + Sync> = Arc::new(Table::of(number));
    // Something that is never found: everything is searched.
    let sought = Sought {
        number: 1,
        reaches: Arc::new(|_, _, _| {}),
    };
    let party = Party {
        addresses: addresses.to_vec(),
        process,
        ..Party::default()
    };
    let begin = Instant::now();
    match search_spread(&system, &sought, &party, &Budget::unlimited()) {
        Ok(spread) => {
            let seconds = begin.elapsed().as_secs_f64();
            println!("{} {seconds} {} {}", spread.states, processor(), peak());
        }
        Err(apart) => eprintln!("{apart}"),
    }
}

fn compare(arguments: &[String]) {
    let mut numbers = arguments.iter().map_while(|one| one.parse::<usize>().ok());
    let number = numbers.next().unwrap_or(12);
    let mut processes: Vec<usize> = numbers.collect();
    if processes.is_empty() {
        processes = vec![1, 2, 1, 2, 1, 2, 4];
    }
    for processes in processes {
        let Some((states, seconds, used, memory)) = together(number, processes) else {
            eprintln!("{processes} processes did not end well");
            continue;
        };
        println!(
            "{number} philosophers, {processes} processes: {states} states in {seconds:.3} s, {:.2} million a second, processor time {used:.2} s, at most {:.0} MB each",
            states as f64 / seconds / 1e6,
            memory / 1e6,
        );
    }
}

/// States, seconds of the slowest, processor seconds of all, and the greatest memory.
fn together(number: usize, processes: usize) -> Option<(u64, f64, f64, f64)> {
    let listeners: Vec<TcpListener> = (0..processes)
        .map_while(|_| TcpListener::bind("127.0.0.1:0").ok())
        .collect();
    let ports = listeners.iter().map_while(|one| one.local_addr().ok());
    let addresses: Vec<String> = ports.map(|one| one.to_string()).collect();
    drop(listeners);
    let program = std::env::current_exe().ok()?;
    let start = |process: usize| {
        let mut command = Command::new(&program);
        command.args(["worker", &number.to_string(), &process.to_string()]);
        if processes > 1 {
            command.args(&addresses);
        }
        command.stdout(Stdio::piped()).spawn().ok()
    };
    let children: Vec<_> = (0..processes).map_while(start).collect();
    let mut all = (0, 0.0_f64, 0.0, 0.0_f64);
    for child in children {
        let output = child.wait_with_output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut cells = text.split_whitespace();
        let states = cells.next()?.parse().ok()?;
        let mut next = || cells.next().and_then(|one| one.parse::<f64>().ok());
        let (seconds, used, memory) = (next()?, next()?, next()?);
        all = (states, all.1.max(seconds), all.2 + used, all.3.max(memory));
    }
    Some(all)
}

/// The processor time of this process in seconds, where the system tells.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let cells = after.split_whitespace().skip(11).take(2);
    cells.filter_map(|one| one.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that this process had, in bytes, where the system tells.
fn peak() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes
        .and_then(|one| one.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 1024.0
}
