//! Algorithms for mutual exclusion. Letters name the line that a process is about to run.

use quotient_automata::{Alphabet, Label, Letter, Nfa, Predicate, Transducer};
use quotient_regular::{Change, Problem, Rules};

use super::problem;

/// Letters with structure: a name is a line followed by the values of the flags.
pub(super) struct Letters {
    pub(super) alphabet: Alphabet,
    pub(super) rules: Rules,
}

impl Letters {
    pub(super) fn new(names: impl IntoIterator<Item = String>) -> Letters {
        let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
        let rules = Rules::new(&alphabet);
        Letters { alphabet, rules }
    }

    /// The letters whose name passes a test.
    pub(super) fn which(&self, test: impl Fn(&[u8]) -> bool) -> Predicate {
        let letters = self.alphabet.letters();
        let passes = letters.filter(|&letter| test(self.alphabet.name(letter).as_bytes()));
        Predicate::of(&self.alphabet, passes)
    }

    /// For each letter that `change` renames, the pair of it and the new one.
    pub(super) fn change(&self, change: impl Fn(&[u8]) -> Option<String>) -> Vec<Label> {
        let pairs = self
            .alphabet
            .letters()
            .filter_map(|letter| -> Option<(Letter, Letter)> {
                let name = change(self.alphabet.name(letter).as_bytes())?;
                Some((letter, self.alphabet.letter(&name)?))
            });
        self.rules.map(pairs.collect::<Vec<_>>())
    }

    /// At least two processes at a line.
    pub(super) fn two_at(&self, line: u8) -> Nfa {
        self.rules.at_least(2, &self.which(|name| name[0] == line))
    }
}

/// The letters of a line and flags as text.
pub(super) fn name(parts: &[u8]) -> Option<String> {
    String::from_utf8(parts.to_vec()).ok()
}

/// Lamport's bakery. The order of tickets is the order of the word: a process that takes one
/// goes to the right end. Lines: 1 announce, 2 take a ticket, 3 announce done, 4 wait, 5 critical.
pub fn bakery() -> Problem {
    let letters = Letters::new("12345".chars().map(String::from));
    let rules = &letters.rules;
    let line = |lines: &[u8]| letters.which(|name| lines.contains(&name[0]));
    let go = |from: u8, to: u8| rules.change(&line(&[from]), &line(&[to]));
    problem(
        rules.words_over(&line(b"1")),
        "mutual exclusion",
        letters.two_at(b'5'),
        vec![
            ("announce", rules.local(&go(b'1', b'2'))),
            ("take a ticket", rules.to_the_end(&line(b"2"), &line(b"3"))),
            ("announce done", rules.local(&go(b'3', b'4'))),
            (
                "enter",
                rules.if_all(&go(b'4', b'5'), &line(b"1"), &line(b"145")),
            ),
            ("leave", rules.local(&go(b'5', b'1'))),
        ],
    )
}

/// Burns' algorithm. Letters: a line 1 to 6 and the flag of the process.
pub fn burns() -> Problem {
    let names = "123456".chars();
    let letters =
        Letters::new(names.flat_map(|line| ["F", "T"].map(|flag| format!("{line}{flag}"))));
    let rules = &letters.rules;
    let flag = |value: u8| letters.which(|name| name[1] == value);
    let (up, down) = (flag(b'T'), flag(b'F'));
    let all = Predicate::all(&letters.alphabet);
    let to = |from: u8, line: u8, flag: Option<u8>| {
        letters.change(|n| (n[0] == from).then(|| name(&[line, flag.unwrap_or(n[1])]))?)
    };
    problem(
        rules.words_over(&letters.which(|name| name == b"1F")),
        "mutual exclusion",
        letters.two_at(b'6'),
        vec![
            (
                "1: lower the flag",
                rules.local(&to(b'1', b'2', Some(b'F'))),
            ),
            (
                "2: someone left is up",
                rules.if_some_left(&to(b'2', b'1', None), &up),
            ),
            (
                "2: nobody left is up",
                rules.if_all(&to(b'2', b'3', None), &down, &all),
            ),
            (
                "3: raise the flag",
                rules.local(&to(b'3', b'4', Some(b'T'))),
            ),
            (
                "4: someone left is up",
                rules.if_some_left(&to(b'4', b'1', None), &up),
            ),
            (
                "4: nobody left is up",
                rules.if_all(&to(b'4', b'5', None), &down, &all),
            ),
            (
                "5: nobody right is up",
                rules.if_all(&to(b'5', b'6', None), &all, &down),
            ),
            ("6: leave", rules.local(&to(b'6', b'1', Some(b'F')))),
        ],
    )
}

