//! Circuits as BTOR2.

use std::fmt::Write;

use crate::{Circuit, Gate, Literal};

/// The circuit with words of one bit. Outputs are bad signals where they are all that is asked.
///
/// ```
/// use quotient_core::Source;
/// use quotient_netlist::{Circuit, words};
/// let mut circuit = Circuit::new();
/// let latch = circuit.latch(Some(true));
/// circuit.connect(latch, !latch);
/// circuit.bad.push(latch);
/// let model = words::read(&Source::new("c", words::from_circuit(&circuit))).unwrap();
/// assert_eq!(model.states().len(), 1);
/// ```
pub fn from_circuit(circuit: &Circuit) -> String {
    let mut text = String::from("1 sort bitvec 1\n2 zero 1\n3 one 1\n");
    let mut next = 4usize;
    let mut lines: Vec<usize> = Vec::with_capacity(circuit.graph.len());
    let mut line = |text: &mut String, rest: String| {
        let _ = writeln!(text, "{next} {rest}");
        next += 1;
        next - 1
    };
    let at = |lines: &[usize], literal: Literal| {
        let sign = if literal.is_negated() { "-" } else { "" };
        format!("{sign}{}", lines[literal.node().index()])
    };
    for (_, gate) in circuit.graph.nodes() {
        let number = match gate {
            Gate::Constant => 2,
            Gate::Input(number) => {
                let name = one_word(&circuit.input_name(number));
                line(&mut text, format!("input 1 {name}"))
            }
            Gate::Latch(number) => {
                let name = one_word(&circuit.latch_name(number));
                line(&mut text, format!("state 1 {name}"))
            }
            Gate::And(a, b) => {
                let rest = format!("and 1 {} {}", at(&lines, a), at(&lines, b));
                line(&mut text, rest)
            }
        };
        lines.push(number);
    }
    for latch in circuit.latches() {
        let state = at(&lines, latch.node.literal());
        if let Some(value) = latch.start {
            line(&mut text, format!("init 1 {state} {}", 2 + u8::from(value)));
        }
        let rest = format!("next 1 {state} {}", at(&lines, latch.next));
        line(&mut text, rest);
    }
    // Where nothing else is asked, outputs are, and there they are only looked at.
    let only_outputs = circuit.bad.is_empty() && circuit.justice.is_empty();
    let outputs = if only_outputs { "bad" } else { "output" };
    let lists = [
        (outputs, &circuit.outputs),
        ("constraint", &circuit.constraints),
        ("bad", &circuit.bad),
        ("fair", &circuit.fairness),
    ];
    for (keyword, signals) in lists {
        for &signal in signals {
            let rest = format!("{keyword} {}", at(&lines, signal));
            line(&mut text, rest);
        }
    }
    for signals in &circuit.justice {
        let all: Vec<String> = signals.iter().map(|&one| at(&lines, one)).collect();
        let rest = format!("justice {} {}", all.len(), all.join(" "));
        line(&mut text, rest);
    }
    text
}

/// A name without blanks and comments.
fn one_word(name: &str) -> String {
    let letter = |one: char| {
        if one.is_whitespace() || one == ';' {
            '_'
        } else {
            one
        }
    };
    name.chars().map(letter).collect()
}
