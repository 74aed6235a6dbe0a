//! What a master of Quake 2 and Heretic 2 is tried with, message by message: document 001, sections 2
//! and 3.

use super::super::{malformed, no_challenge};
use super::{OF_HERETIC2, OF_QUAKE2, beginnings, blank, others_beat, spells_ack, voice};
use crate::conform::{Case, MUST, SHOULD};

/// The cases of a game under its name, with the sections in which the document has its messages.
macro_rules! cases {
    ($of:ident, $game:literal, $beat:literal, $lines:literal, $goes:literal, $ping:literal) => {
        &[
            Case {
                id: concat!($game, "heartbeat/registers"),
                title: "a server sends its heartbeat, and a client asks for the list",
                requires: "a heartbeat tells the master of a server, and the list holds it",
                citation: concat!($beat, ", 001 3.12"),
                run: |ctx| no_challenge::registers(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "heartbeat/settings-and-players"),
                title: "servers send heartbeats with other settings, with players behind them, full",
                requires: "a heartbeat has whatever settings a server has, and a line a player",
                citation: $lines,
                run: |ctx| no_challenge::register_all(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "heartbeat/again"),
                title: "a server sends heartbeats from another map, with a player, with another game",
                requires: "heartbeats come every 300 seconds and after a change of map, and tell of \
                           the same server",
                citation: $beat,
                run: |ctx| no_challenge::again(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/kept"),
                title: "a server sends one heartbeat, and less than its time goes by",
                requires: "a server need not say more than every 300 seconds that it is alive",
                citation: $beat,
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::stays(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/renewed"),
                title: "a server sends a second heartbeat before its time is over",
                requires: "each heartbeat tells that the server is still alive",
                citation: $beat,
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::renewed(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/forgotten"),
                title: "a server sends one heartbeat, and no more for all its time",
                requires: "heartbeats tell that a server is alive, and one that sends none may not be",
                citation: $beat,
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::silence(ctx, &$of),
                ..SHOULD
            },
            Case {
                id: concat!($game, "query/answered"),
                title: "a client sends query, a line feed and NUL, without a mark",
                requires: "query asks the master for the list",
                citation: "001 3.2, 001 3.12",
                run: |ctx| no_challenge::is_answered(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/gone"),
                title: "a listed server sends shutdown",
                requires: "shutdown tells the master that the server goes",
                citation: $goes,
                run: |ctx| no_challenge::leaves(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/nobody-else"),
                title: "a server sends shutdown, and so does one that never was listed, beside a \
                        listed one on the same machine",
                requires: "shutdown tells of the server that sends it, and of no other",
                citation: $goes,
                run: |ctx| no_challenge::leaves_alone(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "shutdown/back"),
                title: "a server sends shutdown, and later a heartbeat",
                requires: "a heartbeat tells that a server is alive, whatever it said before",
                citation: concat!($goes, ", ", $beat),
                run: |ctx| no_challenge::comes_back(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/whole-records"),
                title: "a client asks for the list",
                requires: "behind servers and a whitespace come blocks of 6 bytes, and nothing else",
                citation: "001 3.12",
                run: |ctx| no_challenge::whole_records(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/blank"),
                title: "a client asks for the list",
                requires: "a blank parts the word from the servers; some masters write a line feed",
                citation: "001 3.12",
                run: |ctx| blank(ctx, &$of),
                ..SHOULD
            },
            Case {
                id: concat!($game, "servers/byte-order"),
                title: "a server beats whose port has two bytes that differ",
                requires: "a block is 4 bytes of the address and 2 of the port, network order both",
                citation: "001 3.12",
                run: |ctx| no_challenge::registers(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/all"),
                title: "eight servers beat, and a client asks for the list",
                requires: "the list has the servers that are known to the master",
                citation: "001 3.12",
                run: |ctx| no_challenge::all(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/once-each"),
                title: "two servers of one machine beat, and a client asks for the list",
                requires: "a server that is known to the master is one block of the list",
                citation: "001 3.12",
                run: |ctx| no_challenge::once_each(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "servers/other-games"),
                title: "servers beat in the words of other games",
                requires: "the list has servers of the game, which beat in its words",
                citation: concat!("001 3.12, ", $beat),
                run: |ctx| others_beat(ctx, &$of),
                ..MUST
            },
            Case {
                id: concat!($game, "ping/acknowledged"),
                title: "a server that starts sends ping",
                requires: "ping is answered with ack",
                citation: concat!($ping, ", 001 3.14"),
                run: |ctx| $of.acknowledged(&ctx.server($of.service)?).map(drop),
                ..MUST
            },
            Case {
                id: concat!($game, "ping/no-heartbeat"),
                title: "a server sends ping and no heartbeat",
                requires: "a server is known by its heartbeat; ping is what it sends at its start",
                citation: concat!($ping, ", ", $beat),
                run: |ctx| no_challenge::ping_lists_nobody(ctx, &$of),
                ..SHOULD
            },
            Case {
                id: concat!($game, "ack/spelling"),
                title: "a server sends ping",
                requires: "the answer is spelled ack; the document's hexdump alone has pack",
                citation: "001 3.14",
                run: |ctx| spells_ack(ctx, &$of),
                ..SHOULD
            },
            Case {
                id: concat!($game, "robust/stumps"),
                title: "somebody sends nothing, bare marks, and every beginning of every message",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::bears(ctx, &$of, &malformed::truncations(&beginnings(&$of))),
                ..MUST
            },
            Case {
                id: concat!($game, "robust/longest-datagrams"),
                title: "somebody sends datagrams of 65,507 bytes, some of them as heartbeats",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::bears(ctx, &$of, &malformed::longest(&beginnings(&$of))),
                ..MUST
            },
            Case {
                id: concat!($game, "robust/long-key"),
                title: "a server beats whose settings have a key and a value of 1000 characters",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    let long = "x".repeat(1000);
                    let beat = voice::heartbeat(&voice::persona().with(&long, &long), &[&long]);
                    no_challenge::bears(ctx, &$of, &[beat])
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/random-datagrams"),
                title: "somebody sends random bytes, some of them behind documented beginnings",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::bears(ctx, &$of, &malformed::noise(&beginnings(&$of))),
                ..MUST
            },
            Case {
                id: concat!($game, "robust/many-heartbeats"),
                title: "a server sends 2000 heartbeats, a hundred at once",
                requires: "floods are to be expected, and the master goes on to hear others",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::flooded(ctx, &$of),
                ..MUST
            },
        ]
    };
}

pub(super) static QUAKE2: &[Case] =
    cases!(OF_QUAKE2, "quake2/", "001 3.1", "001 3.1, 001 2.1.2", "001 3.3", "001 3.13");
pub(super) static HERETIC2: &[Case] =
    cases!(OF_HERETIC2, "heretic2/", "001 2.1.2", "001 2.1.2", "001 2.1.1", "001 2.1.10");
