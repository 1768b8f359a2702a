//! Deadlocks and error states, by whatever way is asked for.

use quotient_core::{Conclusion, Context, Evidence, Portfolio, Stop, TieBreak, Verdict, What};

use quotient_lts::evidence::{ASSUMPTION, EXPLORED, ExploredData, REDUCED, Sought, TRACE};

use super::deadlock::without_deadlock;
use super::{Answer, Finding, Options, Way};
use crate::evidence::{assumption_data, system_data, trace_data};
use crate::{
    Action, Algorithm, Alphabet, Decomposition, Exploration, Goals, Means, Network, Proof,
    Statistics, Strategy, Violation, explore, prove, replay,
};

/// Work spent on an assumption for a property that is known to hold.
const SHOWN_WORK: u64 = 2_000_000;
/// Work that each method gets in the first round of the portfolio; four times as much in each
/// round after.
const FIRST_WORK: u64 = 8_000_000;
/// Work that the search of reduced components may take before the whole system is searched.
const REDUCED_WORK: u64 = 50_000_000;

pub(super) fn answers(
    network: &Network,
    deadlock: bool,
    options: &Options,
    cx: &mut Context,
) -> Vec<Answer> {
    let properties = properties(network);
    match &options.way {
        Way::Monolithic => whole(network, deadlock, &properties, options, cx, u64::MAX)
            .unwrap_or_else(|stop| vec![unknown("safety", "monolithic", stop)]),
        Way::Assumptions(strategy) => {
            let by = |property: &Property| {
                by_assumptions(network, property, strategy, cx)
                    .unwrap_or_else(|stop| unknown(&property.name, &strategy.to_string(), stop))
            };
            match properties.is_empty() {
                true => vec![unknown(
                    "safety",
                    "assumptions",
                    Stop::inconclusive(
                        "there is no property to prove: deadlocks need the whole system",
                    ),
                )],
                false => properties.iter().map(by).collect(),
            }
        }
        Way::Automatic => match whole(
            network,
            deadlock,
            &properties,
            options,
            cx,
            options.search_first,
        ) {
            Ok(answers) => with_assumptions(network, &properties, answers, cx),
            Err(Stop::Work) if cx.budget.poll().is_ok() => {
                large(network, deadlock, &properties, options, cx)
            }
            Err(stop) => vec![unknown("safety", "monolithic", stop)],
        },
    }
}

/// Components that must not err.
struct Property {
    name: String,
    components: Vec<usize>,
    /// The processes and this property, if it can be taken alone.
    network: Network,
}

/// One property for each component that errs, if all of them only watch. Components that err
/// and restrict others have to be taken together.
fn properties(network: &Network) -> Vec<Property> {
    let components = network.components();
    let erring: Vec<usize> = (0..components.len())
        .filter(|&at| components[at].lts.has_error())
        .collect();
    let name = |at: &usize| components[*at].name.to_string();
    match erring.iter().all(|&at| components[at].is_observer()) {
        true => erring
            .iter()
            .map(|&at| Property {
                name: name(&at),
                components: vec![at],
                network: network.quieted(|other| other != at && erring.contains(&other)),
            })
            .collect(),
        false => vec![Property {
            name: erring.iter().map(name).collect::<Vec<_>>().join(", "),
            components: erring,
            network: network.clone(),
        }],
    }
}

/// Searches the whole system: one violation, or that there is none.
fn whole(
    network: &Network,
    deadlock: bool,
    properties: &[Property],
    options: &Options,
    cx: &Context,
    states: u64,
) -> Result<Vec<Answer>, Stop> {
    let goals = Goals {
        deadlock,
        error: true,
    };
    let own = Context {
        budget: cx.budget.child_with_work(states),
        ..cx.clone()
    };
    let exploration = explore(network, goals, options.threads, &own)?;
    if let Some((violation, events)) = &exploration.finding {
        let about = match violation {
            Violation::Deadlock => "deadlock".to_owned(),
            Violation::Error(part) => network.components()[*part].name.to_string(),
        };
        return Ok(vec![violated(
            network,
            &about,
            "monolithic",
            events,
            *violation,
            cx,
        )?]);
    }
    let deadlock = deadlock.then(|| explored(network, "deadlock", &exploration));
    let errors = properties
        .iter()
        .map(|property| explored(network, &property.name, &exploration));
    let mut answers: Vec<Answer> = deadlock.into_iter().chain(errors).collect();
    if answers.is_empty() {
        answers.push(explored(network, "error", &exploration));
    }
    Ok(answers)
}

