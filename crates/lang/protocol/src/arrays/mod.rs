//! Protocol to a system with arrays: one for each variable of a process, indexed by processes.
//!
//! Where words have a letter for every joint value of the variables of a process, arrays keep each
//! variable by itself. So protocols fit here that have too many letters; what moves, is created or
//! is sent through channels fits into words only.

mod conditions;
mod lasting;
mod noticed;
mod readings;
mod states;
mod steps;
mod stuck;
mod told;
mod turned;

use quotient_arrays::{
    Amount, Bad, Domain as Values, EnumerationId, Formula, Place, Relation, Start, System, Term,
    Variable as Array, VariableId,
};

use crate::model::{
    Arithmetic, Bound, Comparison, Condition, Demand, Domain, Expr, Initial, Protocol, Value,
    Variable,
};
use conditions::Scope;
pub(crate) use noticed::NOTICED;
pub(crate) use readings::LOOK;
pub(crate) use told::{Never, Part};

/// Why a protocol does not fit into arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit(pub(crate) String);

pub(crate) fn misfit<T>(why: impl Into<String>) -> Result<T, Misfit> {
    Err(Misfit(why.into()))
}

/// The most values of a variable: a set of them is a word of bits.
const MOST_VALUES: usize = 60;

/// A protocol as a system with arrays, and where its variables stand there.
#[derive(Debug, Clone)]
pub(crate) struct Lowered {
    pub(crate) system: System,
    globals: Vec<Global>,
    fields: Vec<Field>,
    /// What processes carry for each other.
    pairs: Vec<Field>,
}

/// What a global is in the system.
#[derive(Debug, Clone)]
enum Global {
    Own(Finite),
    /// A number that never changes.
    Parameter(VariableId),
}

/// The enumeration of truth values: every system has it, before all others.
const TRUTH: EnumerationId = EnumerationId::new(0);

/// A variable of the system with values of a finite domain.
#[derive(Debug, Clone)]
struct Finite {
    variable: VariableId,
    /// The values of the protocol, in the order of the enumeration.
    values: Vec<Value>,
}

/// What a field of a process is in the system.
#[derive(Debug, Clone)]
enum Field {
    /// An array.
    Own(Finite),
    /// A variable that holds a process, and one that says whether it holds nobody; arrays where
    /// each process has its own.
    Holder {
        variable: VariableId,
        nobody: VariableId,
    },
}

impl Protocol {
    /// The protocol as a system with arrays, with the safety properties that fit.
    pub(crate) fn to_arrays(&self) -> Result<Lowered, Misfit> {
        if self.readings().next().is_some() {
            return self.with_readings_carried()?.to_arrays();
        }
        self.may_fit()?;
        let mut lowered = Lowered {
            system: System::default(),
            globals: Vec::new(),
            fields: Vec::new(),
            pairs: Vec::new(),
        };
        lowered.enumeration(vec!["false".into(), "true".into()]);
        for global in &self.globals {
            let global = match global.domain {
                Domain::Parameter => {
                    Global::Parameter(lowered.array(&global.name, 0, Values::Integer))
                }
                _ => Global::Own(lowered.finite(self, global, 0)?),
            };
            lowered.globals.push(global);
        }
        for field in &self.fields {
            let field = match field.mark {
                None => Field::Own(lowered.finite(self, field, 1)?),
                Some(_) => lowered.holder(field, 0),
            };
            lowered.fields.push(field);
        }
        for pair in &self.pairs {
            let pair = match pair.mark {
                None => Field::Own(lowered.finite(self, pair, 2)?),
                Some(_) => lowered.holder(pair, 1),
            };
            lowered.pairs.push(pair);
        }
        for constraint in &self.constraints {
            let formula = lowered.formula(self, constraint, true, &Scope::of_places(0))?;
            lowered.system.always = match std::mem::take(&mut lowered.system.always) {
                Formula::And(mut all) => {
                    all.push(formula);
                    Formula::And(all)
                }
                other => Formula::And(vec![other, formula]),
            };
        }
        lowered.system.start = lowered.start(self)?;
        for step in &self.steps {
            let transitions = lowered.transitions(self, step)?;
            lowered.system.transitions.extend(transitions);
        }
        let mut noticing = Vec::new();
        for property in &self.properties {
            let ways = match &property.demand {
                Demand::Never(Condition::Holds(expr)) => lowered.ways(self, expr).ok(),
                // Whoever looks at somebody takes no step of the protocol.
                Demand::NoDeadlock if self.steps.iter().all(|step| step.name != LOOK) => {
                    lowered.stuck(self)
                }
                _ => None,
            };
            if let Some(mut ways) = ways {
                if !matches!(property.demand, Demand::NoDeadlock) {
                    let (name, span) = (&property.name, property.span);
                    ways = lowered.noticed(name, span, ways, &mut noticing);
                }
                lowered.system.bad.push(Bad {
                    name: property.name.clone(),
                    ways,
                    span: property.span,
                });
            }
        }
        // Behind all others: nobody can go on by noticing something.
        lowered.system.transitions.extend(noticing);
        let lasting = lowered.lasting(self);
        lowered.system = lowered.system.with_quorums();
        lowered.system.axioms.extend(lasting);
        Ok(lowered)
    }

