//! Evidence made by hand, each of something false: one for each thing that the check demands.

mod support;

use quotient_core::{Claim, Evidence};
use serde_json::{Value, json};
use support::{certify_with, open};

/// Runs to the right over ones and twos, and stops on a zero.
const RIGHT: &str = "blank B\n<1,1,R,1> <1,2,R,1>";

/// Runs to the right over blanks, and stops on a one.
const AWAY: &str = "blank B\n<1,B,R,1>";

/// Goes on by one cell in each round of six steps, looking two cells back: in the second round it stops
/// there, since of the first a one is left.
const LOOKS_BACK: &str =
    "blank 0\nstart A\n<A,0,1,R,B> <B,0,0,L,C> <C,1,1,L,E> <E,0,0,R,F> <F,1,1,R,D> <D,0,W(0),A>";

fn is_accepted(machine: &str, question: &str, claim: Claim, case: Value) -> bool {
    let mut evidence = match claim {
        Claim::Holds => Evidence::of_holds("machine-runs", &()),
        Claim::Violated => Evidence::of_violated("machine-runs", &()),
    };
    evidence.body = json!({ "cases": [case] });
    let mut model = open(&format!("{machine}\ncheck p: {question}\n"));
    certify_with(model.as_mut(), &evidence.about("p"), 20_000_000).is_ok()
}

/// Whether such a proof shows that a machine never stops.
fn diverges(machine: &str, input: &str, proof: Value) -> bool {
    let question = format!("diverges on {input}");
    is_accepted(machine, &question, Claim::Holds, json!({ "proof": proof }))
}

/// The number of steps after which it stops, to make sure that what is forged is false.
fn stops(machine: &str, input: &str) -> u64 {
    let proof = |steps: u64| json!({ "proof": { "shows": "halts", "steps": steps } });
    let question = format!("diverges on {input}");
    let found =
        (0..60).find(|&steps| is_accepted(machine, &question, Claim::Violated, proof(steps)));
    found.expect("it stops")
}

fn repeat(after: u64, period: u64) -> Value {
    json!({ "shows": "repeat", "after": after, "period": period })
}

#[test]
fn a_configuration_that_is_not_there_again() {
    assert!(diverges(RIGHT, "tape ...(1)[1](1)...", repeat(0, 1)));
    assert!(diverges(RIGHT, "tape ...(12)1[2]1(21)...", repeat(0, 2)));
    // A zero lies far ahead: in the word, or in what is repeated.
    for input in [
        "tape ...(1)[1]11111110(1)...",
        "tape ...(1)[1](111111111110)...",
        "tape ...(1)[1]1(1)..."
            .replace("1(1)", "1(12111210)")
            .as_str(),
    ] {
        stops(RIGHT, input);
        for (after, period) in [(0, 1), (1, 1), (0, 2), (2, 3), (0, 12)] {
            assert!(!diverges(RIGHT, input, repeat(after, period)), "{input}");
        }
    }
    // What lies behind is another, or the two halves do not go round alike.
    let back = "blank 0\nstart A\n<A,1,2,R,A> <A,0,0,L,B> <B,2,2,L,B>";
    stops(back, "tape 1[1]110");
    assert!(!diverges(back, "tape 1[1]110", repeat(0, 1)));
    // No steps, other states, and steps after the end show nothing.
    let input = "tape [1]110";
    let last = stops(RIGHT, input);
    assert!(!diverges(RIGHT, input, repeat(0, 0)) && !diverges(RIGHT, input, repeat(last, 0)));
    assert!(
        !diverges(RIGHT, input, repeat(last, 1)) && !diverges(RIGHT, input, repeat(0, u64::MAX))
    );
    assert!(!diverges(RIGHT, input, repeat(u64::MAX, u64::MAX)));
    let two = "blank 0\nstart A\n<A,0,0,R,B> <B,0,0,R,C>";
    assert_eq!(stops(two, "blank"), 2);
    assert!(!diverges(two, "blank", repeat(0, 1)));
}

