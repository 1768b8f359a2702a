//! Conditions and steps without some of the variables.

use super::{Kept, Needed, Which};
use crate::compile::product;
use crate::model::{
    Action, Assigned, Broadcast, Chosen, Comparison, Domain, Expr, Operation, Protocol, Step, Value,
};
use crate::resolve::{MOST_VALUES, evaluate};

/// Joint values beyond this are not tried one by one.
const MOST_TRIED: usize = 50_000;

/// Rewrites what speaks of variables that are left out.
pub(super) struct Bent<'a> {
    protocol: &'a Protocol,
    kept: &'a Kept,
    /// The new number of each variable that stays.
    globals: Vec<Option<usize>>,
    fields: Vec<Option<usize>>,
}

impl<'a> Bent<'a> {
    pub(super) fn new(protocol: &'a Protocol, kept: &'a Kept) -> Bent<'a> {
        let numbered = |kept: &[bool]| {
            let mut next = 0..;
            let all = kept.iter();
            all.map(|kept| kept.then(|| next.next()).flatten())
                .collect()
        };
        Bent {
            protocol,
            kept,
            globals: numbered(&kept.globals),
            fields: numbered(&kept.fields),
        }
    }

    /// Whether an expression speaks of a variable that is left out.
    fn misses(&self, expr: &Expr) -> bool {
        !self.missed(expr).is_empty()
    }

    fn missed(&self, expr: &Expr) -> Vec<Which> {
        let mut found = variables(expr);
        found.retain(|which| !self.kept.has(*which));
        found
    }

    /// The same expression, of variables that all stay.
    fn renumbered(&self, expr: &Expr) -> Expr {
        let number = |numbers: &[Option<usize>], old: usize| numbers[old].unwrap_or(old);
        expr.with_leaves(&|leaf| match leaf {
            Expr::Global(global) => Some(Expr::Global(number(&self.globals, *global))),
            Expr::Field(who, field) => Some(Expr::Field(*who, number(&self.fields, *field))),
            Expr::Nobody(mark) => Some(Expr::Nobody(number(&self.fields, *mark))),
            _ => None,
        })
    }

    /// A condition without what is left out, which is true wherever this one is, or (where it is not
    /// to be easier) only where this one is, whatever the values that are left out.
    pub(super) fn condition(&self, expr: &Expr, easier: bool) -> Expr {
        if !self.misses(expr) {
            return self.renumbered(expr);
        }
        let each = |all: &[Expr]| -> Vec<Expr> {
            all.iter().map(|one| self.condition(one, easier)).collect()
        };
        match expr {
            Expr::Not(inner) => match self.condition(inner, !easier) {
                Expr::Constant(value) => Expr::Constant(Value::from(value == 0)),
                inner => Expr::Not(Box::new(inner)),
            },
            Expr::And(all) => joined(each(all), true),
            Expr::Or(all) => joined(each(all), false),
            Expr::If(condition, yes, no) => {
                let unless = Expr::Not(Box::new(self.condition(condition, !easier)));
                let then = [
                    self.condition(condition, easier),
                    self.condition(yes, easier),
                ];
                let otherwise = [unless, self.condition(no, easier)];
                Expr::Or(vec![Expr::And(then.into()), Expr::And(otherwise.into())])
            }
            Expr::Quantified {
                exists,
                bound,
                body,
            } => Expr::Quantified {
                exists: *exists,
                bound: bound.clone(),
                body: Box::new(self.condition(body, easier)),
            },
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => match counted(*comparison, easier) {
                Some(easier) => Expr::Count {
                    bound: bound.clone(),
                    body: Box::new(self.condition(body, easier)),
                    comparison: *comparison,
                    number: *number,
                },
                None => Expr::Constant(Value::from(easier)),
            },
            Expr::Threshold {
                bound,
                body,
                comparison,
                threshold,
            } => match counted(*comparison, easier).filter(|_| !self.misses(threshold)) {
                Some(easier) => Expr::Threshold {
                    bound: bound.clone(),
                    body: Box::new(self.condition(body, easier)),
                    comparison: *comparison,
                    threshold: Box::new(self.renumbered(threshold)),
                },
                None => Expr::Constant(Value::from(easier)),
            },
            // A comparison, a variable, a sum: it may be true or not.
            _ => Expr::Constant(Value::from(easier)),
        }
    }

    /// A step that can be taken wherever this one can, or (where it is not to be easier) only there;
    /// what it does to the variables that stay is among what this one may do.
    pub(super) fn step(&self, step: &Step, easier: bool) -> Step {
        let mut bent = Step {
            guard: self.condition(&step.guard, easier),
            choices: step.choices.clone(),
            alternatives: Vec::new(),
            ..step.clone()
        };
        for actions in &step.alternatives {
            let mut all = Vec::new();
            for action in actions {
                if let Action::Channel(Operation::Receive | Operation::Pop, _, taken) = action
                    && self.misses(taken)
                    && !easier
                {
                    bent.guard = Expr::Constant(0);
                }
                all.extend(self.action(action, &mut bent.choices));
            }
            bent.alternatives.push(all);
        }
        bent
    }

    fn action(&self, action: &Action, choices: &mut Vec<(String, Domain)>) -> Option<Action> {
        let domain = |field: usize| &self.protocol.fields[field].domain;
        Some(match action {
            Action::SetGlobal(global, assigned) => {
                let domain = &self.protocol.globals[*global].domain;
                Action::SetGlobal(self.globals[*global]?, self.assigned(assigned, domain))
            }
            Action::SetField(who, field, assigned) => {
                let assigned = self.assigned(assigned, domain(*field));
                Action::SetField(*who, self.fields[*field]?, assigned)
            }
            Action::SetMark(mark, target) => Action::SetMark(self.fields[*mark]?, *target),
            Action::Broadcast(broadcast) => {
                // Whom it reaches is not known where that depends on what is left out.
                let sure = !self.misses(&broadcast.only);
                let own = broadcast.assignments.iter();
                let own = own.filter_map(|(field, assigned)| {
                    let assigned = match sure {
                        true => self.assigned(assigned, domain(*field)),
                        false => any(assigned, domain(*field)),
                    };
                    Some((self.fields[*field]?, assigned))
                });
                let assignments: Vec<(usize, Assigned)> = own.collect();
                if assignments.is_empty() {
                    return None;
                }
                Action::Broadcast(Broadcast {
                    bound: broadcast.bound.clone(),
                    only: self.condition(&broadcast.only, true),
                    assignments,
                    pairs: Vec::new(),
                })
            }
            Action::Create(position, created) => {
                let both = created.iter().zip(&self.protocol.fields);
                let stay = both.zip(&self.kept.fields).filter(|(_, kept)| **kept);
                let created =
                    stay.map(|((assigned, field), _)| self.assigned(assigned, &field.domain));
                Action::Create(*position, created.collect())
            }
            Action::Channel(operation, channel, value) if self.misses(value) => {
                let domain = self.protocol.channels[*channel].domain.clone();
                choices.push((format!("value {}", choices.len() + 1), domain));
                Action::Channel(*operation, *channel, Expr::Choice(choices.len() - 1))
            }
            Action::Channel(operation, channel, value) => {
                Action::Channel(*operation, *channel, self.renumbered(value))
            }
            // Processes carry nothing for each other here ([`Protocol::can_do_with_fewer`]).
            Action::SetPair(..) | Action::SetPointer(..) => return None,
            Action::Move(..) | Action::Remove(_) => action.clone(),
        })
    }

    /// Whether there are few enough joint values of what a step chooses and of the contents that may be
    /// anything; else what the contents speak of is needed.
    pub(super) fn has_few_contents(&self, step: &Step) -> Result<(), Needed> {
        let size = |domain: &Domain| domain.values().len().max(1);
        let chosen = step.choices.iter().map(|(_, domain)| size(domain));
        let mut joint = chosen.fold(1, usize::saturating_mul);
        let mut needed = Vec::new();
        for action in step.alternatives.iter().flatten() {
            if let Action::Channel(_, channel, value) = action
                && self.misses(value)
            {
                joint = joint.saturating_mul(size(&self.protocol.channels[*channel].domain));
                needed.extend(self.missed(value));
            }
        }
        match joint <= MOST_VALUES || needed.is_empty() {
            true => Ok(()),
            false => Err(Needed(needed)),
        }
    }

    fn assigned(&self, assigned: &Assigned, domain: &Domain) -> Assigned {
        match &assigned.value {
            Chosen::Exactly(expr) if self.misses(expr) => any(assigned, domain),
            Chosen::Exactly(expr) => Assigned {
                value: Chosen::Exactly(self.renumbered(expr)),
                span: assigned.span,
            },
            Chosen::AnyOf(_) => assigned.clone(),
        }
    }

    /// Whether all variables are set only to values that they can have: those that stay for all that is left of
    /// the guard, others for the whole guard; else what is left out and has to do with it is needed. That others
    /// keep to their types is what leaving them out rests on: nobody looks at the whole protocol again.
    pub(super) fn fits(&self, step: &Step) -> Result<(), Needed> {
        let mut set: Vec<(Which, &Assigned)> = Vec::new();
        for action in step.alternatives.iter().flatten() {
            match action {
                Action::SetGlobal(global, assigned) => set.push((Which::Global(*global), assigned)),
                Action::SetField(_, one, assigned) => set.push((Which::Field(*one), assigned)),
                Action::Broadcast(broadcast) => {
                    let own = broadcast.assignments.iter();
                    set.extend(own.map(|(one, assigned)| (Which::Field(*one), assigned)));
                }
                Action::Create(_, created) => {
                    let own = created.iter().enumerate();
                    set.extend(own.map(|(one, assigned)| (Which::Field(one), assigned)));
                }
                _ => {}
            }
        }
        let mut needed = Vec::new();
        for (which, assigned) in set {
            let Chosen::Exactly(expr) = &assigned.value else {
                continue;
            };
            let (domain, stays) = match which {
                Which::Global(one) => (&self.protocol.globals[one].domain, self.kept.globals[one]),
                Which::Field(one) => (&self.protocol.fields[one].domain, self.kept.fields[one]),
            };
            if !self.stays_within(expr, domain, step, stays) {
                if !stays {
                    needed.push(which);
                }
                needed.extend(self.missed(expr));
                needed.extend(self.missed(&step.guard));
                for action in step.alternatives.iter().flatten() {
                    if let Action::Broadcast(broadcast) = action {
                        needed.extend(self.missed(&broadcast.only));
                    }
                }
            }
        }
        match needed.is_empty() {
            true => Ok(()),
            false => Err(Needed(needed)),
        }
    }

    /// Whether all values of an expression are in a domain that the conjuncts of the guard allow: only those
    /// about variables that stay, or all.
    fn stays_within(&self, expr: &Expr, domain: &Domain, step: &Step, only_kept: bool) -> bool {
        let mut leaves = Vec::new();
        add_leaves(expr, &mut leaves);
        let own = leaves.clone();
        let about = |part: &&Expr| {
            let shares = own.iter().any(|leaf| part.mentions(&|one| one == leaf));
            part.is_plain() && !(only_kept && self.misses(part)) && shares
        };
        let guard: Vec<&Expr> = conjuncts(&step.guard).into_iter().filter(about).collect();
        guard.iter().for_each(|part| add_leaves(part, &mut leaves));
        let values: Option<Vec<Vec<Value>>> =
            leaves.iter().map(|leaf| self.values(leaf, step)).collect();
        let Some(values) = values else { return false };
        let all = values.iter().map(Vec::len).fold(1, usize::saturating_mul);
        all <= MOST_TRIED
            && product(values).into_iter().all(|values| {
                let known: Vec<(Expr, Value)> = leaves.iter().cloned().zip(values).collect();
                guard.iter().any(|part| evaluate(part, &known) == Some(0))
                    || evaluate(expr, &known).is_some_and(|value| domain.contains(value))
            })
    }

    fn values(&self, leaf: &Expr, step: &Step) -> Option<Vec<Value>> {
        let domain = match leaf {
            Expr::Global(global) => &self.protocol.globals[*global].domain,
            Expr::Field(_, field) => &self.protocol.fields[*field].domain,
            Expr::Choice(choice) => &step.choices.get(*choice)?.1,
            _ => return None,
        };
        (*domain != Domain::Parameter).then(|| domain.values())
    }
}

