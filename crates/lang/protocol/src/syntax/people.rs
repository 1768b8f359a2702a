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

    /// `other`, `left` or `right` in front of the name of a process; in a tree `other`, `above`,
    /// `below`, `child` or `parent`.
    pub(crate) fn side(&mut self) -> Side {
        const IN_A_LINE: &[(&str, Side)] = &[
            ("other", Side::Other),
            ("left", Side::Left),
            ("right", Side::Right),
        ];
        const IN_A_TREE: &[(&str, Side)] = &[
            ("other", Side::Other),
            ("above", Side::Left),
            ("below", Side::Right),
            ("child", Side::Child),
            ("parent", Side::Parent),
        ];
        let word = matches!(self.peek_at(1), Token::Name(_));
        let words = if self.tree { IN_A_TREE } else { IN_A_LINE };
        for &(spelling, side) in words {
            if word && self.peek_word(spelling) {
                self.at += 1;
                return side;
            }
        }
        Side::Any
    }

    /// `left of p` or `right of p` behind the name of a process; in a tree `above p`, `below p`
    /// or `child of p`.
    pub(super) fn side_of(&mut self, before: Side) -> Parsed<(Side, Option<Name>)> {
        if self.tree {
            for (spelling, side) in [("above", Side::Left), ("below", Side::Right)] {
                if self.takes_word(spelling) {
                    return Ok((side, Some(self.name("a process")?)));
                }
            }
            if self.takes_word("child") {
                self.expect_word("of")?;
                return Ok((Side::Child, Some(self.name("a process")?)));
            }
            return Ok((before, None));
        }
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
