//! Models with arrays, small ones next to their bits and others that are too large for those.

use std::fmt::Write;
use std::time::Duration;

use quotient_btor2::LANGUAGE;
use quotient_circuit::{
    ComesBack, Options, never, never_with_arrays, not_forever, not_forever_with_arrays,
};
use quotient_core::{Budget, Conclusion, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_netlist::words::{WATCHED_BOUND, WATCHED_INVARIANT, WORD_RUN, read, to_bits};
use quotient_trial::arbitrary::{Result, Unstructured};

fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &Settings::default())
}

fn open_with(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("m.btor2", text));
    let cx = Context::default();
    LANGUAGE
        .open(&input, &mut NoFiles, settings, &cx)
        .unwrap_or_else(|trouble| panic!("{trouble}\n{text}"))
}

fn answer(model: &mut dyn Model) -> Answer {
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    let cx = Context::default();
    model.check(&Ask::default(), &cx, &mut tell).unwrap();
    all.remove(0)
}

fn certified(model: &mut dyn Model, evidence: &Evidence) -> std::result::Result<(), Rejection> {
    certified_of(model, "b0", evidence)
}

fn certified_of(
    model: &mut dyn Model,
    property: &str,
    evidence: &Evidence,
) -> std::result::Result<(), Rejection> {
    let property = model.property(property).unwrap();
    let budget = Budget::unlimited();
    model.certify(evidence, &property, &budget).map(|_| ())
}

/// A model with words of two bits, arrays of four of them, and a bad signal.
fn random_model(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::from(
        "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 state 3 m\n5 state 2 r\n\
         6 input 2 i\n7 input 1 e\n8 zero 2\n9 state 1 f\n",
    );
    let (mut bits, mut words, mut arrays) = (vec![7, 9], vec![5, 6, 8], vec![4]);
    let mut line = 10;
    if u.ratio(2, 3)? {
        writeln!(text, "{line} init 3 4 8").unwrap();
        line += 1;
    }
    if u.arbitrary()? {
        let _ = writeln!(text, "{line} state 3 n");
        arrays.push(line);
        line += 1;
    }
    writeln!(text, "{line} init 2 5 8").unwrap();
    line += 1;
    for _ in 0..u.int_in_range(2..=12)? {
        let word = words[u.choose_index(words.len())?];
        let other = words[u.choose_index(words.len())?];
        let bit = bits[u.choose_index(bits.len())?];
        let array = arrays[u.choose_index(arrays.len())?];
        let second = arrays[u.choose_index(arrays.len())?];
        match u.int_in_range(0..=8)? {
            0 | 1 => {
                writeln!(text, "{line} write 3 {array} {word} {other}").unwrap();
                arrays.push(line);
            }
            2 => {
                writeln!(text, "{line} ite 3 {bit} {array} {second}").unwrap();
                arrays.push(line);
            }
            3 | 4 => {
                writeln!(text, "{line} read 2 {array} {word}").unwrap();
                words.push(line);
            }
            5 => {
                writeln!(text, "{line} add 2 {word} -{other}").unwrap();
                words.push(line);
            }
            6 => {
                writeln!(text, "{line} ite 2 {bit} {word} {other}").unwrap();
                words.push(line);
            }
            7 => {
                writeln!(text, "{line} eq 1 {word} {other}").unwrap();
                bits.push(line);
            }
            _ => {
                writeln!(text, "{line} eq 1 {array} {second}").unwrap();
                bits.push(line);
            }
        }
        line += 1;
    }
    let last = |u: &mut Unstructured<'_>, of: &[i32]| -> Result<i32> {
        Ok(of[of.len() - 1 - u.choose_index(of.len().min(3))?])
    };
    let (array, word, bit) = (last(u, &arrays)?, last(u, &words)?, last(u, &bits)?);
    writeln!(text, "{line} next 3 4 {array}").unwrap();
    writeln!(text, "{} next 2 5 {word}", line + 1).unwrap();
    writeln!(text, "{} next 1 9 {bit}", line + 2).unwrap();
    line += 3;
    if u.ratio(1, 4)? {
        let bit = last(u, &bits)?;
        writeln!(text, "{line} constraint -{bit}").unwrap();
        line += 1;
    }
    let (one, other) = (last(u, &words)?, last(u, &words)?);
    writeln!(text, "{line} neq 1 {one} {other}").unwrap();
    let bit = last(u, &bits)?;
    writeln!(text, "{} and 1 {line} {bit}", line + 1).unwrap();
    writeln!(text, "{} bad {}", line + 2, line + 1).unwrap();
    Ok(text)
}

