//! What is asked about a program: signals that are never to be there.

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::kernel::{Condition, Program};
use crate::parse::parse_event;
use crate::syntax::Event;

/// A property: a condition on the interface that is never to be true.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) condition: Condition,
    pub(crate) span: Option<Span>,
    pub(crate) in_file: bool,
}

/// Parts of names that observers give to signals that are never to be emitted.
const ALARMS: &[&str] = &["alarm", "error", "violat", "unsafe", "bug", "fail"];

/// Whether a line ends inside of a comment `%{ … }%`, if it begins there or not. Texts in quotes have
/// no comments.
fn leaves_comment_open(line: &str, mut is_open: bool) -> bool {
    let mut rest = line;
    loop {
        let end = match is_open {
            true => rest.find("}%").map(|at| at + 2),
            false => rest.find(['%', '"']),
        };
        let Some(end) = end else {
            return is_open;
        };
        if is_open {
            (rest, is_open) = (&rest[end..], false);
        } else if let Some(inside) = rest[end..].strip_prefix("%{") {
            (rest, is_open) = (inside, true);
        } else if let Some(quoted) = rest[end..].strip_prefix('"') {
            rest = quoted.split_once('"').map_or("", |(_, after)| after);
        } else {
            // A comment to the end of the line.
            return false;
        }
    }
}

/// The questions of a file: those of lines `%! never …`; else outputs that are called like
/// alarms; else all outputs.
pub(crate) fn questions(source: &Source, program: &Program) -> Result<Vec<Question>, Trouble> {
    let mut written = Vec::new();
    let mut mistakes = Vec::new();
    let (mut at, mut is_comment) = (0, false);
    for line in source.text().split_inclusive('\n') {
        let text = line.trim().strip_prefix("%!").filter(|_| !is_comment);
        is_comment = leaves_comment_open(line, is_comment);
        if let Some(text) = text {
            let start = at + line.find("%!").unwrap_or(0);
            let span = Span::new(start, start + line.trim().len());
            match question(program, text.trim()) {
                Ok(mut question) => {
                    question.span = Some(span);
                    question.in_file = true;
                    if !written
                        .iter()
                        .any(|one: &Question| one.name == question.name)
                    {
                        written.push(question);
                    }
                }
                Err(why) => {
                    let mistake = Diagnostic::error("property", why).at(source, span, "");
                    mistakes.push(mistake.help("write `%! never A and not B`"));
                }
            }
        }
        at += line.len();
    }
    if !mistakes.is_empty() {
        return Err(mistakes.into());
    }
    if !written.is_empty() {
        return Ok(written);
    }
    let of = |id: usize| {
        let signal = &program.signals[id];
        Question {
            name: signal.name.clone(),
            text: format!("never {}", signal.name),
            condition: Condition::Signal(id),
            span: Some(signal.span),
            in_file: true,
        }
    };
    let is_alarm = |id: &usize| {
        let name = program.signals[*id].name.to_lowercase();
        ALARMS.iter().any(|part| name.contains(part))
    };
    let alarms: Vec<Question> = program.outputs().filter(is_alarm).map(of).collect();
    match alarms.is_empty() {
        true => Ok(program.outputs().map(of).collect()),
        false => Ok(alarms),
    }
}

/// A question that somebody writes: `never A and not B`, or a signal.
pub(crate) fn question(program: &Program, text: &str) -> Result<Question, String> {
    let plain = text.trim();
    // A signal may be called `neverO`.
    let never = plain.strip_prefix("never").filter(|rest| {
        let letter = rest.chars().next();
        letter.is_some_and(|one| !one.is_alphanumeric() && one != '_')
    });
    let inner = never.unwrap_or(plain).trim();
    let source = Source::new("property", inner);
    let event = parse_event(&source).map_err(|mistakes| mistakes[0].message.clone())?;
    let condition = resolve(program, &event)?;
    let inner: Vec<&str> = inner.split_whitespace().collect();
    let inner = inner.join(" ");
    Ok(Question {
        text: format!("never {inner}"),
        name: inner,
        condition,
        span: None,
        in_file: false,
    })
}

fn resolve(program: &Program, event: &Event) -> Result<Condition, String> {
    let pair = |left: &Event, right: &Event| -> Result<Vec<Condition>, String> {
        Ok(vec![resolve(program, left)?, resolve(program, right)?])
    };
    match event {
        Event::Tick => Ok(Condition::Constant(true)),
        Event::Before(_) => Err("properties are about one instant, without `pre`".to_owned()),
        Event::Not(inner) => Ok(resolve(program, inner)?.negated()),
        Event::And(left, right) => Ok(Condition::And(pair(left, right)?)),
        Event::Or(left, right) => Ok(Condition::Or(pair(left, right)?)),
        Event::Signal(name) => {
            let mut interface = program.signals[..program.interface].iter();
            let found = interface.position(|signal| signal.name == name.text);
            match found {
                Some(id) if program.signals[id].direction == crate::syntax::Direction::Sensor => {
                    Err(format!("`{}` is a sensor and has no presence", name.text))
                }
                Some(id) => Ok(Condition::Signal(id)),
                None => Err(format!(
                    "there is no signal `{}` in the interface",
                    name.text
                )),
            }
        }
    }
}

/// Whether a condition on the interface is true of what is present.
pub(crate) fn is_true(condition: &Condition, present: &[bool]) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::Signal(id) => present.get(*id).copied().unwrap_or(false),
        Condition::Before(_) => false,
        Condition::Not(inner) => !is_true(inner, present),
        Condition::And(all) => all.iter().all(|one| is_true(one, present)),
        Condition::Or(all) => all.iter().any(|one| is_true(one, present)),
    }
}
