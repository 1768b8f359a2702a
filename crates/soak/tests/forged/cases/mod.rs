//! Models for every kind of evidence.

pub(crate) mod chances;
pub(crate) mod circuits;
pub(crate) mod components;
pub(crate) mod logics;
pub(crate) mod nets;
pub(crate) mod programs;
pub(crate) mod states;
pub(crate) mod words;

use quotient_workbench::Workbench;

use crate::attack::Case;

/// All of them.
pub(crate) fn all() -> Vec<Case> {
    let families = [
        components::all(),
        nets::all(),
        states::all(),
        circuits::all(),
        chances::all(),
        words::all(),
        programs::all(),
        logics::all(),
    ];
    families.into_iter().flatten().collect()
}

/// The text of an example that comes with the program.
fn example(name: &str) -> String {
    let workbench = Workbench::standard();
    let mut examples = workbench
        .languages()
        .iter()
        .flat_map(|one| one.about().examples);
    let found = examples.find(|one| one.name == name || one.files[0].0.ends_with(name));
    let found = found.unwrap_or_else(|| panic!("there is no example {name}"));
    found.files[0].1.to_owned()
}