#[test]
fn watched_elements_give_the_answer_of_all_bits_with_evidence_that_is_accepted() {
    let mut decided = [0; 2];
    quotient_trial::trial(|u| {
        let text = random_model(u)?;
        let source = Source::new("m.btor2", text.as_str());
        let model = read(&source).unwrap_or_else(|trouble| panic!("{trouble:?}\n{text}"));
        let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
        let options = Options {
            threads: 1,
            ..Options::default()
        };
        let cx = Context {
            budget: Budget::new(Some(Duration::from_secs(3)), None),
            ..Context::default()
        };
        let finding = never_with_arrays(&model, 0, &options, &cx);
        let evidence = match &finding.conclusion {
            Conclusion::Holds(proof) => Evidence::of_holds(WATCHED_INVARIANT, proof),
            Conclusion::Violated(run) => Evidence::of_violated(WORD_RUN, run),
            Conclusion::Unknown(_) => return Ok(()),
        };
        let verdict = finding.conclusion.verdict();
        decided[usize::from(verdict == Verdict::Holds)] += 1;
        let exact = never(&blasted.circuit, blasted.circuit.bad[0], &options, &cx);
        assert_eq!(exact.verdict(), verdict, "{text}");
        let checked = certified(&mut *open(&text), &evidence);
        assert!(checked.is_ok(), "{checked:?}\n{text}");
        Ok(())
    })
    .budget_ms(4_000);
    assert!(decided.iter().all(|&count| count > 0), "{decided:?}");
}

/// A memory of 2³² bytes next to one byte of it: what was last written at a chosen index. Both
/// must agree when the index is read.
const SCOREBOARD: &str = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n\
    5 state 4 memory\n6 zero 3\n7 init 4 5 6\n8 state 2 chosen\n9 next 2 8 8\n10 state 3 copy\n\
    11 init 3 10 6\n12 input 1 write\n13 input 2 at\n14 input 3 data\n15 write 4 5 13 14\n\
    16 ite 4 12 15 5\n17 next 4 5 16\n18 eq 1 13 8\n19 and 1 12 18\n20 ite 3 19 14 10\n\
    21 next 3 10 20\n22 input 2 from\n23 read 3 5 22\n24 eq 1 22 8\n25 neq 1 23 10\n\
    26 and 1 24 25\n27 bad 26\n";

#[test]
fn a_memory_of_any_size_is_proved_to_give_what_was_written() {
    let mut model = open(SCOREBOARD);
    let answer = answer(&mut *model);
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.kind, WATCHED_INVARIANT);
    assert!(certified(&mut *model, &evidence).is_ok());
    // Without the watched element, with another one, a step late, or for another model.
    let mut forged = evidence.clone();
    forged.body["watched"] = serde_json::json!([]);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.body["watched"][0]["node"] = serde_json::json!(1);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.body["watched"][0]["delay"] = serde_json::json!(1);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.body["watched"][0]["delay"] = serde_json::json!(u64::MAX);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.body["proof"] = serde_json::json!({"clauses": []});
    assert!(certified(&mut *model, &forged).is_err());
    let broken = SCOREBOARD.replace("7 init 4 5 6\n", "");
    assert!(certified(&mut *open(&broken), &evidence).is_err());
}

#[test]
fn a_proof_about_watched_elements_is_refuted_clause_by_clause() {
    let given = [("refutations".to_owned(), "true".to_owned())];
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("BTOR2", known, Verb::Check, &given).unwrap();
    let answer = answer(&mut *open_with(SCOREBOARD, &settings));
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.kind, "watched-refuted");
    let mut model = open(SCOREBOARD);
    let checked = certified(&mut *model, &evidence);
    assert!(checked.is_ok(), "{checked:?}");
    let mut forged = evidence.clone();
    forged.body["watched"] = serde_json::json!([]);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.body["refuted"]["refutations"][0] = serde_json::json!("");
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence.clone();
    forged.kind = WATCHED_INVARIANT.to_owned();
    assert!(certified(&mut *model, &forged).is_err());
    let broken = SCOREBOARD.replace("7 init 4 5 6\n", "");
    assert!(certified(&mut *open(&broken), &evidence).is_err());
}

