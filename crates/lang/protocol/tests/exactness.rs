//! The compilation is exact: for every configuration that an instance of up to five processes
//! reaches, the plain interpreter and the transducers agree on every step.

use std::collections::{BTreeSet, VecDeque};

use quotient_automata::{Nfa, Transducer, Word};
use quotient_core::{Budget, Source, Trouble};
use quotient_protocol::{Compiled, Configuration, Interpreter, Protocol};

mod random;

/// The protocol and what it compiles to; nothing if it assumes what words cannot keep to.
fn compiled(text: &str) -> Option<(Protocol, Compiled)> {
    let source = Source::new("test.protocol", text);
    let protocol = Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match protocol.compile(&Budget::unlimited()) {
        Ok(compiled) => Some((protocol, compiled)),
        Err(Trouble::Invalid(mistakes)) if mistakes[0].code == "no-words" => None,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Compares all reachable configurations up to a number, for each size.
fn assert_exact(text: &str, sizes: std::ops::RangeInclusive<usize>, most: usize) {
    let budget = Budget::unlimited();
    let (protocol, compiled) = compiled(text).unwrap_or_else(|| panic!("no words\n{text}"));
    let interpreter = Interpreter::new(&protocol, &compiled);
    let mut all_initial = BTreeSet::new();
    let longest = *sizes.end();
    for size in sizes {
        let initial: Vec<Configuration> = interpreter.initial(size);
        all_initial.extend(initial.iter().map(|start| interpreter.word(start).unwrap()));
        let mut seen: BTreeSet<Configuration> = initial.into_iter().collect();
        let mut waiting: VecDeque<Configuration> = seen.iter().cloned().collect();
        for _ in 0..most {
            let Some(configuration) = waiting.pop_front() else {
                break;
            };
            let word = interpreter.word(&configuration).unwrap();
            let shown = compiled.alphabet().show(&word);
            assert_eq!(interpreter.configuration(&word), configuration);
            assert!(compiled.configurations().accepts(&word), "{shown}");
            let successors = interpreter.successors(&configuration);
            for (name, part) in compiled.relation().parts() {
                let expected: BTreeSet<Word> = successors
                    .iter()
                    .filter(|(taken, _)| &taken.step == name)
                    .map(|(_, after)| interpreter.word(after).unwrap())
                    .collect();
                let written = outputs(part, &word, &budget);
                assert_eq!(expected, written, "`{name}` from {shown}\n{text}");
            }
            for (name, bad) in compiled.bad() {
                let expected = interpreter.violates(name, &configuration);
                assert_eq!(bad.accepts(&word), expected, "`{name}` at {shown}\n{text}");
            }
            for (_, after) in successors {
                let word = interpreter.word(&after).unwrap();
                if word.len() <= longest + 6 && seen.insert(after.clone()) {
                    waiting.push_back(after);
                }
            }
        }
    }
    let compiled_initial = compiled.initial().words(longest, &budget).unwrap();
    let fits = |word: &&Word| word.len() <= longest;
    let expected: BTreeSet<Word> = all_initial.iter().filter(fits).cloned().collect();
    assert_eq!(expected, compiled_initial.collect(), "initial\n{text}");
}

/// All words that a transducer writes for one word.
fn outputs(part: &Transducer, word: &Word, budget: &Budget) -> BTreeSet<Word> {
    let image = part
        .apply(&Nfa::of_word(part.alphabet(), word), budget)
        .unwrap();
    image.words(word.len() + 4, budget).unwrap().collect()
}

#[test]
fn random_protocols_compile_exactly() {
    for seed in 0..150 {
        let text = random::protocol(&mut random::Random::new(seed));
        assert_exact(&format!("// seed {seed}\n{text}"), 1..=4, 60);
    }
}

#[test]
fn what_is_assumed_and_sums_of_counts_compile_exactly() {
    let mut exact = 0;
    for seed in 200..280 {
        let text = random::protocol(&mut random::Random::new(seed));
        let text = format!("// seed {seed}\n{}", random::with_sums(&text, seed));
        if compiled(&text).is_some() {
            assert_exact(&text, 1..=3, 40);
            exact += usize::from(text.contains("assume"));
        }
    }
    assert!(exact > 20, "only {exact} with something assumed");
}

/// Steps that name processes in several ways, so that one may be named twice: as witness, neighbour, the one that a
/// variable holds, and the one that takes the step. Most conditions are on two of them, so that joint values
/// come about only where they are one; and they move, go, and are put beside each other.
fn named_twice(random: &mut random::Random) -> String {
    let topology = random.pick(&["line", "ring"]);
    let mut text = format!("topology {topology}\n");
    text.push_str("global turn : process\nprocess { a : bool = false  b : bool = false }\n");
    for number in 0..3 {
        let with = random.pick(&["", " with q"]);
        let mut people = vec!["", "right.", "turn."];
        if !with.is_empty() {
            people.extend(["q.", "q."]);
        }
        // Some steps are of nobody but of whom `turn` holds.
        let mut conditions = vec![random.pick(&["(a or not a)", "true"]).to_owned()];
        let mut actions = Vec::new();
        for _ in 0..2 {
            let who = random.pick(&people);
            conditions.push(format!("not {who}a and not {who}b"));
            let value = random.pick(&["true", "not turn.b", "a"]);
            actions.push(format!("{who}{} := {value}", random.pick(&["a", "b"])));
        }
        match (random.below(4), topology) {
            (0, "line") => actions.push("for left p { p.b := true }".to_owned()),
            (1, _) => actions.push("turn := self".to_owned()),
            _ => {}
        }
        let mut names = vec!["self", "right"];
        names.extend((!with.is_empty()).then_some("q"));
        let speaks_of_turn = actions.iter().any(|action| action.contains("turn."));
        names.extend(speaks_of_turn.then_some("turn"));
        // Whoever `turn` holds behind the step cannot go.
        let held = match actions.iter().any(|action| action == "turn := self") {
            true => "self",
            false => "turn",
        };
        if random.below(3) > 0 {
            // Two that move are many cases: they are below.
            actions.extend(places(random, names, held, 1));
        }
        let (conditions, actions) = (conditions.join(" and "), actions.join(", "));
        text.push_str(&format!(
            "step s{number}{with}: when {conditions} then {actions}\n"
        ));
    }
    text + "property apart: never exists p: p.a and p.b\n"
}

/// Some of those whom a step names move or go, and others come. By one name nobody goes twice, and nobody is put
/// beside somebody who goes: that is refused.
fn places(
    random: &mut random::Random,
    mut names: Vec<&str>,
    held: &str,
    most_moves: usize,
) -> Vec<String> {
    let leaving: Vec<&str> = (0..random.below(names.len().min(3)))
        .map(|_| names.remove(random.below(names.len())))
        .collect();
    let place = |random: &mut random::Random, end: &str| match random.below(4) {
        0 => format!("{end} {} end", random.pick(&["left", "right"])),
        _ => format!(
            "{} {}",
            random.pick(&["before", "after"]),
            random.pick(&names)
        ),
    };
    let (mut actions, mut moves) = (Vec::new(), 0);
    for who in leaving {
        if who != held && (moves == most_moves || random.below(3) == 0) {
            actions.push(format!("remove {who}"));
        } else if moves < most_moves {
            actions.push(format!("move {who} {}", place(random, "to")));
            moves += 1;
        }
    }
    for _ in 0..random.below(3) {
        let values = random.pick(&["", " { a = true }", " { a = not a }"]);
        let create = format!("create {}{values}", place(random, "at"));
        actions.insert(random.below(actions.len() + 1), create);
    }
    actions
}

/// Whoever is put beside itself by another name stays; others come where it was, though it goes.
#[test]
fn beside_somebody_who_goes_by_another_name() {
    let (protocol, compiled) = compiled(
        "topology line
         global turn : process
         process { x : bool = false }
         step go: when not x then turn.x := true, move self after turn",
    )
    .unwrap();
    let interpreter = Interpreter::new(&protocol, &compiled);
    let start = interpreter.initial(1).remove(0);
    let successors = interpreter.successors(&start);
    assert_eq!(successors.len(), 1);
    assert_eq!(successors[0].0.origins, [Some(0)]);
    let mut all: Vec<String> = [
        "move q before right",
        "move q after right",
        "move self before turn",
        "move self after turn, create before turn",
        "remove q, create before right {}",
        "create after right, remove q, create after right { a = q.a }",
        "move q to right end, move self before right",
        "move self before right, move q to left end, create before right { a = true }",
        "move q to left end, move right to right end",
        "move q to left end, remove right",
        "remove right, move q to right end",
        "move right after q, move turn after q",
    ]
    .map(str::to_owned)
    .to_vec();
    for seed in 0..40 {
        let mut random = random::Random::new(seed);
        let names = vec!["self", "right", "q", "turn"];
        let actions = places(&mut random, names, "turn", 2);
        all.extend((!actions.is_empty()).then(|| actions.join(", ")));
    }
    for (number, actions) in all.iter().enumerate() {
        let text = format!(
            "topology {}\nglobal turn : process\nprocess {{ a : bool = any }}\n\
             step go with q: when a or q.a then turn.a := not turn.a, {actions}\n",
            ["line", "ring"][number % 2],
        );
        assert_exact(&text, 1..=4, 40);
    }
}

#[test]
fn steps_that_name_a_process_twice_compile_exactly() {
    for seed in 0..60 {
        let text = named_twice(&mut random::Random::new(seed));
        assert_exact(&format!("// seed {seed}\n{text}"), 1..=3, 30);
    }
}

/// What several witnesses must satisfy is asked of each by itself, unless it speaks of two.
#[test]
fn steps_with_many_witnesses_compile_exactly() {
    for seed in 0..25 {
        let mut random = random::Random::new(seed + 40_000);
        let witnesses = ["q", "r", "s", "t"];
        let witnesses = &witnesses[..3 + random.below(2)];
        let mut guard = vec![random.pick(&["at = a", "x", "g or x", "g"]).to_owned()];
        for one in witnesses {
            let other = random.pick(&["q", "r", "s", "self"]);
            guard.push(match random.below(6) {
                0 => format!("{one}.at = {}", random.pick(&["a", "b"])),
                1 => format!("({one}.x or g)"),
                2 if other != *one => format!("{one}.at = {other}.at"),
                3 if other != *one => format!("({one}.x => {other}.x)"),
                4 => format!("{one}.at != b"),
                _ => "g".to_owned(),
            });
        }
        let text = format!(
            "// seed {seed}\ntopology {}\nglobal g : bool = any\n\
             process {{ location a, b  x : bool = any }}\n\
             step many with {}: when {} then at := b, q.at := a, r.x := not r.x, g := s.x\n\
             step on: when at = a then at := b\n\
             property p: never exists p, q, r: p.x and q.at = b and not r.x and p.at = q.at and g\n",
            random.pick(&["line", "ring", "set"]),
            witnesses.join(", "),
            guard.join(" and "),
        );
        assert_exact(&text, 1..=5, 40);
    }
}

#[test]
fn a_lock_compiles_exactly() {
    assert_exact(
        "process { location idle, critical }
         step enter: when at = idle and forall other p: p.at = idle then at := critical
         step leave: when at = critical then at := idle
         property mutex: never exists p, q: p.at = critical and q.at = critical",
        1..=5,
        1000,
    );
}
