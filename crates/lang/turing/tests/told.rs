//! What is asked of the end of a run, and how runs are told.

mod support;

use quotient_core::Verdict;
use support::{ask, open_with};

/// The champion of four states: 107 steps, 13 ones, in state Z.
const CHAMPION: &str = "1RB1LB_1LA0LC_1RZ1LD_1RD0RA";

fn message(text: &str) -> String {
    let trouble = open_with(text, &[]).err().expect("a mistake");
    format!("{trouble:?}")
}

#[test]
fn wishes_come_in_any_order_and_once() {
    let wishes = [
        "with 13 ones",
        "after 107 steps",
        "in state Z",
        "at cell -9",
    ];
    let mut orders = 0;
    for first in 0..4 {
        for second in (0..4).filter(|&one| one != first) {
            for third in (0..4).filter(|&one| one != first && one != second) {
                let last = 6 - first - second - third;
                let order = [first, second, third, last].map(|one: usize| wishes[one]);
                for count in 1..=4 {
                    let question = format!("halts on blank {}", order[..count].join(" "));
                    let answer = ask(CHAMPION, &question);
                    assert!(matches!(answer.verdict, Verdict::Holds), "{question}");
                    let other = question.replace("-9", "-8").replace("13", "12");
                    let answer = ask(CHAMPION, &other);
                    assert_eq!(matches!(answer.verdict, Verdict::Holds), other == question);
                }
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 24);
    for (question, why) in [
        ("with 13 ones with 13 ones", "`with` is given twice"),
        (
            "at cell 1 after 107 steps at cell 1",
            "`at cell` is given twice",
        ),
        ("in state Y with 13 ones", "there is no state `Y`"),
        (
            "after many steps with 13 ones",
            "a number of steps was expected",
        ),
        ("after 107 ones", "a number of steps was expected"),
        ("at cell Z in state Z", "the number of a cell was expected"),
    ] {
        let told = message(&format!("{CHAMPION}\ncheck halts on blank {question}"));
        assert!(told.contains(why), "{question}: {told}");
    }
}

#[test]
fn a_machine_may_begin_where_it_stops() {
    for machine in [
        format!("start Z\n{CHAMPION}"),
        "halt: H\nstart H\n<A,0,1,R,B>".to_owned(),
    ] {
        let answer = ask(
            &machine,
            "halts on blank after 0 steps with 0 ones at cell 0",
        );
        assert!(matches!(answer.verdict, Verdict::Holds), "{machine}");
        let answer = ask(&machine, "diverges on tape 1[1]1");
        assert!(matches!(answer.verdict, Verdict::Violated), "{machine}");
        assert_eq!(answer.trace.expect("a run").steps.len(), 1);
        let answer = ask(&machine, "diverges on every 1*");
        assert!(matches!(answer.verdict, Verdict::Violated), "{machine}");
        let answer = ask(&machine, "computes f(n) = n + 1");
        assert!(matches!(answer.verdict, Verdict::Holds), "{machine}");
    }
    let told = message(&format!("start Y\n{CHAMPION}"));
    assert!(told.contains("the start state `Y` has no action, and none leads to it"));
}

#[test]
fn long_runs_are_told_by_their_first_and_last_steps() {
    let run = |machine: &str, question: &str| {
        let answer = ask(machine, question);
        assert!(matches!(answer.verdict, Verdict::Violated), "{question}");
        answer.trace.expect("a run")
    };
    // The first and the last twelve steps, and one that stands for all between them.
    let told = run(CHAMPION, "diverges on blank");
    assert_eq!(
        (told.steps.len(), &told.ending[..]),
        (26, &["the machine stops here".to_owned()][..])
    );
    assert_eq!(told.steps[13].action.as_deref(), Some("83 more steps"));
    assert_eq!(told.steps[25].cells[0].text, "Z");
    // Step by step that is where it comes to.
    let all = run("1RB1LB_1LA1RZ", "diverges on blank");
    assert_eq!(
        (all.steps.len(), all.steps[6].cells[0].text.as_str()),
        (7, "Z")
    );
    // What repeats is told once, and of other endless runs how they begin.
    let cycle = run("1RB0RC_0LA---_1RA1RA", "halts on blank");
    assert_eq!(cycle.ending, ["the run goes on for ever"]);
    assert!((2..=25).contains(&cycle.steps.len()));
    let family = run(
        "<1,1,R,1> <1,B,W(1),2> <2,1,L,2> <2,B,W(1),1>",
        "halts on 5",
    );
    assert_eq!(
        (family.steps.len(), &family.ending[..]),
        (13, &["the run goes on for ever".to_owned()][..])
    );
}
