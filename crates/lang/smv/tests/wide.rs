//! Words wider than a machine word: read, decided, shown and certified.

use num_bigint::BigUint;
use quotient_core::{Context, Trouble, Verdict};
use quotient_language::{Answer, Ask};
use quotient_smv::LANGUAGE;
use quotient_testkit::Random;
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all};

const SMV: Tested = Tested::new(LANGUAGE, "wide.smv");

/// The verdicts of a text, each with evidence that is accepted.
fn verdicts(text: &str) -> Vec<Answer> {
    let mut model = SMV.open(text);
    let mut all = answers(&mut *model);
    // They are told as soon as they are there.
    all.sort_by_key(|answer| answer.number);
    for answer in &all {
        assert!(!matches!(answer.verdict, Verdict::Unknown(_)), "{text}");
        assert_certified(&mut *model, answer);
    }
    all
}

fn number(random: &mut Random, width: u32) -> BigUint {
    let limbs = (0..8).map(|_| random.below(1 << 32) as u32).collect();
    let shown = 1 + random.below(width as usize) as u32;
    BigUint::new(limbs) % (BigUint::from(1u8) << shown)
}

#[test]
fn operators_on_constants_give_what_large_numbers_do() {
    let random = &mut Random(16);
    for width in [65u32, 100] {
        let (a, b) = (number(random, width), number(random, width) + 1u8);
        let room = BigUint::from(1u8) << width;
        let by = random.below(width as usize);
        let low = random.below(width as usize);
        let results = [
            ("x + y", (&a + &b) % &room),
            ("x - y", (&room + &a - &b) % &room),
            ("x * y", (&a * &b) % &room),
            (&format!("(y = 0ud{width}_0 ? y : x / y)"), &a / &b),
            (&format!("(y = 0ud{width}_0 ? y : x mod y)"), &a % &b),
            ("x & y", &a & &b),
            ("x | y", &a | &b),
            ("x xor y", &a ^ &b),
            ("-x", (&room - &a) % &room),
            ("!x", &room - 1u8 - &a),
            (&format!("x << {by}"), (&a << by) % &room),
            (&format!("x >> {by}"), &a >> by),
            (
                &format!("x <<< {by}"),
                (&a << by | &a >> (width as usize - by)) % &room,
            ),
            (
                &format!("extend(x[{low}:0], {})", width as usize - low - 1),
                { &a % (BigUint::from(1u8) << (low + 1)) },
            ),
            ("(x :: y)[sizeof(x) - 1:0]", b.clone()),
            ("max(x, y)", a.clone().max(b.clone())),
        ];
        let mut text = format!(
            "MODULE main FROZENVAR x : word[{width}]; y : word[{width}];\n\
             INIT x = 0ud{width}_{a} & y = 0ud{width}_{b}\n"
        );
        // Products and quotients take long to check; one width will do.
        let slow = |operation: &str| operation.contains(['*', '/']) || operation.contains("mod");
        let results: Vec<_> = (results.into_iter())
            .filter(|(operation, _)| width == 65 || !slow(operation))
            .collect();
        for (operation, result) in &results {
            text += &format!("INVARSPEC ({operation}) = 0ud{width}_{result}\n");
            text += &format!("INVARSPEC ({operation}) != 0ud{width}_{result}\n");
        }
        for (at, pair) in verdicts(&text).chunks(2).enumerate() {
            assert_eq!(pair[0].verdict, Verdict::Holds, "{}\n{text}", results[at].0);
            assert_eq!(
                pair[1].verdict,
                Verdict::Violated,
                "{}\n{text}",
                results[at].0
            );
        }
    }
}

#[test]
fn signed_words_keep_their_sign() {
    let text = "MODULE main FROZENVAR x : signed word[90]; y : signed word[90];\n\
        INIT x = -0sd90_1000000000000000000000007 & y = 0sd90_2\n\
        INVARSPEC x < y\n\
        INVARSPEC (y = 0sd90_0 ? y : x / y) = -0sd90_500000000000000000000003\n\
        INVARSPEC (y = 0sd90_0 ? y : x mod y) = -0sd90_1\n\
        INVARSPEC x >> 89 = -0sd90_1\n\
        INVARSPEC extend(x, 30) = -0sd120_1000000000000000000000007\n\
        INVARSPEC resize(x, 100) < 0sd100_0\n\
        INVARSPEC signed(unsigned(x)) = x";
    for answer in verdicts(text) {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
    }
}

