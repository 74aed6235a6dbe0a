//! The preconditions of these protocols' cases.

use super::GameMessages;
use super::lists::are_whole;
use crate::conform::{Done, TestContext};

/// The preconditions of one game: its [`GameMessages`], and the beginning of their ids.
macro_rules! preconditions {
    ($messages:expr, $game:literal) => {
        /// The target answers a list request, or a ping.
        pub static ANSWERS: Precondition = Precondition {
            id: concat!($game, "answers"),
            otherwise: "the target answers neither a request for the list nor a ping",
            needs: &[],
            check: |ctx| no_challenge::any_answer(ctx, &$messages),
        };

        /// The target answers a list request.
        pub static LIST_ANSWERED: Precondition = Precondition {
            id: concat!($game, "list-answered"),
            otherwise: "no list is answered",
            needs: &[&ANSWERS],
            check: |ctx| no_challenge::list_answered(ctx, &$messages),
        };

        /// Started servers are listed, in records of 6 bytes.
        pub static LISTED: Precondition = Precondition {
            id: concat!($game, "listed"),
            otherwise: "servers that send a ping and heartbeats are not in the list, or its records \
                        cannot be read",
            needs: &[&LIST_ANSWERED],
            check: |ctx| no_challenge::listed(ctx, &$messages),
        };
    };
}
pub(in super::super) use preconditions;

/// The target answers a list request, or a ping, with anything.
pub fn any_answer(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    super::needs_ipv4(ctx)?;
    ctx.expect_any_answer(messages.service, &[(messages.query)(), (messages.ping)()])
}

/// The target answers a list request with a list.
pub fn list_answered(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    super::is_answered(ctx, messages)
}

/// Two started servers are in one list, in records of 6 bytes.
pub fn listed(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    let servers = [messages.server(ctx)?, messages.server(ctx)?];
    servers.iter().try_for_each(|server| messages.start(server))?;
    for server in &servers {
        let listed = messages.wait_listed(&client, server)?;
        are_whole(&listed, &servers)?;
    }
    Ok(())
}
