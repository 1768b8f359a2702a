//! The verdict and the time of each property of some files, to be put beside those of Spin.
//!
//! `cargo run --release -p quotient-promela --example verdicts -- [--weakly-fair] FILE…`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_promela::LANGUAGE;

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let fair = words.iter().any(|word| word == "--weakly-fair");
    words.retain(|word| word != "--weakly-fair");
    let given: &[(String, String)] = match fair {
        true => &[("weakly-fair".to_owned(), "true".to_owned())],
        false => &[],
    };
    let known = LANGUAGE.about().settings;
    let Ok(settings) = Settings::new("promela", known, Verb::Check, given) else {
        return;
    };
    for file in words {
        let Ok(text) = std::fs::read_to_string(&file) else {
            println!("{file}: cannot be read");
            continue;
        };
        let input = Input::text(&Source::new(file.as_str(), text));
        let cx = Context {
            budget: Budget::new(Some(Duration::from_secs(120)), Some(4 << 30)),
            ..Context::default()
        };
        let mut model = match LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
            Ok(model) => model,
            Err(trouble) => {
                println!("{trouble}");
                continue;
            }
        };
        let mut began = Instant::now();
        let told = model.check(&Ask::default(), &cx, &mut |answer| {
            let seconds = began.elapsed().as_secs_f64();
            let (name, verdict) = (&answer.property, answer.verdict.name());
            println!(
                "{file}\t{name}\t{verdict}\t{seconds:.2}\t{}",
                answer.because
            );
            began = Instant::now();
        });
        if let Err(trouble) = told {
            println!("{file}: {trouble}");
        }
    }
}
