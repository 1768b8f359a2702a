//! Types of variables: domains, arrays, and the selector of processes.

use quotient_core::{Diagnostic, Span};

use super::{Array, ArrayIndex, Entity, Flattener, ScopeId, State};
use crate::program::{
    Domain, Element, Kind, Node, NodeId, Operator, Type, Value, Variable, WIDEST,
};
use crate::syntax::{Declaration, Syntax, SyntaxId, TypeSyntax, VariableKind};

/// The name that NuSMV gives to the choice of the process that runs.
const SELECTOR: &str = "_process_selector_";

/// All elements of an array are variables of their own.
const MOST_ELEMENTS: u64 = 1 << 16;

impl Flattener {
    /// Works out the types of all variables, in the order of the source.
    pub(super) fn declare_variables(&mut self) {
        self.declare_selector();
        for at in 0..self.pending.len() {
            let (symbol, scope, module, declaration) = self.pending[at];
            let Declaration::Variable(variable) =
                self.scopes.tree.modules[module].declarations[declaration].clone()
            else {
                continue;
            };
            let declared = self.symbol(symbol);
            let name = self.full_name(declared.scope, declared.name);
            let kind = match variable.kind {
                VariableKind::State => Kind::State,
                VariableKind::Input => Kind::Input,
                VariableKind::Frozen => Kind::Frozen,
            };
            let before = self.program.variables.len();
            let span = variable.name.span;
            let entity = self
                .declare(scope, &name, kind, &variable.type_syntax, span)
                .unwrap_or(Entity::Broken);
            self.set_state(symbol, State::Known(entity));
            if self.program.variables.len() as u64 - before as u64 > MOST_ELEMENTS {
                let message = format!("`{name}` has more than {MOST_ELEMENTS} elements");
                let error = self.error("smv-array-size", message, span);
                self.report(error);
                return;
            }
        }
    }

    /// With processes, an input chooses the one that runs.
    fn declare_selector(&mut self) {
        if self.processes.len() < 2 {
            return;
        }
        let names = self.processes.clone();
        let values: Vec<Value> = names
            .into_iter()
            .map(|name| Value::Symbol(self.add_symbol(name)))
            .collect();
        let selector = self.add_variable(Variable {
            name: SELECTOR.to_owned(),
            kind: Kind::Input,
            domain: Domain::Enumeration(values.clone()),
            span: Span::default(),
        });
        let chosen = self.read(selector, false, Span::default());
        for value in values {
            let process = self.constant(value, Span::default());
            let equal = Node::Binary(Operator::Equal, chosen, process);
            let boolean = Type::of(Element::Boolean);
            let running = self.add(equal, boolean, Span::default());
            self.scopes.running.push(running);
        }
    }

    /// Declares a variable or the elements of an array; `None` if something is wrong.
    fn declare(
        &mut self,
        scope: ScopeId,
        name: &str,
        kind: Kind,
        type_syntax: &TypeSyntax,
        span: Span,
    ) -> Option<Entity> {
        let domain = match type_syntax {
            TypeSyntax::Boolean => Domain::Boolean,
            &TypeSyntax::Word { signed, width } => Domain::Word {
                signed,
                width: self.word_width(scope, width)?,
            },
            &TypeSyntax::Range(low, high) => {
                let (low, high) = self.bounds(scope, low, high)?;
                Domain::Range(low, high)
            }
            TypeSyntax::Enumeration(values, span) => self.enumeration(values, *span)?,
            TypeSyntax::Array(low, high, element) => {
                return self.array(scope, name, kind, (*low, *high), element, span);
            }
            TypeSyntax::Instance(_) => return None,
        };
        let name = name.to_owned();
        let variable = self.add_variable(Variable {
            name,
            kind,
            domain,
            span,
        });
        Some(Entity::Value(self.read(variable, false, span)))
    }

