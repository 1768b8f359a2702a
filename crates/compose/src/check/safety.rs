//! Deadlocks and error states, by whatever way is asked for.

use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::sync::Arc;

use quotient_core::{Conclusion, Context, Recorder, Sink, Stop, Story, Verdict};
use quotient_lts::evidence::{NO_DEADLOCK, NO_ERROR, joint_name, property_names};

use super::beside::{self, another_errs};
use super::outcome::{cannot_repeat, explored, proved, unknown, violated};
use super::{Answer, Finding, Known, Options, Way, drawn, large};
use crate::{
    Algorithm, Goals, Means, Network, Statistics, Strategy, Symmetry, Violation, explore, prove,
};

/// The part of the first states after which alike components are looked for.
const FIRST_SHARE: u64 = 8;

/// Work spent on an assumption for a property that is known to hold: a few times the steps that
/// were looked at, within these bounds. A reader waits for the verdict, not for its explanation.
pub(super) const SHOWN_WORK: RangeInclusive<u64> = 100_000..=2_000_000;
/// How many times.
const SHOWN_FOR_EACH_STEP: u64 = 4;
/// States of assumptions beyond which they explain nothing, and only take time to be told.
const MOST_STATES_SHOWN: u64 = 300;
/// Components beyond which none is looked for: an assumption about each would explain little.
const MOST_SHOWN: usize = 14;

pub(super) fn answers(
    network: &Network,
    deadlock: bool,
    options: &Options,
    cx: &mut Context,
    known: &mut Known<'_>,
) -> Vec<Answer> {
    let mut properties = properties(network);
    properties.retain(|property| options.wants(&property.name));
    let deadlock = deadlock && options.wants(NO_DEADLOCK);
    if let Way::Assumptions(strategy) = &options.way {
        let by = |property: &Property| {
            let answer = by_assumptions(network, property, strategy, cx)
                .unwrap_or_else(|stop| unknown(&property.name, &strategy.to_string(), stop));
            known(&answer);
            answer
        };
        let why = "there is no property to prove: deadlocks need the whole system";
        return match properties.is_empty() {
            true => vec![unknown("safety", "assumptions", Stop::inconclusive(why))],
            false => properties.iter().map(by).collect(),
        };
    }
    if let Way::Diagram = options.way {
        return drawn::answers(network, deadlock, &properties, cx);
    }
    let asked = Asked {
        network,
        deadlock,
        properties: &properties,
        options,
        // Methods that leave something out cannot deal with priorities.
        whole: matches!(options.way, Way::Monolithic) || network.priority().is_some(),
    };
    asked.answers(cx, known)
}

/// What is asked about the safety of a network.
struct Asked<'a> {
    network: &'a Network,
    deadlock: bool,
    properties: &'a [Property],
    options: &'a Options,
    /// Whether the whole network is to be searched, however large it is.
    whole: bool,
}

