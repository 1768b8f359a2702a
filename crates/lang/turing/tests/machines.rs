//! Machines of the gallery, of the literature and of chance: verdicts, evidence and forgeries.

mod support;

use std::collections::HashMap;

use quotient_core::{Claim, Context, Evidence, Source, Trouble, Verdict};
use quotient_forger::{Attack, attack};
use quotient_language::{Input, Model, Viewed};
use quotient_turing::LANGUAGE;
use support::{COUNTER, DIV2, EMPTY, PMINUS, ask, certify, check, open, open_with, proof};

#[test]
fn everything_in_the_gallery_holds_with_evidence_that_no_forgery_passes_for() {
    for example in LANGUAGE.about().examples {
        let text = example.files[0].1;
        let input = Input::text(&Source::new(example.files[0].0, text));
        assert!(LANGUAGE.recognises(&input) > quotient_language::Sureness::No);
        let answers = check(open(text).as_mut());
        assert!(!answers.is_empty());
        let donors: Vec<Evidence> = answers
            .iter()
            .filter_map(|one| one.evidence.clone())
            .collect();
        for answer in answers {
            let name = format!("{}: {}", example.name, answer.property);
            assert_eq!(answer.verdict, Verdict::Holds, "{name}");
            let how = Attack {
                forgeries: 60,
                donors: donors.clone(),
                ..Attack::default()
            };
            let checker = |evidence: &Evidence| certify(open(text).as_mut(), evidence);
            let names: Vec<String> = open(text)
                .properties()
                .into_iter()
                .map(|one| one.name)
                .collect();
            let is_true = |claim, property: &str| {
                claim == Claim::Holds && names.iter().any(|name| name == property)
            };
            let tally = attack(&answer.evidence.unwrap(), &how, checker, is_true);
            assert!(
                tally
                    .unwrap_or_else(|why| panic!("{name}: {why}"))
                    .false_claims
                    > 0
            );
        }
    }
}

#[test]
fn half_of_eight_is_four_after_fourteen_steps() {
    let question = "halts on 8 with 4 ones after 14 steps in state 2 at cell 9";
    let answer = ask(DIV2, question);
    assert_eq!(answer.verdict, Verdict::Holds);
    let other = question.replace("cell 9", "cell 8");
    assert_eq!(ask(DIV2, &other).verdict, Verdict::Violated);
    assert_eq!(
        ask(DIV2, "halts on 0 with 0 ones after 2 steps").verdict,
        Verdict::Holds
    );
    assert_eq!(
        ask(DIV2, "halts on 8 with 5 ones").verdict,
        Verdict::Violated
    );
    assert_eq!(ask(DIV2, "diverges on 4").verdict, Verdict::Violated);
    assert_eq!(ask(DIV2, "halts on 3").verdict, Verdict::Violated);
}

#[test]
fn odd_numbers_send_the_head_away_after_three_steps_a_pair() {
    for (number, steps) in [(1, 3), (3, 6), (5, 9), (7, 12)] {
        let answer = ask(DIV2, &format!("diverges on {number}"));
        assert_eq!(answer.verdict, Verdict::Holds);
        assert_eq!(proof(&answer)["shows"], "blank-run");
        assert_eq!(proof(&answer)["after"], steps);
    }
}

#[test]
fn all_odd_numbers_at_once_and_no_even_one() {
    let answer = ask(DIV2, "diverges on every (11)+");
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    let answer = ask(DIV2, "diverges on every 1+");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(answer.evidence.unwrap().body["cases"][0]["word"], "1");
}

