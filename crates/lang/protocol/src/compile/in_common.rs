//! Reading one by one, approximated by what all who read may have seen together.
//!
//! Whoever reads in an order has seen those who come first, up to somebody. For one reading it is
//! kept how far *any* of those who are not done with it may have come: as those who do not satisfy
//! its condition now, but did when somebody may have passed them. (Whoever satisfies it now may as
//! well have been seen.) Whoever has seen all is done, and keeps that for itself until its next
//! step. So those who read lend each other what they have seen, and more can happen than in the
//! protocol.
//!
//! What is lost that way is won back where two readings *exclude* each other: if nobody who does the
//! one satisfies the condition of the other, and the other way round, then of two processes that do
//! them not both have seen each other. For whoever began later looked at one who was reading all
//! the time since. So whoever is done with the one has been passed by nobody who does the other.

use std::collections::BTreeSet;

use super::approximate::{and, any_of, at_once, groups, letter_of, look, not, of_letter};
use super::letters::product;
use crate::model::{
    Action, Bound, Broadcast, Chosen, Domain, Expr, Fairness, Initial, Nature, Order, Person,
    Protocol, Reading, Step, Topology, Value, Variable,
};

/// A step that would become more steps than this is not approximated.
const MOST_CASES: usize = 64;
/// More joint values of a process than this are not looked at.
const MOST_LETTERS: usize = 2_000;

impl Protocol {
    /// Whether this approximation says anything: conditions speak only of whom is read, and nobody
    /// but a process itself changes what its readings go by.
    pub(super) fn reads_in_common(&self) -> bool {
        let reads: Vec<&Reading> = self.readings().filter(|one| !one.exists).collect();
        let ordered = reads.iter().any(|one| one.order != Order::Any);
        let of_one = |expr: &Expr, who: usize| {
            let other = |part: &Expr| match part {
                Expr::Field(own, _) => *own != who,
                Expr::Global(_) | Expr::Pair(..) | Expr::Choice(_) | Expr::Size => true,
                _ => false,
            };
            expr.is_plain() && !expr.mentions(&other)
        };
        let fields = fields_of(reads.iter().flat_map(|one| [&one.own, &one.body]));
        let keeps_to_itself = |action: &Action| match action {
            Action::Move(..) | Action::Create(..) | Action::Remove(_) => false,
            action => set_by_others(action).all(|field| !fields.contains(&field)),
        };
        !reads.is_empty()
            && (self.topology == Topology::Line || !ordered)
            && (reads.iter()).all(|one| of_one(&one.own, 0) && of_one(&one.body, 1))
            && (self.steps.iter())
                .flat_map(|step| step.alternatives.iter().flatten())
                .all(keeps_to_itself)
            && Common::of(self).is_some_and(|common| common.cases_are_few())
    }

    /// The approximation, and the names of the steps that were added; nothing where it would say
    /// nothing.
    pub(super) fn approximated_in_common(&self) -> Option<(Protocol, Vec<String>)> {
        if !self.reads_in_common() {
            return None;
        }
        let common = Common::of(self)?;
        let mut protocol = self.clone();
        protocol.fields.extend(common.fields.clone());
        protocol.steps = (self.steps.iter())
            .flat_map(|step| common.cases(step, &common.asked(step)))
            .collect();
        let looks = common.looks();
        let added = looks.iter().map(|step| step.name.clone()).collect();
        protocol.steps.extend(looks);
        let surely = (self.steps.iter())
            .flat_map(|step| common.cases(step, &sure_guard(step)))
            .collect();
        protocol.surely = Some(surely);
        Some((protocol, added))
    }
}

