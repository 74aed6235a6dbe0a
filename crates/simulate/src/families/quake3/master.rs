//! What is said to a master of the Quake III family.

use super::messages::{
    self, QUAKE_NAME, Quake3ListRequest, RTCW_NAME, RegisteringQuake3, TERRITORY_NAME,
};
use super::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    ClientListRequest as _, HeartbeatMessages, ListMessages, ListPart, ListProgress, ListSelection,
    MasterMessages, Probe, RegistrationMessages,
};
use protocols::quake3::{
    ENEMY_TERRITORY, IW4X, JEDI_ACADEMY, Q3MASTER, QUAKE3, RTCW, UNVANQUISHED,
};

/// The words that select all servers.
const ALL: &str = "empty full";
/// The ends of a list's last datagram: with NULs, and that of Raven's masters.
const ENDS: [&[u8]; 2] = [b"\\EOT\0\0\0", b"\\EOF"];
/// The end of each datagram of id's masters, and of each but the last of Raven's.
const EACH_END: &[u8] = b"\\EOT";
/// With so many servers in it, more datagrams may follow such an end: those of Raven's masters have
/// 111, those of id's 112.
const FULL: usize = 111;

/// A game of the family.
struct Variant {
    /// Its protocol's number.
    number: u32,
    /// The tag of its heartbeats.
    tag: &'static str,
    /// The tag of its shutdown message.
    last_tag: Option<&'static str>,
    /// Its name in requests.
    name: &'static str,
    /// Which requests have that name.
    naming: GameNaming,
}

/// Which requests name their game.
#[derive(PartialEq, Eq)]
enum GameNaming {
    /// Extended ones, which IPv6 needs.
    OverIpv6,
    /// All, and the servers name it too.
    Always,
    /// All are extended ones.
    Extended,
}

// A server without a tag for its end says no more than with a heartbeat that it ends.
const QUAKE: Variant = Variant {
    number: 68,
    tag: messages::QUAKE,
    last_tag: None,
    name: QUAKE_NAME,
    naming: GameNaming::OverIpv6,
};
/// The document's game of DarkPlaces: 004 4) getservers.
const DARKPLACES: Variant = Variant {
    number: 3,
    tag: messages::DARKPLACES,
    name: "Nexuiz",
    naming: GameNaming::Always,
    ..QUAKE
};
const OF_RTCW: Variant = Variant {
    number: 60,
    tag: messages::WOLF,
    last_tag: Some(messages::WOLF_GOES),
    name: RTCW_NAME,
    ..QUAKE
};
const OF_TERRITORY: Variant = Variant {
    number: 82,
    tag: messages::TERRITORY,
    last_tag: Some(messages::TERRITORY_GOES),
    name: TERRITORY_NAME,
    ..QUAKE
};
/// Jedi Academy 1.01, whose servers have Quake III's tag.
const ACADEMY: Variant = Variant { number: 26, ..QUAKE };
const IW4: Variant =
    Variant { number: 150, tag: "IW4", name: "IW4", naming: GameNaming::Always, ..QUAKE };
/// Its clients send extended requests alone.
const DAEMON: Variant = Variant {
    number: 86,
    tag: "Unvanquished",
    last_tag: Some("Unvanquished-dead"),
    name: "UNVANQUISHED",
    naming: GameNaming::Extended,
};

/// A kind of master for each game: its profile, its port, and the kind with the same lists.
macro_rules! kinds {
    ($($name:ident: $profile:expr, $port:literal, $of:expr, $variant:ident, $means:literal;)+) => {
        /// The kinds of masters.
        pub static KINDS: &[&MasterMessages] = &[$(&$name),+];

        $(#[doc = $means]
        pub static $name: MasterMessages = MasterMessages {
            profile: $profile,
            port: $port,
            variant_of: $of,
            ipv4_only: None,
            list: ListMessages::Datagrams {
                request: |selection, _| $variant.request(selection),
                read: read_list_packet,
            },
            registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
                shutdown: match $variant.last_tag {
                    Some(_) => Some(|_, _| {
                        messages::heartbeat($variant.last_tag.unwrap_or_default())
                    }),
                    None => None,
                },
                ..HeartbeatMessages::new(
                    |selection, address| $variant.probe(selection).heartbeat(address),
                    |selection, request| $variant.probe(selection).answer(request),
                )
            }),
            servers: &SERVER_QUERY,
        };)+
    };
}

