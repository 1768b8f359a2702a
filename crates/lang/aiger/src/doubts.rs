//! Reasons to doubt a circuit.

use quotient_circuit::{longest_run, stuck_latches, telling};
use quotient_core::{Context, Trouble};
use quotient_language::Doubt;

use crate::model::CircuitModel;

/// How many states a run should be able to have.
const LONG: usize = 20;
/// How many latches are named.
const MOST_NAMES: usize = 8;

pub(crate) fn doubts(model: &mut CircuitModel, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
    let mut all = std::mem::take(&mut model.doubts);
    let held = std::mem::take(&mut model.held);
    let circuit = &model.circuit;
    all.extend(telling::needing_no_start(circuit, &held, cx)?);
    let stuck = stuck_latches(circuit, &cx.budget)?;
    let names: Vec<String> = (stuck.iter().enumerate())
        .filter_map(|(number, value)| {
            let value = u8::from((*value)?);
            Some(format!("{} = {value}", circuit.latch_name(number)))
        })
        .collect();
    if !names.is_empty() {
        let listed = names[..names.len().min(MOST_NAMES)].join(", ");
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!(
            "{} of {} latches never change: {listed}{more}",
            names.len(),
            stuck.len()
        );
        all.push(Doubt::new("stuck-latches", text));
    }
    if let Some(steps) = longest_run(circuit, LONG, &cx.budget)?.filter(|&steps| steps > 0) {
        let text = format!("the constraints end every run after {steps} states");
        all.push(Doubt::new("runs-end", text));
    }
    Ok(all)
}
