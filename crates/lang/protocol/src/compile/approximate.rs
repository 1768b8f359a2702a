//! Reading one by one, approximated by steps that read at once.
//!
//! Who has seen whom is a relation on processes, which no word of letters can keep for any
//! number of processes that read at the same time. It can keep it for a few: each process
//! carries a bit that says whether a *tracked* process has seen it, and one that says whether it
//! has seen the tracked process. A process then waits for all others only as far as tracked
//! ones are concerned, so that more can happen than in the protocol. Which processes are tracked
//! is guessed at the start; it is enough to ask whether something bad can happen to them,
//! because any could be.
//!
//! A look is a step of its own, `NAME reads`, and looks need not happen as soon as they can:
//! that reaches the same configurations (Abdulla, Ben Henda, Delzanno and Rezine 2008 verify
//! such systems with the whole relation approximated).

use super::evaluate::{Known, Mention, mentions};
use super::letters::product;
use crate::model::{
    Action, Assigned, Bound, Broadcast, Chosen, Comparison, Condition, Demand, Domain, Expr,
    Initial, Mark, Order, Person, Protocol, Reading, Step, Value, Variable, Who,
};

/// Conditions with more joint values than this are taken to be true together.
const MOST_COMPARED: usize = 10_000;

impl Protocol {
    /// The approximations that are tried, one after the other: how many processes are tracked.
    /// Where nobody is, it is kept whom any of those who read may have seen.
    pub fn approximations(&self) -> Vec<usize> {
        match (self.reads_one_by_one(), self.reads_in_common()) {
            (false, _) => vec![1],
            (true, false) => vec![1, 2],
            (true, true) => vec![1, 0, 2],
        }
    }

    /// Whether some step reads the others one by one.
    pub fn reads_one_by_one(&self) -> bool {
        self.readings().next().is_some()
    }

    /// A protocol whose steps read at once, which can do all that this one can, and perhaps
    /// more; and the names of the steps that were added. More tracked processes come closer.
    pub(crate) fn approximated(&self, tracked: usize) -> (Protocol, Vec<String>) {
        if tracked == 0
            && let Some(approximated) = self.approximated_in_common()
        {
            return approximated;
        }
        let tracked = tracked.max(1);
        let encoding = Encoding::of(self, tracked);
        let mut protocol = self.clone();
        protocol.fields.extend(encoding.fields.clone());
        protocol.steps = self.steps.iter().map(|step| encoding.step(step)).collect();
        let looks: Vec<Step> = encoding.looks();
        let added = looks.iter().map(|step| step.name.clone()).collect();
        protocol.steps.extend(looks);
        // Whoever takes a step forgets, or it would be written with letters that there are not.
        let surely = |step: &Step| Step {
            alternatives: encoding.step(step).alternatives,
            ..at_once(step)
        };
        protocol.surely = Some(self.steps.iter().map(surely).collect());
        for property in &mut protocol.properties {
            if let Demand::Never(Condition::Holds(expr)) = &mut property.demand {
                *expr = encoding.of_tracked(expr, 0, 0);
            }
        }
        (protocol, added)
    }
}

/// A protocol whose steps read at once, for asking what must happen.
pub(crate) struct Followable {
    pub(crate) protocol: Protocol,
    /// The steps in which somebody looks at somebody, which are no steps of the protocol.
    pub(crate) looks: Vec<String>,
    /// Of whom one can be taken here by process 0, that one can go on in the protocol: it can take
    /// a step there or look at somebody.
    pub(crate) goes_on: Vec<Step>,
    /// Steps that can be taken by nobody who cannot take them in the protocol.
    pub(crate) sure: Vec<Step>,
    /// That process 0 can look at somebody for sure.
    pub(crate) can_look: Expr,
    /// The mark of the process that is tracked.
    pub(crate) tracked: usize,
}

impl Protocol {
    /// The approximation with one tracked process, and what is sure about who can go on. Where it is
    /// asked what must happen, a look is something that a process does when it has its turn, perhaps
    /// always at the wrong moment.
    pub(crate) fn approximated_for_progress(&self) -> Followable {
        let encoding = Encoding::of(self, 1);
        let tracked = encoding.marks[0];
        let looks = encoding.looks();
        // Whom those who are not tracked have seen is known of the tracked one only, but everybody
        // knows whether they have found somebody.
        let known = looks.iter().filter(|look| match &look.guard {
            Expr::And(parts) => parts.first() != Some(&not(Expr::Field(0, tracked))),
            _ => false,
        });
        let known = known.map(|look| Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(look.guard.clone()),
        });
        let can_look = Expr::Or(known.collect());
        let mut sure = Vec::new();
        for step in &self.steps {
            let read = encoding.step(step);
            let finds = step.readings.iter().all(|reading| reading.exists);
            let known = if finds {
                Expr::TRUE
            } else {
                Expr::Field(0, tracked)
            };
            sure.push(Step {
                guard: and([read.guard.clone(), known]),
                ..read
            });
        }
        // Whoever could take a step reading all at once can take it, or look at somebody.
        let goes_on = sure.iter().cloned().chain(self.steps.iter().map(at_once));
        let goes_on = goes_on.collect();
        let mut protocol = self.clone();
        protocol.fields.extend(encoding.fields.clone());
        protocol.steps = self.steps.iter().map(|step| encoding.step(step)).collect();
        let names = looks.iter().map(|step| step.name.clone()).collect();
        protocol.steps.extend(looks);
        Followable {
            protocol,
            looks: names,
            goes_on,
            sure,
            can_look,
            tracked,
        }
    }
}

