//! How values are written on every screen.

use render::Separators;
use text::{TimeDisplay, Zone, named};

/// The selected formats.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub times: TimeDisplay,
    pub texts: TextDisplay,
    pub separators: Separators,
    pub message: MessageView,
    /// Whether times of day have their date: the messages are of more than one day.
    pub dates: bool,
}

impl Format {
    /// A time with this many decimals, in nanoseconds since the Unix epoch: `12-01 20:00:16.750`,
    /// or in seconds since `begin`.
    pub fn time(self, time: i64, begin: i64, decimals: usize, zone: &Zone) -> String {
        let text = self.times.text(time, begin, decimals, zone);
        match self.times.date(time, zone).filter(|_| self.dates) {
            Some(date) => format!("{} {text}", date.get(5..).unwrap_or_default()),
            None => text,
        }
    }

    /// Whether times have their date.
    pub fn has_dates(self) -> bool {
        self.dates && self.times.is_clock()
    }
}

named! {
    /// How the selected message is shown.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum MessageView {
        /// Bytes, characters and fields side by side, a row or more for each field.
        #[default]
        Annotated = "annotated",
        /// The tree of fields beside the bytes.
        Tree = "tree",
        /// The bytes alone.
        Bytes = "bytes",
    }
}

impl MessageView {
    pub fn next(self) -> Self {
        match self {
            Self::Annotated => Self::Tree,
            Self::Tree => Self::Bytes,
            Self::Bytes => Self::Annotated,
        }
    }
}

/// How texts with colour codes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDisplay {
    /// Without the codes, in their colours.
    Coloured,
    AsSent,
}

impl TextDisplay {
    pub fn next(self) -> Self {
        match self {
            Self::Coloured => Self::AsSent,
            Self::AsSent => Self::Coloured,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Coloured => "texts in their colours",
            Self::AsSent => "texts with their colour codes",
        }
    }
}
