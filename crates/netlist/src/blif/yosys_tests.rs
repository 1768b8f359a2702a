//! The cells of yosys against what they are said to do, cell by cell.

use quotient_core::Source;

use super::{read, yosys_cells};
use crate::Circuit;

/// A circuit of one cell whose inputs are inputs.
fn cell(name: &str, inputs: &str, output: &str) -> Circuit {
    let wires: Vec<String> = (inputs.split(' ').chain([output]))
        .map(|wire| format!("{wire}={}", wire.to_lowercase()))
        .collect();
    let (inputs, output) = (inputs.to_lowercase(), output.to_lowercase());
    let wires = wires.join(" ");
    let text = format!(
        ".model m\n.inputs {inputs}\n.outputs {output}\n.subckt {name} \\\n{wires}\n.end\n"
    );
    let (models, _) = yosys_cells(&text);
    let source = Source::new("m.blif", format!("{text}\n\n{models}"));
    let read = read(&source).map_err(|why| format!("{name}: {why}\n{models}"));
    read.unwrap().0
}

#[test]
fn gates_are_what_their_names_say() {
    type Rule = fn(&[bool]) -> bool;
    let rules: [(&str, &str, Rule); 16] = [
        ("BUF", "A", |x| x[0]),
        ("NOT", "A", |x| !x[0]),
        ("AND", "A B", |x| x[0] && x[1]),
        ("NAND", "A B", |x| !(x[0] && x[1])),
        ("OR", "A B", |x| x[0] || x[1]),
        ("NOR", "A B", |x| !(x[0] || x[1])),
        ("XOR", "A B", |x| x[0] != x[1]),
        ("XNOR", "A B", |x| x[0] == x[1]),
        ("ANDNOT", "A B", |x| x[0] && !x[1]),
        ("ORNOT", "A B", |x| x[0] || !x[1]),
        ("MUX", "A B S", |x| if x[2] { x[1] } else { x[0] }),
        ("NMUX", "A B S", |x| !(if x[2] { x[1] } else { x[0] })),
        ("AOI3", "A B C", |x| !((x[0] && x[1]) || x[2])),
        ("OAI3", "A B C", |x| !((x[0] || x[1]) && x[2])),
        ("AOI4", "A B C D", |x| !((x[0] && x[1]) || (x[2] && x[3]))),
        ("OAI4", "A B C D", |x| !((x[0] || x[1]) && (x[2] || x[3]))),
    ];
    for (kind, inputs, rule) in rules {
        let circuit = cell(&format!("$_{kind}_"), inputs, "Y");
        let count = circuit.inputs().len();
        for number in 0..1usize << count {
            let bits: Vec<bool> = (0..count).map(|at| number >> at & 1 == 1).collect();
            let words: Vec<u64> = bits.iter().map(|&bit| u64::from(bit)).collect();
            let state = circuit.evaluate(&[], &words);
            assert_eq!(
                state.is_on(circuit.outputs[0]),
                rule(&bits),
                "{kind} {bits:?}"
            );
        }
    }
}

#[test]
fn one_of_many_inputs_is_chosen_by_number() {
    for bits in 2..=4usize {
        let all = 1usize << bits;
        let mut inputs: Vec<String> = (0..all)
            .map(|at| char::from(65 + at as u8).into())
            .collect();
        inputs.extend(["S", "T", "U", "V"][..bits].iter().map(|&one| one.into()));
        let circuit = cell(&format!("$_MUX{all}_"), &inputs.join(" "), "Y");
        for data in [0x5a3cusize, 0x1248, 0xfffe, 1] {
            for chosen in 0..all {
                let mut words: Vec<u64> = (0..all).map(|at| (data >> at & 1) as u64).collect();
                words.extend((0..bits).map(|bit| (chosen >> bit & 1) as u64));
                let state = circuit.evaluate(&[], &words);
                assert_eq!(state.is_on(circuit.outputs[0]), data >> chosen & 1 == 1);
            }
        }
    }
}

/// What a flip-flop does, from its name, in the order of priority that the manual gives: what counts at
/// once makes the output and what is held; then an edge comes.
struct Meant {
    q: bool,
}

impl Meant {
    /// The output in a step, and what is held after it.
    fn step(&mut self, kind: &str, letters: &[u8], value: impl Fn(&str) -> bool) -> bool {
        let counts = |wire: &str, letter: u8| value(wire) == (letter == b'P');
        let l = |at: usize| letters.get(at).copied().unwrap_or(b'P');
        let to = |at: usize| l(at) == b'1';
        let (resets, sets, loads) = match kind {
            "DFF" | "DFFE" if letters.len() >= 3 => {
                (counts("R", l(1)).then(|| to(2)), false, false)
            }
            "DLATCH" if letters.len() == 3 => (counts("R", l(1)).then(|| to(2)), false, false),
            "DFFSR" | "DFFSRE" | "DLATCHSR" => {
                (counts("R", l(2)).then_some(false), counts("S", l(1)), false)
            }
            "ALDFF" | "ALDFFE" => (None, false, counts("L", l(1))),
            _ => (None, false, false),
        };
        let at_once = match (resets, sets, loads) {
            (Some(to), ..) => Some(to),
            (_, true, _) => Some(true),
            (.., true) => Some(value("AD")),
            _ => None,
        };
        if let Some(to) = at_once {
            self.q = to;
            return to;
        }
        if kind.starts_with("DLATCH") {
            if counts("E", l(0)) {
                self.q = value("D");
            }
            return self.q;
        }
        let shown = self.q;
        let enabled = match (kind, letters.len()) {
            ("DFFE", 2) => counts("E", l(1)),
            ("DFFE" | "SDFFE" | "SDFFCE" | "DFFSRE", _) => counts("E", l(3)),
            ("ALDFFE", _) => counts("E", l(2)),
            _ => true,
        };
        let reset = kind.starts_with("SDFF") && counts("R", l(1));
        self.q = match (reset, enabled) {
            (true, false) if kind == "SDFFCE" => self.q,
            (true, _) => to(2),
            (false, true) => value("D"),
            (false, false) => self.q,
        };
        shown
    }
}

