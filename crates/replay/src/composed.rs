//! Answers that are not in the capture: a recorded one with a challenge inserted, or a typical one
//! of the game with this server's known values.

use super::recorded_replies::EndpointReplies;
use codec::{FieldRole, Kind, Leaf, New};
use protocol::{Carrier, Direction, Entry, Protocol, Reading, Role, Validation};
use render::{field_values, with_pair};
use simulate::KnownValue;
use simulate::families;

/// The roles that a server's different answers share.
const SHARED_ROLES: [FieldRole; 6] = [
    FieldRole::Game,
    FieldRole::Protocol,
    FieldRole::Host,
    FieldRole::Map,
    FieldRole::Players,
    FieldRole::MaxPlayers,
];

/// A request, and its challenge.
#[derive(Clone, Copy)]
pub(super) struct ComposedQuestion<'a> {
    pub entry: &'static Entry,
    pub bytes: &'a [u8],
    pub challenge: Option<&'a [u8]>,
}

impl ComposedQuestion<'_> {
    /// The value of `key` that proves the answer to this request.
    fn proof(&self, entry: &Entry, own: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        match entry.spec.proof {
            Some(proving) => proving(own, key, self.bytes),
            None => self.challenge.map(<[u8]>::to_vec),
        }
    }

    /// The new value of a leaf of an answer, if it depends on the request.
    pub fn change(&self, entry: &Entry, own: &[u8], leaf: &Leaf<'_>) -> Option<New> {
        if let Some(proving) = entry.spec.proof
            && let Some(proof) = proving(own, leaf.key, self.bytes)
        {
            return Some(New::Bytes(proof));
        }
        let is_challenge = leaf.field.role == FieldRole::Challenge && leaf.field.kind != Kind::Key;
        self.challenge.filter(|_| is_challenge).map(|text| New::Bytes(text.to_vec()))
    }

    /// Whether an answer contains the proof for its request.
    pub fn is_answered(&self, reading: &mut Reading, entry: &Entry, bytes: &[u8]) -> bool {
        let items = field_values(reading, entry, bytes);
        if let Some(proving) = entry.spec.proof {
            let expected = entry.spec.echo_keys.iter().filter_map(|key| {
                proving(bytes, key.as_bytes(), self.bytes).map(|proof| (key.as_bytes(), proof))
            });
            let mut expected = expected.peekable();
            // Without a challenge there is nothing to prove.
            let can = expected.peek().is_some() || self.challenge.is_none();
            return can
                && expected
                    .all(|(key, proof)| items.iter().any(|i| i.key == key && i.text == proof));
        }
        let Some(challenge) = self.challenge else {
            return true;
        };
        if let Some(validates) = entry.spec.validation {
            let validation = validates(bytes, challenge);
            return matches!(validation, Some(Validation::Right(_) | Validation::KeyOf(_)));
        }
        items.iter().any(|i| i.field.role == FieldRole::Challenge && i.text == challenge)
    }
}

/// An answer that was recorded without a challenge, with that of the request inserted.
pub(super) fn completed(
    reading: &mut Reading,
    entry: &Entry,
    own: &[u8],
    request: &ComposedQuestion<'_>,
) -> Option<Vec<u8>> {
    let mut keys = entry.spec.echo_keys.iter();
    let (key, proof) =
        keys.find_map(|key| request.proof(entry, own, key.as_bytes()).map(|proof| (*key, proof)))?;
    let answer = with_pair(reading, entry, own, key.as_bytes(), &proof)?;
    request.is_answered(reading, entry, &answer).then_some(answer)
}

/// An answer of this game's server to the request, with values from its other messages.
pub(super) fn composed<'a>(
    reading: &mut Reading,
    ends: impl Iterator<Item = &'a EndpointReplies>,
    request: &ComposedQuestion<'_>,
) -> Option<(&'static Entry, Vec<u8>)> {
    let ends: Vec<&EndpointReplies> = ends.collect();
    let protocol = request.entry.protocol;
    let game = ends.iter().find_map(|end| end.game);
    let known = known_values(reading, &ends, protocol);
    let answer = families::answer(protocol, game, &known, request.bytes)?;
    let way = Direction { from: Some(Role::Server), to: Some(Role::Master) };
    let entry = protocols::recognise(protocol, Carrier::Datagram, &answer, way)?;
    request.is_answered(reading, entry, &answer).then_some((entry, answer))
}