#[test]
fn a_memory_that_starts_with_anything_violates_it_in_words() {
    let mut model = open(&SCOREBOARD.replace("7 init 4 5 6\n", ""));
    let answer = answer(&mut *model);
    assert_eq!(answer.verdict, Verdict::Violated, "{}", answer.because);
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.kind, WORD_RUN);
    assert!(certified(&mut *model, &evidence).is_ok());
    assert!(certified(&mut *open(SCOREBOARD), &evidence).is_err());
    let mut forged = evidence.clone();
    forged.body["steps"] = serde_json::json!([{}]);
    assert!(certified(&mut *model, &forged).is_err());
    let mut forged = evidence;
    forged.body["steps"] = serde_json::json!([]);
    assert!(certified(&mut *model, &forged).is_err());
}

#[test]
fn starts_that_depend_on_each_other_are_refused() {
    // `a` starts with `b + 1`, and `b` with the square of `a`: there is no such start.
    let circle = "1 sort bitvec 4\n2 sort bitvec 1\n3 state 1 a\n4 state 1 b\n5 one 1\n\
        6 add 1 4 5\n7 mul 1 3 3\n8 init 1 3 6\n9 init 1 4 7\n10 next 1 3 3\n11 next 1 4 4\n\
        12 eq 2 3 6\n13 bad -12\n";
    // `a` starts with its own opposite.
    let alone = "1 sort bitvec 4\n2 sort bitvec 1\n3 state 2 a\n4 not 2 3\n5 init 2 3 4\n\
        6 next 2 3 3\n7 bad 3\n";
    // The same beside a lamp that blinks for ever, whatever the other state is.
    let beside = "1 sort bitvec 1\n2 state 1 blink\n3 zero 1\n4 init 1 2 3\n5 not 1 2\n6 next 1 2 5\n\
        7 state 1 y\n8 not 1 7\n9 init 1 7 8\n10 next 1 7 7\n11 justice 1 2\n";
    for (text, place) in [(circle, "6"), (alone, "4"), (beside, "8")] {
        let source = Source::new("start.btor2", text);
        let Err(Trouble::Invalid(mistakes)) = quotient_netlist::words::read(&source) else {
            panic!("{text}");
        };
        let told = mistakes.iter().map(ToString::to_string).collect::<String>();
        assert!(told.contains("depends on itself"), "{told} {place}");
    }
    // Late starts that do not go round are what they say.
    let late = circle.replace("9 init 1 4 7", "9 init 1 4 5");
    let late = late.replace("13 bad -12", "13 bad 12");
    let run = serde_json::json!({ "steps": [{}] });
    let genuine = Evidence::of_violated(WORD_RUN, &run);
    let accepted = certified(&mut *open(&late), &genuine);
    assert!(accepted.is_ok(), "{accepted:?}");
}

#[test]
fn a_long_run_is_charged_for_step_by_step() {
    let mut model = open(SCOREBOARD);
    let run = serde_json::json!({ "steps": vec![serde_json::json!({}); 5_000] });
    let long = Evidence::of_violated(WORD_RUN, &run);
    let property = model.property("b0").unwrap();
    let budget = Budget::unlimited().child_with_work(1_000);
    let stopped = model.certify(&long, &property, &budget);
    assert!(matches!(stopped, Err(Rejection::Stopped(_))), "{stopped:?}");
    assert!(matches!(
        certified(&mut *model, &long),
        Err(Rejection::Wrong(_))
    ));
}

#[test]
fn a_byte_that_was_read_some_steps_ago_is_watched_there() {
    // What is read goes through two registers, and so does the copy.
    let late = SCOREBOARD.replace(
        "27 bad 26\n",
        "27 state 1 once\n28 zero 1\n29 init 1 27 28\n30 next 1 27 26\n31 state 1 twice\n\
         32 init 1 31 28\n33 next 1 31 27\n34 bad 31\n",
    );
    let late = late.replace("bitvec 32", "bitvec 4");
    let model = read(&Source::new("m.btor2", late.as_str())).unwrap();
    let finding = never_with_arrays(&model, 0, &Options::default(), &Context::default());
    let Conclusion::Holds(proof) = finding.conclusion else {
        panic!("{:?}", finding.conclusion);
    };
    assert_eq!(proof.watched[0].delay, 2);
    let evidence = Evidence::of_holds(WATCHED_INVARIANT, &proof);
    assert!(certified(&mut *open(&late), &evidence).is_ok());
}

