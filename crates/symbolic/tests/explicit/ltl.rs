//! LTL by explicit guessing: nodes are states with a guess for every temporal subformula.

use quotient_logic::{Binary, Formula, Interval, Kind, Unary};
use quotient_symbolic::{Trace, Valuation};

use super::{Random, Small, strong_parts};

/// A random LTL formula that says of all paths what a branching-time formula says of states.
pub(crate) fn settled(random: &mut Random, depth: usize, atoms: usize) -> Formula<usize> {
    let plain = Formula::atom(random.below(atoms));
    if depth == 0 {
        return plain;
    }
    let a = settled(random, depth - 1, atoms);
    match random.below(9) {
        0 => Formula::unary(Unary::Next, a),
        1 => Formula::unary(Unary::Finally(None), plain),
        2..=4 => Formula::unary(Unary::Globally(None), a),
        5 => Formula::binary(Binary::And, a, settled(random, depth - 1, atoms)),
        6 => Formula::binary(Binary::Or, a, !plain),
        7 => Formula::binary(Binary::Implies, plain, a),
        _ => Formula::binary(Binary::Until(None), a, plain),
    }
}

/// A random LTL formula with past over atoms numbered below `atoms`.
pub(crate) fn formula(random: &mut Random, depth: usize, atoms: usize) -> Formula<usize> {
    if depth == 0 || random.below(6) == 0 {
        return Formula::atom(random.below(atoms));
    }
    let a = formula(random, depth - 1, atoms);
    let steps = (random.below(5) == 0).then(|| {
        let from = random.below(2) as u32;
        let to = (random.below(3) > 0).then(|| from + random.below(2) as u32);
        Interval { from, to }
    });
    match random.below(18) {
        0 | 1 => !a,
        2 | 3 => Formula::unary(Unary::Next, a),
        4 | 5 => Formula::unary(Unary::Finally(steps), a),
        6 | 7 => Formula::unary(Unary::Globally(steps), a),
        8 => Formula::unary(Unary::Yesterday, a),
        9 => Formula::unary(Unary::WeakYesterday, a),
        10 => Formula::unary(Unary::Once(steps), a),
        11 => Formula::unary(Unary::Historically(steps), a),
        n => {
            let b = formula(random, depth - 1, atoms);
            let operator = match n {
                12 => Binary::And,
                13 => Binary::Implies,
                14 => Binary::Until(steps),
                15 => Binary::Release,
                16 => [Binary::Since, Binary::Triggered][random.below(2)],
                _ => [Binary::WeakUntil, Binary::Iff][random.below(2)],
            };
            Formula::binary(operator, a, b)
        }
    }
}

/// A core of the logic: everything else is expanded into it.
#[derive(Debug, Clone)]
enum Core {
    True,
    Atom(usize),
    Not(Box<Core>),
    And(Box<Core>, Box<Core>),
    /// The next state satisfies it; with a slot for the guess.
    Next(usize, Box<Core>),
    /// Left until right; with a slot for the guess that it holds in the next state.
    Until(usize, Box<Core>, Box<Core>),
    /// The state before satisfied it (or there is none and the flag says so).
    Before(usize, bool, Box<Core>),
    /// Right once and left since.
    Since(usize, Box<Core>, Box<Core>),
}

fn not(core: Core) -> Core {
    Core::Not(Box::new(core))
}

fn and(a: Core, b: Core) -> Core {
    Core::And(Box::new(a), Box::new(b))
}

fn or(a: Core, b: Core) -> Core {
    not(and(not(a), not(b)))
}

