//! Machines as files of tuples, whatever form they came in; and what no run of them uses.

use std::fmt::Write;

use quotient_core::{Context, Trouble};
use quotient_language::{Doubt, Written};
use serde_json::json;

use crate::check::examples;
use crate::machine::{Machine, Side};
use crate::read::File;

/// Steps that are looked at for actions that are never used, of all runs of a question together.
const LOOKED_AT: u64 = 100_000;

/// The machine with its questions: quadruples where an action moves or writes, quintuples where
/// it does both.
pub(crate) fn tuples(file: &File) -> Written {
    let machine = &file.machine;
    let mut text = String::new();
    if let Some(name) = &file.name {
        let _ = writeln!(text, "machine {name}");
    }
    let _ = writeln!(text, "blank {}", machine.letter(machine.blank));
    let _ = writeln!(text, "start {}", machine.states[machine.start]);
    let mut actions = 0;
    for (state, row) in machine.table.iter().enumerate() {
        for (symbol, action) in row.iter().enumerate() {
            let Some(action) = action else {
                continue;
            };
            actions += 1;
            let symbol = u8::try_from(symbol).unwrap_or(u8::MAX);
            let (from, to) = (&machine.states[state], &machine.states[action.to]);
            let (read, write) = (machine.letter(symbol), machine.letter(action.write));
            let side = |side| if side == Side::Left { 'L' } else { 'R' };
            let _ = match action.shift {
                None => writeln!(text, "<{from},{read},W({write}),{to}>"),
                Some(one) if read == write => writeln!(text, "<{from},{read},{},{to}>", side(one)),
                Some(one) => writeln!(text, "<{from},{read},{write},{},{to}>", side(one)),
            };
        }
    }
    for question in &file.questions {
        let named = question.span.is_some() && question.name != question.text;
        let name = if named {
            format!("{}: ", question.name)
        } else {
            String::new()
        };
        let _ = writeln!(text, "check {name}{}", question.text);
    }
    Written {
        line: format!("{actions} actions as tuples"),
        details: vec![("actions".to_owned(), json!(actions))],
        text,
        ..Written::default()
    }
}

/// Actions that none of the runs of the questions uses, as far as they are looked at.
pub(crate) fn doubts(file: &File, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
    let machine = &file.machine;
    let mut used: Vec<Vec<bool>> = machine
        .table
        .iter()
        .map(|row| vec![false; row.len()])
        .collect();
    let mut runs = 0;
    for question in &file.questions {
        let starts = examples(&question.asked, machine);
        let each = LOOKED_AT / (starts.len() as u64).max(1);
        for start in starts {
            runs += 1;
            let mut now = start.configuration(machine);
            for steps in 0..each {
                if steps.is_multiple_of(256) {
                    cx.budget.charge(256)?;
                }
                let row = used.get_mut(now.state);
                if let Some(place) = row.and_then(|row| row.get_mut(usize::from(now.tape.scanned)))
                {
                    *place = true;
                }
                if now.step(machine).is_none() {
                    break;
                }
            }
        }
    }
    let mut doubts = Vec::new();
    if runs > 0 {
        for (state, row) in machine.table.iter().enumerate() {
            for (symbol, action) in row.iter().enumerate() {
                if let (Some(action), false) = (action, used[state][symbol]) {
                    let text = unused(machine, (state, symbol), runs);
                    let mut doubt = Doubt::new("unused-action", text);
                    doubt.span = Some(action.span);
                    doubts.push(doubt);
                }
            }
        }
    }
    Ok(doubts)
}

/// A set of tapes may have more than those that were looked at: only these are spoken of.
fn unused(machine: &Machine, (state, symbol): (usize, usize), runs: usize) -> String {
    let symbol = u8::try_from(symbol).unwrap_or(u8::MAX);
    let runs = match runs {
        1 => "the run".to_owned(),
        _ => format!("the {runs} runs"),
    };
    format!(
        "what is done in state {} on `{}` does not happen in {runs} looked at, {LOOKED_AT} steps for \
         each question",
        machine.states[state],
        machine.letter(symbol)
    )
}
