//! The contest's questions that need no file.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use quotient_core::{Evidence, Stop, Verdict};
use quotient_explicit::{Ending, Graph, Limits, StateId, search_together};
use quotient_language::{Answer, Number};
use quotient_logic::{Formula as Time, Unary};
use serde_json::json;

use crate::check::{Checker, Task};
use crate::evidence::{Piece, SEVERAL, SIZE, Several, Size};
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::net::Net;
use crate::properties::Asked;
use crate::space::Space;

/// The questions with what they ask.
pub(crate) const CHOICES: &[(&str, &str)] = &[
    (
        "ReachabilityDeadlock",
        "a marking where nothing can fire is reachable",
    ),
    ("OneSafe", "no place ever holds more than one token"),
    ("StableMarking", "some place keeps its tokens for ever"),
    ("QuasiLiveness", "every transition can fire at least once"),
    (
        "Liveness",
        "whatever happened, every transition can fire again",
    ),
    ("StateSpace", "how many markings are reachable"),
];

/// The most evidence for several questions, in bytes of text.
const MOST_EVIDENCE: usize = 20_000_000;
/// The most markings that are counted again.
const MOST_COUNTED: u64 = 2_000_000;

/// Properties for the names of questions.
pub(crate) fn asked(net: &Net, names: &[String]) -> Vec<Asked> {
    let mut all: Vec<Asked> = Vec::new();
    for name in names {
        let choice = CHOICES.iter().find(|(known, _)| known == name);
        let Some(&(_, text)) = choice.filter(|_| all.iter().all(|one| one.name != *name)) else {
            continue;
        };
        let (kind, question) = question(net, name);
        all.push(Asked {
            name: name.clone(),
            text: text.to_owned(),
            kind,
            question,
            span: None,
        });
    }
    all
}

fn question(net: &Net, name: &str) -> (&'static str, Question) {
    let wholes = net.wholes().into_iter();
    let transitions = wholes.map(|(.., parts)| Formula::fireable(parts));
    match name {
        "ReachabilityDeadlock" => ("reachable", Question::Possible(Formula::Dead)),
        "OneSafe" => {
            let few = |place: usize| Question::Always(at_most(place, 1));
            let parts = (0..net.places.len()).map(few).collect();
            ("one-safe", Question::Several { parts, all: true })
        }
        "StableMarking" if net.start().is_none() => {
            let why = "which places keep their tokens is asked of nets with one start";
            ("stable", Question::Beyond(why.to_owned()))
        }
        "StableMarking" => {
            let same = |(at, place): (usize, &crate::net::Place)| {
                let tokens = i64::try_from(place.least).unwrap_or(i64::MAX);
                let same = Formula::All(vec![at_least(at, tokens), at_most(at, tokens)]);
                Question::Always(same)
            };
            let parts = net.places.iter().enumerate().map(same).collect();
            ("stable", Question::Several { parts, all: false })
        }
        "QuasiLiveness" => {
            let parts = transitions.map(Question::Possible);
            let parts = parts.collect();
            ("quasi-live", Question::Several { parts, all: true })
        }
        "Liveness" => {
            let again = |fires: Formula| {
                let can = Time::unary(Unary::Finally(None), Time::atom(0));
                let can = Time::unary(Unary::Exists, can);
                let always = Time::unary(Unary::Globally(None), can);
                Question::Temporal(Temporal {
                    formula: Time::unary(Unary::ForAll, always),
                    atoms: vec![fires],
                    linear: false,
                })
            };
            let parts = transitions.map(again).collect();
            ("live", Question::Several { parts, all: true })
        }
        _ => ("state space", Question::Size),
    }
}

fn at_least(place: usize, least: i64) -> Formula {
    Formula::AtLeast(Linear {
        terms: vec![(place, 1)],
        least,
    })
}

fn at_most(place: usize, most: i64) -> Formula {
    Formula::AtLeast(Linear {
        terms: vec![(place, -1)],
        least: -most,
    })
}

