//! Runs of a model in the words of its source: to show, and to replay.

use crate::evaluate::State;
use crate::program::{Assignment, Kind, Node, NodeId, Program, VariableId, When};

/// A run of a model: states with the inputs of the step that follows.
///
/// An engine may leave out variables that do not matter for a property; constraints on those
/// are not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The states, the first one initial.
    pub states: Vec<State>,
    /// For an infinite run, the state that follows the last one.
    pub back_to: Option<usize>,
    /// The variables that the run is about, sorted.
    pub variables: Vec<VariableId>,
}

/// A name with its value, as SMV writes both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The full name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// One state of a run: what is new in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The inputs of the step that led here; none for the first state.
    pub inputs: Vec<Shown>,
    /// The variables whose value differs from the state before; all for the first state.
    pub changes: Vec<Shown>,
    /// The definitions whose value differs from the state before; all for the first state.
    pub definitions: Vec<Shown>,
    /// Whether the run comes back to this state again and again.
    pub loop_starts: bool,
}

/// Where a run is not one of the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// There is no state at all.
    #[error("the run has no state")]
    Empty,
    /// The loop does not lead back to a state of the run.
    #[error("the loop leads to state {0}, which is not there")]
    NoLoop(usize),
    /// The first state is not initial.
    #[error("the first state violates an initial constraint")]
    NotInitial,
    /// A value is outside of its domain or an invariant does not hold.
    #[error("state {0} violates a domain or an invariant")]
    NotLegal(usize),
    /// The model cannot step from this state to the next.
    #[error("the model has no step from state {0}")]
    NoStep(usize),
}

impl Run {
    /// What is new in each state. Names come in the order of the source.
    pub fn steps(&self, program: &Program) -> Vec<Step> {
        let definitions: Vec<&(String, NodeId)> = program
            .defines()
            .iter()
            .filter(|(_, node)| self.is_about(program, *node) && is_plain(program, *node))
            .collect();
        let show = |at: usize, id: VariableId| Shown {
            name: program.variable(id).name.clone(),
            value: program.show(self.states[at].value(id)),
        };
        let mut before: Vec<Option<String>> = vec![None; definitions.len()];
        let mut steps = Vec::new();
        for at in 0..self.states.len() {
            let mut step = Step {
                inputs: Vec::new(),
                changes: Vec::new(),
                definitions: Vec::new(),
                loop_starts: self.back_to == Some(at),
            };
            for &id in &self.variables {
                let is_input = program.variable(id).kind == Kind::Input;
                let value = |at: usize| self.states[at].value(id);
                if is_input && at > 0 {
                    step.inputs.push(show(at - 1, id));
                } else if !is_input && (at == 0 || value(at - 1) != value(at)) {
                    step.changes.push(show(at, id));
                }
            }
            for (known, (name, node)) in before.iter_mut().zip(&definitions) {
                let values = program.evaluate(*node, &self.states[at], None);
                let value = match values.as_deref() {
                    Ok(&[value]) => program.show(value),
                    _ => continue,
                };
                if known.as_ref() != Some(&value) {
                    let name = name.clone();
                    step.definitions.push(Shown {
                        name,
                        value: value.clone(),
                    });
                    *known = Some(value);
                }
            }
            steps.push(step);
        }
        steps
    }

    /// The inputs of the step from the last state back into the loop.
    pub fn closing_inputs(&self, program: &Program) -> Vec<Shown> {
        let (Some(_), Some(last)) = (self.back_to, self.states.last()) else {
            return Vec::new();
        };
        let inputs = self
            .variables
            .iter()
            .filter(|&&id| program.variable(id).kind == Kind::Input);
        inputs
            .map(|&id| Shown {
                name: program.variable(id).name.clone(),
                value: program.show(last.value(id)),
            })
            .collect()
    }

