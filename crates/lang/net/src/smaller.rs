//! Smaller nets for one question.
//!
//! What a question about tokens of some places, or about being stuck, cannot notice is taken
//! away (Berthelot 1986; Thierry-Mieg, PETRI NETS 2020). Every transition of the smaller net stands for a word of
//! transitions of the given one, so that its runs are runs there.
//!
//! * Transitions that can never fire, since a place never gets a token: taken away.
//! * What does not matter, step by step backwards from the places that are asked about: taken
//!   away, unless the question is about being stuck.
//! * Places that nobody needs, or that always have enough, or are never emptier than another one
//!   with the same arcs: taken away. So are transitions that change nothing (unless the question
//!   is about being stuck) and those that do the same as another one and need no less.
//! * A place that is empty at the start and passes single tokens on: those who give (`h`) and
//!   those who take (`f`) become one transition each, `h` and at once `f`,
//!   * if it is all that each `f` needs, and no `f` is noticed: then each `f` may as well come
//!     at once, and one that never came may come, too. Where the net is stuck the place is empty,
//!     so that this holds for being stuck as well;
//!   * if it is all that each `h` gives, no `h` is noticed, and each takes all that it tests: then each
//!     `h` may as well wait for its `f`, and one whose token stays may be left out. (A net may be
//!     stuck with such a token, so that this is not for being stuck.)
//!
//! For formulas of linear time that do not see repetitions, only what leaves runs as they are is
//! done: transitions that never fire, places that hold nobody up, one of two transitions that do
//! the same, and the first way to pass tokens on: of a run, each `f` may come at once after its `h`, which changes only
//! where the run repeats what is seen; where it ends the place is empty. What does not matter to the places that are asked about may still go on
//! for ever, and stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quotient_core::{Budget, Span, Stop};

use crate::net::{Guard, Net, Place, Transition};

/// The most transitions that a word has, and that all words together have.
const LONGEST_WORD: usize = 5_000;
const MOST_LETTERS: usize = 3_000_000;

/// A smaller net.
pub(crate) struct Smaller {
    /// Its transitions are called by their numbers.
    pub(crate) net: Net,
    /// The place of the given net that each of its places is.
    pub(crate) places: Vec<usize>,
    /// What each of its transitions stands for.
    pub(crate) words: Vec<Vec<usize>>,
}

/// What must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept<'a> {
    /// Which tokens these places can have together.
    Places(&'a BTreeSet<usize>),
    /// What these places show along runs that do not end before the net is stuck, but for repetitions.
    Runs(&'a BTreeSet<usize>),
    /// Whether the net can get stuck.
    Stuck,
}

/// A smaller net with one start, if the given one only takes and gives.
pub(crate) fn smaller(
    net: &Net,
    start: &[u64],
    kept: Kept<'_>,
    budget: &Budget,
) -> Result<Option<Smaller>, Stop> {
    if !net.only_takes_and_gives() {
        return Ok(None);
    }
    let mut work = Work::new(net, start, kept);
    work.without_dead();
    loop {
        budget.charge(1 + work.moves.len() as u64)?;
        let mut changed = work.without_irrelevant();
        changed |= work.without_useless_places();
        changed |= work.without_useless_moves();
        for place in 0..start.len() {
            budget.charge(1)?;
            changed |= work.fused(place);
        }
        if !changed {
            return Ok(Some(work.net(net)));
        }
    }
}

/// A transition: by place, what it needs and by how much it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Move {
    arcs: BTreeMap<usize, (u64, i64)>,
    word: Vec<usize>,
}

impl Move {
    fn change(&self, place: usize) -> i64 {
        self.arcs.get(&place).map_or(0, |arc| arc.1)
    }

    fn need(&self, place: usize) -> u64 {
        self.arcs.get(&place).map_or(0, |arc| arc.0)
    }