fn core(formula: &Formula<usize>, slots: &mut usize) -> Core {
    let fresh = |slots: &mut usize| {
        *slots += 1;
        *slots - 1
    };
    let next = |slots: &mut usize, of: Core| Core::Next(fresh(slots), Box::new(of));
    let before = |slots: &mut usize, flag, of: Core| Core::Before(fresh(slots), flag, Box::new(of));
    let until =
        |slots: &mut usize, a: Core, b: Core| Core::Until(fresh(slots), Box::new(a), Box::new(b));
    let since =
        |slots: &mut usize, a: Core, b: Core| Core::Since(fresh(slots), Box::new(a), Box::new(b));
    let bounded_until = |slots: &mut usize, a: Core, b: Core, steps: Interval| {
        let mut now = match steps.to {
            None => until(slots, a.clone(), b),
            Some(to) => {
                let mut now = b.clone();
                for _ in steps.from..to {
                    now = or(b.clone(), and(a.clone(), next(slots, now)));
                }
                now
            }
        };
        for _ in 0..steps.from {
            now = and(a.clone(), next(slots, now));
        }
        now
    };
    let bounded_once = |slots: &mut usize, b: Core, steps: Interval| {
        let mut now = match steps.to {
            None => since(slots, Core::True, b),
            Some(to) => {
                let mut now = b.clone();
                for _ in steps.from..to {
                    now = or(b.clone(), before(slots, false, now));
                }
                now
            }
        };
        for _ in 0..steps.from {
            now = before(slots, false, now);
        }
        now
    };
    match &formula.kind {
        Kind::Constant(true) => Core::True,
        Kind::Constant(false) => not(Core::True),
        Kind::Atom(atom) => Core::Atom(*atom),
        Kind::Placeholder(_) => panic!("no placeholders here"),
        Kind::Unary(operator, operand) => {
            let a = core(operand, slots);
            match *operator {
                Unary::Not => not(a),
                Unary::Next => next(slots, a),
                Unary::Finally(None) => until(slots, Core::True, a),
                Unary::Globally(None) => not(until(slots, Core::True, not(a))),
                Unary::Finally(Some(steps)) => bounded_until(slots, Core::True, a, steps),
                Unary::Globally(Some(steps)) => {
                    not(bounded_until(slots, Core::True, not(a), steps))
                }
                Unary::Yesterday => before(slots, false, a),
                Unary::WeakYesterday => before(slots, true, a),
                Unary::Once(None) => since(slots, Core::True, a),
                Unary::Historically(None) => not(since(slots, Core::True, not(a))),
                Unary::Once(Some(steps)) => bounded_once(slots, a, steps),
                Unary::Historically(Some(steps)) => not(bounded_once(slots, not(a), steps)),
                Unary::ForAll | Unary::Exists => panic!("not LTL"),
            }
        }
        Kind::Binary(operator, left, right) => {
            let a = core(left, slots);
            let b = core(right, slots);
            match *operator {
                Binary::And => and(a, b),
                Binary::Or => or(a, b),
                Binary::Implies => or(not(a), b),
                Binary::Iff => or(and(a.clone(), b.clone()), and(not(a), not(b))),
                Binary::Xor => or(and(a.clone(), not(b.clone())), and(not(a), b)),
                Binary::Until(None) => until(slots, a, b),
                Binary::Until(Some(steps)) => bounded_until(slots, a, b, steps),
                Binary::Release => not(until(slots, not(a), not(b))),
                Binary::WeakUntil => not(until(slots, not(b.clone()), and(not(a), not(b)))),
                Binary::Since => since(slots, a, b),
                Binary::Triggered => not(since(slots, not(a), not(b))),
            }
        }
    }
}

/// The truth of a core formula at a node: atoms of the step, and guesses.
fn truth(core: &Core, atoms: &dyn Fn(usize) -> bool, guess: u32) -> bool {
    let guessed = |slot: &usize| guess >> slot & 1 == 1;
    match core {
        Core::True => true,
        Core::Atom(atom) => atoms(*atom),
        Core::Not(a) => !truth(a, atoms, guess),
        Core::And(a, b) => truth(a, atoms, guess) && truth(b, atoms, guess),
        Core::Next(slot, _) | Core::Before(slot, ..) => guessed(slot),
        Core::Until(slot, a, b) | Core::Since(slot, a, b) => {
            truth(b, atoms, guess) || (truth(a, atoms, guess) && guessed(slot))
        }
    }
}

fn temporal<'a>(core: &'a Core, found: &mut Vec<&'a Core>) {
    match core {
        Core::True | Core::Atom(_) => {}
        Core::Not(a) => temporal(a, found),
        Core::And(a, b) => {
            temporal(a, found);
            temporal(b, found);
        }
        Core::Next(_, a) | Core::Before(_, _, a) => {
            found.push(core);
            temporal(a, found);
        }
        Core::Until(_, a, b) | Core::Since(_, a, b) => {
            found.push(core);
            temporal(a, found);
            temporal(b, found);
        }
    }
}

