//! What is measured.

use std::path::{Path, PathBuf};

use quotient_automata::testing::{self, Random};
use quotient_automata::{Nfa, Predicate, Transducer};

use crate::models::Folder;

/// One operation.
pub(crate) struct Case {
    pub(crate) operation: &'static str,
    pub(crate) name: String,
    pub(crate) inputs: Inputs,
}

pub(crate) enum Inputs {
    Automata(Vec<Nfa>),
    /// The initial automaton and the step relation of the models in a folder.
    Problem(PathBuf, Box<(Nfa, Transducer)>),
}

impl Case {
    pub(crate) fn new(operation: &'static str, name: &str, inputs: &[&Nfa]) -> Case {
        Case {
            operation,
            name: name.to_owned(),
            inputs: Inputs::Automata(inputs.iter().map(|&nfa| nfa.clone()).collect()),
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.operation, self.name)
    }
}

/// The generated cases, then those of the models in a folder.
pub(crate) fn cases(models: Option<&Path>) -> Vec<Case> {
    let mut cases = Vec::new();
    for distance in [12, 15] {
        nth_last_letter(distance, 2, &mut cases);
    }
    for letters in [6, 600] {
        nth_last_letter(12, letters, &mut cases);
    }
    for states in [40, 100, 200, 400] {
        for density in [1.25, 1.5, 2.0, 2.5] {
            random_automata(states, density, &mut cases);
        }
    }
    crate::pairs::cases(&mut cases);
    crate::shapes::cases(&mut cases);
    if let Some(models) = models {
        all_models(models, &mut cases);
    }
    cases
}

/// All automata in the files of a folder, each operation on all of them together; comparisons
/// on those that follow each other in one folder; images for each folder with a problem in it.
fn all_models(models: &Path, cases: &mut Vec<Case>) {
    let folders = Folder::read_all(models);
    let automata = |folder: &Folder| -> Vec<Nfa> {
        folder.automata.iter().map(|(_, nfa)| nfa.clone()).collect()
    };
    let all: Vec<Vec<Nfa>> = folders.iter().map(automata).collect();
    let automata: Vec<&Nfa> = all.iter().flatten().collect();
    let name = format!("{} automata of the models", automata.len());
    for operation in ["determinize", "minimize", "reduce"] {
        cases.push(Case::new(operation, &name, &automata));
    }
    let windows = all.iter().flat_map(|folder| folder.windows(2));
    let neighbours: Vec<&Nfa> = windows.flatten().collect();
    let name = format!("{} pairs of automata of the models", neighbours.len() / 2);
    for operation in ["inclusion", "equivalence"] {
        cases.push(Case::new(operation, &name, &neighbours));
    }
    for pair in neighbours
        .chunks_exact(2)
        .filter(|pair| pair[0].len().max(pair[1].len()) >= 16)
    {
        let name = format!("models, {} and {} states", pair[0].len(), pair[1].len());
        for operation in ["inclusion", "equivalence", "intersection"] {
            cases.push(Case::new(operation, &name, pair));
        }
    }
    for folder in &folders {
        if let Some((initial, step)) = folder.problem() {
            let name = folder.path.strip_prefix(models).unwrap_or(&folder.path);
            cases.push(Case {
                operation: "images",
                name: name.display().to_string(),
                inputs: Inputs::Problem(folder.path.clone(), Box::new((initial.clone(), step))),
            });
        }
    }
}

/// `(a|b)* a (a|b)^distance`, whose deterministic automaton is exponential; `a` is half of the
/// letters.
fn nth_last_letter(distance: u32, letters: usize, cases: &mut Vec<Case>) {
    let alphabet = testing::alphabet(letters);
    let half = Predicate::of(&alphabet, alphabet.letters().take(letters / 2));
    let all = Predicate::all(&alphabet);
    let mut builder = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &all, 0)
        .edge(0, &half, 1);
    for state in 1..=distance {
        builder = builder.edge(state, &all, state + 1);
    }
    let nfa = builder.accepting(distance + 1).build();
    let twice = nfa.union(&nfa.reverse().reverse());
    let name = format!("(a\\|b)\\* a (a\\|b)^{distance}, {letters} letters");
    for operation in ["determinize", "minimize", "reduce"] {
        cases.push(Case::new(operation, &name, &[&nfa]));
    }
    for operation in ["inclusion", "equivalence"] {
        cases.push(Case::new(operation, &name, &[&nfa, &twice]));
    }
}

fn random_automata(states: u32, density: f64, cases: &mut Vec<Case>) {
    let alphabet = testing::alphabet(2);
    let mut random = Random::new(u64::from(states) * 1000 + (density * 100.0) as u64);
    let mut next = || testing::tabakov_vardi(&mut random, &alphabet, states, density, 0.5);
    let (left, right) = (next(), next());
    let name = format!("random, {states} states, density {density}");
    cases.push(Case::new("reduce", &name, &[&left]));
    // Beyond that, deterministic automata have millions of states at some densities.
    if states <= 40 || density >= 2.0 {
        cases.push(Case::new("determinize", &name, &[&left]));
        cases.push(Case::new("minimize", &name, &[&left]));
    }
    let (both, exchanged) = (left.union(&right), right.union(&left));
    let (in_union, unions) = (format!("{name}, in a union"), format!("{name}, two unions"));
    cases.push(Case::new("inclusion", &name, &[&left, &right]));
    cases.push(Case::new("inclusion", &in_union, &[&left, &both]));
    cases.push(Case::new("equivalence", &name, &[&left, &right]));
    cases.push(Case::new("equivalence", &unions, &[&both, &exchanged]));
}
