//! What a composite is made of, shown and drawn.

use quotient_language::text::{count, wrap_indented};
use quotient_language::{Block, Graph, Json, Shown};
use quotient_lts::{Part, Tie, structure_picture};
use serde_json::json;

use crate::{Shared, Structure, write_labels};

/// The components and the actions that tie them together, as a picture.
pub(super) fn structure_drawn(name: &str, structure: &Structure) -> Graph {
    let alone = |number: usize| {
        let own = structure.shared.iter();
        let own = own.filter(move |shared| shared.components == [number]);
        own.flat_map(|shared| &shared.actions).map(String::as_str)
    };
    let members = structure.components.iter().enumerate();
    let parts: Vec<Part> = members
        .map(|(number, member)| Part {
            name: member.name.clone(),
            watches: member.watches,
            alone: write_labels(alone(number)),
        })
        .collect();
    let ties = structure.shared.iter();
    let ties = ties.filter(|shared| shared.components.len() > 1);
    let ties: Vec<Tie> = ties
        .map(|shared| Tie {
            parts: shared.components.clone(),
            actions: labels(&shared.actions),
        })
        .collect();
    structure_picture(name, &parts, &ties)
}

/// A set of labels without the outermost brackets.
fn labels(names: &[String]) -> String {
    let set = write_labels(names.iter().map(String::as_str));
    set[1..set.len() - 1].to_owned()
}

/// The components, and the actions that they share and do alone.
pub(super) fn structure_shown(name: &str, structure: &Structure) -> Shown {
    let number = count(structure.components.len(), "component");
    let mut shown = Shown::titled(format!("{name}: {number}"));
    let mut line = |text: String| {
        let text = wrap_indented(&text, 76, 4);
        shown.blocks.push(Block::Verbatim(format!("  {text}")));
    };
    for member in &structure.components {
        let watches = if member.watches { ", only watches" } else { "" };
        let states = count(member.states, "state");
        line(format!("{} ({states}{watches})", member.name));
    }
    let (own, shared): (Vec<&Shared>, Vec<&Shared>) = structure
        .shared
        .iter()
        .partition(|shared| shared.components.len() == 1);
    for (title, kind) in [("shared", shared), ("alone", own)] {
        for one in kind {
            let names: Vec<&str> = one
                .components
                .iter()
                .map(|&number| structure.components[number].name.as_str())
                .collect();
            let names = names.join(", ");
            line(format!("{title}: {} by {names}", labels(&one.actions)));
        }
    }
    shown
}

/// The same for programs.
pub(super) fn structure_json(name: &str, structure: &Structure) -> Json {
    let members = structure.components.iter().map(
        |member| json!({ "name": member.name, "states": member.states, "watches": member.watches }),
    );
    let shared = structure.shared.iter();
    let shared = shared.map(|one| json!({ "components": one.components, "actions": one.actions }));
    json!({
        "name": name,
        "components": members.collect::<Vec<_>>(),
        "shared": shared.collect::<Vec<_>>(),
    })
}
