//! Boolean networks, as a language: `.bnet` files, and branching time with names for states.

mod basins;
mod cycles;
mod explicit;
mod formula;
mod function;
mod given;
mod landscape;
mod levels;
mod model;
mod network;
mod qual;
mod read;
mod ready;
mod reduce;
mod signs;
mod simulate;
mod symbolic;
mod walk;
mod words;
mod write;

#[cfg(test)]
mod tests;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::NetworkModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let text = "targets, factors\na, b\nb, a\n#check settles: AF (!{x}: AX {x})\n";
/// let input = Input::text(&Source::new("x.bnet", text));
/// let language = quotient_network::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Networks;

struct Networks;

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const SETTINGS: &[Setting] = &[
    Setting::choice(
        "inputs",
        "HOW",
        &[
            ("kept", "they keep their values, which are part of the state"),
            (
                "parameters",
                "each becomes equal to a parameter of its own; names of states do not speak of parameters",
            ),
        ],
        "What becomes of variables without a function.",
    )
    .default("kept")
    .verbs(&[Verb::Check, Verb::Ask, Verb::Show])
    .pinned(),
    Setting::assignment(
        "fix",
        "Keep a variable at a level, whatever its function says: knocked out, or expressed without end.",
    )
    .example("--fix lacI=0")
    .pinned(),
    Setting::text(
        "start",
        "LEVELS",
        "Ask only about the states that start so: a list of NAME=LEVEL, and `file` for the initial levels of the file.",
    )
    .example("--start lacI=1,tetR=0")
    .verbs(&[Verb::Check, Verb::Ask, Verb::Simulate])
    .pinned(),
    Setting::flag(
        "synchronous",
        "Change all variables at once that want to, not one of them.",
    )
    .verbs(&[Verb::Simulate]),
];

const ABOUT: About = About {
    id: "network",
    name: "Boolean network",
    text: "a Boolean network",
    line: "gene networks in .bnet and SBML-qual: branching time with names for states (HCTL)",
    endings: &["bnet", "sbml"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Ask,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: &[Format {
        name: "bnet",
        endings: &["bnet"],
        line: "functions of variables that are 0 or 1",
    }],
    starter: include_str!("../gallery/toggle.bnet"),
    methods,
    examples: &[
        Example {
            name: "toggle",
            title: "two genes that switch each other off: two steady states",
            files: &[("toggle.bnet", include_str!("../gallery/toggle.bnet"))],
        },
        Example {
            name: "oscillator",
            title: "three genes in a ring that never settles",
            files: &[(
                "oscillator.bnet",
                include_str!("../gallery/oscillator.bnet"),
            )],
        },
        Example {
            name: "signal",
            title: "two genes and a signal in SBML: with it one steady state, without it two",
            files: &[("signal.sbml", include_str!("../gallery/signal.sbml"))],
        },
    ],
    guide: "docs/network.md",
};

impl Language for Networks {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        // What is SBML without terms is another language's.
        let ending = input.has_ending(&["bnet"]);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        if qual::looks_like(source.text()) {
            return Sureness::Certain;
        }
        let mut lines = source
            .text()
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let first = lines.next().unwrap_or_default();
        let head = first.split(',').map(str::trim).collect::<Vec<_>>();
        match head == ["targets", "factors"] {
            true => Sureness::Certain,
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let network = match qual::looks_like(source.text()) {
            true => qual::read(source)?,
            false => network::read(source)?,
        };
        let network = network
            .with_fixed(&settings.assignments("fix"))?
            .with_start(settings.all("start"))?;
        let network = match settings.text("inputs") {
            Some("parameters") if !network.levels.is_empty() => {
                return Err(Trouble::usage(
                    "`--inputs parameters` is for networks whose variables are 0 or 1",
                ));
            }
            Some("parameters") => network.with_parameters(),
            _ => network,
        };
        Ok(Box::new(NetworkModel {
            name: input.name().to_owned(),
            network,
            is_synchronous: settings.flag("synchronous"),
            asked_nothing: false,
        }))
    }
}

/// Reads a text, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let source = quotient_core::Source::new("any", text);
    let _ = network::read(&source);
    let _ = qual::read(&source);
}
