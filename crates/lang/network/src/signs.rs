//! Circles of influence with an odd number of inhibitions.

/// How a function depends on a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Grows,
    Falls,
    Both,
}

/// Some of the given number of variables, such that the arrows (from, to) among the others form no
/// circle with an odd number of signs that fall.
pub(crate) fn held(count: usize, arrows: &[(usize, usize, Sign)]) -> Vec<bool> {
    let mut held = vec![false; count];
    for &(from, to, sign) in arrows {
        held[from] |= from == to && sign != Sign::Grows;
    }
    while let Some(one) = in_odd_circle(&held, arrows) {
        held[one] = true;
    }
    held
}

/// A variable among those of a part with an odd circle, with most influences in both directions.
fn in_odd_circle(held: &[bool], arrows: &[(usize, usize, Sign)]) -> Option<usize> {
    let inner: Vec<(usize, usize, Sign)> = (arrows.iter().copied())
        .filter(|&(from, to, _)| !held[from] && !held[to])
        .collect();
    let part = parts(held.len(), &inner);
    let inner: Vec<(usize, usize, Sign)> = (inner.into_iter())
        .filter(|&(from, to, _)| part[from] == part[to])
        .collect();
    // A part has no odd circle exactly if its variables have two colours, such that arrows that fall
    // are those between colours.
    let mut colour: Vec<Option<bool>> = vec![None; held.len()];
    let mut beside: Vec<Vec<(usize, bool)>> = vec![Vec::new(); held.len()];
    for &(from, to, sign) in &inner {
        let falls = sign == Sign::Falls;
        beside[from].push((to, falls));
        beside[to].push((from, falls));
    }
    let mut odd: Vec<usize> = (inner.iter())
        .filter(|arrow| arrow.2 == Sign::Both)
        .map(|arrow| part[arrow.0])
        .collect();
    for start in 0..held.len() {
        if colour[start].is_some() {
            continue;
        }
        colour[start] = Some(false);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for &(other, falls) in &beside[at] {
                let wanted = colour[at].map(|own| own != falls);
                match colour[other] {
                    None => {
                        colour[other] = wanted;
                        open.push(other);
                    }
                    own if own != wanted => odd.push(part[at]),
                    _ => {}
                }
            }
        }
    }
    let mut incoming = vec![0usize; held.len()];
    let mut outgoing = vec![0usize; held.len()];
    for &(from, to, _) in &inner {
        outgoing[from] += 1;
        incoming[to] += 1;
    }
    (0..held.len())
        .filter(|&at| odd.contains(&part[at]) && outgoing[at] > 0)
        .max_by_key(|&at| (incoming[at] * outgoing[at], std::cmp::Reverse(at)))
}

/// The strongly connected part of each variable.
fn parts(count: usize, arrows: &[(usize, usize, Sign)]) -> Vec<usize> {
    let mut targets = vec![Vec::new(); count];
    let mut sources = vec![Vec::new(); count];
    for &(from, to, _) in arrows {
        targets[from].push(to);
        sources[to].push(from);
    }
    let mut seen = vec![false; count];
    let mut finished = Vec::new();
    for start in 0..count {
        finished.extend(in_depth(start, &targets, &mut seen));
    }
    seen.fill(false);
    let mut part = vec![0; count];
    for &start in finished.iter().rev() {
        for at in in_depth(start, &sources, &mut seen) {
            part[at] = start;
        }
    }
    part
}

/// What is reached from a variable and was not seen before, in the order in which it is left.
pub(crate) fn in_depth(start: usize, edges: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    if std::mem::replace(&mut seen[start], true) {
        return left;
    }
    let mut path = vec![(start, 0)];
    while let Some((at, next)) = path.last_mut() {
        match edges[*at].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                left.push(*at);
                path.pop();
            }
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::Random;

    /// Whether a walk back to its start meets an odd number of arrows that fall, by following walks of
    /// both kinds.
    fn has_odd_walk(count: usize, arrows: &[(usize, usize, Sign)]) -> bool {
        (0..count).any(|start| {
            let mut seen = vec![[false; 2]; count];
            let mut open = vec![(start, 0)];
            while let Some((at, kind)) = open.pop() {
                for &(from, to, sign) in arrows.iter().filter(|arrow| arrow.0 == at) {
                    let kinds: &[usize] = match sign {
                        Sign::Grows => &[0],
                        Sign::Falls => &[1],
                        Sign::Both => &[0, 1],
                    };
                    assert_eq!(from, at);
                    for more in kinds {
                        let next = kind ^ more;
                        if !std::mem::replace(&mut seen[to][next], true) {
                            open.push((to, next));
                        }
                    }
                }
            }
            seen[start][1]
        })
    }

    #[test]
    fn without_those_that_are_held_no_circle_is_odd() {
        let random = &mut Random::new(5);
        let (mut some, mut none) = (0, 0);
        for _ in 0..300 {
            let count = 2 + random.below(6);
            let arrows: Vec<(usize, usize, Sign)> = (0..random.below(14))
                .map(|_| {
                    let sign = [Sign::Grows, Sign::Grows, Sign::Falls, Sign::Both][random.below(4)];
                    (random.below(count), random.below(count), sign)
                })
                .collect();
            let held = held(count, &arrows);
            let left: Vec<_> = (arrows.iter().copied())
                .filter(|&(from, to, _)| !held[from] && !held[to])
                .collect();
            assert!(!has_odd_walk(count, &left), "{arrows:?} {held:?}");
            match has_odd_walk(count, &arrows) {
                true => some += 1,
                // Nothing is held in vain where there is no odd circle at all.
                false => {
                    assert!(!held.contains(&true), "{arrows:?}");
                    none += 1;
                }
            }
        }
        assert!(some > 20 && none > 20);
    }
}
