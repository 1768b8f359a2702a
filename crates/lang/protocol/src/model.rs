//! A protocol with all names looked up and all types checked.
//!
//! This tree is all that the compiler and the interpreter share.

mod expressions;
mod walk;

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Automaton, Formula, Kind, Unary};

pub use crate::syntax::tree::{ChannelKind, Topology};

pub(crate) use crate::syntax::tree::{Fairness, Order};
pub(crate) use expressions::{Arithmetic, Bound, Comparison, Expr, Who};

/// A value of a variable: 0 and 1 for Booleans, the number itself for ranges, the number of a
/// symbol for enumerations.
pub(crate) type Value = i32;

/// A protocol, ready to be compiled or interpreted. Made by [`Protocol::parse`].
#[derive(Debug, Clone)]
pub struct Protocol {
    pub(crate) source: Source,
    pub(crate) title: Option<String>,
    pub(crate) topology: Topology,
    /// Whether there are processes at all, or only globals and channels.
    pub(crate) has_processes: bool,
    /// Conditions on [`Expr::Size`].
    pub(crate) assumptions: Vec<Expr>,
    /// What is true of every configuration: others are not begun with, and no step leads there.
    pub(crate) constraints: Vec<Expr>,
    pub(crate) symbols: Vec<String>,
    pub(crate) globals: Vec<Variable>,
    /// What a process carries: its variables, then a mark for each variable that holds a process.
    pub(crate) fields: Vec<Variable>,
    /// What a process carries for each process: values, or (with a mark) whether it holds it.
    pub(crate) pairs: Vec<Variable>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) initially: Vec<Condition>,
    /// Where each of these stands.
    pub(crate) initially_places: Vec<Span>,
    pub(crate) steps: Vec<Step>,
    /// Where each step stands in the source.
    pub(crate) step_places: Vec<(String, Span)>,
    /// Where steps are made easier to take than they are: the steps that can surely be taken.
    pub(crate) surely: Option<Vec<Step>>,
    pub(crate) properties: Vec<Property>,
    /// What is odd about the text.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A variable with a finite domain.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) domain: Domain,
    pub(crate) initial: Initial,
    /// For marks: whether nobody may carry it.
    pub(crate) mark: Option<Mark>,
    /// Whether the compiler added it; it shows in letters only where it is true.
    pub(crate) auxiliary: bool,
    pub(crate) span: Span,
}

/// That a field says which process a global variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Whether the variable may hold no process.
    pub(crate) optional: bool,
}

/// How a variable begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Initial {
    /// With any of these values.
    Values(Vec<Value>),
    /// A mark: on the first process, the last, any, or nobody.
    FirstProcess,
    LastProcess,
    AnyProcess,
    Nobody,
    /// A mark, or what a process holds: any process or nobody.
    AnyOrNobody,
    /// What a process holds: itself.
    Itself,
    /// Any number up to that of the processes.
    Parameter,
    /// What processes carry for each other: which of the two comes first, in any order of all.
    Order,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Domain {
    Bool,
    Range(i32, i32),
    /// Numbers of symbols.
    Symbols(Vec<Value>),
    /// A number that never changes, up to that of the processes.
    Parameter,
}

impl Domain {
    pub(crate) fn values(&self) -> Vec<Value> {
        match self {
            Domain::Bool => vec![0, 1],
            Domain::Range(low, high) => (*low..=*high).collect(),
            Domain::Symbols(symbols) => symbols.clone(),
            Domain::Parameter => Vec::new(),
        }
    }

    pub(crate) fn contains(&self, value: Value) -> bool {
        match self {
            Domain::Bool => value == 0 || value == 1,
            Domain::Range(low, high) => (*low..=*high).contains(&value),
            Domain::Symbols(symbols) => symbols.contains(&value),
            Domain::Parameter => value >= 0,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Channel {
    pub(crate) name: String,
    pub(crate) kind: ChannelKind,
    pub(crate) domain: Domain,
    /// What is in it at the start, from left to right.
    pub(crate) initial: Vec<Value>,
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Holds(Expr),
    /// A regular expression over letters.
    Word(String, Span),
    /// An automaton over letters from a file.
    Import(Import),
}

/// A file that the protocol names, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) path: String,
    /// Where it is named.
    pub(crate) span: Span,
    pub(crate) source: Source,
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The process that takes the step, if one does, then its witnesses.
    pub(crate) people: Vec<Person>,
    pub(crate) choices: Vec<(String, Domain)>,
    /// Over the people; it says all that must be true for the step to be taken, but for the
    /// readings.
    pub(crate) guard: Expr,
    /// The quantifiers that are read one process at a time.
    pub(crate) readings: Vec<Reading>,
    pub(crate) alternatives: Vec<Vec<Action>>,
    /// A transducer from a file, instead of all else.
    pub(crate) import: Option<Import>,
    pub(crate) fairness: Fairness,
    pub(crate) nature: Nature,
}

/// Whose doing a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Nature {
    /// The protocol's: fairness demands it, and whoever can take it is not stuck.
    #[default]
    Own,
    /// Nobody is owed to recover, but whoever can is not stuck for good.
    Recovery,
    /// A crash, a lie or a loss: it may happen, and need not.
    Fault,
}

impl Step {
    /// Whether fairness demands it of whoever can take it.
    pub(crate) fn is_owed(&self) -> bool {
        self.nature == Nature::Own
    }

