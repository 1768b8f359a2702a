//! The language through its seam: how programs end, evidence, questions, readers.

mod common;

use common::{BSP, asked, end, mistakes, open, value_of};
use quotient_bsp::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{
    Answer, Ask, Input, Json, NoFiles, Picture, Random, Settings, Sureness, Verb, Viewed,
};
use quotient_testkit::language::{answers, assert_certified, attack_all};

#[test]
fn examples_end_as_they_say() {
    for example in LANGUAGE.about().examples {
        let (path, text) = example.files[0];
        let input = Input::text(&Source::new(path, text));
        assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain);
        for answer in answers(&mut *open(text)) {
            let expected = match example.name {
                "impatient" => Verdict::Violated,
                _ => Verdict::Holds,
            };
            let about = format!("{} {}", example.name, answer.property);
            assert_eq!(answer.verdict, expected, "{about}");
        }
        end(text);
    }
}

#[test]
fn different_communicators_with_the_same_members_never_meet() {
    let result = end(
        "processors 2\ngroup C = 0, 1\ngroup D = 0, 1\nrun\nif pid = 0 then bsp_sync C else bsp_sync D",
    );
    assert_eq!(result["ends"], "deadlock");
    assert_eq!(result["waiting"], serde_json::json!({ "0": "C", "1": "D" }));
}

#[test]
fn a_missing_participant_is_named() {
    let text = "processors 2\nrun\nif pid = 0 then bsp_sync W else void";
    let result = end(text);
    assert_eq!(result["waiting"], serde_json::json!({ "0": "W" }));
    assert_eq!(result["finished"], serde_json::json!([1]));
    let answer = answers(&mut *open(text)).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(answer.notes, ["processor 0 waits at W for 1 (ended)"]);
    assert!(answer.trace.unwrap().steps.len() > 1);
}

#[test]
fn a_ring_of_waits_is_found_and_another_order_has_none() {
    let head = "processors 3\ngroup A = 0, 1\ngroup B = 1, 2\ngroup D = 0, 2\nrun\n";
    let result = end(&format!(
        "{head}if pid = 0 then (bsp_sync A; bsp_sync D) else if pid = 1 then (bsp_sync B; bsp_sync A) else (bsp_sync D; bsp_sync B)"
    ));
    assert_eq!(result["cycle"], serde_json::json!([0, 1, 2]));
    let result = end(&format!(
        "{head}if pid = 0 then (bsp_sync A; bsp_sync D) else if pid = 1 then (bsp_sync A; bsp_sync B) else (bsp_sync B; bsp_sync D)"
    ));
    assert_eq!(result["ends"], "done");
}

#[test]
fn control_structures_survive_barriers() {
    let result = end("processors 3\nrun\n(1; bsp_sync W); if true then (bsp_sync W; 7) else 8");
    assert_eq!(result["values"], serde_json::json!(["7", "7", "7"]));
    let result = end("processors 2\nrun\ntry (bsp_sync W; raise (E 5)) with E x -> x + 1 end");
    assert_eq!(result["values"], serde_json::json!(["6", "6"]));
}

#[test]
fn divergence_has_a_certificate() {
    let result = end("processors 2\nrun\nloop (bsp_sync W)");
    assert_eq!(
        (&result["ends"], &result["because"]),
        (&"diverges".into(), &"supersteps".into())
    );
    let result = end("processors 2\nrun\nif pid = 0 then loop void else 3");
    assert_eq!(result["processors"], serde_json::json!([0]));
    // One loops, others meet for ever.
    let text =
        "processors 3\ngroup B = 1, 2\nrun\nif pid = 0 then loop void else loop (bsp_sync B)";
    assert_eq!(end(text)["ends"], "diverges");
    // A counter never comes back: the budget ends it.
    let mut model = open("processors 1\nrun\nlet x = ref 0 in loop (x := x + 1)");
    let cx = Context {
        budget: Budget::unlimited().child_with_work(10_000),
        ..Context::default()
    };
    let tell = &mut |answer: Answer| assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    model.check(&Ask::default(), &cx, tell).unwrap();
}

