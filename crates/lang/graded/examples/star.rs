//! How long the star of a sparse system takes.
//!
//! `cargo run --release -p quotient-graded --example star [STATES] [TRANSITIONS]`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::fmt::Write;
use std::time::Instant;

use quotient_core::{Context, Source};
use quotient_graded::LANGUAGE;
use quotient_language::{Ask, Input, MemoryFiles, Random, Settings};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let states = numbers.next().unwrap_or(100_000);
    let transitions = numbers.next().unwrap_or(500_000);
    let random = &mut Random::new(1);
    let mut table = "from,to,weight\n".to_owned();
    for _ in 0..transitions {
        let (from, to) = (random.below(states), random.below(states));
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{from},{to},{}", 1 + random.below(100));
    }
    for algebra in ["boolean", "min-plus", "max-plus"] {
        let rows = match algebra {
            "boolean" => table
                .lines()
                .map(|row| row.rsplit_once(',').map_or(row, |(row, _)| row))
                .fold(String::new(), |all, row| all + row + "\n"),
            _ => table.clone(),
        };
        let text = format!(
            "grades {algebra}\nstates {states}\ntransitions \"rows.csv\"\nprop goal: 0\ninitial 1\ncheck reach: <step*> goal"
        );
        let input = Input::text(&Source::new("star.gdl", text));
        let mut files: MemoryFiles = [("rows.csv", rows)].into_iter().collect();
        let cx = Context::default();
        let began = Instant::now();
        let opened = LANGUAGE.open(&input, &mut files, &Settings::default(), &cx);
        let read = began.elapsed();
        let began = Instant::now();
        let mut because = String::new();
        if let Ok(mut model) = opened {
            let told = model.check(&Ask::default(), &cx, &mut |answer| because = answer.because);
            because = told.map_or_else(|trouble| trouble.to_string(), |()| because);
        }
        println!(
            "{algebra}: read {:.2} s, answered {:.2} s: {because}",
            read.as_secs_f64(),
            began.elapsed().as_secs_f64()
        );
    }
}
