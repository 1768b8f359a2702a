//! `quotient watch MODEL`

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use clap::Args;
use quotient_core::Diagnostic;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Check a model whenever it is saved, until Ctrl-C.
///
/// Takes all that `quotient check` takes, behind the model.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient watch lock.protocol
  quotient watch model.smv --property 2 --timeout 10s")]
pub(crate) struct Watch {
    /// The model: a file or a folder.
    model: String,
    /// What `quotient check` is to be told.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Watch {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut seen = Vec::new();
        let mut check: Option<Child> = None;
        if !Path::new(&self.model).exists() {
            eprintln!(
                "-- there is no `{}` yet: waiting for it (Ctrl-C ends)",
                self.model
            );
        }
        while session.budget.poll().is_ok() {
            let now = stamps(Path::new(&self.model));
            // A file that is just being written may be gone for a moment.
            if now != seen && (!now.is_empty() || check.is_none()) {
                end(check.take());
                eprintln!("-- {} (Ctrl-C ends)", self.model);
                check = Some(begin()?);
                seen = now;
            }
            std::thread::sleep(EVERY);
        }
        end(check);
        Ok(Reply::default())
    }
}

/// Starts `quotient check` with the same arguments.
fn begin() -> Result<Child, Diagnostic> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(verb) = arguments.iter_mut().find(|one| *one == "watch") {
        *verb = "check".into();
    }
    let started = std::env::current_exe().and_then(|own| Command::new(own).args(arguments).spawn());
    started.map_err(|error| Diagnostic::error("unservable", format!("cannot check: {error}")))
}

fn end(check: Option<Child>) {
    if let Some(mut check) = check {
        let _ = check.kill();
        let _ = check.wait();
    }
}

/// When a file, or each file of a folder, was last written, and how long it is.
fn stamps(path: &Path) -> Vec<(Option<SystemTime>, u64)> {
    let stamp = |path: &Path| {
        let facts = std::fs::metadata(path).ok()?;
        Some((facts.modified().ok(), facts.len()))
    };
    match std::fs::read_dir(path) {
        Ok(entries) => {
            let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            paths.iter().filter_map(|path| stamp(path)).collect()
        }
        Err(_) => stamp(path).into_iter().collect(),
    }
}
