//! Networks in SBML against the meaning of their terms, and what is refused.

use super::*;
use quotient_testkit::Random;

fn model(species: &[&str], transitions: &[(&str, String)]) -> String {
    let species: String = species
        .iter()
        .map(|id| format!("<qual:qualitativeSpecies qual:id=\"{id}\" qual:maxLevel=\"1\"/>"))
        .collect();
    let transitions: String = transitions
        .iter()
        .map(|(output, terms)| {
            format!(
                "<qual:transition><qual:listOfOutputs><qual:output \
                 qual:qualitativeSpecies=\"{output}\" qual:transitionEffect=\"assignmentLevel\"/>\
                 </qual:listOfOutputs><qual:listOfFunctionTerms>{terms}\
                 </qual:listOfFunctionTerms></qual:transition>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><sbml xmlns:qual=\"q\"><model>\
         <qual:listOfQualitativeSpecies>{species}</qual:listOfQualitativeSpecies>\
         <qual:listOfTransitions>{transitions}</qual:listOfTransitions></model></sbml>"
    )
}

fn term(level: u8, math: &str) -> String {
    format!(
        "<qual:functionTerm qual:resultLevel=\"{level}\"><math>{math}</math></qual:functionTerm>"
    )
}

fn default(level: u8) -> String {
    format!("<qual:defaultTerm qual:resultLevel=\"{level}\"/>")
}

/// A random formula, and its value in a state.
fn formula(random: &mut Random, depth: usize) -> (String, Box<dyn Fn(u64) -> bool>) {
    let name = |at: usize| ["a", "b", "c"][at];
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => {
            let at = random.below(3);
            (
                format!("<ci> {} </ci>", name(at)),
                Box::new(move |state| state >> at & 1 == 1),
            )
        }
        1 => {
            let (at, level) = (random.below(3), random.below(3) as u64);
            let sign = random.below(6);
            let operator = ["eq", "neq", "lt", "gt", "leq", "geq"][sign];
            let text = format!(
                "<apply><{operator}/><ci>{}</ci><cn type=\"integer\"> {level} </cn></apply>",
                name(at)
            );
            let value = move |state: u64| {
                let own = state >> at & 1;
                [
                    own == level,
                    own != level,
                    own < level,
                    own > level,
                    own <= level,
                    own >= level,
                ][sign]
            };
            (text, Box::new(value))
        }
        2 => {
            let (text, inner) = formula(random, depth - 1);
            (
                format!("<apply><not/>{text}</apply>"),
                Box::new(move |state| !inner(state)),
            )
        }
        kind => {
            let (left, one) = formula(random, depth - 1);
            let (right, other) = formula(random, depth - 1);
            let operator = if kind == 3 { "and" } else { "or" };
            let value = move |state| match kind {
                3 => one(state) && other(state),
                _ => one(state) || other(state),
            };
            (
                format!("<apply><{operator}/>{left}{right}</apply>"),
                Box::new(value),
            )
        }
    }
}

#[test]
fn the_first_true_term_gives_the_level() {
    let mut random = Random(7);
    for _ in 0..300 {
        let (first, one) = formula(&mut random, 3);
        let (second, other) = formula(&mut random, 3);
        let levels = [0, 1, 2].map(|_| random.below(2) as u8);
        let terms = default(levels[0]) + &term(levels[1], &first) + &term(levels[2], &second);
        let text = model(&["a", "b", "c"], &[("b", terms)]);
        assert!(looks_like(&text));
        let network = read(&Source::new("m.sbml", text)).unwrap();
        for state in 0..8 {
            let level = match (one(state), other(state)) {
                (true, _) => levels[1],
                (false, true) => levels[2],
                (false, false) => levels[0],
            };
            assert_eq!(network.updates[1].value(state), level == 1);
            assert_eq!(network.updates[0].value(state), state & 1 == 1);
        }
    }
}

fn codes(text: String) -> Vec<&'static str> {
    let errors = read(&Source::new("m.sbml", text)).unwrap_err();
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn what_is_beyond_is_refused_with_its_place() {
    let many = model(&["a"], &[]).replace("maxLevel=\"1\"", "maxLevel=\"2\"");
    assert_eq!(codes(many), ["many-levels"]);
    let unknown = term(1, "<ci>z</ci>");
    assert_eq!(codes(model(&["a"], &[("a", unknown)])), ["no-term"]);
    let sum = term(1, "<apply><plus/><ci>a</ci><cn>1</cn></apply>");
    assert_eq!(codes(model(&["a"], &[("a", sum)])), ["no-term"]);
    let twice = [("a", default(1)), ("a", default(0))];
    assert_eq!(codes(model(&["a"], &twice)), ["twice"]);
    let deep = "<apply><not/>".repeat(400) + "<ci>a</ci>" + &"</apply>".repeat(400);
    assert_eq!(codes(model(&["a"], &[("a", term(1, &deep))])), ["too-deep"]);
    assert_eq!(codes("<sbml/>".to_owned()), ["no-species"]);
}

#[test]
fn numbers_are_read_whole_or_refused() {
    let compared = |number: &str| {
        let math = format!("<apply><geq/><ci>a</ci>{number}</apply>");
        model(&["a", "b"], &[("b", default(0) + &term(1, &math))])
    };
    for number in [
        "<cn type=\"e-notation\">1<sep/>0</cn>",
        "<cn type=\"rational\">1<sep/>1</cn>",
        "<cn>1<sep/>0</cn>",
        "<cn type=\"rational\">1</cn>",
        "<cn type=\"integer\" base=\"2\">1</cn>",
        "<cn type=\"integer\">0.5</cn>",
        "<cn>nan</cn>",
        "<cn>inf</cn>",
        "<ci>a<sep/></ci>",
    ] {
        assert_eq!(codes(compared(number)), ["no-term"], "{number}");
    }
    for number in ["<cn type=\"real\"> 1.0 </cn>", "<cn>1<!-- 0 --></cn>"] {
        let network = read(&Source::new("m.sbml", compared(number))).unwrap();
        for state in 0..4 {
            let expected = state & 1 == 1;
            assert_eq!(network.updates[1].value(state), expected, "{number}");
        }
    }
    let two = term(1, "<ci>a</ci><apply><not/><ci>a</ci></apply>");
    assert_eq!(codes(model(&["a"], &[("a", two)])), ["no-term"]);
    let defaults = default(0) + &default(1);
    assert_eq!(codes(model(&["a"], &[("a", defaults)])), ["twice"]);
    assert_eq!(codes(model(&["True"], &[])), ["constant-name"]);
    // An input whose threshold is called like a species.
    let clash = model(&["a"], &[("a", default(0) + &term(1, "<ci>a</ci>"))]).replace(
        "<qual:listOfOutputs>",
        "<qual:listOfInputs><qual:input qual:id=\"a\" qual:thresholdLevel=\"0\"/>\
         </qual:listOfInputs><qual:listOfOutputs>",
    );
    assert_eq!(codes(clash), ["twice"]);
}

#[test]
fn a_species_with_one_level_is_no_variable() {
    let with = |level: u8| {
        let either = "<apply><or/><ci>z</ci><ci>a</ci></apply>";
        let terms = default(0) + &term(1, either);
        let text = model(&["z", "a", "b"], &[("b", terms), ("z", default(level))]);
        text.replacen("maxLevel=\"1\"", "maxLevel=\"0\"", 1)
    };
    let network = read(&Source::new("m.sbml", with(0))).unwrap();
    assert_eq!(network.names, ["a", "b"]);
    assert_eq!(network.inputs, [0]);
    let values: Vec<bool> = (0..4).map(|s| network.updates[1].value(s)).collect();
    assert_eq!(values, [false, true, false, true]);
    assert_eq!(codes(with(1)), ["many-levels"]);
}

/// Comparisons of conditions with conditions, by their tables; none writes a side twice.
#[test]
fn comparisons_neither_grow_nor_differ_from_numbers() {
    let operators = ["eq", "neq", "lt", "gt", "leq", "geq"];
    let sides = ["<ci>a</ci>", "<ci>b</ci>", "<cn>0</cn>", "<cn>1</cn>"];
    for (sign, operator) in operators.iter().enumerate() {
        for (one, left) in sides.iter().enumerate() {
            for (two, right) in sides.iter().enumerate() {
                let math = format!("<apply><{operator}/>{left}{right}</apply>");
                let text = model(&["a", "b"], &[("b", term(1, &math))]);
                let network = read(&Source::new("m.sbml", text)).unwrap();
                for state in 0..4_u64 {
                    let level = |at: usize| [state & 1, state >> 1, 0, 1][at];
                    let (l, r) = (level(one), level(two));
                    let expected = [l == r, l != r, l < r, l > r, l <= r, l >= r][sign];
                    assert_eq!(network.updates[1].value(state), expected, "{math}");
                }
            }
        }
        let text = |side: &str| {
            let open = format!("<apply><{operator}/>").repeat(140);
            let math = open + "<ci>a</ci>" + &format!("{side}</apply>").repeat(140);
            model(&["a"], &[("a", term(1, &math))])
        };
        for side in sides.iter().filter(|side| **side != "<ci>b</ci>") {
            let network = read(&Source::new("m.sbml", text(side))).unwrap();
            assert!(size(&network.updates[0]) < 1_000, "{operator} {side}");
        }
    }
}

#[test]
fn long_lists_are_not_deep_and_functions_not_too_large() {
    let many = "<ci>a</ci>".repeat(20_000);
    let row = term(1, &format!("<apply><and/>{many}</apply>"));
    let network = read(&Source::new("m.sbml", model(&["a"], &[("a", row)]))).unwrap();
    assert!(depth(&network.updates[0]) < 30);
    let terms = term(1, "<ci>a</ci>").repeat(20_000);
    assert!(read(&Source::new("m.sbml", model(&["a"], &[("a", terms)]))).is_ok());
    let turns = (term(1, "<ci>a</ci>") + &term(0, "<ci>a</ci>")).repeat(20_000);
    assert_eq!(codes(model(&["a"], &[("a", turns)])), ["too-deep"]);
    // A function that is written for each of many outputs.
    let names: Vec<String> = (0..200).map(|number| format!("s{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = |name: &&str| format!("<qual:output qual:qualitativeSpecies=\"{name}\"/>");
    let outputs: String = names.iter().map(output).collect();
    let row = term(
        1,
        &format!("<apply><and/>{}</apply>", many.replace('a', "s0")),
    );
    let text = model(&names, &[("s0", row)]);
    let text = text.replace(
        "</qual:listOfOutputs>",
        &(outputs + "</qual:listOfOutputs>"),
    );
    assert!(codes(text).contains(&"too-large"));
}
