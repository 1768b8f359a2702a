//! Deadlocks and error states, by whatever way is asked for.

use std::panic::resume_unwind;
use std::sync::Arc;

use quotient_core::{Conclusion, Context, Recorder, Sink, Stop, Story, Verdict};
use quotient_lts::evidence::{NO_DEADLOCK, NO_ERROR, joint_name, property_names};

use super::outcome::{cannot_repeat, explored, proved, unknown, violated};
use super::{Answer, Finding, Options, Way, large};
use crate::{
    Algorithm, Goals, Means, Network, Statistics, Strategy, Symmetry, Violation, explore, prove,
};

/// The part of the first states after which alike components are looked for.
const FIRST_SHARE: u64 = 8;

/// Work spent on an assumption for a property that is known to hold.
const SHOWN_WORK: u64 = 2_000_000;
/// Components beyond which none is looked for: an assumption about each would explain little.
const MOST_SHOWN: usize = 24;

pub(super) fn answers(
    network: &Network,
    deadlock: bool,
    options: &Options,
    cx: &mut Context,
) -> Vec<Answer> {
    let properties = properties(network);
    // Methods that leave something out cannot deal with priorities.
    let is_whole = matches!(options.way, Way::Monolithic) || network.priority().is_some();
    match &options.way {
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
        _ if is_whole => whole(network, deadlock, &properties, options, cx, u64::MAX)
            .unwrap_or_else(|stop| vec![unknown("safety", "monolithic", stop)]),
        Way::Automatic | Way::Monolithic => {
            match first(network, deadlock, &properties, options, cx) {
                Ok(answers) => with_assumptions(network, &properties, answers, options.threads, cx),
                Err(Stop::Work) if cx.budget.poll().is_ok() => {
                    large::answers(network, deadlock, &properties, options, cx)
                }
                Err(stop) => vec![unknown("safety", "monolithic", stop)],
            }
        }
    }
}

/// Searches the first states; fewer where components are alike, since then there is a better way.
fn first(
    network: &Network,
    deadlock: bool,
    properties: &[Property],
    options: &Options,
    cx: &Context,
) -> Result<Vec<Answer>, Stop> {
    let most = searched_first(network, options);
    let search = |states| whole(network, deadlock, properties, options, cx, states);
    match search(most / FIRST_SHARE) {
        Err(Stop::Work) if cx.budget.poll().is_ok() => match Symmetry::of(network, &cx.budget)? {
            Some(symmetry) if symmetry.sizes().any(|size| size > 2) => Err(Stop::Work),
            _ => search(most),
        },
        answers => answers,
    }
}

/// How many states are searched before other ways are tried. The steps from a state grow with
/// the number of components.
pub(super) fn searched_first(network: &Network, options: &Options) -> u64 {
    options.search_first / (1 + network.components().len() as u64 / 4)
}

/// Components that must not err.
pub(super) struct Property {
    pub(super) name: String,
    components: Vec<usize>,
    /// The processes and this property, if it can be taken alone.
    pub(super) network: Network,
}

/// One property for each component that errs, if all of them only watch. Components that err
/// and restrict others have to be taken together.
fn properties(network: &Network) -> Vec<Property> {
    let components = network.components();
    let erring: Vec<usize> = (0..components.len())
        .filter(|&at| components[at].lts.has_error())
        .collect();
    let names = property_names(erring.iter().map(|&at| &*components[at].name));
    match erring.iter().all(|&at| components[at].is_observer()) {
        true => erring
            .iter()
            .zip(names)
            .map(|(&at, name)| Property {
                name,
                components: vec![at],
                network: network.quieted(|other| other != at && erring.contains(&other)),
            })
            .collect(),
        false => vec![Property {
            name: joint_name(&names),
            components: erring,
            network: network.clone(),
        }],
    }
}

