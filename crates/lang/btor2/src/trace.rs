//! Runs as tables of words.

use quotient_language::{Cell, Layout, Step, Trace};
use quotient_netlist::wave::Wave;
use quotient_netlist::words::{Evaluator, Model, NodeId, Value};

/// The most columns of a run that is shown.
const MOST_COLUMNS: usize = 100;

/// A run with its inputs and states in words.
pub(crate) fn of(model: &Model, steps: &[Evaluator<'_>], back_to: Option<usize>) -> Trace {
    let inputs = model.inputs().iter();
    let inputs = inputs.map(|(node, name)| (name.clone(), *node));
    let states = model.states().iter();
    let states = states.map(|state| (state.name.clone(), state.node));
    let mut columns: Vec<(String, NodeId)> = inputs.chain(states).collect();
    let left_out = columns.len().saturating_sub(MOST_COLUMNS);
    columns.truncate(MOST_COLUMNS);
    let layout = match columns.len() {
        0..=12 => Layout::Grid,
        _ => Layout::States,
    };
    let mut trace = Trace::new(layout, columns.iter().map(|(name, _)| name.clone()));
    let round = back_to.and_then(|at| going_on(steps, at));
    for (number, step) in steps.iter().chain(&round).enumerate() {
        let cells = columns
            .iter()
            .map(|(_, node)| Cell::new(shown(step.value(*node))));
        trace.steps.push(match number {
            0 => Step::start(cells),
            _ => Step::of("step", cells),
        });
    }
    trace.back_to = back_to.filter(|_| round.is_some());
    if left_out > 0 {
        let line = format!("{left_out} more inputs and states are in the witness");
        trace.ending.push(line);
    }
    trace.mark_changes()
}

/// The step after the last one of a run that goes on as it did once before: all that matters is what
/// it was there; states that do not matter go on as they do.
fn going_on<'m>(steps: &[Evaluator<'m>], back_to: usize) -> Option<Evaluator<'m>> {
    let (mut next, first) = (steps.last()?.clone(), steps.get(back_to)?);
    next.step(&mut |node, _| first.value(node).clone());
    Some(next)
}

/// A number where there is one, else bits; of an array what is not zero.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Word(word) => match word.number().filter(|_| word.width() <= 64) {
            Some(number) => number.to_string(),
            None => word.to_string(),
        },
        Value::Array(rest, some) => {
            let word = |word: &quotient_netlist::words::Word| shown(&Value::Word(word.clone()));
            let named: Vec<String> = (some.iter())
                .filter(|(_, one)| *one != rest)
                .take(8)
                .map(|(at, one)| format!("{}:{}", word(at), word(one)))
                .collect();
            format!("[{}]", named.join(" "))
        }
    }
}

/// Inputs and states that are words, step by step; arrays are left out.
pub(crate) fn waves(model: &Model, steps: &[Evaluator<'_>]) -> Vec<Wave> {
    let inputs = model.inputs().iter();
    let inputs = inputs.map(|(node, name)| (name.clone(), *node));
    let states = model.states().iter();
    let states = states.map(|state| (state.name.clone(), state.node));
    let wave = |(name, node): (String, NodeId)| {
        let mut width = 0;
        let mut values = Vec::new();
        for step in steps {
            let Value::Word(word) = step.value(node) else {
                return None;
            };
            width = word.width() as usize;
            values.push(word.to_string());
        }
        Some(Wave {
            name,
            width,
            values,
        })
    };
    inputs.chain(states).filter_map(wave).collect()
}
