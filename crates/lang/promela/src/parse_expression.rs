//! Expressions and formulas.

use quotient_core::Diagnostic;

use crate::lex::{At, Kind, Token};
use crate::parse::{Parsed, Parser};
use crate::syntax::{Expression, Node, Reference, Sign};

/// Binary operators from the loosest to the tightest, as Spin's grammar has them.
const LEVELS: &[&[(&str, Sign)]] = &[
    &[
        ("->", Sign::Implies),
        ("implies", Sign::Implies),
        ("<->", Sign::Equivalent),
        ("equivalent", Sign::Equivalent),
    ],
    &[("||", Sign::Or)],
    &[("&&", Sign::And)],
    &[
        ("U", Sign::Until),
        ("until", Sign::Until),
        ("stronguntil", Sign::Until),
        ("W", Sign::WeakUntil),
        ("weakuntil", Sign::WeakUntil),
        ("V", Sign::Release),
        ("R", Sign::Release),
        ("release", Sign::Release),
    ],
    &[("|", Sign::BitOr)],
    &[("^", Sign::BitXor)],
    &[("&", Sign::BitAnd)],
    &[("==", Sign::Equal), ("!=", Sign::Different)],
    &[
        (">", Sign::Greater),
        ("<", Sign::Less),
        (">=", Sign::GreaterOrEqual),
        ("<=", Sign::LessOrEqual),
    ],
    &[("<<", Sign::ShiftLeft), (">>", Sign::ShiftRight)],
    &[("+", Sign::Plus), ("-", Sign::Minus)],
    &[("*", Sign::Times), ("/", Sign::Divide), ("%", Sign::Modulo)],
];

/// The most operators of an expression, and the height of its tree.
const MOST_NODES: usize = 4000;
const TALLEST: usize = 400;

/// The level of the operators of time.
const OF_TIME: usize = 3;

impl Parser {
    /// An expression; `->` is no part of it.
    pub(crate) fn expression(&mut self) -> Parsed<Node> {
        self.formula = false;
        self.whole(1)
    }

    /// A formula of linear time.
    pub(crate) fn formula(&mut self) -> Parsed<Node> {
        self.formula = true;
        let parsed = self.whole(0);
        self.formula = false;
        parsed
    }

    /// All of an expression: those who walk the tree need not fear its height.
    fn whole(&mut self, level: usize) -> Parsed<Node> {
        self.nodes = 0;
        let node = self.level(level)?;
        match is_lower(&node, TALLEST) {
            true => Ok(node),
            false => Err(self.wrong(node.at, "this expression nests too deeply")),
        }
    }

