//! A model with all modules inlined is the same model.

use proptest::prelude::*;
use quotient_core::{Budget, Context, Source, Trouble};
use quotient_language::Ask;
use quotient_smv::{Explored, File, Program};

use super::random::{self, Random};
use super::{check, gallery, open, verdict_words};

fn flat(text: &str) -> String {
    let written = open(text).convert("smv", None, &Context::default());
    written.unwrap().text
}

/// The states as they are shown, in the order of discovery, with their successors.
fn shown(program: &Program) -> Result<(Vec<Vec<String>>, Explored), quotient_core::Stop> {
    let explored = program.explore(100_000, &Budget::unlimited())?;
    let states = explored.states.iter().map(|state| {
        let values = state.0.iter().map(|&value| program.show(value));
        values.collect::<Vec<String>>()
    });
    Ok((states.collect(), explored.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_models_read_back_as_the_same(seed in any::<u64>()) {
        let text = random::model_with_condition(&mut Random(seed), 24);
        let again = flat(&text);
        let read = |text: &str| File::read(&Source::new("m", text)).unwrap();
        let (one, other) = (read(&text), read(&again));
        let (states, graph) = shown(one.program()).unwrap();
        let (states_again, graph_again) = shown(other.program()).unwrap();
        prop_assert_eq!(states, states_again, "{}\n{}", &text, &again);
        prop_assert_eq!(graph.initial, graph_again.initial);
        prop_assert_eq!(graph.successors, graph_again.successors, "{}\n{}", &text, &again);
    }
}

#[test]
fn the_gallery_keeps_its_verdicts() {
    for (name, text) in gallery() {
        let verdicts = |text: &str| -> Vec<&'static str> {
            let answers = check(&mut *open(text), &Ask::default()).unwrap();
            answers.iter().map(verdict_words).collect()
        };
        assert_eq!(verdicts(text), verdicts(&flat(text)), "{name}");
    }
}

#[test]
fn names_stay_apart_and_legal() {
    let text = "
        MODULE cell VAR x : array 0..1 of boolean; y : {AG, b_c};
        MODULE main
        VAR a : cell; a_x_0_ : boolean; w : signed word[3]; p : process cell;
        FROZENVAR G : -2..1;
        IVAR i : 0..70000;
        DEFINE a_y := G - 1 + (i mod 2);
        INIT w = -0sd3_4
        TRANS next(a.x[0]) = next(a_x_0_) & w << 1 = resize(extend(w, 2), 3)
        COMPASSION (a.x[0], a.x[1])
        CTLSPEC NAME AG := A [a.x[0] U EBF 1..3 a.x[1]]
        LTLSPEC (F [1, 3] a_x_0_) -> O H a.x[1]
        PSLSPEC always a_x_0_;
        PSLSPEC never {a_x_0_; a_x_0_};
    ";
    let Ok(file) = File::read(&Source::new("m", text)) else {
        panic!("{:?}", File::read(&Source::new("m", text)).unwrap_err());
    };
    let again = flat(text);
    let read = File::read(&Source::new("flat", &again)).unwrap();
    assert_eq!(
        read.program().variables().len(),
        file.program().variables().len()
    );
    assert_eq!(read.program().specifications().len(), 3, "{again}");
    assert!(
        again.contains("-- PSLSPEC never {a_x_0_; a_x_0_}"),
        "{again}"
    );
    assert!(flat(&again).contains("COMPASSION"));
}

#[test]
fn other_formats_and_parts_are_refused() {
    let mut model = open("MODULE main VAR p : boolean;");
    let cx = Context::default();
    let code = |result: Result<_, Trouble>| match result {
        Err(Trouble::Invalid(mistakes)) => mistakes[0].code,
        _ => "",
    };
    assert_eq!(code(model.convert("dot", None, &cx)), "no-such-format");
    assert_eq!(code(model.convert("smv", Some("p"), &cx)), "no-such-part");
}
