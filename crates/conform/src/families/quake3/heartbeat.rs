//! Servers send heartbeats and shutdown messages: 001 1.2.9, 000 "Registration at the master
//! server", 004 1) heartbeat.

use super::LISTS;
use super::preconditions::{
    CHALLENGED, CHALLENGED_CASE, GAME_LISTED_CASE, LIST_ANSWERED, LISTED_CASE, RTCW_LISTED,
    TERRITORY_LIST, TERRITORY_LISTED, WOLF_LIST,
};
use super::roles::{Quake3Client, Quake3Role, Quake3Server, all, named_game, own_game};
use crate::shared::challenge_quality::beyond;
use crate::shared::registration;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::quake3::messages::{self, Quake3ListRequest};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/heartbeat/asked",
        decides: &["quake3/asked"],
        title: "a server sends a heartbeat",
        run: |ctx| {
            Quake3Server::new(ctx)?.is_challenged().map_err(|failure| unless_full(ctx, failure))
        },
        ..CASE
    },
    Case {
        id: "quake3/heartbeat/source",
        title: "a server sends a heartbeat, and looks where the request comes from",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let server = Quake3Server::new(ctx)?;
            let datagram = server.challenged()?.datagram;
            let (from, to) = (datagram.from, server.end.target());
            if from == to {
                return Ok(());
            }
            let expected = format!("a getinfo or a getstatus from {to}");
            Err(Failure::new(expected, format!("it from {from}")).at(&datagram))
        },
        ..CASE
    },
    Case {
        id: "quake3/heartbeat/listed",
        decides: &["quake3/listed"],
        title: "a server sends a heartbeat and answers the getinfo or getstatus",
        needs: &[&CHALLENGED, &LIST_ANSWERED],
        run: registration::registers::<Quake3Role>,
        ..CASE
    },
    Case {
        id: "quake3/heartbeat/unanswered",
        title: "a server sends a heartbeat and does not answer the getinfo",
        run: |ctx| registration::refused::<Quake3Role>(ctx, |_, _| Ok(())),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/heartbeat/unknown-tag",
        early: true,
        title: "a server sends a heartbeat with a tag that no document has",
        run: |ctx| {
            if ctx.assumed().settings().unknown_tags {
                return Err(Failure::skipped("the target is assumed to take unknown tags"));
            }
            let server = Quake3Server::new(ctx)?.tagged("Unheard-1");
            server.send_heartbeat()?;
            server.end.expect_none("no getinfo to a server with an unknown tag", |datagram| {
                messages::challenge(&datagram.bytes)
            })
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "quake3/heartbeat/full",
        title: "a listed server becomes full, and says so after its next heartbeat",
        run: |ctx| {
            let (server, client) = (Quake3Server::new(ctx)?, Quake3Client::new(ctx)?);
            let plain = Quake3ListRequest { words: "", ..all(ctx) };
            client.setup_listed(&server, plain)?;
            let server = server.with("clients", "8");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, plain)?;
            client.wait_listed(&server, all(ctx))?;
            // It stays so until it answers again.
            server.send_heartbeat()?;
            let request = ctx.setup(|| server.recv_challenge())?;
            client.request(all(ctx))?.expect_listed(&server)?;
            server.answer_request(&request)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/heartbeat/emptied",
        title: "the last player leaves a listed server, and another joins it later",
        run: |ctx| {
            let (server, client) = (Quake3Server::new(ctx)?, Quake3Client::new(ctx)?);
            let plain = Quake3ListRequest { words: "", ..all(ctx) };
            client.setup_listed(&server, plain)?;
            let server = server.with("clients", "0");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, plain)?;
            let server = server.with("clients", "2");
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, plain).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/heartbeat/shutdown",
        title: "a listed server sends two heartbeats and answers no more",
        waits: 4,
        slow: Some("challenge-timeout"),
        run: |ctx| {
            if ctx.assumed().settings().keep_silent {
                return Err(Failure::skipped("the target is assumed to keep silent servers"));
            }
            let (server, client) = Quake3Server::listed(ctx)?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(beyond(ctx.time("challenge-timeout")?));
            client.wait_unlisted(&server, all(ctx))
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/heartbeat/shutdown",
        title: "a listed server of a game that names itself sends two heartbeats and answers no \
                more",
        waits: 4,
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let pause = beyond(ctx.time("challenge-timeout")?);
            if ctx.time("server-timeout")? <= pause {
                return Err(Failure::skipped("the target forgets servers sooner than challenges"));
            }
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(pause);
            client.request(server.list())?.expect_listed(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/heartbeat/asked",
        decides: &["dpmaster/asked"],
        title: "a server of a game that names itself sends a heartbeat",
        run: |ctx| {
            let server = Quake3Server::darkplaces(ctx, &named_game(ctx))?;
            server.send_heartbeat()?;
            let request = server.recv_challenge().map_err(|failure| unless_full(ctx, failure))?;
            if request.challenge.is_empty() {
                let failure = Failure::new("a challenge behind getinfo", "none");
                return Err(failure.at(&request.datagram));
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "quake3/heartbeat/loopback",
        title: "a server on a loopback address registers with a master that is on another",
        needs: &[&LIST_ANSWERED],
        run: |ctx| {
            if ctx.is_on_loopback() {
                return Err(Failure::skipped("the target is on a loopback address itself"));
            }
            let client = Quake3Client::new(ctx)?;
            // If the target is another machine, it cannot be reached from there.
            let end = ctx.server_at(LISTS, [127, 0, 0, 1].into())?;
            let server = Quake3Server { end, ..Quake3Server::new(ctx)? };
            server.send_heartbeat()?;
            ctx.sync(LISTS)?;
            for request in server.end.drain()? {
                let answer = messages::answer(&server.info, &request.bytes);
                server.end.send_bytes(&answer.unwrap_or_default())?;
            }
            client.expect_unlisted(&server, all(ctx))
        },
        ..CASE
    },
    Case {
        id: "rtcw/heartbeat/listed",
        decides: &["rtcw/listed"],
        title: "a server of Return to Castle Wolfenstein registers",
        run: |ctx| listed(ctx, messages::WOLF, WOLF_LIST),
        ..CASE
    },
    Case {
        id: "rtcw/heartbeat/unanswered",
        title: "a server of Return to Castle Wolfenstein does not answer the getinfo",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::with_info(ctx, messages::WOLF, messages::server_info("60"))?;
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            client.expect_unlisted(&server, WOLF_LIST)
        },
        ..CASE
    },
    Case {
        id: "rtcw/heartbeat/flatline",
        title: "a listed server of Return to Castle Wolfenstein sends the heartbeat WolfFlatline-1",
        needs: &[&RTCW_LISTED],
        run: |ctx| shuts_down(ctx, messages::WOLF, messages::WOLF_GOES, WOLF_LIST),
        ..CASE
    },
    Case {
        id: "enemy-territory/heartbeat/listed",
        decides: &["enemy-territory/listed"],
        title: "a server of Enemy Territory registers",
        run: |ctx| listed(ctx, messages::TERRITORY, TERRITORY_LIST),
        ..CASE
    },
    Case {
        id: "enemy-territory/heartbeat/flatline",
        title: "a listed server of Enemy Territory sends the heartbeat ETFlatline-1",
        needs: &[&TERRITORY_LISTED],
        run: |ctx| shuts_down(ctx, messages::TERRITORY, messages::TERRITORY_GOES, TERRITORY_LIST),
        ..CASE
    },
];

/// A new server got no request. A target that lists others may have no room for it, which is no
/// fault; one that lists no server has room.
fn unless_full(ctx: &TestContext<'_>, failure: Failure) -> Failure {
    if !ctx.is_wide() {
        let why = "no getinfo or getstatus for a new server: the limit of servers of one address \
                   may be reached";
        return Failure::blocked(why);
    }
    let listed = Quake3Client::new(ctx).and_then(|client| client.request(all(ctx)));
    match listed.map(|listed| listed.count()) {
        Ok(0) | Err(_) => failure,
        Ok(count) => Failure::blocked(format!(
            "no getinfo or getstatus for a new server, and {count} servers in the list of its \
             protocol: the target's list may be full"
        )),
    }
}

/// A server with this tag registers and is listed with its own protocol, and with no other.
fn listed(ctx: &TestContext<'_>, tag: &'static str, list: Quake3ListRequest<'static>) -> Done {
    own_game(ctx)?;
    let client = Quake3Client::new(ctx)?;
    let server =
        Quake3Server::with_info(ctx, tag, messages::server_info(&list.protocol.to_string()))?;
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
    let server =
        Quake3Server::with_info(ctx, tag, messages::server_info(&list.protocol.to_string()))?;
    client.setup_listed(&server, list)?;
    server.end.send_bytes(&messages::heartbeat(last))?;
    client.wait_unlisted(&server, list)
}
