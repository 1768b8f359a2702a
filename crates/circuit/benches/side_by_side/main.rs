//! The engine next to ABC's `pdr` and `bmc3` on circuits of our own, and on AIGER files where there
//! are some: `cargo xtask bench circuits [--models DIR] [--seconds N] [--only TEXT]`.
//!
//! Times are those of the processor, all threads together, where the system tells them.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod families;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use quotient_circuit::{Options, never};
use quotient_core::{Budget, Context, Verdict};
use quotient_netlist::{Circuit, aiger};

fn main() {
    let mut seconds = 60;
    let mut models: Option<PathBuf> = None;
    let mut only = String::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().unwrap().parse().unwrap(),
            "--models" => models = arguments.next().map(PathBuf::from),
            "--only" => only = arguments.next().unwrap_or_default(),
            _ => {}
        }
    }
    let folder = std::env::temp_dir().join(format!("quotient-circuits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for (name, circuit) in families::all() {
        let file = folder.join(format!("{name}.aig"));
        std::fs::write(&file, aiger::to_binary(&circuit)).unwrap();
        files.push(file);
    }
    for entry in models
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
    {
        let file = entry.unwrap().path();
        if file
            .extension()
            .is_some_and(|ending| ending == "aig" || ending == "aag")
        {
            files.push(file);
        }
    }
    println!("| circuit | latches | gates | quotient | s | pdr | s | bmc3 | s |");
    println!("|---|---:|---:|---|---:|---|---:|---|---:|");
    files.sort();
    let mut sums = Sums::default();
    for file in files
        .iter()
        .filter(|file| file.display().to_string().contains(&only))
    {
        row(file, seconds, &mut sums);
    }
    let Sums {
        ours,
        pdr,
        both,
        our_time,
        pdr_time,
    } = sums;
    println!("solved within {seconds} s: quotient {ours}, pdr {pdr}, both {both}");
    println!("on those that both solve: quotient {our_time:.1} s, pdr {pdr_time:.1} s");
    let _ = std::fs::remove_dir_all(folder);
}

/// What is said below the table.
#[derive(Default)]
struct Sums {
    ours: usize,
    pdr: usize,
    both: usize,
    our_time: f64,
    pdr_time: f64,
}

fn row(file: &Path, seconds: u64, sums: &mut Sums) {
    let bytes = std::fs::read(file).unwrap();
    let Ok(circuit) = aiger::read(&file.display().to_string(), &bytes) else {
        return;
    };
    let (ours, our_time) = timed(|| ours(&circuit, seconds));
    let (pdr, pdr_time) = timed(|| abc(file, &format!("pdr -T {seconds}"), seconds));
    let (bmc, bmc_time) = timed(|| abc(file, &format!("bmc3 -T {seconds}"), seconds));
    sums.ours += usize::from(ours != "-");
    sums.pdr += usize::from(pdr != "-");
    if ours != "-" && pdr != "-" {
        sums.both += 1;
        sums.our_time += our_time;
        sums.pdr_time += pdr_time;
    }
    println!(
        "| {} | {} | {} | {ours} | {our_time:.2} | {pdr} | {pdr_time:.2} | {bmc} | {bmc_time:.2} |",
        file.file_stem().unwrap_or_default().display(),
        circuit.latches().len(),
        circuit.gate_count(),
    );
}

fn ours(circuit: &Circuit, seconds: u64) -> &'static str {
    let Some(&bad) = circuit.bad.first().or(circuit.outputs.first()) else {
        return "-";
    };
    let cx = Context {
        budget: Budget::new(Some(Duration::from_secs(seconds)), None),
        ..Context::default()
    };
    match never(circuit, bad, &Options::default(), &cx).verdict() {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "-",
    }
}

/// What ABC says. Latches that may start with anything are made to (else it takes them to start
/// with 0, which is another circuit), and constraints are folded into the property.
fn abc(file: &Path, method: &str, seconds: u64) -> &'static str {
    let file = file.display();
    let script = format!("read_aiger {file}; logic; undc; strash; zero; fold; {method}");
    let output = Command::new("timeout")
        .arg((seconds + 5).to_string())
        .args(["berkeley-abc", "-c", &script])
        .output();
    let Ok(output) = output else { return "?" };
    let text = String::from_utf8_lossy(&output.stdout);
    match () {
        () if text.contains("Property proved") => "holds",
        () if text.contains("was asserted in frame") => "violated",
        () => "-",
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let (began, before) = (Instant::now(), processor_seconds());
    let result = run();
    let used = match (before, processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => began.elapsed().as_secs_f64(),
    };
    (result, used)
}

/// What this process and those that it waited for have used, as Linux tells it.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = (11..15).map(|at| fields.get(at)?.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / 100.0)
}
