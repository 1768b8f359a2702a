//! Runs that are led to what is asked, for what is too far away to be found by searching all.
//!
//! The state equation says how often each transition would fire on the way, if there is a way:
//! runs that fire what is left of these numbers often get there at once. Other runs take, step by
//! step, what seems to come nearer. What is found is a run like any other.

use std::collections::HashMap;

use quotient_core::{Budget, Stop};
use quotient_language::Random;

use crate::check::{Checker, Task};
use crate::formula::{Formula, Linear, Question};
use crate::found::Found;
use crate::net::Net;

/// How many runs are led by numbers of firings, and how many by the distance, for each question.
const COUNTED_RUNS: usize = 6;
const NEARER_RUNS: usize = 6;
/// The longest runs.
const MOST_STEPS: usize = 20_000;
const NEARER_STEPS: usize = 1_500;
/// How many steps are compared before one is taken.
const COMPARED: usize = 12;
/// How much all runs of a question may work.
const WORK: u64 = 1_500_000;
/// A distance that says nothing.
const FAR: u64 = u64::MAX / 4;

/// A run under way: the marking, and which transitions can fire.
struct Way<'a> {
    net: &'a Net,
    /// Which transitions look at a place.
    lookers: &'a [Vec<usize>],
    marking: Vec<u64>,
    fired: Vec<usize>,
    /// Those that can fire, in any order, and where each of them is in the list.
    able: Vec<usize>,
    place_of: Vec<Option<usize>>,
}

/// Which transitions look at each place.
fn lookers(net: &Net) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); net.places.len()];
    for (number, one) in net.transitions.iter().enumerate() {
        let guards = one.guard.iter().map(|guard| guard.place);
        let sums = one
            .assign
            .iter()
            .flat_map(|assign| assign.sum.iter().copied());
        for place in guards.chain(sums) {
            if all[place].last() != Some(&number) {
                all[place].push(number);
            }
        }
    }
    all
}

impl<'a> Way<'a> {
    fn new(net: &'a Net, lookers: &'a [Vec<usize>], start: &[u64]) -> Way<'a> {
        let mut way = Way {
            net,
            lookers,
            marking: start.to_vec(),
            fired: Vec::new(),
            able: Vec::new(),
            place_of: vec![None; net.transitions.len()],
        };
        for one in 0..net.transitions.len() {
            way.look_at(one);
        }
        way
    }

    /// Finds out whether a transition can fire.
    fn look_at(&mut self, one: usize) {
        let can = self.net.transitions[one].is_enabled(&self.marking);
        match (can, self.place_of[one]) {
            (true, None) => {
                self.place_of[one] = Some(self.able.len());
                self.able.push(one);
            }
            (false, Some(place)) => {
                self.place_of[one] = None;
                self.able.swap_remove(place);
                if let Some(&moved) = self.able.get(place) {
                    self.place_of[moved] = Some(place);
                }
            }
            _ => {}
        }
    }

    /// Fires a transition that can; says whether the numbers fit.
    fn fire(&mut self, one: usize) -> bool {
        let transition = &self.net.transitions[one];
        let Some(next) = transition.fire(&self.marking) else {
            return false;
        };
        self.marking = next;
        self.fired.push(one);
        let changed = transition.effect.iter().map(|effect| effect.0);
        let set = transition.assign.iter().map(|assign| assign.place);
        let lookers = self.lookers;
        for place in changed.chain(set) {
            for &looker in &lookers[place] {
                self.look_at(looker);
            }
        }
        true
    }
}

/// Leads runs to what open questions ask for; the numbers of firings are by task.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    counts: &[Option<Vec<u64>>],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let lookers = lookers(checker.net);
    let mut leader = Leader {
        checker,
        start,
        lookers: &lookers,
        random: Random::new(7),
    };
    for number in 0..tasks.len() {
        if !leader.is_wanted(&tasks[number]) {
            continue;
        }
        let share = checker.cx.budget.child_with_work(WORK);
        let counts = counts.get(number).and_then(Option::as_deref);
        match leader.lead(number, counts, tasks, &share) {
            Err(Stop::Work) => checker.cx.budget.poll()?,
            other => other?,
        }
    }
    Ok(())
}

struct Leader<'a> {
    checker: &'a Checker<'a>,
    start: &'a [u64],
    lookers: &'a [Vec<usize>],
    random: Random,
}

