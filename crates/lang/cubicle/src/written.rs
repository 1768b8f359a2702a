//! States and steps as the language writes them.

use quotient_arrays::{Domain, Instance, System};

/// The name of a cell of an instance: `Cache[#2]`.
pub(crate) fn column(system: &System, instance: &Instance<'_>, number: usize) -> String {
    system.cell_name(&instance.place(number))
}

/// A value of a cell of an instance.
pub(crate) fn value(system: &System, instance: &Instance<'_>, number: usize, value: i64) -> String {
    let variable = instance.place(number).variable;
    match system.variables[variable.index()].domain {
        Domain::Enumeration(of) => {
            let names = &system.enumerations[of.index()];
            let name = usize::try_from(value)
                .ok()
                .and_then(|value| names.get(value));
            name.cloned().unwrap_or_else(|| value.to_string())
        }
        Domain::Process => format!("#{}", value + 1),
        Domain::Opaque(_) => format!("value {}", value + 1),
        Domain::Integer | Domain::Real => value.to_string(),
    }
}

/// A step: its transition and who takes it.
pub(crate) fn step(system: &System, which: usize, at: &[usize]) -> (String, Vec<String>) {
    let by = at.iter().map(|one| format!("#{}", one + 1)).collect();
    (system.transitions[which].name.clone(), by)
}
