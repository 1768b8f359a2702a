//! What stands at the edge of what is read and counted: names that look like numbers, several
//! bounds of one variable, several starts, sums that outgrow 64 bits.

use quotient_core::{Budget, Context, Evidence, Verdict};
use quotient_language::{Answer, Model};
use quotient_net::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified, verdicts};
use quotient_trial::arbitrary::{Result as Made, Unstructured};
use serde_json::json;

const NET: Tested = Tested::new(LANGUAGE, "n.net");
const SPEC: Tested = Tested::new(LANGUAGE, "n.spec");
const PNML: Tested = Tested::new(LANGUAGE, "n.pnml");

/// The answers in the order of the file; evidence that there is is accepted.
fn certified(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = answers(model);
    all.sort_by_key(|one| one.number);
    for answer in all.iter().filter(|one| one.evidence.is_some()) {
        assert_certified(model, answer);
    }
    all
}

fn examined(tested: &Tested, text: &str, examination: &str) -> Box<dyn Model> {
    let model = tested.try_open(text, &[("examination", examination)], &[]);
    model.unwrap_or_else(|trouble| panic!("{trouble}"))
}

#[test]
fn what_stands_in_braces_is_a_name() {
    use Verdict::{Holds, Violated};
    let net = "pl {5} (0)\npl a (1)\ntr go a -> b\n";
    let asked = "check place : EF ({5} >= 1)\ncheck number : EF (5 >= 1)\n\
                 check both : AG (2*{5} + b <= 1)\nbound most : {5} + 3*b\n";
    let mut model = NET.open(&format!("{net}{asked}"));
    let given = certified(&mut *model);
    assert_eq!(verdicts(&given), [Violated, Holds, Holds, Holds]);
    let most = given[3].value.as_ref().and_then(|one| one.exact.clone());
    assert_eq!(most.as_deref(), Some("3"));
    // Names that no place has, the last of which is the least number of 64 bits.
    for name in ["{4}", "2*{7}", "{deadlock}", "{-9223372036854775808}"] {
        let told = NET.mistakes(&format!("{net}check q : AG (a - {name} >= 0)\n"));
        assert!(told[0].contains("there is no place"), "{name}: {told:?}");
    }
    let told = NET.mistakes(&format!("{net}check q : AG (2*5 >= a)\n"));
    assert!(told[0].contains("expected a place"), "{told:?}");
    // Places that are called like operators.
    let net = "pl A (1)\ntr go A -> G\n";
    let mut model = NET.open(&format!("{net}check q : AG ({{A}} + {{G}} = 1)\n"));
    assert_eq!(verdicts(&certified(&mut *model)), [Holds]);
    let help = |text: &str| match NET.try_open(text, &[], &[]) {
        Err(quotient_core::Trouble::Invalid(all)) => all[0].help.join("\n"),
        _ => panic!("this is no mistake: {text}"),
    };
    for (text, place) in [("AG (A = 1)", "A"), ("EF (G > 0)", "G"), ("A <= 1", "A")] {
        let told = help(&format!("{net}check q : {text}\n"));
        let wanted = format!("write `{{{place}}}` for the place");
        assert!(told.contains(&wanted), "{text}: {told}");
    }
    let told = help("pl a (1)\ntr go a -> b\ncheck q : AG (A = 1)\n");
    assert!(!told.contains("for the place"), "{told}");
}

#[test]
fn all_bounds_of_a_start_hold_together() {
    let rules = "vars x y\nrules\ny >= 1 -> y' = y - 1;\n";
    for (start, least, most) in [
        ("x >= 1, x <= 3, y = 1", 1, 3),
        ("x <= 3, x >= 1, y = 1", 1, 3),
        ("x in [0,5], y = 1, x in [2,9], x >= 1", 2, 5),
        ("x >= 1, y = 1\ninit x <= 3", 1, 3),
    ] {
        for number in 0..12 {
            let text = format!("{rules}init {start}\ntarget x >= {number}, x <= {number}\n");
            let given = certified(&mut *SPEC.open(&text));
            // The one rule leaves `x` as it is.
            let expected = match (least..=most).contains(&number) {
                true => Verdict::Violated,
                false => Verdict::Holds,
            };
            assert_eq!(verdicts(&given), [expected], "{text}");
        }
    }
    let told = SPEC.mistakes(&format!("{rules}init x = 1, y = 1 x = 2\ntarget x >= 5\n"));
    assert!(told[0].contains("expected `,`"), "{told:?}");
}

