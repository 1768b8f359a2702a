//! Pictures of automata and transducers.

mod labels;

use quotient_language::text::wrap;
use quotient_language::{Graph as Picture, Node};

use crate::formats::{Machine, Named};
use crate::{Graph, Label, Nfa, Predicate, Transducer};

use labels::{cut, full, move_label, short};

/// What sets of letters mean in the words of a source, where it has words for them.
pub type Meaning<'a> = dyn Fn(&Predicate) -> Option<String> + 'a;

/// A machine as a picture, with its letters, or with what they mean.
pub fn machine_picture(named: &Named, meaning: Option<&Meaning<'_>>) -> Picture {
    let title = named.name.as_str();
    match (&named.machine, meaning) {
        (Machine::Automaton(nfa), Some(words)) => automaton_picture_in_words(title, nfa, words),
        (Machine::Automaton(nfa), None) => automaton_picture(title, nfa, &named.states),
        (Machine::Transducer(step), Some(words)) => transducer_picture_in_words(title, step, words),
        (Machine::Transducer(step), None) => transducer_picture(title, step, &named.states),
    }
}

/// An automaton as a picture: states are circles with their names, or with their numbers where
/// there is no name; sets of letters are shortened.
///
/// ```
/// use quotient_automata::{Alphabet, Nfa};
/// use quotient_automata::pictures::automaton_picture;
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let nfa = Nfa::builder(&alphabet).initial(0).edge(0, &alphabet.set(["T"])?, 1).accepting(1).build();
/// assert_eq!(automaton_picture("tokens", &nfa, &[]).nodes.len(), 2);
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
pub fn automaton_picture(title: impl Into<String>, nfa: &Nfa, names: &[String]) -> Picture {
    let alphabet = nfa.alphabet();
    of_graph(title.into(), nfa, names, |label| {
        let letters = label.as_ref();
        (short(alphabet, letters), full(alphabet, letters))
    })
}

/// A transducer as a picture: `read / written`, or `copy letters`.
pub fn transducer_picture(
    title: impl Into<String>,
    transducer: &Transducer,
    names: &[String],
) -> Picture {
    let alphabet = transducer.alphabet();
    of_graph(title.into(), transducer, names, |label| {
        (
            move_label(alphabet, label, short),
            move_label(alphabet, label, full),
        )
    })
}

/// An automaton as a picture where sets of letters are written by what they mean; where nothing
/// is said about a set, it is named as usual.
pub fn automaton_picture_in_words(
    title: impl Into<String>,
    nfa: &Nfa,
    meaning: &Meaning<'_>,
) -> Picture {
    let alphabet = nfa.alphabet();
    of_graph(title.into(), nfa, &[], |label| match label {
        None => ("ε".to_owned(), String::new()),
        Some(letters) => match meaning(letters) {
            Some(words) => (folded(&words), words),
            None => (
                short(alphabet, Some(letters)),
                full(alphabet, Some(letters)),
            ),
        },
    })
}

/// A transducer as a picture where sets of letters are written by what they mean.
pub fn transducer_picture_in_words(
    title: impl Into<String>,
    transducer: &Transducer,
    meaning: &Meaning<'_>,
) -> Picture {
    let alphabet = transducer.alphabet();
    let side = |letters: Option<&Predicate>| {
        let said = letters.and_then(meaning);
        said.unwrap_or_else(|| short(alphabet, letters))
    };
    of_graph(title.into(), transducer, &[], |label| match label {
        Label::Copy(letters) => {
            let words = side(Some(letters));
            (folded(&words), format!("{words} (unchanged)"))
        }
        Label::Pair(input, output) => {
            let (input, output) = (side(input.as_ref()), side(output.as_ref()));
            let drawn = format!("{}\n→ {}", folded(&input), folded(&output));
            (drawn, format!("{input} → {output}"))
        }
    })
}

/// The widest line and the most lines of a condition in a picture.
const WIDEST: usize = 30;
const MOST_LINES: usize = 3;

/// A condition on a few lines; the rest of a long one is left to its hint.
fn folded(words: &str) -> String {
    let wrapped = wrap(words, WIDEST);
    let lines: Vec<&str> = wrapped.lines().collect();
    match lines.get(..MOST_LINES) {
        Some(first) if lines.len() > MOST_LINES => first.join("\n") + " …",
        _ => wrapped,
    }
}

/// A longer name of a state is shown in full only when it is pointed at.
const MOST_OF_A_NAME: usize = 14;

fn of_graph<L>(
    title: String,
    graph: &Graph<L>,
    names: &[String],
    name: impl Fn(&L) -> (String, String),
) -> Picture {
    let mut picture = Picture::new(title);
    for state in graph.states() {
        let number = state.0.to_string();
        let name = names.get(state.index()).unwrap_or(&number);
        let mut node = Node::round(cut(name, MOST_OF_A_NAME)).hint(name);
        if graph.is_accepting(state) {
            node = node.accepting();
        }
        if graph.initial().binary_search(&state).is_ok() {
            node = node.initial();
        }
        picture.node(node);
    }
    let labels: Vec<(String, String)> = graph.labels().iter().map(name).collect();
    for edge in graph.edges() {
        let (label, hint) = &labels[edge.label as usize];
        picture.edge_with_hint(edge.source.index(), edge.target.index(), label, hint);
    }
    picture
}
