//! Answers.

use std::ops::ControlFlow;

use quotient_core::{Context, Stop, Trouble, Verdict};
use quotient_explicit::{Ending, Graph, Limits, StateId, search_together};
use quotient_language::{Answer, Ask, Number, Random};
use serde_json::json;

use crate::again;
use crate::constant;
use crate::detour;
use crate::diagram;
use crate::evidence::{self, Bound, MARKINGS};
use crate::examination::{self, Sharing};
use crate::fair;
use crate::formula::{Linear, Question};
use crate::found::Found;
use crate::hashed;
use crate::model::NetModel;
use crate::net::Net;
use crate::properties::Asked;
use crate::pump;
use crate::quiet;
use crate::space::Space;
use crate::spread;
pub(crate) use crate::task::Task;
use crate::temporal;
use crate::unsure;
use crate::worth::Wanted;

/// A search that is tried before any other way.
pub(crate) const FIRST_STATES: usize = 60_000;
/// How often it may be asked whether a transition can fire, for a search that is quick.
const QUICK_TESTS: usize = 100_000_000;
/// The most markings, and numbers in them, that evidence lists.
pub(crate) const MOST_MARKINGS: usize = 20_000;
pub(crate) const MOST_NUMBERS: usize = 150_000;
/// Why an answer has no evidence.
pub(crate) const TOO_MANY: &str = "the markings are too many to be listed as evidence";
/// How many markings are looked at one by one, and how many lists a diagram of all of them may
/// have, in turn: which of both is better nobody knows before.
pub(crate) const ROUNDS: [(usize, usize); 5] = [
    (30_000, 200_000),
    (300_000, 2_000_000),
    (3_000_000, 15_000_000),
    (12_000_000, 40_000_000),
    (usize::MAX, 0),
];
/// Random walks: how many, and how long.
const WALKS: usize = 24;
const WALK_STEPS: usize = 3_000;

pub(crate) fn check(
    model: &mut NetModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let questions = questions(model, &ask.properties)?;
    let places: Vec<Option<usize>> = questions.iter().map(|one| model.place(one)).collect();
    let mut tell = |number: usize, mut answer: Answer| {
        answer.number = places[number].map(|place| place + 1);
        tell(answer);
    };
    let numbered = questions.iter().enumerate();
    let mut tasks: Vec<Task> = numbered
        .flat_map(|(number, asked)| Task::of(number, asked))
        .collect();
    // A question about every transition of a net without any has no parts, and yet an answer.
    for (number, asked) in questions.iter().enumerate() {
        let none = matches!(&asked.question, Question::Several { parts, .. } if parts.is_empty());
        if none {
            tell(number, examination::combined(asked, Vec::new()));
        }
    }
    let most = model.settings.whole("states").unwrap_or(crate::MOST_STATES);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let checker = Checker {
        net: &model.net,
        cx,
        most: most.min(Limits::default().states),
        threads: ask.threads.unwrap_or_else(|| {
            let all = std::thread::available_parallelism();
            all.map_or(1, std::num::NonZero::get)
        }),
        nested: false,
        symmetry: model.settings.text("symmetry") != Some("off"),
    };
    let stop = match &model.party {
        Some(party) => {
            let party = spread::asking(party, &ask.properties);
            spread::solve(&checker, &party, &mut tasks)?
        }
        None => checker.run(&mut tasks, &mut |tasks| {
            tell_ready(&questions, tasks, &mut tell)
        }),
    };
    tasks.retain(|task| !task.told);
    let mut tasks = tasks.into_iter().peekable();
    while let Some(task) = tasks.next() {
        let number = task.number;
        let mut answers = vec![task.told(&stop)];
        while let Some(more) = tasks.next_if(|more| more.number == number) {
            answers.push(more.told(&stop));
        }
        tell(number, examination::combined(&questions[number], answers));
    }
    Ok(())
}

/// What is asked: all questions of the file in its order, or those that are named (formulas, too).
fn questions(model: &NetModel, names: &[String]) -> Result<Vec<Asked>, Trouble> {
    if names.is_empty() {
        return Ok(model.asked.clone());
    }
    let mut all: Vec<Asked> = Vec::new();
    for name in names {
        let question = model.question(name)?;
        if all.iter().all(|one| one.name != question.name) {
            all.push(question);
        }
    }
    Ok(all)
}

