//! Which components can be exchanged.

use std::collections::BTreeMap;

use quotient_core::{Budget, Stop};

use super::colours::{Canvas, Colours, pairing};
use super::order::{Alike, members};
use super::swap::Swap;
use super::turn::Turn;
use crate::{Network, State};

/// Components of one colour that are tried in vain before they are taken to differ.
const MOST_IN_VAIN: usize = 4;

/// The work of colouring a network once.
pub(super) fn round(network: &Network) -> u64 {
    Canvas::new(network).work()
}

/// All sets of alike components; where these are no more than pairs, rather a turn of a ring.
pub(super) fn alike(
    network: &Network,
    budget: &Budget,
) -> Result<(Vec<Alike>, Option<Turn>), Stop> {
    let finder = Finder::new(network, budget)?;
    let mut cells: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, &colour) in finder.plain.components.iter().enumerate() {
        cells.entry(colour).or_default().push(at);
    }
    // In the order of their first components.
    let mut cells: Vec<Vec<usize>> = cells.into_values().filter(|cell| cell.len() > 1).collect();
    cells.sort();
    let largest = cells.iter().max_by_key(|cell| cell.len()).cloned();
    let mut found: Vec<Alike> = Vec::new();
    for cell in cells {
        let mut in_vain = 0;
        let is_taken = |found: &[Alike], at| found.iter().any(|alike| alike.has(at));
        let mut left: Vec<usize> = cell;
        left.retain(|&at| !is_taken(&found, at));
        while left.len() > 1 && in_vain < MOST_IN_VAIN {
            let (chain, rest) = finder.chain(&left, &mut in_vain, budget)?;
            left = rest;
            if let Some(alike) = Alike::new(network, chain)
                && !alike.components().any(|at| is_taken(&found, at))
            {
                found.push(alike);
            }
        }
    }
    // To exchange the halves of a ring is less than to turn it.
    let is_little = found.iter().all(|alike| alike.len() < 3);
    let turn = match (is_little, largest) {
        (true, Some(cell)) => match finder.turn(&cell, budget) {
            Err(Stop::Work) => None,
            turn => turn?,
        },
        _ => None,
    };
    match turn {
        Some(turn) => Ok((Vec::new(), Some(turn))),
        None => Ok((found, None)),
    }
}

struct Finder<'a> {
    network: &'a Network,
    canvas: Canvas<'a>,
    plain: Colours,
}

