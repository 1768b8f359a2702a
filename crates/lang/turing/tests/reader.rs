//! The reader of machines takes any text.

use quotient_core::{Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb, Viewed};
use quotient_turing::LANGUAGE;

/// The busy beaver of two states, as it may be found in files.
const LAYOUTS: &[&str] = &[
    "1RB1LB_1LA1RZ",
    "1RB1LB 1LA1RH",
    "1RB1LB  1LA---",
    "1rb1lb_1la1rz",
    "1RB1LB;1LA1RZ",
    "1RB 1LB | 1LA 1RZ",
    "1RB,1LB; 1LA,1RZ",
    "1RB1LB\n1LA1RZ",
    "1RB 1LB\n1LA 1RZ",
    "1R2 1L2\n1L1 1R0",
    "https://example.org/1RB1LB_1LA---",
    "table 0 1\nA 1RB 1LB\nB 1LA 1RH",
    "     0   1\nA   1RB 1LB\nB   1LA 1RZ",
    "state 0 1\nA 1,R,B 1,L,B\nB 1,L,A (H,1,R)",
    "| | 0 | 1 |\n|---|---|---|\n| A | 1RB | 1 L B |\n| B | 1LA | |",
    "A: 1RB 1LB\nB: 1LA ---",
    "A0: 1RB\nA1: 1LB\nB0: 1LA\nB1: 1RH",
    "A 0 1RB\nA 1 1LB\nB 0 1LA\nB 1 1RH",
    "A 0 1 R B\nA 1 1 L B\nB 0 1 L A\nB 1 1 R H",
    "; busy beaver\nA _ 1 r B\nA 1 1 l B\nB _ 1 l A\nB 1 1 r halt",
    "(A,0) -> (B,1,R)\n(A,1) -> (B,1,L)\n(B,0) -> (A,1,L)\n(B,1) -> (H,1,R)",
    "(A,0) → (1,B,R)\n(A,1) → (1,B,L)\n(B,0) → (1,A,L)\n(B,1) → (1,A2,R)",
    "δ(q0,0)=(q1,1,R)\nδ(q0,1)=(q1,1,L)\nδ(q1,0)=(q0,1,L)\nδ(q1,1)=(qh,1,R)",
    "delta(q0, 0) = (q1, 1, right); delta(q0, 1) = (q1, 1, left)\n\
     delta(q1, 0) = (q0, 1, left)",
    "(A,0,1,R,B);(A,1,1,L,B);(B,0,1,L,A);(B,1,1,R,H)",
    "T = {<A,0,1,R,B>, <A,1,1,L,B>, <B,0,1,L,A>}",
    "<A,0,B,1,R> <A,1,B,1,L>; <B,0,A,1,L>",
    "name: beaver\ninit: a\naccept: h\na,_\nb,1,>\n\na,1\nb,1,<\n\nb,_\na,1,<\n\nb,1\nh,1,>",
];

#[test]
fn machines_are_read_in_the_layouts_that_people_use() {
    for text in LAYOUTS {
        let input = Input::text(&Source::new("x.tm", *text));
        let cx = Context::default();
        let mut model = LANGUAGE
            .open(&input, &mut NoFiles, &Settings::default(), &cx)
            .unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let mut ones = None;
        let mut tell = |answer: quotient_language::Answer| {
            let found = answer.details.into_iter().find(|(name, _)| name == "ones");
            ones = found.and_then(|(_, ones)| ones.as_u64());
        };
        model.check(&Ask::default(), &cx, &mut tell).unwrap();
        // Where the last action is left out, the last one is not written, but was there.
        assert_eq!(ones, Some(4), "{text}");
    }
}

#[test]
fn a_second_machine_in_a_file_is_refused() {
    let text = "1RB1LB_1LA1RZ\n1RB0LB_1LA1RZ\n";
    let input = Input::text(&Source::new("x.tm", text));
    let cx = Context::default();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    assert!(opened.is_err());
}