/// The step as it is when all are read at once: whoever can take that can take it one by one.
pub(super) fn at_once(step: &Step) -> Step {
    let people = step.people.len();
    let readings = step.readings.iter().map(|reading| reading.at_once(people));
    Step {
        guard: Expr::And([step.guard.clone()].into_iter().chain(readings).collect()),
        readings: Vec::new(),
        ..step.clone()
    }
}

/// The variables that keep who has seen whom.
struct Encoding<'a> {
    protocol: &'a Protocol,
    fields: Vec<Variable>,
    /// For each tracked process, its mark.
    marks: Vec<usize>,
    /// For each reading, its group: readings of which a process does only one at a time share
    /// their variables.
    groups: Vec<usize>,
    /// For each tracked process and group: who was seen by it, who has seen it.
    seen: Vec<Vec<usize>>,
    sees: Vec<Vec<usize>>,
    /// For each group: who has found somebody.
    found: Vec<usize>,
}

impl<'a> Encoding<'a> {
    fn of(protocol: &'a Protocol, tracked: usize) -> Encoding<'a> {
        let groups = groups(protocol);
        let mut encoding = Encoding {
            protocol,
            fields: Vec::new(),
            marks: Vec::new(),
            groups,
            seen: Vec::new(),
            sees: Vec::new(),
            found: Vec::new(),
        };
        let count = encoding.groups.iter().max().map_or(0, |last| last + 1);
        let creates = (protocol.steps.iter())
            .flat_map(|step| step.alternatives.iter().flatten())
            .any(|action| matches!(action, Action::Create(..)));
        for number in 0..tracked {
            let suffix = "'".repeat(number);
            // One that is created later may be tracked as well.
            let start = match creates {
                true => Initial::Values(vec![0, 1]),
                false => Initial::AnyProcess,
            };
            let mark = encoding.add(format!("tracked{suffix}"), start, true);
            encoding.marks.push(mark);
            let bits = |encoding: &mut Self, name: &str| {
                let bit = |group: usize| format!("{name}{}{suffix}", letter_of(group, count));
                (0..count)
                    .map(|group| encoding.add(bit(group), Initial::Values(vec![0]), false))
                    .collect::<Vec<_>>()
            };
            let seen = bits(&mut encoding, "seen");
            let sees = bits(&mut encoding, "sees");
            encoding.seen.push(seen);
            encoding.sees.push(sees);
        }
        for group in 0..count {
            let name = format!("found{}", letter_of(group, count));
            let bit = encoding.add(name, Initial::Values(vec![0]), false);
            encoding.found.push(bit);
        }
        encoding
    }

    fn add(&mut self, name: String, initial: Initial, mark: bool) -> usize {
        self.fields.push(Variable {
            name,
            domain: Domain::Bool,
            initial,
            mark: mark.then_some(Mark { optional: true }),
            auxiliary: true,
            span: quotient_core::Span::default(),
        });
        self.protocol.fields.len() + self.fields.len() - 1
    }

    /// The readings of a step, with their groups.
    fn readings(&self, step: &'a Step) -> impl Iterator<Item = (&'a Reading, usize)> {
        let before: usize = (self.protocol.steps.iter())
            .take_while(|known| known.name != step.name)
            .map(|step| step.readings.len())
            .sum();
        step.readings
            .iter()
            .zip(self.groups[before..].iter().copied())
    }

    /// The step with what it can know of who has seen whom; whoever takes it forgets.
    fn step(&self, step: &'a Step) -> Step {
        let people = step.people.len();
        let mut guard = vec![step.guard.clone()];
        for (reading, group) in self.readings(step) {
            guard.push(match reading.exists {
                true => Expr::Field(0, self.found[group]),
                false => self.all_seen(reading, group, people),
            });
        }
        let mut alternatives = step.alternatives.clone();
        for actions in &mut alternatives {
            for action in actions.iter_mut() {
                if let Action::Create(_, created) = action {
                    created.extend(self.fields.iter().map(|field| match &field.initial {
                        Initial::Values(values) => any_of(values.clone()),
                        _ => any_of(vec![0]),
                    }));
                }
            }
            if people > 0 {
                actions.extend(self.forget());
            }
        }
        Step {
            guard: Expr::And(guard),
            readings: Vec::new(),
            alternatives,
            ..step.clone()
        }
    }

    /// All in range were seen, where that is known.
    fn all_seen(&self, reading: &Reading, group: usize, other: Who) -> Expr {
        let known = self.marks.iter().enumerate().map(|(tracked, &mark)| {
            let by_tracked = and([
                Expr::Field(0, mark),
                Expr::Field(other, self.seen[tracked][group]),
            ]);
            let of_tracked = Expr::Or(vec![
                not(Expr::Field(other, mark)),
                Expr::Field(0, self.sees[tracked][group]),
            ]);
            Expr::Or(vec![
                by_tracked,
                and([not(Expr::Field(0, mark)), of_tracked]),
            ])
        });
        Expr::Quantified {
            exists: false,
            bound: reading.bound.clone(),
            body: Box::new(Expr::And(known.collect())),
        }
    }

    fn forget(&self) -> Vec<Action> {
        let own = self.sees.iter().flatten().chain(&self.found);
        let mut actions: Vec<Action> = own
            .map(|&field| Action::SetField(0, field, any_of(vec![0])))
            .collect();
        for (tracked, &mark) in self.marks.iter().enumerate() {
            let assignments = self.seen[tracked].iter().map(|&bit| (bit, any_of(vec![0])));
            actions.push(Action::Broadcast(Broadcast {
                bound: Bound::default(),
                only: Expr::Field(0, mark),
                assignments: assignments.collect(),
                pairs: Vec::new(),
            }));
        }
        actions
    }

    /// The steps in which a tracked process looks at somebody, somebody at a tracked process,
    /// or anybody at whom they hope to find.
    fn looks(&self) -> Vec<Step> {
        let mut looks = Vec::new();
        for step in &self.protocol.steps {
            for (reading, group) in self.readings(step) {
                if reading.exists {
                    looks.push(look(step, reading, vec![], 0, self.found[group]));
                    continue;
                }
                for (tracked, &mark) in self.marks.iter().enumerate() {
                    let (seen, sees) = (self.seen[tracked][group], self.sees[tracked][group]);
                    let mut who = vec![Expr::Field(0, mark)];
                    who.extend(in_turn(reading, Expr::Field(2, seen)));
                    looks.push(look(step, reading, who, 1, seen));
                    let mut who = vec![not(Expr::Field(0, mark)), Expr::Field(1, mark)];
                    let others = self.marks.iter().enumerate().map(|(other, &mark)| {
                        let sees = Expr::Field(0, self.sees[other][group]);
                        Expr::Or(vec![not(Expr::Field(2, mark)), sees])
                    });
                    who.extend(in_turn(reading, Expr::And(others.collect())));
                    looks.push(look(step, reading, who, 0, sees));
                }
            }
        }
        looks
    }

    /// The condition with its witnesses tracked, as far as there are witnesses.
    fn of_tracked(&self, expr: &Expr, depth: usize, tracked: usize) -> Expr {
        let Some(&mark) = self.marks.get(tracked) else {
            return expr.clone();
        };
        match expr {
            Expr::Quantified {
                exists: true,
                bound,
                body,
            } => {
                let body = self.of_tracked(body, depth + 1, tracked + 1);
                Expr::Quantified {
                    exists: true,
                    bound: bound.clone(),
                    body: Box::new(and([Expr::Field(depth, mark), body])),
                }
            }
            Expr::Not(inner) => match &**inner {
                Expr::Not(inner) => self.of_tracked(inner, depth, tracked),
                Expr::Quantified {
                    exists: false,
                    bound,
                    body,
                } => {
                    let some = Expr::Quantified {
                        exists: true,
                        bound: bound.clone(),
                        body: Box::new(not((**body).clone())),
                    };
                    self.of_tracked(&some, depth, tracked)
                }
                // A count that is too high.
                Expr::Count {
                    bound,
                    body,
                    comparison: Comparison::LessOrEqual | Comparison::Less,
                    ..
                } => and([expr.clone(), self.one_of(bound, body, depth, tracked)]),
                Expr::Or(all) => {
                    let all = all.iter().map(|part| not(part.clone())).collect();
                    self.of_tracked(&Expr::And(all), depth, tracked)
                }
                Expr::And(all) => {
                    let all = all.iter().map(|part| not(part.clone())).collect();
                    self.of_tracked(&Expr::Or(all), depth, tracked)
                }
                _ => expr.clone(),
            },
            Expr::Count {
                bound,
                body,
                comparison: Comparison::GreaterOrEqual | Comparison::Greater,
                number,
            } if *number > 0 => and([expr.clone(), self.one_of(bound, body, depth, tracked)]),
            Expr::Or(all) => {
                Expr::Or((all.iter().map(|part| self.of_tracked(part, depth, tracked))).collect())
            }
            // One part with witnesses is enough.
            Expr::And(all) => {
                let mut all = all.clone();
                for part in &mut all {
                    let closer = self.of_tracked(part, depth, tracked);
                    if closer != *part {
                        *part = closer;
                        break;
                    }
                }
                Expr::And(all)
            }
            _ => expr.clone(),
        }
    }

    /// Some process that is counted is tracked.
    fn one_of(&self, bound: &Bound, body: &Expr, depth: usize, tracked: usize) -> Expr {
        let counted = Expr::Quantified {
            exists: true,
            bound: bound.clone(),
            body: Box::new(body.clone()),
        };
        self.of_tracked(&counted, depth, tracked)
    }
}

/// That those whose turn was before satisfy something, where there is an order. They have the
/// number 2.
fn in_turn(reading: &Reading, before: Expr) -> Option<Expr> {
    let mut bound = reading.bound.clone();
    match reading.order {
        Order::Any => return None,
        Order::FromLeft => bound.left_of = Some(1),
        Order::FromRight => bound.right_of = Some(1),
    }
    Some(Expr::Quantified {
        exists: false,
        bound,
        body: Box::new(before),
    })
}

/// A process that reads looks at another one, and a bit of one of them is set.
pub(super) fn look(
    step: &Step,
    reading: &Reading,
    who: Vec<Expr>,
    target: Who,
    bit: usize,
) -> Step {
    let person = |name: &str| Person {
        name: name.to_owned(),
    };
    let Bound {
        different_from,
        left_of,
        right_of,
    } = &reading.bound;
    let mut guard = who;
    guard.push(reading.own.clone());
    guard.extend(different_from.iter().map(|&from| not(Expr::Same(from, 1))));
    guard.extend(left_of.map(|pivot| Expr::Before(1, pivot)));
    guard.extend(right_of.map(|pivot| Expr::Before(pivot, 1)));
    guard.push(reading.body.clone());
    guard.push(not(Expr::Field(target, bit)));
    Step {
        name: format!("{} reads", step.name),
        span: step.span,
        people: vec![person("self"), person("other")],
        choices: Vec::new(),
        guard: Expr::And(guard),
        readings: Vec::new(),
        alternatives: vec![vec![Action::SetField(target, bit, any_of(vec![1]))]],
        import: None,
        fairness: crate::model::Fairness::default(),
        nature: crate::model::Nature::default(),
    }
}

/// For each reading a number: two of the same number are never done by one process at a time.
pub(super) fn groups(protocol: &Protocol) -> Vec<usize> {
    let readings: Vec<&Reading> = protocol.readings().collect();
    let mut groups: Vec<usize> = Vec::new();
    for (number, reading) in readings.iter().enumerate() {
        let clashes = |group: &usize| {
            (0..number).any(|other| {
                let both = || and([reading.own.clone(), readings[other].own.clone()]);
                groups[other] == *group && possible(protocol, &both())
            })
        };
        let free = (0..).find(|group| !clashes(group));
        groups.push(free.unwrap_or(number));
    }
    groups
}

/// Whether a condition may be true of some process, number 0, by its own values.
fn possible(protocol: &Protocol, expr: &Expr) -> bool {
    let fields: Vec<usize> = (mentions(expr).into_iter())
        .filter_map(|mention| match mention {
            Mention::Field(_, field) => Some(field),
            Mention::Global(_) => None,
        })
        .collect();
    let values = |field: &usize| protocol.fields[*field].domain.values();
    let sizes = fields.iter().map(|field| values(field).len());
    if sizes.fold(1, usize::saturating_mul) > MOST_COMPARED {
        return true;
    }
    product(fields.iter().map(values)).iter().any(|chosen| {
        let mut letter = vec![0; protocol.fields.len()];
        let chosen = fields.iter().zip(chosen);
        chosen.for_each(|(&field, &value)| letter[field] = value);
        of_letter(&letter).value(expr) != Some(0)
    })
}

/// What is known where process 0 is.
pub(super) fn of_letter(letter: &[Value]) -> Known<'_> {
    Known {
        globals: None,
        people: vec![Some(letter)],
        choices: &[],
    }
}

pub(super) fn letter_of(group: usize, groups: usize) -> String {
    match groups {
        1 => String::new(),
        _ => (group + 1).to_string(),
    }
}

pub(super) fn any_of(values: Vec<Value>) -> Assigned {
    Assigned {
        value: Chosen::AnyOf(values),
        span: quotient_core::Span::default(),
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}

pub(super) fn and(parts: [Expr; 2]) -> Expr {
    Expr::And(parts.into())
}
