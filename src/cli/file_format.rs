//! The format of an output file: that of `--format`, else that of its name's ending.
//!
//! A format is a type with [`FileFormat`]; what is written to which destination is not known here.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::bail;

use super::destination::TextOrJson;
use super::notify;
use export::{ExportForm, OutputError, TableFormat, compressed, is_input};
use report::{ReportForm, RunForm};

/// The endings of text, in every command that prints text.
pub(super) const TEXT: &[&str] = &["txt", "text", "log", "out"];
/// The endings of JSON, of objects in lines, of Markdown.
pub(super) const JSON: &[&str] = &["json"];
pub(super) const NDJSON: &[&str] = &["ndjson", "jsonl"];
pub(super) const MARKDOWN: &[&str] = &["md"];
/// The endings of pages.
pub(super) const HTML: &[&str] = &["html", "htm"];

/// The endings of captures that are no pcapng; Wireshark and tcpdump read pcapng under them.
const OTHER_CAPTURES: [&str; 2] = ["pcap", "cap"];

/// The formats that a command writes.
pub(super) trait FileFormat: Copy + 'static {
    /// The format if neither the user nor the file's name tells one.
    const USUAL: Self;

    /// The option that names the format.
    const OPTION: &'static str = "--format";

    /// Each format with the endings of its files; messages name the first.
    const ENDINGS: &'static [(Self, &'static [&'static str])];
}

/// The format for `file`, or for standard output: what `--format` says, else what the ending says.
/// Fails if the ending stands for none of the formats.
pub(super) fn format_of<F: FileFormat>(
    file: Option<&Path>,
    inputs: &[OsString],
    given: Option<F>,
) -> anyhow::Result<F> {
    let ending = match (given, file.and_then(ending)) {
        (Some(format), _) => return Ok(format),
        (None, None) => return Ok(F::USUAL),
        (None, Some(ending)) => ending,
    };
    let of_ending = F::ENDINGS.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
    match of_ending {
        Some((format, _)) => Ok(*format),
        None if is_special(file) => Ok(F::USUAL),
        None => {
            not_an_input(file, inputs)?;
            let first = F::ENDINGS.iter().filter_map(|(_, endings)| endings.first());
            bail!("{}, or say the format with {}", unknown(file, &ending, first), F::OPTION)
        }
    }
}

/// Checks the name of a file that is always written in one format.
pub(super) fn check_ending(
    file: Option<&Path>,
    inputs: &[OsString],
    endings: &[&str],
) -> anyhow::Result<()> {
    match file.and_then(ending) {
        Some(ending) if !endings.contains(&ending.as_str()) && !is_special(file) => {
            not_an_input(file, inputs)?;
            bail!("{}", unknown(file, &ending, endings))
        }
        _ => Ok(()),
    }
}

/// Checks the name of a file for packets, and says so if the name stands for another kind of
/// capture.
pub(super) fn check_packets(file: &Path) -> anyhow::Result<()> {
    if let Some(end) = compressed(file) {
        return Err(OutputError::Compressed { name: file.display().to_string(), end }.into());
    }
    if ending(file).is_some_and(|ending| OTHER_CAPTURES.contains(&ending.as_str())) {
        if !is_special(Some(file)) {
            notify(&format!("{} is written as pcapng", file.display()));
        }
        return Ok(());
    }
    check_ending(Some(file), &[], &[ExportForm::Packets.extension()])
}

/// That a file is an input is a worse mistake than its ending.
fn not_an_input(file: Option<&Path>, inputs: &[OsString]) -> Result<(), OutputError> {
    let Some(file) = file else { return Ok(()) };
    if inputs.iter().any(|input| is_input(file, input)) {
        return Err(OutputError::Input(file.display().to_string()));
    }
    Ok(())
}

/// `x.foo: no output format has the ending .foo; use .csv, .ndjson`.
fn unknown<'a>(
    file: Option<&Path>,
    ending: &str,
    known: impl IntoIterator<Item = &'a &'a str>,
) -> String {
    let known: Vec<_> = known.into_iter().map(|known| format!(".{known}")).collect();
    let file = file.unwrap_or(Path::new("-")).display();
    format!("{file}: no output format has the ending .{ending}; use {}", known.join(", "))
}

/// The ending of a file's name, in lower case, if it may stand for a format: a number is none. Of
/// compression, opening the file complains.
fn ending(file: &Path) -> Option<String> {
    let ending = file.extension()?.to_string_lossy().to_ascii_lowercase();
    let is_word = ending.contains(|c: char| c.is_alphabetic());
    (is_word && compressed(file).is_none()).then_some(ending)
}

/// Whether this is a pipe, a device or a directory, whose name says nothing.
fn is_special(file: Option<&Path>) -> bool {
    file.and_then(|file| fs::metadata(file).ok()).is_some_and(|found| !found.is_file())
}

impl FileFormat for TextOrJson {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Json, JSON)];
}

impl FileFormat for ReportForm {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Json, JSON), (Self::Ndjson, NDJSON), (Self::Junit, &["xml"])];
}

impl FileFormat for RunForm {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] = &[
        (Self::Text, TEXT),
        (Self::Json, JSON),
        (Self::Ndjson, NDJSON),
        (Self::Junit, &["xml"]),
        (Self::Tap, &["tap"]),
        (Self::Html, HTML),
    ];
}

impl FileFormat for ExportForm {
    const USUAL: Self = Self::Table(TableFormat::Csv);
    const ENDINGS: &'static [(Self, &'static [&'static str])] = &[
        (Self::Table(TableFormat::Csv), &["csv"]),
        (Self::Table(TableFormat::Ndjson), NDJSON),
        (Self::Table(TableFormat::Parquet), &["parquet"]),
        (Self::Table(TableFormat::Arrow), &["arrows", "arrow"]),
        (Self::Packets, &["pcapng"]),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_interface_and_of_export_have_the_same_endings() {
        for (name, ending, form) in ExportForm::ALL {
            let data = ExportForm::names_of_data().any(|data| data == name);
            let found = ExportForm::ENDINGS.iter().find(|(known, _)| *known == form);
            assert_eq!(found.map(|(_, endings)| endings[0]), data.then_some(ending), "{name}");
        }
    }

    #[test]
    fn a_name_without_an_ending_tells_no_format() {
        for name in ["out", ".hidden", "run-1.2", "/dev/null", "/dev/stdout", "-", "x."] {
            let found = format_of::<ExportForm>(Some(Path::new(name)), &[], None).unwrap();
            assert_eq!(found, ExportForm::USUAL, "{name}");
        }
        let given = format_of(Some(Path::new("x.pdf")), &[], Some(ExportForm::Packets)).unwrap();
        assert_eq!(given, ExportForm::Packets);
        let lines = format_of::<ReportForm>(Some(Path::new("x.JSONL")), &[], None).unwrap();
        assert_eq!(lines, ReportForm::Ndjson);
        assert!(format_of::<ReportForm>(Some(Path::new("x.pdf")), &[], None).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_tells_a_format_only_if_its_ending_is_known() {
        let folder = tempfile::tempdir().unwrap();
        for (name, form) in [("p.foo", ReportForm::Text), ("p.json", ReportForm::Json)] {
            let pipe = folder.path().join(name);
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            assert_eq!(format_of::<ReportForm>(Some(&pipe), &[], None).unwrap(), form);
        }
    }
}
