//! Servers register: q FF with a challenge of the server's own, s with both challenges, 0.

use super::LISTS;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{XashClient, XashRole, XashServer};
use crate::families::half_life::register::{new_state, register_cases};
use crate::server::MasterRequest;
use crate::shared::registration;
use crate::{Case, Failure};
use simulate::families::half_life::messages::{self, XASH_KEY};

pub(super) static SHARED: &[Case] = register_cases!("xash3d/", XashRole, "q FF", answer: 14);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/q/without-challenge",
        title: "an old server sends q FF alone",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.end.send_bytes(&messages::xash_heartbeat(None))?;
            let request = server.recv_challenge()?;
            match server_key(&request) {
                None => Ok(()),
                Some(key) => {
                    let failure = Failure::new("an s of 10 bytes", format!("{key:08x} behind it"));
                    Err(failure.field(&request.datagram, "server challenge"))
                }
            }
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/s/server-challenge",
        title: "a server sends q FF with the challenges 0, 1, 7FFFFFFF, 80000000 and FFFFFFFF",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            for key in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, XASH_KEY] {
                server.end.drain()?;
                server.end.send_bytes(&messages::xash_heartbeat(Some(key)))?;
                let request = ctx.setup(|| server.recv_challenge())?;
                let came = server_key(&request);
                if came != Some(key) {
                    let came = came.map_or("none".to_owned(), |key| format!("{key:08x}"));
                    let failure = Failure::new(format!("the server's challenge {key:08x}"), came);
                    return Err(failure.field(&request.datagram, "server challenge"));
                }
            }
            Ok(())
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/s/challenge-differs",
        title: "48 servers send q FF",
        run: registration::challenges_unpredictable::<XashRole>,
        // A target that accepts few servers of an address has no room for more.
        exclusive: true,
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/0/right-challenge",
        decides: &["xash3d/listed"],
        title: "a server answers the s with a 0; a client asks for the servers of its gamedir",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.register()?;
            let listed = registration::is_listed(ctx, &server);
            if listed.is_err() && !ctx.is_wide() {
                let why = "no server of this address is listed: the limit of servers of one address \
                           may be reached, which is 14 in xash3d-master";
                return Err(Failure::blocked(why));
            }
            listed
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/0/line-feed",
        title: "a server ends its 0 in a line feed, as the document's does",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            let challenge = server.challenged()?.challenge.to_string();
            server.end.send_bytes(&messages::reply(&server.info, Some(&challenge)))?;
            let list = server.list();
            XashClient::new(ctx)?.wait_listed(&server, list).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent, and with its own",
        requires: "xash3d/0/no-challenge",
        run: |ctx| {
            registration::refused::<XashRole>(ctx, |server, right| {
                server.answer(&(right ^ 1))?;
                server.answer(&XASH_KEY)
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/forgotten",
        title: "a server registers and is silent for the server's time",
        slow: Some("server-timeout"),
        run: registration::forgotten::<XashRole>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        run: new_state::<XashRole>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/b/leaves",
        early: true,
        title: "a listed server sends b; a client asks for its gamedir",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            server.end.send_bytes(&messages::log_off())?;
            ctx.sync(LISTS)?;
            let is_gone = !client.list(server.list())?.has(&server);
            ctx.report(if is_gone { "the server is gone" } else { "the server is listed still" })
        },
        ..LISTED_CASE
    },
];

/// The server's own challenge in an `s`.
fn server_key(request: &MasterRequest<XashRole>) -> Option<u32> {
    messages::challenges(&request.datagram.bytes).and_then(|(_, key)| key)
}
