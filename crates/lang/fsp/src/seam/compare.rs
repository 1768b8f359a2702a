//! Two systems beside each other: `compare`.

use quotient_certify::{Side, certify_comparison, multiplied_out};
use quotient_compose::{Compared, Comparison, compare, modal_text};
use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Stop, Trouble, Verdict,
};
use quotient_language::text::count;
use quotient_language::{AGAINST, Answer, Files, Input, Layout, Property, Settings, Step, Trace};
use quotient_lts::evidence::{DIFFERENT, ENDED, ERRED, SAME, SameData, WitnessData};
use quotient_lts::{Actions, Lts, Relation, System};
use serde_json::json;

use super::asked::{Asked, Kind};
use super::opened::Opened;
use super::read::read;
use crate::{Compiled, Model, Options, write_labels};

/// What the system is compared with.
pub(super) struct Against {
    /// As the user names it.
    shown: String,
    model: Model,
    options: Options,
    relation: Relation,
    refines: bool,
}

impl Against {
    /// What the settings say: `FILE`, `FILE#NAME`, or `#NAME` for another part of the same text.
    pub(super) fn of(
        settings: &Settings,
        own: (&Model, &Options),
        files: &mut dyn Files,
    ) -> Result<Option<Against>, Trouble> {
        let Some(wanted) = settings.text(AGAINST) else {
            return Ok(None);
        };
        let (file, part) = match wanted.rsplit_once('#') {
            Some((file, part)) => (file, Some(part.to_owned())),
            None => (wanted, None),
        };
        let (model, options) = match (file, &part) {
            ("", None) => {
                let message = "there is nothing to compare with";
                return Err(Diagnostic::error("usage", message)
                    .help("name a file, or a part of one as in `FILE.lts#NAME`")
                    .into());
            }
            ("", Some(_)) => {
                let options = Options {
                    system: part,
                    properties: Vec::new(),
                    ..own.1.clone()
                };
                (own.0.clone(), options)
            }
            (file, _) => {
                let bytes = files.read(file).map_err(|why| {
                    let message = format!("`{file}` cannot be read: {why}");
                    Trouble::from(Diagnostic::error("unreadable", message))
                })?;
                let (model, imports) = read(&Input::bytes(file, bytes), files)?;
                let options = Options {
                    system: part,
                    imports,
                    ..Options::default()
                };
                (model, options)
            }
        };
        let relation = settings.text("up-to").and_then(Relation::named);
        let relation = relation.unwrap_or(Relation::Weak);
        let refines = settings.flag("refines");
        if refines && relation.is_bisimulation() {
            let message = format!("nothing refines up to {}", relation.words());
            return Err(Diagnostic::error("usage", message)
                .note("a bisimulation has no direction")
                .help("compare up to traces, failures or failures-divergences")
                .into());
        }
        Ok(Some(Against {
            shown: wanted.to_owned(),
            model,
            options,
            relation,
            refines,
        }))
    }

    /// The one question that there is.
    pub(super) fn question(&self, base: &Compiled) -> Asked {
        let (other, words) = (&self.shown, self.relation.words());
        let name = match self.refines {
            true => format!("refines {other} in {words}"),
            false => format!("same as {other} up to {words}"),
        };
        let verb = if self.refines { "" } else { "is the " };
        let property = Property {
            text: format!("{} {verb}{name}", base.name),
            kind: "comparison".to_owned(),
            in_file: true,
            name,
            ..Property::default()
        };
        let kind = Kind::Comparison;
        Asked { property, kind }
    }
}

/// A system multiplied out, as it is written.
pub(super) struct Built {
    name: String,
    pub(super) lts: Lts,
    pub(super) actions: Actions,
}

impl Built {
    /// By the checker's own way of multiplying out, so that states have the same numbers for who
    /// compares and who checks.
    pub(super) fn of(compiled: &Compiled, budget: &Budget) -> Result<Built, Rejection> {
        let mut system: System = compiled.system.clone();
        system.set_root(compiled.whole);
        Ok(Built {
            name: compiled.name.clone(),
            lts: multiplied_out(&system, budget)?,
            actions: system.actions,
        })
    }

