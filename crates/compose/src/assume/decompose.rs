//! Which components to take together, and in which order.

use crate::{Action, Network};

/// How a system is taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Decomposition {
    /// Every component by itself, in the order that makes the interfaces small.
    #[default]
    Separate,
    /// Two groups of about the same size with a small interface.
    Halves,
    /// These groups of components, by number; components that are not named join the last.
    Given(Vec<Vec<usize>>),
}

/// Up to this many components the best order is computed, beyond it is approximated.
const EXACT: usize = 14;
/// Components beyond this number are taken together with the last: a chain is as deep as long.
const MOST_GROUPS: usize = 64;
/// How many orders are tried.
const MOST_ORDERS: usize = 8;

impl Decomposition {
    /// The groups in the orders that are worth a try where the first group comes once more at
    /// the end: what it shares with others is in all interfaces then, so that their sum says
    /// little. The best order comes first, then the best ones that begin with another group.
    pub(crate) fn orders(&self, network: &Network, property: &[usize]) -> Vec<Vec<Vec<usize>>> {
        let mut orders = vec![self.groups(network, property)];
        if *self == Decomposition::Separate && orders[0].len() > 2 {
            let processes = processes(network, property);
            let interfaces = Interfaces::new(network, &processes, property);
            let begun = (0..processes.len()).filter(|&at| orders[0][0] != [processes[at]]);
            let mut begun: Vec<Vec<usize>> =
                begun.map(|at| interfaces.best_order(Some(at))).collect();
            begun.sort_by_cached_key(|order| interfaces.sum(order));
            begun.truncate(MOST_ORDERS - 1);
            orders.extend(begun.into_iter().map(|order| separate(&processes, order)));
        }
        orders
    }

    /// The components that are not part of the property, in groups; at least one group.
    pub fn groups(&self, network: &Network, property: &[usize]) -> Vec<Vec<usize>> {
        let processes = processes(network, property);
        if processes.len() <= 1 {
            return vec![processes];
        }
        let interfaces = Interfaces::new(network, &processes, property);
        let numbered = |group: Vec<usize>| group.into_iter().map(|at| processes[at]).collect();
        match self {
            Decomposition::Separate => separate(&processes, interfaces.best_order(None)),
            Decomposition::Halves => {
                let sizes: Vec<f64> = processes
                    .iter()
                    .map(|&at| (network.components()[at].lts.states() as f64).log2())
                    .collect();
                let (left, right) = interfaces.halves(&sizes);
                vec![numbered(left), numbered(right)]
            }
            Decomposition::Given(given) => {
                let mut left = processes.clone();
                let mut groups: Vec<Vec<usize>> = given
                    .iter()
                    .map(|group| {
                        let (taken, rest) = left.iter().partition(|at| group.contains(at));
                        left = rest;
                        taken
                    })
                    .filter(|group: &Vec<usize>| !group.is_empty())
                    .collect();
                match groups.last_mut() {
                    Some(last) => last.extend(left),
                    None => groups.push(left),
                }
                groups
            }
        }
    }
}

/// The components that are not part of the property and cannot err.
fn processes(network: &Network, property: &[usize]) -> Vec<usize> {
    let others = |at: &usize| {
        let component = &network.components()[*at];
        !property.contains(at) && !component.lts.has_error()
    };
    (0..network.components().len()).filter(others).collect()
}

/// Every process by itself, in an order of their positions.
fn separate(processes: &[usize], order: Vec<usize>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = order.into_iter().map(|at| vec![processes[at]]).collect();
    if groups.len() > MOST_GROUPS {
        let rest = groups.split_off(MOST_GROUPS - 1);
        groups.push(rest.into_iter().flatten().collect());
    }
    groups
}

/// The actions of components as bit sets, to count what groups of them share.
struct Interfaces {
    own: Vec<Vec<u64>>,
    property: Vec<u64>,
}

impl Interfaces {
    fn new(network: &Network, processes: &[usize], property: &[usize]) -> Interfaces {
        let blocks = network.events().count() / 64 + 1;
        let bits = |at: usize| {
            let mut bits = vec![0u64; blocks];
            for action in network.components()[at].lts.alphabet() {
                let index = Action::index(*action);
                bits[index / 64] |= 1 << (index % 64);
            }
            bits
        };
        let mut asked = vec![0u64; blocks];
        for &at in property {
            unite(&mut asked, &bits(at));
        }
        Interfaces {
            own: processes.iter().map(|&at| bits(at)).collect(),
            property: asked,
        }
    }

    /// How many actions the property or the components in a set share with the others.
    fn shared(&self, inside: impl Fn(usize) -> bool) -> u32 {
        let mut within = self.property.clone();
        let mut without = vec![0u64; within.len()];
        for (at, own) in self.own.iter().enumerate() {
            match inside(at) {
                true => unite(&mut within, own),
                false => unite(&mut without, own),
            }
        }
        let both = within.iter().zip(&without);
        both.map(|(left, right)| (left & right).count_ones()).sum()
    }

