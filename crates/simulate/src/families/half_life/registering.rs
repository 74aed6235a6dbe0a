//! Servers that register with masters of Half-Life, Steam and Xash3D, and the list requests of clients.

use std::net::{IpAddr, SocketAddr};

use super::messages::{
    EVERYWHERE, XASH_KEY, ZERO_ADDRESS, challenge, filter_of, get_servers, get_servers_of,
    get_xash_region, heartbeat, reply, xash_filter, xash_heartbeat, xash_reply,
};
use crate::ServerInfo;
use crate::families::{ClientListRequest, RegisteringServer};

/// A server that answers an `s` with a `0`.
pub trait GamedirServer: RegisteringServer<Challenge = u32> {
    /// A `0` with this challenge; without one the key is missing.
    fn reply(&self, info: &ServerInfo, challenge: Option<&str>) -> Vec<u8>;
}

/// A server of Half-Life, or of a game on Steam.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringHalfLife;

impl RegisteringServer for RegisteringHalfLife {
    type Challenge = u32;

    fn heartbeat(&self, _: &ServerInfo, _: SocketAddr) -> Vec<u8> {
        heartbeat()
    }

    fn challenge(request: &[u8]) -> Option<u32> {
        challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &u32) -> Vec<u8> {
        self.reply(info, Some(&challenge.to_string()))
    }
}

impl GamedirServer for RegisteringHalfLife {
    fn reply(&self, info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
        reply(info, challenge)
    }
}

/// A server of Xash3D.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringXash;

impl RegisteringServer for RegisteringXash {
    type Challenge = u32;

    fn heartbeat(&self, _: &ServerInfo, _: SocketAddr) -> Vec<u8> {
        xash_heartbeat(Some(XASH_KEY))
    }

    fn challenge(request: &[u8]) -> Option<u32> {
        challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &u32) -> Vec<u8> {
        self.reply(info, Some(&challenge.to_string()))
    }
}

impl GamedirServer for RegisteringXash {
    fn reply(&self, info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
        xash_reply(info, challenge)
    }
}

/// Which servers a client requests, by their gamedir or by any filter.
#[derive(Debug, Clone, Copy)]
pub enum ServerFilter<'a> {
    /// Those of a gamedir.
    Gamedir(&'a str),
    /// Those that match this text; empty: all.
    Text(&'a str),
}

impl ServerFilter<'_> {
    /// Its text in requests.
    pub fn text(self) -> String {
        match self {
            Self::Gamedir(game) => filter_of(game),
            Self::Text(text) => text.to_owned(),
        }
    }
}

/// A client's request for a list of Half-Life's or Steam's master.
#[derive(Debug, Clone, Copy)]
pub enum RegionRequest<'a> {
    /// With `e` and a cursor.
    Cursor,
    /// With `1`, a region, the last server that the client knows, and a filter.
    Region(u8, ServerFilter<'a>),
}

impl<'a> RegionRequest<'a> {
    /// Servers of all regions.
    pub fn everywhere(filter: ServerFilter<'a>) -> Self {
        Self::Region(EVERYWHERE, filter)
    }

    /// The request for the servers behind this one.
    pub fn behind(self, last: SocketAddr) -> Vec<u8> {
        match (self, last.ip()) {
            (Self::Region(region, filter), _) => get_servers_of(region, last, &filter.text()),
            (Self::Cursor, IpAddr::V4(ip)) => {
                let [low, middle, high, _] = ip.octets();
                get_servers([low, middle, high])
            }
            (Self::Cursor, IpAddr::V6(_)) => get_servers([0; 3]),
        }
    }
}

impl ClientListRequest for RegionRequest<'_> {
    fn encode(self, _: bool) -> Vec<u8> {
        self.behind(ZERO_ADDRESS)
    }
}

/// A client's request for a list of Xash3D's master, with the client's version and key in front of the
/// filter.
#[derive(Debug, Clone, Copy)]
pub struct XashListRequest<'a>(pub ServerFilter<'a>);

impl ClientListRequest for XashListRequest<'_> {
    fn encode(self, _: bool) -> Vec<u8> {
        get_xash_region(&xash_filter(&self.0.text()))
    }
}
