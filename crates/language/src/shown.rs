//! What there is to see of a model.

use quotient_core::{Diagnostic, Stop};

use crate::{Json, Picture, Table};

/// Facts and pictures of a model or a part of it, or the answer to a query.
///
/// ```
/// use quotient_language::Shown;
/// let shown = Shown::titled("lamp.toy: a toy model").fact("states", "2").blank().line(2, "on");
/// assert_eq!(shown.blocks.len(), 4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// For people, from top to bottom.
    pub blocks: Vec<Block>,
    /// Pictures; the first is the one that is drawn if only one is wanted.
    pub pictures: Vec<Picture>,
    /// The parts that can be looked at one by one, by the names that they are shown by.
    pub parts: Vec<String>,
    /// For programs.
    pub result: Json,
    /// What is odd.
    pub warnings: Vec<Diagnostic>,
    /// Why a part of the answer is missing: what was asked is not wholly known.
    pub open: Option<Stop>,
}

/// One thing to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A line at the margin.
    Head(String),
    /// A name and what there is to say about it, in two columns; the text may have several lines.
    Fact(String, String),
    /// A line with so many blanks before it; what is left over goes further to the right.
    Line(usize, String),
    /// A text that is shown as it is: every line of it was made to fit.
    Verbatim(String),
    /// A table.
    Table(Table),
    /// An empty line.
    Blank,
}

impl Shown {
    /// Begins with a head.
    pub fn titled(head: impl Into<String>) -> Shown {
        Shown::default().head(head)
    }

    /// Adds a head.
    #[must_use]
    pub fn head(self, text: impl Into<String>) -> Shown {
        self.block(Block::Head(text.into()))
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(self, name: impl Into<String>, text: impl Into<String>) -> Shown {
        self.block(Block::Fact(name.into(), text.into()))
    }

    /// Adds a line with so many blanks before it.
    #[must_use]
    pub fn line(self, indent: usize, text: impl Into<String>) -> Shown {
        self.block(Block::Line(indent, text.into()))
    }

    /// Adds a table.
    #[must_use]
    pub fn table(self, table: Table) -> Shown {
        self.block(Block::Table(table))
    }

    /// Adds an empty line.
    #[must_use]
    pub fn blank(self) -> Shown {
        self.block(Block::Blank)
    }

    /// Adds a picture.
    #[must_use]
    pub fn picture(mut self, picture: impl Into<Picture>) -> Shown {
        self.pictures.push(picture.into());
        self
    }

    /// The parts that can be looked at one by one.
    #[must_use]
    pub fn parts<P: Into<String>>(mut self, parts: impl IntoIterator<Item = P>) -> Shown {
        self.parts = parts.into_iter().map(Into::into).collect();
        self
    }

    /// What it is for programs.
    #[must_use]
    pub fn result(mut self, result: Json) -> Shown {
        self.result = result;
        self
    }

    /// Tells that a part of the answer is missing, and why.
    #[must_use]
    pub fn left_open(mut self, why: Stop) -> Shown {
        self.open = Some(why);
        self
    }

    fn block(mut self, block: Block) -> Shown {
        self.blocks.push(block);
        self
    }
}
