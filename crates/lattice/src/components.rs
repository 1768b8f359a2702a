//! A truth value as a vector of Booleans.

use crate::Lattice;

quotient_bits::id! {
    /// A component of truth values: one of the [`Components`] of a lattice.
    pub Component, "a lattice has fewer than 2^32 components"
}

/// The join-irreducible elements of a lattice, and what negation does to them.
///
/// In a finite distributive lattice an element `x` is determined by the irreducibles `j`
/// below it (Birkhoff). Call `j <= x` the component `j` of `x`; then
/// * components of a meet are the conjunctions, of a join the disjunctions of components;
/// * the component `j` of a negation is the opposite of the component `negation(j)`.
///
/// So an engine that computes with sets of states computes with functions into the lattice,
/// one set for each component.
#[derive(Debug, Clone)]
pub struct Components<L: Lattice> {
    irreducibles: Vec<L::Element>,
    negation: Vec<Component>,
}

impl<L: Lattice> Components<L> {
    /// Looks at a lattice once.
    pub fn of(lattice: &L) -> Components<L> {
        let irreducibles = lattice.join_irreducibles();
        // `j <= not x` iff `x <= not j`, and not that iff `x` is above the least irreducible
        // that is not below `not j`.
        let negation = irreducibles
            .iter()
            .map(|component| {
                let dual = lattice.negate(component);
                let above: Vec<usize> = (0..irreducibles.len())
                    .filter(|&i| !lattice.less_or_equal(&irreducibles[i], &dual))
                    .collect();
                let least = above.iter().copied().find(|&i| {
                    let below =
                        |&j: &usize| lattice.less_or_equal(&irreducibles[i], &irreducibles[j]);
                    above.iter().all(below)
                });
                Component::from_index(least.unwrap_or(0))
            })
            .collect();
        Components {
            irreducibles,
            negation,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.irreducibles.len()
    }

    /// Whether there are none: the lattice has a single element.
    pub fn is_empty(&self) -> bool {
        self.irreducibles.is_empty()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Component> + use<L> {
        Component::all(self.irreducibles.len())
    }

    /// The element that a component asks about.
    pub fn irreducible(&self, component: Component) -> &L::Element {
        &self.irreducibles[component.index()]
    }

    /// The component whose opposite a negation has here; an involution.
    pub fn negation(&self, component: Component) -> Component {
        self.negation[component.index()]
    }

    /// A component of an element.
    pub fn component(&self, lattice: &L, component: Component, element: &L::Element) -> bool {
        lattice.less_or_equal(self.irreducible(component), element)
    }

    /// The element with the given components.
    pub fn element(&self, lattice: &L, components: impl IntoIterator<Item = bool>) -> L::Element {
        let mut element = lattice.bottom();
        for (irreducible, holds) in self.irreducibles.iter().zip(components) {
            if holds {
                element = lattice.join(&element, irreducible);
            }
        }
        element
    }
}
