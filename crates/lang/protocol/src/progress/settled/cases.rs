//! What steps do to the processes that take part, by their values: all cases, one by one.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::compile::{Known, product};
use crate::model::{Action, Assigned, Bound, Chosen, Domain, Expr, Initial, Protocol, Step, Value};
use crate::progress::ranks::{Change, Weighable};

/// With more joint values of a process, or of the globals, nothing is counted.
const MOST_STATES: usize = 80;
/// More cases of all steps are not looked at.
const MOST_CASES: usize = 200_000;

/// The joint values of processes and of globals that can come about, and what steps make of them.
pub(crate) struct Cases {
    pub(super) states: Vec<Vec<Value>>,
    /// Which a process may begin with.
    pub(super) begins: Vec<bool>,
    pub(super) globals: Vec<Vec<Value>>,
    pub(crate) variants: Vec<Variant>,
    /// What can be weighed: a process by its values, then the globals.
    pub(crate) names: Vec<String>,
}

/// An alternative of a step, taken by a process with these values.
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(super) step: usize,
    /// Whether fairness demands it.
    pub(super) owed: bool,
    pub(super) own: Option<usize>,
    pub(super) cases: Vec<Case>,
    states: usize,
    size: usize,
}

/// What one choice of the people of a step leads to.
pub(super) struct Case {
    pub(super) globals: usize,
    pub(super) to_globals: Vec<usize>,
    /// Each of the people, with what may become of them.
    pub(super) people: Vec<(usize, Vec<usize>)>,
    /// The same for anybody else.
    pub(super) others: Vec<(usize, Vec<usize>)>,
}

/// Values with their numbers.
#[derive(Default)]
struct Table {
    all: Vec<Vec<Value>>,
    numbers: FxHashMap<Vec<Value>, usize>,
}

impl Table {
    fn number(&mut self, values: Vec<Value>) -> usize {
        if let Some(&known) = self.numbers.get(&values) {
            return known;
        }
        self.numbers.insert(values.clone(), self.all.len());
        self.all.push(values);
        self.all.len() - 1
    }
}

impl Cases {
    /// Nothing where steps do more than to set variables, or there are too many cases.
    pub(super) fn new(protocol: &Protocol, budget: &Budget) -> Result<Option<Cases>, Stop> {
        if !is_counted(protocol) {
            return Ok(None);
        }
        let (mut states, mut globals) = (Table::default(), Table::default());
        let begins = |initial: &Initial| match initial {
            Initial::Values(values) => values.clone(),
            // Parameters are numbers of their own.
            _ => vec![0],
        };
        for values in product(protocol.fields.iter().map(|one| begins(&one.initial))) {
            states.number(values);
        }
        for values in product(protocol.globals.iter().map(|one| begins(&one.initial))) {
            globals.number(values);
        }
        let first = states.all.len();
        loop {
            let before = (states.all.len(), globals.all.len());
            let mut variants = Vec::new();
            let mut room = MOST_CASES;
            for (number, step) in protocol.steps.iter().enumerate() {
                let place = (number, step);
                let fits = variants_of(
                    protocol,
                    place,
                    (&mut states, &mut globals),
                    &mut variants,
                    &mut room,
                    budget,
                )?;
                if !fits || states.all.len() > MOST_STATES || globals.all.len() > MOST_STATES {
                    return Ok(None);
                }
            }
            if before == (states.all.len(), globals.all.len()) {
                let names = protocol.names_of(&states.all, &globals.all);
                for variant in &mut variants {
                    (variant.states, variant.size) = (states.all.len(), names.len());
                }
                return Ok(Some(Cases {
                    begins: (0..states.all.len()).map(|one| one < first).collect(),
                    states: states.all,
                    globals: globals.all,
                    variants,
                    names,
                }));
            }
        }
    }

    /// From what to what processes change, whoever takes the step.
    pub(super) fn changes(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cases = self.variants.iter().flat_map(|variant| &variant.cases);
        let each = cases.flat_map(|case| case.people.iter().chain(&case.others));
        each.flat_map(|(from, to)| to.iter().map(|to| (*from, *to)))
    }

    /// Whether what is assumed of all configurations may be about what a step changes.
    pub(super) fn may_be_forbidden(&self, protocol: &Protocol, step: &Step) -> bool {
        let mut actions = step.alternatives.iter().flatten();
        let about = |part: &Expr, global: Option<usize>, field: Option<usize>| match part {
            Expr::Global(known) => Some(*known) == global,
            Expr::Field(_, known) => Some(*known) == field,
            _ => false,
        };
        let asked = |global: Option<usize>, field: Option<usize>| {
            let mut constraints = protocol.constraints.iter();
            constraints.any(|one| one.mentions(&|part| about(part, global, field)))
        };
        actions.any(|action| match action {
            Action::SetGlobal(global, _) => asked(Some(*global), None),
            Action::SetField(_, field, _) => asked(None, Some(*field)),
            Action::Broadcast(broadcast) => {
                let mut fields = broadcast.assignments.iter();
                fields.any(|(field, _)| asked(None, Some(*field)))
            }
            _ => true,
        })
    }
}

