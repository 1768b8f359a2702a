//! Models with memories: queues, stacks, caches, register files.

use crate::words::{Model, Word};

/// A queue in a memory: one word is watched, and leaves as it came, unless a full queue takes more.
pub(crate) fn queue(index: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let (push, pop) = (m.input(1, "push"), m.input(1, "pop"));
    let (data, pick) = (m.input(width, "din"), m.input(1, "pick"));
    let memory = m.memory(index, width, "mem", false);
    let (head, tail) = (m.state(index, "rptr", 0), m.state(index, "wptr", 0));
    let count = m.state(index + 1, "count", 0);
    let (full, empty) = (count.is_number(1 << index), count.is_number(0));
    let pushes = if broken { push } else { push & !full };
    let pops = pop & !empty;
    memory.next(memory.write(tail, data).when(pushes, memory));
    tail.next(pushes.choose(tail.plus(1), tail));
    head.next(pops.choose(head.plus(1), head));
    let more = pushes.choose(count.plus(1), count);
    count.next(pops.choose(more.minus_one(), more));
    let tracking = m.state(1, "tracking", 0);
    let tracked = m.state(width, "tracked", 0);
    let ahead = m.state(index + 1, "ahead", 0);
    let begins = !tracking & pushes & pick;
    let leaves = tracking & pops & ahead.is_number(0);
    tracking.next(begins.choose_number(1, leaves.choose_number(0, tracking)));
    tracked.next(begins.choose(data, tracked));
    let before = pops.choose(count.minus_one(), count);
    let later = (tracking & pops).choose(ahead.minus_one(), ahead);
    ahead.next(begins.choose(before, later));
    m.bad(leaves & memory.read(head).differs(tracked), "wrong_data");
    m.text()
}

/// A stack in a memory: what was pushed at some level is there when that level is reached again. The
/// broken one asks whether a level is ever come back to.
pub(crate) fn stack(index: usize, width: usize, level: Option<u128>) -> String {
    let m = Model::new();
    let (push, pop) = (m.input(1, "push"), m.input(1, "pop"));
    let (data, pick) = (m.input(width, "x"), m.input(1, "pick"));
    let memory = m.memory(index, width, "mem", false);
    let top = m.state(index + 1, "sp", 0);
    let (full, empty) = (top.is_number(1 << index), top.is_number(0));
    let pushes = push & !full;
    let pops = pop & !empty & !push;
    let written = memory.write(top.bits(index - 1, 0), data);
    memory.next(written.when(pushes, memory));
    top.next(pushes.choose(top.plus(1), pops.choose(top.minus_one(), top)));
    let tracking = m.state(1, "tr", 0);
    let (kept_level, kept) = (m.state(index + 1, "lvl", 0), m.state(width, "val", 0));
    let begins = pushes & pick & !tracking;
    let ends = tracking & pops & top.minus_one().is(kept_level);
    tracking.next(begins.choose_number(1, ends.choose_number(0, tracking)));
    kept_level.next(begins.choose(top, kept_level));
    kept.next(begins.choose(data, kept));
    let found = memory.read(top.minus_one().bits(index - 1, 0));
    let bad = match level {
        None => ends & found.differs(kept),
        Some(level) => ends & found.is(kept) & kept_level.is_number(level),
    };
    m.bad(bad, "lost");
    m.text()
}

/// A line of registers beside a ring in a memory: the same word leaves both.
pub(crate) fn delay(index: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let (data, go) = (m.input(width, "x"), m.input(1, "en"));
    let mut last = data;
    for at in 0..1 << index {
        let register = m.state(width, &format!("r{at}"), 0);
        register.next(go.choose(last, register));
        last = register;
    }
    let memory = m.memory(index, width, "mem", true);
    let place = m.state(index, "p", 0);
    memory.next(memory.write(place, data).when(go, memory));
    place.next(go.choose(place.plus(1), place));
    let from = if broken { place.plus(1) } else { place };
    m.bad(memory.read(from).differs(last), "differ");
    m.text()
}