/// Dijkstra's algorithm. Letters: a line 1 to 7, the flag 0 to 2, and whether the variable p
/// points to the process. `adjacent_only` gives the version of the published file, in which
/// two processes interact only if they are neighbours.
pub fn dijkstra(adjacent_only: bool) -> Problem {
    let lines = "1234567".chars();
    let letters = Letters::new(lines.flat_map(|line| {
        "012"
            .chars()
            .flat_map(move |flag| ["F", "T"].map(|p| format!("{line}{flag}{p}")))
    }));
    let rules = &letters.rules;
    let all = Predicate::all(&letters.alphabet);
    let none = Predicate::none(&letters.alphabet);
    let to = |from: u8, here: Option<u8>, line: u8, flag: Option<u8>, p: Option<u8>| {
        letters.change(|n| {
            let matches = n[0] == from && here.is_none_or(|p| n[2] == p);
            matches.then(|| name(&[line, flag.unwrap_or(n[1]), p.unwrap_or(n[2])]))?
        })
    };
    let between = if adjacent_only { &none } else { &all };
    let lose_p = letters.change(|n| (n[2] == b'T').then(|| name(&[n[0], n[1], b'F']))?);
    let take_p = to(b'4', Some(b'F'), b'5', None, Some(b'T'));
    let zero_here = letters.which(|n| n[1] == b'0' && n[2] == b'T');
    let two = letters.which(|n| n[1] == b'2');
    let not_two = two.not();
    let idle_here = letters.which(|n| n == b"10T");
    let idle = letters.which(|n| n == b"10F");
    let initial = Nfa::builder(&letters.alphabet)
        .initial(0)
        .edge(0, &idle, 0)
        .edge(0, &idle_here, 1)
        .edge(1, &idle, 1)
        .accepting(1)
        .build();
    let near = |one: &Change, other: &Change| rules.two_around(one, other, between);
    let seen = |other: &Predicate| vec![Label::Copy(other.clone())];
    problem(
        initial,
        "mutual exclusion",
        letters.two_at(b'7'),
        vec![
            (
                "1: ask",
                rules.local(&to(b'1', None, b'2', Some(b'1'), None)),
            ),
            (
                "2: p is mine",
                rules.local(&to(b'2', Some(b'T'), b'5', None, None)),
            ),
            (
                "2: p is not mine",
                rules.local(&to(b'2', Some(b'F'), b'3', None, None)),
            ),
            (
                "3: p is free",
                near(&to(b'3', Some(b'F'), b'4', None, None), &seen(&zero_here)),
            ),
            ("4: take p", near(&lose_p, &take_p)),
            (
                "5: try",
                rules.local(&to(b'5', None, b'6', Some(b'2'), None)),
            ),
            (
                "6: another tries",
                near(&to(b'6', None, b'1', None, None), &seen(&two)),
            ),
            (
                "6: enter",
                rules.if_all(&to(b'6', None, b'7', None, None), &not_two, &not_two),
            ),
            (
                "7: leave",
                rules.local(&to(b'7', None, b'1', Some(b'0'), None)),
            ),
        ],
    )
}

/// Which lines of Szymański's algorithm are as published; the others have a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repairs {
    /// Line 3 looks at everyone who is not at line 1.
    pub line_3: bool,
    /// Line 6 waits for everyone to the left who has s.
    pub line_6: bool,
}

impl Repairs {
    /// The correct algorithm.
    pub const BOTH: Repairs = Repairs {
        line_3: true,
        line_6: true,
    };
}

