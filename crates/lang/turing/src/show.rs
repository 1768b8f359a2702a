//! What there is to see of a machine.

use quotient_language::{Graph, Grid, Node, Shown, Table, Tile};
use serde_json::json;

use crate::machine::{Machine, Side};
use crate::question::Start;
use crate::read::File;

/// The most steps and cells of a picture of a run.
const ROWS: usize = 120;
const COLUMNS: i64 = 121;

/// The letter of a move.
pub(crate) fn shift(shift: Option<Side>) -> char {
    match shift {
        None => 'N',
        Some(Side::Left) => 'L',
        Some(Side::Right) => 'R',
    }
}

/// Facts, the table, and pictures: the machine, and a run of it over time.
pub(crate) fn show(file: &File, title: &str, start: &Start, picture: bool) -> Shown {
    let machine = &file.machine;
    let actions = machine.table.iter().flatten().flatten().count();
    let mut head = vec!["state".to_owned()];
    head.extend(machine.symbols.iter().map(|letter| letter.to_string()));
    let mut table = Table::new(head);
    for (number, name) in machine.states.iter().enumerate() {
        let mut row = vec![name.clone()];
        for symbol in 0..machine.symbols.len() {
            let symbol = u8::try_from(symbol).unwrap_or(u8::MAX);
            row.push(match machine.action(number, symbol) {
                None => "---".to_owned(),
                Some(action) => format!(
                    "{}{}{}",
                    machine.letter(action.write),
                    shift(action.shift),
                    machine.states[action.to]
                ),
            });
        }
        table.row(row);
    }
    let symbols: String = machine.symbols.iter().collect();
    let questions: Vec<&str> = file.questions.iter().map(|one| one.name.as_str()).collect();
    let shown = Shown::titled(format!("{title}: a Turing machine"))
        .fact("states", machine.states.len().to_string())
        .fact(
            "symbols",
            format!("{symbols} (blank {})", machine.letter(machine.blank)),
        )
        .fact("actions", actions.to_string())
        .fact("start", machine.states[machine.start].as_str())
        .fact("questions", questions.join("\n"))
        .blank()
        .table(table)
        .result(json!({
            "states": machine.states,
            "symbols": symbols,
            "blank": machine.letter(machine.blank),
            "start": machine.states[machine.start],
            "actions": actions,
            "questions": questions,
        }));
    match picture {
        true => shown
            .picture(graph(machine, title))
            .picture(space_time(machine, start)),
        false => shown,
    }
}

/// The states, and the actions between them.
fn graph(machine: &Machine, title: &str) -> Graph {
    let mut graph = Graph::new(title);
    for (number, name) in machine.states.iter().enumerate() {
        let mut node = Node::round(name);
        node.initial = number == machine.start;
        node.accepting = machine.table.get(number).is_none_or(Vec::is_empty);
        graph.node(node);
    }
    for (from, row) in machine.table.iter().enumerate() {
        for (read, action) in row.iter().enumerate() {
            let Some(action) = action else { continue };
            let read = machine.symbols.get(read).copied().unwrap_or('?');
            let write = machine.letter(action.write);
            let label = format!("{read} → {write} {}", shift(action.shift));
            graph.edge(from, action.to, label);
        }
    }
    graph
}

/// The tape over time: a row a step, a column a cell, the head marked.
pub(crate) fn space_time(machine: &Machine, start: &Start) -> Grid {
    let mut now = start.configuration(machine);
    let mut moments = Vec::new();
    let mut head = 0i64;
    for _ in 0..ROWS {
        moments.push((head, now.clone()));
        match now.step(machine) {
            Some(moved) => head += moved,
            None => break,
        }
    }
    let low = moments.iter().map(|(head, _)| *head).min().unwrap_or(0) - 1;
    let high = moments.iter().map(|(head, _)| *head).max().unwrap_or(0);
    let high = high.max(start.right.0.len() as i64).min(low + COLUMNS - 1);
    let row = |(head, now): &(i64, crate::tape::Configuration)| -> Vec<Tile> {
        let behind = usize::try_from(head - low).unwrap_or(0);
        let left: Vec<u8> = now.tape.left.symbols().take(behind).collect();
        let here = std::iter::once(now.tape.scanned);
        let symbols = left
            .into_iter()
            .rev()
            .chain(here)
            .chain(now.tape.right.symbols());
        (low..=high)
            .zip(symbols)
            .map(|(cell, symbol)| tile(machine, symbol, cell == *head))
            .collect()
    };
    Grid {
        title: "the tape over time".to_owned(),
        x: "cell".to_owned(),
        y: "step".to_owned(),
        columns: (low..=high).map(|cell| cell.to_string()).collect(),
        rows: (moments.iter().enumerate())
            .map(|(step, (_, now))| format!("{step} {}", machine.states[now.state]))
            .collect(),
        cells: moments.iter().map(row).collect(),
    }
}

fn tile(machine: &Machine, symbol: u8, marked: bool) -> Tile {
    let others = machine.symbols.len().max(2) - 1;
    let shade = match symbol == machine.blank {
        true => 0.0,
        false => 0.3 + 0.6 * f64::from(symbol) / others as f64,
    };
    Tile {
        text: machine.letter(symbol).to_string(),
        shade: shade.min(1.0),
        marked,
    }
}