    /// The actions that it takes part in.
    fn alphabet(&self) -> Vec<&str> {
        let alphabet = self.lts.alphabet().iter();
        alphabet.map(|&action| self.actions.name(action)).collect()
    }
}

impl Opened {
    /// The two systems.
    fn sides(&self, against: &Against, budget: &Budget) -> Result<[Built; 2], Trouble> {
        let own = Built::of(self.system()?, budget);
        let other = against.model.compile(&against.options, budget)?;
        let other = Built::of(&other, budget);
        let stopped = |rejection: Rejection| match rejection {
            Rejection::Stopped(stop) => Trouble::Stopped(stop),
            wrong => Stop::inconclusive(wrong.to_string()).into(),
        };
        Ok([own.map_err(stopped)?, other.map_err(stopped)?])
    }

    /// Answers whether the systems are the same.
    pub(super) fn answer_comparison(&self, asked: &Asked, cx: &Context) -> Result<Answer, Trouble> {
        let name = &asked.property.name;
        let Some(against) = &self.against else {
            let stop = Stop::inconclusive("there is nothing to compare with");
            return Ok(Answer::unknown(name, stop));
        };
        let sides = match self.sides(against, &cx.budget) {
            Err(Trouble::Stopped(stop)) => return Ok(Answer::unknown(name, stop)),
            sides => sides?,
        };
        let (relation, refines) = (against.relation, against.refines);
        let compared = sides.each_ref().map(|side| Compared {
            lts: &side.lts,
            actions: &side.actions,
        });
        let found = match compare(compared, relation, refines, &cx.budget) {
            Err(stop) => return Ok(Answer::unknown(name, stop)),
            Ok(found) => found,
        };
        let names = [sides[0].name.as_str(), against.shown.as_str()];
        let mut answer = match &found {
            Comparison::Same(data) => {
                let evidence = Evidence::of_holds(SAME, data).about(name);
                Answer::new(name, Verdict::Holds)
                    .because(why_same(data))
                    .with_evidence(evidence)
            }
            Comparison::Different(data) => {
                let evidence = Evidence::of_violated(DIFFERENT, data).about(name);
                let answer = Answer::new(name, Verdict::Violated).with_evidence(evidence);
                told_apart(answer, &data.witness, names, relation)
            }
        };
        let sizes: Vec<String> = sides
            .iter()
            .zip(names)
            .map(|(side, name)| format!("{name} has {}", count(side.lts.states(), "state")))
            .collect();
        answer.notes.push(sizes.join(", "));
        answer.notes.extend(alphabets(&sides, names));
        Ok(answer.by(match relation.is_bisimulation() {
            true => "partition refinement",
            false => "antichains",
        }))
    }

    /// Checks evidence about the two systems, which are read and multiplied out again.
    pub(super) fn judge_comparison(
        &self,
        evidence: &Evidence,
        against: &Against,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let sides = self
            .sides(against, budget)
            .map_err(super::certify::rejection)?;
        let compared = sides.each_ref().map(|side| Side {
            lts: &side.lts,
            actions: &side.actions,
        });
        let asked = (against.relation, against.refines);
        let mut certified = certify_comparison(evidence, compared, asked, budget)?;
        let fact = format!(
            "the first is {}, the second {}",
            sides[0].name, against.shown
        );
        certified.facts.insert(0, fact);
        Ok(certified)
    }
}

fn why_same(data: &SameData) -> String {
    match data.relation.is_bisimulation() {
        true => {
            let mut blocks: Vec<u32> = data.blocks.iter().flatten().copied().collect();
            blocks.sort_unstable();
            blocks.dedup();
            let blocks = count(blocks.len(), "block");
            format!("the states of both fall into {blocks} that do the same")
        }
        false => {
            let pairs = data.allowed.iter().map(Vec::len).sum();
            let pairs = count(pairs, "pair");
            match data.refines {
                true => format!("whatever the one does the other allows, in {pairs}"),
                false => format!("each allows what the other does, in {pairs}"),
            }
        }
    }
}

