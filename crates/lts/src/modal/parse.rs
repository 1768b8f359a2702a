//! From text to formulas.

use quotient_core::{Diagnostic, Source, Span};

use super::{Happening, Modal, Part};

/// Deeper formulas nobody writes.
const DEEPEST: usize = 200;

/// More parts than this come only from regular expressions that are copied again and again.
const MOST_PARTS: usize = 100_000;

pub(super) fn parse(source: &Source) -> Result<Modal, Diagnostic> {
    let mut parser = Parser {
        source,
        at: 0,
        depth: 0,
    };
    let tree = parser.formula()?;
    if parser.peek().is_some() {
        return Err(parser.expected("an operator or the end of the formula"));
    }
    let depth = tree.fixpoints();
    let mut writer = Writer {
        source,
        parts: Vec::new(),
        bound: Vec::new(),
        depth,
    };
    let root = writer.write(&tree, true)?;
    let parts = writer.parts.into_iter().map(|part| match part {
        Some(part) => part,
        None => Part::Constant(false),
    });
    Ok(Modal {
        parts: parts.collect(),
        root,
    })
}

/// A formula as it is written.
enum Tree {
    Constant(bool),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    /// `<…>` (true) or `[…]`.
    Step(bool, Regular, Box<Tree>),
    /// `nu` (true) or `mu`.
    Fixpoint(bool, String, Box<Tree>),
    Variable(String, Span),
}

/// What happens in brackets.
enum Regular {
    One(Happening),
    Then(Box<Regular>, Box<Regular>),
    Either(Box<Regular>, Box<Regular>),
    Again(Box<Regular>),
}

impl Tree {
    /// How deep fixpoints lie in each other.
    fn fixpoints(&self) -> u32 {
        match self {
            Tree::Constant(_) | Tree::Variable(..) => 0,
            Tree::Not(one) => one.fixpoints(),
            Tree::And(left, right) | Tree::Or(left, right) => {
                left.fixpoints().max(right.fixpoints())
            }
            Tree::Step(_, what, then) => what.fixpoints() + then.fixpoints(),
            Tree::Fixpoint(_, _, of) => 1 + of.fixpoints(),
        }
    }
}

impl Regular {
    fn fixpoints(&self) -> u32 {
        match self {
            Regular::One(_) => 0,
            Regular::Then(one, other) => one.fixpoints() + other.fixpoints(),
            Regular::Either(one, other) => one.fixpoints().max(other.fixpoints()),
            Regular::Again(one) => 1 + one.fixpoints(),
        }
    }
}

/// Writes the parts of a formula, negations pushed down.
struct Writer<'a> {
    source: &'a Source,
    /// A fixpoint has its place before what it is made of.
    parts: Vec<Option<Part>>,
    /// The variables in force: name, place of the fixpoint, and whether it stands under an even
    /// number of negations.
    bound: Vec<(String, usize, bool)>,
    /// The number of fixpoints that may still lie inside.
    depth: u32,
}