    fn may_fit(&self) -> Result<(), Misfit> {
        if !self.has_processes {
            return misfit("there are no processes");
        }
        if !self.channels.is_empty() {
            return misfit("there are channels");
        }
        if self.imports_steps() {
            return misfit("a step comes from a file");
        }
        Ok(())
    }
}

impl Lowered {
    /// The number of the property in the system, if it is there.
    pub(crate) fn bad(&self, property: &str) -> Option<usize> {
        self.system.bad.iter().position(|bad| bad.name == property)
    }

    fn enumeration(&mut self, names: Vec<String>) -> EnumerationId {
        let known = self.system.enumerations.iter();
        let known = known.clone().position(|known| *known == names);
        EnumerationId::from_index(known.unwrap_or_else(|| {
            self.system.enumerations.push(names);
            self.system.enumerations.len() - 1
        }))
    }

    fn array(&mut self, name: &str, arity: usize, domain: Values) -> VariableId {
        self.system
            .variables
            .push(Array::array(name, arity, domain));
        VariableId::from_index(self.system.variables.len() - 1)
    }

    fn holder(&mut self, field: &Variable, arity: usize) -> Field {
        let nobody = format!("{} = none", field.name);
        Field::Holder {
            variable: self.array(&field.name, arity, Values::Process),
            nobody: self.array(&nobody, arity, Values::Enumeration(TRUTH)),
        }
    }

    fn finite(
        &mut self,
        protocol: &Protocol,
        variable: &Variable,
        arity: usize,
    ) -> Result<Finite, Misfit> {
        let values = variable.domain.values();
        if values.len() > MOST_VALUES {
            return misfit(format!("`{}` has too many values", variable.name));
        }
        let names = values.iter();
        let names = names.map(|value| protocol.show(&variable.domain, *value));
        let enumeration = self.enumeration(names.collect());
        let variable = self.array(&variable.name, arity, Values::Enumeration(enumeration));
        Ok(Finite { variable, values })
    }

