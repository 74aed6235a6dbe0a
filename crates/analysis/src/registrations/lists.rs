//! The lists from masters, and which servers each of them should contain: a list for another game,
//! or with a filter, proves nothing about servers that are not in it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::exchange::{Exchange, ListContents};
use crate::frame_ref::FrameRef;
use crate::host::ServerHost;
use codec::{FieldRole, Info, Kind, Node, RawBytes as _, Span};
use flow::{Transport, Verdict};
use protocol::{Confidence, Reading, harmless};
use text::Secrets;

/// How many kinds of lists are kept of one master, and of all.
const KINDS_OF_ONE: usize = 64;
const KINDS: usize = 4_096;
/// How many lists of one kind are kept.
const OF_ONE_KIND: usize = 256;

/// All lists, by the endpoint that got the request.
#[derive(Default)]
pub(super) struct Lists {
    /// Whether texts quote secrets.
    pub secrets: Secrets,
    masters: HashMap<SocketAddr, MasterLists, RandomState>,
    kinds: usize,
    left_out: u64,
    /// Lists of masters of which none is kept.
    of_others: u64,
}

/// The lists of one master.
#[derive(Default)]
struct MasterLists {
    kinds: Vec<ListKind>,
    left_out: u64,
}

/// The lists that a server may be missing from.
pub(super) struct SeenLists<'a> {
    kinds: Vec<&'a ListKind>,
    /// How many lists are of kinds that were not kept: nothing is known of them but their number.
    pub left_out: u64,
}

/// The lists of one master that were requested alike: a server is excused from all of them, or from
/// none.
#[derive(Debug)]
pub(super) struct ListKind {
    transport: Transport,
    /// The game of the request.
    verdict: Verdict,
    /// All of it was captured, as far as it can be seen.
    complete: bool,
    request: Option<ListRequest>,
    /// Some of these lists, at regular distances: the first, and of the others one in `stride`.
    lists: Vec<ListMoment>,
    stride: u64,
    count: u64,
}

/// Whether nothing names the game.
fn is_guess(verdict: Verdict) -> bool {
    verdict.confidence <= Confidence::Form
}

/// When a list was requested.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListMoment {
    pub frame: Option<FrameRef>,
    /// In nanoseconds since the Unix epoch.
    pub time: i64,
}

/// The parameters of a list request.
#[expect(clippy::struct_excessive_bools, reason = "the keywords of a request")]
#[derive(Debug, Default, PartialEq, Eq)]
struct ListRequest {
    protocol: Option<Box<[u8]>>,
    gamename: Option<Box<[u8]>>,
    empty: bool,
    full: bool,
    ipv4: bool,
    ipv6: bool,
    /// It is Quake III's, which leaves out empty and full servers by default.
    is_quake3: bool,
    /// It is of a kind that may request IPv6.
    is_extended: bool,
    /// The conditions of a filter that has the names of what servers tell.
    conditions: Vec<FilterCondition>,
    /// Its other filter.
    filter: Option<Box<[u8]>>,
    /// It continues after a server of the packet before.
    goes_on: bool,
    secrets: Secrets,
}

/// A key and the value that it must have.
type FilterCondition = (&'static str, Box<[u8]>);

/// Conditions that leave no server out: what a client says of itself, and how the list begins.
const OF_CLIENT: [&str; 7] = ["arch", "branch", "buildnum", "clver", "commit", "key", "os"];

impl Lists {
    pub fn observe(&mut self, exchange: &Exchange) {
        let Some(listing) = exchange.listing() else {
            return;
        };
        let master = exchange.master().unwrap_or(exchange.responder);
        let request = listing.request.as_ref().map(|(entry, payload)| {
            let mut reading = Reading::default();
            reading.walk(entry, payload);
            let request = ListRequest::from_reading(&reading, payload, entry.spec.id);
            ListRequest { secrets: self.secrets, ..request }
        });
        let kind = ListKind {
            transport: exchange.transport,
            verdict: exchange.verdict,
            complete: is_complete(listing) && !exchange.cut,
            request,
            lists: Vec::new(),
            stride: 1,
            count: 0,
        };
        let moment = ListMoment { frame: exchange.frames().next(), time: exchange.first };
        if self.kinds >= KINDS && !self.masters.contains_key(&master) {
            self.of_others += 1;
            return;
        }
        let of_master = self.masters.entry(master).or_default();
        if let Some(known) = of_master.kinds.iter_mut().find(|known| known.is_like(&kind)) {
            known.add_list(moment);
        } else if of_master.kinds.len() < KINDS_OF_ONE && self.kinds < KINDS {
            self.kinds += 1;
            of_master.kinds.push(kind);
            of_master.kinds.last_mut().into_iter().for_each(|kind| kind.add_list(moment));
        } else {
            of_master.left_out += 1;
            self.left_out += 1;
        }
    }

    /// Number of lists of which nothing is known but that they were there.
    pub fn left_out(&self) -> u64 {
        self.left_out + self.of_others
    }

    /// The lists of a master. If lists come from another port (TCP) than heartbeats go to, they are
    /// found by the address, unless the server has several masters at that address.
    pub fn lists_of(&self, master: SocketAddr, host: Option<&ServerHost>) -> SeenLists<'_> {
        let stats = host.map(|host| host.registrations.as_slice()).unwrap_or_default();
        let registered =
            stats.iter().filter(|d| d.master.ip() == master.ip() && d.heartbeats() > 0);
        let is_only = registered.count() <= 1;
        if let Some(lists) = self.masters.get(&master) {
            return SeenLists { kinds: lists.kinds.iter().collect(), left_out: lists.left_out };
        }
        let here = self.masters.iter().filter(|(m, _)| is_only && m.ip() == master.ip());
        // Any of the others may be this master.
        let (mut kinds, mut left_out) = (Vec::new(), self.of_others);
        for (_, lists) in here {
            kinds.extend(lists.kinds.iter().filter(|kind| kind.transport == Transport::Tcp));
            left_out += lists.left_out;
        }
        kinds.sort_by_key(|kind| kind.lists.first().and_then(|list| list.frame));
        SeenLists { kinds, left_out }
    }
}

