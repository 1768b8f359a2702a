//! A property of PSL as an LTL formula over a program with additional variables.
//!
//! The opposite of the property is written without negations. Then every sequence in it gets a
//! promise, a free variable, and an automaton that watches whether the promise is kept (after
//! Cimatti, Roveri, Semprini and Tonetta 2006, "From PSL to NBA"): a run of the program fulfils
//! the opposite if and only if the free variables can be chosen such that the formula holds and
//! all automata are content. There are four kinds of promises:
//!
//! * at the end of *every* match, something holds: the automaton remembers all states that it may
//!   be in;
//! * at the end of *some* match, something holds: it guesses the way there. That no guess is put off
//!   for ever is seen to by breakpoints (Miyano and Hayashi 1984): all guesses of one moment are
//!   followed until they are done, then all of the next. A promise that one moment of a run is
//!   enough for (`F promise`) needs one guess, so where the automaton is takes a few bits;
//! * no state rules out a match (a weak sequence): it guesses a way without end;
//! * there is no match, and some state rules it out: it remembers all states that it may be in and
//!   follows those of one moment until all are gone.

use quotient_core::Span;
use quotient_logic::{Binary, Formula, Kind as Says, Unary};

use super::automaton::Automaton;
use crate::program::{
    Assignment, Domain, Element, Kind, Node, NodeId, Operator, Program, Type, Value, Variable,
    VariableId, When,
};
use crate::syntax::Psl;

/// A program with watching automata, and what it violates if the property is violated.
pub(crate) struct Watched {
    /// The program; its own variables come first.
    pub(crate) program: Program,
    /// A formula of LTL.
    pub(crate) formula: Formula<NodeId>,
}

/// Adds to a program what watches a property; nothing if a sequence is too large.
pub(crate) fn watch(program: &Program, property: &Psl<NodeId>) -> Option<Watched> {
    let mut watcher = Watcher {
        program: program.clone(),
        promises: Vec::new(),
    };
    let mut opposite = watcher.formula(property, false, true)?;
    for promise in std::mem::take(&mut watcher.promises) {
        opposite = Formula::binary(Binary::And, opposite, promise);
    }
    Some(Watched {
        program: watcher.program,
        formula: !opposite,
    })
}

struct Watcher {
    program: Program,
    /// What holds always, about free variables that stand for properties.
    promises: Vec<Formula<NodeId>>,
}

/// A state of an automaton as a variable: now and after the step.
#[derive(Clone, Copy)]
struct Bit {
    variable: VariableId,
    now: NodeId,
    next: NodeId,
}

