//! One property of one instance.

use std::cell::RefCell;

use quotient_bits::Bits;
use quotient_core::{Budget, Claim, Context, Evidence, Source, Stop, Trouble, Verdict};
use quotient_language::{Answer, Number};
use quotient_probability::{Analysis, Bisimulation, Built, Precision, Values};

use super::filter::{Answered, Found, middle};
use super::formula::Checker;
use super::outcome::Outcome;
use crate::again::Settled;
use crate::exact::Exact;
use crate::instance::{Instance, Term, Texts};
use crate::parts::{Kept, Shows};
use crate::syntax::{Body, FilterKind, Join, Node, Tree};
use crate::{limited, limited_exact};

/// An instance that was built, ready to be asked.
pub(crate) struct Run<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) instance: &'a Instance,
    pub(crate) built: &'a Built,
}

/// A property with the text that it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) name: &'a str,
    pub(crate) tree: &'a Tree,
    pub(crate) source: &'a Source,
}

/// How to check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    pub(crate) precision: Precision,
    /// When states that cannot be told apart are taken together.
    pub(crate) bisimulation: Bisimulation,
    /// Whether exact numbers are asked for.
    pub(crate) exact: bool,
    /// Whether strategies are to be shown.
    pub(crate) exhibits: bool,
    /// The two variables, by their numbers, over which numbers of the starts are drawn.
    pub(crate) map: Option<(usize, usize)>,
}

/// Checks one property; bounds are tightened while they leave the answer open.
pub(crate) fn check_property(
    run: &Run<'_>,
    asked: &Asked<'_>,
    how: How,
    cx: &Context,
) -> Result<Answer, Trouble> {
    let How {
        precision,
        bisimulation,
        exact,
        exhibits,
        map,
    } = how;
    run.instance.fits_time(asked.tree, asked.source)?;
    let mut width = precision.width;
    let kept = RefCell::new(Vec::new());
    let compared = RefCell::new(None);
    let starts = RefCell::new(None);
    loop {
        let analysis = Analysis::new(&run.built.model, Precision { width }).taking(bisimulation);
        let checker = Checker {
            texts: run.texts,
            instance: run.instance,
            built: run.built,
            analysis: &analysis,
            source: asked.source,
            budget: &cx.budget,
            width,
            kept: &kept,
            compared: &compared,
            starts: &starts,
            inside: false,
        };
        kept.borrow_mut().clear();
        compared.replace(None);
        let found = checker.top(asked.tree);
        tell_classes(run, asked, &analysis, cx);
        let open = is_open(run, &found, precision, width);
        if open && width > 1e-15 {
            width *= 1e-3;
            continue;
        }
        return match found {
            Ok(mut found) => {
                let open = match found.value {
                    Answered::Truth(truth) => truth.is_none(),
                    Answered::Number(low, high) => is_wide(low, high, precision),
                    Answered::Range(..) => false,
                };
                let mut exactly_known = None;
                if open && run.built.model.states() <= SMALL {
                    exactly_known = settle(run, asked, single(&kept.borrow()), &mut found, cx);
                }
                let mut answer = answer(run, asked, &found, precision);
                answer.trace = checker.witness(asked.tree, &found)?;
                // Bounds that did not tell enough are no evidence for what is known better.
                let told = !open || matches!(found.value, Answered::Number(..));
                let kept = match told {
                    true => kept.take(),
                    false => Vec::new(),
                };
                let values = single(&kept).filter(|_| crate::evidence::fits(asked.tree));
                if answer.verdict == Verdict::Violated
                    && let Some(values) = values
                {
                    // The verdict stands, whether or not there is time to show more.
                    let _ = checker.show_mass(asked.tree, values, &mut answer);
                }
                // Bounds inside of a question for a number were compared with other numbers.
                if let Node::Chance(chance) = &asked.tree.node
                    && chance.relation.is_some()
                    && let Some(number) = compared.take()
                {
                    tell_number(number, &mut answer);
                }
                let claim = claim_of(&answer.verdict);
                if exact {
                    exactly(run, asked, values, &mut answer, cx);
                }
                let drawn = map.zip(starts.take());
                let drawn = drawn.map(|(over, all)| crate::map::map(run, asked, &all, over));
                let shown = values.filter(|_| exhibits);
                let shown = shown.and_then(|all| crate::strategy::strategy(run, all));
                answer.exhibits.extend(drawn.into_iter().chain(shown));
                let number = answer.value.as_ref();
                let bounds = number.map(|number| (number.lower, number.upper));
                let known = (told.then_some(&kept), bounds, exactly_known.as_ref());
                if let Some(claim) = claim {
                    show(run, asked, known, claim, &mut answer, &cx.budget);
                }
                Ok(answer)
            }
            Err(Trouble::Stopped(stop @ Stop::Inconclusive { .. })) => {
                Ok(Answer::unknown(asked.name, stop))
            }
            Err(other) => Err(other),
        };
    }
}

