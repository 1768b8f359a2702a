//! Bounds and inductions that were tampered with, or are about something else.

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_trial::arbitrary::{Result, Unstructured};
use serde_json::{Value, json};

use super::super::AsCircuit;
use crate::{Config, File, Session};

const SPECIFICATIONS: &str = "
    LTLSPEC F a
    LTLSPEC G F a
    LTLSPEC F G a
    LTLSPEC G (a -> X b)
    LTLSPEC G (a -> O b)
    LTLSPEC G (a -> F [0, 2] b)
    LTLSPEC G (a -> H [1, 2] b)
    LTLSPEC a U n = 2
    LTLSPEC n = 0 V b
    LTLSPEC G (a -> (b S n = 1))
    LTLSPEC G (Z a -> X F b)
    CTLSPEC AF a
    CTLSPEC AG (a -> AF n = 1)
    CTLSPEC AG AF b
    CTLSPEC A [a U b]
    CTLSPEC AG (a | AX b)
    CTLSPEC a -> AX AX b
    INVARSPEC a | n < 2
    INVARSPEC n != 1 | b
    CTLSPEC AF AG a
    CTLSPEC AX a | AX b
    CTLSPEC !EF (a & n = 1)
    CTLSPEC !EF EG b
    CTLSPEC !E [a U b]
    CTLSPEC AG !(a & EX n = 2)
    CTLSPEC !(EG a | EF b)
    CTLSPEC !(EX a & EX b)
    CTLSPEC EF a
    LTLSPEC G F i -> G F b
";

fn model(u: &mut Unstructured<'_>) -> Result<String> {
    let conditions = [
        "a",
        "b",
        "n = 1",
        "n < 2",
        "!a",
        "a xor b",
        "a & n = 0",
        "b -> i",
        "i",
    ];
    let mut text =
        "MODULE main VAR a : boolean; b : boolean; n : 0..2; IVAR i : boolean;\n".to_owned();
    text += &format!("ASSIGN next(a) := {};\n", u.choose(&conditions)?);
    if u.arbitrary()? {
        text += &format!("init(a) := {};\n", u.choose(&["TRUE", "FALSE"])?);
    }
    text += &format!(
        "next(n) := case {} : {{0, 2}}; b : n; TRUE : 1; esac;\n",
        u.choose(&conditions)?
    );
    text += &format!("TRANS next(b) -> ({})\n", u.choose(&conditions)?);
    text += u.choose(&["INIT n = 0\n", "INIT b\n", "INIT n = 1 & !b\n", ""])?;
    text += u.choose(&["JUSTICE a\n", "JUSTICE n = 1\n", "", ""])?;
    text += u.choose(&["COMPASSION (i, a)\n", "COMPASSION (b, n = 2)\n", "", ""])?;
    Ok(text)
}

/// Changes something somewhere.
fn tamper(value: &mut Value, u: &mut Unstructured<'_>) -> Result<()> {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = u.choose_index(items.len())?;
            let other = u.choose_index(items.len())?;
            match u.int_in_range(0..=5)? {
                0 => drop(items.remove(at)),
                1 => items.swap(at, other),
                2 => items[at] = items[other].clone(),
                _ => tamper(&mut items[at], u)?,
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = u.choose_index(fields.len())?;
            if let Some(field) = fields.values_mut().nth(at) {
                tamper(field, u)?;
            }
        }
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(0);
            *value = json!(u.choose(&[number + 1, number.saturating_sub(1), number ^ 1, 0, 1])?);
        }
        Value::String(name) => {
            let names = [
                "a",
                "b",
                "n",
                "i",
                "(first)",
                "(due 1)",
                "(guess 1)",
                "(mark 1)",
                "(round 1)",
            ];
            (*u.choose(&names)?).clone_into(name);
        }
        other => *other = json!(u.arbitrary::<bool>()?),
    }
    Ok(())
}

