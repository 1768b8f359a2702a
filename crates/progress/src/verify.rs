//! Whether an invariant and an order do for words of every length.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::arena::Tables;
use crate::machine::{Set, Symbol, Word};
use crate::rank::Relation;

/// A letter that the order does not speak of.
pub(crate) const FOREIGN: Symbol = Symbol::MAX;

/// An invariant and an order to be checked.
pub(crate) struct Claim<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) invariant: &'a Set,
    pub(crate) order: &'a Relation,
    /// The numbers that the order has for letters, or [`FOREIGN`].
    pub(crate) numbers: &'a [Symbol],
}

/// A word that the second player may answer with, read so far beside what it is compared with.
type Answer = (u32, u32, u32, u32, bool);

/// What is read of a move and an answer to it by one who sees only the word before.
type Helpful = (u32, bool, u32, Option<Answer>);

impl Claim<'_> {
    /// A word of the invariant, one of the shortest, from which the second player cannot get on;
    /// none if there is no such word.
    pub(crate) fn counterexample(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        match self.unanswered(budget)? {
            None if self.tables.chosen.is_some() => self.helpless(budget),
            found => Ok(found),
        }
    }

    /// A word with a move to which no answer is smaller (or the same word, if the move chooses a
    /// process of several).
    fn unanswered(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        let Tables {
            goal,
            first,
            second,
            chosen,
            ..
        } = self.tables;
        let live = self.invariant.live();
        let mut sets = Subsets::default();
        let begin: Vec<Answer> = second
            .initial
            .iter()
            .map(|&state| {
                let start = self.invariant.start;
                (state, start, goal.start, self.order.start, true)
            })
            .collect();
        let start = sets.set(begin);
        let mut search = Search::default();
        for &state in &first.initial {
            let node = (
                self.invariant.start,
                goal.start,
                state,
                goal.start,
                false,
                start,
            );
            search.add(node, None);
        }
        while let Some((at, node)) = search.next() {
            budget.charge(1)?;
            let (inside, before, state, after, choosing, set) = node;
            let open = self.invariant.accepting[inside as usize]
                && !goal.accepting[before as usize]
                && first.accepting[state as usize]
                && !goal.accepting[after as usize];
            let answered =
                |answer: &Answer| self.is_better(answer) || (choosing && self.is_same(answer));
            if open && !sets.any(set, answered) {
                return Ok(Some(search.word(at)));
            }
            for &(x, y, to) in &first.moves[state as usize] {
                let inside = self.invariant.step(inside, x);
                if !live[inside as usize] {
                    continue;
                }
                let set = sets.step(set, (x, y), budget, |answer, found| {
                    self.answers(answer, x, y, found);
                })?;
                let choosing = choosing || *chosen == Some(y);
                let node = (
                    inside,
                    goal.step(before, x),
                    to,
                    goal.step(after, y),
                    choosing,
                    set,
                );
                search.add(node, Some((at, x)));
            }
        }
        Ok(None)
    }

    /// A word where processes can be chosen, and none of them brings the second player on.
    fn helpless(&self, budget: &Budget) -> Result<Option<Word>, Stop> {
        let Tables {
            goal,
            first,
            second,
            chosen,
            ..
        } = self.tables;
        let live = self.invariant.live();
        let mut sets: Subsets<Helpful> = Subsets::default();
        let mut begin: Vec<Helpful> = Vec::new();
        for &one in &first.initial {
            begin.push((one, false, goal.start, None));
            begin.extend(second.initial.iter().map(|&other| {
                let start = self.invariant.start;
                let answer = (other, start, goal.start, self.order.start, true);
                (one, false, 0, Some(answer))
            }));
        }
        let start = sets.set(begin);
        let mut search = Search::default();
        for &state in &first.initial {
            search.add(
                (self.invariant.start, goal.start, state, false, start),
                None,
            );
        }
        while let Some((at, node)) = search.next() {
            budget.charge(1)?;
            let (inside, before, state, choosing, set) = node;
            let open = self.invariant.accepting[inside as usize]
                && !goal.accepting[before as usize]
                && first.accepting[state as usize]
                && choosing;
            let helps = |&(state, choosing, after, answer): &Helpful| {
                let leads = match &answer {
                    None => goal.accepting[after as usize],
                    Some(answer) => self.is_better(answer),
                };
                choosing && first.accepting[state as usize] && leads
            };
            if open && !sets.any(set, helps) {
                return Ok(Some(search.word(at)));
            }
            for &(x, y, to) in &first.moves[state as usize] {
                let inside = self.invariant.step(inside, x);
                if !live[inside as usize] {
                    continue;
                }
                let set = sets.step(set, (x, 0), budget, |helpful, found| {
                    let &(state, choosing, after, answer) = helpful;
                    for &(_, y, to) in first.moves[state as usize].iter().filter(|m| m.0 == x) {
                        let choosing = choosing || *chosen == Some(y);
                        match &answer {
                            None => found.push((to, choosing, goal.step(after, y), None)),
                            Some(answer) => {
                                let mut answers = Vec::new();
                                self.answers(answer, x, y, &mut answers);
                                let more = answers.into_iter();
                                found.extend(more.map(|one| (to, choosing, 0, Some(one))));
                            }
                        }
                    }
                })?;
                let choosing = choosing || *chosen == Some(y);
                search.add(
                    (inside, goal.step(before, x), to, choosing, set),
                    Some((at, x)),
                );
            }
        }
        Ok(None)
    }

    /// How an answer goes on after a letter of the word and what the first player made of it.
    fn answers(&self, answer: &Answer, x: Symbol, y: Symbol, found: &mut Vec<Answer>) {
        let &(state, inside, goal, order, same) = answer;
        let nowhere = self.order.len() as u32;
        for &(_, z, to) in self.tables.second.moves[state as usize]
            .iter()
            .filter(|one| one.0 == y)
        {
            let (left, right) = (self.numbers[x as usize], self.numbers[z as usize]);
            let order = match order == nowhere || left == FOREIGN || right == FOREIGN {
                true => nowhere,
                false => self.order.step(order, left, right),
            };
            found.push((
                to,
                self.invariant.step(inside, z),
                self.tables.goal.step(goal, z),
                order,
                same && x == z,
            ));
        }
    }

    /// Whether an answer is the goal or a smaller word of the invariant.
    fn is_better(&self, &(state, inside, goal, order, _): &Answer) -> bool {
        let smaller = self.order.accepting.get(order as usize) == Some(&true);
        self.tables.second.accepting[state as usize]
            && (self.tables.goal.accepting[goal as usize]
                || (self.invariant.accepting[inside as usize] && smaller))
    }

    /// Whether an answer is the word itself.
    fn is_same(&self, &(state, inside, _, _, same): &Answer) -> bool {
        same && self.tables.second.accepting[state as usize]
            && self.invariant.accepting[inside as usize]
    }
}

