//! The preconditions of Xash3D's cases.

use super::LISTS;
use super::ends::{KEY, XashClient, XashServer};
use crate::conform::Precondition;
use crate::families::half_life::messages as voice;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "xash3d/answers",
    otherwise: "the target answers neither q FF with a challenge nor requests for lists",
    needs: &[],
    check: |ctx| {
        let list = voice::get_xash_region(r"\clver\0.21");
        ctx.expect_any_answer(LISTS, &[list, voice::xash_heartbeat(Some(KEY))])
    },
};

/// The target answers a heartbeat with an `s`.
pub static ASKED: Precondition = Precondition {
    id: "xash3d/asked",
    otherwise: "the target sends no s to a new server",
    needs: &[&ANSWERS],
    check: |ctx| {
        let server = XashServer::new(ctx)?;
        server.send_heartbeat()?;
        server.recv_challenge().map(drop)
    },
};

/// A server that registers is listed to a client that requests its gamedir.
pub static LISTED: Precondition = Precondition {
    id: "xash3d/listed",
    otherwise: "no server is listed (the limit of servers of one address may be reached; \
                xash3d-master takes 14)",
    needs: &[&ASKED],
    check: |ctx| {
        let server = XashServer::new(ctx)?;
        server.register()?;
        XashClient::new(ctx)?.wait_listed(&server).map(drop)
    },
};
