//! Answering what is asked.

use quotient_compose::{
    Answer as Found, Finding, Goals, Network, Options as How, Way, check_telling, explore,
};
use quotient_core::{Context, Stop, Trouble, Verdict};
use quotient_language::{Answer, Ask, Inspected};
use quotient_lts::evidence::NO_DEADLOCK;
use quotient_lts::{NodeId, Operation, System};

use super::answer::Teach;
use super::asked::{Asked, EVERY_ACTION, Kind};
use super::opened::Opened;
use crate::question::Ask as Question;
use crate::{Compiled, Options};

/// What an answer of the engine is about, and the name that it has here.
type Names = Vec<(String, String)>;

impl Opened {
    /// Answers what is asked, each question by itself.
    pub(super) fn answer(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let asked = self.asked_by(ask)?;
        match &asked[..] {
            [only] if only.kind == Kind::Comparison => {
                tell(self.answer_comparison(only, cx)?);
                return Ok(());
            }
            [only] if only.kind == Kind::Modal => {
                tell(self.answer_modal(only, cx)?);
                return Ok(());
            }
            _ => {}
        }
        if ask.properties.is_empty() && self.options.system.is_none() {
            let unused = self.model.unused_properties(&self.options.properties);
            self.warn(unused);
        }
        let way = self.wishes.way(self.system()?, self.model.source())?;
        let mut how = How {
            way,
            ..How::default()
        };
        if let Some(threads) = ask.threads {
            how.threads = threads;
        }
        let is_chosen = !ask.properties.is_empty() || self.wishes.ltl.is_some();
        self.answer_all(&asked, &how, is_chosen, cx, tell)
    }

    /// Answers questions. Where one was chosen and cannot be asked, that is a mistake; where all
    /// are asked, it is unknown.
    fn answer_all(
        &mut self,
        asked: &[Asked],
        how: &How,
        is_chosen: bool,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.answer_safety(asked, how, cx, tell)?;
        for one in asked {
            match &one.kind {
                Kind::Idle => tell(allows_everything(one)),
                Kind::Watcher(name) => self.answer_watcher(name, one, how, cx, tell)?,
                _ => {}
            }
        }
        self.answer_progress(asked, how, cx, tell)?;
        for one in asked {
            let Kind::Assertion(name) = &one.kind else {
                continue;
            };
            match self.answer_assertion(name, one, how, cx, tell) {
                Ok(()) => {}
                Err(Trouble::Stopped(stop)) => tell(Answer::unknown(&one.property.name, stop)),
                Err(trouble) if is_chosen => return Err(trouble),
                Err(trouble) => {
                    let stop = Stop::inconclusive(trouble.to_string());
                    tell(Answer::unknown(&one.property.name, stop));
                }
            }
        }
        Ok(())
    }

