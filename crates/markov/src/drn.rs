//! The explicit format of Storm.

use crate::{ChoiceId, StateId};
use std::fmt::Write;

use quotient_bits::Bits;

use crate::{Kind, Markov, Rewards};

/// Writes a model with its labels and rewards.
///
/// ```
/// use quotient_markov::{Builder, Kind, drn};
/// let mut builder = Builder::new(Kind::Dtmc);
/// builder.end_state();
/// let text = drn::write(&builder.finish(vec![0]), &[], &[]);
/// assert!(text.contains("@type: DTMC") && text.contains("state 0 init deadlock"));
/// ```
pub fn write(model: &Markov, labels: &[(String, Bits)], rewards: &[(String, &Rewards)]) -> String {
    let kind = match model.kind {
        Kind::Dtmc => "DTMC",
        Kind::Ctmc => "CTMC",
        Kind::Mdp if !model.exits.is_empty() => "MA",
        Kind::Mdp => "MDP",
    };
    let names: Vec<&str> = rewards.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = format!(
        "@type: {kind}\n@parameters\n\n@reward_models\n{}\n@nr_states\n{}\n@nr_choices\n{}\n@model\n",
        names.join(" "),
        model.states(),
        model.choices()
    );
    let mut initial = Bits::with_capacity(model.states());
    initial.extend(model.initial.iter().map(|&state| state.index()));
    for state in 0..model.states() {
        let _ = write!(text, "state {state}");
        if model.kind == Kind::Ctmc {
            let _ = write!(text, " !{}", model.sum(ChoiceId::new(model.rows[state])));
        }
        let exit = model.exits.get(state).copied();
        if let Some(exit) = exit {
            let _ = write!(text, " !{exit}");
        }
        if !rewards.is_empty() {
            let all = rewards
                .iter()
                .map(|(_, one)| one.states.get(state).copied());
            // What a state of a Markov automaton earns is kept for as long as it lasts.
            let per = exit.unwrap_or(1.0);
            let all = all.map(|one| (one.unwrap_or(0.0) * per).to_string());
            let _ = write!(text, " [{}]", all.collect::<Vec<_>>().join(", "));
        }
        if initial.contains(state) {
            text.push_str(" init");
        }
        if model.deadlocks.contains(state) {
            text.push_str(" deadlock");
        }
        for (name, set) in labels {
            if set.contains(state) {
                let _ = write!(text, " {name}");
            }
        }
        text.push('\n');
        for (number, choice) in model.choices_of(StateId::from_index(state)).enumerate() {
            let name = match (model.kind, model.action(choice)) {
                (Kind::Mdp, Some(action)) => action.to_owned(),
                (Kind::Mdp, None) => "__NOLABEL__".to_owned(),
                _ => number.to_string(),
            };
            let _ = write!(text, "\taction {name}");
            if !rewards.is_empty() {
                // What a continuous chain earns by steps is kept per unit of time.
                let per = match model.kind {
                    Kind::Ctmc => model.sum(choice),
                    _ => 1.0,
                };
                let all = rewards
                    .iter()
                    .map(|(_, one)| one.choices.get(choice.index()).copied());
                let all: Vec<String> = all
                    .map(|one| (one.unwrap_or(0.0) / per).to_string())
                    .collect();
                let _ = write!(text, " [{}]", all.join(", "));
            }
            text.push('\n');
            for branch in model.branches_of(choice) {
                let (target, weight) = (model.targets[branch], model.weights[branch]);
                let _ = writeln!(text, "\t\t{target} : {weight}");
            }
        }
    }
    text
}
