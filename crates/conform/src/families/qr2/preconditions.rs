//! The preconditions of these cases.

use super::roles::{BrowseClient, Qr2Role, Qr2Server, browse, heartbeat, request};
use super::{LISTS, SERVERS};
use crate::shared::registration;
use crate::{CASE, Case, Precondition};
use simulate::families::qr2::messages::{self, StateChange};

/// The target answers any of these: the question whether a game is served, or a first heartbeat.
pub static ANSWERS: Precondition = Precondition {
    id: "qr2/answers",
    otherwise: "the target answers neither available nor heartbeats",
    needs: &[],
    check: |ctx| {
        let server = Qr2Server::new(ctx)?;
        let begins = heartbeat(&server, StateChange::Begins);
        server.end.send_bytes(&begins)?;
        if server.end.recv(ctx.timeout() / 4)?.is_some() {
            return Ok(());
        }
        ctx.expect_any_answer(SERVERS, &[messages::available(messages::TEST), begins])
    },
};

/// The target answers a first heartbeat with a challenge.
pub static CHALLENGED: Precondition = Precondition {
    id: "qr2/challenged",
    otherwise: "the target sends no challenge to a new server of gmtest",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<Qr2Role>,
};

/// Clients can connect.
pub static CONNECTED: Precondition = Precondition {
    id: "qr2/connected",
    otherwise: "the target takes no connection for lists (TCP)",
    needs: &[&ANSWERS],
    check: |ctx| ctx.stream(LISTS).map(drop),
};

/// The target answers a request for a list.
pub static LIST_ANSWERED: Precondition = Precondition {
    id: "qr2/list-answered",
    otherwise: "no request for a list is answered",
    needs: &[&CONNECTED],
    check: |ctx| BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?.expect_answer(),
};

/// That answer is a list that is enciphered with the key of the asking game.
pub static LIST_READ: Precondition = Precondition {
    id: "qr2/list-read",
    otherwise: "lists cannot be read to their end",
    needs: &[&LIST_ANSWERED],
    check: |ctx| browse(ctx, messages::TEST).map(drop),
};

/// A server that answers its challenge is listed.
pub static LISTED: Precondition = Precondition {
    id: "qr2/listed",
    otherwise: "no server of gmtest is listed",
    needs: &[&CHALLENGED, &LIST_READ],
    check: registration::registers::<Qr2Role>,
};

/// A server that does not answer its challenge is not listed.
pub static PROOF_REQUIRED: Precondition = Precondition {
    id: "qr2/proof-required",
    otherwise: "the target lists servers that do not answer its challenge",
    needs: &[&LISTED],
    check: |ctx| registration::refused::<Qr2Role>(ctx, |_, _| Ok(())),
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };

/// A case that needs [`PROOF_REQUIRED`].
pub const PROOF_CASE: Case = Case { needs: &[&PROOF_REQUIRED], ..CASE };
