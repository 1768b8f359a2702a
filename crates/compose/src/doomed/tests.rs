//! Executions that cannot be put right against all executions, and evidence under attack.

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::{Budget, Evidence, Verdict};
use quotient_logic::{Binary, Unary};
use quotient_lts::evidence::{DOOMED, DoomedData, Sought};
use quotient_testkit::formulas;

use super::*;
use crate::evidence::doomed_data;
use crate::support::*;
use crate::{LtsBuilder, Options, Question, System, check, check_formula};

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

fn sought(question: &Question) -> Sought {
    match question {
        Question::Formula { fair, .. } => Sought::Formula { fair: *fair },
        _ => Sought::Starvation,
    }
}

fn is_accepted(system: &System, question: &Question, about: &str, data: &DoomedData) -> bool {
    let evidence = Evidence::of_violated(DOOMED, data).about(about);
    certify_components(&evidence, system, question, &Budget::unlimited()).is_ok()
}

/// The same claim with parts of it changed: whether one is accepted.
fn is_forgery_accepted(
    system: &System,
    question: &Question,
    about: &str,
    data: &DoomedData,
) -> bool {
    let mut forged = Vec::new();
    let mut change = |change: &dyn Fn(&mut DoomedData)| {
        let mut other = data.clone();
        change(&mut other);
        if other != *data {
            forged.push(other);
        }
    };
    change(&|data| data.part += 1000);
    change(&|data| data.sought = Sought::Deadlock);
    change(&|data| {
        data.way
            .iter_mut()
            .take(1)
            .for_each(|step| step.action.push('x'))
    });
    change(&|data| {
        let last = data.way.last_mut().into_iter();
        last.for_each(|step| step.states[0] = step.states[0].map(|state| state + 1000));
    });
    change(&|data| drop(data.steps.pop()));
    change(&|data| {
        let twice = data.steps.first().cloned();
        data.steps.extend(twice);
    });
    change(&|data| {
        data.initial
            .iter_mut()
            .for_each(|one| *one = one.map(|one| one + 1))
    });
    let own = |data: &DoomedData| is_accepted(system, question, about, data);
    // A system of one component is put together whatever the order is.
    let is_one = data.system.components.len() == 1;
    let may_be_true = |other: &DoomedData| is_one && other.steps.len() < data.steps.len();
    forged.iter().any(|other| own(other) && !may_be_true(other))
        || is_accepted(system, question, "OTHER", data)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_doomed_is_broken_and_can_be_checked(
        components in neighbours(SHAPE, 4), one in formulas(2), other in formulas(1),
        fair in any::<bool>(),
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let fluent = |begin: usize, end: Option<usize>| Fluent {
            name: format!("F{begin}"),
            begin: vec![letters[begin]],
            end: end.map(|end| vec![letters[end]]),
            initially: false,
        };
        let fluents = vec![fluent(0, Some(1)), fluent(2, None)];
        let asked = Formula::binary(Binary::And, one, other);
        let cx = Context::default();
        let broken_at_all = check_formula(&network, &asked, &fluents, fair, &cx).unwrap();
        let name = "FORMULA".to_owned();
        let parts = Conjunct::all(&asked, &fluents);
        let early = broken(&network, &asked, &fluents, &cx).unwrap();
        let late = parts.iter().filter_map(|part| formula(&network, part, fair, &cx).unwrap());
        let all: Vec<Doomed> = late.chain(early).collect();
        let question = Question::Formula { name, formula: asked, fluents, fair };
        for doomed in all {
            prop_assert!(broken_at_all.is_some());
            let data = doomed_data(&network, sought(&question), &doomed);
            prop_assert!(is_accepted(&system, &question, "FORMULA", &data));
            prop_assert!(!is_forgery_accepted(&system, &question, "FORMULA", &data));
        }
        if broken_at_all.is_none() {
            // What holds cannot be doomed at the start, nor after any step.
            let steps = network.steps(&network.initial());
            let mut ways = vec![(Vec::new(), vec![network.initial()])];
            ways.extend(steps.into_iter().map(|(event, after)| (vec![event], vec![network.initial(), after])));
            let first = vec![vec![0]];
            let count = components.len();
            let next = (1..count).map(|at| vec![count + at - 1, at]);
            let steps: Vec<Vec<usize>> = first.into_iter().chain(next).collect();
            for (way, states) in ways {
                for steps in [Some(Steps { parts: steps.clone(), merged: Vec::new() }), None] {
                    let way = Lasso { way: way.clone(), cycle: Vec::new(), states: states.clone() };
                    let doomed = Doomed { part: 0, way, steps };
                    let data = doomed_data(&network, sought(&question), &doomed);
                    prop_assert!(!is_accepted(&system, &question, "FORMULA", &data));
                }
            }
        }
    }

    #[test]
    fn what_starves_in_what_is_left_starves(
        components in neighbours(SHAPE, 4), letter in 0usize..7, condition in 0usize..14,
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let go = Progress {
            name: "GO".into(),
            condition: letters.get(condition).map(|&action| vec![action]),
            actions: vec![letters[letter]],
        };
        let cx = Context::default();
        let [(_, starving)] = &check_progress(&network, std::slice::from_ref(&go), &cx)[..] else {
            panic!("one answer to one question")
        };
        let starving = starving.clone().unwrap();
        let found = starved(&network, (0, &go), &cx).unwrap();
        prop_assert_eq!(found.is_some(), starving.is_some());
        let question = Question::Progress(vec![go]);
        if let Some(doomed) = found {
            let data = doomed_data(&network, Sought::Starvation, &doomed);
            prop_assert!(is_accepted(&system, &question, "GO", &data));
            prop_assert!(!is_forgery_accepted(&system, &question, "GO", &data));
        }
    }
}

