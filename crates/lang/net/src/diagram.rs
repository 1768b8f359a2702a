//! Answers from the set of all markings, as a decision diagram: for nets with more markings than
//! can be looked at one by one.

use quotient_core::{Budget, Context, Evidence, Stop, Verdict};
use quotient_explicit::{Diagrams, Event, Set, Touch};
use quotient_language::{Answer, Number};
use serde_json::json;

use crate::check::{Checker, TOO_MANY, Task};
use crate::diagram_time::over_time;
use crate::evidence::{self, Bound, DIAGRAM, SETS};
use crate::examination::{Sharing, in_words};
use crate::formula::{Formula, Question};
use crate::found::Found;
use crate::net::Net;
use crate::order;

/// The most places of a net that is answered so.
const MOST_PLACES: usize = 20_000;
/// Diagrams are as deep as there are places.
const STACK: usize = 512 << 20;
/// The most lists on the way to a diagram that is only made as evidence.
const SHOWN_LISTS: usize = 400_000;
/// How much work such a diagram is worth.
const SHOWN_WORK: u64 = 40_000_000;
/// The most lists of a diagram that are given as evidence.
const MOST_LISTS: usize = 60_000;

/// Answers open questions, with at most so many lists; says why the rest is open.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    tasks: &mut [Task],
) -> Result<Option<Stop>, Stop> {
    let open =
        |task: &Task| task.is_open() || task.is_open_over_time() || task.is_open_about_size();
    let room = checker.cx.budget.memory_limit().map(|limit| limit / 128);
    let room = room.and_then(|room| usize::try_from(room).ok());
    let most = most.min(room.unwrap_or(usize::MAX));
    let wanted = most > 0 && tasks.iter().any(open);
    let Some(first) = start_of(start).filter(|_| wanted) else {
        return Ok(None);
    };
    let Some(events) = events(checker.net) else {
        return Ok(None);
    };
    let work = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let job = builder.spawn_scoped(scope, || {
            let order = order::order(checker.net);
            let levels = order::levels(&order);
            let mut events = events;
            for event in &mut events {
                for touch in event.iter_mut() {
                    touch.level = levels[touch.level];
                }
            }
            let events = events.into_iter().map(Event::new).collect();
            let budget = checker.cx.budget.clone();
            let mut markings = Markings {
                checker,
                start,
                sets: Diagrams::new(order.len(), events, most, budget),
                first: order.iter().map(|&place| first[place]).collect(),
                order,
                levels,
                all: Set::EMPTY,
                home: None,
                sharing: Sharing::default(),
                written: None,
            };
            markings.answer(tasks)
        });
        job.ok().and_then(|job| job.join().ok())
    });
    match work {
        Some(Ok(())) | None => Ok(None),
        Some(Err(stop @ Stop::Bound { .. })) => Ok(Some(stop)),
        Some(Err(stop)) => Err(stop),
    }
}

/// Looks for evidence of answers that have none, since all markings are too many to be listed.
pub(crate) fn show(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    let mut again = Vec::new();
    for task in tasks.iter().filter(|task| task.lacks_evidence()) {
        for mut one in Task::of(task.number, &task.asked) {
            one.seen.clone_from(&task.seen);
            (one.part, one.parts) = (task.part, task.parts);
            again.push(one);
        }
    }
    if again.is_empty() {
        return Ok(());
    }
    // Evidence for what is known takes no time from what is not.
    let cx = Context {
        budget: checker.cx.budget.child_with_work(SHOWN_WORK),
        ..checker.cx.clone()
    };
    let aside = Checker {
        cx: &cx,
        ..*checker
    };
    match solve(&aside, start, SHOWN_LISTS, &mut again) {
        Err(Stop::Work) => checker.cx.budget.poll()?,
        other => {
            other?;
        }
    }
    let lacking = tasks.iter_mut().filter(|task| task.lacks_evidence());
    for (task, again) in lacking.zip(again) {
        task.shown = true;
        let (Some(answer), Some(shown)) = (&mut task.answer, again.answer) else {
            continue;
        };
        let exact = |answer: &Answer| answer.value.as_ref().and_then(|one| one.exact.clone());
        let same = answer.verdict == shown.verdict && exact(answer) == exact(&shown);
        if same && shown.evidence.is_some() {
            answer.evidence = shown.evidence;
            answer.notes.retain(|note| note != TOO_MANY);
        }
    }
    Ok(())
}

/// Nothing more is tried to find evidence for answers that have none.
pub(crate) fn shown(tasks: &mut [Task]) {
    for task in tasks.iter_mut().filter(|task| task.answer.is_some()) {
        task.shown = true;
    }
}

