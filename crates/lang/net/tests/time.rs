//! Formulas about runs, and the contest's questions without files, on random nets.

use std::collections::BTreeSet;

use quotient_core::{Budget, Evidence, Verdict};
use quotient_language::{Answer, Model};
use quotient_net::LANGUAGE;
use quotient_testkit::language::{self, Tested, assert_certified, attack_all};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

fn open(text: &str, properties: &str, more: &[(&str, &str)]) -> Box<dyn Model> {
    let mut given = more.to_vec();
    if !properties.is_empty() {
        given.push(("properties", "p.xml"));
    }
    Tested::new(LANGUAGE, "r.net")
        .try_open(text, &given, &[("p.xml", properties)])
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn random_net(u: &mut Unstructured<'_>) -> Made<String> {
    let mut net = String::new();
    for place in ["a", "b", "c"] {
        net.push_str(&format!("pl {place} ({})\n", u.int_in_range(0..=2)?));
    }
    for number in 0..u.int_in_range(1..=4)? {
        let side = |u: &mut Unstructured<'_>| -> Made<String> {
            let mut side = String::new();
            for place in ["a", "b", "c"] {
                let weight: u64 = u.int_in_range(0..=1)?;
                if weight > 0 {
                    side.push_str(place);
                    side.push(' ');
                }
            }
            Ok(side)
        };
        net.push_str(&format!("tr t{number} {}-> {}\n", side(u)?, side(u)?));
    }
    Ok(net)
}

fn condition(u: &mut Unstructured<'_>) -> Made<String> {
    let place = *u.choose(&["a", "b", "c"])?;
    Ok(match u.int_in_range(0..=3)? {
        0 => "<is-fireable><transition>t0</transition></is-fireable>".to_owned(),
        1 => "<deadlock/>".to_owned(),
        number => format!(
            "<integer-le><integer-constant>{}</integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le>",
            number - 1
        ),
    })
}

fn formula(u: &mut Unstructured<'_>, depth: usize, branching: bool) -> Made<String> {
    if depth == 0 {
        return condition(u);
    }
    let inner = formula(u, depth - 1, branching)?;
    let path = match u.int_in_range(0..=6)? {
        0 => return Ok(format!("<negation>{inner}</negation>")),
        1 => {
            let other = formula(u, depth - 1, branching)?;
            return Ok(format!("<conjunction>{inner}{other}</conjunction>"));
        }
        2 => {
            let other = formula(u, depth - 1, branching)?;
            return Ok(format!("<disjunction>{inner}{other}</disjunction>"));
        }
        3 => format!("<next>{inner}</next>"),
        4 => format!("<finally>{inner}</finally>"),
        5 => format!("<globally>{inner}</globally>"),
        _ => {
            let other = formula(u, depth - 1, branching)?;
            format!("<until><before>{inner}</before><reach>{other}</reach></until>")
        }
    };
    Ok(match (branching, u.arbitrary()?) {
        (false, _) => path,
        (true, true) => format!("<all-paths>{path}</all-paths>"),
        (true, false) => format!("<exists-path>{path}</exists-path>"),
    })
}

fn file(formulas: &[String]) -> String {
    let property = |(number, formula): (usize, &String)| {
        format!("<property><id>p{number}</id><formula>{formula}</formula></property>")
    };
    let all: String = formulas.iter().enumerate().map(property).collect();
    format!("<property-set>{all}</property-set>")
}

/// All answers in the order of the file.
fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = language::answers(model);
    all.sort_by_key(|one| one.number);
    all
}

#[test]
fn answers_about_runs_have_evidence_that_nobody_accepts_for_the_opposite() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let branching = u.arbitrary()?;
        let mut formulas = Vec::new();
        for _ in 0..3 {
            let depth = u.int_in_range(1..=4)?;
            let inner = formula(u, depth, branching)?;
            formulas.push(match branching {
                true => inner,
                // The first makes the file one about single runs.
                false if formulas.is_empty() => {
                    format!("<all-paths><next><next>{inner}</next></next></all-paths>")
                }
                false => format!("<all-paths>{inner}</all-paths>"),
            });
        }
        let mut model = open(&net, &file(&formulas), &[("states", "300")]);
        for answer in &answers(&mut *model) {
            if answer.verdict.is_definite() {
                assert_certified(&mut *model, answer);
            }
        }
        Ok(())
    })
    .budget_ms(5_000);
}

/// A ring of two places: one token goes round for ever; `c` may get stuck aside.
const RING: &str = "pl a (1)\ntr go a -> b\ntr back b -> a\ntr leave b -> c\n";

fn token(place: &str) -> String {
    format!(
        "<integer-le><integer-constant>1</integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le>"
    )
}

