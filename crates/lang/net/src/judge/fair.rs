//! Whether a fair run breaks a formula, by looking at each strongly connected part of the product: a transition that
//! can fire from some time on always must fire again and again.

use std::collections::BTreeSet;

use quotient_core::Rejection;

use super::{Part, Product};
use crate::formula::Temporal;

impl Part<'_> {
    /// Whether no fair run breaks a formula of linear time.
    pub(crate) fn linear_fair(&self, one: &Temporal) -> Result<(), Rejection> {
        let opposite = (!one.formula.clone()).negation_normal_form();
        let product = Product::of(self, one, opposite)?;
        let parts = product.parts(self.budget)?;
        let number = parts.iter().max().map_or(0, |most| most + 1);
        let mut members = vec![Vec::new(); number];
        for (node, &part) in parts.iter().enumerate() {
            members[part].push(node);
        }
        for members in &members {
            if product.keeps_promises(members, &parts)
                && self.can_be_fair(&product, members, &parts)?
            {
                return Err(Rejection::wrong("a fair run breaks the formula"));
            }
        }
        Ok(())
    }

    /// Whether a run that stays in a part can be fair to each transition: somewhere it cannot fire, or it fires
    /// without leaving the part.
    fn can_be_fair(
        &self,
        product: &Product,
        members: &[usize],
        parts: &[usize],
    ) -> Result<bool, Rejection> {
        for transition in &self.net.transitions {
            let mut owed = true;
            for &node in members {
                self.budget.charge(1)?;
                let after = transition.fire(&self.markings[product.markings[node]]);
                let Some(after) = after else {
                    owed = false;
                    break;
                };
                let fires = product.edges[node].iter().any(|&(to, _)| {
                    parts[to] == parts[node] && self.markings[product.markings[to]] == after
                });
                if fires {
                    owed = false;
                    break;
                }
            }
            if owed {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Product {
    /// Whether a run can go round in a part without putting anything off for ever.
    fn keeps_promises(&self, members: &[usize], parts: &[usize]) -> bool {
        let mut open: Option<BTreeSet<usize>> = None;
        for &node in members {
            let inside = self.edges[node].iter();
            for (_, put_off) in inside.filter(|(to, _)| parts[*to] == parts[node]) {
                let open = open.get_or_insert_with(|| self.promises.clone());
                open.retain(|promise| put_off.contains(promise));
            }
        }
        open.is_some_and(|open| open.is_empty())
    }
}
