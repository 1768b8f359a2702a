//! What a basis of markings has to cover, found for the checker alone: nothing of the search that
//! finds bases is used here.

use quotient_core::{Budget, Rejection, Stop};

use crate::certify::too_large;
use crate::formula::Linear;
use crate::net::{Net, Transition};

/// The most markings before one step that are looked at.
const MOST_SOURCES: usize = 100_000;

/// A marking that all that fulfil the inequalities are at least as large as: each asks for
/// tokens in one place. What asks for few tokens is not used.
pub(crate) fn least(net: &Net, alternative: &[Linear]) -> Result<Vec<u64>, Rejection> {
    let mut least = vec![0_u64; net.places.len()];
    for linear in alternative {
        match linear.terms[..] {
            [(place, 1)] if linear.least > 0 => {
                least[place] = least[place].max(linear.least.unsigned_abs());
            }
            [(_, 1 | -1)] => {}
            _ => return Err(Rejection::wrong("the target is not upward closed")),
        }
    }
    Ok(least)
}

/// Markings such that each from which the transition leads to at least `after` is at least
/// one of them. Upper limits of guards are not used: without them it leads from more.
pub(crate) fn sources(
    transition: &Transition,
    after: &[u64],
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, Rejection> {
    let mut least = Vec::with_capacity(after.len());
    for (place, &demanded) in after.iter().enumerate() {
        let changes = transition.effect.iter().filter(|(own, _)| *own == place);
        let change: i128 = changes.map(|&(_, change)| i128::from(change)).sum();
        let kept = match transition.assign.iter().any(|one| one.place == place) {
            true => 0,
            false => i128::from(demanded) - change,
        };
        let guards = transition.guard.iter().filter(|one| one.place == place);
        let guard = guards.map(|one| i128::from(one.least)).max().unwrap_or(0);
        least.push(u64::try_from(kept.max(guard)).map_err(|_| too_large())?);
    }
    let mut sources = vec![least];
    for assign in &transition.assign {
        let demanded = i128::from(after[assign.place]) - i128::from(assign.plus);
        let mut raised = Vec::new();
        for source in sources {
            raise(&source, &assign.sum, 0, demanded, &mut raised, budget)?;
        }
        sources = raised;
    }
    Ok(sources)
}

/// All ways to raise places of a sum, from one on, until it is large enough.
fn raise(
    marking: &[u64],
    sum: &[usize],
    from: usize,
    demanded: i128,
    out: &mut Vec<Vec<u64>>,
    budget: &Budget,
) -> Result<(), Rejection> {
    budget.charge(1)?;
    let total: i128 = sum.iter().map(|&place| i128::from(marking[place])).sum();
    if total >= demanded {
        if out.len() >= MOST_SOURCES {
            let bound = Stop::bound("the markings before a transfer", MOST_SOURCES as u64);
            return Err(bound.into());
        }
        out.push(marking.to_vec());
        return Ok(());
    }
    // With no place left to raise, there is no way to get there.
    let Some(&place) = sum.get(from) else {
        return Ok(());
    };
    let times = sum.iter().filter(|&&other| other == place).count() as i128;
    let missing = demanded - total;
    let most = missing / times + i128::from(missing % times > 0);
    let most = u64::try_from(most).map_err(|_| too_large())?;
    for more in 0..=most {
        let mut raised = marking.to_vec();
        raised[place] = raised[place].checked_add(more).ok_or_else(too_large)?;
        raise(&raised, sum, from + 1, demanded, out, budget)?;
    }
    Ok(())
}