impl Writer<'_> {
    fn add(&mut self, part: Part) -> Result<usize, Diagnostic> {
        self.parts.push(Some(part));
        self.check_size()?;
        Ok(self.parts.len() - 1)
    }

    fn check_size(&self) -> Result<(), Diagnostic> {
        match self.parts.len() > MOST_PARTS {
            true => Err(Diagnostic::error(
                "formula-too-large",
                format!("the formula has more than {MOST_PARTS} parts"),
            )
            .in_source(self.source)),
            false => Ok(()),
        }
    }

    /// A fixpoint whose body is made once its place is known.
    fn fixpoint(
        &mut self,
        greatest: bool,
        body: impl FnOnce(&mut Self, usize) -> Result<usize, Diagnostic>,
    ) -> Result<usize, Diagnostic> {
        let place = self.parts.len();
        self.parts.push(None);
        self.check_size()?;
        let priority = 2 * self.depth.max(1) + u32::from(!greatest);
        self.depth = self.depth.saturating_sub(1);
        let of = body(self, place)?;
        self.depth += 1;
        self.parts[place] = Some(Part::Fixpoint { of, priority });
        Ok(place)
    }

    /// A part, or the opposite of it.
    fn write(&mut self, tree: &Tree, sign: bool) -> Result<usize, Diagnostic> {
        match tree {
            Tree::Constant(value) => self.add(Part::Constant(*value == sign)),
            Tree::Not(one) => self.write(one, !sign),
            Tree::And(left, right) | Tree::Or(left, right) => {
                let both = matches!(tree, Tree::And(..)) == sign;
                let (left, right) = (self.write(left, sign)?, self.write(right, sign)?);
                self.add(match both {
                    true => Part::And(left, right),
                    false => Part::Or(left, right),
                })
            }
            Tree::Step(can, what, then) => {
                // Fixpoints of the expression are outside those of what follows.
                let inner = self.depth;
                self.depth = inner.saturating_sub(what.fixpoints());
                let then = self.write(then, sign)?;
                self.depth = inner;
                self.step(*can == sign, what, then)
            }
            Tree::Fixpoint(greatest, name, of) => {
                let greatest = *greatest == sign;
                self.fixpoint(greatest, |writer, place| {
                    writer.bound.push((name.clone(), place, sign));
                    let of = writer.write(of, sign);
                    writer.bound.pop();
                    of
                })
            }
            Tree::Variable(name, span) => {
                let bound = self.bound.iter().rev().find(|bound| bound.0 == *name);
                match bound {
                    Some(&(_, place, own)) if own == sign => self.add(Part::Variable(place)),
                    Some(_) => Err(Diagnostic::error(
                        "formula-not-monotone",
                        format!("`{name}` stands under an odd number of negations"),
                    )
                    .at(self.source, *span, "negated here")
                    .help("a fixpoint needs its variable under none or two of them")),
                    None => Err(Diagnostic::error(
                        "formula-unbound",
                        format!("nothing binds `{name}`"),
                    )
                    .at(self.source, *span, "unknown here")
                    .help(format!("write `mu {name}. …` or `nu {name}. …` around it"))),
                }
            }
        }
    }

    /// What happens, and what holds after it can or must.
    fn step(&mut self, can: bool, what: &Regular, then: usize) -> Result<usize, Diagnostic> {
        match what {
            Regular::One(actions) => {
                let actions = actions.clone();
                self.add(match can {
                    true => Part::Can(actions, then),
                    false => Part::Must(actions, then),
                })
            }
            Regular::Then(first, second) => {
                let then = self.step(can, second, then)?;
                self.step(can, first, then)
            }
            Regular::Either(one, other) => {
                let (one, other) = (self.step(can, one, then)?, self.step(can, other, then)?);
                self.add(match can {
                    true => Part::Or(one, other),
                    false => Part::And(one, other),
                })
            }
            // Again and again, and at last what holds: a least fixpoint where it can be, a
            // greatest where it must.
            Regular::Again(one) => self.fixpoint(!can, |writer, place| {
                let again = writer.add(Part::Variable(place))?;
                let more = writer.step(can, one, again)?;
                writer.add(match can {
                    true => Part::Or(then, more),
                    false => Part::And(then, more),
                })
            }),
        }
    }
}