#[test]
fn a_meeting_less_and_the_invariant_is_refused_with_the_step_that_leaves_it() {
    let text = format!("{DIV2}check diverges on every (11)+");
    let mut model = open(&text);
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let meetings = |evidence: &Evidence| -> Vec<serde_json::Value> {
        let proof = &evidence.body["cases"][0]["proof"];
        proof["meetings"].as_array().unwrap().clone()
    };
    for drop in 0..meetings(&evidence).len() {
        let mut forged = evidence.clone();
        let mut fewer = meetings(&evidence);
        fewer.remove(drop);
        forged.body["cases"][0]["proof"]["meetings"] = fewer.into();
        let why = certify(model.as_mut(), &forged).unwrap_err().to_string();
        assert!(
            why.contains("leaves the set") || why.contains("does not contain"),
            "{why}"
        );
    }
}

#[test]
fn differences_up_to_eleven_are_right_and_counted() {
    let computes = "computes f(m, n) = m - n if m >= n up to 11";
    assert_eq!(ask(PMINUS, computes).verdict, Verdict::Holds);
    for (m, n) in [(0, 0), (2, 1), (4, 4), (11, 7)] {
        let steps = m + (2 * n + 3) * (n + 3);
        let question = format!(
            "halts on {m}, {n} with {} ones after {steps} steps in state 2",
            m - n
        );
        assert_eq!(ask(PMINUS, &question).verdict, Verdict::Holds);
    }
    for (m, steps) in [(0, 13), (1, 26), (2, 43), (3, 64)] {
        let answer = ask(PMINUS, &format!("diverges on {m}, {}", m + 2));
        assert_eq!(proof(&answer)["after"], steps);
    }
    let wrong = ask(PMINUS, "computes f(m, n) = m - n up to 3");
    assert_eq!(
        wrong.verdict,
        Verdict::Holds,
        "a negative number is no value"
    );
    let wrong = ask(PMINUS, "computes f(m, n) = m - n + 1 if m >= n up to 3");
    assert_eq!(wrong.verdict, Verdict::Violated);
}

#[test]
fn the_empty_function_has_no_value_anywhere() {
    for number in 0..=50 {
        assert_eq!(
            ask(EMPTY, &format!("diverges on {number}")).verdict,
            Verdict::Holds
        );
    }
    assert_eq!(ask(EMPTY, "diverges on every 1+").verdict, Verdict::Holds);
}

#[test]
fn a_family_shows_that_a_run_never_ends_and_no_forgery_of_it_does() {
    for machine in [EMPTY, "1RB1LA_1LA1RB\n", "1RB0LB_1LA0RA\n"] {
        let text = format!("{machine}check diverges on tape [1]\n");
        let mut model = open_with(&text, &[("window", "0"), ("steps", "20000")]).unwrap();
        let answer = check(model.as_mut()).remove(0);
        if machine == EMPTY {
            assert_eq!(
                answer.method.as_deref(),
                Some("guarded family"),
                "{}",
                answer.because
            );
        }
        let Some(evidence) = answer.evidence.filter(|_| answer.verdict == Verdict::Holds) else {
            continue;
        };
        certify(model.as_mut(), &evidence).unwrap();
        let how = Attack {
            forgeries: 200,
            ..Attack::default()
        };
        let checker = |evidence: &Evidence| certify(open(&text).as_mut(), evidence);
        let name = open(&text).properties().remove(0).name;
        let is_true = |claim, property: &str| claim == Claim::Holds && property == name;
        attack(&evidence, &how, checker, is_true).unwrap();
    }
}

#[test]
fn a_head_may_carry_cells_along_when_it_crosses_a_block() {
    // They go back over a cell or two while they cross the ones.
    for notation in [
        "1RB0LD_0RC---_1LC0LA_---1RB",
        "1RB0RC_1LC1RA_---0LD_1RA1RB",
        "1RB1RC_1RC0LA_1LB1RD_---1RA",
        "1RB0LB_0LC1RD_---1LD_1RA1LC",
    ] {
        let answer = ask(notation, "diverges on blank");
        assert_eq!(answer.method.as_deref(), Some("guarded family"));
    }
}

