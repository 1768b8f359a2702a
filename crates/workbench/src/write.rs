//! Files out: written whole or not at all.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quotient_core::Diagnostic;

/// Writes a text file: beside its place first, then renamed, so that a full disk or a signal
/// leaves the old file or the new one, never a half.
pub fn write_file(path: &str, content: impl AsRef<[u8]>) -> Result<(), Diagnostic> {
    write_bytes(Path::new(path), content.as_ref()).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::TimedOut => "nobody reads from it".to_owned(),
            ErrorKind::AlreadyExists => "it is a link that leads nowhere".to_owned(),
            ErrorKind::NotFound => "its folder does not exist".to_owned(),
            ErrorKind::PermissionDenied => "permission denied".to_owned(),
            ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        Diagnostic::error("unwritable", format!("cannot write `{path}`: {why}"))
    })
}

/// The same for bytes.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    write_whole(path, bytes, &UNFINISHED)
}

/// Takes away what is being written and will not be finished, and lets nothing more be begun: for a
/// program that ends while work that it does not wait for still writes.
pub fn sweep() {
    UNFINISHED.sweep();
}

/// The files that this program is writing.
static UNFINISHED: Unfinished = Unfinished(Mutex::new(Some(Vec::new())));

/// Files that are being written; none when no more may be begun.
struct Unfinished(Mutex<Option<Vec<PathBuf>>>);

impl Unfinished {
    fn begin(&self, path: &Path) -> std::io::Result<File> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.as_mut().ok_or(ErrorKind::Interrupted)?;
        let file = File::create(path)?;
        all.push(path.to_owned());
        Ok(file)
    }

    fn end(&self, path: &Path) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(all) = all.as_mut() {
            all.retain(|one| one != path);
        }
    }

    fn sweep(&self) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for path in all.take().unwrap_or_default() {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn write_whole(path: &Path, bytes: &[u8], unfinished: &Unfinished) -> std::io::Result<()> {
    let known = std::fs::metadata(path).ok();
    // What is no regular file (a terminal, a pipe) cannot be replaced.
    if let Some(kind) = &known {
        if kind.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            return pass_on(path.to_owned(), bytes.to_vec(), PATIENCE);
        }
    } else if std::fs::symlink_metadata(path).is_ok() {
        // A file here would take the place of the link, not be where it leads.
        return Err(ErrorKind::AlreadyExists.into());
    }
    // A link stays one: the file that it leads to is replaced.
    let place = match known {
        Some(_) => std::fs::canonicalize(path)?,
        None => path.to_owned(),
    };
    let beside = beside(&place)?;
    let written = unfinished.begin(&beside).and_then(|mut file| {
        // Whoever could not read the old file cannot read the new one either.
        if let Some(kind) = &known {
            file.set_permissions(kind.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&beside, &place));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    unfinished.end(&beside);
    renamed
}

/// How long a pipe may take to accept more: whoever should read it may never do so, and what was
/// found out is still to be told.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes to what is no regular file. A pipe without a reader blocks whoever opens it, so that is done
/// by somebody else, who is left alone when nothing goes on.
fn pass_on(path: PathBuf, bytes: Vec<u8>, patience: Duration) -> std::io::Result<()> {
    const PIECE: usize = 4096;
    let (told, heard) = channel();
    std::thread::Builder::new().spawn(move || {
        let opened = std::fs::OpenOptions::new().write(true).open(path);
        let written = opened.and_then(|mut file| {
            for piece in bytes.chunks(PIECE) {
                file.write_all(piece)?;
                let _ = told.send(None);
            }
            Ok(())
        });
        let _ = told.send(Some(written));
    })?;
    loop {
        match heard.recv_timeout(patience) {
            Ok(None) => {}
            Ok(Some(written)) => return written,
            Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => return Err(ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Where a file is written before it gets its name, which may be as long as names can be.
fn beside(place: &Path) -> std::io::Result<PathBuf> {
    const MOST: usize = 40;
    let name = place.file_name().ok_or(ErrorKind::IsADirectory)?;
    let name: String = name.to_string_lossy().chars().take(MOST).collect();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    Ok(place.with_file_name(format!(".{name}.{process}.{number}.new")))
}

/// So that files with long names that begin alike do not get in each other's way.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_as_long_as_names_can_be() {
        let folder = tempfile::tempdir().unwrap();
        for last in ['a', 'b'] {
            let path = folder.path().join(format!("{}{last}", "n".repeat(254)));
            write_file(path.to_str().unwrap(), "text").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "text");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("own"), folder.path().join("link"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink("own", &link).unwrap();
        write_file(link.to_str().unwrap(), "new").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_nobody_reads_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let [unread, read] = ["unread", "read"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo")
            .args([&unread, &read])
            .status();
        if !made.is_ok_and(|made| made.success()) {
            return;
        }
        let error = write_file(unread.to_str().unwrap(), "text").unwrap_err();
        assert!(error.message.contains("nobody reads"), "{}", error.message);
        let text = "0123456789abcdef".repeat(20_000);
        let reader = std::thread::spawn({
            let read = read.clone();
            move || std::fs::read_to_string(read).unwrap()
        });
        write_file(read.to_str().unwrap(), &text).unwrap();
        assert_eq!(reader.join().unwrap(), text);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("nothing", &link).unwrap();
        let error = write_file(link.to_str().unwrap(), "text").unwrap_err();
        assert!(error.message.contains("leads nowhere"), "{}", error.message);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_finished_is_swept_away() {
        let folder = tempfile::tempdir().unwrap();
        let unfinished = Unfinished(Mutex::new(Some(Vec::new())));
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        let begun = folder.path().join(".out.json.1.new");
        drop(unfinished.begin(&begun).unwrap());
        let done = folder.path().join("done.json");
        write_whole(&done, b"done", &unfinished).unwrap();
        assert_eq!(count(), 2);
        unfinished.sweep();
        assert_eq!(std::fs::read_to_string(&done).unwrap(), "done");
        // Whoever comes later writes nothing.
        let late = write_whole(&folder.path().join("late.json"), b"late", &unfinished);
        assert_eq!(late.unwrap_err().kind(), ErrorKind::Interrupted);
        assert_eq!(count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let name = path.to_str().unwrap();
        write_file(name, "old").unwrap();
        write_file(name, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let missing = folder.path().join("no/out.json");
        let error = write_file(missing.to_str().unwrap(), "x").unwrap_err();
        assert!(error.message.contains("its folder does not exist"));
        assert!(write_file(folder.path().to_str().unwrap(), "x").is_err());
    }
}
