//! Images and preimages under a partitioned transition relation, with early quantification.
//!
//! The relation is a conjunction of clusters. A variable is quantified away with the last
//! cluster that mentions it; the order of the clusters is chosen so that this happens early
//! and few new variables come in (after Ranjan et al., IWLS 1995).

use quotient_core::Stop;

use super::choice::Choice;
use crate::diagrams::{Diagrams, Renaming, Set, Var};

/// Clusters are conjoined while they have no more nodes than this.
const CLUSTER_SIZE: usize = 2_000;

pub(crate) struct Relation {
    clusters: Vec<Set>,
    forward: Schedule,
    backward: Schedule,
    /// Current variables with their next-state twins.
    twins: Vec<(Var, Var)>,
    inputs: Vec<Var>,
    prepared: Prepared,
    /// The relation as a choice: then there are no clusters.
    choice: Option<Choice>,
}

/// What is remade when the order of the variables changes.
struct Prepared {
    forward: Vec<Set>,
    backward: Vec<Set>,
    inputs: Set,
    to_next: Renaming,
    to_current: Renaming,
}

/// In which order clusters are conjoined, and what is quantified away.
struct Schedule {
    /// Variables that no cluster mentions: quantified away at once.
    first: Vec<Var>,
    /// A cluster, and the variables for which it is the last.
    steps: Vec<(usize, Vec<Var>)>,
}

impl Relation {
    /// A relation from its conjuncts with their supports.
    pub(super) fn new(
        diagrams: &Diagrams,
        conjuncts: Vec<(Set, Vec<Var>)>,
        twins: Vec<(Var, Var)>,
        inputs: Vec<Var>,
    ) -> Result<Relation, Stop> {
        let from: Vec<Var> = twins
            .iter()
            .map(|&(now, _)| now)
            .chain(inputs.clone())
            .collect();
        let to: Vec<Var> = twins
            .iter()
            .map(|&(_, next)| next)
            .chain(inputs.clone())
            .collect();
        let (clusters, supports) = cluster(diagrams, conjuncts, &from)?;
        let forward = Schedule::new(&supports, &from);
        let backward = Schedule::new(&supports, &to);
        let prepared = Prepared::new(diagrams, &forward, &backward, &twins, &inputs)?;
        Ok(Relation {
            clusters,
            forward,
            backward,
            twins,
            inputs,
            prepared,
            choice: None,
        })
    }

    /// A relation that is a choice of ways.
    pub(super) fn of_choice(diagrams: &Diagrams, choice: Choice) -> Result<Relation, Stop> {
        let nothing = Relation::new(diagrams, Vec::new(), Vec::new(), Vec::new())?;
        Ok(Relation {
            choice: Some(choice),
            ..nothing
        })
    }

    /// Whether the relation is a choice of ways.
    pub(crate) fn is_choice(&self) -> bool {
        self.choice.is_some()
    }

    /// How many ways it is a choice of; one if it is none.
    pub(crate) fn ways(&self) -> usize {
        self.choice.as_ref().map_or(1, Choice::count)
    }

    /// Some path to a target, way after way and from the end; empty if there is none, or if the
    /// relation is no choice.
    pub(crate) fn path_back(
        &self,
        diagrams: &Diagrams,
        from: &Set,
        target: &Set,
        pick: impl FnMut(&Set) -> Result<Option<Set>, Stop>,
    ) -> Result<Vec<Set>, Stop> {
        match &self.choice {
            Some(choice) => choice.path_back(diagrams, from, target, pick),
            None => Ok(Vec::new()),
        }
    }

    /// Some states with what ways lead to, each taken as long as it adds something, until a state
    /// of the target is among them; of a relation that is no choice, the same states.
    pub(crate) fn pass(
        &self,
        diagrams: &Diagrams,
        all: Set,
        target: Option<&Set>,
    ) -> Result<Set, Stop> {
        match &self.choice {
            Some(choice) => choice.pass(diagrams, all, target),
            None => Ok(all),
        }
    }

