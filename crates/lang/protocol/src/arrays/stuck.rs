//! That nobody can take a step, as something that must never happen.
//!
//! It is said of all processes, and a proof looks at a few of them: at those whom globals hold, of
//! whom there is always known whether they are there; where globals hold nobody, at any one.

use quotient_arrays::{Formula, Relation, Term, Transition, VariableId};

use super::conditions::all_of;
use super::{Field, Lowered};
use crate::model::{Nature, Protocol};

/// The most ways in which globals may hold the same processes or different ones.
const MOST_WAYS: usize = 60;

impl Lowered {
    /// The ways in which nobody can take a step: with each of them, whom the globals hold.
    ///
    /// None where that is too long to be written out: it grows with the witnesses of the steps and with
    /// those whom globals hold.
    pub(super) fn stuck(&self, protocol: &Protocol) -> Option<Vec<(usize, Formula)>> {
        let mut ways: Vec<(usize, Vec<Formula>)> = vec![(0, Vec::new())];
        for (field, variable) in self.fields.iter().zip(&protocol.fields) {
            let (
                Field::Holder {
                    variable: holder,
                    nobody,
                },
                Some(mark),
            ) = (field, variable.mark)
            else {
                continue;
            };
            let mut next = Vec::new();
            for (places, known) in &ways {
                let none = self.flag(*nobody, &[]);
                if mark.optional {
                    next.push((*places, [&known[..], std::slice::from_ref(&none)].concat()));
                }
                for place in 0..=*places {
                    let cell = Term::Cell(quotient_arrays::Place {
                        variable: *holder,
                        at: Vec::new(),
                    });
                    let held = Formula::Compare(cell, Relation::Same, Term::Process(place));
                    let held = [none.negated(), held];
                    next.push(((*places).max(place + 1), [&known[..], &held].concat()));
                }
            }
            if next.len() > MOST_WAYS {
                break;
            }
            ways = next;
        }
        // What does not count: what goes wrong, and what an assumption about all states may forbid.
        let counts = |transition: &&Transition| {
            let mut updates = transition.updates.iter();
            protocol.nature(&transition.name) != Nature::Fault
                && !updates.any(|update| speaks_of(&self.system.always, update.variable))
        };
        let mut room = MOST_COMPARED;
        let ways = ways.into_iter().map(|(places, mut known)| {
            let places = places.max(1);
            for transition in self.system.transitions.iter().filter(counts) {
                known.push(impossible(transition, &mut Vec::new(), places, &mut room)?);
            }
            Some((places, all_of(known)))
        });
        ways.collect()
    }
}

/// The most comparisons of all that is written out.
const MOST_COMPARED: usize = 50_000;

/// That no processes can take a transition: whichever of those that are spoken of, and of all others.
fn impossible(
    transition: &Transition,
    who: &mut Vec<usize>,
    places: usize,
    room: &mut usize,
) -> Option<Formula> {
    if who.len() == transition.processes {
        return Some(placed(&transition.guard, who, places, room)?.negated());
    }
    let mut all = Vec::new();
    for place in (0..places)
        .filter(|place| !who.contains(place))
        .collect::<Vec<_>>()
    {
        who.push(place);
        all.push(impossible(transition, who, places, room)?);
        who.pop();
    }
    who.push(places);
    let other = impossible(transition, who, places + 1, room)?;
    who.pop();
    all.push(match other == Formula::TRUE {
        true => Formula::TRUE,
        false => Formula::ForallOther(Box::new(other)),
    });
    Some(all_of(all))
}

/// A formula of some processes, said of these among so many that are spoken of; nothing if there is no
/// more room for it.
fn placed(formula: &Formula, who: &[usize], places: usize, room: &mut usize) -> Option<Formula> {
    let spoken = || (0..places).filter(|place| !who.contains(place));
    // Those who are spoken of, too, are others here.
    let with = |body: &Formula, place: usize, room: &mut usize| {
        let who = [who, &[place]].concat();
        placed(body, &who, places.max(place + 1), room)
    };
    let with_spoken = |body: &Formula, room: &mut usize| -> Option<Vec<Formula>> {
        spoken().map(|place| with(body, place, room)).collect()
    };
    let each = |parts: &[Formula], room: &mut usize| -> Option<Vec<Formula>> {
        let parts = parts.iter();
        parts.map(|part| placed(part, who, places, room)).collect()
    };
    *room = room.checked_sub(1)?;
    Some(match formula {
        Formula::And(parts) => all_of(each(parts, room)?),
        Formula::Or(parts) => Formula::Or(each(parts, room)?),
        Formula::Compare(..) => formula.moved(&|place| who[place]),
        Formula::ForallOther(body) => {
            let mut all = with_spoken(body, room)?;
            all.push(Formula::ForallOther(Box::new(with(body, places, room)?)));
            all_of(all)
        }
        Formula::ExistsOther(body) => {
            let mut any = with_spoken(body, room)?;
            any.push(Formula::ExistsOther(Box::new(with(body, places, room)?)));
            Formula::Or(any)
        }
        Formula::Enough(amount) => Formula::Enough(amount.clone()),
        Formula::Many(body, amount) => {
            Formula::Many(Box::new(with(body, places, room)?), amount.clone())
        }
        Formula::Few(body, amount) => {
            Formula::Few(Box::new(with(body, places, room)?), amount.clone())
        }
    })
}

/// Whether a formula asks for a variable.
fn speaks_of(formula: &Formula, variable: VariableId) -> bool {
    let of = |term: &Term| match term {
        Term::Cell(place) => place.variable == variable,
        Term::Sum(parts, _) => parts.iter().any(|(_, place)| place.variable == variable),
        Term::Constant(_) | Term::Process(_) => false,
    };
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().any(|part| speaks_of(part, variable))
        }
        Formula::Compare(left, _, right) => of(left) || of(right),
        Formula::ForallOther(body)
        | Formula::ExistsOther(body)
        | Formula::Many(body, _)
        | Formula::Few(body, _) => speaks_of(body, variable),
        Formula::Enough(_) => false,
    }
}
