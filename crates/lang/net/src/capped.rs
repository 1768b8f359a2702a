//! Reachability through a function on markings: of most places nothing is known, of the others how many tokens they have
//! up to a cap, or only whether they have at least so many.
//!
//! A key says of each place that is looked at which of the numbers it has that are told apart ([`Level`]). There are few
//! keys as long as few are, also where a net has no bound. A path of keys to what is asked is fired in the net; where a
//! transition lacks a token that the keys do not know of, that number is told from smaller ones, and where it leads to
//! another key, all numbers of the place are counted (`quotient_explicit::Splitting`). Keys
//! that are closed, and none of which can be what is asked, are evidence of their own.

use std::collections::BTreeMap;

use quotient_core::{Attempt, Conclusion, Context, Method, Outcome, Stop};
use quotient_explicit::{Closed, DeadEnd, Keys, Limits, RealRun, Splitting, System};
use quotient_language::Answer;
use quotient_language::text::count;
use serde_json::json;

use crate::certify_capped::{Between, may};
use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, Task};
use crate::evidence::{self, CAPPED};
use crate::formula::Formula;
use crate::found::Found;
use crate::levels::Level;
use crate::net::{Net, Transition};
use crate::wants::{Want, first_levels, guarded, told};

/// The most keys that one transition may lead to from one key.
const MOST_WAYS: usize = 4_096;
/// How much work one question gets: keys that are looked at in all attempts, times what the formula and all transitions
/// look at.
const WORK: u64 = 100_000_000;
const LEAST_WORK: u64 = 2_000;
const MOST_WORK: u64 = 300_000;
/// The most questions.
const MOST_TASKS: usize = 64;

/// The net itself, a word for each place: only a few runs are followed in it.
struct Plain<'a> {
    net: &'a Net,
    start: &'a [u64],
}

impl System for Plain<'_> {
    fn width(&self) -> usize {
        self.start.len()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(self.start);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for (label, one) in self.net.transitions.iter().enumerate() {
            match one.fire(state) {
                Some(next) => emit(label as u32, &next),
                None if one.is_enabled(state) => return Err(0),
                None => {}
            }
        }
        Ok(())
    }
}

/// What a transition needs of a place with a cap, and does to it.
struct Row {
    /// Which of the places with caps.
    slot: usize,
    least: u64,
    most: Option<u64>,
    gets: Gets,
}

/// What a place gets.
enum Gets {
    More(i64),
    /// A sum instead: of these places with caps, perhaps of others, and a number.
    Sum(Vec<usize>, bool, i64),
}

/// The keys: numbers of places with caps, and the transitions that change them.
struct Counted<'a> {
    start: &'a [u64],
    levels: Vec<Level>,
    /// The places of which something is known.
    places: Vec<usize>,
    rows: Vec<(u32, Vec<Row>)>,
}

