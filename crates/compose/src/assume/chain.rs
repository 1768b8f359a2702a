//! One component after the other: the asymmetric rule, applied again to what is left.
//!
//! To show that M1, …, Mn together keep a property: find an assumption A1 under which M1 keeps
//! it, and show that M2, …, Mn together keep A1. The circular rule is the same with M1 once
//! more at the end: composing a component with itself changes nothing.

use std::sync::Arc;

use quotient_core::{Attempt, Conclusion, Context, Method, Stop, What, run};

use super::premise::{error_under, restricted, shortest_error};
use super::teacher::{HARMFUL, Subsets, Teacher};
use super::{Alphabet, Start, Statistics};
use crate::learn::{Algorithm, Learner, Letter, Machine};
use crate::operations::{complete, compose, towards_error};
use crate::product::{Part, Product};
use crate::{Action, Lts, LtsBuilder};

/// What all levels of a chain have in common.
pub(crate) struct Chain {
    /// The parts of each component, in order.
    pub(crate) components: Vec<Vec<Arc<Part>>>,
    pub(crate) source: Source,
    pub(crate) alphabet: Alphabet,
}

/// Where assumptions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// From a learner.
    Learned(Algorithm),
    /// The weakest one, by the subset construction.
    Weakest,
}

/// How much work a short search is worth.
const QUICK: u64 = 200_000;

/// One application of the rule: a component with the property that it and the rest must keep.
pub(crate) struct Level<'a> {
    chain: &'a Chain,
    at: usize,
    component: Arc<Part>,
    /// What the component and the rest share.
    interface: Vec<Action>,
    teacher: Teacher,
    learner: Option<Learner>,
    statistics: &'a mut Statistics,
}

/// Why an assumption was none, though the system may well keep the property.
pub(crate) enum FalseAlarm {
    /// The guess is wrong on this word.
    Word(Vec<Action>),
    /// The alphabet lacks these actions.
    Alphabet(Vec<Action>),
}

impl Chain {
    /// Whether the components from a level on keep a property: the assumptions on the way, or
    /// a word of those components that breaks it.
    pub(crate) fn solve(
        &self,
        at: usize,
        property: &[Arc<Part>],
        statistics: &mut Statistics,
        cx: &mut Context,
    ) -> Result<Conclusion<Vec<Arc<Lts>>, Vec<Action>>, Stop> {
        let mut parts = self.components.get(at).cloned().unwrap_or_default();
        parts.extend_from_slice(property);
        if at + 1 >= self.components.len() {
            return Ok(match shortest_error(&Product::new(parts)?, &cx.budget)? {
                None => Conclusion::Holds(Vec::new()),
                Some(word) => Conclusion::Violated(word),
            });
        }
        let mut level = Level::new(self, at, property, parts, statistics, cx)?;
        let mut own = Context {
            story: match at {
                0 => cx.story.clone(),
                _ => cx.story.of_method(&format!("assumption {}", at + 1)),
            },
            ..cx.clone()
        };
        match run(&mut level, &mut own).conclusion {
            Conclusion::Unknown(stop) => Err(stop),
            definite => Ok(definite),
        }
    }
}

impl Chain {
    /// A word of the components from a level on that breaks a property, if a short search of
    /// them together finds one. Most guesses are refuted, and need no assumptions further down
    /// for that.
    fn quick_violation(
        &self,
        at: usize,
        property: &[Arc<Part>],
        cx: &Context,
    ) -> Result<Option<Vec<Action>>, Stop> {
        if at + 1 >= self.components.len() {
            return Ok(None);
        }
        let mut parts = self.components[at..].concat();
        parts.extend_from_slice(property);
        let budget = cx.budget.child_with_work(QUICK);
        match shortest_error(&Product::new(parts)?, &budget) {
            Err(Stop::Work) => {
                cx.budget.poll()?;
                Ok(None)
            }
            answer => answer,
        }
    }
}