    /// Whether it says that two of its people are different processes. (Others may be one: a witness may be a
    /// neighbour, and whom a variable holds may be anybody.)
    pub(crate) fn tells_apart(&self, one: Who, two: Who) -> bool {
        fn says(expr: &Expr, one: Who, two: Who) -> bool {
            match expr {
                Expr::And(all) => all.iter().any(|part| says(part, one, two)),
                Expr::Not(inner) => [Expr::Same(one, two), Expr::Same(two, one)].contains(&**inner),
                Expr::Before(left, right) => [(one, two), (two, one)].contains(&(*left, *right)),
                _ => false,
            }
        }
        says(&self.guard, one, two)
    }

    /// The sets of its people that may be one process: each of them alone, and those that it does not tell apart.
    pub(crate) fn may_be_one(&self) -> Vec<Vec<Who>> {
        let mut sets: Vec<Vec<Who>> = vec![Vec::new()];
        for who in 0..self.people.len() {
            let with = |set: &Vec<Who>| [set.as_slice(), &[who]].concat();
            let apart = |set: &&Vec<Who>| !set.iter().any(|one| self.tells_apart(*one, who));
            let more: Vec<Vec<Who>> = sets.iter().filter(apart).map(with).collect();
            sets.extend(more);
        }
        sets.retain(|set| !set.is_empty());
        sets
    }
}

/// A quantifier that is read one process at a time, others going on in between.
///
/// A process reads as long as `own` is true of it and it takes no step. In that time each (some)
/// process in range must satisfy the body at some moment; then the step can be taken.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) exists: bool,
    /// A plain condition on the variables of the process that reads, which is number 0.
    pub(crate) own: Expr,
    /// The range, as seen from the process that reads.
    pub(crate) bound: Bound,
    pub(crate) order: Order,
    /// Over the process that reads and the one that is read, number 1.
    pub(crate) body: Expr,
}

impl Reading {
    /// The quantifier as it is when read at once, in a step with this many people.
    pub(crate) fn at_once(&self, people: usize) -> Expr {
        Expr::Quantified {
            exists: self.exists,
            bound: self.bound.clone(),
            body: Box::new(self.body.shifted(1, people - 1)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) name: String,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    SetGlobal(usize, Assigned),
    SetField(Who, usize, Assigned),
    /// Moves a mark to a process, or takes it away.
    SetMark(usize, Option<Who>),
    /// Sets what the first carries for the second.
    SetPair(Who, Who, usize, Assigned),
    /// Lets a process hold another, or nobody.
    SetPointer(Who, usize, Option<Who>),
    Broadcast(Broadcast),
    Move(Who, Position),
    Create(Position, Vec<Assigned>),
    Remove(Who),
    Channel(Operation, usize, Expr),
}

/// Assignments to all others that satisfy a condition; in its expressions the other one has
/// the number of people of the step.
#[derive(Debug, Clone)]
pub(crate) struct Broadcast {
    pub(crate) bound: Bound,
    pub(crate) only: Expr,
    pub(crate) assignments: Vec<(usize, Assigned)>,
    /// Settings of pairs; the other one may stand on either side.
    pub(crate) pairs: Vec<Action>,
}

#[derive(Debug, Clone)]
pub(crate) struct Assigned {
    pub(crate) value: Chosen,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Chosen {
    Exactly(Expr),
    AnyOf(Vec<Value>),
}

pub(crate) use crate::syntax::tree::Operation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    LeftEnd,
    RightEnd,
    Before(Who),
    After(Who),
}

#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// Where it says what it demands.
    pub(crate) span: Span,
    pub(crate) demand: Demand,
    /// Whether it is said to help with others.
    pub(crate) lemma: bool,
}

impl Property {
    /// What kind of property it is.
    pub(crate) fn kind(&self) -> &'static str {
        match self.lemma {
            true => "lemma",
            false => self.demand.kind(),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Demand {
    /// This is never true.
    Never(Condition),
    /// Some step can always be taken.
    NoDeadlock,
    /// Each process that satisfies the first comes to satisfy the second.
    LeadsTo(Expr, Expr),
    /// A formula of linear time is true of every fair run.
    Happens(Box<Happens>),
}

/// A formula of linear time about some different processes, which are numbered from 0 on in it.
#[derive(Debug, Clone)]
pub(crate) struct Happens {
    pub(crate) people: usize,
    pub(crate) formula: Formula<Expr>,
    /// The automaton of the runs of which it is not true.
    pub(crate) violating: Automaton<Expr>,
}

impl Happens {
    /// Whether it says what is so after one step.
    pub(crate) fn speaks_of_the_next_step(&self) -> bool {
        fn speaks(formula: &Formula<Expr>) -> bool {
            match &formula.kind {
                Kind::Unary(Unary::Next, _) => true,
                Kind::Unary(_, inner) => speaks(inner),
                Kind::Binary(_, left, right) => speaks(left) || speaks(right),
                Kind::Constant(_) | Kind::Atom(_) | Kind::Placeholder(_) => false,
            }
        }
        speaks(&self.formula)
    }
}

impl Demand {
    /// What kind of property it is.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Demand::Never(_) | Demand::NoDeadlock => "safety",
            Demand::LeadsTo(..) | Demand::Happens(_) => "progress",
        }
    }

