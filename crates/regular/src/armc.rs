//! Abstract regular model checking (Bouajjani, Habermehl and Vojnar 2004).

use std::sync::Arc;

use quotient_core::{Attempt, Context, Method, Stop, What};
use rustc_hash::FxHashMap;

use crate::abstraction::Merging;
use crate::images::Images;
use crate::run::Run;
use crate::{Abstraction, Direction, Proof, Set, System};

/// The loop that abstracts after every step, as a [`Method`]: one call of `attempt` is one run
/// with the present abstraction, and all its automata can be looked at in
/// [`Armc::round`] afterwards.
///
/// Forward, it begins with the initial configurations and takes images; backward, with the bad
/// ones and takes pre-images.
pub struct Armc<'s> {
    system: &'s System,
    property: usize,
    direction: Direction,
    merging: Merging,
    images: Images<'s>,
    limits: ArmcLimits,
    round: Round,
    refinements: u64,
    /// How many attempts there were.
    attempts: usize,
    /// The automata of earlier attempts, with their numbers, and how many to keep.
    earlier: Vec<(usize, Round)>,
    keep: usize,
}

/// What ends a run of [`Armc`] besides its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArmcLimits {
    /// The most steps in an attempt.
    pub steps: Option<u64>,
    /// The most states of an automaton.
    pub states: Option<u64>,
}

/// The automata of one attempt, in the letters of the literature.
#[derive(Debug, Clone, Default)]
pub struct Round {
    /// M_0, M_1, …: M_0 is where the run begins, M_i+1 the image of the abstraction of M_i.
    pub sets: Vec<Set>,
    /// The abstractions of M_0, M_1, …
    pub abstractions: Vec<Set>,
    /// X_l, X_l-1, …, X_k: what of each abstraction leads to the target. Empty if the target
    /// was not met.
    pub alarms: Vec<Set>,
}

impl Round {
    /// The number of steps, as they are counted in the literature: the index of the last set.
    pub fn steps(&self) -> usize {
        self.sets.len().saturating_sub(1)
    }

    /// How many automata there are.
    pub fn automata(&self) -> usize {
        self.sets.len() + self.abstractions.len() + self.alarms.len()
    }
}

/// A set that was abstracted too much, and what of its abstraction should not be there.
pub struct FalseAlarm {
    /// The index k of the set.
    pub at: usize,
    /// M_k.
    pub set: Set,
    /// X_k.
    pub alarm: Set,
}

