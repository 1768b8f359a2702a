//! Is the set an invariant, the order an order, and does the second player get down in it?

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use quotient_automata::evidence::PlainAutomaton;
use quotient_automata::game::{Game, OrderEvidence, PlainRelation};
use quotient_automata::{Alphabet, Letter, Nfa};
use quotient_core::{Budget, Stop};

use super::steps::Steps;
use crate::Rejection;
use crate::sets::Subsets;

/// All conditions of the module, one after the other.
pub(super) fn check(
    body: &OrderEvidence,
    game: &Game,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let alphabet = game.initial.alphabet();
    let invariant = automaton(&body.invariant, alphabet)?;
    let order = Order::of(&body.order, alphabet)?;
    let question = Question {
        first: Steps::of(&game.first, budget)?,
        second: Steps::of(&game.second, budget)?,
        invariant: &invariant,
        game,
        order: &order,
        budget,
    };
    if let Some(choosing) = game.fairness {
        question.first.only_choose(choosing)?;
    }
    let wrong = |text: &str| Err(Rejection::wrong(text));
    if !question.contains_beginning()? {
        return wrong("some initial word is not in the invariant");
    }
    if game.everywhere && !question.is_closed()? {
        return wrong("a round leaves the invariant");
    }
    if !order.is_irreflexive(alphabet, budget)? {
        return wrong("some word is smaller than itself");
    }
    if !order.is_transitive(budget)? {
        return wrong("the order is not transitive");
    }
    if !question.gets_down()? {
        return wrong("to some move there is no answer that is smaller");
    }
    let mut facts = vec!["every initial word is in the invariant".to_owned()];
    if game.everywhere {
        facts.push("no round leaves it".to_owned());
    }
    facts.push("the order is irreflexive and transitive".to_owned());
    if game.fairness.is_some() {
        if !question.is_helped()? {
            return wrong("in some word no process helps when it is chosen");
        }
        facts.push("every move has an answer that is smaller or changes nothing".to_owned());
        facts.push("in every word some process that can be chosen leads down".to_owned());
    } else {
        facts.push("every move has an answer that is smaller".to_owned());
    }
    Ok(facts)
}

/// The invariant over the letters of the game.
fn automaton(plain: &PlainAutomaton, alphabet: &Alphabet) -> Result<Nfa, Rejection> {
    // Every state that matters is mentioned somewhere: the file is not smaller than what it says.
    let edges = plain.edges.len().saturating_mul(2);
    let mentioned = edges.saturating_add(plain.initial.len() + plain.accepting.len());
    if plain.states as usize > mentioned.saturating_add(1) {
        return Err(Rejection::unreadable(
            "the invariant claims to have too many states",
        ));
    }
    plain.to_nfa(alphabet).map_err(|error| {
        Rejection::unreadable(format!("the invariant does not fit the game: {error}"))
    })
}

/// The order: an automaton on pairs of letters.
struct Order {
    initial: BTreeSet<u32>,
    accepting: HashSet<u32>,
    moves: HashMap<(u32, Letter, Letter), BTreeSet<u32>>,
}

impl Order {
    fn of(plain: &PlainRelation, alphabet: &Alphabet) -> Result<Order, Rejection> {
        let letter = |name: &str| {
            let unknown = || Rejection::unreadable(format!("the game has no letter `{name}`"));
            alphabet.letter(name).ok_or_else(unknown)
        };
        let named = plain.initial.iter().chain(&plain.accepting);
        let ends = plain.edges.iter().flat_map(|edge| [&edge.from, &edge.to]);
        if named.chain(ends).any(|&state| state >= plain.states) {
            return Err(Rejection::unreadable("the order names a state it has not"));
        }
        let mut moves: HashMap<(u32, Letter, Letter), BTreeSet<u32>> = HashMap::new();
        for edge in &plain.edges {
            for (left, right) in &edge.pairs {
                let key = (edge.from, letter(left)?, letter(right)?);
                moves.entry(key).or_default().insert(edge.to);
            }
        }
        Ok(Order {
            initial: plain.initial.iter().copied().collect(),
            accepting: plain.accepting.iter().copied().collect(),
            moves,
        })
    }

