//! What people write in files of this kind beside the core of the language.

use quotient_core::{Budget, Context, Source, Trouble, Verdict};
use quotient_cubicle::LANGUAGE;
use quotient_language::{Ask, Input, Model, NoFiles, Settings};

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

/// The verdicts, with all evidence certified, and how many doubts there are.
fn answered(text: &str) -> (Vec<Verdict>, usize) {
    let mut model = opened(text).unwrap();
    let mut answers = Vec::new();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(3_000_000),
        ..Context::default()
    };
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .unwrap();
    for (answer, property) in answers.iter().zip(model.properties()) {
        if let Some(evidence) = &answer.evidence {
            let certified = model.certify(evidence, &property, &Budget::unlimited());
            assert!(certified.is_ok(), "{text}");
        }
    }
    let doubts = model.doubts(&cx).unwrap().len();
    let verdicts = answers.into_iter().map(|answer| answer.verdict);
    (verdicts.collect(), doubts)
}

const LOCK: &str = "
    var Lock : bool
    array In[proc] : bool
    init (z) { Lock = False && In[z] = False }
    unsafe (x y) { In[x] = True && In[y] = True }
";

#[test]
fn what_is_assigned_may_be_a_formula_or_a_choice() {
    let good = format!(
        "{LOCK}
        transition enter (x) requires {{ not Lock }} {{ Lock := not Lock; In[x] := (Lock = False); }}
        transition leave (x) requires {{ In[x] }} {{ Lock := if In[x] then False else ?; In[x] := False }}"
    );
    assert_eq!(answered(&good), (vec![Verdict::Holds], 0));
    let bad = good.replace("Lock := not Lock", "Lock := Lock = True");
    assert_eq!(answered(&bad).0, [Verdict::Violated]);
}

#[test]
fn a_name_given_by_let_stands_for_its_term() {
    let text = |last: &str| {
        format!(
            "var X : int
            array A[proc] : int
            init (z) {{ X = 1 && A[z] = 0 }}
            unsafe (x) {{ A[x] > X }}
            transition take (p) requires {{ A[p] = 0 }}
            {{ let next = X + 1 in let more = (next + 1) in A[p] := next; X := {last}; }}"
        )
    };
    assert_eq!(answered(&text("more - 1")), (vec![Verdict::Holds], 0));
    assert_eq!(answered(&text("more - 3")).0, [Verdict::Violated]);
}

#[test]
fn bad_for_everybody_means_everybody() {
    let text = "
        array In[proc] : bool
        init (z) { In[z] = False }
        universal_unsafe (z) { In[z] = True }
        transition enter (x y) requires { In[x] = False && In[y] = False } { In[x] := True }
    ";
    // One is always left outside: no instance is bad, and no run may be told.
    assert_ne!(answered(text).0, [Verdict::Violated]);
    let all = text.replace("(x y)", "(x)").replace("&& In[y] = False", "");
    assert_eq!(answered(&all).0, [Verdict::Violated]);
    let none = text.replace("{ In[x] := True }", "{ In[x] := False }");
    assert_eq!(answered(&none).0, [Verdict::Holds]);
}

#[test]
fn candidates_are_hints_and_old_guards_are_read() {
    let text = format!(
        "{LOCK}
        candidate (z) {{ Lock = False && In[z] = True }}
        transition enter (x) requires {{ In[x] = False }} uguard (j) {{ In[j] = False }}
        {{ In[x] := True }}"
    );
    assert_eq!(answered(&text), (vec![Verdict::Holds], 0));
}

#[test]
fn numbers_with_fractions_may_begin_anywhere() {
    let text = "
        var Y : real
        array In[proc] : bool
        init (z) { Y = 0.5 && In[z] = False }
        unsafe (x y) { In[x] = True && In[y] = True }
        transition enter (x) requires { Y <= 1.0 } { In[x] := True; Y := Y + 0.75 }
    ";
    let (verdicts, doubts) = answered(text);
    assert_ne!(verdicts, [Verdict::Violated]);
    assert_eq!(doubts, 0);
    let more = text.replace("0.75", "0.25");
    assert_eq!(answered(&more).0, [Verdict::Violated]);
}

#[test]
fn numbers_with_fractions_are_followed_as_far_as_the_file_names_them() {
    let text = "
        var X : real
        array A[proc] : bool
        init (z) { A[z] = False && X = 0.25 }
        unsafe () { X = 0.75 }
        transition t (p) requires { A[p] = False } { X := X + 0.5; A[p] := True; }
    ";
    assert_eq!(answered(text).0, [Verdict::Violated]);
    let far = text.replace("0.75", "1.753").replace("0.5", "0.751");
    // What is not shown is told with its reason.
    match &answered(&far).0[..] {
        [Verdict::Unknown(stop)] => assert!(stop.to_string().contains("fractions"), "{stop}"),
        other => panic!("{other:?}"),
    }
    let two = far.replace("1.753", "1.752");
    assert_eq!(answered(&two).0, [Verdict::Violated]);
}

#[test]
fn what_is_not_known_is_told_with_a_way_out() {
    for (text, help) in [
        ("weak var X : int", "leave out `weak`"),
        (
            "var R : proc array A[proc] : bool init (z) { A[z] = False } unsafe (z) { A[R] = True }",
            "ask `R = x`",
        ),
    ] {
        let input = Input::text(&Source::new("test.cub", text));
        let (settings, cx) = (Settings::default(), Context::default());
        let Err(Trouble::Invalid(told)) = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx)
        else {
            panic!("{text}");
        };
        let mut helps = told.iter().flat_map(|one| &one.help);
        assert!(helps.any(|one| one.contains(help)), "{told:?}");
    }
}

#[test]
fn constants_stand_for_numbers_and_brackets_are_multiplied() {
    let text = |constants: &str, bad: &str| {
        format!(
            "{constants}
            var X : int
            array A[proc] : int
            init (z) {{ X = Two && A[z] = 0 }}
            unsafe (x) {{ A[x] > {bad} }}
            transition take (p) requires {{ A[p] = 0 }} {{ A[p] := (X + 1) * 2 * Two - Two; }}"
        )
    };
    for constants in [
        "const Two = 2",
        "const Two : int = 2",
        "const Two : = 1 + 1",
    ] {
        assert_eq!(answered(&text(constants, "10")).0, [Verdict::Holds]);
        assert_eq!(answered(&text(constants, "9")).0, [Verdict::Violated]);
    }
    for (text, told) in [
        ("const C = X", "given a number"),
        ("const C = 1 var C : int", "`C` is a constant"),
        ("const C = 1 transition t (C) {}", "`C` is a constant"),
        (
            "var X : int init () { X * X = 1 }",
            "only a number times a variable",
        ),
        ("const C = 1000000000 const D = C * C", "too large"),
    ] {
        let why = opened(text).err().unwrap();
        assert!(why.contains(told), "{text}: {why}");
    }
}

#[test]
fn a_number_may_end_with_its_point() {
    let text = |bad: &str| {
        format!(
            "var T : real
            init () {{ T = 0. }}
            unsafe () {{ T = {bad} }}
            transition tick () requires {{ T = 0. }} {{ T := T + 1.5; }}"
        )
    };
    assert_eq!(answered(&text("1.5")).0, [Verdict::Violated]);
}
