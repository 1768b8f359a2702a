//! Reading what was written gives the same language or relation.

use quotient_automata::formats::{
    Format, Kind, Limits, Machine, Named, Reading, Role, read, write,
};
use quotient_automata::testing::{Random, nfa, predicate, words_up_to};
use quotient_automata::{Alphabet, Label, Nfa, State, Transducer};
use quotient_core::{Budget, Source};

const READABLE: [Format; 6] = [
    Format::Timbuk,
    Format::Fsa,
    Format::Fsm,
    Format::Mata,
    Format::Slrp,
    Format::Json,
];

/// Alphabets from tame to wild; the last ones try every quoting rule.
fn alphabets() -> Vec<Alphabet> {
    [
        &["a", "b"][..],
        &["0", "1", "00"],
        &["x", "q0", "States"],
        &["a b", "it's", "say \"hi\""],
        &["/", "//", "@a"],
        &["in{a}", "not_in", "{", "}"],
        &[",", "(", ")", "a,b"],
        &["ε", "<eps>", "é", "漢字"],
        &["#", "%", "|", "\\"],
        &["$@", "[]", "[a,b]", "'"],
        &["[a,b]", "[c,d]"],
        &["4294967295", "4294967294", "true"],
        &["", " ", "\n", "\t"],
        &["a:1", "x:0", "->", "a;"],
        &["Ops", "Final", "Transitions", "Automaton"],
        &[],
    ]
    .iter()
    .map(|names| Alphabet::new(names.iter().copied()).unwrap())
    .collect()
}

fn transducer(random: &mut Random, alphabet: &Alphabet, one_sided: bool) -> Transducer {
    let states = random.below(4);
    let mut builder = Transducer::builder(alphabet).states(states);
    if states == 0 {
        return builder.build();
    }
    for _ in 0..random.below(7) {
        let (from, to) = (State(random.below(states)), State(random.below(states)));
        let side = |random: &mut Random| {
            let letters = predicate(random, alphabet);
            (!one_sided || random.percent(70)).then_some(letters)
        };
        let label = match random.percent(40) {
            true => Label::Copy(predicate(random, alphabet)),
            false => Label::Pair(side(random), side(random)),
        };
        builder.add_edge(from, &label, to);
    }
    for state in (0..states).map(State) {
        if random.percent(40) {
            builder.add_initial(state);
        }
        if random.percent(40) {
            builder.add_accepting(state);
        }
    }
    builder.build()
}

/// Writes, reads and brings the result back over the alphabet; `None` if the format refuses.
fn there_and_back(machine: &Machine, format: Format) -> Option<Machine> {
    let budget = Budget::unlimited();
    let named = Named::new("some name", Role::Unspecified, machine.clone());
    let written = match write(&[named], format, &Limits::default(), &budget) {
        Ok(written) => written,
        Err(trouble) => {
            let diagnostic = crate::support::mistake(trouble);
            assert_eq!(diagnostic.code, "inexpressible", "{diagnostic}");
            assert!(!diagnostic.help.is_empty());
            return None;
        }
    };
    let reading = Reading {
        expect: Some(machine.kind()),
        symbols: written
            .companions
            .iter()
            .map(|(suffix, text)| Source::new(*suffix, text.as_str()))
            .collect(),
        ..Reading::default()
    };
    let source = Source::new("written", written.text.as_str());
    let document = read(&source, &reading, &budget)
        .unwrap_or_else(|error| panic!("{format:?}: {error}\n{}", written.text));
    assert_eq!(document.format, format, "{}", written.text);
    assert_eq!(document.machines.len(), 1);
    let again = &document.machines[0].machine;
    assert_eq!(again.kind(), machine.kind(), "{}", written.text);
    if written.warnings.is_empty() && !matches!(format, Format::Fsa | Format::Slrp) {
        assert_eq!(
            again.alphabet().len(),
            machine.alphabet().len(),
            "{}",
            written.text
        );
    }
    Some(
        again
            .over(machine.alphabet())
            .unwrap_or_else(|error| panic!("{error}\n{}", written.text)),
    )
}

#[test]
fn automata_keep_their_language() {
    let mut random = Random::new(1);
    for alphabet in alphabets() {
        for _ in 0..60 {
            let original = nfa(&mut random, &alphabet, 5);
            for format in READABLE {
                let Some(again) = there_and_back(&original.clone().into(), format) else {
                    assert!(
                        matches!(format, Format::Fsm | Format::Slrp),
                        "{format:?} refused"
                    );
                    continue;
                };
                let Machine::Automaton(again) = again else {
                    panic!("an automaton was written")
                };
                let difference = original
                    .distinguishing_word(&again, &Budget::unlimited())
                    .unwrap();
                assert_eq!(difference, None, "{format:?} {original:?}");
            }
        }
    }
}

