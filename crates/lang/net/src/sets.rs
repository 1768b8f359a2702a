//! Sets of markings for the checker, by plain recursion.
//!
//! A list at a level holds the tokens of the place of that level, in order, each with the list of
//! what can follow in the places below. Equal lists are stored once, so that equal sets have equal
//! numbers. Nothing here knows how a diagram was found.

use std::collections::HashMap;

use quotient_core::{Budget, Rejection};

use crate::evidence::Diagram;
use crate::formula::{Formula, Linear};
use crate::net::Net;

/// A set of markings, by the number of its list.
pub(crate) type Set = u32;
/// No markings, and the end of a marking.
pub(crate) const NONE: Set = 0;
const END: Set = 1;

/// Recursion is as deep as there are places.
const MOST_PLACES: usize = 4_000;
/// The most lists that are stored.
const MOST_LISTS: usize = 20_000_000;

/// Tokens, each with what can follow below.
type List = Vec<(u64, Set)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Both,
    Minus,
}

/// What a transition asks of a place, and does to it.
#[derive(Debug, Clone, Copy)]
struct Touch {
    least: u64,
    most: u64,
    change: i64,
}

impl Touch {
    fn allows(self, tokens: u64) -> bool {
        self.least <= tokens && tokens <= self.most
    }
}

/// Against a transition, or along with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Back,
    Forth,
}

/// Sets of markings of a net.
pub(crate) struct Sets<'a> {
    pub(crate) net: &'a Net,
    pub(crate) budget: &'a Budget,
    /// The place at each level, and the level of each place.
    order: Vec<usize>,
    levels: Vec<usize>,
    /// For each transition what it does at each level down to the last that it touches.
    touches: Vec<Vec<Option<Touch>>>,
    lists: Vec<List>,
    numbers: HashMap<List, Set>,
    known: HashMap<(Operation, Set, Set), Set>,
    /// What leads by a transition into a set, or where it leads to; what lets it fire.
    moved: HashMap<(Way, usize, Set), Set>,
    enabled: HashMap<(usize, Set), Set>,
}

impl<'a> Sets<'a> {
    /// The set of a diagram that was found to be one, and room for others.
    pub(crate) fn new(
        net: &'a Net,
        diagram: &Diagram,
        budget: &'a Budget,
    ) -> Result<(Sets<'a>, Set), Rejection> {
        let malformed = || Rejection::wrong("the lists are not a decision diagram");
        if net.places.len() > MOST_PLACES {
            return Err(Rejection::wrong("there are too many places for sets"));
        }
        let mut levels = vec![usize::MAX; net.places.len()];
        let mut order = Vec::with_capacity(levels.len());
        for (level, name) in diagram.order.iter().enumerate() {
            let place = net.places.iter().position(|place| place.id == *name);
            let place = place.ok_or_else(malformed)?;
            levels[place] = level;
            order.push(place);
        }
        let mut sets = Sets {
            net,
            budget,
            order,
            levels,
            touches: Vec::new(),
            lists: vec![Vec::new(), Vec::new()],
            numbers: HashMap::new(),
            known: HashMap::new(),
            moved: HashMap::new(),
            enabled: HashMap::new(),
        };
        for transition in 0..net.transitions.len() {
            let touches = sets.touches_of(transition)?;
            sets.touches.push(touches);
        }
        let mut given: Vec<List> = vec![Vec::new(), Vec::new()];
        let mut own = vec![NONE, END];
        for &(tokens, below, rest) in &diagram.lists {
            let below = *own.get(below as usize).ok_or_else(malformed)?;
            let rest = given.get(rest as usize).ok_or_else(malformed)?;
            budget.charge(1 + rest.len() as u64)?;
            let mut list = vec![(u64::from(tokens), below)];
            list.extend_from_slice(rest);
            own.push(sets.list(list.clone())?);
            given.push(list);
        }
        let all = own.last().copied().unwrap_or(NONE);
        Ok((sets, all))
    }

