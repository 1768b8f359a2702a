//! One way to write half a tape out of many.

use super::part::{Count, Part};
use crate::machine::Symbol;

/// The most cells of a constant block that are written out.
const CELLS: u64 = 100_000;

/// A form that is the same for many ways to write the same half: symbols that fit a block are in
/// it, what is left of a copy stands before it, and blanks at the far end are left out. (Two
/// different forms may still be the same; two equal ones are.) None if it is too large.
pub(super) fn canonical(parts: &[Part], blank: Symbol) -> Option<Vec<Part>> {
    let mut done: Vec<Part> = Vec::new();
    for part in parts {
        if part.is_constant() {
            if part.count.count > CELLS {
                return None;
            }
            for _ in 0..part.count.count {
                for &symbol in &part.word {
                    literal(&mut done, symbol)?;
                }
            }
        } else {
            let length = part.word.len();
            let root = (1..=length).find(|&root| {
                length.is_multiple_of(root)
                    && (root..length).all(|at| part.word[at] == part.word[at - root])
            });
            let root = root.unwrap_or(length);
            let part = Part {
                word: part.word[..root].to_vec(),
                count: part.count.times((length / root) as u64)?,
            };
            block(&mut done, part)?;
        }
    }
    while let Some(last) = done.last()
        && last.word.iter().all(|&symbol| symbol == blank)
    {
        done.pop();
    }
    Some(done)
}

/// Adds a symbol: `w^e x` with `x` the first of `w` is `x` and then `w^e` turned by one.
fn literal(done: &mut Vec<Part>, symbol: Symbol) -> Option<()> {
    // Not by recursion: there may be as many blocks as a file has room for.
    let begins = |part: &&Part| !part.is_constant() && part.word[0] == symbol;
    let passed = done.iter().rev().take_while(begins).count();
    let mut turned = done.split_off(done.len() - passed);
    done.push(Part::cell(symbol));
    for mut part in turned.drain(..) {
        part.word.rotate_left(1);
        block(done, part)?;
    }
    Some(())
}

/// Adds a block, with the copies of its word that stand before it.
fn block(done: &mut Vec<Part>, mut part: Part) -> Option<()> {
    if let Some(before) = done.last()
        && !before.is_constant()
        && before.word == part.word
    {
        part.count = part.count.plus(&before.count)?;
        done.pop();
    }
    let length = part.word.len();
    loop {
        let fits = done.len() >= length && {
            let last = &done[done.len() - length..];
            let mut pairs = last.iter().zip(&part.word);
            pairs.all(|(one, symbol)| one.is_constant() && one.word == [*symbol])
        };
        if !fits {
            break;
        }
        done.truncate(done.len() - length);
        part.count = part.count.plus(&Count::of(1))?;
    }
    done.push(part);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(word: &[Symbol], growth: u64, count: u64) -> Part {
        Part {
            word: word.to_vec(),
            count: Count::growing(0, growth, count),
        }
    }

    #[test]
    fn ways_to_write_a_half_have_one_form() {
        let one = [part(&[1], 0, 1), part(&[0, 1], 1, 2), part(&[0], 0, 1)];
        let other = [part(&[1, 0], 1, 3), part(&[2], 0, 0)];
        assert_eq!(canonical(&one, 2), canonical(&other, 2));
        let blanks = [part(&[1], 1, 0), part(&[1, 1], 0, 1), part(&[0], 1, 1)];
        assert_eq!(canonical(&blanks, 0), Some(vec![part(&[1], 1, 2)]));
    }
}
