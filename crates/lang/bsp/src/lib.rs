//! Bulk-synchronous parallel programs with barriers of subgroups, as a language.

mod ask;
#[cfg(test)]
mod big;
mod certify;
mod check;
mod every;
mod linear;
mod machine;
mod model;
mod outcome;
mod program;
mod read;
mod run;
mod story;
mod walk;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::BspModel;
use program::{Asked, Kind, Question};

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let input = Input::text(&Source::new("p.bsp", "processors 2\nrun\nbsp_sync W; pid\n"));
/// let language = quotient_bsp::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Bsp;

struct Bsp;

const SETTINGS: &[Setting] = &[Setting::whole(
    "processors",
    "N",
    "How many processors there are, instead of what the text says.",
)
.within(1, read::MOST_PROCESSORS as u64)
.pinned()];

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "bsp",
    name: "BSP program",
    text: "a BSP program",
    line: "bulk-synchronous parallel programs: values, deadlock, faults, divergence and LTL",
    endings: &["bsp"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Ask,
        Verb::Simulate,
        Verb::Show,
    ],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/exchange.bsp"),
    methods,
    examples: &[
        Example {
            name: "exchange",
            title: "two processors send each other their numbers",
            files: &[("exchange.bsp", include_str!("../gallery/exchange.bsp"))],
        },
        Example {
            name: "subgroups",
            title: "two groups with different numbers of supersteps",
            files: &[("subgroups.bsp", include_str!("../gallery/subgroups.bsp"))],
        },
        Example {
            name: "ring",
            title: "barriers in orders that do not fit: a deadlock",
            files: &[("ring.bsp", include_str!("../gallery/ring.bsp"))],
        },
        Example {
            name: "remote",
            title: "remote memory: gets before puts",
            files: &[("remote.bsp", include_str!("../gallery/remote.bsp"))],
        },
        Example {
            name: "gather",
            title: "every processor sends to the first: no deadlock, however many there are",
            files: &[("gather.bsp", include_str!("../gallery/gather.bsp"))],
        },
        Example {
            name: "impatient",
            title: "the first processor leaves one barrier out: a deadlock from two processors on",
            files: &[("impatient.bsp", include_str!("../gallery/impatient.bsp"))],
        },
        Example {
            name: "turns",
            title: "formulas about runs: two processors take turns for ever",
            files: &[("turns.bsp", include_str!("../gallery/turns.bsp"))],
        },
        Example {
            name: "endless",
            title: "barriers for ever",
            files: &[("endless.bsp", include_str!("../gallery/endless.bsp"))],
        },
    ],
    guide: "docs/bsp.md",
};

impl Language for Bsp {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let lines = source.text().lines().map(str::trim);
        let runs = lines.clone().any(|line| line == "run");
        let parallel = source.text().contains("bsp_");
        match (runs, parallel) {
            (true, true) => Sureness::Certain,
            (true, false) => Sureness::No.with_ending(ending),
            _ => Sureness::No.with_ending(ending),
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
        let processors = settings.whole("processors");
        let processors = processors.and_then(|number| usize::try_from(number).ok());
        let mut program = read::read(source, processors)?;
        if program.questions.is_empty() {
            let (name, question) = match program.least {
                Some(_) => ("no deadlock", Question::NoDeadlock),
                None => ("done", Question::Ends(Kind::Done)),
            };
            program.questions.push(Asked {
                name: name.to_owned(),
                question,
                span: None,
            });
        }
        Ok(Box::new(BspModel {
            name: input.name().to_owned(),
            source: source.clone(),
            program,
        }))
    }
}
