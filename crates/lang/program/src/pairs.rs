//! Processes in pairs: what two of them can be in at a time, whatever a third one does.
//!
//! For an invariant of many processes the product of all of them is too large. Here a set of states
//! is kept for each pair of processes: both locations, the truth values of the predicates that only
//! one of the two writes into (they are *owned*), and of those that several processes write into
//! (they are *shared*). A step of one of the two leads to another state of the pair. A step of a
//! third process changes the shared values, if the pairs of the third with both know a state
//! from which it can be taken. (Owicki and Gries 1976 prove by hand in this way; with sets for
//! pairs it is thread-modular checking.)
//!
//! Every state of the program, seen through the predicates, is in the sets of all pairs, so that
//! what is true of all states of a pair is true of the program. The number of states grows
//! with the square of the number of processes instead of with its power.

use std::collections::{HashSet, VecDeque};

use quotient_arithmetic::Condition;
use quotient_core::{Attempt, Context, Method, Stop, What};

use crate::ltl::Ltl;
use crate::pair_states::{Clause, Found, Space, owner, writes};
use crate::program::{Atom, Program, before, leaves};

/// An invariant proved by pairs of processes.
pub(crate) struct Pairs<'a> {
    program: &'a Program,
    good: &'a Ltl,
    pub(crate) predicates: Vec<Condition>,
    /// What happened, for people.
    pub(crate) story: Vec<String>,
    /// The processes and the number of states that the last attempt looked at.
    pub(crate) processes: Vec<usize>,
    pub(crate) states: usize,
}

impl<'a> Pairs<'a> {
    /// Begins with the predicates of the invariant.
    pub(crate) fn new(program: &'a Program, good: &'a Ltl) -> Pairs<'a> {
        let mut predicates: Vec<Condition> = Vec::new();
        for atom in good.atoms() {
            if let Atom::Condition(condition) = atom {
                predicates.extend(leaves(&condition));
            }
        }
        predicates.sort();
        predicates.dedup();
        Pairs {
            program,
            good,
            predicates,
            story: Vec::new(),
            processes: Vec::new(),
            states: 0,
        }
    }

    /// Predicates near the end of how a state was found that are not known yet: Boolean ones first.
    fn candidates(&self, space: &Space<'_>, bad: u32) -> Vec<(Condition, usize, usize)> {
        let mut found: Vec<(Condition, usize, usize)> = Vec::new();
        let mut queue = VecDeque::from([bad]);
        let mut seen = HashSet::from([bad]);
        while let Some(at) = queue.pop_front() {
            let Found::Step {
                from,
                witness,
                process,
                edge,
            } = space.items[at as usize].1
            else {
                continue;
            };
            let taken = &self.program.processes[process].edges[edge];
            let mut conditions = leaves(&taken.guard);
            for predicate in self.predicates.iter().filter(|one| writes(taken, one)) {
                conditions.extend(leaves(&before(self.program, taken, predicate)));
            }
            for leaf in conditions {
                let known = self.predicates.contains(&leaf) || !self.program.knows(&leaf);
                if !known && !found.iter().any(|(other, ..)| *other == leaf) {
                    found.push((leaf, process, edge));
                }
            }
            for next in witness.into_iter().chain([from]) {
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        found.sort_by_key(|(leaf, ..)| !matches!(leaf, Condition::Boolean(_)));
        found
    }

    /// Adds a predicate, and those of other processes at the same place of their text if each owns its own.
    fn learn(&mut self, (leaf, process, edge): (Condition, usize, usize), cx: &Context) {
        let words = self.program.words(&leaf);
        let text = format!("the predicate {words} is told apart in pairs of processes");
        cx.story.note(text.clone());
        self.story.push(text);
        let guard = leaves(&self.program.processes[process].edges[edge].guard);
        let place = guard.iter().position(|other| *other == leaf);
        let own = owner(self.program, &leaf) == Some(process);
        self.predicates.push(leaf);
        let Some(place) = place.filter(|_| own) else {
            return;
        };
        let length = self.program.processes[process].edges.len();
        for (number, other) in self.program.processes.iter().enumerate() {
            if other.edges.len() != length {
                continue;
            }
            let twin = leaves(&other.edges[edge].guard).get(place).cloned();
            let fits = |twin: &Condition| {
                owner(self.program, twin) == Some(number) && !self.predicates.contains(twin)
            };
            self.predicates.extend(twin.filter(fits));
        }
    }
}

/// The parts of an invariant that must all be true.
pub(crate) fn parts(good: &Ltl) -> Vec<Ltl> {
    match good {
        Ltl::And(one, other) => {
            let mut all = parts(one);
            all.extend(parts(other));
            all
        }
        other => vec![other.clone()],
    }
}

/// The pairs of processes that a part is about.
fn clause(program: &Program, good: Ltl) -> Clause {
    let mut named = Vec::new();
    for atom in good.atoms() {
        match atom {
            Atom::At(process, _) => named.push(process),
            Atom::Condition(condition) => {
                named.extend((leaves(&condition).iter()).filter_map(|leaf| owner(program, leaf)));
            }
        }
    }
    let others = (0..program.processes.len()).filter(|number| !named.contains(number));
    let few: HashSet<usize> = named.iter().copied().collect();
    let missing = 2usize.saturating_sub(few.len());
    let fill: Vec<usize> = others.take(missing).collect();
    named.extend(fill);
    named.sort_unstable();
    named.dedup();
    let pairs = named.iter().enumerate().flat_map(|(place, one)| {
        let later = named[place + 1..].iter();
        later.map(|other| ((*one, *other), None))
    });
    Clause {
        pairs: pairs.collect(),
        good,
    }
}

impl Method for Pairs<'_> {
    type Proof = ();
    type Trace = ();
    type Spurious = (Condition, usize, usize);

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<(), (), Self::Spurious>, Stop> {
        let mut clauses: Vec<Clause> = (parts(&self.good.normal(false)).into_iter())
            .map(|part| clause(self.program, part))
            .collect();
        let mut space = Space::new(self.program, &self.predicates, &clauses)?;
        let proved = space.explore(&mut clauses, &cx.budget)?;
        let size = (space.processes.len(), space.items.len());
        let processes = space.processes.clone();
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: 0,
            sizes: [
                ("processes", size.0 as u64),
                ("predicates", self.predicates.len() as u64),
                ("states", size.1 as u64),
            ]
            .into(),
        });
        let spoilt = clauses.iter().find(|one| {
            let mut pairs = one.pairs.iter();
            pairs.all(|(_, spoilt)| spoilt.is_some())
        });
        let candidate = spoilt.and_then(|clause| {
            let bad = clause.pairs.iter().filter_map(|(_, spoilt)| *spoilt);
            let mut found = bad.flat_map(|bad| self.candidates(&space, bad));
            found.next()
        });
        self.states = size.1;
        self.processes = processes;
        match (proved, candidate) {
            (true, _) => Ok(Attempt::Proved(())),
            (false, Some(candidate)) => Ok(Attempt::FalseAlarm(candidate)),
            (false, None) => Err(Stop::exhausted("pairs of processes do not prove it")),
        }
    }

    fn refine(&mut self, candidate: Self::Spurious, cx: &mut Context) -> Result<(), Stop> {
        self.learn(candidate, cx);
        Ok(())
    }
}
