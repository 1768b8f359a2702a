//! What the guide says about the language, and what is said about mistakes.

use quotient_core::{Budget, Context, Source, Trouble, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::LANGUAGE;

fn open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("test.protocol", text));
    LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    )
}

fn check(text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut model = open(text).unwrap();
    let cx = Context::default();
    model
        .check(&Ask::default(), &cx, &mut |one| answers.push(one))
        .unwrap();
    answers
}

/// The mistakes of a text, each with its line.
fn mistakes(text: &str) -> Vec<String> {
    match open(text) {
        Err(Trouble::Invalid(mistakes)) => mistakes.iter().map(ToString::to_string).collect(),
        Err(stopped) => panic!("{stopped}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn for_p_reaches_everybody_and_for_other_p_the_others() {
    let text = |reach: &str| {
        format!(
            "process {{ location a, b  done : bool = false }}
             step all: when not done then done := true, {reach} {{ p.at := b }}
             property never_all: never (exists p: p.done) and forall p: p.at = b"
        )
    };
    let verdict = |reach: &str| check(&text(reach))[0].verdict.clone();
    assert_eq!(verdict("for p"), Verdict::Violated);
    let run = check(&text("for p"))[0].trace.clone().unwrap();
    assert_eq!(run.len(), 1);
    // Two have to take the step for everybody to be reached.
    let run = check(&text("for other p"))[0].trace.clone().unwrap();
    assert_eq!(run.len(), 2);
}

#[test]
fn a_step_of_nobody_reaches_everybody() {
    let text = "
        global done : bool = false
        process { location a, b }
        step all: when not done then done := true, for p { p.at := b }
        property reached: never done and forall p: p.at = b
        property each: always done => forall p: p.at = b
    ";
    let answers = check(text);
    assert_eq!(answers[0].verdict, Verdict::Violated);
    assert_eq!(answers[1].verdict, Verdict::Holds);
}

#[test]
fn where_the_two_readings_differ_there_is_a_warning() {
    let warnings = |actions: &str| {
        let text = format!(
            "process {{ location a, b, c }}
             step go: when at = a then {actions}
             property p: never exists p, q: p.at = c and q.at = c"
        );
        let model = open(&text).unwrap();
        model
            .warnings()
            .iter()
            .map(|one| one.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(warnings("at := c, for p { p.at := b }"), ["for-self"]);
    assert_eq!(
        warnings("for p where p.at != b { p.at := c }"),
        ["for-self"]
    );
    // The process itself is at a place that is not meant.
    assert!(warnings("for p where p.at = b { p.at := c }").is_empty());
    assert!(warnings("at := c, for other p { p.at := b }").is_empty());
    assert!(warnings("for p { p.at := b }, at := c").is_empty());
    assert!(warnings("at := b, for p { p.at := b }").is_empty());
}

#[test]
fn no_example_is_warned_about() {
    for example in LANGUAGE.about().examples {
        let model = open(example.files[0].1).unwrap();
        assert!(model.warnings().is_empty(), "{}", example.name);
    }
}

#[test]
fn all_mistakes_are_told_in_one_run() {
    let text = "process { location idle, busy }
step one: when at = idle the at := busy
step two: when at = idle then at := busy
step three when at = busy then at := idle
property p: newer at = busy
property q: never exists p: p.at = busy
";
    let found = mistakes(text);
    let lines: Vec<&str> = found
        .iter()
        .map(|line| line.split(':').nth(1).unwrap())
        .collect();
    assert_eq!(lines, ["2", "4", "5"], "{found:#?}");
    let text = "process { location idle, busy }
step one: when at = idel then at := busy
step two: when at = idle then at := bussy
property p: never exists p: p.att = busy
property p: no deadlock
";
    let found = mistakes(text);
    assert_eq!(found.len(), 4, "{found:#?}");
    let text = "process { location idle, busy }
step one: when at[1] = idle then at := busy
step two: when € then at := busy
property p: never exists p: p.at === busy
";
    assert!(mistakes(text).len() >= 3, "{:#?}", mistakes(text));
}

#[test]
fn deadlocks_of_many_steps_are_found_quickly() {
    // A subset construction over all steps at once would have 2^24 states.
    const STEPS: usize = 24;
    let places: Vec<String> = (0..=STEPS).map(|number| format!("l{number}")).collect();
    let mut text = format!("process {{ location {} }}\n", places.join(", "));
    for number in 0..STEPS {
        let next = number + 1;
        text += &format!("step s{number}: when at = l{number} then at := l{next}\n");
    }
    text += "property goes_on: no deadlock\nproperty fine: always forall p: p.at != l3 or first(p) or not first(p)\n";
    let answers = check(&text);
    let fine = answers.iter().find(|one| one.property == "fine").unwrap();
    assert_eq!(fine.verdict, Verdict::Holds);
    let goes_on = answers
        .iter()
        .find(|one| one.property == "goes_on")
        .unwrap();
    assert_eq!(goes_on.verdict, Verdict::Violated);
}

#[test]
fn channels_may_begin_with_something_in_them() {
    let text = "
        queue c : { a, b } = (a, b)
        stack s : 0..2 = (2)
        process { location idle, done }
        step first: when at = idle then receive c(a), at := done
        step second: when at = done then receive c(b), pop s(2)
        property never_empty: never empty(c)
        property order: never c matches \"a\"
    ";
    let answers = check(text);
    let verdict = |name: &str| {
        let answer = answers.iter().find(|one| one.property == name).unwrap();
        answer.verdict.clone()
    };
    assert_eq!(verdict("never_empty"), Verdict::Violated);
    assert_eq!(verdict("order"), Verdict::Holds);
    let run = answers[0].trace.as_ref().unwrap();
    assert_eq!(run.len(), 2);
    let start: Vec<&str> = run.steps[0]
        .cells
        .iter()
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(start[start.len() - 2..], ["a b", "2"]);
    let mut model = open(text).unwrap();
    let property = model.properties().remove(0);
    let evidence = answers[0].evidence.as_ref().unwrap();
    let certified = model.certify(evidence, &property, &quotient_core::Budget::unlimited());
    assert!(certified.is_ok(), "{certified:?}");
    let wrong = mistakes("queue c : { a, b } = (a, d)\nprocess { x : bool }\n");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

#[test]
fn what_leaves_nothing_to_begin_with_is_named() {
    let error = |more: &str| {
        let text = format!(
            "process {{ location idle, busy  x : bool = any }}\n{more}
             step go: when at = idle then at := busy
             property p: never exists p: p.at = busy"
        );
        let mut model = open(&text).unwrap();
        let cx = Context::default();
        let result = model.check(&Ask::default(), &cx, &mut |_| panic!("there is no answer"));
        let Err(Trouble::Invalid(mistakes)) = result else {
            panic!("{result:?}");
        };
        let labels = mistakes[0].labels.iter();
        let labels: Vec<String> = labels
            .map(|label| text[label.span.range()].to_owned())
            .collect();
        (labels, mistakes[0].notes.join(" "))
    };
    let (labels, note) = error("initially exists p: p.at = busy");
    assert_eq!(labels, ["exists p: p.at = busy"]);
    assert!(note.contains("values that variables begin with"), "{note}");
    let (labels, _) = error("initially forall p: p.x\ninitially exists p: not p.x");
    assert_eq!(labels, ["exists p: not p.x", "forall p: p.x"]);
    let (_, note) = error("initially exists p: p.x and not p.x");
    assert!(note.contains("contradicts itself"), "{note}");
    assert!(error("assume n < 0").0.is_empty());
}

#[test]
fn hints_fit_what_was_meant() {
    let hint = |text: &str| {
        let text = format!("process {{ location idle, busy }}\n{text}\n");
        let Err(Trouble::Invalid(mistakes)) = open(&text) else {
            panic!("there is nothing wrong with {text}");
        };
        mistakes[0].help.join(" ")
    };
    assert!(hint("step a: when forall lft p: p.at = idle then at := busy").contains("`left`"));
    assert!(hint("step a: when exists p q: p.at = idle then at := busy").contains("joined by `,`"));
    assert!(hint("property q: sometimes p.at = busy").contains("leads to"));
    assert!(hint("property q: for each p: p.at = busy").contains("`eventually`"));
    assert!(hint("property q: always forall p: eventually p.at = busy").contains("for each p"));
    let unclear =
        "property q: for each p: always eventually p.at = busy and eventually p.at = idle";
    assert!(hint(unclear).contains("parentheses"));
    assert!(hint("step a: when eventually(at = idle) then at := busy").contains("define"));
    assert!(hint("step a: then for each p { p.at := idle }").contains("for other p"));
    let missing = "step a: then for other p { p.at := idle\nproperty q: no deadlock";
    assert!(hint(missing).contains("`}` missing"));
    for queue in [
        "process { location idle, busy  queue c : bool }\n",
        "process {\n  location idle, busy\n  queue c : { a, b }\n  x : bool = false\n}\nproperty p: no deadlock\n",
        "process {\n  location idle, busy\n  lossy queue c : bool\n}\nproperty p: no deadlock\n",
    ] {
        let Err(Trouble::Invalid(mistakes)) = open(queue) else {
            panic!("a queue in a process");
        };
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert_eq!(mistakes[0].code, "local-channel");
    }
}

#[test]
fn words_of_formulas_that_are_misspelt_have_suggestions() {
    let told = |text: &str| {
        let text = format!("process {{ location idle, busy }}\n{text}\n");
        let Err(Trouble::Invalid(mistakes)) = open(&text) else {
            panic!("there is nothing wrong with {text}");
        };
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        mistakes[0].help.join(" ")
    };
    for (text, meant) in [
        ("property q: eventualy exists p: p.at = busy", "eventually"),
        (
            "property q: eventualy (exists p: p.at = busy)",
            "eventually",
        ),
        ("property q: alway exists p: p.at = busy", "always"),
        ("property q: nevr exists p: p.at = busy", "never"),
        ("property q: never exist p: p.at = busy", "exists"),
        (
            "property q: for each p: eventualy p.at = busy",
            "eventually",
        ),
        (
            "property q: for each p: always eventualy p.at = busy",
            "eventually",
        ),
        (
            "property q: for each p: always (eventualy (p.at = busy))",
            "eventually",
        ),
        (
            "property q: for each p: p.at = idle untill p.at = busy",
            "until",
        ),
        (
            "property q: for each p: p.at = idle lead to p.at = busy",
            "leads",
        ),
        ("property q: no deadlok", "deadlock"),
        ("step a: when at = idle adn true then at := busy", "and"),
        ("step a: when at = idle tehn at := busy", "then"),
        (
            "step a: when foral p: p.at = idle then at := busy",
            "forall",
        ),
    ] {
        let told = told(text);
        assert!(
            told.contains(&format!("did you mean `{meant}`?")),
            "{text}: {told}"
        );
    }
    // Values may be called so.
    let fine = "process { s : { exist, alway } = exist  x : bool = false }
        step a: when s = exist then s := alway
        property q: always exists p: p.s = exist or p.s = alway";
    assert!(open(fine).is_ok());
}

#[test]
fn a_neighbour_of_one_alternative_is_warned_about() {
    let warnings = |rest: &str| {
        let model = open(&format!("{rest}\nproperty p: no deadlock")).unwrap();
        let codes = model.warnings().into_iter().map(|one| one.code);
        codes.collect::<Vec<_>>()
    };
    let line = "process { location a, b }\nstep s: when";
    let warned = ["neighbour-of-one"];
    assert_eq!(
        warnings(&format!("{line} at = a then at := b or then left.at := b")),
        warned
    );
    assert_eq!(
        warnings(&format!(
            "{line} at = a then left.at := b or then right.at := b"
        )),
        warned
    );
    let same = format!("{line} at = a then left.at := a or then left.at := b");
    assert!(warnings(&same).is_empty());
    let asked = format!("{line} at = a and left.at = b then at := b or then left.at := a");
    assert!(warnings(&asked).is_empty());
    // In a ring, where a second process is enough for either.
    let ring = format!("topology ring\n{line} at = a then at := b or then left.at := b");
    assert!(warnings(&ring).is_empty());
    let both = format!("topology ring\n{line} at = a then right.at := b or then left.at := b");
    assert_eq!(warnings(&both), warned);
    let tree = "topology tree\nprocess { location a, b }\ninitially forall p: p.at = a
        step s: when at = a then at := b or then parent.at := b";
    assert_eq!(warnings(tree), warned);
}

#[test]
fn one_of_several_values_is_a_set_a_range_or_a_type() {
    let verdict = |set: &str| {
        let text = format!(
            "type middle = 1..3
             type some = {{ a, b }}
             process {{ location a, b, c  x : -2..5 = 0 }}
             step up: when x < 4 then x := x + 1
             step go: when at in some then at := c
             property p: never exists p: p.x in {set}"
        );
        check(&text)[0].verdict.clone()
    };
    assert_eq!(verdict("1..3"), Verdict::Violated);
    assert_eq!(verdict("{ 5, 1..2 }"), Verdict::Violated);
    assert_eq!(verdict("middle"), Verdict::Violated);
    assert_eq!(verdict("-2..-1"), Verdict::Holds);
    assert_eq!(verdict("{ -2..-1, 5 }"), Verdict::Holds);
    let told = |when: &str, rest: &str| {
        let text = format!(
            "process {{ location a, b  x : 0..5 = 0 }}
             step go: when {when} then {rest}
             property p: never exists p: p.x = 5"
        );
        match open(&text) {
            Err(Trouble::Invalid(mistakes)) => format!("{} {}", mistakes[0], mistakes[0].help[0]),
            _ => panic!("nothing is wrong with {text}"),
        }
    };
    assert!(told("at in { }", "x := 1").contains("nothing is in"));
    assert!(told("at in { a or b }", "x := 1").contains("joined by `,`"));
    assert!(told("at in a", "x := 1").contains("x in 1..3"));
    assert!(told("x in 3..1", "x := 1").contains("has no values"));
    assert!(told("x in 0..9999999", "x := 1").contains("too large"));
    assert!(told("at = a", "if x = 0 then x := 1").contains("x := if"));
    assert!(told("if at = a then x = 1", "x := 1").contains("both branches"));
    assert!(told("at = a", "x := x / 2").contains("2 * x > y"));
}

#[test]
fn a_fraction_that_others_would_round_is_warned_about() {
    let warned = |condition: &str| {
        let text = format!(
            "topology set
             parameter t
             define half = n / 2
             process {{ location a, b }}
             step go: when at = a and {condition} then at := b
             property p: always forall p: p.at = a or p.at = b"
        );
        let model = open(&text).unwrap();
        model.warnings().iter().any(|one| one.code == "not-rounded")
    };
    assert!(warned("count(p: p.at = b) >= n / 2 + 1"));
    assert!(warned("count(p: p.at = b) > (n + t) / 2 - 1 + n / 3"));
    assert!(warned("count(p: p.at = b) + 1 > half + 1 / 2"));
    // The same either way, and what stands alone.
    assert!(!warned("count(p: p.at = b) > n / 2"));
    assert!(!warned("count(p: p.at = b) >= n / 2"));
    assert!(!warned("count(p: p.at = b) - 1 > n / 2 - 1"));
    assert!(!warned("2 * count(p: p.at = b) >= n + t + 1"));
}

#[test]
fn a_property_may_begin_with_a_number_below_zero() {
    let text = "
        topology set
        process { location a, b }
        step go: when at = a then at := b
        property p: always -n <= count(p: p.at = b) - n
        property q: always -1 < count(p: p.at = b)
        property r: eventually -1 < 0";
    let answers = check(text);
    assert_eq!(answers[0].verdict, Verdict::Holds);
    assert_eq!(answers[1].verdict, Verdict::Holds);
    // A variable may still have the name.
    let text = "
        global always : 0..3 = 0
        step up: when always < 2 then always := always + 1
        property p: always - 1 < 2 leads to always - 2 = 0";
    assert_eq!(check(text)[0].verdict, Verdict::Holds);
}

/// Whole protocols in the guide are read, and what stands behind a property (`// holds`) is so, with evidence
/// that is accepted.
#[test]
fn whole_protocols_of_the_guide_are_as_it_says() {
    let guide = include_str!("../../../../docs/protocol-language.md");
    let blocks = guide.split("```").skip(1).step_by(2);
    let whole = |block: &&str| {
        block.contains("\nprocess") && block.contains("\nproperty") && !block.contains('…')
    };
    let (mut read, mut said) = (0, 0);
    for block in blocks.filter(whole) {
        read += 1;
        let mut model = open(block).unwrap_or_else(|trouble| panic!("{trouble}\n{block}"));
        let mut expected = Vec::new();
        for line in block.lines() {
            if let Some((property, verdict)) = line.split_once("// ")
                && let Some((name, _)) = (property.strip_prefix("property "))
                    .and_then(|property| property.split_once(':'))
            {
                expected.push((name, verdict.trim()));
            }
        }
        if expected.is_empty() {
            continue;
        }
        let mut answers = Vec::new();
        let check = model.check(&Ask::default(), &Context::default(), &mut |one| {
            answers.push(one)
        });
        check.unwrap();
        for (name, verdict) in expected {
            let answer = answers.iter().find(|one| one.property == name).unwrap();
            assert_eq!(answer.verdict.name(), verdict, "{block}");
            let asked = model.properties().into_iter().find(|one| one.name == name);
            let evidence = answer.evidence.as_ref().unwrap();
            let certified = model.certify(evidence, &asked.unwrap(), &Budget::unlimited());
            assert!(certified.is_ok(), "{block}");
            said += 1;
        }
    }
    assert!(read >= 8 && said >= 3, "{read} read, {said} said");
}
