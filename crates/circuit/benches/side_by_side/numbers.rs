//! Models that calculate: counters, codes, checksums, sums and products.

use crate::words::{Model, Word};

/// Counts up to a number; the broken one asks whether it gets there.
pub(crate) fn counter(width: usize, most: u128, broken: bool) -> String {
    let m = Model::new();
    let (go, reset) = (m.input(1, "en"), m.input(1, "rst"));
    let count = m.state(width, "c", 0);
    let more = count.is_number(most).choose_number(0, count.plus(1));
    count.next(reset.choose_number(0, go.choose(more, count)));
    match broken {
        true => m.bad(count.is_number(most), "overflow"),
        false => m.bad(count.above(most), "overflow"),
    }
    m.text()
}

/// A counter beside its Gray code: one bit changes at a time, but for a number where it is wrong.
pub(crate) fn gray(width: usize, wrong: Option<u128>) -> String {
    let m = Model::new();
    let go = m.input(1, "en");
    let (count, code) = (m.state(width, "bin", 0), m.state(width, "gray", 0));
    let more = go.choose(count.plus(1), count);
    count.next(more);
    let mut coded = more ^ more.halved();
    if let Some(wrong) = wrong {
        coded = more.is_number(wrong).choose_number(0, coded);
    }
    code.next(coded);
    let before = m.state(width, "prev", 0);
    before.next(code);
    m.bad((code ^ before).several(), "two_bits_change");
    m.text()
}

/// A counter that steps in Gray code is the code of a plain one; the broken one asks for a number.
pub(crate) fn gray_steps(width: usize, asked: Option<u128>) -> String {
    let m = Model::new();
    let go = m.input(1, "en");
    let (count, code) = (m.state(width, "bin", 0), m.state(width, "gray", 0));
    let high = 1 << (width - 1);
    let lowest = code & (m.number(width, 0) - code);
    let flipped = lowest.is_number(high).choose_number(high, lowest.doubled());
    let stepped = code.odd().choose(code ^ flipped, code ^ m.number(width, 1));
    code.next(go.choose(stepped, code));
    count.next(go.choose(count.plus(1), count));
    let differs = (count ^ count.halved()).differs(code);
    let bad = asked.map_or(differs, |asked| differs | code.is_number(asked));
    m.bad(bad, "differs");
    m.text()
}

/// A shift register with feedback is never all zeros; the broken one asks for a value it has.
pub(crate) fn feedback(width: usize, taps: &[usize], asked: u128) -> String {
    let m = Model::new();
    let go = m.input(1, "en");
    let state = m.state(width, "lfsr", 1);
    let mut back = state.bit(taps[0]);
    for &tap in &taps[1..] {
        back = back ^ state.bit(tap);
    }
    let shifted = state.bits(width - 2, 0).then(back);
    state.next(go.choose(shifted, state));
    m.bad(state.is_number(asked), "stuck");
    m.text()
}

/// A checksum bit by bit is that of the whole, unless one bit counts wrongly.
pub(crate) fn checksum(width: usize, polynomial: u128, length: usize, broken: bool) -> String {
    let m = Model::new();
    let data = m.input(1, "d");
    let sum = m.state(width, "crc", 0);
    let (count, history) = (m.state(8, "cnt", 0), m.state(length, "hist", 0));
    let goes = count.below(length as u128);
    let top = sum.bit(width - 1) ^ data;
    let shifted = sum.bits(width - 2, 0).then(m.number(1, 0));
    let then = top.choose(shifted ^ m.number(width, polynomial), shifted);
    sum.next(goes.choose(then, sum));
    count.next(goes.choose(count.plus(1), count));
    let longer = history.bits(length - 2, 0).then(data);
    history.next(goes.choose(longer, history));
    let mask = (1 << width) - 1;
    let mut whole = m.number(width, 0);
    let mut effect = polynomial & mask;
    for at in 0..length {
        let wrong = u128::from(broken && at == length / 2);
        let part = m.number(width, effect ^ wrong);
        whole = whole ^ history.bit(at).choose(part, m.number(width, 0));
        let carry = effect >> (width - 1) & 1 == 1;
        effect = ((effect << 1) & mask) ^ if carry { polynomial } else { 0 };
    }
    m.bad(!goes & whole.differs(sum), "crc");
    m.text()
}

/// Adding and then waiting gives what waiting and then adding does.
pub(crate) fn retimed(width: usize, depth: usize, broken: bool) -> String {
    let m = Model::new();
    let (x, y) = (m.input(width, "x"), m.input(width, "y"));
    let waited = |from: Word<'_>, name: &str, at: usize| {
        let register = m.state(width, &format!("{name}{at}"), 0);
        register.next(from);
        register
    };
    let (mut sum, mut left, mut right) = (x + y, x, y);
    for at in 0..depth {
        sum = waited(sum, "s", at);
        left = waited(left, "p", at);
        right = waited(right, "q", at);
    }
    let mut then = left + right;
    if broken {
        then = left.is_number((1 << width) - 3).choose(then.plus(1), then);
    }
    m.bad(sum.differs(then), "differ");
    m.text()
}