/// The random models again, with their bad signal as justice.
#[test]
fn justice_with_watched_elements_is_what_it_is_in_bits() {
    let mut decided = [0; 2];
    quotient_trial::trial(|u| {
        let text = random_model(u)?;
        let (before, signal) = text.trim_end().rsplit_once(" bad ").unwrap();
        let text = format!("{before} justice 1 {signal}\n");
        let source = Source::new("m.btor2", text.as_str());
        let model = read(&source).unwrap_or_else(|trouble| panic!("{trouble:?}\n{text}"));
        let circuit = to_bits(&model, &Budget::unlimited()).unwrap().circuit;
        let options = Options {
            threads: 1,
            ..Options::default()
        };
        let cx = Context {
            budget: Budget::new(Some(Duration::from_secs(3)), None),
            ..Context::default()
        };
        let finding = not_forever_with_arrays(&model, 0, &options, &cx);
        let evidence = match &finding.conclusion {
            Conclusion::Holds(bound) => Evidence::of_holds(WATCHED_BOUND, bound),
            Conclusion::Violated(run) => Evidence::of_violated(WORD_RUN, run),
            Conclusion::Unknown(_) => return Ok(()),
        };
        let verdict = finding.conclusion.verdict();
        decided[usize::from(verdict == Verdict::Holds)] += 1;
        let to = ComesBack::WhatMatters;
        let exact = not_forever(&circuit, &circuit.justice[0], to, &options, &cx);
        assert_eq!(exact.conclusion.verdict(), verdict, "{text}");
        let checked = certified_of(&mut *open(&text), "j0", &evidence);
        assert!(checked.is_ok(), "{checked:?}\n{text}");
        Ok(())
    })
    .budget_ms(3_000);
    assert!(decided.iter().all(|&count| count > 0), "{decided:?}");
}

/// A lamp that a memory of 2³² bits switches off for good when a bit is read that was written.
const LAMP: &str = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 1\n4 state 3 memory\n\
    5 zero 1\n6 init 3 4 5\n7 state 2 at\n8 next 2 7 7\n9 one 1\n10 write 3 4 7 9\n\
    11 next 3 4 10\n12 read 1 4 7\n13 justice 1 -12\n14 justice 1 12\n";

#[test]
fn justice_of_large_arrays_has_a_bound_or_a_run_that_comes_back() {
    let mut model = open(LAMP);
    let mut all = Vec::new();
    let cx = Context::default();
    let mut tell = |answer: Answer| all.push(answer);
    model.check(&Ask::default(), &cx, &mut tell).unwrap();
    assert_eq!(all[0].verdict, Verdict::Holds, "{}", all[0].because);
    assert_eq!(all[1].verdict, Verdict::Violated, "{}", all[1].because);
    let bound = all[0].evidence.clone().unwrap();
    assert_eq!(bound.kind, WATCHED_BOUND);
    assert_eq!(bound.body["rounds"], 1);
    assert!(certified_of(&mut *model, "j0", &bound).is_ok());
    let run = all[1].evidence.clone().unwrap();
    assert!(certified_of(&mut *model, "j1", &run).is_ok());
    // A bound too small, one too large to look at, nothing watched, no proof, for the other property.
    for (key, value) in [
        ("rounds", serde_json::json!(0)),
        ("rounds", serde_json::json!(u64::MAX)),
        ("watched", serde_json::json!([])),
        ("proof", serde_json::json!({"clauses": []})),
    ] {
        let mut forged = bound.clone();
        forged.body[key] = value;
        assert!(certified_of(&mut *model, "j0", &forged).is_err(), "{key}");
    }
    assert!(certified_of(&mut *model, "j1", &bound).is_err());
    assert!(certified_of(&mut *model, "j0", &run).is_err());
    // It comes back too early: the memory was not yet written.
    let mut forged = run.clone();
    forged.body["backTo"] = serde_json::json!(0);
    assert!(certified_of(&mut *model, "j1", &forged).is_err());
}

/// Two memories of 2³² bytes that get the same writes: an index may be any, and so may a byte.
const TWINS: &str = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 sort bitvec 1\n\
    5 state 3 a\n6 state 3 b\n7 zero 2\n8 init 3 5 7\n9 init 3 6 7\n10 input 1 at\n\
    11 input 2 data\n12 write 3 5 10 11\n13 write 3 6 10 11\n14 next 3 5 12\n15 next 3 6 13\n\
    16 neq 4 5 6\n17 bad 16\n";

