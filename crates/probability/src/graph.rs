//! What can be said about a model without numbers: reachability, sure and impossible events,
//! strongly connected parts, end components.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Markov, StateId};

/// No choice yet, in tables of choices that are filled state by state.
pub(crate) const NOT_CHOSEN: ChoiceId = ChoiceId::new(u32::MAX);

/// Who leads to a state: choices by target, and the state of each choice.
#[derive(Debug)]
pub(crate) struct Reverse {
    first: Vec<u32>,
    choices: Vec<u32>,
    pub(crate) owner: Vec<u32>,
}

impl Reverse {
    pub(crate) fn new(model: &Markov) -> Reverse {
        let mut first = vec![0u32; model.states() + 1];
        for &target in &model.targets {
            first[target.index() + 1] += 1;
        }
        for state in 0..model.states() {
            first[state + 1] += first[state];
        }
        let mut at = first.clone();
        let mut choices = vec![0u32; model.branches()];
        let mut owner = vec![0u32; model.choices()];
        for state in 0..model.states() {
            for choice in model.choices_of(StateId::from_index(state)) {
                owner[choice.index()] = state as u32;
                for &target in &model.targets[model.branches_of(choice)] {
                    choices[at[target.index()] as usize] = choice.number();
                    at[target.index()] += 1;
                }
            }
        }
        Reverse {
            first,
            choices,
            owner,
        }
    }

    /// The choices that lead to a state.
    pub(crate) fn leading_to(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.first[state] as usize..self.first[state + 1] as usize;
        self.choices[range].iter().map(|&choice| choice as usize)
    }
}

/// The states from which a target can be reached through allowed states, by some choices.
pub(crate) fn can_reach(reverse: &Reverse, allowed: &Bits, target: &Bits) -> Bits {
    let mut found = target.clone();
    let mut waiting: Vec<usize> = target.ones().collect();
    while let Some(state) = waiting.pop() {
        for choice in reverse.leading_to(state) {
            let from = reverse.owner[choice] as usize;
            if allowed.contains(from) && !found.contains(from) {
                found.insert(from);
                waiting.push(from);
            }
        }
    }
    found
}

/// The states from which the target is reached through allowed states with positive probability
/// whatever is chosen.
pub(crate) fn must_reach(model: &Markov, reverse: &Reverse, allowed: &Bits, target: &Bits) -> Bits {
    let mut found = target.clone();
    let mut hit = Bits::with_capacity(model.choices());
    let mut left: Vec<u32> = (0..model.states())
        .map(|state| model.choices_of(StateId::from_index(state)).len() as u32)
        .collect();
    let mut waiting: Vec<usize> = target.ones().collect();
    while let Some(state) = waiting.pop() {
        for choice in reverse.leading_to(state) {
            if hit.put(choice) {
                continue;
            }
            let from = reverse.owner[choice] as usize;
            left[from] -= 1;
            if left[from] == 0 && allowed.contains(from) && !found.contains(from) {
                found.insert(from);
                waiting.push(from);
            }
        }
    }
    found
}

/// The states from which some choices reach the target through allowed states surely, and for
/// each such state a choice that does (`u32::MAX` where there is none, or none is needed).
pub(crate) fn surely_by_choice(
    model: &Markov,
    reverse: &Reverse,
    allowed: &Bits,
    target: &Bits,
    budget: &Budget,
) -> Result<(Bits, Vec<ChoiceId>), Stop> {
    let mut within = can_reach(reverse, allowed, target);
    loop {
        budget.charge(model.choices() as u64 / 16 + 1)?;
        let mut found = target.clone();
        let mut chosen = vec![NOT_CHOSEN; model.states()];
        let mut waiting: std::collections::VecDeque<usize> = target.ones().collect();
        while let Some(state) = waiting.pop_front() {
            for choice in reverse.leading_to(state) {
                let from = reverse.owner[choice] as usize;
                if found.contains(from) || !allowed.contains(from) || !within.contains(from) {
                    continue;
                }
                let targets = &model.targets[model.branches_of(ChoiceId::from_index(choice))];
                if targets
                    .iter()
                    .all(|&target| within.contains(target.index()))
                {
                    found.insert(from);
                    chosen[from] = ChoiceId::from_index(choice);
                    waiting.push_back(from);
                }
            }
        }
        if found == within {
            return Ok((found, chosen));
        }
        within = found;
    }
}

