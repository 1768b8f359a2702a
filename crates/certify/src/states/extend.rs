//! Whether a state goes on for ever on a fair path.

use quotient_core::{Budget, Stop};
use quotient_states::{ExpressionId, Model, State};
use rustsat::types::Lit;

use super::circuit::Circuit;
use super::encode::{Encoding, Frame};

/// Paths of these lengths are looked for.
const LENGTHS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// No more expressions than this are written down for one length.
const MOST_EXPRESSIONS: usize = 1 << 21;

/// How long the solver may look at one length, in units that do not depend on the clock.
const MOST_WORK: u64 = 1 << 20;

/// A path from a state that comes back to itself, and where to: the first state is the given
/// one with inputs of its own. `None` if none was found, though there may be one. What is found
/// must be replayed: nothing here is to be believed.
pub(super) fn fair_continuation(
    model: &Model,
    from: &State,
    strong: bool,
    budget: &Budget,
) -> Result<Option<(Vec<State>, usize)>, Stop> {
    let size = model.expressions.nodes().len().max(1);
    for length in LENGTHS {
        if length.saturating_mul(size) > MOST_EXPRESSIONS {
            break;
        }
        let share = budget.child_with_work(MOST_WORK);
        match path(model, from, strong, length, &share) {
            Ok(None) | Err(Stop::Work) => budget.poll()?,
            found => return found,
        }
    }
    Ok(None)
}

/// Such a path of at most a number of states.
fn path(
    model: &Model,
    from: &State,
    strong: bool,
    length: usize,
    budget: &Budget,
) -> Result<Option<(Vec<State>, usize)>, Stop> {
    let circuit = &mut Circuit::new(budget);
    let first = Frame::new(circuit, model, None);
    let Some(mut supposed) = first.is_state(model, from) else {
        return Ok(None);
    };
    let mut frames = vec![first];
    let pairs = model
        .compassion
        .iter()
        .flat_map(|&(when, then)| [when, then]);
    let lists = [&model.invariants[..], &model.transitions, &model.justice].concat();
    let roots: Vec<ExpressionId> = lists.into_iter().chain(pairs).collect();
    let mut encodings = Vec::new();
    for at in 0..length {
        let next = Frame::new(circuit, model, Some(&frames[at]));
        let here = roots.iter().copied();
        let here = Encoding::new(circuit, model, here, &frames[at], Some(&next), budget)?;
        for &id in model.invariants.iter().chain(&model.transitions) {
            supposed.push(here.surely(circuit, id, true));
        }
        supposed.push(frames[at].in_domain(circuit, model));
        encodings.push(here);
        frames.push(next);
    }
    // The state after the last is one of the others: the loop starts there.
    let mut starts: Vec<Lit> = Vec::new();
    for at in 0..length {
        starts.push(frames[length].same_state(circuit, model, &frames[at]));
    }
    let mut inside: Vec<Lit> = Vec::new();
    let mut taken = circuit.constant(false);
    for &start in &starts {
        // The first start that fits counts: from there on all states are in the loop.
        taken = circuit.or(taken, start);
        inside.push(taken);
    }
    supposed.push(taken);
    let somewhere = |circuit: &mut Circuit, id: ExpressionId| {
        let mut found = circuit.constant(false);
        for (here, &inside) in encodings.iter().zip(&inside) {
            let there = here.surely(circuit, id, true);
            let there = circuit.and(there, inside);
            found = circuit.or(found, there);
        }
        found
    };
    for &condition in &model.justice {
        supposed.push(somewhere(circuit, condition));
    }
    if strong {
        for &(when, then) in &model.compassion {
            let (when, then) = (somewhere(circuit, when), somewhere(circuit, then));
            supposed.push(circuit.or(!when, then));
        }
    }
    if !circuit.possible(&supposed)? {
        return Ok(None);
    }
    let back_to = starts.iter().position(|&start| circuit.value(start));
    let states: Option<Vec<State>> = frames[..length]
        .iter()
        .map(|frame| frame.state(circuit, model))
        .collect();
    Ok(states.zip(back_to))
}