/// The start in small numbers.
fn start_of(start: &[u64]) -> Option<Vec<u32>> {
    let small = start.iter().map(|&tokens| u32::try_from(tokens).ok());
    let small: Option<Vec<u32>> = small.collect();
    small.filter(|_| !start.is_empty() && start.len() <= MOST_PLACES)
}

/// What transitions test and change, by place; nothing if there are transfers.
fn events(net: &Net) -> Option<Vec<Vec<Touch>>> {
    let mut all = Vec::with_capacity(net.transitions.len());
    for transition in &net.transitions {
        if !transition.assign.is_empty() {
            return None;
        }
        let mut touches: Vec<Touch> = Vec::new();
        for place in order::places_of(transition) {
            let mut touch = Touch {
                level: place,
                least: 0,
                most: u32::MAX,
                change: 0,
            };
            for guard in transition.guard.iter().filter(|guard| guard.place == place) {
                touch.least = touch.least.max(u32::try_from(guard.least).ok()?);
                if let Some(most) = guard.most {
                    touch.most = touch.most.min(u32::try_from(most).ok()?);
                }
            }
            for &(_, change) in transition.effect.iter().filter(|one| one.0 == place) {
                touch.change = touch.change.checked_add(change)?;
            }
            touches.push(touch);
        }
        all.push(touches);
    }
    Some(all)
}

/// All markings of a net as a set.
pub(crate) struct Markings<'a> {
    pub(crate) checker: &'a Checker<'a>,
    start: &'a [u64],
    pub(crate) sets: Diagrams,
    /// The start, by level.
    pub(crate) first: Vec<u32>,
    /// The place at each level, and the other way round.
    order: Vec<usize>,
    levels: Vec<usize>,
    pub(crate) all: Set,
    /// The markings that lead back to the start, once it was asked for.
    home: Option<Set>,
    /// Evidence that several parts of a question have together.
    sharing: Sharing,
    /// The set as evidence, once it was asked for.
    written: Option<Option<evidence::Diagram>>,
}

