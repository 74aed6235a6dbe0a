//! Lists of servers, compared as what they are: sets, of which a replay can only expect those that
//! it registered itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, SocketAddr};

use super::account::{Asked, Reply};
use super::fields::{Item, items};
use super::standing::{Standing, Standings};
use crate::proto::Reading;
use crate::wire::{Kind, Role};

/// Nanoseconds after which a master may have forgotten a server that it heard of in the recording,
/// and cannot in the run, where time passes faster.
const LONG_AGO: i64 = 600_000_000_000;

/// What was answered to one request for a list, its packets together.
#[derive(Debug, Default)]
pub(super) struct List {
    /// Every server, and how often it stands there.
    servers: BTreeMap<SocketAddr, u32>,
    /// The bytes by which it says that it is complete; nothing where its last packet does not say.
    end: Option<Vec<u8>>,
    /// Whether its message has a place for that.
    ends: bool,
}

/// What differs between two lists.
pub(super) struct Differs {
    pub field: &'static str,
    /// Why that was to be expected.
    pub expected: Option<&'static str>,
    pub text: String,
}

/// Two lists, and how the servers stood that are on them.
pub(super) struct Pair<'a> {
    pub recorded: &'a Asked,
    pub live: &'a Asked,
    pub was: &'a Standings,
    pub is: &'a Standings,
    /// The hosts that are played, as they are called in the recording.
    pub hosts: &'a BTreeSet<IpAddr>,
    /// When each end first answered the target, and when the list was asked for, in nanoseconds
    /// from the start of the run.
    pub proved: &'a HashMap<SocketAddr, u64>,
    pub at: u64,
}

impl List {
    pub fn of<'r>(reading: &mut Reading, packets: impl Iterator<Item = &'r Reply>) -> Self {
        let mut list = Self::default();
        for packet in packets {
            let said = items(reading, packet.entry, &packet.bytes);
            list.ends |= packet.entry.spec.dealing.marks_end;
            // The last packet counts; one that marks its end stays complete whatever follows it.
            list.end = end(&said).or(list.end.take());
            let is_piece = packet.entry.spec.part.is_some();
            for server in servers(&said).filter(|server| !is_piece || server.port() != 0) {
                *list.servers.entry(server).or_insert(0) += 1;
            }
        }
        list
    }

    pub fn len(&self) -> usize {
        self.servers.len()
    }
}

/// The bytes that mark an end; half a mark is none.
fn end(items: &[Item]) -> Option<Vec<u8>> {
    let mark = items.iter().find(|i| i.field.role == Role::End)?;
    let is_key = mark.field.kind != Kind::Separator;
    (is_key || mark.bytes.len() > 1).then(|| mark.bytes.clone())
}

fn servers(items: &[Item]) -> impl Iterator<Item = SocketAddr> {
    let mut ip = None;
    items.iter().filter(|item| item.listed).filter_map(move |item| {
        let text = std::str::from_utf8(&item.text).ok()?;
        match item.field.role {
            Role::Address => {
                ip = text.parse::<IpAddr>().ok();
                None
            }
            Role::Port => Some(SocketAddr::new(ip.take()?, text.parse().ok()?)),
            _ => None,
        }
    })
}

impl Pair<'_> {
    /// What differs between what was recorded and what came.
    pub fn compare(&self, was: &List, is: &List, differs: &mut Vec<Differs>) {
        if was.ends && is.ends && was.end != is.end {
            let (expected, text) = match (&was.end, &is.end) {
                (Some(_), None) => (None, "the list does not say that it is complete".to_owned()),
                (None, _) => (
                    Some("the recording has no end mark"),
                    "the list says that it is complete".to_owned(),
                ),
                (Some(was), Some(is)) => (
                    Some("another form of the end mark"),
                    format!("recorded {}, now {}", was.escape_ascii(), is.escape_ascii()),
                ),
            };
            differs.push(Differs { field: "end", expected, text });
        }
        let mut differ = |field, expected, server: &SocketAddr| {
            let what = if field == "missing" { "is not listed" } else { "is listed" };
            differs.push(Differs { field, expected, text: format!("{server} {what}") });
        };
        for server in was.servers.keys().filter(|server| !is.servers.contains_key(server)) {
            let expected = match self.is.at(*server, self.live.time) {
                // Who asks as fast as it goes asks before servers can answer.
                Standing::Registered(_) if self.proved.get(server) > Some(&self.at) => {
                    Some("its registration was not over")
                }
                Standing::Registered(_) => None,
                Standing::Unknown => Some("it did not register in this replay"),
                Standing::Underway => Some("its registration was not over"),
                Standing::Gone => Some("it had gone"),
            };
            differ("missing", expected, server);
        }
        let was_answered = self.recorded.replies.last().map_or(self.recorded.time, |r| r.time);
        let answered = self.live.replies.last().map_or(self.live.time, |reply| reply.time);
        for server in is.servers.keys().filter(|server| !was.servers.contains_key(server)) {
            let then = self.was.at(*server, was_answered);
            let now = self.is.at(*server, answered);
            let expected = match (then, now) {
                (Standing::Registered(at), _) => (self.recorded.time - at > LONG_AGO)
                    .then_some("it had been silent for long when that was recorded"),
                (Standing::Gone, Standing::Registered(_)) => {
                    Some("it had gone when the recorded list came")
                }
                (_, Standing::Registered(_)) => {
                    Some("its registration came to nothing in the recording")
                }
                _ if self.hosts.contains(&server.ip()) => None,
                _ => Some("the target knows it from elsewhere"),
            };
            differ("extra", expected, server);
        }
        for (server, count) in &is.servers {
            let before = was.servers.get(server).copied().unwrap_or(1).max(1);
            if *count > before {
                let text = format!("{server} is listed {count} times");
                differs.push(Differs { field: "doubled", expected: None, text });
            }
        }
    }
}
