//! What dpmaster's document and its author's own tests demand of servers besides: tags, keys and names
//! that resemble those of the document, long and changed values (004 1) heartbeat, 3) infoResponse).

use super::LISTS;
use super::preconditions::{GAME_CHALLENGED, GAME_LISTED_CASE, LISTED_CASE};
use super::roles::{
    Quake3Client, Quake3Server, all, if_listed, is_refused, named_game, named_protocol,
    next_protocol, of_game, own_game,
};
use crate::shared::challenge_quality::beyond;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::ServerInfo;
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// Tags that begin as a known one, are its beginning, or are spelled with other capitals.
const SIMILAR_TAGS: [&str; 7] = [
    "DarkPlacesX",
    "DarkPlace",
    "DarkPLACES",
    "QuakeArena-12",
    "QuakeArena-",
    "Wolfenstein-12",
    "EnemyTerritory-",
];
/// The bytes before the first pair of an infoResponse: four bytes FF, the word and a line feed.
const INFO_RESPONSE: usize = 4 + b"infoResponse\n".len();
/// The most characters that dpmaster reads of a value.
const LONGEST_VALUE: usize = 255;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/heartbeat/similar-tags",
        title: "servers send heartbeats with tags that begin as a known one, are its beginning, or have \
                other capitals",
        needs: &[&GAME_CHALLENGED],
        run: |ctx| {
            if ctx.assumed().settings().unknown_tags {
                return Err(Failure::skipped("the target is assumed to take unknown tags"));
            }
            let server = |tag| Ok(Quake3Server::at(ctx.unregistered_server(LISTS)?).tagged(tag));
            let servers = SIMILAR_TAGS.map(server);
            let servers = servers.into_iter().collect::<Result<Vec<_>, Failure>>()?;
            servers.iter().try_for_each(Quake3Server::send_heartbeat)?;
            servers.iter().try_for_each(|server| {
                let what = format!("no getinfo to a server with the tag {}", server.state.tag);
                server.end.expect_none(&what, |datagram| messages::challenge(&datagram.bytes))
            })
        },
        ..CASE
    },
    Case {
        id: "dpmaster/heartbeat/new-tag",
        title: "a Quake III server is listed; at its address a server of a game that names itself \
                registers, then a Quake III server again",
        run: |ctx| {
            let game = own_game(ctx)?;
            let (server, client) = Quake3Server::listed(ctx)?;
            let named = server
                .tagged(messages::DARKPLACES)
                .with("gamename", &game)
                .with("protocol", &named_protocol(ctx).to_string());
            named.register()?;
            client.wait_listed(&named, of_game(ctx, &game))?;
            let came = "one that holds it, by the game of its tag before";
            client.request_any(&client.encode(all(ctx)))?.expect_absent(&named, came)?;
            let own = ctx.own_protocol();
            let named = named.with("protocol", &own.to_string());
            client
                .setup_listed(&named, Quake3ListRequest { protocol: own, ..of_game(ctx, &game) })?;
            let number = Quake3ListRequest { game: "", protocol: own, ..of_game(ctx, &game) };
            let by_number = "one that holds it, by its number alone as the game of its tag before";
            client.request_any(&number.plain())?.expect_absent(&named, by_number)?;
            let again = named
                .tagged(messages::QUAKE)
                .without("gamename")
                .with("protocol", &all(ctx).protocol.to_string());
            again.register()?;
            client.wait_listed(&again, all(ctx))?;
            client.request_any(&client.encode(of_game(ctx, &game)))?.expect_absent(&again, came)
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/next-challenge",
        title: "a server is listed; when the time of its challenge is over, it sends a heartbeat, and \
                answers with another protocol",
        slow: Some("challenge-timeout"),
        waits: 4,
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            let pause = beyond(ctx.time("challenge-timeout")?);
            if ctx.time("server-timeout")? <= pause {
                return Err(Failure::skipped("the target forgets servers sooner than challenges"));
            }
            ctx.wait(pause);
            let server = server.with("protocol", &next_protocol(ctx).to_string());
            server.register()?;
            client.wait_listed(&server, server.list()).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/refused-renewal",
        title: "a listed server answers without its protocol, and with no places",
        run: |ctx| {
            let game = named_game(ctx);
            let (server, client) = Quake3Server::darkplaces(ctx, &game)?.with_client(ctx)?;
            let list = of_game(ctx, &game);
            let server = server.with("clients", "2").without("protocol");
            ctx.setup(|| server.register())?;
            let named = |what: &'static str| {
                move |failure: Failure| Failure {
                    expected: format!("{}, which has answered {what} since", failure.expected),
                    ..failure
                }
            };
            client.request(list)?.expect_listed(&server).map_err(named("without protocol"))?;
            let protocol = list.protocol.to_string();
            let server = server.with("protocol", &protocol).with("sv_maxclients", "0");
            ctx.setup(|| server.register())?;
            client.request(list)?.expect_listed(&server).map_err(named("with no places"))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/other-game",
        title: "a Quake III server names another game in its answer",
        run: |ctx| {
            if !ctx.assumed().settings().one_name {
                let why = "the target is not assumed to refuse it; --assume one-name=on";
                return Err(Failure::skipped(why));
            }
            let (game, protocol) = (own_game(ctx)?, if_listed(ctx, ctx.own_protocol())?);
            let server = Quake3Server::new(ctx)?.with("gamename", &game);
            let server = server.with("protocol", &protocol.to_string());
            let list = Quake3ListRequest { protocol, ..all(ctx) };
            is_refused(&server, &[list, Quake3ListRequest { game: &game, ..list }])
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/getinfo/form",
        title: "a server sends a heartbeat",
        needs: &[&GAME_CHALLENGED],
        run: |ctx| {
            let server = Quake3Server::named(ctx)?;
            server.send_heartbeat()?;
            let request = ctx.setup(|| server.recv_challenge())?;
            let form = [b"\xff\xff\xff\xffgetinfo ", request.challenge.as_slice()].concat();
            if request.datagram.bytes == form {
                return Ok(());
            }
            let what = "four bytes FF, getinfo, a blank, the challenge, and nothing else";
            Err(Failure::new(what, request.datagram.named()).at(&request.datagram))
        },
        ..CASE
    },
    Case {
        id: "dpmaster/infoResponse/similar-keys",
        title: "a server answers with keys that begin as those of the document, and that end as they do",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            let request = client.setup_request(&server, &[server.list()])?;
            let similar = similar_keys();
            let answer = messages::info_response(&server.info, &request.challenge);
            let (head, pairs) = answer.split_at(INFO_RESPONSE.min(answer.len()));
            server.end.send_bytes(&[head, &similar.info(), pairs].concat())?;
            client.wait_listed(&server, Quake3ListRequest { words: "", ..server.list() }).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/long-values",
        title: "a server answers with a value of 255 characters and a key of 300, before the others",
        // A master that ends because of it is seen to do so.
        exclusive: true,
        run: |ctx| {
            let server = Quake3Server::named(ctx)?;
            let first = ServerInfo::from_pairs(&[])
                .with("hostname", "v".repeat(LONGEST_VALUE))
                .with("k".repeat(300), "1");
            let others = server.info.clone().without("hostname");
            let info = others.pairs().fold(first, |all, (key, value)| all.with(key, value));
            let server = Quake3Server { info, ..server };
            server.register()?;
            Quake3Client::new(ctx)?.wait_listed(&server, server.list()).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-high-bytes",
        title: "a server names its game with letters of two bytes above 127; a client asks for it, and \
                for another that differs in such a byte",
        run: |ctx| {
            let own = own_game(ctx)?;
            let [game, other] = [format!("{own}é"), format!("{own}è")];
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(ctx, &game))?;
            let listed = client.request_any(&client.encode(of_game(ctx, &other)))?;
            listed.expect_absent(&server, &format!("one that holds it, for {other}"))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-void",
        title: "a server names its game with no character",
        run: |ctx| {
            let server = Quake3Server::darkplaces(ctx, "")?;
            is_refused(&server, &[of_game(ctx, "")])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gametype-with-space",
        title: "a server names its game type with a blank in it",
        run: |ctx| {
            let game = named_game(ctx);
            let server = Quake3Server::darkplaces(ctx, &game)?.with("gametype", "two words");
            is_refused(&server, &[of_game(ctx, &game)])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/limits/unanswered-forgotten",
        title: "servers of one address, as many as the assumed max-per-address, do not answer the \
                getinfo; later another one of it registers",
        slow: Some("challenge-timeout"),
        waits: 4,
        run: unanswered_forgotten,
        ..GAME_LISTED_CASE
    },
];

/// Keys that begin as those of the document, are their beginnings, or end as they do; with them a
/// server would be another one, or none.
fn similar_keys() -> ServerInfo {
    let values = [
        ("challenge", "wrong"),
        ("protocol", "99"),
        ("clients", "0"),
        ("sv_maxclients", "1"),
        ("gamename", "another"),
    ];
    values.into_iter().fold(ServerInfo::from_pairs(&[]), |info, (key, value)| {
        let short = key.get(..key.len() - 1).unwrap_or_default();
        info.with(format!("{key}s"), value).with(short, value).with(format!("x{key}"), value)
    })
}

/// A server that has not answered is forgotten after the time of its challenge, and takes no place
/// any more.
fn unanswered_forgotten(ctx: &TestContext<'_>) -> Done {
    let most = ctx.assumed().settings().max_per_address;
    if most > super::limits::MOST_OF_AN_ADDRESS || !ctx.is_wide() {
        let why = format!("{most} servers of one address are too many to be tried here");
        return Err(Failure::skipped(why));
    }
    let time = ctx.time("challenge-timeout")?;
    let ends = ctx.unregistered_servers(LISTS, most)?;
    let Some(first) = ends.first() else {
        return Err(Failure::skipped("no server may be registered here"));
    };
    ctx.setup(|| {
        ends.iter()
            .try_for_each(|end| end.send_bytes(&messages::heartbeat(messages::DARKPLACES)))?;
        ctx.sync(LISTS)
    })?;
    ctx.wait(beyond(time));
    let info = messages::server_info(&named_protocol(ctx).to_string());
    let server = Quake3Server {
        info: info.with("gamename", named_game(ctx)),
        ..Quake3Server::at(ctx.server_beside(LISTS, first)?)
    }
    .tagged(messages::DARKPLACES);
    let named = |failure: Failure| Failure {
        expected: format!(
            "{} (of {most} other servers of its address, which have not answered, none counts any more)",
            failure.expected
        ),
        ..failure
    };
    server.register().map_err(named)?;
    Quake3Client::new(ctx)?.wait_listed(&server, server.list()).map(drop).map_err(named)
}
