//! Configurations with numbers in them, and what a machine makes of them.

use super::canonical::canonical;
use super::part::{Count, Part};
use crate::machine::{Machine, Side, State, Symbol};

/// The most copies of a word that are crossed at a time.
const COPIES: u64 = 6;

/// The most cells that a head carries along when it crosses a block.
const CARRIED: usize = 8;

/// The most steps on one copy of a word.
const INSIDE: usize = 500;

/// How the runs of a family end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They stop with so many ones.
    With(Count),
    /// They never do: the head runs away over blanks.
    Never,
}

/// What comes of an attempt to cross a word.
enum Crossed {
    /// This, seen from the other side.
    Becomes(Vec<Symbol>),
    /// The head goes further back than the cells that it carries.
    FellBack,
    /// The head does not come out as it came in.
    No,
}

/// A configuration with numbers in it; the nearest block of a side is the last of its list, and
/// the head stands on the first cell to the right.
#[derive(Clone)]
pub(super) struct Symbolic<'a> {
    pub(super) machine: &'a Machine,
    pub(super) left: Vec<Part>,
    pub(super) right: Vec<Part>,
    pub(super) state: State,
    /// Whether a step was made for sure: crossing a block may be none.
    pub(super) stepped: bool,
}

impl<'a> Symbolic<'a> {
    /// A configuration from its blocks outward from the head.
    pub(super) fn new(
        machine: &'a Machine,
        state: State,
        left: Vec<Part>,
        right: Vec<Part>,
    ) -> Symbolic<'a> {
        let stack = |parts: Vec<Part>| parts.into_iter().rev().collect();
        Symbolic {
            machine,
            left: stack(left),
            right: stack(right),
            state,
            stepped: false,
        }
    }

    /// The halves outward from the head in their one form; none if they are too large.
    pub(super) fn halves(&self) -> Option<(Vec<Part>, Vec<Part>)> {
        let outward = |stack: &[Part]| {
            let parts: Vec<Part> = stack.iter().rev().cloned().collect();
            canonical(&parts, self.machine.blank)
        };
        outward(&self.left).zip(outward(&self.right))
    }

    /// How many cells have to be looked at to compare it: copies that are always there count.
    pub(super) fn size(&self) -> u64 {
        let parts = self.left.iter().chain(&self.right);
        let cells = parts.map(|part| match part.is_constant() {
            true => (part.word.len() as u64).saturating_mul(part.count.count),
            false => part.word.len() as u64,
        });
        cells.fold(1, u64::saturating_add)
    }

    /// How it ends, if it ends here.
    pub(super) fn ends(&self) -> Option<Ends> {
        let blank = self.machine.blank;
        let mut ahead = self.right.clone();
        // Whether a block has a first copy must be known.
        let scanned = take(&mut ahead, blank)?;
        if self.machine.action(self.state, scanned).is_none() {
            let is_one = |&&symbol: &&Symbol| symbol == self.machine.one;
            let mut sum = Count::of(0);
            for part in self.left.iter().chain(&self.right) {
                let ones = part.word.iter().filter(is_one).count() as u64;
                sum = sum.plus(&part.count.times(ones)?)?;
            }
            return Some(Ends::With(sum));
        }
        let only_blanks = |stack: &[Part]| {
            let there = stack.iter().filter(|part| part.count != Count::of(0));
            let mut cells = there.flat_map(|part| &part.word);
            cells.all(|&symbol| symbol == blank)
        };
        let runs = |side: Side, stack: &[Part]| {
            let mut here = self.state;
            let comes_again = (0..self.machine.states.len()).any(|_| {
                match self.machine.action(here, blank) {
                    Some(action) if action.shift == Some(side) => here = action.to,
                    _ => return false,
                }
                here == self.state
            });
            scanned == blank && comes_again && only_blanks(stack)
        };
        let away = runs(Side::Right, &ahead) || runs(Side::Left, &self.left);
        away.then_some(Ends::Never)
    }

    /// Crosses a block or makes a step; says whether that was possible.
    pub(super) fn advance(&mut self) -> bool {
        if self.cross(Side::Right) {
            return true;
        }
        let Some(scanned) = take(&mut self.right, self.machine.blank) else {
            return false;
        };
        let Some(action) = self.machine.action(self.state, scanned) else {
            return false;
        };
        self.state = action.to;
        self.stepped = true;
        let written = Part::cell(action.write);
        match action.shift {
            None => self.right.push(written),
            Some(Side::Right) => self.left.push(written),
            Some(Side::Left) => {
                self.right.push(written);
                while self.cross(Side::Left) {}
                let Some(ahead) = take(&mut self.left, self.machine.blank) else {
                    return false;
                };
                self.right.push(Part::cell(ahead));
            }
        }
        true
    }

    /// Crosses the next block on a side, perhaps several copies of its word at a time, perhaps
    /// with some cells carried along; says whether that was possible.
    fn cross(&mut self, side: Side) -> bool {
        let (ahead, behind) = match side {
            Side::Right => (&self.right, &self.left),
            Side::Left => (&self.left, &self.right),
        };
        let Some(top) = ahead.last().filter(|top| !top.is_constant()).cloned() else {
            return false;
        };
        let behind = behind.clone();
        for times in 1..=COPIES {
            let Some((copies, left_over)) = top.count.divided(times) else {
                continue;
            };
            let word = top.word.repeat(times as usize);
            // Outward: the cell next to the head first.
            let (mut carried, mut rest) = (Vec::new(), behind.clone());
            loop {
                match self.crossed(&carried, &word, side) {
                    Crossed::No => break,
                    Crossed::Becomes(word) => {
                        let over = Part {
                            word,
                            count: copies,
                        };
                        self.replace(side, over, left_over, &carried, rest);
                        return true;
                    }
                    // With more cells behind it the head may come back.
                    Crossed::FellBack if carried.len() == CARRIED => break,
                    Crossed::FellBack => match take(&mut rest, self.machine.blank) {
                        Some(symbol) => carried.push(symbol),
                        None => break,
                    },
                }
            }
        }
        false
    }

    /// Puts what a block became behind the head, with what was carried along before it; what is
    /// left of the block stays ahead.
    fn replace(
        &mut self,
        side: Side,
        over: Part,
        left_over: u64,
        carried: &[Symbol],
        mut behind: Vec<Part>,
    ) {
        behind.push(over);
        behind.extend(carried.iter().rev().map(|&symbol| Part::cell(symbol)));
        let (ahead, old) = match side {
            Side::Right => (&mut self.right, &mut self.left),
            Side::Left => (&mut self.left, &mut self.right),
        };
        *old = behind;
        if let Some(mut block) = ahead.pop()
            && left_over > 0
        {
            block.count = Count::of(left_over);
            ahead.push(block);
        }
    }

    /// What a word becomes, seen from the other side, if the head comes in at its near end and
    /// leaves at its far end in the same state, with the same cells behind it: `u q> w` becomes
    /// `w' u q>`. The word is read away from the head, what is carried is read away from it the
    /// other way.
    fn crossed(&self, carried: &[Symbol], word: &[Symbol], towards: Side) -> Crossed {
        let mut cells: Vec<Symbol> = carried.iter().rev().chain(word).copied().collect();
        let (mut here, mut place) = (self.state, carried.len());
        for _ in 0..INSIDE {
            let Some(action) = self.machine.action(here, cells[place]) else {
                return Crossed::No;
            };
            cells[place] = action.write;
            here = action.to;
            match action.shift {
                None => continue,
                Some(side) if side == towards => place += 1,
                Some(_) if place == 0 => return Crossed::FellBack,
                Some(_) => place -= 1,
            }
            if place == cells.len() {
                let again = cells.split_off(word.len());
                let same = here == self.state && again.iter().eq(carried.iter().rev());
                cells.reverse();
                return match same {
                    true => Crossed::Becomes(cells),
                    false => Crossed::No,
                };
            }
        }
        Crossed::No
    }
}

/// Takes the nearest symbol; none if it is not known whether there is another copy.
fn take(stack: &mut Vec<Part>, blank: Symbol) -> Option<Symbol> {
    loop {
        let Some(mut top) = stack.pop() else {
            return Some(blank);
        };
        if top.count == Count::of(0) {
            continue;
        }
        // A block of at least one copy for every number gives one away.
        top.count.count = top.count.count.checked_sub(1)?;
        let word = top.word.clone();
        if top.count != Count::of(0) {
            stack.push(top);
        }
        for &symbol in word[1..].iter().rev() {
            stack.push(Part::cell(symbol));
        }
        return Some(word[0]);
    }
}
