//! Evidence for questions with a bound on steps or time: the numbers, computed once more.

use quotient_bits::Bits;
use quotient_certify::{
    Bounds, Certified, Enclosed, Limited, Moment, Rejection, recompute, recompute_delayed,
};
use quotient_core::{Budget, Claim, Evidence, Source, Trouble};
use quotient_markov::{ChoiceId, Kind, Markov, Rational, StateId, above, below, whole};
use quotient_probability::Built;
use serde::{Deserialize, Serialize};

use crate::at_once;
use crate::evidence::{direction, is_state_formula, set, settle};
use crate::instance::{Instance, Term};
use crate::limited_exact;
use crate::naive::{self, Naive};
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Node, Tree, Until};

/// The kind of evidence that is a claim about a number with a bound on steps or time.
pub(crate) const KIND: &str = "chance-limited";

/// More steps, or jumps of the fastest state within a time, are not done again by `quotient_certify`.
pub(crate) const MOST_STEPS: f64 = 2e7;

/// Where the number lies, over all initial states. Written as texts, so that infinity can be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    lower: String,
    upper: String,
}

/// A path with a bound.
pub(crate) struct Path<'t> {
    pub(crate) left: Option<&'t Tree>,
    pub(crate) right: &'t Tree,
    /// Whether it is the opposite of a path to where the right side fails.
    pub(crate) opposite: bool,
    pub(crate) bound: Option<&'t Bound>,
}

/// What is asked, if it is a question of this kind.
pub(crate) fn path_of(path: &Tree) -> Option<Path<'_>> {
    match &path.node {
        Node::Ahead(Ahead::Next, None, right) => Some(Path {
            left: None,
            right,
            opposite: false,
            bound: None,
        }),
        Node::Ahead(what @ (Ahead::Finally | Ahead::Globally), Some(bound), right) => Some(Path {
            left: None,
            right,
            opposite: *what == Ahead::Globally,
            bound: Some(bound),
        }),
        Node::Until(Until::Strong, Some(bound), left, right) => Some(Path {
            left: Some(left),
            right,
            opposite: false,
            bound: Some(bound),
        }),
        _ => None,
    }
}

/// Whether a property is a question of this kind.
pub(crate) fn fits(tree: &Tree) -> bool {
    let Node::Chance(chance) = &tree.node else {
        return false;
    };
    match (chance.asks, &chance.body, &chance.given) {
        (Asks::Probability, Body::Formula(path), None) => path_of(path).is_some_and(|path| {
            let ends = path.bound.is_none_or(|bound| bound.high.is_some());
            ends && path.left.is_none_or(is_state_formula) && is_state_formula(path.right)
        }),
        (Asks::Reward, Body::Until(_) | Body::At(_), None) => true,
        _ => false,
    }
}

/// Whether bounds are on steps, or on time that passes by itself: not on what clocks show.
pub(crate) fn counts(instance: &Instance) -> bool {
    instance.time.is_none()
}

impl Instance {
    /// Whether time passes by itself.
    pub(crate) fn is_timed(&self) -> bool {
        self.kind == Kind::Ctmc || self.markovian
    }
}

/// Writes a claim: the bounds that were found, a little wider, since they are found in another
/// way when they are checked. The chance of an opposite is as wide as that of what it is the opposite
/// of, however small it is.
pub(crate) fn write(
    built: &Built,
    tree: &Tree,
    bounds: Option<(f64, f64)>,
    claim: Claim,
) -> Option<Evidence> {
    if built.model.states() > crate::evidence::MOST_STATES {
        return None;
    }
    let (low, high) = bounds.unwrap_or((0.0, f64::INFINITY));
    let path = match &tree.node {
        Node::Chance(chance) => match &chance.body {
            Body::Formula(path) => path_of(path),
            _ => None,
        },
        _ => None,
    };
    let least = match path.is_some_and(|path| path.opposite) {
        true => 1e-11,
        false => 1e-13,
    };
    let wider = |number: f64| 1e-8 * number.abs() + least;
    let bounds = ((low - wider(low)).max(0.0), high + wider(high));
    Some(claimed(bounds, claim))
}

