//! The chores of this repository: `cargo xtask test` runs every check that a change must pass.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for people"
)]

mod alone;
mod bench;
mod dist;
mod house;
mod page;
mod rooms;
mod sbom;
mod soak;
mod supply;
mod trusted;

use std::process::{Command, ExitCode};

const USAGE: &str = "\
Usage: cargo xtask CHORE

Chores:
  dist    [--twice] [--languages LIST]
          the binary that is given to others, with all languages or some (protocol,smv); --twice:
          that two builds are the same bytes
  house   who uses whom, lengths of files and functions, where languages are named
  page    the assets of the page are those of its sources; the page in a browser
  package what would be published: that every crate can be packaged, in order
  supply  licences, sources and versions of all packages, by deny.toml
  sbom    all packages of the binary as CycloneDX JSON, to standard output
  soak    [--hours N] [--minutes N] [--seed S] [--only LANGUAGE] [--mutants] [--again FOLDER]
          random models of every language through every method, check and forgery
  static FOLDER [MODELS]
          the page with engines inside, as plain files for any web space; MODELS: a folder of
          models that lie beside it
  trusted lines of code that certificates rest on; --write: into docs/trust.md
  test    formatting, lints, documentation, and all tests
  bench automata [--mata DIR] [--models DIR] [--only TEXT] [--milliseconds N]
          operations on automata; DIR: the unpacked source package of libmata, to measure it
          beside, and a folder of automata in any format
  bench circuits [--quotient FILE] [--models DIR] [--sets LIST] [--seconds N] [--peers LIST] [--only TEXT]
          the command and its certify on circuits of our own, and on AIGER and BTOR2 files of a folder,
          next to ABC if that is installed; sets: bits,words,models; peers: pdr,bmc3; FILE: a binary
          that is there already
  bench machines [--states N] [--steps N] [--memory N]
          all Turing machines of N states and two symbols, decided by which kind of proof
  bench trees --models DIR
          questions about tree automata with known answers (a table expected.csv in the folder)
";

/// One command of a chore: what it is for, its arguments after `cargo`, its environment.
type Step = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

const TEST: &[Step] = &[
    ("formatting", &["fmt", "--all", "--check"], &[]),
    (
        "lints",
        &[
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        &[],
    ),
    // A command with one language is built quicker, and must not need the others.
    (
        "one language alone",
        &[
            "clippy",
            "--quiet",
            "--package",
            "quotient-cli",
            "--no-default-features",
            "--features",
            "protocol",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        &[],
    ),
    (
        "documentation",
        &["doc", "--quiet", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    // Unit, property, snapshot, command-line, bounded fuzz and documentation tests.
    ("tests", &["test", "--workspace", "--locked"], &[]),
];

/// Packs all crates without building them again: they were tested above.
const PACKAGE: Step = (
    "packages",
    &[
        "package",
        "--quiet",
        "--workspace",
        // They stand on crates that are never published.
        "--exclude",
        "quotient-soak",
        "--exclude",
        "quotient-testkit",
        "--no-verify",
        "--allow-dirty",
        "--locked",
    ],
    &[],
);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["dist", ref options @ ..] => dist::dist(options),
        ["house"] => house::house(),
        ["page"] => page::page(&page::Built::Alone),
        ["package"] => run(&PACKAGE),
        ["supply"] => supply::supply(),
        ["sbom"] => sbom::sbom(),
        ["trusted", ref options @ ..] => trusted::trusted(options),
        ["test"] => {
            house::house()
                && supply::supply()
                && trusted::trusted(&["--check"])
                && TEST.iter().all(run)
                && page::page(&page::Built::WithTests)
                && run(&PACKAGE)
        }
        ["static", ref options @ ..] => alone::alone(options),
        ["soak", ref options @ ..] => soak::soak(options),
        ["bench", "automata", ref options @ ..] => bench::automata(options),
        ["bench", "machines", ref options @ ..] => {
            bench::run("quotient-turing", "enumerate", options)
        }
        ["bench", "circuits", ref options @ ..] => bench::circuits(options),
        ["bench", "trees", ref options @ ..] => bench::run("quotient-trees", "answers", options),
        _ => {
            eprint!("{USAGE}");
            false
        }
    };
    if done {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What a machine that tests a change does without: it builds everything once, so that what makes a
/// second build quicker only takes time and disk, and nobody looks at its programs in a debugger.
const ONCE: &[(&str, &str)] = &[
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_DEBUG", "none"),
];

/// The cargo that runs us.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if std::env::var_os("CI").is_some() {
        let unset = ONCE
            .iter()
            .filter(|(name, _)| std::env::var_os(name).is_none());
        cargo.envs(unset.copied());
    }
    cargo
}

/// Runs one step.
fn run((name, arguments, environment): &Step) -> bool {
    println!("== {name}: cargo {}", arguments.join(" "));
    let status = cargo()
        .args(*arguments)
        .envs(environment.iter().copied())
        .status();
    match status {
        Ok(status) if status.success() => true,
        Ok(_) => {
            eprintln!("{name} failed");
            false
        }
        Err(error) => {
            eprintln!("{name} did not run: {error}");
            false
        }
    }
}