/// Says what one of two systems has and the other has not.
fn told_apart(
    mut answer: Answer,
    witness: &WitnessData,
    names: [&str; 2],
    relation: Relation,
) -> Answer {
    let (second, actions) = match witness {
        WitnessData::Trace { second, actions }
        | WitnessData::Failure {
            second, actions, ..
        }
        | WitnessData::Divergence { second, actions } => (*second, actions),
        WitnessData::Formula { parts } => {
            let [first, second] = names;
            let text = modal_text(parts, relation);
            answer.because = match &text {
                Some(text) => format!("{first} satisfies {text}, and {second} does not"),
                None => format!(
                    "a formula of {} tells {first} from {second}",
                    count(parts.len(), "part")
                ),
            };
            let table = json!({ "formula": text });
            answer.details.push(("table".to_owned(), table));
            return answer;
        }
    };
    let [one, other] = match second {
        false => names,
        true => [names[1], names[0]],
    };
    let mut trace = Trace::new(Layout::Events, [""; 0]);
    trace.steps.push(Step::start([]));
    let mut table = json!({ "by": one, "actions": actions });
    let steps = count(actions.len(), "step");
    let (seen, end) = match (witness, actions.split_last()) {
        (WitnessData::Trace { .. }, Some((last, before))) if last == ENDED => {
            (before, format!("{one} can have ended here, {other} cannot"))
        }
        (WitnessData::Trace { .. }, Some((last, before))) if last == ERRED => (
            before,
            format!("{one} can be in ERROR here, {other} cannot"),
        ),
        (WitnessData::Failure { refused, .. }, _) => {
            let refused = refused.iter().map(|name| match name.as_str() {
                ENDED => "to end",
                name => name,
            });
            let refused: Vec<&str> = refused.collect();
            table["refused"] = json!(refused);
            let end = match refused.is_empty() {
                true => format!("{one} can come to rest here, {other} cannot"),
                false => {
                    let set = write_labels(refused);
                    format!("{one} can refuse {set} here for good, {other} cannot")
                }
            };
            (&actions[..], end)
        }
        (WitnessData::Divergence { .. }, _) => {
            let end = format!("{one} can be silently busy for ever here, {other} cannot");
            (&actions[..], end)
        }
        (_, Some((last, _))) => (&actions[..], format!("{other} cannot do `{last}` here")),
        (_, None) => (&actions[..], format!("{other} cannot do the same")),
    };
    for action in seen {
        trace.steps.push(Step::by(action, [one], []));
    }
    answer.because = match witness {
        WitnessData::Trace { .. } => {
            format!("a trace of {one} that {other} does not have, {steps}")
        }
        WitnessData::Failure { .. } => {
            format!("a failure of {one} that {other} does not have, after {steps}")
        }
        _ => format!("a divergence of {one} that {other} does not have, after {steps}"),
    };
    trace.ending.push(end);
    answer.trace = Some(trace);
    answer.details.push(("table".to_owned(), table));
    answer
}

/// Alphabets are no matter of these relations, but of what systems do together with others.
fn alphabets(sides: &[Built; 2], names: [&str; 2]) -> Vec<String> {
    let alphabets = sides.each_ref().map(Built::alphabet);
    let mut notes = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        let only: Vec<&str> = alphabets[own]
            .iter()
            .filter(|action| !alphabets[other].contains(action))
            .copied()
            .collect();
        if !only.is_empty() {
            notes.push(format!(
                "only {} has {} in its alphabet: composed with others it may hold them up",
                names[own],
                write_labels(only.iter().copied())
            ));
        }
    }
    notes
}
