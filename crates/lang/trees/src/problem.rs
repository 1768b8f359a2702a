//! Questions about trees, put together from files.

use quotient_core::{Diagnostic, Source, Span};
use quotient_forest::{Step, System};
use quotient_trees::TreeAutomaton;
use quotient_trees::timbuk::{TimbukFile, write_automaton};

/// A question: where the system begins, how it steps, and what must not happen.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) title: Option<String>,
    pub(crate) system: System,
    pub(crate) bad: Vec<Bad>,
    /// Everything in one file.
    pub(crate) file: TimbukFile,
    /// What it lacks to be a question.
    pub(crate) lacks: Option<Diagnostic>,
    pub(crate) method: Option<String>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// What must not happen.
#[derive(Debug, Clone)]
pub(crate) struct Bad {
    pub(crate) name: String,
    pub(crate) set: TreeAutomaton,
    pub(crate) span: Option<Span>,
}

impl Bad {
    /// The property as text: its name, and a number that stands for the automaton.
    pub(crate) fn text(&self) -> String {
        // FNV-1a: the same on every machine, and in the next version.
        let text = write_automaton(&self.set, "");
        let number = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("no tree of `{}` is reached ({number:016x})", self.name)
    }
}

/// The question of one file: the automaton `Init` (or else the first one) is where it begins,
/// all others are bad, transducers and rewriting systems are steps.
fn is_initial(name: &str) -> bool {
    ["init", "initial"].contains(&name.to_ascii_lowercase().as_str())
}

/// What is wrong with a file that has a second automaton of initial trees: it is not a bad set.
pub(crate) fn second_initial(source: &Source, file: &TimbukFile) -> Option<Diagnostic> {
    let mut initial = file.automata.iter().filter(|named| is_initial(&named.name));
    let (_, second) = (initial.next()?, initial.next()?);
    let mistake = Diagnostic::error("several-initial", "there is a second set of initial trees");
    let mistake = mistake.at(source, second.span, "one is enough");
    Some(mistake.help("give it another name, or unite both: `quotient automata union`"))
}

pub(crate) fn of_file(source: &Source, file: TimbukFile) -> Problem {
    let first = (file.automata.iter())
        .position(|named| is_initial(&named.name))
        .unwrap_or(0);
    let initial = file
        .automata
        .get(first)
        .map(|named| named.automaton.clone());
    let others = file
        .automata
        .iter()
        .enumerate()
        .filter(|(number, _)| *number != first);
    let mut bad: Vec<Bad> = Vec::new();
    let mut warnings = file.warnings.clone();
    for (_, named) in others {
        let mut name = named.name.clone();
        let mut number = 2;
        while bad.iter().any(|other| other.name == name) {
            name = format!("{}-{number}", named.name);
            number += 1;
        }
        if name != named.name {
            let message = format!("there are several automata `{}`", named.name);
            let warning = Diagnostic::warning("same-name", message);
            warnings.push(warning.at(source, named.span, format!("this one is called `{name}`")));
        }
        bad.push(Bad {
            name,
            set: named.automaton.clone(),
            span: Some(named.span),
        });
    }
    let mut steps: Vec<(String, Step)> = Vec::new();
    let transducers = file.transducers.iter();
    let transducers =
        transducers.map(|named| (&named.name, Step::Transducer(named.transducer.clone())));
    let systems = file.systems.iter();
    let systems = systems.map(|named| (&named.name, Step::Rewriting(named.system.clone())));
    for (given, step) in transducers.chain(systems) {
        let mut name = given.clone();
        let mut number = 2;
        while steps.iter().any(|(other, _)| *other == name) {
            name = format!("{given}-{number}");
            number += 1;
        }
        steps.push((name, step));
    }
    let lacks = [
        (initial.is_none(), "an automaton of initial trees"),
        (bad.is_empty(), "an automaton of bad trees"),
        (steps.is_empty(), "a transducer or a rewriting system"),
    ];
    let lacks: Vec<&str> = lacks
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, what)| *what)
        .collect();
    let lacks = (!lacks.is_empty()).then(|| {
        Diagnostic::error("not-a-problem", "there is no question in this file")
            .in_source(source)
            .note(format!("it lacks {}", lacks.join(" and ")))
            .help("`quotient show` and `quotient convert` work on it")
    });
    Problem {
        title: None,
        system: System {
            initial: initial.unwrap_or_else(|| TreeAutomaton::empty(file.alphabet.clone())),
            steps,
            equations: file.equations.clone(),
        },
        bad,
        lacks,
        method: None,
        warnings,
        file,
    }
}
