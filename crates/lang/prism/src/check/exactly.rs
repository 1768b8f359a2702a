//! Chances that need no numbers: those met exactly, and those known from the start.

use quotient_bits::Bits;
use quotient_core::{Rejection, Span, Stop};
use quotient_probability::Values;

use super::chance::Window;
use super::filter::{Answered, Found};
use super::formula::Checker;
use crate::again::Settled;
use crate::limited_exact;
use crate::parts::Kept;
use crate::syntax::{Chance, Node, Tree};

/// Several objectives of larger models are not looked at with fractions.
const SMALL: usize = 1_500;

/// Of models with so few states fractions are asked before nearer bounds are.
const FEW: usize = 100;

impl Checker<'_> {
    /// Where a bound is met exactly, fractions tell, if the model is small and nearer bounds did not.
    pub(super) fn exactly_where(
        &self,
        chance: &Chance,
        values: &Values,
        span: Span,
    ) -> Option<Bits> {
        if self.width > 1e-12 || self.states() > limited_exact::MOST_STATES {
            return None;
        }
        let tree = Tree {
            node: Node::Chance(Box::new(chance.clone())),
            span,
        };
        let asked = (self.instance, self.source, self.budget);
        let found = limited_exact::where_kept(asked.0, &tree, asked.1, asked.2);
        let found = found.or_else(|| {
            let chosen = crate::evidence::choices(self.built, values);
            let exact = crate::exact::exact(asked.0, &tree, asked.1, &chosen, asked.2).ok()?;
            let set = exact.where_kept(asked.0, chance, asked.1)?;
            // The bounds that were kept do not show it, the fractions do.
            let shown = crate::fractions::Written::new(&exact).map(Kept::Fractions);
            let mut kept = self.kept.borrow_mut();
            kept.pop();
            kept.push(shown.unwrap_or(Kept::Unshown));
            Some(set)
        })?;
        let mut order: Vec<u32> = (0..self.states() as u32).collect();
        self.built.states.sort(&mut order);
        let mut set = Bits::with_capacity(order.len());
        let held = order.iter().enumerate();
        let held = held.filter(|(at, _)| found.contains(*at));
        set.extend(held.map(|(_, &state)| state as usize));
        Some(set)
    }

    /// Several objectives with fractions, if the model is small; why there is no answer, if that is known.
    pub(super) fn several_exactly(&self, parts: &[Tree]) -> Result<Option<Found>, Stop> {
        if self.states() > SMALL || self.states() > FEW && self.width > 1e-12 {
            return Ok(None);
        }
        let texts = (self.texts, self.instance);
        let found = crate::parts::several_exactly(texts, (parts, self.source), self.budget);
        let (settled, written) = match found {
            Ok(found) => found,
            Err(Rejection::Stopped(why @ Stop::Inconclusive { .. })) => return Err(why),
            Err(_) => return Ok(None),
        };
        let value = match settled {
            Settled::Truth(holds) => Answered::Truth(holds),
            Settled::Number(low, high) => Answered::Number(low, high),
            _ => return Ok(None),
        };
        self.kept.borrow_mut().push(Kept::Exactly(written));
        Ok(Some(Found {
            value,
            state: None,
            table: None,
            looked: 1,
        }))
    }

    /// The chance of a path with a bound where only the initial states are asked for, and all of them are
    /// in the goal already, or where it cannot be reached any more. Of others nothing is said.
    pub(super) fn known_at_once(
        &self,
        allowed: &Bits,
        goal: &Bits,
        window: Window,
    ) -> Option<Values> {
        if self.inside || window.from > 0.0 || window.to.is_none() {
            return None;
        }
        let states = self.states();
        let mut values = Values {
            lower: vec![0.0; states],
            upper: vec![1.0; states],
            chosen: Vec::new(),
        };
        for &state in &self.built.model.initial {
            let state = state.index();
            let sure = match (goal.contains(state), allowed.contains(state)) {
                (true, _) => 1.0,
                (false, false) => 0.0,
                (false, true) => return None,
            };
            (values.lower[state], values.upper[state]) = (sure, sure);
        }
        Some(values)
    }
}
