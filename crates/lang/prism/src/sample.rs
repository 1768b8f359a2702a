//! Estimates by random runs, for models that are too large to be built.
//!
//! An estimate is no proof: its verdict is `unknown`, and what it says is how often the estimate
//! is wrong by more than the interval. The interval is that of Hoeffding (1963), which holds for
//! any number of runs. Runs that come to no end within a bound count for both sides.
//!
//! A property with a bound is tested as it goes (a sequential test): after 100, 200, 400 … runs it
//! is looked whether the interval leaves the bound on one side, and if so no more runs are made.
//! Each look has its share of the error that is allowed, 1/2, 1/6, 1/12 … of it, so that all
//! together are as sure as asked for.

use std::collections::HashMap;

use quotient_core::{Budget, Diagnostic, Rejection, Source, Stop, Trouble, Verdict};
use quotient_language::{Answer, Random};
use quotient_markov::{Kind, nearest};

use crate::check::compared;
use crate::instance::{Instance, Term};
use crate::naive::{State, happenings, starts, truth};
use crate::syntax::{Ahead, Asks, Body, Bound, Join, Node, Tree, Until};

/// How estimates are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    pub(crate) runs: u64,
    /// How sure the interval should be.
    pub(crate) confidence: f64,
    pub(crate) seed: u64,
}

/// A run that is longer is given up.
const LONGEST: u64 = 200_000;
/// So many states are remembered with what can happen in them.
const REMEMBERED: usize = 200_000;

/// Estimates the probability that a property asks for.
pub(crate) fn estimate(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    sampling: Sampling,
    budget: &Budget,
) -> Result<Answer, Trouble> {
    let asked = question(instance, tree, source)?;
    let starts = starts(instance, budget).map_err(trouble)?;
    let mut sampler = Sampler {
        instance,
        asked,
        random: Random::new(sampling.seed),
        known: HashMap::new(),
        budget,
    };
    let limit = match &tree.node {
        Node::Chance(chance) => crate::partial::limit(instance, chance, source)?,
        _ => None,
    };
    let mut tally = Tally::default();
    let mut decided = None;
    let mut look = 0.0;
    while tally.runs < sampling.runs {
        let start = sampler.random.below(starts.len());
        tally.count(sampler.run(&starts[start])?);
        let (Some((join, limit)), true) = (limit, tally.is_look(sampling.runs)) else {
            continue;
        };
        look += 1.0;
        let error = (1.0 - sampling.confidence) / (look * (look + 1.0));
        let (lower, upper) = tally.interval(error);
        decided = match compared(join, lower, upper, limit) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        };
        if decided.is_some() {
            break;
        }
    }
    let error = match limit {
        None => 1.0 - sampling.confidence,
        Some(_) => (1.0 - sampling.confidence) / (look * (look + 1.0)),
    };
    let (lower, upper) = tally.interval(error);
    let (value, open) = (tally.middle(), tally.open);
    let text = format!(
        "{}about {value:.4}: between {lower:.4} and {upper:.4} with a confidence of {} by {} runs",
        match decided {
            Some(true) => "it probably holds; ",
            Some(false) => "it is probably violated; ",
            None => "",
        },
        sampling.confidence,
        tally.runs
    );
    let why = Stop::inconclusive("an estimate is no proof");
    let mut answer = Answer::new(name, Verdict::Unknown(why)).because(text);
    answer.method = Some("simulation".to_owned());
    let estimate = serde_json::json!({
        "value": value,
        "lower": lower,
        "upper": upper,
        "confidence": sampling.confidence,
        "runs": tally.runs,
        "probably": decided.map(|holds| if holds { "holds" } else { "violated" }),
        "without_end": open,
        "seed": sampling.seed,
    });
    answer.details.push(("estimate".to_owned(), estimate));
    if open > 0 {
        let note = format!("{open} runs came to no end within {LONGEST} steps");
        answer.notes.push(note);
    }
    Ok(answer)
}

/// How runs ended.
#[derive(Debug, Default)]
struct Tally {
    runs: u64,
    won: u64,
    open: u64,
}

impl Tally {
    fn count(&mut self, ended: Option<bool>) {
        self.runs += 1;
        match ended {
            Some(true) => self.won += 1,
            Some(false) => {}
            None => self.open += 1,
        }
    }