/// The variables that keep what may have been seen.
struct Common<'a> {
    protocol: &'a Protocol,
    fields: Vec<Variable>,
    readings: Vec<(&'a Step, &'a Reading)>,
    /// For each reading, its group: readings of which a process does only one at a time share
    /// whether it is done.
    groups: Vec<usize>,
    /// For each group, who has seen all, and who has found somebody.
    done: Vec<usize>,
    found: Vec<usize>,
    /// For each reading: who was passed when it satisfied the condition.
    passed: Vec<usize>,
    /// What a process may look like, as far as steps ask and readings go by it.
    letters: Vec<Vec<Value>>,
}

impl<'a> Common<'a> {
    fn of(protocol: &'a Protocol) -> Option<Common<'a>> {
        let steps = protocol.steps.iter();
        let readings = steps.flat_map(|step| step.readings.iter().map(move |one| (step, one)));
        let mut common = Common {
            protocol,
            fields: Vec::new(),
            readings: readings.collect(),
            groups: groups(protocol),
            done: Vec::new(),
            found: Vec::new(),
            passed: Vec::new(),
            letters: letters(protocol)?,
        };
        let count = common.groups.iter().max().map_or(0, |last| last + 1);
        for group in 0..count {
            let letter = letter_of(group, count);
            let done = common.add(format!("done{letter}"));
            let found = common.add(format!("found{letter}"));
            common.done.push(done);
            common.found.push(found);
        }
        for number in 0..common.readings.len() {
            let passed = common.add(format!("passed{}", number + 1));
            common.passed.push(passed);
        }
        Some(common)
    }

    fn add(&mut self, name: String) -> usize {
        self.fields.push(Variable {
            name,
            domain: Domain::Bool,
            initial: Initial::Values(vec![0]),
            mark: None,
            auxiliary: true,
            span: quotient_core::Span::default(),
        });
        self.protocol.fields.len() + self.fields.len() - 1
    }

    /// The readings of which all must be seen.
    fn whole(&self) -> impl Iterator<Item = usize> {
        (0..self.readings.len()).filter(|&number| !self.readings[number].1.exists)
    }

    /// What a step asks, whether it has read included.
    fn asked(&self, step: &Step) -> Expr {
        let mut guard = vec![step.guard.clone()];
        for (number, (known, reading)) in self.readings.iter().enumerate() {
            if known.name == step.name {
                let bits = if reading.exists {
                    &self.found
                } else {
                    &self.done
                };
                guard.push(Expr::Field(0, bits[self.groups[number]]));
            }
        }
        Expr::And(guard)
    }

    /// A process does a reading and is not done.
    fn reads(&self, number: usize, who: usize) -> Expr {
        let own = self.readings[number].1.own.renumbered(&|_| who);
        let done = Expr::Field(who, self.done[self.groups[number]]);
        and([own, not(done)])
    }

    /// A process satisfies what is read, or may have been passed when it did.
    fn may_be_seen(&self, number: usize, who: usize) -> Expr {
        let body = self.readings[number].1.body.renumbered(&|_| who);
        Expr::Or(vec![body, Expr::Field(who, self.passed[number])])
    }

    /// Somebody may have passed process 0, in a step with so many people.
    fn may_be_passed(&self, number: usize, people: usize) -> Expr {
        let Reading { bound, order, .. } = self.readings[number].1;
        let reader = people;
        let range = Bound {
            different_from: vec![0],
            left_of: bound.right_of.map(|_| 0),
            right_of: bound.left_of.map(|_| 0),
        };
        let mut before = bound.renumbered(&|_| reader);
        match order {
            Order::Any => {}
            Order::FromLeft => before.left_of = Some(0),
            Order::FromRight => before.right_of = Some(0),
        }
        let before = Expr::Quantified {
            exists: false,
            bound: before,
            body: Box::new(self.may_be_seen(number, reader + 1)),
        };
        let mut body = vec![self.reads(number, reader)];
        body.extend((*order != Order::Any).then_some(before));
        Expr::Quantified {
            exists: true,
            bound: range,
            body: Box::new(Expr::And(body)),
        }
    }

    /// Whether process 0 may satisfy (or not) a condition on itself before the actions of a step and
    /// after: `[before][after]`.
    fn change(&self, step: &Step, actions: &[Action], expr: &Expr) -> [[bool; 2]; 2] {
        let mut table = [[false; 2]; 2];
        let is = |letter: &[Value]| of_letter(letter).value(expr);
        let able = |letter: &&Vec<Value>| of_letter(letter).value(&step.guard) != Some(0);
        for letter in self.letters.iter().filter(able) {
            for after in afters(self.protocol, actions, letter) {
                match (is(letter), is(&after)) {
                    (Some(before), Some(after)) => {
                        table[usize::from(before != 0)][usize::from(after != 0)] = true;
                    }
                    _ => return [[true; 2]; 2],
                }
            }
        }
        table
    }

    /// The step with this guard, as steps that also keep who may have been passed; whoever takes one
    /// forgets.
    fn cases(&self, step: &Step, guard: &Expr) -> Vec<Step> {
        if step.people.is_empty() {
            return vec![step.clone()];
        }
        let mut cases = Vec::new();
        for actions in &step.alternatives {
            let mut forgets = actions.clone();
            for &bit in self.done.iter().chain(&self.found) {
                forgets.push(set(bit, 0));
            }
            let mut own = vec![(Vec::new(), forgets)];
            for number in self.whole() {
                own = self.split(step, actions, number, own);
            }
            cases.extend(own.into_iter().map(|(conditions, actions)| Step {
                guard: Expr::And([vec![guard.clone()], conditions].concat()),
                readings: Vec::new(),
                alternatives: vec![actions],
                ..step.clone()
            }));
        }
        cases
    }

    /// Splits cases of a step by what it does to those who do one reading.
    fn split(
        &self,
        step: &Step,
        actions: &[Action],
        number: usize,
        cases: Vec<(Vec<Expr>, Vec<Action>)>,
    ) -> Vec<(Vec<Expr>, Vec<Action>)> {
        let reading = self.readings[number].1;
        let passed = self.passed[number];
        let mut ways: Vec<(Vec<Expr>, Vec<Action>)> = Vec::new();
        let own = self.change(step, actions, &reading.own);
        if own[0][1] || own[1][1] {
            let others = Expr::Quantified {
                exists: true,
                bound: others(),
                body: Box::new(self.reads(number, step.people.len())),
            };
            // With nobody else who reads, what was seen before does not matter any more.
            ways.push((vec![others.clone()], Vec::new()));
            let clears = vec![set(passed, 0), clear(passed, others_of(Order::Any))];
            ways.push((vec![not(others)], clears));
        } else {
            ways.push((Vec::new(), Vec::new()));
        }
        let body = reading.body.renumbered(&|_| 0);
        let table = self.change(step, actions, &body);
        let mut marks: Vec<(Vec<Expr>, Vec<Action>)> = Vec::new();
        if table[1][0] {
            let may = self.may_be_passed(number, step.people.len());
            marks.push((vec![body.clone(), may.clone()], vec![set(passed, 1)]));
            marks.push((vec![body.clone(), not(may)], vec![set(passed, 0)]));
            if table[0][0] || table[0][1] {
                marks.push((vec![not(body)], Vec::new()));
            }
        } else if table[0][0] {
            marks.push((Vec::new(), Vec::new()));
        } else {
            marks.push((Vec::new(), vec![set(passed, 0)]));
        }
        let mut all = Vec::new();
        for (conditions, done) in cases {
            for (one, clears) in &ways {
                for (other, sets) in &marks {
                    let conditions = [&conditions[..], one, other].concat();
                    all.push((conditions, [&done[..], clears, sets].concat()));
                }
            }
        }
        all
    }

    fn cases_are_few(&self) -> bool {
        self.protocol.steps.iter().all(|step| {
            step.alternatives.iter().all(|actions| {
                let ways = self.whole().map(|number| {
                    let reading = self.readings[number].1;
                    let own = self.change(step, actions, &reading.own);
                    let table = self.change(step, actions, &reading.body.renumbered(&|_| 0));
                    let begins = 1 + usize::from(own[0][1] || own[1][1]);
                    let kept = usize::from(table[0][0] || table[0][1]);
                    begins * if table[1][0] { 2 + kept } else { 1 }
                });
                ways.fold(1, usize::saturating_mul) <= MOST_CASES
            })
        })
    }

    /// Whether nobody who does the one satisfies the condition of the other, and the other way
    /// round; both are about all others.
    fn exclude(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.readings[one].1, self.readings[other].1);
        let never = |reader: &Reading, read: &Reading| {
            let both = and([read.own.clone(), reader.body.renumbered(&|_| 0)]);
            let mut letters = self.letters.iter();
            letters.all(|letter| of_letter(letter).value(&both) == Some(0))
        };
        one.bound == others() && other.bound == others() && never(one, other) && never(other, one)
    }

