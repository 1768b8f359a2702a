//! Models that control: arbiters, timers, lifts, buses, handshakes, coherence.

use crate::words::{Model, Word};

/// States one after the other, each with its time: one at a time, and none for too long. The broken one
/// asks whether the last one ends.
pub(crate) fn timers(states: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let skip = m.input(1, "skip");
    let (state, time) = (m.state(states, "st", 1), m.state(width, "timer", 0));
    let lasts = |at: usize| ((7 * at as u128 + 3) % (1 << width)).max(1);
    let mut limit = m.number(width, lasts(0));
    for at in 1..states {
        limit = state.bit(at).choose_number(lasts(at), limit);
    }
    let done = time.is(limit) | skip;
    state.next(done.choose(state.turned(), state));
    time.next(done.choose_number(0, time.plus(1)));
    let most = (0..states).map(lasts).max().unwrap_or_default();
    match broken {
        true => {
            let ends = time.is_number(lasts(states - 1));
            m.bad(state.bit(states - 1) & ends, "last");
        }
        false => {
            let odd = state.several() | state.is_number(0);
            m.bad(odd | time.above(most), "not_onehot");
        }
    }
    m.text()
}

/// The first that asks, from where the pointer is on.
fn granted<'a>(asks: Word<'a>, pointer: Word<'a>) -> Word<'a> {
    let clients = asks.width;
    let twice = asks.then(asks);
    let first = twice & !(twice - pointer.wider(clients));
    first.bits(2 * clients - 1, clients) | first.bits(clients - 1, 0)
}

/// An arbiter in turns: never two grants.
pub(crate) fn turns(clients: usize, broken: bool) -> String {
    let m = Model::new();
    let asks = m.input(clients, "req");
    let (pointer, grant) = (m.state(clients, "ptr", 1), m.state(clients, "gnt", 0));
    let mut given = granted(asks, pointer);
    if broken {
        let at = clients / 2;
        let two = asks.bit(clients - 1) & asks.bit(at) & pointer.bit(clients - 2);
        given = two.choose(given | m.number(clients, 1 << at), given);
    }
    grant.next(given);
    pointer.next(given.any().choose(given.turned(), pointer));
    m.bad(grant.several(), "two_grants");
    m.text()
}

/// The same arbiter: who goes on asking waits for all others at most; the broken one, for one less.
pub(crate) fn waiting(clients: usize, broken: bool) -> String {
    let m = Model::new();
    let asks = m.input(clients, "req");
    let pointer = m.state(clients, "ptr", 1);
    let bits = clients.ilog2() as usize + 2;
    let waits = m.state(bits, "wait", 0);
    let given = granted(asks, pointer);
    pointer.next(given.any().choose(given.turned(), pointer));
    let more = asks.bit(0).choose(waits.plus(1), m.number(bits, 0));
    waits.next(given.bit(0).choose_number(0, more));
    let most = (clients - usize::from(broken)) as u128;
    m.bad(waits.at_least_number(most), "starved");
    m.text()
}

/// Lights with long times: cars and people never go together. The broken one asks for the last phase.
pub(crate) fn lights(width: usize, green: u128, broken: bool) -> String {
    let m = Model::new();
    let asks = m.input(1, "pedestrian");
    let (phase, time) = (m.state(2, "phase", 0), m.state(width, "timer", 0));
    let pending = m.state(1, "pending", 0);
    let mut limit = m.number(width, 20);
    for (at, lasts) in [(2, green / 2), (1, 20), (0, green)] {
        limit = phase.is_number(at).choose_number(lasts, limit);
    }
    let ends = time.at_least(limit);
    time.next(ends.choose_number(0, time.plus(1)));
    phase.next(ends.choose(phase.plus(1), phase));
    pending.next(asks | (pending & !phase.is_number(2)));
    let walk = m.state(1, "walk", 0);
    walk.next(phase.is_number(2) & time.below(green / 4) & pending);
    let cars = m.state(1, "cargreen", 0);
    cars.next(phase.is_number(0));
    match broken {
        true => m.bad(phase.is_number(3) & time.is_number(10), "reach"),
        false => m.bad((cars & walk) | time.above(green), "conflict"),
    }
    m.text()
}

