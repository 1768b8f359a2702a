//! Numbers of all starts as a map over two variables.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::Diagnostic;
use quotient_language::{Exhibit, Grid, Tile};
use quotient_probability::{Built, Values};

use crate::check::{Asked, Run};
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
    let first = built.states.values(first as usize);
    let mut differs = vec![false; first.len()];
    for &state in others {
        let values = built.states.values(state as usize);
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
        let state = state as usize;
        let at = built.states.values(state);
        let number = middle(values.lower[state], values.upper[state]);
        let cell = cells.entry((at[y], at[x])).or_insert((number, number));
        *cell = (cell.0.min(number), cell.1.max(number));
    }
    let columns: BTreeSet<i64> = cells.keys().map(|&(_, x)| x).collect();
    let rows: BTreeSet<i64> = cells.keys().map(|&(y, _)| y).collect();
    let finite = || {
        cells
            .values()
            .map(|cell| cell.1)
            .filter(|one| one.is_finite())
    };
    let least = finite().fold(f64::INFINITY, f64::min);
    let most = finite().fold(f64::NEG_INFINITY, f64::max);
    let tile = |row: i64, column: i64| match cells.get(&(row, column)) {
        None => Tile::default(),
        Some(&(_, greatest)) => tile(greatest, (least, most)),
    };
    let [x, y] = [x, y].map(|place| &variables[place]);
    let mut table = format!("{},{},least,greatest\n", x.name, y.name);
    for (&(row, column), (least, greatest)) in &cells {
        let (column, row) = (x.text(column), y.text(row));
        table.push_str(&format!("{column},{row},{least},{greatest}\n"));
    }
    // The greatest row is the uppermost, as in a plot.
    let grid = Grid {
        title: asked.name.to_owned(),
        x: x.name.clone(),
        y: y.name.clone(),
        columns: columns.iter().map(|&value| x.text(value)).collect(),
        rows: rows.iter().rev().map(|&value| y.text(value)).collect(),
        cells: rows
            .iter()
            .rev()
            .map(|&row| columns.iter().map(|&column| tile(row, column)).collect())
            .collect(),
    };
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

/// A cell for a number: the darker the greater.
pub(crate) fn tile(number: f64, (least, most): (f64, f64)) -> Tile {
    Tile {
        text: format!("{number:.3}"),
        shade: match (number.is_finite(), most > least) {
            (false, _) => 1.0,
            (true, true) => (number - least) / (most - least),
            (true, false) => 0.5,
        },
        marked: false,
    }
}

fn middle(low: f64, high: f64) -> f64 {
    match low == high {
        true => low,
        false => low + (high - low) / 2.0,
    }
}
