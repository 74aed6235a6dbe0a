//! What servers and clients send.

use super::protocol::{MadeUpFind, MadeUpHeartbeat, MadeUpStop};
use protocol::Game;
use simulate::{KnownValue, written};

pub fn heartbeat() -> Vec<u8> {
    written(MadeUpHeartbeat::default())
}

pub fn shutdown() -> Vec<u8> {
    written(MadeUpStop::default())
}

pub fn query() -> Vec<u8> {
    written(MadeUpFind::default())
}

/// No master asks a server anything.
pub fn server(_: &Game, _: &[KnownValue], _: &[u8]) -> Option<Vec<u8>> {
    None
}