/// A lift is at one floor and does not move with its door open; the broken one asks for the top.
pub(crate) fn lift(floors: usize, broken: bool) -> String {
    let m = Model::new();
    let call = m.input(floors, "call");
    let (floor, door) = (m.state(floors, "floor", 1), m.state(1, "door", 0));
    let (up, asked) = (m.state(1, "up", 1), m.state(floors, "req", 0));
    let moving = m.state(1, "moving", 0);
    let lower = floor.minus_one();
    let here = (asked & floor).any();
    let above = (asked & !(floor | lower)).any();
    let below = (asked & lower).any();
    let stops = here & !door;
    let rises = !stops & !door & ((up & above) | (above & !below));
    let falls = !stops & !door & !rises & below;
    let higher = floor.bits(floors - 2, 0).then(m.number(1, 0));
    let deeper = m.number(1, 0).then(floor.bits(floors - 1, 1));
    floor.next(rises.choose(higher, falls.choose(deeper, floor)));
    door.next(stops);
    moving.next(rises | falls);
    up.next(rises.choose_number(1, falls.choose_number(0, up)));
    let served = if broken { stops } else { door };
    asked.next(call | served.choose(asked & !floor, asked));
    match broken {
        true => m.bad(floor.bit(floors - 1) & door, "unsafe"),
        false => {
            let nowhere = floor.is_number(0) | floor.several();
            m.bad((door & moving) | nowhere, "unsafe");
        }
    }
    m.text()
}

/// Philosophers at a round table: neighbours do not eat together.
pub(crate) fn table(count: usize, broken: bool) -> String {
    let m = Model::new();
    let bits = (count - 1).ilog2() as usize + 1;
    let who = m.input(bits, "who");
    let all: Vec<Word<'_>> = (0..count)
        .map(|at| m.state(2, &format!("ph{at}"), 0))
        .collect();
    let eats = |at: usize| all[at % count].is_number(2);
    let taken = |at: usize| {
        let at = at % count;
        all[at].at_least_number(1) | eats(at + count - 1)
    };
    for (at, &state) in all.iter().enumerate() {
        let me = who.is_number(at as u128);
        let left = state.is_number(0) & !taken(at);
        let mut right = state.is_number(1);
        if !broken || at > 0 {
            right = right & !taken(at + 1);
        }
        let rest = (me & eats(at)).choose_number(0, state);
        let rest = (me & right).choose_number(2, rest);
        state.next((me & left).choose_number(1, rest));
    }
    let pairs = (0..count).map(|at| eats(at) & eats(at + 1));
    if let Some(bad) = pairs.reduce(|one, other| one | other) {
        m.bad(bad, "neighbours_eat");
    }
    m.text()
}

/// Who has the token may take the bus, for some time: the owner has the token.
pub(crate) fn bus(clients: usize, most: u128, broken: bool) -> String {
    let m = Model::new();
    let (asks, release) = (m.input(clients, "req"), m.input(1, "release"));
    let (token, owner) = (m.state(clients, "token", 1), m.state(clients, "owner", 0));
    let held = m.state(8, "held", 0);
    let free = owner.is_number(0);
    let mine = token & asks;
    let takes = free & mine.any();
    let ends = !free & (release | held.is_number(most));
    owner.next(takes.choose(mine, ends.choose_number(0, owner)));
    let mut moves = free & !takes;
    if broken {
        moves = moves | (!free & held.is_number(most / 2));
    }
    token.next((moves | ends).choose(token.turned(), token));
    held.next((takes | ends).choose_number(0, free.choose(held, held.plus(1))));
    m.bad((owner & !token).any() | held.above(most), "two_owners");
    m.text()
}

/// Stages that hand on what they hold when the next one is free: as many inside as came and did not leave.
pub(crate) fn handshakes(stages: usize, broken: bool) -> String {
    let m = Model::new();
    let (comes, taken) = (m.input(1, "in_valid"), m.input(1, "out_ready"));
    let holds: Vec<Word<'_>> = (0..stages)
        .map(|at| m.state(1, &format!("v{at}"), 0))
        .collect();
    let bits = stages.ilog2() as usize + 2;
    let inside = m.state(bits, "inside", 0);
    let mut ready = vec![taken; stages + 1];
    for at in (0..stages).rev() {
        ready[at] = !holds[at] | ready[at + 1];
    }
    let enters = comes & ready[0];
    let leaves = holds[stages - 1] & taken;
    for (at, &stage) in holds.iter().enumerate() {
        let from = match at {
            0 => enters,
            _ if broken && at == stages / 2 => {
                let lost = stage & holds[stages - 1] & holds[0];
                holds[at - 1] & ready[at] & !lost
            }
            _ => holds[at - 1],
        };
        stage.next(ready[at].choose(from, stage));
    }
    let more = enters.choose(inside.plus(1), inside);
    inside.next(leaves.choose(more.minus_one(), more));
    let each = holds.iter().map(|stage| stage.wider(bits - 1));
    if let Some(sum) = each.reduce(|one, other| one + other) {
        m.bad(sum.differs(inside), "lost");
    }
    m.text()
}

