//! In which order the places of a net stand in a decision diagram.
//!
//! Places that a transition touches together should stand near each other. Beginnings are the
//! order of the file and a greedy one; FORCE (Aloul, Markov and Sakallah, GLSVLSI 2003) improves them by
//! moving places to the middle of their transitions.

use crate::net::Net;

/// How often places are moved.
const ROUNDS: usize = 60;
/// The most places that the greedy order is made for.
const MOST_GREEDY: usize = 4_000;

/// The places, each once, in a good order.
pub(crate) fn order(net: &Net) -> Vec<usize> {
    let touched: Vec<Vec<usize>> = net.transitions.iter().map(places_of).collect();
    let as_written: Vec<usize> = (0..net.places.len()).collect();
    let mut all = vec![as_written.clone(), forced(&touched, as_written)];
    if net.places.len() <= MOST_GREEDY {
        let greedy = greedy(&touched, net.places.len());
        all.push(greedy.clone());
        all.push(forced(&touched, greedy));
    }
    let mut best = all
        .into_iter()
        .min_by_key(|one| cost(&touched, one).0)
        .unwrap_or_default();
    // What happens near the end is done first: there should be much of it.
    let (span, tops) = cost(&touched, &best);
    let largest = touched.iter().filter(|one| !one.is_empty()).count() * best.len();
    let bottoms = tops + span;
    if largest.saturating_sub(bottoms) > tops {
        best.reverse();
    }
    best
}

/// The places that a transition tests or changes.
pub(crate) fn places_of(transition: &crate::net::Transition) -> Vec<usize> {
    let tested = transition.guard.iter().map(|guard| guard.place);
    let changed = transition.effect.iter().map(|one| one.0);
    let mut all: Vec<usize> = tested.chain(changed).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// How far transitions reach from their first place to their last, and where they begin.
fn cost(touched: &[Vec<usize>], order: &[usize]) -> (usize, usize) {
    let levels = levels(order);
    let (mut span, mut tops) = (0, 0);
    for places in touched {
        let at = || places.iter().map(|&place| levels[place]);
        if let (Some(first), Some(last)) = (at().min(), at().max()) {
            span += last - first;
            tops += first;
        }
    }
    (span, tops)
}

/// The level of each place.
pub(crate) fn levels(order: &[usize]) -> Vec<usize> {
    let mut levels = vec![0; order.len()];
    for (level, &place) in order.iter().enumerate() {
        levels[place] = level;
    }
    levels
}

fn forced(touched: &[Vec<usize>], from: Vec<usize>) -> Vec<usize> {
    let mut best = from.clone();
    let mut least = cost(touched, &best).0;
    let mut order = from;
    for _ in 0..ROUNDS {
        let levels = levels(&order);
        let mut pulls = vec![(0.0_f64, 0_u32); order.len()];
        for places in touched.iter().filter(|places| !places.is_empty()) {
            let sum: usize = places.iter().map(|&place| levels[place]).sum();
            let middle = sum as f64 / places.len() as f64;
            for &place in places {
                pulls[place].0 += middle;
                pulls[place].1 += 1;
            }
        }
        let wish = |place: usize| match pulls[place] {
            (_, 0) => levels[place] as f64,
            (sum, number) => sum / f64::from(number),
        };
        let mut next = order.clone();
        next.sort_by(|&one, &other| wish(one).total_cmp(&wish(other)));
        let now = cost(touched, &next).0;
        if now < least {
            least = now;
            best.clone_from(&next);
        }
        if next == order {
            break;
        }
        order = next;
    }
    best
}

/// Always the place that most belongs to what was begun.
fn greedy(touched: &[Vec<usize>], places: usize) -> Vec<usize> {
    let mut of_place = vec![Vec::new(); places];
    for (number, all) in touched.iter().enumerate() {
        for &place in all {
            of_place[place].push(number);
        }
    }
    let mut begun = vec![0_usize; touched.len()];
    let mut placed = vec![false; places];
    // What each place would gain: it changes only where a transition of the place begins or
    // gets nearer to its end.
    let gain = |place: usize, begun: &[usize]| -> f64 {
        let mut sum = 0.0;
        for &one in &of_place[place] {
            let size = touched[one].len() as f64;
            sum += match begun[one] {
                0 => -0.2,
                number if number + 1 == touched[one].len() => 2.0,
                number => number as f64 / size,
            };
        }
        sum / (of_place[place].len().max(1) as f64)
    };
    let mut gains: Vec<f64> = (0..places).map(|place| gain(place, &begun)).collect();
    let few = |place: &usize| of_place[*place].len();
    let first = (0..places).filter(|place| few(place) > 0).min_by_key(few);
    let mut order = Vec::with_capacity(places);
    let mut next = first.or((places > 0).then_some(0));
    while let Some(place) = next {
        placed[place] = true;
        order.push(place);
        for &one in &of_place[place] {
            begun[one] += 1;
        }
        for &one in &of_place[place] {
            for &other in touched[one].iter().filter(|&&other| !placed[other]) {
                gains[other] = gain(other, &begun);
            }
        }
        let left = (0..places).filter(|&place| !placed[place]);
        // The first of the best.
        next = left.reduce(|best, one| match gains[one] > gains[best] {
            true => one,
            false => best,
        });
    }
    order
}
