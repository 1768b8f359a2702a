//! A property taken apart: if each of several things never happens, none of them does.

use crate::model::{Condition, Demand, Expr};

/// A property with more parts than this is not taken apart.
const MOST: usize = 64;

/// What a property demands, in parts: it holds exactly if all of them do. Parts may depend on fewer
/// variables than the whole.
pub(crate) fn parts(demand: &Demand) -> Vec<Demand> {
    let never = |expr: Expr| Demand::Never(Condition::Holds(expr));
    match demand {
        Demand::Never(Condition::Holds(expr)) => match ways(expr, true) {
            Some(ways) => ways.into_iter().map(never).collect(),
            None => vec![demand.clone()],
        },
        other => vec![other.clone()],
    }
}

/// The ways in which a condition can be true (or not true): it is exactly if one of them is. Nothing if
/// there are too many.
fn ways(expr: &Expr, truth: bool) -> Option<Vec<Expr>> {
    let all = match (expr, truth) {
        (Expr::Not(inner), _) => ways(inner, !truth)?,
        (Expr::Or(all), true) | (Expr::And(all), false) => {
            let mut found = Vec::new();
            for one in all {
                found.extend(ways(one, truth)?);
            }
            found
        }
        (Expr::And(all), true) | (Expr::Or(all), false) => {
            let mut found: Vec<Vec<Expr>> = vec![Vec::new()];
            for one in all {
                let each = ways(one, truth)?;
                if found.len().saturating_mul(each.len()) > MOST {
                    return None;
                }
                let longer = found.iter().flat_map(|before| {
                    each.iter()
                        .map(move |way| [&before[..], std::slice::from_ref(way)].concat())
                });
                found = longer.collect();
            }
            found.into_iter().map(Expr::And).collect()
        }
        (
            Expr::Quantified {
                exists,
                bound,
                body,
            },
            _,
        ) if *exists == truth => {
            let some = |body: Expr| Expr::Quantified {
                exists: true,
                bound: bound.clone(),
                body: Box::new(body),
            };
            ways(body, truth)?.into_iter().map(some).collect()
        }
        (other, true) => vec![other.clone()],
        (other, false) => vec![Expr::Not(Box::new(other.clone()))],
    };
    (all.len() <= MOST).then_some(all)
}
