//! A set of markings as a decision diagram, checked by walking over it.
//!
//! A list at a level holds the tokens of the place of that level, each with the list of what can
//! follow in the places below; a path through all levels is a marking of the set. That the set
//! contains what a transition makes of its members is seen by walking along two paths at once:
//! the one of a member and the one of its successor.

use std::collections::{HashMap, HashSet};

use quotient_core::{Budget, Rejection};

use crate::certify::too_large;
use crate::evidence::Diagram;
use crate::formula::{Formula, Linear};
use crate::net::{Net, Transition};

/// No markings, and the end of a marking.
const NONE: u32 = 0;
const END: u32 = 1;

/// A diagram that was found to be one.
pub(crate) struct Layered<'a> {
    net: &'a Net,
    budget: &'a Budget,
    /// The place at each level, and the level of each place.
    order: Vec<usize>,
    levels: Vec<usize>,
    /// Tokens, what follows below, and the rest; by number, from 2 on.
    lists: Vec<(u32, u32, u32)>,
    /// How many places follow from a list on, itself included.
    heights: Vec<usize>,
    root: u32,
}

/// What a transition asks of a place, and does to it.
struct Touch {
    least: u64,
    most: u64,
    change: i64,
}

impl<'a> Layered<'a> {
    /// Reads a diagram: each place has one level, and lists are sorted and go on to the end.
    pub(crate) fn new(
        net: &'a Net,
        diagram: Diagram,
        budget: &'a Budget,
    ) -> Result<Layered<'a>, Rejection> {
        let malformed = || Rejection::wrong("the lists are not a decision diagram");
        let names = net.places.iter().enumerate();
        let names: HashMap<&str, usize> = names.map(|(at, one)| (one.id.as_str(), at)).collect();
        let order = diagram.order.iter().map(|name| names.get(name.as_str()));
        let order: Option<Vec<usize>> = order.map(Option::<&usize>::cloned).collect();
        let order = order.ok_or_else(malformed)?;
        let different: HashSet<&usize> = order.iter().collect();
        if order.len() != net.places.len() || different.len() != order.len() {
            return Err(Rejection::wrong("each place needs one level"));
        }
        let mut heights = vec![0, 0];
        let mut lists = vec![(0, NONE, NONE); 2];
        for &(tokens, below, rest) in &diagram.lists {
            budget.charge(1)?;
            let (under, beside) = (below as usize, rest as usize);
            if below == NONE || rest == END || under >= lists.len() || beside >= lists.len() {
                return Err(malformed());
            }
            let height = heights[under] + 1;
            let later = rest == NONE || heights[beside] == height && lists[beside].0 > tokens;
            if !later {
                return Err(malformed());
            }
            heights.push(height);
            lists.push((tokens, below, rest));
        }
        let root = lists.len() - 1;
        if heights[root] != order.len() || root <= END as usize {
            return Err(malformed());
        }
        let mut levels = vec![0; order.len()];
        for (level, &place) in order.iter().enumerate() {
            levels[place] = level;
        }
        Ok(Layered {
            net,
            budget,
            order,
            levels,
            lists,
            heights,
            root: root as u32,
        })
    }

    fn level(&self, list: u32) -> usize {
        self.order.len() - self.heights[list as usize]
    }

    /// The entries of a list.
    fn entries(&self, list: u32) -> impl Iterator<Item = (u64, u32)> + '_ {
        let mut at = list;
        std::iter::from_fn(move || {
            if at <= END {
                return None;
            }
            let (tokens, below, rest) = self.lists[at as usize];
            at = rest;
            Some((u64::from(tokens), below))
        })
    }

    /// What follows in a list below some tokens; nothing if they are not there.
    fn below(&self, list: u32, tokens: u64) -> u32 {
        let mut entries = self.entries(list);
        let found = entries.find(|&(other, _)| other == tokens);
        found.map_or(NONE, |(_, below)| below)
    }

    fn contains(&self, marking: &[u64]) -> bool {
        let mut at = self.root;
        for &place in &self.order {
            at = self.below(at, marking[place]);
        }
        at == END
    }

    /// The start is in the set, and what each transition makes of its members.
    pub(crate) fn is_closed(&self) -> Result<(), Rejection> {
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        if !self.contains(&start) {
            return Err(Rejection::wrong("the start is not among the markings"));
        }
        // Where a whole list begins; the others are rests of such.
        let mut heads: HashSet<u32> = self.lists.iter().map(|list| list.1).collect();
        heads.insert(self.root);
        let mut by_level = vec![Vec::new(); self.order.len()];
        for head in heads.into_iter().filter(|&head| head > END) {
            by_level[self.level(head)].push(head);
        }
        let mut included = HashSet::new();
        for transition in &self.net.transitions {
            self.is_closed_under(transition, &by_level, &mut included)?;
        }
        Ok(())
    }

    fn is_closed_under(
        &self,
        transition: &Transition,
        heads: &[Vec<u32>],
        included: &mut HashSet<(u32, u32)>,
    ) -> Result<(), Rejection> {
        let touches = self.touches(transition)?;
        let Some(top) = (0..touches.len()).find(|&level| touches[level].is_some()) else {
            return Ok(());
        };
        let bottom = touches.iter().rposition(Option::is_some).unwrap_or(top);
        let can = self.can_fire(&touches, bottom)?;
        let leaves = || {
            let message = format!("`{}` leads out of the markings", transition.id);
            Rejection::wrong(message)
        };
        let mut seen = HashSet::new();
        let mut todo: Vec<(u32, u32)> = heads[top].iter().map(|&head| (head, head)).collect();
        while let Some((list, other)) = todo.pop() {
            self.budget.charge(1)?;
            let level = self.level(list);
            for (tokens, below) in self.entries(list) {
                let after = match &touches[level] {
                    None => tokens,
                    Some(touch) if tokens < touch.least || tokens > touch.most => continue,
                    Some(touch) => tokens
                        .checked_add_signed(touch.change)
                        .ok_or_else(too_large)?,
                };
                if level < bottom && !can[below as usize] {
                    continue;
                }
                let target = self.below(other, after);
                if target == NONE {
                    return Err(leaves());
                }
                if level < bottom {
                    if seen.insert((below, target)) {
                        todo.push((below, target));
                    }
                } else if !self.is_included(below, target, included)? {
                    return Err(leaves());
                }
            }
        }
        Ok(())
    }

    /// What a transition asks and does, by level.
    fn touches(&self, transition: &Transition) -> Result<Vec<Option<Touch>>, Rejection> {
        if !transition.assign.is_empty() {
            return Err(Rejection::wrong("diagrams say nothing about transfers"));
        }
        let mut all: Vec<Option<Touch>> = Vec::new();
        all.resize_with(self.order.len(), || None);
        let none = || Touch {
            least: 0,
            most: u64::MAX,
            change: 0,
        };
        for guard in &transition.guard {
            let touch = all[self.levels[guard.place]].get_or_insert_with(none);
            touch.least = touch.least.max(guard.least);
            touch.most = touch.most.min(guard.most.unwrap_or(u64::MAX));
        }
        for &(place, change) in &transition.effect {
            let touch = all[self.levels[place]].get_or_insert_with(none);
            touch.change = touch.change.checked_add(change).ok_or_else(too_large)?;
        }
        Ok(all)
    }

    /// For each list whether a marking in it lets a transition fire, as far as its places are
    /// not above the list.
    fn can_fire(&self, touches: &[Option<Touch>], bottom: usize) -> Result<Vec<bool>, Rejection> {
        self.budget.charge(1 + self.lists.len() as u64 / 64)?;
        let mut can = vec![false; self.lists.len()];
        can[END as usize] = true;
        for (number, &(tokens, below, rest)) in self.lists.iter().enumerate().skip(2) {
            let level = self.level(number as u32);
            let tokens = u64::from(tokens);
            let fits = match &touches[level] {
                Some(touch) => tokens >= touch.least && tokens <= touch.most,
                None => true,
            };
            can[number] = level > bottom || fits && can[below as usize] || can[rest as usize];
        }
        Ok(can)
    }

    /// Whether all that is in one list is in another.
    fn is_included(
        &self,
        list: u32,
        other: u32,
        included: &mut HashSet<(u32, u32)>,
    ) -> Result<bool, Rejection> {
        let mut todo = vec![(list, other)];
        let mut tried = HashSet::new();
        while let Some(pair) = todo.pop() {
            self.budget.charge(1)?;
            if pair.0 == pair.1 || included.contains(&pair) || !tried.insert(pair) {
                continue;
            }
            if pair.1 <= END {
                return Ok(false);
            }
            for (tokens, below) in self.entries(pair.0) {
                let target = self.below(pair.1, tokens);
                if target == NONE {
                    return Ok(false);
                }
                todo.push((below, target));
            }
        }
        included.extend(tried);
        Ok(true)
    }

    /// Whether some marking of the set gives a formula this value.
    pub(crate) fn has(&self, formula: &Formula, value: bool) -> Result<bool, Rejection> {
        let rest = self.rest(formula, value)?;
        let mut seen = HashSet::new();
        let mut todo = vec![(self.root, rest)];
        while let Some((list, rest)) = todo.pop() {
            match rest {
                Rest::Truth(true) => return Ok(true),
                Rest::Truth(false) => continue,
                _ if list == END => return Err(Rejection::wrong("the formula is not decided")),
                _ => {}
            }
            let level = self.level(list);
            for (tokens, below) in self.entries(list) {
                self.budget.charge(1 + rest.size() / 16)?;
                let next = (below, rest.with(level, tokens).ok_or_else(too_large)?);
                if next.1 != Rest::Truth(false) && !seen.contains(&next) {
                    seen.insert(next.clone());
                    todo.push(next);
                }
            }
        }
        Ok(false)
    }

    /// The greatest sum of tokens in the set.
    pub(crate) fn greatest(&self, terms: &[(usize, i64)]) -> Result<i128, Rejection> {
        let mut factors = vec![0_i128; self.order.len()];
        for &(place, factor) in terms {
            factors[self.levels[place]] += i128::from(factor);
        }
        let mut sums = vec![0_i128; self.lists.len()];
        for (number, &(tokens, below, rest)) in self.lists.iter().enumerate().skip(2) {
            self.budget.charge(1)?;
            let factor = factors[self.level(number as u32)];
            let term = factor.checked_mul(i128::from(tokens));
            let sum = term.and_then(|term| term.checked_add(sums[below as usize]));
            let sum = sum.ok_or_else(too_large)?;
            sums[number] = match rest {
                NONE => sum,
                _ => sum.max(sums[rest as usize]),
            };
        }
        Ok(sums[self.root as usize])
    }

    /// A formula (or its opposite) by levels.
    fn rest(&self, formula: &Formula, value: bool) -> Result<Rest, Rejection> {
        self.budget.charge(1)?;
        let linear = |terms: &[(usize, i64)], least: i128, sign: i128| {
            let level =
                |&(place, factor): &(usize, i64)| (self.levels[place], sign * i128::from(factor));
            let mut terms: Vec<(usize, i128)> = terms.iter().map(level).collect();
            terms.sort_unstable();
            Rest::AtLeast(terms, least).decided()
        };
        Ok(match formula {
            Formula::Truth(truth) => Rest::Truth(*truth == value),
            Formula::Not(inner) => self.rest(inner, !value)?,
            Formula::All(parts) | Formula::Any(parts) => {
                let parts = parts.iter().map(|part| self.rest(part, value));
                let all = matches!(formula, Formula::All(_)) == value;
                Rest::many(parts.collect::<Result<_, _>>()?, all)
            }
            Formula::AtLeast(Linear { terms, least }) => match value {
                true => linear(terms, i128::from(*least), 1),
                false => linear(terms, 1 - i128::from(*least), -1),
            },
            Formula::Fireable(one) => {
                let transition = &self.net.transitions[*one];
                if !transition.assign.is_empty() {
                    return Err(Rejection::wrong("diagrams say nothing about transfers"));
                }
                let mut parts = Vec::new();
                for guard in &transition.guard {
                    let place = [(guard.place, 1)];
                    let least = i128::from(guard.least);
                    parts.push(match value {
                        true => linear(&place, least, 1),
                        false => linear(&place, 1 - least, -1),
                    });
                    if let Some(most) = guard.most {
                        let most = i128::from(most);
                        parts.push(match value {
                            true => linear(&place, -most, -1),
                            false => linear(&place, most + 1, 1),
                        });
                    }
                }
                Rest::many(parts, value)
            }
            Formula::Dead => {
                let all = 0..self.net.transitions.len();
                let parts = all.map(|one| self.rest(&Formula::Fireable(one), !value));
                Rest::many(parts.collect::<Result<_, _>>()?, value)
            }
        })
    }
}

