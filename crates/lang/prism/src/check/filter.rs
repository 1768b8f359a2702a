//! Filters: one answer from the numbers of many states.

use quotient_bits::Bits;
use quotient_core::{Span, Trouble};
use quotient_language::Table;
use quotient_probability::Values;

use super::formula::Checker;
use super::outcome::{Outcome, down, up};
use crate::syntax::{Filter, FilterKind};

/// What a filter gives.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) value: Answered,
    /// A state that shows it.
    pub(crate) state: Option<usize>,
    /// States with what they are worth.
    pub(crate) table: Option<Table>,
    /// How many states were looked at.
    pub(crate) looked: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Answered {
    /// True, false, or not sure.
    Truth(Option<bool>),
    /// A number between bounds.
    Number(f64, f64),
    /// The least and the greatest of many numbers, each between bounds.
    Range((f64, f64), (f64, f64)),
}

/// No more rows than this are listed.
const MOST_ROWS: usize = 1000;

impl Found {
    /// The same answer in every state.
    pub(crate) fn outcome(&self, states: usize) -> Outcome {
        match self.value {
            Answered::Truth(holds) => {
                let set = |holds: bool| {
                    let mut set = Bits::with_capacity(states);
                    set.set_range(.., holds);
                    set
                };
                Outcome::Truth(set(holds == Some(true)), set(holds != Some(false)))
            }
            Answered::Number(low, high) | Answered::Range((low, _), (_, high)) => {
                Outcome::Number(Values {
                    lower: vec![low; states],
                    upper: vec![high; states],
                    chosen: Vec::new(),
                })
            }
        }
    }
}