impl<'a> Counted<'a> {
    fn new(net: &Net, start: &'a [u64], levels: Vec<Level>) -> Counted<'a> {
        let known = |&place: &usize| !levels[place].is_nothing();
        let places: Vec<usize> = (0..levels.len()).filter(known).collect();
        let mut slots = vec![None; levels.len()];
        for (slot, &place) in places.iter().enumerate() {
            slots[place] = Some(slot);
        }
        let all = net.transitions.iter().enumerate();
        let all = all.map(|(label, one)| (label as u32, rows(one, &slots)));
        let changes = |row: &Row| !matches!(row.gets, Gets::More(0));
        let changing = all.filter(|(_, rows)| rows.iter().any(changes));
        Counted {
            start,
            rows: changing.collect(),
            levels,
            places,
        }
    }

    fn level(&self, slot: usize) -> &Level {
        &self.levels[self.places[slot]]
    }

    /// The numbers that a transition makes of a key, from the least to the greatest; nothing if it
    /// cannot fire behind it.
    fn after(&self, key: &[u64], rows: &[Row], ranges: &mut Vec<(u64, u64)>) -> bool {
        ranges.clear();
        ranges.extend(key.iter().map(|&number| (number, number)));
        // A key may stand for several numbers; guards say which.
        let before = |slot: usize| self.level(slot).between(key[slot]);
        for row in rows {
            let range = before(row.slot);
            let least = range.least.max(row.least);
            let most = match (range.most, row.most) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
            if most.is_some_and(|most| most < least) {
                return false;
            }
            let after = match &row.gets {
                Gets::More(0) => continue,
                Gets::More(change) => Between { least, most }.moved(*change),
                Gets::Sum(slots, open, plus) => {
                    let none = Between {
                        least: 0,
                        most: (!open).then_some(0),
                    };
                    let sum = slots.iter().fold(none, |sum, &slot| sum.plus(before(slot)));
                    sum.moved(*plus)
                }
            };
            let Some(after) = after else {
                return false;
            };
            let level = self.level(row.slot);
            ranges[row.slot] = level.keys(after);
        }
        true
    }
}

/// What a transition needs of places with caps, and does to them: each place once.
fn rows(one: &Transition, slots: &[Option<usize>]) -> Vec<Row> {
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    let new = |slot: usize| Row {
        slot,
        least: 0,
        most: None,
        gets: Gets::More(0),
    };
    for guard in &one.guard {
        if let Some(slot) = slots[guard.place] {
            let row = rows.entry(slot).or_insert_with(|| new(slot));
            row.least = row.least.max(guard.least);
            row.most = match (row.most, guard.most) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
    }
    for &(place, change) in &one.effect {
        if let Some(slot) = slots[place] {
            let row = rows.entry(slot).or_insert_with(|| new(slot));
            if let Gets::More(sum) = &mut row.gets {
                *sum = sum.saturating_add(change);
            }
        }
    }
    for assign in &one.assign {
        if let Some(slot) = slots[assign.place] {
            let known: Vec<usize> = assign.sum.iter().filter_map(|&one| slots[one]).collect();
            let open = known.len() < assign.sum.len();
            let row = rows.entry(slot).or_insert_with(|| new(slot));
            row.gets = Gets::Sum(known, open, assign.plus);
        }
    }
    rows.into_values().collect()
}

impl System for Counted<'_> {
    fn width(&self) -> usize {
        self.places.len()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        let key = self.places.iter();
        let key: Vec<u64> = key
            .map(|&place| self.levels[place].key(self.start[place]))
            .collect();
        emit(&key);
    }

    fn successors(&self, key: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let mut ranges = Vec::new();
        let mut next: Vec<u64> = Vec::new();
        for (label, rows) in &self.rows {
            if !self.after(key, rows, &mut ranges) {
                continue;
            }
            next.clear();
            next.extend(ranges.iter().map(|range| range.0));
            let mut ways = 0;
            loop {
                if next != key {
                    emit(*label, &next);
                }
                ways += 1;
                if ways > MOST_WAYS {
                    return Err(0);
                }
                let more = (rows.iter()).position(|row| next[row.slot] < ranges[row.slot].1);
                let Some(at) = more else {
                    break;
                };
                let slot = rows[at].slot;
                next[slot] = self.level(slot).next(next[slot]).unwrap_or(ranges[slot].1);
                for row in &rows[..at] {
                    next[row.slot] = ranges[row.slot].0;
                }
            }
        }
        Ok(())
    }
}

/// The net, its keys, and what must not be reached.
struct Seen<'a> {
    net: &'a Net,
    plain: Plain<'a>,
    counted: Counted<'a>,
    formula: &'a Formula,
    value: bool,
}

