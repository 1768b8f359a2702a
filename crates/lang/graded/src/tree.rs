//! What a file says, before its grades have a meaning.

use quotient_core::Span;

use crate::algebra::TableText;

/// A name or a grade with its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Spot {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    pub(crate) algebra: Option<Spot>,
    pub(crate) table: TableText,
    pub(crate) states: Vec<Spot>,
    /// So many states, called by their numbers.
    pub(crate) count: Option<(usize, Span)>,
    pub(crate) initial: Vec<Spot>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) propositions: Vec<Proposition>,
    pub(crate) programs: Vec<Definition>,
    /// Files of transitions, each with a name for them.
    pub(crate) transitions: Vec<(Spot, Option<Spot>)>,
    pub(crate) labels: Vec<Spot>,
    pub(crate) checks: Vec<Check>,
}

/// A variable of an imperative system.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: Spot,
    pub(crate) least: i64,
    pub(crate) most: i64,
    pub(crate) start: Option<i64>,
}

/// A proposition with its grades.
#[derive(Debug, Clone)]
pub(crate) struct Proposition {
    pub(crate) name: Spot,
    /// States with a grade, or with the neutral one.
    pub(crate) at: Vec<(Spot, Option<Spot>)>,
    /// A condition over the variables instead.
    pub(crate) when: Option<(Expression, Option<Spot>)>,
}

/// A program that a file defines.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) name: Spot,
    pub(crate) edges: Vec<(Spot, Spot, Option<Spot>)>,
    pub(crate) actions: Vec<Action>,
}

/// An alternative of an imperative program.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) when: Option<Expression>,
    pub(crate) assign: Vec<(Spot, Expression)>,
    pub(crate) grade: Option<GradeText>,
}

/// The grade of an action: as it is written, or computed.
#[derive(Debug, Clone)]
pub(crate) enum GradeText {
    Written(Spot),
    Computed(Expression),
}

/// An expression over the variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    Truth(bool),
    Variable(Spot),
    Minus(Box<Expression>),
    Not(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>, Span),
}

/// A property.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) name: Spot,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) formula: Formula,
    /// How the grade compares with one; at least as good as the neutral one if nothing is said.
    pub(crate) bound: Option<(&'static str, Spot)>,
    pub(crate) place: Place,
}

/// Where a property is asked.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// At the initial states; everywhere if there are none.
    Start,
    Everywhere,
    Somewhere,
    At(Vec<Spot>),
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Formula {
    True,
    False,
    Proposition(Spot),
    /// A grade in braces.
    Grade(Spot),
    /// A condition over the variables in braces.
    Condition(Expression),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Diamond(Program, Box<Formula>),
    Box(Program, Box<Formula>),
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Program {
    Named(Spot),
    Assign(Spot, Expression),
    Then(Box<Program>, Box<Program>),
    Choice(Box<Program>, Box<Program>),
    Star(Box<Program>),
    Test(Box<Formula>),
}

impl Formula {
    /// Calls `visit` for this formula and all parts of it, also in tests.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Formula)) {
        visit(self);
        match self {
            Formula::Not(inner) => inner.visit(visit),
            Formula::And(one, other)
            | Formula::Or(one, other)
            | Formula::Implies(one, other)
            | Formula::Iff(one, other) => {
                one.visit(visit);
                other.visit(visit);
            }
            Formula::Diamond(program, inner) | Formula::Box(program, inner) => {
                program.visit(visit);
                inner.visit(visit);
            }
            _ => {}
        }
    }

    /// The names of the programs in it.
    pub(crate) fn programs(&self) -> Vec<Spot> {
        let mut found = Vec::new();
        self.visit(&mut |part| {
            if let Formula::Diamond(program, _) | Formula::Box(program, _) = part {
                program.names(&mut found);
            }
        });
        found
    }

    /// The same with a proposition replaced everywhere.
    pub(crate) fn replaced(&self, name: &str, by: &Formula) -> Formula {
        let again = |part: &Formula| Box::new(part.replaced(name, by));
        match self {
            Formula::Proposition(spot) if spot.text == name => by.clone(),
            Formula::Not(inner) => Formula::Not(again(inner)),
            Formula::And(one, other) => Formula::And(again(one), again(other)),
            Formula::Or(one, other) => Formula::Or(again(one), again(other)),
            Formula::Implies(one, other) => Formula::Implies(again(one), again(other)),
            Formula::Iff(one, other) => Formula::Iff(again(one), again(other)),
            Formula::Diamond(program, inner) => {
                Formula::Diamond(program.replaced(name, by), again(inner))
            }
            Formula::Box(program, inner) => Formula::Box(program.replaced(name, by), again(inner)),
            same => same.clone(),
        }
    }
}

impl Program {
    fn visit(&self, visit: &mut dyn FnMut(&Formula)) {
        match self {
            Program::Test(formula) => formula.visit(visit),
            Program::Then(one, other) | Program::Choice(one, other) => {
                one.visit(visit);
                other.visit(visit);
            }
            Program::Star(inner) => inner.visit(visit),
            _ => {}
        }
    }

    fn names(&self, found: &mut Vec<Spot>) {
        match self {
            Program::Named(spot) => found.push(spot.clone()),
            Program::Then(one, other) | Program::Choice(one, other) => {
                one.names(found);
                other.names(found);
            }
            Program::Star(inner) => inner.names(found),
            _ => {}
        }
    }

    fn replaced(&self, name: &str, by: &Formula) -> Program {
        let again = |part: &Program| Box::new(part.replaced(name, by));
        match self {
            Program::Test(formula) => Program::Test(Box::new(formula.replaced(name, by))),
            Program::Then(one, other) => Program::Then(again(one), again(other)),
            Program::Choice(one, other) => Program::Choice(again(one), again(other)),
            Program::Star(inner) => Program::Star(again(inner)),
            same => same.clone(),
        }
    }
}
