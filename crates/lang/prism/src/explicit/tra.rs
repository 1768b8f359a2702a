//! The explicit files of PRISM: transitions, and beside them states, labels and rewards.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::{Files, Input};
use quotient_markov::Kind;

use super::lines::{Line, is_number, lines, number};
use super::{Choice, Earned, Listed, MOST_MISTAKES, State, mistake, written};

/// Files of rewards with higher numbers are not looked for.
const MOST_REWARDS: usize = 99;

/// Whether a text begins with two or three whole numbers and goes on with lines of numbers.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let Some(head) = lines.next() else {
        return false;
    };
    let whole = |word: &str| word.parse::<u64>().is_ok();
    let head: Vec<&str> = head.split_whitespace().collect();
    let fits = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() >= 3
            && words.len() >= head.len()
            && words[..head.len()].iter().all(|word| whole(word))
    };
    (head.len() == 2 || head.len() == 3)
        && head.iter().all(|word| whole(word))
        && lines.next().is_none_or(fits)
}

/// Reads the transitions, and what lies beside them under the same name.
pub(super) fn read(source: &Source, files: &mut dyn Files) -> Result<Listed, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let mut listed = begun(source)?;
    let name = source.name();
    let mut no_texts = Vec::new();
    let mut beside = |ending: &str| -> Option<Source> {
        // Beside `m.tra` lies `m.sta`, or `m.tra.sta` as `convert` once wrote it.
        let mut found = Vec::new();
        for path in [format!("{}{ending}", stem(name)), format!("{name}{ending}")] {
            if let Ok(bytes) = files.read(&path) {
                found.push((path, bytes));
            }
        }
        if let [(one, _), (other, _)] = &found[..]
            && one != other
        {
            let message = format!("`{one}` and `{other}` both lie beside it");
            no_texts.push(mistake(source, Span::new(0, 1), message));
        }
        let (path, bytes) = found.into_iter().next()?;
        let input = Input::bytes(&path, bytes);
        if input.source().is_none() {
            let message = format!("`{path}` beside it is no text");
            no_texts.push(mistake(source, Span::new(0, 1), message));
        }
        input.source().cloned()
    };
    if let Some(source) = beside(".sta") {
        variables(&source, &mut listed, &mut wrong);
    }
    if let Some(source) = beside(".lab") {
        labels(&source, &mut listed, &mut wrong);
    }
    rewards(source, &mut beside, &mut listed, &mut wrong);
    wrong.extend(no_texts);
    match wrong.is_empty() {
        true => {
            if listed.initial.is_empty() {
                listed.initial.push(0);
            }
            Ok(listed)
        }
        false => Err(wrong),
    }
}

/// The transitions alone.
pub(super) fn begun(source: &Source) -> Result<Listed, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let listed = transitions(source, &mut wrong);
    check_targets(&listed, source, &mut wrong);
    match wrong.is_empty() {
        true => Ok(listed),
        false => Err(wrong),
    }
}

/// What is earned: one reward in `m.srew` and `m.trew`, or several in `m1.srew`, `m2.srew` and so on.
fn rewards(
    source: &Source,
    beside: &mut dyn FnMut(&str) -> Option<Source>,
    listed: &mut Listed,
    wrong: &mut Vec<Diagnostic>,
) {
    let numbers = (1..=MOST_REWARDS).map(|number| number.to_string());
    let mut alone = false;
    for which in std::iter::once(String::new()).chain(numbers) {
        let (of_states, of_steps) = (
            beside(&format!("{which}.srew")),
            beside(&format!("{which}.trew")),
        );
        if of_states.is_none() && of_steps.is_none() {
            continue;
        }
        // `m1.srew` may be the first reward of `m`, or that of another model `m1`.
        if !which.is_empty() && beside(&format!("{which}.tra")).is_some() {
            continue;
        }
        if !which.is_empty() && alone {
            let message = format!(
                "rewards lie beside it with a number ({which}) and without one: which are meant?"
            );
            wrong.push(mistake(source, Span::new(0, 1), message));
        }
        alone |= which.is_empty();
        let mut earned = Earned::default();
        if let Some(source) = of_states {
            state_rewards(&source, listed, &mut earned, wrong);
        }
        if let Some(source) = of_steps {
            step_rewards(&source, listed, &mut earned, wrong);
        }
        listed.rewards.push(earned);
    }
}

/// A path without its last ending.
fn stem(path: &str) -> &str {
    let name = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    match path[name..].rfind('.') {
        None | Some(0) => path,
        Some(dot) => &path[..name + dot],
    }
}