/// Sets of things, numbered, with where pairs of letters lead them.
struct Subsets<T> {
    things: Vec<T>,
    numbers: FxHashMap<T, u32>,
    sets: Vec<Vec<u32>>,
    set_numbers: FxHashMap<Vec<u32>, u32>,
    thing_steps: FxHashMap<(u32, (Symbol, Symbol)), Vec<u32>>,
    set_steps: FxHashMap<(u32, (Symbol, Symbol)), u32>,
}

impl<T> Default for Subsets<T> {
    fn default() -> Self {
        Subsets {
            things: Vec::new(),
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            set_numbers: FxHashMap::default(),
            thing_steps: FxHashMap::default(),
            set_steps: FxHashMap::default(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Subsets<T> {
    fn set(&mut self, things: Vec<T>) -> u32 {
        let numbers = things.into_iter().map(|thing| self.number(thing)).collect();
        self.numbered(numbers)
    }

    fn number(&mut self, thing: T) -> u32 {
        let fresh = self.things.len() as u32;
        *self.numbers.entry(thing).or_insert_with(|| {
            self.things.push(thing);
            fresh
        })
    }

    fn numbered(&mut self, mut set: Vec<u32>) -> u32 {
        set.sort_unstable();
        set.dedup();
        let fresh = self.sets.len() as u32;
        *self.set_numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            fresh
        })
    }

    fn any(&self, set: u32, fits: impl Fn(&T) -> bool) -> bool {
        let mut things = self.sets[set as usize].iter();
        things.any(|&thing| fits(&self.things[thing as usize]))
    }

    fn step(
        &mut self,
        set: u32,
        pair: (Symbol, Symbol),
        budget: &Budget,
        lead: impl Fn(&T, &mut Vec<T>),
    ) -> Result<u32, Stop> {
        if let Some(&known) = self.set_steps.get(&(set, pair)) {
            return Ok(known);
        }
        let mut after = Vec::new();
        let members = self.sets[set as usize].clone();
        budget.charge(1 + members.len() as u64)?;
        for thing in members {
            if let Some(known) = self.thing_steps.get(&(thing, pair)) {
                after.extend_from_slice(known);
                continue;
            }
            let mut found = Vec::new();
            lead(&self.things[thing as usize], &mut found);
            let mut found: Vec<u32> = found.into_iter().map(|one| self.number(one)).collect();
            found.sort_unstable();
            found.dedup();
            after.extend_from_slice(&found);
            self.thing_steps.insert((thing, pair), found);
        }
        let number = self.numbered(after);
        self.set_steps.insert((set, pair), number);
        Ok(number)
    }
}

/// A search in breadth that remembers the letters on the way.
struct Search<N> {
    nodes: Vec<(N, Option<(usize, Symbol)>)>,
    seen: rustc_hash::FxHashSet<N>,
    at: usize,
}

impl<N> Default for Search<N> {
    fn default() -> Self {
        Search {
            nodes: Vec::new(),
            seen: rustc_hash::FxHashSet::default(),
            at: 0,
        }
    }
}

impl<N: Copy + Eq + std::hash::Hash> Search<N> {
    fn add(&mut self, node: N, from: Option<(usize, Symbol)>) {
        if self.seen.insert(node) {
            self.nodes.push((node, from));
        }
    }

    fn next(&mut self) -> Option<(usize, N)> {
        let at = self.at;
        let (node, _) = *self.nodes.get(at)?;
        self.at += 1;
        Some((at, node))
    }

    fn word(&self, mut at: usize) -> Word {
        let mut word = Vec::new();
        while let Some((before, letter)) = self.nodes[at].1 {
            word.push(letter);
            at = before;
        }
        word.reverse();
        word.into()
    }
}
