//! Evidence with parts: for properties in which numbers are compared, put together, filtered or
//! used inside of others.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use quotient_bits::Bits;
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Source, Span};
use quotient_logic::Formula;
use quotient_markov::{Kind, Rational, StateId, whole};
use quotient_probability::{Analysis, Averages, Best, Built, Precision, Values};
use serde::{Deserialize, Serialize};

use crate::again::{Again, Settled};
use crate::check::{is_followed, is_linear, is_path, is_plain, simple_path};
use crate::counted::{self, Counter};
use crate::given::Seen;
use crate::instance::{Instance, Texts};
use crate::limited::counts;
use crate::product::Product;
use crate::quantile::Turn;
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Name, Node, Quantile, Tree, Until};
use crate::together::{self, Wanted};
use crate::{average, evidence, fractions, given, linear, naive};

/// The kind of evidence that has a part for each number that needs a proof.
pub(crate) const KIND: &str = "chance-parts";

/// What the engine found on its way, in the order in which it was asked.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    Bounds(Values),
    Averages(Averages),
    Linear(Linear),
    Counted(Counted),
    /// Bounds for all states of the model beside what is left of a path formula.
    Prefix(evidence::Written),
    /// Where the property of a quantile turns.
    Turn(Turn),
    Given(Given),
    /// Several objectives, and how near bounds are to be.
    Several(Vec<Wanted>, f64),
    /// Fractions, where a bound is met exactly.
    Fractions(fractions::Written),
    /// Several objectives with fractions.
    Exactly(together::Written),
    /// That earning never comes to an end, from all initial states.
    Endless,
    /// Something was found that cannot be shown.
    Unshown,
}

/// A conditional chance of a decision process that was found, of reaching one set given another.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) goal: Seen,
    pub(crate) condition: Seen,
    pub(crate) best: Best,
    pub(crate) found: Values,
    /// How near bounds are to be.
    pub(crate) width: f64,
}

/// A path with bounds on what is earned, of which the chance was found.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    pub(crate) allowed: Bits,
    pub(crate) goal: Bits,
    /// The number of the rewards, the amount, whether strictly, and whether it is an upper bound.
    pub(crate) limits: Vec<(usize, f64, bool, bool)>,
    pub(crate) best: Best,
    pub(crate) found: Values,
    /// How near bounds are to be.
    pub(crate) width: f64,
}

/// A path formula of which the greatest chance was found.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    pub(crate) formula: Formula<usize>,
    /// Where its conditions hold.
    pub(crate) conditions: Vec<Bits>,
    pub(crate) found: Values,
    /// How near bounds are to be.
    pub(crate) width: f64,
}

/// One part, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Part {
    Bounds(evidence::Written),
    Average(average::Written),
    /// Bounds for all states of the product with the automaton of a path formula.
    Linear(evidence::Written),
    /// Bounds for all states of the model beside counters of what is earned.
    Counted(evidence::Written),
    /// Bounds on what is earned, for all states of the model beside what is left of a path formula.
    Prefix(evidence::Written),
    /// The bound at which the property of a quantile turns, if there is one.
    Turn(Turn),
    /// Bounds for all states of the model beside what was seen, in which runs may begin again.
    Given(evidence::Written),
    /// Ways to choose and what no way exceeds, on the model beside what has happened on paths.
    Several(together::Written),
    /// The number of each state as a fraction, where a bound is met exactly.
    Fractions(fractions::Written),
    /// Nothing: where one can earn again and again without an end is found out once more.
    Endless,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    parts: Vec<Part>,
}