/// Evidence that many parts of a question share is kept with the first of them; the others say
/// whose it is. (A net of hundreds of transitions would have hundreds of copies otherwise.)
#[derive(Default)]
pub(crate) struct Sharing {
    /// By question, the part that has it.
    with: HashMap<usize, usize>,
}

/// Stands for the evidence of another part, whose number is its body.
const SAME: &str = "same";

impl Sharing {
    /// The evidence of a task, or the note that an earlier part has it.
    pub(crate) fn of(&mut self, task: &Task, make: impl FnOnce() -> Evidence) -> Evidence {
        if task.parts > 1 {
            if let Some(part) = self.with.get(&task.number) {
                return Evidence::of_holds(SAME, part);
            }
            self.with.insert(task.number, task.part);
        }
        make()
    }
}

/// Whether a part with this verdict decides a question alone.
pub(crate) fn decides(asked: &Asked, verdict: &Verdict) -> bool {
    match &asked.question {
        Question::Several { all: true, .. } => *verdict == Verdict::Violated,
        Question::Several { all: false, .. } => *verdict == Verdict::Holds,
        _ => true,
    }
}

/// One answer from those of the parts.
pub(crate) fn combined(asked: &Asked, mut answers: Vec<Answer>) -> Answer {
    let Question::Several { parts, all } = &asked.question else {
        return answers.swap_remove(0);
    };
    let together = match all {
        true => Verdict::Holds,
        false => Verdict::Violated,
    };
    let decisive = |answer: &Answer| decides(asked, &answer.verdict);
    if let Some(number) = answers.iter().position(decisive) {
        let alone = answers[number].verdict.clone();
        let shared = answers[number].evidence.as_ref().and_then(same);
        let evidence = answers[shared.unwrap_or(number)].evidence.take();
        let mut answer = answers.swap_remove(number);
        let pieces = evidence.map(|evidence| piece(vec![number], evidence));
        answer.evidence = pieces.map(|piece| whole(asked, &alone, vec![piece]));
        answer.details.push(("part".to_owned(), json!(number)));
        return answer;
    }
    if answers.len() < parts.len() || answers.iter().any(|one| one.verdict != together) {
        let open = answers.iter().position(|one| !one.verdict.is_definite());
        return match open {
            Some(number) => answers.swap_remove(number),
            None => Answer::unknown(&asked.name, Stop::exhausted("a part was not answered")),
        };
    }
    let because = format!("each of {} parts was decided", parts.len());
    let mut answer = Answer::new(&asked.name, together.clone()).because(because);
    let evidence = answers.into_iter().map(|one| one.evidence);
    match evidence.collect::<Option<Vec<_>>>().and_then(gathered) {
        Some(pieces) => answer.evidence = Some(whole(asked, &together, pieces)),
        None => {
            let note = "the evidence of all parts is too much to be listed";
            answer.notes.push(note.to_owned());
        }
    }
    answer.by("search")
}

fn piece(parts: Vec<usize>, evidence: Evidence) -> Piece {
    Piece {
        parts,
        kind: evidence.kind,
        body: evidence.body,
    }
}

fn whole(asked: &Asked, verdict: &Verdict, pieces: Vec<Piece>) -> Evidence {
    let body = Several { pieces };
    let evidence = match verdict {
        Verdict::Holds => Evidence::of_holds(SEVERAL, &body),
        _ => Evidence::of_violated(SEVERAL, &body),
    };
    evidence.about(&asked.name)
}

/// The part that has the evidence that this one stands for.
fn same(evidence: &Evidence) -> Option<usize> {
    let number = evidence.body.as_u64().filter(|_| evidence.kind == SAME)?;
    usize::try_from(number).ok()
}

