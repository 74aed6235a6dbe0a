//! What dpmaster's document and its author's own tests demand of requests besides: filters of extended
//! ones, names of games that name themselves nowhere, and invalid protocols (004 4) getservers, 6)
//! getserversExt).

use super::preconditions::{EXTENDED_ANSWERED, GAME_LISTED_CASE};
use super::roles::{Quake3Client, Quake3Server, named_protocol, next_protocol, of_game, own_game};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// The bytes FF before a word.
const MARK: usize = 4;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/getserversExt/filters",
        title: "clients ask with getserversExt and the filter words of getservers; servers are empty, \
                full, of other game types and of another protocol",
        needs: &[&EXTENDED_ANSWERED],
        run: extended_filters,
        ..CASE
    },
    Case {
        id: "dpmaster/getservers/other-mark",
        title: "a client asks for a list with a byte FE in place of each of the four bytes FF",
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            let right = client.encode(server.list());
            for at in 0..MARK {
                let changed = right.iter().enumerate();
                let changed = changed.map(|(n, byte)| if n == at { 0xfe } else { *byte });
                let answers = client.end.request_all(&changed.collect::<Vec<_>>())?;
                if let Some(answer) = answers.first() {
                    let what = format!("no answer to a request whose byte {at} is FE");
                    return Err(Failure::new(what, answer.named()).at(answer));
                }
            }
            client.wait_listed(&server, server.list()).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/invalid-protocol",
        title: "clients ask for a game without a protocol, and with 4TheFun as protocol; servers of it \
                have the protocols 0 and 4",
        run: |ctx| {
            let game = own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let server = |protocol: i64| {
                let server = Quake3Server::darkplaces(ctx, &game)?;
                let server = server.with("protocol", &protocol.to_string());
                let list = Quake3ListRequest { protocol, ..of_game(ctx, &game) };
                client.setup_listed(&server, list).map(|_| server)
            };
            let servers = [server(0)?, server(4)?];
            for words in ["", " empty full", " 4TheFun", " 4TheFun empty full"] {
                for command in ["getservers", "getserversExt"] {
                    let request = format!("{command} {game}{words}");
                    let bytes = [b"\xff\xff\xff\xff", request.as_bytes()].concat();
                    let listed = client.request_any(&bytes)?;
                    let came = format!("one that holds it, for \"{request}\"");
                    servers.iter().try_for_each(|server| listed.expect_absent(server, &came))?;
                }
            }
            Ok(())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getserversExt/anonymous-games",
        title: "servers of Quake III, Return to Castle Wolfenstein and Enemy Territory register; \
                clients ask for them by the names of document 004",
        needs: &[&EXTENDED_ANSWERED],
        run: |ctx| {
            own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let games = [
                (messages::QUAKE, "Quake3Arena", 68),
                (messages::WOLF, "wolfmp", 60),
                (messages::TERRITORY, "et", 84),
            ];
            for (tag, game, protocol) in games {
                let info = messages::server_info(&protocol.to_string());
                let server = Quake3Server::with_info(ctx, tag, info)?;
                ctx.setup(|| server.register())?;
                let list = Quake3ListRequest { game, protocol, ..of_game(ctx, game) };
                let named = |failure: Failure| Failure {
                    expected: format!("{} (getserversExt {game})", failure.expected),
                    ..failure
                };
                ctx.until(|| client.request_bytes(&list.extended())?.expect_listed(&server))
                    .map_err(named)?;
                // A name in other capitals is that of another game.
                let other = if game == "et" { "ET".to_owned() } else { game.to_lowercase() };
                let other = if other == game { "Wolfmp".to_owned() } else { other };
                let list = Quake3ListRequest { game: &other, ..list };
                let came = format!("one that holds it, for {other}");
                client.request_any(&list.extended())?.expect_absent(&server, &came)?;
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "enemy-territory/getservers/all",
        title: "a client of Enemy Territory asks for protocol 84 without words; servers are empty, full \
                and neither",
        run: |ctx| {
            own_game(ctx)?;
            if ctx.assumed().game().protocol.is_some() || !ctx.is_over_ipv4() {
                return Err(Failure::skipped(
                    "a getservers for protocol 84 cannot list servers here",
                ));
            }
            let client = Quake3Client::new(ctx)?;
            let list = Quake3ListRequest { game: "", protocol: 84, words: "", line_feed: false };
            for (clients, what) in [("1", "not empty"), ("0", "empty"), ("8", "full")] {
                let info = messages::server_info("84").with("clients", clients);
                let server = Quake3Server::with_info(ctx, messages::TERRITORY, info)?;
                ctx.setup(|| server.register())?;
                let named = |failure: Failure| Failure {
                    expected: format!("{}, which is {what}", failure.expected),
                    ..failure
                };
                client.wait_listed(&server, list).map_err(named)?;
            }
            Ok(())
        },
        ..CASE
    },
];

/// Of servers of one game, an extended request lists those that its words and its protocol select.
fn extended_filters(ctx: &TestContext<'_>) -> Done {
    let (game, client) = (own_game(ctx)?, Quake3Client::new(ctx)?);
    // Players, game type, and whether its protocol is the one that is asked for.
    let loads = [
        ("1", "0", true),
        ("0", "0", true),
        ("8", "0", true),
        ("1", "tdm", true),
        ("1", "0", false),
    ];
    let mut servers = Vec::new();
    for (clients, gametype, is_asked) in loads {
        let protocol = if is_asked { named_protocol(ctx) } else { next_protocol(ctx) };
        let server = Quake3Server::darkplaces(ctx, &game)?.with("protocol", &protocol.to_string());
        let server = server.with("clients", clients).with("gametype", gametype);
        client.setup_listed(&server, Quake3ListRequest { protocol, ..of_game(ctx, &game) })?;
        let which = match (clients, gametype, is_asked) {
            ("0", ..) => "the empty server",
            ("8", ..) => "the full server",
            (_, "tdm", _) => "the server of gametype tdm",
            (.., false) => "the server of another protocol",
            _ => "the server with a player",
        };
        servers.push((server, which));
    }
    for (words, expected) in [
        ("", [true, false, false, true, false]),
        ("empty", [true, true, false, true, false]),
        ("full", [true, false, true, true, false]),
        ("empty full", [true, true, true, true, false]),
        ("empty full gametype=tdm", [false, false, false, true, false]),
        ("ffa", [true, false, false, false, false]),
    ] {
        let list = Quake3ListRequest { words, ..of_game(ctx, &game) };
        let listed = client.request_bytes(&list.extended())?;
        for ((server, which), is_in) in servers.iter().zip(expected) {
            if is_in {
                listed.expect_listed(server).map_err(|failure| Failure {
                    expected: format!("{}, {which}, for \"{words}\"", failure.expected),
                    ..failure
                })?;
            } else {
                listed.expect_absent(server, &format!("one with {which}, for \"{words}\""))?;
            }
        }
    }
    Ok(())
}
