//! Floods, and datagrams that no game sends. No document says how to handle them; 004 BEHAVIOUR has
//! the aim, a master that is free from abuse.

use super::LISTS;
use super::ends::{Quake3Client, Quake3Server, all};
use super::preconditions::LISTED;
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::families::quake3::messages as voice;
use crate::random::SeededRandom;

const HARSH: Case = Case { needs: &[&LISTED], exclusive: true, harsh: true, ..MUST };
/// Heartbeats of one server.
const FLOOD: usize = 3000;
/// The maximum bytes of UDP over IPv4.
const LONGEST: usize = 65_507;
/// The seed of the random bytes.
const SEED: u64 = 0x5eed_f1a9;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/robust/empty-datagram",
        title: "a client sends datagrams without a byte, and with the mark alone",
        requires: "a master goes on whatever it is sent",
        citation: "004 BEHAVIOUR",
        run: |ctx| bears(ctx, &[vec![], vec![0xff], vec![0xff; 4], vec![0xff; 5]]),
        ..HARSH
    },
    Case {
        id: "quake3/robust/longest-datagram",
        title: "a client sends datagrams of 65507 bytes, of known and of no words",
        requires: "a master goes on whatever it is sent",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let words = ["heartbeat ", "infoResponse\n\\", "getservers 68 ", "getservers ", ""];
            let long = |word: &&str| {
                let mut bytes = [b"\xff\xff\xff\xff", word.as_bytes()].concat();
                bytes.resize(LONGEST, b'x');
                bytes
            };
            bears(ctx, &words.iter().map(long).collect::<Vec<_>>())
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/random-datagrams",
        title: "a client sends datagrams of random bytes, with and without a known word in front",
        requires: "a master goes on whatever it is sent",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let mut random = SeededRandom::new(SEED);
            let words =
                ["", "heartbeat", "infoResponse\n", "getservers", "getserversExt", "getmotd"];
            let mut all = Vec::new();
            for n in 0..300 {
                let word = words.get(n % words.len()).copied().unwrap_or_default();
                let length = random.below(1400);
                let mut bytes = [b"\xff\xff\xff\xff", word.as_bytes()].concat();
                bytes.extend((0..length).map(|_| random.byte()));
                all.push(bytes);
            }
            bears(ctx, &all)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/long-value",
        title: "a server answers with a value of 1500 characters",
        requires: "a master goes on whatever it is sent",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let server = Quake3Server::quake3(ctx)?.with("hostname", &"v".repeat(1500));
            server.register()?;
            Quake3Client::new(ctx)?.asks(all(ctx)).map(drop)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/many-heartbeats",
        title: "a server sends thousands of heartbeats, and others ask for lists meanwhile",
        requires: "a master is free from abuse, and answers the others",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let (server, other) = (Quake3Server::quake3(ctx)?, Quake3Server::quake3(ctx)?);
            let client = Quake3Client::new(ctx)?;
            for n in 0..FLOOD {
                server.send_heartbeat()?;
                if n % 100 == 99 {
                    // Nothing is sent faster than the target reads.
                    ctx.sync(LISTS)?;
                    server.end.drain()?;
                }
            }
            other.register()?;
            client.wait_listed(&other, all(ctx)).map(drop)
        },
        ..HARSH
    },
    Case {
        id: "quake3/robust/flood",
        title: "one address asks for lists faster than any client would",
        requires: "a master answers nobody without bounds, for answers can be sent to others",
        citation: "004 BEHAVIOUR",
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
            let request = voice::Quake3ListRequest {
                protocol: 7_654_321,
                ..voice::Quake3ListRequest::default()
            }
            .plain();
            let asked = (settings.flood_burst as usize + settings.flood as usize) * 2;
            let mut answered = 0;
            for _ in 0..asked.div_ceil(16) {
                (0..16).try_for_each(|_| client.send_bytes(&request))?;
                ctx.sync(LISTS)?;
                answered += client.drain()?.len();
            }
            if answered >= asked {
                let what = format!("fewer answers than the {asked} requests");
                return Err(Failure::new(what, format!("{answered} answers")));
            }
            // A client that does not flood gets its response all the same.
            Quake3Client::new(ctx)?.asks(all(ctx)).map(drop)
        },
        level: SHOULD.level,
        ..HARSH
    },
    Case {
        id: "quake3/robust/long-key",
        title: "a server answers with a key of 900 characters",
        requires: "a master goes on whatever it is sent",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let server = Quake3Server::quake3(ctx)?.with(&"k".repeat(900), "1");
            server.register()?;
            Quake3Client::new(ctx)?.asks(all(ctx)).map(drop)
        },
        ..HARSH
    },
];

/// The master answers after all these datagrams.
fn bears(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    let (client, server) = (Quake3Client::new(ctx)?, Quake3Server::quake3(ctx)?);
    for datagram in datagrams {
        client.0.send_bytes(datagram)?;
    }
    server.register()?;
    Quake3Client::new(ctx)?.wait_listed(&server, all(ctx)).map(drop)
}