/// Whether bounds leave the answer open, so that nearer ones may settle it.
fn is_open(
    run: &Run<'_>,
    found: &Result<Found, Trouble>,
    precision: Precision,
    width: f64,
) -> bool {
    match found {
        Ok(found) => match found.value {
            Answered::Truth(None) => true,
            // Bounds are as near as asked for relative to the greatest number; that of the
            // state in question may be far smaller.
            Answered::Number(low, high) => {
                // Markov automata took what time there was.
                let more = !run.instance.markovian;
                more && is_wide(low, high, precision) && width > precision.width * 1e-5
            }
            _ => false,
        },
        Err(Trouble::Stopped(Stop::Inconclusive { .. })) => true,
        Err(_) => false,
    }
}

fn claim_of(verdict: &Verdict) -> Option<Claim> {
    match verdict {
        Verdict::Holds => Some(Claim::Holds),
        Verdict::Violated => Some(Claim::Violated),
        Verdict::Unknown(_) => None,
    }
}

/// What a bound was compared with: programs read the number beside the verdict.
pub(crate) fn tell_number((low, high): (f64, f64), answer: &mut Answer) {
    let number = json_number((low, high));
    for name in ["value", "lower", "upper"] {
        answer.details.push((name.to_owned(), number[name].clone()));
    }
    answer.details.push(("compared".to_owned(), true.into()));
    let told = Answered::Number(low, high).text();
    answer.because = format!("{told} ({})", answer.because);
}

/// Tells how many classes of states a question was answered with, if it was.
fn tell_classes(run: &Run<'_>, asked: &Asked<'_>, analysis: &Analysis<'_>, cx: &Context) {
    if let Some(classes) = analysis.classes() {
        let states = quotient_language::text::count(run.built.model.states(), "state");
        let classes = quotient_language::text::count(classes, "class");
        cx.story.note(format!(
            "{}: states that the question cannot tell apart taken together: {states}, {classes}",
            asked.name
        ));
    }
}

/// The bounds of all states, if that is all that was found on the way.
fn single(kept: &[Kept]) -> Option<&Values> {
    match kept {
        [Kept::Bounds(values)] => Some(values),
        _ => None,
    }
}

/// What is known about a number: what was found on the way, its bounds, and what it is exactly.
type Known<'a> = (Option<&'a Vec<Kept>>, Option<(f64, f64)>, Option<&'a Exact>);

/// Puts what shows a claim beside the answer, or why nothing does.
fn show(
    run: &Run<'_>,
    asked: &Asked<'_>,
    known: Known<'_>,
    claim: Claim,
    answer: &mut Answer,
    budget: &Budget,
) {
    let question = (asked.tree, asked.source);
    if limited::is_too_long(run.instance, &run.built.model, question) {
        answer.notes.push(format!(
            "no evidence: `certify` does not look at more than {:.0} steps or jumps again",
            limited::MOST_STEPS
        ));
        return;
    }
    let evidence = evidence(run, asked, known, claim, budget);
    answer.evidence = evidence.map(|evidence| evidence.about(asked.name));
}

