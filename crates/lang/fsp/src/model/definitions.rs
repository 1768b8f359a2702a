//! What a text defines, by name.

use super::Model;
use crate::syntax::{AssertionKind, Definition, Name};

impl Model {
    /// The composites, in order.
    pub fn composites(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Composite(composite) => Some(&composite.name),
            _ => None,
        })
    }

    /// The primitive processes, in order; imported ones too.
    pub fn processes(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Process(process) => Some(&process.name),
            Definition::Import(name, _) => Some(name),
            _ => None,
        })
    }

    /// The assertions, in order.
    pub fn assertions(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Assertion(assertion) => Some(&assertion.name),
            _ => None,
        })
    }

    pub(super) fn constraints(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Assertion(assertion) if assertion.kind == AssertionKind::Constraint => {
                Some(&assertion.name)
            }
            _ => None,
        })
    }

    /// The progress properties, in order.
    pub fn progress_properties(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Progress(progress) => Some(&progress.name),
            _ => None,
        })
    }

    /// The fluents, in order.
    pub fn fluents(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Fluent(fluent) => Some(&fluent.name),
            _ => None,
        })
    }

    /// The menus, in order.
    pub fn menus(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Menu(name, _) => Some(name),
            _ => None,
        })
    }

    /// The constants, in order.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Constant(name, _) => Some(name),
            _ => None,
        })
    }

    /// Whether a process or composite is declared a property.
    pub fn is_property(&self, name: &str) -> bool {
        let definitions = self.specification.definitions.iter();
        definitions.into_iter().any(|definition| match definition {
            Definition::Process(process) => process.property && process.name.text == name,
            Definition::Composite(composite) => composite.property && composite.name.text == name,
            _ => false,
        })
    }

    /// The files that the text imports; [`Options::imports`](crate::Options::imports) has to bring them.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        self.specification
            .definitions
            .iter()
            .filter_map(|definition| match definition {
                Definition::Import(_, file) => Some(file.as_str()),
                _ => None,
            })
    }

    fn names(&self, name: fn(&Definition) -> Option<&Name>) -> impl Iterator<Item = &str> {
        let names = self.specification.definitions.iter().filter_map(name);
        names.map(|name| name.text.as_str())
    }
}
