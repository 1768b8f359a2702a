//! Names that mean several things, numbers that are too large, and what is written twice: each of
//! them once gave a wrong answer.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_cubicle::LANGUAGE;
use quotient_language::{Ask, Input, Model, NoFiles, Settings};

fn opened(text: &str) -> Result<Box<dyn Model>, String> {
    let input = Input::text(&Source::new("test.cub", text));
    let cx = Context::default();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    opened.map_err(|trouble| trouble.to_string())
}

/// Verdicts, each with evidence that is accepted.
fn verdicts(text: &str) -> Vec<Verdict> {
    let mut model = opened(text).unwrap_or_else(|told| panic!("{text}: {told}"));
    let mut answers = Vec::new();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(3_000_000),
        ..Context::default()
    };
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .unwrap();
    let properties = model.properties();
    for (answer, property) in answers.iter().zip(&properties) {
        if let Some(evidence) = &answer.evidence {
            let certified = model.certify(evidence, property, &Budget::unlimited());
            assert!(certified.is_ok(), "{text}");
        }
    }
    answers.into_iter().map(|answer| answer.verdict).collect()
}

fn is_told(text: &str, why: &str) {
    let told = opened(text).err().unwrap_or_default();
    assert!(told.contains(why), "{text}: {told}");
}

/// What one may call the process of a transition, a predicate, or a quantifier changes nothing.
#[test]
fn names_of_processes_do_not_matter() {
    let differs = |z: &str| {
        format!(
            "type place = Out | In | Bad
             array At[proc] : place
             predicate differs(x) {{ forall_other z. z <> x }}
             init (p) {{ At[p] = Out }}
             unsafe (a b c) {{ At[a] = Bad && At[b] = In && At[c] = In }}
             transition enter (p) requires {{ At[p] = Out }} {{ At[p] := In; }}
             transition fail (p {z})
             requires {{ At[p] = In && At[{z}] = In && differs({z}) }} {{ At[p] := Bad; }}"
        )
    };
    let alone = |z: &str| {
        format!(
            "type place = Out | In
             array At[proc] : place
             predicate alone(x) {{ forall z. (z = x || At[z] = Out) }}
             init (p) {{ At[p] = Out }}
             unsafe (a b) {{ At[a] = In && At[b] = In }}
             transition enter ({z}) requires {{ At[{z}] = Out && alone({z}) }} {{ At[{z}] := In; }}"
        )
    };
    let lost = |c: &str| {
        format!(
            "var M : bool
             var X : bool
             array R[proc,proc] : bool
             init (x y) {{ R[x,y] = False && M = False && X = False }}
             unsafe () {{ X = True }}
             transition mark (p q) requires {{ M = False }} {{ R[p,q] := True; M := True; }}
             transition t ({c})
             requires {{ M = True && forall a <> b. R[a,b] = False }} {{ X := True; }}"
        )
    };
    for (z, c) in [("z", "a"), ("y", "c"), ("x", "b")] {
        assert_eq!(verdicts(&differs(z)), [Verdict::Violated], "{z}");
        assert_eq!(verdicts(&alone(z)), [Verdict::Holds], "{z}");
        assert_ne!(verdicts(&lost(c)), [Verdict::Violated], "{c}");
    }
}

const NUMBERS: &str = "
    var X : real
    var I : int
    var B : bool
    array A[proc] : bool
    init (z) { X = 0.5 && I = 1 && B = False && A[z] = False }
    unsafe () { B = True }
";

#[test]
fn numbers_that_become_too_large_are_told() {
    let large = vec!["1000000000000"; 100].join(" + ");
    let twice = "let k = 1000000000000 * I in let l = 1000000000000 * k in I := l;";
    for step in [
        format!("requires {{ X < {large} + 0.5 }} {{ B := True; }}"),
        format!("requires {{ X < {large} }} {{ B := True; }}"),
        format!("{{ X := X + {large}; }}"),
        format!("{{ {twice} }}"),
    ] {
        let text = format!("{NUMBERS} transition t (p) {step}").replace("0.5", "0.000001");
        is_told(&text, "too large");
    }
    let bad = format!("{NUMBERS} unsafe () {{ X < {large} }}").replace("0.5", "0.000001");
    is_told(&bad, "too large");
}

#[test]
fn whole_numbers_are_not_added_to_fractions() {
    let step = |what: &str| format!("{NUMBERS} transition t (p) {what}");
    for mixed in [
        "{ X := X + I; }",
        "requires { X < I + 1 } { B := True; }",
        "requires { X - I < 0.5 } { B := True; }",
    ] {
        is_told(&step(mixed), "a whole number stands where");
    }
    assert!(opened(&step("{ X := X + 1; }")).is_ok());
}

