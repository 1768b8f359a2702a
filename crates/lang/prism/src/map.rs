//! Numbers of all starts as a map over two variables.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::Diagnostic;
use quotient_language::{Exhibit, Grid, Tile};
use quotient_probability::{Built, Values};

use crate::check::{Asked, Run, middle};
use crate::instance::Instance;

/// The variables that were named, by their numbers.
pub(crate) fn named(
    instance: &Instance,
    (x, y): &(String, String),
) -> Result<(usize, usize), Diagnostic> {
    let find = |name: &String| {
        let place = instance.variables.iter().position(|one| one.name == *name);
        place.ok_or_else(|| {
            let names = instance.variables.iter().map(|one| one.name.as_str());
            Diagnostic::error("usage", format!("`--map`: there is no variable `{name}`"))
                .did_you_mean(name, names)
        })
    };
    Ok((find(x)?, find(y)?))
}

/// The two variables in which starts differ, if these are two.
pub(crate) fn changing(built: &Built) -> Option<(usize, usize)> {
    let (&first, others) = built.model.initial.split_first()?;
    let first = built.states.values(first.index());
    let mut differs = vec![false; first.len()];
    for &state in others {
        let values = built.states.values(state.index());
        for (differs, (one, other)) in differs.iter_mut().zip(first.iter().zip(values)) {
            *differs |= *one != other;
        }
    }
    let mut places = (0..first.len()).filter(|&place| differs[place]);
    match (places.next(), places.next(), places.next()) {
        (Some(x), Some(y), None) => Some((x, y)),
        _ => None,
    }
}

/// The number of every start: a row for each value of one variable, a column for each of the other.
/// Where several starts have the same two values, the greatest number is drawn; the table beside it
/// has the least one, too.
pub(crate) fn map(
    run: &Run<'_>,
    asked: &Asked<'_>,
    values: &Values,
    (x, y): (usize, usize),
) -> Exhibit {
    let (built, variables) = (run.built, &run.instance.variables);
    let mut cells: BTreeMap<(i64, i64), (f64, f64)> = BTreeMap::new();
    for &state in &built.model.initial {
        let state = state.index();
        let at = built.states.values(state);
        let number = middle(values.lower[state], values.upper[state]);
        let cell = cells.entry((at[y], at[x])).or_insert((number, number));
        *cell = (cell.0.min(number), cell.1.max(number));
    }
    let columns: BTreeSet<i64> = cells.keys().map(|&(_, x)| x).collect();
    let rows: BTreeSet<i64> = cells.keys().map(|&(y, _)| y).collect();
    let [x, y] = [x, y].map(|place| &variables[place]);
    let mut table = format!("{},{},least,greatest\n", x.name, y.name);
    for (&(row, column), (least, greatest)) in &cells {
        let (column, row) = (x.text(column), y.text(row));
        table.push_str(&format!("{column},{row},{least},{greatest}\n"));
    }
    let greatest = |row: i64, column: i64| cells.get(&(row, column)).map(|cell| cell.1);
    let numbers = rows.iter().map(|&row| {
        columns
            .iter()
            .map(|&column| greatest(row, column))
            .collect()
    });
    let across = Axis {
        name: x.name.clone(),
        values: columns.iter().map(|&value| x.text(value)).collect(),
    };
    let upwards = Axis {
        name: y.name.clone(),
        values: rows.iter().map(|&value| y.text(value)).collect(),
    };
    let (grid, (least, most)) = grid(asked.name, across, upwards, numbers.collect());
    Exhibit {
        name: "map".to_owned(),
        caption: format!(
            "{} over {} and {}: from {least} (light) to {most} (dark)",
            asked.name, x.name, y.name
        ),
        picture: Some(grid.into()),
        files: vec![("csv".to_owned(), table)],
    }
}

/// What a map is over: a name and its values in order.
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// A map of numbers, given row by row from below: the last row is the uppermost, as in a plot. With it the
/// least and the greatest finite number, which are the lightest and the darkest.
pub(crate) fn grid(
    title: &str,
    across: Axis,
    upwards: Axis,
    numbers: Vec<Vec<Option<f64>>>,
) -> (Grid, (f64, f64)) {
    let finite = || {
        numbers
            .iter()
            .flatten()
            .flatten()
            .filter(|one| one.is_finite())
    };
    let least = finite().copied().fold(f64::INFINITY, f64::min);
    let most = finite().copied().fold(f64::NEG_INFINITY, f64::max);
    let tile = |number: f64| Tile {
        text: format!("{number:.3}"),
        shade: match (number.is_finite(), most > least) {
            (false, _) => 1.0,
            (true, true) => (number - least) / (most - least),
            (true, false) => 0.5,
        },
        marked: false,
    };
    let row = |row: &Vec<Option<f64>>| {
        row.iter()
            .map(|one| one.map_or_else(Tile::default, tile))
            .collect()
    };
    let grid = Grid {
        title: title.to_owned(),
        x: across.name,
        y: upwards.name,
        columns: across.values,
        rows: upwards.values.into_iter().rev().collect(),
        cells: numbers.iter().rev().map(row).collect(),
    };
    (grid, (least, most))
}
