//! Automata as lists of numbers, which any program can read: the number of states and letters,
//! the initial states after their number, the accepting ones after theirs, then the edges as
//! source, letter, target. A transducer has two letters on an edge, -1 for none.

use std::fmt::Write;

use quotient_automata::{Label, Letter, Nfa, Predicate, State, Transducer, testing};

pub(crate) fn write(nfa: &Nfa) -> String {
    let mut text = format!("{} {}\n", nfa.len(), nfa.alphabet().len());
    list(&mut text, nfa.initial().iter().map(|state| state.index()));
    list(&mut text, nfa.accepting().ones());
    for edge in nfa.edges() {
        for letter in nfa.label(edge).iter().flat_map(Predicate::letters) {
            let _ = writeln!(text, "{} {} {}", edge.source.0, letter.0, edge.target.0);
        }
    }
    text
}

pub(crate) fn write_transducer(step: &Transducer) -> String {
    let mut text = format!("{} {}\n", step.len(), step.alphabet().len());
    list(&mut text, step.initial().iter().map(|state| state.index()));
    list(&mut text, step.accepting().ones());
    let side = |letters: Option<&Predicate>| -> Vec<i64> {
        let numbers = |letters: &Predicate| letters.letters().map(|l| i64::from(l.0)).collect();
        letters.map_or_else(|| vec![-1], numbers)
    };
    for edge in step.edges() {
        let label = step.label(edge);
        let (inputs, outputs) = (side(label.input()), side(label.output()));
        for &input in &inputs {
            for &output in &outputs {
                if !matches!(label, Label::Copy(_)) || input == output {
                    let (source, target) = (edge.source.0, edge.target.0);
                    let _ = writeln!(text, "{source} {input} {output} {target}");
                }
            }
        }
    }
    text
}

fn list(text: &mut String, states: impl Iterator<Item = usize>) {
    let states: Vec<usize> = states.collect();
    let _ = write!(text, "{}", states.len());
    states.iter().for_each(|state| {
        let _ = write!(text, " {state}");
    });
    text.push('\n');
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