impl<'a> Level<'a> {
    fn new(
        chain: &'a Chain,
        at: usize,
        property: &[Arc<Part>],
        parts: Vec<Arc<Part>>,
        statistics: &'a mut Statistics,
        cx: &Context,
    ) -> Result<Level<'a>, Stop> {
        let component = compose(&Product::new(parts)?, &cx.budget)?;
        statistics.largest_component = statistics.largest_component.max(component.states());
        let component = Arc::new(towards_error(&component));
        let rest = chain.components[at + 1..].iter().flatten();
        let shared = |action: &Action| rest.clone().any(|part| part.lts.knows(*action));
        let interface: Vec<Action> = component
            .alphabet()
            .iter()
            .copied()
            .filter(shared)
            .collect();
        let known = match chain.alphabet {
            _ if chain.source == Source::Weakest => interface.clone(),
            Alphabet::Whole => interface.clone(),
            Alphabet::Refined {
                start: Start::Empty,
                ..
            } => Vec::new(),
            Alphabet::Refined {
                start: Start::Property,
                ..
            } => {
                let asked = |action: &Action| property.iter().any(|part| part.lts.knows(*action));
                interface.iter().copied().filter(asked).collect()
            }
        };
        let may_grow = known.len() < interface.len();
        let teacher = Teacher::new(component.clone(), known, may_grow, cx.budget.clone());
        Ok(Level {
            chain,
            at,
            component: Part::new(component),
            interface,
            learner: None,
            teacher,
            statistics,
        })
    }

    /// The present assumption.
    fn assumption(&mut self, cx: &Context) -> Result<Lts, Stop> {
        let Source::Learned(algorithm) = self.chain.source else {
            return weakest(&self.component.lts, &self.interface, cx);
        };
        let letters = self.teacher.interface().len();
        let learner = self
            .learner
            .get_or_insert_with(|| Learner::new(algorithm, letters));
        let guess = learner.hypothesis(&mut self.teacher)?;
        Ok(as_lts(&guess, self.teacher.interface()))
    }

    /// What a trace of the rest that breaks the assumption, or the empty one, means.
    fn judge(
        &mut self,
        trace: Vec<Action>,
        cx: &Context,
    ) -> Result<Attempt<Vec<Arc<Lts>>, Vec<Action>, FalseAlarm>, Stop> {
        let alphabet = self.teacher.interface().to_vec();
        let word = restricted(&trace, &alphabet);
        if self.teacher.is_harmless(&word)? {
            return Ok(Attempt::FalseAlarm(FalseAlarm::Word(word)));
        }
        let whole = restricted(&trace, &self.interface);
        if let Some(error) = error_under(&self.component, &whole, &self.interface, &cx.budget)? {
            return Ok(Attempt::Refuted(merged(&error, &trace, &self.interface)));
        }
        let Some(error) = error_under(&self.component, &word, &alphabet, &cx.budget)? else {
            return Err(Stop::inconclusive("a harmful word does no harm"));
        };
        let Alphabet::Refined { heuristic, .. } = self.chain.alphabet else {
            return Err(Stop::inconclusive("the whole interface is not enough"));
        };
        let error = restricted(&error, &self.interface);
        let new = heuristic.choose(&whole, &error, &alphabet);
        match new.is_empty() {
            true => Err(Stop::exhausted("no action tells the two traces apart")),
            false => Ok(Attempt::FalseAlarm(FalseAlarm::Alphabet(new))),
        }
    }
}