/// Whether steps only set variables with finitely many values.
fn is_counted(protocol: &Protocol) -> bool {
    let sets = |action: &Action| match action {
        Action::SetGlobal(..) | Action::SetField(..) => true,
        Action::Broadcast(broadcast) => broadcast.pairs.is_empty(),
        _ => false,
    };
    let parameter = |part: &Expr| match part {
        Expr::Global(global) => protocol.globals[*global].domain == Domain::Parameter,
        _ => false,
    };
    // Numbers that never change are only known of in what counts are compared with.
    let plain = |expr: &Expr| {
        let mut inside = 0;
        let mut all = 0;
        expr.walk(&mut |part| {
            all += usize::from(parameter(part));
            if let Expr::Threshold { threshold, .. } = part {
                threshold.walk(&mut |part| inside += usize::from(parameter(part)));
            }
        });
        inside == all
    };
    let steps = &protocol.steps;
    protocol.has_processes
        && protocol.channels.is_empty()
        && protocol.pairs.is_empty()
        && protocol.fields.iter().all(|field| field.mark.is_none())
        && !protocol.reads_one_by_one()
        && !protocol.imports_steps()
        && steps
            .iter()
            .all(|step| plain(&step.guard) && names_different_people(step))
        && (steps
            .iter()
            .flat_map(|step| step.alternatives.iter().flatten()))
        .all(sets)
}

/// Whether all whom a step names are different processes, so that each changes by itself. (A neighbour may be a
/// witness.)
fn names_different_people(step: &Step) -> bool {
    step.may_be_one().len() == step.people.len()
}

fn variants_of(
    protocol: &Protocol,
    (number, step): (usize, &Step),
    (states, globals): (&mut Table, &mut Table),
    variants: &mut Vec<Variant>,
    room: &mut usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    let choices = product(step.choices.iter().map(|(_, domain)| domain.values()));
    let (sizes, around) = (states.all.len(), globals.all.len());
    let own: Vec<Option<usize>> = match step.people.is_empty() {
        true => vec![None],
        false => (0..sizes).map(Some).collect(),
    };
    for (alternative, actions) in step.alternatives.iter().enumerate() {
        for &own in &own {
            let rest = step.people.len().saturating_sub(1);
            let lists = own.into_iter().map(|one| vec![one]);
            let lists = lists.chain((0..rest).map(|_| (0..sizes).collect()));
            let mut cases = Vec::new();
            for people in product(lists.collect::<Vec<_>>()) {
                for (at, choice) in product([(0..around).collect(), (0..choices.len()).collect()])
                    .into_iter()
                    .map(|pair: Vec<usize>| (pair[0], &choices[pair[1]]))
                {
                    let Some(left) = room.checked_sub(1) else {
                        return Ok(false);
                    };
                    *room = left;
                    budget.charge(1)?;
                    let around = globals.all[at].clone();
                    let letters: Vec<Vec<Value>> =
                        people.iter().map(|&one| states.all[one].clone()).collect();
                    let known = Known {
                        globals: Some(&around),
                        people: letters.iter().map(|one| Some(one.as_slice())).collect(),
                        choices: choice,
                    };
                    if known.value(&step.guard) == Some(0) {
                        continue;
                    }
                    let after = Effects {
                        protocol,
                        actions,
                        known: &known,
                    };
                    let changed = |who: usize, letter: &[Value]| after.of(who, letter);
                    let own: Vec<Vec<Vec<Value>>> = (letters.iter().enumerate())
                        .map(|(who, letter)| changed(who, letter))
                        .collect();
                    let others: Vec<(usize, Vec<Vec<Value>>)> = match after.reaches_others() {
                        false => Vec::new(),
                        true => (0..sizes)
                            .map(|one| (one, changed(people.len(), &states.all[one])))
                            .collect(),
                    };
                    let to_globals = after.globals();
                    let mut all = |found: Vec<Vec<Value>>| -> Vec<usize> {
                        found.into_iter().map(|one| states.number(one)).collect()
                    };
                    cases.push(Case {
                        globals: at,
                        people: (people.iter().copied())
                            .zip(own.into_iter().map(&mut all))
                            .collect(),
                        others: (others.into_iter())
                            .map(|(one, found)| (one, all(found)))
                            .collect(),
                        to_globals: (to_globals.into_iter())
                            .map(|one| globals.number(one))
                            .collect(),
                    });
                }
            }
            if cases.is_empty() {
                continue;
            }
            variants.push(Variant {
                name: format!("{} {alternative} {}", step.name, own.unwrap_or_default()),
                step: number,
                owed: step.is_owed(),
                own,
                cases,
                states: 0,
                size: 0,
            });
        }
    }
    Ok(true)
}

