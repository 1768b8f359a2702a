//! The language through its seam: answers, evidence, questions, readers.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Context, Verdict};
use quotient_language::{Ask, Json, Query, Random, Sureness, Viewed};
use quotient_testkit::language::{answers, assert_certified, attack_all, verdicts};
use quotient_zsyntax::LANGUAGE;

use crate::common::{REACTIONS, ZSYNTAX, open, random, written};

fn asked(text: &str, query: &str) -> Json {
    let query = Query {
        text: query.to_owned(),
        limit: 100,
    };
    open(text).ask(&query, &Context::default()).unwrap().result
}

#[test]
fn examples_are_answered_with_evidence() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("glycolysis", vec![Holds; 6]),
        ("whole-glycolysis", vec![Holds; 7]),
        ("cycle", vec![Holds; 5]),
        ("apoptosis", vec![Holds; 5]),
        ("enzyme", vec![Holds]),
        ("competition", vec![Holds, Holds, Holds, Violated]),
    ];
    for (example, (name, expected)) in LANGUAGE.about().examples.iter().zip(expected) {
        assert_eq!(example.name, name);
        let (path, text) = example.files[0];
        assert!(ZSYNTAX.sure(path, text) >= Sureness::Likely, "{name}");
        let mut model = open(text);
        let given = answers(&mut *model);
        assert_eq!(verdicts(&given), expected, "{name}");
        for answer in &given {
            assert_certified(&mut *model, answer);
        }
    }
}

#[test]
fn glycolysis_has_six_aggregates_in_a_row() {
    let text = format!("start Glc & HK & GPI & PFK & 2 ATP\n{REACTIONS}");
    let view = Viewed {
        part: Some("aggregates".to_owned()),
        picture: true,
    };
    let shown = open(&text).show(&view, &Context::default()).unwrap();
    assert_eq!(
        (&shown.result["aggregates"], &shown.result["steps"]),
        (&6.into(), &5.into())
    );
    assert_eq!(shown.pictures.len(), 1);
    let end = serde_json::json!([{ "HK": 1, "GPI": 1, "PFK": 1, "F16P": 1, "ADP": 2 }]);
    assert_eq!(shown.result["ends"], end);
    // With one ATP it stops before the last step.
    let one = format!("start Glc & HK & GPI & PFK & ATP\n{REACTIONS}");
    let shown = open(&one).show(&view, &Context::default()).unwrap();
    assert_eq!(shown.result["aggregates"], 5);
    let end = serde_json::json!([{ "HK": 1, "ADP": 1, "GPI": 1, "PFK*F6P": 1 }]);
    assert_eq!(shown.result["ends"], end);
    let two = format!("start 2 Glc & HK & GPI & PFK & 4 ATP\n{REACTIONS}");
    let shown = open(&two).show(&view, &Context::default()).unwrap();
    assert_eq!(
        (&shown.result["aggregates"], &shown.result["steps"]),
        (&19.into(), &26.into())
    );
    assert_eq!(shown.result["ends"].as_array().unwrap().len(), 1);
    assert_eq!(shown.result["ends"][0]["F16P"], 2);
}

fn names(result: &Json) -> BTreeSet<String> {
    let all = result["missing"].as_array().unwrap().iter();
    all.map(|one| {
        let amounts = one.as_object().unwrap();
        let words = amounts
            .iter()
            .map(|(name, number)| format!("{number} {name}"));
        words.collect::<Vec<_>>().join(" & ")
    })
    .collect()
}