/// Numbers that are sorted round by round; the broken one has a round less.
pub(crate) fn sorter(count: usize, width: usize, broken: bool) -> String {
    let m = Model::new();
    let mut row: Vec<Word<'_>> = (0..count)
        .map(|at| m.input(width, &format!("x{at}")))
        .collect();
    for round in 0..count - usize::from(broken) {
        let mut sorted = row.clone();
        for at in (round % 2..count - 1).step_by(2) {
            let wrong = row[at].exceeds(row[at + 1]);
            sorted[at] = wrong.choose(row[at + 1], row[at]);
            sorted[at + 1] = wrong.choose(row[at], row[at + 1]);
        }
        for (at, &word) in sorted.iter().enumerate() {
            row[at] = m.state(width, &format!("r{round}_{at}"), 0);
            row[at].next(word);
        }
    }
    let unsorted = row.windows(2).map(|two| two[0].exceeds(two[1]));
    if let Some(bad) = unsorted.reduce(|one, other| one | other) {
        m.bad(bad, "unsorted");
    }
    m.text()
}

/// A product by adding and shifting is the product; the broken one forgets the last sum.
pub(crate) fn multiplier(width: usize, broken: bool) -> String {
    let m = Model::new();
    let start = m.input(1, "start");
    let (x, y) = (m.input(width, "x"), m.input(width, "y"));
    let bits = width.ilog2() as usize + 1;
    let (busy, shifted) = (m.state(1, "busy", 0), m.state(2 * width, "a", 0));
    let (factor, sum) = (m.state(width, "m", 0), m.state(2 * width, "acc", 0));
    let count = m.state(bits, "cnt", 0);
    let (kept_x, kept_y) = (m.state(width, "x0", 0), m.state(width, "y0", 0));
    let done = m.state(1, "done", 0);
    let begins = start & !busy;
    let ends = busy & count.is_number(width as u128);
    busy.next(begins.choose_number(1, ends.choose_number(0, busy)));
    done.next(ends);
    shifted.next(begins.choose(x.wider(width), busy.choose(shifted.doubled(), shifted)));
    factor.next(begins.choose(y, busy.choose(factor.halved(), factor)));
    let mut adds = busy & factor.bit(0);
    if broken {
        adds = adds & !count.is_number(width as u128 - 1);
    }
    sum.next(begins.choose_number(0, adds.choose(sum + shifted, sum)));
    count.next(begins.choose_number(0, busy.choose(count.plus(1), count)));
    kept_x.next(begins.choose(x, kept_x));
    kept_y.next(begins.choose(y, kept_y));
    let product = kept_x.wider(width).times(kept_y.wider(width));
    m.bad(done & sum.differs(product), "product");
    m.text()
}

/// Money that was paid is there or was given for goods.
pub(crate) fn vending(width: usize, price: u128, broken: bool) -> String {
    let m = Model::new();
    let (coin, buy) = (m.input(2, "coin"), m.input(1, "buy"));
    let credit = m.state(width, "credit", 0);
    let (paid, given) = (m.state(width, "paid", 0), m.state(width, "given", 0));
    let nothing = m.number(width, 0);
    let value = coin.is_number(3).choose_number(25, nothing);
    let value = coin.is_number(2).choose_number(10, value);
    let value = coin.is_number(1).choose_number(5, value);
    let sold = buy & credit.at_least_number(price);
    let taken = (credit.below(200) & !buy).choose(value, nothing);
    credit.next(sold.choose(credit - m.number(width, price), credit + taken));
    paid.next(paid + taken);
    let counted = if broken { price - 5 } else { price };
    given.next(sold.choose(given.plus(counted), given));
    m.bad(paid.differs(given + credit), "money_lost");
    m.text()
}

/// Two counters that step by the same numbers in two ways; the broken one asks for a number.
pub(crate) fn two_counters(width: usize, asked: Option<u128>) -> String {
    let m = Model::new();
    let step = m.input(2, "i");
    let (x, y) = (m.state(width, "x", 0), m.state(width, "y", 0));
    x.next(x + step.wider(width - 2));
    let high = step.bit(0).choose(y.plus(3), y.plus(2));
    let low = step.bit(0).choose(y.plus(1), y);
    y.next(step.bit(1).choose(high, low));
    match asked {
        None => m.bad(x.differs(y), "differ"),
        Some(asked) => m.bad(x.is_number(asked) & x.is(y), "differ"),
    }
    m.text()
}

/// One counter by threes and one by twos: twice the one is three times the other.
pub(crate) fn threes_and_twos(width: usize) -> String {
    let m = Model::new();
    let go = m.input(1, "i");
    let (x, y) = (m.state(width, "x", 0), m.state(width, "y", 0));
    x.next(go.choose(x.plus(3), x));
    y.next(go.choose(y.plus(2), y));
    m.bad((x + x).differs(y + (y + y)), "differ");
    m.text()
}

/// A sum that is kept beside the registers that it is the sum of.
pub(crate) fn kept_sum(count: usize, width: usize) -> String {
    let m = Model::new();
    let bits = ((count - 1).ilog2() as usize + 1).max(1);
    let (which, value) = (m.input(bits, "k"), m.input(width, "v"));
    let total = m.state(width, "total", 0);
    let registers: Vec<Word<'_>> = (0..count)
        .map(|at| m.state(width, &format!("r{at}"), 0))
        .collect();
    let mut old = registers[0];
    for (at, &register) in registers.iter().enumerate() {
        let this = which.is_number(at as u128);
        register.next(this.choose(value, register));
        if at > 0 {
            old = this.choose(register, old);
        }
    }
    let there = match count == 1 << bits {
        true => m.number(1, 1),
        false => which.below(count as u128),
    };
    total.next(there.choose(total - old + value, total));
    let sum = registers.into_iter().reduce(|one, other| one + other);
    m.bad(sum.map_or(total, |sum| sum.differs(total)), "sum");
    m.text()
}
