//! Questions about systems: what kind a file is decides which front end reads it and which
//! engine answers.

mod certify;
pub(crate) mod components;
mod disk;
mod liveness;
mod out;
pub(crate) mod protocol;
pub(crate) mod smv;
mod template;
mod words;

use std::path::Path;

use quotient_automata::Predicate;
use quotient_automata::formats::{Machine, Named};
use quotient_automata::pictures::{
    automaton_picture, automaton_picture_in_words, transducer_picture, transducer_picture_in_words,
};
use quotient_core::{Diagnostic, Event, Evidence, Source, Verdict};
use quotient_language::Graph as Picture;
use quotient_regular::{Configuration, Identity};
use serde_json::Value;

use crate::detect::{Detected, Foreign, detect};
use crate::failure::Failure;
use crate::files;
use crate::session::Session;

pub(crate) use certify::certify;
pub(crate) use components::ComponentWishes;
pub(crate) use liveness::LivenessWishes;
pub(crate) use out::{prepare as prepare_folder, write as write_folder};
pub(crate) use template::TEMPLATE;

/// What the user wants of a check, whatever the front end.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    /// Only these properties; all if there are none.
    pub(crate) properties: Vec<String>,
    /// The method for problems about words, if one is named.
    pub(crate) method: Option<Configuration>,
    /// What to do about a step that changes nothing, for problems about words.
    pub(crate) identity: Identity,
    /// How many threads, if that is said.
    pub(crate) threads: Option<usize>,
    /// Whether to look for reasons to doubt the model.
    pub(crate) doubt: bool,
    /// Whether a run comes with the sets that it was chosen from.
    pub(crate) family: bool,
    /// Whether all automata of the run are wanted.
    pub(crate) every_automaton: bool,
    /// Whether progress is to be checked instead, for problems about words.
    pub(crate) liveness: LivenessWishes,
    /// Whether a method that cannot be refined is replaced, for problems about words.
    pub(crate) fall_back: bool,
    /// How to check a system of components.
    pub(crate) components: ComponentWishes,
    /// Whether to look for parts of specifications that do not matter, and how.
    pub(crate) vacuity: Option<smv::Vacuity>,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// What the problem is called.
    pub(crate) title: String,
    pub(crate) answers: Vec<Answer>,
    /// Reasons to doubt the model: for people and for programs.
    pub(crate) doubts: Vec<(String, Value)>,
    /// What is odd about the input.
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) story: Vec<Event>,
    /// The parts of the problem, to be shown beside the answers.
    pub(crate) parts: Vec<Named>,
    /// Drawings of the model, with a word about each.
    pub(crate) figures: Vec<(String, String)>,
    /// How pictures of automata name sets of letters.
    pub(crate) meaning: Meaning,
}

/// What sets of letters mean in the words of the source, where it has words for them.
#[derive(Default)]
pub(crate) struct Meaning(Option<Box<Describe>>);

type Describe = dyn Fn(&Predicate) -> Option<String>;

impl Meaning {
    pub(crate) fn new(describe: impl Fn(&Predicate) -> Option<String> + 'static) -> Meaning {
        Meaning(Some(Box::new(describe)))
    }

    /// The picture of a machine.
    fn picture(&self, named: &Named) -> Picture {
        let title = named.name.as_str();
        match (&named.machine, &self.0) {
            (Machine::Automaton(nfa), Some(words)) => automaton_picture_in_words(title, nfa, words),
            (Machine::Automaton(nfa), None) => automaton_picture(title, nfa, &named.states),
            (Machine::Transducer(step), Some(words)) => {
                transducer_picture_in_words(title, step, words)
            }
            (Machine::Transducer(step), None) => transducer_picture(title, step, &named.states),
        }
    }
}

impl std::fmt::Debug for Meaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() {
            "Meaning"
        } else {
            "no meaning"
        })
    }
}

/// The answer to one property.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) property: String,
    /// Its number among those of the file, where properties are numbered.
    pub(crate) number: Option<usize>,
    pub(crate) verdict: Verdict,
    /// The method that gave it.
    pub(crate) method: Option<String>,
    pub(crate) refinements: u64,
    /// What shows it, in a line.
    pub(crate) because: String,
    /// The steps of a violation: the action (none for the first) and the state reached.
    pub(crate) trace: Vec<(Option<String>, String)>,
    /// The violation in the words of the source, where the language has its own.
    pub(crate) table: Option<Table>,
    pub(crate) evidence: Option<Evidence>,
    /// Automata that belong to it, with a word about each.
    pub(crate) exhibits: Vec<(String, Named)>,
    /// What else there is to say; whole lines.
    pub(crate) notes: Vec<String>,
    /// The same for programs: fields of the property.
    pub(crate) details: Vec<(&'static str, Value)>,
    /// Whether a part of the property does not matter, if that was asked.
    pub(crate) vacuous: bool,
}

