//! The lazy method: a tableau over letters, and the base logic asked only about open branches.

use quotient_arithmetic::{Condition, Solved, solve};
use quotient_core::{Budget, Stop};

use crate::formula::{Formula, Model, Sentence, World};
use crate::tableau::open_branch;

/// The answer about a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    Satisfiable(Model),
    Unsatisfiable,
}

/// How much was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Questions to the base logic.
    pub(crate) base: u64,
    /// Combinations of sentences that it excluded.
    pub(crate) blocked: u64,
}

/// How many integers and Booleans the base logic has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) integers: usize,
    pub(crate) booleans: usize,
}

/// What the base logic says about signed sentences.
enum Base {
    Model(World),
    Contradiction,
}

/// How deeply hybrid logic may be the base of hybrid logic.
const DEEPEST: u32 = 8;

/// Whether a formula is true at some world of some model.
pub(crate) fn decide(
    formula: &Formula,
    signature: Signature,
    effort: &mut Effort,
    depth: u32,
    budget: &Budget,
) -> Result<Decision, Stop> {
    if depth > DEEPEST {
        return Err(Stop::bound("levels of hybrid logic", DEEPEST.into()));
    }
    if formula.binds() {
        return Err(Stop::inconclusive(
            "formulas with `forall` or `down` over worlds are undecidable; they are evaluated on models, not decided",
        ));
    }
    let (nominals, _) = formula.sizes();
    let mut all = vec![formula.normal(false)];
    loop {
        let Some(branch) = open_branch(&all, nominals, budget)? else {
            return Ok(Decision::Unsatisfiable);
        };
        let mut worlds = Vec::new();
        let before = all.len();
        for label in &branch.labels {
            let literals: Vec<(Sentence, bool)> = label.iter().filter_map(literal).collect();
            match ask(&literals, signature, effort, depth, budget)? {
                Base::Model(world) => worlds.push(world),
                Base::Contradiction => {
                    let core = core(literals, signature, effort, depth, budget)?;
                    let negated = core.into_iter().map(|(sentence, positive)| {
                        let base = Formula::Base(sentence);
                        if positive {
                            Formula::Not(Box::new(base))
                        } else {
                            base
                        }
                    });
                    let or =
                        |one: Formula, other: Formula| Formula::Or(Box::new(one), Box::new(other));
                    let never = negated.reduce(or).unwrap_or(Formula::Constant(false));
                    let never = Formula::Everywhere(Box::new(never));
                    if !all.contains(&never) {
                        effort.blocked += 1;
                        all.push(never);
                    }
                }
            }
        }
        if all.len() == before {
            let nominals = branch.nominals;
            return Ok(Decision::Satisfiable(Model {
                worlds,
                arrows: branch.arrows,
                nominals,
                here: branch.here,
            }));
        }
    }
}

/// A base sentence with its sign.
fn literal(formula: &Formula) -> Option<(Sentence, bool)> {
    match formula {
        Formula::Base(sentence) => Some((sentence.clone(), true)),
        Formula::Not(inner) => match &**inner {
            Formula::Base(sentence) => Some((sentence.clone(), false)),
            _ => None,
        },
        _ => None,
    }
}

/// Asks the base logic about signed sentences.
fn ask(
    literals: &[(Sentence, bool)],
    signature: Signature,
    effort: &mut Effort,
    depth: u32,
    budget: &Budget,
) -> Result<Base, Stop> {
    effort.base += 1;
    let condition = |(sentence, positive): &(Sentence, bool)| match sentence {
        Sentence::Condition(condition) if *positive => Some(condition.clone()),
        Sentence::Condition(condition) => Some(condition.negated()),
        Sentence::Hybrid(_) => None,
    };
    let conditions: Vec<Condition> = literals.iter().filter_map(condition).collect();
    let mut world = World {
        integers: vec![0; signature.integers],
        booleans: vec![false; signature.booleans],
        inner: None,
    };
    match solve(&conditions) {
        Solved::Impossible => return Ok(Base::Contradiction),
        Solved::Unknown => {
            return Err(Stop::inconclusive(
                "linear integer arithmetic was not decided",
            ));
        }
        Solved::Values(integers, booleans) => {
            integers
                .into_iter()
                .for_each(|(at, value)| world.integers[at.index()] = value);
            booleans
                .into_iter()
                .for_each(|(at, value)| world.booleans[at.index()] = value);
        }
    }
    let inner = literals
        .iter()
        .filter_map(|(sentence, positive)| match sentence {
            Sentence::Hybrid(formula) => Some(formula.normal(!positive)),
            Sentence::Condition(_) => None,
        });
    if let Some(all) = inner.reduce(|one, other| Formula::And(Box::new(one), Box::new(other))) {
        match decide(&all, signature, effort, depth + 1, budget)? {
            Decision::Satisfiable(model) => world.inner = Some(Box::new(model)),
            Decision::Unsatisfiable => return Ok(Base::Contradiction),
        }
    }
    Ok(Base::Model(world))
}

/// A smallest part of contradicting sentences that contradicts itself still.
fn core(
    mut literals: Vec<(Sentence, bool)>,
    signature: Signature,
    effort: &mut Effort,
    depth: u32,
    budget: &Budget,
) -> Result<Vec<(Sentence, bool)>, Stop> {
    let mut at = 0;
    while at < literals.len() {
        let mut fewer = literals.clone();
        fewer.remove(at);
        match ask(&fewer, signature, effort, depth, budget)? {
            Base::Contradiction => literals = fewer,
            Base::Model(_) => at += 1,
        }
    }
    Ok(literals)
}
