//! What a language says about itself.

use crate::Setting;

/// A language in words and data: all that a front end can know of it.
#[derive(Debug)]
pub struct About {
    /// A short name in lower case, for `--language`, evidence and addresses: `smv`.
    pub id: &'static str,
    /// Its name for people: `SMV`.
    pub name: &'static str,
    /// What a text of it is, as the end of "this is …": `an SMV model`.
    pub text: &'static str,
    /// What it is for, in one line.
    pub line: &'static str,
    /// Endings of files, without the dot. A hint, never a proof.
    pub endings: &'static [&'static str],
    /// What a model of it can be asked.
    pub offers: &'static [Verb],
    /// The settings that it knows.
    pub settings: &'static [Setting],
    /// Formats that a model, or a part of one, can be written in.
    pub formats: &'static [Format],
    /// A small text to begin with; where a language has files of settings, one with all of them
    /// explained.
    pub starter: &'static str,
    /// The methods that can be chosen by name, each with what it does; none where there is no
    /// choice.
    pub methods: fn() -> Vec<(String, String)>,
    /// Models that come with the program.
    pub examples: &'static [Example],
    /// The page of the documentation: `docs/smv.md`.
    pub guide: &'static str,
}

/// What can be done with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Prove or refute its properties.
    Check,
    /// Check evidence about it, independently.
    Certify,
    /// Tell which parts of its properties do not matter.
    Vacuity,
    /// Ask what would make a formula true.
    Ask,
    /// Run it step by step.
    Simulate,
    /// Search one instance of it completely.
    Instance,
    /// Tell what is in it, and draw it.
    Show,
    /// Write it in another format.
    Convert,
    /// Tell whether it is the same as another: a check with the setting [`AGAINST`].
    Compare,
}

/// The setting that says what a model is compared with, as `FILE`, `FILE#PART` or `#PART`. A
/// language that offers [`Verb::Compare`] declares it as a pinned text for `check`, so that
/// evidence carries it, and answers one question where it is given.
pub const AGAINST: &str = "against";

/// The setting that says which part of a model is meant, where a language that offers
/// [`Verb::Compare`] has parts.
pub const PART: &str = "system";

impl Verb {
    /// All of them.
    pub const ALL: [Verb; 9] = [
        Verb::Check,
        Verb::Certify,
        Verb::Vacuity,
        Verb::Ask,
        Verb::Simulate,
        Verb::Instance,
        Verb::Show,
        Verb::Convert,
        Verb::Compare,
    ];

    /// Its name, as it is called.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Check => "check",
            Verb::Certify => "certify",
            Verb::Vacuity => "vacuity",
            Verb::Ask => "ask",
            Verb::Simulate => "simulate",
            Verb::Instance => "instance",
            Verb::Show => "show",
            Verb::Convert => "convert",
            Verb::Compare => "compare",
        }
    }
}

/// A format that a model can be written in.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name for `--to`, in lower case.
    pub name: &'static str,
    /// Endings of files, without the dot.
    pub endings: &'static [&'static str],
    /// What it is, in a few words.
    pub line: &'static str,
}

/// A model that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Its name, for `quotient new NAME`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Its files by relative path; the first is the one to open.
    pub files: &'static [(&'static str, &'static str)],
}
