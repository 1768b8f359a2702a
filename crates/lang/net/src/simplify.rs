//! Formulas of branching time said more simply.
//!
//! Negations go inwards, and operators that say the same as others go away (Bønneland and others, *Simplification of
//! CTL formulae for efficient model checking of Petri nets*, 2018): `AF EF p` is `EF p`, since what can be reached from
//! somewhere can be reached from the start; `EF A[q U p]` is `EF p`; `AG EG p` is `AG p`. What is left of many formulas
//! is whether a marking can be reached, and of many others that several such questions decide together. All runs are
//! maximal: where nothing can fire a run ends, and has at least its last marking.

use quotient_logic::{Binary, Formula as Time, Kind, Unary};

use crate::formula::{Formula, Question, Temporal};
use crate::fragment::balanced;

/// A formula of branching time without negations but before conditions and untils.
#[derive(Debug, Clone, PartialEq)]
enum Tree {
    /// A condition on the marking.
    Is(Formula),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    /// On some run, or on all runs.
    Next(bool, Box<Tree>),
    Finally(bool, Box<Tree>),
    Globally(bool, Box<Tree>),
    /// And whether the opposite is meant.
    Until(bool, bool, Box<Tree>, Box<Tree>),
}

/// The most parts of a question that is split.
const MOST_PARTS: usize = 50;

/// The same question, said more simply.
pub(crate) fn question(one: &Temporal) -> Question {
    let same = || Question::Temporal(one.clone());
    if one.linear {
        return same();
    }
    let Some(tree) = read(&one.formula, &one.atoms, true) else {
        return same();
    };
    match tree {
        Tree::All(parts) if parts.len() <= MOST_PARTS => several(parts, true),
        Tree::Any(parts) if parts.len() <= MOST_PARTS => several(parts, false),
        tree => single(tree),
    }
}

fn several(parts: Vec<Tree>, all: bool) -> Question {
    Question::Several {
        parts: parts.into_iter().map(single).collect(),
        all,
    }
}

fn single(tree: Tree) -> Question {
    match tree {
        Tree::Is(Formula::Truth(true)) => Question::Possible(Formula::Truth(true)),
        Tree::Is(Formula::Truth(false)) => Question::Always(Formula::Truth(false)),
        Tree::Finally(false, inner) if inner.condition().is_some() => {
            Question::Possible(inner.condition().cloned().unwrap_or(Formula::Dead))
        }
        Tree::Globally(true, inner) if inner.condition().is_some() => {
            Question::Always(inner.condition().cloned().unwrap_or(Formula::Dead))
        }
        tree => {
            let mut atoms = Vec::new();
            let formula = tree.written(&mut atoms);
            Question::Temporal(Temporal {
                formula,
                atoms,
                linear: false,
            })
        }
    }
}

/// A formula or its opposite; nothing if it is not of branching time.
fn read(formula: &Time<u32>, atoms: &[Formula], positive: bool) -> Option<Tree> {
    Some(match &formula.kind {
        Kind::Constant(value) => Tree::Is(Formula::Truth(*value == positive)),
        Kind::Atom(atom) => {
            let atom = atoms.get(*atom as usize)?.clone();
            Tree::Is(if positive { atom } else { opposite(atom) })
        }
        Kind::Unary(Unary::Not, inner) => read(inner, atoms, !positive)?,
        Kind::Unary(quantifier @ (Unary::ForAll | Unary::Exists), path) => {
            let all = *quantifier == Unary::ForAll;
            match &path.kind {
                Kind::Unary(operator, inner) => {
                    let inner = read(inner, atoms, positive)?;
                    // The opposite of what all runs do is what some run does not.
                    let all = all == positive;
                    match (operator, positive) {
                        (Unary::Next, _) => next(all, inner),
                        (Unary::Finally(None), true) | (Unary::Globally(None), false) => {
                            finally(all, inner)
                        }
                        (Unary::Globally(None), true) | (Unary::Finally(None), false) => {
                            globally(all, inner)
                        }
                        _ => return None,
                    }
                }
                Kind::Binary(Binary::Until(None), left, right) => {
                    let (left, right) = (read(left, atoms, true)?, read(right, atoms, true)?);
                    let until = until(all, left, right);
                    if positive { until } else { until.opposite() }
                }
                _ => return None,
            }
        }
        Kind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            let both = (*operator == Binary::And) == positive;
            let parts = vec![read(left, atoms, positive)?, read(right, atoms, positive)?];
            joined(parts, both)
        }
        _ => return None,
    })
}

