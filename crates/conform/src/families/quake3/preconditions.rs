//! The preconditions of the Quake III family's cases.

use super::roles::{Quake3Client, Quake3Role, Quake3Server, all, own_game};
use super::{AUTHORIZE, LISTS, MOTD, UPDATE};
use crate::shared::registration;
use crate::{CASE, Case, Done, Precondition, TestContext};
use simulate::families::ClientListRequest as _;
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// All servers of Return to Castle Wolfenstein.
pub const WOLF_LIST: Quake3ListRequest<'static> =
    Quake3ListRequest { game: "", protocol: 60, words: "empty full", line_feed: false };
/// All servers of Enemy Territory.
pub const TERRITORY_LIST: Quake3ListRequest<'static> =
    Quake3ListRequest { protocol: 82, ..WOLF_LIST };

/// The target answers a list request, or a heartbeat.
pub static ANSWERS: Precondition = Precondition {
    id: "quake3/answers",
    otherwise: "the target answers neither getservers nor heartbeats",
    needs: &[],
    check: |ctx| {
        let heartbeats = [messages::QUAKE, messages::DARKPLACES].map(messages::heartbeat);
        let list = all(ctx);
        let lists = [list.plain(), list.extended()];
        ctx.expect_any_answer(LISTS, &[&lists[..], &heartbeats].concat())
    },
};

/// A protocol that no server has.
const NOBODYS: i64 = 1;

/// Anything comes back for a list request, from whatever port: for a list with servers, or for one
/// without any.
pub static LIST_COMES: Precondition = Precondition {
    id: "quake3/list-comes",
    otherwise: "nothing comes back for a list request (the target may list other games alone)",
    needs: &[&ANSWERS],
    check: |ctx| {
        let requests = [all(ctx), Quake3ListRequest { protocol: NOBODYS, ..all(ctx) }]
            .map(|list| list.encode(!ctx.is_over_ipv4()));
        or_filled(ctx, || ctx.expect_any_answer(LISTS, &requests))
    },
};

/// The target answers a list request, at least while a server is registered.
pub static LIST_ANSWERED: Precondition = Precondition {
    id: "quake3/list-answered",
    otherwise: "no list is answered",
    needs: &[&LIST_COMES],
    check: |ctx| {
        let client = Quake3Client::new(ctx)?;
        or_filled(ctx, || client.request(all(ctx)).map(drop))
    },
};

/// The target answers a Quake III server's heartbeat with a getinfo or a getstatus.
pub static CHALLENGED: Precondition = Precondition {
    id: "quake3/asked",
    otherwise: "the target sends no getinfo or getstatus to a new Quake III server (its list may be \
                full, or the limit of servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<Quake3Role>,
};

/// A request for a list is answered; AlterWare's master answers none whose list would be empty, so it
/// is asked again when a server has registered.
pub fn or_filled(ctx: &TestContext<'_>, request: impl Fn() -> Done) -> Done {
    let Err(failure) = request() else { return Ok(()) };
    if Quake3Server::new(ctx)?.register().is_err() {
        return Err(failure);
    }
    request()
}

/// A Quake III server that registers is listed.
pub static LISTED: Precondition = Precondition {
    id: "quake3/listed",
    otherwise: "no Quake III server is listed",
    needs: &[&CHALLENGED, &LIST_ANSWERED],
    check: registration::registers::<Quake3Role>,
};

/// A server of a game that names itself gets a getinfo.
pub static GAME_CHALLENGED: Precondition = Precondition {
    id: "dpmaster/asked",
    otherwise: "the target sends no getinfo to a new server with the tag DarkPlaces (its list may \
                be full, or the limit of servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: |ctx| Quake3Server::named(ctx)?.is_challenged(),
};

/// A server of a game that names itself is listed.
pub static GAME_LISTED: Precondition = Precondition {
    id: "dpmaster/listed",
    otherwise: "no server of a game that names itself is listed",
    needs: &[&GAME_CHALLENGED],
    check: |ctx| registration::registered(ctx, &Quake3Server::named(ctx)?),
};

/// A server of Return to Castle Wolfenstein is listed.
pub static RTCW_LISTED: Precondition = Precondition {
    id: "rtcw/listed",
    otherwise: "no server of Return to Castle Wolfenstein is listed",
    needs: &[&ANSWERS],
    check: |ctx| {
        own_game(ctx)?;
        let server = Quake3Server::with_info(ctx, messages::WOLF, messages::server_info("60"))?;
        registration::registered(ctx, &server)
    },
};

/// A server of Enemy Territory is listed.
pub static TERRITORY_LISTED: Precondition = Precondition {
    id: "enemy-territory/listed",
    otherwise: "no server of Enemy Territory is listed",
    needs: &[&ANSWERS],
    check: |ctx| {
        own_game(ctx)?;
        let server =
            Quake3Server::with_info(ctx, messages::TERRITORY, messages::server_info("82"))?;
        registration::registered(ctx, &server)
    },
};

/// The target sends messages of the day.
pub static MOTD_ANSWERED: Precondition = Precondition {
    id: "quake3/motd-answered",
    otherwise: "the service of messages of the day answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(MOTD, &[messages::getmotd("1", "none")]),
};

/// The authorize service answers servers.
pub static AUTHORIZE_ANSWERED: Precondition = Precondition {
    id: "quake3/authorize-answered",
    otherwise: "the authorize service answers nothing",
    needs: &[],
    check: |ctx| {
        let address = ctx.client(AUTHORIZE)?.address();
        ctx.expect_any_answer(AUTHORIZE, &[messages::get_ip_authorize(1, address.ip(), "")])
    },
};

/// The update service answers clients.
pub static UPDATE_ANSWERED: Precondition = Precondition {
    id: "enemy-territory/update-answered",
    otherwise: "the update service answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(UPDATE, &[messages::get_update_info("none", "none")]),
};

/// The target answers a getserversExt.
pub static EXTENDED_ANSWERED: Precondition = Precondition {
    id: "dpmaster/extended-answered",
    otherwise: "a getserversExt is not answered",
    needs: &[&GAME_LISTED],
    check: |ctx| {
        let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
        client.request_bytes(&server.list().extended()).map(drop)
    },
};

/// A case that needs [`CHALLENGED`] and [`LIST_ANSWERED`].
pub const ANSWERED_CASE: Case = Case { needs: &[&CHALLENGED, &LIST_ANSWERED], ..CASE };

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`GAME_LISTED`].
pub const GAME_LISTED_CASE: Case = Case { needs: &[&GAME_LISTED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
