//! Questions that are no properties: how it ends, which barriers there are, and whether one may
//! be replaced.

use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::{Query, Shown, Table};
use serde_json::json;

use crate::machine::Local;
use crate::model::BspModel;
use crate::outcome::told;
use crate::program::{Expression, Kind, Program, Value};
use crate::run::run;

const KNOWN: &str = "ask `end`, `barriers` or `replace NUMBER by GROUP` (or `by GROUP|GROUP`)";

pub(crate) fn ask(model: &BspModel, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
    let words: Vec<&str> = query.text.split_whitespace().collect();
    match words[..] {
        ["end"] => end(model, cx),
        ["barriers"] => Ok(barriers(model)),
        ["replace", number, "by", groups] => replace(model, number, groups, cx),
        _ => {
            let message = format!("`{}` is no question about programs", query.text.trim());
            Err(Diagnostic::error("bad-query", message).help(KNOWN).into())
        }
    }
}

fn end(model: &BspModel, cx: &Context) -> Result<Shown, Trouble> {
    let ended = run(&model.program, &cx.budget)?;
    let (line, notes, json) = told(&model.source, &model.program, &ended);
    let mut shown = Shown::titled(line);
    for note in notes {
        shown = shown.line(2, note);
    }
    Ok(shown.result(json))
}

/// The groups that a barrier names.
fn named(program: &Program, at: usize) -> String {
    match &program.expressions[at].0 {
        Expression::Sync(groups) => {
            let names = groups.iter().map(|&one| program.groups[one].name.as_str());
            names.collect::<Vec<_>>().join("|")
        }
        _ => String::new(),
    }
}

fn barriers(model: &BspModel) -> Shown {
    let all = model.program.barriers();
    let mut table = Table::new(["barrier", "group", "line"]);
    let mut json = Vec::new();
    for (number, &at) in all.iter().enumerate() {
        let (line, _) = model.source.position(model.program.expressions[at].1.start);
        let group = named(&model.program, at);
        json.push(json!({ "barrier": number + 1, "group": group, "line": line }));
        table.row([(number + 1).to_string(), group, line.to_string()]);
    }
    let head = format!("{} barriers in the text", all.len());
    Shown::titled(head)
        .table(table)
        .result(json!({ "barriers": json }))
}

/// Values and variables at the end.
fn result(locals: &[Local]) -> Vec<(Option<&Value>, Vec<&Value>)> {
    let all = locals.iter();
    all.map(|local| {
        (
            local.value(),
            local.environment.variables.values().collect(),
        )
    })
    .collect()
}

/// Whether a program ends with the same values and variables if one barrier is of other groups.
fn replace(model: &BspModel, number: &str, groups: &str, cx: &Context) -> Result<Shown, Trouble> {
    let program = &model.program;
    let barriers = program.barriers();
    let at = number
        .parse()
        .ok()
        .and_then(|number: usize| number.checked_sub(1));
    let Some(&at) = at.and_then(|at| barriers.get(at)) else {
        let message = format!(
            "there are the barriers 1 to {}, not {number}",
            barriers.len()
        );
        return Err(Trouble::usage(message));
    };
    let mut chosen = Vec::new();
    for name in groups.split('|') {
        let group = program.groups.iter().position(|one| one.name == name);
        let group = group.ok_or_else(|| Trouble::usage(format!("there is no group `{name}`")))?;
        chosen.push(group);
    }
    let mut other = program.clone();
    other.expressions[at].0 = Expression::Sync(chosen);
    let (before, after) = (run(program, &cx.budget)?, run(&other, &cx.budget)?);
    let same = before.kind == Kind::Done
        && after.kind == Kind::Done
        && result(&before.locals) == result(&after.locals);
    let head = match (before.kind, same) {
        (Kind::Done, true) => "yes: the program ends with the same values and variables",
        (Kind::Done, false) => "no: the program ends otherwise",
        _ => "no: the program as it is does not end well",
    };
    let (now, _, _) = told(&model.source, program, &before);
    let (then, notes, details) = told(&model.source, &other, &after);
    let mut shown = Shown::titled(head).fact("now", now).fact("then", then);
    for note in notes {
        shown = shown.line(2, note);
    }
    Ok(shown.result(json!({ "replaceable": same, "then": details })))
}