    fn step(&self, states: &BTreeSet<u32>, left: Letter, right: Letter) -> BTreeSet<u32> {
        let after = states
            .iter()
            .filter_map(|&state| self.moves.get(&(state, left, right)));
        after.flatten().copied().collect()
    }

    fn accepts(&self, states: &BTreeSet<u32>) -> bool {
        states.iter().any(|state| self.accepting.contains(state))
    }

    /// Whether no word is compared with itself.
    fn is_irreflexive(&self, alphabet: &Alphabet, budget: &Budget) -> Result<bool, Stop> {
        let mut search = Search::new([self.initial.clone()]);
        while let Some(states) = search.next(budget)? {
            if self.accepts(&states) {
                return Ok(false);
            }
            for letter in alphabet.letters() {
                search.add(self.step(&states, letter, letter));
            }
        }
        Ok(true)
    }

    /// Whether a word that is smaller than one smaller than a third is smaller than that.
    fn is_transitive(&self, budget: &Budget) -> Result<bool, Stop> {
        let mut lists: HashMap<u32, Vec<(Letter, Letter, u32)>> = HashMap::new();
        for (&(from, left, right), targets) in &self.moves {
            let list = lists.entry(from).or_default();
            list.extend(targets.iter().map(|&to| (left, right, to)));
        }
        let moves = |state: u32| lists.get(&state).map_or(&[][..], Vec::as_slice);
        let starts = self.initial.iter().flat_map(|&one| {
            let others = self.initial.iter();
            others.map(move |&other| (one, other, self.initial.clone()))
        });
        let mut search = Search::new(starts);
        while let Some((one, other, both)) = search.next(budget)? {
            let chained = self.accepting.contains(&one) && self.accepting.contains(&other);
            if chained && !self.accepts(&both) {
                return Ok(false);
            }
            for &(a, b, after) in moves(one) {
                budget.poll()?;
                for &(_, c, then) in moves(other).iter().filter(|(left, ..)| *left == b) {
                    search.add((after, then, self.step(&both, a, c)));
                }
            }
        }
        Ok(true)
    }
}

/// A game with the evidence about it.
struct Question<'a> {
    game: &'a Game,
    first: Steps,
    second: Steps,
    invariant: &'a Nfa,
    order: &'a Order,
    budget: &'a Budget,
}

/// An answer read so far: the state of the second player, of the invariant and of the goal, what
/// the order says, and whether it is the word itself.
type Answer = (usize, usize, usize, BTreeSet<u32>, bool);

