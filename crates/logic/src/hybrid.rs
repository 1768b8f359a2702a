//! Hybrid branching-time logic (HCTL): CTL with names for states.
//!
//! A state can be given a name, be compared with the state of a name, and be gone to by its name.
//! That says what CTL cannot: that a state comes back to itself, that two states differ.

/// A formula of HCTL over some kind of atoms. States are named by numbers; whoever reads formulas
/// numbers names by how deep they are bound, so that no name hides another.
///
/// `AX` and `AG` are written by negation: `AG f` is `!EF !f`.
///
/// ```
/// use quotient_logic::Hybrid;
/// // `!{x}: EX EF {x}`: a state that comes back to itself.
/// let back = Hybrid::<&str>::Named(0).finally();
/// let comes_back = Hybrid::Bind(0, Box::new(Hybrid::ExistsNext(Box::new(back))));
/// assert_eq!(comes_back.names(), 1);
/// assert!(comes_back.free().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Hybrid<A> {
    /// True or false.
    Constant(bool),
    /// Something about the present state.
    Atom(A),
    /// The present state is the one of this name.
    Named(usize),
    /// The negation.
    Not(Box<Hybrid<A>>),
    /// Both.
    And(Box<Hybrid<A>>, Box<Hybrid<A>>),
    /// At least one.
    Or(Box<Hybrid<A>>, Box<Hybrid<A>>),
    /// Both or none.
    Iff(Box<Hybrid<A>>, Box<Hybrid<A>>),
    /// Some next state.
    ExistsNext(Box<Hybrid<A>>),
    /// The second, and the first until then, on some path or on all.
    Until(Until, Box<Hybrid<A>>, Box<Hybrid<A>>),
    /// On some path always.
    ExistsGlobally(Box<Hybrid<A>>),
    /// The present state gets a name.
    Bind(usize, Box<Hybrid<A>>),
    /// At the state of a name.
    Jump(usize, Box<Hybrid<A>>),
    /// Some state gets a name; the formula is about the present one.
    Exists(usize, Box<Hybrid<A>>),
}

/// Which paths an until is about, and whether its end must come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Until {
    /// On all paths, not only on some.
    pub universal: bool,
    /// The first may also go on for ever.
    pub weak: bool,
}

impl Until {
    /// `E [f U g]`
    pub const EXISTS: Until = Until {
        universal: false,
        weak: false,
    };
    /// `A [f U g]`
    pub const ALL: Until = Until {
        universal: true,
        weak: false,
    };
    /// `E [f W g]`
    pub const EXISTS_WEAK: Until = Until {
        universal: false,
        weak: true,
    };
    /// `A [f W g]`
    pub const ALL_WEAK: Until = Until {
        universal: true,
        weak: true,
    };
}

impl<A> Hybrid<A> {
    /// The negation, without two in a row.
    pub fn negated(self) -> Hybrid<A> {
        match self {
            Hybrid::Not(inner) => *inner,
            other => Hybrid::Not(Box::new(other)),
        }
    }

    /// On some path at some time: `EF`.
    pub fn finally(self) -> Hybrid<A> {
        Hybrid::Constant(true).until(Until::EXISTS, self)
    }

    /// Until.
    pub fn until(self, until: Until, other: Hybrid<A>) -> Hybrid<A> {
        Hybrid::Until(until, Box::new(self), Box::new(other))
    }

    /// Both.
    pub fn and(self, other: Hybrid<A>) -> Hybrid<A> {
        Hybrid::And(Box::new(self), Box::new(other))
    }

    /// At least one.
    pub fn or(self, other: Hybrid<A>) -> Hybrid<A> {
        Hybrid::Or(Box::new(self), Box::new(other))
    }

    /// How many names there are at most at one place: one more than the largest of their numbers.
    pub fn names(&self) -> usize {
        let own = match self {
            Hybrid::Named(name)
            | Hybrid::Bind(name, _)
            | Hybrid::Jump(name, _)
            | Hybrid::Exists(name, _) => name + 1,
            _ => 0,
        };
        let below = self.operands().into_iter().map(Hybrid::names);
        below.fold(own, usize::max)
    }

    /// The names that it mentions and that are given outside of it, sorted.
    pub fn free(&self) -> Vec<usize> {
        let below = self.operands().into_iter().flat_map(Hybrid::free);
        let mut found: Vec<usize> = below.collect();
        match self {
            Hybrid::Named(name) | Hybrid::Jump(name, _) => found.push(*name),
            Hybrid::Bind(name, _) | Hybrid::Exists(name, _) => found.retain(|one| one != name),
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The formulas right below.
    pub fn operands(&self) -> Vec<&Hybrid<A>> {
        match self {
            Hybrid::Constant(_) | Hybrid::Atom(_) | Hybrid::Named(_) => Vec::new(),
            Hybrid::Not(inner)
            | Hybrid::ExistsNext(inner)
            | Hybrid::ExistsGlobally(inner)
            | Hybrid::Bind(_, inner)
            | Hybrid::Jump(_, inner)
            | Hybrid::Exists(_, inner) => vec![inner],
            Hybrid::And(one, other)
            | Hybrid::Or(one, other)
            | Hybrid::Iff(one, other)
            | Hybrid::Until(_, one, other) => vec![one, other],
        }
    }

    /// The same formula over other atoms.
    pub fn try_map<B, E>(&self, atom: &mut impl FnMut(&A) -> Result<B, E>) -> Result<Hybrid<B>, E> {
        if let Hybrid::Atom(one) = self {
            return atom(one).map(Hybrid::Atom);
        }
        let mut below = |inner: &Hybrid<A>| inner.try_map(atom).map(Box::new);
        Ok(match self {
            Hybrid::Constant(_) | Hybrid::Atom(_) => {
                Hybrid::Constant(matches!(self, Hybrid::Constant(true)))
            }
            Hybrid::Named(name) => Hybrid::Named(*name),
            Hybrid::Not(inner) => Hybrid::Not(below(inner)?),
            Hybrid::And(one, other) => Hybrid::And(below(one)?, below(other)?),
            Hybrid::Or(one, other) => Hybrid::Or(below(one)?, below(other)?),
            Hybrid::Iff(one, other) => Hybrid::Iff(below(one)?, below(other)?),
            Hybrid::ExistsNext(inner) => Hybrid::ExistsNext(below(inner)?),
            Hybrid::Until(until, one, other) => Hybrid::Until(*until, below(one)?, below(other)?),
            Hybrid::ExistsGlobally(inner) => Hybrid::ExistsGlobally(below(inner)?),
            Hybrid::Bind(name, inner) => Hybrid::Bind(*name, below(inner)?),
            Hybrid::Jump(name, inner) => Hybrid::Jump(*name, below(inner)?),
            Hybrid::Exists(name, inner) => Hybrid::Exists(*name, below(inner)?),
        })
    }

    /// Names that are given and never used, by their numbers in the order of the text.
    pub fn unused(&self) -> Vec<usize> {
        let own = match self {
            Hybrid::Bind(name, inner) | Hybrid::Exists(name, inner) => {
                Some(*name).filter(|name| !inner.free().contains(name))
            }
            _ => None,
        };
        let below = self.operands().into_iter().flat_map(Hybrid::unused);
        own.into_iter().chain(below).collect()
    }
}
