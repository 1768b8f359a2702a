//! Manifests: the parts of a system by name, in TOML, as those for words are.
//!
//! ```toml
//! language = "trees"
//! init = "init.tmb"
//! bad = "bad.tmb"                        # or a list, or a table from property to file
//! transitions = ["up.tmb", "down.tmb"]   # or one of them, or a table from step to file
//! method = "forward predicates"          # not needed
//! ```

use std::sync::Arc;

use quotient_core::{Diagnostic, Source, Span, Trouble};
use quotient_language::{Files, Input};
use quotient_trees::timbuk::{self, NamedAutomaton, NamedSystem, NamedTransducer, TimbukFile};
use quotient_trees::{Alphabet, Symbol};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problem::{Problem, of_file};

const KEYS: [&str; 6] = ["language", "name", "init", "bad", "transitions", "method"];

/// Whether a text says that it is a manifest for trees.
pub(crate) fn is_manifest(text: &str) -> bool {
    let lines = text.lines().take(200).map(str::trim);
    let mut values = lines.filter_map(|line| line.split_once('='));
    values.any(|(key, value)| {
        let value = value.split('#').next().unwrap_or_default().trim();
        key.trim() == "language" && matches!(value, "\"trees\"" | "'trees'")
    })
}

/// A part: what it is called, its file, and where that is said.
struct Part {
    name: Option<String>,
    path: String,
    span: Span,
}

/// Reads a manifest and the files that it names.
pub(crate) fn read(source: &Source, files: &mut dyn Files) -> Result<Problem, Trouble> {
    let table = DeTable::parse(source.text()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Diagnostic::error("syntax", error.message().to_owned()).at(source, span.into(), "not TOML")
    })?;
    let (mut init, mut bad, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
    let (mut title, mut method) = (None, None);
    let mut mistakes = Vec::new();
    for (key, value) in table.get_ref() {
        let done = match key.get_ref().as_ref() {
            "language" => Ok(()),
            "name" => text(source, value).map(|text| title = Some(text)),
            "method" => text(source, value).map(|text| method = Some(text)),
            "init" => parts(source, value).map(|all| init = all),
            "bad" => parts(source, value).map(|all| bad = all),
            "transitions" => parts(source, value).map(|all| transitions = all),
            unknown => Err(Diagnostic::error(
                "unknown-key",
                format!("there is no key `{unknown}`"),
            )
            .at(source, key.span().into(), "not a key of a manifest")
            .note(format!("the keys are `{}`", KEYS.join("`, `")))
            .did_you_mean(unknown, KEYS)),
        };
        mistakes.extend(done.err());
    }
    let mut whole = Whole::default();
    // A file may have several parts of the system; then each of them is named.
    let named = |others: &[&[Part]], part: &Part| {
        let mut others = others.iter().copied().flatten();
        others.any(|other| other.path == part.path)
    };
    for (all, called) in [(&init, Some("Init")), (&bad, None)] {
        for part in all {
            let steps = named(&[&transitions], part);
            let read = whole.automata(source, part, (called, steps), files);
            mistakes.extend(read.err());
        }
    }
    for part in &transitions {
        let automata = named(&[&init, &bad], part);
        mistakes.extend(whole.steps(source, part, automata, files).err());
    }
    for (key, all) in [
        ("init", &init),
        ("bad", &bad),
        ("transitions", &transitions),
    ] {
        if all.is_empty() {
            let message = format!("the manifest names no `{key}`");
            mistakes.push(Diagnostic::error("missing-part", message).in_source(source));
        }
    }
    if let [_, second, ..] = &init[..] {
        let message = "the manifest names several sets of initial trees";
        let mistake = Diagnostic::error("several-initial", message);
        let mistake = mistake.at(source, second.span, "a second one");
        mistakes.push(mistake.help("unite them first: `quotient automata union A B -o init.tmb`"));
    }
    if !mistakes.is_empty() {
        return Err(Trouble::Invalid(mistakes));
    }
    let mut problem = of_file(source, whole.finish());
    for (one, part) in problem.bad.iter_mut().zip(&bad) {
        one.span = Some(part.span);
    }
    problem.title = title;
    problem.method = method;
    Ok(problem)
}

fn text(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        _ => Err(Diagnostic::error("syntax", "expected a text in quotes").at(
            source,
            value.span().into(),
            "this is none",
        )),
    }
}

fn parts(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Vec<Part>, Diagnostic> {
    let part = |name: Option<String>, value: &Spanned<DeValue<'_>>| {
        Ok(Part {
            name,
            path: text(source, value)?,
            span: value.span().into(),
        })
    };
    match value.get_ref() {
        DeValue::Array(all) => all.iter().map(|one| part(None, one)).collect(),
        DeValue::Table(all) => (all.iter())
            .map(|(name, one)| part(Some(name.get_ref().to_string()), one))
            .collect(),
        _ => Ok(vec![part(None, value)?]),
    }
}

/// What was read, over one alphabet that grows.
#[derive(Default)]
struct Whole {
    alphabet: Alphabet,
    automata: Vec<NamedAutomaton>,
    transducers: Vec<(NamedTransducer, Vec<Symbol>)>,
    systems: Vec<(NamedSystem, Vec<Symbol>)>,
    equations: Vec<quotient_trees::Equation>,
    numbers: Vec<Vec<Symbol>>,
    variables: Vec<String>,
    warnings: Vec<Diagnostic>,
}

