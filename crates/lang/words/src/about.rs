//! What the language says about itself.

use quotient_language::{ALLOW_EMPTY, About, Format, Setting, Verb};
use quotient_regular::telling;

use crate::examples::EXAMPLES;

/// Endings of problems and of the automata that they are made of.
pub(crate) const ENDINGS: &[&str] = &[
    "toml",
    "tmb",
    "timbuk",
    "slrp",
    "json",
    "fsm",
    "fst",
    "att",
    "fsa",
    "pl",
    "mata",
    "vtf",
    "properties",
];

pub(crate) static ABOUT: About = About {
    id: "words",
    name: "words",
    text: "a problem about words, or a file of automata and transducers",
    line: "automata and transducers: can steps on words of any length lead to a bad one?",
    endings: ENDINGS,
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Instance,
        Verb::Show,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: &[
        format("timbuk", &["tmb", "timbuk"], "Timbuk, plain and symbolic"),
        format("fsa", &["pl", "fsa"], "terms of the FSA Utilities"),
        format("fsm", &["fsm", "fst", "att"], "lines of AT&T and OpenFst"),
        format("mata", &["mata", "vtf"], "mata and VTF"),
        format("slrp", &["slrp"], "an SLRP problem"),
        format("json", &["json"], "a JSON problem"),
        format("dot", &["dot", "gv"], "a picture for Graphviz"),
    ],
    starter: include_str!("../gallery/to-begin-with/problem.toml"),
    methods: telling::methods,
    examples: EXAMPLES,
    guide: "docs/words.md",
};

const fn format(
    name: &'static str,
    endings: &'static [&'static str],
    line: &'static str,
) -> Format {
    Format {
        name,
        endings,
        line,
    }
}

const LIVENESS: &str = "Liveness";

/// What liveness asks is another question than the one of the file, so evidence carries it.
const SETTINGS: &[Setting] = &[
    telling::SETTINGS[0],
    telling::SETTINGS[1],
    telling::SETTINGS[2],
    telling::SETTINGS[3],
    telling::SETTINGS[4],
    Setting::choice(
        "liveness",
        "WHOSE",
        &[
            ("communal", "somebody makes progress again and again"),
            (
                "individual",
                "every process that waits makes progress some time",
            ),
        ],
        "Check that progress goes on instead of the properties of the problem: that somebody \
         makes progress again and again, or that whoever waits does.",
    )
    .verbs(&[Verb::Check])
    .group(LIVENESS)
    .example("--liveness communal --progress-step enter")
    .pinned(),
    Setting::text(
        "progress-step",
        "STEP",
        "A step of this transducer is progress; may be given several times.",
    )
    .verbs(&[Verb::Check])
    .group(LIVENESS)
    .requires(&["liveness"])
    .many()
    .pinned(),
    Setting::text(
        "waiting",
        "LETTER",
        "A process with this letter waits; may be given several times.",
    )
    .verbs(&[Verb::Check])
    .group(LIVENESS)
    .requires(&["liveness"])
    .many()
    .pinned(),
    Setting::choice(
        "fairness",
        "HOW",
        &[
            (
                "weak",
                "in a loop every process makes a step, or is seen when it cannot",
            ),
            ("none", "some process makes a step"),
        ],
        "What schedules respect: every process steps or cannot (weak), or nothing.",
    )
    .verbs(&[Verb::Check])
    .group(LIVENESS)
    .requires(&["liveness"])
    .conflicts(&["fair-step"])
    .pinned(),
    Setting::text(
        "fair-step",
        "STEP",
        "Take a schedule for fair if every process makes a step of this transducer; may be \
         given several times.",
    )
    .verbs(&[Verb::Check])
    .group(LIVENESS)
    .requires(&["liveness"])
    .conflicts(&["fairness"])
    .many()
    .pinned(),
    ALLOW_EMPTY,
    Setting::whole("length", "N", "The length of the words to begin with.")
        .short('n')
        .within(0, 1000)
        .verbs(&[Verb::Simulate, Verb::Instance])
        .example("--length 4"),
    Setting::text(
        "from",
        "FORMAT",
        "The format of the input, instead of finding out from its content: timbuk, fsa, fsm, \
         mata, slrp or json.",
    )
    .verbs(&[Verb::Show, Verb::Convert])
    .group("Reading"),
    Setting::file(
        "symbols",
        "A symbol table for FSM text; twice for input and output letters apart.",
    )
    .verbs(&[Verb::Show, Verb::Convert])
    .group("Reading")
    .many(),
];
