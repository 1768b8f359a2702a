//! The gates and flip-flops of yosys (`$_AND_`, `$_DFF_P_`, …) as models of BLIF.
//!
//! `write_blif` writes plain gates as tables, but flip-flops with enables or resets, and with `-icells`
//! everything, as parts with the names of its own cells. What they do is said by their names.

use std::collections::BTreeSet;
use std::fmt::Write;

use quotient_core::Diagnostic;

/// The models of the cells of yosys that a text names and does not have, a text to stand behind it; with
/// remarks on what is taken otherwise than it is written.
///
/// ```
/// let text = ".model m\n.inputs c d\n.outputs q\n.subckt $_DFF_P_ C=c D=d Q=q\n.end\n";
/// let (models, _) = quotient_netlist::blif::yosys_cells(text);
/// assert!(models.contains(".model $_DFF_P_\n.inputs C D\n.outputs Q\n.latch D Q 3\n"));
/// ```
pub fn yosys_cells(text: &str) -> (String, Vec<Diagnostic>) {
    let text_in_one = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut named = BTreeSet::new();
    let mut own = BTreeSet::new();
    let mut clocks = BTreeSet::new();
    for line in text_in_one.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some(".model"), Some(name)) => {
                own.insert(name);
            }
            (Some(".subckt" | ".gate"), Some(name)) if name.starts_with("$_") => {
                named.insert(name);
                let mut wires = words.filter_map(|word| word.split_once('='));
                let clock = wires.find(|(inside, _)| *inside == "C");
                if let Some((_, clock)) = clock.filter(|_| is_clocked(name)) {
                    clocks.insert((clock, falls(name)));
                }
            }
            _ => {}
        }
    }
    let mut models = String::new();
    let mut held = false;
    for name in named.difference(&own) {
        if let Some(model) = model(name) {
            held |= model.contains(".latch");
            models.push_str(&model);
        }
    }
    let mut remarks = Vec::new();
    if held {
        let message = "flip-flops that are cells of yosys may start with anything";
        let help =
            "in yosys, `async2sync; dffunmap; techmap` makes each a `.latch`, with its start";
        remarks.push(Diagnostic::warning("blif", message).help(help));
    }
    if clocks.len() > 1 {
        let message = "flip-flops with different clocks are taken to step together";
        let help = "in yosys, `clk2fflogic` makes clocks part of the circuit";
        remarks.push(Diagnostic::warning("blif", message).help(help));
    }
    (models, remarks)
}

