//! Does a specification have its value for a trivial reason?

use quotient_core::{Diagnostic, Source, Span, Stop, Verdict};
use quotient_language::text::{count, wrap};
use quotient_language::{Answer, Json};
use quotient_logic::{Formula, Unary};
use quotient_symbolic::{Expression, Part, Reason, Refusal, Specification, VacuityReport};
use serde_json::json;

use super::marked::{marked, pieces, text_of};
use super::told;
use crate::session::Session;
use crate::syntax::SpecificationKind;

/// How vacuity is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In one run over the vacuity lattice.
    Lattice,
    /// By checking a changed formula for each atom.
    Naive,
}

/// The most sets of parts that do not matter together.
const MOST_SETS: usize = 5;

impl Session {
    /// Says in an answer which parts of the specification do not matter, and shows a run where
    /// a part that does matter is at work.
    pub(super) fn add_vacuity(
        &mut self,
        specification: usize,
        source: &Source,
        way: Way,
        answer: &mut Answer,
    ) -> Result<(), Diagnostic> {
        if !answer.verdict.is_definite() {
            return Ok(());
        }
        match self.find_vacuity(specification, source, way, answer) {
            Ok(()) => Ok(()),
            Err(Refusal::Stopped(stop)) => {
                without_vacuity(answer, &stop.to_string());
                Ok(())
            }
            Err(refusal) => Err(refusal.diagnostic(source)),
        }
    }

    fn find_vacuity(
        &mut self,
        specification: usize,
        source: &Source,
        way: Way,
        answer: &mut Answer,
    ) -> Result<(), Refusal> {
        let written = &self.specifications()[specification];
        let (kind, span, text) = (written.kind, written.span, written.text.clone());
        let formula = self.formula(specification).clone();
        let checker = self.checker();
        // What is said about steps is not said in CTL.
        let linear = kind == SpecificationKind::Ltl || !checker.is_about_states(&formula);
        let formula = match kind {
            SpecificationKind::Invariant if linear => {
                Formula::unary(Unary::Globally(None), formula)
            }
            SpecificationKind::Invariant => always(formula),
            _ => formula,
        };
        let atoms = match (linear, way) {
            (true, _) => checker.vacuous_atoms_naively(&Specification::Ltl(formula.clone()))?,
            (false, Way::Naive) => {
                checker.vacuous_atoms_naively(&Specification::Ctl(formula.clone()))?
            }
            (false, Way::Lattice) => checker.vacuous_atoms(&formula)?,
        };
        if atoms.holds != (answer.verdict == Verdict::Holds) {
            // An invariant counts in states without a fair path, too.
            let reason = "the invariant differs from `AG` on fair paths";
            return Err(Refusal::Stopped(Stop::inconclusive(reason)));
        }
        let vacuous = atoms.vacuous().count();
        let by_lattice = !linear && way == Way::Lattice;
        let largest = match by_lattice && vacuous > 0 {
            true => checker.largest_vacuous(&formula, &atoms)?,
            false => atoms.clone(),
        };
        let together = match by_lattice && vacuous > 1 {
            true => checker.mutually_vacuous(&formula, &atoms, MOST_SETS)?,
            false => Vec::new(),
        };
        let witness = match linear {
            true => None,
            false => checker.interesting_witness(&formula, &atoms)?,
        };
        let telling = Telling {
            source,
            span,
            formula: &formula,
        };
        let mut note = telling.note(&atoms, &largest);
        let apart = together.len() > 1;
        if apart {
            note.push_str(&telling.apart(&together));
        }
        let mut value = telling.to_json(&atoms, &largest, &together);
        if let Some((position, trace)) = witness {
            let witness = self.run(&trace);
            let program = self.file().program();
            let part = telling.text_at(position);
            note.push_str(&format!("an interesting run, where `{part}` matters:\n"));
            for line in told::lines(&told::trace(&witness, program, &text)) {
                note.push_str(&line);
                note.push('\n');
            }
            value["witness"] = json!({
                "part": part,
                "run": told::to_json(&witness, program),
            });
        }
        answer.vacuous = vacuous > 0;
        let remark = |part: &Part| {
            let why = telling.because(part.reason, largest.holds);
            let text = format!("this part never matters: {why}");
            (part.span, text)
        };
        answer.remarks.extend(largest.vacuous().map(remark));
        let parts: Vec<(Span, String)> = largest.vacuous().map(remark).collect();
        if !parts.is_empty() {
            value["formula"] = json!(pieces(source, span, &parts));
        }
        answer.notes.push(note);
        answer.details.push(("vacuity".to_owned(), value));
        Ok(())
    }
}