/// What shows a claim, if something does: what was found on the way, unless that tells less than
/// is known, or the bounds of the answer.
fn evidence(
    run: &Run<'_>,
    asked: &Asked<'_>,
    (kept, bounds, exact): Known<'_>,
    claim: Claim,
    budget: &Budget,
) -> Option<Evidence> {
    let tree = asked.tree;
    if limited::fits(tree) && limited::counts(run.instance) {
        return limited::write(run.built, tree, bounds, claim);
    }
    // A number that only fractions told is shown by them.
    let asks = matches!(&tree.node, Node::Chance(chance) if chance.relation.is_none());
    let shown = crate::evidence::fits(tree) || crate::average::fits(tree, run.instance);
    if asks
        && shown
        && let Some(exact) = exact
        && let Some(evidence) = crate::fractions::write(exact, claim)
    {
        return Some(evidence);
    }
    let Some(kept) = kept else {
        return exact.and_then(|exact| crate::fractions::write(exact, claim));
    };
    match &kept[..] {
        [Kept::Bounds(values)] if crate::evidence::fits(tree) => {
            return Some(crate::evidence::write(run.built, values, claim));
        }
        [Kept::Averages(found)] if crate::average::fits(tree, run.instance) => {
            return crate::average::write(run.built, found, claim);
        }
        _ => {}
    }
    // What is shown of the initial states alone says nothing inside of other formulas.
    let alone = match &tree.node {
        Node::Multi(_) => true,
        Node::Chance(chance) => matches!(chance.body, Body::Total),
        _ => false,
    };
    let several = |one: &Kept| matches!(one, Kept::Several(..) | Kept::Exactly(..) | Kept::Endless);
    if !alone && kept.iter().any(several) {
        return None;
    }
    let shows = Shows {
        texts: run.texts,
        instance: run.instance,
        source: asked.source,
    };
    let shown = match &tree.node {
        Node::Quantile(quantile) => shows.quantile(quantile),
        Node::Multi(parts) => shows.several(parts),
        _ => shows.formula(tree),
    };
    if !shown {
        return None;
    }
    crate::parts::write(run.built, kept, claim, budget).or_else(|| match &tree.node {
        Node::Multi(parts) => several_exactly(run, (parts, asked.source), bounds, claim, budget),
        _ => None,
    })
}

/// What fractions show about several objectives that bounds cannot: what no way keeps surely, or is
/// best of those that do. Nothing if that is too large, or tells something else.
fn several_exactly(
    run: &Run<'_>,
    (parts, source): (&[Tree], &Source),
    bounds: Option<(f64, f64)>,
    claim: Claim,
    budget: &Budget,
) -> Option<Evidence> {
    if run.built.model.states() > SMALL {
        return None;
    }
    let texts = (run.texts, run.instance);
    let found = crate::parts::several_exactly(texts, (parts, source), budget);
    let (settled, written) = found.ok()?;
    let same = match (settled, bounds) {
        (Settled::Truth(holds), _) => holds == Some(claim == Claim::Holds),
        (Settled::Number(low, high), Some((from, to))) => low <= to && from <= high,
        _ => false,
    };
    debug_assert!(same, "two ways to several objectives disagree");
    match same {
        true => crate::parts::write(run.built, &[Kept::Exactly(written)], claim, budget),
        false => None,
    }
}

