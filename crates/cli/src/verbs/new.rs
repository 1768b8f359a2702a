//! `quotient new NAME`

use std::path::Path;

use clap::Args;
use quotient_core::Diagnostic;
use serde_json::json;

use crate::failure::Failure;
use crate::outputs::write_file;
use crate::reply::Reply;

/// Start a protocol of your own from one of the gallery.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient new                     what is in the gallery?
  quotient new mesi                write mesi.protocol into this folder
  quotient new mesi cache.protocol")]
pub(crate) struct New {
    /// Which one; without a name, the gallery is listed.
    name: Option<String>,
    /// Where to write it.
    file: Option<String>,
}

macro_rules! gallery {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/protocols/", $name, ".protocol")))),*]
    };
}

/// The protocols that come with the program, by name.
const GALLERY: &[(&str, &str)] = gallery![
    "alternating_bit",
    "alternating_bit_faulty",
    "bakery",
    "barrier",
    "berkeley",
    "bounded_buffer",
    "burns",
    "burns_faulty",
    "burns_one_by_one",
    "dijkstra",
    "dijkstra_one_by_one",
    "dragon",
    "firefly",
    "german",
    "german_faulty",
    "illinois",
    "leader_line",
    "lehmann_rabin",
    "lehmann_rabin_stubborn",
    "lossy_handshake",
    "mcs_lock",
    "mesi",
    "mesi_faulty",
    "moesi",
    "peterson",
    "peterson_faulty",
    "philosophers",
    "philosophers_all_left",
    "plotter",
    "readers_writers",
    "readers_writers_faulty",
    "reentrant_lock",
    "reentrant_lock_faulty",
    "ricart_agrawala",
    "ricart_agrawala_faulty",
    "semaphore",
    "spin_lock",
    "stabilising",
    "synapse",
    "szymanski",
    "szymanski_faulty",
    "szymanski_line3",
    "szymanski_line6",
    "szymanski_one_by_one",
    "ticket_lock",
    "token",
    "token_duplicated",
    "token_ring",
    "two_locks",
    "two_phase_commit",
    "two_phase_commit_faulty",
    "workers",
];

impl New {
    pub(super) fn run(&self) -> Result<Reply, Failure> {
        let Some(name) = &self.name else {
            return Ok(list());
        };
        let Some((_, text)) = GALLERY.iter().find(|(known, _)| known == name) else {
            let message = format!("there is no `{name}` in the gallery");
            return Err(Diagnostic::error("no-such-example", message)
                .did_you_mean(name, GALLERY.iter().map(|(known, _)| *known))
                .help("`quotient new` lists the gallery")
                .into());
        };
        let file = self
            .file
            .clone()
            .unwrap_or_else(|| format!("{name}.protocol"));
        if Path::new(&file).exists() {
            return Err(
                Diagnostic::error("file-exists", format!("`{file}` exists already"))
                    .help("name another file: `quotient new NAME FILE`")
                    .into(),
            );
        }
        write_file(&file, text)?;
        let text = format!("wrote {file}; try `quotient check {file}`\n");
        Ok(Reply {
            text,
            result: json!({ "file": file }),
            ..Reply::default()
        })
    }
}

/// What a protocol calls itself.
fn title(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("protocol "));
    line.unwrap_or_default().trim_matches('"')
}

fn list() -> Reply {
    let width = GALLERY
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    let lines = GALLERY
        .iter()
        .map(|(name, text)| format!("  {name:<width$}  {}\n", title(text)));
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    Reply {
        text: lines.collect(),
        result: json!({ "gallery": names }),
        ..Reply::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_has_every_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/protocols");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter_map(|name| name.strip_suffix(".protocol").map(str::to_owned))
            .collect();
        files.sort();
        assert_eq!(
            files,
            GALLERY.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        );
    }
}
