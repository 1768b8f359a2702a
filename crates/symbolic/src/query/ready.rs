//! Questions that come up again and again.

use quotient_core::Span;
use quotient_logic::{Binary, Formula, Kind as Form, Placeholder, Unary};

use super::{Query, Term};
use crate::model::Expression;

fn hole(over: Option<Vec<Term>>) -> Formula<Term> {
    Formula::new(Form::Placeholder(Placeholder { over }), Span::default())
}

fn exists_finally(formula: Formula<Term>) -> Formula<Term> {
    Formula::unary(Unary::Exists, Formula::unary(Unary::Finally(None), formula))
}

fn always(formula: Formula<Term>) -> Formula<Term> {
    Formula::unary(
        Unary::ForAll,
        Formula::unary(Unary::Globally(None), formula),
    )
}

impl Query {
    /// `EF ?`: which states are reachable?
    pub fn reachable(over: Option<Vec<Term>>) -> Formula<Term> {
        exists_finally(hole(over))
    }

    /// `EF AG ?`: which states are reachable and never left again?
    pub fn stable(over: Option<Vec<Term>>) -> Formula<Term> {
        exists_finally(always(hole(over)))
    }

    /// `AG ?`: what always holds? Mostly of interest for its strongest
    /// [general](Query::ask_general) solution.
    pub fn invariants(over: Option<Vec<Term>>) -> Formula<Term> {
        always(hole(over))
    }

    /// `!E [!? U (target & !?)]`: what is passed on every way to the target?
    pub fn dominators(target: Expression, over: Option<Vec<Term>>) -> Formula<Term> {
        let outside = || !hole(over.clone());
        let arrived = Formula::binary(Binary::And, Formula::atom(Term::Holds(target)), outside());
        let way = Formula::binary(Binary::Until(None), outside(), arrived);
        !Formula::unary(Unary::Exists, way)
    }
}
