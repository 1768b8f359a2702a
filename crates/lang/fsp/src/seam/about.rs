//! What the language says about itself.

use quotient_language::{AGAINST, About, Example, Format, Setting, Verb};

/// The endings of files: texts of FSP, and single components.
pub(super) const FSP_ENDINGS: &[&str] = &["lts", "fsp"];

pub(super) static ABOUT: About = About {
    id: "fsp",
    name: "FSP",
    text: "a system of components (FSP)",
    line: "processes that act together, in the FSP language of LTSA: safety, progress and fluent LTL",
    endings: &["lts", "fsp", "aut"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Instance,
        Verb::Show,
        Verb::Convert,
        Verb::Compare,
    ],
    settings: SETTINGS,
    formats: &[
        Format {
            name: "aut",
            endings: &["aut"],
            line: "one component in the Aldebaran format",
        },
        Format {
            name: "lts",
            endings: &["lts", "fsp"],
            line: "one component as a process in FSP",
        },
    ],
    starter: include_str!("../../gallery/channel.lts"),
    methods: Vec::new,
    examples: EXAMPLES,
    guide: "docs/fsp.md",
};

const QUESTION: &str = "Question";
const METHOD: &str = "Method";
const ASSUMPTIONS: &[&str] = &[
    "rule",
    "learn",
    "abstract",
    "weakest",
    "alphabet",
    "components",
];
const NOT_SAFETY: &[&str] = &[
    "ltl",
    "rule",
    "learn",
    "abstract",
    "weakest",
    "alphabet",
    "components",
];
const ASKING: &[Verb] = &[Verb::Check, Verb::Certify];
const CHECKING: &[Verb] = &[Verb::Check];
const COMPARING: &[Verb] = &[Verb::Check, Verb::Certify, Verb::Compare];

