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
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}
