//! Modules and declarations.

use quotient_core::{Diagnostic, Span};

use super::{MOST_ERRORS, Parsed, Parser, SECTIONS, is_section};
use crate::syntax::{
    Assignment, AssignmentKind, Compute, Declaration, Define, Module, Name, Skipped, Specification,
    SpecificationKind, SyntaxId, Token, VariableDeclaration, VariableKind,
};

impl Parser<'_> {
    /// The whole file. Mistakes are collected; parsing goes on at the next section.
    pub(super) fn modules(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        self.time_domain();
        while self.peek().token != Token::End && self.errors.len() < MOST_ERRORS {
            match self.module() {
                Ok(module) => modules.push(module),
                Err(error) => {
                    self.errors.push(error);
                    self.skip_to(|word| word == "MODULE");
                }
            }
        }
        modules
    }

    /// `@TIME_DOMAIN none`, which may stand before a model for nuXmv. With clocks the rest is not
    /// read.
    fn time_domain(&mut self) {
        if !self.is_symbol("@") || self.word_at(1) != Some("TIME_DOMAIN") {
            return;
        }
        let span = self.peek().span.to(self.peek_at(2).span);
        if self.word_at(2) == Some("none") {
            self.at += 3;
            return;
        }
        let message = "timed models of nuXmv are not supported";
        let error = self.error("smv-unsupported", message, span);
        self.errors
            .push(error.help("count time in steps, with a range such as `0..30`"));
        self.at = self.lexemes.len();
    }

    fn module(&mut self) -> Parsed<Module> {
        if !self.take_word("MODULE") {
            let error = self.unexpected("`MODULE`");
            return Err(match self.word_at(0) {
                Some(word) => error.did_you_mean(word, ["MODULE"]),
                None => error,
            });
        }
        let name = self.name()?;
        let mut parameters = Vec::new();
        if self.take_symbol("(") && !self.take_symbol(")") {
            loop {
                parameters.push(self.name()?);
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let mut declarations = Vec::new();
        while self.peek().token != Token::End && !self.is_word("MODULE") {
            if let Err(error) = self.section(&mut declarations) {
                self.errors.push(error);
                if self.errors.len() >= MOST_ERRORS {
                    break;
                }
                (self.depth, self.until_binds, self.in_sequence) = (0, true, false);
                self.replicated.clear();
                self.skip_to(is_section);
            }
        }
        Ok(Module {
            name,
            parameters,
            declarations,
        })
    }

    fn skip_to(&mut self, stop: impl Fn(&str) -> bool) {
        while self.peek().token != Token::End && !self.word_at(0).is_some_and(&stop) {
            self.at += 1;
        }
    }

    /// Whether a list of declarations goes on: no new section, not the end.
    fn section_goes_on(&self) -> bool {
        self.peek().token != Token::End && !self.word_at(0).is_some_and(is_section)
    }

    fn section(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        let keyword = self.peek();
        let Some(word) = self.word_at(0) else {
            return Err(self.unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`"));
        };
        self.at += 1;
        self.temporal = false;
        match word {
            "VAR" => self.variables(VariableKind::State, into)?,
            "IVAR" => self.variables(VariableKind::Input, into)?,
            "FROZENVAR" => self.variables(VariableKind::Frozen, into)?,
            "DEFINE" => self.defines(into)?,
            "ARRAY" if self.take_word("DEFINE") => self.defines(into)?,
            "CONSTANTS" => self.constants(into)?,
            "ASSIGN" => self.assignments(into)?,
            "INIT" => into.push(Declaration::Init(self.constraint()?)),
            "INVAR" => into.push(Declaration::Invariant(self.constraint()?)),
            "TRANS" => into.push(Declaration::Transition(self.constraint()?)),
            "FAIRNESS" | "JUSTICE" => into.push(Declaration::Justice(self.constraint()?)),
            "COMPASSION" => {
                self.expect("(")?;
                let when = self.expression()?;
                self.expect(",")?;
                let then = self.expression()?;
                self.expect(")")?;
                self.take_symbol(";");
                into.push(Declaration::Compassion(when, then));
            }
            "ISA" => {
                into.push(Declaration::Isa(self.name()?));
                self.take_symbol(";");
            }
            "SPEC" | "CTLSPEC" => into.push(self.specification(SpecificationKind::Ctl)?),
            "LTLSPEC" => into.push(self.specification(SpecificationKind::Ltl)?),
            "INVARSPEC" => into.push(self.specification(SpecificationKind::Invariant)?),
            "COMPUTE" => into.push(self.compute()?),
            "PSLSPEC" => into.push(self.property(keyword.span)?),
            "HCTLSPEC" => into.push(Declaration::Hybrid(self.hybrid()?)),
            // Hints for abstraction, which change nothing.
            "PRED" | "MIRROR" => {
                let message = format!("`{word}` is not used and was skipped");
                let warning = Diagnostic::warning("smv-unsupported", message);
                self.warnings
                    .push(warning.at(self.source, keyword.span, ""));
                self.skip_to(is_section);
            }
            "FUN" | "GAME" => {
                let message = format!("`{word}` declarations are not supported");
                return Err(self.error("smv-unsupported", message, keyword.span));
            }
            _ => {
                self.at -= 1;
                return Err(self
                    .unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`")
                    .did_you_mean(word, SECTIONS));
            }
        }
        Ok(())
    }

    fn variables(&mut self, kind: VariableKind, into: &mut Vec<Declaration>) -> Parsed<()> {
        while self.section_goes_on() {
            let name = self.declared_name()?;
            self.expect(":")?;
            let type_syntax = self.type_syntax(kind == VariableKind::State)?;
            self.end_of_declaration()?;
            into.push(Declaration::Variable(VariableDeclaration {
                kind,
                name,
                type_syntax,
            }));
        }
        Ok(())
    }

    fn defines(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        while self.section_goes_on() {
            let target = self.reference()?;
            self.expect(":=")?;
            let body = match self.is_symbol("[") {
                true => self.array_body()?,
                false => self.expression()?,
            };
            self.end_of_declaration()?;
            into.push(Declaration::Define(Define { target, body }));
        }
        Ok(())
    }

    /// `[a, b]` or `[[a, b], [c, d]]`.
    fn array_body(&mut self) -> Parsed<SyntaxId> {
        let (first, start) = (self.expressions.len(), self.peek().span);
        self.expect("[")?;
        let mut items = Vec::new();
        loop {
            items.push(match self.is_symbol("[") {
                true => self.deeper(Self::array_body)?,
                false => self.expression()?,
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        let span = start.to(self.expect("]")?);
        let list = self.expressions.add_list(&items);
        let body = crate::syntax::Syntax::Array(list);
        Ok(self.expressions.add(body, span, first))
    }

    fn constants(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        let mut constants = Vec::new();
        while self.section_goes_on() && !self.is_symbol(";") {
            constants.push(self.name()?);
            if !self.take_symbol(",") {
                break;
            }
        }
        self.end_of_declaration()?;
        into.push(Declaration::Constants(constants));
        Ok(())
    }

    fn assignments(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        while self.section_goes_on() {
            let kind = match self.word_at(0) {
                Some("init") => AssignmentKind::Init,
                Some("next") => AssignmentKind::Next,
                _ => AssignmentKind::Invariant,
            };
            let target = match kind {
                AssignmentKind::Invariant => self.reference()?,
                _ => {
                    self.at += 1;
                    self.expect("(")?;
                    let target = self.reference()?;
                    self.expect(")")?;
                    target
                }
            };
            self.expect(":=")?;
            let value = self.expression()?;
            self.end_of_declaration()?;
            into.push(Declaration::Assignment(Assignment {
                kind,
                target,
                value,
            }));
        }
        Ok(())
    }

    /// A missing semicolon is best shown right behind what it should end.
    fn end_of_declaration(&mut self) -> Parsed<()> {
        if self.take_symbol(";") {
            return Ok(());
        }
        let end = self.last_end();
        let error = self.unexpected("`;`");
        let missing = Span::new(end.saturating_sub(1), end);
        Err(error.at(self.source, missing, "the declaration seems to end here"))
    }

    fn constraint(&mut self) -> Parsed<SyntaxId> {
        let constraint = self.expression()?;
        self.take_symbol(";");
        Ok(constraint)
    }

    /// `PSLSPEC`; what is PSL but not supported is skipped, with a warning.
    fn property(&mut self, keyword: Span) -> Parsed<Declaration> {
        if self.psl_is_branching() {
            return self.specification(SpecificationKind::Ctl);
        }
        let start = self.at;
        let error = match self.psl() {
            Ok(property) => return Ok(Declaration::Property(property)),
            Err(error) if error.code != "smv-unsupported" => return Err(error),
            Err(error) => error,
        };
        (self.depth, self.in_sequence, self.at) = (0, false, start);
        self.replicated.clear();
        let why = error.message.clone();
        let mut warning = error;
        warning.severity = quotient_core::Severity::Warning;
        warning.code = "smv-unsupported-specification";
        let warning = warning.help("state the property as CTLSPEC, LTLSPEC or INVARSPEC");
        self.warnings.push(warning);
        let mut name = None;
        if self.take_word("NAME") {
            name = self.name_of_specification().ok();
            self.take_symbol(":=");
        }
        let body = self.peek().span.start;
        self.skip_to(is_section);
        Ok(Declaration::Skipped(Skipped {
            keyword,
            name,
            body: Span::new(body, self.last_end()),
            why,
        }))
    }

    /// `COMPUTE MIN [start, goal]`.
    fn compute(&mut self) -> Parsed<Declaration> {
        let mut name = None;
        if self.take_word("NAME") {
            name = Some(self.name_of_specification()?);
            self.expect(":=")?;
        }
        let start_of_body = self.peek().span.start;
        let longest = match self.word_at(0) {
            Some("MIN") => false,
            Some("MAX") => true,
            _ => return Err(self.unexpected("`MIN` or `MAX`")),
        };
        self.at += 1;
        self.expect("[")?;
        self.temporal = true;
        let start = self.expression();
        let comma = self.expect(",");
        let goal = self.expression();
        self.temporal = false;
        let (start, _, goal) = (start?, comma?, goal?);
        self.expect("]")?;
        let span = Span::new(start_of_body, self.last_end());
        let context = match self.take_word("IN") {
            true => Some(self.reference()?),
            false => None,
        };
        self.take_symbol(";");
        Ok(Declaration::Compute(Compute {
            name,
            longest,
            start,
            goal,
            context,
            span,
        }))
    }

    fn specification(&mut self, kind: SpecificationKind) -> Parsed<Declaration> {
        let mut name = None;
        if self.take_word("NAME") {
            name = Some(self.name_of_specification()?);
            self.expect(":=")?;
        }
        let body = self.specification_body(kind, name)?;
        Ok(Declaration::Specification(body))
    }

    pub(super) fn specification_body(
        &mut self,
        kind: SpecificationKind,
        name: Option<Name>,
    ) -> Parsed<Specification> {
        self.temporal = true;
        let formula = self.expression();
        self.temporal = false;
        let formula = formula?;
        let mut context = None;
        if self.take_word("IN") {
            context = Some(self.reference()?);
        }
        self.take_symbol(";");
        Ok(Specification {
            kind,
            name,
            formula,
            context,
        })
    }
}