/// Strongly connected parts of a graph, successors first. Only nodes below `nodes` exist, and
/// `successors` lists those of a node by number from 0 until there is none.
pub(crate) fn components(
    nodes: usize,
    successor: impl Fn(usize, usize) -> Option<usize>,
) -> Components {
    const UNSEEN: u32 = u32::MAX;
    let mut index = vec![UNSEEN; nodes];
    let mut low = vec![0u32; nodes];
    let mut on_stack = Bits::with_capacity(nodes);
    let mut stack: Vec<u32> = Vec::new();
    let mut result = Components {
        members: Vec::with_capacity(nodes),
        first: vec![0],
    };
    let mut next = 0u32;
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..nodes {
        if index[root] != UNSEEN {
            continue;
        }
        path.push((root as u32, 0));
        while let Some((node, edge)) = path.last_mut() {
            let at = *node as usize;
            if *edge == 0 && index[at] == UNSEEN {
                index[at] = next;
                low[at] = next;
                next += 1;
                stack.push(*node);
                on_stack.insert(at);
            }
            match successor(at, *edge as usize) {
                Some(to) => {
                    *edge += 1;
                    if index[to] == UNSEEN {
                        path.push((to as u32, 0));
                    } else if on_stack.contains(to) {
                        low[at] = low[at].min(index[to]);
                    }
                }
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        let parent = parent as usize;
                        low[parent] = low[parent].min(low[at]);
                    }
                    if low[at] == index[at] {
                        while let Some(member) = stack.pop() {
                            on_stack.set(member as usize, false);
                            result.members.push(member);
                            if member as usize == at {
                                break;
                            }
                        }
                        result.first.push(result.members.len());
                    }
                }
            }
        }
    }
    result
}

/// Strongly connected parts.
#[derive(Debug)]
pub(crate) struct Components {
    members: Vec<u32>,
    first: Vec<usize>,
}

impl Components {
    pub(crate) fn len(&self) -> usize {
        self.first.len() - 1
    }

    pub(crate) fn members(&self, component: usize) -> &[u32] {
        &self.members[self.first[component]..self.first[component + 1]]
    }
}

/// The bottom components of a chain: those that are never left.
pub(crate) fn bottoms(model: &Markov) -> Vec<Vec<u32>> {
    let parts = components(model.states(), |state, edge| {
        let range = model.branches_from(StateId::from_index(state));
        model
            .targets
            .get(range.start + edge)
            .filter(|_| edge < range.len())
            .map(|&to| to.index())
    });
    let mut part_of = vec![0u32; model.states()];
    for part in 0..parts.len() {
        for &member in parts.members(part) {
            part_of[member as usize] = part as u32;
        }
    }
    let is_bottom = |part: usize| {
        parts.members(part).iter().all(|&state| {
            model
                .successors(StateId::new(state))
                .all(|to| part_of[to.index()] as usize == part)
        })
    };
    (0..parts.len())
        .filter(|&part| is_bottom(part))
        .map(|part| parts.members(part).to_vec())
        .collect()
}

/// Maximal end components among some states and choices: sets of states in which some choices
/// can stay for ever. Gives for each state the number of its component (`u32::MAX` for none) and
/// how many there are.
pub(crate) fn end_components(
    model: &Markov,
    states: &Bits,
    allowed: impl Fn(usize) -> bool,
    budget: &Budget,
) -> Result<(Vec<u32>, usize), Stop> {
    let mut alive = states.clone();
    let mut choices = Bits::with_capacity(model.choices());
    for state in alive.ones() {
        for choice in model.choices_of(StateId::from_index(state)) {
            choices.set(choice.index(), allowed(choice.index()));
        }
    }
    let stays = |choice: usize, alive: &Bits| {
        let targets = &model.targets[model.branches_of(ChoiceId::from_index(choice))];
        targets.iter().all(|&to| alive.contains(to.index()))
    };
    loop {
        budget.charge(model.states() as u64 / 16 + 1)?;
        let mut edges: Vec<u32> = Vec::new();
        let mut first = vec![0usize];
        for state in 0..model.states() {
            if alive.contains(state) {
                for choice in model.choices_of(StateId::from_index(state)) {
                    if choices.contains(choice.index()) && stays(choice.index(), &alive) {
                        let targets = &model.targets[model.branches_of(choice)];
                        edges.extend(targets.iter().map(|to| to.number()));
                    }
                }
            }
            first.push(edges.len());
        }
        let parts = components(model.states(), |state, edge| {
            let at = first[state] + edge;
            (at < first[state + 1]).then(|| edges[at] as usize)
        });
        let mut part_of = vec![u32::MAX; model.states()];
        for part in 0..parts.len() {
            for &member in parts.members(part) {
                part_of[member as usize] = part as u32;
            }
        }
        let mut changed = false;
        for state in 0..model.states() {
            if !alive.contains(state) {
                continue;
            }
            let mut any = false;
            for choice in model.choices_of(StateId::from_index(state)) {
                if !choices.contains(choice.index()) {
                    continue;
                }
                let targets = &model.targets[model.branches_of(choice)];
                let inside = targets
                    .iter()
                    .all(|&to| alive.contains(to.index()) && part_of[to.index()] == part_of[state]);
                match inside {
                    true => any = true,
                    false => {
                        choices.set(choice.index(), false);
                        changed = true;
                    }
                }
            }
            if !any {
                alive.set(state, false);
                changed = true;
            }
        }
        if !changed {
            let mut numbers = std::collections::HashMap::new();
            let mut result = vec![u32::MAX; model.states()];
            for state in alive.ones() {
                let next = numbers.len() as u32;
                result[state] = *numbers.entry(part_of[state]).or_insert(next);
            }
            return Ok((result, numbers.len()));
        }
    }
}
