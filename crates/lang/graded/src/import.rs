//! Transitions and labels from other formats: Aldebaran's `.aut`, the explicit `.tra` and `.lab`
//! of probabilistic model checkers, and CSV.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Span};

use crate::imperative::MOST_STATES;

/// A transition of a file. Files have hundreds of thousands of them, so that all texts are those of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edge<'a> {
    pub(crate) program: &'a str,
    pub(crate) from: Name<'a>,
    pub(crate) to: Name<'a>,
    /// The weight as it is written, and where; the neutral one if there is none.
    pub(crate) weight: Option<(&'a str, Span)>,
}

/// A state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    Number(usize),
    Text(&'a str),
}

/// What a file of transitions says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Imported<'a> {
    /// How many states it announces, if it does.
    pub(crate) states: Option<usize>,
    pub(crate) initial: Option<usize>,
    pub(crate) edges: Vec<Edge<'a>>,
}

/// A label of a file, with the states that have it and where that is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) states: Vec<(usize, Span)>,
}

/// Reads transitions, by the ending of the name.
pub(crate) fn transitions<'a>(
    source: &'a Source,
    program: Option<&'a str>,
) -> Result<Imported<'a>, Diagnostic> {
    let ending = source
        .name()
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match ending.as_str() {
        "aut" => aldebaran(source, program),
        "tra" => explicit(source, program.unwrap_or("step")),
        "csv" => table(source, program.unwrap_or("step")),
        _ => Err(Diagnostic::error(
            "unknown-format",
            "transitions are read from .aut, .tra and .csv",
        )
        .in_source(source)),
    }
}

/// The lines of a text with their places.
fn lines(source: &Source) -> impl Iterator<Item = (&str, Span)> {
    let mut at = 0;
    source.text().split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (
            line.trim_end_matches('\r'),
            Span::new(start, start + line.len()),
        )
    })
}

fn wrong(source: &Source, span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("syntax", message).at(source, span, "")
}

/// A file with fewer rows than it announces was cut off, and one with more is another file.
fn announced(
    source: &Source,
    header: Span,
    what: &str,
    said: usize,
    found: usize,
) -> Result<(), Diagnostic> {
    match said == found {
        true => Ok(()),
        false => {
            let message = format!("{said} {what} are announced, and there are {found}");
            Err(Diagnostic::error("count", message).at(source, header, ""))
        }
    }
}

fn state(text: &str) -> Option<usize> {
    text.trim()
        .parse()
        .ok()
        .filter(|number| *number < MOST_STATES)
}

/// `des (initial, transitions, states)`, then `(from, "label", to)`; a label `a;3` is the program
/// `a` with weight 3.
fn aldebaran<'a>(source: &'a Source, program: Option<&'a str>) -> Result<Imported<'a>, Diagnostic> {
    let mut found = Imported::default();
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, head) = rows.next().unwrap_or_default();
    let numbers = header.trim().strip_prefix("des").map(str::trim_start);
    let numbers = numbers.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let numbers: Option<Vec<usize>> =
        numbers.and_then(|rest| rest.split(',').map(number).collect());
    let Some([initial, transitions, states]) = numbers.as_deref() else {
        return Err(wrong(
            source,
            head,
            "expected `des (initial, transitions, states)`",
        ));
    };
    if *states > MOST_STATES {
        return Err(wrong(source, head, "these are too many states"));
    }
    if initial >= states {
        let message = "the initial state is not below the announced number of states";
        return Err(wrong(source, head, message));
    }
    (found.initial, found.states) = (Some(*initial), Some(*states));
    for (line, span) in rows {
        let edge = || {
            let inner = line.trim().strip_prefix('(')?.strip_suffix(')')?;
            let (from, rest) = inner.split_once(',')?;
            let (label, to) = rest.rsplit_once(',')?;
            let label = label.trim().trim_matches('"');
            let (name, weight) = match label.split_once(';') {
                Some((name, weight)) => (name.trim(), Some(weight.trim())),
                None => (label, None),
            };
            let known = |number: &usize| *number < *states;
            Some(Edge {
                program: program.unwrap_or(name),
                from: Name::Number(state(from).filter(known)?),
                to: Name::Number(state(to).filter(known)?),
                weight: weight.map(|text| (text, span)),
            })
        };
        found.edges.push(edge().ok_or_else(|| {
            wrong(
                source,
                span,
                "expected `(from, \"label\", to)` with states below the announced number",
            )
        })?);
    }
    announced(source, head, "transitions", *transitions, found.edges.len())?;
    Ok(found)
}

