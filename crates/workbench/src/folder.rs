//! A folder on the disk that nothing escapes.

use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use quotient_core::Budget;
use quotient_language::{Files, fits_pattern};

/// Whether files outside the folder may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Only files inside, whatever `..` and links say.
    #[default]
    Inside,
    /// Any file.
    Anywhere,
}

/// The folder of a model: paths in the model are seen from here.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    access: Access,
    /// The most bytes that a file may have.
    most: u64,
    budget: Budget,
}

/// A pattern that meets more files than these is not meant.
const MOST_ENTRIES: usize = 20_000;

impl Folder {
    /// The folder at a path.
    pub fn at(path: impl Into<PathBuf>, access: Access, most: u64, budget: &Budget) -> Folder {
        let path = path.into();
        let root = match path.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => path,
        };
        Folder {
            root,
            access,
            most,
            budget: budget.clone(),
        }
    }

    /// The folder in which a file lies.
    pub fn beside(file: &str, access: Access, most: u64, budget: &Budget) -> Folder {
        let parent = Path::new(file).parent().unwrap_or(Path::new(""));
        Folder::at(parent, access, most, budget)
    }

    /// The names of the files in the folder, sorted.
    pub fn names(&self) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(&self.root).map_err(|error| explain(&error))?;
        let mut names: Vec<String> = entries
            .flatten()
            .take(MOST_ENTRIES)
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    /// Where a path leads, if it may be followed.
    fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        let beside = self.root.join(path);
        // Configurations of the original tool for words mean paths as seen from where it was
        // started.
        let candidate = match beside.exists() || !Path::new(path).exists() {
            true => beside,
            false => PathBuf::from(path),
        };
        if self.access == Access::Anywhere {
            return Ok(candidate);
        }
        let found = candidate.canonicalize().map_err(|error| explain(&error))?;
        let root = self.root.canonicalize().map_err(|error| explain(&error))?;
        match found.starts_with(root) {
            true => Ok(found),
            false => Err(OUTSIDE.to_owned()),
        }
    }

    fn walk(
        &self,
        at: &Path,
        seen: &str,
        pattern: &[&str],
        met: &mut usize,
        found: &mut Vec<String>,
    ) -> Result<(), String> {
        let [first, rest @ ..] = pattern else {
            return Ok(());
        };
        if *first == "**" {
            self.walk(at, seen, rest, met, found)?;
        }
        let entries = std::fs::read_dir(at).map_err(|error| explain(&error))?;
        for entry in entries.flatten() {
            *met += 1;
            if *met > MOST_ENTRIES {
                return Err(format!("the pattern meets more than {MOST_ENTRIES} files"));
            }
            self.budget.poll().map_err(|stop| stop.to_string())?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = match seen.is_empty() {
                true => name.clone(),
                false => format!("{seen}/{name}"),
            };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if *first == "**" {
                if is_folder {
                    self.walk(&entry.path(), &path, pattern, met, found)?;
                }
            } else if !fits_pattern(first, &name) {
            } else if rest.is_empty() {
                found.push(path);
            } else if is_folder {
                self.walk(&entry.path(), &path, rest, met, found)?;
            }
        }
        Ok(())
    }
}

const OUTSIDE: &str = "it lies outside the folder of the model (--allow-outside lets it be read)";

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let resolved = self.resolve(path)?;
        let kind = std::fs::metadata(&resolved).map_err(|error| explain(&error))?;
        if !kind.is_file() {
            return Err("it is no regular file".to_owned());
        }
        let file = std::fs::File::open(resolved).map_err(|error| explain(&error))?;
        let mut bytes = Vec::new();
        let read = file
            .take(self.most.saturating_add(1))
            .read_to_end(&mut bytes);
        read.map_err(|error| explain(&error))?;
        match bytes.len() as u64 > self.most {
            true => Err(format!(
                "it is larger than {} bytes, the most allowed",
                self.most
            )),
            false => Ok(bytes),
        }
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        let is_wild = |text: &str| text.contains(['*', '?', '[']);
        if !is_wild(pattern) {
            let there = self.resolve(pattern).is_ok_and(|path| path.exists());
            return Ok(there.then(|| pattern.to_owned()).into_iter().collect());
        }
        // What stands before the first pattern is a folder.
        let parts: Vec<&str> = pattern.split('/').filter(|part| *part != ".").collect();
        let fixed = parts.iter().take_while(|part| !is_wild(part)).count();
        let prefix = parts[..fixed].join("/");
        let prefix = match (pattern.starts_with('/'), prefix.is_empty()) {
            (true, _) => format!("/{}", prefix.trim_start_matches('/')),
            (false, _) => prefix,
        };
        let leads_out = Path::new(&prefix)
            .components()
            .any(|part| matches!(part, Component::ParentDir | Component::RootDir));
        if leads_out && self.access == Access::Inside {
            return Err(OUTSIDE.to_owned());
        }
        let start = self.root.join(&prefix);
        if !start.is_dir() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        self.walk(&start, &prefix, &parts[fixed..], &mut 0, &mut found)?;
        found.sort();
        Ok(found)
    }
}

fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let inside = place.path().join("model");
        std::fs::create_dir_all(inside.join("deep/er")).unwrap();
        for name in ["a.tmb", "b.tmb", "deep/c.tmb", "deep/er/d.tmb", "../secret"] {
            std::fs::write(inside.join(name), name).unwrap();
        }
        let folder = Folder::at(inside, Access::Inside, 100, &Budget::unlimited());
        (place, folder)
    }

    #[test]
    fn files_inside_are_read_and_found() {
        let (_place, mut folder) = place();
        assert_eq!(folder.read("deep/c.tmb").unwrap(), b"deep/c.tmb");
        assert_eq!(folder.find("*.tmb").unwrap(), ["a.tmb", "b.tmb"]);
        assert_eq!(folder.find("deep/*.tmb").unwrap(), ["deep/c.tmb"]);
        assert_eq!(folder.find("**/*.tmb").unwrap().len(), 4);
        assert_eq!(folder.find("a.tmb").unwrap(), ["a.tmb"]);
        assert!(folder.find("none*").unwrap().is_empty());
    }

    #[test]
    fn nothing_outside_is_read() {
        let (place, mut folder) = place();
        assert!(folder.read("../secret").unwrap_err().contains("outside"));
        assert!(folder.read("/etc/hostname").is_err());
        assert!(folder.find("../*").is_err());
        assert!(folder.find("/e*").is_err());
        #[cfg(unix)]
        {
            let link = place.path().join("model/link");
            std::os::unix::fs::symlink(place.path().join("secret"), link).unwrap();
            assert!(folder.read("link").unwrap_err().contains("outside"));
        }
        folder.access = Access::Anywhere;
        assert_eq!(folder.read("../secret").unwrap(), b"../secret");
    }

    #[test]
    fn large_files_and_folders_are_refused() {
        let (place, mut folder) = place();
        std::fs::write(place.path().join("model/large"), [b'x'; 101]).unwrap();
        assert!(folder.read("large").unwrap_err().contains("larger"));
        assert!(folder.read("deep").unwrap_err().contains("regular"));
    }
}
