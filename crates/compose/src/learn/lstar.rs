//! L* with one suffix a counterexample.

mod pack;

use quotient_core::Stop;
use rustc_hash::FxHashMap;

use self::pack::Pack;
use super::{Letter, Machine, Membership, Position};

/// An observation table: rows are words, columns are suffixes.
///
/// Words that the teacher takes to the same position have the same row, so that a row is kept
/// for each position and words are not kept at all.
#[derive(Debug)]
pub(crate) struct LStar {
    letters: usize,
    /// Where words with pairwise different rows lead; the first is the empty word.
    prefixes: Vec<Position>,
    /// Where each prefix with each letter leads, as far as it was asked.
    longer: Vec<Position>,
    suffixes: Vec<Vec<Letter>>,
    rows: Rows,
    /// The prefix with each row that a prefix has, for all suffixes.
    known: FxHashMap<Vec<u64>, u32>,
    /// The prefix with the row of each position, for all suffixes, or [`UNKNOWN`].
    class: Vec<u32>,
    /// How many suffixes `known` and `class` were made for.
    sorted: usize,
    /// How many cells the table had when they were last counted.
    cells: u64,
    guess: Option<Machine>,
    /// Takes over when there are many rows.
    pack: Option<Pack>,
    many: usize,
}

/// From how many prefixes on the table is too large. All published sizes are below.
const MANY: usize = 256;

const UNKNOWN: u32 = u32::MAX;

impl LStar {
    pub(crate) fn new(letters: usize) -> LStar {
        LStar::with_many(letters, MANY)
    }

    /// With a table for fewer prefixes than that, and a pack beyond.
    pub(super) fn with_many(letters: usize, many: usize) -> LStar {
        LStar {
            pack: None,
            many,
            letters,
            prefixes: Vec::new(),
            longer: Vec::new(),
            suffixes: vec![Vec::new()],
            rows: Rows::default(),
            known: FxHashMap::default(),
            class: Vec::new(),
            sorted: 0,
            cells: 0,
            guess: None,
        }
    }

    pub(crate) fn hypothesis(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        let machine = match &mut self.pack {
            Some(pack) => pack.hypothesis(teacher)?,
            None => self.tabled(teacher)?,
        };
        self.guess = Some(machine.clone());
        Ok(machine)
    }

    /// The guess of the table.
    fn tabled(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        if self.prefixes.is_empty() {
            self.prefixes.push(teacher.start());
        }
        if self.sorted < self.suffixes.len() {
            self.sort(teacher)?;
        }
        let asked = self.rows.asked;
        let mut machine = Machine::new(self.letters);
        let mut targets = Vec::with_capacity(self.letters);
        // The empty word is in the table by itself.
        let mut cells = self.suffixes.len() as u64;
        let mut index = 0;
        while index < self.prefixes.len() {
            for letter in 0..self.letters {
                let at = index * self.letters + letter;
                if at == self.longer.len() {
                    let longer = teacher.step(self.prefixes[index], letter as Letter)?;
                    self.longer.push(longer);
                }
                let position = self.longer[at];
                targets.push(self.class(position, teacher)?);
                // With a word outside the language, all that it begins is outside.
                cells += match position {
                    Position::OUTSIDE => 1,
                    _ => self.suffixes.len() as u64,
                };
            }
            machine.push(targets.drain(..));
            index += 1;
        }
        let fresh = cells.saturating_sub(self.cells);
        teacher.count(fresh, fresh.saturating_sub(self.rows.asked - asked));
        self.cells = cells;
        Ok(machine)
    }

