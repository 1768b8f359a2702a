//! How modules are put together: which commands happen with which.

use std::collections::BTreeSet;

use quotient_core::Diagnostic;
use quotient_markov::Kind;

use super::{Event, Instance};
use crate::syntax::{CommandTree, System};

/// Actions of modules that happen together: a name (empty if it has none) and who takes part.
#[derive(Debug, Clone)]
struct Joint {
    action: String,
    parts: Vec<(usize, String)>,
}

/// What a part of a system can do, and the actions that it knows.
#[derive(Default)]
struct Composed {
    joints: Vec<Joint>,
    alphabet: BTreeSet<String>,
    modules: Vec<usize>,
    /// Whether there are more joint actions than can be listed.
    too_many: bool,
}

/// More joint actions than this are a mistake in the making.
const MOST_JOINTS: usize = 1_000_000;

/// The events of an instance, the names of actions, and what is wrong.
pub(super) fn events(
    instance: &Instance,
    system: Option<&System>,
) -> (Vec<Event>, Vec<String>, Vec<Diagnostic>) {
    let mut mistakes = Vec::new();
    let composed = match system {
        Some(system) => {
            let composed = compose(instance, system, &mut mistakes);
            let mut used = composed.modules.clone();
            used.sort_unstable();
            for pair in used.windows(2) {
                if pair[0] == pair[1] {
                    let (name, span) = &instance.modules[pair[0]];
                    let message = format!("the module `{name}` is used twice in the system");
                    mistakes.push(Diagnostic::error("twice", message).at(
                        &instance.source,
                        *span,
                        "",
                    ));
                }
            }
            for (number, (name, span)) in instance.modules.iter().enumerate() {
                let whole = matches!(system, System::Vectors(_));
                if !whole && !used.contains(&number) && mistakes.is_empty() {
                    let message = format!("the module `{name}` is not used in the system");
                    mistakes.push(Diagnostic::error("unused", message).at(
                        &instance.source,
                        *span,
                        "",
                    ));
                }
            }
            composed
        }
        None => {
            let all = (0..instance.modules.len()).map(|number| of_module(instance, number));
            all.reduce(full).unwrap_or_default()
        }
    };
    if composed.too_many {
        let message = format!("the modules have more than {MOST_JOINTS} joint actions");
        let error = Diagnostic::error("too-large", message);
        mistakes.push(match instance.modules.first() {
            Some((_, span)) => error.at(&instance.source, *span, ""),
            None => error,
        });
        return (Vec::new(), Vec::new(), mistakes);
    }
    let mut actions: Vec<String> = Vec::new();
    for command in &instance.commands {
        if !command.action.is_empty() && !actions.contains(&command.action) {
            actions.push(command.action.clone());
        }
    }
    for joint in &composed.joints {
        if !joint.action.is_empty() && !actions.contains(&joint.action) {
            actions.push(joint.action.clone());
        }
    }
    let commands_of = |module: usize, action: &str| -> Vec<u32> {
        let all = instance.commands.iter().enumerate();
        all.filter(|(_, command)| command.module == module && command.action == action)
            .map(|(number, _)| number as u32)
            .collect()
    };
    let events = composed.joints.iter().map(|joint| Event {
        action: match joint.action.is_empty() {
            true => 0,
            false => {
                let at = actions.iter().position(|one| *one == joint.action);
                at.unwrap_or(0) as u32 + 1
            }
        },
        parts: joint
            .parts
            .iter()
            .map(|(module, action)| commands_of(*module, action))
            .collect(),
    });
    (events.collect(), actions, mistakes)
}

impl Instance {
    /// Whether a command takes time in a Markov automaton. In a chain with rates all do, and
    /// some write it.
    pub(super) fn is_rated(&self, command: &CommandTree, mistakes: &mut Vec<Diagnostic>) -> bool {
        if command.rated && !self.markovian && self.kind != Kind::Ctmc {
            let error = Diagnostic::error("rate", "`<>` is for models of kind `ma` or `ctmc`");
            mistakes.push(error.at(&self.source, command.span, ""));
        }
        command.rated && self.markovian
    }

