//! CTL by lists of states.

use quotient_logic::{Binary, Formula, Interval, Kind, Unary};

use super::{Random, Small, strong_parts};

/// A random CTL formula over atoms numbered below `atoms`.
pub(crate) fn formula(random: &mut Random, depth: usize, atoms: usize) -> Formula<usize> {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(12) {
            0 => Formula::constant(random.below(2) == 0),
            _ => Formula::atom(random.below(atoms)),
        };
    }
    let quantifier = if random.below(2) == 0 {
        Unary::ForAll
    } else {
        Unary::Exists
    };
    let path = |path: Formula<usize>| Formula::unary(quantifier, path);
    let a = formula(random, depth - 1, atoms);
    let steps = (random.below(4) == 0).then(|| {
        let from = random.below(3) as u32;
        let to = (random.below(3) > 0).then(|| from + random.below(3) as u32);
        Interval { from, to }
    });
    match random.below(14) {
        0 | 1 => !a,
        2 => path(Formula::unary(Unary::Next, a)),
        3 | 4 => path(Formula::unary(Unary::Finally(steps), a)),
        5 | 6 => path(Formula::unary(Unary::Globally(steps), a)),
        n => {
            let b = formula(random, depth - 1, atoms);
            match n {
                7 => Formula::binary(Binary::And, a, b),
                8 => Formula::binary(Binary::Or, a, b),
                9 => Formula::binary(Binary::Implies, a, b),
                10 => {
                    let operator = if random.below(2) == 0 {
                        Binary::Iff
                    } else {
                        Binary::Xor
                    };
                    Formula::binary(operator, a, b)
                }
                11 => path(Formula::binary(Binary::Until(steps), a, b)),
                12 => path(Formula::binary(Binary::Release, a, b)),
                _ => path(Formula::binary(Binary::WeakUntil, a, b)),
            }
        }
    }
}

/// The states where a formula holds on fair paths (justice only), by the definitions.
pub(crate) fn check(
    small: &Small,
    formula: &Formula<usize>,
    atom: &dyn Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let n = small.states.len();
    match &formula.kind {
        Kind::Constant(value) => vec![*value; n],
        Kind::Atom(number) => (0..n).map(|state| atom(*number, state)).collect(),
        Kind::Placeholder(_) => panic!("no placeholders here"),
        Kind::Unary(Unary::Not, operand) => {
            check(small, operand, atom).iter().map(|x| !x).collect()
        }
        Kind::Unary(quantifier, path) => {
            let (operator, left, right) = match &path.kind {
                Kind::Unary(operator, operand) => (Ok(*operator), &**operand, None),
                Kind::Binary(operator, left, right) => (Err(*operator), &**left, Some(&**right)),
                _ => panic!("not CTL"),
            };
            let a = check(small, left, atom);
            let b = right
                .map(|right| check(small, right, atom))
                .unwrap_or_default();
            let exists = *quantifier == Unary::Exists;
            // All paths do it iff no path does the opposite.
            let flip = |set: &[bool]| set.iter().map(|&x| x == exists).collect::<Vec<bool>>();
            let (a, b) = (flip(&a), flip(&b));
            let result = match operator {
                Ok(Unary::Next) => next(small, &a),
                Ok(Unary::Finally(steps)) | Ok(Unary::Globally(steps)) => {
                    let finally = matches!(operator, Ok(Unary::Finally(_))) == exists;
                    match finally {
                        true => until(small, &vec![true; n], &a, steps),
                        false => globally(small, &a, steps),
                    }
                }
                Err(Binary::Until(steps)) if exists => until(small, &a, &b, steps),
                Err(Binary::Until(steps)) => release(small, &a, &b, steps),
                Err(Binary::Release) if exists => release(small, &a, &b, None),
                Err(Binary::Release) => until(small, &a, &b, None),
                Err(Binary::WeakUntil) if exists => {
                    let either: Vec<bool> = (0..n).map(|s| a[s] || b[s]).collect();
                    release(small, &b, &either, None)
                }
                Err(Binary::WeakUntil) => {
                    // Not b until neither: the operands are negated already.
                    let neither: Vec<bool> = (0..n).map(|s| a[s] && b[s]).collect();
                    until(small, &b, &neither, None)
                }
                _ => panic!("not CTL"),
            };
            flip(&result)
        }
        Kind::Binary(operator, left, right) => {
            let (a, b) = (check(small, left, atom), check(small, right, atom));
            (0..n)
                .map(|s| match operator {
                    Binary::And => a[s] && b[s],
                    Binary::Or => a[s] || b[s],
                    Binary::Implies => !a[s] || b[s],
                    Binary::Iff => a[s] == b[s],
                    Binary::Xor => a[s] != b[s],
                    _ => panic!("not CTL"),
                })
                .collect()
        }
    }
}

