//! Statements with data to statements without.

use std::collections::BTreeSet;

use quotient_core::Span;
use rustc_hash::FxHashMap;

use super::flow::Accesses;
use super::objects::{Numeric, Object, Objects, Reason, name_of, numeric, truth_is_known};
use super::ranges::Ranges;
use super::{Purified, Stands, Table};
use crate::kernel::{Condition, Kind, Node, Program, Promise, Signal, SignalId, Term, What};
use crate::syntax::Direction;
use crate::value::{Number, Value};

/// The pure program.
pub(super) fn rewrite(
    old: &Program,
    objects: Objects,
    accesses: Accesses,
    reasons: Vec<Reason>,
) -> Purified {
    let rewriter = Rewriter {
        old,
        objects,
        accesses,
        reasons,
        signals: Vec::new(),
        names: BTreeSet::new(),
        stands: vec![Stands::Nothing; old.signals.len()],
        keepers: FxHashMap::default(),
        starts: FxHashMap::default(),
        written: FxHashMap::default(),
        free: FxHashMap::default(),
        traps: Vec::new(),
        read: BTreeSet::new(),
        tables: Vec::new(),
    };
    rewriter.program()
}

pub(super) struct Rewriter<'a> {
    pub(super) old: &'a Program,
    pub(super) objects: Objects,
    pub(super) accesses: Accesses,
    reasons: Vec<Reason>,
    signals: Vec<Signal>,
    names: BTreeSet<String>,
    /// What stands for each old signal.
    pub(super) stands: Vec<Stands>,
    /// The signals that carry the value of an object from instant to instant, by range.
    pub(super) keepers: FxHashMap<Object, Vec<SignalId>>,
    /// The range that a signal begins in.
    pub(super) starts: FxHashMap<Object, usize>,
    /// The signals that say that a variable is written, by range.
    written: FxHashMap<usize, Vec<SignalId>>,
    /// The inputs for forgotten tests, by statement.
    free: FxHashMap<(usize, bool), SignalId>,
    /// The traps around: whether each is one of the old program.
    traps: Vec<bool>,
    /// The objects whose values are read.
    read: BTreeSet<Object>,
    tables: Vec<Table>,
}

