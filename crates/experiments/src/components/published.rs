//! What was published, cell by cell.
//!
//! A line has the system, its size, and for each column of the table the states of the
//! assumption, memory and seconds; `.` stands for a number that is not given, `-` for a run
//! that exceeded 30 minutes or 1 GB. One cell of table 5.2 (Chiron, property 2, two artists)
//! is printed there without its decimal points.

use quotient_compose::Rule::{Asymmetric, Circular, Symmetric};
use quotient_compose::{Alphabet, Heuristic};

use super::{Case, Published, Row, Run, Split, refined};

/// All rows, in the order of the tables.
///
/// ```
/// let rows = quotient_experiments::components::rows();
/// let mer = rows.iter().find(|row| row.table == "5.3" && row.size == 6).unwrap();
/// assert_eq!(mer.published.seconds, None);
/// ```
pub fn rows() -> Vec<Row> {
    let backward = refined(Heuristic::Backward);
    let learned = |alphabet, split| Run::learned(Asymmetric, alphabet, split);
    let (whole, two, balanced) = (Alphabet::Whole, Split::Two, Split::Balanced);
    let every = |rule, alphabet| Run::learned(rule, alphabet, Split::Every);
    let tables: [(&str, &[(&'static str, Run)]); 5] = [
        (
            HEURISTICS,
            &[
                ("5.1", learned(backward, two)),
                ("5.1", learned(refined(Heuristic::Forward), two)),
                ("5.1", learned(refined(Heuristic::AllDifference), two)),
            ],
        ),
        (WHOLE, &[("5.2", learned(whole, two))]),
        (
            EVERY,
            &[
                ("5.3", every(Asymmetric, whole)),
                ("5.3", every(Asymmetric, backward)),
                ("5.3", Run::Monolithic),
                ("5.4", every(Circular, whole)),
                ("5.4", every(Circular, backward)),
                ("5.5", every(Symmetric, whole)),
                ("5.5", every(Symmetric, backward)),
            ],
        ),
        (
            ABSTRACTION,
            &[
                ("5.6", Run::abstracted(whole, two)),
                ("5.6", learned(whole, two)),
                ("5.7", Run::abstracted(backward, two)),
                ("5.7", learned(backward, two)),
            ],
        ),
        (
            BALANCED,
            &[
                ("5.10", Run::abstracted(whole, balanced)),
                ("5.10", learned(whole, balanced)),
                ("5.11", Run::abstracted(backward, balanced)),
                ("5.11", learned(backward, balanced)),
            ],
        ),
    ];
    let mut rows = Vec::new();
    for (text, columns) in tables {
        for line in text.lines() {
            rows.extend(cells(line, columns));
        }
    }
    rows
}

/// The cells of one line.
fn cells<'a>(line: &'a str, columns: &'a [(&'static str, Run)]) -> impl Iterator<Item = Row> + 'a {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let case = match words.first() {
        Some(&"GS") => Case::GasStation,
        Some(&"C1") => Case::ChironOrder,
        Some(&"C2") => Case::ChironCause,
        Some(&"MER") => Case::Mer,
        _ => Case::Rover,
    };
    let size = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    columns.iter().enumerate().map(move |(at, &(table, run))| {
        let word = |offset: usize| words.get(2 + 3 * at + offset).copied();
        Row {
            table,
            case,
            size,
            run,
            published: Published {
                states: word(0).and_then(|word| word.parse().ok()),
                memory: word(1).and_then(|word| word.parse().ok()),
                seconds: word(2).and_then(|word| word.parse().ok()),
            },
        }
    })
}