impl Question<'_> {
    fn contains_beginning(&self) -> Result<bool, Stop> {
        let mut initial = Subsets::new(&self.game.initial, self.budget);
        let mut inside = Subsets::new(self.invariant, self.budget);
        let mut search = Search::new([(initial.start(), inside.start())]);
        while let Some((one, other)) = search.next(self.budget)? {
            if initial.accepts(one) && !inside.accepts(other) {
                return Ok(false);
            }
            for letter in self.game.initial.alphabet().letters() {
                search.add((initial.step(one, letter)?, inside.step(other, letter)?));
            }
        }
        Ok(true)
    }

    /// Whether every answer to every move from the invariant is in the invariant. Plays end at
    /// the goal.
    fn is_closed(&self) -> Result<bool, Stop> {
        let mut inside = Subsets::new(self.invariant, self.budget);
        let mut goal = Subsets::new(&self.game.goal, self.budget);
        let (start, open) = (inside.start(), goal.start());
        let starts = self.first.initial.iter().flat_map(|&one| {
            let others = self.second.initial.iter();
            others.map(move |&other| (one, other, start, open, open, start))
        });
        let mut search = Search::new(starts);
        while let Some(node) = search.next(self.budget)? {
            let (one, other, before, before_goal, made_goal, after) = node;
            let plays = self.first.accepting[one]
                && self.second.accepting[other]
                && inside.accepts(before)
                && !goal.accepts(before_goal)
                && !goal.accepts(made_goal);
            if plays && !inside.accepts(after) {
                return Ok(false);
            }
            for &(x, y, to) in &self.first.moves[one] {
                for &(_, z, then) in self.second.moves[other].iter().filter(|(a, ..)| *a == y) {
                    search.add((
                        to,
                        then,
                        inside.step(before, x)?,
                        goal.step(before_goal, x)?,
                        goal.step(made_goal, y)?,
                        inside.step(after, z)?,
                    ));
                }
            }
        }
        Ok(true)
    }

    /// Whether every move from the invariant outside the goal leads to the goal or has an answer
    /// that is better; or, if it chooses a process, one that changes nothing.
    fn gets_down(&self) -> Result<bool, Stop> {
        let mut inside = Subsets::new(self.invariant, self.budget);
        let mut goal = Subsets::new(&self.game.goal, self.budget);
        let (start, open) = (inside.start(), goal.start());
        let chosen = self.game.fairness.map(|choosing| choosing.chosen);
        let mut answers: Sets<Answer> = Sets::default();
        let none = answers.number(self.no_answer_yet(start, open));
        let starts = self.first.initial.iter();
        let mut search = Search::new(starts.map(|&one| (one, start, open, open, false, none)));
        while let Some((one, before, before_goal, made_goal, chose, set)) =
            search.next(self.budget)?
        {
            let plays = self.first.accepting[one]
                && inside.accepts(before)
                && !goal.accepts(before_goal)
                && !goal.accepts(made_goal);
            let fine = |answer: &Answer| {
                self.is_better(answer, &inside, &goal)
                    || (chose && self.changes_nothing(answer, &inside))
            };
            if plays && !answers.sets[set].iter().any(fine) {
                return Ok(false);
            }
            for &(x, y, to) in &self.first.moves[one] {
                let next = match answers.known(set, x, y) {
                    Some(known) => known,
                    None => {
                        let mut after = BTreeSet::new();
                        for answer in &answers.sets[set] {
                            let more = self.goes_on(answer, x, y, &mut inside, &mut goal)?;
                            after.extend(more);
                        }
                        answers.lead(set, x, y, after)
                    }
                };
                search.add((
                    to,
                    inside.step(before, x)?,
                    goal.step(before_goal, x)?,
                    goal.step(made_goal, y)?,
                    chose || chosen == Some(y),
                    next,
                ));
            }
        }
        Ok(true)
    }

    /// Whether in every word of the invariant outside the goal where a process can be chosen,
    /// there is one whose choice leads to the goal or has an answer that is better.
    fn is_helped(&self) -> Result<bool, Stop> {
        let mut inside = Subsets::new(self.invariant, self.budget);
        let mut goal = Subsets::new(&self.game.goal, self.budget);
        let (start, open) = (inside.start(), goal.start());
        let chosen = self.game.fairness.map(|choosing| choosing.chosen);
        // A choice read so far, the goal for what it makes, and an answer (or none yet, if the
        // choice itself may lead to the goal).
        type Help = (usize, bool, usize, Option<Answer>);
        let mut begin: BTreeSet<Help> = BTreeSet::new();
        for &one in &self.first.initial {
            begin.insert((one, false, open, None));
            let answers = self.no_answer_yet(start, open);
            begin.extend(
                answers
                    .into_iter()
                    .map(|answer| (one, false, open, Some(answer))),
            );
        }
        let mut helps: Sets<Help> = Sets::default();
        let begin = helps.number(begin);
        let starts = self.first.initial.iter();
        let mut search = Search::new(starts.map(|&one| (one, start, open, false, begin)));
        while let Some((one, before, before_goal, chose, set)) = search.next(self.budget)? {
            let plays = self.first.accepting[one]
                && chose
                && inside.accepts(before)
                && !goal.accepts(before_goal);
            let fine = |(one, chose, made_goal, answer): &Help| {
                let leads = match answer {
                    None => goal.accepts(*made_goal),
                    Some(answer) => self.is_better(answer, &inside, &goal),
                };
                *chose && self.first.accepting[*one] && leads
            };
            if plays && !helps.sets[set].iter().any(fine) {
                return Ok(false);
            }
            for &(x, y, to) in &self.first.moves[one] {
                let next = match helps.known(set, x, x) {
                    Some(known) => known,
                    None => {
                        let mut after: BTreeSet<Help> = BTreeSet::new();
                        for (one, chose, made_goal, answer) in &helps.sets[set] {
                            for &(_, y, to) in self.first.moves[*one].iter().filter(|m| m.0 == x) {
                                let chose = *chose || chosen == Some(y);
                                let made_goal = goal.step(*made_goal, y)?;
                                let Some(answer) = answer else {
                                    after.insert((to, chose, made_goal, None));
                                    continue;
                                };
                                let more = self.goes_on(answer, x, y, &mut inside, &mut goal)?;
                                let more = more.into_iter();
                                after.extend(more.map(|one| (to, chose, made_goal, Some(one))));
                            }
                        }
                        helps.lead(set, x, x, after)
                    }
                };
                search.add((
                    to,
                    inside.step(before, x)?,
                    goal.step(before_goal, x)?,
                    chose || chosen == Some(y),
                    next,
                ));
            }
        }
        Ok(true)
    }

    fn no_answer_yet(&self, inside: usize, goal: usize) -> BTreeSet<Answer> {
        let starts = self.second.initial.iter();
        starts
            .map(|&state| (state, inside, goal, self.order.initial.clone(), true))
            .collect()
    }

    /// How an answer goes on after one more letter of the word and of what was made of it.
    fn goes_on(
        &self,
        answer: &Answer,
        x: Letter,
        y: Letter,
        inside: &mut Subsets<'_>,
        goal: &mut Subsets<'_>,
    ) -> Result<Vec<Answer>, Stop> {
        let (state, within, reached, order, same) = answer;
        let mut found = Vec::new();
        for &(_, z, to) in self.second.moves[*state].iter().filter(|(a, ..)| *a == y) {
            self.budget.charge(1)?;
            found.push((
                to,
                inside.step(*within, z)?,
                goal.step(*reached, z)?,
                self.order.step(order, x, z),
                *same && x == z,
            ));
        }
        Ok(found)
    }

    /// Whether an answer is the goal, or a smaller word of the invariant.
    fn is_better(&self, answer: &Answer, inside: &Subsets<'_>, goal: &Subsets<'_>) -> bool {
        let (state, within, reached, order, _) = answer;
        self.second.accepting[*state]
            && (goal.accepts(*reached) || (inside.accepts(*within) && self.order.accepts(order)))
    }

    /// Whether an answer is the word itself.
    fn changes_nothing(&self, answer: &Answer, inside: &Subsets<'_>) -> bool {
        let (state, within, _, _, same) = answer;
        *same && self.second.accepting[*state] && inside.accepts(*within)
    }
}

