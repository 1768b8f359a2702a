//! Facts about programs: what Spin says of them is written beside each.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};

use crate::machine::Machine;
use crate::space::Space;
use crate::state::State;
use crate::store::{Store, Stored};
use crate::{LANGUAGE, compile};

fn open(text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new("t.pml", text));
    let cx = Context::default();
    match LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}"),
    }
}

/// The verdict of each property; all evidence is certified.
fn verdicts(text: &str) -> Vec<(String, &'static str)> {
    let answers = answers(text);
    answers
        .iter()
        .map(|answer| (answer.property.clone(), answer.verdict.name()))
        .collect()
}

fn answers(text: &str) -> Vec<Answer> {
    let mut model = open(text);
    let mut found = Vec::new();
    let cx = Context::default();
    model
        .check(&Ask::default(), &cx, &mut |answer| found.push(answer))
        .unwrap();
    for answer in &found {
        if answer.verdict.is_definite() {
            let evidence = answer.evidence.as_ref().unwrap();
            let property = model.property(&answer.property).unwrap();
            if let Err(why) = model.certify(evidence, &property, &Budget::unlimited()) {
                panic!("{} of\n{text}\n{why}", answer.property);
            }
        }
    }
    found
}

pub(crate) fn verdict(text: &str, property: &str) -> &'static str {
    let found = verdicts(text);
    let one = found.iter().find(|(name, _)| name == property);
    one.unwrap_or_else(|| panic!("no {property} in {found:?}"))
        .1
}

fn fails(text: &str) -> bool {
    verdict(text, "assertions") == "violated"
}

#[test]
fn a_mutual_exclusion_holds_and_starves_without_fairness() {
    let text = include_str!("../gallery/peterson.pml");
    let found = verdicts(text);
    assert!(
        found.iter().all(|(_, verdict)| *verdict == "holds"),
        "{found:?}"
    );
    let starves = format!("{text} ltl served {{ []<> P[0]@critical }}");
    assert_eq!(verdict(&starves, "served"), "violated");
}

#[test]
fn handshakes_without_a_partner_block() {
    let text = include_str!("../gallery/philosophers.pml");
    assert_eq!(verdict(text, "end-states"), "violated");
    assert_eq!(verdict(text, "assertions"), "holds");
}

#[test]
fn lost_messages_are_sent_again() {
    let found = verdicts(include_str!("../gallery/alternating.pml"));
    assert_eq!(found[0], ("assertions".to_owned(), "holds"));
}

#[test]
fn nobody_sees_the_inside_of_an_atomic_sequence() {
    let text =
        "byte x; active proctype p() { atomic { x = 1; x = 2; x = 0 } } ltl q { [] (x != 1) }";
    assert_eq!(verdict(text, "q"), "holds");
    let text = text.replace("atomic", "");
    assert_eq!(verdict(&text, "q"), "violated");
}

#[test]
fn a_run_that_ends_stays_where_it_is() {
    let text =
        "byte x; active proctype p() { x = 1 } ltl q { <> (x == 2) } ltl r { <>[] (x == 1) }";
    assert_eq!(verdict(text, "q"), "violated");
    assert_eq!(verdict(text, "r"), "holds");
    // An end is no cycle without progress.
    let text = "active proctype p() { progress: skip; skip }";
    assert_eq!(verdict(text, "progress"), "holds");
}

#[test]
fn declarations_after_statements_are_steps() {
    let again = "active proctype p() { byte i = 3;
        do :: i > 0 -> byte k = 5; assert(k == 5); k = 6; i-- :: else -> break od }";
    assert!(!fails(again));
    // Of an array only the first element is set then.
    let array = "active proctype p() { skip; byte a[2] = 3; assert(a[1] == 3) }";
    assert!(fails(array));
    assert!(!fails(&array.replace("skip;", "")));
}

#[test]
fn else_comes_after_the_options_before_it() {
    let inner = "if :: a == 1 -> skip :: else -> b = 1 fi";
    let outer = "a == 0 -> b = 2";
    let text = |one: &str, other: &str| {
        format!("byte a, b; active proctype p() {{ if :: {one} :: {other} fi; assert(b != 1) }}")
    };
    assert!(fails(&text(inner, outer)));
    assert!(!fails(&text(outer, inner)));
}

#[test]
fn a_send_with_a_partner_is_no_else() {
    let text = |wait: &str| {
        format!(
            "chan c = [0] of {{ byte }};
             active proctype p() {{ if :: c!1 -> skip :: else -> assert(false) fi }}
             active proctype q() {{ byte y; {wait} c?y }}"
        )
    };
    assert!(!fails(&text("")));
    assert!(fails(&text("skip;")));
}