/// Whether a formula holds on all fair runs; `None` if there would be too many guesses.
pub(crate) fn holds(small: &Small, formula: &Formula<usize>) -> Option<bool> {
    let mut slots = 0;
    let violation = not(core(formula, &mut slots));
    // Nodes: an edge of the model (for its inputs) with a guess.
    if slots > 5 || (small.edges.len() << slots) > 1500 {
        return None;
    }
    let mut parts = Vec::new();
    temporal(&violation, &mut parts);
    let nodes: Vec<(usize, u32)> = (0..small.edges.len())
        .flat_map(|edge| (0..1u32 << slots).map(move |guess| (edge, guess)))
        .collect();
    let value = |core: &Core, (edge, guess): (usize, u32)| {
        let label = &small.edges[edge].label;
        truth(
            core,
            &|atom| small.model.evaluate(small.atoms[atom], label, None),
            guess,
        )
    };
    let start: Vec<bool> = nodes
        .iter()
        .map(|&node| {
            let first = parts.iter().all(|part| match part {
                Core::Before(slot, flag, _) => (node.1 >> slot & 1 == 1) == *flag,
                Core::Since(slot, ..) => node.1 >> slot & 1 == 0,
                _ => true,
            });
            first && small.initial.contains(&small.edges[node.0].from) && value(&violation, node)
        })
        .collect();
    // The truth of each part and of what it speaks about, for each node.
    let told: Vec<Vec<(bool, bool, bool)>> = nodes
        .iter()
        .map(|&node| {
            let of = |part: &&Core| match part {
                Core::Next(slot, a) | Core::Before(slot, _, a) => {
                    (node.1 >> slot & 1 == 1, value(a, node), false)
                }
                Core::Until(slot, _, b) | Core::Since(slot, _, b) => {
                    (node.1 >> slot & 1 == 1, value(part, node), value(b, node))
                }
                _ => (false, false, false),
            };
            parts.iter().map(of).collect()
        })
        .collect();
    let mut graph = Vec::new();
    for (from, &(edge, _)) in nodes.iter().enumerate() {
        for (to, &(next, _)) in nodes.iter().enumerate() {
            if small.edges[edge].to != small.edges[next].from {
                continue;
            }
            let consistent = parts.iter().enumerate().all(|(i, part)| match part {
                Core::Next(..) | Core::Until(..) => told[from][i].0 == told[to][i].1,
                _ => told[to][i].0 == told[from][i].1,
            });
            if consistent {
                graph.push((from, to));
            }
        }
    }
    // Only what is reachable.
    let mut seen = start;
    loop {
        let before = seen.iter().filter(|x| **x).count();
        graph.iter().for_each(|&(from, to)| {
            let reached = seen[from];
            seen[to] |= reached;
        });
        if seen.iter().filter(|x| **x).count() == before {
            break;
        }
    }
    let index: Vec<usize> = (0..nodes.len()).filter(|&node| seen[node]).collect();
    let place = |node: usize| index.binary_search(&node).ok();
    let graph: Vec<(usize, usize)> = graph
        .iter()
        .filter_map(|&(from, to)| Some((place(from)?, place(to)?)))
        .collect();
    let found = has_fair_part(small, &nodes, &index, &graph, &parts, &told);
    Some(!found)
}

/// Whether a strongly connected part meets all fairness: where a compassion condition asks
/// for what the part does not have, the states that ask are taken out and the rest is looked
/// at again.
fn has_fair_part(
    small: &Small,
    nodes: &[(usize, u32)],
    index: &[usize],
    graph: &[(usize, usize)],
    parts: &[&Core],
    told: &[Vec<(bool, bool, bool)>],
) -> bool {
    let mut open = vec![graph.to_vec()];
    while let Some(graph) = open.pop() {
        for part in strong_parts(index.len(), &graph) {
            let edge = |&node: &usize| &small.edges[nodes[index[node]].0];
            let just =
                (0..small.model.justice().len()).all(|k| part.iter().any(|n| edge(n).justice[k]));
            let promises = parts.iter().enumerate().all(|(i, one)| match one {
                Core::Until(..) => part
                    .iter()
                    .any(|&n| !told[index[n]][i].1 || told[index[n]][i].2),
                _ => true,
            });
            if !just || !promises {
                continue;
            }
            let broken = (0..small.model.compassion().len()).find(|&k| {
                part.iter().any(|n| edge(n).compassion[k].0)
                    && !part.iter().any(|n| edge(n).compassion[k].1)
            });
            match broken {
                None => return true,
                Some(k) => {
                    let calm = |node: &usize| part.contains(node) && !edge(node).compassion[k].0;
                    open.push(
                        graph
                            .iter()
                            .copied()
                            .filter(|(a, b)| calm(a) && calm(b))
                            .collect(),
                    );
                }
            }
        }
    }
    false
}