/// Instructions in three stages, with results forwarded, beside the same in one step; the broken one
/// does not forward from the stage before.
pub(crate) fn stages(width: usize, index: usize, broken: bool) -> String {
    let m = Model::new();
    let (code, given) = (m.input(2, "opcode"), m.input(width, "imm"));
    let (left, right) = (m.input(index, "ra"), m.input(index, "rb"));
    let target = m.input(index, "rd");
    let file = m.memory(index, width, "rf", true);
    let wanted = m.memory(index, width, "rf_spec", true);
    let valid = m.state(1, "v1", 0);
    let (code_1, left_1) = (m.state(2, "o1", 0), m.state(width, "a1", 0));
    let (right_1, target_1) = (m.state(width, "b1", 0), m.state(index, "d1", 0));
    let valid_2 = m.state(1, "v2", 0);
    let (result_2, target_2) = (m.state(width, "r2", 0), m.state(index, "d2", 0));
    let given_1 = m.state(width, "i1", 0);
    given_1.next(given);
    let result = calculated(code_1, left_1, right_1, given_1);
    let fetched = |from| {
        let forwarded = (valid_2 & target_2.is(from)).choose(result_2, file.read(from));
        match broken {
            true => forwarded,
            false => (valid & target_1.is(from)).choose(result, forwarded),
        }
    };
    valid.next(m.number(1, 1));
    code_1.next(code);
    left_1.next(fetched(left));
    right_1.next(fetched(right));
    target_1.next(target);
    valid_2.next(valid);
    result_2.next(result);
    target_2.next(target_1);
    file.next(file.write(target_2, result_2).when(valid_2, file));
    let at_once = calculated(code, wanted.read(left), wanted.read(right), given);
    wanted.next(wanted.write(target, at_once));
    let (later, last) = (m.state(width, "s1", 0), m.state(width, "s2", 0));
    later.next(at_once);
    last.next(later);
    m.bad(valid_2 & result_2.differs(last), "differs");
    m.text()
}

fn calculated<'a>(code: Word<'a>, a: Word<'a>, b: Word<'a>, given: Word<'a>) -> Word<'a> {
    let rest = code.is_number(2).choose(a & b, given);
    let rest = code.is_number(1).choose(a ^ b, rest);
    code.is_number(0).choose(a + b, rest)
}

/// A cache in front of a memory: a hit gives what the memory has, unless writes pass it by.
pub(crate) fn cache(index: usize, tag: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let address = m.input(index + tag, "addr");
    let (writes, data) = (m.input(1, "write"), m.input(width, "data"));
    let memory = m.memory(index + tag, width, "memory", true);
    let tags = m.memory(index, tag, "tags", true);
    let valid = m.memory(index, 1, "valid", true);
    let lines = m.memory(index, width, "lines", true);
    let line = address.bits(index - 1, 0);
    let of = address.bits(index + tag - 1, index);
    let hit = valid.read(line) & tags.read(line).is(of);
    memory.next(memory.write(address, data).when(writes, memory));
    let fills = if broken { !hit } else { !hit | writes };
    let value = writes.choose(data, memory.read(address));
    tags.next(tags.write(line, of).when(fills, tags));
    valid.next(valid.write(line, m.number(1, 1)).when(fills, valid));
    lines.next(lines.write(line, value).when(fills, lines));
    let stale = lines.read(line).differs(memory.read(address));
    m.bad(hit & !writes & stale, "stale");
    m.text()
}

/// A machine that runs a program that may be any: its stack has at most five levels. The broken one
/// asks for a number in the accumulator at the third.
pub(crate) fn machine(index: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let program = m.memory(4, 8, "program", false);
    program.next(program);
    let file = m.memory(index, width, "regs", true);
    let (place, sum) = (m.state(4, "pc", 0), m.state(width, "acc", 0));
    let top = m.state(3, "sp", 0);
    let instruction = program.read(place);
    let code = instruction.bits(7, 5);
    let register = instruction.bits(index - 1, 0);
    let given = instruction.bits(3, 0);
    let value = file.read(register);
    let rest = code.is_number(3).choose(value, sum);
    let rest = code.is_number(2).choose(given.wider(width - 4), rest);
    let rest = code.is_number(1).choose(sum - value, rest);
    sum.next(code.is_number(0).choose(sum + value, rest));
    file.next(file.write(register, sum).when(code.is_number(4), file));
    let jumps = code.is_number(5) | (code.is_number(6) & sum.is_number(0));
    place.next(jumps.choose(given, place.plus(1)));
    let stacks = code.is_number(7);
    let pushes = stacks & instruction.bit(4) & top.below(5);
    let pops = stacks & !instruction.bit(4) & !top.is_number(0);
    top.next(pushes.choose(top.plus(1), pops.choose(top.minus_one(), top)));
    match broken {
        true => m.bad(sum.is_number(77) & top.is_number(3), "reach"),
        false => m.bad(top.above(5), "stack"),
    }
    m.text()
}
