//! Dijkstra's and Szymański's algorithms in fewer lines or with fewer initial configurations.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Relation};
use quotient_regular::Part::{Copies, One};
use quotient_regular::{Change, Problem, Property, Rules};

use super::{all_but, problem};
use crate::models::mutual_exclusion::{Letters, name};
use crate::models::{Order, Repairs, small_bakery, szymanski};

/// [Dijkstra's algorithm](crate::models::dijkstra) in six lines, a to f: whether p is free is
/// seen in the line where p is found not to be one's own.
pub fn brief_dijkstra() -> Problem {
    let letters = Letters::new("abcdef".chars().flat_map(|line| {
        "012"
            .chars()
            .flat_map(move |flag| ["0", "1"].map(|p| format!("{line}{flag}{p}")))
    }));
    let rules = &letters.rules;
    let to = |from: u8, p: Option<u8>, line: u8, flag: Option<u8>, new_p: Option<u8>| {
        letters.change(|n| {
            let matches = n[0] == from && p.is_none_or(|p| n[2] == p);
            matches.then(|| name(&[line, flag.unwrap_or(n[1]), new_p.unwrap_or(n[2])]))?
        })
    };
    let seen = |other: &Predicate| -> Change { vec![Label::Copy(other.clone())] };
    let (mine, other) = (Some(b'1'), Some(b'0'));
    let free = letters.which(|n| n[1] == b'0' && n[2] == b'1');
    let trying = letters.which(|n| n[1] == b'2');
    let lose_p = letters.change(|n| (n[2] == b'1').then(|| name(&[n[0], n[1], b'0']))?);
    let critical = letters.which(|n| n[0] == b'f');
    let initial = Nfa::builder(&letters.alphabet)
        .initial(0)
        .edge(0, &letters.which(|n| n == b"a00"), 0)
        .edge(0, &letters.which(|n| n == b"a01"), 1)
        .edge(1, &letters.which(|n| n == b"a00"), 1)
        .accepting(1)
        .build();
    problem(
        initial,
        "mutual exclusion",
        all_but(&at_most_one(&letters.alphabet, &critical)),
        vec![
            (
                "a: ask",
                rules.local(&to(b'a', None, b'b', Some(b'1'), None)),
            ),
            (
                "b: p is mine",
                rules.local(&to(b'b', mine, b'd', None, None)),
            ),
            (
                "b: p is free",
                rules.two(&to(b'b', None, b'c', None, None), &seen(&free)),
            ),
            (
                "c: take p",
                rules.two(&lose_p, &to(b'c', other, b'd', None, mine)),
            ),
            (
                "d: try",
                rules.local(&to(b'd', None, b'e', Some(b'2'), None)),
            ),
            (
                "e: another tries",
                rules.two(&to(b'e', None, b'a', None, None), &seen(&trying)),
            ),
            (
                "e: enter",
                rules.if_all(
                    &to(b'e', None, b'f', None, None),
                    &trying.not(),
                    &trying.not(),
                ),
            ),
            (
                "f: leave",
                rules.local(&to(b'f', None, b'a', Some(b'0'), None)),
            ),
        ],
    )
}

/// The [bakery with three letters](crate::models::small_bakery), where the last process takes no
/// ticket: it is idle only if all are.
pub fn brief_bakery() -> Problem {
    let whole = small_bakery(Order::Tickets);
    let alphabet = whole.alphabet();
    let (all, one) = (Predicate::all(alphabet), |name: &str| {
        Predicate::of(alphabet, alphabet.letter(name))
    });
    let delete = [Label::Pair(Some(one("b")), None)];
    let insert = [Label::Pair(None, Some(one("w")))];
    let (rest, another) = (Copies(&all), [Label::Copy(all.clone())]);
    let chain = [rest, One(&delete), One(&another), rest, One(&insert)];
    let ticket = Rules::new(alphabet).chain(&chain);
    let others = whole.relation().parts()[1..].iter().cloned();
    let parts = std::iter::once(("take a ticket".to_owned(), ticket)).chain(others);
    let relation = Relation::new(alphabet, parts.collect());
    Problem::new(
        whole.initial().clone(),
        whole.properties().to_vec(),
        relation,
    )
    .unwrap_or_else(|error| unreachable!("{error}"))
}

/// [Szymański's algorithm](crate::models::szymanski) for at least two processes, whose flags
/// are down at first.
pub fn brief_szymanski() -> Problem {
    let whole = szymanski(Repairs::BOTH);
    let alphabet = whole.alphabet();
    let down = Predicate::of(alphabet, alphabet.letter("1FF"));
    let initial = Nfa::builder(alphabet)
        .initial(0)
        .edge(0, &down, 1)
        .edge(1, &down, 2)
        .edge(2, &down, 2)
        .accepting(2)
        .build();
    let critical = ["7FF", "7FT", "7TF", "7TT"].map(|name| alphabet.letter(name));
    let critical = Predicate::of(alphabet, critical.into_iter().flatten());
    let property = Property {
        name: "mutual exclusion".to_owned(),
        bad: all_but(&at_most_one(alphabet, &critical)),
    };
    Problem::new(initial, vec![property], whole.relation().clone())
        .unwrap_or_else(|error| unreachable!("{error}"))
}

/// The words, not empty, with at most one of these letters. That a word is not empty belongs to
/// the property here: an abstraction that adds the empty word raises a false alarm.
fn at_most_one(alphabet: &Alphabet, critical: &Predicate) -> Nfa {
    let others = critical.not();
    Nfa::builder(alphabet)
        .initial(0)
        .edge(0, &others, 1)
        .edge(0, critical, 2)
        .edge(1, &others, 1)
        .edge(1, critical, 2)
        .edge(2, &others, 2)
        .accepting(1)
        .accepting(2)
        .build()
}