/// Writes all parts; nothing if one of them is not known.
pub(crate) fn write(
    built: &Built,
    kept: &[Kept],
    claim: Claim,
    budget: &Budget,
) -> Option<Evidence> {
    if built.model.states() > evidence::MOST_STATES {
        return None;
    }
    let part = |kept: &Kept| match kept {
        Kept::Bounds(values) => Some(Part::Bounds(evidence::written(built, values))),
        Kept::Averages(found) => average::written(built, found).map(Part::Average),
        Kept::Linear(linear) => linear.written(built, budget).map(Part::Linear),
        Kept::Counted(counted) => counted.written(built, budget).map(Part::Counted),
        Kept::Prefix(written) => Some(Part::Prefix(written.clone())),
        Kept::Turn(turn) => Some(Part::Turn(*turn)),
        Kept::Fractions(written) => Some(Part::Fractions(written.clone())),
        Kept::Exactly(written) => Some(Part::Several(written.clone())),
        Kept::Endless => Some(Part::Endless),
        Kept::Unshown => None,
        Kept::Several(wanted, width) => {
            together::written(wanted, *width, built, budget).map(Part::Several)
        }
        Kept::Given(given) => given.written(built, budget).map(Part::Given),
    };
    let parts = kept.iter().map(part).collect::<Option<Vec<Part>>>()?;
    let written = Written { parts };
    Some(match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    })
}

impl Linear {
    /// Bounds for all states of the product that the checker makes; nothing if it is too large, or
    /// tells something else than what was found.
    fn written(&self, built: &Built, budget: &Budget) -> Option<evidence::Written> {
        let (order, model) = evidence::jumps_in_order(built);
        let conditions = self.conditions.iter().map(|set| in_order(set, &order));
        let conditions: Vec<Bits> = conditions.collect();
        let most = evidence::MOST_STATES;
        let product = linear::product(&model, &self.formula, &conditions, most, budget).ok()?;
        let pairs = order.iter().copied().zip(product.first.iter().copied());
        let asked = (Best::Greatest, self.width);
        agreeing(&product, asked, (&self.found, pairs), budget)
    }
}

impl Counted {
    /// Bounds for all states of the model with counters that the checker makes; nothing if it is too
    /// large, or what is earned is no whole number of common units.
    fn written(&self, built: &Built, budget: &Budget) -> Option<evidence::Written> {
        let (order, model) = evidence::jumps_in_order(built);
        let mut counters = Vec::new();
        for &(structure, amount, strictly, upper) in &self.limits {
            let earned = earned(built, structure, order.iter().copied())?;
            // What no run can keep needs no counters.
            counters.push(Counter::new(&earned, &shortest(amount)?, strictly, upper)??);
        }
        let sets = (
            &in_order(&self.allowed, &order),
            &in_order(&self.goal, &order),
        );
        let most = evidence::MOST_STATES;
        let product = counted::product(&model, &counters, sets, most, budget).ok()?;
        let initial = model.initial.iter().map(|&state| order[state.index()]);
        let pairs = initial.zip(product.first.iter().copied());
        let asked = (self.best, self.width);
        agreeing(&product, asked, (&self.found, pairs), budget)
    }
}

impl Given {
    /// Bounds for all states of the model in which runs may begin again that the checker makes;
    /// nothing if it is too large.
    fn written(&self, built: &Built, budget: &Budget) -> Option<evidence::Written> {
        let (order, model) = evidence::jumps_in_order(built);
        let placed = |path: &Seen| Seen {
            left: in_order(&path.left, &order),
            right: in_order(&path.right, &order),
            window: path.window,
        };
        let (goal, condition) = (placed(&self.goal), placed(&self.condition));
        let least = self.best == Best::Least;
        let most = evidence::MOST_STATES;
        let watched = given::beside(&model, [&goal, &condition], most, budget).ok()?;
        let (inner, sets) = match &watched {
            Some(watched) => (&watched.model, (&watched.taken[0], &watched.taken[1])),
            None => (&model, (&goal.right, &condition.right)),
        };
        let product = given::product(inner, sets, least, most, budget).ok()?;
        let found = match least {
            true => opposite(&self.found),
            false => self.found.clone(),
        };
        let initial = model.initial.iter().map(|&state| order[state.index()]);
        let pairs = initial.zip(product.first.iter().copied());
        let asked = (Best::Greatest, self.width);
        agreeing(&product, asked, (&found, pairs), budget)
    }
}