/// Targets that are no states.
pub(super) fn check_targets(listed: &Listed, source: &Source, wrong: &mut Vec<Diagnostic>) {
    let whole = Span::new(0, source.text().len().min(1));
    let states = listed.states.len();
    if states == 0 && wrong.is_empty() {
        wrong.push(mistake(source, whole, "there are no states"));
    }
    for (number, state) in listed.states.iter().enumerate() {
        let targets = state.choices.iter().flat_map(|choice| &choice.branches);
        let mut missing = targets.filter(|(target, _)| *target >= states);
        if let Some((target, _)) = missing.next() {
            let message =
                format!("state {number} leads to {target}, and there are {states} states");
            wrong.push(mistake(source, whole, message));
        }
        if state
            .choices
            .iter()
            .any(|choice| choice.branches.is_empty())
        {
            let message = format!("a choice of state {number} leads nowhere");
            wrong.push(mistake(source, whole, message));
        }
        if wrong.len() >= MOST_MISTAKES {
            return;
        }
    }
}

/// What the weights are, where a comment says it: `# Transitions (DTMC)`.
fn said(source: &Source, wrong: &mut Vec<Diagnostic>) -> Option<&'static str> {
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let place = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let words = line.trim().strip_prefix('#').map(str::trim);
        let Some(kind) = words.and_then(|words| words.strip_prefix("Transitions")) else {
            continue;
        };
        let kind = kind.trim().trim_start_matches('(').trim_end_matches(')');
        let known = ["dtmc", "ctmc", "mdp", "lts"].into_iter();
        let mut known = known.filter(|one| kind.eq_ignore_ascii_case(one));
        match (known.next(), kind.is_empty()) {
            (Some(known), _) => return Some(known),
            (None, true) => return None,
            (None, false) => {
                let message = format!("`{kind}` cannot be read; DTMC, CTMC, MDP and LTS can");
                wrong.push(mistake(source, place, message));
            }
        }
    }
    None
}

/// The lines of a text, without comments.
pub(super) fn spoken<'s>(source: &'s Source, alone: &[char]) -> Vec<Line<'s>> {
    let mut all = lines(source, alone);
    all.retain(|line| line.word(0).is_some_and(|word| !word.starts_with('#')));
    all
}

fn transitions(source: &Source, wrong: &mut Vec<Diagnostic>) -> Listed {
    let mut listed = Listed::new(Kind::Dtmc);
    let said = said(source, wrong);
    let all = spoken(source, &[]);
    let Some((head, rest)) = all.split_first() else {
        return listed;
    };
    let several = head.words.len() == 3;
    if said.is_some_and(|said| ["mdp", "lts"].contains(&said) != several) {
        let message =
            "the first line has two numbers for a chain, and three where there are choices";
        wrong.push(mistake(source, head.span, message));
        return listed;
    }
    // A state that is never left has no line: as many states as it says, but not without limit.
    let most = source.text().len();
    let claimed = head.whole(0).unwrap_or(0);
    if claimed > most {
        let message = format!("{claimed} states are more than the file can list");
        wrong.push(mistake(source, head.place(0), message));
        return listed;
    }
    // Choices without numbers lead to one state each.
    let plain = said == Some("lts")
        || said.is_none() && several && rest.iter().all(|line| line.words.len() == 3);
    listed.states = vec![State::default(); claimed];
    for line in rest {
        if wrong.len() >= MOST_MISTAKES {
            break;
        }
        if let Err((at, message)) = transition(line, several, plain, &mut listed.states) {
            wrong.push(mistake(source, line.place(at), message));
        }
    }
    let choices = || listed.states.iter().flat_map(|state| &state.choices);
    let branches = choices().map(|choice| choice.branches.len()).sum();
    let last = head.words.len() - 1;
    let counts = [(1, choices().count()), (last, branches)];
    for (at, found) in counts.into_iter().skip(usize::from(!several)) {
        if wrong.is_empty() && head.whole(at) != Some(found) {
            let what = if at == last { "transitions" } else { "choices" };
            let message = format!("there are {found} {what}, not as many as it says");
            wrong.push(mistake(source, head.place(at), message));
        }
    }
    (listed.kind, listed.taken) = match said {
        _ if several => (Kind::Mdp, None),
        Some("ctmc") => (Kind::Ctmc, None),
        Some(_) => (Kind::Dtmc, None),
        None => written::kind(&listed.states),
    };
    listed
}

