//! Graded dynamic logic, as a language: weighted transition systems, programs, and formulas
//! whose truth is a grade of one and the same algebra.

mod actions;
mod algebra;
mod certify;
mod check;
mod components;
mod equations;
mod evaluate;
mod imperative;
mod import;
mod model;
mod read;
mod read_formula;
mod show;
mod solve;
mod system;
mod tree;
mod typed;
mod verdict;
mod witness;
mod words;

#[cfg(test)]
mod tests;

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{About, Example, Files, Input, Language, Model, Settings, Sureness, Verb};

use algebra::{ActionLattice, Boolean, MaxPlus, MinPlus, NAMES, Norm, Three, Unit, check_laws};
use model::GradedModel;
use system::{Attached, System};
use tree::{Spot, Tree};

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let text = "grades min-plus\nstates a b\ninitial a\nprop goal: b\nprogram go: a -> b: 3\n\
///             check near: <go*> goal <= 5\n";
/// let input = Input::text(&Source::new("way.gdl", text));
/// let language = quotient_graded::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Graded;

struct Graded;

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "graded",
    name: "Graded system",
    text: "a graded system",
    line: "weighted transition systems and programs: degrees of truth, costs, best probabilities",
    endings: &["gdl"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Vacuity,
        Verb::Ask,
        Verb::Show,
    ],
    settings: &[],
    formats: &[],
    starter: include_str!("../gallery/delivery.gdl"),
    methods,
    examples: &[
        Example {
            name: "delivery",
            title: "a delivery robot: cheapest ways",
            files: &[("delivery.gdl", include_str!("../gallery/delivery.gdl"))],
        },
        Example {
            name: "diagnosis",
            title: "degrees of truth: how surely a fault is found",
            files: &[("diagnosis.gdl", include_str!("../gallery/diagnosis.gdl"))],
        },
        Example {
            name: "battery",
            title: "an imperative program: resources in the worst case",
            files: &[("battery.gdl", include_str!("../gallery/battery.gdl"))],
        },
        Example {
            name: "trust",
            title: "a table of grades that are not all comparable",
            files: &[("trust.gdl", include_str!("../gallery/trust.gdl"))],
        },
        Example {
            name: "channel",
            title: "the likeliest way through a channel, read from other formats",
            files: &[
                ("channel.gdl", include_str!("../gallery/channel.gdl")),
                ("channel.tra", include_str!("../gallery/channel.tra")),
                ("channel.lab", include_str!("../gallery/channel.lab")),
            ],
        },
    ],
    guide: "docs/graded.md",
};

impl Language for Graded {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let lines = source.text().lines().map(str::trim);
        let mut telling = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
        let first = telling.next().unwrap_or_default();
        match first.strip_prefix("grades ").map(str::trim) {
            Some(name) if NAMES.iter().any(|(known, _)| name.starts_with(known)) => {
                Sureness::Certain
            }
            _ => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        _: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let tree = read::read(source)?;
        let named = named(&tree, source, files)?;
        let attached = attached(&tree, &named)?;
        let Some(name) = &tree.algebra else {
            return Err(Diagnostic::error(
                "no-grades",
                "the file does not say what its grades are",
            )
            .in_source(source)
            .help("begin it with `grades boolean`, or another name")
            .into());
        };
        let opening = Opening {
            input,
            source,
            tree: &tree,
            attached: &attached,
        };
        match name.text.as_str() {
            "boolean" => opening.with(Boolean),
            "three" => opening.with(Three { lukasiewicz: false }),
            "three-lukasiewicz" => opening.with(Three { lukasiewicz: true }),
            "lukasiewicz" => opening.with(Unit(Norm::Lukasiewicz)),
            "goedel" => opening.with(Unit(Norm::Goedel)),
            "viterbi" | "probability" => opening.with(Unit(Norm::Product)),
            "max-plus" => opening.with(MaxPlus),
            "min-plus" => opening.with(MinPlus),
            "table" => opening.with_table(name),
            other => {
                let known = NAMES.iter().map(|(name, _)| *name);
                let all: Vec<&str> = known.clone().collect();
                let message = format!("there are no grades called `{other}`");
                Err(Diagnostic::error("unknown-algebra", message)
                    .at(source, name.span, "")
                    .note(format!("there is {}", all.join(", ")))
                    .did_you_mean(other, known)
                    .into())
            }
        }
    }
}

