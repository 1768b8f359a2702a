//! Automata as lists of numbers, which any program can read: the number of states and letters,
//! the initial states after their number, the accepting ones after theirs, then the edges as
//! source, letter, target.

use std::fmt::Write;

use quotient_automata::{Letter, Nfa, Predicate, State, testing};

pub(crate) fn write(nfa: &Nfa) -> String {
    let mut text = format!("{} {}\n", nfa.len(), nfa.alphabet().len());
    let list = |text: &mut String, states: Vec<u32>| {
        let _ = write!(text, "{}", states.len());
        states.iter().for_each(|state| {
            let _ = write!(text, " {state}");
        });
        text.push('\n');
    };
    list(
        &mut text,
        nfa.initial().iter().map(|state| state.0).collect(),
    );
    list(
        &mut text,
        nfa.accepting().ones().map(|state| state as u32).collect(),
    );
    for edge in nfa.edges() {
        for letter in nfa.label(edge).iter().flat_map(Predicate::letters) {
            let _ = writeln!(text, "{} {} {}", edge.source.0, letter.0, edge.target.0);
        }
    }
    text
}

pub(crate) fn read(text: &str) -> Option<Nfa> {
    let mut numbers = text
        .split_ascii_whitespace()
        .map(|word| word.parse::<u32>().ok());
    let mut next = move || numbers.next().flatten();
    let (states, letters) = (next()?, next()?);
    let alphabet = testing::alphabet(letters as usize);
    let mut builder = Nfa::builder(&alphabet).states(states);
    for _ in 0..next()? {
        builder.add_initial(State(next()?));
    }
    for _ in 0..next()? {
        builder.add_accepting(State(next()?));
    }
    while let Some(source) = next() {
        let letter = Predicate::of(&alphabet, [Letter(next()?)]);
        builder.add_edge(State(source), &letter, State(next()?));
    }
    Some(builder.build())
}
