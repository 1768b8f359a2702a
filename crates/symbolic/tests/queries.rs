//! Query answers against the substitution of every candidate.

mod explicit;

use explicit::{Features, Random, Small, ctl};
use proptest::prelude::*;
use quotient_core::{Context, Source};
use quotient_logic::{Binary, Formula, Kind as Form, Placeholder, Polarity, Unary, parse_names};
use quotient_symbolic::{
    AskOptions, Config, Domain, Expression, Initial, Kind, Model, Query, Refusal, Term, VariableId,
};

/// A random CTL formula in which some atoms became placeholders over the same terms.
fn query(random: &mut Random, terms: &[Term], small: &Small) -> Formula<Term> {
    let formula = ctl::formula(random, 3, 5);
    let positions: Vec<usize> = formula
        .occurrences()
        .iter()
        .enumerate()
        .filter(|(_, one)| matches!(one.formula.kind, Form::Atom(3 | 4)))
        .map(|(position, _)| position)
        .collect();
    let compiled = formula.map_atoms(|&number| Term::Holds(small.atoms[number % 3]));
    compiled.replaced(|position| {
        positions
            .contains(&position)
            .then(|| hole(Some(terms.to_vec())))
    })
}

fn hole(over: Option<Vec<Term>>) -> Formula<Term> {
    Formula::new(Form::Placeholder(Placeholder { over }), Default::default())
}

/// The value of a term in a state, as a number.
fn observed(small: &Small, term: Term, state: usize) -> u64 {
    let state = &small.states[state];
    match term {
        Term::Holds(expression) => u64::from(small.model.evaluate(expression, state, None)),
        Term::Value(variable) => {
            let bits = small.model.variable(variable).bits();
            bits.enumerate()
                .map(|(i, bit)| u64::from(state.get(bit)) << i)
                .sum()
        }
    }
}

fn size(small: &Small, term: Term) -> u64 {
    match term {
        Term::Holds(_) => 2,
        Term::Value(variable) => small.model.variable(variable).domain.size().unwrap(),
    }
}

