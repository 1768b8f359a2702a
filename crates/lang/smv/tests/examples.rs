//! The verdicts that `gallery` expect, by looking at every state: no decision diagrams,
//! no compiled model, only the evaluator of the language and the definitions of CTL.

use std::collections::HashMap;
use std::path::Path;

use quotient_core::Source;
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_smv::{
    File, Kind, NodeId, Program, SpecificationKind, State, Value, VariableId, When,
};

/// All reachable states with their steps.
struct Graph {
    states: Vec<State>,
    initial: Vec<usize>,
    steps: Vec<Vec<usize>>,
}

/// States are found from their predecessors: variables with a plain assignment have one of the
/// assigned values, all others any.
fn explore(program: &Program) -> Graph {
    let inputs = program
        .combinations(100_000, |kind| kind == Kind::Input)
        .unwrap();
    let mut graph = Graph {
        states: Vec::new(),
        initial: Vec::new(),
        steps: Vec::new(),
    };
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let blank = State(
        program
            .variables()
            .iter()
            .map(|v| v.domain.first())
            .collect(),
    );
    for state in candidates(program, When::Initially, &blank) {
        if program.is_initial(&state) && !numbers.contains_key(&state) {
            numbers.insert(state.clone(), graph.states.len());
            graph.initial.push(graph.states.len());
            graph.states.push(state);
        }
    }
    while graph.steps.len() < graph.states.len() {
        let from = graph.states[graph.steps.len()].clone();
        let mut after = Vec::new();
        for input in &inputs {
            let from = program.with_inputs(&from, input);
            for to in candidates(program, When::Next, &from) {
                if program.is_step(&from, &to) {
                    let number = *numbers.entry(to.clone()).or_insert(graph.states.len());
                    if number == graph.states.len() {
                        graph.states.push(to);
                    }
                    after.push(number);
                }
            }
        }
        after.sort_unstable();
        after.dedup();
        graph.steps.push(after);
    }
    graph
}

