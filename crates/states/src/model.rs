//! Models: variables, constraints, fairness, properties.

use quotient_logic::Formula;

use crate::{Bits, Domain, ExpressionId, Expressions, SymbolId, Value};

/// A variable of a [`Model`], by its position in [`Model::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub usize);

/// How a variable changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Part of the state.
    State,
    /// Chosen anew in every step; no part of the state.
    Input,
    /// Part of the state, never changes.
    Frozen,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name; no other variable has it.
    pub name: String,
    /// How it changes.
    pub kind: Kind,
    /// Its values.
    pub domain: Domain,
}

/// A finite-state model: plain data, to be [checked](Model::check) before it is believed.
///
/// A state gives every variable a value of its domain (an input the one of the step that
/// leaves the state). It is *legal* if all invariants are true in it, and *initial* if it is
/// legal and all of `initial` are true. A step leads from a state to a legal state so that all
/// of `transitions` are true and frozen variables keep their values. A constraint without a
/// value is not true. An infinite path is fair if every condition of `justice` is true
/// infinitely often and, where compassion counts, the second of every pair is true infinitely
/// often if the first is.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The names of the symbolic constants, by [`SymbolId`].
    pub symbols: Vec<String>,
    /// The variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// All expressions.
    pub expressions: Expressions,
    /// What is true in initial states.
    pub initial: Vec<ExpressionId>,
    /// What is true in every state.
    pub invariants: Vec<ExpressionId>,
    /// What is true in every step.
    pub transitions: Vec<ExpressionId>,
    /// What is true infinitely often on fair paths; it may speak about the step.
    pub justice: Vec<ExpressionId>,
    /// Pairs: infinitely often the second if infinitely often the first.
    pub compassion: Vec<(ExpressionId, ExpressionId)>,
}

/// How the formula of a [`Property`] is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Logic {
    /// No temporal operators: true in every reachable state (if it speaks about a step, in every
    /// step from one), fair or not.
    Invariant,
    /// Computation tree logic, on infinite paths that meet the justice conditions.
    Ctl,
    /// Linear-time logic, on infinite paths that are fair.
    Ltl,
}

/// A property of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// How it is meant.
    pub logic: Logic,
    /// What it says; atoms are Boolean expressions of the model.
    pub formula: Formula<ExpressionId>,
}

impl Model {
    /// Declares a variable.
    pub fn add_variable(&mut self, name: &str, kind: Kind, domain: Domain) -> VariableId {
        self.variables.push(Variable {
            name: name.to_owned(),
            kind,
            domain,
        });
        VariableId(self.variables.len() - 1)
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        let position = self.variables.iter().position(|one| one.name == name);
        position.map(VariableId)
    }

    /// A value as evidence writes it: `TRUE`, `-3`, the name of a symbol, and words with sign,
    /// width and decimal digits: `0ud8_255`, `-0sd4_3`.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Boolean(true) => "TRUE".to_owned(),
            Value::Boolean(false) => "FALSE".to_owned(),
            Value::Integer(number) => number.to_string(),
            Value::Symbol(symbol) => self.symbols.get(symbol.0).cloned().unwrap_or_default(),
            Value::Word { signed, width, .. } => {
                let (minus, magnitude) = value.magnitude().unwrap_or((false, Bits::ZERO));
                let minus = if minus { "-" } else { "" };
                let sign = if signed { 's' } else { 'u' };
                format!("{minus}0{sign}d{width}_{magnitude}")
            }
        }
    }

    /// The value of a domain that is written like this, exactly as [`Model::show`] writes it.
    pub fn read(&self, domain: &Domain, text: &str) -> Option<Value> {
        let value = match domain {
            Domain::Boolean => Value::Boolean(text == "TRUE"),
            Domain::Range(..) => Value::Integer(text.parse().ok()?),
            Domain::Enumeration(values) => {
                let mut alike = values.iter().filter(|&&value| self.show(value) == text);
                *alike.next()?
            }
            &Domain::Word { signed, width } => {
                let (_, digits) = text.split_once('_')?;
                let magnitude = Bits::read(digits, 10)?;
                match text.starts_with('-') {
                    true => Value::word(signed, width, magnitude.negated()),
                    false => Value::word(signed, width, magnitude),
                }
            }
        };
        (domain.contains(value) && self.show(value) == text).then_some(value)
    }

    /// The symbol of that name, added if it is new.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        let known = self.symbols.iter().position(|known| known == name);
        SymbolId(known.unwrap_or_else(|| {
            self.symbols.push(name.to_owned());
            self.symbols.len() - 1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_shown_and_in_no_other_way() {
        let mut model = Model::default();
        let red = Value::Symbol(model.symbol("red"));
        let domains = [
            Domain::Boolean,
            Domain::Range(-2, 2),
            Domain::Enumeration(vec![red, Value::Integer(3)]),
            Domain::Word {
                signed: true,
                width: 3,
            },
        ];
        for domain in &domains {
            for code in 0..=domain.last_code().as_u64().unwrap() {
                let value = domain.value(code).unwrap();
                assert_eq!(model.read(domain, &model.show(value)), Some(value));
            }
        }
        let wrong = [
            (0, "true"),
            (0, "1"),
            (1, "9"),
            (1, "+1"),
            (1, "01"),
            (1, "99999999999999999999"),
            (2, "green"),
            (2, "4"),
            (3, "0sd3_4"),
            (3, "0ud3_1"),
            (3, "0sd3_18446744073709551615"),
            (3, "-0sd3_0"),
            (3, "1"),
        ];
        for (domain, text) in wrong {
            assert_eq!(model.read(&domains[domain], text), None, "{text}");
        }
    }
}
