//! Calls of functions: each has its own variables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Control, Environment, FaultKind, Frame, Local};
use crate::program::{Function, LARGEST, Name, Program, Value};

impl Environment {
    /// Variables of a call that has ended are not used from afar any more.
    pub(crate) fn forget(&mut self, ended: &BTreeSet<Name>) {
        for names in self.registered.values_mut() {
            names.retain(|name| !ended.contains(name));
        }
        self.pushes.retain(|_, names| {
            names.retain(|name| !ended.contains(name));
            !names.is_empty()
        });
        self.pops.retain(|_, names| {
            names.retain(|(name, _)| !ended.contains(name));
            !names.is_empty()
        });
        for (_, _, into, _) in self.gets.values_mut().flatten() {
            *into = into.filter(|name| !ended.contains(name));
        }
    }
}

impl Local {
    /// A function, with the values of what it keeps of the functions and loops around it.
    pub(super) fn function(&mut self, program: &Program, parameter: Name, body: usize, at: usize) {
        let mut kept = Vec::new();
        for &name in program.kept.get(&body).into_iter().flatten() {
            match self.environment.variables.get(&name) {
                Some(value) => kept.push((name, value.clone())),
                None => return self.fails(FaultKind::Unbound(name), at),
            }
        }
        let size = 1 + kept.iter().map(|(_, value)| value.size()).sum::<usize>();
        self.too_large |= size > LARGEST;
        self.control = Control::Has(match self.too_large {
            true => Value::Void,
            false => Value::Fun(Arc::new(Function {
                parameter,
                body,
                kept,
                size,
            })),
        });
    }

    /// Begins a call, and keeps what the variables of the function are, for the call in which it is called again. No
    /// function uses variables of a call around it, so that cells that are given back stand for cells of each call. Where
    /// a call is the last that another does, both give back at once: such calls need no stack.
    pub(super) fn enter(&mut self, program: &Program, function: &Function, argument: Value) {
        let own = program.locals.get(&function.body);
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            let around = self.stack.as_ref().map(|below| &below.frame);
            let mut saved = match around {
                Some(Frame::Restore(saved)) => {
                    let saved = saved.clone();
                    self.pop();
                    saved
                }
                _ => BTreeMap::new(),
            };
            for &name in own {
                let before = self.environment.variables.remove(&name);
                saved.entry(name).or_insert(before);
            }
            self.push(Frame::Restore(saved));
        }
        for (name, value) in &function.kept {
            self.environment.store(*name, value.clone());
        }
        self.environment.store(function.parameter, argument);
        self.control = Control::Evaluates(function.body);
    }

    /// The end of a call, by a value or an exception.
    pub(super) fn leave(&mut self, saved: BTreeMap<Name, Option<Value>>) {
        let ended: BTreeSet<Name> = saved.keys().copied().collect();
        self.environment.forget(&ended);
        for (name, value) in saved {
            match value {
                Some(value) => self.environment.variables.insert(name, value),
                None => self.environment.variables.remove(&name),
            };
        }
    }
}