#[test]
fn values_are_cut_to_their_types() {
    let text = "byte x; int y = 300; bit b = 3; short s = 40000; unsigned u : 3 = 12; bool t = 2;
        init { x = y; assert(x == 44); assert(b == 1); assert(s == 40000 - 65536); assert(u == 4);
        assert(t == 0); x = -1; assert(x == 255); x++; assert(x == 0); y = -7 / 2; assert(y == -3);
        y = -7 % 3; assert(y == -1); y = 2147483647; y++; assert(y < 0); assert(-1 >> 1 == -1) }";
    assert!(!fails(text));
}

#[test]
fn fields_of_variables_of_the_program_begin_with_their_values() {
    let text = "typedef Point { short x; short y = 3 }; typedef Line { Point p[2]; bit on = 1 };
        Line all[2];
        active proctype A() { Line own; assert(all[1].p[0].y == 3 && all[0].on == 1);
            assert(own.p[1].y == 3 && own.on); all[1].p[1].y = 4; assert(all[0].p[1].y == 3) }";
    assert!(!fails(text));
}

#[test]
fn names_of_messages_are_numbered_from_the_end() {
    let text = "mtype = { a, b, c }; mtype = { d, e }
        init { assert(a == 3 && c == 1 && d == 5 && e == 4) }";
    assert!(!fails(text));
}

#[test]
fn channels_keep_sort_and_find_messages() {
    let text = "chan c = [2] of { byte, bool };
        active proctype p() { byte y = 3; c!1,1; c!!0,0; assert(c?[0,0]); assert(c??[1,1]);
        c??1,_; c?<y,_>; assert(y == 0); assert(len(c) == 1); c?eval(y),_; assert(empty(c)) }";
    assert!(!fails(text));
    assert_eq!(verdict(text, "end-states"), "holds");
}

#[test]
fn a_d_step_takes_the_first_way_and_must_not_block() {
    let text = "byte x; active proctype p() { d_step { x == 1; x = 2; x == 7; x = 3 } }
        active proctype q() { x = 1 }";
    assert!(fails(text));
    let text = "byte x; active proctype p() { d_step { if :: x = 1 :: x = 2 fi; x = x + 1 } }
        ltl q { [] (x == 0 || x == 2) }";
    assert_eq!(verdict(text, "q"), "holds");
}

#[test]
fn a_jump_that_is_an_option_is_a_step() {
    let text = "byte x; active proctype p() { if :: goto L :: x == 1 -> skip fi; L: x == 5 }
        active proctype q() { x = 1 }";
    assert_eq!(verdict(text, "end-states"), "violated");
}

#[test]
fn escapes_come_first_and_outer_ones_before_inner_ones() {
    let text = "byte x, a, b;
        active proctype p() {
          { { skip; x = 1; x = 2 } unless { a == 1 -> assert(false) } } unless { b == 1 -> skip } }
        active proctype s() { d_step { a = 1; b = 1 } }";
    assert!(!fails(text));
    assert!(fails(&text.replace("b = 1", "b = 0")));
}

#[test]
fn processes_end_in_the_order_of_their_numbers() {
    let text = "byte x; proctype p(byte a) { x = a }
        init { pid q; q = run p(3); assert(q == 1); (_nr_pr == 1); q = run p(4); assert(q == 1);
        x == 4; (_nr_pr == 1) }";
    let found = verdicts(text);
    assert!(
        found.iter().all(|(_, verdict)| *verdict == "holds"),
        "{found:?}"
    );
}

#[test]
fn claims_labels_and_words_of_the_preprocessor() {
    let claim = "#define up(v) (v > 1)\nbyte x; active proctype p() { do :: x = 1 - x od }
        never { T0: if :: !up(x) -> goto T0 :: up(x) fi; accept: do :: true od }";
    assert_eq!(verdict(claim, "never"), "holds");
    assert_eq!(
        verdict(&claim.replace("v > 1", "v > 0"), "never"),
        "violated"
    );
    let ends = "byte x; active proctype p() { x = 1; x = 2 }
        never { do :: x == 2 -> break :: else od }";
    assert_eq!(verdict(ends, "never"), "violated");
    // As Spin writes them itself.
    let written = "byte x; active proctype p() { do :: x = 1 - x od }
        never { T0: do :: atomic { (x == 1) -> assert(!(x == 1)) } :: (1) -> goto T0 od;
        accept_all: skip }";
    assert_eq!(verdict(written, "never"), "violated");
    assert_eq!(
        verdict(&written.replace("x == 1", "x == 2"), "never"),
        "holds"
    );
    let loops = "active proctype loop() { byte a, b; do :: a = (a+1)%3;
        if :: b = 2*a; skip :: b = 2*a; accept: skip fi; progress: b-- od }";
    assert_eq!(verdict(loops, "acceptance"), "violated");
    assert_eq!(verdict(loops, "progress"), "holds");
    let other = loops.replace("progress: ", "");
    let other = other.replace(":: b = 2*a; skip", ":: b = 2*a; progress: skip");
    assert_eq!(verdict(&other, "progress"), "violated");
}

