//! Writing Timbuk files.

use std::fmt::Write;

use super::TimbukFile;
use crate::{Alphabet, Piece, State, Transducer, TransducerRule, TreeAutomaton};

/// An automaton as a file of its own.
pub fn write_automaton(automaton: &TreeAutomaton, name: &str) -> String {
    format!(
        "{}\n{}",
        ops(automaton.alphabet()),
        automaton_text(automaton, name)
    )
}

/// A transducer as a file of its own.
pub fn write_transducer(transducer: &Transducer, name: &str) -> String {
    format!(
        "{}\n{}",
        ops(transducer.alphabet()),
        transducer_text(transducer, name)
    )
}

/// A whole file.
pub fn write_file(file: &TimbukFile) -> String {
    let mut text = ops(&file.alphabet);
    if !file.variables.is_empty() {
        let _ = writeln!(text, "Vars {}", file.variables.join(" "));
    }
    let variable = |number: u32| file.variables[number as usize].clone();
    for named in &file.systems {
        let _ = writeln!(text, "\nTRS {}", named.name);
        for rule in &named.system.rules {
            let left = rule.left.text(&file.alphabet, &variable);
            let right = rule.right.text(&file.alphabet, &variable);
            let _ = writeln!(text, "{left} -> {right}");
        }
    }
    if !file.equations.is_empty() {
        text.push_str("\nEquations Approximation\nRules\n");
        for equation in &file.equations {
            let left = equation.left.text(&file.alphabet, &variable);
            let right = equation.right.text(&file.alphabet, &variable);
            let _ = writeln!(text, "{left} = {right}");
        }
    }
    for named in &file.automata {
        let _ = write!(text, "\n{}", automaton_text(&named.automaton, &named.name));
    }
    for named in &file.transducers {
        let _ = write!(
            text,
            "\n{}",
            transducer_text(&named.transducer, &named.name)
        );
    }
    text
}

fn ops(alphabet: &Alphabet) -> String {
    let mut text = "Ops".to_owned();
    for (_, name, arity) in alphabet.symbols() {
        let _ = write!(text, " {name}:{arity}");
    }
    text.push('\n');
    text
}

fn head(kind: &str, name: &str, names: &[String], accepting: &[String]) -> String {
    let (names, accepting) = (names.join(" "), accepting.join(" "));
    format!("{kind} {name}\nStates {names}\nFinal States {accepting}\nTransitions\n")
}

fn automaton_text(automaton: &TreeAutomaton, name: &str) -> String {
    let names: Vec<String> = automaton
        .all_states()
        .map(|state| automaton.name(state))
        .collect();
    let accepting = automaton
        .accepting()
        .ones()
        .map(|state| names[state].clone());
    let mut text = head("Automaton", name, &names, &accepting.collect::<Vec<_>>());
    for rule in automaton.rules() {
        let children: Vec<&str> = (rule.children.iter())
            .map(|&child| names[child.index()].as_str())
            .collect();
        let symbol = automaton.alphabet().name(rule.symbol);
        let target = &names[rule.target.index()];
        let _ = match children.is_empty() {
            // A symbol that is called like a state would be taken for it.
            true => writeln!(text, "{symbol}() -> {target}"),
            false => writeln!(text, "{symbol}({}) -> {target}", children.join(",")),
        };
    }
    text
}

fn transducer_text(transducer: &Transducer, name: &str) -> String {
    let names: Vec<String> = (0..transducer.states())
        .map(State::from_index)
        .map(|state| transducer.name(state))
        .collect();
    let accepting = transducer
        .accepting()
        .ones()
        .map(|state| names[state].clone());
    let mut text = head("Transducer", name, &names, &accepting.collect::<Vec<_>>());
    for rule in transducer.rules() {
        let _ = writeln!(text, "{}", rule_text(rule, transducer.alphabet(), &names));
    }
    text
}

/// A rule, as a change of the symbol where it is one.
fn rule_text(rule: &TransducerRule, alphabet: &Alphabet, names: &[String]) -> String {
    let target = &names[rule.target.index()];
    let pieces = rule.output.pieces();
    let in_order =
        (pieces.iter().skip(1).enumerate()).all(|(at, piece)| *piece == Piece::Variable(at as u32));
    let state = |&child: &State| names[child.index()].as_str();
    let plain: Vec<&str> = rule.children.iter().map(state).collect();
    if let (Some(read), Piece::Node(written), true) = (rule.symbol, pieces[0], in_order)
        && written.arity as usize == plain.len()
    {
        let (read, written) = (alphabet.name(read), alphabet.name(written.symbol));
        let below = match plain.is_empty() {
            true => String::new(),
            false => format!("({})", plain.join(",")),
        };
        return format!("{read}/{written}{below} -> {target}");
    }
    let output = rule.output.text(alphabet, &|number| format!("x{number}"));
    let with_variables: Vec<String> = (plain.iter().enumerate())
        .map(|(place, state)| format!("{state}(x{place})"))
        .collect();
    let left = match rule.symbol {
        None => with_variables.join(","),
        Some(symbol) if plain.is_empty() => alphabet.name(symbol).to_owned(),
        Some(symbol) => format!("{}({})", alphabet.name(symbol), with_variables.join(",")),
    };
    format!("{left} -> {target}({output})")
}
