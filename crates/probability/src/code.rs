//! Expressions as code for a small stack machine.

mod table;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use self::table::Table;
pub(crate) use self::table::{Kept, Tables};
use crate::number::Number;
use crate::{Expression, Function, Operator};

/// An expression, made ready to be evaluated many times.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    steps: Vec<Step>,
    /// The numbers of the text, each with bounds.
    numbers: Vec<(f64, f64, f64)>,
    tables: Vec<Rc<Table>>,
    /// Where all of it is comparisons that have to hold, these: most guards, for which no stack is
    /// needed.
    all: Box<[Test]>,
}

/// A variable compared with a number.
#[derive(Debug, Clone, Copy)]
struct Test {
    relation: Relation,
    variable: u32,
    number: f64,
}

#[derive(Debug, Clone, Copy)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Test {
    #[inline]
    fn holds(&self, variables: &[f64]) -> bool {
        let value = variables[self.variable as usize];
        match self.relation {
            Relation::Equal => value == self.number,
            Relation::Unequal => value != self.number,
            Relation::Less => value < self.number,
            Relation::AtMost => value <= self.number,
            Relation::Greater => value > self.number,
            Relation::AtLeast => value >= self.number,
        }
    }

    /// The comparison that an expression is, if it is one.
    fn new(expression: &Expression) -> Option<Test> {
        if let Expression::Not(part) = expression {
            let test = Test::new(part)?;
            let relation = match test.relation {
                Relation::Equal => Relation::Unequal,
                Relation::Unequal => Relation::Equal,
                Relation::Less => Relation::AtLeast,
                Relation::AtMost => Relation::Greater,
                Relation::Greater => Relation::AtMost,
                Relation::AtLeast => Relation::Less,
            };
            return Some(Test { relation, ..test });
        }
        let Expression::Two(operator, left, right) = expression else {
            return None;
        };
        let (variable, number, turned) = match (&**left, &**right) {
            (Expression::Variable(variable), Expression::Number(number, _)) => {
                (*variable, *number, false)
            }
            (Expression::Number(number, _), Expression::Variable(variable)) => {
                (*variable, *number, true)
            }
            _ => return None,
        };
        let relation = match (operator, turned) {
            (Operator::Equal, _) => Relation::Equal,
            (Operator::Unequal, _) => Relation::Unequal,
            (Operator::Less, false) => Relation::Less,
            (Operator::Less, true) => Relation::Greater,
            (Operator::AtMost, false) => Relation::AtMost,
            (Operator::AtMost, true) => Relation::AtLeast,
            _ => return None,
        };
        // Something that is no number compares with nothing.
        number.is_finite().then_some(Test {
            relation,
            variable: variable as u32,
            number,
        })
    }
}

/// Where a part of an operation is.
#[derive(Debug, Clone, Copy)]
enum Operand {
    /// On top of the stack.
    Top,
    Variable(u32),
    Number(u32),
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Push(Operand),
    /// A variable compared with a number: most of what guards do.
    Compare(Test),
    Two(Operator, Operand, Operand),
    Call(Function),
    Not,
    Negative,
    /// Over so many steps if the top is false, which is taken away.
    Unless(u32),
    /// Over so many steps.
    Skip(u32),
    /// Over so many steps if the top is false, which stays; else it is taken away.
    And(u32),
    /// Over so many steps if the top is true, which stays; else it is taken away.
    Or(u32),
    /// Over so many steps if a table has what they come to.
    Look(u32, u32),
    /// Keeps the top in a table, too.
    Keep(u32),
}

impl Code {
    /// Code for whatever values variables have.
    pub(crate) fn new(expression: &Expression) -> Code {
        Code::written(expression, None)
    }

    /// Code that looks up what it can.
    pub(crate) fn with_tables(expression: &Expression, tables: &mut Tables) -> Code {
        Code::written(expression, Some(tables))
    }

    fn written(expression: &Expression, mut tables: Option<&mut Tables>) -> Code {
        let mut code = Code {
            steps: Vec::new(),
            numbers: Vec::new(),
            tables: Vec::new(),
            all: Box::default(),
        };
        code.write(expression, &mut tables);
        let all = expression.conjuncts().into_iter().map(Test::new);
        code.all = all.collect::<Option<_>>().unwrap_or_default();
        code
    }

    /// The number, if it is always the same.
    pub(crate) fn constant<N: Number>(&self) -> Option<N> {
        match self.steps[..] {
            [Step::Push(Operand::Number(number))] => Some(self.number(number)),
            _ => None,
        }
    }

    #[inline]
    fn number<N: Number>(&self, number: u32) -> N {
        let (value, lower, upper) = self.numbers[number as usize];
        N::of(value, lower, upper)
    }

    #[inline]
    fn part<N: Number>(&self, at: Operand, variables: &[f64], stack: &mut Vec<N>) -> N {
        match at {
            Operand::Top => pop(stack),
            Operand::Variable(variable) => {
                let value = variables[variable as usize];
                N::of(value, value, value)
            }
            Operand::Number(number) => self.number(number),
        }
    }

    /// The value for these values of the variables; no number (NaN) if there is none, whatever the
    /// rest of the expression would make of it.
    #[inline]
    pub(crate) fn run<N: Kept>(&self, variables: &[f64], stack: &mut Vec<N>) -> N {
        if !self.all.is_empty() {
            return N::truth(self.all.iter().all(|test| test.holds(variables)));
        }
        if let [Step::Push(leaf)] = self.steps[..] {
            return self.part(leaf, variables, stack);
        }
        self.run_steps(variables, stack)
    }