    /// This one and then the other.
    fn then(&self, other: &Move) -> Option<Move> {
        let mut arcs = self.arcs.clone();
        for (&place, &(need, change)) in &other.arcs {
            let arc = arcs.entry(place).or_insert((0, 0));
            // What is needed after the first, as far as the first does not give it.
            let before = i128::from(need) - i128::from(arc.1);
            arc.0 = arc.0.max(u64::try_from(before.max(0)).ok()?);
            arc.1 = arc.1.checked_add(change)?;
        }
        arcs.retain(|_, arc| *arc != (0, 0));
        let word = [&self.word[..], &other.word[..]].concat();
        (word.len() <= LONGEST_WORD).then_some(Move { arcs, word })
    }
}

struct Work<'a> {
    start: &'a [u64],
    kept: Kept<'a>,
    moves: Vec<Option<Move>>,
    /// By place: who has an arc to it; who is there no more may be among them.
    around: Vec<BTreeSet<usize>>,
    gone: Vec<bool>,
    letters: usize,
}

impl<'a> Work<'a> {
    fn new(net: &Net, start: &'a [u64], kept: Kept<'a>) -> Work<'a> {
        let mut work = Work {
            start,
            kept,
            moves: Vec::new(),
            around: vec![BTreeSet::new(); start.len()],
            gone: vec![false; start.len()],
            letters: 0,
        };
        for (number, transition) in net.transitions.iter().enumerate() {
            let mut arcs: BTreeMap<usize, (u64, i64)> = BTreeMap::new();
            for guard in &transition.guard {
                let arc = arcs.entry(guard.place).or_default();
                arc.0 = arc.0.max(guard.least);
            }
            for &(place, change) in &transition.effect {
                let arc = arcs.entry(place).or_default();
                arc.1 = arc.1.saturating_add(change);
            }
            arcs.retain(|_, arc| *arc != (0, 0));
            work.add(Move {
                arcs,
                word: vec![number],
            });
        }
        work
    }

    fn add(&mut self, one: Move) {
        let number = self.moves.len();
        for &place in one.arcs.keys() {
            self.around[place].insert(number);
        }
        self.letters += one.word.len();
        self.moves.push(Some(one));
    }

    fn remove(&mut self, number: usize) {
        if let Some(one) = self.moves[number].take() {
            self.letters -= one.word.len();
            for place in one.arcs.keys() {
                self.around[*place].remove(&number);
            }
        }
    }

    fn remove_place(&mut self, place: usize) {
        self.gone[place] = true;
        for number in std::mem::take(&mut self.around[place]) {
            if let Some(one) = &mut self.moves[number] {
                one.arcs.remove(&place);
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, &Move)> {
        let all = self.moves.iter().enumerate();
        all.filter_map(|(number, one)| Some((number, one.as_ref()?)))
    }

    fn is_asked(&self, place: usize) -> bool {
        match self.kept {
            Kept::Places(places) | Kept::Runs(places) => places.contains(&place),
            Kept::Stuck => false,
        }
    }

    /// Whether only single markings are asked about, so that runs need not go on as they do in the given net.
    fn is_about_markings(&self) -> bool {
        matches!(self.kept, Kept::Places(_))
    }

    /// Whether the question may notice it.
    fn is_noticed(&self, one: &Move) -> bool {
        match self.kept {
            Kept::Places(places) | Kept::Runs(places) => {
                places.iter().any(|&place| one.change(place) != 0)
            }
            Kept::Stuck => false,
        }
    }

    /// Transitions that wait for tokens that never come.
    fn without_dead(&mut self) {
        let mut marked: Vec<bool> = self.start.iter().map(|&tokens| tokens > 0).collect();
        let mut alive = vec![false; self.moves.len()];
        loop {
            let mut grown = false;
            for (number, one) in self.moves.iter().enumerate() {
                let Some(one) = one.as_ref().filter(|_| !alive[number]) else {
                    continue;
                };
                if one
                    .arcs
                    .iter()
                    .all(|(&place, arc)| arc.0 == 0 || marked[place])
                {
                    alive[number] = true;
                    grown = true;
                    let given = one.arcs.iter().filter(|(_, arc)| arc.1 > 0);
                    given.for_each(|(&place, _)| marked[place] = true);
                }
            }
            if !grown {
                break;
            }
        }
        for (number, _) in alive.iter().enumerate().filter(|(_, alive)| !**alive) {
            self.remove(number);
        }
    }

    /// What does not matter to the places that are asked about.
    fn without_irrelevant(&mut self) -> bool {
        let Kept::Places(asked) = self.kept else {
            return false;
        };
        let mut relevant = asked.clone();
        let mut todo: Vec<usize> = asked.iter().copied().collect();
        let mut used = BTreeSet::new();
        while let Some(place) = todo.pop() {
            for &number in &self.around[place] {
                let Some(one) = &self.moves[number] else {
                    continue;
                };
                if one.change(place) == 0 || !used.insert(number) {
                    continue;
                }
                for (&other, arc) in &one.arcs {
                    if arc.0 > 0 && relevant.insert(other) {
                        todo.push(other);
                    }
                }
            }
        }
        let useless: Vec<usize> = self
            .all()
            .map(|one| one.0)
            .filter(|one| !used.contains(one))
            .collect();
        for &number in &useless {
            self.remove(number);
        }
        let mut changed = !useless.is_empty();
        for place in 0..self.start.len() {
            if !self.gone[place] && !relevant.contains(&place) {
                self.remove_place(place);
                changed = true;
            }
        }
        changed
    }

    /// Places that never hold anybody up.
    fn without_useless_places(&mut self) -> bool {
        let mut changed = false;
        let mut alike: HashMap<Vec<(usize, u64, i64)>, usize> = HashMap::new();
        for place in 0..self.start.len() {
            if self.gone[place] || self.is_asked(place) {
                continue;
            }
            let arcs: Vec<(usize, u64, i64)> = self.around[place]
                .iter()
                .filter_map(|&number| {
                    let one = self.moves[number].as_ref()?;
                    Some((number, one.need(place), one.change(place)))
                })
                .collect();
            let tokens = self.start[place];
            let enough = arcs.iter().all(|&(_, need, _)| need <= tokens);
            let grows = arcs.iter().all(|&(_, _, change)| change >= 0);
            let unneeded = arcs.iter().all(|&(_, need, _)| need == 0);
            if unneeded || enough && grows {
                self.remove_place(place);
                changed = true;
                continue;
            }
            // Of two places with the same arcs, the one with fewer tokens decides.
            match alike.get(&arcs).copied() {
                Some(other) => {
                    let fuller = match tokens >= self.start[other] {
                        true => place,
                        false => other,
                    };
                    if fuller == other {
                        alike.insert(arcs, place);
                    }
                    self.remove_place(fuller);
                    changed = true;
                }
                None => {
                    alike.insert(arcs, place);
                }
            }
        }
        changed
    }

    /// Transitions that change nothing, or do what another one does.
    fn without_useless_moves(&mut self) -> bool {
        let mut useless = Vec::new();
        let mut same: HashMap<Vec<(usize, i64)>, Vec<usize>> = HashMap::new();
        for (number, one) in self.all() {
            let changes = one.arcs.iter().filter(|(_, arc)| arc.1 != 0);
            let changes: Vec<(usize, i64)> = changes.map(|(&place, arc)| (place, arc.1)).collect();
            if changes.is_empty() && self.is_about_markings() {
                useless.push(number);
                continue;
            }
            same.entry(changes).or_default().push(number);
        }
        for group in same.values().filter(|group| group.len() > 1) {
            let mut left: Vec<usize> = Vec::new();
            for &number in group.iter().take(200) {
                let needs_less =
                    |one: usize, other: usize| match (&self.moves[one], &self.moves[other]) {
                        (Some(one), Some(other)) => one
                            .arcs
                            .iter()
                            .all(|(&place, arc)| arc.0 <= other.need(place)),
                        _ => false,
                    };
                if left.iter().any(|&one| needs_less(one, number)) {
                    useless.push(number);
                    continue;
                }
                let (worse, kept) = left.iter().partition(|&&one| needs_less(number, one));
                useless.extend::<Vec<usize>>(worse);
                left = kept;
                left.push(number);
            }
        }
        useless.sort_unstable();
        for &number in &useless {
            self.remove(number);
        }
        !useless.is_empty()
    }

    /// Makes one transition of each pair around a place that only passes tokens on.
    fn fused(&mut self, place: usize) -> bool {
        if self.gone[place] || self.is_asked(place) || self.start[place] != 0 {
            return false;
        }
        let (mut givers, mut takers) = (Vec::new(), Vec::new());
        for &number in &self.around[place] {
            let Some(one) = &self.moves[number] else {
                continue;
            };
            match (one.need(place), one.change(place)) {
                (0, 1) => givers.push((number, one.clone())),
                (1, -1) => takers.push((number, one.clone())),
                _ => return false,
            }
        }
        let (from, to) = (givers.len(), takers.len());
        if from == 0 || to == 0 || from * to > (from + to).max(4) {
            return false;
        }
        let only_taker = |one: &Move| {
            let needs = one.arcs.iter().filter(|(_, arc)| arc.0 > 0).count();
            needs == 1 && !self.is_noticed(one)
        };
        let only_giver = |one: &Move| {
            let gives = one.arcs.iter().filter(|(_, arc)| arc.1 > 0).count();
            let takes_all =
                |(_, arc): (&usize, &(u64, i64))| arc.0 == 0 || arc.1 == -(arc.0 as i64);
            gives == 1 && one.arcs.iter().all(takes_all) && !self.is_noticed(one)
        };
        let at_once = takers.iter().all(|(_, one)| only_taker(one));
        let late = self.is_about_markings() && givers.iter().all(|(_, one)| only_giver(one));
        if !at_once && !late {
            return false;
        }
        let mut both = Vec::with_capacity(from * to);
        let mut letters = self.letters;
        for (_, giver) in &givers {
            for (_, taker) in &takers {
                let Some(one) = giver.then(taker) else {
                    return false;
                };
                letters += one.word.len();
                both.push(one);
            }
        }
        if letters > MOST_LETTERS {
            return false;
        }
        for (number, _) in givers.iter().chain(&takers) {
            self.remove(*number);
        }
        for one in both {
            self.add(one);
        }
        self.remove_place(place);
        true
    }

    fn net(self, given: &Net) -> Smaller {
        let places: Vec<usize> = (0..self.start.len())
            .filter(|&place| !self.gone[place])
            .collect();
        let mut numbers = vec![0; self.start.len()];
        for (number, &place) in places.iter().enumerate() {
            numbers[place] = number;
        }
        let place = |&place: &usize| Place {
            least: self.start[place],
            most: Some(self.start[place]),
            ..given.places[place].clone()
        };
        let mut net = Net {
            places: places.iter().map(place).collect(),
            ..Net::default()
        };
        let mut words = Vec::new();
        for one in self.moves.into_iter().flatten() {
            let number = net.transitions.len().to_string();
            let needs = one.arcs.iter().filter(|(_, arc)| arc.0 > 0);
            let changes = one.arcs.iter().filter(|(_, arc)| arc.1 != 0);
            net.transitions.push(Transition {
                id: number.clone(),
                label: number,
                guard: needs
                    .map(|(&place, arc)| Guard {
                        place: numbers[place],
                        least: arc.0,
                        most: None,
                    })
                    .collect(),
                effect: changes
                    .map(|(&place, arc)| (numbers[place], arc.1))
                    .collect(),
                assign: Vec::new(),
                span: Span::default(),
            });
            words.push(one.word);
        }
        Smaller { net, places, words }
    }
}
