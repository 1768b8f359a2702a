//! A model of the state engine as a circuit.
//!
//! A bit of the state is a latch, a bit of an input an input. What a step says is taken as a
//! function where it is one: `next(x) := …` becomes what the latch holds next. Elsewhere the next
//! value is guessed by a further input, and a latch `ok` remembers whether all guesses so far were
//! steps of the model; a state without a successor is a state nevertheless.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Gate, Literal};
use quotient_symbolic::{Expression, Kind, Model, Node, VariableId};
use rustc_hash::FxHashMap;

use crate::compile::Compiled;

/// Steps that fix the value of a variable with more values than this are not looked through.
const MOST_VALUES: u64 = 40;
/// The work that one such look may cost.
const LOOK: u64 = 200_000;

/// What a latch of the circuit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// A bit of the state.
    Bit(u32),
    /// Whether the state is the first.
    First,
    /// Whether all steps so far were steps of the model.
    Ok,
    /// What was guessed in the state before about this one, by number, from 1.
    Due(u32),
    /// What is remembered of the state before, by number, from 1.
    Before(u32),
}

/// The circuit, and where the bits of the model are in it.
pub(super) struct Translation {
    pub(super) circuit: Circuit,
    /// Each bit of the model in the present state.
    pub(super) now: Vec<Literal>,
    /// What each latch holds.
    pub(super) held: Vec<Held>,
    /// Whether the run so far is one of the model.
    pub(super) ok: Literal,
    /// What first states fulfil, apart from the values that latches start with.
    pub(super) initial: Vec<Expression>,
    /// Whether the state is the first.
    first: Option<Literal>,
    /// Nodes of the model that speak about the present only.
    known: FxHashMap<usize, Literal>,
    /// Each bit in the next state, once that is settled.
    next: Vec<Option<Literal>>,
}

impl Translation {
    /// A model as a circuit. `endless` demands a step in every state, for questions about paths
    /// without end.
    pub(super) fn new(
        compiled: &mut Compiled,
        endless: bool,
        budget: &Budget,
    ) -> Result<Translation, Stop> {
        let legal = compiled.legal();
        let model = compiled.model();
        let mut made = Translation {
            circuit: Circuit::new(),
            now: Vec::new(),
            held: Vec::new(),
            ok: Literal::TRUE,
            initial: Vec::new(),
            first: None,
            known: FxHashMap::default(),
            next: vec![None; model.bit_count()],
        };
        for bit in 0..model.bit_count() as u32 {
            let literal = match model.variable(model.owner(bit)).kind {
                Kind::Input => made.circuit.input(),
                Kind::State | Kind::Frozen => {
                    made.held.push(Held::Bit(bit));
                    made.circuit.latch(None)
                }
            };
            made.now.push(literal);
        }
        for condition in legal {
            budget.poll()?;
            let literal = made.literal(model, condition);
            made.circuit.constraints.push(literal);
        }
        made.begin(model, budget)?;
        let relations = made.functions(model, budget)?;
        made.step(model, &relations, endless, budget)?;
        Ok(made)
    }

    /// A latch that is no bit of the model, and holds nothing at the start that matters to it.
    pub(super) fn latch(&mut self, start: Option<bool>, held: Held) -> Literal {
        self.held.push(held);
        self.circuit.latch(start)
    }

    /// That the state is the first.
    pub(super) fn first(&mut self) -> Literal {
        if let Some(first) = self.first {
            return first;
        }
        let first = self.latch(Some(true), Held::First);
        self.circuit.connect(first, Literal::FALSE);
        *self.first.insert(first)
    }

    /// An expression about the present.
    pub(super) fn literal(&mut self, model: &Model, expression: Expression) -> Literal {
        let mut known = std::mem::take(&mut self.known);
        let none = |_| Literal::FALSE;
        let literal = self.with_next(model, expression, &mut known, &none);
        self.known = known;
        literal
    }

