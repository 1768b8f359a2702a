//! Reasons to doubt a program.

use quotient_circuit::{Options, Way, never};
use quotient_core::{Context, Trouble, Verdict};
use quotient_language::Doubt;

use crate::kernel::Condition;
use crate::model::EsterelModel;
use crate::question::Question;

/// How many outputs are looked at.
const MOST_OUTPUTS: usize = 12;
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
        let finding = never(&abstraction.compiled.circuit, bad, &options, &context(cx));
        if finding.verdict() == Verdict::Holds {
            let text = format!("the output {} is never emitted", signal.name);
            let mut doubt = Doubt::new("never-emitted", text);
            doubt.span = Some(signal.span);
            all.push(doubt);
        }
    }
    Ok(all)
}
