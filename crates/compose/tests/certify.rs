//! The independent checker accepts what the engine writes, and no false claim.

mod support;

use proptest::prelude::*;
use quotient_certify::certify_components;
use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Equivalence, Fluent, Means, NodeId, Options, Progress,
    Question, Rule, Strategy as Plan_, System, Way, check, operations::complete,
};
use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_lts::evidence::{EXPLORED, STUBBORN};
use quotient_testkit::formulas;
use serde_json::{Value, json};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 3,
    silent: true,
    error: false,
    end: true,
};

/// Components with something done to each, and a property beside them.
#[derive(Debug, Clone)]
struct Setting {
    parts: Vec<(Plan, usize)>,
    property: Option<Plan>,
    /// What happens to the whole.
    whole: usize,
}

fn settings() -> impl Strategy<Value = Setting> {
    let part = (plans(SHAPE), 0usize..9);
    let property = proptest::option::weighted(0.7, specifications(3, 3));
    (proptest::collection::vec(part, 1..4), property, 0usize..8).prop_map(
        |(parts, property, whole)| Setting {
            parts,
            property,
            whole,
        },
    )
}

impl Setting {
    fn system(&self) -> System {
        let (actions, letters) = letters(3);
        let mut system = System::new();
        system.actions = actions;
        let mut nodes: Vec<NodeId> = Vec::new();
        for (number, (plan, operation)) in self.parts.iter().enumerate() {
            let leaf = system.process(format!("P{number}"), plan.lts(&letters));
            let [a, b, c] = letters[..] else {
                panic!("three letters")
            };
            // Some operations work on a pair, so that something is multiplied out.
            let pair = |system: &mut System| match nodes.last() {
                Some(&before) => system.parallel([before, leaf]),
                None => leaf,
            };
            let node = match operation {
                0 => system.hide(leaf, [a]),
                1 => system.relabel(leaf, [(a, b), (a, c)]),
                2 => system.interface(leaf, [a, b]),
                3 => {
                    let pair = pair(&mut system);
                    system.high(pair, [a])
                }
                4 => {
                    let pair = pair(&mut system);
                    system.low(pair, [b])
                }
                5 => {
                    let pair = pair(&mut system);
                    let hidden = system.hide(pair, [c]);
                    system.minimise(hidden, Equivalence::Weak)
                }
                6 => {
                    let hidden = system.hide(leaf, [b]);
                    system.determinise(hidden)
                }
                _ => leaf,
            };
            nodes.push(node);
        }
        if let Some(property) = &self.property {
            let lts = complete(&property.lts(&letters));
            nodes.push(system.process("SPEC", lts));
        }
        let whole = system.parallel(nodes);
        match self.whole {
            0 => system.high(whole, [letters[0]]),
            1 => system.low(whole, [letters[0], letters[1]]),
            2 => {
                let whole = system.low(whole, [letters[0]]);
                system.hide(whole, [letters[0]])
            }
            _ => whole,
        };
        system
    }
}

fn ways() -> impl Strategy<Value = Way> {
    let rule = prop_oneof![
        Just(Rule::Asymmetric),
        Just(Rule::Circular),
        Just(Rule::Symmetric)
    ];
    let means = prop_oneof![
        Just(Means::Learn(Algorithm::LSharp)),
        Just(Means::Learn(Algorithm::LStar)),
        Just(Means::Abstract),
        Just(Means::Weakest),
    ];
    let alphabet = prop_oneof![Just(Alphabet::Whole), Just(Alphabet::default())];
    let decomposition = prop_oneof![Just(Decomposition::Separate), Just(Decomposition::Halves)];
    let assumptions = (rule, means, alphabet, decomposition).prop_map(
        |(rule, means, alphabet, decomposition)| {
            Way::Assumptions(Plan_ {
                rule,
                means,
                alphabet,
                decomposition,
            })
        },
    );
    prop_oneof![
        1 => Just(Way::Automatic),
        1 => Just(Way::Monolithic),
        3 => assumptions,
    ]
}

fn questions() -> impl Strategy<Value = Question> {
    let letters = letters(3).1;
    let progress = Progress {
        name: "GO".into(),
        condition: None,
        actions: vec![letters[0]],
    };
    let conditional = Progress {
        name: "GO_IF".into(),
        condition: Some(vec![letters[1]]),
        ..progress.clone()
    };
    let fluents = vec![
        Fluent {
            name: "F".into(),
            begin: vec![letters[0]],
            end: Some(vec![letters[1]]),
            initially: false,
        },
        Fluent {
            name: "c".into(),
            begin: vec![letters[2]],
            end: None,
            initially: false,
        },
    ];
    let formula = (formulas(2), any::<bool>()).prop_map(move |(formula, fair)| Question::Formula {
        name: "FORMULA".into(),
        formula,
        fluents: fluents.clone(),
        fair,
    });
    prop_oneof![
        3 => Just(Question::Safety { deadlock: true }),
        1 => Just(Question::Progress(vec![progress, conditional])),
        1 => Just(Question::Progress(vec![])),
        3 => formula,
    ]
}

/// All evidence for a question, by one way.
fn evidence(system: &System, question: &Question, way: Way) -> Vec<(Evidence, Verdict)> {
    // Few enough that larger systems are searched and proved in parts.
    let both = [4, 32].map(|search_first| {
        let options = Options {
            way: way.clone(),
            threads: 1,
            search_first,
            only: None,
        };
        check(system, question, &options, &Context::default()).unwrap()
    });
    let answers = both.into_iter().flat_map(|report| report.answers);
    answers
        .filter_map(|answer| Some((answer.evidence?, answer.verdict)))
        .collect()
}

