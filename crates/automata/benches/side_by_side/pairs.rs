//! Pairs of automata as the words engine makes them: images of sets of configurations by the
//! step of a protocol, not yet determinised, with products and mutations of them.

use quotient_automata::testing::Random;
use quotient_automata::{Alphabet, Label, Nfa, Predicate, State, Transducer};
use quotient_core::Budget;

use crate::families::Case;

/// Up to how many states an automaton takes part.
const MOST_STATES: usize = 4000;

/// The cases on generated pairs: comparisons, products, and questions about one of the two.
pub(crate) fn cases(cases: &mut Vec<Case>) {
    for (name, nfa) in engine_automata() {
        let states = nfa.len();
        let name = format!("{name}, {states} states");
        for operation in [
            "emptiness",
            "universality",
            "determinize",
            "minimize",
            "reduce",
        ] {
            cases.push(Case::new(operation, &name, &[&nfa]));
        }
        for (what, other) in relatives(&nfa) {
            let name = format!("{name}, {what}");
            cases.push(Case::new("inclusion", &name, &[&nfa, &other]));
            cases.push(Case::new(
                "inclusion",
                &format!("{name}, reversed"),
                &[&other, &nfa],
            ));
            cases.push(Case::new("equivalence", &name, &[&nfa, &other]));
            cases.push(Case::new("intersection", &name, &[&nfa, &other]));
        }
    }
    many_letters(cases);
}

/// Images of initial sets under the steps of some protocols.
fn engine_automata() -> Vec<(String, Nfa)> {
    let budget = Budget::unlimited();
    let mut automata = Vec::new();
    for (name, initial, step) in protocols() {
        let identity = Transducer::identity(initial.alphabet());
        let step = step.union(&identity);
        let mut image = initial;
        for number in 1.. {
            image = step.apply(&image, &budget).expect("no limit");
            image = image.without_epsilon(&budget).expect("no limit");
            if image.len() > MOST_STATES {
                break;
            }
            if image.len() >= 64 {
                automata.push((format!("{name}, image {number}"), image.clone()));
            }
        }
    }
    automata
}

/// Protocols in which neighbours exchange letters: a token that moves on, sorting, and a ring
/// with requests.
fn protocols() -> Vec<(&'static str, Nfa, Transducer)> {
    let protocol = |names: &[&str], initial: &[&str], rules: &[(&str, &str)]| {
        let alphabet = Alphabet::new(names.iter().copied()).expect("distinct names");
        let all = Predicate::all(&alphabet);
        let letter = |c: char| alphabet.set([c.to_string().as_str()]).expect("a letter");
        let mut nfa = Nfa::builder(&alphabet).initial(0);
        for (place, letters) in (0u32..).zip(initial) {
            match letters.strip_suffix('*') {
                Some(letters) => {
                    let set = alphabet.set(letters.split(',')).expect("letters");
                    nfa = nfa.edge(place, &set, place).epsilon(place, place + 1);
                }
                None => {
                    let set = alphabet.set(letters.split(',')).expect("letters");
                    nfa = nfa.edge(place, &set, place + 1);
                }
            }
        }
        let nfa = nfa.accepting(initial.len() as u32).build();
        let copy = Label::Copy(all);
        let mut step = Transducer::builder(&alphabet).initial(0).accepting(1);
        step.add_edge(State(0), &copy, State(0));
        step.add_edge(State(1), &copy, State(1));
        for (before, after) in rules {
            let mut from = State(0);
            let length = before.chars().count();
            for (place, (read, write)) in before.chars().zip(after.chars()).enumerate() {
                let to = match place + 1 == length {
                    true => State(1),
                    false => step.fresh_state(),
                };
                let label = Label::Pair(Some(letter(read)), Some(letter(write)));
                step.add_edge(from, &label, to);
                from = to;
            }
        }
        (nfa, step.build())
    };
    let named = |name, (nfa, step): (Nfa, Transducer)| (name, nfa, step);
    vec![
        named(
            "token",
            protocol(&["t", "n"], &["t", "n*", "t", "n*"], &[("tn", "nt")]),
        ),
        named(
            "sorting",
            protocol(
                &["a", "b", "c"],
                &["c*", "b*", "a,b*"],
                &[("ba", "ab"), ("cb", "bc"), ("ca", "ac")],
            ),
        ),
        named(
            "requests",
            protocol(
                &["i", "r", "u", "t"],
                &["t", "i*"],
                &[
                    ("i", "r"),
                    ("tr", "iu"),
                    ("ui", "it"),
                    ("ti", "it"),
                    ("ur", "iu"),
                ],
            ),
        ),
    ]
}