#[test]
fn faults_have_their_kind() {
    let fault = |text: &str| end(text)["faults"][0].as_str().unwrap().to_owned();
    let text = "processors 3\ngroup C = 0, 1\nrun\nlet x = ref 1 in if pid = 0 then bsp_send C x 2";
    assert_eq!(
        fault(text),
        "processor 0: processor 2 is not in C (line 4, column 34)"
    );
    let text = "processors 2\nrun\nlet x = ref 1 in bsp_put W 0 x x; bsp_sync W";
    assert!(fault(text).contains("`x` is not registered in W"));
    let text = "processors 2\nrun\nif pid = 0 then raise (E 1) else bsp_sync W";
    assert_eq!(fault(text), "processor 0: nobody handles `E`");
    let text = "processors 2\ngroup C = 0\nrun\nbsp_sync C";
    assert!(fault(text).contains("not in C itself"));
    assert!(fault("processors 1\nrun\nbsp_findmsg 0 0").contains("no such message"));
    assert!(fault("processors 1\nrun\n1 / 0").contains("divided by 0"));
    assert!(fault("processors 1\nrun\n1 + true").contains("wrong type"));
}

#[test]
fn messages_of_one_communicator_wait_for_its_barrier() {
    let text = "processors 2\ngroup C = 0, 1\nrun\nlet x = ref 1 in bsp_send C x (1 - pid); bsp_sync W; bsp_nmsg (1 - pid)";
    assert_eq!(end(text)["values"], serde_json::json!(["0", "0"]));
    let doubts = open(text).doubts(&Context::default()).unwrap();
    assert!(
        doubts
            .iter()
            .any(|one| one.details["doubt"] == "undelivered")
    );
    assert!(
        doubts
            .iter()
            .any(|one| one.details["doubt"] == "never-meets")
    );
}

#[test]
fn a_barrier_may_be_replaced_or_not() {
    let text = "processors 4\ngroup A = 0, 1\ngroup B = 2, 3\nrun\nlet x = ref pid in\nbsp_send A|B x (pid xor 1);\nbsp_sync A|B;\nlet y = bsp_findmsg (pid xor 1) 0 in\nbsp_sync W;\ny";
    let barriers = asked(text, "barriers");
    assert_eq!(barriers["barriers"][1]["group"], "W");
    assert_eq!(asked(text, "replace 2 by A|B")["replaceable"], true);
    assert_eq!(asked(text, "replace 1 by W")["replaceable"], false);
}

#[test]
fn another_number_of_processors_is_another_question() {
    let input = Input::text(&Source::new("p.bsp", "run\nbsp_sync W; nprocs"));
    let pairs = [("processors".to_owned(), "5".to_owned())];
    let settings = Settings::new("bsp", LANGUAGE.about().settings, Verb::Check, &pairs).unwrap();
    let cx = Context::default();
    let mut model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx).unwrap();
    assert_eq!(model.constants()[0].1, "5");
    assert_eq!(answers(&mut *model)[0].because.matches('5').count(), 5);
}

#[test]
fn forged_evidence_is_never_believed() {
    let texts: Vec<&str> = LANGUAGE
        .about()
        .examples
        .iter()
        .map(|one| one.files[0].1)
        .collect();
    attack_all(texts.iter().map(|text| open(text)).collect(), 150, 100_000);
}

#[test]
fn a_run_of_more_steps_than_anybody_makes_is_not_followed() {
    let mut tried = 0;
    for example in LANGUAGE.about().examples {
        let mut model = open(example.files[0].1);
        for answer in answers(&mut *model) {
            let Some(mut evidence) = answer.evidence else {
                continue;
            };
            let property = model.property(&answer.property).unwrap();
            let parts = evidence.body.get_mut("parts").and_then(Json::as_array_mut);
            let mut parts = parts.into_iter().flatten();
            let Some(steps) = parts.find_map(|part| part.get_mut("steps")) else {
                continue;
            };
            steps["steps"] = (1_u64 << 63).into();
            tried += 1;
            let told = model.certify(&evidence, &property, &Budget::unlimited());
            assert!(told.is_err_and(|why| why.to_string().contains("steps of a run")));
        }
    }
    assert!(tried > 0);
}

