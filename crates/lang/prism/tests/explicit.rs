//! Models as lists of states: what is written is read again, and answers the same.

use quotient_core::{Context, Verdict};
use quotient_language::{Ask, Model, Number};
use quotient_prism::{EXPLICIT, JANI, LANGUAGE};
use quotient_testkit::language::{Tested, answers, assert_certified};

const PRISM: Tested = Tested::new(LANGUAGE, "m.prism");
const TRA: Tested = Tested::new(EXPLICIT, "m.tra");
const DRN: Tested = Tested::new(EXPLICIT, "m.drn");
const JANI_MODEL: Tested = Tested::new(JANI, "m.jani");

const QUEUE: &str = "ctmc
module queue
  n : [0..3] init 1;
  broken : bool init false;
  [arrive] n<3 & !broken -> 2 : (n'=n+1);
  [serve] n>0 & !broken -> 3 : (n'=n-1);
  [] !broken -> 0.1 : (broken'=true);
endmodule
label \"full\" = n=3;
rewards \"served\" [serve] true : 1; endrewards
rewards \"waiting\" n>1 : n; endrewards
";

const GAME: &str = "mdp
const double p = 0.3;
module game
  x : [-1..2] init 0;
  [left] x=0 -> p : (x'=-1) + 1-p : (x'=1);
  [right] x=0 -> 0.5 : (x'=2) + 0.5 : (x'=0);
  [right] x=1 -> 1/3 : (x'=2) + 2/3 : (x'=0);
endmodule
label \"won\" = x=2;
rewards \"cost\" [left] true : 2; [right] x=1 : 1; x=0 : 0.5; endrewards
";

fn value(model: &mut dyn Model, property: &str) -> Number {
    let ask = Ask {
        properties: vec![property.to_owned()],
        ..Ask::default()
    };
    let mut found = None;
    let mut tell = |answer: quotient_language::Answer| found = answer.value;
    model
        .check(&ask, &Context::default(), &mut tell)
        .unwrap_or_else(|trouble| panic!("{property}: {trouble}"));
    found.unwrap_or_else(|| panic!("{property} has no value"))
}

#[track_caller]
fn assert_same(text: &str, questions: &[&str]) {
    let mut first = PRISM.open(text);
    let cx = Context::default();
    let written = first.convert("explicit", None, &cx).unwrap();
    let beside: Vec<(String, &str)> = written
        .companions
        .iter()
        .map(|(ending, text)| (ending.replace('*', "m"), text.as_str()))
        .collect();
    let beside: Vec<(&str, &str)> = beside
        .iter()
        .map(|(name, text)| (&name[..], *text))
        .collect();
    let listed = TRA.try_open(&written.text, &[], &beside);
    let mut listed = listed.unwrap_or_else(|trouble| panic!("{trouble}\n{}", written.text));
    let drn = first.convert("drn", None, &cx).unwrap().text;
    let mut drn = DRN.open(&drn);
    let jani = first.convert("jani", None, &cx).unwrap().text;
    let mut jani = JANI_MODEL.open(&jani);
    let mut again = JANI_MODEL.open(&jani.convert("jani", None, &cx).map_or_else(
        // Rewards of edges that synchronise are not written twice.
        |_| first.convert("jani", None, &cx).unwrap().text,
        |written| written.text,
    ));
    let near = |one: &Number, other: &Number| {
        one.lower <= other.upper + 1e-6 && other.lower <= one.upper + 1e-6
    };
    for question in questions {
        let expected = value(first.as_mut(), question);
        let found = value(listed.as_mut(), question);
        assert!(
            near(&expected, &found),
            "{question}: {expected:?} {found:?}"
        );
        for jani in [&mut jani, &mut again] {
            let found = value(jani.as_mut(), question);
            assert!(
                near(&expected, &found),
                "{question}: {expected:?} {found:?}"
            );
        }
        let found = value(drn.as_mut(), question);
        assert!(
            near(&expected, &found),
            "{question}: {expected:?} {found:?}"
        );
    }
}

#[test]
fn a_continuous_chain_comes_back() {
    let questions = [
        "P=? [ F<=2 \"full\" ]",
        "R{\"served\"}=? [ C<=3 ]",
        "R{\"waiting\"}=? [ I=1 ]",
        "P=? [ F \"deadlock\" ]",
    ];
    assert_same(QUEUE, &questions);
}

#[test]
fn a_decision_process_comes_back() {
    let questions = [
        "Pmax=? [ F \"won\" ]",
        "Pmin=? [ F \"won\" ]",
        "R{\"cost\"}min=? [ C<=3 ]",
        "R{\"cost\"}max=? [ C<=4 ]",
    ];
    assert_same(GAME, &questions);
}

/// Three modules with shared actions, hidden and renamed ones, a global variable, several starts, and
/// rewards by actions, steps and states.
const SYSTEM: &str = "mdp
const double p = 1/3;
global g : [0..2];
module one
  a : [0..2];
  [go] a<2 -> p : (a'=a+1) + 1-p : true;
  [work] a>0 -> (a'=0) & (g'=min(g+1, 2));
  [] a=0 & g<2 -> 0.5 : (g'=g+1) + 0.5 : true;
endmodule
module other = one [ a=b, go=come, work=rest ] endmodule
module counter
  c : [0..3];
  [go] c<3 -> (c'=c+1);
  [come] c>0 -> (c'=c-1);
  [work] true -> (c'=mod(c+1, 4));
  [rest] c=round(1.5) -> (c'=0);
endmodule
init c=0 & a+b<=1 & g=0 endinit
label \"end\" = a=2 & b=2;
label \"late\" = c=3 & g=2;
label \"begun\" = a=1;
rewards \"r\" [work] true : 2; [go] a=1 : 0.5; c=3 : 0.25; endrewards
rewards [] true : 1; endrewards
system ((one ||| other) |[go,come,work,rest]| counter) / {rest} endsystem
";

#[test]
fn a_system_comes_back() {
    let questions = [
        "filter(max, Pmax=? [ F \"end\" ], \"init\")",
        "filter(min, Pmax=? [ F<=6 \"late\" ], \"init\")",
        "filter(max, R{\"r\"}max=? [ C<=5 ], \"init\")",
        "filter(sum, R{\"r\"}min=? [ C<=5 ])",
        "filter(max, R{2}max=? [ C<=4 ], \"init\")",
        "filter(avg, Pmin=? [ F<=4 \"begun\" ])",
    ];
    assert_same(SYSTEM, &questions);
}

#[test]
fn variables_come_back_too() {
    let mut first = PRISM.open(GAME);
    let written = first
        .convert("explicit", None, &Context::default())
        .unwrap();
    let states = written
        .companions
        .iter()
        .find(|one| one.0 == "*.sta")
        .unwrap();
    let files = [("m.sta", states.1.as_str())];
    let mut listed = TRA.try_open(&written.text, &[], &files).unwrap();
    let (one, other) = ("Pmax=? [ F x=2 ]", "Pmax=? [ x<1 U x=2 ]");
    for question in [one, other] {
        let (a, b) = (
            value(first.as_mut(), question),
            value(listed.as_mut(), question),
        );
        assert!((a.value - b.value).abs() < 1e-6, "{question}");
    }
}

#[test]
fn the_example_is_answered_with_evidence() {
    let mut model = Tested::new(EXPLICIT, "walk.drn").example("walk");
    let ask = Ask {
        properties: vec![
            "Pmax>=0.6 [ F \"right\" ]".into(),
            "Pmax>=0.4 [ F \"right\" ]".into(),
        ],
        ..Ask::default()
    };
    let mut all = Vec::new();
    model
        .check(&ask, &Context::default(), &mut |answer| all.push(answer))
        .unwrap();
    assert_eq!(all.len(), 2);
    for answer in &all {
        assert!(answer.verdict.is_definite());
        assert_certified(model.as_mut(), answer);
    }
    assert!(
        answers(model.as_mut())
            .iter()
            .all(|one| one.verdict != Verdict::Violated)
    );
}

#[test]
fn mistakes_are_told_at_their_places() {
    assert_eq!(
        TRA.mistakes("2 3\n0 1 0.5\n0 x 0.5\n5 0 1\n1 1 -1\n"),
        [
            "m.tra:3:3: error: the number of a state was expected",
            "m.tra:4:1: error: there is no such state",
            "m.tra:5:5: error: a number that is not negative was expected",
        ]
    );
    assert!(TRA.mistakes("99999999999 1\n0 0 1\n")[0].contains("more than the file can list"));
    assert!(TRA.mistakes("1 1\n0 7 1\n")[0].contains("leads to 7"));
    assert!(DRN.mistakes("@type: POMDP\n@model\nstate 0\n")[0].contains("only DTMC"));
    // Probabilities where rates belong.
    let chain = |rate: &str, weight: &str| {
        format!(
            "@type: CTMC\n@model\nstate 0 !{rate} init\n\taction 0\n\t\t0 : {weight}\n\t\t0 : 1\n"
        )
    };
    assert!(DRN.mistakes(&chain("3", "1/2"))[0].contains("add up to 1.5, not to 3"));
    assert!(DRN.mistakes(&chain("x", "2"))[0].contains("a rate was expected"));
    let wrong = "@type: DTMC\n@nr_states\n1\n@model\nstate 1 init\n\taction 0\n\t\t0 ; 1\n";
    assert_eq!(DRN.mistakes(wrong).len(), 3);
}

#[test]
fn no_text_makes_the_readers_panic() {
    let one = "3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n";
    DRN.disturb("@[]!:,./ 012e\n\t", 1500, |text| {
        let _ = DRN.try_open(text, &[], &[]);
        let _ = TRA.try_open(
            text,
            &[],
            &[("m.sta", text), ("m.lab", text), ("m.srew", text)],
        );
        let _ = TRA.try_open(
            one,
            &[],
            &[("m.sta", text), ("m.lab", text), ("m.trew", text)],
        );
    });
}

#[test]
fn a_strategy_is_a_chain_that_attains_the_number() {
    for (question, of_chain) in [
        ("Pmax=? [ F \"won\" ]", "P=? [ F \"won\" ]"),
        ("Pmin=? [ F \"won\" ]", "P=? [ F \"won\" ]"),
    ] {
        let mut model = PRISM.open(GAME);
        let ask = Ask {
            properties: vec![question.into()],
            exhibits: true,
            ..Ask::default()
        };
        let mut all = Vec::new();
        model
            .check(&ask, &Context::default(), &mut |answer| all.push(answer))
            .unwrap();
        let answer = all.remove(0);
        let strategy = &answer.exhibits[0];
        let file = |ending: &str| &strategy.files.iter().find(|one| one.0 == ending).unwrap().1;
        assert!(
            file("csv").starts_with("x,choice,action\n0,"),
            "{}",
            file("csv")
        );
        let attained = value(DRN.open(file("drn")).as_mut(), of_chain).value;
        let best = answer.value.unwrap();
        assert!(
            (attained - best.value).abs() < 1e-6,
            "{question}: {attained} {best:?}"
        );
    }
}

#[test]
fn the_values_of_each_state_are_given_once() {
    let transitions = "2 2\n0 1 1\n1 1 1\n";
    for (states, expected) in [
        ("(x)\n0:(0)\n", "state 1 are missing"),
        ("(x)\n1:(0)\n", "state 0 are missing"),
        ("(x)\n0:(0)\n0:(1)\n1:(2)\n", "given twice"),
    ] {
        let opened = TRA.try_open(transitions, &[], &[("m.sta", states)]);
        let told = opened.err().expect("a mistake").to_string();
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn lists_have_as_many_parts_as_they_say() {
    let told = |tested: &Tested, text: &str, beside: &[(&str, &str)]| {
        let opened = tested.try_open(text, &[], beside);
        opened.err().expect("a mistake").to_string()
    };
    let fine = "2 2\n0 1 1\n1 1 1\n";
    for (text, beside, expected) in [
        ("2 3\n0 1 1\n1 1 1\n", None, "2 transitions"),
        ("2 3 2\n0 0 1 1\n1 0 1 1\n", None, "2 choices"),
        ("2 2 3\n0 0 1 1\n1 0 1 1\n", None, "2 transitions"),
        (
            fine,
            Some(("m.lab", "0=\"init\" 1=\"init\"\n0: 0\n1: 1\n")),
            "given twice",
        ),
        (
            fine,
            Some(("m.srew", "2 2\n0 1\n0 2\n")),
            "earns is given twice",
        ),
        (fine, Some(("m.srew", "2 2\n0 1\n")), "there are 1 lines"),
        (fine, Some(("m.srew", "3 1\n0 1\n")), "there are 2 states"),
        (fine, Some(("m.srew", "1\n0 1\n")), "not as many as it says"),
        (fine, Some(("m.trew", "2 1\n0 1 5\n1 1 2\n")), "2 lines"),
        (
            fine,
            Some(("m.trew", "2 3\n0 1 5\n1 1 2\n0 1 5\n")),
            "transition earns is given twice",
        ),
    ] {
        let beside: Vec<(&str, &str)> = beside.into_iter().collect();
        let told = told(&TRA, text, &beside);
        assert!(told.contains(expected), "{told}");
    }
    let drn = |head: &str, label: &str| {
        format!("@type: DTMC\n{head}\n@model\nstate 0 {label}\n\taction 0\n\t\t0 : 1\n")
    };
    assert!(DRN.try_open(&drn("", "init"), &[], &[]).is_ok());
    for (head, label, expected) in [
        ("@nr_choices\n2", "init", "1 choices"),
        ("", "", "label `init`"),
        ("@type: MDP", "init", "second type"),
        ("@reward_models\nr r", "init", "two rewards"),
    ] {
        let told = told(&DRN, &drn(head, label), &[]);
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn several_transitions_to_one_state_earn_together() {
    let transitions = "3 4\n0 1 0.25\n0 1 0.25\n0 2 0.5\n1 1 1\n";
    let beside = [
        ("m.trew", "3 2\n0 2 4\n0 1 8\n"),
        ("m.lab", "0=\"init\"\n0: 0\n"),
    ];
    let mut model = TRA.try_open(transitions, &[], &beside).unwrap();
    let found = value(model.as_mut(), "R{1}=? [ C<=1 ]");
    assert!((found.value - 6.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn files_have_the_names_that_prism_gives_them() {
    let mut first = PRISM.open(QUEUE);
    let written = first.convert("explicit", None, &Context::default());
    let written = written.unwrap();
    let names: Vec<&str> = written.companions.iter().map(|one| &one.0[..]).collect();
    let expected = ["*.sta", "*.lab", "*1.srew", "*1.trew", "*2.srew"];
    assert_eq!(names, expected);
    assert!(
        written.companions[2]
            .1
            .starts_with("# Reward structure \"served\"\n")
    );
}

#[test]
fn files_are_found_where_they_were_written() {
    let transitions = "2 2\n0 1 1\n1 1 1\n";
    let states = |name: &'static str| (name, "(x)\n0:(3)\n1:(7)\n");
    for name in ["m.sta", "m.tra.sta"] {
        let mut model = TRA.try_open(transitions, &[], &[states(name)]).unwrap();
        assert_eq!(value(model.as_mut(), "P=? [ F x=7 ]").value, 1.0, "{name}");
    }
    // Which of the two is meant cannot be told.
    let both = [states("m.sta"), states("m.tra.sta")];
    let told = TRA
        .try_open(transitions, &[], &both)
        .err()
        .expect("a mistake");
    assert!(told.to_string().contains("both lie beside"), "{told}");
}

#[test]
fn rewards_of_other_models_are_not_taken() {
    let transitions = "2 2\n0 1 1\n1 1 1\n";
    let earned = |name: &'static str, text: &'static str| (name, text);
    let asked = |beside: &[(&str, &str)], reward: &str| {
        let mut model = TRA.try_open(transitions, &[], beside).unwrap();
        value(model.as_mut(), reward).value
    };
    let (first, second) = (
        earned("m1.srew", "2 1\n0 7\n"),
        earned("m2.srew", "2 1\n0 3\n"),
    );
    assert_eq!(asked(&[first, second], "R{1}=? [ C<=1 ]"), 7.0);
    assert_eq!(asked(&[first, second], "R{2}=? [ C<=1 ]"), 3.0);
    // Beside `m1.tra` its rewards are those of `m1`.
    let other = ("m1.tra", transitions);
    assert_eq!(asked(&[first, second, other], "R{1}=? [ C<=1 ]"), 3.0);
    let told = |beside: &[(&str, &str)]| {
        let model = TRA.try_open(transitions, &[], beside);
        model.err().map(|told| told.to_string())
    };
    let own = earned("m.srew", "2 1\n0 5\n");
    assert_eq!(asked(&[own, first, other], "R=? [ C<=1 ]"), 5.0);
    let both = told(&[own, first]).expect("a mistake");
    assert!(both.contains("with a number (1) and without"), "{both}");
}

/// What a comment says counts, and what rows add up to only where there is none.
#[test]
fn a_comment_says_what_the_numbers_are() {
    let chain = "2 2\n0 1 1\n1 0 1\n";
    let question = "P=? [ F<=1 s=1 ]";
    let of = |kind: &str| {
        let text = format!("# Transitions ({kind})\n{chain}");
        value(TRA.open(&text).as_mut(), question).value
    };
    assert!((of("DTMC") - 1.0).abs() < 1e-9);
    assert!((of("CTMC") - (1.0 - (-1.0f64).exp())).abs() < 1e-6);
    assert!((value(TRA.open(chain).as_mut(), question).value - 1.0).abs() < 1e-9);
    assert!(TRA.mistakes(&format!("# Transitions (POMDP)\n{chain}"))[0].contains("POMDP"));
    assert!(TRA.mistakes(&format!("# Transitions (MDP)\n{chain}"))[0].contains("three"));
    // Steps without numbers.
    let steps = "3 3 3\n0 0 1\n0 1 2\n1 0 2\n";
    assert!((value(TRA.open(steps).as_mut(), "Pmin=? [ F s=1 ]").value - 0.0).abs() < 1e-9);
    assert!((value(TRA.open(steps).as_mut(), "Pmax=? [ F s=1 ]").value - 1.0).abs() < 1e-9);
}

/// A chain of probabilities with one wrong number would be one of rates.
#[test]
fn rows_that_nearly_all_add_up_to_one_are_a_doubt() {
    let rows: String = (1..12).map(|one| format!("{one} {one} 1\n")).collect();
    let doubts = |text: &str| -> Vec<String> {
        let doubts = TRA.open(text).doubts(&Context::default()).unwrap();
        doubts.into_iter().map(|one| one.text).collect()
    };
    let about = |texts: Vec<String>| texts.iter().any(|text| text.contains("taken as rates"));
    assert!(about(doubts(&format!("12 13\n0 1 0.5\n0 2 0.49\n{rows}"))));
    assert!(!about(doubts(&format!("12 13\n0 1 0.5\n0 2 0.5\n{rows}"))));
    assert!(!about(doubts("2 2\n0 1 3\n1 0 0.5\n")));
}

#[test]
fn all_files_of_a_model_in_one() {
    let text = "# Transitions (DTMC)\n3 4\n0 1 0.25\n0 2 0.75\n1 1 1\n2 2 1\n\n# States\n(x,b)\n0:(0,false)\n\
        1:(1,true)\n2:(2,true)\n\n# Labels\n0=\"init\" 1=\"deadlock\" 2=\"won\"\n0: 0\n2: 2\n\n\
        # Reward structure \"cost\"\n# State rewards\n3 1\n0 2\n\n\
        # Reward structure \"cost\"\n# Transition rewards\n3 1\n0 2 4\n\n\
        # Reward structure \"other\"\n# State rewards\n3 1\n0 7\n";
    let together = Tested::new(EXPLICIT, "m.pexp");
    let mut model = together.open(text);
    for (question, expected) in [
        ("P=? [ F \"won\" ]", 0.75),
        ("P=? [ F x=1 & b ]", 0.25),
        ("R{\"cost\"}=? [ C<=1 ]", 5.0),
        ("R{\"other\"}=? [ C<=1 ]", 7.0),
    ] {
        let found = value(model.as_mut(), question).value;
        assert!((found - expected).abs() < 1e-6, "{question}: {found}");
    }
    for answer in answers(model.as_mut()) {
        assert_certified(model.as_mut(), &answer);
    }
    // A mistake is told where it stands in the whole file.
    let wrong = together.mistakes(&text.replace("2: 2\n", "2: 9\n"));
    assert!(wrong[0].contains("m.pexp:17:4"), "{wrong:?}");
    let twice = together.mistakes(&format!("{text}\n# States\n(x)\n0:(0)\n"));
    assert!(twice[0].contains("second part"), "{twice:?}");
}

const SERVER: &str = "ma
module server
  s : [0..3];
  <> s=0 -> 2 : (s'=1) + 1 : (s'=2);
  [fast] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=2);
  [safe] s=1 -> (s'=2);
  <> s=2 -> 4 : (s'=3);
  <> s=3 -> 1 : true;
endmodule
label \"done\" = s=3;
rewards \"time\" true : 1; endrewards
rewards \"toll\" [fast] true : 3; endrewards
";

#[test]
fn a_markov_automaton_comes_back_from_drn() {
    let mut first = PRISM.open(SERVER);
    let text = first
        .convert("drn", None, &Context::default())
        .unwrap()
        .text;
    let mut listed = DRN.open(&text);
    let mut longhand = DRN.open(&text.replace("@type: MA", "@type: Markov Automaton"));
    for question in [
        "Pmax=? [ F<=1 \"done\" ]",
        "Pmin=? [ F<=1 \"done\" ]",
        "R{\"time\"}min=? [ F \"done\" ]",
        "R{\"time\"}max=? [ F \"done\" ]",
        "R{\"toll\"}max=? [ F \"done\" ]",
    ] {
        let expected = value(first.as_mut(), question).value;
        for other in [&mut listed, &mut longhand] {
            let found = value(other.as_mut(), question).value;
            assert!(
                (found - expected).abs() < 1e-6,
                "{question}: {found} {expected}"
            );
        }
    }
    let wrong = DRN.mistakes(&text.replace("state 1 !0", "state 1 !2"));
    assert!(wrong[0].contains("has a rate and 2 choices"), "{wrong:?}");
}

/// A continuous chain whose rates add up to one everywhere is no chain of probabilities.
#[test]
fn rates_that_add_up_to_one_stay_rates() {
    let text = "ctmc module m s : [0..1]; [] true -> 1 : (s'=1-s); endmodule";
    assert_same(text, &["P=? [ F<=1 s=1 ]"]);
}
