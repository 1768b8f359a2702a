//! Properties.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Cursor, Parsed};

use super::tokens::{Word, tokens};
use super::{Parser, PropertiesTree, PropertyTree};

/// Reads a file of properties; all mistakes are told at once.
pub(crate) fn read_properties(source: &Source) -> Result<PropertiesTree, Vec<Diagnostic>> {
    let (words, mut mistakes) = tokens(source);
    let mut parser = Parser {
        words: Cursor::new(source, words),
        in_property: true,
    };
    let mut tree = PropertiesTree::default();
    while !parser.words.is_at_end() && !parser.words.is_hopeless() {
        let from = parser.words.position();
        if parser.takes(";") {
            continue;
        }
        if let Err(mistake) = parser.part(&mut tree) {
            parser.words.mistake(mistake);
            parser.words.recover(from, |word| word == Word::Sign(";"));
        }
    }
    match parser.words.finish(tree) {
        Ok(tree) if mistakes.is_empty() => super::twice::told_of(tree, source),
        Ok(_) => Err(mistakes),
        Err(more) => {
            mistakes.extend(more);
            Err(mistakes)
        }
    }
}

/// Reads one property.
pub(crate) fn read_property(source: &Source) -> Result<PropertyTree, Vec<Diagnostic>> {
    let (words, mistakes) = tokens(source);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut parser = Parser {
        words: Cursor::new(source, words),
        in_property: true,
    };
    let property = parser.property().map_err(|mistake| vec![mistake])?;
    parser.takes(";");
    match parser.words.is_at_end() {
        true => Ok(property),
        false => Err(vec![parser.words.unexpected("the end of the property")]),
    }
}

impl Parser<'_> {
    fn part(&mut self, tree: &mut PropertiesTree) -> Parsed<()> {
        match self.word() {
            "const" => {
                let constant = self.constant()?;
                tree.constants.push(constant);
            }
            "label" => {
                let label = self.label()?;
                tree.labels.push(label);
            }
            "formula" => {
                let formula = self.formula()?;
                tree.formulas.push(formula);
            }
            _ => {
                let property = self.property()?;
                tree.properties.push(property);
                self.ends()?;
            }
        }
        Ok(())
    }

    /// The end of a part: a semicolon, which files of properties may leave out at the end of a line.
    pub(crate) fn ends(&mut self) -> Parsed<()> {
        let open = self.in_property && (self.words.is_at_end() || self.at_new_line());
        match self.takes(";") || open {
            true => Ok(()),
            false => Err(self.words.unexpected("`;`")),
        }
    }

    /// Whether the next word stands on another line than the one before.
    pub(crate) fn at_new_line(&self) -> bool {
        let (from, to) = (self.words.last_end(), self.words.peek().span.start);
        self.words.source().text()[from..to].contains('\n')
    }

    fn property(&mut self) -> Parsed<PropertyTree> {
        let mut name = None;
        if self.words.is(Word::Quoted) && self.words.peek_at(1).kind == Word::Sign(":") {
            // Nobody can ask for a property without letters by its name.
            name = Some(self.quoted()?.0).filter(|name| !name.is_empty());
            self.words.advance();
        }
        let start = self.words.peek().span.start;
        let tree = self.expression()?;
        let span = self.words.span_from(start);
        let text = self.words.text(span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(PropertyTree {
            name,
            tree,
            text,
            span,
        })
    }
}
