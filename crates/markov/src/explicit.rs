//! The explicit files of PRISM: transitions (`.tra`), states (`.sta`), labels (`.lab`), and
//! rewards of states (`.srew`) and steps (`.trew`).

use crate::{ChoiceId, StateId};
use std::fmt::Write;

use quotient_bits::Bits;

use crate::{Kind, Markov, Rewards};

/// The transitions: `source target weight` a line for chains, `source choice target weight` and
/// the action for decision processes.
pub fn transitions(model: &Markov) -> String {
    // Rates that all add up to one would be read as probabilities.
    let adds_up = |choice: usize| (model.sum(ChoiceId::from_index(choice)) - 1.0).abs() < 1e-6;
    let said = match model.kind {
        Kind::Ctmc if (0..model.choices()).all(adds_up) => "# Transitions (CTMC)\n",
        _ => "",
    };
    let mut text = match model.kind {
        Kind::Mdp => format!(
            "{} {} {}\n",
            model.states(),
            model.choices(),
            model.branches()
        ),
        _ => format!("{} {}\n", model.states(), model.branches()),
    };
    text.insert_str(0, said);
    for state in 0..model.states() {
        for (number, choice) in model.choices_of(StateId::from_index(state)).enumerate() {
            for branch in model.branches_of(choice) {
                let (target, weight) = (model.targets[branch], model.weights[branch]);
                // Writing to a text cannot fail.
                let _ = match model.kind {
                    Kind::Mdp => write!(text, "{state} {number} {target} {weight}"),
                    _ => write!(text, "{state} {target} {weight}"),
                };
                if let (Kind::Mdp, Some(action)) = (model.kind, model.action(choice)) {
                    let _ = write!(text, " {action}");
                }
                text.push('\n');
            }
        }
    }
    text
}

/// The states: the names of variables, then `number:(values)` a line.
pub fn states(names: &[&str], states: usize, row: impl Fn(usize) -> Vec<String>) -> String {
    let mut text = format!("({})\n", names.join(","));
    for state in 0..states {
        let _ = writeln!(text, "{state}:({})", row(state).join(","));
    }
    text
}

/// The labels: their names with numbers, then for each state that has some the numbers.
pub fn labels(model: &Markov, labels: &[(String, Bits)]) -> String {
    let mut initial = Bits::with_capacity(model.states());
    initial.extend(model.initial.iter().map(|&state| state.index()));
    let mut all: Vec<(&str, &Bits)> = vec![("init", &initial), ("deadlock", &model.deadlocks)];
    all.extend(labels.iter().map(|(name, set)| (name.as_str(), set)));
    let heads: Vec<String> = all
        .iter()
        .enumerate()
        .map(|(number, (name, _))| format!("{number}=\"{name}\""))
        .collect();
    let mut text = format!("{}\n", heads.join(" "));
    for state in 0..model.states() {
        let holding: Vec<String> = all
            .iter()
            .enumerate()
            .filter(|(_, (_, set))| set.contains(state))
            .map(|(number, _)| number.to_string())
            .collect();
        if !holding.is_empty() {
            let _ = writeln!(text, "{state}: {}", holding.join(" "));
        }
    }
    text
}

/// What states earn.
pub fn state_rewards(model: &Markov, rewards: &Rewards) -> String {
    let earning = |&state: &usize| rewards.states.get(state).is_some_and(|&one| one != 0.0);
    let all: Vec<usize> = (0..model.states()).filter(earning).collect();
    let mut text = format!("{} {}\n", model.states(), all.len());
    for state in all {
        let _ = writeln!(text, "{state} {}", rewards.states[state]);
    }
    text
}

/// What steps earn, on average over the branches of a choice.
pub fn step_rewards(model: &Markov, rewards: &Rewards) -> String {
    let mut lines = String::new();
    let mut many = 0;
    for state in 0..model.states() {
        for (number, choice) in model.choices_of(StateId::from_index(state)).enumerate() {
            let earned = rewards.choices.get(choice.index()).copied().unwrap_or(0.0);
            // What a continuous chain earns by steps is kept per unit of time.
            let earned = match model.kind {
                Kind::Ctmc => earned / model.sum(choice),
                _ => earned,
            };
            if earned == 0.0 {
                continue;
            }
            for &target in &model.targets[model.branches_of(choice)] {
                many += 1;
                let _ = match model.kind {
                    Kind::Mdp => writeln!(lines, "{state} {number} {target} {earned}"),
                    _ => writeln!(lines, "{state} {target} {earned}"),
                };
            }
        }
    }
    let head = match model.kind {
        Kind::Mdp => format!("{} {} {many}\n", model.states(), model.choices()),
        _ => format!("{} {many}\n", model.states()),
    };
    head + &lines
}
