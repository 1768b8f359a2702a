//! Why a net never gets stuck: siphons and traps, without markings.
//!
//! Where a net is stuck, every transition has a *cause*: a place with too few tokens. The places that
//! are empty then are a siphon. The approximation is: any causes may come together. Causes for all
//! transitions that do are a false alarm, and refine it: if the places that must be empty contain a
//! trap with a token at the start, they are never all empty; or weights of places show that they
//! never have so few tokens. If each siphon has such a trap, no causes are left (Commoner's
//! condition), and what was learnt on the way is the proof: of causes that exclude each other,
//! each cause of one more transition is excluded by something learnt before.

use std::collections::BTreeMap;

use quotient_core::{Attempt, Budget, Conclusion, Context, Method, Stop, What};
use quotient_language::Answer;
use quotient_language::text::count;

use crate::certify_causes::is_stuck;
use crate::check::{Checker, Task};
use crate::evidence::{self, CAUSES, Causes};
use crate::formula::Linear;
use crate::net::Net;
use crate::traps;
use crate::weigh::{self, Weighed};

/// The most transitions that causes are looked for.
const MOST_TRANSITIONS: usize = 3_000;
/// The most sets of causes that are learnt to exclude each other.
const MOST_LEARNT: usize = 20_000;
/// How much work it may be.
const WORK: u64 = 4_000_000;

/// Places that have at most so many tokens.
type Limits = BTreeMap<usize, u64>;

/// Limits that no marking in question fulfils all together, and how that is known.
struct Learnt {
    limits: Limits,
    how: How,
}

enum How {
    /// The places are a trap that has a token at the start.
    Trap,
    /// By weights of places.
    Weights(evidence::Weights),
    /// Each cause of a transition is excluded by one of those before.
    Each(usize, Vec<usize>),
}

/// The sets of causes that are left.
struct Left<'a> {
    net: &'a Net,
    start: &'a [u64],
    /// The causes of each transition: a place, and the most tokens there. Transitions for which there
    /// may be others are left out.
    causes: Vec<(usize, Limits)>,
    learnt: Vec<Learnt>,
    /// What was learnt, by place.
    about: Vec<Vec<usize>>,
}

/// What became of some limits.
enum Tried {
    /// They can come together with causes for all transitions.
    Open(Limits),
    /// What was learnt about them.
    Excluded(usize),
}

