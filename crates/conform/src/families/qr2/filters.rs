//! Conditions of list requests: 008 sb_serverlist.c, 009 filter.cpp and CToken.cpp.

use super::preconditions::LISTED_CASE;
use super::roles::{BrowseClient, Qr2Server, browse, request};
use crate::{Case, Done, Failure, TestContext};
use simulate::families::qr2::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "qr2/list/filter",
        title: "a client asks for the servers with one of two hostnames",
        run: filter,
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/filter-numbers",
        title: "servers with 2, 9 and 10 players of 10 register; clients ask with each comparison",
        run: |ctx| {
            let players = |players| [("numplayers", players), ("maxplayers", "10")];
            let servers = [&players("2")[..], &players("9"), &players("10")];
            let conditions: &[_] = &[
                ("numplayers=9", [false, true, false]),
                ("numplayers==9", [false, true, false]),
                ("numplayers!=9", [true, false, true]),
                ("numplayers<>9", [true, false, true]),
                ("numplayers<10", [true, true, false]),
                ("numplayers<=9", [true, true, false]),
                ("numplayers>9", [false, false, true]),
                ("numplayers > 9", [false, false, true]),
                ("numplayers>=9", [false, true, true]),
                ("numplayers < maxplayers", [true, true, false]),
            ];
            filtered(ctx, servers, conditions)
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/filter-words",
        title: "servers of two game types register; clients ask with and, or, parentheses and not",
        run: |ctx| {
            let servers = [
                &[("gametype", "ctf"), ("numplayers", "1")][..],
                &[("gametype", "ctf"), ("numplayers", "5")],
                &[("gametype", "dm"), ("numplayers", "5")],
            ];
            let conditions: &[_] = &[
                ("gametype='ctf' and numplayers=5", [false, true, false]),
                ("gametype = \"ctf\" AND numplayers = 5", [false, true, false]),
                ("gametype='dm' or numplayers=1", [true, false, true]),
                ("numplayers=1 and gametype='dm' or gametype='ctf'", [true, true, false]),
                ("gametype='ctf' or gametype='dm' and numplayers=1", [true, true, false]),
                ("(gametype='ctf' or gametype='dm') and numplayers=1", [true, false, false]),
                ("numplayers=5 and (gametype='ctf')", [false, true, false]),
                ("not (gametype='ctf')", [false, false, true]),
                ("numplayers=5 and not (gametype='ctf')", [false, false, true]),
            ];
            filtered(ctx, servers, conditions)
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/list/filter-like",
        title: "servers with several hostnames register; clients ask for patterns",
        run: |ctx| {
            let servers = [
                &[("hostname", "The first arena")][..],
                &[("hostname", "The second arena")],
                &[("hostname", "Arena of the first")],
            ];
            let conditions: &[_] = &[
                ("hostname like 'The%'", [true, true, false]),
                ("hostname like '%first%'", [true, false, true]),
                ("hostname LIKE '%arena'", [true, true, false]),
                ("hostname like 'The%ar%na'", [true, true, false]),
                ("hostname like '%first%first%'", [false, false, false]),
                ("hostname like 'The first'", [false, false, false]),
            ];
            filtered(ctx, servers, conditions)
        },
        ..LISTED_CASE
    },
];

/// A server with the hostname in the filter is listed, and one with another is not.
fn filter(ctx: &TestContext<'_>) -> Done {
    let (one, another) = (ctx.game(), ctx.game());
    let server = |name: &str| {
        let server = Qr2Server::new(ctx)?.with("hostname", name);
        ctx.setup(|| server.register())?;
        Ok::<_, Failure>(server)
    };
    let (wanted, other) = (server(&one)?, server(&another)?);
    // Both are listed with their names.
    ctx.setup(|| {
        ctx.until(|| {
            let listed = browse(ctx, messages::TEST)?;
            let names = [(&wanted, &one), (&other, &another)];
            let has_name = |(server, name): &(&Qr2Server<'_>, &String)| {
                listed.value(server.address(), "hostname") == Some(name.as_bytes())
            };
            if names.iter().all(has_name) {
                return Ok(());
            }
            Err(Failure::new("a list of both servers with their names", "another"))
        })
    })?;
    let only = request(messages::TEST, &format!("hostname='{one}'"), r"\hostname");
    let listed = BrowseClient::new(ctx, only)?.recv_list()?;
    match (listed.has(wanted.address()), listed.has(other.address())) {
        (true, false) => Ok(()),
        (false, _) => {
            let what = format!("a list that holds {}", wanted.address());
            Err(Failure::new(what, "one without it").at(&listed.packet))
        }
        (true, true) => {
            let what = format!("a list without {}", other.address());
            Err(Failure::new(what, "one that holds it").at(&listed.packet))
        }
    }
}

/// Of servers with these settings, each of these conditions lists exactly the expected ones.
fn filtered<const N: usize>(
    ctx: &TestContext<'_>,
    settings: [&[(&str, &str)]; N],
    conditions: &[(&str, [bool; N])],
) -> Done {
    let mut servers = Vec::new();
    for settings in settings {
        let server = Qr2Server::new(ctx)?;
        let server = settings.iter().fold(server, |server, (key, value)| server.with(key, value));
        let (server, _) = server.with_client(ctx)?;
        servers.push(server);
    }
    for (condition, expected) in conditions {
        let wanted = request(messages::TEST, condition, r"\hostname");
        let listed = BrowseClient::new(ctx, wanted)?.recv_list()?;
        for (server, is_expected) in servers.iter().zip(expected) {
            let address = server.address();
            let (what, came) = match (listed.has(address), is_expected) {
                (false, true) => (format!("a list that holds {address}"), "one without it"),
                (true, false) => (format!("a list without {address}"), "one that holds it"),
                _ => continue,
            };
            let what = format!("{what}, for {condition}");
            return Err(Failure::new(what, came).at(&listed.packet));
        }
    }
    Ok(())
}
