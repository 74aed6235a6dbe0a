//! A run as one JSON document, or as one object per line.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::Run;
use crate::json::typed_line as line;

/// `{"run": …, "causes": […], "cases": […], "notes": […], "summary": …}`, one line per item.
pub(super) fn document(run: &Run, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\n\"run\": ")?;
    serde_json::to_writer(&mut *out, &run.head)?;
    list(out, "causes", &run.causes)?;
    list(out, "cases", &run.cases)?;
    list(out, "notes", &run.notes)?;
    out.write_all(b",\n\"summary\": ")?;
    serde_json::to_writer(&mut *out, &run.summary())?;
    out.write_all(b"\n}\n")
}

/// Appends a member that is a list, one line per item.
fn list(out: &mut impl Write, name: &str, items: &[impl Serialize]) -> io::Result<()> {
    write!(out, ",\n\"{name}\": [")?;
    for (n, item) in items.iter().enumerate() {
        out.write_all(if n == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, item)?;
    }
    out.write_all(if items.is_empty() { b"]" } else { b"\n]" })
}

/// First `run`, then each `cause`, `case` and `note`, and `summary` last: without a `summary` line
/// at the end, the run was not written completely.
pub(super) fn lines(run: &Run, out: &mut impl Write) -> io::Result<()> {
    line(out, "run", &run.head)?;
    for cause in &run.causes {
        line(out, "cause", cause)?;
    }
    for tried in &run.cases {
        line(out, "case", tried)?;
    }
    for note in &run.notes {
        line(out, "note", &BTreeMap::from([("text", note)]))?;
    }
    line(out, "summary", &run.summary())
}
