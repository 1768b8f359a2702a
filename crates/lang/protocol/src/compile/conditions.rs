//! Conditions to automata.

use quotient_automata::Canonical;
use quotient_core::{Budget, Trouble};

use super::evaluate::{Known, Mention, mentions};
use super::expressions::Expressions;
use super::letters::{Letters, Part};
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

    /// A condition on values: remembers what it speaks of until the end of the word.
    fn plain(&mut self, expr: &Expr, depth: usize, choices: &[Value]) -> Compiled {
        let mentioned = mentions(expr);
        let globals: Vec<usize> = mentioned
            .iter()
            .filter_map(|mention| {
                if let Mention::Global(global) = mention {
                    Some(*global)
                } else {
                    None
                }
            })
            .collect();
        let mut people: Vec<(Who, Vec<usize>)> = Vec::new();
        for mention in &mentioned {
            if let Mention::Field(who, field) = mention {
                match people.last_mut() {
                    Some((last, fields)) if last == who => fields.push(*field),
                    _ => people.push((*who, vec![*field])),
                }
            }
        }
        let (global_count, field_count) = (self.protocol.globals.len(), self.protocol.fields.len());
        let everybody = people.iter().map(|(who, _)| who + 1).max().unwrap_or(0);
        // The state: the values mentioned of the globals, then of each person, once seen.
        let unseen: Vec<Option<Vec<Value>>> = vec![None; people.len() + 1];
        Ok(self.tracks.machine(
            depth,
            unseen.clone(),
            |part, bits| match part {
                Part::Globals(values) => {
                    let mut seen = unseen.clone();
                    seen[0] = Some(globals.iter().map(|&global| values[global]).collect());
                    seen
                }
                Part::Process(values) => {
                    let mut seen = unseen.clone();
                    for (i, (who, fields)) in people.iter().enumerate() {
                        if bits >> who & 1 == 1 {
                            seen[i + 1] = Some(fields.iter().map(|&field| values[field]).collect());
                        }
                    }
                    seen
                }
                _ => unseen.clone(),
            },
            |state, seen| {
                Some(
                    state
                        .iter()
                        .zip(seen)
                        .map(|(old, new)| new.clone().or_else(|| old.clone()))
                        .collect(),
                )
            },
            |state: &Vec<Option<Vec<Value>>>| {
                let mut all_globals = vec![0; global_count];
                if let Some(values) = &state[0] {
                    globals
                        .iter()
                        .zip(values)
                        .for_each(|(&global, &value)| all_globals[global] = value);
                }
                let mut letters = vec![None; everybody];
                for ((who, fields), values) in people.iter().zip(&state[1..]) {
                    let Some(values) = values else { return false };
                    let mut letter = vec![0; field_count];
                    fields
                        .iter()
                        .zip(values)
                        .for_each(|(&field, &value)| letter[field] = value);
                    letters[*who] = Some(letter);
                }
                let people = letters.iter().map(Option::as_deref).collect();
                let known = Known {
                    globals: Some(&all_globals),
                    people,
                    choices,
                };
                (state[0].is_some() || globals.is_empty())
                    && known.value(expr).is_some_and(|value| value != 0)
            },
        )?)
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
