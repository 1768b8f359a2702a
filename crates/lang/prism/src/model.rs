//! The language: what it says about itself, and how a model is opened.

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{
    About, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};
use quotient_probability::{Bisimulation, Precision};

use crate::instance::{Texts, given_values};
use crate::opened::Opened;
use crate::sample::Sampling;
use crate::syntax::{ModelTree, PropertiesTree, read_model, read_properties};

/// The language, for the list of all of them.
pub const LANGUAGE: &dyn Language = &Prism;

struct Prism;

static ABOUT: About = About {
    id: "prism",
    name: "PRISM",
    text: "a PRISM model",
    line: "probabilistic models: Markov chains and decision processes",
    endings: &["prism", "pm", "nm", "sm", "ma"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: SETTINGS,
    formats: FORMATS,
    starter: include_str!("../gallery/die.prism"),
    methods: Vec::new,
    examples: crate::gallery::EXAMPLES,
    guide: "docs/prism.md",
};

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "explicit",
        endings: &["tra"],
        line: "explicit files of PRISM: transitions, and beside them states, labels and rewards",
    },
    Format {
        name: "drn",
        endings: &["drn"],
        line: "the explicit format of Storm",
    },
    Format {
        name: "jani",
        endings: &["jani"],
        line: "JANI, an automaton for each module, with the constants that are given",
    },
];

/// When states are taken together.
const WHEN: &[(&str, &str)] = &[
    (
        "where-it-pays",
        "where finding them takes far less time than computing",
    ),
    ("always", "whenever there are any"),
    ("never", "never"),
];

pub(crate) const SETTINGS: &[Setting] = &[
    Setting::file(
        "properties",
        "Read properties from this file beside the model.",
    )
    .group("Questions")
    .example("--properties die.props")
    .pinned(),
    Setting::assignment(
        "constant",
        "Give a constant a value, or a range of values: low:high or low:step:high.",
    )
    .group("Questions")
    .example("--constant N=4")
    .pinned(),
    Setting::text(
        "map",
        "X,Y",
        "Draw the number of every initial state over two variables, for --plot and --out.",
    )
    .verbs(&[Verb::Check])
    .conflicts(&["simulate", "partial"])
    .example("--map x,y")
    .group("Questions"),
    Setting::text(
        "precision",
        "WIDTH",
        "Lower and upper bounds should differ by no more than this, relative to the number.",
    )
    .group("Methods")
    .default("1e-7"),
    Setting::choice(
        "bisimulation",
        "WHEN",
        WHEN,
        "When to take states together that a question cannot tell apart.",
    )
    .verbs(&[Verb::Check])
    .default("where-it-pays")
    .group("Methods"),
    Setting::flag(
        "exact",
        "Give exact numbers, as fractions, where a question has no bound on steps or time.",
    )
    .group("Methods"),
    Setting::flag(
        "partial",
        "Look only at the states that matter, for models that are too big to build.",
    )
    .verbs(&[Verb::Check])
    .conflicts(&["simulate", "exact"])
    .group("Methods"),
    Setting::whole(
        "simulate",
        "RUNS",
        "Estimate by so many random runs, without building the model: never a proof.",
    )
    .within(1, 1_000_000_000)
    .verbs(&[Verb::Check])
    .group("Methods"),
    Setting::text(
        "confidence",
        "SHARE",
        "How often the interval of an estimate should be right.",
    )
    .verbs(&[Verb::Check])
    .requires(&["simulate"])
    .group("Methods"),
    Setting::whole("seed", "NUMBER", "Where random runs begin.")
        .verbs(&[Verb::Check])
        .requires(&["simulate"])
        .group("Methods"),
];

impl Language for Prism {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let (words, _) = crate::syntax::tokens(source);
        let text = |at: usize| {
            words
                .get(at)
                .map_or("", |word| &source.text()[word.span.range()])
        };
        let has = |word: &str| (0..words.len().min(5000)).any(|at| text(at) == word);
        let sure = match text(0) {
            "dtmc" | "ctmc" | "mdp" | "probabilistic" | "stochastic" | "nondeterministic" => {
                Sureness::Certain
            }
            "pta" | "ma" if has("endmodule") => Sureness::Certain,
            _ if has("endmodule") && ["dtmc", "ctmc", "mdp"].iter().any(|word| has(word)) => {
                Sureness::Certain
            }
            _ if has("endmodule") && has("module") => Sureness::Maybe,
            _ => Sureness::No,
        };
        sure.with_ending(input.has_ending(ABOUT.endings))
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?.clone();
        let read = read_model(&source).map(|model| (model, PropertiesTree::default()));
        open(source, read, files, settings)
    }
}