/// Workers that each do three things in turn, and one that waits for a thing that never comes.
fn workers(count: usize) -> System {
    let mut system = System::new();
    let mut parts = Vec::new();
    for at in 0..count {
        let [a, b, c] = ["a", "b", "c"].map(|name| system.actions.intern(&format!("{name}.{at}")));
        let mut worker = LtsBuilder::new();
        worker.edge(0, a, 1).edge(1, b, 2).edge(2, c, 0);
        if at == 0 {
            let out = system.actions.intern("out");
            worker.edge(1, out, 3);
        }
        parts.push(system.process(format!("W{at}"), worker.build()));
    }
    system.parallel(parts);
    system
}

#[test]
fn what_is_broken_early_in_a_huge_system_is_told_in_few_steps() {
    let system = workers(24);
    let momentary = |name: &str| Fluent {
        name: name.to_owned(),
        begin: vec![system.actions.get(name).unwrap()],
        end: None,
        initially: false,
    };
    let always = |inner| Formula::unary(Unary::Globally(None), inner);
    let finally = |inner| Formula::unary(Unary::Finally(None), inner);
    let atom = Formula::atom;
    let fluents = vec![momentary("a.0"), momentary("c.0"), momentary("c.9")];
    let answered = Formula::binary(Binary::Implies, atom(0), finally(atom(1)));
    for (formula, steps) in [
        (always(!atom(2)), 3),
        (always(finally(atom(1))), 2),
        (always(answered), 2),
    ] {
        let question = Question::Formula {
            name: "F".to_owned(),
            formula,
            fluents: fluents.clone(),
            fair: true,
        };
        told_in(&system, &question, "F", steps);
    }
    let go = Progress {
        name: "GO".into(),
        condition: None,
        actions: vec![system.actions.get("a.0").unwrap()],
    };
    told_in(&system, &Question::Progress(vec![go]), "GO", 2);
    told_in(&system, &Question::Progress(Vec::new()), "progress", 2);
}

fn told_in(system: &System, question: &Question, about: &str, steps: usize) {
    let report = check(system, question, &Options::default(), &Context::default()).unwrap();
    let [answer] = &report.answers[..] else {
        panic!("one answer to one question")
    };
    assert_eq!(answer.verdict, Verdict::Violated);
    let crate::Finding::Doomed(way) = &answer.finding else {
        panic!("a finite execution")
    };
    assert_eq!(way.way.len(), steps);
    let evidence = answer.evidence.as_ref().unwrap();
    assert_eq!(evidence.property.as_deref(), Some(about));
    assert!(certify_components(evidence, system, question, &Budget::unlimited()).is_ok());
}

/// The claim that nothing can keep `[]!a` after the first step.
fn claimed(system: &System, part: usize, steps: Option<Steps>) -> (Question, DoomedData) {
    let network = Network::with_priorities(system, &Budget::unlimited()).unwrap();
    let never = Formula::unary(Unary::Globally(None), !Formula::atom(0));
    let a = Fluent {
        name: "a".to_owned(),
        begin: vec![system.actions.get("a").unwrap()],
        end: None,
        initially: false,
    };
    let (event, after) = network.steps(&network.initial()).swap_remove(0);
    let way = Lasso {
        way: vec![event],
        cycle: Vec::new(),
        states: vec![network.initial(), after],
    };
    let question = Question::Formula {
        name: "NEVER".to_owned(),
        formula: never,
        fluents: vec![a],
        fair: true,
    };
    let data = doomed_data(&network, sought(&question), &Doomed { part, way, steps });
    (question, data)
}

#[test]
fn where_a_component_can_err_no_execution_is_known_to_go_on() {
    for errs in [false, true] {
        let mut system = System::new();
        let [a, b] = ["a", "b"].map(|name| system.actions.intern(name));
        let mut builder = LtsBuilder::new();
        builder.edge(0, a, 1);
        match errs {
            true => builder.edge(1, b, crate::ERROR),
            false => builder.edge(1, b, 0),
        };
        system.process("P", builder.build());
        let (question, data) = claimed(&system, 0, None);
        assert_eq!(is_accepted(&system, &question, "NEVER", &data), !errs);
        let mut other = data.clone();
        other.part = 1;
        assert!(!is_accepted(&system, &question, "NEVER", &other));
        let (mut unfair, name) = (question.clone(), "NEVER");
        if let Question::Formula { fair, .. } = &mut unfair {
            *fair = false;
        }
        assert!(!is_accepted(&system, &unfair, name, &data));
        let safety = Question::Safety { deadlock: true };
        assert!(!is_accepted(&system, &safety, name, &data));
    }
}

#[test]
fn what_is_put_together_knows_nothing_of_priorities() {
    for low in [false, true] {
        let mut system = System::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| system.actions.intern(name));
        // After `c` there always is an `a` one day, unless `b` goes before it.
        let mut builder = LtsBuilder::new();
        builder.edge(0, c, 1).edge(1, a, 1).edge(1, b, 1);
        let process = system.process("P", builder.build());
        if low {
            system.low(process, [a]);
        }
        let order = Steps {
            parts: vec![vec![0]],
            merged: Vec::new(),
        };
        let (question, data) = claimed(&system, 0, Some(order));
        assert_eq!(is_accepted(&system, &question, "NEVER", &data), !low);
    }
}