impl<'a> Finder<'a> {
    fn new(network: &'a Network, budget: &Budget) -> Result<Finder<'a>, Stop> {
        let canvas = Canvas::new(network);
        let mut plain = canvas.plain();
        canvas.refine(&mut plain, None, budget)?;
        Ok(Finder {
            network,
            canvas,
            plain,
        })
    }

    /// Exchanges of the first component with a second, of that with a third, and so on; and the
    /// components that have no part in them.
    fn chain(
        &self,
        cell: &[usize],
        in_vain: &mut usize,
        budget: &Budget,
    ) -> Result<(Vec<Swap>, Vec<usize>), Stop> {
        let (mut last, mut swaps, mut rest) = (cell[0], Vec::new(), Vec::new());
        for (number, &next) in cell.iter().enumerate().skip(1) {
            if *in_vain >= MOST_IN_VAIN {
                rest.extend_from_slice(&cell[number..]);
                break;
            }
            let length = swaps.len();
            swaps.extend(self.swap(last, next, budget)?);
            if members(&swaps).is_none() {
                swaps.truncate(length);
            }
            match swaps.len() > length {
                true => last = next,
                false => {
                    *in_vain += 1;
                    rest.push(next);
                }
            }
        }
        Ok((swaps, rest))
    }

    /// An exchange of two components that leaves as much as possible in its place.
    ///
    /// The network is coloured twice, with the two components marked one way and the other way
    /// round. What has the same colour both times may stay, and is marked too; then what still
    /// has equals is taken in order.
    fn swap(&self, one: usize, other: usize, budget: &Budget) -> Result<Option<Swap>, Stop> {
        let mut sides = [self.plain.clone(), self.plain.clone()];
        for (side, [first, second]) in sides.iter_mut().zip([[one, other], [other, one]]) {
            side.components[first] = mark(0);
            side.components[second] = mark(1);
        }
        if !self.refine(&mut sides, budget)? {
            return Ok(None);
        }
        let staying = |sides: &[Colours; 2], kind: fn(&Colours) -> &Vec<u64>| {
            let [left, right] = [kind(&sides[0]), kind(&sides[1])];
            let is_same = |at: &usize| left[*at] == right[*at];
            (0..left.len()).filter(is_same).collect::<Vec<usize>>()
        };
        for at in staying(&sides, |side| &side.components) {
            for side in &mut sides {
                side.components[at] = mark(at as u64 + 2);
            }
        }
        if !self.refine(&mut sides, budget)? {
            return Ok(None);
        }
        for at in staying(&sides, |side| &side.events) {
            for side in &mut sides {
                side.events[at] = mark(at as u64);
            }
        }
        if !self.refine(&mut sides, budget)? {
            return Ok(None);
        }
        let Some(events) = self.by_events(&mut sides, budget)? else {
            return Ok(None);
        };
        let swap = self.between(&sides, &events);
        Ok(swap.filter(|swap| swap.is_symmetry_of(self.network)))
    }

    /// A turn that brings the first of some components into the place of another of them.
    fn turn(&self, cell: &[usize], budget: &Budget) -> Result<Option<Turn>, Stop> {
        for &place in cell.iter().skip(1).take(MOST_IN_VAIN) {
            // A ring that looks the same in both directions can also be mirrored, which is no turn.
            for is_last in [true, false] {
                let once = self.moved(cell[0], place, is_last, budget)?;
                let turn = once.and_then(|once| Turn::new(self.network, once));
                if turn.is_some() {
                    return Ok(turn);
                }
            }
        }
        Ok(None)
    }

    /// A guess who comes into whose place if one component comes into that of another.
    ///
    /// Whoever still has equals after that comes, in order, into the first or the last place that is
    /// left for its colour.
    fn moved(
        &self,
        one: usize,
        place: usize,
        is_last: bool,
        budget: &Budget,
    ) -> Result<Option<Swap>, Stop> {
        let mut sides = [self.plain.clone(), self.plain.clone()];
        let mut next = Some([one, place]);
        for number in 0.. {
            let Some(pair) = next else { break };
            for (side, at) in sides.iter_mut().zip(pair) {
                side.components[at] = mark(number);
            }
            if !self.refine(&mut sides, budget)? {
                return Ok(None);
            }
            let [left, right] = &sides;
            let [left, right] = [&left.components, &right.components];
            let has_equal = |at: &usize| left.iter().filter(|own| **own == left[*at]).count() > 1;
            let tied = (0..left.len()).find(has_equal);
            next = tied.and_then(|at| {
                let is_place = |own: &u64| *own == left[at];
                let place = match is_last {
                    true => right.iter().rposition(is_place)?,
                    false => right.iter().position(is_place)?,
                };
                Some([at, place])
            });
        }
        let Some(events) = self.by_events(&mut sides, budget)? else {
            return Ok(None);
        };
        Ok(self.between(&sides, &events))
    }

    /// What events become: what is left of them is taken in order; states follow from them.
    fn by_events(
        &self,
        sides: &mut [Colours; 2],
        budget: &Budget,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let [left, right] = &*sides;
        let Some(events) = pairing(&left.events, &right.events) else {
            return Ok(None);
        };
        for (event, &becomes) in events.iter().enumerate().skip(1) {
            sides[0].events[event] = mark(becomes as u64);
            sides[1].events[becomes] = mark(becomes as u64);
        }
        Ok(self.refine(sides, budget)?.then_some(events))
    }

    fn refine(&self, sides: &mut [Colours; 2], budget: &Budget) -> Result<bool, Stop> {
        let [left, right] = sides;
        let rounds = self.canvas.refine(left, None, budget)?;
        self.canvas.refine(right, Some(rounds), budget)?;
        Ok(left.match_with(right))
    }

    /// The change of places that two colourings say; whether it changes the network is not looked at.
    fn between(&self, [left, right]: &[Colours; 2], events: &[usize]) -> Option<Swap> {
        let components = pairing(&left.components, &right.components)?;
        let first = &self.canvas.first;
        let mut states = Vec::with_capacity(components.len());
        for (part, &other) in components.iter().enumerate() {
            let own = &left.states[first[part]..first[part + 1]];
            let others = &right.states[first[other]..first[other + 1]];
            let pairs = pairing(own, others)?;
            let is_moved = pairs.iter().enumerate().any(|(state, &to)| state != to);
            states.push(is_moved.then(|| pairs.iter().map(|&to| State::from_index(to)).collect()));
        }
        Some(Swap {
            components,
            events: events.iter().map(|&event| event as u32).collect(),
            states,
        })
    }
}

/// A colour that nothing else has.
fn mark(number: u64) -> u64 {
    (number + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
