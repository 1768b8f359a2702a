//! Fewer markings for formulas about runs that do not say *next*.
//!
//! In a marking only a *stubborn set* of transitions fires, if none of them that can fire changes
//! a condition of the formula (they are *quiet*) and none can be disturbed: whatever fires outside
//! of the set takes nothing that a member needs and needs nothing that a member takes. Then every
//! run is also one that begins with a member, but for steps that the formula does not see. So that
//! nothing is put off for ever, the set is all of them where one leads back to a marking on
//! the way of a search in depth: every circle has a marking in which everything fires.

use std::collections::HashMap;

use quotient_core::{Budget, Stop};
use quotient_explicit::{Halt, Linear, StateId, Steps, System, linear_part};
use quotient_logic::{Formula as Time, Kind, Unary};

use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, Task};
use crate::evidence;
use crate::formula::{Formula, Question, Temporal};
use crate::net::{Net, Transition};
use crate::space::Space;
use crate::stubborn::{Relations, change};
use crate::stuttering;
use crate::temporal::{JUDGED, Rounds, values};

/// How many sets are tried in a marking.
const BEGINNINGS: usize = 6;
/// The set of a marking is all transitions.
const ALL: u32 = u32::MAX;

/// Answers open formulas of linear time without *next*, each with markings of its own.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let Some(relations) = Relations::new(checker.net) else {
        return Ok(());
    };
    for task in tasks {
        let one = match &task.asked.question {
            Question::Temporal(one) if !task.is_answered() && is_fit(one) => one.clone(),
            _ => continue,
        };
        let visible = visible(checker.net, &one);
        if visible.iter().all(|&visible| visible) {
            continue;
        }
        task.answer = loop {
            let space = Space::new(checker.net, start, bits);
            let quiet = Quiet {
                space: &space,
                relations: &relations,
                visible: &visible,
            };
            match quiet.answered(checker, start, most, &one, task) {
                Ok(answer) => break answer,
                Err(Halt::Unfit(place)) => {
                    let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                        return Err(Stop::bound("the number of tokens", u64::MAX));
                    };
                    *bits = (*bits * 2).min(64);
                }
                Err(Halt::Stopped(Stop::Bound { .. } | Stop::Exhausted { .. })) => break None,
                Err(Halt::Stopped(stop)) => return Err(stop),
            }
        };
    }
    Ok(())
}

/// Whether a formula is about every run by itself and does not see how often a marking repeats.
pub(crate) fn is_fit(one: &Temporal) -> bool {
    fn no_next(formula: &Time<u32>) -> bool {
        match &formula.kind {
            Kind::Unary(Unary::Next, _) => false,
            Kind::Unary(_, inner) => no_next(inner),
            Kind::Binary(_, left, right) => no_next(left) && no_next(right),
            _ => true,
        }
    }
    one.linear && no_next(&one.formula)
}

/// Which transitions may change a condition of the formula.
fn visible(net: &Net, one: &Temporal) -> Vec<bool> {
    fn sees(net: &Net, atom: &Formula, transition: &Transition) -> bool {
        match atom {
            Formula::Truth(_) => false,
            Formula::Not(inner) => sees(net, inner, transition),
            Formula::All(all) | Formula::Any(all) => {
                all.iter().any(|part| sees(net, part, transition))
            }
            Formula::AtLeast(linear) => change(linear, transition) != 0,
            Formula::Fireable(other) => {
                let changed = |place: usize| transition.effect.iter().any(|one| one.0 == place);
                let mut guards = net.transitions[*other].guard.iter();
                guards.any(|guard| changed(guard.place))
            }
            Formula::Dead => true,
        }
    }
    let all = net.transitions.iter();
    all.map(|transition| one.atoms.iter().any(|atom| sees(net, atom, transition)))
        .collect()
}

struct Quiet<'a> {
    space: &'a Space<'a>,
    relations: &'a Relations,
    visible: &'a [bool],
}

