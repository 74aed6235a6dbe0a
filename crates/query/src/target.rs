//! Whom a question goes to: a target, and the game that its name or its port tells.

use std::net::SocketAddr;

use super::master_kind::candidates;
use super::message::QueryMessage;
use protocol::{Game, Protocol, Role};
use protocols::registry;
use simulate::families::{MasterMessages, ServerQuestions, master_kinds, queried};
use simulate::{Consent, Target, TargetError};

/// What stands between the game and the host.
const BEHIND_GAME: &str = "://";

/// A target of questions, as the user typed it.
#[derive(Debug, Clone)]
pub struct QueryTarget {
    /// The host, and its port if one was typed.
    pub target: Target,
    /// The game or the protocol, if one was typed.
    pub named: Option<NamedProtocol>,
}

/// What stands before `://`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NamedProtocol {
    /// A game.
    Game(&'static Game),
    /// A protocol, whatever the game.
    Protocol(&'static Protocol),
}

/// Why a text is no target of questions.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum QueryTargetError {
    #[error("{name}: no such game; {near}")]
    Game { name: String, near: String },
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// One way to ask a target.
#[derive(Debug, Clone, Copy)]
pub struct Approach {
    /// What it is asked.
    pub subject: TargetSubject,
    /// Where.
    pub at: SocketAddr,
}

/// What a target is asked, and as what.
#[derive(Debug, Clone, Copy)]
pub enum TargetSubject {
    /// As a server, for its state.
    Server(&'static ServerQuestions),
    /// As a master, for its list.
    Master(&'static MasterMessages),
}

impl TargetSubject {
    /// The name of what is asked so, for people: of a protocol, or of a kind of master.
    pub fn name(self) -> &'static str {
        match self {
            Self::Server(query) => match query.games {
                [only] => only.title,
                _ => query.protocol.title,
            },
            Self::Master(kind) => kind.profile,
        }
    }
}

impl QueryTarget {
    /// The target in `HOST[:PORT]` or `GAME://HOST[:PORT]`; the game is one of the catalogue by its
    /// id, or a protocol by its own.
    ///
    /// # Errors
    /// If there is no such game, or nothing may be sent to the host.
    pub fn parse(text: &str, consent: Consent) -> Result<Self, QueryTargetError> {
        let Some((name, place)) = text.split_once(BEHIND_GAME) else {
            return Ok(Self { target: found(text, consent)?, named: None });
        };
        let named = named(&name.to_lowercase())?;
        // As URLs end.
        let place = place.strip_suffix('/').unwrap_or(place);
        Ok(Self { target: found(place, consent)?, named: Some(named) })
    }

    /// The protocols that the name or the port tells; none if neither does.
    pub fn protocols(&self) -> Vec<&'static Protocol> {
        match (self.named, self.target.port()) {
            (Some(NamedProtocol::Protocol(protocol)), _) => vec![protocol],
            (Some(NamedProtocol::Game(game)), _) => speaks(game),
            (None, None) => Vec::new(),
            (None, Some(port)) => {
                let games = registry().games().filter(|game| game.listens(port).is_some());
                let mut all: Vec<&'static Protocol> = games.flat_map(speaks).collect();
                let mut seen = Vec::new();
                all.retain(|protocol| {
                    let is_new = !seen.contains(protocol);
                    seen.push(*protocol);
                    is_new
                });
                all
            }
        }
    }

    /// The port for a message, if it has none of its own: the documented one of who gets it.
    pub fn port_for(&self, message: &QueryMessage) -> u16 {
        let Some(entry) = message.entry else { return 0 };
        let to = entry.spec.directions.first().map(|(_, to)| *to);
        let game = match self.named {
            Some(NamedProtocol::Game(game)) => Some(game),
            _ => entry.protocol.games.first().copied(),
        };
        let mut ports = game.into_iter().flat_map(|game| game.ports);
        ports.find(|port| Some(port.role) == to).map_or(0, |port| port.number)
    }

    /// The ways to ask it as a server or a master, the likeliest first: by its game, else by its port,
    /// else those of all families.
    pub fn approaches(&self) -> Vec<Approach> {
        let port = self.target.port();
        let games: Vec<_> = match (self.named, port) {
            (Some(NamedProtocol::Game(game)), _) => vec![game],
            (Some(NamedProtocol::Protocol(protocol)), _) => protocol.games.to_vec(),
            (None, Some(port)) => {
                registry().games().filter(|game| game.listens(port).is_some()).collect()
            }
            (None, None) => Vec::new(),
        };
        let is_role = |role| {
            let has = |game: &&Game| {
                game.ports.iter().any(|own| Some(own.number) == port && own.role == role)
            };
            games.iter().any(has)
        };
        let (of_servers, of_masters) = (is_role(Role::Server), is_role(Role::Master));
        let mut all = Vec::new();
        if of_servers || !of_masters {
            all.extend(self.server_approaches(&games, of_servers.then_some(port).flatten()));
        }
        if of_masters {
            all.extend(self.master_approaches());
        }
        all
    }

    /// The ways to ask it for its list, the likeliest first.
    pub fn master_approaches(&self) -> Vec<Approach> {
        let kinds = match self.named {
            Some(NamedProtocol::Game(game)) => {
                let own: Vec<_> = master_kinds().filter(|kind| kind.profile == game.id).collect();
                if own.is_empty() { kinds_of(&speaks(game)) } else { own }
            }
            Some(NamedProtocol::Protocol(protocol)) => kinds_of(&[protocol]),
            None => candidates(self.target.port()),
        };
        let fits = |kind: &&MasterMessages| !(kind.ipv4_only.is_some() && self.target.is_ipv6());
        let approach = |kind: &'static MasterMessages| Approach {
            subject: TargetSubject::Master(kind),
            at: self.target.at(kind.port),
        };
        kinds.into_iter().filter(fits).map(approach).collect()
    }

    /// The ways to ask it as a server of one of these games, or of any if there are none: at its own
    /// port, else at the documented ones. `role_port` is its port, if servers have that.
    fn server_approaches(&self, games: &[&'static Game], role_port: Option<u16>) -> Vec<Approach> {
        let listens = |game: &&Game| {
            let is_here = |port: u16| game.ports.iter().any(|own| own.number == port);
            role_port.is_none_or(is_here)
        };
        let likely: Vec<_> = games.iter().copied().filter(listens).collect();
        let fits = |query: &&ServerQuestions| match self.named {
            Some(NamedProtocol::Protocol(protocol)) => query.protocol == protocol,
            _ => likely.is_empty() || likely.iter().any(|game| query.is_for(game)),
        };
        let approach = |query: &'static ServerQuestions| {
            let of_query = |game: &&&'static Game| query.is_for(game);
            let game = likely.iter().find(of_query).or(query.games.first());
            let game = game.or(query.protocol.games.first());
            let mut ports = game.into_iter().flat_map(|game| game.ports);
            let documented = ports.find(|port| port.role == Role::Server);
            let port = self.target.port().or(documented.map(|port| port.number))?;
            Some(Approach { subject: TargetSubject::Server(query), at: self.target.at(port) })
        };
        queried().filter(fits).filter_map(approach).collect()
    }
}

