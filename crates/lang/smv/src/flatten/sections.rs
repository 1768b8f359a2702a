//! Constraints, fairness, assignments and specifications of all instances.

use quotient_core::{Diagnostic, Severity, Span};
use rustc_hash::FxHashMap;

use super::{Entity, Flattener, ScopeId, SymbolIndex, SymbolKind};
use crate::program::{Assignment, Element, Kind, Node, NodeId, VariableId, When};
use crate::syntax::{self, AssignmentKind, Declaration, Syntax, SyntaxId};

/// What a constraint may speak about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaks {
    /// One state.
    State,
    /// One state and the inputs of the step that leaves it.
    StateAndInput,
    /// A step.
    Step,
}

/// An assignment as found: by which process, what, where.
#[derive(Clone, Copy)]
struct Found {
    process: u32,
    value: NodeId,
    span: Span,
}

/// Assignments by variable and time, in the order found.
#[derive(Default)]
struct Collected {
    found: FxHashMap<(VariableId, When), Vec<Found>>,
    order: Vec<(VariableId, When)>,
}

impl Flattener {
    /// Goes through all declarations of all instances.
    pub(super) fn sections(&mut self) {
        let mut collected = Collected::default();
        for body in 0..self.bodies.len() {
            let (scope, module) = self.bodies[body];
            for at in 0..self.scopes.tree.modules[module].declarations.len() {
                let declaration = self.scopes.tree.modules[module].declarations[at].clone();
                match declaration {
                    Declaration::Assignment(assignment) => {
                        self.assignment(scope, assignment, &mut collected);
                    }
                    Declaration::Init(root) => {
                        let node = self.constraint(scope, root, "INIT", Speaks::State);
                        self.program.init.extend(node);
                    }
                    Declaration::Invariant(root) => {
                        let node = self.constraint(scope, root, "INVAR", Speaks::State);
                        self.program.invariants.extend(node);
                    }
                    Declaration::Transition(root) => {
                        let node = self.constraint(scope, root, "TRANS", Speaks::Step);
                        self.program.transitions.extend(node);
                    }
                    Declaration::Justice(root) => {
                        let speaks = Speaks::StateAndInput;
                        let node = self.constraint(scope, root, "FAIRNESS", speaks);
                        self.program.justice.extend(node);
                    }
                    Declaration::Compassion(when, then) => {
                        let speaks = Speaks::StateAndInput;
                        let when = self.constraint(scope, when, "COMPASSION", speaks);
                        let then = self.constraint(scope, then, "COMPASSION", speaks);
                        self.program.compassion.extend(when.zip(then));
                    }
                    Declaration::Specification(specification) => {
                        self.specification(scope, &specification);
                    }
                    Declaration::Property(property) => self.property(scope, &property),
                    Declaration::Hybrid(hybrid) => self.hybrid(scope, &hybrid),
                    Declaration::Compute(compute) => self.compute(scope, &compute),
                    Declaration::Skipped(skipped) => self.skipped(scope, &skipped),
                    _ => {}
                }
            }
        }
        self.finish_definitions();
        self.finish_assignments(collected);
    }

    /// Definitions and arguments that nobody uses: their mistakes are warnings, for the model
    /// can be checked without them. Definitions with a value are shown in traces.
    fn finish_definitions(&mut self) {
        let used = std::mem::take(&mut self.diagnostics);
        for at in 0..self.scopes.symbols.len() {
            let kind = self.scopes.symbols[at].kind;
            if !matches!(kind, SymbolKind::Define(..) | SymbolKind::Parameter(..)) {
                continue;
            }
            let entity = self.work_out(SymbolIndex(at as u32));
            if let (SymbolKind::Define(..), Entity::Value(node)) = (kind, entity) {
                let symbol = &self.scopes.symbols[at];
                let name = self.full_name(symbol.scope, symbol.name);
                self.program.defines.push((name, node));
            }
        }
        let unused = std::mem::replace(&mut self.diagnostics, used);
        for mut diagnostic in unused {
            if diagnostic.code != "smv-circular" {
                diagnostic.severity = Severity::Warning;
                diagnostic = diagnostic.note("nothing depends on this, so the check goes on");
            }
            self.report(diagnostic);
        }
    }