/// All assignments of values to terms.
fn candidates(small: &Small, terms: &[Term]) -> Vec<Vec<u64>> {
    terms.iter().fold(vec![Vec::new()], |all, &term| {
        let extended = |start: &Vec<u64>| {
            (0..size(small, term))
                .map(|value| [start.clone(), vec![value]].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(extended).collect()
    })
}

/// For each initial state whether the formula holds with a set of states for the hole.
fn substituted(small: &Small, formula: &Formula<Term>, hole: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let filled = formula.filled(|_| Formula::atom(Term::Value(small.variables[0])));
    let mut atoms: Vec<Term> = Vec::new();
    let numbered = filled.map_atoms(|&term| {
        atoms.push(term);
        atoms.len() - 1
    });
    let truth = |number: usize, state: usize| match atoms[number] {
        Term::Holds(expression) => small.model.evaluate(expression, &small.states[state], None),
        Term::Value(_) => hole(state),
    };
    let values = ctl::check(small, &numbered, &truth);
    ctl::starts(small)
        .iter()
        .map(|&state| values[state])
        .collect()
}

/// A subset of what can be observed.
fn some_terms(small: &Small, random: &mut Random) -> Vec<Term> {
    let mut terms: Vec<Term> = small.variables.iter().map(|&id| Term::Value(id)).collect();
    terms.retain(|term| match term {
        Term::Value(id) => small.model.variable(*id).kind != Kind::Input,
        Term::Holds(_) => true,
    });
    terms.push(Term::Holds(small.atoms[0]));
    terms.retain(|_| random.below(3) > 0);
    terms
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_the_candidates_that_work(seed in any::<u64>(), justice in any::<bool>(), mode in 0..3usize) {
        let small = Small::new(seed, Features { justice, ..Features::default() });
        let random = &mut Random(seed.rotate_left(23) | 1);
        let terms = some_terms(&small, random);
        let formula = query(random, &terms, &small);
        let initial = [Initial::All, Initial::Some, Initial::Each][mode];
        let options = AskOptions { initial, ..AskOptions::default() };
        let mut query = Query::new(small.model.clone(), formula.clone(), Config::small(), &Context::default()).unwrap();
        let answer = query.ask(&options).unwrap();
        let has_hole = !answer.unknowns.is_empty();
        let all = if has_hole { candidates(&small, &terms) } else { vec![Vec::new()] };
        let mut expected = 0u64;
        let mut listed = 0;
        for candidate in &all {
            let values = substituted(&small, &formula, &|state| {
                terms.iter().zip(candidate).all(|(&term, &value)| observed(&small, term, state) == value)
            });
            let solutions = match initial {
                Initial::All => u64::from(values.iter().all(|x| *x)),
                Initial::Some => u64::from(values.iter().any(|x| *x)),
                Initial::Each => values.iter().filter(|x| **x).count() as u64,
            };
            expected += solutions;
            listed += u64::from(solutions > 0);
            if initial == Initial::Each && solutions > 0 {
                let found = answer.solutions.iter().filter(|s| s.initial_states == Some(solutions.to_string()));
                prop_assert!(found.count() > 0);
            }
        }
        prop_assert_eq!(&answer.count, &expected.to_string(), "{:?}", formula.map_atoms(|_| ()).kind);
        prop_assert_eq!(answer.solutions.len() as u64, listed);
        prop_assert!(answer.complete);
        let refined = query.ask(&AskOptions { refine: true, ..options });
        match answer.unknowns.first().map(|unknown| unknown.polarity) {
            Some(Polarity::Positive) => {
                let refined = refined.unwrap();
                prop_assert_eq!(refined.count, answer.count);
                prop_assert_eq!(refined.solutions.len(), answer.solutions.len());
            }
            _ => prop_assert!(matches!(refined, Err(Refusal::BadQuery(_)))),
        }
    }

    #[test]
    fn general_answers_are_all_statements_that_work(seed in any::<u64>()) {
        let small = Small::new(seed, Features::default());
        let random = &mut Random(seed.rotate_left(31) | 1);
        let terms = vec![[Term::Value(small.variables[0]), Term::Value(small.variables[1])][random.below(2)]];
        let formula = query(random, &terms, &small);
        let mut query = Query::new(small.model.clone(), formula.clone(), Config::small(), &Context::default()).unwrap();
        let Ok(answer) = query.ask_general(1000) else { return Ok(()) };
        prop_assert!(answer.complete);
        let n = size(&small, terms[0]) as usize;
        prop_assert_eq!(answer.minterms.len(), n);
        let code = |minterm: usize| -> u64 {
            // Minterms are named by their value.
            let (_, value) = &answer.minterms[minterm][0];
            (0..n as u64).find(|&code| {
                let bits: Vec<bool> = (0..2).map(|i| code >> i & 1 == 1).collect();
                let Term::Value(variable) = terms[0] else { unreachable!() };
                let domain = &small.model.variable(variable).domain;
                *value == quotient_symbolic::Observed::Value(domain.decode(&bits[..domain.bits() as usize]))
            }).unwrap()
        };
        for statement in 0..1u32 << n {
            let contains = |value: u64| statement >> value & 1 == 1;
            let works = substituted(&small, &formula, &|state| contains(observed(&small, terms[0], state)));
            let works = works.iter().all(|x| *x);
            let described = answer.solutions.iter().any(|solution| {
                let set: Vec<u64> = solution.iter().map(|&j| code(j)).collect();
                match answer.strongest {
                    true => set.iter().all(|&value| contains(value)),
                    false => (0..n as u64).all(|value| !contains(value) || set.contains(&value)),
                }
            });
            prop_assert_eq!(described, works);
        }
    }
}

/// A Kripke structure with named nodes: one variable over them.
fn graph(names: &[&str], edges: &[(usize, usize)]) -> (Model, VariableId) {
    let mut model = Model::new();
    let node = model.add_variable(
        "node",
        Kind::State,
        Domain::enumeration(names.iter().copied()),
    );
    let first = model.is_value(node, 0);
    model.add_init(first);
    let mut steps = Vec::new();
    for &(from, to) in edges {
        let (from, to) = (
            model.is_value(node, from as u64),
            model.next_is_value(node, to as u64),
        );
        steps.push(model.and(from, to));
    }
    let step = model.or_all(steps);
    model.add_transition(step);
    (model, node)
}

fn solutions(model: &Model, formula: Formula<Term>) -> Vec<String> {
    let mut query =
        Query::new(model.clone(), formula, Config::small(), &Context::default()).unwrap();
    let answer = query.ask(&AskOptions::default()).unwrap();
    let mut texts: Vec<String> = answer.solutions.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

#[test]
fn dominators_and_what_must_happen() {
    let names = ["entry", "a", "b", "c", "d", "exit"];
    let edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 5)];
    let with_loop = [&edges[..], &[(2, 2)]].concat();
    let must = || {
        Formula::unary(
            Unary::ForAll,
            Formula::unary(Unary::Finally(None), hole(None)),
        )
    };
    let named = |nodes: &[&str]| {
        nodes
            .iter()
            .map(|n| format!("node = {n}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        solutions(&graph(&names, &edges).0, must()),
        named(&["a", "d", "entry", "exit"])
    );
    assert_eq!(
        solutions(&graph(&names, &with_loop).0, must()),
        named(&["a", "entry"])
    );
    for edges in [&edges[..], &with_loop] {
        let (mut model, node) = graph(&names, edges);
        let d = model.is_value(node, 4);
        assert_eq!(
            solutions(&model, Query::dominators(d, None)),
            named(&["a", "d", "entry"])
        );
        let exit = model.is_value(node, 5);
        let all = named(&["a", "d", "entry", "exit"]);
        assert_eq!(solutions(&model, Query::dominators(exit, None)), all);
    }
}

/// The three-state structure of the literature: `p !q r`, then `!p q r` or `p q r`.
fn three_states(returning: bool) -> (Model, Vec<(&'static str, VariableId)>) {
    let mut model = Model::new();
    let ids: Vec<VariableId> = ["p", "q", "r"]
        .iter()
        .map(|name| model.add_variable(*name, Kind::State, Domain::Boolean))
        .collect();
    let states = [0b101u8, 0b110, 0b111];
    let edges = match returning {
        true => vec![(0, 1), (0, 2), (1, 0), (2, 0)],
        false => vec![(0, 1), (0, 2), (1, 1), (2, 2)],
    };
    let literals = |model: &mut Model, state: u8, next: bool| {
        let mut all = Vec::new();
        for (i, &id) in ids.iter().enumerate() {
            let bit = if next {
                model.next_bit(id, 0)
            } else {
                model.bit(id, 0)
            };
            all.push(if state >> i & 1 == 1 { bit } else { !bit });
        }
        model.and_all(all)
    };
    let start = literals(&mut model, states[0], false);
    model.add_init(start);
    let mut steps = Vec::new();
    for (from, to) in edges {
        let (from, to) = (
            literals(&mut model, states[from], false),
            literals(&mut model, states[to], true),
        );
        steps.push(model.and(from, to));
    }
    let step = model.or_all(steps);
    model.add_transition(step);
    (model, ["p", "q", "r"].into_iter().zip(ids).collect())
}

fn asked(model: &Model, names: &[(&str, VariableId)], text: &str) -> Vec<String> {
    let formula = parse_names(&Source::new("query", text)).unwrap();
    let formula =
        formula.map_atoms(|name| Term::Value(names.iter().find(|(n, _)| n == name).unwrap().1));
    solutions(model, formula)
}

#[test]
fn the_published_structure_has_the_published_answers() {
    for returning in [false, true] {
        let (model, names) = three_states(returning);
        let ask = |text| asked(&model, &names, text);
        assert_eq!(ask("AF ?"), ["p & !q & r"]);
        assert_eq!(ask("AF ?{p, q}"), ["p & !q"]);
        assert_eq!(ask("AF ?{p}"), ["p"]);
        assert_eq!(ask("EF ?").len(), 3);
        assert_eq!(ask("EX ?{p, q}"), ["!p & q", "p & q"]);
        assert_eq!(ask("AG ?{r}"), ["r"]);
        assert!(ask("AG ?{p, q}").is_empty() && ask("AX ?{p}").is_empty());
        assert_eq!(ask("EG ?{p}"), ["p"]);
        assert_eq!(ask("AF !?").len(), 8);
        assert_eq!(ask("AF !?{p}"), ["!p"]);
        assert_eq!(ask("AG !?").len(), 5);
        assert_eq!(ask("AG !?{p, q}"), ["!p & !q"]);
        assert_eq!(ask("EF AG ?").len(), if returning { 0 } else { 2 });
        let general = |text: &str| {
            let formula = parse_names(&Source::new("query", text)).unwrap();
            let formula = formula
                .map_atoms(|name| Term::Value(names.iter().find(|(n, _)| n == name).unwrap().1));
            let mut query =
                Query::new(model.clone(), formula, Config::small(), &Context::default()).unwrap();
            let mut sizes: Vec<usize> = query
                .ask_general(100)
                .unwrap()
                .solutions
                .iter()
                .map(Vec::len)
                .collect();
            sizes.sort_unstable();
            sizes
        };
        // Up to weakening: p !q r, and q & r.
        assert_eq!(general("AF ?"), [1, 2]);
        assert_eq!(general("AF ?{p, q}"), [1, 2]);
        assert_eq!(general("AF ?{p}"), [1]);
    }
}

#[test]
fn a_query_that_any_statement_solves_is_trivial() {
    let (model, names) = three_states(false);
    let p: Expression = {
        let mut model = model.clone();
        model.bit(names[0].1, 0)
    };
    let reach = Formula::unary(
        Unary::Exists,
        Formula::unary(Unary::Finally(None), hole(None)),
    );
    let formula = Formula::binary(Binary::Or, Formula::atom(Term::Holds(p)), reach);
    let mut query = Query::new(model, formula, Config::small(), &Context::default()).unwrap();
    let answer = query.ask(&AskOptions::default()).unwrap();
    assert!(answer.trivial);
    assert_eq!(answer.count, "8");
}

#[test]
fn two_unknowns_are_answered_together() {
    let (model, names) = three_states(false);
    // First p or not, and in the next step q or not.
    let answers = asked(&model, &names, "?{p} & EX ?{q, r}");
    assert_eq!(answers, ["p; q & r"]);
}

#[test]
fn inputs_are_refused() {
    let mut model = Model::new();
    let input = model.add_variable("i", Kind::Input, Domain::Boolean);
    let formula = Query::reachable(Some(vec![Term::Value(input)]));
    let refused = Query::new(model, formula, Config::small(), &Context::default());
    assert!(matches!(refused.err(), Some(Refusal::NotAboutState { .. })));
}