impl SeenLists<'_> {
    /// How many lists there were.
    pub fn count(&self) -> u64 {
        self.left_out + self.kinds.iter().map(|kind| kind.count).sum::<u64>()
    }

    /// Each kind of which a list was requested in this time, with those lists that are kept; whether
    /// there were more of them is told by [`ListKind::is_sampled`].
    pub fn within(&self, time: Range<i64>) -> Vec<(&ListKind, Vec<ListMoment>)> {
        let in_time = |kind: &&ListKind| {
            let lists = kind.lists.iter().copied();
            lists.filter(|list| time.contains(&list.time)).collect::<Vec<_>>()
        };
        let kinds = self.kinds.iter().map(|kind| (*kind, in_time(kind)));
        kinds.filter(|(_, lists)| !lists.is_empty()).collect()
    }

    /// Whether a list was requested of which nothing is kept.
    pub fn has_unknown(&self) -> bool {
        self.left_out > 0 || self.kinds.iter().any(|kind| kind.is_sampled())
    }
}

impl ListKind {
    fn is_like(&self, other: &Self) -> bool {
        self.transport == other.transport
            && self.verdict.game == other.verdict.game
            && is_guess(self.verdict) == is_guess(other.verdict)
            && self.complete == other.complete
            && self.request == other.request
    }

    /// Adds a list. If there are too many, every second is forgotten, and only every second of those
    /// that come is kept.
    fn add_list(&mut self, list: ListMoment) {
        if self.count.is_multiple_of(self.stride) {
            if self.lists.len() == OF_ONE_KIND {
                let mut keeps = false;
                self.lists.retain(|_| {
                    keeps = !keeps;
                    keeps
                });
                self.stride *= 2;
            }
            if self.count.is_multiple_of(self.stride) {
                self.lists.push(list);
            }
        }
        self.count += 1;
    }

    /// Whether there are more lists than are kept.
    pub fn is_sampled(&self) -> bool {
        self.stride > 1
    }

    /// Why a server need not be in these lists; nothing if it must be. Unless the capture has the
    /// server's complete answer to the master (`is_known_in_full`), a filter on an unknown value is a
    /// reason.
    pub fn excuse(&self, server: &ServerHost, is_known_in_full: bool) -> Option<String> {
        if !self.complete {
            return Some("not all of it was captured".to_owned());
        }
        // Where both say a name, that decides: a server's protocol may be another than its list's.
        let is_named = self
            .request
            .as_ref()
            .is_some_and(|r| r.gamename.is_some() && server.gamename.is_some());
        let differs = |verdict: &Verdict| !is_named && verdict.game != self.verdict.game;
        if let Some(verdict) = server.verdict.filter(differs) {
            let why = match (is_guess(self.verdict), is_guess(verdict)) {
                (true, _) => "it was perhaps asked for another game: the list's game is a guess",
                (_, true) => "it was perhaps asked for another game: the server's game is a guess",
                _ => "it was asked for another game",
            };
            return Some(why.to_owned());
        }
        self.request.as_ref().map_or_else(
            || Some("the request for it was not captured".to_owned()),
            |request| {
                request
                    .excuse(server)
                    .or_else(|| request.doubt(server).filter(|_| !is_known_in_full))
            },
        )
    }
}