/// Pieces of evidence, those that are shared once; nothing if they are too large.
fn gathered(all: Vec<Evidence>) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut places = HashMap::new();
    let mut size = 0;
    for (number, evidence) in all.into_iter().enumerate() {
        if let Some(part) = same(&evidence) {
            let place: usize = *places.get(&part)?;
            pieces[place].parts.push(number);
            continue;
        }
        size += evidence.body.to_string().len();
        if size > MOST_EVIDENCE {
            return None;
        }
        places.insert(number, pieces.len());
        pieces.push(piece(vec![number], evidence));
    }
    Some(pieces)
}

/// Counts at most so many markings, if that is asked; says why they could not be counted.
pub(crate) fn count(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<Option<Stop>, Stop> {
    let Some(task) = tasks.iter_mut().find(|task| task.is_open_about_size()) else {
        return Ok(None);
    };
    loop {
        let space = Space::new(checker.net, start, bits);
        // Each marking is looked at once, by any thread.
        let (steps, place, sum) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let beyond = AtomicBool::new(false);
        let look = |state: &[u64], successors: usize| {
            let tokens = || (0..space.places()).map(|place| space.tokens(state, place));
            let most = tokens().max().unwrap_or(0);
            steps.fetch_add(successors as u64, Relaxed);
            place.fetch_max(most, Relaxed);
            match tokens().try_fold(0, u64::checked_add) {
                Some(all) => {
                    sum.fetch_max(all, Relaxed);
                }
                None => beyond.store(true, Relaxed),
            }
            beyond.load(Relaxed)
        };
        // Only a marking with too many tokens is looked at again.
        let visit = &mut |_: &Graph, _: StateId, _: &[u64], _: usize| ControlFlow::Break(());
        let limits = Limits { states: most };
        let budget = &checker.cx.budget;
        let (graph, ending) =
            search_together(&space, &limits, budget, checker.threads, Some(&look), visit);
        match ending {
            Ending::Unfit(place) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Ending::Stopped(stop @ Stop::Bound { .. }) => return Ok(Some(stop)),
            Ending::Stopped(stop) => return Err(stop),
            _ if beyond.load(Relaxed) => {
                return Ok(Some(Stop::bound("the number of tokens", u64::MAX)));
            }
            _ => {
                let size = Size {
                    markings: graph.len() as u64,
                    steps: steps.into_inner(),
                    most_in_place: place.into_inner(),
                    most_in_marking: sum.into_inner(),
                };
                task.answer = Some(counted(&task.asked.name, size));
                return Ok(None);
            }
        }
    }
}

/// How many markings and steps there are, and tokens at most.
pub(crate) fn in_words(markings: &str, steps: &str, in_place: i128, in_marking: i128) -> String {
    let some = |number: &str, thing: &str| {
        let plural = if number == "1" { "" } else { "s" };
        format!("{number} {thing}{plural}")
    };
    let (markings, steps) = (some(markings, "marking"), some(steps, "step"));
    let tokens = some(&in_place.to_string(), "token");
    format!("{markings} and {steps}; at most {tokens} in a place and {in_marking} in all")
}

fn counted(name: &str, size: Size) -> Answer {
    let mut answer = Answer::new(name, Verdict::Holds).by("search");
    let exact = size.markings as f64;
    answer.value = Some(Number {
        value: exact,
        lower: exact,
        upper: exact,
        exact: Some(size.markings.to_string()),
    });
    answer.because = in_words(
        &size.markings.to_string(),
        &size.steps.to_string(),
        size.most_in_place.into(),
        size.most_in_marking.into(),
    );
    for (name, number) in [
        ("markings", size.markings),
        ("steps", size.steps),
        ("mostInPlace", size.most_in_place),
        ("mostInMarking", size.most_in_marking),
    ] {
        answer.details.push((name.to_owned(), json!(number)));
    }
    match size.markings <= MOST_COUNTED {
        true => answer.evidence = Some(Evidence::of_holds(SIZE, &size).about(name)),
        false => answer
            .notes
            .push("the markings are too many to be counted again".to_owned()),
    }
    answer
}
