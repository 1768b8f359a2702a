//! Random systems with members that are alike.
#![allow(dead_code)]

use proptest::prelude::*;
use quotient_compose::operations::complete;
use quotient_compose::{Action, Actions, ERROR, Lts, LtsBuilder, Network, System};
use quotient_core::Budget;

use super::support::*;

/// What each member calls its own actions, after which comes one that all do together.
const ROLES: usize = 3;

/// Members that are alike, and components that treat them alike.
#[derive(Debug, Clone)]
pub(crate) struct Club {
    members: usize,
    member: Plan,
    /// A second component of each member.
    tool: Option<Plan>,
    /// Components to which it does not matter who acts.
    anonymous: Vec<Plan>,
    pointer: Option<Pointer>,
    property: Option<Plan>,
    /// Where in the order of names and components each one comes.
    names: Vec<usize>,
    places: Vec<usize>,
    /// An edge of the last member that is left out, so that it is like no other.
    pub(crate) missing: Option<usize>,
}

/// A component that remembers one member. The states are those in which it remembers nobody,
/// and then, for each member, those in which it remembers that one.
#[derive(Debug, Clone)]
struct Pointer {
    plain: u32,
    /// Source, role, target; a source or target beyond the plain ones has somebody in mind: who
    /// acts, or else (for edges that are not its own) who was in mind before.
    edges: Vec<(u32, usize, u32, bool)>,
}

pub(crate) fn clubs(error: bool) -> impl Strategy<Value = Club> {
    let shape = Shape {
        states: 3,
        letters: ROLES + 1,
        silent: true,
        error,
        end: true,
    };
    let quiet = Shape {
        error: false,
        ..shape
    };
    let pointer = (1..3u32).prop_flat_map(|plain| {
        let edge = (0..plain + 2, 0..ROLES, 0..plain + 2, any::<bool>());
        let edges = proptest::collection::vec(edge, 1..8);
        edges.prop_map(move |edges| Pointer { plain, edges })
    });
    let order = |count: usize| Just((0..count).collect::<Vec<_>>()).prop_shuffle();
    (
        (
            2..5usize,
            plans(shape),
            proptest::option::weighted(0.3, plans(quiet)),
        ),
        proptest::collection::vec(plans(quiet), 0..2),
        proptest::option::of(pointer),
        proptest::option::of(specifications(2, ROLES)),
        (
            order(20),
            order(20),
            proptest::option::weighted(0.2, 0..6usize),
        ),
    )
        .prop_map(
            |((members, member, tool), anonymous, pointer, property, rest)| Club {
                members,
                member,
                tool,
                anonymous,
                pointer,
                property,
                names: rest.0,
                places: rest.1,
                missing: rest.2,
            },
        )
}

impl Club {
    pub(crate) fn network(&self) -> Network {
        Network::new(&self.system(), &Budget::unlimited()).unwrap()
    }

    pub(crate) fn system(&self) -> System {
        let mut actions = Actions::new();
        let names: Vec<Action> = (0..20)
            .map(|at| actions.intern(&format!("a{at:02}")))
            .collect();
        let own = |member: usize, role: usize| names[self.names[member * ROLES + role]];
        let common = names[self.names[self.members * ROLES]];
        let mut parts: Vec<Lts> = Vec::new();
        for member in 0..self.members {
            let mut letters: Vec<Action> = (0..ROLES).map(|role| own(member, role)).collect();
            letters.push(common);
            let mut plan = self.member.clone();
            if let Some(missing) = self.missing.filter(|_| member + 1 == self.members)
                && missing < plan.edges.len()
            {
                plan.edges.remove(missing);
            }
            parts.push(plan.lts(&letters));
            parts.extend(self.tool.iter().map(|tool| tool.lts(&letters)));
        }
        for plan in &self.anonymous {
            parts.push(self.repeated(plan, &own, common));
        }
        if let Some(property) = &self.property {
            parts.push(complete(&self.repeated(property, &own, common)));
        }
        parts.extend(
            self.pointer
                .iter()
                .map(|pointer| self.pointing(pointer, &own)),
        );
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&at| self.places[at]);
        let parts: Vec<Lts> = order.into_iter().map(|at| parts[at].clone()).collect();
        side_by_side(&actions, &parts)
    }

    /// A plan over roles, taken by whoever acts.
    fn repeated(&self, plan: &Plan, own: &impl Fn(usize, usize) -> Action, common: Action) -> Lts {
        let mut builder = LtsBuilder::new();
        builder.at_least(plan.states as usize);
        for &(from, letter, to) in &plan.edges {
            let to = match to >= plan.states {
                true => ERROR,
                false => to.into(),
            };
            match letter {
                0 => drop(builder.edge(from, Action::TAU, to)),
                letter if letter == ROLES + 1 => drop(builder.edge(from, common, to)),
                letter => (0..self.members).for_each(|member| {
                    builder.edge(from, own(member, letter - 1), to);
                }),
            }
        }
        if let Some(end) = plan.end {
            builder.end(end);
        }
        builder.build()
    }

    fn pointing(&self, pointer: &Pointer, own: &impl Fn(usize, usize) -> Action) -> Lts {
        let members = self.members as u32;
        let place = |state: u32, who: u32| match state.checked_sub(pointer.plain) {
            None => state,
            Some(kind) => pointer.plain + kind * members + who,
        };
        let mut builder = LtsBuilder::new();
        let last = place(pointer.plain + 1, members - 1);
        builder.at_least(last as usize + 1);
        for &(from, role, to, is_own) in &pointer.edges {
            let acting = (0..members).flat_map(|who| (0..members).map(move |actor| (who, actor)));
            for (who, actor) in acting {
                if from < pointer.plain || is_own == (who == actor) {
                    let kept = if from < pointer.plain || is_own {
                        actor
                    } else {
                        who
                    };
                    let event = own(actor as usize, role);
                    builder.edge(place(from, who), event, place(to, kept));
                }
            }
        }
        builder.build()
    }
}