impl<'s> Armc<'s> {
    /// A method for one property of a system.
    pub fn new(
        system: &'s System,
        property: usize,
        direction: Direction,
        abstraction: &Abstraction,
        limits: ArmcLimits,
        cx: &Context,
    ) -> Result<Armc<'s>, Stop> {
        Ok(Armc {
            system,
            property,
            direction,
            merging: Merging::new(system, property, abstraction, &cx.budget)?,
            images: Images::new(system, direction),
            limits,
            round: Round::default(),
            refinements: 0,
            attempts: 0,
            earlier: Vec::new(),
            keep: 0,
        })
    }

    /// The automata of the last attempt.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Keeps the automata of earlier attempts, not many more than so many: of a long run the
    /// attempts in the middle are forgotten.
    pub fn keep_rounds(&mut self, most_automata: usize) {
        self.keep = most_automata;
    }

    /// The automata of all attempts that were kept, with the numbers of the attempts.
    pub fn into_rounds(mut self) -> Vec<(usize, Round)> {
        self.put_away();
        self.earlier
    }

    /// Puts the automata of the last attempt to those of earlier ones.
    fn put_away(&mut self) {
        let last = std::mem::take(&mut self.round);
        if self.attempts == 0 || self.keep == 0 {
            return;
        }
        self.earlier.push((self.attempts - 1, last));
        let count = |earlier: &[(usize, Round)]| -> usize {
            earlier.iter().map(|(_, round)| round.automata()).sum()
        };
        while self.earlier.len() > 2 && count(&self.earlier) > self.keep {
            self.earlier.remove(self.earlier.len() / 2);
        }
    }

    fn start(&self) -> &Set {
        match self.direction {
            Direction::Forward => self.system.initial(),
            Direction::Backward => self.system.bad(self.property),
        }
    }

    fn target(&self) -> &Set {
        match self.direction {
            Direction::Forward => self.system.bad(self.property),
            Direction::Backward => self.system.initial(),
        }
    }

    /// Steps and abstracts until a set comes back or meets the target.
    fn explore(&mut self, cx: &Context) -> Result<Explored, Stop> {
        let mut seen: FxHashMap<Set, usize> = FxHashMap::default();
        let mut set = self.start().clone();
        for step in 0u64.. {
            self.check_limits(step, &set)?;
            self.round.sets.push(set.clone());
            if set.intersects(self.target(), &cx.budget)? {
                return Ok(Explored::Meets);
            }
            let abstracted = self.merging.apply(&set, &cx.budget)?;
            self.round.abstractions.push(abstracted.clone());
            cx.story.tell(|| What::Step {
                attempt: cx.attempt,
                step,
                sizes: [
                    ("states", set.len() as u64),
                    ("states abstracted", abstracted.len() as u64),
                ]
                .into(),
            });
            if seen.insert(abstracted.clone(), step as usize).is_some() {
                break;
            }
            set = self.images.post(&abstracted, &cx.budget)?;
        }
        Ok(Explored::Closed)
    }

    fn check_limits(&self, step: u64, set: &Set) -> Result<(), Stop> {
        if let Some(most) = self.limits.steps.filter(|&most| step > most) {
            return Err(Stop::bound("the number of steps", most));
        }
        match self.limits.states.filter(|&most| set.len() as u64 > most) {
            Some(most) => Err(Stop::bound("the number of states", most)),
            None => Ok(()),
        }
    }

    /// A set that is closed under the steps of the direction, contains the start and does not
    /// meet the target.
    fn fixpoint(&self, cx: &Context) -> Result<Set, Stop> {
        match self.round.abstractions.last() {
            Some(last) if self.system.step_has_identity() => Ok(last.clone()),
            // Sets may come back in turns: only together they are closed.
            _ => {
                let mut union = (**self.start()).clone();
                for set in &self.round.sets {
                    union = union.union(set, &cx.budget)?.minimize(&cx.budget)?;
                }
                Ok(Arc::new(union))
            }
        }
    }

    fn proof(&self, cx: &Context) -> Result<Proof, Stop> {
        let fixpoint = self.fixpoint(cx)?;
        let invariant = match self.direction {
            Direction::Forward => fixpoint,
            Direction::Backward => Arc::new(fixpoint.complement().minimize(&cx.budget)?),
        };
        Ok(Proof {
            invariant,
            steps: self.round.steps(),
        })
    }

    /// Goes back from where the target was met: to the start, or to a set whose abstraction
    /// alone leads there.
    fn go_back(&mut self, cx: &Context) -> Result<Option<FalseAlarm>, Stop> {
        let last = self.round.steps();
        let met = self.round.sets[last].intersection(self.target(), &cx.budget)?;
        let mut alarm: Set = Arc::new(met.minimize(&cx.budget)?);
        self.round.alarms.push(alarm.clone());
        for at in (0..last).rev() {
            let before = self.images.pre(&alarm, &cx.budget)?;
            let within = before.intersection(&self.round.abstractions[at], &cx.budget)?;
            alarm = Arc::new(within.minimize(&cx.budget)?);
            self.round.alarms.push(alarm.clone());
            if !alarm.intersects(&self.round.sets[at], &cx.budget)? {
                let set = self.round.sets[at].clone();
                return Ok(Some(FalseAlarm { at, set, alarm }));
            }
        }
        Ok(None)
    }
}

enum Explored {
    /// The last set meets the target.
    Meets,
    /// An abstraction came back.
    Closed,
}

impl Method for Armc<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = FalseAlarm;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, FalseAlarm>, Stop> {
        self.put_away();
        self.attempts += 1;
        self.images.next_attempt();
        self.merging.next_attempt();
        if let Explored::Closed = self.explore(cx)? {
            return Ok(Attempt::Proved(self.proof(cx)?));
        }
        match self.go_back(cx)? {
            Some(false_alarm) => {
                cx.story.tell(|| What::FalseAlarm {
                    attempt: cx.attempt,
                    sizes: [
                        ("steps", self.round.steps() as u64),
                        ("steps back", (self.round.steps() - false_alarm.at) as u64),
                        ("states of the alarm", false_alarm.alarm.len() as u64),
                    ]
                    .into(),
                });
                Ok(Attempt::FalseAlarm(false_alarm))
            }
            None => {
                let family = self.round.alarms.iter().rev();
                let run = Run::choose(self.system, self.direction, family, self.start(), cx)?;
                Ok(Attempt::Refuted(run))
            }
        }
    }

    fn refine(&mut self, false_alarm: FalseAlarm, cx: &mut Context) -> Result<(), Stop> {
        let FalseAlarm { set, alarm, .. } = &false_alarm;
        let detail = self.merging.refine(set, alarm, &cx.budget)?;
        self.refinements += 1;
        cx.story.tell(|| What::Refined {
            refinement: self.refinements,
            detail,
            sizes: [self.merging.fineness()].into(),
        });
        Ok(())
    }
}
