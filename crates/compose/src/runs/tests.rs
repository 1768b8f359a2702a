//! What is followed against the whole, and evidence about it under attack.

mod alike;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_core::{Budget, Evidence, Verdict};
use quotient_logic::{Binary, Unary};
use quotient_lts::evidence::{LASSO, STUBBORN, Sought, StubbornData};
use quotient_testkit::formulas;

use super::*;
use crate::evidence::{lasso_data, system_data};
use crate::support::*;
use crate::{LtsBuilder, Options, Question, System, check, check_formula, check_progress};

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

fn claim(system: &System, question: &Question) -> StubbornData {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    StubbornData {
        system: system_data(&network),
        sought: match question {
            Question::Formula { fair, .. } => Sought::Formula { fair: *fair },
            _ => Sought::Starvation,
        },
        sticky: Vec::new(),
        sticky_silence: Vec::new(),
        alike: Vec::new(),
        turn: None,
    }
}

fn is_accepted(system: &System, question: &Question, about: &str, data: &StubbornData) -> bool {
    let evidence = Evidence::of_holds(STUBBORN, data).about(about);
    certify_components(&evidence, system, question, &Budget::unlimited()).is_ok()
}

fn is_certified(system: &System, question: &Question, about: &str) -> bool {
    is_accepted(system, question, about, &claim(system, question))
}

