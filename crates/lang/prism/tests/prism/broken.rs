//! Broken texts are refused, never a crash.

use proptest::prelude::*;
use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings};
use quotient_prism::LANGUAGE;

/// Opens a text and asks something of it, with little work.
fn try_it(text: &str, property: &str) {
    let cx = Context {
        budget: Budget::unlimited().child_with_work(20_000),
        ..Context::default()
    };
    let input = Input::text(&Source::new("broken.prism", text));
    LANGUAGE.recognises(&input);
    let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    if let Ok(mut model) = opened {
        let ask = Ask {
            properties: vec![property.to_owned()],
            ..Ask::default()
        };
        let _ = model.check(&ask, &cx, &mut |_| {});
        let _ = model.doubts(&cx);
    }
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "x",
    "x1",
    "->",
    ":",
    ";",
    "+",
    "-",
    "*",
    "/",
    "&",
    "|",
    "!",
    "=",
    "<",
    "0",
    "1",
    "0.5",
    "true",
    "init",
    "endinit",
    "module",
    "endmodule",
    "system",
    "endsystem",
    "P",
    "R",
    "F",
    "G",
    "U",
    "?",
    "=?",
    "max",
    "\"a\"",
    "filter",
    ",",
    "..",
    "'",
    "1e400",
    "s",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn changed_models_never_crash(
        which in 0usize..10,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, 0..WORDS.len()), 1..4),
    ) {
        let text = LANGUAGE.about().examples[which].files[0].1;
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for (place, what, word) in changes {
            let at = place.index(words.len());
            match what {
                0 => drop(words.remove(at)),
                1 => words.insert(at, WORDS[word]),
                2 => words[at] = WORDS[word],
                _ => words.insert(at, words[at]),
            }
            if words.is_empty() {
                return Ok(());
            }
        }
        try_it(&words.concat(), "P=? [ F true ]");
    }

    #[test]
    fn broken_properties_never_crash(words in prop::collection::vec(0..WORDS.len(), 0..16)) {
        let property: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        try_it(LANGUAGE.about().examples[0].files[0].1, &property.join(" "));
    }
}

#[test]
fn deep_texts_never_crash() {
    let deep = "(".repeat(5000);
    try_it(
        &format!("dtmc module m x:[0..1]; [] {deep} -> true; endmodule"),
        &deep,
    );
    let chain = "1+".repeat(50_000);
    try_it(&format!("dtmc const int N = {chain}1;"), "P=? [ F true ]");
    let mut formulas = String::from("dtmc formula f0 = x+x;");
    for number in 1..60 {
        let before = number - 1;
        formulas += &format!("formula f{number} = f{before}+f{before};");
    }
    formulas += "module m x:[0..1]; [] f59=0 -> true; endmodule";
    try_it(&formulas, "P=? [ F x=1 ]");
}
