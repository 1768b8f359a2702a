//! All models with their verdicts.

use quotient_automata::Predicate;
use quotient_core::{Budget, Verdict};
use quotient_regular::{Fairness, communal_liveness, individual_liveness};

use super::*;

/// A model with what is known about it.
#[derive(Debug, Clone)]
pub struct Example {
    /// A short name, as of a folder.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The problem.
    pub problem: Problem,
    /// Its verdict.
    pub verdict: Verdict,
}

/// Every model of this module.
///
/// ```
/// use quotient_experiments::models::catalogue;
/// assert!(catalogue().iter().any(|example| example.name == "burns"));
/// ```
// Long because it is one list of models.
pub fn catalogue() -> Vec<Example> {
    let holds = |name, about, problem| Example {
        name,
        about,
        problem,
        verdict: Verdict::Holds,
    };
    let violated = |name, about, problem| Example {
        name,
        about,
        problem,
        verdict: Verdict::Violated,
    };
    let faulty = |line_3, line_6| szymanski(Repairs { line_3, line_6 });
    vec![
        holds(
            "token",
            "A token goes from neighbour to neighbour",
            token_passing(Token::Simple),
        ),
        violated(
            "token-duplicated",
            "Whoever passes the token keeps a copy",
            token_passing(Token::Duplicated),
        ),
        holds(
            "token-to-the-third",
            "The token goes to the third neighbour and never gets to the end",
            token_passing(Token::ToTheThird),
        ),
        holds("bakery", "Lamport's bakery, line by line", bakery()),
        holds(
            "bakery-small",
            "The bakery with three letters",
            small_bakery(Order::Tickets),
        ),
        holds(
            "bakery-unordered",
            "Whoever waits may enter when nobody is critical",
            small_bakery(Order::None),
        ),
        holds(
            "bakery-communal-liveness",
            "Somebody enters the bakery again and again",
            communal(Order::Tickets),
        ),
        holds(
            "bakery-individual-liveness",
            "Whoever waits in the bakery enters, if schedules are fair",
            individual(&small_bakery(Order::Tickets), &["w"], Fairness::Weak),
        ),
        holds(
            "bakery-individual-liveness-published",
            "The same in the published encoding, which takes less for fair",
            individual(
                &brief_bakery(),
                &["b", "w"],
                Fairness::Through(vec!["take a ticket".to_owned()]),
            ),
        ),
        violated(
            "bakery-starvation",
            "Without the order of tickets a process may wait for ever",
            individual(&small_bakery(Order::None), &["w"], Fairness::Weak),
        ),
        holds("burns", "Burns' algorithm", burns()),
        holds("dijkstra", "Dijkstra's algorithm", dijkstra(false)),
        holds(
            "dijkstra-neighbours",
            "Dijkstra's algorithm where only neighbours interact",
            dijkstra(true),
        ),
        holds(
            "dijkstra-brief",
            "Dijkstra's algorithm in six lines",
            brief_dijkstra(),
        ),
        holds(
            "szymanski",
            "Szymański's algorithm",
            szymanski(Repairs::BOTH),
        ),
        holds(
            "szymanski-brief",
            "Szymański's algorithm for two or more processes with their flags down",
            brief_szymanski(),
        ),
        violated(
            "szymanski-faulty",
            "Faults in lines 3 and 6",
            faulty(false, false),
        ),
        violated(
            "szymanski-line-3",
            "Only line 3 is repaired",
            faulty(true, false),
        ),
        violated(
            "szymanski-line-6",
            "Only line 6 is repaired",
            faulty(false, true),
        ),
        holds("plotter", "A recursive program draws a skyline", plotter()),
        holds(
            "plotter-brief",
            "The same with a flag instead of a log",
            brief_plotter(),
        ),
        holds(
            "alternating-bit",
            "The alternating bit protocol over queues that lose messages",
            alternating_bit(true),
        ),
        holds(
            "alternating-bit-lossless",
            "The same over queues that lose nothing",
            alternating_bit(false),
        ),
        holds(
            "alternating-bit-brief",
            "The lossy protocol with a flag instead of a log",
            brief_alternating_bit(),
        ),
        holds(
            "readers-writers",
            "Readers and writers, a Petri net with inhibitor arcs",
            readers_and_writers(false),
        ),
        violated(
            "readers-writers-faulty",
            "A reader does not look for active writers",
            readers_and_writers(true),
        ),
        holds(
            "list-reversal",
            "A program reverses a linked list",
            list_reversal(),
        ),
    ]
}

fn communal(order: Order) -> Problem {
    communal_liveness(&small_bakery(order), &["enter"])
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn individual(bakery: &Problem, waiting: &[&str], fairness: Fairness) -> Problem {
    let letters = waiting
        .iter()
        .filter_map(|name| bakery.alphabet().letter(name));
    let waiting = Predicate::of(bakery.alphabet(), letters);
    let (progress, budget) = (["enter"], Budget::unlimited());
    individual_liveness(bakery, &waiting, &progress, fairness, &budget)
        .unwrap_or_else(|stop| unreachable!("{stop}"))
        .unwrap_or_else(|error| unreachable!("{error}"))
}
