//! Sets of vectors of numbers as decision diagrams, for systems whose steps add to and take from
//! numbers.
//!
//! A set is a list of values of its first number, each with the set of what can follow (Blom and
//! van de Pol's list decision diagrams, 2008); equal lists are stored once. All that is reachable is found by
//! *saturation* (Ciardo, Lüttgen and Siminiscanu, TACAS 2001): what happens near the end of the
//! vectors goes on until nothing new comes, before anything nearer to the beginning happens, so
//! that the diagrams on the way stay small.

mod closure;
mod leading;
mod select;
mod table;

use quotient_core::{Budget, Stop};

use table::{Cache, Table};

/// A set of vectors, valid in the [`Diagrams`] that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(pub(crate) u32);

impl Set {
    /// No vectors.
    pub const EMPTY: Set = Set(EMPTY);

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self == Set::EMPTY
    }
}

/// A part of a step: one number must be within bounds, and changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Which number of the vector.
    pub level: usize,
    /// It must be at least this,
    pub least: u32,
    /// and at most this.
    pub most: u32,
    /// What is added to it. The bounds make sure that it stays positive.
    pub change: i64,
}

/// A step: all its parts happen together, each number at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event(Vec<Touch>);

impl Event {
    /// From its parts in any order.
    pub fn new(mut touches: Vec<Touch>) -> Event {
        touches.sort_by_key(|touch| touch.level);
        Event(touches)
    }

    /// The step taken backwards.
    fn reversed(&self) -> Event {
        let back = |touch: &Touch| {
            let (least, most) = (i64::from(touch.least), i64::from(touch.most));
            // No number is below zero or above the largest: what would be asks for nothing, or
            // for what is not there.
            let (least, most) = (
                least.saturating_add(touch.change),
                most.saturating_add(touch.change),
            );
            let never = most < 0 || least > i64::from(u32::MAX);
            let fits = |bound: i64| u32::try_from(bound.max(0)).unwrap_or(u32::MAX);
            Touch {
                level: touch.level,
                least: if never { 1 } else { fits(least) },
                most: if never { 0 } else { fits(most) },
                change: -touch.change,
            }
        };
        Event(self.0.iter().map(back).collect())
    }

    /// What it asks for, and nothing changes.
    fn test(&self) -> Event {
        let asks = |touch: &Touch| Touch {
            change: 0,
            ..*touch
        };
        Event(self.0.iter().map(asks).collect())
    }
}

/// A number after a change; nothing if it does not fit.
fn shifted(value: u32, change: i64) -> Option<u32> {
    u32::try_from(i64::from(value).checked_add(change)?).ok()
}

pub(crate) const EMPTY: u32 = 0;
/// The set of the vector without numbers.
pub(crate) const UNIT: u32 = 1;

/// What the cache remembers.
const UNION: u32 = 0;
const BOTH: u32 = 1;
const MINUS: u32 = 2;
const CLOSED: u32 = 3;
const LEADING: u32 = 4;
const SATURATED: u32 = 5;
/// With the number of the event added.
const EVENTS: u32 = 8;

/// A value of the first number, the set below it, and when that set grew last.
struct Branch {
    value: u32,
    down: u32,
    grown: u64,
}

/// Sets of vectors of one length, with the steps between vectors.
///
/// ```
/// use quotient_core::Budget;
/// use quotient_explicit::{Diagrams, Event, Touch};
/// // One token walks from the first place to the second.
/// let take = Touch { level: 0, least: 1, most: u32::MAX, change: -1 };
/// let give = Touch { level: 1, least: 0, most: u32::MAX, change: 1 };
/// let mut sets = Diagrams::new(2, vec![Event::new(vec![take, give])], 1_000, Budget::unlimited());
/// let start = sets.single(&[3, 0]).unwrap();
/// let all = sets.closure(start).unwrap();
/// assert_eq!(sets.count(&[all]).unwrap(), "4");
/// ```
pub struct Diagrams {
    levels: usize,
    steps: usize,
    /// The steps, the same backwards, and what they ask for.
    events: Vec<Event>,
    /// The events that touch a level first.
    tops: Vec<Vec<u32>>,
    table: Table,
    cache: Cache,
    /// Lists under construction, one after the other.
    stack: Vec<(u32, u32)>,
    most: usize,
    ticks: u64,
    budget: Budget,
}