impl Checker<'_> {
    /// The answer for the initial states, unless a filter says otherwise.
    fn top(&self, tree: &Tree) -> Result<Found, Trouble> {
        if !self.inside && !matches!(tree.node, Node::Chance(_)) {
            // Bounds that are joined or filtered are known only where each of them is.
            let inner = Checker {
                inside: true,
                ..*self
            };
            return inner.top(tree);
        }
        if let Node::Filter(filter) = &tree.node {
            return self.filter(filter, tree.span);
        }
        if let Node::Multi(parts) = &tree.node {
            return self.several(parts, tree.span);
        }
        if let Node::Quantile(quantile) = &tree.node {
            return self.quantile(quantile);
        }
        let outcome = self.evaluate(tree)?;
        let mut initial = Bits::with_capacity(self.states());
        for &state in &self.built.model.initial {
            initial.insert(state.index());
        }
        if let (Outcome::Number(values), true) = (&outcome, self.built.model.initial.len() > 1) {
            self.starts.replace(Some(values.clone()));
        }
        let what = match (&outcome, self.built.model.initial.len()) {
            (Outcome::Truth(..), _) => FilterKind::ForAll,
            (Outcome::Number(_), 1) => FilterKind::State,
            (Outcome::Number(_), _) => FilterKind::Range,
        };
        self.filtered(what, outcome, &initial, tree.span)
    }
}

/// Models with so many states are solved exactly where doubles do not tell enough.
const SMALL: usize = 1500;

/// Whether bounds are far wider than was asked for.
fn is_wide(low: f64, high: f64, precision: Precision) -> bool {
    match low == high || high.is_infinite() {
        true => low != high,
        false => high - low > 4.0 * precision.width * low.abs().max(high.abs()),
    }
}

/// Whether bounds are so far from each other that no number between them is an answer; how near they are to be
/// may be asked for.
pub(crate) fn is_vague(low: f64, high: f64, precision: Precision) -> bool {
    let most = (10.0 * precision.width).max(1e-3);
    let size = low.abs().max(high.abs());
    low != high && high - low > 1e-6 && (size.is_infinite() || high - low > most * size)
}

fn between(low: f64, high: f64) -> String {
    match high.is_infinite() {
        true => format!("is at least {low}"),
        false => format!("lies between {low} and {high}"),
    }
}

/// Where doubles do not tell enough, exact numbers may; those of all states, if they are known.
fn settle(
    run: &Run<'_>,
    asked: &Asked<'_>,
    values: Option<&Values>,
    found: &mut Found,
    cx: &Context,
) -> Option<Exact> {
    let Node::Chance(chance) = &asked.tree.node else {
        return None;
    };
    let chosen = values.map_or(Vec::new(), |values| {
        crate::evidence::choices(run.built, values)
    });
    let (instance, budget) = (run.instance, &cx.budget);
    let exact = crate::exact::exact(instance, asked.tree, asked.source, &chosen, budget);
    let starts = match &exact {
        Ok(exact) => exact.of_starts(),
        Err(_) => {
            let all = limited_exact::values(instance, asked.tree, asked.source, budget).ok()?;
            all.into_iter().map(Some).collect()
        }
    };
    match (&chance.relation, &starts[..]) {
        (None, [Some(value)]) => {
            let (low, high) = (quotient_markov::below(value), quotient_markov::above(value));
            found.value = Answered::Number(low, high);
        }
        (None, [None]) => found.value = Answered::Number(f64::INFINITY, f64::INFINITY),
        (Some((join, limit)), all) => {
            let limit = match instance.names.term(limit, asked.source, None) {
                Ok(Term::Value(value)) => value.exact(),
                _ => None,
            };
            let limit = limit?;
            let holds = |value: &Option<quotient_markov::Rational>| match (value, join) {
                (None, Join::Greater | Join::AtLeast) => true,
                (None, _) => false,
                (Some(value), Join::Less) => *value < limit,
                (Some(value), Join::AtMost) => *value <= limit,
                (Some(value), Join::Greater) => *value > limit,
                (Some(value), _) => *value >= limit,
            };
            found.value = Answered::Truth(Some(all.iter().all(holds)));
        }
        _ => {}
    }
    exact.ok()
}

