//! The FSA reader.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use super::tokens::{Token, Tokens};
use crate::formats::cursor::Cursor;
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Letters};
use crate::formats::{Format, Kind, Role};

/// Reads the first `fa(…)` term; what follows (directives, pictures) is not looked at.
pub(in crate::formats) fn read(source: &Source, budget: &Budget) -> Result<Draft, Trouble> {
    let mut reader = Reader {
        source,
        tokens: Tokens::new(Cursor::new(source))?,
        draft: Draft::new(source, Format::Fsa),
        frozen: false,
        budget,
    };
    reader.find_term()?;
    let machine = reader.term()?;
    let mut draft = reader.draft;
    draft.machines.push(machine);
    Ok(draft)
}

struct Reader<'a> {
    source: &'a Source,
    tokens: Tokens<'a>,
    draft: Draft,
    /// Whether each letter stands for itself (`fsa_frozen`).
    frozen: bool,
    budget: &'a Budget,
}

/// One side of a label: letters in a row (none for ε), or an identity.
enum Side {
    Word(Vec<Letters>),
    Identity(Letters),
}

impl Reader<'_> {
    /// Moves over directives (`:- …`) up to `fa(`.
    fn find_term(&mut self) -> Result<(), Trouble> {
        let mut at_start = true;
        loop {
            self.budget.poll()?;
            let is_fa = matches!(self.tokens.peek(), Some(Token::Atom(name)) if name == "fa");
            if at_start && is_fa {
                let mut ahead = self.tokens.clone();
                ahead.take()?;
                if ahead.peek() == Some(&Token::Mark('(')) {
                    return Ok(());
                }
            }
            match self.tokens.take()? {
                Some((token, _)) => at_start = token == Token::Mark('.'),
                None => {
                    return Err(Diagnostic::error("syntax", "there is no term `fa(…)` in the file")
                        .in_source(self.source)
                        .help("an automaton is `fa(r(fsa_preds),N,[starts],[finals],[trans(…),…],[jump(…),…]).`")
                        .into());
                }
            }
        }
    }

    fn term(&mut self) -> Result<DraftMachine, Trouble> {
        self.tokens.take()?;
        self.tokens.mark('(')?;
        let (kind, at) = self.signature()?;
        let mut machine = DraftMachine::new("", Role::Unspecified, kind);
        machine.shown_at = Some(at);
        self.tokens.mark(',')?;
        // The number of states is a bound that other tools need.
        self.atom("the number of states")?;
        self.tokens.mark(',')?;
        self.list(|reader| {
            let state = reader.state(&mut machine)?;
            machine.initial.push(state);
            Ok(())
        })?;
        self.tokens.mark(',')?;
        self.list(|reader| {
            let state = reader.state(&mut machine)?;
            machine.accepting.push(state);
            Ok(())
        })?;
        self.tokens.mark(',')?;
        self.list(|reader| reader.transition(&mut machine))?;
        self.tokens.mark(',')?;
        self.list(|reader| reader.jump(&mut machine))?;
        self.tokens.mark(')')?;
        match self.tokens.peek() {
            Some(Token::Mark('.')) | None => Ok(machine),
            _ => Err(self.tokens.expected("`.` at the end of the term").into()),
        }
    }

    /// `r(module)` for an automaton, `t(module,module)` for a transducer.
    fn signature(&mut self) -> Result<(Kind, Span), Trouble> {
        let (name, span) = self.atom("`r(…)` or `t(…,…)`")?;
        let kind = match name.as_str() {
            "r" => Kind::Automaton,
            "t" => Kind::Transducer,
            _ => {
                let message = format!("`{name}` is neither a recognizer nor a transducer");
                return Err(Diagnostic::error("syntax", message)
                    .at(
                        self.source,
                        span,
                        "expected `r(fsa_preds)` or `t(fsa_preds,fsa_preds)`",
                    )
                    .into());
            }
        };
        self.tokens.mark('(')?;
        self.module()?;
        if kind == Kind::Transducer {
            self.tokens.mark(',')?;
            self.module()?;
        }
        let end = self.tokens.span().end;
        self.tokens.mark(')')?;
        Ok((kind, span.to(Span::new(end, end))))
    }

    fn module(&mut self) -> Result<(), Trouble> {
        let (name, span) = self.atom("the module of the letters")?;
        match name.as_str() {
            "fsa_preds" => Ok(()),
            "fsa_frozen" => {
                self.frozen = true;
                Ok(())
            }
            _ => Err(Diagnostic::error(
                "unknown-module",
                format!("letters of module `{name}` are not known here"),
            )
            .at(self.source, span, "expected `fsa_preds` or `fsa_frozen`")
            .did_you_mean(&name, ["fsa_preds", "fsa_frozen"])
            .into()),
        }
    }

    /// `trans(source,label,target)`.
    fn transition(&mut self, machine: &mut DraftMachine) -> Result<(), Trouble> {
        self.functor("trans")?;
        let source = self.state(machine)?;
        self.tokens.mark(',')?;
        let start = self.tokens.span().start;
        let input = self.side()?;
        let output = match self.tokens.peek() {
            Some(Token::Slash) => {
                self.tokens.take()?;
                Some(self.side()?)
            }
            _ => None,
        };
        let span = Span::new(start, self.tokens.span().start);
        self.tokens.mark(',')?;
        let target = self.state(machine)?;
        self.tokens.mark(')')?;
        let shown = self.source.text()[span.range()].trim_end().len();
        let span = Span::new(start, start + shown);
        match (input, output, machine.kind) {
            (Side::Word(word), None, Kind::Automaton) => {
                let mut from = source;
                let count = word.len();
                for (index, letters) in word.into_iter().enumerate() {
                    let to = match index + 1 == count {
                        true => target,
                        false => machine.fresh_state(source),
                    };
                    machine.edge(from, DraftLabel::Copy(letters), to);
                    from = to;
                }
                if count == 0 {
                    machine.edge(source, DraftLabel::SILENT, target);
                }
            }
            (Side::Word(input), Some(Side::Word(output)), Kind::Transducer) => {
                machine.word_edge(source, input, output, target);
            }
            (Side::Identity(input), Some(Side::Identity(output)), Kind::Transducer) => {
                if input != output {
                    return Err(self.identity(span, "the two sides of an identity differ"));
                }
                machine.edge(source, DraftLabel::Copy(input), target);
            }
            (Side::Identity(letters), None, Kind::Transducer) => {
                machine.edge(source, DraftLabel::Copy(letters), target);
            }
            (_, None, Kind::Transducer) => {
                return Err(Diagnostic::error("syntax", "a transducer reads and writes")
                    .at(self.source, span, "expected `input/output`")
                    .help("write `[]` for the empty word: `a/[]` deletes")
                    .into());
            }
            (_, Some(_), Kind::Automaton) | (Side::Identity(_), None, Kind::Automaton) => {
                return Err(Diagnostic::error("syntax", "an automaton only reads")
                    .at(self.source, span, "expected one letter or set of letters")
                    .help("the signature of a transducer is `t(fsa_preds,fsa_preds)`; a letter `/` is quoted: `'/'`")
                    .into());
            }
            _ => return Err(self.identity(span, "only one side of the label is an identity")),
        }
        Ok(())
    }

    /// `jump(source,target)`.
    fn jump(&mut self, machine: &mut DraftMachine) -> Result<(), Trouble> {
        self.functor("jump")?;
        let source = self.state(machine)?;
        self.tokens.mark(',')?;
        let target = self.state(machine)?;
        self.tokens.mark(')')?;
        machine.edge(source, DraftLabel::SILENT, target);
        Ok(())
    }

    /// An atom, `in([…])`, `not_in([…])`, a list of these, or `$@(…)` around one.
    fn side(&mut self) -> Result<Side, Trouble> {
        if self.tokens.eat('[')? {
            let mut word = Vec::new();
            if !self.tokens.eat(']')? {
                loop {
                    word.push(self.predicate()?);
                    if self.tokens.eat(']')? {
                        break;
                    }
                    self.tokens.mark(',')?;
                }
            }
            return Ok(Side::Word(word));
        }
        if let Some(Token::Atom(name)) = self.tokens.peek()
            && name == "$@"
        {
            let mut ahead = self.tokens.clone();
            ahead.take()?;
            if ahead.eat('(')? {
                self.tokens = ahead;
                let letters = self.predicate()?;
                self.tokens.mark(')')?;
                return Ok(Side::Identity(letters));
            }
        }
        Ok(Side::Word(vec![self.predicate()?]))
    }

    fn predicate(&mut self) -> Result<Letters, Trouble> {
        let (name, span) = self.atom("a letter or a set of letters")?;
        if self.tokens.peek() != Some(&Token::Mark('(')) {
            return Ok(Letters::one(self.draft.letters.intern(&name)));
        }
        let complement = match name.as_str() {
            "in" => false,
            "not_in" => true,
            _ => {
                return Err(Diagnostic::error(
                    "syntax",
                    format!("`{name}(…)` is not a set of letters"),
                )
                .at(self.source, span, "expected `in([…])` or `not_in([…])`")
                .did_you_mean(&name, ["in", "not_in"])
                .into());
            }
        };
        if self.frozen {
            return Err(Diagnostic::error(
                "syntax",
                "the letters of `fsa_frozen` stand for themselves",
            )
            .at(self.source, span, "a set of letters")
            .help("sets need the module `fsa_preds`")
            .into());
        }
        self.tokens.take()?;
        let mut letters = Vec::new();
        self.list(|reader| {
            let (name, _) = reader.atom("a letter")?;
            letters.push(reader.draft.letters.intern(&name));
            Ok(())
        })?;
        self.tokens.mark(')')?;
        Ok(Letters::listed(letters, complement))
    }

    fn state(&mut self, machine: &mut DraftMachine) -> Result<u32, Trouble> {
        let (name, _) = self.atom("a state")?;
        Ok(machine.states.intern(&name))
    }

    fn functor(&mut self, name: &str) -> Result<(), Trouble> {
        match self.tokens.peek() {
            Some(Token::Atom(found)) if found == name => {
                self.tokens.take()?;
                self.tokens.mark('(')?;
                Ok(())
            }
            _ => Err(self.tokens.expected(&format!("`{name}(…)`")).into()),
        }
    }

    fn atom(&mut self, what: &str) -> Result<(String, Span), Trouble> {
        let name = match self.tokens.peek() {
            Some(Token::Atom(name)) => name.clone(),
            Some(Token::Slash) => "/".to_owned(),
            _ => return Err(self.tokens.expected(what).into()),
        };
        let span = self.tokens.span();
        self.tokens.take()?;
        Ok((name, span))
    }

    fn list(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        self.tokens.mark('[')?;
        if self.tokens.eat(']')? {
            return Ok(());
        }
        loop {
            self.budget.poll()?;
            element(self)?;
            if self.tokens.eat(']')? {
                return Ok(());
            }
            if !self.tokens.eat(',')? {
                return Err(self.tokens.expected("`,` or `]`").into());
            }
        }
    }

    fn identity(&self, span: Span, message: &str) -> Trouble {
        Diagnostic::error("identity", message)
            .at(
                self.source,
                span,
                "an identity copies the letter that it reads",
            )
            .help("write the same set on both sides: `$@(in([a,b]))/ $@(in([a,b]))`")
            .into()
    }
}
