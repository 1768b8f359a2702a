//! Cubicle's language: systems of any number of processes whose state is arrays.
//!
//! ```
//! use quotient_core::{Context, Source, Verdict};
//! use quotient_language::{Ask, Input, NoFiles, Settings};
//! let text = "
//!     type place = Out | In
//!     var Free : bool
//!     array At[proc] : place
//!     init (z) { At[z] = Out && Free = True }
//!     unsafe (a b) { At[a] = In && At[b] = In }
//!     transition enter (p) requires { At[p] = Out && Free } { At[p] := In; Free := False }
//!     transition leave (p) requires { At[p] = In } { At[p] := Out; Free := True }
//! ";
//! let input = Input::text(&Source::new("door.cub", text));
//! let mut model = quotient_cubicle::LANGUAGE
//!     .open(&input, &mut NoFiles, &Settings::default(), &Context::default())
//!     .unwrap();
//! let mut verdicts = Vec::new();
//! model
//!     .check(&Ask::default(), &Context::default(), &mut |answer| verdicts.push(answer.verdict))
//!     .unwrap();
//! assert_eq!(verdicts, [Verdict::Holds]);
//! ```

mod instance;
mod lex;
mod lower;
mod model;
mod parse;
mod predicates;
mod replace;
mod simulate;
mod together;
mod tree;
mod written;

use quotient_core::{Context, Trouble};
use quotient_language::{
    ALLOW_EMPTY, About, Example, Files, Format, Input, Language, Model, Setting, Settings,
    Sureness, Verb,
};

/// The language, for a workbench.
pub const LANGUAGE: &dyn Language = &Cubicle;

struct Cubicle;

const SETTINGS: &[Setting] = &[
    Setting::whole(
        "processes",
        "N",
        "How many processes there are in one instance.",
    )
    .within(1, 50)
    .default("3")
    .example("--processes 4")
    .verbs(&[Verb::Simulate, Verb::Instance]),
    ALLOW_EMPTY,
];

const ABOUT: About = About {
    id: "cubicle",
    name: "Cubicle",
    text: "a Cubicle model",
    line: "arrays indexed by any number of processes, and what must never be",
    endings: &["cub"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Show,
        Verb::Simulate,
        Verb::Instance,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: &[Format {
        name: "cubicle",
        endings: &["cub"],
        line: "Cubicle's language, with predicates and short forms written out",
    }],
    starter: include_str!("../gallery/door.cub"),
    methods: || {
        vec![(
            "backward".into(),
            "back from what is bad, with guesses from small instances".into(),
        )]
    },
    examples: &[
        Example {
            name: "door.cub",
            title: "one at a time through a door",
            files: &[("door.cub", include_str!("../gallery/door.cub"))],
        },
        Example {
            name: "door_faulty.cub",
            title: "a door that is left open",
            files: &[(
                "door_faulty.cub",
                include_str!("../gallery/door_faulty.cub"),
            )],
        },
        Example {
            name: "rounds.cub",
            title: "nobody is two rounds ahead",
            files: &[("rounds.cub", include_str!("../gallery/rounds.cub"))],
        },
        Example {
            name: "shared_line.cub",
            title: "one writer or many readers of a cached line",
            files: &[(
                "shared_line.cub",
                include_str!("../gallery/shared_line.cub"),
            )],
        },
    ],
    guide: "docs/cubicle.md",
};

impl Language for Cubicle {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        // Nobody else has files of this name, whatever their comments look like.
        if input.has_ending(ABOUT.endings) {
            return Sureness::Certain;
        }
        let text = source.text();
        let has = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
        match has("transition ") && (has("unsafe") || has("init")) && text.contains("requires") {
            true => Sureness::Likely,
            false => Sureness::No,
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
        let tree = parse::parse(source)?;
        let lowered = lower::lower(source, &tree)?;
        let processes = settings.whole("processes").unwrap_or(3) as usize;
        Ok(Box::new(model::Opened::new(source, lowered, processes)))
    }
}
