//! Lattices given element by element.

use crate::Lattice;

quotient_bits::id! {
    /// An element of a [`Table`].
    pub Element, "a lattice has fewer than 2^32 elements"
}

/// A lattice given by its elements, their order and their negations.
///
/// ```
/// use quotient_lattice::{Lattice, Table};
/// // Two witnesses who may disagree: Belnap's four values.
/// let names = ["no", "neither", "both", "yes"];
/// let order = [(0, 1), (0, 2), (1, 3), (2, 3)];
/// let belnap = Table::new(names, &order, &[3, 1, 2, 0]).unwrap();
/// let (neither, both) = (belnap.named("neither").unwrap(), belnap.named("both").unwrap());
/// assert_eq!(belnap.name(belnap.join(&neither, &both)), "yes");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    names: Vec<String>,
    meets: Vec<Element>,
    joins: Vec<Element>,
    negations: Vec<Element>,
    bottom: Element,
    top: Element,
}

/// Why a table is no distributive lattice with a De Morgan negation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// There are no elements.
    #[error("a lattice has at least one element")]
    Empty,
    /// A number stands for no element.
    #[error("there is no element number {number}; the last is {last}")]
    NoSuchElement {
        /// The number.
        number: usize,
        /// The last one there is.
        last: usize,
    },
    /// There is not one negation for each element.
    #[error("{elements} elements need as many negations, but {negations} are given")]
    Negations {
        /// How many elements there are.
        elements: usize,
        /// How many negations were given.
        negations: usize,
    },
    /// The order has a cycle.
    #[error("`{0}` and `{1}` are each below the other")]
    Cycle(String, String),
    /// Two elements have no meet or no join.
    #[error("`{left}` and `{right}` have no {missing}")]
    NotALattice {
        /// One element.
        left: String,
        /// The other.
        right: String,
        /// What is missing: `meet` or `join`.
        missing: &'static str,
    },
    /// Meet does not distribute over join.
    #[error("not distributive: `{0}` and (`{1}` or `{2}`) is more than the two conjunctions")]
    NotDistributive(String, String, String),
    /// Negating twice gives another element.
    #[error("the negation of the negation of `{0}` is `{1}`")]
    NotInvolutive(String, String),
    /// Negation keeps the order of two elements.
    #[error("`{0}` is below `{1}`, but its negation is not above the other's")]
    NotReversing(String, String),
}

