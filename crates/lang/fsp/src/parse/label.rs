//! Labels, sets, indices and relabellings.

use quotient_core::{Diagnostic, Span, nearest};

use super::{Parsed, Parser};
use crate::syntax::{
    Domain, Expression, ExpressionKind, Index, Label, LabelPart, LabelSet, Relabel,
};
use crate::token::Kind;

/// Parts of one label are expanded by recursion; people write five.
const MOST_PARTS: usize = 64;

impl Parser<'_> {
    /// Whether a set begins here: `{`, or the name of a set defined above.
    fn at_set(&self) -> bool {
        match self.kind() {
            Kind::LeftCurly => true,
            Kind::Upper => self.sets.contains(self.word()),
            _ => false,
        }
    }

    /// Whether a label begins here.
    pub(super) fn at_label(&self) -> bool {
        matches!(self.kind(), Kind::Lower | Kind::LeftSquare) || self.at_set()
    }

    pub(super) fn label(&mut self) -> Parsed<Label> {
        let start = self.token().span.start;
        let mut parts = vec![self.label_part()?];
        loop {
            let bracket = self.kind() == Kind::LeftSquare;
            // A dot that ends a definition is not followed by a label.
            if !bracket {
                if self.kind() != Kind::Dot || !self.label_after_dot() {
                    break;
                }
                self.advance();
            }
            if parts.len() == MOST_PARTS {
                return Err(
                    Diagnostic::error("long-label", "this label has too many parts").at(
                        self.source,
                        self.since(start),
                        format!("{MOST_PARTS} parts"),
                    ),
                );
            }
            parts.push(self.label_part()?);
        }
        Ok(Label {
            parts,
            span: self.since(start),
        })
    }

    fn label_after_dot(&self) -> bool {
        let next = self.tokens[self.at + 1];
        match next.kind {
            Kind::Lower | Kind::LeftSquare | Kind::LeftCurly | Kind::Integer(_) => true,
            Kind::Upper => self.sets.contains(self.text(next.span)),
            _ => false,
        }
    }

    fn label_part(&mut self) -> Parsed<LabelPart> {
        let token = self.token();
        if self.at_set() {
            let left = self.set()?;
            if self.take(Kind::Backslash).is_some() {
                let right = self.set()?;
                return Ok(LabelPart::Difference(left, right));
            }
            return Ok(LabelPart::Set(left));
        }
        match token.kind {
            Kind::Lower => {
                let name = self.name(token);
                if name.text == "tau" {
                    return Err(Diagnostic::error(
                        "tau-label",
                        "`tau` is the silent action and cannot be a label",
                    )
                    .at(self.source, token.span, "not allowed here")
                    .help("use another label and hide it with `\\{…}`"));
                }
                self.advance();
                Ok(LabelPart::Name(name))
            }
            Kind::LeftSquare => Ok(LabelPart::Index(self.nested(Parser::index)?)),
            // `a.1` is the same label as `a[1]`; LTSA prints it so but does not read it.
            Kind::Integer(_) => {
                let value = self.simple_integer()?;
                Ok(LabelPart::Index(Index {
                    variable: None,
                    span: value.span,
                    domain: Domain::Value(value),
                }))
            }
            Kind::Upper => {
                let unexpected = self
                    .unexpected("a label")
                    .note(format!("there is no set `{}` above", self.word()));
                let sets = || self.sets.iter().map(String::as_str);
                Err(match nearest(self.word(), sets()) {
                    _ if self.kind_after(1) == Kind::Parallel => {
                        unexpected.help("a composite has bars before its name: `||C = (P || Q).`")
                    }
                    Some(near) => unexpected.help(format!("did you mean `{near}`?")),
                    None if self.kind_after(1) == Kind::Arrow => unexpected.help(
                        "an action comes before `->`, and names of actions start with a small \
                         letter; a process comes last, as in `(a -> P)`",
                    ),
                    None => unexpected.help("names of actions start with a small letter"),
                })
            }
            _ => Err(self.unexpected("a label")),
        }
    }

    fn simple_integer(&mut self) -> Parsed<Expression> {
        let token = self.advance();
        let Kind::Integer(value) = token.kind else {
            return Err(self.unexpected("a number"));
        };
        Ok(Expression {
            kind: ExpressionKind::Integer(value),
            span: token.span,
        })
    }

    /// `{…}` or the name of a set.
    pub(super) fn set(&mut self) -> Parsed<LabelSet> {
        if self.kind() == Kind::Upper {
            if !self.at_set() {
                return Err(self
                    .unexpected("a set")
                    .note(format!("there is no set `{}` above", self.word()))
                    .did_you_mean(self.word(), self.sets.iter().map(String::as_str)));
            }
            return Ok(LabelSet::Named(self.upper("a set")?));
        }
        let (labels, span) = self.set_literal()?;
        Ok(LabelSet::Literal(labels, span))
    }

    pub(super) fn set_literal(&mut self) -> Parsed<(Vec<Label>, Span)> {
        let start = self.token().span.start;
        self.expect(Kind::LeftCurly, "`{`")?;
        let mut labels = Vec::new();
        if self.kind() != Kind::RightCurly {
            labels.push(self.nested(Parser::label)?);
            while self.take(Kind::Comma).is_some() {
                labels.push(self.nested(Parser::label)?);
            }
        }
        self.expect(Kind::RightCurly, "`,` or `}`")?;
        Ok((labels, self.since(start)))
    }

    /// `[i:R][j:0..2]`, perhaps none.
    pub(super) fn indices(&mut self) -> Parsed<Vec<Index>> {
        let mut indices = Vec::new();
        while self.kind() == Kind::LeftSquare {
            indices.push(self.index()?);
        }
        Ok(indices)
    }

    /// `[i:R]…` after `forall` or `exists`: at least one.
    pub(super) fn quantifier(&mut self) -> Parsed<Vec<Index>> {
        if self.kind() != Kind::LeftSquare {
            return Err(self.unexpected("an index `[i:…]`"));
        }
        self.indices()
    }

    pub(super) fn index(&mut self) -> Parsed<Index> {
        let start = self.token().span.start;
        self.expect(Kind::LeftSquare, "`[`")?;
        let variable = if self.kind() == Kind::Lower && self.kind_after(1) == Kind::Colon {
            let token = self.advance();
            self.advance();
            Some(self.name(token))
        } else {
            None
        };
        let domain = self.domain(variable.is_some())?;
        self.expect(Kind::RightSquare, "`]`")?;
        Ok(Index {
            variable,
            domain,
            span: self.since(start),
        })
    }

    fn domain(&mut self, bound: bool) -> Parsed<Domain> {
        if self.at_set() {
            return Ok(Domain::Set(self.set()?));
        }
        let alone = self.kind() == Kind::Upper && self.kind_after(1) == Kind::RightSquare;
        if alone && (bound || self.ranges.contains(self.word())) {
            let name = self.upper("a range")?;
            if !self.ranges.contains(&name.text) {
                return Err(Diagnostic::error(
                    "undefined-range",
                    format!("there is no range or set `{}` above", name.text),
                )
                .at(self.source, name.span, "not a range or set")
                .did_you_mean(
                    &name.text,
                    self.ranges.iter().chain(&self.sets).map(String::as_str),
                ));
            }
            return Ok(Domain::Named(name));
        }
        let low = self.expression()?;
        if self.take(Kind::DotDot).is_some() {
            return Ok(Domain::Range(low, self.expression()?));
        }
        if bound {
            return Err(self.unexpected("`..` (an index variable ranges over `low..high`)"));
        }
        Ok(Domain::Value(low))
    }

    /// `/{new/old, …}`, perhaps absent.
    pub(super) fn relabels(&mut self) -> Parsed<Vec<Relabel>> {
        match self.take(Kind::Slash) {
            Some(_) => self.relabel_set(),
            None => Ok(Vec::new()),
        }
    }

    pub(super) fn relabel_set(&mut self) -> Parsed<Vec<Relabel>> {
        self.expect(Kind::LeftCurly, "`{`")?;
        let mut relabels = vec![self.nested(Parser::relabel)?];
        while self.take(Kind::Comma).is_some() {
            relabels.push(self.nested(Parser::relabel)?);
        }
        self.expect(Kind::RightCurly, "`,` or `}`")?;
        Ok(relabels)
    }

    fn relabel(&mut self) -> Parsed<Relabel> {
        if self.take(Kind::Forall).is_some() {
            let indices = self.quantifier()?;
            return Ok(Relabel::ForAll(indices, self.relabel_set()?));
        }
        let new = self.label()?;
        self.expect(Kind::Slash, "`/` (a relabelling is `new/old`)")?;
        let old = self.label()?;
        Ok(Relabel::Rename { new, old })
    }
}
