//! Nets and files of properties in the shapes of the Model Checking Contest, at random, against
//! answers by brute force.

mod runs;

use std::collections::BTreeMap;

use quotient_core::Verdict;
use quotient_language::Model;
use quotient_net::LANGUAGE;
use quotient_testkit::language::{self, Tested, assert_certified};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use runs::some_run;

/// What a transition takes and gives, by place.
type Arcs = Vec<(usize, u64)>;

#[derive(Debug)]
struct Net {
    start: Vec<u64>,
    transitions: Vec<(Arcs, Arcs)>,
}

/// All markings, what follows from each by which transition.
struct Space {
    markings: Vec<Vec<u64>>,
    next: Vec<Vec<(usize, usize)>>,
}

#[derive(Debug, Clone)]
enum Formula {
    Fireable(Vec<usize>),
    /// One sum of places is at most another, a number being added to the left.
    AtMost(Vec<usize>, u64, Vec<usize>, u64),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Finally(Box<Formula>),
    Globally(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    All(Box<Formula>),
    Exists(Box<Formula>),
}

use Formula::*;

/// A ring of processes with a shared resource, a line with buffers, or anything.
fn random_net(u: &mut Unstructured<'_>) -> Made<Net> {
    let mut net = Net {
        start: Vec::new(),
        transitions: Vec::new(),
    };
    match u.int_in_range(0..=2)? {
        0 => {
            let size = u.int_in_range(2..=3)?;
            net.start = [vec![1; size], vec![0; size], vec![1; size]].concat();
            for one in 0..size {
                let (idle, busy, fork) = (one, size + one, 2 * size + one);
                let other = 2 * size + (one + 1) % size;
                net.transitions
                    .push((vec![(idle, 1), (fork, 1)], vec![(busy, 1)]));
                net.transitions.push((
                    vec![(busy, 1), (other, 1)],
                    vec![(idle, 1), (fork, 1), (other, 1)],
                ));
            }
        }
        1 => {
            let size = u.int_in_range(2..=4)?;
            net.start = vec![0; size];
            net.start[0] = u.int_in_range(1..=3)?;
            for one in 0..size {
                net.transitions
                    .push((vec![(one, 1)], vec![((one + 1) % size, 1)]));
            }
        }
        _ => {
            for _ in 0..u.int_in_range(2..=5)? {
                net.start.push(u.int_in_range(0..=2)?);
            }
        }
    }
    for _ in 0..u.int_in_range(0..=3)? {
        let mut sides = [Vec::new(), Vec::new()];
        for side in &mut sides {
            for place in 0..net.start.len() {
                if u.ratio(1, 4)? {
                    side.push((place, u.int_in_range(1..=2)?));
                }
            }
        }
        let [takes, gives] = sides;
        net.transitions.push((takes, gives));
    }
    Ok(net)
}

impl Net {
    fn fire(&self, transition: usize, marking: &[u64]) -> Option<Vec<u64>> {
        let (takes, gives) = &self.transitions[transition];
        let mut next = marking.to_vec();
        for &(place, tokens) in takes {
            next[place] = next[place].checked_sub(tokens)?;
        }
        for &(place, tokens) in gives {
            next[place] += tokens;
        }
        Some(next)
    }

    fn space(&self) -> Option<Space> {
        let mut numbers = BTreeMap::from([(self.start.clone(), 0)]);
        let mut space = Space {
            markings: vec![self.start.clone()],
            next: Vec::new(),
        };
        while let Some(marking) = space.markings.get(space.next.len()).cloned() {
            let mut next = Vec::new();
            for transition in 0..self.transitions.len() {
                let Some(after) = self.fire(transition, &marking) else {
                    continue;
                };
                let new = numbers.len();
                let number = *numbers.entry(after.clone()).or_insert(new);
                if number == new {
                    space.markings.push(after);
                }
                next.push((transition, number));
            }
            space.next.push(next);
            if space.markings.len() > 24 {
                return None;
            }
        }
        Some(space)
    }

