//! `quotient serve [FOLDER]`

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quotient_core::Diagnostic;
use quotient_web::{Options, Server};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;
use quotient_workbench::units;

/// Open the workbench as a page in the browser.
///
/// The page edits and checks the models of a folder. Only this machine can open it, by the link
/// that is printed; Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient serve
  quotient serve models/ --runs 4 --run-timeout 10m
  quotient serve lock.protocol --no-open")]
pub(crate) struct Serve {
    /// The folder whose models may be read and written, or a file in it.
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Where to listen; other addresses than 127.0.0.1 let other machines in.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: String,
    /// How many runs work at a time; others wait.
    #[arg(long, value_name = "N", default_value_t = 2)]
    runs: usize,
    /// How long a run may take.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = units::duration)]
    run_timeout: Duration,
    /// How much memory may be used before a run is ended.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::size)]
    run_memory: u64,
    /// Only print the link, and open no browser.
    #[arg(long)]
    no_open: bool,
}

impl Serve {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let options = Options {
            folder: self.folder.clone(),
            listen: self.listen.clone(),
            runs: self.runs,
            run_time: self.run_timeout,
            run_memory: Some(self.run_memory),
        };
        let server = Server::bind(&options, session.workbench.clone()).map_err(|error| {
            let folder = self.folder.display();
            let message = format!("cannot serve `{folder}` on {}: {error}", self.listen);
            Diagnostic::error("unservable", message)
                .help("check that the folder is there and the address is free")
        })?;
        let link = server.link();
        println!("{link}");
        if !server.address().ip().is_loopback() {
            eprintln!("warning: other machines can reach this address; the link is the only key");
        }
        if !self.no_open && std::io::stdout().is_terminal() {
            open(&link);
        }
        server.run(&session.budget);
        Ok(Reply::default())
    }
}

/// Asks the desktop to open a link; without one nothing happens, and the link is printed.
fn open(link: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let silent = std::process::Stdio::null;
    let _ = std::process::Command::new(program)
        .arg(link)
        .stdin(silent())
        .stdout(silent())
        .stderr(silent())
        .spawn();
}