    /// Whether it is time for a look: after 100, 200, 400 … runs, and after the last one.
    fn is_look(&self, last: u64) -> bool {
        let hundreds = self.runs / 100;
        self.runs == last || self.runs.is_multiple_of(100) && hundreds.is_power_of_two()
    }

    fn middle(&self) -> f64 {
        (self.won as f64 + self.open as f64 / 2.0) / self.runs as f64
    }

    /// An interval that is wrong with no more than this probability.
    fn interval(&self, error: f64) -> (f64, f64) {
        let runs = self.runs as f64;
        let wide = ((2.0 / error).ln() / (2.0 * runs)).sqrt();
        let (low, high) = (self.won as f64 / runs, (self.won + self.open) as f64 / runs);
        ((low - wide).max(0.0), (high + wide).min(1.0))
    }
}

fn trouble(rejection: Rejection) -> Trouble {
    match rejection {
        Rejection::Stopped(stop) => stop.into(),
        other => Diagnostic::error("simulation", other.to_string()).into(),
    }
}

/// A condition on one state.
enum Condition {
    Holds(Term),
    Not(Box<Condition>),
    Two(Join, Box<Condition>, Box<Condition>),
}

impl Condition {
    fn holds(&self, state: &State) -> Result<bool, Rejection> {
        Ok(match self {
            Condition::Holds(term) => truth(term, state)?,
            Condition::Not(of) => !of.holds(state)?,
            Condition::Two(join, left, right) => {
                let (left, right) = (left.holds(state)?, right.holds(state)?);
                match join {
                    Join::And => left && right,
                    Join::Or => left || right,
                    Join::Implies => !left || right,
                    _ => left == right,
                }
            }
        })
    }
}

/// A path: the left condition until the right one, between two moments.
struct Question {
    left: Option<Condition>,
    right: Condition,
    /// Whether it is the opposite of a path to where the right side fails.
    opposite: bool,
    from: f64,
    to: f64,
}

fn question(instance: &Instance, tree: &Tree, source: &Source) -> Result<Question, Trouble> {
    let refused = |message: &str, tree: &Tree| -> Trouble {
        let error = Diagnostic::error("not-supported", message).at(source, tree.span, "");
        error.into()
    };
    if instance.kind == Kind::Mdp {
        return Err(refused("runs of decision processes need choices", tree));
    }
    let Node::Chance(chance) = &tree.node else {
        return Err(refused("only probabilities are estimated", tree));
    };
    let (Asks::Probability, Body::Formula(path), None) = (chance.asks, &chance.body, &chance.given)
    else {
        return Err(refused(
            "only probabilities of one path are estimated",
            tree,
        ));
    };
    let (left, right, opposite, bound, next) = match &path.node {
        Node::Ahead(Ahead::Next, None, right) => (None, right, false, &None, true),
        Node::Ahead(Ahead::Finally, bound, right) => (None, right, false, bound, false),
        Node::Ahead(Ahead::Globally, bound, right) => (None, right, true, bound, false),
        Node::Until(Until::Strong, bound, left, right) => (Some(left), right, false, bound, false),
        _ => return Err(refused("only X, F, G and U are estimated", path)),
    };
    let condition = |tree: &Tree| condition(instance, tree, source);
    let right = condition(right)?;
    let right = match opposite {
        true => Condition::Not(Box::new(right)),
        false => right,
    };
    let left = left.map(|left| condition(left)).transpose()?;
    let (from, to) = match (bound, next) {
        (_, true) => (1.0, 1.0),
        (Some(bound), _) => window(instance, bound, source)?,
        _ => (0.0, f64::INFINITY),
    };
    Ok(Question {
        left,
        right,
        opposite,
        from,
        to,
    })
}

fn window(instance: &Instance, bound: &Bound, source: &Source) -> Result<(f64, f64), Trouble> {
    let number = |tree: &Option<Tree>, other: f64| -> Result<f64, Trouble> {
        let Some(tree) = tree else { return Ok(other) };
        match instance.names.term(tree, source, None)? {
            Term::Value(value) => Ok(value.number()),
            _ => Err(Diagnostic::error("not-constant", "this must not depend on variables").into()),
        }
    };
    let (mut from, mut to) = (
        number(&bound.low, 0.0)?,
        number(&bound.high, f64::INFINITY)?,
    );
    if instance.kind != Kind::Ctmc {
        from += f64::from(u8::from(bound.low_strict));
        to -= f64::from(u8::from(bound.high_strict));
    }
    Ok((from, to))
}

