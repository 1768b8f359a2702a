//! Reading Timbuk files: names to numbers.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::read::{RawFile, final_alphabet};
use crate::build::Build;
use crate::{
    Alphabet, Equation, Node, Piece, RewriteRule, Rule, State, Symbol, Term, Transducer,
    TransducerRule, TreeAutomaton,
};

/// A term as it is written: places of names with how many children follow, in prefix order.
#[derive(Debug)]
pub(super) struct RawTerm {
    pub(super) nodes: Vec<(Span, u32)>,
    pub(super) span: Span,
}

impl RawTerm {
    /// Where the children of the first node begin, one past each.
    fn children(&self) -> Vec<usize> {
        let mut begins = Vec::new();
        let mut at = 1;
        for _ in 0..self.nodes[0].1 {
            begins.push(at);
            let mut open = 1u64;
            while open > 0 {
                open = open - 1 + u64::from(self.nodes[at].1);
                at += 1;
            }
        }
        begins
    }
}

/// An automaton or transducer as it is written.
pub(super) struct RawMachine {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) begins: Span,
    pub(super) states: Vec<(String, Span)>,
    pub(super) accepting: Vec<(String, Span)>,
    pub(super) rules: Vec<(RawTerm, RawTerm)>,
}

impl RawMachine {
    pub(super) fn new(name: String, span: Span) -> RawMachine {
        RawMachine {
            name,
            span,
            begins: span,
            states: Vec::new(),
            accepting: Vec::new(),
            rules: Vec::new(),
        }
    }
}

/// An automaton before the alphabet is known in full.
#[derive(Default)]
pub(super) struct Draft {
    build: Build,
    output: Vec<TransducerRule>,
    names: Vec<String>,
}

impl Draft {
    pub(super) fn automaton(self, alphabet: &Arc<Alphabet>, numbers: &[Symbol]) -> TreeAutomaton {
        let mut names = self.names;
        for number in names.len()..self.build.states {
            names.push(format!("q{number}'"));
        }
        let mut accepting = Bits::with_capacity(self.build.states);
        accepting.extend(self.build.accepting.iter().map(|&state| state.index()));
        let mut rules = self.build.rules;
        for rule in &mut rules {
            rule.symbol = numbers[rule.symbol.index()];
        }
        TreeAutomaton::new(alphabet.clone(), accepting, rules).named(names)
    }

    pub(super) fn transducer(self, alphabet: &Arc<Alphabet>, numbers: &[Symbol]) -> Transducer {
        let mut accepting = Bits::with_capacity(self.names.len());
        accepting.extend(self.build.accepting.iter().map(|&state| state.index()));
        let rules = self.output.into_iter().map(|rule| TransducerRule {
            symbol: rule.symbol.map(|symbol| numbers[symbol.index()]),
            output: rule.output.renamed(numbers),
            ..rule
        });
        Transducer::new(alphabet.clone(), accepting, rules.collect()).named(self.names)
    }
}

/// How many more symbols that are not declared are named in a warning.
const SOME: usize = 5;

/// The most rules that those between states may add to an automaton.
const MOST_RULES: usize = 4_000_000;

/// Adds what rules between states mean: whatever is in the first state is in the second one.
/// Whether that was possible: each rule may be there once for every state that is reached.
fn close_silent(build: &mut Build, silent: &[(State, State)]) -> bool {
    let mut next: FxHashMap<State, Vec<State>> = FxHashMap::default();
    for &(from, to) in silent {
        next.entry(from).or_default().push(to);
    }
    let mut by_target: FxHashMap<State, Vec<usize>> = FxHashMap::default();
    for (number, rule) in build.rules.iter().enumerate() {
        if next.contains_key(&rule.target) {
            by_target.entry(rule.target).or_default().push(number);
        }
    }
    let mut targets: Vec<(State, Vec<usize>)> = by_target.into_iter().collect();
    targets.sort_unstable();
    let mut more: Vec<Rule> = Vec::new();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    // Looking where states lead is work, also where it adds few rules.
    let mut left = MOST_RULES;
    for (target, rules) in targets {
        seen.clear();
        seen.insert(target);
        let mut open = vec![target];
        while let Some(state) = open.pop() {
            for &to in next.get(&state).into_iter().flatten() {
                let work = if seen.contains(&to) {
                    1
                } else {
                    1 + rules.len()
                };
                let Some(less) = left.checked_sub(work) else {
                    return false;
                };
                left = less;
                if seen.insert(to) {
                    open.push(to);
                    more.extend(rules.iter().map(|&number| Rule {
                        target: to,
                        ..build.rules[number].clone()
                    }));
                }
            }
        }
    }
    let known: FxHashSet<&Rule> = build.rules.iter().collect();
    more.retain(|rule| !known.contains(rule));
    more.sort_unstable();
    more.dedup();
    build.rules.append(&mut more);
    true
}

