//! Regular invariants from the engine for words.
//!
//! A configuration is a word: a letter for each cell, and one letter that stands for the scanned
//! cell together with the state. Blanks around it are part of the word, any number of them, so
//! that a step never changes the length. A run that stops has looked at finitely many cells, so
//! it stops on words with enough blanks, too. What the engine finds is a set of words that no
//! step leaves and in which none stops; it becomes two automata that read the halves of a tape
//! towards the head, as for every other regular invariant, and the same check applies.

use std::collections::{HashMap, HashSet};

use quotient_automata::{
    Alphabet, Dfa, Label, Letter, Nfa, Predicate, Relation, State as Node, Transducer,
};
use quotient_core::{Budget, Context, Stop};
use quotient_regular::{Found, Options, Problem, Property, check};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side, State, Symbol};
use crate::proof::{HalfAutomaton, Invariant};

/// The most states of each half, and the most meetings.
const STATES: usize = 2_000;
const MEETINGS: usize = 20_000;

/// An invariant that contains the beginning, if the engine for words finds one with so much work.
///
/// Only blanks may be far away on both sides.
pub(super) fn find(
    machine: &Machine,
    beginning: &Beginning,
    work: u64,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    let blank = |half: &Reading| ends_in_blanks(half, machine.blank);
    if !blank(&beginning.left) || !blank(&beginning.right) {
        return Ok(None);
    }
    let Some(letters) = Letters::new(machine) else {
        return Ok(None);
    };
    let Some(problem) = letters.problem(machine, beginning) else {
        return Ok(None);
    };
    let options = Options {
        threads: 1,
        doubt: false,
        ..Options::default()
    };
    let cx = Context {
        budget: budget.child_with_work(work),
        ..Context::default()
    };
    let report = check(&problem, &options, &cx);
    budget.poll()?;
    let found = report.answers.into_iter().next().map(|answer| answer.found);
    let Some(Found::Proof(proof)) = found else {
        return Ok(None);
    };
    let set = Words::new(machine, &letters, &proof.invariant);
    set.invariant(beginning, budget)
}

/// Whether far away there is nothing but blanks.
fn ends_in_blanks(half: &Reading, blank: Symbol) -> bool {
    half.edges.contains(&(0, blank, 0))
        && (half.edges.iter()).all(|&(from, symbol, to)| to != 0 || (from, symbol) == (0, blank))
}

/// The letters of words: the symbols, then each state with the symbol that it scans.
struct Letters {
    alphabet: Alphabet,
    symbols: usize,
}

impl Letters {
    fn new(machine: &Machine) -> Option<Letters> {
        let plain = machine.symbols.iter().map(char::to_string);
        let heads = machine.states.iter().flat_map(|state| {
            let symbols = machine.symbols.iter();
            symbols.map(move |symbol| format!("{state} on {symbol}"))
        });
        Some(Letters {
            alphabet: Alphabet::new(plain.chain(heads)).ok()?,
            symbols: machine.symbols.len(),
        })
    }

    fn plain(&self, symbol: Symbol) -> Letter {
        Letter(u32::from(symbol))
    }

