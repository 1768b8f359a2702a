//! Proofs in Hilbert's way, line by line, in the calculus that a base logic generates.
//!
//! The axioms and rules are those of Braüner's hybrid logic, with base theorems. Two things are
//! added that the published calculus lacks: a combination of base sentences that the base logic
//! proves is a theorem whichever connectives join them (so that `!p => ~p` is one), and the
//! operators `[r]`, `A` and `E` mean what they abbreviate.

use quotient_arithmetic::{Condition, implies};
use quotient_core::{Budget, Span, Stop};

use crate::formula::{Formula, Sentence};

use Formula::{
    And, Anywhere, At, Base, Constant, Every, Everywhere, ForAll, Here, Nominal, Not, Or,
};

/// A proof.
#[derive(Debug, Clone)]
pub(crate) struct Proof {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) lines: Vec<Line>,
}

/// A line: a formula, and why it is a theorem.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) formula: Formula,
    pub(crate) rule: String,
    /// The lines that it follows from, by number.
    pub(crate) from: Vec<u64>,
    pub(crate) span: Span,
}

/// What is wrong with a proof: the number of the line, and why.
pub(crate) type Flaw = (u64, String);

/// The names of axioms and rules, with what they say.
pub(crate) const RULES: &[(&str, &str)] = &[
    ("CT", "an instance of a classical tautology"),
    (
        "Base",
        "base sentences, joined by any connectives, that the base logic proves",
    ),
    (
        "Bridge",
        "the same: base connectives mean what those of hybrid logic mean",
    ),
    ("Dist", "@i (f => g) <=> (@i f => @i g)"),
    ("Bot", "@i false => false"),
    ("Scope", "@i @j f => @j f"),
    ("Ref", "@i i"),
    ("Intro", "(i & f) => @i f"),
    ("BoxE", "([r] f & <r> i) => @i f"),
    ("AllE", "(forall x. f) => f with i for x"),
    (
        "Dual",
        "[r] f <=> ~<r> ~f, E f <=> ~A ~f, A f <=> forall x. @x f",
    ),
    ("MP", "from f and f => g: g"),
    ("NAt", "from f: @i f"),
    ("Name", "from @i f: f, if i is not in f"),
    (
        "BoxI",
        "from (f & <r> i) => @i g: f => [r] g, if i is in neither",
    ),
    (
        "AllI",
        "from f => g with i for x: f => forall x. g, if i is in neither",
    ),
];

/// The most different parts of a tautology.
const MOST_PARTS: usize = 18;

/// Whether every line of a proof follows; the first that does not is a flaw.
pub(crate) fn check(proof: &Proof, nominals: usize, budget: &Budget) -> Result<Option<Flaw>, Stop> {
    let canonical: Vec<Formula> = proof
        .lines
        .iter()
        .map(|line| named_by_depth(&line.formula, 0))
        .collect();
    for (at, line) in proof.lines.iter().enumerate() {
        budget.charge(1)?;
        let flaw = |why: &str| Ok(Some((line.number, why.to_owned())));
        if proof.lines[..at]
            .iter()
            .any(|other| other.number == line.number)
        {
            return flaw("an earlier line has the same number");
        }
        let mut from = Vec::new();
        for number in &line.from {
            let found = proof.lines[..at]
                .iter()
                .position(|other| other.number == *number);
            match found {
                Some(found) => from.push(&canonical[found]),
                None => return flaw("it refers to a line that is not before it"),
            }
        }
        let formula = &canonical[at];
        let right = match from.as_slice() {
            [] => axiom(formula, &line.rule, nominals, budget)?,
            from => rule(formula, &line.rule, from, nominals),
        };
        if !right {
            let known = RULES.iter().find(|(name, _)| *name == line.rule);
            return match known {
                Some((name, says)) => flaw(&format!("it is no case of {name}: {says}")),
                None => flaw(&format!("there is no rule `{}`", line.rule)),
            };
        }
    }
    match proof.lines.is_empty() {
        true => Ok(Some((0, "a proof has at least one line".to_owned()))),
        false => Ok(None),
    }
}

fn implication(formula: &Formula) -> Option<(&Formula, &Formula)> {
    match formula {
        Or(left, right) => match &**left {
            Not(left) => Some((left, right)),
            _ => None,
        },
        _ => None,
    }
}

