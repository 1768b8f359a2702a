//! Families of SMV models of any size, and how long `quotient` and NuSMV take for them.
//!
//! ```text
//! cargo run --release -p quotient-smv --example families -- write FOLDER [NAME SIZE …]
//! cargo run --release -p quotient-smv --example families -- beside QUOTIENT NUSMV SECONDS FILE…
//! ```
//!
//! `write` writes a file for each name and size (without any: for those of the guide on performance).
//! `beside` runs `QUOTIENT check --no-doubt`, `NUSMV` and `NUSMV -dynamic` on each file in turns, with so
//! many seconds of the processor each, and tells seconds and memory; it needs GNU `time`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What is written without any names.
const USUAL: [(&str, usize); 11] = [
    ("philosophers", 30),
    ("philosophers", 75),
    ("convoy", 8),
    ("convoy", 12),
    ("convoy", 40),
    ("filter", 4),
    ("filter", 6),
    ("token", 50),
    ("adder", 32),
    ("pipeline", 8),
    ("deep", 16),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["write", folder, ref wanted @ ..] => write_all(Path::new(folder), wanted),
        ["beside", quotient, nusmv, seconds, ref files @ ..] => {
            beside(quotient, nusmv, seconds, files)
        }
        _ => Err("write FOLDER [NAME SIZE …] or beside QUOTIENT NUSMV SECONDS FILE…".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &Path, wanted: &[&str]) -> Result<(), String> {
    let pairs = wanted.chunks(2).map(|pair| match pair {
        [name, size] => size
            .parse()
            .map(|size| (*name, size))
            .map_err(|_| format!("{size} is no size")),
        _ => Err("every name needs a size".to_owned()),
    });
    let mut pairs = pairs.collect::<Result<Vec<(&str, usize)>, String>>()?;
    if pairs.is_empty() {
        pairs = USUAL.to_vec();
    }
    for (name, size) in pairs {
        if size < 3 {
            return Err("sizes begin with 3".to_owned());
        }
        let text = match name {
            "philosophers" => philosophers(size),
            "convoy" => convoy(size),
            "filter" => filter(size),
            "token" => token(size),
            "adder" => adder(size),
            "pipeline" => pipeline(size, 16),
            "deep" => deep(size),
            _ => return Err(format!("there is no family `{name}`")),
        };
        let path = folder.join(format!("{name}{size}.smv"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn beside(quotient: &str, nusmv: &str, seconds: &str, files: &[&str]) -> Result<(), String> {
    println!("seconds of the processor and memory in MB: NuSMV, NuSMV -dynamic, quotient");
    for file in files {
        let runs = [
            vec![nusmv, file],
            vec![nusmv, "-dynamic", file],
            vec![quotient, "check", "--no-doubt", file],
        ];
        let mut line = Path::new(file)
            .file_stem()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for words in runs {
            let (time, memory) = measured(&words, seconds)?;
            let _ = write!(line, "  {time} s {memory} MB");
        }
        println!("{line}");
    }
    Ok(())
}

/// Seconds and megabytes of a command, as `time` tells them.
fn measured(words: &[&str], seconds: &str) -> Result<(String, String), String> {
    let script = "ulimit -t \"$0\"; exec time -f 'measured %U %S %M' \"$@\"";
    let run = Command::new("sh")
        .args(["-c", script, seconds])
        .args(words)
        .output();
    let run = run.map_err(|error| format!("{}: {error}", words[0]))?;
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    let line = told.lines().find_map(|line| line.strip_prefix("measured "));
    let Some(line) = line else {
        return Err(format!("no figures: {told}"));
    };
    let numbers: Vec<f64> = line
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let &[user, system, kilobytes] = &numbers[..] else {
        return Err(format!("no figures: {line}"));
    };
    let stopped = told.contains("terminated by signal");
    let time = match stopped {
        true => format!("> {seconds}"),
        false => format!("{:.2}", user + system),
    };
    Ok((time, format!("{:.0}", kilobytes / 1024.0)))
}

/// Components that make their steps one at a time or in pairs, in one `TRANS` that says for every
/// step what becomes of each variable: the form in which models of other tools come.
#[derive(Default)]
struct Listed {
    variables: Vec<(String, String, String)>,
    steps: Vec<(Vec<String>, Vec<(String, String)>)>,
}

impl Listed {
    fn variable(&mut self, name: String, kind: &str, first: &str) {
        self.variables
            .push((name, kind.to_owned(), first.to_owned()));
    }

    /// A step of some variables, each from a value to another.
    fn step(&mut self, moves: &[(String, &str, &str)]) {
        let when = moves
            .iter()
            .map(|(name, from, _)| format!("{name} = {from}"));
        let to = moves
            .iter()
            .map(|(name, _, to)| (name.clone(), (*to).to_owned()));
        self.steps.push((when.collect(), to.collect()));
    }

    fn text(&self) -> String {
        let mut text = "MODULE main\nVAR\n".to_owned();
        for (name, kind, _) in &self.variables {
            let _ = writeln!(text, "  {name} : {kind};");
        }
        let first: Vec<String> = (self.variables.iter())
            .map(|(name, _, first)| format!("{name} = {first}"))
            .collect();
        let _ = writeln!(text, "INIT\n  {}\nTRANS", first.join(" & "));
        let steps: Vec<String> = self.steps.iter().map(|step| self.listed(step)).collect();
        let _ = writeln!(text, "    {}", steps.join("\n  | "));
        text
    }

    fn listed(&self, (when, to): &(Vec<String>, Vec<(String, String)>)) -> String {
        let mut parts = when.clone();
        for (name, value) in to {
            parts.push(format!("next({name}) = {value}"));
        }
        for (name, ..) in &self.variables {
            if !to.iter().any(|(changed, _)| changed == name) {
                parts.push(format!("next({name}) = {name}"));
            }
        }
        format!("({})", parts.join(" & "))
    }

    /// The invariant that some step can be made.
    fn never_stuck(&self) -> String {
        let guards: Vec<String> = (self.steps.iter())
            .map(|(when, _)| format!("({})", when.join(" & ")))
            .collect();
        format!("INVARSPEC\n    {}\n", guards.join("\n  | "))
    }
}

/// Philosophers who take the left fork first: all of them may hold one (violated).
fn philosophers(count: usize) -> String {
    let mut listed = Listed::default();
    for number in 0..count {
        let states = "{think, hungry, left, eat, release}";
        listed.variable(format!("p{number}"), states, "think");
    }
    for number in 0..count {
        listed.variable(format!("f{number}"), "{free, taken}", "free");
    }
    for number in 0..count {
        let own = || format!("p{number}");
        let left = || format!("f{number}");
        let right = || format!("f{}", (number + 1) % count);
        listed.step(&[(own(), "think", "hungry")]);
        listed.step(&[(own(), "hungry", "left"), (left(), "free", "taken")]);
        listed.step(&[(own(), "left", "eat"), (right(), "free", "taken")]);
        listed.step(&[(own(), "eat", "release"), (left(), "taken", "free")]);
        listed.step(&[(own(), "release", "think"), (right(), "taken", "free")]);
    }
    listed.text() + &listed.never_stuck()
}

/// Cars in a row: each asks the one ahead before it overtakes, which answers after the one ahead of
/// it has made room; who has been overtaken closes up again. They are never stuck (holds).
fn convoy(count: usize) -> String {
    let mut listed = Listed::default();
    let states = "{cruise, asking, waiting, passing, back}";
    let answers = "{free, asked, asks, ready, overtaken, closing}";
    for number in 0..count {
        listed.variable(format!("car{number}"), states, "cruise");
        listed.variable(format!("front{number}"), answers, "free");
        listed.variable(format!("lane{number}"), "{right, left}", "right");
    }
    for number in 0..count - 1 {
        let car = || format!("car{number}");
        let lane = || format!("lane{number}");
        let front = || format!("front{}", number + 1);
        let behind = || format!("front{number}");
        listed.step(&[(car(), "cruise", "asking"), (behind(), "free", "free")]);
        listed.step(&[(car(), "asking", "waiting"), (front(), "free", "asked")]);
        if number + 2 < count {
            let ahead = || format!("front{}", number + 2);
            let own = || format!("car{}", number + 1);
            let room = (own(), "cruise", "cruise");
            listed.step(&[(front(), "asked", "asks"), room]);
            listed.step(&[(front(), "asks", "ready"), (ahead(), "free", "free")]);
            let gives_up = [(own(), "asking", "cruise"), (front(), "asked", "asked")];
            listed.step(&gives_up);
            listed.step(&[(front(), "asks", "free"), (car(), "waiting", "cruise")]);
            listed.step(&[
                (own(), "waiting", "waiting"),
                (front(), "asked", "free"),
                (car(), "waiting", "cruise"),
            ]);
        } else {
            listed.step(&[(front(), "asked", "ready")]);
        }
        listed.step(&[
            (car(), "waiting", "passing"),
            (lane(), "right", "left"),
            (front(), "ready", "overtaken"),
        ]);
        listed.step(&[
            (car(), "passing", "back"),
            (lane(), "left", "right"),
            (front(), "overtaken", "closing"),
        ]);
        listed.step(&[(car(), "back", "cruise"), (front(), "closing", "free")]);
    }
    listed.text() + &listed.never_stuck()
}

/// Mutual exclusion by levels (Peterson's filter): each waits on every level until it is not the
/// last who came there or nobody else is as far (holds).
fn filter(count: usize) -> String {
    let mut listed = Listed::default();
    let last = count - 1;
    for number in 0..count {
        listed.variable(format!("l{number}"), &format!("0..{last}"), "0");
        listed.variable(format!("s{number}"), "{idle, set, wait, crit}", "idle");
    }
    for level in 1..count {
        listed.variable(format!("v{level}"), &format!("0..{last}"), "0");
    }
    for number in 0..count {
        let (state, own) = (format!("s{number}"), format!("l{number}"));
        let mut step = |when: Vec<String>, to: &[(&String, String)]| {
            let to = to.iter().map(|(name, to)| ((*name).clone(), to.clone()));
            listed.steps.push((when, to.collect()));
        };
        let at = |value: &str| format!("{state} = {value}");
        let to = |value: &str| (&state, value.to_owned());
        step(vec![at("idle")], &[to("set"), (&own, "1".to_owned())]);
        for level in 1..count {
            let here = format!("{own} = {level}");
            let victim = format!("v{level}");
            step(
                vec![at("set"), here.clone()],
                &[(&victim, number.to_string()), to("wait")],
            );
            let below: Vec<String> = (0..count)
                .filter(|&other| other != number)
                .map(|other| format!("l{other} < {level}"))
                .collect();
            let free = format!("({} | {victim} != {number})", below.join(" & "));
            let when = vec![at("wait"), here, free];
            match level == last {
                true => step(when, &[to("crit")]),
                false => step(when, &[(&own, (level + 1).to_string()), to("set")]),
            }
        }
        step(vec![at("crit")], &[to("idle"), (&own, "0".to_owned())]);
    }
    listed.text() + "INVARSPEC !(s0 = crit & s1 = crit)\n"
}

/// A token that goes round; who has it makes three steps (both hold).
fn token(count: usize) -> String {
    let mut listed = Listed::default();
    let names: Vec<String> = (0..count).map(|number| format!("t{number}")).collect();
    let turns = format!("{{{}}}", names.join(", "));
    listed.variable("turn".to_owned(), &turns, "t0");
    for number in 0..count {
        listed.variable(format!("s{number}"), "{a, b, c, d}", "a");
    }
    for number in 0..count {
        let (here, next) = (&names[number], &names[(number + 1) % count]);
        for (from, to, turn) in [
            ("a", "b", here),
            ("b", "c", here),
            ("c", "d", here),
            ("d", "a", next),
        ] {
            let token = ("turn".to_owned(), here.as_str(), turn.as_str());
            listed.step(&[token, (format!("s{number}"), from, to)]);
        }
    }
    listed.text() + "INVARSPEC !(s0 = b & s1 = b)\nSPEC AG EF s0 = d\n"
}

/// A sum of two words and what it was the sum of (all hold).
fn adder(bits: usize) -> String {
    let mut text = "MODULE main\nVAR\n".to_owned();
    for name in ["a", "b", "sum", "x", "y"] {
        let _ = writeln!(text, "  {name} : unsigned word[{bits}];");
    }
    text.push_str("ASSIGN\n");
    for (name, next) in [("sum", "a + b"), ("x", "a"), ("y", "b")] {
        let _ = writeln!(text, "  init({name}) := uwconst(0, {bits});");
        let _ = writeln!(text, "  next({name}) := {next};");
    }
    text + "INVARSPEC sum = x + y\nINVARSPEC sum - x = y\nSPEC AG (sum = x + y)\n"
}

/// Stages that add one to a word (all hold).
fn pipeline(stages: usize, bits: usize) -> String {
    let mut text = format!("MODULE main\nVAR\n  input : unsigned word[{bits}];\n");
    for stage in 0..stages {
        let _ = writeln!(
            text,
            "  r{stage} : unsigned word[{bits}]; v{stage} : boolean;"
        );
    }
    text.push_str("ASSIGN\n  init(v0) := FALSE; next(v0) := TRUE; next(r0) := input;\n");
    for stage in 1..stages {
        let before = stage - 1;
        let _ = writeln!(
            text,
            "  init(v{stage}) := FALSE; next(v{stage}) := v{before}; next(r{stage}) := r{before} + uwconst(1, {bits});"
        );
    }
    let (last, before) = (stages - 1, stages - 2);
    let _ = writeln!(
        text,
        "INVARSPEC v{last} -> v{before}\nINVARSPEC v{last} -> v0"
    );
    let _ = writeln!(
        text,
        "SPEC AG (v{last} -> AF v0)\nSPEC AG EF r{last} = uwconst(5, {bits})"
    );
    text
}

/// A counter that is wrong after all its values (violated).
fn deep(bits: usize) -> String {
    let last = (1u64 << bits.min(60)) - 1;
    format!(
        "MODULE main\nVAR c : unsigned word[{bits}];\nASSIGN\n  init(c) := uwconst(0, {bits});\n  next(c) := c + uwconst(1, {bits});\nINVARSPEC c != uwconst({last}, {bits})\n"
    )
}
