//! Values of known models lie within the bounds.

use crate::common::{Asked, answers, check, open};
use quotient_core::{Budget, Verdict};

const DIE: &str = include_str!("../../gallery/die.prism");

#[test]
fn each_face_of_the_die_has_a_chance_of_one_sixth() {
    for face in 1..=6 {
        let answer = check(DIE, &Asked::property(&format!("P=? [ F d={face} ]")));
        answer.has_value(1.0 / 6.0, 1e-7);
        assert_eq!(answer.verdict, Verdict::Holds);
    }
}

#[test]
fn the_die_takes_eleven_thirds_of_throws() {
    let asked = Asked::property("R{\"throws\"}=? [ F \"done\" ]");
    check(DIE, &asked).has_value(11.0 / 3.0, 1e-6);
}

#[test]
fn bounds_are_decided() {
    let verdict = |property: &str| check(DIE, &Asked::property(property)).0.verdict;
    assert_eq!(verdict("P>=0.5 [ F d=6 ]"), Verdict::Violated);
    assert_eq!(verdict("P<0.17 [ F d=6 ]"), Verdict::Holds);
    assert_eq!(verdict("P>=1 [ F \"done\" ]"), Verdict::Holds);
    assert_eq!(verdict("E [ F d=3 ]"), Verdict::Holds);
    assert_eq!(verdict("A [ F d=3 ]"), Verdict::Violated);
    assert_eq!(verdict("A [ G d<=6 ]"), Verdict::Holds);
}

#[test]
fn a_bound_tells_what_it_was_compared_with() {
    let told = |property: &str| {
        let answer = check(DIE, &Asked::property(property)).0;
        let mut details = answer.details.iter();
        let value = details.find(|(name, _)| name == "value");
        (answer.value, value.and_then(|(_, value)| value.as_f64()))
    };
    let is = |property: &str, value: f64| {
        let (asked, found) = told(property);
        assert_eq!(asked, None, "no number was asked for");
        assert!(
            (found.unwrap() - value).abs() < 1e-6,
            "{property}: {found:?}"
        );
    };
    is("P>=0.5 [ F d=6 ]", 1.0 / 6.0);
    // The opposite of what is computed.
    is("P>=0.5 [ G d!=6 ]", 5.0 / 6.0);
    is("R{\"throws\"}<4 [ F \"done\" ]", 11.0 / 3.0);
    // The outer one of two.
    is("P>=0.5 [ F P>=1 [ X d=6 ] ]", 1.0 / 6.0);
    // Several are joined: none of them is the number of the question.
    assert_eq!(told("P>=0.5 [ F d=6 ] & P>=0.5 [ F d=5 ]"), (None, None));
}

#[test]
fn a_name_without_letters_is_none() {
    let answer = check(DIE, &Asked::property("\"\": P=? [ F d=6 ]")).0;
    assert_eq!(answer.property, "P=? [ F d=6 ]");
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.property.as_deref(), Some("P=? [ F d=6 ]"));
}

#[test]
fn steps_can_be_bounded() {
    check(DIE, &Asked::property("P=? [ F<=3 \"done\" ]")).has_value(0.75, 1e-9);
    check(DIE, &Asked::property("P=? [ X s=1 ]")).has_value(0.5, 1e-9);
    check(DIE, &Asked::property("P=? [ s<3 U<=2 s=4 ]")).has_value(0.25, 1e-9);
    check(DIE, &Asked::property("R{\"throws\"}=? [ C<=2 ]")).has_value(2.0, 1e-9);
}

#[test]
fn a_missing_constant_is_named() {
    let text = "dtmc const int N; module m x:[0..N]; [] x<N -> (x'=x+1); endmodule";
    let trouble = crate::common::trouble(text, &Asked::property("P=? [ F x=N ]"));
    assert!(trouble.contains("`N` has no value"), "{trouble}");
    assert_eq!(trouble.matches("has no value").count(), 1, "{trouble}");
    let given = Asked::property("P=? [ F x=N ]").constant("N=3");
    check(text, &given).has_value(1.0, 0.0);
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "dtmc module m x:[0..3]; [] x<y -> (x'=z); [] x -> (q'=1); endmodule";
    let trouble = crate::common::trouble(text, &Asked::property("P=? [ F x=1 ]"));
    for name in ["`y`", "`z`", "`q`", "a condition needs"] {
        assert!(trouble.contains(name), "{trouble}");
    }
}

