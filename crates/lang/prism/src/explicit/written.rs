//! A list of states as a model in the language of PRISM.

use std::collections::HashSet;
use std::fmt::Write;

use quotient_markov::Kind;

use super::lines::number;
use super::{Earned, Listed, State};

/// The model as a text. Writing to a text cannot fail.
pub(super) fn text(listed: &Listed) -> String {
    let kind = match listed.exits {
        Some(_) => "ma",
        None => listed.kind.name(),
    };
    let mut text = format!("{kind}\nmodule explicit\n");
    declare(listed, &mut text);
    for (at, state) in listed.states.iter().enumerate() {
        if stays(listed, at) {
            continue;
        }
        let names = names(state);
        let exit = listed.exits.as_ref().and_then(|exits| exits[at].as_ref());
        for (choice, name) in state.choices.iter().zip(&names) {
            let head = match exit {
                Some(_) => "<>".to_owned(),
                None => format!("[{name}]"),
            };
            let _ = write!(text, "{head} {} -> ", place(listed, at, "&", ""));
            for (count, (target, weight)) in choice.branches.iter().enumerate() {
                let plus = if count > 0 { " + " } else { "" };
                let rate = exit.map_or(String::new(), |exit| format!("({exit})*"));
                let target = place(listed, *target, "&", "'");
                let _ = write!(text, "{plus}{rate}{weight}:{target}");
            }
            text.push_str(";\n");
        }
    }
    text.push_str("endmodule\n");
    if listed.initial.len() > 1 {
        let _ = writeln!(text, "init {} endinit", set(listed, &listed.initial));
    }
    for (name, states) in &listed.labels {
        let name = name.replace(['"', '\n'], "_");
        let _ = writeln!(text, "label \"{name}\" = {};", set(listed, states));
    }
    for rewards in &listed.rewards {
        let name = rewards.name.as_deref().unwrap_or_default();
        let name = match name.is_empty() {
            true => String::new(),
            false => format!(" \"{}\"", name.replace(['"', '\n'], "_")),
        };
        let _ = writeln!(text, "rewards{name}");
        for (state, value) in &rewards.states {
            let _ = writeln!(text, "{} : {value};", place(listed, *state, "&", ""));
        }
        for (state, choice, value) in &rewards.choices {
            let exits = listed.exits.as_ref().and_then(|all| all[*state].as_ref());
            let names = names(&listed.states[*state]);
            // A step after a while has no name.
            let name = if exits.is_some() { "" } else { &names[*choice] };
            let at = place(listed, *state, "&", "");
            let _ = writeln!(text, "[{name}] {at} : {value};");
        }
        text.push_str("endrewards\n");
    }
    text
}

/// Whether a state is called a deadlock and only stays: such a loop is made anew.
fn stays(listed: &Listed, at: usize) -> bool {
    let state = &listed.states[at];
    let alone = match &state.choices[..] {
        [one] => one.branches.iter().all(|branch| branch.0 == at),
        _ => false,
    };
    let earns = |rewards: &Earned| rewards.choices.iter().any(|one| one.0 == at);
    state.deadlock && alone && !listed.rewards.iter().any(earns)
}

fn declare(listed: &Listed, text: &mut String) {
    let one = match listed.initial[..] {
        [one] => Some(one),
        _ => None,
    };
    let Some((names, rows)) = &listed.variables else {
        let begin = one.map_or(String::new(), |state| format!(" init {state}"));
        let last = listed.states.len().saturating_sub(1);
        let _ = writeln!(text, "s : [0..{last}]{begin};");
        return;
    };
    for (column, name) in names.iter().enumerate() {
        let begin = one.map_or(String::new(), |state| {
            format!(" init {}", rows[state][column])
        });
        let values = || rows.iter().map(|row| row[column].as_str());
        if values().all(|value| value == "true" || value == "false") {
            let _ = writeln!(text, "{name} : bool{begin};");
            continue;
        }
        let whole = || values().filter_map(|value| value.parse::<i64>().ok());
        let (low, high) = (whole().min().unwrap_or(0), whole().max().unwrap_or(0));
        let _ = writeln!(text, "{name} : [{low}..{high}]{begin};");
    }
}

/// A state by its variables: as a condition, or with a mark as an assignment.
fn place(listed: &Listed, state: usize, join: &str, mark: &str) -> String {
    let Some((names, rows)) = &listed.variables else {
        return format!("(s{mark}={state})");
    };
    let equal = |(name, value): (&String, &String)| format!("({name}{mark}={value})");
    let parts: Vec<String> = names.iter().zip(&rows[state]).map(equal).collect();
    parts.join(join)
}

/// A set of states as a condition that is not deep, however many there are.
fn set(listed: &Listed, states: &[usize]) -> String {
    match states {
        [] => "false".to_owned(),
        [one] => format!("({})", place(listed, *one, "&", "")),
        _ => {
            let (left, right) = states.split_at(states.len() / 2);
            format!("({}|{})", set(listed, left), set(listed, right))
        }
    }
}

/// Names for the choices of a state: their own, or numbers where two have the same.
fn names(state: &State) -> Vec<String> {
    let own = state.choices.iter().map(|choice| match &choice.action {
        None => String::new(),
        Some(name) => identifier(name),
    });
    let own: Vec<String> = own.collect();
    let different: HashSet<&String> = own.iter().collect();
    match different.len() == own.len() {
        true => own,
        false => (0..own.len()).map(|at| format!("choice{at}")).collect(),
    }
}

/// A name that the language takes.
fn identifier(name: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let begins = name.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == '_');
    if begins && name.chars().all(plain) && !crate::syntax::is_keyword(name) {
        return name.to_owned();
    }
    let plainly = |sign: char| if plain(sign) { sign } else { '_' };
    format!("a_{}", name.chars().map(plainly).collect::<String>())
}

/// The kind of a chain without actions: rows that all add up to one are probabilities. Where nearly all do, that is
/// told: one wrong number makes another chain of it.
pub(super) fn kind(states: &[State]) -> (Kind, Option<String>) {
    let sum = |choice: &super::Choice| -> f64 {
        let weights = choice.branches.iter();
        weights.map(|(_, weight)| number(weight)).sum()
    };
    let adds_up = |choice: &super::Choice| (sum(choice) - 1.0).abs() < 1e-6;
    let rows = || {
        let states = states.iter().enumerate();
        states.flat_map(|(at, state)| state.choices.iter().map(move |choice| (at, choice)))
    };
    let all = rows().count();
    let mut others = rows().filter(|(_, choice)| !adds_up(choice));
    let Some((state, choice)) = others.next() else {
        return (Kind::Dtmc, None);
    };
    let others = 1 + others.count();
    let doubtful = others * 10 <= all;
    let taken = doubtful.then(|| {
        format!(
            "{} of {all} rows of the file add up to one, that of state {state} to {}: all are taken as rates, of a \
             ctmc; a first line `# Transitions (DTMC)` says that they are probabilities",
            all - others,
            sum(choice)
        )
    });
    (Kind::Ctmc, taken)
}
