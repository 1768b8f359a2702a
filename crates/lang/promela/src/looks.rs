//! What expressions and steps look at beside own variables.

use crate::program::{Action, Code, Edge, Pattern, Place};

/// What an expression looks at beside variables.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looks {
    pub(crate) channels: bool,
    pub(crate) processes: bool,
}

impl Looks {
    pub(crate) fn add(&mut self, other: Looks) {
        self.channels |= other.channels;
        self.processes |= other.processes;
    }
}

pub(crate) fn looks_of(code: &Code) -> Looks {
    let mut looks = Looks::default();
    each_code(code, &mut |code| match code {
        Code::Length(_) | Code::Full(_) | Code::Poll { .. } => looks.channels = true,
        Code::At { .. }
        | Code::Remote { .. }
        | Code::Enabled(_)
        | Code::Priority(_)
        | Code::Counter(_) => looks.processes = true,
        Code::Last | Code::NoProgress | Code::Timeout => looks.processes = true,
        _ => {}
    });
    looks
}

/// What a step looks at. A timeout is only taken where nobody can move.
pub(crate) fn looks_of_edge(edge: &Edge) -> Looks {
    let mut looks = Looks::default();
    for code in codes(&edge.action) {
        let mut own = looks_of(code);
        let mut others = false;
        each_code(code, &mut |code| {
            others |= !matches!(code, Code::Timeout) && looks_of_one(code);
        });
        own.processes = others;
        looks.add(own);
    }
    looks
}

fn looks_of_one(code: &Code) -> bool {
    matches!(
        code,
        Code::At { .. }
            | Code::Remote { .. }
            | Code::Enabled(_)
            | Code::Priority(_)
            | Code::Counter(_)
            | Code::Last
            | Code::NoProgress
    )
}

/// The expressions of an action.
pub(crate) fn codes(action: &Action) -> Vec<&Code> {
    fn of_place<'a>(place: &'a Place, all: &mut Vec<&'a Code>) {
        all.extend(place.indexes.iter().map(|one| &one.0));
    }
    let mut all = Vec::new();
    match action {
        Action::Guard(code) | Action::Assert(code) => all.push(code),
        Action::Prioritize(process, priority) => all.extend([process, priority]),
        Action::Assign(place, code) => {
            of_place(place, &mut all);
            all.push(code);
        }
        Action::Send {
            channel, values, ..
        } => {
            all.push(channel);
            all.extend(values);
        }
        Action::Receive {
            channel, pattern, ..
        } => {
            all.push(channel);
            for one in pattern {
                match one {
                    Pattern::Any => {}
                    Pattern::Equals(code) => all.push(code),
                    Pattern::Store(place) => of_place(place, &mut all),
                }
            }
        }
        Action::Run {
            arguments, result, ..
        } => {
            all.extend(arguments);
            if let Some(place) = result {
                of_place(place, &mut all);
            }
        }
        Action::Skip | Action::Else | Action::Whole(_) | Action::End => {}
    }
    all
}

/// Visits an expression and all in it.
pub(crate) fn each_code(code: &Code, visit: &mut dyn FnMut(&Code)) {
    visit(code);
    let place = |place: &Place, visit: &mut dyn FnMut(&Code)| {
        place
            .indexes
            .iter()
            .for_each(|one| each_code(&one.0, visit));
    };
    match code {
        Code::Load(one) => place(one, visit),
        Code::Unary(_, inner)
        | Code::Length(inner)
        | Code::Full(inner)
        | Code::Enabled(inner)
        | Code::Priority(inner)
        | Code::Counter(inner) => each_code(inner, visit),
        Code::Binary(_, pair) => {
            each_code(&pair.0, visit);
            each_code(&pair.1, visit);
        }
        Code::Choice(parts) => {
            each_code(&parts.0, visit);
            each_code(&parts.1, visit);
            each_code(&parts.2, visit);
        }
        Code::Poll {
            channel, pattern, ..
        } => {
            each_code(channel, visit);
            for one in pattern {
                match one {
                    Pattern::Any => {}
                    Pattern::Equals(code) => each_code(code, visit),
                    Pattern::Store(one) => place(one, visit),
                }
            }
        }
        Code::At { number, .. } | Code::Remote { number, .. } => {
            number.iter().for_each(|code| each_code(code, visit));
        }
        Code::Number(_)
        | Code::Pid
        | Code::Processes
        | Code::Last
        | Code::Timeout
        | Code::NoProgress => {}
    }
}
