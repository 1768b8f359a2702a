//! The shapes of orders that are tried, simple ones first.

use crate::rank::{End, Part};

const ENDS: [End; 2] = [End::Left, End::Right];

/// The shapes of a level; none beyond the last.
pub(crate) fn levels(level: usize, letters: usize) -> Vec<Vec<Part>> {
    let one = parts(1, letters);
    let two = parts(2, letters);
    let three = parts(3, letters);
    match level {
        0 => single(&one),
        1 => pairs(&one, &one).into_iter().chain(single(&two)).collect(),
        2 => pairs(&two, &one)
            .into_iter()
            .chain(pairs(&one, &two))
            .collect(),
        3 => single(&three)
            .into_iter()
            .chain(pairs(&two, &two))
            .collect(),
        4 => pairs(&three, &one)
            .into_iter()
            .chain(pairs(&one, &three))
            .collect(),
        5 => pairs(&two, &two)
            .into_iter()
            .flat_map(|pair| {
                one.iter().map(move |&last| {
                    let mut pair = pair.clone();
                    pair.push(last);
                    pair
                })
            })
            .chain(pairs(&three, &two))
            .chain(pairs(&two, &three))
            .collect(),
        6 => single(&parts(4, letters))
            .into_iter()
            .chain(pairs(&three, &three))
            .collect(),
        _ => Vec::new(),
    }
}

/// All components with so many states.
fn parts(states: usize, letters: usize) -> Vec<Part> {
    // With one bit for each of the letters that there are, a machine could tell all apart.
    let all = usize::BITS - letters.saturating_sub(1).leading_zeros();
    let bits = (all as usize).clamp(1, if states == 1 { 4 } else { 2 });
    let part = |reads, weighs| Part {
        states,
        bits,
        reads,
        weighs,
    };
    match states {
        // Without states it does not matter from where letters are read.
        1 => ENDS.map(|weighs| part(weighs, weighs)).to_vec(),
        _ => ENDS
            .into_iter()
            .flat_map(|reads| ENDS.map(|weighs| part(reads, weighs)))
            .collect(),
    }
}

fn single(parts: &[Part]) -> Vec<Vec<Part>> {
    parts.iter().map(|&part| vec![part]).collect()
}

fn pairs(first: &[Part], second: &[Part]) -> Vec<Vec<Part>> {
    let with = |&one: &Part| second.iter().map(move |&other| vec![one, other]);
    first.iter().flat_map(with).collect()
}