    /// A Boolean expression of a section; `None` if something is wrong.
    fn constraint(
        &mut self,
        scope: ScopeId,
        root: SyntaxId,
        section: &str,
        speaks: Speaks,
    ) -> Option<NodeId> {
        let node = self.value(scope, root)?;
        let span = self.scopes.tree.expressions.span(root);
        let checked = self
            .needs_boolean(node, span, &format!("the {section} constraint"))
            .and_then(|node| Ok((node, self.may_speak(node, root, speaks, section)?)));
        match checked {
            Ok((node, ())) => Some(node),
            Err(error) => {
                self.report(error);
                None
            }
        }
    }

    fn may_speak(
        &self,
        node: NodeId,
        root: SyntaxId,
        speaks: Speaks,
        what: &str,
    ) -> Result<(), Diagnostic> {
        let nodes = &self.program.nodes;
        if speaks != Speaks::Step && nodes.mentions_next(node) {
            return Err(self.next_misplaced(root, what));
        }
        if speaks == Speaks::State && nodes.mentions_input(node) {
            return Err(self.input_misplaced(root, what));
        }
        Ok(())
    }

    /// `next` where only one state is spoken about.
    pub(super) fn next_misplaced(&self, root: SyntaxId, what: &str) -> Diagnostic {
        let expressions = &self.scopes.tree.expressions;
        let is_next = |&at: &u32| matches!(expressions.node(SyntaxId(at)), Syntax::Next(_));
        let message = format!("`next` cannot be used in {what}");
        match expressions.run(root).find(is_next) {
            Some(at) => self.error("smv-next-place", message, expressions.span(SyntaxId(at))),
            None => self
                .error("smv-next-place", message, expressions.span(root))
                .note("a definition used here contains `next`"),
        }
        .help("`next` can be used in TRANS and on the right of `next(x) := …`")
    }

    /// An input where only states are spoken about.
    pub(super) fn input_misplaced(&self, root: SyntaxId, what: &str) -> Diagnostic {
        let span = self.scopes.tree.expressions.span(root);
        self.error(
            "smv-input-place",
            format!("inputs cannot be used in {what}"),
            span,
        )
        .note("inputs (IVAR, and `running` of processes) belong to steps, not to states")
    }

    fn assignment(
        &mut self,
        scope: ScopeId,
        assignment: syntax::Assignment,
        collected: &mut Collected,
    ) {
        let span = self.scopes.tree.expressions.span(assignment.target);
        let (when, section, speaks) = match assignment.kind {
            AssignmentKind::Init => (When::Initially, "`init(…) := …`", Speaks::State),
            AssignmentKind::Next => (When::Next, "`next(…) := …`", Speaks::Step),
            AssignmentKind::Invariant => (When::Always, "`x := …`", Speaks::State),
        };
        let target = self.elaborate(scope, assignment.target);
        let value = self.value(scope, assignment.value);
        if target == Entity::Broken {
            return;
        }
        let variable = match self.assignable(target, when, span) {
            Ok(variable) => variable,
            Err(error) => return self.report(error),
        };
        let Some(value) = value else { return };
        let value_span = self.scopes.tree.expressions.span(assignment.value);
        let fitting = self.fits_variable(variable, value, value_span);
        let checked = fitting.and_then(|value| {
            self.may_speak(value, assignment.value, speaks, section)?;
            Ok(value)
        });
        let value = match checked {
            Ok(value) => value,
            Err(error) => return self.report(error),
        };
        let process = self.scopes.scopes[scope.0 as usize].process;
        let found = Found {
            process,
            value,
            span,
        };
        let list = collected.found.entry((variable, when)).or_default();
        if list.is_empty() {
            collected.order.push((variable, when));
        }
        list.push(found);
    }

