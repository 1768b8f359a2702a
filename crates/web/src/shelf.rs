//! The folder that is served: what is in it can be listed, read and written, and nothing else.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

/// The most files that are listed.
const MOST_FILES: usize = 2_000;
/// The most entries that are looked at to list them.
const MOST_ENTRIES: usize = 20_000;
/// How deep folders are looked into.
const DEEPEST: usize = 8;
/// The most bytes of a file that is shown.
pub(crate) const MOST_BYTES: u64 = 4 << 20;

/// The folder that is served.
#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    /// Without links and `..`; none where there are no files but those that are sent along.
    root: Option<PathBuf>,
}

/// A file of the folder.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Entry {
    /// Its path from the folder, with `/`.
    pub(crate) path: String,
    pub(crate) bytes: u64,
}

impl Shelf {
    pub(crate) fn at(folder: &Path) -> std::io::Result<Shelf> {
        let root = folder.canonicalize()?;
        match root.is_dir() {
            true => Ok(Shelf { root: Some(root) }),
            false => Err(std::io::ErrorKind::NotADirectory.into()),
        }
    }

    /// No folder at all.
    pub(crate) fn none() -> Shelf {
        Shelf { root: None }
    }

    /// The name of the folder, for people.
    pub(crate) fn name(&self) -> String {
        let Some(root) = &self.root else {
            return "this browser".to_owned();
        };
        let name = root.file_name();
        name.map_or_else(
            || "/".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The files whose names are wanted, in folders too; hidden ones are left out. Also whether
    /// there are more than can be listed.
    pub(crate) fn list(&self, wanted: &dyn Fn(&str) -> bool) -> (Vec<Entry>, bool) {
        let mut found = Vec::new();
        let mut met = 0;
        let mut waiting = Vec::new();
        waiting.extend(self.root.clone().map(|root| (root, String::new(), 0)));
        let mut more = false;
        while let Some((folder, seen, depth)) = waiting.pop() {
            let Ok(entries) = std::fs::read_dir(folder) else {
                continue;
            };
            for entry in entries.flatten() {
                met += 1;
                if met > MOST_ENTRIES || found.len() >= MOST_FILES {
                    more = true;
                    break;
                }
                let name = entry.file_name().to_string_lossy().into_owned();
                let hidden = name.starts_with('.');
                let heap = matches!(name.as_str(), "target" | "node_modules");
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                let path = match seen.is_empty() {
                    true => name.clone(),
                    false => format!("{seen}/{name}"),
                };
                // Links are followed when they are opened, if they stay inside.
                if hidden || (kind.is_dir() && (heap || depth >= DEEPEST)) {
                } else if kind.is_dir() {
                    waiting.push((entry.path(), path, depth + 1));
                } else if wanted(&name) {
                    let inside = self.inside(&path).and_then(|real| real.metadata().ok());
                    if let Some(data) = inside.filter(std::fs::Metadata::is_file) {
                        let bytes = data.len();
                        found.push(Entry { path, bytes });
                    }
                }
            }
        }
        found.sort_by(|left, right| left.path.cmp(&right.path));
        (found, more)
    }

    /// Where a path leads, if it is a thing inside.
    pub(crate) fn inside(&self, path: &str) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let real = root.join(plain(path)?).canonicalize().ok()?;
        real.starts_with(root).then_some(real)
    }

    /// The bytes of a file inside.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let real = self.inside(path).ok_or("there is no such file")?;
        let kind = real.metadata().map_err(|error| error.to_string())?;
        if !kind.is_file() {
            return Err("it is no regular file".to_owned());
        }
        let file = std::fs::File::open(real).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        match bytes.len() as u64 > MOST_BYTES {
            true => Err("the file is too large for the page".to_owned()),
            false => Ok(bytes),
        }
    }

    /// Writes a file inside, all of it or nothing. Its folder must be there.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        const OUTSIDE: &str = "it does not lie inside the folder that is served";
        let root = self.root.as_ref().ok_or(OUTSIDE)?;
        let path = plain(path).ok_or(OUTSIDE)?;
        let name = path.file_name().ok_or(OUTSIDE)?;
        if name.to_string_lossy().starts_with('.') {
            return Err("hidden files are not written".to_owned());
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = root.join(folder).canonicalize();
        let folder = folder.map_err(|_| "there is no such folder")?;
        if !folder.starts_with(root) {
            return Err(OUTSIDE.to_owned());
        }
        let mut target = folder.join(name);
        // A link is written through, if it stays inside.
        if target.symlink_metadata().is_ok() {
            target = target.canonicalize().map_err(|_| OUTSIDE)?;
            if !target.starts_with(root) || !target.is_file() {
                return Err(OUTSIDE.to_owned());
            }
        }
        quotient_workbench::write_bytes(&target, bytes).map_err(|error| error.to_string())
    }
}

/// A path of names only.
fn plain(path: &str) -> Option<&Path> {
    let path = Path::new(path);
    let mut parts = path.components();
    let names = parts.all(|part| matches!(part, Component::Normal(_)));
    (names && !path.as_os_str().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Shelf) {
        let place = tempfile::tempdir().unwrap();
        let inside = place.path().join("models");
        std::fs::create_dir_all(inside.join("deep")).unwrap();
        std::fs::write(place.path().join("secret.smv"), "secret").unwrap();
        std::fs::write(inside.join("a.smv"), "a").unwrap();
        std::fs::write(inside.join("deep/b.smv"), "b").unwrap();
        std::fs::write(inside.join(".hidden.smv"), "h").unwrap();
        let shelf = Shelf::at(&inside).unwrap();
        (place, shelf)
    }

    #[test]
    fn files_inside_are_listed_read_and_written() {
        let (_place, shelf) = place();
        let (files, more) = shelf.list(&|name| name.ends_with(".smv"));
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.smv", "deep/b.smv"]);
        assert!(!more);
        shelf.write("deep/c.smv", b"c").unwrap();
        shelf.write("deep/c.smv", b"d").unwrap();
        assert_eq!(shelf.read("deep/c.smv").unwrap(), b"d");
        let long = format!("{}.smv", "n".repeat(251));
        shelf.write(&long, b"e").unwrap();
        assert_eq!(shelf.read(&long).unwrap(), b"e");
    }

    #[cfg(unix)]
    #[test]
    fn whoever_could_not_read_a_file_still_cannot() {
        use std::os::unix::fs::PermissionsExt;
        let (place, shelf) = place();
        let path = place.path().join("models/a.smv");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        shelf.write("a.smv", b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn nothing_leads_out() {
        let (place, shelf) = place();
        for path in [
            "../secret.smv",
            "/etc/hostname",
            "deep/../../secret.smv",
            "",
            ".",
        ] {
            assert!(shelf.read(path).is_err(), "{path}");
            assert!(shelf.write(path, b"x").is_err(), "{path}");
        }
        assert!(shelf.write("none/x.smv", b"x").is_err());
        assert!(shelf.write(".profile", b"x").is_err());
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(
                place.path().join("secret.smv"),
                place.path().join("models/link.smv"),
            )
            .unwrap();
            symlink(place.path(), place.path().join("models/up")).unwrap();
            assert!(shelf.read("link.smv").is_err());
            assert!(shelf.write("link.smv", b"x").is_err());
            assert!(shelf.read("up/secret.smv").is_err());
            assert!(shelf.write("up/new.smv", b"x").is_err());
            let (files, _) = shelf.list(&|_| true);
            assert!(files.iter().all(|file| !file.path.contains("link")));
        }
        let secret = std::fs::read(place.path().join("secret.smv")).unwrap();
        assert_eq!(secret, b"secret");
    }
}