impl<'a> Seen<'a> {
    fn new(net: &'a Net, start: &'a [u64], formula: &'a Formula, value: bool) -> Seen<'a> {
        let mut levels = vec![Level::NOTHING; start.len()];
        first_levels(net, formula, &mut levels);
        Seen {
            net,
            plain: Plain { net, start },
            counted: Counted::new(net, start, levels),
            formula,
            value,
        }
    }

    fn level(&self, place: usize) -> &Level {
        &self.counted.levels[place]
    }

    /// Whether what is wanted is not known yet, and may be.
    fn is_new(&self, &(place, want): &(usize, Want)) -> bool {
        told(&mut self.level(place).clone(), want)
    }

    /// What tells a marking, in which a transition cannot fire, from those in which it can: any
    /// one of them does.
    fn hindrances(&self, one: &Transition, marking: &[u64]) -> Vec<(usize, Want)> {
        let mut all = Vec::new();
        for guard in &one.guard {
            let tokens = marking[guard.place];
            if tokens < guard.least {
                all.push((guard.place, Want::From(guard.least)));
            }
            if let Some(most) = guard.most.filter(|&most| tokens > most) {
                all.push((guard.place, Want::From(most.saturating_add(1))));
            }
        }
        all.retain(|want| self.is_new(want));
        all
    }

    /// What is needed, all of it, to know that a transition can fire in a marking.
    fn abilities(&self, one: &Transition) -> Vec<(usize, Want)> {
        let needs = one.guard.iter().flat_map(guarded);
        let sums = one.assign.iter().filter(|assign| assign.plus < 0);
        let sums = sums.flat_map(|assign| {
            let enough = Want::Count(assign.plus.unsigned_abs());
            assign.sum.iter().map(move |&place| (place, enough))
        });
        let all = needs.chain(sums);
        all.filter(|want| self.is_new(want)).collect()
    }

    /// Wants for places that have more tokens than is known, so that their number is.
    fn exactly(&self, places: impl Iterator<Item = usize>, marking: &[u64]) -> Vec<(usize, Want)> {
        let unknown = places.filter(|&place| {
            let level = self.level(place);
            level.between(level.key(marking[place])).most != Some(marking[place])
                || level.key(marking[place]) != marking[place]
        });
        unknown
            .map(|place| (place, Want::Count(marking[place].saturating_add(1))))
            .collect()
    }

    /// What tells a marking from one where the formula has the value, which it has not here.
    fn needed(&self, formula: &Formula, value: bool, marking: &[u64]) -> Vec<(usize, Want)> {
        let between = |place: usize| {
            let level = self.level(place);
            level.between(level.key(marking[place]))
        };
        if formula.holds(self.net, marking) == value || !may(formula, value, self.net, &between) {
            return Vec::new();
        }
        let part = |one: &Formula| self.needed(one, value, marking);
        // One of these is enough, the one with the fewest wants.
        let fewest = |all: &mut dyn Iterator<Item = Vec<(usize, Want)>>| {
            let some = all.filter(|wants| !wants.is_empty());
            some.min_by_key(Vec::len).unwrap_or_default()
        };
        match (formula, value) {
            (Formula::Truth(_), _) => Vec::new(),
            (Formula::Not(inner), _) => self.needed(inner, !value, marking),
            (Formula::All(parts), true) | (Formula::Any(parts), false) => {
                fewest(&mut parts.iter().map(part))
            }
            (Formula::All(parts), false) | (Formula::Any(parts), true) => {
                parts.iter().flat_map(part).collect()
            }
            (Formula::AtLeast(linear), _) => {
                self.exactly(linear.terms.iter().map(|term| term.0), marking)
            }
            (Formula::Fireable(one), true) => {
                let one = &self.net.transitions[*one];
                let hindrances = self.hindrances(one, marking);
                hindrances.into_iter().take(1).collect()
            }
            (Formula::Fireable(one), false) => self.abilities(&self.net.transitions[*one]),
            (Formula::Dead, true) => {
                let able = self.net.transitions.iter();
                let able = able.filter(|one| one.is_enabled(marking));
                fewest(&mut able.map(|one| self.abilities(one)))
            }
            (Formula::Dead, false) => {
                let all = self.net.transitions.iter();
                all.flat_map(|one| self.hindrances(one, marking).into_iter().take(1))
                    .collect()
            }
        }
    }

    /// What is to be told apart for a path to be none any more.
    fn wanted(&self, at: &DeadEnd) -> Vec<(usize, Want)> {
        let Some(marking) = at.states.first() else {
            return Vec::new();
        };
        let Some((label, key)) = &at.step else {
            return self.needed(self.formula, self.value, marking);
        };
        let one = &self.net.transitions[*label as usize];
        let Some(next) = one.fire(marking) else {
            let hindrances = self.hindrances(one, marking);
            let best = (hindrances.into_iter()).min_by_key(|&want| self.price(want));
            if best.is_some() {
                return best.into_iter().collect();
            }
            let sums = one.assign.iter().flat_map(|assign| assign.sum.iter());
            return self.exactly(sums.copied(), marking);
        };
        // It fires, and leads to another key: where it took from a number that is not known.
        let places = self.counted.places.iter().zip(key);
        let other = places.filter(|(place, key)| self.level(**place).key(next[**place]) != **key);
        let mut wants = Vec::new();
        for (&place, _) in other {
            let assign = one.assign.iter().find(|assign| assign.place == place);
            let from = assign.map_or(vec![place], |assign| assign.sum.clone());
            wants.extend(self.exactly(from.into_iter(), marking));
        }
        wants
    }

    /// How much a want costs: places that few transitions change, and few tokens, are cheap.
    fn price(&self, (place, want): (usize, Want)) -> (u64, usize) {
        let (Want::From(tokens) | Want::Count(tokens)) = want;
        let touches = |one: &&Transition| {
            let effect = one.effect.iter().any(|&(at, _)| at == place);
            effect || one.assign.iter().any(|assign| assign.place == place)
        };
        (tokens, self.net.transitions.iter().filter(touches).count())
    }
}

impl Keys for Seen<'_> {
    fn states(&self) -> &dyn System {
        &self.plain
    }

    fn keys(&self) -> &dyn System {
        &self.counted
    }

    fn key(&self, state: &[u64], key: &mut Vec<u64>) {
        let places = self.counted.places.iter();
        key.extend(places.map(|&place| self.level(place).key(state[place])));
    }

    fn is_bad(&self, state: &[u64]) -> bool {
        self.formula.holds(self.net, state) == self.value
    }

    fn may_be_bad(&self, key: &[u64]) -> bool {
        let between = |place: usize| {
            let slot = self.counted.places.binary_search(&place);
            slot.map_or(Between::ANY, |slot| self.level(place).between(key[slot]))
        };
        may(self.formula, self.value, self.net, &between)
    }

