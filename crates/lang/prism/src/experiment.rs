//! One property for many values of constants.

use std::collections::HashMap;

use quotient_core::Verdict;
use quotient_language::{Answer, Exhibit, Lines, Property, Scale, Series, Table};

use crate::map::{Axis, grid};

/// One answer from those of all runs: a table, and a plot where one constant changes.
pub(crate) fn summed_up(
    property: &Property,
    runs: &[Vec<(String, String)>],
    answers: Vec<Answer>,
) -> Answer {
    let changes = |at: usize| runs.iter().any(|run| run[at].1 != runs[0][at].1);
    let changing: Vec<usize> = (0..runs[0].len()).filter(|&at| changes(at)).collect();
    let mut head: Vec<String> = changing.iter().map(|&at| runs[0][at].0.clone()).collect();
    head.extend(["value", "lower", "upper"].map(str::to_owned));
    let mut table = Table::new(head);
    let mut points = Vec::new();
    for (run, answer) in runs.iter().zip(&answers) {
        let mut row: Vec<String> = changing.iter().map(|&at| run[at].1.clone()).collect();
        match &answer.value {
            Some(number) => {
                row.extend([number.value, number.lower, number.upper].map(|one| one.to_string()));
            }
            None => row.extend([answer.verdict.to_string(), String::new(), String::new()]),
        }
        table.row(row);
        if let ([at], Some(number)) = (&changing[..], &answer.value)
            && let Some(x) = as_double(&run[*at].1)
            && number.value.is_finite()
        {
            points.push((x, number.value));
        }
    }
    let told: Vec<Option<f64>> = answers
        .iter()
        .map(|answer| answer.value.as_ref().map(|number| number.value))
        .collect();
    let verdict = Verdict::all(answers.iter().map(|answer| answer.verdict.clone()));
    let evidence = crate::tabled::written(&answers, &verdict);
    let mut answer = Answer::new(&property.name, verdict);
    answer.evidence = evidence.map(|evidence| evidence.about(&property.name));
    answer.number = property.number;
    let many = quotient_language::text::count(runs.len(), "run");
    answer.because = format!("{many}, one for each value of the constants");
    answer.table = Some(table);
    for &at in &changing {
        if is_idle(at, runs, &answers) {
            let name = &runs[0][at].0;
            let message =
                format!("the answer is the same for all values of {name} that were tried");
            answer.notes.push(message);
        }
    }
    if let [x, y] = changing[..] {
        answer.exhibits.extend(map(property, runs, &told, (x, y)));
    }
    if let ([at], true) = (&changing[..], points.len() > 1) {
        let lines = Lines {
            title: property.text.clone(),
            x: runs[0][*at].0.clone(),
            y: "value".to_owned(),
            scale: Scale::Linear,
            series: vec![Series {
                name: property.name.clone(),
                points,
                steps: false,
            }],
        };
        answer.exhibits.push(Exhibit {
            name: property.name.clone(),
            caption: format!("{} over {}", property.text, runs[0][*at].0),
            picture: Some(lines.into()),
            files: Vec::new(),
        });
    }
    answer
}

/// Whether a constant changes no answer: a property that does not depend on it is often not what was meant.
fn is_idle(at: usize, runs: &[Vec<(String, String)>], answers: &[Answer]) -> bool {
    let others = |run: &[(String, String)]| -> Vec<String> {
        let others = run.iter().enumerate().filter(|(place, _)| *place != at);
        others.map(|(_, (_, value))| value.clone()).collect()
    };
    let mut known: HashMap<Vec<String>, &Answer> = HashMap::new();
    runs.iter().zip(answers).all(|(run, answer)| {
        let first = *known.entry(others(run)).or_insert(answer);
        match (&first.value, &answer.value) {
            (Some(one), Some(other)) => one.lower <= other.upper && other.lower <= one.upper,
            (None, None) => first.verdict == answer.verdict && answer.verdict.is_definite(),
            _ => false,
        }
    })
}

/// The numbers of all runs over two constants.
fn map(
    property: &Property,
    runs: &[Vec<(String, String)>],
    told: &[Option<f64>],
    (x, y): (usize, usize),
) -> Option<Exhibit> {
    let values = |at: usize| {
        let mut values: Vec<&String> = Vec::new();
        for run in runs {
            if !values.contains(&&run[at].1) {
                values.push(&run[at].1);
            }
        }
        values
    };
    let (columns, rows) = (values(x), values(y));
    let mut numbers = vec![vec![None; columns.len()]; rows.len()];
    for (run, number) in runs.iter().zip(told) {
        let place = |all: &[&String], at: usize| all.iter().position(|one| **one == run[at].1);
        if let (Some(column), Some(row)) = (place(&columns, x), place(&rows, y)) {
            numbers[row][column] = *number;
        }
    }
    let axis = |at: usize, values: Vec<&String>| Axis {
        name: runs[0][at].0.clone(),
        values: values.into_iter().cloned().collect(),
    };
    let (across, upwards) = (axis(x, columns), axis(y, rows));
    let (grid, (least, most)) = grid(&property.text, across, upwards, numbers);
    if least > most {
        return None;
    }
    Some(Exhibit {
        name: property.name.clone(),
        caption: format!("{} over {} and {}", property.text, grid.x, grid.y),
        picture: Some(grid.into()),
        files: Vec::new(),
    })
}

/// A number that may be written as a fraction.
fn as_double(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((left, right)) => {
            Some(left.trim().parse::<f64>().ok()? / right.trim().parse::<f64>().ok()?)
        }
        None => text.parse().ok(),
    }
}
