//! Transitions and labels from other formats: Aldebaran's `.aut`, the explicit `.tra` and `.lab`
//! of probabilistic model checkers, and CSV.

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
    let (header, span) = rows.next().unwrap_or_default();
    let numbers = header.trim().strip_prefix("des").map(str::trim_start);
    let numbers = numbers.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    let numbers: Option<Vec<usize>> =
        numbers.map(|rest| rest.split(',').filter_map(state).collect());
    let Some([initial, _, states]) = numbers.as_deref() else {
        return Err(wrong(
            source,
            span,
            "expected `des (initial, transitions, states)`",
        ));
    };
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
    Ok(found)
}

/// `states transitions`, then `from to weight`; or `states choices transitions`, then
/// `from choice to weight [action]`.
fn explicit<'a>(source: &'a Source, program: &'a str) -> Result<Imported<'a>, Diagnostic> {
    let mut found = Imported::default();
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, span) = rows.next().unwrap_or_default();
    let numbers: Option<Vec<usize>> = header
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    let (states, choices) = match numbers.as_deref() {
        Some([states, _]) => (*states, false),
        Some([states, _, _]) => (*states, true),
        _ => {
            return Err(wrong(
                source,
                span,
                "expected the numbers of states and transitions",
            ));
        }
    };
    if states > MOST_STATES {
        return Err(wrong(source, span, "these are too many states"));
    }
    found.states = Some(states);
    for (line, span) in rows {
        let words: Vec<&str> = line.split_whitespace().collect();
        let edge = || {
            let (from, to, weight, action) = match (choices, words.as_slice()) {
                (false, [from, to, weight, action @ ..]) => (from, to, weight, action.first()),
                (true, [from, _, to, weight, action @ ..]) => (from, to, weight, action.first()),
                _ => return None,
            };
            let known = |number: &usize| *number < states;
            Some(Edge {
                program: action.copied().unwrap_or(program),
                from: Name::Number(state(from).filter(known)?),
                to: Name::Number(state(to).filter(known)?),
                weight: Some((*weight, span)),
            })
        };
        let expected = match choices {
            false => "expected `from to weight`",
            true => "expected `from choice to weight`",
        };
        found
            .edges
            .push(edge().ok_or_else(|| wrong(source, span, expected))?);
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

/// Reads labels: `0="init" 1="deadlock"`, then `state: 0 1`.
pub(crate) fn labels(source: &Source) -> Result<Vec<(String, Vec<usize>)>, Diagnostic> {
    let mut rows = lines(source).filter(|(line, _)| !line.trim().is_empty());
    let (header, span) = rows.next().unwrap_or_default();
    let mut found: Vec<(usize, String, Vec<usize>)> = Vec::new();
    for word in header.split_whitespace() {
        let label = word.split_once('=').and_then(|(number, name)| {
            Some((
                number.parse().ok()?,
                name.trim_matches('"').to_owned(),
                Vec::new(),
            ))
        });
        let expected = "expected labels such as `0=\"init\" 1=\"goal\"`";
        found.push(label.ok_or_else(|| wrong(source, span, expected))?);
    }
    for (line, span) in rows {
        let expected = || wrong(source, span, "expected `state: labels`");
        let (number, marks) = line.split_once(':').ok_or_else(expected)?;
        let at = state(number).ok_or_else(expected)?;
        for mark in marks.split_whitespace() {
            let mark: usize = mark.parse().map_err(|_| expected())?;
            let label = found
                .iter_mut()
                .find(|label| label.0 == mark)
                .ok_or_else(expected)?;
            label.2.push(at);
        }
    }
    Ok(found
        .into_iter()
        .map(|(_, name, states)| (name, states))
        .collect())
}
