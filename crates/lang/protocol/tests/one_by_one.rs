//! Reading one by one: what is compiled can do all that the protocol can, and verdicts agree with
//! a search of small instances.

use std::collections::{BTreeSet, VecDeque};

use quotient_automata::{Nfa, Word};
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_protocol::{Compiled, Configuration, Interpreter, Protocol};
use quotient_regular::Options;

mod random;

fn read(text: &str) -> Protocol {
    let source = Source::new("test.protocol", text);
    Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The words that a step can make of one.
fn successors(compiled: &Compiled, word: &Word, budget: &Budget) -> Vec<Word> {
    let single = Nfa::of_word(compiled.alphabet(), word);
    let parts = compiled.relation().parts().iter();
    parts
        .flat_map(|(_, part)| {
            let image = part.apply(&single, budget).unwrap();
            image
                .words(word.len() + 1, budget)
                .unwrap()
                .collect::<Vec<_>>()
        })
        .collect()
}

fn values(interpreter: &Interpreter<'_>, configuration: &Configuration) -> Word {
    interpreter.word(configuration).unwrap()
}

/// Every configuration that an instance reaches is reached by the words, too.
/// `false` if there are too many words to look at.
fn is_covered(text: &str, size: usize, tracked: usize) -> bool {
    const MOST: usize = 1500;
    let budget = Budget::unlimited();
    let protocol = read(text);
    let compiled = match protocol.compile_tracking(tracked, &budget) {
        Ok(compiled) => compiled,
        Err(error) => {
            assert!(tracked != 1, "{error}\n{text}");
            return false;
        }
    };
    let interpreter = Interpreter::new(&protocol, &compiled);
    let starts = compiled.initial().words(size + 1, &budget).unwrap();
    let mut words: BTreeSet<Word> = starts
        .filter(|word| {
            interpreter
                .initial(size)
                .contains(&interpreter.configuration(word))
        })
        .collect();
    let mut waiting: VecDeque<Word> = words.iter().cloned().collect();
    while let Some(word) = waiting.pop_front() {
        for next in successors(&compiled, &word, &budget) {
            if next.len() <= size + 2 && words.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
        if words.len() > MOST {
            return false;
        }
    }
    let covered: BTreeSet<Word> = words
        .iter()
        .map(|word| values(&interpreter, &interpreter.configuration(word)))
        .collect();
    let mut seen: BTreeSet<Configuration> = interpreter.initial(size).into_iter().collect();
    let mut waiting: VecDeque<Configuration> = seen.iter().cloned().collect();
    while let Some(configuration) = waiting.pop_front() {
        let word = values(&interpreter, &configuration);
        let shown = compiled.alphabet().len();
        assert!(
            covered.contains(&word),
            "{word:?} of {shown} letters\n{text}"
        );
        for (_, after) in interpreter.successors(&configuration) {
            if values(&interpreter, &after).len() <= size + 1 && seen.insert(after.clone()) {
                waiting.push_back(after);
            }
        }
    }
    true
}

#[test]
fn what_is_compiled_can_do_all_that_the_protocol_can() {
    let mut compared = 0;
    for seed in 0..30 {
        let text = random::one_by_one(&mut random::Random::new(seed));
        let text = format!("// seed {seed}\n{text}");
        for size in 1..=4 {
            compared += usize::from(is_covered(&text, size, 1));
        }
        for size in 1..=2 {
            compared += usize::from(seed % 4 == 0 && is_covered(&text, size, 2));
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn what_all_have_seen_together_is_all_that_they_can_do() {
    let mut compared = 0;
    for seed in 0..60 {
        let text = random::one_by_one(&mut random::Random::new(seed));
        if !read(&text).approximations().contains(&0) {
            continue;
        }
        let text = format!("// seed {seed}\n{text}");
        for size in 1..=3 {
            compared += usize::from(is_covered(&text, size, 0));
        }
    }
    assert!(compared > 20, "{compared}");
}

/// Szymański's protocol is safe in this order, which takes that two readings exclude each other;
/// if those who leave do not wait, it is not.
#[test]
fn szymanski_read_from_the_left_is_decided() {
    let good = include_str!("../gallery/szymanski_from_left.protocol");
    let faulty = include_str!("../gallery/szymanski_from_left_faulty.protocol");
    for (text, expected) in [(good, Verdict::Holds), (faulty, Verdict::Violated)] {
        let report = read(text).check(&[], &Options::default(), &Context::default());
        let report = report.unwrap();
        assert_eq!(report.answers[0].answer.verdict(), expected);
    }
    assert_eq!(read(good).approximations(), [1, 0, 2]);
}

#[test]
fn verdicts_agree_with_a_search_of_small_instances() {
    let (mut hold, mut violated) = (0, 0);
    for seed in 0..7 {
        let text = random::one_by_one(&mut random::Random::new(seed));
        let protocol = read(&text);
        let budget = Budget::unlimited();
        let cx = Context {
            budget: budget.child_with_work(50_000),
            ..Context::default()
        };
        let Ok(report) = protocol.check(&[], &Options::default(), &cx) else {
            continue;
        };
        let compiled = protocol.compile(&budget).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        for size in 1..=4 {
            let work = budget.child_with_work(1000);
            let Ok(explored) = interpreter.explore(size, &work) else {
                continue;
            };
            for answered in &report.answers {
                let name = &answered.answer.property;
                let found = explored.violations.iter().any(|(known, _)| known == name);
                match answered.answer.verdict() {
                    Verdict::Holds => {
                        hold += 1;
                        assert!(!found, "seed {seed}, {size} processes: {name}\n{text}");
                    }
                    Verdict::Violated => violated += 1,
                    // Where a small instance shows it, it must not stay unknown.
                    Verdict::Unknown(_) => assert!(!found, "seed {seed}: {name}\n{text}"),
                }
                let size_of_run = answered
                    .trace
                    .as_ref()
                    .map(|trace| trace.rows[0].processes.len());
                if size_of_run == Some(size) {
                    assert!(found, "seed {seed}, {size} processes: {name}\n{text}");
                }
            }
        }
    }
    assert!(hold > 5 && violated > 5, "{hold} hold, {violated} violated");
}

/// Reading in steps of its own, for two processes, written out by hand.
#[test]
fn reading_one_by_one_is_looking_in_steps() {
    let one_by_one = "
        process { location a, b, c }
        step go: when at = a then at := b
        step enter one by one: when at = b and forall other p: p.at = a then at := c
        step leave: when at = c then at := a";
    let by_hand = "
        process { location a, b, c  seen : bool = false }
        step go: when at = a then at := b
        step look: when at = b and not seen and exists other p: p.at = a then seen := true
        step enter: when at = b and seen then at := c, seen := false
        step leave: when at = c then at := a";
    let reached = |text: &str| -> BTreeSet<Vec<String>> {
        let protocol = read(text);
        let compiled = protocol.compile(&Budget::unlimited()).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        let mut seen: BTreeSet<Configuration> = interpreter.initial(2).into_iter().collect();
        let mut waiting: Vec<Configuration> = seen.iter().cloned().collect();
        while let Some(configuration) = waiting.pop() {
            for (_, after) in interpreter.successors(&configuration) {
                if seen.insert(after.clone()) {
                    waiting.push(after);
                }
            }
        }
        let places = |configuration: &Configuration| {
            let table = interpreter.table(std::slice::from_ref(configuration), &[]);
            let cells = table.rows[0].processes.iter();
            cells.map(|cell| cell.values[0].value.clone()).collect()
        };
        seen.iter().map(places).collect()
    };
    assert_eq!(reached(one_by_one), reached(by_hand));
    assert!(reached(one_by_one).contains(&vec!["c".to_owned(), "b".to_owned()]));
}
