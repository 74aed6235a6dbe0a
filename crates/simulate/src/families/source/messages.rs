//! A server's replies to Source's queries (document 006): each only to a request with the challenge
//! that the server gave before, as servers want it since December 2020.

use crate::{KnownValue, ServerInfo, written};
use codec::FieldRole;
use protocol::{Game, Pattern, SignatureSource};
use protocols::half_life::{HALF_LIFE, XASH3D};
use protocols::source::{
    A2aAck, ExtraData, PROTOCOL, RuleList, S2aInfo, S2aPlayer, S2aRules, S2cChallenge, ScoreList,
    Source,
};

/// The challenge that every client gets: made of nothing secret, so that replays repeat it.
const CHALLENGE: i32 = 0x0bad_cafe;
/// The network protocol's number of Source's games, of GoldSrc's and of Xash3D's.
const SOURCE: u8 = 17;
const GOLDSRC: u8 = 48;
const XASH: u8 = 49;
/// The flags of the port and the keywords, and that of the game id.
const EXTRA: u8 = 0xa0;
const GAME_ID: u8 = 0x01;
const PORT: u16 = 27015;
/// Half-Life's application at Steam.
const HALF_LIFE_APP: &str = "70";

/// The keys for known values of a server, by role; its one player has a name.
const KNOWN_KEYS: [(&str, FieldRole); 5] = [
    ("hostname", FieldRole::Host),
    ("map", FieldRole::Map),
    ("players", FieldRole::Players),
    ("max", FieldRole::MaxPlayers),
    ("player", FieldRole::Person),
];

/// The settings of every server.
const RULES: [(&str, &str); 4] = [
    ("mp_friendlyfire", "0"),
    ("mp_timelimit", "30"),
    ("sv_gravity", "800"),
    ("sv_tags", "alltalk"),
];

/// A server with one player on 24 places.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("hostname", "noname"),
        ("map", "ctf_2fort"),
        ("folder", "tf"),
        ("game", "Team Fortress"),
        ("players", "1"),
        ("max", "24"),
        ("version", "1.0.0.34"),
        ("player", "Player"),
    ])
}

/// The reply of a server with this number of the network protocol to any request, if the challenge
/// is right; else the challenge. `None` if it is no request.
pub fn answer(server_info: &ServerInfo, protocol: u8, request: &[u8]) -> Option<Vec<u8>> {
    let challenged = |challenge: i32, reply: &dyn Fn() -> Vec<u8>| {
        Some(if challenge == CHALLENGE { reply() } else { asks_back() })
    };
    with_message(request, |message| match message {
        Source::A2sInfo(request) => challenged(request.challenge, &|| info(server_info, protocol)),
        Source::A2sPlayer(request) => challenged(request.challenge, &|| players(server_info)),
        Source::A2sRules(request) => challenged(request.challenge, &rules),
        Source::GetQueryChallenge(_) => Some(asks_back()),
        Source::A2aPing(_) => {
            // GoldSrc's servers send a NUL alone.
            let text: &[u8] = if protocol == SOURCE { b"00000000000000" } else { b"" };
            Some(written(A2aAck { text, end: 1 }))
        }
        _ => None,
    })
}

fn asks_back() -> Vec<u8> {
    written(S2cChallenge { challenge: CHALLENGE, ..S2cChallenge::default() })
}

fn info(server_info: &ServerInfo, protocol: u8) -> Vec<u8> {
    let text = |key| server_info.get(key).unwrap_or_default();
    let number = |key| -> u32 {
        let text = server_info.get(key).and_then(|text| std::str::from_utf8(text).ok());
        text.and_then(|text| text.parse().ok()).unwrap_or_default()
    };
    let count = |key| u8::try_from(number(key)).unwrap_or(u8::MAX);
    let game_id: u64 = number("game id").into();
    let flags = EXTRA | if game_id > 0 { GAME_ID } else { 0 };
    let keywords = b"alltalk";
    let extra = ExtraData { flags, port: PORT, keywords, game_id, ..ExtraData::default() };
    written(S2aInfo {
        protocol,
        app_id: game_id as u16,
        hostname: text("hostname"),
        map: text("map"),
        folder: text("folder"),
        game: text("game"),
        players: count("players"),
        max: count("max"),
        kind: *b"d",
        os: *b"l",
        version: text("version"),
        has_extra: protocol == SOURCE || game_id > 0,
        extra,
        ..S2aInfo::default()
    })
}

fn players(server_info: &ServerInfo) -> Vec<u8> {
    let name = server_info.get("player").unwrap_or_default();
    let (score, seconds) = (12_i32.to_le_bytes(), 321.5_f32.to_le_bytes());
    let player = [&[0], name, &[0], &score, &seconds].concat();
    written(S2aPlayer { count: 1, players: ScoreList::new(&player), ..S2aPlayer::default() })
}

