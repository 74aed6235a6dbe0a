//! The times of a report: without the date, where it is the same everywhere.

use text::utc;

/// From the first to the last message, in nanoseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeSpan {
    pub first: i64,
    pub last: i64,
}

impl TimeSpan {
    /// The span of these times; of messages whose frames have none, no times, and nothing if there are
    /// no messages.
    pub fn from_times(span: Option<(i64, i64)>, messages: u64) -> Option<Self> {
        let unknown = (messages > 0).then_some((text::NO_TIME, text::NO_TIME));
        span.or(unknown).map(|(first, last)| Self { first, last })
    }

    /// How long it is, in nanoseconds; at least 1.
    pub fn length(self) -> i64 {
        self.last.saturating_sub(self.first).max(1)
    }

    /// A time as RFC 3339, for people: with milliseconds, and with the date if the span has several.
    /// Other text stays as it is.
    pub fn short(self, exact: &str) -> String {
        if exact.len() < 23 {
            return exact.to_owned();
        }
        let part = |from, to| exact.get(from..to).unwrap_or_default();
        if self.has_dates() {
            format!("{} {}", part(0, 10), part(11, 19))
        } else {
            part(11, 23).to_owned()
        }
    }

    /// The same of nanoseconds.
    pub fn text(self, time: i64) -> String {
        self.short(&utc(time))
    }

    fn has_dates(self) -> bool {
        let [first, last] = [self.first, self.last].map(utc);
        first.get(..10) != last.get(..10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_date_where_there_are_several() {
        let (noon, day) = (1_000_000_000_000_000_000_i64, 86_400_000_000_000);
        let one = TimeSpan { first: noon, last: noon + 1 };
        assert_eq!(one.text(noon), "01:46:40.000");
        let two = TimeSpan { first: noon, last: noon + day };
        assert_eq!(two.text(noon), "2001-09-09 01:46:40");
        assert_eq!((one.length(), two.length()), (1, day));
        let unknown = TimeSpan::from_times(None, 1).unwrap();
        assert_eq!((unknown.text(unknown.first).as_str(), unknown.length()), ("no time", 1));
        assert_eq!(TimeSpan::from_times(None, 0), None);
        assert_eq!(TimeSpan { first: 5, last: 5 }.length(), 1);
    }
}