/// Changes the number at a place of a tree, counted in its order.
fn changed(value: &mut Value, place: &mut usize, by: i64) {
    match value {
        Value::Number(number) => {
            if *place == 0 {
                *value = json!((number.as_i64().unwrap_or(0) + by).max(0));
            }
            *place = place.wrapping_sub(1);
        }
        Value::Array(all) => all.iter_mut().for_each(|value| changed(value, place, by)),
        Value::Object(all) => all.values_mut().for_each(|value| changed(value, place, by)),
        _ => {}
    }
}

fn numbers(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Array(all) => all.iter().map(numbers).sum(),
        Value::Object(all) => all.values().map(numbers).sum(),
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_the_engine_writes_is_accepted(
        setting in settings(), question in questions(), way in ways(),
    ) {
        let (system, budget) = (setting.system(), Budget::unlimited());
        for (evidence, verdict) in evidence(&system, &question, way) {
            let accepted = certify_components(&evidence, &system, &question, &budget);
            prop_assert!(accepted.is_ok(), "{verdict}: {accepted:?}\n{evidence:?}");
        }
    }

    #[test]
    fn changed_evidence_never_shows_what_is_not_so(
        setting in settings(), question in questions(), way in ways(),
        places in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(-1i64), Just(1), Just(2)]), 6),
    ) {
        let (system, budget) = (setting.system(), Budget::unlimited());
        for (evidence, _) in evidence(&system, &question, way) {
            for (place, by) in &places {
                let mut forged = evidence.clone();
                let count = numbers(&forged.body);
                if count == 0 {
                    continue;
                }
                changed(&mut forged.body, &mut place.index(count), *by);
                // The claim is as true as before: what is accepted must be a proof of it.
                let _ = certify_components(&forged, &system, &question, &budget);
                let mut turned = forged;
                turned.claim = match turned.claim {
                    quotient_core::Claim::Holds => quotient_core::Claim::Violated,
                    quotient_core::Claim::Violated => quotient_core::Claim::Holds,
                };
                prop_assert!(certify_components(&turned, &system, &question, &budget).is_err());
            }
        }
    }

    #[test]
    fn a_search_that_found_nothing_is_not_believed_where_there_is_something(
        setting in settings(), question in questions(),
    ) {
        let (system, budget) = (setting.system(), Budget::unlimited());
        for (evidence, verdict) in evidence(&system, &question, Way::Monolithic) {
            if verdict != Verdict::Violated {
                continue;
            }
            let about = evidence.property.clone().unwrap();
            let sought = match (&evidence.body.get("sought"), about.as_str()) {
                (Some(sought), _) => (*sought).clone(),
                (None, "no deadlock") => json!("deadlock"),
                (None, _) => json!("error"),
            };
            let mut body = json!({ "system": evidence.body["system"], "sought": sought });
            let idle = json!({
                "name": about, "states": 1, "initial": 0, "alphabet": [], "edges": []
            });
            let components = body["system"]["components"].as_array().unwrap();
            let at = components.iter().position(|component| component["name"] == about.as_str());
            let mut forged = vec![Evidence::of_holds(EXPLORED, &body)];
            for sticky in [vec![], (1..body["system"]["events"].as_array().unwrap().len()).collect()] {
                body["sticky"] = json!(sticky);
                forged.push(Evidence::of_holds(STUBBORN, &body));
            }
            if let Some(at) = at {
                body["system"]["components"][at] = idle;
                forged.push(Evidence::of_holds(STUBBORN, &body));
                body.as_object_mut().unwrap().remove("sticky");
                forged.push(Evidence::of_holds(EXPLORED, &body));
            }
            for forged in forged {
                let forged = forged.about(about.as_str());
                prop_assert!(certify_components(&forged, &system, &question, &budget).is_err());
            }
        }
    }

    #[test]
    fn any_assumptions_prove_only_what_is_so(
        setting in settings(), way in ways(),
        places in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(-1i64), Just(1)]), 8),
    ) {
        // Assumptions for a system are held against another one with the same alphabets, in
        // which edges were moved: they are accepted only if the property holds there too.
        let question = Question::Safety { deadlock: false };
        let (system, budget) = (setting.system(), Budget::unlimited());
        for (evidence, _) in evidence(&system, &question, way) {
            for (place, by) in &places {
                let mut other = setting.clone();
                let at = place.index(other.parts.len());
                let plan = &mut other.parts[at].0;
                if let Some(edge) = plan.edges.first_mut() {
                    edge.2 = ((i64::from(edge.2) + by).max(0) as u32).min(plan.states - 1);
                }
                let other = other.system();
                let mut forged = evidence.clone();
                let honest = evidence_system(&other);
                let Some(honest) = honest else { continue };
                forged.body["system"] = honest;
                if certify_components(&forged, &other, &question, &budget).is_ok() {
                    let about = forged.property.as_deref();
                    let truth = self::evidence(&other, &question, Way::Monolithic);
                    for (real, verdict) in truth {
                        if real.property.as_deref() == about {
                            prop_assert_eq!(verdict, forged.verdict());
                        }
                    }
                }
            }
        }
    }
}

/// The components of a system as evidence gives them.
fn evidence_system(system: &System) -> Option<Value> {
    let question = Question::Safety { deadlock: true };
    let first = evidence(system, &question, Way::Monolithic)
        .into_iter()
        .next();
    first.map(|(evidence, _)| evidence.body["system"].clone())
}
