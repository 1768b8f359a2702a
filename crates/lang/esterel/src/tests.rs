//! Programs with known reactions.

use quotient_core::{Budget, Source};

use crate::expand::expand;
use crate::kernel::Program;
use crate::parse::parse;
use crate::react::{Event, Problem, State};
use crate::value::Value;

pub(crate) fn program(text: &str) -> Program {
    let source = Source::new("t.strl", text);
    let file = parse(&source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    expand(&source, &file, None, &[]).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// Mistakes by code.
fn mistakes(text: &str) -> Vec<&'static str> {
    let source = Source::new("t.strl", text);
    let mistakes = match parse(&source) {
        Ok(file) => expand(&source, &file, None, &[]).err().unwrap_or_default(),
        Err(mistakes) => mistakes,
    };
    mistakes.into_iter().map(|one| one.code).collect()
}

/// `A B(3)` as an event.
pub(crate) fn event(program: &Program, text: &str) -> Event {
    let mut event = Event::new();
    for word in text.split_whitespace() {
        let (name, value) = match word.split_once('(') {
            Some((name, value)) => (name, Some(value.trim_end_matches(')'))),
            None => (word, None),
        };
        let id = program
            .signals
            .iter()
            .position(|one| one.name == name)
            .unwrap();
        let kind = program.signals[id].kind.clone();
        let value = value.map(|text| Value::spelled(&kind.unwrap(), text).unwrap());
        event.insert(id, value);
    }
    event
}

/// What a program shows for events, instant by instant.
fn run(text: &str, events: &[&str]) -> Result<Vec<String>, Problem> {
    let program = program(text);
    let mut state = State::new(&program)?;
    let mut all = Vec::new();
    for text in events {
        let event = event(&program, text);
        let reaction = state.react(&program, &event, &Budget::unlimited())?;
        let mut shown = Vec::new();
        for id in program.outputs().filter(|&id| reaction.present[id]) {
            let name = &program.signals[id].name;
            shown.push(match &reaction.values[id] {
                Some(value) => format!("{name}({value})"),
                None => name.clone(),
            });
        }
        all.push(shown.join(" "));
    }
    Ok(all)
}

fn shows(text: &str, pairs: &[(&str, &str)]) {
    let events: Vec<&str> = pairs.iter().map(|pair| pair.0).collect();
    let expected: Vec<&str> = pairs.iter().map(|pair| pair.1).collect();
    assert_eq!(run(text, &events).unwrap(), expected, "{text}");
}

#[test]
fn abro_waits_for_both_and_starts_over() {
    let abro = "module ABRO: input A, B, R; output O;
        loop [ await A || await B ]; emit O each R end module";
    shows(
        abro,
        &[
            ("", ""),
            ("A", ""),
            ("B", "O"),
            ("A B", ""),
            ("R", ""),
            ("A B", "O"),
            ("R A B", ""),
            ("A", ""),
            ("B R", ""),
            ("A B", "O"),
        ],
    );
}

#[test]
fn preemption_is_strong_or_weak_delayed_or_immediate() {
    let with = |abort: &str| format!("module M: input S; output O, E; {abort}; emit E end module");
    shows(
        &with("abort sustain O when S"),
        &[("S", "O"), ("", "O"), ("S", "E"), ("", "")],
    );
    shows(
        &with("weak abort sustain O when S"),
        &[("S", "O"), ("", "O"), ("S", "O E")],
    );
    shows(&with("abort sustain O when immediate S"), &[("S", "E")]);
    shows(
        &with("weak abort sustain O when immediate S"),
        &[("S", "O E")],
    );
    shows(
        &with("abort sustain O when 2 S"),
        &[("S", "O"), ("S", "O"), ("", "O"), ("S", "E")],
    );
    shows(
        &with("weak abort pause; emit O when S do emit E; pause end"),
        &[("", ""), ("S", "O E"), ("", "")],
    );
    shows(
        &with("abort pause; emit O when S do pause end abort"),
        &[("", ""), ("S", ""), ("", "E")],
    );
    shows(
        &with("suspend sustain O when S"),
        &[("S", "O"), ("S", ""), ("", "O")],
    );
    shows(
        &with("suspend sustain O when immediate S"),
        &[("S", ""), ("S", ""), ("", "O")],
    );
}

#[test]
fn cases_go_by_their_order() {
    let text = "module M: input A, B, C; output X, Y, Z;
        loop await case A do emit X case B do emit Y case 2 C do emit Z; pause end await
        end loop end module";
    shows(
        text,
        &[
            ("A B", ""),
            ("A B", "X"),
            ("B", "Y"),
            ("C", ""),
            ("C", "Z"),
            ("", ""),
            ("B A", "X"),
        ],
    );
    let first = "module M: input A, C; output X, Z;
        await case A do emit X case immediate C do emit Z end await end module";
    shows(first, &[("A C", "Z")]);
    // A short one within does not take the end of the one around it.
    let within = "module M: input A, B; output X;
        loop await case A do pause case immediate B do await tick end await; emit X end loop
        end module";
    shows(within, &[("B", ""), ("B", "X"), ("", "X")]);
    // Each way takes time, and so does the whole.
    let each = "module M: input A, B; output X;
        loop await case A do pause case immediate B do emit X; pause end await end loop end module";
    shows(
        each,
        &[("B", "X"), ("B", "X"), ("A", ""), ("A", ""), ("", "")],
    );
    let within = "module M: input A, B; output X;
        abort halt when case A do abort halt when B end abort; emit X end module";
    shows(within, &[("", ""), ("A", ""), ("B", "X")]);
}

#[test]
fn traps_are_left_and_handled() {
    let text = "module M: input A, B; output X, Y, Z;
        trap T, U in
          [ await A; exit T || await B; exit U || loop pause end ]
        handle T and not U do emit X
        handle U do emit Y
        handle T and U do emit Z
        end trap end module";
    shows(text, &[("", ""), ("A", "X")]);
    shows(text, &[("", ""), ("B", "Y")]);
    shows(text, &[("", ""), ("A B", "Y Z")]);
    let outer = "module M: output X, Y; trap T in trap U in exit T || exit U || emit X end;
        emit Y end end module";
    shows(outer, &[("", "X"), ("", "")]);
    let value = "module M: input I : integer; output O : integer;
        trap T : integer in every I do exit T(?I + 1) end handle T do emit O(??T * 2) end
        end module";
    shows(value, &[("", ""), ("I(4)", "O(10)")]);
}

#[test]
fn values_are_known_when_nothing_can_emit_any_more() {
    let text = "module M: input I : integer; output O : combine integer with +, P : integer;
        every immediate I do emit O(?I) || emit O(2) || emit P(?O * 10) end end module";
    shows(
        text,
        &[("I(3)", "O(5) P(50)"), ("", ""), ("I(4)", "O(6) P(60)")],
    );
    let own = "module M: output O : integer; emit O(?O + 1) end module";
    assert!(matches!(run(own, &[""]), Err(Problem::Causality(_))));
    let before = "module M: output O := 1 : integer;
        loop emit O(pre(?O) + 1); pause end end module";
    shows(before, &[("", "O(2)"), ("", "O(3)")]);
    let twice = "module M: output O : integer; emit O(1) || emit O(2) end module";
    assert!(matches!(run(twice, &[""]), Err(Problem::Data(..))));
}

#[test]
fn variables_change_within_an_instant() {
    let text = "module M: input I : integer; output O : integer, BIG;
        var v := 0 : integer, w : integer in
          every I do
            v := v + ?I; w := v * v; emit O(w);
            if v > 5 and w > 30 then emit BIG elsif v = 5 then nothing end if
          end every
        end var end module";
    shows(
        text,
        &[
            ("", ""),
            ("I(2)", "O(4)"),
            ("I(3)", "O(25)"),
            ("I(1)", "O(36) BIG"),
        ],
    );
    let unset = "module M: output O : integer; var v : integer in emit O(v) end end module";
    assert!(matches!(run(unset, &[""]), Err(Problem::Data(..))));
}

#[test]
fn causality_is_constructive() {
    let wrong = [
        "signal S in present S then emit S end end",
        "signal S in present S else emit S end end",
        "signal S, T in present S then emit T end || present T then emit S end end",
        "signal S in present S then nothing end; emit S end",
    ];
    for body in wrong {
        let text = format!("module M: output O; {body} end module");
        assert!(
            matches!(run(&text, &[""]), Err(Problem::Causality(_))),
            "{body}"
        );
    }
    // A cycle that inputs cut.
    let cyclic = "module M: input I; output X, Y;
        loop [ present I then present X then emit Y end else present Y then emit X end end
          || present I then emit X else emit Y end ]; pause end end module";
    shows(cyclic, &[("I", "X Y"), ("", "X Y")]);
}

#[test]
fn signals_are_new_in_each_turn_of_a_loop() {
    // Berry's example: the incarnation of the last turn is not that of the next one.
    let text = "module M: output O1, O2;
        loop signal S in present S then emit O1 else emit O2 end; pause; emit S end end
        end module";
    shows(text, &[("", "O2"), ("", "O2"), ("", "O2")]);
    let trap = "module M: input A; output X, Y;
        loop trap T in
          signal S in
            [ pause; emit S; exit T || loop present S then emit X else emit Y end; pause end ]
          end
        end end end module";
    shows(trap, &[("", "Y"), ("", "X Y"), ("", "X Y")]);
}

#[test]
fn the_past_is_remembered() {
    let text = "module M: input S; output O, P;
        every immediate tick do present pre(S) then emit O end; present [S and not pre S] then emit P end
        end end module";
    shows(
        text,
        &[("S", "P"), ("S", "O"), ("", "O"), ("", ""), ("S", "P")],
    );
}

#[test]
fn modules_are_run_with_other_names() {
    let text = "module MAIN: input A, B; output X, Y; 
        run W [ signal A / I, X / O; constant 2 / N ] || run W2 / W [ signal B / I, Y / O; constant 1 / N ]
        end module
        module W: constant N : integer; input I; output O; await N I; emit O end module";
    shows(text, &[("", ""), ("A B", "Y"), ("A", "X")]);
}

#[test]
fn repetitions_and_sensors() {
    let text = "module M: sensor T : float; input C; output HOT, COUNT;
        [ repeat 3 times await C end; emit COUNT || every C do if ?T > 20.5 then emit HOT end end ]
        end module";
    shows(
        text,
        &[
            ("", ""),
            ("C T(20)", ""),
            ("C T(20.6)", "HOT"),
            ("C", "HOT COUNT"),
        ],
    );
}

#[test]
fn mistakes_have_codes() {
    let wrong = [
        ("emit X", "no-such-signal"),
        ("loop emit O end", "instantaneous-loop"),
        ("exit T", "no-such-trap"),
        ("emit I", "input"),
        ("v := 1", "no-such-variable"),
        ("run N", "no-such-module"),
        ("run M", "recursion"),
        ("emit V", "type"),
        ("emit V(true)", "type"),
        ("var v : integer in v := 1 || v := 2 end", "shared-variable"),
        ("emit", "syntax"),
        ("if ?I then nothing end", "type"),
    ];
    for (body, code) in wrong {
        let text = format!("module M: input I; output O, V : integer; {body} end module");
        assert_eq!(mistakes(&text).first(), Some(&code), "{body}");
    }
}
