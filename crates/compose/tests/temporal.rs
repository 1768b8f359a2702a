//! Linear-time properties and progress against executions that are looked at one by one.

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use quotient_compose::{
    Action, Fluent, Lasso, Lts, LtsBuilder, Network, Progress, ProgressAnswer, Starvation, State,
    check_formula, check_progress,
};
use quotient_core::{Budget, Context};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_testkit::formulas;
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 2,
    silent: true,
    error: false,
    end: true,
};

fn network(parts: &[Lts]) -> Network {
    let (actions, _) = letters(2);
    Network::new(&side_by_side(&actions, parts), &Budget::unlimited()).unwrap()
}

/// The values of a formula at each moment of a word that goes back from its end to `start`.
fn values(formula: &Formula<usize>, moments: &[Vec<bool>], start: usize) -> Vec<bool> {
    let count = moments.len();
    let next = |at: usize| if at + 1 < count { at + 1 } else { start };
    let of = |formula: &Formula<usize>| values(formula, moments, start);
    // The least (or greatest) solution of value = now or (go and value of next).
    let fixpoint = |least: bool, now: &dyn Fn(usize) -> bool, go: &dyn Fn(usize) -> bool| {
        let mut all = vec![!least; count];
        for _ in 0..=count {
            for at in (0..count).rev() {
                all[at] = now(at) || (go(at) && all[next(at)]);
            }
        }
        all
    };
    match &formula.kind {
        Kind::Constant(value) => vec![*value; count],
        Kind::Atom(atom) => moments.iter().map(|moment| moment[*atom]).collect(),
        Kind::Unary(operator, operand) => {
            let inner = of(operand);
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => (0..count).map(|at| inner[next(at)]).collect(),
                Unary::Finally(None) => fixpoint(true, &|at| inner[at], &|_| true),
                Unary::Globally(None) => fixpoint(false, &|_| false, &|at| inner[at]),
                _ => unreachable!(),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (l, r) = (of(left), of(right));
            let pointwise =
                |f: fn(bool, bool) -> bool| (0..count).map(|at| f(l[at], r[at])).collect();
            match operator {
                Binary::And => pointwise(|l, r| l && r),
                Binary::Or => pointwise(|l, r| l || r),
                Binary::Implies => pointwise(|l, r| !l || r),
                Binary::Iff => pointwise(|l, r| l == r),
                Binary::Until(None) => fixpoint(true, &|at| r[at], &|at| l[at]),
                Binary::WeakUntil => fixpoint(false, &|at| r[at], &|at| l[at]),
                Binary::Release => fixpoint(false, &|at| l[at] && r[at], &|at| r[at]),
                _ => unreachable!(),
            }
        }
        Kind::Placeholder(_) => unreachable!(),
    }
}

/// Whether an execution satisfies a formula over "a has just happened" and "between a and b".
fn satisfies(formula: &Formula<usize>, lasso: &Lasso, network: &Network) -> bool {
    let mut now = vec![false, true];
    let mut moments = Vec::new();
    let mut play = |events: &[Action], moments: &mut Vec<Vec<bool>>| {
        for &event in events {
            match network.name(event) {
                _ if event.is_tau() => continue,
                "a" => now = vec![true, true],
                _ => now = vec![false, false],
            }
            moments.push(now.clone());
        }
        now.clone()
    };
    let last = play(&lasso.way, &mut moments);
    let start = moments.len();
    play(&lasso.cycle, &mut moments);
    if moments.len() == start {
        moments.push(last);
        let start = moments.len() - 1;
        return values(formula, &moments, start)[0];
    }
    values(formula, &moments, start)[0]
}

fn fluents(letters: &[Action]) -> [Fluent; 2] {
    let fluent = |end, initially| Fluent {
        name: "f".into(),
        begin: vec![letters[0]],
        end,
        initially,
    };
    [fluent(None, false), fluent(Some(vec![letters[1]]), true)]
}

/// The states of a built system after some events, or none if it cannot do them.
fn after_events(lts: &Lts, from: &BTreeSet<State>, events: &[Action]) -> BTreeSet<State> {
    events.iter().fold(from.clone(), |states, &event| {
        let edges = states
            .iter()
            .flat_map(|&state| lts.successors(state, event));
        edges.map(|edge| edge.target).collect()
    })
}