impl Checker<'_> {
    pub(crate) fn filter(&self, filter: &Filter, span: Span) -> Result<Found, Trouble> {
        let outcome = self.evaluate(&filter.of)?;
        let among = match &filter.states {
            Some(states) => self.set(states)?,
            None => {
                let mut all = Bits::with_capacity(self.states());
                all.insert_range(..);
                all
            }
        };
        if among.is_clear() {
            return Err(self.error("empty-filter", "no state fulfils this filter", span));
        }
        self.filtered(filter.what, outcome, &among, span)
    }

    pub(crate) fn filtered(
        &self,
        what: FilterKind,
        outcome: Outcome,
        among: &Bits,
        span: Span,
    ) -> Result<Found, Trouble> {
        let looked = among.count_ones(..);
        let found = |value: Answered, state: Option<usize>, table: Option<Table>| {
            Ok(Found {
                value,
                state,
                table,
                looked,
            })
        };
        match what {
            FilterKind::ForAll | FilterKind::Exists | FilterKind::Count => {
                let Outcome::Truth(surely, maybe) = outcome else {
                    let message = "this filter is for conditions, not for numbers";
                    return Err(self.error("type", message, span));
                };
                let (value, state) = self.quantify(what, &surely, &maybe, among);
                found(value, state, None)
            }
            FilterKind::Min | FilterKind::Max | FilterKind::Range => {
                let values = self.numeric(outcome, span)?;
                let (least, at_least) = extreme(&values, among, true);
                let (most, at_most) = extreme(&values, among, false);
                match what {
                    FilterKind::Min => found(Answered::Number(least.0, least.1), at_least, None),
                    FilterKind::Max => found(Answered::Number(most.0, most.1), at_most, None),
                    _ => found(Answered::Range(least, most), at_least, None),
                }
            }
            FilterKind::Sum | FilterKind::Average => {
                let values = self.numeric(outcome, span)?;
                let (mut low, mut high) = summed(&values, among);
                if what == FilterKind::Average {
                    let many = looked as f64;
                    let [least, most] = [low / many, high / many];
                    (low, high) = match (low % many == 0.0, high % many == 0.0) {
                        (true, true) => (least, most),
                        _ => (down(least), up(most)),
                    };
                }
                found(Answered::Number(low, high), None, None)
            }
            FilterKind::State if looked != 1 => {
                let message = format!("the filter `state` needs one state, there are {looked}");
                Err(self.error("filter", message, span))
            }
            FilterKind::First | FilterKind::State => {
                let first = self.in_order(among).next();
                let value = first.map(|state| single(&outcome, state));
                found(value.unwrap_or(Answered::Truth(None)), first, None)
            }
            FilterKind::Print | FilterKind::PrintAll => {
                let table = self.table(&outcome, among, what == FilterKind::PrintAll);
                let value = match &outcome {
                    Outcome::Truth(surely, maybe) => {
                        self.quantify(FilterKind::ForAll, surely, maybe, among).0
                    }
                    Outcome::Number(values) => {
                        let least = extreme(values, among, true).0;
                        let most = extreme(values, among, false).0;
                        Answered::Range(least, most)
                    }
                };
                found(value, None, Some(table))
            }
            FilterKind::ArgMin | FilterKind::ArgMax => {
                let values = self.numeric(outcome, span)?;
                let least = what == FilterKind::ArgMin;
                let (bounds, state) = extreme(&values, among, least);
                let mut such = Bits::with_capacity(self.states());
                for state in among.ones() {
                    let reaches = match least {
                        true => values.lower[state] <= bounds.1,
                        false => values.upper[state] >= bounds.0,
                    };
                    such.set(state, reaches);
                }
                let table = self.table(&Outcome::Number(values), &such, true);
                found(Answered::Number(bounds.0, bounds.1), state, Some(table))
            }
        }
    }

    fn numeric(&self, outcome: Outcome, span: Span) -> Result<Values, Trouble> {
        match outcome {
            Outcome::Number(values) => Ok(values),
            Outcome::Truth(..) => Err(self.error(
                "type",
                "this filter is for numbers, not for conditions",
                span,
            )),
        }
    }

    fn quantify(
        &self,
        what: FilterKind,
        surely: &Bits,
        maybe: &Bits,
        among: &Bits,
    ) -> (Answered, Option<usize>) {
        let first = |keep: &dyn Fn(usize) -> bool| {
            let mut such = Bits::with_capacity(self.states());
            for state in among.ones() {
                such.set(state, keep(state));
            }
            self.in_order(&such).next()
        };
        match what {
            FilterKind::Count => {
                let count =
                    |set: &Bits| among.ones().filter(|&state| set.contains(state)).count() as f64;
                (Answered::Number(count(surely), count(maybe)), None)
            }
            FilterKind::Exists => match first(&|state| surely.contains(state)) {
                Some(state) => (Answered::Truth(Some(true)), Some(state)),
                None => {
                    let open = among.ones().any(|state| maybe.contains(state));
                    (Answered::Truth((!open).then_some(false)), None)
                }
            },
            _ => match first(&|state| !maybe.contains(state)) {
                Some(state) => (Answered::Truth(Some(false)), Some(state)),
                None => {
                    let sure = among.ones().all(|state| surely.contains(state));
                    (Answered::Truth(sure.then_some(true)), None)
                }
            },
        }
    }

    /// States in the order of their values.
    pub(crate) fn in_order(&self, set: &Bits) -> impl Iterator<Item = usize> {
        let mut states: Vec<u32> = set.ones().map(|state| state as u32).collect();
        self.built.states.sort(&mut states);
        states.into_iter().map(|state| state as usize)
    }

    fn table(&self, outcome: &Outcome, among: &Bits, all: bool) -> Table {
        let mut head: Vec<String> = self
            .instance
            .variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        head.push("value".to_owned());
        let mut table = Table::new(head);
        for state in self.in_order(among) {
            let value = single(outcome, state);
            let shown = match value {
                Answered::Truth(Some(holds)) => holds || all,
                Answered::Number(_, high) => high != 0.0 || all,
                _ => true,
            };
            if !shown {
                continue;
            }
            if table.rows.len() == MOST_ROWS {
                let width = table.head.len();
                table.row((0..width).map(|_| "…"));
                break;
            }
            let values = self.built.states.values(state);
            let cells = self.instance.variables.iter().zip(values);
            let mut row: Vec<String> = cells.map(|(one, value)| one.text(value)).collect();
            row.push(value.text());
            table.row(row);
        }
        table
    }
}