/// Tells the answers that are there, so that they are not lost if time ends. Questions of several
/// parts are told when one of these decides, or all are answered.
fn tell_ready(asked: &[Asked], tasks: &mut [Task], tell: &mut dyn FnMut(usize, Answer)) {
    for group in tasks.chunk_by_mut(|one, other| one.number == other.number) {
        let number = group[0].number;
        if group[0].told || !group.iter().any(|task| task.answer.is_some()) {
            continue;
        }
        let decides = |task: &Task| {
            let answer = task.answer.as_ref();
            answer.is_some_and(|answer| examination::decides(&asked[number], &answer.verdict))
        };
        let all = group.iter().all(|task| task.answer.is_some());
        if !all && !group.iter().any(decides) {
            continue;
        }
        // Evidence may still be found.
        if group.iter().any(Task::lacks_evidence) {
            continue;
        }
        let open = Stop::exhausted("another part decides");
        let answers = group.iter_mut().map(|task| {
            task.told = true;
            let answer = task.answer.take();
            answer.unwrap_or_else(|| Answer::unknown(&task.asked.name, open.clone()))
        });
        tell(
            number,
            examination::combined(&asked[number], answers.collect()),
        );
    }
}

/// Who is shown the tasks now and then, to tell what is answered.
pub(crate) type Ready<'a> = dyn FnMut(&mut [Task]) + 'a;

pub(crate) struct Checker<'a> {
    pub(crate) net: &'a Net,
    pub(crate) cx: &'a Context,
    /// The most markings to look at.
    pub(crate) most: usize,
    /// How many threads may work.
    pub(crate) threads: usize,
    /// Whether the net is already a smaller one.
    pub(crate) nested: bool,
    /// Whether parts of the net that can be exchanged are made use of.
    pub(crate) symmetry: bool,
}

