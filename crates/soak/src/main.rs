//! The command of the soak: see `cargo xtask soak`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for people"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use quotient_soak::{Plan, again, soak, work};

const USAGE: &str = "\
Usage: quotient-soak [--hours N] [--minutes N] [--seconds N] [--seed S] [--only LANGUAGE]
                     [--mutants] [--folder DIR]
       quotient-soak --again FOLDER [--seed S]

Random models of every language through every method, check and forgery until the time is over.
What is found is made small and kept in the folder, with a summary as text and JSON.
  --mutants   mostly files and evidence with changed bytes
  --again     try what was kept in a folder once more
";

fn main() -> ExitCode {
    match command() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(3)
        }
    }
}

fn command() -> Result<bool, String> {
    let mut plan = Plan {
        time: Duration::ZERO,
        seed: 1,
        only: None,
        mutants: false,
        folder: PathBuf::from("target/soak"),
        program: std::env::current_exe().map_err(|error| error.to_string())?,
    };
    let (mut worker, mut kept) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--mutants" {
            plan.mutants = true;
            continue;
        }
        let value = arguments.next().ok_or(USAGE)?;
        let number = || value.parse::<u64>().map_err(|_| USAGE.to_owned());
        match name.as_str() {
            "--hours" => plan.time += Duration::from_secs(number()?.saturating_mul(3600)),
            "--minutes" => plan.time += Duration::from_secs(number()?.saturating_mul(60)),
            "--seconds" => plan.time += Duration::from_secs(number()?),
            "--seed" => plan.seed = number()?,
            "--only" => plan.only = Some(value),
            "--folder" => plan.folder = PathBuf::from(value),
            "--work" => worker = Some(number()?),
            "--again" => kept = Some(PathBuf::from(value)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    let said = |error: std::io::Error| error.to_string();
    if let Some(seed) = worker {
        work(seed, plan.only.as_deref(), plan.mutants).map_err(said)?;
        return Ok(true);
    }
    if let Some(folder) = kept {
        let outcome = again(&folder, plan.seed).map_err(said)?;
        for find in &outcome.finds {
            println!(
                "{}",
                serde_json::to_string(find).map_err(|error| error.to_string())?
            );
        }
        println!("done");
        return Ok(outcome.finds.is_empty());
    }
    if plan.time.is_zero() {
        return Err(USAGE.to_owned());
    }
    let summary = soak(&plan, &mut |line| eprintln!("{line}")).map_err(said)?;
    print!("{summary}");
    Ok(summary.total.finds() == 0)
}