    /// Operators of this level and tighter ones.
    fn level(&mut self, least: usize) -> Parsed<Node> {
        let mut left = self.unary()?;
        'next: loop {
            for (level, signs) in LEVELS.iter().enumerate().skip(least) {
                let Some(sign) = self.binary(level, signs) else {
                    continue;
                };
                self.advance();
                self.deeper()?;
                let right = self.level(level + 1)?;
                self.leave();
                let at = left.at.to(right.at);
                let kind = Expression::Binary(sign, Box::new(left), Box::new(right));
                left = Node { kind, at };
                self.grown(&left)?;
                continue 'next;
            }
            return Ok(left);
        }
    }

    fn binary(&self, level: usize, signs: &[(&str, Sign)]) -> Option<Sign> {
        if (level == 0 || level == OF_TIME) && !self.formula {
            return None;
        }
        let token = self.peek();
        let found = signs.iter().find(|(text, _)| token.is(text));
        found.map(|(_, sign)| *sign)
    }

    fn prefix(&self, token: &Token) -> Option<(Sign, usize)> {
        if token.kind == Kind::Sign {
            match &*token.text {
                "!" => return Some((Sign::Not, 1)),
                "!!" => return Some((Sign::Not, 2)),
                "~" => return Some((Sign::Complement, 1)),
                "-" => return Some((Sign::Minus, 1)),
                "--" => return Some((Sign::Minus, 2)),
                _ => {}
            }
        }
        if !self.formula {
            return None;
        }
        match &*token.text {
            "[]" | "always" => Some((Sign::Always, 1)),
            "<>" | "eventually" => Some((Sign::Eventually, 1)),
            "X" | "next" => Some((Sign::Next, 1)),
            "not" => Some((Sign::Not, 1)),
            _ => None,
        }
    }

    fn unary(&mut self) -> Parsed<Node> {
        let token = self.peek().clone();
        if let Some((sign, times)) = self.prefix(&token) {
            self.advance();
            self.deeper()?;
            let mut inner = self.unary()?;
            self.leave();
            for _ in 0..times {
                let at = token.at.to(inner.at);
                let kind = Expression::Unary(sign, Box::new(inner));
                inner = Node { kind, at };
            }
            self.grown(&inner)?;
            return Ok(inner);
        }
        self.primary(token)
    }

    fn primary(&mut self, token: Token) -> Parsed<Node> {
        let node = |kind| Ok(Node { kind, at: token.at });
        if token.is("(") {
            return self.grouped();
        }
        if token.kind == Kind::Number {
            self.advance();
            return match token.text.parse::<i64>() {
                // Numbers of C wrap around as those of 32 bits do.
                Ok(value) if value <= i64::from(u32::MAX) => node(Expression::Number(value as i32)),
                _ => Err(self.wrong(token.at, format!("`{}` is too large a number", token.text))),
            };
        }
        if token.kind != Kind::Name {
            return Err(self.unexpected("an expression"));
        }
        match &*token.text {
            "true" | "skip" => {
                self.advance();
                node(Expression::Number(1))
            }
            "false" => {
                self.advance();
                node(Expression::Number(0))
            }
            "timeout" => {
                self.advance();
                node(Expression::Timeout)
            }
            "np_" => {
                self.advance();
                node(Expression::NoProgress)
            }
            "len" | "empty" | "nempty" | "full" | "nfull" if self.peek_at(1).is("(") => {
                self.advance();
                self.expect("(")?;
                let channel = self.reference()?;
                self.expect(")")?;
                let name = match &*token.text {
                    "len" => "len",
                    "empty" => "empty",
                    "nempty" => "nempty",
                    "full" => "full",
                    _ => "nfull",
                };
                node(Expression::Channel(name, channel))
            }
            "eval" | "enabled" | "pc_value" | "get_priority" if self.peek_at(1).is("(") => {
                self.advance();
                self.expect("(")?;
                let inner = Box::new(self.level(usize::from(!self.formula))?);
                self.expect(")")?;
                node(match &*token.text {
                    "eval" => Expression::Eval(inner),
                    "get_priority" => {
                        self.unit.uses_priorities = true;
                        Expression::Priority(inner)
                    }
                    "enabled" => Expression::Enabled(inner),
                    _ => Expression::Counter(inner),
                })
            }
            "run" => {
                self.advance();
                let name = self.name("the name of a proctype")?;
                self.expect("(")?;
                let arguments = self.arguments(")")?;
                self.expect(")")?;
                let priority = self.priority()?.map(Box::new);
                node(Expression::Run(name, arguments, priority))
            }
            "c_expr" => Err(self.unsupported(token.at, "C code in a model")),
            _ => self.named(),
        }
    }

    /// `( e )` or `( c -> a : b )`.
    fn grouped(&mut self) -> Parsed<Node> {
        let open = self.advance().at;
        self.deeper()?;
        // Within brackets a colon is not that of a choice around them.
        let around = std::mem::replace(&mut self.chosen, false);
        let inner = self.in_brackets(open);
        self.chosen = around;
        let inner = inner?;
        let close = self.expect(")")?;
        self.leave();
        self.grown(&inner)?;
        Ok(Node {
            at: open.to(close),
            ..inner
        })
    }

    fn in_brackets(&mut self, open: At) -> Parsed<Node> {
        let first = self.level(usize::from(!self.formula))?;
        let implied = match first.kind.clone() {
            // In a formula the arrow was taken for an implication.
            Expression::Binary(Sign::Implies, condition, then) if self.peek().is(":") => {
                Some((condition, then))
            }
            _ if !self.formula && self.peek().is("->") => {
                self.advance();
                let around = std::mem::replace(&mut self.chosen, true);
                let then = self.level(1);
                self.chosen = around;
                Some((Box::new(first.clone()), Box::new(then?)))
            }
            _ => None,
        };
        Ok(match implied {
            None => first,
            Some((condition, then)) => {
                self.expect(":")?;
                let other = Box::new(self.level(usize::from(!self.formula))?);
                Node {
                    kind: Expression::Choice(condition, then, other),
                    at: open,
                }
            }
        })
    }

    /// A variable, a poll of a channel, or something of another process.
    fn named(&mut self) -> Parsed<Node> {
        let start = self.position();
        let reference = self.reference()?;
        let at = reference.at;
        let next = self.peek().clone();
        if next.is("@") || (next.is(":") && self.peek_at(1).kind == Kind::Name && self.remote()) {
            self.rewind(start);
            return self.elsewhere();
        }
        let anywhere = next.is("??");
        if (anywhere || next.is("?")) && (self.peek_at(1).is("[") || self.peek_at(1).is("[]")) {
            self.advance();
            let empty = self.peek().is("[]");
            self.advance();
            let arguments = match empty {
                true => Vec::new(),
                false => {
                    let arguments = self.messages("]")?;
                    self.expect("]")?;
                    arguments
                }
            };
            return Ok(Node {
                kind: Expression::Poll {
                    channel: reference,
                    arguments,
                    anywhere,
                },
                at,
            });
        }
        Ok(Node {
            kind: Expression::Variable(reference),
            at,
        })
    }

    /// Whether `name:name` is a variable of another process: only in formulas and claims, where
    /// no labels are, or after an index.
    fn remote(&self) -> bool {
        self.peek_at_back(1).is("]") && !self.chosen || self.formula
    }

    fn elsewhere(&mut self) -> Parsed<Node> {
        let process = self.name("the name of a proctype")?;
        let at = process.at;
        let mut number = None;
        if self.takes("[") {
            number = Some(Box::new(self.level(usize::from(!self.formula))?));
            self.expect("]")?;
        }
        let kind = if self.takes("@") {
            let label = self.name("a label")?;
            Expression::Place(process, number, label)
        } else {
            self.expect(":")?;
            Expression::Remote(process, number, self.reference()?)
        };
        Ok(Node { kind, at })
    }

    /// `a[i].b`.
    pub(crate) fn reference(&mut self) -> Parsed<Reference> {
        let name = self.name("a variable")?;
        self.unit.uses_priorities |= &*name.text == "_priority";
        self.deeper()?;
        let mut index = None;
        if self.takes("[") {
            index = Some(Box::new(self.level(usize::from(!self.formula))?));
            self.expect("]")?;
        }
        let mut field = None;
        if self.peek().is(".") && self.peek_at(1).kind == Kind::Name {
            self.advance();
            field = Some(Box::new(self.reference()?));
        }
        self.leave();
        let end = self.last_at();
        Ok(Reference {
            name: name.text,
            at: name.at.to(end),
            index,
            field,
        })
    }

    /// Expressions between commas, up to a sign that is left.
    pub(crate) fn arguments(&mut self, end: &str) -> Parsed<Vec<Node>> {
        let mut found = Vec::new();
        while !self.peek().is(end) {
            found.push(self.level(usize::from(!self.formula))?);
            if !self.takes(",") {
                break;
            }
        }
        Ok(found)
    }

    /// The fields of a message: `a, b` or `a(b, c)`.
    pub(crate) fn messages(&mut self, end: &str) -> Parsed<Vec<Node>> {
        let mut found = Vec::new();
        while !self.peek().is(end) {
            found.push(self.level(usize::from(!self.formula))?);
            if self.takes("(") {
                found.extend(self.arguments(")")?);
                self.expect(")")?;
            }
            if !self.takes(",") {
                break;
            }
        }
        Ok(found)
    }

    /// A tree without end is a mistake, not a crash.
    fn grown(&mut self, node: &Node) -> Result<(), Diagnostic> {
        self.nodes += 1;
        match self.nodes > MOST_NODES {
            true => Err(self.wrong(node.at, "this expression is too large")),
            false => Ok(()),
        }
    }
}

/// Whether a tree is lower than so many levels.
fn is_lower(node: &Node, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return false;
    };
    match &node.kind {
        Expression::Unary(_, inner)
        | Expression::Eval(inner)
        | Expression::Enabled(inner)
        | Expression::Priority(inner)
        | Expression::Counter(inner) => is_lower(inner, levels),
        Expression::Binary(_, one, other) => is_lower(one, levels) && is_lower(other, levels),
        Expression::Choice(one, two, three) => {
            is_lower(one, levels) && is_lower(two, levels) && is_lower(three, levels)
        }
        Expression::Poll { arguments, .. } | Expression::Run(_, arguments, _) => {
            arguments.iter().all(|one| is_lower(one, levels))
        }
        _ => true,
    }
}
