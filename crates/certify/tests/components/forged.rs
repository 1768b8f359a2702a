//! Evidence of every kind about components, forged some hundred times each.

use std::collections::BTreeSet;

use quotient_compose::{Algorithm, Alphabet, Decomposition, Means, Rule, Strategy};
use quotient_core::{Claim, Evidence};
use quotient_forger::{Attack, attack};
use quotient_logic::{Binary, Formula, Unary};
use quotient_lts::evidence::{
    AGGREGATED, ASSUMPTION, DIAGRAM, EXPLORED, LASSO, NO_DEADLOCK, NO_ERROR, STUBBORN, TRACE,
};
use quotient_lts::{Fluent, Progress, Question, System};

use crate::kit::*;

/// Forgeries of each piece of evidence.
const EACH: usize = 60;

/// Clients that share a lock; faulty if it can be taken twice. Properties: nobody is inside
/// together with another (true unless faulty), and the first goes in before the second (false).
/// In the end all can be stuck if they may give up.
fn clients(count: usize, faulty: bool, gives_up: bool) -> System {
    let action = |what: &str, who: usize| format!("{what}.{who}");
    let (mut lock, mut mutex, mut order) = (Vec::new(), Vec::new(), Vec::new());
    let mut clients = Vec::new();
    for who in 0..count {
        let (go, leave, stop) = (action("go", who), action("leave", who), action("stop", who));
        let mut client = vec![(0, go.clone(), 1), (1, leave.clone(), 0)];
        if gives_up {
            client.push((0, stop, 2));
        }
        clients.push((format!("CLIENT.{who}"), client));
        lock.extend([(0, go.clone(), 1), (1, leave.clone(), 0)]);
        if faulty {
            lock.extend([(1, go.clone(), 1), (0, leave.clone(), 0)]);
        }
        mutex.extend([(0, go.clone(), 1), (1, leave.clone(), 0)]);
        mutex.extend([(1, go.clone(), BAD), (0, leave, BAD)]);
        let first = if who == 0 { 1 } else { BAD };
        order.extend([(0, go.clone(), first), (1, go, 1)]);
    }
    clients.push(("LOCK".to_owned(), lock));
    clients.push(("MUTEX".to_owned(), mutex));
    clients.push(("ORDER".to_owned(), order));
    let named: Vec<(&str, Vec<(u32, &str, u32)>)> = clients
        .iter()
        .map(|(name, edges)| {
            let edges = edges
                .iter()
                .map(|(from, action, to)| (*from, action.as_str(), *to));
            (name.as_str(), edges.collect())
        })
        .collect();
    let borrowed: Vec<(&str, &[(u32, &str, u32)])> = named
        .iter()
        .map(|(name, edges)| (*name, &edges[..]))
        .collect();
    system(&borrowed)
}

/// The properties of [`clients`] that hold, and those that are violated.
fn truth(faulty: bool, gives_up: bool) -> impl Fn(Claim, &str) -> bool {
    move |claim, property| {
        let holds = match property {
            "MUTEX" => !faulty,
            "ORDER" | "MUTEX, ORDER" | NO_ERROR => false,
            // Where the second goes first, there is an error and nothing goes on; and a first
            // client that gives up, with all the others, is stuck.
            NO_DEADLOCK => !gives_up,
            _ => return false,
        };
        (claim == Claim::Holds) == holds
    }
}

fn strategies() -> Vec<Strategy> {
    let mut all = Vec::new();
    for rule in [Rule::Asymmetric, Rule::Circular, Rule::Symmetric] {
        for means in [
            Means::Learn(Algorithm::LSharp),
            Means::Learn(Algorithm::LStar),
            Means::Abstract,
            Means::Weakest,
        ] {
            for decomposition in [Decomposition::Separate, Decomposition::Halves] {
                all.push(Strategy {
                    rule,
                    means,
                    alphabet: Alphabet::default(),
                    decomposition,
                });
            }
        }
    }
    all
}

/// Forges evidence about a system; the kinds that were forged.
fn forged(
    system: &System,
    question: &Question,
    evidence: &[Evidence],
    donors: &[Evidence],
    is_true: impl Fn(Claim, &str) -> bool,
) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for (seed, one) in (1..).zip(evidence) {
        let attack_ = Attack {
            seed,
            forgeries: EACH,
            donors: [donors, evidence].concat(),
        };
        let certify = |evidence: &Evidence| certify(evidence, system, question);
        let tally = attack(one, &attack_, certify, &is_true);
        let tally = tally.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(tally.stopped, 0, "{one:?}");
        assert!(tally.false_claims > 0, "{tally:?}");
        kinds.insert(one.kind.clone());
    }
    kinds
}

#[test]
fn no_forgery_about_clients_is_accepted() {
    let mut kinds = BTreeSet::new();
    let strategies = strategies();
    let all = |faulty, gives_up| found_by_all(&clients(2, faulty, gives_up), &SAFETY, &strategies);
    let donors = [all(false, false), all(true, false), all(false, true)];
    for (at, (faulty, gives_up)) in [(false, false), (true, false), (false, true)]
        .into_iter()
        .enumerate()
    {
        let system = clients(2, faulty, gives_up);
        let others: Vec<Evidence> = (0..3)
            .filter(|&other| other != at)
            .flat_map(|other| donors[other].clone())
            .collect();
        kinds.extend(forged(
            &system,
            &SAFETY,
            &donors[at],
            &others,
            truth(faulty, gives_up),
        ));
    }
    assert!(
        kinds.contains(ASSUMPTION) && kinds.contains(TRACE),
        "{kinds:?}"
    );
}