/// The target in a text. Of a name with addresses of both families, it is the only one of IPv4.
fn found(place: &str, consent: Consent) -> Result<Target, TargetError> {
    let ambiguous = match Target::find(place, consent) {
        Err(TargetError::Ambiguous { host, addresses }) => (host, addresses),
        found => return found,
    };
    let (host, addresses) = ambiguous;
    let mut of_ipv4 = addresses.iter().filter(|address| address.is_ipv4());
    match (of_ipv4.next(), of_ipv4.next(), place.strip_prefix(host.as_str())) {
        (Some(only), None, Some(port)) => Target::find(&format!("{only}{port}"), consent),
        _ => Err(TargetError::Ambiguous { host, addresses }),
    }
}

/// The game or the protocol with this id.
fn named(name: &str) -> Result<NamedProtocol, QueryTargetError> {
    let registry = registry();
    let protocol = || registry.protocol(name).map(NamedProtocol::Protocol);
    registry.game(name).map(NamedProtocol::Game).or_else(protocol).ok_or_else(|| {
        let names: Vec<_> = registry.games().map(|game| game.id).collect();
        let near = text::nearest(name, names.iter().copied(), 2);
        let near = near.map(|near| format!("did you mean {near}?"));
        let near = near.unwrap_or_else(|| "`fragshark catalogue` lists all".to_owned());
        QueryTargetError::Game { name: name.to_owned(), near }
    })
}

