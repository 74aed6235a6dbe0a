//! The time zone in which local times are written.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::time::{has_time, time_of_day};

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// UTC.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The zone that the system is set to (`TZ`, or else `/etc/localtime`); UTC if there is none.
    pub fn system() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// A zone by its rules as in `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    pub fn of_rules(rules: &str) -> Option<Self> {
        TimeZone::posix(rules).ok().map(Self)
    }
}

/// The time of day in a zone with this many decimals, 1 to 9: `10:25:04.123`. The time is in
/// nanoseconds since the Unix epoch.
pub fn local_time_of_day(nanos: i64, decimals: usize, zone: &Zone) -> String {
    if !has_time(nanos) {
        return time_of_day(nanos, decimals);
    }
    let Ok(time) = Timestamp::from_nanosecond(i128::from(nanos)) else {
        return "?".to_owned();
    };
    let clock = format!("{:.9}", zone.0.to_datetime(time).time());
    clock.get(..9 + decimals).unwrap_or("?").to_owned()
}

/// The date in a zone: `2003-12-01`; empty without a time. The time is in nanoseconds since the Unix epoch.
pub fn local_date(nanos: i64, zone: &Zone) -> String {
    if !has_time(nanos) {
        return String::new();
    }
    let time = Timestamp::from_nanosecond(i128::from(nanos));
    time.map_or("?".to_owned(), |time| zone.0.to_datetime(time).date().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_follow_the_rules_of_the_zone() {
        let winter = 1_070_308_800_060_100_000;
        let summer = 1_057_089_600_060_100_000;
        for (rules, at, text) in [
            ("UTC0", winter, "20:00:00.060"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", winter, "21:00:00.060"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", summer, "22:00:00.060"),
            ("<-0330>3:30", winter, "16:30:00.060"),
        ] {
            let zone = Zone::of_rules(rules).unwrap();
            assert_eq!(local_time_of_day(at, 3, &zone), text, "{rules}");
        }
        assert_eq!(local_time_of_day(i64::MAX, 9, &Zone::utc()), "23:47:16.854775807");
        assert_eq!(local_time_of_day(i64::MIN, 1, &Zone::utc()), "00:12:43.1");
        assert_eq!(Zone::of_rules("Mars"), None);
    }
}
