//! Runs of a model as text and as JSON.

use quotient_language::text::wrap;
use quotient_smv::{Program, Run, Shown};
use quotient_symbolic::Showing;
use serde_json::{Map, Value, json};

use crate::outputs::count;

/// The columns for what changes in a step.
const WIDTH: usize = 60;

/// What kind of run it is, in a line.
pub(super) fn describe(run: &Run, showing: Option<Showing>) -> String {
    let steps = run.states.len().saturating_sub(1) + usize::from(run.back_to.is_some());
    let mut text = match steps {
        0 => "an initial state".to_owned(),
        _ => format!("a run of {}", count(steps, "step")),
    };
    if let Some(back) = run.back_to {
        text.push_str(&format!(" that goes back to state {back}"));
    }
    match showing {
        None | Some(Showing::Whole) => {}
        Some(Showing::UpToAllPaths) if steps == 0 => {
            text.push_str("; no single path shows it, as it is about all paths from there");
        }
        Some(showing) => text.push_str(&format!("; {showing}")),
    }
    text
}

/// The steps: inputs, and what is new. Definitions are told if the formula mentions them.
pub(super) fn rows(run: &Run, program: &Program, formula: &str) -> Vec<(Option<String>, String)> {
    let mut rows = Vec::new();
    for (at, step) in run.steps(program).into_iter().enumerate() {
        let mentioned = step
            .definitions
            .into_iter()
            .filter(|shown| mentions(formula, &shown.name));
        let new: Vec<Shown> = step.changes.into_iter().chain(mentioned).collect();
        let mut text = match new.is_empty() {
            true => "(nothing changes)".to_owned(),
            false => wrap(&equations(&new), WIDTH),
        };
        if step.loop_starts {
            text = format!("-- the loop starts here\n{text}");
        }
        rows.push(((at > 0).then(|| equations(&step.inputs)), text));
    }
    if let Some(back) = run.back_to {
        let inputs = equations(&run.closing_inputs(program));
        rows.push((Some(inputs), format!("-- as in state {back}, and so on")));
    }
    rows
}

/// The run for programs.
pub(super) fn to_json(run: &Run, program: &Program) -> Value {
    let steps = run.steps(program);
    let states = steps.iter().map(|step| {
        let mut state = json!({ "changes": object(&step.changes) });
        if !step.inputs.is_empty() {
            state["inputs"] = object(&step.inputs);
        }
        if !step.definitions.is_empty() {
            state["definitions"] = object(&step.definitions);
        }
        state
    });
    let mut value = json!({ "states": states.collect::<Vec<_>>() });
    if let Some(back) = run.back_to {
        value["backTo"] = json!(back);
        let inputs = run.closing_inputs(program);
        if !inputs.is_empty() {
            value["closingInputs"] = object(&inputs);
        }
    }
    value
}

/// Where a finite run ends, as the end of a sentence.
pub(super) fn last_state(run: &Run, program: &Program) -> String {
    let Some(last) = run.states.last() else {
        return String::new();
    };
    let values = run.variables.iter().map(|&id| Shown {
        name: program.variable(id).name.clone(),
        value: program.show(last.value(id)),
    });
    let values: Vec<Shown> = values.collect();
    format!(
        " (after {}: {})",
        count(run.states.len() - 1, "step"),
        equations(&values)
    )
}

fn equations(shown: &[Shown]) -> String {
    let equations = shown
        .iter()
        .map(|one| format!("{} = {}", one.name, one.value));
    equations.collect::<Vec<_>>().join(", ")
}

fn object(shown: &[Shown]) -> Value {
    let pairs = shown.iter().map(|one| (one.name.clone(), json!(one.value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// Whether a name occurs in a formula as a word.
fn mentions(formula: &str, name: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '.');
    formula.match_indices(name).any(|(at, _)| {
        let before = formula[..at].chars().next_back();
        let after = formula[at + name.len()..].chars().next();
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn names_are_found_as_whole_words() {
        assert!(mentions("AG (a.done -> AF b)", "a.done"));
        assert!(mentions("AF b", "b"));
        assert!(!mentions("AF ab", "b"));
        assert!(!mentions("AF b.x", "b"));
    }
}