/// Adds assumptions to answers about properties that hold, where they are found quickly.
fn with_assumptions(
    network: &Network,
    properties: &[Property],
    mut answers: Vec<Answer>,
    cx: &mut Context,
) -> Vec<Answer> {
    for property in properties {
        let about = |answer: &&mut Answer| answer.about == property.name;
        let Some(answer) = answers.iter_mut().find(about) else {
            continue;
        };
        if answer.verdict != Verdict::Holds {
            continue;
        }
        // Where the one learner finds a large assumption, the other may find a small one.
        let mut best: Option<Answer> = None;
        for algorithm in [Algorithm::LSharp, Algorithm::LStar] {
            let mut own = Context {
                budget: cx.budget.child_with_work(SHOWN_WORK),
                ..cx.clone()
            };
            let strategy = Strategy {
                means: Means::Learn(algorithm),
                ..Strategy::default()
            };
            if let Ok(found) = by_assumptions(network, property, &strategy, &mut own)
                && found.verdict == Verdict::Holds
                && best.as_ref().is_none_or(|best| size(&found) < size(best))
            {
                best = Some(found);
            }
        }
        if let Some(best) = best {
            *answer = best;
        }
    }
    answers
}

/// The states of all assumptions of an answer.
fn size(answer: &Answer) -> usize {
    match &answer.finding {
        Finding::Proof(proof) => proof.assumptions.iter().map(|lts| lts.states()).sum(),
        _ => 0,
    }
}

/// A system too large to search at once: methods side by side, with more and more work.
fn large(
    network: &Network,
    deadlock: bool,
    properties: &[Property],
    options: &Options,
    cx: &mut Context,
) -> Vec<Answer> {
    cx.story.note(format!(
        "more than {} states: trying assumptions and the whole system side by side",
        options.search_first
    ));
    let mut answers: Vec<Answer> = properties
        .iter()
        .map(|property| {
            side_by_side(network, property, options, cx)
                .unwrap_or_else(|stop| unknown(&property.name, "portfolio", stop))
        })
        .collect();
    let is_violated = answers
        .iter()
        .any(|answer| answer.verdict == Verdict::Violated);
    if deadlock && !is_violated {
        let answer = match reduced(network, options, cx) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) | Err(Stop::Work) => searched_for_deadlock(network, options, cx),
            Err(stop) => Err(stop),
        };
        let answer = answer.unwrap_or_else(|stop| unknown("deadlock", "monolithic", stop));
        answers.insert(0, answer);
    }
    answers
}

/// That there is no deadlock, from components that were made small.
fn reduced(network: &Network, options: &Options, cx: &Context) -> Result<Option<Answer>, Stop> {
    let own = Context {
        budget: cx.budget.child_with_work(REDUCED_WORK),
        ..cx.clone()
    };
    let found = without_deadlock(network, options.threads, &own)?;
    Ok(found.map(|found| {
        let method = "reduced components";
        let evidence = Evidence::of_holds(REDUCED, &found.data);
        Answer {
            about: "deadlock".to_owned(),
            verdict: Verdict::Holds,
            method: method.to_owned(),
            evidence: Some(evidence.about("deadlock").found_by(method)),
            finding: Finding::Explored(found.exploration),
            statistics: None,
        }
    }))
}

/// The whole system, searched.
fn searched_for_deadlock(
    network: &Network,
    options: &Options,
    cx: &Context,
) -> Result<Answer, Stop> {
    let goals = Goals {
        deadlock: true,
        error: false,
    };
    let exploration = explore(network, goals, options.threads, cx)?;
    match &exploration.finding {
        Some((violation, events)) => {
            violated(network, "deadlock", "monolithic", events, *violation, cx)
        }
        None => Ok(explored(network, "deadlock", &exploration)),
    }
}

