//! A token that wanders to the right.

use quotient_automata::{Alphabet, Label, Nfa, Predicate};
use quotient_regular::Part;
use quotient_regular::{Problem, Rules};

use super::problem;

/// Which token-passing system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// The token goes to the right neighbour.
    Simple,
    /// As before, but whoever passes it keeps a copy: there come to be two.
    Duplicated,
    /// The token goes to the third neighbour on the right, and must never get to the last
    /// process: the running example of Chalk (2018).
    ToTheThird,
}

/// Processes in a line pass a token on.
pub fn token_passing(which: Token) -> Problem {
    let alphabet = Alphabet::new(["N", "T"]).unwrap_or_else(|error| unreachable!("{error}"));
    let rules = Rules::new(&alphabet);
    let letters = alphabet.letters().collect::<Vec<_>>();
    let (n, t) = (
        Predicate::of(&alphabet, [letters[0]]),
        Predicate::of(&alphabet, [letters[1]]),
    );
    let all = Predicate::all(&alphabet);
    let rest = Part::Copies(&all);
    let change = |from: &Predicate, to: &Predicate| -> Vec<Label> { rules.change(from, to) };
    let (give, keep, take, skip) = (
        change(&t, &n),
        change(&t, &t),
        change(&n, &t),
        change(&n, &n),
    );
    let (give, keep, take, skip) = (
        Part::One(&give),
        Part::One(&keep),
        Part::One(&take),
        Part::One(&skip),
    );
    let starts_with_token = || {
        Nfa::builder(&alphabet)
            .initial(0)
            .edge(0, &t, 1)
            .edge(1, &n, 1)
            .accepting(1)
            .build()
    };
    match which {
        Token::Simple => problem(
            starts_with_token(),
            "one token",
            rules.at_least(2, &t),
            vec![("pass", rules.chain(&[rest, give, take, rest]))],
        ),
        Token::Duplicated => problem(
            starts_with_token(),
            "one token",
            rules.at_least(2, &t),
            vec![("pass", rules.chain(&[rest, keep, take, rest]))],
        ),
        Token::ToTheThird => problem(
            Nfa::builder(&alphabet)
                .initial(0)
                .edge(0, &n, 1)
                .edge(1, &t, 2)
                .edge(2, &n, 3)
                .edge(3, &n, 4)
                .edge(4, &n, 5)
                .edge(5, &n, 3)
                .accepting(3)
                .build(),
            "the last process has no token",
            Nfa::builder(&alphabet)
                .initial(0)
                .edge(0, &n, 0)
                .edge(0, &t, 1)
                .accepting(1)
                .build(),
            vec![("pass", rules.chain(&[rest, give, skip, skip, take, rest]))],
        ),
    }
}
