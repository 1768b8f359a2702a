//! Three-valued abstraction: spotlight processes over predicates, the rest in the shade.
//!
//! Predicates over variables that the shade writes are unknown in every state, and shade steps
//! are steps that change nothing but, perhaps, what is unknown: any number of them may happen in
//! every state. That is sound for formulas without `X`. Unknown values may be Boolean
//! functions of parameters, which are part of the state, so that a value is never believed on
//! another path than its own.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use quotient_arithmetic::{Condition, implies};
use quotient_core::{Budget, Stop};

use crate::ltl::Ltl;
use crate::program::{Atom, Program, before, canonical};
use crate::solver::Solver;

/// A truth value for each of the valuations of the parameters: those for which it is
/// certainly true, and those for which it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    pub(crate) must: u64,
    pub(crate) may: u64,
}

/// The most parameters at a time: as many as 64 valuations allow.
pub(crate) const MOST_PARAMETERS: usize = 6;

impl Value {
    pub(crate) const TRUE: Value = Value {
        must: u64::MAX,
        may: u64::MAX,
    };
    pub(crate) const FALSE: Value = Value { must: 0, may: 0 };
    pub(crate) const UNKNOWN: Value = Value {
        must: 0,
        may: u64::MAX,
    };

    /// A parameter.
    pub(crate) fn parameter(number: usize) -> Value {
        let bits = (0..64u64).filter(|valuation| valuation >> number & 1 == 1);
        let bits = bits.fold(0, |bits, valuation| bits | 1 << valuation);
        Value {
            must: bits,
            may: bits,
        }
    }

    pub(crate) fn of(truth: bool) -> Value {
        if truth { Value::TRUE } else { Value::FALSE }
    }

    pub(crate) fn not(self) -> Value {
        Value {
            must: !self.may,
            may: !self.must,
        }
    }

    pub(crate) fn and(self, other: Value) -> Value {
        Value {
            must: self.must & other.must,
            may: self.may & other.may,
        }
    }

    pub(crate) fn or(self, other: Value) -> Value {
        Value {
            must: self.must | other.must,
            may: self.may | other.may,
        }
    }

    /// Whether it is certainly true for a valuation.
    pub(crate) fn is_true(self, valuation: u64) -> bool {
        self.must >> valuation & 1 == 1
    }

    /// Whether it may be true for a valuation.
    pub(crate) fn may_be_true(self, valuation: u64) -> bool {
        self.may >> valuation & 1 == 1
    }

    /// Whether it is neither for a valuation.
    pub(crate) fn is_unknown(self, valuation: u64) -> bool {
        self.may_be_true(valuation) && !self.is_true(valuation)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match *self {
            Value::TRUE => "true",
            Value::FALSE => "false",
            Value::UNKNOWN => "?",
            _ => "by parameters",
        })
    }
}

/// An abstract state: locations of the spotlight processes, values of the predicates.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) locations: Vec<usize>,
    pub(crate) values: Vec<Value>,
}

/// Where a parameter stands for an unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Site {
    /// A predicate at the beginning.
    Start(usize),
    /// A predicate after an edge of a spotlight process: from one abstract state, or from all of
    /// them if the edge is taken at most once.
    After {
        place: Option<Place>,
        process: usize,
        edge: usize,
        predicate: usize,
    },
    /// The two sides of a branch of a process, in one abstract state.
    Branch { place: Place, process: usize },
}

/// What is in the spotlight, and which unknowns are parameters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spotlight {
    /// Processes of the program, by number, ascending.
    pub(crate) processes: Vec<usize>,
    /// Predicates in canonical form.
    pub(crate) predicates: Vec<Condition>,
    pub(crate) parameters: Vec<Site>,
}

/// An abstract step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) to: usize,
    pub(crate) value: Value,
    /// The process, by its place in the spotlight, and its edge; none where nothing happens.
    pub(crate) by: Option<(usize, usize)>,
}

/// The reachable part of an abstraction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Abstraction {
    pub(crate) places: Vec<Place>,
    pub(crate) steps: Vec<Vec<Step>>,
    /// For each place and spotlight process, whether it cannot move.
    pub(crate) rests: Vec<Vec<Value>>,
}

