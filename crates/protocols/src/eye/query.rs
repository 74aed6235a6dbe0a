//! The query of one letter, and the reply.

use std::marker::PhantomData;

use super::super::{C2S, COMMAND, S2C};
use super::players::EyePlayers;
use codec::{CountedPairs, CountedText, Counting::Itself, Field, FieldRole, Keys, Pass, Walk};
use protocol::{Message, Spec};

static GAME: Field = Field::text("game", "its name").role(FieldRole::Game);
static PORT: Field = Field::text("port", "where the server plays").role(FieldRole::Port);
static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static GAME_TYPE: Field = Field::text("game type", "how it is played");
static MAP: Field = Field::text("map", "the map that is played").role(FieldRole::Map);
static VERSION: Field = Field::text("version", "of the game").role(FieldRole::Version);
static PASSWORD: Field =
    Field::text("password", "whether a password is needed to play").values(super::super::NO_YES);
static PLAYERS_NOW: Field = Field::text("players", "how many play").role(FieldRole::Players);
static MAX_PLAYERS: Field =
    Field::text("max players", "how many may play").role(FieldRole::MaxPlayers);
static RULES: Field = Field::group("rules", "more settings, as pairs");
static END: Field = Field::separator("end", "ends the rules: an empty text");
static PLAYER_LIST: Field = Field::group("player list", "who plays");
/// No key has a meaning in all games.
static KEYS: Keys = Keys::new(&[], &[]);

/// A client asks for everything.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusRequest<'a> {
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for StatusRequest<'a> {
    const SPEC: Spec =
        Spec::new("s", &["012 ase.js"], C2S, b"s").id("status-request").weak().whole();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"s")
    }
}

/// Everything that a server tells.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusReply<'a> {
    pub game: CountedText<'a>,
    pub port: CountedText<'a>,
    pub name: CountedText<'a>,
    pub game_type: CountedText<'a>,
    pub map: CountedText<'a>,
    pub version: CountedText<'a>,
    pub password: CountedText<'a>,
    pub players: CountedText<'a>,
    pub max_players: CountedText<'a>,
    pub rules: CountedPairs<'a>,
    pub player_list: EyePlayers<'a>,
}

impl<'a> Message<'a> for StatusReply<'a> {
    const SPEC: Spec = Spec::new(
        "EYE1",
        &["012 ase.js"],
        S2C,
        b"EYE1\x04mta\x0622003\x09A server\x07MTA:SA\x05None\x041.6\x020\x021\x0332\
          \x09language\x03en\x01\x3f\x05Alfa\x01\x01\x020\x0352\x01",
    )
    .id("status-reply")
    .exact()
    .answers(&["status-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"EYE1")?;
        p.counted(&GAME, Itself, &mut self.game)?;
        p.counted(&PORT, Itself, &mut self.port)?;
        p.counted(&NAME, Itself, &mut self.name)?;
        p.counted(&GAME_TYPE, Itself, &mut self.game_type)?;
        p.counted(&MAP, Itself, &mut self.map)?;
        p.counted(&VERSION, Itself, &mut self.version)?;
        p.counted(&PASSWORD, Itself, &mut self.password)?;
        p.counted(&PLAYERS_NOW, Itself, &mut self.players)?;
        p.counted(&MAX_PLAYERS, Itself, &mut self.max_players)?;
        p.view(&RULES, (Itself, &KEYS), &mut self.rules)?;
        p.lit(&END, b"\x01")?;
        p.view(&PLAYER_LIST, (), &mut self.player_list)
    }
}
