//! Source's server queries (A2S), which servers of GoldSrc, of Source and of many other games on
//! Steam answer. Specification: document 006, with what other programs show.
//!
//! Steam's master speaks Half-Life's protocol; of the two only the question whether it is there is
//! declared here.

mod challenge;
mod games;
mod info;
mod mods;
mod players;
mod rcon;
mod rules;
mod split;

use super::declare::choices;
use codec::{Endian::Little, Field, FieldRole, Pass, Walk};
use protocol::protocol;

pub use challenge::{A2aAck, A2aPing, GetQueryChallenge, MasterPing, S2cChallenge};
pub use games::SOURCE;
pub use info::{A2sInfo, ExtraData, S2aInfo, S2aInfoDetailed};
pub use mods::{ModChunks, ModList, ModRules, RulesForm};
pub use players::{A2sPlayer, PlayersForm, S2aPlayer, ScoreForm, ScoreList};
pub use rcon::{RconAuth, RconAuthResponse, RconCommand, RconResponse};
pub use rules::{A2sRules, RULES, RuleList, S2aRules};
pub use split::{SplitForm, SplitPacket, SplitReply, parse as parse_split};

protocol! {
    /// One message of Source's server queries.
    Source: "source", "Source query", games::GAMES,
    [
        A2sInfo, S2aInfo, S2aInfoDetailed, A2sPlayer, S2aPlayer, A2sRules, S2aRules,
        GetQueryChallenge, S2cChallenge, A2aPing, A2aAck, SplitReply, MasterPing,
        RconAuth, RconAuthResponse, RconCommand, RconResponse,
    ], cut: rcon::cut, opens: Some(rcon::opens), splits: Some(split::FORMS)
}

/// The challenge of a request that asks for one.
pub const NO_CHALLENGE: i32 = -1;

static CHALLENGE: Field = Field::number(
    "challenge",
    "what the server gave to this address, sent back, to show that the address is not forged",
)
.role(FieldRole::Challenge)
.values(&[("-1", "none yet: asks for one"), ("0", "none yet: asks for one")]);

/// The bytes behind the mark and a letter.
fn behind(bytes: &[u8], letter: u8) -> Option<&[u8]> {
    let (first, rest) = bytes.strip_prefix(b"\xff\xff\xff\xff")?.split_first()?;
    (*first == letter).then_some(rest)
}

/// The text up to a NUL, and what follows the NUL.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..length)?, bytes.get(length + 1..)?))
}

/// A challenge, or nothing.
fn challenge<'a, P: Pass<'a>>(p: &mut P, is_there: &mut bool, challenge: &mut i32) -> Walk {
    p.more(is_there, "with a challenge", |p| p.int(&CHALLENGE, Little, challenge))
}

static PADDING: Field =
    Field::separator("padding", "zeros, so that a reply is no longer than its request");

choices! {
    /// Whether zeros follow to the end. Source: Valve's announcement of 2020 to authors of servers, as
    /// one of two ways against reflected attacks.
    Padding { None "nothing more", Zeros "zeros to the end" }
    |rest| !rest.is_empty() && rest.iter().all(|byte| *byte == 0);
}

choices! {
    /// The same, in place of a challenge.
    PaddingAlone { None "a challenge or nothing", Zeros "zeros to the end, not four" }
    |rest| rest.len() != 4 && Padding::peek(rest) == Padding::Zeros;
}

/// Zeros to the end, if there are any.
fn padding<'a, P: Pass<'a>>(p: &mut P, form: &mut Padding, zeros: &mut &'a [u8]) -> Walk {
    p.choose(form, |p, form| match form {
        Padding::None => Ok(()),
        Padding::Zeros => p.text(&PADDING, b"", zeros),
    })
}

#[cfg(test)]
mod tests;