/// All ways up to a length that end in a cycle up to a length, or where nothing can happen.
fn lassos(lts: &Lts, length: usize) -> Vec<Lasso> {
    let mut all = Vec::new();
    let mut ways = vec![(Vec::new(), vec![lts.initial()])];
    while let Some((events, states)) = ways.pop() {
        let last = states[states.len() - 1];
        if lts.edges(last).is_empty() {
            all.push(Lasso {
                states: Vec::new(),
                way: events.clone(),
                cycle: Vec::new(),
            });
        }
        for at in 0..states.len() - 1 {
            if states[at] == last {
                all.push(Lasso {
                    states: Vec::new(),
                    way: events[..at].to_vec(),
                    cycle: events[at..].to_vec(),
                });
            }
        }
        if events.len() < length {
            for edge in lts.edges(last) {
                let (mut events, mut states) = (events.clone(), states.clone());
                events.push(edge.action);
                states.push(edge.target);
                ways.push((events, states));
            }
        }
    }
    all
}

/// For each terminal set, an execution that takes all its edges again and again.
fn fair_lassos(lts: &Lts) -> Vec<Lasso> {
    let reach = |from: State| {
        let mut all = BTreeSet::from([from]);
        loop {
            let more: Vec<State> = all
                .iter()
                .flat_map(|&s| lts.edges(s))
                .map(|e| e.target)
                .collect();
            let before = all.len();
            all.extend(more);
            if all.len() == before {
                return all;
            }
        }
    };
    let path = |from: State, to: State| {
        let mut todo = std::collections::VecDeque::from([(from, Vec::new())]);
        let mut seen = BTreeSet::from([from]);
        while let Some((state, way)) = todo.pop_front() {
            if state == to {
                return way;
            }
            for edge in lts.edges(state) {
                if seen.insert(edge.target) {
                    let mut longer: Vec<Action> = way.clone();
                    longer.push(edge.action);
                    todo.push_back((edge.target, longer));
                }
            }
        }
        unreachable!()
    };
    let mut all = Vec::new();
    for root in reach(lts.initial()) {
        let set = reach(root);
        if !set.iter().all(|&state| reach(state).contains(&root)) {
            continue;
        }
        for backwards in [false, true] {
            let mut edges: Vec<_> = lts
                .all_edges()
                .filter(|(from, _)| set.contains(from))
                .collect();
            if backwards {
                edges.reverse();
            }
            let mut cycle = Vec::new();
            let mut at = root;
            for (from, edge) in edges {
                cycle.extend(path(at, from));
                cycle.push(edge.action);
                at = edge.target;
            }
            cycle.extend(path(at, root));
            all.push(Lasso {
                states: Vec::new(),
                way: path(lts.initial(), root),
                cycle,
            });
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn formulas_agree_with_executions(
        plans in proptest::collection::vec(plans(SHAPE), 1..3),
        formula in formulas(2),
    ) {
        let letters = letters(2).1;
        let parts: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters)).collect();
        let network = network(&parts);
        // The events of this network are its actions, in the same order, unless one is missing.
        let whole = network.compose(&Budget::unlimited()).unwrap();
        let events: Vec<Action> = network.events().collect();
        let mut builder = LtsBuilder::new();
        builder.at_least(whole.states()).initial(whole.initial());
        for (from, edge) in whole.all_edges() {
            let event = events.iter().find(|&&e| network.shown(e) == edge.action);
            builder.edge(from, event.copied().unwrap_or(Action::TAU), edge.target);
        }
        let lts = builder.build();
        let fluents = fluents(&letters);
        let cx = Context::default();
        let found = check_formula(&network, &formula, &fluents, false, &cx).unwrap();
        let fairly = check_formula(&network, &formula, &fluents, true, &cx).unwrap();
        for lasso in found.iter().chain(&fairly) {
            prop_assert!(!satisfies(&formula, lasso, &network), "{:?}", lasso);
            let entry = after_events(&lts, &BTreeSet::from([lts.initial()]), &lasso.way);
            prop_assert!(!after_events(&lts, &entry, &lasso.cycle).is_empty());
        }
        if found.is_none() {
            prop_assert!(fairly.is_none());
            for lasso in lassos(&lts, 5) {
                prop_assert!(satisfies(&formula, &lasso, &network), "{:?}", lasso);
            }
        }
        if fairly.is_none() {
            for lasso in fair_lassos(&lts) {
                prop_assert!(satisfies(&formula, &lasso, &network), "{:?}", lasso);
            }
        }
    }

    #[test]
    fn progress_is_violated_exactly_in_terminal_sets_without_it(plan in plans(SHAPE), letter in 0usize..2) {
        let letters = letters(2).1;
        let network = network(&[plan.lts(&letters)]);
        let lts = plan.lts(&letters);
        let property = Progress { name: "go".into(), condition: None, actions: vec![letters[letter]] };
        let found = check_progress(&network, std::slice::from_ref(&property), &Context::default());
        let found = only(found);
        let starved = fair_lassos(&lts).iter().any(|lasso| !lasso.cycle.contains(&letters[letter]));
        prop_assert_eq!(found.is_some(), starved);
        if let Some(starvation) = found {
            let names = |events: &[Action]| events.iter().map(|&e| network.shown(e)).collect::<Vec<_>>();
            prop_assert!(!names(&starvation.lasso.cycle).contains(&letters[letter]));
            let entry = after_events(&lts, &BTreeSet::from([lts.initial()]), &names(&starvation.lasso.way));
            prop_assert!(!after_events(&lts, &entry, &names(&starvation.lasso.cycle)).is_empty());
        }
        let other = Progress { condition: Some(vec![letters[1 - letter]]), ..property };
        let conditional = check_progress(&network, &[other], &Context::default());
        let conditional = only(conditional);
        let starved = fair_lassos(&lts).iter().any(|lasso| {
            lasso.cycle.contains(&letters[1 - letter]) && !lasso.cycle.contains(&letters[letter])
        });
        prop_assert_eq!(conditional.is_some(), starved);
    }
}

