//! Circuits of our own, like those that hardware is made of.

use quotient_netlist::{Circuit, Graph, Literal};

/// All of them, by name.
pub(crate) fn all() -> Vec<(String, Circuit)> {
    let mut found = Vec::new();
    let mut add = |name: String, circuit: Circuit| found.push((name, circuit));
    for (width, broken) in [(100, false), (400, false), (24, true)] {
        add(
            format!("counter-{width}{}", mark(broken)),
            counter(width, broken),
        );
    }
    for (depth, width, broken) in [
        (8, 8, false),
        (16, 16, false),
        (32, 32, false),
        (8, 16, true),
    ] {
        let name = format!("fifo-{depth}x{width}{}", mark(broken));
        add(name, fifo(depth, width, broken));
    }
    for (clients, broken) in [(64, false), (256, false), (700, false), (100, true)] {
        add(
            format!("arbiter-{clients}{}", mark(broken)),
            arbiter(clients, broken),
        );
    }
    for (stages, width, broken) in [(3, 16, false), (6, 32, false), (5, 32, true)] {
        let name = format!("pipeline-{stages}x{width}{}", mark(broken));
        add(name, pipeline(stages, width, broken));
    }
    for (caches, broken) in [(50, false), (150, false), (80, true)] {
        add(
            format!("caches-{caches}{}", mark(broken)),
            caches_on_a_bus(caches, broken),
        );
    }
    for (width, broken) in [(16, false), (32, false), (16, true)] {
        add(
            format!("multiplier-{width}{}", mark(broken)),
            multiplier(width, broken),
        );
    }
    for (length, broken) in [(500, false), (2_000, false), (300, true)] {
        add(
            format!("shift-{length}{}", mark(broken)),
            shift_register(length, broken),
        );
    }
    found
}

fn mark(broken: bool) -> &'static str {
    if broken { "-broken" } else { "" }
}

fn latches(circuit: &mut Circuit, count: usize) -> Vec<Literal> {
    (0..count).map(|_| circuit.latch(Some(false))).collect()
}

fn inputs(circuit: &mut Circuit, count: usize) -> Vec<Literal> {
    (0..count).map(|_| circuit.input()).collect()
}

fn connect(circuit: &mut Circuit, latches: &[Literal], next: &[Literal]) {
    for (&latch, &next) in latches.iter().zip(next) {
        circuit.connect(latch, next);
    }
}

fn is_number(graph: &mut Graph, word: &[Literal], number: u64) -> Literal {
    let bit = |at: usize| at < 64 && number >> at & 1 == 1;
    graph.all((0..word.len()).map(|at| word[at].flip_if(!bit(at))))
}

fn equal(graph: &mut Graph, one: &[Literal], other: &[Literal]) -> Literal {
    let mut same = Vec::new();
    for (&a, &b) in one.iter().zip(other) {
        same.push(graph.iff(a, b));
    }
    graph.all(same)
}

fn choose(graph: &mut Graph, test: Literal, one: &[Literal], other: &[Literal]) -> Vec<Literal> {
    let sides = one.iter().zip(other);
    sides.map(|(&a, &b)| graph.ite(test, a, b)).collect()
}

fn sum(graph: &mut Graph, one: &[Literal], other: &[Literal], mut carry: Literal) -> Vec<Literal> {
    let mut bits = Vec::new();
    for (&a, &b) in one.iter().zip(other) {
        let half = graph.xor(a, b);
        bits.push(graph.xor(half, carry));
        let (both, through) = (graph.and(a, b), graph.and(half, carry));
        carry = graph.or(both, through);
    }
    bits
}

/// Counts up to forty and starts again; it never reaches a hundred, unless it does not start again.
fn counter(width: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let go = circuit.input();
    let count = latches(&mut circuit, width);
    let graph = &mut circuit.graph;
    let zero = vec![Literal::FALSE; width];
    let more = sum(graph, &count, &zero, go);
    let end = is_number(graph, &count, 40);
    let next = match broken {
        true => more,
        false => choose(graph, end, &zero, &more),
    };
    let bad = is_number(graph, &count, 100);
    connect(&mut circuit, &count, &next);
    circuit.bad.push(bad);
    circuit
}