/// Whether a question has more steps, or jumps within a time, than the checker does again: evidence that
/// nobody can check is not written.
pub(crate) fn is_too_long(instance: &Instance, model: &Markov, asked: (&Tree, &Source)) -> bool {
    let (tree, source) = asked;
    let (Node::Chance(chance), true) = (&tree.node, fits(tree) && counts(instance)) else {
        return false;
    };
    let until = match &chance.body {
        Body::Until(amount) | Body::At(amount) => Some(amount),
        Body::Formula(path) => path_of(path)
            .and_then(|path| path.bound)
            .and_then(|bound| bound.high.as_ref()),
        _ => None,
    };
    let term = until.and_then(|until| instance.names.term(until, source, None).ok());
    let Some(Term::Value(until)) = term else {
        return false;
    };
    let times = match instance.kind == Kind::Ctmc {
        true => ChoiceId::all(model.choices())
            .map(|choice| model.sum(choice))
            .fold(0.0, f64::max),
        // A Markov automaton is looked at in another way.
        false => f64::from(u8::from(!instance.markovian)),
    };
    until.number() * times > MOST_STEPS
}

/// A claim that the number lies between bounds.
pub(crate) fn claimed((low, high): (f64, f64), claim: Claim) -> Evidence {
    let written = Written {
        lower: format!("{low:?}"),
        upper: format!("{high:?}"),
    };
    match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    }
}

/// The chance of the opposite, between bounds: none is below 0.
fn opposite_of(low: f64, high: f64) -> (f64, f64) {
    ((1.0 - high).next_down().max(0.0), (1.0 - low).next_up())
}

/// Checks a claim by computing the number once more: from the text, with another builder and the
/// simplest algorithm, all rounding outwards.
pub(crate) fn certify(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let unreadable = |text: &str| Rejection::unreadable(text.to_owned());
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let number = |text: &str| {
        text.parse::<f64>()
            .map_err(|_| unreadable("this is no number"))
    };
    let (lower, upper) = (number(&written.lower)?, number(&written.upper)?);
    let (chance, structure) = question(instance, tree, source)?;
    let asked = (name, chance, source);
    if let Some(known) = at_once::certify(instance, asked, (lower, upper), evidence.claim) {
        return known;
    }
    let naive = naive::build(instance, structure, budget)?;
    let apart = chance.relation.as_ref();
    let apart = apart.and_then(
        |(_, limit)| match instance.names.term(limit, source, None) {
            Ok(Term::Value(value)) => value.exact(),
            _ => None,
        },
    );
    let apart = apart.map(|limit| (below(&limit), above(&limit)));
    let asked = Asked {
        instance,
        source,
        naive: &naive,
        least: direction(chance, instance.kind)?,
        claimed: Some(Claimed {
            between: (lower, upper),
            apart,
        }),
        budget,
    };
    let (enclosed, opposite) = asked.again(chance)?;
    for &state in &naive.model.initial {
        let (mut low, mut high) = (enclosed.lower[state.index()], enclosed.upper[state.index()]);
        if opposite {
            (low, high) = opposite_of(low, high);
        }
        // `NaN` is refused by this, too.
        if !(lower <= low && high <= upper) {
            return Err(Rejection::wrong(format!(
                "the number lies between {low} and {high}, which is not what the evidence says"
            )));
        }
    }
    let bounds = Bounds {
        lower: enclosed.lower,
        upper: enclosed.upper,
        chosen: Vec::new(),
    };
    let mut facts = vec![format!(
        "{} built a second time, and the number computed once more with every rounding outwards",
        quotient_language::text::count(naive.states.len(), "state")
    )];
    let claim = evidence.claim;
    let settled = settle(instance, chance, source, &naive, &bounds, opposite, claim);
    match settled {
        Ok(more) => facts.extend(more),
        // A bound that is met exactly lies on neither side of what was rounded.
        Err(wrong) => {
            let exact = asked.exactly(chance).ok();
            let kept =
                exact.and_then(|exact| limited_exact::kept(instance, chance, source, &exact));
            if kept != Some(claim == Claim::Holds) {
                return Err(wrong);
            }
            facts.push("the number compared with the bound as a fraction".to_owned());
        }
    }
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// Chances by a time that are known without computing: a state without a way to the goal never comes
/// to it, and one that is in it is there from the beginning. In a chain
/// nothing happens in no time.
fn sure(model: &Markov, question: &Limited<'_>, found: &mut Enclosed) {
    let Limited::Reaching {
        allowed,
        goal,
        from,
        to,
    } = question
    else {
        return;
    };
    let mut before = vec![Vec::new(); model.states()];
    for state in allowed.ones().filter(|_| *to != (0.0, 0.0)) {
        for next in model.successors(StateId::from_index(state)) {
            before[next.index()].push(state);
        }
    }
    let mut leads: Bits = (*goal).clone();
    let mut waiting: Vec<usize> = goal.ones().collect();
    while let Some(state) = waiting.pop() {
        for &one in &before[state] {
            if !leads.put(one) {
                waiting.push(one);
            }
        }
    }
    for state in 0..model.states() {
        let sure = match (leads.contains(state), goal.contains(state)) {
            (false, _) => 0.0,
            (true, true) if *from == (0.0, 0.0) => 1.0,
            _ => continue,
        };
        (found.lower[state], found.upper[state]) = (sure, sure);
    }
}

/// The question and its rewards, if it is one of this kind.
pub(crate) fn question<'t>(
    instance: &Instance,
    tree: &'t Tree,
    source: &Source,
) -> Result<(&'t Chance, Option<usize>), Rejection> {
    let (Node::Chance(chance), true) = (&tree.node, fits(tree) && counts(instance)) else {
        let text = "such evidence is not for properties of this kind";
        return Err(Rejection::unreadable(text));
    };
    let structure = match chance.asks {
        Asks::Reward => {
            let found = instance.structure(chance.structure.as_ref(), source, tree.span);
            let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
            Some(found.map_err(wrong)?)
        }
        _ => None,
    };
    Ok((chance, structure))
}

