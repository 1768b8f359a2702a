//! The markings of a net as a system to search: each place gets as many bits as it needs.
//!
//! Transitions are compiled to the layout: places of one bit are tested word by word, and what a
//! transition changes is one addition for each word (fields never run over, so that sums of
//! words are sums of fields).

use std::sync::Arc;

use quotient_explicit::{Need, Needs, Successors, System};

use crate::net::{Guard, Net, Transition};
use crate::order;

/// A net with a layout of its markings in words.
pub(crate) struct Space<'a> {
    net: Held<'a>,
    start: Vec<u64>,
    fields: Vec<Field>,
    moves: Vec<Move>,
    quick: Vec<Quick>,
    needs: Needs,
    width: usize,
}

/// Markings of so few words need no memory of their own on the way.
const FEW_WORDS: usize = 16;
/// The most places whose order is chosen, so that those that change together stand together.
const MOST_ORDERED: usize = 512;

/// The net of a layout: somebody else's, or shared by several workers.
enum Held<'a> {
    Borrowed(&'a Net),
    Shared(Arc<Net>),
}

impl std::ops::Deref for Held<'_> {
    type Target = Net;

    fn deref(&self) -> &Net {
        match self {
            Held::Borrowed(net) => net,
            Held::Shared(net) => net,
        }
    }
}

/// Where the tokens of a place are.
#[derive(Debug, Clone, Copy, Default)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

impl Field {
    fn get(self, state: &[u64]) -> u64 {
        (state[self.word] >> self.shift) & self.mask
    }

    fn set(self, state: &mut [u64], tokens: u64) {
        state[self.word] = (state[self.word] & !(self.mask << self.shift)) | (tokens << self.shift);
    }
}

/// What a transition does, where it changes one word and its tables tell all that it needs.
#[derive(Debug, Clone, Copy, Default)]
struct Quick {
    word: usize,
    /// Bits that must not be there, since they are about to be.
    room: u64,
    /// What is added.
    adds: u64,
    /// Whether that is all it does.
    is_all: bool,
}

impl Quick {
    fn of(one: &Move, is_whole: bool) -> Quick {
        let changed = one.room.iter().chain(&one.adds);
        let word = changed.map(|&(word, _)| word).next().unwrap_or(0);
        let elsewhere = |list: &[(usize, u64)]| list.iter().any(|one| one.0 != word);
        let here = |list: &[(usize, u64)]| {
            let here = list.iter().find(|one| one.0 == word);
            here.map_or(0, |one| one.1)
        };
        Quick {
            word,
            room: here(&one.room),
            adds: here(&one.adds),
            is_all: is_whole
                && !elsewhere(&one.room)
                && !elsewhere(&one.adds)
                && one.grows.is_empty()
                && !one.assigns,
        }
    }
}

/// A transition in a layout.
#[derive(Debug, Clone, Default)]
struct Move {
    /// Bits of words that must be there.
    needs: Vec<(usize, u64)>,
    /// Fields with the least and the most that they must hold.
    guards: Vec<(Field, u64, u64)>,
    /// Bits of words that must not be there, since they are about to be.
    room: Vec<(usize, u64)>,
    /// Fields that grow, and by how much.
    grows: Vec<(Field, u64)>,
    /// What is added to words.
    adds: Vec<(usize, u64)>,
    /// Whether places get sums of places: then the net itself must say what happens.
    assigns: bool,
}

impl Move {
    fn new(transition: &Transition, fields: &[Field]) -> Move {
        let mut all = Move {
            assigns: !transition.assign.is_empty(),
            ..Move::default()
        };
        let add = |list: &mut Vec<(usize, u64)>, word: usize, bits: u64| match list
            .iter_mut()
            .find(|one| one.0 == word)
        {
            Some(one) => one.1 = one.1.wrapping_add(bits),
            None => list.push((word, bits)),
        };
        for guard in &transition.guard {
            let field = fields[guard.place];
            match (field.mask, guard.least, guard.most) {
                (1, 1, None) => add(&mut all.needs, field.word, 1 << field.shift),
                (_, least, most) => all.guards.push((field, least, most.unwrap_or(u64::MAX))),
            }
        }
        for &(place, change) in &transition.effect {
            let field = fields[place];
            if change > 0 {
                match (field.mask, change) {
                    (1, 1) => add(&mut all.room, field.word, 1 << field.shift),
                    _ => all.grows.push((field, change.unsigned_abs())),
                }
            }
            let bits = (change as u64).wrapping_shl(field.shift);
            add(&mut all.adds, field.word, bits);
        }
        all
    }

