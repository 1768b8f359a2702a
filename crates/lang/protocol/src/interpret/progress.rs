//! Progress in one instance, the plain way: a part of the graph of all configurations in which a
//! fair run can stay for ever while a process waits in vain.

mod graph;

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};

use super::conditions::Scene;
use super::{Configuration, Interpreter, Taken, Violation};
use crate::model::{Action, Demand, Expr, Fairness, Protocol};
use graph::Node;

/// What fairness demands: somebody who could take some step all the time (strongly: again and
/// again) takes one at some time.
struct Turn<'p> {
    /// The process; nobody for steps that no process takes.
    who: Option<usize>,
    /// The step; any step of the process if that is not said.
    step: Option<&'p str>,
    strong: bool,
}

impl Turn<'_> {
    /// Whether a step that a process takes, or nobody, is one of those.
    fn is(&self, actor: Option<usize>, taken: &Taken) -> bool {
        self.who == actor && self.step.is_none_or(|step| step == taken.step)
    }
}

impl Protocol {
    /// All that fairness demands of an instance.
    fn turns(&self, processes: usize) -> Vec<Turn<'_>> {
        let mut turns = Vec::new();
        for process in 0..processes {
            turns.push(Turn {
                who: Some(process),
                step: None,
                strong: false,
            });
        }
        for step in &self.steps {
            let turn = |who: Option<usize>| Turn {
                who,
                step: Some(&step.name),
                strong: step.fairness == Fairness::Strong,
            };
            match (step.people.is_empty(), step.fairness) {
                (true, _) => turns.push(turn(None)),
                (false, Fairness::OfItsProcess) => {}
                (false, _) => turns.extend((0..processes).map(|who| turn(Some(who)))),
            }
        }
        turns
    }
}

impl Interpreter<'_> {
    /// The violations of properties that say what must happen, for one size, under fairness.
    /// Nothing where processes come and go, or read one by one: see
    /// [`Protocol::check`](crate::Protocol::check).
    pub fn starvation(
        &self,
        processes: usize,
        budget: &Budget,
    ) -> Result<Vec<(String, Violation)>, Stop> {
        let demands: Vec<(&String, &Expr, &Expr)> = (self.protocol.properties.iter())
            .filter_map(|property| match &property.demand {
                Demand::LeadsTo(from, to) => Some((&property.name, from, to)),
                _ => None,
            })
            .collect();
        if demands.is_empty() || !self.progress_is_decided() {
            return Ok(Vec::new());
        }
        let within = Interpreter {
            budget: budget.clone(),
            ..*self
        };
        let graph = within.graph(processes, budget)?;
        let turns = self.protocol.turns(processes);
        let mut violations = Vec::new();
        for (name, from, to) in demands {
            for process in 0..processes {
                let holds = |node: &Node, expr: &Expr| {
                    let scene = Scene {
                        configuration: &node.configuration,
                        choices: &[],
                    };
                    self.holds(expr, scene, &mut vec![node.place_of(process)])
                };
                let mut in_vain = FixedBitSet::with_capacity(graph.nodes.len());
                let mut begins = Vec::new();
                for (number, node) in graph.nodes.iter().enumerate() {
                    if !holds(node, to) {
                        in_vain.insert(number);
                        if holds(node, from) {
                            begins.push((number, None));
                        }
                    }
                }
                budget.poll()?;
                let stem = graph.ways(begins, &in_vain);
                if let Some(violation) = graph.trap(&stem, process, &turns, budget)? {
                    violations.push((name.clone(), violation));
                    break;
                }
            }
        }
        Ok(violations)
    }

    /// Whether a run that repeats from a configuration on violates a property that says what must
    /// happen: the process that stands at a place there satisfied the first condition before, and
    /// never the second since; the run comes back to this configuration, with this process at its
    /// place; and it is fair to all that fairness is demanded for.
    pub(crate) fn confirms_starvation(
        &self,
        property: &str,
        run: &super::Replayed,
        from: usize,
        waiting: usize,
    ) -> Result<bool, Stop> {
        let demands = self.protocol.properties.iter();
        let demand = demands.clone().find(|known| known.name == property);
        let Some(Demand::LeadsTo(first, second)) = demand.map(|known| &known.demand) else {
            return Ok(false);
        };
        let (Some(back), Some(end)) = (run.configurations.get(from), run.configurations.last())
        else {
            return Ok(false);
        };
        let size = back.processes.len();
        if !back.looks_like(end) || waiting >= size || !self.progress_is_decided() {
            return Ok(false);
        }
        // Who stands where, by the numbers that they have at the start.
        let mut who: Vec<Vec<usize>> = vec![(0..size).collect()];
        for taken in &run.taken {
            let before = &who[who.len() - 1];
            let now = taken
                .origins
                .iter()
                .map(|origin| before.get((*origin)?).copied());
            let Some(now) = now.collect() else {
                return Ok(false);
            };
            who.push(now);
        }
        let process = who[from][waiting];
        let mut waits = false;
        for (number, (configuration, who)) in run.configurations.iter().zip(&who).enumerate() {
            let place = who.iter().position(|&one| one == process);
            let scene = Scene {
                configuration,
                choices: &[],
            };
            let holds = |expr| place.is_some_and(|at| self.holds(expr, scene, &mut vec![at]));
            // Whatever was before it got what it waited for does not count.
            waits = !holds(second) && (waits || (number <= from && holds(first)));
            self.budget.poll()?;
        }
        if !waits || who[who.len() - 1].get(waiting) != Some(&process) {
            return Ok(false);
        }
        self.is_fair(run, from, &who)
    }

    /// Whether the part of a run that repeats gives everybody their turn.
    fn is_fair(
        &self,
        run: &super::Replayed,
        from: usize,
        who: &[Vec<usize>],
    ) -> Result<bool, Stop> {
        let turns = self.protocol.turns(who[from].len());
        let (mut had, mut could, mut could_not) = (
            FixedBitSet::with_capacity(turns.len()),
            FixedBitSet::with_capacity(turns.len()),
            FixedBitSet::with_capacity(turns.len()),
        );
        let steps = run.configurations.iter().zip(who).enumerate();
        for (number, (configuration, who)) in steps.skip(from) {
            let actor = |taken: &Taken| taken.people.first().map(|&place| who[place]);
            let successors = self.all_successors(configuration)?;
            for (turn, asked) in turns.iter().enumerate() {
                let mut possible = successors.iter().map(|(taken, _)| taken);
                match possible.any(|taken| asked.is(actor(taken), taken)) {
                    true => could.insert(turn),
                    false => could_not.insert(turn),
                }
                if let Some(taken) = run.taken.get(number)
                    && asked.is(actor(taken), taken)
                {
                    had.insert(turn);
                }
            }
        }
        let fair = |(turn, asked): (usize, &Turn<'_>)| match asked.strong {
            true => had.contains(turn) || !could.contains(turn),
            false => had.contains(turn) || could_not.contains(turn),
        };
        Ok(turns.iter().enumerate().all(fair))
    }

    /// Whether a search of one size can decide progress.
    pub fn progress_is_decided(&self) -> bool {
        let comes_or_goes =
            |action: &Action| matches!(action, Action::Create(..) | Action::Remove(_));
        let steps = &self.protocol.steps;
        let mut actions = steps
            .iter()
            .flat_map(|step| step.alternatives.iter().flatten());
        !actions.any(comes_or_goes)
            && !self.protocol.reads_one_by_one()
            && !self.protocol.imports_steps()
    }
}