impl Whole {
    fn file(
        &mut self,
        source: &Source,
        part: &Part,
        files: &mut dyn Files,
    ) -> Result<(TimbukFile, Vec<Symbol>), Diagnostic> {
        let at = |error: Diagnostic| error.at(source, part.span, "named here");
        let bytes = files.read(&part.path).map_err(|why| {
            let message = format!("cannot read `{}`: {why}", part.path);
            at(Diagnostic::error("unreadable", message))
        })?;
        let input = Input::bytes(part.path.as_str(), bytes);
        let file = timbuk::read(input.require_text()?).map_err(|trouble| match trouble {
            Trouble::Invalid(mut mistakes) if !mistakes.is_empty() => mistakes.remove(0),
            _ => at(Diagnostic::error("unreadable", "the file was not read")),
        })?;
        self.warnings.extend(file.warnings.iter().cloned());
        let numbers = self.alphabet.join(&file.alphabet);
        Ok((file, numbers))
    }

    fn automata(
        &mut self,
        source: &Source,
        part: &Part,
        (called, steps_are_named): (Option<&str>, bool),
        files: &mut dyn Files,
    ) -> Result<(), Diagnostic> {
        let (file, numbers) = self.file(source, part, files)?;
        let steps = file.transducers.len() + file.systems.len();
        if steps > 0 && !steps_are_named {
            let message = format!("there is a step in `{}`, too", part.path);
            return Err(Diagnostic::error("parts", message)
                .at(source, part.span, "only its automaton is named")
                .help("name the file under `transitions`, too, or take the step out of it"));
        }
        if !file.equations.is_empty() && !steps_are_named {
            let message = format!("there are equations in `{}`", part.path);
            return Err(Diagnostic::error("parts", message)
                .at(source, part.span, "only its automaton is named")
                .help("equations stand in the files of `transitions`"));
        }
        let [named] = &file.automata[..] else {
            let message = format!(
                "expected one automaton in `{}`, found {}",
                part.path,
                file.automata.len()
            );
            return Err(Diagnostic::error("parts", message).at(source, part.span, "named here"));
        };
        let name = called.map(str::to_owned).or(part.name.clone());
        self.automata.push(NamedAutomaton {
            name: name.unwrap_or_else(|| stem(&part.path).to_owned()),
            ..named.clone()
        });
        self.numbers.push(numbers);
        Ok(())
    }

    fn steps(
        &mut self,
        source: &Source,
        part: &Part,
        automata_are_named: bool,
        files: &mut dyn Files,
    ) -> Result<(), Diagnostic> {
        let (file, numbers) = self.file(source, part, files)?;
        if !file.automata.is_empty() && !automata_are_named {
            let message = format!("there is an automaton in `{}`, too", part.path);
            return Err(Diagnostic::error("parts", message)
                .at(source, part.span, "only its steps are named")
                .help(
                    "name the file under `init` or `bad`, too, or take the automaton out of it",
                ));
        }
        if file.transducers.len() + file.systems.len() == 0 {
            let message = format!("there is no step in `{}`", part.path);
            return Err(Diagnostic::error("parts", message)
                .at(source, part.span, "named here")
                .help("a step is a `Transducer` or a `TRS`"));
        }
        let name = part.name.clone();
        let alone = file.transducers.len() + file.systems.len() == 1;
        let called = |own: String| match alone {
            true => name.clone().unwrap_or_else(|| stem(&part.path).to_owned()),
            false => own,
        };
        for mut one in file.transducers {
            one.name = called(one.name);
            self.transducers.push((one, numbers.clone()));
        }
        for mut one in file.systems {
            one.name = called(one.name);
            self.systems.push((one, numbers.clone()));
        }
        // Variables of different files have different numbers.
        if !file.equations.is_empty() {
            let by = self.variables.len() as u32;
            let equations = file.equations.iter();
            self.equations
                .extend(equations.map(|one| quotient_trees::Equation {
                    left: one.left.renamed(&numbers).shifted(by),
                    right: one.right.renamed(&numbers).shifted(by),
                }));
            self.variables.extend(file.variables);
        }
        Ok(())
    }

    fn finish(self) -> TimbukFile {
        let alphabet = Arc::new(self.alphabet);
        TimbukFile {
            automata: (self.automata.into_iter().zip(&self.numbers))
                .map(|(mut named, numbers)| {
                    named.automaton = named.automaton.over(alphabet.clone(), numbers);
                    named
                })
                .collect(),
            transducers: (self.transducers.into_iter())
                .map(|(mut named, numbers)| {
                    named.transducer = named.transducer.over(alphabet.clone(), &numbers);
                    named
                })
                .collect(),
            systems: (self.systems.into_iter())
                .map(|(mut named, numbers)| {
                    named.system = named.system.over(alphabet.clone(), &numbers);
                    named
                })
                .collect(),
            equations: self.equations,
            variables: self.variables,
            warnings: self.warnings,
            alphabet,
        }
    }
}

fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}