#[test]
fn no_text_makes_the_reader_panic() {
    const PIECES: &[&str] = &[
        "<1,1,R,2>",
        "<",
        ">",
        ",",
        "W(",
        ")",
        "check ",
        "halts on ",
        "diverges on ",
        "every ",
        "(",
        "*",
        "+",
        "|",
        "tape ",
        "[1]",
        "...",
        "...(1",
        "1RB1LB_1LA1RZ",
        "_",
        "table 0 1",
        "A ",
        "---",
        "1RB ",
        "\n",
        " ",
        "blank ",
        "start ",
        "computes f(n) = ",
        " if ",
        " up to ",
        "9",
        "n",
        "/",
        "é",
        "\t",
        "#",
        ":",
        "99999999999999999999",
        " with ",
        "ones",
        "machine",
        "(A,0) -> (B,1,R)",
        "A 0 1 R B",
        "δ(",
        ") = (",
        "W(1)",
        "| A | 1RB | 1LB |",
        "|---|---|",
        "1RB 1LB",
        "A0: 1RB",
        "; ",
        "://",
        "/",
        "=",
        "→",
        "A,0",
        "B,1,>",
    ];
    let given = [("steps", "200"), ("window", "1")];
    let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("Turing", known, Verb::Check, &given.map(own)).unwrap();
    quotient_trial::trial(|u| {
        let count = u.int_in_range(0..=30)?;
        let text: Result<String, _> = (0..count).map(|_| u.choose(PIECES).copied()).collect();
        let text = text?;
        let input = Input::text(&Source::new("x.tm", text.as_str()));
        LANGUAGE.recognises(&input);
        let cx = Context::default();
        if let Ok(mut model) = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
            model.show(&Viewed::default(), &cx).unwrap();
        }
        Ok(())
    })
    .budget_ms(1_000);
}

