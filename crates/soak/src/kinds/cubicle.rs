//! Arrays indexed by any number of processes: what goes wrong with up to three is wrong.

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "cubicle",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::None,
    judge,
};

const PLACES: [&str; 3] = ["A", "B", "C"];
const TRUTHS: [&str; 2] = ["True", "False"];
const HEAD: &str = "type place = A | B | C
var X : bool
array At[proc] : place
array F[proc] : bool
init (z) { At[z] = A && F[z] = False && X = True }
";

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let mut text = HEAD.to_owned();
    for _ in 0..dice.within(1, 2) {
        let bad = match dice.chance(70) {
            true => format!("(a b) {{ {} && {} }}", fact(dice, "a"), fact(dice, "b")),
            false => format!("(a) {{ {} && {} }}", fact(dice, "a"), fact(dice, "a")),
        };
        text += &format!("unsafe {bad}\n");
    }
    for number in 0..dice.within(2, 3 + size.min(3)) {
        let two = dice.chance(25);
        let mut guard = vec![format!("At[p] = {}", dice.pick(&PLACES))];
        if two {
            guard.push(fact(dice, "q"));
        }
        if dice.chance(50) {
            guard.push(format!("X = {}", dice.pick(&TRUTHS)));
        }
        if dice.chance(30) {
            guard.push(fact(dice, "p"));
        }
        if dice.chance(35) {
            guard.push(format!("forall_other r. ({})", fact(dice, "r")));
        }
        let who = if two { "p q" } else { "p" };
        let guard = guard.join(" && ");
        text += &format!("transition t{number} ({who})\nrequires {{ {guard} }}\n{{\n");
        match dice.chance(20) {
            true => {
                let (from, to) = (dice.pick(&PLACES), dice.pick(&PLACES));
                text += &format!("  At[j] := case | At[j] = {from} : {to} | _ : At[j];\n");
            }
            false => text += &format!("  At[p] := {};\n", dice.pick(&PLACES)),
        }
        if dice.chance(50) {
            text += &format!("  X := {};\n", dice.pick(&TRUTHS));
        }
        if dice.chance(40) {
            let whose = if two { "q" } else { "p" };
            text += &format!("  F[{whose}] := {};\n", dice.pick(&TRUTHS));
        }
        text += "}\n";
    }
    Sample::of("cubicle", "model.cub", text)
}

fn fact(dice: &mut Dice, process: &str) -> String {
    match dice.chance(65) {
        true => format!(
            "At[{process}] {} {}",
            dice.pick(&["=", "=", "<>"]),
            dice.pick(&PLACES)
        ),
        false => format!("F[{process}] = {}", dice.pick(&TRUTHS)),
    }
}

/// Of each process its place and its flag; and the variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    processes: Vec<(usize, bool)>,
    x: bool,
}

/// A condition on a process, or on the variable.
enum Fact {
    At(char, bool, usize),
    Flag(char, bool),
    Variable(bool),
    Others(Box<Fact>),
}

enum Change {
    At(char, usize),
    Everywhere(usize, usize),
    Flag(char, bool),
    Variable(bool),
}

#[derive(Default)]
struct Transition {
    two: bool,
    guard: Vec<Fact>,
    changes: Vec<Change>,
}

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    judged(sample.text()).unwrap_or_default()
}

fn judged(text: &str) -> Option<Vec<(String, Truth)>> {
    let (mut bad, mut transitions) = (Vec::new(), Vec::<Transition>::new());
    for line in text.strip_prefix(HEAD)?.lines() {
        if let Some(rest) = line.strip_prefix("unsafe (") {
            let (who, facts) = rest.strip_suffix(" }")?.split_once(") { ")?;
            bad.push((who == "a b", conjunction(facts)?));
        } else if let Some(rest) = line.strip_prefix("transition ") {
            transitions.push(Transition {
                two: rest.ends_with("(p q)"),
                ..Transition::default()
            });
        } else if let Some(rest) = line.strip_prefix("requires { ") {
            transitions.last_mut()?.guard = conjunction(rest.strip_suffix(" }")?)?;
        } else if let Some(rest) = line.strip_prefix("  ") {
            let change = change(rest.strip_suffix(';')?)?;
            transitions.last_mut()?.changes.push(change);
        } else if !matches!(line, "{" | "}") {
            return None;
        }
    }
    let mut wrong = vec![false; bad.len()];
    for count in 1..=3 {
        for state in reachable(count, &transitions) {
            for (wrong, (two, facts)) in wrong.iter_mut().zip(&bad) {
                for chosen in chosen(*two, count) {
                    let who = |name: char| chosen[usize::from(name == 'b')];
                    *wrong |= facts.iter().all(|fact| holds(fact, &state, &who, &[]));
                }
            }
        }
    }
    let wrong = wrong.iter().enumerate().filter(|(_, wrong)| **wrong);
    // A file with one of them has no numbers.
    let name = |at: usize| match bad.len() {
        1 => "safe".to_owned(),
        _ => format!("safe {}", at + 1),
    };
    Some(wrong.map(|(at, _)| (name(at), Truth::Violated)).collect())
}