/// One less each, rounded outwards.
fn opposite(values: &Values) -> Values {
    let turned = |all: &[f64], outwards: fn(f64) -> f64| -> Vec<f64> {
        let each = all.iter().map(|&one| evidence::turned(one, outwards));
        each.collect()
    };
    Values {
        lower: turned(&values.upper, f64::next_down),
        upper: turned(&values.lower, f64::next_up),
        chosen: Vec::new(),
    }
}

/// Bounds for all states of a product, by the chance that is best and how near they are to be;
/// nothing unless they agree with those that were found before, of each state of the model with the
/// one of the product that it begins in: two ways must tell the same.
fn agreeing(
    product: &Product,
    (best, width): (Best, f64),
    (found, pairs): (&Values, impl Iterator<Item = (u32, u32)>),
    budget: &Budget,
) -> Option<evidence::Written> {
    let analysis = Analysis::new(&product.model, Precision { width });
    let values = analysis.until(&product.all(), &product.goal, best, budget);
    let values = values.ok()?;
    let mut pairs = pairs.map(|(state, first)| (state as usize, first as usize));
    let same = pairs.all(|(state, first)| {
        values.lower[first] <= found.upper[state] && found.lower[state] <= values.upper[first]
    });
    debug_assert!(same, "two ways to a chance disagree");
    same.then(|| evidence::written_in_order(&product.model, &values))
}

/// A set of states where these are in another order.
pub(crate) fn in_order(set: &Bits, order: &[u32]) -> Bits {
    let held = |at: &usize| set.contains(order[*at] as usize);
    let mut placed = Bits::with_capacity(order.len());
    placed.extend((0..order.len()).filter(held));
    placed
}

/// The fraction that a double was most likely written as; nothing if it has too many digits.
fn shortest(number: f64) -> Option<Rational> {
    let parts = (number * 1e9).round();
    let near = (number * 1e9 - parts).abs() <= 1e-4 && parts.abs() < 1e15;
    near.then(|| whole(parts as i64) / whole(1_000_000_000))
}

/// What each choice of some states earns, its state included; nothing if that is too fine to be counted.
pub(crate) fn earned(
    built: &Built,
    structure: usize,
    states: impl IntoIterator<Item = u32>,
) -> Option<Vec<Rational>> {
    let rewards = &built.rewards[structure];
    let mut earned = Vec::with_capacity(built.model.choices());
    for state in states {
        for choice in built.model.choices_of(StateId::new(state)) {
            let of_choice = rewards.choices.get(choice.index()).copied().unwrap_or(0.0);
            earned.push(shortest(rewards.states[state as usize] + of_choice)?);
        }
    }
    Some(earned)
}

/// What fractions tell about several objectives, and what shows it.
pub(crate) fn several_exactly(
    (texts, instance): (&Texts, &Instance),
    (parts, source): (&[Tree], &Source),
    budget: &Budget,
) -> Result<(Settled, together::Written), Rejection> {
    let naive = naive::build(instance, None, budget)?;
    let again = Again {
        texts,
        instance,
        source,
        naive: &naive,
        earning: &RefCell::new(BTreeMap::new()),
        parts: &RefCell::new(VecDeque::new()),
        budget,
    };
    again.several_exactly(parts)
}