fn before(small: &Small, set: &[bool]) -> Vec<bool> {
    let mut result = vec![false; set.len()];
    for edge in &small.edges {
        result[edge.from] |= set[edge.to];
    }
    result
}

/// The states where a fair path begins: without fairness, an infinite path.
fn fair(small: &Small) -> Vec<bool> {
    forever(small, &vec![true; small.states.len()])
}

/// The initial states that count: those where a fair path begins.
pub(crate) fn starts(small: &Small) -> Vec<usize> {
    let fair = fair(small);
    let initial = small.initial.iter().copied();
    initial.filter(|&state| fair[state]).collect()
}

fn and(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(x, y)| *x && *y).collect()
}

fn next(small: &Small, set: &[bool]) -> Vec<bool> {
    before(small, &and(set, &fair(small)))
}

fn or_before(small: &Small, target: &[bool], through: &[bool]) -> Vec<bool> {
    let mut all = target.to_vec();
    loop {
        let more = before(small, &all);
        let grown: Vec<bool> = (0..all.len())
            .map(|s| all[s] || (through[s] && more[s]))
            .collect();
        if grown == all {
            return all;
        }
        all = grown;
    }
}

fn until(small: &Small, through: &[bool], target: &[bool], steps: Option<Interval>) -> Vec<bool> {
    let target = and(target, &fair(small));
    let steps = steps.unwrap_or(Interval { from: 0, to: None });
    let mut all = match steps.to {
        None => or_before(small, &target, through),
        Some(to) => {
            let mut all = target.clone();
            for _ in steps.from..to {
                let more = before(small, &all);
                all = (0..all.len())
                    .map(|s| target[s] || (through[s] && more[s]))
                    .collect();
            }
            all
        }
    };
    for _ in 0..steps.from {
        all = and(&before(small, &all), through);
    }
    all
}

/// Some path has b up to and including a, or for ever; with an interval, the opposite of a
/// bounded until of the opposites on some path.
fn release(small: &Small, a: &[bool], b: &[bool], steps: Option<Interval>) -> Vec<bool> {
    let fair = fair(small);
    match steps {
        None => {
            let both = and(a, b);
            let ends = until(small, b, &both, None);
            let stays = forever(small, b);
            (0..a.len()).map(|s| ends[s] || stays[s]).collect()
        }
        Some(Interval { from, to }) => {
            let mut all = match to {
                None => release(small, a, b, None),
                Some(to) => {
                    let mut all = and(b, &fair);
                    for _ in from..to {
                        let more = before(small, &all);
                        all = (0..all.len())
                            .map(|s| b[s] && fair[s] && (a[s] || more[s]))
                            .collect();
                    }
                    all
                }
            };
            for _ in 0..from {
                let more = before(small, &all);
                all = (0..all.len())
                    .map(|s| fair[s] && (a[s] || more[s]))
                    .collect();
            }
            all
        }
    }
}

fn globally(small: &Small, a: &[bool], steps: Option<Interval>) -> Vec<bool> {
    let never = vec![false; a.len()];
    match steps {
        None => forever(small, a),
        steps => release(small, &never, a, steps),
    }
}

/// Some fair path stays in the set for ever: it reaches a strongly connected part with all
/// justice inside.
fn forever(small: &Small, set: &[bool]) -> Vec<bool> {
    let inside: Vec<&super::Edge> = small
        .edges
        .iter()
        .filter(|e| set[e.from] && set[e.to])
        .collect();
    let graph: Vec<(usize, usize)> = inside.iter().map(|e| (e.from, e.to)).collect();
    let mut good = vec![false; set.len()];
    for part in strong_parts(set.len(), &graph) {
        let within: Vec<&&super::Edge> = inside
            .iter()
            .filter(|e| part.contains(&e.from) && part.contains(&e.to))
            .collect();
        let just = (0..small.model.justice().len()).all(|k| within.iter().any(|e| e.justice[k]));
        if just {
            part.iter().for_each(|&state| good[state] = true);
        }
    }
    or_before(small, &good, set)
}

