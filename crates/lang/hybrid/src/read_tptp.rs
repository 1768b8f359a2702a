//! TPTP's non-classical form (NXF and NHF), as far as it is propositional: `tff` and `thf` formulas
//! with a logic specification for modal or hybrid logic.
//!
//! * logics `$modal`, `$alethic_modal` and `$$hybrid`, with the system K for every modality: others
//!   ask for frames that nothing here decides, and are refused;
//! * `{$box} @ (f)`, `{$dia(#r)} @ (f)`, `$necessary` and `$possible`, and short `[.] f`, `<#r> f`;
//! * `{$$nominal} @ (n)`, `{$$shift(#n)} @ (f)` for "at n", `{$$bind(#X)} @ (f)` for "here is X", as
//!   Leo-III's tools write hybrid logic;
//! * axioms hold in all worlds, hypotheses here, unless `-local` or `-global` says otherwise. Each
//!   conjecture is asked to follow; without one, all formulas are asked to be satisfiable.

use std::collections::BTreeMap;

use quotient_arithmetic::{Boolean, Condition};
use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Cursor, Parsed, Scanner, Token, TokenKind};

use crate::formula::{Formula, Sentence};
use crate::read::{Question, Theory, refuse_large};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Letters, digits, `_` and `$`, or anything in single quotes.
    Name,
    Sign(&'static str),
    End,
}

use Word::{Name, Sign};

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Name => Some("a name".to_owned()),
            Sign(sign) => Some(format!("`{sign}`")),
            Word::End => None,
        }
    }
}

const SIGNS: [&str; 27] = [
    "<=>", "<~>", "=>", "<=", "==", "~|", "~&", "!=", "~", "&", "|", "(", ")", "[", "]", "{", "}",
    "<", ">", "@", "#", ",", ".", ":", "!", "?", "=",
];

/// Whether a text is one: a formula with a logic specification.
pub(crate) fn is_tptp(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let formula = lines.any(|line| line.starts_with("tff(") || line.starts_with("thf("));
    let logics = ["$modal", "$alethic_modal", "$$hybrid", "$hybrid"];
    formula && logics.iter().any(|logic| text.contains(logic))
}

fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let comments = Comments {
        line: &["%"],
        block: Some(("/*", "*/")),
    };
    let mut scanner = Scanner::new(source, comments);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let (kind, span) = match scanner.peek() {
            Some(letter) if of_name(letter) => {
                let mut span = scanner.take_while(of_name);
                // Roles have parts: `axiom-local`.
                if matches!(scanner.text(span), "axiom" | "hypothesis" | "conjecture")
                    && scanner.peek() == Some('-')
                {
                    let part = scanner.take_while(|letter| letter == '-' || of_name(letter));
                    span = span.to(part);
                }
                (Name, span)
            }
            Some('\'') => {
                let begin = scanner.bump().map(|(_, span)| span).unwrap_or_default();
                let inner = scanner.take_while(|letter| letter != '\'' && letter != '\n');
                let end = scanner.one_of(&["'"]).map(|(_, span)| span);
                let Some(end) = end else {
                    let message = "this name is never closed";
                    mistakes.push(Diagnostic::error("name", message).at(source, begin, ""));
                    continue;
                };
                (Name, begin.to(inner).to(end))
            }
            _ => match scanner.one_of(&SIGNS) {
                Some((sign, span)) => (Sign(sign), span),
                None => {
                    mistakes.push(scanner.stray());
                    continue;
                }
            },
        };
        tokens.push(Token { kind, span });
    }
}