    /// The steps in which somebody has seen all, or finds somebody.
    fn looks(&self) -> Vec<Step> {
        let mut looks = Vec::new();
        for (number, (step, reading)) in self.readings.iter().enumerate() {
            let group = self.groups[number];
            looks.push(match reading.exists {
                true => look(step, reading, vec![], 0, self.found[group]),
                false => self.finish(number),
            });
        }
        looks
    }

    /// A process has seen all.
    fn finish(&self, number: usize) -> Step {
        let (step, reading) = self.readings[number];
        let mut guard = vec![self.reads(number, 0)];
        guard.push(Expr::Quantified {
            exists: false,
            bound: reading.bound.clone(),
            body: Box::new(self.may_be_seen(number, 1)),
        });
        let mut actions = vec![set(self.done[self.groups[number]], 1)];
        for other in self.whole().filter(|&other| self.exclude(number, other)) {
            let own = self.readings[other].1.own.renumbered(&|_| 1);
            let done = Expr::Field(1, self.done[self.groups[other]]);
            guard.push(Expr::Quantified {
                exists: false,
                bound: others(),
                body: Box::new(not(and([own, done]))),
            });
            let passed = self.passed[other];
            actions.push(set(passed, 0));
            let order = self.readings[other].1.order;
            if order != Order::Any {
                actions.push(clear(passed, others_of(order)));
            }
        }
        Step {
            name: format!("{} reads", step.name),
            span: step.span,
            people: vec![Person {
                name: "self".to_owned(),
            }],
            choices: Vec::new(),
            guard: Expr::And(guard),
            readings: Vec::new(),
            alternatives: vec![actions],
            import: None,
            fairness: Fairness::default(),
            nature: Nature::default(),
        }
    }
}