/// Puts the exact number beside the bounds, or says why there is none.
fn exactly(
    run: &Run<'_>,
    asked: &Asked<'_>,
    values: Option<&Values>,
    answer: &mut Answer,
    cx: &Context,
) {
    let Some(number) = &mut answer.value else {
        return;
    };
    let chosen = values.map_or(Vec::new(), |values| {
        crate::evidence::choices(run.built, values)
    });
    let (instance, budget) = (run.instance, &cx.budget);
    match crate::exact::exact(instance, asked.tree, asked.source, &chosen, budget) {
        Ok(found) => {
            if let [one] = &found.of_starts()[..] {
                number.exact = Some(match one {
                    Some(value) => quotient_markov::written(value),
                    None => "infinity".to_owned(),
                });
            }
        }
        Err(why) => answer.notes.push(format!("no exact number: {why}")),
    }
}

fn answer(run: &Run<'_>, asked: &Asked<'_>, found: &Found, precision: Precision) -> Answer {
    let counts =
        matches!(&asked.tree.node, Node::Filter(filter) if filter.what == FilterKind::Count);
    let vague = match found.value {
        Answered::Truth(_) => None,
        // A count is a whole number, and none between others.
        Answered::Number(low, high) => {
            (is_vague(low, high, precision) || counts && low < high).then_some((low, high))
        }
        Answered::Range(least, most) => {
            let ends = [least, most].into_iter();
            ends.rev().find(|end| is_vague(end.0, end.1, precision))
        }
    };
    let verdict = match (vague, found.value) {
        (Some((low, high)), _) if counts => Verdict::Unknown(Stop::inconclusive(format!(
            "there are from {low} to {high} such states"
        ))),
        (Some((low, high)), _) => Verdict::Unknown(Stop::inconclusive(format!(
            "the number {}, and no nearer bounds were found",
            between(low, high)
        ))),
        (_, Answered::Truth(Some(true)) | Answered::Number(..) | Answered::Range(..)) => {
            Verdict::Holds
        }
        (_, Answered::Truth(Some(false))) => Verdict::Violated,
        (_, Answered::Truth(None)) => Verdict::Unknown(Stop::inconclusive(
            "the bound lies between the lower and the upper bound of what it is compared with",
        )),
    };
    let states = quotient_language::text::count(run.built.model.states(), "state");
    let mut answer = Answer::new(asked.name, verdict);
    let number = |low: f64, high: f64| Number {
        value: middle(low, high),
        lower: low,
        upper: high,
        exact: None,
    };
    match found.value {
        Answered::Truth(_) => answer.because = format!("{states} looked at"),
        Answered::Number(low, high) if vague.is_some() => {
            // What lies in the middle is nobody's number.
            let number = json_number((low, high));
            for name in ["lower", "upper"] {
                answer.details.push((name.to_owned(), number[name].clone()));
            }
            answer.because = format!("it {} ({states})", between(low, high));
        }
        Answered::Number(low, high) => {
            answer.value = Some(number(low, high));
            answer.because = format!("{} ({states})", found.value.text());
        }
        Answered::Range(least, most) => {
            answer.value = Some(Number {
                value: middle(least.0, least.1),
                lower: least.0,
                upper: most.1,
                exact: None,
            });
            let range = [json_number(least), json_number(most)];
            answer.details.push(("range".to_owned(), range.into()));
            let many = quotient_language::text::count(found.looked, "start");
            answer.because = format!("{} over {many} ({states})", found.value.text());
        }
    }
    answer.table = found.table.clone();
    if let Some(state) = found.state
        && found.looked > 1
    {
        let values = run.built.states.values(state);
        answer
            .notes
            .push(format!("in the state {}", run.instance.state_text(&values)));
    }
    answer
}

fn json_number((low, high): (f64, f64)) -> serde_json::Value {
    let number = |value: f64| match value.is_finite() {
        true => serde_json::json!(value),
        false if value < 0.0 => serde_json::json!("-Infinity"),
        false => serde_json::json!("Infinity"),
    };
    serde_json::json!({
        "value": number(middle(low, high)),
        "lower": number(low),
        "upper": number(high),
    })
}
