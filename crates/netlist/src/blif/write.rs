//! Writing BLIF.

use std::fmt::Write;

use crate::{Circuit, Gate, Literal};

/// The circuit as tables; bad signals are outputs, too. Constraints, justice and fairness have
/// no place in the format.
pub fn write(circuit: &Circuit) -> String {
    let mut text = String::from(".model circuit\n");
    let inputs: Vec<String> = (0..circuit.inputs().len())
        .map(|number| format!(" {}", plain(&circuit.input_name(number))))
        .collect();
    let signals: Vec<Literal> = circuit
        .outputs
        .iter()
        .chain(&circuit.bad)
        .copied()
        .collect();
    let names: Vec<String> = (0..circuit.outputs.len())
        .map(|number| format!("_o{number}"))
        .chain((0..circuit.bad.len()).map(|number| format!("_b{number}")))
        .collect();
    let _ = writeln!(text, ".inputs{}", inputs.concat());
    let _ = writeln!(text, ".outputs {}", names.join(" "));
    let name = |literal: Literal| -> String {
        match circuit.graph.gate(literal.node()) {
            Gate::Constant => "_zero".to_owned(),
            Gate::Input(number) => plain(&circuit.input_name(number)),
            Gate::Latch(number) => plain(&circuit.latch_name(number)),
            Gate::And(..) => format!("_n{}", literal.node().index()),
        }
    };
    let buffer = |text: &mut String, from: Literal, to: &str| {
        let bit = u8::from(!from.is_negated());
        let _ = writeln!(text, ".names {} {to}\n{bit} 1", name(from));
    };
    for (number, latch) in circuit.latches().iter().enumerate() {
        let start = match latch.start {
            Some(value) => u8::from(value),
            None => 2,
        };
        let own = name(latch.node.literal());
        let _ = writeln!(text, ".latch _next{number} {own} {start}");
    }
    text.push_str(".names _zero\n");
    for (node, gate) in circuit.graph.nodes() {
        if let Gate::And(a, b) = gate {
            let bit = |of: Literal| u8::from(!of.is_negated());
            let own = name(node.literal());
            let _ = writeln!(text, ".names {} {} {own}", name(a), name(b));
            let _ = writeln!(text, "{}{} 1", bit(a), bit(b));
        }
    }
    for (number, latch) in circuit.latches().iter().enumerate() {
        buffer(&mut text, latch.next, &format!("_next{number}"));
    }
    for (&signal, own) in signals.iter().zip(&names) {
        buffer(&mut text, signal, own);
    }
    text.push_str(".end\n");
    text
}

/// A name without what the format cannot have in one.
fn plain(name: &str) -> String {
    let letter = |one: char| {
        if one.is_whitespace() || one == '#' || one == '\\' {
            '_'
        } else {
            one
        }
    };
    name.chars().map(letter).collect()
}