fn only(found: Vec<ProgressAnswer>) -> Option<Starvation> {
    let [(_, starvation)] = <[_; 1]>::try_from(found).unwrap();
    starvation.unwrap()
}

#[test]
fn every_progress_property_has_its_own_answer() {
    let (_, letters) = letters(2);
    let mut builder = LtsBuilder::new();
    builder.edge(0, letters[0], 0).alphabet([letters[1]]);
    let go = |name: &str, letter: usize| Progress {
        name: name.into(),
        condition: None,
        actions: vec![letters[letter]],
    };
    let both = [go("FIRST", 0), go("SECOND", 1)];
    let found = check_progress(&network(&[builder.build()]), &both, &Context::default());
    let violated: Vec<(&str, bool)> = found
        .iter()
        .map(|(name, starvation)| (name.as_str(), starvation.as_ref().unwrap().is_some()))
        .collect();
    assert_eq!(violated, [("FIRST", false), ("SECOND", true)]);
}

#[test]
fn without_properties_every_action_should_go_on() {
    let (_, letters) = letters(2);
    let mut builder = LtsBuilder::new();
    builder
        .edge(0, letters[0], 0)
        .edge(0, letters[1], 1)
        .edge(1, letters[1], 1);
    let found = check_progress(&network(&[builder.build()]), &[], &Context::default());
    let starvation = only(found).unwrap();
    assert_eq!(starvation.starved, [letters[0]]);
    assert_eq!(
        (starvation.lasso.way.len(), starvation.lasso.cycle.len()),
        (1, 1)
    );
}

#[test]
fn what_breaks_near_the_start_of_a_huge_system_is_found() {
    let (actions, letters) = letters(50);
    let parts: Vec<Lts> = letters
        .chunks(2)
        .map(|pair| {
            let mut builder = LtsBuilder::new();
            builder.edge(0, pair[0], 1).edge(1, pair[1], 0);
            builder.build()
        })
        .collect();
    let network = Network::new(&side_by_side(&actions, &parts), &Budget::unlimited()).unwrap();
    let first = Fluent {
        name: "first".into(),
        begin: vec![letters[0]],
        end: None,
        initially: false,
    };
    let again = Formula::unary(
        Unary::Globally(None),
        Formula::unary(Unary::Finally(None), Formula::atom(0)),
    );
    let found = check_formula(&network, &again, &[first], false, &Context::default()).unwrap();
    let lasso = found.unwrap();
    assert!(lasso.way.len() + lasso.cycle.len() <= 4, "{lasso:?}");
}

#[test]
fn a_fair_cycle_does_not_run_back_and_forth() {
    // Two rings side by side, and a letter that never comes: every state has two edges.
    let size = 40;
    let ring = |letter: Action| {
        let mut builder = LtsBuilder::new();
        for state in 0..size {
            builder.edge(state, letter, (state + 1) % size);
        }
        builder.build()
    };
    let (_, letters) = letters(2);
    let network = network(&[ring(letters[0]), ring(letters[1])]);
    let never = Fluent {
        name: "never".into(),
        begin: Vec::new(),
        end: None,
        initially: false,
    };
    let formula = Formula::unary(Unary::Finally(None), Formula::atom(0));
    let cx = Context::default();
    let found = check_formula(&network, &formula, std::slice::from_ref(&never), true, &cx);
    let cycle = found.unwrap().unwrap().cycle.len();
    let edges = 2 * (size * size) as usize;
    assert!((edges..2 * edges).contains(&cycle), "{cycle}");
    // It stops in the middle when it is told to.
    let enough = cx.budget.work_done();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(enough - edges as u64),
        ..Context::default()
    };
    assert!(check_formula(&network, &formula, &[never], true, &cx).is_err());
}
