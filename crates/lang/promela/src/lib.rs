//! Promela as a language: processes, channels, assertions, never claims and formulas of linear
//! time, searched state by state with the meaning that Spin gives them.

mod alone;
#[cfg(test)]
mod alone_tests;
mod certify;
mod channels;
mod claims;
#[cfg(test)]
mod claims_tests;
mod compile;
mod events;
mod evidence;
mod flow;
mod hashed;
mod judge;
mod lex;
mod looks;
mod machine;
mod model;
mod moves;
mod names;
mod packed;
mod parse;
mod parse_expression;
mod parse_statement;
mod parse_unit;
mod priority;
mod program;
mod question;
mod search;
mod settle;
mod show;
mod simulate;
mod space;
mod state;
mod store;
mod syntax;
mod trace;
mod unsure;
mod words;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::PromelaModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Answer, Ask, Input, NoFiles, Settings};
/// let text = "byte x; active proctype P() { do :: x < 3 -> x++ :: x = 0 od } ltl low { [] (x < 4) }";
/// let input = Input::text(&Source::new("up.pml", text));
/// let cx = Context::default();
/// let language = quotient_promela::LANGUAGE;
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Promela;

struct Promela;

const SETTINGS: &[Setting] = &[
    Setting::assignment(
        "define",
        "A macro for the preprocessor, as `#define NAME VALUE`.",
    )
    .example("--define N=4")
    .pinned(),
    Setting::flag(
        "weakly-fair",
        "Look only at runs in which a process that can always move at last does.",
    )
    .pinned(),
    Setting::flag(
        "lossy",
        "Let full channels lose messages instead of blocking.",
    )
    .pinned(),
];

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "promela",
    name: "Promela",
    text: "a Promela program",
    line: "processes with channels and shared variables, with the meaning that Spin gives them",
    endings: &["pml", "prom", "promela", "prm"],
    offers: &[Verb::Check, Verb::Certify, Verb::Simulate, Verb::Show],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/peterson.pml"),
    methods,
    examples: &[
        Example {
            name: "peterson-promela",
            title: "Peterson's mutual exclusion in Promela, with formulas",
            files: &[("peterson.pml", include_str!("../gallery/peterson.pml"))],
        },
        Example {
            name: "alternating-bit",
            title: "the alternating bit over channels that lose messages",
            files: &[(
                "alternating.pml",
                include_str!("../gallery/alternating.pml"),
            )],
        },
        Example {
            name: "philosophers-promela",
            title: "philosophers that shake hands with forks, and get stuck",
            files: &[(
                "philosophers.pml",
                include_str!("../gallery/philosophers.pml"),
            )],
        },
    ],
    guide: "docs/promela.md",
};

impl Language for Promela {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        // Others have an `init`, too, but nobody else a proctype.
        let begins = |line: &str| {
            let line = line.trim_start();
            (line.starts_with("proctype ") || line.starts_with("active "))
                && line.contains("proctype")
        };
        match source.text().lines().any(begins) {
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
        let defines = settings.assignments("define");
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let defines: Vec<(String, String)> = defines.into_iter().map(own).collect();
        let compiled = compile::read(input.require_text()?, files, &defines)?;
        Ok(Box::new(PromelaModel::new(
            input.name(),
            compiled,
            settings,
        )))
    }
}

/// Reads a text, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let source = quotient_core::Source::new("any", text);
    let _ = compile::read(&source, &mut quotient_language::NoFiles, &[]);
}