/// The truth of a formula at the start of a lasso, and whether the lasso is fair.
pub(crate) fn on_lasso(small: &Small, trace: &Trace, formula: &Formula<usize>) -> (bool, bool) {
    let back = trace.back_to.expect("a violation of LTL is infinite");
    let period = trace.states.len() - back;
    // Past operators settle when the loop is repeated.
    let rounds = 3 + 24 / period;
    let unrolled: Vec<&Valuation> = trace.states[..back]
        .iter()
        .chain((0..rounds).flat_map(|_| &trace.states[back..]))
        .collect();
    let n = unrolled.len();
    let value = evaluate(small, formula, &unrolled, period);
    let at = |one, step: usize| {
        small.model.evaluate(
            one,
            &trace.states[step],
            Some(
                &trace.states[if step + 1 < trace.states.len() {
                    step + 1
                } else {
                    back
                }],
            ),
        )
    };
    let infinitely = |one| (back..trace.states.len()).any(|step| at(one, step));
    let fair = small.model.justice().iter().all(|&one| infinitely(one))
        && small
            .model
            .compassion()
            .iter()
            .all(|pair| !infinitely(pair.when) || infinitely(pair.then));
    assert_eq!(value.len(), n);
    (value[0], fair)
}

fn evaluate(
    small: &Small,
    formula: &Formula<usize>,
    path: &[&Valuation],
    period: usize,
) -> Vec<bool> {
    let n = path.len();
    let later = |i: usize, k: usize| {
        if i + k < n {
            i + k
        } else {
            n - period + (i + k - n) % period
        }
    };
    let far = n + period + 4;
    let within = |steps: Option<Interval>, k: usize| {
        steps.is_none_or(|s| k >= s.from as usize && s.to.is_none_or(|to| k <= to as usize))
    };
    match &formula.kind {
        Kind::Constant(value) => vec![*value; n],
        Kind::Atom(atom) => path
            .iter()
            .map(|v| small.model.evaluate(small.atoms[*atom], v, None))
            .collect(),
        Kind::Placeholder(_) => panic!("no placeholders here"),
        Kind::Unary(operator, operand) => {
            let a = evaluate(small, operand, path, period);
            (0..n)
                .map(|i| match *operator {
                    Unary::Not => !a[i],
                    Unary::Next => a[later(i, 1)],
                    Unary::Finally(steps) => (0..far).any(|k| within(steps, k) && a[later(i, k)]),
                    Unary::Globally(steps) => (0..far).all(|k| !within(steps, k) || a[later(i, k)]),
                    Unary::Yesterday => i > 0 && a[i - 1],
                    Unary::WeakYesterday => i == 0 || a[i - 1],
                    Unary::Once(steps) => (0..=i).any(|k| within(steps, i - k) && a[k]),
                    Unary::Historically(steps) => (0..=i).all(|k| !within(steps, i - k) || a[k]),
                    Unary::ForAll | Unary::Exists => panic!("not LTL"),
                })
                .collect()
        }
        Kind::Binary(operator, left, right) => {
            let (a, b) = (
                evaluate(small, left, path, period),
                evaluate(small, right, path, period),
            );
            let until = |i: usize, steps: Option<Interval>| {
                let first =
                    (0..far).find(|&k| (within(steps, k) && b[later(i, k)]) || !a[later(i, k)]);
                first.is_some_and(|k| within(steps, k) && b[later(i, k)])
            };
            (0..n)
                .map(|i| match *operator {
                    Binary::And => a[i] && b[i],
                    Binary::Or => a[i] || b[i],
                    Binary::Implies => !a[i] || b[i],
                    Binary::Iff => a[i] == b[i],
                    Binary::Xor => a[i] != b[i],
                    Binary::Until(steps) => until(i, steps),
                    Binary::WeakUntil => until(i, None) || (0..far).all(|k| a[later(i, k)]),
                    Binary::Release => (0..far)
                        .find(|&k| a[later(i, k)] || !b[later(i, k)])
                        .is_none_or(|k| b[later(i, k)]),
                    Binary::Since => (0..=i).any(|k| b[k] && (k + 1..=i).all(|j| a[j])),
                    Binary::Triggered => (0..=i).all(|k| b[k] || (k + 1..=i).any(|j| a[j])),
                })
                .collect()
        }
    }
}