#[test]
fn flip_flops_are_what_their_names_say() {
    let kinds = [
        ("DFF", 1, "C D"),
        ("DFFE", 2, "C D E"),
        ("DFF", 3, "C D R"),
        ("DFFE", 4, "C D E R"),
        ("SDFF", 3, "C D R"),
        ("SDFFE", 4, "C D E R"),
        ("SDFFCE", 4, "C D E R"),
        ("ALDFF", 2, "C D L AD"),
        ("ALDFFE", 3, "C D E L AD"),
        ("DFFSR", 3, "C D R S"),
        ("DFFSRE", 4, "C D E R S"),
        ("DLATCH", 1, "D E"),
        ("DLATCH", 3, "D E R"),
        ("DLATCHSR", 3, "D E R S"),
    ];
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed >> 40
    };
    for (kind, count, wires) in kinds {
        for number in 0..1usize << count {
            let has_value = wires.contains('R') && !wires.contains('S');
            let letters: Vec<u8> = (0..count)
                .map(|at| match (number >> at & 1 == 1, at == 2 && has_value) {
                    (on, true) => b'0' + u8::from(on),
                    (true, _) => b'P',
                    (false, _) => b'N',
                })
                .collect();
            let name = format!("$_{kind}_{}_", String::from_utf8_lossy(&letters));
            let circuit = cell(&name, wires, "Q");
            assert_eq!(circuit.latches().len(), 1, "{name}");
            for first in [false, true] {
                let mut meant = Meant { q: first };
                let mut held = vec![u64::from(first)];
                for _ in 0..40 {
                    let bits = random();
                    let names: Vec<&str> = wires.split(' ').collect();
                    let words: Vec<u64> = (0..names.len()).map(|at| bits >> at & 1).collect();
                    let value = |wire: &str| {
                        let at = names.iter().position(|one| *one == wire);
                        at.is_some_and(|at| words[at] == 1)
                    };
                    let shown = meant.step(kind, &letters, value);
                    let state = circuit.evaluate(&held, &words);
                    assert_eq!(state.is_on(circuit.outputs[0]), shown, "{name} {words:?}");
                    let next = state.is_on(circuit.latches()[0].next);
                    assert_eq!(next, meant.q, "{name} {words:?}");
                    held = vec![u64::from(next)];
                }
            }
        }
    }
}

#[test]
fn what_is_no_cell_is_refused_with_advice() {
    for name in [
        "$_TBUF_",
        "$_DFF_PP_",
        "$_DFF_PPP_",
        "$_DFFE_P0_",
        "$_SR_PP_",
        "$add",
    ] {
        let text = format!(".model m\n.inputs a\n.outputs b\n.subckt {name} A=a Y=b\n.end\n");
        let (models, remarks) = yosys_cells(&text);
        assert!(models.is_empty() && remarks.is_empty(), "{name}: {models}");
        let source = Source::new("m.blif", text);
        let why = read(&source).err().map(|why| why.to_string());
        assert!(
            why.is_some_and(|why| why.contains("cell of yosys")),
            "{name}"
        );
    }
    // A file that says itself what a cell does is believed.
    let own = ".model m\n.subckt $_AND_ A=a B=b Y=c\n.end\n.model $_AND_\n.end\n";
    assert!(yosys_cells(own).0.is_empty());
}

#[test]
fn mistakes_about_cells_are_told_where_the_file_names_them() {
    for (second, why) in [
        (".subckt $_OR_ A=a B=b Y=y", "`y` is defined twice"),
        (".subckt $_DFF_P_ C=a D=b Q=y", "`y` is defined twice"),
        (".subckt $_OR_ A=a B=z Y=z", "`z` depends on itself"),
    ] {
        let text = format!(
            ".model m\n.inputs a b\n.outputs y z\n.subckt $_AND_ A=a B=b Y=y\n{second}\n.end\n"
        );
        let (models, _) = yosys_cells(&text);
        let source = Source::new("m.blif", text + &models);
        let told = read(&source).err().map(|why| why.to_string());
        let told = told.unwrap_or_default();
        assert!(told.contains(why) && told.contains("m.blif:5"), "{told}");
    }
}
