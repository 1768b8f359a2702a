//! A step may name one process twice: a witness that is the neighbour, whom a variable holds, or one that moves.
//! It changes in all of these ways at once, and what `check` says is what instances say.

use quotient_core::{Context, Source, Verdict};
use quotient_language::{Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}"),
    }
}

/// That the first property is violated, for some number of processes and for this one.
fn violated(text: &str, processes: usize) {
    let mut verdicts = Vec::new();
    let cx = Context::default();
    let mut model = opened(text, &Settings::default());
    let checked = model.check(&Ask::default(), &cx, &mut |one| verdicts.push(one.verdict));
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let small = opened(text, &settings).instance(&cx).expect("an instance");
    assert_eq!(small.answers[0].verdict, Verdict::Violated, "{text}");
    assert_eq!(verdicts[0], Verdict::Violated, "{text}");
}

#[test]
fn a_witness_that_is_the_neighbour() {
    violated(
        "topology ring
         process { x : bool = false  y : bool = false }
         step both with q: when not q.x and not q.y and not right.x and not right.y
             then q.x := true, right.y := true
         property apart: never exists p: p.x and p.y",
        2,
    );
}

#[test]
fn a_process_that_a_variable_holds() {
    violated(
        "topology set
         process { x : bool = false  y : bool = false }
         global turn : process
         step go: when not x and not y and not turn.x and not turn.y then x := true, turn.y := true
         property apart: never exists p: p.x and p.y",
        1,
    );
}

#[test]
fn a_witness_that_moves_and_is_the_neighbour() {
    violated(
        "topology line
         process { x : bool = false  y : bool = false }
         step both with q: when not q.x and not q.y and not right.x and not right.y
             then q.x := true, right.y := true, move q to left end
         property apart: never exists p: p.x and p.y",
        2,
    );
}

#[test]
fn a_witness_that_moves_stands_on_its_side() {
    violated(
        "topology line
         process { x : bool = false  moved : bool = false }
         step go with q: when not q.moved and not q.x
             then q.moved := true, for left p { p.x := true }, move q to right end
         property apart: never exists p: p.x and p.moved",
        2,
    );
}
