//! Completion as a search: the automaton grows by itself, states are merged between rounds, and a
//! false alarm is followed back exactly.

use quotient_core::{Attempt, Budget, Context, Method, Stop};
use quotient_trees::{
    Completion, RewriteRule, TreeAutomaton, determinise, inclusion, intersection, reduce, union,
};

use crate::method::{refine, tell};
use crate::run::through;
use crate::{Abstraction, Direction, Invariant, Run, Step, System};

/// The most steps back from a bad tree that are looked at.
const STEPS_BACK: usize = 40;

/// Work for the way back.
const WORK_BACK: u64 = 3_000_000;

/// Completion of the initial set by the rewriting rules of a system (Genet 1998), with merging by
/// equations or by predicates, refined by counterexamples.
///
/// One round adds what takes an image several: every right side is put beside its left side,
/// wherever that is. The set is never made smaller, so that rounds build on each other.
#[derive(Debug)]
pub struct Completing<'a> {
    system: &'a System,
    bad: &'a TreeAutomaton,
    rules: Vec<RewriteRule>,
    abstraction: Abstraction,
}

impl<'a> Completing<'a> {
    /// A search; none if some step is no rewriting.
    pub fn new(
        system: &'a System,
        bad: &'a TreeAutomaton,
        abstraction: Abstraction,
    ) -> Option<Completing<'a>> {
        let mut rules = Vec::new();
        for (_, step) in &system.steps {
            match step {
                Step::Rewriting(one) => rules.extend(one.rules.iter().cloned()),
                Step::Transducer(_) => return None,
            }
        }
        Some(Completing {
            system,
            bad,
            rules,
            abstraction,
        })
    }

    /// Follows bad trees back, as far as that is cheap: to a run, or to what merging must tell
    /// apart from the rest.
    fn follow(
        &self,
        meeting: &TreeAutomaton,
        budget: &Budget,
    ) -> Result<Attempt<Invariant, Run, TreeAutomaton>, Stop> {
        let share = budget.child_with_work(WORK_BACK);
        let mut ways = vec![reduce(meeting, budget)?];
        let mut more = || -> Result<bool, Stop> {
            let here = &ways[ways.len() - 1];
            let before = self.system.preimage(here, &share)?;
            if inclusion(&before, here, &share)?.holds() {
                return Ok(false);
            }
            let before = reduce(&union(here, &before), &share)?;
            ways.push(before);
            Ok(true)
        };
        for _ in 0..STEPS_BACK {
            match more() {
                Ok(true) => {}
                Ok(false) | Err(Stop::Work) => break,
                Err(stop) => return Err(stop),
            }
        }
        budget.poll()?;
        for length in 0..ways.len() {
            let begin = intersection(&ways[length], &self.system.initial, budget)?;
            if !begin.is_empty() {
                ways.truncate(length);
                ways.push(begin);
                ways.reverse();
                return through(self.system, Direction::Forward, &ways, budget)
                    .map(Attempt::Refuted);
            }
        }
        let all = ways.pop();
        let all = all.ok_or_else(|| Stop::inconclusive("there is no way back"))?;
        Ok(Attempt::FalseAlarm(all))
    }
}

impl Method for Completing<'_> {
    type Proof = Invariant;
    type Trace = Run;
    type Spurious = TreeAutomaton;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Invariant, Run, TreeAutomaton>, Stop> {
        let budget = cx.budget.clone();
        let mut completion = match &self.abstraction {
            // A tree in two states would make them the same at once.
            Abstraction::Equations(..) => {
                Completion::apart(&determinise(&self.system.initial, &budget)?)
            }
            _ => Completion::new(&self.system.initial),
        };
        for step in 0.. {
            let set = completion.automaton();
            tell(cx, step, set);
            let meeting = intersection(set, self.bad, &budget)?;
            if !meeting.is_empty() {
                return self.follow(&meeting, &budget);
            }
            if !completion.round(&self.rules, &budget)? {
                return Ok(Attempt::Proved(Invariant {
                    direction: Direction::Forward,
                    set: reduce(completion.automaton(), &budget)?,
                }));
            }
            let (set, before) = (completion.automaton(), completion.before());
            if let Some((class, count)) = self.abstraction.classes(set, &before, &budget)? {
                completion.merge(&class, count, &budget)?;
            }
        }
        Err(Stop::exhausted("more rounds than can be counted"))
    }

    fn refine(&mut self, false_alarm: TreeAutomaton, cx: &mut Context) -> Result<(), Stop> {
        refine(&mut self.abstraction, false_alarm, cx)
    }
}