    fn touches_of(&self, transition: usize) -> Result<Vec<Option<Touch>>, Rejection> {
        let transition = &self.net.transitions[transition];
        if !transition.assign.is_empty() {
            return Err(Rejection::wrong("a net with transfers has no such sets"));
        }
        let mut touches = vec![None; self.order.len()];
        let free = Touch {
            least: 0,
            most: u64::MAX,
            change: 0,
        };
        for guard in &transition.guard {
            let touch = touches[self.levels[guard.place]].get_or_insert(free);
            touch.least = touch.least.max(guard.least);
            touch.most = touch.most.min(guard.most.unwrap_or(u64::MAX));
        }
        for &(place, change) in &transition.effect {
            let touch = touches[self.levels[place]].get_or_insert(free);
            let sum = touch.change.checked_add(change);
            touch.change = sum.ok_or_else(|| Rejection::wrong("a number is too large"))?;
        }
        while touches.last().is_some_and(Option::is_none) {
            touches.pop();
        }
        Ok(touches)
    }

    /// The number of a list; what leads nowhere is left out.
    fn list(&mut self, mut list: List) -> Result<Set, Rejection> {
        list.retain(|&(_, below)| below != NONE);
        if list.is_empty() {
            return Ok(NONE);
        }
        self.budget.charge(1)?;
        if let Some(&number) = self.numbers.get(&list) {
            return Ok(number);
        }
        if self.lists.len() >= MOST_LISTS {
            return Err(Rejection::wrong("the sets are too large to be checked"));
        }
        let number = self.lists.len() as Set;
        self.lists.push(list.clone());
        self.numbers.insert(list, number);
        Ok(number)
    }

    /// The set of one marking.
    pub(crate) fn single(&mut self, marking: &[u64]) -> Result<Set, Rejection> {
        let mut set = END;
        for level in (0..self.order.len()).rev() {
            set = self.list(vec![(marking[self.order[level]], set)])?;
        }
        Ok(set)
    }

    /// Whether a marking is in a set.
    pub(crate) fn contains(&self, set: Set, marking: &[u64]) -> bool {
        let mut at = set;
        for &place in &self.order {
            let list = &self.lists[at as usize];
            let found = list.iter().find(|(tokens, _)| *tokens == marking[place]);
            at = found.map_or(NONE, |&(_, below)| below);
        }
        at == END
    }

    pub(crate) fn union(&mut self, one: Set, other: Set) -> Result<Set, Rejection> {
        self.combined(Operation::Union, one, other)
    }

    pub(crate) fn both(&mut self, one: Set, other: Set) -> Result<Set, Rejection> {
        self.combined(Operation::Both, one, other)
    }

    pub(crate) fn minus(&mut self, one: Set, other: Set) -> Result<Set, Rejection> {
        self.combined(Operation::Minus, one, other)
    }

    fn combined(&mut self, operation: Operation, one: Set, other: Set) -> Result<Set, Rejection> {
        match operation {
            _ if one == NONE && operation != Operation::Union => return Ok(NONE),
            Operation::Union if one == NONE || one == other => return Ok(other),
            Operation::Both if one == other => return Ok(one),
            Operation::Minus if one == other => return Ok(NONE),
            Operation::Both if other == NONE => return Ok(NONE),
            _ if other == NONE => return Ok(one),
            _ => {}
        }
        let key = (operation, one, other);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let (left, right) = (
            self.lists[one as usize].clone(),
            self.lists[other as usize].clone(),
        );
        let mut tokens: Vec<u64> = left.iter().chain(&right).map(|one| one.0).collect();
        tokens.sort_unstable();
        tokens.dedup();
        let below = |list: &List, tokens: u64| {
            let found = list.binary_search_by_key(&tokens, |one| one.0);
            found.map_or(NONE, |at| list[at].1)
        };
        let mut list = Vec::with_capacity(tokens.len());
        for tokens in tokens {
            let (one, other) = (below(&left, tokens), below(&right, tokens));
            list.push((tokens, self.combined(operation, one, other)?));
        }
        let set = self.list(list)?;
        self.known.insert(key, set);
        Ok(set)
    }

    /// All markings from which a transition leads into a set.
    pub(crate) fn before(&mut self, transition: usize, into: Set) -> Result<Set, Rejection> {
        self.moved(Way::Back, transition, 0, into)
    }

    /// All markings that a transition makes of those of a set.
    pub(crate) fn after(&mut self, transition: usize, from: Set) -> Result<Set, Rejection> {
        self.moved(Way::Forth, transition, 0, from)
    }

