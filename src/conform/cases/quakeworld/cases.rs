//! The cases for masters of QuakeWorld and HexenWorld, letter by letter: document 001, sections 6.3
//! to 6.9.

use super::super::no_challenge::traits::{
    listed_by_ping, listed_without_ping, reply_to_heartbeats, reply_to_pings,
};
use super::super::{malformed, no_challenge};
use super::{OF_HEXENWORLD, OF_QUAKEWORLD, needs, other_games};
use crate::conform::{Case, INFO, MUST, SHOULD};

/// The cases of a game under its name. `$must` is the level of the document's requirements for
/// QuakeWorld: for HexenWorld it has the ports alone, so existing programs decide. `$too` names
/// them.
macro_rules! cases {
    ($of:ident, $needs:ident, $game:literal, $must:ident, $too:literal) => {
        &[
            Case {
                id: concat!($game, "c/answered"),
                title: "a client sends c, a line feed and NUL, without FF FF FF FF",
                requires: "c asks the master for the list, and d is the reply",
                citation: concat!("001 6.3, 001 6.4", $too),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| no_challenge::is_answered(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "c/from-a-server"),
                title: "a listed server asks for the list from the port on which it plays",
                requires: "c asks the master for the list; the document has clients alone ask",
                citation: concat!("001 6.3", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::asked_by_a_server(ctx, &$of.messages),
                ..SHOULD
            },
            Case {
                id: concat!($game, "d/mark"),
                title: "a client asks for the list",
                requires: "the reply begins with bytes FF, a d and a line feed: four FF from \
                           QuakeWorld's masters, five from HexenWorld's",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| $of.marks_lists(ctx),
                ..$must
            },
            Case {
                id: concat!($game, "d/whole-records"),
                title: "servers start one after the other, and a client asks for the list \
                           after each",
                requires: "servers are blocks of 6 bytes with nothing between them",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::whole_records(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "d/byte-order"),
                title: "a server starts whose port has two different bytes",
                requires: "a block is 4 bytes of the address and 2 of the port, both in network \
                           byte order as in the hexdump",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::byte_order(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "d/all"),
                title: "eight servers start, and a client asks for the list",
                requires: "the servers are in the list",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::all(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "d/once-each"),
                title: "two servers of one machine start, and a client asks for the list",
                requires: "each server is one block of the list",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::once_each(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "d/unchanged"),
                title: "a client asks for the list eight times while no server starts or \
                           leaves",
                requires: "the servers are in each list",
                citation: concat!("001 6.4", $too),
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                run: |ctx| no_challenge::unchanged(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "d/other-games"),
                title: "servers of other games send their heartbeats to this master",
                requires: "the list has servers that clients of the game can play on; in no \
                           document, true of QuakeForge's master",
                citation: concat!("001 6.8", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::other_games_unlisted(ctx, &$of.messages, &other_games()),
                ..SHOULD
            },
            Case {
                id: concat!($game, "k/no-heartbeat"),
                title: "a server sends k and no heartbeat",
                requires: "it is not said whether a ping lists a server; uHexen2's and \
                           QuakeForge's masters of HexenWorld list it",
                citation: concat!("001 6.6, 001 6.8", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| {
                    ctx.note(listed_by_ping(ctx, &$of.messages)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "l/unanswered"),
                title: "a server sends l, which nobody has asked for",
                requires: "l is a reply: two programs that answer it never stop; in no document",
                citation: concat!("001 6.7", $too),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| $of.is_silent_to_ack(ctx),
                ..SHOULD
            },
            Case {
                id: concat!($game, "a/registers"),
                title: "a server starts: it sends k and a heartbeat a; a client asks for the \
                           list",
                requires: "a is the heartbeat, and the servers are in the list",
                citation: concat!("001 6.8, 001 6.4", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::registers(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "a/without-ping"),
                title: "a server sends heartbeats and no k",
                requires: "it is not said whether the ping or a heartbeat lists a server",
                citation: concat!("001 6.6, 001 6.8", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| {
                    ctx.note(listed_without_ping(ctx, &$of.messages)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "a/any-numbers"),
                title: "servers start whose heartbeats have other numbers",
                requires: "the document does not know what the numbers mean; servers count \
                           heartbeats and players, and no server should be missing for them",
                citation: concat!("001 6.8, the released sources", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::register_all(ctx, &$of.messages),
                ..SHOULD
            },
            Case {
                id: concat!($game, "a/again"),
                title: "a listed server sends heartbeats with other numbers",
                requires: "each heartbeat tells of the same server",
                citation: concat!("001 6.8", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::again(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "a/reply"),
                title: "a server sends two heartbeats and no k",
                requires: "the document does not say whether a heartbeat is answered",
                citation: concat!("001 6.8", $too),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| {
                    ctx.note(reply_to_heartbeats(ctx, &$of.messages)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "a/kept"),
                title: "two servers start, and send nothing for 6.5 seconds",
                requires: "a heartbeat lists a server, and no server sends one every few \
                           seconds: all released ones do every 300 seconds",
                citation: concat!("001 6.8, 300 seconds from the released sources", $too),
                needs: &[&needs::$needs::LISTED],
                waits: 7,
                run: |ctx| no_challenge::still_listed(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "timeout/kept"),
                title: "a listed server sends nothing for two fifths of the time-out",
                requires: "servers send a heartbeat every 300 seconds",
                citation: concat!("001 6.8, 300 seconds from the released sources", $too),
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::kept(ctx, &$of.messages),
                ..SHOULD
            },
            Case {
                id: concat!($game, "timeout/renewed"),
                title: "a listed server sends a heartbeat before its time-out, and then \
                           nothing for three fifths of it",
                requires: "each heartbeat tells that the server is still there",
                citation: concat!("001 6.8", $too),
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::renewed(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "timeout/forgotten"),
                title: "a listed server sends and answers nothing for a quarter more than \
                           its time-out",
                requires: "heartbeats tell that a server is there; one that sends none for long \
                           should not be listed",
                citation: concat!("001 6.8", $too),
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::forgotten(ctx, &$of.messages),
                ..SHOULD
            },
            Case {
                id: concat!($game, "C/gone"),
                title: "a listed server sends C and a line feed",
                requires: "C tells the master that the server shuts down",
                citation: concat!("001 6.9", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::leaves(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "C/nobody-else"),
                title: "a server sends C, and so does one that was never listed; a third \
                           server of the same machine is listed",
                requires: "C tells of the server that sends it, and of no other",
                citation: concat!("001 6.9", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::leaves_alone(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "C/back"),
                title: "a server sends C and starts again: it sends k and a heartbeat a",
                requires: "a heartbeat tells that the server is there",
                citation: concat!("001 6.9, 001 6.8", $too),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::comes_back(ctx, &$of.messages),
                ..$must
            },
            Case {
                id: concat!($game, "C/no-request"),
                title: "a client sends C",
                requires: "c asks for the list; C tells that a server shuts down",
                citation: concat!("001 6.9, 001 6.3", $too),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| $of.tells_case(ctx),
                ..$must
            },
            Case {
                id: concat!($game, "robust/stumps"),
                title: "somebody sends an empty datagram, bare marks, and every message cut \
                           after every byte; then a server starts",
                requires: "a master survives what hackers send",
                citation: "003 Appendix B",
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    no_challenge::bears(
                        ctx,
                        &$of.messages,
                        &malformed::truncations(&$of.beginnings()),
                    )
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/longest-datagrams"),
                title: "somebody sends datagrams of 65,507 bytes, some of them heartbeats; \
                           then a server starts",
                requires: "a master survives what hackers send",
                citation: "003 Appendix B",
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    no_challenge::bears(ctx, &$of.messages, &malformed::longest(&$of.beginnings()))
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/random-datagrams"),
                title: "somebody sends random bytes, some of them behind the beginnings of \
                           messages; then a server starts",
                requires: "a master survives what hackers send",
                citation: "003 Appendix B",
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    no_challenge::bears(ctx, &$of.messages, &malformed::noise(&$of.beginnings()))
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/many-heartbeats"),
                title: "a server sends 2000 heartbeats; then another server starts",
                requires: "a master survives what hackers send, floods too",
                citation: "003 Appendix B",
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::flooded(ctx, &$of.messages),
                ..MUST
            },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Case] = cases!(OF_QUAKEWORLD, quakeworld, "quakeworld/", MUST, "");
pub(super) static HEXENWORLD: &[Case] = cases!(
    OF_HEXENWORLD,
    hexenworld,
    "hexenworld/",
    SHOULD,
    ", 001 7, uHexen2's and QuakeForge's masters"
);

/// The case of the ping that the document requires for QuakeWorld, and that of what it leaves open.
pub(super) static QUAKEWORLD_ALONE: &[Case] = &[
    Case {
        id: "quakeworld/k/acknowledged",
        title: "a server that starts sends k and NUL",
        requires: "l is the reply to k",
        citation: "001 6.6, 001 6.7",
        needs: &[&needs::quakeworld::ANSWERS],
        run: |ctx| OF_QUAKEWORLD.acknowledges(ctx),
        ..MUST
    },
    Case {
        id: "quakeworld/k/again",
        title: "a server sends k and NUL twice",
        requires: "the document does not say how often a server sends k",
        citation: "001 6.6",
        needs: &[&needs::quakeworld::ANSWERS],
        run: |ctx| {
            ctx.note(reply_to_pings(ctx, &OF_QUAKEWORLD.messages)?);
            Ok(())
        },
        ..INFO
    },
];

/// HexenWorld's masters need not reply to a ping.
pub(super) static HEXENWORLD_ALONE: &[Case] = &[Case {
    id: "hexenworld/k/acknowledged",
    title: "a server sends k and NUL twice",
    requires: "QuakeWorld's masters reply with l; uHexen2's and QuakeForge's masters of HexenWorld do \
               not reply",
    citation: "001 6.6, 001 6.7, 001 7, uHexen2's and QuakeForge's masters",
    needs: &[&needs::hexenworld::ANSWERS],
    run: |ctx| {
        ctx.note(reply_to_pings(ctx, &OF_HEXENWORLD.messages)?);
        Ok(())
    },
    ..INFO
}];
