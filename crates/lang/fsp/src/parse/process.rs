//! Primitive processes.

use quotient_core::Diagnostic;

use super::{Parsed, Parser};
use crate::syntax::{
    Alternative, Body, Call, Hiding, Index, LabelPart, LocalProcess, Parameter, Process,
};
use crate::token::Kind;

impl Parser<'_> {
    /// A process; its modifiers are read already.
    pub(super) fn process(&mut self, start: usize) -> Parsed<Process> {
        let name = self.upper("a process")?;
        let parameters = self.parameters()?;
        let first = self.local_process(name.clone())?;
        if let Some(index) = first.indices.first() {
            return Err(Diagnostic::error(
                "indexed-process",
                format!("the process `{}` cannot have an index", name.text),
            )
            .at(self.source, index.span, "not allowed here")
            .help("give it a parameter `P(N=0)`, or start with `P = Q[0], Q[i:R] = …`"));
        }
        let mut locals = vec![first];
        while self.take(Kind::Comma).is_some() {
            if self.kind() != Kind::Upper && (self.kind() == Kind::End || self.at_definition()) {
                return Err(self
                    .unexpected("a local process")
                    .help("after the last local process comes `.`, not `,`"));
            }
            let name = self.upper("a local process")?;
            locals.push(self.local_process(name)?);
        }
        let extension = match self.take(Kind::Plus) {
            Some(_) => Some(self.set()?),
            None => None,
        };
        let relabels = self.relabels()?;
        let hiding = self.hiding()?;
        self.end_of_definition("`.` at the end of the process (or `,` before a local process)")?;
        Ok(Process {
            property: false,
            minimal: false,
            deterministic: false,
            name,
            parameters,
            locals,
            extension,
            relabels,
            hiding,
            span: self.since(start),
        })
    }

    /// The dot after a process or composite.
    pub(super) fn end_of_definition(&mut self, what: &str) -> Parsed<()> {
        if self.take(Kind::Dot).is_some() {
            return Ok(());
        }
        let mut error = self.unexpected(what);
        let next = (self.kind(), self.kind_after(1));
        if next.0 == Kind::Semicolon {
            error = error.help("a definition ends with a dot");
        } else if next == (Kind::Upper, Kind::LeftSquare) {
            error = error.help("a comma comes before a local process");
        } else if next.0 == Kind::Parallel {
            error = error.help("processes run side by side in a composite: `||S = (P || Q).`");
        }
        // The dot belongs after the last word, often on the line before.
        let last = self.tokens[self.at.saturating_sub(1)].span;
        error.labels.clear();
        Err(error.at(self.source, last, "expected `.` after this"))
    }

    /// `(N=1, M='a)`, perhaps absent.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.take(Kind::LeftRound).is_none() {
            return Ok(parameters);
        }
        loop {
            let name = self.upper("a parameter")?;
            if self.kind() != Kind::Becomes {
                return Err(self
                    .unexpected("`=` and the default of the parameter")
                    .help(format!("write `{}=1`", name.text)));
            }
            self.advance();
            let default = self.expression()?;
            parameters.push(Parameter { name, default });
            if self.take(Kind::Comma).is_none() {
                break;
            }
        }
        self.expect(Kind::RightRound, "`,` or `)`")?;
        Ok(parameters)
    }

    /// `\{…}` or `@{…}`, perhaps absent.
    pub(super) fn hiding(&mut self) -> Parsed<Option<Hiding>> {
        if self.take(Kind::Backslash).is_some() {
            return Ok(Some(Hiding::Hide(self.set()?)));
        }
        if self.take(Kind::At).is_some() {
            return Ok(Some(Hiding::Expose(self.set()?)));
        }
        Ok(None)
    }

    /// What follows the name of a local process.
    fn local_process(&mut self, name: crate::syntax::Name) -> Parsed<LocalProcess> {
        let mut indices: Vec<Index> = Vec::new();
        while matches!(self.kind(), Kind::LeftSquare | Kind::Dot) {
            self.take(Kind::Dot);
            match self
                .label()?
                .parts
                .into_iter()
                .try_for_each(|part| match part {
                    LabelPart::Index(index) => {
                        indices.push(index);
                        Ok(())
                    }
                    LabelPart::Set(set) => {
                        let span = set.span();
                        indices.push(Index {
                            variable: None,
                            domain: crate::syntax::Domain::Set(set),
                            span,
                        });
                        Ok(())
                    }
                    LabelPart::Name(name) => Err(name.span),
                    LabelPart::Difference(left, right) => Err(left.span().to(right.span())),
                }) {
                Ok(()) => {}
                Err(span) => {
                    return Err(Diagnostic::error(
                        "process-index",
                        "the index of a local process stands in brackets",
                    )
                    .at(self.source, span, "expected `[…]`"));
                }
            }
        }
        self.expect(Kind::Becomes, "`=`")?;
        Ok(LocalProcess {
            name,
            indices,
            body: self.body()?,
        })
    }

    fn body(&mut self) -> Parsed<Body> {
        match self.kind() {
            Kind::Upper => self.reference(),
            Kind::If => {
                self.advance();
                let condition = self.expression()?;
                self.expect(Kind::Then, "`then`")?;
                let then = Box::new(self.nested(Parser::body)?);
                let otherwise = match self.take(Kind::Else) {
                    Some(_) => Some(Box::new(self.nested(Parser::body)?)),
                    None => None,
                };
                Ok(Body::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            Kind::LeftRound => {
                self.advance();
                let alternatives = self.nested(Parser::alternatives)?;
                if self.take(Kind::RightRound).is_none() {
                    let last = self.tokens[self.at.saturating_sub(1)];
                    if (last.kind, self.kind()) == (Kind::Upper, Kind::Arrow) {
                        let name = self.text(last.span).to_owned();
                        return Err(self.unexpected("`|` or `)`").help(format!(
                            "`{name}` is a process, and an action stands before `->`: its name starts \
                             with a small letter; to run `{name}` up to its END and then go on, write `{name}; P`"
                        )));
                    }
                    let unexpected = self.unexpected("`->`, `|` or `)`");
                    return Err(match self.kind() {
                        Kind::Lower | Kind::When => {
                            unexpected.help("if another alternative begins here, write `|` before it")
                        }
                        _ => unexpected,
                    });
                }
                Ok(Body::Choice(alternatives))
            }
            Kind::Lower => Err(self
                .unexpected("a process, `(` or `if`")
                .help("actions stand in brackets: `(a -> P)`; names of processes start with a capital letter")),
            _ => Err(self.unexpected("a process, `(` or `if`")),
        }
    }

    /// `P(1); Q; R[i]`.
    fn reference(&mut self) -> Parsed<Body> {
        let mut before = Vec::new();
        loop {
            let name = self.upper("a process")?;
            let called = self.kind() == Kind::LeftRound;
            let arguments = self.arguments()?;
            let next = self.kind();
            if next == Kind::Semicolon {
                self.advance();
            } else if called
                && matches!(next, Kind::Arrow | Kind::Else)
                && self.kind_after(1) == Kind::Upper
            {
                // LTSA takes any symbol here; published models rely on it.
                let word = self.word();
                let token = self.advance();
                self.warnings.push(
                    Diagnostic::warning(
                        "missing-semicolon",
                        format!("`{word}` after a process with parameters is read as `;`"),
                    )
                    .at(self.source, token.span, "read as `;`, as LTSA does")
                    .help(match token.kind {
                        Kind::Else => "write `; END else …` if the process ends here",
                        _ => "write `;`",
                    }),
                );
            } else if called {
                return Err(self
                    .unexpected("`;` after a process with parameters")
                    .note("a primitive process goes on as one of its local processes; another process can only come before that")
                    .help(format!("write `{}(…); END`", name.text)));
            } else {
                let mut indices = Vec::new();
                while self.take(Kind::LeftSquare).is_some() {
                    indices.push(self.expression()?);
                    self.expect(Kind::RightSquare, "`]`")?;
                }
                return Ok(Body::Reference {
                    before,
                    name,
                    indices,
                });
            }
            before.push(Call { name, arguments });
        }
    }

    fn alternatives(&mut self) -> Parsed<Vec<Alternative>> {
        let mut alternatives = vec![self.alternative()?];
        while self.take(Kind::Bar).is_some() {
            alternatives.push(self.alternative()?);
        }
        if self.kind() == Kind::Parallel {
            return Err(self
                .unexpected("`|` or `)`")
                .help("alternatives are separated by one bar; processes are composed in `||C = (P || Q).`"));
        }
        Ok(alternatives)
    }

    /// The arrow after an action.
    fn arrow(&mut self) -> Parsed<()> {
        if self.take(Kind::Arrow).is_some() {
            return Ok(());
        }
        let unexpected = self.unexpected("`->`");
        Err(match self.kind() {
            Kind::RightRound | Kind::Bar | Kind::Dot | Kind::Comma | Kind::End => {
                let last = self.text(self.tokens[self.at - 1].span);
                let help = match last.to_uppercase().as_str() {
                    known @ ("STOP" | "END" | "ERROR") => format!("did you mean `{known}`?"),
                    _ => format!(
                        "after `{last}` something has to follow: `{last} -> P`; if it is a process, \
                         its name starts with a capital letter"
                    ),
                };
                unexpected.help(help)
            }
            Kind::Greater | Kind::Minus => unexpected.help("an arrow is written `->`"),
            _ => unexpected,
        })
    }

    fn alternative(&mut self) -> Parsed<Alternative> {
        let guard = match self.take(Kind::When) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        let mut actions = Vec::new();
        loop {
            actions.push(self.label()?);
            self.arrow()?;
            if !self.at_label() {
                break;
            }
        }
        Ok(Alternative {
            guard,
            actions,
            next: self.body()?,
        })
    }
}
