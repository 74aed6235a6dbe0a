//! Watching a master of the Quake III family.

use std::net::SocketAddr;

use super::cases::roles::Quake3Messages;
use super::messages::{self, Quake3ListRequest};
use crate::conform::server::TestMessages as _;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{ListPart, ListSelection, WatchMessages};
use crate::protocols::quake3::{ENEMY_TERRITORY, GetInfo, QUAKE3, RTCW};
use crate::simulate::{ServerInfo, written};

/// The kinds of masters that are watched.
pub static KINDS: &[&WatchMessages] = &[&QUAKE3_LIST, &DPMASTER, &RTCW_LIST, &TERRITORY];

/// The words that select all servers.
const ALL: &str = "empty full";
/// The ends of a list's last datagram: with NULs, bare, and that of Raven's masters.
const ENDS: [&[u8]; 3] = [b"\\EOT\0\0\0", b"\\EOT", b"\\EOF"];
/// The challenge of a client's question.
const CHALLENGE: &[u8] = b"fragshark";

/// A game of the family: its protocol's number, its tags, and its name in extended requests.
struct Variant {
    number: u32,
    starts: &'static str,
    ends: &'static str,
    name: &'static str,
}

const QUAKE: Variant =
    Variant { number: 68, starts: messages::QUAKE, ends: messages::QUAKE, name: "Quake3Arena" };
const OF_RTCW: Variant =
    Variant { number: 60, starts: messages::WOLF, ends: messages::WOLF_GOES, name: "wolfmp" };
const OF_TERRITORY: Variant =
    Variant { number: 82, starts: messages::TERRITORY, ends: messages::TERRITORY_GOES, name: "et" };
/// The document's game of DarkPlaces: 004 4) getservers.
const DARKPLACES: Variant =
    Variant { number: 3, starts: messages::DARKPLACES, ends: messages::DARKPLACES, name: "Nexuiz" };

/// id Software's master of Quake III Arena, and others that answer as it does.
static QUAKE3_LIST: WatchMessages = WatchMessages {
    profile: QUAKE3.id,
    port: 27950,
    is_variant: false,
    ipv4_only: false,
    answers_heartbeats: true,
    start: None,
    heartbeat: |selection, _| QUAKE.heartbeat(selection),
    // A server without a tag of its own says no more than with a heartbeat that it ends.
    shutdown: None,
    answer: |selection, request| QUAKE.answer(selection, request),
    request: |selection, _| QUAKE.request(selection, ""),
    read,
    query: || written(GetInfo { blank: 1, challenge: CHALLENGE, ..GetInfo::default() }),
};

/// dpmaster, whose games name themselves.
static DPMASTER: WatchMessages = WatchMessages {
    profile: "dpmaster",
    is_variant: true,
    heartbeat: |selection, _| DARKPLACES.heartbeat(selection),
    answer: |selection, request| {
        let info = DARKPLACES.info(selection).with("gamename", DARKPLACES.game(selection));
        messages::answer(&info, request)
    },
    request: |selection, _| DARKPLACES.request(selection, DARKPLACES.name),
    ..QUAKE3_LIST
};

/// id Software's master of Return to Castle Wolfenstein.
static RTCW_LIST: WatchMessages = WatchMessages {
    profile: RTCW.id,
    is_variant: true,
    heartbeat: |selection, _| OF_RTCW.heartbeat(selection),
    shutdown: Some(|_, _| messages::heartbeat(OF_RTCW.ends)),
    answer: |selection, request| OF_RTCW.answer(selection, request),
    request: |selection, _| OF_RTCW.request(selection, ""),
    ..QUAKE3_LIST
};

/// id Software's master of Enemy Territory.
static TERRITORY: WatchMessages = WatchMessages {
    profile: ENEMY_TERRITORY.id,
    is_variant: true,
    heartbeat: |selection, _| OF_TERRITORY.heartbeat(selection),
    shutdown: Some(|_, _| messages::heartbeat(OF_TERRITORY.ends)),
    answer: |selection, request| OF_TERRITORY.answer(selection, request),
    request: |selection, _| OF_TERRITORY.request(selection, ""),
    ..QUAKE3_LIST
};

impl Variant {
    /// With DarkPlaces' tag, if a game is named.
    fn heartbeat(&self, selection: &ListSelection) -> Vec<u8> {
        let is_named = !selection.game.is_empty();
        messages::heartbeat(if is_named { messages::DARKPLACES } else { self.starts })
    }

    fn number(&self, selection: &ListSelection) -> u32 {
        selection.protocol.unwrap_or(self.number)
    }

    fn game<'a>(&'a self, selection: &'a ListSelection) -> &'a str {
        if selection.game.is_empty() { self.name } else { &selection.game }
    }

    /// A server without players, so that nobody waits for one.
    fn info(&self, selection: &ListSelection) -> ServerInfo {
        let info = messages::server_info(&self.number(selection).to_string());
        info.with("clients", "0").with("hostname", PROBE_NAME)
    }

    fn answer(&self, selection: &ListSelection, request: &[u8]) -> Option<Vec<u8>> {
        let mut info = self.info(selection);
        if !selection.game.is_empty() {
            info = info.with("gamename", &selection.game);
        }
        messages::answer(&info, request)
    }

    /// A getservers; over IPv6, for whose addresses it has no records, a getserversExt.
    fn request(&self, selection: &ListSelection, unnamed: &str) -> Vec<u8> {
        let game = if selection.game.is_empty() { unnamed } else { &selection.game };
        let protocol = i64::from(self.number(selection));
        let list = Quake3ListRequest { game, protocol, words: ALL, line_feed: false };
        if !selection.over_ipv6 {
            return list.plain();
        }
        Quake3ListRequest { game: self.game(selection), ..list }.extended()
    }
}

fn read(packet: &[u8]) -> Option<ListPart> {
    let records = Quake3Messages::read(packet)?;
    let is_last = ENDS.iter().any(|end| packet.ends_with(end));
    let servers: Vec<SocketAddr> = servers_of(records);
    Some(ListPart::new(servers, is_last))
}
