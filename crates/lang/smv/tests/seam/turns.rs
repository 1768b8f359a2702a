//! Questions that are easy beside one that is not.

use quotient_core::{Budget, Context, Verdict};
use quotient_language::{Ask, Verb};
use quotient_testkit::language::assert_certified;

use crate::{check, open, open_with, settings};

/// Whether a number is a product of two others is hard to say; how a counter begins is not.
fn beside_a_hard_one(bits: u32, easy: &str) -> String {
    let (one, other) = ("0ud128_18446744073709551557", "0ud128_18446744073709551533");
    let rest: String = (0..bits)
        .map(|bit| format!("b{bit} : boolean;\n"))
        .collect();
    format!(
        "MODULE main\nFROZENVAR x : unsigned word[128]; y : unsigned word[128];\n\
         VAR c : 0..9; {rest}\n\
         INIT x < 0ud128_18446744073709551616 & y < 0ud128_18446744073709551616 & x > 0ud128_1 & y > 0ud128_1\n\
         ASSIGN init(c) := 0; next(c) := case c < 9 : c + 1; TRUE : 0; esac;\n\
         INVARSPEC NAME hard := x * y != {one} * {other} | x = {one} | y = {one}\n{easy}"
    )
}

/// The verdicts of a text with so much work, in the order in which they are told.
fn within(work: u64, text: &str) -> Vec<(String, Verdict)> {
    let mut model = open(text);
    let cx = Context {
        budget: Budget::unlimited().child_with_work(work),
        ..Context::default()
    };
    let mut told = Vec::new();
    let done = model.check(&Ask::default(), &cx, &mut |answer| told.push(answer));
    done.unwrap();
    for answer in told.iter().filter(|one| one.verdict.is_definite()) {
        assert_certified(&mut *model, answer);
    }
    let told = told.into_iter();
    told.map(|one| (one.property, one.verdict)).collect()
}

#[test]
fn a_hard_question_leaves_work_for_those_behind_it() {
    let easy = "INVARSPEC NAME violated := c != 3\n\
                INVARSPEC NAME held := c <= 9\n\
                LTLSPEC NAME later := G c < 5\n";
    // With wide words alone, and with more bits, where circuits may do more.
    for bits in [0, 200] {
        let told = within(12_000_000, &beside_a_hard_one(bits, easy));
        let verdict = |name: &str| {
            let found = told.iter().find(|(property, _)| property == name);
            found.map(|(_, verdict)| verdict.clone())
        };
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(
            matches!(verdict("hard"), Some(Verdict::Unknown(_))),
            "{told:?}"
        );
        assert_eq!(verdict("violated"), Some(Verdict::Violated));
        assert_eq!(verdict("held"), Some(Verdict::Holds));
        assert_eq!(verdict("later"), Some(Verdict::Violated));
        assert_eq!(told[3].0, "hard", "what is known is told first");
    }
}

#[test]
fn a_verdict_stays_where_there_is_no_time_for_vacuity() {
    let text = "MODULE main VAR x : boolean; y : boolean;\n\
        ASSIGN init(x) := FALSE; next(x) := FALSE;\n\
        SPEC NAME idle := AG (x -> AF y)\n";
    let ask = Ask {
        vacuity: true,
        ..Ask::default()
    };
    for ends in [false, true] {
        let cx = Context::default();
        let mut told = Vec::new();
        let checked = open(text).check(&ask, &cx, &mut |answer| {
            told.push(answer);
            if ends {
                cx.budget.interrupt();
            }
        });
        checked.unwrap();
        assert_eq!(told.len(), 2);
        assert!(
            told.iter().all(|one| one.verdict == Verdict::Holds),
            "{ends}"
        );
        assert_eq!(told[1].vacuous, !ends);
        let unknown = |at: usize| {
            let details = told[at].details.iter();
            let mut vacuity = details.filter(|(name, _)| name == "vacuity");
            vacuity.any(|(_, value)| value.get("unknown").is_some())
        };
        assert!(unknown(0));
        assert_eq!(unknown(1), ends);
    }
}