impl Markings<'_> {
    fn answer(&mut self, tasks: &mut [Task]) -> Result<(), Stop> {
        let first = self.sets.single(&self.first)?;
        self.all = self.sets.closure(first)?;
        for task in tasks.iter_mut().filter(|task| !task.is_answered()) {
            let question = task.asked.question.clone();
            task.answer = match &question {
                Question::Possible(goal) => Some(self.about_goal(task, goal, true)?),
                Question::Always(safe) => Some(self.about_goal(task, safe, false)?),
                Question::Most(terms) => self.bound(task, terms)?,
                Question::Size => Some(self.size(task)?),
                _ => None,
            };
        }
        // One formula about runs may take long: each gets a share first.
        let whole = self.checker.cx.budget.clone();
        let mut sharing = Sharing::default();
        for share in [Some(TIME_WORK), None] {
            for task in tasks.iter_mut() {
                let Question::Temporal(one) = &task.asked.question else {
                    continue;
                };
                if task.is_answered() {
                    continue;
                }
                if let Some(work) = share {
                    self.sets.use_budget(whole.child_with_work(work));
                }
                let verdict = over_time(self, one);
                self.sets.use_budget(whole.clone());
                let verdict = match verdict {
                    Err(Stop::Work) => {
                        whole.poll()?;
                        continue;
                    }
                    verdict => verdict?,
                };
                let because = format!("evaluated on {}", self.number()?);
                // What took long would take the checker longer.
                let diagram = self.written().filter(|_| share.is_some());
                task.answer = verdict.map(|verdict| {
                    let mut answer =
                        Answer::new(&task.asked.name, verdict.clone()).because(because);
                    answer.evidence = diagram.map(|diagram| match verdict {
                        Verdict::Holds => sharing.of(task, || {
                            Evidence::of_holds(SETS, &diagram).about(&task.asked.name)
                        }),
                        _ => Evidence::of_violated(SETS, &diagram).about(&task.asked.name),
                    });
                    if answer.evidence.is_none() {
                        answer.notes.push(TOO_LARGE.to_owned());
                    }
                    answer.by("diagrams")
                });
            }
        }
        Ok(())
    }

    /// The markings that lead back to the start.
    pub(crate) fn home(&mut self) -> Result<Set, Stop> {
        if let Some(home) = self.home {
            return Ok(home);
        }
        let first = self.sets.single(&self.first)?;
        let home = self.sets.leading(first, self.all)?;
        self.home = Some(home);
        Ok(home)
    }

    fn number(&mut self) -> Result<String, Stop> {
        let number = self.sets.count(&[self.all])?;
        Ok(format!("a decision diagram of all {number} markings"))
    }

    /// Where a condition holds.
    pub(crate) fn place_of(&mut self, formula: &Formula) -> Result<Set, Stop> {
        let all = self.all;
        match formula {
            Formula::Truth(true) => Ok(all),
            Formula::Truth(false) => Ok(Set::EMPTY),
            Formula::Not(inner) => {
                let inner = self.place_of(inner)?;
                self.sets.difference(all, inner)
            }
            Formula::All(parts) => {
                let mut set = all;
                for part in parts {
                    let part = self.place_of(part)?;
                    set = self.sets.intersection(set, part)?;
                }
                Ok(set)
            }
            Formula::Any(parts) => {
                let mut set = Set::EMPTY;
                for part in parts {
                    let part = self.place_of(part)?;
                    set = self.sets.union(set, part)?;
                }
                Ok(set)
            }
            Formula::AtLeast(linear) => {
                let terms = self.by_level(&linear.terms);
                self.sets.select(all, &terms, linear.least)
            }
            Formula::Fireable(one) => self.sets.enabled(*one, all),
            Formula::Dead => self.stuck(),
        }
    }

    /// The markings where nothing can fire.
    pub(crate) fn stuck(&mut self) -> Result<Set, Stop> {
        let mut set = self.all;
        for one in 0..self.checker.net.transitions.len() {
            let enabled = self.sets.enabled(one, set)?;
            set = self.sets.difference(set, enabled)?;
        }
        Ok(set)
    }

    fn by_level(&self, terms: &[(usize, i64)]) -> Vec<(usize, i64)> {
        let level = |&(place, factor): &(usize, i64)| (self.levels[place], factor);
        terms.iter().map(level).collect()
    }

    fn about_goal(&mut self, task: &Task, goal: &Formula, value: bool) -> Result<Answer, Stop> {
        let mut targets = self.place_of(goal)?;
        if !value {
            targets = self.sets.difference(self.all, targets)?;
        }
        if targets.is_empty() {
            let because = format!("no marking of {} is such", self.number()?);
            let answer = Answer::new(&task.asked.name, task.verdict(false));
            let mut answer = answer.because(because).by("diagrams");
            match self.written() {
                Some(body) => {
                    let evidence = || task.evidence(false, DIAGRAM, &body);
                    answer.evidence = Some(self.sharing.of(task, evidence));
                }
                None => answer.notes.push(TOO_LARGE.to_owned()),
            }
            return Ok(answer);
        }
        let fired = self.run_to(targets)?;
        let holds = |marking: &[u64]| goal.holds(self.checker.net, marking) == value;
        Ok(
            match fired.filter(|fired| self.ends(fired).is_some_and(|last| holds(&last))) {
                Some(fired) => self
                    .checker
                    .reached(task, self.start, Found::Somehow(fired))
                    .by("diagrams"),
                None => {
                    let because = format!("some marking of {} is such", self.number()?);
                    let answer = Answer::new(&task.asked.name, task.verdict(true));
                    let mut answer = answer.because(because).by("diagrams");
                    answer.notes.push("no run to it was worked out".to_owned());
                    answer
                }
            },
        )
    }

    fn bound(&mut self, task: &Task, terms: &[(usize, i64)]) -> Result<Option<Answer>, Stop> {
        let by_level = self.by_level(terms);
        let greatest = self.sets.greatest(self.all, &by_level)?;
        let Some(value) = greatest.and_then(|value| u64::try_from(value).ok()) else {
            return Ok(None);
        };
        let Ok(least) = i64::try_from(value) else {
            return Ok(None);
        };
        let targets = self.sets.select(self.all, &by_level, least)?;
        let run = match &task.seen {
            Some((seen, fired)) if *seen == value => Some(fired.clone()),
            _ => self.run_to(targets)?,
        };
        let evidence = match (run, self.written()) {
            (Some(fired), Some(diagram)) if self.ends(&fired).is_some() => Some(Bound {
                value,
                run: evidence::run(self.checker.net, self.start, &fired),
                weights: None,
                markings: None,
                diagram: Some(diagram),
            }),
            _ => None,
        };
        let mut answer = self.checker.bound(task, value, evidence);
        if answer.evidence.is_none() {
            answer.notes.push(TOO_LARGE.to_owned());
        }
        let number = self.number()?;
        answer.because = format!("{}: in {number}", answer.because);
        Ok(Some(answer.by("diagrams")))
    }

    fn size(&mut self, task: &Task) -> Result<Answer, Stop> {
        let markings = self.sets.count(&[self.all])?;
        let transitions = 0..self.checker.net.transitions.len();
        let enabled = transitions.map(|one| self.sets.enabled(one, self.all));
        let enabled = enabled.collect::<Result<Vec<Set>, Stop>>()?;
        let steps = self.sets.count(&enabled)?;
        let mut most_in_place = 0;
        for level in 0..self.order.len() {
            let most = self.sets.greatest(self.all, &[(level, 1)])?;
            most_in_place = most_in_place.max(most.unwrap_or(0));
        }
        let everywhere: Vec<(usize, i64)> = (0..self.order.len()).map(|at| (at, 1)).collect();
        let most_in_marking = self.sets.greatest(self.all, &everywhere)?.unwrap_or(0);
        let mut answer = Answer::new(&task.asked.name, Verdict::Holds).by("diagrams");
        let about = markings.parse().unwrap_or(f64::INFINITY);
        answer.value = Some(Number {
            value: about,
            lower: about,
            upper: about,
            exact: Some(markings.to_string()),
        });
        answer.because = in_words(&markings, &steps, most_in_place, most_in_marking);
        let number = |number: String| match number.parse::<u64>() {
            Ok(small) => json!(small),
            Err(_) => json!(number),
        };
        for (name, value) in [
            ("markings", number(markings)),
            ("steps", number(steps)),
            ("mostInPlace", number(most_in_place.to_string())),
            ("mostInMarking", number(most_in_marking.to_string())),
        ] {
            answer.details.push((name.to_owned(), value));
        }
        let note = "the markings were counted as a set, which is not counted again";
        answer.notes.push(note.to_owned());
        Ok(answer)
    }

    /// The set as evidence, if it is small enough.
    fn written(&mut self) -> Option<evidence::Diagram> {
        if self.written.is_none() {
            let lists = self.sets.lists(self.all, MOST_LISTS);
            let places = &self.checker.net.places;
            let name = |&place: &usize| places[place].id.clone();
            self.written = Some(lists.map(|lists| evidence::Diagram {
                order: self.order.iter().map(name).collect(),
                lists,
            }));
        }
        self.written.clone().flatten()
    }

    /// The marking after a run, if it can be fired.
    fn ends(&self, fired: &[usize]) -> Option<Vec<u64>> {
        let mut marking = self.start.to_vec();
        for &one in fired {
            marking = self.checker.net.transitions[one].fire(&marking)?;
        }
        Some(marking)
    }

    /// A run from the start into a set, found backwards: each transition is followed at once by
    /// what leads to it, and the sets on the way tell which to fire. Nothing if that takes long.
    fn run_to(&mut self, targets: Set) -> Result<Option<Vec<usize>>, Stop> {
        let share = self.checker.cx.budget.child_with_work(RUN_WORK);
        let whole = self.sets.use_budget(share);
        let chain = self.chain_to(targets);
        self.sets.use_budget(whole);
        match chain {
            Ok(chain) => Ok(self.along(&chain, targets)),
            Err(Stop::Work | Stop::Bound { .. }) => {
                self.checker.cx.budget.poll()?;
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Growing sets from which the targets are reached, each by a transition into the one before.
    fn chain_to(&mut self, targets: Set) -> Result<Vec<(usize, Set)>, Stop> {
        let mut chain: Vec<(usize, Set)> = Vec::new();
        let mut set = targets;
        let transitions = self.checker.net.transitions.len();
        while !self.sets.contains(set, &self.first) {
            let before = set;
            for one in 0..transitions {
                let sources = self.sets.before(one, set, self.all)?;
                let larger = self.sets.union(set, sources)?;
                if larger != set {
                    chain.push((one, larger));
                    set = larger;
                }
                if self.sets.contains(set, &self.first) {
                    break;
                }
            }
            if set == before {
                break;
            }
        }
        Ok(chain)
    }

    /// The run from the start down the chain.
    fn along(&self, chain: &[(usize, Set)], targets: Set) -> Option<Vec<usize>> {
        let mut marking = self.first.clone();
        let mut fired = Vec::new();
        let mut end = chain.len();
        while !self.sets.contains(targets, &marking) {
            // The first set that contains the marking: its transition leads to an earlier one.
            let within =
                chain[..end].partition_point(|&(_, set)| !self.sets.contains(set, &marking));
            let &(one, _) = chain[..end].get(within)?;
            let places: Vec<u64> = self
                .levels
                .iter()
                .map(|&level| u64::from(marking[level]))
                .collect();
            let next = self.checker.net.transitions[one].fire(&places)?;
            for (level, &place) in self.order.iter().enumerate() {
                marking[level] = u32::try_from(next[place]).ok()?;
            }
            fired.push(one);
            end = within;
        }
        Some(fired)
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.checker.cx.budget
    }
}

/// How much work a formula about runs may take before the others had their turn.
const TIME_WORK: u64 = 50_000_000;
/// How much work a run is worth.
const RUN_WORK: u64 = 30_000_000;
const TOO_LARGE: &str = "the set of markings is too large to be given as evidence";
