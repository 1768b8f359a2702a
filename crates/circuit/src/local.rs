//! Localisation: most latches of a large circuit do not matter for one question.
//!
//! Latches that no false alarm needed so far hold anything in every step (Kurshan, 1994). What is
//! shown of such a circuit holds of the whole one. A run to a bad state may be none of the whole
//! circuit: then the whole one, over so many steps, is asked as well, and a solver says which latches
//! it takes to exclude all such runs (McMillan and Amla, 2003). These are kept from then on.

use quotient_core::{
    Attempt, Budget, Conclusion, Context, Method, Stop, Story, What, run as drive,
};
use quotient_netlist::{Circuit, Gate, Literal, Node, Proof, Run};

use crate::Solver;
use crate::ic3::Ic3;
use crate::reduce::Reduced;

/// How often the latches that a refusal needs are asked again, alone.
const MOST_TRIES: usize = 4;

/// The method: IC3 on ever more latches.
pub(crate) struct Localized<'a> {
    circuit: &'a Circuit,
    /// Whether each latch is kept.
    kept: Vec<bool>,
    whole: Whole<'a>,
    /// IC3 on the latches that are kept, if it is under way.
    inner: Option<Inner>,
    /// The length of a run of these to a bad state, if there is one.
    alarm: Option<usize>,
    most_work: u64,
}

/// IC3 on some latches, and the way back from there.
struct Inner {
    ic3: Ic3,
    small: Reduced,
    /// The number of each latch that is kept.
    numbers: Vec<usize>,
}

impl<'a> Localized<'a> {
    /// About `bad[0]`.
    pub(crate) fn new(circuit: &'a Circuit) -> Localized<'a> {
        Localized {
            circuit,
            kept: vec![false; circuit.latches().len()],
            whole: Whole::new(circuit),
            inner: None,
            alarm: None,
            most_work: u64::MAX,
        }
    }

    /// Pauses when about so much of a budget is used.
    pub(crate) fn pause_after(&mut self, units: u64) {
        self.most_work = units;
    }

    /// The circuit in which latches that are not kept are inputs, and the number of each latch
    /// that is left.
    fn local(&self) -> (Circuit, Vec<usize>) {
        let mut local = Circuit::new();
        let mut numbers = Vec::new();
        let mut map: Vec<Literal> = Vec::with_capacity(self.circuit.graph.len());
        let at = |map: &[Literal], literal: Literal| {
            map[literal.node().index()].flip_if(literal.is_negated())
        };
        for (_, gate) in self.circuit.graph.nodes() {
            let literal = match gate {
                Gate::Constant => Literal::FALSE,
                Gate::Latch(number) if self.kept[number] => {
                    numbers.push(number);
                    local.latch(self.circuit.latches()[number].start)
                }
                Gate::Input(_) | Gate::Latch(_) => local.input(),
                Gate::And(a, b) => local.graph.and(at(&map, a), at(&map, b)),
            };
            map.push(literal);
        }
        for (own, &number) in numbers.iter().enumerate() {
            let own = local.latches()[own].node.literal();
            local.connect(own, at(&map, self.circuit.latches()[number].next));
        }
        local.bad = vec![at(&map, self.circuit.bad[0])];
        let constraints = self.circuit.constraints.iter();
        local.constraints = constraints.map(|&one| at(&map, one)).collect();
        (local, numbers)
    }

    /// A proof that is about the latches that are kept, or an alarm.
    fn attempt_on_kept(&mut self, cx: &Context) -> Result<Option<Proof>, Stop> {
        if self.inner.is_none() {
            cx.budget.charge(4 * self.circuit.graph.len() as u64)?;
            let (local, numbers) = self.local();
            let small = Reduced::cone(&local, local.bad[0]);
            let ic3 = Ic3::new(&small.circuit, true);
            self.inner = Some(Inner {
                ic3,
                small,
                numbers,
            });
        }
        let Some(inner) = &mut self.inner else {
            return Ok(None);
        };
        let mut own = Context {
            story: Story::default(),
            ..cx.clone()
        };
        inner.ic3.pause_after(self.most_work);
        match drive(&mut inner.ic3, &mut own).conclusion {
            Conclusion::Holds(proof) => {
                let original = |&one: &i64| {
                    let latch = inner.numbers[one.unsigned_abs() as usize - 1] as i64 + 1;
                    if one < 0 { -latch } else { latch }
                };
                let clauses = proof.clauses.iter();
                let clauses = clauses.map(|clause| inner.small.clause(clause));
                let clauses = clauses.map(|clause| clause.iter().map(original).collect());
                Ok(Some(Proof {
                    clauses: clauses.collect(),
                    ..proof
                }))
            }
            Conclusion::Violated(run) => {
                self.alarm = Some(run.inputs.len());
                Ok(None)
            }
            Conclusion::Unknown(stop) => Err(stop),
        }
    }
}

impl Method for Localized<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = Vec<usize>;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, Vec<usize>>, Stop> {
        if self.alarm.is_none()
            && let Some(proof) = self.attempt_on_kept(cx)?
        {
            return Ok(Attempt::Proved(proof));
        }
        let steps = self.alarm.unwrap_or(1);
        let left = self.most_work.saturating_sub(cx.budget.work_done());
        let budget = cx.budget.child_with_work(left.max(self.most_work / 2));
        match self.whole.needed(steps, &self.kept, &budget)? {
            None => Ok(Attempt::Refuted(self.whole.run(steps))),
            Some(latches) => Ok(Attempt::FalseAlarm(latches)),
        }
    }

