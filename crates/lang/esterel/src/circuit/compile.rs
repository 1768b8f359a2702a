//! Statements to wires.

use quotient_core::{Budget, Stop};

use super::nets::{Nets, Wire};
use crate::kernel::{Condition, Kind, Node, Program, Promise, SignalId};

/// Wires of a program, before cycles are resolved.
pub(super) struct Wires {
    pub(super) nets: Nets,
    /// By signal of the interface.
    pub(super) status: Vec<Wire>,
    pub(super) promises: Vec<Wire>,
    pub(super) inputs: Vec<SignalId>,
}

pub(super) fn compile(program: &Program, budget: &Budget) -> Result<Wires, Stop> {
    let mut compiler = Compiler::new(program, budget);
    let inputs: Vec<SignalId> = program.inputs().collect();
    for &id in &inputs {
        let input = compiler.nets.input();
        compiler.given[id] = input;
        compiler.nets.add(compiler.scope[id].status, input);
    }
    let booted = compiler.nets.register("booted".to_owned());
    compiler.nets.connect(booted, Wire::TRUE);
    compiler.surface(&program.body, !booted, Wire::FALSE)?;
    let resumed = Resumed {
        resume: booted,
        suspend: Wire::FALSE,
        kill: Wire::FALSE,
    };
    compiler.depth(&program.body, resumed)?;
    compiler.connect_registers();
    let promises = (program.relations.iter())
        .map(|promise| compiler.promise(promise))
        .collect();
    let scope = &compiler.scope[..program.interface];
    Ok(Wires {
        status: scope.iter().map(|here| here.status).collect(),
        nets: compiler.nets,
        promises,
        inputs,
    })
}

/// The wires of a signal at a place: a collector of emissions, and its past.
#[derive(Debug, Clone, Copy)]
struct Here {
    status: Wire,
    before: Wire,
}

/// What comes to a statement that control rests in.
#[derive(Debug, Clone, Copy)]
struct Resumed {
    resume: Wire,
    suspend: Wire,
    kill: Wire,
}

/// A register for a pause, and the wires that set it.
struct Pause {
    register: Wire,
    set: Vec<Wire>,
}

/// A register for the past of a local signal.
#[derive(Default)]
struct Past {
    register: Option<Wire>,
    /// New incarnations: that they were started, and what the signal is there.
    started: Vec<(Wire, Wire)>,
    /// The one that was resumed or suspended.
    resumed: Vec<Wire>,
}

/// Completion codes as wires; missing ones are never on.
type Codes = Vec<Wire>;

