//! Systems of any number of processes whose state is variables and arrays indexed by processes.
//!
//! This is plain data, shared by the language that reads such systems, the engine that searches
//! them and the checker that believes neither. [`Instance`] says what a system does with a given
//! number of processes; everything else is measured against it.
//!
//! ```
//! use quotient_arrays::{Domain, EnumerationId, Formula, Instance, System, Variable};
//! let system = System {
//!     enumerations: vec![vec!["off".into(), "on".into()]],
//!     variables: vec![Variable::array("light", 1, Domain::Enumeration(EnumerationId::new(0)))],
//!     ..System::default()
//! };
//! assert_eq!(Instance::new(&system, 3).cells(), 3);
//! ```

mod cubicle;
mod instance;
mod quorums;

pub use instance::{Instance, State, different};
use quotient_core::Span;
use serde::{Deserialize, Serialize};

quotient_bits::id! {
    /// A variable, by its place in [`System::variables`].
    #[derive(Serialize, Deserialize)]
    pub VariableId, "a system has fewer than 2^32 variables"
}

quotient_bits::id! {
    /// An enumeration, by its place in [`System::enumerations`].
    pub EnumerationId, "a system has fewer than 2^32 enumerations"
}

quotient_bits::id! {
    /// A type of values of which nothing is known but whether two are the same.
    pub OpaqueId, "a system has fewer than 2^32 types"
}

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
    /// What is so in every state: a start where it is not is none, and no step leads where it is
    /// not. It speaks of no process in particular.
    pub always: Formula,
    /// What is known of every state that can be reached, by an argument of whoever made the
    /// system: it says nothing about what the system does.
    pub axioms: Vec<Axiom>,
}

/// Wherever some processes, not necessarily different ones, satisfy the premise, there is a
/// process, any of all, that satisfies the conclusion together with them; it comes after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axiom {
    /// How many processes the premise speaks of.
    pub processes: usize,
    /// What is so of them.
    pub premise: Formula,
    /// What is so of them and one more.
    pub conclusion: Formula,
    /// Why: this number is positive for every number of processes that is allowed. Who does not
    /// see that does not believe the axiom.
    pub positive: Amount,
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
    /// Those of an enumeration.
    Enumeration(EnumerationId),
    /// The processes.
    Process,
    /// Values of which nothing is known but whether two are the same.
    Opaque(OpaqueId),
    /// Whole numbers.
    Integer,
    /// Numbers with fractions, in some unit. Instances have whole ones; proofs know nothing of
    /// them.
    Real,
}

/// How a system begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// For how many different processes the formula must hold, whichever they are.
    pub processes: usize,
    /// The formula over these processes.
    pub formula: Formula,
}

/// What must never happen: that in one of some ways there are different processes for which a
/// formula holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// What it is called.
    pub name: String,
    /// How many different processes, and the formula over them.
    pub ways: Vec<(usize, Formula)>,
    /// Where it stands.
    pub span: Span,
}

impl Bad {
    /// The most processes that one of its ways speaks of.
    pub fn processes(&self) -> usize {
        let counts = self.ways.iter().map(|(processes, _)| *processes);
        counts.max().unwrap_or(0)
    }

    /// The fewest processes that one of its ways speaks of.
    pub fn fewest(&self) -> usize {
        let counts = self.ways.iter().map(|(processes, _)| *processes);
        counts.min().unwrap_or(0)
    }
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
    /// The variable.
    pub variable: VariableId,
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
    /// A number that depends on how many processes there are is not negative.
    Enough(Amount),
    /// At least so many processes (a fraction counts as the next whole number), of all that there are, satisfy a formula; each comes after
    /// those before, of which it may be one.
    Many(Box<Formula>, Amount),
    /// Fewer than so many do.
    Few(Box<Formula>, Amount),
}

/// A number that depends on how many processes there are: so many times their number, and cells
/// with factors, and a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Amount {
    /// How often the number of processes counts.
    pub processes: i64,
    /// Cells with factors.
    pub cells: Vec<(i64, Place)>,
    /// What is added.
    pub constant: i64,
    /// What all of it is divided by: one more than this.
    pub divided: u32,
}

impl Amount {
    /// A plain number.
    pub fn constant(constant: i64) -> Amount {
        Amount {
            constant,
            ..Amount::default()
        }
    }

    /// Times a factor, and a number added.
    #[must_use]
    pub fn times(&self, factor: i64, added: i64) -> Amount {
        let cells = self.cells.iter();
        Amount {
            processes: self.processes.saturating_mul(factor),
            cells: cells
                .map(|(by, place)| (by.saturating_mul(factor), place.clone()))
                .collect(),
            constant: self.constant.saturating_mul(factor).saturating_add(added),
            divided: self.divided,
        }
    }

    /// What the number is divided by.
    pub fn per(&self) -> i64 {
        i64::from(self.divided) + 1
    }

    /// Two of them together.
    #[must_use]
    pub fn plus(&self, other: &Amount) -> Amount {
        let (one, two) = (self.times(other.per(), 0), other.times(self.per(), 0));
        let per = self.per().saturating_mul(other.per());
        Amount {
            processes: one.processes.saturating_add(two.processes),
            cells: [one.cells, two.cells].concat(),
            constant: one.constant.saturating_add(two.constant),
            divided: u32::try_from(per - 1).unwrap_or(u32::MAX),
        }
    }

    /// Divided by a positive number.
    #[must_use]
    pub fn over(&self, by: u32) -> Amount {
        let per = self.per().saturating_mul(i64::from(by.max(1)));
        Amount {
            divided: u32::try_from(per - 1).unwrap_or(u32::MAX),
            ..self.clone()
        }
    }
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
            Formula::Enough(amount) => Formula::Enough(amount.times(-1, -1)),
            Formula::Many(body, amount) => Formula::Few(body.clone(), amount.clone()),
            Formula::Few(body, amount) => Formula::Many(body.clone(), amount.clone()),
        }
    }
}

impl System {
    /// Whether a term is a number with a fraction.
    pub fn is_real(&self, term: &Term) -> bool {
        let real = |place: &Place| self.variables[place.variable.index()].domain == Domain::Real;
        match term {
            Term::Cell(place) => real(place),
            Term::Sum(parts, _) => parts.iter().any(|(_, place)| real(place)),
            Term::Constant(_) | Term::Process(_) => false,
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
    /// The variable.
    pub variable: VariableId,
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
        let ways = self.bad.iter().flat_map(|bad| &bad.ways);
        all.extend(ways.map(|(_, formula)| formula));
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
            Formula::ForallOther(body)
            | Formula::ExistsOther(body)
            | Formula::Many(body, _)
            | Formula::Few(body, _) => self.orders(body),
            Formula::Enough(_) => false,
            Formula::Compare(left, Relation::Less | Relation::AtMost, right) => {
                [left, right].into_iter().any(|term| match term {
                    Term::Process(_) => true,
                    Term::Cell(place) => {
                        self.variables[place.variable.index()].domain == Domain::Process
                    }
                    Term::Constant(_) | Term::Sum(..) => false,
                })
            }
            Formula::Compare(..) => false,
        }
    }
}
