//! Decides all machines with so many states and two symbols from the empty tape, certifies every
//! verdict, and prints how many were decided by which kind of proof.
//!
//! Machines are enumerated in tree normal form (Brady 1983): an action is chosen only once a run
//! needs it, the first one is `1RB`, and new states are taken in order. A machine stands for all
//! that agree with it on what its run uses.
//!
//! With `--machines FILE` the machines of a file instead, one a line; with `--sample N` every
//! N-th of those that do not stop soon; with `--random N` so many ways down the tree, each choice
//! by a die that `--seed S` determines; with `--deep N` as many of them whose run uses all actions
//! but one and does not stop soon, where the hard ones are; with `--left FILE` a file of those left
//! undecided, and with `--hard FILE` one of those that took more than a plain run.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_turing::LANGUAGE;

/// A table: by state and symbol what is written, whether the head goes right, and the next state.
type Table = Vec<[Option<(u8, bool, usize)>; 2]>;

/// More steps than any machine of four states needs that stops.
const LONGEST: usize = 200;

#[derive(Default)]
struct Tally {
    by: BTreeMap<String, u64>,
    open: Vec<String>,
    hard: Vec<String>,
    most: (usize, usize),
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut states, mut sample) = (3, 1usize);
    let (mut random, mut deep, mut seed) = (None, None, 1u64);
    let (mut left, mut hard) = (None, None);
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut given: Option<Vec<String>> = None;
    while let Some(argument) = arguments.next() {
        let value = arguments.next();
        match (argument.strip_prefix("--"), value) {
            (Some("states"), Some(value)) => states = value.parse().unwrap_or(3),
            (Some("sample"), Some(value)) => sample = value.parse().unwrap_or(1).max(1),
            (Some("machines"), Some(file)) => given = Some(read(&file)),
            (Some("random"), Some(value)) => random = value.parse::<u64>().ok(),
            (Some("seed"), Some(value)) => seed = value.parse().unwrap_or(1),
            (Some("deep"), Some(value)) => deep = value.parse::<usize>().ok(),
            (Some("left"), value) => left = value,
            (Some("hard"), value) => hard = value,
            (Some("bench"), _) => {}
            (Some(name), Some(value)) => settings.push((name.to_owned(), value)),
            _ => {}
        }
    }
    let began = Instant::now();
    let mut tally = Tally::default();
    let leaves = given.unwrap_or_else(|| {
        let mut first: Table = vec![[None; 2]; states];
        first[0][0] = Some((1, true, 1));
        let mut leaves = Vec::new();
        let mut die = Die(seed);
        match (random, deep) {
            (None, None) => grow(first, &mut leaves, &mut tally),
            (Some(number), _) => {
                for _ in 0..number {
                    descend(first.clone(), &mut die, &mut leaves, &mut tally);
                }
            }
            (None, Some(number)) => {
                let mut any = Tally::default();
                for _ in 0..number.saturating_mul(10_000) {
                    descend(first.clone(), &mut die, &mut leaves, &mut any);
                    // Each missing action is three signs; one is always missing.
                    leaves.pop_if(|last| last.matches('-').count() > 3);
                    if leaves.len() == number {
                        break;
                    }
                }
            }
        }
        leaves
    });
    let leaves: Vec<String> = leaves.into_iter().step_by(sample).collect();
    let tally = Mutex::new(tally);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(notation) = leaves.get(next.fetch_add(1, Relaxed)) {
                    let how = decide(notation, &settings);
                    let mut tally = tally.lock().unwrap_or_else(|one| one.into_inner());
                    match how.as_deref() {
                        None => tally.open.push(notation.clone()),
                        Some("guarded family" | "regular invariant") => {
                            tally.hard.push(notation.clone());
                        }
                        _ => {}
                    }
                    let how = how.unwrap_or_else(|| "undecided".to_owned());
                    *tally.by.entry(how).or_default() += 1;
                }
            });
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(|one| one.into_inner());
    print(states, &mut tally, began);
    for (file, machines) in [(left, &tally.open), (hard, &tally.hard)] {
        if let Some(file) = file {
            std::fs::write(&file, machines.join("\n") + "\n").expect("a file to write");
        }
    }
}

/// Numbers that look like chance (SplitMix64, Steele, Lea and Flood 2014).
struct Die(u64);

impl Die {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((number ^ (number >> 31)) % bound as u64) as usize
    }
}