    /// The sets that must survive a change of the order; call [`Relation::refresh`] after it.
    pub(super) fn sets_mut(&mut self) -> impl Iterator<Item = &mut Set> {
        let choice = self.choice.iter_mut().flat_map(Choice::sets_mut);
        self.clusters.iter_mut().chain(choice)
    }

    pub(super) fn refresh(&mut self, diagrams: &Diagrams) -> Result<(), Stop> {
        let (twins, inputs) = (&self.twins, &self.inputs);
        self.prepared = Prepared::new(diagrams, &self.forward, &self.backward, twins, inputs)?;
        match &mut self.choice {
            Some(choice) => choice.refresh(diagrams),
            None => Ok(()),
        }
    }

    /// The states that are one step after a state of the set.
    pub(crate) fn image(&self, diagrams: &Diagrams, set: &Set) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.image(diagrams, set);
        }
        let cubes = &self.prepared.forward;
        let product = self.product(diagrams, set, &self.forward, cubes)?;
        diagrams.rename(&product, &self.prepared.to_current)
    }

    /// The states that are one step before a state of the set. (Legal only if intersected
    /// with legal states.)
    pub(crate) fn preimage(&self, diagrams: &Diagrams, set: &Set) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.preimage(diagrams, set, None);
        }
        let next = diagrams.rename(set, &self.prepared.to_next)?;
        self.product(diagrams, &next, &self.backward, &self.prepared.backward)
    }

    /// The states with a step into the set in which a condition on state and input holds.
    pub(crate) fn preimage_where(
        &self,
        diagrams: &Diagrams,
        set: &Set,
        condition: &Set,
    ) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.preimage(diagrams, set, Some(condition));
        }
        if self.inputs.is_empty() {
            let before = self.preimage(diagrams, set)?;
            return diagrams.and(&before, condition);
        }
        let next = diagrams.rename(set, &self.prepared.to_next)?;
        let next = diagrams.exists(&next, &self.prepared.backward[0])?;
        let mut product = diagrams.and(&next, condition)?;
        for ((cluster, _), cube) in self.backward.steps.iter().zip(&self.prepared.backward[1..]) {
            product = diagrams.and_exists(&product, &self.clusters[*cluster], cube)?;
        }
        diagrams.exists(&product, &self.prepared.inputs)
    }

    /// The states with a step into a legal state in which a condition on state, input and next
    /// state holds. (Legal only if intersected with legal states.)
    pub(crate) fn preimage_of_steps(
        &self,
        diagrams: &Diagrams,
        legal: &Set,
        condition: &Set,
    ) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.preimage_of_steps(diagrams, legal, condition);
        }
        let next = diagrams.rename(legal, &self.prepared.to_next)?;
        let steps = diagrams.and(&next, condition)?;
        self.product(diagrams, &steps, &self.backward, &self.prepared.backward)
    }

    /// The states after those steps from some states in which a condition holds.
    pub(crate) fn image_of_steps(
        &self,
        diagrams: &Diagrams,
        from: &Set,
        condition: &Set,
    ) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.image_of_steps(diagrams, from, condition);
        }
        let steps = diagrams.and(from, condition)?;
        let product = self.product(diagrams, &steps, &self.forward, &self.prepared.forward)?;
        diagrams.rename(&product, &self.prepared.to_current)
    }

    /// The steps between two sets, over current, next and input variables.
    pub(crate) fn between(&self, diagrams: &Diagrams, from: &Set, to: &Set) -> Result<Set, Stop> {
        if let Some(choice) = &self.choice {
            return choice.between(diagrams, from, to);
        }
        let next = diagrams.rename(to, &self.prepared.to_next)?;
        let mut product = diagrams.and(from, &next)?;
        for cluster in &self.clusters {
            product = diagrams.and(&product, cluster)?;
        }
        Ok(product)
    }

    fn product(
        &self,
        diagrams: &Diagrams,
        set: &Set,
        schedule: &Schedule,
        cubes: &[Set],
    ) -> Result<Set, Stop> {
        let mut product = match schedule.first.is_empty() {
            true => set.clone(),
            false => diagrams.exists(set, &cubes[0])?,
        };
        for ((cluster, _), cube) in schedule.steps.iter().zip(&cubes[1..]) {
            product = diagrams.and_exists(&product, &self.clusters[*cluster], cube)?;
        }
        Ok(product)
    }
}

