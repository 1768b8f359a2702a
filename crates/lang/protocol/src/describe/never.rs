//! Values that a variable never has.

use quotient_automata::Predicate;
use serde::Serialize;

use crate::Compiled;
use crate::compile::Part;
use crate::model::{Action, Expr, Operation, Protocol, Value, Variable};

/// A variable, or a channel, and values that it never has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NeverTaken {
    /// The variable or channel.
    pub variable: String,
    /// The values as the source writes them; for a variable that holds a process, `self`.
    pub values: Vec<String>,
    /// Whether they are values that are never in a channel.
    #[serde(skip)]
    pub in_channel: bool,
}

impl std::fmt::Display for NeverTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.values.as_slice() {
            [only] if only == "self" => write!(f, "`{}` never holds a process", self.variable),
            values if self.in_channel => {
                write!(f, "{} is never in `{}`", values.join(", "), self.variable)
            }
            values => write!(f, "`{}` is never {}", self.variable, values.join(", ")),
        }
    }
}

impl Protocol {
    /// The values that no variable takes if some letters are in no configuration: those that no
    /// step can give, and those of such letters alone. That two variables never have certain
    /// values *together* is no reason to doubt a protocol.
    ///
    /// ```
    /// use quotient_automata::Predicate;
    /// use quotient_core::{Budget, Source};
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, asks, critical }
    ///     step ask: when at = idle then at := asks
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let compiled = protocol.compile(&Budget::unlimited())?;
    /// let never = protocol.never_taken(&compiled, &Predicate::none(compiled.alphabet()));
    /// assert_eq!(never[0].to_string(), "`at` is never critical");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn never_taken(&self, compiled: &Compiled, unreached: &Predicate) -> Vec<NeverTaken> {
        let (mut globals, mut processes) = (Vec::new(), Vec::new());
        let mut contents = vec![Vec::new(); self.channels.len()];
        for letter in compiled.alphabet().letters() {
            if unreached.contains(letter) {
                continue;
            }
            match compiled.letters.part(letter) {
                Part::Globals(values) => globals.push(values),
                Part::Process(values) => processes.push(values),
                Part::Content(channel, value) => contents[*channel].push(*value),
                Part::Separator(_) => {}
            }
        }
        let mut never = Vec::new();
        for (variables, points) in [(&self.fields, &processes), (&self.globals, &globals)] {
            for (number, variable) in variables.iter().enumerate() {
                let taken = |value: Value| points.iter().any(|point| point[number] == value);
                never.extend(self.missing(variable, &taken));
            }
        }
        for (number, (channel, inside)) in self.channels.iter().zip(&contents).enumerate() {
            let values = channel.domain.values().into_iter();
            let written = self.written_to(number);
            let missing = values.filter(|value| {
                !inside.contains(value) || written.as_ref().is_some_and(|all| !all.contains(value))
            });
            let values: Vec<String> = missing.map(|v| self.show(&channel.domain, v)).collect();
            if !values.is_empty() {
                let variable = channel.name.clone();
                never.push(NeverTaken {
                    variable,
                    values,
                    in_channel: true,
                });
            }
        }
        never
    }

    /// The values that are in a channel at the start or put there by steps, if all of them are constants.
    fn written_to(&self, channel: usize) -> Option<Vec<Value>> {
        let actions = self
            .steps
            .iter()
            .flat_map(|step| &step.alternatives)
            .flatten();
        let mut values = self.channels[channel].initial.clone();
        for action in actions {
            match action {
                Action::Channel(Operation::Pop | Operation::Receive, ..) => {}
                Action::Channel(_, to, value) if *to == channel => match value {
                    Expr::Constant(value) => values.push(*value),
                    _ => return None,
                },
                _ => {}
            }
        }
        Some(values)
    }

    fn missing(&self, variable: &Variable, taken: &dyn Fn(Value) -> bool) -> Option<NeverTaken> {
        let domain = &variable.domain;
        let values: Vec<String> = match variable.mark {
            // That every process is held at all times only means that there is one process.
            Some(_) if taken(1) => Vec::new(),
            Some(_) => vec!["self".to_owned()],
            None => {
                let missing = domain.values().into_iter().filter(|&value| !taken(value));
                missing.map(|value| self.show(domain, value)).collect()
            }
        };
        let variable = variable.name.clone();
        (!values.is_empty()).then_some(NeverTaken {
            variable,
            values,
            in_channel: false,
        })
    }
}
