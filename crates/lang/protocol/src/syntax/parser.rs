//! Words to tree: declarations, properties and expressions.

use quotient_core::{Diagnostic, Source, Span, nearest};

use super::faults::{CRASHED, FAULTY, Faults};
use super::kinds::{of_kind, word};
use super::lexer::{Token, tokens};
use super::messages::Manner;
use super::operators::COMPARISON;
use super::tree::*;

/// What begins an item of the file, for messages and to know where one ends.
pub(crate) const ITEMS: &[&str] = &[
    "protocol",
    "topology",
    "assume",
    "parameter",
    "type",
    "global",
    "process",
    "one",
    "message",
    "duplicating",
    "ordered",
    "rounds",
    "queue",
    "lossy",
    "stack",
    "log",
    "define",
    "initially",
    "step",
    "fair",
    "strong",
    "property",
    "lemma",
];

/// Those of them that may name variables, too.
const ALSO_NAMES: &[&str] = &[
    "fair",
    "strong",
    "lemma",
    "one",
    "message",
    "duplicating",
    "ordered",
    "rounds",
];

/// After so many mistakes the rest is mostly noise.
const MOST_MISTAKES: usize = 20;

/// Reads a whole file, and tells all mistakes: after one it goes on at the next item.
pub(crate) fn parse(source: &Source) -> Result<File, Vec<Diagnostic>> {
    let (tokens, unreadable) = tokens(source);
    let tree = stands_in_a_tree(&tokens);
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        depth: 0,
        formula: None,
        tree,
    };
    let mut file = File::default();
    while parser.peek() != &Token::End && mistakes.len() < MOST_MISTAKES {
        let start = parser.at;
        if let Err(mistake) = parser.item(&mut file) {
            parser.recover(start);
            // Where a line has a letter without meaning, the rest of it has none either.
            let line = |mistake: &Diagnostic| {
                let label = mistake.labels.first();
                label.map(|label| source.position(label.span.start).0)
            };
            let known = unreadable.iter().any(|known| line(known) == line(&mistake));
            if !known {
                mistakes.push(mistake);
            }
        }
    }
    mistakes.extend(unreadable);
    if mistakes.is_empty() {
        match file.desugared() {
            Ok(()) => return Ok(file),
            Err((message, span, help)) => {
                let mistake = Diagnostic::error("kinds-and-messages", message);
                mistakes.push(mistake.at(source, span, "").help(help));
            }
        }
    }
    let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
    mistakes.sort_by_key(place);
    mistakes.truncate(MOST_MISTAKES);
    Err(mistakes)
}

/// Whether the file says so, wherever it does.
fn stands_in_a_tree(tokens: &[(Token, Span)]) -> bool {
    let is = |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
    let mut pairs = tokens.windows(2);
    pairs.any(|pair| is(&pair[0].0, "topology") && is(&pair[1].0, "tree"))
}

pub(crate) struct Parser<'a> {
    pub(crate) source: &'a Source,
    pub(super) tokens: Vec<(Token, Span)>,
    pub(super) at: usize,
    pub(super) depth: u32,
    /// Where the formula of a property begins, if this is one.
    pub(super) formula: Option<usize>,
    /// Whether processes stand in a tree: only there its words mean something.
    pub(super) tree: bool,
}

pub(crate) type Parsed<T> = Result<T, Diagnostic>;

