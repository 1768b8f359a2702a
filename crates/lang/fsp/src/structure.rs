//! What a system is made of: components, and the actions that they share.

use std::collections::BTreeMap;

use quotient_compose::Network;
use quotient_core::{Budget, Stop};

use crate::Teller;

/// The components of a system and how they act together.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_fsp::{Model, Options, Structure};
///
/// let text = "A = (a -> b -> A). B = (b -> c -> B). ||S = (A || B).";
/// let model = Model::read(&Source::new("s.lts", text)).unwrap();
/// let budget = Budget::unlimited();
/// let compiled = model.compile(&Options::default(), &budget).unwrap();
/// let structure = Structure::of(&compiled.network(&budget).unwrap(), &budget).unwrap();
/// assert_eq!(structure.components[1].name, "B");
/// assert_eq!(structure.shared[1].components, [0, 1]);
/// assert_eq!(structure.shared[1].actions, ["b"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// The innermost components, in order.
    pub components: Vec<Member>,
    /// Actions with all who take part in them, one or several; by who they are.
    pub shared: Vec<Shared>,
}

/// A component of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name, without what all have around it.
    pub name: String,
    /// How many states it has.
    pub states: usize,
    /// Whether it only watches, as a property does.
    pub watches: bool,
}

/// Actions that the same components take part in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// The components, by number.
    pub components: Vec<usize>,
    /// The actions, by name.
    pub actions: Vec<String>,
}

impl Structure {
    /// Takes a network apart.
    pub fn of(network: &Network, budget: &Budget) -> Result<Structure, Stop> {
        let teller = Teller::new(network, budget)?;
        let mut takers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let members = teller.members();
        for number in 0..members.len() {
            budget.poll()?;
            for label in teller.alphabet(number) {
                let takers = takers.entry(label).or_default();
                if takers.last() != Some(&number) {
                    takers.push(number);
                }
            }
        }
        let mut shared: BTreeMap<Vec<usize>, Vec<String>> = BTreeMap::new();
        for (label, takers) in takers {
            shared.entry(takers).or_default().push(label.to_owned());
        }
        let shared = shared.into_iter();
        Ok(Structure {
            components: members,
            shared: shared
                .map(|(components, actions)| Shared {
                    components,
                    actions,
                })
                .collect(),
        })
    }
}
