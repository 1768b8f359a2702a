//! Automata and transducers from files, over the letters of the protocol.

use quotient_automata::formats::{self, Kind, Reading};
use quotient_automata::{Alphabet, Canonical, Label, Letter, Nfa, Predicate, State, Transducer};
use quotient_core::{Budget, Diagnostic, Trouble};

use crate::model::{Import, Protocol};

/// The automaton of a file.
pub(super) fn automaton(
    protocol: &Protocol,
    import: &Import,
    alphabet: &Alphabet,
    budget: &Budget,
) -> Result<Nfa, Trouble> {
    let document = read(protocol, import, Kind::Automaton, budget)?;
    let nfa = (document.automaton()).map_err(|error| wrong_kind(protocol, import, &error))?;
    let names = Names::new(protocol, import, nfa.alphabet(), alphabet);
    let mut builder = Nfa::builder(alphabet).states(nfa.len() as u32);
    nfa.initial()
        .iter()
        .for_each(|&state| builder.add_initial(state));
    nfa.accepting()
        .ones()
        .for_each(|state| builder.add_accepting(State(state as u32)));
    for edge in nfa.edges() {
        match nfa.label(edge) {
            Some(letters) => builder.add_edge(edge.source, &names.set(letters)?, edge.target),
            None => builder.add_epsilon(edge.source, edge.target),
        }
    }
    Ok(builder.build())
}

/// The transducer of a file, between well-formed configurations.
pub(super) fn step(
    protocol: &Protocol,
    import: &Import,
    configurations: &Canonical,
    budget: &Budget,
) -> Result<Transducer, Trouble> {
    let document = read(protocol, import, Kind::Transducer, budget)?;
    let given = (document.transducer()).map_err(|error| wrong_kind(protocol, import, &error))?;
    let alphabet = configurations.alphabet();
    let names = Names::new(protocol, import, given.alphabet(), alphabet);
    let mut builder = Transducer::builder(alphabet).states(given.len() as u32);
    given
        .initial()
        .iter()
        .for_each(|&state| builder.add_initial(state));
    given
        .accepting()
        .ones()
        .for_each(|state| builder.add_accepting(State(state as u32)));
    let side = |letters: &Option<Predicate>| letters.as_ref().map(|all| names.set(all)).transpose();
    for edge in given.edges() {
        let label = match given.label(edge) {
            Label::Pair(input, output) => Label::Pair(side(input)?, side(output)?),
            Label::Copy(letters) => Label::Copy(names.set(letters)?),
        };
        builder.add_edge(edge.source, &label, edge.target);
    }
    let well_formed = configurations.to_nfa();
    let step = builder.build().restrict_domain(&well_formed, budget)?;
    Ok(step.restrict_range(&well_formed, budget)?.reduce())
}

fn read(
    protocol: &Protocol,
    import: &Import,
    kind: Kind,
    budget: &Budget,
) -> Result<formats::Document, Trouble> {
    let reading = Reading {
        expect: Some(kind),
        ..Reading::default()
    };
    formats::read(&import.source, &reading, budget).map_err(|trouble| match trouble {
        Trouble::Stopped(stop) => stop.into(),
        Trouble::Invalid(mistakes) => {
            let (name, path) = (protocol.source.name(), &import.path);
            let line = format!("imported by {name} as `{path}`");
            let noted = mistakes
                .into_iter()
                .map(|mistake| mistake.note(line.clone()));
            Trouble::Invalid(noted.collect())
        }
    })
}

fn wrong_kind(protocol: &Protocol, import: &Import, error: &Diagnostic) -> Trouble {
    let message = format!("`{}` does not fit here: {}", import.path, error.message);
    Diagnostic::error("bad-import", message)
        .at(&protocol.source, import.span, "imported here")
        .help("a step is a transducer, all else an automaton; each file has one")
        .into()
}

/// The letters of a file by their names.
struct Names<'a> {
    protocol: &'a Protocol,
    import: &'a Import,
    given: &'a Alphabet,
    alphabet: &'a Alphabet,
    letters: Vec<Option<Letter>>,
}

impl<'a> Names<'a> {
    fn new(
        protocol: &'a Protocol,
        import: &'a Import,
        given: &'a Alphabet,
        alphabet: &'a Alphabet,
    ) -> Names<'a> {
        Names {
            protocol,
            import,
            given,
            alphabet,
            letters: given.names().map(|name| alphabet.letter(name)).collect(),
        }
    }

    fn set(&self, letters: &Predicate) -> Result<Predicate, Trouble> {
        let mut set = Predicate::none(self.alphabet);
        for letter in letters.letters() {
            match self.letters[letter.index()] {
                Some(letter) => set.insert(letter),
                None => return Err(self.unknown(self.given.name(letter)).into()),
            }
        }
        Ok(set)
    }

    fn unknown(&self, name: &str) -> Diagnostic {
        let path = &self.import.path;
        let message = format!("`{path}` has the letter `{name}`, which the protocol does not have");
        Diagnostic::error("unknown-letter", message)
            .at(&self.protocol.source, self.import.span, "imported here")
            .did_you_mean(name, self.alphabet.names())
            .help("`quotient show` lists the letters of a protocol")
    }
}
