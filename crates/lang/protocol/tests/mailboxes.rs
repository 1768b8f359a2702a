//! Messages that keep their order, and rounds, beside the same said in another way.

use std::collections::{BTreeSet, VecDeque};

use quotient_core::{Budget, Context, Source, Trouble, Verdict};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

/// The verdicts, with all evidence certified.
fn verdicts(text: &str) -> Vec<Verdict> {
    let input = Input::text(&Source::new("test.protocol", text));
    let cx = Context {
        budget: Budget::unlimited().child_with_work(200_000_000),
        ..Context::default()
    };
    let mut model = match LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    };
    let mut answers = Vec::new();
    model
        .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
        .unwrap();
    for (answer, property) in answers.iter().zip(model.properties()) {
        if let Some(evidence) = &answer.evidence {
            let certified = model.certify(evidence, &property, &Budget::unlimited());
            assert!(certified.is_ok(), "{text}");
        }
    }
    answers.into_iter().map(|answer| answer.verdict).collect()
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
    model.instance(&cx).unwrap().sizes[0].1
}

/// What is wrong with a text.
fn mistake(text: &str) -> String {
    let input = Input::text(&Source::new("test.protocol", text));
    let cx = Context::default();
    match LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
        Err(Trouble::Invalid(mistakes)) => mistakes[0].message.clone(),
        Err(Trouble::Stopped(stop)) => panic!("{stop}"),
        Ok(_) => panic!("there is nothing wrong with {text}"),
    }
}

const MAIL: &str = "
    topology set
    ordered message a, b : bool
    process reader { latest : { nothing, got_a, no, yes } = nothing }
    one process writer { on : bool = true }
    step sa of writer with reader r: then send a to r
    step sb of writer with reader r choose v : bool: then send b(v) to r
    step sc of writer with reader r: when on then on := false, send b(true) to r
    step ra of reader on a from w: then latest := got_a
    step rb of reader on b(v) from w: then latest := if v then yes else no
";

/// A queue in which nothing is twice, what was received last, and whether the writer is on.
type State = (VecDeque<u8>, u8, bool);

/// The states of a writer and a reader with a queue between them.
fn naive(lossy: bool) -> BTreeSet<State> {
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut left: Vec<State> = vec![(VecDeque::new(), 0, true)];
    while let Some(state) = left.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (queue, last, on) = state;
        for sent in 1..=3 {
            if !queue.contains(&sent) {
                let mut longer = queue.clone();
                longer.push_back(sent);
                left.push((longer.clone(), last, on));
                if on && sent == 3 {
                    left.push((longer, last, false));
                }
            }
        }
        let mut shorter = queue.clone();
        if let Some(first) = shorter.pop_front() {
            left.push((shorter, first, on));
        }
        for at in 0..queue.len() {
            if lossy {
                let mut shorter = queue.clone();
                shorter.remove(at);
                left.push((shorter, last, on));
            }
        }
    }
    seen
}

#[test]
fn ordered_messages_are_a_queue() {
    let lossy = MAIL.replace("ordered message", "lossy ordered message");
    for (text, lossy) in [(MAIL, false), (lossy.as_str(), true)] {
        let expected = naive(lossy).len() as u64;
        let found = configurations(text, 2);
        // A line of two has the writer at either end; a set has it once.
        assert!(
            [expected, 2 * expected].contains(&found),
            "{found} {expected}"
        );
    }
    let free = MAIL.replace("ordered message", "message");
    assert!(configurations(&free, 2) < configurations(MAIL, 2));
}

const CLOSING: &str = "
    topology set
    ordered message data, done
    process client { location idle, sent, finished }
    one process server {
        has[process] : bool = false
        closed[process] : bool = false
    }
    step write of client with server s: when at = idle then at := sent, send data to s
    step close of client with server s: when at = sent then at := finished, send done to s
    step store of server on data from c: then has[c] := true
    step close_down of server on done from c: then closed[c] := true
    property complete: never exists server s: exists client c: s.closed[c] and not s.has[c]
";

#[test]
fn what_was_sent_before_is_there_before() {
    assert_eq!(verdicts(CLOSING), vec![Verdict::Holds]);
    let free = CLOSING.replace("ordered message", "message");
    assert_eq!(verdicts(&free), vec![Verdict::Violated]);
    let lossy = CLOSING.replace("ordered message", "lossy ordered message");
    assert_eq!(verdicts(&lossy), vec![Verdict::Violated]);
}

#[test]
fn what_cannot_be_in_order_is_refused() {
    let twice = CLOSING.replace("ordered message", "ordered duplicating message");
    assert!(mistake(&twice).contains("does not arrive twice"));
    let both = CLOSING.replace("send data to s", "send data to s, send done to s");
    assert!(mistake(&both).contains("sent to one process at once"));
    let or = CLOSING.replace("send data to s", "send data to s or then at := sent");
    assert!(mistake(&or).contains("may have to wait"));
}

