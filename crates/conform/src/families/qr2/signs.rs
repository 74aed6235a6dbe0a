//! Signs of life: later heartbeats, keepalive 08, servers that leave, and whether a game is served
//! (008 qr2.c).

use super::SERVERS;
use super::preconditions::LISTED_CASE;
use super::roles::{Qr2Client, Qr2Role, Qr2Server, browse, heartbeat};
use crate::shared::registration;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::qr2::messages::{self, StateChange};

/// The statuses that clients know: 0 to this.
const LAST_STATUS: u32 = 2;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "qr2/update/values",
        title: "a listed server says that its state has changed; a client asks for its hostname",
        run: values,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/update/stays",
        title: "a listed server sends two more heartbeats without a change",
        run: |ctx| {
            let (server, client) = Qr2Server::listed(ctx)?;
            for _ in 0..2 {
                server.end.send_bytes(&heartbeat(&server, StateChange::None))?;
            }
            ctx.sync(SERVERS)?;
            client.list(server.list())?.expect_listed_once(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/keepalive/answered",
        title: "a listed server sends a keepalive",
        run: |ctx| {
            let (server, _) = Qr2Server::listed(ctx)?;
            let key = messages::instance_key(server.address());
            let came = keepalive(&server, key)?;
            ctx.report(if came { "it is answered" } else { "it is not answered" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/keepalive/other-instance",
        title: "a listed server's address sends a keepalive with another instance key",
        run: |ctx| {
            let (server, _) = Qr2Server::listed(ctx)?;
            let other = messages::instance_key(server.address()).wrapping_add(1);
            let came = keepalive(&server, other)?;
            ctx.report(if came { "it is answered" } else { "it is not answered" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/keepalive/stays",
        title: "a listed server sends a keepalive; a client asks for the list",
        run: |ctx| {
            let (server, client) = Qr2Server::listed(ctx)?;
            keepalive(&server, messages::instance_key(server.address()))?;
            client.list(server.list())?.expect_listed_once(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/shutdown/leaves",
        early: true,
        title: "a listed server says that it leaves; a client asks for the list",
        run: |ctx| {
            let (server, client) = Qr2Server::listed(ctx)?;
            server.end.send_bytes(&heartbeat(&server, StateChange::Leaves))?;
            client.wait_unlisted(&server, server.list())
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/shutdown/other-instance",
        title: "a listed server's address says with another instance key that it leaves",
        run: |ctx| {
            let (server, client) = Qr2Server::listed(ctx)?;
            let other = messages::instance_key(server.address()).wrapping_add(1);
            let leaves = StateChange::Leaves;
            let game = server.state.game;
            server.end.send_bytes(&messages::heartbeat(
                other,
                server.address(),
                leaves,
                game,
                &server.info,
            ))?;
            ctx.sync(SERVERS)?;
            let listed = client.list(server.list())?.has(&server);
            ctx.report(if listed { "it stays listed" } else { "it is taken off" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/shutdown/comes-back",
        title: "a server that has left begins again, and answers the challenge",
        run: |ctx| {
            let (server, client) = Qr2Server::listed(ctx)?;
            ctx.setup(|| {
                server.end.send_bytes(&heartbeat(&server, StateChange::Leaves))?;
                client.wait_unlisted(&server, server.list())
            })?;
            registration::registered(ctx, &server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/timeout/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        waits: registration::QUIET,
        run: registration::kept::<Qr2Role>,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/timeout/forgotten",
        title: "a listed server sends nothing any more; a client asks for the list",
        slow: Some("server-timeout"),
        run: registration::forgotten::<Qr2Role>,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/keepalive/renews",
        title: "a listed server sends a keepalive before its time is over; a client asks for its \
                hostname when it would be",
        requires: "qr2/keepalive/stays",
        slow: Some("server-timeout"),
        run: |ctx| {
            stays(ctx, |server| {
                server
                    .end
                    .send_bytes(&messages::keepalive(messages::instance_key(server.address())))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/update/renews",
        title: "a listed server sends a heartbeat without a change before its time is over; a client \
                asks for its hostname when it would be",
        requires: "qr2/update/stays",
        slow: Some("server-timeout"),
        run: |ctx| {
            stays(ctx, |server| server.end.send_bytes(&heartbeat(server, StateChange::None)))
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/available/answered",
        title: "a client asks whether gmtest is served",
        run: |ctx| {
            let client = ctx.client(SERVERS)?;
            client.send_bytes(&messages::available(messages::TEST))?;
            let what = "an answer with one of the statuses 0, 1 and 2";
            client.expect(what, |datagram| {
                messages::status(&datagram.bytes).filter(|status| *status <= LAST_STATUS)
            })?;
            Ok(())
        },
        ..CASE
    },
];

/// Sends a keepalive with this key; returns whether one came back.
fn keepalive(server: &Qr2Server<'_>, key: u32) -> Result<bool, Failure> {
    let answers = server.end.request_all(&messages::keepalive(key))?;
    Ok(answers.iter().any(|datagram| datagram.bytes.starts_with(b"\xfe\xfd\x08")))
}

/// A server that sends this before its time is over is listed with its values when it would be, and
/// is not listed when it was silent for that long.
fn stays(ctx: &TestContext<'_>, send: impl Fn(&Qr2Server<'_>) -> Done) -> Done {
    let time = ctx.time("server-timeout")?;
    let name = ctx.game();
    let (server, client) = Qr2Server::new(ctx)?.with("hostname", &name).with_client(ctx)?;
    ctx.wait(time * 5 / 8);
    send(&server)?;
    ctx.wait(time * 5 / 8);
    let listed = browse(ctx, server.state.game)?;
    if !listed.has(server.address()) {
        let what = format!("a list that holds {}", server.address());
        return Err(Failure::new(what, "one without it").at(&listed.packet));
    }
    if listed.value(server.address(), "hostname") != Some(name.as_bytes()) {
        let what = format!("the hostname {name}");
        return Err(Failure::new(what, "another, or none").at(&listed.packet));
    }
    ctx.wait(time);
    client.wait_unlisted(&server, server.list())
}

/// A server's new values are those that lists tell.
fn values(ctx: &TestContext<'_>) -> Done {
    let (server, _): (_, Qr2Client<'_>) = Qr2Server::listed(ctx)?;
    let name = ctx.game();
    let server = server.with("hostname", &name);
    server.end.send_bytes(&heartbeat(&server, StateChange::Changed))?;
    ctx.until(|| {
        let listed = browse(ctx, server.state.game)?;
        let value = listed.value(server.address(), "hostname");
        if value == Some(name.as_bytes()) {
            return Ok(());
        }
        let came = match value {
            Some(value) => render::quoted(value, 64),
            None => "none".to_owned(),
        };
        Err(Failure::new(format!("the hostname {name}"), came).at(&listed.packet))
    })
}
