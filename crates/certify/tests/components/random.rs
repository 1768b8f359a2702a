//! Forged evidence about random systems, against a second, naive way to find what is true.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quotient_compose::{Algorithm, Means, Rule, Strategy as Plan};
use quotient_core::{Claim, Evidence};
use quotient_forger::{Attack, attack};
use quotient_logic::{Binary, Formula, Unary};
use quotient_lts::evidence::{NO_DEADLOCK, NO_ERROR, joint_name, property_names};
use quotient_lts::{Action, ERROR, Fluent, Lts, LtsBuilder, Progress, Question, State, System};

use crate::kit::*;

/// A component: its name, its edges, where it ends, and whether what it does not allow is an
/// error.
#[derive(Debug, Clone)]
struct Part {
    name: &'static str,
    states: u32,
    edges: Vec<(u32, usize, u32)>,
    end: Option<u32>,
    completed: bool,
}

const LETTERS: [&str; 3] = ["a", "b", "c"];

fn part() -> impl Strategy<Value = Part> {
    let name = prop_oneof![Just("P"), Just("Q"), Just("R"), Just("error")];
    (name, 1u32..4).prop_flat_map(|(name, states)| {
        // One more than there are states stands for the error.
        let edge = (0..states, 0..LETTERS.len(), 0..states * 4);
        let edges = proptest::collection::vec(edge, 1..6);
        let end = proptest::option::weighted(0.2, 0..states);
        let completed = prop::bool::weighted(0.4);
        (edges, end, completed).prop_map(move |(edges, end, completed)| Part {
            name,
            states,
            edges,
            end,
            completed,
        })
    })
}

impl Part {
    fn lts(&self, letters: &[Action]) -> Lts {
        let mut builder = LtsBuilder::new();
        builder.at_least(self.states as usize);
        let mut taken = BTreeSet::new();
        let known: BTreeSet<usize> = self.edges.iter().map(|edge| edge.1).collect();
        for &(from, letter, to) in &self.edges {
            if self.completed && !taken.insert((from, letter)) {
                continue;
            }
            let to = match to < self.states * 4 - 1 {
                true => (to % self.states).into(),
                false => ERROR,
            };
            builder.edge(from, letters[letter], to);
        }
        for from in (0..self.states).filter(|_| self.completed) {
            for &letter in known
                .iter()
                .filter(|&&letter| !taken.contains(&(from, letter)))
            {
                builder.edge(from, letters[letter], ERROR);
            }
        }
        if let Some(end) = self.end.filter(|_| !self.completed) {
            builder.end(end);
        }
        builder.build()
    }
}

fn built(parts: &[Part]) -> (System, Vec<(String, Lts)>) {
    let mut system = System::new();
    let letters = LETTERS.map(|name| system.actions.intern(name));
    let parts: Vec<(String, Lts)> = parts
        .iter()
        .map(|part| (part.name.to_owned(), part.lts(&letters)))
        .collect();
    let processes = parts.iter().map(|(name, lts)| (name.clone(), lts.clone()));
    let nodes: Vec<_> = processes
        .map(|(name, lts)| system.process(name, lts))
        .collect();
    system.parallel(nodes);
    (system, parts)
}

/// The components that err in some execution up to the first error, and whether one without
/// errors gets stuck.
fn naive(parts: &[&Lts]) -> (BTreeSet<usize>, bool) {
    let letters: BTreeSet<Action> = parts
        .iter()
        .flat_map(|lts| lts.alphabet())
        .copied()
        .collect();
    let ends = |lts: &&Lts| lts.end().is_some();
    let can_end = parts.iter().any(ends)
        && (letters.iter()).all(|&letter| parts.iter().any(|lts| lts.knows(letter) && ends(lts)));
    let initial: Vec<State> = parts.iter().map(|lts| lts.initial()).collect();
    let (mut seen, mut waiting) = (BTreeSet::from([initial.clone()]), vec![initial]);
    let (mut erring, mut is_stuck) = (BTreeSet::new(), false);
    while let Some(state) = waiting.pop() {
        let mut nexts = Vec::new();
        for &letter in &letters {
            let mut some = vec![state.clone()];
            for (at, lts) in parts
                .iter()
                .enumerate()
                .filter(|(_, lts)| lts.knows(letter))
            {
                let targets = lts.successors(state[at], letter);
                let moved = |next: &Vec<State>| -> Vec<Vec<State>> {
                    let moved = targets.iter().map(|edge| {
                        let mut next = next.clone();
                        next[at] = edge.target;
                        next
                    });
                    moved.collect()
                };
                some = some.iter().flat_map(moved).collect();
            }
            nexts.extend(some);
        }
        let has_ended = can_end
            && (parts.iter().zip(&state))
                .all(|(lts, &local)| lts.end().is_none_or(|end| end == local));
        is_stuck |= nexts.is_empty() && !has_ended;
        for next in nexts {
            let errs: Vec<usize> = (0..parts.len()).filter(|&at| next[at] == ERROR).collect();
            match errs.is_empty() {
                true if seen.insert(next.clone()) => waiting.push(next),
                true => {}
                false => erring.extend(errs),
            }
        }
    }
    (erring, is_stuck)
}

