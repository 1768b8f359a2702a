//! Sets of events in few words.

/// Events that agree with `value` in the inputs that it `cares` for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cube {
    pub(crate) cares: u32,
    pub(crate) value: u32,
}

impl Cube {
    pub(crate) fn has(self, event: u32) -> bool {
        event & self.cares == self.value
    }
}

/// Cubes that together have all of `on` and nothing else but some of `either`: the largest
/// first (Quine and McCluskey's way, with a greedy choice).
pub(crate) fn cover(on: &[u32], either: &[u32], inputs: usize) -> Vec<Cube> {
    let all = (1_u32 << inputs) - 1;
    let mut level: Vec<Cube> = on
        .iter()
        .chain(either)
        .map(|&value| Cube { cares: all, value })
        .collect();
    let mut largest = Vec::new();
    while !level.is_empty() {
        level.sort_unstable();
        level.dedup();
        let mut next = Vec::new();
        let mut grew = vec![false; level.len()];
        for (a, one) in level.iter().enumerate() {
            for (b, two) in level.iter().enumerate().skip(a + 1) {
                let differ = one.value ^ two.value;
                if one.cares == two.cares && differ.count_ones() == 1 {
                    let (cares, value) = (one.cares & !differ, one.value & !differ);
                    next.push(Cube { cares, value });
                    (grew[a], grew[b]) = (true, true);
                }
            }
        }
        largest.extend(
            level
                .iter()
                .zip(grew)
                .filter(|(_, grew)| !grew)
                .map(|(one, _)| *one),
        );
        level = next;
    }
    let mut left: Vec<u32> = on.to_vec();
    let mut chosen = Vec::new();
    let gain = |cube: &Cube, left: &[u32]| left.iter().filter(|event| cube.has(**event)).count();
    while let Some(best) = largest
        .iter()
        .copied()
        .filter(|cube| gain(cube, &left) > 0)
        .max_by_key(|cube| {
            (
                gain(cube, &left),
                std::cmp::Reverse(cube.cares.count_ones()),
            )
        })
    {
        left.retain(|event| !best.has(*event));
        chosen.push(best);
    }
    chosen
}
