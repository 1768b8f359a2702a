//! `animation …`: pictures for a simulation in LTSA. They say nothing about behaviour, so they
//! are read over.

use super::{Parsed, Parser};
use crate::token::Kind;

impl Parser<'_> {
    /// What follows the word `animation`.
    pub(super) fn animation(&mut self) -> Parsed<()> {
        self.upper("the name of the animation")?;
        self.expect(Kind::Becomes, "`=`")?;
        self.expect(Kind::Text, "a file name in quotes")?;
        if self.word() == "target" {
            self.advance();
            self.upper("the name of a composite")?;
        }
        if self.take(Kind::Compose).is_some() {
            self.expect(Kind::LeftCurly, "`{`")?;
            loop {
                self.upper("the name of an animation")?;
                self.relabels()?;
                if self.take(Kind::Parallel).is_none() {
                    break;
                }
            }
            self.expect(Kind::RightCurly, "`}`")?;
        }
        for part in ["actions", "controls"] {
            if self.kind() == Kind::Lower && self.word() == part {
                self.advance();
                self.relabel_set()?;
            }
        }
        Ok(())
    }
}
