//! Images under a relation that is a choice of ways: each touches only the bits that it changes.

use oxidd::BooleanFunction;
use quotient_core::Stop;

use crate::diagrams::{Diagrams, Renaming, Set, Var};

/// Ways are taken together while they have no more nodes than this.
const WAY_SIZE: usize = 400;
/// Of more ways than this, only those that change the same bits are taken together.
const MOST_COMPARED: usize = 1_000;

/// A relation as a choice.
pub(crate) struct Choice {
    ways: Vec<Way>,
    /// What states fulfil before a step and after it, over current variables.
    before: Set,
    after: Set,
    twins: Vec<(Var, Var)>,
    inputs: Vec<Var>,
    prepared: Vec<Prepared>,
    to_next: Renaming,
}

/// One way: a relation over some variables and their twins; all others keep their values.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) set: Set,
    /// Sorted.
    pub(super) changes: Vec<(Var, Var)>,
}

/// What is remade when the order of the variables changes.
struct Prepared {
    forward: Set,
    backward: Set,
    to_next: Renaming,
    to_current: Renaming,
}

impl Choice {
    pub(super) fn new(
        diagrams: &Diagrams,
        ways: Vec<Way>,
        [before, after]: [Set; 2],
        twins: Vec<(Var, Var)>,
        inputs: Vec<Var>,
    ) -> Result<Choice, Stop> {
        let mut choice = Choice {
            ways: together(diagrams, ways)?,
            before,
            after,
            to_next: diagrams.renaming(&twins)?,
            twins,
            inputs,
            prepared: Vec::new(),
        };
        choice.refresh(diagrams)?;
        Ok(choice)
    }

    pub(super) fn sets_mut(&mut self) -> impl Iterator<Item = &mut Set> {
        let own = [&mut self.before, &mut self.after];
        own.into_iter()
            .chain(self.ways.iter_mut().map(|way| &mut way.set))
    }

    pub(super) fn refresh(&mut self, diagrams: &Diagrams) -> Result<(), Stop> {
        // From the bottom of the diagrams up: what is below is settled before what is above.
        self.ways.sort_by_key(|way| {
            let levels = way.changes.iter().map(|&(now, _)| diagrams.level(now));
            std::cmp::Reverse(levels.min())
        });
        self.to_next = diagrams.renaming(&self.twins)?;
        let ways = self.ways.iter();
        let prepared: Result<_, Stop> = ways.map(|way| self.prepare(diagrams, way)).collect();
        self.prepared = prepared?;
        Ok(())
    }

    fn prepare(&self, diagrams: &Diagrams, way: &Way) -> Result<Prepared, Stop> {
        let inputs = || self.inputs.iter().copied();
        let flipped: Vec<(Var, Var)> = way.changes.iter().map(|&(a, b)| (b, a)).collect();
        Ok(Prepared {
            forward: diagrams.cube(way.changes.iter().map(|&(now, _)| now).chain(inputs()))?,
            backward: diagrams.cube(way.changes.iter().map(|&(_, next)| next).chain(inputs()))?,
            to_next: diagrams.renaming(&way.changes)?,
            to_current: diagrams.renaming(&flipped)?,
        })
    }

    pub(super) fn image(&self, diagrams: &Diagrams, set: &Set) -> Result<Set, Stop> {
        let from = diagrams.and(set, &self.before)?;
        let mut all = diagrams.constant(false);
        for number in 0..self.ways.len() {
            let after = self.image_by(diagrams, number, &from)?;
            all = diagrams.or(&all, &after)?;
        }
        diagrams.and(&all, &self.after)
    }

    /// The states after one way, whatever must hold after every step.
    fn image_by(&self, diagrams: &Diagrams, number: usize, from: &Set) -> Result<Set, Stop> {
        let (way, prepared) = (&self.ways[number], &self.prepared[number]);
        let after = diagrams.and_exists(from, &way.set, &prepared.forward)?;
        diagrams.rename(&after, &prepared.to_current)
    }