    pub(crate) fn counterexample(
        &mut self,
        word: &[Letter],
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        let Some(guess) = self.guess.take() else {
            return Ok(());
        };
        // Replace the first i letters by the prefix of the state they lead to in the guess.
        // At 0 the teacher contradicts the guess, at the end they agree: somewhere between
        // is a step where the answer changes.
        let mut states = vec![0];
        for &letter in word {
            match guess.step(states[states.len() - 1], letter) {
                Machine::REJECT => break,
                state => states.push(state),
            }
        }
        let accepted = states.len() > word.len();
        let (mut low, mut high) = (0, states.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            let prefix = self.prefix(states[middle]);
            teacher.count(1, 0);
            match teacher.accepts_after(prefix, &word[middle..])? == accepted {
                true => high = middle,
                false => low = middle,
            }
        }
        let suffix = word.get(low + 1..).unwrap_or_default().to_vec();
        if self.pack.is_none() && self.prefixes.len() >= self.many {
            self.pack = Some(self.packed(teacher)?);
        }
        let Some(pack) = &mut self.pack else {
            if !self.suffixes.contains(&suffix) {
                self.suffixes.push(suffix);
            }
            return Ok(());
        };
        // The word up to the changed answer was taken for one of this class.
        let Some(&class) = states.get(low + 1) else {
            return Ok(());
        };
        let own = teacher.step(pack.prefix(states[low]), word[low])?;
        pack.split(class, own, suffix, teacher)
    }

    fn prefix(&self, state: u32) -> Position {
        match &self.pack {
            Some(pack) => pack.prefix(state),
            None => self.prefixes[state as usize],
        }
    }

    /// What the table knows, to go on without it.
    fn packed(&mut self, teacher: &mut impl Membership) -> Result<Pack, Stop> {
        let mut rows = Vec::with_capacity(self.prefixes.len());
        for &position in &self.prefixes {
            let row = self.rows.complete(position, &self.suffixes, teacher)?;
            rows.push(row.to_vec());
        }
        let prefixes = std::mem::take(&mut self.prefixes);
        self.rows = Rows::default();
        self.known = FxHashMap::default();
        self.class = Vec::new();
        self.longer = Vec::new();
        Ok(Pack::new(self.letters, prefixes, &self.suffixes, &rows))
    }

    /// Tells the prefixes apart by all suffixes, some of which are new.
    fn sort(&mut self, teacher: &mut impl Membership) -> Result<(), Stop> {
        self.known.clear();
        self.class.fill(UNKNOWN);
        for (index, &position) in (0..).zip(&self.prefixes) {
            let row = self.rows.complete(position, &self.suffixes, teacher)?;
            self.known.insert(row.to_vec(), index);
        }
        self.sorted = self.suffixes.len();
        Ok(())
    }

    /// The prefix with the row of a position, which becomes a prefix itself if there is none.
    fn class(&mut self, position: Position, teacher: &mut impl Membership) -> Result<u32, Stop> {
        if position == Position::OUTSIDE {
            return Ok(Machine::REJECT);
        }
        if self.class.len() <= position.index() {
            self.class.resize(position.index() + 1, UNKNOWN);
        }
        if self.class[position.index()] == UNKNOWN {
            let row = self.rows.complete(position, &self.suffixes, teacher)?;
            let fresh = self.prefixes.len() as u32;
            let class = match self.known.get(row) {
                Some(&prefix) => prefix,
                None => {
                    self.known.insert(row.to_vec(), fresh);
                    self.prefixes.push(position);
                    fresh
                }
            };
            self.class[position.index()] = class;
        }
        Ok(self.class[position.index()])
    }
}

/// What the suffixes do at each position, one bit each.
#[derive(Debug, Default)]
struct Rows {
    bits: Vec<Vec<u64>>,
    /// How many suffixes each row is made for.
    filled: Vec<u32>,
    /// How many bits were found by asking.
    asked: u64,
}

impl Rows {
    /// The row of a position, completed for suffixes that came later.
    fn complete(
        &mut self,
        position: Position,
        suffixes: &[Vec<Letter>],
        teacher: &mut impl Membership,
    ) -> Result<&[u64], Stop> {
        let at = position.index();
        if self.bits.len() <= at {
            self.bits.resize(at + 1, Vec::new());
            self.filled.resize(at + 1, 0);
        }
        let row = &mut self.bits[at];
        for number in self.filled[at] as usize..suffixes.len() {
            if number / 64 == row.len() {
                row.push(0);
            }
            let accepts = teacher.accepts_after(position, &suffixes[number])?;
            row[number / 64] |= u64::from(accepts) << (number % 64);
            self.filled[at] = number as u32 + 1;
            self.asked += 1;
        }
        Ok(row)
    }
}
