//! What servers have said of themselves, for lists that tell it.

use super::{IncomingRequest, MasterState};
use crate::defect::Defect;
use crate::registry::ServerKey;

/// The longest text that is kept; the rest is dropped. A heartbeat of document 008 is no longer.
const LONGEST: usize = 1400;

impl MasterState {
    /// Keeps what a server says of itself: until its challenge is over, and as long as it is listed.
    pub fn describe(&mut self, incoming: &IncomingRequest<'_>, server: ServerKey, text: &[u8]) {
        let is_listed = self.registry.contains(&server);
        if is_listed && self.has(Defect::KeepsOldState) {
            return;
        }
        let settings = &self.settings;
        let time = if is_listed {
            (server.namespace.timeout)(settings)
        } else {
            settings.challenge_timeout
        };
        if self.details.len() >= settings.max_servers.saturating_mul(2) {
            // Those of servers that have not answered go first.
            self.details.pop_first();
        }
        let text = text.get(..LONGEST).unwrap_or(text).into();
        self.details.insert(server, text, incoming.now.saturating_add(time));
    }

    /// What a server has said of itself.
    pub fn details(&self, server: &ServerKey) -> Option<&[u8]> {
        self.details.get(server).map(|text| &**text)
    }

    /// Keeps it as long as the server is listed from now on.
    pub fn keep_details(&mut self, incoming: &IncomingRequest<'_>, server: &ServerKey) {
        let time = (server.namespace.timeout)(&self.settings);
        self.details.renew(server, incoming.now.saturating_add(time));
    }
}
