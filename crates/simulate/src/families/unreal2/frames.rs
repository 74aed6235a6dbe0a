//! What clients and servers send to a master over TCP (documents 009 and 010), and what they read of
//! its answers.

use std::net::{SocketAddr, SocketAddrV4};

use crate::{ServerInfo, written};
use codec::Counting::Unreal;
use codec::{CountedText, Decoded, Records, Scratch};
use protocol::{Carrier, Direction, Role};
use protocols::unreal2::{
    ApprovedResponse, HasGraphics, Heartbeat, Login, MasterListRequest, MotdRequest, PROTOCOL,
    PackagesVersion, PortsForm, RecordEnd, Unreal2, Uplink,
};

/// The programs that log in, and a version of them.
pub const CLIENT: &str = "UT2K4CLIENT";
/// What a server logs in as.
pub const SERVER: &str = "UT2K4SERVER";
/// The version with which it logs in.
pub const VERSION: u32 = 3323;

/// A CD key's hash and the response to a challenge, of a key that was never sold.
const KEY_HASH: &[u8] = b"00112233445566778899aabbccddeeff";
const RESPONSE: &[u8] = b"ffeeddccbbaa99887766554433221100";
/// What a client answers to its approval.
const APPROVED: &[u8] = b"00000000000000000000000000000000";
/// The system and the language of who logs in.
const SYSTEM: u8 = 6;
const LANGUAGE: &[u8] = b"int";
/// The bytes of a frame's length.
const HEAD: usize = 4;

/// A filter of a list request.
#[derive(Debug, Clone, Copy)]
pub struct UnrealFilter<'a> {
    /// The name of the field.
    pub field: &'a str,
    /// The value with which it is compared.
    pub value: &'a str,
    /// The kind of comparison.
    pub comparison: u8,
}

/// A listed server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUnrealServer {
    /// Its address and port.
    pub address: SocketAddr,
    /// The port on which it is asked.
    pub query_port: u16,
    /// The name.
    pub name: Vec<u8>,
    /// The map.
    pub map: Vec<u8>,
    /// The game type.
    pub game_type: Vec<u8>,
    /// Players.
    pub players: u8,
    /// Places for players.
    pub max_players: u8,
    /// What the master says of it behind that, if it says something.
    pub end: Option<ListedEnd>,
}

/// The end of a record: how a server plays, in the form of the client's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListedEnd {
    /// For UT2004: the flags, and the skill of the bots.
    Long(u32, Vec<u8>),
    /// For UT2003: the flags.
    Short(u8),
}

/// The ports at which a master has reached a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachedPorts {
    /// Where it plays.
    pub port: u32,
    /// Where it is asked, and where GameSpy's programs ask it; not told to UT2003's servers.
    pub queries: Option<[u32; 2]>,
}

/// A frame of a master.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MasterFrame {
    /// The challenge.
    Challenge(Vec<u8>),
    /// The verdict, and the number behind it.
    Verdict(Vec<u8>, Option<u32>),
    /// The ports at which the master reached the server.
    DetectedPorts(ReachedPorts),
    /// The number of the match.
    MatchNumber(u32),
    /// The version of the packages.
    Packages,
    /// How many servers follow.
    ListCount(u32),
    /// A server of a list.
    Listed(ListedUnrealServer),
    /// A text: a verdict, or a message of the day.
    Text(Vec<u8>),
    /// Another frame.
    Other,
}

impl MasterFrame {
    /// The frame at the beginning of a stream, and its length; `None` if it did not come whole.
    pub fn split_off(bytes: &[u8]) -> Option<(Self, usize)> {
        let length = usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok()?;
        let length = HEAD.checked_add(length)?;
        let frame = bytes.get(..length)?;
        Some((Self::parse(frame).unwrap_or(Self::Other), length))
    }

    /// All whole frames at the beginning of a stream.
    pub fn all(mut bytes: &[u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (frame, length) = Self::split_off(bytes)?;
            bytes = bytes.get(length..)?;
            Some(frame)
        })
    }

    fn parse(frame: &[u8]) -> Option<Self> {
        let direction = Direction { from: Some(Role::Master), to: None };
        let entry = protocols::recognise(&PROTOCOL, Carrier::Stream, frame, direction)?;
        let mut scratch = Scratch::default();
        let Decoded { message, fault, .. } = Unreal2::decode(entry, frame, &mut scratch)?;
        Some(match message {
            _ if fault.is_some() => Self::Other,
            Unreal2::MasterChallenge(challenge) => Self::Challenge(challenge.challenge.text.into()),
            Unreal2::Verified(verdict) => {
                let number = verdict.has_number.then_some(verdict.number);
                Self::Verdict(verdict.verdict.text.into(), number)
            }
            Unreal2::DetectedPorts(ports) => Self::DetectedPorts(ReachedPorts {
                port: ports.port,
                queries: match ports.form {
                    PortsForm::Three => Some([ports.query_port, ports.gamespy_port]),
                    PortsForm::One => None,
                },
            }),
            Unreal2::NumberFrame(frame) => Self::MatchNumber(frame.number),
            Unreal2::Packages(_) => Self::Packages,
            Unreal2::ListCount(head) => Self::ListCount(head.count),
            Unreal2::ListRecord(record) => Self::Listed(ListedUnrealServer {
                address: SocketAddrV4::new(record.address.into(), record.port).into(),
                query_port: record.query_port,
                name: record.name.text.into(),
                map: record.map.text.into(),
                game_type: record.game_type.text.into(),
                players: record.players,
                max_players: record.max_players,
                end: match record.end {
                    _ if !record.has_more => None,
                    RecordEnd::Long => {
                        Some(ListedEnd::Long(record.flags, record.skill.text.into()))
                    }
                    RecordEnd::Short => Some(ListedEnd::Short(record.short_flags)),
                },
            }),
            Unreal2::TextFrame(text) => Self::Text(text.text.text.into()),
            _ => Self::Other,
        })
    }
}

