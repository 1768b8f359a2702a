//! The alternating bit protocol with a flag for the message under way.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Transducer};
use quotient_regular::Part::{self, Copies, One};
use quotient_regular::{Problem, Rules};

use super::{all_but, problem};

/// What happens to the message under way (first letter): what it was, what it is then.
type Flag = (&'static str, &'static str);

/// A step: its name, what happens to the flag, the partner's letter before and after, and
/// what the partner puts into or takes out of a queue.
type Step = (&'static str, Flag, &'static str, &'static str, Act);

#[derive(Clone, Copy)]
enum Act {
    Nothing,
    Put(&'static str),
    Get(&'static str),
}

/// The [alternating bit protocol](crate::models::alternating_bit) over queues that lose
/// messages, without a log. The first letter is the message under way (0, 1, or i for none); a
/// message sent before the last one was received, or received without having been sent, makes
/// it an error (x). Then come the sender (a to d), the messages, the receiver (e to h), the
/// acknowledgements and an end mark (t); a queue is filled at its left end.
// Long because it is one table of rules.
pub fn brief_alternating_bit() -> Problem {
    use Act::{Get, Nothing, Put};
    const SAME: Flag = ("", "");
    let steps: [Step; 20] = [
        ("send 0", ("i", "0"), "a", "b", Nothing),
        ("send 0 too early", ("01", "x"), "a", "b", Nothing),
        ("put message 0", SAME, "b", "b", Put("0")),
        ("ignore acknowledgement 1", SAME, "b", "b", Get("1")),
        ("get acknowledgement 0", SAME, "b", "c", Get("0")),
        ("send 1", ("i", "1"), "c", "d", Nothing),
        ("send 1 too early", ("01", "x"), "c", "d", Nothing),
        ("put message 1", SAME, "d", "d", Put("1")),
        ("ignore acknowledgement 0", SAME, "d", "d", Get("0")),
        ("get acknowledgement 1", SAME, "d", "a", Get("1")),
        ("ignore message 1", SAME, "e", "e", Get("1")),
        ("put acknowledgement 1", SAME, "e", "e", Put("1")),
        ("get message 0", SAME, "e", "f", Get("0")),
        ("receive 0", ("0", "i"), "f", "g", Nothing),
        ("receive 0 unsent", ("1i", "x"), "f", "g", Nothing),
        ("put acknowledgement 0", SAME, "g", "g", Put("0")),
        ("ignore message 0", SAME, "g", "g", Get("0")),
        ("get message 1", SAME, "g", "h", Get("1")),
        ("receive 1", ("1", "i"), "h", "e", Nothing),
        ("receive 1 unsent", ("0i", "x"), "h", "e", Nothing),
    ];
    let names = "01abcdefghitx".chars().map(String::from);
    let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
    let rules = Rules::new(&alphabet);
    let any = |names: &str| {
        let letters = names
            .chars()
            .filter_map(|name| alphabet.letter(&name.to_string()));
        Predicate::of(&alphabet, letters)
    };
    let copy = |names: &str| vec![Label::Copy(any(names))];
    let rewrite = |from: &str, to: &str| vec![Label::Pair(Some(any(from)), Some(any(to)))];
    let bits = any("01");
    let (flag, sender, receiver, end) = (copy("01i"), copy("abcd"), copy("efgh"), copy("t"));
    let queue = Copies(&bits);
    let step = |&(_, (before, after), from, to, act): &Step| -> Transducer {
        let flag = match before.is_empty() {
            true => flag.clone(),
            false => rewrite(before, after),
        };
        let sends = "abcd".contains(from);
        let moves = rewrite(from, to);
        let (sender, receiver) = match sends {
            true => (&moves, &receiver),
            false => (&sender, &moves),
        };
        // The sender fills the first queue and empties the second; the receiver the other way.
        let act = match act {
            Nothing => Vec::new(),
            Put(bit) => vec![Label::Pair(None, Some(any(bit)))],
            Get(bit) => vec![Label::Pair(Some(any(bit)), None)],
        };
        let here = |yes: bool| (yes && !act.is_empty()).then_some(One(&act));
        let puts = act.first().is_some_and(|label| label.input().is_none());
        let parts = [
            Some(One(&flag)),
            Some(One(sender)),
            here(sends && puts),
            Some(queue),
            here(!sends && !puts),
            Some(One(receiver)),
            here(!sends && puts),
            Some(queue),
            here(sends && !puts),
            Some(One(&end)),
        ];
        let parts: Vec<Part<'_>> = parts.into_iter().flatten().collect();
        rules.chain(&parts)
    };
    let lose = vec![Label::Pair(Some(bits.clone()), None)];
    let around = |first: &[Part<'_>], second: &[Part<'_>]| {
        let parts = [
            &[One(&flag), One(&sender)],
            first,
            &[One(&receiver)],
            second,
            &[One(&end)],
        ];
        rules.chain(&parts.concat())
    };
    let lossy = [queue, One(&lose), queue];
    let mut parts: Vec<(&str, Transducer)> = steps.iter().map(|s| (s.0, step(s))).collect();
    parts.push(("lose a message", around(&lossy, &[queue])));
    parts.push(("lose an acknowledgement", around(&[queue], &lossy)));
    let mut initial = Nfa::builder(&alphabet).initial(0).accepting(4);
    for (i, name) in (0u32..).zip(["i", "a", "e", "t"]) {
        initial.add_edge(i.into(), &any(name), (i + 1).into());
    }
    let good = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &any("01i"), 1)
        .edge(1, &any("abcd"), 2)
        .edge(2, &bits, 2)
        .edge(2, &any("efgh"), 3)
        .edge(3, &bits, 3)
        .edge(3, &any("t"), 4)
        .accepting(4)
        .build();
    problem(
        initial.build(),
        "sent and received alternate",
        all_but(&good),
        parts,
    )
}
