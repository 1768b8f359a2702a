//! A customer at the door of a resource allocation system, with and without parameters.
//!
//! `cargo run --release -p quotient-program --example door [CUSTOMERS] [SECONDS]`; watch the memory
//! of the second run: it may take 2 GB.

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_program::{LANGUAGE, door};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok());
    let customers: u64 = numbers.next().unwrap_or(25);
    let seconds: u64 = numbers.next().unwrap_or(600);
    for flags in [&[][..], &[("no-parameters".to_owned(), "true".to_owned())]] {
        let settings = Settings::new("program", LANGUAGE.about().settings, Verb::Check, flags);
        let Ok(settings) = settings else { return };
        let text = door(usize::try_from(customers).unwrap_or(25));
        let input = Input::text(&Source::new("door.spl", text));
        let cx = Context {
            budget: Budget::new(Some(Duration::from_secs(seconds)), Some(2 << 30)),
            ..Context::default()
        };
        let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) else {
            return;
        };
        let began = Instant::now();
        let told = model.check(&Ask::default(), &cx, &mut |answer| {
            let with = if flags.is_empty() { "with" } else { "without" };
            let seconds = began.elapsed().as_secs_f64();
            let (verdict, because) = (&answer.verdict, &answer.because);
            println!(
                "{customers} customers, {with} parameters: {verdict} in {seconds:.2} s, {because}"
            );
        });
        if let Err(trouble) = told {
            println!("{trouble}");
        }
    }
}
