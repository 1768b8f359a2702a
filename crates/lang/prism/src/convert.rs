//! A model in other formats.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_language::Written;
use quotient_language::text::count;
use quotient_markov::{drn, explicit};
use quotient_probability::Built;

use crate::instance::Instance;
use crate::misbuilt::undefined;

/// Writes a model that was built.
pub(crate) fn convert(instance: &Instance, built: &Built, to: &str) -> Result<Written, Trouble> {
    let model = &built.model;
    let mut labels: Vec<(String, Bits)> = Vec::new();
    for (name, term, span) in &instance.labels {
        let holds = built.holds(&term.lower(&instance.variables));
        let holds = holds.map_err(|none| undefined(instance, &instance.source, *span, &none))?;
        labels.push((name.clone(), holds));
    }
    let rewards: Vec<(String, &quotient_markov::Rewards)> = instance
        .rewards
        .iter()
        .zip(&built.rewards)
        .enumerate()
        .map(|(number, (structure, rewards))| {
            let name = structure.name.clone();
            (
                name.unwrap_or_else(|| format!("rewards{}", number + 1)),
                rewards,
            )
        })
        .collect();
    let sizes = format!(
        "{}, {}, {}",
        count(model.states(), "state"),
        count(model.choices(), "choice"),
        match model.branches() {
            1 => "1 branch".to_owned(),
            many => format!("{many} branches"),
        }
    );
    match to {
        "explicit" if instance.markovian => Err(Trouble::usage(
            "explicit files have no Markov automata; `--to drn` has",
        )),
        "explicit" => {
            let names = instance.variables.iter().map(|one| one.name.as_str());
            let names: Vec<&str> = names.collect();
            let row = |state: usize| {
                let values = built.states.values(state);
                let cells = instance.variables.iter().zip(values);
                cells
                    .map(|(one, value)| one.text(value))
                    .collect::<Vec<_>>()
            };
            let mut companions = vec![
                (
                    "*.sta".to_owned(),
                    explicit::states(&names, model.states(), row),
                ),
                ("*.lab".to_owned(), explicit::labels(model, &labels)),
            ];
            for (number, (structure, (_, rewards))) in
                instance.rewards.iter().zip(&rewards).enumerate()
            {
                let name = structure.name.as_deref();
                let which = match instance.rewards.len() {
                    1 => String::new(),
                    _ => format!("{}", number + 1),
                };
                companions.push((
                    format!("*{which}.srew"),
                    title(name, "State") + &explicit::state_rewards(model, rewards),
                ));
                if !rewards.choices.is_empty() {
                    let text = title(name, "Transition") + &explicit::step_rewards(model, rewards);
                    companions.push((format!("*{which}.trew"), text));
                }
            }
            Ok(Written {
                text: explicit::transitions(model),
                companions,
                line: format!("explicit files: {sizes}"),
                ..Written::default()
            })
        }
        "drn" => Ok(Written {
            text: drn::write(model, &labels, &rewards),
            line: format!("DRN: {sizes}"),
            ..Written::default()
        }),
        other => Err(Trouble::usage(format!(
            "a PRISM model cannot be written as `{other}`; it can as explicit, drn and jani"
        ))),
    }
}

/// The name of rewards and what they are earned by, in comments as PRISM writes them.
fn title(name: Option<&str>, what: &str) -> String {
    let name = name.map_or(String::new(), |name| format!(" \"{name}\""));
    format!("# Reward structure{name}\n# {what} rewards\n")
}