impl Answered {
    /// For people.
    pub(crate) fn text(&self) -> String {
        match self {
            Answered::Truth(Some(holds)) => holds.to_string(),
            Answered::Truth(None) => "not sure".to_owned(),
            Answered::Number(low, high) => number_text(*low, *high),
            Answered::Range(least, most) => format!(
                "from {} to {}",
                number_text(least.0, least.1),
                number_text(most.0, most.1)
            ),
        }
    }
}

/// The middle of the bounds, or a simple number between them.
pub(crate) fn middle(low: f64, high: f64) -> f64 {
    if low == high || low.is_infinite() || high.is_infinite() {
        return match low.is_finite() {
            true if high.is_infinite() => low,
            _ => high,
        };
    }
    if low == 0.0 && high < 1e-11 {
        return 0.0;
    }
    let middle = low + (high - low) / 2.0;
    // The number with the fewest digits between the bounds reads best.
    (6..17)
        .filter_map(|digits| format!("{middle:.digits$e}").parse::<f64>().ok())
        .find(|short| (low..=high).contains(short))
        .unwrap_or(middle)
}

/// A number with as many digits as are known.
pub(crate) fn number_text(low: f64, high: f64) -> String {
    if high.is_infinite() && low.is_infinite() {
        return "infinity".to_owned();
    }
    if high.is_infinite() {
        return format!("at least {low}");
    }
    middle(low, high).to_string()
}

fn single(outcome: &Outcome, state: usize) -> Answered {
    match outcome {
        Outcome::Truth(surely, maybe) => {
            Answered::Truth(match (surely.contains(state), maybe.contains(state)) {
                (true, _) => Some(true),
                (_, false) => Some(false),
                _ => None,
            })
        }
        Outcome::Number(values) => Answered::Number(values.lower[state], values.upper[state]),
    }
}

/// The sum of numbers, between bounds.
fn summed(values: &Values, among: &Bits) -> (f64, f64) {
    let low = around_sum(among.ones().map(|at| values.lower[at]));
    let high = around_sum(among.ones().map(|at| -values.upper[at]));
    (low, -high)
}

/// A number that is surely not greater than a sum. Rounding is as large as the numbers are, however small their sum; whole
/// numbers that are not too large are added without any.
fn around_sum(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut size, mut many) = (0.0, 0.0, 0.0);
    let (mut whole, mut rises) = (true, false);
    for one in numbers {
        if one == f64::NEG_INFINITY || one.is_nan() {
            return f64::NEG_INFINITY;
        }
        rises |= one.is_infinite();
        if one.is_finite() {
            sum += one;
            size += one.abs();
            many += 1.0;
            whole &= one.fract() == 0.0;
        }
    }
    if rises {
        return f64::INFINITY;
    }
    if whole && size <= 2_f64.powi(52) {
        return sum;
    }
    let off: f64 = (many + 2.0) * 1.2e-16 * size;
    match off.is_finite() && sum.is_finite() {
        true => (sum - off).next_down(),
        false => f64::NEG_INFINITY,
    }
}

/// The least or greatest number, between bounds, and a state that has it.
fn extreme(values: &Values, among: &Bits, least: bool) -> ((f64, f64), Option<usize>) {
    let mut bounds: Option<(f64, f64)> = None;
    let mut state = None;
    for at in among.ones() {
        let (low, high) = (values.lower[at], values.upper[at]);
        bounds = Some(match bounds {
            None => {
                state = Some(at);
                (low, high)
            }
            Some((a, b)) if least => {
                if high < b {
                    state = Some(at);
                }
                (a.min(low), b.min(high))
            }
            Some((a, b)) => {
                if low > a {
                    state = Some(at);
                }
                (a.max(low), b.max(high))
            }
        });
    }
    (bounds.unwrap_or((0.0, 0.0)), state)
}