impl Leader<'_> {
    /// Whether a run may still tell something: the most that weights allow was not seen.
    fn is_wanted(&self, task: &Task) -> bool {
        let reached = match (&task.seen, &task.allowed) {
            (Some((seen, _)), Some((allowed, _))) => seen >= allowed,
            _ => false,
        };
        task.is_open() && !reached
    }

    fn lead(
        &mut self,
        number: usize,
        counts: Option<&[u64]>,
        tasks: &mut [Task],
        budget: &Budget,
    ) -> Result<(), Stop> {
        if let Some(counts) = counts {
            for _ in 0..COUNTED_RUNS {
                self.counted(counts, tasks, budget)?;
                if !self.is_wanted(&tasks[number]) {
                    return Ok(());
                }
            }
        }
        for _ in 0..NEARER_RUNS {
            self.nearer(number, tasks, budget)?;
            if !self.is_wanted(&tasks[number]) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The longest run whose story can still be told.
    fn most_steps(&self) -> usize {
        (4_000_000 / self.start.len().max(1)).clamp(1_000, MOST_STEPS)
    }

    /// A run that fires what is left of the numbers, as long as it can.
    fn counted(&mut self, counts: &[u64], tasks: &mut [Task], budget: &Budget) -> Result<(), Stop> {
        let mut way = Way::new(self.checker.net, self.lookers, self.start);
        let mut left = counts.to_vec();
        for _ in 0..self.most_steps() {
            budget.charge(1 + way.able.len() as u64 / 16)?;
            let wanted: Vec<usize> = (way.able.iter().copied())
                .filter(|&one| left[one] > 0)
                .collect();
            let from = match wanted.is_empty() {
                true if way.able.is_empty() || left.iter().all(|&left| left == 0) => break,
                true => &way.able,
                false => &wanted,
            };
            let one = from[self.random.below(from.len())];
            left[one] = left[one].saturating_sub(1);
            if !way.fire(one) {
                break;
            }
            self.look(&way, tasks);
        }
        Ok(())
    }

    /// A run whose steps come nearer where they can.
    fn nearer(&mut self, number: usize, tasks: &mut [Task], budget: &Budget) -> Result<(), Stop> {
        let net = self.checker.net;
        let mut way = Way::new(net, self.lookers, self.start);
        let most = self.most_steps().min(NEARER_STEPS);
        for _ in 0..most {
            if way.able.is_empty() || !self.is_wanted(&tasks[number]) {
                break;
            }
            let mut best: Option<(u64, usize)> = None;
            let tried = match self.random.below(8) {
                0 => 1,
                _ => COMPARED.min(way.able.len()),
            };
            for nth in 0..tried {
                budget.charge(8 + self.start.len() as u64 / 64)?;
                let one = match tried == way.able.len() {
                    true => way.able[nth],
                    false => way.able[self.random.below(way.able.len())],
                };
                let Some(next) = net.transitions[one].fire(&way.marking) else {
                    continue;
                };
                // Of equal ones, any.
                let far = distance_of(net, &tasks[number], &next);
                let far = far.saturating_mul(4) + self.random.below(4) as u64;
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, one));
                }
            }
            let Some((_, one)) = best else { break };
            if !way.fire(one) {
                break;
            }
            self.look(&way, tasks);
        }
        Ok(())
    }

    /// Looks at the marking for all questions.
    fn look(&self, way: &Way<'_>, tasks: &mut [Task]) {
        let run = || Found::Somehow(way.fired.clone());
        let tokens = |place: usize| way.marking[place];
        let stuck = Some(way.able.is_empty());
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            let mut higher = false;
            self.checker
                .look(task, &tokens, stuck, self.start, run, || higher = true);
            if let (true, Some(seen)) = (higher, &mut task.seen) {
                seen.1.clone_from(&way.fired);
            }
        }
    }
}

/// A run without the rounds that it goes.
pub(crate) fn shortened(net: &Net, start: &[u64], fired: &[usize]) -> Vec<usize> {
    let mut markings = vec![start.to_vec()];
    let mut known = HashMap::from([(start.to_vec(), 0)]);
    let mut short = Vec::new();
    for &one in fired {
        let last = markings.last().map_or(start, Vec::as_slice);
        let Some(next) = net.transitions[one].fire(last) else {
            return fired.to_vec();
        };
        match known.get(&next) {
            Some(&at) => {
                for gone in markings.drain(at + 1..) {
                    known.remove(&gone);
                }
                short.truncate(at);
            }
            None => {
                short.push(one);
                known.insert(next.clone(), short.len());
                markings.push(next);
            }
        }
    }
    short
}

fn distance_of(net: &Net, task: &Task, marking: &[u64]) -> u64 {
    if let Question::Most(terms) = &task.asked.question {
        let sum = u64::try_from(Linear::sum(terms, marking)).unwrap_or(0);
        return FAR - sum.min(FAR);
    }
    match task.goal() {
        Some((goal, value)) => distance(net, goal, value, marking),
        None => FAR,
    }
}

