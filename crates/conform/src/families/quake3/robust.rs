//! Floods, and datagrams that no game sends. No document says how to handle them; 004 BEHAVIOUR has
//! the aim, a master that is free from abuse.

use super::LISTS;
use super::preconditions::LISTED_CASE;
use super::roles::{Quake3Client, Quake3Role, Quake3Server, all};
use crate::shared::{malformed, registration};
use crate::{Case, Done, Failure, TestContext};
use simulate::families::quake3::messages;

const HARSH: Case = Case { exclusive: true, harsh: true, ..LISTED_CASE };
/// Heartbeats of one server.
const FLOOD: usize = 3000;
/// What datagrams begin with.
const BEGINNINGS: [&[u8]; 6] = [
    b"\xff\xff\xff\xffheartbeat ",
    b"\xff\xff\xff\xffinfoResponse\n\\",
    b"\xff\xff\xff\xffgetservers 68 ",
    b"\xff\xff\xff\xffgetservers",
    b"\xff\xff\xff\xffgetserversExt",
    b"\xff\xff\xff\xffgetmotd",
];

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/robust/empty-datagram",
        title: "a client sends datagrams without a byte, and with the mark alone",
        run: |ctx| survives(ctx, &malformed::truncations(&[])),
        ..HARSH
    },
    Case {
        id: "quake3/robust/longest-datagram",
        title: "a client sends datagrams of 65507 bytes, of known and of no words",
        requires: "quake3/robust/empty-datagram",
        run: |ctx| survives(ctx, &malformed::longest(&BEGINNINGS)),
        ..HARSH
    },
    Case {
        id: "quake3/robust/random-datagrams",
        title: "a client sends datagrams of random bytes, with and without a known word in front",
        requires: "quake3/robust/empty-datagram",
        run: |ctx| survives(ctx, &malformed::noise(&BEGINNINGS)),
        ..HARSH
    },
    Case {
        id: "quake3/robust/long-value",
        title: "a server answers with a value of 1500 characters",
        requires: "quake3/robust/empty-datagram",
        run: |ctx| {
            let server = Quake3Server::new(ctx)?.with("hostname", &"v".repeat(1500));
            server.register()?;
            Quake3Client::new(ctx)?.request(all(ctx)).map(drop)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/many-heartbeats",
        title: "a server sends thousands of heartbeats, and others ask for lists meanwhile",
        run: |ctx| {
            let (server, other) = (Quake3Server::new(ctx)?, Quake3Server::new(ctx)?);
            let client = Quake3Client::new(ctx)?;
            let heartbeats = vec![messages::heartbeat(server.state.tag); FLOOD];
            malformed::send(&server.end, LISTS, &heartbeats)?;
            other.register()?;
            client.wait_listed(&other, all(ctx)).map(drop)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/flood",
        title: "one address asks for lists faster than any client would",
        run: |ctx| {
            let settings = ctx.assumed().settings();
            if settings.flood == 0 || !ctx.is_wide() {
                return Err(Failure::skipped("the target is assumed not to bound anybody"));
            }
            if !settings.flood_loopback {
                let why = "on loopback nobody is bounded, as far as is assumed; \
                           --assume flood-loopback=on";
                return Err(Failure::skipped(why));
            }
            let client = ctx.client(LISTS)?;
            let request = messages::Quake3ListRequest {
                protocol: 7_654_321,
                ..messages::Quake3ListRequest::default()
            }
            .plain();
            let count = (settings.flood_burst as usize + settings.flood as usize) * 2;
            let mut answered = 0;
            for _ in 0..count.div_ceil(16) {
                (0..16).try_for_each(|_| client.send_bytes(&request))?;
                ctx.sync(LISTS)?;
                answered += client.drain()?.len();
            }
            if answered >= count {
                let what = format!("fewer answers than the {count} requests");
                return Err(Failure::new(what, format!("{answered} answers")));
            }
            // A client that does not flood gets its response all the same.
            Quake3Client::new(ctx)?.request(all(ctx)).map(drop)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/long-key",
        title: "a server answers with a key of 900 characters",
        requires: "quake3/robust/empty-datagram",
        run: |ctx| {
            let server = Quake3Server::new(ctx)?.with(&"k".repeat(900), "1");
            server.register()?;
            Quake3Client::new(ctx)?.request(all(ctx)).map(drop)
        },
        ..HARSH
    },
];

/// After all these datagrams the master lists a server that registers.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::send(&ctx.client(LISTS)?, LISTS, datagrams)?;
    registration::registers::<Quake3Role>(ctx)
}
