//! What the text of a program means beside its statements: macros, inlines, who begins.

use quotient_core::{Context, Source};
use quotient_language::{Answer, Ask, Input, NoFiles, Settings};

use crate::{LANGUAGE, compile};

fn violated(text: &str) -> Answer {
    let input = Input::text(&Source::new("t.pml", text));
    let cx = Context::default();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut found = Vec::new();
    let mut model = opened.unwrap_or_else(|trouble| panic!("{trouble}"));
    model
        .check(&Ask::default(), &cx, &mut |answer| found.push(answer))
        .unwrap();
    found.swap_remove(0)
}

/// What is given from outside is what counts, or it is told.
#[test]
fn a_macro_given_from_outside_is_not_replaced_in_silence() {
    let given = [("N".to_owned(), "2".to_owned())];
    let read = |text: &str| {
        let source = Source::new("t.pml", text);
        compile::read(&source, &mut NoFiles, &given)
            .map(|compiled| compiled.program.proctypes[0].active)
    };
    let rest = "\nbyte x; active [N] proctype A() { x++ }";
    for own in ["#define N 3", "#undef N", "#define N(x) 2", "#define N"] {
        let wrong = read(&format!("{own}{rest}")).unwrap_err();
        assert!(
            wrong[0].message.contains("`N` is given with `--define`"),
            "{wrong:?}"
        );
        let place = wrong[0].to_string();
        assert!(place.contains("t.pml:1:"), "{place}");
    }
    for own in [
        "",
        "#ifndef N\n#define N 3\n#endif",
        "#define N 2",
        "#define M 3",
    ] {
        assert_eq!(read(&format!("{own}{rest}")).unwrap(), 2, "{own}");
    }
}

#[test]
fn a_program_in_which_nobody_is_started_is_a_mistake() {
    for text in [
        "",
        "byte x;",
        "proctype A() { assert(false) }",
        "active [0] proctype A() { skip }",
    ] {
        let source = Source::new("t.pml", text);
        let wrong = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
        assert_eq!(wrong[0].message, "no process is ever started", "{text}");
    }
}

/// Statements of inlines are shown as the inline writes them, those of macros as the use of it.
#[test]
fn statements_of_inlines_and_macros_are_shown_as_they_are_written() {
    let text = "#define add(v, w) v = v + w\nbyte a = 1, b = 2;
        inline swap(x, y) { byte t; t = x; x = y; y = t }
        active proctype P() { swap(a, b); add(a, b); add(b, (1)); assert(a == 1) }";
    let answer = violated(text);
    let trace = answer.trace.unwrap();
    let actions: Vec<&str> = trace
        .steps
        .iter()
        .filter_map(|step| step.action.as_deref())
        .collect();
    let expected = [
        "t",
        "t = x",
        "x = y",
        "y = t",
        "add(a, b)",
        "add(b, (1))",
        "assert(a == 1)",
    ];
    assert_eq!(actions, expected);
}

fn is_kept(text: &str) -> bool {
    let answer = violated(text);
    match answer.verdict {
        quotient_core::Verdict::Holds => true,
        quotient_core::Verdict::Violated => false,
        _ => panic!("{text}"),
    }
}

#[test]
fn those_with_the_highest_priority_move_first() {
    let cases = [
        // All that is said, changed and asked.
        (
            "byte n; active proctype M() priority 5 { set_priority(0, 8); assert(_priority == 8 && get_priority(_pid) == 8 && get_priority(1) == 9); n++ }
             active proctype H() priority 10 { _priority = 9; n++ }
             active proctype L() priority 1 { assert(_priority == 1 && n == 2) }",
            true,
        ),
        // Others would come between without it.
        (
            "byte n; proctype W(byte p) { n = p; assert(n == p) } init { atomic { run W(1) priority 3; run W(2) priority 2; run W(4) } }",
            true,
        ),
        (
            "byte n; proctype W(byte p) { n = p; assert(n == p) } init { atomic { run W(1) priority 3; run W(2) priority 3 } }",
            false,
        ),
        // What a proctype says is for those who are active, not for those who are run.
        (
            "byte n; proctype W() priority 7 { assert(get_priority(_pid) == 1); n = 1 } init { run W() priority 1; run W(); assert(_priority == 1) }",
            true,
        ),
        // Who cannot move holds nobody up, and nobody has a priority who is not there.
        (
            "byte n; active proctype H() priority 9 { n == 1; n = 2 } active proctype L() { n = 1; assert(n == 1 || n == 2); assert(get_priority(7) == 0); set_priority(7, 3) }",
            true,
        ),
        (
            "byte n; active proctype H() priority 9 { n == 1; n = 2 } active proctype L() { n = 1; assert(n == 1) }",
            false,
        ),
        // A priority is given back at the end of what it is for.
        (
            "byte n; active proctype A() { set_priority(_pid, 4); n = 1; assert(n == 1); _priority = 1 } active proctype B() priority 2 { n = 2; n = 0 }",
            true,
        ),
    ];
    for (text, kept) in cases {
        assert_eq!(is_kept(text), kept, "{text}");
    }
    let source = Source::new("t.pml", "active proctype A() priority 300 { skip }");
    let wrong = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
    assert_eq!(wrong[0].message, "a priority is a number from 1 to 255");
}

