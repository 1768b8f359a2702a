//! Expressions.

use quotient_core::{Diagnostic, Span};
use quotient_language::text::Parsed;
use quotient_markov::decimal;

use super::tokens::Word;
use super::{Ahead, Join, Name, Node, Parser, Tree, Until, Within};

/// Chains of no more conditions are joined from the left.
const SHORT: usize = 64;

impl Parser<'_> {
    pub(crate) fn word(&self) -> &str {
        match self.words.peek().kind {
            Word::Name => self.words.text(self.words.peek().span),
            _ => "",
        }
    }

    pub(crate) fn is_sign(&self, sign: &'static str) -> bool {
        self.words.is(Word::Sign(sign))
    }

    pub(crate) fn takes(&mut self, sign: &'static str) -> bool {
        self.words.takes(Word::Sign(sign))
    }

    pub(crate) fn expect(&mut self, sign: &'static str) -> Parsed<Span> {
        self.words.expect(Word::Sign(sign))
    }

    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let is = self.word() == word;
        if is {
            self.words.advance();
        }
        is
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        match self.word() == word {
            true => Ok(self.words.advance().span),
            false => Err(self.words.unexpected(&format!("`{word}`"))),
        }
    }

    pub(crate) fn name(&mut self) -> Parsed<(String, Span)> {
        let span = self.words.expect(Word::Name)?;
        Ok((self.words.text(span).to_owned(), span))
    }

    pub(crate) fn quoted(&mut self) -> Parsed<(String, Span)> {
        let span = self.words.expect(Word::Quoted)?;
        let text = self.words.text(span);
        Ok((text.trim_matches('"').to_owned(), span))
    }

    pub(crate) fn tree(&self, start: usize, node: Node) -> Tree {
        Tree {
            node,
            span: self.words.span_from(start),
        }
    }

    fn start(&self) -> usize {
        self.words.peek().span.start
    }

    /// An expression; in properties also a path formula.
    pub(crate) fn expression(&mut self) -> Parsed<Tree> {
        self.words.enter()?;
        let result = self.until();
        self.words.leave();
        result
    }

    fn until(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let left = self.ahead()?;
        if !self.in_property {
            return Ok(left);
        }
        let kind = match self.word() {
            "U" => Until::Strong,
            "W" => Until::Weak,
            "R" if !self.begins_rewards() => Until::Release,
            _ => return Ok(left),
        };
        self.words.advance();
        if kind == Until::Strong && self.words.peek().kind == Word::Sign("{") {
            let limits = self.earning()?;
            let right = self.expression()?;
            let within = Within {
                left: Some(left),
                right,
                limits,
            };
            return Ok(self.tree(start, Node::Within(Box::new(within))));
        }
        let bound = self.bound()?;
        let right = self.expression()?;
        let node = Node::Until(kind, bound, Box::new(left), Box::new(right));
        Ok(self.tree(start, node))
    }

    fn ahead(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let kind = match self.word() {
            "X" if self.in_property => Ahead::Next,
            "F" if self.in_property => Ahead::Finally,
            "G" if self.in_property => Ahead::Globally,
            _ => return self.conditional(),
        };
        self.words.enter()?;
        self.words.advance();
        if kind == Ahead::Finally && self.words.peek().kind == Word::Sign("{") {
            let limits = self.earning()?;
            let right = self.ahead()?;
            self.words.leave();
            let within = Within {
                left: None,
                right,
                limits,
            };
            return Ok(self.tree(start, Node::Within(Box::new(within))));
        }
        let bound = self.bound()?;
        let of = self.ahead()?;
        self.words.leave();
        Ok(self.tree(start, Node::Ahead(kind, bound, Box::new(of))))
    }

    fn conditional(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let condition = self.implies()?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let one = self.expression()?;
        self.expect(":")?;
        let other = self.expression()?;
        let node = Node::If(Box::new(condition), Box::new(one), Box::new(other));
        Ok(self.tree(start, node))
    }

    /// Conditions joined, however many: long chains become trees that are not deep.
    fn conditions(
        &mut self,
        part: fn(&mut Self) -> Parsed<Tree>,
        (sign, join): (&'static str, Join),
    ) -> Parsed<Tree> {
        let start = self.start();
        let mut parts = vec![part(self)?];
        while self.takes(sign) {
            parts.push(part(self)?);
        }
        let joined = |left: Tree, right: Tree| {
            let node = Node::Two(join, Box::new(left), Box::new(right));
            self.tree(start, node)
        };
        while parts.len() > SHORT {
            let mut fewer = Vec::with_capacity(parts.len() / 2 + 1);
            let mut rest = parts.into_iter();
            while let Some(left) = rest.next() {
                fewer.push(match rest.next() {
                    Some(right) => joined(left, right),
                    None => left,
                });
            }
            parts = fewer;
        }
        let all = parts.into_iter().reduce(joined);
        all.ok_or_else(|| self.words.unexpected("a condition"))
    }

    /// Parts joined from the left; nothing nests deeper by a long chain.
    fn chain(
        &mut self,
        part: fn(&mut Self) -> Parsed<Tree>,
        joins: &[(&'static str, Join)],
    ) -> Parsed<Tree> {
        let start = self.start();
        let mut left = part(self)?;
        let mut length = 0;
        while let Some(&(_, join)) = joins.iter().find(|(sign, _)| self.is_sign(sign)) {
            length += 1;
            if length > 1000 {
                return Err(
                    Diagnostic::error("too-deep", "this chain has too many parts").at(
                        self.words.source(),
                        self.words.peek().span,
                        "",
                    ),
                );
            }
            self.words.advance();
            let right = part(self)?;
            let node = Node::Two(join, Box::new(left), Box::new(right));
            left = self.tree(start, node);
        }
        Ok(left)
    }

    fn implies(&mut self) -> Parsed<Tree> {
        self.chain(Self::iff, &[("=>", Join::Implies)])
    }

    fn iff(&mut self) -> Parsed<Tree> {
        self.chain(Self::or, &[("<=>", Join::Iff)])
    }

    fn or(&mut self) -> Parsed<Tree> {
        self.conditions(Self::and, ("|", Join::Or))
    }

    fn and(&mut self) -> Parsed<Tree> {
        self.conditions(Self::not, ("&", Join::And))
    }

    fn not(&mut self) -> Parsed<Tree> {
        let start = self.start();
        if !self.takes("!") {
            // A temporal operator binds weaker than `&`, yet `a & F b` is plain enough.
            return match self.word() {
                "X" | "F" | "G" if self.in_property => self.ahead(),
                _ => self.equality(),
            };
        }
        self.words.enter()?;
        let of = self.not()?;
        self.words.leave();
        Ok(self.tree(start, Node::Not(Box::new(of))))
    }

    fn equality(&mut self) -> Parsed<Tree> {
        self.chain(Self::relation, &[("=", Join::Equal), ("!=", Join::Unequal)])
    }

    fn relation(&mut self) -> Parsed<Tree> {
        let joins = [
            ("<", Join::Less),
            ("<=", Join::AtMost),
            (">", Join::Greater),
            (">=", Join::AtLeast),
        ];
        self.chain(Self::sum, &joins)
    }

    /// A sum; its parts may not contain relations, so that bounds can be read with it.
    pub(crate) fn sum(&mut self) -> Parsed<Tree> {
        self.chain(Self::product, &[("+", Join::Plus), ("-", Join::Minus)])
    }

    fn product(&mut self) -> Parsed<Tree> {
        self.chain(Self::power, &[("*", Join::Times), ("/", Join::Divide)])
    }

    /// `a^b`. What `-a^b` and `a^b^c` mean is not the same everywhere: they need brackets.
    fn power(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let base = self.signed()?;
        let sign = self.words.peek().span;
        if !self.takes("^") {
            return Ok(base);
        }
        let exponent = self.signed()?;
        let negative = self.words.text(base.span).starts_with('-');
        if negative || self.is_sign("^") {
            let message = "this power needs brackets, as in `-(a^b)` or `(a^b)^c`";
            return Err(Diagnostic::error("syntax", message).at(self.words.source(), sign, ""));
        }
        Ok(self.tree(start, Node::Call(Name::Pow, vec![base, exponent])))
    }

    fn signed(&mut self) -> Parsed<Tree> {
        let start = self.start();
        if !self.takes("-") {
            return self.basic();
        }
        self.words.enter()?;
        let of = self.signed()?;
        self.words.leave();
        Ok(self.tree(start, Node::Negative(Box::new(of))))
    }

    fn basic(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let token = self.words.peek();
        let text = self.words.text(token.span);
        let node = match token.kind {
            Word::Whole => {
                self.words.advance();
                match text.parse() {
                    Ok(number) => Node::Whole(number),
                    Err(_) => return Err(self.bad_number(token.span)),
                }
            }
            Word::Real => {
                self.words.advance();
                match decimal(text) {
                    Some(number) => Node::Real(number),
                    None => return Err(self.bad_number(token.span)),
                }
            }
            Word::Quoted => Node::Label(self.quoted()?.0),
            Word::Sign("(") => {
                self.words.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Tree {
                    span: self.words.span_from(start),
                    ..inner
                });
            }
            Word::Name => return self.named(),
            _ => return Err(self.no_expression()),
        };
        Ok(self.tree(start, node))
    }

    /// Signs that other languages write twice are told.
    fn no_expression(&self) -> Diagnostic {
        let error = self.words.unexpected("an expression");
        let token = self.words.peek();
        let before = &self.words.source().text()[..token.span.start];
        match token.kind {
            Word::Sign(sign @ ("=" | "&")) if before.ends_with(sign) => {
                error.help(format!("write `{sign}`, not `{sign}{sign}`"))
            }
            _ => error,
        }
    }

    fn bad_number(&self, span: Span) -> Diagnostic {
        Diagnostic::error("number", "this number is too large or too long").at(
            self.words.source(),
            span,
            "",
        )
    }

    /// What begins with a name: a keyword, a function, an operator of properties, a name.
    fn named(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let word = self.word().to_owned();
        let next = self.words.peek_at(1).kind;
        if self.in_property
            && let Some(operator) = self.operator(&word)?
        {
            return Ok(self.tree(start, operator));
        }
        self.words.advance();
        let node = match word.as_str() {
            "true" => Node::Truth(true),
            "false" => Node::Truth(false),
            "func" if next == Word::Sign("(") => {
                self.expect("(")?;
                let (name, span) = self.name()?;
                self.expect(",")?;
                let Some(function) = function(&name) else {
                    return Err(self.no_function(&name, span));
                };
                let arguments = self.arguments()?;
                Node::Call(function, arguments)
            }
            _ if next == Word::Sign("(") => {
                let Some(function) = function(&word) else {
                    let span = self.words.span_from(start);
                    return Err(self.no_function(&word, span));
                };
                self.expect("(")?;
                let arguments = self.arguments()?;
                Node::Call(function, arguments)
            }
            _ if is_keyword(&word) => {
                self.words.rewind(self.words.position() - 1);
                return Err(self.words.unexpected("an expression"));
            }
            _ => Node::Name(word),
        };
        Ok(self.tree(start, node))
    }

    /// The rest of the arguments, to the closing bracket.
    fn arguments(&mut self) -> Parsed<Vec<Tree>> {
        let mut arguments = vec![self.expression()?];
        while self.takes(",") {
            arguments.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn no_function(&self, name: &str, span: Span) -> Diagnostic {
        Diagnostic::error("no-such-function", format!("there is no function `{name}`"))
            .at(self.words.source(), span, "")
            .note("functions are min, max, floor, ceil, round, pow, mod, log, abs, sqrt")
    }
}

fn function(name: &str) -> Option<Name> {
    Some(match name {
        "min" => Name::Min,
        "max" => Name::Max,
        "floor" => Name::Floor,
        "ceil" => Name::Ceil,
        "round" => Name::Round,
        "pow" => Name::Pow,
        "mod" => Name::Mod,
        "log" => Name::Log,
        "abs" => Name::Abs,
        "sqrt" => Name::Sqrt,
        _ => return None,
    })
}

/// Words that begin or end a part of a model, and so are never names.
pub(crate) fn is_keyword(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "const",
        "ctmc",
        "dtmc",
        "mdp",
        "endinit",
        "endmodule",
        "endrewards",
        "endsystem",
        "endinvariant",
        "filter",
        "formula",
        "func",
        "global",
        "init",
        "label",
        "module",
        "rewards",
        "system",
        "bool",
        "int",
        "double",
        "clock",
        "invariant",
        "probabilistic",
        "stochastic",
        "nondeterministic",
        "pta",
        "rate",
        "prob",
    ];
    WORDS.contains(&word)
}
