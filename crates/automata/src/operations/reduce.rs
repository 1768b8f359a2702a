//! Fewer states without determinising: reduction by simulation.

use quotient_core::{Budget, Stop};

use super::lists::Lists;
use super::minimize::equivalent_states;
use super::simulation::{MAX_STATES, Simulation};
use super::successors::Successors;
use crate::{Nfa, State};

/// Up to how many states a simulation is found as quickly as a bisimulation.
const FEW_STATES: usize = 64;

/// After how many rounds a bisimulation is given up that only prepares for a simulation.
const FEW_ROUNDS: usize = 24;

/// After how many rounds one is given up that takes the place of a simulation.
const MANY_ROUNDS: usize = 256;

impl Nfa {
    /// An automaton for the same language with no more states and edges, mostly with fewer:
    /// [`Nfa::reduce_forward`] and [`Nfa::reduce_backward`] in turn until neither helps.
    ///
    /// Beyond 32768 states a simulation would take too much memory. Such an automaton is first
    /// made smaller by bisimulation, forwards and backwards, and left at that if it stays large.
    pub fn reduce(&self, budget: &Budget) -> Result<Nfa, Stop> {
        let size = |nfa: &Nfa| (nfa.len(), nfa.edges().len());
        let smaller = self.reduce_by_bisimulation(MAX_STATES, budget)?;
        if smaller.len() > MAX_STATES {
            return Ok(smaller);
        }
        let mut reduced = smaller.reduce_forward(budget)?;
        loop {
            let again = reduced.reduce_backward(budget)?.reduce_forward(budget)?;
            if size(&again) >= size(&reduced) {
                return Ok(reduced);
            }
            reduced = again;
        }
    }

    /// Reduces by forward simulation: states that simulate each other become one, and where a
    /// letter leads to two states of which one is below the other (a little brother, Bustan
    /// and Grumberg 2003), the edge to the lower one goes.
    pub fn reduce_forward(&self, budget: &Budget) -> Result<Nfa, Stop> {
        let mut nfa = self.without_epsilon(budget)?;
        // States with the same future step by step are found in no time, and often many.
        if nfa.len() > FEW_STATES
            && let Some(classes) = nfa.bisimulation_classes(FEW_ROUNDS, budget)?
        {
            nfa = nfa.quotient(&classes);
        }
        let simulation = nfa.forward_simulation(budget)?;
        Ok(nfa.without_little_brothers(&simulation))
    }

    /// Reduces by backward simulation: [`Nfa::reduce_forward`] of the reverse.
    pub fn reduce_backward(&self, budget: &Budget) -> Result<Nfa, Stop> {
        Ok(self.reverse().reduce_forward(budget)?.reverse())
    }

    /// Reduces an automaton with more than so many states by bisimulation, forwards and
    /// backwards in turn until neither helps.
    fn reduce_by_bisimulation(&self, most: usize, budget: &Budget) -> Result<Nfa, Stop> {
        let mut reduced = self.without_epsilon(budget)?;
        while reduced.len() > most {
            let states = reduced.len();
            if let Some(classes) = reduced.bisimulation_classes(MANY_ROUNDS, budget)? {
                reduced = reduced.quotient(&classes);
            }
            let backwards = reduced.reverse();
            if let Some(classes) = backwards.bisimulation_classes(MANY_ROUNDS, budget)? {
                reduced = backwards.quotient(&classes).reverse();
            }
            if reduced.len() == states {
                break;
            }
        }
        Ok(reduced)
    }

    /// The number of the class of each state, where states with the same future step by step
    /// are in one class; nothing if that takes too many rounds.
    ///
    /// A deterministic automaton is partitioned as [`Dfa::minimize`](crate::Dfa::minimize) does
    /// it. Others are in rounds, each of which tells apart what leads into different classes.
    fn bisimulation_classes(
        &self,
        most_rounds: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let successors = Successors::new(self, &self.minterms());
        if self
            .states()
            .all(|state| successors.from(state.0).all(|(_, to)| to.len() == 1))
        {
            let accepting = self.accepting().ones().map(|state| state as u32);
            return equivalent_states(&successors, accepting, budget).map(Some);
        }
        let mut class_of: Vec<u32> = (0..self.len())
            .map(|state| u32::from(self.accepting().contains(state)))
            .collect();
        let mut classes = 0;
        for _ in 0..most_rounds {
            let mut signatures = Lists::with_capacity(self.len());
            let mut signature = Vec::new();
            let mut targets = Vec::new();
            let mut next = Vec::with_capacity(self.len());
            for state in self.states() {
                signature.clear();
                signature.push(class_of[state.index()]);
                for (class, all) in successors.from(state.0) {
                    targets.clear();
                    targets.extend(all.iter().map(|&target| class_of[target as usize]));
                    targets.sort_unstable();
                    targets.dedup();
                    signature.extend([class, targets.len() as u32]);
                    signature.extend_from_slice(&targets);
                }
                budget.charge(1)?;
                next.push(signatures.intern(&signature));
            }
            class_of = next;
            if signatures.len() == classes {
                return Ok(Some(class_of));
            }
            classes = signatures.len();
        }
        Ok(None)
    }

