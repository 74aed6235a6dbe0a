//! The cases for masters of Quake 2 and Heretic 2, message by message: document 001, sections 2 and
//! 3.

use super::super::no_challenge::traits::{listed_by_ping, listed_without_ping, reply_to_pings};
use super::super::{malformed, no_challenge};
use super::{
    OF_HERETIC2, OF_QUAKE2, beginnings, needs, other_games, spells_ack, voice, whitespace,
};
use crate::conform::{Case, INFO, MUST, SHOULD};

/// The cases of a game under its name. Each message has its section of the document for this game.
macro_rules! cases {
    (
        $of:ident, $needs:ident, $game:literal, heartbeat: $heartbeat:literal, players:
        $players:literal, shutdown: $shutdown:literal, ping: $ping:literal, query: $query:literal,
        servers: $servers:literal, ack: $ack:literal
    ) => {
        &[
            Case {
                id: concat!($game, "heartbeat/registers"),
                title: "a server starts: it sends a ping and a heartbeat; a client asks for \
                           the list",
                requires: "a heartbeat tells the master that the server is alive, and the list \
                           has the servers known to the master",
                citation: concat!($heartbeat, ", ", $servers),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::registers(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "heartbeat/settings-and-players"),
                title: "servers start whose heartbeats have other settings, a player, no \
                           free place",
                requires: "a heartbeat has the settings of the server, and a line for each \
                           player",
                citation: $players,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::register_all(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "heartbeat/again"),
                title: "a listed server sends heartbeats with another map, with a player, \
                           with another game",
                requires: "a heartbeat after a change of map tells that the server is still \
                           alive",
                citation: $heartbeat,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::again(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "heartbeat/without-ping"),
                title: "a server sends heartbeats and no ping",
                requires: "it is not said whether the ping or a heartbeat lists a server; \
                           q2master lists it at the second heartbeat",
                citation: concat!($heartbeat, ", ", $ping, ", q2master's"),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| {
                    ctx.note(listed_without_ping(ctx, &$of)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "heartbeat/kept"),
                title: "two servers start, and send nothing for 6.5 seconds",
                requires: "heartbeats come every 300 seconds: a server is not forgotten after a \
                           few",
                citation: $heartbeat,
                needs: &[&needs::$needs::LISTED],
                waits: 7,
                run: |ctx| no_challenge::still_listed(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/kept"),
                title: "a listed server sends nothing for two fifths of the time-out",
                requires: "a server need not send more than a heartbeat every 300 seconds",
                citation: $heartbeat,
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::kept(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/renewed"),
                title: "a listed server sends a heartbeat before its time-out, and then \
                           nothing for three fifths of it",
                requires: "each heartbeat tells that the server is still alive",
                citation: $heartbeat,
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::renewed(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/forgotten"),
                title: "a listed server sends and answers nothing for a quarter more than \
                           its time-out",
                requires: "heartbeats tell that a server is alive; one that sends none for long \
                           should not be listed",
                citation: $heartbeat,
                needs: &[&needs::$needs::LISTED],
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::forgotten(ctx, &$of),
                ..SHOULD
            },
            Case {
                id: concat!($game, "query/answered"),
                title: "a client sends query, a line feed and NUL, without FF FF FF FF",
                requires: "query asks the master for the list, and servers is the reply",
                citation: concat!($query, ", ", $servers),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| no_challenge::is_answered(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/gone"),
                title: "a listed server sends shutdown",
                requires: "shutdown tells the master that the server shuts down",
                citation: $shutdown,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::leaves(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/nobody-else"),
                title: "a server sends shutdown, and so does one that was never listed; a \
                           third server of the same machine is listed",
                requires: "shutdown tells of the server that sends it, and of no other",
                citation: $shutdown,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::leaves_alone(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/back"),
                title: "a server sends shutdown and starts again: it sends a ping and a \
                           heartbeat",
                requires: "a heartbeat tells that the server is alive",
                citation: concat!($shutdown, ", ", $heartbeat),
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::comes_back(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/whole-records"),
                title: "servers start one after the other, and a client asks for the list \
                           after each",
                requires: "behind servers and a whitespace there are blocks of 6 bytes, and \
                           nothing else",
                citation: $servers,
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::whole_records(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/blank"),
                title: "a client asks for the list",
                requires: "a whitespace is behind servers: a blank in the document's hexdump, \
                           and from q2master; FTE's master sends a line feed",
                citation: $servers,
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| {
                    ctx.note(whitespace(ctx, &$of)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "servers/byte-order"),
                title: "a server starts whose port has two different bytes",
                requires: "a block is 4 bytes of the address and 2 of the port, both in network \
                           byte order as in the hexdump",
                citation: $servers,
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::byte_order(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/all"),
                title: "eight servers start, and a client asks for the list",
                requires: "the list has the servers that are known to the master",
                citation: $servers,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::all(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/once-each"),
                title: "two servers of one machine start, and a client asks for the list",
                requires: "each server that is known to the master is one block of the list",
                citation: $servers,
                needs: &[&needs::$needs::LISTED],
                run: |ctx| no_challenge::once_each(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/unchanged"),
                title: "a client asks for the list eight times while no server starts or \
                           leaves",
                requires: "each list has the servers that are known to the master",
                citation: $servers,
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                run: |ctx| no_challenge::unchanged(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/other-games"),
                title: "servers of other games send their heartbeats to this master",
                requires: "the document does not say what a master does with them; q2master's \
                           reads no more than the word heartbeat",
                citation: concat!($heartbeat, ", q2master's"),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| no_challenge::other_games(ctx, &$of, &other_games()),
                ..INFO
            },
            Case {
                id: concat!($game, "ping/acknowledged"),
                title: "a server that starts sends ping",
                requires: "ack is the reply to ping",
                citation: concat!($ping, ", ", $ack),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| $of.acknowledged(&$of.restarted(ctx)?).map(drop),
                ..MUST
            },
            Case {
                id: concat!($game, "ping/again"),
                title: "a server sends ping twice",
                requires: "the document has a ping at the start of a server alone; q2master \
                           does not answer another of a server that it knows",
                citation: concat!($ping, ", q2master's"),
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| {
                    ctx.note(reply_to_pings(ctx, &$of)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "ping/no-heartbeat"),
                title: "a server sends ping and no heartbeat",
                requires: "it is not said whether a ping lists a server",
                citation: concat!($ping, ", ", $heartbeat),
                needs: &[&needs::$needs::LIST_ANSWERED],
                run: |ctx| {
                    ctx.note(listed_by_ping(ctx, &$of)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "ack/spelling"),
                title: "a server that starts sends ping",
                requires: "the reply is spelled ack; the bytes of the document's hexdump, but \
                           not its text, have pack",
                citation: $ack,
                needs: &[&needs::$needs::ANSWERS],
                run: |ctx| spells_ack(ctx, &$of),
                ..SHOULD
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
                    no_challenge::bears(ctx, &$of, &malformed::truncations(&beginnings(&$of)))
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
                run: |ctx| no_challenge::bears(ctx, &$of, &malformed::longest(&beginnings(&$of))),
                ..MUST
            },
            Case {
                id: concat!($game, "robust/long-key"),
                title: "a heartbeat has a key, a value and a player of 1000 characters; then \
                           another server starts",
                requires: "a master survives what hackers send",
                citation: "003 Appendix B",
                needs: &[&needs::$needs::LISTED],
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    let long = "x".repeat(1000);
                    let heartbeat =
                        voice::heartbeat(&voice::persona().with(&long, &long), &[&long]);
                    no_challenge::bears(ctx, &$of, &[heartbeat])
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
                run: |ctx| no_challenge::bears(ctx, &$of, &malformed::noise(&beginnings(&$of))),
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
                run: |ctx| no_challenge::flooded(ctx, &$of),
                ..MUST
            },
        ]
    };
}

pub(super) static QUAKE2: &[Case] = cases!(
    OF_QUAKE2, quake2, "quake2/",
    heartbeat: "001 3.1",
    players: "001 3.1, 001 2.1.2",
    shutdown: "001 3.3",
    ping: "001 3.13",
    query: "001 3.2",
    servers: "001 3.12",
    ack: "001 3.14"
);
pub(super) static HERETIC2: &[Case] = cases!(
    OF_HERETIC2, heretic2, "heretic2/",
    heartbeat: "001 2.1.2",
    players: "001 2.1.2",
    shutdown: "001 2.1.1",
    ping: "001 2.1.10",
    query: "001 contents 2.2, 001 3.2",
    servers: "001 contents 2.12, 001 3.12",
    ack: "001 contents 2.14, 001 3.14"
);
