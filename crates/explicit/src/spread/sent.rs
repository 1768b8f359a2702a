//! The states that a worker sent last, so that it sends them once.

/// How many words are kept at most.
const WORDS: usize = 1 << 18;

/// States that were sent, each in the one slot that its hash gives it until another takes its place.
///
/// A state is met as often as there are steps to it, mostly within a short time. Who has sent it before, in this level or
/// an earlier one, need not do so again: whoever it belongs to has it, by a run that is no longer.
pub(super) struct Sent {
    width: usize,
    /// The words of each slot, with one in front that says whether there is a state.
    slots: Vec<u64>,
    last: usize,
}

impl Sent {
    pub(super) fn new(width: usize) -> Sent {
        let number = (WORDS / (width + 1)).max(1);
        let number = 1_usize << number.ilog2();
        Sent {
            width,
            slots: vec![0; number * (width + 1)],
            last: number - 1,
        }
    }

    /// Notes that a state with this hash is sent; says whether it was not noted before, as far as that is known.
    pub(super) fn insert(&mut self, state: &[u64], hash: u64) -> bool {
        let begin = (hash as usize & self.last) * (self.width + 1);
        let slot = &mut self.slots[begin..begin + self.width + 1];
        if slot[0] == 1 && slot[1..] == *state {
            return false;
        }
        slot[0] = 1;
        slot[1..].copy_from_slice(state);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_noted_is_known_whatever_the_hash() {
        for width in [0, 1, 3, WORDS] {
            let mut sent = Sent::new(width);
            let state = |number: u64| vec![number; width];
            // The same slot for all: each takes the place of the one before.
            assert!(sent.insert(&state(0), 5));
            assert!(!sent.insert(&state(0), 5));
            assert_eq!(sent.insert(&state(1), 5), width > 0);
            assert_eq!(sent.insert(&state(0), 5), width > 0);
        }
        let mut sent = Sent::new(1);
        assert!(sent.insert(&[7], 1));
        assert!(sent.insert(&[8], 2));
        assert!(!sent.insert(&[7], 1));
    }
}