#[test]
fn rounds_within_rounds_are_made_all_at_once() {
    for notation in [
        "1RB0LD_1LC1RB_---1LA_0RB1LD",
        "1RB0RB_0LC1RB_1RD1LC_---1RA",
        "1RB1LA_1LA0RC_1LD1RC_---0LA",
        "1RB1LA_1LC1RD_0LA1RC_---0RC",
    ] {
        let answer = ask(notation, "diverges on blank");
        assert_eq!(answer.method.as_deref(), Some("guarded family"));
    }
}

#[test]
fn a_family_that_does_not_go_on_is_refused() {
    let text = format!("{EMPTY}check diverges on 0\n");
    let mut model = open_with(&text, &[("window", "0")]).unwrap();
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let family = &evidence.body["cases"][0]["proof"]["family"];
    let sides: Vec<(&str, usize)> = ["left", "right"]
        .into_iter()
        .flat_map(|side| {
            let blocks = family[side].as_array().unwrap().len();
            (0..blocks).map(move |place| (side, place))
        })
        // More blanks at the end are the same tape.
        .filter(|&(side, place)| family[side][place]["word"] != "B")
        .collect();
    assert!(!sides.is_empty());
    for (side, place) in sides {
        for field in ["growth", "count"] {
            let mut forged = evidence.clone();
            let number = &mut forged.body["cases"][0]["proof"]["family"][side][place][field];
            *number = (number.as_u64().unwrap() + 1).into();
            assert!(
                certify(model.as_mut(), &forged).is_err(),
                "{side} {place} {field}"
            );
        }
    }
}

#[test]
fn a_machine_written_as_tuples_is_the_same_machine() {
    for example in LANGUAGE.about().examples {
        let cx = Context::default();
        let mut model = open(example.files[0].1);
        let text = model.convert("tuples", None, &cx).unwrap().text;
        let mut again = open(&text);
        assert_eq!(again.convert("tuples", None, &cx).unwrap().text, text);
        let verdicts = |model: &mut dyn Model| -> Vec<Verdict> {
            check(model)
                .into_iter()
                .map(|answer| answer.verdict)
                .collect()
        };
        assert_eq!(
            verdicts(again.as_mut()),
            verdicts(model.as_mut()),
            "{}",
            example.name
        );
    }
}

#[test]
fn actions_that_no_run_uses_are_doubted() {
    let cx = Context::default();
    let doubts = open(&format!("{DIV2}check halts on 8"))
        .doubts(&cx)
        .unwrap();
    assert_eq!(
        doubts.len(),
        1,
        "the endless run is for odd numbers: {doubts:?}"
    );
    let doubts = open(&format!("{DIV2}check halts on 8\ncheck diverges on 7"));
    let mut doubts = doubts;
    assert!(doubts.doubts(&cx).unwrap().is_empty());
    // Questions about many tapes have many runs, short ones and long ones.
    const LATE: &str = "<1,1,R,2> <2,1,R,3> <3,1,R,3> <3,B,W(B),3> <2,B,W(B),2> <4,1,R,4>\n";
    for question in [
        "diverges on every 1+",
        "computes f(n) = 1 if n < 0 up to 9",
        "computes f(n) = 1 if n < 0",
        "computes f(n) = 1 if n < 0 wherever it stops",
    ] {
        let doubts = open(&format!("{LATE}check {question}"))
            .doubts(&cx)
            .unwrap();
        let [doubt] = &doubts[..] else {
            panic!("{question}: {doubts:?}");
        };
        assert!(doubt.text.starts_with("what is done in state 4 on `1`"));
    }
}

#[test]
fn streams_are_compared_for_ever() {
    let same = [
        "merge(same(1), same(0)) = blink(1, 0)",
        "prefix(10, blink(1, 0)) = blink(1, 0)",
    ];
    for streams in same {
        assert_eq!(
            ask(DIV2, &format!("streams {streams}")).verdict,
            Verdict::Holds
        );
    }
    let differ = [
        "blink(1, 0) = blink(0, 1)",
        "prefix(111, Bs) = prefix(1111, Bs)",
        "merge(Bs, same(1)) = Bs",
    ];
    for streams in differ {
        assert_eq!(
            ask(DIV2, &format!("streams {streams}")).verdict,
            Verdict::Violated
        );
    }
}

