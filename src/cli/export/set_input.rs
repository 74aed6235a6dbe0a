//! The captures of a set, opened and hashed.

use std::ffi::{OsStr, OsString};
use std::fs::File;

use capture::{Input, InputDigest, OpenError, Warning};
use export::{ManifestEntry, Redactor};
use text::{escaped, utc};

/// A capture that can be opened.
pub(super) struct SetInput {
    /// As it was given.
    pub argument: OsString,
    /// Its name in messages, if a pseudonym takes its place.
    name: Option<String>,
    /// As the manifest has it: as it was given, or its pseudonym.
    pub path: String,
    pub input: Input,
    pub digest: InputDigest,
}

/// A capture that was left out.
pub(super) struct UnreadInput {
    name: Option<String>,
    path: String,
    digest: Option<InputDigest>,
    pub why: OpenError,
}

impl SetInput {
    /// Opens a capture and reads it for its hash; a pipe is copied to `scratch`. With a redactor its
    /// path becomes a pseudonym, the same as in rows.
    pub fn open(
        file: &OsStr,
        scratch: &mut Option<File>,
        redactor: Option<&Redactor>,
    ) -> Result<Self, Box<UnreadInput>> {
        let input = Input::from_argument(file);
        let path = match redactor {
            Some(redactor) => redactor.file(&escaped(&input.argument())),
            None => file.to_string_lossy().into_owned(),
        };
        let (argument, is_redacted) = (file.to_owned(), redactor.is_some());
        let name = is_redacted.then(|| input.name());
        match input.hashed(scratch) {
            Ok((input, digest)) => Ok(Self { argument, name, path, input, digest }),
            Err(why) => Err(Box::new(UnreadInput { name, path, digest: None, why })),
        }
    }

    /// The capture, which turned out to be none.
    pub fn unread(self, why: OpenError) -> UnreadInput {
        let Self { name, path, digest, .. } = self;
        UnreadInput { name, path, digest: Some(digest), why }
    }

    /// Whether an error or a warning is about it.
    pub fn is_called(&self, name: &str) -> bool {
        self.input.name() == name
    }

    /// A text about it, with its path as the manifest has it.
    pub fn text(&self, text: &str) -> String {
        with_path(text, self.name.as_deref(), &self.path)
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
            unreadable: Some(with_path(&self.why.to_string(), self.name.as_deref(), &self.path)),
            ..entry(self.path.clone(), self.digest)
        }
    }
}

/// A text that may name a capture, with `path` in place of the name.
fn with_path(text: &str, name: Option<&str>, path: &str) -> String {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return text.to_owned() };
    text.replace(name, path).replace(&*escaped(name), path)
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