impl Asked<'_> {
    fn answers(&self, cx: &mut Context, known: &mut Known<'_>) -> Vec<Answer> {
        let first = match self.whole {
            true => self.together(u64::MAX, cx),
            false => self.first(cx),
        };
        match first {
            Ok(Together::Nothing(answers)) if self.whole => {
                answers.iter().for_each(known);
                answers
            }
            Ok(Together::Nothing(answers)) => {
                let work = answers.iter().map(looked_at).max().unwrap_or(0);
                let work = work.saturating_mul(SHOWN_FOR_EACH_STEP);
                let work = work.clamp(*SHOWN_WORK.start(), *SHOWN_WORK.end());
                let how = (self.options.threads, work);
                answers.iter().for_each(&mut *known);
                with_assumptions(self.network, self.properties, answers, how, cx)
            }
            Ok(Together::Violated(violated)) => {
                known(&violated);
                self.each(Some(*violated), false, cx, known)
            }
            Err(Stop::Work) if !self.whole && cx.budget.poll().is_ok() => {
                large::tell(self.network, self.options, cx);
                self.each(None, true, cx, known)
            }
            Err(stop) => self.unknown(&stop),
        }
    }

    /// No answer to anything.
    fn unknown(&self, stop: &Stop) -> Vec<Answer> {
        let names = self.properties.iter().map(|property| &*property.name);
        let names = self
            .deadlock
            .then_some(NO_DEADLOCK)
            .into_iter()
            .chain(names);
        let answers = names.map(|name| unknown(name, "monolithic", stop.clone()));
        let answers: Vec<Answer> = answers.collect();
        match answers.is_empty() {
            true => vec![unknown("safety", "monolithic", stop.clone())],
            false => answers,
        }
    }

    /// Searches the first states; fewer where components are alike, since then there is a
    /// better way.
    fn first(&self, cx: &Context) -> Result<Together, Stop> {
        let most = searched_first(self.network, self.options);
        if !Symmetry::may_be_found(self.network) {
            return self.together(most, cx);
        }
        match self.together(most / FIRST_SHARE, cx) {
            Err(Stop::Work) if cx.budget.poll().is_ok() => {
                match Symmetry::of(self.network, &cx.budget)? {
                    Some(symmetry) if symmetry.sizes().any(|size| size > 2) => Err(Stop::Work),
                    _ => self.together(most, cx),
                }
            }
            found => found,
        }
    }

    /// Searches the whole network for all that is asked at once: the nearest violation, or
    /// that there is none.
    fn together(&self, states: u64, cx: &Context) -> Result<Together, Stop> {
        let goals = Goals {
            deadlock: self.deadlock,
            error: true,
        };
        let network = self.network;
        let exploration = explore(network, goals, self.options.threads, &cx.with_work(states))?;
        if let Some((violation, events)) = &exploration.finding {
            let about = match violation {
                Violation::Deadlock => NO_DEADLOCK.to_owned(),
                Violation::Error(part) => self.name_of(*part),
            };
            let answer = violated(network, &about, "monolithic", events, *violation, cx)?;
            return Ok(Together::Violated(Box::new(answer)));
        }
        let deadlock = self.deadlock;
        let deadlock = deadlock.then(|| explored(network, NO_DEADLOCK, &exploration));
        let errors = self.properties.iter();
        let errors = errors.map(|property| explored(network, &property.name, &exploration));
        let mut answers: Vec<Answer> = deadlock.into_iter().chain(errors).collect();
        if answers.is_empty() {
            answers.push(explored(network, NO_ERROR, &exploration));
        }
        Ok(Together::Nothing(answers))
    }

    /// The property that a component belongs to.
    fn name_of(&self, part: usize) -> String {
        let found = self.properties.iter();
        let mut found = found.filter(|property| property.components.contains(&part));
        match found.next() {
            Some(property) => property.name.clone(),
            None => self.network.components()[part].name.to_string(),
        }
    }

    /// One answer after the other, each without what watches for the others: a violation of
    /// the one does not hide the others.
    fn each(
        &self,
        before: Option<Answer>,
        is_large: bool,
        cx: &mut Context,
        known: &mut Known<'_>,
    ) -> Vec<Answer> {
        let mut answers = Vec::new();
        let known_about = |about: &str| before.clone().filter(|known| known.about == about);
        if self.deadlock {
            let answer = match known_about(NO_DEADLOCK) {
                Some(known) => Ok(known),
                None if is_large => large::of_deadlock(self.network, self.options, cx, known),
                None => self.deadlock_alone(cx, known),
            };
            let method = if is_large {
                "stubborn sets"
            } else {
                "monolithic"
            };
            let answer = answer.unwrap_or_else(|stop| unknown(NO_DEADLOCK, method, stop));
            known(&answer);
            answers.push(answer);
        }
        for property in self.properties {
            let answer = match known_about(&property.name) {
                Some(known) => Ok(known),
                None if is_large => {
                    large::of_property(self.network, property, self.options, cx, known)
                }
                None => self.property_alone(property, cx, known),
            };
            let method = if is_large { "portfolio" } else { "monolithic" };
            let answer = answer.unwrap_or_else(|stop| unknown(&property.name, method, stop));
            known(&answer);
            answers.push(answer);
        }
        // Something errs that was not asked for.
        match answers.is_empty() {
            true => before.into_iter().collect(),
            false => answers,
        }
    }

    /// The most states that are searched before other ways are tried.
    fn most(&self) -> u64 {
        match self.whole {
            true => u64::MAX,
            false => searched_first(self.network, self.options),
        }
    }

    /// Errors end a run here, too: behind an error there is no deadlock.
    fn deadlock_alone(&self, cx: &mut Context, known: &mut Known<'_>) -> Result<Answer, Stop> {
        let goals = Goals {
            deadlock: true,
            error: false,
        };
        match self.alone(NO_DEADLOCK, goals, self.network, cx) {
            Err(Stop::Work) if !self.whole && cx.budget.poll().is_ok() => {
                large::of_deadlock(self.network, self.options, cx, known)
            }
            answer => answer,
        }
    }

    fn property_alone(
        &self,
        property: &Property,
        cx: &mut Context,
        known: &mut Known<'_>,
    ) -> Result<Answer, Stop> {
        let left_out = self.network.quieter_in(&property.network);
        let is_alone = left_out.is_empty() && property.beside.is_empty();
        if self.network.priority().is_none() && !is_alone {
            return large::of_property(self.network, property, self.options, cx, known);
        }
        // What only a watcher knows may go before what others do.
        let watchers = self.network.watchers();
        if !left_out.iter().all(|at| watchers.contains(at)) {
            self.network.refuse_priorities()?;
        }
        if !property.beside.is_empty() {
            let cx = &cx.with_work(self.most());
            return beside::search(self.network, property, self.options.threads, cx);
        }
        let goals = Goals {
            deadlock: false,
            error: true,
        };
        self.alone(&property.name, goals, &property.network, cx)
    }

    /// Searches what is needed for one answer.
    fn alone(
        &self,
        about: &str,
        goals: Goals,
        needed: &Network,
        cx: &Context,
    ) -> Result<Answer, Stop> {
        let cx = &cx.with_work(self.most());
        let exploration = explore(needed, goals, self.options.threads, cx)?;
        let told = |network: &Network| match &exploration.finding {
            Some((violation, events)) => {
                violated(network, about, "monolithic", events, *violation, cx)
            }
            None => Ok(explored(network, about, &exploration)),
        };
        // A violation is told with all components where nothing else breaks on the way.
        if exploration.finding.is_some()
            && let Ok(answer) = told(self.network)
        {
            return Ok(answer);
        }
        let mut answer = told(needed)?;
        answer.left_out = self.network.quieter_in(needed);
        if !answer.left_out.is_empty() {
            // A checker takes nothing that leaves something out where there are priorities.
            answer.evidence = None;
        }
        Ok(answer)
    }
}

