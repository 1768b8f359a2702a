//! The shapes of orders that are tried, simple ones first.

use crate::rank::{End, Part};

const ENDS: [End; 2] = [End::Left, End::Right];

/// The shapes of a level; none beyond the last.
///
/// After the simplest ones come two large machines that read from where their weights are
/// compared: such an order compares words at the first difference, with a weight that depends on
/// what was read before, from both ends. Most that is needed fits into them, and a solver finds
/// tables for a large shape sooner than it sees that there are none for many small ones, which
/// are for the rest.
pub(crate) fn levels(level: usize, letters: usize) -> Vec<Vec<Part>> {
    let [one, two, three] = [1, 2, 3].map(|states| parts(states, letters));
    let large = |states: usize| [End::Left, End::Right].map(|end| large(states, letters, end));
    match level {
        0 => single(&one),
        1 => join([pairs(&one, &one), single(&two)]),
        2 => [3, 4]
            .into_iter()
            .flat_map(|states| {
                let [left, right] = large(states);
                [vec![left, right], vec![right, left]]
            })
            .collect(),
        3 => join([pairs(&two, &one), pairs(&one, &two)]),
        4 => {
            let [left, right] = large(6);
            let thrice = [vec![left, right, left], vec![right, left, right]];
            join([thrice.to_vec(), pairs(&two, &two)])
        }
        5 => join([single(&three), pairs(&three, &one), pairs(&one, &three)]),
        6 => join([
            with_last(&pairs(&two, &two), &one),
            pairs(&three, &two),
            pairs(&two, &three),
        ]),
        7 => join([single(&parts(4, letters)), pairs(&three, &three)]),
        _ => Vec::new(),
    }
}

/// A component that reads from where it is compared.
fn large(states: usize, letters: usize, end: End) -> Part {
    Part {
        states,
        bits: bits(letters, 3),
        reads: end,
        weighs: end,
    }
}

/// As many bits as it takes to give each letter a weight of its own, but not more than so many.
fn bits(letters: usize, most: usize) -> usize {
    let all = usize::BITS - letters.saturating_sub(1).leading_zeros();
    (all as usize).clamp(1, most)
}

/// All components with so many states.
fn parts(states: usize, letters: usize) -> Vec<Part> {
    let bits = bits(letters, if states == 1 { 4 } else { 2 });
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

fn with_last(shapes: &[Vec<Part>], last: &[Part]) -> Vec<Vec<Part>> {
    let longer = |shape: &Vec<Part>, part: Part| [shape.as_slice(), &[part]].concat();
    let with = |shape| last.iter().map(move |&part| longer(shape, part));
    shapes.iter().flat_map(with).collect()
}

fn join<const N: usize>(lists: [Vec<Vec<Part>>; N]) -> Vec<Vec<Part>> {
    lists.into_iter().flatten().collect()
}