#[test]
fn faults_are_told_as_failures() {
    assert!(fails("byte a[2]; init { byte i = 2; a[i] = 1 }"));
    assert!(fails("int x; init { x = 1 / x }"));
    assert!(fails("chan c; init { c!1 }"));
    assert!(!fails(
        "byte a[2]; init { byte i = 2; if :: i < 2 && a[i] == 0 :: else fi }"
    ));
}

#[test]
fn inlines_have_labels_of_their_own() {
    let text = "byte x; inline wait(n) { again: if :: x < n -> x++; goto again :: else fi }
        init { wait(2); wait(4); assert(x == 4) }";
    let found = verdicts(text);
    assert!(
        found.iter().all(|(_, verdict)| *verdict == "holds"),
        "{found:?}"
    );
}

#[test]
fn a_formula_of_a_user_is_a_property() {
    let mut model = open("byte x; active proctype p() { x = 1 }");
    let ask = Ask {
        properties: vec!["<> (x == 1)".to_owned()],
        ..Ask::default()
    };
    let mut found = None;
    model
        .check(&ask, &Context::default(), &mut |answer| {
            found = Some(answer.verdict)
        })
        .unwrap();
    assert_eq!(found, Some(Verdict::Holds));
}

#[test]
fn names_of_properties_are_unique() {
    let text = "byte x; active proctype p() { progress: x = 1 } ltl progress { <> (x == 1) }
        never { do :: true od } never other { do :: true od }";
    let found = verdicts(text);
    let names: std::collections::HashSet<&String> = found.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), found.len(), "{found:?}");
    assert_eq!(found.last().unwrap().0, "progress");
}

#[test]
fn all_mistakes_have_places() {
    let text = "byte x; active proctype p() { y = 1 } active proctype q() { goto L }";
    let source = Source::new("t.pml", text);
    let mistakes = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
    assert_eq!(mistakes.len(), 2);
    assert!(mistakes.iter().all(|one| !one.labels.is_empty()));
    assert!(mistakes[0].help[0].contains("`x`"));
}

/// Programs of a small kind, by number.
fn random_program(seed: u64) -> String {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |most: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % most
    };
    let mut text =
        "byte x, y; bit b; chan c = [1] of { byte }; chan d = [0] of { byte };\n".to_owned();
    for process in 0..2 + below(2) {
        let mut body = String::new();
        for _ in 0..1 + below(4) {
            let mut basic = || match below(12) {
                0 => "x = (x + 1) % 3".to_owned(),
                1 => "y = x".to_owned(),
                2 => "b = 1 - b".to_owned(),
                3 => format!("c!{}", below(2)),
                4 => "c?z".to_owned(),
                5 => format!("d!{}", below(2)),
                6 => "d?z".to_owned(),
                7 => format!("d?{}", below(2)),
                8 => format!("x == {}", below(3)),
                9 => "skip".to_owned(),
                10 => "z = y".to_owned(),
                _ => format!("b == {}", below(2)),
            };
            let (one, two, three) = (basic(), basic(), basic());
            body += &match below(8) {
                0 => format!("if :: {one}; {two} :: {three} fi; "),
                1 => format!("if :: {one} :: else -> {three} fi; "),
                2 => format!("atomic {{ {one}; {two}; {three} }}; "),
                3 => format!("do :: {one}; {two} :: {three} -> break od; "),
                4 => format!("{{ {one}; {two} }} unless {{ x == 2; {three} }}; "),
                5 => format!("if :: {one} -> {two} :: timeout -> {three} fi; "),
                _ => format!("{one}; "),
            };
        }
        let (begin, end) = match below(2) {
            0 => ("do :: ", " od"),
            _ => ("", ""),
        };
        let label = if below(2) == 0 {
            "progress: "
        } else {
            "accept: "
        };
        text += &format!(
            "active proctype p{process}() {{ byte z; {begin}{label}{body} assert(y < 2 || z > 0){end} }}\n"
        );
    }
    text +=
        "ltl one { []<> (x == 1) } ltl two { [] (b -> <> !b) } ltl three { (y == 0) U (x == 1) }";
    text
}

