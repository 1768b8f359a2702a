//! Units of a text: proctypes, claims, formulas, inlines, types and names of messages.

use crate::lex::{Kind, Token, arguments_from};
use crate::parse::{DEEPEST, Inline, MOST_TOKENS, Parsed, Parser};
use crate::syntax::{Formula, Node, Process};

impl Parser {
    pub(crate) fn unit(&mut self) -> Parsed<()> {
        let token = self.peek().clone();
        match &*token.text {
            ";" if token.kind == Kind::Sign => {
                self.advance();
            }
            "active" | "proctype" | "D_proctype" => self.proctype()?,
            "init" => {
                let token = self.advance();
                let name = self.named_by(&token);
                let priority = self.priority()?;
                let provided = self.provided()?;
                let (body, end) = self.block()?;
                self.unit.processes.push(Process {
                    name,
                    parameters: Vec::new(),
                    active: None,
                    is_active: true,
                    priority,
                    provided,
                    body,
                    end,
                });
            }
            "never" => {
                let token = self.advance();
                let mut name = self.named_by(&token);
                if self.peek().kind == Kind::Name {
                    let token = self.advance();
                    name = self.named_by(&token);
                }
                let (body, end) = self.block()?;
                self.unit.claims.push(Process {
                    name,
                    parameters: Vec::new(),
                    active: None,
                    is_active: false,
                    priority: None,
                    provided: None,
                    body,
                    end,
                });
            }
            "trace" | "notrace" => {
                let token = self.advance();
                let negated = token.is("notrace");
                let name = self.named_by(&token);
                let (body, end) = self.block()?;
                let process = Process {
                    name,
                    parameters: Vec::new(),
                    active: None,
                    is_active: false,
                    priority: None,
                    provided: None,
                    body,
                    end,
                };
                self.unit.traces.push((process, negated));
            }
            "ltl" => self.ltl()?,
            "inline" => self.inline()?,
            "typedef" => self.typedef()?,
            "mtype" if self.is_message_list() => self.message_names()?,
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                return Err(self.unsupported(token.at, "C code in a model"));
            }
            _ => match self.declarations()? {
                Some(found) => self.unit.globals.extend(found),
                None => return Err(self.unexpected("a declaration or a proctype")),
            },
        }
        Ok(())
    }

    fn skip_block(&mut self) -> Parsed<()> {
        if !self.peek().is("{") {
            return Err(self.unexpected("`{`"));
        }
        let mut depth = 0;
        loop {
            depth += i32::from(self.peek().is("{")) - i32::from(self.peek().is("}"));
            if self.is_at_end() {
                return Err(self.unexpected("`}`"));
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn proctype(&mut self) -> Parsed<()> {
        let (mut active, mut is_active) = (None, false);
        if self.takes("active") {
            is_active = true;
            if self.takes("[") {
                active = Some(self.expression()?);
                self.expect("]")?;
            }
        }
        if !self.takes("D_proctype") {
            self.expect("proctype")?;
        }
        let name = self.name("the name of the proctype")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.peek().is(")") {
            match self.declarations()? {
                Some(found) => parameters.extend(found),
                None => return Err(self.unexpected("a parameter")),
            }
            self.takes(";");
        }
        self.expect(")")?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let (body, end) = self.block()?;
        self.unit.processes.push(Process {
            name,
            parameters,
            active,
            is_active,
            priority,
            provided,
            body,
            end,
        });
        Ok(())
    }

    pub(crate) fn priority(&mut self) -> Parsed<Option<Node>> {
        if !self.takes("priority") {
            return Ok(None);
        }
        self.unit.uses_priorities = true;
        self.expression().map(Some)
    }

    fn provided(&mut self) -> Parsed<Option<Node>> {
        if !self.takes("provided") {
            return Ok(None);
        }
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(Some(condition))
    }

    fn ltl(&mut self) -> Parsed<()> {
        let begin = self.advance().at;
        let mut name = None;
        if self.peek().kind == Kind::Name {
            name = Some(self.advance().text.to_string());
        }
        let close = match self.takes("$") {
            true => "$",
            false => {
                self.expect("{")?;
                "}"
            }
        };
        let body = self.formula()?;
        self.takes(";");
        let end = self.expect(close)?;
        let name = name.unwrap_or_else(|| format!("ltl_{}", self.unit.formulas.len()));
        let at = begin.to(end);
        let text = self.files[at.file as usize].text();
        let text = text.get(at.span.range()).unwrap_or_default();
        let text = text.split_once(['{', '$']).map_or(text, |(_, rest)| rest);
        let text = text.trim_end_matches(['}', '$']);
        let words: Vec<&str> = text.split_whitespace().collect();
        self.unit.formulas.push(Formula {
            name,
            text: words.join(" "),
            at,
            body,
        });
        Ok(())
    }

    fn inline(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of the inline")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.peek().is(")") {
            parameters.push(self.name("a parameter")?.text);
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        let start = self.at;
        self.skip_block()?;
        let body = self.tokens[start..self.at].to_vec();
        let (at, twice) = (name.at, format!("there are two inlines `{}`", name.text));
        let before = self.inlines.insert(name.text, Inline { parameters, body });
        match before {
            Some(_) => Err(self.wrong(at, twice)),
            None => Ok(()),
        }
    }

    /// Puts the body of an inline where it is called.
    pub(crate) fn expand(&mut self) -> Parsed<()> {
        let token = self.peek().clone();
        let found = arguments_from(&self.tokens, self.at + 1, token.at);
        let (arguments, end) = found.map_err(|(at, message)| self.wrong(at, message))?;
        let Some(inline) = self.inlines.get(&token.text) else {
            return Err(self.unexpected("an inline"));
        };
        let few = inline.parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty();
        if !few && arguments.len() != inline.parameters.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                token.text,
                inline.parameters.len(),
                arguments.len()
            );
            return Err(self.wrong(token.at, message));
        }
        let number = self.parents.len() as u32;
        let mut body = Vec::new();
        for one in &inline.body {
            let place = inline.parameters.iter().position(|name| *name == one.text);
            match place.filter(|_| one.kind == Kind::Name) {
                Some(place) => body.extend(arguments[place].iter().map(|argument| Token {
                    shown: one.shown,
                    ..argument.clone()
                })),
                None => body.push(Token {
                    expansion: number,
                    ..one.clone()
                }),
            }
            if body.len() + self.tokens.len() > MOST_TOKENS {
                return Err(self.wrong(token.at, "inlines make the text too large"));
            }
        }
        self.parents.push(token.expansion);
        if self.named_by(&body[0]).expansions.len() > DEEPEST {
            return Err(self.wrong(token.at, "this inline calls itself"));
        }
        self.tokens.splice(self.at..end, body);
        Ok(())
    }

    fn typedef(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of the type")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.peek().is("}") {
            match self.declarations()? {
                Some(found) => fields.extend(found),
                None => return Err(self.unexpected("a field")),
            }
            while self.takes(";") {}
        }
        self.expect("}")?;
        if self.records.contains(&name.text) {
            return Err(self.wrong(name.at, format!("there are two types `{}`", name.text)));
        }
        self.records.push(name.text.clone());
        self.unit.records.push((name, fields));
        Ok(())
    }

    /// `mtype = { … }`, `mtype:sort = { … }` or `mtype { … }`.
    fn is_message_list(&self) -> bool {
        let after = if self.peek_at(1).is(":") { 3 } else { 1 };
        self.peek_at(after).is("{")
            || (self.peek_at(after).is("=") && self.peek_at(after + 1).is("{"))
    }

    fn message_names(&mut self) -> Parsed<()> {
        while !self.peek().is("{") {
            self.advance();
        }
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.peek().is("}") {
            let name = self.name("the name of a message")?;
            let mut known = self.unit.messages.iter().chain(&names);
            if known.any(|one| one.text == name.text) {
                let message = format!("there are two messages `{}`", name.text);
                return Err(self.wrong(name.at, message));
            }
            names.push(name);
            if !self.takes(",") {
                break;
            }
        }
        self.expect("}")?;
        // The last has the least number, and later lists go on.
        names.reverse();
        self.unit.messages.extend(names);
        Ok(())
    }
}
