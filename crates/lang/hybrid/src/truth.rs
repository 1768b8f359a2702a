//! Truth at the worlds of something that has worlds: a model that was found, one that evidence lists, a system.

use std::collections::HashMap;

use quotient_core::{Budget, Stop};

use crate::formula::{Formula, Model, Sentence};
use crate::system::{address, bound, free};

/// What truth at a world rests on.
pub(crate) trait Worlds {
    /// How many worlds there are.
    fn count(&self) -> usize;

    /// Every arrow: its relation, from where, and to where.
    fn arrows(&self, tell: &mut dyn FnMut(usize, usize, usize));

    /// Whether a sentence of the base logic is true at a world.
    fn satisfies(&self, sentence: &Sentence, world: usize, budget: &Budget) -> Result<bool, Stop>;
}

impl Worlds for Model {
    fn count(&self) -> usize {
        self.worlds.len()
    }

    fn arrows(&self, tell: &mut dyn FnMut(usize, usize, usize)) {
        for &(relation, from, to) in &self.arrows {
            tell(relation, from, to);
        }
    }

    fn satisfies(&self, sentence: &Sentence, world: usize, budget: &Budget) -> Result<bool, Stop> {
        self.worlds[world].satisfies(sentence, budget)
    }
}

/// Truth at the worlds of a model, from the whole to its parts: by the definition, and by nothing else. What leaves no
/// variable open is decided once a world, as otherwise `[r] [r] [r] p` would follow every path.
pub(crate) struct Truth<'a, W> {
    model: &'a W,
    budget: &'a Budget,
    /// The worlds after a world, for each relation.
    next: HashMap<(usize, usize), Vec<usize>>,
    /// Of each part, whether it leaves no variable open.
    closed: HashMap<usize, bool>,
    known: HashMap<(usize, usize), bool>,
}

impl<'a, W: Worlds> Truth<'a, W> {
    /// About a formula, whose parts it is asked about.
    pub(crate) fn new(model: &'a W, formula: &Formula, budget: &'a Budget) -> Truth<'a, W> {
        let mut closed = HashMap::new();
        free(formula, &bound(formula), &mut closed);
        let mut next: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        model.arrows(&mut |relation, from, to| {
            next.entry((relation, from)).or_default().push(to);
        });
        Truth {
            model,
            budget,
            next,
            closed,
            known: HashMap::new(),
        }
    }

    /// Whether a formula is true at a world; names are those of the model, with those that
    /// quantifiers gave.
    pub(crate) fn holds(
        &mut self,
        formula: &Formula,
        world: usize,
        names: &mut Vec<usize>,
    ) -> Result<bool, Stop> {
        self.budget.charge(1)?;
        // These are true at all worlds or at none.
        let place = match formula {
            Formula::At(..) | Formula::Anywhere(_) | Formula::Everywhere(_) => usize::MAX,
            _ => world,
        };
        let key = (address(formula), place);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let found = self.decided(formula, world, names)?;
        if self.closed.get(&key.0) == Some(&true) {
            self.known.insert(key, found);
        }
        Ok(found)
    }

    fn decided(
        &mut self,
        formula: &Formula,
        world: usize,
        names: &mut Vec<usize>,
    ) -> Result<bool, Stop> {
        let count = self.model.count();
        Ok(match formula {
            Formula::Constant(value) => *value,
            Formula::Base(sentence) => self.model.satisfies(sentence, world, self.budget)?,
            Formula::Nominal(nominal) => names.get(*nominal) == Some(&world),
            Formula::Not(inner) => !self.holds(inner, world, names)?,
            Formula::And(one, other) => {
                self.holds(one, world, names)? && self.holds(other, world, names)?
            }
            Formula::Or(one, other) => {
                self.holds(one, world, names)? || self.holds(other, world, names)?
            }
            Formula::At(nominal, inner) => match names.get(*nominal).copied() {
                Some(named) => self.holds(inner, named, names)?,
                None => false,
            },
            Formula::Some(relation, inner) | Formula::Every(relation, inner) => {
                let some = matches!(formula, Formula::Some(..));
                let next = self.next.get(&(*relation, world)).cloned();
                let mut next = next.unwrap_or_default().into_iter();
                self.any(inner, &mut next, some, names)? == some
            }
            Formula::Anywhere(inner) | Formula::Everywhere(inner) => {
                let some = matches!(formula, Formula::Anywhere(_));
                self.any(inner, &mut (0..count), some, names)? == some
            }
            Formula::ForAll(variable, inner) => {
                for value in 0..count {
                    if !self.named(inner, world, *variable, value, names)? {
                        return Ok(false);
                    }
                }
                true
            }
            Formula::Here(variable, inner) => self.named(inner, world, *variable, world, names)?,
        })
    }

    /// Whether a formula has a value at one of some worlds.
    fn any(
        &mut self,
        inner: &Formula,
        worlds: &mut dyn Iterator<Item = usize>,
        value: bool,
        names: &mut Vec<usize>,
    ) -> Result<bool, Stop> {
        for world in worlds {
            if self.holds(inner, world, names)? == value {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn named(
        &mut self,
        inner: &Formula,
        world: usize,
        variable: usize,
        value: usize,
        names: &mut Vec<usize>,
    ) -> Result<bool, Stop> {
        if names.len() <= variable {
            names.resize(variable + 1, 0);
        }
        let old = std::mem::replace(&mut names[variable], value);
        let holds = self.holds(inner, world, names);
        names[variable] = old;
        holds
    }
}