fn condition(instance: &Instance, tree: &Tree, source: &Source) -> Result<Condition, Trouble> {
    if crate::check::is_plain(tree) {
        return Ok(Condition::Holds(instance.names.term(tree, source, None)?));
    }
    match &tree.node {
        Node::Label(name) => {
            let label = instance.labels.iter().find(|(one, ..)| one == name);
            let (_, term, _) = label.ok_or_else(|| {
                let message = format!("the label \"{name}\" cannot be looked at in a run");
                Diagnostic::error("no-such-label", message).at(source, tree.span, "")
            })?;
            Ok(Condition::Holds(term.clone()))
        }
        Node::Not(of) => Ok(Condition::Not(Box::new(condition(instance, of, source)?))),
        Node::Two(join @ (Join::And | Join::Or | Join::Implies | Join::Iff), left, right) => {
            let left = Box::new(condition(instance, left, source)?);
            let right = Box::new(condition(instance, right, source)?);
            Ok(Condition::Two(*join, left, right))
        }
        _ => {
            let message = "this cannot be looked at in a run";
            Err(Diagnostic::error("not-supported", message)
                .at(source, tree.span, "")
                .into())
        }
    }
}

/// What can happen in a state: targets with weights up to each, and the sum.
type Possible = (Vec<(State, f64)>, f64);

struct Sampler<'a> {
    instance: &'a Instance,
    asked: Question,
    random: Random,
    known: HashMap<State, Possible>,
    budget: &'a Budget,
}

impl Sampler<'_> {
    /// Whether a run does what is asked; none if it does not end.
    fn run(&mut self, start: &State) -> Result<Option<bool>, Trouble> {
        let timed = self.instance.kind == Kind::Ctmc;
        let mut state = start.clone();
        let mut now = 0.0;
        let answer = |holds: bool, opposite: bool| Ok(Some(holds != opposite));
        let opposite = self.asked.opposite;
        for _ in 0..LONGEST {
            self.budget.charge(1)?;
            let (ahead, sum) = self.ahead(&state)?;
            let stays = ahead.iter().all(|(to, _)| *to == state);
            let until = match (timed, sum > 0.0) {
                (true, true) => now - (1.0 - self.random.unit()).ln() / sum,
                (true, false) => f64::INFINITY,
                (false, _) => now + 1.0,
            };
            // A state lasts from now until the next one comes.
            let here = match timed {
                true => until >= self.asked.from && now <= self.asked.to,
                false => now >= self.asked.from && now <= self.asked.to,
            };
            let allowed = match &self.asked.left {
                Some(left) => left.holds(&state).map_err(trouble)?,
                None => true,
            };
            let there = here && self.asked.right.holds(&state).map_err(trouble)?;
            if there && (allowed || now >= self.asked.from) {
                return answer(true, opposite);
            }
            if !allowed || until > self.asked.to || stays && until >= self.asked.from {
                return answer(false, opposite);
            }
            let at = self.random.unit() * sum;
            let found = ahead.iter().find(|(_, up_to)| at < *up_to);
            let Some((next, _)) = found.or(ahead.last()) else {
                return answer(false, opposite);
            };
            state = next.clone();
            now = until;
        }
        Ok(None)
    }

    fn ahead(&mut self, state: &State) -> Result<Possible, Trouble> {
        if let Some(known) = self.known.get(state) {
            return Ok(known.clone());
        }
        let all = happenings(self.instance, state, self.budget).map_err(trouble)?;
        let many = match self.instance.kind {
            Kind::Ctmc => 1.0,
            _ => all.len() as f64,
        };
        let mut sum = 0.0;
        let mut ahead = Vec::new();
        for one in all {
            for (target, weight) in one.branches {
                sum += nearest(&weight) / many;
                ahead.push((target, sum));
            }
        }
        if ahead.is_empty() {
            ahead.push((state.clone(), 0.0));
            if self.instance.kind != Kind::Ctmc {
                sum = 1.0;
            }
        }
        if self.known.len() < REMEMBERED {
            self.known.insert(state.clone(), (ahead.clone(), sum));
        }
        Ok((ahead, sum))
    }
}
