//! Short memory. Alone in its process, whose memory is what counts.

use quotient_core::{Budget, Context, Verdict};
use quotient_language::{Answer, Ask};
use quotient_promela::LANGUAGE;
use quotient_testkit::language::{Tested, assert_certified};

const PROMELA: Tested = Tested::new(LANGUAGE, "x.pml");

fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn where_memory_is_short_states_are_known_by_their_hashes_and_nothing_holds_by_it() {
    // So much that what is left over for hashes is a small part of it.
    let ballast = vec![1_u8; 300 << 20];
    let Some(used) = resident() else {
        return;
    };
    // All work ends at seven eighths of what is allowed, and what remembers whole states at seven eighths of that: at once.
    let allowed = (used + (40 << 20)) / 7 * 8;
    let text = "byte a[3];\n\
        active [3] proctype P() { do :: a[_pid] < 40 -> a[_pid]++ :: else -> break od; assert(LIMIT) }";
    let answered = |limit: &str| -> Vec<Answer> {
        let mut model = PROMELA.open(&text.replace("LIMIT", limit));
        let cx = Context {
            budget: Budget::new(None, Some(allowed)),
            ..Context::default()
        };
        let mut all = Vec::new();
        model
            .check(&Ask::default(), &cx, &mut |answer| all.push(answer))
            .unwrap();
        for answer in all.iter().filter(|one| one.verdict.is_definite()) {
            assert_certified(&mut *model, answer);
        }
        all
    };
    for answer in answered("a[0] <= 40") {
        let told = format!("{:?}", answer.verdict);
        assert!(told.contains("known by their hashes"), "{told}");
        assert!(told.contains("with a chance of"), "{told}");
    }
    let broken = answered("a[0] + a[1] + a[2] < 100");
    assert_eq!(broken[0].verdict, Verdict::Violated);
    drop(std::hint::black_box(ballast));
}
