//! What must never happen, whatever values the variables have: a `case` without a branch that
//! applies, an index out of range, a division by zero, a value outside of its domain.
//!
//! NuSMV refuses such models too, reachable or not. A SAT solver looks for values that make
//! it happen; the plain evaluator then says what exactly goes wrong there.

use quotient_core::{Budget, Diagnostic, Span, Trouble};
use quotient_symbolic::Expression;

use super::Compiled;
use super::satisfy::Satisfier;
use crate::evaluate::{Problem, State};
use crate::program::{Assignment, FailureKind, Node, NodeId, Program, Value, When};

/// Each mistake is explained with values; a few are enough.
const MOST_MISTAKES: usize = 10;

/// An example shows no more variables than this.
const MOST_SHOWN: usize = 8;

impl Compiled {
    pub(super) fn check_obligations(
        &mut self,
        program: &Program,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let mut satisfier = Satisfier::new(budget);
        let mut mistakes: Vec<Diagnostic> = Vec::new();
        let mut add = |mistake: Diagnostic| {
            let place = |told: &Diagnostic| told.labels.first().map(|label| label.span);
            if mistakes.iter().all(|told| place(told) != place(&mistake)) {
                mistakes.push(mistake);
            }
            mistakes.len() < MOST_MISTAKES
        };
        for root in constraints(program) {
            self.lower(program, [root], budget)?;
            let fails = self.fails(root);
            if let Some((now, next)) = self.example(program, &mut satisfier, fails, budget)?
                && !add(explain(program, root, &now, &next))
            {
                break;
            }
        }
        for assignment in program.assignments() {
            let outside = self.outside(program, assignment);
            let fails = self.fails(assignment.value);
            let outside = self.model.and(outside, !fails);
            if let Some((now, next)) = self.example(program, &mut satisfier, outside, budget)?
                && !add(explain_outside(program, assignment, &now, &next))
            {
                break;
            }
        }
        match mistakes.is_empty() {
            true => Ok(()),
            false => Err(Trouble::Invalid(mistakes)),
        }
    }

    /// Values of all variables, within their domains, for which a condition is true.
    fn example(
        &mut self,
        program: &Program,
        satisfier: &mut Satisfier,
        condition: Expression,
        budget: &Budget,
    ) -> Result<Option<(State, State)>, Trouble> {
        if condition == Expression::FALSE {
            return Ok(None);
        }
        let mut all = vec![condition];
        for (bit, next) in self.model.support([condition]) {
            let owner = self.model.owner(bit);
            let legal = self.model.has_value(owner);
            match next {
                true => all.extend(self.model.next(legal)),
                false => all.push(legal),
            }
        }
        all.sort_unstable();
        all.dedup();
        let found = satisfier.satisfy(&self.model, &all, budget)?;
        Ok(found.map(|(now, next)| (self.state(program, &now), self.state(program, &next))))
    }
}

/// Everything that is evaluated in the model itself or in a specification.
fn constraints(program: &Program) -> Vec<NodeId> {
    let mut roots: Vec<NodeId> = Vec::new();
    roots.extend(program.init());
    roots.extend(program.invariants());
    roots.extend(program.transitions());
    roots.extend(program.justice());
    roots.extend(
        program
            .compassion()
            .iter()
            .flat_map(|&(when, then)| [when, then]),
    );
    roots.extend(
        program
            .assignments()
            .iter()
            .map(|assignment| assignment.value),
    );
    for specification in program.specifications() {
        atoms(&specification.formula, &mut roots);
    }
    for special in program.specials() {
        roots.extend(special.says.atoms());
    }
    roots
}

/// The atoms of a formula; its depth is bounded by the parser.
fn atoms(formula: &quotient_logic::Formula<NodeId>, into: &mut Vec<NodeId>) {
    use quotient_logic::Kind;
    match &formula.kind {
        Kind::Constant(_) | Kind::Placeholder(_) => {}
        Kind::Atom(atom) => into.push(*atom),
        Kind::Unary(_, operand) => atoms(operand, into),
        Kind::Binary(_, left, right) => {
            atoms(left, into);
            atoms(right, into);
        }
    }
}

fn explain(program: &Program, root: NodeId, now: &State, next: &State) -> Diagnostic {
    let source = program.source();
    let problem = program.evaluate(root, now, Some(next)).err();
    let (error, place): (Diagnostic, Span) = match problem {
        Some(Problem::Failure(failure)) => {
            let (kind, span) = program.failure(failure);
            let error = match kind {
                FailureKind::Case => {
                    Diagnostic::error("smv-case-not-total", "no branch of this `case` may apply")
                        .help("add a last branch `TRUE : …;`")
                }
                FailureKind::Index => {
                    Diagnostic::error("smv-index", "this index may be out of range")
                        .help("check the index first: `i in 0..3 ? a[i] : …`")
                }
            };
            (error, span)
        }
        Some(Problem::Arithmetic(node)) => {
            let message = "this may divide by zero or shift by a negative number";
            (
                Diagnostic::error("smv-arithmetic", message),
                program.span(node),
            )
        }
        Some(Problem::TooMany(_)) | None => {
            let message = "this expression may have no value";
            (
                Diagnostic::error("smv-arithmetic", message),
                program.span(root),
            )
        }
    };
    error.at(source, place, "").note(format!(
        "for example when {}",
        example_text(program, root, now, next)
    ))
}

fn explain_outside(
    program: &Program,
    assignment: &Assignment,
    now: &State,
    next: &State,
) -> Diagnostic {
    let variable = program.variable(assignment.variable);
    let values = program
        .evaluate(assignment.value, now, Some(next))
        .unwrap_or_default();
    let foreign = values
        .into_iter()
        .find(|&value| !variable.domain.contains(value));
    let shown = foreign.map_or_else(
        || "a value".to_owned(),
        |value| format!("`{}`", program.show(value)),
    );
    let name = &variable.name;
    let target = match assignment.when {
        When::Initially => format!("init({name})"),
        When::Next => format!("next({name})"),
        When::Always => name.clone(),
    };
    let message = format!("`{target}` may be assigned {shown}, which is not in its domain");
    let error = Diagnostic::error("smv-domain", message)
        .at(program.source(), assignment.span, "")
        .at(program.source(), variable.span, "declared here");
    let text = example_text(program, assignment.value, now, next);
    match text.is_empty() {
        true => error,
        false => error.note(format!("for example when {text}")),
    }
    .help(match foreign {
        Some(Value::Integer(_)) => {
            "guard the assignment with `case`, use `mod`, or enlarge the range"
        }
        _ => "add the value to the type of the variable",
    })
}

/// The values of the variables that an expression speaks about: `x = 3 and next(y) = TRUE`.
fn example_text(program: &Program, root: NodeId, now: &State, next: &State) -> String {
    let mut shown: Vec<String> = Vec::new();
    for id in program.nodes_below([root]) {
        if let Node::Variable {
            variable,
            next: is_next,
        } = program.node(id)
        {
            let name = &program.variable(variable).name;
            let value = if is_next { next } else { now }.value(variable);
            let value = program.show(value);
            shown.push(match is_next {
                true => format!("next({name}) = {value}"),
                false => format!("{name} = {value}"),
            });
        }
    }
    if shown.len() > MOST_SHOWN {
        shown.truncate(MOST_SHOWN);
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
