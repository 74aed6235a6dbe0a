//! How the interface starts.

use std::str::FromStr;

use super::config::UserConfig;
use super::export::Saves;
use super::history::HistoryFile;
use super::screens::screen::Sort;
use super::theme::{Depth, Themes};
use analysis::{HostNames, Session};
use filter::Filter;
use query::QuestionThread;
use render::Colour;
use text::{Secrets, Zone};

/// Another answer to the request of a message, with what it is compared.
pub struct OtherAnswer {
    /// Who sends it: `the reference master`.
    pub name: String,
    /// The frame of the request.
    pub request: u64,
    /// The session index of the captured answer.
    pub captured: Option<usize>,
    /// Its datagrams; none if the request is not answered.
    pub replies: Vec<Vec<u8>>,
}

/// Gives another answer to the request of the message with this session index, or says why there is
/// none.
pub type ReferenceFn = dyn Fn(&Session, usize) -> Result<OtherAnswer, String>;

/// How the interface starts.
pub struct Options {
    /// The name of the input.
    pub title: String,
    /// The absolute path of the capture, if it is a single file.
    pub file: Option<String>,
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Without colour, texts are shown with their colour codes.
    pub colour: Colour,
    /// The themes, in the colours that the terminal has.
    pub themes: Themes,
    /// The directory of exports.
    pub saves: Saves,
    /// The user's configuration.
    pub config: UserConfig,
    /// The names of addresses in the user's hosts files.
    pub hosts: HostNames,
    /// Earlier display filters and searches.
    pub history: HistoryFile,
    /// The time zone of local times.
    pub zone: Zone,
    /// The display filter at the start.
    pub filter: Option<Filter>,
    /// The column by which the first screen is sorted at the start.
    pub sort: Option<Sort>,
    /// Whether the packets come from a device and are written to no file.
    pub is_unsaved: bool,
    /// What a reference would have answered.
    pub reference: Option<Box<ReferenceFn>>,
    /// The thread that sends questions; without one, nothing can be asked.
    pub questions: Option<QuestionThread>,
    /// The index of the first screen; the configuration's if there is none.
    pub screen: Option<usize>,
}

impl Options {
    /// The defaults: secrets masked, the sixteen colours as they are, UTC, nothing kept.
    pub fn new(title: impl Into<String>, saves: Saves) -> Self {
        Self {
            title: title.into(),
            file: None,
            secrets: Secrets::Masked,
            colour: Colour::Ansi,
            themes: Themes::ansi(),
            saves,
            config: UserConfig::default(),
            hosts: HostNames::default(),
            history: HistoryFile::default(),
            zone: Zone::utc(),
            filter: None,
            sort: None,
            is_unsaved: false,
            reference: None,
            questions: None,
            screen: None,
        }
    }

    /// The same with colour or without.
    #[must_use]
    pub fn coloured(self, colour: Colour) -> Self {
        Self { colour, themes: self.themes.reduced(Depth::from(colour)), ..self }
    }
}

impl FromStr for Sort {
    type Err = String;

    /// `time`, `time:desc`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (column, direction) = text.rsplit_once(':').unwrap_or((text, "asc"));
        let is_descending = match direction {
            "asc" => false,
            "desc" => true,
            other => return Err(format!("\"{other}\" is no direction; give asc or desc")),
        };
        if column.is_empty() {
            return Err("expected COLUMN or COLUMN:desc".to_owned());
        }
        Ok(Self { column: column.to_owned(), is_descending })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sort_order_is_a_column_and_a_direction() {
        for (text, column, is_descending) in [
            ("time", "time", false),
            ("time:asc", "time", false),
            ("time:desc", "time", true),
            ("field.rate:desc", "field.rate", true),
        ] {
            let order = Sort { column: column.to_owned(), is_descending };
            assert_eq!(text.parse(), Ok(order), "{text}");
        }
        for text in ["", ":desc", "time:down", "time:"] {
            assert!(text.parse::<Sort>().is_err(), "{text}");
        }
    }
}