/// Says that it is not known whether a formula is vacuous, which takes nothing from its verdict.
pub(super) fn without_vacuity(answer: &mut Answer, why: &str) {
    answer.notes.push(format!("vacuity is unknown: {why}\n"));
    let details = ("vacuity".to_owned(), json!({ "unknown": why }));
    answer.details.push(details);
}

/// What to tell about a formula.
struct Telling<'a> {
    source: &'a Source,
    span: Span,
    formula: &'a Formula<Expression>,
}

impl Telling<'_> {
    fn note(&self, atoms: &VacuityReport, largest: &VacuityReport) -> String {
        let parts: Vec<Span> = largest.vacuous().map(|part| part.span).collect();
        if parts.is_empty() {
            return match atoms.parts.len() {
                0 => "not vacuous: it mentions nothing of the model\n".to_owned(),
                1 => "not vacuous: its only atom matters\n".to_owned(),
                number => format!("not vacuous: {} matter\n", all_atoms(number)),
            };
        }
        let mut text = String::from("vacuous:\n");
        for line in marked(self.source, self.span, &parts, 70).lines() {
            text.push_str(&format!("    {line}\n"));
        }
        for part in largest.vacuous() {
            let name = text_of(self.source, part.span);
            let why = self.because(part.reason, largest.holds);
            text.push_str(&wrap(&format!("`{name}` never matters: {why}"), 76));
            text.push('\n');
        }
        text
    }

    fn because(&self, reason: Option<Reason>, holds: bool) -> String {
        match reason {
            Some(Reason::NeverTrue(position)) => {
                format!("`{}` is never true", self.text_at(position))
            }
            Some(Reason::AlwaysTrue(position)) => {
                format!("`{}` is always true", self.text_at(position))
            }
            None => {
                let verdict = if holds { "holds" } else { "is violated" };
                format!("the formula {verdict} whatever stands in its place")
            }
        }
    }

    /// Parts that do not matter alone, but do together.
    fn apart(&self, sets: &[Vec<usize>]) -> String {
        let describe = |set: &Vec<usize>| {
            let names = set.iter().map(|&at| format!("`{}`", self.text_at(at)));
            names.collect::<Vec<_>>().join(", ")
        };
        let sets: Vec<String> = sets.iter().map(describe).collect();
        let text = format!(
            "not all of them at once; together only: {}",
            sets.join("; or ")
        );
        wrap(&text, 76) + "\n"
    }

    fn text_at(&self, position: usize) -> String {
        let occurrences = self.formula.occurrences();
        occurrences
            .get(position)
            .map_or_else(String::new, |one| text_of(self.source, one.formula.span))
    }

    fn to_json(
        &self,
        atoms: &VacuityReport,
        largest: &VacuityReport,
        together: &[Vec<usize>],
    ) -> Json {
        let parts = |report: &VacuityReport, only_vacuous: bool| {
            let parts = report.parts.iter();
            let parts = parts.filter(|part| part.vacuous || !only_vacuous);
            let describe = parts.map(|part| {
                let (line, column) = self.source.position(part.span.range().start);
                let mut value = json!({
                    "part": text_of(self.source, part.span),
                    "line": line,
                    "column": column,
                    "vacuous": part.vacuous,
                });
                if part.vacuous {
                    value["because"] = json!(self.because(part.reason, report.holds));
                }
                value
            });
            describe.collect::<Vec<_>>()
        };
        let sets = together.iter().map(|set| {
            let names = set.iter().map(|&at| self.text_at(at));
            names.collect::<Vec<_>>()
        });
        json!({
            "vacuous": atoms.vacuous().next().is_some(),
            "atoms": parts(atoms, false),
            "largest": parts(largest, true),
            "together": sets.collect::<Vec<_>>(),
            "runs": atoms.runs,
        })
    }
}

fn all_atoms(number: usize) -> String {
    match number {
        2 => "both atoms".to_owned(),
        _ => format!("all {}", count(number, "atom")),
    }
}

fn always(formula: Formula<Expression>) -> Formula<Expression> {
    let globally = Formula::unary(Unary::Globally(None), formula);
    Formula::unary(Unary::ForAll, globally)
}
