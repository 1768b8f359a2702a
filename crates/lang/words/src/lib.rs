//! Problems about words as a modelling language.
//!
//! Configurations are words, sets of them automata, steps transducers: can a step from an
//! initial word, and steps after it, lead to a bad one? [`problem_files`] reads the question
//! from files; [`LANGUAGE`] is all that a front end needs.
//!
//! ```
//! use quotient_core::{Context, Verdict};
//! use quotient_language::{Ask, Input, MemoryFiles, Settings};
//! use quotient_words::LANGUAGE;
//! let example = LANGUAGE.about().examples.iter().find(|one| one.name == "token").unwrap();
//! let mut files: MemoryFiles = example.files.iter().copied().collect();
//! let (name, text) = example.files[0];
//! let input = Input::bytes(name, text.into());
//! let (settings, cx) = (Settings::default(), Context::default());
//! let mut model = LANGUAGE.open(&input, &mut files, &settings, &cx)?;
//! let mut verdicts = Vec::new();
//! model.check(&Ask::default(), &cx, &mut |answer| verdicts.push(answer.verdict))?;
//! assert_eq!(verdicts, [Verdict::Holds]);
//! # Ok::<(), quotient_core::Trouble>(())
//! ```

mod about;
mod examples;
mod images;
mod instance;
mod liveness;
mod machines;
mod model;
pub mod problem_files;
mod property;
mod recognise;
mod simulate;

use quotient_automata::formats::{self, Kind, Limits, Machine, Named, Reading};
use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{About, Files, Input, Language, Model, Settings, Sureness};
use quotient_regular::telling::named_format;

use machines::MachineModel;
use model::ProblemModel;
use problem_files::{Statement, read_folder, read_problem, statement, whole_problem};

/// Problems about words, and files of automata and transducers.
pub const LANGUAGE: &dyn Language = &Words;

struct Words;

impl Language for Words {
    fn about(&self) -> &'static About {
        &about::ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        recognise::sureness(input)
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let limits = limits(cx);
        if let Some(names) = input.names() {
            let file = read_folder(input.name(), names, files, &limits, &cx.budget)?;
            return Ok(Box::new(ProblemModel::new(
                input.name(),
                file,
                settings,
                cx,
            )?));
        }
        let source = formats::decode(input.name(), input.raw().to_vec(), &limits)?;
        let told = settings.is_given("from") || settings.is_given("symbols");
        if !told && statement(&source) != Statement::Whole {
            let file = read_problem(&source, files, &limits, &cx.budget)?;
            return Ok(Box::new(ProblemModel::new(
                input.name(),
                file,
                settings,
                cx,
            )?));
        }
        let reading = reading(settings, files, limits)?;
        let document = formats::read(&source, &reading, &cx.budget)?;
        let why = match document.is_problem() {
            false => no_problem(&source, &document.machines),
            true => match whole_problem(&document) {
                Ok(file) => {
                    let mut model = ProblemModel::new(input.name(), file, settings, cx)?;
                    model.written_as(document.format.name(), document.machines);
                    return Ok(Box::new(model));
                }
                Err(why) => why,
            },
        };
        Ok(Box::new(MachineModel { document, why }))
    }
}

/// The usual limits; a file larger than the memory allowed is too large as well.
fn limits(cx: &Context) -> Limits {
    let mut limits = Limits::default();
    if let Some(memory) = cx.budget.memory_limit() {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        limits.bytes = limits.bytes.min(memory);
    }
    limits
}

/// How the user wants a file of automata to be read.
fn reading(settings: &Settings, files: &mut dyn Files, limits: Limits) -> Result<Reading, Trouble> {
    let mut reading = Reading {
        format: settings.text("from").map(named_format).transpose()?,
        limits,
        ..Reading::default()
    };
    for table in settings.all("symbols") {
        let bytes = files.read(table).map_err(|why| {
            Diagnostic::error("unreadable", format!("cannot read `{table}`: {why}"))
                .help("a symbol table is a file beside the machine")
        })?;
        reading
            .symbols
            .push(formats::decode(table.as_str(), bytes, &limits)?);
    }
    Ok(reading)
}

/// Why a file of automata cannot be checked.
fn no_problem(source: &Source, machines: &[Named]) -> Diagnostic {
    let kind = |machine: &Machine| match machine.kind() {
        Kind::Automaton => "an automaton",
        Kind::Transducer => "a transducer",
    };
    let message = match machines {
        [] => "there is no automaton in this file, and no problem".to_owned(),
        [one] => format!("this is {}, not a problem", kind(&one.machine)),
        several => format!(
            "these are {} automata and transducers, not a problem",
            several.len()
        ),
    };
    Diagnostic::error("not-a-problem", message)
        .in_source(source)
        .note("a problem has an initial set, a bad set and steps")
        .help(
            "name the parts in a manifest: `init = \"init.tmb\"`, `bad = \"bad.tmb\"`, \
             `transitions = [\"step.tmb\"]`",
        )
}
