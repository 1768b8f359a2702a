//! Barriers: what was asked for is done.

use super::{Control, Fault, FaultKind, Local};
use crate::program::{Name, Program, Value};

/// The groups all of whose members wait at their barrier.
pub(crate) fn complete(program: &Program, locals: &[Local]) -> Vec<usize> {
    let waits = |group: usize| {
        let members = &program.groups[group].members;
        !members.is_empty()
            && members
                .iter()
                .all(|&one| locals[one].waits() == Some(group))
    };
    (0..program.groups.len())
        .filter(|&group| waits(group))
        .collect()
}

/// Performs a barrier: gets read old values, then are written, then puts, then messages arrive,
/// then registrations change. A request that is not allowed makes its processor faulty, and
/// nothing happens.
pub(crate) fn barrier(program: &Program, locals: &mut [Local], group: usize) {
    let members = program.groups[group].members.clone();
    match requests(locals, group, &members) {
        Err((processor, fault)) => locals[processor].control = Control::Faulty(fault),
        Ok(()) => {
            for processor in members {
                locals[processor].control = Control::Has(Value::Void);
            }
        }
    }
}

type Refused = (usize, Fault);

fn requests(locals: &mut [Local], group: usize, members: &[usize]) -> Result<(), Refused> {
    let is_registered = |locals: &[Local], processor: usize, name: Name| {
        let registered = locals[processor].environment.registered.get(&group);
        registered.is_some_and(|names| names.contains(&name))
    };
    let refused = |processor: usize, name: Name, at: usize| {
        let kind = FaultKind::Unregistered(name, group);
        (processor, Fault { kind, at })
    };
    // All is looked at before anything changes.
    let mut writes: Vec<(usize, Name, Value)> = Vec::new();
    for &processor in members {
        let gets = locals[processor].environment.gets.get(&group).cloned();
        for (whose, from, into, at) in gets.unwrap_or_default() {
            let value = locals[whose].environment.variables.get(&from).cloned();
            let kind = match (value.filter(|_| is_registered(locals, whose, from)), into) {
                (None, _) => FaultKind::Unregistered(from, group),
                (_, None) => FaultKind::Ended,
                (Some(Value::Fun(_)), _) => FaultKind::Sent,
                (Some(value), Some(into)) => {
                    writes.push((processor, into, value));
                    continue;
                }
            };
            return Err((processor, Fault { kind, at }));
        }
    }
    for &processor in members {
        let puts = locals[processor].environment.puts.get(&group).cloned();
        for (to, value, into, at) in puts.unwrap_or_default() {
            match is_registered(locals, to, into) {
                true => writes.push((to, into, value)),
                false => return Err(refused(processor, into, at)),
            }
        }
    }
    let mut registered = Vec::new();
    for &processor in members {
        let environment = &locals[processor].environment;
        let mut names = environment
            .registered
            .get(&group)
            .cloned()
            .unwrap_or_default();
        names.extend(environment.pushes.get(&group).into_iter().flatten());
        for &(name, at) in environment.pops.get(&group).into_iter().flatten() {
            if !names.remove(&name) {
                return Err(refused(processor, name, at));
            }
        }
        registered.push((processor, names));
    }
    for (processor, name, value) in writes {
        locals[processor].environment.variables.insert(name, value);
    }
    let mut arriving: Vec<(usize, usize, Value)> = Vec::new();
    for &processor in members {
        let sends = locals[processor].environment.sends.get(&group);
        let sends = sends.into_iter().flatten();
        arriving.extend(sends.map(|(to, value)| (*to, processor, value.clone())));
    }
    for (processor, names) in registered {
        let environment = &mut locals[processor].environment;
        environment.received.clear();
        environment.registered.insert(group, names);
        environment.sends.remove(&group);
        environment.puts.remove(&group);
        environment.gets.remove(&group);
        environment.pushes.remove(&group);
        environment.pops.remove(&group);
    }
    for (to, from, value) in arriving {
        locals[to]
            .environment
            .received
            .entry(from)
            .or_default()
            .push(value);
    }
    Ok(())
}