/// Reads a file; all mistakes of it are told.
pub(crate) fn read(source: &Source) -> Result<Theory, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut reader = Reader {
        cursor: Cursor::new(source, tokens),
        theory: Theory::default(),
        uses: BTreeMap::new(),
        variables: Vec::new(),
        known: false,
        parts: Vec::new(),
    };
    for mistake in mistakes {
        reader.cursor.mistake(mistake);
    }
    while !reader.cursor.is_at_end() && !reader.cursor.is_hopeless() {
        let start = reader.cursor.position();
        if let Err(mistake) = reader.statement() {
            reader.cursor.mistake(mistake);
            reader.variables.clear();
            reader.skip_statement(start);
        }
    }
    if !reader.known {
        let message = "there is no logic specification";
        let mistake = Diagnostic::error("tptp-logic", message).in_source(source);
        let help = "add `tff(semantics, logic, $modal == [$modalities == $modal_system_K]).`";
        reader.cursor.mistake(mistake.help(help));
    }
    reader.ask();
    reader.cursor.finish(reader.theory)
}

/// A formula of the file.
struct Part {
    name: String,
    span: Span,
    text: String,
    role: Role,
    formula: Formula,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Global,
    Local,
    Conjecture,
}

struct Reader<'a> {
    cursor: Cursor<'a, Word>,
    theory: Theory,
    /// What each name is used as, and where first.
    uses: BTreeMap<String, bool>,
    /// Variables in scope with their nominals.
    variables: Vec<(String, usize)>,
    /// Whether the logic was specified.
    known: bool,
    parts: Vec<Part>,
}

