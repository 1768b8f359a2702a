//! Reasons to doubt a model whose properties hold.

use quotient_automata::{Label, Nfa, Predicate, Transducer};
use quotient_core::{Budget, Stop};
use serde::Serialize;

use crate::check::{Answer, Found};
use crate::{Set, System};

/// Something that is probably not meant. Every doubt is certain as a fact about the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "doubt", rename_all = "kebab-case")]
pub enum Doubt {
    /// There is no initial configuration.
    NoInitial,
    /// No transducer can make a step from an initial configuration.
    NoFirstStep,
    /// A transducer that can never make a step.
    NeverFires {
        /// Its name.
        transducer: String,
    },
    /// Letters that occur in no reachable configuration.
    LettersNeverReached {
        /// Their names.
        letters: Vec<String>,
    },
    /// A property without bad configurations.
    NoBad {
        /// Its name.
        property: String,
    },
    /// Every bad configuration has a letter that is neither in an initial configuration nor
    /// ever written.
    BadLetters {
        /// The name of the property.
        property: String,
    },
    /// No bad configuration has the length of an initial one, and steps keep the length.
    BadLengths {
        /// The name of the property.
        property: String,
    },
    /// No bad configuration is initial or can be written by any transducer at all.
    BadNeverWritten {
        /// The name of the property.
        property: String,
    },
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Doubt::NoInitial => f.write_str("there is no initial configuration"),
            Doubt::NoFirstStep => f.write_str("no initial configuration can make a step"),
            Doubt::NeverFires { transducer } => write!(f, "`{transducer}` never makes a step"),
            Doubt::LettersNeverReached { letters } => {
                const SHOWN: usize = 10;
                let shown = letters[..letters.len().min(SHOWN)].join(", ");
                write!(f, "letters never reached: {shown}")?;
                match letters.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Doubt::NoBad { property } => write!(f, "`{property}` has no bad configuration"),
            Doubt::BadLetters { property } => write!(
                f,
                "`{property}` holds trivially: every bad configuration has a letter that is never written"
            ),
            Doubt::BadLengths { property } => write!(
                f,
                "`{property}` holds trivially: no bad configuration is as long as an initial one"
            ),
            Doubt::BadNeverWritten { property } => write!(
                f,
                "`{property}` holds trivially: no transducer can write a bad configuration"
            ),
        }
    }
}

/// What can be said after a check: about single properties that hold, and, where a property
/// holds, about what is never reached according to its invariant.
pub(crate) fn doubts(
    system: &System,
    answers: &[Answer],
    budget: &Budget,
) -> Result<Vec<Doubt>, Stop> {
    let mut doubts = Vec::new();
    let invariants: Vec<&Set> = answers
        .iter()
        .filter_map(|answer| match &answer.found {
            Found::Proof(proof) => Some(&proof.invariant),
            _ => None,
        })
        .collect();
    if invariants.is_empty() {
        return Ok(doubts);
    }
    if system.initial().is_empty_language() {
        return Ok(vec![Doubt::NoInitial]);
    }
    let initial = system.initial().to_nfa();
    let steps = || (system.relation().parts().iter()).filter(|(_, part)| !only_copies(part));
    let mut first_step = false;
    for (_, part) in steps() {
        first_step |= !meet(&part.domain(), &initial, budget)?.is_empty_language();
    }
    if !first_step {
        doubts.push(Doubt::NoFirstStep);
    }
    // Reachable configurations lie in all invariants.
    let mut within = invariants[0].to_nfa();
    for invariant in &invariants[1..] {
        if **invariant != *invariants[0] {
            within = meet(&within, &invariant.to_nfa(), budget)?;
        }
    }
    for (name, part) in steps() {
        if meet(&part.domain(), &within, budget)?.is_empty_language() {
            doubts.push(Doubt::NeverFires {
                transducer: name.clone(),
            });
        }
    }
    let reached = letters_of(&within);
    let never = reached.not();
    if !never.is_empty() {
        let name = |letter| system.alphabet().name(letter).to_owned();
        let letters = never.letters().map(name).collect();
        doubts.push(Doubt::LettersNeverReached { letters });
    }
    for (property, answer) in answers.iter().enumerate() {
        if matches!(answer.found, Found::Proof(_)) {
            doubts.extend(trivial_reason(system, property, budget)?);
        }
    }
    Ok(doubts)
}

/// Why a property holds whatever the order of steps, if it does.
fn trivial_reason(
    system: &System,
    property: usize,
    budget: &Budget,
) -> Result<Option<Doubt>, Stop> {
    let name = system.property_name(property).to_owned();
    let bad = system.bad(property);
    if bad.is_empty_language() {
        return Ok(Some(Doubt::NoBad { property: name }));
    }
    let initial = system.initial().to_nfa();
    let mut writable = letters_of(&initial);
    for (_, part) in system.relation().parts() {
        // Copies write only what was there.
        for label in part.labels() {
            if let Label::Pair(_, Some(letters)) = label {
                writable.or_assign(letters);
            }
        }
    }
    let over = Nfa::builder(system.alphabet())
        .initial(0)
        .edge(0, &writable, 0)
        .accepting(0)
        .build();
    let bad = bad.to_nfa();
    if meet(&bad, &over, budget)?.is_empty_language() {
        return Ok(Some(Doubt::BadLetters { property: name }));
    }
    if system.is_length_preserving()
        && meet(&lengths(&bad), &lengths(&initial), budget)?.is_empty_language()
    {
        return Ok(Some(Doubt::BadLengths { property: name }));
    }
    for (_, part) in (system.relation().parts().iter()).filter(|(_, part)| !only_copies(part)) {
        if !meet(&bad, &part.range(), budget)?.is_empty_language() {
            return Ok(None);
        }
    }
    Ok(Some(Doubt::BadNeverWritten { property: name }))
}

/// Whether no step of the transducer changes anything, as far as its labels show.
fn only_copies(part: &Transducer) -> bool {
    let copies = |label: &Label| matches!(label, Label::Copy(_)) || *label == Label::SILENT;
    part.labels().iter().all(copies)
}

fn meet(left: &Nfa, right: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
    left.intersection(right, budget)
}

/// The letters that occur in words of the language.
fn letters_of(nfa: &Nfa) -> Predicate {
    let mut letters = Predicate::none(nfa.alphabet());
    for label in nfa.trim().labels().iter().flatten() {
        letters.or_assign(label);
    }
    letters
}

/// The words that are as long as a word of the language.
fn lengths(nfa: &Nfa) -> Nfa {
    let all = Predicate::all(nfa.alphabet());
    nfa.relabelled(nfa.alphabet(), |_| all.clone())
}
