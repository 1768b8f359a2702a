//! What is to be told apart of the tokens of places, for kinds of markings.

use crate::formula::{Formula, Linear};
use crate::levels::Level;
use crate::net::{Guard, Net};

/// The largest cap.
const MOST_COUNTED: u64 = 4_000;

/// What is to be told apart of the tokens of a place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Want {
    /// Whether there are at least so many.
    From(u64),
    /// Every number up to this one.
    Count(u64),
}

/// What a formula about single places needs; the rest is found.
pub(crate) fn first_levels(net: &Net, formula: &Formula, levels: &mut [Level]) {
    let mut tell = |(place, want): (usize, Want)| {
        told(&mut levels[place], want);
    };
    match formula {
        Formula::Truth(_) | Formula::Dead => {}
        Formula::Not(inner) => first_levels(net, inner, levels),
        Formula::All(parts) | Formula::Any(parts) => {
            for part in parts {
                first_levels(net, part, levels);
            }
        }
        Formula::AtLeast(Linear { terms, least }) => {
            if let [(place, 1)] = terms[..] {
                tell((place, Want::From(u64::try_from(*least).unwrap_or(0))));
            }
            if let [(place, -1)] = terms[..] {
                let most = least
                    .checked_neg()
                    .and_then(|most| u64::try_from(most).ok());
                tell((place, Want::From(most.map_or(0, |most| most + 1))));
            }
        }
        Formula::Fireable(one) => {
            let guards = net.transitions[*one].guard.iter();
            guards.flat_map(guarded).for_each(tell);
        }
    }
}

/// What is to be told apart to know whether a guard is fulfilled.
pub(crate) fn guarded(guard: &Guard) -> impl Iterator<Item = (usize, Want)> + use<> {
    let above = guard.most.map(|most| most.saturating_add(1));
    let place = guard.place;
    [Some(guard.least), above]
        .into_iter()
        .flatten()
        .map(move |from| (place, Want::From(from)))
}

/// Tells apart what is wanted, unless it is or that is too much; says whether it did.
pub(crate) fn told(level: &mut Level, want: Want) -> bool {
    match want {
        Want::From(from) if matches!(level, Level::From(_)) || level.is_nothing() => {
            level.tell(from)
        }
        Want::From(tokens) | Want::Count(tokens) => {
            tokens.max(level.last()) <= MOST_COUNTED && level.count(tokens)
        }
    }
}
