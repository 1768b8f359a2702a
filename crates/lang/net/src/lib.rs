//! Petri nets, as a language: PNML, TINA's `.net` and mist's `.spec`.

mod again;
mod alike;
mod asked;
mod basis;
mod build;
mod capped;
#[cfg(test)]
mod capped_tests;
mod causes;
#[cfg(test)]
mod causes_tests;
mod ceiling;
mod certify;
mod certify_capped;
mod certify_causes;
mod certify_fair;
mod certify_parts;
mod check;
mod constant;
mod cover;
#[cfg(test)]
mod cover_tests;
mod dead;
mod detour;
#[cfg(test)]
mod detour_tests;
mod detour_time;
mod diagram;
mod diagram_linear;
#[cfg(test)]
mod diagram_tests;
mod diagram_time;
mod evidence;
mod examination;
mod exchange;
mod fair;
mod formula;
mod found;
mod fragment;
mod guided;
mod hashed;
mod judge;
mod layered;
mod levels;
mod model;
mod net;
mod orbits;
#[cfg(test)]
mod orbits_tests;
mod order;
mod persistent;
mod pnml;
mod priority;
mod proofs;
mod properties;
mod pump;
mod quiet;
#[cfg(test)]
mod quiet_tests;
mod ratio;
mod reduced;
mod rounds;
mod sets;
mod sets_time;
mod show;
mod simplify;
mod smaller;
#[cfg(test)]
mod smaller_tests;
mod space;
mod spec;
mod spread;
mod stubborn;
mod stuttering;
mod sums;
mod task;
mod temporal;
#[cfg(test)]
mod testing;
mod tina;
mod trace;
mod traps;
#[cfg(test)]
mod traps_tests;
mod unsure;
mod walk;
mod wants;
mod weigh;
mod worth;

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{
    ALLOW_EMPTY, About, Example, Files, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use formula::{Formula, Question};
use model::NetModel;
use properties::Asked;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let input = Input::text(&Source::new("once.net", "tr t a -> b\npl a (1)\n"));
/// let language = quotient_net::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Violated);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Nets;

struct Nets;

/// The most markings that are looked at unless a setting says otherwise.
const MOST_STATES: u64 = 50_000_000;

const SETTINGS: &[Setting] = &[
    ALLOW_EMPTY,
    Setting::file(
        "properties",
        "The properties to check, in the contest's XML: reachability, fireability, deadlock, upper bounds, CTL, LTL.",
    )
    .pinned(),
    Setting::choice(
        "examination",
        "QUESTION",
        examination::CHOICES,
        "A question of the contest that needs no file, instead of whether the net gets stuck.",
    )
    .many()
    .conflicts(&["properties"])
    .example("--examination OneSafe")
    .pinned(),
    Setting::flag(
        "weakly-fair",
        "Of LTL: look only at runs in which a transition that can fire from some time on always fires again and again.",
    )
    .pinned(),
    Setting::choice(
        "symmetry",
        "WHETHER",
        &[
            ("on", "markings that differ by an exchange of such parts count as one"),
            ("off", "each marking counts by itself"),
        ],
        "Whether parts of the net that can be exchanged for each other are made use of.",
    )
    .default("on")
    .verbs(&[Verb::Check]),
    Setting::whole("states", "N", "The most markings to look at.")
        .default("50000000")
        .verbs(&[Verb::Check]),
    Setting::whole(
        "workers",
        "N",
        "Search with so many workers that share the markings out among them; with `--hosts`, so many in each process.",
    )
    .within(1, 512)
    .verbs(&[Verb::Check]),
    Setting::file(
        "hosts",
        "Search with several processes: a file with the address of each, as `HOST:PORT`, one to a line. Start the same command once for each, with its `--process`.",
    )
    .example("--hosts hosts.txt --process 1")
    .verbs(&[Verb::Check]),
    Setting::whole("process", "K", "Which line of `--hosts` this process is, from 0.")
        .default("0")
        .requires(&["hosts"])
        .verbs(&[Verb::Check]),
];

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "net",
    name: "Petri net",
    text: "a Petri net",
    line: "Petri nets in PNML, .net or .spec: deadlock, reachability, CTL, LTL, bounds, coverability",
    endings: &["pnml", "net", "spec"],
    offers: &[Verb::Check, Verb::Certify, Verb::Simulate, Verb::Show],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/mutex.net"),
    methods,
    examples: &[
        Example {
            name: "mutex",
            title: "two workers and a lock as a net: never stuck",
            files: &[("mutex.net", include_str!("../gallery/mutex.net"))],
        },
        Example {
            name: "forks",
            title: "two philosophers who can starve: a deadlock",
            files: &[("forks.net", include_str!("../gallery/forks.net"))],
        },
        Example {
            name: "buffer",
            title: "a producer and a consumer with three slots, and questions about them",
            files: &[
                ("buffer.pnml", include_str!("../gallery/buffer.pnml")),
                ("buffer.xml", include_str!("../gallery/buffer.xml")),
            ],
        },
        Example {
            name: "readers",
            title: "any number of readers and writers with a broadcast: never two writers",
            files: &[("readers.spec", include_str!("../gallery/readers.spec"))],
        },
    ],
    guide: "docs/net.md",
};

