//! What one run can show about a formula of CTL.
//!
//! That something holds on *some* path is shown by a run that does it, and that something does
//! not hold on *all* paths by a run that does the opposite. What is said about all paths stays
//! open, and so does what would need several runs.

use quotient_logic::{Binary, Formula, Kind as Says, Unary};

use crate::program::NodeId;

/// A run: how many states it has, and where it goes on after the last one.
pub(super) struct Branch<'a> {
    pub(super) states: usize,
    pub(super) back_to: Option<usize>,
    /// The value of an atom in a state.
    pub(super) atom: &'a dyn Fn(NodeId, usize) -> Option<bool>,
}

/// What a run says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// It does not show it, though one run could.
    No,
    /// It cannot be shown by a run.
    Open,
    /// It shows it.
    Yes,
}

impl Shown {
    fn both(self, other: Shown) -> Shown {
        self.min(other)
    }

    fn either(self, other: Shown) -> Shown {
        self.max(other)
    }

    fn at_least_open(self) -> Shown {
        self.max(Shown::Open)
    }
}

impl Branch<'_> {
    /// Whether the run shows, from a state on, that a formula is true (or false) there.
    pub(super) fn shows(&self, formula: &Formula<NodeId>, truth: bool, at: usize) -> Shown {
        match &formula.kind {
            Says::Constant(value) => decided(*value == truth),
            Says::Atom(atom) => match (self.atom)(*atom, at) {
                Some(value) => decided(value == truth),
                None => Shown::No,
            },
            Says::Unary(Unary::Not, operand) => self.shows(operand, !truth, at),
            Says::Unary(Unary::ForAll, _) if truth => Shown::Open,
            Says::Unary(Unary::Exists, _) if !truth => Shown::Open,
            Says::Unary(Unary::ForAll | Unary::Exists, path) => self.path(path, truth, at),
            Says::Binary(operator, left, right) => {
                self.connective(*operator, (left, right), truth, at)
            }
            Says::Unary(..) | Says::Placeholder(_) => Shown::Open,
        }
    }

    fn connective(
        &self,
        operator: Binary,
        (left, right): (&Formula<NodeId>, &Formula<NodeId>),
        truth: bool,
        at: usize,
    ) -> Shown {
        // Two things about paths may need two runs, and there is only one.
        let several = is_temporal(left) && is_temporal(right);
        let left = |value: bool| self.shows(left, value, at);
        let right = |value: bool| self.shows(right, value, at);
        let both = |left: Shown, right: Shown| match several {
            true => left.at_least_open().both(right.at_least_open()),
            false => left.both(right),
        };
        // Exclusive connectives hold for one of two pairs of values.
        let pairs = |same: bool| {
            let one = both(left(true), right(same));
            one.either(both(left(false), right(!same)))
        };
        match (operator, truth) {
            (Binary::And, true) => both(left(true), right(true)),
            (Binary::And, false) => left(false).either(right(false)),
            (Binary::Or, true) => left(true).either(right(true)),
            (Binary::Or, false) => both(left(false), right(false)),
            (Binary::Implies, true) => left(false).either(right(true)),
            (Binary::Implies, false) => both(left(true), right(false)),
            (Binary::Iff, truth) => pairs(truth),
            (Binary::Xor, truth) => pairs(!truth),
            _ => Shown::Open,
        }
    }

    /// Whether the run shows a claim in a state that it passes on its way: if the claim is
    /// itself about paths, another one may show it.
    fn passes(&self, claim: Claim<'_>, at: usize) -> Shown {
        let shown = self.shows(claim.0, claim.1, at);
        match is_temporal(claim.0) {
            true => shown.at_least_open(),
            false => shown,
        }
    }

    /// Whether the run itself does what a path formula says (or the opposite).
    fn path(&self, path: &Formula<NodeId>, truth: bool, at: usize) -> Shown {
        match &path.kind {
            Says::Unary(Unary::Next, operand) => match self.after(at) {
                Some(next) => self.shows(operand, truth, next),
                None => Shown::No,
            },
            Says::Unary(Unary::Finally(None), operand) => match truth {
                true => self.until(None, (operand, true), at),
                false => self.forever((operand, false), at),
            },
            Says::Unary(Unary::Globally(None), operand) => match truth {
                true => self.forever((operand, true), at),
                false => self.until(None, (operand, false), at),
            },
            Says::Binary(operator, left, right) => {
                let (left, right) = (&**left, &**right);
                match (operator, truth) {
                    (Binary::Until(None), true) => {
                        self.until(Some((left, true)), (right, true), at)
                    }
                    // Not the right up to where neither is true, or for ever.
                    (Binary::Until(None), false) => {
                        let ends = self.until_both((right, false), (left, false), at);
                        ends.either(self.forever((right, false), at))
                    }
                    (Binary::Release, true) => {
                        let ends = self.until_both((right, true), (left, true), at);
                        ends.either(self.forever((right, true), at))
                    }
                    (Binary::Release, false) => self.until(Some((left, false)), (right, false), at),
                    (Binary::WeakUntil, true) => {
                        let ends = self.until(Some((left, true)), (right, true), at);
                        ends.either(self.forever((left, true), at))
                    }
                    (Binary::WeakUntil, false) => {
                        self.until_both((right, false), (left, false), at)
                    }
                    _ => Shown::Open,
                }
            }
            _ => Shown::Open,
        }
    }

    fn after(&self, at: usize) -> Option<usize> {
        match at + 1 < self.states {
            true => Some(at + 1),
            false => self.back_to,
        }
    }

    /// All states that the run visits from one on, each once, in order.
    fn ahead(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let again = self.back_to.map_or(at..at, |back| back.min(at)..at);
        (at..self.states).chain(again)
    }

    fn until(&self, through: Option<Claim<'_>>, target: Claim<'_>, at: usize) -> Shown {
        let mut so_far = Shown::Yes;
        let mut best = Shown::No;
        for step in self.ahead(at) {
            best = best.either(so_far.both(self.shows(target.0, target.1, step)));
            if let Some(through) = through {
                so_far = so_far.both(self.passes(through, step));
            }
            if best == Shown::Yes || so_far == Shown::No {
                break;
            }
        }
        best
    }

    /// The first claim up to and including a state where both are true.
    fn until_both(&self, holding: Claim<'_>, ending: Claim<'_>, at: usize) -> Shown {
        let mut so_far = Shown::Yes;
        let mut best = Shown::No;
        for step in self.ahead(at) {
            so_far = so_far.both(self.passes(holding, step));
            best = best.either(so_far.both(self.passes(ending, step)));
            if best == Shown::Yes || so_far == Shown::No {
                break;
            }
        }
        best
    }

    fn forever(&self, claim: Claim<'_>, at: usize) -> Shown {
        if self.back_to.is_none() {
            return Shown::No;
        }
        let claims = self.ahead(at).map(|step| self.passes(claim, step));
        claims.fold(Shown::Yes, Shown::both)
    }
}

/// That a formula has a truth value.
type Claim<'f> = (&'f Formula<NodeId>, bool);

fn is_temporal(formula: &Formula<NodeId>) -> bool {
    match &formula.kind {
        Says::Constant(_) | Says::Atom(_) | Says::Placeholder(_) => false,
        Says::Unary(Unary::Not, operand) => is_temporal(operand),
        Says::Unary(..) => true,
        Says::Binary(_, left, right) => is_temporal(left) || is_temporal(right),
    }
}

fn decided(shown: bool) -> Shown {
    match shown {
        true => Shown::Yes,
        false => Shown::No,
    }
}
