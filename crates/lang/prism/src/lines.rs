//! Lines of many numbers in evidence, as short as they can be without losing a digit.
//!
//! Numbers are written so that they are read back as the very same doubles, one after the other
//! with spaces between. `0.5*3` is a number three times, and `@7` the eighth of the different
//! numbers of the line once more, which may be repeated, too.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use quotient_certify::Rejection;

/// Writes numbers as a line.
pub(crate) fn write(numbers: impl Iterator<Item = f64>) -> String {
    let mut line = String::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut numbers = numbers.peekable();
    while let Some(number) = numbers.next() {
        let mut times = 1;
        while numbers
            .next_if(|next| next.to_bits() == number.to_bits())
            .is_some()
        {
            times += 1;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let next = known.len();
        let text = format!("{number:?}");
        let number = match known.insert(number.to_bits(), next) {
            None => text,
            Some(place) => {
                known.insert(number.to_bits(), place);
                let again = format!("@{place}");
                if again.len() < text.len() {
                    again
                } else {
                    text
                }
            }
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
    let odd = || Rejection::unreadable("there is not one number for each state");
    let mut numbers: Vec<f64> = Vec::new();
    let mut known: Vec<f64> = Vec::new();
    let mut seen: HashSet<u64> = HashSet::new();
    for word in line.split_ascii_whitespace() {
        let (number, times) = word.split_once('*').unwrap_or((word, "1"));
        let times: usize = times.parse().map_err(|_| odd())?;
        let number = match number.strip_prefix('@') {
            Some(place) => {
                let place: usize = place.parse().map_err(|_| odd())?;
                *known.get(place).ok_or_else(odd)?
            }
            None => number.parse().map_err(|_| odd())?,
        };
        if seen.insert(number.to_bits()) {
            known.push(number);
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
