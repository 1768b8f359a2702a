//! Counts the steady states and the other attractors of networks.
//!
//! `cargo run --release -p quotient-network --example attractors -- SECONDS FILE…`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context};
use quotient_language::{Input, NoFiles, Query, Settings};
use quotient_network::LANGUAGE;

fn main() {
    let mut words = std::env::args().skip(1);
    let seconds = words
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(10);
    for path in words {
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let input = Input::bytes(path.as_str(), bytes);
        let began = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
        let cx = Context {
            budget,
            ..Context::default()
        };
        let query = Query {
            text: "attractors".to_owned(),
            limit: 1,
        };
        let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
        let told = match opened.and_then(|mut model| model.ask(&query, &cx)) {
            Ok(shown) => format!(
                "{} steady, {} larger",
                shown.result["steady"], shown.result["complex"]
            ),
            Err(trouble) => trouble.to_string(),
        };
        println!("{path}: {told} in {:.2} s", began.elapsed().as_secs_f64());
    }
}
