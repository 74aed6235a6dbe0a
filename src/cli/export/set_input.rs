//! The captures of a set, opened and hashed.

use std::ffi::OsStr;
use std::fs::File;

use crate::capture::{Input, InputDigest, OpenError, Warning};
use crate::export::ManifestEntry;
use crate::text::utc;

/// A capture that can be opened.
pub(super) struct SetInput {
    /// As it was given.
    pub path: String,
    pub input: Input,
    pub digest: InputDigest,
}

/// A capture that was left out.
pub(super) struct UnreadInput {
    pub path: String,
    pub digest: Option<InputDigest>,
    pub why: OpenError,
}

impl SetInput {
    /// Opens a capture and reads it for its hash; a pipe is copied to `scratch`.
    pub fn open(file: &OsStr, scratch: Option<File>) -> Result<Self, UnreadInput> {
        let path = file.to_string_lossy().into_owned();
        match Input::from_argument(file).hashed(scratch) {
            Ok((input, digest)) => Ok(Self { path, input, digest }),
            Err(why) => Err(UnreadInput { path, digest: None, why }),
        }
    }

    /// The capture, which turned out to be none.
    pub fn unread(self, why: OpenError) -> UnreadInput {
        UnreadInput { path: self.path, digest: Some(self.digest), why }
    }

    /// Whether an error or a warning is about it.
    pub fn is_called(&self, name: &str) -> bool {
        self.input.name() == name
    }

    /// Its line in the manifest, as far as it is its own.
    pub fn entry(&self, damaged: &[Warning]) -> ManifestEntry {
        let damage = damaged.iter().find(|damage| self.is_called(&damage.input));
        ManifestEntry {
            whole: damage.is_none(),
            damaged_at: damage.map(|damage| damage.offset),
            ..entry(self.path.clone(), Some(self.digest))
        }
    }
}

impl UnreadInput {
    /// Its line in the manifest.
    pub fn entry(&self) -> ManifestEntry {
        ManifestEntry {
            unreadable: Some(self.why.to_string()),
            ..entry(self.path.clone(), self.digest)
        }
    }
}

/// A line of this program about a capture.
fn entry(path: String, digest: Option<InputDigest>) -> ManifestEntry {
    ManifestEntry {
        path,
        bytes: digest.map(|digest| digest.bytes),
        hash: digest.map(|digest| digest.hex()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..ManifestEntry::default()
    }
}

/// The times of the earliest and the latest packet, as the manifest has them.
pub(super) fn times(of: Option<(i64, i64)>) -> [Option<String>; 2] {
    [of.map(|(first, _)| utc(first)), of.map(|(_, last)| utc(last))]
}
