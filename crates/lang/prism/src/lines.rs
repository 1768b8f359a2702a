//! Lines of many numbers in evidence, as short as they can be without losing a digit.
//!
//! Numbers are written so that they are read back as the very same doubles, one after the other
//! with spaces between. `0.5*3` is a number three times, and `@7` the eighth of the different
//! numbers of the line once more, which may be repeated, too.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::Hash;

use quotient_certify::Rejection;
use quotient_markov::{Rational, exactly};

/// Writes numbers as a line.
pub(crate) fn write(numbers: impl Iterator<Item = f64>) -> String {
    write_by(
        numbers,
        |number: &f64| number.to_bits(),
        |number| format!("{number:?}"),
    )
}

/// Writes fractions as a line: `1/3`, or `2`, which doubles are not written as.
pub(crate) fn write_fractions<'n>(numbers: impl Iterator<Item = &'n Rational>) -> String {
    write_by(numbers, |number| *number, |number| number.to_string())
}

/// Writes anything as a line, by what tells it apart and its text.
fn write_by<T, K: Eq + Hash>(
    all: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
    text: impl Fn(&T) -> String,
) -> String {
    let mut line = String::new();
    let mut known: HashMap<K, usize> = HashMap::new();
    let mut all = all.peekable();
    while let Some(number) = all.next() {
        let mut times = 1;
        while all.next_if(|next| key(next) == key(&number)).is_some() {
            times += 1;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let next = known.len();
        let written = text(&number);
        let place = *known.entry(key(&number)).or_insert(next);
        let again = format!("@{place}");
        let number = match place < next && again.len() < written.len() {
            true => again,
            false => written,
        };
        // Writing to a text does not fail.
        let _ = match times {
            1 => write!(line, "{number}"),
            _ => write!(line, "{number}*{times}"),
        };
    }
    line
}

/// Reads a line with as many numbers as there should be.
pub(crate) fn read(line: &str, many: usize) -> Result<Vec<f64>, Rejection> {
    read_by(
        line,
        many,
        |word| word.parse().ok(),
        |number: &f64| number.to_bits(),
    )
}

/// Reads a line with as many doubles or fractions as there should be, all exactly. A fraction has no point,
/// a double has one, or an exponent.
pub(crate) fn read_exactly(line: &str, many: usize) -> Result<Vec<Rational>, Rejection> {
    let exact = |word: &str| match word.contains(['.', 'e']) {
        true => exactly(word.parse().ok()?),
        false => word.parse().ok(),
    };
    read_by(line, many, exact, Clone::clone)
}

/// Reads a line of anything, by what a word means and what tells it apart.
fn read_by<T: Clone, K: Eq + Hash>(
    line: &str,
    many: usize,
    meant: impl Fn(&str) -> Option<T>,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, Rejection> {
    let odd = || Rejection::unreadable("there is not one number for each state");
    let mut numbers: Vec<T> = Vec::new();
    let mut known: Vec<T> = Vec::new();
    let mut seen: HashSet<K> = HashSet::new();
    for word in line.split_ascii_whitespace() {
        let (number, times) = word.split_once('*').unwrap_or((word, "1"));
        let times: usize = times.parse().map_err(|_| odd())?;
        let number = match number.strip_prefix('@') {
            Some(place) => {
                let place: usize = place.parse().map_err(|_| odd())?;
                known.get(place).ok_or_else(odd)?.clone()
            }
            None => meant(number).ok_or_else(odd)?,
        };
        if seen.insert(key(&number)) {
            known.push(number.clone());
        }
        // What a file claims is no more than what there should be.
        if times > many - numbers.len() {
            return Err(odd());
        }
        numbers.extend(std::iter::repeat_n(number, times));
    }
    match numbers.len() == many {
        true => Ok(numbers),
        false => Err(odd()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_back_as_they_were(
            shape in prop::collection::vec((0usize..6, 1usize..4), 0..20),
            other in any::<f64>(),
        ) {
            let all = [0.0, 1.0, 0.1 + 0.2, 1e-300, f64::INFINITY, other];
            let numbers: Vec<f64> = shape
                .iter()
                .flat_map(|&(which, times)| std::iter::repeat_n(all[which], times))
                .filter(|number| !number.is_nan())
                .collect();
            let line = write(numbers.iter().copied());
            let again = read(&line, numbers.len()).map_err(|_| TestCaseError::fail(line.clone()))?;
            prop_assert!(again.iter().map(|one| one.to_bits()).eq(numbers.iter().map(|one| one.to_bits())));
            prop_assert!(read(&line, numbers.len() + 1).is_err());
        }

        #[test]
        fn any_text_is_read_or_refused(line in "[0-9.@*e -]{0,40}", many in 0usize..9) {
            if let Ok(numbers) = read(&line, many) {
                prop_assert_eq!(numbers.len(), many);
            }
        }
    }

    #[test]
    fn fractions_and_doubles_are_read_exactly() {
        let third = Rational::new(1, 3);
        let line =
            write_fractions([&third, &third, &quotient_markov::whole(2), &third].into_iter());
        assert_eq!(line, "1/3*2 2 @0");
        let read = |line: &str, many| read_exactly(line, many).ok();
        let two = quotient_markov::whole(2);
        assert_eq!(
            read(&line, 4),
            Some(vec![third.clone(), third.clone(), two, third])
        );
        let tenth = exactly(0.1).expect("a number");
        assert_eq!(
            read("0.1 1e0", 2),
            Some(vec![tenth, quotient_markov::whole(1)])
        );
        for odd in ["1/0", "inf", "NaN", "1/", "x", "1/2/3", "1.0/2"] {
            assert_eq!(read(odd, 1), None, "{odd}");
        }
    }

    #[test]
    fn what_comes_again_is_short() {
        let third = 1.0 / 3.0;
        let line = write([0.0, 0.0, third, 1.0, third, third].into_iter());
        assert_eq!(line, "0.0*2 0.3333333333333333 1.0 @1*2");
    }

    #[test]
    fn more_than_there_should_be_is_refused_at_once() {
        assert!(read("0.5*99999999999999", 3).is_err());
        assert!(read("0.5*4", 3).is_err());
        assert!(read("@0", 1).is_err());
        assert!(read("0.5 @1", 2).is_err());
        assert!(read("0.5*2", 3).is_err());
    }
}
