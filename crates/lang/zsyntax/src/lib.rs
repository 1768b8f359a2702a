//! Molecular pathways in Zsyntax, as a language: what can be derived from an aggregate of
//! molecules by reactions that are known.

mod ask;
mod certify;
mod check;
mod cover;
mod derivation;
mod evidence;
mod explore;
mod judge;
mod many;
mod model;
mod pathway;
mod published;
mod read;
mod runs;
mod sbml;
mod show;
mod space;
mod sums;
mod trace;
mod walk;
mod words;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::PathwayModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let input = Input::text(&Source::new("p.zs", "start A & B\nA * B -> X\ncan X\n"));
/// let language = quotient_zsyntax::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Pathways;

struct Pathways;

/// The most aggregates that are looked at unless a setting says otherwise.
const MOST_AGGREGATES: u64 = 1_000_000;

const SETTINGS: &[Setting] =
    &[
        Setting::whole("aggregates", "N", "The most aggregates to look at.")
            .default("1000000")
            .verbs(&[Verb::Check]),
    ];

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "zsyntax",
    name: "Zsyntax pathway",
    text: "a molecular pathway",
    line: "molecular pathways: what reactions can make, what is missing, what is conserved",
    endings: &["zs", "sbml"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Ask,
        Verb::Simulate,
        Verb::Show,
    ],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/glycolysis.zs"),
    methods,
    examples: &[
        Example {
            name: "glycolysis",
            title: "glucose to fructose-1,6-bisphosphate, as published",
            files: &[("glycolysis.zs", include_str!("../gallery/glycolysis.zs"))],
        },
        Example {
            name: "whole-glycolysis",
            title: "glucose to pyruvate in ten steps",
            files: &[(
                "whole-glycolysis.zs",
                include_str!("../gallery/whole-glycolysis.zs"),
            )],
        },
        Example {
            name: "cycle",
            title: "the tricarboxylic acid cycle with any amount of acetyl",
            files: &[("cycle.zs", include_str!("../gallery/cycle.zs"))],
        },
        Example {
            name: "apoptosis",
            title: "a fragment of apoptosis: caspases and their inhibitor",
            files: &[("apoptosis.zs", include_str!("../gallery/apoptosis.zs"))],
        },
        Example {
            name: "enzyme",
            title: "an enzyme and its substrate, in SBML",
            files: &[("enzyme.sbml", include_str!("../gallery/enzyme.sbml"))],
        },
        Example {
            name: "competition",
            title: "two reactions compete for one molecule",
            files: &[("competition.zs", include_str!("../gallery/competition.zs"))],
        },
    ],
    guide: "docs/zsyntax.md",
};

impl Language for Pathways {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        if sbml::looks_like(source.text()) {
            return Sureness::Certain;
        }
        let lines = source.text().lines();
        let mut lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
        let starts = lines.clone().any(|line| line.starts_with("start "));
        let foreign = lines.clone().any(|line| line.contains(['{', ';']));
        let reacts = lines.any(|line| line.contains("->"));
        match starts && reacts && !foreign {
            true => Sureness::Maybe.with_ending(ending),
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
        let (pathway, warnings) = match sbml::is_sbml(source.text()) {
            true => sbml::read(source)?,
            false => (read::read(source)?, Vec::new()),
        };
        Ok(Box::new(PathwayModel {
            name: input.name().to_owned(),
            pathway,
            warnings,
            settings: settings.clone(),
        }))
    }
}