/// Who was used least recently, by who was used after whom: always one. The broken one asks for an order.
pub(crate) fn least_recent(count: usize, broken: bool) -> String {
    let m = Model::new();
    let used = m.input((count - 1).ilog2() as usize + 1, "use");
    let after: Vec<Vec<Word<'_>>> = (0..count)
        .map(|a| {
            let row = (0..count).map(|b| match a == b {
                true => m.number(1, 0),
                false => m.state(1, &format!("m{a}_{b}"), u128::from(a < b)),
            });
            row.collect()
        })
        .collect();
    for (a, row) in after.iter().enumerate() {
        for (b, &bit) in row.iter().enumerate().filter(|&(b, _)| b != a) {
            let old = used.is_number(b as u128).choose_number(0, bit);
            bit.next(used.is_number(a as u128).choose_number(1, old));
        }
    }
    let least: Vec<Word<'_>> = (0..count)
        .map(|a| {
            let mut least = m.number(1, 1);
            for b in (0..count).filter(|&b| b != a) {
                least = least & !after[a][b];
            }
            least
        })
        .collect();
    let (mut one, mut two) = (m.number(1, 0), m.number(1, 0));
    for &this in &least {
        two = two | (one & this);
        one = one | this;
    }
    match broken {
        true => {
            let ordered = (1..count - 1).map(|at| after[at][at + 1]);
            m.bad(ordered.fold(least[0], |one, other| one & other), "lru");
        }
        false => m.bad(two | !one, "lru"),
    }
    m.text()
}

/// A queue between two clocks, its pointers in Gray code and seen late: never too many words inside.
pub(crate) fn two_clocks(index: usize, broken: bool) -> String {
    let m = Model::new();
    let bits = index + 1;
    let (write_clock, read_clock) = (m.input(1, "wclk"), m.input(1, "rclk"));
    let (write, read) = (m.input(1, "we"), m.input(1, "re"));
    let (tail, head) = (m.state(bits, "wbin", 0), m.state(bits, "rbin", 0));
    let (tail_1, tail_2) = (m.state(bits, "wq1", 0), m.state(bits, "wq2", 0));
    let (head_1, head_2) = (m.state(bits, "rq1", 0), m.state(bits, "rq2", 0));
    let (tail_code, head_code) = (m.state(bits, "wgray", 0), m.state(bits, "rgray", 0));
    let across = (!head_2.bits(bits - 1, bits - 2)).then(head_2.bits(bits - 3, 0));
    let mut full = tail_code.is(across);
    if broken {
        full = full & !head_2.is_number(1);
    }
    let empty = head_code.is(tail_2);
    let pushes = write_clock & write & !full;
    let pops = read_clock & read & !empty;
    let next_tail = pushes.choose(tail.plus(1), tail);
    let next_head = pops.choose(head.plus(1), head);
    tail.next(next_tail);
    head.next(next_head);
    tail_code.next(next_tail ^ next_tail.halved());
    head_code.next(next_head ^ next_head.halved());
    tail_1.next(read_clock.choose(tail_code, tail_1));
    tail_2.next(read_clock.choose(tail_1, tail_2));
    head_1.next(write_clock.choose(head_code, head_1));
    head_2.next(write_clock.choose(head_1, head_2));
    m.bad((tail - head).above(1 << index), "overrun");
    m.text()
}

/// Caches of four states: who may write is alone, unless one does not hear of a write.
pub(crate) fn coherence(count: usize, broken: bool) -> String {
    let m = Model::new();
    let bits = (count - 1).ilog2() as usize + 1;
    let (who, what) = (m.input(bits, "who"), m.input(2, "op"));
    let all: Vec<Word<'_>> = (0..count)
        .map(|at| m.state(2, &format!("c{at}"), 0))
        .collect();
    let (reads, writes, drops) = (what.is_number(0), what.is_number(1), what.is_number(2));
    let somebody = who.below(count as u128);
    let valid = if count == 1 << bits {
        m.number(1, 1)
    } else {
        somebody
    };
    for (at, &state) in all.iter().enumerate() {
        let absent = state.is_number(0);
        let others = (0..count).filter(|&other| other != at);
        let others = others.map(|other| !all[other].is_number(0));
        let shared = others.reduce(|one, other| one | other).unwrap_or(valid);
        let rest = writes.choose_number(3, drops.choose_number(0, state));
        let got = shared.choose(m.number(2, 1), m.number(2, 2));
        let mine = reads.choose(absent.choose(got, state), rest);
        let lent = absent.choose(state, m.number(2, 1));
        let mut other = reads.choose(lent, writes.choose_number(0, state));
        if broken && at == count - 1 {
            let deaf = writes & state.is_number(1) & all[0].is_number(1);
            other = deaf.choose(state, other);
        }
        let me = who.is_number(at as u128);
        state.next(me.choose(mine, valid.choose(other, state)));
    }
    let mut bad = m.number(1, 0);
    for (at, &owner) in all.iter().enumerate() {
        for (_, &state) in all.iter().enumerate().filter(|&(other, _)| other != at) {
            bad = bad | (owner.bit(1) & !state.is_number(0));
        }
    }
    m.bad(bad, "two_owners");
    m.text()
}
