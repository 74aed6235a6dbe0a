//! Lists over TCP: 008 sb_serverlist.c.

use super::preconditions::{LIST_ANSWERED, LIST_READ, LISTED_CASE};
use super::roles::{
    AnswerKind, BrowseClient, Qr2Role, Qr2Server, browse, request, request_with, server_of,
};
use crate::shared::boundaries::boundary_cases;
use crate::shared::lists;
use crate::{CASE, Case, Done, Failure, TestContext};
use protocols::gamespy_list::BrowseRequest;
use simulate::families::qr2::messages;

/// Servers that are in each of several lists.
const FEW: usize = 3;
/// The option that limits how many servers are listed.
const LIMITED: u32 = 128;
/// The option for a list without servers, and the bytes of such a list: an address and a port.
const HEAD_ALONE: u32 = 2;
const HEAD: usize = 6;
/// Lists of other clients that show that the target has read what was sent before: the first may come
/// in the same iteration as bytes that were ready.
const PAUSE: usize = 2;

/// Both sides of what separates servers in lists.
pub(super) static BOUNDARIES: &[Case] =
    boundary_cases!("qr2/list/"; "byte-order", "no-doubles"; Qr2Server<'_>, LISTED_CASE);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "qr2/list/end",
        title: "a client asks for a list and reads it to its end",
        needs: &[&LIST_ANSWERED],
        run: |ctx| {
            let mut client = BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?;
            client.recv_list().map(drop)
        },
        ..CASE
    },
    Case {
        id: "qr2/list/no-fields",
        title: "a client asks for a list without fields",
        requires: "qr2/list/end",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = BrowseClient::new(ctx, request(messages::TEST, "", ""))?;
            client.recv_list().map(drop)
        },
        ..CASE
    },
    Case {
        id: "qr2/list/own-address",
        title: "a client asks for a list and reads its own address in it",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?;
            let list = ctx.setup(|| client.recv_list())?;
            let own = client.stream.address().ip();
            let now = std::net::IpAddr::from(list.own_address);
            if now == own || own.is_ipv6() {
                return Ok(());
            }
            Err(Failure::new(own.to_string(), now.to_string()).at(&list.packet))
        },
        ..CASE
    },
    Case {
        id: "qr2/list/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        needs: &[&super::preconditions::CHALLENGED, &LIST_READ],
        run: lists::byte_order::<Qr2Role>,
        ..CASE
    },
    Case {
        id: "qr2/list/fields",
        title: "a client asks for hostname and mapname of all servers",
        run: fields,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/other-game",
        title: "servers of gmtest and halor register; clients ask for both lists",
        run: other_game,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/nat-negotiation",
        title: "servers say that they are reached by NAT negotiation, and that they are not; a client \
                asks for the list",
        run: nat_negotiation,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/head-alone",
        title: "a client asks for the beginning of a list alone, without servers",
        needs: &[&LIST_READ],
        run: |ctx| {
            let alone = BrowseRequest { options: HEAD_ALONE, ..BrowseRequest::default() };
            let mut client = BrowseClient::new(ctx, request_with(messages::TEST, alone))?;
            let own = client.stream.address().ip();
            let plain = client.recv_plain(HEAD)?;
            let (address, port) = plain.split_at_checked(4).unwrap_or_default();
            let is_own =
                <[u8; 4]>::try_from(address).is_ok_and(|ip| own == std::net::IpAddr::from(ip));
            let address = if is_own { "the client's address" } else { "another address" };
            let port = u16::from_be_bytes(port.first_chunk().copied().unwrap_or_default());
            ctx.report(format!("{address} and the port {port}, {} bytes", plain.len()))
        },
        ..CASE
    },
    Case {
        id: "qr2/list/maximum",
        title: "three servers register; clients ask for one server, and for two",
        run: |ctx| {
            let servers = (0..FEW).map(|_| Ok(Qr2Server::listed(ctx)?.0));
            let _servers = servers.collect::<Result<Vec<_>, Failure>>()?;
            for most in [1, 2] {
                let limited = BrowseRequest { options: LIMITED, most, ..BrowseRequest::default() };
                let listed =
                    BrowseClient::new(ctx, request_with(messages::TEST, limited))?.recv_list()?;
                if listed.servers.len() != most as usize {
                    let came = format!("one of {}", listed.servers.len());
                    let what = format!("a list of as many servers as it asks for, {most}");
                    return Err(Failure::new(what, came).at(&listed.packet));
                }
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/no-doubles",
        title: "a server registers twice; a client asks for the list",
        run: lists::once_each::<Qr2Role>,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/steady",
        title: "three servers register; clients ask for the list six times",
        exclusive: true,
        run: |ctx| {
            let servers = (0..FEW).map(|_| Qr2Server::new(ctx)).collect::<Result<Vec<_>, _>>()?;
            ctx.setup(|| servers.iter().try_for_each(Qr2Server::register))?;
            let complete = || {
                let listed = browse(ctx, messages::TEST)?;
                let missing = servers.iter().find(|server| !listed.has(server.address()));
                match missing {
                    None => Ok(()),
                    Some(server) => {
                        let what = format!("a list that holds {}", server.address());
                        Err(Failure::new(what, "one without it").at(&listed.packet))
                    }
                }
            };
            ctx.setup(|| ctx.until(complete))?;
            (0..2 * FEW).try_for_each(|_| complete())
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/in-pieces",
        title: "a client sends its request byte by byte, with a pause in the middle",
        needs: &[&LIST_READ],
        run: |ctx| {
            let bytes = request(messages::TEST, "", r"\hostname");
            let mut client = BrowseClient::new(ctx, Vec::new())?;
            client.request.clone_from(&bytes);
            let (head, end) = bytes.split_at(bytes.len() / 2);
            client.stream.send_in_pieces(head)?;
            for _ in 0..PAUSE {
                ctx.setup(|| BrowseClient::new(ctx, bytes.clone())?.expect_answer())?;
            }
            client.stream.send_in_pieces(end)?;
            client.expect_answer()
        },
        ..CASE
    },
    Case {
        id: "qr2/list/second-request",
        title: "a client that has got a list asks for it again on the connection",
        needs: &[&LIST_READ],
        run: second_request,
        ..CASE
    },
    Case {
        id: "qr2/list/unknown-game",
        title: "a client asks for the servers of a game that nobody knows",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = BrowseClient::new(ctx, request(&ctx.game(), "", r"\hostname"))?;
            ctx.report(match client.recv_beginning() {
                Ok(AnswerKind::List) => "a list",
                Ok(AnswerKind::Refusal) => "a reason in place of a list",
                Ok(AnswerKind::Other) => "an answer that is not enciphered so",
                Err(_) if client.stream.is_over() => "the end of the connection",
                Err(_) => "nothing",
            })
        },
        ..CASE
    },
];

/// The keys and values of a server are those that were asked for.
fn fields(ctx: &TestContext<'_>) -> Done {
    let name = ctx.game();
    let server = Qr2Server::new(ctx)?.with("hostname", &name);
    ctx.setup(|| server.register())?;
    let fields = request(messages::TEST, "", r"\hostname\mapname");
    ctx.until(|| {
        let listed = BrowseClient::new(ctx, fields.clone())?.recv_list()?;
        if !listed.has(server.address()) {
            let what = format!("a list that holds {}", server.address());
            return Err(Failure::new(what, "one without it").in_setup());
        }
        let expected = [("hostname", name.as_bytes()), ("mapname", b"gulf")];
        let wrong =
            expected.iter().find(|(key, value)| listed.value(server.address(), key) != Some(value));
        let Some((key, value)) = wrong else { return Ok(()) };
        let came = listed.value(server.address(), key);
        let came = came.map_or_else(|| "none".to_owned(), |came| render::quoted(came, 64));
        let what = format!("{key} {}", render::quoted(value, 64));
        Err(Failure::new(what, came).at(&listed.packet))
    })
}

fn other_game(ctx: &TestContext<'_>) -> Done {
    let (server, client) = Qr2Server::listed(ctx)?;
    let other = server_of(ctx, messages::HALO)?;
    ctx.setup(|| {
        other.register()?;
        client.wait_listed(&other, other.list()).map(drop)
    })?;
    client.expect_unlisted(&other, server.list())?;
    client.expect_unlisted(&server, other.list())
}

/// Reports what a list says of how servers are reached.
fn nat_negotiation(ctx: &TestContext<'_>) -> Done {
    for (settings, when) in [
        (
            &[("natneg", "1"), ("localip0", "192.168.1.7"), ("localport", "2302")][..],
            "with natneg 1",
        ),
        (&[("natneg", "0")], "with natneg 0"),
    ] {
        let server = Qr2Server::new(ctx)?;
        let server = settings.iter().fold(server, |server, (key, value)| server.with(key, value));
        let (server, _) = server.with_client(ctx)?;
        let listed = ctx.setup(|| browse(ctx, messages::TEST))?;
        let reached = listed.reached.iter().find(|(address, _)| *address == server.address());
        ctx.note(match reached {
            Some((_, reached)) => format!("{when}: {reached}"),
            None => format!("{when}: not listed"),
        });
    }
    Ok(())
}

/// What comes for a second request on a connection.
fn second_request(ctx: &TestContext<'_>) -> Done {
    let mut client = BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?;
    ctx.setup(|| client.recv_list())?;
    let bytes = client.request.clone();
    if client.stream.send_bytes(&bytes).is_err() {
        return ctx.report("the connection is closed behind a list");
    }
    ctx.report(match client.recv_beginning() {
        Ok(AnswerKind::List | AnswerKind::Refusal) => "a list with a key of its own",
        Ok(AnswerKind::Other) => "more bytes without a key of their own",
        Err(_) if client.stream.is_over() => "the connection is closed behind a list",
        Err(_) => "nothing",
    })
}