/// What a search for everything at once found.
enum Together {
    /// Nothing: these are the answers.
    Nothing(Vec<Answer>),
    /// The nearest violation.
    Violated(Box<Answer>),
}

/// How many states are searched before other ways are tried. The steps from a state grow with
/// the number of components.
pub(super) fn searched_first(network: &Network, options: &Options) -> u64 {
    let components = network.components();
    let few = options.search_first / (1 + components.len() as u64 / 4);
    // All other ways look at single components again and again: where one has hundreds of thousands
    // of states, a few times as many are searched sooner.
    let largest = components.iter().map(|one| one.lts.states() as u64).max();
    let largest = largest.filter(|&states| states >= LARGE).unwrap_or(0);
    few.max(8 * largest)
}

/// States of a component that is no small part of a system.
const LARGE: u64 = 100_000;

/// Components that must not err.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) components: Vec<usize>,
    /// The processes and this property, without others that only watch.
    pub(super) network: Network,
    /// Components that err, too, and restrict others: they stay, and where they err an
    /// execution ends.
    pub(super) beside: Vec<usize>,
}

/// One property for each component that errs and only watches. Components that err and
/// restrict others have to be taken together.
pub(super) fn named(network: &Network) -> Vec<(String, Vec<usize>)> {
    let components = network.components();
    let erring: Vec<usize> = (0..components.len())
        .filter(|&at| components[at].lts.has_error())
        .collect();
    let names = property_names(erring.iter().map(|&at| &*components[at].name));
    let named = erring.into_iter().zip(names);
    let (watching, restricting): (Vec<_>, Vec<_>) =
        named.partition(|&(at, _)| components[at].is_observer());
    let alone = watching.into_iter().map(|(at, name)| (name, vec![at]));
    let mut all: Vec<(String, Vec<usize>)> = alone.collect();
    if !restricting.is_empty() {
        let (places, names): (Vec<usize>, Vec<String>) = restricting.into_iter().unzip();
        all.push((joint_name(&names), places));
    }
    all.sort_by_key(|(_, places)| places[0]);
    all
}

