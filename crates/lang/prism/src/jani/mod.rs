//! JANI: the exchange format of this field.
//!
//! A JANI model is read to the same trees as one in the language of PRISM; what is computed,
//! certified, shown and written is the same for both.

mod arrays;
mod earned;
mod expression;
mod json;
mod model;
mod parts;
mod property;
mod system;
mod transient;
mod written;

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{About, Example, Files, Input, Language, Model, Settings, Sureness, Verb};

use crate::syntax::{ModelTree, PropertiesTree, names_once};

pub(crate) use written::write;

/// JANI, for the list of all languages.
pub const JANI: &dyn Language = &Jani;

struct Jani;

static ABOUT: About = About {
    id: "jani",
    name: "JANI",
    text: "a JANI model",
    line: "probabilistic models in the exchange format of the field",
    endings: &["jani"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: crate::model::SETTINGS,
    formats: crate::model::FORMATS,
    starter: include_str!("../../gallery/die.jani"),
    methods: Vec::new,
    examples: &[Example {
        name: "die-jani",
        title: "a die made of a coin, as an automaton",
        files: &[("die.jani", include_str!("../../gallery/die.jani"))],
    }],
    guide: "docs/prism.md",
};

impl Language for Jani {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let sure = match property::is_jani(source.text()) {
            true => Sureness::Certain,
            false => Sureness::No,
        };
        sure.with_ending(input.has_ending(ABOUT.endings))
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?.clone();
        let given = settings.assignments("constant");
        let read = read(&source, &given);
        crate::model::open(source, read, files, settings)
    }
}

/// Reads a model with its properties. Constants that the user gives matter here only where the
/// length of an array depends on them.
fn read(
    source: &Source,
    given: &[(&str, &str)],
) -> Result<(ModelTree, PropertiesTree), Vec<Diagnostic>> {
    let root = json::read(source).map_err(|mistake| vec![mistake])?;
    let mut read = model::read(source, &root, given)?;
    let properties = names_once(property::read(&root, &mut read), source)?;
    transient::named(&mut read);
    Ok((read.model, properties))
}
