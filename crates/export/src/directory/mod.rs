//! A directory of tables: `DIR/<table>/<name>-<hash>.<extension>` for each set of inputs, and a
//! manifest of the inputs.
//!
//! Files appear when they are complete. Several processes may write to one directory.

mod manifest;
mod set_name;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use manifest::{Manifest, ManifestEntry};
pub use set_name::set_name;

use super::{Existing, ExportForm, Output, OutputError, TABLES, Table, TableFormat};

/// A directory for tables of one format.
pub struct TableDirectory {
    path: PathBuf,
    extension: &'static str,
    existing: Existing,
    made: MadeFolders,
}

/// The folders that were not there before a run.
#[derive(Debug, Clone)]
pub struct MadeFolders {
    path: PathBuf,
    tables: Vec<&'static str>,
    has_lock: bool,
}

impl MadeFolders {
    fn before(path: &Path) -> Self {
        let is_missing = |name: &&str| !path.join(name).exists();
        let tables = TABLES.iter().map(|table| table.name).filter(is_missing).collect();
        Self { path: path.to_owned(), tables, has_lock: Manifest::has_lock(path) }
    }

    /// Removes those that are empty, and the lock of a manifest that was not written. The directory
    /// stays if this process has lost the permission to remove it.
    pub fn remove_empty(&self) {
        // Folders with files are not removed.
        for name in &self.tables {
            _ = fs::remove_dir(self.path.join(name));
        }
        if !self.has_lock {
            Manifest::remove_unused_lock(&self.path);
        }
        _ = fs::remove_dir(&self.path);
    }
}

impl TableDirectory {
    /// Opens the directory, and creates it if there is none.
    ///
    /// # Errors
    /// If a file or a folder cannot be written.
    pub fn create(
        path: &Path,
        format: TableFormat,
        existing: Existing,
    ) -> Result<Self, OutputError> {
        let name = || path.display().to_string();
        fs::create_dir_all(path).map_err(|source| OutputError::Write { name: name(), source })?;
        let extension = ExportForm::Table(format).extension();
        Ok(Self { path: path.to_owned(), extension, existing, made: MadeFolders::before(path) })
    }

    /// What a run that did not come to its end has to remove.
    pub fn made(&self) -> &MadeFolders {
        &self.made
    }

    /// The file of a table of a set of inputs.
    fn file(&self, table: &Table, set: &str) -> PathBuf {
        self.path.join(table.name).join(format!("{set}.{}", self.extension))
    }

    /// Whether the set has a file in each of these tables.
    pub fn has(&self, tables: &[&Table], set: &str) -> bool {
        tables.iter().all(|table| self.file(table, set).is_file())
    }

    /// Removes the files of a set from all tables.
    ///
    /// # Errors
    /// If a file or a folder cannot be written.
    pub fn remove(&self, set: &str) -> Result<(), OutputError> {
        for table in TABLES {
            for (_, extension, _) in ExportForm::ALL {
                let path = self.path.join(table.name).join(format!("{set}.{extension}"));
                match fs::remove_file(&path) {
                    Err(source) if source.kind() != ErrorKind::NotFound => {
                        let name = path.display().to_string();
                        return Err(OutputError::Write { name, source });
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Begins the files of a set, one for each table; none of `inputs` is overwritten.
    ///
    /// # Errors
    /// If a file or a folder cannot be written.
    pub fn open(
        &self,
        tables: &[&Table],
        set: &str,
        inputs: &[OsString],
    ) -> Result<Vec<Output>, OutputError> {
        let open = |table: &&Table| {
            let folder = self.path.join(table.name);
            fs::create_dir_all(&folder).map_err(|source| OutputError::Write {
                name: folder.display().to_string(),
                source,
            })?;
            Output::file(&self.file(table, set), inputs, self.existing)
        };
        tables.iter().map(open).collect()
    }
}