#[test]
fn transducers_keep_their_relation() {
    let mut random = Random::new(2);
    for alphabet in alphabets() {
        let words = words_up_to(&alphabet, if alphabet.len() > 3 { 2 } else { 3 });
        for round in 0..30 {
            let original = transducer(&mut random, &alphabet, round % 2 == 0);
            for format in READABLE {
                let Some(again) = there_and_back(&original.clone().into(), format) else {
                    assert!(matches!(format, Format::Fsm | Format::Slrp | Format::Json));
                    continue;
                };
                let Machine::Transducer(again) = again else {
                    panic!("a transducer was written")
                };
                for input in &words {
                    for output in &words {
                        let (before, after) = (
                            original.relates(input, output),
                            again.relates(input, output),
                        );
                        assert_eq!(
                            before, after,
                            "{format:?} {input:?} {output:?} {original:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn tame_machines_are_never_refused() {
    let mut random = Random::new(3);
    let alphabet = Alphabet::new(["a", "b"]).unwrap();
    for _ in 0..40 {
        let automaton: Machine = nfa(&mut random, &alphabet, 4).into();
        for format in READABLE {
            assert!(there_and_back(&automaton, format).is_some(), "{format:?}");
        }
    }
    let identity: Machine = Transducer::identity(&alphabet).into();
    for format in READABLE {
        assert!(there_and_back(&identity, format).is_some(), "{format:?}");
    }
}

#[test]
fn names_of_states_and_machines_survive_where_the_format_has_them() {
    let text = "Ops x:0 a:1\nAutomaton one step\nStates here there\nFinal States there\n\
                Transitions\nx() -> here\na(here) -> there\n";
    let document = crate::support::document(text);
    for format in [Format::Timbuk, Format::Mata] {
        let budget = Budget::unlimited();
        let written = write(&document.machines, format, &Limits::default(), &budget).unwrap();
        let again = crate::support::document(&written.text);
        assert_eq!(again.machines[0].name, "one step");
        assert_eq!(again.machines[0].states, ["here", "there"]);
    }
}

#[test]
fn several_machines_share_a_file() {
    let alphabet = Alphabet::new(["a", "b"]).unwrap();
    let machines = [
        Named::new("none", Role::Unspecified, Nfa::empty(&alphabet)),
        Named::new("copy", Role::Unspecified, Transducer::identity(&alphabet)),
    ];
    let budget = Budget::unlimited();
    for format in [Format::Timbuk, Format::Mata] {
        let written = write(&machines, format, &Limits::default(), &budget).unwrap();
        let again = crate::support::document(&written.text);
        let kinds: Vec<Kind> = again
            .machines
            .iter()
            .map(|named| named.machine.kind())
            .collect();
        assert_eq!(kinds, [Kind::Automaton, Kind::Transducer]);
        assert_eq!(again.machines[1].name, "copy");
    }
    let refused = write(&machines, Format::Fsa, &Limits::default(), &budget).unwrap_err();
    assert_eq!(crate::support::mistake(refused).code, "inexpressible");
}

#[test]
fn a_writer_stops_at_its_limit_of_lines() {
    let alphabet = quotient_automata::testing::alphabet(50);
    let copy = Named::new("copy", Role::Unspecified, Transducer::identity(&alphabet));
    let limits = Limits {
        lines: 20,
        ..Limits::default()
    };
    for format in [Format::Slrp, Format::Json, Format::Fsm, Format::Mata] {
        let refused = write(
            std::slice::from_ref(&copy),
            format,
            &limits,
            &Budget::unlimited(),
        );
        assert_eq!(
            crate::support::mistake(refused.unwrap_err()).code,
            "too-large"
        );
    }
}

#[test]
fn graphviz_is_written() {
    let alphabet = Alphabet::new(["a", "say \"b\""]).unwrap();
    let odd = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &alphabet.set(["say \"b\""]).unwrap(), 1)
        .epsilon(1, 0)
        .accepting(1)
        .build();
    let machines = [
        Named::new("odd", Role::Unspecified, odd),
        Named::new("copy", Role::Unspecified, Transducer::identity(&alphabet)),
    ];
    let written = write(
        &machines,
        Format::Dot,
        &Limits::default(),
        &Budget::unlimited(),
    )
    .unwrap();
    insta::assert_snapshot!(written.text);
}
