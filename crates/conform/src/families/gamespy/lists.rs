//! Lists over TCP: 001 5.6.

use std::time::Duration;

use super::preconditions::{LIST_ANSWERED, LIST_READ, LISTED_CASE, OTHER_LISTED, QUERIED};
use super::roles::{GamespyClient, GamespyServer, list};
use crate::shared::boundaries::boundary_cases;
use crate::{CASE, Case, Done, Failure, TestContext};
use protocols::gamespy::AnswerForm;
use simulate::families::gamespy::messages::{self, ListReply};

/// How long a server sends nothing but must still be listed, and the minimum timeout of servers for
/// that test.
const SILENT: Duration = Duration::from_millis(6500);
const LONG: Duration = Duration::from_secs(10);
/// Lists that are compared.
const MANY: usize = 4;
/// Servers that must be in each of them.
const SERVERS: usize = 3;

/// Both sides of what separates servers in lists.
pub(super) static BOUNDARIES: &[Case] =
    boundary_cases!("gamespy/list/"; "text", "no-doubles"; GamespyServer<'_>, LISTED_CASE);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/list/text",
        title: "a client asks for a list with a server in it",
        needs: &[&QUERIED, &LIST_ANSWERED],
        run: text,
        ..CASE
    },
    Case {
        id: "gamespy/list/empty",
        title: "a client asks for the servers of a game that has none",
        needs: &[&LIST_READ],
        run: |ctx| {
            let listed = list(ctx, &ctx.game())?;
            match listed.servers.len() {
                0 => Ok(()),
                count => Err(Failure::new("an empty list", format!("{count} servers"))),
            }
        },
        ..CASE
    },
    Case {
        id: "gamespy/list/other-game",
        title: "a client asks for the servers of one game while one of another is listed",
        needs: &[&OTHER_LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let other = GamespyServer::of_game(ctx, messages::TEST)?;
            ctx.setup(|| other.register_listed())?;
            list(ctx, &server.game)?.expect_unlisted(&other)?;
            list(ctx, &other.game)?.expect_unlisted(&server)
        },
        ..CASE
    },
    Case {
        id: "gamespy/list/case-of-game",
        title: "a client asks for a game's name in capitals",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            list(ctx, &server.game.to_ascii_uppercase())?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/no-doubles",
        title: "a server registers twice and a client asks for the list",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            for query in server.end.request_all(&server.heartbeat(""))? {
                server.answer_bytes(&query.bytes)?;
            }
            ctx.sync(super::SERVERS)?;
            match list(ctx, &server.game)?.count(server.address()) {
                0 | 1 => Ok(()),
                count => {
                    let what = format!("{} once", server.address());
                    Err(Failure::new(what, format!("{count} times")))
                }
            }
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/compressed",
        title: "a client asks for the list with cmp",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            compressed(ctx, &server.game)?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/whole-records",
        title: "a client asks for the list with cmp, and two servers are in it",
        run: |ctx| {
            let servers = [GamespyServer::listed(ctx)?, GamespyServer::listed(ctx)?];
            let listed = compressed(ctx, messages::UNREAL)?;
            servers.iter().try_for_each(|server| listed.expect_listed(server))
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/each-time",
        title: "three servers are listed, and clients ask for the list four times",
        exclusive: true,
        run: |ctx| {
            let servers = (0..SERVERS).map(|_| GamespyServer::listed(ctx));
            let servers = servers.collect::<Result<Vec<_>, _>>()?;
            (0..MANY).try_for_each(|_| {
                let listed = list(ctx, messages::UNREAL)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/stays",
        title: "a client asks for the list six and a half seconds after a server's last answer",
        waits: 7,
        run: |ctx| {
            if ctx.time("gamespy-timeout")? < LONG {
                let why = "the target is assumed to forget servers soon (gamespy-timeout)";
                return Err(Failure::skipped(why));
            }
            let server = GamespyServer::listed(ctx)?;
            ctx.wait(SILENT);
            list(ctx, &server.game)?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/encrypted",
        title: "clients ask with enctype 2 for the list, as text and with cmp, one of them with the \
                proof in its other form",
        run: encrypted,
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/list/end",
        title: "a client waits behind the list",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = GamespyClient::new(ctx)?;
            client.request_list("", messages::UNREAL)?;
            client.recv_list()?;
            let closed = client.stream.rest("the end of the connection").is_ok();
            ctx.report(if closed { "the master closes it" } else { "it stays open" })
        },
        ..CASE
    },
];

/// A server registers, and a readable list has it; other cases test whether it is listed at all.
fn text(ctx: &TestContext<'_>) -> Done {
    let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
    ctx.setup(|| server.answer(&query))?;
    list(ctx, &server.game)?;
    let found = server.wait_listed();
    let swapped = list(ctx, &server.game)?.count(server.swapped()) > 0;
    if swapped { found } else { found.map_err(Failure::in_setup) }
}

/// Reports how lists come that are to be encrypted.
fn encrypted(ctx: &TestContext<'_>) -> Done {
    let server = GamespyServer::listed(ctx)?;
    for (form, proof, name) in [
        ("", AnswerForm::Plain, "as text"),
        ("cmp", AnswerForm::Plain, "with cmp"),
        ("", AnswerForm::Keyed, "as text, with the other proof"),
    ] {
        let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
        let proof = messages::encrypted_validate(messages::UNREAL, &client.challenge, proof);
        client.stream.send_bytes(&proof)?;
        // A master may have closed the connection.
        _ = client.stream.send_bytes(&messages::list_request(form, messages::UNREAL));
        let listed = client.stream.expect("a list", |bytes| {
            let is_plain = bytes.ends_with(messages::FINAL);
            messages::listed(bytes).map(|reply| (bytes.len(), (is_plain, reply)))
        });
        let came = match listed {
            Ok((true, ListReply::Servers(_))) => "a list that is not encrypted",
            Ok((false, ListReply::Servers(servers))) if servers.contains(&server.address()) => {
                "an encrypted list with the server"
            }
            Ok((false, ListReply::Servers(_))) => "an encrypted list without the server",
            Ok((_, ListReply::Refusal)) => "an error",
            Err(_) if client.stream.is_over() => "the connection is closed",
            Err(_) => "nothing that can be read",
        };
        ctx.note(format!("{name}: {came}"));
    }
    Ok(())
}

/// A game's list with six bytes per server.
pub fn compressed(ctx: &TestContext<'_>, game: &str) -> Result<super::roles::GamespyList, Failure> {
    let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
    client.request_list("cmp", game)?;
    client.recv_compressed_list()
}
