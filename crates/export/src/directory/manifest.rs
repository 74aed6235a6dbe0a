//! The manifest of a directory of tables: a JSON object a line for each input.
//!
//! A line is appended when its files are complete; the last line of a path counts. At the end of a
//! run, lines that a later one replaces are removed. A lock file lets one process write at a time.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The name of the manifest, and of its lock file.
const NAME: &str = "manifest.ndjson";
const LOCK: &str = ".manifest.lock";

/// The manifest of a directory.
pub struct Manifest {
    path: PathBuf,
    lock: File,
    /// The sets of the inputs that were there at the beginning, by their paths.
    known: HashMap<String, Option<String>>,
}

/// The line of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// As it was given.
    pub path: String,
    /// Its length.
    pub bytes: Option<u64>,
    /// The BLAKE3 hash of its contents, as 64 hexadecimal digits.
    pub hash: Option<String>,
    /// Packets of the captures.
    pub packets: u64,
    /// Messages in them; unknown before they were read.
    pub messages: Option<u64>,
    /// The times of its earliest and its latest packet, RFC 3339 in UTC.
    pub first_time: Option<String>,
    /// The time of the last packet.
    pub last_time: Option<String>,
    /// Whether it was read to its end, and is not damaged.
    pub whole: bool,
    /// The position of the first damage, in bytes of the uncompressed capture.
    pub damaged_at: Option<u64>,
    /// Why it was left out.
    pub unreadable: Option<String>,
    /// The name of its files, without the extension; inputs that were read together have one.
    pub set: Option<String>,
    /// How many rows each table of the set has; of inputs that were read together, in the line of
    /// the first.
    pub rows: Option<BTreeMap<String, u64>>,
    /// What was damaged or left out in the set, in words; where `rows` are.
    pub warnings: Vec<String>,
    /// The version of the program that wrote it.
    pub version: String,
    /// How long the set took.
    pub milliseconds: u64,
}

/// The manifest cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", .path.display())]
pub struct ManifestError {
    path: PathBuf,
    source: io::Error,
}

