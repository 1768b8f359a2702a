//! Circuits in AIGER and BLIF files, as a language.

mod check;
mod convert;
mod dependence;
mod doubts;
mod foreign;
mod listed;
mod model;
mod show;
mod trace;

use quotient_circuit::telling;
use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Settings, Sureness, Verb,
};

use quotient_netlist::{Circuit, blif};

use model::CircuitModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source};
/// use quotient_language::{Input, NoFiles, Settings};
/// let input = Input::text(&Source::new("t.aag", "aag 1 0 1 0 0 1\n2 2\n2\n"));
/// let language = quotient_aiger::LANGUAGE;
/// let model = language.open(&input, &mut NoFiles, &Settings::default(), &Context::default());
/// assert_eq!(model.unwrap().properties()[0].name, "b0");
/// ```
pub const LANGUAGE: &dyn Language = &Aiger;

struct Aiger;

const ABOUT: About = About {
    id: "aiger",
    name: "AIGER",
    text: "a circuit of gates and latches",
    line: "circuits in AIGER 1.9 (both forms) or BLIF: bad signals, constraints, justice",
    endings: &["aag", "aig", "blif"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: telling::SETTINGS,
    formats: &[
        telling::AAG,
        telling::AIG,
        telling::BLIF,
        Format {
            name: "btor2",
            endings: &["btor2", "btor"],
            line: "words of one bit",
        },
    ],
    starter: include_str!("../gallery/arbiter.aag"),
    methods: telling::methods,
    examples: &[
        Example {
            name: "arbiter",
            title: "a round-robin arbiter: never two grants, no request waits for ever",
            files: &[("arbiter.aag", include_str!("../gallery/arbiter.aag"))],
        },
        Example {
            name: "traffic",
            title: "two traffic lights with a mistake: both can be green",
            files: &[("traffic.aag", include_str!("../gallery/traffic.aag"))],
        },
    ],
    guide: "docs/circuits.md",
};

impl Language for Aiger {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let bytes = input.raw();
        let ending = input.has_ending(ABOUT.endings);
        if quotient_netlist::aiger::looks_like(bytes) {
            return Sureness::Certain;
        }
        match quotient_netlist::blif::looks_like(bytes) {
            true => Sureness::Maybe.with_ending(ending),
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let blif = match quotient_netlist::aiger::looks_like(input.raw()) {
            true => false,
            false => input.has_ending(&["blif"]) || quotient_netlist::blif::looks_like(input.raw()),
        };
        let (circuit, remarks) = match blif {
            true => tables(input.require_text()?, files)?,
            false => {
                let circuit = quotient_netlist::aiger::read(input.name(), input.raw())?;
                (circuit, Vec::new())
            }
        };
        let model = CircuitModel::new(input.name(), circuit, settings.clone());
        Ok(Box::new(CircuitModel { remarks, ..model }))
    }
}

/// Reads BLIF. Cells of yosys are known; where others are named, those of the one library beside it.
fn tables(source: &Source, files: &mut dyn Files) -> Result<(Circuit, Vec<Diagnostic>), Trouble> {
    let (cells, mut told) = blif::yosys_cells(source.text());
    let mut text = source.text().to_owned();
    // An empty line between, in case the last one says that it goes on.
    let mut append = |models: &str| {
        text.push_str("\n\n");
        text.push_str(models);
    };
    if !cells.is_empty() {
        append(&cells);
    }
    if let Some(name) = library(source, files)? {
        let unreadable = |why: String| Diagnostic::error("genlib", format!("`{name}`: {why}"));
        let bytes = files.read(&name).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
        append(&blif::cells(&Source::new(name.clone(), text))?);
        let message = format!("cells are those of the library `{name}`");
        told.push(Diagnostic::warning("blif", message));
    }
    let (circuit, mut remarks) = blif::read(&Source::new(source.name(), text))?;
    remarks.extend(told);
    Ok((circuit, remarks))
}

/// The library of cells beside a circuit that needs one, if there is one.
fn library(source: &Source, files: &mut dyn Files) -> Result<Option<String>, Trouble> {
    if !blif::names_cells(source.text()) {
        return Ok(None);
    }
    let libraries = files.find("*.genlib").unwrap_or_default();
    if libraries.len() > 1 {
        let listed = libraries.join(", ");
        let message = format!("cells may be of one of several libraries: {listed}");
        let error = Diagnostic::error("blif", message);
        return Err(error.help("leave one of them beside the circuit").into());
    }
    Ok(libraries.into_iter().next())
}
