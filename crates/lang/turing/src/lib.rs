//! Turing machines, as a language: they halt with a result, or run for ever with a certificate.

mod begin;
mod check;
mod convert;
mod decide;
mod expression;
mod family;
mod layout;
mod linear;
mod machine;
mod model;
mod paired;
mod pattern;
mod proof;
mod question;
mod read;
mod settle;
mod show;
mod simulate;
mod streams;
mod tape;
mod verify;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::MachineModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// // Over each one that it finds it goes to the right.
/// let text = "machine to-the-end\nblank B\nstart 1\n<1,1,R,1>\ncheck halts on 2 with 3 ones\n";
/// let input = Input::text(&Source::new("m.tm", text));
/// let language = quotient_turing::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Turing;

struct Turing;

const SETTINGS: &[Setting] = &[
    Setting::whole(
        "steps",
        "N",
        "The most steps of a run before it is given up; by default 50,000,000 where one run is \
         asked about, and 1,000,000 for each of several.",
    )
    .within(1, 1_000_000_000)
    .verbs(&[Verb::Check]),
    Setting::whole(
        "window",
        "N",
        "The most symbols beside the head that a regular invariant remembers, by default 20, and 8 \
         for sets of tapes; 0 looks for none.",
    )
    .within(0, 24)
    .verbs(&[Verb::Check]),
    Setting::text(
        "input",
        "INPUT",
        "The tape to begin with: numbers (`2, 1`), `blank`, or `tape 11[1]0`; by default that of \
         the first question.",
    )
    .verbs(&[Verb::Simulate, Verb::Show]),
];

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            files: &[(
                concat!($name, ".tm"),
                include_str!(concat!("../gallery/", $name, ".tm")),
            )],
        }
    };
}

const ABOUT: About = About {
    id: "turing",
    name: "Turing machines",
    text: "a Turing machine",
    line: "Turing machines that halt with a result, or run for ever with a certificate",
    endings: &["tm"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: &[Format {
        name: "tuples",
        endings: &["tm"],
        line: "quadruples and quintuples, with the questions",
    }],
    starter: include_str!("../gallery/div2.tm"),
    methods: Vec::new,
    examples: &[
        example!(
            "div2",
            "half of an even number; on odd ones it runs for ever"
        ),
        example!(
            "pminus",
            "the difference of two numbers, where there is one"
        ),
        example!(
            "f-empty",
            "the function without values: it runs for ever on every input"
        ),
        example!(
            "champion-4",
            "the busy beaver of four states: 107 steps, 13 ones"
        ),
        example!(
            "champion-2",
            "the busy beaver of two states: 6 steps, 4 ones"
        ),
        example!("champion-3", "a busy beaver of three states: 6 ones"),
        example!(
            "bouncer",
            "it goes to and fro between two ends that move apart"
        ),
        example!("binary-counter", "it counts in binary for ever"),
        example!(
            "rounds",
            "rounds within rounds: it carries ones from one end to the other, and begins anew"
        ),
    ],
    guide: "docs/turing.md",
};

impl Language for Turing {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let lines = source.text().lines().map(str::trim);
        let mut lines = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .take(20);
        let is_tuple = |line: &str| {
            let tuple = line.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            tuple.is_some_and(|(inner, _)| matches!(inner.split(',').count(), 4 | 5))
        };
        let known = lines.any(|line| layout::notation(line).is_some() || is_tuple(line));
        match known {
            true => Sureness::Maybe.with_ending(ending),
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let file = read::read(input.require_text()?)?;
        Ok(Box::new(MachineModel::new(input.name(), file, settings)?))
    }
}