impl Manifest {
    /// Opens the manifest of a directory, and reads the inputs that it has.
    ///
    /// # Errors
    /// If the manifest cannot be read or written.
    pub fn open(directory: &Path) -> Result<Self, ManifestError> {
        let path = directory.join(NAME);
        let at = directory.join(LOCK);
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&at);
        let lock = lock.map_err(|source| ManifestError { path: at, source })?;
        let mut manifest = Self { path, lock, known: HashMap::new() };
        let text = manifest.locked(Self::read_text)?;
        let known = text.lines().filter_map(entry);
        manifest.known = known.map(|ManifestEntry { path, set, .. }| (path, set)).collect();
        Ok(manifest)
    }

    /// Whether a directory has a lock file.
    pub fn has_lock(directory: &Path) -> bool {
        directory.join(LOCK).exists()
    }

    /// Removes the lock file of a directory that has no manifest.
    pub fn remove_unused_lock(directory: &Path) {
        if !directory.join(NAME).exists() {
            _ = std::fs::remove_file(directory.join(LOCK));
        }
    }

    /// The set of this path at the beginning.
    pub fn set_of(&self, path: &str) -> Option<&str> {
        self.known.get(path)?.as_deref()
    }

    /// The set that this path had at the beginning, if it was another one than `set`, and no other
    /// path has it.
    pub fn left_by(&mut self, path: &str, set: &str) -> Option<String> {
        let old = self.known.get_mut(path)?.take_if(|old| old != set)?;
        (!self.known.values().flatten().any(|known| *known == old)).then_some(old)
    }

    /// Adds lines.
    ///
    /// # Errors
    /// If the manifest cannot be read or written.
    pub fn add_entries(&self, entries: &[ManifestEntry]) -> Result<(), ManifestError> {
        let mut lines = Vec::new();
        for entry in entries {
            let written = serde_json::to_writer(&mut lines, entry).map_err(io::Error::from);
            written.map_err(|source| self.error(source))?;
            lines.push(b'\n');
        }
        self.locked(|path| {
            let mut open = OpenOptions::new();
            let mut file = open.read(true).write(true).create(true).truncate(false).open(path)?;
            // What a process left that was killed while it wrote.
            let end = end_of_lines(&mut file)?;
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end))?;
            file.write_all(&lines)
        })
    }

    /// The line of the first input of a set.
    ///
    /// # Errors
    /// If the manifest cannot be read or written.
    pub fn of_set(&self, set: &str) -> Result<Option<ManifestEntry>, ManifestError> {
        let text = self.locked(Self::read_text)?;
        let has_rows =
            |entry: &ManifestEntry| entry.set.as_deref() == Some(set) && entry.rows.is_some();
        Ok(text.lines().rev().filter_map(entry).find(has_rows))
    }

    /// Removes lines that a later one replaces.
    ///
    /// # Errors
    /// If the manifest cannot be read or written.
    pub fn finish(&self) -> Result<(), ManifestError> {
        self.locked(|path| {
            let text = Self::read_text(path)?;
            let mut seen = HashSet::new();
            let is_last = |line: &&str| entry(line).is_none_or(|entry| seen.insert(entry.path));
            let mut kept: Vec<_> = text.lines().rev().filter(is_last).collect();
            if kept.len() == text.lines().count() {
                return Ok(());
            }
            kept.reverse();
            let folder = path.parent().unwrap_or(Path::new("."));
            let mut file = super::super::output::temporary(folder)?;
            kept.iter().try_for_each(|line| writeln!(file, "{line}"))?;
            file.persist(path).map(drop).map_err(|error| error.error)
        })
    }

    /// The whole lines of a manifest; empty if there is none.
    fn read_text(path: &Path) -> io::Result<String> {
        match std::fs::read(path) {
            Ok(bytes) => {
                let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                Ok(String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(error),
        }
    }

    /// Does something with the manifest while no other process does.
    fn locked<T>(&self, does: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, ManifestError> {
        match self.lock.lock() {
            // File systems without locks have one process at a time.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            locked => locked.map_err(|source| self.error(source))?,
        }
        let done = does(&self.path).map_err(|source| self.error(source));
        // Closing the file unlocks it too.
        _ = self.lock.unlock();
        done
    }

    fn error(&self, source: io::Error) -> ManifestError {
        ManifestError { path: self.path.clone(), source }
    }
}

/// What a line says; nothing if it is not one of a manifest.
fn entry(line: &str) -> Option<ManifestEntry> {
    serde_json::from_str(line).ok()
}

/// The position behind the last line break.
fn end_of_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut byte = [0];
    while end > 0 {
        file.seek(SeekFrom::Start(end - 1))?;
        file.read_exact(&mut byte)?;
        if byte == *b"\n" {
            break;
        }
        end -= 1;
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, set: &str) -> ManifestEntry {
        let rows = Some(BTreeMap::from([("messages".to_owned(), 7)]));
        let (path, set) = (path.to_owned(), Some(set.to_owned()));
        ManifestEntry { path, set, rows, whole: true, ..ManifestEntry::default() }
    }

    fn paths(folder: &Path) -> Vec<(String, Option<String>)> {
        let text = std::fs::read_to_string(folder.join(NAME)).unwrap();
        text.lines().filter_map(entry).map(|entry| (entry.path, entry.set)).collect()
    }

    fn values_of(lines: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
        lines.iter().map(|(path, set)| ((*path).to_owned(), Some((*set).to_owned()))).collect()
    }

    #[test]
    fn the_last_line_of_a_path_counts_and_the_others_go_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::open(folder.path()).unwrap();
        manifest.add_entries(&[line("a", "a-1"), line("b", "b-1")]).unwrap();
        manifest.add_entries(&[line("a", "a-2")]).unwrap();
        assert_eq!(paths(folder.path()), values_of(&[("a", "a-1"), ("b", "b-1"), ("a", "a-2")]));
        assert_eq!(Manifest::open(folder.path()).unwrap().set_of("a"), Some("a-2"));
        manifest.finish().unwrap();
        assert_eq!(paths(folder.path()), values_of(&[("b", "b-1"), ("a", "a-2")]));
        // Nothing is to be removed: the file stays as it is.
        let before = std::fs::metadata(folder.path().join(NAME)).unwrap().modified().unwrap();
        manifest.finish().unwrap();
        let after = std::fs::metadata(folder.path().join(NAME)).unwrap().modified().unwrap();
        assert_eq!(before, after);
    }

    #[test]
    fn half_a_line_of_a_process_that_was_killed_is_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        for left in ["{\"path\":\"half", "\n", "not JSON\n", "{\"path\":1}\n{\"pa"] {
            std::fs::write(&path, left).unwrap();
            let manifest = Manifest::open(folder.path()).unwrap();
            assert!(manifest.known.is_empty(), "{left:?}");
            manifest.add_entries(&[line("a", "a-1")]).unwrap();
            manifest.finish().unwrap();
            assert_eq!(paths(folder.path()), values_of(&[("a", "a-1")]), "{left:?}");
        }
    }

    #[test]
    fn only_a_set_that_no_other_path_has_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::open(folder.path()).unwrap();
        let unread = ManifestEntry { path: "c".to_owned(), ..ManifestEntry::default() };
        let copy = ManifestEntry { rows: None, ..line("b", "a-1") };
        manifest.add_entries(&[line("a", "a-1"), copy, unread, line("d", "d-1")]).unwrap();
        let mut later = Manifest::open(folder.path()).unwrap();
        for (path, set, left) in [
            ("a", "a-1", None),
            ("a", "a-2", None),
            // The other one is gone now, and it is left once.
            ("b", "b-1", Some("a-1")),
            ("b", "b-2", None),
            ("c", "c-1", None),
            ("d", "d-2", Some("d-1")),
            ("e", "e-1", None),
        ] {
            assert_eq!(later.left_by(path, set).as_deref(), left, "{path} {set}");
        }
        assert_eq!(later.of_set("a-1").unwrap().map(|entry| entry.path).as_deref(), Some("a"));
        assert_eq!(later.of_set("z").unwrap(), None);
    }

    #[test]
    fn processes_add_lines_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let folder = folder.path();
                scope.spawn(move || {
                    let manifest = Manifest::open(folder).unwrap();
                    for number in 0..25 {
                        let path = format!("{writer}/{number}");
                        manifest.add_entries(&[line(&path, "old")]).unwrap();
                        manifest.add_entries(&[line(&path, "new")]).unwrap();
                        manifest.finish().unwrap();
                    }
                });
            }
        });
        let mut all = paths(folder.path());
        all.sort();
        all.dedup_by(|a, b| a.0 == b.0);
        assert_eq!(all.len(), 100);
        assert!(all.iter().all(|(_, set)| set.as_deref() == Some("new")));
        assert_eq!(paths(folder.path()).len(), 100);
    }
}
