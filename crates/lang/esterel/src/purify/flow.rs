//! When variables are written: a signal has one status in an instant, so a variable that becomes
//! signals may be written at most once in each.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::objects::{Numeric, Object, Reason, numeric, reason};
use crate::checks::reads;
use crate::kernel::{Condition, Kind, Node, Program, VariableId, What};
use crate::value::Value;

/// It may be that it was not written in this instant.
const OLD: u8 = 1;
/// It may be that it was.
const NEW: u8 = 2;
/// It was read where both may be.
const SEEN: u8 = 4;

/// What is known of each variable at a place.
type Facts = Vec<u8>;

/// Where variables are read: by statement, whether the value may be new in this instant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accesses {
    seen: FxHashMap<(usize, VariableId), u8>,
    /// Assignments that are the value a variable begins with: no writing, by statement.
    pub(crate) initial: FxHashMap<usize, Value>,
    /// Variables that are written twice in an instant, perhaps.
    pub(crate) twice: Vec<(Object, Reason)>,
}

impl Accesses {
    /// Whether a statement reads what a variable held before this instant.
    pub(crate) fn is_old(&self, statement: usize, variable: VariableId) -> bool {
        self.seen.get(&(statement, variable)) == Some(&OLD)
    }
}

/// Looks at all ways through a program.
pub(crate) fn accesses(program: &Program) -> Accesses {
    let mut analysis = Analysis {
        program,
        accesses: Accesses {
            initial: initial(program),
            ..Accesses::default()
        },
        told: BTreeSet::new(),
    };
    let start = vec![OLD; program.variables.len()];
    analysis.run(&program.body, start);
    analysis.accesses
}

/// The first assignment of `var v := 3`, where it is a constant: the value before the first
/// instant, so that the first instant may still write.
fn initial(program: &Program) -> FxHashMap<usize, Value> {
    let mut all = FxHashMap::default();
    program.body.walk(&mut |node| {
        let Kind::Variable(variable, body) = &node.kind else {
            return;
        };
        let first = match &body.kind {
            Kind::Sequence(steps) => steps.first(),
            _ => Some(&**body),
        };
        if let Some(first) = first
            && let Kind::Assign(own, term) = &first.kind
            && own == variable
        {
            let value = match (&term.what, numeric(program, term)) {
                (What::Constant(value), _) => Some(value.clone()),
                (_, Ok(Numeric::Constant(number))) => Some(Value::Number(number)),
                _ => None,
            };
            all.extend(value.map(|value| (first.number, value)));
        }
    });
    all
}

/// How a statement can be left: by code, and where control rests at the end of an instant.
#[derive(Default)]
struct Ways {
    codes: Vec<Option<Facts>>,
    rest: Option<Facts>,
}

impl Ways {
    fn ends(facts: Facts) -> Ways {
        Ways {
            codes: vec![Some(facts)],
            rest: None,
        }
    }

    fn add(&mut self, code: usize, facts: Option<Facts>) {
        if self.codes.len() <= code {
            self.codes.resize(code + 1, None);
        }
        join(&mut self.codes[code], facts);
    }

    fn end(&mut self) -> Option<Facts> {
        self.codes.first_mut().and_then(Option::take)
    }

    fn join(&mut self, other: Ways) {
        for (code, facts) in other.codes.into_iter().enumerate() {
            self.add(code, facts);
        }
        join(&mut self.rest, other.rest);
    }

    /// All that may be so at the end of an instant.
    fn any(&self) -> Option<Facts> {
        let mut all = self.rest.clone();
        for facts in &self.codes {
            join(&mut all, facts.clone());
        }
        all
    }
}

fn join(one: &mut Option<Facts>, other: Option<Facts>) {
    match (one.as_mut(), other) {
        (Some(one), Some(other)) => {
            for (fact, more) in one.iter_mut().zip(other) {
                *fact |= more;
            }
        }
        (None, other) => *one = other,
        (Some(_), None) => {}
    }
}

struct Analysis<'a> {
    program: &'a Program,
    accesses: Accesses,
    told: BTreeSet<VariableId>,
}