    /// An expression about a step whose next bits are these.
    fn with_next(
        &mut self,
        model: &Model,
        expression: Expression,
        known: &mut FxHashMap<usize, Literal>,
        next: &dyn Fn(u32) -> Literal,
    ) -> Literal {
        let get = |known: &FxHashMap<usize, Literal>, side: Expression| {
            known[&side.node()].flip_if(side.is_negated())
        };
        if !known.contains_key(&expression.node()) {
            for node in model.nodes_below([expression]) {
                if known.contains_key(&node) {
                    continue;
                }
                let graph = &mut self.circuit.graph;
                let literal = match model.node_at(node) {
                    Node::True => Literal::TRUE,
                    Node::Bit { bit, next: false } => self.now[bit as usize],
                    Node::Bit { bit, next: true } => next(bit),
                    Node::And(a, b) => graph.and(get(known, a), get(known, b)),
                    Node::Xor(a, b) => graph.xor(get(known, a), get(known, b)),
                    Node::If(test, then, other) => {
                        graph.ite(get(known, test), get(known, then), get(known, other))
                    }
                };
                known.insert(node, literal);
            }
        }
        get(known, expression)
    }

    /// What initial states fulfil: values of latches where it says just that.
    fn begin(&mut self, model: &Model, budget: &Budget) -> Result<(), Stop> {
        let mut starts: FxHashMap<u32, bool> = FxHashMap::default();
        for condition in conjuncts(model, model.init()) {
            budget.poll()?;
            if let Node::Bit { bit, next: false } = model.node(condition) {
                let value = !condition.is_negated();
                let owner = model.variable(model.owner(bit)).kind;
                if owner != Kind::Input && *starts.entry(bit).or_insert(value) == value {
                    self.circuit.start(self.now[bit as usize], Some(value));
                    continue;
                }
            }
            let first = self.first();
            let literal = self.literal(model, condition);
            let demanded = self.circuit.graph.implies(first, literal);
            self.circuit.constraints.push(demanded);
            self.initial.push(condition);
        }
        Ok(())
    }

    /// Settles the next bits that steps fix; what else steps demand is returned.
    fn functions(&mut self, model: &Model, budget: &Budget) -> Result<Vec<Expression>, Stop> {
        for (_, variable) in model.variable_ids() {
            if variable.kind == Kind::Frozen {
                for bit in variable.bits() {
                    self.next[bit as usize] = Some(self.now[bit as usize]);
                }
            }
        }
        let mut rest = Vec::new();
        for condition in conjuncts(model, model.transitions()) {
            budget.poll()?;
            match self.definition(model, condition) {
                Some((bit, value)) => {
                    let value = self.literal(model, value);
                    self.next[bit as usize] = Some(value);
                }
                None => rest.push(condition),
            }
        }
        // Demands on the next value of one variable alone.
        let mut alone: FxHashMap<usize, Vec<Expression>> = FxHashMap::default();
        let mut relations = Vec::new();
        for &condition in &rest {
            match self.only_about(model, condition) {
                Some(variable) => alone.entry(variable.index()).or_default().push(condition),
                None => relations.push(condition),
            }
        }
        let ids: Vec<VariableId> = model.variable_ids().map(|(id, _)| id).collect();
        for id in ids {
            let Some(conditions) = alone.get(&id.index()) else {
                continue;
            };
            budget.poll()?;
            if !self.function_of_values(model, id, conditions, budget)? {
                relations.extend(conditions);
            }
        }
        Ok(relations)
    }

    /// A next bit and what it equals, if that is what a condition says and the bit is open.
    fn definition(&self, model: &Model, condition: Expression) -> Option<(u32, Expression)> {
        let open = |side: Expression| match model.node(side) {
            Node::Bit { bit, next: true } => self.next[bit as usize].is_none().then_some(bit),
            _ => None,
        };
        if let Some(bit) = open(condition) {
            return Some((bit, Expression::constant(!condition.is_negated())));
        }
        let Node::Xor(a, b) = model.node(condition) else {
            return None;
        };
        for (target, value) in [(a, b), (b, a)] {
            let Some(bit) = open(target) else { continue };
            if model.support([value]).iter().all(|&(_, next)| !next) {
                // `x' xor value` with the signs of the whole and of the sides.
                let same = condition.is_negated() != target.is_negated();
                return Some((bit, if same { value } else { !value }));
            }
        }
        None
    }

    /// The variable whose next value a condition is about, if that is only one and nothing of it
    /// is settled.
    fn only_about(&self, model: &Model, condition: Expression) -> Option<VariableId> {
        let support = model.support([condition]);
        let mut owners = (support.iter())
            .filter(|&&(_, next)| next)
            .map(|&(bit, _)| model.owner(bit));
        let owner = owners.next()?;
        let open = |bit: u32| self.next[bit as usize].is_none();
        let alone = owners.all(|other| other == owner) && model.variable(owner).bits().all(open);
        alone.then_some(owner)
    }

