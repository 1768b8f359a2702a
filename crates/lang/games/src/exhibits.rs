//! What a proof looks like: the set that the play never leaves, and the order in which it gets
//! down.

use std::collections::BTreeMap;

use quotient_automata::game::{OrderEvidence, PlainRelation};
use quotient_automata::pictures::{automaton_picture, transducer_picture};
use quotient_automata::{Alphabet, Label, Predicate, State, Transducer};
use quotient_language::{Exhibit, Graph};

/// More states than these are no picture.
const MOST_STATES: u32 = 400;

/// The pictures of a proof.
pub(crate) fn exhibits(proof: &OrderEvidence, alphabet: &Alphabet) -> Vec<Exhibit> {
    let small = |states: u32| states <= MOST_STATES;
    let invariant = Some(&proof.invariant).filter(|set| small(set.states));
    let invariant = invariant.and_then(|set| set.to_nfa(alphabet).ok());
    let drawn = invariant.map(|set| automaton_picture("invariant", &set.trim(), &[]));
    let order = Some(&proof.order).filter(|order| small(order.states));
    let order = order.map(|order| transducer_picture("order", &relation(order, alphabet), &[]));
    let caption = "words that player 2 never leaves";
    let ordered = "a word, and a smaller one that player 2 can reach";
    let found = [("invariant", caption, drawn), ("order", ordered, order)];
    found
        .map(|(name, caption, graph)| exhibit(name, caption, graph))
        .into()
}

fn exhibit(name: &str, caption: &str, graph: Option<Graph>) -> Exhibit {
    Exhibit {
        name: name.to_owned(),
        caption: caption.to_owned(),
        picture: graph.map(Into::into),
        files: Vec::new(),
    }
}

/// The relation with as few arrows as its pairs allow: letters with the same smaller ones go
/// together.
fn relation(plain: &PlainRelation, alphabet: &Alphabet) -> Transducer {
    let mut builder = Transducer::builder(alphabet).states(plain.states);
    for &state in &plain.initial {
        builder.add_initial(State(state));
    }
    for &state in &plain.accepting {
        builder.add_accepting(State(state));
    }
    let letters = |names: &[&str]| {
        let known = names.iter().filter_map(|name| alphabet.letter(name));
        Predicate::of(alphabet, known)
    };
    for edge in &plain.edges {
        let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (left, right) in &edge.pairs {
            below.entry(left).or_default().push(right);
        }
        let mut alike: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
        for (left, rights) in below {
            alike.entry(rights).or_default().push(left);
        }
        for (rights, lefts) in &alike {
            let label = Label::Pair(Some(letters(lefts)), Some(letters(rights)));
            builder.add_edge(State(edge.from), &label, State(edge.to));
        }
    }
    builder.build().trim()
}
