//! Runs the commands in the Markdown files of `tests/golden`, in `docs/cli.md`, `docs/ltsa.md` and
//! `docs/network.md`, and compares what they print. In a block marked `console`, a line `$ command`
//! is run by the shell in a copy of `tests/files` (`$EXAMPLES` is the folder of the examples);
//! below it stand both output streams, and `? code` if the exit code is not 0.
//! `UPDATE_GOLDEN=1 cargo test -p quotient-cli --test golden` writes the files anew.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn commands_print_what_the_golden_files_say() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(here.join("tests/golden"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.push(here.join("../../docs/cli.md"));
    files.push(here.join("../../docs/ltsa.md"));
    files.push(here.join("../../docs/network.md"));
    files.sort();
    assert!(files.len() > 5);
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for file in files {
        let expected = std::fs::read_to_string(&file).unwrap();
        let actual = replay(&expected, &here.join("tests/files"));
        if actual == expected {
            continue;
        }
        if update {
            std::fs::write(&file, actual).unwrap();
        } else {
            wrong.push(difference(&file, &expected, &actual));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same text with the outputs that the commands have now.
fn replay(text: &str, files: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(files).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut out = String::new();
    let mut in_console = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
        }
        let command = line.strip_prefix("$ ").filter(|_| in_console);
        // Old outputs are left out, new ones stand below their command.
        if !in_console || line.starts_with("```") || command.is_some() {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(command) = command {
            out.push_str(&run(command, folder.path()));
        }
    }
    out
}

fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_quotient")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env(
            "EXAMPLES",
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"),
        )
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in text.lines() {
        let for_programs = line.starts_with(['{', '<']);
        let width = line.chars().count();
        assert!(for_programs || width <= 80, "over 80 columns: {line}");
    }
    match output.status.code() {
        Some(0) => text,
        Some(code) => format!("{text}? {code}\n"),
        None => format!("{text}? killed\n"),
    }
}

/// The first lines that differ.
fn difference(file: &Path, expected: &str, actual: &str) -> String {
    let pairs = expected.lines().zip(actual.lines());
    let line = pairs
        .take_while(|(expected, actual)| expected == actual)
        .count();
    let part = |text: &str| {
        text.lines()
            .skip(line)
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    };
    format!(
        "{} differs from line {}:\n--- expected\n{}\n--- actual\n{}",
        file.display(),
        line + 1,
        part(expected),
        part(actual)
    )
}
