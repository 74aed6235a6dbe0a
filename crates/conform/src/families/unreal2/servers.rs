//! Servers: 009 handle_heartbeat.cpp, handle_uplink_info.cpp, UTPeer.cpp.

use super::preconditions::{CHALLENGED, LIST_CASE, LISTED_CASE};
use super::roles::{UnrealConnection, UnrealServer, expect_verdict, list, recv};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::unreal2::frames::{self, MasterFrame, SERVER, VERSION};

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
            recv(&mut server.stream, "the ports of the server", |frame| {
                (frame == MasterFrame::DetectedPorts).then_some(())
            })
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
                Ok(MasterFrame::MatchNumber) => "the number of a match",
                Ok(MasterFrame::Packages) => "packages",
                Ok(_) => "another frame",
                Err(_) if server.stream.is_over() => "the connection is closed",
                Err(_) => "nothing",
            })
        },
        ..LISTED_CASE
    },
];

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
        "name: {}, map: {}, game type: {}, players: {}, max players: {}",
        is(&found.name, "name"),
        is(&found.map, "map"),
        is(&found.game_type, "game type"),
        number(found.players, "players"),
        number(found.max_players, "max players")
    ))
}
