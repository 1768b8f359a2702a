//! Short memory. Alone in its process, whose memory is what counts.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, NoFiles, Settings};
use quotient_net::LANGUAGE;

/// Tokens that move in pairs between places: 660,952 markings, and no weights that tell more than their number.
fn pairs() -> String {
    const PLACES: usize = 18;
    let mut text = String::new();
    let mut seed = 5_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % PLACES
    };
    for place in 0..PLACES {
        text += &format!("pl p{place} ({})\n", place % 2);
    }
    for number in 0..2 * PLACES {
        let [a, b, c] = [next(), next(), next()];
        text += &format!("tr t{number} p{a} p{b} -> p{c} p{}\n", (c + 1) % PLACES);
    }
    text += "check far : EF (p15 = 2 & p12 = 3 & p6 = 2)\n";
    text += "check nowhere : EF (p11 = 2 & p0 = 4 & p10 = 3)\n";
    text += "check soon : EF (p0 >= 2)\n";
    text
}

fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

fn answers(text: &str, memory: u64) -> Vec<Answer> {
    let cx = Context {
        budget: Budget::new(None, Some(memory)),
        ..Context::default()
    };
    let input = Input::text(&Source::new("n.net", text));
    let mut model = LANGUAGE
        .open(&input, &mut NoFiles, &Settings::default(), &cx)
        .unwrap();
    let mut all = Vec::new();
    model
        .check(&Ask::default(), &cx, &mut |answer| all.push(answer))
        .unwrap();
    all.sort_by_key(|answer| answer.number);
    all
}

#[test]
fn where_memory_is_short_markings_are_known_by_their_hashes_and_nothing_is_decided_by_their_absence()
 {
    // So much that what is left over for hashes is a small part of it.
    let ballast = vec![1_u8; 300 << 20];
    let Some(used) = resident() else {
        return;
    };
    // All work ends at seven eighths of what is allowed, and ways that remember whole markings at seven eighths of that: at once.
    let allowed = (used + (32 << 20)) / 7 * 8;
    let all = answers(&pairs(), allowed);
    // What is found is real, however far.
    assert_eq!(all[0].verdict, Verdict::Holds);
    assert!(all[0].evidence.is_some());
    assert_eq!(all[2].verdict, Verdict::Holds);
    let told = format!("{:?}", all[1].verdict);
    assert!(
        told.contains("660952 markings") && told.contains("with a chance of"),
        "{told}"
    );
    drop(std::hint::black_box(ballast));
}
