//! Measures the loop *post-image, union, determinise, minimise* on the models, next to a peer.
//!
//! `cargo bench -p quotient-regular --bench images` measures ours; with `-- --peer PROGRAM`, where
//! the program is `peers/mata_images.cc` linked with the mata library, both. `--check` measures
//! whole checks instead.
#![allow(clippy::print_stdout, reason = "a command")]

use std::fmt::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Transducer};
use quotient_core::{Budget, Context, Story};
use quotient_regular::models::{Example, catalogue};
use quotient_regular::{Identity, Options, System, check};

const STEPS: usize = 6;
const PATIENCE: Duration = Duration::from_millis(200);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let peer = arguments
        .iter()
        .position(|argument| argument == "--peer")
        .and_then(|at| arguments.get(at + 1));
    match arguments.iter().any(|argument| argument == "--check") {
        true => checks(),
        false => images(peer.map(String::as_str)),
    }
}

/// The time of a whole check with default options.
fn checks() {
    println!("| model | verdict | time | method |\n|---|---|---:|---|");
    for example in catalogue() {
        let options = Options::default();
        let (time, report) = best_of(|| check(&example.problem, &options, &Context::default()));
        let method = report.answers[0].method.clone().unwrap_or_default();
        println!(
            "| {} | {} | {} | {method} |",
            example.name,
            report.verdict(),
            shown(time)
        );
    }
}

/// The time of the loop.
fn images(peer: Option<&str>) {
    println!("| model | states after {STEPS} steps | quotient | mata | ratio |");
    println!("|---|---:|---:|---:|---:|");
    for example in catalogue() {
        let story = Story::silent();
        let system = System::new(
            &example.problem,
            Identity::Add,
            &Budget::unlimited(),
            &story,
        );
        let system = system.expect("an unlimited budget");
        let (time, states) = best_of(|| iterate(&system));
        let theirs = peer.and_then(|peer| peer_time(peer, &example));
        let ratio = theirs.map(|theirs| theirs.as_secs_f64() / time.as_secs_f64());
        println!(
            "| {} | {states} | {} | {} | {} |",
            example.name,
            shown(time),
            theirs.map_or("-".to_owned(), shown),
            ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.0}")),
        );
    }
}

/// Takes image after image; gives the size of the last set.
fn iterate(system: &System) -> usize {
    let budget = Budget::unlimited();
    let mut set = system.initial().as_ref().clone();
    for _ in 0..STEPS {
        let image = system.step().post(&set, &budget);
        let image = image.and_then(|image| image.minimize(&budget));
        set = image.expect("an unlimited budget");
    }
    set.len()
}

fn best_of<T>(run: impl Fn() -> T) -> (Duration, T) {
    let start = Instant::now();
    let mut best = Duration::MAX;
    loop {
        let before = Instant::now();
        let result = run();
        best = best.min(before.elapsed());
        if start.elapsed() > PATIENCE {
            return (best, result);
        }
    }
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() * 1e6 {
        micros @ ..1000.0 => format!("{micros:.0} µs"),
        micros => format!("{:.1} ms", micros / 1e3),
    }
}

/// The time of the peer for the same loop; nothing if it does not end in time.
fn peer_time(peer: &str, example: &Example) -> Option<Duration> {
    let file = std::env::temp_dir().join(format!("images-{}.txt", std::process::id()));
    let problem = &example.problem;
    let identity = Transducer::identity(problem.alphabet());
    let step = problem.relation().union().union(&identity).reduce();
    let text = exchange(problem.alphabet(), problem.initial(), &step);
    std::fs::write(&file, text).ok()?;
    let output = Command::new("timeout")
        .args(["60", peer])
        .arg(&file)
        .arg(STEPS.to_string())
        .output();
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Letters one by one: the initial automaton, then the transducer; a missing side is -1.
fn exchange(alphabet: &Alphabet, initial: &Nfa, step: &Transducer) -> String {
    let mut text = format!("{}\n", alphabet.len());
    let states = |text: &mut String, list: Vec<usize>| {
        let _ = write!(text, "{}", list.len());
        list.iter().for_each(|state| {
            let _ = write!(text, " {state}");
        });
        text.push('\n');
    };
    let indices = |list: &[quotient_automata::State]| list.iter().map(|s| s.index()).collect();
    let mut edges: Vec<(usize, i64, i64, usize)> = Vec::new();
    for edge in initial.edges() {
        let letters = initial.label(edge).iter().flat_map(Predicate::letters);
        edges.extend(letters.map(|letter| {
            let letter = i64::from(letter.0);
            (edge.source.index(), letter, letter, edge.target.index())
        }));
    }
    let mut machine = |count: usize, starts: Vec<usize>, ends: Vec<usize>, edges: &[_]| {
        let _ = writeln!(text, "{count}");
        states(&mut text, starts);
        states(&mut text, ends);
        let _ = writeln!(text, "{}", edges.len());
        for (source, input, output, target) in edges {
            let _ = writeln!(text, "{source} {input} {output} {target}");
        }
    };
    let ends = initial.accepting().ones().collect();
    machine(initial.len(), indices(initial.initial()), ends, &edges);
    edges.clear();
    for edge in step.edges() {
        let side = |letters: Option<&Predicate>| -> Vec<i64> {
            let numbers = |letters: &Predicate| letters.letters().map(|l| i64::from(l.0)).collect();
            letters.map_or_else(|| vec![-1], numbers)
        };
        let label = step.label(edge);
        let (inputs, outputs) = (side(label.input()), side(label.output()));
        for &input in &inputs {
            for &output in &outputs {
                if !matches!(label, Label::Copy(_)) || input == output {
                    edges.push((edge.source.index(), input, output, edge.target.index()));
                }
            }
        }
    }
    let ends = step.accepting().ones().collect();
    machine(step.len(), indices(step.initial()), ends, &edges);
    text
}