/// The variables that an expression speaks of.
pub(super) fn variables(expr: &Expr) -> Vec<Which> {
    let mut found = Vec::new();
    expr.walk(&mut |part| match part {
        Expr::Global(global) => found.push(Which::Global(*global)),
        Expr::Field(_, field) | Expr::Nobody(field) => found.push(Which::Field(*field)),
        _ => {}
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// What the value of an expression depends on.
fn add_leaves(expr: &Expr, leaves: &mut Vec<Expr>) {
    expr.walk(&mut |part| {
        let is_leaf = matches!(
            part,
            Expr::Global(_) | Expr::Field(..) | Expr::Choice(_) | Expr::Pair(..) | Expr::Size
        );
        if is_leaf && !leaves.contains(part) {
            leaves.push(part.clone());
        }
    });
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::And(all) => all.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// Any value at all.
fn any(assigned: &Assigned, domain: &Domain) -> Assigned {
    Assigned {
        value: Chosen::AnyOf(domain.values()),
        span: assigned.span,
    }
}

/// Whether a count is compared truly more easily if more (yes) or fewer (no) are counted, as is asked
/// for; nothing if neither.
fn counted(comparison: Comparison, easier: bool) -> Option<bool> {
    match comparison {
        Comparison::Greater | Comparison::GreaterOrEqual => Some(easier),
        Comparison::Less | Comparison::LessOrEqual => Some(!easier),
        Comparison::Equal | Comparison::Different => None,
    }
}

/// All of these (or one of them), without those that say nothing.
fn joined(all: Vec<Expr>, every: bool) -> Expr {
    let nothing = Expr::Constant(Value::from(every));
    let decides = Expr::Constant(Value::from(!every));
    if all.contains(&decides) {
        return decides;
    }
    let all: Vec<Expr> = all.into_iter().filter(|one| *one != nothing).collect();
    match every {
        _ if all.is_empty() => nothing,
        true => Expr::And(all),
        false => Expr::Or(all),
    }
}