fn fluent(begin: Action, end: Option<Action>) -> Fluent {
    Fluent {
        name: "F".to_owned(),
        begin: vec![begin],
        end: end.map(|end| vec![end]),
        initially: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn progress_is_the_same_where_enough_is_followed(
        components in neighbours(SHAPE, 4), letter in 0usize..7, condition in 0usize..14,
        every in any::<bool>(),
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let go = Progress {
            name: "GO".into(),
            condition: letters.get(condition).map(|&action| vec![action]),
            actions: vec![letters[letter]],
        };
        let properties = if every { vec![] } else { vec![go] };
        let cx = Context::default();
        let found = super::progress(&network, &properties, &cx).unwrap().unwrap();
        let question = Question::Progress(properties.clone());
        for ((about, found), (_, whole)) in
            found.into_iter().zip(check_progress(&network, &properties, &cx))
        {
            let whole = whole.unwrap();
            prop_assert_eq!(found.is_some(), whole.is_some());
            prop_assert_eq!(is_certified(&system, &question, &about), found.is_none());
            prop_assert!(!is_certified(&system, &question, "OTHER"));
            if let Some(found) = found {
                let data = lasso_data(&network, Sought::Starvation, &found.lasso);
                let evidence = Evidence::of_violated(LASSO, &data).about(&about);
                let certified =
                    certify_components(&evidence, &system, &question, &Budget::unlimited());
                prop_assert!(certified.is_ok(), "{:?}", certified);
            }
        }
    }

    #[test]
    fn formulas_that_hold_where_enough_is_followed_hold(
        components in neighbours(SHAPE, 4), formula in formulas(2), fair in any::<bool>(),
        momentary in any::<bool>(),
    ) {
        let system = among_neighbours(&components, &[]);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let letters = letters(7).1;
        let end = (!momentary).then(|| letters[1]);
        let fluents = vec![fluent(letters[0], end), fluent(letters[2], None)];
        let cx = Context::default();
        let is_broken = check_formula(&network, &formula, &fluents, fair, &cx).unwrap().is_some();
        let holds = formula_holds(&network, (&formula, &fluents, fair), None, &cx).unwrap();
        let name = "FORMULA".to_owned();
        let question = Question::Formula { name, formula, fluents, fair };
        prop_assert!(!(holds && is_broken));
        prop_assert_eq!(is_certified(&system, &question, "FORMULA"), holds);
        prop_assert!(!is_certified(&system, &question, "OTHER"));
    }
}

/// Workers who go round by themselves and now and then ask a clerk for something.
fn office(workers: usize, forgets: bool) -> System {
    let mut system = System::new();
    let mut parts = Vec::new();
    let mut clerk = LtsBuilder::new();
    for at in 0..workers {
        let [think, ask, get] =
            ["think", "ask", "get"].map(|name| system.actions.intern(&format!("{name}.{at}")));
        let mut worker = LtsBuilder::new();
        worker
            .edge(0, think, 1)
            .edge(1, think, 2)
            .edge(2, ask, 3)
            .edge(3, get, 0);
        parts.push(system.process(format!("W{at}"), worker.build()));
        let busy = 1 + at as u32;
        clerk.edge(0, ask, busy);
        // The last one may be forgotten: then nobody is served any more.
        match forgets && at + 1 == workers {
            true => clerk
                .edge(busy, get, 0)
                .edge(busy, Action::TAU, workers as u32 + 1),
            false => clerk.edge(busy, get, 0),
        };
    }
    parts.push(system.process("CLERK", clerk.build()));
    system.parallel(parts);
    system
}

fn served(system: &System, at: usize) -> Progress {
    Progress {
        name: "SERVED".to_owned(),
        condition: None,
        actions: vec![system.actions.get(&format!("get.{at}")).unwrap()],
    }
}

#[test]
fn what_workers_do_by_themselves_is_not_multiplied() {
    let system = office(12, false);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let all = followed(&network, |_| false, None, &Context::default()).unwrap();
    // All together have more than 3^12 states.
    assert!(
        all.composed.lts.states() < 500,
        "{}",
        all.composed.lts.states()
    );
    let properties = vec![served(&system, 3)];
    let found = super::progress(&network, &properties, &Context::default()).unwrap();
    assert!(found.unwrap()[0].1.is_none());
    assert!(is_certified(
        &system,
        &Question::Progress(properties),
        "SERVED"
    ));
}

#[test]
fn large_systems_are_answered_by_what_is_enough() {
    for (forgets, verdict) in [(false, Verdict::Holds), (true, Verdict::Violated)] {
        let system = office(16, forgets);
        let actions = &system.actions;
        let [ask, get] = ["ask.3", "get.3"].map(|name| actions.get(name).unwrap());
        let fluents = vec![fluent(ask, None), fluent(get, None)];
        let gets = Formula::unary(Unary::Finally(None), Formula::atom(1));
        let asks = Formula::binary(Binary::Implies, Formula::atom(0), gets);
        let answered = Question::Formula {
            name: "ANSWERED".to_owned(),
            formula: Formula::unary(Unary::Globally(None), asks),
            fluents,
            fair: true,
        };
        // Whoever asks is answered, even if the last one is forgotten: nobody else asks then.
        let questions = [
            (Question::Progress(vec![served(&system, 3)]), verdict),
            (answered, Verdict::Holds),
        ];
        for (question, verdict) in questions {
            let report = check(&system, &question, &Options::default(), &Context::default());
            let answer = &report.unwrap().answers[0];
            assert_eq!(answer.verdict, verdict);
            if verdict == Verdict::Holds {
                assert_eq!(answer.method, "stubborn sets");
            }
            let evidence = answer.evidence.as_ref().unwrap();
            let budget = Budget::unlimited();
            let certified = certify_components(evidence, &system, &question, &budget);
            assert!(certified.is_ok(), "{certified:?}");
        }
    }
}

#[test]
fn a_set_that_cannot_be_left_may_have_any_size() {
    // All who are not forgotten think for ever, side by side.
    let mut system = System::new();
    let mut parts = Vec::new();
    for at in 0..24 {
        let [think, rest] =
            ["think", "rest"].map(|name| system.actions.intern(&format!("{name}.{at}")));
        let mut worker = LtsBuilder::new();
        worker.edge(0, think, 1).edge(1, rest, 0);
        if at == 0 {
            let out = system.actions.intern("out");
            worker.edge(0, out, 2);
        }
        parts.push(system.process(format!("W{at}"), worker.build()));
    }
    system.parallel(parts);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let go = |name: &str| Progress {
        name: "GO".to_owned(),
        condition: None,
        actions: vec![system.actions.get(name).unwrap()],
    };
    let found = super::progress(&network, &[go("think.0")], &Context::default()).unwrap();
    let lasso = &found.unwrap()[0].1.as_ref().unwrap().lasso.clone();
    let data = lasso_data(&network, Sought::Starvation, lasso);
    let evidence = Evidence::of_violated(LASSO, &data).about("GO");
    let certify = |property: Progress| {
        let question = Question::Progress(vec![property]);
        certify_components(&evidence, &system, &question, &Budget::unlimited()).is_ok()
    };
    assert!(certify(go("think.0")));
    assert!(!certify(go("think.1")));
}

#[test]
fn evidence_about_what_is_followed_says_no_more_than_it_may() {
    let system = office(2, false);
    let question = Question::Progress(vec![served(&system, 0)]);
    let data = claim(&system, &question);
    assert!(is_accepted(&system, &question, "SERVED", &data));
    let is_refused = |change: fn(&mut StubbornData)| {
        let mut data = data.clone();
        change(&mut data);
        !is_accepted(&system, &question, "SERVED", &data)
    };
    assert!(is_refused(|data| data.sticky.push(1)));
    assert!(is_refused(|data| data.sticky_silence.push(0)));
    assert!(is_refused(
        |data| data.sought = Sought::Formula { fair: true }
    ));
    assert!(is_refused(|data| data.sought = Sought::Deadlock));
    assert!(is_refused(|data| data.sought = Sought::Error));
    assert!(is_refused(|data| data.system.components.truncate(1)));
    // About safety it says nothing.
    let safety = Question::default();
    assert!(!is_accepted(&system, &safety, "no deadlock", &data));
    // A formula about the next moment, or about other choices.
    let formula = Formula::unary(Unary::Next, Formula::constant(true));
    let fluents = vec![fluent(system.actions.get("get.0").unwrap(), None)];
    let next = Question::Formula {
        name: "NEXT".to_owned(),
        formula,
        fluents: fluents.clone(),
        fair: true,
    };
    assert!(!is_certified(&system, &next, "NEXT"));
    let again = Formula::unary(Unary::Finally(None), Formula::atom(0));
    let [fair, unfair] = [true, false].map(|fair| Question::Formula {
        name: "GETS".to_owned(),
        formula: again.clone(),
        fluents: fluents.clone(),
        fair,
    });
    assert!(is_certified(&system, &fair, "GETS"));
    assert!(!is_certified(&system, &unfair, "GETS"));
    assert!(!is_accepted(
        &system,
        &unfair,
        "GETS",
        &claim(&system, &fair)
    ));
}

#[test]
fn components_that_err_and_priorities_are_left_to_others() {
    let mut system = System::new();
    let tick = system.actions.intern("tick");
    let mut clock = LtsBuilder::new();
    clock.edge(0, tick, 0).edge(0, tick, crate::ERROR);
    system.process("CLOCK", clock.build());
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    assert!(
        super::progress(&network, &[], &Context::default())
            .unwrap()
            .is_none()
    );
    assert!(!is_certified(
        &system,
        &Question::Progress(vec![]),
        "progress"
    ));
}
