//! The binary that is given to others: optimised across crates, stripped, without the paths of
//! this machine, the same bytes wherever it is built.

use crate::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::supply::root;

/// A binary larger than this is not given to anybody: twenty languages have 24 MiB and tables for unwinding
/// (docs/performance.md, "Building"), and what makes it much larger is a mistake.
const MOST_BYTES: u64 = 32 << 20;

/// Builds the binary; with `--twice` also in a copy of the repository in another folder, to see
/// that the bytes are the same.
pub(crate) fn dist(options: &[&str]) -> bool {
    let twice = options == ["--twice"];
    if !options.is_empty() && !twice {
        eprintln!("usage: cargo xtask dist [--twice]");
        return false;
    }
    let here = root();
    let Some(first) = build(&here) else {
        return false;
    };
    println!("{} ({} bytes)", first.display(), size(&first));
    if size(&first) > MOST_BYTES {
        eprintln!("the binary has more than {MOST_BYTES} bytes");
        return false;
    }
    !twice || same_elsewhere(&here, &first)
}

/// Builds a copy of the repository and compares.
fn same_elsewhere(here: &Path, first: &Path) -> bool {
    let copy = std::env::temp_dir().join(format!("quotient-dist-{}", std::process::id()));
    let cloned = Command::new("git")
        .args(["clone", "--quiet"])
        .arg(here)
        .arg(&copy)
        .status()
        .is_ok_and(|status| status.success());
    let second = cloned.then(|| build(&copy)).flatten();
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

fn build(folder: &Path) -> Option<PathBuf> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    // A profile with a level of optimisation of its own for the command strips it only in part.
    let flags = format!(
        "--remap-path-prefix={}=/quotient --remap-path-prefix={home}=/cargo \
         -Cstrip=symbols -Clink-arg=-Wl,--icf=all",
        folder.display()
    );
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