#[test]
fn what_is_missing_is_listed_completely() {
    let one = format!("start Glc & HK & GPI & PFK & ATP\n{REACTIONS}can F16P\n");
    let single = |all: BTreeSet<String>| -> BTreeSet<String> {
        all.into_iter()
            .filter(|one| !one.contains('&') && one.starts_with("1 "))
            .collect()
    };
    let set = |all: &[&str]| {
        all.iter()
            .map(|one| format!("1 {one}"))
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        single(names(&asked(&one, "missing F16P"))),
        set(&["ATP", "G6P", "F6P", "PFK*F6P", "F16P"])
    );
    assert_eq!(
        names(&asked(&one, "missing F16P from Glc HK GPI PFK ATP")),
        set(&["ATP"])
    );
    let mut model = open(&one);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.notes.iter().any(|note| note.contains("ATP")));
    assert_certified(&mut *model, &answer);
    let without = format!("start Glc & GPI & PFK & 2 ATP\n{REACTIONS}");
    assert_eq!(
        single(names(&asked(&without, "missing F16P"))),
        set(&["HK", "HK*Glc", "G6P", "F6P", "PFK*F6P", "F16P"])
    );
    assert_eq!(
        names(&asked(&without, "missing F16P from Glc HK GPI PFK ATP")),
        set(&["HK"])
    );
}

#[test]
fn a_conserved_sum_of_any_amount_has_no_value() {
    let found = asked("start any A & 2 C\nA -> B\nC -> D\n", "conserved");
    let value = |name: &str| {
        let all = found["conserved"].as_array().unwrap();
        let one = all
            .iter()
            .find(|one| one["sum"].as_str().unwrap().contains(name));
        one.unwrap()["value"].clone()
    };
    assert_eq!((value("A"), value("C")), (Json::Null, 2.into()));
}

