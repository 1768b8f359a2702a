//! Formulas of the modal mu-calculus about the system as it is written.

use quotient_certify::{Side, certify_modal};
use quotient_compose::{Compared, solve_modal};
use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Trouble, Verdict,
};
use quotient_language::text::count;
use quotient_language::{Answer, Property};
use quotient_lts::evidence::{ENDED, ERRED, GAME};
use quotient_lts::modal::Modal;
use rustc_hash::FxHashSet;

use super::asked::{Asked, Kind};
use super::compare::Built;
use super::opened::Opened;
use crate::Compiled;

/// The question about a formula.
pub(super) fn question(formula: &str) -> Asked {
    let property = Property {
        name: formula.to_owned(),
        text: formula.to_owned(),
        kind: "mu-calculus".to_owned(),
        ..Property::default()
    };
    let kind = Kind::Modal;
    Asked { property, kind }
}

/// Reads a formula that a user gave.
pub(super) fn read(formula: &str) -> Result<Modal, Trouble> {
    Ok(Modal::read(&Source::new("--mu", formula))?)
}

/// Warnings about actions of a formula that the system as it is written does not have: what must
/// hold after one of them holds, and nothing can after it.
pub(super) fn unknown(formula: &str, base: &Compiled) -> Result<Vec<Diagnostic>, Trouble> {
    let source = Source::new("--mu", formula);
    let modal = read(formula)?;
    let system = &base.system;
    let alphabet = system.alphabet(base.whole).iter();
    let labels: Vec<&str> = alphabet.map(|&one| system.actions.name(one)).collect();
    let known: FxHashSet<&str> = labels
        .iter()
        .copied()
        .chain(["tau", ENDED, ERRED])
        .collect();
    let names = modal.actions().into_iter();
    let warnings = names.filter(|name| !known.contains(name)).map(|name| {
        let message = format!("the formula is about `{name}`, which no component does");
        let warning = Diagnostic::warning("unknown-action", message)
            .in_source(&source)
            .did_you_mean(name, labels.iter().copied());
        match name.split_once('.') {
            Some((first, rest)) if known.contains(first) => {
                warning.help(format!("one after the other is `{first}; {rest}`"))
            }
            _ => warning,
        }
    });
    Ok(warnings.collect())
}

impl Opened {
    /// Answers whether the formula holds.
    pub(super) fn answer_modal(&self, asked: &Asked, cx: &Context) -> Result<Answer, Trouble> {
        let name = &asked.property.name;
        let formula = read(name)?;
        let built = match Built::of(self.system()?, &cx.budget) {
            Ok(built) => built,
            Err(Rejection::Stopped(stop)) => return Ok(Answer::unknown(name, stop)),
            Err(wrong) => {
                let stop = quotient_core::Stop::inconclusive(wrong.to_string());
                return Ok(Answer::unknown(name, stop));
            }
        };
        let system = Compared {
            lts: &built.lts,
            actions: &built.actions,
        };
        let (holds, data) = match solve_modal(system, &formula, &cx.budget) {
            Ok(found) => found,
            Err(stop) => return Ok(Answer::unknown(name, stop)),
        };
        let (verdict, evidence) = match holds {
            true => (Verdict::Holds, Evidence::of_holds(GAME, &data)),
            false => (Verdict::Violated, Evidence::of_violated(GAME, &data)),
        };
        let states = count(built.lts.states(), "state");
        Ok(Answer::new(name, verdict)
            .because(match data.moves.len() {
                1 => format!("1 choice wins the game about it on {states}"),
                many => format!(
                    "{} win the game about it on {states}",
                    count(many, "choice")
                ),
            })
            .by("parity game")
            .with_evidence(evidence.about(name)))
    }

    /// Checks evidence about a formula; the system is multiplied out again.
    pub(super) fn judge_modal(
        &self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let formula = read(&property.name).map_err(super::certify::rejection)?;
        let compiled = self.system().map_err(super::certify::rejection)?;
        let built = Built::of(compiled, budget)?;
        let system = Side {
            lts: &built.lts,
            actions: &built.actions,
        };
        certify_modal(evidence, system, &formula, budget)
    }
}
