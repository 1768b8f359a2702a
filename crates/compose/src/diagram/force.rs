//! In which order components are asked for.

use crate::Network;

/// Rounds of pulling components together.
const ROUNDS: usize = 60;

/// An order in which components that act together are near each other: all events pull those that
/// take part to their centre, again and again (FORCE: Aloul, Markov and Sakallah 2003). The order in
/// which events reach from one end to the other the least is taken.
pub(super) fn order(network: &Network) -> Vec<usize> {
    let components = network.components();
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); network.events().count() + 1];
    for (at, component) in components.iter().enumerate() {
        for event in component.lts.alphabet() {
            if let Some(takers) = takers.get_mut(event.index()) {
                takers.push(at);
            }
        }
    }
    takers.retain(|takers| takers.len() > 1);
    let mut place: Vec<usize> = (0..components.len()).collect();
    let span = |place: &[usize]| -> usize {
        let length = |takers: &Vec<usize>| {
            let places = || takers.iter().map(|&at| place[at]);
            places().max().unwrap_or(0) - places().min().unwrap_or(0)
        };
        takers.iter().map(length).sum()
    };
    let mut best = (span(&place), place.clone());
    for _ in 0..ROUNDS {
        let mut pull = vec![(0.0f64, 0.0f64); components.len()];
        for takers in &takers {
            let sum: f64 = takers.iter().map(|&at| place[at] as f64).sum();
            let centre = sum / takers.len() as f64;
            for &at in takers {
                pull[at] = (pull[at].0 + centre, pull[at].1 + 1.0);
            }
        }
        let target = |at: usize| match pull[at] {
            (_, 0.0) => place[at] as f64,
            (sum, many) => sum / many,
        };
        let mut sorted: Vec<usize> = (0..components.len()).collect();
        sorted.sort_by(|&one, &other| target(one).total_cmp(&target(other)));
        for (new, &at) in sorted.iter().enumerate() {
            place[at] = new;
        }
        let now = span(&place);
        if now < best.0 {
            best = (now, place.clone());
        }
    }
    let mut order: Vec<usize> = (0..components.len()).collect();
    order.sort_by_key(|&at| best.1[at]);
    order
}
