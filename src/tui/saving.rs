//! Export of the current view to a file: the line for its name, and the directory for files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::model::{Model, SessionSummary};
use super::sheet::Tab;
use super::text::{counted, grouped};
use crate::export::{ExportForm, TableFormat};
use crate::text::escaped;

/// The directory and names of exports.
pub struct Saves {
    /// Names are relative to it, and no file outside of it is written.
    pub folder: PathBuf,
    /// The prefix of suggested names.
    pub stem: String,
    /// The inputs, which are never overwritten.
    pub inputs: Vec<OsString>,
}

/// A name being typed.
#[derive(Debug, Clone, Default)]
pub struct NameDraft {
    name: String,
    /// The format; `None` if the name's extension is unknown.
    form: Option<ExportForm>,
    /// What exists under the name; `None` before the check.
    spot: Option<Spot>,
    /// Whether an existing file may be replaced.
    is_sure: bool,
}

/// What exists under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    Free,
    /// A file that would be replaced.
    There,
    /// An input file.
    Input,
    /// A directory, a pipe, a device.
    NoFile,
    /// The directory of the file does not exist.
    NoFolder,
    /// Outside of the directory for exports.
    Outside,
}

/// A running export.
#[derive(Debug, Clone)]
pub struct RunningExport {
    pub name: String,
    pub done: u64,
    pub of: u64,
    /// Whether the user has asked once to quit during it.
    pub is_left: bool,
}

impl NameDraft {
    /// What the name itself says.
    pub fn of(name: &str) -> Self {
        let form = ExportForm::of(Path::new(name.trim()));
        Self { name: name.trim().to_owned(), form, spot: None, is_sure: false }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn form(&self) -> Option<ExportForm> {
        self.form
    }

    /// Takes the result of a check, unless the name has changed.
    pub fn found(&mut self, name: &str, spot: Spot) {
        if name == self.name {
            self.spot = Some(spot);
        }
    }

    /// Whether an existing file would be replaced without confirmation.
    pub fn asks(&self) -> bool {
        self.spot == Some(Spot::There) && !self.is_sure
    }

    /// Whether the user has confirmed that a file is replaced.
    pub fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// Confirms that an existing file is replaced.
    pub fn agree(&mut self) {
        self.is_sure = true;
    }

    /// Why nothing can be written under this name, or not now.
    pub fn wrong(&self, model: &Model) -> Option<String> {
        let SessionSummary { is_done, of, .. } = model.known;
        let is_table = model.sheets.shown.table().is_some();
        Some(match (self.form, self.spot) {
            (None, _) => {
                let ends: Vec<_> =
                    ExportForm::ENDS.iter().map(|(end, _)| format!(".{end}")).collect();
                format!("the name has to end in {}", ends.join(", "))
            }
            (Some(ExportForm::Packets), _) if is_table => {
                "packets are for messages: 1 shows them".to_owned()
            }
            (Some(ExportForm::Packets), _) if of.is_none() => {
                "the packets of a pipe or a live capture are not kept; -w writes them".to_owned()
            }
            (Some(ExportForm::Table(TableFormat::Parquet)), _)
                if cfg!(not(feature = "parquet")) =>
            {
                "this build has no parquet".to_owned()
            }
            (_, Some(Spot::Outside)) => {
                "not in the folder for exports; --save-in names another".to_owned()
            }
            (_, Some(Spot::NoFolder)) => "there is no such folder".to_owned(),
            (_, Some(Spot::NoFile)) => "that is there, and no file".to_owned(),
            (_, Some(Spot::Input)) => "that is being read, and is not overwritten".to_owned(),
            // Classifications and indices may still change until then.
            _ if of.is_some() && !is_done => "everything has to be read first".to_owned(),
            _ if is_table && model.sheets.lengths.is_none() => {
                "messages are still being put together".to_owned()
            }
            (_, None | Some(Spot::Free | Spot::There)) => return None,
        })
    }
}

impl RunningExport {
    /// `writing tour.csv 43%`.
    pub fn prompt_note(&self) -> String {
        let percent = 100 * self.done.min(self.of) / self.of.max(1);
        format!("writing {} {percent}%", self.name)
    }
}

/// The suggested name for the current view.
pub fn suggested(stem: &str, sheet: Tab) -> String {
    format!("{stem}-{}.csv", sheet.name())
}

/// What would be exported: `212 messages that match rtcw`.
pub fn notice(model: &Model) -> String {
    let sheets = &model.sheets;
    let so_far = if model.known.is_done { "" } else { " so far" };
    match (sheets.shown, &model.sieve) {
        (Tab::Ladder, _) => {
            let of = if sheets.ladder.has_all() { "" } else { &sheets.ladder.of };
            let gap = if of.is_empty() { "" } else { " of " };
            format!("{}{gap}{of}", counted(sheets.ladder.len() as u64, "message"))
        }
        (Tab::Messages, None) => {
            let kept = model.len() - model.begin();
            format!("{}{so_far}", counted(kept as u64, "message"))
        }
        (Tab::Messages, Some(sieve)) => {
            let (found, all) = (model.len() - model.begin(), model.known.messages);
            let verb = if found == 1 { "matches" } else { "match" };
            let looked = if sieve.looked_at < all {
                format!(", of {} looked at", grouped(sieve.looked_at as u64))
            } else {
                so_far.to_owned()
            };
            let found = counted(found as u64, "message");
            format!("{found} that {verb} {}{looked}", escaped(sieve.filter.text()))
        }
        // The others were only listed by masters, and have sent nothing.
        (Tab::Servers, _) => {
            let all = counted(sheets.len() as u64, "server");
            format!("of {all}{so_far}, those that sent anything")
        }
        (table, _) => {
            let one = table.name().trim_end_matches('s');
            format!("{}{so_far}", counted(sheets.len() as u64, one))
        }
    }
}

/// The format's name.
pub fn called(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Table(TableFormat::Csv) => "CSV",
        ExportForm::Table(TableFormat::Ndjson) => "NDJSON",
        ExportForm::Table(TableFormat::Parquet) => "Parquet",
        ExportForm::Packets => "packets, secrets included",
    }
}
