//! The actions that the components of a system share.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// An action, as a number that is dense in its [`Actions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(u32);

impl Action {
    /// The silent action: never shared, never in an alphabet, not part of a trace.
    pub const TAU: Action = Action(0);

    /// Whether this is [`Action::TAU`].
    pub fn is_tau(self) -> bool {
        self == Action::TAU
    }

    /// The number, to index a table with.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The action with this number in its table.
    ///
    /// # Panics
    /// If the number does not fit in 32 bits.
    #[inline]
    pub fn from_index(index: usize) -> Action {
        match u32::try_from(index) {
            Ok(number) => Action(number),
            Err(_) => panic!("a table has at most 2^32 actions"),
        }
    }
}

/// The names of actions, each stored once. All components of a system use one table, so that
/// two components share an action exactly when they use the same number for it.
///
/// ```
/// use quotient_lts::{Action, Actions};
/// let mut actions = Actions::new();
/// let grant = actions.intern("client.1.grant");
/// assert_eq!(actions.intern("client.1.grant"), grant);
/// assert_eq!(actions.name(grant), "client.1.grant");
/// assert_eq!(actions.intern("tau"), Action::TAU);
/// ```
#[derive(Debug, Clone)]
pub struct Actions {
    names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Action>,
}

impl Actions {
    /// A table with nothing but the silent action, `tau`.
    pub fn new() -> Actions {
        let mut actions = Actions {
            names: Vec::new(),
            numbers: FxHashMap::default(),
        };
        actions.intern("tau");
        actions
    }

    /// The action of this name, added if it is new.
    pub fn intern(&mut self, name: &str) -> Action {
        if let Some(&action) = self.numbers.get(name) {
            return action;
        }
        let action = Action::from_index(self.names.len());
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, action);
        action
    }

    /// The action of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<Action> {
        self.numbers.get(name).copied()
    }

    /// The name of an action of this table.
    pub fn name(&self, action: Action) -> &str {
        &self.names[action.index()]
    }

    /// How many actions there are, the silent one included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always false: the silent action is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All actions but the silent one, in the order of interning.
    pub fn visible(&self) -> impl Iterator<Item = Action> + use<> {
        (1..self.names.len()).map(Action::from_index)
    }
}

impl Default for Actions {
    fn default() -> Self {
        Actions::new()
    }
}
