//! Machines as words: a letter for each processor, a step for each barrier.
//!
//! Processors with small numbers have letters of their own (groups and tests name them); all
//! others share theirs. As a processor goes on by itself after a barrier, it does so in the step of
//! the barrier, to each rest that it can come to.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Problem, Property, Relation, Transducer};
use quotient_core::{Budget, Source, Stop};

use super::instance;
use super::messages::{self, Supersteps};
use super::rough::{Rest, Shade, View, ends};
use crate::program::{Asked, Expression, Kind, Program, Question, Value};

/// More letters are not looked at.
const MOST_LETTERS: usize = 300;
/// Tests of numbers up to this give processors letters of their own.
const NEAR: i64 = 6;

/// A question to words.
pub(super) struct Built {
    pub(super) problem: Problem,
    /// What is not seen, so that words without a bad one among them show nothing.
    pub(super) doubt: Option<&'static str>,
}

/// What words cannot say, and must be known beside them.
///
/// A run goes on for ever, or somebody fails, or it ends: all have ended, or somebody waits and no barrier is complete.
/// Words of the abstraction contain all ends of runs in which nobody fails.
struct Needed {
    /// Nobody fails.
    no_failure: bool,
    /// No run goes on for ever.
    an_end: bool,
    /// The ends that must not be among the words: all have ended; somebody waits.
    done: bool,
    stuck: bool,
}

impl Needed {
    fn of(question: &Question) -> Option<Needed> {
        let (no_failure, an_end, done, stuck) = match question {
            Question::NoDeadlock => (false, false, false, true),
            Question::Ends(Kind::Done) => (true, true, false, true),
            Question::Ends(Kind::Deadlock) => (true, true, true, false),
            Question::Ends(Kind::Diverges) => (true, false, true, true),
            Question::Ends(Kind::Fault) => (false, true, true, true),
            Question::Values(_) | Question::At(..) | Question::Runs(_) => return None,
        };
        Some(Needed {
            no_failure,
            an_end,
            done,
            stuck,
        })
    }
}

/// The question whether some machine of at least so many processors ends otherwise than asked.
pub(super) fn problem(
    source: &Source,
    program: &Program,
    least: usize,
    bound: i64,
    asked: &Asked,
    budget: &Budget,
) -> Result<Built, Stop> {
    let needed = Needed::of(&asked.question).ok_or_else(|| {
        Stop::exhausted("values and formulas are not proved for every number of processors")
    })?;
    let constants = program.expressions.iter().filter_map(|(one, _)| match one {
        Expression::Constant(Value::Int(number)) if (0..NEAR).contains(number) => {
            Some(*number as usize + 1)
        }
        _ => None,
    });
    let near = constants
        .chain([least, program.named, 1])
        .max()
        .unwrap_or(1);
    let follows = messages::are_followed(source, program, least, budget)?;
    // One more than those with letters of their own stands for all others.
    let program = instance(source, near + 1).ok_or_else(|| {
        Stop::exhausted("there are too many processors with numbers of their own")
    })?;
    let shared = program.expressions.iter().filter_map(|(one, _)| match one {
        Expression::Put(.., into) | Expression::Get(.., into) => Some(*into),
        _ => None,
    });
    let mut view = View {
        shared: shared.collect(),
        program: &program,
        near,
        bound,
        least,
        may_fail: Cell::new(false),
        may_go_on: Cell::new(false),
        delivered: follows.then(Supersteps::new),
    };
    let letters = Letters::following(&mut view, budget)?;
    let after: Vec<Vec<usize>> = letters
        .after
        .iter()
        .map(|all| all.iter().copied().collect())
        .collect();
    let doubt = if needed.no_failure && view.may_fail.get() {
        Some("it is not seen that nobody fails")
    } else if needed.an_end && (view.may_go_on.get() || !ends(&after)) {
        Some("it is not seen that every processor ends or gets stuck")
    } else {
        None
    };
    let problem = letters.problem(&program, near, least, &asked.name, &needed);
    let problem = problem
        .ok_or_else(|| Stop::exhausted("the program has no barrier that anybody comes to"))?;
    Ok(Built { problem, doubt })
}

