//! `quotient new NAME`

use std::path::Path;

use clap::Args;
use quotient_core::Diagnostic;
use quotient_language::text::wrap_indented;
use quotient_language::{About, Example};
use serde_json::json;

use crate::failure::Failure;
use crate::outputs::write_file;
use crate::reply::Reply;
use crate::session::Session;

/// Start a model of your own from one of the gallery.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient new                     what is in the gallery?
  quotient new --language smv      what is there in SMV?
  quotient new mesi                write mesi.protocol into this folder
  quotient new mesi cache.protocol
  quotient new starter --language smv model.smv")]
pub(crate) struct New {
    /// Which one, or `starter` for a small text to begin with; without a name, the gallery is
    /// listed.
    name: Option<String>,
    /// Where to write it; of an example with several files, the folder.
    file: Option<String>,
    /// Only models in this language.
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
}

impl New {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let abouts: Vec<&'static About> = match &self.language {
            Some(name) => vec![session.workbench.named(name)?.about()],
            None => session.workbench.abouts().collect(),
        };
        let Some(name) = &self.name else {
            return Ok(list(&abouts));
        };
        if let ("starter", [about]) = (name.as_str(), &abouts[..]) {
            return self.write_starter(about);
        }
        let all = || abouts.iter().flat_map(|about| about.examples);
        let has = |about: &&&'static About| about.examples.iter().any(|one| one.name == name);
        let mut having = abouts.iter().filter(has).map(|about| about.id);
        let (first, others) = (having.next(), having.collect::<Vec<_>>());
        let Some(example) = all().find(|example| example.name == name) else {
            let message = format!("there is no `{name}` in the gallery");
            return Err(Diagnostic::error("no-such-example", message)
                .did_you_mean(name, all().map(|example| example.name))
                .help("`quotient new` lists the gallery")
                .into());
        };
        let mut reply = self.write(example.files)?;
        if let (Some(first), [_, ..]) = (first, &others[..]) {
            let also = others.iter().map(|id| format!("`--language {id}`"));
            let also = also.collect::<Vec<_>>().join(" or ");
            let text =
                format!("it is the one of `{first}`; {also} writes another with this name\n");
            reply.text.push_str(&wrap_indented(&text, 80, 0));
        }
        Ok(reply)
    }

    /// One that comes with other files becomes a folder, unless the name is that of a file.
    fn write_starter(&self, about: &'static About) -> Result<Reply, Failure> {
        let ending_of = |file: &str| Some(Path::new(file).extension()?.to_str()?.to_owned());
        let named = self.file.as_deref().and_then(ending_of);
        let wants_file = named.is_some_and(|one| about.endings.contains(&one.as_str()));
        let mut examples = about.examples.iter();
        let files = examples.find(|one| one.files[0].1 == about.starter);
        let files = files.map_or(&[][..], |one| one.files);
        if files.len() > 1 && !wants_file {
            return self.write_folder(files);
        }
        let ending = files.first().and_then(|(name, _)| ending_of(name));
        let ending = ending.or_else(|| Some((*about.endings.first()?).to_owned()));
        let name = format!("starter.{}", ending.as_deref().unwrap_or("txt"));
        self.write(&[(&name, about.starter)])
    }

    fn write(&self, files: &[(&str, &str)]) -> Result<Reply, Failure> {
        let [(name, text)] = files else {
            return self.write_folder(files);
        };
        let file = self.file.clone().unwrap_or_else(|| (*name).to_owned());
        refuse_existing(&file)?;
        write_file(&file, text)?;
        Ok(Reply {
            text: format!("wrote {file}; try `quotient check {file}`\n"),
            result: json!({ "file": file }),
            ..Reply::default()
        })
    }

    /// An example of several files becomes a folder.
    fn write_folder(&self, files: &[(&str, &str)]) -> Result<Reply, Failure> {
        let own = self.name.clone().unwrap_or_default();
        let folder = self.file.clone().unwrap_or(own);
        refuse_existing(&folder)?;
        let make = |folder: &Path| {
            std::fs::create_dir_all(folder).map_err(|error| {
                let message = format!("cannot make the folder `{}`: {error}", folder.display());
                Diagnostic::error("unwritable", message)
            })
        };
        let mut paths: Vec<String> = Vec::new();
        for (name, text) in files {
            let path = Path::new(&folder).join(name);
            make(path.parent().unwrap_or(Path::new("")))?;
            let path = path.to_string_lossy().into_owned();
            write_file(&path, text)?;
            paths.push(path);
        }
        let check = match files.iter().any(|(name, _)| *name == "problem.toml") {
            true => folder.clone(),
            false => beside(&paths, files),
        };
        Ok(Reply {
            text: format!("wrote {folder}; try `quotient check {check}`\n"),
            result: json!({ "file": folder, "files": paths }),
            ..Reply::default()
        })
    }
}

/// How a model whose properties are in files beside it is checked, with the settings that these
/// tell after `Try`.
fn beside(paths: &[String], files: &[(&str, &str)]) -> String {
    let Some((model, others)) = paths.split_first() else {
        return String::new();
    };
    let mut command = model.clone();
    for (path, (_, text)) in others.iter().zip(files.iter().skip(1)) {
        command.push_str(&format!(" --properties {path}"));
        let told = text
            .split_once("// Try `")
            .and_then(|(_, rest)| rest.split_once('`'));
        if let Some((settings, _)) = told {
            command.push_str(&format!(" {settings}"));
        }
    }
    command
}

fn refuse_existing(file: &str) -> Result<(), Diagnostic> {
    match Path::new(file).exists() {
        false => Ok(()),
        true => Err(
            Diagnostic::error("file-exists", format!("`{file}` exists already"))
                .help("name another file: `quotient new NAME FILE`"),
        ),
    }
}

fn list(abouts: &[&'static About]) -> Reply {
    let all = || abouts.iter().flat_map(|about| about.examples);
    let width = all().map(|example| example.name.chars().count()).max();
    let width = width.unwrap_or(0);
    let line = |example: &Example| {
        let title = wrap_indented(example.title, 76 - width, width + 4);
        format!("  {:<width$}  {title}\n", example.name)
    };
    let mut text = String::new();
    for about in abouts.iter().filter(|about| !about.examples.is_empty()) {
        text.push_str(&format!("{} ({})\n", about.name, about.id));
        text.extend(about.examples.iter().map(line));
    }
    let names: Vec<&str> = all().map(|example| example.name).collect();
    Reply {
        text,
        result: json!({ "gallery": names }),
        ..Reply::default()
    }
}