/// The most abstract states, where there is no limit on memory.
const MOST_PLACES: usize = 400_000;
/// What an abstract state takes at least, in bytes.
const LEAST_BYTES: u64 = 64;

/// Builds abstractions of a program.
pub(crate) struct Builder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) spotlight: &'a Spotlight,
    /// Which predicates the shade writes into.
    pub(crate) shaded: Vec<bool>,
    known: HashMap<(Vec<Value>, Option<(usize, usize)>, Condition), Value>,
    /// Whoever is asked where the built-in solver is not certain.
    solver: Option<Rc<RefCell<Solver>>>,
    /// The work of questions that cost more than an abstract state, since it was last charged.
    hard: Cell<u64>,
}

/// The work of what facts say about a condition with a quotient, for each quotient.
const QUOTIENT_WORK: u64 = 4;

impl<'a> Builder<'a> {
    pub(crate) fn new(program: &'a Program, spotlight: &'a Spotlight) -> Builder<'a> {
        let shade = || {
            let all = program.processes.iter().enumerate();
            all.filter(|(number, _)| !spotlight.processes.contains(number))
        };
        let shaded =
            |predicate: &Condition| shade().any(|(_, process)| process.writes_into(predicate));
        let shaded = spotlight.predicates.iter().map(shaded).collect();
        Builder {
            program,
            spotlight,
            shaded,
            known: HashMap::new(),
            solver: None,
            hard: Cell::new(0),
        }
    }

    /// With somebody to ask where the built-in solver is not certain.
    pub(crate) fn asking(mut self, solver: Option<Rc<RefCell<Solver>>>) -> Builder<'a> {
        self.solver = solver;
        self
    }

    /// Whether facts imply a condition; `false` where that is not certain.
    fn implies(&self, facts: &[Condition], condition: &Condition) -> bool {
        let outside = || {
            let solver = self.solver.as_ref();
            solver.is_some_and(|solver| solver.borrow_mut().implies(facts, condition))
        };
        let all = facts.iter().chain([condition]);
        let quotients: usize = all.map(quotients).sum();
        let work = QUOTIENT_WORK.saturating_mul(quotients as u64);
        self.hard.set(self.hard.get().saturating_add(work));
        implies(facts, condition) || outside()
    }

    /// What facts say about a condition, if they do. Facts that contradict each other say it is
    /// true; no run comes there.
    fn entailed(&self, facts: &[Condition], condition: &Condition) -> Option<Value> {
        if self.implies(facts, condition) {
            return Some(Value::TRUE);
        }
        let opposite = condition.negated();
        self.implies(facts, &opposite).then_some(Value::FALSE)
    }

    /// All that can be reached.
    pub(crate) fn build(&mut self, budget: &Budget) -> Result<Abstraction, Stop> {
        let room = budget.memory_limit().map(|bytes| bytes / LEAST_BYTES);
        let room = room.and_then(|most| usize::try_from(most).ok());
        let most = room.unwrap_or(0).max(MOST_PLACES);
        let mut found = Abstraction::default();
        let mut numbers: HashMap<Place, usize> = HashMap::new();
        let start = self.start();
        numbers.insert(start.clone(), 0);
        found.places.push(start);
        while found.steps.len() < found.places.len() {
            budget.charge(1 + self.hard.take())?;
            if found.places.len() > most {
                return Err(Stop::bound("abstract states", most as u64));
            }
            let here = found.steps.len();
            let place = found.places[here].clone();
            let mut steps = Vec::new();
            let mut rests = Vec::new();
            for at in 0..self.spotlight.processes.len() {
                let (moves, resting) = self.moves(&place, at);
                rests.push(resting);
                for (edge, value, next) in moves {
                    let to = *numbers.entry(next.clone()).or_insert_with(|| {
                        found.places.push(next);
                        found.places.len() - 1
                    });
                    steps.push(Step {
                        to,
                        value,
                        by: Some((at, edge)),
                    });
                }
            }
            // Where nobody need move, nothing need happen.
            let mut idle = rests.iter().fold(Value::TRUE, |all, rest| all.and(*rest));
            // A process in the shade may step at any time: what is unknown may be another then.
            if self.spotlight.processes.len() < self.program.processes.len() {
                idle.may = u64::MAX;
            }
            if idle.may != 0 {
                steps.push(Step {
                    to: here,
                    value: idle,
                    by: None,
                });
            }
            found.steps.push(steps);
            found.rests.push(rests);
        }
        Ok(found)
    }

    fn start(&self) -> Place {
        let facts = self.program.beginning();
        let value = |(number, predicate): (usize, &Condition)| {
            let parameter = self.parameter(|site| *site == Site::Start(number));
            match () {
                () if self.shaded[number] => Value::UNKNOWN,
                () if self.implies(&facts, predicate) => Value::TRUE,
                () if self.implies(&facts, &predicate.negated()) => Value::FALSE,
                () => parameter.unwrap_or(Value::UNKNOWN),
            }
        };
        let predicates = self.spotlight.predicates.iter().enumerate();
        Place {
            locations: vec![0; self.spotlight.processes.len()],
            values: predicates.map(value).collect(),
        }
    }

    fn parameter(&self, is: impl Fn(&Site) -> bool) -> Option<Value> {
        self.spotlight
            .parameters
            .iter()
            .position(is)
            .map(Value::parameter)
    }

    /// The moves of a spotlight process, and whether it cannot move.
    fn moves(&mut self, place: &Place, at: usize) -> (Vec<(usize, Value, Place)>, Value) {
        let number = self.spotlight.processes[at];
        let process = &self.program.processes[number];
        let leaving: Vec<(usize, &crate::program::Edge)> =
            process.leaving(place.locations[at]).collect();
        let branch = self.parameter(|site| matches!(site, Site::Branch { place: other, process } if other == place && *process == number));
        let mut found = Vec::new();
        for (turn, (edge_number, edge)) in leaving.iter().enumerate() {
            let guard = self.value(place, &edge.guard, None);
            let value = match (branch, turn) {
                (Some(parameter), 0) if guard == Value::UNKNOWN => parameter,
                (Some(parameter), 1) if guard == Value::UNKNOWN => parameter.not(),
                _ => guard,
            };
            if value.may == 0 {
                continue;
            }
            // What a guard that need not hold says is known after it.
            let assumed = (guard != Value::TRUE).then_some((number, *edge_number));
            let mut next = place.clone();
            next.locations[at] = edge.to;
            for (predicate, condition) in self.spotlight.predicates.iter().enumerate() {
                let mut value = match self.shaded[predicate] {
                    true => Value::UNKNOWN,
                    false => self.value(place, &before(self.program, edge, condition), assumed),
                };
                if value == Value::UNKNOWN && !self.shaded[predicate] {
                    let parameter = self.parameter(|site| {
                        matches!(site, Site::After { place: other, process, edge, predicate: of }
                            if *process == number && *edge == *edge_number && *of == predicate
                                && other.as_ref().is_none_or(|other| other == place))
                    });
                    value = parameter.unwrap_or(value);
                }
                next.values[predicate] = value;
            }
            // Whatever value may be assigned can be chosen: each is a step of its own.
            let mut all = vec![next];
            for predicate in self.chosen(edge) {
                let with = |next: &Place, chosen: Value| {
                    let mut next = next.clone();
                    next.values[predicate] = chosen;
                    next
                };
                let both =
                    |next: &Place| [Value::TRUE, Value::FALSE].map(|chosen| with(next, chosen));
                all = all.iter().flat_map(both).collect();
            }
            found.extend(all.into_iter().map(|next| (*edge_number, value, next)));
        }
        let guards = leaving.iter().map(|(_, edge)| edge.guard.clone()).collect();
        let enabled = match leaving.is_empty() {
            true => Value::FALSE,
            false => self.value(place, &Condition::Or(guards), None),
        };
        (found, enabled.not())
    }

    /// The predicates that are Booleans to which an edge assigns any value.
    fn chosen(&self, edge: &crate::program::Edge) -> Vec<usize> {
        let boolean = |assign: &crate::program::Assign| match assign {
            crate::program::Assign::AnyBoolean(at) => {
                let wanted = Condition::Boolean(*at);
                self.spotlight
                    .predicates
                    .iter()
                    .position(|other| *other == wanted)
            }
            _ => None,
        };
        let all = edge.assign.iter().filter_map(boolean);
        all.filter(|predicate| !self.shaded[*predicate]).collect()
    }

    /// The value of a condition in an abstract state, perhaps knowing that a guard held.
    pub(crate) fn value(
        &mut self,
        place: &Place,
        condition: &Condition,
        assumed: Option<(usize, usize)>,
    ) -> Value {
        let key = (place.values.clone(), assumed, condition.clone());
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        let mut facts = self.facts(place);
        if let Some((process, edge)) = assumed {
            facts.push(self.program.processes[process].edges[edge].guard.clone());
        }
        let mut value = self.structural(place, condition, &facts);
        if value.may != value.must && matches!(condition, Condition::And(_) | Condition::Or(_)) {
            value = self.entailed(&facts, condition).unwrap_or(value);
        }
        self.known.insert(key, value);
        value
    }

    /// By its parts: atoms that are predicates have their values, others follow from facts.
    fn structural(&self, place: &Place, condition: &Condition, facts: &[Condition]) -> Value {
        match condition {
            Condition::Constant(value) => Value::of(*value),
            Condition::Not(inner) => self.structural(place, inner, facts).not(),
            Condition::And(parts) => parts.iter().fold(Value::TRUE, |all, part| {
                all.and(self.structural(place, part, facts))
            }),
            Condition::Or(parts) => parts.iter().fold(Value::FALSE, |any, part| {
                any.or(self.structural(place, part, facts))
            }),
            leaf => {
                let predicate = canonical(leaf).and_then(|(form, positive)| {
                    let at = self
                        .spotlight
                        .predicates
                        .iter()
                        .position(|other| *other == form)?;
                    Some(if positive {
                        place.values[at]
                    } else {
                        place.values[at].not()
                    })
                });
                match predicate {
                    Some(value) if value != Value::UNKNOWN => value,
                    _ => self.entailed(facts, leaf).unwrap_or(Value::UNKNOWN),
                }
            }
        }
    }

    /// What the definite values say.
    fn facts(&self, place: &Place) -> Vec<Condition> {
        let pairs = self.spotlight.predicates.iter().zip(&place.values);
        pairs
            .filter_map(|(predicate, value)| match *value {
                Value::TRUE => Some(predicate.clone()),
                Value::FALSE => Some(predicate.negated()),
                _ => None,
            })
            .collect()
    }

    /// The value of an atom of a property.
    pub(crate) fn atom(&mut self, place: &Place, atom: &Atom) -> Value {
        match atom {
            Atom::Condition(condition) => self.value(place, condition, None),
            Atom::At(process, location) => {
                let at = self
                    .spotlight
                    .processes
                    .iter()
                    .position(|other| other == process);
                at.map_or(Value::UNKNOWN, |at| {
                    Value::of(place.locations[at] == *location)
                })
            }
        }
    }

    /// The value of a formula about one state.
    pub(crate) fn formula(&mut self, place: &Place, formula: &Ltl) -> Value {
        match formula {
            Ltl::Constant(value) => Value::of(*value),
            Ltl::Atom(atom) => self.atom(place, atom),
            Ltl::Not(inner) => self.formula(place, inner).not(),
            Ltl::And(one, other) => self.formula(place, one).and(self.formula(place, other)),
            Ltl::Or(one, other) => self.formula(place, one).or(self.formula(place, other)),
            _ => Value::UNKNOWN,
        }
    }
}

/// How many quotients a condition has.
fn quotients(condition: &Condition) -> usize {
    match condition {
        Condition::AtMostZero(sum) | Condition::Zero(sum) => sum.quotients().len(),
        Condition::Not(inner) => quotients(inner),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().map(quotients).sum(),
        Condition::Constant(_) | Condition::Boolean(_) | Condition::Opaque(_) => 0,
    }
}