    fn head(&self, state: State, symbol: Symbol) -> Letter {
        let number = self.symbols * (state + 1) + usize::from(symbol);
        Letter(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn all_plain(&self) -> impl Iterator<Item = Symbol> + use<> {
        0..u8::try_from(self.symbols).unwrap_or(u8::MAX)
    }

    fn one(&self, letter: Letter) -> Predicate {
        Predicate::of(&self.alphabet, [letter])
    }

    /// Does a run from the beginning ever stop?
    fn problem(&self, machine: &Machine, beginning: &Beginning) -> Option<Problem> {
        let property = Property {
            name: "it stops".to_owned(),
            bad: self.stopping(machine),
        };
        let step = Relation::new(
            &self.alphabet,
            vec![("step".to_owned(), self.step(machine))],
        );
        let initial = self.initial(machine, beginning);
        Problem::new(initial, vec![property], step).ok()
    }

    /// The words to begin with, any number of blanks around them.
    fn initial(&self, machine: &Machine, beginning: &Beginning) -> Nfa {
        let mut builder = Nfa::builder(&self.alphabet).initial(0);
        let node = |number: usize| Node(u32::try_from(number).unwrap_or(u32::MAX));
        let right = |number: usize| node(beginning.left.states + number);
        for &(from, symbol, to) in &beginning.left.edges {
            builder.add_edge(node(from), &self.one(self.plain(symbol)), node(to));
        }
        // The right half is read towards the head, from right to left.
        for &(from, symbol, to) in &beginning.right.edges {
            builder.add_edge(right(to), &self.one(self.plain(symbol)), right(from));
        }
        for &(one, symbol, other) in &beginning.meetings {
            let head = self.one(self.head(machine.start, symbol));
            builder.add_edge(node(one), &head, right(other));
        }
        builder.add_accepting(right(0));
        builder.build()
    }

    /// The words in which there is no action for state and symbol.
    fn stopping(&self, machine: &Machine) -> Nfa {
        let plain = Predicate::of(
            &self.alphabet,
            self.all_plain().map(|symbol| self.plain(symbol)),
        );
        let stops = (0..machine.states.len()).flat_map(|state| {
            let stopping = move |&symbol: &Symbol| machine.action(state, symbol).is_none();
            let symbols = self.all_plain().filter(stopping);
            symbols.map(move |symbol| self.head(state, symbol))
        });
        let stops = Predicate::of(&self.alphabet, stops);
        let builder = Nfa::builder(&self.alphabet).initial(0).accepting(1);
        let builder = builder.edge(0, &plain, 0).edge(1, &plain, 1);
        builder.edge(0, &stops, 1).build()
    }

    /// One step of the machine; a head at the end of the word has no room to move further.
    fn step(&self, machine: &Machine) -> Transducer {
        let plain = Predicate::of(
            &self.alphabet,
            self.all_plain().map(|symbol| self.plain(symbol)),
        );
        let mut builder = Transducer::builder(&self.alphabet).initial(0).accepting(1);
        let (before, after) = (Node(0), Node(1));
        builder.add_state(after);
        let becomes = |from, to| Label::Pair(Some(self.one(from)), Some(self.one(to)));
        builder.add_edge(before, &Label::Copy(plain.clone()), before);
        builder.add_edge(after, &Label::Copy(plain), after);
        // The head comes from the left in a state, or is about to come from the right.
        let coming: Vec<Node> = (machine.states.iter())
            .map(|_| builder.fresh_state())
            .collect();
        let going: Vec<Node> = (machine.states.iter())
            .map(|_| builder.fresh_state())
            .collect();
        for state in 0..machine.states.len() {
            for symbol in self.all_plain() {
                let (cell, head) = (self.plain(symbol), self.head(state, symbol));
                builder.add_edge(coming[state], &becomes(cell, head), after);
                builder.add_edge(before, &becomes(cell, head), going[state]);
                let Some(action) = machine.action(state, symbol) else {
                    continue;
                };
                let left = self.plain(action.write);
                match action.shift {
                    None => {
                        let to = self.head(action.to, action.write);
                        builder.add_edge(before, &becomes(head, to), after);
                    }
                    Some(Side::Right) => {
                        builder.add_edge(before, &becomes(head, left), coming[action.to]);
                    }
                    Some(Side::Left) => {
                        builder.add_edge(going[action.to], &becomes(head, left), after);
                    }
                }
            }
        }
        builder.build()
    }
}

/// States of the automaton of a set of words, in order.
type Set = Vec<usize>;

/// A set of words, by a complete deterministic automaton: by letter and state the next state.
struct Words<'a> {
    machine: &'a Machine,
    letters: &'a Letters,
    next: Vec<Vec<usize>>,
    /// From which states any number of blanks, if they are enough, is accepted.
    end: Set,
    /// In which states one can be after any number of blanks, if they are enough.
    begin: Set,
}

impl<'a> Words<'a> {
    fn new(machine: &'a Machine, letters: &'a Letters, dfa: &Dfa) -> Words<'a> {
        let states = dfa.len();
        let node = |state: usize| Node(u32::try_from(state).unwrap_or(u32::MAX));
        let after = |state: usize, letter| match state < states {
            true => (dfa.step(node(state), letter)).map_or(states, |next| next.0 as usize),
            false => states,
        };
        let next: Vec<Vec<usize>> = (letters.alphabet.letters())
            .map(|letter| (0..=states).map(|state| after(state, letter)).collect())
            .collect();
        let blank = &next[usize::from(machine.blank)];
        // After as many blanks as there are states one goes round.
        let round = |state: usize| {
            let all = std::iter::successors(Some(state), |&state| Some(blank[state]));
            all.skip(states + 1).take(states + 1)
        };
        let accepted = |state: usize| state < states && dfa.is_accepting(node(state));
        let end = (0..=states).filter(|&state| round(state).all(accepted));
        let mut begin: Set = round(dfa.initial().0 as usize).collect();
        begin.sort_unstable();
        begin.dedup();
        Words {
            machine,
            letters,
            end: end.collect(),
            begin,
            next,
        }
    }

