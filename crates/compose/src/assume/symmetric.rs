//! An assumption for every component at once.
//!
//! If each Mi keeps the property under its Ai, and no word is outside all the Ai and breaks
//! the property, then the system keeps it: a word that broke it would be one of every Mi, so
//! no Ai would have it. For the rule to be complete, the alphabet of Ai must have all actions
//! that Mi shares with any other component, and those of the property.

use std::sync::Arc;

use quotient_core::{Attempt, Context, Method, Stop, What};

use super::chain::as_lts;
use super::common::{Watcher, word_outside_all};
use super::premise::{error_under, restricted, shortest_error};
use super::teacher::Teacher;
use super::{Alphabet, Statistics};
use crate::learn::{Algorithm, Learner, Letter};
use crate::operations::{compose, towards_error};
use crate::product::{Part, Product};
use crate::{Action, ERROR, Lts, LtsBuilder};

/// The search for an assumption for every component.
pub(crate) struct Symmetric<'a> {
    sides: Vec<Side>,
    /// The property with an absorbing state instead of the error state.
    breach: Watcher,
    algorithm: Algorithm,
    refinement: Alphabet,
    statistics: &'a mut Statistics,
}

/// One component, its assumption in progress.
struct Side {
    component: Arc<Part>,
    interface: Vec<Action>,
    teacher: Teacher,
    learner: Option<Learner>,
    /// The last guess that passed the own premise; `None` while there is none. The language
    /// without any word is the system that starts in its error state.
    assumption: Option<Arc<Lts>>,
}

/// Why the assumptions were none.
pub(crate) enum FalseAlarm {
    /// The guess for this side is wrong on this word.
    Word(usize, Vec<Action>),
    /// The alphabet of this side lacks these actions.
    Alphabet(usize, Vec<Action>),
}

impl<'a> Symmetric<'a> {
    /// The property must watch only: deterministic, with an edge for every action.
    pub(crate) fn new(
        components: &[Vec<Arc<Part>>],
        property: &Arc<Part>,
        algorithm: Algorithm,
        refinement: Alphabet,
        statistics: &'a mut Statistics,
        cx: &Context,
    ) -> Result<Self, Stop> {
        let knows = |parts: &[Arc<Part>], action| parts.iter().any(|part| part.lts.knows(action));
        let mut sides = Vec::new();
        for (at, parts) in components.iter().enumerate() {
            let all = parts.iter().chain([property]).cloned().collect();
            let component = compose(&Product::new(all)?, &cx.budget)?;
            statistics.largest_component = statistics.largest_component.max(component.states());
            let component = Arc::new(towards_error(&component));
            let interface = component.alphabet().iter().copied().filter(|&action| {
                let others = components
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != at);
                property.lts.knows(action)
                    || others.into_iter().any(|(_, parts)| knows(parts, action))
            });
            let interface: Vec<Action> = interface.collect();
            // The property's actions are always there: all sides see where it breaks.
            let known = match refinement {
                Alphabet::Whole => interface.clone(),
                Alphabet::Refined { .. } => restricted(&interface, property.lts.alphabet()),
            };
            let may_grow = known.len() < interface.len();
            sides.push(Side {
                teacher: Teacher::new(component.clone(), known, may_grow, cx.budget.clone()),
                component: Part::new(component),
                interface,
                learner: None,
                assumption: None,
            });
        }
        Ok(Symmetric {
            sides,
            breach: Watcher::new(&property.lts),
            algorithm,
            refinement,
            statistics,
        })
    }

    /// Brings one side to an assumption that passes its own premise, or says what is wrong.
    fn own_premise(&mut self, at: usize, cx: &Context) -> Result<Option<FalseAlarm>, Stop> {
        let side = &mut self.sides[at];
        if side.assumption.is_some() {
            return Ok(None);
        }
        if !side.teacher.is_harmless(&[])? {
            let mut builder = LtsBuilder::new();
            builder.initial(ERROR);
            builder.alphabet(side.teacher.interface().iter().copied());
            side.assumption = Some(Arc::new(builder.build()));
            return Ok(None);
        }
        let letters = side.teacher.interface().len();
        let algorithm = self.algorithm;
        let learner = side
            .learner
            .get_or_insert_with(|| Learner::new(algorithm, letters));
        let guess = learner.hypothesis(&mut side.teacher)?;
        let assumption = Arc::new(as_lts(&guess, side.teacher.interface()));
        self.statistics.conjectures += 1;
        self.statistics.largest_assumption =
            self.statistics.largest_assumption.max(assumption.states());
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: at as u64,
            sizes: [
                ("assumption states", assumption.states() as u64),
                ("assumption actions", letters as u64),
                ("component states", side.component.lts.states() as u64),
            ]
            .into(),
        });
        let parts = vec![side.component.clone(), Part::new(assumption.clone())];
        if let Some(error) = shortest_error(&Product::new(parts)?, &cx.budget)? {
            let word = restricted(&error, side.teacher.interface());
            return Ok(Some(FalseAlarm::Word(at, word)));
        }
        side.assumption = Some(assumption);
        Ok(None)
    }

    /// A word outside all assumptions that breaks the property.
    fn common_premise(&self, cx: &Context) -> Result<Option<Vec<Action>>, Stop> {
        let assumptions = self.sides.iter().filter_map(|side| side.assumption.clone());
        let assumptions: Vec<Arc<Lts>> = assumptions.collect();
        word_outside_all(&self.breach, &assumptions, &cx.budget)
    }

    /// What such a word means.
    fn judge(
        &mut self,
        word: Vec<Action>,
        cx: &Context,
    ) -> Result<Attempt<Vec<Arc<Lts>>, Vec<Action>, FalseAlarm>, Stop> {
        for (at, side) in self.sides.iter_mut().enumerate() {
            let known = side.teacher.interface().to_vec();
            let own = restricted(&word, &known);
            if side.teacher.is_harmless(&own)? {
                return Ok(Attempt::FalseAlarm(FalseAlarm::Word(at, own)));
            }
            let whole = restricted(&word, &side.interface);
            if error_under(&side.component, &whole, &side.interface, &cx.budget)?.is_some() {
                continue;
            }
            let Some(error) = error_under(&side.component, &own, &known, &cx.budget)? else {
                return Err(Stop::inconclusive("a harmful word does no harm"));
            };
            let Alphabet::Refined { heuristic, .. } = self.refinement else {
                return Err(Stop::inconclusive("the whole interface is not enough"));
            };
            let error = restricted(&error, &side.interface);
            let new = heuristic.choose(&whole, &error, &known);
            return match new.is_empty() {
                true => Err(Stop::exhausted("no action tells the two traces apart")),
                false => Ok(Attempt::FalseAlarm(FalseAlarm::Alphabet(at, new))),
            };
        }
        Ok(Attempt::Refuted(word))
    }
}