impl Analysis<'_> {
    fn run(&mut self, node: &Node, mut facts: Facts) -> Ways {
        self.read(node, &mut facts);
        match &node.kind {
            Kind::Pause => Ways {
                codes: vec![Some(vec![OLD; facts.len()])],
                rest: Some(facts),
            },
            Kind::Exit(level) => {
                let mut ways = Ways::default();
                ways.add(level + 2, Some(facts));
                ways
            }
            Kind::Assign(variable, _) => {
                if !self.accesses.initial.contains_key(&node.number) {
                    self.write(*variable, node, &mut facts);
                }
                Ways::ends(facts)
            }
            Kind::Host(_, written) => {
                for &variable in written {
                    self.write(variable, node, &mut facts);
                }
                Ways::ends(facts)
            }
            Kind::Present(_, one, other) | Kind::Test(_, one, other) => {
                let mut ways = self.run(one, facts.clone());
                ways.join(self.run(other, facts));
                ways
            }
            Kind::Suspend(_, body) | Kind::Signal(_, body) => self.run(body, facts),
            Kind::Variable(variable, body) => {
                facts[*variable] = OLD;
                self.run(body, facts)
            }
            Kind::Sequence(steps) => {
                let mut all = Ways::ends(facts);
                for step in steps {
                    let Some(facts) = all.end() else {
                        break;
                    };
                    let ways = self.run(step, facts);
                    all.join(ways);
                }
                all
            }
            Kind::Loop(body) => self.turns(body, facts),
            Kind::Repeat(repeat) => {
                let mut ways = self.turns(&repeat.body, facts.clone());
                ways.add(0, Some(facts));
                ways
            }
            Kind::Trap(body) => {
                let mut ways = self.run(body, facts);
                let caught = match ways.codes.len() > 2 {
                    true => ways.codes.remove(2),
                    false => None,
                };
                ways.add(0, caught);
                ways
            }
            Kind::Parallel(branches) => self.together(branches, facts),
            _ => Ways::ends(facts),
        }
    }

    /// A loop until nothing new comes round.
    fn turns(&mut self, body: &Node, facts: Facts) -> Ways {
        let mut entry = Some(facts);
        loop {
            let before = entry.clone();
            let mut ways = self.run(body, before.clone().unwrap_or_default());
            let end = ways.end();
            join(&mut entry, end);
            if entry == before {
                return ways;
            }
        }
    }

    /// Branches at the same time: who leaves does not know how far the others are.
    fn together(&mut self, branches: &[Node], facts: Facts) -> Ways {
        let ways: Vec<Ways> = branches
            .iter()
            .map(|branch| self.run(branch, facts.clone()))
            .collect();
        let mut all = Ways::default();
        for (at, way) in ways.iter().enumerate() {
            for (code, facts) in way.codes.iter().enumerate() {
                let Some(facts) = facts else { continue };
                let mut facts = Some(facts.clone());
                if code >= 2 {
                    let watched = watched(&branches[at]);
                    for (other, way) in ways.iter().enumerate().filter(|(other, _)| *other != at) {
                        // An abortion leaves when its body is held: that does nothing then.
                        if watched.is_none() || held(&branches[other]) != watched {
                            join(&mut facts, way.any());
                        }
                    }
                }
                all.add(code, facts);
            }
            join(&mut all.rest, way.rest.clone());
        }
        all
    }

    fn read(&mut self, node: &Node, facts: &mut Facts) {
        let mut variables = BTreeSet::new();
        for term in node.terms() {
            reads(term, &mut variables);
        }
        for variable in variables {
            let fact = facts[variable] & (OLD | NEW);
            *self
                .accesses
                .seen
                .entry((node.number, variable))
                .or_default() |= fact;
            let all = self.accesses.seen[&(node.number, variable)];
            if all & NEW != 0 {
                facts[variable] |= SEEN;
            }
        }
    }

    fn write(&mut self, variable: VariableId, node: &Node, facts: &mut Facts) {
        let fact = facts[variable];
        let again = fact & NEW != 0;
        let read = fact & SEEN != 0;
        if (again || read) && self.told.insert(variable) {
            let name = &self.program.variables[variable].name;
            let text = match again {
                true => format!("`{name}` may be written twice in one instant"),
                false => format!("`{name}` may be written after it was read in one instant"),
            };
            let why = reason(node.span, "once", text);
            self.accesses.twice.push((Object::Variable(variable), why));
        }
        facts[variable] = NEW;
    }
}

/// The condition that a branch waits for, from the next instant on, to leave.
fn watched(branch: &Node) -> Option<&Condition> {
    let Kind::Loop(body) = &branch.kind else {
        return None;
    };
    let Kind::Sequence(steps) = &body.kind else {
        return None;
    };
    match steps.as_slice() {
        [pause, test] if matches!(pause.kind, Kind::Pause) => match &test.kind {
            Kind::Present(condition, then, otherwise)
                if matches!(then.kind, Kind::Exit(_))
                    && matches!(otherwise.kind, Kind::Nothing) =>
            {
                Some(condition)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The condition under which a branch is held.
fn held(branch: &Node) -> Option<&Condition> {
    match &branch.kind {
        Kind::Suspend(condition, _) => Some(condition),
        Kind::Sequence(steps) => match steps.as_slice() {
            [first, rest @ ..] if rest.iter().all(|one| matches!(one.kind, Kind::Exit(_))) => {
                held(first)
            }
            _ => None,
        },
        _ => None,
    }
}