    /// What an instance begins with, as seen from any of its processes.
    fn start(&self, protocol: &Protocol) -> Result<Start, Misfit> {
        let mut all = Vec::new();
        let begins = |finite: &Finite, at: Vec<usize>, initial: &Initial| match initial {
            Initial::Values(values) => {
                let any = values.iter().filter_map(|value| finite.is(&at, *value));
                Formula::Or(any.collect())
            }
            _ => Formula::TRUE,
        };
        for (known, global) in self.globals.iter().zip(&protocol.globals) {
            match known {
                Global::Own(finite) => all.push(begins(finite, Vec::new(), &global.initial)),
                Global::Parameter(variable) => all.extend(parameter(*variable)),
            }
        }
        for (pair, variable) in self.pairs.iter().zip(&protocol.pairs) {
            match pair {
                Field::Own(finite) if variable.initial == Initial::Order => {
                    all.extend(order(finite.variable));
                }
                Field::Own(finite) => {
                    all.push(begins(finite, vec![0, 0], &variable.initial));
                    let other = begins(finite, vec![0, 1], &variable.initial);
                    all.push(Formula::ForallOther(Box::new(other)));
                }
                Field::Holder {
                    variable: holder,
                    nobody,
                } => {
                    let cell = |variable: VariableId| {
                        Term::Cell(Place {
                            variable,
                            at: vec![0],
                        })
                    };
                    if variable.initial != Initial::AnyOrNobody {
                        let none = usize::from(variable.initial == Initial::Nobody);
                        let none = Term::Constant(none);
                        all.push(Formula::Compare(cell(*nobody), Relation::Same, none));
                    }
                    if variable.initial == Initial::Itself {
                        let own = Term::Process(0);
                        all.push(Formula::Compare(cell(*holder), Relation::Same, own));
                    }
                }
            }
        }
        for (field, variable) in self.fields.iter().zip(&protocol.fields) {
            match field {
                Field::Own(finite) => all.push(begins(finite, vec![0], &variable.initial)),
                Field::Holder {
                    variable: holder,
                    nobody,
                } => all.push(holder_begins(*holder, *nobody, &variable.initial)),
            }
        }
        let scope = Scope::of_places(1);
        for condition in &protocol.initially {
            let Condition::Holds(expr) = condition else {
                return misfit("the start is given by words");
            };
            all.push(self.formula(protocol, expr, true, &scope)?);
        }
        let remainder = |part: &Expr| matches!(part, Expr::Arithmetic(Arithmetic::Modulo, ..));
        for assumption in &protocol.assumptions {
            match self.size_condition(assumption) {
                // What holds for more numbers of processes holds for these; runs are replayed.
                Err(_) if assumption.mentions(&remainder) => {}
                condition => all.push(condition?),
            }
        }
        Ok(Start {
            processes: 1,
            formula: Formula::And(all),
        })
    }

    /// That a truth value of the system is true.
    fn flag(&self, variable: VariableId, at: &[usize]) -> Formula {
        let cell = Term::Cell(Place {
            variable,
            at: at.to_vec(),
        });
        Formula::Compare(cell, Relation::Same, Term::Constant(1))
    }

    /// That a process holds another, if that is what a condition says: there is one that it holds.
    fn holds_somebody(&self, expr: &Expr, scope: &Scope) -> Option<Formula> {
        let Expr::Quantified {
            exists: true,
            bound,
            body,
        } = expr
        else {
            return None;
        };
        match (&**body, *bound == Bound::default()) {
            (Expr::Pair(owner, held, pair), true) if *held == scope.people.len() => {
                let Field::Holder { nobody, .. } = &self.pairs[*pair] else {
                    return None;
                };
                let owner = *scope.people.get(*owner)?;
                Some(self.flag(*nobody, &[owner]).negated())
            }
            _ => None,
        }
    }

    /// The ways in which different processes may satisfy a condition.
    fn ways(&self, protocol: &Protocol, expr: &Expr) -> Result<Vec<(usize, Formula)>, Misfit> {
        let mut ways = Vec::new();
        let nobody = Scope::of_places(0);
        let prenex = self.prenex(&self.turned(expr, true, 0), true, &nobody);
        // Where that is too much, it may still fit as it was said.
        for (scope, parts) in prenex.or_else(|_| self.prenex(expr, true, &nobody))? {
            let places = scope.places;
            if let Some(formula) = self.together(protocol, &parts, places)? {
                ways.push((places, formula));
            }
        }
        Ok(ways)
    }
}

impl Finite {
    /// That a cell has a value; nothing if it cannot.
    fn is(&self, at: &[usize], value: Value) -> Option<Formula> {
        let number = self.values.iter().position(|known| *known == value)?;
        Some(Formula::Compare(
            Term::Cell(self.place(at)),
            Relation::Same,
            Term::Constant(number),
        ))
    }