fn properties(network: &Network) -> Vec<Property> {
    let named = named(network);
    let observes = |at: &usize| network.components()[*at].is_observer();
    let (watching, restricting): (Vec<usize>, Vec<usize>) = named
        .iter()
        .flat_map(|(_, parts)| parts.iter().copied())
        .partition(observes);
    let others = |all: &[usize], own: &[usize]| -> Vec<usize> {
        let others = all.iter().copied().filter(|at| !own.contains(at));
        others.collect()
    };
    let all = named.into_iter().map(|(name, components)| {
        let quiet = others(&watching, &components);
        Property {
            network: network.quieted(|at| quiet.contains(&at)),
            beside: others(&restricting, &components),
            name,
            components,
        }
    });
    all.collect()
}

/// The steps that were looked at for an answer.
fn looked_at(answer: &Answer) -> u64 {
    match &answer.finding {
        Finding::Explored(exploration) => exploration.transitions,
        _ => 0,
    }
}

/// Adds assumptions to answers about properties that hold, where they are found with some work for
/// each.
pub(super) fn with_assumptions(
    network: &Network,
    properties: &[Property],
    mut answers: Vec<Answer>,
    (threads, work): (usize, u64),
    cx: &Context,
) -> Vec<Answer> {
    let components = network.components();
    // Learners look at single components again and again.
    let mut sizes = components.iter().map(|one| one.lts.states() as u64);
    if components.len() > MOST_SHOWN || sizes.any(|states| states >= LARGE) {
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
        let best = assumptions(network, property, (threads, work), cx)
            .into_iter()
            .flatten()
            .filter(|found| found.verdict == Verdict::Holds)
            .min_by_key(size);
        // An assumption that is larger than the system explains nothing.
        let states = match &answer.finding {
            Finding::Explored(exploration) => exploration.states,
            _ => u64::MAX,
        };
        let most = states.min(MOST_STATES_SHOWN);
        if let Some(best) = best.filter(|best| size(best) as u64 <= most) {
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
    (threads, work): (usize, u64),
    cx: &Context,
) -> [Result<Answer, Stop>; 2] {
    let learn = |algorithm: Algorithm, story: Story| {
        let mut own = Context {
            budget: cx.budget.child_with_work(work),
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
        let beside = || learn(Algorithm::LStar, story.clone());
        let other = std::thread::Builder::new().spawn_scoped(scope, beside);
        let one = learn(Algorithm::LSharp, cx.story.clone());
        let other = match other {
            Ok(other) => other.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // No thread can be started.
            Err(_) => beside(),
        };
        [one, other]
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
    // What errs and restricts others cannot be left to assumptions: it must not err either.
    let mut kept = [&property.components[..], &property.beside].concat();
    kept.sort_unstable();
    let outcome = prove(network, &kept, strategy, &mut statistics, cx)?;
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
                    let left_out = network.quieter_in(&property.network);
                    found = Some(Answer { left_out, ..answer });
                    break;
                }
            }
            found.ok_or_else(|| match property.beside.is_empty() {
                true => cannot_repeat(),
                false => another_errs(),
            })?
        }
        Conclusion::Unknown(stop) => return Err(stop),
    };
    answer.statistics = Some(statistics);
    Ok(answer)
}