kinds! {
    QUAKE3_LIST: QUAKE3.id, 27950, None, QUAKE,
        "id Software's master of Quake III Arena, and others that answer as it does.";
    DPMASTER: "dpmaster", 27950, Some(QUAKE3.id), DARKPLACES,
        "dpmaster, whose games name themselves.";
    Q3MASTER_LIST: Q3MASTER.id, 27950, Some(QUAKE3.id), QUAKE,
        "Q3Master, which has the servers of other masters too.";
    RTCW_LIST: RTCW.id, 27950, Some(QUAKE3.id), OF_RTCW,
        "id Software's master of Return to Castle Wolfenstein.";
    TERRITORY: ENEMY_TERRITORY.id, 27950, Some(QUAKE3.id), OF_TERRITORY,
        "id Software's master of Enemy Territory.";
    ACADEMY_LIST: JEDI_ACADEMY.id, 29060, Some(QUAKE3.id), ACADEMY,
        "A master of Raven's games, with those of Jedi Academy.";
    ALTERWARE_LIST: IW4X.id, 20810, Some(QUAKE3.id), IW4,
        "AlterWare's master, with the servers of IW4x.";
    UNVANQUISHED_LIST: UNVANQUISHED.id, 27950, Some(QUAKE3.id), DAEMON,
        "A master of Unvanquished.";
}

impl Variant {
    fn number(&self, selection: &ListSelection) -> u32 {
        selection.protocol.unwrap_or(self.number)
    }

    fn game<'a>(&'a self, selection: &'a ListSelection) -> &'a str {
        if selection.game.is_empty() { self.name } else { &selection.game }
    }

    /// Whether requests that need no name have one, and servers say it.
    fn is_named(&self, selection: &ListSelection) -> bool {
        self.naming == GameNaming::Always || !selection.game.is_empty()
    }

    /// A server without players, so that nobody waits for one. It has DarkPlaces' tag, if a game is
    /// named that is not its own.
    fn probe(&self, selection: &ListSelection) -> Probe<RegisteringQuake3> {
        let is_other = !selection.game.is_empty();
        let server =
            RegisteringQuake3 { tag: if is_other { messages::DARKPLACES } else { self.tag } };
        let info = messages::server_info(&self.number(selection).to_string());
        let info = info.with("clients", "0").with("hostname", PROBE_NAME);
        let is_named = self.is_named(selection);
        let info = if is_named { info.with("gamename", self.game(selection)) } else { info };
        Probe { server, info }
    }

    fn request(&self, selection: &ListSelection) -> Vec<u8> {
        let protocol = i64::from(self.number(selection));
        let game = self.game(selection);
        let named = Quake3ListRequest { game, protocol, words: ALL, line_feed: false };
        if self.naming == GameNaming::Extended {
            return named.extended();
        }
        let has_name = selection.over_ipv6 || self.is_named(selection);
        let request = Quake3ListRequest { game: if has_name { game } else { "" }, ..named };
        request.encode(selection.over_ipv6)
    }
}

fn read_list_packet(packet: &[u8]) -> Option<ListPart> {
    let records = messages::list_records(packet)?;
    let is_last = ENDS.iter().any(|end| packet.ends_with(end));
    let is_last = is_last || packet.ends_with(EACH_END) && records.servers.len() < FULL;
    let whole = ListPart::new(records, is_last);
    let numbered = messages::packet_number(packet).and_then(|(number, count)| {
        let (number, count) = (u16::try_from(number).ok()?, u16::try_from(count).ok()?);
        Some(ListProgress::Numbered { number, count })
    });
    Some(match numbered {
        Some(end) => ListPart { end, ..whole },
        None => whole,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A datagram of a list with so many servers and this end.
    fn datagram(head: &[u8], servers: usize, end: &[u8]) -> Vec<u8> {
        let records = b"\\\xc0\0\x02\x01\x6d\x38".repeat(servers);
        [b"\xff\xff\xff\xffgetserversResponse", head, &records, end].concat()
    }

    #[test]
    fn each_form_says_which_datagram_is_the_last() {
        for (head, servers, end, expected) in [
            (&b""[..], 3, &b"\\EOT\0\0\0"[..], ListProgress::Whole),
            (b"", 3, b"\\EOT", ListProgress::Whole),
            (b"", 112, b"\\EOT", ListProgress::Unknown),
            (b"\n\0", 111, b"\\EOT", ListProgress::Unknown),
            (b"\n\0", 3, b"\\EOF", ListProgress::Whole),
            (b"", 3, b"", ListProgress::Unknown),
            (b"\x001\x002\0", 3, b"\\", ListProgress::Numbered { number: 1, count: 2 }),
        ] {
            let part = read_list_packet(&datagram(head, servers, end)).unwrap();
            assert_eq!(
                (part.records.servers.len(), part.end),
                (servers, expected),
                "{}",
                end.escape_ascii()
            );
        }
    }
}
