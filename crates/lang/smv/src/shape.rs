//! What kind of statement a specification is.

use quotient_logic::{Binary, Formula, Kind as Says, Unary};

use crate::program::{NodeId, Program, Specification};
use crate::syntax::SpecificationKind;

/// What must hold in every state, for `INVARSPEC p`, `AG p` and `G p` without temporal operators
/// in `p`.
pub(crate) fn invariant(specification: &Specification) -> Option<&Formula<NodeId>> {
    let formula = &specification.formula;
    let inner = match (&formula.kind, specification.kind) {
        (_, SpecificationKind::Invariant) => formula,
        (Says::Unary(Unary::ForAll, path), SpecificationKind::Ctl) => match &path.kind {
            Says::Unary(Unary::Globally(None), inner) => inner,
            _ => return None,
        },
        (Says::Unary(Unary::Globally(None), inner), SpecificationKind::Ltl) => inner,
        _ => return None,
    };
    is_propositional(inner).then_some(inner)
}

/// Whether a formula has no temporal operators and no placeholders.
pub(crate) fn is_propositional<A>(formula: &Formula<A>) -> bool {
    use Binary as B;
    match &formula.kind {
        Says::Constant(_) | Says::Atom(_) => true,
        Says::Unary(Unary::Not, operand) => is_propositional(operand),
        Says::Binary(B::And | B::Or | B::Xor | B::Implies | B::Iff, left, right) => {
            is_propositional(left) && is_propositional(right)
        }
        _ => false,
    }
}

/// The formula of linear time that is true on all paths from a state just if a formula of branching
/// time is true in it, where that is plain: `A` stands before every temporal operator, and beside
/// what is about paths there are only conditions on the state.
pub(crate) fn on_each_path<A: Clone>(formula: &Formula<A>) -> Option<Formula<A>> {
    use Binary as B;
    let plain = is_propositional::<A>;
    if plain(formula) {
        return Some(formula.clone());
    }
    match &formula.kind {
        Says::Unary(Unary::ForAll, path) => match &path.kind {
            Says::Unary(operator @ (Unary::Next | Unary::Globally(None)), operand) => {
                Some(Formula::unary(*operator, on_each_path(operand)?))
            }
            Says::Unary(Unary::Finally(None), goal) if plain(goal) => Some((**path).clone()),
            Says::Binary(B::Until(None), way, goal) if plain(way) && plain(goal) => {
                Some((**path).clone())
            }
            _ => None,
        },
        Says::Binary(operator, left, right) => {
            let fits = match operator {
                B::And => true,
                B::Or => plain(left) || plain(right),
                B::Implies => plain(left),
                _ => false,
            };
            if !fits {
                return None;
            }
            let (left, right) = (on_each_path(left)?, on_each_path(right)?);
            Some(Formula::binary(*operator, left, right))
        }
        _ => None,
    }
}

/// Whether a formula mentions inputs or next values.
pub(crate) fn is_about_steps(program: &Program, formula: &Formula<NodeId>) -> bool {
    let nodes = &program.nodes;
    let mut atoms = formula.atoms().into_iter();
    atoms.any(|&atom| nodes.mentions_input(atom) || nodes.mentions_next(atom))
}

/// Whether a formula without temporal operators is true.
pub(crate) fn truth<A: Copy>(formula: &Formula<A>, atom: &dyn Fn(A) -> bool) -> bool {
    match &formula.kind {
        Says::Constant(value) => *value,
        Says::Atom(one) => atom(*one),
        Says::Unary(_, operand) => !truth(operand, atom),
        Says::Binary(operator, left, right) => {
            let (left, right) = (truth(left, atom), truth(right, atom));
            match operator {
                Binary::Or => left || right,
                Binary::Xor => left != right,
                Binary::Implies => !left || right,
                Binary::Iff => left == right,
                _ => left && right,
            }
        }
        Says::Placeholder(_) => false,
    }
}
