//! The language through its seam.

use quotient_btor2::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Picture, Settings, Sureness, Viewed};

fn open(name: &str, text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new(name, text));
    LANGUAGE
        .open(
            &input,
            &mut NoFiles,
            &Settings::default(),
            &Context::default(),
        )
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn example(name: &str) -> &'static str {
    let examples = LANGUAGE.about().examples;
    let example = examples.iter().find(|one| one.name == name).unwrap();
    example.files[0].1
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    model
        .check(&Ask::default(), &Context::default(), &mut tell)
        .unwrap();
    all
}

fn certified(model: &mut dyn Model, answer: &Answer) -> Result<(), String> {
    let property = model.property(&answer.property).unwrap();
    let evidence = answer.evidence.as_ref().unwrap();
    model
        .certify(evidence, &property, &Budget::unlimited())
        .map(|_| ())
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn examples_have_the_verdicts_that_their_titles_say() {
    let expected = [
        ("counter", vec![Verdict::Violated]),
        ("fifo", vec![Verdict::Holds, Verdict::Holds]),
    ];
    assert_eq!(LANGUAGE.about().examples.len(), expected.len());
    for (name, verdicts) in expected {
        let mut model = open(name, example(name));
        let answers = answers(&mut *model);
        let given: Vec<Verdict> = answers.iter().map(|one| one.verdict.clone()).collect();
        assert_eq!(given, verdicts, "{name}");
        for answer in &answers {
            assert_eq!(certified(&mut *model, answer), Ok(()), "{name}");
        }
    }
}

#[test]
fn a_violation_is_told_in_words() {
    let mut model = open("counter.btor2", example("counter"));
    let answer = answers(&mut *model).remove(0);
    let trace = answer.trace.as_ref().unwrap();
    assert_eq!(trace.columns, ["double", "count"]);
    let last = trace.steps.last().unwrap();
    assert_eq!(last.cells[1].text, "1000");
    // 1 to 1000 by doubling and counting: nine doublings and five counts.
    assert_eq!(trace.len(), 14);
    let witness = answer.details.iter().find(|(name, _)| name == "witness");
    let witness = witness.unwrap().1.as_str().unwrap();
    assert!(witness.starts_with("sat\nb0\n#0\n@0\n0 "), "{witness}");
    let mut shortened = answer.clone();
    let body = &mut shortened.evidence.as_mut().unwrap().body;
    body["inputs"].as_array_mut().unwrap().remove(3);
    assert!(certified(&mut *model, &shortened).is_err());
}

#[test]
fn an_invariant_of_another_model_is_refused() {
    let mut queue = open("fifo.btor2", example("fifo"));
    let proof = answers(&mut *queue).remove(0);
    let broken = example("fifo").replace("52 and 1 10 -50 takes", "52 and 1 10 10 takes");
    let mut broken = open("broken.btor2", &broken);
    assert!(certified(&mut *broken, &proof).is_err());
    assert_eq!(answers(&mut *broken).remove(0).verdict, Verdict::Violated);
}

#[test]
fn a_large_array_is_read_where_it_matters() {
    let text = "1 sort bitvec 32\n2 sort array 1 1\n3 state 2 m\n4 sort bitvec 1\n5 zero 1\n\
                6 read 1 3 5\n7 redor 4 6\n8 bad 7\n";
    let mut model = open("m.btor2", text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
}

#[test]
fn constraints_without_runs_leave_a_proof_that_says_so() {
    let text = "1 sort bitvec 1\n2 zero 1\n3 constraint 2\n4 state 1 s\n5 bad 4\n";
    let mut model = open("none.btor2", text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert!(answer.vacuous);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    assert_eq!(model.can_begin(&Budget::unlimited()), Ok(true));
}

#[test]
fn a_state_that_starts_with_an_input_is_followed() {
    // The state starts as the input plus one and keeps its value; it may be five.
    let text = "1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 i\n4 inc 1 3\n5 state 1 s\n\
                6 init 1 5 4\n7 next 1 5 5\n8 constd 1 5\n9 eq 2 5 8\n10 bad 9\n\
                11 zero 1\n12 eq 2 3 11\n13 constraint 12\n";
    let mut model = open("s.btor2", text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(
        answer.verdict,
        Verdict::Holds,
        "the constraint makes it one"
    );
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let free = text.replace("13 constraint 12\n", "");
    let mut model = open("s.btor2", &free);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
}

#[test]
fn models_are_shown_converted_and_recognised() {
    let mut model = open("fifo.btor2", example("fifo"));
    let cx = Context::default();
    let shown = model.show(&Viewed::default(), &cx).unwrap();
    assert_eq!(shown.result["states"], 4);
    let Picture::Graph(graph) = &shown.pictures[0] else {
        panic!("a graph");
    };
    let name = |node: usize| graph.nodes[node].label.as_str();
    let edges: Vec<(&str, &str)> = (graph.edges.iter())
        .map(|edge| (name(edge.source), name(edge.target)))
        .collect();
    assert!(edges.contains(&("push", "tail")) && edges.contains(&("tail", "memory")));
    assert!(edges.contains(&("count", "too_many")) && !edges.contains(&("head", "too_many")));
    assert!(!edges.contains(&("memory", "count")));
    let written = model.convert("aag", None, &cx).unwrap();
    assert!(written.text.starts_with("aag "));
    let sure =
        |name: &str, text: &str| LANGUAGE.recognises(&Input::bytes(name, text.as_bytes().to_vec()));
    assert_eq!(sure("x", "; c\n1 sort bitvec 3\n"), Sureness::Certain);
    assert_eq!(sure("x.smv", "MODULE main"), Sureness::No);
    let mut walk = model.simulate(&cx).unwrap();
    walk.take(0, &cx).unwrap();
    assert_eq!(walk.trace().len(), 1);
}

fn accepted(model: &mut dyn Model, text: &str) -> Result<(), String> {
    let (name, evidence) = model.foreign_evidence(text).unwrap()?;
    let property = model.property(&name).map_err(|why| why.to_string())?;
    let checked = model.certify(&evidence, &property, &Budget::unlimited());
    checked.map(|_| ()).map_err(|why| why.to_string())
}

fn witness(answer: &Answer) -> String {
    let witness = answer.details.iter().find(|(name, _)| name == "witness");
    witness.unwrap().1.as_str().unwrap().to_owned()
}

/// A memory of 2³² bytes that may hold anything at first; that what is read is 7 is bad.
const MEMORY: &str = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 sort bitvec 1\n\
                      5 state 3 mem\n6 input 1 at\n7 read 2 5 6\n8 constd 2 7\n9 eq 4 7 8\n\
                      10 next 3 5 5\n11 bad 9\n";

#[test]
fn witnesses_of_other_tools_are_checked() {
    let mut model = open("counter.btor2", example("counter"));
    let own = witness(&answers(&mut *model)[0]);
    assert_eq!(accepted(&mut *model, &own), Ok(()));
    let remarked = own.replace("sat\n", "; ours\nsat\n");
    assert_eq!(accepted(&mut *model, &remarked), Ok(()));
    // Without its last step the counter is not there yet.
    let last = own.rfind("@13\n").unwrap();
    let shorter = format!("{}.\n", &own[..last]);
    assert!(accepted(&mut *model, &shorter).is_err());
    assert!(accepted(&mut *model, &own.replace("b0", "b1")).is_err());
    let mut memory = open("memory.btor2", MEMORY);
    let own = witness(&answers(&mut *memory)[0]);
    assert!(own.contains("] 00000111 mem#0\n"), "{own}");
    assert_eq!(accepted(&mut *memory, &own), Ok(()));
    let other = "sat\nb0\n#0\n0 [00000000000000000000000000000101] 00000111\n@0\n\
                 0 00000000000000000000000000000101\n.\n";
    assert_eq!(accepted(&mut *memory, other), Ok(()));
    for (wrong, why) in [
        (other.replace("00000111", "00000110"), "the signal is off"),
        (other.replace("@0", "@2"), "a step is missing"),
        (other.replace("] 00000111", "] 0111"), "another model"),
        (other.replace("#0\n0 ", "#0\n1 "), "no such number"),
        (other.replace("sat", "unsat"), "begins with `sat`"),
        (other.replace("b0", "j0"), "j0"),
        (other.replace("b0", "z0"), "names a property"),
        (other.replace(".\n", ""), "ends with"),
        (other.replace("#0\n", ""), "before the first step"),
    ] {
        let error = accepted(&mut *memory, &wrong).unwrap_err();
        assert!(error.contains(why), "{wrong}: {error}");
    }
}

/// What is accepted of a damaged witness still shows what it claims: the byte that is read is 7.
#[test]
fn damaged_witnesses_are_judged_by_what_they_say() {
    let mut memory = open("memory.btor2", MEMORY);
    let own = witness(&answers(&mut *memory)[0]);
    quotient_trial::trial(|u| {
        let mut bytes = own.clone().into_bytes();
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 | 1 => bytes[at] = *u.choose(b"01x.b#@[] \n")?,
                2 => bytes.insert(at, *u.choose(b"01x.bj;#@[] \n9")?),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let shows = |text: &str| {
            let lines = || {
                // What follows a semicolon is a comment.
                let said = text.lines().filter_map(|line| line.split(';').next());
                said.map(|line| line.split_whitespace().collect::<Vec<_>>())
            };
            let mut elements = lines().filter(|words| words.len() > 2 && words[1].starts_with('['));
            elements.any(|words| words[2].replace('x', "0") == "00000111")
        };
        if accepted(&mut *memory, &text).is_ok() {
            assert!(shows(&text), "{text}");
        }
        Ok(())
    })
    .budget_ms(1_000);
}

/// A counter of two bits that counts while an input is on, and must not be 2 again and again.
const AGAIN: &str = "1 sort bitvec 2\n2 sort bitvec 1\n3 state 1 n\n4 zero 1\n5 init 1 3 4\n\
                     6 input 2 go\n7 inc 1 3\n8 ite 1 6 7 3\n9 next 1 3 8\n10 constd 1 2\n\
                     11 eq 2 3 10\n12 justice 1 11\n";

#[test]
fn witnesses_of_justice_come_back_in_words() {
    let mut model = open("again.btor2", AGAIN);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let own = answer.details.iter().find(|(name, _)| name == "witness");
    let own = own.unwrap().1.as_str().unwrap().to_owned();
    assert_eq!(accepted(&mut *model, &own), Ok(()), "{own}");
    // Round once; or up to 2 and no further; the last step may show where it came back to.
    let run = |gos: &[u8]| {
        let frames = gos.iter().enumerate();
        let frames: String = frames.map(|(at, go)| format!("@{at}\n0 {go}\n")).collect();
        format!("sat\nj0\n#0\n{frames}.\n")
    };
    assert_eq!(accepted(&mut *model, &run(&[1, 1, 1, 1])), Ok(()));
    assert_eq!(accepted(&mut *model, &run(&[1, 1, 1, 1, 1])), Ok(()));
    assert_eq!(accepted(&mut *model, &run(&[1, 1, 0])), Ok(()));
    for wrong in [&[1, 1, 1][..], &[0], &[1, 0], &[1, 1, 1, 0]] {
        assert!(accepted(&mut *model, &run(wrong)).is_err(), "{wrong:?}");
    }
    // A lasso that is said to close where it does not, and one without an end.
    for (key, value) in [
        ("backTo", serde_json::json!(1)),
        ("backTo", serde_json::json!(9)),
    ] {
        let mut forged = answer.clone();
        forged.evidence.as_mut().unwrap().body[key] = value.clone();
        let own = &answer.evidence.as_ref().unwrap().body[key];
        assert!(
            *own == value || certified(&mut *model, &forged).is_err(),
            "{value}"
        );
    }
    let mut forged = answer.clone();
    let body = forged.evidence.as_mut().unwrap().body.as_object_mut();
    body.unwrap().remove("backTo");
    assert!(certified(&mut *model, &forged).is_err());
}

/// A lamp that blinks, asked about for ever, and a counter of 32 bits that another question is about.
const BESIDE: &str = "1 sort bitvec 1\n2 sort bitvec 32\n3 zero 1\n4 state 1 lamp\n5 init 1 4 3\n\
                      6 next 1 4 -4\n7 zero 2\n8 state 2 count\n9 init 2 8 7\n10 inc 2 8\n\
                      11 next 2 8 10\n12 redand 1 8\n13 bad 12\n14 justice 1 4\n\
                      15 redor 1 8\n16 justice 2 4 -15\n";

#[test]
fn a_lasso_need_not_come_back_to_states_outside_of_the_question() {
    let mut model = open("beside.btor2", BESIDE);
    let ask = |model: &mut dyn Model, name: &str| {
        let ask = Ask {
            properties: vec![name.to_owned()],
            ..Ask::default()
        };
        let mut all = Vec::new();
        model
            .check(&ask, &Context::default(), &mut |answer| all.push(answer))
            .unwrap();
        all.remove(0)
    };
    let answer = ask(&mut *model, "j0");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let own = answer.details.iter().find(|(name, _)| name == "witness");
    let own = own.unwrap().1.as_str().unwrap().to_owned();
    assert_eq!(accepted(&mut *model, &own), Ok(()), "{own}");
    // After the last row the lamp is as it was, and the counter went on.
    let trace = answer.trace.clone().unwrap();
    let (last, back) = (trace.steps.len() - 1, trace.back_to.unwrap());
    let (last, back) = (&trace.steps[last].cells, &trace.steps[back].cells);
    assert_eq!(last[0].text, back[0].text);
    assert_ne!(last[1].text, back[1].text);
    // The counter is zero only once in a while: the same run is none of the other question.
    assert!(accepted(&mut *model, &own.replace("j0", "j1")).is_err());
    assert!(accepted(&mut *model, &own.replace("j0", "j9")).is_err());
    let mut forged = answer.clone();
    forged.property = "j1".to_owned();
    assert!(certified(&mut *model, &forged).is_err());
}

/// A lamp that blinks, and a counter of three bits that the question names, though no bit of it matters.
const NAMED: &str = "1 sort bitvec 1\n2 sort bitvec 3\n3 zero 2\n4 state 2 count\n5 init 2 4 3\n\
                     6 inc 2 4\n7 next 2 4 6\n8 and 2 3 4\n9 redor 1 8\n10 state 1 lamp\n\
                     11 zero 1\n12 init 1 10 11\n13 next 1 10 -10\n14 or 1 9 10\n15 justice 1 14\n";

#[test]
fn witnesses_of_justice_go_on_until_all_states_are_back() {
    let mut model = open("named.btor2", NAMED);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let own = witness(&answer);
    assert_eq!(accepted(&mut *model, &own), Ok(()), "{own}");
    assert!(
        answer.trace.unwrap().steps.len() < 8 && own.contains("@7\n"),
        "{own}"
    );
}

#[test]
fn witnesses_of_justice_stay_short_where_their_steps_would_be_too_much() {
    let own = |more: String| {
        let text = NAMED.replace("bitvec 3", "bitvec 12") + &more;
        let mut model = open("named.btor2", &text);
        witness(&answers(&mut *model)[0])
    };
    assert!(own(String::new()).contains("@4095\n"));
    let inputs = (16..616).map(|number| format!("{number} input 1\n"));
    assert!(!own(inputs.collect()).contains("@100\n"));
}

#[test]
fn a_start_may_be_that_of_a_state_whose_own_comes_later() {
    let text = "1 sort bitvec 1\n2 sort array 1 1\n3 state 2\n4 state 2\n5 init 2 4 3\n6 one 1\n\
                7 init 2 3 6\n8 zero 1\n9 read 1 4 8\n10 bad 9\n";
    let mut model = open("late.btor2", text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
}

#[test]
fn arrays_have_no_negation() {
    let text = |kind: &str| {
        format!(
            "1 sort bitvec 1\n2 sort array 1 1\n3 state 2\n4 state 2\n5 {kind} 2 3 -4\n6 zero 1\n\
             7 read 1 3 6\n8 bad 7\n"
        )
    };
    for kind in ["next", "init"] {
        let input = Input::text(&Source::new("m.btor2", text(kind)));
        let cx = Context::default();
        let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
        let told = opened.err().map(|trouble| trouble.to_string());
        assert!(
            told.is_some_and(|told| told.contains("negated array")),
            "{kind}"
        );
    }
}

#[test]
fn a_bad_signal_is_asked_by_its_name_and_told_with_it() {
    let text = "1 sort bitvec 1\n2 zero 1\n3 one 1\n4 state 1 s\n5 init 1 4 2\n6 next 1 4 3\n\
                7 bad 4 reached\n8 bad 2 twice\n9 bad 4 twice\n10 bad 2 b0\n";
    let mut model = open("n.btor2", text);
    assert_eq!(model.property("reached").unwrap().name, "b0");
    // Numbers come first, and of two signals with one name neither is meant.
    assert_eq!(model.property("b0").unwrap().name, "b0");
    let wrong = model.property("twice").unwrap_err().to_string();
    assert!(wrong.contains("there is no property `twice`"), "{wrong}");
    let all = answers(&mut *model);
    let signal = |name: &str| {
        let answer = all.iter().find(|one| one.property == name).unwrap();
        let named = answer.details.iter().find(|(field, _)| field == "signal");
        named.and_then(|(_, value)| value.as_str())
    };
    assert_eq!(signal("b0"), Some("reached"));
    assert_eq!(signal("b1"), Some("twice"));
    for answer in &all {
        assert_eq!(certified(&mut *model, answer), Ok(()));
    }
    let ask = Ask {
        properties: vec!["reached".to_owned()],
        ..Ask::default()
    };
    let mut told = Vec::new();
    let mut tell = |answer: Answer| told.push((answer.property, answer.verdict));
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    assert_eq!(told, [("b0".to_owned(), Verdict::Violated)]);
    let shown = model.show(&Viewed::default(), &Context::default());
    let table = format!("{:?}", shown.unwrap());
    assert!(
        table.contains("reached") && table.contains("7 bad 4 reached"),
        "{table}"
    );
}

#[test]
fn what_no_state_shows_is_doubted() {
    let text = "1 sort bitvec 1\n2 sort bitvec 4\n3 state 2 a\n4 zero 2\n5 init 2 3 4\n6 next 2 3 3\n\
                7 ult 1 3 3\n8 bad 7 below_itself\n9 redor 1 3\n10 bad 9 moved\n";
    let mut model = open("d.btor2", text);
    let verdicts: Vec<Verdict> = (answers(model.as_mut()).into_iter())
        .map(|answer| answer.verdict)
        .collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Holds]);
    let doubts = model.doubts(&Context::default()).unwrap();
    let told: Vec<&str> = (doubts.iter())
        .filter(|doubt| doubt.details["doubt"] == "needs-no-start")
        .map(|doubt| doubt.text.as_str())
        .collect();
    let text = "b0 (below_itself) holds in every state, whatever the circuit does";
    assert_eq!(told, [text]);
}
