//! Other services of id's masters: messages of the day (001 1.1.4, 8.6, 11.3), players' keys (001
//! 1.1.3, 1.2.11, 8.3), updates (001 11.1); and messages between Q3Master's masters (000 register).

use std::net::SocketAddr;

use super::ends::{Quake3Client, Quake3Server, all};
use super::preconditions::{ASKED, AUTHORIZE_ANSWERED, LISTED, MOTD_ANSWERED, UPDATE_ANSWERED};
use super::{AUTHORIZE, LISTS, MOTD, UPDATE};
use crate::codec::Scratch;
use crate::conform::{
    Case, Done, Failure, INFO, MUST, ReceivedDatagram, SHOULD, TestContext, TestEndpoint,
};
use crate::families::quake3::messages as voice;
use crate::master::Authorize;
use crate::protocols::quake3::Quake3;
use crate::render;

/// A key of Quake III's form that belongs to no player.
const KEY: &str = "fragsharkfragsha";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getKeyAuthorize/no-answer",
        title: "a client shows a key",
        requires: "the authorize server does not reply",
        citation: "001 1.1.3",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            let client = ctx.client(AUTHORIZE)?;
            client.send_bytes(&voice::get_key_authorize(KEY))?;
            client.expect_none("no answer", |_| Some(()))
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getmotd/challenge",
        title: "a client asks for the message of the day",
        requires: "the answer holds the challenge of the request",
        citation: "001 1.1.4, 001 1.1.5",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "Q3 1.32b linux-i386 Nov 14 2002"),
        ..MUST
    },
    Case {
        id: "rtcw/getmotd/challenge",
        title: "a client of Return to Castle Wolfenstein asks for the message of the day",
        requires: "the answer holds the challenge and the message",
        citation: "001 8.6, 001 8.7",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "Wolf 1.1-MP linux-i386 Dec 25 2001"),
        ..MUST
    },
    Case {
        id: "enemy-territory/getmotd/challenge",
        title: "a client of Enemy Territory asks for the message of the day",
        requires: "the answer holds the challenge of the request",
        citation: "001 11.3, 001 11.4",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| motd(ctx, "ET 2.55 linux-i386 May 27 2003"),
        ..MUST
    },
    Case {
        id: "quake3/getIpAuthorize/shown",
        title: "a server asks about a client that has shown a key",
        requires: "a client's address is authorized by a getKeyAuthorize with a valid key; the \
                   answer holds the challenge",
        citation: "001 1.2.11, 001 1.2.12",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| {
            if ctx.assumed().settings().authorize != Authorize::Shown {
                return Err(Failure::skipped("the target is assumed not to look at keys"));
            }
            let (client, server) = (ctx.client(AUTHORIZE)?, ctx.server(AUTHORIZE)?);
            client.send_bytes(&voice::get_key_authorize(KEY))?;
            let (verdict, heard) = verdict(&server, &client, "baseq3")?;
            if verdict == b"accept" {
                return Ok(());
            }
            let failure = Failure::new("accept", render::quoted(&verdict, usize::MAX));
            Err(failure.field(&heard, "verdict"))
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getIpAuthorize/not-shown",
        title: "a server asks about a client that has shown no key",
        requires: "a client that has not shown a valid key is not authorized",
        citation: "001 1.2.11, 001 8.4",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| not_shown(ctx, "baseq3"),
        ..MUST
    },
    Case {
        id: "rtcw/getIpAuthorize/not-shown",
        title: "a server of Return to Castle Wolfenstein asks about a client without a key",
        requires: "the answer is deny, with the reason INVALID_CDKEY",
        citation: "001 8.3, 001 8.4",
        needs: &[&AUTHORIZE_ANSWERED],
        run: |ctx| not_shown(ctx, ""),
        ..MUST
    },
    Case {
        id: "enemy-territory/getUpdateInfo/answer",
        title: "a client of Enemy Territory asks whether it is up to date",
        requires: "a getUpdateInfo is answered by an updateResponse with a number",
        citation: "001 11.1, 001 11.2",
        needs: &[&UPDATE_ANSWERED],
        run: |ctx| {
            let client = ctx.client(UPDATE)?;
            client.send_bytes(&voice::get_update_info("ET 2.55", "linux-i386"))?;
            client
                .expect("an updateResponse of 0, or of 1 and files", |heard| {
                    let found = voice::read(&heard.bytes, &mut Scratch::default(), |m| match m {
                        Quake3::UpdateResponse(answer) => Some(answer.available.get()),
                        _ => None,
                    });
                    found.flatten().filter(|available| matches!(available, 0 | 1))
                })
                .map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/register/refused",
        title: "somebody registers a server in its name",
        requires: "id's masters take no register",
        citation: "000 register",
        needs: &[&ASKED],
        run: |ctx| {
            if ctx.assumed().settings().allow_register {
                return Err(Failure::skipped("the target is assumed to take register"));
            }
            let (server, other) = (Quake3Server::quake3(ctx)?, ctx.server(LISTS)?);
            other.send_bytes(&register(server.address())?)?;
            server
                .end
                .expect_none("no getinfo to the server", |heard| voice::challenge(&heard.bytes))
        },
        ..MUST
    },
    Case {
        id: "q3master/register/no-response",
        title: "a master registers a server at another",
        requires: "the master that is told sends no response",
        citation: "000 register",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, other) = (Quake3Server::quake3(ctx)?, ctx.server(LISTS)?);
            other.send_bytes(&register(server.address())?)?;
            other.expect_none("no response to a register", |_| Some(()))
        },
        ..MUST
    },
    Case {
        id: "q3master/register/listed",
        title: "a master registers a server at another, and the server answers what it is asked",
        requires: "a server can be registered at a master that it does not reach itself",
        citation: "000 register",
        needs: &[&LISTED],
        run: |ctx| {
            if !ctx.assumed().settings().allow_register {
                let why = "the target is not assumed to take it; --assume allow-register=on";
                return Err(Failure::skipped(why));
            }
            let (server, other) = (Quake3Server::quake3(ctx)?, ctx.server(LISTS)?);
            let client = Quake3Client::new(ctx)?;
            other.send_bytes(&register(server.address())?)?;
            let asked = server.recv_challenge()?;
            server.answer(&asked)?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getstatus/silent",
        title: "a client asks the master what servers are asked",
        requires: "getinfo and getstatus are for servers",
        citation: "001 1.2.1, 001 1.2.3",
        run: |ctx| {
            let client = ctx.client(LISTS)?;
            let asked = [&b"\xff\xff\xff\xffgetinfo\n"[..], b"\xff\xff\xff\xffgetstatus\n"];
            for question in asked {
                let count = client.request_all(question)?.len();
                let name = dump_name(question);
                ctx.note(match count {
                    0 => format!("{name} is not answered"),
                    count => format!("{name} is answered with {count} packets"),
                });
            }
            Ok(())
        },
        ..INFO
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
    client.send_bytes(&voice::getmotd(&challenge, version))?;
    let (found, text, heard) = client.expect("a motd", |heard| {
        let found = voice::read(&heard.bytes, &mut Scratch::default(), |message| match message {
            Quake3::Motd(motd) => {
                let value = |key: &[u8]| motd.info.get(key).map(<[u8]>::to_vec);
                Some((value(b"challenge"), value(b"motd")))
            }
            _ => None,
        });
        let (challenge, text) = found.flatten()?;
        Some((challenge, text, heard.clone()))
    })?;
    if found.as_deref() != Some(challenge.as_bytes()) {
        let came = found.unwrap_or_default();
        let came = render::quoted(&came, usize::MAX);
        let failure = Failure::new(format!("the challenge {challenge}"), came);
        return Err(failure.field(&heard, "challenge"));
    }
    match text {
        Some(_) => Ok(()),
        None => Err(Failure::new("the key motd", "none").at(&heard)),
    }
}

/// The verdict on a client that a server gets, and its datagram.
fn verdict(
    server: &TestEndpoint<'_>,
    client: &TestEndpoint<'_>,
    game: &str,
) -> Result<(Vec<u8>, ReceivedDatagram), Failure> {
    let challenge = -i64::from(server.address().port());
    server.send_bytes(&voice::get_ip_authorize(challenge, client.address().ip(), game))?;
    server.expect(&format!("an ipAuthorize with the challenge {challenge}"), |heard| {
        let found = voice::read(&heard.bytes, &mut Scratch::default(), |message| match message {
            Quake3::IpAuthorize(answer) if answer.challenge.get() == challenge => {
                Some(answer.verdict.to_vec())
            }
            _ => None,
        });
        Some((found.flatten()?, heard.clone()))
    })
}

fn not_shown(ctx: &TestContext<'_>, game: &str) -> Done {
    if ctx.assumed().settings().authorize == Authorize::All {
        return Err(Failure::skipped("the target is assumed to let everybody in"));
    }
    let (client, server) = (ctx.client(AUTHORIZE)?, ctx.server(AUTHORIZE)?);
    let (verdict, heard) = verdict(&server, &client, game)?;
    if verdict == b"accept" {
        return Err(Failure::new("a verdict that is not accept", "accept").field(&heard, "verdict"));
    }
    Ok(())
}

/// A register of this server.
fn register(server: SocketAddr) -> Result<Vec<u8>, Failure> {
    let bytes = voice::register(server);
    bytes.ok_or_else(|| Failure::skipped("a register has room for an IPv4 address alone"))
}
