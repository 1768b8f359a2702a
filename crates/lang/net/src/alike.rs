//! Finds parts of a net that can be exchanged.
//!
//! Places and transitions are coloured by what is around them until no colour says more (the way of
//! Weisfeiler and Leman). With two places of one colour marked, one way round and the other, the
//! colours tell what an exchange of both would have to exchange besides; whether it then changes
//! nothing is checked.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use quotient_core::{Budget, Stop};

use crate::exchange::{Family, exchange, keeps_formula, keeps_net};
use crate::formula::Formula;
use crate::net::Net;

/// The largest nets that are looked into, and how many pairs of places are tried.
const MOST_ARCS: usize = 20_000;
const MOST_PAIRS: usize = 400;

/// The families of a net; no place is in two of them.
pub(crate) fn families(net: &Net, budget: &Budget) -> Result<Vec<Family>, Stop> {
    let colours = Colours::new(net);
    if colours.arcs > MOST_ARCS {
        return Ok(Vec::new());
    }
    let plain = colours.refined(&[], budget)?;
    let mut classes: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, &colour) in plain.iter().enumerate() {
        classes.entry(colour).or_default().push(place);
    }
    let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
    classes.sort_unstable();
    let mut used = vec![false; net.places.len()];
    let mut pairs = 0;
    let mut found = Vec::new();
    for class in classes {
        for (at, &first) in class.iter().enumerate() {
            if used[first] {
                continue;
            }
            let mut swaps = Vec::new();
            for &other in class[at + 1..].iter().filter(|&&other| !used[other]) {
                pairs += 1;
                if pairs > MOST_PAIRS {
                    return Ok(found);
                }
                swaps.extend(colours.swap(first, other, budget)?);
            }
            let Some(family) = family(net, &swaps) else {
                continue;
            };
            if family.iter().flatten().any(|&place| used[place]) {
                continue;
            }
            family
                .iter()
                .flatten()
                .for_each(|&place| used[place] = true);
            found.push(family);
        }
    }
    Ok(found)
}

/// What is left of families if a condition is not to tell their blocks apart.
pub(crate) fn unseen(net: &Net, families: &[Family], formula: &Formula) -> Vec<Family> {
    let mut all = Vec::new();
    for family in families {
        let mut left: Vec<&Vec<usize>> = family.iter().collect();
        while let Some(first) = left.first().copied() {
            let alike = |other: &&Vec<usize>| {
                let map = exchange(net.places.len(), first, other);
                *other == first || keeps_formula(net, formula, &map)
            };
            let (same, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(alike);
            left = rest;
            if same.len() > 1 {
                all.push(same.into_iter().cloned().collect());
            }
        }
    }
    all
}

/// The places around transitions with what the arc between them means.
struct Colours<'a> {
    net: &'a Net,
    around: Vec<Vec<(u64, usize)>>,
    arcs: usize,
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<'a> Colours<'a> {
    fn new(net: &'a Net) -> Colours<'a> {
        let mut around = Vec::new();
        for one in &net.transitions {
            let mut arcs = Vec::new();
            for guard in &one.guard {
                arcs.push((hashed((0, guard.least, guard.most)), guard.place));
            }
            for &(place, sum) in &one.effect {
                arcs.push((hashed((1, sum)), place));
            }
            for assign in &one.assign {
                arcs.push((hashed((2, assign.plus)), assign.place));
                arcs.extend(assign.sum.iter().map(|&place| (hashed(3), place)));
            }
            around.push(arcs);
        }
        Colours {
            net,
            arcs: around.iter().map(Vec::len).sum(),
            around,
        }
    }

    /// The colours of places when some are marked.
    fn refined(&self, marks: &[(usize, u64)], budget: &Budget) -> Result<Vec<u64>, Stop> {
        let mut colours = vec![0_u64; self.net.places.len()];
        for &(place, mark) in marks {
            colours[place] = mark;
        }
        let mut number = 0;
        loop {
            budget.charge(1 + self.arcs as u64 / 64)?;
            let mut seen: Vec<Vec<u64>> = vec![Vec::new(); colours.len()];
            for arcs in &self.around {
                let mut near: Vec<u64> = arcs
                    .iter()
                    .map(|&(arc, place)| hashed((arc, colours[place])))
                    .collect();
                near.sort_unstable();
                let colour = hashed(near);
                for &(arc, place) in arcs {
                    seen[place].push(hashed((arc, colour)));
                }
            }
            for (colour, mut seen) in colours.iter_mut().zip(seen) {
                seen.sort_unstable();
                *colour = hashed((*colour, seen));
            }
            let mut distinct = colours.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() <= number {
                return Ok(colours);
            }
            number = distinct.len();
        }
    }

    /// An exchange of two places and of what must be exchanged with them, as pairs.
    fn swap(
        &self,
        one: usize,
        other: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<(usize, usize)>>, Stop> {
        let before = self.refined(&[(one, 1), (other, 2)], budget)?;
        let after = self.refined(&[(other, 1), (one, 2)], budget)?;
        let mut by_colour: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, &colour) in after.iter().enumerate() {
            by_colour.entry(colour).or_default().push(place);
        }
        let mut map: Vec<usize> = (0..before.len()).collect();
        for (place, &colour) in before.iter().enumerate() {
            if after[place] == colour {
                continue;
            }
            match by_colour.get(&colour).map(Vec::as_slice) {
                Some(&[goal]) if before[goal] == after[place] => map[place] = goal,
                _ => return Ok(None),
            }
        }
        let back = (0..map.len()).all(|place| map[map[place]] == place);
        if !back || map[one] != other || !keeps_net(self.net, &map) {
            return Ok(None);
        }
        let pairs = map.iter().enumerate();
        let pairs = pairs.filter(|&(place, &goal)| place < goal);
        let mut pairs: Vec<(usize, usize)> = pairs.map(|(place, &goal)| (place, goal)).collect();
        // The place itself comes first.
        for pair in &mut pairs {
            if pair.1 == one {
                *pair = (pair.1, pair.0);
            }
        }
        Ok(Some(pairs))
    }
}

/// The family that exchanges of one place with others make.
fn family(net: &Net, swaps: &[Vec<(usize, usize)>]) -> Option<Family> {
    let partner = |swap: &[(usize, usize)], place: usize| {
        let both = |&(one, other): &(usize, usize)| match place {
            _ if one == place => Some(other),
            _ if other == place => Some(one),
            _ => None,
        };
        swap.iter().find_map(both)
    };
    let (first, others) = swaps.split_first()?;
    // What all exchanges of a place have in common goes with it.
    let common = others.iter().find_map(|second| {
        let all = first.iter().flat_map(|&(one, other)| [one, other]);
        let common: Vec<usize> = all
            .filter(|&place| partner(second, place).is_some())
            .collect();
        (common.len() == first.len()).then_some(common)
    });
    let block = common.unwrap_or_else(|| first.iter().map(|pair| pair.0).collect());
    let mut blocks = vec![block.clone()];
    let mut taken: Vec<usize> = block.clone();
    for swap in swaps {
        let goals: Option<Vec<usize>> = block.iter().map(|&one| partner(swap, one)).collect();
        let Some(goals) = goals.filter(|goals| swap.len() == goals.len()) else {
            continue;
        };
        if goals.iter().any(|goal| taken.contains(goal)) {
            continue;
        }
        if keeps_net(net, &exchange(net.places.len(), &block, &goals)) {
            taken.extend(&goals);
            blocks.push(goals);
        }
    }
    (blocks.len() > 1).then_some(blocks)
}
