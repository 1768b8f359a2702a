//! Verdicts with what shows them, and reasons to doubt them.

use std::time::Duration;

use quotient_core::{Context, Diagnostic, Evidence, Stop, Trouble, Verdict};
use quotient_language::text::{count, wrap};
use quotient_language::{Answer, Ask, Doubt};
use serde_json::json;

use super::circuit::{Engine, with_work};
use super::properties::Asked;
use super::vacuity::{Way, without_vacuity};
use super::{Opened, told};
use crate::program::Program;
use crate::run::Run;
use crate::session::{self, Session, as_set};

/// The work for evidence, of circuits that had their turns before decision diagrams answered, for all questions
/// together: less than half a second.
const ALL_AGAIN: u64 = 2_000_000;
/// The same where circuits had no turns and nobody will see the evidence: what there is to say of an answer in a line
/// is worth some hundredths of a second.
const BARE_AGAIN: u64 = 200_000;
/// The work for evidence from states that are looked at one by one, where nobody will see it.
const BARE_IN_STATES: u64 = 20_000;

/// How long decision diagrams look for doubts about a model that circuits had the answers to.
const LOOK: Duration = Duration::from_secs(5);

impl Opened {
    /// Answers what is asked, each answer as soon as it is there. What cannot be asked of a model
    /// (a CTL formula about inputs, say) is told after the answers to all the rest.
    pub(super) fn answer(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.session = None;
        self.asked = self.choose(&ask.properties)?;
        if self.engine() == Engine::Bits && ask.vacuity {
            let why = "parts that do not matter are found with decision diagrams, not with bits";
            return Err(Diagnostic::error("smv-engine", why).into());
        }
        let mut circuit = self.circuit(ask, cx)?;
        if self.engine() == Engine::Bits {
            self.by_bits_alone(&mut circuit, cx, tell);
            return Ok(());
        }
        let early = self.early(&mut circuit, cx, tell);
        if early.iter().all(|answered| *answered) && !early.is_empty() {
            return Ok(());
        }
        let formulas = self.asked.iter();
        let formulas = formulas.filter_map(|asked| asked.specification.clone().ok());
        let mut session = match self.open_session(formulas, cx) {
            Ok(session) => session,
            Err(Trouble::Stopped(stop)) => {
                let open = early.iter().zip(&self.asked).enumerate();
                let open = open.filter(|(_, (answered, _))| !**answered);
                let unknown = |asked: &Asked| asked.unknown(stop.clone());
                let open = open.map(|(at, (_, asked))| (at, unknown(asked)));
                self.late(&mut circuit, open.collect(), cx, tell);
                return Ok(());
            }
            Err(invalid) => return Err(invalid),
        };
        let way = match self.settings.flag("naive") {
            true => Way::Naive,
            false => Way::Lattice,
        };
        let (mut mistakes, mut open) = (Vec::new(), Vec::new());
        let (mut number, mut small) = (0, None);
        let again = with_work(ALL_AGAIN, cx);
        let (small_again, in_states) = match ask.bare {
            true => (with_work(BARE_AGAIN, cx), with_work(BARE_IN_STATES, cx)),
            false => (cx.clone(), cx.clone()),
        };
        for (at, asked) in self.asked.iter().enumerate() {
            if let Some(special) = asked.special {
                match self.special(asked, special, cx) {
                    Ok(answer) => tell(answer),
                    Err(Trouble::Invalid(found)) => mistakes.extend(found),
                    Err(Trouble::Stopped(stop)) => tell(asked.unknown(stop)),
                }
                continue;
            }
            if early[at] {
                number += 1;
                continue;
            }
            let vacuity = ask.vacuity.then_some(way);
            let answer = self.one(&mut session, number, asked, (vacuity, cx), tell);
            number += 1;
            let answer = answer.map(|(answer, run)| {
                // Models with many bits had their turns already.
                let (circuit, all) = match circuit.is_some() {
                    true => (&mut circuit, &again),
                    false => (&mut small, &small_again),
                };
                let answer = self.shown_by_bits(circuit, asked, answer, all);
                self.shown_by_states(asked, answer, run.as_ref(), &in_states)
            });
            match answer {
                Ok(answer) if matches!(answer.verdict, Verdict::Unknown(_)) => {
                    open.push((at, answer));
                }
                Ok(answer) => tell(answer),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        self.late(&mut circuit, open, cx, tell);
        self.session = Some(session);
        match mistakes.is_empty() {
            true => Ok(()),
            false => Err(Trouble::Invalid(mistakes)),
        }
    }

    /// One answer, with the run of what holds. Where more is asked than the verdict, that is told before.
    fn one(
        &self,
        session: &mut Session,
        number: usize,
        asked: &Asked,
        (vacuity, cx): (Option<Way>, &Context),
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(Answer, Option<Run>), Diagnostic> {
        let found = session.check(number).map_err(|error| asked.about(error))?;
        let holds = found.verdict == Verdict::Holds;
        let run = found.run.clone().filter(|_| holds);
        let mut answer = self.told(session.file().program(), asked, found);
        if let Some(way) = vacuity {
            let mut first = self.unless_empty(session, asked, answer.clone(), cx);
            if first.verdict.is_definite() {
                without_vacuity(&mut first, "there was no time to find out");
                tell(first);
            }
            session.add_vacuity(number, &asked.source, way, &mut answer)?;
            if !asked.property.in_file {
                answer.remarks.clear();
            }
        }
        Ok((self.unless_empty(session, asked, answer, cx), run))
    }

    /// An answer that a formula of branching time holds, with evidence for it if it has none and states
    /// that are looked at one by one show it soon.
    fn shown_by_states(
        &self,
        asked: &Asked,
        mut answer: Answer,
        run: Option<&Run>,
        cx: &Context,
    ) -> Answer {
        if answer.verdict == Verdict::Holds
            && answer.evidence.is_none()
            && let Ok(specification) = &asked.specification
        {
            let program = self.file.program();
            let found = program.shown_by_states(specification, run, &cx.budget);
            answer.evidence = found.map(|evidence| evidence.about(&asked.property.name));
        }
        answer
    }

    /// What holds only because no state is initial is unknown, unless that is allowed.
    pub(super) fn unless_empty(
        &self,
        session: &mut Session,
        asked: &Asked,
        answer: Answer,
        cx: &Context,
    ) -> Answer {
        self.if_it_starts(answer, asked, || session.has_initial_state(&cx.budget))
    }

    /// The same, for one who knows whether a state is initial.
    pub(super) fn if_it_starts(
        &self,
        answer: Answer,
        asked: &Asked,
        has_initial_state: impl FnOnce() -> Result<bool, Stop>,
    ) -> Answer {
        let allowed = self.settings.flag("allow-empty");
        if answer.verdict != Verdict::Holds || allowed {
            return answer;
        }
        match has_initial_state() {
            Ok(true) => answer,
            Ok(false) => {
                let why = "no state is initial, so it holds trivially (--allow-empty takes it)";
                asked.unknown(Stop::inconclusive(why))
            }
            Err(stop) => asked.unknown(stop),
        }
    }

    /// An answer of the engine in the words of the source.
    pub(super) fn told(&self, program: &Program, asked: &Asked, found: session::Answer) -> Answer {
        let mut answer = asked.answer(found.verdict.clone());
        let mut evidence: Option<Evidence> = None;
        let violated = found.verdict == Verdict::Violated;
        if let Some(certificate) = found.certificate.as_ref().filter(|_| !violated) {
            let nodes = count(certificate.nodes.len(), "node");
            answer.because =
                format!("an inductive set of states ({nodes} in its decision diagram)");
            evidence = Some(certificate.evidence());
        } else if let Some(proof) = &found.proof {
            answer.because = proof.line();
            evidence = Some(proof.evidence());
        }
        if let Some(run) = &found.run {
            if let Err(mismatch) = run.replay(program) {
                answer.notes.push(format!(
                    "the run does not replay: {mismatch}; this is a bug in quotient: please \
                     report it\n"
                ));
            }
            answer.because = told::describe(run, found.showing);
            answer.trace = Some(told::trace(run, program, &asked.property.text));
            answer
                .details
                .push(("run".to_owned(), told::to_json(run, program)));
            // Only a whole run convinces others: a state that leaves out variables need be none.
            if violated {
                let barrier = found.certificate.as_ref().filter(|_| run.back_to.is_none());
                match run.variables.len() == program.variables().len() {
                    true => {
                        evidence = Some(match barrier {
                            Some(set) => run.with_barrier(program, as_set(set.clone())),
                            None => run.evidence(program),
                        });
                    }
                    false => {
                        let why = "the run leaves out variables that the specification does not \
                                   depend on; no whole run was found, so there is no evidence for \
                                   others";
                        answer.notes.push(wrap(why, 78) + "\n");
                    }
                }
            }
        }
        answer.evidence = evidence.map(|evidence| evidence.about(&asked.property.name));
        answer
    }

    /// Reasons to doubt the model as a whole. Where circuits gave the answers, decision diagrams may
    /// take for ever, so that they have little time there.
    pub(super) fn doubt(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut limited = None;
        let mut session = match self.session.take() {
            Some(session) => session,
            None => {
                let goes_on = self.goes_on(cx);
                if goes_on == Some(true) {
                    return Ok(Vec::new());
                }
                limited = goes_on.map(|_| Context {
                    budget: cx.budget.child_for(LOOK),
                    ..cx.clone()
                });
                self.open_session([], limited.as_ref().unwrap_or(cx))?
            }
        };
        session
            .checker()
            .set_context(limited.as_ref().unwrap_or(cx));
        let found = session.doubts();
        let program = session.file().program();
        let doubts = match found {
            Err(stop) => {
                let mut doubt = Doubt::new(
                    "unfinished",
                    format!("not all reasons were looked for: {stop}"),
                );
                doubt.details["because"] = json!(stop.to_string());
                vec![doubt]
            }
            Ok(found) => (found.iter())
                .map(|doubt| {
                    let mut told = Doubt::new(doubt.warning.code, doubt.warning.message.clone());
                    if let Some(run) = &doubt.run {
                        told.details["run"] = told::to_json(run, program);
                        told.text.push_str(&told::last_state(run, program));
                    }
                    for line in doubt.warning.notes.iter().chain(&doubt.warning.help) {
                        told.text.push_str("; ");
                        told.text.push_str(line);
                    }
                    told
                })
                .collect(),
        };
        self.session = Some(session).filter(|_| limited.is_none());
        Ok(doubts)
    }
}

impl Asked {
    /// A bare answer.
    pub(super) fn answer(&self, verdict: Verdict) -> Answer {
        let mut answer = Answer::new(&self.property.name, verdict);
        answer.number = self.property.number;
        let mut detail = |name: &str, text: &str| {
            answer.details.push((name.to_owned(), json!(text)));
        };
        detail("kind", &self.property.kind);
        let name = self.specification.as_ref().ok();
        if let Some(name) = name.and_then(|one| one.name.as_ref()) {
            detail("name", name);
        }
        if self.property.name != self.property.text {
            detail("formula", &self.property.text);
        }
        answer
    }

    /// No answer, for a reason.
    pub(super) fn unknown(&self, why: Stop) -> Answer {
        let because = why.to_string();
        self.answer(Verdict::Unknown(why)).because(because)
    }

    /// A message of the engine with the text that it is about: a formula of the command line is
    /// not part of the file.
    fn about(&self, mut error: Diagnostic) -> Diagnostic {
        error.source = Some(self.source.clone());
        error
    }
}