/// `source [choice] target weight [action]`
fn transition(
    line: &Line<'_>,
    several: bool,
    plain: bool,
    states: &mut [State],
) -> Result<(), (usize, &'static str)> {
    let from = line
        .whole(0)
        .ok_or((0, "the number of a state was expected"))?;
    let state = states.get_mut(from).ok_or((0, "there is no such state"))?;
    let place = usize::from(several);
    let choice = match several {
        true => line
            .whole(1)
            .ok_or((1, "the number of a choice was expected"))?,
        false => 0,
    };
    let target =
        (line.whole(1 + place)).ok_or((1 + place, "the number of a state was expected"))?;
    let weight = match plain {
        true => Some("1"),
        false => line.word(2 + place).filter(|word| is_number(word)),
    };
    let weight = weight.ok_or((2 + place, "a number that is not negative was expected"))?;
    if choice == state.choices.len() {
        state.choices.push(Choice::default());
    }
    let known = state.choices.get_mut(choice);
    let known = known.ok_or((1, "choices are numbered from 0, one after the other"))?;
    known.branches.push((target, weight.to_owned()));
    if several && let Some(action) = line.word(3 + place - usize::from(plain)) {
        known.action = Some(action.to_owned());
    }
    Ok(())
}

/// `(x,y)` and then `0:(1,true)` a line.
pub(super) fn variables(source: &Source, listed: &mut Listed, wrong: &mut Vec<Diagnostic>) {
    let all = spoken(source, &['(', ')', ',', ':']);
    let inside = |line: &Line<'_>| -> Vec<String> {
        let words = line.words.iter().map(|word| word.0);
        let words = words.skip_while(|word| *word != "(");
        let plain = words.filter(|word| !["(", ")", ","].contains(word));
        plain.map(str::to_owned).collect()
    };
    let Some((head, rest)) = all.split_first() else {
        return;
    };
    let names = inside(head);
    let mut rows = vec![Vec::new(); listed.states.len()];
    for line in rest {
        let values = inside(line);
        let fits =
            |value: &String| value == "true" || value == "false" || value.parse::<i64>().is_ok();
        if values.len() != names.len() || !values.iter().all(fits) {
            let message = "the values of the variables were expected";
            wrong.push(mistake(source, line.span, message));
        } else if let Some(row) = line.whole(0).and_then(|state| rows.get_mut(state)) {
            if !row.is_empty() {
                let message = "the values of this state are given twice";
                wrong.push(mistake(source, line.place(0), message));
            }
            *row = values;
        } else {
            wrong.push(mistake(source, line.place(0), "there is no such state"));
        }
        if wrong.len() >= MOST_MISTAKES {
            return;
        }
    }
    if let Some(state) = rows
        .iter()
        .position(Vec::is_empty)
        .filter(|_| !names.is_empty())
    {
        let message = format!("the values of state {state} are missing");
        wrong.push(mistake(source, head.span, message));
        return;
    }
    let different: HashSet<&Vec<String>> = rows.iter().collect();
    if names.is_empty() || different.len() < rows.len() {
        let message = "states with the same values, or without any, cannot be told apart";
        wrong.push(mistake(source, head.span, message));
        return;
    }
    listed.variables = Some((names, rows));
}

/// `0="init" 1="done"` and then `3: 0 1` a line.
pub(super) fn labels(source: &Source, listed: &mut Listed, wrong: &mut Vec<Diagnostic>) {
    let all = spoken(source, &[':']);
    let Some((head, rest)) = all.split_first() else {
        return;
    };
    let mut names: Vec<(usize, String, Vec<usize>)> = Vec::new();
    for (word, span) in &head.words {
        let parts = word.split_once('=');
        let number = parts.and_then(|(number, _)| number.parse().ok());
        match (number, parts) {
            (Some(number), Some((_, name))) => {
                let name = name.trim_matches('"').to_owned();
                if names.iter().any(|one| one.0 == number || one.1 == name) {
                    wrong.push(mistake(source, *span, "this label is given twice"));
                }
                names.push((number, name, Vec::new()));
            }
            _ => wrong.push(mistake(source, *span, "as in `0=\"init\"`")),
        }
    }
    for line in rest {
        let state = line.whole(0).filter(|&state| state < listed.states.len());
        let Some(state) = state else {
            wrong.push(mistake(source, line.place(0), "there is no such state"));
            if wrong.len() >= MOST_MISTAKES {
                return;
            }
            continue;
        };
        for at in 2..line.words.len() {
            let number = line.whole(at);
            match names.iter_mut().find(|one| Some(one.0) == number) {
                Some(one) => one.2.push(state),
                None => wrong.push(mistake(source, line.place(at), "there is no such label")),
            }
        }
    }
    for (_, name, states) in names {
        match name.as_str() {
            "init" => listed.initial = states,
            "deadlock" => {
                for state in states {
                    listed.states[state].deadlock = true;
                }
            }
            _ => listed.labels.push((name, states)),
        }
    }
}

