//! All reachable states of a model, found from their predecessors.

use quotient_core::{Budget, Stop};
use quotient_logic::Formula;
use rustc_hash::FxHashMap;

use crate::evaluate::State;
use crate::program::{Assignment, Kind, Node, NodeId, Program, Value, VariableId, When};
use crate::run::Run;
use crate::shape;

/// Domains and products of inputs are no larger than this.
const MOST_VALUES: usize = 1 << 16;

/// No more states than this are tried for initial ones where only some of a model are looked at.
const MOST_STARTS: usize = 1 << 12;

/// The reachable states, as far as the budget went.
pub(crate) struct Searched {
    /// The states, in the order of discovery; inputs have the first value of their domain.
    pub(crate) states: Vec<State>,
    /// How many of them, at the beginning, are initial.
    pub(crate) initial: usize,
    /// The states that each state can step to, sorted.
    pub(crate) successors: Vec<Vec<usize>>,
    /// The most steps from an initial state to any other.
    pub(crate) depth: usize,
    /// Why not all were found.
    pub(crate) stopped: Option<Stop>,
    /// For each condition on steps a step that violates it: the state before with its inputs,
    /// and the state after.
    pub(crate) wrong_steps: Vec<Option<(usize, State, usize)>>,
    /// For each fairness condition that is about inputs, in which of its steps each state meets it:
    /// the states after. Not filled in where all states are looked at.
    pub(crate) just: Vec<Option<Vec<Vec<usize>>>>,
    /// How each state was reached first: the state before, with the inputs of the step.
    parents: Vec<Option<(usize, State)>>,
}

impl Searched {
    /// Searches a model breadth first, with an eye on some conditions about steps. The limit is
    /// one on states; the budget is charged for every state that is tried.
    pub(crate) fn new(
        program: &Program,
        conditions: &[&Formula<NodeId>],
        limit: usize,
        budget: &Budget,
    ) -> Searched {
        let mut searched = Searched::blank(program);
        searched.wrong_steps = vec![None; conditions.len()];
        searched.stopped = searched.run(program, conditions, limit, budget).err();
        searched
    }

    /// Without any state.
    pub(super) fn blank(program: &Program) -> Searched {
        let justice = program.justice().iter();
        let about_steps = justice.map(|&node| program.nodes.mentions_input(node));
        Searched {
            states: Vec::new(),
            initial: 0,
            successors: Vec::new(),
            depth: 0,
            stopped: None,
            wrong_steps: Vec::new(),
            just: about_steps.map(|steps| steps.then(Vec::new)).collect(),
            parents: Vec::new(),
        }
    }

    /// All legal states of a model, reachable or not, those first that are initial. The limit is
    /// one on combinations of values.
    pub(crate) fn everywhere(
        program: &Program,
        limit: usize,
        budget: &Budget,
    ) -> Result<Searched, Stop> {
        let all = program.combinations(limit, |kind| kind != Kind::Input)?;
        budget.charge(all.len() as u64)?;
        let legal = all.into_iter().filter(|state| program.is_legal(state));
        let (mut states, others): (Vec<State>, Vec<State>) =
            legal.partition(|state| program.is_initial(state));
        let initial = states.len();
        states.extend(others);
        let numbers: FxHashMap<State, usize> = states.iter().cloned().zip(0..).collect();
        let steps = Rules::new(program, false);
        let inputs = program.combinations(MOST_VALUES, |kind| kind == Kind::Input)?;
        let mut successors = Vec::with_capacity(states.len());
        for state in &states {
            let mut after = Vec::new();
            for input in &inputs {
                let from = program.with_inputs(state, input);
                let found = steps
                    .candidates(program, &from, usize::MAX, budget)?
                    .into_iter();
                let found = found.filter(|to| program.is_step(&from, to));
                after.extend(found.filter_map(|to| numbers.get(&to).copied()));
            }
            after.sort_unstable();
            after.dedup();
            successors.push(after);
        }
        Ok(Searched {
            parents: vec![None; states.len()],
            states,
            initial,
            successors,
            depth: 0,
            stopped: None,
            wrong_steps: Vec::new(),
            just: Vec::new(),
        })
    }

