//! What an end means: for a question, and in words.

use quotient_core::Source;
use quotient_language::Json;
use serde_json::json;

use crate::linear::formula::Atom;
use crate::machine::{Fault, FaultKind, Local};
use crate::program::{Expression, Kind, Name, Program, Question, Value};
use crate::run::Ended;

/// Whether an end is the one that a question asks for, if it asks for one.
pub(crate) fn answers(
    program: &Program,
    question: &Question,
    kind: Kind,
    locals: &[Local],
) -> Option<bool> {
    Some(match question {
        Question::Ends(wanted) => kind == *wanted,
        Question::NoDeadlock => kind != Kind::Deadlock,
        Question::Values(wanted) => {
            let values = locals.iter().map(Local::value);
            kind == Kind::Done && wanted.len() == locals.len() && values.eq(wanted.iter().map(Some))
        }
        Question::At(text, processor, wanted) => {
            kind == Kind::Done
                && locals
                    .get(*processor)
                    .is_some_and(|local| variable(program, local, text) == Some(wanted))
        }
        Question::Runs(_) => return None,
    })
}

/// What is wrong with a question about values that no processor has.
pub(crate) fn nobody_has(program: &Program, question: &Question) -> Option<String> {
    let processors = program.processors;
    match (question, program.least) {
        (Question::Values(values), Some(_)) => {
            let values = values.len();
            Some(format!(
                "{values} values are asked of every number of processors"
            ))
        }
        (Question::Values(values), None) if values.len() != processors => {
            let values = values.len();
            Some(format!(
                "{values} values are asked of {processors} processors"
            ))
        }
        (Question::At(_, processor, _), least) if *processor >= processors => Some(match least {
            Some(_) => format!("there is not always a processor {processor}"),
            None => format!("there is no processor {processor}, only {processors} from 0"),
        }),
        (Question::Runs(formula), least) => {
            let named = formula.atoms().into_iter().filter_map(Atom::processor);
            let highest = named.max().filter(|&one| one >= processors)?;
            Some(match least {
                Some(_) => format!("there is not always a processor {highest}"),
                None => format!("there is no processor {highest}, only {processors} from 0"),
            })
        }
        _ => None,
    }
}

/// The only variable with a name, if a question can be about it; otherwise what is wrong.
pub(crate) fn only_name(program: &Program, text: &str) -> Result<Name, (&'static str, String)> {
    let known = program.names.iter().enumerate().skip(1);
    let mut known = known.filter(|(_, name)| *name == text);
    match (known.next(), known.next()) {
        (None, _) => Err(("unbound", format!("there is no variable `{text}`"))),
        (Some(_), Some(_)) => {
            let message = format!("`{text}` is bound more than once: which one is meant?");
            Err(("same-name", message))
        }
        (Some((name, _)), None) => {
            let mut functions = program.locals.iter();
            let binds = |(body, all): (&usize, &Vec<Name>)| {
                all.contains(&name) && !program.kept[body].contains(&name)
            };
            match functions.any(binds) {
                true => {
                    let message = format!("`{text}` is of a function: every call has its own");
                    Err(("captured", message))
                }
                false => Ok(name),
            }
        }
    }
}

/// The value of a variable; the reader sees to it that only one has this name.
fn variable<'a>(program: &Program, local: &'a Local, text: &str) -> Option<&'a Value> {
    let mut all = local.environment.variables.iter().rev();
    let found = all.find(|(name, _)| program.names[**name] == text);
    found.map(|(_, value)| value)
}

/// A fault in words.
pub(crate) fn fault(program: &Program, fault: &Fault) -> String {
    let group = |number: usize| program.groups[number].name.as_str();
    match &fault.kind {
        FaultKind::BadTarget(to, of) => {
            format!("processor {to} is not in {}", group(*of))
        }
        FaultKind::NotMember(of) => format!("it is not in {} itself", group(*of)),
        FaultKind::Unregistered(name, of) => {
            format!(
                "`{}` is not registered in {}",
                program.names[*name],
                group(*of)
            )
        }
        FaultKind::NoMessage => "there is no such message".to_owned(),
        FaultKind::Unbound(name) => format!("`{}` has no value", program.names[*name]),
        FaultKind::WrongType => "a value is of the wrong type".to_owned(),
        FaultKind::Sent => "a function cannot go to another processor".to_owned(),
        FaultKind::Ended => {
            let name = match program.expressions[fault.at].0 {
                Expression::Get(.., into) => program.names[into].as_str(),
                _ => "a variable",
            };
            format!("`{name}` is of a call that has ended")
        }
        FaultKind::Arithmetic => "a number gets too large, or is divided by 0".to_owned(),
        FaultKind::Uncaught(exception) => {
            format!("nobody handles `{}`", program.exceptions[*exception])
        }
    }
}

