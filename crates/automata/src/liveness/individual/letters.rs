//! The letters of the reduced system.

use crate::liveness::lift::Tracks;
use crate::{Alphabet, Letter, Predicate};

/// A process in the loop: its letter, whether it made a step (or was seen unable to), and
/// whether it is the marked one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) letter: Letter,
    pub(super) stepped: bool,
    pub(super) marked: bool,
}

impl Unit {
    /// Its letter in the alphabet of processes: four for each old letter.
    pub(super) fn number(self) -> Letter {
        Letter(self.letter.0 * 4 + u32::from(self.marked) * 2 + u32::from(self.stepped))
    }
}

/// A process and what was saved at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frozen {
    pub(super) unit: Unit,
    pub(super) saved: Letter,
    pub(super) saved_mark: bool,
}

impl Frozen {
    /// At the freeze.
    pub(super) fn saved_now(letter: Letter, marked: bool) -> Frozen {
        Frozen {
            unit: Unit {
                letter,
                stepped: false,
                marked,
            },
            saved: letter,
            saved_mark: marked,
        }
    }

    /// Whether the process is the one that was saved.
    pub(super) fn is_back(&self) -> bool {
        self.unit.letter == self.saved && self.unit.marked == self.saved_mark
    }
}

/// The old letters, then the frozen ones.
pub(super) struct Letters {
    old: u32,
    pub(super) alphabet: Alphabet,
}

impl Letters {
    pub(super) fn new(old: &Alphabet) -> Letters {
        let count = old.len() as u32;
        let mut names: Vec<String> = old.names().map(str::to_owned).collect();
        for number in 0..count * count * 8 {
            let frozen = decode(number, count);
            let mark = |marked: bool| if marked { "*" } else { "" };
            let mut name = format!(
                "{}{}{}.{}{}",
                mark(frozen.unit.marked),
                old.name(frozen.unit.letter),
                u8::from(frozen.unit.stepped),
                mark(frozen.saved_mark),
                old.name(frozen.saved),
            );
            while names.contains(&name) {
                name.push('\'');
            }
            names.push(name);
        }
        let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
        Letters {
            old: count,
            alphabet,
        }
    }

    /// The old letters.
    pub(super) fn old(&self) -> impl Iterator<Item = Letter> + use<> {
        (0..self.old).map(Letter)
    }

    /// All frozen letters.
    pub(super) fn all(&self) -> impl Iterator<Item = Frozen> + use<> {
        let count = self.old;
        (0..count * count * 8).map(move |number| decode(number, count))
    }

    /// The frozen letters as two tracks: the process, and what was saved.
    pub(super) fn tracks(&self) -> Tracks {
        Tracks {
            before: self.old,
            second: self.old * 2,
        }
    }

    /// The letter of a place in the loop.
    pub(super) fn frozen(&self, frozen: Frozen) -> Letter {
        let saved = frozen.saved.0 * 2 + u32::from(frozen.saved_mark);
        self.tracks().letter(frozen.unit.number(), saved)
    }

    /// The frozen letters that pass a test.
    pub(super) fn which(&self, test: impl Fn(&Frozen) -> bool) -> Predicate {
        let letters = self.all().filter(test).map(|frozen| self.frozen(frozen));
        Predicate::of(&self.alphabet, letters)
    }
}

/// The inverse of [`Letters::frozen`], counted from the first frozen letter.
fn decode(number: u32, count: u32) -> Frozen {
    let (unit, saved) = (number / (count * 2), number % (count * 2));
    Frozen {
        unit: Unit {
            letter: Letter(unit / 4),
            stepped: unit & 1 == 1,
            marked: unit & 2 == 2,
        },
        saved: Letter(saved / 2),
        saved_mark: saved & 1 == 1,
    }
}
