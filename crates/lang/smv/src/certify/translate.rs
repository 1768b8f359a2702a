//! A program as a finite-state model in plain data, for the independent checker.
//!
//! The two are close: a node of the program becomes an expression of the model. Only sets are
//! taken apart: that `x` is one of a set becomes a condition on `x`, and a set without a value
//! gives a condition without one.

use quotient_core::{Budget, Stop};
use quotient_states as states;
use quotient_states::ExpressionId;
use rustc_hash::FxHashMap;

use crate::program::{
    Domain, Element, Kind, Node, NodeId, Operator, Program, Specification, Value, When,
};
use crate::syntax::SpecificationKind;

/// A range that must be part of another set is listed, up to this many values.
const MOST_LISTED: i64 = 4096;

impl Program {
    /// The program as plain data, and a specification as a property of it.
    ///
    /// ```
    /// use quotient_core::{Budget, Source};
    /// use quotient_smv::File;
    /// let text = "MODULE main VAR x : 0..3; INIT x in {1, 2} INVARSPEC x > 0";
    /// let file = File::read(&Source::new("m.smv", text)).unwrap();
    /// let asked = &file.program().specifications()[0];
    /// let (model, _) = file.program().to_states(asked, &Budget::unlimited()).unwrap();
    /// let at = |x| quotient_states::State(vec![quotient_states::Value::Integer(x)]);
    /// assert!(model.is_initial(&at(2)) && !model.is_initial(&at(3)));
    /// ```
    pub fn to_states(
        &self,
        specification: &Specification,
        budget: &Budget,
    ) -> Result<(states::Model, states::Property), Stop> {
        let mut translator = Translator {
            program: self,
            model: states::Model::default(),
            known: FxHashMap::default(),
            budget,
        };
        translator.variables();
        translator.constraints(specification)?;
        let known = &translator.known;
        let formula = specification.formula.map_atoms(|atom| known[atom]);
        let logic = match specification.kind {
            SpecificationKind::Invariant => states::Logic::Invariant,
            SpecificationKind::Ctl => states::Logic::Ctl,
            SpecificationKind::Ltl => states::Logic::Ltl,
        };
        let property = states::Property { logic, formula };
        Ok((translator.model, property))
    }
}

struct Translator<'p> {
    program: &'p Program,
    model: states::Model,
    /// The expressions of single values.
    known: FxHashMap<NodeId, ExpressionId>,
    budget: &'p Budget,
}

/// What a union asks of its parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    All,
    Any,
}