/// Names to numbers, with all mistakes on the way.
pub(super) struct Resolve<'a> {
    source: &'a Source,
    scratch: Alphabet,
    used: FxHashSet<Symbol>,
    constants: FxHashSet<&'a str>,
    /// The names of the declared symbols.
    declared: FxHashSet<&'a str>,
    /// Symbols that are used and not declared, with how many children and where first.
    undeclared: FxHashMap<&'a str, (u32, Span)>,
    variables: FxHashMap<&'a str, u32>,
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
    fn two_things(&mut self, name: &str, which: &str, span: Span) {
        let error = Diagnostic::error("two-things", format!("`{name}` is {which}"))
            .at(self.source, span, "which one is meant where it is used?")
            .help("give one of them another name");
        self.mistakes.push(error);
    }

    fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    fn mistake(&mut self, code: &'static str, message: String, span: Span, label: &str) {
        let error = Diagnostic::error(code, message).at(self.source, span, label);
        self.mistakes.push(error);
    }

    fn symbol(&mut self, name: &'a str, arity: u32, span: Span) -> Symbol {
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
    fn states(&mut self, raw: &'a RawMachine, leaves: bool) -> (FxHashMap<&'a str, State>, Draft) {
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

    fn no_state(&mut self, name: &str, span: Span, known: &FxHashMap<&str, State>) {
        let error = Diagnostic::error("unknown-state", format!("there is no state `{name}`"))
            .at(self.source, span, "not among the states")
            .did_you_mean(name, known.keys().copied());
        self.mistakes.push(error);
    }

    pub(super) fn automaton(&mut self, raw: &'a RawMachine) -> Draft {
        let (numbers, mut draft) = self.states(raw, true);
        let mut silent: Vec<(State, State)> = Vec::new();
        for (left, right) in &raw.rules {
            let name = self.text(right.nodes[0].0);
            if right.nodes.len() > 1 {
                let message = "a rule of an automaton leads to a state alone".to_owned();
                self.mistake("syntax", message, right.span, "expected a state");
                continue;
            }
            let Some(&target) = numbers.get(name) else {
                self.no_state(name, right.span, &numbers);
                continue;
            };
            let top = self.text(left.nodes[0].0);
            if let (1, Some(&from)) = (left.nodes.len(), numbers.get(top))
                && !self.constants.contains(top)
            {
                silent.push((from, target));
                continue;
            }
            self.left_side(left, target, &numbers, &mut draft.build);
        }
        if !close_silent(&mut draft.build, &silent) {
            let message = format!("rules between states make more than {MOST_RULES} others");
            let help = "write the symbols on the left: `f(q) -> p`";
            let error = Diagnostic::error("too-large", message);
            let error = error.at(self.source, raw.span, "in this automaton");
            self.mistakes.push(error.help(help));
        }
        draft
    }

    /// Adds the rules for a left side, which may be more than one symbol deep.
    fn left_side(
        &mut self,
        left: &RawTerm,
        target: State,
        numbers: &FxHashMap<&str, State>,
        build: &mut Build,
    ) {
        let mut values: Vec<Option<State>> = Vec::new();
        for (place, &(span, arity)) in left.nodes.iter().enumerate().rev() {
            let name = self.text(span);
            let mut children = values.split_off(values.len() - arity as usize);
            children.reverse();
            if let (true, 0, Some(&state)) = (place > 0, arity, numbers.get(name)) {
                values.push(Some(state));
                continue;
            }
            if place > 0 && arity == 0 && !self.constants.contains(name) {
                self.no_state(name, span, numbers);
                values.push(None);
                continue;
            }
            let state = match place {
                0 => target,
                _ => build.state(),
            };
            let symbol = self.symbol(name, arity, span);
            let children: Option<Box<[State]>> = children.into_iter().collect();
            if let Some(children) = children {
                build.rules.push(Rule {
                    symbol,
                    children,
                    target: state,
                });
            }
            values.push(Some(state));
        }
    }

    pub(super) fn transducer(&mut self, raw: &'a RawMachine) -> Draft {
        let (numbers, mut draft) = self.states(raw, false);
        for (left, right) in &raw.rules {
            if let Some(rule) = self.transducer_rule(left, right, &numbers) {
                draft.output.push(rule);
            }
        }
        draft
    }

    fn transducer_rule(
        &mut self,
        left: &RawTerm,
        right: &RawTerm,
        numbers: &FxHashMap<&str, State>,
    ) -> Option<TransducerRule> {
        let (to, below) = right.nodes[0];
        let Some(&target) = numbers.get(self.text(to)) else {
            self.no_state(self.text(to), to, numbers);
            return None;
        };
        // The children of the left side: states, each perhaps with a variable.
        let (top, arity) = left.nodes[0];
        let begins = left.children();
        let is_silent = arity == 1
            && left.nodes.len() == 2
            && numbers.contains_key(self.text(top))
            && !numbers.contains_key(self.text(left.nodes[1].0));
        let mut children = Vec::new();
        let mut variables: Vec<&str> = Vec::new();
        let given = if is_silent { vec![0] } else { begins };
        for at in given {
            let (span, inner) = left.nodes[at];
            let Some(&state) = numbers.get(self.text(span)) else {
                self.no_state(self.text(span), span, numbers);
                return None;
            };
            let has_variable = inner == 1 && left.nodes[at + 1].1 == 0;
            if inner > 0 && !has_variable {
                let message = "a child is a state with a variable, as in `q(x)`".to_owned();
                self.mistake("syntax", message, span, "this one has more below it");
                return None;
            }
            variables.push(if has_variable {
                let (place, _) = left.nodes[at + 1];
                let name = self.text(place);
                if self.constants.contains(name) {
                    self.two_things(name, "a constant in `Ops` and a variable", place);
                    return None;
                }
                name
            } else {
                ""
            });
            children.push(state);
        }
        let label = self.text(top);
        let slash = label.char_indices().skip(1).find(|(_, sign)| *sign == '/');
        let (symbol, output) = match (is_silent, below) {
            (true, 0) | (false, 2..) | (true, 2..) => {
                let message = "the right side is a state with what is written, as in `q(f(x))`";
                self.mistake("syntax", message.to_owned(), right.span, "this is not");
                return None;
            }
            (true, _) => (None, self.written(right, &variables)?),
            (false, 1) => {
                let symbol = self.symbol(label, arity, top);
                (Some(symbol), self.written(right, &variables)?)
            }
            (false, _) => {
                let (from, to) = match slash {
                    Some((at, _)) => (&label[..at], &label[at + 1..]),
                    None => (label, label),
                };
                let (from, to) = (self.symbol(from, arity, top), self.symbol(to, arity, top));
                (Some(from), Term::shallow(to, arity as usize))
            }
        };
        Some(TransducerRule {
            symbol,
            children: children.into(),
            target,
            output,
        })
    }

    /// What a rule writes: the term below the state on its right side.
    fn written(&mut self, right: &RawTerm, variables: &[&str]) -> Option<Term> {
        let mut pieces = Vec::new();
        for &(span, arity) in &right.nodes[1..] {
            let name = self.text(span);
            let variable = variables
                .iter()
                .position(|one| !one.is_empty() && *one == name);
            pieces.push(match variable {
                Some(place) if arity == 0 => Piece::Variable(place as u32),
                _ => {
                    let symbol = self.symbol(name, arity, span);
                    Piece::Node(Node { symbol, arity })
                }
            });
        }
        let term = Term::new(pieces)?;
        if !term.is_linear() {
            let message = "a variable is written twice".to_owned();
            self.mistake(
                "copying",
                message,
                right.span,
                "sets would not stay regular",
            );
            return None;
        }
        Some(term)
    }

    pub(super) fn system(&mut self, rules: &[(RawTerm, RawTerm)]) -> Vec<RewriteRule> {
        let mut all = Vec::new();
        for (left, right) in rules {
            let (Some(from), Some(to)) = (self.term(left), self.term(right)) else {
                continue;
            };
            if matches!(from.pieces()[0], Piece::Variable(_)) {
                let message = "a variable alone is no left side".to_owned();
                self.mistake("rewriting", message, left.span, "it fits everywhere");
            }
            let known: Vec<u32> = from.variables().collect();
            if to.variables().any(|one| !known.contains(&one)) {
                let message = "the right side has a variable that the left side has not".to_owned();
                self.mistake("rewriting", message, right.span, "what would it be?");
            }
            all.push(RewriteRule {
                left: from,
                right: to,
            });
        }
        all
    }

    pub(super) fn equations(&mut self, equations: &[(RawTerm, RawTerm)]) -> Vec<Equation> {
        let mut all = Vec::new();
        for (left, right) in equations {
            if let (Some(left), Some(right)) = (self.term(left), self.term(right)) {
                all.push(Equation { left, right });
            }
        }
        all
    }

    fn term(&mut self, raw: &RawTerm) -> Option<Term> {
        let mut pieces = Vec::new();
        for &(span, arity) in &raw.nodes {
            let name = self.text(span);
            pieces.push(match self.variables.get(name) {
                Some(&variable) if arity == 0 => Piece::Variable(variable),
                _ => {
                    let symbol = self.symbol(name, arity, span);
                    Piece::Node(Node { symbol, arity })
                }
            });
        }
        Term::new(pieces)
    }
}
