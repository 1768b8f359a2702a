//! Questions about markings, asked of workers in several processes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use quotient_core::{Diagnostic, Stop, Trouble};
use quotient_explicit::{Apart, Ending, Party, Sought, Spread, System, search_spread};
use quotient_language::{Answer, Files, Settings};
use serde_json::json;

use crate::check::{Checker, Task};
use crate::formula::Formula;
use crate::found::Found;
use crate::net::Net;
use crate::properties::Asked;
use crate::space::Space;

/// Who takes part, as the settings say; nothing if the search is not to be spread.
pub(crate) fn party(
    settings: &Settings,
    files: &mut dyn Files,
    net: &Net,
    asked: &[Asked],
) -> Result<Option<Party>, Trouble> {
    let workers = settings.whole("workers");
    let Some(path) = settings.text("hosts") else {
        return Ok(workers.map(|workers| Party {
            workers: workers as usize,
            ..Party::default()
        }));
    };
    let bytes = files.read(path).map_err(|why| {
        Diagnostic::error("no-file", format!("cannot read `{path}`: {why}"))
            .help("give the file of addresses relative to the net")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(line).trim());
    let addresses: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    if let Some(wrong) = addresses.iter().find(|one| !is_address(one)) {
        let message = format!(
            "`{path}` has a line that is no address: `{}`",
            shortened(wrong)
        );
        let wrong = Diagnostic::error("no-address", message);
        return Err(wrong.help("one process to a line, as `HOST:PORT`").into());
    }
    let twice = (1..addresses.len()).find(|&at| addresses[..at].contains(&addresses[at]));
    if let Some(at) = twice {
        let message = format!("`{path}` has `{}` twice", shortened(&addresses[at]));
        let wrong = Diagnostic::error("no-address", message);
        return Err(wrong.help("give each process an address of its own").into());
    }
    let process = settings.whole("process").unwrap_or(0);
    if process >= addresses.len() as u64 {
        let number = addresses.len();
        let message = format!("`--process {process}`: `{path}` has {number} addresses");
        let wrong = Diagnostic::error("no-address", message);
        return Err(wrong
            .help("processes are numbered from 0, in the order of the file")
            .into());
    }
    Ok(Some(Party {
        addresses,
        process: process as usize,
        workers: workers.unwrap_or(1) as usize,
        question: question(net, asked),
        ..Party::default()
    }))
}

fn is_address(text: &str) -> bool {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    port.is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

/// No more than the beginning: it may be any file.
fn shortened(line: &str) -> String {
    line.chars()
        .take(30)
        .filter(|one| !one.is_control())
        .collect()
}

/// A number that says what is asked of which net, by which version.
fn question(net: &Net, asked: &[Asked]) -> u64 {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    format!("{net:?}{asked:?}").hash(&mut hasher);
    hasher.finish()
}

/// The same party, asked these questions only: processes that are asked others do not work together.
pub(crate) fn asking(party: &Party, properties: &[String]) -> Party {
    let mut party = party.clone();
    if !properties.is_empty() {
        let mut hasher = DefaultHasher::new();
        (party.question, properties).hash(&mut hasher);
        party.question = hasher.finish();
    }
    party
}

/// Looks for all goals at once; says why the rest is open.
pub(crate) fn solve(
    checker: &Checker<'_>,
    party: &Party,
    tasks: &mut [Task],
) -> Result<Stop, Trouble> {
    const ELSEWHERE: &str =
        "several workers answer only what single markings decide, from one start";
    let Some(start) = checker.net.start() else {
        return Ok(Stop::exhausted(ELSEWHERE));
    };
    let goals: Vec<(Formula, bool)> = tasks
        .iter()
        .filter_map(|task| task.goal().map(|(goal, value)| (goal.clone(), value)))
        .collect();
    if goals.is_empty() {
        return Ok(Stop::exhausted(ELSEWHERE));
    }
    let goals = Arc::new(goals);
    let mut bits = vec![1; start.len()];
    let spread = loop {
        let net = Arc::new(checker.net.clone());
        let space = Arc::new(Space::of(net.clone(), &start, &mut bits));
        let sought = sought(&goals, &net, &space);
        let system: Arc<dyn System + Send + Sync> = space;
        let spread = match search_spread(&system, &sought, party, &checker.cx.budget) {
            Ok(spread) => spread,
            Err(Apart::Stopped(stop)) => return Ok(stop),
            Err(apart @ (Apart::Lost { .. } | Apart::Broken)) => {
                return Ok(Stop::exhausted(apart.to_string()));
            }
            Err(apart) => return Err(refused(&apart)),
        };
        let Ending::Unfit(place) = spread.ending else {
            break spread;
        };
        let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
            return Ok(Stop::bound("the number of tokens", u64::MAX));
        };
        *bits = (*bits * 2).min(64);
    };
    Ok(told(checker, &start, &spread, tasks))
}

fn sought(
    goals: &Arc<Vec<(Formula, bool)>>,
    net: &Arc<Net>,
    space: &Arc<Space<'static>>,
) -> Sought {
    let (goals, net, space) = (goals.clone(), net.clone(), space.clone());
    Sought {
        number: goals.len(),
        reaches: Arc::new(move |state, successors, found| {
            let tokens = |place: usize| space.tokens(state, place);
            for (number, (goal, value)) in goals.iter().enumerate() {
                let holds = match goal.about_stuck() {
                    Some(stuck) => (successors == 0) == stuck,
                    None => goal.holds_with(&net, &tokens),
                };
                if holds == *value {
                    found(number);
                }
            }
        }),
    }
}

/// Answers what the search decided; says why the rest is open.
fn told(checker: &Checker<'_>, start: &[u64], spread: &Spread, tasks: &mut [Task]) -> Stop {
    let with_goals = tasks.iter_mut().filter(|task| task.goal().is_some());
    for (task, run) in with_goals.zip(&spread.runs) {
        match run {
            Some(run) => {
                let fired: Vec<usize> = run.labels.iter().map(|&label| label as usize).collect();
                let found = Found::Fewest(fired);
                task.answer = Some(checker.reached(task, start, found).by("spread search"));
            }
            None if spread.ending == Ending::Complete => {
                let mut answer = Answer::new(&task.asked.name, task.verdict(false))
                    .because(format!(
                        "all {} reachable markings were looked at",
                        spread.states
                    ))
                    .by("spread search");
                let note = "the markings are spread over workers, and not listed as evidence";
                answer.notes.push(note.to_owned());
                answer
                    .details
                    .push(("markings".to_owned(), json!(spread.states)));
                task.answer = Some(answer);
            }
            None => {}
        }
    }
    match &spread.ending {
        Ending::Stopped(stop) => stop.clone(),
        _ => Stop::exhausted("several workers answer only what single markings decide"),
    }
}

fn refused(apart: &Apart) -> Trouble {
    let help = match apart {
        Apart::Absent(_) => "start the same command on each host, with its own `--process`",
        Apart::Deaf(..) => "give each process an address of its own host with a free port",
        _ => "start all processes with the same net, properties, settings and version",
    };
    Diagnostic::error("apart", apart.to_string())
        .help(help)
        .into()
}
