//! Elite Force's servers and clients.

use super::LISTS;
use super::getservers::ALL;
use crate::client::ListClient;
use crate::server::{MasterRequest, TestRole, TestServer};
use crate::{Done, Failure, TestContext};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::elite_force::messages::{self, EliteForceQuestion, PROTOCOL};
use simulate::families::quake3::messages::Quake3ListRequest;

/// A server, and a client.
pub type EliteForceServer<'s> = TestServer<'s, EliteForceRole>;
pub type EliteForceClient<'s> = ListClient<'s, EliteForceRole>;

/// The servers of cases, and the lists that hold them.
pub struct EliteForceRole;

impl TestRole for EliteForceRole {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "a getstatus or a getinfo in answer to the heartbeat";
    const MASTER: &'static MasterMessages =
        &simulate::families::elite_force::master::ELITE_FORCE_LIST;
    type Server = messages::RegisteringEliteForce;
    type List<'l> = Quake3ListRequest<'l>;

    /// A server of protocol 24 with one player on eight places.
    fn new(ctx: &TestContext<'_>) -> (messages::RegisteringEliteForce, ServerInfo) {
        let info = messages::server_info().with("protocol", ctx.protocol(PROTOCOL).to_string());
        (messages::RegisteringEliteForce, info)
    }

    /// All servers of its protocol.
    fn list<'l>(server: &'l EliteForceServer<'_>) -> Quake3ListRequest<'l> {
        let protocol = server.info.get("protocol").and_then(|text| std::str::from_utf8(text).ok());
        let protocol = protocol.and_then(|text| text.parse().ok()).unwrap_or_default();
        Quake3ListRequest { protocol, words: ALL, ..Quake3ListRequest::default() }
    }
}

/// Servers of protocol 24, or of the case's own instead, with these words.
pub fn of_words<'w>(ctx: &TestContext<'_>, words: &'w str) -> Quake3ListRequest<'w> {
    let protocol = ctx.protocol(PROTOCOL);
    Quake3ListRequest { protocol, words, ..Quake3ListRequest::default() }
}

impl EliteForceServer<'_> {
    /// Sends its shutdown message.
    pub fn shut_down(&self) -> Done {
        self.end.send_bytes(&messages::heartstop(self.end.address().port()))
    }
}

impl MasterRequest<EliteForceRole> {
    /// Its challenge; skipped if it has none, which the document allows.
    pub fn text(&self) -> Result<&[u8], Failure> {
        match &self.challenge {
            EliteForceQuestion::Info(challenge) | EliteForceQuestion::Status(challenge)
                if !challenge.is_empty() =>
            {
                Ok(challenge)
            }
            _ => Err(Failure::skipped("the master sends no challenge")),
        }
    }

    /// The same request with another challenge.
    pub fn with(&self, challenge: &[u8]) -> EliteForceQuestion {
        match &self.challenge {
            EliteForceQuestion::Status(_) => EliteForceQuestion::Status(challenge.to_vec()),
            _ => EliteForceQuestion::Info(challenge.to_vec()),
        }
    }
}
