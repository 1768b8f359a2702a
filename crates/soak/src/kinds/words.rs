//! Problems over words: automata and transducers.

use crate::dice::Dice;
use crate::kind::{Instance, Kind, way};
use crate::sample::{Given, Sample};
use quotient_language::About;

pub(crate) const KIND: Kind = Kind {
    language: "words",
    generate,
    ways: methods,
    instance: Instance::Below(&[
        ("length", "0"),
        ("length", "1"),
        ("length", "2"),
        ("length", "3"),
        ("length", "4"),
    ]),
    judge: |_| Vec::new(),
};

/// Some of the methods that a language names.
pub(crate) fn methods(about: &About, dice: &mut Dice) -> Vec<Given> {
    let all = (about.methods)();
    let mut ways = Vec::new();
    for _ in 0..all.len().min(3) {
        let (name, _) = &all[dice.below(all.len())];
        ways.push(way(&[("method", name)]));
    }
    ways
}

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let letters = &["A", "B", "C"][..dice.within(2, 3)];
    let ops: Vec<String> = letters.iter().map(|letter| format!("{letter}:1")).collect();
    let ops = format!("Ops x:0 {}\n\n", ops.join(" "));
    let steps = dice.within(1, 2);
    let names: Vec<String> = (0..steps)
        .map(|step| format!("\"step{step}.tmb\""))
        .collect();
    let manifest = format!(
        "init = \"init.tmb\"\ntransitions = [{}]\n[bad]\n\"never\" = \"bad.tmb\"\n",
        names.join(", ")
    );
    let mut sample = Sample::of("words", "problem.toml", manifest)
        .beside(
            "init.tmb",
            format!("{ops}{}", automaton(dice, letters, "init")),
        )
        .beside(
            "bad.tmb",
            format!("{ops}{}", automaton(dice, letters, "bad")),
        );
    for step in 0..steps {
        let text = match dice.chance(70) {
            true => rewriting(dice, letters, step),
            false => transducer(dice, letters, step, size),
        };
        sample = sample.beside(&format!("step{step}.tmb"), format!("{ops}{text}"));
    }
    match dice.below(8) {
        0 => sample
            .setting("liveness", "communal")
            .setting("progress-step", "step0"),
        1 => sample
            .setting("liveness", "individual")
            .setting("waiting", "A")
            .setting("progress-step", "step0"),
        _ => sample,
    }
}

fn machine(name: &str, kind: &str, states: usize, end: &[usize], arrows: &[String]) -> String {
    let names: Vec<String> = (0..states).map(|state| format!("q{state}")).collect();
    let end: Vec<String> = end.iter().map(|state| format!("q{state}")).collect();
    format!(
        "Automaton {name} @{kind}\nStates {}\nFinal States {}\nTransitions\nx() -> q0\n{}\n",
        names.join(" "),
        end.join(" "),
        arrows.join("\n")
    )
}

fn automaton(dice: &mut Dice, letters: &[&str], name: &str) -> String {
    let states = dice.within(1, 3);
    let mut arrows = Vec::new();
    for state in 0..states {
        for letter in letters {
            if dice.chance(45) {
                let to = dice.below(states);
                arrows.push(format!("in{{{letter}}}(q{state}) -> q{to}"));
            }
        }
    }
    let end = [dice.below(states)];
    machine(name, "INFA", states, &end, &arrows)
}

/// One or two neighbouring letters change, everything else stays.
fn rewriting(dice: &mut Dice, letters: &[&str], number: usize) -> String {
    let copy = |state: usize| format!("@not_in{{}}/@not_in{{}}(q{state}) -> q{state}");
    let width = dice.within(1, 2);
    let mut arrows = vec![copy(0)];
    for place in 0..width {
        for _ in 0..dice.within(1, 2) {
            let (read, write) = (dice.pick(letters), dice.pick(letters));
            let next = place + 1;
            arrows.push(format!("in{{{read}}}/in{{{write}}}(q{place}) -> q{next}"));
        }
    }
    if dice.chance(80) {
        arrows.push(copy(width));
    }
    machine(
        &format!("step{number}"),
        "INT",
        width + 1,
        &[width],
        &arrows,
    )
}

fn transducer(dice: &mut Dice, letters: &[&str], number: usize, size: usize) -> String {
    let states = dice.within(1, 2 + size.min(2));
    let mut arrows = Vec::new();
    for state in 0..states {
        for _ in 0..dice.within(1, 3) {
            let (read, write) = (dice.pick(letters), dice.pick(letters));
            let to = dice.below(states);
            arrows.push(format!("in{{{read}}}/in{{{write}}}(q{state}) -> q{to}"));
        }
    }
    let end = [dice.below(states)];
    machine(&format!("step{number}"), "INT", states, &end, &arrows)
}