    fn is_enabled(&self, state: &[u64]) -> bool {
        let has = |&(word, bits): &(usize, u64)| state[word] & bits == bits;
        let fits = |&(field, least, most): &(Field, u64, u64)| {
            let tokens = field.get(state);
            tokens >= least && tokens <= most
        };
        self.needs.iter().all(has) && self.guards.iter().all(fits)
    }

    /// Whether the layout has room for what it gives.
    fn has_room(&self, state: &[u64]) -> bool {
        let free = |&(word, bits): &(usize, u64)| state[word] & bits == 0;
        let grows = |&(field, change): &(Field, u64)| {
            let sum = field.get(state).checked_add(change);
            sum.is_some_and(|sum| sum <= field.mask)
        };
        self.room.iter().all(free) && self.grows.iter().all(grows)
    }
}

/// What a transition needs of a marking.
fn needs(transition: &Transition, fields: &[Field]) -> Vec<Need> {
    let need = |guard: &Guard| {
        let field = fields[guard.place];
        Need {
            word: field.word,
            shift: field.shift,
            bits: field.mask.count_ones(),
            least: guard.least,
            most: guard.most.unwrap_or(u64::MAX),
        }
    };
    transition.guard.iter().map(need).collect()
}

/// How many bits a number needs; at least one.
fn bits_of(number: u64) -> u32 {
    (64 - number.leading_zeros()).max(1)
}

impl<'a> Space<'a> {
    /// Lays places out by the bits of each; what the start does not fit into is widened.
    pub(crate) fn new(net: &'a Net, start: &[u64], bits: &mut [u32]) -> Space<'a> {
        Space::laid_out(Held::Borrowed(net), start, bits)
    }

    /// The same for a net that is shared.
    pub(crate) fn of(net: Arc<Net>, start: &[u64], bits: &mut [u32]) -> Space<'static> {
        Space::laid_out(Held::Shared(net), start, bits)
    }