const COMMIT: &str = "
    topology set
    rounds voting, deciding
    process may crash {
        location open, committed, aborted
        vote : { none_yet, yes, no } = none_yet
    }
    step say_yes in voting: when at = open then vote := yes
    step say_no in voting: when at = open then vote := no
    step over in voting: when at != open then skip
    step commit in deciding: when at = open and forall p: p.vote = yes then at := committed
    step abort in deciding: when at = open and exists p: p.vote != yes then at := aborted
    step stay in deciding: when at != open then skip
    property agree: never exists p, q: p.at = committed and q.at = aborted
";

#[test]
fn a_part_of_a_round_ends_when_all_have_acted() {
    assert_eq!(verdicts(COMMIT), vec![Verdict::Holds]);
    // Whoever changes its mind while others decide already.
    let late = format!("{COMMIT} step change: when at = open then vote := yes");
    assert_eq!(verdicts(&late), vec![Verdict::Violated]);
    let by_hand = "
        topology set
        global part : { voting, deciding } = voting
        process may crash {
            location open, committed, aborted
            vote : { none_yet, yes, no } = none_yet
            acted : bool = false
        }
        step say_yes: when part = voting and not acted and at = open then vote := yes, acted := true
        step say_no: when part = voting and not acted and at = open then vote := no, acted := true
        step over: when part = voting and not acted and at != open then acted := true
        step commit: when part = deciding and not acted and at = open and forall p: p.vote = yes
            then at := committed, acted := true
        step abort: when part = deciding and not acted and at = open and exists p: p.vote != yes
            then at := aborted, acted := true
        step stay: when part = deciding and not acted and at != open then acted := true
        step end_of_vote: when part = voting and forall p: p.acted or p.crashed
            then part := deciding, for p { p.acted := false }
        step end_of_decide: when part = deciding and forall p: p.acted or p.crashed
            then part := voting, for p { p.acted := false }
        property agree: never exists p, q: p.at = committed and q.at = aborted
    ";
    for size in 1..=3 {
        assert_eq!(configurations(COMMIT, size), configurations(by_hand, size));
    }
}

const EXCHANGE: &str = "
    topology set
    rounds post, read
    message note
    process { heard : bool = false  told : bool = false }
    step write in post: when not told then told := true, send note to others
    step wait in post: then skip
    step look in read: when exists other q: q.note[self] then heard := true
    step nothing in read: when forall other q: not q.note[self] then heard := false
    property fresh: never part = post and exists p: exists q: p.note[q] and not p.acted
";

#[test]
fn messages_are_gone_when_their_round_is_over() {
    // What is under way while a round begins was sent in it.
    assert_eq!(verdicts(EXCHANGE), vec![Verdict::Holds]);
    let later = EXCHANGE.replace("never part = post", "never part = read");
    assert_eq!(verdicts(&later), vec![Verdict::Violated]);
}

#[test]
fn rounds_that_make_no_sense_are_refused() {
    let unknown = COMMIT.replace(
        "in voting: when at = open then vote := yes",
        "in votes: then skip",
    );
    assert!(mistake(&unknown).contains("no part of a round"));
    let alone = EXCHANGE.replace("rounds post, read", "rounds post");
    let alone = alone.replace("in read", "in post");
    assert!(mistake(&alone).contains("gone before") || mistake(&alone).contains("to arrive in"));
    let late = EXCHANGE.replace(
        "in read: when exists other q: q.note[self] then heard := true",
        "in read: then send note to others",
    );
    assert!(mistake(&late).contains("gone before it arrives"));
    let same = COMMIT.replace("rounds voting,", "rounds voting, vote,");
    assert!(mistake(&same).contains("a variable and a part"));
    let back = COMMIT.replace("may crash", "may crash and recover");
    assert!(mistake(&back).contains("recovers"));
}

/// The error about a protocol that does not begin: the parts it names, and its notes.
fn no_beginning(start: &str) -> (Vec<String>, String) {
    let text = format!(
        "topology set
         global root : process = any
         process {{ parent : process or none = none  seen : bool = false  x : bool }}
         {start}
         step join with q: when not seen and q.seen then parent := q, seen := true
         property p: never exists p, q: p.parent = q and q.parent = p"
    );
    let input = Input::text(&Source::new("test.protocol", text.as_str()));
    let cx = Context::default();
    let mut model = (LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx)).unwrap();
    let result = model.check(&Ask::default(), &cx, &mut |answer| {
        panic!("{:?}", answer.verdict)
    });
    let Err(Trouble::Invalid(mistakes)) = result else {
        panic!("{result:?}");
    };
    let labels = mistakes[0].labels.iter();
    let labels = labels.map(|label| text[label.span.range()].to_owned());
    (labels.collect(), mistakes[0].notes.join(" "))
}

