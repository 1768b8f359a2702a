//! Linear-time formulas as limit-deterministic automata.
//!
//! A formula is unfolded letter by letter: what is left of it to be shown is a positive
//! combination of its parts, kept as an antichain of sets, which is the same for formulas that
//! are the same. At any time the automaton may guess which of the parts `G a` hold from now on;
//! what is left then speaks about finite time only. It must come true, and so must `a` again and
//! again, which is counted in rounds (Sickert, Esparza, Jaax, Křetínský 2016). Such automata may
//! be multiplied with decision processes: the guess becomes a choice.

use std::collections::HashMap;

use quotient_core::Stop;

/// A linear-time formula over numbered conditions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// Always true or never.
    Truth(bool),
    /// A condition on the present state, or its opposite (false).
    Condition(u32, bool),
    /// All hold.
    All(Vec<Temporal>),
    /// One holds.
    Any(Vec<Temporal>),
    /// In the next state.
    Next(Box<Temporal>),
    /// Some time.
    Finally(Box<Temporal>),
    /// Always.
    Globally(Box<Temporal>),
    /// The first until the second, which does come.
    Until(Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    /// The opposite.
    #[must_use]
    pub fn opposite(&self) -> Temporal {
        use Temporal::{All, Any, Condition, Finally, Globally, Next, Truth, Until};
        let each = |parts: &[Temporal]| parts.iter().map(Temporal::opposite).collect();
        match self {
            Truth(holds) => Truth(!holds),
            Condition(number, holds) => Condition(*number, !holds),
            All(parts) => Any(each(parts)),
            Any(parts) => All(each(parts)),
            Next(of) => Next(Box::new(of.opposite())),
            Finally(of) => Globally(Box::new(of.opposite())),
            Globally(of) => Finally(Box::new(of.opposite())),
            // Not (a U b): b never, or a and b both fail while b has not come.
            Until(left, right) => {
                let (left, right) = (left.opposite(), right.opposite());
                let fails = All(vec![left, right.clone()]);
                Any(vec![
                    Globally(Box::new(right.clone())),
                    Until(Box::new(right), Box::new(fails)),
                ])
            }
        }
    }

    /// The first until the second, which may never come.
    pub fn weak_until(left: Temporal, right: Temporal) -> Temporal {
        let forever = Temporal::Globally(Box::new(left.clone()));
        Temporal::Any(vec![
            Temporal::Until(Box::new(left), Box::new(right)),
            forever,
        ])
    }

    /// The second holds up to the moment in which the first does, or for ever.
    pub fn release(left: Temporal, right: Temporal) -> Temporal {
        let both = Temporal::All(vec![left, right.clone()]);
        Temporal::weak_until(right, both)
    }
}

/// More clauses than this in a state of the automaton are too many.
const MOST_CLAUSES: usize = 3000;
/// More parts `G a` than this are too many to guess about.
const MOST_GUESSES: usize = 10;

/// A positive combination of parts: one of the sets must hold. No set contains another.
type Clauses = Vec<Vec<u32>>;

/// What is left of the present round and of the next one, and whether a round has just ended.
type Round = (Clauses, Clauses, bool);

/// A state of the automaton.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// Nothing was guessed yet: what is left to be shown.
    Open(Clauses),
    /// After the guess with this number: what is left to come true, and for each part that is to
    /// hold always what is left of the present round and of the next one, and whether a round has
    /// just ended.
    Guessed(u32, Clauses, Vec<Round>),
    /// Nothing more can be shown.
    Lost,
}

/// The automaton of a formula, made as far as it is used.
pub(crate) struct Automaton {
    parts: Vec<Temporal>,
    numbers: HashMap<Temporal, u32>,
    /// What is left of a part after a letter.
    after: HashMap<(u32, u64), Clauses>,
    /// All parts `G a` of the formula.
    always: Vec<Temporal>,
    start: Clauses,
}

impl Automaton {
    pub(crate) fn new(formula: &Temporal) -> Result<Automaton, Stop> {
        let mut always = Vec::new();
        gather(formula, &mut always);
        if always.len() > MOST_GUESSES {
            return Err(Stop::bound(
                "parts `G …` of the formula",
                MOST_GUESSES as u64,
            ));
        }
        let mut automaton = Automaton {
            parts: Vec::new(),
            numbers: HashMap::new(),
            after: HashMap::new(),
            always,
            start: Vec::new(),
        };
        automaton.start = automaton.clauses(formula)?;
        Ok(automaton)
    }

