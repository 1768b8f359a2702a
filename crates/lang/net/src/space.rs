//! The markings of a net as a system to search: each place gets as many bits as it needs.

use std::cell::RefCell;

use quotient_explicit::System;

use crate::net::Net;

/// A net with a layout of its markings in words.
pub(crate) struct Space<'a> {
    net: &'a Net,
    start: Vec<u64>,
    fields: Vec<Field>,
    width: usize,
    scratch: RefCell<Vec<u64>>,
}

/// Where the tokens of a place are.
#[derive(Debug, Clone, Copy)]
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

/// How many bits a number needs; at least one.
fn bits_of(number: u64) -> u32 {
    (64 - number.leading_zeros()).max(1)
}

impl<'a> Space<'a> {
    /// Lays places out by the bits of each; what the start does not fit into is widened.
    pub(crate) fn new(net: &'a Net, start: &[u64], bits: &mut [u32]) -> Space<'a> {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::with_capacity(bits.len());
        for (bits, &tokens) in bits.iter_mut().zip(start) {
            *bits = (*bits).max(bits_of(tokens)).min(64);
            if used + *bits > 64 {
                (word, used) = (word + 1, 0);
            }
            fields.push(Field {
                word,
                shift: used,
                mask: u64::MAX >> (64 - *bits),
            });
            used += *bits;
        }
        Space {
            net,
            start: start.to_vec(),
            fields,
            width: word + 1,
            scratch: RefCell::new(Vec::new()),
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

    fn pack(&self, marking: &[u64], state: &mut Vec<u64>) -> Result<(), u64> {
        state.clear();
        state.resize(self.width, 0);
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
        let mut state = Vec::new();
        if self.pack(&self.start, &mut state).is_ok() {
            emit(&state);
        }
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let mut next = self.scratch.borrow_mut();
        for (label, transition) in self.net.transitions.iter().enumerate() {
            let mut guards = transition.guard.iter();
            let enabled = guards.all(|guard| {
                let tokens = self.fields[guard.place].get(state);
                tokens >= guard.least && guard.most.is_none_or(|most| tokens <= most)
            });
            if !enabled {
                continue;
            }
            if transition.assign.is_empty() {
                next.clear();
                next.extend_from_slice(state);
                for &(place, change) in &transition.effect {
                    let field = self.fields[place];
                    let tokens = field.get(&next).checked_add_signed(change);
                    match tokens.filter(|&tokens| tokens <= field.mask) {
                        Some(tokens) => field.set(&mut next, tokens),
                        None => return Err(place as u64),
                    }
                }
            } else {
                let mut marking = Vec::new();
                self.unpack(state, &mut marking);
                match transition.fire(&marking) {
                    Some(after) => self.pack(&after, &mut next)?,
                    None if transition.is_enabled(&marking) => return Err(0),
                    None => continue,
                }
            }
            emit(label as u32, &next);
        }
        Ok(())
    }
}
