//! Protocols whose steps read the others one by one.
//!
//! They are compiled to an approximation, in which more can happen. A proof for it is a proof
//! for the protocol; a run of it is one of the protocol only if the protocol can be taken along
//! it. So small instances are searched first, exactly; then closer and closer approximations
//! are checked.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_automata::{Nfa, Predicate, State, Word};
use quotient_core::{Budget, Context, Stop, Trouble};
use quotient_regular::{Answer, Found, Options, Problem, Run};

use super::{Answered, Report, check_safety};
use crate::compile::Part;
use crate::{Compiled, Configuration, Interpreter, Protocol, Violation};

/// Instances of these sizes are searched, as far as so many configurations go.
const SIZES: std::ops::RangeInclusive<usize> = 1..=4;
const MOST_CONFIGURATIONS: u64 = 5_000;
/// The method that is tried alone where nobody is tracked, and how much work it may do.
const BY_GUARDS: &str = "forward predicates(bad, guards) key-states";
const ALONE: u64 = 30_000_000;
/// How much work goes into the first approximation before others are tried.
const LITTLE: u64 = 4_000_000;

impl Protocol {
    pub(super) fn check_one_by_one(
        &self,
        first: &Compiled,
        wanted: &dyn Fn(&str) -> bool,
        options: &Options,
        cx: &Context,
    ) -> Result<Report, Trouble> {
        let mut report = Report {
            answers: Vec::new(),
            doubts: Vec::new(),
        };
        let mut unknown = Vec::new();
        for (number, (tracked, work)) in self.attempts().into_iter().enumerate() {
            let steps = match tracked {
                1 => Ok(first.clone()),
                _ => self.compile_steps(tracked, &cx.budget),
            };
            let compiled = steps.and_then(|mut compiled| {
                for name in self.safety_names().filter(|name| wanted(name)) {
                    self.compile_property(&mut compiled, name, &cx.budget)?;
                }
                Ok(compiled)
            });
            let compiled = match compiled {
                // A closer approximation may need too many letters, or too long.
                Err(_) if tracked != 1 => {
                    cx.budget.poll()?;
                    continue;
                }
                compiled => compiled?,
            };
            let interpreter = Interpreter::new(self, &compiled);
            if number == 0 {
                let found = search(&interpreter, &compiled, wanted, &cx.budget)?;
                report.answers.extend(found);
            }
            let decided: BTreeSet<String> = (report.answers.iter())
                .map(|answered| answered.answer.property.clone())
                .collect();
            let open = |name: &str| wanted(name) && !decided.contains(name);
            let attempt = self.check_approximated(&compiled, &open, options, work, cx)?;
            report.doubts = attempt.doubts;
            unknown.clear();
            for mut answered in attempt.answers {
                answered
                    .notes
                    .extend(explanation(&answered.answer.found, tracked));
                if let Found::Run(run) = &answered.answer.found
                    && !interpreter.confirms(&answered.answer.property, &run.words, &run.steps)
                {
                    cx.story.note(format!(
                        "{}: a false alarm with {tracked} tracked, of those who read one by one",
                        answered.answer.property
                    ));
                    unknown.push(false_alarm(answered));
                } else if answered.answer.verdict().is_definite() {
                    report.answers.push(answered);
                } else {
                    unknown.push(answered);
                }
            }
            if unknown.is_empty() {
                break;
            }
        }
        report.answers.append(&mut unknown);
        Ok(report)
    }
}

impl Protocol {
    /// The approximations that are tried, one after the other, each with how much work; with all that
    /// there is where nothing is said.
    fn attempts(&self) -> Vec<(usize, Option<u64>)> {
        match self.approximations().contains(&0) {
            true => vec![(1, Some(LITTLE)), (0, Some(ALONE)), (1, None), (2, None)],
            false => vec![(1, None), (2, None)],
        }
    }