    pub(crate) fn start(&self) -> Place {
        match self.start.is_empty() {
            true => Place::Lost,
            false => Place::Open(self.start.clone()),
        }
    }

    /// How many sets must be visited again and again.
    pub(crate) fn rounds(&self) -> usize {
        self.always.len()
    }

    /// What may be guessed in a place.
    pub(crate) fn guesses(&mut self, place: &Place) -> Result<Vec<Place>, Stop> {
        let Place::Open(clauses) = place else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for guess in 0..1u32 << self.always.len() {
            let mut left = Vec::new();
            for clause in clauses {
                let mut all = vec![Vec::new()];
                for &part in clause {
                    let part = self.guessed(&self.parts[part as usize].clone(), guess);
                    let part = self.clauses(&part)?;
                    all = both(&all, &part)?;
                }
                left = either(left, all)?;
            }
            if left.is_empty() {
                continue;
            }
            let rounds = vec![(truth(), truth(), false); guess.count_ones() as usize];
            found.push(Place::Guessed(guess, left, rounds));
        }
        Ok(found)
    }

    /// The place after a letter: the conditions that hold, as bits.
    pub(crate) fn step(&mut self, place: &Place, letter: u64) -> Result<Place, Stop> {
        match place {
            Place::Lost => Ok(Place::Lost),
            Place::Open(clauses) => {
                let left = self.after_all(clauses, letter)?;
                Ok(match left.is_empty() {
                    true => Place::Lost,
                    false => Place::Open(left),
                })
            }
            Place::Guessed(guess, left, rounds) => {
                let left = self.after_all(left, letter)?;
                let mut lost = left.is_empty();
                let mut next = Vec::with_capacity(rounds.len());
                let guessed = (0..self.always.len()).filter(|at| guess >> at & 1 == 1);
                let guessed: Vec<usize> = guessed.collect();
                for (at, (now, later, _)) in guessed.into_iter().zip(rounds) {
                    let Temporal::Globally(inner) = self.always[at].clone() else {
                        continue;
                    };
                    let inner = self.guessed(&inner, *guess);
                    let inner = self.clauses(&inner)?;
                    let now = self.after_all(now, letter)?;
                    let later = self.after_all(&both(later, &inner)?, letter)?;
                    lost |= now.is_empty() || later.is_empty();
                    next.push(match now == truth() {
                        true => (later, truth(), true),
                        false => (now, later, false),
                    });
                }
                Ok(match lost {
                    true => Place::Lost,
                    false => Place::Guessed(*guess, left, next),
                })
            }
        }
    }

    /// Whether nothing is left to come true but rounds.
    pub(crate) fn is_settled(&self, place: &Place) -> bool {
        matches!(place, Place::Guessed(_, left, _) if *left == truth())
    }

    /// Whether a round of a part ends with the step to this place.
    pub(crate) fn ends_round(&self, place: &Place, number: usize) -> bool {
        match place {
            Place::Guessed(_, _, rounds) => {
                let round = rounds.get(number);
                round.is_none_or(|(_, _, ended)| *ended)
            }
            _ => false,
        }
    }

    /// A formula after a guess: parts `G a` are true or false.
    fn guessed(&self, formula: &Temporal, guess: u32) -> Temporal {
        use Temporal::{All, Any, Finally, Globally, Next, Truth, Until};
        let part = |of: &Temporal| Box::new(self.guessed(of, guess));
        match formula {
            Globally(_) => {
                let at = self.always.iter().position(|one| one == formula);
                Truth(at.is_some_and(|at| guess >> at & 1 == 1))
            }
            All(parts) => All(parts.iter().map(|of| self.guessed(of, guess)).collect()),
            Any(parts) => Any(parts.iter().map(|of| self.guessed(of, guess)).collect()),
            Next(of) => Next(part(of)),
            Finally(of) => Finally(part(of)),
            Until(left, right) => Until(part(left), part(right)),
            other => other.clone(),
        }
    }

    /// A formula as a combination of its parts.
    fn clauses(&mut self, formula: &Temporal) -> Result<Clauses, Stop> {
        use Temporal::{All, Any, Finally, Globally, Next, Truth, Until};
        match formula {
            Truth(true) => Ok(truth()),
            Truth(false) => Ok(Vec::new()),
            All(parts) => {
                let mut all = truth();
                for part in parts {
                    all = both(&all, &self.clauses(part)?)?;
                }
                Ok(all)
            }
            Any(parts) => {
                let mut any = Vec::new();
                for part in parts {
                    any = either(any, self.clauses(part)?)?;
                }
                Ok(any)
            }
            // What is sure or impossible inside is so outside.
            Next(of) | Finally(of) | Globally(of) | Until(_, of)
                if matches!(**of, Truth(false)) =>
            {
                Ok(Vec::new())
            }
            Next(of) | Finally(of) | Globally(of) | Until(_, of) if matches!(**of, Truth(true)) => {
                Ok(truth())
            }
            other => {
                let next = self.parts.len() as u32;
                let number = *self.numbers.entry(other.clone()).or_insert(next);
                if number == next {
                    self.parts.push(other.clone());
                }
                Ok(vec![vec![number]])
            }
        }
    }