    /// Commands with rates happen alone in a Markov automaton.
    pub(super) fn rates_alone(&self, mistakes: &mut Vec<Diagnostic>) {
        let together = self.events.iter().filter(|event| event.parts.len() > 1);
        for &command in together.flat_map(|event| &event.parts).flatten() {
            let command = &self.commands[command as usize];
            if command.rated {
                let message =
                    "what has a rate cannot synchronise with others in a Markov automaton";
                let error = Diagnostic::error("not-supported", message);
                mistakes.push(error.at(&self.source, command.span, ""));
                return;
            }
        }
    }
}

fn compose(instance: &Instance, system: &System, mistakes: &mut Vec<Diagnostic>) -> Composed {
    match system {
        System::Module(name, span) => {
            match instance.modules.iter().position(|(one, _)| one == name) {
                Some(number) => of_module(instance, number),
                None => {
                    let message = format!("there is no module `{name}`");
                    let known = instance.modules.iter().map(|(name, _)| name.as_str());
                    mistakes.push(
                        Diagnostic::error("undeclared", message)
                            .at(&instance.source, *span, "")
                            .did_you_mean(name, known),
                    );
                    Composed::default()
                }
            }
        }
        System::Full(left, right) => full(
            compose(instance, left, mistakes),
            compose(instance, right, mistakes),
        ),
        System::On(left, actions, right) => on(
            compose(instance, left, mistakes),
            &actions.iter().cloned().collect(),
            compose(instance, right, mistakes),
        ),
        System::Hide(of, actions) => {
            let mut composed = compose(instance, of, mistakes);
            for joint in &mut composed.joints {
                if actions.contains(&joint.action) {
                    joint.action.clear();
                }
            }
            composed.alphabet.retain(|action| !actions.contains(action));
            composed
        }
        System::Vectors(vectors) => {
            let mut joints = Vec::new();
            for number in 0..instance.modules.len() {
                let alone = of_module(instance, number).joints.into_iter();
                joints.extend(alone.filter(|joint| joint.action.is_empty()));
            }
            joints.extend(vectors.iter().map(|vector| Joint {
                action: vector.result.clone(),
                parts: vector.parts.clone(),
            }));
            Composed {
                joints,
                ..Composed::default()
            }
        }
        System::Rename(of, pairs) => {
            let mut composed = compose(instance, of, mistakes);
            let renamed = |action: &String| {
                let pair = pairs.iter().find(|(old, _)| old == action);
                pair.map_or(action, |(_, new)| new).clone()
            };
            for joint in &mut composed.joints {
                joint.action = renamed(&joint.action);
            }
            composed.alphabet = composed.alphabet.iter().map(renamed).collect();
            composed
        }
    }
}

fn of_module(instance: &Instance, number: usize) -> Composed {
    let commands = instance.commands.iter();
    let of_module = commands.filter(|command| command.module == number);
    let used: BTreeSet<String> = of_module.map(|command| command.action.clone()).collect();
    let joint = |action: &String| Joint {
        action: action.clone(),
        parts: vec![(number, action.clone())],
    };
    Composed {
        joints: used.iter().map(joint).collect(),
        alphabet: used
            .into_iter()
            .filter(|action| !action.is_empty())
            .collect(),
        modules: vec![number],
        too_many: false,
    }
}

/// Both, together on all actions that both know.
fn full(left: Composed, right: Composed) -> Composed {
    let shared = left
        .alphabet
        .intersection(&right.alphabet)
        .cloned()
        .collect();
    on(left, &shared, right)
}

/// Both, together on these actions.
fn on(left: Composed, shared: &BTreeSet<String>, right: Composed) -> Composed {
    let mut too_many = left.too_many || right.too_many;
    let mut joints = Vec::new();
    let alone = |joint: &&Joint| !shared.contains(&joint.action);
    joints.extend(left.joints.iter().filter(alone).cloned());
    joints.extend(right.joints.iter().filter(alone).cloned());
    'all: for one in left
        .joints
        .iter()
        .filter(|joint| shared.contains(&joint.action))
    {
        for other in right
            .joints
            .iter()
            .filter(|joint| joint.action == one.action)
        {
            if joints.len() >= MOST_JOINTS {
                too_many = true;
                break 'all;
            }
            let parts = one.parts.iter().chain(&other.parts).cloned().collect();
            let action = one.action.clone();
            joints.push(Joint { action, parts });
        }
    }
    let mut modules = left.modules;
    modules.extend(right.modules);
    Composed {
        joints,
        alphabet: left.alphabet.union(&right.alphabet).cloned().collect(),
        modules,
        too_many,
    }
}