    /// Checks an approximation with so much work. What all who read may have seen together is told
    /// apart by what steps ask, nearly always: so only that is tried.
    fn check_approximated(
        &self,
        compiled: &Compiled,
        open: &dyn Fn(&str) -> bool,
        options: &Options,
        work: Option<u64>,
        cx: &Context,
    ) -> Result<Report, Trouble> {
        let cx = match work {
            Some(work) => &cx.with_work(work),
            None => cx,
        };
        if compiled.tracks_nobody()
            && options.methods.is_empty()
            && let Ok(method) = BY_GUARDS.parse()
        {
            let alone = Options {
                methods: vec![method],
                ..options.clone()
            };
            return check_safety(self, compiled, open, &alone, cx);
        }
        check_safety(self, compiled, open, options, cx)
    }
}

fn explanation(found: &Found, tracked: usize) -> Option<String> {
    match found {
        Found::Proof(_) if tracked == 0 => Some(
            "shown for more than the protocol can do: of those who read one by one, only whom any \
             of them may have seen is kept"
                .to_owned(),
        ),
        Found::Proof(_) => {
            let are = if tracked == 1 { "is" } else { "are" };
            Some(format!(
                "shown for more than the protocol can do: of those who read one by one, \
                 {tracked} {are} tracked"
            ))
        }
        Found::Run(_) => {
            Some("found where more can happen, and replayed in the protocol itself".to_owned())
        }
        Found::Nothing(_) => None,
    }
}

fn false_alarm(mut answered: Answered) -> Answered {
    answered.answer.found = Found::Nothing(Stop::inconclusive(
        "reading one by one is only approximated: the run that was found is none of the \
         protocol, and small instances have none either",
    ));
    answered.trace = None;
    answered.notes.clear();
    answered
}

/// Violations in small instances, with their runs as words.
fn search(
    interpreter: &Interpreter<'_>,
    compiled: &Compiled,
    wanted: &dyn Fn(&str) -> bool,
    budget: &Budget,
) -> Result<Vec<Answered>, Trouble> {
    let mut found: Vec<Answered> = Vec::new();
    let Some(problem) = compiled.problem_about(wanted)? else {
        return Ok(found);
    };
    let problem = Arc::new(problem);
    for size in SIZES {
        let open = |name: &str| {
            wanted(name)
                && found
                    .iter()
                    .all(|answered| answered.answer.property != name)
        };
        let work = budget.child_with_work(MOST_CONFIGURATIONS);
        let (explored, _) = interpreter.search(size, &open, &work);
        budget.poll()?;
        let mut more = Vec::new();
        for (property, violation) in explored.violations {
            if let Some(run) = as_words(interpreter, compiled, &property, &violation, budget)? {
                more.push(by_search(interpreter, &problem, property, &violation, run));
            }
        }
        found.extend(more);
    }
    Ok(found)
}

/// A violation that small instances have, as an answer about words; nothing if it is none there.
pub(super) fn as_answer(
    protocol: &Protocol,
    compiled: &Compiled,
    property: &str,
    violation: &Violation,
    budget: &Budget,
) -> Option<Answered> {
    let mut compiled = compiled.clone();
    protocol
        .compile_property(&mut compiled, property, budget)
        .ok()?;
    let interpreter = Interpreter::new(protocol, &compiled);
    let problem = compiled.problem_about(&|name| name == property).ok()??;
    let run = as_words(&interpreter, &compiled, property, violation, budget).ok()??;
    let property = property.to_owned();
    let problem = Arc::new(problem);
    Some(by_search(&interpreter, &problem, property, violation, run))
}

fn by_search(
    interpreter: &Interpreter<'_>,
    problem: &Arc<Problem>,
    property: String,
    violation: &Violation,
    run: Run,
) -> Answered {
    Answered {
        answer: Answer {
            property,
            found: Found::Run(run),
            method: Some("search of small instances".to_owned()),
            refinements: 0,
            attempts: Vec::new(),
        },
        problem: Arc::clone(problem),
        trace: Some(interpreter.tell(violation)),
        instance: None,
        ranks: None,
        notes: Vec::new(),
    }
}

