//! Composed states as machine words.

use quotient_core::Stop;

use crate::State;

/// A packed state. Fields leave the highest bit of every word alone. That of the first word is
/// always set, so that a word of zeros is free to mean "no state".
pub(crate) type Word<const W: usize> = [u64; W];

/// The bits of a word that fields may use.
const ROOM: u32 = 63;

/// The most words that a state may take; 64 words hold a thousand parts of sixteen states.
const MOST_WORDS: usize = 64;

/// Where in a state each part has its field. No field spans two words.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    words: usize,
}

#[derive(Debug, Clone, Copy)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Packing {
    /// Room for parts with these numbers of states.
    pub(crate) fn new(sizes: impl Iterator<Item = usize>) -> Result<Packing, Stop> {
        let mut fields = Vec::new();
        let (mut word, mut used) = (0, 0);
        for size in sizes {
            let bits = usize::BITS - size.saturating_sub(1).leading_zeros();
            if used + bits > ROOM {
                word += 1;
                used = 0;
            }
            fields.push(Field {
                word,
                shift: used,
                mask: (1u64 << bits) - 1,
            });
            used += bits;
        }
        let words = word as usize + 1;
        if words > MOST_WORDS {
            return Err(Stop::bound("words of a packed state", MOST_WORDS as u64));
        }
        Ok(Packing { fields, words })
    }

    /// How many words a state takes, rounded up to a width that [`for_width`] knows.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// All parts in state 0.
    pub(crate) fn empty<const W: usize>() -> Word<W> {
        let mut word = [0; W];
        word[0] = 1 << 63;
        word
    }

    /// The word, the place in it and the mask of the field of a part.
    pub(crate) fn field(&self, part: usize) -> (u32, u32, u64) {
        let field = self.fields[part];
        (field.word, field.shift, field.mask)
    }

    #[inline]
    pub(crate) fn get<const W: usize>(&self, word: &Word<W>, part: usize) -> State {
        let field = self.fields[part];
        State::from((word[field.word as usize] >> field.shift & field.mask) as u32)
    }

    #[inline]
    pub(crate) fn set<const W: usize>(&self, word: &mut Word<W>, part: usize, state: State) {
        let field = self.fields[part];
        let slot = &mut word[field.word as usize];
        *slot = *slot & !(field.mask << field.shift) | (state.index() as u64) << field.shift;
    }
}

/// Runs a function that is generic in the width of states with the least width that fits.
macro_rules! for_width {
    ($words:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $words {
            0 | 1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5..=8 => $function::<8>($($argument),*),
            9..=16 => $function::<16>($($argument),*),
            _ => $function::<64>($($argument),*),
        }
    };
}
pub(crate) use for_width;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        let sizes = [1, 2, 1 << 31, 1 << 31, 5, 1, 1 << 31, 1 << 31, 3];
        let packing = Packing::new(sizes.into_iter()).unwrap();
        let mut word: Word<4> = Packing::empty();
        for (part, size) in sizes.into_iter().enumerate() {
            packing.set(&mut word, part, State::from(size as u32 - 1));
        }
        for (part, size) in sizes.into_iter().enumerate() {
            assert_eq!(packing.get(&word, part), State::from(size as u32 - 1));
        }
        packing.set(&mut word, 3, State::from_index(0));
        assert_eq!(packing.get(&word, 2), State::from((1 << 31) - 1));
        assert_eq!(packing.get(&word, 3), State::from_index(0));
        assert_ne!(word[0], 0);
    }

    #[test]
    fn too_many_parts_are_refused() {
        assert!(Packing::new(std::iter::repeat_n(1 << 31, 200)).is_err());
    }
}
