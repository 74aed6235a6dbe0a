//! Half-Life before Steam: a heartbeat of one byte, a reply with a challenge, list requests
//! (document 001, section 10). How lists are requested is observed, and so are the messages of
//! Xash3D's servers and clients: a heartbeat with the server's own challenge, a reply without a
//! line feed, a filter with the client's version and a key.

use crate::PacketRecords;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::registering::{RegisteringHalfLife, RegisteringXash};
use crate::families::RegisteringServer as _;
use crate::{KnownValue, ServerInfo, written};
use codec::{Addrs, FieldRole, Info};
use protocol::{Game, Message as _};
use protocols::half_life::{
    ChallengeReply, GetRegion, GetServers, HalfLife, Heartbeat, InfoStringResponse, ListFamily,
    LogOff, PROTOCOL, PlayersReply, RegionFilter, RulesReply, ServerChallenge, Servers, XASH3D,
};
use protocols::source::SOURCE;

/// Servers of all regions.
pub const EVERYWHERE: u8 = 0xff;
/// The first version of Xash3D whose servers and clients every master accepts.
pub const XASH_VERSION: &str = "0.21";
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 5] = [
    ("protocol", FieldRole::Protocol),
    ("players", FieldRole::Players),
    ("max", FieldRole::MaxPlayers),
    ("gamedir", FieldRole::Game),
    ("map", FieldRole::Map),
];

/// A server like the document's, with one player on six places.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("protocol", "46"),
        ("challenge", ""),
        ("players", "1"),
        ("max", "6"),
        ("gamedir", "valve"),
        ("map", "undertow"),
        ("type", "d"),
        ("password", "0"),
        ("os", "l"),
        ("secure", "0"),
        ("lan", "0"),
        ("version", "3.1.1.0"),
    ])
}

/// A server of Xash3D with one player on six places.
pub fn xash_server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("protocol", "49"),
        ("challenge", ""),
        ("players", "1"),
        ("max", "6"),
        ("bots", "0"),
        ("gamedir", "valve"),
        ("map", "undertow"),
        ("type", "d"),
        ("password", "0"),
        ("os", "l"),
        ("secure", "0"),
        ("lan", "0"),
        ("version", XASH_VERSION),
        ("region", "255"),
        ("product", "valve"),
        ("nat", "0"),
    ])
}

/// A server of a game on Source with one player on 24 places.
pub fn steam_server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("protocol", "17"),
        ("challenge", ""),
        ("players", "1"),
        ("max", "24"),
        ("bots", "0"),
        ("gamedir", "tf"),
        ("map", "ctf_2fort"),
        ("password", "0"),
        ("os", "l"),
        ("lan", "0"),
        ("region", "255"),
        ("gametype", "alltalk"),
        ("type", "d"),
        ("secure", "1"),
        ("version", "1.0.0.34"),
        ("product", "tf"),
    ])
}

/// A server's heartbeat.
pub fn heartbeat() -> Vec<u8> {
    written(Heartbeat::default())
}

/// A heartbeat of Xash3D with the server's own challenge; old servers send none.
pub fn xash_heartbeat(key: Option<u32>) -> Vec<u8> {
    let has_key = key.is_some();
    written(Heartbeat { xash: 1, has_key, key: key.unwrap_or_default(), ..Heartbeat::default() })
}

/// A server's shutdown message (observed).
pub fn log_off() -> Vec<u8> {
    written(LogOff::default())
}

/// The number in an `s`; `None` for another message.
pub fn challenge(request: &[u8]) -> Option<u32> {
    challenges(request).map(|(challenge, _)| challenge)
}

/// The number in an `s`, and the server's own that Xash3D's master echoes after it.
pub fn challenges(request: &[u8]) -> Option<(u32, Option<u32>)> {
    with_message(request, |message| match message {
        HalfLife::Challenge(request) => {
            let has_key = request.echo == ServerChallenge::Present;
            Some((request.challenge, has_key.then_some(request.key)))
        }
        _ => None,
    })
}

/// A server's values, with this text as challenge; without one the key is missing.
pub fn reply(server_info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
    written(ChallengeReply { info: Info::new(&challenged(server_info, challenge)), newline: 1 })
}

/// The same in the form of Xash3D's servers: without a line feed.
pub fn xash_reply(server_info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
    written(ChallengeReply { info: Info::new(&challenged(server_info, challenge)), newline: 0 })
}

fn challenged(server_info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
    let server_info = server_info.clone();
    match challenge {
        Some(challenge) => server_info.with("challenge", challenge),
        None => server_info.without("challenge"),
    }
    .info()
}

/// The answer to a client that asks for the server's description, its players or its settings: observed,
/// with servers of WON's time.
fn described(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    with_message(request, |message| match message {
        HalfLife::InfoString(_) => {
            let info = server_info.clone().without("challenge").info();
            Some(written(InfoStringResponse { info: Info::new(&info), ..Default::default() }))
        }
        HalfLife::Players(_) => Some(PlayersReply::SPEC.example.to_vec()),
        HalfLife::Rules(_) => Some(RulesReply::SPEC.example.to_vec()),
        _ => None,
    })
}

/// The answer of a server with these known values, in the form of its game's servers.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    if *game == XASH3D {
        let info = xash_server_info().with_known(known, &KNOWN_KEYS);
        return RegisteringXash.answer_request(&info, request);
    }
    let info = if *game == SOURCE { steam_server_info() } else { server_info() };
    let info = info.with_known(known, &KNOWN_KEYS);
    RegisteringHalfLife.answer_request(&info, request).or_else(|| {
        let named = info.with("hostname", "noname");
        described(&named.with_known(known, &[("hostname", FieldRole::Host)]), request)
    })
}