    fn array(
        &mut self,
        scope: ScopeId,
        name: &str,
        kind: Kind,
        (low, high): (SyntaxId, SyntaxId),
        element: &TypeSyntax,
        span: Span,
    ) -> Option<Entity> {
        let bounds_span = self.scopes.tree.expressions.span(low);
        let (low, high) = self.bounds(scope, low, high)?;
        let before = self.program.variables.len();
        let mut elements = Vec::new();
        for index in low..=high {
            let element_name = format!("{name}[{index}]");
            elements.push(self.declare(scope, &element_name, kind, element, span)?);
            if (self.program.variables.len() - before) as u64 > MOST_ELEMENTS {
                let message = format!("an array has more than {MOST_ELEMENTS} elements");
                let error = self.error("smv-array-size", message, bounds_span);
                self.report(error);
                return None;
            }
        }
        Some(Entity::Array(self.add_array(low, elements)))
    }

    pub(super) fn add_array(&mut self, low: i64, elements: Vec<Entity>) -> ArrayIndex {
        self.scopes.arrays.push(Array { low, elements });
        ArrayIndex(self.scopes.arrays.len() as u32 - 1)
    }

    fn bounds(&mut self, scope: ScopeId, low: SyntaxId, high: SyntaxId) -> Option<(i64, i64)> {
        let span = self.scopes.tree.expressions.span(low);
        let span = span.to(self.scopes.tree.expressions.span(high));
        let (low, high) = (self.integer(scope, low), self.integer(scope, high));
        let (low, high) = (low?, high?);
        if low > high {
            let message = format!("the range {low}..{high} is empty");
            let error = self.error("smv-empty-range", message, span);
            self.report(error);
            return None;
        }
        Some((low, high))
    }

    /// The value of an expression that must be an integer constant.
    pub(super) fn integer(&mut self, scope: ScopeId, syntax: SyntaxId) -> Option<i64> {
        match self.elaborate(scope, syntax) {
            Entity::Broken => None,
            Entity::Value(node) if self.constant_integer(node).is_some() => {
                self.constant_integer(node)
            }
            _ => {
                let span = self.scopes.tree.expressions.span(syntax);
                let error = self.error(
                    "smv-not-constant",
                    "an integer constant is needed here",
                    span,
                );
                self.report(error);
                None
            }
        }
    }

    pub(super) fn constant_integer(&self, node: NodeId) -> Option<i64> {
        match self.program.nodes.node(node) {
            Node::Constant(Value::Integer(number)) => Some(number),
            _ => None,
        }
    }

    fn word_width(&mut self, scope: ScopeId, width: SyntaxId) -> Option<u32> {
        let span = self.scopes.tree.expressions.span(width);
        let width = self.integer(scope, width)?;
        match u32::try_from(width) {
            Ok(width @ 1..=WIDEST) => Some(width),
            _ => {
                let message = format!("a word has between 1 and {WIDEST} bits, not {width}");
                let error = self.error("smv-word-width", message, span);
                self.report(error);
                None
            }
        }
    }

    fn enumeration(&mut self, values: &[SyntaxId], span: Span) -> Option<Domain> {
        let expressions = &self.scopes.tree.expressions;
        let truths = values.iter().map(|&value| match expressions.node(value) {
            Syntax::Boolean(truth) => Some(truth),
            _ => None,
        });
        let truths: Vec<Option<bool>> = truths.collect();
        let both = truths.contains(&Some(true)) && truths.contains(&Some(false));
        if both && truths.iter().all(Option::is_some) {
            return Some(Domain::Boolean);
        }
        if truths.iter().any(Option::is_some) {
            let error = self
                .error(
                    "smv-unsupported",
                    "truth values cannot be mixed with others",
                    span,
                )
                .help("use `boolean`, or names of your own");
            self.report(error);
            return None;
        }
        let mut domain: Vec<Value> = Vec::new();
        for &value in values {
            let written = self.scopes.tree.expressions.span(value);
            let value = match self.scopes.tree.expressions.node(value) {
                Syntax::Number(number) => Value::Integer(number),
                Syntax::Name(name) => Value::Symbol(self.constant_symbol(name)),
                _ => return None,
            };
            if domain.contains(&value) {
                let message = format!("`{}` is listed twice", self.program.show(value));
                let warning = Diagnostic::warning("smv-listed-twice", message);
                let warning = warning.at(&self.source, written, "it counts once");
                self.report(warning.at(&self.source, span, "in this enumeration"));
                continue;
            }
            domain.push(value);
        }
        Some(Domain::Enumeration(domain))
    }
}
