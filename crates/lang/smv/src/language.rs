//! The language as front ends see it: how to recognise a text, and how to open it.

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use crate::model::Opened;

/// The SMV language, for the workbench.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// use quotient_smv::LANGUAGE;
/// let text = "MODULE main VAR x : boolean; INIT x TRANS next(x) = x INVARSPEC x";
/// let input = Input::text(&Source::new("x.smv", text));
/// let cx = Context::default();
/// let mut model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// model.check(&Ask::default(), &cx, &mut |answer| assert_eq!(answer.verdict, Verdict::Holds)).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Smv;

struct Smv;

impl Language for Smv {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let ending = input.has_ending(ABOUT.endings);
        sureness(source.text()).with_ending(ending)
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        Ok(Box::new(Opened::read(source, settings.clone())?))
    }
}

/// What the beginning of a text says.
fn sureness(text: &str) -> Sureness {
    let mut words = Words(text);
    match words.next() {
        Some("MODULE") => {
            let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            match words.next().is_some_and(is_name) {
                true => Sureness::Certain,
                false => Sureness::No,
            }
        }
        // What stands before a model of nuXmv, with clocks or without.
        Some("@") if words.next() == Some("TIME_DOMAIN") => Sureness::Certain,
        // A module with its head left out, or a piece of one.
        Some("VAR" | "IVAR" | "FROZENVAR" | "ASSIGN" | "DEFINE" | "CONSTANTS") => {
            let mut rest = words.take(2000);
            match rest.any(|word| matches!(word, "MODULE" | "esac" | "init" | "next" | "boolean")) {
                true => Sureness::Maybe,
                false => Sureness::No,
            }
        }
        _ => Sureness::No,
    }
}

/// The words of a text and single other letters, without blanks and comments.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = self.0.trim_start();
            self.0 = if let Some(comment) = rest.strip_prefix("/--") {
                comment.split_once("--/")?.1
            } else if rest.starts_with("--") {
                rest.split_once('\n')?.1
            } else {
                let of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
                let first = rest.chars().next()?;
                let length = match rest.find(|c: char| !of_word(c)) {
                    Some(0) => first.len_utf8(),
                    Some(end) => end,
                    None => rest.len(),
                };
                self.0 = &rest[length..];
                return Some(&rest[..length]);
            };
        }
    }
}

const QUERIES: &str = "Questions";

const ABOUT: About = About {
    id: "smv",
    name: "SMV",
    text: "an SMV model",
    line: "finite-state models in the language of NuSMV: CTL, LTL, invariants",
    endings: &["smv"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Vacuity,
        Verb::Ask,
        Verb::Simulate,
        Verb::Instance,
        Verb::Show,
        Verb::Convert,
    ],
    settings: &[
        Setting::flag(
            "allow-empty",
            "Take specifications of a model without any initial state as they are: all of them \
             hold. Without this they are unknown.",
        )
        .verbs(&[Verb::Check, Verb::Vacuity, Verb::Instance])
        .pinned(),
        Setting::choice(
            "engine",
            "WHICH",
            &[
                (
                    "auto",
                    "decision diagrams, and circuits where the state has many bits",
                ),
                ("diagrams", "decision diagrams alone"),
                ("bits", "circuits alone: invariants, AG p and LTL"),
            ],
            "What answers, to compare.",
        )
        .default("auto")
        .verbs(&[Verb::Check]),
        Setting::flag(
            "naive",
            "Check a changed formula for each atom instead of all at once: slower, to compare.",
        )
        .verbs(&[Verb::Vacuity]),
        Setting::text(
            "over",
            "NAME,…",
            "The variables that a ready-made question or a picture of the states is about.",
        )
        .many()
        .example("--over light,timer")
        .verbs(&[Verb::Ask, Verb::Show]),
        Setting::choice(
            "initial",
            "WHICH",
            &[
                ("all", "From all of them."),
                ("some", "From at least one."),
                (
                    "each",
                    "From each of them by itself: a solution is listed with the number of those \
                     it works for.",
                ),
            ],
            "From which initial states the formula is to hold: all, but some for ready-made \
             questions.",
        )
        .group(QUERIES)
        .verbs(&[Verb::Ask]),
        Setting::flag(
            "general",
            "All statements, not only values: the strongest ones that make the formula true (the \
             weakest, if a negation stands before the placeholder).",
        )
        .group(QUERIES)
        .conflicts(&["initial", "refine"])
        .verbs(&[Verb::Ask]),
        Setting::flag(
            "refine",
            "Search with one variable first and then with more and more of them.",
        )
        .group(QUERIES)
        .verbs(&[Verb::Ask]),
        Setting::flag(
            "formula",
            "Write the solutions as formulas, not as a table.",
        )
        .group(QUERIES)
        .verbs(&[Verb::Ask]),
    ],
    formats: &[Format {
        name: "smv",
        endings: &["smv"],
        line: "the same model with all modules inlined",
    }],
    starter: STARTER,
    methods: Vec::new,
    examples: EXAMPLES,
    guide: "docs/smv.md",
};

const STARTER: &str = "\
-- A light that someone switches, and a lamp that follows it a step later.
MODULE main
VAR
  light : {off, on};
  lamp : boolean;
IVAR
  press : boolean;
ASSIGN
  init(light) := off;
  next(light) := case
    press & light = off : on;
    press : off;
    TRUE : light;
  esac;
  init(lamp) := FALSE;
  next(lamp) := light = on;

-- Wherever it is, it can be switched on.
CTLSPEC AG EF lamp
-- The lamp follows.
LTLSPEC G (light = on -> X lamp)
INVARSPEC light = off -> !lamp
";

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            files: &[(
                concat!($name, ".smv"),
                include_str!(concat!("../gallery/", $name, ".smv")),
            )],
        }
    };
}

const EXAMPLES: &[Example] = &[
    example!("mutex", "Peterson's mutual exclusion of two processes"),
    example!(
        "alternating-bit",
        "the alternating bit protocol over channels that lose messages"
    ),
    example!("cache", "two caches kept coherent by watching the bus"),
    example!("elevator", "a lift between four floors"),
    example!(
        "traffic-light",
        "a crossing whose sensor is broken: promises in vain"
    ),
    example!("stuck-light", "a traffic light that is stuck at red"),
    example!(
        "production-cell",
        "a production cell: plates go round and are forged"
    ),
    example!("flower", "the genes that decide on the organs of a flower"),
    example!("flower-levels", "the flower with genes of three levels"),
    example!("graphs", "a flow graph, for questions about its ways"),
    example!("kripke", "three states for three questions"),
    example!("kripke-back", "the three states with a way back"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_recognised_by_how_it_begins() {
        let sure = [
            "MODULE main",
            "-- MODULE\n/-- x --/ MODULE a(b)",
            "\n\n\tMODULE  _x",
            "@TIME_DOMAIN continuous",
        ];
        for text in sure {
            assert_eq!(sureness(text), Sureness::Certain, "{text}");
        }
        assert_eq!(sureness("VAR x : boolean;"), Sureness::Maybe);
        let others = [
            "",
            "MODULE",
            "MODULE = (a -> STOP).",
            "module main",
            "---- MODULE Spec ----",
            "VAR = (a -> VAR).",
            "P = (a -> MODULE).",
            "é",
            "-- only a comment",
            "@NFA",
        ];
        for text in others {
            assert_eq!(sureness(text), Sureness::No, "{text}");
        }
    }
}