fn side_by_side(
    network: &Network,
    property: &Property,
    options: &Options,
    cx: &Context,
) -> Result<Answer, Stop> {
    let halves = |means| Strategy {
        means,
        decomposition: Decomposition::Halves,
        ..Strategy::default()
    };
    let strategies = [
        Strategy::default(),
        Strategy {
            means: Means::Learn(Algorithm::LStar),
            ..Strategy::default()
        },
        halves(Means::Abstract),
        halves(Means::default()),
        Strategy {
            means: Means::Weakest,
            alphabet: Alphabet::Whole,
            ..Strategy::default()
        },
    ];
    let mut work = FIRST_WORK;
    loop {
        let mut portfolio = Portfolio::new().tie_break(TieBreak::FirstListed);
        for strategy in &strategies {
            portfolio = portfolio.entry(strategy.to_string(), move |cx: &mut Context| {
                cx.budget = cx.budget.child_with_work(work);
                by_assumptions(network, property, strategy, cx)
            });
        }
        portfolio = portfolio.entry("monolithic", move |cx: &mut Context| {
            let goals = Goals {
                deadlock: false,
                error: true,
            };
            cx.budget = cx.budget.child_with_work(work);
            let exploration = explore(&property.network, goals, 1, cx)?;
            match &exploration.finding {
                None => Ok(explored(&property.network, &property.name, &exploration)),
                Some((violation, events)) => {
                    let (name, events) = (&property.name, &events[..]);
                    violated(
                        &property.network,
                        name,
                        "monolithic",
                        events,
                        *violation,
                        cx,
                    )
                }
            }
        });
        if let Some(answer) = portfolio.race(options.threads, cx).answer {
            return Ok(answer);
        }
        cx.budget.poll()?;
        work = work
            .checked_mul(4)
            .ok_or_else(|| Stop::exhausted("no method has an answer"))?;
        cx.story.tell(|| What::Note {
            text: format!("no answer yet: {work} units of work for each method"),
        });
    }
}

/// Proves or refutes one property by assumptions.
fn by_assumptions(
    network: &Network,
    property: &Property,
    strategy: &Strategy,
    cx: &mut Context,
) -> Result<Answer, Stop> {
    let mut statistics = Statistics::default();
    let method = strategy.to_string();
    let outcome = prove(network, &property.components, strategy, &mut statistics, cx)?;
    let mut answer = match outcome {
        Conclusion::Holds(proof) => proved(network, &property.name, &method, proof),
        Conclusion::Violated(events) => {
            let erring = property.components.iter().map(|&at| Violation::Error(at));
            let mut found = None;
            for violation in erring {
                if let Ok(answer) = violated(
                    &property.network,
                    &property.name,
                    &method,
                    &events,
                    violation,
                    cx,
                ) {
                    found = Some(answer);
                    break;
                }
            }
            found.ok_or_else(cannot_repeat)?
        }
        Conclusion::Unknown(stop) => return Err(stop),
    };
    answer.statistics = Some(statistics);
    Ok(answer)
}

fn proved(network: &Network, about: &str, method: &str, proof: Proof) -> Answer {
    let evidence = Evidence::of_holds(ASSUMPTION, &assumption_data(network, &proof));
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: method.to_owned(),
        evidence: Some(evidence.about(about).found_by(method)),
        finding: Finding::Proof(proof),
        statistics: None,
    }
}

/// A violation, after it was replayed.
fn violated(
    network: &Network,
    about: &str,
    method: &str,
    events: &[Action],
    violation: Violation,
    cx: &Context,
) -> Result<Answer, Stop> {
    let trace = replay(network, events, violation, &cx.budget)?.ok_or_else(cannot_repeat)?;
    let evidence = Evidence::of_violated(TRACE, &trace_data(network, &trace));
    Ok(Answer {
        about: about.to_owned(),
        verdict: Verdict::Violated,
        method: method.to_owned(),
        evidence: Some(evidence.about(about).found_by(method)),
        finding: Finding::Trace(trace),
        statistics: None,
    })
}

fn cannot_repeat() -> Stop {
    Stop::inconclusive("internal error: the violation cannot be repeated")
}

fn explored(network: &Network, about: &str, exploration: &Exploration) -> Answer {
    let data = ExploredData {
        system: system_data(network),
        sought: match about {
            "deadlock" => Sought::Deadlock,
            _ => Sought::Error,
        },
        states: Some(exploration.states),
        transitions: Some(exploration.transitions),
    };
    let evidence = Evidence::of_holds(EXPLORED, &data);
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Holds,
        method: "monolithic".to_owned(),
        evidence: Some(evidence.about(about).found_by("monolithic")),
        finding: Finding::Explored(exploration.clone()),
        statistics: None,
    }
}

fn unknown(about: &str, method: &str, stop: Stop) -> Answer {
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Unknown(stop),
        method: method.to_owned(),
        finding: Finding::Nothing,
        evidence: None,
        statistics: None,
    }
}
