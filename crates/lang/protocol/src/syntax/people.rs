//! Words to tree: which processes are meant.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::tree::*;

impl Parser<'_> {
    /// `[q]` behind a variable that has a value for each process.
    pub(super) fn index(&mut self) -> Parsed<Option<Name>> {
        if !self.takes("[") {
            return Ok(None);
        }
        let index = self.name("a process")?;
        let index = match self.takes(".") {
            true => self
                .behind_dot(index)
                .map(|(owner, link)| joined(&owner, &link))?,
            false => index,
        };
        self.expect("]")?;
        Ok(Some(index))
    }

    /// A variable behind `.`, and whose it is: in `p.next.x`, that of whom `p.next` holds.
    pub(super) fn behind_dot(&mut self, mut owner: Name) -> Parsed<(Name, Name)> {
        loop {
            let field = self.name("a variable of the process")?;
            if !self.takes(".") {
                return Ok((owner, field));
            }
            owner = joined(&owner, &field);
        }
    }

    /// `other`, `left` or `right` in front of the name of a process.
    pub(crate) fn side(&mut self) -> Side {
        let word = matches!(self.peek_at(1), Token::Name(_));
        for (spelling, side) in [
            ("other", Side::Other),
            ("left", Side::Left),
            ("right", Side::Right),
        ] {
            if word && self.peek_word(spelling) {
                self.at += 1;
                return side;
            }
        }
        Side::Any
    }

    /// `left of p` or `right of p` behind the name of a process.
    pub(super) fn side_of(&mut self, before: Side) -> Parsed<(Side, Option<Name>)> {
        for (spelling, side) in [("left", Side::Left), ("right", Side::Right)] {
            if self.takes_word(spelling) {
                self.expect_word("of")?;
                return Ok((side, Some(self.name("a process")?)));
            }
        }
        Ok((before, None))
    }
}

/// A link of a process as the name of whom it holds.
fn joined(owner: &Name, link: &Name) -> Name {
    Name {
        text: format!("{}.{}", owner.text, link.text),
        span: owner.span.to(link.span),
    }
}