impl Table {
    /// Checks a table: the names of the elements, some pairs `(lower, upper)` from which all
    /// of the order follows, and the negation of each element.
    pub fn new(
        names: impl IntoIterator<Item = impl Into<String>>,
        order: &[(usize, usize)],
        negations: &[usize],
    ) -> Result<Table, TableError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let n = names.len();
        let last = n.checked_sub(1).ok_or(TableError::Empty)?;
        let mentioned = order.iter().flat_map(|&(lower, upper)| [lower, upper]);
        if let Some(number) = mentioned
            .chain(negations.iter().copied())
            .find(|&i| i > last)
        {
            return Err(TableError::NoSuchElement { number, last });
        }
        if negations.len() != n {
            return Err(TableError::Negations {
                elements: n,
                negations: negations.len(),
            });
        }
        let below = closure(n, order);
        let name = |element: usize| names[element].clone();
        for (a, b) in pairs(n) {
            if a != b && below[a * n + b] && below[b * n + a] {
                return Err(TableError::Cycle(name(a), name(b)));
            }
        }
        let is_below = |a: usize, b: usize| below[a * n + b];
        let mut meets = Vec::with_capacity(n * n);
        let mut joins = Vec::with_capacity(n * n);
        for (a, b) in pairs(n) {
            let missing = |missing| TableError::NotALattice {
                left: name(a),
                right: name(b),
                missing,
            };
            let lower = |x: &usize| is_below(*x, a) && is_below(*x, b);
            let greatest = (0..n)
                .filter(lower)
                .find(|&x| (0..n).filter(lower).all(|y| is_below(y, x)));
            meets.push(Element::from_index(
                greatest.ok_or_else(|| missing("meet"))?,
            ));
            let upper = |x: &usize| is_below(a, *x) && is_below(b, *x);
            let least = (0..n)
                .filter(upper)
                .find(|&x| (0..n).filter(upper).all(|y| is_below(x, y)));
            joins.push(Element::from_index(least.ok_or_else(|| missing("join"))?));
        }
        let table = Table {
            bottom: Element::all(n).fold(FIRST, |bottom, x| meets[place(n, bottom, x)]),
            top: Element::all(n).fold(FIRST, |top, x| joins[place(n, top, x)]),
            names,
            meets,
            joins,
            negations: negations.iter().copied().map(Element::from_index).collect(),
        };
        table.check_distributive()?;
        table.check_negation()?;
        Ok(table)
    }

    fn check_distributive(&self) -> Result<(), TableError> {
        let n = self.names.len();
        for (a, b) in self.pairs() {
            for c in Element::all(n) {
                let one = self.meet(&a, &self.join(&b, &c));
                let other = self.join(&self.meet(&a, &b), &self.meet(&a, &c));
                if one != other {
                    let [a, b, c] = [a, b, c].map(|x| self.name(x).to_owned());
                    return Err(TableError::NotDistributive(a, b, c));
                }
            }
        }
        Ok(())
    }

    fn check_negation(&self) -> Result<(), TableError> {
        let name = |element: Element| self.name(element).to_owned();
        for (a, b) in self.pairs() {
            let twice = self.negate(&self.negate(&a));
            if twice != a {
                return Err(TableError::NotInvolutive(name(a), name(twice)));
            }
            let (not_a, not_b) = (self.negate(&a), self.negate(&b));
            if self.less_or_equal(&a, &b) && !self.less_or_equal(&not_b, &not_a) {
                return Err(TableError::NotReversing(name(a), name(b)));
            }
        }
        Ok(())
    }

    /// The name of an element.
    pub fn name(&self, element: Element) -> &str {
        &self.names[element.index()]
    }

    /// The element with a name: the first, if several have it.
    pub fn named(&self, name: &str) -> Option<Element> {
        let place = self.names.iter().position(|known| known == name);
        place.map(Element::from_index)
    }

    fn pairs(&self) -> impl Iterator<Item = (Element, Element)> + use<> {
        let all = Element::all(self.names.len());
        all.clone()
            .flat_map(move |a| all.clone().map(move |b| (a, b)))
    }
}

/// There is always one.
const FIRST: Element = Element::new(0);

/// Where what two elements give stands.
fn place(n: usize, left: Element, right: Element) -> usize {
    left.index() * n + right.index()
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}

/// The smallest reflexive and transitive relation with these pairs (Warshall).
fn closure(n: usize, order: &[(usize, usize)]) -> Vec<bool> {
    let mut below = vec![false; n * n];
    (0..n).for_each(|a| below[a * n + a] = true);
    order.iter().for_each(|&(a, b)| below[a * n + b] = true);
    for via in 0..n {
        for (a, b) in pairs(n) {
            below[a * n + b] |= below[a * n + via] && below[via * n + b];
        }
    }
    below
}

impl Lattice for Table {
    type Element = Element;

    fn bottom(&self) -> Element {
        self.bottom
    }
    fn top(&self) -> Element {
        self.top
    }
    fn meet(&self, left: &Element, right: &Element) -> Element {
        self.meets[place(self.names.len(), *left, *right)]
    }
    fn join(&self, left: &Element, right: &Element) -> Element {
        self.joins[place(self.names.len(), *left, *right)]
    }
    fn negate(&self, element: &Element) -> Element {
        self.negations[element.index()]
    }
    fn join_irreducibles(&self) -> Vec<Element> {
        let all = Element::all(self.names.len());
        all.clone()
            .filter(|x| {
                let below = all.clone().filter(|y| y != x && self.less_or_equal(y, x));
                below.fold(self.bottom, |join, y| self.join(&join, &y)) != *x
            })
            .collect()
    }
}
