//! Which logics a formula belongs to.

use crate::{Binary, Formula, Kind, Unary};

/// The logics that a formula belongs to.
///
/// ```
/// # use quotient_logic::{Fragment, parse_names};
/// # use quotient_core::Source;
/// let of = |text| Fragment::of(&parse_names(&Source::new("f", text)).unwrap());
/// assert!(of("AG (p -> EX q)").ctl && !of("AG (p -> EX q)").ltl);
/// assert!(of("G F p").ltl && !of("G F p").ctl);
/// assert!(of("p & !q").propositional);
/// assert!(!of("A (G F p)").ctl && of("EF AG ?").query);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// No path quantifiers and no temporal operators.
    pub propositional: bool,
    /// Every temporal operator stands directly under a path quantifier and is a future one.
    pub ctl: bool,
    /// No path quantifiers.
    pub ltl: bool,
    /// Some temporal operator looks back.
    pub past: bool,
    /// There is a placeholder.
    pub query: bool,
}

impl Fragment {
    /// Looks at every operator once.
    pub fn of<A>(formula: &Formula<A>) -> Fragment {
        let mut fragment = Fragment {
            propositional: true,
            ctl: true,
            ltl: true,
            past: false,
            query: false,
        };
        // Whether the operator above is a path quantifier.
        let mut open = vec![(formula, false)];
        while let Some((formula, quantified)) = open.pop() {
            let temporal = is_temporal(&formula.kind);
            fragment.propositional &= !temporal;
            fragment.ctl &= temporal == quantified;
            match &formula.kind {
                Kind::Constant(_) | Kind::Atom(_) => {}
                Kind::Placeholder(_) => fragment.query = true,
                Kind::Unary(operator, operand) => {
                    let quantifier = matches!(operator, Unary::ForAll | Unary::Exists);
                    fragment.ltl &= !quantifier;
                    fragment.propositional &= !quantifier;
                    let past = is_past_unary(*operator);
                    fragment.past |= past;
                    fragment.ctl &= !past;
                    open.push((operand, quantifier));
                }
                Kind::Binary(operator, left, right) => {
                    let past = matches!(operator, Binary::Since | Binary::Triggered);
                    fragment.past |= past;
                    fragment.ctl &= !past;
                    open.extend([(&**left, false), (&**right, false)]);
                }
            }
        }
        fragment
    }
}

fn is_past_unary(operator: Unary) -> bool {
    matches!(
        operator,
        Unary::Yesterday | Unary::WeakYesterday | Unary::Once(_) | Unary::Historically(_)
    )
}

fn is_temporal<A>(kind: &Kind<A>) -> bool {
    match kind {
        Kind::Constant(_) | Kind::Atom(_) | Kind::Placeholder(_) => false,
        Kind::Unary(operator, _) => !matches!(operator, Unary::Not | Unary::ForAll | Unary::Exists),
        Kind::Binary(operator, _, _) => !matches!(
            operator,
            Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff
        ),
    }
}