impl Diagrams {
    /// Vectors of so many numbers and the steps between them; at most so many lists are stored.
    pub fn new(levels: usize, steps: Vec<Event>, most: usize, budget: Budget) -> Diagrams {
        let mut tops = vec![Vec::new(); levels];
        for (number, event) in steps.iter().enumerate() {
            if let Some(top) = event.0.first().and_then(|touch| tops.get_mut(touch.level)) {
                top.push(number as u32);
            }
        }
        let count = steps.len();
        let mut events = steps;
        events.extend_from_within(..);
        events.extend_from_within(..count);
        for event in &mut events[count..2 * count] {
            *event = event.reversed();
        }
        for event in &mut events[2 * count..] {
            *event = event.test();
        }
        Diagrams {
            levels,
            steps: count,
            events,
            tops,
            table: Table::new(),
            cache: Cache::new(),
            stack: Vec::new(),
            most: most.min(u32::MAX as usize / 2),
            ticks: 0,
            budget,
        }
    }

    /// How many numbers a vector has.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// How many lists were stored so far.
    pub fn stored(&self) -> usize {
        self.table.len()
    }

    /// Works within another budget from now on; the one before is returned.
    pub fn use_budget(&mut self, budget: Budget) -> Budget {
        std::mem::replace(&mut self.budget, budget)
    }

    /// The set of one vector.
    pub fn single(&mut self, vector: &[u32]) -> Result<Set, Stop> {
        let mut set = UNIT;
        for &value in vector.iter().rev() {
            set = self.node(value, set, EMPTY)?;
        }
        Ok(Set(set))
    }

    /// What is in one of two sets.
    pub fn union(&mut self, one: Set, other: Set) -> Result<Set, Stop> {
        self.unite(one.0, other.0).map(Set)
    }

    /// What is in both of two sets.
    pub fn intersection(&mut self, one: Set, other: Set) -> Result<Set, Stop> {
        self.both(one.0, other.0).map(Set)
    }

    /// What is in the first set and not in the second.
    pub fn difference(&mut self, one: Set, other: Set) -> Result<Set, Stop> {
        self.minus(one.0, other.0).map(Set)
    }

    /// Whether a vector is in a set.
    pub fn contains(&self, set: Set, vector: &[u32]) -> bool {
        let mut at = set.0;
        for &value in vector {
            while at > UNIT && self.table.value(at) < value {
                at = self.table.right(at);
            }
            if at <= UNIT || self.table.value(at) != value {
                return false;
            }
            at = self.table.down(at);
        }
        at == UNIT
    }

    /// The least vector of a set, number by number.
    pub fn first(&self, set: Set) -> Option<Vec<u32>> {
        let mut vector = Vec::with_capacity(self.levels);
        let mut at = set.0;
        while at > UNIT {
            vector.push(self.table.value(at));
            at = self.table.down(at);
        }
        (at == UNIT).then_some(vector)
    }

    /// The lists of a set, each as its first value, the number of the list that follows below and
    /// that of the rest, all from 2 on and each after those that it names: 0 is no list, 1 the end
    /// of a vector. The last one is the set itself. Nothing if there are more than `most`.
    pub fn lists(&self, set: Set, most: usize) -> Option<Vec<(u32, u32, u32)>> {
        let mut numbers = rustc_hash::FxHashMap::default();
        numbers.insert(EMPTY, EMPTY);
        numbers.insert(UNIT, UNIT);
        let mut all = Vec::new();
        let mut todo = vec![set.0];
        while let Some(&at) = todo.last() {
            if numbers.contains_key(&at) {
                todo.pop();
                continue;
            }
            let (down, right) = (self.table.down(at), self.table.right(at));
            match (numbers.get(&down), numbers.get(&right)) {
                (Some(&below), Some(&rest)) => {
                    if all.len() >= most {
                        return None;
                    }
                    all.push((self.table.value(at), below, rest));
                    numbers.insert(at, all.len() as u32 + 1);
                    todo.pop();
                }
                _ => todo.extend([right, down]),
            }
        }
        Some(all)
    }

