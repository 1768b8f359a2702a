//! Smaller formulas that say the same.

use crate::{Binary, Formula, Kind, Unary};

impl<A: Clone + Eq> Formula<A> {
    /// An equivalent formula without constants (unless it is one), double negations,
    /// repeated operands and temporal operators that repeat themselves.
    ///
    /// Equivalent on infinite paths: `G TRUE` becomes `TRUE`, and `EX TRUE` becomes `TRUE`
    /// although a state without successor would not satisfy it.
    pub fn simplified(&self) -> Formula<A> {
        let kind = match &self.kind {
            Kind::Unary(operator, operand) => unary(*operator, operand.simplified()),
            Kind::Binary(operator, left, right) => {
                binary(*operator, left.simplified(), right.simplified())
            }
            leaf => leaf.clone(),
        };
        Formula::new(kind, self.span)
    }
}

fn not<A>(operand: Formula<A>) -> Kind<A> {
    match operand.kind {
        Kind::Constant(value) => Kind::Constant(!value),
        Kind::Unary(Unary::Not, inner) => inner.kind,
        _ => Kind::Unary(Unary::Not, Box::new(operand)),
    }
}

fn unary<A: Eq>(operator: Unary, operand: Formula<A>) -> Kind<A> {
    let constant = match operand.kind {
        Kind::Constant(value) => Some(value),
        _ => None,
    };
    match (operator, constant) {
        (Unary::Not, _) => return not(operand),
        // A path quantifier over a constant, and what is true everywhere or nowhere.
        (
            Unary::ForAll
            | Unary::Exists
            | Unary::Next
            | Unary::Globally(None)
            | Unary::Finally(None)
            | Unary::Once(None)
            | Unary::Historically(None),
            Some(value),
        )
        | (Unary::Yesterday, Some(value @ false))
        | (Unary::WeakYesterday, Some(value @ true)) => return Kind::Constant(value),
        _ => {}
    }
    let repeats = matches!(
        operator,
        Unary::Globally(None)
            | Unary::Finally(None)
            | Unary::Once(None)
            | Unary::Historically(None)
    );
    match &operand.kind {
        Kind::Unary(inner, _) if repeats && *inner == operator => operand.kind,
        _ => Kind::Unary(operator, Box::new(operand)),
    }
}

fn binary<A: Eq>(operator: Binary, left: Formula<A>, right: Formula<A>) -> Kind<A> {
    use Binary::{And, Iff, Implies, Or, Release, Since, Triggered, Until, WeakUntil, Xor};
    let value = |side: &Formula<A>| match side.kind {
        Kind::Constant(value) => Some(value),
        _ => None,
    };
    let (on_left, on_right) = (value(&left), value(&right));
    let equal = left.same_tree(&right);
    match (operator, on_left, on_right) {
        (And, Some(true), _) | (Or, Some(false), _) | (Implies, Some(true), _) => right.kind,
        (And, _, Some(true)) | (Or, _, Some(false)) => left.kind,
        (And, Some(false), _) | (And, _, Some(false)) => Kind::Constant(false),
        (Or, Some(true), _) | (Or, _, Some(true)) => Kind::Constant(true),
        (Implies, Some(false), _) | (Implies, _, Some(true)) => Kind::Constant(true),
        (Implies, _, Some(false)) => not(left),
        (Iff, Some(true), _) | (Xor, Some(false), _) => right.kind,
        (Iff, _, Some(true)) | (Xor, _, Some(false)) => left.kind,
        (Iff, Some(false), _) | (Xor, Some(true), _) => not(right),
        (Iff, _, Some(false)) | (Xor, _, Some(true)) => not(left),
        (And | Or | Until(None) | WeakUntil | Release | Since | Triggered, ..) if equal => {
            left.kind
        }
        (Implies | Iff, ..) if equal => Kind::Constant(true),
        (Xor, ..) if equal => Kind::Constant(false),
        (Until(None) | WeakUntil | Release | Since | Triggered, _, Some(value))
            if operator != WeakUntil || value =>
        {
            Kind::Constant(value)
        }
        (Until(None) | WeakUntil | Since, Some(false), _) => right.kind,
        (Release | Triggered, Some(true), _) => right.kind,
        (WeakUntil, Some(true), _) => Kind::Constant(true),
        (Until(None), Some(true), _) => unary(Unary::Finally(None), right),
        (Since, Some(true), _) => unary(Unary::Once(None), right),
        (Release, Some(false), _) => unary(Unary::Globally(None), right),
        (Triggered, Some(false), _) => unary(Unary::Historically(None), right),
        (WeakUntil, _, Some(false)) => unary(Unary::Globally(None), left),
        _ => Kind::Binary(operator, Box::new(left), Box::new(right)),
    }
}

impl<A: Eq> Formula<A> {
    /// Whether both are the same tree, wherever they stand.
    pub fn same_tree(&self, other: &Formula<A>) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Unary(mine, left), Kind::Unary(theirs, right)) => {
                mine == theirs && left.same_tree(right)
            }
            (Kind::Binary(mine, a, b), Kind::Binary(theirs, c, d)) => {
                mine == theirs && a.same_tree(c) && b.same_tree(d)
            }
            (mine, theirs) => mine == theirs,
        }
    }
}
