//! One operation, timed.

use std::path::Path;
use std::time::{Duration, Instant};

use quotient_automata::{Canonical, Nfa, Step};
use quotient_core::{Budget, Stop};

use crate::exchange;
use crate::models::Folder;

/// What a measurement found.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) nanoseconds: u64,
    /// The number of states, or one more than the length of a counterexample.
    pub(crate) result: usize,
    /// In KiB.
    pub(crate) memory: u64,
}

impl Figures {
    pub(crate) fn read(text: &str) -> Option<Figures> {
        let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Figures {
            nanoseconds: next()?,
            result: next()? as usize,
            memory: next()?,
        })
    }
}

/// How many images are taken.
pub(crate) const STEPS: usize = 6;

/// Runs an operation for so long and gives the line that [`Figures::read`] reads. The files
/// are automata in the exchange format, or a folder with a problem, whose predicates the
/// format would spell out.
pub(crate) fn measure(operation: &str, milliseconds: u64, files: &[&str]) -> String {
    let patience = Duration::from_millis(milliseconds);
    let budget = Budget::unlimited();
    let (best, result) = match (operation, files) {
        ("images", [folder]) => {
            let folder = Folder::read(Path::new(folder));
            let (initial, step) = folder.problem().expect("a folder with a problem");
            let step = Step::new(&step, initial.labels().iter().flatten());
            let initial = initial.canonical(&budget).expect("no limit");
            best_of(patience, || images(&initial, &step, &budget))
        }
        _ => {
            let mut inputs: Vec<Nfa> = files.iter().map(|file| automaton(file)).collect();
            let compares = ["inclusion", "equivalence", "intersection"].contains(&operation);
            let pairs = inputs.chunks_exact_mut(2).filter(|_| compares);
            for pair in pairs {
                if let Ok(over) = pair[1].over(pair[0].alphabet()) {
                    pair[1] = over;
                }
            }
            best_of(patience, || run(operation, &inputs, &budget))
        }
    };
    format!("{best} {result} {}", peak_memory().unwrap_or(0))
}

fn automaton(file: &str) -> Nfa {
    let text = std::fs::read_to_string(file).expect("the input can be read");
    exchange::read(&text).expect("the input is in the exchange format")
}

/// The shortest time in nanoseconds, and the result.
fn best_of(patience: Duration, run: impl Fn() -> Result<usize, Stop>) -> (u128, usize) {
    let (start, mut best, mut result) = (Instant::now(), u128::MAX, 0);
    while best == u128::MAX || start.elapsed() < patience {
        let before = Instant::now();
        result = run().expect("the budget has no limit");
        best = best.min(before.elapsed().as_nanos());
    }
    (best, result)
}

/// Image after image, each joined with what was there (the step has the identity), determinised
/// and minimised; the size of the last.
fn images(initial: &Canonical, step: &Step, budget: &Budget) -> Result<usize, Stop> {
    let mut set = initial.clone();
    for _ in 0..STEPS {
        set = step.post(&set, budget)?.minimize(budget)?;
    }
    Ok(set.len())
}

/// The operation on each input, or on each two of them; the sum of the sizes of the results.
fn run(operation: &str, inputs: &[Nfa], budget: &Budget) -> Result<usize, Stop> {
    let apart = match operation {
        "inclusion" | "equivalence" | "intersection" => 2,
        _ => 1,
    };
    let mut size = 0;
    for inputs in inputs.chunks_exact(apart) {
        size += match operation {
            "determinize" => inputs[0].determinize(budget)?.len(),
            "minimize" => inputs[0].canonical(budget)?.len(),
            "reduce" => inputs[0].reduce_forward(budget)?.len(),
            "inclusion" => {
                let word = inputs[0].word_outside(&inputs[1], budget)?;
                word.map_or(0, |word| word.len() + 1)
            }
            "universality" => usize::from(!inputs[0].is_universal(budget)?),
            "emptiness" => usize::from(!inputs[0].is_empty_language()),
            "intersection" => inputs[0].intersection(&inputs[1], budget)?.len(),
            "equivalence" => usize::from(!inputs[0].is_equivalent_to(&inputs[1], budget)?),
            "complement" => inputs[0].complement(budget)?.len(),
            "reverse" => inputs[0].reverse().len(),
            other => panic!("unknown operation {other}"),
        };
    }
    Ok(size)
}

fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}
