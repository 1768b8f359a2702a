//! The binary that is given to others: optimised across crates, stripped, without the paths of
//! this machine, the same bytes wherever it is built.

use crate::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::supply::root;

/// A binary larger than this is not given to anybody: twenty languages have 24 MiB and tables for unwinding
/// (docs/performance.md, "Building"), and what makes it much larger is a mistake.
const MOST_BYTES: u64 = 32 << 20;

/// The same for a binary of a few languages.
const FEW_BYTES: u64 = 15 << 20;
const FEW_LANGUAGES: usize = 4;

/// What was asked for.
#[derive(Default)]
struct Options<'a> {
    /// Whether it is built in a copy of the repository too.
    twice: bool,
    /// The features of the command, where it is not all languages.
    languages: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn read(words: &[&'a str]) -> Option<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--twice" => options.twice = true,
                "--languages" => options.languages = Some(words.next()?),
                _ => return None,
            }
        }
        Some(options)
    }

    fn most_bytes(&self) -> u64 {
        match self.languages {
            Some(list) if list.split(',').count() <= FEW_LANGUAGES => FEW_BYTES,
            _ => MOST_BYTES,
        }
    }
}

/// Builds the binary with all languages or some, and refuses one that is too large; or builds it
/// also in a copy of the repository in another folder, to see that the bytes are the same.
pub(crate) fn dist(words: &[&str]) -> bool {
    let Some(options) = Options::read(words) else {
        eprintln!("usage: cargo xtask dist [--twice] [--languages LIST]");
        return false;
    };
    let here = root();
    let Some(first) = build(&here, &options) else {
        return false;
    };
    let (bytes, most) = (size(&first), options.most_bytes());
    println!("{} ({bytes} bytes)", first.display());
    if bytes > most {
        eprintln!("the binary has more than {most} bytes");
        return false;
    }
    !options.twice || same_elsewhere(&here, &first, &options)
}

/// Builds a copy of the repository and compares.
fn same_elsewhere(here: &Path, first: &Path, options: &Options<'_>) -> bool {
    let copy = std::env::temp_dir().join(format!("quotient-dist-{}", std::process::id()));
    let cloned = Command::new("git")
        .args(["clone", "--quiet"])
        .arg(here)
        .arg(&copy)
        .status()
        .is_ok_and(|status| status.success());
    let second = cloned.then(|| build(&copy, options)).flatten();
    let same = second.is_some_and(|second| {
        let bytes = |path: &Path| std::fs::read(path).ok();
        bytes(first).is_some() && bytes(first) == bytes(&second)
    });
    // What is left in the folder for temporary files does no harm.
    let _ = std::fs::remove_dir_all(&copy);
    match same {
        true => println!("built twice, the same bytes"),
        false => eprintln!("two builds in two folders differ (is everything committed?)"),
    }
    same
}

fn build(folder: &Path, options: &Options<'_>) -> Option<PathBuf> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    // A profile with a level of optimisation of its own for the command strips it only in part.
    let flags = format!(
        "--remap-path-prefix={}=/quotient --remap-path-prefix={home}=/cargo \
         -Cstrip=symbols -Clink-arg=-Wl,--icf=all",
        folder.display()
    );
    let chosen = options
        .languages
        .map(|list| ["--no-default-features", "--features", list]);
    let built = cargo()
        .args([
            "build",
            "--quiet",
            "--locked",
            "--profile",
            "dist",
            "-p",
            "quotient-cli",
        ])
        .args(chosen.iter().flatten())
        .arg("--target-dir")
        .arg(folder.join("target/dist-build"))
        .env("RUSTFLAGS", flags)
        .current_dir(folder)
        .status()
        .is_ok_and(|status| status.success());
    built.then(|| folder.join("target/dist-build/dist/quotient"))
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