impl Watcher {
    /// A property, or its opposite, as a formula without negations of promises. If `once`, a run
    /// that fulfils all does so if this is asked at no more than one moment.
    fn formula(
        &mut self,
        property: &Psl<NodeId>,
        positive: bool,
        once: bool,
    ) -> Option<Formula<NodeId>> {
        Some(match property {
            Psl::Boolean(node) => match positive {
                true => Formula::atom(*node),
                false => !Formula::atom(*node),
            },
            Psl::Not(operand) => self.formula(operand, !positive, once)?,
            Psl::Unary(operator, operand) => {
                let operator = match (operator, positive) {
                    (Unary::Finally(steps), false) => Unary::Globally(*steps),
                    (Unary::Globally(steps), false) => Unary::Finally(*steps),
                    (operator, _) => *operator,
                };
                let once = once && matches!(operator, Unary::Finally(_) | Unary::Next);
                Formula::unary(operator, self.formula(operand, positive, once)?)
            }
            Psl::Binary(operator, left, right) => {
                self.binary(*operator, left, right, positive, once)?
            }
            Psl::Matches { strong, sequence } => {
                let automaton = Automaton::of(sequence)?;
                let promise = match (strong, positive) {
                    (true, true) => {
                        let wherever = self.constant(true);
                        self.some_match(&automaton, wherever, once)
                    }
                    (true, false) => {
                        let nowhere = self.constant(false);
                        self.every_match(&automaton, nowhere, false)
                    }
                    (false, true) => self.not_ruled_out(&automaton),
                    (false, false) => {
                        let nowhere = self.constant(false);
                        self.every_match(&automaton, nowhere, true)
                    }
                };
                Formula::atom(promise)
            }
            Psl::After(sequence, then) => {
                let automaton = Automaton::of(sequence)?;
                let then = self.formula(then, positive, once && !positive)?;
                let then = self.stand_in(then);
                Formula::atom(match positive {
                    true => self.every_match(&automaton, then, false),
                    false => self.some_match(&automaton, then, once),
                })
            }
        })
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: &Psl<NodeId>,
        right: &Psl<NodeId>,
        positive: bool,
        once: bool,
    ) -> Option<Formula<NodeId>> {
        let (of_left, join) = match (operator, positive) {
            (Binary::And, true) | (Binary::Or, false) => (positive, Binary::And),
            (Binary::Or, true) | (Binary::And, false) => (positive, Binary::Or),
            (Binary::Implies, true) => (false, Binary::Or),
            (Binary::Implies, false) => (true, Binary::And),
            (Binary::Until(None), false) => (false, Binary::Release),
            (Binary::Until(None) | Binary::WeakUntil, true) => (true, operator),
            (Binary::WeakUntil, false) => {
                // Not `left W right`: without `right` until neither holds.
                let without = self.formula(right, false, false)?;
                let neither = self.binary(Binary::Or, left, right, false, once)?;
                return Some(Formula::binary(Binary::Until(None), without, neither));
            }
            (Binary::Iff | Binary::Xor, _) => {
                let same = (operator == Binary::Iff) == positive;
                let mut part = |of_left: bool| {
                    let left = self.formula(left, of_left, once)?;
                    let right = self.formula(right, of_left == same, once)?;
                    Some(Formula::binary(Binary::And, left, right))
                };
                let (one, other) = (part(true)?, part(false)?);
                return Some(Formula::binary(Binary::Or, one, other));
            }
            _ => return None,
        };
        // What lasts is asked again and again.
        let (left_once, right_once) = match join {
            Binary::And | Binary::Or => (once, once),
            Binary::Release => (once, false),
            _ => (false, once),
        };
        let left = self.formula(left, of_left, left_once)?;
        let right = self.formula(right, positive, right_once)?;
        Some(Formula::binary(join, left, right))
    }

    /// An expression that stands for a formula wherever it matters.
    fn stand_in(&mut self, formula: Formula<NodeId>) -> NodeId {
        match formula.kind {
            Says::Atom(node) => node,
            Says::Constant(value) => self.constant(value),
            Says::Unary(Unary::Not, ref inner) if matches!(inner.kind, Says::Atom(_)) => {
                match inner.kind {
                    Says::Atom(node) => self.not(node),
                    _ => self.constant(false),
                }
            }
            _ => {
                let promise = self.variable().now;
                let kept = Formula::binary(Binary::Implies, Formula::atom(promise), formula);
                self.promises
                    .push(Formula::unary(Unary::Globally(None), kept));
                promise
            }
        }
    }

    /// Promises: at the end of every match, `then`; and if `gone`, in the end there is no way left
    /// to a match.
    fn every_match(&mut self, automaton: &Automaton, then: NodeId, gone: bool) -> NodeId {
        let promise = self.variable().now;
        let bits = self.bits(automaton);
        let followed = gone.then(|| self.bits(automaton));
        let all_gone = followed.as_ref().map(|followed| {
            let any = followed.iter().flatten().map(|bit| bit.now).collect();
            let any = self.any(any);
            let done = self.not(any);
            self.program.justice.push(done);
            done
        });
        let active = |state: usize| match state {
            0 => promise,
            _ => bits[state].map_or(promise, |bit| bit.now),
        };
        let count = automaton.accepting.len();
        let mut come: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        let mut come_followed = come.clone();
        for (from, when, to) in &automaton.moves {
            let when = self.all(when.clone());
            let fires = self.and(active(*from), when);
            if automaton.accepting[*to] {
                let kept = self.implies(fires, then);
                self.program.transitions.push(kept);
            }
            come[*to].push(fires);
            if let Some(Some(bit)) = followed.as_ref().map(|followed| followed[*from]) {
                let fires = self.and(bit.now, when);
                come_followed[*to].push(fires);
            }
        }
        for state in 1..count {
            let Some(bit) = bits[state] else {
                continue;
            };
            let comes = self.any(std::mem::take(&mut come[state]));
            self.assign(bit, When::Next, comes);
            if let (Some(Some(bit)), Some(done)) =
                (followed.as_ref().map(|followed| followed[state]), all_gone)
            {
                let goes_on = self.any(std::mem::take(&mut come_followed[state]));
                let boolean = Type::of(Element::Boolean);
                let value = self.add(Node::Choose(done, comes, goes_on), boolean);
                self.assign(bit, When::Next, value);
            }
        }
        promise
    }

