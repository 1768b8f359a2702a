//! Writing AIGER files.

use std::fmt::Write;

use crate::{Circuit, Gate, Literal};

/// The circuit as an ascii file (`.aag`). Gates that nothing needs are left out.
pub fn to_ascii(circuit: &Circuit) -> String {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aag");
    for number in 0..circuit.inputs().len() {
        let _ = writeln!(text, "{}", 2 * (number + 1));
    }
    for number in 0..circuit.latches().len() {
        let _ = write!(text, "{} ", numbered.latch_code(number));
        text.push_str(&numbered.latch(number));
    }
    text.push_str(&numbered.signals());
    for &(code, left, right) in &numbered.gates {
        let _ = writeln!(text, "{code} {left} {right}");
    }
    text.push_str(&numbered.symbols());
    text
}

/// The circuit as a binary file (`.aig`).
pub fn to_binary(circuit: &Circuit) -> Vec<u8> {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aig");
    for number in 0..circuit.latches().len() {
        text.push_str(&numbered.latch(number));
    }
    text.push_str(&numbered.signals());
    let mut bytes = text.into_bytes();
    for &(code, left, right) in &numbered.gates {
        push_delta(&mut bytes, code - left);
        push_delta(&mut bytes, left - right);
    }
    bytes.extend_from_slice(numbered.symbols().as_bytes());
    bytes
}

fn push_delta(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A circuit with the numbers that the format gives to its signals.
struct Numbered<'a> {
    circuit: &'a Circuit,
    /// The code of each node that is written.
    codes: Vec<usize>,
    /// Code, larger and smaller side of each gate.
    gates: Vec<(usize, usize, usize)>,
}

impl Numbered<'_> {
    fn new(circuit: &Circuit) -> Numbered<'_> {
        let needed = circuit.cone(roots(circuit));
        let mut codes = vec![0; circuit.graph.len()];
        let mut gates = Vec::new();
        let mut next = 2 * (circuit.inputs().len() + circuit.latches().len() + 1);
        for (node, gate) in circuit.graph.nodes() {
            codes[node.index()] = match gate {
                Gate::Constant => 0,
                Gate::Input(number) => 2 * (number + 1),
                Gate::Latch(number) => 2 * (circuit.inputs().len() + number + 1),
                Gate::And(a, b) if needed[node.index()] => {
                    let code =
                        |of: Literal| codes[of.node().index()] + usize::from(of.is_negated());
                    let (a, b) = (code(a), code(b));
                    gates.push((next, a.max(b), a.min(b)));
                    next += 2;
                    next - 2
                }
                Gate::And(..) => 0,
            };
        }
        Numbered {
            circuit,
            codes,
            gates,
        }
    }

    fn code(&self, literal: Literal) -> usize {
        self.codes[literal.node().index()] + usize::from(literal.is_negated())
    }

    fn latch_code(&self, number: usize) -> usize {
        self.code(self.circuit.latches()[number].node.literal())
    }

    fn header(&self, word: &str) -> String {
        let circuit = self.circuit;
        let (inputs, latches) = (circuit.inputs().len(), circuit.latches().len());
        let gates = self.gates.len();
        let most = inputs + latches + gates;
        let outputs = circuit.outputs.len();
        let mut text = format!("{word} {most} {inputs} {latches} {outputs} {gates}");
        let more = [
            circuit.bad.len(),
            circuit.constraints.len(),
            circuit.justice.len(),
            circuit.fairness.len(),
        ];
        let last = more
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |at| at + 1);
        for count in &more[..last] {
            let _ = write!(text, " {count}");
        }
        text.push('\n');
        text
    }

    /// What a latch becomes and starts with.
    fn latch(&self, number: usize) -> String {
        let latch = &self.circuit.latches()[number];
        let next = self.code(latch.next);
        match latch.start {
            Some(false) => format!("{next}\n"),
            Some(true) => format!("{next} 1\n"),
            None => format!("{next} {}\n", self.latch_code(number)),
        }
    }

    /// Outputs, bad signals, constraints, justice and fairness.
    fn signals(&self) -> String {
        let circuit = self.circuit;
        let mut text = String::new();
        let list = |signals: &[Literal], text: &mut String| {
            for &signal in signals {
                let _ = writeln!(text, "{}", self.code(signal));
            }
        };
        list(&circuit.outputs, &mut text);
        list(&circuit.bad, &mut text);
        list(&circuit.constraints, &mut text);
        for signals in &circuit.justice {
            let _ = writeln!(text, "{}", signals.len());
        }
        for signals in &circuit.justice {
            list(signals, &mut text);
        }
        list(&circuit.fairness, &mut text);
        text
    }

    fn symbols(&self) -> String {
        let circuit = self.circuit;
        let tables = [
            ('i', &circuit.input_names),
            ('l', &circuit.latch_names),
            ('o', &circuit.output_names),
            ('b', &circuit.bad_names),
            ('c', &circuit.constraint_names),
            ('j', &circuit.justice_names),
            ('f', &circuit.fairness_names),
        ];
        let mut text = String::new();
        for (letter, names) in tables {
            for (number, name) in names.iter().enumerate() {
                if let Some(name) = name {
                    let name = name.replace(['\n', '\r'], " ");
                    let _ = writeln!(text, "{letter}{number} {name}");
                }
            }
        }
        text
    }
}

/// All signals that a file speaks about.
fn roots(circuit: &Circuit) -> impl Iterator<Item = Literal> + '_ {
    let nexts = circuit.latches().iter().map(|latch| latch.next);
    let lists = [
        &circuit.outputs,
        &circuit.bad,
        &circuit.constraints,
        &circuit.fairness,
    ];
    let listed = lists
        .into_iter()
        .chain(circuit.justice.iter())
        .flat_map(|list| list.iter().copied());
    nexts.chain(listed)
}