    /// A list, stored once. Its set must not be empty below.
    fn node(&mut self, value: u32, down: u32, right: u32) -> Result<u32, Stop> {
        let id = self.table.find_or_insert(value, down, right);
        if self.table.len() > self.most {
            return Err(Stop::bound("the size of diagrams", self.most as u64));
        }
        Ok(id)
    }

    fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks.is_multiple_of(1024) {
            self.cache.fit(self.table.len());
            self.budget.charge(1024)?;
        }
        Ok(())
    }

    /// Takes what was pushed since `base` as a list before `tail`.
    fn listed(&mut self, base: usize, tail: u32) -> Result<u32, Stop> {
        let mut list = tail;
        while self.stack.len() > base {
            if let Some((value, down)) = self.stack.pop() {
                list = self.node(value, down, list)?;
            }
        }
        Ok(list)
    }

    fn unite(&mut self, one: u32, other: u32) -> Result<u32, Stop> {
        if one == other || other == EMPTY {
            return Ok(one);
        }
        if one == EMPTY {
            return Ok(other);
        }
        let (a, b) = (one.min(other), one.max(other));
        if let Some(known) = self.cache.get(UNION, a, b) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut x, mut y) = (a, b);
        let tail = loop {
            if x == y || y == EMPTY {
                break x;
            }
            if x == EMPTY {
                break y;
            }
            let (left, right) = (self.table.get(x), self.table.get(y));
            if left.value < right.value {
                self.stack.push((left.value, left.down));
                x = left.right;
            } else if left.value > right.value {
                self.stack.push((right.value, right.down));
                y = right.right;
            } else {
                let down = self.unite(left.down, right.down)?;
                self.stack.push((left.value, down));
                (x, y) = (left.right, right.right);
            }
        };
        let result = self.listed(base, tail)?;
        self.cache.put(UNION, a, b, result);
        Ok(result)
    }

    fn both(&mut self, one: u32, other: u32) -> Result<u32, Stop> {
        if one == other || one == EMPTY {
            return Ok(one);
        }
        if other == EMPTY {
            return Ok(EMPTY);
        }
        let (a, b) = (one.min(other), one.max(other));
        if let Some(known) = self.cache.get(BOTH, a, b) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut x, mut y) = (a, b);
        let tail = loop {
            if x == y {
                break x;
            }
            if x == EMPTY || y == EMPTY {
                break EMPTY;
            }
            let (left, right) = (self.table.get(x), self.table.get(y));
            if left.value < right.value {
                x = left.right;
            } else if left.value > right.value {
                y = right.right;
            } else {
                let down = self.both(left.down, right.down)?;
                if down != EMPTY {
                    self.stack.push((left.value, down));
                }
                (x, y) = (left.right, right.right);
            }
        };
        let result = self.listed(base, tail)?;
        self.cache.put(BOTH, a, b, result);
        Ok(result)
    }

    fn minus(&mut self, one: u32, other: u32) -> Result<u32, Stop> {
        if one == other || one == EMPTY {
            return Ok(EMPTY);
        }
        if other == EMPTY {
            return Ok(one);
        }
        if let Some(known) = self.cache.get(MINUS, one, other) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut x, mut y) = (one, other);
        let tail = loop {
            if x == y || x == EMPTY {
                break EMPTY;
            }
            if y == EMPTY {
                break x;
            }
            let (left, right) = (self.table.get(x), self.table.get(y));
            if left.value < right.value {
                self.stack.push((left.value, left.down));
                x = left.right;
            } else if left.value > right.value {
                y = right.right;
            } else {
                let down = self.minus(left.down, right.down)?;
                if down != EMPTY {
                    self.stack.push((left.value, down));
                }
                (x, y) = (left.right, right.right);
            }
        };
        let result = self.listed(base, tail)?;
        self.cache.put(MINUS, one, other, result);
        Ok(result)
    }
}