    /// Adds to some states what the ways lead to, each taken until it adds nothing before the next
    /// one is. Stops when a state of the target is among them.
    pub(super) fn pass(
        &self,
        diagrams: &Diagrams,
        mut all: Set,
        target: Option<&Set>,
    ) -> Result<Set, Stop> {
        for number in 0..self.ways.len() {
            loop {
                let from = diagrams.and(&all, &self.before)?;
                let after = self.image_by(diagrams, number, &from)?;
                let after = diagrams.and(&after, &self.after)?;
                let more = diagrams.or(&all, &after)?;
                if more == all {
                    break;
                }
                all = more;
                if let Some(target) = target
                    && diagrams.and(&after, target)?.satisfiable()
                {
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }

    /// Some path from some states to a target that chaining comes to, state by state from the end;
    /// empty if it comes to none. `pick` chooses a state of a set.
    ///
    /// What is reached grows way by way; a state is first reached by one way from what was reached
    /// before, so the way back never comes to the same place twice.
    pub(super) fn path_back(
        &self,
        diagrams: &Diagrams,
        from: &Set,
        target: &Set,
        mut pick: impl FnMut(&Set) -> Result<Option<Set>, Stop>,
    ) -> Result<Vec<Set>, Stop> {
        let mut grown: Vec<(Set, usize)> = vec![(from.clone(), 0)];
        self.grow(diagrams, target, &mut grown)?;
        let mut path = Vec::new();
        let mut at = grown.len() - 1;
        let mut wanted = diagrams.and(&grown[at].0, target)?;
        while let Some(state) = pick(&wanted)? {
            // Sets only grow: the first that has the state is found by halving.
            let has = |set: &Set| Ok::<_, Stop>(diagrams.and(set, &state)?.satisfiable());
            let (mut low, mut high) = (0, at);
            while low < high {
                let middle = (low + high) / 2;
                match has(&grown[middle].0)? {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            path.push(state);
            if low == 0 {
                break;
            }
            let (way, prepared) = (&self.ways[grown[low].1], &self.prepared[grown[low].1]);
            let to = diagrams.rename(&path[path.len() - 1], &prepared.to_next)?;
            let before = diagrams.and_exists(&to, &way.set, &prepared.backward)?;
            let before = diagrams.and(&before, &self.before)?;
            at = low - 1;
            wanted = diagrams.and(&before, &grown[at].0)?;
        }
        Ok(path)
    }

    /// Takes way after way until a state of the target is reached or nothing is added, and notes
    /// what was reached each time and by which way.
    fn grow(
        &self,
        diagrams: &Diagrams,
        target: &Set,
        grown: &mut Vec<(Set, usize)>,
    ) -> Result<(), Stop> {
        loop {
            let known = grown.len();
            for number in 0..self.ways.len() {
                loop {
                    let all = &grown[grown.len() - 1].0;
                    let from = diagrams.and(all, &self.before)?;
                    let after = self.image_by(diagrams, number, &from)?;
                    let after = diagrams.and(&after, &self.after)?;
                    let more = diagrams.or(all, &after)?;
                    if more == *all {
                        break;
                    }
                    grown.push((more, number));
                    if diagrams.and(&after, target)?.satisfiable() {
                        return Ok(());
                    }
                }
            }
            if grown.len() == known {
                return Ok(());
            }
        }
    }

    /// How many ways there are.
    pub(super) fn count(&self) -> usize {
        self.ways.len()
    }

    /// The states before a set by steps in which a condition on state and input holds.
    pub(super) fn preimage(
        &self,
        diagrams: &Diagrams,
        set: &Set,
        condition: Option<&Set>,
    ) -> Result<Set, Stop> {
        let to = diagrams.and(set, &self.after)?;
        let mut all = diagrams.constant(false);
        for (way, prepared) in self.ways.iter().zip(&self.prepared) {
            let mut next = diagrams.rename(&to, &prepared.to_next)?;
            if let Some(condition) = condition {
                next = diagrams.and(&next, condition)?;
            }
            let before = diagrams.and_exists(&next, &way.set, &prepared.backward)?;
            all = diagrams.or(&all, &before)?;
        }
        diagrams.and(&all, &self.before)
    }

    /// The states before a set by steps in which a condition on state, input and next state holds.
    pub(super) fn preimage_of_steps(
        &self,
        diagrams: &Diagrams,
        set: &Set,
        condition: &Set,
    ) -> Result<Set, Stop> {
        let to = diagrams.and(set, &self.after)?;
        let mut all = diagrams.constant(false);
        for (way, prepared) in self.ways.iter().zip(&self.prepared) {
            let next = diagrams.rename(&to, &prepared.to_next)?;
            let next = diagrams.and(&next, &self.seen_by(diagrams, way, condition)?)?;
            let before = diagrams.and_exists(&next, &way.set, &prepared.backward)?;
            all = diagrams.or(&all, &before)?;
        }
        diagrams.and(&all, &self.before)
    }

    /// The states after steps in which such a condition holds.
    pub(super) fn image_of_steps(
        &self,
        diagrams: &Diagrams,
        from: &Set,
        condition: &Set,
    ) -> Result<Set, Stop> {
        let from = diagrams.and(from, &self.before)?;
        let mut all = diagrams.constant(false);
        for (way, prepared) in self.ways.iter().zip(&self.prepared) {
            let from = diagrams.and(&from, &self.seen_by(diagrams, way, condition)?)?;
            let after = diagrams.and_exists(&from, &way.set, &prepared.forward)?;
            let after = diagrams.rename(&after, &prepared.to_current)?;
            all = diagrams.or(&all, &after)?;
        }
        diagrams.and(&all, &self.after)
    }

    /// The steps between two sets, over current, next and input variables.
    pub(super) fn between(&self, diagrams: &Diagrams, from: &Set, to: &Set) -> Result<Set, Stop> {
        let to = diagrams.and(to, &self.after)?;
        let next = diagrams.rename(&to, &self.to_next)?;
        let from = diagrams.and(from, &self.before)?;
        let pairs = diagrams.and(&from, &next)?;
        let mut all = diagrams.constant(false);
        for way in &self.ways {
            let mut steps = diagrams.and(&pairs, &way.set)?;
            for (now, next) in self.kept(way) {
                if !steps.satisfiable() {
                    break;
                }
                steps = diagrams.and(&steps, &same(diagrams, now, next)?)?;
            }
            all = diagrams.or(&all, &steps)?;
        }
        Ok(all)
    }

    /// A condition as it reads where a way is taken: what is kept is the same before and after.
    fn seen_by(&self, diagrams: &Diagrams, way: &Way, condition: &Set) -> Result<Set, Stop> {
        seen_by(diagrams, &self.kept(way), condition)
    }

    fn kept(&self, way: &Way) -> Vec<(Var, Var)> {
        kept(&self.twins, &way.changes)
    }
}

/// A condition with next variables of bits that are kept exchanged for the current ones.
pub(super) fn seen_by(
    diagrams: &Diagrams,
    kept: &[(Var, Var)],
    condition: &Set,
) -> Result<Set, Stop> {
    let flipped: Vec<(Var, Var)> = kept.iter().map(|&(now, next)| (next, now)).collect();
    diagrams.rename(condition, &diagrams.renaming(&flipped)?)
}

/// The pairs that a way does not change.
pub(super) fn kept(twins: &[(Var, Var)], changes: &[(Var, Var)]) -> Vec<(Var, Var)> {
    let all = twins.iter().copied();
    all.filter(|pair| changes.binary_search(pair).is_err())
        .collect()
}

fn same(diagrams: &Diagrams, now: Var, next: Var) -> Result<Set, Stop> {
    let differ = diagrams.xor(&diagrams.variable(now)?, &diagrams.variable(next)?)?;
    diagrams.not(&differ)
}

/// Takes ways together that change the same bits, or bits among those of another, while they stay
/// small.
fn together(diagrams: &Diagrams, ways: Vec<Way>) -> Result<Vec<Way>, Stop> {
    let mut found: Vec<Way> = Vec::new();
    let mut known: rustc_hash::FxHashMap<Vec<(Var, Var)>, usize> = Default::default();
    for way in ways {
        if let Some(&at) = known.get(&way.changes) {
            let both = diagrams.or(&found[at].set, &way.set)?;
            if diagrams.size(&both) <= WAY_SIZE {
                found[at].set = both;
                continue;
            }
        }
        known.insert(way.changes.clone(), found.len());
        found.push(way);
    }
    if found.len() > MOST_COMPARED {
        return Ok(found);
    }
    found.sort_by_key(|way| std::cmp::Reverse(way.changes.len()));
    let mut largest: Vec<Way> = Vec::new();
    'ways: for way in found {
        for larger in &mut largest {
            let has = |pair| larger.changes.binary_search(pair).is_ok();
            if !way.changes.iter().all(has) {
                continue;
            }
            let mut wider = way.set.clone();
            for (now, next) in kept(&larger.changes, &way.changes) {
                wider = diagrams.and(&wider, &same(diagrams, now, next)?)?;
            }
            let both = diagrams.or(&larger.set, &wider)?;
            if diagrams.size(&both) <= WAY_SIZE {
                larger.set = both;
                continue 'ways;
            }
        }
        largest.push(way);
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::diagrams::Config;
    use crate::fixpoint::Arena;
    use crate::model::{Domain, Expression, Kind, Model};
    use crate::system::System;

    /// A counter of some bits, written way by way (some low bits fall and the next one rises), beside
    /// as many bits that never change.
    fn counter(width: usize) -> Model {
        let mut model = Model::new();
        let ids: Vec<_> = (0..2 * width)
            .map(|_| model.add_variable("bit", Kind::State, Domain::Boolean))
            .collect();
        let mut ways = Vec::new();
        for rises in 0..width {
            let mut parts = Vec::new();
            for (at, &id) in ids.iter().enumerate() {
                let (now, next) = (model.bit(id, 0), model.next_bit(id, 0));
                parts.push(match at.cmp(&rises) {
                    std::cmp::Ordering::Less => model.and(now, !next),
                    std::cmp::Ordering::Equal => model.and(!now, next),
                    std::cmp::Ordering::Greater => model.iff(now, next),
                });
            }
            ways.push(model.and_all(parts));
        }
        let any = model.or_all(ways);
        model.add_transition(any);
        for id in ids {
            let now = model.bit(id, 0);
            model.add_init(!now);
        }
        model
    }

    #[test]
    fn a_path_back_goes_step_by_step() {
        let mut model = counter(5);
        let ids: Vec<_> = model.variable_ids().map(|(id, _)| id).collect();
        let top: Vec<Expression> = ids[..5].iter().map(|&id| model.bit(id, 0)).collect();
        let top = model.and_all(top);
        let everything = vec![true; ids.len()];
        let system = System::new(model, &[], Config::small(), &Budget::unlimited()).unwrap();
        let machine = system.machine(everything).unwrap();
        let diagrams = &system.diagrams;
        let relation = &machine.relation;
        assert!(relation.is_choice());
        let arena = Arena {
            diagrams,
            machine: &machine,
            states: &machine.legal,
        };
        let target = system.compile(top).unwrap();
        let pick = |set: &Set| arena.pick(set);
        let path = relation.path_back(diagrams, &machine.init, &target, pick);
        let path = path.unwrap();
        assert_eq!(path.len(), 32);
        assert!(path[0] == diagrams.and(&path[0], &target).unwrap());
        assert!(path[31] == machine.init);
        for pair in path.windows(2) {
            let after = relation.image(diagrams, &pair[1]).unwrap();
            assert!(after == pair[0]);
            let before = relation.preimage(diagrams, &pair[0]).unwrap();
            assert!(before == pair[1]);
            let steps = relation.between(diagrams, &pair[1], &pair[0]).unwrap();
            assert!(steps.satisfiable());
        }
        let never = system.compile(!top).unwrap();
        let never = diagrams.and(&never, &target).unwrap();
        let none = relation.path_back(diagrams, &machine.init, &never, |set| arena.pick(set));
        assert!(none.unwrap().is_empty());
    }
}
