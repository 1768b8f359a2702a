//! Forgeries by hand, each of a false claim and refused by one rule, with what must be accepted
//! beside it.

use quotient_core::{Budget, Context, Evidence, Source};
use quotient_language::{Input, Model, NoFiles, Settings};
use serde_json::{Value, json};

/// Nobody comes to `C`.
const GOOD: &str = "type t = A | B | C
    array S[proc] : t
    init (z) { S[z] = A }
    unsafe (z) { S[z] = C }
    transition go (i) requires { S[i] = A } { S[i] := B; }
    transition back (i) requires { S[i] = B } { S[i] := A; }";

/// Two that are at `B` bring one to `C`.
const BOOM: &str = "transition boom (i j) requires { S[i] = B && S[j] = B } { S[i] := C; }";

fn certify(text: &str, evidence: &Evidence) -> String {
    let input = Input::text(&Source::new("model.cub", text));
    let language = quotient_cubicle::LANGUAGE;
    let cx = Context::default();
    let mut model: Box<dyn Model> = language
        .open(&input, &mut NoFiles, &Settings::default(), &cx)
        .unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
    let property = model.properties().remove(0);
    match model.certify(evidence, &property, &Budget::unlimited()) {
        Ok(_) => "accepted".to_owned(),
        Err(why) => why.to_string(),
    }
}

fn never(text: &str, parts: &[(usize, &str)]) -> String {
    let part = |(processes, formula): &(usize, &str)| json!({ "processes": processes, "formula": formula });
    let parts: Vec<Value> = parts.iter().map(part).collect();
    let body = json!({ "never": parts });
    certify(text, &Evidence::of_holds("arrays-invariant", &body))
}

#[test]
fn each_rule_about_what_never_happens_refuses_what_breaks_it() {
    let faulty = format!("{GOOD}\n{BOOM}");
    let at_c = (1, "S[#1] = C");
    assert_eq!(never(GOOD, &[at_c]), "accepted");
    for (text, parts, why) in [
        (&faulty[..], &[at_c][..], "`boom` may lead into part 1"),
        (&faulty, &[], "outside the invariant"),
        // Too weak: one alone is bad.
        (
            &faulty,
            &[(2, "S[#1] = C && S[#2] = C")],
            "outside the invariant",
        ),
        // What keeps `boom` out is not kept out.
        (
            &faulty,
            &[at_c, (2, "S[#1] = B && S[#2] = B")],
            "`go` may lead into part 2",
        ),
        (
            &faulty,
            &[at_c, (1, "S[#1] = B")],
            "`go` may lead into part 2",
        ),
        (
            &faulty,
            &[at_c, (1, "S[#1] = B"), (1, "S[#1] = A")],
            "part 3 of the invariant is there at a start",
        ),
        // Everything never happens: then nothing does.
        (&faulty, &[(0, "0 = 0")], "part 1 of the invariant is there"),
        (&faulty, &[(13, "S[#1] = C")], "too many processes"),
        (&faulty, &[(usize::MAX, "S[#1] = C")], "too many processes"),
    ] {
        let told = never(text, parts);
        assert!(told.contains(why), "{parts:?}: {told}");
    }
    // Formulas that are none, or speak of processes that are not there.
    for part in [
        (0, "S[#1] = C"),
        (1, "S[#2] = C"),
        (1, "S[#1] = D"),
        (1, "S[#0] = C"),
        (1, "S[#1] ="),
        (1, ""),
        (1, "S[#1] = C }"),
        (1, "forall_other j. S[j] = B"),
    ] {
        let told = never(&faulty, &[at_c, part]);
        assert_ne!(told, "accepted", "{part:?}");
    }
}

#[test]
fn numbers_are_not_left_out() {
    let counts = |bad: &str| {
        format!(
            "var N : int\n array K[proc] : int\n init (z) {{ N = 0 && K[z] = 0 }}
             unsafe () {{ {bad} }}
             transition up (i) requires {{ K[i] <= N }} {{ N := N + 1; K[i] := N; }}"
        )
    };
    assert_eq!(never(&counts("N < 0"), &[(0, "N < 0")]), "accepted");
    for parts in [
        &[(0, "N = 3")][..],
        &[(0, "3 <= N")],
        &[(0, "N = 3"), (0, "N = 2")],
        &[(0, "N = 3"), (1, "K[#1] = 2")],
    ] {
        let told = never(&counts("N = 3"), parts);
        assert!(told.contains("`up` may lead into"), "{parts:?}: {told}");
    }
    let told = never(&counts("N = 3"), &[(0, "N = 3"), (0, "N = 0")]);
    assert!(told.contains("is there at a start"), "{told}");
}