fn rules() -> Vec<u8> {
    let texts = RULES.iter().flat_map(|(key, value)| [key, value]);
    let rules: Vec<u8> = texts.flat_map(|text| text.bytes().chain([0])).collect();
    let (count, rules) = (RULES.len() as u16, RuleList::new(&rules));
    written(S2aRules { count, rules, ..S2aRules::default() })
}

/// The value of a field that is evidence for a game.
fn value(game: &Game, field: &str) -> Option<&'static str> {
    game.signatures.iter().find_map(|signature| match &signature.source {
        SignatureSource::Field(name, Pattern::Is([value, ..])) if *name == field => Some(*value),
        _ => None,
    })
}

/// Steam's number of the application with this folder: of GoldSrc's games, or of all others.
pub fn app(folder: &[u8], is_goldsrc: bool) -> Option<&'static str> {
    let is_it = |game: &&Game| {
        let own = if **game == HALF_LIFE { Some("valve") } else { value(game, "folder") };
        own.is_some_and(|own| own.as_bytes() == folder) && self::is_goldsrc(game) == is_goldsrc
    };
    PROTOCOL.games.iter().copied().find(is_it).and_then(|game| {
        let of_half_life = (*game == HALF_LIFE).then_some(HALF_LIFE_APP);
        of_half_life.or_else(|| value(game, "app id"))
    })
}

/// Whether a game's servers send the older description too.
fn is_goldsrc(game: &Game) -> bool {
    let is_older = |source: &SignatureSource| {
        matches!(source, SignatureSource::In("s2a-info-detailed", "gamedir", ..))
    };
    *game == HALF_LIFE || game.signatures.iter().any(|signature| is_older(&signature.source))
}

/// The reply of a server with these known values, in the form of its game's servers.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let mut info = server_info();
    let mut protocol = if is_goldsrc(game) { GOLDSRC } else { SOURCE };
    if *game == XASH3D {
        info = info.with("version", "0.21");
        protocol = XASH;
    }
    if *game == HALF_LIFE || *game == XASH3D {
        info = info.with("folder", "valve").with("game", "Half-Life");
    }
    if let Some(id) = value(game, "game id") {
        let folder = value(game, "folder").unwrap_or_default();
        info = info.with("game id", id).with("folder", folder).with("game", game.title);
    }
    answer(&info.with_known(known, &KNOWN_KEYS), protocol, request)
}

crate::families::with_message!(Source);

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Carrier, Confidence, Direction, Reading};

    const QUERY: &[u8] = b"\xff\xff\xff\xffTSource Engine Query\0";

    /// A server of each game says which game it is.
    #[test]
    fn each_game_is_recognised_by_its_reply() {
        let request = [QUERY, &CHALLENGE.to_le_bytes()[..]].concat();
        let mut reading = Reading::default();
        for game in PROTOCOL.games.iter().filter(|game| value(game, "game id").is_some()) {
            let reply = server(game, &[], &request).unwrap();
            let (carrier, direction) = (Carrier::Datagram, Direction::default());
            let entry = protocols::recognise(&PROTOCOL, carrier, &reply, direction).unwrap();
            assert!(reading.takes_all(entry, &reply), "{}", game.id);
            let sure = reading.spans().all.iter().filter_map(|span| {
                let value = span.shape.text(reading.bytes(&reply, span));
                game.evidence(entry, span.field.name, &value)
            });
            assert_eq!(sure.max(), Some(Confidence::Certain), "{}", game.id);
        }
    }

    #[test]
    fn replies_need_the_challenge() {
        let info = server_info();
        let asked = |bytes: &[u8]| answer(&info, SOURCE, bytes).unwrap_or_default();
        let challenge = asked(QUERY);
        assert_eq!(challenge, b"\xff\xff\xff\xffA\xfe\xca\xad\x0b");
        let back = &challenge[5..];
        for (request, reply) in [
            (QUERY, &b"\xff\xff\xff\xffI\x11noname\0ctf_2fort\0tf\0Team Fortress\0"[..]),
            (b"\xff\xff\xff\xffU", b"\xff\xff\xff\xffD\x01\0Player\0\x0c\0\0\0\0\xc0\xa0\x43"),
            (b"\xff\xff\xff\xffV", b"\xff\xff\xff\xffE\x04\0mp_friendlyfire\x000\0"),
        ] {
            let none = [request, &(-1_i32).to_le_bytes()[..]].concat();
            assert_eq!(asked(&none), challenge, "{}", none.escape_ascii());
            let with = [request, back].concat();
            assert!(asked(&with).starts_with(reply), "{}", asked(&with).escape_ascii());
        }
        assert_eq!(asked(b"\xff\xff\xff\xffW"), challenge);
        assert_eq!(asked(b"\xff\xff\xff\xffi"), b"\xff\xff\xff\xffj00000000000000\0");
        assert_eq!(asked(b"\xff\xff\xff\xffping\0"), b"");
    }
}