    /// Where a letter leads from a set.
    fn after(&self, set: &Set, letter: Letter) -> Set {
        let next = &self.next[letter.index()];
        let mut all: Set = set.iter().map(|&state| next[state]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// From where a letter leads into a set.
    fn before(&self, set: &Set, letter: Letter) -> Set {
        let next = self.next[letter.index()].iter().enumerate();
        let into = next.filter(|(_, next)| set.binary_search(next).is_ok());
        into.map(|(state, _)| state).collect()
    }

    /// The set as two automata and where they meet: a state of the left one stands for states
    /// that one can be in after it, a state of the right one for states from which all that it
    /// reads is accepted. They may meet where the one leads into the other; only such meetings
    /// are taken that the beginning leads to.
    fn invariant(&self, beginning: &Beginning, budget: &Budget) -> Result<Option<Invariant>, Stop> {
        let left = Half::new(self, &beginning.left, Side::Left, budget)?;
        let right = Half::new(self, &beginning.right, Side::Right, budget)?;
        let (Some(left), Some(right)) = (left, right) else {
            return Ok(None);
        };
        let machine = self.machine;
        let start = beginning.meetings.iter();
        let mut todo: Vec<Meeting> = start
            .map(|&(one, symbol, other)| (one, machine.start, symbol, other))
            .collect();
        let mut met: HashSet<Meeting> = todo.iter().copied().collect();
        while let Some((one, state, symbol, other)) = todo.pop() {
            budget.charge(1)?;
            let head = self.letters.head(state, symbol);
            let inside = |state: &usize| right.sets[other].binary_search(state).is_ok();
            let fits = self.after(&left.sets[one], head).iter().all(inside);
            let action = machine.action(state, symbol);
            let (Some(action), true, true) = (action, fits, met.len() <= MEETINGS) else {
                return Ok(None);
            };
            let found: Vec<Meeting> = match action.shift {
                None => vec![(one, action.to, action.write, other)],
                Some(Side::Right) => {
                    let top = left.above[&(one, action.write)];
                    let ahead = right.below[other].iter();
                    let meet = |&(symbol, below)| (top, action.to, symbol, below);
                    ahead.map(meet).collect()
                }
                Some(Side::Left) => {
                    let top = right.above[&(other, action.write)];
                    let ahead = left.below[one].iter();
                    let meet = |&(symbol, below)| (below, action.to, symbol, top);
                    ahead.map(meet).collect()
                }
            };
            todo.extend(found.into_iter().filter(|&meeting| met.insert(meeting)));
        }
        let mut met: Vec<Meeting> = met.into_iter().collect();
        met.sort_unstable();
        let name = |(one, state, symbol, other): Meeting| {
            let state = machine.states[state].clone();
            (short(one), state, machine.letter(symbol), short(other))
        };
        Ok(Some(Invariant {
            left: left.automaton(machine, beginning.left.states),
            right: right.automaton(machine, beginning.right.states),
            meetings: met.into_iter().map(name).collect(),
        }))
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

type Meeting = (usize, State, Symbol, usize);

/// A half: the states of the beginning first, then the sets that symbols put on them lead to.
struct Half {
    sets: Vec<Set>,
    /// By state: the symbols that may be on top of it, with what lies below them.
    below: Vec<Vec<(Symbol, usize)>>,
    /// The state after a symbol was put on top of another.
    above: HashMap<(usize, Symbol), usize>,
}

impl Half {
    /// Nothing if there are too many states.
    fn new(
        words: &Words<'_>,
        reading: &Reading,
        side: Side,
        budget: &Budget,
    ) -> Result<Option<Half>, Stop> {
        let on = |set: &Set, symbol: Symbol| match side {
            Side::Left => words.after(set, words.letters.plain(symbol)),
            Side::Right => words.before(set, words.letters.plain(symbol)),
        };
        let sets = named(words, reading, side, on, budget)?;
        let mut half = Half {
            below: vec![Vec::new(); sets.len()],
            above: HashMap::new(),
            sets,
        };
        for &(from, symbol, to) in &reading.edges {
            half.edge(from, symbol, to);
        }
        let mut numbers: HashMap<Set, usize> = HashMap::new();
        for (number, set) in half.sets.iter().enumerate() {
            numbers.entry(set.clone()).or_insert(number);
        }
        let mut at = 0;
        while at < half.sets.len() {
            for symbol in words.letters.all_plain() {
                let set = on(&half.sets[at], symbol);
                budget.charge(1 + set.len() as u64)?;
                let to = *numbers.entry(set).or_insert_with_key(|set| {
                    half.sets.push(set.clone());
                    half.below.push(Vec::new());
                    half.sets.len() - 1
                });
                half.edge(at, symbol, to);
                half.above.insert((at, symbol), to);
            }
            at += 1;
            if half.sets.len() > STATES {
                return Ok(None);
            }
        }
        Ok(Some(half))
    }

    fn edge(&mut self, from: usize, symbol: Symbol, to: usize) {
        if !self.below[to].contains(&(symbol, from)) {
            self.below[to].push((symbol, from));
        }
    }

    fn automaton(&self, machine: &Machine, named: usize) -> HalfAutomaton {
        let below = self.below.iter().enumerate();
        let mut edges: Vec<(u32, char, u32)> = below
            .flat_map(|(to, below)| {
                let edge = move |&(symbol, from): &(Symbol, usize)| {
                    (short(from), machine.letter(symbol), short(to))
                };
                below.iter().map(edge)
            })
            .collect();
        edges.sort_unstable();
        HalfAutomaton {
            begin: (0..named).map(short).collect(),
            edges,
        }
    }
}

/// What the states of the beginning stand for: on the left all that one can be in after what
/// they read, on the right what all that they read is accepted from.
fn named(
    words: &Words<'_>,
    reading: &Reading,
    side: Side,
    on: impl Fn(&Set, Symbol) -> Set,
    budget: &Budget,
) -> Result<Vec<Set>, Stop> {
    let (far, other): (&Set, Set) = match side {
        Side::Left => (&words.begin, Vec::new()),
        Side::Right => (&words.end, (0..words.next[0].len()).collect()),
    };
    let mut sets = vec![other; reading.states];
    sets[0].clone_from(far);
    let mut changes = true;
    while changes {
        changes = false;
        for &(from, symbol, to) in reading.edges.iter().filter(|edge| edge.2 != 0) {
            let set = on(&sets[from], symbol);
            budget.charge(1 + set.len() as u64)?;
            let old = &sets[to];
            let mut new: Set = match side {
                Side::Left => old.iter().chain(&set).copied().collect(),
                Side::Right => {
                    let common = old.iter().filter(|state| set.binary_search(state).is_ok());
                    common.copied().collect()
                }
            };
            new.sort_unstable();
            new.dedup();
            if new != *old {
                sets[to] = new;
                changes = true;
            }
        }
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Source};

    use super::*;
    use crate::question::Asked;
    use crate::read::File;
    use crate::verify::never_left;

    const WORK: u64 = 20_000_000;

    fn read(text: &str) -> File {
        crate::read::read(&Source::new("machine.tm", text)).unwrap()
    }

    /// The beginning that the first question of a file is about.
    fn beginning(file: &File) -> Beginning {
        match &file.questions[0].asked {
            Asked::DivergesOnAll(pattern) => Beginning::words(pattern, file.machine.blank),
            Asked::Diverges(start) | Asked::Halts(start, _) => Beginning::tape(start),
            _ => panic!("no question about one run or a set of words"),
        }
    }

    fn found(text: &str) -> Option<Invariant> {
        let file = read(text);
        let beginning = beginning(&file);
        let found = find(&file.machine, &beginning, WORK, &Budget::unlimited()).unwrap();
        if let Some(invariant) = &found {
            never_left(&file.machine, &beginning, invariant, &Budget::unlimited()).unwrap();
        }
        found
    }

    const DIV2: &str = "<1,1,W(B),1> <1,B,R,2> <2,1,R,3> <3,B,R,3> <3,1,W(B),4> <4,B,R,2>\n";
    const EMPTY: &str = "<1,1,R,1> <1,B,W(1),2> <2,1,L,2> <2,B,W(1),1>\n";

    #[test]
    fn whole_sets_of_inputs_have_an_invariant_of_words() {
        for (machine, set) in [(DIV2, "(11)+"), (EMPTY, "1+"), (EMPTY, "1*")] {
            let text = format!("{machine}check diverges on every {set}\n");
            assert!(found(&text).is_some(), "{text}");
        }
        // On some of these it stops.
        for set in ["1+", "(111)+", "1(11)*"] {
            assert!(found(&format!("{DIV2}check diverges on every {set}\n")).is_none());
        }
    }

    #[test]
    fn no_tape_that_is_periodic_for_ever_is_taken() {
        assert!(found("<1,1,R,1>\ncheck diverges on tape [1](1)...\n").is_none());
        assert!(found(&format!("{EMPTY}check diverges on tape ...(1)[1]\n")).is_none());
    }

    #[test]
    fn an_invariant_that_lacks_anything_is_refused() {
        let text = format!("{DIV2}check diverges on every (11)+\n");
        let (file, invariant) = (read(&text), found(&text).unwrap());
        let beginning = beginning(&file);
        let refused = |invariant: &Invariant| {
            never_left(&file.machine, &beginning, invariant, &Budget::unlimited()).is_err()
        };
        for place in 0..invariant.meetings.len() {
            let mut less = invariant.clone();
            less.meetings.remove(place);
            assert!(refused(&less), "without {:?}", invariant.meetings[place]);
        }
        let other = read(&text.replace("<3,B,R,3>", "<3,B,R,2>")).machine;
        assert!(never_left(&other, &beginning, &invariant, &Budget::unlimited()).is_err());
    }

    #[test]
    fn invariants_of_words_about_machines_of_chance_are_accepted_and_true() {
        let mut proofs = 0;
        quotient_trial::trial(|u| {
            let cell = |u: &mut quotient_trial::arbitrary::Unstructured<'_>| {
                let (write, side) = (u.int_in_range(0..=1)?, *u.choose(&['L', 'R'])?);
                let to = *u.choose(&['A', 'B', 'C', 'Z'])?;
                Ok(format!("{write}{side}{to}"))
            };
            let mut rows = Vec::new();
            for _ in 0..3 {
                rows.push(format!("{}{}", cell(u)?, cell(u)?));
            }
            let set = *u.choose(&["1*", "(10)+", "0(11)*1", "(111)*"])?;
            let notation = rows.join("_");
            let text = format!("{notation}\ncheck diverges on every {set}\n");
            let file = read(&text);
            let Asked::DivergesOnAll(pattern) = &file.questions[0].asked else {
                panic!("a question about a set");
            };
            let invariant = find(
                &file.machine,
                &beginning(&file),
                200_000,
                &Budget::unlimited(),
            );
            let Some(invariant) = invariant.unwrap() else {
                return Ok(());
            };
            proofs += 1;
            never_left(
                &file.machine,
                &beginning(&file),
                &invariant,
                &Budget::unlimited(),
            )
            .unwrap_or_else(|why| panic!("{text}: {why}"));
            for length in 0..=6usize {
                for bits in 0..1u32 << length {
                    let word: Vec<Symbol> = (0..length)
                        .map(|at| u8::from(bits >> at & 1 == 1))
                        .collect();
                    if pattern.contains(&word) {
                        let start = crate::question::Start::word(word, file.machine.blank);
                        let mut run = start.configuration(&file.machine);
                        let goes_on = (0..500).all(|_| run.step(&file.machine).is_some());
                        assert!(goes_on, "{text}");
                    }
                }
            }
            Ok(())
        })
        .budget_ms(2_000);
        assert!(proofs > 0);
    }
}