#[test]
fn each_rule_about_runs_refuses_what_breaks_it() {
    let faulty = format!("{GOOD}\n{BOOM}");
    let states = json!([[0, 0], [1, 0], [1, 1], [2, 1]]);
    let steps = json!([["go", [0]], ["go", [1]], ["boom", [0, 1]]]);
    let run = |processes: u64, states: &Value, steps: &Value| {
        let body = json!({ "processes": processes, "states": states, "steps": steps });
        certify(&faulty, &Evidence::of_violated("arrays-run", &body))
    };
    assert_eq!(run(2, &states, &steps), "accepted");
    let is_none = "not one of this system";
    for processes in [0, 1, 3, 1001, u64::MAX] {
        let told = run(processes, &states, &steps);
        assert!(told.contains(is_none), "{processes}: {told}");
    }
    for (forged, why) in [
        (json!([[0, 0], [1, 0], [1, 1]]), is_none),
        (json!([[0, 0], [1, 0], [1, 1], [2, 1], [2, 1]]), is_none),
        (json!([[0, 0], [1, 0], [1, 1], [3, 1]]), is_none),
        (json!([[0, 0], [1, 0], [1, 1], [2, -1]]), is_none),
        (json!([[0, 0], [1, 0], [1, 1], [2]]), is_none),
        (json!([[1, 0], [1, 0], [1, 1], [2, 1]]), "at a start"),
        // Another cell changes, too; nothing changes; the wrong one does.
        (json!([[0, 0], [1, 1], [1, 1], [2, 1]]), "step 1"),
        (json!([[0, 0], [1, 0], [1, 0], [2, 0]]), "step 2"),
        (json!([[0, 0], [1, 0], [1, 1], [1, 2]]), "step 3"),
    ] {
        let told = run(2, &forged, &steps);
        assert!(told.contains(why), "{forged}: {told}");
    }
    for (forged, why) in [
        (
            json!([["go", [0]], ["go", [1]], ["boom", [0, 0]]]),
            "step 3",
        ),
        (
            json!([["go", [0]], ["go", [1]], ["boom", [0, 2]]]),
            "step 3",
        ),
        (json!([["go", [0]], ["go", [1]], ["boom", [0]]]), "step 3"),
        (
            json!([["go", [0]], ["go", [1]], ["boom", [1, 0]]]),
            "step 3",
        ),
        (
            json!([["go", [0]], ["back", [1]], ["boom", [0, 1]]]),
            "step 2",
        ),
        (
            json!([["go", [0]], ["go", [1]], ["bang", [0, 1]]]),
            "`bang`",
        ),
    ] {
        let told = run(2, &states, &forged);
        assert!(told.contains(why), "{forged}: {told}");
    }
    let (states, steps) = (json!([[0, 0], [1, 0]]), json!([["go", [0]]]));
    assert!(run(2, &states, &steps).contains("nothing bad"));
    assert!(run(2, &json!([[2, 0]]), &json!([])).contains("at a start"));
    // One kind with the claim of the other.
    let body = json!({ "never": [] });
    let told = certify(&faulty, &Evidence::of_violated("arrays-invariant", &body));
    assert!(told.contains("says nothing about such a claim"), "{told}");
}

/// A value that two types have is no process, and of no third type.
#[test]
fn values_of_several_types_stand_for_nothing_else() {
    let text = "type place = Out | In
        type other = Foo | In
        array At[proc] : place
        array Other[proc] : other
        init (z) { At[z] = Out && Other[z] = Foo }
        unsafe (a b) { At[a] = In && At[b] = In }
        transition enter (p) requires { At[p] = Out } { At[p] := In; }";
    for formula in ["#1 = In", "In = #1", "#1 <> In"] {
        let told = never(text, &[(1, formula)]);
        assert_ne!(told, "accepted", "{formula}");
    }
    let refused = |text: &str| {
        let input = Input::text(&Source::new("model.cub", text));
        let cx = Context::default();
        let opened =
            quotient_cubicle::LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
        opened.is_err()
    };
    assert!(!refused(text));
    assert!(refused(
        &text.replace("requires { At[p] = Out }", "requires { p = In }")
    ));
    let third = text
        .replace("Out | In", "Out | Into")
        .replace("= In ", "= Into ");
    let third = third.replace(":= In;", ":= Into;") + " type more = Bar | In";
    assert!(!refused(&third));
    assert!(refused(&third.replace(":= Into;", ":= In;")));
}
