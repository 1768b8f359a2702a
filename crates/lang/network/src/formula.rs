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

    /// How many parts it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Named(_) => 1,
            Formula::Not(inner)
            | Formula::ExistsNext(inner)
            | Formula::ExistsGlobally(inner)
            | Formula::Bind(_, inner)
            | Formula::Jump(_, inner)
            | Formula::Exists(_, inner) => 1 + inner.size(),
            Formula::And(one, other)
            | Formula::Or(one, other)
            | Formula::ExistsUntil(one, other) => 1 + one.size() + other.size(),
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

    /// The names that it mentions and that are given outside of it, sorted.
    pub(crate) fn free(&self) -> Vec<usize> {
        let mut found = match self {
            Formula::Constant(_) | Formula::Variable(_) => Vec::new(),
            Formula::Named(name) => vec![*name],
            Formula::Not(inner) | Formula::ExistsNext(inner) | Formula::ExistsGlobally(inner) => {
                inner.free()
            }
            Formula::And(one, other)
            | Formula::Or(one, other)
            | Formula::ExistsUntil(one, other) => [one.free(), other.free()].concat(),
            Formula::Jump(name, inner) => [vec![*name], inner.free()].concat(),
            Formula::Bind(name, inner) | Formula::Exists(name, inner) => {
                let mut free = inner.free();
                free.retain(|one| one != name);
                free
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How often a state is given a name that nothing mentions.
    pub(crate) fn unused(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Named(_) => 0,
            Formula::Not(inner)
            | Formula::ExistsNext(inner)
            | Formula::ExistsGlobally(inner)
            | Formula::Jump(_, inner) => inner.unused(),
            Formula::Bind(name, inner) | Formula::Exists(name, inner) => {
                usize::from(!inner.free().contains(name)) + inner.unused()
            }
            Formula::And(one, other)
            | Formula::Or(one, other)
            | Formula::ExistsUntil(one, other) => one.unused() + other.unused(),
        }
    }

    /// Whether its truth depends on the states of names alone, not on the present one.
    pub(crate) fn is_about_names(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Jump(..) => true,
            Formula::Not(inner) => inner.is_about_names(),
            Formula::And(one, other) | Formula::Or(one, other) => {
                one.is_about_names() && other.is_about_names()
            }
            _ => false,
        }
    }

    /// The parts that hold together if it does: `@{x}: (f & g)` has two.
    pub(crate) fn parts(&self) -> Vec<Formula> {
        match self {
            Formula::And(one, other) => [one.parts(), other.parts()].concat(),
            Formula::Jump(name, inner) => {
                let parts = inner.parts().into_iter();
                parts
                    .map(|part| Formula::Jump(*name, Box::new(part)))
                    .collect()
            }
            other => vec![other.clone()],
        }
    }
}