    fn assignable(&self, target: Entity, when: When, span: Span) -> Result<VariableId, Diagnostic> {
        let node = match target {
            Entity::Value(node) => self.program.nodes.node(node),
            Entity::Array(_) => {
                return Err(self
                    .error(
                        "smv-assign-target",
                        "a whole array cannot be assigned",
                        span,
                    )
                    .help("assign its elements one by one"));
            }
            _ => {
                let message = "an instance of a module cannot be assigned";
                return Err(self.error("smv-assign-target", message, span));
            }
        };
        let Node::Variable {
            variable,
            next: false,
        } = node
        else {
            return Err(self
                .error("smv-assign-target", "only variables can be assigned", span)
                .help("definitions and parameters that are expressions have a value already"));
        };
        let declared = self.program.variable(variable);
        let (kind, help) = match (declared.kind, when) {
            (Kind::Input, _) => ("input", "constrain inputs with TRANS"),
            (Kind::Frozen, When::Next | When::Always) => ("frozen", "use `init(…) := …`"),
            _ => return Ok(variable),
        };
        let message = format!("the {kind} variable `{}` cannot be assigned", declared.name);
        Err(self
            .error("smv-assign-target", message, span)
            .at(&self.source, declared.span, "declared here")
            .help(help))
    }

    /// The assigned values, which must have the variable's type.
    fn fits_variable(
        &mut self,
        variable: VariableId,
        value: NodeId,
        span: Span,
    ) -> Result<NodeId, Diagnostic> {
        let domain = &self.program.variable(variable).domain;
        let (wanted, found) = (domain.element(), self.type_of(value).element);
        let is_bit = domain.values(2).is_some();
        if wanted.greater(found) == Some(wanted) {
            return Ok(value);
        }
        let bit = match (wanted, found) {
            (Element::Boolean, Element::Integer) => self.as_boolean(value, span),
            (Element::Integer, Element::Boolean) if is_bit => self.as_bit(value, span),
            _ => None,
        };
        if let Some(bit) = bit {
            return Ok(bit);
        }
        let declared = self.program.variable(variable);
        let message = format!("`{}` is {wanted}, but this is {found}", declared.name);
        let mut error = self.error("smv-type", message, span);
        if let Node::Constant(_) = self.program.nodes.node(value) {
            error = self.type_error(error.message, span, &[value]);
        }
        Err(error.at(&self.source, declared.span, "declared here"))
    }

    /// At most one assignment for a variable and a time, or one for each process; then the
    /// choice of the process decides, and the variable keeps its value if no other assigns it.
    fn finish_assignments(&mut self, collected: Collected) {
        for &(variable, when) in &collected.order {
            let list = &collected.found[&(variable, when)];
            if when != When::Always
                && let Some(always) = collected.found.get(&(variable, When::Always))
            {
                self.report_twice(variable, list[0].span, always[0].span);
            }
            for (at, later) in list.iter().enumerate() {
                let clash = |before: &&Found| when != When::Next || before.process == later.process;
                if let Some(before) = list[..at].iter().find(clash) {
                    self.report_twice(variable, later.span, before.span);
                }
            }
            let span = list[0].span;
            let value = match when == When::Next && !self.scopes.running.is_empty() {
                true => self.interleave(variable, list),
                false => Some(list[0].value),
            };
            self.program
                .assignments
                .extend(value.map(|value| Assignment {
                    when,
                    variable,
                    value,
                    span,
                }));
        }
    }

    fn report_twice(&mut self, variable: VariableId, later: Span, before: Span) {
        let message = format!(
            "`{}` is assigned twice",
            self.program.variable(variable).name
        );
        let error = self.error("smv-assigned-twice", message, later).at(
            &self.source,
            before,
            "first assigned here",
        );
        let help = "`x := …` fixes a value in every state, `init(x)` and `next(x)` once each";
        self.report(error.help(help));
    }

    fn interleave(&mut self, variable: VariableId, list: &[Found]) -> Option<NodeId> {
        let span = list[0].span;
        let mut result = self.read(variable, false, span);
        for found in list.iter().rev() {
            let running = self.scopes.running[found.process as usize];
            let branch = (found.value, found.span);
            match self.choose(running, branch, (result, span), span) {
                Ok(node) => result = node,
                Err(error) => {
                    self.report(error);
                    return None;
                }
            }
        }
        Some(result)
    }
}