/// How far a marking seems to be from one where the formula has the value: tokens that are
/// missing or too many.
fn distance(net: &Net, formula: &Formula, value: bool, marking: &[u64]) -> u64 {
    let part = |one: &Formula| distance(net, one, value, marking);
    let far = |number: i128| u64::try_from(number.max(0)).unwrap_or(FAR).min(FAR);
    match (formula, value) {
        (Formula::Truth(truth), _) => match *truth == value {
            true => 0,
            false => FAR,
        },
        (Formula::Not(inner), _) => distance(net, inner, !value, marking),
        (Formula::All(parts), true) | (Formula::Any(parts), false) => {
            let sum = parts.iter().map(part).fold(0, u64::saturating_add);
            sum.min(FAR)
        }
        (Formula::All(parts), false) | (Formula::Any(parts), true) => {
            parts.iter().map(part).min().unwrap_or(FAR)
        }
        (Formula::AtLeast(linear), _) => {
            let more = Linear::sum(&linear.terms, marking).saturating_sub(linear.least.into());
            match value {
                true => far(more.saturating_neg()),
                false => far(more.saturating_add(1)),
            }
        }
        (Formula::Fireable(one), true) => {
            let missing = net.transitions[*one].guard.iter().map(|guard| {
                let tokens = marking[guard.place];
                let above = guard.most.map_or(0, |most| tokens.saturating_sub(most));
                guard.least.saturating_sub(tokens).saturating_add(above)
            });
            missing.fold(0, u64::saturating_add).min(FAR)
        }
        (Formula::Fireable(one), false) => {
            let transition = &net.transitions[*one];
            let spare = transition.guard.iter().map(|guard| {
                let tokens = marking[guard.place];
                tokens.saturating_sub(guard.least).saturating_add(1)
            });
            match transition.is_enabled(marking) {
                true => spare.min().unwrap_or(FAR).min(FAR),
                false => 0,
            }
        }
        (Formula::Dead, true) => {
            let able = net.transitions.iter().filter(|one| one.is_enabled(marking));
            able.count() as u64
        }
        (Formula::Dead, false) => u64::from(formula.holds(net, marking)),
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Context, Source, Verdict};

    use super::*;
    use crate::certify::certify;
    use crate::properties::Asked;
    use crate::testing::checker;

    /// Tokens that have to be moved one by one along a row, a hundred of them.
    const ROW: &str = "pl a (100)\ntr t1 a -> b\ntr t2 b -> c\ntr t3 c -> d\ntr back d -> a\n";

    fn asked(question: Question) -> Asked {
        Asked {
            name: "far".to_owned(),
            text: "far".to_owned(),
            kind: "reachable",
            question,
            span: None,
        }
    }

    #[test]
    fn runs_are_led_to_what_is_far_away() {
        let net = crate::tina::read(&Source::new("row.net", ROW)).unwrap();
        let start = net.start().unwrap();
        let cx = Context::default();
        let checker = Checker {
            most: 1_000,
            ..checker(&net, &cx)
        };
        let last = net.places.iter().position(|place| place.id == "d").unwrap();
        let all = Linear {
            terms: vec![(last, 1)],
            least: 100,
        };
        let reach = asked(Question::Possible(Formula::AtLeast(all)));
        let bound = asked(Question::Most(vec![(last, 1)]));
        let mut tasks = Task::of(0, &reach);
        tasks.extend(Task::of(1, &bound));
        let counts = checker.weigh(&start, &mut tasks).unwrap();
        solve(&checker, &start, &counts, &mut tasks).unwrap();
        checker.meet(&start, &mut tasks);
        for (task, asked) in tasks.iter().zip([&reach, &bound]) {
            let answer = task.answer.as_ref().unwrap();
            assert_eq!(answer.verdict, Verdict::Holds);
            let evidence = answer.evidence.as_ref().unwrap();
            let budget = Budget::unlimited();
            certify(&net, "far", &asked.question, evidence, &budget).unwrap();
        }
        let steps = tasks[0].answer.as_ref().unwrap().trace.as_ref().unwrap();
        assert_eq!(steps.steps.len(), 301);
    }

    #[test]
    fn a_run_without_its_rounds_ends_where_it_did() {
        let net = crate::tina::read(&Source::new("row.net", ROW)).unwrap();
        let start = net.start().unwrap();
        let name = |id: &str| net.transitions.iter().position(|one| one.id == id).unwrap();
        let fired = ["t1", "t2", "t3", "back", "t1", "t1"].map(name);
        let short = shortened(&net, &start, &fired);
        assert_eq!(short, ["t1", "t1"].map(name));
    }
}