    /// Whether it says something by regular expressions or automata.
    pub(crate) fn names_languages(&self) -> bool {
        match self {
            Demand::Never(Condition::Holds(expr)) => {
                let mut names = false;
                expr.walk(&mut |part| names |= matches!(part, Expr::Matches(..)));
                names
            }
            Demand::Never(Condition::Word(..) | Condition::Import(_)) => true,
            Demand::Happens(happens) => (happens.violating.atoms.iter())
                .any(|atom| atom.mentions(&|part| matches!(part, Expr::Matches(..)))),
            Demand::NoDeadlock | Demand::LeadsTo(..) => false,
        }
    }

    /// Whether it says what must happen.
    pub(crate) fn is_progress(&self) -> bool {
        matches!(self, Demand::LeadsTo(..) | Demand::Happens(_))
    }

    /// Whether it says what is so after one step.
    pub(crate) fn speaks_of_the_next_step(&self) -> bool {
        matches!(self, Demand::Happens(happens) if happens.speaks_of_the_next_step())
    }

    /// The conditions of one that says what must happen.
    pub(crate) fn conditions_of_progress(&self) -> Vec<&Expr> {
        match self {
            Demand::LeadsTo(from, to) => vec![from, to],
            Demand::Happens(happens) => happens.violating.atoms.iter().collect(),
            Demand::Never(_) | Demand::NoDeadlock => Vec::new(),
        }
    }
}

impl Protocol {
    /// How a value of a domain is written.
    pub(crate) fn show(&self, domain: &Domain, value: Value) -> String {
        match domain {
            Domain::Bool => if value == 0 { "false" } else { "true" }.to_owned(),
            Domain::Range(..) | Domain::Parameter => value.to_string(),
            Domain::Symbols(_) => self.symbols[value as usize].clone(),
        }
    }

    /// The names of the properties, in the order of the file.
    pub fn property_names(&self) -> impl Iterator<Item = &str> {
        self.properties
            .iter()
            .map(|property| property.name.as_str())
    }

    /// The names of the steps, in the order of the file.
    pub fn step_names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.name.as_str())
    }

    /// The names of the properties that are said to help with others.
    pub(crate) fn lemma_names(&self) -> impl Iterator<Item = &str> {
        let lemmas = self.properties.iter().filter(|property| property.lemma);
        lemmas.map(|property| property.name.as_str())
    }

    /// Whether a property says that some step can always be taken.
    pub(crate) fn asks_for_deadlocks(&self, property: &str) -> bool {
        let mut named = self.properties.iter().filter(|one| one.name == property);
        named.any(|one| matches!(one.demand, Demand::NoDeadlock))
    }

    /// Whose doing a step of a name is.
    pub(crate) fn nature(&self, step: &str) -> Nature {
        // Queues lose by themselves; no step of a file has a name of two words.
        if step.starts_with("lose ") {
            return Nature::Fault;
        }
        let mut named = self.steps.iter().filter(|one| one.name == step);
        named.next().map_or(Nature::Own, |one| one.nature)
    }

    /// The names of the steps that fairness does not demand.
    pub(crate) fn not_owed(&self) -> Vec<&str> {
        let steps = self.steps.iter().filter(|step| !step.is_owed());
        steps.map(|step| step.name.as_str()).collect()
    }

    /// Whether some step comes from a file.
    pub(crate) fn imports_steps(&self) -> bool {
        self.steps.iter().any(|step| step.import.is_some())
    }

    /// Whether fairness of some step is asked for.
    pub(crate) fn asks_for_fairness(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| step.fairness != Fairness::OfItsProcess)
    }

    /// The quantifiers of all steps that are read one process at a time.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.steps.iter().flat_map(|step| &step.readings)
    }

    /// What the file calls itself.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Whether there are processes, or only globals and channels.
    pub fn has_processes(&self) -> bool {
        self.has_processes
    }

    /// How the processes stand to each other.
    pub fn topology(&self) -> Topology {
        self.topology
    }
}
