//! How values are written on every screen.

use crate::render::Separators;
use crate::text;

/// The selected formats.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub times: TimeDisplay,
    pub texts: TextDisplay,
    pub separators: Separators,
}

/// The format of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeDisplay {
    /// Seconds since the first message.
    Relative,
    /// The time of day in UTC.
    Utc,
    /// Seconds since the previous message.
    Delta,
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

impl TimeDisplay {
    pub fn next(self) -> Self {
        match self {
            Self::Relative => Self::Utc,
            Self::Utc => Self::Delta,
            Self::Delta => Self::Relative,
        }
    }

    /// A time with this many decimals: of the day in UTC, or since `begin`, in seconds.
    pub fn text(self, time: i64, begin: i64, decimals: usize) -> String {
        match self {
            Self::Utc => text::time_of_day(time, decimals),
            Self::Relative | Self::Delta => text::seconds(time.saturating_sub(begin), decimals),
        }
    }
}