    /// Promises: at the end of some match, `then`.
    fn some_match(&mut self, automaton: &Automaton, then: NodeId, once: bool) -> NodeId {
        if once {
            return self.one_match(automaton, then);
        }
        let promise = self.variable().now;
        let bits = self.bits(automaton);
        let followed = self.bits(automaton);
        let any = followed.iter().flatten().map(|bit| bit.now).collect();
        let any = self.any(any);
        let done = self.not(any);
        self.program.justice.push(done);
        let (guessed, again) = (after(&bits), after(&followed));
        for state in 0..automaton.accepting.len() {
            let active = match (state, bits[state]) {
                (0, _) => promise,
                (_, Some(bit)) => bit.now,
                (_, None) => continue,
            };
            let goes_on = self.goes_on(automaton, state, then, &guessed);
            let kept = self.implies(active, goes_on);
            self.program.transitions.push(kept);
            let (Some(bit), Some(follow)) = (bits[state], followed[state]) else {
                continue;
            };
            let goes_on = self.goes_on(automaton, state, then, &again);
            let kept = self.implies(follow.now, goes_on);
            let inside = self.implies(follow.next, bit.next);
            let both = self.implies(bit.next, follow.next);
            let anew = self.implies(done, both);
            self.program.transitions.extend([kept, inside, anew]);
        }
        promise
    }

    /// The same where one moment is enough: a single guess goes its way, from rest and back to it.
    fn one_match(&mut self, automaton: &Automaton, then: NodeId) -> NodeId {
        let promise = self.variable().now;
        let mut places = 0_usize;
        let numbers: Vec<Option<usize>> = (0..automaton.accepting.len())
            .map(|state| {
                let inner = state > 0 && automaton.from(state).next().is_some();
                places += usize::from(inner);
                inner.then_some(places)
            })
            .collect();
        let bits: Vec<Bit> = (0..usize::BITS - places.leading_zeros())
            .map(|_| self.bit_off())
            .collect();
        let (now, next): (Vec<_>, Vec<_>) = bits.iter().map(|bit| (bit.now, bit.next)).unzip();
        let (rest, to_rest) = (self.code(&now, 0), self.code(&next, 0));
        self.program.justice.push(rest);
        let goals: Vec<_> = numbers
            .iter()
            .map(|number| number.map(|number| self.code(&next, number)))
            .collect();
        let ends = self.and(then, to_rest);
        for (state, number) in numbers.iter().enumerate() {
            let active = match (state, number) {
                (0, _) => promise,
                (_, Some(number)) => self.code(&now, *number),
                (_, None) => continue,
            };
            let goes_on = self.goes_on(automaton, state, ends, &goals);
            let kept = self.implies(active, goes_on);
            self.program.transitions.push(kept);
        }
        let begins = self.implies(promise, rest);
        let waits = self.operator(Operator::Or, promise, to_rest);
        let waits = self.implies(rest, waits);
        self.program.transitions.extend([begins, waits]);
        promise
    }

    /// The bits are those of a number.
    fn code(&mut self, bits: &[NodeId], number: usize) -> NodeId {
        let digits = bits.iter().enumerate().map(|(place, &bit)| {
            let on = (number >> place) & 1 == 1;
            if on { bit } else { self.not(bit) }
        });
        let digits = digits.collect();
        self.all(digits)
    }

