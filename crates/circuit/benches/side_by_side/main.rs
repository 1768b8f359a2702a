//! The command next to ABC on circuits of our own, and on files of a folder where there is one:
//! `cargo xtask bench circuits [--quotient FILE] [--models DIR] [--sets LIST] [--seconds N] [--peers
//! LIST] [--only TEXT]`.
//!
//! Every question is asked as a user asks it: `quotient check FILE --evidence …` with one thread, then
//! `quotient certify`. Times are those of the processor, as Linux tells them, and so are the limits.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod controllers;
mod families;
mod measure;
mod memories;
mod numbers;
mod sets;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use measure::{Sums, Tools};
use quotient_netlist::aiger;

/// What to measure.
struct Wanted {
    models: Option<PathBuf>,
    sets: Vec<String>,
    only: String,
}

fn main() {
    let mut tools = Tools::default();
    let mut wanted = Wanted {
        models: None,
        sets: ["bits", "words", "models"].map(str::to_owned).to_vec(),
        only: String::new(),
    };
    let list = |text: String| -> Vec<String> { text.split(',').map(str::to_owned).collect() };
    let mut arguments = std::env::args().skip(1).filter(|one| one != "--bench");
    while let Some(argument) = arguments.next() {
        let Some(value) = arguments.next() else {
            println!("{argument} needs a value");
            return;
        };
        match argument.as_str() {
            "--quotient" => tools.quotient = PathBuf::from(value),
            "--seconds" => tools.seconds = value.parse().unwrap(),
            "--peers" => tools.peers = list(value),
            "--models" => wanted.models = Some(PathBuf::from(value)),
            "--sets" => wanted.sets = list(value),
            "--only" => wanted.only = value,
            _ => println!("unknown option {argument}"),
        }
    }
    let folder = std::env::temp_dir().join(format!("quotient-circuits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = files(&wanted, &folder);
    tools.head();
    let mut sums = Sums::default();
    for (file, holds) in &files {
        if file.display().to_string().contains(&wanted.only) {
            tools.row(file, *holds, &folder, &mut sums);
        }
    }
    tools.tell(&sums);
    let _ = std::fs::remove_dir_all(folder);
}

/// The files that are asked about, with what is known of them.
fn files(wanted: &Wanted, folder: &Path) -> BTreeMap<PathBuf, Option<bool>> {
    let has = |set: &str| wanted.sets.iter().any(|one| one == set);
    let mut files = BTreeMap::new();
    if has("bits") {
        for (name, circuit) in families::all() {
            let file = folder.join(format!("{name}.aig"));
            std::fs::write(&file, aiger::to_binary(&circuit)).unwrap();
            files.insert(file, Some(!name.ends_with("-broken")));
        }
    }
    if has("words") {
        for (name, text, holds) in sets::all() {
            let file = folder.join(format!("{name}.btor2"));
            std::fs::write(&file, text).unwrap();
            files.insert(file, Some(holds));
        }
    }
    let listed = wanted.models.iter().filter(|_| has("models"));
    for entry in listed.flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let file = entry.unwrap().path();
        let ending = file.extension().unwrap_or_default();
        if ["aig", "aag", "btor2", "btor"]
            .iter()
            .any(|one| ending == *one)
        {
            files.insert(file, None);
        }
    }
    files
}
