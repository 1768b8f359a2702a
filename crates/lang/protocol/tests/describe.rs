//! What is said in the words of the source is true of the automata.

use quotient_automata::{Alphabet, Expression, Letter, Nfa, Predicate, State};
use quotient_core::{Budget, Source};
use quotient_protocol::{Compiled, InWords, Interpreter, Protocol};

mod random;

use random::Random;

fn compiled(text: &str) -> (Protocol, Compiled) {
    let protocol = Protocol::parse(&Source::new("test.protocol", text))
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let compiled = protocol
        .compile(&Budget::unlimited())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    (protocol, compiled)
}

fn random_protocols(count: u64) -> impl Iterator<Item = (u64, String)> {
    (0..count).map(|seed| (seed, random::protocol(&mut Random::new(seed))))
}

/// A condition, put behind `when`, lets a process take the step just with the letters meant.
#[test]
fn conditions_mean_the_letters_they_describe() {
    let budget = Budget::unlimited();
    for (seed, text) in random_protocols(40) {
        let (protocol, original) = compiled(&text);
        let alphabet = original.alphabet();
        let is_process = |letter: &Letter| {
            let name = alphabet.name(*letter);
            !name.starts_with('<') && !name.starts_with('#') && !name.contains('=')
        };
        let processes: Vec<Letter> = alphabet.letters().filter(is_process).collect();
        let chosen = |salt: u64| {
            let bit = |letter: &&Letter| (seed * 31 + salt + u64::from(letter.0) * 7) % 5 < 2;
            Predicate::of(alphabet, processes.iter().filter(bit).copied())
        };
        for salt in 0..3 {
            let letters = chosen(salt);
            let Some(condition) = protocol.condition(&original, &letters) else {
                continue;
            };
            let condition = match condition.as_str() {
                "" => "at != at",
                "any process" => "at = at",
                condition => condition,
            };
            let probe = format!("{text}\nstep probe: when {condition} then skip\n");
            let (_, probed) = compiled(&probe);
            assert_eq!(probed.alphabet(), alphabet, "{probe}");
            let (_, part) = (probed.relation().parts().iter())
                .find(|(name, _)| name == "probe")
                .unwrap();
            let enabled = part.domain();
            for word in original
                .configurations()
                .words(4, &budget)
                .unwrap()
                .take(300)
            {
                let expected = word.iter().any(|&letter| letters.contains(letter));
                let shown = alphabet.show(&word);
                assert_eq!(
                    enabled.accepts(&word),
                    expected,
                    "{condition}: {shown}\n{text}"
                );
            }
        }
    }
}

/// The language of an expression over the names of classes, by reading it as text.
fn read_back(told: &InWords, alphabet: &Alphabet, budget: &Budget) -> Option<Nfa> {
    let mut names: Vec<&str> = told
        .classes
        .iter()
        .map(|class| class.name.as_str())
        .collect();
    names.sort_unstable();
    let classes = Alphabet::new(names).unwrap();
    let source = Source::new("expression", told.expression.as_ref()?.clone());
    let over_classes = Expression::parse(&source, &classes)
        .unwrap()
        .to_nfa(budget)
        .unwrap();
    let mut builder = Nfa::builder(alphabet);
    for state in over_classes.states() {
        if over_classes.is_accepting(state) {
            builder = builder.accepting(state.0);
        }
        if over_classes.initial().contains(&state) {
            builder = builder.initial(state.0);
        }
        for edge in over_classes.edges_from(state) {
            let label = over_classes.label(edge).as_ref();
            let Some(label) = label else {
                builder = builder.epsilon(state.0, edge.target.0);
                continue;
            };
            for class in label.letters() {
                let name = classes.name(class);
                let class = told
                    .classes
                    .iter()
                    .find(|known| known.name == name)
                    .unwrap();
                let letters = alphabet
                    .set(class.letters.iter().map(String::as_str))
                    .unwrap();
                builder = builder.edge(state.0, &letters, edge.target.0);
            }
        }
    }
    Some(builder.build())
}

/// The language of the automaton that is told state by state.
fn rebuilt(told: &InWords, alphabet: &Alphabet) -> Nfa {
    let mut builder = Nfa::builder(alphabet);
    if told.states > 0 {
        builder = builder.initial(0);
    }
    for &state in &told.accepting {
        builder = builder.accepting(State(state as u32).0);
    }
    for step in &told.moves {
        let letters = &told.classes[step.class].letters;
        let letters = alphabet.set(letters.iter().map(String::as_str)).unwrap();
        builder = builder.edge(step.from as u32, &letters, step.to as u32);
    }
    builder.build()
}

fn assert_told_right(protocol: &Protocol, compiled: &Compiled, set: &Nfa) -> bool {
    let budget = Budget::unlimited();
    let alphabet = compiled.alphabet();
    let Some(told) = protocol.in_words(compiled, set, &budget).unwrap() else {
        return false;
    };
    let meant = set
        .intersection(compiled.configurations(), &budget)
        .unwrap();
    let meant = meant.canonical(&budget).unwrap();
    assert!(rebuilt(&told, alphabet).canonical(&budget).unwrap() == meant);
    let Some(read) = read_back(&told, alphabet, &budget) else {
        return false;
    };
    assert!(
        read.canonical(&budget).unwrap() == meant,
        "{:?}",
        told.expression
    );
    let letters = Source::new("expression", told.letters.clone().unwrap());
    let again = Expression::parse(&letters, alphabet)
        .unwrap()
        .to_nfa(&budget)
        .unwrap();
    assert!(
        again.canonical(&budget).unwrap() == meant,
        "{:?}",
        told.letters
    );
    true
}

