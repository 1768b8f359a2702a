//! Letters that are vectors of bits.
//!
//! All vectors of thirty bits are too many letters, and most of them are the same to the
//! formulas of a file. So the letters are the *classes* of vectors that no formula of the files
//! read together tells apart. They are found with one decision diagram, whose inner nodes ask
//! for bits and whose leaves are the classes; each formula refines it.

mod diagram;

use quotient_core::{Budget, Diagnostic, Trouble};

use self::diagram::{Partition, TooMany};
use super::Limits;
use super::draft::{Draft, DraftLabel, Letters, Names};
use crate::vectors::{Cube, Node, Vectors};
use crate::{Alphabet, Letter};

/// The bits of a file and the formulas over them that its labels are.
#[derive(Debug, Clone, Default)]
pub(super) struct BitFormulas {
    /// The names of the bits; positions for bits without names.
    pub(super) names: Names,
    /// How many bits the longest vectors without names have, if there are such vectors.
    pub(super) positions: Option<usize>,
    /// Known by their numbers in [`Letters::Formula`].
    pub(super) formulas: Vec<Vec<Token>>,
}

/// A formula is a list of these, operators after what they apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// By its number in the names.
    Bit(u32),
    Constant(bool),
    Not,
    And,
    Or,
}

/// More bits than this are refused: the depth of a diagram is bounded by them.
pub(super) const MOST_BITS: usize = 2048;

/// Gives the drafts with formulas over bits their letters, the same for all, and tells what
/// vectors these stand for.
pub(super) fn find_letters(
    drafts: &mut [Draft],
    limits: &Limits,
    budget: &Budget,
) -> Result<Option<FoundLetters>, Trouble> {
    let Some(first) = drafts.iter().find(|draft| draft.bits.is_some()) else {
        return Ok(None);
    };
    let source = first.source.clone();
    let bits = || drafts.iter().filter_map(|draft| draft.bits.as_ref());
    let mut names: Vec<&str> = bits().flat_map(|bits| bits.names.iter()).collect();
    // Numbered bits in the order of their numbers.
    names.sort_unstable_by_key(|name| (name.len(), *name));
    names.dedup();
    let too_large = |message: String| -> Trouble {
        Diagnostic::error("too-large", message)
            .in_source(&source)
            .help("use fewer or simpler formulas, or raise the limit")
            .into()
    };
    if names.len() > MOST_BITS {
        return Err(too_large(format!(
            "the formulas are over {} bits, the limit is {MOST_BITS}",
            names.len()
        )));
    }
    let mut partition = Partition::new(limits.letters);
    let mut stages = Vec::new();
    for bits in bits() {
        let numbers: Vec<u32> = bits
            .names
            .iter()
            .map(|name| names.binary_search_by_key(&(name.len(), name), |n| (n.len(), n)))
            .map(|found| found.expect("all names are there") as u32)
            .collect();
        for formula in &bits.formulas {
            let stage = partition.refine(formula, &numbers, budget)?;
            stages.push(stage.map_err(|TooMany| {
                too_large(format!(
                    "the formulas tell more than {} kinds of vectors apart",
                    limits.letters
                ))
            })?);
        }
    }
    let positions = bits().next().and_then(|first| first.positions);
    let as_patterns = positions.filter(|_| bits().all(|bits| bits.positions == positions));
    let named: Vec<String> = partition
        .cubes()
        .iter()
        .map(|(cubes, whole)| name_of(cubes, *whole, &names, as_patterns))
        .collect();
    let members = partition.members();
    let found = FoundLetters {
        bits: names.iter().map(|&name| name.to_owned()).collect(),
        positions: as_patterns,
        diagram: partition.into_diagram(),
        names: named.clone(),
    };
    let mut stages = stages.into_iter();
    for draft in drafts {
        let Some(bits) = draft.bits.take() else {
            continue;
        };
        draft.declared = true;
        let letters: Vec<u32> = named
            .iter()
            .map(|name| draft.letters.intern(name))
            .collect();
        let stages: Vec<usize> = stages.by_ref().take(bits.formulas.len()).collect();
        for label in draft
            .machines
            .iter_mut()
            .flat_map(|machine| &mut machine.labels)
        {
            if let DraftLabel::Copy(Letters::Formula(number)) = label {
                let classes = members[stages[*number as usize]].ones();
                let classes = classes.map(|class| letters[class]).collect();
                *label = DraftLabel::Copy(Letters::listed(classes, false));
            }
        }
        draft.has_bits = true;
    }
    Ok(Some(found))
}

/// The letters of files with formulas over bits, and what they stand for.
pub(super) struct FoundLetters {
    bits: Vec<String>,
    positions: Option<usize>,
    /// The nodes, in which classes have their numbers as letters, and the root.
    diagram: (Vec<Node>, u32),
    /// The name of each class.
    names: Vec<String>,
}

