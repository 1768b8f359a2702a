//! Names with dots and indices: `cell.value`, `bit[0].on`.
//!
//! A flattened model has one module, and its variables are called as they were in the instances
//! that they come from. Such a name is one name: it is found where it is declared, before the
//! text is parsed, and then read as one wherever it stands. A definition for a member of an
//! instance (`DEFINE left.ack := …`) is no such name: there `left` is an instance or a parameter.

use rustc_hash::FxHashSet;

use super::{Parsed, Parser, is_reserved, is_section};
use crate::syntax::{Name, Token};

/// What a module declares, as far as it matters here.
#[derive(Default)]
struct Declared<'a> {
    /// Parameters and instances, which have members.
    owners: FxHashSet<&'a str>,
    /// The first part of the name, and all of it.
    dotted: Vec<(&'a str, String)>,
}

impl<'a> Parser<'a> {
    /// Makes the names with dots and indices known that modules declare.
    pub(super) fn find_dotted(&mut self) {
        let mut declared = Declared::default();
        let (mut declares, mut begins, mut cases) = (false, false, 0usize);
        for at in 0..self.lexemes.len() {
            self.at = at;
            let word = self.word_at(0);
            match word {
                Some("MODULE") => {
                    self.intern_dotted(std::mem::take(&mut declared));
                    declared.owners.extend(self.parameters_ahead());
                }
                Some("case") => cases += 1,
                Some("esac") => cases = cases.saturating_sub(1),
                Some(first) if begins && !is_reserved(first) => match self.chain(|_| true) {
                    Some((name, _)) => declared.dotted.push((first, name)),
                    None if self.is_instance() => {
                        declared.owners.insert(first);
                    }
                    None => {}
                },
                _ => {}
            }
            if word.is_some_and(is_section) {
                declares = matches!(word, Some("VAR" | "IVAR" | "FROZENVAR" | "DEFINE"));
                (begins, cases) = (declares, 0);
            } else {
                begins = declares && cases == 0 && self.is_symbol(";");
            }
        }
        self.intern_dotted(declared);
        self.at = 0;
    }

    fn intern_dotted(&mut self, declared: Declared<'_>) {
        for (first, name) in declared.dotted {
            if !declared.owners.contains(first) {
                self.names.declare_dotted(name);
            }
        }
    }

    /// Whether an instance of a module is declared here: `p : user;`, `p : process user(x);`.
    fn is_instance(&self) -> bool {
        let Some(word) = self.word_at(2) else {
            return false;
        };
        let ends = matches!(self.peek_at(3).token, Token::Symbol("(" | ";"));
        self.peek_at(1).token == Token::Symbol(":")
            && (word == "process" || (ends && !is_reserved(word)))
    }

    /// The parameters of the module that begins here.
    fn parameters_ahead(&self) -> Vec<&'a str> {
        let mut parameters = Vec::new();
        if self.peek_at(2).token == Token::Symbol("(") {
            let mut ahead = 3;
            while let Some(parameter) = self.word_at(ahead) {
                parameters.push(parameter);
                ahead += 2;
            }
        }
        parameters
    }

    /// The longest name with a dot or an index that begins here and is accepted, without blanks,
    /// and how many tokens it has.
    fn chain(&self, accepted: impl Fn(&str) -> bool) -> Option<(String, usize)> {
        let mut text = self.word_at(0)?.to_owned();
        let (mut length, mut longest) = (1, None);
        loop {
            let more = match (self.peek_at(length).token, self.peek_at(length + 1).token) {
                (Token::Symbol("."), Token::Word | Token::Number) => 2,
                (Token::Symbol("["), Token::Number) => 3,
                (Token::Symbol("["), Token::Symbol("-")) => 4,
                _ => return longest,
            };
            let closed = matches!(self.peek_at(length + more - 1).token, Token::Symbol("]"));
            if more > 2 && !closed {
                return longest;
            }
            for ahead in length..length + more {
                text.push_str(self.text(self.peek_at(ahead).span));
            }
            length += more;
            if accepted(&text) {
                longest = Some((text.clone(), length));
            }
        }
    }

    /// The name that is declared with dots or indices, if one stands here.
    pub(super) fn dotted(&mut self) -> Option<Name> {
        let (text, length) = self.chain(|text| self.names.is_dotted(text))?;
        Some(self.take_chain(&text, length))
    }

    /// A name of a variable or, with a dot, of one from an instance that is no more.
    pub(super) fn declared_name(&mut self) -> Parsed<Name> {
        match self.dotted() {
            Some(name) => Ok(name),
            None => self.name(),
        }
    }

    /// A name of a specification, which may have dots and indices at will.
    pub(super) fn name_of_specification(&mut self) -> Parsed<Name> {
        match self.chain(|_| true) {
            Some((text, length)) => Ok(self.take_chain(&text, length)),
            None => self.name(),
        }
    }

    fn take_chain(&mut self, text: &str, length: usize) -> Name {
        let start = self.peek().span;
        let id = self.names.intern(text);
        self.at += length;
        let span = quotient_core::Span::new(start.start, self.last_end());
        Name { id, span }
    }
}