    fn refine(&mut self, latches: Vec<usize>, cx: &mut Context) -> Result<(), Stop> {
        let before = self.kept.iter().filter(|&&kept| kept).count();
        for latch in latches {
            self.kept[latch] = true;
        }
        self.inner = None;
        self.alarm = None;
        let after = self.kept.iter().filter(|&&kept| kept).count();
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: self.whole.steps.len() as u64,
            sizes: [("latches kept", after as u64)].into(),
        });
        match before < after {
            true => Ok(()),
            false => Err(Stop::exhausted("a false alarm needs no further latch")),
        }
    }
}

/// The whole circuit over some steps; each latch can be let go. The solver hears of what signals of
/// interest depend on only.
struct Whole<'a> {
    circuit: &'a Circuit,
    solver: Solver,
    /// For each latch: on if it starts and steps as the circuit says.
    selected: Vec<Literal>,
    /// For each step: on if its constraints count.
    taken: Vec<Literal>,
    /// For each step, the variable of each node, or none.
    steps: Vec<Vec<u32>>,
}

/// No variable.
const NONE: u32 = u32::MAX;
/// The most variables that the formula of a run may have.
const MOST_VARIABLES: usize = 5_000_000;

impl<'a> Whole<'a> {
    fn new(circuit: &'a Circuit) -> Whole<'a> {
        let mut solver = Solver::new();
        let latches = circuit.latches().iter();
        let selected = latches.map(|_| solver.variable().literal()).collect();
        Whole {
            circuit,
            solver,
            selected,
            taken: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The latches that it takes to exclude runs of so many steps to a bad state; none if there is
    /// such a run. Latches that are kept anyway are taken first.
    fn needed(
        &mut self,
        steps: usize,
        kept: &[bool],
        budget: &Budget,
    ) -> Result<Option<Vec<usize>>, Stop> {
        while self.taken.len() < steps {
            self.extend(budget)?;
        }
        let Some(last) = steps.checked_sub(1) else {
            return Err(Stop::exhausted("a run has no step"));
        };
        let bad = self.encode(last, self.circuit.bad[0], budget)?;
        let mut latches: Vec<usize> = (0..kept.len()).collect();
        latches.sort_by_key(|&latch| !kept[latch]);
        for attempt in 0..MOST_TRIES {
            let mut assumed = self.taken[..steps].to_vec();
            assumed.extend(latches.iter().map(|&latch| self.selected[latch]));
            assumed.push(bad);
            if self.solver.solve(&assumed, budget)? {
                return Ok((attempt > 0).then_some(latches));
            }
            let count = latches.len();
            let mut in_core = vec![false; self.solver.variable_count()];
            for one in self.solver.core() {
                in_core[one.node().index()] = true;
            }
            latches.retain(|&latch| in_core[self.selected[latch].node().index()]);
            if latches.len() == count {
                break;
            }
        }
        Ok(Some(latches))
    }

    /// Adds a step with its constraints.
    fn extend(&mut self, budget: &Budget) -> Result<(), Stop> {
        if self.steps.len() == self.taken.len() {
            budget.charge(self.circuit.graph.len() as u64 / 8)?;
            self.steps.push(vec![NONE; self.circuit.graph.len()]);
        }
        let step = self.steps.len() - 1;
        let mut constraints = Vec::new();
        for &constraint in &self.circuit.constraints {
            constraints.push(self.encode(step, constraint, budget)?);
        }
        let taken = self.solver.variable().literal();
        for constraint in constraints {
            self.solver.add(&[!taken, constraint]);
        }
        self.taken.push(taken);
        Ok(())
    }

    /// The solver's literal for a signal in a step, with all that it depends on.
    fn encode(&mut self, step: usize, signal: Literal, budget: &Budget) -> Result<Literal, Stop> {
        let mut open = Vec::new();
        let signal = self.named(step, signal, &mut open);
        let before = self.solver.variable_count();
        while let Some((step, node)) = open.pop() {
            let own = self.named(step, node.literal(), &mut open);
            match self.circuit.graph.gate(node) {
                Gate::Constant => self.solver.add(&[!own]),
                Gate::Input(_) => {}
                Gate::And(a, b) => {
                    let (a, b) = (
                        self.named(step, a, &mut open),
                        self.named(step, b, &mut open),
                    );
                    self.solver.add(&[!own, a]);
                    self.solver.add(&[!own, b]);
                    self.solver.add(&[own, !a, !b]);
                }
                Gate::Latch(number) => {
                    let free = !self.selected[number];
                    let latch = &self.circuit.latches()[number];
                    match step.checked_sub(1) {
                        Some(earlier) => {
                            let next = self.named(earlier, latch.next, &mut open);
                            self.solver.add(&[free, !own, next]);
                            self.solver.add(&[free, own, !next]);
                        }
                        None => {
                            if let Some(value) = latch.start {
                                self.solver.add(&[free, own.flip_if(!value)]);
                            }
                        }
                    }
                }
            }
        }
        // What is under way is finished, as it could not be taken up again.
        let count = self.solver.variable_count();
        if count > MOST_VARIABLES {
            return Err(Stop::exhausted("a run of the whole circuit is too large"));
        }
        budget.charge(8 * (count - before) as u64)?;
        Ok(signal)
    }

    /// The solver's literal; what it did not know is put on a stack.
    fn named(&mut self, step: usize, signal: Literal, open: &mut Vec<(usize, Node)>) -> Literal {
        let known = &mut self.steps[step][signal.node().index()];
        if *known == NONE {
            *known = self.solver.variable().index() as u32;
            open.push((step, signal.node()));
        }
        let own = Node::new(*known as usize).literal();
        own.flip_if(signal.is_negated())
    }

    /// The run just found.
    fn run(&self, steps: usize) -> Run {
        let value = |step: usize, node: Node| match self.steps[step][node.index()] {
            NONE => None,
            variable => self.solver.value(Node::new(variable as usize).literal()),
        };
        let latches = self.circuit.latches().iter();
        let start: Vec<bool> = latches
            .map(|one| one.start.or(value(0, one.node)).unwrap_or(false))
            .collect();
        let inputs = (0..steps).map(|step| {
            let inputs = self.circuit.inputs().iter();
            let values: Vec<bool> = inputs
                .map(|&one| value(step, one).unwrap_or(false))
                .collect();
            values.into()
        });
        Run {
            start: start.into(),
            inputs: inputs.collect(),
            back_to: None,
        }
    }
}