#[test]
fn where_all_pairs_with_a_negative_difference_are_asked_for_nothing_is_claimed() {
    // That set is not regular: a larger one contains pairs on which the machine stops.
    let answer = ask(PMINUS, "diverges on every 1+B1+");
    assert_eq!(answer.verdict, Verdict::Violated);
}

#[test]
fn tapes_may_be_periodic_for_ever() {
    let right = "<1,1,R,1>";
    let answer = ask(right, "diverges on tape [1](1)...");
    assert_eq!(proof(&answer)["shows"], "translated-cycle");
    let answer = ask(right, "diverges on tape ...(1)[1](1)...");
    assert_eq!(proof(&answer)["shows"], "repeat");
    assert_eq!(
        ask(right, "halts on tape [1]1B(1)... after 2 steps").verdict,
        Verdict::Holds
    );
    let swap = "<1,1,0,R,1> <1,0,1,R,1>";
    assert_eq!(
        ask(swap, "diverges on tape ...(01)[1]0(10)...").verdict,
        Verdict::Holds
    );
}

#[test]
fn two_actions_in_one_situation_are_refused_with_both_lines() {
    let Err(Trouble::Invalid(mistakes)) = open_with("<1,1,R,1>\n\n<1,1,L,2>\nnonsense\n", &[])
    else {
        panic!("this is no machine");
    };
    assert_eq!(mistakes.len(), 2);
    let about = |code: &str| mistakes.iter().find(|one| one.code == code).unwrap();
    assert!(about("two-actions").notes[0].contains("lines 1 and 3"));
    assert_eq!(about("syntax").labels.len(), 1);
}

#[test]
fn without_time_and_memory_nothing_is_claimed() {
    let text = format!("{COUNTER}check diverges on blank");
    let mut model = open_with(&text, &[("window", "0"), ("steps", "500")]).unwrap();
    let answer = check(model.as_mut()).remove(0);
    assert!(matches!(answer.verdict, Verdict::Unknown(_)) && answer.evidence.is_none());
}

#[test]
fn the_table_and_the_pictures_are_shown() {
    let mut model = open("1RB1LB_1LA1RZ");
    let view = Viewed {
        part: None,
        picture: true,
    };
    let shown = model.show(&view, &Context::default()).unwrap();
    assert_eq!(shown.pictures.len(), 2);
    assert_eq!(shown.result["states"].as_array().unwrap().len(), 3);
    let quotient_language::Picture::Grid(grid) = &shown.pictures[1] else {
        panic!("a run is drawn as a grid");
    };
    assert_eq!(grid.cells.len(), 7);
    assert!(grid.cells.iter().all(|row| row.len() == grid.columns.len()));
    assert!(
        grid.cells
            .iter()
            .all(|row| row.iter().filter(|tile| tile.marked).count() == 1)
    );
}

#[test]
fn a_simulation_goes_to_the_end_and_back() {
    let cx = Context::default();
    let mut walk = open("1RB1LB_1LA1RZ").simulate(&cx).unwrap();
    let mut steps = 0;
    while !walk.choices(&cx).unwrap().is_empty() {
        walk.take(0, &cx).unwrap();
        steps += 1;
    }
    assert_eq!((steps, walk.trace().len()), (6, 6));
    assert!(walk.status(&cx).unwrap().notes[0].contains("4 ones"));
    assert!(walk.take(0, &cx).is_err());
    assert!((0..6).all(|_| walk.undo()) && !walk.undo());
}