/// The run as words of the approximation: whoever can look looks before each step.
fn as_words(
    interpreter: &Interpreter<'_>,
    compiled: &Compiled,
    property: &str,
    violation: &Violation,
    budget: &Budget,
) -> Result<Option<Run>, Stop> {
    let bad = compiled.bad().iter().find(|(name, _)| name == property);
    let Some((_, bad)) = bad else { return Ok(None) };
    for start in compiled.initial_words_of(interpreter, &violation.start, budget)? {
        let (mut words, mut steps) = (vec![start], Vec::new());
        look(compiled, &mut words, &mut steps, budget)?;
        for (taken, after) in &violation.steps {
            let now = &words[words.len() - 1];
            let next = outputs(compiled, &taken.step, now, budget)?;
            let fits = |word: &Word| interpreter.configuration(word).looks_like(after);
            let Some(next) = next.into_iter().find(fits) else {
                break;
            };
            words.push(next);
            steps.push(taken.step.clone());
            look(compiled, &mut words, &mut steps, budget)?;
        }
        if bad.accepts(&words[words.len() - 1]) {
            return Ok(Some(Run {
                words,
                steps,
                family: Vec::new(),
            }));
        }
    }
    Ok(None)
}

/// Takes all steps in which somebody looks at somebody.
fn look(
    compiled: &Compiled,
    words: &mut Vec<Word>,
    steps: &mut Vec<String>,
    budget: &Budget,
) -> Result<(), Stop> {
    let names = compiled.relation().parts().iter().map(|(name, _)| name);
    for name in names.filter(|name| compiled.is_auxiliary(name)) {
        while let Some(next) = {
            let now = &words[words.len() - 1];
            outputs(compiled, name, now, budget)?.into_iter().next()
        } {
            words.push(next);
            steps.push(name.clone());
        }
    }
    Ok(())
}

/// What a step of this name can make of a word.
fn outputs(
    compiled: &Compiled,
    step: &str,
    word: &Word,
    budget: &Budget,
) -> Result<Vec<Word>, Stop> {
    let mut all = Vec::new();
    let parts = compiled.relation().parts().iter();
    for (_, part) in parts.filter(|(name, _)| name == step) {
        let image = part.apply(&Nfa::of_word(part.alphabet(), word), budget)?;
        // A step creates only so many processes and sends only so many messages.
        let image = image.words(word.len() + 16, budget)?;
        all.extend(image);
    }
    Ok(all)
}

impl Compiled {
    /// The initial words that stand for a configuration: one for each choice of whom to track.
    fn initial_words_of(
        &self,
        interpreter: &Interpreter<'_>,
        start: &Configuration,
        budget: &Budget,
    ) -> Result<Vec<Word>, Stop> {
        let fields = start.processes.first().map_or(0, Vec::len);
        let stands_for = |part: &Part, place: usize| match part {
            Part::Process(values) => start
                .processes
                .get(place)
                .is_some_and(|process| values[..fields] == process[..]),
            Part::Globals(values) => *values == start.globals,
            _ => true,
        };
        let first = usize::from(!start.globals.is_empty());
        let contents: usize = start.channels.iter().map(Vec::len).sum();
        let length = first + start.processes.len() + start.channels.len() + contents;
        let mut builder = Nfa::builder(self.alphabet())
            .initial(0)
            .accepting(length as u32);
        for place in 0..length {
            let letters = self.alphabet().letters().filter(|&letter| {
                let part = self.letters.part(letter);
                matches!(part, Part::Globals(_)) == (place < first)
                    && stands_for(part, place.wrapping_sub(first))
            });
            let letters = Predicate::of(self.alphabet(), letters);
            builder.add_edge(State(place as u32), &letters, State(place as u32 + 1));
        }
        let words = builder.build().intersection(self.initial(), budget)?;
        let words = words.words(length, budget)?;
        Ok(words
            .filter(|word| interpreter.configuration(word).looks_like(start))
            .collect())
    }
}
