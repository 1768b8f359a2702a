//! From drafts to automata and transducers over one common alphabet.

use quotient_core::{Budget, Diagnostic, Source};

use super::alphabets::some_names;
use super::draft::{Draft, DraftLabel, DraftMachine, Letters};
use super::{Document, FormatError, Kind, Limits, Named};
use crate::{Alphabet, Label, Letter, Nfa, Predicate, State, Transducer};

/// Makes documents of drafts that belong together: their alphabet is the union of theirs, in
/// the order given.
pub(super) fn resolve(
    drafts: Vec<Draft>,
    limits: &Limits,
    budget: &Budget,
) -> Result<Vec<Document>, FormatError> {
    let alphabet = common_alphabet(&drafts);
    drafts
        .into_iter()
        .map(|draft| resolve_one(draft, &alphabet, limits, budget))
        .collect()
}

fn common_alphabet(drafts: &[Draft]) -> Alphabet {
    let mut names = super::draft::Names::default();
    for draft in drafts {
        for name in draft.letters.iter() {
            names.intern(name);
        }
    }
    Alphabet::new(names.into_list()).expect("interned names are distinct")
}

fn resolve_one(
    draft: Draft,
    alphabet: &Alphabet,
    limits: &Limits,
    budget: &Budget,
) -> Result<Document, FormatError> {
    let letters: Vec<Letter> = draft
        .letters
        .iter()
        .map(|name| alphabet.letter(name).expect("a letter of the union"))
        .collect();
    let mut warnings = draft.warnings;
    if draft.declared && alphabet.len() > letters.len() && uses_complement(&draft.machines) {
        warnings.push(alphabets_differ(&draft.source, &letters, alphabet));
    }
    let mut machines = Vec::with_capacity(draft.machines.len());
    for machine in draft.machines {
        check_size(&draft.source, &machine, alphabet, limits)?;
        let predicates = Predicates {
            alphabet,
            letters: &letters,
        };
        let labels: Vec<Label> = machine
            .labels
            .iter()
            .map(|label| predicates.label(label))
            .collect();
        let built = match machine.kind {
            Kind::Automaton => automaton(&machine, &labels, alphabet, budget)?.into(),
            Kind::Transducer => transducer(&machine, &labels, alphabet, budget)?.into(),
        };
        machines.push(Named {
            name: machine.name,
            role: machine.role,
            machine: built,
            states: machine.states.into_list(),
            shown_at: machine.shown_at,
        });
    }
    Ok(Document {
        source: draft.source,
        format: draft.format,
        alphabet: alphabet.clone(),
        machines,
        settings: draft.settings,
        warnings,
    })
}

struct Predicates<'a> {
    alphabet: &'a Alphabet,
    /// The letters of the draft in the common alphabet.
    letters: &'a [Letter],
}

impl Predicates<'_> {
    fn label(&self, label: &DraftLabel) -> Label {
        match label {
            DraftLabel::Copy(letters) => Label::Copy(self.predicate(letters)),
            DraftLabel::Pair(input, output) => Label::Pair(
                input.as_ref().map(|letters| self.predicate(letters)),
                output.as_ref().map(|letters| self.predicate(letters)),
            ),
        }
    }

    fn predicate(&self, letters: &Letters) -> Predicate {
        let of = |numbers: &[u32]| {
            let letters = numbers.iter().map(|&number| self.letters[number as usize]);
            Predicate::of(self.alphabet, letters)
        };
        match letters {
            Letters::In(numbers) => of(numbers),
            Letters::NotIn(numbers) => of(numbers).not(),
            Letters::Set(numbers) => Predicate::of(
                self.alphabet,
                numbers.ones().map(|number| self.letters[number]),
            ),
        }
    }
}

fn automaton(
    machine: &DraftMachine,
    labels: &[Label],
    alphabet: &Alphabet,
    budget: &Budget,
) -> Result<Nfa, FormatError> {
    let mut builder = Nfa::builder(alphabet).states(machine.states.len() as u32);
    for &state in &machine.initial {
        builder.add_initial(State(state));
    }
    for &state in &machine.accepting {
        builder.add_accepting(State(state));
    }
    for &(source, label, target) in &machine.edges {
        budget.poll()?;
        match labels[label as usize].input() {
            Some(letters) => builder.add_edge(State(source), letters, State(target)),
            None => builder.add_epsilon(State(source), State(target)),
        }
    }
    Ok(builder.build())
}

fn transducer(
    machine: &DraftMachine,
    labels: &[Label],
    alphabet: &Alphabet,
    budget: &Budget,
) -> Result<Transducer, FormatError> {
    let mut builder = Transducer::builder(alphabet).states(machine.states.len() as u32);
    for &state in &machine.initial {
        builder.add_initial(State(state));
    }
    for &state in &machine.accepting {
        builder.add_accepting(State(state));
    }
    for &(source, label, target) in &machine.edges {
        budget.poll()?;
        builder.add_edge(State(source), &labels[label as usize], State(target));
    }
    Ok(builder.build())
}

/// Labels are bit sets: many edges over many letters are refused before they take the memory.
fn check_size(
    source: &Source,
    machine: &DraftMachine,
    alphabet: &Alphabet,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let sets = match machine.kind {
        Kind::Automaton => machine.edges.len() + machine.labels.len(),
        Kind::Transducer => 2 * machine.labels.len(),
    };
    let bytes = sets.saturating_mul(alphabet.len().div_ceil(8));
    if bytes <= limits.label_bytes {
        return Ok(());
    }
    let message = format!(
        "`{}` has {} edges over {} letters: their labels need {bytes} bytes, the limit is {}",
        machine.name,
        machine.edges.len(),
        alphabet.len(),
        limits.label_bytes
    );
    Err(Diagnostic::error("too-large", message)
        .in_source(source)
        .help("use fewer letters, or raise the limit"))
}

fn uses_complement(machines: &[DraftMachine]) -> bool {
    let complement = |letters: &Option<&Letters>| matches!(letters, Some(Letters::NotIn(_)));
    machines.iter().any(|machine| {
        machine.labels.iter().any(|label| match label {
            DraftLabel::Copy(letters) => complement(&Some(letters)),
            DraftLabel::Pair(input, output) => {
                complement(&input.as_ref()) || complement(&output.as_ref())
            }
        })
    })
}

fn alphabets_differ(source: &Source, own: &[Letter], alphabet: &Alphabet) -> Diagnostic {
    let own = Predicate::of(alphabet, own.iter().copied());
    let foreign: Vec<_> = own.not().letters().collect();
    let message = format!(
        "`not_in` also stands for {} that only other files declare",
        some_names(
            foreign.iter().map(|&letter| alphabet.name(letter)),
            foreign.len()
        ),
    );
    Diagnostic::warning("alphabets-differ", message)
        .in_source(source)
        .note(format!(
            "this file declares {}, all files together {} letters",
            own.len(),
            alphabet.len()
        ))
        .help("declare the same letters in every file")
}
