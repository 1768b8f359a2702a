//! Whether a set of states proves that something is always true.

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula, Kind as Says, Unary};
use quotient_states::{ExpressionId, Kind, Model, StateSet};
use rustsat::types::Lit;

use super::StatesQuestion;
use super::circuit::Circuit;
use super::encode::{Encoding, Frame};

/// So many decisions are few.
const SOON: u64 = 20_000;

/// Which states count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// All that are reached.
    All,
    /// Those with a step, and so all states of paths without end.
    Endless,
}

/// Three questions to a SAT solver, each of which must have no answer: an initial state outside
/// of the set, a step from the set to a legal state outside, a legal state of the set (with a
/// step, if the property speaks about it) where the property is not surely true. Before, that
/// there is an initial state at all.
pub(super) fn prove(
    question: &StatesQuestion,
    set: &StateSet,
    paths: Paths,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let Some(always) = question.always() else {
        let message = "the property is no invariant, so a set of states does not prove it";
        return Err(Rejection::wrong(message));
    };
    let model = question.model;
    let circuit = &mut Circuit::new(budget);
    let now = Frame::new(circuit, model, None);
    let next = Frame::new(circuit, model, Some(&now));
    let constraints = [&model.initial[..], &model.invariants, &model.transitions].concat();
    let atoms = always.atoms().into_iter().copied();
    let roots = constraints.into_iter().chain(atoms);
    let here = Encoding::new(circuit, model, roots, &now, Some(&next), budget)?;
    let invariants = model.invariants.iter().copied();
    let there = Encoding::new(circuit, model, invariants, &next, None, budget)?;
    let mut perhaps = |encoding: &Encoding, conditions: &[ExpressionId]| -> Vec<Lit> {
        let conditions = conditions.iter();
        conditions
            .map(|&id| encoding.perhaps(circuit, id))
            .collect()
    };
    let mut legal = perhaps(&here, &model.invariants);
    let initial = perhaps(&here, &model.initial);
    let mut step = perhaps(&here, &model.transitions);
    step.extend(perhaps(&there, &model.invariants));
    legal.push(now.in_domain(circuit, model));
    step.push(next.in_domain(circuit, model));

    let empty = !has_initial_state(question, circuit, &here, &now)?;
    if empty && !question.allow_empty {
        let why = "the model has no initial state, so everything is always true in it";
        return Err(Stop::inconclusive(why).into());
    }
    let inside = encode_set(circuit, model, set, &now)?.0;
    let (inside_next, sets_next) = encode_set(circuit, model, set, &next)?;
    let fails = !surely(circuit, &here, &always).0;
    let premise = circuit.all([&legal[..], &step, &[inside]].concat());
    let parts = parts(set).into_iter();
    let parts: Vec<Lit> = parts.filter_map(|one| get(&sets_next, one)).collect();
    let outside = "an initial state is outside of the set";
    match paths {
        Paths::All => never(circuit, &[&legal, &initial, &[!inside]], outside)?,
        Paths::Endless => never(circuit, &[&legal, &initial, &step, &[!inside]], outside)?,
    }
    if leads_out(circuit, premise, inside_next, &parts)? {
        return Err(Rejection::wrong("a step of the model leaves the set"));
    }
    let allowed = "a state of the set violates the property";
    match paths == Paths::Endless || question.is_about_steps(&always) {
        true => never(circuit, &[&legal, &step, &[inside, fails]], allowed)?,
        false => never(circuit, &[&legal, &[inside, fails]], allowed)?,
    }
    let start = match empty {
        true => "the model has no initial state",
        false => "every initial state is in the set",
    };
    Ok(vec![
        start.to_owned(),
        "no step leaves it".to_owned(),
        "no state of it violates the property".to_owned(),
    ])
}

/// Looks for an initial state, and evaluates what is found.
pub(super) fn has_initial_state(
    question: &StatesQuestion,
    circuit: &mut Circuit,
    here: &Encoding,
    now: &Frame,
) -> Result<bool, Stop> {
    let model = question.model;
    let mut supposed = vec![now.in_domain(circuit, model)];
    for &id in model.initial.iter().chain(&model.invariants) {
        supposed.push(here.surely(circuit, id, true));
    }
    if !circuit.possible(&supposed)? {
        return Ok(false);
    }
    let found = now.state(circuit, model);
    Ok(found.is_some_and(|state| model.is_initial(&state)))
}

/// Some states must not be possible.
fn never(circuit: &mut Circuit, supposed: &[&[Lit]], flaw: &str) -> Result<(), Rejection> {
    match circuit.possible(&supposed.concat())? {
        true => Err(Rejection::wrong(flaw)),
        false => Ok(()),
    }
}

