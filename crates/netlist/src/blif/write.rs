//! Writing BLIF.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::{Circuit, Gate, Literal};

/// The circuit as tables, with its names as far as the format can have them; bad signals are
/// outputs, too. Constraints, justice and fairness have no place in the format: see
/// [`Circuit::folded`] for the first.
pub fn write(circuit: &Circuit) -> String {
    let names = Names::new(circuit);
    let mut text = String::from(".model circuit\n");
    let listed = |text: &mut String, keyword: &str, names: &[String]| {
        text.push_str(keyword);
        names.iter().for_each(|name| text.extend([" ", name]));
        text.push('\n');
    };
    let outputs: Vec<String> = names.outputs.iter().map(|one| one.0.clone()).collect();
    listed(&mut text, ".inputs", &names.inputs);
    listed(&mut text, ".outputs", &outputs);
    for (number, latch) in circuit.latches().iter().enumerate() {
        let start = match latch.start {
            Some(value) => u8::from(value),
            None => 2,
        };
        let (own, next) = (&names.latches[number], names.inner("_next", number));
        let _ = writeln!(text, ".latch {next} {own} {start}");
    }
    let _ = writeln!(text, ".names {}", names.inner("_zero", ""));
    for (node, gate) in circuit.graph.nodes() {
        if let Gate::And(a, b) = gate {
            let bit = |of: Literal| u8::from(!of.is_negated());
            let [one, other, own] = [a, b, node.literal()].map(|of| names.of(circuit, of));
            let _ = writeln!(text, ".names {one} {other} {own}");
            let _ = writeln!(text, "{}{} 1", bit(a), bit(b));
        }
    }
    let buffer = |text: &mut String, from: Literal, to: &str| {
        let bit = u8::from(!from.is_negated());
        let _ = writeln!(text, ".names {} {to}\n{bit} 1", names.of(circuit, from));
    };
    for (number, latch) in circuit.latches().iter().enumerate() {
        buffer(&mut text, latch.next, &names.inner("_next", number));
    }
    for (own, signal) in &names.outputs {
        if names.of(circuit, *signal) != *own {
            buffer(&mut text, *signal, own);
        }
    }
    text.push_str(".end\n");
    text
}

/// What signals are called, no two of them alike.
struct Names {
    inputs: Vec<String>,
    latches: Vec<String>,
    /// Outputs and bad signals.
    outputs: Vec<(String, Literal)>,
    /// What the names of gates begin with, so that they are none of the others.
    before: String,
}

impl Names {
    fn new(circuit: &Circuit) -> Names {
        let mut taken = HashMap::new();
        let mut listed: HashSet<String> = HashSet::new();
        let inputs: Vec<String> = (0..circuit.inputs().len())
            .map(|number| free(&mut taken, &circuit.input_name(number), "_"))
            .collect();
        let latches: Vec<String> = (0..circuit.latches().len())
            .map(|number| free(&mut taken, &circuit.latch_name(number), "_"))
            .collect();
        let lists = [
            (&circuit.outputs, &circuit.output_names, "_o"),
            (&circuit.bad, &circuit.bad_names, "_b"),
        ];
        let mut outputs: Vec<(String, Literal)> = Vec::new();
        for (signals, names, letter) in lists {
            for (number, &signal) in signals.iter().enumerate() {
                let own = names.get(number).cloned().flatten();
                let own = own.unwrap_or_else(|| format!("{letter}{number}"));
                let itself = match circuit.graph.gate(signal.node()) {
                    _ if signal.is_negated() => None,
                    Gate::Input(number) => Some(&inputs[number]),
                    Gate::Latch(number) => Some(&latches[number]),
                    _ => None,
                };
                let itself = itself.is_some_and(|itself| *itself == own);
                let name = match itself && listed.insert(own.clone()) {
                    true => own,
                    false => free(&mut taken, &own, "_out"),
                };
                outputs.push((name, signal));
            }
        }
        let mut before = String::new();
        while taken
            .keys()
            .any(|name| name.starts_with(&format!("{before}_")))
        {
            before.push('_');
        }
        Names {
            inputs,
            latches,
            outputs,
            before,
        }
    }

    /// A signal that has no name in the circuit.
    fn inner(&self, word: &str, number: impl std::fmt::Display) -> String {
        format!("{}{word}{number}", self.before)
    }

    fn of(&self, circuit: &Circuit, literal: Literal) -> String {
        match circuit.graph.gate(literal.node()) {
            Gate::Constant => self.inner("_zero", ""),
            Gate::Input(number) => self.inputs[number].clone(),
            Gate::Latch(number) => self.latches[number].clone(),
            Gate::And(..) => self.inner("_n", literal.node().index()),
        }
    }
}

/// A name that nothing has so far, without what the format cannot have in one.
fn free(taken: &mut HashMap<String, usize>, name: &str, ending: &str) -> String {
    let letter = |one: char| match one.is_whitespace() || "#\\=".contains(one) {
        true => '_',
        false => one,
    };
    let plain: String = name.chars().map(letter).collect();
    let mut own = plain.clone();
    while own.is_empty() || taken.contains_key(&own) {
        let times = taken.entry(plain.clone()).or_insert(0);
        *times += 1;
        own = match *times {
            1 => format!("{plain}{ending}"),
            more => format!("{plain}{ending}{more}"),
        };
    }
    taken.insert(own.clone(), 0);
    own
}
