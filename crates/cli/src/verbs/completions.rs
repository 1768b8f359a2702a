//! `quotient completions SHELL`

use clap::Args;
use clap_complete::Shell;
use serde_json::json;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// Print a script that completes the command line in a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient completions bash > ~/.local/share/bash-completion/completions/quotient
  quotient completions zsh > ~/.zfunc/_quotient
  quotient completions fish > ~/.config/fish/completions/quotient.fish")]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut session.command.clone(),
            "quotient",
            &mut script,
        );
        let script = String::from_utf8_lossy(&script).into_owned();
        Ok(Reply {
            result: json!({ "shell": self.shell.to_string(), "script": script }),
            product: Some(script.into()),
            ..Reply::default()
        })
    }
}