/// A run as a table.
#[derive(Debug)]
pub(crate) struct Table {
    /// For people: aligned columns.
    pub(crate) text: String,
    /// The cells, the first row the head.
    pub(crate) cells: Vec<Vec<String>>,
    /// For programs.
    pub(crate) json: Value,
}

/// Checks the problem in a file or folder.
pub(crate) fn check(path: &str, wishes: &Wishes, session: &Session) -> Result<Checked, Failure> {
    if Path::new(path).is_dir() {
        refuse_component_wishes(wishes)?;
        return words::check(words::read_folder(path, session)?, wishes, session);
    }
    let source = files::source(path, session)?;
    if !is_components(&source) {
        refuse_component_wishes(wishes)?;
    }
    if is_smv(&source) {
        refuse_liveness(&wishes.liveness)?;
        refuse_identity(wishes)?;
        return smv::check(&source, wishes, session);
    }
    if wishes.vacuity.is_some() {
        return Err(not_smv(&source).into());
    }
    match detect(&source) {
        Some(Detected::Foreign(Foreign::Protocol)) => {
            refuse_liveness(&wishes.liveness)?;
            protocol::check(&source, wishes, session)
        }
        _ if is_components(&source) => {
            refuse_liveness(&wishes.liveness)?;
            refuse_identity(wishes)?;
            components::check(&source, wishes, session)
        }
        _ => words::check(read_words_from(&source, session)?, wishes, session),
    }
}

/// Whether a text is a system of components.
pub(crate) fn is_components(source: &Source) -> bool {
    source.name().ends_with(".lts")
        || detect(source) == Some(Detected::Foreign(Foreign::Fsp))
        || components::is_aldebaran(source)
}

/// Options that only systems of components know are not passed over in silence.
fn refuse_component_wishes(wishes: &Wishes) -> Result<(), Diagnostic> {
    if wishes.components == ComponentWishes::default() {
        return Ok(());
    }
    let message = "an option is given that is only for systems of components, and this is none";
    Err(Diagnostic::error("usage", message)
        .help("`quotient check --help` lists them under \"Components (FSP)\""))
}

/// Whether a text is a model in the protocol language.
fn is_protocol(source: &Source) -> bool {
    detect(source) == Some(Detected::Foreign(Foreign::Protocol))
}

/// The same for options that only problems about words know.
fn refuse_liveness(wishes: &LivenessWishes) -> Result<(), Diagnostic> {
    if *wishes == LivenessWishes::default() {
        return Ok(());
    }
    let message = "--liveness is for problems about words, and this is none";
    Err(Diagnostic::error("usage", message)
        .help("other models say in their own language what must happen"))
}

/// The same for what to do about steps that change nothing.
fn refuse_identity(wishes: &Wishes) -> Result<(), Diagnostic> {
    match wishes.identity {
        Identity::Auto => Ok(()),
        Identity::Add | Identity::AsGiven => {
            let message = "--identity is for problems about words, and this is none";
            Err(Diagnostic::error("usage", message))
        }
    }
}

/// Whether a text is a model in the SMV language.
fn is_smv(source: &Source) -> bool {
    source.name().ends_with(".smv") || detect(source) == Some(Detected::Foreign(Foreign::Smv))
}

/// Reads the text of a model that must be an SMV model.
pub(crate) fn smv_source(path: &str, session: &Session) -> Result<Source, Failure> {
    let source = files::source(path, session)?;
    match is_smv(&source) {
        true => Ok(source),
        false => Err(not_smv(&source).into()),
    }
}

fn not_smv(source: &Source) -> Diagnostic {
    let message = "this question is about SMV models, and this is none";
    Diagnostic::error("not-smv", message)
        .in_source(source)
        .help("a file with the ending `.smv` is read as one")
}

/// Reads a problem about words.
fn read_words_from(source: &Source, session: &Session) -> Result<words::Setup, Failure> {
    match detect(source) {
        Some(Detected::Foreign(other)) if !is_problem_file(other) => {
            Err(unsupported(source, other).into())
        }
        // If the format is not known, the reader says what is.
        _ => words::read(source, session),
    }
}

fn is_problem_file(what: Foreign) -> bool {
    matches!(what, Foreign::Manifest | Foreign::ArmcProperties)
}

fn unsupported(source: &Source, what: Foreign) -> Diagnostic {
    let message = format!("this is {}, which `check` does not read", what.describe());
    Diagnostic::error("unsupported", message)
        .in_source(source)
        .help("problems are TOML manifests, folders, SLRP and JSON files, protocol and SMV models")
}
