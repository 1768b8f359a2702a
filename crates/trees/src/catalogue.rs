//! The operations on sets as data: a front end makes its verbs from the list.

use quotient_core::{Budget, Stop};

use crate::determinise::complete;
use crate::{
    Inclusion, TreeAutomaton, complement, determinise, inclusion, intersection, minimise, reduce,
    union, universality,
};

/// An operation on sets of trees, by the names that those on sets of words have.
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub line: &'static str,
    /// How many sets it takes.
    pub takes: usize,
    /// The operation; it is given as many sets as it takes.
    pub run: fn(&[&TreeAutomaton], &Budget) -> Result<Outcome, Stop>,
}

/// What an operation gives.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A set.
    Set(TreeAutomaton),
    /// Yes.
    Yes,
    /// No, with a tree that shows it where there is one.
    No(Option<String>),
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All operations.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_trees::{OPERATIONS, Outcome, timbuk};
/// let text = "Automaton A States q Final States q Transitions a -> q f(q,q) -> q";
/// let file = timbuk::read(&Source::new("a", text)).unwrap();
/// let empty = OPERATIONS.iter().find(|one| one.name == "empty").unwrap();
/// let outcome = (empty.run)(&[&file.automata[0].automaton], &Budget::unlimited()).unwrap();
/// assert!(matches!(outcome, Outcome::No(Some(tree)) if tree == "a"));
/// ```
pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "trim",
        line: "without states that do not matter",
        takes: 1,
        run: |sets, _| Ok(Outcome::Set(sets[0].trimmed())),
    },
    Operation {
        name: "determinize",
        line: "every tree is in at most one state",
        takes: 1,
        run: |sets, budget| Ok(Outcome::Set(determinise(sets[0], budget)?)),
    },
    Operation {
        name: "complete",
        line: "every tree over its symbols is in exactly one state",
        takes: 1,
        run: |sets, budget| Ok(Outcome::Set(complete(sets[0], budget)?)),
    },
    Operation {
        name: "minimize",
        line: "deterministic, with the fewest states",
        takes: 1,
        run: |sets, budget| Ok(Outcome::Set(minimise(sets[0], budget)?)),
    },
    Operation {
        name: "reduce",
        line: "smaller, by simulation",
        takes: 1,
        run: |sets, budget| Ok(Outcome::Set(reduce(sets[0], budget)?)),
    },
    Operation {
        name: "complement",
        line: "all other trees over its symbols",
        takes: 1,
        run: |sets, budget| Ok(Outcome::Set(complement(sets[0], budget)?)),
    },
    Operation {
        name: "union",
        line: "the trees in either set",
        takes: 2,
        run: |sets, _| Ok(Outcome::Set(union(sets[0], sets[1]))),
    },
    Operation {
        name: "intersect",
        line: "the trees in both sets",
        takes: 2,
        run: |sets, budget| Ok(Outcome::Set(intersection(sets[0], sets[1], budget)?)),
    },
    Operation {
        name: "difference",
        line: "the trees of the first set that are not in the second one",
        takes: 2,
        run: |sets, budget| {
            let (one, other) = sets[0].together(sets[1]);
            let outside = complement(&other, budget)?;
            Ok(Outcome::Set(intersection(&one, &outside, budget)?))
        },
    },
    Operation {
        name: "symmetric-difference",
        line: "the trees that are in one set only",
        takes: 2,
        run: |sets, budget| {
            let (one, other) = sets[0].together(sets[1]);
            let first = intersection(&one, &complement(&other, budget)?, budget)?;
            let second = intersection(&complement(&one, budget)?, &other, budget)?;
            Ok(Outcome::Set(union(&first, &second)))
        },
    },
    Operation {
        name: "empty",
        line: "whether there is no tree in it; if not, a smallest one",
        takes: 1,
        run: |sets, _| {
            Ok(match sets[0].witness()? {
                None => Outcome::Yes,
                Some(tree) => Outcome::No(Some(tree.text(sets[0].alphabet()))),
            })
        },
    },
    Operation {
        name: "universal",
        line: "whether all trees over its symbols are in it; if not, one that is not",
        takes: 1,
        run: |sets, budget| Ok(told(universality(sets[0], budget)?, sets[0])),
    },
    Operation {
        name: "include",
        line: "whether all trees of the first set are in the second one; if not, one that is not",
        takes: 2,
        run: |sets, budget| Ok(told(inclusion(sets[0], sets[1], budget)?, sets[0])),
    },
    Operation {
        name: "equal",
        line: "whether both have the same trees; if not, one that only one of them has",
        takes: 2,
        run: |sets, budget| match inclusion(sets[0], sets[1], budget)? {
            Inclusion::Included => Ok(told(inclusion(sets[1], sets[0], budget)?, sets[1])),
            not => Ok(told(not, sets[0])),
        },
    },
    Operation {
        name: "disjoint",
        line: "whether they have no tree in common; if not, a smallest one",
        takes: 2,
        run: |sets, budget| {
            let both = intersection(sets[0], sets[1], budget)?;
            Ok(match both.witness()? {
                None => Outcome::Yes,
                Some(tree) => Outcome::No(Some(tree.text(both.alphabet()))),
            })
        },
    },
];

fn told(inclusion: Inclusion, set: &TreeAutomaton) -> Outcome {
    match inclusion {
        Inclusion::Included => Outcome::Yes,
        Inclusion::Not(tree) => Outcome::No(Some(tree.text(set.alphabet()))),
    }
}
