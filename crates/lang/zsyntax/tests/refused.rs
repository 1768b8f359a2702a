//! What is read as it is meant, or refused: each of these once gave a wrong answer.

use quotient_core::{Context, Verdict};
use quotient_language::Ask;
use quotient_testkit::language::{Tested, answers, assert_certified};
use quotient_zsyntax::LANGUAGE;

const ZSYNTAX: Tested = Tested::new(LANGUAGE, "p.zs");

fn verdict(text: &str) -> Verdict {
    let mut model = ZSYNTAX.open(text);
    let answer = answers(&mut *model).remove(0);
    assert_certified(&mut *model, &answer);
    answer.verdict
}

/// The verdict on a question that the file does not ask.
fn asked(text: &str, question: &str) -> Verdict {
    let mut model = ZSYNTAX.open(text);
    let ask = Ask {
        properties: vec![question.to_owned()],
        ..Ask::default()
    };
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    let answer = all.remove(0);
    assert_certified(&mut *model, &answer);
    answer.verdict
}

fn refused(text: &str, number: usize) {
    let told = ZSYNTAX.mistakes(text);
    assert_eq!(told.len(), number, "{text}: {told:?}");
}

fn sbml(level: u8, species: &str, rest: &str) -> String {
    format!(
        "<sbml level='{level}'><model><listOfSpecies>{species}</listOfSpecies>{rest}</model></sbml>"
    )
}

fn reaction(attributes: &str, product: &str) -> String {
    format!(
        "<listOfReactions><reaction id='r' {attributes}><listOfReactants>{B}\
         </listOfReactants><listOfProducts>{product}</listOfProducts></reaction></listOfReactions>"
    )
}

const A: &str = "<speciesReference species='A' stoichiometry='1'/>";
const B: &str = "<speciesReference species='B' stoichiometry='1'/>";
const ONE_A: &str = "<species id='A' initialAmount='1'/><species id='B' initialAmount='0'/>";

#[test]
fn a_reaction_goes_both_ways_unless_its_level_says_otherwise() {
    use Verdict::{Holds, Violated};
    for (attributes, expected) in [
        ("", Holds),
        ("reversible='1'", Holds),
        ("reversible='true'", Holds),
        ("reversible='0'", Violated),
        ("reversible='false'", Violated),
    ] {
        let text = sbml(2, ONE_A, &reaction(attributes, A));
        assert_eq!(asked(&text, "can B"), expected, "{attributes}");
    }
    refused(&sbml(3, ONE_A, &reaction("", A)), 1);
    refused(&sbml(2, ONE_A, &reaction("reversible='yes'", A)), 1);
}

#[test]
fn a_boundary_may_be_written_as_a_number() {
    let species = "<species id='A'/><species id='B' boundaryCondition='1' initialAmount='1'/>";
    let text = sbml(2, species, &reaction("reversible='0'", A));
    assert_eq!(asked(&text, "can 5 A"), Verdict::Holds);
    let text = text.replace("boundaryCondition='1'", "boundaryCondition='0'");
    assert_eq!(asked(&text, "can 5 A"), Verdict::Violated);
}

#[test]
fn a_modifier_that_is_made_is_not_needed_twice_on_the_way_back() {
    let modifier = "<modifierSpeciesReference species='A'/>";
    let rest = reaction("", A).replace(
        "</reaction>",
        &format!("<listOfModifiers>{modifier}</listOfModifiers></reaction>"),
    );
    assert_eq!(asked(&sbml(2, ONE_A, &rest), "can B"), Verdict::Holds);
}

#[test]
fn amounts_that_are_none_are_told() {
    for amount in ["one", "INF", "NaN", "-1", ""] {
        let species = format!("<species id='A' initialAmount='{amount}'/>");
        refused(&sbml(2, &species, ""), 1);
    }
    refused(
        &sbml(2, "<species id='A' initialConcentration='x'/>", ""),
        1,
    );
}

#[test]
fn amounts_that_are_too_large_are_not_any_amount() {
    let text = |amount: &str| {
        let species = format!("<species id='A'/><species id='B' initialAmount='{amount}'/>");
        sbml(2, &species, &reaction("reversible='0'", A))
    };
    refused(&text("1000001"), 1);
    refused(&text("1e300"), 1);
    assert_eq!(asked(&text("1000000"), "can A"), Verdict::Holds);
    // Where it never runs out the number does not matter.
    let boundary = text("1e9").replace("id='B'", "id='B' boundaryCondition='true'");
    assert_eq!(asked(&boundary, "can 5 A"), Verdict::Holds);
}