#[test]
fn what_is_stable_is_not_told_of_many_starts() {
    let rules = "vars x y\nrules\ny >= 1 -> y' = y - 1;\n";
    let many = format!("{rules}init x >= 0, y = 1\ntarget x >= 5\n");
    let mut model = examined(&SPEC, &many, "StableMarking");
    let given = certified(&mut *model);
    assert!(!given[0].verdict.is_definite(), "{given:?}");
    // Nor is it believed of anybody else.
    let asked = model.property("StableMarking").expect("a property");
    let body = json!({ "pieces": [] });
    for forged in [
        Evidence::of_holds("net-several", &body),
        Evidence::of_violated("net-several", &body),
    ] {
        let forged = forged.about("StableMarking");
        let judged = model.certify(&forged, &asked, &Budget::unlimited());
        assert!(judged.is_err());
    }
    let one = many.replace("x >= 0", "x = 3");
    let given = certified(&mut *examined(&SPEC, &one, "StableMarking"));
    assert_eq!(verdicts(&given), [Verdict::Holds]);
}

#[test]
fn transitions_that_never_fire_are_doubts() {
    let said = |net: &str| -> Vec<String> {
        let doubts = NET.open(net).doubts(&Context::default()).unwrap();
        doubts.into_iter().map(|one| one.text).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(said("pl p (1)\ntr t p -> q\ntr u q -> p\n"), none);
    // There are never two tokens.
    let few = "pl p (1)\ntr t p -> q\ntr u q -> p\ntr v p q -> r\n";
    assert_eq!(said(few), ["`v` never fires"]);
    // The markings are without end, but nothing ever comes to `x`; nor where there are many starts.
    let many = "tr grow -> p\ntr v p x -> y\ntr w y -> x\n";
    assert_eq!(said(many), ["`v` never fires", "`w` never fires"]);
    let spec = "vars p x y\nrules\np >= 1, x >= 1 -> x' = x-1, y' = y+1;\np >= 1 -> p' = p-1;\n\
        init p >= 1, x = 0, y = 0\ntarget y >= 1\n";
    let doubts = SPEC.open(spec).doubts(&Context::default()).unwrap();
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    // What can fire once is none, even where what comes of it is too large.
    assert_eq!(said("tr t -> p*9007199254740992\ntr u p -> q\n"), none);
    let chain: String = (0..12)
        .map(|at| format!("tr t{at} x{at} -> x{}\n", at + 1))
        .collect();
    let said = said(&format!("pl p (1)\ntr t p -> p\n{chain}"));
    assert_eq!(said.len(), 11);
    assert_eq!(said[10], "2 more transitions never fire");
}

#[test]
fn one_is_told_as_one() {
    let because = |net: &str| {
        certified(&mut *examined(&NET, net, "StateSpace"))[0]
            .because
            .clone()
    };
    assert_eq!(
        because("pl p (1)\ntr t p -> q\n"),
        "2 markings and 1 step; at most 1 token in a place and 1 in all"
    );
    assert_eq!(
        because("pl p (2)\ntr t p*3 -> q\n"),
        "1 marking and 0 steps; at most 2 tokens in a place and 2 in all"
    );
}

#[test]
fn sums_of_tokens_above_64_bits_are_not_made_smaller() {
    // 2048 times 2^53 is 2^64, of which each place gets half.
    let net = "pl q (1025)\ntr go q -> a*9007199254740992 b*9007199254740992\n";
    let mut model = examined(&NET, net, "StateSpace");
    let given = certified(&mut *model);
    let tokens = given[0]
        .details
        .iter()
        .find(|(name, _)| name == "mostInMarking");
    // Either it is not told, or as it is: twice 1025 times 2^53.
    let right = json!("18464758472218533888");
    assert!(
        tokens.is_none_or(|(_, value)| *value == right),
        "{tokens:?}"
    );
    let asked = model.property("StateSpace").expect("a property");
    let claimed = json!({ "markings": 1026, "steps": 1025, "mostInPlace": 9_232_379_236_109_516_800_u64,
        "mostInMarking": u64::MAX });
    let forged = Evidence::of_holds("net-size", &claimed).about("StateSpace");
    let judged = model.certify(&forged, &asked, &Budget::unlimited());
    assert!(judged.is_err());
    let given = certified(&mut *NET.open(&format!("{net}bound all : a + b\nbound one : a\n")));
    assert!(!given[0].verdict.is_definite(), "{given:?}");
    let one = given[1].value.as_ref().and_then(|one| one.exact.clone());
    assert_eq!(one.as_deref(), Some("9232379236109516800"));
}

#[test]
fn a_bound_takes_nothing_away() {
    let net = "pl a (0)\npl b (2)\ntr t b -> c\ntr u c -> b\n";
    for sum in ["a - b", "- a", "{c} - 3*b", "a + b - 2*b"] {
        let told = NET.mistakes(&format!("{net}bound q : {sum}\n"));
        assert!(told[0].contains("not taken away"), "{sum}: {told:?}");
    }
    let text = format!("{net}bound none : a - a\nbound some : 2*b - b + c\n");
    let given = certified(&mut *NET.open(&text));
    let numbers: Vec<_> = given
        .iter()
        .filter_map(|one| one.value.as_ref()?.exact.clone())
        .collect();
    assert_eq!(numbers, ["0", "2"]);
}

#[test]
fn a_reference_has_a_name_of_its_own() {
    let file = |id: &str| {
        format!(
            "<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\"><place id=\"p\"/><place id=\"o\"/>\
             <referencePlace id=\"{id}\" ref=\"o\"/><transition id=\"t\"/>\
             <arc id=\"x\" source=\"{id}\" target=\"t\"/></page></net></pnml>"
        )
    };
    for id in ["p", "t", "o"] {
        let told = PNML.mistakes(&file(id));
        assert!(told[0].contains("is there twice"), "{id}: {told:?}");
    }
    certified(&mut *PNML.open(&file("r")));
}

#[test]
fn a_reference_is_to_what_it_says() {
    let file = |kind: &str, to: &str, more: &str| {
        format!(
            "<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\"><place id=\"p\"/><transition id=\"t\"/>\
             <reference{kind} id=\"r\" ref=\"{to}\"/>{more}</page></net></pnml>"
        )
    };
    let back = "<arc id=\"x\" source=\"r\" target=\"p\"/>";
    for (kind, to, more) in [
        ("Place", "t", back),
        ("Place", "t", ""),
        ("Transition", "p", ""),
        ("Place", "nothing", ""),
        ("Place", "r", ""),
    ] {
        let told = PNML.mistakes(&file(kind, to, more));
        assert!(
            told[0].contains("a reference to a"),
            "{kind} {to}: {told:?}"
        );
    }
    certified(&mut *PNML.open(&file("Transition", "t", back)));
}

#[test]
fn what_a_file_says_in_another_way_is_not_passed_over() {
    let file = |place: &str, arc: &str, more: &str| {
        format!(
            "<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\"><place id=\"p\">{place}</place>\
             <transition id=\"t\"/><arc id=\"x\" source=\"p\" target=\"t\">{arc}</arc></page></net>{more}</pnml>"
        )
    };
    let one = "<initialMarking><text>1</text></initialMarking>";
    for (text, expected) in [
        (
            file("<initialMarking>1</initialMarking>", "", ""),
            "expected `<initialMarking><text>",
        ),
        (
            file("", "<inscription>2</inscription>", ""),
            "expected `<inscription><text>",
        ),
        (file(&one.repeat(2), "", ""), "a second `<initialMarking>`"),
        (
            file("<capacity><text>1</text></capacity>", "", ""),
            "places with a limit",
        ),
        (
            file(one, "", "<net id=\"m\" type=\"ptnet\"/>"),
            "a second net",
        ),
    ] {
        let told = PNML.mistakes(&text);
        assert!(told[0].contains(expected), "{text}: {told:?}");
    }
    let without = "<capacity><value>0</value></capacity><initialMarking/>";
    certified(&mut *PNML.open(&file(without, "<inscription/>", "")));
}

#[test]
fn what_comes_before_and_what_is_reached_are_told_by_their_names() {
    let net = "<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\"><place id=\"p\">\
               <initialMarking><text>1</text></initialMarking></place></page></net></pnml>";
    let asked = |parts: [&str; 2]| {
        let file = format!(
            "<property-set><property><id>q</id><formula><exists-path><until>{}{}</until>\
             </exists-path></formula></property></property-set>",
            parts[0], parts[1]
        );
        let files = [("p.xml", file.as_str())];
        let mut model = PNML
            .try_open(net, &[("properties", "p.xml")], &files)
            .unwrap();
        verdicts(&answers(&mut *model)).remove(0)
    };
    let there = "<integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place></tokens-count></integer-le>";
    let never = "<integer-le><integer-constant>2</integer-constant><tokens-count><place>p</place></tokens-count></integer-le>";
    let (before, reach) = (
        format!("<before>{never}</before>"),
        format!("<reach>{there}</reach>"),
    );
    assert_eq!(asked([&before, &reach]), Verdict::Holds);
    assert_eq!(asked([&reach, &before]), Verdict::Holds);
    let other = format!("<left>{never}</left>");
    assert!(matches!(asked([&other, &reach]), Verdict::Unknown(_)));
}

fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let mut net = "pl a (1)\n".to_owned();
    for number in 0..u.int_in_range(1..=4)? {
        let (from, to) = (*u.choose(&["a", "b", "c"])?, *u.choose(&["a", "b", "c"])?);
        net.push_str(&format!("tr t{number} {from} -> {to}\n"));
    }
    net.push_str("pl b (0)\npl c (0)\n");
    Ok(net)
}

