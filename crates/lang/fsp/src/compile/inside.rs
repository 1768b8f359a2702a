//! Names for what is inside of composites that hide something.
//!
//! A composite of which something is hidden is an expression of its own, and is shared by all
//! who use it: its components are called the same in each. Reports have to tell them apart.

use quotient_lts::{NodeId, Operation, System};

/// The same expression with components that are called by the way to them, as in `a:CELL.LOCK`.
/// What is multiplied out stays one component with the name that it has.
pub(crate) fn named_inside(system: &mut System, root: NodeId) -> NodeId {
    inside(system, root, "", true)
}

fn inside(system: &mut System, node: NodeId, around: &str, outermost: bool) -> NodeId {
    let operation = system.node(node).operation.clone();
    let copied = match &operation {
        Operation::Process { name, lts, states } if !around.is_empty() => {
            return system.process_with_states(
                format!("{around}.{name}"),
                lts.clone(),
                states.clone(),
            );
        }
        Operation::Parallel(parts) => {
            let named: Vec<NodeId> = parts
                .iter()
                .map(|&part| {
                    let around = around_part(system, part, around);
                    inside(system, part, &around, false)
                })
                .collect();
            (named != *parts).then(|| system.parallel(named))
        }
        Operation::Relabel(body, pairs) => other(system, *body, around, outermost)
            .map(|body| system.relabel(body, pairs.iter().copied())),
        Operation::Hide(body, actions) => other(system, *body, around, outermost)
            .map(|body| system.hide(body, actions.iter().copied())),
        Operation::Interface(body, actions) => other(system, *body, around, outermost)
            .map(|body| system.interface(body, actions.iter().copied())),
        // Inside, what has priorities is multiplied out.
        Operation::High(body, actions) if outermost => other(system, *body, around, true)
            .map(|body| system.high(body, actions.iter().copied())),
        Operation::Low(body, actions) if outermost => {
            other(system, *body, around, true).map(|body| system.low(body, actions.iter().copied()))
        }
        _ => None,
    };
    let Some(copied) = copied else {
        return node;
    };
    if let Some(name) = system.node(node).name.clone() {
        system.set_name(copied, name);
    }
    copied
}

/// The body with other names, if they are others.
fn other(system: &mut System, body: NodeId, around: &str, outermost: bool) -> Option<NodeId> {
    let named = inside(system, body, around, outermost);
    (named != body).then_some(named)
}

/// What stands around the components of a part: its own name too, unless it is one itself.
fn around_part(system: &System, part: NodeId, around: &str) -> String {
    let part = system.node(part);
    match (&part.operation, &part.name) {
        (Operation::Process { .. }, _) | (_, None) => around.to_owned(),
        (_, Some(name)) if around.is_empty() => name.to_string(),
        (_, Some(name)) => format!("{around}.{name}"),
    }
}
