//! The language through its seam: answers, evidence, formats, readers.

use quotient_core::{Budget, Claim, Context, Source, Trouble, Verdict};
use quotient_esterel::LANGUAGE;
use quotient_forger::{Attack, attack};
use quotient_language::{
    Answer, Ask, Input, Model, NoFiles, Random, Settings, Sureness, Verb, Viewed,
};

fn open_with(text: &str, given: &[(&str, &str)]) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("x.strl", text));
    let given: Vec<(String, String)> = (given.iter())
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("Esterel", known, Verb::Check, &given).unwrap();
    LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
}

fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &[]).unwrap_or_else(|why| panic!("{why}"))
}

fn answers(model: &mut dyn Model) -> Result<Vec<Answer>, Trouble> {
    let mut all = Vec::new();
    let ask = Ask::default();
    model.check(&ask, &Context::default(), &mut |answer| all.push(answer))?;
    Ok(all)
}

fn example(name: &str) -> &'static str {
    let examples = LANGUAGE.about().examples.iter();
    examples
        .into_iter()
        .find(|one| one.name == name)
        .unwrap()
        .files[0]
        .1
}

/// The only answer.
fn answer(model: &mut dyn Model) -> Answer {
    let mut all = answers(model).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(all.len(), 1);
    all.swap_remove(0)
}

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    let expected = [
        ("abro", Verdict::Holds),
        ("switch", Verdict::Holds),
        ("boiler", Verdict::Holds),
        ("boiler-swapped", Verdict::Violated),
        ("pid", Verdict::Holds),
        ("token-ring", Verdict::Holds),
    ];
    for (name, verdict) in expected {
        let mut model = open(example(name));
        let answer = answer(model.as_mut());
        assert_eq!(answer.verdict, verdict, "{name}: {}", answer.because);
        let property = model.property(&answer.property).unwrap();
        let evidence = answer.evidence.clone().unwrap();
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        certified.unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn a_signal_that_is_never_emitted_is_refuted_clause_by_clause() {
    let mut model = open_with(example("abro"), &[("refutations", "true")]).unwrap();
    let answer = answer(model.as_mut());
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.kind, "circuit-refuted");
    let property = model.property(&answer.property).unwrap();
    let budget = Budget::unlimited();
    assert!(model.certify(&evidence, &property, &budget).is_ok());
    let mut forged = evidence.clone();
    forged.body["refutations"][0] = serde_json::json!("");
    assert!(model.certify(&forged, &property, &budget).is_err());
}

#[test]
fn forged_evidence_is_refused() {
    for (name, truth) in [
        ("switch", Claim::Holds),
        ("boiler-swapped", Claim::Violated),
    ] {
        let mut model = open(example(name));
        let answer = answer(model.as_mut());
        let property = model.property("ALARM").unwrap();
        let evidence = answer.evidence.unwrap();
        let model = std::cell::RefCell::new(model);
        let check = |evidence: &quotient_core::Evidence| {
            if evidence.property.as_deref() != Some("ALARM") {
                return Err(quotient_core::Rejection::wrong("another property"));
            }
            let mut model = model.borrow_mut();
            model.certify(
                evidence,
                &property,
                &Budget::unlimited().child_with_work(2_000_000),
            )
        };
        let is_true = |claim: Claim, property: &str| claim == truth && property == "ALARM";
        attack(&evidence, &Attack::default(), check, is_true).unwrap();
    }
}

#[test]
fn evidence_of_another_program_is_refused() {
    let mut good = open(example("boiler"));
    let mut swapped = open(example("boiler-swapped"));
    let (one, other) = (answer(good.as_mut()), answer(swapped.as_mut()));
    let property = good.property("ALARM").unwrap();
    let budget = Budget::unlimited();
    let run = other.evidence.unwrap();
    good.certify(&run, &property, &budget).unwrap_err();
    swapped
        .certify(&one.evidence.unwrap(), &property, &budget)
        .unwrap_err();
    // A run that stops too early, idles, or breaks off.
    for change in 0..3 {
        let mut changed = run.clone();
        let instants = changed.body["instants"].as_array_mut().unwrap();
        match change {
            0 => drop(instants.pop()),
            1 => instants.push("tick".into()),
            _ => instants[0] = "NOBODY".into(),
        }
        swapped.certify(&changed, &property, &budget).unwrap_err();
    }
}

