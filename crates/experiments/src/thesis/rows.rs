//! Tables 6.1 to 6.3 of Chalk (2018).
//!
//! Table 6.1 is about models of the thesis, 6.2 and 6.3 about those that came with the
//! prototype of Bouajjani, Habermehl and Vojnar. Ours are written anew from the descriptions.

use super::{Experiment, Published};

/// The rows of tables 6.1 to 6.3.
///
/// ```
/// use quotient_experiments::thesis::rows;
/// assert_eq!(rows().iter().filter(|row| row.table == "6.2").count(), 11);
/// ```
pub fn rows() -> Vec<Experiment> {
    [own(), predicates(), lengths()].concat()
}

/// The models of the thesis: the best configuration with predicates and the best with lengths.
// Long because it is one table.
fn own() -> Vec<Experiment> {
    let row = |name, model, whole, method, seconds, counts: (usize, u64)| Experiment {
        table: "6.1",
        name,
        model,
        whole,
        method,
        published: published(seconds, None, counts),
    };
    const WITH_ALL: &str = "forward past-predicates(init, bad, guards, actions)";
    const PLOTTER: &str = "forward predicates(init, bad, actions)";
    vec![
        row(
            "Bakery",
            "bakery",
            true,
            "forward predicates(bad)",
            0.07,
            (6, 0),
        ),
        row(
            "Bakery",
            "bakery",
            true,
            "backward length(1, +M)",
            0.10,
            (3, 0),
        ),
        row(
            "Dijkstra",
            "dijkstra-neighbours",
            true,
            "forward past-predicates(bad)",
            0.23,
            (8, 0),
        ),
        row(
            "Dijkstra",
            "dijkstra-neighbours",
            true,
            "forward length(1, +M)",
            9.15,
            (29, 0),
        ),
        row(
            "Burns",
            "burns",
            true,
            "forward predicates(bad)",
            0.08,
            (8, 0),
        ),
        row(
            "Burns",
            "burns",
            true,
            "forward past-predicates(bad)",
            0.08,
            (8, 0),
        ),
        row(
            "Burns",
            "burns",
            true,
            "forward past-prefix-traces(1, +M)",
            0.63,
            (13, 0),
        ),
        row(
            "Szymański",
            "szymanski",
            false,
            "forward past-predicates(bad, actions)",
            0.84,
            (13, 0),
        ),
        row(
            "Szymański",
            "szymanski",
            false,
            "forward traces(1, +M)",
            2.49,
            (13, 0),
        ),
        row(
            "Szymański (faulty)",
            "szymanski-faulty",
            false,
            WITH_ALL,
            1.18,
            (11, 0),
        ),
        row(
            "Szymański (faulty)",
            "szymanski-faulty",
            false,
            "forward traces(1, +M)",
            3.76,
            (11, 0),
        ),
        row("Push-down system", "plotter", true, PLOTTER, 0.81, (26, 0)),
        row(
            "Alternating bit",
            "alternating-bit-lossless",
            true,
            WITH_ALL,
            0.38,
            (17, 0),
        ),
    ]
}

/// The models of the prototype with predicates.
// Long because it is one table.
fn predicates() -> Vec<Experiment> {
    let row = |name, model, whole, method, times: (f64, f64), counts: (usize, u64)| Experiment {
        table: "6.2",
        name,
        model,
        whole,
        method,
        published: published(times.1, Some(times.0), counts),
    };
    const KEY_STATES: &str = "forward predicates(bad) key-states";
    const INIT_GUARDS: &str = "forward past-predicates(init, guards)";
    const BAD_GUARDS: &str = "forward past-predicates(bad, guards)";
    vec![
        row(
            "Bakery",
            "bakery-small",
            true,
            "forward predicates(bad)",
            (0.02, 0.06),
            (3, 0),
        ),
        row(
            "Bakery, communal",
            "bakery-communal-liveness",
            false,
            "forward predicates(bad, guards)",
            (0.13, 0.12),
            (7, 0),
        ),
        row(
            "Bakery, individual",
            "bakery-individual-liveness-published",
            false,
            KEY_STATES,
            (19.41, 71.21),
            (8, 1),
        ),
        row(
            "Alternating bit",
            "alternating-bit-brief",
            false,
            INIT_GUARDS,
            (0.68, 0.39),
            (17, 0),
        ),
        row(
            "Burns",
            "burns",
            true,
            "forward past-predicates(bad)",
            (0.06, 0.10),
            (8, 0),
        ),
        row(
            "Dijkstra",
            "dijkstra-brief",
            true,
            "forward past-predicates(bad)",
            (0.73, 2.50),
            (8, 0),
        ),
        row(
            "Push-down system",
            "plotter-brief",
            true,
            "backward predicates(bad)",
            (0.02, 0.13),
            (4, 2),
        ),
        row(
            "Readers-writers",
            "readers-writers",
            true,
            BAD_GUARDS,
            (5.86, 2.16),
            (13, 0),
        ),
        row(
            "Readers-w. (faulty)",
            "readers-writers-faulty",
            true,
            INIT_GUARDS,
            (0.81, 0.29),
            (6, 0),
        ),
        row(
            "Szymański",
            "szymanski-brief",
            false,
            "forward predicates(init, guards)",
            (0.55, 5.66),
            (15, 1),
        ),
        row(
            "List reversal",
            "list-reversal",
            true,
            "forward past-predicates(bad, guards, actions)",
            (1.29, 0.12),
            (20, 2),
        ),
    ]
}

/// The models of the prototype with lengths. The published bad set of list reversal has 15
/// states, half of which is the length there.
fn lengths() -> Vec<Experiment> {
    let row = |name, model, whole, method, times: (f64, f64), counts: (usize, u64)| Experiment {
        table: "6.3",
        name,
        model,
        whole,
        method,
        published: published(times.1, Some(times.0), counts),
    };
    vec![
        row(
            "Bakery",
            "bakery-small",
            true,
            "forward traces(bad/2, +M)",
            (0.02, 0.08),
            (4, 0),
        ),
        row(
            "Bakery, communal",
            "bakery-communal-liveness",
            false,
            "forward traces(bad, +M)",
            (0.14, 0.67),
            (9, 0),
        ),
        row(
            "Bakery, individual",
            "bakery-individual-liveness-published",
            false,
            "forward traces(1, +M)",
            (8.66, 122.63),
            (18, 0),
        ),
        row(
            "Alternating bit",
            "alternating-bit-brief",
            false,
            "forward length(bad/2, +M)",
            (0.32, 2.72),
            (16, 0),
        ),
        row(
            "Burns",
            "burns",
            true,
            "forward past-prefix-traces(1, +M)",
            (0.31, 0.60),
            (13, 0),
        ),
        row(
            "Dijkstra",
            "dijkstra-brief",
            true,
            "forward traces(1, +M)",
            (1.75, 7.19),
            (14, 0),
        ),
        row(
            "Push-down system",
            "plotter-brief",
            true,
            "backward length(bad/2, +M)",
            (0.02, 0.09),
            (4, 0),
        ),
        row(
            "Readers-w. (faulty)",
            "readers-writers-faulty",
            true,
            "forward length(bad, +M)",
            (0.73, 2.51),
            (6, 0),
        ),
        row(
            "List reversal",
            "list-reversal",
            true,
            "forward length(7, +M)",
            (0.61, 1.11),
            (20, 0),
        ),
    ]
}

fn published(
    seconds: f64,
    prototype: Option<f64>,
    (steps, refinements): (usize, u64),
) -> Published {
    Published {
        seconds,
        prototype,
        steps,
        refinements,
    }
}