/// The two sides of `f <=> g`.
fn equivalence(formula: &Formula) -> Option<(&Formula, &Formula)> {
    let Or(both, neither) = formula else {
        return None;
    };
    match (&**both, &**neither) {
        (And(one, other), And(not_one, not_other)) => match (&**not_one, &**not_other) {
            (Not(first), Not(second)) if first == one && second == other => Some((one, other)),
            _ => None,
        },
        _ => None,
    }
}

fn axiom(formula: &Formula, name: &str, nominals: usize, budget: &Budget) -> Result<bool, Stop> {
    Ok(match name {
        "CT" => return is_tautology(formula, budget),
        "Base" | "Bridge" => match as_condition(formula) {
            Some(condition) => implies(&[], &condition),
            None => false,
        },
        "Dual" => equivalence(formula).is_some_and(|(one, other)| is_dual(one, other)),
        "Dist" => equivalence(formula).is_some_and(|(left, right)| is_distribution(left, right)),
        "Ref" => matches!(formula, At(i, inner) if **inner == Nominal(*i)),
        "AllE" => implication(formula).is_some_and(|(left, right)| match left {
            ForAll(variable, inner) => (0..nominals)
                .any(|nominal| named_by_depth(&with(inner, *variable, nominal), 0) == *right),
            _ => false,
        }),
        _ => implication(formula).is_some_and(|(left, right)| match (name, left, right) {
            ("Bot", At(_, inner), Constant(false)) => **inner == Constant(false),
            ("Scope", At(_, inner), At(..)) => **inner == *right,
            ("Intro", And(name, inner), At(i, same)) => **name == Nominal(*i) && inner == same,
            ("BoxE", And(every, some), At(i, same)) => match (&**every, &**some) {
                (Every(r, inner), Formula::Some(s, goal)) => {
                    r == s && **goal == Nominal(*i) && inner == same
                }
                _ => false,
            },
            _ => false,
        }),
    })
}

fn is_distribution(left: &Formula, right: &Formula) -> bool {
    let (At(i, inner), Some((one, other))) = (left, implication(right)) else {
        return false;
    };
    let inside = implication(inner);
    inside.is_some_and(|(f, g)| {
        *one == At(*i, Box::new(f.clone())) && *other == At(*i, Box::new(g.clone()))
    })
}

/// Whether an operator stands beside what it abbreviates.
fn is_dual(one: &Formula, other: &Formula) -> bool {
    let negated = |formula: &Formula| match formula {
        Not(inner) => Some((**inner).clone()),
        _ => None,
    };
    match (one, other) {
        (Every(r, f), Not(some)) => match &**some {
            Formula::Some(s, inner) => r == s && negated(inner).as_ref() == Some(&**f),
            _ => false,
        },
        (Anywhere(f), Not(every)) => match &**every {
            Everywhere(inner) => negated(inner).as_ref() == Some(&**f),
            _ => false,
        },
        // The variable is bound by nothing else, so that it is not in the rest.
        (Everywhere(f), ForAll(variable, inner)) => match &**inner {
            At(at, rest) => {
                at == variable && !mentions(rest, *variable) && named_by_depth(rest, 0) == **f
            }
            _ => false,
        },
        _ => false,
    }
}

fn rule(formula: &Formula, name: &str, from: &[&Formula], nominals: usize) -> bool {
    match (name, from) {
        ("MP", [one, other]) => {
            implication(other).is_some_and(|(left, right)| left == *one && right == formula)
        }
        ("NAt", [one]) => matches!(formula, At(_, inner) if **inner == **one),
        ("Name", [At(i, inner)]) => **inner == *formula && !mentions(inner, *i),
        ("BoxI", [one]) => {
            let (Some((left, right)), Some((f, goal))) = (implication(one), implication(formula))
            else {
                return false;
            };
            match (left, right, goal) {
                (And(same, some), At(i, g), Every(r, boxed)) => {
                    let arrow = Formula::Some(*r, Box::new(Nominal(*i)));
                    **same == *f
                        && **some == arrow
                        && g == boxed
                        && !mentions(f, *i)
                        && !mentions(g, *i)
                }
                _ => false,
            }
        }
        ("AllI", [one]) => {
            let (Some((left, right)), Some((f, ForAll(variable, inner)))) =
                (implication(one), implication(formula))
            else {
                return false;
            };
            left == f
                && (0..nominals).any(|i| {
                    !mentions(f, i)
                        && !mentions(inner, i)
                        && named_by_depth(&with(inner, *variable, i), 0) == *right
                })
        }
        _ => false,
    }
}

/// Where names of bound variables begin: far beyond those of nominals.
const BOUND: usize = 1 << 40;

