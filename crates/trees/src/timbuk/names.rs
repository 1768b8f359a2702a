//! Names to numbers: symbols, variables and states.

use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::raw::RawMachine;
use super::read::{RawFile, final_alphabet};
use crate::{Alphabet, State, Symbol};

/// How many more symbols that are not declared are named in a warning.
const SOME: usize = 5;

/// Names to numbers, with all mistakes on the way.
pub(super) struct Resolve<'a> {
    pub(super) source: &'a Source,
    scratch: Alphabet,
    used: FxHashSet<Symbol>,
    pub(super) constants: FxHashSet<&'a str>,
    /// The names of the declared symbols.
    declared: FxHashSet<&'a str>,
    /// Symbols that are used and not declared, with how many children and where first.
    undeclared: FxHashMap<&'a str, (u32, Span)>,
    pub(super) variables: FxHashMap<&'a str, u32>,
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'a> Resolve<'a> {
    pub(super) fn new(source: &'a Source, raw: &'a RawFile) -> Self {
        let mut scratch = Alphabet::default();
        let mut constants = FxHashSet::default();
        for (name, arity, _) in &raw.ops {
            if let Some(arity) = arity {
                scratch.add(name, *arity);
                if *arity == 0 {
                    constants.insert(name.as_str());
                }
            }
        }
        let variables = raw.variables.iter().enumerate();
        let mut resolve = Resolve {
            source,
            scratch,
            used: FxHashSet::default(),
            constants,
            declared: raw.ops.iter().map(|(name, ..)| name.as_str()).collect(),
            undeclared: FxHashMap::default(),
            variables: variables
                .map(|(number, (name, _))| (name.as_str(), number as u32))
                .collect(),
            mistakes: Vec::new(),
            warnings: Vec::new(),
        };
        for (name, span) in &raw.variables {
            if resolve.declared.contains(name.as_str()) {
                resolve.two_things(name, "a symbol in `Ops` and a variable", *span);
            }
        }
        resolve
    }

    /// Whether a state that is called like a constant has this constant and nothing else (`a -> a`):
    /// then it makes no difference which of them is meant.
    fn is_only(&self, name: &str, raw: &RawMachine) -> bool {
        let mut into = (raw.rules.iter())
            .filter(|(_, right)| self.text(right.nodes[0].0) == name)
            .map(|(left, right)| {
                let plain = left.nodes.len() == 1 && right.nodes.len() == 1;
                plain && self.text(left.nodes[0].0) == name
            })
            .peekable();
        into.peek().is_some() && into.all(|is_plain| is_plain)
    }

    /// Tells that a name is two things, of which one would be taken without a word.
    pub(super) fn two_things(&mut self, name: &str, which: &str, span: Span) {
        let error = Diagnostic::error("two-things", format!("`{name}` is {which}"))
            .at(self.source, span, "which one is meant where it is used?")
            .help("give one of them another name");
        self.mistakes.push(error);
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    pub(super) fn mistake(&mut self, code: &'static str, message: String, span: Span, label: &str) {
        let error = Diagnostic::error(code, message).at(self.source, span, label);
        self.mistakes.push(error);
    }

    pub(super) fn symbol(&mut self, name: &'a str, arity: u32, span: Span) -> Symbol {
        if !self.declared.contains(name) {
            self.undeclared.entry(name).or_insert((arity, span));
        }
        let symbol = self.scratch.add(name, arity as usize);
        self.used.insert(symbol);
        symbol
    }

    /// The alphabet: what is declared, unless it is used with other arities only, and what is
    /// used.
    pub(super) fn alphabet(&mut self, raw: &RawFile) -> (Alphabet, Vec<Symbol>) {
        let mut arities: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let scratch = std::mem::take(&mut self.scratch);
        for &symbol in &self.used {
            let all = arities.entry(scratch.name(symbol)).or_default();
            all.push(scratch.arity(symbol));
        }
        let dropped = |name: &str, arity: usize| {
            let used = arities.get(name);
            used.is_some_and(|all| !all.contains(&arity))
        };
        let wrong = raw.ops.iter().find(|(name, arity, _)| {
            let declared = raw.ops.iter().filter(|other| other.0 == *name);
            let declared: Vec<_> = declared.filter_map(|other| other.1).collect();
            let unknown = |one: &usize| !declared.contains(one);
            let used = arities.get(name.as_str());
            arity.is_some() && used.is_some_and(|all| all.iter().any(unknown))
        });
        if let Some((name, _, span)) = wrong {
            let message = format!("`{name}` is declared with another number of children than used");
            let warning = Diagnostic::warning("arity", message)
                .at(self.source, *span, "declared here")
                .note("what rules use is taken");
            self.warnings.push(warning);
        }
        self.warn_of_undeclared();
        final_alphabet(&scratch, &dropped)
    }

    /// Where symbols are declared, one that is not may be a variable or a slip: it becomes a
    /// symbol, but not without a word.
    fn warn_of_undeclared(&mut self) {
        let mut undeclared: Vec<_> = self.undeclared.drain().collect();
        undeclared.sort_by_key(|(_, (_, span))| span.range().start);
        let Some(&(name, (arity, span))) = undeclared.first() else {
            return;
        };
        if self.declared.is_empty() {
            return;
        }
        let help = match arity {
            0 => format!("add `{name}:0` to `Ops`, or `{name}` to `Vars` if it is a variable"),
            _ => format!("add `{name}:{arity}` to `Ops`"),
        };
        let message = format!("`{name}` is not declared");
        let mut warning = Diagnostic::warning("undeclared-symbol", message)
            .at(self.source, span, "taken for a symbol")
            .did_you_mean(name, self.declared.iter().copied())
            .help(help);
        let others = undeclared.iter().skip(1).take(SOME);
        let others: Vec<String> = others.map(|(name, _)| format!("`{name}`")).collect();
        if !others.is_empty() {
            warning = warning.note(format!("nor are {}", others.join(", ")));
        }
        self.warnings.push(warning);
    }

    /// The states of a machine, by name: those declared, or, where none are, those that rules
    /// lead to and that accept, and, where `leaves` says so, those below symbols.
    pub(super) fn states(
        &mut self,
        raw: &'a RawMachine,
        leaves: bool,
    ) -> (FxHashMap<&'a str, State>, Draft) {
        let mut numbers: FxHashMap<&'a str, State> = FxHashMap::default();
        let mut draft = Draft::default();
        let mut twice: Vec<(&'a str, Span)> = Vec::new();
        let constants = &self.constants;
        let mut add = |name: &'a str, span: Span| {
            let fresh = State::from_index(numbers.len());
            let number = *numbers.entry(name).or_insert(fresh);
            if number == fresh && draft.names.len() == fresh.index() {
                draft.names.push(name.to_owned());
                if constants.contains(name) {
                    twice.push((name, span));
                }
            }
        };
        for (name, span) in &raw.states {
            add(name, *span);
        }
        if raw.states.is_empty() {
            for (_, right) in &raw.rules {
                let span = right.nodes[0].0;
                add(&self.source.text()[span.range()], span);
            }
            for (name, span) in &raw.accepting {
                add(name, *span);
            }
            let below = raw
                .rules
                .iter()
                .flat_map(|(left, _)| left.nodes.iter().skip(1));
            for &(span, _) in below.filter(|&&(_, arity)| leaves && arity == 0) {
                let name = &self.source.text()[span.range()];
                if !constants.contains(name) {
                    add(name, span);
                }
            }
        }
        for (name, span) in twice {
            if !self.is_only(name, raw) {
                self.two_things(name, "a constant in `Ops` and a state", span);
            }
        }
        draft.build.states = draft.names.len();
        for (name, span) in &raw.accepting {
            match numbers.get(name.as_str()) {
                Some(&state) => draft.build.accepting.push(state),
                None => self.no_state(name, *span, &numbers),
            }
        }
        (numbers, draft)
    }

    pub(super) fn no_state(&mut self, name: &str, span: Span, known: &FxHashMap<&str, State>) {
        let error = Diagnostic::error("unknown-state", format!("there is no state `{name}`"))
            .at(self.source, span, "not among the states")
            .did_you_mean(name, known.keys().copied());
        self.mistakes.push(error);
    }
}
