//! Messages of simulated servers and clients: one file per protocol, encoded by the declarations of
//! `protocol`.
//!
//! Nothing here has a socket or a clock: the functions return bytes, and callers send or modify
//! them.
//!
//! All answers of servers to masters are made here. A made-up server has a [`ServerInfo`]; for a
//! captured one, [`answer`] takes what is known ([`KnownValue`]).

pub mod doom3;
pub mod elite_force;
pub mod etqw;
pub mod gamespy;
pub mod half_life;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;

use crate::codec::FieldRole;
use crate::protocol::{Game, Protocol};
use crate::protocols;

/// A value that a server has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// The role of the value.
    pub role: FieldRole,
    /// The key before it, or the name of its field.
    pub key: Vec<u8>,
    pub text: Vec<u8>,
}

/// The answer of a game's server with these known values to a request.
type AnswerFn = fn(&Game, &[KnownValue], &[u8]) -> Option<Vec<u8>>;

/// The protocols in which servers answer; in the others servers are not asked.
static VOICES: [(&Protocol, AnswerFn); 7] = [
    (&protocols::quake3::PROTOCOL, quake3::server),
    (&protocols::quake2::PROTOCOL, quake2::server),
    (&protocols::quakeworld::PROTOCOL, quakeworld::server),
    (&protocols::half_life::PROTOCOL, half_life::server),
    (&protocols::doom3::PROTOCOL, doom3::server),
    (&protocols::etqw::PROTOCOL, etqw::server),
    (&protocols::gamespy::PROTOCOL, gamespy::server),
];

/// A server's answer to its master's request in a protocol: with the known values, and for the rest
/// those of a typical server of its game; `None` if it is no request. Without a game of the
/// protocol, its first one is taken.
pub fn answer(
    home: &Protocol,
    game: Option<&Game>,
    known: &[KnownValue],
    asked: &[u8],
) -> Option<Vec<u8>> {
    let (_, voice) = VOICES.iter().find(|(protocol, _)| protocol.id == home.id)?;
    let game = game.filter(|game| home.games.contains(game));
    voice(game.or(home.games.first().copied())?, known, asked)
}

/// A server's settings, in the order in which it sends them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerInfo {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl ServerInfo {
    /// A server with these settings.
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        pairs.iter().fold(Self::default(), |persona, (key, value)| persona.with(key, value))
    }

    /// The same with another value, in place if the key exists, else at the end.
    #[must_use]
    pub fn with(mut self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        let (key, value) = (key.as_ref(), value.as_ref().to_vec());
        match self.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.pairs.push((key.to_vec(), value)),
        }
        self
    }

    /// The same without a key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.pairs.retain(|(known, _)| known != key.as_bytes());
        self
    }

    /// The same with the known values under these keys: a value sent with the same key, else one of
    /// the same role.
    #[must_use]
    fn knowing(self, known: &[KnownValue], keys: &[(&str, FieldRole)]) -> Self {
        keys.iter().fold(self, |persona, (key, role)| {
            let same = |one: &&KnownValue| one.key.eq_ignore_ascii_case(key.as_bytes());
            // A game has many names, and each key needs its own.
            let like = |one: &&KnownValue| one.role == *role && *role != FieldRole::Game;
            let found = known.iter().find(same).or_else(|| known.iter().find(like));
            found.map_or_else(|| persona.clone(), |one| persona.clone().with(key, &one.text))
        })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        let mut pairs = self.pairs.iter();
        pairs.find(|(known, _)| known == key.as_bytes()).map(|(_, value)| value.as_slice())
    }

    /// Every key and its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.pairs.iter().map(|(key, value)| (key.as_slice(), value.as_slice()))
    }

    /// As in Doom 3 and its successors: every text with a NUL after it.
    fn dictionary(&self) -> Vec<u8> {
        let texts = self.pairs.iter().flat_map(|(key, value)| [key, value]);
        texts.flat_map(|text| text.iter().copied().chain([0])).collect()
    }

    /// As an infostring, `\key\value\key\value`.
    pub fn info(&self) -> Vec<u8> {
        let mut info = Vec::new();
        for (key, value) in &self.pairs {
            info.push(b'\\');
            info.extend_from_slice(key);
            info.push(b'\\');
            info.extend_from_slice(value);
        }
        info
    }
}

/// A message's bytes; empty if they would not decode to the same message.
fn written<'a>(message: impl crate::codec::Body<'a>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if crate::codec::encode(message, &mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Carrier, Direction, Reading, Role};

    #[test]
    fn every_game_answers_what_masters_ask_and_says_what_it_owes() {
        let asks = Direction { from: Some(Role::Master), to: Some(Role::Server) };
        let answers = Direction { from: Some(Role::Server), to: Some(Role::Master) };
        let mut questions = Vec::new();
        for (home, _) in VOICES {
            let messages = home.messages.iter().filter(|entry| entry.is_request());
            for asked in messages.filter(|entry| entry.spec.allows(asks)) {
                questions.push(format!("{asked:?}"));
                for game in home.games {
                    let said = answer(home, Some(game), &[], asked.spec.example);
                    let said =
                        said.unwrap_or_else(|| panic!("{} says nothing to {asked:?}", game.id));
                    let entry = home.recognise(Carrier::Datagram, &said, answers).unwrap();
                    assert!(entry.spec.answers.contains(&asked.spec.id), "{entry:?} to {asked:?}");
                    let mut reading = Reading::default();
                    reading.walk(entry, &said);
                    assert_eq!(reading.fault(), None, "{}", said.escape_ascii());
                    let mut owed = entry.spec.dealing.owes.to_vec();
                    if !owed.is_empty() {
                        owed.extend(game.owes);
                    }
                    for key in owed {
                        let key = format!(r"\{key}\");
                        let there = said.windows(key.len()).any(|part| part == key.as_bytes());
                        assert!(there, "{}: {key} in {}", game.id, said.escape_ascii());
                    }
                }
            }
        }
        assert_eq!(
            questions.join(" "),
            "quake3.getinfo quake3.getstatus quake3.getchallenge quake2.ping quakeworld.ping \
             half-life.challenge doom3.get-info etqw.get-info etqw.get-info-ex gamespy.query"
        );
    }

    #[test]
    fn a_persona_keeps_its_order() {
        let persona = ServerInfo::of(&[("protocol", "68"), ("clients", "1")]);
        assert_eq!(persona.info(), br"\protocol\68\clients\1");
        let other = persona.clone().with("protocol", "67").with("x", "");
        assert_eq!(other.info(), br"\protocol\67\clients\1\x\");
        assert_eq!(other.without("clients").info(), br"\protocol\67\x\");
        assert_eq!(persona.get("clients"), Some(&b"1"[..]));
        assert_eq!(persona.get("y"), None);
        let known =
            [(FieldRole::Game, "tag", "DarkPlaces"), (FieldRole::Host, "sv_hostname", "one")];
        let known =
            known.map(|(role, key, text)| KnownValue { role, key: key.into(), text: text.into() });
        let keys =
            [("gamename", FieldRole::Game), ("hostname", FieldRole::Host), ("map", FieldRole::Map)];
        assert_eq!(ServerInfo::default().knowing(&known, &keys).info(), br"\hostname\one");
    }
}
