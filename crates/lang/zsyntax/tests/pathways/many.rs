//! Starts with any amount of something: many at once.

use std::collections::BTreeSet;

use quotient_core::Verdict;
use quotient_testkit::language::{answers, assert_certified, attack_all};

use crate::common::{Sides, open, random, written};

#[test]
fn questions_about_all_starts_are_answered_with_evidence() {
    use Verdict::{Holds, Violated};
    let pathway = "start any A & B\nA & B -> B & C\n2 D -> E\n";
    for (question, expected) in [
        ("can exactly 2 A & B & 3 C", Holds),
        ("can exactly C", Violated),
        ("can exactly A & B & D", Violated),
        ("always B = 1", Holds),
        // No D, so no E.
        ("always 2 E = 0", Holds),
        ("always B + D = 2", Violated),
        ("always A = 0", Violated),
        ("always A + C = 0", Violated),
        ("always C = 0", Violated),
        ("ltl G C = 0", Violated),
        ("ltl B -> F (ended & C = 2)", Violated),
    ] {
        let mut model = open(&format!("{pathway}{question}\n"));
        let answer = answers(&mut *model).remove(0);
        assert_eq!(answer.verdict, expected, "{question}: {}", answer.because);
        assert_certified(&mut *model, &answer);
    }
    let mut model = open("start any A & B & C\nA & B -> X\nA & C -> Y\none end\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Violated);
    assert_certified(&mut *model, &answer);
    // So from each start, but there are too many.
    for question in ["one end", "ltl F ended"] {
        let mut model = open(&format!("{pathway}{question}\n"));
        let answer = answers(&mut *model).remove(0);
        assert!(!answer.verdict.is_definite(), "{question}");
    }
}

#[test]
fn forged_evidence_about_many_starts_is_never_believed() {
    let texts = [
        "start any A & B\nA & B -> B & C\n2 D -> E\ncan exactly C\ncan exactly A & B & C\nalways E = 0\nalways C = 0\nltl G !C\n",
        // Other names: what is true here of the same names would be no forgery.
        "start any P & Q & R\nP & Q -> U\nP & R -> V\none end\nalways U + Q = 1\nalways U + V = 0\n",
    ];
    attack_all(texts.into_iter().map(open).collect(), 150, 100_000);
}

/// All that can be derived, if it is little.
fn derived(start: [u64; 3], reactions: &[Sides]) -> Option<BTreeSet<[u64; 3]>> {
    let mut all = BTreeSet::from([start]);
    let mut todo = vec![start];
    while let Some(one) = todo.pop() {
        for (take, give) in reactions {
            if (0..3).all(|at| one[at] >= take[at]) {
                let mut next = one;
                (0..3).for_each(|at| next[at] = next[at] - take[at] + give[at]);
                if all.insert(next) {
                    todo.push(next);
                }
            }
        }
        if all.len() > 300 {
            return None;
        }
    }
    Some(all)
}

#[test]
fn answers_about_many_starts_agree_with_each_of_them() {
    let mut decided = [0; 4];
    quotient_trial::trial(|u| {
        let (start, reactions) = random(u)?;
        let target = [
            u.int_in_range(0..=2)?,
            u.int_in_range(0..=2)?,
            u.int_in_range(1..=2)?,
        ];
        let (factor, value) = (u.int_in_range(1..=2)?, u.int_in_range(0..=3)?);
        let lines: String = reactions
            .iter()
            .map(|(take, give)| format!("{} -> {}\n", written(*take), written(*give)))
            .collect();
        let more = match start {
            [0, 0, 0] => String::new(),
            some => format!(" & {}", written(some)),
        };
        let text = format!(
            "start any A{more}\n{lines}A & B & C & Z -> Z\n\
             can exactly {}\nalways B + {factor} C = {value}\nltl G (C < 2)\none end\n",
            written(target)
        );
        let mut model = open(&text);
        let given = answers(&mut *model);
        // Each of the first starts, by brute force.
        let (mut exactly, mut other, mut many, mut ends) = (false, false, false, false);
        for amount in 0..=4 {
            let from = [start[0] + amount, start[1], start[2]];
            let Some(all) = derived(from, &reactions) else {
                continue;
            };
            let is_end = |one: &&[u64; 3]| {
                let mut reactions = reactions.iter();
                !reactions.any(|(take, _)| (0..3).all(|at| one[at] >= take[at]))
            };
            exactly |= all.contains(&target);
            other |= all.iter().any(|one| one[1] + factor * one[2] != value);
            many |= all.iter().any(|one| one[2] >= 2);
            ends |= all.iter().filter(is_end).count() > 1;
        }
        // What some start shows must not be denied; what is found is checked by its evidence.
        let denied = [
            exactly && given[0].verdict == Verdict::Violated,
            other && given[1].verdict == Verdict::Holds,
            many && given[2].verdict == Verdict::Holds,
            ends && given[3].verdict == Verdict::Holds,
        ];
        assert_eq!(denied, [false; 4], "{text}");
        for (count, answer) in decided.iter_mut().zip(&given) {
            if answer.verdict.is_definite() {
                *count += 1;
                // What grows for ever may neither end nor come back.
                let grows = answer.notes.iter().any(|note| note.contains("too far"));
                if !grows {
                    assert_certified(&mut *model, answer);
                }
            }
        }
        Ok(())
    })
    .budget_ms(3_000);
    assert!(decided.iter().all(|&count| count > 0), "{decided:?}");
}
