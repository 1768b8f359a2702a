//! Is this an infinite execution that breaks what was asked?

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::evidence::{LassoData, Sought};
use quotient_lts::{Action, ERROR, Fluent, Progress, Question, State};

use super::alike::Alike;
use super::explored::{after, asked, before};
use super::model::Model;
use super::stubborn::runs::Followed;
use super::trace::{places, replay, replayed};
use super::whole::{Reachable, Whole, components_of};
use crate::Rejection;

/// Replays the way and the cycle, and looks at what happens on them.
pub(super) fn check(
    data: &LassoData,
    model: &Model,
    about: &str,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let whole = model.whole();
    let entry = replay(model, &whole, &data.initial, &data.way, budget)?;
    let steps: Vec<_> = data.way.iter().chain(&data.cycle).cloned().collect();
    let end = replay(model, &whole, &data.initial, &steps, budget)?;
    if end.contains(&ERROR) {
        return Err(Rejection::wrong(
            "the execution comes into an error state: it shows something else",
        ));
    }
    if end != entry {
        return Err(Rejection::wrong(
            "the cycle does not lead back to its beginning",
        ));
    }
    if data.cycle.is_empty() && !whole.steps(&entry, budget)?.is_empty() {
        return Err(Rejection::wrong(
            "the execution does not go on, and it could",
        ));
    }
    let replayed = replayed(steps.len());
    match (data.sought, question) {
        (Sought::Starvation, Question::Progress(properties)) => {
            let properties = asked(model, properties, about)?;
            let sets = for_ever(model, &whole, &entry, budget)?;
            // Where every action is asked for, one that does not go on is enough.
            let is_violated = properties
                .iter()
                .any(|one| sets.iter().all(|happening| starved(happening, one)));
            match is_violated {
                true => Ok(vec![
                    replayed,
                    "it leads to states that cannot be left".to_owned(),
                    "none of the actions of the property happens there".to_owned(),
                ]),
                false => Err(Rejection::wrong("what the property asks for goes on")),
            }
        }
        (
            Sought::Formula { fair },
            Question::Formula {
                name,
                formula,
                fluents,
                fair: asked,
            },
        ) if name == about && fair == *asked => {
            if fair {
                is_fair(data, &whole, &entry, budget)?;
            }
            let moments = Moments::of(data, model, fluents);
            if moments.truth(formula)?[0] {
                return Err(Rejection::wrong("the execution does not break the formula"));
            }
            Ok(vec![replayed, "it breaks the formula".to_owned()])
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

/// Work after which no more states are looked at one by one.
const MOST_WORK: u64 = 4_000_000;

/// What the system shows in the sets of states that cannot be left from a state on: in that of the
/// state, since from there on all states lead back to each other; or, if these are too many, in
/// each that can be reached from it, where only enough of the steps are followed.
fn for_ever(
    model: &Model,
    whole: &Whole<'_>,
    state: &[State],
    budget: &Budget,
) -> Result<Vec<Vec<Action>>, Rejection> {
    let first = budget.child_with_work(MOST_WORK);
    let reachable = match Reachable::from(whole, state, &first) {
        Err(Stop::Work) if budget.poll().is_ok() => {
            let followed = Followed::new(model, |_| false, (state, &Alike::default()), budget)?;
            return Ok(followed.for_ever(model));
        }
        reachable => reachable?,
    };
    let targets = |state: usize| {
        let steps = reachable.steps[state].iter();
        steps.filter_map(|(_, target)| *target).collect()
    };
    let component = components_of(reachable.states.len(), targets);
    let mut steps = reachable.steps.iter().flatten();
    let errs = steps.any(|(_, target)| target.is_none());
    if errs || component.iter().any(|&one| one != component[0]) {
        return Err(Rejection::wrong(
            "the states of the cycle can be left for good",
        ));
    }
    let events = reachable.steps.iter().flatten();
    let mut happening: Vec<Action> = events
        .map(|(event, _)| model.shown[event.index()])
        .collect();
    happening.sort_unstable();
    happening.dedup();
    Ok(vec![happening])
}

/// Whether none of the actions of the property happens, and its condition, if it has one, does.
fn starved(happening: &[Action], property: &Progress) -> bool {
    let happens = |actions: &[Action]| actions.iter().any(|action| happening.contains(action));
    property.condition.as_deref().is_none_or(happens) && !happens(&property.actions)
}

/// A cycle with fair choices has all steps of all its states.
fn is_fair(
    data: &LassoData,
    whole: &Whole<'_>,
    entry: &[State],
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut taken: Vec<(Vec<State>, (Action, Vec<State>))> = Vec::new();
    let mut at = entry.to_vec();
    for step in &data.cycle {
        let next = places(&step.states);
        let event = Action::from_index(step.event as usize);
        taken.push((std::mem::replace(&mut at, next.clone()), (event, next)));
    }
    let taken: std::collections::HashSet<_> = taken.into_iter().collect();
    for (state, _) in &taken {
        for step in whole.steps(state, budget)? {
            if !taken.contains(&(state.clone(), step)) {
                return Err(Rejection::wrong("a choice on the cycle is never taken"));
            }
        }
    }
    Ok(())
}

/// The values of the fluents at each moment, and the moment that follows the last.
struct Moments {
    values: Vec<Vec<bool>>,
    back: usize,
}

impl Moments {
    /// A moment is right after a visible event. Where nothing visible happens any more, the
    /// last moment stays; where nothing ever does, the one before all.
    fn of(data: &LassoData, model: &Model, fluents: &[Fluent]) -> Moments {
        let mut now = before(fluents);
        let mut values = Vec::new();
        let mut play = |steps: &[quotient_lts::evidence::StepData], values: &mut Vec<Vec<bool>>| {
            for step in steps {
                let shown = model.shown[step.event as usize];
                if !shown.is_tau() {
                    now = after(fluents, &now, shown);
                    values.push(now.clone());
                }
            }
            now.clone()
        };
        play(&data.way, &mut values);
        // After one round the values are those after every round.
        let last = play(&data.cycle, &mut values);
        let back = values.len();
        play(&data.cycle, &mut values);
        if values.len() == back {
            values.push(last);
        }
        Moments { values, back }
    }

    fn after(&self, moment: usize) -> usize {
        match moment + 1 < self.values.len() {
            true => moment + 1,
            false => self.back,
        }
    }

    /// Whether a formula holds at each moment.
    fn truth(&self, formula: &Formula<usize>) -> Result<Vec<bool>, Rejection> {
        let all = |value: bool| vec![value; self.values.len()];
        let map = |left: &[bool], right: &[bool], f: &dyn Fn(bool, bool) -> bool| {
            let pairs = left.iter().zip(right);
            pairs.map(|(&left, &right)| f(left, right)).collect()
        };
        // What holds now, or now and later: from the last moment back, twice round the cycle.
        let later = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut value = all(start);
            for _ in 0..2 {
                for moment in (0..value.len()).rev() {
                    value[moment] = step(moment, value[self.after(moment)]);
                }
            }
            value
        };
        let unknown = || Rejection::unreadable("a formula with operators beyond linear time");
        Ok(match &formula.kind {
            Kind::Constant(value) => all(*value),
            Kind::Atom(fluent) => {
                let value = |values: &Vec<bool>| values.get(*fluent).copied();
                let values: Option<Vec<bool>> = self.values.iter().map(value).collect();
                values.ok_or_else(unknown)?
            }
            Kind::Unary(operator, inner) => {
                let inner = self.truth(inner)?;
                match operator {
                    Unary::Not => inner.iter().map(|value| !value).collect(),
                    Unary::Next => {
                        let next = (0..inner.len()).map(|moment| inner[self.after(moment)]);
                        next.collect()
                    }
                    Unary::Globally(None) => later(true, &|at, next| inner[at] && next),
                    Unary::Finally(None) => later(false, &|at, next| inner[at] || next),
                    _ => return Err(unknown()),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                match operator {
                    Binary::And => map(&left, &right, &|left, right| left && right),
                    Binary::Or => map(&left, &right, &|left, right| left || right),
                    Binary::Xor => map(&left, &right, &|left, right| left != right),
                    Binary::Implies => map(&left, &right, &|left, right| !left || right),
                    Binary::Iff => map(&left, &right, &|left, right| left == right),
                    Binary::Until(None) => later(false, &|at, next| right[at] || left[at] && next),
                    Binary::WeakUntil => later(true, &|at, next| right[at] || left[at] && next),
                    Binary::Release => later(true, &|at, next| right[at] && (left[at] || next)),
                    _ => return Err(unknown()),
                }
            }
            Kind::Placeholder(_) => return Err(unknown()),
        })
    }
}
