//! How many servers of one address a master lists; no document has it.

use super::LISTS;
use super::list::LONG;
use super::preconditions::GAME_LISTED_CASE;
use super::roles::{Quake3Client, Quake3Server, named_game, named_protocol, of_game};
use crate::server::{register_again, register_all};
use crate::shared::challenge_quality;
use crate::{Case, Done, Failure, TestContext};
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// The maximum servers of one address that are registered to find its limit.
pub(super) const MOST_OF_AN_ADDRESS: usize = 64;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/limits/servers-of-an-address",
        title: "one address registers one server more than the assumed max-per-address",
        waits: 1,
        run: |ctx| {
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            let mut servers = beyond_an_address(ctx, &game)?;
            let Some(last) = servers.pop() else {
                return Err(Failure::skipped("no server may be registered here"));
            };
            let named = |failure: Failure| {
                let of = format!("one of {} servers of one address", servers.len());
                Failure { expected: format!("{} ({of})", failure.expected), ..failure }
            };
            all_listed(&client, &servers, of_game(ctx, &game)).map_err(named)?;
            register_again(&[&last])?;
            client.expect_unlisted(&last, of_game(ctx, &game))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/limits/place-again",
        title: "one address registers as many servers as it may, each twice; all but one are silent \
                until their time is over and register again, and then one more sends a heartbeat",
        requires: "dpmaster/limits/servers-of-an-address",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            let mut servers = beyond_an_address(ctx, &game)?;
            let Some(last) = servers.pop() else {
                return Err(Failure::skipped("no server may be registered here"));
            };
            let Some((first, silent)) = servers.split_first() else { return Ok(()) };
            let list = of_game(ctx, &game);
            let all: Vec<_> = servers.iter().collect();
            ctx.setup(|| {
                all_listed(&client, &servers, list)?;
                register_again(&all)
            })?;
            ctx.wait(time / 2);
            ctx.setup(|| register_again(&[first]))?;
            ctx.wait(time / 2);
            ctx.setup(|| {
                ctx.until(|| {
                    let listed = client.request(list)?;
                    silent.iter().try_for_each(|server| listed.expect_unlisted(server))
                })
            })?;
            register_all(silent)?;
            client.request(list)?.expect_listed(first)?;
            silent.iter().try_for_each(|server| client.wait_listed(server, list).map(drop))?;
            register_again(&[&last])?;
            client.expect_unlisted(&last, list)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/limits/unanswered",
        title: "one address sends heartbeats of as many servers as it may have, which do not answer; \
                when their time is over another one registers",
        requires: "dpmaster/limits/servers-of-an-address",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            let mut servers = beyond_an_address(ctx, &game)?;
            let Some(last) = servers.pop() else {
                return Err(Failure::skipped("no server may be registered here"));
            };
            servers.iter().try_for_each(Quake3Server::send_heartbeat)?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            last.register()?;
            client.wait_listed(&last, of_game(ctx, &game)).map(drop)
        },
        ..GAME_LISTED_CASE
    },
];

/// Servers of one address that name this game, one more than the target lists of an address. If that
/// does not take long, those that other cases have registered there are forgotten.
fn beyond_an_address<'s>(
    ctx: &'s TestContext<'_>,
    game: &str,
) -> Result<Vec<Quake3Server<'s>>, Failure> {
    let most = ctx.assumed().settings().max_per_address;
    if most > MOST_OF_AN_ADDRESS || !ctx.is_wide() {
        let why = format!("{most} servers of one address are too many to be tried here");
        return Err(Failure::skipped(why));
    }
    let info = messages::server_info(&named_protocol(ctx).to_string()).with("gamename", game);
    let of_end = |end| {
        let server = Quake3Server::at(end).tagged(messages::DARKPLACES);
        Quake3Server { info: info.clone(), ..server }
    };
    let ends = ctx.servers_of_an_address(LISTS, most + 1)?;
    let time = ctx.time("server-timeout")?;
    if time < LONG {
        ctx.wait(time);
    }
    Ok(ends.into_iter().map(of_end).collect())
}

/// Registers servers until all are in the list: a late one that is not would leave room for others.
fn all_listed(
    client: &Quake3Client<'_>,
    servers: &[Quake3Server<'_>],
    list: Quake3ListRequest<'_>,
) -> Done {
    client.end.ctx().until(|| {
        let listed = client.request(list)?;
        let mut all = Ok(());
        for server in servers {
            if let Err(failure) = listed.expect_listed(server) {
                server.register()?;
                all = Err(failure);
            }
        }
        all
    })
}