#[test]
fn supersteps_are_drawn_with_their_messages() {
    let text = LANGUAGE.about().examples[0].files[0].1;
    let view = Viewed {
        part: None,
        picture: true,
    };
    let shown = open(text).show(&view, &Context::default()).unwrap();
    let Picture::Lanes(lanes) = &shown.pictures[0] else {
        panic!("no lanes");
    };
    assert_eq!((lanes.lanes.len(), lanes.messages.len()), (2, 2));
    assert!(
        lanes
            .lanes
            .iter()
            .all(|lane| lane.states.len() == lanes.moments.len())
    );
}

#[test]
fn mistakes_are_told_with_their_places() {
    let mistakes = |text: &str| BSP.mistakes(text).join("\n");
    let two = mistakes("processors x\ngroup W = 0\nrun\nvoid");
    assert_eq!(two.lines().count(), 2, "{two}");
    assert!(mistakes("run\nlet x = 1 in\ny").contains("p.bsp:3:1"));
    assert!(mistakes("group A = 0, 7\nrun\nvoid").contains("beyond the 2 processors"));
    assert!(mistakes("run\nbsp_sink W").contains("no primitive"));
    assert!(mistakes(&format!("run\n{}", "(".repeat(5000))).contains("deep"));
}

#[test]
fn no_text_makes_the_reader_panic() {
    BSP.disturb("()[]<>=;,:&|0aé\n\"", 400, |text| {
        let input = Input::text(&Source::new("any.bsp", text));
        let cx = Context {
            budget: Budget::unlimited().child_with_work(2_000),
            ..Context::default()
        };
        if let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
            model.check(&Ask::default(), &cx, &mut |_| {}).unwrap();
        }
    });
}

#[test]
fn a_simulation_runs_processors_and_barriers() {
    let cx = Context::default();
    let mut walk = open("processors 2\nrun\nbsp_sync W; pid")
        .simulate(&cx)
        .unwrap();
    let mut random = Random::new(1);
    while walk.take_any(&mut random, &cx).unwrap() {}
    let status = walk.status(&cx).unwrap();
    assert!(!status.deadlock && status.notes.len() == 1);
    assert_eq!(walk.trace().len(), 5);
    assert!(walk.undo());
}

#[test]
fn a_processor_that_failed_is_no_deadlock_of_a_simulation() {
    let cx = Context::default();
    let mut model = open("processors 2\ncheck no deadlock\nrun\npid pid");
    let mut walk = model.simulate(&cx).unwrap();
    let mut random = Random::new(1);
    while walk.take_any(&mut random, &cx).unwrap() {}
    let status = walk.status(&cx).unwrap();
    assert!(!status.deadlock && status.notes[0].contains("failed"));
}

#[test]
fn a_run_with_a_stack_too_high_to_compare_is_not_followed() {
    let text = "processors 1\ncheck done\nrun\nlet f = ref 0 in\nf := (fun x -> 1 + f x);\nf 0\n";
    let mut model = open(text);
    let property = model.property("done").unwrap();
    let parts =
        serde_json::json!({ "parts": [{ "steps": { "processor": 0, "steps": 1_000_000 } }] });
    let forged = quotient_core::Evidence::of_holds("bsp-run", &parts).about("done");
    let outcome = model.certify(&forged, &property, &Budget::unlimited());
    let stopped = matches!(outcome, Err(quotient_core::Rejection::Stopped(_)));
    assert!(stopped, "{outcome:?}");
}

/// Why evidence with this body is refused, for the question `done` of a program.
fn refusal(text: &str, body: &Json) -> String {
    let mut model = open(text);
    let property = model.property("done").unwrap();
    let forged = quotient_core::Evidence::of_holds("bsp-run", body).about("done");
    let outcome = model.certify(&forged, &property, &Budget::unlimited());
    format!("{:?}", outcome.err())
}

/// The run of a program that is done, as its evidence tells it.
fn real_body(text: &str) -> Json {
    let mut model = open(text);
    let answer = answers(&mut *model).remove(0);
    assert_certified(&mut *model, &answer);
    answer.evidence.unwrap().body
}

