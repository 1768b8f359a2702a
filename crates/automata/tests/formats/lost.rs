//! What a reader would pass over is told.

use quotient_automata::formats::Reading;

use crate::support::{document, error, try_read, words};

#[test]
fn mata_keys_that_would_be_lost_are_told() {
    let lines = |before: &str, after: &str| {
        format!("@NFA\n%Initial p\n%Final q\n{before}p a q\np e q\n{after}")
    };
    assert_eq!(words(&lines("%Epsilon e\n", ""), 1), ["ε", "a"]);
    for (before, after, why) in [
        ("%Finals p\n", "", "there is no key `%Finals`"),
        ("%Alphabets a e\n", "", "there is no key `%Alphabets`"),
        ("", "%Epsilon e\n", "`%Epsilon` comes after transitions"),
        ("", "%Alphabet a e\n", "`%Alphabet` comes after transitions"),
        ("%Final true\n", "", "`true` is no state"),
        ("%Final p | false\n", "", "`false` is no state"),
        ("", "p a true\n", "`true` is no state"),
        ("", "false a q\n", "`false` is no state"),
    ] {
        let text = lines(before, after);
        assert_eq!(error(&text).message, why, "{text}");
    }
    // A list without states, and a state of that name in quotes.
    assert_eq!(words(&lines("%Final false\n", ""), 1), ["a", "e"]);
    assert_eq!(
        words(&lines("%Final \"true\"\n", "p b \"true\"\n"), 1),
        ["a", "e", "b"]
    );
    let far = document(&lines("%Colour green\n", ""));
    assert_eq!(far.warnings.len(), 1);
    assert_eq!(far.settings, ["Colour green"]);
    let bits = "@NFA-bits\n%Initial p\n%Final q\n%Epsilon e\np e q\n";
    assert_eq!(error(bits).message, "bits have no letter for ε");
    let levels = "@NFT\n%Initial p\n%Final p\n%Levels p:0 q:1 q:0\np a q\nq b p\n";
    assert_eq!(error(levels).message, "`q` is on two levels");
    let vectors =
        "@NFA-BDD\n%Symbol-Vars 2\n%Symbol-Vars 3\n%Initial p\n%Final q\n%Transitions\np 011 q\n";
    assert_eq!(error(vectors).message, "`%Symbol-Vars` is given twice");
}

#[test]
fn json_keys_that_would_be_lost_are_told() {
    let machine = |more: &str, edge: &str| {
        format!(
            "{{\"states\": [0, 1], \"initialStates\": [0], \"accepting\": [1], {more}\"transitions\": \
             [{{\"source\": 0, \"letter\": \"a\", {edge}\"target\": [1]}}]}}"
        )
    };
    let notes = machine(
        "\"name\": \"x\", \"alphabet\": [\"a\"], ",
        "\"comment\": 0, ",
    );
    assert_eq!(words(&notes, 1), ["a"]);
    for (more, edge, why) in [
        (
            "\"accepting\": [0], ",
            "",
            "key `accepting` is declared twice",
        ),
        ("", "\"letter\": \"b\", ", "key `letter` is declared twice"),
        (
            "\"acceptingStates\": [0], ",
            "",
            "a machine has no key `acceptingStates`",
        ),
        (
            "",
            "\"output\": \"b\", ",
            "a transition has no key `output`",
        ),
    ] {
        let text = machine(more, edge);
        assert_eq!(error(&text).message, why, "{text}");
    }
    for (number, fits) in [
        ("1", true),
        ("1.0", false),
        ("1e0", false),
        ("-1", false),
        ("01", false),
    ] {
        let text = machine("", "").replace("[0, 1]", &format!("[0, {number}]"));
        let read = try_read("file.json", &text, &Reading::default());
        assert_eq!(read.is_ok(), fits, "{number}");
    }
    // The letters of a part are letters of the problem.
    let problem = |letter: &str| {
        let part = machine(&format!("\"alphabet\": [\"{letter}\"], "), "");
        format!("{{\"alphabet\": [\"a\"], \"initial\": {part}}}")
    };
    assert_eq!(document(&problem("a")).machines.len(), 1);
    assert_eq!(error(&problem("b")).message, "letter `b` is not declared");
    let part = machine("", "");
    let twice =
        format!("{{\"initial\": {part}, \"properties\": {{\"p\": {part}, \"p\": {part}}}}}");
    assert_eq!(error(&twice).message, "key `p` is declared twice");
    // Many keys are looked up in another way.
    let many: Vec<String> = (0..40)
        .map(|one| format!("\"p{}\": {part}", one % 39))
        .collect();
    let many = format!(
        "{{\"initial\": {part}, \"properties\": {{{}}}}}",
        many.join(",")
    );
    assert_eq!(error(&many).message, "key `p0` is declared twice");
}