    /// An order with the least sum of interfaces between each beginning and its rest. What a
    /// beginning shares with its rest does not depend on the order within it, so the best
    /// order of a set is the best over its last members. It may have to begin with a given one.
    fn best_order(&self, first: Option<usize>) -> Vec<usize> {
        let count = self.own.len();
        if count > EXACT {
            return self.greedy_order(first);
        }
        let start = first.map_or(0usize, |first| 1 << first);
        let mut best: Vec<(u32, usize)> = vec![(0, first.unwrap_or(0)); 1 << count];
        for set in (1usize..1 << count).filter(|&set| set != start && set & start == start) {
            let interface = self.shared(|at| set >> at & 1 == 1);
            let lasts = (0..count).filter(|at| (set & !start) >> at & 1 == 1);
            // Of equally good ones the first named goes first.
            let (sum, last) = lasts
                .map(|last| (best[set & !(1 << last)].0, last))
                .min_by_key(|&(sum, last)| (sum, std::cmp::Reverse(last)))
                .unwrap_or((0, 0));
            best[set] = (sum + interface, last);
        }
        let mut order = Vec::new();
        let mut set = (1usize << count) - 1;
        while set != 0 {
            let last = best[set].1;
            order.push(last);
            set &= !(1 << last);
        }
        order.reverse();
        order
    }

    /// The sum of the interfaces between each beginning of an order and its rest.
    fn sum(&self, order: &[usize]) -> u32 {
        let ends = 1..=order.len();
        ends.map(|end| self.shared(|at| order[..end].contains(&at)))
            .sum()
    }

    /// Always the component that makes the next interface least.
    fn greedy_order(&self, first: Option<usize>) -> Vec<usize> {
        let count = self.own.len();
        let mut taken: Vec<bool> = (0..count).map(|at| first == Some(at)).collect();
        let mut order = Vec::from_iter(first);
        while order.len() < count {
            let next = (0..count)
                .filter(|&at| !taken[at])
                .min_by_key(|&next| self.shared(|at| taken[at] || at == next));
            let Some(next) = next else { break };
            taken[next] = true;
            order.push(next);
        }
        order
    }

    /// Two groups: about equally large (`sizes` are logarithms), then with a small interface.
    fn halves(&self, sizes: &[f64]) -> (Vec<usize>, Vec<usize>) {
        let count = sizes.len();
        let score = |set: &dyn Fn(usize) -> bool| {
            let side = |inside: bool| -> f64 {
                (0..count)
                    .filter(|&at| set(at) == inside)
                    .map(|at| sizes[at])
                    .sum()
            };
            // Sizes within a factor of four of each other count as equal.
            (
                (side(true).max(side(false)) / 2.0).ceil() as u64,
                self.shared(set),
            )
        };
        let mut inside = vec![false; count];
        if count <= EXACT {
            let sets = 1usize..(1 << count) - 1;
            let best = sets.min_by_key(|&set| score(&|at| set >> at & 1 == 1));
            let best = best.unwrap_or(1);
            inside = (0..count).map(|at| best >> at & 1 == 1).collect();
        } else {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by(|&left, &right| sizes[right].total_cmp(&sizes[left]));
            let (mut left, mut right) = (0.0, 0.0);
            for at in order {
                inside[at] = left <= right;
                *(if inside[at] { &mut left } else { &mut right }) += sizes[at];
            }
        }
        (0..count).partition(|&at| inside[at])
    }
}

fn unite(into: &mut [u64], other: &[u64]) {
    for (slot, other) in into.iter_mut().zip(other) {
        *slot |= other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All orders of the numbers up to one.
    fn orders(count: usize) -> Vec<Vec<usize>> {
        let Some(last) = count.checked_sub(1) else {
            return vec![Vec::new()];
        };
        let insert = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, last);
                longer
            })
        };
        orders(last).into_iter().flat_map(insert).collect()
    }

    proptest! {
        #[test]
        fn no_order_has_a_smaller_sum(
            own in proptest::collection::vec(0u64..256, 1..6),
            property in 0u64..256,
            first in proptest::option::of(0usize..6),
        ) {
            let first = first.filter(|&first| first < own.len());
            let interfaces = Interfaces {
                own: own.iter().map(|&bits| vec![bits]).collect(),
                property: vec![property],
            };
            let best = interfaces.best_order(first);
            let fits = |order: &Vec<usize>| first.is_none_or(|first| order[0] == first);
            prop_assert!(fits(&best));
            let sums = orders(own.len()).into_iter().filter(fits);
            let least = sums.map(|order| interfaces.sum(&order)).min();
            prop_assert_eq!(least, Some(interfaces.sum(&best)));
            let greedy = interfaces.greedy_order(first);
            prop_assert!(fits(&greedy) && greedy.len() == own.len());
        }
    }
}
