//! `quotient instance FILE --processes N`

use clap::Args;
use quotient_core::Verdict;
use quotient_language::text::wrap;
use quotient_protocol::Interpreter;
use serde_json::json;

use crate::check::protocol::compile;
use crate::failure::Failure;
use crate::files;
use crate::outputs::count;
use crate::reply::Reply;
use crate::session::Session;

/// Search all configurations of one size of a protocol: a second opinion.
#[derive(Debug, Args)]
#[command(after_help = "\
The search is exact, but says nothing about other sizes.

Examples:
  quotient instance lock.protocol --processes 3")]
pub(crate) struct Instance {
    /// The protocol.
    file: String,
    /// How many processes there are at the start.
    #[arg(long, short = 'n', value_name = "N")]
    processes: usize,
}

impl Instance {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = files::source(&self.file, session)?;
        let (protocol, compiled) = compile(&source, session)?;
        let interpreter = Interpreter::new(&protocol, &compiled);
        let _busy = session.busy("searching all configurations");
        let (mut explored, stop) = interpreter.search(self.processes, &|_| true, &session.budget);
        match &stop {
            None => {
                let starving = interpreter.starvation(self.processes, &session.budget)?;
                explored.violations.extend(starving);
            }
            // Without a violation there is nothing to say about a part.
            Some(stop) if explored.violations.is_empty() => return Err(stop.clone().into()),
            Some(_) => {}
        }
        let mut text = format!(
            "{}, {}: {}, {}\n",
            source.name(),
            count(self.processes, "process").replace("processs", "processes"),
            count(explored.configurations, "configuration"),
            count(explored.steps, "step"),
        );
        if let Some(stop) = &stop {
            text.push_str(&format!("these are not all: {stop}\n"));
        }
        if explored.configurations == 0 {
            text.push_str("no instance of this size has a first configuration\n");
        }
        let (mut verdicts, mut answers) = (Vec::new(), Vec::new());
        for name in protocol.property_names() {
            let progress = protocol.progress_names().any(|known| known == name);
            if progress && !interpreter.progress_is_decided() {
                text.push_str(&format!(
                    "{name}: not looked at (it says what must happen)\n"
                ));
                continue;
            }
            let violation = explored.violations.iter().find(|(known, _)| known == name);
            if let (None, Some(stop)) = (violation, &stop) {
                text.push_str(&format!("{name}: unknown\n"));
                verdicts.push(Verdict::Unknown(stop.clone()));
                answers.push(json!({ "property": name, "verdict": "unknown" }));
                continue;
            }
            let Some((_, violation)) = violation else {
                text.push_str(&format!("{name}: holds for this size\n"));
                verdicts.push(Verdict::Holds);
                answers.push(json!({ "property": name, "verdict": "holds" }));
                continue;
            };
            let trace = interpreter.tell(violation);
            text.push_str(&format!("{name}: violated\n"));
            interpreter
                .text(&trace, 78)
                .lines()
                .for_each(|line| text.push_str(&format!("  {line}\n")));
            if let Some(moral) = trace.moral() {
                text.push_str(&format!("  {}\n", wrap(&moral, 78).replace('\n', "\n  ")));
            }
            verdicts.push(Verdict::Violated);
            answers.push(json!({ "property": name, "verdict": "violated", "table": trace }));
        }
        Ok(Reply {
            verdict: Some(Verdict::all(verdicts)),
            text,
            result: json!({
                "processes": self.processes,
                "configurations": explored.configurations,
                "steps": explored.steps,
                "answers": answers,
            }),
            ..Reply::default()
        })
    }
}
