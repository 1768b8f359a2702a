//! What parts of expressions come to that depend on few values: computed once, then looked up.
//!
//! A speed between 0 and 33 has 34 values, so its fourth power is computed 34 times, in however
//! many states it is asked for. A number found in a table is the number that was computed there,
//! to the last bit, since values of variables are whole.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use crate::number::{Enclosure, Number};
use crate::{Expression, Operator, Variable};

/// A table has so many entries at most, and all tables of a program together so many.
const ENTRIES: usize = 1 << 12;
const TOGETHER: usize = 1 << 16;
const TABLES: usize = 256;
/// A part is looked up if computing it takes as long as so many sums.
const WORTH: usize = 3;
/// A part of more operations is not looked at.
const LONG: usize = 512;

/// The tables of a program: a part that occurs twice has one.
pub(crate) struct Tables<'p> {
    variables: &'p [Variable],
    known: Vec<(Expression, Rc<Table>)>,
    room: usize,
}

/// What a part comes to for all values of its variables, as far as it was asked for.
#[derive(Debug)]
pub(crate) struct Table {
    /// Variables with their least value, and how far apart two neighbours lie.
    places: Vec<(usize, f64, usize)>,
    size: usize,
    doubles: OnceCell<Box<[Cell<f64>]>>,
    enclosures: OnceCell<Box<[Cell<Enclosure>]>>,
}

/// Numbers that tables are kept of.
pub(crate) trait Kept: Number {
    fn cells(table: &Table) -> &[Cell<Self>];
}

impl Kept for f64 {
    #[inline]
    fn cells(table: &Table) -> &[Cell<f64>] {
        table.doubles.get_or_init(|| nothing(table.size))
    }
}

impl Kept for Enclosure {
    #[inline]
    fn cells(table: &Table) -> &[Cell<Enclosure>] {
        table.enclosures.get_or_init(|| nothing(table.size))
    }
}

fn nothing<N: Number>(size: usize) -> Box<[Cell<N>]> {
    vec![Cell::new(N::NONE); size].into_boxed_slice()
}

impl Table {
    /// Where the entry for these values is, all of which lie in their ranges.
    #[inline]
    fn at(&self, variables: &[f64]) -> usize {
        let places = self.places.iter();
        places
            .map(|&(variable, low, apart)| (variables[variable] - low) as u32 as usize * apart)
            .sum()
    }

    /// What was computed for these values; none if nothing was.
    #[inline]
    pub(super) fn look<N: Kept>(&self, variables: &[f64]) -> Option<N> {
        let found = N::cells(self).get(self.at(variables))?.get();
        (!found.value().is_nan()).then_some(found)
    }

    pub(super) fn keep<N: Kept>(&self, variables: &[f64], value: N) {
        if let Some(cell) = N::cells(self).get(self.at(variables)) {
            cell.set(value);
        }
    }
}

impl<'p> Tables<'p> {
    /// None yet, for expressions that are asked for values of variables within their ranges only.
    pub(crate) fn new(variables: &'p [Variable]) -> Tables<'p> {
        Tables {
            variables,
            known: Vec::new(),
            room: TOGETHER,
        }
    }

    /// The table of a part, if it is worth one.
    pub(super) fn of(&mut self, part: &Expression) -> Option<Rc<Table>> {
        let mut spread = Spread::default();
        if !spread.add(part, self) || spread.work < WORTH || spread.used.is_empty() {
            return None;
        }
        if let Some((_, table)) = self.known.iter().find(|(known, _)| known == part) {
            return Some(table.clone());
        }
        if spread.size > self.room || self.known.len() == TABLES {
            return None;
        }
        self.room -= spread.size;
        let mut apart = 1;
        let mut places = Vec::new();
        for variable in spread.used {
            let low = self.variables[variable].low as f64;
            places.push((variable, low, apart));
            apart *= self.values(variable);
        }
        let table = Rc::new(Table {
            places,
            size: spread.size,
            doubles: OnceCell::new(),
            enclosures: OnceCell::new(),
        });
        self.known.push((part.clone(), table.clone()));
        Some(table)
    }

    /// How many values a variable has; far too many if there are more than an entry each.
    fn values(&self, variable: usize) -> usize {
        let variable = &self.variables[variable];
        let more = variable.high.checked_sub(variable.low);
        let more = more.and_then(|more| usize::try_from(more).ok());
        more.map_or(usize::MAX, |more| more.saturating_add(1))
    }
}

/// What a part depends on, and what it costs.
struct Spread {
    used: Vec<usize>,
    size: usize,
    work: usize,
}

impl Default for Spread {
    fn default() -> Spread {
        Spread {
            used: Vec::new(),
            size: 1,
            work: 0,
        }
    }
}

impl Spread {
    /// Adds an expression; whether a table of all of it is still small.
    fn add(&mut self, part: &Expression, tables: &Tables) -> bool {
        self.work += match part {
            Expression::Number(..) | Expression::Variable(_) => 0,
            Expression::Two(Operator::Power | Operator::Logarithm, ..) => 8,
            Expression::Two(Operator::Divide | Operator::Modulo, ..) => 2,
            _ => 1,
        };
        if self.work > LONG {
            return false;
        }
        match part {
            Expression::Number(..) => true,
            Expression::Variable(variable) => {
                if !self.used.contains(variable) {
                    self.used.push(*variable);
                    self.size = self.size.saturating_mul(tables.values(*variable));
                }
                self.size <= ENTRIES
            }
            Expression::Not(one) | Expression::Negative(one) | Expression::Call(_, one) => {
                self.add(one, tables)
            }
            Expression::Two(_, left, right) => self.add(left, tables) && self.add(right, tables),
            Expression::If(condition, one, other) => {
                self.add(condition, tables) && self.add(one, tables) && self.add(other, tables)
            }
        }
    }
}
