//! Asks all questions of a folder of Timbuk files, compares the answers with those that are
//! known, and prints how long they took.
//!
//! The folder has a table `expected.csv` with `question,first,second,answer` in each row:
//! `inclusion` and `emptiness` with `yes` or `no`, `union` and `remove_useless` with a file of
//! the result.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use quotient_core::{Budget, Source};
use quotient_trees::{TreeAutomaton, equivalence, inclusion, timbuk, union};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let models = arguments.iter().position(|one| one == "--models");
    let Some(folder) = models.and_then(|place| arguments.get(place + 1)) else {
        println!("give a folder of automata: --models DIR");
        return ExitCode::SUCCESS;
    };
    let folder = Path::new(folder);
    let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap_or_default();
    let mut times: BTreeMap<String, (usize, Duration, Duration)> = BTreeMap::new();
    let (mut wrong, mut slowest) = (0, Vec::new());
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').map(str::trim).collect();
        let [question, first, second, answer, ..] = cells[..] else {
            continue;
        };
        let one = read(folder, first);
        let other = (!second.is_empty()).then(|| read(folder, second));
        let result = answer.contains('/').then(|| read(folder, answer));
        let began = Instant::now();
        let found = ask(question, &one, other.as_ref(), result.as_ref());
        let took = began.elapsed();
        let told = if found { "yes" } else { "no" };
        if told != answer && !(found && result.is_some()) {
            wrong += 1;
            println!("wrong: {row}: {told}");
        }
        let time = times.entry(question.to_owned()).or_default();
        *time = (time.0 + 1, time.1 + took, time.2.max(took));
        slowest.push((took, row.to_owned()));
    }
    println!("| question | number | total | slowest |\n|---|---:|---:|---:|");
    for (question, (count, total, most)) in times {
        let (total, most) = (total.as_secs_f64() * 1e3, most.as_secs_f64() * 1e3);
        println!("| {question} | {count} | {total:.1} ms | {most:.1} ms |");
    }
    slowest.sort();
    for (took, row) in slowest.iter().rev().take(5) {
        println!("{:8.1} ms  {row}", took.as_secs_f64() * 1e3);
    }
    println!("{wrong} wrong answers");
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn read(folder: &Path, name: &str) -> TreeAutomaton {
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let mut file = timbuk::read(&Source::new(name, text)).unwrap_or_else(|why| panic!("{why}"));
    file.automata.swap_remove(0).automaton
}

fn ask(
    question: &str,
    one: &TreeAutomaton,
    other: Option<&TreeAutomaton>,
    result: Option<&TreeAutomaton>,
) -> bool {
    let budget = Budget::unlimited();
    let same = |set: &TreeAutomaton| {
        let result = result.expect("a result to compare with");
        equivalence(set, result, &budget).expect("no limit").holds()
    };
    match (question, other) {
        ("inclusion", Some(other)) => inclusion(one, other, &budget).expect("no limit").holds(),
        ("union", Some(other)) => same(&union(one, other)),
        ("remove_useless", _) => same(&one.trimmed()),
        _ => one.is_empty(),
    }
}
