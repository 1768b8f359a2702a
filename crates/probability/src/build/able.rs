//! What can happen in a state, in buffers that are used again and again: building a model makes
//! steps by the million, and none of them should ask for memory.

use super::Outcome;

/// The commands of an event that can happen, and what they may do.
#[derive(Default)]
pub(super) struct Able {
    /// The commands of all parts, one part after the other.
    pub(super) commands: Vec<u32>,
    /// Where the commands of each part end.
    ends: Vec<usize>,
    /// What commands may do, one command after the other.
    pub(super) outcomes: Vec<Outcome>,
    /// Where the outcomes of each command end.
    until: Vec<usize>,
    /// One command of each part, by its place.
    which: Vec<usize>,
    /// One outcome of each of these, by its place.
    pub(super) at: Vec<usize>,
    /// The words of the present state, and of one that it leads to.
    pub(super) words: Vec<u64>,
    pub(super) target: Vec<u64>,
}

impl Able {
    /// The state in which things happen.
    pub(super) fn in_state(&mut self, words: &[u64]) {
        self.words.clear();
        self.words.extend(words);
        self.target.clear();
        self.target.extend(words);
    }

    pub(super) fn clear(&mut self) {
        self.commands.clear();
        self.ends.clear();
        self.outcomes.clear();
        self.until.clear();
    }

    /// All commands of a part are there; whether there are any.
    pub(super) fn end_part(&mut self) -> bool {
        let begin = self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.commands.len());
        begin < self.commands.len()
    }

    /// All outcomes of a command are there.
    pub(super) fn end_command(&mut self) {
        self.until.push(self.outcomes.len());
    }

    /// Leaves only some commands.
    pub(super) fn retain(&mut self, keeps: impl Fn(u32) -> bool) {
        let (mut kept, mut place) = (0, 0);
        for end in &mut self.ends {
            while place < *end {
                let command = self.commands[place];
                if keeps(command) {
                    self.commands[kept] = command;
                    kept += 1;
                }
                place += 1;
            }
            *end = kept;
        }
        self.commands.truncate(kept);
    }

    /// Whether some part has no command.
    pub(super) fn lacks_some(&self) -> bool {
        let begins = std::iter::once(&0).chain(&self.ends);
        begins.zip(&self.ends).any(|(begin, end)| begin == end)
    }

    /// Chooses the first command of each part.
    pub(super) fn begin(&mut self) {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        self.which.clear();
        self.which.extend(begins.take(self.ends.len()));
    }

    /// The commands that are chosen.
    pub(super) fn chosen(&self) -> impl Iterator<Item = u32> + '_ {
        self.which.iter().map(|&place| self.commands[place])
    }

    /// Chooses other commands; whether there were some left.
    pub(super) fn advance(&mut self) -> bool {
        let mut begin = 0;
        for (place, &end) in self.which.iter_mut().zip(&self.ends) {
            *place += 1;
            if *place < end {
                return true;
            }
            *place = begin;
            begin = end;
        }
        false
    }

    /// Where the outcomes of the command at a place are.
    fn range(&self, place: usize) -> std::ops::Range<usize> {
        let begin = place.checked_sub(1).map_or(0, |before| self.until[before]);
        begin..self.until[place]
    }

    /// The outcomes of each command that is chosen.
    pub(super) fn chosen_outcomes(&self) -> impl Iterator<Item = &[Outcome]> {
        let all = self.which.iter();
        all.map(|&place| &self.outcomes[self.range(place)])
    }

    /// Takes the first outcome of each command that is chosen; whether each has one.
    pub(super) fn begin_outcomes(&mut self) -> bool {
        let mut at = std::mem::take(&mut self.at);
        at.clear();
        let mut each = true;
        for &place in &self.which {
            let range = self.range(place);
            each &= !range.is_empty();
            at.push(range.start);
        }
        self.at = at;
        each
    }

    /// Takes other outcomes; whether there were some left.
    pub(super) fn advance_outcomes(&mut self) -> bool {
        for (part, &place) in self.which.iter().enumerate() {
            let range = self.range(place);
            self.at[part] += 1;
            if self.at[part] < range.end {
                return true;
            }
            self.at[part] = range.start;
        }
        false
    }
}
