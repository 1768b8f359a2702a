//! States of the system as configurations of the protocol.

use quotient_arrays::{Instance, State};

use super::{Field, Finite, Global, Lowered};
use crate::Configuration;
use crate::model::Value;

impl Lowered {
    /// A state of an instance as the interpreter knows it.
    pub(crate) fn configuration(&self, processes: usize, state: &State) -> Option<Configuration> {
        let instance = Instance::new(&self.system, processes);
        let value = |finite: &Finite, at: &[usize]| -> Option<Value> {
            let number = *state.get(instance.cell(finite.variable, at))?;
            finite.values.get(usize::try_from(number).ok()?).copied()
        };
        let globals = self.globals.iter().map(|global| match global {
            Global::Own(finite) => value(finite, &[]),
            Global::Parameter(variable) => {
                Value::try_from(*state.get(instance.cell(*variable, &[]))?).ok()
            }
        });
        let globals = globals.collect::<Option<Vec<Value>>>()?;
        let mut rows = Vec::new();
        for process in 0..processes {
            let mut row = Vec::new();
            for field in &self.fields {
                row.push(match field {
                    Field::Own(finite) => value(finite, &[process])?,
                    Field::Holder { variable, nobody } => {
                        let none = *state.get(instance.cell(*nobody, &[]))? != 0;
                        let held = *state.get(instance.cell(*variable, &[]))?;
                        Value::from(!none && usize::try_from(held) == Ok(process))
                    }
                });
            }
            for pair in &self.pairs {
                for other in 0..processes {
                    row.push(match pair {
                        Field::Own(finite) => value(finite, &[process, other])?,
                        Field::Holder { variable, nobody } => {
                            let none = *state.get(instance.cell(*nobody, &[process]))? != 0;
                            let held = *state.get(instance.cell(*variable, &[process]))?;
                            Value::from(!none && usize::try_from(held) == Ok(other))
                        }
                    });
                }
            }
            rows.push(row);
        }
        Some(Configuration {
            globals,
            processes: rows,
            channels: Vec::new(),
            seen: Vec::new(),
        })
    }
}