/// The files that a text names: those of transitions, and what is in those of labels.
#[derive(Default)]
struct Named {
    transitions: Vec<Source>,
    labels: Vec<(Source, Vec<import::Label>)>,
}

fn named(tree: &Tree, source: &Source, files: &mut dyn Files) -> Result<Named, Trouble> {
    let mut found = Named::default();
    let mut text = |spot: &Spot| -> Result<Source, Diagnostic> {
        let bytes = files.read(&spot.text).map_err(|why| {
            Diagnostic::error("no-file", format!("cannot read `{}`: {why}", spot.text))
                .at(source, spot.span, "")
                .help("give it relative to this file")
        })?;
        Input::bytes(spot.text.as_str(), bytes)
            .require_text()
            .cloned()
    };
    for (file, _) in &tree.transitions {
        found.transitions.push(text(file)?);
    }
    for file in &tree.labels {
        let file = text(file)?;
        let labels = import::labels(&file)?;
        found.labels.push((file, labels));
    }
    Ok(found)
}

/// What the files say, without copies of their texts.
fn attached<'a>(tree: &'a Tree, named: &'a Named) -> Result<Attached<'a>, Trouble> {
    let mut transitions = Vec::new();
    for (file, (_, name)) in named.transitions.iter().zip(&tree.transitions) {
        let name = name.as_ref().map(|spot| spot.text.as_str());
        transitions.push((file, import::transitions(file, name)?));
    }
    Ok(Attached {
        transitions,
        labels: &named.labels,
    })
}

struct Opening<'a> {
    input: &'a Input,
    source: &'a Source,
    tree: &'a Tree,
    attached: &'a Attached<'a>,
}

impl Opening<'_> {
    fn with<A: ActionLattice + 'static>(&self, algebra: A) -> Result<Box<dyn Model>, Trouble> {
        let system = System::build(algebra, self.tree, self.attached, self.source)?;
        let mut mistakes = Vec::new();
        let mut questions: Vec<system::Question<A::Grade>> = Vec::new();
        for check in &self.tree.checks {
            if questions
                .iter()
                .any(|other| other.check.name.text == check.name.text)
            {
                let message = format!("there are two properties `{}`", check.name.text);
                let mistake = Diagnostic::error("declared-twice", message);
                mistakes.push(mistake.at(self.source, check.name.span, ""));
            }
            match system.question(check, self.source) {
                Ok(question) => questions.push(question),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes.into());
        }
        Ok(Box::new(GradedModel {
            name: self.input.name().to_owned(),
            source: self.source.clone(),
            system,
            questions,
        }))
    }

    /// A table must be a lattice and obey the laws.
    fn with_table(&self, name: &Spot) -> Result<Box<dyn Model>, Trouble> {
        let wrong = |message: String| {
            Diagnostic::error("laws", message).at(self.source, name.span, "the table of this file")
        };
        let table = self.tree.table.build().map_err(|why| {
            wrong(why).help(
                "give `values`, then `order low < high, …` so that all have a join and a meet",
            )
        })?;
        check_laws(&table, &table.sample(), false).map_err(|broken| {
            wrong(format!("these grades are no action lattice: {broken}"))
                .help("leave out what can be computed: `implies`, `star`, and `compose` where it is the meet")
        })?;
        self.with(table)
    }
}

/// Reads a text as each of the formats, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let cx = Context::default();
    for name in ["x.gdl", "x.aut", "x.tra", "x.csv"] {
        let source = Source::new(name, text);
        let _ = import::transitions(&source, None);
        let _ = import::labels(&source);
    }
    let input = Input::text(&Source::new("x.gdl", text));
    let _ = LANGUAGE.open(
        &input,
        &mut quotient_language::NoFiles,
        &Settings::default(),
        &cx,
    );
}