impl ListRequest {
    fn from_reading(reading: &Reading, payload: &[u8], id: &str) -> Self {
        let is_extended = id == "getservers-ext";
        let is_quake3 = is_extended || id == "getservers";
        let mut request = Self { is_quake3, is_extended, ..Self::default() };
        // A filter may be a group of conditions, and those be in groups, which are not judged.
        let all = &reading.spans().all;
        let has_groups =
            all.iter().any(|s| s.node != Node::Leaf && matches!(s.field.name, "nor" | "nand"));
        let is_value = |s: &&Span| s.node == Node::Leaf || s.field.name == "filter" && has_groups;
        let filter = all.iter().find(|s| s.node != Node::Leaf && s.field.name == "filter");
        let conditions = filter.filter(|_| !has_groups).map(|filter| filter.start..filter.end);
        for span in all.iter().filter(is_value) {
            let bytes = reading.bytes(payload, span);
            if conditions.as_ref().is_some_and(|filter| filter.contains(&span.start)) {
                if span.field.kind != Kind::Key && span.field.is_data() {
                    request.conditions.push((span.field.name, span.shape.text(bytes).into()));
                }
                continue;
            }
            let text = || Some(span.shape.text(bytes).into());
            match (span.field.role, span.field.name) {
                (FieldRole::Protocol, _) => request.protocol = text(),
                (_, "gamename") => request.gamename = text(),
                (_, "keyword") => request.keyword(bytes),
                (_, "filter" | "fs_game" | "where") if bytes.iter().any(|b| *b != 0) => {
                    request.filter = text();
                }
                (_, "cursor") => request.goes_on |= bytes.iter().any(|b| *b != 0),
                (_, "from") => request.goes_on |= bytes != b"0.0.0.0:0" && !bytes.is_empty(),
                _ => {}
            }
        }
        request
    }

    fn keyword(&mut self, word: &[u8]) {
        match word.to_ascii_lowercase().as_slice() {
            b"" | b"demo" => {}
            b"empty" => self.empty = true,
            b"full" => self.full = true,
            b"ipv4" => self.ipv4 = true,
            b"ipv6" => self.ipv6 = true,
            other => self.filter = Some(other.into()),
        }
    }

    /// The part of the filter that cannot be checked for a server.
    fn doubt(&self, server: &ServerHost) -> Option<String> {
        let by_players = self.is_quake3 && !(self.empty && self.full);
        let unknown = if self.gamename.is_some() && server.gamename.is_none() {
            "gamename"
        } else if self.protocol.is_some() && server.protocol.is_none() {
            "protocol"
        } else if by_players && (server.players.is_none() || server.max_players.is_none()) {
            "players"
        } else {
            return None;
        };
        Some(format!("it is filtered by {unknown}, which the capture does not tell"))
    }

    fn excuse(&self, server: &ServerHost) -> Option<String> {
        let escaped = |text: &[u8]| harmless(text, self.secrets);
        if self.goes_on {
            return Some("it is one part of a list".to_owned());
        }
        if let (Some(requested), Some(own)) = (&self.gamename, &server.gamename)
            && !requested.eq_ignore_ascii_case(own)
        {
            let (requested, own) = (escaped(requested), escaped(own));
            return Some(format!("it asks for servers of {requested}, this is one of {own}"));
        }
        if let (Some(requested), Some(own)) = (&self.protocol, &server.protocol)
            && requested != own
        {
            let (requested, own) = (escaped(requested), escaped(own));
            return Some(format!("it asks for protocol {requested}, the server speaks {own}"));
        }
        if let Some(why) = self.unmet_condition(server) {
            return Some(why);
        }
        let family = match (server.address.is_ipv6(), self.is_extended) {
            (true, false) => Some("this kind of list has IPv4 servers only"),
            (true, true) if self.ipv4 && !self.ipv6 => Some("it asks for IPv4 servers only"),
            (false, true) if self.ipv6 && !self.ipv4 => Some("it asks for IPv6 servers only"),
            _ => None,
        };
        let filters = self.is_quake3;
        let players = match (server.players, server.max_players) {
            (Some(0), _) if filters && !self.empty => {
                Some("it does not ask for empty servers, and nobody is on this one")
            }
            (Some(players), Some(max_players))
                if filters && players >= max_players && !self.full =>
            {
                Some("it does not ask for full servers, and this one is full")
            }
            _ => None,
        };
        if let Some(why) = family.or(players) {
            return Some(why.to_owned());
        }
        let filter = self.filter.as_deref()?;
        Some(format!("it asks only for servers with {}", escaped(filter)))
    }
}

impl ListRequest {
    /// A condition that the server does not meet, or may not meet, by what it told its master. What it
    /// did not mention is 0 for masters.
    fn unmet_condition(&self, server: &ServerHost) -> Option<String> {
        let pairs = server.filtered.as_deref().map(Info::from_raw);
        let conditions = self.conditions.iter().filter(|(key, _)| !OF_CLIENT.contains(key));
        for (key, value) in conditions {
            let own = pairs.map(|pairs| pairs.get(key.as_bytes()).unwrap_or(b"0"));
            if own.is_some_and(|own| own.eq_ignore_ascii_case(value)) {
                continue;
            }
            let escaped = |text: &[u8]| harmless(text, self.secrets);
            let wanted = format!("it asks only for servers with {key} {}", escaped(value));
            return Some(match own {
                Some(own) => format!("{wanted}, this one has {}", escaped(own)),
                None => wanted,
            });
        }
        None
    }
}

/// Whether a list has no visible gap: if its protocol has an end mark, a packet has that mark.
fn is_complete(listing: &ListContents) -> bool {
    let is_cut = listing.packets.iter().any(|packet| packet.cut);
    let marks = listing.packets.iter().any(|packet| packet.end.is_some());
    listing.packet_count > 0 && !is_cut && (!marks || listing.is_marked)
}
