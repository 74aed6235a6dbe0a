//! The cases for masters of QuakeWorld and HexenWorld that other games do not have: document 001,
//! sections 6.3 to 6.9.

use super::{OF_HEXENWORLD, OF_QUAKEWORLD, hexenworld_game, other_games, quakeworld_game};
use crate::shared::no_challenge;
use crate::shared::no_challenge::traits::{reply_to_heartbeats, reply_to_pings};
use crate::{CASE, Case};

/// The cases of a game under its name, and those that it alone has.
macro_rules! cases {
    ($of:ident, $module:ident, $game:literal, $($alone:expr),*) => {
        &[
            Case {
                id: concat!($game, "c/from-a-server"),
                title: "a listed server asks for the list from the port on which it plays",
                run: |ctx| no_challenge::requested_by_a_server(ctx, &$of.messages),
                ..$module::LISTED_CASE
            },
            Case {
                id: concat!($game, "d/mark"),
                title: "a client asks for the list",
                run: |ctx| $of.marks_lists(ctx),
                ..$module::LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, "d/other-games"),
                title: "servers of other games send their heartbeats to this master",
                run: |ctx| no_challenge::other_games_unlisted(ctx, &$of.messages, &other_games()),
                ..$module::LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, "l/unanswered"),
                title: "a server sends l, which nobody has asked for",
                run: |ctx| $of.is_silent_to_ack(ctx),
                ..CASE
            },
            Case {
                id: concat!($game, "a/reply"),
                title: "a server sends two heartbeats and no k",
                run: |ctx| ctx.report(reply_to_heartbeats(ctx, &$of.messages)?),
                ..CASE
            },
            Case {
                id: concat!($game, "C/no-request"),
                title: "a client sends C",
                run: |ctx| $of.is_case_sensitive(ctx),
                ..$module::LIST_ANSWERED_CASE
            },
            $($alone),*
        ]
    };
}

pub(super) static QUAKEWORLD: &[Case] = cases!(
    OF_QUAKEWORLD,
    quakeworld_game,
    "quakeworld/",
    Case {
        id: "quakeworld/k/acknowledged",
        title: "a server that starts sends k and NUL",
        run: |ctx| OF_QUAKEWORLD.acknowledges(ctx),
        ..CASE
    },
    Case {
        id: "quakeworld/k/again",
        title: "a server sends k and NUL twice",
        run: |ctx| ctx.report(reply_to_pings(ctx, &OF_QUAKEWORLD.messages)?),
        ..CASE
    }
);

/// HexenWorld's masters need not reply to a ping.
pub(super) static HEXENWORLD: &[Case] = cases!(
    OF_HEXENWORLD,
    hexenworld_game,
    "hexenworld/",
    Case {
        id: "hexenworld/k/acknowledged",
        title: "a server sends k and NUL twice",
        run: |ctx| ctx.report(reply_to_pings(ctx, &OF_HEXENWORLD.messages)?),
        ..CASE
    }
);
