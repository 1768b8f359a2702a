//! A model beside what several objectives need to know of a run: how many steps it has taken, where the
//! automata of formulas are, and which goals it has reached.

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_logic::Formula;
use quotient_markov::Markov;

use crate::linear::{Joint, Said, joint};
use crate::parts::in_order;
use crate::stepped::{Stepped, Window, stepped};
use crate::together::{Watched, watched};

/// What an objective is about, with rewards told in some way.
#[derive(Debug, Clone)]
pub(crate) enum Of<R> {
    /// Reaching the second states through the first ones, perhaps after numbers of steps that fit.
    Path(Bits, Bits, Option<Window>),
    /// A formula over sets of states.
    Linear(Formula<usize>, Vec<Bits>),
    /// What is earned.
    Reward(Earned<R>),
}

/// What is earned in all, in so many steps, or until a goal is reached.
#[derive(Debug, Clone)]
pub(crate) struct Earned<R> {
    pub(crate) by: R,
    pub(crate) until: Option<u64>,
    pub(crate) goal: Option<Bits>,
}

impl<R: Clone> Of<R> {
    /// How many steps must be told apart.
    fn last(&self) -> Option<u64> {
        match self {
            Of::Path(_, _, window) => window.as_ref().map(Window::last),
            Of::Linear(..) => None,
            Of::Reward(earned) => earned.until,
        }
    }

    /// The same about a model whose states are in another order.
    pub(crate) fn in_order(&self, order: &[u32]) -> Of<R> {
        let placed = |set: &Bits| in_order(set, order);
        match self {
            Of::Path(left, right, window) => Of::Path(placed(left), placed(right), *window),
            Of::Linear(formula, sets) => {
                Of::Linear(formula.clone(), sets.iter().map(placed).collect())
            }
            Of::Reward(earned) => Of::Reward(Earned {
                goal: earned.goal.as_ref().map(placed),
                ..earned.clone()
            }),
        }
    }
}

/// An objective in a model beside what is needed: what has to be reached, and through which states, or
/// a reward.
pub(crate) enum Placed<'o, R> {
    Path(Bits, Bits),
    Reward(&'o Earned<R>),
}

/// What a model is set beside.
pub(crate) struct Beside {
    stepped: Option<Stepped>,
    /// What has happened on paths, and the automata. Who stays for ever to fulfil a formula may do
    /// something on the way that a path is about: so that must be known before.
    joint: Option<(Watched, Joint)>,
    /// The number of each objective among the formulas, the goals, or the paths.
    numbers: Vec<usize>,
}

