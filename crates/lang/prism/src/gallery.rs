//! Models that come with the program.

use quotient_language::Example;

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            files: &[
                (
                    concat!($name, ".prism"),
                    include_str!(concat!("../gallery/", $name, ".prism")),
                ),
                (
                    concat!($name, ".props"),
                    include_str!(concat!("../gallery/", $name, ".props")),
                ),
            ],
        }
    };
}

/// All of them, each with its properties.
pub(crate) const EXAMPLES: &[Example] = &[
    example!("die", "a die made of a coin (Knuth and Yao)"),
    example!("gambler", "a gambler who bets one coin at a time"),
    example!("herman", "Herman's ring, from every start"),
    example!("leader", "two processes draw numbers to elect a leader"),
    example!("zeroconf", "choosing an address that may be used"),
    example!("backoff", "stations that collide and wait"),
    example!("coin", "a shared coin and an unfair scheduler"),
    example!("queue", "a queue in continuous time"),
    example!("cluster", "computers that fail and are repaired"),
    example!(
        "overtaking",
        "a car overtakes a truck, from thousands of starts"
    ),
];
