//! The formats in which people read times.

use super::time::{has_time, seconds, since, time_of_day, utc};
use super::zone::{Zone, local_date, local_time_of_day};

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

impl TimeDisplay {
    /// All, in the order of their key.
    pub const ALL: [Self; 4] = [Self::Relative, Self::Utc, Self::Local, Self::Delta];

    /// The next one, in turn.
    #[must_use]
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

    /// The date of a time of day: `2003-12-01`; nothing for a number of seconds.
    pub fn date(self, time: i64, zone: &Zone) -> Option<String> {
        match self {
            Self::Utc if !has_time(time) => Some(String::new()),
            Self::Utc => Some(utc(time).get(..10).unwrap_or_default().to_owned()),
            Self::Local => Some(local_date(time, zone)),
            Self::Relative | Self::Delta => None,
        }
    }

    /// A time with this many decimals: of the day in UTC or in `zone`, or since `begin`, in
    /// seconds. Without a time it is `no time`, or empty where there is none to count from.
    pub fn text(self, time: i64, begin: i64, decimals: usize, zone: &Zone) -> String {
        match self {
            Self::Utc => time_of_day(time, decimals),
            Self::Local => local_time_of_day(time, decimals, zone),
            Self::Relative | Self::Delta => match since(begin, time) {
                Some(nanos) => seconds(nanos, decimals),
                None if has_time(time) => String::new(),
                None => time_of_day(time, decimals),
            },
        }
    }
}