struct Compiler<'a> {
    nets: Nets,
    budget: &'a Budget,
    program: &'a Program,
    scope: Vec<Here>,
    pauses: Vec<Pause>,
    /// Registers for local signals whose past matters, by statement and place.
    pasts: rustc_hash::FxHashMap<(usize, usize), Past>,
    past_matters: Vec<bool>,
    /// By signal of the interface: what the environment gives.
    given: Vec<Wire>,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, budget: &'a Budget) -> Compiler<'a> {
        let mut nets = Nets::new();
        let mut past_matters = vec![false; program.signals.len()];
        program.body.walk(&mut |node| {
            if let Kind::Present(condition, ..) | Kind::Suspend(condition, _) = &node.kind {
                condition.signals(&mut |signal, before| past_matters[signal] |= before);
            }
        });
        for promise in &program.relations {
            if let Promise::Implies(left, right) = promise {
                left.signals(&mut |signal, before| past_matters[signal] |= before);
                right.signals(&mut |signal, before| past_matters[signal] |= before);
            }
        }
        let nowhere = Here {
            status: Wire::FALSE,
            before: Wire::FALSE,
        };
        let mut scope = vec![nowhere; program.signals.len()];
        for (id, here) in scope.iter_mut().enumerate().take(program.interface) {
            let signal = &program.signals[id];
            let status = nets.collector();
            nets.tell(
                status,
                signal.span,
                format!("the presence of `{}`", signal.name),
            );
            let before = match past_matters[id] {
                true => nets.register(format!("pre_{}", signal.name)),
                false => Wire::FALSE,
            };
            nets.connect(before, status);
            *here = Here { status, before };
        }
        let pauses = (0..program.pauses)
            .map(|number| Pause {
                register: nets.register(format!("pause_{number}")),
                set: Vec::new(),
            })
            .collect();
        Compiler {
            nets,
            budget,
            program,
            scope,
            pauses,
            pasts: rustc_hash::FxHashMap::default(),
            past_matters,
            given: vec![Wire::FALSE; program.interface],
        }
    }

    /// What a statement does in the instant that starts it.
    fn surface(&mut self, node: &Node, go: Wire, kill: Wire) -> Result<Codes, Stop> {
        if go == Wire::FALSE {
            return Ok(Vec::new());
        }
        self.budget.charge(1)?;
        match &node.kind {
            Kind::Pause => {
                let set = self.nets.and(go, !kill);
                self.pauses[node.pauses.start].set.push(set);
                Ok(vec![Wire::FALSE, go])
            }
            Kind::Emit(signal, _) => {
                let name = &self.program.signals[*signal].name;
                self.nets
                    .tell(go, node.span, format!("whether this emits `{name}`"));
                let status = self.scope[*signal].status;
                self.nets.add(status, go);
                Ok(vec![go])
            }
            Kind::Exit(level) => {
                let mut codes = vec![Wire::FALSE; level + 3];
                codes[level + 2] = go;
                Ok(codes)
            }
            Kind::Present(condition, then, otherwise) => {
                let truth = self.condition(condition);
                let (yes, no) = (self.nets.and(go, truth), self.nets.and(go, !truth));
                self.nets.tell(yes, node.span, "this test");
                self.nets.tell(no, node.span, "this test");
                let one = self.surface(then, yes, kill)?;
                let other = self.surface(otherwise, no, kill)?;
                Ok(self.either(&one, &other))
            }
            Kind::Suspend(_, body) | Kind::Variable(_, body) => self.surface(body, go, kill),
            Kind::Sequence(steps) => {
                let mut all = vec![go];
                for step in steps {
                    let go = all[0];
                    all[0] = Wire::FALSE;
                    let codes = self.surface(step, go, kill)?;
                    all = self.either(&all, &codes);
                    if all.is_empty() {
                        break;
                    }
                }
                Ok(all)
            }
            Kind::Loop(body) => {
                let mut codes = self.surface(body, go, kill)?;
                if let Some(end) = codes.first_mut() {
                    *end = Wire::FALSE;
                }
                Ok(codes)
            }
            Kind::Parallel(branches) => {
                let killed = self.nets.collector();
                self.nets.add(killed, kill);
                let mut all = Vec::new();
                for branch in branches {
                    all.push((self.surface(branch, go, killed)?, Wire::FALSE));
                }
                Ok(self.synchronised(&all, killed))
            }
            Kind::Trap(body) => {
                let codes = self.surface(body, go, kill)?;
                Ok(self.caught(&codes))
            }
            Kind::Signal(signals, body) => self.started(signals, body, node, go, kill),
            // What is left handles data: a pure program has none.
            _ => Ok(vec![go]),
        }
    }

    /// What a statement does when control rests in it.
    fn depth(&mut self, node: &Node, with: Resumed) -> Result<Codes, Stop> {
        if node.pauses.is_empty() {
            return Ok(Vec::new());
        }
        self.budget.charge(1)?;
        match &node.kind {
            Kind::Pause => {
                let pause = &mut self.pauses[node.pauses.start];
                let register = pause.register;
                let held = self.nets.and(with.suspend, register);
                let held = self.nets.and(held, !with.kill);
                self.pauses[node.pauses.start].set.push(held);
                Ok(vec![self.nets.and(register, with.resume)])
            }
            Kind::Present(_, then, otherwise) => {
                let one = self.depth(then, with)?;
                let other = self.depth(otherwise, with)?;
                Ok(self.either(&one, &other))
            }
            Kind::Suspend(condition, body) => self.suspended(condition, body, node, with),
            Kind::Variable(_, body) => self.depth(body, with),
            Kind::Sequence(steps) => {
                let mut all: Codes = Vec::new();
                for step in steps {
                    let go = all.first().copied().unwrap_or(Wire::FALSE);
                    if let Some(first) = all.first_mut() {
                        *first = Wire::FALSE;
                    }
                    let rested = self.depth(step, with)?;
                    let started = self.surface(step, go, with.kill)?;
                    all = self.either(&all, &rested);
                    all = self.either(&all, &started);
                }
                Ok(all)
            }
            Kind::Loop(body) => {
                let mut codes = self.depth(body, with)?;
                let Some(end) = codes.first_mut() else {
                    return Ok(codes);
                };
                let go = std::mem::replace(end, Wire::FALSE);
                let mut again = self.surface(body, go, with.kill)?;
                if let Some(end) = again.first_mut() {
                    *end = Wire::FALSE;
                }
                Ok(self.either(&codes, &again))
            }
            Kind::Parallel(branches) => {
                let killed = self.nets.collector();
                self.nets.add(killed, with.kill);
                let with = Resumed {
                    kill: killed,
                    ..with
                };
                let mut all = Vec::new();
                for branch in branches {
                    let codes = self.depth(branch, with)?;
                    let rests = self.rests(branch);
                    all.push((codes, !rests));
                }
                Ok(self.synchronised(&all, killed))
            }
            Kind::Trap(body) => {
                let codes = self.depth(body, with)?;
                Ok(self.caught(&codes))
            }
            Kind::Signal(signals, body) => self.resumed(signals, body, node, with),
            _ => Ok(Vec::new()),
        }
    }

    /// Whether control rests in a statement.
    fn rests(&mut self, node: &Node) -> Wire {
        let registers: Vec<Wire> = (self.pauses[node.pauses.clone()].iter())
            .map(|pause| pause.register)
            .collect();
        self.nets.any(&registers)
    }

    fn suspended(
        &mut self,
        condition: &Condition,
        body: &Node,
        node: &Node,
        with: Resumed,
    ) -> Result<Codes, Stop> {
        let truth = self.condition(condition);
        let rests = self.rests(body);
        let here = self.nets.and(with.resume, rests);
        let stays = self.nets.and(here, truth);
        let goes = self.nets.and(here, !truth);
        self.nets
            .tell(stays, node.span, "this suspension or abortion");
        self.nets
            .tell(goes, node.span, "this suspension or abortion");
        let inner = Resumed {
            resume: goes,
            suspend: self.nets.or(with.suspend, stays),
            kill: with.kill,
        };
        let codes = self.depth(body, inner)?;
        Ok(self.either(&codes, &[Wire::FALSE, stays]))
    }

    /// A new incarnation of local signals.
    fn started(
        &mut self,
        signals: &[SignalId],
        body: &Node,
        node: &Node,
        go: Wire,
        kill: Wire,
    ) -> Result<Codes, Stop> {
        let old = self.enter(signals, |_, _| Wire::FALSE);
        let codes = self.surface(body, go, kill);
        for (place, &signal) in signals.iter().enumerate() {
            if self.past_matters[signal] {
                let status = self.scope[signal].status;
                let past = self.pasts.entry((node.number, place)).or_default();
                past.started.push((go, status));
            }
        }
        self.leave(signals, old);
        codes
    }

    /// The incarnation that control rests in.
    fn resumed(
        &mut self,
        signals: &[SignalId],
        body: &Node,
        node: &Node,
        with: Resumed,
    ) -> Result<Codes, Stop> {
        for (place, &signal) in signals.iter().enumerate() {
            if self.past_matters[signal] {
                let name = format!("pre_{}_{}", self.program.signals[signal].name, node.number);
                let register = self.nets.register(name);
                let past = self.pasts.entry((node.number, place)).or_default();
                past.register = Some(register);
            }
        }
        let registers: Vec<Wire> = (0..signals.len())
            .map(|place| {
                let past = self.pasts.get(&(node.number, place));
                past.and_then(|past| past.register).unwrap_or(Wire::FALSE)
            })
            .collect();
        let old = self.enter(signals, |_, place| registers[place]);
        let codes = self.depth(body, with);
        for (place, &signal) in signals.iter().enumerate() {
            if self.past_matters[signal] {
                let goes = self.nets.and(with.resume, self.scope[signal].status);
                let stays = self.nets.and(with.suspend, registers[place]);
                if let Some(past) = self.pasts.get_mut(&(node.number, place)) {
                    past.resumed = vec![goes, stays];
                }
            }
        }
        self.leave(signals, old);
        codes
    }

    fn enter(&mut self, signals: &[SignalId], before: impl Fn(&Self, usize) -> Wire) -> Vec<Here> {
        let mut old = Vec::new();
        for (place, &signal) in signals.iter().enumerate() {
            let declared = &self.program.signals[signal];
            let status = self.nets.collector();
            let text = format!("the presence of `{}`", declared.name);
            self.nets.tell(status, declared.span, text);
            old.push(self.scope[signal]);
            let before = before(self, place);
            self.scope[signal] = Here { status, before };
        }
        old
    }

    fn leave(&mut self, signals: &[SignalId], old: Vec<Here>) {
        for (&signal, old) in signals.iter().zip(old) {
            self.scope[signal] = old;
        }
    }

    /// Codes of alternatives.
    fn either(&mut self, one: &[Wire], other: &[Wire]) -> Codes {
        let at = |codes: &[Wire], code: usize| codes.get(code).copied().unwrap_or(Wire::FALSE);
        (0..one.len().max(other.len()))
            .map(|code| self.nets.or(at(one, code), at(other, code)))
            .collect()
    }

    fn caught(&mut self, codes: &[Wire]) -> Codes {
        let at = |code: usize| codes.get(code).copied().unwrap_or(Wire::FALSE);
        let mut all = vec![self.nets.or(at(0), at(2)), at(1)];
        all.extend(codes.iter().skip(3));
        all
    }

    /// The greatest code of branches counts; a branch at rest nowhere is no obstacle. An exit
    /// kills what the others left behind.
    fn synchronised(&mut self, branches: &[(Codes, Wire)], killed: Wire) -> Codes {
        let most = branches.iter().map(|(codes, _)| codes.len()).max();
        let at = |codes: &[Wire], code: usize| codes.get(code).copied().unwrap_or(Wire::FALSE);
        let mut done: Vec<Wire> = branches.iter().map(|&(_, dead)| dead).collect();
        let mut all = Vec::new();
        for code in 0..most.unwrap_or(0) {
            let mut some = Vec::new();
            for ((codes, _), done) in branches.iter().zip(&mut done) {
                let here = at(codes, code);
                *done = self.nets.or(*done, here);
                some.push(here);
            }
            let some = self.nets.any(&some);
            let done = self.nets.all(&done);
            let wire = self.nets.and(some, done);
            if code >= 2 {
                self.nets.add(killed, wire);
            }
            all.push(wire);
        }
        all
    }

    fn condition(&mut self, condition: &Condition) -> Wire {
        match condition {
            Condition::Constant(true) => Wire::TRUE,
            Condition::Constant(false) => Wire::FALSE,
            Condition::Signal(signal) => self.scope[*signal].status,
            Condition::Before(signal) => self.scope[*signal].before,
            Condition::Not(inner) => !self.condition(inner),
            Condition::And(all) => {
                let all: Vec<Wire> = all.iter().map(|one| self.condition(one)).collect();
                self.nets.all(&all)
            }
            Condition::Or(all) => {
                let all: Vec<Wire> = all.iter().map(|one| self.condition(one)).collect();
                self.nets.any(&all)
            }
        }
    }

    /// What the environment promises, in terms of what it gives.
    fn promise(&mut self, promise: &Promise) -> Wire {
        match promise {
            Promise::Implies(left, right) => {
                let (left, right) = (self.promised(left), self.promised(right));
                self.nets.or(!left, right)
            }
            Promise::Exclusive(all) => {
                let wires: Vec<Wire> = all.iter().map(|&id| self.given[id]).collect();
                let (mut seen, mut twice) = (Wire::FALSE, Wire::FALSE);
                for wire in wires {
                    let both = self.nets.and(seen, wire);
                    twice = self.nets.or(twice, both);
                    seen = self.nets.or(seen, wire);
                }
                !twice
            }
        }
    }

    /// A condition on what the environment gives.
    fn promised(&mut self, condition: &Condition) -> Wire {
        match condition {
            Condition::Signal(signal) => self.given[*signal],
            Condition::Not(inner) => !self.promised(inner),
            Condition::And(all) => {
                let all: Vec<Wire> = all.iter().map(|one| self.promised(one)).collect();
                self.nets.all(&all)
            }
            Condition::Or(all) => {
                let all: Vec<Wire> = all.iter().map(|one| self.promised(one)).collect();
                self.nets.any(&all)
            }
            other => self.condition(other),
        }
    }

    /// What registers hold next.
    fn connect_registers(&mut self) {
        for number in 0..self.pauses.len() {
            let set = std::mem::take(&mut self.pauses[number].set);
            let next = self.nets.any(&set);
            self.nets.connect(self.pauses[number].register, next);
        }
        let mut pasts: Vec<_> = std::mem::take(&mut self.pasts).into_iter().collect();
        pasts.sort_unstable_by_key(|(key, _)| *key);
        for (_, past) in pasts {
            let Some(register) = past.register else {
                continue;
            };
            let starts: Vec<Wire> = past.started.iter().map(|&(go, _)| go).collect();
            let fresh = self.nets.any(&starts);
            let mut next = Vec::new();
            for (go, status) in past.started {
                next.push(self.nets.and(go, status));
            }
            for wire in past.resumed {
                next.push(self.nets.and(wire, !fresh));
            }
            let next = self.nets.any(&next);
            self.nets.connect(register, next);
        }
    }
}
