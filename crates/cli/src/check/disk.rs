//! Files beside a problem, read from the disk.

use std::path::{Path, PathBuf};

use quotient_core::Diagnostic;
use quotient_language::Files;

/// The folder of a problem: paths in the problem are seen from here.
#[derive(Debug)]
pub(super) struct Disk {
    folder: PathBuf,
    /// The most bytes that a file may have.
    most: u64,
}

impl Disk {
    /// The folder in which a file lies.
    pub(super) fn beside(file: &str, most: usize) -> Disk {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        Disk::at(folder, most)
    }

    /// A folder.
    pub(super) fn at(folder: impl Into<PathBuf>, most: usize) -> Disk {
        Disk {
            folder: folder.into(),
            most: most as u64,
        }
    }

    /// The names of the files in the folder, sorted.
    pub(super) fn names(&self) -> Result<Vec<String>, Diagnostic> {
        let entries = std::fs::read_dir(&self.folder).map_err(|error| {
            let message = format!(
                "cannot read the folder `{}`: {error}",
                self.folder.display()
            );
            Diagnostic::error("unreadable", message)
        })?;
        let mut names: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    /// Configurations of the original tool mean paths as seen from where it was started.
    fn resolve(&self, path: &str) -> PathBuf {
        let beside = self.folder.join(path);
        match beside.exists() || !Path::new(path).exists() {
            true => beside,
            false => PathBuf::from(path),
        }
    }
}

impl Files for Disk {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        use std::io::Read;
        let explain = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        let file = std::fs::File::open(self.resolve(path)).map_err(explain)?;
        let mut bytes = Vec::new();
        // One byte more than allowed is enough for the reader to refuse it.
        file.take(self.most + 1)
            .read_to_end(&mut bytes)
            .map_err(explain)?;
        Ok(bytes)
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        let whole = self.folder.join(pattern);
        let found = glob::glob(&whole.to_string_lossy()).map_err(|error| error.msg.to_owned())?;
        Ok(found
            .flatten()
            .map(|path| {
                let seen_from_here = path.strip_prefix(&self.folder).unwrap_or(&path);
                seen_from_here.to_string_lossy().into_owned()
            })
            .collect())
    }
}