#[test]
fn expressions_and_automata_in_words_read_back_as_the_same_set() {
    let mut expressions = 0;
    for (_, text) in random_protocols(60) {
        let (protocol, compiled) = compiled(&text);
        expressions += usize::from(assert_told_right(&protocol, &compiled, compiled.initial()));
        for (_, bad) in compiled.bad() {
            expressions += usize::from(assert_told_right(&protocol, &compiled, bad));
        }
        for (_, step) in compiled.relation().parts() {
            expressions += usize::from(assert_told_right(&protocol, &compiled, &step.domain()));
        }
    }
    assert!(
        expressions > 100,
        "only {expressions} sets had an expression"
    );
}

#[test]
fn the_empty_set_and_all_configurations_are_told() {
    let (protocol, compiled) =
        compiled("process { location a, b } step s: when at = a then at := b");
    let nothing = Nfa::empty(compiled.alphabet());
    assert!(assert_told_right(&protocol, &compiled, &nothing));
    assert!(assert_told_right(
        &protocol,
        &compiled,
        compiled.configurations()
    ));
}

/// Whatever a step does to the process that takes it is an edge of the control flow.
#[test]
fn every_step_taken_is_an_edge_of_the_control_flow() {
    for (_, text) in random_protocols(40) {
        let (protocol, compiled) = compiled(&text);
        let flows = protocol.control_flow(&compiled);
        let at = flows.iter().find(|flow| flow.variable == "at").unwrap();
        let place = |value: &str| at.values.iter().position(|known| known.name == value);
        let interpreter = Interpreter::new(&protocol, &compiled);
        for size in 1..=3 {
            for start in interpreter.initial(size).into_iter().take(20) {
                for (taken, after) in interpreter.successors(&start) {
                    let rows = interpreter.table(&[start.clone(), after], &[taken]).rows;
                    let Some(who) = &rows[1].by else { continue };
                    let value = |row: usize| {
                        let cell = rows[row]
                            .processes
                            .iter()
                            .find(|cell| cell.process == *who)?;
                        let item = cell.values.iter().find(|item| item.name == "at")?;
                        place(&item.value)
                    };
                    // A process that is gone has no value any more.
                    let (Some(from), Some(to)) = (value(0), value(1)) else {
                        continue;
                    };
                    let step = rows[1].step.as_deref().unwrap();
                    let drawn = at
                        .edges
                        .iter()
                        .any(|edge| (edge.from, edge.to, edge.step.as_str()) == (from, to, step));
                    // A step that neither asks for the location nor sets it is not drawn.
                    assert!(drawn || from == to, "{step}: {from} to {to}\n{text}");
                }
            }
        }
    }
}

#[test]
fn control_flow_is_told_with_what_the_source_says() {
    let text = "
        global turn : process or none = none
        process { location idle, asks, critical  flag : bool = false }
        step ask:   when at = idle then at := asks, flag := true
        step enter: when at = asks and turn = none
                     and (forall other p: not p.flag) // nobody else asks
                    then at := critical, turn := self
        step leave: when at = critical
                    then at := idle, flag := false, turn := none, for other p { p.at := idle }
                    or then at := asks, turn := none";
    let (protocol, compiled) = compiled(text);
    insta::assert_snapshot!(protocol.control_flow(&compiled)[0].text(), @"
    at
      idle (start)
        ask → asks then flag := true
      asks
        enter → critical when turn = none and (forall other p: not p.flag) then turn := self
        leave of another → idle
      critical
        leave → idle then flag := false, turn := none, for other p { p.at := idle }
        leave of another → idle
        leave → asks then turn := none
    ");
}

#[test]
fn a_stack_program_is_drawn_by_the_top_of_its_stack() {
    let text = "
        stack calls : { main, f, g }
        global begun : bool = false
        step begin: when not begun then begun := true, push calls(main)
        step call:  when begun then pop calls(main), push calls(g), push calls(f)
        step back:  when begun then pop calls(f)";
    let (protocol, compiled) = compiled(text);
    insta::assert_snapshot!(protocol.control_flow(&compiled)[0].text(), @"
    calls
      main
        call → f when begun then push calls(g)
      f
        back → (below) when begun
      g
      (below) (start)
        begin → main when not begun then begun := true
    ");
}

#[test]
fn values_that_nobody_has_are_named() {
    let text = "
        global owner : process or none = none
        global mode : { slow, fast } = slow
        queue box : { m, k }
        process { location a, b, c  x : 0..2 = 0 }
        step go: when at = a then at := b, x := 1
        step put: when at = b then send box(m)";
    let (protocol, compiled) = compiled(text);
    let never = protocol.never_taken(&compiled, &Predicate::none(compiled.alphabet()));
    let said: Vec<String> = never.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    `at` is never c
    `x` is never 2
    `owner` never holds a process
    `mode` is never fast
    k is never in `box`
    ");
}