#[test]
fn blanks_that_are_not_all_blank() {
    let run =
        |after: u64, side: &str| json!({ "shows": "blank-run", "after": after, "side": side });
    assert!(diverges(AWAY, "blank", run(0, "right")));
    for input in ["tape [B]BBBBBBB1", "tape [B](BBBBBBBB1)..."] {
        stops(AWAY, input);
        assert!(!diverges(AWAY, input, run(0, "right")), "{input}");
        assert!(!diverges(AWAY, input, run(0, "left")), "{input}");
    }
    // The head comes to a state that does not run on, stays where it is, or turns round.
    for machine in [
        "blank 0\nstart A\n<A,0,0,R,B> <B,0,0,R,C>",
        "blank 0\nstart A\n<A,0,0,R,B> <B,0,W(1),A>",
        "blank 0\nstart A\n<A,0,1,R,B> <B,0,0,L,A>",
    ] {
        stops(machine, "blank");
        for after in 0..3 {
            assert!(
                !diverges(machine, "blank", run(after, "right")),
                "{machine}"
            );
        }
    }
}

#[test]
fn a_cycle_that_is_not_the_same_further_on() {
    let cycle = |after: u64, period: u64, side: &str, reach: u64| json!({ "shows": "translated-cycle", "after": after, "period": period, "side": side, "reach": reach });
    assert!(diverges(RIGHT, "tape [1](1)...", cycle(0, 1, "right", 0)));
    // All ahead is blank again; what the head comes back to is not.
    stops(LOOKS_BACK, "blank");
    for reach in [0, 1, 2, 1 << 40, i64::MAX as u64, u64::MAX] {
        for side in ["right", "left"] {
            assert!(
                !diverges(LOOKS_BACK, "blank", cycle(0, 6, side, reach)),
                "{side} {reach}"
            );
        }
    }
    // Something else lies far ahead.
    for input in ["tape [1]1111111110", "tape [1](11111111110)..."] {
        for side in ["right", "left"] {
            for reach in [0, 3, i64::MAX as u64] {
                assert!(!diverges(RIGHT, input, cycle(0, 1, side, reach)), "{input}");
            }
        }
    }
    // No steps, steps after the end, and a head that went to the other side.
    let last = stops(RIGHT, "tape [1]110");
    assert!(!diverges(RIGHT, "tape [1]110", cycle(0, 0, "right", 9)));
    assert!(!diverges(RIGHT, "tape [1]110", cycle(last, 1, "right", 9)));
    // A reach beyond all numbers of cells is only as far as something was written.
    let left = "blank 0\nstart A\n<A,0,1,L,B> <B,0,1,L,C> <C,0,1,L,D> <D,0,0,R,E> <D,1,1,R,E> <E,0,0,R,E> <E,1,1,R,E>";
    for reach in [3, i64::MAX as u64] {
        assert!(diverges(left, "blank", cycle(8, 1, "right", 0)));
        assert!(
            !diverges(left, "blank", cycle(6, 1, "right", reach)),
            "{reach}"
        );
    }
}

