//! Fewer states without determinising: reduction by simulation.

use quotient_core::{Budget, Stop};

use super::simulation::Simulation;
use super::successors::Successors;
use crate::{Nfa, State};

impl Nfa {
    /// An automaton for the same language with no more states and edges, mostly with fewer:
    /// [`Nfa::reduce_forward`] and [`Nfa::reduce_backward`] in turn until neither helps.
    pub fn reduce(&self, budget: &Budget) -> Result<Nfa, Stop> {
        let size = |nfa: &Nfa| (nfa.len(), nfa.edges().len());
        let mut reduced = self.reduce_forward(budget)?;
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
        let nfa = self.without_epsilon(budget)?;
        let simulation = nfa.forward_simulation(budget)?;
        Ok(nfa.without_little_brothers(&simulation))
    }

    /// Reduces by backward simulation: [`Nfa::reduce_forward`] of the reverse.
    pub fn reduce_backward(&self, budget: &Budget) -> Result<Nfa, Stop> {
        Ok(self.reverse().reduce_forward(budget)?.reverse())
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
