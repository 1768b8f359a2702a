//! Whether a condition is true of a configuration.

use super::{Configuration, Interpreter};
use crate::fractions::{Sizes, computed};
use crate::model::{Bound, Condition, Expr, Import, Topology, Value, Who};

/// What an expression is evaluated in.
#[derive(Clone, Copy)]
pub(super) struct Scene<'s> {
    pub(super) configuration: &'s Configuration,
    pub(super) choices: &'s [Value],
}

fn sizes(configuration: &Configuration) -> Option<Sizes<'_>> {
    Some(Sizes {
        processes: i64::try_from(configuration.processes.len()).ok()?,
        globals: &configuration.globals,
    })
}

impl Interpreter<'_> {
    pub(super) fn condition(&self, condition: &Condition, configuration: &Configuration) -> bool {
        match condition {
            Condition::Holds(expr) => self.holds(
                expr,
                Scene {
                    configuration,
                    choices: &[],
                },
                &mut Vec::new(),
            ),
            Condition::Word(text, span)
            | Condition::Import(Import {
                path: text, span, ..
            }) => {
                let words = self.compiled.map_or(&[][..], |compiled| &compiled.words);
                let language = words
                    .iter()
                    .find(|(known, _)| known == &(text.clone(), *span));
                let word = self.word(configuration);
                language
                    .zip(word)
                    .is_some_and(|((_, language), word)| language.accepts(&word))
            }
        }
    }

    pub(super) fn holds(&self, expr: &Expr, scene: Scene<'_>, people: &mut Vec<usize>) -> bool {
        self.value(expr, scene, people)
            .is_some_and(|value| value != 0)
    }

    /// The value of an expression; `None` where arithmetic overflows.
    // Long because each kind of expression is one arm.
    pub(super) fn value(
        &self,
        expr: &Expr,
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> Option<Value> {
        let configuration = scene.configuration;
        let size = configuration.processes.len();
        let truth = |yes: bool| Some(i32::from(yes));
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Global(global) => Some(configuration.globals[*global]),
            Expr::Field(who, field) => Some(configuration.processes[people[*who]][*field]),
            Expr::Pair(owner, other, pair) => {
                let at = self.pair_at(*pair, people[*other], size);
                configuration.processes[people[*owner]].get(at).copied()
            }
            Expr::Threshold {
                bound,
                body,
                comparison,
                threshold,
            } => {
                let satisfied = self.satisfying(bound, body, scene, people);
                let satisfied = i64::try_from(satisfied).ok()?;
                let more = sizes(configuration)?.above(satisfied, 1, threshold)?;
                truth(comparison.holds(more, 0))
            }
            Expr::Sums(comparison, left, right) => {
                let (one, by) = self.fraction(left, scene, people)?;
                let (two, with) = self.fraction(right, scene, people)?;
                let above = one.checked_mul(with)?.checked_sub(two.checked_mul(by)?)?;
                truth(comparison.holds(Value::try_from(above.signum()).ok()?, 0))
            }
            Expr::HowMany { bound, body } => {
                Value::try_from(self.satisfying(bound, body, scene, people)).ok()
            }
            Expr::Choice(choice) => Some(scene.choices[*choice]),
            Expr::Size => Value::try_from(size).ok(),
            Expr::Not(inner) => truth(!self.holds(inner, scene, people)),
            Expr::And(all) => truth(all.iter().all(|part| self.holds(part, scene, people))),
            Expr::Or(all) => truth(all.iter().any(|part| self.holds(part, scene, people))),
            Expr::Compare(comparison, left, right) => {
                let values = (
                    self.value(left, scene, people),
                    self.value(right, scene, people),
                );
                match values {
                    (Some(left), Some(right)) => truth(comparison.holds(left, right)),
                    // Fractions have no value of their own.
                    _ => {
                        let difference = sizes(configuration)?.difference(left, right)?;
                        truth(comparison.holds(difference, 0))
                    }
                }
            }
            Expr::Arithmetic(arithmetic, left, right) => arithmetic.apply(
                self.value(left, scene, people)?,
                self.value(right, scene, people)?,
            ),
            Expr::If(condition, yes, no) => match self.holds(condition, scene, people) {
                true => self.value(yes, scene, people),
                false => self.value(no, scene, people),
            },
            Expr::Same(left, right) => truth(people[*left] == people[*right]),
            Expr::Before(left, right) => truth(people[*left] < people[*right]),
            Expr::Next(left, right) => {
                let (left, right) = (people[*left], people[*right]);
                let ring = self.protocol.topology == Topology::Ring;
                // Whoever is alone in a ring is no neighbour of its own.
                truth(right == left + 1 || (ring && right == 0 && left + 1 == size && left != 0))
            }
            Expr::First(who) => truth(people[*who] == 0),
            Expr::Last(who) => truth(people[*who] + 1 == size),
            Expr::Nobody(mark) => truth(
                configuration
                    .processes
                    .iter()
                    .all(|process| process[*mark] == 0),
            ),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => {
                // One that satisfies the body, or one that does not, decides.
                let found = self.is_there(*exists, bound, body, scene, people);
                truth(found == *exists)
            }
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => {
                let satisfied = self.satisfying(bound, body, scene, people);
                truth(comparison.holds(Value::try_from(satisfied).ok()?, *number))
            }
            Expr::Empty(channel) => truth(configuration.channels[*channel].is_empty()),
            Expr::Matches(channel, text, span) => {
                let key = (text.clone(), *span);
                let (_, language) = self
                    .compiled?
                    .contents
                    .iter()
                    .find(|(known, _)| *known == key)?;
                let domain = self.protocol.channels[*channel].domain.values();
                let letter = |value: &Value| domain.iter().position(|known| known == value);
                let word: Option<Vec<_>> = configuration.channels[*channel]
                    .iter()
                    .map(letter)
                    .collect();
                let word: Vec<_> = word?
                    .into_iter()
                    .map(|number| quotient_automata::Letter(number as u32))
                    .collect();
                truth(language.accepts(&word))
            }
        }
    }

    /// A number that may be divided: what is divided, and the positive number that divides it.
    fn fraction(
        &self,
        expr: &Expr,
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> Option<(i64, i64)> {
        match expr {
            Expr::Arithmetic(arithmetic, left, right) => {
                let left = self.fraction(left, scene, people)?;
                let right = self.fraction(right, scene, people)?;
                computed(*arithmetic, left, right)
            }
            Expr::If(condition, yes, no) => match self.holds(condition, scene, people) {
                true => self.fraction(yes, scene, people),
                false => self.fraction(no, scene, people),
            },
            whole => Some((i64::from(self.value(whole, scene, people)?), 1)),
        }
    }

    /// Where a process keeps what it carries for another.
    pub(super) fn pair_at(&self, pair: usize, other: usize, size: usize) -> usize {
        self.protocol.fields.len() + pair * size + other
    }

    /// Whether a configuration is one of those that are looked at.
    pub(super) fn satisfies_constraints(&self, configuration: &Configuration) -> bool {
        let scene = Scene {
            configuration,
            choices: &[],
        };
        let mut constraints = self.protocol.constraints.iter();
        constraints.all(|expr| self.holds(expr, scene, &mut Vec::new()))
    }

    /// Whether for some process in the range a condition has this truth value.
    fn is_there(
        &self,
        truth: bool,
        bound: &Bound,
        body: &Expr,
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> bool {
        for place in 0..scene.configuration.processes.len() {
            if self.budget.poll().is_err() {
                return false;
            }
            if !is_in_range(bound, place, people) {
                continue;
            }
            people.push(place);
            let holds = self.holds(body, scene, people);
            people.pop();
            if holds == truth {
                return true;
            }
        }
        false
    }

    /// How many processes in the range satisfy a condition.
    fn satisfying(
        &self,
        bound: &Bound,
        body: &Expr,
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> usize {
        let range = self.range(bound, scene.configuration.processes.len(), people);
        let mut satisfied = 0;
        for place in range {
            if self.budget.poll().is_err() {
                break;
            }
            people.push(place);
            satisfied += usize::from(self.holds(body, scene, people));
            people.pop();
        }
        satisfied
    }

    pub(super) fn range(&self, bound: &Bound, size: usize, people: &[usize]) -> Vec<usize> {
        (0..size)
            .filter(|&candidate| is_in_range(bound, candidate, people))
            .collect()
    }
}

fn is_in_range(bound: &Bound, candidate: usize, people: &[usize]) -> bool {
    let place = |who: Who| people[who];
    !bound
        .different_from
        .iter()
        .any(|&who| place(who) == candidate)
        && bound.left_of.is_none_or(|who| candidate < place(who))
        && bound.right_of.is_none_or(|who| candidate > place(who))
}