    /// Promises: no state rules out a match.
    fn not_ruled_out(&mut self, automaton: &Automaton) -> NodeId {
        let promise = self.variable().now;
        let bits = self.bits(automaton);
        let wherever = self.constant(true);
        let goals = after(&bits);
        for (state, bit) in bits.iter().enumerate() {
            let active = match (state, bit) {
                (0, _) => promise,
                (_, Some(bit)) => bit.now,
                (_, None) => continue,
            };
            let goes_on = self.goes_on(automaton, state, wherever, &goals);
            let kept = self.implies(active, goes_on);
            self.program.transitions.push(kept);
        }
        promise
    }

    /// Some move from a state ends a match with `then`, or goes on to where `goals` says.
    fn goes_on(
        &mut self,
        automaton: &Automaton,
        state: usize,
        then: NodeId,
        goals: &[Option<NodeId>],
    ) -> NodeId {
        let mut ways = Vec::new();
        for (when, to) in automaton.from(state) {
            let mut either = Vec::new();
            either.extend(automaton.accepting[to].then_some(then));
            either.extend(goals[to]);
            let when = self.all(when.to_vec());
            let goal = self.any(either);
            ways.push(self.and(when, goal));
        }
        self.any(ways)
    }

    /// A variable for every state that moves leave, apart from the first; at first none is on.
    fn bits(&mut self, automaton: &Automaton) -> Vec<Option<Bit>> {
        let states = 0..automaton.accepting.len();
        let bits = states.map(|state| {
            (state > 0 && automaton.from(state).next().is_some()).then(|| self.bit_off())
        });
        bits.collect()
    }

    /// A variable that is off at first.
    fn bit_off(&mut self) -> Bit {
        let bit = self.variable();
        let off = self.constant(false);
        self.assign(bit, When::Initially, off);
        bit
    }

    fn variable(&mut self) -> Bit {
        let variable = VariableId(self.program.variables.len() as u32);
        self.program.variables.push(Variable {
            // No name of a file has a blank.
            name: format!("psl {}", variable.0),
            kind: Kind::State,
            domain: Domain::Boolean,
            span: Span::default(),
        });
        let boolean = Type::of(Element::Boolean);
        let mut node = |next| self.add(Node::Variable { variable, next }, boolean);
        Bit {
            variable,
            now: node(false),
            next: node(true),
        }
    }

    fn assign(&mut self, bit: Bit, when: When, value: NodeId) {
        self.program.assignments.push(Assignment {
            when,
            variable: bit.variable,
            value,
            span: Span::default(),
        });
    }

    fn add(&mut self, node: Node, node_type: Type) -> NodeId {
        let span = Span::default();
        self.program.nodes.add(node, node_type, span, false)
    }

    fn constant(&mut self, value: bool) -> NodeId {
        let value = Node::Constant(Value::Boolean(value));
        self.add(value, Type::of(Element::Boolean))
    }

    fn not(&mut self, operand: NodeId) -> NodeId {
        self.add(Node::Not(operand), Type::of(Element::Boolean))
    }

    fn operator(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        let node = Node::Binary(operator, left, right);
        self.add(node, Type::of(Element::Boolean))
    }

    fn and(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.operator(Operator::And, left, right)
    }

    fn implies(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let not = self.not(left);
        self.operator(Operator::Or, not, right)
    }

    fn all(&mut self, nodes: Vec<NodeId>) -> NodeId {
        let joined = nodes.into_iter().reduce(|a, b| self.and(a, b));
        joined.unwrap_or_else(|| self.constant(true))
    }

    fn any(&mut self, nodes: Vec<NodeId>) -> NodeId {
        let joined = nodes
            .into_iter()
            .reduce(|a, b| self.operator(Operator::Or, a, b));
        joined.unwrap_or_else(|| self.constant(false))
    }
}

/// Which are on after the step.
fn after(bits: &[Option<Bit>]) -> Vec<Option<NodeId>> {
    bits.iter().map(|bit| bit.map(|bit| bit.next)).collect()
}