/// A formula of linear time, and the same without `W` and `R`.
fn formula(u: &mut Unstructured<'_>, depth: usize) -> Made<(String, String)> {
    if depth == 0 {
        let atom = format!("{} > 0", u.choose(&["a", "b", "c"])?);
        return Ok((format!("({atom})"), format!("({atom})")));
    }
    let (left, left2) = formula(u, depth - 1)?;
    let (right, right2) = formula(u, depth - 1)?;
    Ok(match u.int_in_range(0..=6)? {
        0 => (format!("(!{left})"), format!("(!{left2})")),
        1 => (format!("(G {left})"), format!("(G {left2})")),
        2 => (format!("(F {left})"), format!("(F {left2})")),
        3 => (format!("(X {left})"), format!("(X {left2})")),
        4 | 5 => (
            format!("({left} W {right})"),
            format!("(({left2} U {right2}) | (G {left2}))"),
        ),
        _ => (
            format!("({left} R {right})"),
            format!("(!((!{left2}) U (!{right2})))"),
        ),
    })
}

#[test]
fn weak_until_and_release_are_what_until_says() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let depth = u.int_in_range(1..=3)?;
        let (one, other) = formula(u, depth)?;
        let text = format!("{net}check one : {one}\ncheck other : {other}\n");
        let given = certified(&mut *NET.open(&text));
        assert_eq!(given[0].verdict, given[1].verdict, "{text}");
        for answer in &given {
            let told = answer.verdict.is_definite() && answer.evidence.is_some();
            assert!(told, "{text}{answer:?}");
        }
        Ok(())
    })
    .budget_ms(3_000);
}