    fn run(
        &mut self,
        program: &Program,
        conditions: &[&Formula<NodeId>],
        limit: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let (starts, steps) = (Rules::new(program, true), Rules::new(program, false));
        let inputs = program.combinations(MOST_VALUES, |kind| kind == Kind::Input)?;
        let blank = State(
            program
                .variables()
                .iter()
                .map(|v| v.domain.first())
                .collect(),
        );
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        for state in starts.candidates(program, &blank, usize::MAX, budget)? {
            if program.is_initial(&state) && !numbers.contains_key(&state) {
                numbers.insert(state.clone(), self.states.len());
                self.states.push(state);
                self.parents.push(None);
            }
        }
        self.initial = self.states.len();
        let mut end_of_ring = self.initial;
        while self.successors.len() < self.states.len() {
            let number = self.successors.len();
            if number == end_of_ring {
                self.depth += 1;
                end_of_ring = self.states.len();
            }
            let mut after = Vec::new();
            let about_steps = self.just.iter_mut().flatten();
            about_steps.for_each(|just| just.push(Vec::new()));
            for input in &inputs {
                let from = program.with_inputs(&self.states[number], input);
                let meets = |&node: &NodeId| program.is_true(node, &from, None);
                let meets: Vec<bool> = program.justice().iter().map(meets).collect();
                for to in steps.candidates(program, &from, usize::MAX, budget)? {
                    if !program.is_step(&from, &to) {
                        continue;
                    }
                    let next = *numbers.entry(to.clone()).or_insert(self.states.len());
                    for (wrong, condition) in self.wrong_steps.iter_mut().zip(conditions) {
                        let atom = |atom| program.is_true(atom, &from, Some(&to));
                        if wrong.is_none() && !shape::truth(condition, &atom) {
                            *wrong = Some((number, from.clone(), next));
                        }
                    }
                    if next == self.states.len() {
                        if next == limit {
                            return Err(Stop::bound("the number of states", limit as u64));
                        }
                        self.states.push(to);
                        self.parents.push(Some((number, from.clone())));
                    }
                    after.push(next);
                    for (just, &meets) in self.just.iter_mut().zip(&meets) {
                        if let Some(steps) = just.as_mut().filter(|_| meets) {
                            steps[number].push(next);
                        }
                    }
                }
            }
            after.sort_unstable();
            after.dedup();
            self.successors.push(after);
        }
        Ok(())
    }

    /// A shortest run to a state.
    pub(crate) fn run_to(&self, program: &Program, state: usize) -> Run {
        let mut states = vec![self.states[state].clone()];
        let mut at = state;
        while let Some((before, with_inputs)) = &self.parents[at] {
            states.push(with_inputs.clone());
            at = *before;
        }
        states.reverse();
        Run {
            states,
            back_to: None,
            variables: program.variable_ids().collect(),
        }
    }

    /// A shortest run to a step, and the step.
    pub(crate) fn run_through(&self, program: &Program, step: &(usize, State, usize)) -> Run {
        let (before, with_inputs, after) = step;
        let mut run = self.run_to(program, *before);
        run.states.pop();
        run.states.push(with_inputs.clone());
        run.states.push(self.states[*after].clone());
        run
    }
}

