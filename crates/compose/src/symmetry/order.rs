//! Sorting alike components.

use quotient_core::{Budget, Stop};

use super::swap::Swap;
use crate::{Network, State};

/// Components, or groups of them, any two of which can be exchanged.
#[derive(Debug)]
pub(crate) struct Alike {
    /// The components of each member.
    members: Vec<Vec<usize>>,
    /// Exchanges of each member with the next.
    swaps: Vec<Swap>,
    /// The state that each state of a component is to the first member, and how many there are:
    /// for each member and each of its components.
    as_first: Vec<Vec<Vec<State>>>,
    sizes: Vec<u128>,
    /// The components that have to do with several members, each in a way of its own.
    shared: Vec<Shared>,
}

/// A component outside with states in which members have different parts to play.
#[derive(Debug)]
struct Shared {
    component: usize,
    /// What part each member plays in each state: members play the same part if exchanges lead
    /// from the one in its state to the other in its state.
    roles: Vec<u32>,
    role_count: u128,
}

/// Entries of the table of roles of one component.
const MOST_ENTRIES: usize = 1 << 23;

impl Alike {
    /// The members that some exchanges are about; nothing if they do not fit together, or take
    /// too much room.
    pub(super) fn new(network: &Network, swaps: Vec<Swap>) -> Option<Alike> {
        let members = members(&swaps)?;
        let mut every: Vec<usize> = members.iter().flatten().copied().collect();
        every.sort_unstable();
        let sizes = members[0].iter();
        let sizes: Vec<u128> = sizes
            .map(|&at| network.components()[at].lts.states() as u128)
            .collect();
        let outside = (0..network.components().len())
            .filter(|at| every.binary_search(at).is_err())
            .filter(|&at| swaps.iter().any(|swap| !swap.leaves(at)));
        let shared = outside.map(|at| Shared::new(network, &swaps, at));
        let shared = shared.collect::<Option<Vec<Shared>>>()?;
        let counts = shared.iter().map(|shared| shared.role_count);
        let mut all = sizes.iter().copied().chain(counts);
        all.try_fold(1u128, |keys, count| keys.checked_mul(count.max(1)))?;
        let as_first = as_first(network, &members, &swaps);
        Some(Alike {
            members,
            swaps,
            as_first,
            sizes,
            shared,
        })
    }

    /// How many members there are.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn swaps(&self) -> &[Swap] {
        &self.swaps
    }

    /// The set taken apart: exchanges of members with the next of their part, all of them allowed.
    ///
    /// Who is exchanged with the next but one changes places with the next, lets that one do it, and
    /// changes back.
    pub(super) fn chains(
        &self,
        is_allowed: impl Fn(&Swap) -> bool,
        budget: &Budget,
    ) -> Result<Vec<Vec<Swap>>, Stop> {
        let mut chains = Vec::new();
        let mut left: Vec<usize> = (0..self.members.len()).collect();
        while let [first, ref others @ ..] = left[..] {
            let (mut chain, mut rest) = (Vec::new(), Vec::new());
            // The exchange of the last member of the chain with the one at this place.
            let mut longer: Option<(Swap, usize)> = None;
            let mut last = first;
            for &next in others {
                let (mut swap, mut at) =
                    longer.unwrap_or_else(|| (self.swaps[last].clone(), last + 1));
                while at < next {
                    budget.charge((swap.components.len() + swap.events.len()) as u64)?;
                    swap = self.swaps[at].then(&swap).then(&self.swaps[at]);
                    at += 1;
                }
                longer = match is_allowed(&swap) {
                    true => {
                        chain.push(swap);
                        last = next;
                        None
                    }
                    false => {
                        rest.push(next);
                        Some((swap, at))
                    }
                };
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
            left = rest;
        }
        Ok(chains)
    }

    pub(super) fn components(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().flatten().copied()
    }

    pub(super) fn has(&self, component: usize) -> bool {
        self.components().any(|own| own == component)
    }

    /// Exchanges neighbours until the members are sorted by what they do, and tells of every
    /// exchange.
    pub(super) fn sort(
        &self,
        locals: &mut [State],
        keys: &mut Vec<u128>,
        mut exchanged: impl FnMut(&Swap),
    ) -> bool {
        keys.clear();
        keys.extend((0..self.members.len()).map(|member| self.key(member, locals)));
        let mut is_changed = false;
        for from in 1..keys.len() {
            let mut at = from;
            while at > 0 && keys[at - 1] > keys[at] {
                keys.swap(at - 1, at);
                self.exchange(at - 1, locals);
                exchanged(&self.swaps[at - 1]);
                is_changed = true;
                at -= 1;
            }
        }
        is_changed
    }

    /// What a member does, and what part it plays to others. It stays the same when members
    /// are exchanged.
    fn key(&self, member: usize, locals: &[State]) -> u128 {
        let mut key = 0;
        for (rank, &component) in self.members[member].iter().enumerate() {
            let state = self.as_first[member][rank][locals[component].index()];
            key = key * self.sizes[rank] + state.index() as u128;
        }
        for shared in &self.shared {
            let state = locals[shared.component].index();
            let role = shared.roles[state * self.members.len() + member];
            key = key * shared.role_count + u128::from(role);
        }
        key
    }

    fn exchange(&self, first: usize, locals: &mut [State]) {
        let swap = &self.swaps[first];
        for (&one, &other) in self.members[first].iter().zip(&self.members[first + 1]) {
            let states = [one, other].map(|at| swap.state(at, locals[at]));
            [locals[other], locals[one]] = states;
        }
        for shared in &self.shared {
            let local = &mut locals[shared.component];
            *local = swap.state(shared.component, *local);
        }
    }
}

