//! The cases for masters of Quake 2 and Heretic 2 that other games do not have: document 001,
//! sections 2 and 3.

use super::{
    OF_HERETIC2, OF_QUAKE2, expect_ack_spelling, heretic2_game, messages, other_games, quake2_game,
    whitespace,
};
use crate::shared::no_challenge;
use crate::shared::no_challenge::traits::reply_to_pings;
use crate::{CASE, Case};

/// The cases of a game under its name.
macro_rules! cases {
    ($of:ident, $module:ident, $game:literal) => {
        &[
            Case {
                id: concat!($game, "servers/blank"),
                title: "a client asks for the list",
                run: |ctx| ctx.report(whitespace(ctx, &$of)?),
                ..$module::LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, "servers/other-games"),
                title: "servers of other games send their heartbeats to this master",
                run: |ctx| no_challenge::other_games(ctx, &$of, &other_games()),
                ..$module::LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, "ping/acknowledged"),
                title: "a server that starts sends ping",
                run: |ctx| $of.acknowledged(&$of.restarted(ctx)?).map(drop),
                ..CASE
            },
            Case {
                id: concat!($game, "ping/again"),
                title: "a server sends ping twice",
                run: |ctx| ctx.report(reply_to_pings(ctx, &$of)?),
                ..CASE
            },
            Case {
                id: concat!($game, "ack/spelling"),
                title: "a server that starts sends ping",
                run: |ctx| expect_ack_spelling(ctx, &$of),
                ..CASE
            },
            Case {
                id: concat!($game, "robust/long-key"),
                title: "a heartbeat has a key, a value and a player of 1000 characters; then \
                           another server starts",
                requires: concat!($game, "robust/truncations"),
                run: |ctx| {
                    let long = "x".repeat(1000);
                    let heartbeat =
                        messages::heartbeat(&messages::server_info().with(&long, &long), &[&long]);
                    no_challenge::survives(ctx, &$of, &[heartbeat])
                },
                ..$module::HARSH_CASE
            },
        ]
    };
}

pub(super) static QUAKE2: &[Case] = cases!(OF_QUAKE2, quake2_game, "quake2/");
pub(super) static HERETIC2: &[Case] = cases!(OF_HERETIC2, heretic2_game, "heretic2/");
