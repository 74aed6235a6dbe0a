//! The services of a master: one table, with their games and documented ports.

use super::registry::Namespace;
use crate::protocol::{Carrier, Game};
use crate::protocols::doom3::DOOM3;
use crate::protocols::gamespy::GAMESPY;
use crate::protocols::half_life::HALF_LIFE;
use crate::protocols::quake2::{HERETIC2, QUAKE2};
use crate::protocols::quake3::{ELITE_FORCE, QUAKE3};
use crate::protocols::quakeworld::{HEXENWORLD, QUAKEWORLD};

/// One service on a port.
#[derive(Debug)]
pub struct Service {
    pub(super) speaks: Speaks,
    game: &'static Game,
    /// Its name, unless it is the game's list itself.
    part: Option<&'static str>,
    pub carrier: Carrier,
    /// The documented port.
    pub port: u16,
    /// Whether it runs by default.
    pub usual: bool,
    /// What it does.
    pub means: &'static str,
    /// The source of the port.
    pub source: &'static str,
}

/// The protocol of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaks {
    Quake3,
    Motd,
    Authorize,
    Update,
    EliteForce,
    Quake2,
    Heretic2,
    QuakeWorld,
    HexenWorld,
    Doom3,
    HalfLife,
    GameSpy,
    GameSpyList,
}

/// Every service, in the order in which they are printed.
pub static SERVICES: &[Service] = &[
    Service {
        means: "servers of Quake III, RtCW, Enemy Territory, DarkPlaces' games, Q3Master",
        source: "001 1, 001 8, 001 11, 004",
        ..udp(Speaks::Quake3, &QUAKE3, 27950)
    },
    Service {
        part: Some("motd"),
        means: "messages of the day, and Enemy Territory's updates",
        source: "001 1.1.4, 001 8.6, 001 11.3",
        ..udp(Speaks::Motd, &QUAKE3, 27951)
    },
    Service {
        part: Some("authorize"),
        means: "keys of players, and servers that ask about them",
        source: "001 1.1.3, 001 8.3",
        ..udp(Speaks::Authorize, &QUAKE3, 27952)
    },
    Service {
        part: Some("update"),
        means: "Enemy Territory's updates, on the port that its servers have too",
        source: "001 11.1",
        usual: false,
        ..udp(Speaks::Update, &QUAKE3, 27960)
    },
    Service {
        means: "servers of Elite Force",
        source: "001 4",
        ..udp(Speaks::EliteForce, &ELITE_FORCE, 27953)
    },
    Service { means: "servers of Quake 2", source: "001 3", ..udp(Speaks::Quake2, &QUAKE2, 27900) },
    Service {
        means: "servers of Heretic 2",
        source: "001 2",
        ..udp(Speaks::Heretic2, &HERETIC2, 28900)
    },
    Service {
        means: "servers of QuakeWorld",
        source: "001 6",
        ..udp(Speaks::QuakeWorld, &QUAKEWORLD, 27000)
    },
    Service {
        means: "servers of HexenWorld",
        source: "001 7",
        ..udp(Speaks::HexenWorld, &HEXENWORLD, 26900)
    },
    Service {
        means: "servers of Doom 3, versions and players' keys",
        source: "001 9",
        ..udp(Speaks::Doom3, &DOOM3, 27650)
    },
    Service {
        means: "servers of Half-Life",
        source: "001 10",
        ..udp(Speaks::HalfLife, &HALF_LIFE, 27010)
    },
    Service {
        means: "heartbeats of GameSpy's games, on the port that Quake 2's master has too",
        source: "003 Heartbeat, 001 5.1",
        ..udp(Speaks::GameSpy, &GAMESPY, 27900)
    },
    Service {
        part: Some("gamespy-list"),
        carrier: Carrier::Stream,
        means: "lists of GameSpy's games",
        source: "001 5.6",
        ..udp(Speaks::GameSpyList, &GAMESPY, 28900)
    },
];

const fn udp(speaks: Speaks, game: &'static Game, port: u16) -> Service {
    let carrier = Carrier::Datagram;
    Service { speaks, game, part: None, carrier, port, usual: true, means: "", source: "" }
}

impl Speaks {
    /// The namespace of the servers that register there.
    fn lists(self) -> Option<Namespace> {
        Some(match self {
            Self::Quake3 => Namespace::Named,
            Self::EliteForce => Namespace::EliteForce,
            Self::Quake2 => Namespace::Quake2,
            Self::Heretic2 => Namespace::Heretic2,
            Self::QuakeWorld => Namespace::QuakeWorld,
            Self::HexenWorld => Namespace::HexenWorld,
            Self::Doom3 => Namespace::Doom3,
            Self::HalfLife => Namespace::HalfLife,
            Self::GameSpy => Namespace::GameSpy,
            Self::Motd | Self::Authorize | Self::Update | Self::GameSpyList => return None,
        })
    }
}

impl Service {
    /// Its name on the command line: the game's id, or a name of its own.
    pub fn name(&self) -> &'static str {
        self.part.unwrap_or(self.game.id)
    }

    /// The service of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SERVICES.iter().find(|service| service.name() == name)
    }

    /// The name of the service that lists the servers of a namespace.
    pub(super) fn of(realm: Namespace) -> &'static str {
        let lists = |service: &&Self| service.speaks.lists() == Some(realm);
        SERVICES.iter().find(lists).map_or("", Self::name)
    }

    /// `udp` or `tcp`.
    pub fn transport(&self) -> &'static str {
        match self.carrier {
            Carrier::Datagram => "udp",
            Carrier::Stream => "tcp",
        }
    }
}

/// Services are `static`s: equal addresses mean the same service.
impl PartialEq for Service {
    fn eq(&self, other: &Self) -> bool {
        self.speaks == other.speaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Role;

    #[test]
    fn names_are_unique_and_ports_are_the_games() {
        for service in SERVICES {
            assert_eq!(Service::named(service.name()), Some(service));
            if service.part.is_none() {
                assert_eq!(service.game.listens(service.port), Some(Role::Master), "{service:?}");
            }
        }
        assert_eq!(Service::named("quake"), None);
    }
}