/// Opens a model that was read, perhaps with properties of its own.
pub(crate) fn open(
    source: Source,
    read: Result<(ModelTree, PropertiesTree), Vec<Diagnostic>>,
    files: &mut dyn Files,
    settings: &Settings,
) -> Result<Box<dyn Model>, Trouble> {
    open_taken(source, read, files, settings, None)
}

/// The same of a text that leaves something open, with a sentence on how it was taken.
pub(crate) fn open_taken(
    source: Source,
    read: Result<(ModelTree, PropertiesTree), Vec<Diagnostic>>,
    files: &mut dyn Files,
    settings: &Settings,
    taken: Option<String>,
) -> Result<Box<dyn Model>, Trouble> {
    let mut mistakes = Vec::new();
    let read = read.map_err(|wrong| mistakes.extend(wrong)).ok();
    let mut properties = None;
    let mut properties_source = source.clone();
    if let Some(path) = settings.text("properties") {
        let bytes = files.read(path).map_err(|why| {
            Diagnostic::error("properties", format!("cannot read `{path}`: {why}"))
        })?;
        let input = Input::bytes(path, bytes);
        properties_source = input.require_text()?.clone();
        match read_properties(&properties_source) {
            Ok(read) => properties = Some(read),
            Err(wrong) => mistakes.extend(wrong),
        }
    }
    let precision = precision(settings).map_err(|wrong| mistakes.push(wrong));
    let (Some((model, own)), Ok(precision), true) = (read, precision, mistakes.is_empty()) else {
        return Err(mistakes.into());
    };
    let properties = properties.unwrap_or(own);
    let mut runs: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (name, text) in settings.assignments("constant") {
        let values = given_values(name, text)?;
        let mut longer = Vec::new();
        for run in &runs {
            for value in &values {
                let mut run = run.clone();
                run.push((name.to_owned(), value.clone()));
                longer.push(run);
            }
        }
        runs = longer;
        if runs.len() > 100_000 {
            let message = "these ranges have more than 100,000 combinations";
            return Err(Diagnostic::error("usage", message).into());
        }
    }
    let texts = Texts {
        model,
        source,
        properties,
        properties_source,
    };
    Ok(Box::new(Opened {
        doubted: None,
        taken,
        texts,
        runs,
        precision,
        exact: settings.flag("exact"),
        bisimulation: match settings.text("bisimulation") {
            Some("always") => Bisimulation::Always,
            Some("never") => Bisimulation::Never,
            _ => Bisimulation::WherePays,
        },
        partial: settings.flag("partial"),
        sampling: sampling(settings)?,
        map: map(settings)?,
    }))
}

/// How to estimate, if that is asked for.
fn sampling(settings: &Settings) -> Result<Option<Sampling>, Diagnostic> {
    let Some(runs) = settings.whole("simulate") else {
        return Ok(None);
    };
    let text = settings.text("confidence").unwrap_or("0.99");
    match text.parse::<f64>() {
        Ok(confidence) if confidence > 0.0 && confidence < 1.0 => Ok(Some(Sampling {
            runs,
            confidence,
            seed: settings.whole("seed").unwrap_or(1),
        })),
        _ => {
            let message = format!("`--confidence {text}` is no number between 0 and 1");
            Err(Diagnostic::error("usage", message).help("as in `--confidence 0.99`"))
        }
    }
}

/// Two variables to draw numbers over, if they are given.
fn map(settings: &Settings) -> Result<Option<(String, String)>, Diagnostic> {
    let Some(text) = settings.text("map") else {
        return Ok(None);
    };
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [x, y] if x != y => Ok(Some((x.to_owned(), y.to_owned()))),
        _ => {
            let message = format!("`--map {text}` does not name two variables");
            Err(Diagnostic::error("usage", message).help("as in `--map x,y`"))
        }
    }
}

fn precision(settings: &Settings) -> Result<Precision, Diagnostic> {
    let Some(text) = settings.text("precision") else {
        return Ok(Precision::default());
    };
    match text.parse::<f64>() {
        Ok(width) if width > 0.0 && width < 1.0 => Ok(Precision { width }),
        _ => {
            let message = format!("`--precision {text}` is no number between 0 and 1");
            Err(Diagnostic::error("usage", message).help("as in `--precision 1e-6`"))
        }
    }
}