struct Parser<'a> {
    source: &'a Source,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.source.text()[self.at..]
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn require(&mut self, sign: &str) -> Result<(), Diagnostic> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{sign}`"))),
        }
    }

    fn expected(&mut self, what: &str) -> Diagnostic {
        let (found, width) = match self.peek() {
            Some(found) => (format!("`{}`", found.escape_default()), found.len_utf8()),
            None => ("the end of the formula".to_owned(), 0),
        };
        Diagnostic::error("formula-syntax", format!("expected {what}, found {found}"))
            .at(self.source, Span::new(self.at, self.at + width), "here")
            .note("formulas read like `nu X. <true>true && [true]X` or `[true*.a]<b>true`")
    }

    fn nested<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// `p => q`, which binds weakest.
    fn formula(&mut self) -> Result<Tree, Diagnostic> {
        let left = self.disjunction()?;
        if !self.take("=>") {
            return Ok(left);
        }
        let right = self.nested(Parser::formula)?;
        let left = Box::new(Tree::Not(Box::new(left)));
        Ok(Tree::Or(left, Box::new(right)))
    }

    fn disjunction(&mut self) -> Result<Tree, Diagnostic> {
        let mut all = vec![self.conjunction()?];
        while self.take("||") {
            all.push(self.conjunction()?);
        }
        Ok(balanced(all, &|one, other| Tree::Or(one, other)))
    }

    fn conjunction(&mut self) -> Result<Tree, Diagnostic> {
        let mut all = vec![self.nested(Parser::unary)?];
        while self.take("&&") {
            all.push(self.nested(Parser::unary)?);
        }
        Ok(balanced(all, &|one, other| Tree::And(one, other)))
    }

    fn unary(&mut self) -> Result<Tree, Diagnostic> {
        if self.take("!") {
            return Ok(Tree::Not(Box::new(self.nested(Parser::unary)?)));
        }
        if self.take("(") {
            let inner = self.nested(Parser::formula)?;
            self.require(")")?;
            return Ok(inner);
        }
        for (open, close, can) in [("<", ">", true), ("[", "]", false)] {
            if self.take(open) {
                let what = self.nested(Parser::choice)?;
                self.require(close)?;
                let then = self.nested(Parser::unary)?;
                return Ok(Tree::Step(can, what, Box::new(then)));
            }
        }
        let (start, name) = (self.at, self.plain_name());
        let span = Span::new(start, self.at);
        match name.as_deref() {
            Some("true") => Ok(Tree::Constant(true)),
            Some("false") => Ok(Tree::Constant(false)),
            Some(binder @ ("mu" | "nu")) => {
                let greatest = binder == "nu";
                let Some(name) = self.plain_name() else {
                    return Err(self.expected("the name of a variable"));
                };
                self.require(".")?;
                let of = self.nested(Parser::formula)?;
                Ok(Tree::Fixpoint(greatest, name, Box::new(of)))
            }
            Some(name) => Ok(Tree::Variable(name.to_owned(), span)),
            None => Err(self.expected("a formula")),
        }
    }

    /// `a + b`: one or the other.
    fn choice(&mut self) -> Result<Regular, Diagnostic> {
        let mut left = self.sequence()?;
        let mut length = 0;
        while self.take("+") {
            let right = self.sequence()?;
            left = Regular::Either(Box::new(left), Box::new(right));
            length += 1;
            self.check_length(length)?;
        }
        Ok(left)
    }

    /// `a; b`: one after the other.
    fn sequence(&mut self) -> Result<Regular, Diagnostic> {
        let first = self.repeated()?;
        if self.take(";") || self.take(".") {
            let rest = self.nested(Parser::sequence)?;
            return Ok(Regular::Then(Box::new(first), Box::new(rest)));
        }
        Ok(first)
    }

    fn repeated(&mut self) -> Result<Regular, Diagnostic> {
        let mut inner = match self.take("(") {
            true => {
                let inner = self.nested(Parser::choice)?;
                self.require(")")?;
                inner
            }
            false => Regular::One(self.actions()?),
        };
        let mut length = 0;
        while self.take("*") {
            inner = Regular::Again(Box::new(inner));
            length += 1;
            self.check_length(length)?;
        }
        Ok(inner)
    }

    /// Long lists are as deep as they are long.
    fn check_length(&self, length: usize) -> Result<(), Diagnostic> {
        match length < DEEPEST {
            true => Ok(()),
            false => Err(self.too_deep()),
        }
    }

    fn too_deep(&self) -> Diagnostic {
        Diagnostic::error("too-deep", "this is nested too deeply").at(
            self.source,
            Span::new(self.at, self.at),
            "here",
        )
    }

    /// `a || b`: any of these.
    fn actions(&mut self) -> Result<Happening, Diagnostic> {
        let mut all = self.some_actions()?;
        while self.take("||") {
            all = union(&all, &self.some_actions()?);
        }
        Ok(all)
    }

    fn some_actions(&mut self) -> Result<Happening, Diagnostic> {
        if self.take("!") {
            let mut actions = self.nested(Parser::some_actions)?;
            actions.others = !actions.others;
            return Ok(actions);
        }
        if self.take("{") {
            let mut names = vec![self.member()?];
            while self.take(",") {
                names.push(self.member()?);
            }
            self.require("}")?;
            return Ok(Happening {
                names: names.into(),
                others: false,
            });
        }
        let quoted = self.peek() == Some('"');
        let name = self.action()?;
        let all = |others: bool| Happening {
            names: [].into(),
            others,
        };
        Ok(match name.as_str() {
            "true" if !quoted => all(true),
            "false" if !quoted => all(false),
            _ => Happening {
                names: [name].into(),
                others: false,
            },
        })
    }

    /// An action of a set, where `true` and `false` would be names of actions without a word.
    fn member(&mut self) -> Result<String, Diagnostic> {
        let quoted = self.peek() == Some('"');
        let start = self.at;
        let name = self.action()?;
        if quoted || !is_constant(&name) {
            return Ok(name);
        }
        let message = format!("`{name}` is no action of a set");
        Err(Diagnostic::error("formula-syntax", message)
            .at(self.source, Span::new(start, self.at), "here")
            .help(format!("if an action is called so, write `\"{name}\"`")))
    }

    /// The name of an action: `client.1.grant`, `client[1].grant`, or anything in quotes.
    fn action(&mut self) -> Result<String, Diagnostic> {
        if self.take("\"") {
            let Some(length) = self.rest().find('"') else {
                return Err(self.expected("`\"` after the name of an action"));
            };
            let name = self.rest()[..length].to_owned();
            self.at += length + 1;
            return Ok(name);
        }
        let Some(mut name) = self.plain_name() else {
            return Err(self.expected("an action"));
        };
        // `true.b` is any step and then `b`.
        if is_constant(&name) {
            return Ok(name);
        }
        loop {
            let rest = self.rest();
            let part = |text: &str| {
                let end = text.find(|c: char| !is_letter(c));
                end.unwrap_or(text.len())
            };
            if let Some(after) = rest.strip_prefix('.')
                && part(after) > 0
            {
                let length = part(after);
                name.push('.');
                name.push_str(&after[..length]);
                self.at += 1 + length;
            } else if let Some(after) = rest.strip_prefix('[')
                && let Some(end) = after.find(']')
                && end > 0
                && after[..end].chars().all(is_letter)
            {
                let index = after[..end].to_owned();
                name.push('.');
                name.push_str(&index);
                self.at += end + 2;
            } else {
                return Ok(name);
            }
        }
    }

    fn plain_name(&mut self) -> Option<String> {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        (!name.is_empty()).then_some(name)
    }
}

/// Whether a name without quotes says that any action is meant, or none.
fn is_constant(name: &str) -> bool {
    matches!(name, "true" | "false")
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '@')
}

/// A list under one operator as a tree that is not deep.
fn balanced(mut all: Vec<Tree>, join: &dyn Fn(Box<Tree>, Box<Tree>) -> Tree) -> Tree {
    if all.len() == 1
        && let Some(only) = all.pop()
    {
        return only;
    }
    let right = all.split_off(all.len() / 2);
    let (left, right) = (balanced(all, join), balanced(right, join));
    join(Box::new(left), Box::new(right))
}

/// All actions of two sets.
fn union(one: &Happening, other: &Happening) -> Happening {
    let keep = |names: &[String], of: &Happening, wanted: bool| -> Vec<String> {
        let kept = names.iter().filter(|name| of.includes(name) == wanted);
        kept.cloned().collect()
    };
    let names = match (one.others, other.others) {
        (false, false) => [&one.names[..], &other.names[..]].concat(),
        // What neither has.
        (true, _) => keep(&one.names, other, false),
        (false, true) => keep(&other.names, one, false),
    };
    Happening {
        names: names.into(),
        others: one.others || other.others,
    }
}
