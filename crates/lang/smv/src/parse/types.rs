//! Types of variables.

use super::{Parsed, Parser};
use crate::syntax::{Instance, Syntax, SyntaxId, Token, TypeSyntax};

impl Parser<'_> {
    /// A type; instances of modules only where `instances` says so.
    pub(super) fn type_syntax(&mut self, instances: bool) -> Parsed<TypeSyntax> {
        self.deeper(|parser| parser.type_here(instances))
    }

    fn type_here(&mut self, instances: bool) -> Parsed<TypeSyntax> {
        let span = self.peek().span;
        match self.word_at(0) {
            Some("boolean") => {
                self.at += 1;
                return Ok(TypeSyntax::Boolean);
            }
            Some("array") => return self.array_type(),
            Some("word") => return self.word_type(false),
            Some(sign @ ("signed" | "unsigned")) if self.word_at(1) == Some("word") => {
                self.at += 1;
                return self.word_type(sign == "signed");
            }
            Some(infinite @ ("integer" | "real" | "clock")) => {
                let message = format!("variables of type `{infinite}` are not supported");
                let error = self.error("smv-unsupported", message, span);
                return Err(error
                    .note("states must be finitely many")
                    .help("use a range such as `0..100`, or `word[8]`"));
            }
            Some("process") => {
                self.at += 1;
                return self.instance(true);
            }
            _ => {}
        }
        if self.is_symbol("{") {
            return self.enumeration();
        }
        // `name` alone or with arguments is an instance; `name .. 3` a range.
        let is_instance = self.peek().token == Token::Word
            && !super::is_reserved(self.text(span))
            && matches!(
                self.peek_at(1).token,
                Token::Symbol(";" | "(") | Token::End | Token::Word
            );
        if is_instance && instances {
            return self.instance(false);
        }
        if is_instance {
            let error = self.error(
                "smv-instance-kind",
                "modules can be instantiated under VAR only",
                span,
            );
            return Err(error.help("move this declaration to a VAR section"));
        }
        let low = self.shift_expression()?;
        self.expect("..")?;
        let high = self.shift_expression()?;
        Ok(TypeSyntax::Range(low, high))
    }

    fn array_type(&mut self) -> Parsed<TypeSyntax> {
        let span = self.advance().span;
        if self.is_word("word") {
            let error = self.error(
                "smv-unsupported",
                "arrays indexed by words are not supported",
                span.to(self.peek().span),
            );
            return Err(error.help("use `array 0..N of …`"));
        }
        let low = self.shift_expression()?;
        self.expect("..")?;
        let high = self.shift_expression()?;
        if !self.take_word("of") {
            return Err(self.unexpected("`of`"));
        }
        let element = self.type_syntax(false)?;
        Ok(TypeSyntax::Array(low, high, Box::new(element)))
    }

    fn word_type(&mut self, signed: bool) -> Parsed<TypeSyntax> {
        self.at += 1;
        self.expect("[")?;
        let width = self.expression()?;
        self.expect("]")?;
        Ok(TypeSyntax::Word { signed, width })
    }

    fn enumeration(&mut self) -> Parsed<TypeSyntax> {
        let start = self.expect("{")?;
        let mut values = Vec::new();
        loop {
            values.push(self.enumeration_value()?);
            if !self.take_symbol(",") {
                break;
            }
        }
        let span = start.to(self.expect("}")?);
        Ok(TypeSyntax::Enumeration(values, span))
    }

    fn enumeration_value(&mut self) -> Parsed<SyntaxId> {
        let lexeme = self.peek();
        let negative = self.take_symbol("-");
        if negative || self.peek().token == Token::Number {
            let number = self.number()?;
            let value = if negative { -number } else { number };
            let (first, span) = (self.expressions.len(), lexeme.span.to(self.here_before()));
            return Ok(self.expressions.add(Syntax::Number(value), span, first));
        }
        if let Some(word @ ("TRUE" | "FALSE")) = self.word_at(0) {
            self.at += 1;
            let first = self.expressions.len();
            let value = Syntax::Boolean(word == "TRUE");
            return Ok(self.expressions.add(value, lexeme.span, first));
        }
        let name = self.name()?;
        let first = self.expressions.len();
        Ok(self
            .expressions
            .add(Syntax::Name(name.id), name.span, first))
    }

    fn instance(&mut self, process: bool) -> Parsed<TypeSyntax> {
        let module = self.name()?;
        let mut arguments = Vec::new();
        if self.take_symbol("(") && !self.take_symbol(")") {
            loop {
                arguments.push(self.expression()?);
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(TypeSyntax::Instance(Instance {
            process,
            module,
            arguments,
        }))
    }
}
