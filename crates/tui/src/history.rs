//! Earlier display filters and searches, kept in a file between runs.
//!
//! Several instances share the file: an entry is added to what the file has then, under a lock on
//! its folder, and the new file replaces the old one at once. A damaged file is replaced when there
//! is something to be written.

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How many captures are kept.
const VIEWS: usize = 50;
/// How many entries of a kind are kept, and how many characters one may have.
const ENTRIES: usize = 200;
const CHARACTERS: usize = 1000;
/// A larger file is damaged: it holds more than all entries can have.
const LARGEST: u64 = 4 << 20;
const NAME: &str = "history.toml";

/// The entries, newest last, none twice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct History {
    /// Display filters.
    pub filters: Vec<String>,
    /// Searches.
    pub searches: Vec<String>,
    /// How captures were last shown, each file once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<SavedView>,
}

/// How a capture was shown when it was closed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedView {
    /// The path of the capture, absolute.
    pub file: String,
    /// The display filter; empty if there was none.
    pub filter: String,
    /// The columns of the messages.
    pub columns: Vec<String>,
    /// The name of the screen.
    pub screen: String,
    /// The number of the selected message; 0 if there was none.
    pub message: u64,
}

/// Which entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryKind {
    /// Display filters.
    Filter,
    /// Searches.
    Search,
}

impl History {
    /// The entries of a kind.
    pub fn texts_of(&self, kind: HistoryKind) -> &[String] {
        match kind {
            HistoryKind::Filter => &self.filters,
            HistoryKind::Search => &self.searches,
        }
    }

    /// Makes a text the newest entry; false if it is empty, too long, or the newest already.
    pub fn add_text(&mut self, kind: HistoryKind, text: &str) -> bool {
        let text = text.trim();
        let entries = match kind {
            HistoryKind::Filter => &mut self.filters,
            HistoryKind::Search => &mut self.searches,
        };
        let is_newest = entries.last().is_some_and(|last| last == text);
        if is_newest || text.is_empty() || text.chars().count() > CHARACTERS {
            return false;
        }
        entries.retain(|entry| entry != text);
        entries.push(text.to_owned());
        let excess = entries.len().saturating_sub(ENTRIES);
        entries.drain(..excess);
        true
    }

    /// Keeps how a capture was shown; false if that is not new, or too long.
    pub fn add_view(&mut self, view: &SavedView) -> bool {
        let texts = [&view.file, &view.filter, &view.screen].into_iter().chain(&view.columns);
        let is_long = texts.into_iter().any(|text| text.chars().count() > CHARACTERS);
        if self.views.last() == Some(view) || view.file.is_empty() || is_long {
            return false;
        }
        self.views.retain(|known| known.file != view.file);
        self.views.push(view.clone());
        let excess = self.views.len().saturating_sub(VIEWS);
        self.views.drain(..excess);
        true
    }

    /// How a capture was last shown.
    pub fn view_of(&self, file: &str) -> Option<&SavedView> {
        self.views.iter().find(|view| view.file == file)
    }

    /// What a file has, without what [`Self::add`] would not have put there.
    fn read_file(file: &Path) -> io::Result<Self> {
        let mut text = String::new();
        File::open(file)?.take(LARGEST).read_to_string(&mut text)?;
        let read: Self = toml::from_str(&text).map_err(io::Error::other)?;
        let mut history = Self::default();
        for kind in [HistoryKind::Filter, HistoryKind::Search] {
            for text in read.texts_of(kind) {
                history.add_text(kind, text);
            }
        }
        for view in &read.views {
            history.add_view(view);
        }
        Ok(history)
    }
}

/// The file of the history; without one, entries are forgotten at the end.
#[derive(Debug, Default)]
pub struct HistoryFile {
    folder: Option<HistoryFolder>,
    /// The entries when the file was read.
    begin: History,
    warning: Option<String>,
}

/// A folder, and what gives a file in it to its owner.
#[derive(Debug, Clone)]
struct HistoryFolder {
    path: PathBuf,
    give: fn(&File) -> io::Result<()>,
}

impl HistoryFile {
    /// Creates the folder, if it does not exist, and reads the file in it. What is created is
    /// given to its owner with `give`. Errors are reported by [`Self::warning`].
    pub fn open(folder: &Path, give: fn(&File) -> io::Result<()>) -> Self {
        if let Err(error) = create(folder, give) {
            let folder = folder.display();
            let warning = Some(format!("the history is not kept: {folder}: {error}"));
            return Self { warning, ..Self::default() };
        }
        let file = folder.join(NAME);
        let folder = Some(HistoryFolder { path: folder.into(), give });
        match History::read_file(&file) {
            Ok(begin) => Self { folder, begin, warning: None },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Self { folder, ..Self::default() }
            }
            Err(error) => {
                let first = error.to_string().lines().next().unwrap_or_default().to_owned();
                let warning = format!("{}: the history is damaged: {first}", file.display());
                Self { folder, warning: Some(warning), ..Self::default() }
            }
        }
    }

    /// The folder that is written to.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(|folder| folder.path.as_path())
    }

    /// The entries when the file was read.
    pub fn begin(&self) -> &History {
        &self.begin
    }

    /// What is wrong with the file or its folder.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Adds an entry to the file, which other instances may have changed.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add_text(&self, kind: HistoryKind, text: &str) -> io::Result<()> {
        self.change(|history| history.add_text(kind, text))
    }

    /// Keeps how a capture was shown.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add_view(&self, view: &SavedView) -> io::Result<()> {
        self.change(|history| history.add_view(view))
    }

    fn change(&self, change: impl FnOnce(&mut History) -> bool) -> io::Result<()> {
        let Some(HistoryFolder { path, give }) = &self.folder else {
            return Ok(());
        };
        // Not every system can lock a folder; then an entry may be lost.
        let lock = File::open(path).ok();
        let _locked = lock.as_ref().map(File::lock);
        let file = path.join(NAME);
        let mut history = History::read_file(&file).unwrap_or_default();
        if !change(&mut history) {
            return Ok(());
        }
        let mut written = tempfile::Builder::new().prefix(".history").tempfile_in(path)?;
        let text = toml::to_string_pretty(&history).map_err(io::Error::other)?;
        written.write_all(text.as_bytes())?;
        give(written.as_file())?;
        written.persist(&file)?;
        Ok(())
    }
}

#[cfg(unix)]
fn folder_of_owner() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
/// The folders of users are their own on such systems.
#[cfg(not(unix))]
fn folder_of_owner() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

/// Creates a folder, and those above it, that only its owner can read.
fn create(folder: &Path, give: fn(&File) -> io::Result<()>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        create(above, give)?;
    }
    match folder_of_owner().create(folder) {
        // Another instance was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(error),
        #[cfg(unix)]
        Ok(()) => give(&File::open(folder)?),
        #[cfg(not(unix))]
        Ok(()) => Ok(()),
    }
}