#[test]
fn what_does_not_count_may_hold_any_characters_and_arguments_can_be_quoted() {
    let text = "#if 0\n\twho's there? \u{20ac} ` \"open\n#endif\n#define say(s) printf(#s); printf(\"s\")\n\
                #define two(a, b) a##b = 3\nbyte xy;\n\
                active proctype P() { say([]); say(a \"b\" <-> c); two(x, y); assert(xy == 3) }";
    assert!(is_kept(text));
    let source = Source::new(
        "t.pml",
        "#if 1\nwho's\n#endif\nactive proctype P() { skip }",
    );
    let wrong = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
    assert!(wrong[0].to_string().contains("t.pml:2:4"), "{}", wrong[0]);
}

/// `&` and `|` are of expressions: they bind as there, and take no formula.
#[test]
fn single_signs_in_formulas_join_expressions_only() {
    let program = "byte x; active proctype p() { do :: x = (x + 1) % 3 od }\n";
    for (formula, expected) in [
        ("[] !(x == 1 & x == 2)", "holds"),
        ("[] (x == 0 | x == 1)", "violated"),
        ("[] (x == 0 | x == 1 | x == 2)", "holds"),
        ("[] (x == 1 & x < 2 -> <> (x == 2 | x == 0))", "holds"),
        // Bits, not truths: 1 and 2 have none in common.
        ("[] !(x & 2 && x & 1)", "holds"),
        ("<> (1 & 2)", "violated"),
        ("(x == 0) U (x == 1 & true)", "holds"),
    ] {
        let text = format!("{program}ltl f {{ {formula} }}");
        assert_eq!(crate::tests::verdict(&text, "f"), expected, "{formula}");
    }
    for (formula, sign) in [("[] x & x", "`&&`"), ("[] (x | <> x)", "`||`")] {
        let text = format!("{program}ltl f {{ {formula} }}");
        let source = Source::new("t.pml", &text);
        let wrong = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
        let told = format!("{} {:?}", wrong[0], wrong[0]);
        assert!(told.contains(sign) && told.contains("t.pml:2:"), "{told}");
    }
}

/// Of two declarations of one name one would be meant, and nobody would see which.
#[test]
fn what_is_declared_twice_is_refused() {
    for (text, name) in [
        ("byte x = 1; byte x = 2; active proctype P() { skip }", "x"),
        (
            "inline f() { skip } inline f() { skip } active proctype P() { f() }",
            "f",
        ),
        (
            "typedef T { byte z }; typedef T { byte w }; T t; active proctype P() { skip }",
            "T",
        ),
        (
            "mtype = { a, b }; mtype = { c, a }; active proctype P() { skip }",
            "a",
        ),
        ("mtype = { a, a }; active proctype P() { skip }", "a"),
    ] {
        let source = Source::new("t.pml", text);
        let mistakes = compile::read(&source, &mut NoFiles, &[]).err();
        let mistakes = mistakes.unwrap_or_else(|| panic!("{text}"));
        let told = &mistakes[0].message;
        assert!(told.contains(&format!("`{name}`")), "{text}: {told}");
    }
    // Processes have variables of their own, which hide those of all.
    let text =
        "byte x; active proctype P() { byte x; x = 1 } active proctype Q() { byte x; x = 1 }";
    let source = Source::new("t.pml", text);
    assert!(compile::read(&source, &mut NoFiles, &[]).is_ok());
}