impl<'a> Left<'a> {
    fn new(net: &'a Net, start: &'a [u64]) -> Left<'a> {
        let mut causes = Vec::new();
        for (number, one) in net.transitions.iter().enumerate() {
            let mut limits = Limits::new();
            for guard in one.guard.iter().filter(|guard| guard.least > 0) {
                let most = limits.entry(guard.place).or_insert(0);
                *most = (*most).max(guard.least - 1);
            }
            if one.guard.iter().all(|guard| guard.most.is_none()) {
                causes.push((number, limits));
            }
        }
        Left {
            net,
            start,
            causes,
            learnt: Vec::new(),
            about: vec![Vec::new(); start.len()],
        }
    }

    fn learn(&mut self, limits: Limits, how: How) -> Result<usize, Stop> {
        let number = self.learnt.len();
        if number >= MOST_LEARNT {
            return Err(Stop::bound(
                "the number of sets of causes",
                MOST_LEARNT as u64,
            ));
        }
        for &place in limits.keys() {
            self.about[place].push(number);
        }
        self.learnt.push(Learnt { limits, how });
        Ok(number)
    }

    /// What is known to exclude limits that just got a new one, at a place.
    fn excluded(&self, all: &Limits, place: usize, budget: &Budget) -> Result<Option<usize>, Stop> {
        let about = &self.about[place];
        budget.charge(1 + about.len() as u64)?;
        let found = about.iter().copied().find(|&one| {
            let mut limits = self.learnt[one].limits.iter();
            limits.all(|(place, most)| all.get(place).is_some_and(|least| least <= most))
        });
        Ok(found)
    }

    /// Whether something has a cause among limits.
    fn is_caused(&self, number: usize, all: &Limits) -> bool {
        let mut causes = self.causes[number].1.iter();
        causes.any(|(place, most)| all.get(place).is_some_and(|least| least <= most))
    }

    /// The transition without a cause whose causes leave least choice; how many do, and what excludes
    /// the others.
    fn next(&self, all: &mut Limits, budget: &Budget) -> Result<Option<usize>, Stop> {
        let mut best: Option<(usize, usize)> = None;
        for number in 0..self.causes.len() {
            if self.is_caused(number, all) {
                continue;
            }
            let mut choices = 0;
            for (&place, &most) in &self.causes[number].1 {
                let before = all.insert(place, most);
                choices += usize::from(self.excluded(all, place, budget)?.is_none());
                restore(all, place, before);
            }
            if best.is_none_or(|(least, _)| choices < least) {
                best = Some((choices, number));
            }
            if choices <= 1 {
                break;
            }
        }
        Ok(best.map(|(_, number)| number))
    }

    /// Whether causes for all transitions can be added to limits that nothing is known to exclude.
    fn tried(&mut self, all: &mut Limits, budget: &Budget) -> Result<Tried, Stop> {
        let Some(number) = self.next(all, budget)? else {
            return Ok(Tried::Open(all.clone()));
        };
        let (transition, causes) = self.causes[number].clone();
        let mut because = Vec::new();
        let mut limits = Limits::new();
        for (&place, &most) in &causes {
            let before = all.insert(place, most);
            let tried = match self.excluded(all, place, budget)? {
                Some(one) => Tried::Excluded(one),
                None => self.tried(all, budget)?,
            };
            restore(all, place, before);
            let one = match tried {
                Tried::Open(_) => return Ok(tried),
                Tried::Excluded(one) => one,
            };
            // What needs this cause is one of several; what does not excludes the rest alone.
            let mut needed = false;
            let mut rest = Vec::new();
            for (&at, &least) in &self.learnt[one].limits {
                match all.get(&at).is_some_and(|known| *known <= least) {
                    true => rest.push((at, least)),
                    false => needed = true,
                }
            }
            if !needed {
                return Ok(Tried::Excluded(one));
            }
            because.push(one);
            for (at, least) in rest {
                let most = limits.entry(at).or_insert(least);
                *most = (*most).min(least);
            }
        }
        let learnt = self.learn(limits, How::Each(transition, because))?;
        Ok(Tried::Excluded(learnt))
    }

    /// A trap among places that must be empty, as small as taking places away makes it.
    fn trap(&self, limits: &Limits, budget: &Budget) -> Result<Option<Limits>, Stop> {
        let mut empty = vec![false; self.start.len()];
        for (&place, _) in limits.iter().filter(|(_, most)| **most == 0) {
            empty[place] = true;
        }
        let Some(mut trap) = traps::emptied(self.net, self.start, &empty) else {
            return Ok(None);
        };
        for place in trap.clone() {
            budget.charge(1 + self.net.transitions.len() as u64)?;
            if !trap.contains(&place) {
                continue;
            }
            let mut fewer = vec![false; self.start.len()];
            trap.iter().for_each(|&one| fewer[one] = one != place);
            if let Some(smaller) = traps::emptied(self.net, self.start, &fewer) {
                trap = smaller;
            }
        }
        Ok(Some(trap.into_iter().map(|place| (place, 0)).collect()))
    }
}

fn restore(all: &mut Limits, place: usize, before: Option<u64>) {
    match before {
        Some(before) => all.insert(place, before),
        None => all.remove(&place),
    };
}

impl Method for Left<'_> {
    type Proof = usize;
    type Trace = ();
    type Spurious = Limits;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<usize, (), Limits>, Stop> {
        Ok(match self.tried(&mut Limits::new(), &cx.budget)? {
            Tried::Excluded(last) => Attempt::Proved(last),
            Tried::Open(limits) => {
                cx.story.tell(|| What::FalseAlarm {
                    attempt: cx.attempt,
                    sizes: [("causes", limits.len() as u64)].into(),
                });
                Attempt::FalseAlarm(limits)
            }
        })
    }

    fn refine(&mut self, limits: Limits, cx: &mut Context) -> Result<(), Stop> {
        let (learnt, how, what) = match self.trap(&limits, &cx.budget)? {
            Some(trap) => (trap, How::Trap, "a trap keeps a token in"),
            None => {
                let bad: Vec<Linear> = limits
                    .iter()
                    .map(|one| inequality(*one.0, *one.1))
                    .collect();
                let weighed = weigh::excluded(self.net, self.start, &bad, &cx.budget)?;
                let Weighed::Excluded(mut proof) = weighed else {
                    return Err(Stop::inconclusive("traps and weights allow it"));
                };
                let used = limits.into_iter().zip(&proof.factors);
                let used = used.filter(|(_, factor)| **factor > 0);
                let used: Limits = used.map(|(limit, _)| limit).collect();
                proof.factors.retain(|&factor| factor > 0);
                (used, How::Weights(proof), "weights leave tokens in")
            }
        };
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: format!("{what} {}", count(learnt.len(), "place")),
            sizes: [("learnt", self.learnt.len() as u64)].into(),
        });
        self.learn(learnt, how).map(|_| ())
    }
}