#[test]
fn memories_of_any_size_are_compared() {
    let mut model = open(TWINS);
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    let evidence = found.evidence.unwrap();
    assert_eq!(evidence.kind, WATCHED_INVARIANT);
    assert!(certified(&mut *model, &evidence).is_ok());
    for watched in [
        serde_json::json!([]),
        serde_json::json!([{"node": 8, "delay": 0}]),
    ] {
        let mut forged = evidence.clone();
        forged.body["watched"] = watched;
        assert!(certified(&mut *model, &forged).is_err());
    }
    let mut forged = evidence.clone();
    forged.body["proof"] = serde_json::json!({"clauses": []});
    assert!(certified(&mut *model, &forged).is_err());
    // One that leaves out the writes of 255, one that starts with something else, or with anything.
    let lazy = TWINS.replace(
        "15 next 3 6 13\n",
        "18 ones 2\n19 eq 4 11 18\n20 ite 3 19 6 13\n15 next 3 6 20\n",
    );
    let other = TWINS.replace("9 init 3 6 7\n", "21 one 2\n9 init 3 6 21\n");
    let any = TWINS.replace("9 init 3 6 7\n", "");
    for text in [lazy, other, any] {
        let mut changed = open(&text);
        assert!(certified(&mut *changed, &evidence).is_err(), "{text}");
        let found = answer(&mut *changed);
        assert_eq!(found.verdict, Verdict::Violated, "{} {text}", found.because);
        let run = found.evidence.unwrap();
        assert!(certified(&mut *changed, &run).is_ok(), "{text}");
        assert!(certified(&mut *model, &run).is_err(), "{text}");
    }
}

#[test]
fn memories_that_may_be_anything_are_equal_where_a_constraint_says_so() {
    // Equal in the first step; then they get the same writes, or one of them does.
    let same = TWINS.replace("8 init 3 5 7\n9 init 3 6 7\n", "").replace(
        "17 bad 16\n",
        "18 state 4 first\n19 one 4\n20 init 4 18 19\n21 zero 4\n22 next 4 18 21\n23 eq 4 5 6\n\
             24 implies 4 18 23\n25 constraint 24\n17 bad 16\n",
    );
    let mut model = open(&same);
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    let evidence = found.evidence.unwrap();
    assert!(certified(&mut *model, &evidence).is_ok());
    let alone = same.replace("15 next 3 6 13\n", "15 next 3 6 6\n");
    let mut model = open(&alone);
    assert!(certified(&mut *model, &evidence).is_err());
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Violated, "{}", found.because);
    assert!(certified(&mut *model, &found.evidence.unwrap()).is_ok());
    // What was written is told from what is there: at the chosen index they are not equal.
    let told = TWINS.replace(
        "17 bad 16\n",
        "18 read 2 5 10\n19 read 2 6 10\n20 neq 4 18 19\n17 bad 20\n",
    );
    let told = told.replace("9 init 3 6 7\n", "");
    let told = told.replace("16 neq 4 5 6\n", "16 eq 4 5 6\n21 constraint 16\n");
    let mut model = open(&told);
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    assert!(certified(&mut *model, &found.evidence.unwrap()).is_ok());
}

/// A memory of 2⁴⁰ bytes that may hold anything, and one that holds the same byte everywhere.
const FILLED: &str = "1 sort bitvec 1\n2 sort bitvec 40\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 any\n\
    6 constd 3 7\n7 state 4 sevens\n8 init 4 7 6\n9 next 4 5 5\n10 next 4 7 7\n11 eq 1 5 7\n12 bad 11\n";