/// States that agree with the assignments that are due and can be evaluated by themselves.
fn candidates(program: &Program, when: When, now: &State) -> Vec<State> {
    let mut all = vec![now.clone()];
    for variable in program.variable_ids() {
        let declared = program.variable(variable);
        let values = match declared.kind {
            Kind::Input => vec![declared.domain.first()],
            _ => assigned(program, when, variable, now)
                .unwrap_or_else(|| declared.domain.values(1000).unwrap()),
        };
        let extend = |state: State| {
            let with = move |&value: &Value| {
                let mut state = state.clone();
                state.0[variable.index()] = value;
                state
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

fn assigned(
    program: &Program,
    when: When,
    variable: VariableId,
    now: &State,
) -> Option<Vec<Value>> {
    let mut assignments = program.assignments().iter();
    let found = assignments.find(|one| one.when == when && one.variable == variable)?;
    // At the beginning only constants are known.
    let is_constant = program
        .nodes_below([found.value])
        .iter()
        .all(|&node| !matches!(program.node(node), quotient_smv::Node::Variable { .. }));
    match when == When::Initially && !is_constant {
        true => None,
        false => program.evaluate(found.value, now, None).ok(),
    }
}

/// Where formulas hold.
struct Checker<'a> {
    program: &'a Program,
    graph: &'a Graph,
    fair: Vec<bool>,
}

impl Checker<'_> {
    fn new<'a>(program: &'a Program, graph: &'a Graph) -> Checker<'a> {
        let mut checker = Checker {
            program,
            graph,
            fair: Vec::new(),
        };
        checker.fair = checker.forever(&vec![true; graph.states.len()]);
        checker
    }

    fn atom(&self, node: NodeId) -> Vec<bool> {
        let states = self.graph.states.iter();
        states
            .map(|state| self.program.is_true(node, state, None))
            .collect()
    }

    fn before(&self, set: &[bool]) -> Vec<bool> {
        let steps = self.graph.steps.iter();
        steps
            .map(|after| after.iter().any(|&next| set[next]))
            .collect()
    }

    fn until(&self, through: &[bool], target: &[bool]) -> Vec<bool> {
        let mut all = target.to_vec();
        loop {
            let before = self.before(&all);
            let more: Vec<bool> = (0..all.len())
                .map(|s| all[s] || (through[s] && before[s]))
                .collect();
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// A fair path that stays in the set for ever (Emerson and Lei 1986).
    fn forever(&self, set: &[bool]) -> Vec<bool> {
        let justice: Vec<Vec<bool>> = self
            .program
            .justice()
            .iter()
            .map(|&j| self.atom(j))
            .collect();
        let mut all = set.to_vec();
        loop {
            let before = self.before(&all);
            let mut less: Vec<bool> = (0..all.len()).map(|s| all[s] && before[s]).collect();
            for just in &justice {
                let target: Vec<bool> = (0..all.len()).map(|s| less[s] && just[s]).collect();
                let reaches = self.before(&self.until(&less, &target));
                less = (0..all.len()).map(|s| less[s] && reaches[s]).collect();
            }
            if less == all {
                return all;
            }
            all = less;
        }
    }

    fn holds(&self, formula: &Formula<NodeId>) -> Vec<bool> {
        let not = |set: Vec<bool>| set.into_iter().map(|value| !value).collect::<Vec<bool>>();
        let both = |a: &[bool], b: &[bool]| -> Vec<bool> {
            a.iter().zip(b).map(|(&a, &b)| a && b).collect()
        };
        let count = self.graph.states.len();
        match &formula.kind {
            Says::Constant(value) => vec![*value; count],
            Says::Atom(node) => self.atom(*node),
            Says::Unary(Unary::Not, operand) => not(self.holds(operand)),
            Says::Unary(quantifier, path) => {
                let exists = *quantifier == Unary::Exists;
                // All paths do it if none does the opposite.
                let operand = |formula: &Formula<NodeId>| match exists {
                    true => self.holds(formula),
                    false => not(self.holds(formula)),
                };
                let everywhere = vec![true; count];
                let found = match &path.kind {
                    Says::Unary(Unary::Next, a) => self.before(&both(&operand(a), &self.fair)),
                    Says::Unary(Unary::Finally(None), a) if exists => {
                        self.until(&everywhere, &both(&operand(a), &self.fair))
                    }
                    Says::Unary(Unary::Globally(None), a) if !exists => {
                        self.until(&everywhere, &both(&operand(a), &self.fair))
                    }
                    Says::Unary(Unary::Finally(None) | Unary::Globally(None), a) => {
                        self.forever(&operand(a))
                    }
                    Says::Binary(Binary::Until(None), a, b) => {
                        let (a, b) = (operand(a), operand(b));
                        match exists {
                            true => self.until(&a, &both(&b, &self.fair)),
                            false => {
                                let neither = both(&both(&a, &b), &self.fair);
                                let ends = self.until(&b, &neither);
                                let stays = self.forever(&b);
                                (0..count).map(|s| ends[s] || stays[s]).collect()
                            }
                        }
                    }
                    _ => panic!("not used in the examples"),
                };
                if exists { found } else { not(found) }
            }
            Says::Binary(operator, a, b) => {
                let (a, b) = (self.holds(a), self.holds(b));
                let value = |s: usize| match operator {
                    Binary::And => a[s] && b[s],
                    Binary::Or => a[s] || b[s],
                    Binary::Xor => a[s] != b[s],
                    Binary::Implies => !a[s] || b[s],
                    Binary::Iff => a[s] == b[s],
                    _ => panic!("not used in the examples"),
                };
                (0..count).map(value).collect()
            }
            Says::Placeholder(_) => panic!("no formula"),
        }
    }
}

#[test]
fn examples_have_the_verdicts_that_looking_at_every_state_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gallery");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // So many states, one by one, take too long here. They are followed elsewhere.
        if path.ends_with("flower.smv") || path.ends_with("flower-levels.smv") {
            continue;
        }
        let file = File::read(&Source::new("example", &text)).unwrap();
        let program = file.program();
        let graph = explore(program);
        let checker = Checker::new(program, &graph);
        for (at, specification) in program.specifications().iter().enumerate() {
            let holds = match specification.kind {
                SpecificationKind::Ltl => continue,
                SpecificationKind::Ctl => {
                    let holds = checker.holds(&specification.formula);
                    let mut starts = graph.initial.iter().filter(|&&s| checker.fair[s]);
                    starts.all(|&s| holds[s])
                }
                SpecificationKind::Invariant => {
                    checker.holds(&specification.formula).iter().all(|&h| h)
                }
            };
            let verdict = if holds { "holds" } else { "violated" };
            let expected = format!("-- expect {}: {verdict}", at + 1);
            let is_said = text
                .lines()
                .any(|line| line == expected || line == format!("{expected}, vacuous"));
            assert!(is_said, "{}: {expected}", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 30, "only {checked}");
}
