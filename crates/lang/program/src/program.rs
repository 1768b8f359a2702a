//! Programs as control-flow graphs over numbered variables.

use quotient_arithmetic::{Boolean, Condition, Integer, Linear};
use quotient_core::Span;

use crate::ltl::Ltl;

/// A concurrent program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) integers: Vec<Variable>,
    pub(crate) booleans: Vec<Variable>,
    pub(crate) processes: Vec<Process>,
    pub(crate) checks: Vec<Check>,
}

/// A variable; of Booleans, 1 is true.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Its value at the beginning; any if there is none.
    pub(crate) start: Option<i64>,
    pub(crate) span: Span,
}

/// A process: locations and edges between them. The first location is where it begins.
#[derive(Debug, Clone, Default)]
pub(crate) struct Process {
    pub(crate) name: String,
    /// How many locations there are.
    pub(crate) locations: usize,
    /// Names of locations.
    pub(crate) labels: Vec<(String, usize)>,
    pub(crate) edges: Vec<Edge>,
}

/// An operation `await(guard): target := value, …`, from one location to another.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) guard: Condition,
    pub(crate) assign: Vec<Assign>,
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An assignment; all of one edge happen at once.
#[derive(Debug, Clone)]
pub(crate) enum Assign {
    Integer(Integer, Linear),
    Boolean(Boolean, Condition),
    /// Any value.
    AnyInteger(Integer),
    AnyBoolean(Boolean),
}

/// A property.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) formula: Ltl,
}

/// A statement about one state.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Atom {
    Condition(Condition),
    /// A process, by number, is at a location.
    At(usize, usize),
}

impl Process {
    /// The edges that leave a location, by number.
    pub(crate) fn leaving(&self, location: usize) -> impl Iterator<Item = (usize, &Edge)> {
        let numbered = self.edges.iter().enumerate();
        numbered.filter(move |(_, edge)| edge.from == location)
    }

    /// Whether an edge lies on no cycle, so that it is taken at most once.
    pub(crate) fn is_taken_once(&self, edge: usize) -> bool {
        let (start, goal) = (self.edges[edge].to, self.edges[edge].from);
        let mut seen = vec![start];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            for (_, edge) in self.leaving(at) {
                if !seen.contains(&edge.to) {
                    seen.push(edge.to);
                }
            }
        }
        !seen.contains(&goal)
    }

    /// The name of a location.
    pub(crate) fn location(&self, location: usize) -> String {
        let label = self.labels.iter().find(|(_, at)| *at == location);
        label.map_or_else(|| (location + 1).to_string(), |(name, _)| name.clone())
    }

    /// Whether it writes a variable that a condition is about.
    pub(crate) fn writes_into(&self, condition: &Condition) -> bool {
        let (integers, booleans) = variables(condition);
        let hits = |assign: &Assign| match assign {
            Assign::Integer(at, _) | Assign::AnyInteger(at) => integers.contains(at),
            Assign::Boolean(at, _) | Assign::AnyBoolean(at) => booleans.contains(at),
        };
        self.edges.iter().any(|edge| edge.assign.iter().any(hits))
    }
}

/// The variables of a condition: integers and Booleans.
pub(crate) fn variables(condition: &Condition) -> (Vec<Integer>, Vec<Boolean>) {
    let (mut integers, mut booleans) = (Vec::new(), Vec::new());
    walk(condition, &mut |part| match part {
        Condition::Boolean(at) => booleans.push(*at),
        Condition::AtMostZero(sum) | Condition::Zero(sum) => integers.extend(sum.variables()),
        _ => {}
    });
    (integers, booleans)
}

/// Visits the leaves of a condition.
pub(crate) fn walk(condition: &Condition, visit: &mut dyn FnMut(&Condition)) {
    match condition {
        Condition::Not(inner) => walk(inner, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| walk(part, visit))
        }
        leaf => visit(leaf),
    }
}

/// The weakest precondition of a condition without the guard: what is assigned is put in, any
/// value is a variable that no program has.
pub(crate) fn before(program: &Program, edge: &Edge, after: &Condition) -> Condition {
    let integer = |variable: Integer| {
        let found = edge
            .assign
            .iter()
            .enumerate()
            .find_map(|(place, assign)| match assign {
                Assign::Integer(at, sum) if *at == variable => Some(sum.clone()),
                Assign::AnyInteger(at) if *at == variable => {
                    let fresh = Integer::from_index(program.integers.len() + place);
                    Some(Linear::variable(fresh))
                }
                _ => None,
            });
        found.unwrap_or_else(|| Linear::variable(variable))
    };
    let boolean = |variable: Boolean| {
        let found = edge
            .assign
            .iter()
            .enumerate()
            .find_map(|(place, assign)| match assign {
                Assign::Boolean(at, value) if *at == variable => Some(value.clone()),
                Assign::AnyBoolean(at) if *at == variable => {
                    let fresh = Boolean::from_index(program.booleans.len() + place);
                    Some(Condition::Boolean(fresh))
                }
                _ => None,
            });
        found.unwrap_or(Condition::Boolean(variable))
    };
    substituted(after, &integer, &boolean)
}