impl Rewriter<'_> {
    fn program(mut self) -> Purified {
        let old = self.old;
        let mut nodes = Vec::new();
        old.body.walk(&mut |node| nodes.push(node));
        for node in &nodes {
            for term in node.terms() {
                reads(term, &mut self.read);
            }
        }
        let mut relations = Vec::new();
        let mut beside = Vec::new();
        for id in 0..old.interface {
            self.interface(id, &mut relations);
        }
        self.forgotten(&nodes);
        let interface = self.signals.len();
        for id in 0..old.interface {
            beside.extend(self.sensor_completion(id));
            beside.extend(self.keeper_of_signal(id));
        }
        for (id, signal) in old.signals.iter().enumerate().skip(old.interface) {
            self.stands[id] = self.stand(id, signal.direction);
        }
        let body = self.node(&old.body);
        let span = old.body.span;
        let mut body = match beside.is_empty() {
            true => body,
            false => {
                beside.insert(0, body);
                Node::new(Kind::Parallel(beside), span)
            }
        };
        let kept: Vec<SignalId> = (0..old.interface)
            .filter_map(|id| self.keepers.get(&Object::Signal(id)))
            .flatten()
            .copied()
            .collect();
        if !kept.is_empty() {
            body = Node::new(Kind::Signal(kept, Box::new(body)), span);
        }
        for promise in &old.relations {
            relations.push(self.promise(promise));
        }
        let mut program = Program {
            name: format!("{}_PURE", old.name),
            signals: self.signals,
            interface,
            variables: Vec::new(),
            relations,
            body,
            pauses: 0,
        };
        program.renumber();
        self.stands.truncate(old.interface);
        Purified {
            program,
            reasons: self.reasons,
            tables: self.tables,
            interface: self.stands,
            free: self.free.len(),
        }
    }

    fn fresh(&mut self, name: String, direction: Direction, span: Span) -> SignalId {
        let mut own = name.clone();
        let mut number = 2;
        while !self.names.insert(own.clone()) {
            own = format!("{name}_{number}");
            number += 1;
        }
        self.signals.push(Signal {
            name: own,
            direction,
            kind: None,
            start: None,
            combine: None,
            span,
        });
        self.signals.len() - 1
    }

    /// The pure signals for an old one.
    fn stand(&mut self, id: SignalId, direction: Direction) -> Stands {
        let signal = &self.old.signals[id];
        let object = Object::Signal(id);
        let count = match signal.kind {
            Some(_) => self.objects.count(object),
            None => 1,
        };
        let (name, span) = (signal.name.clone(), signal.span);
        if count == 1 {
            return match direction {
                Direction::Sensor => Stands::Nothing,
                _ => Stands::Whole(self.fresh(name, direction, span)),
            };
        }
        let ranges = self.objects.ranges(object).clone();
        if direction == Direction::Sensor && ranges.boolean {
            let own = self.fresh(name, Direction::Input, span);
            self.table(object, &[own]);
            return Stands::Truth(own);
        }
        let mut all = Vec::new();
        for range in 0..count {
            let direction = match (direction, range) {
                (Direction::Sensor, 0) => Direction::Both,
                (Direction::Sensor, _) => Direction::Input,
                (other, _) => other,
            };
            all.push(self.fresh(format!("R{}_{name}", range + 1), direction, span));
        }
        self.table(object, &all);
        Stands::Ranges(all, ranges)
    }

    fn table(&mut self, object: Object, signals: &[SignalId]) {
        let signals = signals.iter().map(|&id| self.signals[id].name.clone());
        self.tables.push(Table {
            object,
            name: name_of(self.old, object).to_owned(),
            ranges: self.objects.ranges(object).clone(),
            signals: signals.collect(),
            flows: self.flows_from(object),
        });
    }

    /// Where the ranges of an object go.
    fn flows_from(&self, object: Object) -> Vec<(String, Vec<usize>)> {
        let mut all = Vec::new();
        self.old.body.walk(&mut |node| {
            let (to, term) = match &node.kind {
                Kind::Emit(signal, Some(term)) => (Object::Signal(*signal), term),
                Kind::Assign(variable, term) => (Object::Variable(*variable), term),
                _ => return,
            };
            if self.objects.count(to) == 1 || self.objects.ranges(to).boolean {
                return;
            }
            if let Ok(Numeric::Affine {
                factor,
                object: from,
                offset,
                ..
            }) = numeric(self.old, term)
                && from == object
            {
                let ranges = self.objects.ranges(object);
                let targets = (0..ranges.count())
                    .map(|range| self.target(ranges, range, &factor, &offset, to))
                    .collect();
                let row = (name_of(self.old, to).to_owned(), targets);
                if !all.contains(&row) {
                    all.push(row);
                }
            }
        });
        all
    }

    /// The range that a range goes to.
    pub(super) fn target(
        &self,
        ranges: &Ranges,
        range: usize,
        factor: &Number,
        offset: &Number,
        to: Object,
    ) -> usize {
        match ranges.representative(range) {
            Value::Number(number) => {
                let value = Value::Number(factor * number + offset);
                self.objects.ranges(to).of(&value)
            }
            other => self.objects.ranges(to).of(&other),
        }
    }

    fn interface(&mut self, id: SignalId, relations: &mut Vec<Promise>) {
        let direction = self.old.signals[id].direction;
        let stands = self.stand(id, direction);
        if let Stands::Ranges(all, _) = &stands
            && direction != Direction::Output
        {
            relations.push(Promise::Exclusive(all.clone()));
        }
        self.stands[id] = stands;
    }

    /// A free input for each test that cannot be decided.
    fn forgotten(&mut self, nodes: &[&Node]) {
        for node in nodes {
            match &node.kind {
                Kind::Test(term, ..) => {
                    if let Err(why) = truth_is_known(self.old, term, &self.objects.soft) {
                        if !self.reasons.contains(&why) {
                            self.reasons.push(why);
                        }
                        self.new_free(node, false);
                    }
                }
                Kind::Repeat(_) => {
                    self.new_free(node, false);
                    self.new_free(node, true);
                }
                _ => {}
            }
        }
    }

    fn new_free(&mut self, node: &Node, second: bool) {
        let name = format!("FREE_{}", self.free.len() + 1);
        let input = self.fresh(name, Direction::Input, node.span);
        self.free.insert((node.number, second), input);
    }

    /// The first range of a sensor is there when no other is.
    fn sensor_completion(&mut self, id: SignalId) -> Option<Node> {
        let signal = &self.old.signals[id];
        let Stands::Ranges(all, _) = &self.stands[id] else {
            return None;
        };
        if signal.direction != Direction::Sensor {
            return None;
        }
        let span = signal.span;
        let others = Condition::any(all[1..].iter().map(|&one| Condition::Signal(one)).collect());
        let first = Node::new(Kind::Emit(all[0], None), span);
        let nothing = Node::new(Kind::Nothing, span);
        let test = Kind::Present(others, Box::new(nothing), Box::new(first));
        let pause = Node::new(Kind::Pause, span);
        let body = Kind::Sequence(vec![Node::new(test, span), pause]);
        Some(Node::new(Kind::Loop(Box::new(Node::new(body, span))), span))
    }

    /// What carries the value of a signal on, if it is read.
    fn keeper_of_signal(&mut self, id: SignalId) -> Option<Node> {
        let signal = &self.old.signals[id];
        let object = Object::Signal(id);
        let Stands::Ranges(all, ranges) = self.stands[id].clone() else {
            return None;
        };
        if signal.direction == Direction::Sensor || !self.read.contains(&object) {
            return None;
        }
        let start = signal.start.as_ref().and_then(|start| match &start.what {
            What::Constant(value) => Some(ranges.of(value)),
            _ => match numeric(self.old, start) {
                Ok(Numeric::Constant(number)) => Some(ranges.of(&Value::Number(number))),
                _ => None,
            },
        });
        let (name, span) = (signal.name.clone(), signal.span);
        let kept: Vec<SignalId> = (0..all.len())
            .map(|range| self.fresh(format!("V{}_{name}", range + 1), Direction::Local, span))
            .collect();
        self.keepers.insert(object, kept.clone());
        self.starts.extend(start.map(|start| (object, start)));
        Some(keeper(&all, &kept, start, span))
    }

    fn promise(&self, promise: &Promise) -> Promise {
        match promise {
            Promise::Exclusive(all) => {
                let mut flat = Vec::new();
                for &id in all {
                    match &self.stands[id] {
                        Stands::Whole(own) => flat.push(*own),
                        Stands::Ranges(all, _) => flat.extend(all),
                        Stands::Truth(_) | Stands::Nothing => {}
                    }
                }
                Promise::Exclusive(flat)
            }
            Promise::Implies(left, right) => {
                Promise::Implies(self.presence(left), self.presence(right))
            }
        }
    }

    fn presence(&self, condition: &Condition) -> Condition {
        let of = |id: SignalId, make: fn(SignalId) -> Condition| match &self.stands[id] {
            Stands::Whole(own) => make(*own),
            Stands::Ranges(all, _) => Condition::any(all.iter().map(|&one| make(one)).collect()),
            Stands::Truth(_) | Stands::Nothing => Condition::Constant(true),
        };
        match condition {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Signal(id) => of(*id, Condition::Signal),
            Condition::Before(id) => of(*id, Condition::Before),
            Condition::Not(inner) => self.presence(inner).negated(),
            Condition::And(all) => {
                Condition::And(all.iter().map(|one| self.presence(one)).collect())
            }
            Condition::Or(all) => Condition::Or(all.iter().map(|one| self.presence(one)).collect()),
        }
    }

    fn boxed(&mut self, node: &Node) -> Box<Node> {
        Box::new(self.node(node))
    }

    fn node(&mut self, node: &Node) -> Node {
        let span = node.span;
        let kind = match &node.kind {
            Kind::Nothing | Kind::Host(..) => Kind::Nothing,
            Kind::Pause => Kind::Pause,
            Kind::Emit(signal, value) => return self.emit(*signal, value.as_ref(), node),
            Kind::Assign(..) if self.accesses.initial.contains_key(&node.number) => Kind::Nothing,
            Kind::Assign(variable, term) => {
                let Some(written) = self.written.get(variable).cloned() else {
                    return Node::new(Kind::Nothing, span);
                };
                let values = self.values(term, Object::Variable(*variable), node);
                return emissions(&written, values, span);
            }
            Kind::Present(condition, then, otherwise) => {
                let condition = self.presence(condition);
                Kind::Present(condition, self.boxed(then), self.boxed(otherwise))
            }
            Kind::Test(term, then, otherwise) => {
                let condition = match self.free.get(&(node.number, false)) {
                    Some(&free) => Condition::Signal(free),
                    None => self.truth(term, node),
                };
                Kind::Present(condition, self.boxed(then), self.boxed(otherwise))
            }
            Kind::Suspend(condition, body) => {
                let condition = self.presence(condition);
                Kind::Suspend(condition, self.boxed(body))
            }
            Kind::Sequence(steps) => {
                Kind::Sequence(steps.iter().map(|step| self.node(step)).collect())
            }
            Kind::Parallel(all) => Kind::Parallel(all.iter().map(|one| self.node(one)).collect()),
            Kind::Loop(body) => Kind::Loop(self.boxed(body)),
            Kind::Trap(body) => {
                self.traps.push(true);
                let body = self.boxed(body);
                self.traps.pop();
                Kind::Trap(body)
            }
            Kind::Exit(level) => Kind::Exit(self.level(*level)),
            Kind::Signal(signals, body) => return self.locals(signals, body, span),
            Kind::Variable(variable, body) => return self.variable(*variable, body, span),
            Kind::Repeat(repeat) => return self.repeat(repeat, node),
        };
        Node::new(kind, span)
    }

    /// An exit that leaves the same trap, with those in between that are new.
    fn level(&self, level: usize) -> usize {
        let mut left = level;
        for (number, &own) in self.traps.iter().rev().enumerate() {
            if own && left == 0 {
                return number;
            }
            left -= usize::from(own);
        }
        level
    }

    fn emit(&mut self, signal: SignalId, value: Option<&Term>, node: &Node) -> Node {
        match (self.stands[signal].clone(), value) {
            (Stands::Ranges(all, _), Some(term)) => {
                let values = self.values(term, Object::Signal(signal), node);
                emissions(&all, values, node.span)
            }
            (Stands::Whole(own), _) => Node::new(Kind::Emit(own, None), node.span),
            _ => Node::new(Kind::Nothing, node.span),
        }
    }

    /// Local signals, with keepers for those whose values are read.
    fn locals(&mut self, signals: &[SignalId], body: &Node, span: Span) -> Node {
        let mut all = Vec::new();
        let mut keepers = Vec::new();
        for &id in signals {
            match self.stands[id].clone() {
                Stands::Whole(own) => all.push(own),
                Stands::Ranges(own, _) => {
                    all.extend(own);
                    if let Some(keeper) = self.keeper_of_signal(id) {
                        all.extend(&self.keepers[&Object::Signal(id)]);
                        keepers.push(keeper);
                    }
                }
                Stands::Truth(_) | Stands::Nothing => {}
            }
        }
        let body = self.beside(body, keepers, span);
        Node::new(Kind::Signal(all, Box::new(body)), span)
    }

    /// A variable as signals: what is written, and what it holds.
    fn variable(&mut self, variable: usize, body: &Node, span: Span) -> Node {
        let object = Object::Variable(variable);
        let count = self.objects.count(object);
        if count == 1 {
            return self.node(body);
        }
        let name = self.old.variables[variable].name.clone();
        let make = |this: &mut Self, letter: char| -> Vec<SignalId> {
            (0..count)
                .map(|range| {
                    let name = format!("{letter}{}_{name}", range + 1);
                    this.fresh(name, Direction::Local, span)
                })
                .collect()
        };
        let (written, kept) = (make(self, 'W'), make(self, 'V'));
        self.written.insert(variable, written.clone());
        self.keepers.insert(object, kept.clone());
        if !self.tables.iter().any(|table| table.object == object) {
            self.table(object, &kept);
        }
        let first = match &body.kind {
            Kind::Sequence(steps) => steps.first().map_or(body.number, |first| first.number),
            _ => body.number,
        };
        let start = self.accesses.initial.get(&first);
        let start = start.map(|value| self.objects.ranges(object).of(value));
        self.starts.extend(start.map(|start| (object, start)));
        let keeper = keeper(&written, &kept, start, span);
        let body = self.beside(body, vec![keeper], span);
        let all = written.into_iter().chain(kept).collect();
        Node::new(Kind::Signal(all, Box::new(body)), span)
    }

    /// A body with keepers beside it that end when it does.
    fn beside(&mut self, body: &Node, keepers: Vec<Node>, span: Span) -> Node {
        if keepers.is_empty() {
            return self.node(body);
        }
        self.traps.push(false);
        let body = self.node(body);
        self.traps.pop();
        let exit = Node::new(Kind::Exit(0), span);
        let mut branches = vec![Node::new(Kind::Sequence(vec![body, exit]), span)];
        branches.extend(keepers);
        let all = Node::new(Kind::Parallel(branches), span);
        Node::new(Kind::Trap(Box::new(all)), span)
    }

    /// A repetition of an unknown number of times: after each turn it may be over.
    fn repeat(&mut self, repeat: &crate::kernel::Repeat, node: &Node) -> Node {
        let span = node.span;
        self.traps.push(false);
        let body = self.node(&repeat.body);
        self.traps.pop();
        let free = |this: &Self, second| this.free.get(&(node.number, second)).copied();
        let leave = |signal: Option<SignalId>| {
            let condition = signal.map_or(Condition::Constant(false), Condition::Signal);
            let exit = Box::new(Node::new(Kind::Exit(0), span));
            let nothing = Box::new(Node::new(Kind::Nothing, span));
            Node::new(Kind::Present(condition, exit, nothing), span)
        };
        let turn = Node::new(Kind::Sequence(vec![body, leave(free(self, false))]), span);
        let mut steps = vec![Node::new(Kind::Loop(Box::new(turn)), span)];
        if !repeat.positive {
            steps.insert(0, leave(free(self, true)));
        }
        let all = Node::new(Kind::Sequence(steps), span);
        Node::new(Kind::Trap(Box::new(all)), span)
    }
}