const CHOICE: &str = "mdp
module m
  x : [0..3];
  [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);
  [b] x=0 -> (x'=3);
  [c] x=1 -> (x'=0);
  [d] x>=2 -> true;
endmodule
rewards \"r\" x=0 : 1; [c] true : 2; endrewards";

#[test]
fn what_happens_in_the_end_has_a_chance() {
    check(CHOICE, &Asked::property("Pmax=? [ G F x=2 ]")).has_value(1.0, 0.0);
    check(CHOICE, &Asked::property("Pmin=? [ G F x=2 ]")).has_value(0.0, 0.0);
    check(CHOICE, &Asked::property("Pmax=? [ F G x=3 ]")).has_value(1.0, 0.0);
    check(
        CHOICE,
        &Asked::property("Pmax=? [ (G F x=0) | ((F G x=3) & (G F x=2)) ]"),
    )
    .has_value(0.0, 0.0);
    check(CHOICE, &Asked::property("Pmin=? [ (F G x=2) | (F G x=3) ]")).has_value(1.0, 0.0);
    check(DIE, &Asked::property("P=? [ F G d=2 ]")).has_value(1.0 / 6.0, 1e-7);
    check(DIE, &Asked::property("P=? [ !(G F d=2) ]")).has_value(5.0 / 6.0, 1e-7);
}

#[test]
fn total_rewards_end_or_are_infinite() {
    // a, c, a, c, … ends with chance one half each time.
    check(CHOICE, &Asked::property("R{\"r\"}max=? [ C ]")).has_value(4.0, 1e-6);
    check(CHOICE, &Asked::property("R{\"r\"}min=? [ C ]")).has_value(1.0, 1e-6);
    let endless = CHOICE.replace("x=0 : 1;", "x=3 : 1;");
    check(&endless, &Asked::property("R{\"r\"}max=? [ C ]")).has_value(f64::INFINITY, 0.0);
    check(&endless, &Asked::property("R{\"r\"}min=? [ C ]")).has_value(2.0, 1e-6);
    check(DIE, &Asked::property("R{\"throws\"}=? [ C ]")).has_value(11.0 / 3.0, 1e-6);
}

#[test]
fn runs_show_what_paths_do() {
    let answer = check(DIE, &Asked::property("E [ F d=3 ]"));
    let trace = answer.trace.as_ref().expect("a run");
    assert_eq!(trace.steps.len(), 4);
    assert_eq!(trace.steps[3].cells[1].text, "3");
    let answer = check(DIE, &Asked::property("A [ F d=3 ]"));
    let trace = answer.trace.as_ref().expect("a run");
    assert!(trace.back_to.is_some());
    assert!(check(DIE, &Asked::property("A [ G d<=6 ]")).trace.is_none());
}

#[test]
fn variables_may_be_without_bounds() {
    let text = "dtmc module m x:int; [] x<5 & x>-9 -> 0.5:(x'=x+1) + 0.5:(x'=x-1); endmodule";
    check(text, &Asked::property("P=? [ F<=5 x=5 ]")).has_value(1.0 / 32.0, 1e-9);
}

#[test]
fn modules_are_put_together_as_the_system_says() {
    let text = "mdp
module a x:[0..1]; [go] x=0 -> (x'=1); endmodule
module b y:[0..1]; [go] y=0 -> (y'=1); endmodule
";
    let both = "E [ F x=1 & y=0 ]";
    let verdict = |text: &str| check(text, &Asked::property(both)).0.verdict;
    assert_eq!(verdict(text), Verdict::Violated);
    let apart = format!("{text} system a ||| b endsystem");
    assert_eq!(verdict(&apart), Verdict::Holds);
    let on = format!("{text} system a |[go]| b endsystem");
    assert_eq!(verdict(&on), Verdict::Violated);
    let renamed = format!("{text} system a {{go<-run}} || b endsystem");
    assert_eq!(verdict(&renamed), Verdict::Holds);
    let hidden = format!("{text} system (a / {{go}}) || b endsystem");
    assert_eq!(verdict(&hidden), Verdict::Holds);
}

#[test]
fn mistakes_that_only_states_show_have_a_place_and_a_state() {
    let sum = "dtmc module m x:[0..3]; [] x<3 -> x/2:(x'=x+1) + 0.5:(x'=0); endmodule";
    let trouble = crate::common::trouble(sum, &Asked::property("P=? [ F x=3 ]"));
    assert!(trouble.contains("add up to 0.5"), "{trouble}");
    let range = "dtmc module m x:[0..3]; [] true -> (x'=x+1); endmodule";
    let trouble = crate::common::trouble(range, &Asked::property("P=? [ F x=3 ]"));
    assert!(trouble.contains("`x` gets the value 4"), "{trouble}");
}

#[test]
fn exact_numbers_are_fractions() {
    let exact = |text: &str, property: &str| {
        let asked = Asked::property(property).setting("exact", "true");
        check(text, &asked).0.value.expect("a number").exact
    };
    assert_eq!(exact(DIE, "P=? [ F d=6 ]").as_deref(), Some("1/6"));
    assert_eq!(exact(DIE, "P=? [ G d!=6 ]").as_deref(), Some("5/6"));
    let throws = "R{\"throws\"}=? [ F \"done\" ]";
    assert_eq!(exact(DIE, throws).as_deref(), Some("11/3"));
    let never = "R{\"throws\"}=? [ F d=1 ]";
    assert_eq!(exact(DIE, never).as_deref(), Some("infinity"));
    assert_eq!(exact(DIE, "P=? [ F<=3 d=6 ]"), None);
    let walk = "mdp module walk x : [0..4] init 1;
      [stay] x>0 & x<4 -> (x'=x);
      [step] x>0 & x<4 -> 1/3:(x'=x-1) + 2/3:(x'=x+1);
      [jump] x=2 -> 0.1:(x'=0) + 0.9:(x'=4);
    endmodule rewards [step] true : 1; [jump] true : 5; endrewards";
    // Through 2 the jump is best: 2/3 to get there, then 9/10.
    assert_eq!(exact(walk, "Pmax=? [ F x=4 ]").as_deref(), Some("3/5"));
    assert_eq!(exact(walk, "Pmin=? [ F x=4 ]").as_deref(), Some("0"));
    assert_eq!(exact(walk, "Pmax=? [ F x=0 ]").as_deref(), Some("7/15"));
}

#[test]
fn chains_that_are_hardly_ever_left_are_solved_exactly() {
    let text = "dtmc const int N = 90;
      module main x : [0..2*N] init N;
        [] x=N -> 0.7 : (x'=N-1) + 0.3 : (x'=N+1);
        [] x>0 & x<N -> 0.5 : (x'=x-1) + 0.5 : (x'=N);
        [] x>N & x<2*N -> 0.5 : (x'=x+1) + 0.5 : (x'=N);
        [] x=0 | x=2*N -> true;
      endmodule
      rewards \"steps\" true : 1; endrewards";
    check(text, &Asked::property("P=? [ F x=0 ]")).has_value(0.7, 1e-9);
    let verdict = |property: &str| check(text, &Asked::property(property)).0.verdict;
    assert_eq!(verdict("P>=0.7 [ F x=0 ]"), Verdict::Holds);
    assert_eq!(verdict("P>0.7 [ F x=0 ]"), Verdict::Violated);
}

#[test]
fn files_of_properties_as_they_were_written_long_ago_are_read() {
    let mut asked = Asked::default().setting("properties", "old.pctl");
    let text = "// no semicolons\n\
        P=? [ true U d=6 ]\n\
        R{\"throws\"}=? [ F \"done\" {s=1}{max} ]\n\n\
        P=? [ F d=6 {s<=2}{min}{max} ]\n\
        R=? [ F \"done\" ]\n\
        P=? [ F<=1+2*1 \"done\" ]\n\
        P>0.1 [ F d=6 {s=2} ]\n";
    asked.files = vec![("old.pctl".to_owned(), text.to_owned())];
    let answers = crate::common::answers(DIE, &asked).expect("answers");
    let value = |number: usize, expected: f64| {
        let found = answers[number].value.as_ref().expect("a number");
        assert!(found.lower <= expected + 1e-9 && expected <= found.upper + 1e-9);
    };
    assert_eq!(answers.len(), 6);
    value(0, 1.0 / 6.0);
    value(1, 8.0 / 3.0);
    let range = answers[2].value.as_ref().expect("a range");
    assert!(range.lower < 1e-9 && (range.upper - 1.0 / 3.0).abs() < 1e-6);
    value(3, 11.0 / 3.0);
    value(4, 0.75);
    assert_eq!(answers[5].verdict, Verdict::Holds);
}

#[test]
fn a_line_may_end_a_property_whatever_the_next_one_begins_with() {
    let kinds = [
        "P=? [ F d=6 ]",
        "P>=0.1 [ F d=6 ]",
        "R=? [ F \"done\" ]",
        "R{\"throws\"}=? [ F \"done\" ]",
        "R{\"throws\"}<=4 [ F \"done\" ]",
        "R<=4 [ F \"done\" ]",
        "S=? [ d=6 ]",
        "E [ F d=6 ]",
        "A [ F \"done\" ]",
        "filter(max, P=? [ F d=6 ])",
        "\"done\" => d>0",
        "!\"done\"",
        "(s=0)",
        "s=0",
        "true",
        "six",
        "min(s,d)=0",
    ];
    let parts = [
        "",
        "// a word\n",
        "\"first\": ",
        "const int k = 6\n",
        "const double t\n",
        "formula five = d=5\n",
        "label \"four\" = d=4\n",
    ];
    let count = |text: &str| {
        let mut asked = Asked::default().setting("properties", "lines.props");
        asked.files = vec![("lines.props".to_owned(), text.to_owned())];
        let found = crate::common::answers(DIE, &asked);
        found.map(|answers| {
            let names: Vec<String> = answers.into_iter().map(|one| one.property).collect();
            names
        })
    };
    for part in parts {
        let mut text = "formula six = d=6;\n".to_owned();
        for (number, kind) in kinds.iter().enumerate() {
            let before = kinds[(number * 7 + 3) % kinds.len()];
            let part = match number {
                0 => part,
                _ if part.starts_with("//") => part,
                _ => "",
            };
            text.push_str(&format!("{before}\n{part}{kind}\n"));
        }
        let names = count(&text).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
        assert_eq!(names.len(), 2 * kinds.len(), "{text}");
        assert_eq!(
            names.iter().any(|one| one == "first"),
            part.starts_with("\"first")
        );
    }
    assert!(count("P=? [ F d=6 ] P=? [ F d=5 ]").is_err());
}

#[test]
fn formulas_of_a_file_of_properties_mean_what_they_say() {
    let mut asked = Asked::default().setting("properties", "some.props");
    let text = "const int face;\nformula wanted = d=face;\nformula over = wanted & s=7;\n\
        P=? [ F over ];\n";
    asked.files = vec![("some.props".to_owned(), text.to_owned())];
    let asked = asked.constant("face=3");
    check(DIE, &asked).has_value(1.0 / 6.0, 1e-9);
}

/// Tries that cost 2 and work one time out of two, or cost 3 and work two times out of three.
const TRIES: &str = "mdp
module tries
  done : bool;
  lost : bool;
  [cheap] !done & !lost -> 1/2 : (done'=true) + 1/2 : true;
  [dear] !done & !lost -> 2/3 : (done'=true) + 1/6 : (lost'=true) + 1/6 : true;
endmodule
rewards \"cost\" [cheap] true : 2; [dear] true : 3; endrewards";

#[test]
fn quantiles_are_the_bounds_at_which_a_property_turns() {
    let value = |property: &str, expected: f64| {
        let found = check(TRIES, &Asked::property(property)).value.clone();
        let found = found.expect("a number");
        assert_eq!(
            (found.lower, found.upper),
            (expected, expected),
            "{property}"
        );
    };
    // With 3 dear once; with 2·n cheap n times; nothing is better than cheap in the long run.
    value("quantile(min B, Pmax>=0.6 [ F{\"cost\"}<=B done ])", 3.0);
    value("quantile(min B, Pmax>=0.4 [ F{\"cost\"}<=B done ])", 2.0);
    value("quantile(min B, Pmax>0.999 [ F{\"cost\"}<=B done ])", 20.0);
    value("quantile(max B, Pmax<=0.6 [ F{\"cost\"}<=B done ])", 2.0);
    value(
        "quantile(min B, Pmin>0.85 [ F{\"cost\"}<=B done ])",
        f64::INFINITY,
    );
    value(
        "quantile(max B, Pmax<=1 [ F{\"cost\"}<=B done ])",
        f64::INFINITY,
    );
    value("quantile(min B, Pmax>=0.99 [ F<=B done ])", 7.0);
    // Each quantile is what asking bound by bound says.
    for share in ["0.3", "0.7", "0.9", "0.95"] {
        let text = format!("quantile(min B, Pmax>={share} [ !lost U{{\"cost\"}}<=B done ])");
        let first = (0..100).find(|bound| {
            let text = format!("Pmax>={share} [ !lost U{{\"cost\"}}<={bound} done ]");
            check(TRIES, &Asked::property(&text)).verdict == Verdict::Holds
        });
        value(&text, f64::from(first.expect("there is one")));
    }
    let odd = crate::common::trouble(
        TRIES,
        &Asked::property("quantile(min B, Pmax=? [ F done ])"),
    );
    assert!(odd.contains("a quantile is of a property"), "{odd}");
    let never = check(
        TRIES,
        &Asked::property("quantile(max B, Pmax<0 [ F{\"cost\"}<=B done ])"),
    );
    assert!(matches!(never.verdict, Verdict::Unknown(_)));
}

#[test]
fn conditions_on_decision_processes_count_only_runs_that_fulfil_them() {
    // Going left reaches the condition rarely, but then always the goal.
    let text = "mdp module m s : [0..4];
      [left] s=0 -> 0.1:(s'=1) + 0.9:(s'=3);
      [right] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
      [] s>0 -> true; endmodule";
    let value = |property: &str, expected: f64| {
        check(text, &Asked::property(property)).has_value(expected, 1e-6);
    };
    value("Pmax=? [ F s=1 || F (s=1|s=2) ]", 1.0);
    value("Pmin=? [ F s=1 || F (s=1|s=2) ]", 0.5);
    value("Pmax=? [ F s=1 || F s<4 ]", 0.5);
    value("Pmin=? [ F s=3 || F (s=1|s=3) ]", 0.0);
    value("Pmax=? [ F s=3 || F (s=1|s=3) ]", 0.9);
    let never = crate::common::trouble(text, &Asked::property("Pmax=? [ F s=1 || F s=4 ]"));
    assert!(never.contains("no run"), "{never}");
}

#[test]
fn a_bound_inside_of_a_question_is_not_its_number() {
    let text = "dtmc module m x : [0..2]; [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); endmodule";
    let answer = check(text, &Asked::property("P=? [ F (x=1 & P>0.5 [ X x=1 ]) ]"));
    answer.has_value(0.5, 1e-9);
    assert!(answer.details.iter().all(|(name, _)| name != "value"));
    let answer = check(
        text,
        &Asked::property("P<=0.6 [ F (x=1 & P>0.5 [ X x=1 ]) ]"),
    );
    let value = answer.details.iter().find(|(name, _)| name == "value");
    assert_eq!(value.expect("a number").1, serde_json::json!(0.5));
}

#[test]
fn sums_of_numbers_that_cancel_say_how_far_they_are_known() {
    let model = "dtmc module m s : [0..2]; [] s<2 -> (s'=s+1); [] s=2 -> true; endmodule";
    for (formula, truth) in [
        ("filter(sum, s=0 ? 1.0E16 : (s=1 ? 1 : -1.0E16), true)", 1.0),
        ("filter(avg, s=0 ? 1.0E16 : (s=1 ? 3 : -1.0E16), true)", 1.0),
        ("filter(sum, s=0 ? 0.1 : (s=1 ? 0.2 : -0.3), true)", 0.0),
        ("filter(sum, s - 1, true)", 0.0),
    ] {
        let answer = answers(model, &Asked::property(formula)).unwrap().remove(0);
        // Where hardly anything is known there is no number, but there are bounds.
        let told = |name: &str| {
            let told = answer.details.iter().find(|one| one.0 == name);
            told.and_then(|one| one.1.as_f64()).expect("a bound")
        };
        let (lower, upper) = match &answer.value {
            Some(value) => (value.lower, value.upper),
            None => (told("lower"), told("upper")),
        };
        let between = (lower..=upper).contains(&truth);
        assert!(between, "{formula} {lower} {upper}");
        for relation in ["> 0.5", "< 0.5", "= 0", "> 0", "< 0", ">= 1", "<= 1"] {
            let (join, limit) = relation.split_once(' ').expect("two parts");
            let limit: f64 = limit.parse().expect("a number");
            let holds = match join {
                ">" => truth > limit,
                "<" => truth < limit,
                ">=" => truth >= limit,
                "<=" => truth <= limit,
                _ => truth == limit,
            };
            let asked = Asked::property(&format!("{formula} {relation}"));
            match answers(model, &asked).unwrap()[0].verdict {
                Verdict::Holds => assert!(holds, "{formula} {relation}"),
                Verdict::Violated => assert!(!holds, "{formula} {relation}"),
                Verdict::Unknown(_) => assert!(!formula.contains("s - 1")),
            }
        }
    }
}

#[test]
fn a_chance_of_exactly_nothing_is_shown_and_a_count_that_is_open_is_unknown() {
    let model =
        "dtmc module m s : [0..2]; [] s=0 -> 1/3:(s'=1) + 2/3:(s'=2); [] s>0 -> true; endmodule";
    let never = Asked::property("P=? [ G<=4 s=0 ]");
    let answer = answers(model, &never).unwrap().remove(0);
    let evidence = answer.evidence.expect("evidence");
    let mut opened = open(model, &never).expect("a model");
    let property = opened.property("P=? [ G<=4 s=0 ]").expect("a property");
    let certified = opened.certify(&evidence, &property, &Budget::unlimited());
    assert!(certified.is_ok(), "{certified:?}");
    for (formula, number) in [
        ("filter(count, P>1 [ F<=4 s=1 ], true)", 0.0),
        ("filter(count, P>=1 [ F<=4 s>0 ], true)", 3.0),
        ("filter(count, P>0 [ G<=4 s=0 ], true)", 0.0),
    ] {
        let answer = answers(model, &Asked::property(formula)).unwrap().remove(0);
        match answer.verdict {
            Verdict::Holds => assert_eq!(answer.value.map(|one| one.value), Some(number)),
            Verdict::Violated => panic!("{formula}"),
            Verdict::Unknown(_) => assert!(answer.evidence.is_none()),
        }
    }
}

#[test]
fn what_is_too_large_or_too_small_for_a_double_is_no_answer() {
    let model = "dtmc module m s : [0..2]; [] s=0 -> 1E-200:(s'=1) + 1-1E-200:(s'=2); [] s>0 -> true; endmodule
        rewards s=0 : 1E200; endrewards
        rewards \"ones\" true : 1; endrewards";
    let both = [
        ("P=? [ F s=1 ] * P=? [ F s=1 ] > 0", true),
        ("P=? [ F s=1 ] * P=? [ F s=1 ] = 0", false),
        (
            "R=? [ C<=1 ] * R=? [ C<=1 ] = 2 * R=? [ C<=1 ] * R=? [ C<=1 ]",
            false,
        ),
        ("P=? [ F s=1 ] / R=? [ C<=1 ] > 0", true),
    ];
    for (formula, truth) in both {
        let verdict = answers(model, &Asked::property(formula))
            .unwrap()
            .remove(0)
            .verdict;
        match verdict {
            Verdict::Holds => assert!(truth, "{formula}"),
            Verdict::Violated => assert!(!truth, "{formula}"),
            Verdict::Unknown(_) => {}
        }
    }
    // Infinity minus infinity is no number, so that nothing is known of it.
    for relation in ["> 0", "<= 0", "= 0", "!= 0"] {
        let formula = format!("R{{\"ones\"}}=? [ F s=1 ] - R{{\"ones\"}}=? [ F s=2 ] {relation}");
        let verdict = answers(model, &Asked::property(&formula))
            .unwrap()
            .remove(0)
            .verdict;
        assert!(!verdict.is_definite(), "{formula} {verdict:?}");
    }
    let infinite = answers(
        model,
        &Asked::property("filter(sum, R{\"ones\"}=? [ F s=1 ], true)"),
    );
    let value = infinite.unwrap().remove(0).value.expect("a number");
    assert_eq!((value.lower, value.upper), (f64::INFINITY, f64::INFINITY));
    // Of what lies anywhere there is no middle to be told.
    let nothing = "R{\"ones\"}=? [ F s=1 ] - R{\"ones\"}=? [ F s=2 ]";
    let vague = answers(model, &Asked::property(nothing)).unwrap().remove(0);
    assert!(
        !vague.verdict.is_definite() && vague.value.is_none(),
        "{vague:?}"
    );
    let ends: Vec<(&str, &str)> = vague
        .details
        .iter()
        .filter_map(|(name, value)| Some((&name[..], value.as_str()?)))
        .collect();
    assert_eq!(ends, [("lower", "-Infinity"), ("upper", "Infinity")]);
}

#[test]
fn numbers_that_no_double_is_near_to_are_refused() {
    let model = |weight: &str, more: &str| {
        format!(
            "dtmc module m s : [0..2]; [a] s=0 -> {weight}:(s'=1) + 1-{weight}:(s'=2); [] s>0 -> true; endmodule {more}"
        )
    };
    let beside = "module n t : [0..2]; [a] t=0 -> 1E-200:(t'=1) + 1-1E-200:(t'=2); endmodule";
    for text in [
        model("1E-400", ""),
        model("1E-200*1E-200", ""),
        model("1E-200", beside),
        model("0.5", "rewards s=0 : 1E-400; endrewards"),
        model("0.5", "rewards s=0 : 1E400; endrewards"),
    ] {
        let refused = answers(&text, &Asked::property("P>0 [ F s=1 ]"));
        let text = format!("{refused:?}");
        assert!(refused.is_err() && text.contains("too"), "{text}");
    }
    let fine = model("1E-200", "");
    let answer = answers(&fine, &Asked::property("P>0 [ F s=1 ]"))
        .unwrap()
        .remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
}

#[test]
fn a_constant_that_changes_nothing_is_told() {
    let model = "dtmc const double p; const int N; module m s : [0..2];
      [] s=0 -> p:(s'=1) + 1-p:(s'=2); [] s>0 -> true; endmodule";
    let notes = |property: &str| {
        let asked = Asked::property(property).constant("p=0.25:0.25:0.75");
        let found = answers(model, &asked.constant("N=1:3")).unwrap();
        found[0].notes.join("\n")
    };
    let told = notes("P=? [ F s=1 ]");
    assert!(
        told.contains("values of N") && !told.contains("of p"),
        "{told}"
    );
    let told = notes("P>=1 [ F s>0 ]");
    assert!(
        told.contains("values of N") && told.contains("of p"),
        "{told}"
    );
    assert_eq!(notes("P=? [ F s=1 & N=2 ]"), "");
}
