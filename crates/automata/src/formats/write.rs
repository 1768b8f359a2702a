//! What all writers share.

use quotient_core::{Budget, Diagnostic, Trouble};

use super::{Format, Kind, Limits, Machine, Named, Role};
use crate::{Alphabet, Graph, Label, Letter, State};

/// What a writer makes: the text, and tables that belong in files beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// Files that go with it: what to append to its name, and the text (the symbol table of
    /// a finite-state machine).
    pub companions: Vec<(&'static str, String)>,
    /// What the format could not hold, though the words are the same.
    pub warnings: Vec<Diagnostic>,
}

impl From<String> for Written {
    fn from(text: String) -> Written {
        Written {
            text,
            companions: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Writes machines over one alphabet in a format; an error says what the format has no place
/// for. Reading the text gives the same languages and relations back.
///
/// ```
/// use quotient_automata::formats::{Format, Limits, Named, Reading, Role, read, write};
/// use quotient_automata::{Alphabet, Transducer};
/// use quotient_core::{Budget, Source};
/// let alphabet = Alphabet::new(["a", "b"])?;
/// let copy = Named::new("copy", Role::Unspecified, Transducer::identity(&alphabet));
/// let budget = Budget::unlimited();
/// let written = write(&[copy], Format::Fsa, &Limits::default(), &budget)?;
/// let again = read(&Source::new("copy.pl", written.text), &Reading::default(), &budget)?;
/// assert_eq!(again.transducer()?.edges().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the machines are over different alphabets, which is a bug of the caller.
pub fn write(
    machines: &[Named],
    format: Format,
    limits: &Limits,
    budget: &Budget,
) -> Result<Written, Trouble> {
    if let Some(first) = machines.first() {
        let alphabet = first.machine.alphabet();
        assert!(
            machines
                .iter()
                .all(|named| named.machine.alphabet() == alphabet)
        );
    }
    let mut writer = Writer {
        machines,
        format,
        limits,
        budget,
        lines: 0,
    };
    let mut written = match format {
        Format::Timbuk => super::timbuk::write(&mut writer),
        Format::Fsa => super::fsa::write(&mut writer),
        Format::Fsm => super::fsm::write(&mut writer),
        Format::Mata => super::mata::write(&mut writer),
        Format::Slrp => super::slrp::write(&mut writer),
        Format::Json => super::json::write(&mut writer),
        Format::Dot => super::dot::write(&mut writer),
    }?;
    written.warnings.extend(lost_bits(machines, format));
    Ok(written)
}

/// The warning that letters are names only, where they were classes of vectors of bits.
fn lost_bits(machines: &[Named], format: Format) -> Option<Diagnostic> {
    let keeps_bits = |named: &Named| match (format, &named.machine) {
        (Format::Dot, _) => true,
        (Format::Mata, machine) => machine.kind() == Kind::Automaton,
        _ => false,
    };
    let lost = |named: &&Named| named.machine.alphabet().has_vectors() && !keeps_bits(named);
    machines.iter().find(lost)?;
    let message = format!(
        "{} has no bits: letters that are classes of vectors become mere names",
        format.name()
    );
    Some(
        Diagnostic::warning("lost-bits", message)
            .note("files over other bits have no letter in common with this one")
            .help("write mata, which keeps bits, to go on with the result"),
    )
}

/// What is to be written, how much of it may be, and what was so far.
pub(super) struct Writer<'a> {
    pub(super) machines: &'a [Named],
    pub(super) format: Format,
    limits: &'a Limits,
    pub(super) budget: &'a Budget,
    lines: usize,
}

impl<'a> Writer<'a> {
    /// The alphabet of the machines; an error if there are none.
    pub(super) fn alphabet(&self) -> Result<&'a Alphabet, Trouble> {
        match self.machines.first() {
            Some(first) => Ok(first.machine.alphabet()),
            None => Err(Diagnostic::error("nothing-to-write", "there is nothing to write").into()),
        }
    }

    /// The only machine; an error if the format has place for one and there are several.
    pub(super) fn only(&self) -> Result<&'a Named, Trouble> {
        match self.machines {
            [only] => Ok(only),
            _ => Err(self.inexpressible(
                format!("{} automata and transducers", self.machines.len()),
                "write each into a file of its own",
            )),
        }
    }

    /// The machines with automata freed of ε-moves, for formats that have none.
    pub(super) fn without_epsilon(&self) -> Result<Vec<Named>, Trouble> {
        let mut machines = self.machines.to_vec();
        for named in &mut machines {
            if let Machine::Automaton(nfa) = &named.machine
                && nfa.has_epsilon()
            {
                named.machine = nfa.without_epsilon(self.budget)?.into();
                named.states.clear();
            }
        }
        Ok(machines)
    }