/// Whether a path (states, and where it goes back to) shows by itself that a formula is true
/// (or false) at a step: what it says about all paths cannot be shown.
pub(crate) fn shows(
    small: &Small,
    formula: &Formula<usize>,
    truth: bool,
    path: &[usize],
    back_to: Option<usize>,
    at: usize,
    atom: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let again = |part: &Formula<usize>, truth: bool, at: usize| {
        shows(small, part, truth, path, back_to, at, atom)
    };
    let holds = |part: &Formula<usize>, at: usize| check(small, part, atom)[path[at]];
    let both = |a: (&Formula<usize>, bool), b: (&Formula<usize>, bool), at: usize| {
        again(a.0, a.1, at) && again(b.0, b.1, at)
    };
    let one = |a: (&Formula<usize>, bool), b: (&Formula<usize>, bool), at: usize| {
        (holds(a.0, at) == a.1 && again(a.0, a.1, at))
            || (holds(b.0, at) == b.1 && again(b.0, b.1, at))
    };
    match &formula.kind {
        Kind::Constant(value) => *value == truth,
        Kind::Atom(number) => atom(*number, path[at]) == truth,
        Kind::Placeholder(_) => panic!("no placeholders here"),
        Kind::Unary(Unary::Not, operand) => again(operand, !truth, at),
        Kind::Unary(quantifier, inner) => {
            if (*quantifier == Unary::ForAll) == truth {
                return false;
            }
            let (left, right) = match &inner.kind {
                Kind::Unary(_, operand) => (&**operand, &**operand),
                Kind::Binary(_, left, right) => (&**left, &**right),
                _ => panic!("not CTL"),
            };
            // Steps of the path from here on, each once.
            let ahead = || at..path.len();
            let ok = |part: &Formula<usize>, step: usize| holds(part, step) == truth;
            let up_to =
                |through: &Formula<usize>, end: usize| (at..end).all(|step| ok(through, step));
            let stays = |part: &Formula<usize>| {
                back_to.is_some()
                    && (at.min(back_to.unwrap_or(0))..path.len())
                        .all(|step| step < at || ok(part, step))
                    && (back_to.unwrap_or(0)..path.len()).all(|step| ok(part, step))
            };
            match (&inner.kind, truth) {
                (Kind::Unary(Unary::Next, _), _) => {
                    at + 1 < path.len() && again(left, truth, at + 1)
                }
                (Kind::Unary(Unary::Finally(None), _), true)
                | (Kind::Unary(Unary::Globally(None), _), false) => {
                    ahead().any(|step| ok(left, step) && again(left, truth, step))
                }
                (Kind::Unary(Unary::Globally(None), _), true)
                | (Kind::Unary(Unary::Finally(None), _), false) => stays(left),
                (Kind::Binary(Binary::Until(None), ..), true)
                | (Kind::Binary(Binary::Release, ..), false) => ahead()
                    .any(|end| up_to(left, end) && ok(right, end) && again(right, truth, end)),
                (Kind::Binary(Binary::Release, ..), true)
                | (Kind::Binary(Binary::Until(None), ..), false) => {
                    stays(right)
                        || ahead().any(|end| {
                            up_to(right, end) && both((left, truth), (right, truth), end)
                        })
                }
                (Kind::Binary(Binary::WeakUntil, ..), true) => {
                    stays(left)
                        || ahead().any(|end| {
                            up_to(left, end) && ok(right, end) && again(right, truth, end)
                        })
                }
                (Kind::Binary(Binary::WeakUntil, ..), false) => {
                    ahead().any(|end| up_to(right, end) && both((left, truth), (right, truth), end))
                }
                _ => false,
            }
        }
        Kind::Binary(operator, left, right) => match (operator, truth) {
            (Binary::And, true) => both((left, true), (right, true), at),
            (Binary::And, false) => one((left, false), (right, false), at),
            (Binary::Or, true) => one((left, true), (right, true), at),
            (Binary::Or, false) => both((left, false), (right, false), at),
            (Binary::Implies, true) => one((left, false), (right, true), at),
            (Binary::Implies, false) => both((left, true), (right, false), at),
            _ => {
                let (of_left, of_right) = (holds(left, at), holds(right, at));
                both((left, of_left), (right, of_right), at)
            }
        },
    }
}
