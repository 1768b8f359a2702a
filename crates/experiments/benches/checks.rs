//! Measures whole checks of the models with default options:
//! `cargo bench -p quotient-experiments --bench checks`.
#![allow(clippy::print_stdout, reason = "a command")]

use std::time::{Duration, Instant};

use quotient_core::Context;
use quotient_experiments::models::catalogue;
use quotient_regular::{Options, check};

const PATIENCE: Duration = Duration::from_millis(200);

fn main() {
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