const SETTINGS: &[Setting] = &[
    Setting::text(
        "system",
        "NAME",
        "The composite or process that is meant, perhaps with parameters as in `DINERS(3)`; by \
         default the last composite.",
    )
    .group(QUESTION)
    .example("--system 'DINERS(3)'")
    .pinned(),
    Setting::assignment(
        "constant",
        "Give a constant of the text, or a parameter of the system, another value.",
    )
    .group(QUESTION)
    .example("--constant N=4")
    .pinned(),
    Setting::text(
        "watch",
        "NAME",
        "Add a property process of the text that is not part of the system, to watch it.",
    )
    .many()
    .group(QUESTION)
    .verbs(&[Verb::Check, Verb::Certify, Verb::Instance, Verb::Simulate])
    .pinned(),
    Setting::flag(
        "progress",
        "Check only the progress properties; without any, that every action goes on.",
    )
    .group(QUESTION)
    .verbs(ASKING)
    .conflicts(NOT_SAFETY)
    .pinned(),
    Setting::text(
        "ltl",
        "NAME",
        "Check only an assertion of the text, or a formula over its actions and fluents.",
    )
    .group(QUESTION)
    .example("--ltl '[](request -> <>grant)'")
    .verbs(ASKING)
    .conflicts(ASSUMPTIONS)
    .pinned(),
    Setting::text(
        "mu",
        "FORMULA",
        "Check only a formula of the modal mu-calculus about the system as it is written.",
    )
    .group(QUESTION)
    .example("--mu '[true*]<true>true'")
    .verbs(ASKING)
    .conflicts(&[
        "progress",
        "ltl",
        "against",
        "rule",
        "learn",
        "abstract",
        "weakest",
        "alphabet",
        "components",
    ])
    .pinned(),
    Setting::flag(
        "unfair",
        "Do not assume that choices are fair in assertions.",
    )
    .group(QUESTION)
    .verbs(&[Verb::Check, Verb::Certify, Verb::Instance])
    .pinned(),
    Setting::text(
        AGAINST,
        "FILE#NAME",
        "Ask only whether the system is the same as that of another file, of a part of it, or \
         (`#NAME`) of another part of the same file.",
    )
    .group(QUESTION)
    .example("--against spec.lts#SPEC")
    .verbs(COMPARING)
    .conflicts(&[
        "progress",
        "ltl",
        "watch",
        "rule",
        "learn",
        "abstract",
        "weakest",
        "alphabet",
        "components",
    ])
    .pinned(),
    Setting::choice(
        "up-to",
        "RELATION",
        &[
            ("traces", "what can be seen to happen"),
            ("failures", "the same, and what can be refused afterwards"),
            (
                "failures-divergences",
                "the same, and where silent steps can go on for ever",
            ),
            ("weak", "weak bisimulation (the default)"),
            ("branching", "branching bisimulation"),
            ("strong", "strong bisimulation"),
        ],
        "When two systems count as the same.",
    )
    .group(QUESTION)
    .verbs(COMPARING)
    .requires(&[AGAINST])
    .pinned(),
    Setting::flag(
        "refines",
        "Ask only whether the system does nothing that the other does not.",
    )
    .group(QUESTION)
    .verbs(COMPARING)
    .requires(&[AGAINST])
    .pinned(),
    Setting::flag("monolithic", "Search the whole system.")
        .group(METHOD)
        .verbs(CHECKING)
        .conflicts(ASSUMPTIONS),
    Setting::choice(
        "rule",
        "RULE",
        &[
            (
                "asymmetric",
                "one assumption between each component and the rest",
            ),
            ("circular", "the same, around the circle"),
            ("symmetric", "one assumption for each component"),
        ],
        "Prove by assumptions, with this rule.",
    )
    .group(METHOD)
    .verbs(CHECKING),
    Setting::choice(
        "learn",
        "ALGORITHM",
        &[
            ("lsharp", "L# (the default)"),
            ("lstar", "L* with Rivest and Schapire's counterexamples"),
        ],
        "Learn the assumptions, with this algorithm.",
    )
    .group(METHOD)
    .verbs(CHECKING)
    .conflicts(&["abstract", "weakest"]),
    Setting::flag(
        "abstract",
        "Take abstractions of the environment as assumptions.",
    )
    .group(METHOD)
    .verbs(CHECKING)
    .conflicts(&["weakest"]),
    Setting::flag("weakest", "Build the weakest assumption directly.")
        .group(METHOD)
        .verbs(CHECKING),
    Setting::choice(
        "alphabet",
        "ALPHABET",
        &[
            ("whole", "the whole interface"),
            (
                "backward",
                "the property's actions at first, more from the end of false alarms (the default)",
            ),
            ("forward", "the same, from the beginning of false alarms"),
            ("all-difference", "the same, all actions that differ"),
            ("empty", "no actions at first"),
        ],
        "Over which actions assumptions speak.",
    )
    .group(METHOD)
    .verbs(CHECKING),
    Setting::text(
        "components",
        "GROUPS",
        "Take these components together, as in `A+B,C`, or `halves`.",
    )
    .group(METHOD)
    .verbs(CHECKING),
    Setting::flag(
        "minimise",
        "Make the component as small as it can be, silent steps not counted.",
    )
    .verbs(&[Verb::Show, Verb::Convert]),
    Setting::choice(
        "minimise-by",
        "RELATION",
        &[
            ("traces", "deterministic, with the same traces"),
            (
                "failures",
                "the same traces, and the same refused afterwards",
            ),
            (
                "failures-divergences",
                "and silent for ever after the same traces",
            ),
            ("weak", "weak bisimulation, as `--minimise`"),
            ("branching", "branching bisimulation"),
            ("strong", "strong bisimulation"),
        ],
        "Make the component as small as it can be up to a relation.",
    )
    .example("--minimise-by strong")
    .verbs(&[Verb::Show, Verb::Convert])
    .conflicts(&["minimise"]),
    Setting::flag("structure", "Show what a composite is made of.")
        .verbs(&[Verb::Show])
        .conflicts(&["minimise", "minimise-by"]),
    Setting::text(
        "menu",
        "NAME",
        "Choose only the actions of this menu of the text; others happen by themselves.",
    )
    .verbs(&[Verb::Simulate]),
];

macro_rules! examples {
    ($($name:literal $title:literal,)*) => {
        &[$(Example {
            name: $name,
            title: $title,
            files: &[(
                concat!($name, ".lts"),
                include_str!(concat!("../../gallery/", $name, ".lts")),
            )],
        }),*]
    };
}

const EXAMPLES: &[Example] = examples! {
    "channel" "a channel in two halves; data come out in order",
    "channel_faulty" "the channel with a reader that says thank you too early",
    "client_server" "clients ask a server for a resource that one may use at a time",
    "client_server_faulty" "the server forgets to whom it lent the resource",
    "buffer" "a buffer with room for N items; data come out in order",
    "buffer_faulty" "the buffer counts wrongly and overflows",
    "philosophers" "philosophers of whom one is left-handed: no deadlock, and everyone eats",
    "philosophers_faulty" "right-handed philosophers: each has one fork and waits for ever",
    "gas_station" "a gas station: customers get the right change",
    "gas_station_faulty" "the operator pays out the charge of the other pump",
    "mer" "users of a rover share its radio and its wheels",
    "mer_faulty" "an impatient arbiter lets the rover talk and drive",
    "mer_busy" "the users have work of their own: too many states for a search",
    "rover" "an executive and the monitor that wakes it up, with a lock",
    "rover_faulty" "the executive clears the record without the lock",
    "chiron" "a user interface: events are dispatched one by one",
    "chiron_faulty" "the dispatcher takes the next event too early",
    "reading_room" "readers look things up; whoever changes the catalogue is alone",
};
