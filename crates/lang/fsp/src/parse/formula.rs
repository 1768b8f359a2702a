//! Fluents and assertions. The precedence is LTSA's: `||` binds weakest, then one of
//! `->`, `<->`, `U`, `W`, then `&&`, then the operators with one operand.

use quotient_core::Diagnostic;

use super::{Parsed, Parser};
use crate::syntax::{Assertion, AssertionKind, Definition, Fluent, FormulaKind, FormulaSyntax};
use crate::token::{Kind, Token};

impl Parser<'_> {
    pub(super) fn fluent(&mut self) -> Parsed<Fluent> {
        self.advance();
        let name = self.upper("the name of the fluent")?;
        let indices = self.indices()?;
        self.expect(Kind::Becomes, "`=`")?;
        self.expect(Kind::Less, "`<`")?;
        let begin = self.label()?;
        self.expect(Kind::Comma, "`,` and the actions that end the fluent")?;
        let end = self.label()?;
        self.expect(Kind::Greater, "`>`")?;
        let initially = match self.take(Kind::Initially) {
            Some(_) => Some(self.simple_expression()?),
            None => None,
        };
        Ok(Fluent {
            name,
            indices,
            begin,
            end,
            initially,
        })
    }

    pub(super) fn assertion(&mut self, kind: AssertionKind) -> Parsed<Definition> {
        let start = self.advance().span.start;
        let name = self.upper("the name of the assertion")?;
        let parameters = self.parameters()?;
        self.expect(Kind::Becomes, "`=`")?;
        let formula = self.counted(|parser| parser.disjunction(true))?;
        let extension = match self.take(Kind::Plus) {
            Some(_) => Some(self.set()?),
            None => None,
        };
        // A final dot, which LTSA does not take, does no harm.
        self.take(Kind::Dot);
        Ok(Definition::Assertion(Assertion {
            kind,
            name,
            parameters,
            formula,
            extension,
            span: self.since(start),
        }))
    }

    /// `outer`: not in brackets, so that `||`, `U` and `W` may begin the next definition.
    fn disjunction(&mut self, outer: bool) -> Parsed<FormulaSyntax> {
        let mut left = self.implication(outer)?;
        while self.kind() == Kind::Parallel && !(outer && self.definition_follows(1)) {
            self.advance();
            self.operator()?;
            let right = self.nested(|parser| parser.implication(outer))?;
            left = join(FormulaKind::Or, left, right);
        }
        Ok(left)
    }

    /// Whether the words from here on are the head of a definition: `P =`, `P(N=`.
    fn definition_follows(&self, words: usize) -> bool {
        self.kind_after(words) == Kind::Upper
            && (self.kind_after(words + 1) == Kind::Becomes
                || self.kind_after(words + 1) == Kind::LeftRound
                    && self.kind_after(words + 2) == Kind::Upper
                    && self.kind_after(words + 3) == Kind::Becomes)
    }

    fn implication(&mut self, outer: bool) -> Parsed<FormulaSyntax> {
        let left = self.conjunction()?;
        let operator = match self.kind() {
            Kind::Arrow => FormulaKind::Implies,
            Kind::Equivalent => FormulaKind::Equivalent,
            Kind::Upper if outer && self.definition_follows(0) => return Ok(left),
            Kind::Upper if self.word() == "U" => FormulaKind::Until,
            Kind::Upper if self.word() == "W" => FormulaKind::WeakUntil,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.nested(|parser| parser.implication(outer))?;
        Ok(join(operator, left, right))
    }

    fn conjunction(&mut self) -> Parsed<FormulaSyntax> {
        let mut left = self.unary_formula()?;
        while self.take(Kind::And).is_some() {
            self.operator()?;
            let right = self.nested(Parser::unary_formula)?;
            left = join(FormulaKind::And, left, right);
        }
        Ok(left)
    }

    fn unary_formula(&mut self) -> Parsed<FormulaSyntax> {
        let token = self.token();
        let kind = match token.kind {
            Kind::Not => self.prefix(FormulaKind::Not)?,
            Kind::Eventually => self.prefix(FormulaKind::Eventually)?,
            Kind::Always => self.prefix(FormulaKind::Always)?,
            Kind::Upper if self.word() == "X" => self.prefix(FormulaKind::Next)?,
            Kind::Forall | Kind::Exists => {
                self.advance();
                let indices = self.quantifier()?;
                let inner = Box::new(self.nested(Parser::unary_formula)?);
                match token.kind {
                    Kind::Forall => FormulaKind::ForAll(indices, inner),
                    _ => FormulaKind::Exists(indices, inner),
                }
            }
            Kind::Rigid => {
                self.advance();
                FormulaKind::Rigid(self.simple_expression()?)
            }
            Kind::LeftRound => {
                self.advance();
                let mut inner = self.nested(|parser| parser.disjunction(false))?;
                self.expect(Kind::RightRound, "an operator or `)`")?;
                inner.span = self.since(token.span.start);
                return Ok(inner);
            }
            Kind::Upper if self.is_foreign_operator() => {
                let sign = if self.word() == "G" { "[]" } else { "<>" };
                return Err(Diagnostic::error(
                    "foreign-operator",
                    format!("there is no fluent `{}`", self.word()),
                )
                .at(self.source, token.span, "used as an operator")
                .help(format!("`{}` is written `{sign}` here", self.word())));
            }
            Kind::Upper if !self.sets.contains(self.word()) => {
                let name = self.upper("a fluent")?;
                match self.kind() {
                    Kind::LeftRound => {
                        FormulaKind::Call(name, self.arguments()?.unwrap_or_default())
                    }
                    _ => FormulaKind::Name(name, self.indices()?),
                }
            }
            _ if self.at_label() => FormulaKind::Action(self.label()?),
            _ => return Err(self.unexpected("a formula")),
        };
        Ok(FormulaSyntax {
            kind,
            span: self.since(token.span.start),
        })
    }

    /// Whether this is `G` or `F` as other tools write them: the text has nothing of that name,
    /// and a formula follows.
    fn is_foreign_operator(&self) -> bool {
        let word = self.word();
        let defines = |pair: &[Token]| {
            let is_it = |token: Token| token.kind == Kind::Upper && self.text(token.span) == word;
            is_it(pair[0]) && pair[1].kind == Kind::Becomes
                || is_it(pair[1]) && matches!(pair[0].kind, Kind::Fluent | Kind::Assert | Kind::Set)
        };
        let follows = matches!(
            self.kind_after(1),
            Kind::LeftRound
                | Kind::Lower
                | Kind::Upper
                | Kind::Not
                | Kind::Always
                | Kind::Eventually
        );
        matches!(word, "G" | "F") && follows && !self.tokens.windows(2).any(defines)
    }

    fn prefix(&mut self, make: fn(Box<FormulaSyntax>) -> FormulaKind) -> Parsed<FormulaKind> {
        self.advance();
        Ok(make(Box::new(self.nested(Parser::unary_formula)?)))
    }
}

fn join(
    make: fn(Box<FormulaSyntax>, Box<FormulaSyntax>) -> FormulaKind,
    left: FormulaSyntax,
    right: FormulaSyntax,
) -> FormulaSyntax {
    let span = left.span.to(right.span);
    FormulaSyntax {
        kind: make(Box::new(left), Box::new(right)),
        span,
    }
}
