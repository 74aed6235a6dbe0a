//! The preconditions of Half-Life's cases.

use super::LISTS;
use super::ends::{HalfLifeClient, HalfLifeServer, NOBODY};
use crate::conform::Precondition;
use crate::families::half_life::messages as voice;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "half-life/answers",
    otherwise: "the target answers neither q nor requests for lists",
    needs: &[],
    check: |ctx| {
        let list = voice::get_region(NOBODY, "");
        ctx.expect_any_answer(LISTS, &[list, voice::get_servers([0; 3]), voice::heartbeat()])
    },
};

/// The target answers a heartbeat with an `s`.
pub static ASKED: Precondition = Precondition {
    id: "half-life/asked",
    otherwise: "the target sends no s to a new server (its list may be full, or the limit of \
                servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: |ctx| {
        let server = HalfLifeServer::new(ctx)?;
        server.send_heartbeat()?;
        server.recv_challenge().map(drop)
    },
};

/// A server that registers is listed to a client that asks with `1`.
pub static LISTED: Precondition = Precondition {
    id: "half-life/listed",
    otherwise: "no server is listed to a client that asks with 1, a region, 0.0.0.0:0 and its \
                gamedir",
    needs: &[&ASKED],
    check: |ctx| {
        let server = HalfLifeServer::new(ctx)?;
        server.register()?;
        HalfLifeClient::new(ctx)?.wait_listed(&server, server.by()).map(drop)
    },
};
