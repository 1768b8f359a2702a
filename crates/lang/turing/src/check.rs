//! Answers.

mod functions;
mod told;

use quotient_core::{Context, Evidence, Stop, Verdict};
use quotient_language::{Answer, Ask, Cell, Exhibit};
use serde_json::json;

use crate::decide::{Limits, decide, never_by_words, never_on_words};
use crate::machine::{Machine, Symbol};
use crate::pattern::Pattern;
use crate::proof::{Body, Case, KIND, Proof};
use crate::question::{Asked, Function, Question, Start, Wanted};
use crate::show;
use crate::streams::Stream;
use crate::tape::Configuration;

/// The longest words of a set that are tried one by one, and how many of them.
const LONGEST: usize = 12;
const WORDS: usize = 200;

/// Answers one question.
pub(crate) fn answer(
    machine: &Machine,
    question: &Question,
    limits: Limits,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let found = match &question.asked {
        Asked::Halts(start, wanted) => one(machine, start, limits, cx, |proof, end| {
            matches!(proof, Proof::Halts { .. }) && is_as(machine, proof, end, wanted)
        }),
        Asked::Diverges(start) => one(machine, start, limits, cx, |proof, _| {
            !matches!(proof, Proof::Halts { .. })
        }),
        Asked::DivergesOnAll(pattern) => on_all(machine, pattern, limits, cx),
        Asked::Computes(function) => functions::computes(machine, function, limits, cx),
        Asked::ComputesForAll(function) => functions::for_all(machine, function, limits, cx),
        Asked::ComputesIfItStops(function) => functions::if_it_stops(machine, function, limits, cx),
        Asked::Streams(one, other) => Ok(streams(one, other)),
    };
    let mut answer = match found {
        Ok(found) => tell(machine, question, found),
        Err(stop) => Answer::unknown(&question.name, stop),
    };
    if ask.exhibits
        && let Some(start) = example(&question.asked, machine)
    {
        answer.exhibits.push(Exhibit {
            name: format!("run {}", question.name),
            caption: "the tape over time: a row a step, the head marked".to_owned(),
            picture: Some(show::space_time(machine, &start).into()),
            files: Vec::new(),
        });
    }
    answer
}

/// What was found: the verdict, what shows it, and of one run how it begins.
struct Found {
    holds: bool,
    cases: Vec<Case>,
    run: Option<Start>,
    because: String,
    end: Option<Configuration>,
    /// The cell of the head in the end, if one run was asked about.
    cell: Option<i64>,
}

/// A tape that the question is about.
pub(crate) fn example(asked: &Asked, machine: &Machine) -> Option<Start> {
    match asked {
        Asked::Halts(start, _) | Asked::Diverges(start) => Some(start.clone()),
        Asked::DivergesOnAll(pattern) => {
            let word = words(pattern).into_iter().next()?;
            Some(Start::word(word, machine.blank))
        }
        Asked::Computes(function) => {
            let largest = vec![function.bound.min(8); function.arguments];
            Start::numbers(&largest, machine.one, machine.blank)
        }
        Asked::ComputesForAll(function) | Asked::ComputesIfItStops(function) => {
            Start::numbers(&vec![8; function.arguments], machine.one, machine.blank)
        }
        Asked::Streams(..) => None,
    }
}

/// The most tapes of one question that are looked at for what no run of it uses.
const TAPES: usize = 200;

/// Tapes that a question is about: all, or the first ones.
pub(crate) fn examples(asked: &Asked, machine: &Machine) -> Vec<Start> {
    let numbers = |cases: Vec<Vec<u64>>| {
        let cases = cases.into_iter().take(TAPES);
        let starts = cases.filter_map(|one| Start::numbers(&one, machine.one, machine.blank));
        starts.collect()
    };
    match asked {
        Asked::Halts(start, _) | Asked::Diverges(start) => vec![start.clone()],
        Asked::DivergesOnAll(pattern) => {
            let words = words(pattern).into_iter().take(TAPES);
            words.map(|word| Start::word(word, machine.blank)).collect()
        }
        Asked::Computes(function) => numbers(function.cases()),
        Asked::ComputesForAll(function) | Asked::ComputesIfItStops(function) => {
            let bound = match function.arguments {
                1 => 40,
                2 => 12,
                _ => 4,
            };
            let function = Function {
                bound,
                ..function.clone()
            };
            numbers(function.cases())
        }
        Asked::Streams(..) => Vec::new(),
    }
}

