//! Runs as tables of words.

use quotient_language::{Cell, Layout, Step, Trace};
use quotient_netlist::wave::Wave;
use quotient_netlist::words::{Evaluator, Model, NodeId, Value, Word};

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

/// Of an array no more elements than this are shown.
const SHOWN: usize = 8;

/// A number where there is one, else bits; of an array the elements that differ from all others, by their
/// index, and what the others are if that is not zero.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Word(word) => match word.number().filter(|_| word.width() <= 64) {
            Some(number) => number.to_string(),
            None => word.to_string(),
        },
        Value::Array(rest, some) => {
            let word = |word: &Word| shown(&Value::Word(word.clone()));
            let mut named: Vec<(&Word, &Word)> =
                (some.iter()).filter(|(_, one)| *one != rest).collect();
            // Words have their lowest bit first.
            named.sort_by(|(one, _), (other, _)| one.0.iter().rev().cmp(other.0.iter().rev()));
            let mut parts: Vec<String> = (named.iter())
                .take(SHOWN)
                .map(|(at, one)| format!("{}:{}", word(at), word(one)))
                .collect();
            if named.len() > SHOWN {
                parts.push("…".to_owned());
            }
            if *rest != Word::zero(rest.width()) {
                parts.push(format!("else:{}", word(rest)));
            }
            format!("[{}]", parts.join(" "))
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

#[cfg(test)]
mod tests {
    use super::{Value, Word, shown};

    #[test]
    fn arrays_are_shown_by_index_with_all_that_they_hold() {
        let word = |number| Word::from_number(number, 8);
        let array = |rest, some: &[(u128, u128)]| {
            let some = some.iter().map(|&(at, one)| (word(at), word(one)));
            shown(&Value::Array(word(rest), some.collect()))
        };
        assert_eq!(
            array(0, &[(8, 1), (4, 2), (1, 0), (12, 3)]),
            "[4:2 8:1 12:3]"
        );
        assert_eq!(array(5, &[(1, 0), (2, 5)]), "[1:0 else:5]");
        let many: Vec<(u128, u128)> = (1..20).map(|at| (at, at)).collect();
        assert_eq!(array(0, &many), "[1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 …]");
    }
}
