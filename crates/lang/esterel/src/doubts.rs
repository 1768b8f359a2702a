//! Reasons to doubt a program.

use quotient_circuit::{Options, Way, never};
use quotient_core::{Context, Trouble, Verdict};
use quotient_language::Doubt;
use quotient_netlist::{Circuit, Literal};

use crate::circuit::compile;
use crate::entered::{Shown, shown};
use crate::kernel::Condition;
use crate::model::EsterelModel;
use crate::purify::Object;
use crate::question::Question;

/// How many outputs are looked at.
const MOST_OUTPUTS: usize = 12;
/// How many ranges are looked at.
const MOST_RANGES: usize = 24;
/// How much work each is worth.
const WORK: u64 = 300_000;

/// Outputs that are never emitted, and ranges that are never entered.
pub(crate) fn doubts(model: &mut EsterelModel, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
    let mut all = std::mem::take(&mut model.doubts);
    let asked: Vec<String> = model.questions.iter().map(|one| one.name.clone()).collect();
    let program = model.program.clone();
    let abstraction = model.abstraction(&cx.budget)?;
    let options = Options {
        ways: vec![Way::Bounded, Way::Ic3],
        threads: 1,
        ..Options::default()
    };
    let context = |cx: &Context| Context {
        budget: cx.budget.child_with_work(WORK),
        ..cx.clone()
    };
    let ask = |circuit: &Circuit, bad: Literal| {
        let finding = never(circuit, bad, &options, &context(cx));
        finding.verdict() == Verdict::Holds
    };
    for id in program.outputs().take(MOST_OUTPUTS) {
        let signal = &program.signals[id];
        if asked.contains(&signal.name) {
            continue;
        }
        cx.budget.poll()?;
        let question = Question {
            name: signal.name.clone(),
            text: String::new(),
            condition: Condition::Signal(id),
            span: None,
            in_file: false,
        };
        let bad = abstraction.bad(&question);
        if ask(&abstraction.compiled.circuit, bad) {
            let text = format!("the output {} is never emitted", signal.name);
            let mut doubt = Doubt::new("never-emitted", text);
            doubt.span = Some(signal.span);
            all.push(doubt);
        }
    }
    let Shown {
        program: shown,
        ranges,
    } = shown(&abstraction.pure, MOST_RANGES);
    if ranges.is_empty() {
        return Ok(all);
    }
    let mut compiled = compile(&shown, &cx.budget)?;
    for of_one in ranges.chunk_by(|one, other| one.object == other.object) {
        let mut never = Vec::new();
        for range in of_one {
            cx.budget.poll()?;
            let inside = compiled.condition(&Condition::Signal(range.signal));
            let bad = compiled.circuit.graph.or(inside, compiled.undefined);
            if ask(&compiled.circuit, bad) {
                never.push(range.text.as_str());
            }
        }
        if let (Some(first), false) = (of_one.first(), never.is_empty()) {
            let text = format!("{} is never in {}", first.name, never.join(", "));
            let mut doubt = Doubt::new("never-entered", text);
            doubt.span = Some(match first.object {
                Object::Signal(signal) => program.signals[signal].span,
                Object::Variable(variable) => program.variables[variable].span,
            });
            all.push(doubt);
        }
    }
    Ok(all)
}
