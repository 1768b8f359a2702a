//! The definitions of a text.

use quotient_core::Diagnostic;

use super::{Parsed, Parser};
use crate::syntax::{AssertionKind, Definition, Progress, Specification};
use crate::token::Kind;

impl Parser<'_> {
    /// All definitions; mistakes are noted.
    pub(super) fn specification(&mut self) -> Specification {
        let mut definitions = Vec::new();
        while self.kind() != Kind::End {
            let start = self.at;
            let read = match self.kind() {
                Kind::Animation => {
                    self.advance();
                    self.animation().map(|()| None)
                }
                Kind::Lower if self.at_mtsa() => {
                    self.read_over();
                    Ok(None)
                }
                _ => self.definition().map(Some),
            };
            match read {
                Ok(definition) => definitions.extend(definition),
                Err(mistake) => self.recover(mistake, start),
            }
        }
        self.leave_out(&mut definitions);
        Specification { definitions }
    }

    fn definition(&mut self) -> Parsed<Definition> {
        match self.kind() {
            Kind::Const => {
                self.advance();
                let name = self.upper("the name of the constant")?;
                self.expect(Kind::Becomes, "`=`")?;
                Ok(Definition::Constant(name, self.simple_expression()?))
            }
            Kind::Range => {
                self.advance();
                let name = self.upper("the name of the range")?;
                self.expect(Kind::Becomes, "`=`")?;
                let low = self.simple_expression()?;
                self.expect(Kind::DotDot, "`..`")?;
                let high = self.simple_expression()?;
                self.ranges.insert(name.text.clone());
                Ok(Definition::Range(name, low, high))
            }
            Kind::Set => {
                self.advance();
                let name = self.upper("the name of the set")?;
                self.expect(Kind::Becomes, "`=`")?;
                let (labels, _) = self.set_literal()?;
                self.sets.insert(name.text.clone());
                Ok(Definition::Set(name, labels))
            }
            Kind::Progress => self.progress(),
            Kind::Menu => {
                self.advance();
                let name = self.upper("the name of the menu")?;
                self.expect(Kind::Becomes, "`=`")?;
                Ok(Definition::Menu(name, self.label()?))
            }
            Kind::Import => {
                self.advance();
                let name = self.upper("the name of the imported process")?;
                self.expect(Kind::Becomes, "`=`")?;
                let file = self.expect(Kind::Text, "a file name in quotes")?;
                self.take(Kind::Dot);
                let text = self.text(file.span).trim_matches('"').to_string();
                Ok(Definition::Import(name, text))
            }
            Kind::Fluent => Ok(Definition::Fluent(self.fluent()?)),
            Kind::Assert => self.assertion(AssertionKind::Assert),
            Kind::Constraint => self.assertion(AssertionKind::Constraint),
            Kind::LtlProperty => self.assertion(AssertionKind::Property),
            Kind::Lower if self.word() == "include" && self.kind_after(1) == Kind::Text => {
                Err(Diagnostic::error("include", "`include` is not supported")
                    .at(self.source, self.token().span, "")
                    .help("put the included text here"))
            }
            _ => self.process_or_composite(),
        }
    }

    fn process_or_composite(&mut self) -> Parsed<Definition> {
        let start = self.token().span.start;
        let (mut property, mut minimal, mut deterministic, mut compose) =
            (false, false, false, false);
        loop {
            let flag = match self.kind() {
                Kind::Property => &mut property,
                Kind::Minimal => &mut minimal,
                Kind::Deterministic => &mut deterministic,
                Kind::Compose => &mut compose,
                // Without transitions that may or may not be there these change nothing.
                Kind::Lower if self.at_plain_mtsa() => &mut compose,
                _ => break,
            };
            *flag = true;
            self.advance();
        }
        match self.kind() {
            Kind::Parallel => {
                let mut composite = self.composite(start)?;
                composite.property = property;
                composite.minimal = minimal;
                composite.deterministic = deterministic;
                composite.compose = compose;
                Ok(Definition::Composite(composite))
            }
            Kind::Upper => {
                let mut process = self.process(start)?;
                process.property = property;
                process.minimal = minimal;
                process.deterministic = deterministic;
                Ok(Definition::Process(process))
            }
            _ if property || minimal || deterministic || compose => {
                Err(self.unexpected("a process or a composite"))
            }
            Kind::Lower => Err(self
                .unexpected("a definition")
                .help("names of processes start with a capital letter")),
            Kind::Percent | Kind::Hash => Err(self
                .unexpected("a definition")
                .help("comments start with `//` or stand between `/*` and `*/`")),
            _ => Err(self.unexpected("a definition").note(
                "definitions are processes `P = ….`, composites `||C = ….`, `const`, `range`, \
                 `set`, `property`, `progress`, `menu`, `fluent` and `assert`",
            )),
        }
    }

    fn progress(&mut self) -> Parsed<Definition> {
        self.advance();
        let name = self.upper("the name of the progress property")?;
        let indices = self.indices()?;
        self.expect(Kind::Becomes, "`=`")?;
        let condition = match self.take(Kind::If) {
            Some(_) => {
                let condition = self.label()?;
                self.expect(Kind::Then, "`then`")?;
                Some(condition)
            }
            None => None,
        };
        let actions = self.label()?;
        Ok(Definition::Progress(Progress {
            name,
            indices,
            condition,
            actions,
        }))
    }
}
