//! Turing machines in the notation of busy beavers, from a blank tape.

use std::collections::{BTreeMap, BTreeSet};

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth, way};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "turing",
    generate,
    ways: |_, _| vec![way(&[("window", "0")]), way(&[("steps", "40")])],
    instance: Instance::None,
    judge,
};

const HALTS: &str = "halts on blank";
const DIVERGES: &str = "diverges on blank";

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let states = dice.within(1, 2 + size.min(3));
    let symbols = dice.within(2, 3);
    let mut rows = Vec::new();
    for _ in 0..states {
        let mut row = String::new();
        for _ in 0..symbols {
            row += &match dice.chance(12) {
                true => "---".to_owned(),
                false => {
                    let to = (b'A' + dice.below(states) as u8) as char;
                    format!("{}{}{to}", dice.below(symbols), dice.pick(&["L", "R"]))
                }
            };
        }
        rows.push(row);
    }
    let text = format!("{}\ncheck {HALTS}\ncheck {DIVERGES}\n", rows.join("_"));
    Sample::of("turing", "model.tm", text)
}

/// Longer runs are not judged.
const MOST_STEPS: usize = 3_000;

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    let table = sample.text().lines().next().and_then(read);
    let Some(halts) = table.and_then(|table| run(&table)) else {
        return Vec::new();
    };
    vec![
        (HALTS.to_owned(), Truth::of(halts)),
        (DIVERGES.to_owned(), Truth::of(!halts)),
    ]
}

/// What is written, where the head goes, and the next state; none where the machine halts.
type Table = Vec<Vec<Option<(u8, i64, usize)>>>;

fn read(line: &str) -> Option<Table> {
    let rows: Vec<&str> = line.trim().split('_').collect();
    let states = rows.len();
    let cell = |cell: &[u8]| -> Option<Option<(u8, i64, usize)>> {
        let &[write, to, next] = cell else {
            return None;
        };
        if cell == b"---" {
            return Some(None);
        }
        let step = match to {
            b'L' => -1,
            b'R' => 1,
            _ => return None,
        };
        let next = usize::from(next.checked_sub(b'A')?);
        let write = write.checked_sub(b'0')?;
        (write < 10 && next < states).then_some(Some((write, step, next)))
    };
    let rows = rows
        .iter()
        .map(|row| row.as_bytes().chunks(3).map(cell).collect());
    let table: Table = rows.collect::<Option<_>>()?;
    let symbols = table.first()?.len();
    let is_whole = |row: &Vec<Option<(u8, i64, usize)>>| {
        let mut known = row.iter().flatten();
        row.len() == symbols && known.all(|step| usize::from(step.0) < symbols)
    };
    (symbols >= 2 && table.iter().all(is_whole)).then_some(table)
}

/// Whether the machine halts: a run to its end, or to where it was before.
fn run(table: &Table) -> Option<bool> {
    let mut tape: BTreeMap<i64, u8> = BTreeMap::new();
    let (mut head, mut state) = (0_i64, 0);
    let mut seen = BTreeSet::new();
    for _ in 0..MOST_STEPS {
        let read = tape.get(&head).copied().unwrap_or(0);
        let Some((write, step, next)) = table[state][usize::from(read)] else {
            return Some(true);
        };
        if !seen.insert((state, head, tape.clone())) {
            return Some(false);
        }
        match write {
            0 => tape.remove(&head),
            _ => tape.insert(head, write),
        };
        head += step;
        state = next;
    }
    None
}
