//! Hybrid logic over a base logic, as a language: satisfiability and validity by a terminating
//! tableau that asks the base logic only where a branch stays open.

mod decide;
mod elsewhere;
mod formula;
mod model;
mod proof;
mod read;
mod read_hylo;
mod read_proof;
mod read_system;
mod read_tptp;
mod show;
mod system;
mod tableau;
mod truth;
mod types;
mod words;

#[cfg(test)]
mod method_tests;
#[cfg(test)]
mod plain_tests;
#[cfg(test)]
mod tests;

use quotient_core::{Context, Trouble};
use quotient_language::{About, Example, Files, Input, Language, Model, Settings, Sureness, Verb};

use model::HybridModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let text = "hybrid nominal i relation r letter p valid intro: i & p => @i p";
/// let input = Input::text(&Source::new("x.hyb", text));
/// let language = quotient_hybrid::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Hybrid;

struct Hybrid;

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "hybrid",
    name: "Hybrid logic",
    text: "a theory of hybrid logic",
    line: "nominals, @ and modalities over a base logic: satisfiability and validity",
    endings: &["hyb", "hylo", "intohylo", "p"],
    offers: &[Verb::Check, Verb::Certify, Verb::Show],
    settings: &[],
    formats: &[],
    starter: include_str!("../gallery/modes.hyb"),
    methods,
    examples: &[
        Example {
            name: "modes",
            title: "a system with modes: what follows about its reconfigurations",
            files: &[("modes.hyb", include_str!("../gallery/modes.hyb"))],
        },
        Example {
            name: "laws",
            title: "laws of hybrid logic, and formulas that are none",
            files: &[("laws.hyb", include_str!("../gallery/laws.hyb"))],
        },
        Example {
            name: "follows",
            title: "what follows from axioms, in the words of TPTP",
            files: &[("follows.p", include_str!("../gallery/follows.p"))],
        },
        Example {
            name: "door",
            title: "a system of worlds and arrows, and names that are given on the way",
            files: &[("door.hyb", include_str!("../gallery/door.hyb"))],
        },
        Example {
            name: "proofs",
            title: "proofs in Hilbert's way, checked line by line",
            files: &[("proofs.hyb", include_str!("../gallery/proofs.hyb"))],
        },
    ],
    guide: "docs/hybrid.md",
};

impl Language for Hybrid {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let lines = source.text().lines().map(str::trim);
        let mut telling =
            lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '/', '%']));
        let first = telling.next().unwrap_or_default();
        match first.split_whitespace().next() {
            Some("hybrid") => Sureness::Certain,
            _ if read_tptp::is_tptp(source.text()) => Sureness::Certain,
            _ if read_hylo::is_hylo(source) && source.text().contains("end") => {
                Sureness::Maybe.with_ending(ending)
            }
            _ => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        _: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let mut fetch = |name: &str| {
            let bytes = files.read(name)?;
            let input = Input::bytes(name, bytes);
            input.require_text().cloned().map_err(|why| why.to_string())
        };
        let theory = read::read(input.require_text()?, &mut fetch)?;
        Ok(Box::new(HybridModel {
            name: input.name().to_owned(),
            theory,
        }))
    }
}

/// Reads a text, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let mut fetch = |_: &str| Err("there are no files".to_owned());
    let _ = read::read(&quotient_core::Source::new("any", text), &mut fetch);
}