impl Parser<'_> {
    fn item(&mut self, file: &mut File) -> Parsed<()> {
        let (token, span) = self.next();
        let Token::Name(keyword) = &token else {
            return Err(self.unexpected(&token, span, "a declaration"));
        };
        match keyword.as_str() {
            "protocol" => file.title = Some(self.title()?),
            "topology" => file.topology = Some(self.topology()?),
            "assume" => file.assumptions.push(self.expression()?),
            "parameter" => {
                file.parameters.push(self.name("the name of a number")?);
                while self.takes(",") {
                    file.parameters.push(self.name("the name of a number")?);
                }
            }
            "type" => {
                let name = self.name("the name of the type")?;
                self.expect("=")?;
                file.types.push((name, self.kind()?));
            }
            "global" => file.globals.push(self.declaration()?),
            "process" => self.processes(file, span, false)?,
            "one" => {
                self.expect_word("process")?;
                self.processes(file, span, true)?;
            }
            "message" => self.messages(file, Manner::default())?,
            "duplicating" | "ordered" => {
                let manner = self.manner(keyword, span)?;
                self.messages(file, manner)?;
            }
            "rounds" => {
                file.rounds.push(self.name("a part of a round")?);
                while self.takes(",") {
                    file.rounds.push(self.name("a part of a round")?);
                }
            }
            "queue" => self.channel(file, ChannelKind::Queue)?,
            "stack" => self.channel(file, ChannelKind::Stack)?,
            "log" => self.channel(file, ChannelKind::Log)?,
            "lossy" => {
                if ["duplicating", "ordered", "message"]
                    .iter()
                    .any(|next| self.peek_word(next))
                {
                    let manner = self.manner(keyword, span)?;
                    self.messages(file, manner)?;
                } else {
                    self.expect_word("queue")?;
                    self.channel(file, ChannelKind::LossyQueue)?;
                }
            }
            "define" => {
                let name = self.name("the name of the definition")?;
                let parameters = if self.takes("(") {
                    self.names_until(")")?
                } else {
                    Vec::new()
                };
                self.expect("=")?;
                file.macros.push(Macro {
                    name,
                    parameters,
                    body: self.expression()?,
                });
            }
            "initially" => file.initially.push(self.condition()?),
            "step" => file.steps.push(self.step()?),
            "fair" => file.steps.push(self.fair_step(Fairness::Weak)?),
            "strong" => {
                self.expect_word("fair")?;
                file.steps.push(self.fair_step(Fairness::Strong)?);
            }
            "property" => file.properties.push(self.property()?),
            "lemma" => file.properties.push(self.lemma()?),
            _ => {
                return Err(self
                    .unexpected(&token, span, "a declaration")
                    .did_you_mean(keyword, ITEMS.iter().copied())
                    .note(format!("a file consists of {}", ITEMS.join(", "))));
            }
        }
        while self.takes(";") {}
        Ok(())
    }

    /// What stands behind `protocol`.
    fn title(&mut self) -> Parsed<String> {
        let title = match self.next() {
            (Token::Text(title) | Token::Name(title), _) => title,
            (token, span) => return Err(self.unexpected(&token, span, "a name")),
        };
        if let Token::Name(word) = self.peek()
            && nearest(word, ITEMS.iter().copied()).is_none()
        {
            let (token, span) = self.next();
            return Err(self
                .unexpected(&token, span, "a declaration")
                .help("a title of several words stands in quotes"));
        }
        Ok(title)
    }

    /// What stands behind `topology`.
    fn topology(&mut self) -> Parsed<(Topology, Span)> {
        let name = self.name("`line`, `ring`, `set` or `tree`")?;
        let topology = match name.text.as_str() {
            "line" => Topology::Line,
            "ring" => Topology::Ring,
            "set" => Topology::Set,
            "tree" => Topology::Tree,
            other => {
                let message = format!("there is no topology `{other}`");
                return Err(self
                    .error("unknown-topology", message, name.span)
                    .help("processes stand in a `line`, a `ring`, a `set` or a `tree`"));
            }
        };
        Ok((topology, name.span))
    }

    /// `crash`, `crash and recover` or `lie` behind `process may`, and how many at most.
    pub(super) fn faults(&mut self) -> Parsed<Faults> {
        let start = self.peek_span();
        let lies = self.takes_word("lie");
        if !lies {
            self.expect_word("crash")?;
        }
        let recover = !lies && self.takes_word("and");
        if recover {
            self.expect_word("recover")?;
        }
        let at_most = match self.takes_word("at") {
            true => {
                self.expect_word("most")?;
                Some(self.expression()?)
            }
            false => None,
        };
        Ok(Faults {
            variable: if lies { FAULTY } else { CRASHED },
            recover,
            of: None,
            at_most,
            span: start.to(self.last_span()),
        })
    }

    /// `at : { a, b } = a` written as `location a, b`.
    pub(super) fn locations(&mut self) -> Parsed<Declaration> {
        let mut values = vec![self.name("a location")?];
        let name = Name {
            text: "at".to_owned(),
            span: values[0].span,
        };
        while self.takes(",") {
            values.push(self.name("a location")?);
        }
        let first = &values[0];
        let initial = Expression {
            kind: Kind::Name(first.text.clone()),
            span: first.span,
        };
        Ok(Declaration {
            name,
            paired: false,
            kind: Type::Values(values),
            initial: Some(initial),
        })
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let name = self.name("the name of a variable")?;
        let paired = self.takes("[");
        if paired {
            self.expect_word("process")?;
            self.expect("]")?;
        }
        self.expect(":")?;
        let kind = self.kind()?;
        let initial = if self.takes("=") {
            Some(self.expression()?)
        } else {
            None
        };
        Ok(Declaration {
            name,
            paired,
            kind,
            initial,
        })
    }

    fn channel(&mut self, file: &mut File, kind: ChannelKind) -> Parsed<()> {
        let name = self.name("the name of the channel")?;
        self.expect(":")?;
        let contents = self.kind()?;
        let mut initial = Vec::new();
        if self.takes("=") {
            self.expect("(")?;
            while !self.takes(")") {
                if !initial.is_empty() {
                    self.expect(",")?;
                }
                initial.push(self.expression()?);
            }
        }
        file.channels.push(ChannelDeclaration {
            name,
            kind,
            contents,
            initial,
        });
        Ok(())
    }

    pub(crate) fn kind(&mut self) -> Parsed<Type> {
        match self.next() {
            (Token::Mark("{"), _) => Ok(Type::Values(self.names_until("}")?)),
            (Token::Number(low), from) => self.range(low, from),
            (Token::Mark("-"), from) => {
                let low = self.number()?;
                self.range(-low, from)
            }
            (Token::Name(name), span) => match name.as_str() {
                "bool" | "boolean" => Ok(Type::Bool),
                "process" => {
                    let optional = self.takes_word("or");
                    if optional {
                        self.expect_word("none")?;
                    }
                    Ok(Type::Process(optional, span))
                }
                "identity" => Ok(Type::Identity(span)),
                word if RESERVED.contains(&word) => Err(self
                    .unexpected(&Token::Name(name), span, "a type")
                    .help(TYPES)),
                "int" | "integer" | "nat" => Err(self
                    .error("unbounded-integer", "integers need a range", span)
                    .help("write the smallest and the largest value, as in `0..3`")
                    .note("only finitely many values fit into a letter")),
                _ => Ok(Type::Named(Name { text: name, span })),
            },
            (token, span) => Err(self.unexpected(&token, span, "a type").help(TYPES)),
        }
    }

    fn range(&mut self, low: i64, from: Span) -> Parsed<Type> {
        self.expect("..")?;
        let high = self.signed_number()?;
        Ok(Type::Range(low, high, from.to(self.last_span())))
    }

    pub(super) fn signed_number(&mut self) -> Parsed<i64> {
        if self.takes("-") {
            Ok(-self.number()?)
        } else {
            self.number()
        }
    }

    pub(super) fn number(&mut self) -> Parsed<i64> {
        match self.next() {
            (Token::Number(number), _) => Ok(number),
            (token, span) => Err(self.unexpected(&token, span, "a number")),
        }
    }

    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        self.binary(0)
    }

    pub(super) fn prefix(&mut self) -> Parsed<Expression> {
        let (token, span) = self.next();
        self.deeper()?;
        let kind = match token {
            Token::Number(low) if self.peek() == &Token::Mark("..") => self.numbers(low, span)?,
            Token::Number(number) => Kind::Number(number),
            Token::Mark("-") if self.peek_at(1) == &Token::Mark("..") => {
                let low = self.number()?;
                self.numbers(-low, span)?
            }
            Token::Mark("-") => Kind::Negate(Box::new(self.prefix()?)),
            Token::Mark("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                self.depth -= 1;
                return Ok(inner);
            }
            Token::Mark("{") => {
                let mut values = Vec::new();
                while !self.takes("}") {
                    if !values.is_empty() {
                        self.expect(",")?;
                    }
                    match self.expression()? {
                        // A range among other values.
                        Expression {
                            kind: Kind::Set(numbers),
                            ..
                        } => values.extend(numbers),
                        value => values.push(value),
                    }
                }
                Kind::Set(values)
            }
            Token::Name(name) => self.named(name, span)?,
            token => {
                return Err(self.unexpected(&token, span, "an expression").help(
                    "expressions are values, variables, `p.x`, comparisons and `forall`/`exists`",
                ));
            }
        };
        self.depth -= 1;
        Ok(Expression {
            kind,
            span: span.to(self.last_span()),
        })
    }

    /// What begins with a name: keywords of the expression language, fields, calls, names.
    fn named(&mut self, name: String, span: Span) -> Parsed<Kind> {
        match name.as_str() {
            _ if self.is_temporal_word(&name) => self.temporal(&name, span),
            // As strong as a comparison, so that `not x = y` denies the equality.
            "not" => Ok(Kind::Not(Box::new(self.binary(COMPARISON)?))),
            "if" => {
                let condition = self.expression()?;
                self.expect_word("then")?;
                let yes = self.expression()?;
                if !self.peek_word("else") {
                    let (token, span) = self.next();
                    let error = self.unexpected(&token, span, "`else`");
                    return Err(error.help(
                        "`if … then … else …` is a value, or a condition, and has both branches",
                    ));
                }
                self.next();
                let no = self.expression()?;
                Ok(Kind::If(Box::new(condition), Box::new(yes), Box::new(no)))
            }
            "forall" | "exists" => {
                let side = self.side();
                let (names, kinds) = self.names_of_kinds()?;
                let (side, of) = self.side_of(side)?;
                self.colon_behind(&names)?;
                let exists = name == "exists";
                let body = self.expression()?;
                let body = Box::new(of_kind(&kinds, &names, exists, body));
                Ok(Kind::Quantified {
                    exists,
                    side,
                    names,
                    of,
                    body,
                })
            }
            "count" => {
                self.expect("(")?;
                let side = self.side();
                let kind = self.kind_of_process()?;
                let name = self.name("a name for the process")?;
                let body = match kind.is_some() && self.peek() == &Token::Mark(")") {
                    // All of a kind.
                    true => word("true", name.span),
                    false => {
                        self.colon_behind(std::slice::from_ref(&name))?;
                        self.expression()?
                    }
                };
                let names = std::slice::from_ref(&name);
                let body = Box::new(of_kind(&[kind], names, true, body));
                self.expect(")")?;
                Ok(Kind::Count { side, name, body })
            }
            _ if self.takes(".") => {
                let (owner, field) = self.behind_dot(Name { text: name, span })?;
                match self.index()? {
                    Some(index) => Ok(Kind::Pair(Some(owner), field, index)),
                    None => Ok(Kind::Field(owner, field)),
                }
            }
            _ if self.peek() == &Token::Mark("[") => match self.index()? {
                Some(index) => Ok(Kind::Pair(None, Name { text: name, span }, index)),
                None => Ok(Kind::Name(name)),
            },
            _ if self.takes("(") => {
                let mut arguments = Vec::new();
                while !self.takes(")") {
                    if !arguments.is_empty() {
                        self.expect(",")?;
                    }
                    arguments.push(self.expression()?);
                }
                Ok(Kind::Call(Name { text: name, span }, arguments))
            }
            _ if self.takes_word("matches") => match self.next() {
                (Token::Text(text), place) => {
                    Ok(Kind::Matches(Name { text: name, span }, text, place))
                }
                (token, span) => {
                    Err(self.unexpected(&token, span, "a regular expression in double quotes"))
                }
            },
            _ if ITEMS.contains(&name.as_str()) && !ALSO_NAMES.contains(&name.as_str()) => {
                Err(self.unexpected(&Token::Name(name), span, "an expression"))
            }
            _ => {
                self.nothing_misspelt_before(&name, span)?;
                Ok(Kind::Name(name))
            }
        }
    }

    fn names_until(&mut self, end: &'static str) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while !self.takes(end) {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.name("a name")?);
        }
        Ok(names)
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.next() {
            (Token::Name(text), span) if !RESERVED.contains(&text.as_str()) => {
                Ok(Name { text, span })
            }
            (Token::Name(text), span) => Err(self
                .error(
                    "reserved-word",
                    format!("`{text}` is a word of the language"),
                    span,
                )
                .note(format!("{what} was expected here"))
                .help(match ITEMS.contains(&text.as_str()) {
                    true => "is a `}` missing before it?",
                    false => "choose another name",
                })),
            (token, span) => {
                let error = self.unexpected(&token, span, what);
                Err(match token {
                    Token::Number(_) => error.help("names begin with a letter"),
                    _ => error,
                })
            }
        }
    }
}

const TYPES: &str = "types are `bool`, `0..3`, `{ a, b }`, `process` or a name defined by `type`";

/// Words that cannot name anything.
const RESERVED: &[&str] = &[
    "and", "or", "not", "if", "then", "else", "forall", "exists", "count", "when", "step",
    "property", "true", "false", "in", "mod", "any", "for", "none",
];
