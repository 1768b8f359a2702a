//! Systems: where they begin, and how they step.

use quotient_core::{Budget, Stop};
use quotient_trees::{Equation, RewriteSystem, Transducer, Tree, TreeAutomaton, reduce, union};

/// A system whose configurations are trees, all over one alphabet.
#[derive(Debug, Clone)]
pub struct System {
    /// Where it begins.
    pub initial: TreeAutomaton,
    /// Its steps, with names.
    pub steps: Vec<(String, Step)>,
    /// What an approximation may take for the same; none are needed.
    pub equations: Vec<Equation>,
}

/// A kind of step.
#[derive(Debug, Clone)]
pub enum Step {
    /// The whole tree is read and written anew.
    Transducer(Transducer),
    /// Some subtree is replaced.
    Rewriting(RewriteSystem),
}

impl Step {
    /// What the trees of a set can become; perhaps more where rewriting rules are not linear.
    pub fn image(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        match self {
            Step::Transducer(one) => one.image(set, budget),
            Step::Rewriting(one) => one.image(set, budget),
        }
    }

    /// What can become a tree of a set, with the same reservation.
    pub fn preimage(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        match self {
            Step::Transducer(one) => one.preimage(set, budget),
            Step::Rewriting(one) => one.preimage(set, budget),
        }
    }

    /// Whether one tree can become another.
    pub fn leads(&self, from: &Tree, to: &Tree, budget: &Budget) -> Result<bool, Stop> {
        match self {
            Step::Transducer(one) => {
                let alone = TreeAutomaton::only(one.alphabet().clone(), from);
                Ok(one.image(&alone, budget)?.contains(to))
            }
            Step::Rewriting(one) => Ok(one.successors(from).iter().any(|(_, next)| next == to)),
        }
    }
}

impl System {
    /// What the trees of a set can become in one step.
    pub fn image(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        self.all(set, |step| step.image(set, budget), budget)
    }

    /// What can become a tree of a set in one step.
    pub fn preimage(&self, set: &TreeAutomaton, budget: &Budget) -> Result<TreeAutomaton, Stop> {
        self.all(set, |step| step.preimage(set, budget), budget)
    }

    fn all(
        &self,
        set: &TreeAutomaton,
        one: impl Fn(&Step) -> Result<TreeAutomaton, Stop>,
        budget: &Budget,
    ) -> Result<TreeAutomaton, Stop> {
        let mut found = TreeAutomaton::empty(set.alphabet().clone());
        for (_, step) in &self.steps {
            found = union(&found, &one(step)?);
        }
        reduce(&found, budget)
    }
}