/// A machine in the notation, run plainly from the empty tape: the steps and ones at its end.
fn plain_run(notation: &str, most: u64) -> Option<(u64, usize)> {
    let rows: Vec<&[u8]> = notation.split('_').map(str::as_bytes).collect();
    let mut tape: HashMap<i64, u8> = HashMap::new();
    let (mut head, mut state) = (0i64, 0usize);
    for steps in 0..=most {
        let read = tape.get(&head).copied().unwrap_or(b'0');
        let cell = rows
            .get(state)
            .map(|row| &row[3 * usize::from(read - b'0')..][..3]);
        let Some(&[write, side, to]) = cell.filter(|cell| *cell != b"---") else {
            return Some((steps, tape.values().filter(|&&one| one == b'1').count()));
        };
        tape.insert(head, write);
        head += if side == b'R' { 1 } else { -1 };
        state = usize::from(to - b'A');
    }
    None
}

/// All cells of a table with so many states; `Z` is the state that stops.
fn cells(states: u8) -> Vec<String> {
    let mut all = vec!["1RZ".to_owned()];
    for write in ['0', '1'] {
        for side in ['L', 'R'] {
            all.extend((0..states).map(|to| format!("{write}{side}{}", char::from(b'A' + to))));
        }
    }
    all
}

#[test]
fn every_machine_of_two_states_is_decided_and_rightly() {
    let cells = cells(2);
    let (mut most_steps, mut most_ones) = (0, 0);
    for number in 0..cells.len().pow(3) {
        let cell = |place: u32| &cells[number / cells.len().pow(place) % cells.len()];
        // The first action may as well be this one: others stop at once, mirror it or never write.
        let notation = format!("1RB{}_{}{}", cell(0), cell(1), cell(2));
        let answer = ask(&notation, "halts on blank");
        let plain = plain_run(&notation, 500);
        let verdict = match plain {
            Some(_) => Verdict::Holds,
            None => Verdict::Violated,
        };
        assert_eq!(answer.verdict, verdict, "{notation}");
        if let Some((steps, ones)) = plain {
            assert_eq!(proof(&answer)["steps"], steps);
            most_steps = most_steps.max(steps);
            most_ones = most_ones.max(ones);
        }
    }
    assert_eq!((most_steps, most_ones), (6, 4));
}

#[test]
fn differences_take_the_steps_of_a_formula() {
    let question = "computes f(m, n) = m - n if m >= n after m + (2*n+3)*(n+3) steps up to 11";
    assert_eq!(ask(PMINUS, question).verdict, Verdict::Holds);
    let other = question.replace("(n+3)", "(n+4)");
    assert_eq!(ask(PMINUS, &other).verdict, Verdict::Violated);
    // Without a bound the number of steps cannot be asked for.
    assert!(
        open_with(
            &format!("{PMINUS}check {}", question.replace(" up to 11", "")),
            &[]
        )
        .is_err()
    );
}

#[test]
fn a_family_is_told_with_the_steps_of_its_rounds() {
    // One round of the function without values takes 2n + 5 steps, and two ones more are there
    // then: the family counts by two.
    let tape = "tape ...(B)[1](B)...";
    let mut model = open_with(
        &format!("{EMPTY}check diverges on {tape}"),
        &[("window", "0")],
    )
    .unwrap();
    let answer = check(model.as_mut()).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    let because = answer.because;
    assert!(
        because.contains("after 4n+") && because.contains("C(n) = "),
        "{because}"
    );
}

#[test]
fn a_run_that_is_split_anywhere_has_the_same_verdict() {
    let cells = cells(3);
    quotient_trial::trial(|u| {
        let rows: Result<Vec<String>, _> = (0..3)
            .map(|_| Ok(format!("{}{}", u.choose(&cells)?, u.choose(&cells)?)))
            .collect();
        let notation = rows?.join("_");
        let steps = u.int_in_range(0..=20)?;
        let Some((state, tape)) = after(&notation, steps) else {
            return Ok(());
        };
        let settings = [("steps", "2000"), ("window", "3")];
        let verdict = |text: &str| {
            let mut model = open_with(text, &settings).unwrap();
            check(model.as_mut()).remove(0).verdict
        };
        let whole = verdict(&format!("{notation}\ncheck halts on blank"));
        let rest = verdict(&format!(
            "{notation}\nstart {state}\ncheck halts on tape {tape}"
        ));
        let known = |verdict: &Verdict| !matches!(verdict, Verdict::Unknown(_));
        if known(&whole) && known(&rest) {
            assert_eq!(whole, rest, "{notation} split after {steps}");
        }
        Ok(())
    })
    .budget_ms(2_000);
}

