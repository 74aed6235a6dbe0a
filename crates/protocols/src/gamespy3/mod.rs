//! GameSpy's third query protocol: the second's requests with a challenge before the selectors and
//! options behind them, and replies in several datagrams, each of sections. Sources: document 008
//! (qr2.c), and document 012 for what clients send. Minecraft's servers answer in it too.

mod challenge;
mod columns;
mod games;
mod query;
mod reply;

use protocol::protocol;

pub use challenge::{ChallengeReply, ChallengeRequest};
pub use columns::Columns;
pub use games::{
    BATTLEFIELD_2, BATTLEFIELD_2142, CRYSIS, GAMESPY3, MINECRAFT, STALKER, UNREAL_TOURNAMENT_3,
};
pub use query::{Query, QueryForm, SelectedKeys};
pub use reply::{BasicReply, HasPlayers, HasSettings, HasTeams, PlainReply, ReplyPart, Sections};

protocol! {
    /// One message of GameSpy's third query protocol.
    GameSpy3: "gamespy3", "GameSpy 3", games::GAMES,
    [ChallengeRequest, ChallengeReply, Query, ReplyPart, PlainReply, BasicReply]
}