    fn answer_safety(
        &mut self,
        asked: &[Asked],
        how: &How,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let mut names = Names::new();
        for one in asked {
            let name = one.property.name.clone();
            match &one.kind {
                Kind::Deadlock => names.push((NO_DEADLOCK.to_owned(), name)),
                Kind::Safety(full) => names.push((full.clone(), name)),
                _ => {}
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        let mut base = self.system()?.clone();
        self.answer_by(&Question::Safety, &mut base, names, how, cx, tell)
    }

    /// A property process that is added to the system only for this question.
    fn answer_watcher(
        &mut self,
        name: &str,
        asked: &Asked,
        how: &How,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let options = self.watched_by(name);
        let mut watched = self.model.compile(&options, &cx.budget)?;
        let full = watched.components.last().cloned().unwrap_or_default();
        self.warn(std::mem::take(&mut watched.warnings));
        let network = watched.network(&cx.budget)?;
        let mut components = network.components().iter();
        let own = components.find(|component| *component.name == *full);
        if own.is_some_and(|component| !component.lts.has_error()) {
            tell(allows_everything(asked));
            return Ok(());
        }
        let names = vec![(full, asked.property.name.clone())];
        let mut tell = |mut answer: Answer| {
            if let Some(evidence) = &mut answer.evidence {
                let watch = evidence.settings.entry("watch".to_owned()).or_default();
                watch.clone_from(&options.properties);
            }
            tell(answer);
        };
        self.answer_by(&Question::Safety, &mut watched, names, how, cx, &mut tell)
    }

    /// The same options with one more property process.
    pub(super) fn watched_by(&self, name: &str) -> Options {
        let mut options = self.options.clone();
        options.properties.push(name.to_owned());
        options
    }

    fn answer_progress(
        &mut self,
        asked: &[Asked],
        how: &How,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let mut names = Names::new();
        for one in asked {
            let name = one.property.name.clone();
            match &one.kind {
                Kind::Progress(full) => names.push((full.clone(), name)),
                Kind::EveryAction => names.push((EVERY_ACTION.to_owned(), name)),
                _ => {}
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        let mut base = self.unwatched(cx)?;
        self.answer_by(&Question::Progress, &mut base, names, how, cx, tell)?;
        self.warn(base.warnings);
        Ok(())
    }

    /// The system without its properties; what was odd about it has been told.
    fn unwatched(&self, cx: &Context) -> Result<Compiled, Trouble> {
        let mut compiled = self.model.compile_unwatched(&self.options, &cx.budget)?;
        compiled.warnings.clear();
        Ok(compiled)
    }

    fn answer_assertion(
        &mut self,
        name: &str,
        asked: &Asked,
        how: &How,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let mut base = self.unwatched(cx)?;
        let question = Question::Assertion {
            name: name.to_owned(),
            fair: self.wishes.fair,
        };
        let names = vec![(name.to_owned(), asked.property.name.clone())];
        self.answer_by(&question, &mut base, names, how, cx, tell)?;
        self.warn(base.warnings);
        Ok(())
    }

    /// Puts a question to the engine and tells its answers under the names that they have here, each
    /// verdict as soon as it is known.
    fn answer_by(
        &self,
        question: &Question,
        system: &mut Compiled,
        names: Names,
        how: &How,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let mut asked = self
            .model
            .question(question, &self.options, system, &cx.budget)?;
        if let quotient_compose::Question::Safety { deadlock } = &mut asked {
            *deadlock = names.iter().any(|(about, _)| about == NO_DEADLOCK);
        }
        let only = names.iter().map(|(about, _)| about.clone()).collect();
        let mut how = How {
            only: Some(only),
            ..how.clone()
        };
        // Priorities look at all components at once: there is nothing to assume of a part.
        let is_whole = matches!(how.way, Way::Assumptions(_)) && has_priorities(&system.system);
        if is_whole {
            how.way = Way::Monolithic;
        }
        let by_assumptions = matches!(how.way, Way::Assumptions(_));
        let mut tell = |mut answer: Answer| {
            if is_whole {
                let note = "a system with priorities is not taken apart: it was searched whole";
                answer.notes.push(note.to_owned());
            }
            tell(answer);
        };
        let name = |found: &Found| names.iter().find(|(about, _)| *about == found.about);
        let model = &self.model;
        let mut told: Vec<Told> = Vec::new();
        let mut at_once = |network: &Network, found: &Found| {
            let known = Told::of(found);
            if let Some((_, name)) = name(found).filter(|_| !told.contains(&known)) {
                Teach {
                    model,
                    network,
                    asked: &asked,
                }
                .tell(found, name, cx, &mut tell);
                told.push(known);
            }
        };
        let report = match check_telling(&system.system, &asked, &how, cx, &mut at_once) {
            Ok(report) => report,
            Err(stop) => {
                let is_open = |about: &str| told.iter().all(|told| told.about != about);
                for (_, name) in names.iter().filter(|(about, _)| is_open(about)) {
                    tell(Answer::unknown(name, stop.clone()));
                }
                return Ok(());
            }
        };
        let proved = by_assumptions && report.verdict() == Verdict::Holds;
        let last = report.answers.len().saturating_sub(1);
        for (number, found) in report.answers.iter().enumerate() {
            let is_last = proved && number == last && *question == Question::Safety;
            let name = match name(found) {
                Some((_, name)) => name,
                // The engine takes together what else would have no answer.
                None if found.verdict.is_definite() => continue,
                None => &found.about,
            };
            if told.contains(&Told::of(found)) && !is_last {
                continue;
            }
            let teach = Teach {
                model,
                network: &report.network,
                asked: &asked,
            };
            teach.tell(found, name, cx, &mut |mut answer| {
                if is_last {
                    let note = "no word on deadlock: assumptions are about properties";
                    answer.notes.push(note.to_owned());
                    let details = ("deadlock".to_owned(), "not checked".into());
                    answer.details.push(details);
                }
                tell(answer);
            });
        }
        Ok(())
    }

    /// Searches the whole system, whatever its size.
    pub(super) fn searched(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let network = self.system()?.network(&cx.budget)?;
        let mut inspected = Inspected {
            what: self.system()?.name.clone(),
            sizes: sizes(&network, cx)?,
            ..Inspected::default()
        };
        let asked = self.asked_by(&Ask::default())?;
        let how = How {
            way: Way::Monolithic,
            ..How::default()
        };
        // A verdict may be told again, with more to show for it.
        let all = &mut inspected.answers;
        let mut tell =
            |answer: Answer| match all.iter_mut().find(|one| one.property == answer.property) {
                Some(before) => *before = answer,
                None => all.push(answer),
            };
        self.answer_all(&asked, &how, false, cx, &mut tell)?;
        let place = |answer: &Answer| {
            let mut asked = asked.iter();
            asked.position(|one| one.property.name == answer.property)
        };
        inspected
            .answers
            .sort_by_key(|answer| place(answer).unwrap_or(usize::MAX));
        Ok(inspected)
    }
}

/// The answer about a property process that cannot err.
fn allows_everything(asked: &Asked) -> Answer {
    let because = "it allows its actions in any order";
    Answer::new(&asked.property.name, Verdict::Holds).because(because)
}

/// What was told: about the same thing a shorter run, or assumptions, may be known later.
#[derive(PartialEq, Eq)]
struct Told {
    about: String,
    method: String,
    /// The steps of a run.
    steps: Option<usize>,
}

impl Told {
    fn of(found: &Found) -> Told {
        Told {
            about: found.about.clone(),
            method: found.method.clone(),
            steps: match &found.finding {
                Finding::Trace(trace) => Some(trace.steps.len()),
                _ => None,
            },
        }
    }
}

/// Whether some actions of a system go before others.
fn has_priorities(system: &System) -> bool {
    let nodes = system.root().map_or(0, |root| root.index() + 1);
    (0..nodes).any(|node| {
        let node = system.node(NodeId::from_index(node));
        matches!(node.operation, Operation::High(..) | Operation::Low(..))
    })
}

/// How much there is of a system.
fn sizes(network: &Network, cx: &Context) -> Result<Vec<(&'static str, u64)>, Stop> {
    let nothing = Goals {
        deadlock: false,
        error: false,
    };
    let found = explore(network, nothing, How::default().threads, cx)?;
    Ok(vec![
        ("components", network.components().len() as u64),
        ("states", found.states),
        ("transitions", found.transitions),
        ("depth", found.depth),
    ])
}