/// What is wrong with a text, each mistake with the place that it names.
fn mistakes(text: &str) -> Vec<String> {
    let input = Input::text(&Source::new("x.tm", text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    match opened {
        Err(quotient_core::Trouble::Invalid(all)) => all
            .iter()
            .map(|one| {
                let place = one
                    .labels
                    .first()
                    .map_or("", |label| &text[label.span.range()]);
                format!("{} at `{place}`", one.message)
            })
            .collect(),
        Ok(_) => panic!("read: {text}"),
        Err(other) => panic!("{other:?}"),
    }
}

/// The machine of a text, as tuples.
fn tuples(text: &str) -> String {
    let input = Input::text(&Source::new("x.tm", text));
    let cx = Context::default();
    let mut model = LANGUAGE
        .open(&input, &mut NoFiles, &Settings::default(), &cx)
        .unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let written = model.convert("tuples", None, &cx).unwrap();
    let lines = written.text.lines().filter(|line| line.starts_with('<'));
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn dashes_among_rows_are_the_row_of_a_state_that_does_nothing() {
    let joined = tuples("1RB1LC_------_1LA1RC");
    assert_eq!(tuples("1RB1LC\n------\n1LA1RC"), joined);
    assert_eq!(tuples("1RB1LC\n--- ---\n1LA1RC"), joined);
    assert_eq!(tuples("-----\n1RB1LC_------_1LA1RC\n------"), joined);
    assert_eq!(
        mistakes("------\n1RB1LC\n1LA1RC"),
        ["is this drawn, or the row of a state that does nothing? at `------`"]
    );
    assert_eq!(
        mistakes("1RB1LC\n---------\n1LA1RC"),
        ["this row has 3 actions, and the first 2 at `---------`"]
    );
}

#[test]
fn rows_of_the_notation_agree_on_what_states_are_called() {
    let whole = tuples("1R21L2_1L11RH");
    assert_eq!(tuples("1R21L2\n1L11RH"), whole);
    assert_eq!(whole, "<1,0,1,R,2> <1,1,L,2> <2,0,1,L,1> <2,1,R,H>");
    // The second row alone would be one of letters.
    assert_eq!(
        tuples("1R21L2\n1LH1RH"),
        "<1,0,1,R,2> <1,1,L,2> <2,0,1,L,H> <2,1,R,H>"
    );
    assert_eq!(
        mistakes("1R21L2\n1LA1RH"),
        ["some states are numbers, and `A` may be a row, too at `1R21L2\n1LA1RH`"]
    );
    assert_eq!(
        mistakes("1R11L1_1L01RH"),
        ["is the first state 0 or 1? at `1R11L1_1L01RH`"]
    );
}

#[test]
fn what_is_missing_or_said_twice_is_told() {
    let machine = "a,0\nb,1,>\nb,0\na,1,<\n";
    assert_eq!(tuples(machine), "<a,0,1,R,b> <b,0,1,L,a>");
    for after in ["a,1\n", "a,1\na,2\nb,1,>\n", "a,1\ncheck halts on blank\n"] {
        let found = mistakes(&format!("{machine}{after}"));
        assert_eq!(found, ["what is done here is missing at `a,1`"], "{after}");
    }
    let twice = |lines: &str| mistakes(&format!("<1,0,R,2>\n{lines}"));
    assert_eq!(
        twice("blank 0\nblank 1"),
        ["the blank is given twice at `blank 1`"]
    );
    assert_eq!(
        twice("start 1\nstart: 1"),
        ["the start is given twice at `start: 1`"]
    );
    assert_eq!(
        twice("machine x\nmachine y"),
        ["the name is given twice at `machine y`"]
    );
    assert_eq!(
        mistakes("table 0 1\nA 1RB 1LB\ntable B 1\nB 1RA 1LA"),
        ["the blank is given twice at `table B 1`"]
    );
    let stops = |names: &str| format!("halt: {names}\n(A,0) -> (B,1,R)\n(B,0) -> (C,1,R)\n");
    assert_eq!(tuples(&stops("C, D")), "<A,0,1,R,B> <B,0,1,R,C>");
    let goes_on = |name: &str, line: &str| {
        format!("state `{name}` has actions, so the machine goes on there at `{line}`")
    };
    assert_eq!(mistakes(&stops("{C,B}")), [goes_on("B", "halt: {C,B}")]);
    assert_eq!(
        mistakes("accept: A\nA 0 1 R B"),
        [goes_on("A", "accept: A")]
    );
}

#[test]
fn the_order_of_an_action_is_that_of_the_others_or_told() {
    // `S` is a symbol here, and `R` a move, as the second line shows.
    assert_eq!(
        tuples("(A,0) -> (B,S,R)\n(B,0) -> (A,1,L)"),
        "<A,0,S,R,B> <B,0,1,L,A>"
    );
    assert_eq!(
        tuples("(A,0) -> (B,S,R)\n(R,0) -> (1,L,A)"),
        "<A,0,W(B),R> <R,0,1,L,A>"
    );
    // No other line tells, but only one order leads on.
    assert_eq!(
        tuples("(A,0) -> (B,S,R)\n(B,0) -> (A,N,L)"),
        "<A,0,S,R,B> <B,0,N,L,A>"
    );
    assert_eq!(
        mistakes("(A,0) -> (B,S,R)"),
        ["this can be read in several ways: which is the next state? at `A,0) -> (B,S,R`"]
    );
    // Tuples and rows have an order.
    assert_eq!(tuples("<A,0,B,S,R>"), "<A,0,W(B),R>");
    assert_eq!(tuples("A 0 B S R"), "<A,0,W(B),R>");
    // The state comes first, as the guide says, also where it is one to stop in.
    assert_eq!(
        tuples("(1,0) -> (2,1,R)\n(2,0) -> (3,1,R)"),
        "<1,0,1,R,2> <2,0,1,R,3>"
    );
    assert_eq!(
        tuples("(A,0) -> (1,B,R)\n(B,0) -> (1,C,R)"),
        "<A,0,1,R,B> <B,0,1,R,C>"
    );
}

#[test]
fn questions_with_odd_names_symbols_and_tapes_are_told() {
    let asked = |question: &str| {
        let found = mistakes(&format!("<1,1,R,1>\ncheck {question}"));
        found.into_iter().next().unwrap_or_default()
    };
    for (question, why) in [
        ("computes f(n,n) = n", "two arguments are called `n`"),
        (
            "computes f() = 3 up to 4",
            "the name of an argument is missing",
        ),
        (
            "computes f(m,) = m up to 4",
            "the name of an argument is missing",
        ),
        ("computes f(2) = 3 up to 4", "`2` is no name of an argument"),
        (
            "computes f(or) = 3 up to 4",
            "`or` is no name of an argument",
        ),
        ("halts on tape [0]...", "`...` stands beside a cycle"),
        ("halts on tape ...1[0]", "`...` stands beside a cycle"),
        ("halts on tape 1,[0]", "`,` is no symbol"),
        ("diverges on every [01]*", "`[` is no symbol"),
        ("streams same(.) = same(0)", "`.` is no symbol"),
    ] {
        let found = asked(question);
        assert!(found.starts_with(why), "{question}: {found}");
    }
}
