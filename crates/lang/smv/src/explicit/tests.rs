use quotient_core::{Budget, Source};
use quotient_trial::arbitrary::{Error, Unstructured};

use super::{Branching, Searched};
use crate::File;

/// A formula of CTL over some atoms.
fn formula(u: &mut Unstructured<'_>, depth: u32) -> Result<String, Error> {
    let atoms = ["a", "b", "n = 1", "n < 2", "!a", "n = 3"];
    if depth == 0 || u.ratio(1, 6)? {
        return Ok((*u.choose(&atoms)?).to_owned());
    }
    let one = formula(u, depth - 1)?;
    let path = u.choose(&[
        "EX", "AX", "EF", "AF", "EG", "AG", "EBF 1..2", "ABG 0..2", "!",
    ])?;
    Ok(match u.int_in_range(0..=2)? {
        0 => format!(
            "({one} {} {})",
            u.choose(&["&", "|", "->", "<->", "xor"])?,
            formula(u, depth - 1)?
        ),
        1 => format!(
            "{} [({one}) U ({})]",
            u.choose(&["E", "A"])?,
            formula(u, depth - 1)?
        ),
        _ => format!("{path} ({one})"),
    })
}

#[test]
fn a_part_tells_nothing_that_is_not_so_and_all_of_a_model_tells_everything() {
    quotient_trial::trial(|u| {
        let conditions = ["a", "b", "i", "a & i", "n = 2", "b xor i", "n < 2"];
        let mut pick = || u.choose(&conditions).copied();
        let (one, other, third) = (pick()?, pick()?, pick()?);
        let mut text = format!(
            "MODULE main VAR a : boolean; b : boolean; n : 0..3;\nIVAR i : boolean;\n\
             ASSIGN init(n) := 0; next(a) := {one} | b;\n\
             next(n) := case {other} : (n + 1) mod 4; TRUE : {{n, 0}}; esac;\n\
             TRANS next(b) -> ({third})\n"
        );
        match u.int_in_range(0..=3)? {
            0 => text += "JUSTICE a\n",
            1 => text += "JUSTICE i & n = 1\n",
            2 => text += "TRANS !(a & n = 3)\n",
            _ => {}
        }
        text += &format!("SPEC {}\n", formula(u, 3)?);
        let file = File::read(&Source::new("m.smv", text.clone())).unwrap();
        let program = file.program();
        let asked = &program.specifications()[0].formula;
        let budget = Budget::unlimited();
        let searched = Searched::new(program, &[], 1_000, &budget);
        assert_eq!(searched.stopped, None);
        let all = Branching::new(program, &searched).unwrap();
        let values = all.values(asked).unwrap();
        let mut starts = 0..searched.initial;
        let holds_initially =
            searched.initial > 0 && starts.all(|state| values[state] || !all.fair[state]);
        for (state, &holds) in values.iter().enumerate() {
            // Runs may be of any states: they are only where one begins to look.
            let run = [searched.states[state].clone(), searched.states[0].clone()];
            let is_false = state < searched.initial && all.fair[state] && !holds;
            for limit in [1, 4, 9, 1_000] {
                let found = program.refuted_around(&run, asked, limit, &budget).unwrap();
                assert!(found.is_none() || is_false, "{state} of\n{text}");
                if limit == 1_000 {
                    assert_eq!(found.is_some(), is_false, "{state} of\n{text}");
                }
                let shown = program.shown_around(&run, asked, limit, &budget);
                let shown = shown.ok().flatten();
                assert!(shown.is_none() || holds_initially, "{state} of\n{text}");
                if limit == 1_000 {
                    assert_eq!(shown.is_some(), holds_initially, "{state} of\n{text}");
                }
            }
        }
        Ok(())
    })
    .budget_ms(6_000);
}

/// One state after the other of a model with a billion of them: a run to the goal is enough.
#[test]
fn a_run_shows_what_some_path_does_in_a_model_of_any_size() {
    let text = "MODULE main VAR x : 0..1000000000; y : boolean; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := case go & x < 1000 : x + 1; x < 1000 : x; TRUE : 2000; esac;
        init(y) := {TRUE, FALSE}; next(y) := y;
        SPEC EF x = 40
        SPEC EX (x = 1 & EF x = 12)
        SPEC EG x = 0
        SPEC E [x < 9 U x = 9]
        SPEC EF x = 1500
        SPEC EF y";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    let shown = |number: usize| {
        let asked = &program.specifications()[number];
        let evidence = program.shown_by_states(asked, None, &Budget::unlimited())?;
        let looked = program.certify(asked, &evidence, false, &Budget::unlimited());
        assert!(looked.is_ok(), "{looked:?} of {}", asked.text);
        Some(evidence)
    };
    let first = shown(0).unwrap();
    assert!((1..4).all(|number| shown(number).is_some()));
    // What no path does, and what one of two initial states does not have.
    for number in [4, 5] {
        assert!(shown(number).is_none(), "{number}");
        let asked = &program.specifications()[number];
        let looked = program.certify(asked, &first, false, &Budget::unlimited());
        assert!(looked.is_err(), "{number}");
    }
    // It is no evidence that something does not hold, and none where there is no initial state.
    let mut turned = first.clone();
    turned.claim = quotient_core::Claim::Violated;
    let asked = &program.specifications()[4];
    assert!(
        program
            .certify(asked, &turned, false, &Budget::unlimited())
            .is_err()
    );
    let empty = File::read(&Source::new(
        "e.smv",
        text.replace("VAR x", "INIT x = 7 VAR x"),
    ))
    .unwrap();
    let program = empty.program();
    let asked = &program.specifications()[0];
    for allow_empty in [false, true] {
        let looked = program.certify(asked, &first, allow_empty, &Budget::unlimited());
        assert!(looked.is_err());
    }
}