    fn split(&mut self, at: &DeadEnd) -> Option<String> {
        let mut levels = self.counted.levels.clone();
        let mut words = Vec::new();
        for (place, want) in self.wanted(at) {
            if told(&mut levels[place], want) {
                let name = &self.net.places[place].label;
                words.push(format!("`{name}` is {}", levels[place]));
            }
        }
        if words.is_empty() {
            return None;
        }
        self.counted = Counted::new(self.net, self.plain.start, levels);
        Some(words.join(", "))
    }
}

/// Answers open questions about markings, each with keys of its own, within a share of the work.
pub(crate) fn solve(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    let open = |task: &&mut Task| task.is_open() && task.goal().is_some();
    let fired: u64 = checker.net.transitions.iter().map(Transition::work).sum();
    for task in tasks.iter_mut().filter(open).take(MOST_TASKS) {
        checker.cx.budget.poll()?;
        let Some((formula, value)) = task.goal() else {
            continue;
        };
        let mut seen = Seen::new(checker.net, start, formula, value);
        let work = WORK / (fired + formula.work(checker.net));
        let mut cx = Context {
            story: checker.cx.story.of_method("caps"),
            ..checker.cx.with_work(work.clamp(LEAST_WORK, MOST_WORK))
        };
        let limits = Limits {
            states: MOST_MARKINGS,
        };
        let splitting = &mut Splitting::new(&mut seen, limits.clone());
        let mut outcome = quotient_core::run(splitting, &mut cx);
        if let Conclusion::Holds(closed) = &mut outcome.conclusion {
            slimmed(&mut seen, closed, &limits, &cx);
        }
        let answer = answer(checker, start, task, &seen, outcome);
        task.answer = answer;
        checker.cx.budget.poll()?;
    }
    Ok(())
}

/// Stops counting places that a proof does not need: a path that was not real is often none for
/// several reasons, and the first was taken.
fn slimmed(seen: &mut Seen<'_>, closed: &mut Closed, limits: &Limits, cx: &Context) {
    let mut cx = Context {
        budget: cx.budget.clone(),
        ..Context::default()
    };
    for place in seen.counted.places.clone() {
        let mut levels = seen.counted.levels.clone();
        levels[place] = Level::NOTHING;
        let fewer = Counted::new(seen.net, seen.plain.start, levels);
        let before = std::mem::replace(&mut seen.counted, fewer);
        match Splitting::new(&mut *seen, limits.clone()).attempt(&mut cx) {
            Ok(Attempt::Proved(smaller)) => *closed = smaller,
            Ok(_) => seen.counted = before,
            Err(_) => {
                seen.counted = before;
                return;
            }
        }
    }
}

fn answer(
    checker: &Checker<'_>,
    start: &[u64],
    task: &Task,
    seen: &Seen<'_>,
    outcome: Outcome<Closed, RealRun>,
) -> Option<Answer> {
    let mut answer = match outcome.conclusion {
        Conclusion::Holds(closed) => never(checker, task, seen, &closed)?,
        Conclusion::Violated(run) => {
            let fired: Vec<usize> = run.labels.iter().map(|&label| label as usize).collect();
            checker
                .reached(task, start, Found::Somehow(fired))
                .by("caps")
        }
        Conclusion::Unknown(_) => return None,
    };
    answer.refinements = outcome.refinements;
    Some(answer)
}

/// The keys are closed, and none can be as asked.
fn never(checker: &Checker<'_>, task: &Task, seen: &Seen<'_>, closed: &Closed) -> Option<Answer> {
    let places = &seen.counted.places;
    if closed.keys.len().saturating_mul(places.len()) > MOST_NUMBERS {
        return None;
    }
    let name = |&place: &usize| checker.net.places[place].id.clone();
    // Evidence names places in the order of their names, and so are the numbers of keys.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&slot| name(&places[slot]));
    let sorted = |key: &Vec<u64>| order.iter().map(|&slot| key[slot]).collect();
    let body = evidence::Capped {
        caps: (places.iter())
            .map(|place| (name(place), seen.level(*place).clone()))
            .collect(),
        keys: closed.keys.iter().map(sorted).collect(),
    };
    let counted = match places.len() {
        0 => "whatever the tokens are".to_owned(),
        number => format!(
            "with {} of {} counted, up to {}",
            number,
            count(checker.net.places.len(), "place"),
            places
                .iter()
                .map(|&place| seen.level(place).last())
                .max()
                .unwrap_or(0),
        ),
    };
    let kinds = count(closed.keys.len(), "kind");
    let mut answer = Answer::new(&task.asked.name, task.verdict(false))
        .because(format!(
            "{counted}, {kinds} of markings contain all, and none is such"
        ))
        .by("caps");
    answer
        .details
        .push(("kinds".to_owned(), json!(closed.keys.len())));
    Some(answer.with_evidence(task.evidence(false, CAPPED, &body)))
}