/// What is claimed about a number: that it lies between two others, and on one side of a bound.
#[derive(Clone, Copy)]
pub(crate) struct Claimed {
    between: (f64, f64),
    apart: Option<(f64, f64)>,
}

/// A question about a model that was built a second time.
pub(crate) struct Asked<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) source: &'a Source,
    pub(crate) naive: &'a Naive,
    pub(crate) least: bool,
    /// Where the number lies in all initial states, if something is claimed about it, and what it is
    /// compared with.
    pub(crate) claimed: Option<Claimed>,
    pub(crate) budget: &'a Budget,
}

impl Asked<'_> {
    /// The numbers of all states, and whether they are those of the opposite.
    fn again(&self, chance: &Chance) -> Result<(Enclosed, bool), Rejection> {
        let timed = self.instance.is_timed();
        match &chance.body {
            Body::Formula(path) => {
                let path = path_of(path)
                    .ok_or_else(|| Rejection::unreadable("such evidence is not for such paths"))?;
                let (allowed, goal) = self.sets(&path)?;
                let (from, to) = match path.bound {
                    Some(bound) => self.window(bound, timed)?,
                    None => ((1.0, 1.0), (1.0, 1.0)),
                };
                let question = Limited::Reaching {
                    allowed: &allowed,
                    goal: &goal,
                    from,
                    to,
                };
                let stepwise = path.bound.is_none();
                let found = self.recomputed(&question, stepwise, path.opposite)?;
                Ok((found, path.opposite))
            }
            body => Ok((self.earned_again(body)?, false)),
        }
    }

    /// The numbers of all states, computed again; of steps, whatever the time, if these are meant.
    pub(crate) fn recomputed(
        &self,
        question: &Limited<'_>,
        stepwise: bool,
        opposite: bool,
    ) -> Result<Enclosed, Rejection> {
        let (model, budget) = (&self.naive.model, self.budget);
        let rates = if stepwise { &[] } else { &self.naive.rates[..] };
        let least = self.least != opposite;
        if stepwise || !self.instance.markovian {
            let mut found = recompute(model, rates, question, least, budget)?;
            if !rates.is_empty() {
                sure(model, question, &mut found);
            }
            return Ok(found);
        }
        let told = |found: &Enclosed, state: u32| {
            let (low, high) = (found.lower[state as usize], found.upper[state as usize]);
            match opposite {
                true => opposite_of(low, high),
                false => (low, high),
            }
        };
        // What is claimed is clear when all of it is inside, or something surely outside.
        let enough = |found: &Enclosed| {
            let starts = || {
                model
                    .initial
                    .iter()
                    .map(|&state| told(found, state.number()))
            };
            match self.claimed {
                Some(Claimed { between, apart }) => {
                    let (from, to) = between;
                    let clear = |low: f64, high: f64| {
                        apart.is_none_or(|(least, most)| high < least || most < low)
                    };
                    starts().all(|(low, high)| from <= low && high <= to && clear(low, high))
                        || starts().any(|(low, high)| high < from || to < low)
                }
                None => starts().all(|(low, high)| high - low <= 1e-7 * high),
            }
        };
        recompute_delayed(model, rates, question, least, &enough, budget)
    }

    /// What is earned up to a moment, or what states are worth at one.
    pub(crate) fn earned_again(&self, body: &Body) -> Result<Enclosed, Rejection> {
        let rates = &self.naive.rates[..];
        match body {
            Body::Until(amount) => {
                // In a Markov automaton it is earned by choices, else per unit of time.
                let earned: Vec<Rational> = match self.instance.kind == Kind::Ctmc {
                    false => self.naive.earned.clone(),
                    true => {
                        let all = self.naive.earned.iter().zip(rates);
                        all.map(|(earned, rate)| match *rate == whole(0) {
                            true => earned.clone(),
                            false => earned * rate,
                        })
                        .collect()
                    }
                };
                let question = Limited::Earning {
                    earned: &earned,
                    until: self.constant(amount)?,
                };
                self.recomputed(&question, false, false)
            }
            Body::At(amount) => {
                let question = Limited::Worth {
                    worth: &self.naive.worth,
                    at: self.constant(amount)?,
                };
                self.recomputed(&question, false, false)
            }
            _ => Err(Rejection::unreadable(
                "such evidence is not for properties of this kind",
            )),
        }
    }

    /// What may be passed, and what is to be reached.
    pub(crate) fn sets(&self, path: &Path<'_>) -> Result<(Bits, Bits), Rejection> {
        let mut allowed = Bits::with_capacity(self.naive.model.states());
        allowed.insert_range(..);
        if let Some(left) = path.left {
            allowed = set(self.instance, self.naive, left, self.source)?;
        }
        let mut goal = set(self.instance, self.naive, path.right, self.source)?;
        if path.opposite {
            goal.toggle_range(..);
        }
        Ok((allowed, goal))
    }

    /// A number of steps, or a time, between doubles.
    pub(crate) fn constant(&self, tree: &Tree) -> Result<Moment, Rejection> {
        let exact = match self.instance.names.term(tree, self.source, None) {
            Ok(Term::Value(value)) => value.exact(),
            _ => None,
        };
        match exact {
            Some(exact) if exact >= whole(0) => Ok((below(&exact), above(&exact))),
            _ => Err(Rejection::unreadable("the bound has no value")),
        }
    }

    /// The moment from which on a bound is kept.
    pub(crate) fn from(&self, bound: &Bound, timed: bool) -> Result<Moment, Rejection> {
        let low = bound.low.as_ref();
        let from = low.map_or(Ok((0.0, 0.0)), |low| self.constant(low))?;
        let more = f64::from(u8::from(bound.low_strict && !timed));
        Ok((from.0 + more, from.1 + more))
    }

    pub(crate) fn window(&self, bound: &Bound, timed: bool) -> Result<(Moment, Moment), Rejection> {
        let from = self.from(bound, timed)?;
        let high = bound.high.as_ref();
        let mut to = match high {
            Some(high) => self.constant(high)?,
            None => return Err(Rejection::unreadable("there is no upper bound")),
        };
        if !timed {
            let less = f64::from(u8::from(bound.high_strict));
            to = (to.0 - less, to.1 - less);
        }
        match from.0 <= to.1 {
            true => Ok((from, to)),
            false => Err(Rejection::unreadable("nothing lies between these bounds")),
        }
    }
}
