//! How long a thousand random formulas take.
//!
//! `cargo run --release -p quotient-hybrid --example thousand [FORMULAS] [SIZE]`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::time::Instant;

use quotient_core::{Context, Source, Verdict};
use quotient_hybrid::LANGUAGE;
use quotient_language::{Ask, Input, NoFiles, Random, Settings};

fn formula(random: &mut Random, size: usize) -> String {
    if size <= 1 {
        let all = ["i", "j", "k", "l", "~i", "~j", "p", "q", "~p", "~q"];
        return all[random.below(all.len())].to_owned();
    }
    let left = 1 + random.below(size - 1);
    let name = ["i", "j", "k", "l"][random.below(4)];
    match random.below(9) {
        0 => format!("~({})", formula(random, size - 1)),
        1 | 2 => format!(
            "({} & {})",
            formula(random, left),
            formula(random, size - left)
        ),
        3 | 4 => format!(
            "({} | {})",
            formula(random, left),
            formula(random, size - left)
        ),
        5 => format!("@{name} {}", formula(random, size - 1)),
        6 => format!("<r> {}", formula(random, size - 1)),
        7 => format!("[r] {}", formula(random, size - 1)),
        _ => format!("A {}", formula(random, size - 1)),
    }
}

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let (count, size) = (numbers.next().unwrap_or(1000), numbers.next().unwrap_or(30));
    let random = &mut Random::new(1);
    let mut text = "hybrid nominal i, j, k, l relation r letter p, q\n".to_owned();
    for number in 0..count {
        text.push_str(&format!(
            "satisfiable f{number}: {}\n",
            formula(random, size)
        ));
    }
    let input = Input::text(&Source::new("thousand.hyb", text));
    let cx = Context::default();
    let began = Instant::now();
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    if let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
        let told = model.check(&Ask::default(), &cx, &mut |answer| match answer.verdict {
            Verdict::Holds => yes += 1,
            Verdict::Violated => no += 1,
            Verdict::Unknown(_) => unknown += 1,
        });
        if let Err(trouble) = told {
            println!("{trouble}");
        }
    }
    println!(
        "{yes} satisfiable, {no} not, {unknown} unknown in {:.2} s",
        began.elapsed().as_secs_f64()
    );
}