impl Beside {
    /// Sets a model beside what objectives need, if that has no more states than these.
    pub(crate) fn new<'o, R: Clone + 'o>(
        model: &Markov,
        objectives: impl Iterator<Item = &'o Of<R>> + Clone,
        most: usize,
        budget: &Budget,
    ) -> Result<Beside, Rejection> {
        let last = objectives.clone().filter_map(Of::last).max();
        let stepped = last.map(|last| stepped(model, last, most, budget));
        let stepped = stepped.transpose()?;
        let inner = stepped.as_ref().map_or(model, |stepped| &stepped.model);
        let (mut said, mut goals, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        let mut numbers = Vec::new();
        for one in objectives {
            numbers.push(match one {
                Of::Path(left, right, window) => {
                    paths.push(of_steps(stepped.as_ref(), left, right, window.as_ref()));
                    paths.len() - 1
                }
                Of::Linear(formula, sets) => {
                    said.push((formula, sets));
                    said.len() - 1
                }
                Of::Reward(earned) => {
                    goals.extend(&earned.goal);
                    goals.len().saturating_sub(1)
                }
            });
        }
        let mut joined = None;
        if !said.is_empty() || !goals.is_empty() {
            let sets: Vec<_> = paths.iter().map(|(left, right)| (left, right)).collect();
            let watched = watched(inner, &sets, most, budget)?;
            let placed = |set: &Bits| {
                let set = match &stepped {
                    Some(stepped) => stepped.set(set, None),
                    None => set.clone(),
                };
                in_order(&set, &watched.places)
            };
            let said = said.into_iter().map(|(formula, sets)| Said {
                formula,
                conditions: sets.iter().map(placed).collect(),
            });
            let said: Vec<Said<'_>> = said.collect();
            let goals: Vec<Bits> = goals.into_iter().map(placed).collect();
            let joint = joint(&watched.model, &said, &goals, most, budget)?;
            joined = Some((watched, joint));
        }
        Ok(Beside {
            joint: joined,
            stepped,
            numbers,
        })
    }

    /// Whether it is the model alone.
    pub(crate) fn is_nothing(&self) -> bool {
        self.stepped.is_none() && self.joint.is_none()
    }

    pub(crate) fn model<'m>(&'m self, model: &'m Markov) -> &'m Markov {
        match (&self.joint, &self.stepped) {
            (Some((_, joint)), _) => &joint.model,
            (None, Some(stepped)) => &stepped.model,
            (None, None) => model,
        }
    }

    /// An objective in the model beside all that.
    pub(crate) fn placed<'o, R>(&self, number: usize, of: &'o Of<R>) -> Placed<'o, R> {
        let number = self.numbers[number];
        let through = |goal: Bits| {
            let mut all = goal.clone();
            all.insert_range(..);
            Placed::Path(all, goal)
        };
        match (of, &self.joint) {
            (Of::Reward(earned), _) => Placed::Reward(earned),
            (Of::Path(..), Some((watched, joint))) => through(joint.set(&watched.taken[number])),
            (Of::Linear(..), Some((_, joint))) => through(joint.fulfilled(number).clone()),
            (Of::Path(left, right, window), None) => {
                let stepped = self.stepped.as_ref();
                let (left, right) = of_steps(stepped, left, right, window.as_ref());
                Placed::Path(left, right)
            }
            // Formulas are never without their automata.
            (Of::Linear(..), None) => through(Bits::new()),
        }
    }

    /// The paths of all objectives that are some.
    pub(crate) fn paths<'o, R: 'o>(
        &self,
        objectives: impl Iterator<Item = &'o Of<R>>,
    ) -> Vec<(Bits, Bits)> {
        let placed = objectives.enumerate();
        let placed = placed.map(|(number, of)| self.placed(number, of));
        let paths = placed.filter_map(|one| match one {
            Placed::Path(left, right) => Some((left, right)),
            Placed::Reward(_) => None,
        });
        paths.collect()
    }

    /// Whether who stays for ever to fulfil formulas earns nothing there, by what each choice earns.
    pub(crate) fn stays_for_nothing<N: PartialEq>(&self, earned: &[N], nothing: &N) -> bool {
        let joint = self.joint.as_ref();
        joint.is_none_or(|(_, joint)| joint.stays_for_nothing(earned, nothing))
    }

    /// What each choice earns for an objective that is a reward, by what those of the model do.
    pub(crate) fn earned<R, N: Clone>(
        &self,
        number: usize,
        earned: &Earned<R>,
        of_model: &[N],
        nothing: &N,
    ) -> Vec<N> {
        let of_steps = match &self.stepped {
            Some(stepped) => stepped.earned(of_model, earned.until, nothing),
            None => of_model.to_vec(),
        };
        let goal = earned.goal.as_ref().map(|_| self.numbers[number]);
        match &self.joint {
            Some((watched, joint)) => {
                let watched = watched.origin.iter();
                let watched = watched.map(|&one| of_steps[one as usize].clone());
                joint.earned(&watched.collect::<Vec<N>>(), goal, nothing)
            }
            None => of_steps,
        }
    }
}

/// A path in a model beside its steps, or in one without.
fn of_steps(
    stepped: Option<&Stepped>,
    left: &Bits,
    right: &Bits,
    window: Option<&Window>,
) -> (Bits, Bits) {
    match stepped {
        Some(stepped) => (stepped.set(left, None), stepped.set(right, window)),
        None => (left.clone(), right.clone()),
    }
}