#[test]
fn wide_counters_are_decided_and_shown_in_decimal() {
    let text = "MODULE main VAR c : unsigned word[128]; IVAR go : boolean;\n\
        ASSIGN init(c) := 0uh128_fffffffffffffffffffffffffffffffc;\n\
        next(c) := go ? c + uwconst(2, 128) : c;\n\
        INVARSPEC NAME even := c[0:0] = 0b_0\n\
        INVARSPEC NAME small := c != 0ud128_2";
    let all = verdicts(text);
    assert_eq!(all[0].verdict, Verdict::Holds);
    assert_eq!(all[1].verdict, Verdict::Violated);
    let shown = format!("{:?}", all[1].trace);
    let most = "0ud128_340282366920938463463374607431768211454";
    assert!(shown.contains(most), "{shown}");
}

#[test]
fn forged_evidence_about_wide_words_is_refused() {
    let text = "MODULE main VAR c : unsigned word[100]; ASSIGN init(c) := 0ud100_0;\n\
        next(c) := c = 0ud100_3 ? 0ud100_0 : c + 0ud100_1;\n\
        INVARSPEC c < 0ud100_4\n\
        INVARSPEC c != 0ud100_2";
    attack_all(vec![SMV.open(text)], 60, 2_000_000);
}

#[test]
fn what_is_too_wide_is_said() {
    for text in [
        "MODULE main VAR w : word[513];",
        "MODULE main VAR w : word[300]; DEFINE d := w :: w; INVARSPEC d = w",
        "MODULE main VAR w : word[70]; INVARSPEC w = 0ud70_1180591620717411303424",
    ] {
        let said = SMV.mistakes(text).concat();
        assert!(
            said.contains("512 bits") || said.contains("70 bits"),
            "{said}"
        );
    }
}

/// What is about steps is true of a state without any: a wide word beside it, which makes a circuit
/// of the model, changes nothing, nor that nothing of the step is left when it is simplified.
#[test]
fn a_condition_on_steps_says_nothing_about_a_state_that_has_none() {
    for wide in ["", "w : word[90];"] {
        let text = format!(
            "MODULE main\nVAR x : 0..1; b : boolean; {wide}\nINIT x = 0;\n\
             TRANS x = 0 & next(x) = 1;\n\
             INVARSPEC x = 0 | next(b) & !next(b);\nINVARSPEC x = 0;\n"
        );
        // What is known is told, whatever its place in the text.
        let mut found = answers(&mut *SMV.open(&text));
        found.sort_by_key(|answer| answer.number);
        let found: Vec<Verdict> = found.into_iter().map(|answer| answer.verdict).collect();
        assert_eq!(found, [Verdict::Holds, Verdict::Violated], "{text}");
    }
}

/// A formula of the command line that has no value somewhere is refused, however wide the words
/// beside it are.
#[test]
fn what_is_asked_has_a_value_everywhere() {
    for wide in ["", "w : word[90];"] {
        let text = format!(
            "MODULE main\nVAR x : 0..3; {wide}\nASSIGN init(x) := 0; next(x) := 0;\nLTLSPEC G x = 0;\n"
        );
        let asked = |formula: &str| {
            let ask = Ask {
                properties: vec![formula.to_owned()],
                ..Ask::default()
            };
            let mut given = Vec::new();
            let mut model = SMV.open(&text);
            let told = model.check(&ask, &Context::default(), &mut |answer| given.push(answer));
            told.map(|()| given)
        };
        for formula in [
            "G (4 / x >= 0)",
            "G !(4 / x >= 0)",
            "G case x = 1 : TRUE; x = 2 : TRUE; esac",
        ] {
            let told = asked(formula);
            assert!(matches!(told, Err(Trouble::Invalid(_))), "{wide} {formula}");
        }
        let given = asked("G x < 2").unwrap();
        assert_eq!(given[0].verdict, Verdict::Holds, "{wide}");
    }
}
