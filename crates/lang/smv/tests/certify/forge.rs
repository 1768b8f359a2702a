//! A forger: genuine evidence of random small models is mutated, and whatever is accepted must
//! be true by looking at every state.

use super::*;
use proptest::prelude::*;
use quotient_core::{Claim, Verdict};
use quotient_smv::Explored;
use random::Random;
use serde_json::Value;

const SPECIFICATIONS: &str = "INVARSPEC d1 SPEC AG d1 LTLSPEC G d1 LTLSPEC F d1 LTLSPEC G F d1
    SPEC AF d1 INVARSPEC !d1 SPEC AG !d1 LTLSPEC F G d1 SPEC !EF d1 SPEC AG AF d1";

/// The states from which a path stays in marked states for ever.
fn forever(explored: &Explored, mut marked: Vec<bool>) -> Vec<bool> {
    loop {
        let goes_on = |state: usize| explored.successors[state].iter().any(|&next| marked[next]);
        let states = 0..marked.len();
        let kept: Vec<bool> = states.map(|one| marked[one] && goes_on(one)).collect();
        if kept == marked {
            return marked;
        }
        marked = kept;
    }
}

/// Whether each specification is true. All states listed are reachable.
fn truths(program: &Program) -> Vec<bool> {
    let explored = program.explore(1000, &Budget::unlimited()).unwrap();
    let found = program.defines().iter().find(|(name, _)| name == "d1");
    let condition = found.unwrap().1;
    let states = explored.states.iter();
    let good: Vec<bool> = states
        .map(|state| program.is_true(condition, state, None))
        .collect();
    let bad: Vec<bool> = good.iter().map(|good| !good).collect();
    let endless = forever(&explored, vec![true; good.len()]);
    let stays_bad = forever(&explored, bad.clone());
    let everywhere = |marks: &[bool]| marks.iter().all(|&mark| mark);
    let always = |marks: &[bool]| marks.iter().zip(&endless).all(|(&mark, &on)| mark || !on);
    let nowhere = |marks: &[bool]| !marks.iter().any(|&mark| mark);
    let at_first = |marks: &[bool]| explored.initial.iter().any(|&state| marks[state]);
    // Infinitely often bad: a bad state that a path from it comes back to.
    let comes_back = |from: usize| {
        let mut reached = vec![false; good.len()];
        let mut open = explored.successors[from].clone();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(&explored.successors[state]);
            }
        }
        reached[from]
    };
    let bad_again = (0..bad.len()).any(|state| bad[state] && comes_back(state));
    vec![
        everywhere(&good),
        always(&good),
        always(&good),
        !at_first(&stays_bad),
        nowhere(&stays_bad),
        !at_first(&stays_bad),
        everywhere(&bad),
        always(&bad),
        !bad_again,
        always(&bad),
        nowhere(&stays_bad),
    ]
}

/// Changes one thing somewhere in a value.
fn mutate(value: &mut Value, random: &mut Random) {
    let deeper = random.below(4) > 0;
    match value {
        Value::Array(items) if !items.is_empty() => {
            let (at, other) = (random.below(items.len()), random.below(items.len()));
            match random.below(4) {
                _ if deeper => mutate(&mut items[at], random),
                0 => drop(items.remove(at)),
                1 => items.insert(other, items[at].clone()),
                2 => items.swap(at, other),
                _ => items[at] = items[other].clone(),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = random.below(fields.len());
            let key = fields.keys().nth(at).cloned().unwrap();
            match random.below(12) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert("back_to".to_owned(), random.below(5).into())),
                _ => mutate(&mut fields[&key], random),
            }
        }
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(0);
            let choices = [
                number.wrapping_add(1),
                number.wrapping_sub(1),
                number ^ 1,
                random.below(8) as u64,
                u64::from(u32::MAX),
            ];
            *value = random.pick(&choices).into();
        }
        Value::String(text) => {
            let choices = [
                "0", "1", "2", "TRUE", "FALSE", "red", "green", "v0", "v1", "0ud2_1", "-0sd2_1",
            ];
            *text = random.pick(&choices).to_owned();
        }
        other => *other = Value::from(random.below(3)),
    }
}

fn forge(seed: u64) -> Result<(usize, usize), TestCaseError> {
    let mut random = Random(seed);
    let text = random::model_with_condition(&mut random, 16);
    let text = format!("{text} {SPECIFICATIONS}");
    let Some(mut session) = open(&text) else {
        return Ok((0, 0));
    };
    let count = session.specifications().len();
    let mut genuine = Vec::new();
    for number in 0..count {
        genuine.push(evidence(&mut session, number));
    }
    let program = session.file().program().clone();
    let truths = truths(&program);
    let has_initial = !program
        .explore(1000, &Budget::unlimited())
        .unwrap()
        .initial
        .is_empty();
    for number in 0..count {
        let verdict = session.check(number).unwrap().verdict;
        prop_assert_eq!(
            verdict == Verdict::Holds,
            truths[number],
            "{} {}",
            number,
            text
        );
        let Some(evidence) = &genuine[number] else {
            continue;
        };
        let accepted = certify(&program, number, evidence);
        if has_initial && number != 10 {
            prop_assert!(accepted.is_ok(), "{} {:?} {}", number, accepted, text);
        }
    }
    let (mut tried, mut accepted) = (0, 0);
    for evidence in genuine.iter().flatten() {
        for _ in 0..8 {
            let mut forged = evidence.clone();
            for _ in 0..random.below(3) {
                mutate(&mut forged.body, &mut random);
            }
            if random.below(8) == 0 {
                forged.claim = random.pick(&[Claim::Holds, Claim::Violated]);
                forged.kind = random
                    .pick(&[RUN_KIND, quotient_states::StateSet::KIND])
                    .to_owned();
            }
            let number = random.below(count);
            tried += 1;
            if certify(&program, number, &forged).is_ok() {
                accepted += 1;
                let claimed = forged.claim == Claim::Holds;
                let shown = serde_json::to_string(&forged).unwrap();
                prop_assert_eq!(claimed, truths[number], "{} {} {}", number, shown, text);
            }
        }
    }
    Ok((tried, accepted))
}

#[test]
fn whatever_is_accepted_is_true() {
    let (mut tried, mut accepted) = (0, 0);
    for seed in 0..40 {
        match forge(seed) {
            Ok((more, taken)) => {
                tried += more;
                accepted += taken;
            }
            Err(error) => panic!("{error}"),
        }
    }
    // Some mutations are harmless: the test does not only look at refusals.
    assert!(tried > 800 && accepted > 10, "{tried} {accepted}");
}
