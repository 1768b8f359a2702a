//! Methods that take turns.

use quotient_core::{Conclusion, Context, Portfolio, Shares, Stop, TieBreak, run};

use super::{Checking, Decided, Found, Options};
use crate::{Armc, Configuration, System};

/// The methods that are tried when none is named, best first: together they decided every
/// model at hand, and the first ones most of them.
const DEFAULT_METHODS: [&str; 10] = [
    "forward predicates(init, bad, actions)",
    "forward traces(1, +1)",
    "learn",
    "forward past-predicates(bad, guards, actions)",
    "forward predicates(bad)",
    "forward length(1, +1)",
    "backward length(1, +1)",
    "backward predicates(init)",
    "forward predicates(bad, guards) key-states",
    "forward exact",
];

/// The work of the first turn of each method.
const FIRST_TURN: u64 = 1_000_000;

impl Checking<'_> {
    /// Every method gets a turn for every open property, then a longer one, and so on. A
    /// method that ends before its turn does has nothing more to say.
    pub(super) fn take_turns(&mut self) -> Result<(), Stop> {
        let methods = match self.options.methods.is_empty() {
            true => default_methods(self.system),
            false => self.options.methods.clone(),
        };
        let mut waiting: Vec<Vec<Configuration>> = vec![methods; self.found.len()];
        // One method alone has nobody to take turns with.
        let first = match waiting.first() {
            Some(methods) if methods.len() == 1 => u64::MAX,
            _ => FIRST_TURN,
        };
        let mut last_stop = None;
        for work in Shares::beginning_with(first) {
            let is_waiting = |&property: &usize| !waiting[property].is_empty();
            if !self.open().iter().any(is_waiting) {
                break;
            }
            for property in self.open() {
                if self.found[property].is_some() {
                    continue;
                }
                let stops = self.turn(property, &waiting[property], work)?;
                let wants_more = |method: &Configuration| {
                    stops.iter().any(|(m, s)| m == method && *s == Stop::Work)
                };
                waiting[property].retain(wants_more);
                last_stop = stops
                    .into_iter()
                    .map(|(_, stop)| stop)
                    .next_back()
                    .or(last_stop);
            }
        }
        match last_stop.filter(|_| self.options.methods.len() == 1 && !self.open().is_empty()) {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// One turn of each method for a property; says how those without an answer ended.
    fn turn(
        &mut self,
        property: usize,
        methods: &[Configuration],
        work: u64,
    ) -> Result<Vec<(Configuration, Stop)>, Stop> {
        let (system, options) = (self.system, self.options);
        let tie_break = match self.options.repeatable {
            true => TieBreak::FirstListed,
            false => TieBreak::FirstDone,
        };
        let mut portfolio = Portfolio::new().tie_break(tie_break);
        for method in methods {
            portfolio = portfolio.entry(method.to_string(), move |cx: &mut Context| {
                cx.budget = cx.budget.child_with_work(work);
                attempt(system, property, method, options, cx)
            });
        }
        let race = portfolio.race(self.options.threads, self.cx);
        if let Some(decided) = race.answer {
            self.record(property, decided)?;
            return Ok(Vec::new());
        }
        self.cx.budget.poll()?;
        let named = |(name, stop): (String, Stop)| {
            let method = methods.iter().find(|method| method.to_string() == name)?;
            Some((method.clone(), stop))
        };
        Ok(race.others.into_iter().filter_map(named).collect())
    }
}

fn default_methods(system: &System) -> Vec<Configuration> {
    DEFAULT_METHODS
        .iter()
        .filter_map(|text| text.parse().ok())
        .filter(|method| system.is_length_preserving() || *method != Configuration::Learn)
        .collect()
}

/// Runs one method to its end; if it cannot be refined any more and was named by the user, goes
/// on with one like it.
fn attempt(
    system: &System,
    property: usize,
    method: &Configuration,
    options: &Options,
    cx: &mut Context,
) -> Result<Decided, Stop> {
    let mut method = method.clone();
    loop {
        let stop = match one_method(system, property, &method, options, cx) {
            Ok(decided) => return Ok(decided),
            Err(stop) => stop,
        };
        // The default methods have others beside them anyway.
        let next = match &stop {
            Stop::Exhausted { .. } if options.fall_back && !options.methods.is_empty() => {
                method.fall_back()
            }
            _ => None,
        };
        let Some(next) = next else {
            return Err(stop);
        };
        cx.story
            .note(format!("refinement has no effect; {next} goes on"));
        method = next;
    }
}

fn one_method(
    system: &System,
    property: usize,
    method: &Configuration,
    options: &Options,
    cx: &mut Context,
) -> Result<Decided, Stop> {
    let mut attempts = Vec::new();
    let outcome = match method {
        Configuration::Abstract {
            direction,
            abstraction,
        } => {
            let limits = options.limits;
            let mut armc = Armc::new(system, property, *direction, abstraction, limits, cx)?;
            armc.keep_rounds(options.keep_automata);
            let outcome = run(&mut armc, cx);
            attempts = armc.into_rounds();
            outcome
        }
        Configuration::Learn => {
            let mut learner = crate::Learner::new(system, property)?;
            run(&mut learner, cx)
        }
    };
    let found = match outcome.conclusion {
        Conclusion::Holds(proof) => Found::Proof(proof),
        Conclusion::Violated(run) => Found::Run(run),
        Conclusion::Unknown(stop) => return Err(stop),
    };
    Ok(Decided {
        found,
        method: method.to_string(),
        refinements: outcome.refinements,
        attempts,
    })
}