impl Translator<'_> {
    fn variables(&mut self) {
        self.model.symbols = self.program.symbols().to_vec();
        for variable in self.program.variables() {
            let kind = match variable.kind {
                Kind::State => states::Kind::State,
                Kind::Input => states::Kind::Input,
                Kind::Frozen => states::Kind::Frozen,
            };
            let domain = match &variable.domain {
                Domain::Boolean => states::Domain::Boolean,
                &Domain::Range(low, high) => states::Domain::Range(low, high),
                Domain::Enumeration(values) => {
                    states::Domain::Enumeration(values.iter().copied().map(plain_value).collect())
                }
                &Domain::Word { signed, width } => states::Domain::Word { signed, width },
            };
            self.model.add_variable(&variable.name, kind, domain);
        }
    }

    fn constraints(&mut self, specification: &Specification) -> Result<(), Stop> {
        let program = self.program;
        let pairs = program.compassion().iter().flat_map(|&(a, b)| [a, b]);
        let lists = [
            program.init(),
            program.invariants(),
            program.transitions(),
            program.justice(),
        ];
        let values = program.assignments().iter().map(|one| one.value);
        let roots = lists.concat().into_iter().chain(pairs).chain(values);
        let roots = roots.chain(specification.formula.atoms().into_iter().copied());
        // Parts come before wholes.
        for id in program.nodes_below(roots) {
            self.budget.poll()?;
            if !program.type_of(id).set {
                let expression = self.expression(id)?;
                self.known.insert(id, expression);
            }
        }
        let known = |ids: &[NodeId]| ids.iter().map(|id| self.known[id]).collect();
        self.model.initial = known(program.init());
        self.model.invariants = known(program.invariants());
        self.model.transitions = known(program.transitions());
        self.model.justice = known(program.justice());
        let pairs = program.compassion().iter();
        self.model.compassion = pairs
            .map(|(when, then)| (self.known[when], self.known[then]))
            .collect();
        for assignment in program.assignments() {
            self.budget.poll()?;
            let target = self.add(states::Node::Variable {
                variable: states::VariableId(assignment.variable.index()),
                next: assignment.when == When::Next,
            });
            let met = self.member(target, assignment.value);
            match assignment.when {
                When::Initially => self.model.initial.push(met),
                When::Always => self.model.invariants.push(met),
                When::Next => self.model.transitions.push(met),
            }
        }
        Ok(())
    }

    fn add(&mut self, node: states::Node) -> ExpressionId {
        self.model.expressions.add(node)
    }

    fn constant(&mut self, value: states::Value) -> ExpressionId {
        self.add(states::Node::Constant(value))
    }

    /// A node with a single value; its parts are known.
    fn expression(&mut self, id: NodeId) -> Result<ExpressionId, Stop> {
        let known = |id: NodeId| self.known[&id];
        let element = self.program.type_of(id).element;
        let node = match self.program.node(id) {
            Node::Constant(value) => states::Node::Constant(plain_value(value)),
            Node::Variable { variable, next } => states::Node::Variable {
                variable: states::VariableId(variable.index()),
                next,
            },
            Node::Not(operand) => states::Node::Not(known(operand)),
            Node::Negate(operand) => states::Node::Negate(known(operand)),
            Node::Binary(Operator::In, left, right) => return self.contained(left, right),
            Node::Binary(operator, left, right) => match plain_operator(operator) {
                Some(operator) => states::Node::Binary(operator, known(left), known(right)),
                None => states::Node::Undefined(plain_type(element)),
            },
            Node::Choose(test, then, other) => {
                states::Node::Choose(known(test), known(then), known(other))
            }
            Node::Bits { operand, high, low } => states::Node::Bits {
                operand: known(operand),
                high,
                low,
            },
            Node::ToInteger(operand) => states::Node::ToInteger(known(operand)),
            Node::After(operand) => states::Node::After(known(operand)),
            Node::Resize(operand) => match element {
                Element::Word { signed, width } => states::Node::ToWord {
                    operand: known(operand),
                    signed,
                    width,
                },
                other => states::Node::Undefined(plain_type(other)),
            },
            Node::Failure(_) | Node::Range(..) => states::Node::Undefined(plain_type(element)),
        };
        Ok(self.add(node))
    }

    /// That an expression has one of the values of a set.
    fn member(&mut self, value: ExpressionId, set: NodeId) -> ExpressionId {
        self.fold(set, Join::Any, |this, part| match this.program.node(part) {
            Node::Range(low, high) => {
                let [low, high] = [low, high].map(states::Value::Integer);
                let (low, high) = (this.constant(low), this.constant(high));
                let is_integer = this.add(states::Node::IsInteger(value));
                let below = this.binary(states::Operator::Less, value, low);
                let above = this.binary(states::Operator::Less, high, value);
                let no = this.constant(states::Value::Boolean(false));
                let outside = this.binary(states::Operator::Or, below, above);
                let inside = this.add(states::Node::Not(outside));
                this.add(states::Node::Choose(is_integer, inside, no))
            }
            _ => {
                let other = this.known[&part];
                this.binary(states::Operator::Equal, value, other)
            }
        })
    }

    /// That every value of the left is one of the right.
    fn contained(&mut self, left: NodeId, right: NodeId) -> Result<ExpressionId, Stop> {
        let mut too_many = false;
        let all = self.fold(left, Join::All, |this, part| {
            match this.program.node(part) {
                Node::Range(low, high) => {
                    let mut all = this.constant(states::Value::Boolean(true));
                    too_many |= high.saturating_sub(low) >= MOST_LISTED;
                    for number in low..=high.min(low.saturating_add(MOST_LISTED)) {
                        let number = this.constant(states::Value::Integer(number));
                        let one = this.member(number, right);
                        all = this.both(all, one);
                    }
                    all
                }
                _ => {
                    let value = this.known[&part];
                    this.member(value, right)
                }
            }
        });
        match too_many {
            true => Err(Stop::bound(
                "values of a range in a set",
                MOST_LISTED as u64,
            )),
            false => Ok(all),
        }
    }

    /// Asks every single value that a set is made of, and joins the answers: unions by `join`,
    /// choices by their conditions. Parts come before wholes, so no recursion is needed.
    fn fold(
        &mut self,
        root: NodeId,
        join: Join,
        mut ask: impl FnMut(&mut Self, NodeId) -> ExpressionId,
    ) -> ExpressionId {
        let program = self.program;
        let mut parts = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let below = match program.node(id) {
                Node::Binary(Operator::Union, left, right) => [left, right],
                Node::Choose(_, then, other) if program.type_of(id).set => [then, other],
                _ => continue,
            };
            for part in below {
                if seen.insert(part) {
                    parts.push(part);
                    open.push(part);
                }
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let mut answers: FxHashMap<NodeId, ExpressionId> = FxHashMap::default();
        for id in parts {
            let answer = match program.node(id) {
                Node::Binary(Operator::Union, left, right) => {
                    let (left, right) = (answers[&left], answers[&right]);
                    match join {
                        Join::Any => self.either(left, right),
                        Join::All => self.both(left, right),
                    }
                }
                Node::Choose(test, then, other) if program.type_of(id).set => {
                    let test = self.known[&test];
                    self.add(states::Node::Choose(test, answers[&then], answers[&other]))
                }
                Node::Failure(_) => self.add(states::Node::Undefined(states::Type::Boolean)),
                _ => ask(self, id),
            };
            answers.insert(id, answer);
        }
        answers[&root]
    }

    fn binary(
        &mut self,
        operator: states::Operator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        self.add(states::Node::Binary(operator, left, right))
    }

    /// At least one, and both must have a value.
    fn either(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        let yes = self.constant(states::Value::Boolean(true));
        let then = self.add(states::Node::Choose(right, yes, yes));
        self.add(states::Node::Choose(left, then, right))
    }

    /// Both, and both must have a value.
    fn both(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        let no = self.constant(states::Value::Boolean(false));
        let other = self.add(states::Node::Choose(right, no, no));
        self.add(states::Node::Choose(left, right, other))
    }
}