impl Checker<'_> {
    /// Goes through the ways, cheap ones first; says why the rest is open.
    fn run(&self, tasks: &mut [Task], ready: &mut Ready<'_>) -> Stop {
        let outcome = match self.net.start() {
            Some(start) => self.from(&start, tasks, ready).and_then(|stop| {
                let cx = self.careful();
                let careful = Checker { cx: &cx, ..*self };
                let bits = &mut vec![1; start.len()];
                let open = fair::solve(&careful, &start, bits, tasks, ready);
                let open = self.or_by_hashes(open, &start, tasks)?;
                Ok(open.unwrap_or(stop))
            }),
            None => self.cover(tasks, &self.cx.budget),
        };
        match outcome {
            Ok(stop) | Err(stop) => stop,
        }
    }

    /// The ways from one start; what is answered is shown to `ready` early.
    pub(crate) fn from(
        &self,
        start: &[u64],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<Stop, Stop> {
        let mut bits = vec![1; start.len()];
        pump::solve(self, start, tasks)?;
        ready(tasks);
        if tasks.iter().any(Task::is_open_over_time) {
            self.soon(start, &mut bits, tasks, ready)?;
        }
        for (states, lists) in ROUNDS {
            let last = states >= self.most;
            let most = states.min(self.most);
            let mut stop = examination::count(self, start, most, &mut bits, tasks)?;
            ready(tasks);
            if tasks.iter().any(Task::is_open_over_time) {
                let cx = self.careful();
                let careful = Checker { cx: &cx, ..*self };
                let solved = temporal::solve(&careful, start, most, &mut bits, tasks, ready);
                stop = self.or_by_hashes(solved, start, tasks)?.or(stop);
                quiet::solve(self, start, most, &mut bits, tasks)?;
                diagram::show(self, start, tasks)?;
                ready(tasks);
            }
            if states == ROUNDS[0].0 {
                constant::solve(self, start, tasks)?;
                ready(tasks);
                again::solve(self, start, &mut bits, tasks)?;
                ready(tasks);
            }
            let done = !tasks
                .iter()
                .any(|task| task.is_open_over_time() || task.is_open_about_size());
            if done || last {
                if !tasks.iter().any(Task::is_open) {
                    return Ok(stop.unwrap_or(Stop::exhausted("nothing is left to try")));
                }
                break;
            }
            diagram::solve(self, start, lists, tasks)?;
            diagram::shown(tasks);
            ready(tasks);
            // What this decides has no evidence, but for runs.
            if !self.nested {
                detour::solve_over_time(self, start, most, tasks)?;
                diagram::shown(tasks);
                ready(tasks);
            }
            // Nor does what single markings decide wait until there is no more to do for formulas about runs.
            self.round(start, most, &mut bits, tasks, ready)?;
        }
        let few = FIRST_STATES.min(self.most);
        let first = self.search(start, few, &mut bits, tasks, ready)?;
        diagram::show(self, start, tasks)?;
        ready(tasks);
        let Some(stop) = first.filter(|_| tasks.iter().any(Task::is_open)) else {
            return Ok(Stop::exhausted("nothing is left to try"));
        };
        self.quickly(start, tasks, ready)?;
        if self.most <= FIRST_STATES {
            return Ok(stop);
        }
        // A little more of what is quick for nets that are not large.
        let more = QUICK_TESTS / (1 + self.net.transitions.len());
        if more > FIRST_STATES {
            let more = more.min(ROUNDS[1].0).min(self.most);
            let last = self.search(start, more, &mut bits, tasks, ready)?;
            diagram::show(self, start, tasks)?;
            ready(tasks);
            if last.is_none() {
                return Ok(Stop::exhausted("nothing is left to try"));
            }
        }
        let cx = self.careful();
        let careful = Checker { cx: &cx, ..*self };
        let ended = match careful.rounds(start, stop, &mut bits, tasks, ready) {
            // What they held is free again.
            Err(Stop::Memory) if !self.nested => None,
            other => other?,
        };
        match ended {
            Some(stop) => Ok(stop),
            None => {
                self.cx.budget.poll()?;
                hashed::solve(self, start, &mut bits, tasks)
            }
        }
    }

    /// Where memory is short, something is left of it for markings that are remembered by their hashes.
    fn careful(&self) -> Context {
        match self.cx.budget.memory_limit() {
            Some(limit) if !self.nested => Context {
                budget: self.cx.budget.child_within(limit - limit / 8),
                ..self.cx.clone()
            },
            _ => self.cx.clone(),
        }
    }

    /// What was solved; where memory was too short for it, what hashes say of runs.
    fn or_by_hashes(
        &self,
        solved: Result<Option<Stop>, Stop>,
        start: &[u64],
        tasks: &mut [Task],
    ) -> Result<Option<Stop>, Stop> {
        if solved == Err(Stop::Memory) && !self.nested {
            self.cx.budget.poll()?;
            unsure::solve(self, start, tasks)?;
        }
        solved
    }

    /// Searches breadth-first; nothing if everything was seen.
    pub(crate) fn search(
        &self,
        start: &[u64],
        states: usize,
        bits: &mut [u32],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<Option<Stop>, Stop> {
        if !tasks.iter().any(Task::is_open) {
            return Ok(None);
        }
        loop {
            let space = Space::new(self.net, start, bits);
            let mut peaks: Vec<Option<StateId>> = vec![None; tasks.len()];
            let wanted = Wanted::new(self.net, tasks);
            let worth = |state: &[u64], successors: usize| {
                wanted.is_worth(&|place: usize| space.tokens(state, place), successors)
            };
            let visit = &mut |graph: &Graph, id: StateId, state: &[u64], successors: usize| {
                let tokens = |place: usize| space.tokens(state, place);
                let (mut open, mut new) = (false, false);
                for (task, peak) in tasks.iter_mut().zip(&mut peaks) {
                    if !task.is_open() {
                        continue;
                    }
                    let settled = self.look(
                        task,
                        &tokens,
                        Some(successors == 0),
                        start,
                        || Found::Fewest(labels(graph, id)),
                        || *peak = Some(id),
                    );
                    open |= !settled;
                    new |= settled;
                }
                if new {
                    ready(tasks);
                }
                wanted.note(tasks);
                match open {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            };
            let limits = Limits { states };
            // A small search is over before other threads have begun.
            let threads = match states > FIRST_STATES {
                true => self.threads,
                false => 1,
            };
            let budget = &self.cx.budget;
            let (graph, ending) =
                search_together(&space, &limits, budget, threads, Some(&worth), visit);
            for (task, peak) in tasks.iter_mut().zip(peaks) {
                if let (Some(seen), Some(id)) = (&mut task.seen, peak) {
                    seen.1 = labels(&graph, id);
                }
            }
            match ending {
                Ending::Complete => {
                    self.settle(start, &space, &graph, tasks);
                    return Ok(None);
                }
                Ending::Enough => return Ok(None),
                Ending::Unfit(place) => {
                    let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                        return Err(Stop::bound("the number of tokens", u64::MAX));
                    };
                    *bits = (*bits * 2).min(64);
                }
                Ending::Stopped(stop @ Stop::Bound { .. }) => return Ok(Some(stop)),
                Ending::Stopped(stop) => return Err(stop),
            }
        }
    }

    /// Looks at a marking for a task, which may be known to be stuck or not; says whether that
    /// settles it.
    pub(crate) fn look(
        &self,
        task: &mut Task,
        tokens: &impl Fn(usize) -> u64,
        stuck: Option<bool>,
        start: &[u64],
        run: impl FnOnce() -> Found,
        peak: impl FnOnce(),
    ) -> bool {
        if let Question::Most(terms) = &task.asked.question {
            let Ok(sum) = u64::try_from(Linear::sum_with(terms, tokens)) else {
                let stop = Stop::bound("the number of tokens", u64::MAX);
                task.answer = Some(Answer::unknown(&task.asked.name, stop));
                return true;
            };
            if task.seen.as_ref().is_none_or(|seen| sum > seen.0) {
                task.seen = Some((sum, Vec::new()));
                peak();
            }
            return false;
        }
        let Some((goal, value)) = task.goal() else {
            return true;
        };
        let holds = match (goal.about_stuck(), stuck) {
            (Some(wanted), Some(stuck)) => stuck == wanted,
            _ => goal.holds_with(self.net, tokens),
        };
        if holds != value {
            return false;
        }
        task.answer = Some(self.reached(task, start, run()));
        true
    }

    /// All markings were seen: what is open is settled.
    fn settle(&self, start: &[u64], space: &Space<'_>, graph: &Graph, tasks: &mut [Task]) {
        let small =
            graph.len() <= MOST_MARKINGS && graph.len().saturating_mul(start.len()) <= MOST_NUMBERS;
        let markings = small.then(|| {
            let mut all = vec![Vec::new(); graph.len()];
            for (id, marking) in all.iter_mut().enumerate() {
                space.unpack(&graph.state(StateId::from_index(id)), marking);
            }
            all
        });
        let because = format!("all {} reachable markings were looked at", graph.len());
        let mut sharing = Sharing::default();
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            let mut answer = match &task.asked.question {
                Question::Most(_) => {
                    let Some((value, fired)) = task.seen.clone() else {
                        continue;
                    };
                    let run = evidence::run(self.net, start, &fired);
                    let evidence = markings.clone().map(|markings| Bound {
                        value,
                        run,
                        weights: None,
                        markings: Some(markings),
                        diagram: None,
                    });
                    self.bound(task, value, evidence)
                }
                _ => {
                    let mut answer = Answer::new(&task.asked.name, task.verdict(false));
                    answer.evidence = markings.as_ref().map(|markings| {
                        sharing.of(task, || {
                            let markings = markings.clone();
                            task.evidence(false, MARKINGS, &evidence::Markings { markings })
                        })
                    });
                    answer
                }
            };
            answer.because = match &answer.because[..] {
                "" => because.clone(),
                value => format!("{value}: {because}"),
            };
            if answer.evidence.is_none() {
                answer.notes.push(TOO_MANY.to_owned());
            }
            answer
                .details
                .push(("markings".to_owned(), json!(graph.len())));
            task.answer = Some(answer.by("search"));
        }
    }

    pub(crate) fn bound(&self, task: &Task, value: u64, bound: Option<Bound>) -> Answer {
        let mut answer = Answer::new(&task.asked.name, Verdict::Holds);
        let exact = value as f64;
        answer.value = Some(Number {
            value: exact,
            lower: exact,
            upper: exact,
            exact: Some(value.to_string()),
        });
        let plural = if value == 1 { "" } else { "s" };
        answer.because = format!("at most {value} token{plural}");
        answer.details.push(("bound".to_owned(), json!(value)));
        answer.evidence = bound.map(|bound| task.evidence_of_bound(&bound));
        answer
    }

    /// Runs at random find what is far away.
    pub(crate) fn walk(&self, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
        let mut random = Random::new(1);
        for _ in 0..WALKS {
            let mut marking = start.to_vec();
            let mut fired: Vec<usize> = Vec::new();
            for _ in 0..WALK_STEPS {
                self.cx.budget.charge(1)?;
                let transitions = self.net.transitions.iter().enumerate();
                let enabled: Vec<usize> = transitions
                    .filter(|(_, one)| one.is_enabled(&marking))
                    .map(|(number, _)| number)
                    .collect();
                if enabled.is_empty() {
                    break;
                }
                let one = enabled[random.below(enabled.len())];
                let Some(next) = self.net.transitions[one].fire(&marking) else {
                    break;
                };
                fired.push(one);
                marking = next;
                for task in tasks.iter_mut().filter(|task| task.is_open()) {
                    let mut higher = false;
                    let tokens = |place: usize| marking[place];
                    self.look(
                        task,
                        &tokens,
                        None,
                        start,
                        || Found::Somehow(fired.clone()),
                        || higher = true,
                    );
                    if let (true, Some(seen)) = (higher, &mut task.seen) {
                        seen.1 = fired.clone();
                    }
                }
            }
        }
        Ok(())
    }
}

/// The transitions of the run to a marking.
pub(crate) fn labels(graph: &Graph, id: StateId) -> Vec<usize> {
    let (_, labels) = graph.run(id);
    labels.into_iter().map(|label| label as usize).collect()
}