/// For each processor that waits, whom it waits for: members of its group that are elsewhere.
pub(crate) fn waits_for(program: &Program, locals: &[Local]) -> Vec<(usize, usize, Vec<usize>)> {
    let mut all = Vec::new();
    for (processor, local) in locals.iter().enumerate() {
        if let Some(group) = local.waits() {
            let members = program.groups[group].members.iter().copied();
            let others = members.filter(|&one| locals[one].waits() != Some(group));
            all.push((processor, group, others.collect()));
        }
    }
    all
}

/// Processors that wait for each other in a ring, if there are such.
pub(crate) fn ring(program: &Program, locals: &[Local]) -> Option<Vec<usize>> {
    let waits = waits_for(program, locals);
    let next = |processor: usize| {
        let own = waits.iter().find(|(one, ..)| *one == processor)?;
        let waiting = |one: &&usize| locals[**one].waits().is_some();
        own.2.iter().find(waiting).copied()
    };
    for start in 0..locals.len() {
        let mut path = vec![start];
        while let Some(one) = path.last().and_then(|&last| next(last)) {
            if let Some(at) = path.iter().position(|&seen| seen == one) {
                return Some(path[at..].to_vec());
            }
            path.push(one);
        }
    }
    None
}

/// How a program ended, in a line, in notes, and for programs.
pub(crate) fn told(
    source: &Source,
    program: &Program,
    ended: &Ended,
) -> (String, Vec<String>, Json) {
    let locals = &ended.locals;
    let words = |all: &[usize]| {
        let all: Vec<String> = all.iter().map(usize::to_string).collect();
        all.join(", ")
    };
    match ended.kind {
        Kind::Done => {
            let values: Vec<String> = locals
                .iter()
                .filter_map(|local| local.value().map(Value::to_string))
                .collect();
            let line = format!("all processors end, with {}", values.join(", "));
            (
                line,
                Vec::new(),
                json!({ "ends": "done", "values": values }),
            )
        }
        Kind::Fault => {
            let faulty = locals.iter().enumerate();
            let faulty = faulty.filter_map(|(one, local)| Some((one, local.fault()?)));
            let notes: Vec<String> = faulty
                .map(|(one, why)| {
                    let what = fault(program, why);
                    match &why.kind {
                        // It went through all that is around its place.
                        FaultKind::Uncaught(_) => format!("processor {one}: {what}"),
                        _ => {
                            let at = program.expressions[why.at].1.start;
                            let (line, column) = source.position(at);
                            format!("processor {one}: {what} (line {line}, column {column})")
                        }
                    }
                })
                .collect();
            let line = notes.first().cloned().unwrap_or_default();
            let json = json!({ "ends": "fault", "faults": notes });
            (line, notes, json)
        }
        Kind::Diverges => match ended.run.repeats {
            Some(_) => {
                let line = "supersteps repeat for ever".to_owned();
                (
                    line,
                    Vec::new(),
                    json!({ "ends": "diverges", "because": "supersteps" }),
                )
            }
            None => {
                let who: Vec<usize> = ended.run.loops.iter().map(|(one, _)| *one).collect();
                let line = format!("processor {} runs for ever by itself", words(&who));
                let json = json!({ "ends": "diverges", "because": "local", "processors": who });
                (line, Vec::new(), json)
            }
        },
        Kind::Deadlock => {
            let waits = waits_for(program, locals);
            let mut notes = Vec::new();
            let mut waiting = serde_json::Map::new();
            for (processor, group, others) in &waits {
                let name = &program.groups[*group].name;
                let others: Vec<String> = others
                    .iter()
                    .map(|&one| match locals[one].waits() {
                        Some(at) => format!("{one} (at {})", program.groups[at].name),
                        None => format!("{one} (ended)"),
                    })
                    .collect();
                let others = others.join(" and ");
                notes.push(format!(
                    "processor {processor} waits at {name} for {others}"
                ));
                waiting.insert(processor.to_string(), json!(name));
            }
            let finished = (0..locals.len()).filter(|&one| locals[one].value().is_some());
            let finished: Vec<usize> = finished.collect();
            let ring = ring(program, locals);
            let line = match &ring {
                Some(ring) => {
                    let mut ring: Vec<String> = ring.iter().map(usize::to_string).collect();
                    ring.extend(ring.first().cloned());
                    format!("a deadlock: {} wait for each other", ring.join(" -> "))
                }
                None => "a deadlock: a barrier is never complete".to_owned(),
            };
            let json = json!({
                "ends": "deadlock",
                "waiting": waiting,
                "finished": finished,
                "cycle": ring,
            });
            (line, notes, json)
        }
    }
}
