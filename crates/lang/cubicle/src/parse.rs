//! Words to a tree.

mod terms;
mod updates;

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};

use crate::lex::{Kind, words};
use crate::tree::{Declared, Expression, Name, Predicate, Quantified, Tree, Written};

/// What begins a part of a text.
const HEADS: &[&str] = &[
    "type",
    "var",
    "array",
    "const",
    "init",
    "unsafe",
    "universal_unsafe",
    "invariant",
    "candidate",
    "transition",
    "number_procs",
    "smt",
    "predicate",
    "weak",
];

/// Reads a text; all mistakes at once.
pub(crate) fn parse(source: &Source) -> Result<Tree, Vec<Diagnostic>> {
    let words = words(source).map_err(|mistake| vec![mistake])?;
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        unit: 1_000_000,
        named: Vec::new(),
        constants: Vec::new(),
        bound: Vec::new(),
    };
    let mut tree = Tree::default();
    while !parser.cursor.is_at_end() && !parser.cursor.is_hopeless() {
        let from = parser.cursor.position();
        if let Err(mistake) = parser.part(&mut tree) {
            parser.cursor.mistake(mistake);
            parser.recover(from);
        }
    }
    tree.unit = parser.unit;
    parser.cursor.finish(tree)
}

/// Reads a formula by itself, about processes `#1`, `#2`, ….
pub(crate) fn parse_formula(source: &Source) -> Result<Expression, Vec<Diagnostic>> {
    let words = words(source).map_err(|mistake| vec![mistake])?;
    let mut parser = Parser {
        cursor: Cursor::new(source, words),
        unit: 1_000_000,
        named: Vec::new(),
        constants: Vec::new(),
        bound: Vec::new(),
    };
    let formula = parser.expression().map_err(|mistake| vec![mistake])?;
    match parser.cursor.is_at_end() {
        true => Ok(formula),
        false => Err(vec![parser.cursor.unexpected("the end of the formula")]),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a, Kind>,
    /// The largest number of millionths that divides every number with a fraction.
    unit: i64,
    /// What `let` has named in the transition that is being read.
    named: Vec<(String, Written)>,
    /// The constants of the file that have a value, with it.
    constants: Vec<(String, Written)>,
    /// What the quantifiers around this place have named.
    bound: Vec<String>,
}

impl Parser<'_> {
    fn is_word(&self, word: &str) -> bool {
        self.cursor.is(Kind::Word) && self.cursor.text(self.cursor.peek().span) == word
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.cursor.advance();
        }
        is
    }

    fn takes(&mut self, sign: &'static str) -> bool {
        self.cursor.takes(Kind::Sign(sign))
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<Span> {
        self.cursor.expect(Kind::Sign(sign))
    }

    /// Goes on at the next word that begins a part.
    fn recover(&mut self, from: usize) {
        if self.cursor.position() == from {
            self.cursor.advance();
        }
        while !self.cursor.is_at_end() && !HEADS.iter().any(|head| self.is_word(head)) {
            self.cursor.advance();
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.cursor.is(Kind::Word) {
            return Err(self.cursor.unexpected(what));
        }
        let span = self.cursor.advance().span;
        Ok(Name {
            text: self.cursor.text(span).to_string(),
            span,
        })
    }

    /// A process: a name, or `#1`.
    fn process(&mut self) -> Parsed<Name> {
        let start = self.cursor.peek().span.start;
        if self.takes("#") {
            self.cursor.expect(Kind::Number)?;
            let span = self.cursor.span_from(start);
            return Ok(Name {
                text: self.cursor.text(span).split_whitespace().collect(),
                span,
            });
        }
        self.name("the name of a process")
    }

    fn part(&mut self, tree: &mut Tree) -> Parsed<()> {
        let start = self.cursor.peek().span.start;
        let head = self.name("`type`, `var`, `array`, `init`, `unsafe` or `transition`")?;
        match head.text.as_str() {
            "type" => self.enumeration(tree),
            "const" if self.begins_constant() => self.constant(),
            "var" | "const" | "array" => self.declaration(tree),
            "init" => {
                let formula = self.quantified(start)?;
                if tree.start.is_some() {
                    return Err(Diagnostic::error("two-starts", "there is a second `init`")
                        .at(self.cursor.source(), head.span, "")
                        .help("join them with `&&`"));
                }
                tree.start = Some(formula);
                Ok(())
            }
            "unsafe" => {
                let formula = self.quantified(start)?;
                tree.bad.push(formula);
                Ok(())
            }
            "universal_unsafe" => {
                let formula = self.quantified(start)?;
                tree.bad.push(everybody(formula));
                Ok(())
            }
            "invariant" => {
                let formula = self.quantified(start)?;
                tree.lemmas.push(formula);
                Ok(())
            }
            // Something to try, which nobody asks to be shown.
            "candidate" => self.quantified(start).map(drop),
            "weak" => Err(Diagnostic::error(
                "weak-memory",
                "variables that are written late are not known here",
            )
            .at(self.cursor.source(), head.span, "")
            .help("leave out `weak`: everybody sees then at once what is written")),
            "transition" => {
                let step = self.transition(start)?;
                tree.transitions.push(step);
                Ok(())
            }
            "number_procs" => self.cursor.expect(Kind::Number).map(drop),
            "predicate" => {
                let predicate = self.predicate()?;
                tree.predicates.push(predicate);
                Ok(())
            }
            _ => Err(Diagnostic::error(
                "unknown-part",
                format!("`{}` does not begin a part of a model", head.text),
            )
            .at(self.cursor.source(), head.span, "")
            .did_you_mean(&head.text, HEADS.iter().copied())),
        }
    }

    fn enumeration(&mut self, tree: &mut Tree) -> Parsed<()> {
        let name = self.name("the name of a type")?;
        let mut values = Vec::new();
        if self.takes("=") {
            self.takes("|");
            loop {
                values.push(self.name("a value of the type")?);
                if !self.takes("|") {
                    break;
                }
            }
        }
        tree.types.push((name, values));
        Ok(())
    }

    fn declaration(&mut self, tree: &mut Tree) -> Parsed<()> {
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            self.is_no_constant(&name)?;
            let mut indices = Vec::new();
            if self.takes("[") {
                loop {
                    indices.push(self.name("`proc`")?);
                    if !self.takes(",") {
                        break;
                    }
                }
                self.expect("]")?;
            }
            names.push((name, indices));
            if !self.takes(",") {
                break;
            }
        }
        self.expect(":")?;
        let of = self.name("the name of a type")?;
        for (name, indices) in names {
            let of = of.clone();
            tree.variables.push(Declared { name, indices, of });
        }
        Ok(())
    }

    /// `(i j)`: processes, with or without commas.
    fn processes(&mut self) -> Parsed<Vec<Name>> {
        let mut processes = Vec::new();
        if self.takes("(") {
            while !self.takes(")") {
                let process = self.process()?;
                self.is_no_constant(&process)?;
                processes.push(process);
                self.takes(",");
            }
        }
        Ok(processes)
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        let name = self.name("the name of a predicate")?;
        let parameters = self.processes()?;
        self.expect("{")?;
        let body = self.expression()?;
        self.expect("}")?;
        Ok(Predicate {
            name,
            parameters,
            body,
        })
    }

    fn quantified(&mut self, start: usize) -> Parsed<Quantified> {
        let processes = self.processes()?;
        self.expect("{")?;
        let formula = self.expression()?;
        self.expect("}")?;
        Ok(Quantified {
            processes,
            formula,
            span: self.cursor.span_from(start),
        })
    }

    fn indices(&mut self) -> Parsed<Vec<Name>> {
        let mut indices = Vec::new();
        if self.takes("[") {
            loop {
                indices.push(self.process()?);
                if !self.takes(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        Ok(indices)
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.cursor.enter()?;
        let result = self.implication();
        self.cursor.leave();
        result
    }

    fn implication(&mut self) -> Parsed<Expression> {
        let left = self.disjunction()?;
        if self.takes("=>") {
            let right = self.expression()?;
            return Ok(Expression::Or(vec![Expression::Not(Box::new(left)), right]));
        }
        if self.takes("<=>") {
            let right = self.expression()?;
            let not = |one: &Expression| Expression::Not(Box::new(one.clone()));
            return Ok(Expression::And(vec![
                Expression::Or(vec![not(&left), right.clone()]),
                Expression::Or(vec![not(&right), left]),
            ]));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed<Expression> {
        let mut parts = vec![self.conjunction()?];
        while self.takes("||") {
            parts.push(self.conjunction()?);
        }
        Ok(alone(parts, Expression::Or))
    }

    fn conjunction(&mut self) -> Parsed<Expression> {
        let mut parts = vec![self.atom()?];
        while self.takes("&&") {
            parts.push(self.atom()?);
        }
        Ok(alone(parts, Expression::And))
    }

    fn atom(&mut self) -> Parsed<Expression> {
        if self.takes_word("not") || self.takes("!") {
            self.cursor.enter()?;
            let inner = self.atom();
            self.cursor.leave();
            return Ok(Expression::Not(Box::new(inner?)));
        }
        for (word, every) in [("forall_other", true), ("exists_other", false)] {
            if self.takes_word(word) {
                let name = self.process()?;
                self.expect(".")?;
                // As far to the right as it goes.
                let body = Box::new(self.behind(std::slice::from_ref(&name))?);
                return Ok(match every {
                    true => Expression::Forall(name, body),
                    false => Expression::Exists(name, body),
                });
            }
        }
        for (word, every) in [("forall", true), ("exists", false)] {
            if self.takes_word(word) {
                return self.for_different(every);
            }
        }
        if self.takes_word("if") {
            return self.choice();
        }
        let start = self.cursor.peek().span.start;
        if self.takes("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            // A term may stand in brackets, too.
            return match inner {
                Expression::Bare(mut term) => {
                    term.parts = self.times(start, term.parts)?;
                    self.compared(start, term)
                }
                other => Ok(other),
            };
        }
        if self.cursor.is(Kind::Word) && self.cursor.peek_at(1).kind == Kind::Sign("(") {
            return self.applied();
        }
        let left = self.term()?;
        self.compared(start, left)
    }

    /// What may stand behind a term: more of a sum, and what it is compared with.
    fn compared(&mut self, start: usize, mut left: Written) -> Parsed<Expression> {
        self.sum(&mut left.parts)?;
        left.span = self.cursor.span_from(start);
        for sign in ["=", "<>", "<=", ">=", "<", ">", "==", "!="] {
            if self.takes(sign) {
                let right = self.term()?;
                return Ok(Expression::Compare(left, sign, right));
            }
        }
        Ok(Expression::Bare(left))
    }

    /// `forall x <> y. …`: different processes.
    fn for_different(&mut self, every: bool) -> Parsed<Expression> {
        let mut names = vec![self.process()?];
        while self.takes("<>") || self.takes(",") || self.cursor.is(Kind::Word) {
            names.push(self.process()?);
        }
        self.expect(".")?;
        let body = Box::new(self.behind(&names)?);
        Ok(Expression::Quantified(every, names, body))
    }

    /// What stands behind a quantifier.
    fn behind(&mut self, names: &[Name]) -> Parsed<Expression> {
        let before = self.bound.len();
        self.bound
            .extend(names.iter().map(|name| name.text.clone()));
        let body = self.expression();
        self.bound.truncate(before);
        body
    }

    fn choice(&mut self) -> Parsed<Expression> {
        let condition = self.expression()?;
        self.expect_word("then")?;
        let yes = self.expression()?;
        self.expect_word("else")?;
        let no = self.expression()?;
        let not = Expression::Not(Box::new(condition.clone()));
        Ok(Expression::And(vec![
            Expression::Or(vec![not, yes]),
            Expression::Or(vec![condition, no]),
        ]))
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        match self.takes_word(word) {
            true => Ok(()),
            false => Err(self.cursor.unexpected(&format!("`{word}`"))),
        }
    }

    fn applied(&mut self) -> Parsed<Expression> {
        let name = self.name("the name of a predicate")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        Ok(Expression::Applied(name, arguments))
    }
}

/// Bad where all processes are such: said of some different ones and of all others.
fn everybody(said: Quantified) -> Quantified {
    let every =
        Expression::Quantified(true, said.processes.clone(), Box::new(said.formula.clone()));
    match said.processes.is_empty() {
        true => said,
        false => Quantified {
            formula: Expression::And(vec![said.formula.clone(), every]),
            ..said
        },
    }
}

/// One part is itself.
fn alone(mut parts: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts),
    }
}
