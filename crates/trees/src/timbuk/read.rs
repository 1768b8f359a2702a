//! Reading Timbuk files: words to sections.

use std::sync::Arc;

use quotient_core::{Diagnostic, Source, Span, Trouble};

use super::lexer::{Kind, Token, tokens};
use super::names::Resolve;
use super::raw::{RawMachine, RawTerm};
use super::{NamedAutomaton, NamedSystem, NamedTransducer, TimbukFile};
use crate::{Alphabet, RewriteSystem, Symbol};

/// The most mistakes that are told.
const MOST: usize = 40;

/// What begins a section.
const KEYWORDS: &[&str] = &[
    "Ops",
    "Vars",
    "TRS",
    "Equations",
    "Automaton",
    "Transducer",
    "States",
    "Final",
    "Transitions",
    "Description",
    "Prior",
];

/// Reads a file; all mistakes are told at once.
pub fn read(source: &Source) -> Result<TimbukFile, Trouble> {
    let (tokens, endless) = tokens(source.text());
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        mistakes: Vec::new(),
    };
    if let Some(span) = endless {
        let message = "a comment has no end".to_owned();
        parser.mistake("syntax", message, span, "it begins here");
    }
    let raw = parser.file();
    let mut resolve = Resolve::new(source, &raw);
    let automata: Vec<_> = raw
        .automata
        .iter()
        .map(|one| resolve.automaton(one))
        .collect();
    let transducers: Vec<_> = (raw.transducers.iter())
        .map(|one| resolve.transducer(one))
        .collect();
    let systems: Vec<_> = raw
        .systems
        .iter()
        .map(|one| resolve.system(&one.rules))
        .collect();
    let equations = resolve.equations(&raw.equations);
    let (alphabet, numbers) = resolve.alphabet(&raw);
    let mut mistakes = parser.mistakes;
    mistakes.append(&mut resolve.mistakes);
    if !mistakes.is_empty() {
        mistakes.truncate(MOST);
        return Err(Trouble::Invalid(mistakes));
    }
    let alphabet = Arc::new(alphabet);
    let variables = raw
        .variables
        .iter()
        .map(|(name, _)| name.clone())
        .collect::<Vec<_>>();
    let named = |raw: &RawMachine| (raw.name.clone(), raw.span);
    Ok(TimbukFile {
        automata: (raw.automata.iter().zip(automata))
            .map(|(raw, draft)| {
                let (name, span) = named(raw);
                let automaton = draft.automaton(&alphabet, &numbers);
                NamedAutomaton {
                    name,
                    span,
                    automaton,
                }
            })
            .collect(),
        transducers: (raw.transducers.iter().zip(transducers))
            .map(|(raw, draft)| {
                let (name, span) = named(raw);
                let transducer = draft.transducer(&alphabet, &numbers);
                NamedTransducer {
                    name,
                    span,
                    transducer,
                }
            })
            .collect(),
        systems: (raw.systems.iter().zip(systems))
            .map(|(raw, rules)| NamedSystem {
                name: raw.name.clone(),
                span: raw.span,
                spans: raw
                    .rules
                    .iter()
                    .map(|(left, right)| left.span.to(right.span))
                    .collect(),
                system: RewriteSystem {
                    alphabet: alphabet.clone(),
                    rules,
                    variables: variables.clone(),
                }
                .over(alphabet.clone(), &numbers),
            })
            .collect(),
        equations: (equations.into_iter())
            .map(|equation| crate::Equation {
                left: equation.left.renamed(&numbers),
                right: equation.right.renamed(&numbers),
            })
            .collect(),
        variables,
        warnings: resolve.warnings,
        alphabet,
    })
}

/// A file as it is written.
#[derive(Default)]
pub(super) struct RawFile {
    pub(super) ops: Vec<(String, Option<usize>, Span)>,
    pub(super) variables: Vec<(String, Span)>,
    pub(super) systems: Vec<RawSystem>,
    pub(super) equations: Vec<(RawTerm, RawTerm)>,
    pub(super) automata: Vec<RawMachine>,
    pub(super) transducers: Vec<RawMachine>,
}

pub(super) struct RawSystem {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) rules: Vec<(RawTerm, RawTerm)>,
}

struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<Token>,
    at: usize,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn text(&self, token: Token) -> &'a str {
        &self.source.text()[token.span.range()]
    }

    /// Whether the next word begins a section.
    fn at_keyword(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::End
            || (token.kind == Kind::Word && KEYWORDS.contains(&self.text(token)))
    }

    fn mistake(&mut self, code: &'static str, message: String, span: Span, label: &str) {
        if self.mistakes.len() < MOST {
            let error = Diagnostic::error(code, message).at(self.source, span, label);
            self.mistakes.push(error);
        }
    }

    fn unexpected(&mut self, expected: &str) {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the file ends here".to_owned(),
            _ => format!("found `{}`", self.text(token)),
        };
        self.mistake("syntax", format!("expected {expected}"), token.span, &found);
    }

    /// Goes on with the next line, or the next section.
    fn recover(&mut self) {
        let before = self.peek().span.start;
        if self.peek().kind == Kind::End {
            return;
        }
        self.next();
        while !self.at_keyword() {
            let here = self.peek().span.start;
            if self.source.text()[before..here].contains('\n') {
                return;
            }
            self.next();
        }
    }

    fn file(&mut self) -> RawFile {
        let mut file = RawFile::default();
        // Which of the two kinds the last machine was.
        let mut is_transducer = None;
        loop {
            let token = self.peek();
            if token.kind == Kind::End {
                return file;
            }
            if !self.at_keyword() {
                self.unexpected("`Ops`, `Automaton`, `Transducer`, `TRS` or another section");
                self.recover();
                continue;
            }
            self.next();
            match self.text(token) {
                "Ops" => self.ops(&mut file),
                "Vars" => file.variables.append(&mut self.words()),
                "TRS" => {
                    let (name, span) = self.name("TRS");
                    let rules = self.rules(Kind::Arrow, "`->`");
                    file.systems.push(RawSystem { name, span, rules });
                }
                "Equations" => {
                    let follows = self.tokens.get(self.at + 1).map(|token| token.kind);
                    if !matches!(follows, Some(Kind::Open | Kind::Equals)) {
                        self.name("equations");
                    }
                    if self.text(self.peek()) == "Rules" {
                        self.next();
                    }
                    file.equations.append(&mut self.rules(Kind::Equals, "`=`"));
                }
                kind @ ("Automaton" | "Transducer") => {
                    let (name, span) = match self.text(self.peek()) {
                        "States" | "Final" | "Transitions" => {
                            let number = file.automata.len() + file.transducers.len();
                            let number = (number > 0).then(|| (number + 1).to_string());
                            let name = format!("anonymous{}", number.unwrap_or_default());
                            (name, token.span)
                        }
                        _ => self.name("automaton"),
                    };
                    let mut raw = RawMachine::new(name, span);
                    let mut transducer = kind == "Transducer";
                    while self.text(self.peek()).starts_with('@') {
                        let mark = self.next();
                        transducer |= matches!(self.text(mark), "@INT" | "@TT");
                    }
                    raw.begins = token.span;
                    is_transducer = Some(transducer);
                    match transducer {
                        true => file.transducers.push(raw),
                        false => file.automata.push(raw),
                    }
                }
                section => {
                    let machine = match is_transducer {
                        Some(true) => file.transducers.last_mut(),
                        Some(false) => file.automata.last_mut(),
                        None => None,
                    };
                    match machine {
                        Some(machine) => self.section(section, machine),
                        None => {
                            let message = format!("`{section}` belongs to no automaton");
                            let label = "`Automaton` or `Transducer` comes before it";
                            self.mistake("syntax", message, token.span, label);
                            self.section(section, &mut RawMachine::new(String::new(), token.span));
                        }
                    }
                }
            }
        }
    }

    fn section(&mut self, section: &str, machine: &mut RawMachine) {
        match section {
            "States" => machine.states.append(&mut self.words()),
            "Final" => {
                if self.text(self.peek()) == "States" {
                    self.next();
                } else {
                    self.unexpected("`States` after `Final`");
                }
                machine.accepting.append(&mut self.words());
            }
            // What states are for, in words.
            "Description" => {
                while !self.at_keyword() {
                    self.next();
                }
            }
            "Prior" if !self.at_keyword() => {
                let span = self.peek().span;
                let message = "rules with priority are not read".to_owned();
                self.mistake("syntax", message, span, "put them among the `Transitions`");
                self.rules(Kind::Arrow, "`->`");
            }
            "Prior" => {}
            _ => machine.rules.append(&mut self.rules(Kind::Arrow, "`->`")),
        }
    }

    fn name(&mut self, what: &str) -> (String, Span) {
        let token = self.peek();
        if token.kind != Kind::Word || self.at_keyword() {
            self.unexpected(&format!("the name of the {what}"));
            return (String::new(), token.span);
        }
        self.next();
        (self.text(token).to_owned(), token.span)
    }

    fn ops(&mut self, file: &mut RawFile) {
        for (name, span) in self.words_with(&mut |parser, name, span| {
            let arity = parser.text(parser.peek()).parse::<usize>();
            // No file has more children below a symbol than it has bytes.
            let arity = arity.ok().filter(|&arity| arity <= 10_000);
            if arity.is_none() {
                parser.unexpected("an arity: a number of children");
            } else {
                parser.next();
            }
            file.ops.push((name, arity, span));
        }) {
            file.ops.push((name, None, span));
        }
    }

    /// Words up to the next section, each perhaps with `:0` after it.
    fn words(&mut self) -> Vec<(String, Span)> {
        let mut marked = Vec::new();
        let mut all = self.words_with(&mut |parser, name, span| {
            if parser.peek().kind == Kind::Word {
                parser.next();
            }
            marked.push((name, span));
        });
        all.append(&mut marked);
        all.sort_by_key(|(_, span)| span.start);
        all
    }

    /// Words without a colon; those with one are given to `marked`.
    fn words_with(
        &mut self,
        marked: &mut dyn FnMut(&mut Self, String, Span),
    ) -> Vec<(String, Span)> {
        let mut all = Vec::new();
        while !self.at_keyword() {
            let token = self.peek();
            if token.kind == Kind::Comma {
                self.next();
                continue;
            }
            if token.kind != Kind::Word {
                self.unexpected("a name or the next section");
                self.recover();
                continue;
            }
            self.next();
            let name = self.text(token).to_owned();
            if self.peek().kind == Kind::Colon {
                self.next();
                marked(self, name, token.span);
            } else {
                all.push((name, token.span));
            }
        }
        all
    }

    fn rules(&mut self, between: Kind, sign: &str) -> Vec<(RawTerm, RawTerm)> {
        let mut rules = Vec::new();
        while !self.at_keyword() {
            match self.rule(between, sign) {
                Some(rule) => rules.push(rule),
                None => self.recover(),
            }
        }
        rules
    }

    fn rule(&mut self, between: Kind, sign: &str) -> Option<(RawTerm, RawTerm)> {
        let left = self.term()?;
        if self.peek().kind != between {
            self.unexpected(sign);
            return None;
        }
        self.next();
        Some((left, self.term()?))
    }

    /// A term, without recursion: however deep it is nested, it is read.
    fn term(&mut self) -> Option<RawTerm> {
        let begin = self.peek().span;
        let mut nodes: Vec<(Span, u32)> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let token = self.peek();
            if token.kind != Kind::Word || self.at_keyword() {
                self.unexpected("a symbol, a state or a variable");
                return None;
            }
            self.next();
            nodes.push((token.span, 0));
            if self.peek().kind == Kind::Open {
                self.next();
                if self.peek().kind != Kind::Close {
                    open.push(nodes.len() - 1);
                    continue;
                }
                self.next();
            }
            // A term is complete: it is the next child of what is open.
            loop {
                let Some(&above) = open.last() else {
                    let end = self.tokens[self.at - 1].span;
                    return Some(RawTerm {
                        nodes,
                        span: begin.to(end),
                    });
                };
                nodes[above].1 += 1;
                match self.peek().kind {
                    Kind::Comma => {
                        self.next();
                        break;
                    }
                    Kind::Close => {
                        self.next();
                        open.pop();
                    }
                    _ => {
                        self.unexpected("`,` or `)`");
                        return None;
                    }
                }
            }
        }
    }
}

/// Renumbered symbols: those that are declared and those that are used.
pub(super) fn final_alphabet(
    scratch: &Alphabet,
    dropped: &dyn Fn(&str, usize) -> bool,
) -> (Alphabet, Vec<Symbol>) {
    let mut alphabet = Alphabet::default();
    // What is dropped is used nowhere, and nobody asks for its number.
    let nowhere = Symbol::from_index(u32::MAX as usize);
    let numbers = scratch
        .symbols()
        .map(|(_, name, arity)| match dropped(name, arity) {
            true => nowhere,
            false => alphabet.add(name, arity),
        });
    let numbers = numbers.collect();
    (alphabet, numbers)
}
