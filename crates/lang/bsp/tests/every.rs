//! Questions about every number of processors.

use quotient_bsp::LANGUAGE;
use quotient_core::Verdict;
use quotient_testkit::language::{Tested, answers, assert_certified};

const BSP: Tested = Tested::new(LANGUAGE, "p.bsp");

fn first(text: &str) -> quotient_language::Answer {
    answers(&mut *BSP.open(text)).remove(0)
}

#[test]
fn the_same_barriers_for_everyone_never_get_stuck() {
    let mut model = BSP.example("gather");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert_certified(&mut *model, &answer);
}

#[test]
fn a_deadlock_needs_two_processors() {
    let mut model = BSP.example("impatient");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(
        answer.because.starts_with("with 2 processors"),
        "{}",
        answer.because
    );
    assert_certified(&mut *model, &answer);
}

#[test]
fn from_which_number_on_matters() {
    let text =
        "processors 3..\ncheck no deadlock\nrun\nif pid = 7 then void else bsp_sync W; pid\n";
    let answer = first(text);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(
        answer.because.starts_with("with 8 processors"),
        "{}",
        answer.because
    );
    let rounds = "processors any\ncheck no deadlock\nrun\n\
        let r = ref (if pid < 3 then 2 else 2) in while r > 0 do bsp_sync W; r := r - 1 done; pid\n";
    assert_eq!(first(rounds).verdict, Verdict::Holds);
}

#[test]
fn groups_with_rounds_of_their_own_meet_at_the_end() {
    let text = |first: usize| {
        format!(
            "processors 3..\ngroup A = 0, 1\ngroup B = 2..\ncheck no deadlock\nrun\n\
             let r = ref (if pid < 2 then 1 else 3) in\n\
             while r > 0 do bsp_sync A|B; r := r - 1 done;\n\
             if pid < {first} then bsp_sync W else bsp_sync W; pid\n"
        )
    };
    let mut model = BSP.open(&text(2));
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds, "{:?}", answer.notes);
    assert_certified(&mut *model, &answer);
}

#[test]
fn loops_up_to_the_number_of_processors_come_to_the_same_barriers() {
    // Everyone sends to everyone, one after the other; what is received changes no barrier.
    let text = "processors any\ncheck no deadlock\nrun\n\
        let i = ref 0 in let sum = ref 0 in\n\
        while i < nprocs do bsp_send W i i; bsp_sync W;\n\
        sum := sum + bsp_nmsg pid; i := i + 1 done; sum\n";
    let mut model = BSP.open(text);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds, "{:?}", answer.notes);
    assert_eq!(answer.method.as_deref(), Some("the same barriers for all"));
    assert_certified(&mut *model, &answer);
    // The same evidence for a loop that each leaves when it likes.
    let other = text.replace("i < nprocs", "i < pid");
    let evidence = answer.evidence.unwrap();
    let refused = |text: &str, evidence: &quotient_core::Evidence| {
        let mut model = BSP.open(text);
        let property = model.properties().remove(0);
        let budget = quotient_core::Budget::unlimited();
        model.certify(evidence, &property, &budget).is_err()
    };
    assert!(refused(&other, &evidence));
    // A barrier that what was received decides about, and one less of what differs.
    let received = text.replace("i < nprocs", "sum < nprocs");
    assert!(refused(&received, &evidence));
    let mut fewer = evidence.clone();
    fewer.body["variables"] = serde_json::json!([]);
    assert!(refused(text, &fewer));
    let mut more = evidence;
    more.body["variables"] = serde_json::json!((0..20).collect::<Vec<usize>>());
    assert!(refused(text, &more), "then not all may come to the barrier");
}

#[test]
fn numbers_that_the_program_names_are_run_where_nothing_is_proved() {
    // The last processor always comes; the one with this number does not, unless it is the last.
    for number in [5, 20] {
        let text = format!(
            "processors any\ncheck no deadlock\nrun\n\
             if pid = nprocs - 1 then bsp_sync W else (if pid = {number} then void else bsp_sync W); pid\n"
        );
        let mut model = BSP.open(&text);
        let answer = answers(&mut *model).remove(0);
        assert_eq!(answer.verdict, Verdict::Violated, "{:?}", answer.notes);
        let with = format!("with {} processors", number + 2);
        assert!(answer.because.starts_with(&with), "{}", answer.because);
        assert_certified(&mut *model, &answer);
    }
}

