//! Which formulas are about single runs, and which about the tree of runs.

use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::formula::Question;
use crate::properties::Asked;
use crate::simplify;

/// Decides for each formula of a file how it is meant.
///
/// Some formulas are of both kinds, and mean different things at markings that are stuck: a file
/// with a formula that can only be about single runs is about them as a whole; so is a property
/// whose name says so, as those of the contest do.
pub(crate) fn decide(all: &mut [Asked]) {
    let only_linear = |asked: &Asked| match &asked.question {
        Question::Temporal(one) => is_linear(&one.formula) && !is_branching(&one.formula),
        _ => false,
    };
    let file = all.iter().any(only_linear);
    for asked in all {
        let named = asked.name.contains("LTL");
        let Question::Temporal(one) = &mut asked.question else {
            continue;
        };
        let branching = is_branching(&one.formula);
        match (is_linear(&one.formula), branching) {
            (true, _) if file || named || !branching => {
                if let Kind::Unary(Unary::ForAll, path) = &one.formula.kind {
                    one.formula = (**path).clone();
                }
                one.linear = true;
                asked.kind = "LTL";
            }
            (_, true) => {
                asked.kind = "CTL";
                asked.question = simplify::question(one);
            }
            _ => {
                let why = "the formula is neither one of linear nor of branching time";
                asked.question = Question::Beyond(why.to_owned());
            }
        }
    }
}

/// Whether it is about all runs, each by itself.
fn is_linear(formula: &Formula<u32>) -> bool {
    fn is_path(formula: &Formula<u32>) -> bool {
        match &formula.kind {
            Kind::Unary(Unary::ForAll | Unary::Exists, _) => false,
            Kind::Unary(_, inner) => is_path(inner),
            Kind::Binary(_, left, right) => is_path(left) && is_path(right),
            _ => true,
        }
    }
    match &formula.kind {
        Kind::Unary(Unary::ForAll, path) => is_path(path),
        _ => false,
    }
}

/// Whether each operator on runs stands under one that says which runs.
pub(crate) fn is_branching(formula: &Formula<u32>) -> bool {
    match &formula.kind {
        Kind::Unary(Unary::Not, inner) => is_branching(inner),
        Kind::Unary(Unary::ForAll | Unary::Exists, path) => match &path.kind {
            Kind::Unary(Unary::Next | Unary::Finally(_) | Unary::Globally(_), inner) => {
                is_branching(inner)
            }
            Kind::Binary(Binary::Until(_), left, right) => {
                is_branching(left) && is_branching(right)
            }
            _ => false,
        },
        Kind::Binary(Binary::And | Binary::Or, left, right) => {
            is_branching(left) && is_branching(right)
        }
        Kind::Atom(_) | Kind::Constant(_) => true,
        _ => false,
    }
}

/// All of some formulas, or one of them, nested as little as may be.
pub(crate) fn balanced(mut parts: Vec<Formula<u32>>, all: bool) -> Formula<u32> {
    let operator = match all {
        true => Binary::And,
        false => Binary::Or,
    };
    while parts.len() > 1 {
        let mut pairs = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => Formula::binary(operator, left, right),
                None => left,
            });
        }
        parts = pairs;
    }
    parts.pop().unwrap_or_else(|| Formula::constant(all))
}

/// Both of two formulas or none; or just one of them.
pub(crate) fn alike(left: Formula<u32>, right: Formula<u32>, same: bool) -> Formula<u32> {
    let not = |one: &Formula<u32>| Formula::unary(Unary::Not, one.clone());
    let other = match same {
        true => [vec![not(&left), right.clone()], vec![left, not(&right)]],
        false => [vec![not(&left), not(&right)], vec![left, right]],
    };
    balanced(other.map(|two| balanced(two, false)).to_vec(), true)
}