/// A queue in a ring of cells: a word that was marked when it came in leaves unchanged.
fn fifo(depth: usize, width: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let (push, pop, mark) = (circuit.input(), circuit.input(), circuit.input());
    let data = inputs(&mut circuit, width);
    let cells: Vec<Vec<Literal>> = (0..depth).map(|_| latches(&mut circuit, width)).collect();
    let mut pointer = || {
        let all: Vec<Literal> = (0..depth).map(|at| circuit.latch(Some(at == 0))).collect();
        all
    };
    let (head, tail, place) = (pointer(), pointer(), pointer());
    let kept = latches(&mut circuit, width);
    let (marked, full, used) = (
        circuit.latch(Some(false)),
        circuit.latch(Some(false)),
        circuit.latch(Some(false)),
    );
    let graph = &mut circuit.graph;
    let same = equal(graph, &head, &tail);
    let empty = graph.and(same, !full);
    let room = if broken { Literal::TRUE } else { !full };
    let pushes = graph.and(push, room);
    let pops = graph.and(pop, !empty);
    let turned = |word: &[Literal]| {
        let mut turned = word.to_vec();
        turned.rotate_right(1);
        turned
    };
    let next_tail = choose(graph, pushes, &turned(&tail), &tail);
    let next_head = choose(graph, pops, &turned(&head), &head);
    let marks = {
        let now = graph.and(pushes, mark);
        graph.and(now, !used)
    };
    let next_place = choose(graph, marks, &tail, &place);
    let next_kept = choose(graph, marks, &data, &kept);
    let here = equal(graph, &head, &place);
    let leaves = {
        let out = graph.and(marked, here);
        graph.and(out, pops)
    };
    let still = graph.and(marked, !leaves);
    let next_marked = graph.or(marks, still);
    let next_used = graph.or(used, marks);
    let meet = equal(graph, &next_head, &next_tail);
    let alone = graph.and(pushes, !pops);
    let fills = graph.and(meet, alone);
    let stays = {
        let quiet = graph.iff(pushes, pops);
        graph.and(full, quiet)
    };
    let next_full = graph.or(fills, stays);
    let mut bad = Literal::FALSE;
    let mut next_cells = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let writes = graph.and(pushes, tail[at]);
        next_cells.push(choose(graph, writes, &data, cell));
        let same = equal(graph, cell, &kept);
        let out = graph.and(leaves, head[at]);
        let wrong = graph.and(out, !same);
        bad = graph.or(bad, wrong);
    }
    for (cell, next) in cells.iter().zip(&next_cells) {
        connect(&mut circuit, cell, next);
    }
    connect(&mut circuit, &tail, &next_tail);
    connect(&mut circuit, &head, &next_head);
    connect(&mut circuit, &place, &next_place);
    connect(&mut circuit, &kept, &next_kept);
    let last = [marked, full, used];
    connect(&mut circuit, &last, &[next_marked, next_full, next_used]);
    circuit.bad.push(bad);
    circuit
}

/// A token goes round; who has it is granted what it asks for. Never two grants.
fn arbiter(clients: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let asks = inputs(&mut circuit, clients);
    let token: Vec<Literal> = (0..clients)
        .map(|at| circuit.latch(Some(at == 0)))
        .collect();
    let grants = latches(&mut circuit, clients);
    let graph = &mut circuit.graph;
    let busy = {
        let none = graph.all(grants.iter().map(|&one| !one));
        !none
    };
    let mut turned = token.clone();
    turned.rotate_right(1);
    let mut next_token = choose(graph, busy, &token, &turned);
    if broken {
        let second = graph.and(token[clients / 2], asks[0]);
        next_token[1] = graph.or(next_token[1], second);
    }
    let mut next_grants = Vec::new();
    let (mut one, mut two) = (Literal::FALSE, Literal::FALSE);
    for at in 0..clients {
        next_grants.push(graph.and(token[at], asks[at]));
        let again = graph.and(one, grants[at]);
        two = graph.or(two, again);
        one = graph.or(one, grants[at]);
    }
    connect(&mut circuit, &token, &next_token);
    connect(&mut circuit, &grants, &next_grants);
    circuit.bad.push(two);
    circuit
}

/// Masks and shifts, stage by stage, and the same at once on inputs that were kept: equal.
fn pipeline(stages: usize, width: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let data = inputs(&mut circuit, width);
    let work = |graph: &mut Graph, word: &[Literal], stage: usize| -> Vec<Literal> {
        let mut shifted = word.to_vec();
        shifted.rotate_right(stage + 1);
        let pairs = word.iter().zip(&shifted).enumerate();
        let mixed = pairs.map(|(at, (&a, &b))| match (at + stage) % 3 {
            0 => graph.xor(a, b),
            1 => graph.and(a, b),
            _ => graph.or(a, !b),
        });
        mixed.collect()
    };
    let (mut piped, mut kept) = (data.clone(), data);
    for stage in 0..stages {
        let mut done = work(&mut circuit.graph, &piped, stage);
        if broken && stage == stages / 2 {
            done[0] = circuit.graph.or(done[0], piped[width / 2]);
        }
        let (held, copy) = (latches(&mut circuit, width), latches(&mut circuit, width));
        connect(&mut circuit, &held, &done);
        connect(&mut circuit, &copy, &kept);
        (piped, kept) = (held, copy);
    }
    let filled: Vec<Literal> = latches(&mut circuit, stages);
    let mut before = vec![Literal::TRUE];
    before.extend(&filled[..stages - 1]);
    connect(&mut circuit, &filled, &before);
    let mut whole = kept;
    for stage in 0..stages {
        whole = work(&mut circuit.graph, &whole, stage);
    }
    let same = equal(&mut circuit.graph, &piped, &whole);
    let bad = circuit.graph.and(filled[stages - 1], !same);
    circuit.bad.push(bad);
    circuit
}

