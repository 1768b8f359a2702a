//! The strategy behind a number of a decision process: as a table, and as the chain that is left.

use quotient_bits::Bits;
use quotient_language::Exhibit;
use quotient_markov::{ActionId, Builder, ChoiceId, Kind, Markov, StateId, drn};
use quotient_probability::{Built, Values};

use crate::check::Run;
use crate::instance::Instance;

/// What a strategy chooses in the states that it comes to, and the chain of these states. With
/// the chain alone the same question can be asked again: `quotient check strategy.drn`.
pub(crate) fn strategy(run: &Run<'_>, values: &Values) -> Option<Exhibit> {
    let (instance, built) = (run.instance, run.built);
    let model = &built.model;
    if model.kind != Kind::Mdp || values.chosen.len() != model.states() {
        return None;
    }
    let reached = reached(model, &values.chosen);
    let mut table = instance
        .variables
        .iter()
        .map(|variable| variable.name.clone())
        .collect::<Vec<_>>()
        .join(",");
    table.push_str(",choice,action\n");
    for &state in &reached {
        let cells = built.states.values(state);
        let cells = instance.variables.iter().zip(cells);
        for (variable, value) in cells {
            table.push_str(&variable.text(value));
            table.push(',');
        }
        let choice = values.chosen[state];
        let action = model.action(choice).unwrap_or_default();
        let number = choice.number() - model.rows[state];
        table.push_str(&format!("{number},{action}\n"));
    }
    Some(Exhibit {
        name: "strategy".to_owned(),
        caption: format!("strategy for {} states", reached.len()),
        picture: None,
        files: vec![
            ("csv".to_owned(), table),
            ("drn".to_owned(), chain(instance, built, values, &reached)),
        ],
    })
}

/// The states that a strategy comes to, initial ones first.
fn reached(model: &Markov, chosen: &[ChoiceId]) -> Vec<usize> {
    let mut seen = Bits::with_capacity(model.states());
    let mut found: Vec<usize> = Vec::new();
    for &state in &model.initial {
        if !seen.put(state.index()) {
            found.push(state.index());
        }
    }
    let mut at = 0;
    while at < found.len() {
        let choice = chosen[found[at]];
        at += 1;
        for &target in &model.targets[model.branches_of(choice)] {
            if !seen.put(target.index()) {
                found.push(target.index());
            }
        }
    }
    found
}

/// The chain that is left, with the labels of the model.
fn chain(instance: &Instance, built: &Built, values: &Values, reached: &[usize]) -> String {
    let model = &built.model;
    let mut number = vec![0u32; model.states()];
    for (place, &state) in reached.iter().enumerate() {
        number[state] = place as u32;
    }
    let mut builder = Builder::new(Kind::Dtmc);
    for &state in reached {
        let choice = values.chosen[state];
        builder.choice(ActionId::NONE);
        for branch in model.branches_of(choice) {
            builder.branch(
                StateId::new(number[model.targets[branch].index()]),
                model.weights[branch],
            );
        }
        builder.end_state();
    }
    let initial = model.initial.iter().map(|state| number[state.index()]);
    let chain = builder.finish(initial);
    let labels = instance.labels.iter().filter_map(|(name, term, _)| {
        // A label without a value somewhere is left out: nobody can ask for it, anyway.
        let holds = built.holds(&term.lower(&instance.variables)).ok()?;
        let kept = reached.iter().map(|&state| holds.contains(state));
        let places = kept.enumerate().filter(|(_, kept)| *kept);
        Some((name.clone(), places.map(|(place, _)| place).collect()))
    });
    let labels: Vec<(String, Bits)> = labels.collect();
    drn::write(&chain, &labels, &[])
}