#[test]
fn what_is_assigned_twice_is_told() {
    let head = "type t = Out | In | Bad
        var X : t
        array S[proc] : t
        array R[proc,proc] : t
        init (z) { S[z] = Out && X = Out }
        unsafe (a) { S[a] = Bad }
        transition go (p q) requires { S[p] = Out }";
    for twice in [
        "{ X := In; X := Bad; }",
        "{ S[p] := In; S[p] := Bad; }",
        "{ S[j] := case | j = q : In | _ : S[j]; S[p] := Bad; }",
        "{ S[p] := Bad; S[j] := case | j = q : In | _ : S[j]; }",
        "{ R[p,q] := In; R[p,q] := Bad; }",
        "{ R[p,j] := In; R[q,p] := Bad; }",
    ] {
        is_told(&format!("{head} {twice}"), "assigned a second time");
    }
    let apart = format!("{head} {{ S[p] := In; S[q] := Bad; R[p,q] := In; R[q,p] := Bad; }}");
    assert_eq!(verdicts(&apart), [Verdict::Violated]);
    is_told(&format!("{head} {{ R[j,j] := In; }}"), "named twice");
    // A process that a variable names is no index; it was read as every process.
    is_told(&format!("{head} {{ S[X] := In; }}"), "cannot be a process");
}

#[test]
fn transitions_of_one_name_are_kept_apart() {
    let text = "type t = Out | In | Bad
        array S[proc] : t
        init (z) { S[z] = Out }
        unsafe (a) { S[a] = Bad }
        transition go (p) requires { S[p] = Out } { S[p] := In; }
        transition go_2 (p) requires { S[p] = Bad } { S[p] := In; }
        transition go (p) requires { S[p] = In } { S[p] := Bad; }";
    assert_eq!(verdicts(text), [Verdict::Violated]);
}

#[test]
fn names_of_let_and_of_quantifiers_are_kept_apart() {
    let text = |asked: &str| {
        format!(
            "type t = Out | In
             var X : t
             array S[proc] : t
             init (z) {{ S[z] = Out && X = Out }}
             unsafe () {{ X = In }}
             transition go (p) {{ let v = S[p] in X := case | {asked} : In | _ : X; }}"
        )
    };
    is_told(&text("(forall_other p. S[p] <> v)"), "something else");
    is_told(&text("(exists p. S[p] <> v)"), "something else");
    // Nobody is such; a proof of that is not always found.
    for asked in ["(exists q. S[q] <> v)", "(exists v. v <> v)"] {
        assert_ne!(verdicts(&text(asked)), [Verdict::Violated], "{asked}");
    }
}

#[test]
fn predicates_speak_of_their_parameters_only() {
    let text = |predicate: &str, asked: &str| {
        format!(
            "type t = Out | In
             array S[proc] : t
             {predicate}
             init (z) {{ S[z] = Out }}
             unsafe (p x) {{ {asked} }}
             transition go (p) {{ S[p] := Out; }}"
        )
    };
    let inside = "predicate inside(x) { S[x] = In }";
    assert_eq!(verdicts(&text(inside, "inside(p)")), [Verdict::Holds]);
    is_told(&text("predicate own() { S[p] = In }", "own()"), "`p`");
    is_told(&text(inside, "inside(p + 1)"), "`x (a parameter)`");
    is_told(&text(inside, "inside(S[p])"), "`x (a parameter)`");
    is_told(&text(&inside.repeat(2), "inside(p)"), "already");
    is_told(&text("predicate i(x, x) { S[x] = In }", "i(p, x)"), "twice");
    is_told(
        &text(inside, "exists In. inside(In)"),
        "cannot be a process",
    );
}

#[test]
fn deep_quantifiers_and_long_sums_end() {
    let deep: String = (0..40).map(|one| format!("exists q{one}. ")).collect();
    let sums: String = (1..60)
        .map(|one| format!("let v{one} = v{} + v{} in ", one - 1, one - 1))
        .collect();
    is_told(
        &format!("{NUMBERS} unsafe (a b c d) {{ {deep} A[q0] = A[q39] }}"),
        "too",
    );
    is_told(
        &format!("{NUMBERS} transition t (p) {{ let v0 = I + I in {sums} I := v59; }}"),
        "too long",
    );
}

#[test]
fn a_value_written_twice_is_told() {
    is_told(
        "type place = Out | Out | In\narray S[proc] : place\ninit (p) { S[p] = Out }\n\
         unsafe (p) { S[p] <> Out }\ntransition go (p) requires { S[p] = Out } { S[p] := Out; }",
        "value `Out` already",
    );
}
