//! What is wished for, and how to go about it.

use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Heuristic, Means, Rule, Start, Strategy, Way,
};
use quotient_core::{Diagnostic, Source};
use quotient_language::Settings;
use quotient_lts::Relation;

use crate::{Compiled, Model};

/// The settings that a model was opened with, beside the system and its constants.
#[derive(Debug, Clone, Default)]
pub(super) struct Wishes {
    pub(super) progress: bool,
    /// An assertion by name, or a formula.
    pub(super) ltl: Option<String>,
    /// A formula of the mu-calculus.
    pub(super) modal: Option<String>,
    pub(super) fair: bool,
    pub(super) minimise: Option<Relation>,
    pub(super) structure: bool,
    pub(super) menu: Option<String>,
    settings: Settings,
}

impl Wishes {
    pub(super) fn of(settings: &Settings) -> Wishes {
        Wishes {
            progress: settings.flag("progress"),
            ltl: settings.text("ltl").map(|text| text.trim().to_owned()),
            modal: settings.text("mu").map(|text| text.trim().to_owned()),
            fair: !settings.flag("unfair"),
            minimise: match settings.text("minimise-by") {
                Some(name) => Relation::named(name),
                None => settings.flag("minimise").then_some(Relation::Weak),
            },
            structure: settings.flag("structure"),
            menu: settings.text("menu").map(str::to_owned),
            settings: settings.clone(),
        }
    }

    /// The formula that is asked about, if it is not an assertion of the text.
    pub(super) fn formula(&self, model: &Model) -> Option<String> {
        let wanted = self.ltl.as_deref()?;
        let is_named = model.assertions().any(|name| name == wanted);
        // A name that is none of the text is a slip of the pen, and not a formula.
        (!is_named && !is_name(wanted)).then(|| wanted.to_owned())
    }

    /// Whether a method is chosen that proves properties by assumptions.
    pub(super) fn by_assumptions(&self) -> bool {
        let given = |name: &&str| self.settings.is_given(name);
        [
            "rule",
            "learn",
            "abstract",
            "weakest",
            "alphabet",
            "components",
        ]
        .iter()
        .any(given)
    }

    /// How to find the answers about safety.
    pub(super) fn way(&self, compiled: &Compiled, source: &Source) -> Result<Way, Diagnostic> {
        let settings = &self.settings;
        if settings.flag("monolithic") {
            return Ok(Way::Monolithic);
        }
        if !self.by_assumptions() {
            return Ok(Way::Automatic);
        }
        let rule = match settings.text("rule") {
            Some("circular") => Rule::Circular,
            Some("symmetric") => Rule::Symmetric,
            _ => Rule::Asymmetric,
        };
        let means = match settings.text("learn") {
            _ if settings.flag("abstract") => Means::Abstract,
            _ if settings.flag("weakest") => Means::Weakest,
            Some("lstar") => Means::Learn(Algorithm::LStar),
            _ => Means::Learn(Algorithm::LSharp),
        };
        let refined = |start, heuristic| Alphabet::Refined { start, heuristic };
        let alphabet = match settings.text("alphabet") {
            Some("whole") => Alphabet::Whole,
            Some("backward") => refined(Start::Property, Heuristic::Backward),
            Some("forward") => refined(Start::Property, Heuristic::Forward),
            Some("all-difference") => refined(Start::Property, Heuristic::AllDifference),
            Some("empty") => refined(Start::Empty, Heuristic::Backward),
            _ => Alphabet::default(),
        };
        let decomposition = match settings.text("components") {
            None => Decomposition::Separate,
            Some("halves") => Decomposition::Halves,
            Some(groups) => Decomposition::Given(numbers(groups, compiled, source)?),
        };
        Ok(Way::Assumptions(Strategy {
            rule,
            means,
            alphabet,
            decomposition,
        }))
    }
}

/// Whether a text is one name as definitions have them.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Components by name, `+` within a group and `,` between groups.
fn numbers(
    groups: &str,
    compiled: &Compiled,
    source: &Source,
) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let number = |name: &str| {
        let name = name.trim();
        let mut known = compiled.components.iter();
        known.position(|known| known == name).ok_or_else(|| {
            let message = format!("there is no component `{name}`");
            let all = compiled.components.join(", ");
            Diagnostic::error("no-such-component", message)
                .in_source(source)
                .note(format!("the components are {all}"))
                .did_you_mean(name, compiled.components.iter().map(String::as_str))
        })
    };
    groups
        .split(',')
        .map(|group| group.split('+').map(number).collect())
        .collect()
}