/// Caches that watch a bus: a line that one has changed is in no other.
fn caches_on_a_bus(caches: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let asks = inputs(&mut circuit, caches);
    let write = circuit.input();
    let (shared, changed) = (latches(&mut circuit, caches), latches(&mut circuit, caches));
    let graph = &mut circuit.graph;
    // The first that asks has the bus.
    let mut free = Literal::TRUE;
    let mut on_bus = Vec::new();
    for &asks in &asks {
        on_bus.push(graph.and(asks, free));
        free = graph.and(free, !asks);
    }
    let (mut next_shared, mut next_changed) = (Vec::new(), Vec::new());
    for at in 0..caches {
        let reads = graph.and(on_bus[at], !write);
        let writes = graph.and(on_bus[at], write);
        let other = graph.and(!on_bus[at], !free);
        let other_writes = match broken && at == caches / 2 {
            true => Literal::FALSE,
            false => graph.and(other, write),
        };
        let other_reads = graph.and(other, !write);
        let has = graph.or(shared[at], changed[at]);
        let lent = graph.and(other_reads, has);
        let keeps = graph.and(shared[at], !other_writes);
        let keeps = graph.and(keeps, !writes);
        let mut next = graph.or(keeps, lent);
        let takes = graph.and(reads, !changed[at]);
        next = graph.or(next, takes);
        next_shared.push(next);
        let still = graph.and(changed[at], !other);
        next_changed.push(graph.or(writes, still));
    }
    let (mut any_changed, mut any, mut bad) = (Literal::FALSE, Literal::FALSE, Literal::FALSE);
    for at in 0..caches {
        let has = graph.or(shared[at], changed[at]);
        let one = graph.and(any_changed, has);
        let other = graph.and(any, changed[at]);
        let wrong = graph.or(one, other);
        bad = graph.or(bad, wrong);
        any_changed = graph.or(any_changed, changed[at]);
        any = graph.or(any, has);
    }
    connect(&mut circuit, &shared, &next_shared);
    connect(&mut circuit, &changed, &next_changed);
    circuit.bad.push(bad);
    circuit
}

/// Multiplies by adding and shifting; an even factor gives an even product.
fn multiplier(width: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let start = circuit.input();
    let (left, right) = (inputs(&mut circuit, width), inputs(&mut circuit, width));
    let (a, b) = (latches(&mut circuit, width), latches(&mut circuit, width));
    let product = latches(&mut circuit, width);
    let even = circuit.latch(Some(true));
    let graph = &mut circuit.graph;
    let zero = vec![Literal::FALSE; width];
    let added = sum(graph, &product, &a, Literal::FALSE);
    let step = choose(graph, b[0], &added, &product);
    let next_product = choose(graph, start, &zero, &step);
    let mut doubled = a.clone();
    doubled.rotate_right(1);
    doubled[0] = if broken { a[width - 1] } else { Literal::FALSE };
    let next_a = choose(graph, start, &left, &doubled);
    let mut halved = b.clone();
    halved.rotate_left(1);
    halved[width - 1] = Literal::FALSE;
    let next_b = choose(graph, start, &right, &halved);
    let factor = graph.or(!left[0], !right[0]);
    let next_even = graph.ite(start, factor, even);
    let bad = graph.and(even, product[0]);
    connect(&mut circuit, &a, &next_a);
    connect(&mut circuit, &b, &next_b);
    connect(&mut circuit, &product, &next_product);
    circuit.connect(even, next_even);
    circuit.bad.push(bad);
    circuit
}

/// No two ones enter one after the other, so none leave like that.
fn shift_register(length: usize, broken: bool) -> Circuit {
    let mut circuit = Circuit::new();
    let bit = circuit.input();
    let cells = latches(&mut circuit, length);
    let enters = circuit.graph.and(bit, !cells[0]);
    let mut next = vec![enters];
    next.extend(&cells[..length - 1]);
    if broken {
        next[length - 20] = circuit.graph.or(cells[length - 21], cells[length - 23]);
    }
    connect(&mut circuit, &cells, &next);
    let bad = circuit.graph.and(cells[length - 1], cells[length - 2]);
    circuit.bad.push(bad);
    circuit
}
