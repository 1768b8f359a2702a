//! A run as a picture over time.

use std::ops::Range;

use quotient_language::{Grid, Lane, Lanes, Layout, Message, Picture, Step, Tile, Trace};

/// With more lanes than this a diagram says nothing.
const MOST_LANES: usize = 40;
/// Longer runs of words are cut.
const MOST_ROWS: usize = 400;

/// A run over time: a lane for each part, with its state at each moment and when it acts. Nothing
/// where there are no parts, or too many.
///
/// ```
/// use quotient_language::{Cell, Layout, Picture, Step, Trace};
/// let mut trace = Trace::new(Layout::Grid, ["P1"]);
/// trace.steps.push(Step::start([Cell::new("idle")]));
/// trace.steps.push(Step::by("enter", ["P1"], [Cell::changed("critical")]));
/// let Some(Picture::Lanes(lanes)) = quotient_report::trace_picture(&trace) else { panic!() };
/// assert_eq!(lanes.lanes[0].acts, [1]);
/// ```
pub fn trace_picture(trace: &Trace) -> Option<Picture> {
    let named = trace.columns.iter().any(|column| !column.is_empty());
    let lanes: Vec<Lane> = match (trace.layout, named) {
        (Layout::Events, _) => participants(trace),
        (_, true) => owners(trace)
            .into_iter()
            .map(|(name, columns)| lane(trace, columns, name))
            .collect(),
        (_, false) => return word(trace),
    };
    if lanes.is_empty() || lanes.len() > MOST_LANES {
        return None;
    }
    Some(Picture::Lanes(Lanes {
        title: String::new(),
        lanes,
        moments: trace
            .steps
            .iter()
            .enumerate()
            .map(|(number, step)| moment(number, step))
            .collect(),
        messages: looks(trace),
        back_to: trace.back_to,
    }))
}

/// The columns by who has them. Where those who act have several (`P1.at`, `P1.tries`), the columns
/// of everybody are one lane; else each column is one of its own.
fn owners(trace: &Trace) -> Vec<(&str, Range<usize>)> {
    let owner = |column: &str| column.split_once('.').map(|(owner, _)| owner.to_owned());
    let of_columns: Vec<Option<String>> = trace.columns.iter().map(|name| owner(name)).collect();
    let mut acting = trace.steps.iter().flat_map(|step| &step.by);
    let together = acting.any(|by| of_columns.iter().flatten().any(|owner| owner == who(by)));
    let mut found: Vec<(&str, Range<usize>)> = Vec::new();
    for (number, name) in trace.columns.iter().enumerate() {
        let name = match &of_columns[number] {
            Some(owner) if together => &name[..owner.len()],
            _ => name.as_str(),
        };
        match found.last_mut() {
            Some((last, columns)) if together && *last == name => columns.end = number + 1,
            _ => found.push((name, number..number + 1)),
        }
    }
    found
}

/// Who looks at whom: a step that says so in its remark (`looks at P1, P3`), in the lanes of those who
/// have columns.
fn looks(trace: &Trace) -> Vec<Message> {
    let owners = owners(trace);
    let column = |name: &str| owners.iter().position(|(own, _)| *own == name);
    let mut found = Vec::new();
    if trace.layout == Layout::Events {
        return found;
    }
    for (moment, step) in trace.steps.iter().enumerate() {
        let seen = step
            .remark
            .as_deref()
            .and_then(|text| text.strip_prefix("looks at "));
        let by = step.by.first().and_then(|by| column(who(by)));
        let (Some(seen), Some(by)) = (seen, by) else {
            continue;
        };
        let lanes = seen
            .split(", ")
            .filter_map(column)
            .filter(|&lane| lane != by);
        found.extend(lanes.map(|lane| Message {
            label: String::new(),
            from: (lane, moment),
            to: (by, moment),
        }));
    }
    found
}

/// A run of words: a row a moment, a cell a letter; those that a step changed are set off.
fn word(trace: &Trace) -> Option<Picture> {
    let text = |step: &Step| {
        step.cells
            .first()
            .map_or("", |cell| cell.text.as_str())
            .to_owned()
    };
    let words: Vec<Vec<String>> = trace
        .steps
        .iter()
        .take(MOST_ROWS)
        .map(|step| text(step).split_whitespace().map(str::to_owned).collect())
        .collect();
    let widest = words.iter().map(Vec::len).max().unwrap_or(0);
    if trace.columns.len() != 1 || !(1..=MOST_LANES).contains(&widest) {
        return None;
    }
    let row = |number: usize| {
        let tile = |place: usize| {
            let own = words[number].get(place);
            let before = number
                .checked_sub(1)
                .and_then(|before| words[before].get(place));
            Tile {
                text: own.cloned().unwrap_or_default(),
                shade: 0.0,
                marked: number > 0 && own.is_some() && own != before,
            }
        };
        (0..widest).map(tile).collect()
    };
    let rows = trace.steps.iter().take(MOST_ROWS).enumerate();
    Some(Picture::Grid(Grid {
        rows: rows.map(|(number, step)| moment(number, step)).collect(),
        cells: (0..words.len()).map(row).collect(),
        ..Grid::default()
    }))
}

/// What a moment is called.
fn moment(number: usize, step: &Step) -> String {
    match &step.action {
        Some(action) if !action.is_empty() => action.clone(),
        _ if number == 0 => "start".to_owned(),
        _ => number.to_string(),
    }
}

/// Columns over time. They act where somebody of their name does; what somebody becomes by that
/// may follow an arrow.
fn lane(trace: &Trace, columns: Range<usize>, name: &str) -> Lane {
    let steps = trace.steps.iter();
    let text = |step: &Step| {
        let cells = step.cells.get(columns.clone()).unwrap_or_default();
        let texts = cells.iter().map(|cell| cell.text.as_str());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    };
    let states = steps.clone().map(text);
    let acts = steps
        .enumerate()
        .filter(|(_, step)| step.by.iter().any(|by| who(by) == name));
    Lane {
        name: name.to_owned(),
        states: states.collect(),
        acts: acts.map(|(moment, _)| moment).collect(),
    }
}

/// Who acts, without what becomes of it.
fn who(by: &str) -> &str {
    by.split(" → ").next().unwrap_or(by)
}

/// Who takes part in events, in the order of the columns and then of the events; with what they
/// are, where a column has their name.
fn participants(trace: &Trace) -> Vec<Lane> {
    let mut acting: Vec<&str> = Vec::new();
    for by in trace.steps.iter().flat_map(|step| &step.by) {
        if !acting.contains(&who(by)) {
            acting.push(who(by));
        }
        if acting.len() > MOST_LANES {
            return Vec::new();
        }
    }
    let column = |name: &str| trace.columns.iter().position(|column| column == name);
    acting.sort_by_key(|name| column(name).unwrap_or(usize::MAX));
    let one = |name: &str| {
        let columns = column(name).map_or(0..0, |number| number..number + 1);
        let mut lane = lane(trace, columns, name);
        // Where there are hardly names for its states, that it acts is all there is to see.
        let named = lane.states.iter().filter(|state| !state.is_empty()).count();
        if named * 2 <= lane.states.len() {
            lane.states.clear();
        }
        lane
    };
    acting.into_iter().map(one).collect()
}
