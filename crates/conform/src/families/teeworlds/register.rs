//! Servers register: bea2, fw??, fw!!, fwok.

use std::time::Duration;

use super::preconditions::{CHECKED_CASE, LISTED_CASE};
use super::roles::{TeeClient, TeeServer, misplaced, until};
use crate::shared::registration;
use crate::{CASE, Case, Failure};
use simulate::families::teeworlds::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "teeworlds/bea2/checked",
        decides: &["teeworlds/checked"],
        title: "a server sends a heartbeat",
        run: |ctx| TeeServer::new(ctx)?.checked().map(drop),
        ..CASE
    },
    Case {
        id: "teeworlds/bea2/each-time",
        title: "a listed server sends two more heartbeats, and answers each check",
        run: |ctx| {
            let (server, _) = TeeServer::listed(ctx)?;
            (0..2).try_for_each(|_| server.register())
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/bea2/short",
        title: "a server sends a heartbeat without a port, another one a whole one; then the first \
                sends a whole one, too",
        run: |ctx| {
            let (server, other) = (TeeServer::new(ctx)?, TeeServer::new(ctx)?);
            let whole = messages::heartbeat(server.end.address().port());
            let short = whole.get(..whole.len() - 2).unwrap_or_default();
            server.end.send_bytes(short)?;
            // Both are due at the same time.
            ctx.setup(|| other.checked())?;
            ctx.sync(super::LISTS)?;
            let checks = server.end.drain()?;
            if let Some(check) = checks.iter().find(|check| messages::is_check(&check.bytes)) {
                let what = "no check after a heartbeat without a port";
                return Err(Failure::new(what, check.named()).at(check));
            }
            server.checked().map(drop)
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/beat/checked",
        title: "a server sends the heartbeat of version 0.5",
        run: |ctx| {
            let server = TeeServer::new(ctx)?;
            server.end.send_bytes(&messages::old_heartbeat(server.end.address().port()))?;
            let is_checked = server.recv_check().is_ok();
            ctx.report(if is_checked { "it is checked" } else { "it is not checked" })
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/fwresponse/listed",
        decides: &["teeworlds/listed"],
        title: "a server answers the check; a client asks for the list",
        run: |ctx| {
            let (server, client) = (TeeServer::new(ctx)?, TeeClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server) else { return Ok(()) };
            // Its bytes may be there in another form, which another case tests.
            let is_there = client.list().is_ok_and(|listed| {
                listed.find_block(server.end.address()).is_some()
                    || misplaced(&listed, &server).is_some()
            });
            Err(if is_there { failure.in_setup() } else { failure })
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/fwresponse/told",
        title: "a server answers the check",
        run: |ctx| {
            let server = TeeServer::new(ctx)?;
            ctx.setup(|| server.register())?;
            server.recv_listed().map(drop)
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/fwresponse/none",
        title: "a server does not answer the check, another one does; a client asks for the list",
        run: |ctx| {
            let (server, other) = (TeeServer::new(ctx)?, TeeServer::new(ctx)?);
            let client = TeeClient::new(ctx)?;
            // A list that has the other was made after the check.
            let listed = ctx.setup(|| {
                server.send_heartbeat()?;
                other.send_heartbeat()?;
                server.recv_check()?;
                other.answer(&other.recv_check()?)?;
                client.wait_listed(&other)
            })?;
            listed.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/fwresponse/unasked",
        title: "a server answers to where another one's check came from; a client asks for the list",
        run: |ctx| {
            let (server, other) = (TeeServer::new(ctx)?, TeeServer::new(ctx)?);
            let client = TeeClient::new(ctx)?;
            let check = ctx.setup(|| other.checked())?;
            server.answer(&check)?;
            // A list that has the other was made after both answers.
            let listed = ctx.setup(|| {
                other.answer(&check)?;
                client.wait_listed(&other)
            })?;
            listed.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/fwresponse/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        waits: 5 + registration::QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(registration::QUIET.into());
            if ctx.time("server-timeout")? <= quiet {
                return Err(Failure::skipped("the target is assumed to forget servers earlier"));
            }
            let (server, client) = TeeServer::listed(ctx)?;
            ctx.wait(quiet);
            client.list()?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/timeout/forgotten",
        title: "a listed server is silent for the time-out; a client asks for the list",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = TeeServer::listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")?);
            until(ctx, || client.list()?.expect_unlisted(&server))
        },
        ..LISTED_CASE
    },
];
