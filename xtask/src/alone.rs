//! The page with the engines inside: a folder of plain files for any web space.

use crate::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::supply::root;

const TARGET: &str = "wasm32-wasip1";
/// The engines, as the page finds them.
const ENGINES: &str = "quotient.wasm";
/// Files of the page that are taken as they are.
const FILES: &[&str] = &["app.js", "app.css", "icon.svg", "worker.js"];
/// The largest model that is laid beside the page.
const MOST_BYTES: u64 = 4 << 20;

/// What the page may load: what lies beside it, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; \
form-action 'none'";

/// Writes the folder, or says why not.
pub(crate) fn alone(options: &[&str]) -> bool {
    let (folder, models) = match *options {
        [folder] => (folder, None),
        [folder, models] => (folder, Some(Path::new(models))),
        _ => {
            eprintln!("usage: cargo xtask static FOLDER [MODELS]");
            return false;
        }
    };
    match write(Path::new(folder), models) {
        Ok(bytes) => {
            println!("{folder}: {bytes} bytes; copy it to any web space");
            println!("(to look at it here: python3 -m http.server --directory {folder})");
            true
        }
        Err(error) => {
            eprintln!("static: {error}");
            false
        }
    }
}

/// Whether the compiler has what it needs to make such a page.
pub(crate) fn possible() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let Ok(asked) = asked else { return false };
    let folder = PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim());
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|file| file.file_name())
        .any(|name| name.to_string_lossy().starts_with("libstd-"))
}

/// What to do where it is not possible.
pub(crate) const INSTALL: &str = "the compiler has no standard library for wasm32-wasip1: \
`rustup target add wasm32-wasip1` installs it (or Debian's package libstd-rust-dev-wasm32)";

/// Writes the folder and gives its size.
pub(crate) fn write(folder: &Path, models: Option<&Path>) -> Result<u64, String> {
    if !possible() {
        return Err(INSTALL.to_owned());
    }
    let is_ours = folder.join(ENGINES).is_file();
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut files| files.next().is_none());
    if !is_ours && !is_empty {
        return Err(format!(
            "{} is neither empty nor such a page",
            folder.display()
        ));
    }
    let wrong = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let found = models.map(|models| files(models).map_err(wrong(models)));
    let engines = build()?;
    std::fs::create_dir_all(folder).map_err(wrong(folder))?;
    let assets = root().join("crates/web/assets");
    let mut bytes = 0;
    let copies = FILES.iter().map(|name| (assets.join(name), *name));
    for (from, name) in copies.chain([(engines, ENGINES)]) {
        bytes += std::fs::copy(&from, folder.join(name)).map_err(wrong(&from))?;
    }
    let page = std::fs::read_to_string(assets.join("index.html")).map_err(wrong(&assets))?;
    let index = folder.join("index.html");
    std::fs::write(&index, with_engines(&page)?).map_err(wrong(&index))?;
    let listed = match (models, found) {
        (Some(models), Some(found)) => beside(folder, models, &found?).map_err(wrong(models))?,
        _ => Vec::new(),
    };
    let list = serde_json::json!({ "files": listed, "first": listed.first() });
    let index = folder.join("models.json");
    std::fs::write(&index, format!("{list:#}\n")).map_err(wrong(&index))?;
    Ok(bytes)
}

/// The page, with a word about where the engines are and what may be loaded.
fn with_engines(page: &str) -> Result<String, String> {
    let (before, after) = page
        .split_once("<title>")
        .ok_or("the page has no title any more")?;
    Ok(format!(
        "{before}<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"quotient-engines\" content=\"{ENGINES}\">\n<title>{after}"
    ))
}

/// Compiles the engines.
fn build() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root().join("target"));
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    // The paths of this machine are nobody's business.
    let flags = format!(
        "--remap-path-prefix={}=/quotient --remap-path-prefix={home}=/cargo",
        root().display()
    );
    let built = cargo()
        .args(["build", "--quiet", "--locked", "--profile", "browser"])
        .args(["--package", "quotient-browser", "--target", TARGET])
        .env("RUSTFLAGS", flags)
        .current_dir(root())
        .status();
    match built {
        Ok(status) if status.success() => Ok(target
            .join(TARGET)
            .join("browser")
            .join("quotient-browser.wasm")),
        Ok(_) => Err("the engines cannot be compiled".to_owned()),
        Err(error) => Err(format!("cargo did not run: {error}")),
    }
}

/// The texts of a folder and of those in it, by path; hidden ones are left out.
fn files(models: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![(models.to_path_buf(), String::new())];
    while let Some((folder, before)) = waiting.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{before}{name}");
            let kind = entry.file_type()?;
            if name.starts_with('.') {
            } else if kind.is_dir() {
                waiting.push((entry.path(), format!("{path}/")));
            } else if kind.is_file() && entry.metadata()?.len() <= MOST_BYTES {
                let text = std::fs::read(entry.path()).map(String::from_utf8);
                match text? {
                    Ok(_) => found.push(path),
                    Err(_) => println!("{path} is no text and is left out"),
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Lays models beside the page. Those of a former time go away.
fn beside(folder: &Path, models: &Path, found: &[String]) -> std::io::Result<Vec<String>> {
    let place = folder.join("models");
    if place.is_dir() {
        std::fs::remove_dir_all(&place)?;
    }
    for path in found {
        let to = place.join(path);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::copy(models.join(path), to)?;
    }
    Ok(found.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_where_the_engines_are() {
        let page = std::fs::read_to_string(root().join("crates/web/assets/index.html")).unwrap();
        let page = with_engines(&page).unwrap();
        assert!(
            page.contains("<meta name=\"quotient-engines\" content=\"quotient.wasm\">\n<title>")
        );
        assert!(with_engines("<p>another page").is_err());
    }

    #[test]
    fn models_are_found_in_folders_too() {
        let place = std::env::temp_dir().join(format!("quotient-static-{}", std::process::id()));
        std::fs::create_dir_all(place.join("from/deep")).unwrap();
        for (path, text) in [
            ("b.x", &b"b"[..]),
            ("deep/a.x", b"a"),
            (".c.x", b"c"),
            ("d.x", b"\xff"),
        ] {
            std::fs::write(place.join("from").join(path), text).unwrap();
        }
        let found = files(&place.join("from")).unwrap();
        assert_eq!(found, ["b.x", "deep/a.x"]);
        let page = place.join("page");
        std::fs::create_dir_all(page.join("models/old")).unwrap();
        beside(&page, &place.join("from"), &found).unwrap();
        assert_eq!(std::fs::read(page.join("models/deep/a.x")).unwrap(), b"a");
        assert!(!page.join("models/old").exists());
        std::fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        // Whether or not it is possible here: nothing is written to it.
        let refused = write(&root().join("docs"), None);
        assert!(refused.is_err());
        assert!(!root().join("docs/index.html").exists());
    }
}
