//! `quotient man`

use std::path::Path;

use clap::{Args, Command};
use serde_json::json;

use crate::failure::Failure;
use crate::outputs::write_file;
use crate::reply::Reply;
use crate::session::Session;

/// Print the manual page, or write the pages of all verbs into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient man | man -l -
  quotient man --dir ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write the pages of all verbs into this folder.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<String>,
}

impl Man {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut command = session.command.clone();
        command.build();
        let Some(folder) = &self.dir else {
            let page = page(&command);
            return Ok(Reply {
                result: json!({ "page": page }),
                product: Some(page.into()),
                ..Reply::default()
            });
        };
        let mut files = Vec::new();
        pages(&command, "quotient", &mut |name, page| {
            let path = Path::new(folder).join(format!("{name}.1"));
            let path = path.to_string_lossy().into_owned();
            write_file(&path, &page)?;
            files.push(path);
            Ok(())
        })?;
        Ok(Reply {
            text: format!("wrote {} pages to {folder}\n", files.len()),
            result: json!({ "files": files }),
            ..Reply::default()
        })
    }
}

/// The page of a command and those of its subcommands, named `quotient-automata-include`.
fn pages(
    command: &Command,
    name: &str,
    write: &mut impl FnMut(&str, String) -> Result<(), Failure>,
) -> Result<(), Failure> {
    write(name, page(command))?;
    for verb in command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
    {
        pages(verb, &format!("{name}-{}", verb.get_name()), write)?;
    }
    Ok(())
}

fn page(command: &Command) -> String {
    let mut out = Vec::new();
    // Writing to a vector cannot fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