/// Whether a step leads out of a set. Where that is not soon said, it is asked of one part of the set
/// after the other: what is shown of one (that whatever leads there is in it) is known to the next, as
/// with the carries of a sum.
fn leads_out(
    circuit: &mut Circuit,
    premise: Lit,
    inside: Lit,
    parts: &[Lit],
) -> Result<bool, Stop> {
    if let Some(found) = circuit.possible_within(&[premise, !inside], SOON)? {
        return Ok(found);
    }
    for &part in parts {
        if !circuit.possible(&[premise, !part])? {
            circuit.learn(&[!premise, part]);
        }
    }
    circuit.possible(&[premise, !inside])
}

/// The set and larger ones of which it is the last, where it is written as a list of clauses: each node
/// of a clause says *all that were before*, or goes on with the rest of the clause. (What is found here
/// only says in which order to ask.)
fn parts(set: &StateSet) -> Vec<u32> {
    const FALSE: u32 = 1;
    let sides = |reference: u32| {
        let number = (reference >> 1)
            .checked_sub(1)
            .filter(|_| reference & 1 == 0)?;
        let &(_, _, high, low) = set.nodes.get(number as usize)?;
        Some((high, low))
    };
    let before = |reference: u32| {
        let (high, low) = sides(reference)?;
        let ways = [(high, low), (low, high)].into_iter();
        ways.filter(|&(all, _)| all != FALSE)
            .find_map(|(all, mut rest)| {
                while rest != FALSE {
                    rest = match sides(rest)? {
                        (high, low) if high == all => low,
                        (high, low) if low == all => high,
                        _ => return None,
                    };
                }
                Some(all)
            })
    };
    let mut parts = vec![set.root];
    while let Some(larger) = parts.last().and_then(|&last| before(last)) {
        parts.push(larger);
    }
    parts.reverse();
    parts
}

/// The set that a reference stands for.
fn get(sets: &[Lit], reference: u32) -> Option<Lit> {
    let set = *sets.get((reference >> 1) as usize)?;
    Some(if reference & 1 == 1 { !set } else { set })
}

/// The set in one state: one gate for each node that is listed. All sets are given, too.
fn encode_set(
    circuit: &mut Circuit,
    model: &Model,
    set: &StateSet,
    frame: &Frame,
) -> Result<(Lit, Vec<Lit>), Rejection> {
    let malformed = || Rejection::unreadable("the set is no decision diagram");
    let mut variables = Vec::new();
    for name in &set.variables {
        let found = model.find(name).ok_or_else(|| unknown(name))?;
        if model.variables[found.0].kind == Kind::Input {
            let message = format!("`{name}` is an input, not a part of states");
            return Err(Rejection::wrong(message));
        }
        if variables.contains(&found) {
            let message = format!("the set lists `{name}` twice");
            return Err(Rejection::unreadable(message));
        }
        variables.push(found);
    }
    let mut sets = vec![circuit.constant(true)];
    for &(variable, bit, high, low) in &set.nodes {
        let variable = variables.get(variable as usize).ok_or_else(malformed)?;
        let test = frame.bit(*variable, bit).ok_or_else(malformed)?;
        let high = get(&sets, high).ok_or_else(malformed)?;
        let low = get(&sets, low).ok_or_else(malformed)?;
        sets.push(circuit.choose(test, high, low));
    }
    let root = get(&sets, set.root).ok_or_else(malformed)?;
    Ok((root, sets))
}

/// That a formula without temporal operators is surely true, and that it is surely false. (It may be
/// neither: where it has no value, or by an operator that is temporal.)
pub(super) fn surely(
    circuit: &mut Circuit,
    encoding: &Encoding,
    formula: &Formula<ExpressionId>,
) -> (Lit, Lit) {
    match &formula.kind {
        Says::Constant(value) => (circuit.constant(*value), circuit.constant(!*value)),
        Says::Atom(atom) => (
            encoding.surely(circuit, *atom, true),
            encoding.surely(circuit, *atom, false),
        ),
        Says::Unary(Unary::Not, operand) => {
            let (yes, no) = surely(circuit, encoding, operand);
            (no, yes)
        }
        Says::Binary(operator, left, right) => {
            let left = surely(circuit, encoding, left);
            let right = surely(circuit, encoding, right);
            let both = circuit.and(left.0, right.0);
            let neither = circuit.and(left.1, right.1);
            let only_left = circuit.and(left.0, right.1);
            let only_right = circuit.and(left.1, right.0);
            match operator {
                Binary::And => (both, circuit.or(left.1, right.1)),
                Binary::Or => (circuit.or(left.0, right.0), neither),
                Binary::Implies => (circuit.or(left.1, right.0), only_left),
                Binary::Iff => {
                    let differ = circuit.or(only_left, only_right);
                    (circuit.or(both, neither), differ)
                }
                Binary::Xor => {
                    let same = circuit.or(both, neither);
                    (circuit.or(only_left, only_right), same)
                }
                _ => (circuit.constant(false), circuit.constant(false)),
            }
        }
        _ => (circuit.constant(false), circuit.constant(false)),
    }
}

pub(super) fn unknown(name: &str) -> Rejection {
    Rejection::wrong(format!("`{name}` is no variable of the model"))
}
