//! Conditions on values alone.

use super::conditions::{Compiled, Conditions};
use super::evaluate::{Known, Mention, mentions};
use super::letters::Part;
use crate::model::{Expr, Value, Who};

/// What is known at a letter of those of whom a condition speaks: the values that it asks for, of the globals
/// first, then of each person; nothing of who was not seen yet.
type Seen = Vec<Option<Vec<Value>>>;

/// A condition on values, and what must be remembered of a word for it.
struct Remembered<'a> {
    expr: &'a Expr,
    choices: &'a [Value],
    globals: Vec<usize>,
    people: Vec<(Who, Vec<usize>)>,
    /// How many globals and fields there are.
    counts: (usize, usize),
}

impl<'a> Remembered<'a> {
    fn new(expr: &'a Expr, choices: &'a [Value], counts: (usize, usize)) -> Remembered<'a> {
        let (mut globals, mut people) = (Vec::new(), Vec::<(Who, Vec<usize>)>::new());
        for mention in mentions(expr) {
            match mention {
                Mention::Global(global) => globals.push(global),
                Mention::Field(who, field) => match people.last_mut() {
                    Some((last, fields)) if *last == who => fields.push(field),
                    _ => people.push((who, vec![field])),
                },
            }
        }
        Remembered {
            expr,
            choices,
            globals,
            people,
            counts,
        }
    }

    fn nothing(&self) -> Seen {
        vec![None; self.people.len() + 1]
    }

    /// What a letter shows.
    fn shown(&self, part: &Part, bits: u32) -> Seen {
        let mut seen = self.nothing();
        let of = |values: &[Value], asked: &[usize]| asked.iter().map(|&at| values[at]).collect();
        match part {
            Part::Globals(values) => seen[0] = Some(of(values, &self.globals)),
            Part::Process(values) => {
                for (place, (who, fields)) in self.people.iter().enumerate() {
                    if bits >> who & 1 == 1 {
                        seen[place + 1] = Some(of(values, fields));
                    }
                }
            }
            _ => {}
        }
        seen
    }

    /// Whether the condition is true, as far as what was seen determines it.
    fn value(&self, seen: &Seen) -> Option<bool> {
        let spread = |values: &Option<Vec<Value>>, asked: &[usize], count: usize| {
            let values = values.as_ref()?;
            let mut all = vec![0; count];
            for (&at, &value) in asked.iter().zip(values) {
                all[at] = value;
            }
            Some(all)
        };
        let (globals, fields) = self.counts;
        let around = spread(&seen[0], &self.globals, globals);
        let everybody = self.people.iter().map(|(who, _)| who + 1).max();
        let mut letters = vec![None; everybody.unwrap_or(0)];
        for ((who, asked), values) in self.people.iter().zip(&seen[1..]) {
            letters[*who] = spread(values, asked, fields);
        }
        let known = Known {
            globals: around.as_deref(),
            people: letters.iter().map(Option::as_deref).collect(),
            choices: self.choices,
        };
        known.value(self.expr).map(|value| value != 0)
    }

    /// Whether all of whom it speaks were seen.
    fn is_complete(&self, seen: &Seen) -> bool {
        (seen[0].is_some() || self.globals.is_empty()) && seen[1..].iter().all(Option::is_some)
    }
}

impl Conditions<'_> {
    /// A condition on values: remembers what it speaks of until the end of the word, or until it is decided.
    pub(super) fn plain(&mut self, expr: &Expr, depth: usize, choices: &[Value]) -> Compiled {
        let counts = (self.protocol.globals.len(), self.protocol.fields.len());
        let remembered = Remembered::new(expr, choices, counts);
        Ok(self.tracks.machine(
            depth,
            (remembered.nothing(), false),
            |part, bits| remembered.shown(part, bits),
            |(before, decided), shown| {
                let both = before.iter().zip(shown);
                let mut seen: Seen = both
                    .map(|(old, new)| new.clone().or_else(|| old.clone()))
                    .collect();
                // What is false stays so. Where it is true, everybody is left to be seen.
                let decided = match decided {
                    true => true,
                    false => match remembered.value(&seen) {
                        Some(false) => return None,
                        value => value.is_some(),
                    },
                };
                if decided {
                    seen.iter_mut().flatten().for_each(Vec::clear);
                }
                Some((seen, decided))
            },
            |(seen, decided)| {
                remembered.is_complete(seen) && (*decided || remembered.value(seen) == Some(true))
            },
        )?)
    }
}