fn substituted(
    condition: &Condition,
    integer: &dyn Fn(Integer) -> Linear,
    boolean: &dyn Fn(Boolean) -> Condition,
) -> Condition {
    let again = |part: &Condition| substituted(part, integer, boolean);
    match condition {
        Condition::Boolean(variable) => boolean(*variable),
        Condition::AtMostZero(sum) => Condition::AtMostZero(sum.replaced(integer)),
        Condition::Zero(sum) => Condition::Zero(sum.replaced(integer)),
        Condition::Not(inner) => again(inner).negated(),
        Condition::And(parts) => Condition::And(parts.iter().map(again).collect()),
        Condition::Or(parts) => Condition::Or(parts.iter().map(again).collect()),
        same => same.clone(),
    }
}

/// A leaf in one of its two forms, and whether it is the opposite of it; `None` for constants.
pub(crate) fn canonical(leaf: &Condition) -> Option<(Condition, bool)> {
    match leaf {
        Condition::Boolean(_) => Some((leaf.clone(), true)),
        Condition::Zero(sum) => {
            let other = Condition::Zero(sum.times(-1));
            Some((leaf.clone().min(other), true))
        }
        Condition::AtMostZero(_) => {
            let other = leaf.negated();
            match *leaf <= other {
                true => Some((leaf.clone(), true)),
                false => Some((other, false)),
            }
        }
        _ => None,
    }
}

/// The leaves of a condition in canonical form.
pub(crate) fn leaves(condition: &Condition) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    walk(condition, &mut |leaf| {
        if let Some((leaf, _)) = canonical(leaf)
            && leaf_has_variables(&leaf)
            && !found.contains(&leaf)
        {
            found.push(leaf);
        }
    });
    found
}

fn leaf_has_variables(leaf: &Condition) -> bool {
    match leaf {
        Condition::AtMostZero(sum) | Condition::Zero(sum) => sum.variables().next().is_some(),
        _ => true,
    }
}

impl Program {
    /// Whether a condition is about variables of the program only.
    pub(crate) fn knows(&self, condition: &Condition) -> bool {
        let (integers, booleans) = variables(condition);
        integers.iter().all(|at| at.index() < self.integers.len())
            && booleans.iter().all(|at| at.index() < self.booleans.len())
    }

    /// What is known at the beginning.
    pub(crate) fn beginning(&self) -> Vec<Condition> {
        let integer = |(at, variable): (usize, &Variable)| {
            let value = variable.start?;
            let own = Linear::variable(Integer::from_index(at));
            Some(Condition::Zero(own.minus(&Linear::constant(value))))
        };
        let boolean = |(at, variable): (usize, &Variable)| {
            let own = Condition::Boolean(Boolean::from_index(at));
            match variable.start? {
                0 => Some(own.negated()),
                _ => Some(own),
            }
        };
        let integers = self.integers.iter().enumerate().filter_map(integer);
        integers
            .chain(self.booleans.iter().enumerate().filter_map(boolean))
            .collect()
    }

    /// A condition in words.
    pub(crate) fn words(&self, condition: &Condition) -> String {
        let joined = |parts: &[Condition], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.words(part)).collect();
            format!("({})", parts.join(sign))
        };
        match condition {
            Condition::Constant(value) => value.to_string(),
            Condition::Boolean(at) => self
                .booleans
                .get(at.index())
                .map_or("any".to_owned(), |one| one.name.clone()),
            Condition::AtMostZero(sum) => self.compared(sum, "<="),
            Condition::Zero(sum) => self.compared(sum, "="),
            Condition::Opaque(_) => "any".to_owned(),
            Condition::Not(inner) => format!("!{}", self.words(inner)),
            Condition::And(parts) => joined(parts, " & "),
            Condition::Or(parts) => joined(parts, " | "),
        }
    }

    /// `terms sign number`, with what is subtracted on the other side.
    fn compared(&self, sum: &Linear, sign: &str) -> String {
        let (left, right) = (self.side(sum, true), self.side(sum, false));
        format!("{left} {sign} {right}")
    }

    /// The parts of a sum that are added, or those that are subtracted.
    fn side(&self, sum: &Linear, positive: bool) -> String {
        let (terms, constant) = sum.parts();
        let variable = |at: Integer| match self.integers.get(at.index()) {
            Some(one) => one.name.clone(),
            None => "any".to_owned(),
        };
        let terms = terms.iter().map(|(at, factor)| (variable(*at), *factor));
        // Nothing is subtracted inside of a quotient.
        let quotients = sum.quotients().iter().map(|(quotient, factor)| {
            let text = format!("(({}) / {})", self.side(&quotient.of, true), quotient.by);
            (text, *factor)
        });
        let all = terms.chain(quotients);
        let own = all.filter(|(_, factor)| (*factor > 0) == positive);
        let mut parts: Vec<String> = own
            .map(|(text, factor)| match factor.abs() {
                1 => text,
                factor => format!("{factor} * {text}"),
            })
            .collect();
        if constant != 0 && (constant > 0) == positive {
            parts.push(constant.abs().to_string());
        }
        match parts.is_empty() {
            true => "0".to_owned(),
            false => parts.join(" + "),
        }
    }
}