const HEURISTICS: &str = "\
GS 3 8 3.29 2.70 37 6.47 36.52 18 4.58 7.76
GS 4 8 24.06 19.58 37 46.95 256.82 18 36.06 52.72
GS 5 8 248.17 183.70 20 414.19 - 18 360.04 530.71
C1 2 8 1.22 3.53 8 1.22 1.86 8 1.22 1.90
C1 3 20 6.10 23.82 20 6.06 7.40 20 6.06 7.77
C1 4 38 44.20 154.00 38 44.20 33.13 38 44.20 35.32
C1 5 110 . - 110 . - 110 . -
C2 2 3 1.05 0.73 3 1.05 0.73 3 1.05 0.74
C2 3 3 2.20 0.93 3 2.20 0.92 3 2.20 0.92
C2 4 3 8.13 1.69 3 8.13 1.67 3 8.13 1.67
C2 5 3 163.85 18.08 3 163.85 18.05 3 163.85 17.99
MER 2 6 1.78 1.01 6 1.78 1.02 6 1.78 1.01
MER 3 8 10.56 11.86 8 10.56 11.86 8 10.56 11.85
MER 4 10 514.41 1193.53 10 514.41 1225.95 10 514.41 1226.80
ROVER 2 4 2.37 2.53 11 2.67 4.17 11 2.54 2.88";

const WHOLE: &str = "\
GS 3 177 4.34 -
GS 4 195 100.21 -
GS 5 53 263.38 -
C1 2 9 1.30 1.23
C1 3 21 5.70 5.71
C1 4 39 27.10 28.00
C1 5 111 569.24 607.72
C2 2 9 1.16 1.10
C2 3 25 4.45 6.39
C2 4 45 25.49 32.18
C2 5 122 131.49 246.84
MER 2 40 6.57 7.84
MER 3 377 158.97 -
MER 4 38 391.24 -
ROVER 2 11 2.65 1.82";

const EVERY: &str = "\
GS 3 473 109.97 - 25 2.41 13.29 . 1.41 0.034 205 108.96 - 25 2.43 15.10 7 1.34 - 83 31.94 874.39
GS 4 287 203.05 - 25 3.42 22.50 . 2.29 0.13 205 107.00 - 25 3.66 25.90 7 2.05 - 139 38.98 -
GS 5 268 283.18 - 25 5.34 46.90 . 6.33 0.78 199 105.89 - 25 5.77 58.74 7 2.77 - 157 52.10 -
C1 2 352 343.62 - 4 0.93 2.38 . 0.88 0.041 259 78.03 - 4 0.96 2.71 19 2.21 - 21 4.56 52.14
C1 3 182 114.57 - 4 1.18 2.77 . 1.53 0.062 253 77.26 - 4 1.20 3.11 19 2.65 - 21 4.99 65.50
C1 4 182 116.66 - 4 2.13 3.53 . 2.75 0.147 253 77.90 - 4 2.21 3.88 19 4.70 - 21 6.74 70.40
C1 5 182 115.07 - 4 7.82 6.56 . 13.39 1.202 253 81.43 - 4 7.77 7.14 19 17.65 - 21 28.38 249.3
C2 2 190 107.45 - 11 1.68 40.11 . 1.21 0.035 67 100.91 - 327 44.17 - 7 1.16 - 8 0.93 6.35
C2 3 245 68.15 - 114 28 - . 1.63 0.072 245 75.76 - 114 26.61 - 7 1.36 - 16 1.43 9.40
C2 4 245 70.26 - 103 23.81 - . 2.89 0.173 245 77.93 - 103 23.93 - 7 2.29 - 32 3.51 16.00
C2 5 245 76.10 - 76 32.03 - . 15.70 1.53 245 81.33 - 76 32.07 - 7 8.20 - 64 20.90 57.94
MER 2 40 8.65 21.90 6 1.23 1.60 . 1.04 0.024 148 597.30 - 6 1.89 1.51 40 6.56 9.00 6 1.69 1.64
MER 3 501 240.06 - 8 3.54 4.76 . 4.05 0.111 281 292.01 - 8 3.53 4.00 64 11.90 25.95 8 3.12 4.03
MER 4 273 101.59 - 10 9.61 13.68 . 14.29 1.46 239 237.22 - 10 9.60 10.64 88 1.82 83.18 10 9.61 9.72
MER 5 200 78.10 - 12 19.03 35.23 . 14.24 27.73 221 115.37 - 12 19.03 27.56 112 27.87 239.05 12 19.03 22.74
MER 6 162 84.95 - 14 47.09 91.82 . . - 200 88.00 - 14 47.09 79.17 136 47.01 608.44 14 47.01 47.90";