    fn run_steps<N: Kept>(&self, variables: &[f64], stack: &mut Vec<N>) -> N {
        stack.clear();
        let mut at = 0;
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match *step {
                Step::Push(leaf) => {
                    let value = self.part(leaf, variables, stack);
                    stack.push(value);
                }
                Step::Compare(test) => stack.push(N::truth(test.holds(variables))),
                Step::Two(operator, left, right) => {
                    let right = self.part(right, variables, stack);
                    let left = self.part(left, variables, stack);
                    let value = N::two(operator, left, right);
                    if !value.value().is_finite() {
                        return N::NONE;
                    }
                    stack.push(value);
                }
                Step::Call(function) => {
                    let of = pop(stack);
                    let value = N::call(function, of);
                    if !value.value().is_finite() {
                        return N::NONE;
                    }
                    stack.push(value);
                }
                Step::Not => {
                    let of = pop(stack);
                    stack.push(N::truth(!of.holds()));
                }
                Step::Negative => {
                    let of = pop(stack);
                    stack.push(of.negative());
                }
                Step::Unless(over) => {
                    if !pop(stack).holds() {
                        at += over as usize;
                    }
                }
                Step::Skip(over) => at += over as usize,
                Step::And(over) => match stack.last() {
                    Some(top) if !top.holds() => at += over as usize,
                    _ => drop(stack.pop()),
                },
                Step::Or(over) => match stack.last() {
                    Some(top) if top.holds() => at += over as usize,
                    _ => drop(stack.pop()),
                },
                Step::Look(table, over) => {
                    if let Some(value) = self.tables[table as usize].look(variables) {
                        stack.push(value);
                        at += over as usize;
                    }
                }
                Step::Keep(table) => {
                    if let Some(&top) = stack.last() {
                        self.tables[table as usize].keep(variables, top);
                    }
                }
            }
        }
        pop(stack)
    }

    fn write(&mut self, expression: &Expression, tables: &mut Option<&mut Tables>) {
        let table = tables.as_mut().and_then(|tables| tables.of(expression));
        let Some(table) = table else {
            return self.write_steps(expression, tables);
        };
        let number = self.tables.len() as u32;
        self.tables.push(table);
        let look = self.steps.len();
        self.steps.push(Step::Look(number, 0));
        self.write_steps(expression, &mut None);
        self.steps.push(Step::Keep(number));
        self.steps[look] = Step::Look(number, (self.steps.len() - look - 1) as u32);
    }

    /// Where an operation finds a part of it, which is computed by steps unless it is a leaf.
    fn write_part(&mut self, part: &Expression, tables: &mut Option<&mut Tables>) -> Operand {
        match part {
            Expression::Number(value, exact) => {
                let lower = exact.as_deref().map_or(*value, quotient_markov::below);
                let upper = exact.as_deref().map_or(*value, quotient_markov::above);
                self.numbers.push((*value, lower, upper));
                Operand::Number((self.numbers.len() - 1) as u32)
            }
            Expression::Variable(variable) => Operand::Variable(*variable as u32),
            part => {
                self.write(part, tables);
                Operand::Top
            }
        }
    }

    fn write_steps(&mut self, expression: &Expression, tables: &mut Option<&mut Tables>) {
        match expression {
            Expression::Number(..) | Expression::Variable(_) => {
                let leaf = self.write_part(expression, tables);
                self.steps.push(Step::Push(leaf));
            }
            Expression::Not(part) => match Test::new(expression) {
                Some(test) => self.steps.push(Step::Compare(test)),
                None => {
                    self.write(part, tables);
                    self.steps.push(Step::Not);
                }
            },
            Expression::Negative(part) => {
                self.write(part, tables);
                self.steps.push(Step::Negative);
            }
            Expression::Call(function, part) => {
                self.write(part, tables);
                self.steps.push(Step::Call(*function));
            }
            Expression::Two(operator @ (Operator::And | Operator::Or), left, right) => {
                self.write(left, tables);
                let at = self.steps.len();
                self.steps.push(Step::Skip(0));
                self.write(right, tables);
                let over = (self.steps.len() - at - 1) as u32;
                self.steps[at] = match operator {
                    Operator::And => Step::And(over),
                    _ => Step::Or(over),
                };
            }
            Expression::Two(operator, left, right) => {
                if let Some(test) = Test::new(expression) {
                    self.steps.push(Step::Compare(test));
                    return;
                }
                let left = self.write_part(left, tables);
                let right = self.write_part(right, tables);
                self.steps.push(Step::Two(*operator, left, right));
            }
            Expression::If(condition, one, other) => {
                self.write(condition, tables);
                let first = self.steps.len();
                self.steps.push(Step::Skip(0));
                self.write(one, tables);
                let second = self.steps.len();
                self.steps.push(Step::Skip(0));
                self.write(other, tables);
                self.steps[first] = Step::Unless((second - first) as u32);
                self.steps[second] = Step::Skip((self.steps.len() - second - 1) as u32);
            }
        }
    }
}

/// The code never takes away more than it put there.
#[inline]
fn pop<N: Number>(stack: &mut Vec<N>) -> N {
    stack.pop().unwrap_or_else(|| N::truth(false))
}
