//! Conditions to automata.

use quotient_automata::Canonical;
use quotient_core::{Budget, Trouble};

use super::expressions::Expressions;
use super::letters::Letters;
use super::tracks::Tracks;
use crate::model::{Bound, Comparison, Condition, Expr, Protocol, Value, Who};

/// Compiles conditions of one protocol.
pub(super) struct Conditions<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) tracks: Tracks<'a>,
    /// Where the protocol is approximated: the letters that it has itself.
    pub(super) source_letters: Option<&'a Letters>,
    pub(super) words: Expressions,
    pub(super) contents: Expressions,
}

pub(super) type Compiled = Result<Canonical, Trouble>;

impl<'a> Conditions<'a> {
    pub(super) fn new(protocol: &'a Protocol, letters: &'a Letters, budget: &'a Budget) -> Self {
        Conditions {
            protocol,
            tracks: Tracks::new(letters, budget),
            source_letters: None,
            words: Vec::new(),
            contents: Vec::new(),
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> Compiled {
        match condition {
            Condition::Holds(expr) => self.expression(expr, 0, &[]),
            Condition::Word(text, span) => self.word(text, *span),
            Condition::Import(import) => self.imported(import),
        }
    }

    /// The words with `depth` tracks that satisfy an expression, the step's choices made.
    pub(super) fn expression(&mut self, expr: &Expr, depth: usize, choices: &[Value]) -> Compiled {
        if expr.is_plain() {
            return self.plain(expr, depth, choices);
        }
        let budget = self.tracks.budget;
        match expr {
            Expr::Not(inner) => {
                let inner = self.expression(inner, depth, choices)?;
                Ok(inner.complement().minimize(budget)?)
            }
            Expr::And(all) => self.combined(all, true, depth, choices),
            Expr::Or(all) => self.combined(all, false, depth, choices),
            Expr::Compare(comparison, left, right) => {
                // Truth values compared: both or neither, or exactly one.
                let (left, right) = (
                    self.expression(left, depth, choices)?,
                    self.expression(right, depth, choices)?,
                );
                let differ = left.symmetric_difference(&right, budget)?;
                match comparison {
                    Comparison::Different => Ok(differ.minimize(budget)?),
                    _ => Ok(differ.complement().minimize(budget)?),
                }
            }
            Expr::If(condition, yes, no) => {
                let not = Expr::Not(condition.clone());
                let yes = Expr::And(vec![(**condition).clone(), (**yes).clone()]);
                let no = Expr::And(vec![not, (**no).clone()]);
                self.combined(&[yes, no], false, depth, choices)
            }
            Expr::Quantified {
                exists,
                bound,
                body,
            } => {
                // `forall` is `not exists not`.
                let body = self.expression(body, depth + 1, choices)?;
                let body = if *exists {
                    body
                } else {
                    body.complement().minimize(budget)?
                };
                let ranged = self.within(body, bound, depth)?;
                let some = self.tracks.project(&ranged, depth + 1)?;
                if *exists {
                    Ok(some)
                } else {
                    Ok(some.complement().minimize(budget)?)
                }
            }
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => self.count(bound, body, *comparison, *number, depth, choices),
            Expr::Matches(channel, text, span) => self.matches(*channel, text, *span, depth),
            _ => self.place(expr, depth),
        }
    }

    fn combined(&mut self, all: &[Expr], and: bool, depth: usize, choices: &[Value]) -> Compiled {
        let budget = self.tracks.budget;
        // Plain parts together are one small machine.
        let (plain, rest): (Vec<Expr>, Vec<Expr>) = all.iter().cloned().partition(Expr::is_plain);
        let mut result = match and {
            true => {
                let mut groups = apart(plain).into_iter();
                let first = Expr::And(groups.next().unwrap_or_default());
                let mut result = self.plain(&first, depth, choices)?;
                for group in groups {
                    let group = self.plain(&Expr::And(group), depth, choices)?;
                    result = result.intersection(&group, budget)?.minimize(budget)?;
                }
                result
            }
            false => self.plain(&Expr::Or(plain), depth, choices)?,
        };
        for part in &rest {
            let part = self.expression(part, depth, choices)?;
            let both = if and {
                result.intersection(&part, budget)?
            } else {
                result.union(&part, budget)?
            };
            result = both.minimize(budget)?;
        }
        Ok(result)
    }

    /// Restricts the last track to one process within a range.
    pub(super) fn within(&mut self, body: Canonical, bound: &Bound, own: Who) -> Compiled {
        let budget = self.tracks.budget;
        let one = self.one_process(own, own + 1)?;
        let mut ranged = body.intersection(&one, budget)?.minimize(budget)?;
        let different = bound
            .different_from
            .iter()
            .map(|&other| Expr::Not(Box::new(Expr::Same(other, own))));
        let left = bound.left_of.map(|pivot| Expr::Before(own, pivot));
        let right = bound.right_of.map(|pivot| Expr::Before(pivot, own));
        for constraint in different.chain(left).chain(right) {
            let constraint = self.expression(&constraint, own + 1, &[])?;
            ranged = ranged.intersection(&constraint, budget)?.minimize(budget)?;
        }
        Ok(ranged)
    }
}

/// Conditions that together speak of more people than this are taken one group of people after the other:
/// one machine for all would remember the values of all.
const MOST_TOGETHER: usize = 2;

/// The same conditions in groups, of which no two speak of the same process.
fn apart(all: Vec<Expr>) -> Vec<Vec<Expr>> {
    let mut groups: Vec<(Vec<Who>, Vec<Expr>)> = Vec::new();
    for part in all {
        let (mut people, mut parts) = (part.people().collect::<Vec<Who>>(), vec![part]);
        let mut others = Vec::new();
        for (known, conditions) in groups {
            let both_of_nobody = known.is_empty() && people.is_empty();
            if both_of_nobody || known.iter().any(|who| people.contains(who)) {
                people.extend(known);
                parts.extend(conditions);
            } else {
                others.push((known, conditions));
            }
        }
        others.insert(0, (people, parts));
        groups = others;
    }
    let mut everybody: Vec<Who> = groups
        .iter()
        .flat_map(|(people, _)| people.clone())
        .collect();
    everybody.sort_unstable();
    everybody.dedup();
    match everybody.len() <= MOST_TOGETHER {
        true => vec![groups.into_iter().flat_map(|(_, parts)| parts).collect()],
        false => groups.into_iter().map(|(_, parts)| parts).collect(),
    }
}