/// The letters, and what can follow each.
struct Letters {
    /// The number of the processor, or that of all others; and its rest.
    all: Vec<(usize, Rest)>,
    numbers: BTreeMap<(usize, Rest), usize>,
    /// What processors can come to from the start, by their number.
    first: Vec<BTreeSet<usize>>,
    /// What a letter can become at the barrier that it waits for.
    after: Vec<BTreeSet<usize>>,
}

/// How often what surely arrives is used to see what is surely sent next.
const MOST_ROUNDS: usize = 4;

impl Letters {
    /// The letters; where messages are followed, with what is seen of them. All ways that processors can take are among the
    /// letters however little is known of messages, so that what is surely sent is so in each round.
    fn following(view: &mut View<'_>, budget: &Budget) -> Result<Letters, Stop> {
        for round in 1..=MOST_ROUNDS {
            let Some(before) = view.delivered.clone() else {
                break;
            };
            view.may_fail.set(false);
            view.may_go_on.set(false);
            let letters = match Letters::of(view, budget) {
                Ok(letters) => letters,
                // There are fewer letters where messages are not followed.
                Err(Stop::Bound { .. }) => break,
                Err(stop) => return Err(stop),
            };
            let waiting = letters.all.iter().filter_map(|(class, rest)| match rest {
                Rest::Waits(_, shade) => Some((*class, shade)),
                Rest::Done => None,
            });
            let now = messages::supersteps(view.near + 1, waiting);
            if now == before || round == MOST_ROUNDS {
                return Ok(letters);
            }
            view.delivered = Some(now);
        }
        view.delivered = None;
        view.may_fail.set(false);
        view.may_go_on.set(false);
        Letters::of(view, budget)
    }

    fn of(view: &View<'_>, budget: &Budget) -> Result<Letters, Stop> {
        let mut letters = Letters {
            all: Vec::new(),
            numbers: BTreeMap::new(),
            first: Vec::new(),
            after: Vec::new(),
        };
        for class in 0..=view.near {
            let rests = view.rests(class, &Shade::new(view.program), budget)?;
            let first = letters.add(class, rests)?;
            letters.first.push(first);
        }
        while letters.after.len() < letters.all.len() {
            let (class, rest) = letters.all[letters.after.len()].clone();
            let after = match rest {
                Rest::Done => BTreeSet::new(),
                Rest::Waits(_, shade) => {
                    letters.add(class, view.rests(class, &shade.passed(), budget)?)?
                }
            };
            letters.after.push(after);
        }
        Ok(letters)
    }

    fn add(&mut self, class: usize, rests: BTreeSet<Rest>) -> Result<BTreeSet<usize>, Stop> {
        let mut added = BTreeSet::new();
        for rest in rests {
            let fresh = self.all.len();
            let key = (class, rest);
            let number = *self.numbers.entry(key.clone()).or_insert(fresh);
            if number == fresh {
                self.all.push(key);
            }
            added.insert(number);
        }
        match self.all.len() > MOST_LETTERS {
            true => Err(Stop::bound("the letters of a machine", MOST_LETTERS as u64)),
            false => Ok(added),
        }
    }

    fn waits(&self, letter: usize) -> Option<usize> {
        match self.all[letter].1 {
            Rest::Waits(group, _) => Some(group),
            Rest::Done => None,
        }
    }