fn undecided(limits: Limits) -> Stop {
    Stop::inconclusive(format!(
        "the run does not stop within {} steps, and no reason was found why it never does",
        limits.steps
    ))
}

fn is_as(machine: &Machine, proof: &Proof, end: &(Configuration, i64), wanted: &Wanted) -> bool {
    let Proof::Halts { steps } = proof else {
        return false;
    };
    let (end, cell) = end;
    (wanted.ones.is_none() || wanted.ones == end.count(machine.one))
        && wanted.steps.is_none_or(|wanted| wanted == *steps)
        && wanted.state.is_none_or(|state| state == end.state)
        && wanted.cell.is_none_or(|wanted| wanted == *cell)
}

/// How a run went, in a line.
fn line(machine: &Machine, proof: &Proof, end: &Configuration) -> String {
    match (proof, end.count(machine.one)) {
        (Proof::Halts { steps }, Some(ones)) => {
            let state = &machine.states[end.state];
            let others = (0..machine.symbols.len()).filter_map(|one| Symbol::try_from(one).ok());
            let others = others.filter(|&one| one != machine.blank && one != machine.one);
            let others: Option<u64> = others.map(|symbol| end.count(symbol)).sum();
            let others = match others {
                Some(count) if count > 0 => format!(" and {count} other symbols"),
                _ => String::new(),
            };
            format!("it stops after {steps} steps in state {state} with {ones} ones{others}")
        }
        (Proof::GuardedFamily { family, .. }, _) => {
            let round = match family.round(machine) {
                Some(round) => format!(", after {round} steps"),
                None => String::new(),
            };
            format!("{}{round}: C(n) = {}", proof.line(), family.text())
        }
        _ => proof.line(),
    }
}

fn one(
    machine: &Machine,
    start: &Start,
    limits: Limits,
    cx: &Context,
    is_good: impl Fn(&Proof, &(Configuration, i64)) -> bool,
) -> Result<Found, Stop> {
    let limits = Limits {
        steps: limits.alone,
        ..limits
    };
    let (proof, end) =
        decide(machine, start, limits, &cx.budget)?.ok_or_else(|| undecided(limits))?;
    Ok(Found {
        holds: is_good(&proof, &end),
        because: line(machine, &proof, &end.0),
        run: Some(start.clone()),
        cell: Some(end.1),
        end: matches!(proof, Proof::Halts { .. }).then_some(end.0),
        cases: vec![Case {
            arguments: Vec::new(),
            word: None,
            proof,
        }],
    })
}

fn on_all(
    machine: &Machine,
    pattern: &Pattern<Symbol>,
    limits: Limits,
    cx: &Context,
) -> Result<Found, Stop> {
    let short = Limits {
        steps: limits.steps.min(10_000),
        memory: 0,
        ..limits
    };
    for word in words(pattern) {
        let start = Start::word(word.clone(), machine.blank);
        let found = decide(machine, &start, short, &cx.budget)?;
        if let Some((proof @ Proof::Halts { .. }, (end, cell))) = found {
            let word: String = word.iter().map(|&symbol| machine.letter(symbol)).collect();
            return Ok(Found {
                holds: false,
                because: format!("on `{word}` {}", line(machine, &proof, &end)),
                run: Some(start),
                end: Some(end),
                cell: Some(cell),
                cases: vec![Case {
                    arguments: Vec::new(),
                    word: Some(word),
                    proof,
                }],
            });
        }
    }
    let proof = match never_on_words(machine, pattern, limits, &cx.budget)? {
        Some(found) => Some(found),
        None => never_by_words(machine, pattern, limits, &cx.budget)?,
    };
    let why = "no word of the set was found on which it stops, and no regular invariant";
    let proof = Proof::RegularInvariant(proof.ok_or_else(|| Stop::inconclusive(why))?);
    Ok(Found {
        holds: true,
        because: proof.line(),
        run: None,
        end: None,
        cell: None,
        cases: vec![Case {
            arguments: Vec::new(),
            word: None,
            proof,
        }],
    })
}