/// Checks evidence: every part alone, on the model that the naive builder makes of the text, and
/// that what they show settles the claim.
pub(crate) fn certify(
    (texts, instance): (&Texts, &Instance),
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let many = written.parts.len();
    let parts = RefCell::new(VecDeque::from(written.parts));
    let naive = naive::build(instance, None, budget)?;
    let again = Again {
        texts,
        instance,
        source,
        naive: &naive,
        earning: &RefCell::new(BTreeMap::new()),
        parts: &parts,
        budget,
    };
    let settled = again.settled(tree)?;
    if !parts.borrow().is_empty() {
        return Err(Rejection::wrong("the evidence has more parts than needed"));
    }
    let fact = match (settled, evidence.claim) {
        (Settled::Number(low, high), Claim::Holds) => evidence::told(low, high),
        (Settled::Pairs(pairs, gap), Claim::Holds) => told_pairs(&pairs, gap),
        (Settled::Truth(Some(true)), Claim::Holds) => "the property holds".to_owned(),
        (Settled::Truth(Some(false)), Claim::Violated) => "the property does not hold".to_owned(),
        (Settled::Number(..) | Settled::Pairs(..), Claim::Violated) => {
            return Err(Rejection::wrong(
                "a question for a number cannot be violated",
            ));
        }
        _ => return Err(Rejection::wrong("the parts do not settle the claim")),
    };
    let states = quotient_language::text::count(naive.states.len(), "state");
    let many = quotient_language::text::count(many, "part");
    Ok(Certified {
        property: name.to_owned(),
        facts: vec![
            format!("{states} built a second time, with exact numbers"),
            format!("{many} of the evidence checked, and the rest of the property evaluated again"),
            fact,
        ],
    })
}

/// What evidence about a table of two numbers shows.
fn told_pairs(pairs: &[(f64, f64)], gap: f64) -> String {
    let each = pairs.iter().map(|(one, other)| format!("({one}, {other})"));
    let each: Vec<String> = each.collect();
    format!(
        "each of these pairs can be attained, and no pair is better than mixtures of them by more \
         than {gap} in both: {}",
        each.join(" ")
    )
}

/// What properties such evidence is for.
pub(crate) struct Shows<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) instance: &'a Instance,
    pub(crate) source: &'a Source,
}

