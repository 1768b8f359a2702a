//! Words to tree: conditions on configurations, properties and imports.

use quotient_core::{Span, nearest};

use super::kinds::of_kind;
use super::lexer::Token;
use super::parser::{ITEMS, Parsed, Parser};
use super::tree::*;

impl Parser<'_> {
    /// What is true, a regular expression over letters, or an automaton from a file.
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        if self.peek_word("word") && matches!(self.peek_ahead(), Token::Text(_)) {
            self.next();
            if let (Token::Text(text), span) = self.next() {
                return Ok(Condition::Word(text, span));
            }
        }
        if let Some((path, span)) = self.import()? {
            return Ok(Condition::Import(path, span));
        }
        Ok(Condition::Holds(self.expression()?))
    }

    /// `NAME: always E` or `NAME: never E`: what is said to help with the properties.
    pub(super) fn lemma(&mut self) -> Parsed<Property> {
        let property = self.property()?;
        match property.demand {
            Demand::Never(_) | Demand::Always(_) => Ok(Property {
                lemma: true,
                ..property
            }),
            _ => Err(self
                .error(
                    "not-a-lemma",
                    "a lemma says what is always or never true",
                    property.span,
                )
                .help("write `lemma NAME: always …`, or ask it as a `property`")),
        }
    }

    /// `NAME: never E`, `always E`, `no deadlock`, `for each p: E leads to E`, or any formula.
    pub(super) fn property(&mut self) -> Parsed<Property> {
        let name = self.name("the name of the property")?;
        self.expect(":")?;
        let start = self.peek_span();
        let demand = self.demand()?;
        self.nothing_misspelt_behind()?;
        let span = start.to(self.last_span());
        Ok(Property {
            name,
            span,
            demand,
            lemma: false,
        })
    }

    fn demand(&mut self) -> Parsed<Demand> {
        if self.takes_word("never") {
            return Ok(Demand::Never(self.condition()?));
        }
        if self.takes_word("no") {
            self.expect_word("deadlock")?;
            return Ok(Demand::NoDeadlock);
        }
        if self.takes_word("for") {
            self.expect_word("each")?;
            let (names, kinds) = self.names_of_kinds()?;
            self.expect(":")?;
            return Ok(match self.formula(names)? {
                Demand::LeadsTo { name, from, to } => Demand::LeadsTo {
                    from: of_kind(&kinds, std::slice::from_ref(&name), true, from),
                    name,
                    to,
                },
                Demand::Temporal { names, formula } => Demand::Temporal {
                    formula: of_kind(&kinds, &names, false, formula),
                    names,
                },
                demand => demand,
            });
        }
        if self.begins_formula() {
            return self.formula(Vec::new());
        }
        let (token, span) = self.next();
        let error = self.unexpected(
            &token,
            span,
            "`never`, `always`, `eventually`, `no deadlock` or `for each`",
        );
        let error = match &token {
            Token::Name(word) => error.did_you_mean(word, BEGINS.iter().copied()),
            _ => error,
        };
        Err(error.help("what must happen is written `for each p: A leads to B`"))
    }

    /// Whether a formula stands here that is about no process in particular.
    fn begins_formula(&self) -> bool {
        let begins = |word: &str| word != "never" && BEGINS.contains(&word);
        match (self.peek(), self.peek_ahead()) {
            (Token::Mark("("), _) => true,
            (Token::Name(word), _) if begins(word) => true,
            (Token::Name(_), Token::Mark(mark)) => *mark != ":",
            (Token::Name(_), Token::Name(next)) => BEHIND.contains(&next.as_str()),
            _ => false,
        }
    }

    /// A formula of linear time about some processes.
    fn formula(&mut self, names: Vec<Name>) -> Parsed<Demand> {
        self.formula = Some(self.at);
        let start = self.peek_span();
        let mut formula = self.expression()?;
        self.nothing_misspelt_behind()?;
        if self.takes_word("leads") {
            self.expect_word("to")?;
            self.formula = Some(self.at);
            let to = self.expression()?;
            if let ([name], false) = (names.as_slice(), formula.is_temporal() || to.is_temporal()) {
                self.formula = None;
                return Ok(Demand::LeadsTo {
                    name: name.clone(),
                    from: formula,
                    to,
                });
            }
            let span = start.to(self.last_span());
            let make = |kind| Expression { kind, span };
            let later = make(Kind::Temporal(Temporal::Eventually, Box::new(to)));
            let leads = Kind::Binary(Operator::Implies, Box::new(formula), Box::new(later));
            formula = make(Kind::Temporal(Temporal::Always, Box::new(make(leads))));
        }
        self.formula = None;
        if !formula.is_temporal() {
            let error = self.error("no-time", "this does not say when it is true", formula.span);
            let error = match &formula.kind {
                Kind::Call(name, _) => error.did_you_mean(&name.text, TIMES.iter().copied()),
                _ => error,
            };
            return Err(error.help("write `always`, `never` or `eventually` before it"));
        }
        Ok(match formula.kind {
            Kind::Temporal(Temporal::Always, inner) if names.is_empty() && !inner.is_temporal() => {
                Demand::Always(*inner)
            }
            kind => Demand::Temporal {
                names,
                formula: Expression { kind, ..formula },
            },
        })
    }

    /// What stands behind an expression joins it to the next one, or begins an item of the file.
    fn nothing_misspelt_behind(&mut self) -> Parsed<()> {
        let Token::Name(word) = self.peek() else {
            return Ok(());
        };
        if BEHIND.contains(&word.as_str()) {
            return Ok(());
        }
        let near = nearest(word, ITEMS.iter().chain(BEHIND).copied());
        let Some(near) = near.filter(|near| BEHIND.contains(near)) else {
            return Ok(());
        };
        let (token, span) = self.next();
        let error = self.unexpected(&token, span, "an operator or a declaration");
        Err(error.help(format!("did you mean `{near}`?")))
    }

    /// A word in front of another one that would be a quantifier, or say when something is true, if it
    /// were written as these are.
    pub(super) fn nothing_misspelt_before(&self, word: &str, span: Span) -> Parsed<()> {
        let Token::Name(behind) = self.peek() else {
            return Ok(());
        };
        let joined = BEHIND.contains(&behind.as_str()) || ITEMS.contains(&behind.as_str());
        let known = BEGINS.iter().filter(|_| !joined && word.len() > 2);
        let near = nearest(word, known.copied());
        let Some(near) = near.filter(|_| !self.is_a_value(word)) else {
            return Ok(());
        };
        let message = format!("expected an expression, found `{word}` before `{behind}`");
        let error = self.error("syntax", message, span);
        Err(error.help(format!("did you mean `{near}`?")))
    }

    /// Whether a word that was just taken says when what follows is true.
    pub(super) fn is_temporal_word(&self, word: &str) -> bool {
        if self.formula.is_none() || !["always", "eventually", "next"].contains(&word) {
            return false;
        }
        match self.peek() {
            // `next(p, q)` is about neighbours.
            Token::Mark("(") => {
                let pair = matches!(self.peek_at(1), Token::Name(_))
                    && self.peek_at(2) == &Token::Mark(",");
                word != "next" || !pair
            }
            Token::Name(next) => !BEHIND.contains(&next.as_str()),
            // As in `always 2 * count(…) > n`.
            Token::Number(_) => true,
            // As in `always -n <= …`, if that is not what is taken from a variable.
            Token::Mark("-") => !self.is_declared(word),
            _ => false,
        }
    }

    /// Whether a variable has this name.
    fn is_declared(&self, word: &str) -> bool {
        let name = |at: usize, word: &str| matches!(self.tokens.get(at), Some((Token::Name(name), _)) if name == word);
        let is_colon = |at: usize| matches!(self.tokens.get(at), Some((Token::Mark(":"), _)));
        (0..self.tokens.len()).any(|at| {
            let asked = |before: usize| name(before, "property") || name(before, "lemma");
            name(at, word) && is_colon(at + 1) && !at.checked_sub(1).is_some_and(asked)
        })
    }

    /// Whether a word is listed among others somewhere, as values are.
    fn is_a_value(&self, word: &str) -> bool {
        let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let lists = |token: &Token| {
            matches!(token, Token::Mark("{" | ",")) || is(token, "location") || is(token, "type")
        };
        let mut pairs = self.tokens.windows(2);
        pairs.any(|pair| lists(&pair[0].0) && is(&pair[1].0, word))
    }

    /// What such a word is about: as much as it can be, as with quantifiers.
    pub(super) fn temporal(&mut self, word: &str, span: Span) -> Parsed<Kind> {
        let (operator, at) = match word {
            "always" => (Temporal::Always, self.at),
            "eventually" => (Temporal::Eventually, self.at),
            _ => (Temporal::Next, self.at),
        };
        let body = self.expression()?;
        let joins = match body.kind {
            // `always A => eventually B` at the beginning has one meaning only.
            Kind::Binary(Operator::Implies, ..) => {
                operator != Temporal::Always || self.formula != Some(at - 1)
            }
            Kind::Binary(
                Operator::And | Operator::Or | Operator::Iff | Operator::Until | Operator::Unless,
                ..,
            ) => true,
            _ => false,
        };
        if joins && body.is_temporal() && !self.is_in_parentheses(at) {
            let message = format!("it is not clear how much `{word}` is about");
            return Err(self
                .error("unclear-reach", message, span)
                .note(format!("`{word}` reaches as far to the right as it can"))
                .help(format!(
                    "put what it is about in parentheses, `{word} (…)`, or all of it, `({word} …)`"
                )));
        }
        Ok(Kind::Temporal(operator, Box::new(body)))
    }

    /// Whether all words from one on are in one pair of parentheses.
    fn is_in_parentheses(&self, from: usize) -> bool {
        let mut open = 0;
        for (at, (token, _)) in self.tokens[from..self.at].iter().enumerate() {
            match token {
                Token::Mark("(") => open += 1,
                Token::Mark(")") => open -= 1,
                _ => {}
            }
            if open == 0 {
                return at > 0 && from + at + 1 == self.at;
            }
        }
        false
    }

    /// `import "file"`, if it stands here.
    pub(super) fn import(&mut self) -> Parsed<Option<(String, Span)>> {
        if !self.peek_word("import") || matches!(self.peek_ahead(), Token::Mark(_)) {
            return Ok(None);
        }
        self.next();
        match self.next() {
            (Token::Text(path), span) => Ok(Some((path, span))),
            (token, span) => Err(self.unexpected(&token, span, "the name of a file in quotes")),
        }
    }
}

/// Words that begin what a property asks, or a part of it.
const BEGINS: &[&str] = &[
    "never",
    "always",
    "eventually",
    "next",
    "not",
    "forall",
    "exists",
    "count",
    "if",
];

/// Those of them that say when something is true.
pub(crate) const TIMES: &[&str] = &["never", "always", "eventually", "next"];

/// Words that may follow an expression in a formula.
const BEHIND: &[&str] = &[
    "and", "or", "in", "mod", "until", "unless", "leads", "matches", "then", "else",
];