/// What is left of a formula when the places above are known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Rest {
    Truth(bool),
    /// A sum over levels is at least a number.
    AtLeast(Vec<(usize, i128)>, i128),
    All(Vec<Rest>),
    Any(Vec<Rest>),
}

impl Rest {
    /// All parts, or one of them, simplified.
    fn many(parts: Vec<Rest>, all: bool) -> Rest {
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Rest::Truth(value) if value == all => {}
                Rest::Truth(_) => return Rest::Truth(!all),
                part => kept.push(part),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        match (kept.len(), all) {
            (0, _) => Rest::Truth(all),
            (1, _) => kept.swap_remove(0),
            (_, true) => Rest::All(kept),
            (_, false) => Rest::Any(kept),
        }
    }

    /// The same, if it is already decided: by what is left of it, or since tokens are never
    /// negative.
    fn decided(self) -> Rest {
        match &self {
            Rest::AtLeast(terms, least) => {
                let grows = terms.iter().all(|term| term.1 >= 0);
                let falls = terms.iter().all(|term| term.1 <= 0);
                match (grows, falls) {
                    (true, _) if *least <= 0 => Rest::Truth(true),
                    (_, true) if *least > 0 => Rest::Truth(false),
                    _ => self,
                }
            }
            _ => self,
        }
    }

    /// With so many tokens at a level; all levels above are known.
    fn with(&self, level: usize, tokens: u64) -> Option<Rest> {
        Some(match self {
            Rest::Truth(value) => Rest::Truth(*value),
            Rest::AtLeast(terms, least) => {
                let here = terms.iter().take_while(|term| term.0 == level).count();
                if here == 0 {
                    return Some(self.clone());
                }
                let mut left = *least;
                for term in &terms[..here] {
                    left = left.checked_sub(term.1.checked_mul(i128::from(tokens))?)?;
                }
                Rest::AtLeast(terms[here..].to_vec(), left).decided()
            }
            Rest::All(parts) | Rest::Any(parts) => {
                let next = parts.iter().map(|part| part.with(level, tokens));
                let next: Option<Vec<Rest>> = next.collect();
                Rest::many(next?, matches!(self, Rest::All(_)))
            }
        })
    }

    fn size(&self) -> u64 {
        match self {
            Rest::All(parts) | Rest::Any(parts) => parts.iter().map(|part| part.size() + 1).sum(),
            _ => 1,
        }
    }
}
