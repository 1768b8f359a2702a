//! Exchanges of parts of a net that change nothing: their definition.
//!
//! A family is some blocks of places, all of one length. It is one of the net if exchanging its first block
//! with any other, place by place, makes of the transitions the same transitions again. Such
//! exchanges make all others, so that markings that differ only by the order of the blocks have the
//! same runs but for names.

use std::collections::HashMap;

use crate::formula::Formula;
use crate::net::{Net, Transition};

/// Blocks of places that can be exchanged for each other.
pub(crate) type Family = Vec<Vec<usize>>;

/// What a transition does, without names, after places were renamed.
type Deed = (
    Vec<(usize, u64, Option<u64>)>,
    Vec<(usize, i64)>,
    Vec<(usize, Vec<usize>, i64)>,
);

/// Where each place goes when two blocks are exchanged.
pub(crate) fn exchange(places: usize, one: &[usize], other: &[usize]) -> Vec<usize> {
    let mut map: Vec<usize> = (0..places).collect();
    for (&left, &right) in one.iter().zip(other) {
        (map[left], map[right]) = (right, left);
    }
    map
}

fn deed(transition: &Transition, map: &[usize]) -> Deed {
    let guards = transition.guard.iter();
    let mut guards: Vec<_> = guards
        .map(|one| (map[one.place], one.least, one.most))
        .collect();
    guards.sort_unstable();
    let effect = transition.effect.iter();
    let mut effect: Vec<_> = effect.map(|&(place, sum)| (map[place], sum)).collect();
    effect.sort_unstable();
    let assigns = transition.assign.iter().map(|one| {
        let mut sum: Vec<usize> = one.sum.iter().map(|&place| map[place]).collect();
        sum.sort_unstable();
        (map[one.place], sum, one.plus)
    });
    let mut assigns: Vec<_> = assigns.collect();
    assigns.sort_unstable();
    (guards, effect, assigns)
}

/// Whether the transitions are the same when places are renamed.
pub(crate) fn keeps_net(net: &Net, map: &[usize]) -> bool {
    let same: Vec<usize> = (0..net.places.len()).collect();
    let moved = |one: &&Transition| deed(one, map) != deed(one, &same);
    let mut left: HashMap<Deed, i64> = HashMap::new();
    for one in net.transitions.iter().filter(moved) {
        *left.entry(deed(one, &same)).or_default() += 1;
        *left.entry(deed(one, map)).or_default() -= 1;
    }
    left.values().all(|&number| number == 0)
}

/// Whether a condition is the same when places are renamed.
pub(crate) fn keeps_formula(net: &Net, formula: &Formula, map: &[usize]) -> bool {
    let same: Vec<usize> = (0..net.places.len()).collect();
    written(net, formula, map) == written(net, formula, &same)
}

/// A condition in writing, in which order does not matter.
fn written(net: &Net, formula: &Formula, map: &[usize]) -> String {
    let many = |sign: &str, parts: &[Formula]| {
        let mut parts: Vec<String> = parts.iter().map(|one| written(net, one, map)).collect();
        parts.sort_unstable();
        format!("{sign}({})", parts.join(","))
    };
    match formula {
        Formula::Truth(value) => value.to_string(),
        Formula::Not(inner) => format!("!{}", written(net, inner, map)),
        Formula::All(parts) => many("&", parts),
        Formula::Any(parts) => many("|", parts),
        Formula::AtLeast(linear) => {
            let terms = linear.terms.iter();
            let mut terms: Vec<_> = terms.map(|&(place, factor)| (map[place], factor)).collect();
            terms.sort_unstable();
            format!("{terms:?}>={}", linear.least)
        }
        // Whether it can fire depends on what it needs, and where it has sums, on these.
        Formula::Fireable(one) => {
            let (guards, _, assigns) = deed(&net.transitions[*one], map);
            format!("{guards:?}{assigns:?}")
        }
        Formula::Dead => "dead".to_owned(),
    }
}

/// Whether families are ones of a net that a condition does not tell apart: no place is in two
/// blocks, and exchanges change neither.
pub(crate) fn fits(net: &Net, families: &[Family], formula: &Formula) -> bool {
    let mut seen = vec![false; net.places.len()];
    for family in families {
        let Some((first, others)) = family.split_first() else {
            return false;
        };
        for &place in family.iter().flatten() {
            match seen.get_mut(place) {
                Some(seen) if !*seen => *seen = true,
                _ => return false,
            }
        }
        for other in others {
            if other.len() != first.len() {
                return false;
            }
            let map = exchange(net.places.len(), first, other);
            if !keeps_net(net, &map) || !keeps_formula(net, formula, &map) {
                return false;
            }
        }
    }
    true
}

/// The marking that stands for all that exchanges make of it: the blocks of each family in order.
pub(crate) fn in_order(families: &[Family], marking: &mut [u64]) {
    for family in families {
        let tokens = |block: &Vec<usize>| block.iter().map(|&place| marking[place]).collect();
        let mut blocks: Vec<Vec<u64>> = family.iter().map(tokens).collect();
        blocks.sort_unstable();
        for (block, tokens) in family.iter().zip(blocks) {
            for (&place, tokens) in block.iter().zip(tokens) {
                marking[place] = tokens;
            }
        }
    }
}
