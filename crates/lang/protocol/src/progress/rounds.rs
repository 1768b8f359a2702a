//! Progress where runs need not repeat: what is taken for ever leaves nobody out.
//!
//! A run of which a property is not true comes to a point from which on only steps are taken that it
//! takes again and again. There everybody forgets what they did (the *freeze*), and from then on a run
//! that is fair gives everybody their turn: who was there has taken a step or was seen unable to, and
//! the automaton of a formula has kept its promises. A configuration in which all this is so is
//! bad; if none can be reached, no run breaks the property. Nothing has to come back, so channels may
//! grow and processes come and go. That more can happen than in a run that goes on for ever is the
//! price; so steps that are taken only finitely often ([`super::ranks`]) are left out behind the freeze.

use quotient_automata::{Nfa, Problem, Property, Relation};
use quotient_core::{Budget, Diagnostic, Span, Stop, Trouble};

use super::ranks::{Letters, Moves, Ranks, Unsound};
use super::reduce::{FREEZE, IN_LOOP};
use super::watched::{AGAIN, Watched, added, any_of, not};
use crate::Compiled;
use crate::compile::product;
use crate::model::{
    Action, Assigned, Bound, Broadcast, Comparison, Expr, Fairness, Initial, Nature, Protocol,
    Step, Topology, Value,
};

/// The question whether everybody can have their turn while a property is not true.
pub(crate) struct Rounds {
    compiled: Compiled,
    bad: Property,
    /// What is weighed of each letter.
    pub(crate) letters: Letters,
    /// The steps behind the freeze, those that faults take included: the names of their parts, and
    /// how they change what is weighed.
    pub(crate) moves: Vec<(String, Moves)>,
}

impl Rounds {
    pub(super) fn new(
        protocol: &Protocol,
        property: &str,
        watched: &Watched<'_>,
        budget: &Budget,
    ) -> Result<Rounds, Trouble> {
        let (rounds, is_frozen, everybody) = watched.rounds();
        let compiled = rounds.compile_plainly(budget)?;
        let bad = rounds.language(&compiled, &everybody, budget)?;
        let letters = Letters::new(protocol, watched.marks(), &compiled);
        // Nothing is lost, either, where something is possible that was guessed never to be.
        let as_guessed = Expr::And(vec![is_frozen.clone(), watched.as_guessed(0)]);
        let behind = rounds.language(&compiled, &as_guessed, budget)?;
        let before = rounds.language(&compiled, &not(is_frozen), budget)?;
        let (mut parts, mut moves) = (Vec::new(), Vec::new());
        for (name, part) in compiled.relation().parts() {
            budget.poll()?;
            let own = rounds.steps.iter().any(|step| step.name == *name);
            let mut behind_the_freeze = None;
            if !own {
                // What a queue loses by itself it loses at any time.
                parts.push((name.clone(), part.restrict_domain(&before, budget)?));
                let lost = part.restrict_domain(&behind, budget)?;
                behind_the_freeze = Some((format!("{name}{VARIANT}"), lost.reduce()));
            } else if name.contains(VARIANT) {
                behind_the_freeze = Some((name.clone(), part.clone()));
            } else {
                parts.push((name.clone(), part.clone()));
            }
            if let Some((name, part)) = behind_the_freeze {
                moves.push((name.clone(), letters.moves(&part)));
                parts.push((name, part));
            }
        }
        let compiled = compiled.with_relation(Relation::new(compiled.alphabet(), parts));
        Ok(Rounds {
            compiled,
            bad: Property {
                name: property.to_owned(),
                bad,
            },
            letters,
            moves,
        })
    }

    /// The names of steps that are taken only finitely often, whoever takes them.
    pub(crate) fn taken_finitely_often(
        &self,
        ranks: &Ranks,
        budget: &Budget,
    ) -> Result<Vec<String>, Stop> {
        let finite = match ranks.finite(self, budget) {
            Ok(finite) => finite,
            Err(Unsound::Stopped(stop)) => return Err(stop),
            Err(_) => Vec::new(),
        };
        let own = |name: &str| name.split(VARIANT).next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = self.moves.iter().map(|(name, _)| own(name)).collect();
        names.dedup();
        names.retain(|name| {
            let mut cases = self.moves.iter().filter(|(case, _)| own(case) == *name);
            cases.all(|(case, _)| finite.contains(case))
        });
        Ok(names)
    }

    /// The problem about words in which the steps that are taken only finitely often are left out
    /// behind the freeze.
    pub(crate) fn problem(&self, ranks: &Ranks, budget: &Budget) -> Result<Problem, Unproved> {
        let finite = ranks.finite(self, budget)?;
        let parts = self.compiled.relation().parts().iter();
        let parts = parts.filter(|(name, _)| !finite.contains(name));
        let relation = Relation::new(self.compiled.alphabet(), parts.cloned().collect());
        let initial: Nfa = self.compiled.initial().clone();
        Problem::new(initial, vec![self.bad.clone()], relation).map_err(|error| {
            let diagnostic = Diagnostic::error("no-problem", error.to_string());
            Unproved::Trouble(diagnostic.into())
        })
    }
}

/// Why there is no problem.
pub(crate) enum Unproved {
    Ranks(Unsound),
    Trouble(Trouble),
}

impl From<Unsound> for Unproved {
    fn from(unsound: Unsound) -> Unproved {
        Unproved::Ranks(unsound)
    }
}

/// What stands behind the name of a step in the loop, before the number of the case.
const VARIANT: &str = " (in the loop) ";

