//! Other services of id's masters: messages of the day (001 1.1.4, 8.6, 11.3), players' keys (001
//! 1.1.3, 1.2.11, 8.3), updates (001 11.1); and messages between Q3Master's masters (000 register).

use std::net::SocketAddr;

use super::preconditions::{
    AUTHORIZE_ANSWERED, CHALLENGED_CASE, LISTED_CASE, MOTD_ANSWERED, UPDATE_ANSWERED,
};
use super::roles::{Quake3Client, Quake3Server, all};
use super::{AUTHORIZE, LISTS, MOTD, UPDATE};
use crate::{CASE, Case, Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use protocols::quake3::Quake3;
use simulate::Authorize;
use simulate::families::quake3::messages;

/// A key of Quake III's form that belongs to no player.
const KEY: &str = "fragsharkfragsha";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getKeyAuthorize/no-answer",
        title: "a client shows a key",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            let client = ctx.client(AUTHORIZE)?;
            client.send_bytes(&messages::get_key_authorize(KEY))?;
            client.expect_none("no answer", |_| Some(()))
        },
        ..CASE
    },
    Case {
        id: "quake3/getmotd/challenge",
        title: "a client asks for the message of the day",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "Q3 1.32b linux-i386 Nov 14 2002"),
        ..CASE
    },
    Case {
        id: "rtcw/getmotd/challenge",
        title: "a client of Return to Castle Wolfenstein asks for the message of the day",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "Wolf 1.1-MP linux-i386 Dec 25 2001"),
        ..CASE
    },
    Case {
        id: "enemy-territory/getmotd/challenge",
        title: "a client of Enemy Territory asks for the message of the day",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "ET 2.55 linux-i386 May 27 2003"),
        ..CASE
    },
    Case {
        id: "quake3/getIpAuthorize/shown",
        title: "a server asks about two clients that have shown a key",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            if ctx.assumed().settings().authorize != Authorize::Shown {
                return Err(Failure::skipped("the target is assumed not to look at keys"));
            }
            let server = ctx.server(AUTHORIZE)?;
            let clients = [ctx.client(AUTHORIZE)?, ctx.client(AUTHORIZE)?];
            clients.iter().try_for_each(|one| one.send_bytes(&messages::get_key_authorize(KEY)))?;
            for client in &clients {
                let ([verdict, _], datagram) = verdict(&server, client, "baseq3")?;
                if verdict != b"accept" {
                    let failure = Failure::new("accept", render::quoted(&verdict, usize::MAX));
                    return Err(failure.field(&datagram, "verdict"));
                }
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "quake3/getIpAuthorize/not-shown",
        title: "a server asks about a client that has shown no key",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            not_shown(ctx, "baseq3", "a verdict that is not accept", |verdict, _| {
                verdict != b"accept"
            })
        },
        ..CASE
    },
    Case {
        id: "quake3/getIpAuthorize/no-key",
        title: "a server asks about clients that have shown texts that are no key: too short, too \
                long, and with signs",
        requires: "quake3/getIpAuthorize/not-shown",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            for text in ["fragshark", "fragsharkfragsharkfragshark", "frag-shark-fra-g"] {
                if ctx.assumed().settings().authorize == Authorize::All || !ctx.is_wide() {
                    let why = "clients of one address are one client, or all are let in";
                    return Err(Failure::skipped(why));
                }
                let (client, server) = (ctx.client(AUTHORIZE)?, ctx.server(AUTHORIZE)?);
                client.send_bytes(&messages::get_key_authorize(text))?;
                let ([verdict, _], datagram) = verdict(&server, &client, "baseq3")?;
                if verdict == b"accept" {
                    let failure = Failure::new("a verdict that is not accept", "accept");
                    return Err(failure.field(&datagram, "verdict"));
                }
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "quake3/getIpAuthorize/port",
        title: "a server asks about a client on the port for lists",
        run: |ctx| {
            let (client, server) = (ctx.client(LISTS)?, ctx.server(LISTS)?);
            let is_answered = verdict(&server, &client, "baseq3").is_ok();
            ctx.report(if is_answered { "it is answered" } else { "it is not answered" })
        },
        ..CASE
    },
    Case {
        id: "rtcw/getIpAuthorize/not-shown",
        title: "a server of Return to Castle Wolfenstein asks about a client without a key",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            not_shown(ctx, "", "deny and INVALID_CDKEY", |verdict, reason| {
                (verdict, reason) == (&b"deny"[..], &b"INVALID_CDKEY"[..])
            })
        },
        ..CASE
    },
    Case {
        id: "enemy-territory/getUpdateInfo/answer",
        title: "a client of Enemy Territory asks whether it is up to date",
        needs: &[&UPDATE_ANSWERED],
        run: |ctx| {
            let client = ctx.client(UPDATE)?;
            client.send_bytes(&messages::get_update_info("ET 2.55", "linux-i386"))?;
            client
                .expect("an updateResponse of 0, or of 1 and files", |datagram| {
                    let found = messages::with_message(&datagram.bytes, |m| match m {
                        Quake3::UpdateResponse(answer) => {
                            Some((answer.available.get(), answer.files.is_empty()))
                        }
                        _ => None,
                    });
                    found.filter(|found| matches!(found, (0, true) | (1, false)))
                })
                .map(drop)
        },
        ..CASE
    },
    Case {
        id: "quake3/register/refused",
        title: "somebody registers a server in its name",
        run: |ctx| {
            if ctx.assumed().settings().allow_register {
                return Err(Failure::skipped("the target is assumed to take register"));
            }
            let (server, other) = (Quake3Server::new(ctx)?, ctx.server(LISTS)?);
            other.send_bytes(&register(server.address())?)?;
            server.end.expect_none("no getinfo to the server", |datagram| {
                messages::challenge(&datagram.bytes)
            })
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "q3master/register/no-response",
        title: "a master registers a server at another",
        run: |ctx| {
            let (server, other) = (Quake3Server::new(ctx)?, ctx.server(LISTS)?);
            other.send_bytes(&register(server.address())?)?;
            other.expect_none("no response to a register", |_| Some(()))
        },
        ..LISTED_CASE
    },
    Case {
        id: "q3master/register/listed",
        title: "a master registers a server at another, and the server answers what it is asked",
        run: |ctx| {
            if !ctx.assumed().settings().allow_register {
                let why = "the target is not assumed to take it; --assume allow-register=on";
                return Err(Failure::skipped(why));
            }
            let (server, other) = (Quake3Server::new(ctx)?, ctx.server(LISTS)?);
            let client = Quake3Client::new(ctx)?;
            other.send_bytes(&register(server.address())?)?;
            let request = server.recv_challenge()?;
            server.answer_request(&request)?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getstatus/silent",
        title: "a client asks the master what servers are asked",
        run: |ctx| {
            let client = ctx.client(LISTS)?;
            let request = [&b"\xff\xff\xff\xffgetinfo\n"[..], b"\xff\xff\xff\xffgetstatus\n"];
            for question in request {
                let count = client.request_all(question)?.len();
                let name = dump_name(question);
                ctx.note(match count {
                    0 => format!("{name} is not answered"),
                    count => format!("{name} is answered with {count} packets"),
                });
            }
            Ok(())
        },
        ..CASE
    },
];

/// The word of a request.
fn dump_name(question: &[u8]) -> String {
    render::quoted(question.get(4..question.len() - 1).unwrap_or_default(), usize::MAX)
}

/// The response to a getmotd has its challenge.
fn motd(ctx: &TestContext<'_>, version: &str) -> Done {
    let client = ctx.client(MOTD)?;
    let challenge = client.address().port().to_string();
    client.send_bytes(&messages::getmotd(&challenge, version))?;
    let (found, text, datagram) = client.expect("a motd", |datagram| {
        let found = messages::with_message(&datagram.bytes, |message| match message {
            Quake3::Motd(motd) => {
                let value = |key: &[u8]| motd.info.get(key).map(<[u8]>::to_vec);
                Some((value(b"challenge"), value(b"motd")))
            }
            _ => None,
        });
        let (challenge, text) = found?;
        Some((challenge, text, datagram.clone()))
    })?;
    if found.as_deref() != Some(challenge.as_bytes()) {
        let came = found.unwrap_or_default();
        let came = render::quoted(&came, usize::MAX);
        let failure = Failure::new(format!("the challenge {challenge}"), came);
        return Err(failure.field(&datagram, "challenge"));
    }
    match text {
        Some(_) => Ok(()),
        None => Err(Failure::new("the key motd", "none").at(&datagram)),
    }
}

/// The verdict on a client that a server gets, its reason, and its datagram.
fn verdict(
    server: &TestEndpoint<'_>,
    client: &TestEndpoint<'_>,
    game: &str,
) -> Result<([Vec<u8>; 2], ReceivedDatagram), Failure> {
    let challenge = -i64::from(server.address().port());
    server.send_bytes(&messages::get_ip_authorize(challenge, client.address().ip(), game))?;
    server.expect(&format!("an ipAuthorize with the challenge {challenge}"), |datagram| {
        let found = messages::with_message(&datagram.bytes, |message| match message {
            Quake3::IpAuthorize(answer) if answer.challenge.get() == challenge => {
                Some([answer.verdict, answer.reason].map(<[u8]>::to_vec))
            }
            _ => None,
        });
        Some((found?, datagram.clone()))
    })
}

/// A client that has shown no key gets a verdict with a reason that `is_right` takes.
fn not_shown(
    ctx: &TestContext<'_>,
    game: &str,
    expected: &str,
    is_right: impl Fn(&[u8], &[u8]) -> bool,
) -> Done {
    if ctx.assumed().settings().authorize == Authorize::All {
        return Err(Failure::skipped("the target is assumed to let everybody in"));
    }
    let (client, server) = (ctx.client(AUTHORIZE)?, ctx.server(AUTHORIZE)?);
    let ([verdict, reason], datagram) = verdict(&server, &client, game)?;
    if is_right(&verdict, &reason) {
        return Ok(());
    }
    let came = [verdict, reason].map(|text| render::quoted(&text, 64)).join(" ");
    Err(Failure::new(expected, came).field(&datagram, "verdict"))
}

/// A register of this server.
fn register(server: SocketAddr) -> Result<Vec<u8>, Failure> {
    let bytes = messages::register(server);
    bytes.ok_or_else(|| Failure::skipped("a register holds only an IPv4 address"))
}
