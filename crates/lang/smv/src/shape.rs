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
/// time is true in it, where that is plain: `A` stands before every temporal operator (or `E`, and
/// the whole is denied), and beside what is about paths there are only conditions on the state.
pub(crate) fn on_each_path<A: Clone>(formula: &Formula<A>) -> Option<Formula<A>> {
    each_path(formula, false)
}

/// The same of a formula, or of its opposite.
fn each_path<A: Clone>(formula: &Formula<A>, denied: bool) -> Option<Formula<A>> {
    use Binary as B;
    let plain = is_propositional::<A>;
    if plain(formula) {
        return Some(match denied {
            true => !formula.clone(),
            false => formula.clone(),
        });
    }
    match &formula.kind {
        Says::Unary(Unary::Not, operand) => each_path(operand, !denied),
        Says::Unary(Unary::ForAll, path) if !denied => each_way(path, false),
        Says::Unary(Unary::Exists, path) if denied => each_way(path, true),
        Says::Binary(operator, left, right) => {
            // What is left of the connective once the whole is denied, and its left side with it.
            let (joined, left_denied) = match (operator, denied) {
                (B::And, false) | (B::Or, true) => (B::And, denied),
                (B::Or, false) | (B::And, true) => (B::Or, denied),
                (B::Implies, false) => (B::Or, true),
                (B::Implies, true) => (B::And, false),
                _ => return None,
            };
            if joined == B::Or && !plain(left) && !plain(right) {
                return None;
            }
            let left = each_path(left, left_denied)?;
            let right = each_path(right, denied)?;
            Some(Formula::binary(joined, left, right))
        }
        _ => None,
    }
}

/// What follows `A` as a formula of linear time, or the opposite of what follows `E`.
fn each_way<A: Clone>(path: &Formula<A>, denied: bool) -> Option<Formula<A>> {
    let plain = is_propositional::<A>;
    let always = |what: &Formula<A>| {
        let what = each_path(what, denied)?;
        Some(Formula::unary(Unary::Globally(None), what))
    };
    match &path.kind {
        Says::Unary(Unary::Next, operand) => {
            Some(Formula::unary(Unary::Next, each_path(operand, denied)?))
        }
        Says::Unary(Unary::Globally(None), operand) if !denied => always(operand),
        Says::Unary(Unary::Finally(None), operand) if denied => always(operand),
        Says::Unary(Unary::Globally(None) | Unary::Finally(None), operand) if plain(operand) => {
            let goal = each_path(operand, denied)?;
            Some(Formula::unary(Unary::Finally(None), goal))
        }
        Says::Binary(Binary::Until(None), way, goal) if plain(way) && plain(goal) => {
            Some(match denied {
                true => !path.clone(),
                false => path.clone(),
            })
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