fn opposite(formula: Formula) -> Formula {
    match formula {
        Formula::Truth(value) => Formula::Truth(!value),
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

/// All of some formulas, or one of them: conditions are taken together.
fn joined(parts: Vec<Tree>, all: bool) -> Tree {
    let mut conditions: Vec<Formula> = Vec::new();
    let mut others: Vec<Tree> = Vec::new();
    let mut todo: Vec<Tree> = parts.into_iter().rev().collect();
    while let Some(part) = todo.pop() {
        match part {
            Tree::Is(Formula::Truth(value)) if value == all => {}
            Tree::Is(Formula::Truth(value)) => return Tree::Is(Formula::Truth(value)),
            Tree::Is(condition) => {
                if conditions.contains(&opposite(condition.clone())) {
                    return Tree::Is(Formula::Truth(!all));
                }
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
            Tree::All(inner) if all => todo.extend(inner.into_iter().rev()),
            Tree::Any(inner) if !all => todo.extend(inner.into_iter().rev()),
            other if others.contains(&other) => {}
            other => others.push(other),
        }
    }
    let condition = match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ if all => Some(Formula::All(conditions)),
        _ => Some(Formula::Any(conditions)),
    };
    others.splice(0..0, condition.map(Tree::Is));
    match others.len() {
        0 => Tree::Is(Formula::Truth(all)),
        1 => others.swap_remove(0),
        _ if all => Tree::All(others),
        _ => Tree::Any(others),
    }
}

fn next(all: bool, inner: Tree) -> Tree {
    match inner {
        // Some successor with nothing, all successors with anything.
        Tree::Is(Formula::Truth(value)) if value == all => Tree::Is(Formula::Truth(all)),
        Tree::All(parts) if all => joined(each(parts, |part| next(true, part)), true),
        Tree::Any(parts) if !all => joined(each(parts, |part| next(false, part)), false),
        inner => Tree::Next(all, Box::new(inner)),
    }
}

fn each(parts: Vec<Tree>, of: impl Fn(Tree) -> Tree) -> Vec<Tree> {
    parts.into_iter().map(of).collect()
}

/// Parts that are reachable from anywhere if from the start, and the rest.
fn apart(parts: Vec<Tree>, is: impl Fn(&Tree) -> bool) -> (Vec<Tree>, Vec<Tree>) {
    parts.into_iter().partition(is)
}

fn is_possible(tree: &Tree) -> bool {
    matches!(tree, Tree::Finally(false, _))
}

fn is_certain(tree: &Tree) -> bool {
    matches!(tree, Tree::Globally(true, _))
}

fn finally(all: bool, inner: Tree) -> Tree {
    match (all, inner) {
        (_, constant @ Tree::Is(Formula::Truth(_))) => constant,
        (_, same @ Tree::Finally(false, _)) => same,
        (true, same @ Tree::Finally(true, _)) => same,
        // Where it is certain to come, it comes on some run; where it is, it has come.
        (false, Tree::Finally(true, inner) | Tree::Until(false, _, _, inner)) => {
            finally(false, *inner)
        }
        (true, Tree::Until(false, true, _, inner)) => finally(true, *inner),
        (false, Tree::Any(parts)) => joined(each(parts, |part| finally(false, part)), false),
        (true, Tree::Any(parts)) if parts.iter().any(is_possible) => {
            let (possible, rest) = apart(parts, is_possible);
            let rest = finally(true, joined(rest, false));
            joined([possible, vec![rest]].concat(), false)
        }
        (all, inner) => Tree::Finally(all, Box::new(inner)),
    }
}

fn globally(all: bool, inner: Tree) -> Tree {
    match (all, inner) {
        (_, constant @ Tree::Is(Formula::Truth(_))) => constant,
        (_, same @ Tree::Globally(true, _)) => same,
        (false, same @ Tree::Globally(false, _)) => same,
        (true, Tree::Globally(false, inner)) => globally(true, *inner),
        (true, Tree::All(parts)) => joined(each(parts, |part| globally(true, part)), true),
        (false, Tree::All(parts)) if parts.iter().any(is_certain) => {
            let (certain, rest) = apart(parts, is_certain);
            let rest = globally(false, joined(rest, true));
            joined([certain, vec![rest]].concat(), true)
        }
        (all, inner) => Tree::Globally(all, Box::new(inner)),
    }
}

fn until(all: bool, left: Tree, right: Tree) -> Tree {
    match (left, right) {
        (_, constant @ Tree::Is(Formula::Truth(_))) => constant,
        (_, possible @ Tree::Finally(false, _)) => possible,
        (_, sure @ Tree::Finally(true, _)) if all => sure,
        (Tree::Is(Formula::Truth(true)), right) => finally(all, right),
        (Tree::Is(Formula::Truth(false)), right) => right,
        (left, Tree::Any(parts)) if parts.iter().any(is_possible) => {
            let (possible, rest) = apart(parts, is_possible);
            let rest = until(all, left, joined(rest, false));
            joined([possible, vec![rest]].concat(), false)
        }
        (left, right) => Tree::Until(false, all, Box::new(left), Box::new(right)),
    }
}

impl Tree {
    fn condition(&self) -> Option<&Formula> {
        match self {
            Tree::Is(condition) => Some(condition),
            _ => None,
        }
    }

    fn opposite(self) -> Tree {
        let each = |parts: Vec<Tree>| each(parts, Tree::opposite);
        match self {
            Tree::Is(condition) => Tree::Is(opposite(condition)),
            Tree::All(parts) => joined(each(parts), false),
            Tree::Any(parts) => joined(each(parts), true),
            Tree::Next(all, inner) => next(!all, inner.opposite()),
            Tree::Finally(all, inner) => globally(!all, inner.opposite()),
            Tree::Globally(all, inner) => finally(!all, inner.opposite()),
            Tree::Until(not, all, left, right) => Tree::Until(!not, all, left, right),
        }
    }

    /// As a formula over numbers of conditions.
    fn written(&self, atoms: &mut Vec<Formula>) -> Time<u32> {
        let mut parts = |parts: &[Tree]| parts.iter().map(|part| part.written(atoms)).collect();
        let runs = |all: bool, path: Time<u32>| match all {
            true => Time::unary(Unary::ForAll, path),
            false => Time::unary(Unary::Exists, path),
        };
        match self {
            Tree::Is(condition) => {
                let known = atoms.iter().position(|one| one == condition);
                let number = known.unwrap_or_else(|| {
                    atoms.push(condition.clone());
                    atoms.len() - 1
                });
                Time::atom(number as u32)
            }
            Tree::All(all) => balanced(parts(all), true),
            Tree::Any(any) => balanced(parts(any), false),
            Tree::Next(all, inner) => runs(*all, Time::unary(Unary::Next, inner.written(atoms))),
            Tree::Finally(all, inner) => runs(
                *all,
                Time::unary(Unary::Finally(None), inner.written(atoms)),
            ),
            Tree::Globally(all, inner) => runs(
                *all,
                Time::unary(Unary::Globally(None), inner.written(atoms)),
            ),
            Tree::Until(not, all, left, right) => {
                let (left, right) = (left.written(atoms), right.written(atoms));
                let until = runs(*all, Time::binary(Binary::Until(None), left, right));
                match not {
                    true => Time::unary(Unary::Not, until),
                    false => until,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