/// A client's list request from a cursor on (observed).
pub fn get_servers(cursor: [u8; 3]) -> Vec<u8> {
    written(GetServers { cursor, ..GetServers::default() })
}

/// A client's request for servers that match a filter, after this one (observed).
pub fn get_region(from: SocketAddr, filter: &str) -> Vec<u8> {
    get_servers_of(EVERYWHERE, from, filter)
}

/// The same for the servers of a region (document 007).
pub fn get_servers_of(region: u8, from: SocketAddr, filter: &str) -> Vec<u8> {
    let (from, filter) = (from.to_string(), RegionFilter::new(filter.as_bytes()));
    written(GetRegion { region, from: from.as_bytes(), filter, end: 1 })
}

/// The same in the form of Xash3D's clients: from the beginning, without a NUL at the end.
pub fn get_xash_region(filter: &str) -> Vec<u8> {
    let (from, filter) = (b"0.0.0.0:0", RegionFilter::new(filter.as_bytes()));
    written(GetRegion { region: EVERYWHERE, from, filter, end: 0 })
}

crate::families::with_message!(HalfLife);

/// Bytes of the mark, the letter and the line feed, and of one record.
pub const LIST_HEAD: usize = b"\xff\xff\xff\xfff\n".len();
/// Bytes of one record.
pub const LIST_RECORD: usize = 6;

/// The servers in one packet of a list whose request had no key; `None` for another message. Then
/// no key comes back: what looks like one is a first record of 127.0.0.0/8, see
/// [`protocols::half_life::ListHead`].
pub fn list_records(packet: &[u8]) -> Option<PacketRecords> {
    with_message(packet, |message| match message {
        HalfLife::Servers(list) if list.family == ListFamily::Ipv4 => {
            let records = Addrs::new(packet.get(LIST_HEAD..)?);
            Some(PacketRecords::new(LIST_HEAD, LIST_RECORD, records.iter(Servers::FORM)))
        }
        _ => None,
    })
}

/// The servers in one packet of a list of Xash3D's master, without the last record, which is all
/// zeros; `None` for another message.
pub fn xash_list_records(packet: &[u8]) -> Option<PacketRecords> {
    with_message(packet, |message| match message {
        HalfLife::Servers(list) => {
            let length = list.servers.raw().len();
            let servers: Vec<_> = list.servers.iter(list.family.form()).collect();
            let step = length.checked_div(servers.len()).unwrap_or_default();
            let mut records = PacketRecords::new(packet.len() - length, step, servers);
            records.servers.retain(|(server, _)| !is_zero(server));
            Some(records)
        }
        _ => None,
    })
}

/// Whether a record is all zeros.
pub fn is_zero(record: &SocketAddr) -> bool {
    record.ip().is_unspecified() && record.port() == 0
}

/// The challenge that servers send with their heartbeats; all four bytes differ.
pub const XASH_KEY: u32 = 0x8a1b_2c3d;

/// The key of clients' list requests.
pub const LIST_KEY: u32 = 0xdead_beef;

/// The filter of a client of version 0.21 that is not behind NAT, with a key and these words.
pub fn xash_filter(words: &str) -> String {
    format!(r"\clver\{XASH_VERSION}\nat\0\key\{LIST_KEY:x}{words}")
}

/// The address of the first request, and the last record of a whole list.
pub const ZERO_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// The filter for servers of a gamedir.
pub fn filter_of(game: &str) -> String {
    format!(r"\gamedir\{game}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_document() {
        let few =
            ServerInfo::from_pairs(&[("protocol", "46"), ("challenge", ""), ("players", "0")]);
        let zero_address = SocketAddr::from(([0; 4], 0));
        for (message, expected) in [
            (heartbeat(), &b"q"[..]),
            (log_off(), b"b\n"),
            (
                reply(&few, Some("2100453449")),
                b"0\n\\protocol\\46\\challenge\\2100453449\\players\\0\n",
            ),
            (reply(&few, None), b"0\n\\protocol\\46\\players\\0\n"),
            (get_servers([1, 2, 0]), b"e\x01\x02\0"),
            (get_region(zero_address, r"\gamedir\valve"), b"1\xff0.0.0.0:0\0\\gamedir\\valve\0"),
            (xash_heartbeat(Some(0x0102_0304)), b"q\xff\x04\x03\x02\x01"),
            (xash_heartbeat(None), b"q\xff"),
            (
                xash_reply(&few, Some("4294967295")),
                b"0\n\\protocol\\46\\challenge\\4294967295\\players\\0",
            ),
            (get_xash_region(r"\clver\0.21"), b"1\xff0.0.0.0:0\0\\clver\\0.21"),
        ] {
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
        assert_eq!(challenge(b"\xff\xff\xff\xffs\n\x01\x01\0\0"), Some(0x101));
        assert_eq!(challenge(b"\xff\xff\xff\xffs\n\xfe\xff\xff\xff"), Some(4_294_967_294));
        let both = challenges(b"\xff\xff\xff\xffs\n\x01\x01\0\0\x02\0\0\0");
        assert_eq!(both, Some((0x101, Some(2))));
        assert_eq!(challenge(b"q"), None);
        let answered = RegisteringHalfLife.answer_request(&few, b"\xff\xff\xff\xffs\n\x07\0\0\0");
        assert_eq!(answered, Some(reply(&few, Some("7"))));
        let answered =
            RegisteringHalfLife.answer_request(&few, b"\xff\xff\xff\xffs\n\xff\xff\xff\xff");
        assert_eq!(answered, Some(reply(&few, Some("4294967295"))));
    }
}
