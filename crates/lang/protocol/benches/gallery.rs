//! The gallery by the clock: reading and compiling each protocol, and checking it for every size.
//!
//! `cargo bench -p quotient-protocol --bench gallery` prints a table in Markdown; a word after
//! `--` selects protocols by name.
#![allow(clippy::print_stdout, reason = "a command for people")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_protocol::Protocol;
use quotient_regular::{Options, check};

/// A measurement is the best of this many runs.
const COMPILATIONS: usize = 20;
const CHECKS: usize = 5;

fn main() {
    let chosen = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gallery");
    let entries = std::fs::read_dir(folder).expect("the gallery is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    println!("| protocol | letters | compile | check | verdicts |\n|---|---:|---:|---:|---|");
    let (mut compiling, mut checking, mut slowest) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut count = 0;
    for file in files {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_protocol = file.extension().is_some_and(|end| end == "protocol");
        if !is_protocol
            || chosen
                .as_ref()
                .is_some_and(|part| !name.contains(part.as_str()))
        {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let source = Source::new(&name, text);
        let compile = || {
            let protocol = Protocol::parse(&source).expect("the gallery has no mistakes");
            protocol
                .compile(&Budget::unlimited())
                .expect("nothing limits it")
        };
        let (compiled, compile_time) = best(COMPILATIONS, compile);
        let problem = compiled.problem().expect("there is something to check");
        let run = || check(&problem, &Options::default(), &Context::default());
        let (report, check_time) = best(CHECKS, run);
        let verdicts: Vec<String> = report
            .answers
            .iter()
            .map(|answer| match answer.verdict() {
                Verdict::Holds => "holds".to_owned(),
                Verdict::Violated => "violated".to_owned(),
                Verdict::Unknown(stop) => format!("unknown ({stop})"),
            })
            .collect();
        println!(
            "| {name} | {} | {:.1} ms | {:.1} ms | {} |",
            compiled.alphabet().len(),
            milliseconds(compile_time),
            milliseconds(check_time),
            verdicts.join(", ")
        );
        compiling += compile_time;
        checking += check_time;
        slowest = slowest.max(compile_time);
        count += 1;
    }
    println!(
        "\n{count} protocols: compiled in {:.0} ms together ({:.1} ms at most), checked in {:.2} s",
        milliseconds(compiling),
        milliseconds(slowest),
        checking.as_secs_f64()
    );
}

/// The result, and the shortest time that it took.
fn best<T>(runs: usize, run: impl Fn() -> T) -> (T, Duration) {
    let once = || {
        let start = Instant::now();
        let result = run();
        (result, start.elapsed())
    };
    let first = once();
    (1..runs)
        .map(|_| once())
        .fold(first, |best, next| match next.1 < best.1 {
            true => next,
            false => best,
        })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
