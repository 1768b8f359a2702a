//! Settings as data: front ends make arguments, forms and tables of them.

use crate::Verb;

/// A setting that a language knows.
///
/// ```
/// use quotient_language::{Setting, Verb};
/// const SETTINGS: &[Setting] = &[
///     Setting::flag("progress", "Check the progress properties.").group("Questions").pinned(),
///     Setting::text("system", "NAME", "The composite to check.").verbs(&[Verb::Check]),
/// ];
/// assert!(SETTINGS[0].is_for(Verb::Show) && !SETTINGS[1].is_for(Verb::Show));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name: on the command line `--name`.
    pub name: &'static str,
    /// A letter for it: on the command line `-n`.
    pub short: Option<char>,
    /// What its values are.
    pub kind: Kind,
    /// What stands for its value in help texts.
    pub value: &'static str,
    /// Whether it may be given several times.
    pub many: bool,
    /// The value if none is given, for help texts and forms.
    pub default: Option<&'static str>,
    /// What it does: whole sentences.
    pub help: &'static str,
    /// A heading to list it under.
    pub group: &'static str,
    /// How to write it, as in `--constant N=4`.
    pub example: &'static str,
    /// The verbs it is for; all that the language offers if there are none.
    pub verbs: &'static [Verb],
    /// Settings without which it has no meaning: one of them must be given.
    pub requires: &'static [&'static str],
    /// Settings that it cannot stand beside.
    pub conflicts: &'static [&'static str],
    /// Whether it makes the question another one, so that evidence must carry it.
    pub pinned: bool,
}

/// Lets properties hold of a model that has no beginning. Languages that have such models list it
/// among their settings; the workbench applies it.
pub const ALLOW_EMPTY: Setting = Setting::flag(
    "allow-empty",
    "Let properties hold of a model that has no beginning; without this they are unknown.",
)
.verbs(&[Verb::Check])
.pinned();

/// What the values of a setting are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is given or not.
    Flag,
    /// Any text.
    Text,
    /// A whole number within bounds.
    Whole {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// One of some words, each with what it means.
    Choice(&'static [(&'static str, &'static str)]),
    /// `NAME=VALUE`.
    Assignment,
    /// The name of a file beside the model.
    File,
}

impl Setting {
    const fn new(name: &'static str, kind: Kind, value: &'static str, help: &'static str) -> Self {
        Setting {
            name,
            short: None,
            kind,
            value,
            many: false,
            default: None,
            help,
            group: "Settings",
            example: "",
            verbs: &[],
            requires: &[],
            conflicts: &[],
            pinned: false,
        }
    }

    /// A setting that is given or not.
    pub const fn flag(name: &'static str, help: &'static str) -> Setting {
        Setting::new(name, Kind::Flag, "", help)
    }

    /// A setting with any text as its value.
    pub const fn text(name: &'static str, value: &'static str, help: &'static str) -> Setting {
        Setting::new(name, Kind::Text, value, help)
    }

    /// A setting with a whole number as its value.
    pub const fn whole(name: &'static str, value: &'static str, help: &'static str) -> Setting {
        let kind = Kind::Whole {
            least: 0,
            most: u64::MAX,
        };
        Setting::new(name, kind, value, help)
    }

    /// A setting that is one of some words.
    pub const fn choice(
        name: &'static str,
        value: &'static str,
        choices: &'static [(&'static str, &'static str)],
        help: &'static str,
    ) -> Setting {
        Setting::new(name, Kind::Choice(choices), value, help)
    }

    /// A setting of the form `NAME=VALUE`, which may be given several times.
    pub const fn assignment(name: &'static str, help: &'static str) -> Setting {
        let mut setting = Setting::new(name, Kind::Assignment, "NAME=VALUE", help);
        setting.many = true;
        setting
    }

    /// A setting that names a file beside the model.
    pub const fn file(name: &'static str, help: &'static str) -> Setting {
        Setting::new(name, Kind::File, "FILE", help)
    }

    /// With a letter.
    #[must_use]
    pub const fn short(mut self, letter: char) -> Setting {
        self.short = Some(letter);
        self
    }

    /// With bounds for a whole number.
    #[must_use]
    pub const fn within(mut self, least: u64, most: u64) -> Setting {
        self.kind = Kind::Whole { least, most };
        self
    }

    /// May be given several times.
    #[must_use]
    pub const fn many(mut self) -> Setting {
        self.many = true;
        self
    }

    /// The value if none is given.
    #[must_use]
    pub const fn default(mut self, value: &'static str) -> Setting {
        self.default = Some(value);
        self
    }

    /// A heading to list it under.
    #[must_use]
    pub const fn group(mut self, group: &'static str) -> Setting {
        self.group = group;
        self
    }

    /// How to write it.
    #[must_use]
    pub const fn example(mut self, example: &'static str) -> Setting {
        self.example = example;
        self
    }

    /// Only for these verbs.
    #[must_use]
    pub const fn verbs(mut self, verbs: &'static [Verb]) -> Setting {
        self.verbs = verbs;
        self
    }

    /// Has a meaning only beside one of these.
    #[must_use]
    pub const fn requires(mut self, names: &'static [&'static str]) -> Setting {
        self.requires = names;
        self
    }

    /// Cannot stand beside these.
    #[must_use]
    pub const fn conflicts(mut self, names: &'static [&'static str]) -> Setting {
        self.conflicts = names;
        self
    }

    /// Makes the question another one: evidence carries it.
    #[must_use]
    pub const fn pinned(mut self) -> Setting {
        self.pinned = true;
        self
    }

    /// Whether it takes a value.
    pub fn takes_value(&self) -> bool {
        self.kind != Kind::Flag
    }

    /// Whether it is for a verb.
    pub fn is_for(&self, verb: Verb) -> bool {
        self.verbs.is_empty() || self.verbs.contains(&verb)
    }
}