/// Whether a cell takes over its input at an edge.
fn is_clocked(name: &str) -> bool {
    ["$_DFF", "$_SDFF", "$_ALDFF"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// Whether that edge is the falling one.
fn falls(name: &str) -> bool {
    letters(name).is_some_and(|(_, letters)| letters.starts_with('N'))
}

/// `$_DFFE_PN_` is a `DFFE` with the letters `PN`.
fn letters(name: &str) -> Option<(&str, &str)> {
    let inner = name.strip_prefix("$_")?.strip_suffix('_')?;
    Some(inner.split_once('_').unwrap_or((inner, "")))
}

/// What a cell does, as a model; nothing for cells that are not known.
fn model(name: &str) -> Option<String> {
    let (kind, letters) = letters(name)?;
    match letters.is_empty() {
        true => gate(name, kind),
        false => held(name, kind, letters),
    }
}

/// A model with one output.
fn written(name: &str, inputs: &str, output: &str, body: &str) -> String {
    format!(".model {name}\n.inputs {inputs}\n.outputs {output}\n{body}.end\n")
}

/// A gate: its inputs, and the rows for which it is on.
fn gate(name: &str, kind: &str) -> Option<String> {
    let (inputs, rows): (&str, &str) = match kind {
        "BUF" => ("A", "1 1"),
        "NOT" => ("A", "0 1"),
        "AND" => ("A B", "11 1"),
        "NAND" => ("A B", "11 0"),
        "OR" => ("A B", "00 0"),
        "NOR" => ("A B", "00 1"),
        "XOR" => ("A B", "10 1\n01 1"),
        "XNOR" => ("A B", "11 1\n00 1"),
        "ANDNOT" => ("A B", "10 1"),
        "ORNOT" => ("A B", "01 0"),
        "MUX" => ("A B S", "1-0 1\n-11 1"),
        "NMUX" => ("A B S", "0-0 1\n-01 1"),
        "AOI3" => ("A B C", "11- 0\n--1 0"),
        "OAI3" => ("A B C", "1-1 0\n-11 0"),
        "AOI4" => ("A B C D", "11-- 0\n--11 0"),
        "OAI4" => ("A B C D", "1-1- 0\n1--1 0\n-11- 0\n-1-1 0"),
        "MUX4" => return Some(choice(name, 2)),
        "MUX8" => return Some(choice(name, 3)),
        "MUX16" => return Some(choice(name, 4)),
        // A flip-flop of a clock that is nowhere said.
        "FF" => return Some(written(name, "D", "Q", ".latch D Q 3\n")),
        _ => return None,
    };
    let body = format!(".names {inputs} Y\n{rows}\n");
    Some(written(name, inputs, "Y", &body))
}

/// One of 4, 8 or 16 inputs `A`, `B`, …, by the number whose lowest bit is `S`.
fn choice(name: &str, bits: usize) -> String {
    let all = 1usize << bits;
    let letter = |at: usize| char::from(b'A' + at as u8).to_string();
    let mut inputs: Vec<String> = (0..all).map(letter).collect();
    inputs.extend(
        ["S", "T", "U", "V"][..bits]
            .iter()
            .map(|&one| one.to_owned()),
    );
    let inputs = inputs.join(" ");
    let mut body = format!(".names {inputs} Y\n");
    for one in 0..all {
        let data = (0..all).map(|at| if at == one { '1' } else { '-' });
        let chosen = (0..bits).map(|bit| if one >> bit & 1 == 1 { '1' } else { '0' });
        let row: String = data.chain(chosen).collect();
        let _ = writeln!(body, "{row} 1");
    }
    written(name, &inputs, "Y", &body)
}

/// What a flip-flop or a level-sensitive latch has besides its data, each with the value at which it
/// counts.
#[derive(Default)]
struct Held {
    clocked: bool,
    enable: Option<char>,
    /// A reset and what to; `early` if it counts in this step already, not from the next on.
    reset: Option<(char, char)>,
    early: bool,
    /// Whether nothing happens without the enable, not even a reset.
    enable_first: bool,
    set: Option<char>,
    /// Loads `AD` in this step already.
    load: Option<char>,
}

/// The letters of the name say at which value (`P`: 1, `N`: 0) a signal counts, and what a reset gives.
fn parts(kind: &str, letters: &str) -> Option<Held> {
    let signs: Vec<char> = letters
        .chars()
        .map(|letter| match letter {
            'P' | '1' => Some('1'),
            'N' | '0' => Some('0'),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let reset_to = |at: usize| {
        letters
            .chars()
            .nth(at)
            .is_some_and(|one| one.is_ascii_digit())
    };
    let plain = letters.chars().enumerate();
    // Only the value of a reset is a digit.
    let digits = plain.filter(|(_, letter)| letter.is_ascii_digit()).count();
    let mut held = Held {
        clocked: true,
        ..Held::default()
    };
    match (kind, &signs[..]) {
        ("DFF", [_]) if digits == 0 => {}
        ("DFFE", &[_, enable]) if digits == 0 => held.enable = Some(enable),
        ("DFF", &[_, at, to]) if digits == 1 && reset_to(2) => {
            held.reset = Some((at, to));
            held.early = true;
        }
        ("DFFE", &[_, at, to, enable]) if digits == 1 && reset_to(2) => {
            held.reset = Some((at, to));
            held.early = true;
            held.enable = Some(enable);
        }
        ("SDFF", &[_, at, to]) if digits == 1 && reset_to(2) => held.reset = Some((at, to)),
        ("SDFFE" | "SDFFCE", &[_, at, to, enable]) if digits == 1 && reset_to(2) => {
            held.reset = Some((at, to));
            held.enable = Some(enable);
            held.enable_first = kind == "SDFFCE";
        }
        ("ALDFF", &[_, load]) if digits == 0 => held.load = Some(load),
        ("ALDFFE", &[_, load, enable]) if digits == 0 => {
            held.load = Some(load);
            held.enable = Some(enable);
        }
        ("DFFSR", &[_, set, reset]) if digits == 0 => {
            held.set = Some(set);
            held.reset = Some((reset, '0'));
            held.early = true;
        }
        ("DFFSRE", &[_, set, reset, enable]) if digits == 0 => {
            held.set = Some(set);
            held.reset = Some((reset, '0'));
            held.early = true;
            held.enable = Some(enable);
        }
        ("DLATCH", &[enable]) if digits == 0 => {
            held.clocked = false;
            held.enable = Some(enable);
        }
        ("DLATCH", &[enable, at, to]) if digits == 1 && reset_to(2) => {
            held.clocked = false;
            held.enable = Some(enable);
            held.reset = Some((at, to));
            held.early = true;
        }
        ("DLATCHSR", &[enable, set, reset]) if digits == 0 => {
            held.clocked = false;
            held.enable = Some(enable);
            held.set = Some(set);
            held.reset = Some((reset, '0'));
            held.early = true;
        }
        _ => return None,
    }
    Some(held)
}

/// A choice between two signals: the first where `by` has this value.
fn chosen(by: &str, at: char, then: &str, otherwise: &str, output: &str) -> String {
    let not = if at == '1' { '0' } else { '1' };
    format!(".names {by} {then} {otherwise} {output}\n{at}1- 1\n{not}-1 1\n")
}

/// A flip-flop or a latch. What counts at once, and not from the next step on, stands between what is
/// held and the output, as `async2sync` of yosys has it.
fn held(name: &str, kind: &str, letters: &str) -> Option<String> {
    let parts = parts(kind, letters)?;
    let mut inputs = vec!["D"];
    let mut body = String::new();
    if parts.clocked {
        inputs.insert(0, "C");
    }
    let constant = |value: char, output: &str| match value {
        '1' => format!(".names {output}\n1\n"),
        _ => format!(".names {output}\n"),
    };
    // What it holds from the next step on, as far as nothing counts at once.
    let mut next = "D".to_owned();
    if let (Some((at, to)), false, false) = (parts.reset, parts.early, parts.enable_first) {
        // A reset counts whether or not it is enabled.
        body.push_str(&constant(to, "%to"));
        if let Some(enable) = parts.enable {
            body.push_str(&chosen("E", enable, "D", "Q", "%enabled"));
            next = "%enabled".to_owned();
        }
        body.push_str(&chosen("R", at, "%to", &next, "%reset"));
        next = "%reset".to_owned();
    } else {
        if let (Some((at, to)), false) = (parts.reset, parts.early) {
            body.push_str(&constant(to, "%to"));
            body.push_str(&chosen("R", at, "%to", "D", "%reset"));
            next = "%reset".to_owned();
        }
        if let Some(enable) = parts.enable.filter(|_| parts.clocked) {
            body.push_str(&chosen("E", enable, &next, "Q", "%enabled"));
            next = "%enabled".to_owned();
        }
    }
    inputs.extend(parts.enable.map(|_| "E"));
    inputs.extend(parts.reset.map(|_| "R"));
    inputs.extend(parts.set.map(|_| "S"));
    inputs.extend(parts.load.iter().flat_map(|_| ["L", "AD"]));
    let early = at_once(&parts, &next);
    match early {
        None => {
            let _ = writeln!(body, ".latch {next} Q 3");
        }
        Some(early) => body.push_str(&early),
    }
    Some(written(name, &inputs.join(" "), "Q", &body))
}

/// Where something counts at once: the output is what is held but for that, and so is what it holds from
/// the next step on.
fn at_once(parts: &Held, next: &str) -> Option<String> {
    let counts = (parts.early, parts.load, parts.clocked);
    if counts == (false, None, true) {
        return None;
    }
    let mut body = String::new();
    // The same stands before the output and before what is held next.
    let mut both = |by: &str, at: char, then: &str, from: [&str; 2], to: [&str; 2]| {
        for (from, to) in from.into_iter().zip(to) {
            body.push_str(&chosen(by, at, then, from, to));
        }
    };
    let mut here = ["%held", next];
    if let Some(load) = parts.load {
        both("L", load, "AD", here, ["%h1", "%n1"]);
        here = ["%h1", "%n1"];
    }
    if let Some(enable) = parts.enable.filter(|_| !parts.clocked) {
        // A latch lets its data through; what it lets through is what it holds.
        both("E", enable, "D", ["%held", "%held"], ["%h2", "%n2"]);
        here = ["%h2", "%n2"];
    }
    let constants = ".names %one\n1\n.names %zero\n";
    if let Some(set) = parts.set {
        both("S", set, "%one", here, ["%h3", "%n3"]);
        here = ["%h3", "%n3"];
    }
    if let Some((at, to)) = parts.reset.filter(|_| parts.early) {
        let to = if to == '1' { "%one" } else { "%zero" };
        both("R", at, to, here, ["%h4", "%n4"]);
        here = ["%h4", "%n4"];
    }
    let [output, next] = here;
    let _ = write!(
        body,
        "{constants}.names {output} Q\n1 1\n.latch {next} %held 3\n"
    );
    Some(body)
}