/// The state and the tape after so many steps from blank; none if it stops before.
fn after(notation: &str, steps: usize) -> Option<(char, String)> {
    let rows: Vec<&str> = notation.split('_').collect();
    let (mut tape, mut head, mut state) = (vec![b'0'; 64], 32usize, 0usize);
    for _ in 0..steps {
        let row = rows.get(state)?.as_bytes();
        let at = usize::from(tape[head] - b'0') * 3;
        let cell = row.get(at..at + 3).filter(|cell| *cell != b"---")?;
        tape[head] = cell[0];
        head = if cell[1] == b'R' { head + 1 } else { head - 1 };
        state = usize::from(cell[2] - b'A');
    }
    rows.get(state)?;
    let text = |cells: &[u8]| String::from_utf8_lossy(cells).into_owned();
    let (left, right) = (text(&tape[..head]), text(&tape[head + 1..]));
    let name = char::from(b'A' + state as u8);
    Some((name, format!("{left}[{}]{right}", char::from(tape[head]))))
}

#[test]
fn no_verdict_about_a_machine_of_chance_is_wrong() {
    let cells = cells(4);
    quotient_trial::trial(|u| {
        let rows: Result<Vec<String>, _> = (0..4)
            .map(|_| Ok(format!("{}{}", u.choose(&cells)?, u.choose(&cells)?)))
            .collect();
        let notation = rows?.join("_");
        let text = format!("{notation}\ncheck halts on blank");
        let mut model = open_with(&text, &[("steps", "3000"), ("window", "4")]).unwrap();
        let answer = check(model.as_mut()).remove(0);
        match (answer.verdict, plain_run(&notation, 3_000)) {
            (Verdict::Holds, Some(_)) | (Verdict::Violated, None) => {
                certify(model.as_mut(), &answer.evidence.unwrap()).unwrap();
            }
            (Verdict::Unknown(_), None) => {}
            (verdict, plain) => panic!("{notation}: {verdict} and {plain:?}"),
        }
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn families_of_many_blocks_are_no_matter_of_the_stack() {
    let mut model =
        open("blank B\nstart s\n<s,B,1,L,s> <s,1,0,L,s>\ncheck diverges on tape 1[B]\n");
    let mut evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let block = |word: &str, growth: u64, count: u64| serde_json::json!({ "word": word, "growth": growth, "count": count });
    let mut left: Vec<serde_json::Value> = (0..200_000)
        .map(|number| block(if number % 2 == 0 { "10" } else { "110" }, 1, 0))
        .collect();
    left.push(block("1", 0, 1));
    let family = serde_json::json!({ "left": left, "state": "s", "right": [] });
    let proof = serde_json::json!({ "shows": "guarded-family", "after": 0, "family": family });
    evidence.body = serde_json::json!({ "cases": [{ "proof": proof }] });
    assert!(certify(model.as_mut(), &evidence).is_err());
}

#[test]
fn a_function_whose_numbers_become_too_large_is_not_called_undefined() {
    let machine = "blank B\nstart s\n<s,1,1,R,s>";
    let large = "n * 9223372036854775807 - n * 9223372036854775807 + n + 1";
    let answer = ask(machine, &format!("computes f(n) = {large} up to 3"));
    assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    let least = "0 - 9223372036854775807 - 1";
    for condition in [format!("{least} <= n"), format!("n >= {least}")] {
        ask(machine, &format!("computes f(n) = n + 1 if {condition}"));
    }
}