/// The members of exchanges of a first with a second, of that with a third, and so on. Nothing
/// if they do not fit together so: each has to move its two members and nothing else.
pub(super) fn members(swaps: &[Swap]) -> Option<Vec<Vec<usize>>> {
    let moved = |swap: &Swap| -> Vec<usize> {
        let components = 0..swap.components.len();
        components.filter(|&at| swap.components[at] != at).collect()
    };
    let all: Vec<Vec<usize>> = swaps.iter().map(moved).collect();
    // The second member is what the first two exchanges have in common.
    let second: Vec<usize> = match &all[..] {
        [] => return None,
        [only] => {
            let later = |at: &&usize| swaps[0].components[**at] < **at;
            only.iter().filter(later).copied().collect()
        }
        [one, two, ..] => one.iter().filter(|at| two.contains(at)).copied().collect(),
    };
    let next = |member: &[usize], swap: &Swap| -> Vec<usize> {
        member.iter().map(|&at| swap.components[at]).collect()
    };
    let mut members = vec![next(&second, &swaps[0]), second];
    for swap in &swaps[1..] {
        members.push(next(&members[members.len() - 1], swap));
    }
    let mut every: Vec<usize> = members.iter().flatten().copied().collect();
    every.sort_unstable();
    let is_disjoint = every.windows(2).all(|pair| pair[0] != pair[1]);
    let fits = |(at, moved): (usize, &Vec<usize>)| {
        let is_own = |part: &usize| members[at].contains(part) || members[at + 1].contains(part);
        let mut others = every.iter().filter(|part| !is_own(part));
        moved.iter().all(is_own)
            && moved.len() == 2 * members[0].len()
            && others.all(|&part| swaps[at].leaves(part))
    };
    (is_disjoint && all.iter().enumerate().all(fits)).then_some(members)
}

/// What the states of each member are to the first.
fn as_first(network: &Network, members: &[Vec<usize>], swaps: &[Swap]) -> Vec<Vec<Vec<State>>> {
    let identity = |&at: &usize| network.components()[at].lts.all_states().collect();
    let mut tables: Vec<Vec<Vec<State>>> = vec![members[0].iter().map(identity).collect()];
    for (before, (member, swap)) in members[1..].iter().zip(swaps).enumerate() {
        let table = |(rank, &at): (usize, &usize)| {
            let states = network.components()[at].lts.all_states();
            let known = &tables[before][rank];
            states
                .map(|state| known[swap.state(at, state).index()])
                .collect()
        };
        let own = member.iter().enumerate().map(table).collect();
        tables.push(own);
    }
    tables
}

impl Shared {
    fn new(network: &Network, swaps: &[Swap], component: usize) -> Option<Shared> {
        let states = network.components()[component].lts.states();
        let members = swaps.len() + 1;
        let entries = states.checked_mul(members)?;
        if entries > MOST_ENTRIES {
            return None;
        }
        const NONE: u32 = u32::MAX;
        let mut roles = vec![NONE; entries];
        let mut count = 0;
        let mut todo = Vec::new();
        for start in 0..entries {
            if roles[start] != NONE {
                continue;
            }
            roles[start] = count;
            todo.push(start);
            while let Some(at) = todo.pop() {
                let (state, member) = (at / members, at % members);
                for (number, swap) in swaps.iter().enumerate() {
                    let member = match member {
                        member if member == number => number + 1,
                        member if member == number + 1 => number,
                        member => member,
                    };
                    let state = swap.state(component, State::from_index(state)).index();
                    let next = state * members + member;
                    if roles[next] == NONE {
                        roles[next] = count;
                        todo.push(next);
                    }
                }
            }
            count += 1;
        }
        Some(Shared {
            component,
            roles,
            role_count: u128::from(count),
        })
    }
}
