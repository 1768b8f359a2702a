//! Judges the language on a folder of contest nets with known answers.
//!
//! `cargo run --release --example contest -- FOLDER SECONDS [EXAMINATION] [NET]`: each net of
//! `FOLDER/expected.csv` is asked each question for so many seconds a property file; the table
//! counts right, wrong and unknown answers, and how many of the right ones have evidence that
//! was certified; then how many each method gave. A folder of mist's `.spec` files (whose table begins with `file`) is judged
//! likewise.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use quotient_core::{Budget, Context, Verdict};
use quotient_language::{Answer, Ask, Input, MemoryFiles, Model, Settings, Verb};
use quotient_net::LANGUAGE;

#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
    unknown: usize,
    evidence: usize,
    refused: usize,
    /// How many of the right ones each method gave.
    methods: BTreeMap<String, usize>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seconds, rest @ ..] = &arguments[..] else {
        eprintln!("usage: contest FOLDER SECONDS [EXAMINATION] [NET]");
        std::process::exit(3);
    };
    let seconds: f64 = seconds.parse().unwrap_or(1.0);
    let folder = Path::new(folder);
    let expected = std::fs::read_to_string(folder.join("expected.csv")).unwrap_or_default();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    if expected.starts_with("file,") {
        let count = counts.entry("coverability".to_owned()).or_default();
        for row in expected.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            if let [file, _, _, _, answer, ..] = cells[..] {
                spec(&folder.join(file), answer, seconds, count);
            }
        }
        return table(counts);
    }
    for row in expected.lines().skip(1) {
        let cells: Vec<&str> = row.splitn(3, ',').collect();
        let [net, examination, answers] = cells[..] else {
            continue;
        };
        if rest
            .first()
            .is_some_and(|one| one != examination && one != "all")
            || rest.get(1).is_some_and(|one| one != net)
        {
            continue;
        }
        let count = counts.entry(examination.to_owned()).or_default();
        row_of(&folder.join(net), examination, answers, seconds, count);
    }
    table(counts);
}

fn table(counts: BTreeMap<String, Count>) {
    let mut methods: BTreeMap<String, usize> = BTreeMap::new();
    println!("| examination | right | wrong | unknown | certified | refused |");
    println!("|---|---|---|---|---|---|");
    for (examination, count) in counts {
        let Count {
            right,
            wrong,
            unknown,
            evidence,
            refused,
            methods: by,
        } = count;
        println!("| {examination} | {right} | {wrong} | {unknown} | {evidence} | {refused} |");
        for (method, number) in by {
            *methods.entry(method).or_default() += number;
        }
    }
    for (method, number) in methods {
        println!("{number} by {method}");
    }
}

/// Asks one question about one net.
fn row_of(net: &Path, examination: &str, answers: &str, seconds: f64, count: &mut Count) {
    let read = |name: &str| std::fs::read(net.join(name)).unwrap_or_default();
    let input = Input::bytes("model.pnml", read("model.pnml"));
    let file = format!("{examination}.xml");
    let given = match net.join(&file).exists() {
        true => ("properties".to_owned(), file.clone()),
        false => ("examination".to_owned(), examination.to_owned()),
    };
    let mut files: MemoryFiles = [(file.clone(), read(&file))].into_iter().collect();
    let settings = Settings::new("net", LANGUAGE.about().settings, Verb::Check, &[given]);
    let Ok(settings) = settings else { return };
    let time = Duration::from_secs_f64(seconds);
    let cx = Context {
        budget: Budget::new(Some(time), Some(4 << 30)),
        ..Context::default()
    };
    let mut model = match LANGUAGE.open(&input, &mut files, &settings, &cx) {
        Ok(model) => model,
        Err(trouble) => return eprintln!("{}: {trouble}", net.display()),
    };
    let mut given: Vec<Answer> = Vec::new();
    let _ = model.check(&Ask::default(), &cx, &mut |answer| given.push(answer));
    // Answers come when they are ready.
    given.sort_by_key(|answer| answer.number);
    let wanted = match examination {
        "StateSpace" => answers
            .trim_start_matches("STATES=")
            .split_whitespace()
            .take(1)
            .collect(),
        _ => answers.split_whitespace().collect::<Vec<_>>(),
    };
    for (answer, wanted) in given.iter().zip(wanted) {
        judge(net, &mut *model, answer, wanted, count);
    }
}

/// Asks whether the target of a `.spec` is covered.
fn spec(path: &Path, wanted: &str, seconds: f64, count: &mut Count) {
    let input = Input::bytes("model.spec", std::fs::read(path).unwrap_or_default());
    let cx = Context {
        budget: Budget::new(Some(Duration::from_secs_f64(seconds)), Some(4 << 30)),
        ..Context::default()
    };
    let mut files = MemoryFiles::default();
    let mut model = match LANGUAGE.open(&input, &mut files, &Settings::default(), &cx) {
        Ok(model) => model,
        Err(trouble) => return eprintln!("{}: {trouble}", path.display()),
    };
    let mut given: Vec<Answer> = Vec::new();
    let _ = model.check(&Ask::default(), &cx, &mut |answer| given.push(answer));
    let wanted = match wanted {
        "safe" => "T",
        "unsafe" => "F",
        _ => "?",
    };
    for answer in &given {
        judge(path, &mut *model, answer, wanted, count);
    }
}

/// Compares an answer with the one wanted, and checks its evidence.
fn judge(net: &Path, model: &mut dyn Model, answer: &Answer, wanted: &str, count: &mut Count) {
    let said = match (&answer.verdict, &answer.value) {
        (Verdict::Unknown(_), _) => "unknown".to_owned(),
        (_, Some(number)) => number.exact.clone().unwrap_or_default(),
        (Verdict::Holds, _) => "T".to_owned(),
        _ => "F".to_owned(),
    };
    if said == "unknown" {
        count.unknown += 1;
        if std::env::var("SHOW").is_ok() {
            println!(
                "unknown {} {} {}",
                net.display(),
                answer.property,
                answer.because
            );
        }
        return;
    }
    if wanted == "?" {
        return;
    }
    if said != wanted {
        count.wrong += 1;
        let (name, why) = (&answer.property, &answer.because);
        println!(
            "wrong: {} {name}: {said}, not {wanted} ({why})",
            net.display()
        );
        return;
    }
    count.right += 1;
    let method = answer.method.clone().unwrap_or_default();
    *count.methods.entry(method).or_default() += 1;
    let Some(evidence) = &answer.evidence else {
        return;
    };
    let Ok(property) = model.property(&answer.property) else {
        return;
    };
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    match model.certify(evidence, &property, &budget) {
        Ok(_) => count.evidence += 1,
        Err(why) => {
            count.refused += 1;
            println!("refused: {} {}: {why}", net.display(), answer.property);
        }
    }
}