#[test]
fn what_is_accepted_is_true() {
    quotient_trial::trial(|u| {
        let text = model(u)? + SPECIFICATIONS;
        let file = File::read(&Source::new("m.smv", text.clone())).unwrap();
        let cx = Context::default();
        let mut circuit = AsCircuit::new(file.program(), 1, &cx).unwrap();
        let mut session = Session::open(file.clone(), Config::small(), &cx).unwrap();
        let program = file.program();
        let asked = program.specifications();
        let (mut truths, mut proofs): (Vec<bool>, Vec<Evidence>) = (Vec::new(), Vec::new());
        for (number, one) in asked.iter().enumerate() {
            let truth = session.check(number).unwrap().verdict;
            let limited = Context {
                budget: Budget::unlimited().child_with_work(20_000_000),
                ..cx.clone()
            };
            if let Some(answer) = circuit.check(program, one, &limited).unwrap() {
                assert_eq!(answer.verdict, truth, "{} of\n{text}", one.text);
                proofs.extend(answer.proof.map(|proof| proof.evidence()));
            }
            truths.push(truth == Verdict::Holds);
        }
        for proof in &proofs {
            for _ in 0..12 {
                let mut forged = proof.clone();
                for _ in 0..u.int_in_range(0..=2)? {
                    tamper(&mut forged.body, u)?;
                }
                let number = u.choose_index(asked.len())?;
                let looked = program.certify(&asked[number], &forged, true, &Budget::unlimited());
                if looked.is_ok() {
                    let shown = serde_json::to_string(&forged).unwrap();
                    assert!(
                        truths[number],
                        "{shown} for {} of\n{text}",
                        asked[number].text
                    );
                }
            }
        }
        Ok(())
    })
    .budget_ms(6_000);
}

/// Evidence by hand against what it is about.
#[test]
fn bounds_and_inductions_by_hand() {
    let text = "
        MODULE main VAR x : 0..3; y : boolean;
        ASSIGN init(x) := 0; next(x) := case x < 2 : x + 1; TRUE : 0; esac;
        LTLSPEC F x = 2
        LTLSPEC F x = 3
        INVARSPEC x < 3
        INVARSPEC x < 2
        CTLSPEC AF AG y
        SPEC EF x = 2
    ";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    let look = |number: usize, kind: &str, body: Value| {
        let evidence = Evidence::of_holds(kind, &body);
        let asked = &program.specifications()[number];
        let looked = program.certify(asked, &evidence, false, &Budget::unlimited());
        looked.map_err(|rejection| rejection.to_string())
    };
    let all =
        |rounds: u64| json!({"rounds": rounds, "set": {"variables": [], "nodes": [], "root": 0}});
    let none =
        |rounds: u64| json!({"rounds": rounds, "set": {"variables": [], "nodes": [], "root": 1}});
    // On a path without x = 2, a promise is never kept, whatever is known of the states... but that
    // takes knowing where they are.
    assert!(look(0, "states-bound", all(0)).is_err());
    for rounds in [0, 1, 7] {
        assert!(look(1, "states-bound", all(rounds)).is_err());
        assert!(look(1, "states-bound", none(rounds)).is_err());
        assert!(look(4, "states-bound", none(rounds)).is_err());
        assert!(look(5, "states-bound", all(rounds)).is_err());
    }
    let far = look(0, "states-bound", all(1_000_000)).unwrap_err();
    assert!(far.contains("not counted"), "{far}");
    let steps = |depth: u64, distinct: bool| json!({"depth": depth, "distinct": distinct});
    assert!(look(2, "states-induction", steps(1, false)).is_err());
    assert!(look(2, "states-induction", steps(2, false)).is_ok());
    assert!(look(2, "states-induction", steps(0, true)).is_err());
    assert!(look(2, "states-induction", steps(20_000, true)).is_err());
    for depth in 1..12 {
        assert!(
            look(3, "states-induction", steps(depth, true)).is_err(),
            "{depth}"
        );
    }
    assert!(look(0, "states-induction", steps(2, true)).is_err());
    assert!(look(2, "states-bound", all(0)).is_err());
}

#[test]
fn different_states_are_needed_to_leave_a_circle() {
    // From 4 on the counter goes round without ever coming to 7: only different states end that.
    let text = "
        MODULE main VAR x : 0..7; IVAR go : boolean;
        ASSIGN init(x) := 0;
          next(x) := case x < 2 : x + 1; x = 2 : 0; go & x = 6 : 7; x = 6 : 4; x = 7 : 7; TRUE : x + 1; esac;
        INVARSPEC x != 7
        INVARSPEC x != 2
    ";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    let look = |number: usize, depth: u64, distinct: bool| {
        let body = json!({"depth": depth, "distinct": distinct});
        let evidence = Evidence::of_holds("states-induction", &body);
        let asked = &program.specifications()[number];
        program
            .certify(asked, &evidence, false, &Budget::unlimited())
            .is_ok()
    };
    for depth in 1..12 {
        assert_eq!(look(0, depth, true), depth > 5, "{depth}");
        assert!(!look(0, depth, false), "{depth}");
        assert!(!look(1, depth, true) && !look(1, depth, false), "{depth}");
    }
}