    fn place(&self, at: &[usize]) -> Place {
        Place {
            variable: self.variable,
            at: at.to_vec(),
        }
    }
}

/// How a variable that holds a process begins, as seen from process 0.
fn holder_begins(variable: VariableId, nobody: VariableId, initial: &Initial) -> Formula {
    let cell = |variable| {
        Term::Cell(Place {
            variable,
            at: Vec::new(),
        })
    };
    let none = |yes: usize| Formula::Compare(cell(nobody), Relation::Same, Term::Constant(yes));
    let held = |before: (usize, usize)| {
        let (one, two) = (Term::Process(before.0), Term::Process(before.1));
        let other = Formula::Compare(cell(variable), Relation::Different, Term::Process(0));
        let no_other = Formula::ForallOther(Box::new(Formula::Compare(one, Relation::Less, two)));
        Formula::And(vec![none(0), Formula::Or(vec![other, no_other])])
    };
    match initial {
        Initial::FirstProcess => held((0, 1)),
        Initial::LastProcess => held((1, 0)),
        Initial::AnyProcess => none(0),
        Initial::Nobody => none(1),
        Initial::AnyOrNobody
        | Initial::Values(_)
        | Initial::Itself
        | Initial::Parameter
        | Initial::Order => Formula::TRUE,
    }
}

/// That an array of truth values says which of two processes comes first, in an order of all; as seen
/// from process 0.
fn order(variable: VariableId) -> [Formula; 3] {
    let first = |one: usize, two: usize, yes: bool| {
        let cell = Term::Cell(Place {
            variable,
            at: vec![one, two],
        });
        Formula::Compare(cell, Relation::Same, Term::Constant(usize::from(yes)))
    };
    let others = |body: Formula| Formula::ForallOther(Box::new(body));
    let one_of_two = Formula::Or(vec![
        Formula::And(vec![first(0, 1, true), first(1, 0, false)]),
        Formula::And(vec![first(0, 1, false), first(1, 0, true)]),
    ]);
    let transitive = Formula::Or(vec![
        first(0, 1, false),
        first(1, 2, false),
        first(0, 2, true),
    ]);
    [
        first(0, 0, false),
        others(one_of_two),
        others(others(transitive)),
    ]
}

/// A number that never changes is one up to that of the processes.
fn parameter(variable: VariableId) -> [Formula; 2] {
    let place = Place {
        variable,
        at: Vec::new(),
    };
    let number = Amount {
        cells: vec![(1, place.clone())],
        ..Amount::default()
    };
    let rest = Amount {
        processes: 1,
        cells: vec![(-1, place)],
        ..Amount::default()
    };
    [Formula::Enough(number), Formula::Enough(rest)]
}