    /// Whether the model can do all this, by the plain meaning of its text. Fairness is not
    /// looked at.
    pub fn replay(&self, program: &Program) -> Result<(), Mismatch> {
        let first = self.states.first().ok_or(Mismatch::Empty)?;
        let rules = self.rules(program);
        for (at, state) in self.states.iter().enumerate() {
            if !self.is_legal(&rules, state) {
                return Err(Mismatch::NotLegal(at));
            }
        }
        let starts =
            rules.hold(&rules.init, first, None) && rules.obeyed(When::Initially, first, None);
        if !starts {
            return Err(Mismatch::NotInitial);
        }
        let mut pairs: Vec<(usize, &State)> = self.states.iter().enumerate().skip(1).collect();
        if let Some(back) = self.back_to {
            let again = self.states.get(back).ok_or(Mismatch::NoLoop(back))?;
            pairs.push((self.states.len(), again));
        }
        for (at, to) in pairs {
            if !self.is_step(&rules, &self.states[at - 1], to) {
                return Err(Mismatch::NoStep(at - 1));
            }
        }
        Ok(())
    }

    /// What the program says about the variables of the run.
    fn rules<'p>(&self, program: &'p Program) -> Rules<'p> {
        let about = |constraints: &[NodeId]| -> Vec<NodeId> {
            let about = constraints.iter().copied();
            about.filter(|&id| self.is_about(program, id)).collect()
        };
        let assignments = program.assignments().iter().copied();
        let assigned = assignments.filter(|assignment| {
            self.variables.binary_search(&assignment.variable).is_ok()
                && self.is_about(program, assignment.value)
        });
        Rules {
            program,
            init: about(program.init()),
            invariants: about(program.invariants()),
            transitions: about(program.transitions()),
            assignments: assigned.collect(),
        }
    }

    fn is_legal(&self, rules: &Rules, state: &State) -> bool {
        let variables = rules.program.variables();
        let in_domain = |&id: &VariableId| variables[id.index()].domain.contains(state.value(id));
        state.0.len() == variables.len()
            && self.variables.iter().all(in_domain)
            && rules.hold(&rules.invariants, state, None)
            && rules.obeyed(When::Always, state, None)
    }

    fn is_step(&self, rules: &Rules, from: &State, to: &State) -> bool {
        let keeps = |&id: &VariableId| {
            let frozen = rules.program.variable(id).kind == Kind::Frozen;
            !frozen || from.value(id) == to.value(id)
        };
        self.variables.iter().all(keeps)
            && rules.hold(&rules.transitions, from, Some(to))
            && rules.obeyed(When::Next, from, Some(to))
    }

    /// Whether all variables of an expression are part of the run.
    pub(crate) fn is_about(&self, program: &Program, root: NodeId) -> bool {
        let mut below = program.nodes_below([root]).into_iter();
        below.all(|id| match program.node(id) {
            Node::Variable { variable, .. } => self.variables.binary_search(&variable).is_ok(),
            _ => true,
        })
    }
}

/// The constraints that a run is held to.
struct Rules<'p> {
    program: &'p Program,
    init: Vec<NodeId>,
    invariants: Vec<NodeId>,
    transitions: Vec<NodeId>,
    assignments: Vec<Assignment>,
}

impl Rules<'_> {
    fn hold(&self, constraints: &[NodeId], now: &State, next: Option<&State>) -> bool {
        let mut constraints = constraints.iter();
        constraints.all(|&id| self.program.is_true(id, now, next))
    }

    fn obeyed(&self, when: When, now: &State, next: Option<&State>) -> bool {
        let mut due = self
            .assignments
            .iter()
            .filter(|assignment| assignment.when == when);
        due.all(|assignment| {
            let target = next.unwrap_or(now).value(assignment.variable);
            let allowed = self.program.evaluate(assignment.value, now, next);
            allowed.is_ok_and(|allowed| allowed.contains(&target))
        })
    }
}

/// Whether an expression has one value in a state.
fn is_plain(program: &Program, root: NodeId) -> bool {
    let mut below = program.nodes_below([root]).into_iter();
    !program.type_of(root).set
        && below.all(|id| match program.node(id) {
            Node::Variable { variable, next } => {
                !next && program.variable(variable).kind != Kind::Input
            }
            Node::After(_) => false,
            _ => true,
        })
}
