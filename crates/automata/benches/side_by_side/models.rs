//! Automata and transducers from files.

use std::path::{Path, PathBuf};

use quotient_automata::formats::{Machine, Reading, read_all};
use quotient_automata::{Alphabet, Nfa, Transducer};
use quotient_core::{Budget, Source};

/// What the files of one folder hold, over one alphabet, in the order of their names.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// Without ε-moves.
    pub(crate) automata: Vec<(String, Nfa)>,
    pub(crate) transducers: Vec<(String, Transducer)>,
}

impl Folder {
    /// This folder alone. Files that cannot be read are left out.
    pub(crate) fn read(path: &Path) -> Folder {
        let (_, files) = entries(path);
        let mut folder = Folder {
            path: path.to_owned(),
            automata: Vec::new(),
            transducers: Vec::new(),
        };
        let budget = Budget::unlimited();
        for file in &files {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            for machine in machines_in(file) {
                match machine {
                    Machine::Automaton(nfa) => {
                        let nfa = nfa.without_epsilon(&budget).expect("no limit");
                        folder.automata.push((name.to_string(), nfa));
                    }
                    Machine::Transducer(step) => {
                        folder.transducers.push((name.to_string(), step));
                    }
                }
            }
        }
        folder.unify();
        folder
    }

    /// A folder and all below it.
    pub(crate) fn read_all(root: &Path) -> Vec<Folder> {
        let (folders, _) = entries(root);
        let below = folders.iter().flat_map(|folder| Folder::read_all(folder));
        std::iter::once(Folder::read(root)).chain(below).collect()
    }

    /// The automaton called `init` and the step relation with the identity: the transducer
    /// called `tau`, `trs` or `step`, or all of them if there is none of that name.
    pub(crate) fn problem(&self) -> Option<(&Nfa, Transducer)> {
        let (_, initial) = self.automata.iter().find(|(name, _)| name == "init")?;
        let whole = |(name, _): &&(String, _)| ["tau", "trs", "step"].contains(&name.as_str());
        let step = match self.transducers.iter().find(whole) {
            Some((_, step)) => step.clone(),
            None => {
                let parts = self.transducers.iter().map(|(_, step)| step.clone());
                parts.reduce(|all, part| all.union(&part))?
            }
        };
        let identity = Transducer::identity(initial.alphabet());
        Some((initial, step.union(&identity).reduce()))
    }

    fn unify(&mut self) {
        let automata = self.automata.iter().map(|(_, nfa)| nfa.alphabet());
        let transducers = self.transducers.iter().map(|(_, step)| step.alphabet());
        let alphabet = automata
            .chain(transducers)
            .fold(Alphabet::new([""; 0]).unwrap(), |all, one| all.union(one));
        for (_, nfa) in &mut self.automata {
            *nfa = nfa.over(&alphabet).unwrap();
        }
        for (_, step) in &mut self.transducers {
            if let Ok(Machine::Transducer(over)) = Machine::Transducer(step.clone()).over(&alphabet)
            {
                *step = over;
            }
        }
    }
}

/// The folders and the files in a folder, in the order of their names.
fn entries(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("{} cannot be read", folder.display());
        return Default::default();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().partition(|path| path.is_dir())
}

fn machines_in(file: &Path) -> Vec<Machine> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Vec::new();
    };
    let source = Source::new(file.display().to_string(), text);
    let documents = read_all(&[(source, Reading::default())], &Budget::unlimited());
    let machines = documents.into_iter().flatten().flat_map(|d| d.machines);
    machines.map(|named| named.machine).collect()
}
