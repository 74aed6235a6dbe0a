//! The formats of exported files, by name and by extension.

use std::path::Path;

use super::TableFormat;
use render::ladder::DiagramForm;

/// The file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// The rows of a table.
    Table(TableFormat),
    /// A capture, with decoded messages as comments.
    Packets,
    /// The sequence diagram of messages.
    Diagram(DiagramForm),
}

impl ExportForm {
    /// The names of formats, their file extensions, and the formats.
    pub const ALL: [(&'static str, &'static str, Self); 8] = [
        ("csv", "csv", Self::Table(TableFormat::Csv)),
        ("ndjson", "ndjson", Self::Table(TableFormat::Ndjson)),
        ("parquet", "parquet", Self::Table(TableFormat::Parquet)),
        ("arrow", "arrows", Self::Table(TableFormat::Arrow)),
        ("pcapng", "pcapng", Self::Packets),
        ("svg", "svg", Self::Diagram(DiagramForm::Svg)),
        ("mermaid", "mmd", Self::Diagram(DiagramForm::Mermaid)),
        ("text", "txt", Self::Diagram(DiagramForm::Text)),
    ];

    /// The format of a file name, by its extension: `.csv`, `.ndjson`, `.parquet`, `.arrows`,
    /// `.pcapng`, `.svg`, `.mmd`, `.txt`.
    pub fn from_name(name: &Path) -> Option<Self> {
        let end = name.extension()?.to_str()?.to_ascii_lowercase();
        let found = Self::ALL.iter().find(|(_, known, _)| *known == end);
        found.map(|(.., form)| *form)
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, ..)| *known == name);
        found.map(|(.., form)| *form)
    }

    /// The names of the formats with rows or packets.
    pub fn names_of_data() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().filter(|(.., form)| form.is_data()).map(|(name, ..)| name)
    }

    fn is_data(self) -> bool {
        !matches!(self, Self::Diagram(_))
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        let form = match self {
            Self::Table(TableFormat::Ecs) => Self::Table(TableFormat::Ndjson),
            other => other,
        };
        let known = Self::ALL.iter().find(|(.., known)| *known == form);
        known.map_or("", |(_, end, _)| *end)
    }
}
