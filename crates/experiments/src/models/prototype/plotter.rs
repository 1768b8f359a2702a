//! The plotter with a flag for its last move.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Transducer};
use quotient_regular::Part::{Copies, One};
use quotient_regular::{Problem, Rules};

use super::{all_but, problem};

/// What the program does at a line.
enum Act {
    /// Goes on to one of these lines.
    Go(&'static str, &'static [&'static str]),
    /// Returns to the caller.
    Return(&'static str),
    /// Calls: the line it goes on at afterwards, and the first line of the callee.
    Call(&'static str, &'static str, &'static str),
    /// Goes on, and the flag changes: what it was, what it is then.
    Move(&'static str, &'static str, &'static str, &'static str),
}

/// The [plotter](crate::models::plotter) without a log. The first letter tells whether the last
/// move was upward (u) or not (p); a downward move after an upward one makes it an error (e).
/// Behind it is the call stack, top left. The main program stays at its last line.
pub fn brief_plotter() -> Problem {
    use Act::{Call, Go, Move, Return};
    let acts = [
        ("main begins", Go("a0", &["a2"])),
        ("main calls s", Call("a2", "a1", "s0")),
        ("s draws or not", Go("s0", &["s2", "s3"])),
        ("s returns at once", Return("s3")),
        ("s goes up", Move("s2", "s4", "pu", "u")),
        ("s calls m", Call("s4", "s5", "m0")),
        ("s goes down", Move("s5", "s1", "p", "p")),
        ("s goes down at once", Move("s5", "s1", "u", "e")),
        ("s returns", Return("s1")),
        ("m begins", Go("m0", &["m2"])),
        ("m chooses", Go("m2", &["m3", "m7"])),
        ("m calls s", Call("m3", "m4", "s0")),
        ("m goes right", Move("m4", "m5", "pu", "p")),
        ("m goes on or not", Go("m5", &["m6", "m1"])),
        ("m calls m", Call("m6", "m1", "m0")),
        ("m goes up", Move("m7", "m8", "pu", "u")),
        ("m calls m above", Call("m8", "m9", "m0")),
        ("m goes down", Move("m9", "m1", "p", "p")),
        ("m goes down at once", Move("m9", "m1", "u", "e")),
        ("m returns", Return("m1")),
    ];
    let lines = [('a', 3), ('m', 10), ('s', 6)]
        .into_iter()
        .flat_map(|(procedure, lines)| (0..lines).map(move |line| format!("{procedure}{line}")));
    let flags = ["e", "p", "u"].map(str::to_owned);
    let alphabet =
        Alphabet::new(lines.chain(flags)).unwrap_or_else(|error| unreachable!("{error}"));
    let rules = Rules::new(&alphabet);
    let one = |name: &str| Predicate::of(&alphabet, alphabet.letter(name));
    let any = |names: &str| {
        let names = names.chars().map(String::from);
        names.fold(Predicate::none(&alphabet), |all, name| all.or(&one(&name)))
    };
    let flag = any("pu");
    let stack = any("epu").not();
    let step = |act: &Act| -> Transducer {
        let rewrite =
            |from: &str, to: &Predicate| vec![Label::Pair(Some(one(from)), Some(to.clone()))];
        let same = vec![Label::Copy(flag.clone())];
        let rest = Copies(&stack);
        match *act {
            Go(from, to) => {
                let to = to
                    .iter()
                    .fold(Predicate::none(&alphabet), |all, name| all.or(&one(name)));
                rules.chain(&[One(&same), One(&rewrite(from, &to)), rest])
            }
            Return(from) => {
                rules.chain(&[One(&same), One(&[Label::Pair(Some(one(from)), None)]), rest])
            }
            Call(from, to, callee) => {
                let push = [Label::Pair(None, Some(one(to)))];
                rules.chain(&[
                    One(&same),
                    One(&rewrite(from, &one(callee))),
                    One(&push),
                    rest,
                ])
            }
            Move(from, to, before, after) => {
                let moves = vec![Label::Pair(Some(any(before)), Some(any(after)))];
                rules.chain(&[One(&moves), One(&rewrite(from, &one(to))), rest])
            }
        }
    };
    let initial = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &one("p"), 1)
        .edge(1, &one("a0"), 2)
        .accepting(2)
        .build();
    let good = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &flag, 1)
        .edge(1, &stack, 1)
        .accepting(1)
        .build();
    let parts = acts.iter().map(|(name, act)| (*name, step(act))).collect();
    problem(
        initial,
        "no upward move is undone at once",
        all_but(&good),
        parts,
    )
}
