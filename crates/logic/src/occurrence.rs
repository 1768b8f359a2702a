//! Where subformulas stand, and whether making them truer makes the whole truer.

use crate::{Binary, Formula, Kind, Unary};

/// How the truth of a part moves the truth of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Polarity {
    /// Under an even number of negations: truer here is truer there.
    Positive,
    /// Under an odd number of negations.
    Negative,
    /// Under `<->` or `xor`: either way.
    Mixed,
}

impl Polarity {
    /// The polarity as seen through a negation.
    pub fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }
}

impl std::fmt::Display for Polarity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Polarity::Positive => "positive",
            Polarity::Negative => "negative",
            Polarity::Mixed => "mixed",
        })
    }
}

/// One subformula at one place.
#[derive(Debug)]
pub struct Occurrence<'a, A> {
    /// The subformula.
    pub formula: &'a Formula<A>,
    /// The position of the operator that it is an operand of; the whole has none.
    pub parent: Option<usize>,
    /// How many subformulas it has, itself included: they follow it.
    pub size: usize,
    /// Its polarity in the whole.
    pub polarity: Polarity,
}

impl<A> Formula<A> {
    /// All subformulas, each before its operands, operands from left to right. The index in
    /// this list is the *position* that other operations take.
    ///
    /// ```
    /// # use quotient_logic::{Polarity, parse_names};
    /// # use quotient_core::Source;
    /// let formula = parse_names(&Source::new("f", "p -> AF q")).unwrap();
    /// let all = formula.occurrences();
    /// let texts: Vec<String> = all.iter().map(|one| one.formula.to_string()).collect();
    /// assert_eq!(texts, ["p -> AF q", "p", "AF q", "F q", "q"]);
    /// assert_eq!(all[1].polarity, Polarity::Negative);
    /// ```
    pub fn occurrences(&self) -> Vec<Occurrence<'_, A>> {
        let mut all: Vec<Occurrence<'_, A>> = Vec::new();
        let mut open = vec![(self, None, Polarity::Positive)];
        while let Some((formula, parent, polarity)) = open.pop() {
            let position = all.len();
            all.push(Occurrence {
                formula,
                parent,
                size: 1,
                polarity,
            });
            match &formula.kind {
                Kind::Constant(_) | Kind::Atom(_) | Kind::Placeholder(_) => {}
                Kind::Unary(operator, operand) => {
                    let below = match operator {
                        Unary::Not => polarity.flipped(),
                        _ => polarity,
                    };
                    open.push((operand, Some(position), below));
                }
                Kind::Binary(operator, left, right) => {
                    let (on_left, on_right) = match operator {
                        Binary::Implies => (polarity.flipped(), polarity),
                        Binary::Iff | Binary::Xor => (Polarity::Mixed, Polarity::Mixed),
                        _ => (polarity, polarity),
                    };
                    open.push((right, Some(position), on_right));
                    open.push((left, Some(position), on_left));
                }
            }
        }
        for position in (1..all.len()).rev() {
            if let Some(parent) = all[position].parent {
                all[parent].size += all[position].size;
            }
        }
        all
    }

    /// How many operators, atoms, constants and placeholders there are.
    pub fn size(&self) -> usize {
        self.occurrences().len()
    }

    /// How deep operators are nested; an atom has depth 1.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((formula, depth)) = open.pop() {
            deepest = deepest.max(depth);
            match &formula.kind {
                Kind::Constant(_) | Kind::Atom(_) | Kind::Placeholder(_) => {}
                Kind::Unary(_, operand) => open.push((operand, depth + 1)),
                Kind::Binary(_, left, right) => {
                    open.extend([(&**left, depth + 1), (&**right, depth + 1)]);
                }
            }
        }
        deepest
    }

    /// All atoms from left to right, each as often as it occurs.
    pub fn atoms(&self) -> Vec<&A> {
        self.occurrences()
            .into_iter()
            .filter_map(|occurrence| match &occurrence.formula.kind {
                Kind::Atom(atom) => Some(atom),
                _ => None,
            })
            .collect()
    }
}
