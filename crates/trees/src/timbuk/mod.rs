//! Timbuk files: symbols, variables, rewriting systems, equations, automata and transducers.
//!
//! ```text
//! Ops a:0 f:2                       % symbols with arities
//! Vars x y
//! TRS R                             % rewriting rules
//! f(x,y) -> f(y,x)
//! Equations E
//! f(x,a) = x
//! Automaton A
//! States q0 q1:0                    % Timbuk gives states an arity
//! Final States q1
//! Transitions
//! a -> q0
//! f(q0,q0) -> q1
//! Transducer T
//! States p q
//! Final States q
//! Transitions
//! a/a -> p                          % the same shape with other symbols
//! f(p(x),p(y)) -> q(f(y,x))         % or any term in which no variable occurs twice
//! ```
//!
//! Files that declare no symbols, or symbols with wrong arities, are common: what a rule uses
//! is there, with as many children as it has there. Comments are `% …`, `# …` at the beginning
//! of a line, and `(* … *)`.

mod draft;
mod lexer;
mod machines;
mod names;
mod raw;
mod read;
mod rewriting;
mod write;

use std::sync::Arc;

use quotient_core::{Diagnostic, Source, Span};

use crate::{Alphabet, Equation, RewriteSystem, Transducer, TreeAutomaton};

pub use read::read;
pub use write::{write_automaton, write_file, write_transducer};

/// All that a file has.
#[derive(Debug, Clone)]
pub struct TimbukFile {
    /// The symbols of everything in it.
    pub alphabet: Arc<Alphabet>,
    /// The automata, in order.
    pub automata: Vec<NamedAutomaton>,
    /// The transducers, in order.
    pub transducers: Vec<NamedTransducer>,
    /// The rewriting systems, in order.
    pub systems: Vec<NamedSystem>,
    /// The equations of all sections.
    pub equations: Vec<Equation>,
    /// The names of the variables, by number.
    pub variables: Vec<String>,
    /// What is odd though it can be read.
    pub warnings: Vec<Diagnostic>,
}

/// An automaton with its name.
#[derive(Debug, Clone)]
pub struct NamedAutomaton {
    /// What it is called.
    pub name: String,
    /// Where that stands.
    pub span: Span,
    /// The automaton.
    pub automaton: TreeAutomaton,
}

/// A transducer with its name.
#[derive(Debug, Clone)]
pub struct NamedTransducer {
    /// What it is called.
    pub name: String,
    /// Where that stands.
    pub span: Span,
    /// The transducer.
    pub transducer: Transducer,
}

/// A rewriting system with its name.
#[derive(Debug, Clone)]
pub struct NamedSystem {
    /// What it is called.
    pub name: String,
    /// Where that stands.
    pub span: Span,
    /// The system.
    pub system: RewriteSystem,
    /// Where each rule stands.
    pub spans: Vec<Span>,
}

/// Whether a text looks like Timbuk, and has what only trees have: a symbol with two children,
/// several constants, no declared symbols, a rewriting system, a transducer of trees, or comments
/// in `(* … *)`.
pub fn looks_like_trees(source: &Source) -> bool {
    let (mut begins, mut in_symbols, mut commented) = (false, false, false);
    let (mut symbols_begin, mut declared) = (false, false);
    // Several automata in a file may each declare the same one again.
    let mut constant = None;
    for line in source.text().lines().take(10_000) {
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default();
        commented |= first.starts_with("(*");
        match first {
            "Ops" | "Automaton" => begins = true,
            "TRS" | "Transducer" if begins => return true,
            _ => {}
        }
        match first {
            "Ops" => (in_symbols, symbols_begin) = (true, true),
            "Automaton" | "States" | "Final" | "Transitions" | "Vars" => in_symbols = false,
            _ => {}
        }
        if in_symbols {
            declared |= line.split_whitespace().any(|word| word != "Ops");
            for (name, arity) in line.split_whitespace().filter_map(|w| w.rsplit_once(':')) {
                match arity.parse::<usize>() {
                    // Words have one constant, which begins them.
                    Ok(0) if *constant.get_or_insert(name) != name => return true,
                    Ok(0 | 1) | Err(_) => {}
                    Ok(_) => return true,
                }
            }
        }
        let rule = line.split_once("->").map(|(left, _)| left.trim());
        let is_wide = |left: &str| {
            let inner = left
                .split_once('(')
                .and_then(|(_, rest)| rest.strip_suffix(')'));
            inner.is_some_and(|inner| inner.contains(','))
        };
        if begins && rule.is_some_and(|left| is_wide(left) && !left.contains("in{")) {
            return true;
        }
    }
    // Files about trees may leave their symbols to the rules, those about words cannot.
    (begins && commented) || (symbols_begin && !declared)
}