/// Automata with almost the same words, and with the same.
fn relatives(nfa: &Nfa) -> Vec<(String, Nfa)> {
    let budget = Budget::unlimited();
    let mut relatives = Vec::new();
    for seed in 0..3 {
        relatives.push((format!("mutation {seed}"), mutated(nfa, seed)));
    }
    relatives.push((
        "reduced".to_owned(),
        nfa.reduce_forward(&budget).expect("no limit"),
    ));
    relatives.push(("with a mutation".to_owned(), nfa.union(&mutated(nfa, 7))));
    let shorter = budget.child_with_work(200_000);
    if let Ok(minimal) = nfa.canonical(&shorter) {
        relatives.push(("minimal".to_owned(), minimal.to_nfa()));
    }
    let product = nfa
        .intersection(&mutated(nfa, 3), &budget)
        .expect("no limit");
    if (1..=MOST_STATES).contains(&product.len()) {
        relatives.push(("product with a mutation".to_owned(), product));
    }
    relatives
}

/// The same automaton with an edge gone, one added, or a state that accepts where it did not.
pub(crate) fn mutated(nfa: &Nfa, seed: u64) -> Nfa {
    let mut random = Random::new(seed);
    let mut builder = Nfa::builder(nfa.alphabet()).states(nfa.len() as u32);
    nfa.initial().iter().for_each(|&q| builder.add_initial(q));
    for state in nfa.accepting().ones() {
        builder.add_accepting(State(state as u32));
    }
    let gone = random.below(nfa.edges().len() as u32) as usize;
    for (number, edge) in nfa.edges().iter().enumerate() {
        if seed.is_multiple_of(3) && number == gone {
            continue;
        }
        if let Some(letters) = nfa.label(edge) {
            builder.add_edge(edge.source, letters, edge.target);
        }
    }
    let states = nfa.len() as u32;
    let (one, other) = (State(random.below(states)), State(random.below(states)));
    match seed % 3 {
        1 => {
            let letter = quotient_automata::Letter(random.below(nfa.alphabet().len() as u32));
            builder.add_edge(one, &Predicate::of(nfa.alphabet(), [letter]), other);
        }
        2 => builder.add_accepting(one),
        _ => {}
    }
    builder.build()
}

/// One state with an edge for each letter, and a word of all letters.
fn many_letters(cases: &mut Vec<Case>) {
    for letters in [3000u32, 30_000] {
        let alphabet = quotient_automata::testing::alphabet(letters as usize);
        let letter = |l: u32| Predicate::of(&alphabet, [quotient_automata::Letter(l)]);
        let mut fan = Nfa::builder(&alphabet).initial(0);
        let mut chain = Nfa::builder(&alphabet).initial(0).accepting(letters);
        for number in 0..letters {
            fan.add_edge(State(0), &letter(number), State(number + 1));
            fan.add_accepting(State(number + 1));
            chain.add_edge(State(number), &letter(number), State(number + 1));
        }
        for (name, nfa) in [
            ("one edge a letter", fan.build()),
            ("all letters in a row", chain.build()),
        ] {
            let name = format!("{name}, {letters} letters");
            for operation in ["determinize", "minimize"] {
                cases.push(Case::new(operation, &name, &[&nfa]));
            }
            for operation in ["inclusion", "equivalence", "intersection"] {
                cases.push(Case::new(operation, &name, &[&nfa, &nfa]));
            }
        }
    }
}