    /// A writer of other machines with the same limits.
    pub(super) fn about<'b>(&self, machines: &'b [Named]) -> Writer<'b>
    where
        'a: 'b,
    {
        Writer { machines, ..*self }
    }

    /// Counts a line of output.
    pub(super) fn line(&mut self) -> Result<(), Trouble> {
        self.budget.poll()?;
        self.lines += 1;
        if self.lines <= self.limits.lines {
            return Ok(());
        }
        let message = format!(
            "{} has a line for each letter: that makes more than {} lines here",
            self.format.name(),
            self.limits.lines
        );
        Err(Diagnostic::error("too-large", message)
            .help("write a symbolic format (Timbuk, FSA), or raise the limit")
            .into())
    }

    /// Calls back with each pair of letters of a label, `None` for ε.
    pub(super) fn pairs(
        &mut self,
        label: &Label,
        mut each: impl FnMut(Option<Letter>, Option<Letter>),
    ) -> Result<(), Trouble> {
        let side = |predicate: Option<&crate::Predicate>| -> Vec<Option<Letter>> {
            predicate.map_or(vec![None], |set| set.letters().map(Some).collect())
        };
        if let Label::Copy(letters) = label {
            for letter in letters.letters() {
                self.line()?;
                each(Some(letter), Some(letter));
            }
            return Ok(());
        }
        let outputs = side(label.output());
        for input in side(label.input()) {
            for &output in &outputs {
                self.line()?;
                each(input, output);
            }
        }
        Ok(())
    }

    /// The error for what a format has no place for.
    pub(super) fn inexpressible(&self, what: impl std::fmt::Display, help: &str) -> Trouble {
        let message = format!("{} cannot hold {what}", self.format.name());
        Diagnostic::error("inexpressible", message)
            .help(help)
            .into()
    }

    /// Refuses letters that the format cannot spell.
    pub(super) fn spell_letters(&self, fits: impl Fn(&str) -> bool) -> Result<(), Trouble> {
        match self.alphabet()?.names().find(|name| !fits(name)) {
            Some(name) => Err(self.inexpressible(
                format_args!("the letter `{}`", name.escape_debug()),
                "rename the letter, or write Timbuk, FSA or mata, which quote odd names",
            )),
            None => Ok(()),
        }
    }

    /// The warning that letters without an edge are lost.
    pub(super) fn lost_letters(&self) -> Vec<Diagnostic> {
        let Some(alphabet) = self.machines.first().map(|first| first.machine.alphabet()) else {
            return Vec::new();
        };
        let mut used = crate::Predicate::none(alphabet);
        for named in self.machines {
            match &named.machine {
                Machine::Automaton(nfa) => {
                    nfa.labels()
                        .iter()
                        .flatten()
                        .for_each(|set| used.or_assign(set));
                }
                Machine::Transducer(transducer) => transducer
                    .labels()
                    .iter()
                    .flat_map(|label| [label.input(), label.output()])
                    .flatten()
                    .for_each(|set| used.or_assign(set)),
            }
        }
        let lost = used.not();
        let Some(first) = lost.first() else {
            return Vec::new();
        };
        let message = format!(
            "{} declares no alphabet: {} letters without an edge are lost, `{}` first",
            self.format.name(),
            lost.len(),
            alphabet.name(first)
        );
        vec![
            Diagnostic::warning("lost-letters", message)
                .note("the words are the same; a complement of what is read back is not")
                .help("write Timbuk, mata or JSON, which declare the alphabet"),
        ]
    }
}

/// Names for the states that the format can spell: those of the file if all fit and differ,
/// else `q0`, `q1`, ….
pub(super) fn state_names(named: &Named, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let count = named.machine.states();
    let mut seen = rustc_hash::FxHashSet::default();
    let usable = named.states.len() == count
        && named
            .states
            .iter()
            .all(|name| fits(name) && seen.insert(name));
    match usable {
        true => named.states.clone(),
        false => (0..count).map(|number| format!("q{number}")).collect(),
    }
}

/// A name that none of the given ones is.
pub(super) fn fresh_name(taken: &[String], wish: &str) -> String {
    let taken: rustc_hash::FxHashSet<&str> = taken.iter().map(String::as_str).collect();
    let numbered = (0usize..).map(|number| format!("{wish}{number}"));
    std::iter::once(wish.to_owned())
        .chain(numbered)
        .find(|name| !taken.contains(name.as_str()))
        .expect("finitely many names are taken")
}

/// The accepting states in order.
pub(super) fn accepting<L>(graph: &Graph<L>) -> impl Iterator<Item = State> + '_ {
    graph.accepting().ones().map(|state| State(state as u32))
}

/// The labels of a machine as those of a transducer, by number: an automaton copies its words.
pub(super) fn labels_of(machine: &Machine) -> Vec<Label> {
    match machine {
        Machine::Transducer(transducer) => transducer.labels().to_vec(),
        Machine::Automaton(nfa) => nfa
            .labels()
            .iter()
            .map(|label| match label {
                Some(letters) => Label::Copy(letters.clone()),
                None => Label::SILENT,
            })
            .collect(),
    }
}

/// The part that a machine plays where the format needs one.
pub(super) fn role_of(named: &Named) -> Role {
    match (named.role, named.machine.kind()) {
        (Role::Unspecified, Kind::Automaton) => Role::Initial,
        (Role::Unspecified, Kind::Transducer) => Role::Transition,
        (role, _) => role,
    }
}

/// The shape of a machine without its labels.
pub(super) struct Shape<'a> {
    pub(super) initial: &'a [State],
    pub(super) accepting: Vec<State>,
    pub(super) edges: &'a [crate::Edge],
}

impl<'a> Shape<'a> {
    pub(super) fn of(machine: &'a Machine) -> Shape<'a> {
        match machine {
            Machine::Automaton(nfa) => Shape {
                initial: nfa.initial(),
                accepting: accepting(nfa).collect(),
                edges: nfa.edges(),
            },
            Machine::Transducer(transducer) => Shape {
                initial: transducer.initial(),
                accepting: accepting(transducer).collect(),
                edges: transducer.edges(),
            },
        }
    }
}