/// The same formula, with bound variables named by how many binders are around them: two that
/// differ only in such names are one.
fn named_by_depth(formula: &Formula, depth: usize) -> Formula {
    let again = |inner: &Formula| Box::new(named_by_depth(inner, depth));
    let bound = |variable: usize, inner: &Formula| {
        let fresh = BOUND + depth;
        // Names of binders further inside are given after this one.
        let inner = with(inner, variable, fresh);
        Box::new(named_by_depth(&inner, depth + 1))
    };
    match formula {
        Constant(_) | Base(_) | Nominal(_) => formula.clone(),
        Not(inner) => Not(again(inner)),
        And(one, other) => And(again(one), again(other)),
        Or(one, other) => Or(again(one), again(other)),
        At(i, inner) => At(*i, again(inner)),
        Formula::Some(r, inner) => Formula::Some(*r, again(inner)),
        Every(r, inner) => Every(*r, again(inner)),
        Anywhere(inner) => Anywhere(again(inner)),
        Everywhere(inner) => Everywhere(again(inner)),
        ForAll(variable, inner) => ForAll(BOUND + depth, bound(*variable, inner)),
        Here(variable, inner) => Here(BOUND + depth, bound(*variable, inner)),
    }
}

/// The formula with one name for another where it is free.
fn with(formula: &Formula, old: usize, new: usize) -> Formula {
    let again = |inner: &Formula| Box::new(with(inner, old, new));
    let name = |i: usize| if i == old { new } else { i };
    match formula {
        Constant(_) | Base(_) => formula.clone(),
        Nominal(i) => Nominal(name(*i)),
        Not(inner) => Not(again(inner)),
        And(one, other) => And(again(one), again(other)),
        Or(one, other) => Or(again(one), again(other)),
        At(i, inner) => At(name(*i), again(inner)),
        Formula::Some(r, inner) => Formula::Some(*r, again(inner)),
        Every(r, inner) => Every(*r, again(inner)),
        Anywhere(inner) => Anywhere(again(inner)),
        Everywhere(inner) => Everywhere(again(inner)),
        ForAll(variable, _) | Here(variable, _) if *variable == old => formula.clone(),
        ForAll(variable, inner) => ForAll(*variable, again(inner)),
        Here(variable, inner) => Here(*variable, again(inner)),
    }
}

/// Whether a name is in a formula.
fn mentions(formula: &Formula, name: usize) -> bool {
    let mut found = false;
    formula.visit(&mut |part| {
        found |= matches!(part, Nominal(i) | At(i, _) if *i == name);
    });
    found
}

/// A formula of base sentences alone, as one condition.
fn as_condition(formula: &Formula) -> Option<Condition> {
    Some(match formula {
        Constant(true) => Condition::And(Vec::new()),
        Constant(false) => Condition::Or(Vec::new()),
        Base(Sentence::Condition(condition)) => condition.clone(),
        Not(inner) => as_condition(inner)?.negated(),
        And(one, other) => Condition::And(vec![as_condition(one)?, as_condition(other)?]),
        Or(one, other) => Condition::Or(vec![as_condition(one)?, as_condition(other)?]),
        _ => return None,
    })
}

/// Whether a formula is true whatever its parts are that are no connectives.
fn is_tautology(formula: &Formula, budget: &Budget) -> Result<bool, Stop> {
    let mut parts: Vec<&Formula> = Vec::new();
    gather(formula, &mut parts);
    if parts.len() > MOST_PARTS {
        return Err(Stop::bound(
            "different parts of a tautology",
            MOST_PARTS as u64,
        ));
    }
    for values in 0..1u64 << parts.len() {
        budget.charge(1)?;
        if !value(formula, &parts, values) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn gather<'a>(formula: &'a Formula, parts: &mut Vec<&'a Formula>) {
    match formula {
        Constant(_) => {}
        Not(inner) => gather(inner, parts),
        And(one, other) | Or(one, other) => {
            gather(one, parts);
            gather(other, parts);
        }
        part if !parts.contains(&part) => parts.push(part),
        _ => {}
    }
}

fn value(formula: &Formula, parts: &[&Formula], values: u64) -> bool {
    match formula {
        Constant(value) => *value,
        Not(inner) => !value(inner, parts, values),
        And(one, other) => value(one, parts, values) && value(other, parts, values),
        Or(one, other) => value(one, parts, values) || value(other, parts, values),
        part => {
            let at = parts.iter().position(|other| *other == part);
            at.is_some_and(|at| values >> at & 1 == 1)
        }
    }
}
