//! Esterel v5 programs, as a language.
//!
//! A text becomes few statements (`expand`), which the reference interpreter runs with data
//! (`react`) and which, without data, become a circuit (`circuit`); programs with numbers and
//! Booleans are purified first (`purify`). Answers come from the engine for circuits; a
//! violation counts only when the interpreter shows it, too.

mod beside;
mod check;
mod checks;
mod circuit;
mod convert;
mod doubts;
mod entered;
mod events;
mod expand;
mod kernel;
mod machine;
mod model;
mod parse;
mod print;
mod purify;
mod question;
mod react;
mod replay;
mod show;
mod simulate;
mod syntax;
mod tried;
mod value;
mod wave;

use quotient_circuit::telling;
use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::EsterelModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source};
/// use quotient_language::{Input, NoFiles, Settings};
/// let text = "module LAMP: input A; output ALARM; loop await A; emit ALARM end end module";
/// let input = Input::text(&Source::new("lamp.strl", text));
/// let language = quotient_esterel::LANGUAGE;
/// let model = language.open(&input, &mut NoFiles, &Settings::default(), &Context::default());
/// assert_eq!(model.unwrap().properties()[0].text, "never ALARM");
/// ```
pub const LANGUAGE: &dyn Language = &Esterel;

struct Esterel;

const ABOUT: About = About {
    id: "esterel",
    name: "Esterel",
    text: "an Esterel program",
    line: "reactive programs in Esterel v5: signals that are never emitted, with or without data",
    endings: &["strl"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: &[
        quotient_language::ALLOW_EMPTY,
        telling::SETTINGS[0],
        telling::SETTINGS[1],
        telling::SETTINGS[2],
        Setting::choice(
            "data",
            "HOW",
            &[
                ("auto", "all of it where that is possible, else in part"),
                ("pure", "all of it: what is outside of the class is refused"),
                ("partial", "what is in the class; the rest is forgotten"),
                ("soft", "none of it: every test of data may go either way"),
            ],
            "How much of the data the pure program keeps.",
        )
        .default("auto")
        .pinned(),
        Setting::text(
            "module",
            "NAME",
            "The module to begin with; by default the first that no other runs.",
        )
        .pinned(),
        Setting::assignment("constant", "Give a constant of the host a value.")
            .example("--constant LIMIT=90.5")
            .pinned(),
    ],
    formats: &[
        Format {
            name: "strl",
            endings: &["strl"],
            line: "the pure program, in kernel statements",
        },
        Format {
            name: "blif",
            endings: &["blif"],
            line: "the circuit as tables, with a file of legal inputs",
        },
        Format {
            name: "aag",
            endings: &["aag"],
            line: "the circuit in AIGER 1.9, ascii",
        },
        telling::AIG,
        Format {
            name: "table",
            endings: &["txt", "tsv"],
            line: "the ranges of all objects with their signals",
        },
    ],
    starter: include_str!("../gallery/abro.strl"),
    methods: telling::methods,
    examples: &[
        Example {
            name: "abro",
            title: "wait for A and B, start over at R; an observer checks that nothing comes early",
            files: &[("abro.strl", include_str!("../gallery/abro.strl"))],
        },
        Example {
            name: "switch",
            title: "a switch with hysteresis: On and Off never at once",
            files: &[("switch.strl", include_str!("../gallery/switch.strl"))],
        },
        Example {
            name: "boiler",
            title: "a bang-bang controller for two boilers, with an observer",
            files: &[("boiler.strl", include_str!("../gallery/boiler.strl"))],
        },
        Example {
            name: "boiler-swapped",
            title: "the same with a comparison the wrong way round",
            files: &[(
                "boiler-swapped.strl",
                include_str!("../gallery/boiler-swapped.strl"),
            )],
        },
        Example {
            name: "pid",
            title: "a PID controller and a limit switch: data forgotten in part",
            files: &[("pid.strl", include_str!("../gallery/pid.strl"))],
        },
        Example {
            name: "token-ring",
            title: "an arbiter whose wires form a cycle, and still constructive",
            files: &[(
                "token-ring.strl",
                include_str!("../gallery/token-ring.strl"),
            )],
        },
    ],
    guide: "docs/esterel.md",
};

impl Language for Esterel {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No.with_ending(ending);
        };
        match looks_like(source.text()) {
            true => Sureness::Maybe.with_ending(ending),
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let (source, remarks) = beside::with_modules_beside(input.require_text()?, files)?;
        let mut model = EsterelModel::open(&source, settings)?;
        model.remarks = remarks;
        Ok(Box::new(model))
    }
}

/// Whether a text begins as a module does, after comments: `module NAME :`.
fn looks_like(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        if let Some(block) = rest.strip_prefix("%{") {
            let Some(end) = block.find("}%") else {
                return false;
            };
            rest = block[end + 2..].trim_start();
        } else if rest.starts_with('%') {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = rest[end..].trim_start();
        } else {
            break;
        }
    }
    let Some(after) = rest.strip_prefix("module") else {
        return false;
    };
    let name = after.trim_start();
    let end = name
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(name.len());
    after.starts_with(char::is_whitespace) && end > 0 && name[end..].trim_start().starts_with(':')
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