/// The initial states, if they are no more than so many.
pub(super) fn first_states(
    program: &Program,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<State>, Stop> {
    let first = program.variables().iter().map(|one| one.domain.first());
    let blank = State(first.collect());
    let rules = Rules::new(program, true);
    let mut all = rules.candidates(program, &blank, MOST_STARTS, budget)?;
    all.retain(|state| program.is_initial(state));
    all.sort_unstable();
    all.dedup();
    match all.len() > limit {
        true => Err(Stop::bound("the number of initial states", limit as u64)),
        false => Ok(all),
    }
}

/// What follows a state.
pub(super) struct Steps<'a> {
    program: &'a Program,
    rules: Rules,
    inputs: Vec<State>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(program: &'a Program) -> Result<Steps<'a>, Stop> {
        Ok(Steps {
            program,
            rules: Rules::new(program, false),
            inputs: program.combinations(MOST_VALUES, |kind| kind == Kind::Input)?,
        })
    }

    /// All steps from a state: the state with the inputs of each, and the state after it.
    pub(super) fn after(
        &self,
        state: &State,
        budget: &Budget,
    ) -> Result<Vec<(State, State)>, Stop> {
        let mut all = Vec::new();
        for input in &self.inputs {
            let from = self.program.with_inputs(state, input);
            let found = self
                .rules
                .candidates(self.program, &from, MOST_VALUES, budget)?;
            let found = found
                .into_iter()
                .filter(|to| self.program.is_step(&from, to));
            all.extend(found.map(|to| (from.clone(), to)));
        }
        Ok(all)
    }
}

/// How the values of a state follow from what is known: a rule for each variable, in an order in
/// which each rule needs only what comes before it. What follows is tried against all constraints
/// afterwards, so a rule may give too many values, but never too few.
struct Rules {
    rules: Vec<(VariableId, Option<Assignment>)>,
    /// Whether it is about the first state.
    first: bool,
}

impl Rules {
    fn new(program: &Program, first: bool) -> Rules {
        let due = |when: When| match when {
            When::Always => true,
            When::Initially => first,
            When::Next => !first,
        };
        let mut rule_of: Vec<Option<Assignment>> = vec![None; program.variables().len()];
        for assignment in program.assignments() {
            if due(assignment.when) {
                rule_of[assignment.variable.index()] = Some(*assignment);
            }
        }
        let needs: Vec<Vec<VariableId>> = rule_of
            .iter()
            .map(|rule| rule.map_or_else(Vec::new, |rule| needed(program, &rule)))
            .collect();
        // What needs nothing that is missing comes next; in a circle somebody is free.
        let mut placed = vec![false; needs.len()];
        let mut rules = Vec::new();
        while rules.len() < needs.len() {
            let ready = |&id: &VariableId| {
                !placed[id.index()] && needs[id.index()].iter().all(|need| placed[need.index()])
            };
            let ready: Vec<VariableId> = program.variable_ids().filter(ready).collect();
            for &id in &ready {
                placed[id.index()] = true;
                rules.push((id, rule_of[id.index()]));
            }
            if ready.is_empty()
                && let Some(id) = program.variable_ids().find(|id| !placed[id.index()])
            {
                placed[id.index()] = true;
                rules.push((id, None));
            }
        }
        Rules { rules, first }
    }

    /// States that may come after a state with inputs, or be the first; no more than so many.
    fn candidates(
        &self,
        program: &Program,
        from: &State,
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<State>, Stop> {
        let mut all = vec![from.clone()];
        for &(id, rule) in &self.rules {
            let variable = program.variable(id);
            let mut longer = Vec::with_capacity(all.len());
            for state in all {
                budget.charge(1)?;
                let values = match (variable.kind, rule) {
                    (Kind::Input, _) => vec![variable.domain.first()],
                    (Kind::Frozen, _) if !self.first => vec![from.value(id)],
                    (_, Some(rule)) => self.allowed(program, &rule, from, &state),
                    (_, None) => {
                        let values = variable.domain.values(MOST_VALUES);
                        values.ok_or_else(|| Stop::bound("values", MOST_VALUES as u64))?
                    }
                };
                if values.len() > most.saturating_sub(longer.len()) {
                    return Err(Stop::bound("states to try at a time", most as u64));
                }
                for value in values {
                    let mut state = state.clone();
                    state.0[id.index()] = value;
                    longer.push(state);
                }
            }
            all = longer;
        }
        Ok(all)
    }

    fn allowed(
        &self,
        program: &Program,
        rule: &Assignment,
        from: &State,
        state: &State,
    ) -> Vec<Value> {
        let values = match rule.when {
            When::Next => program.evaluate(rule.value, from, Some(state)),
            When::Always | When::Initially => program.evaluate(rule.value, state, None),
        };
        values.unwrap_or_default()
    }
}

/// The variables of the state that follows which a rule needs.
fn needed(program: &Program, rule: &Assignment) -> Vec<VariableId> {
    let below = program.nodes_below([rule.value]).into_iter();
    let needed = below.filter_map(|id| match program.node(id) {
        Node::Variable { variable, next } if next == (rule.when == When::Next) => Some(variable),
        _ => None,
    });
    needed.collect()
}
