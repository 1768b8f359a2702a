//! Models as lists of states: the explicit files of PRISM and the format of Storm.
//!
//! They are read to plain data and written down as a model with one command for each choice, in
//! the language of PRISM. From there on everything is as for other models: what is computed,
//! certified, shown and written.

mod drn;
mod lines;
mod together;
mod tra;
mod written;

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{About, Example, Files, Input, Language, Model, Settings, Sureness, Verb};
use quotient_markov::Kind;

use crate::syntax::{PropertiesTree, read_model};

/// Explicit models, for the list of all languages.
pub const EXPLICIT: &dyn Language = &Explicit;

struct Explicit;

static ABOUT: About = About {
    id: "explicit",
    name: "Explicit",
    text: "an explicit probabilistic model",
    line: "probabilistic models as lists of states: files of PRISM (.tra, .pexp) and Storm (.drn)",
    endings: &["tra", "pexp", "drn"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: crate::model::SETTINGS,
    formats: crate::model::FORMATS,
    starter: include_str!("../../gallery/walk.drn"),
    methods: Vec::new,
    examples: &[Example {
        name: "walk",
        title: "a walk between two ends, state by state",
        files: &[("walk.drn", include_str!("../../gallery/walk.drn"))],
    }],
    guide: "docs/prism.md",
};

/// A model as a list of states.
#[derive(Debug)]
struct Listed {
    kind: Kind,
    states: Vec<State>,
    initial: Vec<usize>,
    /// Names of variables, and the values of each state as they are written.
    variables: Option<(Vec<String>, Vec<Vec<String>>)>,
    labels: Vec<(String, Vec<usize>)>,
    rewards: Vec<Earned>,
    /// Of a Markov automaton, how fast each state is left; nothing where a choice is made at once.
    exits: Option<Vec<Option<String>>>,
    /// What the file leaves open, and how it was taken.
    taken: Option<String>,
}

#[derive(Debug, Default, Clone)]
struct State {
    choices: Vec<Choice>,
    /// It is said that nothing happens here but staying.
    deadlock: bool,
}

#[derive(Debug, Default, Clone)]
struct Choice {
    action: Option<String>,
    /// Targets with the numbers as they are written.
    branches: Vec<(usize, String)>,
}

/// A reward structure, with numbers as they are written.
#[derive(Debug, Default, Clone)]
struct Earned {
    name: Option<String>,
    states: Vec<(usize, String)>,
    /// By state and choice.
    choices: Vec<(usize, usize, String)>,
}

impl Listed {
    /// A list without states.
    fn new(kind: Kind) -> Self {
        Listed {
            kind,
            states: Vec::new(),
            initial: Vec::new(),
            variables: None,
            labels: Vec::new(),
            rewards: Vec::new(),
            exits: None,
            taken: None,
        }
    }
}

impl Language for Explicit {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let ending = input.has_ending(ABOUT.endings);
        match drn::looks_like(source.text()) || together::looks_like(source.text()) {
            true => Sureness::Certain,
            false if tra::looks_like(source.text()) => match ending {
                true => Sureness::Likely,
                false => Sureness::No,
            },
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
        let source = input.require_text()?.clone();
        let listed = if drn::looks_like(source.text()) {
            drn::read(&source)
        } else if together::looks_like(source.text()) {
            together::read(&source)
        } else {
            tra::read(&source, files)
        };
        let listed = listed.map_err(Trouble::Invalid)?;
        let text = written::text(&listed);
        let written = Source::new(source.name(), text);
        let read = read_model(&written).map(|model| (model, PropertiesTree::default()));
        crate::model::open_taken(written, read, files, settings, listed.taken)
    }
}

/// The mistakes of a text, no more than anybody reads.
const MOST_MISTAKES: usize = 20;

/// A mistake at a place.
fn mistake(source: &Source, span: quotient_core::Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("explicit", message.into()).at(source, span, "")
}