#[test]
fn without_data_the_switch_may_show_both() {
    let mut soft = open_with(example("switch"), &[("data", "soft")]).unwrap();
    let answer = answer(soft.as_mut());
    assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    assert!(
        answer.because.starts_with("possibly emitted in instant 0"),
        "{}",
        answer.because
    );
    let blif = open(example("switch"))
        .convert("blif", None, &Context::default())
        .unwrap();
    let inputs = blif
        .text
        .lines()
        .find(|line| line.starts_with(".inputs"))
        .unwrap();
    assert_eq!(inputs, ".inputs R1_S R2_S R3_S");
}

#[test]
fn the_limit_switch_needs_its_numbers_and_not_those_of_the_controller() {
    let mut soft = open_with(example("pid"), &[("data", "soft")]).unwrap();
    assert!(matches!(answer(soft.as_mut()).verdict, Verdict::Unknown(_)));
    let Err(Trouble::Invalid(mistakes)) = open_with(example("pid"), &[("data", "pure")])
        .and_then(|mut model| answers(model.as_mut()))
    else {
        panic!("the controller is outside of the class");
    };
    assert!(
        mistakes
            .iter()
            .all(|one| one.code == "impure" && !one.labels.is_empty())
    );
}

/// Outside of the class, runs are tried with numbers: what can happen is often found, with a run that
/// the interpreter shows, and what cannot is left open.
#[test]
fn runs_are_tried_where_data_is_forgotten() {
    let module = |condition: &str| {
        format!(
            "module M: input A : integer, B : integer, C; output O; relation A # C; \
             loop if {condition} then present C then emit O end present end if; pause end loop \
             end module"
        )
    };
    for (condition, found) in [
        ("?A > ?B", true),
        ("?A = ?B + 41", true),
        ("?A > ?B and ?B > ?A", false),
    ] {
        let mut model = open(&module(condition));
        let answer = answer(model.as_mut());
        match found {
            true => {
                assert_eq!(answer.verdict, Verdict::Violated, "{condition}");
                let property = model.property(&answer.property).unwrap();
                let evidence = answer.evidence.as_ref().unwrap();
                let checked = model.certify(evidence, &property, &Budget::unlimited());
                assert!(checked.is_ok(), "{condition}");
                // Values in the first instant, and the other input in the second: no more.
                assert_eq!(answer.trace.as_ref().unwrap().len(), 2, "{condition}");
            }
            false => assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{condition}"),
        }
    }
}

#[test]
fn an_output_that_is_an_input_has_a_name_of_its_own_in_circuits() {
    let mut model = open(example("switch"));
    let written = model.convert("aag", None, &Context::default()).unwrap();
    let named = |line: &str| written.text.lines().any(|one| one == line);
    assert!(named("i0 R1_S") && named("o0 R1_S_out"), "{}", written.text);
}

