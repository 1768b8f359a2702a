//! Which of many guards can hold at all, by the value of a variable: most guards begin with where
//! a module is.

use crate::expression::{Expression, Operator};
use crate::program::{Event, Program, Variable};

/// Things with guards, found by the values of variables.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Those that any state may have.
    always: Vec<u32>,
    /// For a variable, those that only some of its values allow, by value.
    tables: Vec<Table>,
}

#[derive(Debug)]
struct Table {
    variable: usize,
    low: i64,
    lists: Vec<Vec<u32>>,
}

/// The values of a variable that a guard asks for.
type Needs = Vec<(usize, Vec<i64>)>;

/// The tables of events have no more places than this.
const MOST_PLACES: i64 = 1 << 21;

/// Parts of events with so many commands have an index.
const MANY: usize = 6;

/// The commands of each part of each event by what they need, where they are many.
pub(crate) fn of_parts(program: &Program) -> Vec<Vec<Option<Index>>> {
    let of_part = |part: &Vec<u32>| {
        let guard = |&command: &u32| needs(&program.commands[command as usize].guard);
        let most = 64 * part.len() as i64;
        (part.len() >= MANY).then(|| Index::new(&program.variables, part.iter().map(guard), most))
    };
    let of_event = |event: &Event| event.parts.iter().map(of_part).collect();
    program.events.iter().map(of_event).collect()
}

impl Index {
    /// The events of a program by what each of their parts needs.
    pub(crate) fn of_events(program: &Program) -> Index {
        let guard = |&command: &u32| &program.commands[command as usize].guard;
        let needs = program.events.iter().map(|event| {
            let parts = event.parts.iter();
            parts
                .flat_map(|part| needs_of_any(part.iter().map(guard)))
                .collect()
        });
        Index::new(&program.variables, needs, MOST_PLACES)
    }

    /// An index of things by what they need, with at most so many places.
    fn new(variables: &[Variable], needs: impl Iterator<Item = Needs>, most: i64) -> Index {
        let mut index = Index::default();
        let mut places = 0;
        let mut table_of: Vec<Option<usize>> = vec![None; variables.len()];
        for (number, needs) in needs.enumerate() {
            let number = number as u32;
            let rarest = needs.into_iter().min_by_key(|(_, values)| values.len());
            let Some((variable, values)) = rarest else {
                index.always.push(number);
                continue;
            };
            let (low, high) = (variables[variable].low, variables[variable].high);
            let size = high.saturating_sub(low).saturating_add(1);
            let table = match table_of[variable] {
                Some(table) => table,
                None if size <= most - places => {
                    places += size;
                    let lists = vec![Vec::new(); size.max(0) as usize];
                    index.tables.push(Table {
                        variable,
                        low,
                        lists,
                    });
                    table_of[variable] = Some(index.tables.len() - 1);
                    index.tables.len() - 1
                }
                None => {
                    index.always.push(number);
                    continue;
                }
            };
            for value in values {
                let place = usize::try_from(value.saturating_sub(low)).ok();
                let list = place.and_then(|place| index.tables[table].lists.get_mut(place));
                // A value that the variable never has needs no place.
                if let Some(list) = list {
                    list.push(number);
                }
            }
        }
        index
    }

    /// All that may be possible in a state, in their order.
    pub(crate) fn candidates(&self, values: &[f64], found: &mut Vec<u32>) {
        found.clear();
        found.extend(&self.always);
        for table in &self.tables {
            let place = values[table.variable] as i64 - table.low;
            if let Some(list) = table.lists.get(place as usize) {
                found.extend(list);
            }
        }
        if !self.tables.is_empty() {
            found.sort_unstable();
        }
    }
}

/// What a guard needs: for variables the values without which it cannot hold.
fn needs(guard: &Expression) -> Needs {
    guard.conjuncts().into_iter().filter_map(values).collect()
}

/// What one of several guards needs, where all of them need something of a variable.
fn needs_of_any<'a>(guards: impl Iterator<Item = &'a Expression>) -> Needs {
    let mut common: Option<Needs> = None;
    for guard in guards {
        let own = needs(guard);
        common = Some(match common {
            None => own,
            Some(common) => common
                .into_iter()
                .filter_map(|(variable, mut values)| {
                    let (_, more) = own.iter().find(|(other, _)| *other == variable)?;
                    values.extend(more);
                    values.sort_unstable();
                    values.dedup();
                    Some((variable, values))
                })
                .collect(),
        });
    }
    common.unwrap_or_default()
}

/// The values of a variable for which a condition may hold, if it is about only one.
fn values(condition: &Expression) -> Option<(usize, Vec<i64>)> {
    match condition {
        Expression::Two(Operator::Equal, left, right) => match (&**left, &**right) {
            (Expression::Variable(variable), Expression::Number(number, _))
            | (Expression::Number(number, _), Expression::Variable(variable)) => {
                let whole = number.fract() == 0.0 && number.abs() < 1e15;
                Some((*variable, Vec::from_iter(whole.then_some(*number as i64))))
            }
            _ => None,
        },
        Expression::Two(Operator::Or, left, right) => {
            let ((one, mut all), (other, more)) = (values(left)?, values(right)?);
            all.extend(more);
            all.sort_unstable();
            all.dedup();
            (one == other).then_some((one, all))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(variable: usize, value: i64) -> Expression {
        let variable = Expression::Variable(variable);
        Expression::two(Operator::Equal, variable, Expression::whole(value))
    }

    #[test]
    fn what_may_hold_is_found_and_little_else() {
        let variables = ["a", "b"].map(|name| Variable {
            name: name.into(),
            low: -1,
            high: 3,
        });
        let both = Expression::two(Operator::And, equal(0, 2), equal(1, 0));
        let either = Expression::two(Operator::Or, equal(0, 1), equal(0, -1));
        let free = Expression::two(Operator::Or, equal(0, 1), equal(1, 1));
        let guards = [both, either, free, equal(1, 7)];
        let index = Index::new(&variables, guards.iter().map(needs), 100);
        let mut found = Vec::new();
        let mut at = |a: f64, b: f64| {
            index.candidates(&[a, b], &mut found);
            found.clone()
        };
        assert_eq!(at(2.0, 0.0), [0, 2]);
        assert_eq!(at(-1.0, 3.0), [1, 2]);
        assert_eq!(at(0.0, 0.0), [2]);
        let any = needs_of_any([equal(0, 1), equal(0, 3)].iter());
        assert_eq!(any, [(0, vec![1, 3])]);
        assert_eq!(needs_of_any([equal(0, 1), equal(1, 3)].iter()), []);
    }
}
