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
