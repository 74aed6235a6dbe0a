//! The lists from masters, and which servers each of them should contain: a list for another game,
//! or with a filter, proves nothing about servers that are not in it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::list_request::ListRequest;
use crate::exchange::{Exchange, ListContents};
use crate::frame_ref::FrameRef;
use crate::host::ServerHost;
use flow::{Transport, Verdict};
use protocol::{Confidence, Reading};
use text::Secrets;

/// How many kinds of lists are kept of one master, and of all.
const KINDS_OF_ONE: usize = 64;
const KINDS: usize = 4_096;
/// How many lists of one kind are kept; as many as the second where all kinds have too many.
const OF_ONE_KIND: usize = 256;
const FEW_OF_ONE_KIND: usize = 16;
/// How many lists are kept in all; of each kind the first few are kept in addition.
const KEPT: usize = 1 << 16;

/// All lists, by the endpoint that got the request.
#[derive(Default)]
pub(super) struct Lists {
    /// Whether texts quote secrets.
    pub secrets: Secrets,
    masters: HashMap<SocketAddr, MasterLists, RandomState>,
    kinds: usize,
    /// How many lists are kept.
    kept: usize,
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

impl Lists {
    pub fn observe(&mut self, exchange: &Exchange) {
        let Some(listing) = exchange.listing() else {
            return;
        };
        let master = exchange.master().unwrap_or(exchange.responder);
        let request = listing.request.as_ref().map(|(entry, payload)| {
            let mut reading = Reading::default();
            reading.walk(entry, payload);
            ListRequest::from_reading(&reading, payload, entry.spec.id).showing(self.secrets)
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
            self.kept -= known.lists.len();
            known.add_list(moment, if self.kept < KEPT { OF_ONE_KIND } else { FEW_OF_ONE_KIND });
            self.kept += known.lists.len();
        } else if of_master.kinds.len() < KINDS_OF_ONE && self.kinds < KINDS {
            self.kinds += 1;
            self.kept += 1;
            of_master.kinds.push(ListKind { lists: vec![moment], count: 1, ..kind });
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

    /// Adds a list. If there are more than `most`, every second is forgotten, and only every second of
    /// those that come is kept.
    fn add_list(&mut self, list: ListMoment, most: usize) {
        if self.count.is_multiple_of(self.stride) {
            if self.lists.len() >= most {
                let mut keeps = false;
                self.lists.retain(|_| {
                    keeps = !keeps;
                    keeps
                });
                self.lists.shrink_to(most);
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
        if server.has_forgotten {
            return Some("not judged: there is no memory for all that servers told".to_owned());
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

/// Whether a list has no visible gap: if its protocol has an end mark, a packet has that mark.
fn is_complete(listing: &ListContents) -> bool {
    let is_cut = listing.packets.iter().any(|packet| packet.cut);
    let marks = listing.packets.iter().any(|packet| packet.end.is_some());
    listing.packet_count > 0 && !is_cut && (!marks || listing.is_marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::registry;

    #[test]
    fn lists_are_kept_at_regular_distances() {
        let game = registry().game("quake3").unwrap();
        let mut kind = ListKind {
            transport: Transport::Udp,
            verdict: Verdict { game, confidence: Confidence::Port },
            complete: true,
            request: None,
            lists: Vec::new(),
            stride: 1,
            count: 0,
        };
        // Where there is room for all, and where there is no more.
        for most in [OF_ONE_KIND, FEW_OF_ONE_KIND] {
            for _ in 0..10_000 {
                let time = kind.count.cast_signed();
                kind.add_list(ListMoment { frame: None, time }, most);
            }
            let times: Vec<_> = kind.lists.iter().map(|list| list.time).collect();
            let stride = usize::try_from(kind.stride).unwrap();
            let expected: Vec<_> = (0..kind.count.cast_signed()).step_by(stride).collect();
            assert_eq!(times, expected);
            assert!((most / 2..=most).contains(&times.len()), "{}", times.len());
        }
        assert_eq!(kind.count, 20_000);
        assert!(kind.lists.capacity() <= 2 * FEW_OF_ONE_KIND, "{}", kind.lists.capacity());
    }
}