impl FoundLetters {
    /// The alphabet again, with what its letters stand for; as it was if it has letters that
    /// stand for no vectors.
    pub(super) fn attached_to(self, alphabet: Alphabet) -> Alphabet {
        if alphabet.len() != self.names.len() {
            return alphabet;
        }
        let letters: Option<Vec<Letter>> = (self.names.iter())
            .map(|name| alphabet.letter(name))
            .collect();
        let Some(letters) = letters else {
            return alphabet;
        };
        let (nodes, root) = self.diagram;
        let nodes = nodes.into_iter().map(|node| match node {
            Node::Letter(class) => Node::Letter(letters[class.index()]),
            question => question,
        });
        let nodes = nodes.collect();
        alphabet.with_vectors(Vectors {
            bits: self.bits,
            positions: self.positions,
            nodes,
            root,
        })
    }
}

/// A name for a class: its cubes, the first of them if there are many. Classes are disjoint,
/// so their names differ.
fn name_of(cubes: &[Cube], whole: bool, names: &[&str], as_patterns: Option<usize>) -> String {
    let cube = |cube: &Cube| match as_patterns {
        Some(count) => {
            let mut pattern = vec!['x'; count];
            for &(bit, value) in cube {
                let position: usize = names[bit as usize].parse().unwrap_or(0);
                pattern[position] = if value { '1' } else { '0' };
            }
            pattern.into_iter().collect()
        }
        None => {
            let literals: Vec<String> = cube
                .iter()
                .map(|&(bit, value)| match value {
                    true => names[bit as usize].to_owned(),
                    false => format!("!{}", names[bit as usize]),
                })
                .collect();
            literals.join("&")
        }
    };
    let mut parts: Vec<String> = cubes.iter().map(cube).collect();
    if !whole {
        parts.push("…".to_owned());
    }
    match parts.join("|") {
        empty if empty.is_empty() => "true".to_owned(),
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::Random;

    const BITS: u32 = 5;

    fn formula(random: &mut Random, depth: u32) -> Vec<Token> {
        let leaf = depth == 0 || random.below(4) == 0;
        match random.below(if leaf { 8 } else { 3 }) {
            0 if leaf => vec![Token::Constant(random.below(2) == 0)],
            _ if leaf => vec![Token::Bit(random.below(BITS))],
            0 => [formula(random, depth - 1), vec![Token::Not]].concat(),
            operator => {
                let operator = [Token::And, Token::Or][operator as usize - 1];
                let (left, right) = (formula(random, depth - 1), formula(random, depth - 1));
                [left, right, vec![operator]].concat()
            }
        }
    }

    fn holds(formula: &[Token], vector: u32) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for token in formula {
            let value = match token {
                Token::Bit(bit) => vector >> bit & 1 == 1,
                Token::Constant(value) => *value,
                Token::Not => !stack.pop().unwrap(),
                Token::And => stack.pop().unwrap() & stack.pop().unwrap(),
                Token::Or => stack.pop().unwrap() | stack.pop().unwrap(),
            };
            stack.push(value);
        }
        stack.pop().unwrap()
    }

    #[test]
    fn classes_are_the_vectors_that_no_formula_tells_apart() {
        let numbers: Vec<u32> = (0..BITS).collect();
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let formulas: Vec<_> = (0..seed % 6).map(|_| formula(&mut random, 4)).collect();
            let signature = |vector: u32| -> Vec<bool> {
                formulas
                    .iter()
                    .map(|formula| holds(formula, vector))
                    .collect()
            };
            let mut partition = Partition::new(64);
            let stages: Vec<usize> = formulas
                .iter()
                .map(|formula| partition.refine(formula, &numbers, &Budget::unlimited()))
                .map(|stage| stage.unwrap().unwrap())
                .collect();
            let members = partition.members();
            let classes = partition.cubes();
            let signatures: BTreeSet<_> = (0..1 << BITS).map(signature).collect();
            assert_eq!(classes.len(), signatures.len(), "seed {seed}");
            let mut vectors = 0;
            for (class, (cubes, whole)) in classes.iter().enumerate() {
                let inside: Vec<bool> =
                    stages.iter().map(|&s| members[s].contains(class)).collect();
                for vector in 0..1u32 << BITS {
                    let fits = |cube: &Cube| {
                        cube.iter()
                            .all(|&(bit, value)| (vector >> bit & 1 == 1) == value)
                    };
                    if cubes.iter().any(fits) {
                        assert_eq!(signature(vector), inside, "seed {seed}");
                        vectors += 1;
                    } else if *whole {
                        assert_ne!(signature(vector), inside, "seed {seed}");
                    }
                }
            }
            let all_whole = classes.iter().all(|(_, whole)| *whole);
            assert!(!all_whole || vectors == 1 << BITS, "seed {seed}");
        }
    }
}