/// The variables that conditions speak of.
fn fields_of<'e>(exprs: impl Iterator<Item = &'e Expr>) -> Vec<usize> {
    let mut fields = Vec::new();
    for expr in exprs {
        expr.walk(&mut |part| {
            if let Expr::Field(_, field) = part {
                fields.push(*field);
            }
        });
    }
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The variables of others that an action of process 0 sets.
fn set_by_others(action: &Action) -> impl Iterator<Item = usize> {
    let fields: Vec<usize> = match action {
        Action::SetField(0, ..) => Vec::new(),
        Action::SetField(_, field, _) | Action::SetMark(field, _) => vec![*field],
        Action::Broadcast(all) => all.assignments.iter().map(|(field, _)| *field).collect(),
        _ => Vec::new(),
    };
    fields.into_iter()
}

/// What a process may look like where nobody asks who stands where, as far as steps and readings
/// speak of it; nothing if there is too much of it.
fn letters(protocol: &Protocol) -> Option<Vec<Vec<Value>>> {
    let actions = || (protocol.steps.iter()).flat_map(|step| step.alternatives.iter().flatten());
    let assigned = actions().filter_map(|action| match action {
        Action::SetField(0, _, assigned) => match &assigned.value {
            Chosen::Exactly(value) => Some(value),
            Chosen::AnyOf(_) => None,
        },
        _ => None,
    });
    let readings = protocol.readings().flat_map(|one| [&one.own, &one.body]);
    let guards = protocol.steps.iter().map(|step| &step.guard);
    let spoken = fields_of(readings.chain(guards).chain(assigned));
    let by_others: Vec<usize> = actions().flat_map(set_by_others).collect();
    let starts = protocol.fields.iter().enumerate().map(|(number, field)| {
        match (&field.initial, spoken.contains(&number)) {
            (_, false) => vec![0],
            (Initial::Values(values), _) if !by_others.contains(&number) => values.clone(),
            _ => field.domain.values(),
        }
    });
    let starts: Vec<Vec<Value>> = starts.collect();
    let size = starts.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if size > MOST_LETTERS {
        return None;
    }
    let mut letters = product(starts);
    let mut known: BTreeSet<Vec<Value>> = letters.iter().cloned().collect();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at].clone();
        at += 1;
        let mut next = Vec::new();
        for step in &protocol.steps {
            if of_letter(&letter).value(&step.guard) == Some(0) {
                continue;
            }
            for actions in &step.alternatives {
                next.extend(afters(protocol, actions, &letter));
            }
        }
        for (number, field) in protocol.fields.iter().enumerate() {
            if spoken.contains(&number) && by_others.contains(&number) {
                next.extend(field.domain.values().into_iter().map(|value| {
                    let mut after = letter.clone();
                    after[number] = value;
                    after
                }));
            }
        }
        for mut after in next {
            for (number, value) in after.iter_mut().enumerate() {
                if !spoken.contains(&number) {
                    *value = 0;
                }
            }
            if known.insert(after.clone()) {
                letters.push(after);
            }
        }
        if letters.len() > MOST_LETTERS {
            return None;
        }
    }
    Some(letters)
}

