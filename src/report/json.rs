//! Entries as a list of JSON objects, one a line.

use std::io::{self, Write};

use super::Entry;

/// A list that is being written.
#[derive(Default)]
pub(super) struct Json {
    has_entries: bool,
}

impl Json {
    pub fn write(&mut self, out: &mut impl Write, entry: &impl Entry) -> io::Result<()> {
        out.write_all(if self.has_entries { b",\n" } else { b"[\n" })?;
        self.has_entries = true;
        serde_json::to_writer(out, entry).map_err(io::Error::from)
    }

    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(if self.has_entries { b"\n]\n" } else { b"[]\n" })
    }
}

/// The objects without a list around them.
pub(super) struct Ndjson;

impl Ndjson {
    pub fn write(out: &mut impl Write, entry: &impl Entry) -> io::Result<()> {
        serde_json::to_writer(&mut *out, entry).map_err(io::Error::from)?;
        out.write_all(b"\n")
    }
}
