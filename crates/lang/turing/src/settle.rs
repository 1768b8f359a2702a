//! Actions that can be read in several ways, and which way is meant.
//!
//! One line alone does not tell whether `(B,S,R)` writes `S` and moves to the right, or writes `B`,
//! stays, and goes on in `R`; nor whether `1RB` in a row of the notation is a state by letter or by
//! number. So lines are taken as they come, and all of them together decide.

use std::collections::HashSet;

use quotient_core::Span;

use crate::layout::{
    self, Done, Field, ORDERS, STATE_WRITE_MOVE, WRITE_MOVE_STATE, WRITE_STATE_MOVE, Ways,
};
use crate::machine::Side;

/// How an action is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// There is one way to read it.
    Fixed,
    /// What is written, the move, the next state, wherever it can be read so.
    Plain,
    /// Any order is in use.
    Loose,
}

/// What is done: what is written, the move, the next state.
type Way = (char, Option<Side>, String);

/// An action as the file writes it, before states and symbols have numbers.
pub(crate) struct Raw {
    pub(crate) from: String,
    pub(crate) read: char,
    ways: [Option<Way>; ORDERS],
    form: Form,
    span: Span,
}

/// An action of which it is known how to read it.
pub(crate) struct Settled {
    pub(crate) from: String,
    pub(crate) read: char,
    pub(crate) write: char,
    pub(crate) shift: Option<Side>,
    pub(crate) to: String,
    pub(crate) span: Span,
}

impl Raw {
    pub(crate) fn new(from: &str, read: char, ways: Ways<'_>, form: Form, span: Span) -> Raw {
        Raw {
            from: from.to_owned(),
            read,
            ways: ways.map(|way| way.map(|(write, shift, to)| (write, shift, to.to_owned()))),
            form,
            span,
        }
    }

    pub(crate) fn fixed(from: &str, read: char, done: Done<'_>, span: Span) -> Raw {
        Raw::new(from, read, [Some(done), None, None], Form::Fixed, span)
    }

    /// Whether it has names for both of its states.
    pub(crate) fn is_whole(&self) -> bool {
        let mut ways = self.ways.iter().flatten();
        !self.from.is_empty() && ways.all(|(_, _, to)| !to.is_empty())
    }

    /// The orders in which it can be read.
    fn orders(&self) -> impl Iterator<Item = usize> {
        (0..ORDERS).filter(|&order| self.ways[order].is_some())
    }

    /// Whether it goes on in a state with actions, if it is read in this order.
    fn leads_on(&self, order: usize, states: &HashSet<String>) -> bool {
        let way = self.ways[order].as_ref();
        way.is_some_and(|(_, _, to)| states.contains(to))
    }

    fn read_in(mut self, order: usize) -> Option<Settled> {
        let (write, shift, to) = self.ways[order].take()?;
        Some(Settled {
            from: self.from,
            read: self.read,
            write,
            shift,
            to,
            span: self.span,
        })
    }
}

/// All actions, each in an order that fits; and where those stand for which it is open which one
/// is meant. Where several fit, it is one in which others of the file must be read; next, that of
/// tuples and tables as the guide has them. In `(B,1,R)` the state comes first, unless none of them
/// would lead on then.
pub(crate) fn settled(all: Vec<Raw>) -> (Vec<Settled>, Vec<Span>) {
    let states: HashSet<String> = all.iter().map(|raw| raw.from.clone()).collect();
    let is_clear = |raw: &&Raw| raw.form != Form::Fixed && raw.orders().count() == 1;
    let clear: HashSet<usize> = all.iter().filter(is_clear).flat_map(Raw::orders).collect();
    let fitting = |raw: &Raw| -> Vec<usize> {
        let as_others: Vec<usize> = raw.orders().filter(|order| clear.contains(order)).collect();
        match as_others.is_empty() {
            true => raw.orders().collect(),
            false => as_others,
        }
    };
    let mut leading = [false; ORDERS];
    for raw in all.iter().filter(|raw| fitting(raw).len() > 1) {
        for order in fitting(raw) {
            leading[order] |= raw.leads_on(order, &states);
        }
    }
    let chosen = |raw: &Raw| -> Option<usize> {
        let orders = fitting(raw);
        match orders[..] {
            [order] => Some(order),
            [STATE_WRITE_MOVE, WRITE_STATE_MOVE] => {
                let other = leading[WRITE_STATE_MOVE] && !leading[STATE_WRITE_MOVE];
                Some(if other {
                    WRITE_STATE_MOVE
                } else {
                    STATE_WRITE_MOVE
                })
            }
            _ if raw.form == Form::Plain => Some(WRITE_MOVE_STATE),
            _ => {
                let mut on = orders.into_iter().filter(|&order| leading[order]);
                on.next().filter(|_| on.next().is_none())
            }
        }
    };
    let chosen: Vec<Option<usize>> = all.iter().map(chosen).collect();
    let mut open = Vec::new();
    let mut known = Vec::new();
    for (raw, order) in all.into_iter().zip(chosen) {
        match order {
            Some(order) => known.extend(raw.read_in(order)),
            None => open.push(raw.span),
        }
    }
    (known, open)
}

/// What the states of rows of the notation are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// A, B, ….
    Letters,
    /// 1, 2, ….
    Numbers,
}

impl Names {
    pub(crate) fn of(self, state: usize) -> String {
        match self {
            Names::Numbers => (state + 1).to_string(),
            Names::Letters => char::from(b'A' + u8::try_from(state).unwrap_or(25)).to_string(),
        }
    }

    /// What a cell of the notation does, if it does something.
    pub(crate) fn cell(self, cell: &str) -> Option<Done<'static>> {
        let mut letters = cell.chars();
        let (write, side, to) = (letters.next()?, letters.next()?, letters.next()?);
        let side = match side {
            'L' | 'l' => Side::Left,
            'R' | 'r' => Side::Right,
            _ => return None,
        };
        Some((write, Some(side), name_of(to)))
    }
}

/// The name of a state of one letter, which is a capital one.
fn name_of(letter: char) -> &'static str {
    const ALL: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let place = ALL.find(letter.to_ascii_uppercase());
    place.map_or("", |place| &ALL[place..=place])
}

/// How the rows of a machine call its states; else what is wrong with that, and what helps.
pub(crate) fn names_of_rows(
    rows: &[(Vec<Field<'_>>, Span)],
) -> Result<Names, (String, &'static str)> {
    let cells = rows.iter().flat_map(|(row, _)| row);
    let targets = cells.filter(|(_, cell)| !layout::is_nothing(cell));
    let targets = targets.filter_map(|(_, cell)| cell.chars().next_back());
    let (numbers, letters): (Vec<char>, Vec<char>) = targets.partition(char::is_ascii_digit);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    if numbers.is_empty() {
        return match count <= 26 {
            true => Ok(Names::Letters),
            false => Err(("more than 26 states".to_owned(), "use `table`")),
        };
    }
    let row_of = |letter: &char| u32::from(letter.to_ascii_uppercase()) - u32::from('A');
    if let Some(letter) = letters.iter().find(|letter| row_of(letter) < count) {
        let message = format!("some states are numbers, and `{letter}` may be a row, too");
        return Err((message, "call all of them by letters, or all by numbers"));
    }
    let has = |number: u32| numbers.iter().any(|one| one.to_digit(10) == Some(number));
    if has(0) && !has(count) {
        let message = "is the first state 0 or 1?".to_owned();
        return Err((message, "call states by letters, the first one `A`"));
    }
    Ok(Names::Numbers)
}
