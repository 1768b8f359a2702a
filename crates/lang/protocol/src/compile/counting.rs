//! Conditions on how many processes there are.

use quotient_automata::Canonical;
use quotient_core::Diagnostic;

use super::conditions::{Compiled, Conditions};
use super::evaluate::{Known, Mention, mentions};
use super::letters::Part;
use crate::model::{Bound, Comparison, Expr, Value, Who};

/// Counting others by conditions that relate them to someone else needs a track for each.
const MOST_COUNTED: Value = 5;

impl Conditions<'_> {
    /// How many processes satisfy a condition.
    pub(super) fn count(
        &mut self,
        bound: &Bound,
        body: &Expr,
        comparison: Comparison,
        number: Value,
        depth: usize,
        choices: &[Value],
    ) -> Compiled {
        let own_values =
            |mention: &Mention| matches!(mention, Mention::Field(who, _) if *who == depth);
        if body.is_plain() && mentions(body).iter().all(own_values) {
            return self.count_letters(bound, body, comparison, number, depth, choices);
        }
        let at_least = |this: &mut Self, k: Value| this.at_least(bound, body, k, depth, choices);
        let budget = self.tracks.budget;
        let not = |automaton: Canonical| automaton.complement().minimize(budget);
        Ok(match comparison {
            Comparison::GreaterOrEqual => at_least(self, number)?,
            Comparison::Greater => at_least(self, number + 1)?,
            Comparison::Less => not(at_least(self, number)?)?,
            Comparison::LessOrEqual => not(at_least(self, number + 1)?)?,
            Comparison::Equal | Comparison::Different => {
                let (enough, more) = (at_least(self, number)?, at_least(self, number + 1)?);
                let equal = enough.difference(&more, budget)?;
                if comparison == Comparison::Equal {
                    equal.minimize(budget)?
                } else {
                    equal.complement().minimize(budget)?
                }
            }
        })
    }

    /// Counts letters one after the other, where each says by itself whether it counts.
    fn count_letters(
        &mut self,
        bound: &Bound,
        body: &Expr,
        comparison: Comparison,
        number: Value,
        depth: usize,
        choices: &[Value],
    ) -> Compiled {
        let here = |bits: u32, who: &Who| bits >> who & 1 == 1;
        Ok(self.tracks.machine(
            depth,
            (0, false, false),
            |part, bits| {
                let Part::Process(values) = part else {
                    return (false, false, false);
                };
                let mut people = vec![None; depth];
                people.push(Some(values.as_slice()));
                let known = Known {
                    globals: None,
                    people,
                    choices,
                };
                let counts = known.value(body).is_some_and(|value| value != 0)
                    && !bound.different_from.iter().any(|who| here(bits, who));
                let at = |pivot: Option<Who>| pivot.is_some_and(|who| here(bits, &who));
                (counts, at(bound.left_of), at(bound.right_of))
            },
            |&(count, past_left, past_right), &(counts, at_left, at_right)| {
                let in_range = (bound.left_of.is_none() || !(past_left || at_left))
                    && (bound.right_of.is_none() || past_right);
                let count = (count + i32::from(counts && in_range)).min(number + 1);
                Some((count, past_left || at_left, past_right || at_right))
            },
            |&(count, ..)| comparison.holds(count, number),
        )?)
    }

    /// At least `k` processes, from left to right, satisfy a condition.
    fn at_least(
        &mut self,
        bound: &Bound,
        body: &Expr,
        k: Value,
        depth: usize,
        choices: &[Value],
    ) -> Compiled {
        if k > MOST_COUNTED {
            let message = format!(
                "conditions on several processes can be counted up to {}",
                MOST_COUNTED - 1
            );
            return Err(Diagnostic::error("huge-count", message)
                .in_source(&self.protocol.source)
                .into());
        }
        let mut chain = Expr::TRUE;
        for i in (0..k.max(0) as usize).rev() {
            let own = depth + i;
            let mut here = vec![body.shifted(depth, i), chain];
            if i > 0 {
                here.push(Expr::Before(own - 1, own));
            }
            let body = Box::new(Expr::And(here));
            chain = Expr::Quantified {
                exists: true,
                bound: bound.clone(),
                body,
            };
        }
        self.expression(&chain, depth, choices)
    }
}