#[test]
fn each_rule_of_a_run_refuses_what_breaks_it() {
    let text = "processors 2\ncheck done\nrun\nbsp_sync W; 7";
    let real = real_body(text);
    assert_eq!(refusal(text, &real), "None");
    let parts = real["parts"].as_array().unwrap().clone();
    let barrier = parts.iter().position(|one| one.get("barrier").is_some());
    let barrier = barrier.unwrap();
    let with = |change: &dyn Fn(&mut Vec<Json>)| {
        let mut parts = parts.clone();
        change(&mut parts);
        refusal(text, &serde_json::json!({ "parts": parts }))
    };
    let told = with(&|parts| parts[0]["steps"]["processor"] = 9.into());
    assert!(told.contains("no such processor"), "{told}");
    let told = with(&|parts| parts[0]["steps"]["steps"] = 1_000.into());
    assert!(told.contains("cannot step there"), "{told}");
    let told = with(&|parts| parts[barrier]["barrier"] = "Q".into());
    assert!(told.contains("no such group"), "{told}");
    let told = with(&|parts| parts.rotate_left(barrier));
    assert!(told.contains("is not complete there"), "{told}");
    let told = with(&|parts| parts.truncate(barrier));
    assert!(told.contains("a barrier is complete"), "{told}");
    let told = with(&|parts| parts.truncate(barrier + 1));
    assert!(told.contains("can go on where it ends"), "{told}");
    let repeats = |number: usize| {
        let body = serde_json::json!({ "parts": parts, "repeats": number });
        refusal(text, &body)
    };
    for number in [0, barrier, parts.len(), 99] {
        let told = repeats(number);
        assert!(told.contains("does not come back"), "{told}");
    }
}

#[test]
fn a_loop_that_does_not_go_on_or_come_back_shows_no_divergence() {
    let text = "processors 2\ncheck done\nrun\nif pid = 0 then loop void else 3";
    let real = real_body(text);
    let (processor, steps) = (&real["loops"][0][0], real["loops"][0][1].as_u64().unwrap());
    assert_eq!(processor, 0);
    let with = |loops: Json| {
        let mut body = real.clone();
        body["loops"] = loops;
        refusal(text, &body)
    };
    // What is really so says the opposite of the claim.
    let told = with(real["loops"].clone());
    assert!(told.contains("shows the opposite"), "{told}");
    let told = with(serde_json::json!([[9, 1]]));
    assert!(told.contains("no such processor"), "{told}");
    let told = with(serde_json::json!([[0, steps], [1, 1]]));
    assert!(told.contains("does not go on"), "{told}");
    let told = with(serde_json::json!([[0, 0]]));
    assert!(told.contains("does not come back"), "{told}");
    if steps > 1 {
        let told = with(serde_json::json!([[0, steps + 1]]));
        assert!(told.contains("does not come back"), "{told}");
    }
    let told = with(serde_json::json!([]));
    assert!(told.contains("can go on where it ends"), "{told}");
}