impl Method for Level<'_> {
    type Proof = Vec<Arc<Lts>>;
    type Trace = Vec<Action>;
    type Spurious = FalseAlarm;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Self::Proof, Self::Trace, Self::Spurious>, Stop> {
        // If the component errs although the environment blocks all it may, no assumption
        // over this alphabet helps.
        if !self.teacher.is_harmless(&[])? {
            return self.judge(Vec::new(), cx);
        }
        let assumption = Arc::new(self.assumption(cx)?);
        let states = assumption.states();
        self.statistics.conjectures += 1;
        self.statistics.largest_assumption = self.statistics.largest_assumption.max(states);
        let alphabet = self.teacher.interface().len();
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: 0,
            sizes: [
                ("assumption states", states as u64),
                ("assumption actions", alphabet as u64),
                ("interface actions", self.interface.len() as u64),
                ("component states", self.component.lts.states() as u64),
            ]
            .into(),
        });
        if self.chain.source != Source::Weakest {
            let product =
                Product::new(vec![self.component.clone(), Part::new(assumption.clone())])?;
            if let Some(error) = shortest_error(&product, &cx.budget)? {
                let word = restricted(&error, self.teacher.interface());
                return Ok(Attempt::FalseAlarm(FalseAlarm::Word(word)));
            }
        }
        let duty = complete(&assumption);
        if !duty.has_error() {
            // It allows everything: nothing is left to show.
            return Ok(Attempt::Proved(vec![assumption]));
        }
        let duty = [Part::new(duty)];
        if let Some(trace) = self.chain.quick_violation(self.at + 1, &duty, cx)? {
            return self.judge(trace, cx);
        }
        match self.chain.solve(self.at + 1, &duty, self.statistics, cx)? {
            Conclusion::Holds(rest) => {
                let mut all = vec![assumption];
                all.extend(rest);
                Ok(Attempt::Proved(all))
            }
            Conclusion::Violated(trace) => self.judge(trace, cx),
            Conclusion::Unknown(stop) => Err(stop),
        }
    }

    fn refine(&mut self, false_alarm: FalseAlarm, cx: &mut Context) -> Result<(), Stop> {
        match false_alarm {
            FalseAlarm::Word(word) => {
                let place = |action: &Action| self.teacher.interface().binary_search(action);
                let word: Result<Vec<Letter>, usize> = word
                    .iter()
                    .map(|a| place(a).map(|at| at as Letter))
                    .collect();
                let (Ok(word), Some(learner)) = (word, &mut self.learner) else {
                    return Err(Stop::exhausted("the weakest assumption cannot be refined"));
                };
                learner.counterexample(&word, &mut self.teacher)?;
                cx.story.tell(|| What::Refined {
                    refinement: cx.attempt + 1,
                    detail: format!(
                        "the assumption is wrong on a word of {} actions",
                        word.len()
                    ),
                    sizes: [("questions", self.teacher.asked)].into(),
                });
            }
            FalseAlarm::Alphabet(actions) => {
                self.statistics.alphabet_refinements += 1;
                self.count_questions();
                let count = actions.len() as u64;
                self.teacher.extend(actions);
                self.learner = None;
                cx.story.tell(|| What::Refined {
                    refinement: cx.attempt + 1,
                    detail: "the environment's trace differs in actions outside the assumption"
                        .into(),
                    sizes: [
                        ("new actions", count),
                        ("assumption actions", self.teacher.interface().len() as u64),
                    ]
                    .into(),
                });
            }
        }
        Ok(())
    }
}

impl Level<'_> {
    fn count_questions(&mut self) {
        self.statistics.questions += std::mem::take(&mut self.teacher.asked);
        self.statistics.remembered += std::mem::take(&mut self.teacher.remembered);
    }
}

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.count_questions();
    }
}

/// The weakest assumption of a component over its whole interface: all words that do no harm.
pub(crate) fn weakest(
    component: &Arc<Lts>,
    interface: &[Action],
    cx: &Context,
) -> Result<Lts, Stop> {
    let mut builder = LtsBuilder::new();
    builder.alphabet(interface.iter().copied());
    let mut subsets = Subsets::new(component.clone(), interface);
    if subsets.initial() == HARMFUL {
        return Err(Stop::inconclusive("the component errs by itself"));
    }
    let mut subset = 0;
    while subset < subsets.len() {
        for (letter, &action) in interface.iter().enumerate() {
            match subsets.step(subset, letter, interface, &cx.budget)? {
                HARMFUL => {}
                next => {
                    builder.edge(subset, action, next);
                }
            }
        }
        subset += 1;
    }
    Ok(builder.build())
}

/// A guess as a transition system over its alphabet.
pub(crate) fn as_lts(machine: &Machine, alphabet: &[Action]) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .alphabet(alphabet.iter().copied())
        .at_least(machine.states());
    for state in 0..machine.states() as u32 {
        for (letter, &action) in (0..).zip(alphabet) {
            match machine.step(state, letter) {
                Machine::REJECT => {}
                next => {
                    builder.edge(state, action, next);
                }
            }
        }
    }
    builder.build()
}

/// One word of a component and its environment together, from a word of each that agree on
/// the interface up to the end of the component's.
fn merged(component: &[Action], environment: &[Action], interface: &[Action]) -> Vec<Action> {
    let mut word = Vec::new();
    let mut environment = environment.iter();
    for &action in component {
        if interface.binary_search(&action).is_ok() {
            let own = environment.by_ref().take_while(|&&other| other != action);
            word.extend(own.copied());
        }
        word.push(action);
    }
    word
}