/// Szymański's algorithm. Letters: a line 1 to 7 and the flags s and w.
pub fn szymanski(repairs: Repairs) -> Problem {
    let lines = "1234567".chars();
    let letters = Letters::new(lines.flat_map(|line| {
        ["F", "T"]
            .into_iter()
            .flat_map(move |s| ["F", "T"].map(|w| format!("{line}{s}{w}")))
    }));
    let rules = &letters.rules;
    let all = Predicate::all(&letters.alphabet);
    let (s, w) = (
        letters.which(|n| n[1] == b'T'),
        letters.which(|n| n[2] == b'T'),
    );
    let waiting = match repairs.line_3 {
        true => letters.which(|n| n[0] != b'1' && n[2] == b'F'),
        false => letters.which(|n| !matches!(n[0], b'1' | b'2')),
    };
    let left_of_6 = match repairs.line_6 {
        true => s.not(),
        false => s.and(&w).not(),
    };
    let to = |from: u8, line: u8, s: Option<u8>, w: Option<u8>| {
        letters.change(|n| {
            let renamed = || name(&[line, s.unwrap_or(n[1]), w.unwrap_or(n[2])]);
            (n[0] == from).then(renamed)?
        })
    };
    let (yes, no) = (Some(b'T'), Some(b'F'));
    let all_of = |change: &[Label], left: &Predicate, right: &Predicate| -> Transducer {
        rules.if_all(&change.to_vec(), left, right)
    };
    problem(
        rules.words_over(&letters.which(|n| n[0] == b'1')),
        "mutual exclusion",
        letters.two_at(b'7'),
        vec![
            (
                "1: nobody has s",
                all_of(&to(b'1', b'2', None, None), &s.not(), &s.not()),
            ),
            ("2: set w and s", rules.local(&to(b'2', b'3', yes, yes))),
            (
                "3: someone does not wait",
                rules.if_some(&to(b'3', b'4', no, None), &waiting),
            ),
            (
                "3: all wait",
                all_of(&to(b'3', b'5', None, no), &waiting.not(), &waiting.not()),
            ),
            (
                "4: let through",
                rules.if_some(&to(b'4', b'5', yes, no), &s.and(&w.not())),
            ),
            (
                "5: nobody waits",
                all_of(&to(b'5', b'6', None, None), &w.not(), &w.not()),
            ),
            (
                "6: nobody left has s",
                all_of(&to(b'6', b'7', None, None), &left_of_6, &all),
            ),
            ("7: leave", rules.local(&to(b'7', b'1', no, None))),
        ],
    )
}

/// Which bakery with three letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Whoever is first in the word enters first.
    Tickets,
    /// Anyone enters when nobody is critical: a process may wait for ever.
    None,
}

/// The bakery with letters b (idle), w (waiting) and c (critical). A process that takes a
/// ticket goes to the right end.
pub fn small_bakery(order: Order) -> Problem {
    let letters = Letters::new("bwc".chars().map(String::from));
    let rules = &letters.rules;
    let which = |names: &[u8]| letters.which(|name| names.contains(&name[0]));
    let go = |from: u8, to: u8| rules.change(&which(&[from]), &which(&[to]));
    let all = Predicate::all(&letters.alphabet);
    let enter = match order {
        Order::Tickets => rules.if_all(&go(b'w', b'c'), &which(b"b"), &all),
        Order::None => rules.if_all(&go(b'w', b'c'), &which(b"bw"), &which(b"bw")),
    };
    let initial = Nfa::builder(&letters.alphabet)
        .initial(0)
        .edge(0, &which(b"b"), 1)
        .edge(1, &which(b"b"), 2)
        .edge(2, &which(b"b"), 2)
        .accepting(2)
        .build();
    problem(
        initial,
        "mutual exclusion",
        letters.two_at(b'c'),
        vec![
            (
                "take a ticket",
                rules.to_the_end(&which(b"b"), &which(b"w")),
            ),
            ("enter", enter),
            ("leave", rules.local(&go(b'c', b'b'))),
        ],
    )
}
