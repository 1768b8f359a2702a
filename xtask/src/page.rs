//! The page of `quotient serve`: that the committed assets are what its sources build, and that it
//! works in a real browser.

use crate::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::supply::root;

/// How the command is built that the browser talks to.
pub(crate) enum Built {
    /// By itself.
    Alone,
    /// As the tests have just built it: with the same features of all packages, so that nothing is
    /// compiled again.
    WithTests,
}

impl Built {
    fn arguments(&self) -> &'static [&'static str] {
        match self {
            Built::Alone => &["build", "--quiet", "--locked", "--package", "quotient-cli"],
            Built::WithTests => &["test", "--quiet", "--locked", "--workspace", "--no-run"],
        }
    }
}

/// Checks the assets, then the page in a browser. What cannot be done here is said and left out.
pub(crate) fn page(built: &Built) -> bool {
    let folder = root().join("crates/web/page");
    if !works(Command::new("node").arg("--version")) || !works(Command::new("npm").arg("--version"))
    {
        println!("== page: left out, as there is no Node here (node and npm, 20 or newer)");
        return true;
    }
    println!("== page: its assets and its behaviour in a browser");
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    let fresh = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    if fresh(&installed) < fresh(&lock) {
        let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        if !works(Command::new("npm").args(install).current_dir(&folder)) {
            println!("== page: left out, as its packages cannot be fetched (npm ci)");
            return true;
        }
    }
    assets(&folder) && browser(&folder, built)
}

/// Builds the page anew and compares.
fn assets(folder: &Path) -> bool {
    if !shown(
        Command::new("npm")
            .args(["run", "--silent", "types"])
            .current_dir(folder),
    ) {
        eprintln!("the types of the page are wrong");
        return false;
    }
    let out = root().join("target/page");
    if !shown(
        Command::new("node")
            .arg("build.mjs")
            .arg(&out)
            .current_dir(folder),
    ) {
        eprintln!("the page cannot be built");
        return false;
    }
    let committed = root().join("crates/web/assets");
    let differs = |name: &&str| {
        let read = |place: &PathBuf| std::fs::read(place.join(name)).ok();
        read(&out).is_none() || read(&out) != read(&committed)
    };
    let other: Vec<&str> = ["index.html", "app.js", "app.css", "icon.svg", "worker.js"]
        .into_iter()
        .filter(differs)
        .collect();
    if !other.is_empty() {
        eprintln!(
            "crates/web/assets is not what crates/web/page builds ({}): run `npm run build` there",
            other.join(", ")
        );
    }
    other.is_empty()
}

/// Drives the page in Chromium.
fn browser(folder: &Path, built: &Built) -> bool {
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    if !works(Command::new(&chromium).arg("--version")) {
        // Only who may install packages can; anybody else hears how.
        let update = ["update", "--quiet"];
        let install = [
            "install",
            "--yes",
            "--quiet",
            "--no-install-recommends",
            "chromium",
        ];
        let _ = works(Command::new("apt-get").args(update))
            && works(
                Command::new("apt-get")
                    .args(install)
                    .env("DEBIAN_FRONTEND", "noninteractive"),
            );
    }
    if !works(Command::new(&chromium).arg("--version")) {
        println!(
            "== page: the browser is left out: no Chromium (CHROMIUM=PATH, or Debian's package)"
        );
        return true;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root().join("target"));
    let binary = target.join("debug/quotient");
    shown(cargo().args(built.arguments()).current_dir(root()))
        && shown(
            Command::new("node")
                .arg("browser/run.mjs")
                .arg(&binary)
                .env("CHROMIUM", &chromium)
                .current_dir(folder),
        )
        && alone(folder, &binary, &chromium)
}

/// The page with the engines inside, next to the server.
fn alone(folder: &Path, binary: &Path, chromium: &str) -> bool {
    if !crate::alone::possible() {
        println!(
            "== page: without a server it is left out: {}",
            crate::alone::INSTALL
        );
        return true;
    }
    let out = root().join("target/static");
    if let Err(error) = crate::alone::write(&out, None) {
        eprintln!("the page without a server: {error}");
        return false;
    }
    shown(
        Command::new("node")
            .arg("browser/run.mjs")
            .arg(binary)
            .arg("--static")
            .arg(out)
            .env("CHROMIUM", chromium)
            .current_dir(folder),
    )
}

/// Whether a command works; what it says is not shown.
fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The same, with what it says.
fn shown(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