impl Method for Symmetric<'_> {
    type Proof = Vec<Arc<Lts>>;
    /// A word over the interfaces that every component can do, and that breaks the property.
    type Trace = Vec<Action>;
    type Spurious = FalseAlarm;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Self::Proof, Self::Trace, Self::Spurious>, Stop> {
        for at in 0..self.sides.len() {
            if let Some(false_alarm) = self.own_premise(at, cx)? {
                return Ok(Attempt::FalseAlarm(false_alarm));
            }
        }
        match self.common_premise(cx)? {
            None => Ok(Attempt::Proved(
                self.sides
                    .iter()
                    .filter_map(|side| side.assumption.clone())
                    .collect(),
            )),
            Some(word) => self.judge(word, cx),
        }
    }

    fn refine(&mut self, false_alarm: FalseAlarm, cx: &mut Context) -> Result<(), Stop> {
        let (at, detail) = match false_alarm {
            FalseAlarm::Word(at, word) => {
                let side = &mut self.sides[at];
                let place = |action: &Action| side.teacher.interface().binary_search(action);
                let word: Result<Vec<Letter>, usize> = word
                    .iter()
                    .map(|a| place(a).map(|at| at as Letter))
                    .collect();
                let (Ok(word), Some(learner)) = (word, &mut side.learner) else {
                    return Err(Stop::exhausted("the empty assumption cannot be refined"));
                };
                learner.counterexample(&word, &mut side.teacher)?;
                side.assumption = None;
                (at, "an assumption is wrong on a word")
            }
            FalseAlarm::Alphabet(at, actions) => {
                self.statistics.alphabet_refinements += 1;
                let side = &mut self.sides[at];
                side.teacher.extend(actions);
                side.learner = None;
                side.assumption = None;
                (
                    at,
                    "the environment's trace differs in actions outside the assumption",
                )
            }
        };
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: detail.into(),
            sizes: [
                ("component", at as u64 + 1),
                (
                    "assumption actions",
                    self.sides[at].teacher.interface().len() as u64,
                ),
            ]
            .into(),
        });
        Ok(())
    }
}

impl Drop for Symmetric<'_> {
    fn drop(&mut self) {
        for side in &self.sides {
            self.statistics.questions += side.teacher.asked;
            self.statistics.remembered += side.teacher.remembered;
        }
    }
}
