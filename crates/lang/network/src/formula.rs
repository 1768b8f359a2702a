//! Hybrid branching-time logic.

/// A formula; names of states are numbered by how deep they are bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Formula {
    Constant(bool),
    /// A variable of the network is 1.
    Variable(usize),
    /// The present state is the one of this name.
    Named(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    /// Some next state.
    ExistsNext(Box<Formula>),
    /// On some path the second, and the first until then.
    ExistsUntil(Box<Formula>, Box<Formula>),
    /// On some path always.
    ExistsGlobally(Box<Formula>),
    /// The present state gets a name.
    Bind(usize, Box<Formula>),
    /// At the state of a name.
    Jump(usize, Box<Formula>),
    /// Some state gets a name; the formula is about the present one.
    Exists(usize, Box<Formula>),
}

impl Formula {
    pub(crate) fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// How many names there are at most at one place.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Variable(_) => 0,
            Formula::Named(name) => name + 1,
            Formula::Not(inner) | Formula::ExistsNext(inner) | Formula::ExistsGlobally(inner) => {
                inner.depth()
            }
            Formula::And(one, other)
            | Formula::Or(one, other)
            | Formula::ExistsUntil(one, other) => one.depth().max(other.depth()),
            Formula::Bind(name, inner)
            | Formula::Jump(name, inner)
            | Formula::Exists(name, inner) => inner.depth().max(name + 1),
        }
    }
}