#[test]
fn no_forgery_about_alike_clients_is_accepted() {
    let mut kinds = BTreeSet::new();
    for (faulty, gives_up) in [(false, false), (true, false), (false, true)] {
        let system = clients(4, faulty, gives_up);
        let evidence = found_by_all(&system, &SAFETY, &[]);
        let donors = found_by_all(&clients(4, !faulty, gives_up), &SAFETY, &[]);
        kinds.extend(forged(
            &system,
            &SAFETY,
            &evidence,
            &donors,
            truth(faulty, gives_up),
        ));
    }
    for kind in [AGGREGATED, DIAGRAM, TRACE] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn no_forgery_about_deadlocks_is_accepted() {
    let mut kinds = BTreeSet::new();
    let ring = |stuck: bool| {
        let last = if stuck { 2 } else { 0 };
        system(&[
            ("A", &[(0, "a", 1), (1, "b", 0)]),
            ("B", &[(0, "b", 1), (1, "c", 0)]),
            ("C", &[(0, "c", 1), (1, "d", last)]),
            ("Q", &[(0, "d", 0)]),
        ])
    };
    for stuck in [false, true] {
        let evidence = found_by_all(&ring(stuck), &SAFETY, &[]);
        let donors = found_by_all(&ring(!stuck), &SAFETY, &[]);
        let is_true = |claim: Claim, property: &str| match property {
            NO_DEADLOCK => (claim == Claim::Holds) != stuck,
            NO_ERROR => claim == Claim::Holds,
            _ => false,
        };
        kinds.extend(forged(&ring(stuck), &SAFETY, &evidence, &donors, is_true));
    }
    for kind in [DIAGRAM, EXPLORED, TRACE] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    assert!(
        kinds.contains(AGGREGATED) || kinds.contains(STUBBORN),
        "{kinds:?}"
    );
}

#[test]
fn no_forgery_about_progress_is_accepted() {
    let coin = system(&[(
        "COIN",
        &[
            (0, "toss", 1),
            (0, "stop", 2),
            (1, "back", 0),
            (2, "wait", 2),
        ],
    )]);
    let action = |name: &str| coin.actions.get(name).unwrap();
    let progress = |name: &str, condition: Option<&str>, wanted: &str| Progress {
        name: name.into(),
        condition: condition.map(|name| vec![action(name)]),
        actions: vec![action(wanted)],
    };
    let question = Question::Progress(vec![
        progress("TOSS", None, "toss"),
        progress("WAIT", None, "wait"),
        progress("BACK", Some("toss"), "back"),
    ]);
    let evidence = found_by_all(&coin, &question, &[]);
    let donors = found_by_all(&coin, &SAFETY, &[]);
    let is_true = |claim: Claim, property: &str| match property {
        "TOSS" => claim == Claim::Violated,
        "WAIT" | "BACK" => claim == Claim::Holds,
        _ => false,
    };
    let kinds = forged(&coin, &question, &evidence, &donors, is_true);
    assert!(
        kinds.contains(EXPLORED) && kinds.contains(LASSO),
        "{kinds:?}"
    );
    let every = Question::Progress(vec![]);
    let evidence = found_by_all(&coin, &every, &[]);
    let is_true = |claim: Claim, property: &str| property == "progress" && claim == Claim::Violated;
    forged(&coin, &every, &evidence, &donors, is_true);
}

#[test]
fn no_forgery_about_formulas_is_accepted() {
    let system = system(&[
        ("P", &[(0, "ask", 1), (1, "get", 0), (1, "think", 1)]),
        ("R", &[(0, "get", 0), (0, "other", 0)]),
    ]);
    let fluents: Vec<Fluent> = ["ask", "get"]
        .map(|name| Fluent {
            name: name.into(),
            begin: vec![system.actions.get(name).unwrap()],
            end: None,
            initially: false,
        })
        .into();
    // Each that asks gets: only if choices are fair.
    let later = Formula::unary(Unary::Finally(None), Formula::atom(1));
    let formula = Formula::unary(
        Unary::Globally(None),
        Formula::binary(Binary::Implies, Formula::atom(0), later),
    );
    let mut donors = Vec::new();
    for fair in [true, false] {
        let question = Question::Formula {
            name: "GETS".into(),
            formula: formula.clone(),
            fluents: fluents.clone(),
            fair,
        };
        let evidence = found_by_all(&system, &question, &[]);
        let is_true =
            |claim: Claim, property: &str| property == "GETS" && (claim == Claim::Holds) == fair;
        let kinds = forged(&system, &question, &evidence, &donors, is_true);
        assert!(
            kinds.contains(if fair { EXPLORED } else { LASSO }),
            "{kinds:?}"
        );
        donors = evidence;
    }
}

#[test]
fn no_forgery_about_priorities_is_accepted() {
    // `b` is never done as long as `a` goes before it.
    let mut high = system(&[
        ("P", &[(0, "a", 0), (0, "b", 1), (1, "a", 1)]),
        ("Q", &[(0, "b", BAD), (0, "a", 0)]),
    ]);
    let donors = found_by_all(&high, &SAFETY, &[]);
    let (root, a) = (high.root().unwrap(), high.actions.get("a").unwrap());
    let plain = high.clone();
    high.high(root, [a]);
    let evidence = found_by_all(&high, &SAFETY, &[]);
    let is_true = |claim: Claim, property: &str| {
        matches!(property, "Q" | NO_DEADLOCK | NO_ERROR | "P || Q") && claim == Claim::Holds
    };
    forged(&high, &SAFETY, &evidence, &donors, is_true);
    let is_true = |claim: Claim, property: &str| match property {
        "Q" | NO_ERROR => claim == Claim::Violated,
        NO_DEADLOCK => claim == Claim::Holds,
        _ => false,
    };
    forged(&plain, &SAFETY, &donors, &evidence, is_true);
}