    /// Looks which values of a variable a step allows; if that is always exactly one, it is a
    /// function of the present.
    fn function_of_values(
        &mut self,
        model: &Model,
        id: VariableId,
        conditions: &[Expression],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let bits = model.variable(id).bits();
        let Some(size) = model
            .variable(id)
            .domain
            .size()
            .filter(|&one| one <= MOST_VALUES)
        else {
            return Ok(false);
        };
        let mut allowed = Vec::new();
        for code in 0..size {
            budget.poll()?;
            let value = |bit: u32| Literal::constant(code >> (bit - bits.start) & 1 == 1);
            let mut known = FxHashMap::default();
            let mut all = Literal::TRUE;
            for &condition in conditions {
                let one = self.with_next(model, condition, &mut known, &value);
                all = self.circuit.graph.and(all, one);
            }
            allowed.push(all);
        }
        if !self.exactly_one(&allowed, budget)? {
            return Ok(false);
        }
        for bit in bits.clone() {
            let set = allowed.iter().enumerate();
            let set = set.filter(|(code, _)| code >> (bit - bits.start) & 1 == 1);
            let mut value = Literal::FALSE;
            for (_, &one) in set {
                value = self.circuit.graph.or(value, one);
            }
            self.next[bit as usize] = Some(value);
        }
        Ok(true)
    }

    /// Whether exactly one of some signals is on in every legal state, as far as little work shows.
    fn exactly_one(&mut self, signals: &[Literal], budget: &Budget) -> Result<bool, Stop> {
        let mut some = Literal::FALSE;
        let mut two = Literal::FALSE;
        for &signal in signals {
            let again = self.circuit.graph.and(some, signal);
            two = self.circuit.graph.or(two, again);
            some = self.circuit.graph.or(some, signal);
        }
        let wrong = self.circuit.graph.or(!some, two);
        let own = budget.child_with_work(LOOK);
        match possible(&self.circuit, wrong, &own) {
            Ok(found) => Ok(!found),
            Err(Stop::Work) => {
                budget.poll()?;
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Connects the latches.
    fn step(
        &mut self,
        model: &Model,
        relations: &[Expression],
        endless: bool,
        budget: &Budget,
    ) -> Result<(), Stop> {
        for bit in 0..self.next.len() {
            let kind = model.variable(model.owner(bit as u32)).kind;
            if kind != Kind::Input {
                let next = match self.next[bit] {
                    Some(next) => next,
                    None => self.circuit.input(),
                };
                self.next[bit] = Some(next);
                self.circuit.connect(self.now[bit], next);
            }
        }
        let next = self.next.clone();
        let settled = |bit: u32| next[bit as usize].unwrap_or(Literal::FALSE);
        let mut known = FxHashMap::default();
        let mut all = Literal::TRUE;
        for &relation in relations {
            budget.poll()?;
            let demanded = self.with_next(model, relation, &mut known, &settled);
            match endless {
                true => self.circuit.constraints.push(demanded),
                false => all = self.circuit.graph.and(all, demanded),
            }
        }
        if all != Literal::TRUE {
            self.ok = self.latch(Some(true), Held::Ok);
            let still = self.circuit.graph.and(self.ok, all);
            self.circuit.connect(self.ok, still);
        }
        Ok(())
    }
}

/// Whether a signal can be on in a state that fulfils the constraints.
fn possible(circuit: &Circuit, signal: Literal, budget: &Budget) -> Result<bool, Stop> {
    if signal == Literal::FALSE {
        return Ok(false);
    }
    let mut solver = quotient_circuit::Solver::new();
    let cone = circuit.cone(circuit.constraints.iter().copied().chain([signal]));
    for (node, gate) in circuit.graph.nodes() {
        let own = solver.variable().literal();
        match gate {
            Gate::Constant => solver.add(&[!own]),
            Gate::And(a, b) if cone[node.index()] => {
                solver.add(&[!own, a]);
                solver.add(&[!own, b]);
                solver.add(&[own, !a, !b]);
            }
            _ => {}
        }
    }
    for &constraint in &circuit.constraints {
        solver.add(&[constraint]);
    }
    solver.solve(&[signal], budget)
}

/// The parts of conjunctions, in order.
fn conjuncts(model: &Model, all: &[Expression]) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut open: Vec<Expression> = all.iter().rev().copied().collect();
    while let Some(one) = open.pop() {
        match model.node(one) {
            Node::And(a, b) if !one.is_negated() => open.extend([b, a]),
            Node::True if !one.is_negated() => {}
            _ => found.push(one),
        }
    }
    found
}