/// Whether each property that a system has holds.
fn truth(parts: &[(String, Lts)]) -> BTreeMap<String, bool> {
    let all: Vec<&Lts> = parts.iter().map(|(_, lts)| lts).collect();
    let places: Vec<usize> = (0..all.len()).filter(|&at| all[at].has_error()).collect();
    let names = property_names(places.iter().map(|&at| parts[at].0.as_str()));
    let watches = |&at: &usize| {
        let lts = all[at];
        lts.is_deterministic() && lts.transitions() == lts.states() * lts.alphabet().len()
    };
    let (erring, is_stuck) = naive(&all);
    let mut truth = BTreeMap::from([(NO_DEADLOCK.to_owned(), !is_stuck)]);
    truth.insert(NO_ERROR.to_owned(), erring.is_empty());
    // What restricts others stays, and ends executions where it errs; what watches does not.
    let kept = |own: &[usize]| {
        let others = |at: &usize| own.contains(at) || !(places.contains(at) && watches(at));
        let kept: Vec<usize> = (0..all.len()).filter(others).collect();
        let (erring, _) = naive(&kept.iter().map(|&at| all[at]).collect::<Vec<_>>());
        !erring.into_iter().any(|at| own.contains(&kept[at]))
    };
    let restricts = |at: &usize| !watches(at);
    let restricting: Vec<usize> = places.iter().copied().filter(restricts).collect();
    if !restricting.is_empty() {
        let named = places.iter().zip(&names);
        let named = named.filter(|(at, _)| restricts(at));
        let joint: Vec<String> = named.map(|(_, name)| name.clone()).collect();
        truth.insert(joint_name(&joint), kept(&restricting));
    }
    if !names.is_empty() {
        truth.insert(joint_name(&names), erring.is_empty());
    }
    for (&at, name) in places.iter().zip(&names) {
        truth.insert(name.clone(), kept(&[at]));
    }
    truth
}

fn plans() -> Vec<Plan> {
    let mut all = Vec::new();
    for rule in [Rule::Asymmetric, Rule::Circular, Rule::Symmetric] {
        for means in [Means::Learn(Algorithm::LSharp), Means::Abstract] {
            all.push(Plan {
                rule,
                means,
                ..Plan::default()
            });
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn only_what_is_true_is_accepted(
        parts in proptest::collection::vec(part(), 1..5),
        others in proptest::collection::vec(part(), 1..5),
        at in 0usize..4,
        seed in any::<u64>(),
    ) {
        let (system, components) = built(&parts);
        let truth = truth(&components);
        let evidence = found_by_all(&system, &SAFETY, &plans());
        // Evidence about a system that differs in one component.
        let mut changed = parts.clone();
        let place = at % parts.len();
        changed[place] = others[at % others.len()].clone();
        changed[place].name = parts[place].name;
        let donors = found_by_all(&built(&changed).0, &SAFETY, &plans());
        let donors = [donors, evidence.clone()].concat();
        for one in &evidence {
            let is_true = |claim: Claim, property: &str| {
                truth.get(property).is_some_and(|&holds| holds == (claim == Claim::Holds))
            };
            let about = one.property.as_deref().unwrap();
            prop_assert!(is_true(one.claim, about), "{:?} is false: {:?}", one, truth);
            let forger = Attack { seed, forgeries: 40, donors: donors.clone() };
            let certify = |evidence: &Evidence| certify(evidence, &system, &SAFETY);
            if let Err(failure) = attack(one, &forger, certify, is_true) {
                return Err(TestCaseError::fail(format!("{failure}\n{truth:?}")));
            }
        }
    }
}

/// A system in which nothing errs or ends, and questions about its infinite executions.
fn endless() -> impl Strategy<Value = (System, Vec<Question>)> {
    proptest::collection::vec(part(), 1..4).prop_map(|mut parts| {
        for part in &mut parts {
            part.completed = false;
            for edge in &mut part.edges {
                edge.2 %= part.states;
            }
        }
        let system = built(&parts).0;
        let [a, b, _] = LETTERS.map(|name| system.actions.get(name).unwrap());
        let progress = |name: &str, condition: Option<Vec<Action>>| Progress {
            name: name.into(),
            condition,
            actions: vec![a],
        };
        let fluents = [a, b].map(|action| Fluent {
            name: "just".into(),
            begin: vec![action],
            end: None,
            initially: false,
        });
        let later = Formula::unary(Unary::Finally(None), Formula::atom(1));
        let answer = Formula::binary(Binary::Implies, Formula::atom(0), later);
        let formula = |fair: bool| Question::Formula {
            name: "GO".into(),
            formula: Formula::unary(Unary::Globally(None), answer.clone()),
            fluents: fluents.clone().into(),
            fair,
        };
        let go = vec![progress("GO", None), progress("GO_IF", Some(vec![b]))];
        let questions = vec![
            Question::Progress(go),
            Question::Progress(vec![]),
            formula(true),
            formula(false),
        ];
        (system, questions)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn only_what_an_engine_finds_is_accepted_about_infinite_executions(
        (system, questions) in endless(), seed in any::<u64>(),
    ) {
        let all: Vec<Vec<Evidence>> = questions
            .iter()
            .map(|question| found_by_all(&system, question, &[]))
            .collect();
        for (question, evidence) in questions.iter().zip(&all) {
            let is_true = |claim: Claim, property: &str| {
                let mut known = evidence.iter();
                known.any(|one| one.claim == claim && one.property.as_deref() == Some(property))
            };
            for one in evidence {
                let forger = Attack { seed, forgeries: 60, donors: all.concat() };
                let certify = |evidence: &Evidence| certify(evidence, &system, question);
                if let Err(failure) = attack(one, &forger, certify, is_true) {
                    return Err(TestCaseError::fail(failure.to_string()));
                }
            }
        }
    }
}
