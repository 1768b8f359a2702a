//! Progress in one instance, the plain way: a part of the graph of all configurations in which a
//! fair run can stay for ever while a process waits in vain, or of which a formula is not true.

mod graph;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use super::conditions::Scene;
use super::{Configuration, Interpreter, Repeating, Taken, Violation};
use crate::compile::product;
use crate::model::{Demand, Expr, Fairness, Happens, Nature, Protocol};
use graph::{Graph, Node};

/// Of more processes nothing is asked in a part of a graph.
const MOST_WATCHED: usize = 6;

/// What fairness demands: somebody who could take some step all the time (strongly: again and
/// again) takes one at some time.
struct Turn<'p> {
    /// The process; nobody for steps that no process takes.
    who: Option<usize>,
    /// The step; any step of the process if that is not said.
    step: Option<&'p str>,
    strong: bool,
    /// Steps that nobody is owed: crashes, lies, losses and recoveries.
    not_owed: Vec<&'p str>,
}

impl Turn<'_> {
    /// Whether a step that a process takes, or nobody, is one of those.
    fn is(&self, actor: Option<usize>, taken: &Taken) -> bool {
        self.who == actor
            && match self.step {
                Some(step) => step == taken.step,
                None => !self.not_owed.contains(&taken.step.as_str()),
            }
    }
}

impl Protocol {
    /// All that fairness demands for some processes.
    fn turns(&self, processes: &[usize]) -> Vec<Turn<'_>> {
        let mut turns = Vec::new();
        for &process in processes {
            turns.push(Turn {
                who: Some(process),
                step: None,
                strong: false,
                not_owed: self.not_owed(),
            });
        }
        for step in self.steps.iter().filter(|step| step.is_owed()) {
            let turn = |who: Option<usize>| Turn {
                who,
                step: Some(&step.name),
                strong: step.fairness == Fairness::Strong,
                not_owed: Vec::new(),
            };
            match (step.people.is_empty(), step.fairness) {
                (true, _) => turns.push(turn(None)),
                (false, Fairness::OfItsProcess) => {}
                (false, _) => turns.extend(processes.iter().map(|who| turn(Some(*who)))),
            }
        }
        turns
    }
}