/// What process 0 may look like after actions of its own.
fn afters(protocol: &Protocol, actions: &[Action], letter: &[Value]) -> Vec<Vec<Value>> {
    let mut all = vec![letter.to_vec()];
    for action in actions {
        let Action::SetField(0, field, assigned) = action else {
            continue;
        };
        let values = match &assigned.value {
            Chosen::Exactly(value) => match of_letter(letter).value(value) {
                Some(value) => vec![value],
                None => protocol.fields[*field].domain.values(),
            },
            Chosen::AnyOf(values) => values.clone(),
        };
        let mut next = Vec::new();
        for before in &all {
            next.extend(values.iter().map(|&value| {
                let mut after = before.clone();
                after[*field] = value;
                after
            }));
        }
        all = next;
    }
    all
}

/// That a step could be taken reading all at once; whoever can do that can take it one by one.
fn sure_guard(step: &Step) -> Expr {
    match step.people.is_empty() {
        true => step.guard.clone(),
        false => at_once(step).guard,
    }
}

/// All but process 0.
fn others() -> Bound {
    others_of(Order::Any)
}

/// Those who are read behind process 0.
fn others_of(order: Order) -> Bound {
    match order {
        Order::Any => Bound {
            different_from: vec![0],
            ..Bound::default()
        },
        Order::FromLeft => Bound {
            right_of: Some(0),
            ..Bound::default()
        },
        Order::FromRight => Bound {
            left_of: Some(0),
            ..Bound::default()
        },
    }
}

fn set(field: usize, value: Value) -> Action {
    Action::SetField(0, field, any_of(vec![value]))
}

fn clear(field: usize, bound: Bound) -> Action {
    Action::Broadcast(Broadcast {
        bound,
        only: Expr::TRUE,
        assignments: vec![(field, any_of(vec![0]))],
        pairs: Vec::new(),
    })
}