/// The protocols that list a game, its own first.
fn speaks(game: &'static Game) -> Vec<&'static Protocol> {
    let others = registry()
        .protocols()
        .iter()
        .copied()
        .filter(|protocol| *protocol != game.protocol && protocol.games.contains(&game));
    std::iter::once(game.protocol).chain(others).collect()
}

/// The kinds of masters of these protocols that are no variants of others.
fn kinds_of(protocols: &[&'static Protocol]) -> Vec<&'static MasterMessages> {
    let speaks = |kind: &&MasterMessages| {
        let is_own = |game: &Game| game.id == kind.profile;
        protocols.iter().any(|protocol| protocol.games.iter().any(|game| is_own(game)))
    };
    master_kinds().filter(|kind| kind.variant_of.is_none()).filter(speaks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approaches(text: &str) -> Vec<String> {
        let target = QueryTarget::parse(text, Consent::default()).unwrap();
        let all = target.approaches();
        all.iter().map(|way| format!("{} {}", way.subject.name(), way.at.port())).collect()
    }

    #[test]
    fn the_port_or_the_game_tells_what_is_asked() {
        for (text, expected) in [
            ("127.0.0.1:27960", &["Quake III Arena 27960"][..]),
            ("127.0.0.1:27015", &["Source query 27015", "Half-Life 27015"]),
            ("127.0.0.1:27500", &["QuakeWorld 27500"]),
            ("127.0.0.1:26950", &["HexenWorld 26950"]),
            ("127.0.0.1:27950", &["quake3 27950"]),
            ("127.0.0.1:29060", &["jedi-academy 29060"]),
            ("quake2://127.0.0.1", &["Quake 2 27910"]),
            ("quake2://127.0.0.1:1234", &["Quake 2 1234"]),
            ("quake2://127.0.0.1:27900", &["quake2 27900"]),
            ("source://127.0.0.1:5", &["Source query 5", "Half-Life 5"]),
            ("teeworlds://[::1]:8303", &["Teeworlds 8303", "Teeworlds 8303"]),
        ] {
            assert_eq!(approaches(text), expected, "{text}");
        }
        assert!(approaches("127.0.0.1:1234").len() > 15);
        assert!(approaches("127.0.0.1").len() > 15);
    }

    #[test]
    fn what_is_no_target_is_refused_with_a_reason() {
        let refused = |text: &str| {
            let consent = Consent { authorized: true, rate: None };
            QueryTarget::parse(text, consent).unwrap_err().to_string()
        };
        let game = refused("quakee3://127.0.0.1");
        assert!(game.starts_with("quakee3: no such game; did you mean quake3?"), "{game}");
        for text in ["255.255.255.255:27960", "quake3://224.0.0.1:27960", "0.0.0.0:27960"] {
            let refused = refused(text);
            assert!(refused.ends_with("is not the address of one machine"), "{text}: {refused}");
        }
        assert!(refused("127.0.0.1:0").contains("not a target"));
    }
}
