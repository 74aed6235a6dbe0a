//! Malformed, over-long and random datagrams, and floods: 003 Appendix B.

use super::LISTS;
use super::getservers::ALL;
use super::preconditions::LISTED_CASE;
use super::roles::{EliteForceRole, EliteForceServer, of_words};
use crate::shared::{malformed, registration};
use crate::{Case, Done, TestContext};
use simulate::families::elite_force::messages::{self, EliteForceQuestion};
use simulate::families::quake3::messages::Quake3ListRequest;

const HARSH: Case = Case { exclusive: true, harsh: true, ..LISTED_CASE };

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/robust/truncations",
        title: "a client sends empty datagrams, bare marks and every beginning of every message",
        run: |ctx| survives(ctx, &malformed::truncations(&beginnings())),
        ..HARSH
    },
    Case {
        id: "elite-force/robust/longest-datagrams",
        title: "a client sends datagrams of 65,507 bytes, some of which begin as messages do",
        requires: "elite-force/robust/truncations",
        run: |ctx| survives(ctx, &malformed::longest(&beginnings())),
        ..HARSH
    },
    Case {
        id: "elite-force/robust/long-key",
        title: "a server answers with a key and a value of 1000 characters",
        requires: "elite-force/robust/truncations",
        run: |ctx| {
            let long = "x".repeat(1000);
            ctx.setup(|| EliteForceServer::new(ctx)?.with(&long, &long).register())?;
            ctx.sync(LISTS)?;
            registration::registers::<EliteForceRole>(ctx)
        },
        ..HARSH
    },
    Case {
        id: "elite-force/robust/random-datagrams",
        title: "a client sends random bytes, some behind the beginnings of messages",
        requires: "elite-force/robust/truncations",
        run: |ctx| survives(ctx, &malformed::noise(&beginnings())),
        ..HARSH
    },
    Case {
        id: "elite-force/robust/many-heartbeats",
        title: "a listed server sends 2000 heartbeats, a hundred at once",
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            let heartbeat = messages::heartbeat(server.address().port(), messages::GAME);
            malformed::send(&server.end, LISTS, &vec![heartbeat; malformed::FLOOD])?;
            client.wait_listed(&server, of_words(ctx, ALL))?;
            registration::registers::<EliteForceRole>(ctx)
        },
        ..HARSH
    },
];

/// Sends these datagrams; afterwards a server registers and is listed.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::send(&ctx.client(LISTS)?, LISTS, datagrams)?;
    registration::registers::<EliteForceRole>(ctx)
}

/// Datagrams that begin as these messages do.
fn beginnings() -> Vec<Vec<u8>> {
    let questions =
        [EliteForceQuestion::Info(b"1".to_vec()), EliteForceQuestion::Status(b"1".to_vec())];
    let mut all =
        questions.map(|question| messages::reply(&messages::server_info(), &question)).to_vec();
    all.push(messages::heartbeat(27960, messages::GAME));
    all.push(messages::heartstop(27960));
    all.push(
        Quake3ListRequest { protocol: 24, words: ALL, ..Quake3ListRequest::default() }.plain(),
    );
    all
}