impl Interpreter<'_> {
    /// The violations of properties that say what must happen, for one size, under fairness.
    /// Without end where channels or processes become more and more.
    pub fn starvation(
        &self,
        processes: usize,
        budget: &Budget,
    ) -> Result<Vec<(String, Violation)>, Stop> {
        let (found, _) = self.some_starvation(processes, usize::MAX, budget)?;
        Ok(found)
    }

    /// The same among so many configurations, and whether these are all.
    pub(crate) fn some_starvation(
        &self,
        processes: usize,
        most: usize,
        budget: &Budget,
    ) -> Result<(Vec<(String, Violation)>, bool), Stop> {
        let demands = self.protocol.properties.iter();
        let demands = demands.filter(|property| property.demand.is_progress());
        let demands = demands.filter(|property| self.protocol.is_searched_for(&property.demand));
        let demands: Vec<(&String, &Demand)> = demands
            .map(|property| (&property.name, &property.demand))
            .collect();
        if demands.is_empty() || !self.progress_is_decided() {
            return Ok((Vec::new(), true));
        }
        let within = Interpreter {
            budget: budget.clone(),
            lazy: true,
            ..*self
        };
        let graph = within.graph(processes, most, budget)?;
        // Where processes become more and more, those who come first are enough to find something.
        let processes = match graph.is_whole() {
            true => graph.processes(),
            false => graph.processes().min(processes.max(MOST_WATCHED)),
        };
        let turns = self
            .protocol
            .turns(&(0..graph.processes()).collect::<Vec<_>>());
        let mut violations = Vec::new();
        for (name, demand) in demands {
            let found = match demand {
                Demand::LeadsTo(from, to) => {
                    self.in_vain(&graph, (from, to), processes, &turns, budget)?
                }
                Demand::Happens(happens) => {
                    self.untrue(&graph, happens, processes, &turns, budget)?
                }
                Demand::Never(_) | Demand::NoDeadlock => None,
            };
            violations.extend(found.map(|violation| (name.clone(), violation)));
        }
        Ok((violations, graph.is_whole()))
    }

    /// A fair run on which a process that satisfies the first condition never satisfies the second.
    fn in_vain(
        &self,
        graph: &Graph,
        (from, to): (&Expr, &Expr),
        processes: usize,
        turns: &[Turn<'_>],
        budget: &Budget,
    ) -> Result<Option<Violation>, Stop> {
        for process in 0..processes {
            let mut in_vain = Bits::with_capacity(graph.nodes.len());
            let mut begins = Vec::new();
            for (number, node) in graph.nodes.iter().enumerate() {
                if node.has(&[process]) && !self.is_true_at(node, to, &[process]) {
                    in_vain.insert(number);
                    if self.is_true_at(node, from, &[process]) {
                        begins.push((number, None));
                    }
                }
            }
            budget.poll()?;
            let stem = graph.ways(begins, &in_vain);
            let found = graph.trap(&stem, &[process], turns, budget)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// A fair run of which a formula is not true, for some choice of different processes.
    fn untrue(
        &self,
        graph: &Graph,
        happens: &Happens,
        processes: usize,
        turns: &[Turn<'_>],
        budget: &Budget,
    ) -> Result<Option<Violation>, Stop> {
        let all = vec![(0..processes).collect(); happens.people];
        for who in product::<usize>(all) {
            let twice = |(at, one): (usize, &usize)| who[..at].contains(one);
            if who.iter().enumerate().any(twice) {
                continue;
            }
            let holds = |node: &Node, atom: &Expr| self.is_true_at(node, atom, &who);
            let owed = |taken: &Taken| self.protocol.nature(&taken.step) == Nature::Own;
            let product = graph.beside(&happens.violating, &who, &holds, &owed, budget)?;
            let stem = product.ways_from_the_start();
            let found = product.trap(&stem, &who, turns, budget)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whether a condition is true of some processes at a node.
    fn is_true_at(&self, node: &Node, expr: &Expr, who: &[usize]) -> bool {
        let scene = Scene {
            configuration: &node.configuration,
            choices: &[],
        };
        let places: Option<Vec<usize>> = who.iter().map(|&one| node.place_of(one)).collect();
        places.is_some_and(|mut places| self.holds(expr, scene, &mut places))
    }

    /// Whether a run that repeats from a configuration on violates a property that says what must
    /// happen: the run comes back to this configuration, with the processes that stand at these
    /// places there at their places; it is fair to all that fairness is demanded for; and the
    /// process satisfied the first condition before, and never the second since, or the formula
    /// is not true of the run.
    pub(crate) fn confirms_starvation(
        &self,
        property: &str,
        run: &super::Replayed,
        from: usize,
        places: &[usize],
    ) -> Result<bool, Stop> {
        let Some(demand) = self.protocol.progress_demand(property) else {
            return Ok(false);
        };
        let (Some(back), Some(end)) = (run.configurations.get(from), run.configurations.last())
        else {
            return Ok(false);
        };
        let size = back.processes.len();
        let people = match demand {
            Demand::Happens(happens) => happens.people,
            _ => 1,
        };
        let distinct = (1..places.len()).all(|at| !places[..at].contains(&places[at]));
        if back != end
            || places.len() != people
            || !distinct
            || places.iter().any(|&place| place >= size)
            || !self.progress_is_decided()
            || !self.protocol.is_searched_for(demand)
        {
            return Ok(false);
        }
        // Who stands where, by the numbers that they have at the start.
        // Whoever comes has a number that nobody had before.
        let begins = run.configurations[0].processes.len();
        let (mut who, mut next): (Vec<Vec<usize>>, usize) = (vec![(0..begins).collect()], begins);
        for taken in &run.taken {
            let before = &who[who.len() - 1];
            let mut now = Vec::with_capacity(taken.origins.len());
            for origin in &taken.origins {
                now.push(match origin {
                    Some(place) => match before.get(*place) {
                        Some(known) => *known,
                        None => return Ok(false),
                    },
                    None => {
                        next += 1;
                        next - 1
                    }
                });
            }
            who.push(now);
        }
        let watched: Vec<usize> = places.iter().map(|&place| who[from][place]).collect();
        let last = &who[who.len() - 1];
        if (places.iter().zip(&watched)).any(|(&place, one)| last.get(place) != Some(one)) {
            return Ok(false);
        }
        let holds = |number: usize, expr: &Expr| {
            let place = |one: &usize| who[number].iter().position(|known| known == one);
            let places: Option<Vec<usize>> = watched.iter().map(place).collect();
            let scene = Scene {
                configuration: &run.configurations[number],
                choices: &[],
            };
            places.is_some_and(|mut places| self.holds(expr, scene, &mut places))
        };
        let violates = match demand {
            Demand::LeadsTo(first, second) => {
                let mut waits = false;
                for number in 0..run.configurations.len() {
                    // Whatever was before it got what it waited for does not count.
                    let begins = number <= from && holds(number, first);
                    waits = !holds(number, second) && (waits || begins);
                    self.budget.poll()?;
                }
                waits
            }
            Demand::Happens(happens) => {
                // The last configuration is the first of the loop again, unless all is stuck there.
                let steps = run.taken.len().max(from + 1);
                let truth =
                    (happens.formula).on_lasso(steps, from, &|atom, number| holds(number, atom));
                self.budget.poll()?;
                truth.is_some_and(|truth| truth.first() == Some(&false))
            }
            Demand::Never(_) | Demand::NoDeadlock => false,
        };
        Ok(violates && self.is_fair(run, from, &who)?)
    }

    /// Whether the part of a run that repeats gives everybody their turn.
    fn is_fair(
        &self,
        run: &super::Replayed,
        from: usize,
        who: &[Vec<usize>],
    ) -> Result<bool, Stop> {
        let turns = self.protocol.turns(&who[from]);
        let end = &who[who.len() - 1];
        let (mut had, mut could, mut could_not) = (
            Bits::with_capacity(turns.len()),
            Bits::with_capacity(turns.len()),
            Bits::with_capacity(turns.len()),
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
            // Who goes is owed nothing for ever.
            true => {
                let gone = asked.who.is_some_and(|who| !end.contains(&who));
                had.contains(turn) || !could.contains(turn) || gone
            }
            false => had.contains(turn) || could_not.contains(turn),
        };
        Ok(turns.iter().enumerate().all(fair))
    }

    /// Whether a search of one size can decide progress.
    pub fn progress_is_decided(&self) -> bool {
        !self.protocol.imports_steps()
    }
}

impl Protocol {
    /// Whether instances are searched for what a property says must happen.
    pub(crate) fn is_searched_for(&self, demand: &Demand) -> bool {
        let later = match demand {
            Demand::Happens(happens) => happens.people > 0 && self.creates(),
            _ => false,
        };
        let moment = self.reads_one_by_one() && demand.speaks_of_the_next_step();
        !later && !moment
    }
}
