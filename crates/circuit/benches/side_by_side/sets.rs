//! Which models in words are measured, with what is known of them.

use crate::{controllers, memories, numbers};

/// A model in words: its name, its text, and whether its property holds.
pub(crate) type Known = (String, String, bool);

/// All of them: sound and broken ones of 29 families.
pub(crate) fn all() -> Vec<Known> {
    let mut found = with_memories();
    found.extend(with_numbers());
    found.extend(with_controllers());
    found
}

/// A sound model and a broken one.
fn pair(found: &mut Vec<Known>, name: &str, text: impl Fn(bool) -> String) {
    found.push((name.to_owned(), text(false), true));
    found.push((format!("{name}-broken"), text(true), false));
}

fn with_memories() -> Vec<Known> {
    let mut found = Vec::new();
    let all = &mut found;
    for (i, w) in [(2, 4), (3, 8), (4, 16), (5, 32)] {
        pair(all, &format!("queue-{i}x{w}"), |b| memories::queue(i, w, b));
    }
    for (i, w) in [(1, 4), (2, 4), (3, 8), (4, 8)] {
        pair(all, &format!("delay-{i}x{w}"), |b| memories::delay(i, w, b));
    }
    for (w, i) in [(2, 1), (4, 2), (8, 2), (16, 3), (32, 5)] {
        pair(all, &format!("stages-{w}x{i}"), |b| {
            memories::stages(w, i, b)
        });
    }
    for (i, t, w) in [(1, 1, 1), (2, 2, 4), (3, 4, 8), (4, 12, 16), (6, 20, 32)] {
        let name = format!("cache-{i}x{t}x{w}");
        pair(all, &name, |b| memories::cache(i, t, w, b));
    }
    for (i, w) in [(2, 8), (3, 16)] {
        pair(all, &format!("machine-{i}x{w}"), |b| {
            memories::machine(i, w, b)
        });
    }
    for (i, w, level) in [(2, 4, 1), (4, 8, 3), (6, 16, 3)] {
        let text = |broken: bool| memories::stack(i, w, broken.then_some(level));
        pair(all, &format!("stack-{i}x{w}"), text);
    }
    found
}

fn with_numbers() -> Vec<Known> {
    let mut found = Vec::new();
    let mut add = |name: String, text: String, holds: bool| {
        let mark = if holds { "" } else { "-broken" };
        found.push((format!("{name}{mark}"), text, holds));
    };
    for (w, most) in [
        (16, 1_000),
        (32, 100_000),
        (64, 1_000_000_000_000),
        (128, 1 << 100),
    ] {
        add(format!("wide-{w}"), numbers::counter(w, most, false), true);
    }
    for (w, most) in [(16, 200), (12, 1_000)] {
        add(format!("wide-{w}"), numbers::counter(w, most, true), false);
    }
    for w in [4, 8, 16, 32] {
        add(format!("gray-{w}"), numbers::gray(w, None), true);
    }
    add("gray-8".into(), numbers::gray(8, Some(100)), false);
    for w in [4, 6, 8, 12, 16] {
        add(format!("graysteps-{w}"), numbers::gray_steps(w, None), true);
    }
    add(
        "graysteps-8".into(),
        numbers::gray_steps(8, Some(100)),
        false,
    );
    let taps: [(usize, &[usize]); 3] = [
        (16, &[15, 13, 12, 10]),
        (64, &[63, 62, 60, 59]),
        (128, &[127, 125, 100, 98]),
    ];
    for (w, taps) in taps {
        add(format!("feedback-{w}"), numbers::feedback(w, taps, 0), true);
    }
    add(
        "feedback-16".into(),
        numbers::feedback(16, taps[0].1, 0xabc),
        false,
    );
    for (w, step) in [(8, 150), (16, 90)] {
        let text = numbers::two_counters(w, Some(step));
        add(format!("twocounters-{w}"), text, false);
    }
    for w in [8, 16, 32, 64] {
        add(
            format!("twocounters-{w}"),
            numbers::two_counters(w, None),
            true,
        );
    }
    for w in [6, 8, 12, 16] {
        add(format!("threes-{w}"), numbers::threes_and_twos(w), true);
    }
    for (n, w) in [(2, 2), (3, 3), (4, 4), (8, 4)] {
        add(format!("keptsum-{n}x{w}"), numbers::kept_sum(n, w), true);
    }
    let all = &mut found;
    for (w, polynomial) in [(8, 7), (16, 0x1021), (32, 0x04c1_1db7)] {
        let text = |broken| numbers::checksum(w, polynomial, w, broken);
        pair(all, &format!("checksum-{w}"), text);
    }
    for (w, d) in [(4, 2), (8, 4), (16, 8), (32, 4)] {
        pair(all, &format!("retimed-{w}x{d}"), |b| {
            numbers::retimed(w, d, b)
        });
    }
    for (n, w) in [(3, 2), (4, 3), (6, 4), (8, 8)] {
        pair(all, &format!("sorter-{n}x{w}"), |b| {
            numbers::sorter(n, w, b)
        });
    }
    for w in [2, 3, 4, 6] {
        pair(all, &format!("product-{w}"), |b| numbers::multiplier(w, b));
    }
    for w in [8, 12, 16] {
        pair(all, &format!("vending-{w}"), |b| numbers::vending(w, 35, b));
    }
    found
}

fn with_controllers() -> Vec<Known> {
    let mut found = Vec::new();
    let all = &mut found;
    for (n, w) in [(4, 4), (8, 6), (16, 8), (40, 8)] {
        pair(all, &format!("timers-{n}"), |b| {
            controllers::timers(n, w, b)
        });
    }
    for n in [5, 8, 16, 32, 64] {
        pair(all, &format!("turns-{n}"), |b| controllers::turns(n, b));
    }
    for n in [4, 6, 8, 12] {
        pair(all, &format!("waiting-{n}"), |b| controllers::waiting(n, b));
    }
    for (w, green) in [(6, 40), (10, 800), (16, 40_000)] {
        let text = controllers::lights(w, green, false);
        all.push((format!("lights-{green}"), text, true));
    }
    for (w, green) in [(6, 40), (10, 200)] {
        let text = controllers::lights(w, green, true);
        all.push((format!("lights-{green}-broken"), text, false));
    }
    for n in [4, 8, 16, 32] {
        pair(all, &format!("lift-{n}"), |b| controllers::lift(n, b));
    }
    for n in [3, 5, 8, 16, 32] {
        pair(all, &format!("table-{n}"), |b| controllers::table(n, b));
    }
    for (n, most) in [(4, 5), (8, 20), (16, 100), (48, 200)] {
        pair(all, &format!("bus-{n}"), |b| controllers::bus(n, most, b));
    }
    for n in [4, 8, 16, 32] {
        pair(all, &format!("handshakes-{n}"), |b| {
            controllers::handshakes(n, b)
        });
    }
    for n in [4, 6, 8, 16] {
        pair(all, &format!("leastrecent-{n}"), |b| {
            controllers::least_recent(n, b)
        });
    }
    for i in [2, 3, 4, 6] {
        pair(all, &format!("twoclocks-{i}"), |b| {
            controllers::two_clocks(i, b)
        });
    }
    for n in [3, 6, 12, 24] {
        pair(all, &format!("coherence-{n}"), |b| {
            controllers::coherence(n, b)
        });
    }
    found
}