/// The lines below the head of a file of rewards, and the name that a comment gives. The head says
/// how many states there are, and last how many lines.
fn earnings<'s>(
    source: &'s Source,
    listed: &Listed,
    earned: &mut Earned,
    wrong: &mut Vec<Diagnostic>,
) -> Vec<Line<'s>> {
    let mut all = spoken(source, &[]);
    let named = source.text().lines().find_map(|line| {
        let rest = line.strip_prefix('#')?.trim();
        let rest = rest
            .strip_prefix("Reward structure")?
            .trim()
            .trim_matches(':');
        let name = rest.trim().trim_matches('"');
        (!name.is_empty() && !name.starts_with(|sign: char| sign.is_ascii_digit()))
            .then(|| name.to_owned())
    });
    if named.is_some() {
        earned.name = named;
    }
    if all.is_empty() {
        return all;
    }
    let rest = all.split_off(1);
    let (head, last) = (&all[0], all[0].words.len() - 1);
    let counts = [
        (0, "states", listed.states.len()),
        (last, "lines", rest.len()),
    ];
    for (at, what, found) in counts {
        if last == 0 || head.whole(at) != Some(found) {
            let message = format!("there are {found} {what}, not as many as it says");
            wrong.push(mistake(source, head.place(at), message));
        }
    }
    rest
}

pub(super) fn state_rewards(
    source: &Source,
    listed: &Listed,
    earned: &mut Earned,
    wrong: &mut Vec<Diagnostic>,
) {
    let mut seen = HashSet::new();
    for line in earnings(source, listed, earned, wrong) {
        let state = line.whole(0).filter(|&state| state < listed.states.len());
        if state.is_some_and(|state| !seen.insert(state)) {
            let message = "what this state earns is given twice";
            wrong.push(mistake(source, line.place(0), message));
        }
        match (state, line.word(1).filter(|word| is_number(word))) {
            (Some(state), Some(value)) => earned.states.push((state, value.to_owned())),
            _ => wrong.push(mistake(source, line.span, "`state reward` was expected")),
        }
        if wrong.len() >= MOST_MISTAKES {
            return;
        }
    }
}

/// What a branch earns is earned by its choice, as much as its probability says.
pub(super) fn step_rewards(
    source: &Source,
    listed: &Listed,
    earned: &mut Earned,
    wrong: &mut Vec<Diagnostic>,
) {
    let several = listed.kind == Kind::Mdp;
    let place = usize::from(several);
    let mut sums: Vec<(usize, usize, Vec<String>)> = Vec::new();
    let mut seen = HashSet::new();
    for line in earnings(source, listed, earned, wrong) {
        let state = line.whole(0);
        let number_of_choice = if several { line.whole(1) } else { Some(0) };
        let target = line.whole(1 + place);
        let value = line.word(2 + place).filter(|word| is_number(word));
        let choice = state
            .and_then(|state| listed.states.get(state))
            .and_then(|state| state.choices.get(number_of_choice?));
        // Several branches may lead to one state.
        let weights = choice.map_or(&[][..], |choice| &choice.branches).iter();
        let weights = weights.filter(|branch| Some(branch.0) == target);
        let weight = weights
            .map(|branch| branch.1.clone())
            .reduce(|a, b| a + "+" + &b);
        let (Some(state), Some(at), Some(weight), Some(value), Some(choice)) =
            (state, number_of_choice, weight, value, choice)
        else {
            let message = "a transition of the model and what it earns were expected";
            wrong.push(mistake(source, line.span, message));
            if wrong.len() >= MOST_MISTAKES {
                return;
            }
            continue;
        };
        if !seen.insert((state, at, target)) {
            let message = "what this transition earns is given twice";
            wrong.push(mistake(source, line.span, message));
        }
        let rate: f64 = choice.branches.iter().map(|branch| number(&branch.1)).sum();
        let share = match listed.kind {
            Kind::Ctmc => format!("({weight})*({value})/{rate}"),
            _ => format!("({weight})*({value})"),
        };
        match sums.last_mut() {
            Some((of, one, parts)) if (*of, *one) == (state, at) => parts.push(share),
            _ => sums.push((state, at, vec![share])),
        }
    }
    let sums = sums.into_iter();
    let sums = sums.map(|(state, choice, parts)| (state, choice, parts.join(" + ")));
    earned.choices.extend(sums);
}