    fn moved(
        &mut self,
        way: Way,
        transition: usize,
        level: usize,
        set: Set,
    ) -> Result<Set, Rejection> {
        if set == NONE || level >= self.touches[transition].len() {
            return Ok(set);
        }
        if let Some(&known) = self.moved.get(&(way, transition, set)) {
            return Ok(known);
        }
        let touch = self.touches[transition][level];
        let mut list = Vec::new();
        for (held, below) in self.lists[set as usize].clone() {
            let tokens = match (touch, way) {
                (None, _) => Some(held),
                (Some(touch), Way::Back) => held
                    .checked_add_signed(touch.change.saturating_neg())
                    .filter(|&tokens| touch.allows(tokens)),
                (Some(touch), Way::Forth) => Some(held)
                    .filter(|&tokens| touch.allows(tokens))
                    .and_then(|tokens| tokens.checked_add_signed(touch.change)),
            };
            if let Some(tokens) = tokens {
                list.push((tokens, self.moved(way, transition, level + 1, below)?));
            }
        }
        let found = self.list(list)?;
        self.moved.insert((way, transition, set), found);
        Ok(found)
    }

    /// The markings of a set where a transition can fire.
    pub(crate) fn can_fire(&mut self, transition: usize, set: Set) -> Result<Set, Rejection> {
        self.enabled_from(transition, 0, set)
    }

    fn enabled_from(
        &mut self,
        transition: usize,
        level: usize,
        set: Set,
    ) -> Result<Set, Rejection> {
        if set == NONE || level >= self.touches[transition].len() {
            return Ok(set);
        }
        if let Some(&known) = self.enabled.get(&(transition, set)) {
            return Ok(known);
        }
        let touch = self.touches[transition][level];
        let mut list = Vec::new();
        for (tokens, below) in self.lists[set as usize].clone() {
            if touch.is_none_or(|touch| touch.allows(tokens)) {
                list.push((tokens, self.enabled_from(transition, level + 1, below)?));
            }
        }
        let found = self.list(list)?;
        self.enabled.insert((transition, set), found);
        Ok(found)
    }

    /// The markings of a set where nothing can fire.
    pub(crate) fn stuck(&mut self, set: Set) -> Result<Set, Rejection> {
        let mut stuck = set;
        for transition in 0..self.net.transitions.len() {
            let able = self.can_fire(transition, stuck)?;
            stuck = self.minus(stuck, able)?;
        }
        Ok(stuck)
    }

    /// The markings of a set that fulfil a condition.
    pub(crate) fn fulfilling(&mut self, formula: &Formula, set: Set) -> Result<Set, Rejection> {
        match formula {
            Formula::Truth(true) => Ok(set),
            Formula::Truth(false) => Ok(NONE),
            Formula::Not(inner) => {
                let inner = self.fulfilling(inner, set)?;
                self.minus(set, inner)
            }
            Formula::All(parts) => {
                let mut left = set;
                for part in parts {
                    left = self.fulfilling(part, left)?;
                }
                Ok(left)
            }
            Formula::Any(parts) => {
                let mut found = NONE;
                for part in parts {
                    let part = self.fulfilling(part, set)?;
                    found = self.union(found, part)?;
                }
                Ok(found)
            }
            Formula::AtLeast(linear) => {
                let mut factors = vec![0_i128; self.order.len()];
                for &(place, factor) in &linear.terms {
                    factors[self.levels[place]] += i128::from(factor);
                }
                let deepest = factors.iter().rposition(|&factor| factor != 0);
                factors.truncate(deepest.map_or(0, |level| level + 1));
                self.selected(linear, &factors, 0, set, 0, &mut HashMap::new())
            }
            Formula::Fireable(one) => self.can_fire(*one, set),
            Formula::Dead => self.stuck(set),
        }
    }

    fn selected(
        &mut self,
        linear: &Linear,
        factors: &[i128],
        level: usize,
        set: Set,
        sum: i128,
        known: &mut HashMap<(Set, i128), Set>,
    ) -> Result<Set, Rejection> {
        if set == NONE || level >= factors.len() {
            return Ok(match sum >= i128::from(linear.least) {
                true => set,
                false => NONE,
            });
        }
        if let Some(&found) = known.get(&(set, sum)) {
            return Ok(found);
        }
        let mut list = Vec::new();
        for (tokens, below) in self.lists[set as usize].clone() {
            let more = factors[level].saturating_mul(i128::from(tokens));
            let sum = sum.saturating_add(more);
            let below = self.selected(linear, factors, level + 1, below, sum, known)?;
            list.push((tokens, below));
        }
        let found = self.list(list)?;
        known.insert((set, sum), found);
        Ok(found)
    }
}
