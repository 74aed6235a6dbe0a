//! Lists: 010 ut2004.c, 009 handle_serverlist.cpp.

use super::preconditions::{CHALLENGED, LIST_CASE, LISTED_CASE, VERIFIED};
use super::roles::{
    OLD_CLIENT, OLD_VERSION, UnrealConnection, UnrealList, UnrealServer, list, recv,
};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::unreal2::frames::{self, ListedEnd, MasterFrame, VERSION};

/// The version of Unreal II XMP.
const XMP_VERSION: u32 = 2226;

/// Lists that are compared.
const TIMES: usize = 6;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "ut2004/list/frames",
        title: "a verified client asks for the list",
        needs: &[&VERIFIED],
        run: |ctx| list(ctx, &[]).map(drop),
        ..CASE
    },
    Case {
        id: "ut2004/list/count",
        title: "a client asks for a list with servers and reads it to its end",
        run: |ctx| {
            let _servers = [UnrealServer::listed(ctx, &[])?, UnrealServer::listed(ctx, &[])?];
            let listed = whole_list(ctx)?;
            if listed.count as usize == listed.servers.len() {
                return Ok(());
            }
            let what = format!("{} frames of servers, as the first frame says", listed.count);
            Err(Failure::new(what, listed.servers.len().to_string()))
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/list/closed",
        title: "a client reads a list and waits",
        run: |ctx| {
            let mut client = UnrealConnection::verified(ctx)?;
            client.stream.send_bytes(&frames::list_request(&[]))?;
            ctx.setup(|| client.recv_list())?;
            client.stream.rest("the connection to be closed behind the list").map(drop)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/list/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        run: |ctx| {
            let mut server = ctx.setup(|| UnrealServer::new(ctx))?;
            ctx.setup(|| server.send_heartbeat())?;
            let Err(failure) = server.wait_listed(ctx) else { return Ok(()) };
            // Whether servers are listed at all is another question.
            let is_swapped = ctx.setup(|| list(ctx, &[]))?.has_swapped(&server);
            Err(if is_swapped { failure } else { failure.in_setup() })
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/list/no-doubles",
        title: "a server sends two heartbeats; a client asks for the list",
        run: |ctx| {
            let mut server = UnrealServer::listed(ctx, &[])?;
            ctx.setup(|| server.send_heartbeat())?;
            // The next answer comes behind the heartbeat.
            let times = ctx.setup(|| list(ctx, &[]))?.times(&server);
            match times {
                1 => Ok(()),
                times => Err(Failure::new(
                    format!("{} once", server.address()),
                    format!("{times} times"),
                )),
            }
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/list/steady",
        title: "a client asks for the list several times while three servers are connected",
        run: steady,
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/list/flags",
        title: "servers that play in several ways register; clients of UT2004, UT2003 and Unreal II \
                XMP ask for the list",
        run: flags,
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/motd/answered",
        title: "a verified client asks for the message of the day",
        needs: &[&VERIFIED],
        run: |ctx| {
            let mut client = UnrealConnection::verified(ctx)?;
            client.stream.send_bytes(&frames::motd_request())?;
            let text = recv(&mut client.stream, "a text", |frame| match frame {
                MasterFrame::Text(text) => Some(text),
                _ => None,
            });
            ctx.report(match text {
                Ok(text) => format!("{} characters", text.len()),
                Err(failure) => failure.came,
            })
        },
        ..CASE
    },
    Case {
        id: "ut2004/motd/older-client",
        title: "a client of UT2003 asks for the message of the day",
        requires: "ut2004/motd/answered",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let mut client = UnrealConnection::new(ctx)?;
            client.log_in(OLD_CLIENT, OLD_VERSION)?;
            client.stream.send_bytes(&frames::motd_request())?;
            let bytes = client.stream.rest("the end of the connection");
            ctx.report(match bytes {
                Ok(bytes) => format!("{} bytes, and the end", bytes.len()),
                Err(failure) => failure.came,
            })
        },
        ..CASE
    },
];

/// The servers whose flags are reported, and what they say.
const WAYS: [(&str, &[(&str, &str)]); 6] = [
    ("plain", &[]),
    ("with a password", &[("GamePassword", "True")]),
    ("with statistics", &[("GameStats", "True")]),
    ("of a player", &[("ServerMode", "non-dedicated")]),
    ("instant", &[("mutator", "MutInstaGib")]),
    ("classic", &[("mutator", "MutUTClassic")]),
];

/// Reports what records say of how servers play.
fn flags(ctx: &TestContext<'_>) -> Done {
    let server = |(_, settings)| UnrealServer::listed(ctx, settings);
    let servers = WAYS.map(server).into_iter().collect::<Result<Vec<_>, _>>()?;
    for (name, version) in [("UT2003", OLD_VERSION), ("XMP", XMP_VERSION), ("UT2004", VERSION)] {
        let mut client = if version == VERSION {
            UnrealConnection::verified(ctx)?
        } else {
            let mut client = UnrealConnection::new(ctx)?;
            client.log_in(OLD_CLIENT, version)?;
            client
        };
        client.stream.send_bytes(&frames::list_request(&[]))?;
        let Ok(listed) = client.recv_list() else {
            ctx.note(format!("{name}: no list"));
            continue;
        };
        for ((way, _), server) in WAYS.iter().zip(&servers) {
            let end = listed.find(server).map(|found| &found.end);
            ctx.note(match end {
                None => format!("{name}, {way}: not listed"),
                Some(None) => format!("{name}, {way}: no flags"),
                Some(Some(ListedEnd::Short(flags))) => format!("{name}, {way}: {flags:02x}"),
                Some(Some(ListedEnd::Long(flags, skill))) => {
                    format!("{name}, {way}: {flags:08x} {}", render::quoted(skill, 16))
                }
            });
        }
    }
    Ok(())
}

/// Everything that comes in answer to a request for all servers.
fn whole_list(ctx: &TestContext<'_>) -> Result<UnrealList, Failure> {
    let mut client = UnrealConnection::verified(ctx)?;
    client.stream.send_bytes(&frames::list_request(&[]))?;
    let mut last = 0;
    // More than the first frame says may follow: two looks at the same bytes are the end.
    ctx.until(|| {
        let found = client.stream.expect("a list", |bytes| {
            UnrealList::parse_front(bytes).map(|(length, list)| (0, (length, list)))
        })?;
        let (length, list) = found;
        let is_over = length > 0 && length == std::mem::replace(&mut last, length);
        if is_over && list.servers.len() >= list.count as usize {
            return Ok(list);
        }
        _ = client.stream.expect("more", |bytes| (bytes.len() > length).then_some((0, ())));
        Err(Failure::new("the end of the list", format!("{length} bytes")))
    })
}

fn steady(ctx: &TestContext<'_>) -> Done {
    let servers = [(); 3].map(|()| UnrealServer::listed(ctx, &[]));
    let servers = servers.into_iter().collect::<Result<Vec<_>, _>>()?;
    for _ in 0..TIMES {
        let listed = ctx.setup(|| list(ctx, &[]))?;
        servers.iter().try_for_each(|server| listed.expect_listed(server))?;
    }
    Ok(())
}
