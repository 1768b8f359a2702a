//! The resource-allocation family, with and without parameters.
//!
//! `cargo run --release -p quotient-program --example allocation [SECONDS] [CUSTOMERS…]`; with `text` instead of the
//! seconds the programs are written, for the command.

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_program::{LANGUAGE, allocation};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let text = std::env::args().nth(1).is_some_and(|word| word == "text");
    let seconds = match text {
        true => 0,
        false => numbers.next().unwrap_or(30) as u64,
    };
    let mut sizes: Vec<usize> = numbers.collect();
    if sizes.is_empty() {
        sizes = vec![2, 3, 5, 10, 25, 40];
    }
    for customers in sizes {
        if text {
            print!("{}", allocation(customers, customers.div_ceil(2)));
            continue;
        }
        for flags in [&[][..], &[("no-parameters".to_owned(), "true".to_owned())]] {
            let settings = Settings::new("program", LANGUAGE.about().settings, Verb::Check, flags);
            let Ok(settings) = settings else { return };
            let program = allocation(customers, customers.div_ceil(2));
            let input = Input::text(&Source::new("allocation.spl", program));
            let context = || Context {
                budget: Budget::new(Some(Duration::from_secs(seconds)), Some(2 << 30)),
                ..Context::default()
            };
            let cx = context();
            let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) else {
                return;
            };
            for property in ["exclusive", "served"] {
                let began = Instant::now();
                let cx = context();
                let ask = Ask {
                    properties: vec![property.to_owned()],
                    ..Ask::default()
                };
                let told = model.check(&ask, &cx, &mut |answer| {
                    let with = if flags.is_empty() { "with" } else { "without" };
                    println!(
                        "{customers} customers, {property}, {with} parameters: {} in {:.2} s, {} refinements, {}",
                        answer.verdict,
                        began.elapsed().as_secs_f64(),
                        answer.refinements,
                        answer.because
                    );
                });
                if let Err(trouble) = told {
                    println!("{trouble}");
                }
            }
        }
    }
}
