//! Transitions and what they write.

use quotient_language::text::Parsed;

use super::{HEADS, Parser};
use crate::lex::Kind;
use crate::tree::{Assignment, Expression, Name, Part, Step, Written};

/// Conditions with what they give; a missing condition always applies, a missing value is any.
type Cases = Vec<(Option<Expression>, Option<Written>)>;

impl Parser<'_> {
    pub(super) fn transition(&mut self, start: usize) -> Parsed<Step> {
        let name = self.name("the name of a transition")?;
        let processes = self.processes()?;
        let mut guard = Expression::And(Vec::new());
        // `require`, `uguard` and `assign { … }` are how older files say it.
        if self.takes_word("requires") || self.takes_word("require") {
            self.expect("{")?;
            if !self.takes("}") {
                guard = self.expression()?;
                self.expect("}")?;
            }
        }
        while self.takes_word("uguard") {
            guard = Expression::And(vec![guard, self.of_all_others()?]);
        }
        let braced = self.takes("{");
        let mut assignments = Vec::new();
        while self.cursor.is(Kind::Word) && (braced || !HEADS.iter().any(|head| self.is_word(head)))
        {
            if !braced && self.is_word("assign") && self.cursor.peek_at(1).kind == Kind::Sign("{") {
                self.cursor.advance();
                self.assigned(&mut assignments)?;
                continue;
            }
            if self.is_word("let") && self.cursor.peek_at(1).kind == Kind::Word {
                self.cursor.advance();
                self.name_term()?;
                continue;
            }
            assignments.push(self.assignment()?);
            if !self.takes(";") && braced {
                break;
            }
        }
        if braced {
            self.expect("}")?;
        }
        self.named.clear();
        Ok(Step {
            name,
            processes,
            guard,
            assignments,
            span: self.cursor.span_from(start),
        })
    }

    /// `(j) { … }` behind `uguard`: what must hold of all others.
    fn of_all_others(&mut self) -> Parsed<Expression> {
        self.expect("(")?;
        let name = self.process()?;
        self.expect(")")?;
        self.expect("{")?;
        let body = self.expression()?;
        self.expect("}")?;
        Ok(Expression::Forall(name, Box::new(body)))
    }

    /// `x = … in` behind `let`: a name for a term, as it is before the transition.
    fn name_term(&mut self) -> Parsed<()> {
        let name = self.name("a name for a term")?;
        self.expect("=")?;
        let term = self.term()?;
        self.expect_word("in")?;
        self.named.push((name.text, term));
        Ok(())
    }

    /// `{ … }` behind `assign`.
    fn assigned(&mut self, assignments: &mut Vec<Assignment>) -> Parsed<()> {
        self.expect("{")?;
        while self.cursor.is(Kind::Word) {
            assignments.push(self.assignment()?);
            if !self.takes(";") {
                break;
            }
        }
        self.expect("}").map(drop)
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let variable = self.name("the name of a variable")?;
        let indices = self.indices()?;
        self.expect(":=")?;
        let mut cases = Vec::new();
        let old = self.takes("{");
        if old || self.takes_word("case") {
            while self.takes("|") {
                let condition = match self.takes_word("_") {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect(":")?;
                self.value(condition, &mut cases)?;
            }
            if cases.is_empty() {
                return Err(self.cursor.unexpected("`|` and a case"));
            }
            if old {
                self.expect("}")?;
            }
        } else {
            self.value(None, &mut cases)?;
        }
        Ok(Assignment {
            variable,
            indices,
            cases,
        })
    }

    /// What is assigned under a condition: a term, `?` or `.` for any value, `if … then … else …`,
    /// or whether a formula holds.
    fn value(&mut self, condition: Option<Expression>, cases: &mut Cases) -> Parsed<()> {
        if self.takes("?") || self.takes(".") {
            cases.push((condition, None));
            return Ok(());
        }
        if self.takes_word("if") {
            self.cursor.enter()?;
            let chosen = self.choice_of_values(condition, cases);
            self.cursor.leave();
            return chosen;
        }
        let start = self.cursor.peek().span.start;
        match self.expression()? {
            Expression::Bare(term) => cases.push((condition, Some(term))),
            formula => {
                let span = self.cursor.span_from(start);
                let truth = |text: &str| {
                    let name = Name {
                        text: text.into(),
                        span,
                    };
                    let parts = vec![(1, Part::Named(name, Vec::new()))];
                    Some(Written { parts, span })
                };
                cases.push((both(&condition, formula), truth("True")));
                cases.push((condition, truth("False")));
            }
        }
        Ok(())
    }

    /// `c then … else …` behind `if`.
    fn choice_of_values(&mut self, condition: Option<Expression>, cases: &mut Cases) -> Parsed<()> {
        let asked = self.expression()?;
        self.expect_word("then")?;
        self.value(both(&condition, asked), cases)?;
        self.expect_word("else")?;
        self.value(condition, cases)
    }
}

fn both(first: &Option<Expression>, second: Expression) -> Option<Expression> {
    Some(match first {
        None => second,
        Some(first) => Expression::And(vec![first.clone(), second]),
    })
}
