//! Claims with variables of their own, and what claims may not do.

use quotient_core::Source;
use quotient_language::NoFiles;

use crate::compile;
use crate::tests::verdict;

const TOGGLES: &str = "byte x; active proctype p() { do :: x = 1 - x od } ";

/// Every answer that `verdict` sees is certified, too.
#[test]
fn a_claim_keeps_what_it_assigned() {
    let marked = |last: u8| {
        format!(
            "{TOGGLES} never {{ byte n; do :: x == 1 -> n = 1; break :: else od;
             accept: do :: n == {last} od }}"
        )
    };
    assert_eq!(verdict(&marked(1), "never"), "violated");
    assert_eq!(verdict(&marked(0), "never"), "holds");
    // Each claim has its own, and they begin as they say; the program may have the same name.
    let two = "byte n = 7; active proctype p() { do :: n = 8 :: n = 7 od }
        never a { byte n = 3; do :: n == 3 -> break od }
        never b { byte n = 4; do :: n == 3 -> break od }";
    assert_eq!(verdict(two, "a"), "violated");
    assert_eq!(verdict(two, "b"), "holds");
    // Bytes wrap around, and elements of arrays are apart.
    let cut = format!("{TOGGLES} never {{ byte n = 255; n++; do :: n == 0 -> break od }}");
    assert_eq!(verdict(&cut, "never"), "violated");
    let apart = format!(
        "{TOGGLES} never {{ byte a[2]; byte i = 1; a[i] = 5; do :: a[0] == 5 -> break od }}"
    );
    assert_eq!(verdict(&apart, "never"), "holds");
    assert_eq!(
        verdict(&apart.replace("a[0] ==", "a[1] =="), "never"),
        "violated"
    );
    // Two ways to one place that differ only in what they assign.
    let ways = format!(
        "{TOGGLES} never {{ byte n; if :: n = 1 :: n = 2 :: n = 3 fi; do :: n == 2 -> break od }}"
    );
    assert_eq!(verdict(&ways, "never"), "violated");
}

#[test]
fn what_is_atomic_in_a_claim_sees_what_it_assigned() {
    let text = |asked: &str| {
        format!(
            "{TOGGLES} never {{ byte n; do :: atomic {{ x == 1 -> n = 2; {asked} }} -> break :: true od }}"
        )
    };
    assert_eq!(verdict(&text("n == 2"), "never"), "violated");
    assert_eq!(verdict(&text("n == 0"), "never"), "holds");
    let endless = format!("{TOGGLES} never {{ int n; atomic {{ do :: n++ od }} }}");
    assert_eq!(verdict(&endless, "never"), "unknown");
    let nothing = format!("{TOGGLES} never {{ int n; n = 1 / n; do :: true od }}");
    assert_eq!(verdict(&nothing, "never"), "unknown");
}

/// A claim that counts is as one that has a place for each number.
#[test]
fn counting_is_as_having_a_place_for_each_number() {
    let mut seen = [0; 2];
    for ups in 0..4 {
        for wanted in 1..5_usize {
            let program = format!(
                "byte x; byte ups; active proctype p() {{
                 do :: ups < {ups} -> atomic {{ x = 1; ups++ }}; x = 0 :: else -> break od }} "
            );
            let counts = format!(
                "{program} never {{ byte n; do :: atomic {{ x == 1 && n < {wanted} -> n++ }}
                 :: n == {wanted} -> break :: x == 0 od }}"
            );
            let mut places = format!("{program} never {{ ");
            for number in 0..wanted {
                let next = number + 1;
                places += &format!(
                    "N{number}: if :: x == 1 -> goto N{next} :: x == 0 -> goto N{number} fi; "
                );
            }
            places += &format!("N{wanted}: if :: true -> skip :: x == 0 -> goto N{wanted} fi }}");
            let found = verdict(&counts, "never");
            assert_eq!(found, verdict(&places, "never"), "{counts}\n{places}");
            seen[usize::from(found == "holds")] += 1;
        }
    }
    assert!(seen[0] > 2 && seen[1] > 2, "{seen:?}");
}

/// Such statements blocked the claim in silence, so that it held.
#[test]
fn a_claim_that_would_change_the_program_is_refused() {
    for (body, words) in [
        ("x = 1", "cannot change a variable of the program"),
        ("d_step { x == 1; x == 1 }", "`d_step` is not read"),
        ("c!1", "cannot send, receive"),
        ("c?1", "cannot send, receive"),
        ("run q()", "cannot send, receive"),
        ("{ x == 1 } unless { x == 0 }", "`unless` is not read"),
        ("byte n = x; n == 1", "begins with a number"),
        ("chan d = [1] of { byte }; x == 1", "makes no channels"),
    ] {
        let text = format!(
            "chan c = [1] of {{ byte }}; proctype q() {{ skip }} {TOGGLES}\nnever {{ {body} }}"
        );
        let source = Source::new("t.pml", &text);
        let wrong = compile::read(&source, &mut NoFiles, &[]).err().unwrap();
        let told = wrong[0].to_string();
        assert!(told.contains(words) && told.contains("t.pml:2:"), "{told}");
    }
}
