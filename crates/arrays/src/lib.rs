//! Systems of any number of processes whose state is variables and arrays indexed by processes.
//!
//! This is plain data, shared by the language that reads such systems, the engine that searches
//! them and the checker that believes neither. [`Instance`] says what a system does with a given
//! number of processes; everything else is measured against it.
//!
//! ```
//! use quotient_arrays::{Domain, Formula, Instance, System, Variable};
//! let system = System {
//!     enumerations: vec![vec!["off".into(), "on".into()]],
//!     variables: vec![Variable::array("light", 1, Domain::Enumeration(0))],
//!     ..System::default()
//! };
//! assert_eq!(Instance::new(&system, 3).cells(), 3);
//! ```

mod instance;

pub use instance::{Instance, State, different};
use quotient_core::Span;
use serde::{Deserialize, Serialize};

/// A system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct System {
    /// The values of each enumeration, by name.
    pub enumerations: Vec<Vec<String>>,
    /// What a state has.
    pub variables: Vec<Variable>,
    /// How it begins.
    pub start: Start,
    /// What must never happen.
    pub bad: Vec<Bad>,
    /// What it does.
    pub transitions: Vec<Transition>,
}

/// A variable, or an array with a value for each process or pair of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// What it is called.
    pub name: String,
    /// How many processes it is indexed by: none, one or two.
    pub arity: usize,
    /// What its values are.
    pub domain: Domain,
}

impl Variable {
    /// A variable with a value for every tuple of so many processes.
    pub fn array(name: impl Into<String>, arity: usize, domain: Domain) -> Variable {
        Variable {
            name: name.into(),
            arity,
            domain,
        }
    }
}

/// What values there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Those of an enumeration, by its number in [`System::enumerations`].
    Enumeration(usize),
    /// The processes.
    Process,
    /// Values of which nothing is known but whether two are the same, by the number of their type.
    Opaque(usize),
    /// Whole numbers.
    Integer,
}

/// How a system begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// For how many different processes the formula must hold, whichever they are.
    pub processes: usize,
    /// The formula over these processes.
    pub formula: Formula,
}

/// What must never happen: that there are different processes for which a formula holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// What it is called.
    pub name: String,
    /// How many different processes.
    pub processes: usize,
    /// The formula over them.
    pub formula: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A step that different processes take together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// What it is called.
    pub name: String,
    /// How many different processes take part.
    pub processes: usize,
    /// When it is possible.
    pub guard: Formula,
    /// What it changes, all at once.
    pub updates: Vec<Update>,
    /// Where it stands.
    pub span: Span,
}

/// The new value of a variable, at every index of it.
///
/// The processes of the transition are followed by those of the index: in the cases of an array
/// with one index of a transition of two processes, process 2 is the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The number of the variable.
    pub variable: usize,
    /// The first case that applies gives the value; if none does, it stays.
    pub cases: Vec<(Formula, Value)>,
}

/// A new value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The value of a term before the step.
    Is(Term),
    /// Any value.
    Any,
}

/// A condition on a state and some processes. There is no negation: see [`Formula::negated`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// A comparison.
    Compare(Term, Relation, Term),
    /// For every process that is none of those before, which comes after them.
    ForallOther(Box<Formula>),
    /// For some process that is none of those before, which comes after them.
    ExistsOther(Box<Formula>),
}

impl Default for Formula {
    fn default() -> Formula {
        Formula::TRUE
    }
}

impl Formula {
    /// Always.
    pub const TRUE: Formula = Formula::And(Vec::new());
    /// Never.
    pub const FALSE: Formula = Formula::Or(Vec::new());

    /// When it does not hold.
    #[must_use]
    pub fn negated(&self) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(Formula::negated).collect();
        match self {
            Formula::And(parts) => Formula::Or(all(parts)),
            Formula::Or(parts) => Formula::And(all(parts)),
            Formula::Compare(left, relation, right) => match relation {
                Relation::Same => {
                    Formula::Compare(left.clone(), Relation::Different, right.clone())
                }
                Relation::Different => {
                    Formula::Compare(left.clone(), Relation::Same, right.clone())
                }
                Relation::Less => Formula::Compare(right.clone(), Relation::AtMost, left.clone()),
                Relation::AtMost => Formula::Compare(right.clone(), Relation::Less, left.clone()),
            },
            Formula::ForallOther(body) => Formula::ExistsOther(Box::new(body.negated())),
            Formula::ExistsOther(body) => Formula::ForallOther(Box::new(body.negated())),
        }
    }
}

/// How two terms are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They are the same.
    Same,
    /// They are not.
    Different,
    /// Of numbers or processes: the left comes before the right.
    Less,
    /// Of numbers or processes: the right does not come before the left.
    AtMost,
}

/// A value as a state and some processes give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// That of a variable at some processes, by their places.
    Cell(Place),
    /// A value of an enumeration, by its number.
    Constant(usize),
    /// A process, by its place.
    Process(usize),
    /// A sum of cells with factors, and a number.
    Sum(Vec<(i64, Place)>, i64),
}

/// A variable at some processes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The number of the variable.
    pub variable: usize,
    /// The processes, by their places among those that are spoken of.
    pub at: Vec<usize>,
}

impl System {
    /// The fewest processes that the system speaks of: with fewer it is not asked about.
    pub fn least(&self) -> usize {
        self.start.processes.max(1)
    }

    /// Whether processes are compared by their order anywhere.
    pub fn is_ordered(&self) -> bool {
        let mut all = vec![&self.start.formula];
        all.extend(self.bad.iter().map(|bad| &bad.formula));
        for transition in &self.transitions {
            all.push(&transition.guard);
            for update in &transition.updates {
                all.extend(update.cases.iter().map(|(condition, _)| condition));
            }
        }
        all.into_iter().any(|formula| self.orders(formula))
    }

    fn orders(&self, formula: &Formula) -> bool {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| self.orders(part)),
            Formula::ForallOther(body) | Formula::ExistsOther(body) => self.orders(body),
            Formula::Compare(left, Relation::Less | Relation::AtMost, right) => {
                [left, right].into_iter().any(|term| match term {
                    Term::Process(_) => true,
                    Term::Cell(place) => self.variables[place.variable].domain == Domain::Process,
                    Term::Constant(_) | Term::Sum(..) => false,
                })
            }
            Formula::Compare(..) => false,
        }
    }
}