#[test]
fn runs_that_end_stay_where_they_ended() {
    let (a, c) = (token("a"), token("c"));
    let formulas = [
        // Every run comes to `a` again and again, or gets stuck at `c`.
        format!(
            "<all-paths><disjunction><globally><finally>{a}</finally></globally><finally><globally>{c}</globally></finally></disjunction></all-paths>"
        ),
        format!("<all-paths><globally><finally>{a}</finally></globally></all-paths>"),
        format!("<all-paths><finally><globally>{c}</globally></finally></all-paths>"),
        format!(
            "<all-paths><globally><next><disjunction>{a}{c}<next>{a}</next><next>{c}</next></disjunction></next></globally></all-paths>"
        ),
    ];
    let mut model = open(RING, &file(&formulas), &[]);
    let given = answers(&mut *model);
    let verdicts: Vec<Verdict> = given.iter().map(|one| one.verdict.clone()).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts, [Holds, Violated, Violated, Holds]);
    let lasso = given[2].trace.as_ref().unwrap();
    assert!(lasso.back_to.is_some());
    for answer in &given {
        assert_certified(&mut *model, answer);
    }
}

#[test]
fn only_a_beginning_that_leaves_no_way_decides() {
    let never = format!(
        "<all-paths><globally><disjunction><negation>{}</negation><next>{}</next></disjunction></globally></all-paths>",
        token("b"),
        token("a")
    );
    let sometime = format!("<all-paths><finally>{}</finally></all-paths>", token("c"));
    let later = format!(
        "<all-paths><next><next>{}</next></next></all-paths>",
        token("b")
    );
    let mut model = open(RING, &file(&[never, sometime, later]), &[]);
    let found = answers(&mut *model);
    assert_eq!(found[0].because, "2 steps break it, whatever comes after");
    assert_certified(&mut *model, &found[0]);
    let judged = |model: &mut dyn Model, name: &str, fired: &[&str], back: Option<usize>| {
        let mut body = serde_json::json!({
            "run": { "start": { "a": 1 }, "fired": fired },
            "decides": true,
        });
        if let Some(back) = back {
            body["backTo"] = back.into();
        }
        let evidence = Evidence::of_violated("net-lasso", &body).about(name);
        let property = model.property(name).unwrap();
        model
            .certify(&evidence, &property, &Budget::unlimited())
            .is_ok()
    };
    assert!(judged(&mut *model, "p0", &["go", "leave"], None));
    // Longer is no harm; what comes before decides nothing, nor does a run that goes round.
    assert!(!judged(&mut *model, "p0", &["go"], None));
    assert!(!judged(&mut *model, "p0", &["go", "leave"], Some(0)));
    assert!(!judged(&mut *model, "p0", &["leave"], None));
    assert!(!judged(&mut *model, "p1", &["go", "back"], None));
    assert!(!judged(&mut *model, "p1", &[], None));
    assert!(judged(&mut *model, "p2", &["go", "back"], None));
    assert!(!judged(&mut *model, "p2", &["go"], None));
}

#[test]
fn branching_formulas_see_maximal_runs() {
    let (a, c) = (token("a"), token("c"));
    let formulas = [
        format!(
            "<all-paths><globally><exists-path><finally>{c}</finally></exists-path></globally></all-paths>"
        ),
        format!("<exists-path><globally><negation>{c}</negation></globally></exists-path>"),
        format!(
            "<all-paths><globally><disjunction>{c}<exists-path><next>{a}</next></exists-path><exists-path><next><exists-path><next>{a}</next></exists-path></next></exists-path></disjunction></globally></all-paths>"
        ),
        // Nothing follows where nothing can fire.
        format!(
            "<exists-path><finally><conjunction>{c}<all-paths><next>{a}</next></all-paths></conjunction></finally></exists-path>"
        ),
        format!(
            "<exists-path><finally><conjunction>{c}<exists-path><next>{c}</next></exists-path></conjunction></finally></exists-path>"
        ),
    ];
    let mut model = open(RING, &file(&formulas), &[]);
    let given = answers(&mut *model);
    let verdicts: Vec<Verdict> = given.iter().map(|one| one.verdict.clone()).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts, [Holds, Holds, Holds, Holds, Violated]);
}

