//! Several kinds of processes and messages between them, beside the same said by hand.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_protocol::{LANGUAGE, Protocol};

/// The verdicts in the order of the file, with all evidence certified.
fn verdicts(text: &str) -> Vec<Verdict> {
    let source = Source::new("test.protocol", text);
    let input = Input::text(&source);
    let cx = Context {
        budget: Budget::unlimited().child_with_work(200_000_000),
        ..Context::default()
    };
    let settings = Settings::default();
    let mut model = match LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    };
    let mut answers = Vec::new();
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .unwrap();
    let mut verdicts = Vec::new();
    for property in model.properties() {
        let mut told = answers.iter().filter(|one| one.property == property.name);
        let answer = told.next().unwrap();
        if let Some(evidence) = &answer.evidence {
            let certified = model.certify(evidence, &property, &Budget::unlimited());
            assert!(certified.is_ok(), "{text}");
        }
        verdicts.push(answer.verdict.clone());
    }
    verdicts
}

/// How many configurations an instance has.
fn configurations(text: &str, size: usize) -> u64 {
    let pairs = [("processes".to_owned(), size.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let input = Input::text(&Source::new("test.protocol", text));
    let cx = Context::default();
    let mut model = match LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    };
    let inspected = model.instance(&cx).unwrap();
    inspected.sizes[0].1
}

const LIBRARY: &str = "
    topology set
    process reader { location out, reading, left_out }
    process writer may crash { location away, writing  tries : 0..1 = 0 }
    one process guard { location awake, asleep  doors : bool = true }
    step read of reader: when at = out and guard.at = awake and not exists writer w: w.at = writing
        then at := reading
    step close of reader: when at = reading then at := out
    step write of writer with guard g: when at = away and g.doors and not exists p: p.at in { reading, writing }
        then at := writing, tries := 1
    step done of writer: when at = writing then at := away
    step nap of guard: when at = awake then at := asleep
    step wake of guard: when at = asleep then at := awake
    property alone: never exists writer w: w.at = writing and exists p: p != w and p.at in { reading, writing }
    property one_guard: never exists guard p, q: true
    property kinds: always forall p: p.at in { awake, asleep } <=> p = guard
    property apart: always forall reader r: r.at in { out, reading }
    property crashes: always forall p: p.crashed => p.at in { away, writing }
";

#[test]
fn each_kind_has_its_own_steps_and_places() {
    assert_eq!(verdicts(LIBRARY), vec![Verdict::Holds; 5]);
    let faulty = LIBRARY.replace("and not exists writer w: w.at = writing\n", "\n");
    assert_eq!(verdicts(&faulty)[0], Verdict::Violated);
}

#[test]
fn kinds_are_what_a_variable_that_nobody_sets_is() {
    let kinds = "
        topology set
        process client { location idle, busy }
        process server { location free, taken }
        step ask of client with server s: when at = idle and s.at = free then at := busy, s.at := taken
        step end of client with server s: when at = busy and s.at = taken then at := idle, s.at := free
        property p: never count(client c: c.at = busy) >= 2 and count(server s) <= 1
    ";
    let by_hand = "
        topology set
        process { kind : { client, server } = any  at : { idle, busy, free, taken } = { idle, free } }
        initially forall p: p.kind = client <=> p.at = idle
        step ask with s: when kind = client and s.kind = server and at = idle and s.at = free then at := busy, s.at := taken
        step end with s: when kind = client and s.kind = server and at = busy and s.at = taken then at := idle, s.at := free
        property p: never count(c: c.kind = client and c.at = busy) >= 2 and count(s: s.kind = server) <= 1
    ";
    for size in 1..=4 {
        assert_eq!(configurations(kinds, size), configurations(by_hand, size));
    }
    assert_eq!(verdicts(kinds), verdicts(by_hand));
    assert_eq!(verdicts(kinds), [Verdict::Holds]);
}

#[test]
fn progress_may_be_asked_of_one_kind() {
    let text = "
        process slow { location a, b }
        process still { location a }
        step go of slow: when at = a then at := b
        property comes: for each slow p: p.at = a leads to p.at = b
        property all: for each p: p.at = a leads to p.at = b
        property stays: for each still p: always p.at = a
    ";
    let expected = [Verdict::Holds, Verdict::Violated, Verdict::Holds];
    assert_eq!(verdicts(text), expected);
}

/// A lock that a server gives away by messages.
fn lock(modifier: &str, grant: &str) -> String {
    format!(
        "topology set
        {modifier} message request, grant, release
        process client {{ location idle, waiting, using }}
        one process server {{ held : bool = false }}
        step ask of client with server s: when at = idle then at := waiting, send request to s
        step give of server on request from c: when {grant} then held := true, send grant to c
        step take of client on grant from server s: when at = waiting then at := using
        step done of client with server s: when at = using then at := idle, send release to s
        step free of server on release from c: then held := false
        property mutex: never exists p, q: p.at = using and q.at = using"
    )
}

#[test]
fn messages_reach_those_they_are_sent_to() {
    assert_eq!(verdicts(&lock("", "not held")), [Verdict::Holds]);
    assert_eq!(verdicts(&lock("lossy", "not held")), [Verdict::Holds]);
    assert_eq!(verdicts(&lock("", "true")), [Verdict::Violated]);
    // What arrives twice is believed twice.
    let twice = verdicts(&lock("duplicating", "not held"));
    assert_eq!(twice, [Verdict::Violated]);
}

#[test]
fn what_a_message_carries_is_received() {
    let text = |told: &str| {
        format!(
            "topology set
            type value = {{ yes, no }}
            message vote : value, level : 0..1
            process {{ own : value = any  heard : {{ nothing, yes, no }} = nothing  up : 0..1 = 0 }}
            step say: then send vote(own) to others, send level(up) to others
            step hear on vote(v) from q: when v = yes then heard := {told}
            step hear_no on vote(no) from q: then heard := no
            step rise on level(l) from q: when up = l and l < 1 then up := l + 1
            property true_yes: never exists p: p.heard = yes and forall q: q.own = no
            property heard: never exists p: p.heard = yes
            property falls: always forall p: p.up <= 1"
        )
    };
    let told = verdicts(&text("yes"));
    assert_ne!(told[0], Verdict::Violated);
    assert_eq!(told[1..], [Verdict::Violated, Verdict::Holds]);
    let quiet = verdicts(&text("nothing"));
    assert_eq!(quiet, vec![Verdict::Holds; 3]);
}

#[test]
fn a_message_is_under_way_until_it_is_received() {
    let text = "
        topology set
        message ping
        process { sent : bool = false  got : bool = false }
        step throw with q: when not sent then sent := true, send ping to q
        step catch on ping from q: then got := true
        property p: never exists p: p.got
    ";
    // Two processes: nobody has thrown (1); one has, and it flies or was caught (4); both have (4).
    assert_eq!(configurations(text, 2), 1 + 4 + 4);
    let lossy = text.replace("message", "lossy message");
    // Each of the two may also be lost.
    assert_eq!(configurations(&lossy, 2), 1 + 6 + 9);
}

#[test]
fn what_does_not_fit_is_told() {
    let said = |text: &str| {
        let source = Source::new("test.protocol", text);
        Protocol::parse(&source).map(drop).unwrap_err().to_string()
    };
    let head = "process a { location x }  process b { location y }  message m : bool ";
    for (text, expected) in [
        (
            "process a { v : bool }  process b { v : 0..1 }".to_owned(),
            "in another way",
        ),
        (
            "process a { v : bool }  process a { w : bool }".to_owned(),
            "twice",
        ),
        (
            format!("{head} step s of c: then at := x"),
            "no kind of processes `c`",
        ),
        (
            format!("{head} step s with q: then send m to q"),
            "carries a value",
        ),
        (
            format!("{head} step s on k from q: then at := x"),
            "no message `k`",
        ),
        (
            format!("{head} step s on m(1 + 1) from q: then at := x"),
            "a name for it",
        ),
        (
            "process a { v : bool }  process b { w : bool }  property p: never exists a q: q.w"
                .to_owned(),
            "of the kind `a` has no variable `w`: those of the kind `b` have",
        ),
        (
            "process a { v : bool }  process b { w : bool }  step s of a: when w then v := true"
                .to_owned(),
            "of the kind `a` has no variable `w`",
        ),
        (
            "process a { v : bool }  process b { w : bool }  step s with b q: then q.v := true"
                .to_owned(),
            "of the kind `b` has no variable `v`",
        ),
        (
            format!("{head} property p: always forall a q: q.at = y"),
            "`at` of a process of the kind `a` is never `y`",
        ),
        (
            format!("{head} property p: for each a q: q.at = x leads to q.at in {{ x, y }}"),
            "`at` of a process of the kind `a` is never `y`",
        ),
        (
            format!("{head} step s of a: then at := y"),
            "`at` of a process of the kind `a` is never `y`",
        ),
    ] {
        let told = said(&text);
        assert!(told.contains(expected), "{text}: {told}");
    }
}

/// What is said of processes of any kind, or of none in particular, may name what some have.
#[test]
fn of_any_process_everything_can_be_said() {
    let text = "
        topology set
        process a { location x, z  v : bool = false }
        process b { location y, z  w : bool = false }
        step s of a with b q: when at = x and q.at = y and not q.w then at := z, q.w := true
        step t with p: when at != z and p.v then at := z
        property p: never exists p: p.at = z and p.w
        property q: never exists a p: p.at = z and exists b q: q.w
    ";
    assert_eq!(verdicts(text), [Verdict::Holds, Verdict::Violated]);
}

/// Whoever lies does not become of another kind by that.
#[test]
fn a_liar_stays_what_it_is() {
    let text = "
        topology set
        process reader { location out, reading }
        process writer may lie { location away, writing }
        step read of reader: when at = out then at := reading
        step write of writer: when at = away then at := writing
        property readers: never exists reader r: r.faulty
        property writers: never exists writer w: w.faulty and w.at = writing
    ";
    assert_eq!(verdicts(text), [Verdict::Holds, Verdict::Violated]);
}

/// Several kinds may fail, each in its way and as many as it says.
#[test]
fn several_kinds_may_fail() {
    let text = "
        topology set
        process client may crash { location out, inside }
        process server may crash and recover { location up, busy }
        process store may lie at most 1 { copy : bool = false }
        step enter of client with server s: when at = out and s.at = up then at := inside, s.at := busy
        step leave of client with server s: when at = inside and s.at = busy then at := out, s.at := up
        property clients_crash: never exists client c: c.crashed
        property servers_come_back: never exists server s: s.crashed and s.at = busy
        property stores_do_not_crash: never exists store s: s.crashed
        property liars_lie: never exists store s: s.copy
        property others_do_not: never exists p: p.faulty and p.kind != store
    ";
    let (holds, violated) = (Verdict::Holds, Verdict::Violated);
    let expected = [
        violated.clone(),
        violated.clone(),
        holds.clone(),
        violated,
        holds,
    ];
    assert_eq!(verdicts(text), expected);
    // The same by hand, counted: two processes, a client and a server.
    let two = "
        topology set
        process client may crash { at_work : bool = false }
        process server may crash and recover { ready : bool = true }
        step work of client: when not at_work then at_work := true
    ";
    let by_hand = "
        topology set
        process {
            client : bool
            at_work : bool = false  ready : bool = true  crashed : bool = false
        }
        step work: when client and not crashed and not at_work then at_work := true
        step crash: when not crashed then crashed := true
        step recover: when not client and crashed then crashed := false
    ";
    for size in 1..=3 {
        assert_eq!(
            configurations(two, size),
            configurations(by_hand, size),
            "{size}"
        );
    }
}

/// A list of processes may name several kinds, each for the names up to the next.
#[test]
fn a_list_names_several_kinds() {
    let text = |property: &str| {
        format!(
            "topology set
            process reader {{ location out, reading }}
            process writer {{ location away, writing }}
            step read of reader: when at = out and not exists writer w: w.at = writing then at := reading
            step write of writer: when at = away and forall p: p.at != writing then at := writing
            step done of reader: when at = reading then at := out
            step stop of writer: when at = writing then at := away
            property p: {property}"
        )
    };
    for (property, verdict) in [
        (
            "never exists reader r, writer w: r.at = reading and w.at = writing",
            Verdict::Violated,
        ),
        (
            "never exists writer v, w, reader r: v.at = writing and w.at = writing",
            Verdict::Holds,
        ),
        (
            "always forall reader r, writer w: r.at = reading => w.at = away",
            Verdict::Violated,
        ),
        (
            "always forall reader q, r, writer w: q.at = out or r.at = out or w.at in { away, writing }",
            Verdict::Holds,
        ),
        (
            "for each reader r, writer w: always (r.at = out or r.at = reading or w.at = away)",
            Verdict::Holds,
        ),
    ] {
        assert_eq!(verdicts(&text(property)), [verdict], "{property}");
    }
}