/// All temperatures that matter, one of each range and each bound, tried in all orders.
#[test]
fn the_boilers_agree_with_exhaustive_runs() {
    for (name, expected) in [("boiler", false), ("boiler-swapped", true)] {
        let mut model = open(example(name));
        let cx = Context::default();
        let values = ["10", "15", "17", "20", "22", "25", "30"];
        let mut found = false;
        for number in 0..values.len().pow(3) {
            let mut walk = model.simulate(&cx).unwrap();
            for place in 0..3u32 {
                let value = values[number / values.len().pow(place) % values.len()];
                let label = walk.spelled(&format!("T({value})"));
                let choices = walk.choices(&cx).unwrap();
                let at = choices.iter().position(|one| one.action == label).unwrap();
                walk.take(at, &cx).unwrap();
            }
            let trace = walk.trace();
            let alarm = trace.columns.iter().position(|one| one == "ALARM").unwrap();
            found |= trace.steps.iter().any(|step| step.cells[alarm].text == "+");
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn circuits_are_exchanged_as_tables() {
    for name in ["abro", "switch", "token-ring"] {
        let mut model = open(example(name));
        let written = model.convert("blif", None, &Context::default()).unwrap();
        for word in [".model", ".inputs", ".outputs", ".latch", ".names", ".end"] {
            assert!(written.text.contains(word), "{word}");
        }
        let latches: Vec<&str> = (written.text.lines())
            .filter(|line| line.starts_with(".latch"))
            .collect();
        assert!(latches.iter().all(|line| line.ends_with(" 0")));
        let read = |text: &str| {
            quotient_netlist::blif::read(&Source::new("x.blif", text))
                .unwrap_or_else(|why| panic!("{why}\n{text}"))
                .0
        };
        let circuit = read(&written.text);
        let aag = model.convert("aag", None, &Context::default()).unwrap();
        let other = quotient_netlist::aiger::read("x.aag", aag.text.as_bytes()).unwrap();
        let mut random = Random::new(5);
        let zero = |circuit: &quotient_netlist::Circuit| vec![0; circuit.latches().len()];
        let (mut one, mut two) = (zero(&circuit), zero(&other));
        for _ in 0..20 {
            let inputs: Vec<u64> = (0..circuit.inputs().len())
                .map(|_| random.below(1 << 30) as u64)
                .collect();
            let (a, b) = (
                circuit.evaluate(&one, &inputs),
                other.evaluate(&two, &inputs),
            );
            for (x, y) in circuit.outputs.iter().zip(&other.outputs) {
                assert_eq!(a.value(*x), b.value(*y));
            }
            one = circuit
                .latches()
                .iter()
                .map(|latch| a.value(latch.next))
                .collect();
            two = other
                .latches()
                .iter()
                .map(|latch| b.value(latch.next))
                .collect();
        }
        for (_, care) in &written.companions {
            assert_eq!(read(care).outputs.len(), 1);
        }
    }
}

#[test]
fn the_pure_program_has_the_same_answer() {
    for name in ["switch", "boiler", "boiler-swapped", "pid", "token-ring"] {
        let mut model = open(example(name));
        let verdict = answer(model.as_mut()).verdict;
        let written = model.convert("strl", None, &Context::default()).unwrap();
        let mut pure = open(&written.text);
        assert_eq!(answer(pure.as_mut()).verdict, verdict, "{name}");
    }
}

#[test]
fn programs_that_are_not_constructive_are_refused_with_the_cycle() {
    let text = "module M: input I; output ALARM;
        signal S, T in
          await I;
          [ present S then emit T end || present T else emit S end ]
        end end module";
    let mut model = open(text);
    let Err(Trouble::Invalid(mistakes)) = answers(model.as_mut()) else {
        panic!("this is a paradox");
    };
    assert_eq!(mistakes[0].code, "causality");
    let told: Vec<&str> = (mistakes[0].labels.iter())
        .map(|one| one.text.as_str())
        .collect();
    assert!(told.iter().any(|text| text.contains('S')), "{told:?}");
    assert!(told.iter().any(|text| text.contains('T')), "{told:?}");
}

#[test]
fn questions_can_be_written() {
    let text = "module M: input A; output X, Y;
        %! never X and Y
        loop present A then emit X else emit Y end; pause end end module";
    let mut model = open(text);
    assert_eq!(model.properties()[0].text, "never X and Y");
    assert_eq!(answer(model.as_mut()).verdict, Verdict::Holds);
    let own = model.property("never X or Y").unwrap();
    assert_eq!(own.name, "X or Y");
    let ask = Ask {
        properties: vec![own.name],
        ..Ask::default()
    };
    let mut verdicts = Vec::new();
    let mut tell = |answer: Answer| verdicts.push(answer.verdict);
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    assert_eq!(verdicts, [Verdict::Violated]);
    assert!(model.property("never Z").is_err());
}

#[test]
fn relations_bind_the_environment() {
    let text = |relation: &str| {
        format!(
            "module M: input A, B; output ALARM; {relation}
            loop present [A and B] then emit ALARM end; pause end end module"
        )
    };
    assert_eq!(
        answer(open(&text("relation A # B;")).as_mut()).verdict,
        Verdict::Holds
    );
    assert_eq!(
        answer(open(&text("relation A => B;")).as_mut()).verdict,
        Verdict::Violated
    );
    assert_eq!(answer(open(&text("")).as_mut()).verdict, Verdict::Violated);
}

#[test]
fn every_part_is_shown() {
    let cx = Context::default();
    for example in LANGUAGE.about().examples {
        let mut model = open(example.files[0].1);
        let shown = model.show(&Viewed::default(), &cx).unwrap();
        for part in shown.parts.clone() {
            let view = Viewed {
                part: Some(part),
                picture: true,
            };
            assert!(!model.show(&view, &cx).unwrap().blocks.is_empty());
        }
    }
}

#[test]
fn texts_are_recognised() {
    let sureness =
        |name: &str, text: &str| LANGUAGE.recognises(&Input::text(&Source::new(name, text)));
    assert_eq!(sureness("a.strl", example("abro")), Sureness::Likely);
    assert_eq!(sureness("a", "%{ x }% % y\nmodule M :"), Sureness::Maybe);
    assert_eq!(
        sureness("a.smv", "MODULE main\nVAR x : boolean;"),
        Sureness::No
    );
    assert_eq!(sureness("a.sm", "module M\n x : bool;"), Sureness::No);
}

#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let texts: Vec<&str> = LANGUAGE
        .about()
        .examples
        .iter()
        .map(|one| one.files[0].1)
        .collect();
    let words = [
        "module",
        "end",
        "[",
        "]",
        "||",
        ";",
        "trap T in",
        "exit T",
        "loop",
        "each",
        "?",
        "pre(",
        ":=",
        "var v : integer in",
        "signal S in",
        "run",
        "await",
        "9999999999999999999",
        "%{",
        "immediate",
        "case",
        "handle",
        "(",
        ")",
        "not",
        "\"",
        "combine",
    ];
    quotient_trial::trial(|u| {
        let mut text: String = (*u.choose(&texts)?).to_owned();
        for _ in 0..u.int_in_range(1..=5)? {
            let mut at = u.choose_index(text.len().max(1))?;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match u.int_in_range(0..=2)? {
                0 => text.insert_str(at, &format!(" {} ", u.choose(&words)?)),
                1 => text.truncate(at.max(1)),
                _ => {
                    let mut end = (at + u.int_in_range(0..=30)?).min(text.len());
                    while !text.is_char_boundary(end) {
                        end -= 1;
                    }
                    text.replace_range(at..end.max(at), "");
                }
            }
        }
        if let Ok(mut model) = open_with(&text, &[]) {
            let cx = Context {
                budget: Budget::unlimited().child_with_work(20_000),
                ..Context::default()
            };
            let _ = model.show(&Viewed::default(), &cx);
            if let Ok(mut walk) = model.simulate(&cx) {
                let mut random = Random::new(1);
                for _ in 0..5 {
                    let _ = walk.take_any(&mut random, &cx);
                }
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn deep_texts_are_refused() {
    for piece in [
        "[ ",
        "loop ",
        "trap T in ",
        "abort ",
        "signal S in ",
        "present I then ",
    ] {
        let text = format!("module M: input I; output O; {}", piece.repeat(50_000));
        assert!(open_with(&text, &[]).is_err());
    }
    for (piece, close) in [("abort pause; ", " when I"), ("every I do ", " end")] {
        for depth in [20, 60, 150] {
            let text = format!(
                "module M: input I; output O; {} emit O {} end module",
                piece.repeat(depth),
                close.repeat(depth)
            );
            if let Ok(mut model) = open_with(&text, &[]) {
                model.show(&Viewed::default(), &Context::default()).unwrap();
            }
        }
    }
}

#[test]
fn relations_are_about_inputs_and_names_are_used_once() {
    for (text, told) in [
        (
            "module M: input X; output O; relation X => O; emit O end module",
            "`O` is no input",
        ),
        (
            "module M: input X; output O; relation O # X; emit O end module",
            "`O` is no input",
        ),
        (
            "module M: input X; output O; relation X # X; emit O end module",
            "already",
        ),
        (
            "module M: output B; trap T, T in exit T handle T do emit B end trap end module",
            "already",
        ),
        (
            "module M: output B; trap T in exit T handle pre(T) do emit B end trap end module",
            "no past",
        ),
        (
            "module M: constant N = 1 : integer, N = 2 : integer; output B;
             if N = 1 then emit B end end module",
            "there is a constant `N` here already",
        ),
        (
            "module M: output B; signal S, S in emit S; present S then emit B end end end module",
            "there is a signal `S` here already",
        ),
        (
            "module M: output B; var v := 1 : integer, v := 2 : integer in
             if v = 1 then emit B end end end module",
            "there is a variable `v` here already",
        ),
    ] {
        let trouble = open_with(text, &[]).err();
        let trouble = trouble.map_or(String::new(), |trouble| trouble.to_string());
        assert!(trouble.contains(told), "{text}: {trouble}");
    }
    open("module M: input X, Y; output O; relation X # Y, X => Y; emit O end module");
}

#[test]
fn what_a_run_gives_means_one_thing() {
    let program = |run: &str, inner: &str| {
        format!(
            "module M: input A, B; output O; constant C = 1 : integer;
             var x := 3 : integer in {run} end end module
             module K: {inner} end module"
        )
    };
    let plain =
        "constant N : integer; input I; output O; present I then if N = 3 then emit O end end";
    for (run, inner, told) in [
        (
            "run K [signal A/I; signal B/I; constant 3/N]",
            plain,
            "renaming of `I`",
        ),
        (
            "run K [signal A/I, B/I; constant 3/N]",
            plain,
            "renaming of `I`",
        ),
        (
            "run K [signal A/I; constant 3/N, C/N]",
            plain,
            "renaming of `N`",
        ),
        (
            "run K [signal A/I; constant x/N]",
            plain,
            "a variable changes",
        ),
        (
            "run K [signal A/I; constant true/N]",
            plain,
            "a integer was expected",
        ),
        (
            "run K [signal A/I]",
            "input I; output I, O; present I then emit O end",
            "there is a signal `I` here already",
        ),
    ] {
        let text = program(run, inner);
        let trouble = open_with(&text, &[]).err();
        let trouble = trouble.map_or(String::new(), |trouble| trouble.to_string());
        assert!(trouble.contains(told), "{text}: {trouble}");
    }
    open(&program("run K [signal A/I; constant C/N]", plain));
    open(&program("run K [signal A/I; constant 3/N]", plain));
}

#[test]
fn a_question_inside_of_a_comment_is_none() {
    let names = |text: &str| -> Vec<String> {
        let properties = open(text).properties();
        properties.into_iter().map(|one| one.text).collect()
    };
    let module = "module M: output ALARM, B; emit ALARM end module\n";
    let commented = format!("{module}%{{ not asked:\n%! never B\n}}%\n");
    assert_eq!(names(&commented), ["never ALARM"]);
    let after = format!("{module}%{{ once }}% % and %{{ no block\n%! never B\n");
    assert_eq!(names(&after), ["never B"]);
}