impl Reader<'_> {
    /// `tff(name, role, formula).`
    fn statement(&mut self) -> Parsed<()> {
        let start = self.cursor.peek().span;
        let kind = self.name()?;
        if kind != "tff" && kind != "thf" {
            let message = format!("`{kind}` statements are not read");
            return Err(self
                .mistake("tptp-statement", message, start)
                .help("`tff(name, role, formula).`"));
        }
        self.cursor.expect(Sign("("))?;
        let name = self.name()?;
        self.cursor.expect(Sign(","))?;
        let place = self.cursor.peek().span;
        let role = self.name()?;
        self.cursor.expect(Sign(","))?;
        let role = match role.as_str() {
            "logic" => {
                self.logic()?;
                return self.end_of_statement();
            }
            "type" => {
                self.type_declaration()?;
                return self.end_of_statement();
            }
            "axiom" | "axiom-global" | "definition" | "lemma" | "theorem" | "hypothesis-global" => {
                Role::Global
            }
            "hypothesis" | "hypothesis-local" | "assumption" | "axiom-local"
            | "negated_conjecture" => Role::Local,
            "conjecture" | "conjecture-local" => Role::Conjecture,
            _ => {
                let message = format!("formulas of the role `{role}` are not read");
                return Err(self.mistake("tptp-role", message, place));
            }
        };
        let begins = self.cursor.peek().span.start;
        let formula = self.formula()?;
        let text = self.cursor.text(self.cursor.span_from(begins)).to_owned();
        self.end_of_statement()?;
        let mut name = name;
        while self.parts.iter().any(|part| part.name == name) {
            name.push('\'');
        }
        self.parts.push(Part {
            name,
            span: self.cursor.span_from(start.start),
            text,
            role,
            formula,
        });
        Ok(())
    }

    /// The rest of a statement; annotations after the formula are passed over.
    fn end_of_statement(&mut self) -> Parsed<()> {
        if self.cursor.is(Sign(",")) {
            self.skip_balanced();
        }
        self.cursor.expect(Sign(")"))?;
        self.cursor.expect(Sign(".")).map(|_| ())
    }

    /// Goes on before the `)` that nothing inside opened.
    fn skip_balanced(&mut self) {
        let mut open = 0usize;
        while !self.cursor.is_at_end() {
            match self.cursor.peek().kind {
                Sign("(" | "[" | "{") => open += 1,
                Sign(")") if open == 0 => return,
                Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                _ => {}
            }
            self.cursor.advance();
        }
    }

    /// Goes on at the next statement after the one that began there.
    fn skip_statement(&mut self, start: usize) {
        self.cursor.rewind(start);
        self.cursor.advance();
        while !self.cursor.is_at_end() {
            let ends = self.cursor.is(Sign(")")) && self.cursor.peek_at(1).kind == Sign(".");
            self.cursor.advance();
            if ends {
                self.cursor.advance();
                return;
            }
        }
    }

    /// `$modal == [$modalities == $modal_system_K, …]`: only K is decided.
    fn logic(&mut self) -> Parsed<()> {
        let mut open = 0usize;
        let mut first = true;
        loop {
            let token = self.cursor.peek();
            let text = self.cursor.text(token.span);
            match token.kind {
                Sign("(" | "[" | "{") => open += 1,
                Sign(")") if open == 0 => return Ok(()),
                Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                Name if first => {
                    let logics = ["$modal", "$alethic_modal", "$$hybrid", "$hybrid"];
                    if !logics.contains(&text) {
                        let message = format!("the logic `{text}` is not decided here");
                        let mistake = self.mistake("tptp-logic", message, token.span);
                        return Err(mistake.help("`$modal`, `$alethic_modal` or `$$hybrid`"));
                    }
                    (first, self.known) = (false, true);
                }
                Name => {
                    let system = text.strip_prefix("$modal_system_");
                    let axiom = text.strip_prefix("$modal_axiom_");
                    if system.or(axiom).is_some_and(|system| system != "K") {
                        let message = format!("`{text}` asks for frames that are not decided here");
                        let mistake = self.mistake("tptp-frames", message, token.span);
                        return Err(mistake.help("`$modal_system_K`: any relation"));
                    }
                }
                Word::End => return Err(self.cursor.unexpected("`)`")),
                Sign(_) => {}
            }
            self.cursor.advance();
        }
    }

    /// `p : $o`: whatever else is declared has arguments.
    fn type_declaration(&mut self) -> Parsed<()> {
        let parenthesis = self.cursor.takes(Sign("("));
        self.name()?;
        self.cursor.expect(Sign(":"))?;
        let span = self.cursor.peek().span;
        if self.name()? != "$o" {
            let message = "only propositions are read, which have the type `$o`";
            return Err(self.mistake("tptp-type", message.to_owned(), span));
        }
        if parenthesis {
            self.cursor.expect(Sign(")"))?;
        }
        Ok(())
    }

    /// Rows of `&` or of `|`, or one other connective: TPTP gives none of them precedence.
    fn formula(&mut self) -> Parsed<Formula> {
        self.cursor.enter()?;
        let found = self.row();
        self.cursor.leave();
        found
    }

    fn row(&mut self) -> Parsed<Formula> {
        let start = self.cursor.peek().span.start;
        let mut left = self.unitary()?;
        let Sign(sign) = self.cursor.peek().kind else {
            return Ok(left);
        };
        let not = |formula: Formula| Formula::Not(Box::new(formula));
        let and = |one: Formula, other: Formula| Formula::And(Box::new(one), Box::new(other));
        let or = |one: Formula, other: Formula| Formula::Or(Box::new(one), Box::new(other));
        if matches!(sign, "&" | "|") {
            let mut length = 0;
            while self.cursor.takes(Sign(sign)) {
                let right = self.unitary()?;
                left = match sign {
                    "&" => and(left, right),
                    _ => or(left, right),
                };
                length += 1;
                if length > 400 {
                    return Err(self.cursor.unexpected("fewer operands"));
                }
            }
            return Ok(left);
        }
        if !["<=>", "<~>", "=>", "<=", "~|", "~&"].contains(&sign) {
            return Ok(left);
        }
        self.cursor.advance();
        let right = self.unitary()?;
        let formula = match sign {
            "=>" => or(not(left), right),
            "<=" => or(left, not(right)),
            "~|" => not(or(left, right)),
            "~&" => not(and(left, right)),
            _ => {
                let other = match sign {
                    "<=>" => right,
                    _ => not(right),
                };
                let both = and(left.clone(), other.clone());
                or(both, and(not(left), not(other)))
            }
        };
        let span = self.cursor.span_from(start);
        refuse_large(&formula, self.cursor.source(), span)?;
        Ok(formula)
    }

    fn unitary(&mut self) -> Parsed<Formula> {
        self.cursor.enter()?;
        let found = self.prefixed();
        self.cursor.leave();
        found
    }

    fn prefixed(&mut self) -> Parsed<Formula> {
        match self.cursor.peek().kind {
            Sign("~") => {
                self.cursor.advance();
                Ok(Formula::Not(Box::new(self.unitary()?)))
            }
            Sign("(") => {
                self.cursor.advance();
                let inner = self.formula()?;
                self.cursor.expect(Sign(")"))?;
                Ok(inner)
            }
            Sign("{") => self.connective(),
            Sign(open @ ("[" | "<")) => {
                self.cursor.advance();
                let relation = match self.cursor.takes(Sign(".")) {
                    true => self.relation(None),
                    false => {
                        let index = self.index()?;
                        self.relation(Some(index))
                    }
                };
                self.cursor
                    .expect(Sign(if open == "[" { "]" } else { ">" }))?;
                self.cursor.takes(Sign("@"));
                let inner = Box::new(self.unitary()?);
                Ok(match open {
                    "[" => Formula::Every(relation, inner),
                    _ => Formula::Some(relation, inner),
                })
            }
            Sign("!" | "?") => {
                let span = self.cursor.peek().span;
                let message = "quantifiers over individuals are not read".to_owned();
                Err(self.mistake("tptp-quantifier", message, span))
            }
            Name => self.atom(),
            _ => Err(self.cursor.unexpected("a formula")),
        }
    }

    /// `{$box(#r)} @ (f)`
    fn connective(&mut self) -> Parsed<Formula> {
        self.cursor.advance();
        let span = self.cursor.peek().span;
        let name = self.name()?;
        let mut index = None;
        if self.cursor.takes(Sign("(")) {
            index = Some(self.index()?);
            self.cursor.expect(Sign(")"))?;
        }
        self.cursor.expect(Sign("}"))?;
        self.cursor.takes(Sign("@"));
        match (name.as_str(), index) {
            ("$box" | "$necessary", index) => {
                let relation = self.relation(index);
                Ok(Formula::Every(relation, Box::new(self.unitary()?)))
            }
            ("$dia" | "$possible", index) => {
                let relation = self.relation(index);
                Ok(Formula::Some(relation, Box::new(self.unitary()?)))
            }
            ("$$nominal" | "$nominal", None) => {
                let parenthesis = self.cursor.takes(Sign("("));
                let at = self.named()?;
                if parenthesis {
                    self.cursor.expect(Sign(")"))?;
                }
                Ok(Formula::Nominal(at))
            }
            ("$$shift" | "$shift", Some(index)) => {
                let at = self.nominal(index, span)?;
                Ok(Formula::At(at, Box::new(self.unitary()?)))
            }
            ("$$bind" | "$bind", Some(index)) => {
                self.theory.nominals.push(String::new());
                let at = self.theory.nominals.len() - 1;
                self.variables.push((index, at));
                let inner = self.unitary();
                self.variables.pop();
                Ok(Formula::Here(at, Box::new(inner?)))
            }
            _ => {
                let message = format!("the connective `{name}` is not read so");
                let help = "`{$box}`, `{$dia(#r)}`, `{$$nominal}`, `{$$shift(#n)}`, `{$$bind(#X)}`";
                Err(self.mistake("tptp-connective", message, span).help(help))
            }
        }
    }

    fn atom(&mut self) -> Parsed<Formula> {
        let span = self.cursor.peek().span;
        let name = self.name()?;
        match name.as_str() {
            "$true" => return Ok(Formula::Constant(true)),
            "$false" => return Ok(Formula::Constant(false)),
            _ => {}
        }
        let variable = self.variables.iter().rfind(|(other, _)| *other == name);
        if let Some((_, at)) = variable {
            return Ok(Formula::Nominal(*at));
        }
        let is_variable = name.starts_with(|letter: char| letter.is_uppercase());
        let applied = self.cursor.is(Sign("(")) || self.cursor.is(Sign("="));
        if name.starts_with('$') || is_variable || applied {
            let message = format!("`{name}` is no proposition here");
            return Err(self.mistake("tptp-term", message, span));
        }
        self.used(&name, false, span)?;
        let letters = &mut self.theory.letters;
        let at = place(letters, &name);
        let condition = Condition::Boolean(Boolean::from_index(at));
        Ok(Formula::Base(Sentence::Condition(condition)))
    }

    /// A name is a proposition or a nominal, not both: a bare name says too little then.
    fn used(&mut self, name: &str, as_nominal: bool, span: Span) -> Parsed<()> {
        let before = self.uses.entry(name.to_owned()).or_insert(as_nominal);
        if *before == as_nominal {
            return Ok(());
        }
        let message = format!("`{name}` is used as a proposition and as a nominal");
        let help = format!("write the nominal as `{{$$nominal}} @ ({name})`");
        Err(self.mistake("tptp-nominal", message, span).help(help))
    }

    fn named(&mut self) -> Parsed<usize> {
        let span = self.cursor.peek().span;
        let name = self.name()?;
        self.nominal(name, span)
    }

    fn nominal(&mut self, name: String, span: Span) -> Parsed<usize> {
        let variable = self.variables.iter().rfind(|(other, _)| *other == name);
        if let Some((_, at)) = variable {
            return Ok(*at);
        }
        if name.starts_with(|letter: char| letter.is_uppercase()) {
            let message = format!("no world is called `{name}` here");
            let help = format!("name one before: `{{$$bind(#{name})}} @ (…)`");
            return Err(self.mistake("tptp-variable", message, span).help(help));
        }
        self.used(&name, true, span)?;
        Ok(place(&mut self.theory.nominals, &name))
    }

    /// The relation of an index, or the one without.
    fn relation(&mut self, index: Option<String>) -> usize {
        let name = index.unwrap_or_else(|| "box".to_owned());
        place(&mut self.theory.relations, &name)
    }

    /// `#name`
    fn index(&mut self) -> Parsed<String> {
        self.cursor.expect(Sign("#"))?;
        self.name()
    }

    fn name(&mut self) -> Parsed<String> {
        let span = self.cursor.expect(Name)?;
        Ok(self.cursor.text(span).trim_matches('\'').to_owned())
    }

    fn mistake(&self, code: &'static str, message: String, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(self.cursor.source(), span, "")
    }

    /// The questions that the formulas ask.
    fn ask(&mut self) {
        let given = self
            .parts
            .iter()
            .filter(|part| part.role != Role::Conjecture);
        let given: Vec<Formula> = given
            .map(|part| match part.role {
                Role::Global => Formula::Everywhere(Box::new(part.formula.clone())),
                _ => part.formula.clone(),
            })
            .collect();
        let all = |formulas: &[Formula]| {
            let both = |one: Formula, other: &Formula| {
                Formula::And(Box::new(one), Box::new(other.clone()))
            };
            let mut rest = formulas.iter();
            let first = rest.next().cloned();
            first.map(|first| rest.fold(first, both))
        };
        let conjectures = self.parts.iter();
        let conjectures = conjectures.filter(|part| part.role == Role::Conjecture);
        for part in conjectures {
            let formula = match all(&given) {
                None => part.formula.clone(),
                Some(given) => {
                    let not = Formula::Not(Box::new(given));
                    Formula::Or(Box::new(not), Box::new(part.formula.clone()))
                }
            };
            self.theory.questions.push(Question {
                name: part.name.clone(),
                text: part.text.clone(),
                span: part.span,
                valid: true,
                here: false,
                formula,
            });
        }
        if let (true, Some(formula)) = (self.theory.questions.is_empty(), all(&given)) {
            let texts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
            self.theory.questions.push(Question {
                name: "axioms".to_owned(),
                text: texts.join("; "),
                span: self.parts.first().map(|part| part.span).unwrap_or_default(),
                valid: false,
                here: false,
                formula,
            });
        }
    }
}

/// The place of a name in a list, where it is put if it is not there.
fn place(list: &mut Vec<String>, name: &str) -> usize {
    let found = list.iter().position(|other| other == name);
    found.unwrap_or_else(|| {
        list.push(name.to_owned());
        list.len() - 1
    })
}