#[test]
fn evidence_of_another_kind_or_question_or_claim_is_refused() {
    use quotient_core::Evidence;
    let text = "processors 2\ncheck done\nrun\nbsp_sync W; 7";
    let body = real_body(text);
    let mut model = open(text);
    let property = model.property("done").unwrap();
    for (forged, why) in [
        (
            Evidence::of_holds("bsp-run", &body).about("other"),
            "another property",
        ),
        (
            Evidence::of_holds("bsp-walk", &body).about("done"),
            "does not show this claim",
        ),
        (
            Evidence::of_violated("bsp-run", &body).about("done"),
            "shows the opposite",
        ),
    ] {
        let outcome = model.certify(&forged, &property, &Budget::unlimited());
        let told = format!("{:?}", outcome.unwrap_err());
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_group_that_meets_for_ever_holds_nobody_else_up() {
    let program = |groups: &str| {
        format!(
            "processors 4\n{groups}check fault\nrun\n\
             if pid < 2 then loop (bsp_sync A) else (bsp_sync B; 1 / 0)"
        )
    };
    for groups in [
        "group A = 0, 1\ngroup B = 2, 3\n",
        "group B = 2, 3\ngroup A = 0, 1\n",
    ] {
        assert_eq!(end(&program(groups))["ends"], "fault", "{groups}");
    }
    // The same with nobody who fails.
    let text = "processors 4\ngroup A = 0, 1\ngroup B = 2, 3\ncheck diverges\nrun\n\
                if pid < 2 then loop (bsp_sync A) else (bsp_sync B; 1)";
    assert_eq!(end(text)["ends"], "diverges");
}

#[test]
fn a_round_that_puts_a_barrier_off_shows_nothing() {
    let text = "processors 4\ngroup A = 0, 1\ngroup B = 2, 3\ncheck diverges\nrun\n\
                if pid < 2 then loop (bsp_sync A) else (bsp_sync B; 1 / 0)";
    let mut model = open(text);
    let real = answers(&mut *model).remove(0);
    assert_eq!(real.verdict, Verdict::Violated);
    assert_certified(&mut *model, &real);
    let parts = real.evidence.unwrap().body["parts"].clone();
    let parts = parts.as_array().unwrap();
    // The others come to their barrier, and nothing but the first group goes on.
    let is_of_others = |part: &&Json| {
        let processor = part["steps"]["processor"].as_u64();
        part["barrier"] == "B" || processor.is_some_and(|one| one > 1)
    };
    let (others, group): (Vec<&Json>, Vec<&Json>) = parts.iter().partition(is_of_others);
    let mut forged: Vec<&Json> = others[..2].to_vec();
    forged.extend(group);
    let barriers = forged.iter().enumerate();
    let barriers = barriers.filter(|(_, part)| part.get("barrier").is_some());
    let last = barriers.map(|(number, _)| number).next_back().unwrap();
    let body = serde_json::json!({ "parts": forged, "repeats": last });
    let property = model.property("diverges").unwrap();
    let forged = quotient_core::Evidence::of_holds("bsp-run", &body).about("diverges");
    let outcome = model.certify(&forged, &property, &Budget::unlimited());
    let told = format!("{:?}", outcome.unwrap_err());
    assert!(told.contains("B is put off for ever"), "{told}");
}

#[test]
fn both_sides_of_a_comparison_are_evaluated_in_order() {
    for (sign, expected) in [
        ("<", "true"),
        ("<=", "true"),
        (">", "false"),
        (">=", "false"),
    ] {
        let text = format!("let x = ref 0 in (x := 5; 3) {sign} x");
        assert_eq!(value_of(&text), expected, "{sign}");
    }
    let text = "processors 2\ngroup A = 0, 1\nrun\n\
        if pid = 0 then (bsp_sync A; 1) > (bsp_sync W; 0) else (bsp_sync A; bsp_sync W; true)\n";
    assert_eq!(end(text)["ends"], "done");
}

#[test]
fn heads_that_say_what_cannot_be_are_refused() {
    let x = "let x = ref pid in bsp_sync W; x\n";
    for (head, body, code) in [
        ("processors any\nprocessors 2\n", x, "same-name"),
        ("processors 2\nprocessors any\n", x, "same-name"),
        ("processors 0\n", x, "bad-number"),
        ("processors 4\ngroup A = 0, 3..1\n", x, "bad-group"),
        ("processors 2\ncheck values 1\n", x, "bad-number"),
        ("processors 2\ncheck x at 5 = 1\n", x, "bad-number"),
        ("processors 2\ncheck y at 0 = 1\n", x, "unbound"),
        (
            "processors 1\ncheck x at 0 = 1\n",
            "let x = 1 in (let x = 2 in x); x",
            "same-name",
        ),
        (
            "processors 1\ncheck x at 0 = 1\n",
            "let f = fun x -> x in f 1",
            "captured",
        ),
    ] {
        let wrong = mistakes(&format!("{head}run\n{body}"));
        assert!(wrong.contains(code), "{head}{body}: {wrong}");
    }
    assert_eq!(
        mistakes(&format!("processors 2\ncheck x at 1 = 1\nrun\n{x}")),
        ""
    );
}