/// A login of a program.
pub fn login(program: &str, version: u32) -> Vec<u8> {
    let is_server = program.ends_with("SERVER");
    written(Login {
        key_hash: CountedText::new(KEY_HASH),
        response: CountedText::new(RESPONSE),
        program: CountedText::new(program.as_bytes()),
        version,
        system: SYSTEM,
        language: CountedText::new(LANGUAGE),
        has_more: true,
        graphics: if is_server { HasGraphics::No } else { HasGraphics::Yes },
        ..Login::default()
    })
}

/// What a client answers to its approval.
pub fn approved_response() -> Vec<u8> {
    written(ApprovedResponse {
        response: CountedText::new(APPROVED),
        ..ApprovedResponse::default()
    })
}

/// What a server answers to its approval.
pub fn uplink() -> Vec<u8> {
    written(Uplink::default())
}

/// A request for the message of the day.
pub fn motd_request() -> Vec<u8> {
    written(MotdRequest::default())
}

/// What a server says of the packages that it knows.
pub fn packages_version(version: u32) -> Vec<u8> {
    written(PackagesVersion { version, ..PackagesVersion::default() })
}

/// A request for the servers that match all filters.
pub fn list_request(wanted: &[UnrealFilter<'_>]) -> Vec<u8> {
    let (count, filters) = (wanted.len() as u8, filters(wanted));
    written(MasterListRequest {
        count,
        filters: Records::new(&filters),
        ..MasterListRequest::default()
    })
}

/// The heartbeat of a server that plays on a port.
pub fn heartbeat(port: u16, info: &ServerInfo) -> Vec<u8> {
    let value = |key| info.get(key).unwrap_or_default();
    let number = |key| {
        let text = std::str::from_utf8(value(key)).unwrap_or_default();
        text.parse().unwrap_or_default()
    };
    let known = ["name", "map", "game type", "players", "max players"];
    let rules: Vec<_> = info
        .pairs()
        .filter(|(key, _)| !known.contains(&std::str::from_utf8(key).unwrap_or_default()))
        .collect();
    let mut settings = vec![rules.len() as u8];
    for (key, value) in rules {
        settings.extend(text(key));
        settings.extend(text(value));
    }
    written(Heartbeat {
        port: port.into(),
        query_port: u32::from(port) + 1,
        name: CountedText::new(value("name")),
        map: CountedText::new(value("map")),
        game_type: CountedText::new(value("game type")),
        players: number("players"),
        max_players: number("max players"),
        skill: CountedText::new(b"2"),
        settings: Records::new(&settings),
        ..Heartbeat::default()
    })
}

/// A server of six players on sixteen places.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("name", "A server"),
        ("map", "DM-Rankin"),
        ("game type", "xDeathMatch"),
        ("players", "6"),
        ("max players", "16"),
        ("ServerMode", "dedicated"),
        ("GamePassword", "False"),
    ])
}

/// The bytes of filters.
pub fn filters(wanted: &[UnrealFilter<'_>]) -> Vec<u8> {
    let bytes = |filter: &UnrealFilter<'_>| {
        let texts = [text(filter.field.as_bytes()), text(filter.value.as_bytes())];
        [texts.concat(), vec![filter.comparison]].concat()
    };
    wanted.iter().flat_map(bytes).collect()
}

/// A text with its length in front, of 62 bytes at most, and a NUL behind it.
fn text(text: &[u8]) -> Vec<u8> {
    [&[text.len() as u8 + 1][..], text, b"\0"].concat()
}

/// So many texts at the beginning of some bytes, and what is behind them; `None` if they are not there.
pub fn texts<const N: usize>(mut left: &[u8]) -> Option<([&[u8]; N], &[u8])> {
    let mut texts = [&b""[..]; N];
    for text in &mut texts {
        let taken = Unreal.split_off(left).ok()?;
        (*text, left) = (taken.text, left.get(taken.len(Unreal)..)?);
    }
    Some((texts, left))
}

/// A number of keys and values, as a heartbeat has them.
/// The verdict that lets somebody log in.
pub const VERDICT_APPROVED: &[u8] = b"APPROVED";
/// The verdict behind it on a server.
pub const VERDICT_VERIFIED: &[u8] = b"VERIFIED";

/// The frames of a list, without other frames.
pub struct ListFrames {
    /// How many servers the first frame says.
    pub count: u32,
    /// The servers.
    pub servers: Vec<ListedUnrealServer>,
}

impl ListFrames {
    /// The number at the beginning, all whole frames of servers behind it, and their bytes.
    pub fn split_off(bytes: &[u8]) -> Option<(usize, Self)> {
        let (MasterFrame::ListCount(count), mut at) = MasterFrame::split_off(bytes)? else {
            return None;
        };
        let mut servers = Vec::new();
        while let Some((MasterFrame::Listed(server), length)) =
            bytes.get(at..).and_then(MasterFrame::split_off)
        {
            servers.push(server);
            at += length;
        }
        Some((at, Self { count, servers }))
    }
}

/// Settings as a heartbeat has them: their number, and the texts of each.
pub fn settings(pairs: &[(&str, &str)]) -> Vec<u8> {
    let pair =
        |(key, value): &(&str, &str)| [text(key.as_bytes()), text(value.as_bytes())].concat();
    [vec![pairs.len() as u8], pairs.iter().flat_map(pair).collect()].concat()
}