    /// The quotient by a forward simulation of this ε-free automaton, without the edges and
    /// initial states that lead below others.
    fn without_little_brothers(&self, simulation: &Simulation) -> Nfa {
        let (class_of, representatives) = simulation.equivalence_classes();
        let minterms = self.minterms();
        let successors = Successors::new(self, &minterms);
        let mut builder = Nfa::builder(self.alphabet()).states(representatives.len() as u32);
        let labels: Vec<u32> = (0..minterms.len() as u32)
            .map(|class| builder.label(minterms.members(class)))
            .collect();
        let mut targets = Vec::new();
        // As the members of a class simulate each other, the highest moves of one of them are
        // those of the whole class.
        for (source, representative) in representatives.iter().enumerate() {
            if self.is_accepting(*representative) {
                builder.add_accepting(State(source as u32));
            }
            for (class, all) in successors.from(representative.0) {
                highest(all, &class_of, &representatives, simulation, &mut targets);
                for &target in &targets {
                    let label = labels[class as usize];
                    builder.add_numbered_edge(State(source as u32), label, State(target));
                }
            }
        }
        let initial: Vec<u32> = self.initial().iter().map(|state| state.0).collect();
        highest(
            &initial,
            &class_of,
            &representatives,
            simulation,
            &mut targets,
        );
        for &target in &targets {
            builder.add_initial(State(target));
        }
        builder.build().trim()
    }
}

/// The classes of some states that are not strictly below the class of another of them.
fn highest(
    states: &[u32],
    class_of: &[u32],
    representatives: &[State],
    simulation: &Simulation,
    classes: &mut Vec<u32>,
) {
    classes.clear();
    classes.extend(states.iter().map(|&state| class_of[state as usize]));
    classes.sort_unstable();
    classes.dedup();
    if classes.len() == 1 {
        return;
    }
    let all = classes.clone();
    let of = |class: u32| representatives[class as usize];
    classes.retain(|&class| {
        !all.iter()
            .any(|&other| other != class && simulation.simulates(of(other), of(class)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};

    #[test]
    fn reduction_by_bisimulation_keeps_the_language() {
        let budget = Budget::unlimited();
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..100 {
                let nfa = testing::nfa(&mut Random::new(seed), &alphabet, 9);
                let reduced = nfa.reduce_by_bisimulation(1, &budget).unwrap();
                assert!(reduced.len() <= nfa.len());
                assert_eq!(
                    reduced.is_equivalent_to(&nfa, &budget),
                    Ok(true),
                    "seed {seed}"
                );
                // What is deterministic becomes minimal.
                let minimal = nfa.canonical(&budget).unwrap();
                let dfa = nfa.determinize(&budget).unwrap().to_nfa();
                let reduced = dfa.reduce_by_bisimulation(1, &budget).unwrap();
                assert!(reduced.len() <= minimal.len(), "seed {seed}");
            }
        }
    }

    #[test]
    fn more_states_than_a_simulation_takes_are_reduced() {
        let alphabet = testing::alphabet(2);
        let letter = |number| crate::Predicate::of(&alphabet, [crate::Letter(number)]);
        let length = MAX_STATES as u32 / 2 + 100;
        let mut builder = Nfa::builder(&alphabet).initial(0).accepting(2 * length);
        for state in 0..2 * length {
            builder.add_edge(State(state), &letter(state % 2), State(state + 1));
        }
        // The same once more beside it.
        let nfa = builder.build();
        let reduced = nfa.union(&nfa).reduce(&Budget::unlimited()).unwrap();
        assert_eq!(reduced.len(), nfa.len());
    }
}
