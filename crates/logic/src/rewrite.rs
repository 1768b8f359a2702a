//! Formulas with something else in some places.

use crate::{Formula, Kind, Placeholder};

impl<A> Formula<A> {
    /// The same formula over other atoms.
    pub fn map_atoms<B>(&self, mut map: impl FnMut(&A) -> B) -> Formula<B> {
        self.map_atoms_with(&mut map)
    }

    fn map_atoms_with<B>(&self, map: &mut impl FnMut(&A) -> B) -> Formula<B> {
        let kind = match &self.kind {
            Kind::Constant(value) => Kind::Constant(*value),
            Kind::Atom(atom) => Kind::Atom(map(atom)),
            Kind::Placeholder(hole) => Kind::Placeholder(Placeholder {
                over: hole
                    .over
                    .as_ref()
                    .map(|atoms| atoms.iter().map(&mut *map).collect()),
            }),
            Kind::Unary(operator, operand) => {
                Kind::Unary(*operator, Box::new(operand.map_atoms_with(map)))
            }
            Kind::Binary(operator, left, right) => {
                let left = left.map_atoms_with(map);
                Kind::Binary(
                    *operator,
                    Box::new(left),
                    Box::new(right.map_atoms_with(map)),
                )
            }
        };
        Formula::new(kind, self.span)
    }
}

impl<A: Clone> Formula<A> {
    /// The formula with other subformulas at some [positions](Formula::occurrences):
    /// `replace` is asked at every position from the whole down, and where it answers, its
    /// answer stands and nothing below is asked.
    ///
    /// ```
    /// # use quotient_logic::{Formula, parse_names};
    /// # use quotient_core::Source;
    /// let formula = parse_names(&Source::new("f", "p -> AF q")).unwrap();
    /// let witness = formula.replaced(|position| (position == 4).then(|| Formula::constant(false)));
    /// assert_eq!(witness.to_string(), "p -> AF FALSE");
    /// ```
    pub fn replaced(&self, mut replace: impl FnMut(usize) -> Option<Formula<A>>) -> Formula<A> {
        self.replaced_from(&mut 0, &mut replace)
    }

    fn replaced_from(
        &self,
        position: &mut usize,
        replace: &mut impl FnMut(usize) -> Option<Formula<A>>,
    ) -> Formula<A> {
        if let Some(replacement) = replace(*position) {
            *position += self.size();
            return replacement;
        }
        *position += 1;
        let kind = match &self.kind {
            Kind::Unary(operator, operand) => Kind::Unary(
                *operator,
                Box::new(operand.replaced_from(position, replace)),
            ),
            Kind::Binary(operator, left, right) => {
                let left = left.replaced_from(position, replace);
                let right = right.replaced_from(position, replace);
                Kind::Binary(*operator, Box::new(left), Box::new(right))
            }
            leaf => leaf.clone(),
        };
        Formula::new(kind, self.span)
    }

    /// The formula with something in place of every placeholder.
    pub fn filled(&self, mut fill: impl FnMut(&Placeholder<A>) -> Formula<A>) -> Formula<A> {
        self.filled_with(&mut fill)
    }

    fn filled_with(&self, fill: &mut impl FnMut(&Placeholder<A>) -> Formula<A>) -> Formula<A> {
        let kind = match &self.kind {
            Kind::Placeholder(hole) => return fill(hole),
            Kind::Unary(operator, operand) => {
                Kind::Unary(*operator, Box::new(operand.filled_with(fill)))
            }
            Kind::Binary(operator, left, right) => {
                let left = left.filled_with(fill);
                Kind::Binary(*operator, Box::new(left), Box::new(right.filled_with(fill)))
            }
            leaf => leaf.clone(),
        };
        Formula::new(kind, self.span)
    }
}