impl Shows<'_> {
    /// Whether the checker can evaluate a formula about states.
    pub(crate) fn formula(&self, tree: &Tree) -> bool {
        if is_plain(tree) {
            return true;
        }
        match &tree.node {
            Node::Label(name) => self.label(name, tree.span),
            Node::Not(of) | Node::Negative(of) => self.formula(of),
            Node::Two(_, left, right) => self.formula(left) && self.formula(right),
            Node::If(one, two, three) => {
                self.formula(one) && self.formula(two) && self.formula(three)
            }
            Node::Chance(chance) => self.chance(chance),
            Node::Call(Name::Mod | Name::Log | Name::Abs | Name::Sqrt, _) => false,
            Node::Call(_, parts) => parts.iter().all(|part| self.formula(part)),
            Node::Quantified(_, path) => simple_path(path).is_some_and(|(_, left, right, _)| {
                left.is_none_or(|left| self.formula(left)) && self.formula(right)
            }),
            Node::Filter(filter) => {
                let states = filter.states.as_ref();
                self.formula(&filter.of) && states.is_none_or(|states| self.formula(states))
            }
            _ => false,
        }
    }

    /// Whether the checker can look at several objectives once more.
    pub(crate) fn several(&self, parts: &[Tree]) -> bool {
        let discrete = self.instance.kind != Kind::Ctmc;
        let path = |path: &Tree| match &path.node {
            Node::Ahead(Ahead::Finally | Ahead::Globally, _, of) => self.formula(of),
            Node::Ahead(Ahead::Next, None, of) => self.formula(of),
            Node::Until(Until::Strong, _, left, right) => self.formula(left) && self.formula(right),
            _ => false,
        };
        let path = |of: &Tree| match is_followed(of) {
            true => self.linear(of),
            false => path(of),
        };
        let part = |part: &Tree| match &part.node {
            Node::Chance(chance) => match (chance.asks, &chance.body) {
                _ if chance.given.is_some() => false,
                (Asks::Probability, Body::Formula(of)) => path(of),
                (Asks::Reward, Body::Total | Body::Until(_)) => true,
                (Asks::Reward, Body::Formula(of)) => match &of.node {
                    Node::Ahead(Ahead::Finally, None, goal) => self.formula(goal),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        discrete && parts.iter().all(part)
    }

    /// Whether the checker can look at a quantile once more.
    pub(crate) fn quantile(&self, quantile: &Quantile) -> bool {
        let discrete = self.instance.kind != Kind::Ctmc && !self.instance.markovian;
        let at = |bound: Option<u64>| {
            let asked = quantile.at(bound, 1, discrete);
            asked.is_some_and(|asked| self.chance(&asked))
        };
        at(Some(0)) && at(None)
    }

    fn label(&self, name: &str, span: Span) -> bool {
        let of_model = self.instance.labels.iter().any(|(one, ..)| one == name);
        if of_model || name == "init" || name == "deadlock" {
            return true;
        }
        let inner = Shows {
            source: &self.texts.properties_source,
            ..*self
        };
        let other = self.texts.property_before(name, self.source, span);
        other.is_some_and(|other| inner.formula(&other.tree))
    }

    fn chance(&self, chance: &Chance) -> bool {
        let chain = self.instance.kind != Kind::Mdp;
        if let (Some(given), Body::Formula(path), false) = (&chance.given, &chance.body, chain) {
            let reached = |path: &Tree| match &path.node {
                Node::Ahead(Ahead::Finally | Ahead::Globally, _, of) => self.formula(of),
                Node::Ahead(Ahead::Next, None, of) => self.formula(of),
                Node::Until(Until::Strong, _, left, right) => {
                    self.formula(left) && self.formula(right)
                }
                _ => false,
            };
            return chance.asks == Asks::Probability && reached(path) && reached(given);
        }
        if let (Some(given), Body::Formula(path)) = (&chance.given, &chance.body) {
            let paths = self.linear(path) && self.linear(given) && self.path(given);
            return chance.asks == Asks::Probability && paths;
        }
        match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) => self.path(path),
            (Asks::Steady, Body::Formula(condition)) => {
                average::shows(self.instance) && self.formula(condition)
            }
            (Asks::Reward, Body::Formula(path)) => match &path.node {
                Node::Ahead(Ahead::Finally, None, goal) if !is_path(goal) => self.formula(goal),
                _ => self.linear(path),
            },
            (Asks::Reward, Body::Until(_) | Body::At(_)) => counts(self.instance),
            (Asks::Reward, Body::LongRun) => average::shows(self.instance),
            (Asks::Reward, Body::Total) => true,
            _ => false,
        }
    }

    fn path(&self, path: &Tree) -> bool {
        // What clocks show is counted as rewards are.
        let clocks = self.instance.time.is_some();
        let counts =
            |bound: &Option<Box<Bound>>| bound.is_none() || clocks || counts(self.instance);
        match &path.node {
            _ if is_linear(path) => self.linear(path),
            Node::Not(of) => self.path(of),
            Node::Within(within) => {
                let left = within.left.as_ref();
                let sets =
                    left.is_none_or(|left| self.formula(left)) && self.formula(&within.right);
                sets && self.instance.kind != Kind::Ctmc && !self.instance.markovian
            }
            Node::Ahead(Ahead::Next, None, of) => {
                crate::limited::counts(self.instance) && self.formula(of)
            }
            Node::Ahead(Ahead::Finally | Ahead::Globally, bound, of) => {
                counts(bound) && self.formula(of)
            }
            Node::Until(_, bound, left, right) => {
                counts(bound) && self.formula(left) && self.formula(right)
            }
            _ => false,
        }
    }

    /// A path formula of any shape.
    fn linear(&self, path: &Tree) -> bool {
        let said = linear::spoken(path, self.instance, self.source);
        said.is_some_and(|said| said.conditions.iter().all(|one| self.formula(one)))
    }
}
