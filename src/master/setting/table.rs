//! The table of settings, and the parser of each.

use super::{Authorize, GamePolicy, ListForm, Settings};
use crate::text::parse_duration;

/// One of the settings.
pub struct Setting {
    pub name: &'static str,
    /// As on the command line.
    pub default: &'static str,
    pub means: &'static str,
    /// The source of the default, or that it is our own.
    pub source: &'static str,
    /// Parses a value and sets it; `None` if it is invalid.
    pub(crate) set: fn(&mut Settings, &str) -> Option<()>,
}

/// Every setting.
pub static SETTINGS: &[Setting] = &[
    Setting {
        name: "server-timeout",
        default: "15m",
        means: "how long a server stays listed after its last valid answer",
        source: "004 BEHAVIOUR",
        set: |s, v| s.server_timeout.take(duration(v)),
    },
    Setting {
        name: "gamespy-timeout",
        default: "12m",
        means: "the same for GameSpy's servers",
        source: "003 Appendix D",
        set: |s, v| s.gamespy_timeout.take(duration(v)),
    },
    Setting {
        name: "challenge-timeout",
        default: "2s",
        means: "how long a challenge is valid",
        source: "004 BEHAVIOUR; the number is dpmaster's",
        set: |s, v| s.challenge_timeout.take(duration(v)),
    },
    Setting {
        name: "max-servers",
        default: "4096",
        means: "servers listed at once, of all games together",
        source: "dpmaster's",
        set: |s, v| s.max_servers.take(v.parse().ok()),
    },
    Setting {
        name: "max-per-address",
        default: "32",
        means: "servers of one address, challenged ones included",
        source: "dpmaster's",
        set: |s, v| s.max_per_address.take(v.parse().ok()),
    },
    Setting {
        name: "max-waiting",
        default: "65536",
        means: "pending challenges at once; the oldest is dropped first",
        source: "our own",
        set: |s, v| s.max_waiting.take(v.parse().ok().filter(|n| *n > 0)),
    },
    Setting {
        name: "packet-size",
        default: "1400",
        means: "maximum bytes of a list's packet, from 100 to 65507, where lists are split",
        source: "dpmaster's; at most 1536 in 000",
        set: |s, v| s.packet_size.take(v.parse().ok().filter(|n| (100..=65507).contains(n))),
    },
    Setting {
        name: "list-form",
        default: "dpmaster",
        means: "dpmaster: the end mark in a list's last packet; id: 112 servers a packet, the end \
                mark in each",
        source: "004 5), 001 1.1.2",
        set: |s, v| {
            s.list_form.take(match v {
                "dpmaster" => Some(ListForm::Dpmaster),
                "id" => Some(ListForm::Id),
                _ => None,
            })
        },
    },
    Setting {
        name: "unknown-tags",
        default: "off",
        means: "on: heartbeats with unknown tags are answered like DarkPlaces'",
        source: "dpmaster's",
        set: |s, v| s.unknown_tags.take(switch(v)),
    },
    Setting {
        name: "game-policy",
        default: "",
        means: "accept NAME...: only servers and lists of these games of the quake3 service; reject \
                NAME...: of all but these; case matters",
        source: "dpmaster's",
        set: |s, v| s.game_policy.take(GamePolicy::read(v)),
    },
    Setting {
        name: "keep-silent",
        default: "off",
        means: "on: a server of Quake III or GameSpy that does not answer after a heartbeat stays \
                until server-timeout; off: it is removed, because it may have shut down",
        source: "000 heartbeat, 001 1.2.9, 003 Appendix D; on is 004 BEHAVIOUR",
        set: |s, v| s.keep_silent.take(switch(v)),
    },
    Setting {
        name: "allow-register",
        default: "off",
        means: "on: other masters may register servers",
        source: "000 register",
        set: |s, v| s.allow_register.take(switch(v)),
    },
    Setting {
        name: "flood",
        default: "100",
        means: "packets per second from and to one address; 0: no limit",
        source: "our own",
        set: |s, v| s.flood.take(v.parse().ok()),
    },
    Setting {
        name: "flood-burst",
        default: "400",
        means: "packets from and to one address at once",
        source: "our own",
        set: |s, v| s.flood_burst.take(v.parse().ok().filter(|n| *n > 0)),
    },
    Setting {
        name: "flood-loopback",
        default: "off",
        means: "on: loopback addresses are limited too",
        source: "our own",
        set: |s, v| s.flood_loopback.take(switch(v)),
    },
    Setting {
        name: "list-rate",
        default: "2000000",
        means: "bytes per second of all lists over UDP together; 0: no limit",
        source: "our own",
        set: |s, v| s.list_rate.take(v.parse().ok()),
    },
    Setting {
        name: "list-burst",
        default: "8000000",
        means: "bytes of all lists over UDP at once",
        source: "our own",
        set: |s, v| s.list_burst.take(v.parse().ok().filter(|n| *n > 0)),
    },
    Setting {
        name: "connections",
        default: "256",
        means: "TCP connections at once",
        source: "our own",
        set: |s, v| s.connections.take(v.parse().ok()),
    },
    Setting {
        name: "connections-per-address",
        default: "32",
        means: "TCP connections of one IPv4 address or IPv6 /64 network; at most half of all",
        source: "our own",
        set: |s, v| s.connections_per_address.take(v.parse().ok()),
    },
    Setting {
        name: "connection-timeout",
        default: "30s",
        means: "how long a TCP connection may last",
        source: "our own",
        set: |s, v| s.connection_timeout.take(duration(v)),
    },
    Setting {
        name: "motd",
        default: "Welcome to fragshark",
        means: "the message of the day, without quotes, backslashes and commas",
        source: "001 1.1.5",
        set: |s, v| s.motd.take(text(v)),
    },
    Setting {
        name: "list-proof",
        default: "on",
        means: "off: GameSpy's lists are sent to clients without a key too",
        source: "001 5.6",
        set: |s, v| s.list_proof.take(switch(v)),
    },
    Setting {
        name: "authorize",
        default: "shown",
        means: "which players are let in: shown (whose address sent a key), all, nobody",
        source: "001 1.2.11, 001 8.4",
        set: |s, v| {
            s.authorize.take(match v {
                "shown" => Some(Authorize::Shown),
                "all" => Some(Authorize::All),
                "nobody" => Some(Authorize::Nobody),
                _ => None,
            })
        },
    },
    Setting {
        name: "authorize-timeout",
        default: "15m",
        means: "how long a key that was sent is valid",
        source: "our own",
        set: |s, v| s.authorize_timeout.take(duration(v)),
    },
    Setting {
        name: "update-files",
        default: "",
        means: "files of an update of Enemy Territory; empty: there is none",
        source: "001 11.2",
        set: |s, v| s.update_files.take(text(v)),
    },
    Setting {
        name: "newest",
        default: "1.41",
        means: "Doom 3's newest protocol; clients with an older one are told of the update",
        source: "001 9.6; 1.41 is Doom 3 1.3.1",
        set: |s, v| s.newest.take(version(v)),
    },
    Setting {
        name: "update-url",
        default: "http://example.org/update",
        means: "the URL of Doom 3's update",
        source: "001 9.6",
        set: |s, v| s.update_url.take(text(v)),
    },
];

/// A field that is set if there is a value.
trait Take<T> {
    fn take(&mut self, value: Option<T>) -> Option<()>;
}

impl<T> Take<T> for T {
    fn take(&mut self, value: Option<T>) -> Option<()> {
        *self = value?;
        Some(())
    }
}

/// A duration in nanoseconds; `None` unless it is more than nothing and less than a year.
fn duration(text: &str) -> Option<i64> {
    let nanos = parse_duration(text)?;
    (0 < nanos && nanos < YEAR).then_some(nanos as i64)
}

const YEAR: i128 = 365 * 24 * 3_600_000_000_000;

fn switch(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Text that fits into a quoted infostring.
fn text(text: &str) -> Option<String> {
    let fits = |c: char| !c.is_control() && !matches!(c, '"' | '\\');
    (text.len() <= 512 && text.chars().all(fits)).then(|| text.to_owned())
}

/// `1.41` as Doom 3 writes it.
fn version(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    let (major, minor): (u16, u16) = (major.parse().ok()?, minor.parse().ok()?);
    Some(u32::from(major) << 16 | u32::from(minor))
}
