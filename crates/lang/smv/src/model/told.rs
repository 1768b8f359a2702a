//! Runs as data.

use quotient_language::text::{count, wrap};
use quotient_language::{Cell, Json, Layout, Step, Trace};
use quotient_symbolic::Showing;
use serde_json::{Map, json};

use crate::evaluate::State;
use crate::program::{Kind, Node, NodeId, Program, VariableId};
use crate::run::{Run, Shown};

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

/// The run as states with cells: its variables, and the definitions that a formula mentions.
/// The inputs of a step are its action.
pub(super) fn trace(run: &Run, program: &Program, formula: &str) -> Trace {
    let is_state = |id: &VariableId| program.variable(*id).kind != Kind::Input;
    let (states, inputs): (Vec<VariableId>, Vec<VariableId>) =
        run.variables.iter().partition(|id| is_state(id));
    let definitions: Vec<&(String, NodeId)> = program
        .defines()
        .iter()
        .filter(|(name, node)| mentions(formula, name) && is_told(run, program, *node))
        .collect();
    let names = states.iter().map(|&id| program.variable(id).name.clone());
    let names = names.chain(definitions.iter().map(|(name, _)| name.clone()));
    let mut trace = Trace::new(Layout::States, names);
    let cells = |state: &State| {
        let values = states.iter().map(|&id| program.show(state.value(id)));
        let defined = definitions.iter().map(|(_, node)| {
            let values = program.evaluate(*node, state, None);
            match values.as_deref() {
                Ok(&[value]) => program.show(value),
                _ => "?".to_owned(),
            }
        });
        values.chain(defined).map(Cell::new).collect::<Vec<Cell>>()
    };
    let action = |state: &State| equations(&shown(program, &inputs, state));
    for (at, state) in run.states.iter().enumerate() {
        let mut step = match at.checked_sub(1) {
            None => Step::start(cells(state)),
            Some(before) => Step::of(action(&run.states[before]), cells(state)),
        };
        if run.back_to == Some(at) {
            step.remark = Some("the loop starts here".to_owned());
        }
        trace.steps.push(step);
    }
    if let (Some(back), Some(last)) = (run.back_to, run.states.last()) {
        // Its cells are those of the state that it goes back to.
        let mut step = Step::of(action(last), []);
        step.remark = Some(format!("as in state {back}, and so on"));
        trace.steps.push(step);
        trace.back_to = Some(back);
    }
    trace.mark_changes()
}

/// The states of a run with what is new in each: whole lines for a note.
pub(super) fn lines(trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        let cells = trace.columns.iter().zip(&step.cells);
        let new = cells.filter(|(_, cell)| at == 0 || cell.changed);
        let new: Vec<String> = new
            .map(|(name, cell)| format!("{name} = {}", cell.text))
            .collect();
        let mut text = match &step.action {
            Some(inputs) if !inputs.is_empty() => format!("[{inputs}] "),
            _ => String::new(),
        };
        text.push_str(&match (new.is_empty(), step.cells.is_empty()) {
            (_, true) => String::new(),
            (true, _) => "(nothing changes)".to_owned(),
            (false, _) => new.join(", "),
        });
        if let Some(remark) = &step.remark {
            text.push_str(&format!("  -- {remark}"));
        }
        let text = wrap(&text, 68).replace('\n', &format!("\n{:6}", ""));
        lines.push(format!("{at:>4}  {text}"));
    }
    lines
}

/// The run for programs.
pub(super) fn to_json(run: &Run, program: &Program) -> Json {
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
    format!(
        " (after {}: {})",
        count(run.states.len() - 1, "step"),
        equations(&shown(program, &run.variables, last))
    )
}

/// Some variables of a state with their values.
pub(super) fn shown(program: &Program, variables: &[VariableId], state: &State) -> Vec<Shown> {
    let shown = variables.iter().map(|&id| Shown {
        name: program.variable(id).name.clone(),
        value: program.show(state.value(id)),
    });
    shown.collect()
}

/// The definitions that have one value in a state.
pub(super) fn definitions(program: &Program, state: &State) -> Vec<Shown> {
    let run = Run {
        states: Vec::new(),
        back_to: None,
        variables: program.variable_ids().collect(),
    };
    let defined = program.defines().iter();
    let shown = defined.filter_map(|(name, node)| {
        let value = is_told(&run, program, *node).then(|| program.evaluate(*node, state, None))?;
        match value.as_deref() {
            Ok(&[value]) => Some(Shown {
                name: name.clone(),
                value: program.show(value),
            }),
            _ => None,
        }
    });
    shown.collect()
}

/// `x = 1, y = TRUE`.
pub(super) fn equations(shown: &[Shown]) -> String {
    let equations = shown
        .iter()
        .map(|one| format!("{} = {}", one.name, one.value));
    equations.collect::<Vec<_>>().join(", ")
}

fn object(shown: &[Shown]) -> Json {
    let pairs = shown.iter().map(|one| (one.name.clone(), json!(one.value)));
    Json::Object(pairs.collect::<Map<_, _>>())
}

/// Whether a definition has one value in each state of a run.
fn is_told(run: &Run, program: &Program, root: NodeId) -> bool {
    let mut below = program.nodes_below([root]).into_iter();
    !program.type_of(root).set
        && below.all(|id| match program.node(id) {
            Node::Variable { variable, next } => {
                let is_state = program.variable(variable).kind != Kind::Input;
                !next && is_state && run.variables.binary_search(&variable).is_ok()
            }
            Node::After(_) => false,
            _ => true,
        })
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