impl Lowered {
    /// A condition on the number of processes.
    fn size_condition(&self, expr: &Expr) -> Result<Formula, Misfit> {
        let size_condition = |expr: &Expr| self.size_condition(expr);
        let amount = |expr: &Expr| self.amount(expr);
        match expr {
            Expr::And(all) => {
                let all: Result<Vec<Formula>, Misfit> = all.iter().map(size_condition).collect();
                Ok(Formula::And(all?))
            }
            Expr::Or(all) => {
                let all: Result<Vec<Formula>, Misfit> = all.iter().map(size_condition).collect();
                Ok(Formula::Or(all?))
            }
            Expr::Not(inner) => Ok(size_condition(inner)?.negated()),
            Expr::Constant(value) => Ok(match value {
                0 => Formula::FALSE,
                _ => Formula::TRUE,
            }),
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (amount(left)?, amount(right)?);
                // Less by at least one over what both are divided by: the difference first.
                let minus = |one: &Amount, two: &Amount, added: i64| {
                    Formula::Enough(one.plus(&two.times(-1, 0)).times(1, added))
                };
                let at_most = || minus(&right, &left, 0);
                let at_least = || minus(&left, &right, 0);
                Ok(match comparison {
                    Comparison::Less => minus(&right, &left, -1),
                    Comparison::LessOrEqual => at_most(),
                    Comparison::Greater => minus(&left, &right, -1),
                    Comparison::GreaterOrEqual => at_least(),
                    Comparison::Equal => Formula::And(vec![at_most(), at_least()]),
                    Comparison::Different => Formula::And(vec![at_most(), at_least()]).negated(),
                })
            }
            _ => misfit("an assumption is not a comparison of sums"),
        }
    }

    /// A number that depends on how many processes there are, with room for what is computed
    /// from it.
    fn amount(&self, expr: &Expr) -> Result<Amount, Misfit> {
        const MOST: u64 = 1 << 40;
        const MOST_PER: i64 = 1 << 15;
        let amount = self.any_amount(expr)?;
        let mut factors = amount.cells.iter().map(|(factor, _)| *factor);
        let is_large = |number: i64| number.unsigned_abs() > MOST;
        if is_large(amount.processes)
            || is_large(amount.constant)
            || factors.any(is_large)
            || amount.per() > MOST_PER
        {
            return misfit("a number is too large");
        }
        Ok(amount)
    }

    fn any_amount(&self, expr: &Expr) -> Result<Amount, Misfit> {
        let amount = |expr: &Expr| self.amount(expr);
        match expr {
            Expr::Global(global) => match self.globals[*global] {
                Global::Parameter(variable) => Ok(Amount {
                    cells: vec![(
                        1,
                        Place {
                            variable,
                            at: Vec::new(),
                        },
                    )],
                    ..Amount::default()
                }),
                Global::Own(_) => misfit("a number is no parameter"),
            },
            Expr::Arithmetic(Arithmetic::Divide, left, right) => match **right {
                Expr::Constant(by @ 1..=1000) => Ok(amount(left)?.over(by.unsigned_abs())),
                _ => misfit("a number is divided by what is not one"),
            },
            Expr::Constant(value) => Ok(Amount::constant(i64::from(*value))),
            Expr::Size => Ok(Amount {
                processes: 1,
                ..Amount::default()
            }),
            Expr::Arithmetic(Arithmetic::Multiply, left, right) => {
                let (left, right) = (amount(left)?, amount(right)?);
                let plain =
                    |one: &Amount| one.processes == 0 && one.cells.is_empty() && one.per() == 1;
                match (plain(&left), plain(&right)) {
                    (true, _) => Ok(right.times(left.constant, 0)),
                    (_, true) => Ok(left.times(right.constant, 0)),
                    _ => misfit("numbers that depend on the processes are multiplied"),
                }
            }
            Expr::Arithmetic(
                arithmetic @ (Arithmetic::Add | Arithmetic::Subtract),
                left,
                right,
            ) => {
                let sign = if *arithmetic == Arithmetic::Add {
                    1
                } else {
                    -1
                };
                let (left, right) = (amount(left)?, amount(right)?.times(sign, 0));
                Ok(left.plus(&right))
            }
            _ => misfit("a number depends on more than sums of the processes"),
        }
    }

    /// How many processes satisfy something, compared with a number.
    fn counted(
        &self,
        body: Formula,
        comparison: Comparison,
        threshold: &Expr,
    ) -> Result<Formula, Misfit> {
        let number = self.amount(threshold)?;
        let body = Box::new(body);
        // More than a/b are at least (a + 1)/b.
        let at_least = || Formula::Many(body.clone(), number.clone());
        let more = || Formula::Many(body.clone(), number.times(1, 1));
        Ok(match comparison {
            Comparison::GreaterOrEqual => at_least(),
            Comparison::Greater => more(),
            Comparison::Less => at_least().negated(),
            Comparison::LessOrEqual => more().negated(),
            Comparison::Equal => Formula::And(vec![at_least(), more().negated()]),
            Comparison::Different => Formula::Or(vec![at_least().negated(), more()]),
        })
    }
}

/// The values of a domain that a variable may be set to at will.
fn is_all(domain: &Domain, values: &[Value]) -> bool {
    domain.values().iter().all(|value| values.contains(value))
}

#[cfg(test)]
mod tests;
