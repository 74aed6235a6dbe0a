//! Half-Life before Steam: a heartbeat of one byte, a reply with a challenge, requests for lists
//! (document 001, section 10). How lists are asked for is observed.

use std::net::SocketAddr;

use super::{Known, Persona, written};
use crate::proto::half_life::{
    GetRegion, GetServers, HalfLife, Heartbeat, LogOff, PROTOCOL, Reply,
};
use crate::proto::{Carrier, Game, Way};
use crate::wire::{Info, Role, Scratch};

/// Servers of all the world.
const EVERYWHERE: u8 = 0xff;
/// Under which keys a server tells what it may be known for.
const TELLS: [(&str, Role); 5] = [
    ("protocol", Role::Protocol),
    ("players", Role::Players),
    ("max", Role::Places),
    ("gamedir", Role::Game),
    ("map", Role::Map),
];

/// A server like the document's, with one player on six places.
pub fn persona() -> Persona {
    Persona::of(&[
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

/// A server tells that it is there.
pub fn heartbeat() -> Vec<u8> {
    written(Heartbeat::default())
}

/// A server tells that it goes (observed).
pub fn log_off() -> Vec<u8> {
    written(LogOff::default())
}

/// The number in an `s`, its 32 bits read as a signed number; nothing of another message.
pub fn challenge(asked: &[u8]) -> Option<i32> {
    unsigned(asked).map(u32::cast_signed)
}

/// The number in an `s`, as servers send it back; nothing of another message.
fn unsigned(asked: &[u8]) -> Option<u32> {
    read(asked, |message| match message {
        HalfLife::Challenge(asked) => Some(asked.challenge),
        _ => None,
    })?
}

/// What a server says of itself, with this text as its challenge; without one the key is missing.
pub fn reply(persona: &Persona, challenge: Option<&str>) -> Vec<u8> {
    let persona = persona.clone();
    let persona = match challenge {
        Some(challenge) => persona.with("challenge", challenge),
        None => persona.without("challenge"),
    };
    written(Reply { info: Info::new(&persona.info()) })
}

/// A server's answer to whatever it was asked; none to what is no question.
pub fn answer(persona: &Persona, asked: &[u8]) -> Option<Vec<u8>> {
    unsigned(asked).map(|challenge| reply(persona, Some(&challenge.to_string())))
}

/// The answer of a server of which this is known.
pub(super) fn server(_: &Game, known: &[Known], asked: &[u8]) -> Option<Vec<u8>> {
    answer(&persona().knowing(known, &TELLS), asked)
}

/// A client asks for the list from a cursor on (observed).
pub fn get_servers(cursor: [u8; 3]) -> Vec<u8> {
    written(GetServers { cursor, ..GetServers::default() })
}

/// A client asks for the servers that fit a filter, behind this one (observed).
pub fn get_region(from: SocketAddr, filter: &str) -> Vec<u8> {
    let (from, filter) = (from.to_string(), filter.as_bytes());
    written(GetRegion { region: EVERYWHERE, from: from.as_bytes(), filter })
}

/// What `take` makes of a message of this protocol that has no fault.
pub fn read<T>(bytes: &[u8], take: impl FnOnce(HalfLife<'_>) -> T) -> Option<T> {
    let entry = PROTOCOL.recognise(Carrier::Datagram, bytes, Way::default())?;
    let mut scratch = Scratch::default();
    let decoded = HalfLife::decode(entry, bytes, &mut scratch)?;
    decoded.fault.is_none().then(|| take(decoded.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_document() {
        let few = Persona::of(&[("protocol", "46"), ("challenge", ""), ("players", "0")]);
        let nobody = SocketAddr::from(([0; 4], 0));
        for (message, expected) in [
            (heartbeat(), &b"q"[..]),
            (log_off(), b"b\n"),
            (
                reply(&few, Some("2100453449")),
                b"0\n\\protocol\\46\\challenge\\2100453449\\players\\0\n",
            ),
            (reply(&few, None), b"0\n\\protocol\\46\\players\\0\n"),
            (get_servers([1, 2, 0]), b"e\x01\x02\0"),
            (get_region(nobody, r"\gamedir\valve"), b"1\xff0.0.0.0:0\0\\gamedir\\valve\0"),
        ] {
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
        assert_eq!(challenge(b"\xff\xff\xff\xffs\n\x01\x01\0\0"), Some(0x101));
        assert_eq!(challenge(b"q"), None);
        let answered = answer(&few, b"\xff\xff\xff\xffs\n\x07\0\0\0");
        assert_eq!(answered, Some(reply(&few, Some("7"))));
        let answered = answer(&few, b"\xff\xff\xff\xffs\n\xff\xff\xff\xff");
        assert_eq!(answered, Some(reply(&few, Some("4294967295"))));
    }
}