    fn after_all(&mut self, clauses: &Clauses, letter: u64) -> Result<Clauses, Stop> {
        let mut any = Vec::new();
        for clause in clauses {
            let mut all = truth();
            for &part in clause {
                all = both(&all, &self.after(part, letter)?)?;
                if all.is_empty() {
                    break;
                }
            }
            any = either(any, all)?;
        }
        Ok(any)
    }

    /// What is left of a part after a letter.
    fn after(&mut self, part: u32, letter: u64) -> Result<Clauses, Stop> {
        if let Some(known) = self.after.get(&(part, letter)) {
            return Ok(known.clone());
        }
        let formula = self.parts[part as usize].clone();
        let left = self.unfolded(&formula, letter)?;
        self.after.insert((part, letter), left.clone());
        Ok(left)
    }

    fn unfolded(&mut self, formula: &Temporal, letter: u64) -> Result<Clauses, Stop> {
        use Temporal::{All, Any, Condition, Finally, Globally, Next, Truth, Until};
        match formula {
            Truth(_) => self.clauses(formula),
            Condition(number, wanted) => {
                let holds = letter >> number & 1 == 1;
                self.clauses(&Truth(holds == *wanted))
            }
            All(parts) => {
                let mut all = truth();
                for part in parts {
                    all = both(&all, &self.unfolded(part, letter)?)?;
                }
                Ok(all)
            }
            Any(parts) => {
                let mut any = Vec::new();
                for part in parts {
                    any = either(any, self.unfolded(part, letter)?)?;
                }
                Ok(any)
            }
            Next(of) => self.clauses(of),
            Finally(of) => {
                let now = self.unfolded(of, letter)?;
                either(now, self.clauses(formula)?)
            }
            Globally(of) => {
                let now = self.unfolded(of, letter)?;
                both(&now, &self.clauses(formula)?)
            }
            Until(left, right) => {
                let now = self.unfolded(right, letter)?;
                let stays = self.unfolded(left, letter)?;
                either(now, both(&stays, &self.clauses(formula)?)?)
            }
        }
    }
}

fn truth() -> Clauses {
    vec![Vec::new()]
}

fn gather(formula: &Temporal, found: &mut Vec<Temporal>) {
    use Temporal::{All, Any, Finally, Globally, Next, Until};
    match formula {
        All(parts) | Any(parts) => parts.iter().for_each(|part| gather(part, found)),
        Next(of) | Finally(of) => gather(of, found),
        Until(left, right) => {
            gather(left, found);
            gather(right, found);
        }
        Globally(of) => {
            gather(of, found);
            if !found.contains(formula) {
                found.push(formula.clone());
            }
        }
        _ => {}
    }
}

fn both(left: &Clauses, right: &Clauses) -> Result<Clauses, Stop> {
    let mut all = Vec::with_capacity(left.len() * right.len());
    for one in left {
        for other in right {
            let mut clause: Vec<u32> = one.iter().chain(other).copied().collect();
            clause.sort_unstable();
            clause.dedup();
            all.push(clause);
        }
        if all.len() > MOST_CLAUSES * 4 {
            return Err(Stop::bound("parts of the formula", MOST_CLAUSES as u64));
        }
    }
    least(all)
}

fn either(mut left: Clauses, right: Clauses) -> Result<Clauses, Stop> {
    left.extend(right);
    least(left)
}

/// Without the sets that contain others, in order.
fn least(mut all: Clauses) -> Result<Clauses, Stop> {
    all.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    let mut kept: Clauses = Vec::new();
    for clause in all {
        let within = |one: &Vec<u32>| one.iter().all(|part| clause.binary_search(part).is_ok());
        if !kept.iter().any(within) {
            kept.push(clause);
        }
    }
    match kept.len() > MOST_CLAUSES {
        true => Err(Stop::bound("parts of the formula", MOST_CLAUSES as u64)),
        false => Ok(kept),
    }
}
