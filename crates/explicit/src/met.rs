//! States that were met lately.

use crate::graph::hash;
use crate::numbers::mixed;

/// The least number of states that are remembered, and the most words: as many as stay near to the processor.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 14;

/// States that one thread met lately.
///
/// A state is found once and met many times, mostly from states that are near. A thread works out states in order, so that
/// what it met before is known, or is listed as new before what it meets now: it need not be looked for again.
#[derive(Debug, Default)]
pub(crate) struct Met {
    width: usize,
    /// So many states are remembered, a power of two; each has one place.
    places: usize,
    words: Vec<u64>,
}

impl Met {
    /// Remembers as many states of a width as are worth it where so many are known. Others are forgotten then.
    pub(crate) fn fit(&mut self, width: usize, known: usize) {
        let most = MOST >> width.next_power_of_two().ilog2();
        let places = (known / 4)
            .next_power_of_two()
            .clamp(LEAST, most.max(LEAST));
        if width == 0 || width > LEAST || (width == self.width && places <= self.places) {
            return;
        }
        (self.width, self.places) = (width, places);
        self.words.clear();
        self.words.resize(places * width, 0);
        // A place may hold any state that belongs to another.
        let mut state = vec![0; width];
        let zero = self.place(&state);
        while self.place(&state) == zero {
            state[0] += 1;
        }
        self.words[zero * width] = state[0];
    }

    #[inline]
    fn place(&self, state: &[u64]) -> usize {
        let hash = match *state {
            [word] => mixed(word),
            _ => hash(state),
        };
        (hash >> 40) as usize & (self.places - 1)
    }

    /// Remembers states from one on; those that were met lately are taken from the list, and their labels.
    pub(crate) fn leave_out(&mut self, begin: usize, labels: &mut Vec<u32>, words: &mut Vec<u64>) {
        let (width, number) = (self.width, labels.len());
        if self.words.is_empty() || words.len() != number * width {
            return;
        }
        let mut kept = begin;
        match width {
            1 => {
                for at in begin..number {
                    let (word, label) = (words[at], labels[at]);
                    let place = self.place(&[word]);
                    // Nobody guesses which of them were met.
                    (words[kept], labels[kept]) = (word, label);
                    let last = std::mem::replace(&mut self.words[place], word);
                    kept += usize::from(last != word);
                }
            }
            _ => {
                for at in begin..number {
                    let state = &words[at * width..(at + 1) * width];
                    let place = self.place(state) * width;
                    let last = &mut self.words[place..place + width];
                    if last == state {
                        continue;
                    }
                    last.copy_from_slice(state);
                    words.copy_within(at * width..(at + 1) * width, kept * width);
                    labels[kept] = labels[at];
                    kept += 1;
                }
            }
        }
        labels.truncate(kept);
        words.truncate(kept * width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_met_before_is_left_out() {
        quotient_trial::trial(|u| {
            let width = u.int_in_range(1..=3)?;
            let (mut met, mut all) = (Met::default(), std::collections::HashSet::new());
            let most = *u.choose(&[1, 3, 5_000])?;
            let (mut labels, mut words, mut left_out) = (Vec::new(), Vec::new(), 0);
            for known in 0..u.int_in_range(1..=20)? {
                met.fit(width, known * 1_000);
                let begin = labels.len();
                let mut listed = Vec::new();
                for label in 0..u.int_in_range(0..=30)? {
                    let mut state = vec![0; width];
                    for word in &mut state {
                        *word = u.int_in_range(0..=most)?;
                    }
                    labels.push(label);
                    words.extend_from_slice(&state);
                    listed.push((label, state));
                }
                met.leave_out(begin, &mut labels, &mut words);
                let kept = labels[begin..].iter().copied();
                let kept = kept.zip(words[begin * width..].chunks(width));
                let mut kept = kept.peekable();
                for (label, state) in &listed {
                    if kept.next_if_eq(&(*label, &state[..])).is_none() {
                        assert!(all.contains(state), "{state:?}");
                        left_out += 1;
                    }
                    all.insert(state.clone());
                }
                assert!(kept.next().is_none());
            }
            assert!(left_out > 0 || most > 1 || labels.len() <= 64);
            Ok(())
        })
        .budget_ms(1_000);
    }
}