/// Registers of 128 bits that start with the same and do the same.
const ALIKE: &str = "MODULE main
FROZENVAR k : unsigned word[128];
VAR a : unsigned word[128]; b : unsigned word[128]; e : boolean;
ASSIGN
  init(a) := k; next(a) := e ? a + k : a;
  init(b) := k; next(b) := case !e : b; TRUE : k + b; esac;
INVARSPEC NAME alike := a = b
INVARSPEC NAME still := a = k
SPEC AG a = b
LTLSPEC G a = b
";

#[test]
fn wide_registers_that_do_the_same_are_the_same() {
    for engine in ["auto", "bits"] {
        let given = settings(Verb::Check, &[("engine", engine)]);
        let mut model = open_with(ALIKE, &given).unwrap();
        let all = check(&mut *model, &Ask::default()).unwrap();
        assert_eq!(all.len(), 4);
        for answer in &all {
            let expected = match answer.property.as_str() {
                "still" => Verdict::Violated,
                _ => Verdict::Holds,
            };
            assert_eq!(answer.verdict, expected, "{}", answer.property);
            assert!(answer.evidence.is_some());
            if engine == "auto" && ["alike", "still"].contains(&answer.property.as_str()) {
                assert_certified(&mut *model, answer);
            }
        }
        // Decision diagrams would look at all states for this.
        assert!(model.doubts(&Context::default()).unwrap().is_empty());
    }
}

#[test]
fn an_engine_can_be_chosen() {
    let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x < 2 ? x + 1 : 0;\n\
        INVARSPEC x < 3\nINVARSPEC x < 2\nSPEC AG EF x = 0\nLTLSPEC G F x = 0\n";
    let with = |engine: &str| {
        let given = settings(Verb::Check, &[("engine", engine)]);
        let mut model = open_with(text, &given).unwrap();
        let told = check(&mut *model, &Ask::default()).unwrap();
        for answer in told.iter().filter(|one| one.evidence.is_some()) {
            assert_certified(&mut *model, answer);
        }
        let method = |one: &quotient_language::Answer| one.method.clone();
        let mut all: Vec<_> = (told.iter())
            .map(|one| (one.number, one.verdict.clone(), method(one)))
            .collect();
        all.sort_by_key(|one| one.0);
        all
    };
    let circuit = Some("circuit".to_owned());
    let (diagrams, bits) = (with("diagrams"), with("bits"));
    assert_eq!(diagrams, with("auto"), "few bits are for diagrams");
    let expected = [
        Verdict::Holds,
        Verdict::Violated,
        Verdict::Holds,
        Verdict::Holds,
    ];
    for (at, expected) in expected.iter().enumerate() {
        assert_eq!(diagrams[at].1, *expected);
        assert_eq!(diagrams[at].2, None);
        match at {
            2 => assert!(
                matches!(bits[at].1, Verdict::Unknown(_)),
                "no question for circuits"
            ),
            _ => assert_eq!((&bits[at].1, &bits[at].2), (expected, &circuit)),
        }
    }
    let given = settings(Verb::Check, &[("engine", "bits")]);
    let ask = Ask {
        vacuity: true,
        ..Ask::default()
    };
    assert!(check(&mut *open_with(text, &given).unwrap(), &ask).is_err());
}

/// What decision diagrams say to hold on all paths comes with a bound that circuits find.
#[test]
fn what_holds_on_all_paths_of_a_small_model_has_evidence() {
    let text = "MODULE main IVAR go : boolean; VAR x : 0..3; y : boolean;
        ASSIGN init(x) := 0; next(x) := case go : (x + 1) mod 4; TRUE : x; esac;
          next(y) := x = 2;
        JUSTICE go
        LTLSPEC G F x = 3
        LTLSPEC G (x = 2 -> F [1, 1] y)
        CTLSPEC AG (x = 1 -> AF x = 2)
        CTLSPEC AG AF y
        CTLSPEC AG (x = 2 -> AX (y & AF !y))";
    let mut model = open(text);
    for answer in check(&mut *model, &Ask::default()).unwrap() {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
        let kind = answer.evidence.as_ref().map(|one| one.kind.as_str());
        assert_eq!(kind, Some("states-bound"), "{}", answer.property);
        assert_certified(&mut *model, &answer);
    }
}