#[test]
fn every_definite_answer_of_a_random_program_is_shown() {
    let mut seen = [0; 2];
    for seed in 0..150 {
        for answer in answers(&random_program(seed)) {
            match answer.verdict {
                Verdict::Holds => seen[0] += 1,
                Verdict::Violated => seen[1] += 1,
                Verdict::Unknown(stop) => panic!("{stop}"),
            }
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

#[test]
fn forged_evidence_is_refused() {
    let text = "byte x; active proctype p() { do :: x = 1 - x :: x == 1 -> assert(false); x = 2; break od }
        ltl calm { []<> (x == 0) }";
    let mut model = open(text);
    let mut found = Vec::new();
    model
        .check(&Ask::default(), &Context::default(), &mut |answer| {
            found.push(answer)
        })
        .unwrap();
    let mut refused = 0;
    for answer in &found {
        let evidence = answer.evidence.clone().unwrap();
        let property = model.property(&answer.property).unwrap();
        let mut forged: Vec<Evidence> = Vec::new();
        let mut change = |edit: &dyn Fn(&mut serde_json::Value)| {
            let mut other = evidence.clone();
            edit(&mut other.body);
            if other.body != evidence.body {
                forged.push(other);
            }
        };
        change(&|body| body["states"] = 1_000_000.into());
        change(&|body| body["back"] = 77.into());
        change(&|body| {
            if let Some(steps) = body["steps"].as_array_mut() {
                steps.remove(0);
            }
        });
        change(&|body| {
            if let Some(steps) = body["steps"].as_array_mut() {
                steps.pop();
            }
        });
        change(&|body| {
            if body["steps"].is_array() {
                body["steps"][0]["moves"][0]["process"] = 9.into();
            }
        });
        let mut other = evidence.clone();
        other.claim = match other.claim {
            quotient_core::Claim::Holds => quotient_core::Claim::Violated,
            quotient_core::Claim::Violated => quotient_core::Claim::Holds,
        };
        forged.push(other);
        for one in forged {
            assert!(
                model
                    .certify(&one, &property, &Budget::unlimited())
                    .is_err(),
                "{one:?}"
            );
            refused += 1;
        }
    }
    assert!(refused > 6, "{refused}");
}

#[test]
fn states_come_back_from_their_words() {
    for seed in 0..20 {
        let source = Source::new("t.pml", random_program(seed));
        let compiled = compile::read(&source, &mut NoFiles, &[]).ok().unwrap();
        let program = &compiled.program;
        let machine = Machine {
            watch: None,
            program,
            loses: false,
            last: false,
            marks: true,
        };
        let space = Space::new(machine, None);
        let (mut store, mut stored) = (Store::default(), Stored::default());
        let mut todo = vec![space.start()];
        for _ in 0..50 {
            let Some(state) = todo.pop() else { break };
            let word = store.put(program, &state, None, &mut stored);
            space.steps(&state, &mut |_, after| {
                let before = Some((&state, &stored));
                let mut next = Stored::default();
                let other = store.put(program, after, before, &mut next);
                assert_eq!(other == word, after.cells == state.cells);
                let mut back = State::default();
                store.get(program, other, &mut back, &mut Stored::default());
                assert_eq!(&back, after);
                todo.push(after.clone());
            });
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let whole = random_program(3) + include_str!("../gallery/philosophers.pml");
    let words: Vec<&str> = whole.split_inclusive([' ', ';', '(', '{']).collect();
    let mut seed = 7_u64;
    for _ in 0..600 {
        let mut text = String::new();
        for _ in 0..60 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += words[(seed >> 33) as usize % words.len()];
        }
        crate::read_any(&text);
    }
    for deep in ["(", "{", "if :: ", "!", "x[", "atomic {", "#if 1\n", "-"] {
        crate::read_any(&format!("init {{ {}", deep.repeat(20_000)));
        crate::read_any(&deep.repeat(20_000));
    }
    crate::read_any("#define A A A\n#define B A B\nB");
    crate::read_any("inline f(x) { f(x); f(x) } init { f(1) }");
    let sum = format!("init {{ {}1 == 1 }}", "1 + ".repeat(50_000));
    crate::read_any(&sum);
}

#[test]
fn event_traces_have_the_verdicts_of_spin() {
    let byte = "chan q = [2] of { byte };";
    let pair = "chan q = [2] of { byte, byte };";
    let meet = "chan q = [0] of { byte };";
    let both = "active proctype P() { q!1; q!2 } active proctype R() { q?1; q?2 }";
    let each = "active proctype P() { q!1; q?1; q!2; q?2 }";
    let holds = [
        (byte, each, "trace { q!1; q?1; q!2; q?2 }"),
        // Not all of it need come, and what it does not speak about may.
        (
            byte,
            "active proctype P() { q!1; q?1 }",
            "trace { q!1; q?1; q!2 }",
        ),
        (byte, each, "trace { q!1; q!2 }"),
        (
            byte,
            "active proctype P() { do :: q!1 -> q?1 :: q!2 -> q?2 od }",
            "trace { do :: q!1 :: q!2 od }",
        ),
        (
            pair,
            "active proctype P() { q!1,5; q?1,_; q!2,6; q?2,_ }",
            "trace { q!1,_; q!_,6 }",
        ),
        (meet, both, "trace { q!1; q?1; q!2; q?2 }"),
        (meet, both, "trace { q!1; q!2 }"),
        (
            byte,
            "active proctype P() { q!1; q!3 }",
            "notrace { q!1; q!2 }",
        ),
        // Only the first events count.
        (
            byte,
            "active proctype P() { q!2; q?2; q!1; q?1; q!2 }",
            "notrace { q!1; q!2 }",
        ),
        (
            byte,
            "active proctype P() { q!1; q?<1>; q?1 }",
            "trace { q?1 }",
        ),
        (
            byte,
            "active proctype P() { q!1; q!2; q?1; q?2; q!1 }",
            "trace { S: q!1; end: q!2; goto S }",
        ),
    ];
    let violated = [
        (
            byte,
            "active proctype P() { q!2; q?2; q!1; q?1 }",
            "trace { q!1; q?1; q!2; q?2 }",
        ),
        (byte, each, "trace { q!1; q?1 }"),
        (
            byte,
            "active proctype P() { do :: q!1 -> q?1 :: q!3 -> q?3 od }",
            "trace { do :: q!1 :: q!2 od }",
        ),
        (meet, both, "trace { q!1; q?2 }"),
        (
            byte,
            "active proctype P() { q!1; q!2 }",
            "notrace { q!1; q!2 }",
        ),
        (
            byte,
            "active proctype P() { atomic { q!1; q!2 } }",
            "trace { q!1; q!1 }",
        ),
        (
            byte,
            "active proctype P() { d_step { q!1; q!2 } }",
            "trace { q!1; q!1 }",
        ),
    ];
    let cases = holds.iter().map(|case| (case, "holds"));
    let cases = cases.chain(violated.iter().map(|case| (case, "violated")));
    for ((channel, processes, events), expected) in cases {
        let text = format!("{channel} {processes} {events}");
        let name = events.split_whitespace().next().unwrap();
        assert_eq!(verdict(&text, name), expected, "{text}");
    }
    let strange = format!("{byte} {each} byte x; trace {{ q!1; q?x; x = 1 }}");
    assert_eq!(verdict(&strange, "trace"), "unknown");
}

#[test]
fn what_has_no_value_is_neither_true_nor_false() {
    let program = "byte a[3]; byte i; active proctype P() { i = 5 }";
    for formula in [
        "[] !(a[i] != 0)",
        "!<> (a[i] != 0)",
        "[] (a[i] == 0)",
        "!<> !(a[i] == 0)",
        "<> (i == 5 && 6 / (i - 5) == 1)",
    ] {
        let text = format!("{program} ltl f {{ {formula} }}");
        assert_eq!(verdict(&text, "f"), "unknown", "{formula}");
    }
    // What decides alone needs no more.
    let text = format!("{program} ltl f {{ [] (i > 2 || a[i] == 0) }}");
    assert_eq!(verdict(&text, "f"), "holds");
    // A run that breaks it elsewhere is one.
    let text = "byte a[3]; byte i; active proctype P() { if :: i = 1 :: i = 2; i = 5 fi } \
                ltl f { [] (a[i] == 0 && i != 1) }";
    assert_eq!(verdict(text, "f"), "violated");
    let never = format!("{program} never {{ do :: !(a[i] == 0) -> break :: true od }}");
    let is_unknown = |(_, verdict): &(String, &str)| *verdict == "unknown";
    assert!(verdicts(&never).iter().any(is_unknown));
}
