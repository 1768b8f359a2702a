//! Circuits in other formats.

use quotient_circuit::telling::sizes;
use quotient_core::{Diagnostic, Trouble};
use quotient_language::Written;
use quotient_netlist::{Circuit, aiger, blif, words};
use serde_json::json;

pub(crate) fn convert(circuit: &Circuit, to: &str) -> Result<Written, Trouble> {
    let mut warnings = Vec::new();
    let text = match to {
        "aag" => aiger::to_ascii(circuit),
        "btor2" => words::from_circuit(circuit),
        "blif" => {
            let asked = [
                ("constraints", circuit.constraints.len()),
                ("justice", circuit.justice.len()),
                ("fairness", circuit.fairness.len()),
            ];
            for (name, count) in asked.into_iter().filter(|&(_, count)| count > 0) {
                let message = format!("BLIF has no {name}: {count} were left out");
                warnings.push(Diagnostic::warning("left-out", message));
            }
            blif::write(circuit)
        }
        other => {
            let message = format!("a circuit cannot be written as `{other}`");
            return Err(Diagnostic::error("no-such-format", message)
                .help("it can be written as aag, blif or btor2")
                .into());
        }
    };
    let line = sizes(circuit);
    Ok(Written {
        text,
        line,
        details: vec![("latches".to_owned(), json!(circuit.latches().len()))],
        warnings,
        ..Written::default()
    })
}