#[test]
fn forged_evidence_about_runs_is_never_believed() {
    let (a, c) = (token("a"), token("c"));
    let linear = [
        format!("<all-paths><globally><finally>{a}</finally></globally></all-paths>"),
        format!(
            "<all-paths><globally><next><disjunction>{a}{c}<next>{a}</next><next>{c}</next></disjunction></next></globally></all-paths>"
        ),
    ];
    let branching = [
        format!(
            "<all-paths><globally><exists-path><finally>{c}</finally></exists-path></globally></all-paths>"
        ),
        format!(
            "<exists-path><finally><conjunction>{c}<exists-path><next>{c}</next></exists-path></conjunction></finally></exists-path>"
        ),
    ];
    for (properties, more) in [
        (file(&linear), &[][..]),
        (file(&branching), &[]),
        (
            String::new(),
            &[
                ("examination", "Liveness"),
                ("examination", "StableMarking"),
                ("examination", "QuasiLiveness"),
                ("examination", "StateSpace"),
            ],
        ),
    ] {
        attack_all(vec![open(RING, &properties, more)], 150, 100_000);
    }
}

#[test]
fn examinations_are_answered_as_the_markings_say() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let examinations = [
            "ReachabilityDeadlock",
            "OneSafe",
            "StableMarking",
            "QuasiLiveness",
            "Liveness",
            "StateSpace",
        ];
        let more: Vec<(&str, &str)> = examinations
            .iter()
            .map(|&one| ("examination", one))
            .collect();
        let mut model = open(&net, "", &[&more[..], &[("states", "300")]].concat());
        let given = answers(&mut *model);
        // The same by walking with a simulation.
        let Some(seen) = walked(&net) else {
            return Ok(());
        };
        let dead = seen.iter().any(|(_, enabled)| enabled.is_empty());
        let safe = seen
            .iter()
            .all(|(marking, _)| marking.iter().all(|&tokens| tokens <= 1));
        let fired: BTreeSet<usize> = seen.iter().flat_map(|one| one.1.clone()).collect();
        let quasi = fired.len() == net.matches("tr ").count();
        let expected = [Some(dead), Some(safe), None, Some(quasi)];
        for (answer, expected) in given.iter().zip(expected) {
            if let Some(expected) = expected {
                assert_eq!(
                    answer.verdict == Verdict::Holds,
                    expected,
                    "{} {net}",
                    answer.property
                );
            }
        }
        if given[4].verdict == Verdict::Holds {
            assert!(quasi && !dead, "{net}");
        }
        let size = given[5]
            .value
            .as_ref()
            .and_then(|value| value.exact.clone());
        assert_eq!(size, Some(seen.len().to_string()), "{net}");
        for answer in given.iter().filter(|one| one.evidence.is_some()) {
            assert_certified(&mut *model, answer);
        }
        Ok(())
    })
    .budget_ms(3_000);
}

/// What each transition takes and gives, by place, with the start.
type Parsed = (Vec<u64>, Vec<(Vec<usize>, Vec<usize>)>);

fn parsed(net: &str) -> Option<Parsed> {
    let index = |place: &str| ["a", "b", "c"].iter().position(|one| *one == place);
    let mut start = vec![0; 3];
    let mut moves = Vec::new();
    for line in net.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "pl" => start[index(words[1])?] = words[2].trim_matches(['(', ')']).parse().ok()?,
            _ => {
                let arrow = words.iter().position(|word| *word == "->")?;
                let side = |words: &[&str]| words.iter().filter_map(|word| index(word)).collect();
                let (take, give): (Vec<usize>, Vec<usize>) =
                    (side(&words[2..arrow]), side(&words[arrow + 1..]));
                moves.push((take, give));
            }
        }
    }
    Some((start, moves))
}

/// All markings with what can fire there, read from the text; nothing if there are many.
fn walked(net: &str) -> Option<Vec<(Vec<u64>, BTreeSet<usize>)>> {
    let (start, moves) = parsed(net)?;
    let mut all = vec![start];
    let mut out = Vec::new();
    while let Some(marking) = all.get(out.len()).cloned() {
        let mut enabled = BTreeSet::new();
        for (number, (take, give)) in moves.iter().enumerate() {
            if take.iter().any(|&place| marking[place] == 0) {
                continue;
            }
            enabled.insert(number);
            let mut next = marking.clone();
            take.iter().for_each(|&place| next[place] -= 1);
            give.iter().for_each(|&place| next[place] += 1);
            if !all.contains(&next) {
                all.push(next);
            }
        }
        out.push((marking, enabled));
        if all.len() > 200 {
            return None;
        }
    }
    Some(out)
}

/// As many tokens as anybody wants.
const ANY: u64 = u64::MAX;

