//! From the paths of the parts to a problem over one alphabet.

use quotient_automata::formats::{Document, Kind, Limits, Machine, Reading, decode, read_all};
use quotient_automata::{Nfa, Predicate, Problem, Property, Relation, Transducer};
use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use quotient_language::Files;

use super::Stated;

/// Where the main file names another.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) path: String,
    pub(super) span: Span,
}

/// The files of a problem, by the part they play.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) init: Option<Path>,
    /// With the name of the property, if the main file gives one.
    pub(super) bad: Vec<(Option<String>, Path)>,
    /// With the name of the step, if the main file gives one.
    pub(super) transitions: Vec<(Option<String>, Path)>,
}

/// Parts that were put together.
pub(super) struct Assembled {
    pub(super) problem: Problem,
    pub(super) stated: Vec<Stated>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Reads the parts and puts them together.
pub(super) fn assemble(
    main: &Source,
    parts: Parts,
    files: &mut dyn Files,
    limits: &Limits,
    budget: &Budget,
) -> Result<Assembled, Trouble> {
    let Some(init) = parts.init else {
        return Err(missing(main, "initial set", "init").into());
    };
    if parts.bad.is_empty() {
        return Err(missing(main, "bad set", "bad").into());
    }
    if parts.transitions.is_empty() {
        return Err(missing(main, "transitions", "transitions").into());
    }
    let mut sources = vec![(
        load(main, &init, files, limits)?,
        reading(Kind::Automaton, limits),
    )];
    for (_, path) in &parts.bad {
        sources.push((
            load(main, path, files, limits)?,
            reading(Kind::Automaton, limits),
        ));
    }
    for (_, path) in &parts.transitions {
        sources.push((
            load(main, path, files, limits)?,
            reading(Kind::Transducer, limits),
        ));
    }
    let documents = read_all(&sources, budget)?;
    let (sets, steps) = documents.split_at(1 + parts.bad.len());
    let initial = sets[0].automaton()?.clone();
    let mut properties = Vec::new();
    for ((name, path), document) in parts.bad.iter().zip(&sets[1..]) {
        let bad = document.automaton()?.clone();
        let name = name.clone().unwrap_or_else(|| stem(&path.path).to_owned());
        properties.push(Property { name, bad });
    }
    let mut transitions: Vec<(String, Transducer)> = Vec::new();
    for ((given, path), document) in parts.transitions.iter().zip(steps) {
        let found = match given {
            Some(name) => vec![(name.clone(), document.transducer()?.clone())],
            None => transducers(path, document)?,
        };
        for (name, transducer) in found {
            let taken = transitions.iter().any(|(other, _)| *other == name);
            let name = if taken { path.path.clone() } else { name };
            transitions.push((name, transducer));
        }
    }
    foreign_step(&initial, &properties, &transitions, &documents, steps)?;
    let alphabet = initial.alphabet().clone();
    let problem = Problem::new(initial, properties, Relation::new(&alphabet, transitions))
        .map_err(|error| Diagnostic::error("problem", error.to_string()).in_source(main))?;
    let warnings = documents
        .into_iter()
        .flat_map(|document| document.warnings)
        .collect();
    let stated = parts.bad.into_iter().map(|(_, path)| Stated {
        // Of a folder nothing names the file.
        span: (path.span != Span::default()).then_some(path.span),
        file: Some(path.path),
    });
    Ok(Assembled {
        problem,
        stated: stated.collect(),
        warnings,
    })
}

/// The name of a file without folders and extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// A file that the main file names; the error points there.
pub(super) fn load(
    main: &Source,
    path: &Path,
    files: &mut dyn Files,
    limits: &Limits,
) -> Result<Source, Diagnostic> {
    let bytes = files.read(&path.path).map_err(|why| {
        Diagnostic::error("unreadable", format!("cannot read `{}`: {why}", path.path))
            .at(main, path.span, "named here")
            .help("paths are relative to the folder of this file")
    })?;
    decode(path.path.as_str(), bytes, limits)
}

fn reading(kind: Kind, limits: &Limits) -> Reading {
    Reading {
        expect: Some(kind),
        limits: *limits,
        ..Reading::default()
    }
}

/// The one transducer of a file, named after the file, or several by their own names.
fn transducers(path: &Path, document: &Document) -> Result<Vec<(String, Transducer)>, Diagnostic> {
    if document.machines.len() < 2 {
        return Ok(vec![(
            stem(&path.path).to_owned(),
            document.transducer()?.clone(),
        )]);
    }
    let all: Vec<_> = document
        .machines
        .iter()
        .filter_map(|named| match &named.machine {
            Machine::Transducer(transducer) => Some((named.name.clone(), transducer.clone())),
            Machine::Automaton(_) => None,
        })
        .collect();
    match all.len() == document.machines.len() {
        true => Ok(all),
        false => Ok(vec![(
            stem(&path.path).to_owned(),
            document.transducer()?.clone(),
        )]),
    }
}

/// A step whose letters no other part has is over another alphabet: it could never be taken.
fn foreign_step(
    initial: &Nfa,
    properties: &[Property],
    transitions: &[(String, Transducer)],
    documents: &[Document],
    steps: &[Document],
) -> Result<(), Diagnostic> {
    let alphabet = initial.alphabet();
    let of_sets = |nfa: &Nfa, into: &mut Predicate| {
        nfa.labels()
            .iter()
            .flatten()
            .for_each(|letters| into.or_assign(letters));
    };
    let letters_of = |transducer: &Transducer| {
        let mut letters = Predicate::none(alphabet);
        for label in transducer.labels() {
            for side in [label.input(), label.output()].into_iter().flatten() {
                letters.or_assign(side);
            }
        }
        letters
    };
    let mut sets = Predicate::none(alphabet);
    of_sets(initial, &mut sets);
    properties
        .iter()
        .for_each(|property| of_sets(&property.bad, &mut sets));
    let letters: Vec<Predicate> = transitions
        .iter()
        .map(|(_, step)| letters_of(step))
        .collect();
    for (index, (name, _)) in transitions.iter().enumerate() {
        let mut others = sets.clone();
        for (other, set) in letters.iter().enumerate() {
            if other != index {
                others.or_assign(set);
            }
        }
        let own = &letters[index];
        if let Some(example) = own
            .first()
            .filter(|_| !own.intersects(&others) && !others.is_empty())
        {
            let message = format!("the transducer `{name}` is over another alphabet");
            let source = match steps.len() == transitions.len() {
                true => &steps[index].source,
                false => &documents[0].source,
            };
            let known = others.first().map_or("", |letter| alphabet.name(letter));
            return Err(Diagnostic::error("different-alphabets", message)
                .in_source(source)
                .note(format!(
                    "no other part of the problem has its letters, such as `{}`; the others have letters such as `{known}`",
                    alphabet.name(example)
                ))
                .help("spell the letters alike in all files"));
        }
    }
    Ok(())
}

fn missing(main: &Source, part: &str, key: &str) -> Diagnostic {
    Diagnostic::error("missing-part", format!("the problem has no {part}"))
        .in_source(main)
        .help(format!("name the file: `{key} = \"{key}.tmb\"`"))
}