/// The known values of a server in a protocol from all its endpoints, the first of each key.
fn known_values(
    reading: &mut Reading,
    ends: &[&EndpointReplies],
    protocol: &'static Protocol,
) -> Vec<KnownValue> {
    let mut known: Vec<KnownValue> = Vec::new();
    for end in ends {
        let others = end.messages.iter().map(|(entry, bytes)| (*entry, bytes));
        let answered = end.answers.iter().map(|a| (a.entry, &a.bytes));
        for (entry, bytes) in answered.chain(others).filter(|(e, _)| e.protocol == protocol) {
            for item in field_values(reading, entry, bytes) {
                let key = item.name().as_bytes().to_vec();
                let role = item.field.role;
                let is_new = known.iter().all(|one| one.role != role || one.key != key);
                if SHARED_ROLES.contains(&role) && !item.text.is_empty() && is_new {
                    known.push(KnownValue { role, key, text: item.text });
                }
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::registry;

    /// The answer to `request` of an endpoint of a game that sent `payload`, both in protocol `protocol`.
    fn answered(protocol: &str, game: &str, sent: &[&[u8]], request: &[u8]) -> Option<String> {
        let protocol = registry().protocol(protocol).unwrap();
        let recognised = |bytes: &[u8], from, to| {
            let way = Direction { from: Some(from), to: Some(to) };
            protocols::recognise(protocol, Carrier::Datagram, bytes, way).unwrap()
        };
        let game = registry().game(game);
        let mut end = EndpointReplies { game, ..EndpointReplies::default() };
        for bytes in sent {
            let entry = recognised(bytes, Role::Server, Role::Master);
            end.messages.push((entry, Box::from(*bytes)));
        }
        let entry = recognised(request, Role::Master, Role::Server);
        let mut reading = Reading::default();
        let challenge = render::challenge_of(&mut reading, entry, request);
        let request = ComposedQuestion { entry, bytes: request, challenge: challenge.as_deref() };
        let composed = composed(&mut reading, std::iter::once(&end), &request);
        composed.map(|(_, bytes)| bytes.escape_ascii().to_string())
    }

    #[test]
    fn answers_are_composed_of_what_is_known() {
        let heartbeat = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";
        let status =
            b"\xff\xff\xff\xffstatusResponse\n\\mapname\\q3dm6\\protocol\\67\\sv_maxclients\\4\n";
        let darkplaces = b"\xff\xff\xff\xffheartbeat DarkPlaces\n";
        let xonotic = b"\xff\xff\xff\xffstatusResponse\n\\gamename\\Xonotic\\hostname\\a server\n";
        let getinfo = b"\xff\xff\xff\xffgetinfo A_ch";
        for (protocol, game, sent, request, parts) in [
            (
                "quake3",
                "quake3",
                &[&heartbeat[..], status][..],
                &getinfo[..],
                &[
                    r"infoResponse\n\\challenge\\A_ch",
                    r"\\protocol\\67",
                    r"sv_maxclients\\4",
                    r"\\mapname\\q3dm6",
                ][..],
            ),
            // A master of this kind lists servers by game names.
            (
                "quake3",
                "darkplaces",
                &[darkplaces],
                getinfo,
                &[r"protocol\\3", r"gamename\\Nexuiz"],
            ),
            (
                "quake3",
                "darkplaces",
                &[darkplaces, xonotic],
                getinfo,
                &[r"\\gamename\\Xonotic", r"\\hostname\\a server"],
            ),
            ("quake3", "rtcw", &[], getinfo, &[r"\\protocol\\60"]),
            ("quake3", "elite-force", &[], getinfo, &["infoResponse \\\"", r"\\protocol\\24"]),
            (
                "gamespy",
                "unreal-tournament",
                &[br"\heartbeat\7778\gamename\ut"],
                br"\basic\\secure\wookie",
                &[r"\\gamename\\ut", r"\\validate\\2/TYFMRc"],
            ),
            (
                "gamespy",
                "",
                &[br"\heartbeat\7778\gamename\mygame"],
                br"\basic\\echo\wookie",
                &[r"\\gamename\\mygame", r"\\echo\\wookie"],
            ),
            (
                "doom3",
                "",
                &[],
                b"\xff\xffgetInfo\0\x01\x02\x03\x04",
                &[r"Response\x00\x01\x02\x03\x04"],
            ),
            ("half-life", "", &[], b"\xff\xff\xff\xffs\n\x01\0\0\0", &[r"\\challenge\\1\\"]),
        ] {
            let answer = answered(protocol, game, sent, request).unwrap();
            for part in parts {
                assert!(answer.contains(part), "{protocol}: {part} is not in {answer}");
            }
        }
        // A game whose key is unknown proves nothing.
        let mine = [&br"\heartbeat\7778\gamename\mygame"[..]];
        assert_eq!(answered("gamespy", "", &mine, br"\basic\\secure\wookie"), None);
    }

    #[test]
    fn a_missing_challenge_is_inserted() {
        let protocol = registry().protocol("quake3").unwrap();
        let way = Direction { from: Some(Role::Server), to: None };
        let own = b"\xff\xff\xff\xffinfoResponse\n\\hostname\\x\\protocol\\68";
        let entry = protocols::recognise(protocol, Carrier::Datagram, own, way).unwrap();
        let request = b"\xff\xff\xff\xffgetinfo A_ch";
        let way = Direction { from: None, to: Some(Role::Server) };
        let of = protocols::recognise(protocol, Carrier::Datagram, request, way).unwrap();
        let request = ComposedQuestion { entry: of, bytes: request, challenge: Some(b"A_ch") };
        let answer = completed(&mut Reading::default(), entry, own, &request).unwrap();
        let expected =
            b"\xff\xff\xff\xffinfoResponse\n\\challenge\\A_ch\\hostname\\x\\protocol\\68";
        assert_eq!(answer, expected, "{}", answer.escape_ascii());
    }
}
