//! Composite processes.

use super::{Parsed, Parser};
use crate::syntax::{Call, Composite, CompositeBody, CompositeTerm, Priority};
use crate::token::Kind;

impl Parser<'_> {
    /// A composite; its modifiers are read already.
    pub(super) fn composite(&mut self, start: usize) -> Parsed<Composite> {
        self.expect(Kind::Parallel, "`||`")?;
        let name = self.upper("the name of the composite")?;
        let parameters = self.parameters()?;
        self.expect(Kind::Becomes, "`=`")?;
        let body = self.composite_body()?;
        let priority = if self.take(Kind::ShiftLeft).is_some() {
            Some(Priority::High(self.set()?))
        } else if self.take(Kind::ShiftRight).is_some() {
            Some(Priority::Low(self.set()?))
        } else {
            None
        };
        let hiding = self.hiding()?;
        if self.kind() == Kind::Slash {
            return Err(self.unexpected("`.`").help(
                "relabelling comes before priority and hiding: `||C = (…)/{new/old}\\{…}.`",
            ));
        }
        if self.kind() == Kind::Parallel {
            return Err(self
                .unexpected("`.`")
                .help("put the composed processes in brackets: `||C = (P || Q).`"));
        }
        self.end_of_definition("`.` at the end of the composite")?;
        Ok(Composite {
            property: false,
            minimal: false,
            deterministic: false,
            compose: false,
            name,
            parameters,
            body,
            priority,
            hiding,
            span: self.since(start),
        })
    }

    fn composite_body(&mut self) -> Parsed<CompositeBody> {
        if self.take(Kind::If).is_some() {
            let condition = self.expression()?;
            self.expect(Kind::Then, "`then`")?;
            let then = Box::new(self.nested(Parser::composite_body)?);
            let otherwise = match self.take(Kind::Else) {
                Some(_) => Some(Box::new(self.nested(Parser::composite_body)?)),
                None => None,
            };
            return Ok(CompositeBody::If {
                condition,
                then,
                otherwise,
            });
        }
        if self.take(Kind::Forall).is_some() {
            let indices = self.quantifier()?;
            let body = Box::new(self.nested(Parser::composite_body)?);
            return Ok(CompositeBody::ForAll(indices, body));
        }
        let (mut sharing, mut prefix) = (None, None);
        if self.at_label() {
            let label = self.label()?;
            if self.take(Kind::Share).is_some() {
                sharing = Some(label);
                if self.at_label() {
                    prefix = Some(self.label()?);
                    self.expect(Kind::Colon, "`:`")?;
                }
            } else if self.kind() == Kind::Arrow {
                return Err(self.unexpected("`:`").help(
                    "a composite only puts processes together; define the process with `P = (a -> …).`",
                ));
            } else if (self.kind(), self.kind_after(1)) == (Kind::Dot, Kind::Upper) {
                return Err(self
                    .unexpected("`:` or `::` after the label of a process")
                    .help("a label is put before a process with a colon: `a:P`"));
            } else {
                self.expect(Kind::Colon, "`:` or `::` after the label of a process")?;
                prefix = Some(label);
            }
        }
        let term = if self.take(Kind::LeftRound).is_some() {
            CompositeTerm::Parallel(self.nested(Parser::parallel)?)
        } else {
            let name = self.upper("a process or `(`")?;
            let arguments = self.arguments()?;
            CompositeTerm::Process(Call { name, arguments })
        };
        Ok(CompositeBody::Labelled {
            sharing,
            prefix,
            term,
            relabels: self.relabels()?,
        })
    }

    /// `P || Q)`.
    fn parallel(&mut self) -> Parsed<Vec<CompositeBody>> {
        let mut bodies = Vec::new();
        if self.take(Kind::RightRound).is_some() {
            return Ok(bodies);
        }
        bodies.push(self.composite_body()?);
        while self.take(Kind::Parallel).is_some() {
            bodies.push(self.composite_body()?);
        }
        if self.kind() == Kind::Arrow {
            return Err(self.unexpected("`||` or `)`").help(
                "a composite only puts processes together; define the process with `P = (a -> …).`",
            ));
        }
        if matches!(self.kind(), Kind::Colon | Kind::Share) {
            return Err(self
                .unexpected("`||` or `)`")
                .help("the label before a process starts with a small letter: `a:P`"));
        }
        self.expect(Kind::RightRound, "`||` or `)`")?;
        Ok(bodies)
    }
}
