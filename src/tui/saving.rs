//! What is on screen, to be written to a file: the line on which its name is typed, and where files
//! may be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::model::{Model, SessionSummary};
use super::sheet::Tab;
use super::text::{counted, grouped};
use crate::export::{ExportForm, TableFormat};
use crate::text::escaped;

/// Where exports go, and what they are called.
pub struct Saves {
    /// Names are taken there, and none outside of it is written.
    pub folder: PathBuf,
    /// What suggested names begin with.
    pub stem: String,
    /// What is read, and never overwritten.
    pub inputs: Vec<OsString>,
}

/// A name that is being typed.
#[derive(Debug, Clone, Default)]
pub struct NameDraft {
    name: String,
    /// How it would be written; nothing where the name's end does not say it.
    form: Option<ExportForm>,
    /// What is there now; nothing before somebody has looked.
    spot: Option<Spot>,
    /// Whether what is there may be replaced.
    is_sure: bool,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    Free,
    /// A file that would be replaced.
    There,
    /// What is being read.
    Input,
    /// A folder, a pipe, a device.
    NoFile,
    /// The folder that the file would be in is not there.
    NoFolder,
    /// Not in the folder where files may be written.
    Outside,
}

/// A file that is being written.
#[derive(Debug, Clone)]
pub struct RunningExport {
    pub name: String,
    pub done: u64,
    pub of: u64,
    /// Whether somebody has asked once to leave without it.
    pub is_left: bool,
}

impl NameDraft {
    /// What is known of a name from itself.
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

    /// Takes in what a name stands for, unless another is meant by now.
    pub fn found(&mut self, name: &str, spot: Spot) {
        if name == self.name {
            self.spot = Some(spot);
        }
    }

    /// Whether a file would be replaced, and nobody has agreed to it.
    pub fn asks(&self) -> bool {
        self.spot == Some(Spot::There) && !self.is_sure
    }

    /// Whether somebody has agreed that a file is replaced.
    pub fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// What is there may be replaced.
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
            // Names and places may still change until then.
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

/// The name that is suggested for what is shown.
pub fn suggested(stem: &str, sheet: Tab) -> String {
    format!("{stem}-{}.csv", sheet.name())
}

/// How many messages or rows are shown, and which: `212 messages that match rtcw`.
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
        // The rest was only listed, and nothing is known of it.
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

/// What the form is called.
pub fn called(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Table(TableFormat::Csv) => "CSV",
        ExportForm::Table(TableFormat::Ndjson) => "NDJSON",
        ExportForm::Table(TableFormat::Parquet) => "Parquet",
        ExportForm::Packets => "packets, secrets included",
    }
}
