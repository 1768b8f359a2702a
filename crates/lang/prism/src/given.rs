//! Conditional chances of decision processes, as the chance of reaching something in another one.
//!
//! A run that does not fulfil the condition counts for nothing; it may as well begin again. So there
//! is one more choice wherever the condition can be avoided for ever: back to the beginning (Baier,
//! Klein, Klüppelholz, Märcker 2014). The greatest chance of winning there is the greatest
//! conditional chance:
//!
//! * Who always chooses alike wins in one round with chance `w`, loses after the condition with `f`, and
//!   begins again with `r`; that wins with `w / (1 - r)` in all. In the model the choice to begin
//!   again is to avoid the condition from there on, and the conditional chance `w / (w + f)` is
//!   not less.
//! * Runs that never fulfil the condition come to where it can be avoided for ever. Who begins again
//!   there after so many steps wins with nearly the conditional chance, the nearer the more steps
//!   these are.
//!
//! The least conditional chance is what the greatest of the opposite leaves: of never reaching the
//! goal. That is won as soon as the goal can be avoided for ever, with the condition fulfilled.

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, StateId};

use crate::product::{Laying, Product};
use crate::stepped::Window;
use crate::together::{self, Watched};

/// A path that reaches something: the right states through the left ones, perhaps after numbers of
/// steps that fit.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) left: Bits,
    pub(crate) right: Bits,
    pub(crate) window: Option<Window>,
}

impl Seen {
    /// Whether it only says what is reached.
    fn is_plain(&self, states: usize) -> bool {
        self.window.is_none() && self.left.ones().count() == states
    }
}

/// The model beside what has happened on the paths, up to so many states: there it only counts what is
/// reached. Nothing if that is so in the model itself.
pub(crate) fn beside(
    model: &Markov,
    paths: [&Seen; 2],
    most: usize,
    budget: &Budget,
) -> Result<Option<Watched>, Rejection> {
    if paths.iter().all(|path| path.is_plain(model.states())) {
        return Ok(None);
    }
    let lasts = paths
        .iter()
        .map(|path| path.window.as_ref().map(Window::last));
    let stepped = together::beside_steps(model, lasts, most, budget)?;
    let sets = paths.map(|path| {
        let parts = (&path.left, &path.right, path.window.as_ref());
        together::placed(parts, stepped.as_ref())
    });
    let sets: Vec<_> = sets.iter().map(|(left, right)| (left, right)).collect();
    let model = stepped.as_ref().map_or(model, |stepped| &stepped.model);
    together::watched(model, &sets, most, budget).map(Some)
}

/// What was seen so far: neither, the goal alone, or the condition alone.
const NEITHER: usize = 0;
const GOAL: usize = 1;
const CONDITION: usize = 2;

/// What decides the question, by states of the model.
struct Watch<'a> {
    states: usize,
    goal: &'a Bits,
    condition: &'a Bits,
    /// Where the goal can be avoided for ever, if that is what is wanted.
    safe: Option<Bits>,
}

impl Watch<'_> {
    fn lost(&self) -> u32 {
        3 * self.states as u32
    }

    fn won(&self) -> u32 {
        self.lost() + 1
    }

    /// Where one is after coming to a state.
    fn place(&self, seen: usize, state: usize) -> u32 {
        let goal = seen == GOAL || self.goal.contains(state);
        let condition = seen == CONDITION || self.condition.contains(state);
        let here = |seen: usize| (seen * self.states + state) as u32;
        match (goal, condition, &self.safe) {
            (false, false, _) => here(NEITHER),
            (true, false, _) => here(GOAL),
            (true, true, None) => self.won(),
            (true, true, Some(_)) => self.lost(),
            (false, true, Some(safe)) if safe.contains(state) => self.won(),
            (false, true, _) => here(CONDITION),
        }
    }
}

/// Whether some choices may never reach a goal, from an initial state.
pub(crate) fn may_miss(model: &Markov, goal: &Bits, budget: &Budget) -> Result<bool, Rejection> {
    let away = avoiding(model, goal, budget)?;
    let mut seen = Bits::with_capacity(model.states());
    let mut waiting: Vec<usize> = model.initial.iter().map(|&state| state.index()).collect();
    while let Some(state) = waiting.pop() {
        if goal.contains(state) || seen.put(state) {
            continue;
        }
        budget.charge(1)?;
        if away.contains(state) {
            return Ok(true);
        }
        waiting.extend(
            model
                .successors(StateId::from_index(state))
                .map(StateId::index),
        );
    }
    Ok(false)
}

/// The greatest set of states outside of another in which choices can stay for ever.
fn avoiding(model: &Markov, set: &Bits, budget: &Budget) -> Result<Bits, Rejection> {
    let states = model.states();
    let mut left: Bits = (0..states).filter(|&one| !set.contains(one)).collect();
    left.grow(states);
    loop {
        budget.charge(states as u64 + 1)?;
        let stays = |state: &usize| {
            let mut choices = model.choices_of(StateId::from_index(*state));
            choices.any(|choice| {
                let targets = &model.targets[model.branches_of(choice)];
                targets.iter().all(|&to| left.contains(to.index()))
            })
        };
        let mut next: Bits = left.ones().filter(stays).collect();
        next.grow(states);
        if next == left {
            return Ok(left);
        }
        left = next;
    }
}

/// The decision process in which winning is reaching the goal under the condition, or for the least
/// chance missing it; from the only initial state, and up to so many states.
pub(crate) fn product(
    model: &Markov,
    (goal, condition): (&Bits, &Bits),
    least: bool,
    most: usize,
    budget: &Budget,
) -> Result<Product, Rejection> {
    let &[start] = &model.initial[..] else {
        let text = "such a chance is that of one initial state";
        return Err(Rejection::unreadable(text));
    };
    let states = model.states();
    if 3 * states + 2 > most {
        let text = "the model beside what was seen is too large to be looked at again";
        return Err(Rejection::unreadable(text));
    }
    let safe = least.then(|| avoiding(model, goal, budget)).transpose()?;
    let watch = Watch {
        states,
        goal,
        condition,
        safe,
    };
    let again = avoiding(model, condition, budget)?;
    let first = watch.place(NEITHER, start.index());
    let mut laying = Laying::new(model);
    for seen in [NEITHER, GOAL, CONDITION] {
        for state in 0..states {
            budget.charge(1)?;
            for choice in model.choices_of(StateId::from_index(state)) {
                let branches = model.branches_of(choice);
                let to = |branch: usize| watch.place(seen, model.targets[branch].index());
                laying.choice(branches.map(|branch| (to(branch), branch)));
            }
            if seen != CONDITION && again.contains(state) {
                laying.surely(first);
            }
            laying.end_state();
        }
    }
    for end in [watch.lost(), watch.won()] {
        laying.surely(end);
        laying.end_state();
    }
    let mut won = Bits::with_capacity(3 * states + 2);
    won.insert(watch.won() as usize);
    Ok(laying.finish(won, vec![first]))
}
