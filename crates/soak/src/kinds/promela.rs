//! Processes of Promela that test and set shared variables.

use std::collections::BTreeMap;

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "promela",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::None,
    judge,
};

const NAMES: [&str; 3] = ["a", "b", "c"];
const VALUES: usize = 3;

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let mut text = String::new();
    for name in NAMES {
        text += &format!("byte {name} = {};\n", dice.below(VALUES));
    }
    for process in 0..dice.within(1, 2 + size / 3) {
        text += &format!("active proctype P{process}() {{\n\tdo\n");
        for _ in 0..dice.within(1, 3) {
            let mut guard = comparison(dice);
            if dice.chance(40) {
                guard = format!("{guard} && {}", comparison(dice));
            }
            let effect = match dice.below(6) {
                0 => "break".to_owned(),
                1 => format!("{} = {}", dice.pick(&NAMES), dice.below(VALUES)),
                _ => format!(
                    "{} = ({} + {}) % {VALUES}",
                    dice.pick(&NAMES),
                    dice.pick(&NAMES),
                    dice.below(VALUES)
                ),
            };
            text += &format!("\t:: atomic {{ ({guard}) -> {effect} }}\n");
        }
        text += "\tod\n}\n";
    }
    for number in 0..dice.within(1, 3) {
        let form = dice.pick(&["[]", "<>", "[] <>", "<> []"]);
        text += &format!("ltl q{number} {{ {form} ({}) }}\n", comparison(dice));
    }
    Sample::of("promela", "model.pml", text)
}

fn comparison(dice: &mut Dice) -> String {
    format!(
        "{} {} {}",
        dice.pick(&NAMES),
        dice.pick(&["==", "!="]),
        dice.below(VALUES)
    )
}

/// Values of the variables, and which processes are still there.
type State = (Vec<usize>, Vec<bool>);
type Comparison = (usize, bool, usize);

struct Choice {
    guard: Vec<Comparison>,
    effect: Effect,
}

enum Effect {
    Leave,
    /// The variable, the one that is read, and what is added; the sum is taken in a ring.
    Sum(usize, usize, usize),
    Set(usize, usize),
}

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    judged(sample.text()).unwrap_or_default()
}

fn judged(text: &str) -> Option<Vec<(String, Truth)>> {
    let mut start = Vec::new();
    let mut processes: Vec<Vec<Choice>> = Vec::new();
    let mut formulas = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("byte ") {
            let (name, value) = rest.strip_suffix(';')?.split_once(" = ")?;
            (NAMES.get(start.len()) == Some(&name)).then_some(())?;
            start.push(constant(value)?);
        } else if line == format!("active proctype P{}() {{", processes.len()) {
            processes.push(Vec::new());
        } else if let Some(rest) = line.strip_prefix(":: atomic { (") {
            let (guard, effect) = rest.strip_suffix(" }")?.split_once(") -> ")?;
            let guard = guard.split(" && ").map(compared);
            let guard = guard.collect::<Option<_>>()?;
            let effect = changed(effect)?;
            processes.last_mut()?.push(Choice { guard, effect });
        } else if let Some(rest) = line.strip_prefix("ltl ") {
            let (name, rest) = rest.split_once(" { ")?;
            let (form, atom) = rest.strip_suffix(") }")?.split_once(" (")?;
            formulas.push((name, form, compared(atom)?));
        } else if !matches!(line, "do" | "od" | "}") {
            return None;
        }
    }
    (start.len() == NAMES.len()).then_some(())?;
    let graph = Graph::of((start, vec![true; processes.len()]), &processes);
    let stuck = |at: usize| graph.edges[at].is_empty() && graph.states[at].1.contains(&true);
    let ends = !(0..graph.states.len()).any(stuck);
    let mut truths = vec![("end-states".to_owned(), Truth::of(ends))];
    for (name, form, atom) in formulas {
        let holds: Vec<bool> = graph.states.iter().map(|state| is(state, atom)).collect();
        let holds = match form {
            "[]" => holds.iter().all(|&holds| holds),
            "<>" => !graph.lingers(|at| !holds[at])[0],
            "[] <>" => !graph.lingers(|at| !holds[at]).contains(&true),
            // A run that is again and again where the atom is false: one that goes round through
            // such a state, or ends there.
            "<> []" => !(0..holds.len()).any(|at| !holds[at] && graph.comes_back(at)),
            _ => return None,
        };
        truths.push((name.to_owned(), Truth::of(holds)));
    }
    Some(truths)
}

fn constant(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&value| value < VALUES)
}

fn variable(text: &str) -> Option<usize> {
    NAMES.iter().position(|name| *name == text)
}

fn compared(text: &str) -> Option<Comparison> {
    match text.split(' ').collect::<Vec<_>>()[..] {
        [name, "==", value] => Some((variable(name)?, true, constant(value)?)),
        [name, "!=", value] => Some((variable(name)?, false, constant(value)?)),
        _ => None,
    }
}

fn changed(text: &str) -> Option<Effect> {
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["break"] => Some(Effect::Leave),
        [name, "=", value] => Some(Effect::Set(variable(name)?, constant(value)?)),
        [name, "=", read, "+", added, "%", "3"] => {
            let read = variable(read.strip_prefix('(')?)?;
            let added = constant(added.strip_suffix(')')?)?;
            Some(Effect::Sum(variable(name)?, read, added))
        }
        _ => None,
    }
}

fn is(state: &State, (name, equal, value): Comparison) -> bool {
    (state.0[name] == value) == equal
}

/// All that can be reached; the first state is the start.
struct Graph {
    states: Vec<State>,
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn of(start: State, processes: &[Vec<Choice>]) -> Graph {
        let mut numbers: BTreeMap<State, usize> = [(start.clone(), 0)].into();
        let mut states = vec![start];
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let state = states[edges.len()].clone();
            let mut row = Vec::new();
            for (process, choices) in processes.iter().enumerate() {
                for choice in choices {
                    if !state.1[process] || !choice.guard.iter().all(|&one| is(&state, one)) {
                        continue;
                    }
                    let mut next = state.clone();
                    match choice.effect {
                        Effect::Leave => next.1[process] = false,
                        Effect::Set(name, value) => next.0[name] = value,
                        Effect::Sum(name, read, added) => {
                            next.0[name] = (state.0[read] + added) % VALUES;
                        }
                    }
                    row.push(*numbers.entry(next).or_insert_with_key(|next| {
                        states.push(next.clone());
                        states.len() - 1
                    }));
                }
            }
            edges.push(row);
        }
        Graph { states, edges }
    }

    /// The states from which a run stays among some for ever, or ends there.
    fn lingers(&self, among: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut set: Vec<bool> = (0..self.states.len()).map(among).collect();
        loop {
            let stays =
                |at: &usize| set[*at] && (self.edges[*at].is_empty() || self.goes_on(*at, &set));
            let next: Vec<bool> = (0..set.len()).map(|at| stays(&at)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn goes_on(&self, at: usize, set: &[bool]) -> bool {
        self.edges[at].iter().any(|&next| set[next])
    }

    /// Whether a run is at a state for ever again: the state ends runs, or leads to itself.
    fn comes_back(&self, at: usize) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut waiting = self.edges[at].clone();
        while let Some(next) = waiting.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                waiting.extend(&self.edges[next]);
            }
        }
        seen[at] || self.edges[at].is_empty()
    }
}
