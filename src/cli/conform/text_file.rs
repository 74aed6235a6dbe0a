//! Text files that are opened before privileges are dropped, and read after that.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;

/// An open file, not read yet.
pub(super) struct TextFile<'a> {
    pub path: &'a Path,
    file: File,
}

impl<'a> TextFile<'a> {
    pub fn open(path: &'a Path) -> anyhow::Result<Self> {
        let file = File::open(path);
        let file = file.with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { path, file })
    }

    /// All of it; invalid UTF-8 is replaced.
    pub fn read_text(mut self) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        let read = self.file.read_to_end(&mut bytes);
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
