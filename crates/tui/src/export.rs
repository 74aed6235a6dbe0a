//! Export of the shown screen to a file: what it writes, its name, and the directory for files.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::session::SessionSummary;
use export::{ExportForm, TableFormat};
use render::ladder::DiagramForm;

/// The directory and names of exports.
pub struct Saves {
    /// Names are relative to it, and no file outside of it is written.
    pub folder: PathBuf,
    /// The prefix of suggested names.
    pub stem: String,
    /// The inputs, which are never overwritten.
    pub inputs: Vec<OsString>,
}

/// What an export of a screen writes.
pub struct Exportable {
    /// Whether it is known by now.
    pub is_known: bool,
    /// Whether it is messages, and not a table of something else.
    pub is_messages: bool,
    /// How many messages or rows there are.
    pub count: usize,
    /// The same in words: `212 messages that match rtcw`.
    pub text: String,
    /// Why nothing can be exported.
    pub refusal: Option<&'static str>,
}

/// A name being typed.
#[derive(Debug, Clone, Default)]
pub struct NameDraft {
    pub name: String,
    /// The format; `None` if the name's extension is unknown.
    pub form: Option<ExportForm>,
    /// What exists under the name; `None` before the check.
    state: Option<NameState>,
    /// Whether the user has confirmed that an existing file is replaced.
    pub is_confirmed: bool,
}

/// What exists under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameState {
    Free,
    /// A file that would be replaced.
    Exists,
    /// An input file.
    Input,
    /// A directory, a pipe, a device.
    NoFile,
    /// The directory of the file does not exist.
    NoFolder,
    /// Outside of the directory for exports.
    Outside,
}

/// A datagram that is written to a capture of its own: one that was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SinglePacket {
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub payload: Vec<u8>,
    pub comment: String,
}

/// A running export.
#[derive(Debug, Clone)]
pub struct RunningExport {
    pub name: String,
    pub done: u64,
    pub of: u64,
    /// Whether the comments of the user are kept by it.
    pub keeps_comments: bool,
}

impl Exportable {
    /// Nothing can be exported.
    pub fn refused(why: &'static str) -> Self {
        let (is_messages, text) = (false, String::new());
        Self { is_known: false, is_messages, count: 0, text, refusal: Some(why) }
    }
}

impl NameDraft {
    /// What the name itself says.
    pub fn new(name: &str) -> Self {
        let form = ExportForm::from_name(Path::new(name.trim()));
        Self { name: name.trim().to_owned(), form, state: None, is_confirmed: false }
    }

    /// Takes the result of a check, unless the name has changed.
    pub fn found(&mut self, name: &str, state: NameState) {
        if name == self.name {
            self.state = Some(state);
        }
    }

    /// Whether an existing file would be replaced without confirmation.
    pub fn needs_confirmation(&self) -> bool {
        self.state == Some(NameState::Exists) && !self.is_confirmed
    }

    /// Why nothing can be written under this name, or not now.
    pub fn error(&self, exportable: &Exportable, known: &SessionSummary) -> Option<String> {
        Some(
            match (self.form, self.state) {
                (None, _) => {
                    let ends = ExportForm::ALL.map(|(_, end, _)| format!(".{end}"));
                    return Some(format!("the name must end in {}", ends.join(", ")));
                }
                (Some(ExportForm::Packets), _) if !exportable.is_messages => {
                    "only messages can be exported as packets; press 1 to show them"
                }
                (Some(ExportForm::Diagram(_)), _) if !exportable.is_messages => {
                    "only messages can be drawn as a diagram; press 1 to show them, or L"
                }
                (Some(ExportForm::Packets), _) if known.of.is_none() => {
                    "the packets of a pipe or a live capture are not kept; -w writes them"
                }
                (Some(ExportForm::Table(format)), _) if !format.is_supported() => {
                    "this build cannot write Parquet and Arrow"
                }
                (_, Some(NameState::Outside)) => {
                    "outside of the folder for exports; --save-in sets another folder"
                }
                (_, Some(NameState::NoFolder)) => "the folder does not exist",
                (_, Some(NameState::NoFile)) => "the name exists and is not a file",
                (_, Some(NameState::Input)) => "this is an input file and cannot be overwritten",
                // Classifications and indices may still change until then.
                _ if known.of.is_some() && !known.is_done => "wait until everything has been read",
                _ if !exportable.is_known => "wait until all messages have been analysed",
                (_, None | Some(NameState::Free | NameState::Exists)) => return None,
            }
            .to_owned(),
        )
    }
}

impl RunningExport {
    pub fn new(name: String, of: u64, keeps_comments: bool) -> Self {
        Self { name, done: 0, of, keeps_comments }
    }

    /// `writing tour.csv 43%`.
    pub fn progress(&self) -> String {
        let percent = 100 * self.done.min(self.of) / self.of.max(1);
        format!("writing {} {percent}%", self.name)
    }
}

/// The format's name.
pub fn form_name(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Table(TableFormat::Csv) => "CSV",
        ExportForm::Table(TableFormat::Ndjson | TableFormat::Ecs) => "NDJSON",
        ExportForm::Table(TableFormat::Parquet) => "Parquet",
        ExportForm::Table(TableFormat::Arrow) => "an Arrow stream",
        ExportForm::Packets => "packets, secrets included",
        ExportForm::Diagram(DiagramForm::Svg) => "an SVG diagram",
        ExportForm::Diagram(DiagramForm::Mermaid) => "a Mermaid diagram",
        ExportForm::Diagram(DiagramForm::Text) => "a diagram in text",
    }
}