    fn laid_out<'n>(net: Held<'n>, start: &[u64], bits: &mut [u32]) -> Space<'n> {
        for (bits, &tokens) in bits.iter_mut().zip(start) {
            *bits = (*bits).max(bits_of(tokens)).min(64);
        }
        let all: u32 = bits.iter().sum();
        // Words that are all about as full have few values each, and are found soon when states
        // are folded.
        let full = match all <= 64 || bits.len() > MOST_ORDERED {
            true => 64,
            false => all.div_ceil(all.div_ceil(64)),
        };
        let order: Vec<usize> = match full < 64 {
            true => order::order(&net),
            false => (0..bits.len()).collect(),
        };
        let (mut word, mut used) = (0, 0);
        let mut fields = vec![Field::default(); bits.len()];
        for place in order {
            let bits = bits[place];
            if used > 0 && (used + bits > 64 || used >= full) {
                (word, used) = (word + 1, 0);
            }
            fields[place] = Field {
                word,
                shift: used,
                mask: u64::MAX >> (64 - bits),
            };
            used += bits;
        }
        let transitions = net.transitions.iter();
        let moves: Vec<Move> = transitions.map(|one| Move::new(one, &fields)).collect();
        let transitions = net.transitions.iter();
        let needs: Vec<Vec<Need>> = transitions.map(|one| needs(one, &fields)).collect();
        let needs = Needs::new(&needs);
        let quick = moves.iter().enumerate();
        let quick = quick.map(|(at, one)| Quick::of(one, needs.is_whole(at)));
        Space {
            quick: quick.collect(),
            needs,
            moves,
            net,
            start: start.to_vec(),
            fields,
            width: word + 1,
        }
    }

    /// A marking from its words.
    pub(crate) fn unpack(&self, state: &[u64], marking: &mut Vec<u64>) {
        marking.clear();
        marking.extend(self.fields.iter().map(|field| field.get(state)));
    }

    /// How many places there are.
    pub(crate) fn places(&self) -> usize {
        self.fields.len()
    }

    /// The tokens of a place in a packed marking.
    pub(crate) fn tokens(&self, state: &[u64], place: usize) -> u64 {
        self.fields[place].get(state)
    }

    /// Sets the tokens of a place in a packed marking; they must fit.
    pub(crate) fn put(&self, state: &mut [u64], place: usize, tokens: u64) {
        self.fields[place].set(state, tokens);
    }

    /// Whether a transition that neither adds up nor resets places can fire.
    pub(crate) fn is_enabled(&self, transition: usize, state: &[u64]) -> bool {
        self.moves[transition].is_enabled(state)
    }

    /// The packed marking after a transition fired; says whether it could. A number of a place is
    /// an error: its tokens do not fit.
    pub(crate) fn fire(
        &self,
        transition: usize,
        state: &[u64],
        next: &mut Vec<u64>,
    ) -> Result<bool, u64> {
        next.resize(self.width, 0);
        self.fire_into(transition, state, next)
    }

    fn fire_into(&self, transition: usize, state: &[u64], next: &mut [u64]) -> Result<bool, u64> {
        let one = &self.moves[transition];
        if !one.is_enabled(state) {
            return Ok(false);
        }
        if one.assigns {
            return self.fire_plainly(transition, state, next);
        }
        if !one.has_room(state) {
            return Err(self.full(transition, state));
        }
        next.copy_from_slice(state);
        for &(word, bits) in &one.adds {
            next[word] = next[word].wrapping_add(bits);
        }
        Ok(true)
    }

    /// Tells every step from a marking.
    #[inline]
    fn each(
        &self,
        state: &[u64],
        next: &mut [u64],
        mut emit: impl FnMut(u32, &[u64]),
    ) -> Result<(), u64> {
        next.copy_from_slice(state);
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, state);
            while able != 0 {
                let transition = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                let quick = &self.quick[transition];
                let word = state[quick.word];
                if quick.is_all && word & quick.room == 0 {
                    next[quick.word] = word.wrapping_add(quick.adds);
                    emit(transition as u32, next);
                    next[quick.word] = word;
                } else {
                    if self.fire_into(transition, state, next)? {
                        emit(transition as u32, next);
                    }
                    next.copy_from_slice(state);
                }
            }
        }
        Ok(())
    }

    /// The same for markings of one word.
    #[inline]
    fn each_word(&self, word: u64, into: &mut Successors) -> Result<(), u64> {
        for block in 0..self.needs.blocks() {
            let mut able = self.needs.able(block, &[word]);
            while able != 0 {
                let transition = block * 64 + able.trailing_zeros() as usize;
                able &= able - 1;
                let quick = &self.quick[transition];
                if quick.is_all && word & quick.room == 0 {
                    into.push_word(transition as u32, word.wrapping_add(quick.adds));
                } else {
                    let mut next = [0];
                    if self.fire_into(transition, &[word], &mut next)? {
                        into.push_word(transition as u32, next[0]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The place that has no room for what a transition gives.
    fn full(&self, transition: usize, state: &[u64]) -> u64 {
        let effect = &self.net.transitions[transition].effect;
        let is_full = |&&(place, change): &&(usize, i64)| {
            let field = self.fields[place];
            let sum = field.get(state).checked_add_signed(change);
            sum.is_none_or(|sum| sum > field.mask)
        };
        effect.iter().find(is_full).map_or(0, |one| one.0 as u64)
    }

    fn fire_plainly(
        &self,
        transition: usize,
        state: &[u64],
        next: &mut [u64],
    ) -> Result<bool, u64> {
        let mut marking = Vec::new();
        self.unpack(state, &mut marking);
        let transition = &self.net.transitions[transition];
        match transition.fire(&marking) {
            Some(after) => self.pack(&after, next).map(|()| true),
            None if transition.is_enabled(&marking) => Err(0),
            None => Ok(false),
        }
    }

    fn pack(&self, marking: &[u64], state: &mut [u64]) -> Result<(), u64> {
        for (place, (&field, &tokens)) in self.fields.iter().zip(marking).enumerate() {
            if tokens > field.mask {
                return Err(place as u64);
            }
            field.set(state, tokens);
        }
        Ok(())
    }
}

impl System for Space<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        let mut state = vec![0; self.width];
        if self.pack(&self.start, &mut state).is_ok() {
            emit(&state);
        }
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let mut few = [0; FEW_WORDS];
        match few.get_mut(..self.width) {
            Some(next) => self.each(state, next, emit),
            None => self.each(state, &mut vec![0; self.width], emit),
        }
    }

    fn all_successors(&self, state: &[u64], into: &mut Successors) -> Result<(), u64> {
        if let [word] = *state {
            return self.each_word(word, into);
        }
        let mut few = [0; FEW_WORDS];
        let emit = |label: u32, next: &[u64]| into.push(label, next);
        match few.get_mut(..self.width) {
            Some(next) => self.each(state, next, emit),
            None => self.each(state, &mut vec![0; self.width], emit),
        }
    }
}
