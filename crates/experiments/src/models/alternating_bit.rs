//! The alternating bit protocol.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Transducer};
use quotient_regular::Part::{Copies, One};
use quotient_regular::{Problem, Rules};

use super::problem;

/// What a partner does besides changing its state.
#[derive(Clone, Copy)]
enum Act {
    /// Puts a message at the right end of its channel.
    Put(&'static str),
    /// Takes a message from the left end of the other channel.
    Get(&'static str),
    /// Notes that a message was sent or received.
    Log(&'static str),
}

/// Messages with an alternating bit over two queues. A configuration is the state of sender
/// and receiver, the queue of messages, the queue of acknowledgements, and a log of what was
/// sent (S) and received (R), which must alternate. `lossy` lets any message get lost.
// Long because it is one table of rules.
pub fn alternating_bit(lossy: bool) -> Problem {
    use Act::{Get, Log, Put};
    let acts: [(&str, &str, &str, Act); 18] = [
        ("send 0", "s0", "s1", Log("S")),
        ("put message 0", "s1", "s1", Put("M0")),
        ("get acknowledgement 0", "s1", "s2", Get("A0")),
        ("ignore acknowledgement 1", "s1", "s1", Get("A1")),
        ("send 1", "s2", "s3", Log("S")),
        ("put message 1", "s3", "s3", Put("M1")),
        ("get acknowledgement 1", "s3", "s0", Get("A1")),
        ("ignore acknowledgement 0", "s3", "s3", Get("A0")),
        ("get message 0", "r0", "r1", Get("M0")),
        ("ignore message 1", "r0", "r0", Get("M1")),
        ("put acknowledgement 1", "r0", "r0", Put("A1")),
        ("receive 0", "r1", "r2", Log("R")),
        ("put acknowledgement 0", "r2", "r2", Put("A0")),
        ("get message 1", "r2", "r3", Get("M1")),
        ("ignore message 0", "r2", "r2", Get("M0")),
        ("receive 1", "r3", "r0", Log("R")),
        ("lose a message", "", "", Get("M")),
        ("lose an acknowledgement", "", "", Get("A")),
    ];
    let names = [
        "s0", "s1", "s2", "s3", "r0", "r1", "r2", "r3", "M0", "M1", "A0", "A1", "S", "R", "#", "|",
        "$",
    ];
    let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
    let group = |first: char| {
        let letters = alphabet.letters();
        Predicate::of(
            &alphabet,
            letters.filter(|&l| alphabet.name(l).len() == 2 && alphabet.name(l).starts_with(first)),
        )
    };
    let one = |name: &str| Predicate::of(&alphabet, alphabet.letter(name));
    let (messages, acknowledgements) = (group('M'), group('A'));
    let log = one("S").or(&one("R"));
    let rules = Rules::new(&alphabet);
    let step = |&(_, from, to, act): &(&str, &str, &str, Act)| -> Transducer {
        let copy = |letters: Predicate| vec![Label::Copy(letters)];
        let state = |first: char| match from.starts_with(first) {
            true => vec![Label::Pair(Some(one(from)), Some(one(to)))],
            false => copy(group(first)),
        };
        let (sender, receiver) = (state('s'), state('r'));
        let (hash, bar, dollar) = (copy(one("#")), copy(one("|")), copy(one("$")));
        let insert = |name: &str| vec![Label::Pair(None, Some(one(name)))];
        let delete = |letters: Predicate| vec![Label::Pair(Some(letters), None)];
        // What happens at the left and right end of each queue, and at the end of the log.
        let mut ends: [Option<Vec<Label>>; 5] = Default::default();
        match act {
            Get(name) if from.is_empty() => {
                ends[if name == "M" { 0 } else { 2 }] = Some(delete(if name == "M" {
                    messages.clone()
                } else {
                    acknowledgements.clone()
                }));
            }
            Get(name) => ends[if name.starts_with('M') { 0 } else { 2 }] = Some(delete(one(name))),
            Put(name) => ends[if name.starts_with('M') { 1 } else { 3 }] = Some(insert(name)),
            Log(name) => ends[4] = Some(insert(name)),
        }
        let mut parts = vec![One(&sender), One(&receiver), One(&hash)];
        let loses = from.is_empty();
        for (queue, (letters, close)) in [(&messages, &bar), (&acknowledgements, &dollar)]
            .into_iter()
            .enumerate()
        {
            if let Some(left) = &ends[2 * queue] {
                // A lost message may be anywhere in the queue.
                if loses {
                    parts.push(Copies(letters));
                }
                parts.push(One(left));
            }
            parts.push(Copies(letters));
            if let Some(right) = &ends[2 * queue + 1] {
                parts.push(One(right));
            }
            parts.push(One(close));
        }
        parts.push(Copies(&log));
        if let Some(end) = &ends[4] {
            parts.push(One(end));
        }
        rules.chain(&parts)
    };
    let used = acts
        .iter()
        .filter(|(_, from, ..)| lossy || !from.is_empty());
    let parts = used.map(|act| (act.0, step(act))).collect();
    let initial = ["s0", "r0", "#", "|", "$"];
    let mut start = Nfa::builder(&alphabet).initial(0).accepting(5);
    for (i, name) in (0u32..).zip(initial) {
        start.add_edge(i.into(), &one(name), (i + 1).into());
    }
    let bad = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &group('s'), 1)
        .edge(1, &group('r'), 2)
        .edge(2, &one("#"), 3)
        .edge(3, &messages, 3)
        .edge(3, &one("|"), 4)
        .edge(4, &acknowledgements, 4)
        .edge(4, &one("$"), 5)
        .edge(5, &one("S"), 6)
        .edge(6, &one("R"), 5)
        .edge(5, &one("R"), 7)
        .edge(6, &one("S"), 7)
        .edge(7, &log, 7)
        .accepting(7)
        .build();
    problem(start.build(), "sent and received alternate", bad, parts)
}