/// Goes down the tree by chance, to a machine that stops and has one action left to choose, or to
/// one that does not stop soon.
fn descend(mut table: Table, die: &mut Die, leaves: &mut Vec<String>, tally: &mut Tally) {
    while let Some((steps, ones, _)) = run(&table) {
        tally.most = (tally.most.0.max(steps), tally.most.1.max(ones));
        let mut choices = choices(&table);
        if choices.is_empty() {
            *tally.by.entry("halts".to_owned()).or_default() += 1;
            return;
        }
        table = choices.swap_remove(die.below(choices.len()));
    }
    leaves.push(notation(&table));
}

/// The machines of a file: lines in the notation, with comments.
fn read(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a file of machines");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let lines = lines.map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

fn print(states: usize, tally: &mut Tally, began: Instant) {
    let all: u64 = tally.by.values().sum();
    println!("| machines of {states} states | number | share |\n|---|---:|---:|");
    for (how, count) in &tally.by {
        let share = 100.0 * *count as f64 / all as f64;
        println!("| {how} | {count} | {share:.3} % |");
    }
    println!("| all | {all} | |");
    let (steps, ones) = tally.most;
    println!("\nmost steps {steps}, most ones {ones}; every verdict certified");
    println!("{:.1} s on two threads", began.elapsed().as_secs_f64());
    tally.open.sort();
    for notation in tally.open.iter().take(200) {
        println!("undecided: {notation}");
    }
}

/// Runs a machine; where an action is missing, it stops there as it is, and goes on with each
/// choice. Those that do not stop soon are leaves.
fn grow(table: Table, leaves: &mut Vec<String>, tally: &mut Tally) {
    let mut todo = vec![table];
    while let Some(table) = todo.pop() {
        let Some((steps, ones, _)) = run(&table) else {
            leaves.push(notation(&table));
            continue;
        };
        *tally.by.entry("halts".to_owned()).or_default() += 1;
        tally.most = (tally.most.0.max(steps), tally.most.1.max(ones));
        todo.extend(choices(&table));
    }
}

/// The tables with a choice for the action that a run lacks; none if it stops only there.
fn choices(table: &Table) -> Vec<Table> {
    let missing = table.iter().flatten().filter(|cell| cell.is_none()).count();
    let (Some((_, _, (state, symbol))), true) = (run(table), missing > 1) else {
        return Vec::new();
    };
    let cells = table.iter().flatten().flatten();
    let used = cells.map(|cell| cell.2).max().unwrap_or(0);
    let mut found = Vec::new();
    for to in 0..=(used + 1).min(table.len() - 1) {
        for (write, right) in [(0, false), (0, true), (1, false), (1, true)] {
            let mut table = table.clone();
            table[state][symbol] = Some((write, right, to));
            found.push(table);
        }
    }
    found
}

/// The steps to the end (the one into the state that stops counts), the ones left (with the one
/// that this step writes), and what is missing there.
fn run(table: &Table) -> Option<(usize, usize, (usize, usize))> {
    let mut tape = [0u8; 2 * LONGEST + 3];
    let (mut head, mut state) = (LONGEST + 1, 0);
    for steps in 0..LONGEST {
        let symbol = usize::from(tape[head]);
        let Some((write, right, to)) = table[state][symbol] else {
            let ones = tape.iter().filter(|&&one| one == 1).count() + usize::from(symbol == 0);
            return Some((steps + 1, ones, (state, symbol)));
        };
        tape[head] = write;
        head = if right { head + 1 } else { head - 1 };
        state = to;
    }
    None
}

fn notation(table: &Table) -> String {
    let cell = |cell: &Option<(u8, bool, usize)>| match cell {
        None => "---".to_owned(),
        Some((write, right, to)) => {
            let side = if *right { 'R' } else { 'L' };
            format!("{write}{side}{}", char::from(b'A' + *to as u8))
        }
    };
    let row = |row: &[_; 2]| format!("{}{}", cell(&row[0]), cell(&row[1]));
    table.iter().map(row).collect::<Vec<_>>().join("_")
}

/// By which kind of proof a machine is decided; the proof is certified.
fn decide(notation: &str, given: &[(String, String)]) -> Option<String> {
    let input = Input::text(&Source::new("machine.tm", notation));
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("Turing", known, Verb::Check, given).expect("known settings");
    let cx = Context::default();
    let model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx);
    let mut model = model.expect("a machine");
    let mut answer = None;
    let asked = model.check(&Ask::default(), &cx, &mut |one| answer = Some(one));
    asked.expect("a question");
    let answer = answer.expect("an answer");
    if matches!(answer.verdict, Verdict::Unknown(_)) {
        return None;
    }
    let evidence = answer.evidence.expect("evidence");
    let property = model.properties().remove(0);
    let certified = model.certify(&evidence, &property, &Budget::unlimited());
    certified.unwrap_or_else(|why| panic!("{notation}: {why}"));
    answer.method
}
