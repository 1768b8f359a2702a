//! Circuits in other formats.

use quotient_circuit::telling;
use quotient_core::{Diagnostic, Trouble};
use quotient_language::Written;
use quotient_netlist::{Circuit, words};

pub(crate) fn convert(circuit: &Circuit, to: &str) -> Result<Written, Trouble> {
    if to == "btor2" {
        return Ok(Written {
            text: words::from_circuit(circuit),
            line: telling::sizes(circuit),
            details: vec![("latches".to_owned(), circuit.latches().len().into())],
            ..Written::default()
        });
    }
    telling::written(circuit, to).ok_or_else(|| {
        let message = format!("a circuit cannot be written as `{to}`");
        Diagnostic::error("no-such-format", message)
            .help("it can be written as aag, aig, blif or btor2")
            .into()
    })
}