impl Watched<'_> {
    /// The protocol before the freeze and behind it, where it is behind it, and where everybody had their
    /// turn there.
    fn rounds(&self) -> (Protocol, Expr, Expr) {
        let (before, mut rounds) = (self.before(), self.in_loop());
        let own = before.fields.len();
        for (at, field) in rounds.fields.iter_mut().enumerate() {
            field.initial = match before.fields.get(at) {
                Some(known) => known.initial.clone(),
                None => Initial::Values(vec![0]),
            };
        }
        for (at, global) in rounds.globals.iter_mut().enumerate() {
            global.initial = match before.globals.get(at) {
                Some(known) => known.initial.clone(),
                None => Initial::Values(vec![0]),
            };
        }
        let frozen = rounds.globals.len();
        let is_frozen = Expr::Compare(
            Comparison::Equal,
            Box::new(Expr::Global(frozen)),
            Box::new(Expr::Constant(1)),
        );
        rounds
            .globals
            .push(added("behind the freeze", Initial::Values(vec![0]), None));
        let behind = std::mem::take(&mut rounds.steps);
        let fields = rounds.fields.len();
        for mut step in before.steps {
            step.guard = Expr::And(vec![not(is_frozen.clone()), step.guard]);
            for created in step.alternatives.iter_mut().flatten().filter_map(created) {
                created.extend((created.len()..fields).map(|_| any_of(vec![0])));
            }
            rounds.steps.push(step);
        }
        rounds.steps.push(self.freeze(frozen, &is_frozen));
        for mut step in behind {
            if step.name == AGAIN {
                continue;
            }
            step.guard = Expr::And(vec![is_frozen.clone(), step.guard]);
            for created in step.alternatives.iter_mut().flatten().filter_map(created) {
                // Who comes later is not waited for.
                created.extend((created.len()..own).map(|_| any_of(vec![0])));
                created.extend((own..fields).map(|at| any_of(vec![self.of_the_new(at)])));
            }
            match Self::is_of_the_run(&step) {
                true => self.cases(&step, &mut rounds.steps),
                false => rounds.steps.push(Step {
                    name: format!("{}{IN_LOOP}", step.name),
                    ..step
                }),
            }
        }
        let everybody = Expr::And(vec![is_frozen.clone(), self.had_their_turn()]);
        (rounds, is_frozen, everybody)
    }

    /// Everybody forgets what they did; of what is to be strongly fair it is guessed whether it is never
    /// possible again.
    fn freeze(&self, frozen: usize, is_frozen: &Expr) -> Step {
        let mut actions = vec![Action::SetGlobal(frozen, any_of(vec![1]))];
        let mut assignments: Vec<(usize, Assigned)> = Vec::new();
        for (owned, never) in self.guessed() {
            match owned {
                true => assignments.push((never, any_of(vec![0, 1]))),
                false => actions.push(Action::SetGlobal(never, any_of(vec![0, 1]))),
            }
        }
        if !assignments.is_empty() {
            actions.push(Action::Broadcast(Broadcast {
                bound: Bound::default(),
                only: Expr::TRUE,
                assignments,
                pairs: Vec::new(),
            }));
        }
        Step {
            name: FREEZE.to_owned(),
            span: Span::default(),
            people: Vec::new(),
            choices: Vec::new(),
            guard: Expr::And(vec![not(is_frozen.clone()), self.may_freeze()]),
            readings: Vec::new(),
            alternatives: vec![actions],
            import: None,
            fairness: Fairness::default(),
            nature: Nature::default(),
        }
    }

    /// A step behind the freeze, taken apart: each alternative, each choice, and whether the process that takes it is the
    /// one that is watched or, in a line, on which side of it it stands.
    fn cases(&self, step: &Step, all: &mut Vec<Step>) {
        let sides: Vec<Expr> = match self.marks() == 1 && !step.people.is_empty() {
            true => {
                let watched = step.people.len();
                let side = |side: Expr| Expr::Quantified {
                    exists: true,
                    bound: Bound::default(),
                    body: Box::new(Expr::And(vec![
                        Expr::Field(watched, self.first_mark()),
                        side,
                    ])),
                };
                let mut sides = vec![side(Expr::Same(0, watched))];
                sides.extend(match self.topology() {
                    Topology::Line => {
                        let sides = [Expr::Before(0, watched), Expr::Before(watched, 0)];
                        sides.into_iter().map(side).collect()
                    }
                    _ => vec![side(not(Expr::Same(0, watched)))],
                });
                sides
            }
            false => vec![Expr::TRUE],
        };
        let choices = product(step.choices.iter().map(|(_, domain)| domain.values()));
        let chosen = |values: &Vec<Value>| {
            let is = |(number, value): (usize, &Value)| {
                let (choice, value) = (Expr::Choice(number), Expr::Constant(*value));
                Expr::Compare(Comparison::Equal, Box::new(choice), Box::new(value))
            };
            Expr::And(values.iter().enumerate().map(is).collect())
        };
        for actions in &step.alternatives {
            for (side, choice) in sides
                .iter()
                .flat_map(|side| choices.iter().map(move |choice| (side, choice)))
            {
                all.push(Step {
                    name: format!("{}{VARIANT}{}", step.name, all.len()),
                    guard: Expr::And(vec![chosen(choice), side.clone(), step.guard.clone()]),
                    alternatives: vec![actions.clone()],
                    ..step.clone()
                });
            }
        }
    }
}

/// The values of a process that an action creates.
fn created(action: &mut Action) -> Option<&mut Vec<Assigned>> {
    match action {
        Action::Create(_, values) => Some(values),
        _ => None,
    }
}