/// Some short words of a set, shortest first.
fn words(pattern: &Pattern<Symbol>) -> Vec<Vec<Symbol>> {
    let mut all = Vec::new();
    if pattern.empty {
        all.push(Vec::new());
    }
    let mut ends: Vec<(usize, Vec<Symbol>)> = (pattern.first.iter())
        .map(|&first| (first, vec![pattern.letters[first]]))
        .collect();
    for _ in 0..LONGEST {
        for (end, word) in &ends {
            if pattern.last.contains(end) && !all.contains(word) {
                all.push(word.clone());
            }
        }
        if all.len() >= WORDS {
            break;
        }
        let longer = ends.iter().flat_map(|(end, word)| {
            let next = pattern.follow[*end].iter();
            next.map(move |&next| (next, [&word[..], &[pattern.letters[next]]].concat()))
        });
        ends = longer.take(10 * WORDS).collect();
        ends.sort();
        ends.dedup();
    }
    all.truncate(WORDS);
    all
}

fn streams(one: &Stream, other: &Stream) -> Found {
    let symbols = one.enough(other);
    let differ = (0..symbols).find(|&place| one.at(place) != other.at(place));
    let proof = match differ {
        None => Proof::Agree {
            symbols: symbols as u64,
        },
        Some(place) => Proof::Differ {
            place: place as u64,
        },
    };
    Found {
        holds: differ.is_none(),
        because: proof.line(),
        run: None,
        end: None,
        cell: None,
        cases: vec![Case {
            arguments: Vec::new(),
            word: None,
            proof,
        }],
    }
}

fn numbers(arguments: &[u64]) -> String {
    let numbers: Vec<String> = arguments.iter().map(u64::to_string).collect();
    numbers.join(", ")
}

fn tell(machine: &Machine, question: &Question, found: Found) -> Answer {
    let method = match &found.cases[..] {
        [case] => case.proof.name(),
        _ => "all inputs",
    };
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for case in &found.cases {
        match kinds
            .iter_mut()
            .find(|(name, _)| *name == case.proof.name())
        {
            Some((_, count)) => *count += 1,
            None => kinds.push((case.proof.name(), 1)),
        }
    }
    let body = Body { cases: found.cases };
    let (verdict, evidence) = match found.holds {
        true => (Verdict::Holds, Evidence::of_holds(KIND, &body)),
        false => (Verdict::Violated, Evidence::of_violated(KIND, &body)),
    };
    let mut answer = Answer::new(&question.name, verdict)
        .by(method)
        .because(found.because)
        .with_evidence(evidence.about(&question.name).found_by(method));
    let kinds = kinds
        .into_iter()
        .map(|(name, count)| (name.to_owned(), json!(count)));
    answer.details = vec![(
        "proofs".to_owned(),
        kinds.collect::<serde_json::Map<_, _>>().into(),
    )];
    if let Some(end) = &found.end {
        let tape = end.text(machine);
        let cell = found.cell.map(|cell| format!("the head is on cell {cell}"));
        if tape.len() <= 200 {
            let cell = cell.map_or(String::new(), |cell| format!(" ({cell})"));
            answer.notes.push(format!("final tape: {tape}{cell}"));
        }
        if let Some(cell) = found.cell {
            answer.details.push(("headCell".to_owned(), json!(cell)));
        }
        answer.details.push(("finalTape".to_owned(), json!(tape)));
        answer
            .details
            .push(("ones".to_owned(), json!(end.count(machine.one))));
    }
    if !found.holds {
        let proof = body.cases.first().map(|case| &case.proof);
        answer.trace =
            (found.run.zip(proof)).map(|(start, proof)| told::run(machine, &start, proof));
    }
    answer
}

/// The state and the tape, for traces.
pub(crate) fn cells(machine: &Machine, now: &Configuration) -> [Cell; 2] {
    let tape = now.text(machine);
    let tape = match tape.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &tape[..end]),
        None => tape,
    };
    [Cell::new(&machine.states[now.state]), Cell::new(tape)]
}

/// What is done next, as quintuples write it; nothing if the machine stops.
pub(crate) fn name(machine: &Machine, now: &Configuration) -> Option<String> {
    let action = machine.action(now.state, now.tape.scanned)?;
    let shift = show::shift(action.shift);
    Some(format!(
        "<{},{},{},{shift},{}>",
        machine.states[now.state],
        machine.letter(now.tape.scanned),
        machine.letter(action.write),
        machine.states[action.to]
    ))
}
