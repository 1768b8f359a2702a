//! Pictures of automata and transducers.

use quotient_automata::{Graph, Nfa, Transducer};

use super::labels::{cut, full, move_label, short};
use super::picture::{Node, Picture};

/// An automaton as a picture: states are circles with their names, or with their numbers where
/// there is no name; sets of letters are shortened.
///
/// ```
/// use quotient_automata::{Alphabet, Nfa};
/// use quotient_report::{automaton_picture, svg};
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let nfa = Nfa::builder(&alphabet).initial(0).edge(0, &alphabet.set(["T"])?, 1).accepting(1).build();
/// assert!(svg(&automaton_picture("tokens", &nfa, &[])).contains("tokens"));
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
