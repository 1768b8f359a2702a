//! A verdict without configuration.

mod portfolio;
mod sanity;

use quotient_automata::evidence::RunEvidence;
use quotient_core::{Context, Evidence, Stop, Verdict, What};

use crate::doubt::{Doubt, doubts};
use crate::exact::Exploration;
use crate::{ArmcLimits, Configuration, Identity, Problem, Proof, Round, Run, System};

/// How to check a problem. The default needs no thought.
#[derive(Debug, Clone)]
pub struct Options {
    /// The methods to try; with none named, those that did best on many models.
    pub methods: Vec<Configuration>,
    /// How many threads may work at a time.
    pub threads: usize,
    /// What to do about a step that changes nothing.
    pub identity: Identity,
    /// Limits for each attempt of each method.
    pub limits: ArmcLimits,
    /// Take the answer of the method that stands first in the list among those that answer, so
    /// that the same question always gives the same evidence, whatever the number of threads.
    pub repeatable: bool,
    /// Go on with a method like it where a method named can no longer be refined
    /// ([`Configuration::fall_back`]).
    pub fall_back: bool,
    /// Keep the automata of the attempts ([`Answer::attempts`]), so many of them at most.
    pub keep_automata: usize,
    /// Look for reasons to doubt the model when a property holds.
    pub doubt: bool,
}

impl Default for Options {
    fn default() -> Options {
        let threads = std::thread::available_parallelism();
        Options {
            methods: Vec::new(),
            threads: threads.map_or(1, |threads| threads.get()),
            identity: Identity::default(),
            limits: ArmcLimits::default(),
            repeatable: true,
            fall_back: true,
            keep_automata: 0,
            doubt: true,
        }
    }
}

/// What came out for a problem.
#[derive(Debug, Clone)]
pub struct Report {
    /// One answer for each property, in the order given.
    pub answers: Vec<Answer>,
    /// Reasons to doubt the model.
    pub doubts: Vec<Doubt>,
}

impl Report {
    /// The verdict on all properties together.
    pub fn verdict(&self) -> Verdict {
        Verdict::all(self.answers.iter().map(Answer::verdict))
    }
}

/// What came out for one property.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The name of the property.
    pub property: String,
    /// What was found.
    pub found: Found,
    /// Which method found it.
    pub method: Option<String>,
    /// How many refinements it took.
    pub refinements: u64,
    /// The automata of the attempts, if they were to be kept: the number of each attempt that
    /// is there, and its automata. In long runs attempts in the middle are missing.
    pub attempts: Vec<(usize, Round)>,
}

/// A verdict with what shows it.
#[derive(Debug, Clone)]
pub enum Found {
    /// The property holds.
    Proof(Proof),
    /// The property is violated.
    Run(Run),
    /// Neither was established.
    Nothing(Stop),
}

impl Answer {
    /// The verdict alone.
    pub fn verdict(&self) -> Verdict {
        match &self.found {
            Found::Proof(_) => Verdict::Holds,
            Found::Run(_) => Verdict::Violated,
            Found::Nothing(stop) => Verdict::Unknown(stop.clone()),
        }
    }

    /// The evidence for a definite verdict; `with_family` adds to a run the sets that it was
    /// chosen from.
    pub fn evidence(&self, problem: &Problem, with_family: bool) -> Option<Evidence> {
        let evidence = match &self.found {
            Found::Proof(proof) => proof.evidence(),
            Found::Run(run) => run.evidence(problem.alphabet(), with_family),
            Found::Nothing(_) => return None,
        };
        let evidence = evidence.about(&self.property);
        Some(match &self.method {
            Some(method) => evidence.found_by(method),
            None => evidence,
        })
    }

    /// The run in names, if the property is violated.
    pub fn run(&self, problem: &Problem) -> Option<RunEvidence> {
        match &self.found {
            Found::Run(run) => Some(run.in_names(problem.alphabet(), false)),
            _ => None,
        }
    }
}

/// Checks all properties of a problem.
///
/// Cheap things come first: empty sets, initial configurations that are bad, and a short exact
/// search that all properties share. Then the methods take turns, each with a fixed amount of
/// work that grows from turn to turn, until all properties are decided, no method has anything
/// left to do, or the budget ends. An invariant found for one property is tried for the
/// others, and every answer is checked before it is given.
///
/// ```
/// use quotient_core::{Context, Verdict};
/// use quotient_automata::{Alphabet, Nfa, Predicate, Relation};
/// use quotient_regular::Part::{Copies, One};
/// use quotient_regular::{Options, Problem, Property, Rules, check};
/// // Whoever has the token passes it to the right, and keeps a copy.
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let (t, n, all) = (alphabet.set(["T"])?, alphabet.set(["N"])?, Predicate::all(&alphabet));
/// let rules = Rules::new(&alphabet);
/// let (keep, take) = (rules.change(&t, &t), rules.change(&n, &t));
/// let pass = rules.chain(&[Copies(&all), One(&keep), One(&take), Copies(&all)]);
/// let one_token = Nfa::builder(&alphabet).initial(0).edge(0, &t, 1).edge(1, &n, 1);
/// let faulty = Problem::new(
///     one_token.accepting(1).build(),
///     vec![Property { name: "one token".into(), bad: rules.at_least(2, &t) }],
///     Relation::new(&alphabet, vec![("pass".into(), pass)]),
/// )?;
/// let report = check(&faulty, &Options::default(), &Context::default());
/// assert_eq!(report.verdict(), Verdict::Violated);
/// let run = report.answers[0].run(&faulty).unwrap();
/// assert_eq!(run.words, [["T", "N"], ["T", "T"]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(problem: &Problem, options: &Options, cx: &Context) -> Report {
    let name = |index: usize| problem.properties()[index].name.clone();
    let count = problem.properties().len();
    let system = match System::new(problem, options.identity, &cx.budget, &cx.story) {
        Ok(system) => system,
        Err(stop) => {
            let unknown = |index| Answer::new(name(index), Found::Nothing(stop.clone()));
            return Report {
                answers: (0..count).map(unknown).collect(),
                doubts: Vec::new(),
            };
        }
    };
    let mut checking = Checking {
        system: &system,
        options,
        cx,
        found: vec![None; count],
    };
    let stop = checking.decide().err();
    let answers: Vec<Answer> = (checking.found.into_iter().enumerate())
        .map(|(index, found)| {
            found.unwrap_or_else(|| {
                let stop = stop.clone().unwrap_or_else(nothing_left);
                Answer::new(name(index), Found::Nothing(stop))
            })
        })
        .collect();
    let doubts = match options.doubt {
        true => doubts(&system, &answers, &cx.budget).unwrap_or_default(),
        false => Vec::new(),
    };
    Report { answers, doubts }
}