#[test]
fn a_start_with_arrays_that_contradicts_itself_is_an_error() {
    let (labels, note) = no_beginning("initially forall p: root = p <=> p.seen");
    assert_eq!(labels, ["forall p: root = p <=> p.seen"]);
    assert!(note.contains("values that variables begin with"), "{note}");
    let (labels, _) = no_beginning("initially forall p: p.x\ninitially exists p: not p.x");
    assert_eq!(labels, ["exists p: not p.x", "forall p: p.x"]);
    let (labels, note) = no_beginning("initially exists p: p.x and not p.x");
    assert_eq!(labels, ["exists p: p.x and not p.x"]);
    assert!(note.contains("contradicts itself"), "{note}");
    let three = "initially count(p: p.x) >= 3\ninitially forall p: root = p or not p.x";
    assert_eq!(no_beginning(three).0.len(), 2);
}

#[test]
fn for_a_kind_warns_only_where_it_reaches_the_process_itself() {
    let warnings = |of: &str| {
        let text = format!(
            "process node {{ location a, b }}
             one process boss {{ go : bool = false }}
             step all of {of}: then for node p {{ p.at := b }}
             property p: never boss.go"
        );
        let input = Input::text(&Source::new("test.protocol", text.as_str()));
        let cx = Context::default();
        let model = (LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx)).unwrap();
        let told = model.warnings();
        told.iter()
            .map(|told| told.message.clone())
            .collect::<Vec<_>>()
    };
    assert!(warnings("boss").is_empty());
    assert!(warnings("node")[0].contains("`for node p` reaches"));
}

/// What a step sends beside something else is sent, too, in whatever order it is written.
#[test]
fn several_messages_of_one_step_are_all_under_way() {
    let text = |sends: &str, heard: &str| {
        format!(
            "topology set\nmessage m : {{ a, b }}\n\
             process {{ x : {{ a, b }} = a  y : {{ a, b }} = b  got : bool = false }}\n\
             step say with q: then {sends}\nstep hear on m({heard}) from q: then got := true\n\
             property p: never exists p: p.got\n"
        )
    };
    let sends = [
        "send m(x) to q, send m(y) to q",
        "send m(y) to q, send m(x) to q",
        "send m(a) to others, send m(y) to q",
        "send m(y) to q, send m(x) to others",
        "send m(x) to q, send m(y) to others",
        "send m(a) to q, send m(y) to q",
    ];
    for sends in sends {
        for heard in ["a", "b"] {
            let text = text(sends, heard);
            assert_eq!(verdicts(&text), [Verdict::Violated], "{text}");
        }
    }
    let alone = text("send m(x) to q", "b");
    assert_eq!(verdicts(&alone), [Verdict::Holds], "{alone}");
}

const GOT: &str = "got : bool = false  x : 0..3 = 3";

fn text(message: &str, fields: &str, steps: &str) -> String {
    format!(
        "topology set\n{message}\nprocess {{ {fields} }}\n{steps}\n\
         property p: never exists p: p.got\n"
    )
}

/// What would be sent or taken without a word, or as something else, is told.
#[test]
fn what_cannot_be_sent_or_taken_is_told() {
    let got = GOT;
    let wrong = [
        (
            text(
                "message m : 0..3",
                got,
                "step s with q: then send m(x + 1) to q",
            ),
            "`m` would be sent 4",
        ),
        (
            text(
                "message m : 0..3",
                got,
                "step s with q: then send m(5) to q",
            ),
            "not a value that fits",
        ),
        (
            text(
                "message m : 1..2",
                got,
                "step s with q: when x < 3 then send m(x) to q",
            ),
            "`m` would be sent 0",
        ),
        (
            text("queue c : 0..1", got, "step s: then send c(x), got := true"),
            "`c` would be sent 2",
        ),
        (
            text("message m", got, "step s: then send m to self"),
            "never arrives",
        ),
        (
            text(
                "message m : 0..3",
                got,
                "step s on m(x) from q: then got := true",
            ),
            "`x` already names",
        ),
        (
            text(
                "",
                got,
                "step s choose x : 0..2: when x = 2 then got := true",
            ),
            "`x` already names",
        ),
        (
            text(
                "message m : { yes, no }",
                got,
                "step s on m(Yes) from q: then got := true",
            ),
            "looks like `yes`",
        ),
        (
            text(
                "message m : { yes, no }",
                got,
                "step s on m(v) from q on m(w) from q: when v != w then got := true",
            ),
            "takes `m` from `q` already",
        ),
    ];
    for (text, message) in wrong {
        let found = mistake(&text);
        assert!(found.contains(message), "{found}\n{text}");
    }
}

#[test]
fn what_can_be_sent_and_taken_is_not_refused() {
    let got = GOT;
    let fine = [
        text(
            "message m : 0..3",
            got,
            "step s with q: when x < 3 then send m(x + 1) to q",
        ),
        text(
            "message m : 0..3",
            got,
            "step s choose v : 0..3 with q: when v < x then send m(v + 1) to q",
        ),
        text(
            "queue c : 0..1",
            got,
            "step s: when x in { 0, 1 } then send c(x), got := true",
        ),
        text(
            "message m : { yes, no }",
            got,
            "step s on m(yes) from q on m(no) from q: then got := true",
        ),
    ];
    for text in fine {
        verdicts(&text);
    }
}
