//! Programs in other formats.

use std::collections::BTreeSet;
use std::fmt::Write;

use quotient_circuit::telling::{sizes, written};
use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::Written;
use quotient_netlist::{Circuit, Gate, Literal, blif};
use serde_json::json;

use crate::model::EsterelModel;
use crate::print::print;
use crate::purify::Purified;

pub(crate) fn convert(
    model: &mut EsterelModel,
    to: &str,
    cx: &Context,
) -> Result<Written, Trouble> {
    let mut warnings = Vec::new();
    let source = model.source.clone();
    let abstraction = model.abstraction(&cx.budget)?;
    let (pure, compiled) = (&abstraction.pure, &abstraction.compiled);
    for reason in pure.reasons.iter().take(8) {
        let message = format!("forgotten: {}", reason.text);
        let warning = Diagnostic::warning("left-out", message);
        warnings.push(warning.at(&source, reason.span, format!("rule `{}`", reason.rule)));
    }
    let mut companions = Vec::new();
    let circuit = &compiled.circuit;
    let (text, line) = match to {
        "strl" => {
            companions.push((".ranges.txt".to_owned(), table(pure)));
            let signals = pure.program.signals.len();
            (
                print(&pure.program),
                format!("a pure program, {signals} signals"),
            )
        }
        "table" => {
            let objects = pure.tables.len();
            (table(pure), format!("{objects} objects with ranges"))
        }
        "blif" => {
            undefined(compiled.is_cyclic(), &mut warnings);
            companions.extend(care(circuit).map(|text| (".care.blif".to_owned(), text)));
            (named_blif(circuit, &pure.program.name), sizes(circuit))
        }
        "aag" | "aig" => {
            undefined(compiled.is_cyclic(), &mut warnings);
            let written = written(&with_own_names(circuit), to).unwrap_or_default();
            return Ok(Written {
                warnings,
                ..written
            });
        }
        other => {
            let message = format!("a program cannot be written as `{other}`");
            return Err(Diagnostic::error("no-such-format", message)
                .help("it can be written as strl, blif, aag, aig or table")
                .into());
        }
    };
    Ok(Written {
        text,
        companions,
        line,
        details: vec![("latches".to_owned(), json!(circuit.latches().len()))],
        warnings,
        bytes: None,
    })
}

/// Cycles are resolved; whether they are constructive is not in the file.
fn undefined(cyclic: bool, warnings: &mut Vec<Diagnostic>) {
    if cyclic {
        let message = "the circuit had cycles, which were resolved";
        let warning = Diagnostic::warning("cyclic", message);
        warnings.push(warning.help("`check` says whether the program is constructive"));
    }
}

/// Objects and their ranges, and where ranges go.
pub(crate) fn table(pure: &Purified) -> String {
    let mut text = String::from("object\trange\tsignal\tgoes to\n");
    for table in &pure.tables {
        for range in 0..table.ranges.count() {
            let signal = match (table.signals.get(range), table.signals.as_slice()) {
                (_, [own]) if range == 0 => format!("not {own}"),
                (_, [own]) => own.clone(),
                (Some(own), _) => own.clone(),
                (None, _) => String::new(),
            };
            let flows: Vec<String> = (table.flows.iter())
                .filter_map(|(to, targets)| Some(format!("{to}:{}", targets.get(range)? + 1)))
                .collect();
            let shown = table.ranges.shown(range);
            let _ = writeln!(
                text,
                "{}\t{shown}\t{signal}\t{}",
                table.name,
                flows.join(" ")
            );
        }
    }
    text
}

/// The circuit with outputs that are inputs, too, called so that other tools can tell them apart.
fn with_own_names(circuit: &Circuit) -> Circuit {
    let mut own = circuit.clone();
    let inputs: BTreeSet<String> = (0..own.inputs().len())
        .map(|number| own.input_name(number))
        .collect();
    for name in own.output_names.iter_mut().flatten() {
        if inputs.contains(name) {
            name.push_str("_out");
        }
    }
    own
}

/// Tables with the names of the program: outputs that are inputs, too, end in `_out`.
fn named_blif(circuit: &Circuit, name: &str) -> String {
    blif::write(circuit).replacen(".model circuit", &format!(".model {name}"), 1)
}

/// The inputs that relations allow, as a circuit without latches; nothing if all are.
fn care(circuit: &Circuit) -> Option<String> {
    if circuit.constraints.is_empty() {
        return None;
    }
    let mut care = Circuit::new();
    let mut known: Vec<Literal> = Vec::with_capacity(circuit.graph.len());
    let marks = circuit.cone(circuit.constraints.iter().copied());
    for (node, gate) in circuit.graph.nodes() {
        let literal = match gate {
            Gate::Constant => Literal::FALSE,
            Gate::Input(number) => {
                care.input_names.push(Some(circuit.input_name(number)));
                care.input()
            }
            // Relations that look at the past have no place in such a file.
            Gate::Latch(_) if marks[node.index()] => return None,
            Gate::Latch(_) => Literal::FALSE,
            Gate::And(a, b) if marks[node.index()] => {
                let at = |one: Literal| known[one.node().index()].flip_if(one.is_negated());
                care.graph.and(at(a), at(b))
            }
            Gate::And(..) => Literal::FALSE,
        };
        known.push(literal);
    }
    let all: Vec<Literal> = (circuit.constraints.iter())
        .map(|one| known[one.node().index()].flip_if(one.is_negated()))
        .collect();
    let all = care.graph.all(all);
    care.outputs.push(all);
    care.output_names.push(Some("care".to_owned()));
    Some(named_blif(&care, "care"))
}