/// A value of the program as plain data.
pub(crate) fn plain_value(value: Value) -> states::Value {
    match value {
        Value::Boolean(value) => states::Value::Boolean(value),
        Value::Integer(number) => states::Value::Integer(number),
        Value::Symbol(symbol) => states::Value::Symbol(states::SymbolId(symbol.index())),
        Value::Word {
            signed,
            width,
            bits,
        } => states::Value::word(signed, width, bits),
    }
}

fn plain_type(element: Element) -> states::Type {
    match element {
        Element::Boolean => states::Type::Boolean,
        Element::Integer | Element::Symbolic | Element::Mixed => states::Type::Scalar,
        Element::Word { signed, width } => states::Type::Word { signed, width },
    }
}

/// Operators on single values; the others are about sets.
fn plain_operator(operator: Operator) -> Option<states::Operator> {
    Some(match operator {
        Operator::And => states::Operator::And,
        Operator::Or => states::Operator::Or,
        Operator::Xor => states::Operator::Xor,
        Operator::Equal => states::Operator::Equal,
        Operator::Less => states::Operator::Less,
        Operator::Plus => states::Operator::Plus,
        Operator::Minus => states::Operator::Minus,
        Operator::Times => states::Operator::Times,
        Operator::Divide => states::Operator::Divide,
        Operator::Modulo => states::Operator::Modulo,
        Operator::Concatenate => states::Operator::Concatenate,
        Operator::ShiftLeft => states::Operator::ShiftLeft,
        Operator::ShiftRight => states::Operator::ShiftRight,
        Operator::RotateLeft => states::Operator::RotateLeft,
        Operator::RotateRight => states::Operator::RotateRight,
        Operator::Union | Operator::In => return None,
    })
}