impl Quiet<'_> {
    fn answered(
        &self,
        checker: &Checker<'_>,
        start: &[u64],
        most: usize,
        one: &Temporal,
        task: &Task,
    ) -> Result<Option<quotient_language::Answer>, Halt> {
        let budget = &checker.cx.budget;
        let chosen = self.search(most, budget)?;
        let system = Given {
            space: self.space,
            chosen: &chosen,
        };
        let steps = Steps::new(&system, most.saturating_add(1));
        let mut rounds = Rounds::new(checker, self.space, steps, start, most);
        let mut values = |state: &[u64]| values(checker.net, self.space, one, state);
        match linear_part(&mut rounds.steps, &one.formula, &mut values, budget)? {
            (Linear::Holds(pairs), part) => Ok(Some(
                self.told(checker, &rounds, &chosen, task, pairs, &part),
            )),
            (Linear::Violated(lasso), _) => rounds.broken(task, &lasso),
        }
    }

    /// No run breaks the formula.
    fn told(
        &self,
        checker: &Checker<'_>,
        rounds: &Rounds<'_>,
        chosen: &Chosen,
        task: &Task,
        pairs: usize,
        part: &[StateId],
    ) -> quotient_language::Answer {
        let number = chosen.states.len();
        let because = format!(
            "no run breaks it: {number} markings stand for all, {pairs} pairs of one and what is left to fulfil"
        );
        let mut answer =
            quotient_language::Answer::new(&task.asked.name, quotient_core::Verdict::Holds)
                .because(because)
                .by("stubborn sets");
        answer
            .details
            .push(("markings".to_owned(), serde_json::json!(number)));
        // The automaton is of a simplified formula, so that a checker that follows the formula as
        // it is may need more than what mattered: all are listed if they are few.
        let mut states: Vec<Vec<u64>> = vec![Vec::new(); number];
        if number <= MOST_MARKINGS {
            for (state, &id) in &chosen.states {
                states[id as usize] = state.to_vec();
            }
        } else {
            let graph = rounds.steps.graph();
            states = part.iter().map(|&id| graph.state(id)).collect();
        }
        let states = states.into_iter();
        match self.shown(checker, chosen, task, states) {
            Some(body) => {
                let evidence = quotient_core::Evidence::of_holds(evidence::STUTTERING, &body);
                answer.with_evidence(evidence.about(&task.asked.name))
            }
            None => {
                answer.notes.push(crate::check::TOO_MANY.to_owned());
                answer
            }
        }
    }

    /// Markings with their sets that show it, if they are few and will be believed.
    fn shown(
        &self,
        checker: &Checker<'_>,
        chosen: &Chosen,
        task: &Task,
        states: impl ExactSizeIterator<Item = Vec<u64>>,
    ) -> Option<evidence::Stubborn> {
        let number = states.len();
        let numbers = number.saturating_mul(self.space.places() + 8);
        if number > MOST_MARKINGS || numbers > MOST_NUMBERS {
            return None;
        }
        let Question::Temporal(one) = &task.asked.question else {
            return None;
        };
        let mut markings = Vec::with_capacity(number);
        for state in states {
            let begin = chosen.states.get(state.as_slice()).copied();
            let set = match begin.map(|id| chosen.begins[id as usize]) {
                Some(begin) if begin != ALL => self.closure(begin as usize, &state)?,
                _ => (0..self.visible.len()).collect(),
            };
            let mut marking = Vec::new();
            self.space.unpack(&state, &mut marking);
            markings.push((marking, set));
        }
        let body = evidence::Stubborn { markings };
        let budget = checker.cx.budget.child_with_work(JUDGED);
        stuttering::judge(checker.net, &body, one, &budget).ok()?;
        Some(body)
    }

    /// The least quiet set with a transition that can fire, if there is one.
    fn closure(&self, begin: usize, state: &[u64]) -> Option<Vec<usize>> {
        let tokens = |place: usize| self.space.tokens(state, place);
        let mut inside = vec![false; self.visible.len()];
        inside[begin] = true;
        let mut todo = vec![begin];
        while let Some(one) = todo.pop() {
            let mut add = |all: &[usize]| {
                for &other in all {
                    if !inside[other] {
                        inside[other] = true;
                        todo.push(other);
                    }
                }
            };
            if self.space.is_enabled(one, state) {
                if self.visible[one] {
                    return None;
                }
                add(self.relations.hurt_by(one));
                add(&self.relations.hindering(one));
            } else if let Some(place) = self.relations.lacking(one, &tokens) {
                add(self.relations.givers_of(place));
            }
        }
        Some((0..inside.len()).filter(|&one| inside[one]).collect())
    }

    /// Goes through the markings in depth, and chooses a set in each.
    fn search(&self, most: usize, budget: &Budget) -> Result<Chosen, Halt> {
        let mut chosen = Chosen::default();
        let mut on_way: Vec<bool> = Vec::new();
        let mut frames: Vec<(u32, Vec<Vec<u64>>)> = Vec::new();
        let mut entering: Vec<Vec<u64>> = Vec::new();
        self.space
            .initial(&mut |state| entering.push(state.to_vec()));
        loop {
            let next = match frames.last_mut() {
                Some((_, rest)) => rest.pop(),
                None => entering.pop(),
            };
            let Some(state) = next else {
                match frames.pop() {
                    Some((id, _)) => on_way[id as usize] = false,
                    None => return Ok(chosen),
                }
                continue;
            };
            if chosen.states.contains_key(state.as_slice()) {
                continue;
            }
            budget.charge(1 + self.visible.len() as u64 / 16)?;
            if chosen.begins.len() >= most {
                return Err(Stop::bound("the number of states", most as u64).into());
            }
            let id = chosen.begins.len() as u32;
            chosen.states.insert(state.clone().into_boxed_slice(), id);
            on_way.push(true);
            let on_way = |other: &[u64]| {
                let known = chosen.states.get(other);
                known.is_some_and(|&known| on_way[known as usize])
            };
            let (begin, fired, next) = self.choice(&state, &on_way)?;
            chosen.begins.push(begin);
            chosen.fired.push(fired.into_boxed_slice());
            frames.push((id, next));
        }
    }

    /// The best set in a marking: with what it begins, those of it that can fire, and where they
    /// lead.
    fn choice(
        &self,
        state: &[u64],
        on_way: &dyn Fn(&[u64]) -> bool,
    ) -> Result<(u32, Vec<u32>, Vec<Vec<u64>>), Halt> {
        let all = 0..self.visible.len();
        let enabled: Vec<usize> = all
            .filter(|&one| self.space.is_enabled(one, state))
            .collect();
        let mut best: Option<(usize, Vec<usize>)> = None;
        let quiet = enabled.iter().filter(|&&one| !self.visible[one]);
        for &begin in quiet.take(BEGINNINGS) {
            let Some(set) = self.closure(begin, state) else {
                continue;
            };
            let able = set.iter().copied();
            let able: Vec<usize> = able
                .filter(|&one| self.space.is_enabled(one, state))
                .collect();
            let least = best.as_ref().map_or(enabled.len(), |(_, best)| best.len());
            if able.len() >= least {
                continue;
            }
            let mut next = Vec::new();
            let mut back = false;
            for &one in &able {
                self.space
                    .fire(one, state, &mut next)
                    .map_err(Halt::Unfit)?;
                back |= on_way(&next);
            }
            if !back {
                let is_least = able.len() == 1;
                best = Some((begin, able));
                if is_least {
                    break;
                }
            }
        }
        let (begin, fired) = best.map_or((ALL, enabled), |(begin, set)| (begin as u32, set));
        let mut targets = Vec::with_capacity(fired.len());
        for &one in &fired {
            let mut next = Vec::new();
            self.space
                .fire(one, state, &mut next)
                .map_err(Halt::Unfit)?;
            targets.push(next);
        }
        Ok((
            begin,
            fired.into_iter().map(|one| one as u32).collect(),
            targets,
        ))
    }
}

/// Markings with the set chosen in each.
#[derive(Default)]
struct Chosen {
    states: HashMap<Box<[u64]>, u32>,
    /// With which transition the set begins, or [`ALL`].
    begins: Vec<u32>,
    /// What fires.
    fired: Vec<Box<[u32]>>,
}

/// The markings with what was chosen in each.
struct Given<'a> {
    space: &'a Space<'a>,
    chosen: &'a Chosen,
}

impl System for Given<'_> {
    fn width(&self) -> usize {
        self.space.width()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        self.space.initial(emit);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let Some(&id) = self.chosen.states.get(state) else {
            return Ok(());
        };
        let mut next = Vec::with_capacity(self.width());
        for &one in &self.chosen.fired[id as usize] {
            if self.space.fire(one as usize, state, &mut next)? {
                emit(one, &next);
            }
        }
        Ok(())
    }
}