#[test]
fn results_streams_and_words_that_are_others() {
    let halts = |steps: u64| json!({ "proof": { "shows": "halts", "steps": steps } });
    let question = "halts on tape [1]110 after 3 steps";
    assert!(is_accepted(RIGHT, question, Claim::Holds, halts(3)));
    for steps in [0, 2, 4, u64::MAX] {
        assert!(
            !is_accepted(RIGHT, question, Claim::Holds, halts(steps)),
            "{steps}"
        );
        assert!(
            !is_accepted(RIGHT, question, Claim::Violated, halts(steps)),
            "{steps}"
        );
    }
    // The question says the input, and nothing else does.
    for (name, value) in [("word", json!("110")), ("arguments", json!([2]))] {
        let mut case = halts(3);
        case[name] = value;
        assert!(!is_accepted(RIGHT, question, Claim::Holds, case), "{name}");
    }
    // A word that is not in the set, or of letters that there are not.
    let every = "diverges on every 1(11)*";
    for word in ["11", "", "1110", "x"] {
        let case = json!({ "word": word, "proof": { "shows": "halts", "steps": word.len() } });
        assert!(!is_accepted(RIGHT, every, Claim::Violated, case), "{word}");
    }
    let case = json!({ "word": "111", "proof": { "shows": "halts", "steps": 3 } });
    assert!(is_accepted(RIGHT, every, Claim::Violated, case.clone()));
    assert!(!is_accepted(RIGHT, every, Claim::Holds, case));
    // Streams that differ late do not agree, and those that agree do not differ.
    let late = "streams prefix(1111111, blink(1, 2)) = blink(1, 1)";
    let same = "streams prefix(12, blink(1, 2)) = merge(same(1), same(2))";
    for number in [0, 1, 2, 7, 8, 9, 10, 1 << 60, u64::MAX] {
        let agree = json!({ "proof": { "shows": "agree", "symbols": number } });
        let differ = json!({ "proof": { "shows": "differ", "place": number } });
        assert!(
            !is_accepted(RIGHT, late, Claim::Holds, agree.clone()),
            "{number}"
        );
        assert!(
            !is_accepted(RIGHT, same, Claim::Violated, differ),
            "{number}"
        );
        assert!(
            !is_accepted(RIGHT, same, Claim::Violated, agree),
            "{number}"
        );
    }
    // What is about all inputs of a class is not about one run.
    let class = json!({ "shows": "all-of-class", "first": 0, "period": 1, "class": 0 });
    assert!(!diverges(RIGHT, "tape [1]0", class));
}

#[test]
fn functions_of_which_some_inputs_are_left_out() {
    let stays = "blank B\n<1,2,R,1>";
    let accepted = |question: &str, claim: Claim, cases: Value| {
        let mut evidence = match claim {
            Claim::Holds => Evidence::of_holds("machine-runs", &()),
            Claim::Violated => Evidence::of_violated("machine-runs", &()),
        };
        evidence.body = json!({ "cases": cases });
        let mut model = open(&format!("{stays}\ncheck p: {question}\n"));
        certify_with(model.as_mut(), &evidence.about("p"), 20_000_000).is_ok()
    };
    // It stops at once: the result of n is n + 1.
    let case =
        |number: u64| json!({ "arguments": [number], "proof": { "shows": "halts", "steps": 0 } });
    let right = "computes f(n) = n + 1 up to 2";
    assert!(accepted(
        right,
        Claim::Holds,
        json!([case(0), case(1), case(2)])
    ));
    assert!(!accepted(right, Claim::Violated, json!([case(1)])));
    // False at 2, which is left out, doubled away, or comes first; and one beyond the bound.
    let wrong = "computes f(n) = n + 1 - n / 2 up to 2";
    for cases in [
        json!([]),
        json!([case(0), case(1)]),
        json!([case(0), case(1), case(1)]),
        json!([case(2), case(1), case(0)]),
        json!([case(0), case(1), case(2)]),
    ] {
        assert!(!accepted(wrong, Claim::Holds, cases.clone()), "{cases}");
    }
    assert!(accepted(wrong, Claim::Violated, json!([case(2)])));
    let some = "computes f(n) = n + 1 if n < 2 up to 1";
    for cases in [
        json!([case(2)]),
        json!([]),
        json!([case(0), case(1)]),
        json!([case(u64::MAX)]),
    ] {
        assert!(!accepted(some, Claim::Violated, cases.clone()), "{cases}");
    }
    // For all numbers: small ones are not all.
    let all = "computes f(n) = n + 1 if n < 2";
    for cases in [
        json!([]),
        json!([case(0)]),
        json!([case(0), case(1)]),
        json!([case(0), case(1), case(2)]),
    ] {
        assert!(!accepted(all, Claim::Holds, cases.clone()), "{cases}");
    }
    for (first, period) in [
        (2, 0),
        (2, 1),
        (0, 1),
        (u64::MAX, 1),
        (1, u64::MAX),
        (2, 1 << 40),
    ] {
        let class = json!({ "proof": { "shows": "all-of-class", "first": first, "period": period, "class": 2 } });
        let cases = json!([case(0), case(1), class]);
        assert!(!accepted(all, Claim::Holds, cases), "{first} {period}");
    }
}