#[test]
fn what_nothing_makes_may_be_missing() {
    let text = "start Glc\nGlc * HK -> HK*Glc\nHK*Glc*ATP -> HK & G6P & ADP\nE*F*K -> X\ncan G6P\n";
    let all = |names: &[&str]| {
        names
            .iter()
            .map(|&one| one.to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        names(&asked(text, "missing G6P")),
        all(&["1 ATP & 1 HK", "1 ATP & 1 HK*Glc", "1 G6P"])
    );
    assert_eq!(
        names(&asked(text, "missing G6P from HK ATP")),
        all(&["1 ATP & 1 HK"])
    );
    // No two species make up its left side.
    assert_eq!(names(&asked(text, "missing X")), all(&["1 X"]));
    let two = "start 2 A\nA * B -> C\n2 C & D -> E\nalways A + C = 2\n";
    assert_eq!(
        names(&asked(two, "missing E from B D")),
        all(&["2 B & 1 D"])
    );
}

#[test]
fn conserved_sums_are_found() {
    let text = format!("start Glc & HK & GPI & PFK & 2 ATP\n{REACTIONS}");
    let result = asked(&text, "conserved");
    let found = result["conserved"].as_array().unwrap().iter();
    let found: BTreeMap<String, i64> = found
        .map(|one| {
            let mut terms: Vec<&str> = one["sum"].as_str().unwrap().split(" + ").collect();
            terms.sort_unstable();
            (terms.join(" "), one["value"].as_i64().unwrap())
        })
        .collect();
    let expected = [
        ("HK HK*Glc", 1),
        ("PFK PFK*F6P", 1),
        ("GPI", 1),
        ("ADP ATP", 2),
        ("F16P F6P G6P Glc HK*Glc PFK*F6P", 1),
    ];
    for (sum, value) in expected {
        assert_eq!(found.get(sum), Some(&value), "{sum} in {found:?}");
    }
}

#[test]
fn a_derivation_is_written_in_the_published_rules() {
    let mut model = open("start A & B & C\nA * B -> X\nX * C -> Z\ncan Z\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.trace.as_ref().unwrap().len(), 2);
    let text = &answer.notes[0];
    assert!(text.contains("A & B & C ⊢ Z   [->E"), "{text}");
    assert_certified(&mut *model, &answer);
}

#[test]
fn the_published_function_is_there_with_its_oddities() {
    let pairs = asked("start A & B\nA * A -> D\n", "published");
    assert_eq!(pairs["pairsItself"], true);
    assert_eq!(pairs["lists"][1].as_array().unwrap().len(), 1);
    let doubts = open("start A & B\nA * A -> D\n")
        .doubts(&Context::default())
        .unwrap();
    assert!(
        doubts
            .iter()
            .any(|one| one.details["doubt"] == "pairs-itself")
    );
    // The proper engine needs two of them.
    let result = asked("start A & B\nA * A -> D\n", "ends");
    assert_eq!(result["ends"][0]["A"], 1);
    let short = asked("start 2 A & 2 B\nA * B -> C\n", "published");
    assert_eq!(short["cutShort"], true);
    assert_eq!(
        asked("start 2 A & 2 B\nA * B -> C\n", "ends")["ends"][0]["C"],
        2
    );
    let order = open("start A & B & C\nA * B -> X\nA * C -> Y\n").doubts(&Context::default());
    let order = order.unwrap();
    assert!(
        order
            .iter()
            .any(|one| one.details["doubt"] == "order-dependent")
    );
}

#[test]
fn any_amount_is_answered_backwards() {
    let text =
        "start any A & B\nA & B -> B & C\ncan 3 C\nnever 2 B\nnever D\nD -> D\ncan exactly C\n";
    let mut model = open(text);
    let given = answers(&mut *model);
    let verdicts: Vec<bool> = given
        .iter()
        .map(|one| one.verdict == Verdict::Holds)
        .collect();
    assert_eq!(verdicts, [true, true, true, false]);
    assert_eq!(given[3].verdict, Verdict::Violated);
    for answer in &given {
        assert_certified(&mut *model, answer);
    }
    // Amounts without bound, from one start.
    let mut model = open("start A\nA -> A & B\ncan 500 B\nnever C\nC -> C\nnever 2 A\n");
    for answer in answers(&mut *model) {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
        assert_certified(&mut *model, &answer);
    }
}

#[test]
fn forged_evidence_is_never_believed() {
    let glycolysis = format!(
        "start Glc & HK & GPI & PFK & ATP\n{REACTIONS}can F16P\ncan F6P\nalways HK + HK*Glc = 1\none end\n"
    );
    let texts = [
        glycolysis.as_str(),
        "start A & B & C\nA * B -> X\nA * C -> Y\ncan X\nnever X & Y\none end\nalways A + X = 1\n",
        "start any A & B\nA & B -> B & C\ncan 3 C\nnever 2 B\n",
        "start M & N\nM <-> N\nN & N -> P\nltl G F M\nltl F G ended\nltl never: G (P -> ended)\nltl !P U N\n",
    ];
    attack_all(texts.into_iter().map(open).collect(), 150, 100_000);
}

#[test]
fn forward_and_backward_search_agree_with_a_naive_one() {
    quotient_trial::trial(|u| {
        let (start, reactions) = random(u)?;
        let target = [u.int_in_range(0..=3)?, u.int_in_range(0..=3)?, 1];
        let mut all = BTreeSet::from([start]);
        let mut todo = vec![start];
        while let Some(one) = todo.pop() {
            for (take, give) in &reactions {
                if (0..3).all(|at| one[at] >= take[at]) {
                    let mut next = one;
                    (0..3).for_each(|at| next[at] = next[at] - take[at] + give[at]);
                    if all.insert(next) {
                        todo.push(next);
                    }
                }
            }
            if all.len() > 200 {
                return Ok(());
            }
        }
        let covered = all.iter().any(|one| (0..3).all(|at| one[at] >= target[at]));
        let lines: String = reactions
            .iter()
            .map(|(take, give)| format!("{} -> {}\n", written(*take), written(*give)))
            .collect();
        // A species that does nothing, in any amount, leaves only the backward way.
        for extra in ["Z", "any Z"] {
            let amounts = match written(start).as_str() {
                "" => extra.to_owned(),
                some => format!("{some} & {extra}"),
            };
            let text = format!("start {amounts}\n{lines}can {}\n", written(target));
            let mut model = open(&text);
            let answer = answers(&mut *model).remove(0);
            assert_eq!(answer.verdict == Verdict::Holds, covered, "{text}");
            assert_certified(&mut *model, &answer);
        }
        Ok(())
    })
    .budget_ms(2500);
}

#[test]
fn complexes_are_split_in_all_known_ways() {
    let text = "start A & B*C & A*B & C\nA*B*C -> X\none end\n";
    let mut model = open(text);
    assert_eq!(answers(&mut *model)[0].verdict, Verdict::Holds);
    assert_eq!(asked(text, "ends")["ends"][0]["X"], 2);
    let tree = "start A & B*C & A*B & C\n(A*B) * C -> X\n";
    assert_eq!(asked(tree, "ends")["ends"][0]["X"], 1);
    let free = "commutative\nstart B*A & C\nC*A*B -> X\ncan X\n";
    let mut model = open(free);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert_certified(&mut *model, &answer);
}

/// Wherever a complex stands on the left of a reaction, it is the complex that reacts, not its
/// molecules: `C & B*A` was once read as `C`, `B` and `A`.
#[test]
fn a_complex_is_one_species_wherever_it_stands() {
    use Verdict::{Holds, Violated};
    let can = |start: &str, reaction: &str| {
        let text = format!("start {start}\n{reaction} -> D\ncan D\n");
        verdicts(&answers(&mut *open(&text))).remove(0)
    };
    for left in [
        "C & B*A",
        "B*A & C",
        "C & (B*A)",
        "(B*A) & C",
        "C * (B*A)",
        "(B*A) * C",
        "B*A & (C)",
        "1 C & 1 B*A",
    ] {
        assert_eq!(can("C & B*A", left), Holds, "{left}");
        assert_eq!(can("C & B & A", left), Violated, "{left}");
    }
    assert_eq!(can("2 B*A & C*E", "2 B*A & C*E"), Holds);
    assert_eq!(can("B*A & C*E", "2 B*A & C*E"), Violated);
    assert_eq!(can("B*A & F & C*E", "(B*A) * F & C*E"), Holds);
    let both = "start 3 A & 2 B\nC & B*A <-> B & A\nalways A = 3\n";
    assert_eq!(verdicts(&answers(&mut *open(both))), [Violated]);
}

#[test]
fn mistakes_are_told_all_at_once_with_their_places() {
    let told = ZSYNTAX.mistakes("start A &\nA * -> X\ncan\n9 = 3\nfoo bar\n");
    assert!(told.len() >= 4, "{told:?}");
    assert!(
        told.iter().any(|one| one.starts_with("p.zs:5:")),
        "{told:?}"
    );
}

#[test]
fn no_text_makes_the_reader_panic() {
    ZSYNTAX.disturb("&*->=<>\"/ 0aé\n", 1500, |text| {
        let _ = ZSYNTAX.try_open(text, &[], &[]);
    });
}

#[test]
fn a_simulation_reacts_and_undoes() {
    let cx = Context::default();
    let mut walk = open("start A & B\nA * B -> X\n").simulate(&cx).unwrap();
    assert!(walk.take_any(&mut Random::new(1), &cx).unwrap());
    assert!(!walk.status(&cx).unwrap().notes.is_empty());
    assert_eq!(walk.trace().steps[1].cells[0].text, "X");
    assert!(walk.undo() && !walk.undo());
}

#[test]
fn a_user_asks_what_the_file_does_not() {
    let text = LANGUAGE
        .about()
        .examples
        .iter()
        .find(|one| one.name == "enzyme");
    let mut model = open(text.unwrap().files[0].1);
    let ask = Ask {
        properties: ["can 2 P", "never 3 P", "always E + ES = 1", "can exactly P"]
            .map(str::to_owned)
            .to_vec(),
        ..Ask::default()
    };
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    let verdicts: Vec<bool> = all
        .iter()
        .map(|one| one.verdict == Verdict::Holds)
        .collect();
    assert_eq!(verdicts, [true, true, true, false]);
    for answer in &all {
        assert_certified(&mut *model, answer);
    }
    assert!(model.property("can Q").is_err() && model.property("nonsense").is_err());
    assert!(!model.property("can P").unwrap().in_file);
}

fn sbml(species: &str, reactions: &str) -> String {
    format!(
        "<sbml><model><listOfSpecies>{species}</listOfSpecies><listOfReactions>{reactions}</listOfReactions></model></sbml>"
    )
}

#[test]
fn sbml_is_read_with_modifiers_and_boundaries() {
    let species = "<species id='A' initialConcentration='0.5'/><species id='E' initialAmount='1'/>\
        <species id='I' initialAmount='1'/><species id='X' boundaryCondition='true' initialAmount='3'/>\
        <species id='B'/>";
    let reaction = "<reaction id='r'><listOfReactants><speciesReference species='A' stoichiometry='2'/>\
        <speciesReference species='X'/></listOfReactants><listOfProducts><speciesReference species='B'/>\
        </listOfProducts><listOfModifiers><modifierSpeciesReference species='E'/>\
        <modifierSpeciesReference species='I' sboTerm='SBO:0000020'/></listOfModifiers></reaction>";
    let text = sbml(species, reaction);
    let model = open(&text);
    assert_eq!(model.warnings().len(), 1);
    // Any amount of A, so any amount of B, as long as E is there.
    let found = asked(&text, "missing 3 B");
    assert_eq!(found["missing"], serde_json::json!([{}]));
    let without = text.replace("id='E' initialAmount='1'", "id='E' initialAmount='0'");
    assert_eq!(
        names(&asked(&without, "missing B")),
        BTreeSet::from(["1 B".into(), "1 E".into()])
    );
}

#[test]
fn mistakes_in_sbml_are_told_with_their_places() {
    let text = sbml(
        "<species id='A'/><species id='A'/><species/>",
        "<reaction id='r'><listOfReactants><speciesReference species='Q'/><speciesReference species='A' stoichiometry='0.5'/></listOfReactants></reaction>",
    );
    assert_eq!(ZSYNTAX.mistakes(&text).len(), 4);
}

#[test]
fn a_species_under_two_names_is_not_there_twice() {
    let text = "commutative\nstart A*B & 2 C\nr: A*B*C -> D\ncan 2 D\n";
    let mut model = open(text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    // The order of molecules does not matter, so `B*A` is another way to write `A*B`.
    let mut lines = Vec::new();
    for name in ["A*B", "B*A"] {
        let (at, used) = (lines.len(), serde_json::json!({ name: 1, "C": 1 }));
        let parts = serde_json::json!({ "interaction": ["A", "B", "C"] });
        let made = serde_json::json!({ "D": 1 });
        lines.extend([
            serde_json::json!({ "by": "identity", "context": used, "said": { "aggregate": used } }),
            serde_json::json!({ "by": "interact", "from": [at], "context": used, "said": parts }),
            serde_json::json!({ "by": "reaction", "reaction": "r",
                "said": { "conditional": [parts, made] } }),
            serde_json::json!({ "by": "arrow-elim", "from": [at + 2, at + 1], "context": used,
                "said": { "aggregate": made } }),
        ]);
    }
    lines.push(serde_json::json!({ "by": "and-intro", "from": [3, 7],
        "context": { "A*B": 1, "B*A": 1, "C": 2 }, "said": { "aggregate": { "D": 2 } } }));
    let body = serde_json::json!({ "lines": lines });
    let forged = quotient_core::Evidence::of_holds("pathway-derivation", &body).about("can 2 D");
    let property = model.property("can 2 D").unwrap();
    let outcome = model.certify(&forged, &property, &quotient_core::Budget::unlimited());
    assert!(outcome.is_err(), "{outcome:?}");
}

#[test]
fn a_start_too_large_to_be_kept_is_not_taken_for_none() {
    let mut model = open("start 70000 A\nA -> B\nnever B\ncan B\none end\nalways A = 70000\n");
    for answer in answers(&mut *model) {
        let wrong = match answer.property.as_str() {
            "can B" => Verdict::Violated,
            "one end" => continue,
            _ => Verdict::Holds,
        };
        assert_ne!(answer.verdict, wrong, "{}", answer.property);
    }
}

#[test]
fn a_derivation_begins_with_what_is_there_and_keeps_all_of_it() {
    let mut model = open("start A\nr: A -> B & C\ncan D\ncan 2 B\ncan exactly B\n");
    let mut given = answers(&mut *model).into_iter();
    assert!(given.all(|one| one.verdict == Verdict::Violated));
    let mut accepts = |question: &str, lines: Json| {
        let body = serde_json::json!({ "lines": lines });
        let forged = quotient_core::Evidence::of_holds("pathway-derivation", &body);
        let property = model.property(question).unwrap();
        let budget = quotient_core::Budget::unlimited();
        let forged = forged.about(question);
        model.certify(&forged, &property, &budget).is_ok()
    };
    let identity = |all: Json| {
        let said = serde_json::json!({ "aggregate": all });
        serde_json::json!({ "by": "identity", "context": all, "said": said })
    };
    // From the target itself, from more than is there, from nothing.
    for (question, all) in [
        ("can D", serde_json::json!({ "D": 1 })),
        ("can 2 B", serde_json::json!({ "B": 2 })),
        ("can exactly B", serde_json::json!({ "B": 1 })),
    ] {
        assert!(
            !accepts(question, serde_json::json!([identity(all)])),
            "{question}"
        );
    }
    // A part of what is made is not exactly what is made.
    let all = serde_json::json!({ "A": 1 });
    let made = serde_json::json!({ "B": 1, "C": 1 });
    let lines = serde_json::json!([
        identity(all.clone()),
        { "by": "reaction", "reaction": "r", "said": { "conditional": [{ "aggregate": all }, made] } },
        { "by": "arrow-elim", "from": [1, 0], "context": all, "said": { "aggregate": made } },
        { "by": "and-elim", "from": [2], "context": all, "said": { "aggregate": { "B": 1 } } },
    ]);
    assert!(!accepts("can exactly B", lines));
}

#[test]
fn what_can_be_made_is_never_shown_to_be_impossible() {
    let mut model = open("start A\nr: A -> B & C\nnever B\n");
    assert_eq!(answers(&mut *model)[0].verdict, Verdict::Violated);
    let property = model.property("never B").unwrap();
    let mut accepts = |kind: &str, body: Json| {
        let forged = quotient_core::Evidence::of_holds(kind, &body).about("never B");
        let budget = quotient_core::Budget::unlimited();
        model.certify(&forged, &property, &budget).is_ok()
    };
    // Nothing, the start without what follows, something else, all of it.
    for all in [
        serde_json::json!([]),
        serde_json::json!([{ "A": 1 }]),
        serde_json::json!([{ "C": 1 }]),
        serde_json::json!([{ "A": 1 }, { "B": 1, "C": 1 }]),
    ] {
        assert!(!accepts(
            "pathway-aggregates",
            serde_json::json!({ "aggregates": all })
        ));
    }
    // Without the target, without what comes before it, with the start, with sums that change.
    for (least, sums) in [
        (serde_json::json!([]), serde_json::json!([])),
        (serde_json::json!([{ "C": 1 }]), serde_json::json!([])),
        (serde_json::json!([{ "B": 1 }]), serde_json::json!([])),
        (
            serde_json::json!([{ "B": 1 }, { "A": 1 }]),
            serde_json::json!([]),
        ),
        (serde_json::json!([]), serde_json::json!([{ "B": 1 }])),
        (
            serde_json::json!([{ "B": 1 }]),
            serde_json::json!([{ "A": -1, "C": -1 }]),
        ),
    ] {
        assert!(!accepts(
            "pathway-basis",
            serde_json::json!({ "least": least, "sums": sums })
        ));
    }
}
