//! Few boxes that cover a set of valuations: a small disjunctive form over finite domains.
//!
//! Exact minimisation is a set cover; here boxes grow greedily from one uncovered point after
//! the other, as in the expansion step of ESPRESSO (Brayton et al. 1984). Valuations that never
//! come about belong to no universe and so do not stand in the way.

use crate::model::Value;

/// For each variable the values that are allowed, sorted.
pub(super) type Cube = Vec<Vec<Value>>;

/// Boxes that contain of the universe just the points that are wanted; nothing if that takes
/// more than `most` boxes.
///
/// Which variable is let go first matters: both orders are tried, the fewer boxes and the fewer
/// conditions in them count.
pub(super) fn cover(universe: &[&[Value]], wanted: &[bool], most: usize) -> Option<Vec<Cube>> {
    let domains = domains(universe);
    let forward: Vec<usize> = (0..domains.len()).collect();
    let backward: Vec<usize> = (0..domains.len()).rev().collect();
    let conditions = |cubes: &Vec<Cube>| {
        let bounded = |cube: &Cube| cube.iter().zip(&domains).filter(|(a, b)| a != b).count();
        cubes.iter().map(bounded).sum::<usize>()
    };
    [backward, forward]
        .iter()
        .filter_map(|order| cover_in_order(universe, wanted, &domains, order, most))
        .min_by_key(|cubes| (cubes.len(), conditions(cubes)))
}

fn cover_in_order(
    universe: &[&[Value]],
    wanted: &[bool],
    domains: &Cube,
    order: &[usize],
    most: usize,
) -> Option<Vec<Cube>> {
    let mut covered = vec![false; universe.len()];
    let mut cubes = Vec::new();
    while let Some(seed) = (0..universe.len()).find(|&point| wanted[point] && !covered[point]) {
        if cubes.len() == most {
            return None;
        }
        let cube = grown(universe[seed], domains, order, universe, wanted);
        for (point, covered) in universe.iter().zip(&mut covered) {
            *covered |= contains(&cube, point);
        }
        cubes.push(cube);
    }
    Some(cubes)
}

/// A box with the same points of the universe, where a variable that is bounded and has only one
/// value inside is bounded to just that: `at = critical` says more than `at != spins`.
pub(super) fn tightened(mut cube: Cube, universe: &[&[Value]]) -> Cube {
    let inside: Vec<&[Value]> = universe
        .iter()
        .copied()
        .filter(|point| contains(&cube, point))
        .collect();
    let all = domains(universe);
    for (variable, values) in domains(&inside).into_iter().enumerate() {
        if values.len() == 1 && cube[variable] != all[variable] {
            cube[variable] = values;
        }
    }
    cube
}

/// The values that each variable has somewhere, sorted.
pub(super) fn domains(universe: &[&[Value]]) -> Cube {
    let variables = universe.first().map_or(0, |point| point.len());
    (0..variables)
        .map(|variable| {
            let mut values: Vec<Value> = universe.iter().map(|point| point[variable]).collect();
            values.sort_unstable();
            values.dedup();
            values
        })
        .collect()
}

pub(super) fn contains(cube: &Cube, point: &[Value]) -> bool {
    cube.iter()
        .zip(point)
        .all(|(values, value)| values.binary_search(value).is_ok())
}

/// The largest box found around a point: first whole variables are let go, in the given order,
/// then single values are let in.
fn grown(
    seed: &[Value],
    domains: &Cube,
    order: &[usize],
    universe: &[&[Value]],
    wanted: &[bool],
) -> Cube {
    let fits = |cube: &Cube| {
        universe
            .iter()
            .zip(wanted)
            .all(|(point, &wanted)| wanted || !contains(cube, point))
    };
    let mut cube: Cube = seed.iter().map(|&value| vec![value]).collect();
    for &variable in order {
        let before = std::mem::replace(&mut cube[variable], domains[variable].clone());
        if !fits(&cube) {
            cube[variable] = before;
        }
    }
    for variable in 0..seed.len() {
        for &value in &domains[variable] {
            let Err(at) = cube[variable].binary_search(&value) else {
                continue;
            };
            cube[variable].insert(at, value);
            if !fits(&cube) {
                cube[variable].remove(at);
            }
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn boxes_hold_what_is_wanted_and_nothing_else(
            points in proptest::collection::btree_map(
                proptest::collection::vec(0..3, 3), any::<bool>(), 0..20),
        ) {
            let universe: Vec<&[Value]> = points.keys().map(Vec::as_slice).collect();
            let wanted: Vec<bool> = points.values().copied().collect();
            let cubes = cover(&universe, &wanted, usize::MAX).unwrap();
            let cubes: Vec<Cube> =
                cubes.into_iter().map(|cube| tightened(cube, &universe)).collect();
            for (point, wanted) in universe.iter().zip(&wanted) {
                let covered = cubes.iter().any(|cube| contains(cube, point));
                prop_assert_eq!(covered, *wanted);
            }
        }
    }
}