/// The name of a property by its component.
fn name_of(network: &Network, part: usize) -> String {
    let components = network.components().iter().enumerate();
    let erring = components.filter(|(_, component)| component.lts.has_error());
    let (places, names): (Vec<usize>, Vec<&str>) =
        erring.map(|(at, component)| (at, &*component.name)).unzip();
    let mut named = places.into_iter().zip(property_names(names));
    let own = named.find(|&(at, _)| at == part);
    own.map(|(_, name)| name).unwrap_or_default()
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
            Violation::Deadlock => NO_DEADLOCK.to_owned(),
            Violation::Error(part) => name_of(network, *part),
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
    let deadlock = deadlock.then(|| explored(network, NO_DEADLOCK, &exploration));
    let errors = properties
        .iter()
        .map(|property| explored(network, &property.name, &exploration));
    let mut answers: Vec<Answer> = deadlock.into_iter().chain(errors).collect();
    if answers.is_empty() {
        answers.push(explored(network, NO_ERROR, &exploration));
    }
    Ok(answers)
}

/// Adds assumptions to answers about properties that hold, where they are found quickly.
pub(super) fn with_assumptions(
    network: &Network,
    properties: &[Property],
    mut answers: Vec<Answer>,
    threads: usize,
    cx: &Context,
) -> Vec<Answer> {
    if network.components().len() > MOST_SHOWN {
        return answers;
    }
    for property in properties {
        let about = |answer: &&mut Answer| answer.about == property.name;
        let Some(answer) = answers.iter_mut().find(about) else {
            continue;
        };
        if answer.verdict != Verdict::Holds {
            continue;
        }
        let best = assumptions(network, property, threads, cx)
            .into_iter()
            .flatten()
            .filter(|found| found.verdict == Verdict::Holds)
            .min_by_key(size);
        // An assumption that is larger than the system explains nothing.
        let states = match &answer.finding {
            Finding::Explored(exploration) => exploration.states,
            _ => u64::MAX,
        };
        if let Some(best) = best.filter(|best| size(best) as u64 <= states) {
            *answer = best;
        }
    }
    answers
}

/// What two learners find, side by side if there are threads for it: where the one finds a
/// large assumption, the other may find a small one. The story is that of the one and then
/// that of the other.
fn assumptions(
    network: &Network,
    property: &Property,
    threads: usize,
    cx: &Context,
) -> [Result<Answer, Stop>; 2] {
    let learn = |algorithm: Algorithm, story: Story| {
        let mut own = Context {
            budget: cx.budget.child_with_work(SHOWN_WORK),
            story,
            ..cx.clone()
        };
        let strategy = Strategy {
            means: Means::Learn(algorithm),
            ..Strategy::default()
        };
        by_assumptions(network, property, &strategy, &mut own)
    };
    if threads < 2 {
        return [Algorithm::LSharp, Algorithm::LStar]
            .map(|algorithm| learn(algorithm, cx.story.clone()));
    }
    let aside = Arc::new(Recorder::default());
    let story = match cx.story.is_heard() {
        true => Story::to([aside.clone() as Arc<dyn Sink>]),
        false => Story::silent(),
    };
    let found = std::thread::scope(|scope| {
        let other = scope.spawn(|| learn(Algorithm::LStar, story));
        let one = learn(Algorithm::LSharp, cx.story.clone());
        let other = other.join();
        [one, other.unwrap_or_else(|panic| resume_unwind(panic))]
    });
    for event in aside.events() {
        match &event.method {
            Some(method) => cx.story.of_method(method).tell(|| event.what),
            None => cx.story.tell(|| event.what),
        }
    }
    found
}

/// The states of all assumptions of an answer.
fn size(answer: &Answer) -> usize {
    match &answer.finding {
        Finding::Proof(proof) => proof.assumptions.iter().map(|lts| lts.states()).sum(),
        _ => 0,
    }
}

/// Proves or refutes one property by assumptions.
pub(super) fn by_assumptions(
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
