//! Philosophers at a table, as a net of single tokens.

use quotient_explicit::{Need, Needs, Successors, System};

/// Everybody takes both forks one after the other, in any order, and puts them back together.
pub(crate) struct Table {
    width: usize,
    start: Vec<u64>,
    /// What each step needs and changes: bits of a word.
    steps: Vec<Vec<(usize, u64, u64)>>,
    /// The same of the first word.
    single: Vec<(u64, u64)>,
    needs: Needs,
}

/// How many places a philosopher has: thinks, has the left fork, the right one, eats; and the fork.
const PLACES: usize = 5;

impl Table {
    /// So many philosophers.
    pub(crate) fn of(number: usize) -> Table {
        let width = (number * PLACES).div_ceil(64);
        let each = number.div_ceil(width);
        let bit = |philosopher: usize, place: usize| {
            let philosopher = philosopher % number;
            let shift = philosopher % each * PLACES + place;
            (philosopher / each, 1_u64 << shift)
        };
        let step = |from: &[(usize, usize)], to: &[(usize, usize)]| {
            let mut all = vec![(0, 0, 0); width];
            for (word, one) in all.iter_mut().enumerate() {
                one.0 = word;
            }
            for &(philosopher, place) in from {
                let (word, bit) = bit(philosopher, place);
                all[word].1 |= bit;
            }
            for &(philosopher, place) in to {
                let (word, bit) = bit(philosopher, place);
                all[word].2 |= bit;
            }
            all.retain(|one| one.1 | one.2 != 0);
            all
        };
        let mut start = vec![0; width];
        let mut steps = Vec::new();
        for one in 0..number {
            for place in [0, 4] {
                let (word, bit) = bit(one, place);
                start[word] |= bit;
            }
            let (left, right) = ((one, 4), (one + 1, 4));
            steps.push(step(&[(one, 0), left], &[(one, 1)]));
            steps.push(step(&[(one, 0), right], &[(one, 2)]));
            steps.push(step(&[(one, 1), right], &[(one, 3)]));
            steps.push(step(&[(one, 2), left], &[(one, 3)]));
            steps.push(step(&[(one, 3)], &[(one, 0), left, right]));
        }
        let bits = |&(word, needs, _): &(usize, u64, u64)| {
            let shifts = (0..64).filter(move |shift| needs >> shift & 1 == 1);
            shifts.map(move |shift| Need {
                word,
                shift,
                bits: 1,
                least: 1,
                most: 1,
            })
        };
        let needs: Vec<Vec<Need>> = steps
            .iter()
            .map(|step: &Vec<(usize, u64, u64)>| step.iter().flat_map(bits).collect())
            .collect();
        Table {
            width,
            start,
            needs: Needs::new(&needs),
            single: steps.iter().map(|step| (step[0].1, step[0].2)).collect(),
            steps,
        }
    }
}

impl System for Table {
    fn width(&self) -> usize {
        self.width
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&self.start);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        self.each(state, emit);
        Ok(())
    }

    fn all_successors(&self, state: &[u64], into: &mut Successors) -> Result<(), u64> {
        match *state {
            [word] => self.each_word(word, into),
            _ => self.each(state, |label, next| into.push(label, next)),
        }
        Ok(())
    }
}

impl Table {
    /// Every step from a state of one word.
    #[inline]
    fn each_word(&self, word: u64, into: &mut Successors) {
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, &[word]);
            while able != 0 {
                let label = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                let (needs, gives) = self.single[label];
                into.push_word(label as u32, (word & !needs) | gives);
            }
        }
    }

    /// Every step from a state.
    #[inline]
    fn each(&self, state: &[u64], mut emit: impl FnMut(u32, &[u64])) {
        let mut next = [0; 16];
        let next = &mut next[..self.width];
        next.copy_from_slice(state);
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, state);
            while able != 0 {
                let label = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                for &(word, needs, gives) in &self.steps[label] {
                    next[word] = (state[word] & !needs) | gives;
                }
                emit(label as u32, next);
                for &(word, ..) in &self.steps[label] {
                    next[word] = state[word];
                }
            }
        }
    }
}
