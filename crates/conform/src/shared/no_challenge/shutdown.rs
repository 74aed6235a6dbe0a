//! Cases about servers that shut down.

use super::GameMessages;
use crate::{Done, TestContext};

/// A server that sends its shutdown message is not listed any more.
pub fn shutdown_removes(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    server.send_bytes(&messages.shutdown())?;
    messages.wait_unlisted(&client, &server)
}

/// A shutdown message removes its sender alone, and no other server of the same machine.
pub fn shutdown_removes_no_other(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    ctx.setup(|| {
        let other = messages.new_server_beside(&server)?;
        messages.start(&other)?;
        messages.wait_listed(&client, &other)?;
        other.send_bytes(&messages.shutdown())?;
        messages.wait_unlisted(&client, &other)?;
        // This one was never listed.
        let stranger = messages.new_server_beside(&server)?;
        stranger.send_bytes(&messages.shutdown())?;
        ctx.sync(messages.service)
    })?;
    messages.expect_listed(&client, &server)
}

/// A server that shut down and starts again is listed again.
pub fn registers_again(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    ctx.setup(|| {
        server.send_bytes(&messages.shutdown())?;
        messages.wait_unlisted(&client, &server)
    })?;
    messages.start(&server)?;
    messages.wait_listed(&client, &server).map(drop)
}
