//! What a master of QuakeWorld and HexenWorld is tried with, letter by letter: document 001, sections
//! 6.3 to 6.9.

use super::super::{malformed, no_challenge};
use super::{OF_HEXENWORLD, OF_QUAKEWORLD};
use crate::conform::{Case, INFO, MUST, SHOULD};

/// The cases of a game under its name; `$too` is the section that has them for this game.
macro_rules! cases {
    ($of:ident, $game:literal, $too:literal) => {
        &[
            Case {
                id: concat!($game, "c/answered"),
                title: "a client sends c, a line feed and NUL, without a mark",
                requires: "c asks the master for the list, and d is the reply",
                citation: concat!("001 6.3, 001 6.4", $too),
                run: |ctx| no_challenge::is_answered(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "c/from-a-server"),
                title: "a listed server asks for the list from the port on which it plays",
                requires: "c asks for the list; it is C by which a server goes",
                citation: concat!("001 6.3, 001 6.9", $too),
                run: |ctx| $of.lists_to_servers(ctx),
                ..MUST
            },
            Case {
                id: concat!($game, "d/mark"),
                title: "a client asks for the list",
                requires: "the reply begins with bytes FF, QuakeWorld's with four and HexenWorld's \
                           with five (known from the released sources), a d and a line feed",
                citation: concat!("001 6.4", $too),
                run: |ctx| $of.marks_lists(ctx),
                ..MUST
            },
            Case {
                id: concat!($game, "d/whole-records"),
                title: "a client asks for the list",
                requires: "servers are blocks of 6 bytes with nothing between them",
                citation: concat!("001 6.4", $too),
                run: |ctx| no_challenge::whole_records(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "d/byte-order"),
                title: "a server beats whose port has two bytes that differ",
                requires: "a block is 4 bytes of the address and 2 of the port, network order both",
                citation: concat!("001 6.4", $too),
                run: |ctx| no_challenge::registers(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "d/all"),
                title: "eight servers beat, and a client asks for the list",
                requires: "the servers are listed behind the heading",
                citation: concat!("001 6.4", $too),
                run: |ctx| no_challenge::all(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "d/once-each"),
                title: "two servers of one machine beat, and a client asks for the list",
                requires: "a server is one block of the list",
                citation: concat!("001 6.4", $too),
                run: |ctx| no_challenge::once_each(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "d/other-games"),
                title: "servers beat in the words of other games",
                requires: "the list has servers of the game, which beat in its words",
                citation: concat!("001 6.4, 001 6.8", $too),
                run: |ctx| $of.others_beat(ctx),
                ..MUST
            },
            Case {
                id: concat!($game, "k/acknowledged"),
                title: "a server sends k and NUL",
                requires: "k is a server's ping, and l the reply",
                citation: concat!("001 6.6, 001 6.7", $too),
                run: |ctx| $of.acknowledges(ctx),
                ..MUST
            },
            Case {
                id: concat!($game, "k/no-heartbeat"),
                title: "a server sends k and no heartbeat",
                requires: "a server is known by its heartbeat, and k is no more than a ping",
                citation: concat!("001 6.6, 001 6.8", $too),
                run: |ctx| no_challenge::ping_lists_nobody(ctx, &$of.speech),
                ..SHOULD
            },
            Case {
                id: concat!($game, "l/to-ping"),
                title: "somebody sends ping, which is a master's word, to the master",
                requires: "l is the reply to ping and to k, whoever they come from",
                citation: concat!("001 6.5, 001 6.7", $too),
                run: |ctx| $of.acknowledges_ping(ctx),
                ..SHOULD
            },
            Case {
                id: concat!($game, "l/unanswered"),
                title: "a server sends l, though nobody has asked",
                requires: "l is a reply, and two who answered it would never end",
                citation: concat!("001 6.7", $too),
                run: |ctx| $of.is_silent_to_ack(ctx),
                ..SHOULD
            },
            Case {
                id: concat!($game, "a/registers"),
                title: "a server sends a with the numbers 1 and 0, and a client asks for the list",
                requires: "a is the heartbeat, by which the master knows of a server",
                citation: concat!("001 6.8", $too),
                run: |ctx| no_challenge::registers(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "a/any-numbers"),
                title: "servers send a with all kinds of numbers",
                requires: "the numbers count heartbeats and players (known from the released \
                           sources), and no server is left out for them",
                citation: concat!("001 6.8", $too),
                run: |ctx| no_challenge::register_all(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "a/again"),
                title: "a server sends a again and again with other numbers",
                requires: "heartbeats come every 300 seconds (known from the released sources) and \
                           tell of the same server",
                citation: concat!("001 6.8", $too),
                run: |ctx| no_challenge::again(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "a/reply"),
                title: "a server sends a and listens",
                requires: "the document does not say whether a heartbeat is answered",
                citation: concat!("001 6.8", $too),
                run: |ctx| {
                    ctx.note(no_challenge::reply_to_heartbeat(ctx, &$of.speech)?);
                    Ok(())
                },
                ..INFO
            },
            Case {
                id: concat!($game, "timeout/kept"),
                title: "a server sends a once, and less than its time goes by",
                requires: "a server need not beat more often than every 300 seconds (known from \
                           the released sources)",
                citation: concat!("001 6.8", $too),
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::stays(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/renewed"),
                title: "a server sends a second a before its time is over",
                requires: "each heartbeat tells that the server is still there",
                citation: concat!("001 6.8", $too),
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::renewed(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "timeout/forgotten"),
                title: "a server sends a once, and no more for all its time",
                requires: "a heartbeat tells that a server is there, and one without may not be",
                citation: concat!("001 6.8", $too),
                slow: Some("server-timeout"),
                run: |ctx| no_challenge::silence(ctx, &$of.speech),
                ..SHOULD
            },
            Case {
                id: concat!($game, "C/gone"),
                title: "a listed server sends C and a line feed",
                requires: "C tells the master that the server goes",
                citation: concat!("001 6.9", $too),
                run: |ctx| no_challenge::leaves(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "C/nobody-else"),
                title: "a server sends C, and so does one that never was listed, beside a listed \
                        one on the same machine",
                requires: "C tells of the server that sends it, and of no other",
                citation: concat!("001 6.9", $too),
                run: |ctx| no_challenge::leaves_alone(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "C/back"),
                title: "a server sends C, and later a",
                requires: "a heartbeat tells that a server is there, whatever it said before",
                citation: concat!("001 6.9, 001 6.8", $too),
                run: |ctx| no_challenge::comes_back(ctx, &$of.speech),
                ..MUST
            },
            Case {
                id: concat!($game, "C/no-request"),
                title: "a client sends C",
                requires: "C is a server's word of parting and asks for nothing; c asks",
                citation: concat!("001 6.9, 001 6.3", $too),
                run: |ctx| $of.tells_case(ctx),
                ..MUST
            },
            Case {
                id: concat!($game, "robust/stumps"),
                title: "somebody sends nothing, bare marks, and every beginning of every message",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    no_challenge::bears(
                        ctx,
                        &$of.speech,
                        &malformed::truncations(&$of.beginnings()),
                    )
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/longest-datagrams"),
                title: "somebody sends datagrams of 65,507 bytes, some of them as heartbeats",
                requires: "hackers are to be expected, and the master goes on",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| {
                    no_challenge::bears(ctx, &$of.speech, &malformed::longest(&$of.beginnings()))
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
                run: |ctx| {
                    no_challenge::bears(ctx, &$of.speech, &malformed::noise(&$of.beginnings()))
                },
                ..MUST
            },
            Case {
                id: concat!($game, "robust/many-heartbeats"),
                title: "a server sends 2000 heartbeats, a hundred at once",
                requires: "floods are to be expected, and the master goes on to hear others",
                citation: "003 Appendix B",
                exclusive: true,
                harsh: true,
                run: |ctx| no_challenge::flooded(ctx, &$of.speech),
                ..MUST
            },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Case] = cases!(OF_QUAKEWORLD, "quakeworld/", "");
pub(super) static HEXENWORLD: &[Case] = cases!(OF_HEXENWORLD, "hexenworld/", ", 001 7");
