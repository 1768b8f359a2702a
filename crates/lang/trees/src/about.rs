//! What the language says about itself.

use quotient_forest::METHODS;
use quotient_language::{ALLOW_EMPTY, About, Example, Format, Setting, Verb};

/// Endings of files.
pub(crate) const ENDINGS: &[&str] = &["trees"];

const SETTINGS: &[Setting] = &[
    Setting::text(
        "method",
        "METHOD",
        "Use only this method, as `forward predicates`; by default all take turns.",
    )
    .example("--method \"backward height\"")
    .verbs(&[Verb::Check]),
    Setting::whole("size", "N", "The most nodes of a tree to begin with.")
        .within(1, 1000)
        .example("--size 7")
        .verbs(&[Verb::Instance, Verb::Simulate]),
    ALLOW_EMPTY,
];

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            files: &[(
                concat!($name, ".trees"),
                include_str!(concat!("../gallery/", $name, ".trees")),
            )],
        }
    };
}

/// The language in words and data.
pub(crate) const ABOUT: About = About {
    id: "trees",
    name: "Trees",
    text: "a system of trees",
    line: "systems shaped like trees of any size: transducers and rewriting rules in Timbuk files",
    endings: ENDINGS,
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Instance,
        Verb::Ask,
        Verb::Show,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: &[Format {
        name: "timbuk",
        endings: &["trees", "tmb"],
        line: "Timbuk: the whole system in one file, or one automaton or transducer of it",
    }],
    starter: include_str!("../gallery/token-up.trees"),
    methods: || {
        let own = |&(name, line): &(&str, &str)| (name.to_owned(), line.to_owned());
        METHODS.iter().map(own).collect()
    },
    examples: &[
        example!("token-up", "a token goes up a tree: never two, never none"),
        example!("token-up-faulty", "a token that is copied on its way up"),
        example!("token-two-way", "a token goes up and down a tree"),
        example!(
            "token-two-way-faulty",
            "a token that goes down to both children"
        ),
        example!("election", "the leaves of a tree elect one of them"),
        example!("election-faulty", "an election that both children may win"),
        example!("percolate", "whether some leaf is 1 percolates to the root"),
        example!("percolate-faulty", "one child that says no is enough"),
        example!("tree-arbiter", "a tree arbiter with requests and releases"),
        example!(
            "tree-arbiter-faulty",
            "a leaf stays inside when it gives the token back"
        ),
        example!("echo", "news go down a tree, echoes come up"),
        example!("echo-faulty", "one echo is enough"),
        example!("spawn", "processes that spawn others, by rewriting"),
        example!("spawn-faulty", "a parent waits for its first child only"),
        example!(
            "parity",
            "the sum of even numbers is even: rewriting with an equation"
        ),
        example!("parity-faulty", "adding nothing adds one"),
    ],
    guide: "docs/trees.md",
};