impl Prepared {
    fn new(
        diagrams: &Diagrams,
        forward: &Schedule,
        backward: &Schedule,
        twins: &[(Var, Var)],
        inputs: &[Var],
    ) -> Result<Prepared, Stop> {
        let flipped: Vec<(Var, Var)> = twins.iter().map(|&(now, next)| (next, now)).collect();
        Ok(Prepared {
            forward: forward.cubes(diagrams)?,
            backward: backward.cubes(diagrams)?,
            inputs: diagrams.cube(inputs.iter().copied())?,
            to_next: diagrams.renaming(twins)?,
            to_current: diagrams.renaming(&flipped)?,
        })
    }
}

impl Schedule {
    /// Chooses greedily: the cluster that lets most variables go for the fewest new ones.
    fn new(supports: &[Vec<Var>], quantified: &[Var]) -> Schedule {
        let most = supports.iter().flatten().chain(quantified).max();
        let count = most.map_or(0, |&variable| variable as usize + 1);
        let mut is_quantified = vec![false; count];
        quantified
            .iter()
            .for_each(|&v| is_quantified[v as usize] = true);
        // How many clusters still to come mention each variable.
        let mut users = vec![0u32; count];
        supports
            .iter()
            .flatten()
            .for_each(|&v| users[v as usize] += 1);
        let first = quantified
            .iter()
            .copied()
            .filter(|&v| users[v as usize] == 0)
            .collect();
        let mut present = vec![false; count];
        let mut left: Vec<usize> = (0..supports.len()).collect();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let score = |&cluster: &usize| {
                let support = &supports[cluster];
                let is_last = |v: &&Var| is_quantified[**v as usize] && users[**v as usize] == 1;
                let is_new = |v: &&Var| !is_quantified[**v as usize] && !present[**v as usize];
                let gone = support.iter().filter(is_last).count() as i64;
                let new = support.iter().filter(is_new).count() as i64;
                (2 * gone - new, -(support.len() as i64))
            };
            let best = (0..left.len()).rev().max_by_key(|&i| score(&left[i]));
            let cluster = left.remove(best.unwrap_or(0));
            let mut last = Vec::new();
            for &variable in &supports[cluster] {
                present[variable as usize] = true;
                users[variable as usize] -= 1;
                if users[variable as usize] == 0 && is_quantified[variable as usize] {
                    last.push(variable);
                }
            }
            steps.push((cluster, last));
        }
        Schedule { first, steps }
    }

    /// The cube of what goes first, then one for each step.
    fn cubes(&self, diagrams: &Diagrams) -> Result<Vec<Set>, Stop> {
        let later = self.steps.iter().map(|(_, last)| last);
        std::iter::once(&self.first)
            .chain(later)
            .map(|variables| diagrams.cube(variables.iter().copied()))
            .collect()
    }
}

/// Conjoins neighbours in a good order while they stay small.
fn cluster(
    diagrams: &Diagrams,
    conjuncts: Vec<(Set, Vec<Var>)>,
    quantified: &[Var],
) -> Result<(Vec<Set>, Vec<Vec<Var>>), Stop> {
    let supports: Vec<Vec<Var>> = conjuncts
        .iter()
        .map(|(_, support)| support.clone())
        .collect();
    let order = Schedule::new(&supports, quantified);
    let mut clusters: Vec<Set> = Vec::new();
    for (conjunct, _) in order.steps {
        let (set, _) = &conjuncts[conjunct];
        if let Some(last) = clusters.last_mut() {
            let room = diagrams.size(last) + diagrams.size(set) <= 2 * CLUSTER_SIZE;
            if room {
                let joined = diagrams.and(last, set)?;
                if diagrams.size(&joined) <= CLUSTER_SIZE {
                    *last = joined;
                    continue;
                }
            }
        }
        clusters.push(set.clone());
    }
    let supports = clusters.iter().map(|set| diagrams.support(set)).collect();
    Ok((clusters, supports))
}
