//! What servers and clients say to a master: a file a protocol, written by the declarations of
//! `proto`.
//!
//! Nothing here has a socket, a clock or an opinion: a voice gives bytes, whoever uses it sends
//! them, or sends something else.
//!
//! What a server answers to its master stands here and nowhere else. Whoever makes a server up
//! gives it a [`Persona`]; of one that was seen, [`answer`] says what is [`Known`].

pub mod doom3;
pub mod elite_force;
pub mod etqw;
pub mod gamespy;
pub mod half_life;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;

use crate::codec::FieldRole;
use crate::protocol::{self, Game, Protocol};

/// Something that a server said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// What the value is used for.
    pub role: FieldRole,
    /// The key before it, or the name of its field.
    pub key: Vec<u8>,
    pub text: Vec<u8>,
}

/// What a server of a game of which this is known answers to what it was asked.
type AnswerFn = fn(&Game, &[KnownValue], &[u8]) -> Option<Vec<u8>>;

/// Who answers in which protocol; in the others nobody asks a server.
static VOICES: [(&Protocol, AnswerFn); 7] = [
    (&protocol::quake3::PROTOCOL, quake3::server),
    (&protocol::quake2::PROTOCOL, quake2::server),
    (&protocol::quakeworld::PROTOCOL, quakeworld::server),
    (&protocol::half_life::PROTOCOL, half_life::server),
    (&protocol::doom3::PROTOCOL, doom3::server),
    (&protocol::etqw::PROTOCOL, etqw::server),
    (&protocol::gamespy::PROTOCOL, gamespy::server),
];

/// What a server answers to what its master asked in a protocol: what is known of it, and for the
/// rest what a server of its game has to say; none to what is no question. Where no game of the
/// protocol is given, it is the first.
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

/// What a server says of itself, in the order in which it says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerInfo {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl ServerInfo {
    /// A server with these settings.
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        pairs.iter().fold(Self::default(), |persona, (key, value)| persona.with(key, value))
    }

    /// The same with another value, in its place if it is there, else at the end.
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

    /// The same with what is known, under these keys: what was said under the same one, else what
    /// is used for the same.
    #[must_use]
    fn knowing(self, known: &[KnownValue], keys: &[(&str, FieldRole)]) -> Self {
        keys.iter().fold(self, |persona, (key, role)| {
            let same = |one: &&KnownValue| one.key.eq_ignore_ascii_case(key.as_bytes());
            // A game has many names, and each key wants its own.
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

    /// As Doom 3 and its like have it: every text with a NUL behind it.
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

/// A message's bytes; nothing of one that could not be read back as it was given.
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
            let messages = home.messages.iter().filter(|entry| entry.is_asked());
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