    fn pnml(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\
             <net id=\"r\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"page\">",
        );
        for (place, tokens) in self.start.iter().enumerate() {
            text += &format!("<place id=\"p{place}\"><name><text>p{place}</text></name>");
            if *tokens > 0 {
                text += &format!("<initialMarking><text>{tokens}</text></initialMarking>");
            }
            text += "</place>";
        }
        let mut arcs = 0;
        for (number, (takes, gives)) in self.transitions.iter().enumerate() {
            text += &format!("<transition id=\"t{number}\"/>");
            let mut arc = |source: String, target: String, tokens: u64| {
                arcs += 1;
                text += &format!("<arc id=\"a{arcs}\" source=\"{source}\" target=\"{target}\">");
                if tokens > 1 {
                    text += &format!("<inscription><text>{tokens}</text></inscription>");
                }
                text += "</arc>";
            };
            for &(place, tokens) in takes {
                arc(format!("p{place}"), format!("t{number}"), tokens);
            }
            for &(place, tokens) in gives {
                arc(format!("t{number}"), format!("p{place}"), tokens);
            }
        }
        text + "</page></net></pnml>"
    }
}

/// Which conditions stand in formulas, and whether quantifiers do.
#[derive(Clone, Copy)]
struct Shape {
    fireable: bool,
    branching: bool,
}

fn some(u: &mut Unstructured<'_>, of: usize) -> Made<Vec<usize>> {
    let mut all = vec![u.choose_index(of)?];
    if u.ratio(1, 3)? {
        let other = u.choose_index(of)?;
        if other != all[0] {
            all.push(other);
        }
    }
    Ok(all)
}

fn condition(u: &mut Unstructured<'_>, net: &Net, shape: Shape, depth: usize) -> Made<Formula> {
    let kind = if depth == 0 {
        0
    } else {
        u.int_in_range(0..=3)?
    };
    let inner = |u: &mut Unstructured<'_>| condition(u, net, shape, depth.saturating_sub(1));
    Ok(match kind {
        1 => Not(Box::new(inner(u)?)),
        2 => And(Box::new(inner(u)?), Box::new(inner(u)?)),
        3 => Or(Box::new(inner(u)?), Box::new(inner(u)?)),
        _ if shape.fireable && !net.transitions.is_empty() => {
            Fireable(some(u, net.transitions.len())?)
        }
        _ => {
            let places = net.start.len();
            match u.int_in_range(0..=2)? {
                0 => AtMost(some(u, places)?, 0, some(u, places)?, 0),
                1 => AtMost(Vec::new(), u.int_in_range(1..=2)?, some(u, places)?, 0),
                _ => AtMost(some(u, places)?, 0, Vec::new(), u.int_in_range(0..=2)?),
            }
        }
    })
}

fn temporal(u: &mut Unstructured<'_>, net: &Net, shape: Shape, depth: usize) -> Made<Formula> {
    if depth == 0 {
        return condition(u, net, shape, 1);
    }
    let one = |u: &mut Unstructured<'_>| Ok(Box::new(temporal(u, net, shape, depth - 1)?));
    let path = match u.int_in_range(0..=6)? {
        0 => return Ok(Not(one(u)?)),
        1 => return Ok(And(one(u)?, one(u)?)),
        2 => return Ok(Or(one(u)?, one(u)?)),
        3 => Next(one(u)?),
        4 => Finally(one(u)?),
        5 => Globally(one(u)?),
        _ => Until(one(u)?, one(u)?),
    };
    Ok(match (shape.branching, u.arbitrary()?) {
        (false, _) => path,
        (true, true) => All(Box::new(path)),
        (true, false) => Exists(Box::new(path)),
    })
}

fn xml(formula: &Formula) -> String {
    let one = |name: &str, inner: &Formula| format!("<{name}>{}</{name}>", xml(inner));
    let two = |name: &str, left: &Formula, right: &Formula| {
        format!("<{name}>{}{}</{name}>", xml(left), xml(right))
    };
    let sum = |places: &[usize], number: u64| match places.is_empty() {
        true => format!("<integer-constant>{number}</integer-constant>"),
        false => {
            let places: String = places
                .iter()
                .map(|p| format!("<place>p{p}</place>"))
                .collect();
            format!("<tokens-count>{places}</tokens-count>")
        }
    };
    match formula {
        Fireable(all) => {
            let all = all.iter().map(|t| format!("<transition>t{t}</transition>"));
            format!("<is-fireable>{}</is-fireable>", all.collect::<String>())
        }
        AtMost(left, less, right, more) => {
            format!(
                "<integer-le>{}{}</integer-le>",
                sum(left, *less),
                sum(right, *more)
            )
        }
        Not(inner) => one("negation", inner),
        And(left, right) => two("conjunction", left, right),
        Or(left, right) => two("disjunction", left, right),
        Next(inner) => one("next", inner),
        Finally(inner) => one("finally", inner),
        Globally(inner) => one("globally", inner),
        Until(left, right) => format!(
            "<until><before>{}</before><reach>{}</reach></until>",
            xml(left),
            xml(right)
        ),
        All(inner) => one("all-paths", inner),
        Exists(inner) => one("exists-path", inner),
    }
}

