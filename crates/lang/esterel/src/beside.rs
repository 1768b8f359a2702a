//! Modules that stand in other files beside a program.

use quotient_core::{Diagnostic, Source, Trouble};
use quotient_language::Files;

use crate::expand::runs;
use crate::parse::parse;
use crate::syntax::File;

/// The program with the files beside it that it includes (`#include "door.strl"`, as the preprocessor
/// of C has it) or that have the modules it runs and does not have, and a word on each of them.
/// Places in those files are told as places behind the end of the program.
pub(crate) fn with_modules_beside(
    source: &Source,
    files: &mut dyn Files,
) -> Result<(Source, Vec<Diagnostic>), Trouble> {
    let mut told = Vec::new();
    let mut taken = vec![own_name(source).to_owned()];
    let text = included(source, files, &mut taken, &mut told)?;
    let whole = Source::new(source.name(), text);
    let Ok(file) = parse(&whole) else {
        // What is wrong with it is told where it is opened.
        return Ok((whole, told));
    };
    let mut known = vec![file];
    if missing(&known).is_empty() {
        return Ok((whole, told));
    }
    let mut text = whole.text().to_owned();
    let mut others = others(&taken, files);
    while let Some((name, at)) = missing(&known).into_iter().find_map(|name| {
        let at = others.iter().position(|(_, _, file)| has(file, &name))?;
        Some((name, at))
    }) {
        let (path, more, file) = others.remove(at);
        if let Some((other, ..)) = others.iter().find(|(_, _, file)| has(file, &name)) {
            let message = format!("the module `{name}` stands in `{path}` and in `{other}`");
            let error = Diagnostic::error("no-such-module", message).in_source(source);
            let help =
                "leave one of the files beside the program, or put all modules into one file";
            return Err(error.help(help).into());
        }
        append(&mut text, &more);
        let message = format!("the module `{name}` is taken from `{path}`");
        told.push(Diagnostic::warning("module-beside", message).in_source(source));
        known.push(file);
    }
    Ok((Source::new(source.name(), text), told))
}

fn own_name(source: &Source) -> &str {
    source.name().rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Puts another file behind a text. What it asks is about its own modules.
fn append(text: &mut String, more: &str) {
    text.push('\n');
    text.push_str(&more.replace("%!", "% "));
}

/// A text without the lines for the preprocessor that include files or keep a file from being included
/// twice, and behind it the files that it includes, each once. Other such lines stay, and are no Esterel.
fn included(
    source: &Source,
    files: &mut dyn Files,
    taken: &mut Vec<String>,
    told: &mut Vec<Diagnostic>,
) -> Result<String, Trouble> {
    let guard = guard(source.text());
    let (mut text, mut behind) = (String::new(), String::new());
    for line in source.text().split_inclusive('\n') {
        let (word, rest) = directive(line).unwrap_or_default();
        let quoted = rest
            .strip_prefix('"')
            .and_then(|rest| rest.split('"').next());
        let included_file = quoted.filter(|_| word == "include");
        let guards = guard.is_some_and(|name| match word {
            "ifndef" | "define" => rest == name,
            "endif" => true,
            _ => false,
        });
        match included_file {
            None if guards => text.push('\n'),
            None => text.push_str(line),
            Some(path) => {
                text.push('\n');
                if taken.iter().any(|one| one == path) {
                    continue;
                }
                taken.push(path.to_owned());
                if !path.ends_with(".strl") {
                    let message = format!("`{path}` is of the host and is left out");
                    told.push(Diagnostic::warning("module-beside", message).in_source(source));
                    continue;
                }
                let unreadable = |why: String| {
                    let message = format!("cannot read `{path}`, which is included: {why}");
                    Diagnostic::error("unreadable", message).in_source(source)
                };
                let bytes = files.read(path).map_err(unreadable)?;
                let more = String::from_utf8(bytes).map_err(|why| unreadable(why.to_string()))?;
                let more = Source::new(path, more);
                let more = included(&more, files, taken, told)?;
                append(&mut behind, &more);
            }
        }
    }
    Ok(text + &behind)
}

/// The word and the rest of a line for the preprocessor.
fn directive(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().strip_prefix('#')?.trim_start();
    let end = line.find(|letter: char| !letter.is_alphanumeric());
    let (word, rest) = line.split_at(end.unwrap_or(line.len()));
    Some((word, rest.trim()))
}

/// The name that keeps a file from being included twice: `#ifndef NAME`, `#define NAME`, … `#endif`, and
/// no other conditions.
fn guard(text: &str) -> Option<&str> {
    let mut lines = text.lines().filter_map(directive);
    let mut lines = lines.by_ref().filter(|(word, _)| *word != "include");
    let (Some(("ifndef", name)), Some(("define", defined)), Some(("endif", _)), None) =
        (lines.next(), lines.next(), lines.next(), lines.next())
    else {
        return None;
    };
    (name == defined).then_some(name)
}

/// The files beside a program that are programs, too: name, text and modules.
fn others(taken: &[String], files: &mut dyn Files) -> Vec<(String, String, File)> {
    let mut found = Vec::new();
    for path in files.find("*.strl").unwrap_or_default() {
        if taken.contains(&path) {
            continue;
        }
        let text = files.read(&path).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text
            && let Ok(file) = parse(&Source::new(path.clone(), text.clone()))
        {
            found.push((path, text, file));
        }
    }
    found
}

fn has(file: &File, module: &str) -> bool {
    file.modules.iter().any(|one| one.name.text == module)
}

/// The modules that are run and not there.
fn missing(files: &[File]) -> Vec<String> {
    let mut run = Vec::new();
    for module in files.iter().flat_map(|file| &file.modules) {
        runs(&module.body, &mut run);
    }
    run.retain(|name| !files.iter().any(|file| has(file, name)));
    run.into_iter().map(str::to_owned).collect()
}
