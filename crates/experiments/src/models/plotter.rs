//! A recursive program that draws a skyline.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Transducer};
use quotient_regular::Part::{self, Copies, One};
use quotient_regular::{Problem, Rules};

use super::problem;

/// What happens when the program is at a line: it goes on to another line, or returns.
enum Act {
    /// Goes on.
    Go(&'static str, &'static str),
    /// Returns to the caller.
    Return(&'static str),
    /// Calls: the line it goes on at afterwards, and the first line of the callee.
    Call(&'static str, &'static str, &'static str),
    /// Goes on and makes a move of the plotter.
    Move(&'static str, &'static str, &'static str),
}

/// A plotter program with recursive procedures (Esparza, Hansel, Rossmanith and Schwoon 2000):
/// after an upward move there is never a downward one without a move to the right between
/// them, nor the other way round. A configuration is the call stack, top left, a bar, and all
/// moves so far.
pub fn plotter() -> Problem {
    use Act::{Call, Go, Move, Return};
    let acts = [
        ("main begins", Go("a0", "a2")),
        ("main calls s", Call("a2", "a1", "s0")),
        ("main ends", Return("a1")),
        ("s draws nothing", Go("s0", "s3")),
        ("s returns at once", Return("s3")),
        ("s draws", Go("s0", "s2")),
        ("s goes up", Move("s2", "s4", "U")),
        ("s calls m", Call("s4", "s5", "m0")),
        ("s goes down", Move("s5", "s1", "D")),
        ("s returns", Return("s1")),
        ("m begins", Go("m0", "m2")),
        ("m chooses right", Go("m2", "m3")),
        ("m chooses up", Go("m2", "m7")),
        ("m calls s", Call("m3", "m4", "s0")),
        ("m goes right", Move("m4", "m5", "R")),
        ("m goes on", Go("m5", "m6")),
        ("m is done", Go("m5", "m1")),
        ("m calls m", Call("m6", "m1", "m0")),
        ("m goes up", Move("m7", "m8", "U")),
        ("m calls m above", Call("m8", "m9", "m0")),
        ("m goes down", Move("m9", "m1", "D")),
        ("m returns", Return("m1")),
    ];
    let lines = (0..3)
        .map(|i| format!("a{i}"))
        .chain((0..10).map(|i| format!("m{i}")))
        .chain((0..6).map(|i| format!("s{i}")));
    let others = ["|", "D", "R", "U"].map(str::to_owned);
    let alphabet =
        Alphabet::new(lines.chain(others)).unwrap_or_else(|error| unreachable!("{error}"));
    let rules = Rules::new(&alphabet);
    let one = |name: &str| Predicate::of(&alphabet, alphabet.letter(name));
    let moves = one("U").or(&one("D")).or(&one("R"));
    let bar = one("|");
    let stack = moves.or(&bar).not();
    let step = |act: &Act| -> Transducer {
        let rewrite = |from: &str, to: &str| vec![Label::Pair(Some(one(from)), Some(one(to)))];
        let insert = |name: &str| vec![Label::Pair(None, Some(one(name)))];
        let bar = [Label::Copy(bar.clone())];
        let rest = [Copies(&stack), One(&bar), Copies(&moves)];
        let chain =
            |before: &[Part<'_>], after: &[Part<'_>]| rules.chain(&[before, &rest, after].concat());
        match *act {
            Go(from, to) => chain(&[One(&rewrite(from, to))], &[]),
            Return(from) => chain(&[One(&[Label::Pair(Some(one(from)), None)])], &[]),
            Call(from, to, callee) => chain(&[One(&insert(callee)), One(&rewrite(from, to))], &[]),
            Move(from, to, direction) => {
                chain(&[One(&rewrite(from, to))], &[One(&insert(direction))])
            }
        }
    };
    let (up, down, right) = (one("U"), one("D"), one("R"));
    let initial = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &one("a0"), 1)
        .edge(1, &bar, 2)
        .accepting(2)
        .build();
    let bad = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &stack, 0)
        .edge(0, &bar, 1)
        .edge(1, &moves, 1)
        .edge(1, &up, 2)
        .edge(1, &down, 3)
        .edge(2, &right.not(), 2)
        .edge(3, &right.not(), 3)
        .edge(2, &down, 4)
        .edge(3, &up, 4)
        .edge(4, &moves, 4)
        .accepting(4)
        .build();
    let parts = acts.iter().map(|(name, act)| (*name, step(act))).collect();
    problem(initial, "no move is undone at once", bad, parts)
}