/// `states transitions`, then `from to weight`; or `states choices transitions`, then
/// `from choice to weight [action]`.
fn explicit<'a>(source: &'a Source, program: &'a str) -> Result<Imported<'a>, Diagnostic> {
    let mut found = Imported::default();
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, head) = rows.next().unwrap_or_default();
    let numbers: Option<Vec<usize>> = header
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    let (states, choices, transitions) = match numbers.as_deref() {
        Some([states, transitions]) => (*states, None, *transitions),
        Some([states, choices, transitions]) => (*states, Some(*choices), *transitions),
        _ => {
            return Err(wrong(
                source,
                head,
                "expected the numbers of states and transitions",
            ));
        }
    };
    if states > MOST_STATES {
        return Err(wrong(source, head, "these are too many states"));
    }
    found.states = Some(states);
    let mut chosen: HashSet<(usize, usize)> = HashSet::new();
    for (line, span) in rows {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut edge = || {
            let (from, choice, rest) = match (choices, words.as_slice()) {
                (None, [from, rest @ ..]) => (from, None, rest),
                (Some(_), [from, choice, rest @ ..]) => (from, Some(choice), rest),
                _ => return None,
            };
            let (to, weight, action) = match rest {
                [to, weight] => (to, weight, program),
                [to, weight, action] => (to, weight, *action),
                _ => return None,
            };
            let known = |number: &usize| *number < states;
            let from = state(from).filter(known)?;
            if let Some(choice) = choice {
                chosen.insert((from, choice.parse().ok()?));
            }
            Some(Edge {
                program: action,
                from: Name::Number(from),
                to: Name::Number(state(to).filter(known)?),
                weight: Some((*weight, span)),
            })
        };
        let expected = match choices {
            None => "expected `from to weight`, with states below the announced number",
            Some(_) => "expected `from choice to weight`, with states below the announced number",
        };
        found
            .edges
            .push(edge().ok_or_else(|| wrong(source, span, expected))?);
    }
    announced(source, head, "transitions", transitions, found.edges.len())?;
    if let Some(choices) = choices {
        announced(source, head, "choices", choices, chosen.len())?;
    }
    Ok(found)
}

/// A head with `from`, `to` and perhaps `program` and `weight` in any order, then a row each.
fn table<'a>(source: &'a Source, program: &'a str) -> Result<Imported<'a>, Diagnostic> {
    let mut found = Imported::default();
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, span) = rows.next().unwrap_or_default();
    let split = |line: &'a str| {
        let cell = |cell: &'a str| cell.trim().trim_matches('"');
        line.split([',', ';']).map(cell)
    };
    let head: Vec<String> = split(header).map(str::to_ascii_lowercase).collect();
    let column = |names: &[&str]| head.iter().position(|name| names.contains(&name.as_str()));
    let (from, to) = (column(&["from", "source"]), column(&["to", "target"]));
    let (Some(from), Some(to)) = (from, to) else {
        return Err(wrong(
            source,
            span,
            "expected a head with the columns `from` and `to`",
        )
        .help("such as `from,to,program,weight`"));
    };
    let (name, weight) = (
        column(&["program", "action", "label"]),
        column(&["weight", "grade", "cost"]),
    );
    let mut cells: Vec<&str> = Vec::new();
    for (line, span) in rows {
        cells.clear();
        cells.extend(split(line));
        let cell = |at: Option<usize>| {
            let cell = at.and_then(|at| cells.get(at)).copied();
            cell.filter(|cell| !cell.is_empty())
        };
        if cells.iter().skip(head.len()).any(|cell| !cell.is_empty()) {
            return Err(wrong(source, span, "this row has more cells than the head"));
        }
        let (Some(from), Some(to)) = (cell(Some(from)), cell(Some(to))) else {
            return Err(wrong(source, span, "this row has no `from` or no `to`"));
        };
        found.edges.push(Edge {
            program: cell(name).unwrap_or(program),
            from: Name::Text(from),
            to: Name::Text(to),
            weight: cell(weight).map(|text| (text, span)),
        });
    }
    Ok(found)
}

/// Reads labels: `0="init" 1="deadlock"`, then `state: 0 1`. Whether there are these states is known later.
pub(crate) fn labels(source: &Source) -> Result<Vec<Label>, Diagnostic> {
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, span) = rows.next().unwrap_or_default();
    let mut found: Vec<(usize, Label)> = Vec::new();
    for word in header.split_whitespace() {
        let label = word.split_once('=').and_then(|(number, name)| {
            let name = name.trim_matches('"').to_owned();
            let states = Vec::new();
            Some((number.parse().ok()?, Label { name, states }))
        });
        let expected = "expected labels such as `0=\"init\" 1=\"goal\"`";
        let label = label.ok_or_else(|| wrong(source, span, expected))?;
        if found.iter().any(|(number, _)| *number == label.0) {
            let message = format!("two labels have the number {}", label.0);
            return Err(wrong(source, span, &message));
        }
        found.push(label);
    }
    for (line, span) in rows {
        let expected = || wrong(source, span, "expected `state: labels`");
        let (number, marks) = line.split_once(':').ok_or_else(expected)?;
        let at = state(number).ok_or_else(expected)?;
        for mark in marks.split_whitespace() {
            let mark: usize = mark.parse().map_err(|_| expected())?;
            let label = found.iter_mut().find(|(number, _)| *number == mark);
            let (_, label) = label.ok_or_else(expected)?;
            label.states.push((at, span));
        }
    }
    Ok(found.into_iter().map(|(_, label)| label).collect())
}