#[test]
fn ends_are_proved_for_every_number() {
    let text = |asked: &str, body: &str| format!("processors {asked}\nrun\n{body}\n");
    let missing = "if pid = 0 then bsp_sync W else void";
    let ring = "let x = ref pid in bsp_send W x ((pid + 1) mod nprocs); bsp_sync W;\n\
        bsp_sync W; 10 * pid + bsp_nmsg 0 mod 2";
    let cases = [
        // One alone ends; all others wait for ever for those that have ended.
        ("2..\ncheck deadlock", missing),
        ("any\ncheck done", "bsp_sync W; bsp_sync W; pid"),
        (
            "any\ncheck done",
            "let r = ref 3 in while r > 0 do bsp_sync W; r := r - 1 done; 10 * pid",
        ),
        ("any\ncheck diverges", "loop (bsp_sync W)"),
        ("any\ncheck diverges", "if pid = 0 then loop void else 3"),
        (
            "any\ncheck fault",
            "if pid = 0 then raise (E 1) else bsp_sync W",
        ),
        (
            "2..\ncheck fault",
            "bsp_sync W; if pid = 1 then pid / 0 else pid",
        ),
    ];
    for (asked, body) in cases {
        let mut model = BSP.open(&text(asked, body));
        let answer = answers(&mut *model).remove(0);
        assert_eq!(
            answer.verdict,
            Verdict::Holds,
            "{asked}: {body}: {:?}",
            answer.notes
        );
        assert_certified(&mut *model, &answer);
        // The same evidence where one processor may do otherwise.
        let other = format!(
            "if pid = 5 then (if nprocs > 6 then loop (bsp_sync W) else raise (O 1)) else ({body})"
        );
        let mut other = BSP.open(&text(asked, &other));
        let property = other.properties().remove(0);
        let evidence = answer.evidence.unwrap();
        let budget = quotient_core::Budget::unlimited();
        let is_good = other.certify(&evidence, &property, &budget).is_ok();
        assert!(!is_good, "{asked}: {body}");
    }
    // Whether the sums of what arrives stay small is not seen, nor whether loops up to `nprocs` end.
    for body in [
        ring,
        "let i = ref 0 in while i < nprocs do bsp_sync W; i := i + 1 done",
    ] {
        let answer = first(&text("any\ncheck done", body));
        assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{body}");
    }
}

#[test]
fn from_where_on_it_is_so_is_told() {
    let told = |asked: &str| {
        let body = "if pid = 0 then bsp_sync W else void";
        let answer = first(&format!("processors any\ncheck {asked}\nrun\n{body}\n"));
        assert_eq!(answer.verdict, Verdict::Violated);
        answer.notes.join("; ")
    };
    let notes = told("deadlock");
    assert!(
        notes.contains("it is so with every number of processors from 2 on"),
        "{notes}"
    );
    let notes = told("no deadlock");
    assert!(
        notes.contains("it gets stuck with every number of processors from 2 on"),
        "{notes}"
    );
    assert!(!told("done").contains("every number"));
}

#[test]
fn what_is_not_proved_is_unknown() {
    let text = "processors any\ncheck done\nrun\nlet x = ref 1 in bsp_send W x pid; bsp_send W x pid; bsp_sync W; bsp_findmsg pid 1\n";
    assert!(matches!(first(text).verdict, Verdict::Unknown(_)));
    let values = "processors any\ncheck x at 0 = 1\nrun\nlet x = 1 in bsp_sync W; x\n";
    assert!(matches!(first(values).verdict, Verdict::Unknown(_)));
    let wrong = "processors any\ncheck done\nrun\nif pid = 1 then bsp_sync W else void; pid\n";
    assert_eq!(first(wrong).verdict, Verdict::Violated);
    // What others write is not known: this never gets stuck, and that is not seen.
    let data = "processors any\ncheck no deadlock\nrun\nlet r = ref 1 in bsp_push W r; bsp_sync W;\n\
        bsp_put W 0 r r; bsp_sync W; if r = 1 then bsp_sync W else void; pid\n";
    assert!(matches!(first(data).verdict, Verdict::Unknown(_)));
}