    fn problem(
        &self,
        program: &Program,
        near: usize,
        least: usize,
        name: &str,
        needed: &Needed,
    ) -> Option<Problem> {
        let names = self.all.iter().enumerate().map(|(number, (class, rest))| {
            let who = match *class < near {
                true => class.to_string(),
                false => "other".to_owned(),
            };
            match rest {
                Rest::Done => format!("{who}_done"),
                Rest::Waits(group, _) => format!("{who}_{}_{number}", program.groups[*group].name),
            }
        });
        let alphabet = Alphabet::new(names).ok()?;
        let letters: Vec<_> = alphabet.letters().collect();
        let set = |numbers: &mut dyn Iterator<Item = usize>| -> Option<Predicate> {
            let names: Vec<&str> = numbers
                .map(|number| alphabet.name(letters[number]))
                .collect();
            match names.is_empty() {
                true => None,
                false => alphabet.set(names).ok(),
            }
        };
        let mut parts = Vec::new();
        for (group, named) in program.groups.iter().enumerate() {
            let is_member = |letter: usize| program.is_member(group, self.all[letter].0);
            let others = set(&mut (0..self.all.len()).filter(|&letter| !is_member(letter)));
            // Somebody must be there to meet.
            let mut step = Transducer::builder(&alphabet)
                .states(2)
                .initial(0)
                .accepting(1);
            for from in [0, 1] {
                if let Some(others) = &others {
                    step = step.edge(from, &Label::Copy(others.clone()), from);
                }
                for letter in (0..self.all.len()).filter(|&one| self.waits(one) == Some(group)) {
                    let after = set(&mut self.after[letter].iter().copied());
                    let own = set(&mut std::iter::once(letter));
                    if let (Some(own), Some(after)) = (own, after) {
                        step = step.edge(from, &Label::Pair(Some(own), Some(after)), 1);
                    }
                }
            }
            parts.push((named.name.clone(), step.build()));
        }
        let mut initial = Nfa::builder(&alphabet).states(near as u32 + 1).initial(0);
        for (class, first) in self.first.iter().enumerate() {
            let next = (class + 1).min(near);
            if let Some(first) = set(&mut first.iter().copied()) {
                initial = initial.edge(class as u32, &first, next as u32);
            }
        }
        for length in least..=near {
            initial = initial.accepting(length as u32);
        }
        let property = Property {
            name: name.to_owned(),
            bad: self.bad(program, &alphabet, needed),
        };
        let relation = Relation::new(&alphabet, parts);
        Problem::new(initial.build(), vec![property], relation).ok()
    }

    /// Machines in which no barrier is complete: somebody waits, or all have ended, whichever is not wanted.
    fn bad(&self, program: &Program, alphabet: &Alphabet, needed: &Needed) -> Nfa {
        /// Whether somebody waits; and for each group whether a member was seen, and one that
        /// does not wait for it.
        type Seen = (bool, Vec<(bool, bool)>);
        let letters: Vec<_> = alphabet.letters().collect();
        let start: Seen = (false, vec![(false, false); program.groups.len()]);
        let mut numbers: BTreeMap<Seen, u32> = BTreeMap::from([(start.clone(), 0)]);
        let mut waiting = vec![start];
        let mut automaton = Nfa::builder(alphabet).initial(0);
        while let Some(seen) = waiting.pop() {
            let own = numbers[&seen];
            let is_stuck = |&(member, absent): &(bool, bool)| absent || !member;
            let unwanted = if seen.0 { needed.stuck } else { needed.done };
            if unwanted && seen.1.iter().all(is_stuck) {
                automaton = automaton.accepting(own);
            }
            for (number, (class, _)) in self.all.iter().enumerate() {
                let waits = self.waits(number);
                let mut next = seen.clone();
                next.0 |= waits.is_some();
                for (group, (member, absent)) in next.1.iter_mut().enumerate() {
                    if program.is_member(group, *class) {
                        *member = true;
                        *absent |= waits != Some(group);
                    }
                }
                let fresh = numbers.len() as u32;
                let target = *numbers.entry(next).or_insert_with_key(|next| {
                    waiting.push(next.clone());
                    fresh
                });
                if let Ok(letter) = alphabet.set([alphabet.name(letters[number])]) {
                    automaton = automaton.edge(own, &letter, target);
                }
            }
        }
        automaton.build()
    }
}
