//! From drafts to automata and transducers over one common alphabet.

use quotient_core::{Budget, Diagnostic, Source, Trouble};

use super::alphabets::some_names;
use super::bits::find_letters;
use super::draft::{Draft, DraftLabel, DraftMachine, Letters};
use super::{Document, Kind, Limits, Named};
use crate::{Alphabet, Label, Letter, Nfa, Predicate, State, Transducer};

/// Makes documents of drafts that belong together: their alphabet is the union of theirs, in
/// the order given.
pub(super) fn resolve(
    mut drafts: Vec<Draft>,
    limits: &Limits,
    budget: &Budget,
) -> Result<Vec<Document>, Trouble> {
    let found = find_letters(&mut drafts, limits, budget)?;
    let mut alphabet = common_alphabet(&drafts);
    if let Some(found) = found.filter(|_| drafts.iter().all(|draft| draft.has_bits)) {
        alphabet = found.attached_to(alphabet);
    }
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
) -> Result<Document, Trouble> {
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
        let predicates = Predicates {
            alphabet,
            letters: &letters,
        };
        let built = match machine.kind {
            Kind::Automaton => {
                let edges = grouped(&machine);
                let label = |edge: &(u32, u32, u32)| &machine.labels[edge.2 as usize];
                let sets = edges.chunk_by(same_ends);
                let sets = sets.map(|group| group.iter().map(|edge| listed(label(edge))).sum());
                check_size(&draft.source, &machine, sets, alphabet, limits)?;
                automaton(&machine, &edges, &predicates, budget)?.into()
            }
            Kind::Transducer => {
                let sets = machine.labels.iter().map(listed);
                check_size(&draft.source, &machine, sets, alphabet, limits)?;
                transducer(&machine, &predicates, budget)?.into()
            }
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
        has_bits: draft.has_bits,
        draft: None,
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
        let mut set = Predicate::none(self.alphabet);
        self.add(letters, &mut set);
        set
    }

    /// Adds letters to a set.
    fn add(&self, letters: &Letters, set: &mut Predicate) {
        match letters {
            Letters::In(numbers) => {
                for &number in numbers {
                    set.insert(self.letters[number as usize]);
                }
            }
            Letters::NotIn(numbers) => {
                let listed = numbers.iter().map(|&number| self.letters[number as usize]);
                set.or_assign(&Predicate::of(self.alphabet, listed).not());
            }
            Letters::Formula(_) => unreachable!("letters were found for all formulas"),
        }
    }
}

/// The edges with those between the same states side by side.
fn grouped(machine: &DraftMachine) -> Vec<(u32, u32, u32)> {
    let mut edges: Vec<_> = machine
        .edges
        .iter()
        .map(|&(source, label, target)| (source, target, label))
        .collect();
    edges.sort_unstable();
    edges
}

fn same_ends(left: &(u32, u32, u32), right: &(u32, u32, u32)) -> bool {
    (left.0, left.1) == (right.0, right.1)
}

/// One set of letters for each pair of states, filled from all its edges: never one for each
/// edge, which over a large alphabet would be quadratic.
fn automaton(
    machine: &DraftMachine,
    edges: &[(u32, u32, u32)],
    predicates: &Predicates<'_>,
    budget: &Budget,
) -> Result<Nfa, Trouble> {
    let mut builder = Nfa::builder(predicates.alphabet).states(machine.states.len() as u32);
    for &state in &machine.initial {
        builder.add_initial(State(state));
    }
    for &state in &machine.accepting {
        builder.add_accepting(State(state));
    }
    for group in edges.chunk_by(same_ends) {
        let (source, target) = (State(group[0].0), State(group[0].1));
        let mut letters = Predicate::none(predicates.alphabet);
        for &(_, _, label) in group {
            budget.poll()?;
            match &machine.labels[label as usize] {
                DraftLabel::Copy(set) => predicates.add(set, &mut letters),
                DraftLabel::Pair(..) => builder.add_epsilon(source, target),
            }
        }
        builder.add_edge(source, &letters, target);
    }
    Ok(builder.build())
}

fn transducer(
    machine: &DraftMachine,
    predicates: &Predicates<'_>,
    budget: &Budget,
) -> Result<Transducer, Trouble> {
    let labels: Vec<Label> = machine
        .labels
        .iter()
        .map(|label| predicates.label(label))
        .collect();
    let mut builder = Transducer::builder(predicates.alphabet).states(machine.states.len() as u32);
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

/// How many letters a label lists, or leaves out.
fn listed(label: &DraftLabel) -> usize {
    let letters = |letters: &Letters| match letters {
        Letters::In(listed) | Letters::NotIn(listed) => listed.len(),
        Letters::Formula(_) => 0,
    };
    match label {
        DraftLabel::Copy(set) => letters(set),
        DraftLabel::Pair(input, output) => {
            input.as_ref().map_or(0, letters) + output.as_ref().map_or(0, letters)
        }
    }
}

/// Labels are lists or bit sets: many large ones over many letters are refused before they take
/// the memory. `sets` says how many letters each lists.
fn check_size(
    source: &Source,
    machine: &DraftMachine,
    sets: impl Iterator<Item = usize>,
    alphabet: &Alphabet,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let most = alphabet.len().div_ceil(8);
    let bytes = sets.fold(0usize, |bytes, listed| {
        bytes.saturating_add(listed.saturating_mul(8).saturating_add(64).min(most))
    });
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
