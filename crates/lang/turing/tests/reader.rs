//! The reader of machines takes any text.

use quotient_core::{Context, Source};
use quotient_language::{Input, NoFiles, Settings, Verb, Viewed};
use quotient_turing::LANGUAGE;

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
    ];
    let given = [("steps", "200"), ("window", "1")];
    let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("Turing", known, Verb::Check, &given.map(own)).unwrap();
    arbtest::arbtest(|u| {
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