/// What actions do where the people and globals are known.
struct Effects<'a> {
    protocol: &'a Protocol,
    actions: &'a [Action],
    known: &'a Known<'a>,
}

impl Effects<'_> {
    fn reaches_others(&self) -> bool {
        let mut actions = self.actions.iter();
        actions.any(|action| matches!(action, Action::Broadcast(_)))
    }

    fn globals(&self) -> Vec<Vec<Value>> {
        let old = self.known.globals.unwrap_or_default();
        let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
        for action in self.actions {
            if let Action::SetGlobal(global, assigned) = action {
                let domain = &self.protocol.globals[*global].domain;
                new[*global] = possible(assigned, self.known, domain);
            }
        }
        product(new)
    }

    /// What may become of one of the people, or of anybody else.
    fn of(&self, who: usize, old: &[Value]) -> Vec<Vec<Value>> {
        let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
        for action in self.actions {
            match action {
                Action::SetField(target, field, assigned) if *target == who => {
                    let domain = &self.protocol.fields[*field].domain;
                    new[*field] = possible(assigned, self.known, domain);
                }
                Action::Broadcast(broadcast) if !broadcast.bound.different_from.contains(&who) => {
                    let mut people = self.known.people.clone();
                    people.push(Some(old));
                    let known = Known {
                        globals: self.known.globals,
                        people,
                        choices: self.known.choices,
                    };
                    let only = known.value(&broadcast.only);
                    if only == Some(0) {
                        continue;
                    }
                    let sure = only.is_some() && is_unsided(&broadcast.bound);
                    for (field, assigned) in &broadcast.assignments {
                        let domain = &self.protocol.fields[*field].domain;
                        let values = possible(assigned, &known, domain);
                        match sure {
                            true => new[*field] = values,
                            false => new[*field].extend(values),
                        }
                    }
                }
                _ => {}
            }
        }
        new.iter_mut().for_each(|values| {
            values.sort_unstable();
            values.dedup();
        });
        product(new)
    }
}

fn is_unsided(bound: &Bound) -> bool {
    bound.left_of.is_none() && bound.right_of.is_none()
}

fn possible(assigned: &Assigned, known: &Known<'_>, domain: &Domain) -> Vec<Value> {
    match &assigned.value {
        Chosen::AnyOf(values) => values.clone(),
        Chosen::Exactly(expr) => match known.value(expr) {
            Some(value) => Some(value)
                .into_iter()
                .filter(|one| domain.contains(*one))
                .collect(),
            None => domain.values(),
        },
    }
}

impl Protocol {
    /// What is weighed, by number: states of processes, then values of the globals.
    fn names_of(&self, states: &[Vec<Value>], globals: &[Vec<Value>]) -> Vec<String> {
        let told = |variables: &[crate::model::Variable], values: &[Value]| -> String {
            let each = variables.iter().zip(values);
            let each = each.map(|(variable, value)| {
                format!(
                    "{} = {}",
                    variable.name,
                    self.show(&variable.domain, *value)
                )
            });
            each.collect::<Vec<_>>().join(", ")
        };
        let states = states.iter();
        let states = states.map(|one| format!("process {}", told(&self.fields, one)));
        let globals = globals.iter();
        let globals = globals.map(|one| format!("globals {}", told(&self.globals, one)));
        states.chain(globals).collect()
    }
}

impl Weighable for Variant {
    fn most(&self, weights: &[i64], budget: &Budget) -> Result<Change, Stop> {
        let mut most: Option<(i64, Vec<i64>)> = None;
        for case in &self.cases {
            budget.charge(1)?;
            let mut change = vec![0; self.size];
            let heaviest = |to: &[usize]| to.iter().copied().max_by_key(|&one| weights[one]);
            for (from, to) in &case.people {
                let Some(to) = heaviest(to) else { continue };
                change[*from] -= 1;
                change[to] += 1;
            }
            for (from, to) in &case.others {
                let Some(to) = heaviest(to) else { continue };
                if weights[to] > weights[*from] {
                    let mut again = vec![0; self.size];
                    again[*from] -= 1;
                    again[to] += 1;
                    return Ok(Change::Endless(again));
                }
            }
            let around = case.to_globals.iter().map(|one| self.states + one);
            if let Some(to) = heaviest(&around.collect::<Vec<_>>()) {
                change[self.states + case.globals] -= 1;
                change[to] += 1;
            }
            let gain: i64 = change
                .iter()
                .zip(weights)
                .map(|(change, weight)| change * weight)
                .sum();
            if most.as_ref().is_none_or(|(known, _)| *known < gain) {
                most = Some((gain, change));
            }
        }
        Ok(match most {
            None => Change::Never,
            Some((gain, change)) => Change::AtMost(gain, change),
        })
    }
}
