//! The table of settings, and the parser of each.

use std::str::FromStr;

use super::{Authorize, ListForm};
use crate::GamePolicy;
use text::parse_duration;

/// One of the settings.
pub struct Setting {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its default, as on the command line.
    pub default: &'static str,
    /// What it means.
    pub means: &'static str,
    /// The source of the default, or that it is our own.
    pub source: &'static str,
    /// Parses a value and sets it; `None` if it is invalid.
    pub(super) set: fn(&mut Settings, &str) -> Option<()>,
}

/// A duration in nanoseconds.
type Nanoseconds = i64;

/// Declares each setting once: its field, its parser, its row in the table.
macro_rules! settings {
    ($($field:ident: $type:ty = $parse:path[$name:literal, $default:literal],
        $means:literal, $source:literal;)+) => {
        /// The settings of a master.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Settings {
            $(#[doc = concat!("`", $name, "`: ", $means, ".")] pub $field: $type,)+
        }

        impl Default for Settings {
            /// The defaults of the table; a test parses each.
            fn default() -> Self {
                Self {
                    $($field: $parse($default).unwrap_or_default(),)+
                }
            }
        }

        /// Every setting.
        pub static SETTINGS: &[Setting] = &[$(Setting {
            name: $name,
            default: $default,
            means: $means,
            source: $source,
            set: |settings, text| $parse(text).map(|value| settings.$field = value),
        }),+];
    };
}

settings! {
    server_timeout: Nanoseconds = duration["server-timeout", "15m"],
        "how long a server stays listed after its last valid answer",
        "004 BEHAVIOUR";
    gamespy_timeout: Nanoseconds = duration["gamespy-timeout", "12m"],
        "the same for GameSpy's servers",
        "003 Appendix D";
    challenge_timeout: Nanoseconds = duration["challenge-timeout", "2s"],
        "how long a challenge is valid",
        "004 BEHAVIOUR; the number is dpmaster's";
    max_servers: usize = number["max-servers", "4096"],
        "servers listed at once, of all games together",
        "dpmaster's";
    max_per_address: usize = number["max-per-address", "32"],
        "servers of one address, challenged ones included",
        "dpmaster's";
    max_waiting: usize = positive["max-waiting", "65536"],
        "pending challenges at once; the oldest is dropped first",
        "our own";
    packet_size: usize = packet_size["packet-size", "1400"],
        "maximum bytes of a list's packet, from 100 to 65507, where lists are split",
        "dpmaster's; at most 1536 in 000";
    list_form: ListForm = list_form["list-form", "dpmaster"],
        "dpmaster: the end mark in a list's last packet; id: 112 servers a packet, the end \
         mark in each; raven: 111 servers a packet, a line feed and NUL before them; daemon: \
         packets with numbers, as Unvanquished's clients read them",
        "004 5), 001 1.1.2, in no document";
    unknown_tags: bool = switch["unknown-tags", "off"],
        "on: heartbeats with unknown tags are answered like DarkPlaces'",
        "dpmaster's";
    one_name: bool = switch["one-name", "off"],
        "on: a server whose tag is a game's own and that names another game is refused; off: it \
         is known by both names",
        "dpmaster's";
    game_policy: GamePolicy = GamePolicy::parse["game-policy", ""],
        "accept NAME...: only servers and lists of these games of the quake3 service; reject \
         NAME...: of all but these; case matters",
        "dpmaster's";
    keep_silent: bool = switch["keep-silent", "off"],
        "on: a server of Quake III or GameSpy that does not answer after a heartbeat stays \
         until server-timeout; off: it is removed, because it may have shut down",
        "000 heartbeat, 001 1.2.9, 003 Appendix D; on is 004 BEHAVIOUR";
    allow_register: bool = switch["allow-register", "off"],
        "on: other masters may register servers",
        "000 register";
    flood: u32 = number["flood", "100"],
        "packets per second from and to one address; 0: no limit",
        "our own";
    flood_burst: u32 = positive["flood-burst", "400"],
        "packets from and to one address at once",
        "our own";
    flood_loopback: bool = switch["flood-loopback", "off"],
        "on: loopback addresses are limited too",
        "our own";
    list_rate: u32 = number["list-rate", "2000000"],
        "bytes per second of all lists over UDP together; 0: no limit",
        "our own";
    list_burst: u32 = positive["list-burst", "8000000"],
        "bytes of all lists over UDP at once",
        "our own";
    connections: usize = number["connections", "256"],
        "TCP connections at once",
        "our own";
    connections_per_address: usize = number["connections-per-address", "32"],
        "TCP connections of one IPv4 address or IPv6 /64 network; at most half of all",
        "our own";
    connection_timeout: Nanoseconds = duration["connection-timeout", "30s"],
        "how long a TCP connection may last",
        "our own";
    motd: String = text["motd", "Welcome to fragshark"],
        "the message of the day, without quotes, backslashes and commas",
        "001 1.1.5";
    list_proof: bool = switch["list-proof", "on"],
        "off: GameSpy's lists are sent to clients without a key too",
        "001 5.6";
    authorize: Authorize = authorize["authorize", "shown"],
        "which players are let in: shown (those whose address has sent a key), all, nobody",
        "001 1.2.11, 001 8.4";
    authorize_timeout: Nanoseconds = duration["authorize-timeout", "15m"],
        "how long a key that was sent is valid",
        "our own";
    update_files: String = text["update-files", ""],
        "files of an update of Enemy Territory; empty: there is none",
        "001 11.2";
    newest: u32 = version["newest", "1.41"],
        "Doom 3's newest protocol; clients with an older one are told of the update",
        "001 9.6; 1.41 is Doom 3 1.3.1";
    update_url: String = text["update-url", "http://example.org/update"],
        "the URL of Doom 3's update",
        "001 9.6";
}

/// A duration; `None` unless it is more than nothing and less than a year.
fn duration(text: &str) -> Option<Nanoseconds> {
    const YEAR: i128 = 365 * 24 * 3_600_000_000_000;
    let nanos = parse_duration(text)?;
    (0 < nanos && nanos < YEAR).then_some(nanos as i64)
}

fn number<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok()
}

fn positive<N: FromStr + Default + PartialEq>(text: &str) -> Option<N> {
    number(text).filter(|number| *number != N::default())
}

fn packet_size(text: &str) -> Option<usize> {
    number(text).filter(|size| (100..=65507).contains(size))
}

fn list_form(text: &str) -> Option<ListForm> {
    match text {
        "dpmaster" => Some(ListForm::Dpmaster),
        "id" => Some(ListForm::Id),
        "raven" => Some(ListForm::Raven),
        "daemon" => Some(ListForm::Daemon),
        _ => None,
    }
}

fn authorize(text: &str) -> Option<Authorize> {
    match text {
        "shown" => Some(Authorize::Shown),
        "all" => Some(Authorize::All),
        "nobody" => Some(Authorize::Nobody),
        _ => None,
    }
}

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