#[test]
fn forged_evidence_about_every_number_is_refused() {
    let good = "processors any\ncheck no deadlock\nrun\nbsp_sync W; bsp_sync W; pid\n";
    let bad = "processors any\ncheck no deadlock\nrun\nbsp_sync W; if pid = 0 then void else bsp_sync W; pid\n";
    let held = first(good).evidence.unwrap();
    let broken = first(bad).evidence.unwrap();
    let refused = |text: &str, evidence: &quotient_core::Evidence| {
        let mut model = BSP.open(text);
        let property = model.properties().remove(0);
        let budget = quotient_core::Budget::unlimited();
        model.certify(evidence, &property, &budget).is_err()
    };
    assert!(!refused(good, &held) && !refused(bad, &broken));
    assert!(refused(bad, &held) && refused(good, &broken));
    // One processor alone does not get stuck.
    let mut alone = broken.clone();
    alone.body["processors"] = 1.into();
    assert!(refused(bad, &alone));
    let least = bad.replace("any", "3..");
    assert!(refused(&least, &broken));
    let mut coarse = held.clone();
    coarse.body["bound"] = i64::MIN.into();
    assert!(refused(good, &coarse));
}

#[test]
fn messages_arrive_with_every_number_of_processors() {
    let ring = "processors any\ncheck done\nrun\nlet x = ref pid in\n\
        bsp_send W x ((pid + 1) mod nprocs);\nbsp_sync W;\n\
        x := x + bsp_findmsg ((pid + nprocs - 1) mod nprocs) 0;\nbsp_sync W;\nx\n";
    let mut model = BSP.open(ring);
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    assert_certified(&mut *model, &answer);
    let evidence = answer.evidence.unwrap();
    for (from, into, expected) in [
        // From the other side, the second message, without one sender, and after one barrier more.
        ("pid + nprocs - 1", "pid + 1", "with 3 processors"),
        ("mod nprocs) 0", "mod nprocs) 1", "with 1 processor"),
        (
            "bsp_send",
            "if pid = 2 then void else bsp_send",
            "with 3 processors",
        ),
        (
            "bsp_sync W;\nx\n",
            "bsp_sync W; bsp_findmsg 0 0\n",
            "with 1 processor",
        ),
    ] {
        let other = ring.replacen(from, into, 1);
        let answer = first(&other);
        assert_eq!(answer.verdict, Verdict::Violated, "{other}");
        assert!(answer.because.starts_with(expected), "{}", answer.because);
        let mut model = BSP.open(&other);
        let property = model.properties().remove(0);
        let budget = quotient_core::Budget::unlimited();
        assert!(model.certify(&evidence, &property, &budget).is_err());
    }
    // To the first, who reads what the first and the second sent; and between two.
    for (least, text) in [
        (
            2,
            "bsp_send W x 0; bsp_sync W; if pid = 0 then (bsp_findmsg 0 0) + (bsp_findmsg 1 0) else 0",
        ),
        (
            2,
            "(if pid = 0 then bsp_send W x 1 else void); bsp_sync W; if pid = 1 then bsp_findmsg 0 0 else 0",
        ),
        (1, "bsp_send W x pid; bsp_sync W; bsp_findmsg pid 0"),
    ] {
        let text = format!("processors {least}..\ncheck done\nrun\nlet x = ref pid in ({text})\n");
        let mut model = BSP.open(&text);
        let answer = answers(&mut *model).remove(0);
        assert_eq!(answer.verdict, Verdict::Holds, "{text}{}", answer.because);
        assert_certified(&mut *model, &answer);
    }
}