#[test]
fn what_changes_how_often_a_species_takes_part_is_told() {
    let once = "<speciesReference species='A'/>";
    let text = |level| sbml(level, ONE_A, &reaction("reversible='true'", once));
    refused(&text(3), 1);
    assert_eq!(asked(&text(2), "can B"), Verdict::Holds);
    let rest = reaction("reversible='true'", A);
    let with_factor = ONE_A.replace("id='A'", "id='A' conversionFactor='two'");
    refused(&sbml(3, &with_factor, &rest), 1);
    let of_model = sbml(3, ONE_A, &rest).replace("<model>", "<model conversionFactor='two'>");
    refused(&of_model, 1);
    assert_eq!(asked(&sbml(3, ONE_A, &rest), "can B"), Verdict::Holds);
}

#[test]
fn what_sets_a_species_beside_reactions_is_told() {
    let refused_in = |list: &str, inside: &str, number| {
        let product = "<speciesReference id='s' species='A'/>";
        let rest = format!("<{list}>{inside}</{list}>{}", reaction("", product));
        refused(&sbml(2, ONE_A, &rest), number);
    };
    let (initial, rules) = ("listOfInitialAssignments", "listOfRules");
    refused_in(initial, "<initialAssignment symbol='A'/>", 1);
    refused_in(initial, "<initialAssignment symbol='s'/>", 1);
    refused_in(
        rules,
        "<assignmentRule variable='A'/><rateRule variable='B'/>",
        2,
    );
    refused_in(
        rules,
        "<algebraicRule><math><apply><ci> A </ci></apply></math></algebraicRule>",
        1,
    );
    let event = "<event><trigger/><listOfEventAssignments><eventAssignment variable='B'/></listOfEventAssignments></event>";
    refused_in("listOfEvents", event, 1);
    // What is about a parameter does not matter.
    let rest = format!(
        "<listOfRules><assignmentRule variable='k'><math><ci>A</ci></math></assignmentRule>\
         <algebraicRule><math><ci>k</ci></math></algebraicRule></listOfRules>{}",
        reaction("", A)
    );
    assert_eq!(asked(&sbml(2, ONE_A, &rest), "can B"), Verdict::Holds);
}

#[test]
fn computed_numbers_and_inputs_that_hinder_are_told() {
    let product = "<speciesReference species='A'><stoichiometryMath><math><cn>2</cn></math>\
                   </stoichiometryMath></speciesReference>";
    refused(&sbml(2, ONE_A, &reaction("", product)), 1);
    let qual = |sign: &str| {
        format!(
            "<sbml level='3'><model><listOfQualitativeSpecies><qualitativeSpecies id='A' initialLevel='1'/>\
             <qualitativeSpecies id='B' initialLevel='0'/></listOfQualitativeSpecies><listOfTransitions>\
             <transition id='t'><listOfInputs><input qualitativeSpecies='A' {sign} transitionEffect='none'/></listOfInputs>\
             <listOfOutputs><output qualitativeSpecies='B' transitionEffect='production' outputLevel='1'/>\
             </listOfOutputs></transition></listOfTransitions></model></sbml>"
        )
    };
    refused(&qual("sign='negative'"), 1);
    refused(&qual("sign='dual'"), 1);
    assert_eq!(asked(&qual("sign='positive'"), "can B"), Verdict::Holds);
    assert_eq!(asked(&qual(""), "can B"), Verdict::Holds);
}

#[test]
fn numbers_on_the_left_are_not_made_smaller() {
    refused("start 1500 A\n2000 A -> B\nnever B\n", 1);
    assert_eq!(
        verdict("start 999 A\n1000 A -> B\nnever B\n"),
        Verdict::Holds
    );
}

#[test]
fn commutative_may_have_a_comment_and_may_be_a_molecule() {
    let text = "commutative # any order\nstart A*B\n1 B*A -> C\ncan C\n";
    assert_eq!(verdict(text), Verdict::Holds);
    let text = "start A*B &\ncommutative\n1 B*A -> C\ncan C\n";
    assert_eq!(verdict(text), Verdict::Violated);
    let text = "start A*B\n1 B*A -> C\ncan C\n\tcommutative";
    assert_eq!(verdict(text), Verdict::Holds);
}

#[test]
fn an_interaction_of_many_is_not_taken_apart() {
    refused("start A*B & C & E\nA*B*C -> D with E\ncan D\n", 1);
    refused("start D\nA*B*C <-> D\ncan A & B & C\n", 1);
    for left in ["(A*B) & C", "(A*B) * C"] {
        let text = format!("start A*B & C & E\n{left} -> D with E\ncan D & E\n");
        assert_eq!(verdict(&text), Verdict::Holds);
        let apart = text.replace("start A*B &", "start A & B &");
        assert_eq!(verdict(&apart), Verdict::Violated);
    }
    let pair = "start A & B & E\nA*B <-> D with E\ncan D & E\n";
    assert_eq!(verdict(pair), Verdict::Holds);
}