fn holds_now(space: &Space, formula: &Formula, at: usize) -> bool {
    let sum = |places: &[usize], number: u64| {
        let tokens = places.iter().map(|&place| space.markings[at][place]);
        tokens.sum::<u64>() + number
    };
    match formula {
        Fireable(all) => space.next[at].iter().any(|(one, _)| all.contains(one)),
        AtMost(left, less, right, more) => sum(left, *less) <= sum(right, *more),
        _ => panic!("not about one marking"),
    }
}

/// Where a formula of branching time holds; runs are maximal.
fn branching(space: &Space, formula: &Formula) -> Vec<bool> {
    let size = space.markings.len();
    let of = |inner: &Formula| branching(space, inner);
    match formula {
        Not(inner) => of(inner).iter().map(|one| !one).collect(),
        And(left, right) => of(left)
            .iter()
            .zip(of(right))
            .map(|(a, b)| *a && b)
            .collect(),
        Or(left, right) => of(left)
            .iter()
            .zip(of(right))
            .map(|(a, b)| *a || b)
            .collect(),
        All(path) | Exists(path) => {
            let all = matches!(formula, All(_));
            let later = |values: &[bool], at: usize, end: bool| {
                let mut next = space.next[at].iter().map(|&(_, to)| values[to]);
                match (space.next[at].is_empty(), all) {
                    (true, _) => end,
                    (_, true) => next.all(|one| one),
                    (_, false) => next.any(|one| one),
                }
            };
            let fixpoint = |from: bool, step: &dyn Fn(usize, bool) -> bool| {
                let mut values = vec![from; size];
                for _ in 0..=size {
                    values = (0..size)
                        .map(|at| step(at, later(&values, at, from)))
                        .collect();
                }
                values
            };
            match &**path {
                Next(inner) => {
                    let inner = of(inner);
                    (0..size).map(|at| later(&inner, at, all)).collect()
                }
                Finally(inner) => {
                    let inner = of(inner);
                    fixpoint(false, &|at, later| inner[at] || later)
                }
                Globally(inner) => {
                    let inner = of(inner);
                    fixpoint(true, &|at, later| inner[at] && later)
                }
                Until(left, right) => {
                    let (left, right) = (of(left), of(right));
                    fixpoint(false, &|at, later| right[at] || left[at] && later)
                }
                _ => panic!("not about runs"),
            }
        }
        _ => (0..size).map(|at| holds_now(space, formula, at)).collect(),
    }
}

/// The kinds of files, and whether they quantify over runs.
const FILES: [(&str, bool); 3] = [("Reachability", true), ("CTL", true), ("LTL", false)];

/// A file of properties with the answers by brute force.
fn properties(u: &mut Unstructured<'_>, net: &Net, space: &Space) -> Made<(String, Vec<bool>)> {
    let (kind, is_branching) = *u.choose(&FILES)?;
    let fireable = u.arbitrary()?;
    let conditions = if fireable {
        "Fireability"
    } else {
        "Cardinality"
    };
    let shape = Shape {
        fireable,
        branching: is_branching,
    };
    let (mut text, mut expected) = (String::new(), Vec::new());
    for number in 0..4 {
        let depth = u.int_in_range(1..=3)?;
        let formula = match kind {
            "Reachability" => {
                let inner = Box::new(condition(u, net, shape, depth)?);
                match u.arbitrary()? {
                    true => All(Box::new(Globally(inner))),
                    false => Exists(Box::new(Finally(inner))),
                }
            }
            "LTL" => All(Box::new(temporal(u, net, shape, depth.min(2))?)),
            _ => temporal(u, net, shape, depth)?,
        };
        expected.push(match (&formula, kind) {
            (All(path), "LTL") => !some_run(space, &Not(path.clone())),
            _ => branching(space, &formula)[0],
        });
        text += &format!(
            "<property><id>r-{kind}{conditions}-{number:02}</id><description>at random</description><formula>{}</formula></property>",
            xml(&formula)
        );
    }
    let text = format!(
        "<?xml version=\"1.0\"?><property-set xmlns=\"http://mcc.lip6.fr/\">{text}</property-set>"
    );
    Ok((text, expected))
}