const ABSTRACTION: &str = "\
GS 3 16 4.11 3.33 177 42.83 - 5 2.99 2.09 8 3.28 3.40
GS 4 19 37.43 23.12 195 100.17 - 5 22.79 12.80 8 25.21 19.46
GS 5 22 359.53 278.63 45 206.61 - 5 216.07 83.34 8 207.29 188.98
C1 2 10 1.30 0.92 9 1.30 1.69 10 1.30 1.56 8 1.22 5.17
C1 3 36 2.59 5.94 21 5.59 7.08 36 2.44 10.23 20 6.00 30.75
C1 4 160 8.71 152.34 39 27.1 32.05 160 8.22 252.06 38 41.50 180.82
C1 5 4 55.14 - 111 569.23 676.02 3 58.71 - 110 . -
C2 2 4 1.07 0.50 9 1.14 1.57 4 1.23 0.62 3 1.06 0.91
C2 3 8 1.84 1.60 25 4.45 7.72 8 2.00 3.65 3 2.28 1.12
C2 4 16 4.01 18.75 45 25.49 36.33 16 5.08 107.50 3 7.30 1.95
C2 5 4 52.53 - 122 134.21 271.30 1 81.89 - 3 163.45 19.43
MER 2 34 1.42 11.38 40 6.75 9.89 5 1.42 5.02 6 1.89 1.28
MER 3 67 8.10 247.73 335 133.34 - 9 11.09 180.13 8 8.78 12.56
MER 4 58 341.49 - 38 377.21 - 9 532.49 - 10 489.51 1220.62
ROVER 2 10 4.07 1.80 11 2.70 2.35 3 2.62 2.07 4 2.46 3.30";

const BALANCED: &str = "\
GS 3 10 3.35 3.36 294 367.13 - 5 2.16 3.06 59 11.14 81.19
GS 4 269 174.03 - 433 188.94 - 10 15.57 191.96 5 9.25 4.73
GS 5 7 47.91 184.64 113 82.59 - 2 47.48 - 15 52.41 71.29
C1 2 41 2.45 5.46 140 118.59 395.56 9 1.91 3.89 17 2.73 13.09
C1 3 261 81.24 710.1 391 134.57 - 79 39.94 663.53 217 36.12 -
C1 4 54 7.11 37.91 354 383.93 - 45 9.55 121.66 586 213.78 -
C1 5 402 73.74 - 112 90.22 - 33 19.66 157.35 46 30.05 686.37
C2 2 2 0.98 0.37 40 5.21 8.30 2 1.02 0.49 3 1.04 0.91
C2 3 88 15.45 102.93 184 284.83 - 46 41.40 115.77 3 5.97 2.26
C2 4 2 5.60 2.65 408 222.54 - 2 6.14 11.90 20 9.33 7.44
C2 5 79 44.16 405.03 179 104.25 - 42 42.04 430.47 3 21.94 7.00
MER 4 9 27.62 - 311 104.72 - 2 27.60 - 10 65.42 35.78";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_all_its_cells() {
        let rows = rows();
        assert_eq!(rows.len(), 15 * 3 + 15 + 16 * 7 + 15 * 4 + 12 * 4);
        assert!(rows.iter().all(|row| row.size >= 2));
        for row in &rows {
            let is_monolithic = row.run == Run::Monolithic;
            assert_eq!(row.published.states.is_none(), is_monolithic, "{row:?}");
        }
        // Thirteen of the sixteen systems are finished with alphabet refinement.
        let refined = rows.iter().filter(|row| {
            row.table == "5.3"
                && row.run == Run::learned(Asymmetric, refined(Heuristic::Backward), Split::Every)
        });
        assert_eq!(
            refined
                .filter(|row| row.published.seconds.is_some())
                .count(),
            13
        );
    }
}
