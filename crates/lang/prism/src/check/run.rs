//! One property of one instance.

use std::cell::RefCell;

use fixedbitset::FixedBitSet;
use quotient_core::{Claim, Context, Source, Stop, Trouble, Verdict};
use quotient_language::{Answer, Number};
use quotient_probability::{Analysis, Built, Precision};

use super::filter::{Answered, Found, middle};
use super::formula::Checker;
use super::outcome::Outcome;
use crate::instance::{Instance, Texts};
use crate::syntax::{FilterKind, Node, Tree};

/// An instance that was built, ready to be asked.
pub(crate) struct Run<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) instance: &'a Instance,
    pub(crate) built: &'a Built,
}

/// A property with the text that it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) name: &'a str,
    pub(crate) tree: &'a Tree,
    pub(crate) source: &'a Source,
}

/// Checks one property; bounds are tightened while they leave the answer open.
pub(crate) fn check_property(
    run: &Run<'_>,
    asked: &Asked<'_>,
    precision: Precision,
    cx: &Context,
) -> Result<Answer, Trouble> {
    let mut width = precision.width;
    let kept = RefCell::new(None);
    loop {
        let analysis = Analysis::new(&run.built.model, Precision { width });
        let checker = Checker {
            texts: run.texts,
            instance: run.instance,
            built: run.built,
            analysis: &analysis,
            source: asked.source,
            budget: &cx.budget,
            kept: &kept,
        };
        kept.replace(None);
        let found = checker.top(asked.tree);
        let open = match &found {
            Ok(found) => found.value == Answered::Truth(None),
            Err(Trouble::Stopped(Stop::Inconclusive { .. })) => true,
            Err(_) => false,
        };
        if open && width > 1e-15 {
            width *= 1e-3;
            continue;
        }
        return match found {
            Ok(found) => {
                let mut answer = answer(run, asked, &found);
                answer.trace = checker.witness(asked.tree, &found)?;
                let values = kept.take().filter(|_| crate::evidence::fits(asked.tree));
                let claim = match answer.verdict {
                    Verdict::Holds => Some(Claim::Holds),
                    Verdict::Violated => Some(Claim::Violated),
                    Verdict::Unknown(_) => None,
                };
                if let (Some(values), Some(claim)) = (values, claim) {
                    let evidence = crate::evidence::write(run.built, &values, claim);
                    answer.evidence = Some(evidence.about(asked.name));
                }
                Ok(answer)
            }
            Err(Trouble::Stopped(stop @ Stop::Inconclusive { .. })) => {
                Ok(Answer::unknown(asked.name, stop))
            }
            Err(other) => Err(other),
        };
    }
}

impl Checker<'_> {
    /// The answer for the initial states, unless a filter says otherwise.
    fn top(&self, tree: &Tree) -> Result<Found, Trouble> {
        if let Node::Filter(filter) = &tree.node {
            return self.filter(filter, tree.span);
        }
        let outcome = self.evaluate(tree)?;
        let mut initial = FixedBitSet::with_capacity(self.states());
        for &state in &self.built.model.initial {
            initial.insert(state as usize);
        }
        let what = match (&outcome, self.built.model.initial.len()) {
            (Outcome::Truth(..), _) => FilterKind::ForAll,
            (Outcome::Number(_), 1) => FilterKind::State,
            (Outcome::Number(_), _) => FilterKind::Range,
        };
        self.filtered(what, outcome, &initial, tree.span)
    }
}

fn answer(run: &Run<'_>, asked: &Asked<'_>, found: &Found) -> Answer {
    let verdict = match found.value {
        Answered::Truth(Some(true)) | Answered::Number(..) | Answered::Range(..) => Verdict::Holds,
        Answered::Truth(Some(false)) => Verdict::Violated,
        Answered::Truth(None) => Verdict::Unknown(Stop::inconclusive(
            "the bound lies between the lower and the upper bound of what it is compared with",
        )),
    };
    let states = quotient_language::text::count(run.built.model.states(), "state");
    let mut answer = Answer::new(asked.name, verdict);
    let number = |low: f64, high: f64| Number {
        value: middle(low, high),
        lower: low,
        upper: high,
        exact: None,
    };
    match found.value {
        Answered::Truth(_) => answer.because = format!("{states} looked at"),
        Answered::Number(low, high) => {
            answer.value = Some(number(low, high));
            answer.because = format!("{} ({states})", found.value.text());
        }
        Answered::Range(least, most) => {
            answer.value = Some(Number {
                value: middle(least.0, least.1),
                lower: least.0,
                upper: most.1,
                exact: None,
            });
            let range = [json_number(least), json_number(most)];
            answer.details.push(("range".to_owned(), range.into()));
            let many = quotient_language::text::count(found.looked, "start");
            answer.because = format!("{} over {many} ({states})", found.value.text());
        }
    }
    answer.table = found.table.clone();
    if let Some(state) = found.state
        && found.looked > 1
    {
        let values = run.built.states.values(state);
        answer
            .notes
            .push(format!("in the state {}", run.instance.state_text(&values)));
    }
    answer
}

fn json_number((low, high): (f64, f64)) -> serde_json::Value {
    let number = |value: f64| match value.is_finite() {
        true => serde_json::json!(value),
        false => serde_json::json!("infinity"),
    };
    serde_json::json!({
        "value": number(middle(low, high)),
        "lower": number(low),
        "upper": number(high),
    })
}