/// That a place has at most so many tokens.
fn inequality(place: usize, most: u64) -> Linear {
    Linear {
        terms: vec![(place, -1)],
        least: -i64::try_from(most).unwrap_or(i64::MAX),
    }
}

/// Answers open questions whether the net can get stuck.
pub(crate) fn solve(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    let net = checker.net;
    let stuck = |task: &Task| {
        let goal = task.goal();
        task.is_open() && goal.is_some_and(|(goal, value)| is_stuck(goal, value))
    };
    let small = net.is_plain() && net.transitions.len() <= MOST_TRANSITIONS;
    if !small || !tasks.iter().any(stuck) {
        return Ok(());
    }
    let mut left = Left::new(net, start);
    let mut cx = Context {
        story: checker.cx.story.of_method("causes"),
        ..checker.cx.with_work(WORK)
    };
    let outcome = quotient_core::run(&mut left, &mut cx);
    checker.cx.budget.poll()?;
    let Conclusion::Holds(last) = outcome.conclusion else {
        return Ok(());
    };
    let body = proof(net, &left, last);
    let because = format!(
        "nothing can be stuck: {} and {} exclude causes for all transitions",
        count(body.traps.len(), "trap"),
        count(body.weights.len(), "weighted sum"),
    );
    for task in tasks.iter_mut().filter(|task| stuck(task)) {
        let mut answer = Answer::new(&task.asked.name, task.verdict(false));
        answer.refinements = outcome.refinements;
        let evidence = task.evidence(false, CAUSES, &body);
        task.answer = Some(
            answer
                .because(&because)
                .by("causes")
                .with_evidence(evidence),
        );
    }
    Ok(())
}

/// What was learnt and is needed for the last of it, traps first, then sums, then what follows.
fn proof(net: &Net, left: &Left<'_>, last: usize) -> Causes {
    let mut needed = vec![false; left.learnt.len()];
    needed[last] = true;
    for number in (0..=last).rev() {
        if let (true, How::Each(_, because)) = (needed[number], &left.learnt[number].how) {
            because.iter().for_each(|&one| needed[one] = true);
        }
    }
    let name = |place: &usize| net.places[*place].id.clone();
    let named = |limits: &Limits| -> BTreeMap<String, u64> {
        let all = limits.iter();
        all.map(|(place, &most)| (name(place), most)).collect()
    };
    let mut body = Causes::default();
    let mut numbers = vec![0; left.learnt.len()];
    let used = || (0..=last).filter(|&number| needed[number]);
    for number in used() {
        if let How::Trap = left.learnt[number].how {
            numbers[number] = body.traps.len();
            let places = left.learnt[number].limits.keys();
            body.traps.push(places.map(name).collect());
        }
    }
    for number in used() {
        if let How::Weights(proof) = &left.learnt[number].how {
            numbers[number] = body.traps.len() + body.weights.len();
            // Factors stand in the order of the names.
            let limits = left.learnt[number].limits.iter().zip(&proof.factors);
            let limits = limits.map(|((place, &most), &factor)| (name(place), (most, factor)));
            let limits: BTreeMap<String, (u64, u64)> = limits.collect();
            let proof = evidence::Weights {
                weights: proof.weights.clone(),
                factors: limits.values().map(|one| one.1).collect(),
            };
            let limits = limits.into_iter().map(|(name, one)| (name, one.0));
            let limits = limits.collect();
            body.weights.push(evidence::Few { limits, proof });
        }
    }
    for number in used() {
        if let How::Each(transition, because) = &left.learnt[number].how {
            numbers[number] = body.traps.len() + body.weights.len() + body.steps.len();
            body.steps.push(evidence::Step {
                limits: named(&left.learnt[number].limits),
                transition: net.transitions[*transition].id.clone(),
                because: because.iter().map(|&one| numbers[one]).collect(),
            });
        }
    }
    body
}