fn conjunction(text: &str) -> Option<Vec<Fact>> {
    text.split(" && ").map(one_fact).collect()
}

fn one_fact(text: &str) -> Option<Fact> {
    if let Some(rest) = text.strip_prefix("forall_other r. (") {
        return Some(Fact::Others(Box::new(one_fact(rest.strip_suffix(')')?)?)));
    }
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["X", "=", value] => Some(Fact::Variable(boolean(value)?)),
        [cell, sign, value] => {
            let (array, process) = cell_of(cell)?;
            match (array, sign) {
                ("At", "=" | "<>") => Some(Fact::At(process, sign == "=", place(value)?)),
                ("F", "=") => Some(Fact::Flag(process, boolean(value)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn change(text: &str) -> Option<Change> {
    if let Some(rest) = text.strip_prefix("At[j] := case | At[j] = ") {
        let (from, to) = rest.strip_suffix(" | _ : At[j]")?.split_once(" : ")?;
        return Some(Change::Everywhere(place(from)?, place(to)?));
    }
    let (cell, value) = text.split_once(" := ")?;
    if cell == "X" {
        return Some(Change::Variable(boolean(value)?));
    }
    match cell_of(cell)? {
        ("At", process) => Some(Change::At(process, place(value)?)),
        ("F", process) => Some(Change::Flag(process, boolean(value)?)),
        _ => None,
    }
}

fn cell_of(text: &str) -> Option<(&str, char)> {
    let (array, process) = text.strip_suffix(']')?.split_once('[')?;
    let mut process = process.chars();
    let name = process.next()?;
    process.next().is_none().then_some((array, name))
}

fn place(text: &str) -> Option<usize> {
    PLACES.iter().position(|place| *place == text)
}

fn boolean(text: &str) -> Option<bool> {
    TRUTHS.contains(&text).then_some(text == "True")
}

fn holds(fact: &Fact, state: &State, who: &dyn Fn(char) -> usize, taking: &[usize]) -> bool {
    match fact {
        &Fact::At(process, equal, place) => (state.processes[who(process)].0 == place) == equal,
        &Fact::Flag(process, value) => state.processes[who(process)].1 == value,
        &Fact::Variable(value) => state.x == value,
        Fact::Others(fact) => (0..state.processes.len())
            .filter(|other| !taking.contains(other))
            .all(|other| holds(fact, state, &|_| other, &[])),
    }
}

/// One process or two different ones, in all ways.
fn chosen(two: bool, count: usize) -> Vec<Vec<usize>> {
    let pairs = (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
    match two {
        true => pairs
            .filter(|(one, other)| one != other)
            .map(|(one, other)| vec![one, other])
            .collect(),
        false => (0..count).map(|one| vec![one, one]).collect(),
    }
}

fn reachable(count: usize, transitions: &[Transition]) -> BTreeSet<State> {
    let start = State {
        processes: vec![(0, false); count],
        x: true,
    };
    let mut seen: BTreeSet<State> = [start.clone()].into();
    let mut waiting = vec![start];
    while let Some(state) = waiting.pop() {
        for transition in transitions {
            for chosen in chosen(transition.two, count) {
                let who = |name: char| chosen[usize::from(name == 'q')];
                let possible = |fact: &Fact| holds(fact, &state, &who, &chosen);
                if !transition.guard.iter().all(possible) {
                    continue;
                }
                let mut next = state.clone();
                for change in &transition.changes {
                    match *change {
                        Change::At(process, place) => next.processes[who(process)].0 = place,
                        Change::Flag(process, value) => next.processes[who(process)].1 = value,
                        Change::Variable(value) => next.x = value,
                        Change::Everywhere(from, to) => {
                            for process in &mut next.processes {
                                if process.0 == from {
                                    process.0 = to;
                                }
                            }
                        }
                    }
                }
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    seen
}