/// Emits each signal under its condition.
fn emissions(signals: &[SignalId], conditions: Vec<Condition>, span: Span) -> Node {
    let mut branches = Vec::new();
    for (&signal, condition) in signals.iter().zip(conditions) {
        let emit = Node::new(Kind::Emit(signal, None), span);
        match condition {
            Condition::Constant(false) => {}
            Condition::Constant(true) => branches.push(emit),
            condition => {
                let nothing = Box::new(Node::new(Kind::Nothing, span));
                let kind = Kind::Present(condition, Box::new(emit), nothing);
                branches.push(Node::new(kind, span));
            }
        }
    }
    match branches.len() {
        0 => Node::new(Kind::Nothing, span),
        1 => branches.swap_remove(0),
        _ => Node::new(Kind::Parallel(branches), span),
    }
}

/// Carries a value on: what comes now, or else what was there before.
fn keeper(sources: &[SignalId], kept: &[SignalId], start: Option<usize>, span: Span) -> Node {
    let none =
        Condition::any(sources.iter().map(|&one| Condition::Signal(one)).collect()).negated();
    let now = |first: bool| {
        let conditions = (sources.iter().zip(kept).enumerate())
            .map(|(range, (&source, &own))| {
                let stays = match first {
                    true if start == Some(range) => none.clone(),
                    true => return Condition::Signal(source),
                    false => Condition::And(vec![none.clone(), Condition::Before(own)]),
                };
                Condition::Or(vec![Condition::Signal(source), stays])
            })
            .collect();
        let emissions = emissions(kept, conditions, span);
        let pause = Node::new(Kind::Pause, span);
        Node::new(Kind::Sequence(vec![emissions, pause]), span)
    };
    let again = Node::new(Kind::Loop(Box::new(now(false))), span);
    Node::new(Kind::Sequence(vec![now(true), again]), span)
}

fn reads(term: &Term, all: &mut BTreeSet<Object>) {
    match term.what {
        What::Variable(variable) => {
            all.insert(Object::Variable(variable));
        }
        What::Value(signal) | What::Before(signal) => {
            all.insert(Object::Signal(signal));
        }
        _ => {}
    }
    for part in term.parts() {
        reads(part, all);
    }
}
