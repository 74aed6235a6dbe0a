//! Entries as JSON objects, one per line: as a list, or each by itself.

use std::io::{self, Write};

use serde::Serialize;

use super::ReportEntry;

/// A list being written.
#[derive(Default)]
pub(super) struct JsonReport {
    has_entries: bool,
    /// Whether each line is a document of its own.
    lines: bool,
}

impl JsonReport {
    /// Lines of JSON, without a list around them.
    pub fn lines() -> Self {
        Self { lines: true, ..Self::default() }
    }

    pub fn write(&mut self, out: &mut impl Write, entry: &impl ReportEntry) -> io::Result<()> {
        if self.lines {
            serde_json::to_writer(&mut *out, entry).map_err(io::Error::from)?;
            return out.write_all(b"\n");
        }
        out.write_all(if self.has_entries { b",\n" } else { b"[\n" })?;
        self.has_entries = true;
        serde_json::to_writer(out, entry).map_err(io::Error::from)
    }

    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        if self.lines {
            return Ok(());
        }
        out.write_all(if self.has_entries { b"\n]\n" } else { b"[]\n" })
    }
}

/// An object with its type.
#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    object: &'a T,
}

/// Writes an object with its `type` as a line of NDJSON.
pub(super) fn typed_line(
    out: &mut impl Write,
    kind: &'static str,
    object: &impl Serialize,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Typed { kind, object })?;
    out.write_all(b"\n")
}
