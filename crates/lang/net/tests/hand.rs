//! Evidence forged by hand: each claim is false of the net, and one rule of the checker refuses it.

use quotient_core::{Budget, Claim, Evidence};
use quotient_language::Model;
use quotient_net::LANGUAGE;
use quotient_testkit::language::Tested;
use serde_json::{Value, json};

/// A token goes round between `a` and `b`; once, `d` becomes two in `c`. Places in this order.
const NET: &str = "pl a (1)\npl b (0)\npl c (0)\npl d (1)
tr t a -> b\ntr u b -> a\ntr v d -> c c
check low : AG (c <= 1)
check one : AG (a + b <= 1)
check turns : AG (EF b >= 1)
check done : EF (AG c = 2)
bound most : c
";

/// The same with a formula of linear time, which holds.
const LINEAR: &str = "pl a (1)\npl b (0)\npl d (1)\ntr t a -> b\ntr u b -> a\ntr v d ->
check again : G (a = 1 -> F b = 1)
check stays : G d = 1
";

const START: [u64; 4] = [1, 0, 0, 1];

fn open(net: &str) -> Box<dyn Model> {
    Tested::new(LANGUAGE, "n.net")
        .try_open(net, &[], &[])
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// That evidence is refused, and why.
fn refused(net: &str, about: &str, claim: Claim, kind: &str, body: Value, why: &str) {
    let mut model = open(net);
    let asked = model.property(about).expect("a property");
    let mut evidence = match claim {
        Claim::Holds => Evidence::of_holds(kind, &body),
        Claim::Violated => Evidence::of_violated(kind, &body),
    };
    evidence = evidence.about(&asked.name);
    let judged = model.certify(&evidence, &asked, &Budget::unlimited());
    let said = judged.expect_err(&format!("{about} {kind} {body}"));
    assert!(
        said.to_string().contains(why),
        "{about} {kind} {body}: {said}"
    );
}

fn holds(about: &str, kind: &str, body: Value, why: &str) {
    refused(NET, about, Claim::Holds, kind, body, why);
}

fn violated(about: &str, kind: &str, body: Value, why: &str) {
    refused(NET, about, Claim::Violated, kind, body, why);
}

/// All four markings.
fn all() -> [[u64; 4]; 4] {
    [START, [0, 1, 0, 1], [1, 0, 2, 0], [0, 1, 2, 0]]
}

#[test]
fn markings_that_are_not_all() {
    let kind = "net-markings";
    let markings = |all: &[&[u64]]| json!({ "markings": all });
    holds("low", kind, markings(&[]), "the start is not among");
    holds(
        "low",
        kind,
        markings(&[&START]),
        "leads out of the markings",
    );
    let short = markings(&[&[], &START]);
    holds("low", kind, short, "one number for each place");
    holds("low", kind, json!({ "markings": all() }), "fulfils it");
    // Transitions that make a number too large are not forgotten.
    let most = u64::from(u32::MAX);
    let net = format!("pl a (0)\npl g (1)\ntr t g -> a*{most} g\ncheck full : AG (g = 1)\n");
    let body = markings(&[&[0, 1], &[most, 1]]);
    refused(&net, "full", Claim::Holds, kind, body, "leads out");
}

#[test]
fn a_weight_that_cannot_be_read_is_no_part_of_a_name() {
    let large = [
        "18446744073709551616",
        "99999999999999999999",
        "x",
        "-1",
        "",
    ];
    for weight in large {
        let net = format!("pl a (0)\npl g (1)\ntr t g -> a*{weight} g\ncheck none : AG (a = 0)\n");
        let opened = Tested::new(LANGUAGE, "n.net").try_open(&net, &[], &[]);
        let said = opened.err().map(|trouble| trouble.to_string());
        assert!(
            said.as_ref()
                .is_some_and(|said| said.contains("arc with a weight")),
            "{weight}: {said:?}"
        );
    }
    // In braces it is a name, and another one than `a`.
    let net = "pl {a*x} (0)\npl g (1)\ntr t g -> {a*x} g\ncheck none : AG ({a*x} = 0)\n";
    let mut model = open(net);
    let answers = quotient_testkit::language::answers(&mut *model);
    assert_eq!(answers[0].verdict, quotient_core::Verdict::Violated);
    let net = "pl a (0)\npl g (1)\ntr t g -> {a*2}*3 {->}\ncheck none : AG (a = 0)\n";
    let mut model = open(&format!("{net}bound three : {{a*2}}\n"));
    let answers = quotient_testkit::language::answers(&mut *model);
    assert_eq!(answers[0].verdict, quotient_core::Verdict::Holds);
    let most = answers[1]
        .value
        .as_ref()
        .and_then(|value| value.exact.clone());
    assert_eq!(most.as_deref(), Some("3"));
}

#[test]
fn weights_that_exclude_nothing() {
    let kind = "net-inequality";
    let proof = |weights: Value, factors: &[u64]| json!({ "proofs": [{ "weights": weights, "factors": factors }] });
    holds("low", kind, json!({ "proofs": [] }), "needs its weights");
    holds("low", kind, proof(json!({ "c": 1 }), &[1]), "larger");
    holds("low", kind, proof(json!({ "d": 0 }), &[1]), "do not cover");
    let suffices = proof(json!({ "c": 1, "d": 2 }), &[1]);
    holds("low", kind, suffices, "the start suffice");
    holds("low", kind, proof(json!({ "c": 1 }), &[]), "larger");
    holds("low", kind, proof(json!({ "x": 1 }), &[1]), "no place");
}

#[test]
fn a_basis_that_is_none() {
    let kind = "net-basis";
    holds("low", kind, json!({ "basis": [] }), "leaves out");
    holds(
        "low",
        kind,
        json!({ "basis": [{ "c": 2 }] }),
        "from outside",
    );
    // Closed, but it begins there.
    let closed = json!({ "basis": [{ "c": 2 }, { "d": 1 }] });
    holds("low", kind, closed, "contains a start");
    let limited = json!({ "basis": [{ "c": 2 }], "limits": [{ "d": 0 }] });
    holds("low", kind, limited, "leaves out");
    let grows = json!({ "basis": [], "weights": [{ "c": 1 }] });
    holds("low", kind, grows, "weighted sum larger");
    let many = json!({ "basis": [{ "c": 2 }], "limits": [{}, {}] });
    holds("low", kind, many, "needs its limits");
}

#[test]
fn a_bound_that_is_another() {
    let kind = "net-bound";
    let start = json!({ "a": 1, "d": 1 });
    let stays = json!({ "start": start, "fired": [] });
    let bound = |value: u64, more: Value| {
        let mut body = json!({ "value": value, "run": stays });
        let more = more.as_object().cloned().unwrap_or_default();
        body.as_object_mut().unwrap().extend(more);
        body
    };
    let weights = |weights: Value, factors: &[u64]| json!({ "weights": { "weights": weights, "factors": factors } });
    let larger = json!({ "c": 1, "d": 2 });
    holds(
        "most",
        kind,
        bound(1, weights(larger.clone(), &[1])),
        "does not reach",
    );
    holds(
        "most",
        kind,
        bound(0, weights(larger, &[1])),
        "allow more tokens",
    );
    holds(
        "most",
        kind,
        bound(0, weights(json!({}), &[1])),
        "allow more tokens",
    );
    holds(
        "most",
        kind,
        bound(0, weights(json!({}), &[0])),
        "need one factor",
    );
    holds(
        "most",
        kind,
        bound(0, json!({ "markings": [START] })),
        "leads out",
    );
    holds(
        "most",
        kind,
        bound(0, json!({ "markings": all() })),
        "more tokens",
    );
    holds(
        "most",
        kind,
        bound(0, json!({})),
        "expected weights or markings",
    );
    violated("most", kind, bound(0, json!({})), "never violated");
}

#[test]
fn runs_that_are_none() {
    let run = |start: Value, fired: &[&str]| json!({ "start": start, "fired": fired });
    let start = json!({ "a": 1, "d": 1 });
    let kind = "net-run";
    violated(
        "one",
        kind,
        run(json!({ "a": 2, "d": 1 }), &[]),
        "does not begin",
    );
    violated(
        "one",
        kind,
        run(json!({ "a": 1, "d": 1, "x": 1 }), &[]),
        "no place",
    );
    violated("one", kind, run(start.clone(), &["w"]), "no transition");
    violated("one", kind, run(start.clone(), &["u"]), "cannot fire");
    violated("one", kind, run(start.clone(), &["t"]), "does not show it");
    holds(
        "one",
        kind,
        run(start.clone(), &[]),
        "does not show this claim",
    );
    // What is said about runs that go on.
    let lasso = |fired: &[&str], back: Value| json!({ "run": run(json!({ "a": 1, "d": 1 }), fired), "backTo": back });
    let never = |body: Value, why: &str| {
        refused(LINEAR, "again", Claim::Violated, "net-lasso", body, why);
    };
    never(json!({ "run": run(start, &[]) }), "can go on where it ends");
    never(lasso(&["v"], json!(0)), "does not come back");
    never(lasso(&[], json!(0)), "does not come back");
    never(lasso(&["t", "u"], json!(0)), "fulfils the formula");
    // A number without a bound.
    let pump = |fired: &[&str], from: usize| json!({ "run": run(json!({ "a": 1, "d": 1 }), fired), "from": from });
    holds("most", "net-pump", pump(&["v"], 0), "does not add");
    holds("most", "net-pump", pump(&["t", "u"], 0), "does not add");
    holds("most", "net-pump", pump(&["v"], 2), "shorter");
}

#[test]
fn stubborn_sets_that_are_none() {
    let kind = "net-stubborn";
    let sets = |all: &[(&[u64], &[usize])]| json!({ "markings": all });
    holds("low", kind, sets(&[]), "the start is not among");
    holds("low", kind, sets(&[(&START, &[])]), "not stubborn");
    holds("low", kind, sets(&[(&START, &[0])]), "not stubborn");
    holds("low", kind, sets(&[(&START, &[9])]), "not stubborn");
    holds("low", kind, sets(&[(&START, &[2])]), "leads out");
    holds(
        "low",
        kind,
        sets(&[(&[], &[]), (&START, &[2])]),
        "one number for each place",
    );
    let led = sets(&[(&START, &[2]), (&[1, 0, 2, 0], &[])]);
    holds("low", kind, led, "fulfils it");
}

#[test]
fn diagrams_that_are_none() {
    // Lists for one marking, from the last place up.
    let path = |marking: &[u64]| -> Vec<(u32, u32, u32)> {
        let mut below = 1;
        let mut lists = Vec::new();
        for tokens in marking.iter().rev() {
            lists.push((u32::try_from(*tokens).unwrap(), below, 0));
            below = u32::try_from(lists.len()).unwrap() + 1;
        }
        lists
    };
    let order = ["a", "b", "c", "d"];
    let diagram =
        |order: &[&str], lists: &[(u32, u32, u32)]| json!({ "order": order, "lists": lists });
    let kind = "net-diagram";
    let start = path(&START);
    holds("low", kind, diagram(&order[..3], &start), "one level");
    holds(
        "low",
        kind,
        diagram(&["a", "b", "c", "c"], &start),
        "one level",
    );
    holds(
        "low",
        kind,
        diagram(&["a", "b", "c", "x"], &start),
        "not a decision diagram",
    );
    holds("low", kind, diagram(&order, &start[..3]), "");
    holds(
        "low",
        kind,
        diagram(&order, &path(&[0, 1, 0, 1])),
        "the start is not among",
    );
    holds("low", kind, diagram(&order, &start), "leads out");
    // All four markings: `a` and `b` in turn, above `c` and `d`.
    let all = [
        (1, 1, 0), // 2: d = 1
        (0, 1, 0), // 3: d = 0
        (2, 3, 0), // 4: c = 2, d = 0
        (0, 2, 4), // 5: c = 0, d = 1; or the above
        (1, 5, 0), // 6: b = 1
        (0, 5, 0), // 7: b = 0
        (1, 7, 0), // 8: a = 1, b = 0
        (0, 6, 8), // 9: a = 0, b = 1; or the above
    ];
    holds("low", kind, diagram(&order, &all), "fulfils it");
    // Lists that are not sorted, or refer to what comes later.
    let mut odd = all;
    odd[3] = (2, 3, 2);
    holds("low", kind, diagram(&order, &odd), "not a decision diagram");
    let mut odd = all;
    odd[0] = (1, 9, 0);
    holds("low", kind, diagram(&order, &odd), "not a decision diagram");
    // What is true on it is not violated, and what is false does not hold.
    violated("turns", "net-sets", diagram(&order, &all), "another value");
    violated("done", "net-sets", diagram(&order, &all), "another value");
    let missing = diagram(&order, &path(&START));
    violated("turns", "net-sets", missing, "leads out");
}

#[test]
fn parts_and_conditions_that_decide_nothing() {
    let part = |all: &[[u64; 4]]| json!({ "markings": all });
    violated("turns", "net-part", part(&[START]), "do not decide");
    violated("turns", "net-part", part(&all()), "do not decide");
    violated("done", "net-part", part(&[]), "");
    violated("done", "net-part", part(&all()), "do not decide");
    let short = json!({ "markings": [[1, 0]] });
    violated("done", "net-part", short, "one number for each place");
    let constant =
        |proofs: Value| json!({ "atoms": [{ "atom": 0, "value": true, "proofs": proofs }] });
    let stays = |body: Value, why: &str| {
        refused(LINEAR, "stays", Claim::Holds, "net-constant", body, why);
    };
    stays(constant(json!([])), "needs its weights");
    stays(json!({ "atoms": [] }), "does not decide");
    stays(
        json!({ "atoms": [{ "atom": 7, "value": true, "proofs": [] }] }),
        "no such condition",
    );
    // A part of all markings, in which a run breaks the formula.
    let all = json!({ "markings": [[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]] });
    refused(
        LINEAR,
        "stays",
        Claim::Holds,
        "net-part",
        all,
        "breaks the formula",
    );
    let some = json!({ "markings": [[1, 0, 1], [0, 1, 1]] });
    refused(LINEAR, "stays", Claim::Holds, "net-part", some, "");
}

#[test]
fn transfers_are_beyond_weights_diagrams_and_stubborn_sets() {
    // All of `x` goes to `y`: the target is reached in one step.
    let spec = "vars\n  x y\nrules\n  x >= 1 ->\n    y' = y + x,\n    x' = 0;\ninit\n  x = 2, y = 0\ntarget\n  y >= 2\n";
    let forged = |kind: &str, body: Value, why: &str| {
        let tested = Tested::new(LANGUAGE, "n.spec");
        let mut model = tested.try_open(spec, &[], &[]).expect("a net");
        let asked = model.property("safe").expect("a property");
        let evidence = Evidence::of_holds(kind, &body).about("safe");
        let judged = model.certify(&evidence, &asked, &Budget::unlimited());
        let said = judged.expect_err(kind).to_string();
        assert!(said.contains(why), "{kind}: {said}");
    };
    let weights = json!({ "proofs": [{ "weights": { "y": 1 }, "factors": [1] }] });
    forged("net-inequality", weights, "nothing about transfers");
    let lists = [(0, 1, 0), (2, 2, 0)];
    let start = json!({ "order": ["x", "y"], "lists": lists });
    forged("net-diagram", start, "nothing about transfers");
    let alone = json!({ "markings": [[[2, 0], []]] });
    forged("net-stubborn", alone, "does not show this claim");
    forged("net-markings", json!({ "markings": [[2, 0]] }), "leads out");
    let basis = json!({ "basis": [{ "y": 2 }] });
    forged("net-basis", basis, "from outside");
    let sum = json!({ "basis": [], "weights": [{ "y": 1 }] });
    forged("net-basis", sum, "weighted sum larger");
}

#[test]
fn numbers_of_markings_that_are_others() {
    let net = NET.split("check").next().expect("a net");
    let tested = Tested::new(LANGUAGE, "n.net");
    let opened = tested.try_open(net, &[("examination", "StateSpace")], &[]);
    let mut model = opened.expect("a net");
    let asked = model.property("StateSpace").expect("a property");
    let mut judged = |markings: u64, steps: u64| {
        let body =
            json!({ "markings": markings, "steps": steps, "mostInPlace": 2, "mostInMarking": 3 });
        let evidence = Evidence::of_holds("net-size", &body).about("StateSpace");
        let judged = model.certify(&evidence, &asked, &Budget::unlimited());
        judged.map_err(|why| why.to_string())
    };
    judged(4, 6).expect("the right numbers");
    assert!(judged(3, 6).unwrap_err().contains("more markings"));
    assert!(judged(5, 6).unwrap_err().contains("others"));
    assert!(judged(4, 5).unwrap_err().contains("others"));
}

#[test]
fn evidence_about_another_property_is_none() {
    let mut model = open(NET);
    let asked = model.property("low").expect("a property");
    let body = json!({ "markings": all() });
    let evidence = Evidence::of_holds("net-markings", &body).about("one");
    let judged = model.certify(&evidence, &asked, &Budget::unlimited());
    let said = judged.expect_err("another").to_string();
    assert!(said.contains("another property"), "{said}");
}

#[test]
fn what_more_tokens_hinder_is_not_repeated() {
    // It fires three times, and then never.
    let net = "pl a (0)\ntr t a?-3 -> a\nbound most : a\n";
    let body = json!({ "run": { "start": {}, "fired": ["t"] }, "from": 0 });
    refused(
        net,
        "most",
        Claim::Holds,
        "net-pump",
        body,
        "less might be able",
    );
}

#[test]
fn a_diagram_is_left_at_the_top_at_the_bottom_and_below() {
    // `a`, or `b`; and a diagram without the one or the other, or with too little below.
    let net = "pl a (1)\npl b (0)\npl c (0)\ntr t a -> b\ntr u b -> c\ncheck low : AG (c = 0)\nbound most : c\n";
    let diagram = |lists: &[(u32, u32, u32)]| json!({ "order": ["a", "b", "c"], "lists": lists });
    let left = |lists: &[(u32, u32, u32)], why: &str| {
        refused(net, "low", Claim::Holds, "net-diagram", diagram(lists), why);
    };
    let (none, one) = ((0, 1, 0), (1, 1, 0));
    left(&[none, (0, 2, 0), (1, 3, 0)], "`t` leads out");
    left(
        &[none, (0, 2, 0), (1, 2, 0), (1, 3, 0), (0, 4, 5)],
        "`u` leads out",
    );
    let whole = [
        none,
        one,
        (0, 2, 0),
        (0, 3, 0),
        (1, 2, 0),
        (0, 3, 5),
        (1, 4, 0),
        (0, 7, 8),
    ];
    left(&whole, "");
    let body = json!({ "value": 0, "run": { "start": { "a": 1 }, "fired": [] }, "diagram": diagram(&[
        none, one, (0, 2, 0), (1, 2, 0), (0, 3, 5), (1, 4, 0), (0, 6, 7),
    ]) });
    refused(net, "most", Claim::Holds, "net-bound", body, "more tokens");
}

/// Two who wait and go, one at a time; only what the second did leads on to `z`, in the first net.
const EXCHANGED: &str = "pl w0 (1)\npl g0 (0)\npl w1 (1)\npl g1 (0)\npl l (1)\npl z (0)
tr e0 w0 l -> g0\ntr e1 w1 l -> g1\ntr x g1 -> z
check never : AG (z = 0)
";

#[test]
fn blocks_that_cannot_be_exchanged() {
    let kind = "net-orbits";
    let (start, gone) = ([1, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0]);
    let body = |families: Value, markings: &[[u64; 6]]| json!({ "families": families, "markings": markings });
    let pair = json!([[["w0", "g0"], ["w1", "g1"]]]);
    let never = |net: &str, body: Value, why: &str| {
        refused(net, "never", Claim::Holds, kind, body, why);
    };
    // Closed under firing if the two were alike: what the second does is then written as the first's.
    let forged = body(pair.clone(), &[start, gone]);
    never(EXCHANGED, forged.clone(), "cannot be exchanged");
    // The net is the same for both, but what is asked is about the second alone.
    let asked = EXCHANGED
        .replace("tr x g1 -> z", "")
        .replace("(z = 0)", "(g1 = 0)");
    never(&asked, forged.clone(), "cannot be exchanged");
    let asked = EXCHANGED.replace("tr x g1 -> z", "tr x0 g0 -> z\ntr x1 g1 -> z z");
    never(&asked, forged, "cannot be exchanged");
    // A net and a question that do not tell them apart: what is refused is the list.
    let both = EXCHANGED.replace("tr x g1 -> z", "tr x0 g0 -> z\ntr x1 g1 -> z");
    never(&both, body(pair.clone(), &[start, gone]), "leads out");
    never(&both, body(pair.clone(), &[gone]), "the start is not among");
    never(&both, body(pair.clone(), &[]), "the start is not among");
    let more = [start, gone, [0, 0, 1, 0, 0, 1]];
    never(&both, body(pair, &more), "fulfils it");
    // A place in two blocks, or twice in one; blocks of other lengths; no block; no such place.
    for families in [
        json!([[["w0", "g0"], ["g0", "w0"]]]),
        json!([[["w0", "w0"], ["w1", "g1"]]]),
        json!([[["w0", "g0"]], [["w1", "g0"]]]),
        json!([[["w0", "g0"], ["w1"]]]),
        json!([[["w0"], ["w1", "g1"]]]),
        json!([[]]),
    ] {
        never(&both, body(families, &[start, gone]), "cannot be exchanged");
    }
    never(&both, body(json!([[["w0"], ["w9"]]]), &[start]), "no place");
    let short = json!({ "families": [], "markings": [vec![1], start.to_vec()] });
    never(&both, short, "one number for each place");
    // Blocks in another order are not those of the first: waiting is not going.
    let crossed = json!([[["w0", "g0"], ["g1", "w1"]]]);
    never(&both, body(crossed, &[start, gone]), "cannot be exchanged");
    // Without exchanges it is the plain list.
    never(&both, body(json!([]), &[start]), "leads out");
}

#[test]
fn a_marking_of_the_set_that_nothing_leads_to_shows_nothing() {
    // The token of `b` would come to `a`, where the other one is; none comes back.
    let net = "pl a (1)\npl b (0)\ntr go b -> a\ncheck again : AG (EF b >= 1)\n\
               check never : AG (EF a >= 1)\n";
    // `a` and `b` with one token, in the one place or in the other: closed, and all lead to the start.
    let body =
        json!({ "order": ["a", "b"], "lists": [[0, 1, 0], [1, 1, 0], [1, 2, 0], [0, 3, 4]] });
    refused(
        net,
        "again",
        Claim::Holds,
        "net-sets",
        body.clone(),
        "another value",
    );
    let mut model = open(net);
    for (about, real) in [
        ("again", Evidence::of_violated("net-sets", &body)),
        ("never", Evidence::of_holds("net-sets", &body)),
    ] {
        let asked = model.property(about).expect("a property");
        let real = real.about(&asked.name);
        let judged = model.certify(&real, &asked, &Budget::unlimited());
        assert!(judged.is_ok(), "{about}: {judged:?}");
    }
}
