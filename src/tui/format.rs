//! How values are written on every screen.

use crate::render::Separators;
use crate::text::{self, Zone};

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
    /// The time of day in the system's time zone.
    Local,
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
    /// All, in the order of their key.
    pub const ALL: [Self; 4] = [Self::Relative, Self::Utc, Self::Local, Self::Delta];

    pub fn next(self) -> Self {
        match self {
            Self::Relative => Self::Utc,
            Self::Utc => Self::Local,
            Self::Local => Self::Delta,
            Self::Delta => Self::Relative,
        }
    }

    /// Its name in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Utc => "utc",
            Self::Local => "local",
            Self::Delta => "delta",
        }
    }

    /// What is shown, in words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Relative => "times: seconds since the first message",
            Self::Utc => "times: UTC",
            Self::Local => "times: local",
            Self::Delta => "times: seconds since the message before",
        }
    }

    /// The name of a column of times.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Relative => "seconds",
            Self::Utc => "UTC",
            Self::Local => "local",
            Self::Delta => "delta",
        }
    }

    /// Whether it is a time of day, not a number of seconds.
    pub fn is_clock(self) -> bool {
        matches!(self, Self::Utc | Self::Local)
    }

    /// A time with this many decimals: of the day in UTC or in `zone`, or since `begin`, in
    /// seconds.
    pub fn text(self, time: i64, begin: i64, decimals: usize, zone: &Zone) -> String {
        match self {
            Self::Utc => text::time_of_day(time, decimals),
            Self::Local => text::local_time_of_day(time, decimals, zone),
            Self::Relative | Self::Delta => text::seconds(time.saturating_sub(begin), decimals),
        }
    }
}
