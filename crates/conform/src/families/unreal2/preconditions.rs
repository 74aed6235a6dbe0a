//! The preconditions of these cases.

use super::MASTER;
use super::roles::{UnrealConnection, UnrealServer, list};
use crate::{CASE, Case, Precondition};

/// The target takes connections and sends something.
pub static ANSWERS: Precondition = Precondition {
    id: "ut2004/answers",
    otherwise: "the target takes no connection (TCP), or sends nothing at its beginning",
    needs: &[],
    check: |ctx| {
        let mut stream = ctx.stream(MASTER)?;
        stream.expect("a challenge", |bytes| (!bytes.is_empty()).then_some((0, ())))
    },
};

/// That is a challenge.
pub static CHALLENGED: Precondition = Precondition {
    id: "ut2004/challenged",
    otherwise: "the target begins no connection with a challenge",
    needs: &[&ANSWERS],
    check: |ctx| UnrealConnection::new(ctx).map(drop),
};

/// A client is let in. The target may ask for a CD key that was sold.
pub static APPROVED: Precondition = Precondition {
    id: "ut2004/approved",
    otherwise: "the target approves no client",
    needs: &[&CHALLENGED],
    check: |ctx| UnrealConnection::approved(ctx).map(drop),
};

/// An approved client may ask.
pub static VERIFIED: Precondition = Precondition {
    id: "ut2004/verified",
    otherwise: "the target verifies no client that it has approved",
    needs: &[&APPROVED],
    check: |ctx| UnrealConnection::verified(ctx).map(drop),
};

/// A client gets a list.
pub static LIST_READ: Precondition = Precondition {
    id: "ut2004/list-read",
    otherwise: "no request for a list is answered with one",
    needs: &[&VERIFIED],
    check: |ctx| list(ctx, &[]).map(drop),
};

/// A server that logs in and sends a heartbeat is listed.
pub static LISTED: Precondition = Precondition {
    id: "ut2004/listed",
    otherwise: "no server is listed that logs in and sends a heartbeat",
    needs: &[&LIST_READ],
    check: |ctx| {
        let mut server = UnrealServer::new(ctx)?;
        server.send_heartbeat()?;
        server.wait_listed(ctx)
    },
};

/// A case that needs [`LIST_READ`].
pub const LIST_CASE: Case = Case { needs: &[&LIST_READ], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
