//! How each state was found first.

use crate::graph::NONE;
use crate::numbers::push;

/// How many states lie between two whose places are noted.
const SAMPLE: usize = 256;

/// The state before each state, and the label of the step from it.
///
/// A search in breadth visits states in the order in which they were found, so that the numbers of the states before
/// never fall: of each only the difference is kept, as so many zeros and a one. Labels take as many
/// bytes as the largest needs. Where numbers do fall, they are kept as they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Before {
    labels: Labels,
    /// How many states have none before them; they come first while numbers are in order.
    roots: u32,
    last: u32,
    bits: Vec<u64>,
    end: usize,
    /// Where in the bits the one of every so many states is.
    samples: Vec<usize>,
    /// The states before, where they are not in order.
    any: Option<Vec<u32>>,
}

#[derive(Debug, Clone)]
enum Labels {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Default for Labels {
    fn default() -> Labels {
        Labels::One(Vec::new())
    }
}

impl Labels {
    fn len(&self) -> usize {
        match self {
            Labels::One(all) => all.len(),
            Labels::Two(all) => all.len(),
            Labels::Four(all) => all.len(),
        }
    }

    fn get(&self, at: usize) -> Option<u32> {
        match self {
            Labels::One(all) => all.get(at).map(|&label| label.into()),
            Labels::Two(all) => all.get(at).map(|&label| label.into()),
            Labels::Four(all) => all.get(at).copied(),
        }
    }

    fn push(&mut self, label: u32) {
        match (&mut *self, u8::try_from(label), u16::try_from(label)) {
            (Labels::One(all), Ok(label), _) => return push(all, label),
            (Labels::Two(all), _, Ok(label)) => return push(all, label),
            (Labels::Four(all), _, _) => return push(all, label),
            _ => {}
        }
        let all = (0..self.len()).filter_map(|at| self.get(at));
        *self = match u16::try_from(label) {
            Ok(_) => Labels::Two(all.map(|label| label as u16).collect()),
            Err(_) => Labels::Four(all.collect()),
        };
        self.push(label);
    }

    fn bytes(&self) -> usize {
        match self {
            Labels::One(all) => all.capacity(),
            Labels::Two(all) => all.capacity() * 2,
            Labels::Four(all) => all.capacity() * 4,
        }
    }
}

impl Before {
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let any = self.any.as_ref().map_or(0, |any| any.capacity() * 4);
        self.labels.bytes() + self.bits.capacity() * 8 + self.samples.capacity() * 8 + any
    }

    pub(crate) fn push(&mut self, from: Option<(u32, u32)>) {
        let (parent, label) = from.unwrap_or((NONE, 0));
        let ordered = match from {
            Some(_) => parent >= self.last,
            None => self.len() == self.roots as usize,
        };
        if !ordered && self.any.is_none() {
            self.any = Some((0..self.len()).map(|id| self.parent(id)).collect());
            (self.bits, self.samples) = (Vec::new(), Vec::new());
        }
        match (&mut self.any, from) {
            (Some(any), _) => push(any, parent),
            (None, None) => self.roots += 1,
            (None, Some(_)) => {
                let number = self.labels.len() - self.roots as usize;
                let place = self.end + (parent - self.last) as usize;
                if number.is_multiple_of(SAMPLE) {
                    self.samples.push(place);
                }
                while self.bits.len() <= place / 64 {
                    push(&mut self.bits, 0);
                }
                self.bits[place / 64] |= 1 << (place % 64);
                (self.last, self.end) = (parent, place + 1);
            }
        }
        self.labels.push(label);
    }

    pub(crate) fn get(&self, id: u32) -> Option<(u32, u32)> {
        let label = self.labels.get(id as usize)?;
        let parent = self.parent(id as usize);
        (parent != NONE).then_some((parent, label))
    }

    /// The number of the state before one that there is.
    fn parent(&self, id: usize) -> u32 {
        if let Some(any) = &self.any {
            return any[id];
        }
        let Some(number) = id.checked_sub(self.roots as usize) else {
            return NONE;
        };
        let place = self.samples[number / SAMPLE];
        let (mut at, mut left) = (place / 64, number % SAMPLE);
        let mut word = self.bits[at] & (u64::MAX << (place % 64));
        while word.count_ones() as usize <= left {
            left -= word.count_ones() as usize;
            at += 1;
            word = self.bits[at];
        }
        for _ in 0..left {
            word &= word - 1;
        }
        // Before the one of a state are those of the states before it, and a zero for each number.
        (at * 64 + word.trailing_zeros() as usize - number) as u32
    }

    /// The run to a state: where it begins, and its labels.
    pub(crate) fn run(&self, id: u32) -> (u32, Vec<u32>) {
        let mut at = id;
        let mut labels = Vec::new();
        while let Some((parent, label)) = self.get(at) {
            labels.push(label);
            at = parent;
        }
        labels.reverse();
        (at, labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_before_is_remembered_in_order_and_out_of_order() {
        quotient_trial::trial(|u| {
            let mut before = Before::default();
            let mut plain: Vec<Option<(u32, u32)>> = Vec::new();
            for _ in 0..u.int_in_range(0..=3)? {
                plain.push(None);
            }
            let mut parent = 0;
            let most = *u.choose(&[3, 300, 100_000])?;
            let falls = u.ratio(1, 3)?;
            for _ in 0..u.int_in_range(0..=1_500)? {
                parent += match u.int_in_range(0..=30)? {
                    0 => u.int_in_range(0..=400)?,
                    1..=10 => 1,
                    _ => 0,
                };
                let label = u.int_in_range(0..=most)?;
                plain.push(Some((parent, label)));
                if falls && u.ratio(1, 50)? {
                    plain.push(match u.ratio(1, 2)? {
                        true => None,
                        false => Some((parent / 2, label)),
                    });
                }
            }
            plain.iter().for_each(|one| before.push(*one));
            assert_eq!(before.len(), plain.len());
            for (id, expected) in plain.iter().enumerate() {
                assert_eq!(before.get(id as u32), *expected, "{id} of {}", plain.len());
            }
            assert_eq!(before.get(plain.len() as u32), None);
            Ok(())
        })
        .budget_ms(1_000);
    }
}
