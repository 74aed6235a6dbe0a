//! Queries of clients and masters to a server: its short description, and its full status.

use super::super::declare::choices;
use super::super::declare::messages;
use super::super::identifiers::{challenge_key, word};
use super::super::newline;
use super::super::{
    ANSWER, ASK, BLANK, C2S, CHALLENGE, INFO, LINES, M2S, MAYBE_BLANK, NEWLINE, NOTHING, S2C, S2M,
};
use super::{TO_LF, marked};
use codec::{
    CommandWord, Field, FieldRole, Info, LineColumn, LineForm, Lines, Pass, Spelling, Walk,
};
use protocol::{Message, Spec};

/// One player per line: `score ping "name"`, in some games with the team before or after the name.
pub const PLAYERS: LineForm = LineForm {
    columns: &[
        LineColumn::plain(&SCORE),
        LineColumn::plain(&PING),
        LineColumn::plain(&TEAM).optional(),
        LineColumn::quoted(&NAME),
        LineColumn::plain(&TEAM).optional(),
    ],
    stop: b"",
    line_stop: b"\\\n",
};

static MORE: Field = Field::group("more", "settings behind the players; FiveM's servers");
static SCORE: Field = Field::number("score", "the player's score");
static PING: Field = Field::number("ping", "round trip in milliseconds")
    .values(&[("0", "a bot, or on the server itself"), ("999", "still connecting")]);
static TEAM: Field = Field::number(
    "team",
    "the player's team; Soldier of Fortune 2 and team games of DarkPlaces have it before the name, \
     Warsow behind it, the documents nowhere",
);
static NAME: Field = Field::text("name", "the player's name, with colours").role(FieldRole::Person);

/// What ends a query: mostly nothing; gamedig sends the NUL.
static ENDS: [Spelling; 3] = [NOTHING, Spelling::new(b"\n"), Spelling::new(b"\0")];

messages! {
    { mark: u8, command: CommandWord<'a>, blank: u8, challenge: &'a [u8], newline: u8 }
    |self, p, word: &'static [u8]| {
        marked(p, word, &mut self.mark, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "behind a blank", |p| {
            p.text(&CHALLENGE, b"\n\0", &mut self.challenge)
        })?;
        p.one_of(&NEWLINE, &ENDS, &mut self.newline)
    }
    /// A client or master requests a server's short description.
    GetInfo = b"getinfo", Spec::new(
        "getinfo", &["001 1.2.1", "001 11.7", "004 2) getinfo"], ASK,
        b"\xff\xff\xff\xffgetinfo A_ch4Lleng3",
    ).sends(word::<0>);
    /// A client requests a server's full settings and players.
    GetStatus = b"getstatus", Spec::new(
        "getstatus", &["001 1.2.3", "001 4.2.3"], C2S, b"\xff\xff\xff\xffgetstatus 1061829547723",
    ).rare_directions(M2S).sends(word::<0>);
}

/// A server's short description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoResponse<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for InfoResponse<'a> {
    const SPEC: Spec = Spec::new(
        "infoResponse",
        &["001 1.2.2", "001 8.5", "001 11.8", "004 3) infoResponse"],
        ANSWER,
        b"\xff\xff\xff\xffinfoResponse\n\\challenge\\A_ch4Lleng3\\protocol\\68\\clients\\0",
    )
    .id("info-response")
    .echo_keys(&["challenge"])
    .answers(&["getinfo", "getstatus"])
    // DarkPlaces, where the players do not fit (`NetConn_BuildStatusResponse`).
    .replaces_answer_to(&["getstatus"])
    .returns(challenge_key)
    .required_keys(&["protocol", "sv_maxclients", "clients"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"infoResponse", &mut self.mark, &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

/// A server's settings, and a line for each player.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusResponse<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub players: Lines<'a>,
    pub behind: Behind,
    pub newline: u8,
    pub more: Info<'a>,
}

choices! {
    /// What follows the players: FiveM's servers have most of their settings there, IW4x ends in a
    /// line feed too many.
    Behind { Nothing "nothing", Settings "an infostring, or a line feed" }
    |rest| !rest.is_empty();
}

impl<'a> Message<'a> for StatusResponse<'a> {
    const SPEC: Spec = Spec::new(
        "statusResponse",
        &["001 1.2.4", "001 4.2.4"],
        S2C,
        b"\xff\xff\xff\xffstatusResponse\n\\challenge\\1\\protocol\\68\\sv_maxclients\\8\
          \\mapname\\q3dm17\n12 50 \"Sarge\"\n",
    )
    .id("status-response")
    .rare_directions(S2M)
    .echo_keys(&["challenge"])
    .answers(&["getstatus"])
    .returns(challenge_key);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"statusResponse", &mut self.mark, &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&LINES, PLAYERS, &mut self.players)?;
        p.choose(&mut self.behind, |p, behind| match behind {
            Behind::Nothing => Ok(()),
            Behind::Settings => {
                newline(p, &mut self.newline)?;
                p.view(&MORE, TO_LF, &mut self.more)
            }
        })
    }
}
