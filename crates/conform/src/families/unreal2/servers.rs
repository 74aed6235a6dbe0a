//! Servers: 009 handle_heartbeat.cpp, handle_uplink_info.cpp, UTPeer.cpp.

use std::time::Duration;

use super::preconditions::{CHALLENGED, LIST_CASE, LISTED_CASE};
use super::roles::{OLD_VERSION, UnrealConnection, UnrealServer, expect_verdict, list, recv};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::unreal2::frames::{self, MasterFrame, ReachedPorts, SERVER, VERSION};

/// Seconds without a message after which a server must still be listed.
const QUIET: u32 = 3;
/// A server of UT2003.
const OLD_SERVER: &str = "SERVER";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "ut2004/server/approved",
        title: "a server logs in",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let mut server = UnrealConnection::new(ctx)?;
            expect_verdict(frames::VERDICT_APPROVED, &server.log_in(SERVER, VERSION)?)
        },
        ..CASE
    },
    Case {
        id: "ut2004/server/detected-ports",
        title: "an approved server says how it is connected",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let mut server = ctx.setup(|| UnrealServer::new(ctx))?;
            reached(ctx, &mut server)
        },
        ..CASE
    },
    Case {
        id: "ut2004/server/older-server",
        title: "a server of UT2003 logs in and says how it is connected",
        needs: &[&CHALLENGED],
        run: |ctx| match UnrealServer::of_version(ctx, OLD_SERVER, OLD_VERSION) {
            Ok(mut server) => reached(ctx, &mut server),
            Err(failure) => ctx.report(failure.came),
        },
        ..CASE
    },
    Case {
        id: "ut2004/server/listed",
        title: "an approved server sends a heartbeat; a client asks for the list",
        run: |ctx| {
            let mut server = ctx.setup(|| UnrealServer::new(ctx))?;
            server.send_heartbeat()?;
            server.wait_listed(ctx)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/server/values",
        title: "a client reads what the list tells of a server",
        run: values,
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/server/update",
        title: "a listed server sends a heartbeat with another name",
        run: |ctx| {
            let mut server = UnrealServer::listed(ctx, &[])?;
            server.info = server.info.clone().with("name", "Another name");
            server.send_heartbeat()?;
            let renamed = ctx.until(|| {
                let listed = list(ctx, &[])?;
                let found = listed.find(&server).filter(|one| one.name == b"Another name");
                found.map(drop).ok_or_else(|| Failure::new("the new name", "another"))
            });
            ctx.report(if renamed.is_ok() { "the new name" } else { "the name before" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/server/kept",
        title: "a listed server is silent for three seconds; a client asks for the list",
        waits: QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(QUIET.into());
            if ctx.time("server-timeout")? <= quiet {
                return Err(Failure::skipped("the target is assumed to forget servers earlier"));
            }
            let server = UnrealServer::listed(ctx, &[])?;
            ctx.wait(quiet);
            list(ctx, &[])?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/server/silent",
        title: "a listed server stays connected and is silent for the time-out",
        slow: Some("server-timeout"),
        run: |ctx| {
            let server = UnrealServer::listed(ctx, &[])?;
            ctx.wait(ctx.time("server-timeout")?);
            let gone = ctx.until(|| list(ctx, &[])?.expect_unlisted(&server));
            ctx.report(if gone.is_ok() { "it is listed no longer" } else { "it stays listed" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/server/leaves",
        title: "a listed server disconnects",
        run: |ctx| {
            let server = UnrealServer::listed(ctx, &[])?;
            let address = server.address();
            drop(server);
            let gone = ctx.until(|| {
                if list(ctx, &[])?.servers.iter().any(|listed| listed.address == address) {
                    return Err(Failure::new("a list without it", "one with it"));
                }
                Ok(())
            });
            ctx.report(if gone.is_ok() { "it is listed no longer" } else { "it stays listed" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/server/packages",
        title: "an approved server says which packages it knows",
        run: |ctx| {
            let mut server = UnrealServer::listed(ctx, &[])?;
            recv(&mut server.stream, "the ports", |_| Some(()))?;
            server.stream.send_bytes(&frames::packages_version(0))?;
            let answer = recv(&mut server.stream, "an answer", Some);
            ctx.report(match answer {
                Ok(MasterFrame::MatchNumber(number)) => format!("the number {number} of a match"),
                Ok(MasterFrame::Packages) => "packages".to_owned(),
                Ok(_) => "another frame".to_owned(),
                Err(_) if server.stream.is_over() => "the connection is closed".to_owned(),
                Err(_) => "nothing".to_owned(),
            })
        },
        ..LISTED_CASE
    },
];

/// Reports the ports at which the master says that it has reached a server.
fn reached(ctx: &TestContext<'_>, server: &mut UnrealServer<'_>) -> Done {
    let ports = recv(&mut server.stream, "the ports of the server", |frame| match frame {
        MasterFrame::DetectedPorts(ports) => Some(ports),
        _ => None,
    })?;
    let ReachedPorts { port, queries } = ports;
    ctx.report(match queries {
        Some([usual, gamespy]) => format!("port {port}, queries on {usual} and {gamespy}"),
        None => format!("port {port}"),
    })
}

fn values(ctx: &TestContext<'_>) -> Done {
    let server = UnrealServer::listed(ctx, &[("name", "Lab"), ("players", "7")])?;
    let listed = ctx.setup(|| list(ctx, &[]))?;
    let Some(found) = listed.find(&server) else {
        return ctx.setup(|| listed.expect_listed(&server));
    };
    let info = &server.info;
    let is = |value: &[u8], key| if info.get(key) == Some(value) { "as sent" } else { "another" };
    let number = |value: u8, key| is(value.to_string().as_bytes(), key);
    ctx.report(format!(
        "name: {}, map: {}, game type: {}, players: {}, max players: {}, port for queries: the next {}",
        is(&found.name, "name"),
        is(&found.map, "map"),
        is(&found.game_type, "game type"),
        number(found.players, "players"),
        number(found.max_players, "max players"),
        found.query_port.wrapping_sub(server.port)
    ))
}
