//! Machines as files.

use quotient_core::{Budget, Trouble};
use quotient_language::{Json, Written};

use crate::facts::{summary, summary_json};
use crate::formats::{self, Format, Limits, Named};

/// Machines in a format, with a line about each and the same for programs.
///
/// ```
/// use quotient_automata::catalogue::written;
/// use quotient_automata::formats::{Format, Limits, Named, Role};
/// use quotient_automata::{Alphabet, Nfa};
/// use quotient_core::Budget;
/// let none = Named::new("none", Role::Unspecified, Nfa::empty(&Alphabet::new(["a"])?));
/// let file = written(&[none], Format::Timbuk, &Limits::default(), &Budget::unlimited())?;
/// assert!(file.line.starts_with("automaton, "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn written(
    machines: &[Named],
    format: Format,
    limits: &Limits,
    budget: &Budget,
) -> Result<Written, Trouble> {
    let file = formats::write(machines, format, limits, budget)?;
    let lines: Vec<String> = machines.iter().map(summary).collect();
    let objects: Vec<Json> = machines.iter().map(summary_json).collect();
    let own = |(suffix, table): (&str, String)| (suffix.to_owned(), table);
    Ok(Written {
        bytes: None,
        text: file.text,
        companions: file.companions.into_iter().map(own).collect(),
        line: lines.join("\n"),
        details: vec![
            ("machines".to_owned(), Json::from(objects)),
            ("format".to_owned(), Json::from(format.name())),
        ],
        warnings: file.warnings,
    })
}
