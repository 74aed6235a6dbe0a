//! Servers send heartbeats and shutdown messages: 001 1.2.9, 000 "Registration at the master
//! server", 004 1) heartbeat.

use super::super::challenge_quality::beyond;
use super::LISTS;
use super::ends::{Quake3Client, Quake3Server, all, of_game};
use super::preconditions::{
    ASKED, GAME_LISTED, LIST_ANSWERED, LISTED, RTCW_LISTED, TERRITORY_LIST, TERRITORY_LISTED,
    WOLF_LIST,
};
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::families::quake3::messages::{self as voice, Quake3ListRequest};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master answers a heartbeat with getinfo or getstatus",
        citation: "001 1.2.9, 000 heartbeat, 004 BEHAVIOUR",
        run: |ctx| {
            let server = Quake3Server::quake3(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop).map_err(|failure| unless_full(ctx, failure))
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/listed",
        title: "a server sends a heartbeat and answers the getinfo or getstatus",
        requires: "a server that has answered is listed",
        citation: "001 1.2.9, 000 heartbeat, 004 BEHAVIOUR",
        needs: &[&ASKED, &LIST_ANSWERED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unanswered",
        title: "a server sends a heartbeat and does not answer the getinfo",
        requires: "a server is not listed before it has answered",
        citation: "000 heartbeat, 004 BEHAVIOUR",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            client.expect_unlisted(&server, all(ctx))
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unknown-tag",
        title: "a server sends a heartbeat with a tag that no document has",
        requires: "the tag of a heartbeat names the game; a master ignores tags that it does not \
                   know (dpmaster does; 004 only says that this may come)",
        citation: "000 heartbeat, and dpmaster's",
        needs: &[&ASKED],
        run: |ctx| {
            if ctx.assumed().settings().unknown_tags {
                return Err(Failure::skipped("the target is assumed to take unknown tags"));
            }
            let server = Quake3Server { tag: "Unheard-1", ..Quake3Server::quake3(ctx)? };
            server.send_heartbeat()?;
            server.end.expect_none("no getinfo to a server with an unknown tag", |heard| {
                voice::challenge(&heard.bytes)
            })
        },
        ..SHOULD
    },
    Case {
        id: "quake3/heartbeat/full",
        title: "a listed server becomes full, and says so after its next heartbeat",
        requires: "servers send heartbeats when they become empty or full, and the master lists \
                   them by their new state",
        citation: "001 1.2.9, 000 heartbeat, 004 1) heartbeat",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            let plain = Quake3ListRequest { words: "", ..all(ctx) };
            client.setup_listed(&server, plain)?;
            let server = server.with("clients", "8");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, plain)?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/emptied",
        title: "the last player leaves a listed server, and another joins it later",
        requires: "a heartbeat is sent when a server becomes empty, and the master lists it by its \
                   new state",
        citation: "000 heartbeat, 004 1) heartbeat",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            let plain = Quake3ListRequest { words: "", ..all(ctx) };
            client.setup_listed(&server, plain)?;
            let server = server.with("clients", "0");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, plain)?;
            let server = server.with("clients", "2");
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, plain).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/shutdown",
        title: "a listed server sends two heartbeats and answers no more",
        requires: "a server that shuts down sends two heartbeats; the master detects it by the \
                   getinfo that stays unanswered",
        citation: "001 1.2.9, 000 heartbeat",
        needs: &[&LISTED],
        waits: 4,
        slow: Some("challenge-timeout"),
        run: |ctx| {
            if ctx.assumed().settings().keep_silent {
                return Err(Failure::skipped("the target is assumed to keep silent servers"));
            }
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(beyond(ctx.time("challenge-timeout")?));
            client.wait_unlisted(&server, all(ctx))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/heartbeat/shutdown",
        title: "a listed server of a game that names itself sends two heartbeats and answers no \
                more",
        requires: "two heartbeats at once do not take a server off the list",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        waits: 4,
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(beyond(ctx.time("challenge-timeout")?));
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/heartbeat/asked",
        title: "a server of a game that names itself sends a heartbeat",
        requires: "a heartbeat is answered by a getinfo with a challenge",
        citation: "004 2) getinfo, 004 BEHAVIOUR",
        run: |ctx| {
            let server = Quake3Server::darkplaces(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            let asked = server.recv_challenge().map_err(|failure| unless_full(ctx, failure))?;
            if asked.challenge.is_empty() {
                let failure = Failure::new("a challenge behind getinfo", "none");
                return Err(failure.at(&asked.heard));
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/loopback",
        title: "a server on a loopback address registers with a master that is on another",
        requires: "clients pass over servers on loopback addresses; a master lists none",
        citation: "000 getserversResponse",
        needs: &[&LIST_ANSWERED],
        run: |ctx| {
            if ctx.is_on_loopback() {
                return Err(Failure::skipped("the target is on a loopback address itself"));
            }
            let client = Quake3Client::new(ctx)?;
            // If the target is another machine, it cannot be reached from there.
            let end = ctx.server_at(LISTS, [127, 0, 0, 1].into())?;
            let server = Quake3Server { end, ..Quake3Server::quake3(ctx)? };
            server.send_heartbeat()?;
            ctx.sync(LISTS)?;
            for asked in server.end.drain()? {
                let answer = voice::answer(&server.persona, &asked.bytes);
                server.end.send_bytes(&answer.unwrap_or_default())?;
            }
            client.expect_unlisted(&server, all(ctx))
        },
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/listed",
        title: "a server of Return to Castle Wolfenstein registers",
        requires: "its heartbeats are Quake III's with a tag of their own",
        citation: "001 8.1, 000 heartbeat",
        run: |ctx| listed(ctx, voice::WOLF, WOLF_LIST),
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/unanswered",
        title: "a server of Return to Castle Wolfenstein does not answer the getinfo",
        requires: "a server is not listed before it has answered",
        citation: "000 heartbeat",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::of(ctx, voice::WOLF, voice::persona("60"))?;
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            client.expect_unlisted(&server, WOLF_LIST)
        },
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/flatline",
        title: "a listed server of Return to Castle Wolfenstein sends the heartbeat WolfFlatline-1",
        requires: "servers send WolfFlatline-1 when they shut down, so that a master can take them \
                   off the list (the documents do not say that it has to; dpmaster does not)",
        citation: "001 8.1, 000 heartbeat",
        needs: &[&RTCW_LISTED],
        run: |ctx| shuts_down(ctx, voice::WOLF, voice::WOLF_GOES, WOLF_LIST),
        ..SHOULD
    },
    Case {
        id: "enemy-territory/heartbeat/listed",
        title: "a server of Enemy Territory registers",
        requires: "its heartbeats have a tag of their own",
        citation: "000 heartbeat, 001 11.5",
        run: |ctx| listed(ctx, voice::TERRITORY, TERRITORY_LIST),
        ..MUST
    },
    Case {
        id: "enemy-territory/heartbeat/flatline",
        title: "a listed server of Enemy Territory sends the heartbeat ETFlatline-1",
        requires: "servers send ETFlatline-1 when they shut down, so that a master can take them \
                   off the list (the documents do not say that it has to; dpmaster does not)",
        citation: "000 heartbeat",
        needs: &[&TERRITORY_LISTED],
        run: |ctx| shuts_down(ctx, voice::TERRITORY, voice::TERRITORY_GOES, TERRITORY_LIST),
        ..SHOULD
    },
];

/// A new server got no request. A target that lists others may have no room for it, which is no
/// fault; one that lists no server has room.
fn unless_full(ctx: &TestContext<'_>, failure: Failure) -> Failure {
    let listed = Quake3Client::new(ctx).and_then(|client| client.asks(all(ctx)));
    match listed.map(|listed| listed.servers.len()) {
        Ok(0) | Err(_) => failure,
        Ok(count) => Failure::blocked(format!(
            "no getinfo or getstatus for a new server, and {count} servers in the list of its \
             protocol: the target's list may be full"
        )),
    }
}

/// A server with this tag registers and is listed with its own protocol, and with no other.
fn listed(ctx: &TestContext<'_>, tag: &'static str, list: Quake3ListRequest<'static>) -> Done {
    let client = Quake3Client::new(ctx)?;
    let server = Quake3Server::of(ctx, tag, voice::persona(&list.protocol.to_string()))?;
    server.register()?;
    client.wait_listed(&server, list)?;
    client.expect_unlisted(&server, all(ctx))
}

/// A listed server sends its last heartbeat, and is not listed any more.
fn shuts_down(
    ctx: &TestContext<'_>,
    tag: &'static str,
    last: &'static str,
    list: Quake3ListRequest<'static>,
) -> Done {
    let client = Quake3Client::new(ctx)?;
    let server = Quake3Server::of(ctx, tag, voice::persona(&list.protocol.to_string()))?;
    client.setup_listed(&server, list)?;
    server.end.send_bytes(&voice::heartbeat(last))?;
    client.wait_unlisted(&server, list)
}