impl Language for Nets {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        match form(input, source.text()) {
            Some(Form::Pnml) => Sureness::Certain,
            Some(Form::Spec) if spec::looks_like(source.text()) => {
                Sureness::Maybe.with_ending(ending)
            }
            Some(Form::Tina) if looks_like_tina(source.text()) => {
                Sureness::Maybe.with_ending(ending)
            }
            _ => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let mut own = true;
        let (net, mut asked) = match form(input, source.text()) {
            Some(Form::Pnml) => (pnml::read(source)?, no_deadlock()),
            Some(Form::Spec) => {
                let (net, target) = spec::read(source)?;
                (net, safe(target, source.text()))
            }
            _ => {
                let net = tina::read(source)?;
                let questions = asked::read(source, &net)?;
                match questions.is_empty() {
                    true => (net, no_deadlock()),
                    false => (net, questions),
                }
            }
        };
        let examinations = settings.all("examination");
        if !examinations.is_empty() {
            asked = examination::asked(&net, examinations);
        }
        if let Some(path) = settings.text("properties") {
            own = false;
            let bytes = files.read(path).map_err(|why| {
                Diagnostic::error("no-file", format!("cannot read `{path}`: {why}"))
                    .help("give the file of properties relative to the net")
            })?;
            let text = Input::bytes(path, bytes);
            let text = text.require_text().cloned()?;
            asked = properties::read(&text, &net)?;
        }
        let fair = settings.flag("weakly-fair");
        if fair {
            asked.iter_mut().for_each(fair::fairly);
        }
        let party = spread::party(settings, files, &net, &asked)?;
        Ok(Box::new(NetModel {
            name: input.name().to_owned(),
            party,
            net,
            asked,
            settings: settings.clone(),
            own,
            fair,
        }))
    }
}

/// The forms that nets are written in.
enum Form {
    Pnml,
    Tina,
    Spec,
}

fn form(input: &Input, text: &str) -> Option<Form> {
    let head = text.get(..text.len().min(4000)).unwrap_or(text);
    if head.trim_start().starts_with('<') {
        return head.contains("<pnml").then_some(Form::Pnml);
    }
    if input.has_ending(&["spec"]) || spec::looks_like(text) {
        return Some(Form::Spec);
    }
    Some(Form::Tina)
}

/// Whether all lines begin as TINA's do, and one is a transition.
fn looks_like_tina(text: &str) -> bool {
    let starts = || {
        text.lines()
            .filter_map(|line| line.split_whitespace().next())
    };
    let known = |word: &str| {
        ["net", "tr", "pl", "pr", "check", "bound", "nt", "lb"].contains(&word)
            || word.starts_with('#')
    };
    starts().all(known) && starts().any(|word| word == "tr")
}

/// What is asked where nothing is.
fn no_deadlock() -> Vec<Asked> {
    vec![Asked {
        name: "no-deadlock".to_owned(),
        text: "no deadlock".to_owned(),
        kind: "deadlock",
        question: Question::Always(Formula::Not(Box::new(Formula::Dead))),
        span: None,
    }]
}

/// The target of a `.spec` is never covered.
fn safe(target: Formula, text: &str) -> Vec<Asked> {
    let written = text.split("target").nth(1).unwrap_or_default();
    let written = written.split("invariants").next().unwrap_or_default();
    let lines = written
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    vec![Asked {
        name: "safe".to_owned(),
        text: format!("never {}", lines.join(" or ")),
        kind: "coverability",
        question: Question::Always(Formula::Not(Box::new(target))),
        span: None,
    }]
}

/// Reads a text as one of the forms, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let source = Source::new("any", text);
    let net = pnml::read(&source).or_else(|_| tina::read(&source));
    let spec = spec::read(&source).map(|(net, _)| net);
    for net in [net, spec].into_iter().flatten() {
        let _ = asked::read(&source, &net);
        let _ = properties::read(&source, &net);
    }
}