/// The nodes of Karp and Miller's tree: what grows along a branch grows without end.
fn karp_miller(start: &[u64], moves: &[(Vec<usize>, Vec<usize>)]) -> Vec<Vec<u64>> {
    let mut nodes: Vec<(Vec<u64>, Option<usize>)> = vec![(start.to_vec(), None)];
    let mut at = 0;
    while at < nodes.len() {
        let (marking, _) = nodes[at].clone();
        let known = nodes[..at].iter().any(|(other, _)| *other == marking);
        for (take, give) in moves.iter().filter(|_| !known) {
            if take.iter().any(|&place| marking[place] == 0) {
                continue;
            }
            let mut next = marking.clone();
            for (side, sign) in [(take, -1), (give, 1)] {
                for &place in side.iter().filter(|place| marking[**place] != ANY) {
                    next[place] = next[place].wrapping_add_signed(sign);
                }
            }
            let mut before = Some(at);
            while let Some(node) = before {
                let (old, parent) = &nodes[node];
                if old != &next && old.iter().zip(&next).all(|(a, b)| a <= b) {
                    let grown = old
                        .iter()
                        .zip(&next)
                        .map(|(a, b)| if a < b { ANY } else { *b });
                    next = grown.collect();
                }
                before = *parent;
            }
            nodes.push((next, Some(at)));
        }
        at += 1;
    }
    nodes.into_iter().map(|(marking, _)| marking).collect()
}

#[test]
fn coverability_is_that_of_karp_and_miller() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let target = [u.int_in_range(0..=4)?, u.int_in_range(0..=4)?, u.int_in_range(1..=4)?];
        let Some((start, moves)) = parsed(&net) else {
            return Ok(());
        };
        let covers = |node: &Vec<u64>| node.iter().zip(&target).all(|(a, b)| a >= b);
        let expected = karp_miller(&start, &moves).iter().any(covers);
        let conditions: String = ["a", "b", "c"]
            .iter()
            .zip(target)
            .map(|(place, least)| format!("<integer-le><integer-constant>{least}</integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le>"))
            .collect();
        let formula = format!("<exists-path><finally><conjunction>{conditions}</conjunction></finally></exists-path>");
        let mut model = open(&net, &file(&[formula]), &[("states", "100")]);
        let answer = answers(&mut *model).remove(0);
        assert!(answer.verdict.is_definite(), "{net}");
        assert_eq!(answer.verdict == Verdict::Holds, expected, "{target:?}\n{net}");
        assert_certified(&mut *model, &answer);
        Ok(())
    })
    .budget_ms(2_500);
}

#[test]
fn evidence_for_several_parts_shows_each_of_them() {
    use Verdict::{Holds, Violated};
    // Every transition can fire again; the lock keeps no place as it is.
    let net = "pl lock (1)\npl out (2)\ntr enter out lock -> in\ntr leave in -> out lock\n";
    let all = ["QuasiLiveness", "Liveness", "StableMarking"];
    let more: Vec<(&str, &str)> = all.iter().map(|&one| ("examination", one)).collect();
    let mut model = open(net, "", &more);
    let given = answers(&mut *model);
    let verdicts: Vec<Verdict> = given.iter().map(|one| one.verdict.clone()).collect();
    assert_eq!(verdicts, [Holds, Holds, Violated]);
    for answer in &given {
        assert_eq!(answer.evidence.as_ref().unwrap().kind, "net-several");
        assert_certified(&mut *model, answer);
        // Without a piece, or without a part of one; with a part twice instead of another; with
        // one that is not there.
        let pieces = answer.evidence.as_ref().unwrap().body["pieces"].as_array();
        let pieces = pieces.unwrap().clone();
        let parts: usize = pieces
            .iter()
            .map(|one| one["parts"].as_array().unwrap().len())
            .sum();
        for at in 0..pieces.len() {
            let mut forged = answer.clone();
            let body = &mut forged.evidence.as_mut().unwrap().body;
            body["pieces"].as_array_mut().unwrap().remove(at);
            assert!(language::certified(&mut *model, &forged).is_err());
            for (from, to) in [(0, 1), (1, 0), (parts - 1, parts)] {
                let mut forged = answer.clone();
                let body = &mut forged.evidence.as_mut().unwrap().body;
                let listed = body["pieces"][at]["parts"].as_array_mut().unwrap();
                let mut changed = false;
                for part in listed {
                    if *part == serde_json::json!(from) {
                        *part = serde_json::json!(to);
                        changed = true;
                    }
                }
                if changed {
                    assert!(language::certified(&mut *model, &forged).is_err());
                }
            }
        }
    }
    // The evidence of one question is none for another.
    let mut forged = given[1].clone();
    forged.evidence = given[0].evidence.clone();
    let evidence = forged.evidence.as_mut().unwrap();
    evidence.property = Some("Liveness".to_owned());
    assert!(language::certified(&mut *model, &forged).is_err());
}
