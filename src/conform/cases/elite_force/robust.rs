//! Malformed, over-long and random datagrams, and floods: 003 Appendix B.

use super::super::malformed;
use super::LISTS;
use super::ends::{EliteForceClient, EliteForceServer};
use super::getservers::ALL;
use super::preconditions::LISTED;
use crate::conform::{Case, Done, MUST, TestContext};
use crate::families::elite_force::messages::{self as voice, EliteForceQuestion};
use crate::families::quake3::messages::Quake3ListRequest;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/robust/stumps",
        title: "a client sends empty datagrams, bare marks and every beginning of every message",
        requires: "malformed datagrams are to be expected; the master lists servers as before",
        citation: "003 Appendix B",
        needs: &[&LISTED],
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::truncations(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/longest-datagrams",
        title: "a client sends datagrams of 65,507 bytes, some of which begin as messages do",
        requires: "malformed datagrams are to be expected; the master lists servers as before",
        citation: "003 Appendix B",
        needs: &[&LISTED],
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::longest(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/long-key",
        title: "a server answers with a key and a value of 1000 characters",
        requires: "malformed datagrams are to be expected; the master lists servers as before",
        citation: "003 Appendix B",
        needs: &[&LISTED],
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(1000);
            ctx.setup(|| EliteForceServer::new(ctx)?.with(&long, &long).register())?;
            ctx.sync(LISTS)?;
            is_listed(ctx)
        },
        ..MUST
    },
    Case {
        id: "elite-force/robust/random-datagrams",
        title: "a client sends random bytes, some behind the beginnings of messages",
        requires: "malformed datagrams are to be expected; the master lists servers as before",
        citation: "003 Appendix B",
        needs: &[&LISTED],
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::noise(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/many-heartbeats",
        title: "a listed server sends 2000 heartbeats, a hundred at once",
        requires: "floods are to be expected; the master lists other servers as before",
        citation: "003 Appendix B",
        needs: &[&LISTED],
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            let beat = voice::heartbeat(server.address().port(), voice::GAME);
            malformed::send(&server.end, LISTS, &vec![beat; malformed::FLOOD])?;
            client.wait_listed(&server, ALL)?;
            is_listed(ctx)
        },
        ..MUST
    },
];

/// A server registers and is listed.
fn is_listed(ctx: &TestContext<'_>) -> Done {
    let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
    server.register()?;
    client.wait_listed(&server, ALL).map(drop)
}

/// Sends these datagrams; afterwards a server registers and is listed.
fn bears(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::send(&ctx.client(LISTS)?, LISTS, datagrams)?;
    is_listed(ctx)
}

/// Datagrams that begin as these messages do.
fn beginnings() -> Vec<Vec<u8>> {
    let questions =
        [EliteForceQuestion::Info(b"1".to_vec()), EliteForceQuestion::Status(b"1".to_vec())];
    let mut all = questions.map(|question| voice::reply(&voice::persona(), &question)).to_vec();
    all.push(voice::heartbeat(27960, voice::GAME));
    all.push(voice::heartstop(27960));
    all.push(
        Quake3ListRequest { protocol: 24, words: ALL, ..Quake3ListRequest::default() }.plain(),
    );
    all
}