/// Sets of things, numbered, with where pairs of letters lead them.
struct Sets<T> {
    sets: Vec<BTreeSet<T>>,
    numbers: HashMap<BTreeSet<T>, usize>,
    moves: HashMap<(usize, Letter, Letter), usize>,
}

impl<T> Default for Sets<T> {
    fn default() -> Self {
        Sets {
            sets: Vec::new(),
            numbers: HashMap::new(),
            moves: HashMap::new(),
        }
    }
}

impl<T: Ord + Hash + Clone> Sets<T> {
    fn number(&mut self, set: BTreeSet<T>) -> usize {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        self.numbers.insert(set.clone(), self.sets.len());
        self.sets.push(set);
        self.sets.len() - 1
    }

    fn known(&self, set: usize, left: Letter, right: Letter) -> Option<usize> {
        self.moves.get(&(set, left, right)).copied()
    }

    fn lead(&mut self, set: usize, left: Letter, right: Letter, to: BTreeSet<T>) -> usize {
        let number = self.number(to);
        self.moves.insert((set, left, right), number);
        number
    }
}

/// Everything that can be reached, each thing once.
struct Search<T> {
    seen: HashSet<T>,
    waiting: Vec<T>,
}

impl<T: Clone + Eq + Hash> Search<T> {
    fn new(starts: impl IntoIterator<Item = T>) -> Self {
        let mut search = Search {
            seen: HashSet::new(),
            waiting: Vec::new(),
        };
        starts.into_iter().for_each(|start| search.add(start));
        search
    }

    fn add(&mut self, thing: T) {
        if self.seen.insert(thing.clone()) {
            self.waiting.push(thing);
        }
    }

    fn next(&mut self, budget: &Budget) -> Result<Option<T>, Stop> {
        budget.charge(1)?;
        Ok(self.waiting.pop())
    }
}
