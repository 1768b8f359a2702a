//! The language as the workbench knows it: what it says about itself, how a text is recognised
//! and opened, and what an opened model answers.

mod about;
mod answer;
mod asked;
mod assumed;
mod certify;
mod check;
mod compare;
mod definition;
mod modal;
mod open;
mod opened;
mod parts;
mod place;
mod premises;
mod read;
mod recognise;
mod show;
mod simulation;
mod structure;
mod told;
mod way;

use quotient_core::{Context, Trouble};
use quotient_language::{About, Files, Input, Language, Model, Settings, Sureness};

/// The FSP language of LTSA, and single transition systems in Aldebaran files.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// use quotient_fsp::LANGUAGE;
///
/// let text = "P = (a -> (b -> STOP | c -> d -> e -> e -> P)).
///             property ORDER = (e -> d -> ORDER). ||S = (P || ORDER).";
/// let input = Input::text(&Source::new("s.lts", text));
/// let cx = Context::default();
/// let mut model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// // A question is answered as soon as its verdict is known, and once more with all there is to say.
/// let mut verdicts = std::collections::BTreeMap::new();
/// let tell = &mut |answer: quotient_language::Answer| {
///     verdicts.insert(answer.property, answer.verdict);
/// };
/// model.check(&Ask::default(), &cx, tell).unwrap();
/// assert_eq!(verdicts.len(), 2);
/// assert!(verdicts.values().all(|verdict| *verdict == Verdict::Violated));
/// ```
pub const LANGUAGE: &dyn Language = &Fsp;

struct Fsp;

impl Language for Fsp {
    fn about(&self) -> &'static About {
        &about::ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        recognise::sureness(input)
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        Ok(Box::new(open::open(input, files, settings, cx)?))
    }
}
