//! Fewer markings for the question whether a net can get stuck.
//!
//! In each marking only a *stubborn set* of transitions fires (Valmari, 1989): with a transition
//! that can fire, all that compete with it; with one that cannot, all that put tokens on a place
//! that it lacks. What is outside neither helps nor hinders what is inside, so that every marking
//! that is stuck is still reached.

use quotient_explicit::System;

use crate::net::Net;
use crate::space::Space;

/// How many transitions are tried to begin a set with.
const BEGINNINGS: usize = 4;

/// Which transitions touch a place, and how.
pub(crate) struct Relations {
    /// Those that compete with a transition: one of them takes what the other needs.
    rivals: Vec<Vec<usize>>,
    /// What a transition needs.
    needs: Vec<Vec<(usize, u64)>>,
    /// Those that put tokens on a place.
    givers: Vec<Vec<usize>>,
}

impl Relations {
    /// Of a net whose transitions only need, take and give; nothing if there are others.
    pub(crate) fn new(net: &Net) -> Option<Relations> {
        if !only_takes_and_gives(net) {
            return None;
        }
        let mut takers = vec![Vec::new(); net.places.len()];
        let mut givers = vec![Vec::new(); net.places.len()];
        let mut needs = Vec::new();
        for (number, one) in net.transitions.iter().enumerate() {
            for guard in &one.guard {
                takers[guard.place].push(number);
            }
            for &(place, change) in &one.effect {
                if change > 0 {
                    givers[place].push(number);
                }
            }
            needs.push(
                one.guard
                    .iter()
                    .map(|guard| (guard.place, guard.least))
                    .collect(),
            );
        }
        let takes = |number: usize, place: usize| {
            let effect = &net.transitions[number].effect;
            effect
                .iter()
                .any(|&(one, change)| one == place && change < 0)
        };
        let rivals = (0..net.transitions.len()).map(|number| {
            let guard = net.transitions[number].guard.iter();
            let mut all: Vec<usize> = guard
                .flat_map(|guard| {
                    let place = guard.place;
                    let own = takes(number, place);
                    takers[place]
                        .iter()
                        .copied()
                        .filter(move |&other| own || takes(other, place))
                })
                .filter(|&other| other != number)
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        Some(Relations {
            rivals: rivals.collect(),
            needs,
            givers,
        })
    }

    /// A stubborn set where one of the transitions can fire; its members in order.
    pub(crate) fn set(
        &self,
        is_enabled: &dyn Fn(usize) -> bool,
        tokens: &dyn Fn(usize) -> u64,
    ) -> Vec<usize> {
        let enabled = (0..self.needs.len()).filter(|&one| is_enabled(one));
        let mut best: Option<(usize, Vec<usize>)> = None;
        for begin in enabled.take(BEGINNINGS) {
            let set = self.closure(begin, is_enabled, tokens);
            let size = set.iter().filter(|&&one| is_enabled(one)).count();
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, set));
            }
            if size == 1 {
                break;
            }
        }
        best.map(|(_, set)| set).unwrap_or_default()
    }

    fn closure(
        &self,
        begin: usize,
        is_enabled: &dyn Fn(usize) -> bool,
        tokens: &dyn Fn(usize) -> u64,
    ) -> Vec<usize> {
        let mut inside = vec![false; self.needs.len()];
        inside[begin] = true;
        let mut todo = vec![begin];
        while let Some(one) = todo.pop() {
            let more = match is_enabled(one) {
                true => &self.rivals[one],
                false => {
                    let lacking = self.needs[one].iter();
                    let lacking = lacking.filter(|&&(place, least)| tokens(place) < least);
                    // The place that fewest new transitions give to.
                    let new = |place: usize| {
                        let givers = self.givers[place].iter();
                        givers.filter(|&&giver| !inside[giver]).count()
                    };
                    let place = lacking
                        .map(|&(place, _)| place)
                        .min_by_key(|&place| new(place));
                    match place {
                        Some(place) => &self.givers[place],
                        None => continue,
                    }
                }
            };
            for &other in more {
                if !inside[other] {
                    inside[other] = true;
                    todo.push(other);
                }
            }
        }
        (0..inside.len()).filter(|&one| inside[one]).collect()
    }
}

/// The markings of a net that stubborn sets lead to.
pub(crate) struct Stubborn<'a> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) relations: &'a Relations,
}

impl System for Stubborn<'_> {
    fn width(&self) -> usize {
        self.space.width()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        self.space.initial(emit);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let mut next = Vec::with_capacity(self.width());
        let is_enabled = |one: usize| self.space.is_enabled(one, state);
        let tokens = |place: usize| self.space.tokens(state, place);
        for transition in self.relations.set(&is_enabled, &tokens) {
            if self.space.fire(transition, state, &mut next)? {
                emit(transition as u32, &next);
            }
        }
        Ok(())
    }
}

/// Whether transitions only need, take and give: more tokens never hinder.
pub(crate) fn only_takes_and_gives(net: &Net) -> bool {
    let plain = |one: &crate::net::Transition| {
        one.assign.is_empty() && one.guard.iter().all(|guard| guard.most.is_none())
    };
    net.transitions.iter().all(plain)
}

/// Whether a set is stubborn in a marking of a net that only takes and gives, by the rules themselves: used to check evidence.
pub(crate) fn is_stubborn(net: &Net, marking: &[u64], set: &[usize]) -> bool {
    let inside = |one: usize| set.contains(&one);
    let takes = |one: usize, place: usize| {
        let effect = &net.transitions[one].effect;
        effect.iter().any(|&(at, change)| at == place && change < 0)
    };
    let mut can = false;
    for &one in set {
        let Some(transition) = net.transitions.get(one) else {
            return false;
        };
        if transition.is_enabled(marking) {
            can = true;
            for (other, rival) in net.transitions.iter().enumerate() {
                let competes = transition.guard.iter().any(|guard| {
                    let place = guard.place;
                    rival.guard.iter().any(|guard| guard.place == place)
                        && (takes(one, place) || takes(other, place))
                });
                if competes && !inside(other) {
                    return false;
                }
            }
        } else {
            let helped = transition.guard.iter().any(|guard| {
                let place = guard.place;
                let gives = |other: &crate::net::Transition| {
                    other
                        .effect
                        .iter()
                        .any(|&(at, change)| at == place && change > 0)
                };
                let mut all = net.transitions.iter().enumerate();
                marking[place] < guard.least
                    && all.all(|(other, giver)| !gives(giver) || inside(other))
            });
            if !helped {
                return false;
            }
        }
    }
    can
}
