//! The protocol beside an automaton that follows what happens: the product of both, as a protocol.

use quotient_core::Span;
use quotient_logic::Transition;

use super::possible::can_be_taken;
use super::watched::{AGAIN, NOTHING, added, any_of, not};
use crate::compile::Followable;
use crate::model::{
    Action, Bound, Comparison, Domain, Expr, Fairness, Happens, Initial, Nature, Protocol, Step,
    Variable,
};

/// The automaton of the runs of which a formula is not true. A global says in which state it is;
/// it takes a transition with each step, at the configuration that the step leads from.
pub(super) struct Followed<'a> {
    protocol: &'a Protocol,
    aid: Option<&'a Followable>,
    happens: &'a Happens,
    /// The part of each state in which it can stay for ever, if it is in one.
    recurrent: Vec<Option<usize>>,
    /// Whether each state is there a second time, for runs that have come to an end: where faults are
    /// possible and `next` is spoken of, a run that stays as it is does not go on later.
    ends: bool,
}

impl<'a> Followed<'a> {
    pub(super) fn new(
        protocol: &'a Protocol,
        happens: &'a Happens,
        aid: Option<&'a Followable>,
    ) -> Followed<'a> {
        Followed {
            protocol,
            aid,
            happens,
            recurrent: happens.violating.recurrent(),
            ends: happens.speaks_of_the_next_step() && !protocol.not_owed().is_empty(),
        }
    }

    pub(super) fn people(&self) -> usize {
        self.happens.people
    }

    /// How many bits say in the loop what was kept: one at least, that the automaton took a
    /// transition.
    pub(super) fn promises(&self) -> usize {
        self.happens.violating.promises.max(1)
    }

    /// The global that says where the automaton is.
    pub(super) fn phase_variable(&self) -> Variable {
        let states = self.happens.violating.states;
        let last = self.ended(states).saturating_sub(1);
        Variable {
            domain: Domain::Range(0, last as i32),
            ..added("phase", Initial::Values(vec![0]), None)
        }
    }

    /// Where the automaton is in a state in which it can stay for ever.
    pub(super) fn may_stay(&self) -> Expr {
        let states = (0..self.recurrent.len()).filter(|&state| self.recurrent[state].is_some());
        Expr::Or(states.map(|state| self.is_in_or_ended(state)).collect())
    }

    /// The number of a state once the run has come to an end.
    fn ended(&self, state: usize) -> usize {
        match self.ends {
            true => state + self.happens.violating.states,
            false => state,
        }
    }

    fn is_in_or_ended(&self, state: usize) -> Expr {
        match self.ends {
            true => Expr::Or(vec![self.is_in(state), self.is_in(self.ended(state))]),
            false => self.is_in(state),
        }
    }

    /// A step with each transition of the automaton; in the loop with the bits, from a global on,
    /// of what is kept.
    pub(super) fn along(&self, step: &Step, promises: Option<usize>) -> Vec<Step> {
        let transitions = self.happens.violating.transitions.iter();
        let each = transitions.map(|transition| {
            let mut step = step.clone();
            if promises.is_some() && !self.stays(transition) {
                step.name = AGAIN.to_owned();
            }
            let guard = self.allows(transition, step.people.len());
            let here = self.is_in(transition.from);
            step.guard = Expr::And(vec![step.guard, here, guard]);
            let moves = self.moves(transition, transition.to, promises);
            for actions in &mut step.alternatives {
                actions.extend(moves.iter().cloned());
            }
            step
        });
        each.collect()
    }

    /// Where no step can be taken but faults, the run may stay as it is, and the automaton goes on.
    pub(super) fn where_nothing_happens(&self, promises: Option<usize>) -> Vec<Step> {
        let steps = (self.aid).map_or(&self.protocol.steps, |aid| &aid.goes_on);
        let owed = steps.iter().filter(|step| step.is_owed());
        let can = owed.map(|step| match step.people.is_empty() {
            true => can_be_taken(self.protocol, step),
            false => somebody(can_be_taken(self.protocol, step)),
        });
        let looks = self.aid.map(|aid| somebody(aid.can_look.clone()));
        let can = can.chain(looks);
        let nothing = not(Expr::Or(can.collect()));
        let transitions = self.happens.violating.transitions.iter();
        let each = transitions.map(|transition| Step {
            name: match promises.is_some() && !self.stays(transition) {
                true => AGAIN.to_owned(),
                false => NOTHING.to_owned(),
            },
            span: Span::default(),
            people: Vec::new(),
            choices: Vec::new(),
            guard: Expr::And(vec![
                nothing.clone(),
                self.is_in_or_ended(transition.from),
                self.allows(transition, 0),
            ]),
            readings: Vec::new(),
            alternatives: vec![self.moves(transition, self.ended(transition.to), promises)],
            import: None,
            fairness: Fairness::default(),
            nature: Nature::default(),
        });
        each.collect()
    }

    /// Whether a transition leads from a part in which the automaton can stay for ever into the
    /// same. In the loop no others are taken: they only make sure that all letters are there.
    fn stays(&self, transition: &Transition) -> bool {
        let part = self.recurrent[transition.from];
        part.is_some() && part == self.recurrent[transition.to]
    }

    /// Whether what a transition asks for is so, in a step with this many people.
    fn allows(&self, transition: &Transition, people: usize) -> Expr {
        let literal = |&(atom, value): &(usize, bool)| {
            let atom = self.happens.violating.atoms[atom].shifted(0, people);
            if value { atom } else { not(atom) }
        };
        let mut all = Expr::And(transition.literals.iter().map(literal).collect());
        for number in (0..self.people()).rev() {
            let marked = Expr::Field(people + number, self.protocol.fields.len() + number);
            all = somebody(Expr::And(vec![marked, all]));
        }
        all
    }

    fn moves(&self, transition: &Transition, to: usize, promises: Option<usize>) -> Vec<Action> {
        let set = |at: usize, value: usize| Action::SetGlobal(at, any_of(vec![value as i32]));
        let mut all = vec![set(self.protocol.globals.len(), to)];
        if let Some(promises) = promises {
            let kept = |promise: &usize| transition.kept.get(*promise).is_none_or(|kept| *kept);
            let kept = (0..self.promises()).filter(kept);
            all.extend(kept.map(|promise| set(promises + promise, 1)));
        }
        all
    }

    fn is_in(&self, state: usize) -> Expr {
        let phase = Box::new(Expr::Global(self.protocol.globals.len()));
        let state = Box::new(Expr::Constant(state as i32));
        Expr::Compare(Comparison::Equal, phase, state)
    }
}

pub(super) fn somebody(body: Expr) -> Expr {
    Expr::Quantified {
        exists: true,
        bound: Bound::default(),
        body: Box::new(body),
    }
}