fn nothing_left() -> Stop {
    Stop::exhausted("no method has anything left to try")
}

impl Answer {
    fn new(property: String, found: Found) -> Answer {
        Answer {
            property,
            found,
            method: None,
            refinements: 0,
            attempts: Vec::new(),
        }
    }
}

/// A verdict as a method gives it.
struct Decided {
    found: Found,
    method: String,
    refinements: u64,
    attempts: Vec<(usize, Round)>,
}

impl Decided {
    fn by(method: &str, found: Found) -> Decided {
        Decided {
            found,
            method: method.to_owned(),
            refinements: 0,
            attempts: Vec::new(),
        }
    }
}

/// A check under way.
struct Checking<'a> {
    system: &'a System,
    options: &'a Options,
    cx: &'a Context,
    /// The answer for each property that has one.
    found: Vec<Option<Answer>>,
}

impl Checking<'_> {
    fn decide(&mut self) -> Result<(), Stop> {
        for property in 0..self.found.len() {
            if let Some(found) = sanity::answer(self.system, property, self.cx)? {
                self.record(property, Decided::by("sanity", found))?;
            }
        }
        if self.options.methods.is_empty() {
            self.search_exactly()?;
        }
        self.take_turns()
    }

    fn open(&self) -> Vec<usize> {
        let open = |&property: &usize| self.found[property].is_none();
        (0..self.found.len()).filter(open).collect()
    }

    /// A short breadth-first search with exact sets, for all properties together.
    fn search_exactly(&mut self) -> Result<(), Stop> {
        const METHOD: &str = "exact search";
        const MOST_STEPS: usize = 30;
        const MOST_WORK: u64 = 500_000;
        let cx = Context {
            budget: self.cx.budget.child_with_work(MOST_WORK),
            story: self.cx.story.of_method(METHOD),
            ..Context::default()
        };
        let mut exploration = Exploration::new(self.system);
        while !self.open().is_empty() && exploration.steps() < MOST_STEPS {
            let proceeded = exploration.step(&cx);
            let Ok(closed) = proceeded else {
                // Out of its own work: the methods go on. Out of the whole budget: they stop.
                return self.cx.budget.poll();
            };
            for property in self.open() {
                let met = exploration.meets(self.system.bad(property), &cx);
                if met.is_ok_and(|met| met) {
                    let run = Found::Run(exploration.run_to(property, self.cx)?);
                    self.record(property, self.explored(&exploration, METHOD, run))?;
                } else if closed {
                    let proof = Found::Proof(exploration.proof());
                    self.record(property, self.explored(&exploration, METHOD, proof))?;
                }
            }
        }
        Ok(())
    }

    /// What an exact search came to, with its sets if they are to be kept.
    fn explored(&self, exploration: &Exploration<'_>, method: &str, found: Found) -> Decided {
        let mut result = Decided::by(method, found);
        if exploration.sets().len() <= self.options.keep_automata {
            let round = Round {
                sets: exploration.sets().to_vec(),
                ..Round::default()
            };
            result.attempts.push((0, round));
        }
        result
    }

    /// Keeps an answer that passes its check, and tries a proof for the other properties.
    fn record(&mut self, property: usize, decided: Decided) -> Result<(), Stop> {
        let Decided {
            found,
            method,
            refinements,
            attempts,
        } = decided;
        let budget = &self.cx.budget;
        let valid = match &found {
            Found::Proof(proof) => proof.is_valid(self.system, property, budget)?,
            Found::Run(run) => run.is_valid(self.system, property),
            Found::Nothing(_) => true,
        };
        if !valid {
            return Err(Stop::inconclusive(format!(
                "internal error: the evidence of `{method}` does not pass its check"
            )));
        }
        self.cx.story.tell(|| What::Note {
            text: format!(
                "{}: decided by {method}",
                self.system.property_name(property)
            ),
        });
        let answer = |found: Found, property: usize| Answer {
            property: self.system.property_name(property).to_owned(),
            found,
            method: Some(method.clone()),
            refinements,
            attempts: attempts.clone(),
        };
        let mut also = Vec::new();
        if let Found::Proof(proof) = &found {
            for other in self.open().into_iter().filter(|&other| other != property) {
                if !proof.invariant.intersects(self.system.bad(other), budget)? {
                    also.push((other, answer(Found::Proof(proof.clone()), other)));
                }
            }
        }
        self.found[property] = Some(answer(found, property));
        for (other, answer) in also {
            self.found[other] = Some(answer);
        }
        Ok(())
    }
}
