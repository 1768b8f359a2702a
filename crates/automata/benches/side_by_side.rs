//! Measures operations on generated families, and on models if there are any, next to a peer.
//!
//! `cargo xtask bench automata` builds the peer and runs this. Each measurement is a process of
//! its own on both sides, so that peak memory is that of the operation; the time is the best of
//! many runs and excludes reading.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

#[path = "side_by_side/exchange.rs"]
mod exchange;
#[path = "side_by_side/families.rs"]
mod families;
#[path = "side_by_side/measure.rs"]
mod measure;
#[path = "side_by_side/models.rs"]
mod models;
#[path = "side_by_side/pairs.rs"]
mod pairs;
#[path = "side_by_side/shapes.rs"]
mod shapes;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::families::{Case, Inputs};
use crate::measure::Figures;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure", operation, milliseconds, ref files @ ..] => {
            let milliseconds = milliseconds.parse().unwrap_or(100);
            println!("{}", measure::measure(operation, milliseconds, files));
        }
        _ => compare(&arguments),
    }
}

/// Runs every case on both sides and prints a table.
fn compare(arguments: &[String]) {
    let value_of = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let peer = value_of("--peer").map(PathBuf::from);
    let only = value_of("--only").unwrap_or_default();
    let milliseconds = value_of("--milliseconds").unwrap_or_else(|| "200".to_owned());
    let folder = std::env::temp_dir().join(format!("automata-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the inputs");
    let mut totals = Totals::default();
    let mut rows: Vec<(f64, String)> = Vec::new();
    let models = value_of("--models").map(PathBuf::from);
    for case in families::cases(models.as_deref()) {
        if !case.title().contains(&only) {
            continue;
        }
        let files = write_inputs(&case, &folder);
        let own = std::env::current_exe().expect("this program");
        let ours = match &case.inputs {
            Inputs::Automata(_) => files.clone(),
            Inputs::Problem(folder, ..) => vec![folder.clone()],
        };
        let ours = run(&own, &["measure"], case.operation, &milliseconds, &ours);
        let theirs = peer.as_ref().and_then(|peer| {
            let mut figures = run(peer, &[], case.operation, &milliseconds, &files);
            if case.operation == "minimize" {
                // The peer has two algorithms: the better one counts.
                let other = run(peer, &[], "minimize-by-reversal", &milliseconds, &files);
                figures = match (figures, other) {
                    (Some(a), Some(b)) => Some(if a.nanoseconds < b.nanoseconds { a } else { b }),
                    (a, b) => a.or(b),
                };
            }
            figures
        });
        totals.add(case.operation, &ours, &theirs);
        rows.push((ratio(&ours, &theirs), row(&case, &ours, &theirs)));
    }
    // The worst rows first: those are what there is to do about.
    rows.sort_by(|left, right| left.0.total_cmp(&right.0));
    let shown = value_of("--worst").and_then(|number| number.parse().ok());
    println!("| operation | input | quotient | mata | ratio | memory | mata | result |");
    println!("|---|---|---:|---:|---:|---:|---:|---|");
    for (_, row) in rows.iter().take(shown.unwrap_or(usize::MAX)) {
        println!("{row}");
    }
    totals.print();
    let _ = std::fs::remove_dir_all(folder);
}

/// Writes what the peer reads.
fn write_inputs(case: &Case, folder: &Path) -> Vec<PathBuf> {
    let texts: Vec<String> = match &case.inputs {
        Inputs::Automata(inputs) => inputs.iter().map(exchange::write).collect(),
        Inputs::Problem(_, problem) => {
            let (initial, step) = problem.as_ref();
            vec![exchange::write(initial), exchange::write_transducer(step)]
        }
    };
    let write = |(number, text): (usize, &String)| {
        let path = folder.join(format!("{number}.txt"));
        std::fs::write(&path, text).expect("the inputs can be written");
        path
    };
    texts.iter().enumerate().map(write).collect()
}

/// Runs one measurement; nothing if it does not end in time.
fn run(
    program: &Path,
    before: &[&str],
    operation: &str,
    milliseconds: &str,
    files: &[PathBuf],
) -> Option<Figures> {
    let output = Command::new("timeout")
        .arg("10")
        .arg(program)
        .args(before)
        .args([operation, milliseconds])
        .args(files)
        .output()
        .ok()?;
    Figures::read(&String::from_utf8_lossy(&output.stdout))
}

/// How many times faster we are; without an answer of one side, infinitely so or not at all.
fn ratio(ours: &Option<Figures>, theirs: &Option<Figures>) -> f64 {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => theirs.nanoseconds as f64 / ours.nanoseconds as f64,
        (None, _) => 0.0,
        (Some(_), None) => f64::INFINITY,
    }
}

fn row(case: &Case, ours: &Option<Figures>, theirs: &Option<Figures>) -> String {
    let time = |figures: &Option<Figures>| {
        figures.as_ref().map_or("-".to_owned(), |figures| {
            let microseconds = figures.nanoseconds as f64 / 1000.0;
            match microseconds {
                ..1000.0 => format!("{microseconds:.1} µs"),
                ..1e6 => format!("{:.1} ms", microseconds / 1e3),
                _ => format!("{:.2} s", microseconds / 1e6),
            }
        })
    };
    let memory = |figures: &Option<Figures>| {
        figures.as_ref().map_or("-".to_owned(), |figures| {
            format!("{:.1} MiB", figures.memory as f64 / 1024.0)
        })
    };
    let ratio = match ratio(ours, theirs) {
        none if none == 0.0 || none.is_infinite() => "-".to_owned(),
        ratio if ratio < 10.0 => format!("{ratio:.2}"),
        ratio => format!("{ratio:.0}"),
    };
    let result = |figures: &Option<Figures>| {
        figures
            .as_ref()
            .map_or("-".to_owned(), |figures| figures.result.to_string())
    };
    format!(
        "| {} | {} | {} | {} | {ratio} | {} | {} | {} / {} |",
        case.operation,
        case.name,
        time(ours),
        time(theirs),
        memory(ours),
        memory(theirs),
        result(ours),
        result(theirs)
    )
}

/// How often each operation was faster, and by how much altogether.
#[derive(Default)]
struct Totals(std::collections::BTreeMap<&'static str, Total>);

#[derive(Default)]
struct Total {
    cases: u32,
    faster: u32,
    logarithms: f64,
    worst: Option<f64>,
}

impl Totals {
    fn add(&mut self, operation: &'static str, ours: &Option<Figures>, theirs: &Option<Figures>) {
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            let ratio = ratio(&Some(*ours), &Some(*theirs));
            let total = self.0.entry(operation).or_default();
            total.cases += 1;
            total.faster += u32::from(ratio >= 1.0);
            total.logarithms += ratio.ln();
            total.worst = Some(total.worst.map_or(ratio, |worst| worst.min(ratio)));
        }
    }

    fn print(&self) {
        for (operation, total) in &self.0 {
            let mean = (total.logarithms / f64::from(total.cases)).exp();
            let worst = total.worst.unwrap_or(mean);
            println!(
                "{operation}: faster in {} of {}, {mean:.1} times on average, {worst:.2} at the least",
                total.faster, total.cases
            );
        }
    }
}
