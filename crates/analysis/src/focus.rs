//! Servers that the user asks about: they are kept even if the tables are full for others.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

/// The requested servers; by default none.
#[derive(Clone, Default)]
pub struct Focus(Option<Arc<Is>>);

type Is = dyn Fn(SocketAddr) -> bool + Send + Sync;

impl Focus {
    /// The servers for which `is` is true.
    pub fn on(is: impl Fn(SocketAddr) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is)))
    }

    /// Whether a server is requested.
    pub fn has(&self, server: SocketAddr) -> bool {
        self.0.as_ref().is_some_and(|is| is(server))
    }

    /// Whether a table with the limit `most` can take another entry for a server; requested servers
    /// may use half as many entries more.
    pub(super) fn has_room(&self, server: SocketAddr, count: usize, most: usize) -> bool {
        count < most || count < most + most / 2 && self.has(server)
    }
}

impl fmt::Debug for Focus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "some servers" } else { "no server" })
    }
}
