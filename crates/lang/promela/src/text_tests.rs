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
