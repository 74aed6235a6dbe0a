//! What a master has to bear: 003 Appendix B.

use super::super::malformed;
use super::LISTS;
use super::ends::Server;
use super::getservers::ALL;
use super::heartbeat::listed;
use crate::conform::{Case, Done, MUST, TestContext};
use crate::peer::voice::elite_force::{self as voice, Question};
use crate::peer::voice::quake3::List;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/robust/stumps",
        title: "somebody sends nothing, bare marks, and every beginning of every message",
        requires: "hackers are to be expected, and the master goes on",
        citation: "003 Appendix B",
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::truncations(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/longest-datagrams",
        title: "somebody sends datagrams of 65,507 bytes, some of them as heartbeats",
        requires: "hackers are to be expected, and the master goes on",
        citation: "003 Appendix B",
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::longest(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/long-key",
        title: "a server answers with a key and a value of 1000 characters",
        requires: "hackers are to be expected, and the master goes on",
        citation: "003 Appendix B",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(1000);
            Server::new(ctx)?.with(&long, &long).register()?;
            ctx.sync(LISTS)?;
            listed(ctx).map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/robust/random-datagrams",
        title: "somebody sends random bytes, some of them behind documented beginnings",
        requires: "hackers are to be expected, and the master goes on",
        citation: "003 Appendix B",
        exclusive: true,
        harsh: true,
        run: |ctx| bears(ctx, &malformed::noise(&beginnings())),
        ..MUST
    },
    Case {
        id: "elite-force/robust/many-heartbeats",
        title: "a listed server sends 2000 heartbeats, a hundred at once",
        requires: "floods are to be expected, and the master goes on to hear others",
        citation: "003 Appendix B",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            let beat = voice::heartbeat(server.address().port(), voice::GAME);
            malformed::send(&server.end, LISTS, &vec![beat; malformed::FLOOD])?;
            client.wait_listed(&server, ALL)?;
            listed(ctx).map(drop)
        },
        ..MUST
    },
];

/// The master bears these datagrams: afterwards a server registers as ever.
fn bears(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::send(&ctx.client(LISTS)?, LISTS, datagrams)?;
    listed(ctx).map(drop)
}

/// Datagrams that begin as these messages do.
fn beginnings() -> Vec<Vec<u8>> {
    let questions = [Question::Info(b"1".to_vec()), Question::Status(b"1".to_vec())];
    let mut all = questions.map(|question| voice::reply(&voice::persona(), &question)).to_vec();
    all.push(voice::heartbeat(27960, voice::GAME));
    all.push(voice::heartstop(27960));
    all.push(List { protocol: 24, words: ALL, ..List::default() }.plain());
    all
}
