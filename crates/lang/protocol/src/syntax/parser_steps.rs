//! Words to tree: steps and their actions.

use super::kinds::{of_kind, word};
use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::tree::*;

impl Parser<'_> {
    /// `NAME [of KIND] [in PART] [on M(v) from p] [with q, left r] [choose v : T] [one by one [from left]] : [when E] then A, A [or then A]`, or
    /// `NAME: import "file"`.
    pub(crate) fn step(&mut self) -> Parsed<Step> {
        let start = self.last_span();
        let name = self.name("the name of the step")?;
        let (mut witnesses, mut choices, mut one_by_one) = (Vec::new(), Vec::new(), None);
        let (mut kinds, mut received, mut part) = (Vec::new(), Vec::new(), None);
        loop {
            if self.takes_word("with") {
                loop {
                    let side = match self.side() {
                        Side::Any => Side::Other,
                        side => side,
                    };
                    let kind = self.kind_of_process()?;
                    let name = self.name("a name for the other process")?;
                    kinds.extend(kind.map(|kind| (Some(name.clone()), kind)));
                    witnesses.push((name, side));
                    if !self.takes(",") {
                        break;
                    }
                }
            } else if self.takes_word("of") {
                kinds.push((None, self.name("a kind of processes")?));
            } else if self.takes_word("in") {
                part = Some(self.name("a part of a round")?);
            } else if self.takes_word("on") {
                received.push(self.received()?);
            } else if self.takes_word("choose") {
                let name = self.name("a name for the value")?;
                self.expect(":")?;
                choices.push((name, self.kind()?));
            } else if self.takes_word("one") {
                let start = self.last_span();
                self.expect_word("by")?;
                self.expect_word("one")?;
                let order = self.order()?;
                one_by_one = Some((start.to(self.last_span()), order));
            } else {
                break;
            }
        }
        self.expect(":")?;
        if let Some(import) = self.import()? {
            return Ok(Step {
                name,
                span: start.to(self.last_span()),
                witnesses,
                kinds,
                received,
                choices,
                one_by_one,
                import: Some(import),
                guard: None,
                alternatives: Vec::new(),
                fault: false,
                carried: Vec::new(),
                fairness: Fairness::default(),
                part,
            });
        }
        let guard = if self.takes_word("when") {
            Some(self.expression()?)
        } else {
            None
        };
        self.expect_word("then")?;
        let mut alternatives = vec![self.actions()?];
        while self.peek_word("or") && self.peek_word_at(1, "then") {
            self.next();
            self.next();
            alternatives.push(self.actions()?);
        }
        Ok(Step {
            name,
            span: start.to(self.last_span()),
            witnesses,
            kinds,
            received,
            choices,
            one_by_one,
            import: None,
            guard,
            alternatives,
            fault: false,
            carried: Vec::new(),
            fairness: Fairness::default(),
            part,
        })
    }

    /// `step …` behind `fair` or `strong fair`.
    pub(crate) fn fair_step(&mut self, fairness: Fairness) -> Parsed<Step> {
        self.expect_word("step")?;
        let step = self.step()?;
        Ok(Step { fairness, ..step })
    }

    /// `from left` or `from right`, if it stands here.
    fn order(&mut self) -> Parsed<Order> {
        if !self.takes_word("from") {
            return Ok(Order::Any);
        }
        if self.takes_word("left") {
            return Ok(Order::FromLeft);
        }
        self.expect_word("right")?;
        Ok(Order::FromRight)
    }

    fn actions(&mut self) -> Parsed<Vec<Action>> {
        // `then skip` does nothing, on purpose.
        if self.takes_word("skip") {
            return Ok(Vec::new());
        }
        let mut actions = vec![self.action()?];
        while self.takes(",") || (self.peek() == &Token::Mark(";") && self.more_actions()) {
            actions.push(self.action()?);
        }
        Ok(actions)
    }

    /// A `;` separates two actions unless an item of the file follows.
    fn more_actions(&mut self) -> bool {
        self.takes(";");
        match self.peek() {
            Token::Name(name) => !super::parser::ITEMS.contains(&name.as_str()),
            _ => false,
        }
    }

    fn action(&mut self) -> Parsed<Action> {
        const CHANNEL: [(&str, Operation); 5] = [
            ("push", Operation::Push),
            ("pop", Operation::Pop),
            ("send", Operation::Send),
            ("receive", Operation::Receive),
            ("record", Operation::Record),
        ];
        // A verb is followed by a name; a variable of the same spelling by `:=` or `.`.
        let verb = matches!(self.peek_ahead(), Token::Name(_));
        if verb && self.peek_word("send") && self.sends_message() {
            self.next();
            return self.send_message();
        }
        for (word, operation) in CHANNEL {
            if verb && self.takes_word(word) {
                let channel = self.name("a stack, queue or log")?;
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                return Ok(Action::Channel {
                    operation,
                    channel,
                    value,
                });
            }
        }
        if verb && self.takes_word("move") {
            let who = self.name("a process")?;
            let to = if self.takes_word("to") {
                self.end_position()?
            } else {
                self.beside_position()?
            };
            return Ok(Action::Move { who, to });
        }
        if verb && self.takes_word("create") {
            let start = self.last_span();
            let at = if self.takes_word("at") {
                self.end_position()?
            } else {
                self.beside_position()?
            };
            let mut values = Vec::new();
            if self.takes("{") {
                while !self.takes("}") {
                    if !values.is_empty() {
                        self.expect(",")?;
                    }
                    let field = self.name("a variable of the new process")?;
                    self.expect("=")?;
                    values.push((field, self.expression()?));
                }
            }
            return Ok(Action::Create {
                at,
                values,
                span: start.to(self.last_span()),
            });
        }
        if verb && self.takes_word("remove") {
            return Ok(Action::Remove {
                who: self.name("a process")?,
            });
        }
        if self.takes_word("for") {
            return self.broadcast();
        }
        if self.peek_word("if") {
            let message = "an action cannot begin with `if`: each action of a step happens";
            return Err(self
                .error("conditional-action", message, self.peek_span())
                .help("write `x := if … then … else …`, or a step for each case"));
        }
        let (target, value) = self.assignment()?;
        Ok(Action::Assign { target, value })
    }

    /// `for p [where E] { p.x := e, … }`, also `for other p`, `for left p`, `for right p`.
    fn broadcast(&mut self) -> Parsed<Action> {
        if self.peek_word("each") && matches!(self.peek_ahead(), Token::Name(_)) {
            let span = self.peek_span();
            return Err(self
                .error(
                    "syntax",
                    "expected a name for the process, found `each`",
                    span,
                )
                .help(
                    "write `for p { … }` for all processes, `for other p { … }` for all others",
                ));
        }
        let side = self.side();
        let kind = self.kind_of_process()?;
        let name = self.name("a name for the process")?;
        let mut only = if self.takes_word("where") {
            Some(self.expression()?)
        } else {
            None
        };
        if kind.is_some() {
            let rest = only.unwrap_or_else(|| word("true", name.span));
            let names = std::slice::from_ref(&name);
            only = Some(of_kind(&[kind], names, true, rest));
        }
        self.expect("{")?;
        let mut assignments = Vec::new();
        while !self.takes("}") {
            if !assignments.is_empty() && !self.takes(";") {
                self.expect(",")?;
            }
            assignments.push(self.assignment()?);
        }
        Ok(Action::Broadcast {
            name,
            side,
            only,
            assignments,
        })
    }

    fn assignment(&mut self) -> Parsed<(Target, Value)> {
        let first = self.name("an action, as in `x := 1`")?;
        let target = if self.takes(".") {
            let (owner, field) = self.behind_dot(first)?;
            Target {
                owner: Some(owner),
                field,
                index: self.index()?,
            }
        } else {
            Target {
                owner: None,
                field: first,
                index: self.index()?,
            }
        };
        self.expect(":=")?;
        let value = if self.takes_word("any") {
            let span = self.last_span();
            // `any` of a set or a range, or of all values of the variable.
            match self.peek() {
                Token::Mark("{") => {
                    let set = self.prefix()?;
                    match set.kind {
                        Kind::Set(values) if !values.is_empty() => Value::OneOf(values, set.span),
                        _ => {
                            return Err(self
                                .error("no-set", "nothing is in this set", set.span)
                                .help("as in `x := any { a, b }`, or `x := any` for all values"));
                        }
                    }
                }
                Token::Number(_) | Token::Mark("-") => Value::Any(Some(self.kind()?), span),
                _ => Value::Any(None, span),
            }
        } else {
            Value::Exactly(self.expression()?)
        };
        Ok((target, value))
    }

    /// `left end` or `right end`.
    fn end_position(&mut self) -> Parsed<Position> {
        let position = if self.takes_word("left") {
            Position::LeftEnd
        } else {
            self.expect_word("right")?;
            Position::RightEnd
        };
        self.expect_word("end")?;
        Ok(position)
    }

    /// `before q` or `after q`.
    fn beside_position(&mut self) -> Parsed<Position> {
        if self.takes_word("before") {
            return Ok(Position::Before(self.name("a process")?));
        }
        self.expect_word("after")?;
        Ok(Position::After(self.name("a process")?))
    }
}
