//! The resource-allocation family, with and without parameters.
//!
//! `cargo run --release -p quotient-program --example allocation [SECONDS]`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_program::{LANGUAGE, allocation};

fn main() {
    let seconds = std::env::args()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(30);
    for customers in [2, 3, 5, 10, 25, 40] {
        for flags in [&[][..], &[("no-parameters".to_owned(), "true".to_owned())]] {
            let settings = Settings::new("program", LANGUAGE.about().settings, Verb::Check, flags);
            let Ok(settings) = settings else { return };
            let text = allocation(customers, customers.div_ceil(2));
            let input = Input::text(&Source::new("allocation.spl", text));
            let budget = Budget::new(Some(Duration::from_secs(seconds)), Some(2 << 30));
            let cx = Context {
                budget,
                ..Context::default()
            };
            let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) else {
                return;
            };
            for property in ["exclusive", "served"] {
                let began = Instant::now();
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
