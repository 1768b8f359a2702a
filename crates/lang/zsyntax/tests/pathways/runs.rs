//! Formulas of linear time about runs of reactions.

use quotient_core::{Context, Verdict};
use quotient_language::Ask;
use quotient_testkit::language::{answers, assert_certified, verdicts};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

use crate::common::{REACTIONS, ZSYNTAX, open, random, written};

#[test]
fn formulas_about_runs_are_answered_with_evidence() {
    use Verdict::{Holds, Violated};
    let text = format!(
        "start Glc & HK & GPI & PFK & 2 ATP\n{REACTIONS}\
         ltl made: F (F16P & ended)      # in the end\n\
         ltl G (G6P -> F F6P)\n\
         ltl G (ATP + ADP = 2)\n"
    );
    // A sum is no comparison of a formula.
    assert!(ZSYNTAX.try_open(&text, &[], &[]).is_err());
    let text = text.replace("ltl G (ATP + ADP = 2)", "ltl G (ATP = 2 | ADP >= 1)");
    let text =
        format!("{text}ltl (HK*Glc = 0) U (HK * Glc)\nltl G HK\nltl F (ATP > 2)\nltl F G !Glc\n");
    let mut model = open(&text);
    let given = answers(&mut *model);
    assert_eq!(given[0].property, "made");
    let expected = [Holds, Holds, Holds, Holds, Violated, Violated, Holds];
    assert_eq!(verdicts(&given), expected);
    for answer in &given {
        assert_certified(&mut *model, answer);
    }
    // A run that goes round, and the same question by its text.
    let text = "start M\nthere: M -> N\nback: N -> M\nlost: N -> Q\nltl G F M\n";
    let mut model = open(text);
    let mut ask = Ask {
        properties: vec!["ltl F Q".to_owned(), "ltl F (Q | G F \"M\")".to_owned()],
        ..Ask::default()
    };
    let mut given = Vec::new();
    let mut tell = |answer| given.push(answer);
    model
        .check(&ask, &Context::default(), &mut tell)
        .expect("formulas");
    assert_eq!(verdicts(&given), [Violated, Holds]);
    let trace = given[0].trace.as_ref().expect("a run");
    assert_eq!(trace.back_to, Some(0), "{trace:?}");
    for answer in &given {
        assert_certified(&mut *model, answer);
    }
    ask.properties = vec!["ltl F Z".to_owned()];
    assert!(model.check(&ask, &Context::default(), &mut |_| ()).is_err());
    let ended = answers(&mut *model).remove(0);
    assert_eq!(ended.verdict, Violated);
    assert_certified(&mut *model, &ended);
}

/// Blanks and `*` in names would make two molecules one for questions and evidence.
#[test]
fn names_mean_one_molecule() {
    for text in [
        "start A\nr: A -> \" A\"\nltl F G \" A\"\n",
        "start A\nr: A -> \"A \"\ncan A\n",
        "start A\nr: A -> \"A*B\"\ncan A\n",
        "<sbml><model><listOfSpecies><species id='a*b'/><species id='a_b'/></listOfSpecies></model></sbml>",
        "<sbml><model><listOfSpecies><species id='a'/><species id=' a'/></listOfSpecies></model></sbml>",
    ] {
        assert!(!ZSYNTAX.mistakes(text).is_empty(), "{text}");
    }
}

#[test]
fn a_molecule_or_a_reaction_may_still_be_called_ltl() {
    let text = "start ltl & B\nltl * B -> X\nltl: X -> Y\ncan Y\n";
    let mut model = open(text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert_certified(&mut *model, &answer);
}

#[test]
fn formulas_about_runs_that_are_none_are_refused() {
    for wrong in [
        "ltl A (F X)",
        "ltl F",
        "ltl name:",
        "ltl",
        "ltl Y M",
        "ltl F [1,2] M",
        "ltl M >= ",
        "ltl M >= 99999999999",
        "ltl F Nn",
        "ltl \"M",
        "ltl M M",
    ] {
        let text = format!("start M\nM -> N\n{wrong}\n");
        assert!(ZSYNTAX.try_open(&text, &[], &[]).is_err(), "{wrong}");
    }
}

/// Engine and checker have nothing in common but the reactions: they use different automata and
/// different ways to find what goes on for ever.
#[test]
fn formulas_about_random_pathways_are_judged_alike() {
    fn formula(u: &mut Unstructured<'_>, depth: usize) -> Made<String> {
        if depth == 0 || u.int_in_range(0..=3)? == 0 {
            let species = *u.choose(&["\"A\"", "\"B\"", "\"C\""])?;
            let relation = *u.choose(&[">=", "=", "<", "!="])?;
            return Ok(match u.int_in_range(0..=5)? {
                0 => "ended".to_owned(),
                1 => species.to_owned(),
                number => format!("{species} {relation} {}", number - 2),
            });
        }
        let one = formula(u, depth - 1)?;
        Ok(match u.int_in_range(0..=7)? {
            0 => format!("!({one})"),
            1 => format!("X ({one})"),
            2 => format!("F ({one})"),
            3 => format!("G ({one})"),
            4 => format!("G F ({one})"),
            more => {
                let other = formula(u, depth - 1)?;
                let sign = ["U", "W", "->"][more as usize - 5];
                format!("({one}) {sign} ({other})")
            }
        })
    }
    quotient_trial::trial(|u| {
        let (start, reactions) = random(u)?;
        if start == [0; 3] {
            return Ok(());
        }
        let lines: String = reactions
            .iter()
            .map(|(take, give)| format!("{} -> {}\n", written(*take), written(*give)))
            .collect();
        // All species are known, whatever reacts.
        let known = "A & B & C & Z -> Z\n";
        let formula = formula(u, 3)?;
        let text = format!("start {}\n{lines}{known}ltl {formula}\n", written(start));
        let mut model = ZSYNTAX
            .try_open(&text, &[("aggregates", "300")], &[])
            .unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
        let answer = answers(&mut *model).remove(0);
        if answer.evidence.is_some() {
            assert_certified(&mut *model, &answer);
        }
        Ok(())
    })
    .budget_ms(2500);
}
