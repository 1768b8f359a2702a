//! Automata from files.

use std::path::Path;

use quotient_automata::formats::{Machine, Reading, read_all};
use quotient_automata::{Alphabet, Nfa};
use quotient_core::{Budget, Source};

/// The automata in the files below a folder, those of one folder over one alphabet; folders
/// and files in the order of their names. Files that cannot be read are left out.
pub(crate) fn automata_by_folder(root: &Path) -> Vec<Vec<Nfa>> {
    let Ok(entries) = std::fs::read_dir(root) else {
        eprintln!("{} cannot be read", root.display());
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let automata: Vec<Nfa> = files.iter().flat_map(|file| automata_in(file)).collect();
    let alphabet = automata
        .iter()
        .fold(Alphabet::new([""; 0]).unwrap(), |all, nfa| {
            all.union(nfa.alphabet())
        });
    let here = automata
        .iter()
        .map(|nfa| nfa.over(&alphabet).unwrap())
        .collect();
    let below = folders.iter().flat_map(|folder| automata_by_folder(folder));
    std::iter::once(here).chain(below).collect()
}

/// The automata in a file, without ε-moves.
fn automata_in(file: &Path) -> Vec<Nfa> {
    let budget = Budget::unlimited();
    let Ok(text) = std::fs::read_to_string(file) else {
        return Vec::new();
    };
    let source = Source::new(file.display().to_string(), text);
    let Ok(documents) = read_all(&[(source, Reading::default())], &budget) else {
        return Vec::new();
    };
    let machines = documents.into_iter().flat_map(|document| document.machines);
    machines
        .filter_map(|named| match named.machine {
            Machine::Automaton(nfa) => nfa.without_epsilon(&budget).ok(),
            Machine::Transducer(_) => None,
        })
        .collect()
}
