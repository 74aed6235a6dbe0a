//! Servers that somebody asks about: what is known of them is kept although there is no room for more
//! of others.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

/// Which servers are asked about; by default none.
#[derive(Clone, Default)]
pub struct Focus(Option<Arc<Is>>);

type Is = dyn Fn(SocketAddr) -> bool + Send + Sync;

impl Focus {
    /// Those of which `is` is true.
    pub fn on(is: impl Fn(SocketAddr) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is)))
    }

    /// Whether a server is asked about.
    pub fn has(&self, server: SocketAddr) -> bool {
        self.0.as_ref().is_some_and(|is| is(server))
    }

    /// Whether there is room for one more of what is known of a server, in a table of `most` that
    /// has room for half as many more of those who are asked about.
    pub(super) fn has_room(&self, server: SocketAddr, count: usize, most: usize) -> bool {
        count < most || count < most + most / 2 && self.has(server)
    }
}

impl fmt::Debug for Focus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "some servers" } else { "no server" })
    }
}
