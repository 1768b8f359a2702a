//! Predicates, quantifiers over different processes, choices and numbers with fractions.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_cubicle::LANGUAGE;
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};

fn opened(text: &str) -> Result<Box<dyn Model>, String> {
    let input = Input::text(&Source::new("test.cub", text));
    let opened = LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    );
    opened.map_err(|trouble| trouble.to_string())
}

fn answer(text: &str) -> Answer {
    let mut model = opened(text).unwrap();
    let mut answers = Vec::new();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(3_000_000),
        ..Context::default()
    };
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .unwrap();
    let answer = answers.remove(0);
    if let Some(evidence) = &answer.evidence {
        let property = model.properties().remove(0);
        let certified = model.certify(evidence, &property, &Budget::unlimited());
        assert!(certified.is_ok(), "{text}");
    }
    answer
}

const HEAD: &str = "
    type place = Out | In
    var Free : bool
    array At[proc] : place
    predicate inside(p) { At[p] = In }
    predicate is(p, v) { At[p] = v }
    init (z) { is(z, Out) && Free = True }
";

fn door(bad: &str, guard: &str) -> String {
    format!(
        "{HEAD}
         {bad}
         transition enter (p) requires {{ is(p, Out) {guard} }} {{ At[p] := In; Free := False; }}
         transition leave (p) requires {{ inside(p) }} {{ At[p] := Out; Free := True; }}"
    )
}

#[test]
fn a_predicate_means_what_it_stands_for() {
    let ways = [
        "unsafe (a b) { At[a] = In && At[b] = In }",
        "unsafe (a b) { inside(a) && inside(b) }",
        "unsafe { not (forall a <> b. inside(a) => is(b, Out)) }",
        "unsafe { exists a <> b. inside(a) && not is(b, Out) }",
        "unsafe (a b) { if inside(a) then inside(b) else 0 = 1 }",
    ];
    for bad in ways {
        let good = answer(&door(bad, "&& Free = True"));
        assert_eq!(good.verdict, Verdict::Holds, "{bad}");
        assert_eq!(answer(&door(bad, "")).verdict, Verdict::Violated, "{bad}");
    }
}

#[test]
fn quantifiers_in_guards_speak_of_all_processes() {
    let bad = "unsafe (a b) { inside(a) && inside(b) }";
    let guarded = door(bad, "&& forall x. is(x, Out)");
    assert_eq!(answer(&guarded).verdict, Verdict::Holds);
    let open = door(bad, "&& exists x. is(x, Out)");
    assert_eq!(answer(&open).verdict, Verdict::Violated);
}

#[test]
fn predicates_that_are_not_there_or_never_end_are_mistakes() {
    for (wrong, told) in [
        ("unsafe (a) { outside(a) }", "no predicate `outside`"),
        ("unsafe (a) { is(a) }", "about 2 things"),
        (
            "predicate p(x) { q(x) } predicate q(x) { p(x) } unsafe (a) { p(a) }",
            "without end",
        ),
    ] {
        let mistake = opened(&door(wrong, "")).err().unwrap_or_default();
        assert!(mistake.contains(told), "{wrong}: {mistake}");
    }
}

#[test]
fn numbers_with_fractions_are_read_but_prove_nothing() {
    let text = |more: &str| {
        format!(
            "type place = Out | In
             var Clock : real
             const Step : real
             array At[proc] : place
             init (z) {{ At[z] = Out && Clock = 0.5 }}
             unsafe (z) {{ At[z] = In && Clock < 0.0 }}
             transition tick () {{ Clock := Clock + 0.25; }}
             transition enter (p) requires {{ {more} }} {{ At[p] := In; }}"
        )
    };
    // It holds, but nothing is known of fractions: it must not be called violated.
    assert_ne!(answer(&text("Clock > 1.0")).verdict, Verdict::Violated);
    assert_eq!(answer(&text("At[p] = In")).verdict, Verdict::Holds);
    let late = text("Clock > 1.0").replace("Clock < 0.0", "Clock > 1.0");
    assert_ne!(answer(&late).verdict, Verdict::Holds);
}

#[test]
fn numbers_may_stand_before_constants() {
    let text = "
        const Most : int
        var Used : int
        init { Used = 0 && Most = 3 }
        unsafe { Used > 2 * Most }
        transition use () requires { Used < Most } { Used := Used + 1; }";
    assert_ne!(answer(text).verdict, Verdict::Violated);
}