#[test]
fn a_memory_that_may_hold_anything_may_be_filled_with_a_word() {
    let mut model = open(FILLED);
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Violated, "{}", found.because);
    let run = found.evidence.unwrap();
    assert_eq!(run.kind, WORD_RUN);
    assert!(certified(&mut *model, &run).is_ok());
    // So many elements are no list.
    assert!(found.details.iter().all(|(name, _)| name != "witness"));
    assert_eq!(found.notes.len(), 1);
    // Filled with another word, or not.
    let steps = run.body["steps"][0].as_object().unwrap();
    let place = steps.keys().next().unwrap();
    for any in ["[\"01000000\", []]", "[]", "[\"1110000\", []]"] {
        let mut forged = run.clone();
        forged.body["steps"][0][place] = serde_json::from_str(any).unwrap();
        assert!(certified(&mut *model, &forged).is_err(), "{any}");
    }
    // A second word at some index, and one that all hold and some does not.
    let at = "13 input 2 at\n14 read 3 5 13\n15 neq 1 14 6\n16 and 1 11 15\n17 bad 16\n";
    let found = answer(&mut *open(&FILLED.replace("12 bad 11\n", at)));
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    let other = "13 one 3\n14 state 4 ones\n15 init 4 14 13\n16 next 4 14 14\n17 eq 1 5 14\n18 and 1 11 17\n\
        19 bad 18\n";
    let mut both = open(&FILLED.replace("12 bad 11\n", other));
    let found = answer(&mut *both);
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    assert!(certified(&mut *both, &found.evidence.unwrap()).is_ok());
    // Three memories that are equal, with one byte that was written: the last one may be anything, too.
    let three = "13 state 4 third\n14 next 4 13 13\n15 input 2 at\n16 zero 3\n17 write 4 7 15 16\n\
        18 eq 1 13 17\n19 eq 1 5 13\n20 and 1 18 19\n21 neq 1 5 7\n22 and 1 20 21\n23 bad 22\n";
    let mut model = open(&FILLED.replace("11 eq 1 5 7\n12 bad 11\n", three));
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Violated, "{}", found.because);
    assert!(certified(&mut *model, &found.evidence.unwrap()).is_ok());
}

#[test]
fn a_small_memory_that_is_filled_is_listed_in_the_witness() {
    let model = FILLED.replace("bitvec 40", "bitvec 16");
    let model = model.replace(
        "12 bad 11",
        "12 state 4 copy\n13 next 4 12 12\n14 eq 1 5 12\n15 and 1 11 14\n16 bad 15",
    );
    let mut opened = open(&model);
    let found = answer(&mut *opened);
    assert_eq!(found.verdict, Verdict::Violated, "{}", found.because);
    let witness = found.details.iter().find(|(name, _)| name == "witness");
    let text = witness.unwrap().1.as_str().unwrap();
    assert!(text.lines().count() > 2 * 65_536);
    let (property, foreign) = opened.foreign_evidence(text).unwrap().unwrap();
    assert_eq!(property, "b0");
    assert!(certified(&mut *opened, &foreign).is_ok());
}

#[test]
fn a_proof_about_large_arrays_for_want_of_runs_is_said_to_be_one() {
    // What is read twice must differ: there is no such state. What is read at two places may.
    let text = |other: &str| {
        format!(
            "1 sort bitvec 1\n2 sort bitvec 40\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 any\n\
             6 input 2 at\n7 input 2 beside\n8 read 3 5 6\n9 read 3 5 {other}\n10 neq 1 8 9\n\
             11 constraint 10\n12 zero 1\n13 bad 12\n"
        )
    };
    let found = answer(&mut *open(&text("6")));
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    assert!(found.vacuous && found.details.contains(&("vacuous".to_owned(), true.into())));
    let found = answer(&mut *open(&text("7")));
    assert_eq!(found.verdict, Verdict::Holds, "{}", found.because);
    assert!(!found.vacuous);
}

#[test]
fn witnesses_of_justice_wait_for_states_on_which_nothing_depends() {
    let text = "1 sort bitvec 1\n2 sort bitvec 2\n3 state 2 count\n4 zero 2\n5 init 2 3 4\n6 inc 2 3\n\
        7 next 2 3 6\n8 state 1 late\n9 one 1\n10 next 1 8 9\n11 justice 1 9\n";
    let mut model = open(text);
    let found = answer(&mut *model);
    assert_eq!(found.verdict, Verdict::Violated);
    assert!(certified_of(&mut *model, "j0", &found.evidence.unwrap()).is_ok());
    // One step, four for the counter, and the late state is on from the second one on.
    let own = found.details.iter().find(|(name, _)| name == "witness");
    let own = own.unwrap().1.as_str().unwrap();
    assert!(own.contains("@4\n") && !own.contains("@5\n"), "{own}");
    let (property, foreign) = model.foreign_evidence(own).unwrap().unwrap();
    assert!(certified_of(&mut *model, &property, &foreign).is_ok());
}