fn open(net: &Net, more: &[(&str, &str)], properties: &str) -> Box<dyn Model> {
    Tested::new(LANGUAGE, "r.pnml")
        .try_open(&net.pnml(), more, &[("p.xml", properties)])
        .unwrap_or_else(|trouble| panic!("{trouble}\n{net:?}\n{properties}"))
}

fn verdicts(model: &mut dyn Model, about: &str) -> Vec<Verdict> {
    let mut all = language::answers(model);
    all.sort_by_key(|one| one.number);
    for answer in &all {
        if answer.verdict.is_definite() && answer.evidence.is_some() {
            assert_certified(model, answer);
        }
        assert!(answer.verdict.is_definite(), "{}: {about}", answer.property);
    }
    all.into_iter().map(|one| one.verdict).collect()
}

#[test]
fn files_of_the_contest_are_answered_as_brute_force_does() {
    let mut compared = 0;
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let Some(space) = net.space() else {
            return Ok(());
        };
        let (text, expected) = properties(u, &net, &space)?;
        let symmetry = if u.arbitrary()? { "on" } else { "off" };
        let more = [("properties", "p.xml"), ("symmetry", symmetry)];
        let found = verdicts(&mut *open(&net, &more, &text), &text);
        let found: Vec<bool> = found.iter().map(|one| *one == Verdict::Holds).collect();
        assert_eq!(found, expected, "{net:?}\n{text}");
        compared += found.len();
        Ok(())
    })
    .budget_ms(5_000);
    assert!(compared > 0, "{compared}");
}

#[test]
fn examinations_and_bounds_of_the_contest_are_those_of_brute_force() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let Some(space) = net.space() else {
            return Ok(());
        };
        let all = 0..space.markings.len();
        let places = 0..net.start.len();
        let fires = |at: usize, t: usize| space.next[at].iter().any(|one| one.0 == t);
        let reached = |from: usize| {
            let mut seen = vec![false; space.markings.len()];
            let mut todo = vec![from];
            while let Some(one) = todo.pop() {
                if !std::mem::replace(&mut seen[one], true) {
                    todo.extend(space.next[one].iter().map(|one| one.1));
                }
            }
            seen
        };
        let lives = |from: usize, t: usize| {
            let seen = reached(from);
            all.clone().any(|at| seen[at] && fires(at, t))
        };
        let transitions = 0..net.transitions.len();
        let expected = [
            ("ReachabilityDeadlock", space.next.iter().any(Vec::is_empty)),
            (
                "OneSafe",
                space.markings.iter().flatten().all(|tokens| *tokens <= 1),
            ),
            (
                "StableMarking",
                places
                    .clone()
                    .any(|place| space.markings.iter().all(|one| one[place] == net.start[place])),
            ),
            (
                "QuasiLiveness",
                transitions.clone().all(|t| all.clone().any(|at| fires(at, t))),
            ),
            (
                "Liveness",
                transitions.clone().all(|t| all.clone().all(|at| lives(at, t))),
            ),
        ];
        let (name, holds) = expected[u.choose_index(expected.len())?];
        let found = verdicts(&mut *open(&net, &[("examination", name)], ""), name);
        assert_eq!(found, [if holds { Verdict::Holds } else { Verdict::Violated }], "{name} {net:?}");
        let place = u.choose_index(net.start.len())?;
        let text = format!(
            "<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>r-UpperBounds-00</id><formula><place-bound><place>p{place}</place></place-bound></formula></property></property-set>"
        );
        let mut model = open(&net, &[("properties", "p.xml")], &text);
        let answer = language::answers(&mut *model).remove(0);
        assert_certified(&mut *model, &answer);
        let most = space.markings.iter().map(|one| one[place]).max();
        assert_eq!(answer.value.unwrap().exact, most.map(|one| one.to_string()), "{net:?}");
        Ok(())
    })
    .budget_ms(4_000);
}
