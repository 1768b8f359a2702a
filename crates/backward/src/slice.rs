//! What a question does not hang on is left out.

use quotient_arrays::{Axiom, Bad, Formula, Instance, System, Term, Transition, Value, VariableId};
use quotient_core::{Budget, Stop};

use crate::quorums::remembering;
use crate::small::Run;

/// A system without what one question does not hang on: transitions that change nothing of it, and
/// what the others do beside it.
///
/// Variables keep their numbers; those that are left out stay what they were at the start. What is
/// never so in the smaller system and speaks of the others is never so in the whole one, and a run of
/// it goes through there: nothing that is asked of a step speaks of what was left out.
pub struct Slice {
    /// The smaller system.
    pub system: System,
    /// For each of its transitions, the number in the whole one.
    kept: Vec<usize>,
    /// Which variables the question hangs on.
    relevant: Vec<bool>,
}

impl Slice {
    /// The part of a system that a question hangs on; nothing if that is all of it.
    pub fn of(system: &System, bad: &Bad) -> Option<Slice> {
        let mut relevant = vec![false; system.variables.len()];
        for (_, formula) in &bad.ways {
            read(formula, &mut relevant);
        }
        read(&system.always, &mut relevant);
        let memory: Vec<VariableId> = system.axioms.iter().flat_map(remembering).collect();
        let keeps = |transition: &Transition, relevant: &[bool]| {
            let mut updates = transition.updates.iter();
            updates.any(|update| {
                relevant[update.variable.index()] && !memory.contains(&update.variable)
            })
        };
        loop {
            let before = relevant.clone();
            for transition in &system.transitions {
                if !keeps(transition, &relevant) {
                    continue;
                }
                read(&transition.guard, &mut relevant);
                for update in &transition.updates {
                    // Who was counted is remembered whatever is asked: axioms speak of it.
                    if memory.contains(&update.variable) {
                        relevant[update.variable.index()] = true;
                    }
                    if !relevant[update.variable.index()] {
                        continue;
                    }
                    for (condition, value) in &update.cases {
                        read(condition, &mut relevant);
                        if let Value::Is(term) = value {
                            read_term(term, &mut relevant);
                        }
                    }
                }
            }
            for axiom in &system.axioms {
                if fits(axiom, &relevant) {
                    read(&axiom.premise, &mut relevant);
                    read(&axiom.conclusion, &mut relevant);
                }
            }
            if before == relevant {
                break;
            }
        }
        let numbers = 0..system.transitions.len();
        let kept: Vec<usize> = numbers
            .filter(|number| keeps(&system.transitions[*number], &relevant))
            .collect();
        if kept.len() == system.transitions.len() {
            return None;
        }
        // What others do to a memory that is kept would be missing.
        let left = |number: &usize| !kept.contains(number);
        let mut left = (0..system.transitions.len()).filter(left);
        let writes = |number: usize| {
            let mut updates = system.transitions[number].updates.iter();
            updates.any(|update| relevant[update.variable.index()])
        };
        if left.any(writes) {
            return None;
        }
        let transitions = kept.iter().map(|number| {
            let mut transition = system.transitions[*number].clone();
            let updates = &mut transition.updates;
            updates.retain(|update| relevant[update.variable.index()]);
            transition
        });
        let axioms = system.axioms.iter().filter(|one| fits(one, &relevant));
        Some(Slice {
            system: System {
                transitions: transitions.collect(),
                axioms: axioms.cloned().collect(),
                bad: vec![bad.clone()],
                ..system.clone()
            },
            kept,
            relevant,
        })
    }

    /// A run of the smaller system as one of the whole: the same steps of the same processes, with
    /// what they do beside it.
    pub fn whole(&self, system: &System, run: &Run, budget: &Budget) -> Result<Option<Run>, Stop> {
        let instance = Instance::new(system, run.processes);
        let Some(start) = run.states.first() else {
            return Ok(None);
        };
        let mut whole = Run {
            processes: run.processes,
            states: vec![start.clone()],
            steps: Vec::new(),
        };
        let mut state = start.clone();
        for ((which, at), small) in run.steps.iter().zip(&run.states[1..]) {
            let number = self.kept[*which];
            let same = |after: &Vec<i64>| {
                let mut cells = 0..instance.cells();
                cells.all(|cell| {
                    !self.relevant[instance.place(cell).variable.index()]
                        || after[cell] == small[cell]
                })
            };
            let after = instance.after(&system.transitions[number], at, &state, budget)?;
            let Some(next) = after.into_iter().find(same) else {
                return Ok(None);
            };
            whole.steps.push((number, at.clone()));
            whole.states.push(next.clone());
            state = next;
        }
        Ok(Some(whole))
    }
}

/// Whether all that an axiom remembers is kept.
fn fits(axiom: &Axiom, relevant: &[bool]) -> bool {
    let mut memory = remembering(axiom).into_iter();
    memory.all(|variable| relevant[variable.index()])
}

/// Notes the variables of a formula.
pub(crate) fn read(formula: &Formula, variables: &mut [bool]) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| read(part, variables));
        }
        Formula::Compare(left, _, right) => {
            read_term(left, variables);
            read_term(right, variables);
        }
        Formula::ForallOther(body) | Formula::ExistsOther(body) => read(body, variables),
        Formula::Enough(amount) => {
            for (_, place) in &amount.cells {
                variables[place.variable.index()] = true;
            }
        }
        Formula::Many(body, amount) | Formula::Few(body, amount) => {
            read(body, variables);
            for (_, place) in &amount.cells {
                variables[place.variable.index()] = true;
            }
        }
    }
}

fn read_term(term: &Term, variables: &mut [bool]) {
    match term {
        Term::Cell(place) => variables[place.variable.index()] = true,
        Term::Sum(parts, _) => {
            for (_, place) in parts {
                variables[place.variable.index()] = true;
            }
        }
        Term::Constant(_) | Term::Process(_) => {}
    }
}
