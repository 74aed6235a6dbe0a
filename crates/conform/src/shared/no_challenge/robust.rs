//! Cases about malformed datagrams and floods.

use super::{GameMessages, registers};
use crate::shared::malformed;
use crate::{Done, TestContext};

/// After these datagrams the master answers, and lists a started server.
pub fn survives(ctx: &TestContext<'_>, messages: &GameMessages, datagrams: &[Vec<u8>]) -> Done {
    // Some of them are heartbeats, so their sender is a server that shuts down at the end.
    let sender = messages.server(ctx)?;
    malformed::send(&sender, messages.service, datagrams)?;
    registers(ctx, messages)
}

/// The same for datagrams that are made of the beginnings of messages.
pub fn survives_all(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    datagrams: fn(&[Vec<u8>]) -> Vec<Vec<u8>>,
) -> Done {
    survives(ctx, messages, &datagrams(&(messages.beginnings)()))
}

/// After thousands of heartbeats their sender is still listed, and another server is listed too.
pub fn flooded(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    let heartbeats = vec![(messages.heartbeat)(); malformed::FLOOD];
    malformed::send(&server, messages.service, &heartbeats)?;
    messages.expect_listed(&client, &server)?;
    registers(ctx, messages)
}
